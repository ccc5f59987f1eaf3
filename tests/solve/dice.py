"""Dice for the tests: random values, and how the reference sees them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from beachhead.solve.multisets import ROLL, ROLLS, Floats

Dice = tuple[int, int, int]


def shape(dice: Dice) -> tuple[int, ...]:
    return tuple(len(ROLLS[n]) for n in dice)


def some_values(dice: Dice, seed: int) -> Floats:
    """Uneven ones, with ties among them."""
    rng = np.random.default_rng(seed)
    return np.where(rng.random(shape(dice)) < 0.3, 1.0, rng.exponential(size=shape(dice)))


def numbers(faces: tuple[int, ...], dice: Dice) -> tuple[int, ...]:
    """Where faces of told-apart dice (red ones first) lie in a table of values."""
    found, at = [], 0
    for n in dice:
        found.append(ROLL[tuple(sorted(faces[at : at + n]))])
        at += n
    return tuple(found)


def worth_of(values: Floats, dice: Dice) -> Callable[[tuple[int, ...]], float]:
    return lambda faces: float(values[numbers(faces, dice)])


def at_home(faces: tuple[int, ...], dice: Dice) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The same faces on R1 R2 W1 W2 B1 B2, -1 for a die that is not there, and the place of each die."""
    found, places, at = [-1] * 6, [], 0
    for colour, n in enumerate(dice):
        for die in range(n):
            found[2 * colour + die] = faces[at]
            places.append(2 * colour + die)
            at += 1
    return tuple(found), tuple(places)
