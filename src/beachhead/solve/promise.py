"""What a turn brings on average beside its value: Soldiers, Courage, whatever is counted of a Final Tally.

    promise = Promise(turn, figures)          # figures: one table like `turn.values` for each thing that is counted
    promise.start                             # before the first roll
    promise.locked(faces, locked)             # when these dice are Locked after the first roll
    promise.rolled(faces, locked, roll, again)   # when these are rolled again, or none

Each answer is an array: the value of the turn, then every figure, when all choices that follow are those that are best
for the value. Of equally good choices that which rolls fewer dice counts. It is the backward induction of `turn`, with
the figures carried along wherever the value is the greatest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from ..landing.dice import ALL, NO_FACE, SKULL
from .multisets import CHANCE, KEEPS, KEPT, ROLLS, Floats, Indices, lane
from .turn import Lanes, Turn, expect, lock_sizes, numbers_of, shown_by, unlike

EQUAL = 1e-12
"""Values that differ by less are equal."""


class Promise:
    """What one turn promises. The first axis of all arrays here counts the value and the figures."""

    def __init__(self, turn: Turn, figures: Sequence[Floats]) -> None:
        self.turn = turn
        self.ends: Floats = np.stack((turn.values, *figures))
        """Of each Final Tally."""
        self._known: dict[tuple[tuple[int, ...], int], Floats] = {}

    @cached_property
    def start(self) -> Floats:
        """Before the first roll."""
        red, white, blue = (CHANCE[n] for n in self.turn.dice)
        found: Floats = ((self.first @ blue) @ white) @ red
        return found

    @cached_property
    def first(self) -> Floats:
        """Of each first roll."""
        turn = self.turn
        if not turn.stages:
            return self.ends
        found: Floats | None = None
        for sizes in lock_sizes(turn.dice, turn.lock):
            lanes = self._lanes(sizes)
            x = self._rolls_ahead(lanes, 1)
            for axis, one in enumerate(lanes, 1):
                x = _best(x, axis, one.back)
            found = x if found is None else _better(found, x)
        assert found is not None
        return found

    def anew(self, faces: Sequence[int], again: int) -> Floats:
        """When these dice of the first roll are rolled as if it had not been."""
        keeps = _expect(self.first, (1, 1, 1), self.turn.dice)
        red, white, blue = numbers_of(shown_by(faces), ALL & ~again)
        return keeps[:, red, white, blue]

    def locked(self, faces: Sequence[int], locked: int) -> Floats:
        """When these dice are Locked after the first roll, with what is best to do then."""
        found = self.rolled(faces, locked, 1, 0)
        for again in unlike(shown_by(faces), self._loose(faces, locked)):
            other = self.rolled(faces, locked, 1, again)
            if other[0] > found[0] + EQUAL:
                found = other
        return found

    def rolled(self, faces: Sequence[int], locked: int, roll: int, again: int) -> Floats:
        """When of the dice that lie after so many rolls these are rolled again; none: they are taken as they lie."""
        turn = self.turn
        if roll > turn.stages:
            return self._as_they_lie(faces)
        if again or roll >= turn.rolls:
            return self._at(faces, locked, roll, again)
        if turn.rolls > turn.stages:  # who stops gives up the rolls that are left
            return self._as_they_lie(faces)
        found = self._at(faces, locked, turn.rolls, 0)
        for one in (mask for mask in self._loose(faces, locked) if mask.bit_count() == 1):
            other = self._at(faces, locked, turn.rolls, one)
            if other[0] > found[0] + EQUAL:
                found = other
        return found

    def _as_they_lie(self, faces: Sequence[int]) -> Floats:
        dice = zip(numbers_of(shown_by(faces), ALL), self.turn.dice, strict=True)
        red, white, blue = (number - KEPT[n] + len(ROLLS[n]) for number, n in dice)
        return self.ends[:, red, white, blue]

    def _loose(self, faces: Sequence[int], locked: int) -> list[int]:
        """The sets of dice that may be rolled again, small ones first."""
        stays = {NO_FACE, SKULL} if self.turn.skulls_stay else {NO_FACE}
        loose = sum(1 << place for place, face in enumerate(faces) if face not in stays) & ~locked
        return sorted((mask for mask in range(1, ALL + 1) if not mask & ~loose), key=int.bit_count)

    def _at(self, faces: Sequence[int], locked: int, roll: int, again: int) -> Floats:
        shown = shown_by(faces)
        locks, (red, white, blue) = numbers_of(shown, locked), numbers_of(shown, ALL & ~locked & ~again)
        known = self._known.get((locks, roll))
        if known is None:
            known = self._known[locks, roll] = self._keeps_ahead(locks, roll)
        return known[:, red, white, blue]

    # ------------------------------------------------------------------ backward induction

    @cached_property
    def _last(self) -> Floats:
        """Of each keep before the last roll."""
        return _expect(self.ends, (1, 1, 1), self.turn.dice)

    def _lanes(self, sizes: Iterable[int], locks: Sequence[tuple[int, ...] | None] = (None,) * 3) -> Lanes:
        turn = self.turn
        found = zip(turn.dice, sizes, locks, strict=True)
        red, white, blue = (lane(n, size, turn.skulls_stay, lock) for n, size, lock in found)
        return red, white, blue

    def _keeps_ahead(self, locked: Sequence[int], roll: int) -> Floats:
        """Of the keeps of the free dice after so many rolls, with these dice Locked."""
        locks = [KEEPS[number] for number in locked]
        lanes = self._lanes(map(len, locks), locks)
        if roll < self.turn.stages:
            return _expect(self._rolls_ahead(lanes, roll + 1), (1, 1, 1), tuple(one.free for one in lanes))
        every = np.arange(len(self.ends))
        last: Floats = self._last[np.ix_(every, *(one.keeps for one in lanes))]
        return last

    def _rolls_ahead(self, lanes: Lanes, roll: int) -> Floats:
        """Of the dice after so many rolls, when they may be rolled again at least once."""
        x, turn = self._last, self.turn
        for stage in range(turn.stages, roll - 1, -1):
            first = stage == turn.stages
            if not first:
                x = _expect(x, tuple(one.locked for one in lanes), tuple(one.free for one in lanes))
            if stage < turn.rolls:
                for axis, one in enumerate(lanes, 1):
                    if first or one.free:
                        x = _best(x, axis, one.any_first if first else one.any_then)
            else:
                x = _best_of_one(x, lanes, first)
        return x


def _expect(x: Floats, locked: tuple[int, ...], free: tuple[int, ...]) -> Floats:
    """As `turn.expect`, for the value and all figures: they are further sets along the first colour."""
    many = len(x)
    found = expect(x.reshape(-1, *x.shape[2:]), (many * locked[0], *locked[1:]), free)
    return found.reshape(many, -1, *found.shape[1:])


def _better(x: Floats, other: Floats) -> Floats:
    """Wherever the value of the other is greater, all of the other."""
    found: Floats = np.where(other[0] > x[0] + EQUAL, other, x)
    return found


def _best(x: Floats, axis: int, table: Indices) -> Floats:
    """Per column of the table that of the places in its rows which is worth most."""
    found: Floats = x.take(table[0], axis)
    for row in table[1:]:
        found = _better(found, x.take(row, axis))
    return found


def _best_of_one(x: Floats, lanes: Lanes, first: bool) -> Floats:
    """All dice kept, or all but one of one colour."""
    every = np.arange(len(x))
    full = [one.full_first if first else one.full_then for one in lanes]
    found = x[np.ix_(every, *full)]
    for axis, one in enumerate(lanes):
        for row in one.one_first if first else one.one_then:
            found = _better(found, x[np.ix_(every, *(row if at == axis else full[at] for at in range(3)))])
    return found
