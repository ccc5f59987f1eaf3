"""The turn in machine code: the same backward induction as in `turn`. Only `fast` imports this, where numba is there.

A *block* has one row per keep of the free dice, red, white and blue, and one column per set of Locked dice. The rolls
are the rows in which all free dice are kept, so both steps work in place: `expect` fills the other rows, `best_of_any`
raises the rolls to the best row that they may be left with. The inner loops run along the columns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import product
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .multisets import KEEP, KEPT, PAIRS, ROLLS, SIZES, Faces, Floats, Indices, any_of, joined, lane, one_of

Function = TypeVar("Function", bound=Callable[..., Any])
_numba: Any = import_module("numba")
_numba.config.SLP_VECTORIZE = 1  # sums and maxima of four columns are one step each


def compiled(function: Function) -> Function:
    """In machine code, kept on disk."""
    found: Function = _numba.njit(cache=True, nogil=True, boundscheck=False)(function)
    return found


# Tables are indexed by the number of dice first; what is shorter than the longest ends in zeros.
COUNT = np.array([len(rolls) for rolls in ROLLS], dtype=np.int64)
"""Rolls of so many dice."""
KEPT_ = np.array(KEPT, dtype=np.int64)
FULL = KEPT_ - COUNT
"""The first keep that is a roll."""
ANY = np.zeros((2, 3, 21, 4), dtype=np.int64)
"""By whether Skulls stay, dice and roll: the keeps."""
ONE = np.zeros((2, 3, 21, 2), dtype=np.int64)
JOIN = np.zeros((3, 3, 21, 28), dtype=np.int64)
"""By dice, Locked ones, Locked set and keep of the free ones: the keep of all."""
MORE = np.array([[KEEP[joined(keep, (face,))] for face in range(6)] for rolls in ROLLS[:2] for keep in rolls])
"""Per keep of fewer than two dice: the keeps with one more."""
for _n in SIZES:
    for _stay in (0, 1):
        ANY[_stay, _n, : COUNT[_n], : 2**_n] = any_of(_n, bool(_stay)).T
        ONE[_stay, _n, : COUNT[_n], :_n] = one_of(_n, bool(_stay)).T
    for _size in range(_n + 1):
        _keeps = lane(_n, _size, False).keeps.reshape(COUNT[_size], -1)
        JOIN[_n, _size, : _keeps.shape[0], : _keeps.shape[1]] = _keeps
SPACE = max(int(np.prod([KEPT[2 - size] * COUNT[size] for size in sizes])) for sizes in np.ndindex(3, 3, 3))
"""The most numbers that a block holds."""
DICE = {dice: np.array(dice, dtype=np.int64) for dice in product(SIZES, repeat=3)}
AS_THEY_ARE = np.arange(3)
"""The colours in their order."""
EVERY = np.tile(np.arange(KEPT[-1]), (3, 1))
"""Per colour: all keeps."""
COLUMNS = 4
"""Sets of Locked dice that are worked out together: so many numbers are one step for the machine, if they are all read
before one is written.
"""
NEVER = -float("inf")
"""The worth of what may not be."""
U1, U2, U3, U4 = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
Small = NDArray[np.int32]


# Unsigned indices: a signed one may count from the end, and code that asks for that is not made into vectors.


@compiled
def mean(x: Floats, to: int, more: Indices, rest: int, step: int, length: int) -> None:
    """A stretch becomes the mean of six others."""
    out = np.uint64(to)
    a, b, c = np.uint64(rest + more[0] * step), np.uint64(rest + more[1] * step), np.uint64(rest + more[2] * step)
    d, e, f = np.uint64(rest + more[3] * step), np.uint64(rest + more[4] * step), np.uint64(rest + more[5] * step)
    for i in range(np.uint64(length)):
        x[out + i] = (x[a + i] + x[b + i] + x[c + i] + x[d + i] + x[e + i] + x[f + i]) * (1.0 / 6.0)


@compiled
def rise(x: Floats, n: int, keeps: Indices, rest: int, step: int, length: int) -> None:
    """A stretch becomes the greatest of itself and others."""
    out, a = np.uint64(rest + keeps[0] * step), np.uint64(rest + keeps[1] * step)
    if n == 1:
        for i in range(np.uint64(length)):
            x[out + i] = max(x[out + i], x[a + i])
    else:
        b, c = np.uint64(rest + keeps[2] * step), np.uint64(rest + keeps[3] * step)
        for i in range(np.uint64(length)):
            x[out + i] = max(x[out + i], x[a + i], x[b + i], x[c + i])


@compiled
def raised(x: Floats, to: int, other: int, length: int) -> None:
    """A stretch becomes the greater of itself and another."""
    out, a = np.uint64(to), np.uint64(other)
    for i in range(np.uint64(length)):
        x[out + i] = max(x[out + i], x[a + i])


@compiled
def means(x: Floats, row: int, many: int, more: Indices, columns: int) -> None:
    """The first so many places of a row, of one column or of four, become means of six others, the last one first."""
    at = np.uint64(row)
    for n in range(many):
        keep = np.uint64(many - 1 - n)
        if columns == 1:
            a, b, c = np.uint64(more[keep, 0]), np.uint64(more[keep, 1]), np.uint64(more[keep, 2])
            d, e, f = np.uint64(more[keep, 3]), np.uint64(more[keep, 4]), np.uint64(more[keep, 5])
            total = x[at + a] + x[at + b] + x[at + c] + x[at + d] + x[at + e] + x[at + f]
            x[at + keep] = total * (1.0 / 6.0)
        else:
            to = at + U4 * keep
            a, b = at + U4 * np.uint64(more[keep, 0]), at + U4 * np.uint64(more[keep, 1])
            c, d = at + U4 * np.uint64(more[keep, 2]), at + U4 * np.uint64(more[keep, 3])
            e, f = at + U4 * np.uint64(more[keep, 4]), at + U4 * np.uint64(more[keep, 5])
            p = (x[a] + x[b] + x[c] + x[d] + x[e] + x[f]) * (1.0 / 6.0)
            q = (x[a + U1] + x[b + U1] + x[c + U1] + x[d + U1] + x[e + U1] + x[f + U1]) * (1.0 / 6.0)
            r = (x[a + U2] + x[b + U2] + x[c + U2] + x[d + U2] + x[e + U2] + x[f + U2]) * (1.0 / 6.0)
            s = (x[a + U3] + x[b + U3] + x[c + U3] + x[d + U3] + x[e + U3] + x[f + U3]) * (1.0 / 6.0)
            x[to], x[to + U1], x[to + U2], x[to + U3] = p, q, r, s


@compiled
def rises(x: Floats, row: int, n: int, count: int, table: Indices, columns: int) -> None:
    """Each roll of a row becomes the greatest of the keeps that it may be left with."""
    at, step = np.uint64(row), np.uint64(columns)
    for roll in range(count):
        to, a = at + step * np.uint64(table[roll, 0]), at + step * np.uint64(table[roll, 1])
        b = a if n == 1 else at + step * np.uint64(table[roll, 2])
        c = a if n == 1 else at + step * np.uint64(table[roll, 3])
        if columns == 1:
            x[to] = max(x[to], x[a], x[b], x[c])
        else:
            p = max(x[to], x[a], x[b], x[c])
            q = max(x[to + U1], x[a + U1], x[b + U1], x[c + U1])
            r = max(x[to + U2], x[a + U2], x[b + U2], x[c + U2])
            s = max(x[to + U3], x[a + U3], x[b + U3], x[c + U3])
            x[to], x[to + U1], x[to + U2], x[to + U3] = p, q, r, s


@compiled
def lifts(x: Floats, row: int, n: int, count: int, first: int, table: Indices, columns: int) -> None:
    """Each roll of a row becomes the greatest of itself and of the keeps with one die less."""
    at, step = np.uint64(row), np.uint64(columns)
    for roll in range(count):
        to, a = at + step * np.uint64(first + roll), at + step * np.uint64(table[roll, 0])
        b = a if n == 1 else at + step * np.uint64(table[roll, 1])
        if columns == 1:
            x[to] = max(x[to], x[a], x[b])
        else:
            p = max(x[to], x[a], x[b])
            q = max(x[to + U1], x[a + U1], x[b + U1])
            r = max(x[to + U2], x[a + U2], x[b + U2])
            s = max(x[to + U3], x[a + U3], x[b + U3])
            x[to], x[to + U1], x[to + U2], x[to + U3] = p, q, r, s


@compiled
def steps_of(n: Indices, order: Indices, columns: int) -> Indices:
    """Per colour: how far apart its rows are in a block in which the colours lie in this order."""
    steps = np.empty(3, dtype=np.int64)
    steps[order[2]] = columns
    steps[order[1]] = KEPT_[n[order[2]]] * columns
    steps[order[0]] = KEPT_[n[order[1]]] * steps[order[1]]
    return steps


@compiled
def expect(x: Floats, n: Indices, order: Indices, keeps: Indices, many: Indices, columns: int) -> None:
    """Fill the rows in which fewer dice are kept: each is the mean of the six with one die more.

    Red comes first and blue last, in whatever order they lie, so that the sums are the same. Of a colour that is done
    only these keeps are followed.
    """
    steps = steps_of(n, order, columns)
    for colour in range(3):
        if n[colour] == 0:
            continue
        last = colour == order[2]
        a = order[1] if colour == order[0] else order[0]
        b = order[1] if last else order[2]
        rows = many[a] if a < colour else COUNT[n[a]]
        low = 0 if b < colour else FULL[n[b]]
        for i in range(rows):
            at = (keeps[a, i] if a < colour else FULL[n[a]] + i) * steps[a]
            if not last:
                at += low * columns
                for keep in range(FULL[n[colour]] - 1, -1, -1):
                    to = at + keep * steps[colour]
                    mean(x, to, MORE[keep], at, steps[colour], (KEPT_[n[b]] - low) * columns)
                continue
            for j in range(many[b] if b < colour else COUNT[n[b]]):
                row = at + (keeps[b, j] if b < colour else low + j) * steps[b]
                if columns in (1, COLUMNS):
                    means(x, row, FULL[n[colour]], MORE, columns)
                    continue
                for keep in range(FULL[n[colour]] - 1, -1, -1):
                    mean(x, row + keep * columns, MORE[keep], row, columns, columns)


@compiled
def best_of_any(x: Floats, n: Indices, columns: int, stay: int) -> None:
    """Raise the rolls to the best that they may be left with. The long stretches come first."""
    table = ANY[stay]
    k0, k1, k2 = KEPT_[n[0]], KEPT_[n[1]], KEPT_[n[2]]
    step = k2 * columns
    if n[0]:
        for roll in range(COUNT[n[0]]):
            rise(x, n[0], table[n[0], roll], 0, k1 * step, k1 * step)
    if n[1]:
        for i in range(FULL[n[0]], k0):
            for roll in range(COUNT[n[1]]):
                rise(x, n[1], table[n[1], roll], i * k1 * step, step, step)
    if n[2]:
        for i in range(FULL[n[0]], k0):
            for j in range(FULL[n[1]], k1):
                if columns in (1, COLUMNS):
                    rises(x, (i * k1 + j) * step, n[2], COUNT[n[2]], table[n[2]], columns)
                    continue
                for roll in range(COUNT[n[2]]):
                    rise(x, n[2], table[n[2], roll], (i * k1 + j) * step, columns, columns)


@compiled
def best_of_one(x: Floats, n: Indices, columns: int, stay: int) -> None:
    """The same where all dice are kept, or all but one."""
    table = ONE[stay]
    k0, k1, k2 = KEPT_[n[0]], KEPT_[n[1]], KEPT_[n[2]]
    f0, f1, f2 = FULL[n[0]], FULL[n[1]], FULL[n[2]]
    step = k2 * columns
    for roll in range(COUNT[n[0]]):
        for die in range(n[0]):
            for j in range(f1, k1):
                rest = j * step + f2 * columns
                out, other = rest + (f0 + roll) * k1 * step, rest + table[n[0], roll, die] * k1 * step
                raised(x, out, other, step - f2 * columns)
    for i in range(f0, k0):
        for roll in range(COUNT[n[1]]):
            for die in range(n[1]):
                rest = i * k1 * step + f2 * columns
                raised(x, rest + (f1 + roll) * step, rest + table[n[1], roll, die] * step, step - f2 * columns)
        for j in range(f1, k1):
            rest = (i * k1 + j) * step
            if columns in (1, COLUMNS) and n[2]:
                lifts(x, rest, n[2], COUNT[n[2]], f2, table[n[2]], columns)
                continue
            for roll in range(COUNT[n[2]]):
                for die in range(n[2]):
                    raised(x, rest + (f2 + roll) * columns, rest + table[n[2], roll, die] * columns, columns)


@compiled
def best(x: Floats, n: Indices, columns: int, anyhow: bool, stay: int) -> None:
    if anyhow:
        best_of_any(x, n, columns, stay)
    else:
        best_of_one(x, n, columns, stay)


@compiled
def laid(n: Indices, order: Indices) -> Indices:
    """The same numbers in the order in which the colours lie."""
    found = np.empty(3, dtype=np.int64)
    for place in range(3):
        found[place] = n[order[place]]
    return found


# Most rows are of two dice. Where all is known but the numbers themselves, the compiler makes code without loops.


@compiled
def four_of_two(x: Floats, row: int, anyhow: bool, stay: int) -> None:
    """A row of two dice in `rolled`, of four columns."""
    means(x, row, 7, MORE, 4)
    if anyhow and stay:
        rises(x, row, 2, 21, ANY[1, 2], 4)
    elif anyhow:
        rises(x, row, 2, 21, ANY[0, 2], 4)
    elif stay:
        lifts(x, row, 2, 21, 7, ONE[1, 2], 4)
    else:
        lifts(x, row, 2, 21, 7, ONE[0, 2], 4)


@compiled
def one_of_two(x: Floats, row: int, anyhow: bool, stay: int) -> None:
    """The same of one column."""
    means(x, row, 7, MORE, 1)
    if anyhow and stay:
        rises(x, row, 2, 21, ANY[1, 2], 1)
    elif anyhow:
        rises(x, row, 2, 21, ANY[0, 2], 1)
    elif stay:
        lifts(x, row, 2, 21, 7, ONE[1, 2], 1)
    else:
        lifts(x, row, 2, 21, 7, ONE[0, 2], 1)


@compiled
def rolled(x: Floats, n: Indices, columns: int, anyhow: bool, stay: int) -> None:
    """From the worth of rolls to that of the rolls before them, in a block of one column or of four: `expect` and
    `best` in one, so that a row is read once. With one die to roll again fewer rows are needed.
    """
    i, j, k = n
    middle = KEPT_[k] * columns
    outer = KEPT_[j] * middle
    first, length = FULL[k] * columns, COUNT[k] * columns
    for row in range(FULL[j], KEPT_[j]):
        rest = row * middle + first
        for keep in range(FULL[i] - 1, -1, -1):
            mean(x, rest + keep * outer, MORE[keep], rest, outer, length)
    for a in range(0 if anyhow else FULL[i], KEPT_[i]):
        rest = a * outer + first
        for keep in range(FULL[j] - 1, -1, -1):
            mean(x, rest + keep * middle, MORE[keep], rest, middle, length)
        for b in range(0 if anyhow else FULL[j], KEPT_[j]):
            row = a * outer + b * middle
            if k == 2 and columns == 4:
                four_of_two(x, row, anyhow, stay)
            elif k == 2:
                one_of_two(x, row, anyhow, stay)
            elif k:
                means(x, row, FULL[k], MORE, columns)
                if anyhow:
                    rises(x, row, k, COUNT[k], ANY[stay, k], columns)
                else:
                    lifts(x, row, k, COUNT[k], FULL[k], ONE[stay, k], columns)
        for roll in range(COUNT[j] if j else 0):
            if anyhow:
                rise(x, j, ANY[stay, j, roll], rest, middle, length)
            for die in range(0 if anyhow else j):
                raised(x, rest + (FULL[j] + roll) * middle, rest + ONE[stay, j, roll, die] * middle, length)
    for roll in range(COUNT[i] if i else 0):
        for row in range(FULL[j], KEPT_[j]):
            rest = row * middle + first
            if anyhow:
                rise(x, i, ANY[stay, i, roll], rest, outer, length)
            for die in range(0 if anyhow else i):
                raised(x, rest + (FULL[i] + roll) * outer, rest + ONE[stay, i, roll, die] * outer, length)


@compiled
def keeps_ahead(
    x: Floats, n: Indices, order: Indices, columns: int, roll: int, rolls: int, stages: int, stay: int
) -> None:
    """From the worth of keeps before the last roll to that of keeps after so many rolls."""
    for stage in range(stages, roll, -1):
        best(x, laid(n, order), columns, stage < rolls, stay)
        expect(x, n, order, EVERY, KEPT_[n], columns)


@compiled
def rolls_of(x: Floats, n: Indices) -> Floats:
    """The rolls of a block of one column."""
    cube = x.reshape((KEPT_[n[0]], KEPT_[n[1]], KEPT_[n[2]]))
    return cube[FULL[n[0]] :, FULL[n[1]] :, FULL[n[2]] :].copy()


@compiled
def block_of(values: Floats, n: Indices) -> Floats:
    """A block of one column with these rolls; the other rows are not filled."""
    cube = np.empty((KEPT_[n[0]], KEPT_[n[1]], KEPT_[n[2]]))
    cube[FULL[n[0]] :, FULL[n[1]] :, FULL[n[2]] :] = values
    return cube.reshape(cube.size)


@compiled
def filled(values: Floats, dice: Indices) -> Floats:
    """The worth of all keeps before the last roll."""
    last = block_of(values, dice)
    expect(last, dice, AS_THEY_ARE, EVERY, KEPT_[dice], 1)
    return last


@compiled
def first_rolls(values: Floats, dice: Indices, lock: int, rolls: int, stages: int, stay: int) -> Floats:
    """Of each first roll: the best of its keeps, each with the best of the sets of Locked dice that are in it."""
    last = filled(values, dice)
    found = np.full(last.size, NEVER)
    space = np.empty(SPACE)
    free = np.zeros(3, dtype=np.int64)
    for red in range(dice[0] + 1):
        for white in range(dice[1] + 1):
            blue = lock - red - white
            if blue < 0 or blue > dice[2]:
                continue
            free[0], free[1], free[2] = dice[0] - red, dice[1] - white, dice[2] - blue
            k0, k1, k2 = KEPT_[free[0]], KEPT_[free[1]], KEPT_[free[2]]
            reds, whites, blues = JOIN[dice[0], red], JOIN[dice[1], white], JOIN[dice[2], blue]
            pairs = COUNT[red] * COUNT[white]
            columns = pairs * COUNT[blue]
            at = np.empty((k0 * k1, columns), dtype=np.uint64)
            for i in range(k0):
                for j in range(k1):
                    column = 0
                    for a in range(COUNT[red]):
                        for b in range(COUNT[white]):
                            place = (reds[a, i] * KEPT_[dice[1]] + whites[b, j]) * KEPT_[dice[2]]
                            for _c in range(COUNT[blue]):
                                at[i * k1 + j, column] = place
                                column += 1
            and_blue = np.empty((k2, columns), dtype=np.uint64)
            for k in range(k2):
                column = 0
                for _ab in range(pairs):
                    for c in range(COUNT[blue]):
                        and_blue[k, column] = blues[c, k]
                        column += 1
            x = space[: k0 * k1 * k2 * columns].reshape((k0 * k1, k2, columns))
            for ij in range(k0 * k1):
                for k in range(k2):
                    for column in range(columns):
                        x[ij, k, column] = last[at[ij, column] + and_blue[k, column]]
            keeps_ahead(x.reshape(x.size), free, AS_THEY_ARE, columns, 1, rolls, stages, stay)
            for ij in range(k0 * k1):
                for k in range(k2):
                    for column in range(columns):
                        to = at[ij, column] + and_blue[k, column]
                        found[to] = max(found[to], x[ij, k, column])
    best(found, dice, 1, rolls > 1, stay)
    return rolls_of(found, dice)


@compiled
def greatest(worths: Floats, leads: NDArray[Any], starts: Small, kinds: NDArray[np.uint16]) -> Floats:
    """Of each kind that is named: the greatest of the worths that its stretch of `leads` names, which goes from its
    start to the next.
    """
    found = np.empty(starts.size)
    for n in range(starts.size):
        end = starts[n + 1] if n + 1 < starts.size else leads.size
        best = worths[leads[starts[n]]]
        for at in range(starts[n] + 1, end):
            best = max(best, worths[leads[at]])
        found[n] = best
    each = np.empty(kinds.size)
    for n in range(kinds.size):
        each[n] = found[kinds[n]]
    return each


@compiled
def number_of(a: int, b: int) -> int:
    """The number of the roll that none, one or two dice make; a face below 0 is no die."""
    if a < 0:
        return b if b >= 0 else 0
    return a if b < 0 else int(PAIRS[a, b])


@compiled
def keep_of(a: int, b: int) -> int:
    """The same for keeps."""
    found: int = FULL[int(a >= 0) + int(b >= 0)] + number_of(a, b)
    return found


@compiled
def with_locks(
    values: Floats,
    dice: Indices,
    faces: Indices,
    locks: Indices,
    roll: int,
    rolls: int,
    stages: int,
    stay: int,
) -> tuple[Floats, Indices]:
    """A block with the worth of what may be kept of the free dice after so many rolls, and the steps of its colours.

    One column per set of Locked dice; they have as many dice of each colour. The colour with most free dice lies
    innermost, as long stretches are quicker.
    """
    apart = np.array((COUNT[dice[1]] * COUNT[dice[2]], COUNT[dice[2]], 1))
    columns = locks.size
    free = np.empty(3, dtype=np.int64)
    rows = np.empty((columns, 3, 28), dtype=np.int64)
    keeps = np.empty((3, 4), dtype=np.int64)
    many = np.empty(3, dtype=np.int64)
    for colour in range(3):
        p = 2 * colour
        both = 3
        for column in range(columns):
            locked = locks[column] >> p & 3
            both &= locked
            a = faces[p] if locked & 1 else -1
            b = faces[p + 1] if locked & 2 else -1
            size = int(a >= 0) + int(b >= 0)
            free[colour] = dice[colour] - size
            for i in range(FULL[free[colour]], KEPT_[free[colour]]):
                roll_of_all = JOIN[dice[colour], size, number_of(a, b), i] - FULL[dice[colour]]
                rows[column, colour, i] = roll_of_all * apart[colour]
        a = faces[p] if not both & 1 else -1
        b = faces[p + 1] if not both & 2 else -1
        keeps[colour, 0] = 0
        many[colour] = 1
        if a >= 0 and free[colour]:
            keeps[colour, many[colour]] = keep_of(a, -1)
            many[colour] += 1
        if b >= 0 and free[colour]:
            if a != b:
                keeps[colour, many[colour]] = keep_of(-1, b)
                many[colour] += 1
            if a >= 0 and free[colour] > 1:
                keeps[colour, many[colour]] = keep_of(a, b)
                many[colour] += 1
    order = np.arange(3)
    for colour in range(2):
        if free[colour] > free[order[2]]:
            order[2], order[colour] = colour, order[2]
    outer, middle, inner = order
    x = np.empty(KEPT_[free[0]] * KEPT_[free[1]] * KEPT_[free[2]] * columns)
    flat = values.reshape(values.size)
    for column in range(columns):
        for i in range(FULL[free[outer]], KEPT_[free[outer]]):
            for j in range(FULL[free[middle]], KEPT_[free[middle]]):
                place = rows[column, outer, i] + rows[column, middle, j]
                first = (i * KEPT_[free[middle]] + j) * KEPT_[free[inner]] + FULL[free[inner]]
                to = np.uint64(first * columns + column)
                for k in range(FULL[free[inner]], KEPT_[free[inner]]):
                    x[to] = flat[np.uint64(place + rows[column, inner, k])]
                    to += np.uint64(columns)
    for stage in range(stages, roll, -1):
        rolled(x, laid(free, order), columns, stage < rolls, stay)
    expect(x, free, order, keeps, many, columns)
    return x, steps_of(free, order, columns)


@compiled
def worths_of_keeps(x: Floats, steps: Indices, faces: Indices, locked: int, stay: int, most: int) -> Floats:
    """Per set of dice to roll again: its worth; -inf for sets that may not be, or are like another."""
    found = np.full(64, NEVER)
    loose = 0
    for place in range(6):
        if not locked >> place & 1 and (faces[place] > 0 or (faces[place] == 0 and not stay)):
            loose |= 1 << place
    for again in range(64):
        if again & ~loose:
            continue
        many = 0
        for place in range(6):
            many += again >> place & 1
        if many > most:
            continue
        alike = False
        at = 0
        for colour in range(3):
            p = 2 * colour
            gone = again >> p & 3
            if gone == 2 and loose >> p & 1 and faces[p] == faces[p + 1]:
                alike = True
            a = faces[p] if not (locked | again) >> p & 1 else -1
            b = faces[p + 1] if not (locked | again) >> (p + 1) & 1 else -1
            at += keep_of(a, b) * steps[colour]
        if not alike:
            found[again] = x[at]
    return found


@compiled
def simplest(worths: Floats, within: float) -> tuple[float, int]:
    """The greatest of the worths of sets of dice, and which: of those that are equal to it within this part the one of
    the fewest dice, of these the first.
    """
    top = worths.max()
    least = top - within * max(1.0, abs(top))
    found, fewest = 0, 7
    for place in range(worths.size):
        if worths[place] >= least:
            many = 0
            for die in range(6):
                many += place >> die & 1
            if many < fewest:
                found, fewest = place, many
    return worths[found], found


@compiled
def best_keeps(
    values: Floats, dice: Indices, faces: Indices, locked: int, stay: int, roll: int, rolls: int, stages: int
) -> Floats:
    """Per set of dice to roll again: what the turn is worth then; -inf for one that may not be, or is like another."""
    x, steps = with_locks(values, dice, faces, np.full(1, locked), roll, rolls, stages, stay)
    return worths_of_keeps(x, steps, faces, locked, stay, 6 if roll < rolls else 1)


@compiled
def best_locks(values: Floats, dice: Indices, faces: Indices, lock: int, stay: int, rolls: int, stages: int) -> Floats:
    """Per set of dice to Lock after the first roll: what the turn is then worth; -inf as above.

    Sets with as many dice of each colour are worked out together.
    """
    found = np.full(64, NEVER)
    fine = np.empty((3, 3, 2), dtype=np.int64)
    """By colour, how many dice of it are Locked, and number: which."""
    many = np.zeros((3, 3), dtype=np.int64)
    for colour in range(3):
        p = 2 * colour
        for which in range(4):
            a, b = which & 1, which >> 1
            if (a and faces[p] < 0) or (b and faces[p + 1] < 0) or (which == 2 and faces[p] == faces[p + 1]):
                continue
            fine[colour, a + b, many[colour, a + b]] = which << p
            many[colour, a + b] += 1
    sets = np.empty(8, dtype=np.int64)
    for red in range(3):
        for white in range(3):
            blue = lock - red - white
            if blue < 0 or blue > 2:
                continue
            size = 0
            for i in range(many[0, red]):
                for j in range(many[1, white]):
                    for k in range(many[2, blue]):
                        sets[size] = fine[0, red, i] | fine[1, white, j] | fine[2, blue, k]
                        size += 1
            for begin in range(0, size, COLUMNS):
                columns = min(COLUMNS, size - begin)
                locks = np.full(COLUMNS if columns > 1 else 1, sets[begin])
                locks[:columns] = sets[begin : begin + columns]
                x, steps = with_locks(values, dice, faces, locks, 1, rolls, stages, stay)
                for column in range(columns):
                    locked = locks[column]
                    most = 6 if rolls > 1 else 1
                    worths = worths_of_keeps(x[column:], steps, faces, locked, stay, most)
                    found[locked] = worths.max()
    return found


@compiled
def best_keep(
    values: Floats,
    dice: Indices,
    faces: Faces,
    locked: int,
    stay: int,
    roll: int,
    rolls: int,
    stages: int,
    within: float,
) -> tuple[float, int]:
    """The simplest of the best sets of dice to roll again."""
    return simplest(best_keeps(values, dice, np.array(faces), locked, stay, roll, rolls, stages), within)


@compiled
def best_lock(
    values: Floats, dice: Indices, faces: Faces, lock: int, stay: int, rolls: int, stages: int, within: float
) -> tuple[float, int]:
    """The simplest of the best sets of dice to Lock."""
    return simplest(best_locks(values, dice, np.array(faces), lock, stay, rolls, stages), within)


# ---------------------------------------------------------------------- what situations are worth

PARTS = 5
"""Columns of `bots.gains` that are looked at: what is given goes with Soldiers, the free move with Courage."""
GIVEN, FREE = 5, 6
COURAGE = 2
GROUPS = (0, 1, 3, 5)
"""Where groups of them begin whose sums are worked out once, and where the last one ends: Soldiers, of whom there are
the most numbers; Stars and Courage; the rest.
"""
MOVES = 10
"""Numbers of a situation that change what a column adds; after them come those that are the same for all rows."""


@compiled
def base_of(at: Floats, places: Indices, same: Floats, begin: Floats) -> Floats:
    """What all rows have in common, as `bots.values._Parts` has it; `places` are those of the names that are there."""
    base = begin.copy()
    for n in range(at.size - MOVES):
        base += at[MOVES + n] * same[n]
    for place in places:
        base += same[place]
    return base


@compiled
def part(
    column: int,
    value: float,
    free: float,
    at: Floats,
    stays: int,
    w: Floats,
    u: Floats,
    found: Floats,
    hidden: Floats,
) -> float:
    """Add to the hidden units of the net in `bots.values` what one column of a row does; returned is what goes past
    them.

    The features are those of `bots.values.features`; each looks at one column. There is room for them in `found`.
    """
    strength, stars, courage, saved, points, cards, low, loss, first, need = at[:MOVES]
    begin, many = 0, 6
    if column == 0:
        now = max(strength + value, 0.0)
        margin = min(max((now + low) / 10, -3.0), 3.0)
        safe = min(max((now - loss) / 8, -1.5), 1.5)
        found[0], found[1], found[2] = now / 10, np.sqrt(now) / 3, margin
        found[3], found[4], found[5] = min(margin, 0.0), safe, min(safe, 0.0)
    elif column == 1:
        begin, many = 6, 2
        now = max(stars + value, 0.0)
        found[0], found[1] = now / 5, np.sqrt(now) / 2
    elif column == 2:
        begin = 8
        now = max(courage + value + saved * free, 0.0)
        short = max(first - now, 0.0) / 3
        found[0], found[1], found[2] = min(now, need) / 5, max(now - need, 0.0) / 5, short
        found[3] = short if stays == 0 else 0.0
        found[4] = short if stays == 1 else 0.0
        found[5] = 1.0 if stays == 0 and short > 0 else 0.0
    elif column == 3:
        begin, many = 14, 2
        now = max(points + value, 0.0)
        found[0], found[1] = np.sqrt(now) / 5, min(now, 40.0) / 20
    else:
        begin, many = 16, 1
        found[0] = (cards + value) / 20
    past = 0.0
    for n in range(many):
        if found[n] != 0.0:
            past += found[n] * u[begin + n]
            for k in range(np.uint64(hidden.size)):
                hidden[k] += found[n] * w[begin + n, k]
    return past


@compiled
def chance(hidden: Floats, past: float, v: Floats) -> float:
    for k in range(hidden.size):
        past += max(hidden[k], 0.0) * v[k]
    return float(1.0 / (1.0 + np.exp(-past)))


@compiled
def net_of_kinds(
    kinds: Floats,
    ends: Indices,
    rows: Small,
    at: Floats,
    stays: int,
    places: Indices,
    w: Floats,
    u: Floats,
    v: Floats,
    same: Floats,
    begin: Floats,
) -> Floats:
    """Of rows that are given as `split` gives them. What all have in common is counted with the first group."""
    many, size = len(kinds), v.size
    base = base_of(at, places, same, begin)
    parts, pasts, features = np.zeros((many, size)), np.zeros(many), np.empty(6)
    group = 0
    for n in range(many):
        if n == ends[group]:
            group += 1
        if group == 0:
            parts[n], pasts[n] = base[:size], base[size]
        for column in range(GROUPS[group], GROUPS[group + 1]):
            pasts[n] += part(column, kinds[n, column], kinds[n, FREE], at, stays, w, u, features, parts[n])
    found, hidden, totals = np.empty(len(rows)), np.empty((4, size)), np.empty(4)
    for four in range(0, len(rows), 4):  # four rows at once, as one sum alone waits for itself at every step
        for i in range(4):
            n = min(four + i, len(rows) - 1)
            a, b, c = np.uint64(rows[n, 0]), np.uint64(rows[n, 1]), np.uint64(rows[n, 2])
            for k in range(np.uint64(size)):
                hidden[i, k] = max(parts[a, k] + parts[b, k] + parts[c, k], 0.0) * v[k]
            totals[i] = pasts[a] + pasts[b] + pasts[c]
        t0, t1, t2, t3 = totals
        for k in range(np.uint64(size)):
            t0 += hidden[0, k]
            t1 += hidden[1, k]
            t2 += hidden[2, k]
            t3 += hidden[3, k]
        totals[0], totals[1], totals[2], totals[3] = t0, t1, t2, t3
        for i in range(min(4, len(rows) - four)):
            found[four + i] = 1.0 / (1.0 + np.exp(-totals[i]))
    return found


@compiled
def net_of_rows(
    rows: Floats,
    at: Floats,
    stays: int,
    places: Indices,
    w: Floats,
    u: Floats,
    v: Floats,
    same: Floats,
    begin: Floats,
) -> Floats:
    """The same of rows as they are."""
    found, hidden, features = np.empty(len(rows)), np.empty(v.size), np.empty(6)
    base = base_of(at, places, same, begin)
    for n in range(len(rows)):
        hidden[:] = base[: v.size]
        total = base[v.size]
        for column in range(PARTS):
            value = rows[n, column] + (rows[n, GIVEN] if column == 0 else 0.0)
            total += part(column, value, rows[n, FREE], at, stays, w, u, features, hidden)
        found[n] = chance(hidden, total, v)
    return found


@compiled
def plain_worths(
    rows: Floats,
    star: float,
    late: float,
    each: float,
    spare: float,
    point: float,
    courage: float,
    saved: float,
    need: float,
    first: float,
    lacking: Floats,
) -> Floats:
    """The rules of thumb of `bots.values.Start`; `lacking` is what it costs to lack Courage, by how much."""
    found = np.empty(len(rows))
    for n in range(len(rows)):
        now = courage + rows[n, 2] + saved * rows[n, 6]
        worth = rows[n, 0] + star * min(rows[n, 1], 4.0) + late * max(rows[n, 1] - 4.0, 0.0)
        worth = worth + each * min(now, need) + spare * max(now - need, 0.0)
        worth = worth + point * rows[n, 3] + rows[n, 4] + rows[n, 5]
        if lacking.size:
            worth -= lacking[int(min(max(first - now, 0.0), lacking.size - 1.0))]
        found[n] = worth
    return found


def split(rows: Floats) -> tuple[Floats, Indices, Small]:
    """The kinds of rows by each group of columns, as one row of that kind, those of the first group first; where the
    groups end; and per row the numbers of its kinds.
    """
    kinds, ends, numbers = [], [0], []
    rows = rows.copy()
    rows[:, 0] += rows[:, GIVEN]
    for group in range(len(GROUPS) - 1):
        columns = [*range(GROUPS[group], GROUPS[group + 1])]
        if COURAGE in columns:
            columns.append(FREE)
        _, firsts, number = np.unique(rows[:, columns], axis=0, return_index=True, return_inverse=True)
        kinds.append(rows[firsts])
        numbers.append(number.reshape(-1) + ends[-1])
        ends.append(ends[-1] + len(firsts))
    return np.concatenate(kinds), np.array(ends[1:]), np.stack(numbers, axis=1).astype(np.int32)


def frozen(rows: Floats) -> Floats:
    """A copy that cannot be changed, which is a type of its own here."""
    found = rows.copy()
    found.flags.writeable = False
    return found


def keep(
    values: Floats,
    dice: tuple[int, int, int],
    faces: Sequence[int],
    locked: int,
    roll: int,
    rolls: int,
    stages: int,
    stay: bool,
    within: float,
) -> tuple[float, int]:
    return best_keep(values, DICE[dice], tuple(faces), locked, int(stay), roll, rolls, stages, within)


def keeps(
    values: Floats,
    dice: tuple[int, int, int],
    faces: Sequence[int],
    locked: int,
    roll: int,
    rolls: int,
    stages: int,
    stay: bool,
) -> list[tuple[float, int]]:
    """All sets of dice that may be rolled again, but for those that are like another, each with its worth."""
    found = best_keeps(values, DICE[dice], np.array(faces, dtype=np.int64), locked, int(stay), roll, rolls, stages)
    return _there(found)


def lock(
    values: Floats,
    dice: tuple[int, int, int],
    faces: Sequence[int],
    lock: int,
    rolls: int,
    stages: int,
    stay: bool,
    within: float,
) -> tuple[float, int]:
    return best_lock(values, DICE[dice], tuple(faces), lock, int(stay), rolls, stages, within)


def locks(
    values: Floats, dice: tuple[int, int, int], faces: Sequence[int], lock: int, rolls: int, stages: int, stay: bool
) -> list[tuple[float, int]]:
    """The same of sets of dice that may be Locked."""
    return _there(best_locks(values, DICE[dice], np.array(faces, dtype=np.int64), lock, int(stay), rolls, stages))


def _there(worths: Floats) -> list[tuple[float, int]]:
    return [(worth, mask) for mask, worth in enumerate(worths.tolist()) if worth != NEVER]


def first(values: Floats, dice: tuple[int, int, int], lock: int, rolls: int, singles: int, stay: bool) -> Floats:
    """As `Turn.first`."""
    return first_rolls(values, DICE[dice], lock, rolls, rolls - 1 + singles, int(stay))


def ahead(keeps: Floats, free: tuple[int, ...], roll: int, rolls: int, stages: int, stay: bool) -> None:
    """As `Turn._keeps_ahead`: in place, from the keeps of the free dice before the last roll."""
    counts = np.array(free, dtype=np.int64)
    keeps_ahead(keeps.reshape(-1), counts, AS_THEY_ARE, 1, roll, rolls, stages, int(stay))


def warm() -> None:
    """Compile everything, or load it from disk."""
    values = np.zeros((21, 21, 21))
    first(values, (2, 2, 2), 2, 3, 0, False)
    ahead(np.zeros((28, 28, 28)), (2, 2, 2), 1, 3, 2, False)
    small = np.zeros(1, dtype=np.uint16)
    greatest(np.zeros(1), small, np.zeros(1, dtype=np.int32), small)
    turn = (3, 2, False)
    keeps(values, (2, 2, 2), (0,) * 6, 0, 1, *turn)
    keep(values, (2, 2, 2), (0,) * 6, 0, 1, *turn, 0.0)
    locks(values, (2, 2, 2), (0,) * 6, 2, *turn)
    lock(values, (2, 2, 2), (0,) * 6, 2, *turn, 0.0)
    rows, at = np.zeros((1, FREE + 1)), np.zeros(MOVES + 1)
    net = (np.zeros((17, 1)), np.zeros(17), np.zeros(1), np.zeros((1, 2)), np.zeros(2))
    there = np.zeros(0, dtype=np.int64)
    net_of_rows(rows, at, 0, there, *net)
    for one in (rows, frozen(rows)):
        plain_worths(one, *(0.0,) * 9, np.zeros(0))
    net_of_kinds(*split(rows), at, 0, there, *net)
