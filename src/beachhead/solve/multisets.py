"""Dice of one colour as multisets, and the tables that lead from one to the other.

Dice of one colour cannot be told apart, so what they show is a sorted tuple of faces. At most two dice have the same
colour: there are 1, 6 or 21 *rolls* of none, one or two dice. A *keep* is what stays when some are rolled again: 1, 7
or 28 of them. A keep has the same number whatever number of dice it is taken from: nothing is 0, one die 1 to 6, two
dice 7 to 27.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..landing.dice import SKULL

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Faces = tuple[int, ...]

MOST = 2
"""Dice of one colour."""
SIZES = range(MOST + 1)
ROLLS: tuple[tuple[Faces, ...], ...] = tuple(tuple(combinations_with_replacement(range(6), n)) for n in SIZES)
"""Per number of dice: what they may show."""
KEEPS: tuple[Faces, ...] = tuple(faces for rolls in ROLLS for faces in rolls)
KEEP = {faces: number for number, faces in enumerate(KEEPS)}
ROLL = {faces: number for rolls in ROLLS for number, faces in enumerate(rolls)}
KEPT = tuple(sum(len(ROLLS[size]) for size in range(n + 1)) for n in SIZES)
"""Per number of dice: how many keeps there are."""


def joined(a: Faces, b: Faces) -> Faces:
    return tuple(sorted(a + b))


def _chance(faces: Faces) -> float:
    ways = factorial(len(faces)) // prod(factorial(many) for many in Counter(faces).values())
    return float(ways / 6 ** len(faces))


CHANCE: tuple[Floats, ...] = tuple(np.array([_chance(faces) for faces in rolls]) for rolls in ROLLS)
"""Per number of dice: the probability of each roll."""


PAIRS: Indices = np.array([[ROLL[joined((a,), (b,))] for a in range(6)] for b in range(6)], dtype=np.int64)
"""The number of the roll of two dice, by their faces."""


def _without(faces: Faces, places: tuple[int, ...]) -> Faces:
    return tuple(face for place, face in enumerate(faces) if place not in places)


def _staying(faces: Faces, gone: tuple[tuple[int, ...], ...], stay: bool) -> list[int]:
    """The keeps without the dice at these places. Where a Skull among them has to stay all dice are kept."""
    return [
        KEEP[faces if stay and any(faces[place] == SKULL for place in places) else _without(faces, places)]
        for places in gone
    ]


_ANY: tuple[tuple[tuple[int, ...], ...], ...] = (((),), ((), (0,)), ((), (0,), (1,), (0, 1)))
_ONE: tuple[tuple[tuple[int, ...], ...], ...] = ((), ((0,),), ((0,), (1,)))


@cache
def any_of(n: int, stay: bool) -> Indices:
    """Per roll of n dice (column) the keeps it may be left with when any of the dice are rolled again.

    With `stay` Skulls are never rolled again.
    """
    return np.array([_staying(faces, _ANY[n], stay) for faces in ROLLS[n]], dtype=np.int64).T


@cache
def one_of(n: int, stay: bool) -> Indices:
    """The same where one die is rolled again."""
    found = [_staying(faces, _ONE[n], stay) for faces in ROLLS[n]]
    return np.array(found, dtype=np.int64).reshape(len(found), n).T


class Lane(NamedTuple):
    """The dice of one colour with some of them Locked, for one or for all sets of Locked dice of that size.

    Tables count places along an axis that has, for each Locked set, the rolls (or keeps) of the free dice.
    """

    locked: int
    """How many Locked sets there are."""
    free: int
    """How many dice are free."""
    keeps: Indices
    """Per place of this axis: the keep of all dice."""
    any_first: Indices
    """As `any_of`, from the keeps of all dice."""
    one_first: Indices
    full_first: Indices
    any_then: Indices
    """As `any_of`, from the keeps of this axis."""
    one_then: Indices
    full_then: Indices
    back: Indices
    """Per roll of all dice (column): the places of this axis that are such a roll. A row may repeat another."""


@cache
def lane(n: int, size: int, stay: bool, lock: Faces | None = None) -> Lane:
    """Of n dice with `size` Locked; `lock` says which."""
    locks = ROLLS[size] if lock is None else (lock,)
    free = n - size
    keeps = np.array([[KEEP[joined(lock, keep)] for keep in KEEPS[: KEPT[free]]] for lock in locks], dtype=np.int64)
    offsets = KEPT[free] * np.arange(len(locks), dtype=np.int64)[:, None]
    every = len(locks) * len(ROLLS[free])

    def first(table: Indices) -> Indices:
        return np.stack([keeps[:, row].reshape(every) for row in table]) if len(table) else table.reshape(0, every)

    def then(table: Indices) -> Indices:
        return np.stack([(offsets + row).reshape(every) for row in table]) if len(table) else table.reshape(0, every)

    anyhow, one = any_of(free, stay), one_of(free, stay)
    return Lane(
        len(locks),
        free,
        keeps.reshape(-1),
        first(anyhow),
        first(one),
        first(anyhow[:1])[0],
        then(anyhow),
        then(one),
        then(anyhow[:1])[0],
        _back(n, free, locks),
    )


def _back(n: int, free: int, locks: tuple[Faces, ...]) -> Indices:
    """Only asked for where all Locked sets of a size are there, so that every roll has a place."""
    places: list[list[int]] = [[] for _ in ROLLS[n]]
    for i, lock in enumerate(locks):
        for j, rest in enumerate(ROLLS[free]):
            places[ROLL[joined(lock, rest)]].append(i * len(ROLLS[free]) + j)
    if not all(places):
        return np.zeros((0, len(places)), dtype=np.int64)
    most = max(map(len, places))
    return np.array([found + found[:1] * (most - len(found)) for found in places], dtype=np.int64).T
