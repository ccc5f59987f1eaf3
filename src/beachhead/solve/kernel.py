"""The turn in machine code: the same backward induction as in `turn`. Only `fast` imports this, where numba is there.

A *block* has one row per keep of the free dice, red, white and blue, and one column per set of Locked dice. The rolls
are the rows in which all free dice are kept, so both steps work in place: `expect` fills the other rows, `best_of_any`
raises the rolls to the best row that they may be left with. The inner loops run along the columns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .multisets import KEEP, KEPT, PAIRS, ROLLS, SIZES, Floats, Indices, any_of, joined, lane, one_of

Function = TypeVar("Function", bound=Callable[..., Any])
_numba: Any = import_module("numba")


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
TABLES = tuple((COUNT, KEPT_, FULL, MORE, ANY[stay], ONE[stay]) for stay in (0, 1))
SPACE = max(int(np.prod([KEPT[2 - size] * COUNT[size] for size in sizes])) for sizes in np.ndindex(3, 3, 3))
"""The most numbers that a block holds."""
Tables = tuple[Indices, Indices, Indices, Indices, Indices, Indices]
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
def expect(x: Floats, n: Indices, columns: int, tables: Tables) -> None:
    """Fill the rows in which fewer dice are kept: each is the mean of the six with one die more."""
    _, kept, full, more, _, _ = tables
    k0, k1, k2 = kept[n[0]], kept[n[1]], kept[n[2]]
    f0, f1, f2 = full[n[0]], full[n[1]], full[n[2]]
    step = k2 * columns
    for keep in range(f0 - 1, -1, -1):
        for j in range(f1, k1):
            rest = j * step + f2 * columns
            mean(x, rest + keep * k1 * step, more[keep], rest, k1 * step, step - f2 * columns)
    for keep in range(f1 - 1, -1, -1):
        for i in range(k0):
            rest = i * k1 * step + f2 * columns
            mean(x, rest + keep * step, more[keep], rest, step, step - f2 * columns)
    for keep in range(f2 - 1, -1, -1):
        for i in range(k0 * k1):
            mean(x, i * step + keep * columns, more[keep], i * step, columns, columns)


@compiled
def best_of_any(x: Floats, n: Indices, columns: int, tables: Tables) -> None:
    """Raise the rolls to the best that they may be left with."""
    count, kept, full, _, table, _ = tables
    k0, k1, k2 = kept[n[0]], kept[n[1]], kept[n[2]]
    f1, f2 = full[n[1]], full[n[2]]
    step = k2 * columns
    if n[2]:
        for i in range(k0 * k1):
            for roll in range(count[n[2]]):
                rise(x, n[2], table[n[2], roll], i * step, columns, columns)
    if n[1]:
        for i in range(k0):
            for roll in range(count[n[1]]):
                rise(x, n[1], table[n[1], roll], i * k1 * step + f2 * columns, step, step - f2 * columns)
    if n[0]:
        for roll in range(count[n[0]]):
            for j in range(f1, k1):
                rise(x, n[0], table[n[0], roll], j * step + f2 * columns, k1 * step, step - f2 * columns)


@compiled
def best_of_one(x: Floats, n: Indices, columns: int, tables: Tables) -> None:
    """The same where all dice are kept, or all but one."""
    _, kept, full, _, _, table = tables
    step = np.array([kept[n[1]] * kept[n[2]], kept[n[2]], 1]) * columns
    for i in range(full[n[0]], kept[n[0]]):
        for j in range(full[n[1]], kept[n[1]]):
            for k in range(full[n[2]], kept[n[2]]):
                to = i * step[0] + j * step[1] + k * step[2]
                for axis in range(3):
                    own = (i, j, k)[axis]
                    for die in range(n[axis]):
                        at = to + (table[n[axis], own - full[n[axis]], die] - own) * step[axis]
                        out, a = np.uint64(to), np.uint64(at)
                        for column in range(np.uint64(columns)):
                            x[out + column] = max(x[out + column], x[a + column])


@compiled
def best(x: Floats, n: Indices, columns: int, anyhow: bool, tables: Tables) -> None:
    if anyhow:
        best_of_any(x, n, columns, tables)
    else:
        best_of_one(x, n, columns, tables)


@compiled
def keeps_ahead(x: Floats, n: Indices, columns: int, roll: int, rolls: int, stages: int, tables: Tables) -> None:
    """From the worth of keeps before the last roll to that of keeps after so many rolls."""
    for stage in range(stages, roll, -1):
        best(x, n, columns, stage < rolls, tables)
        expect(x, n, columns, tables)


@compiled
def rolls_of(x: Floats, n: Indices, tables: Tables) -> Floats:
    """The rolls of a block of one column."""
    _, kept, full, _, _, _ = tables
    cube = x.reshape((kept[n[0]], kept[n[1]], kept[n[2]]))
    return cube[full[n[0]] :, full[n[1]] :, full[n[2]] :].copy()


@compiled
def block_of(values: Floats, n: Indices, tables: Tables) -> Floats:
    """A block of one column with these rolls; the other rows are not filled."""
    _, kept, full, _, _, _ = tables
    cube = np.empty((kept[n[0]], kept[n[1]], kept[n[2]]))
    cube[full[n[0]] :, full[n[1]] :, full[n[2]] :] = values
    return cube.reshape(cube.size)


@compiled
def first_rolls(
    values: Floats, dice: Indices, lock: int, rolls: int, stages: int, join: Indices, tables: Tables
) -> Floats:
    """Of each first roll: the best of its keeps, each with the best of the sets of Locked dice that are in it."""
    count, kept, _, _, _, _ = tables
    last = block_of(values, dice, tables)
    expect(last, dice, 1, tables)
    found = np.full(last.size, -np.inf)
    space = np.empty(SPACE)
    free = np.zeros(3, dtype=np.int64)
    for red in range(dice[0] + 1):
        for white in range(dice[1] + 1):
            blue = lock - red - white
            if blue < 0 or blue > dice[2]:
                continue
            free[0], free[1], free[2] = dice[0] - red, dice[1] - white, dice[2] - blue
            k0, k1, k2 = kept[free[0]], kept[free[1]], kept[free[2]]
            reds, whites, blues = join[dice[0], red], join[dice[1], white], join[dice[2], blue]
            pairs = count[red] * count[white]
            columns = pairs * count[blue]
            at = np.empty((k0 * k1, columns), dtype=np.uint64)
            for i in range(k0):
                for j in range(k1):
                    column = 0
                    for a in range(count[red]):
                        for b in range(count[white]):
                            place = (reds[a, i] * kept[dice[1]] + whites[b, j]) * kept[dice[2]]
                            for _c in range(count[blue]):
                                at[i * k1 + j, column] = place
                                column += 1
            and_blue = np.empty((k2, columns), dtype=np.uint64)
            for k in range(k2):
                column = 0
                for _ab in range(pairs):
                    for c in range(count[blue]):
                        and_blue[k, column] = blues[c, k]
                        column += 1
            x = space[: k0 * k1 * k2 * columns].reshape((k0 * k1, k2, columns))
            for ij in range(k0 * k1):
                for k in range(k2):
                    for column in range(columns):
                        x[ij, k, column] = last[at[ij, column] + and_blue[k, column]]
            keeps_ahead(x.reshape(x.size), free, columns, 1, rolls, stages, tables)
            for ij in range(k0 * k1):
                for k in range(k2):
                    for column in range(columns):
                        to = at[ij, column] + and_blue[k, column]
                        found[to] = max(found[to], x[ij, k, column])
    best(found, dice, 1, rolls > 1, tables)
    return rolls_of(found, dice, tables)


@compiled
def greatest(worths: Floats, leads: Small, starts: Indices) -> Floats:
    """Per stretch of `leads`, from one start to the next: the greatest of the worths that it names."""
    found = np.empty(starts.size)
    for n in range(starts.size):
        end = starts[n + 1] if n + 1 < starts.size else leads.size
        best = worths[leads[starts[n]]]
        for at in range(starts[n] + 1, end):
            best = max(best, worths[leads[at]])
        found[n] = best
    return found


@compiled
def number_of(a: int, b: int, pairs: Indices) -> int:
    """The number of the roll that none, one or two dice make; a face below 0 is no die."""
    if a < 0:
        return b if b >= 0 else 0
    return a if b < 0 else int(pairs[a, b])


@compiled
def keep_of(a: int, b: int, pairs: Indices, tables: Tables) -> int:
    """The same for keeps."""
    _, _, full, _, _, _ = tables
    found: int = full[int(a >= 0) + int(b >= 0)] + number_of(a, b, pairs)
    return found


@compiled
def one_lock(
    last: Floats,
    dice: Indices,
    faces: Indices,
    locked: int,
    roll: int,
    rolls: int,
    stages: int,
    join: Indices,
    pairs: Indices,
    tables: Tables,
    x: Floats,
) -> Indices:
    """Fill `x` with the worth of keeps of the free dice after so many rolls. Gives how many dice are free."""
    _, kept, _, _, _, _ = tables
    free = np.empty(3, dtype=np.int64)
    rows = np.empty((3, 28), dtype=np.int64)
    for colour in range(3):
        a = faces[2 * colour] if locked >> (2 * colour) & 1 else -1
        b = faces[2 * colour + 1] if locked >> (2 * colour + 1) & 1 else -1
        size = int(a >= 0) + int(b >= 0)
        free[colour] = dice[colour] - size
        for i in range(kept[free[colour]]):
            rows[colour, i] = join[dice[colour], size, number_of(a, b, pairs), i]
    k0, k1, k2 = kept[free[0]], kept[free[1]], kept[free[2]]
    d1, d2 = kept[dice[1]], kept[dice[2]]
    at = 0
    for i in range(k0):
        for j in range(k1):
            place = (rows[0, i] * d1 + rows[1, j]) * d2
            for k in range(k2):
                x[at] = last[place + rows[2, k]]
                at += 1
    keeps_ahead(x[:at], free, 1, roll, rolls, stages, tables)
    return free


@compiled
def worths_of_keeps(
    x: Floats, free: Indices, faces: Indices, locked: int, loose: int, most: int, pairs: Indices, tables: Tables
) -> Floats:
    """Per set of dice to roll again: its worth; -inf for sets that may not be, or are like another."""
    _, kept, _, _, _, _ = tables
    found = np.full(64, -np.inf)
    keep = np.empty(3, dtype=np.int64)
    for again in range(64):
        many = 0
        for place in range(6):
            many += again >> place & 1
        if again & ~loose or many > most:
            continue
        alike = False
        for colour in range(3):
            p = 2 * colour
            gone = again >> p & 3
            if gone == 2 and loose >> p & 1 and faces[p] == faces[p + 1]:
                alike = True
            a = faces[p] if not (locked | again) >> p & 1 else -1
            b = faces[p + 1] if not (locked | again) >> (p + 1) & 1 else -1
            keep[colour] = keep_of(a, b, pairs, tables)
        if not alike:
            found[again] = x[(keep[0] * kept[free[1]] + keep[1]) * kept[free[2]] + keep[2]]
    return found


@compiled
def best_keeps(
    values: Floats,
    dice: Indices,
    faces: Indices,
    locked: int,
    loose: int,
    roll: int,
    rolls: int,
    stages: int,
    join: Indices,
    pairs: Indices,
    tables: Tables,
) -> Floats:
    last = block_of(values, dice, tables)
    expect(last, dice, 1, tables)
    x = np.empty(last.size)
    free = one_lock(last, dice, faces, locked, roll, rolls, stages, join, pairs, tables, x)
    return worths_of_keeps(x, free, faces, locked, loose, 6 if roll < rolls else 1, pairs, tables)


@compiled
def best_locks(
    values: Floats,
    dice: Indices,
    faces: Indices,
    lock: int,
    stay: bool,
    rolls: int,
    stages: int,
    join: Indices,
    pairs: Indices,
    tables: Tables,
) -> Floats:
    """Per set of dice to Lock after the first roll: what the turn is then worth; -inf as above."""
    last = block_of(values, dice, tables)
    expect(last, dice, 1, tables)
    x = np.empty(last.size)
    found = np.full(64, -np.inf)
    for locked in range(64):
        many, fine, loose = 0, True, 0
        for place in range(6):
            if locked >> place & 1:
                many += 1
                fine = fine and faces[place] >= 0
            elif faces[place] > 0 or (faces[place] == 0 and not stay):
                loose |= 1 << place
        for p in (0, 2, 4):
            if locked >> p & 3 == 2 and faces[p] == faces[p + 1]:
                fine = False
        if fine and many == lock:
            free = one_lock(last, dice, faces, locked, 1, rolls, stages, join, pairs, tables, x)
            found[locked] = worths_of_keeps(x, free, faces, locked, loose, 6 if rolls > 1 else 1, pairs, tables).max()
    return found


def keeps(
    values: Floats,
    dice: tuple[int, int, int],
    faces: Sequence[int],
    locked: int,
    loose: int,
    roll: int,
    rolls: int,
    stages: int,
    stay: bool,
) -> Floats:
    counts, shown = np.array(dice, dtype=np.int64), np.array(faces, dtype=np.int64)
    return best_keeps(values, counts, shown, locked, loose, roll, rolls, stages, JOIN, PAIRS, TABLES[stay])


def locks(
    values: Floats, dice: tuple[int, int, int], faces: Sequence[int], lock: int, rolls: int, stages: int, stay: bool
) -> Floats:
    counts, shown = np.array(dice, dtype=np.int64), np.array(faces, dtype=np.int64)
    return best_locks(values, counts, shown, lock, stay, rolls, stages, JOIN, PAIRS, TABLES[stay])


def first(values: Floats, dice: tuple[int, int, int], lock: int, rolls: int, singles: int, stay: bool) -> Floats:
    """As `Turn.first`."""
    counts = np.array(dice, dtype=np.int64)
    return first_rolls(values, counts, lock, rolls, rolls - 1 + singles, JOIN, TABLES[stay])


def ahead(keeps: Floats, free: tuple[int, ...], roll: int, rolls: int, stages: int, stay: bool) -> None:
    """As `Turn._keeps_ahead`: in place, from the keeps of the free dice before the last roll."""
    keeps_ahead(keeps.reshape(-1), np.array(free, dtype=np.int64), 1, roll, rolls, stages, TABLES[stay])


def warm() -> None:
    """Compile everything, or load it from disk."""
    values = np.zeros((21, 21, 21))
    first(values, (2, 2, 2), 2, 3, 0, False)
    ahead(np.zeros((28, 28, 28)), (2, 2, 2), 1, 3, 2, False)
    greatest(np.zeros(1), np.zeros(1, dtype=np.int32), np.zeros(1, dtype=np.int64))
    keeps(values, (2, 2, 2), (0,) * 6, 0, 63, 1, 3, 2, False)
    locks(values, (2, 2, 2), (0,) * 6, 2, 3, 2, False)
