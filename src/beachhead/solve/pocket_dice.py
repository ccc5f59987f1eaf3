"""The dice of the Pocket games, exactly: many turns at once, and what cards may make of a tally.

A turn here is a roll and two re-rolls of any dice, none of them Locked. `Box` says which dice: how many faces they have
and how many there are of each colour; the games use six faces and two dice a colour, tests also smaller ones.

    values[roll, turn]      what each tally is worth in each turn, rolls numbered as in `Box.rolls`
    play(box, values)       what each turn is worth before its first roll

Backward induction as in `turn`: `expect` leads from rolls to keeps, `best` from keeps to rolls, one colour after the
other. Turns lie side by side along the last axis, `BLOCK` at a time, so that a block stays in the cache.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, cached_property
from itertools import combinations, combinations_with_replacement, product
from math import factorial, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Faces = tuple[int, ...]

BLOCK = 4
REROLLS = 2


def sets_of(faces: int, many: int) -> tuple[Faces, ...]:
    """What so many dice may show, in any order."""
    return tuple(combinations_with_replacement(range(faces), many))


def chance(faces: int, shown: Faces) -> float:
    ways = factorial(len(shown)) // prod(factorial(many) for many in Counter(shown).values())
    return float(ways / faces ** len(shown))


class Colour(NamedTuple):
    """Tables for the dice of one colour."""

    rolls: tuple[Faces, ...]
    keeps: tuple[Faces, ...]
    chances: Floats
    """Of each roll."""
    ahead: Floats
    """Per keep (row): the probability of each roll when the other dice are rolled again."""
    options: Ints
    """Per roll (column): the keeps it may be left with, all dice first. A row may repeat another."""


@cache
def colour(faces: int, dice: int, stay: int = -1) -> Colour:
    """`stay` is a face that is never rolled again."""
    rolls = sets_of(faces, dice)
    keeps = tuple(keep for many in range(dice + 1) for keep in sets_of(faces, many))
    number = {roll: n for n, roll in enumerate(rolls)}
    ahead = np.zeros((len(keeps), len(rolls)))
    for n, keep in enumerate(keeps):
        for rest in sets_of(faces, dice - len(keep)):
            ahead[n, number[tuple(sorted(keep + rest))]] += chance(faces, rest)
    options = []
    for roll in rolls:
        found = []
        for many in range(dice, -1, -1):
            for kept in combinations(range(dice), many):
                left = [place for place in range(dice) if place not in kept]
                again = all(roll[place] != stay for place in left)
                found.append(keeps.index(tuple(roll[place] for place in kept) if again else roll))
        options.append(found)
    return Colour(rolls, keeps, np.array([chance(faces, roll) for roll in rolls]), ahead, np.array(options).T)


class Box:
    """The dice of one player. Equal boxes are one (`box`)."""

    def __init__(self, faces: int, dice: tuple[int, int, int]) -> None:
        self.faces = faces
        self.dice = dice

    def __reduce__(self) -> tuple[Any, ...]:
        return box, (self.faces, self.dice)

    @cached_property
    def rolls(self) -> tuple[tuple[Faces, Faces, Faces], ...]:
        """All rolls, red, white and blue; the last colour changes first."""
        red, white, blue = (sets_of(self.faces, many) for many in self.dice)
        return tuple(product(red, white, blue))

    @cached_property
    def number(self) -> dict[tuple[Faces, Faces, Faces], int]:
        return {roll: n for n, roll in enumerate(self.rolls)}

    @cached_property
    def chances(self) -> Floats:
        """Of each roll."""
        red, white, blue = (colour(self.faces, many).chances for many in self.dice)
        found: Floats = (red[:, None, None] * white[:, None] * blue).reshape(-1)
        return found

    @cached_property
    def tallies(self) -> tuple[Faces, ...]:
        """What all dice may show, whatever their colours."""
        return sets_of(self.faces, sum(self.dice))

    @cached_property
    def counts(self) -> Ints:
        """Per tally: how many of each face."""
        return np.array([[tally.count(face) for face in range(self.faces)] for tally in self.tallies])

    @cached_property
    def classes(self) -> tuple[tuple[Faces, bool], ...]:
        """What a tally may hold: the faces of its RWBs, and whether all faces are there."""
        total = sum(self.dice)
        pairs = [some for many in range(3) for some in combinations(range(self.faces), many) if 3 * many <= total]
        whole = [some for some in pairs if self.faces + 2 * len(some) <= total]
        return (*((some, False) for some in pairs), *((some, True) for some in whole))

    @cached_property
    def straights(self) -> Bools:
        """Per class: whether all faces are there."""
        return np.array([straight for _, straight in self.classes])


@cache
def box(faces: int = 6, dice: tuple[int, int, int] = (2, 2, 2)) -> Box:
    return Box(faces, dice)


# ---------------------------------------------------------------------- turns


def expect(own: Box, x: Floats) -> Floats:
    """From the worth of rolls, shape (red, white, blue, turns), to that of keeps."""
    red, white, blue = (colour(own.faces, many).ahead for many in own.dice)
    turns = x.shape[-1]
    x = red @ x.reshape(red.shape[1], -1)
    x = np.matmul(white, x.reshape(len(red), white.shape[1], -1))
    x = np.matmul(blue, x.reshape(len(red) * len(white), blue.shape[1], turns))
    return x.reshape(len(red), len(white), len(blue), turns)


def best(own: Box, x: Floats, stay: int = -1) -> Floats:
    """From the worth of keeps to that of the rolls from which they may be chosen."""
    for axis, many in enumerate(own.dice):
        options = colour(own.faces, many, stay).options
        found = x.take(options[0], axis=axis)
        for row in options[1:]:
            np.maximum(found, x.take(row, axis=axis), out=found)
        x = found
    return x


def play(own: Box, values: Floats, stay: int = -1, numbers: Ints | None = None) -> Floats:
    """What each turn is worth before its first roll. `values` has a row per roll and a column per turn.

    With `numbers` it has a row per kind of roll, and they say of which kind each roll is.
    """
    shape = tuple(len(colour(own.faces, many).rolls) for many in own.dice)
    found = np.empty(values.shape[1])
    for at in range(0, values.shape[1], BLOCK):
        x = values[:, at : at + BLOCK]
        x = (np.ascontiguousarray(x) if numbers is None else x[numbers]).reshape(*shape, -1)
        for _ in range(REROLLS):
            x = best(own, expect(own, x), stay)
        found[at : at + BLOCK] = own.chances @ x.reshape(len(own.chances), -1)
    return found


def keeps_ahead(own: Box, values: Floats, roll: int, stay: int = -1) -> Floats:
    """Of one turn after so many rolls: the worth of each keep; `values` has one number per roll."""
    shape = tuple(len(colour(own.faces, many).rolls) for many in own.dice)
    x = expect(own, values.reshape(*shape, 1))
    for _ in range(REROLLS - roll):
        x = expect(own, best(own, x, stay))
    return x[..., 0]


def standing(own: Box, values: Floats, shown: tuple[Faces, Faces, Faces], roll: int, stay: int = -1) -> Floats:
    """What each turn (column of `values`) is worth when these dice lie on the table after so many rolls."""
    x = values.reshape(*(len(colour(own.faces, many).rolls) for many in own.dice), -1)
    for _ in range(REROLLS + 1 - roll):
        x = best(own, expect(own, x), stay)
    found: Floats = x.reshape(len(own.rolls), -1)[own.number[shown]]
    return found


class Kept(NamedTuple):
    """Dice that are kept, per colour, and what the turn is then worth."""

    value: float
    kept: tuple[Faces, Faces, Faces]


def choices(own: Box, values: Floats, shown: tuple[Faces, Faces, Faces], roll: int, stay: int = -1) -> list[Kept]:
    """What may be kept of dice on the table after so many rolls, best first; of equal ones that which keeps more."""
    if roll > REROLLS:
        return [Kept(float(values[own.number[shown]]), shown)]
    worth = keeps_ahead(own, values, roll, stay)
    tables = [colour(own.faces, many, stay) for many in own.dice]
    options = [sorted(set(one.options[:, one.rolls.index(part)])) for one, part in zip(tables, shown, strict=True)]
    found = []
    for red, white, blue in product(*options):
        kept = (tables[0].keeps[red], tables[1].keeps[white], tables[2].keeps[blue])
        found.append(Kept(float(worth[red, white, blue]), kept))
    return sorted(found, key=lambda one: (-round(one.value, 12), -sum(map(len, one.kept)), one.kept))


# ---------------------------------------------------------------------- what cards make of a tally

BITS = 3
"""A tally of coloured dice is one number: so many bits for each face and colour."""


def _place(face: int, shade: int) -> int:
    return BITS * (3 * face + shade)


class Outcomes(NamedTuple):
    """Per roll what cards may make of it; rolls that differ in the order of colours are one source."""

    source: Ints
    """Per roll: the number of its source."""
    starts: Ints
    """Per source: where its outcomes begin."""
    classes: Ints
    """Per outcome: the number of its class (`Box.classes`)."""
    tallies: Ints
    """Per outcome: the number of its tally (`Box.tallies`)."""


@cache
def outcomes(own: Box, face: bool = False, colours: bool = False, wild: int = -1) -> Outcomes:
    """What may be made of each roll by changes, each made once or not at all:

    face       one die shows any face (the General)
    colours    one die has any colour (the Captain)
    wild       one die with this face has any colour and face (the Engineer)

    It is enough to make them in this order: face, wild, colours. A die that the General turned into a Tool may then be
    the Engineer's; whatever the Engineer or the Captain did before another card could as well be done after it.
    """
    alike = len(set(own.dice)) == 1
    sources: dict[tuple[Faces, ...], int] = {}
    source = np.array([sources.setdefault(tuple(sorted(roll)) if alike else roll, len(sources)) for roll in own.rolls])
    states = np.array(
        [sum(1 << _place(f, shade) for shade, part in enumerate(roll) for f in part) for roll in sources],
        dtype=np.int64,
    )
    pairs = np.stack([np.arange(len(states)), states])
    every = range(own.faces)
    if face:
        moves = [((f, c), (to, c)) for f in every for c in range(3) for to in every if to != f]
        pairs = _moved(pairs, moves)
    if wild >= 0:
        moves = [((wild, c), (to, shade)) for c in range(3) for to in every for shade in range(3)]
        pairs = _moved(pairs, moves)
    if colours:
        moves = [((f, c), (f, to)) for f in every for c in range(3) for to in range(3) if to != c]
        parts = [_classed(own, part) for part in _moves(pairs, moves)]
        found = np.unique(np.concatenate(parts))
    else:
        found = np.unique(_classed(own, pairs))
    many = len(own.classes) * len(own.tallies)
    starts = np.searchsorted(found, many * np.arange(len(sources)))
    return Outcomes(source, starts, found % many // len(own.tallies), found % len(own.tallies))


def _moves(pairs: Ints, moves: list[tuple[tuple[int, int], tuple[int, int]]]) -> Iterator[Ints]:
    """With no die moved, and with one die moved from a face and colour to another."""
    yield pairs
    for old, new in moves:
        there = pairs[:, pairs[1] >> _place(*old) & (1 << BITS) - 1 > 0]
        yield np.stack([there[0], there[1] - (1 << _place(*old)) + (1 << _place(*new))])


def _moved(pairs: Ints, moves: list[tuple[tuple[int, int], tuple[int, int]]]) -> Ints:
    return _distinct(np.concatenate(list(_moves(pairs, moves)), axis=1))


def _distinct(pairs: Ints) -> Ints:
    pairs = pairs[:, np.lexsort((pairs[1], pairs[0]))]
    new = np.ones(pairs.shape[1], dtype=bool)
    new[1:] = (pairs[:, 1:] != pairs[:, :-1]).any(0)
    return pairs[:, new]


def _classed(own: Box, pairs: Ints) -> Ints:
    """Per pair one number, made of its source, class and tally."""
    dice = sum(own.dice)
    shades = [[pairs[1] >> _place(face, shade) & (1 << BITS) - 1 for shade in range(3)] for face in range(own.faces)]
    tally = np.zeros(pairs.shape[1], dtype=np.int64)
    rwb = np.zeros(pairs.shape[1], dtype=np.int64)
    straight = np.ones(pairs.shape[1], dtype=bool)
    for face, (red, white, blue) in enumerate(shades):
        tally = tally * (dice + 1) + red + white + blue
        rwb |= (np.minimum(np.minimum(red, white), blue) > 0).astype(np.int64) << face
        straight &= red + white + blue > 0
    rank = np.zeros((dice + 1) ** own.faces, dtype=np.int64)
    weights = (dice + 1) ** np.arange(own.faces - 1, -1, -1)
    rank[own.counts @ weights] = np.arange(len(own.tallies))
    kind = np.zeros(2 << own.faces, dtype=np.int64)
    for n, (some, whole) in enumerate(own.classes):
        kind[sum(1 << face for face in some) | whole << own.faces] = n
    classes = kind[rwb | straight.astype(np.int64) << own.faces]
    found: Ints = (pairs[0] * len(own.classes) + classes) * len(own.tallies) + rank[tally]
    return np.unique(found)


def within_reach(own: Box, some: Outcomes, needed: Ints, straight: bool = False) -> Ints:
    """Per source: which classes can be had together with a match of the dice that are needed, as a mask.

    needed      how many of each face have to be there
    straight    a Straight is as good as a match (the Veteran)
    """
    enough: Bools = np.all(own.counts >= needed, axis=1)
    fits = enough[some.tallies]
    if straight:
        fits = fits | own.straights[some.classes]
    bits = np.where(fits, np.int64(1) << some.classes, 0)
    found: Ints = np.bitwise_or.reduceat(bits, some.starts)
    return found


def needs(faces: int, shown: Faces) -> Ints:
    return np.array([shown.count(face) for face in range(faces)])
