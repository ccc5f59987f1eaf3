"""One turn of dice, solved exactly.

    turn = solve(values)                      # values: what each Final Tally is worth, shape (21, 21, 21)
    turn.value                                # on average, before the first roll, when every choice is the best
    turn.choices(faces, locked, roll)         # of dice that lie on the table, best first

`values[r, w, b]` is the worth of a Final Tally by the numbers of its red, white and blue roll (`multisets.ROLL`);
`goals` makes such tables. After the first roll `lock` dice are Locked, then come the other rolls of the turn, each of
any dice that are not Locked; at the end `singles` times one die that is not Locked (a Corporal, a Jeep).

Backward induction: `expect` leads from the worth of rolls to the worth of keeps, `_best_of_any` from the worth of
keeps to that of the rolls from which they may be chosen. Both take one colour after the other, because what may be kept
of one does not depend on the others. Keeps contain the Locked dice, so all but the last roll is worked out for each set
of Locked dice; sets with as many Locked dice in each colour lie in one array (`multisets.Lane`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from ..core.errors import BeachheadError
from ..landing.dice import ALL, SIZE, SKULL, TOOL, subsets
from ..say import say
from . import fast
from .multisets import CHANCE, KEEP, KEEPS, KEPT, MOST, PAIRS, ROLLS, Faces, Floats, Indices, Lane, lane

Lanes = tuple[Lane, Lane, Lane]
SIX = (2, 2, 2)
NEAR = 1e-12
"""Values that differ by no more than this part of the greater are equal: so both ways to count choose alike."""


class Choice(NamedTuple):
    """What may be done with dice that lie on the table. Sets of dice are masks, as in `landing.dice`."""

    value: float
    """What the turn is then worth on average."""
    roll: int
    """Dice to roll again; none: take the dice as they lie."""
    locked: int
    """Dice that are Locked, those that this choice Locks among them."""


class Turn:
    """A turn, and the answers to what may be asked about it. Each is worked out when it is asked for."""

    def __init__(
        self, values: Floats, lock: int, rolls: int, dice: tuple[int, int, int], skulls_stay: bool, singles: int
    ) -> None:
        self.values = values
        self.lock = lock
        self.rolls = rolls
        self.dice = dice
        self.skulls_stay = skulls_stay
        self.singles = singles
        self.stages = rolls - 1 + singles
        """How often dice may be rolled again."""

    def like(self, lock: int, skulls_stay: bool, singles: int) -> Turn:
        """A turn over the same values."""
        return Turn(self.values, lock, self.rolls, self.dice, skulls_stay, singles)

    @cached_property
    def value(self) -> float:
        """Before the first roll."""
        red, white, blue = (CHANCE[n] for n in self.dice)
        return float(red @ (white @ self.first @ blue))

    @cached_property
    def first(self) -> Floats:
        """Of each first roll."""
        if not self.stages:
            return self.values
        kernel = fast.ready()
        if kernel is not None:
            found: Floats = kernel.first(self.values, self.dice, self.lock, self.rolls, self.singles, self.skulls_stay)
            return found
        return self._first()

    def _first(self) -> Floats:
        found: Floats | None = None
        for sizes in lock_sizes(self.dice, self.lock):
            lanes = self._lanes(sizes)
            x = self._rolls_ahead(lanes, 1)
            for axis, one in enumerate(lanes):
                x = _most(x, axis, one.back)
            found = x if found is None else np.maximum(found, x, out=found)
        assert found is not None
        return found

    def choices(self, faces: Sequence[int], locked: int = 0, roll: int = 1) -> list[Choice]:
        """What may be done after so many rolls, best first. Dice that cannot be told apart make one choice.

        `faces` are those of R1 R2 W1 W2 B1 B2, -1 where a die is set aside. After the first roll, with fewer dice
        Locked than there should be, a choice is which to Lock, each with what is best to roll then. After the last roll
        nothing can be rolled: with nothing to Lock there is one choice, to take the dice.
        """
        self._check(faces, locked, roll)
        shown = shown_by(faces)
        missing = self.lock - SIZE[locked]
        if roll > 1 or missing <= 0:
            return _ranked(self._keeps(faces, shown, locked, roll))
        loose = sum(1 << place for place, face in enumerate(faces) if face >= 0) & ~locked
        locks = unlike(shown, [locked | more for more in subsets(loose, missing, missing)])
        return _ranked(_first(self._keeps(faces, shown, lock, roll)) for lock in locks)

    def best(self, faces: Sequence[int], locked: int = 0, roll: int = 1) -> Choice:
        """The first of `choices`, in less time. Of a choice which dice to Lock, what is rolled then is not told."""
        kernel = fast.ready()
        to_lock = roll == 1 and SIZE[locked & ALL] < self.lock
        if kernel is None or roll > self.stages or (to_lock and locked):
            return self.choices(faces, locked, roll)[0]
        self._check(faces, locked, roll)
        rest = self.rolls, self.stages, self.skulls_stay
        if to_lock:
            value, mask = kernel.lock(self.values, self.dice, faces, self.lock, *rest, NEAR)
            return Choice(value, 0, mask)
        value, mask = kernel.keep(self.values, self.dice, faces, locked, roll, *rest, NEAR)
        return Choice(value, mask, locked)

    def singly(self, faces: Sequence[int], locked: int) -> list[Choice]:
        """Which die to roll again, or none, when all rolls are over: as `choices`, in less time."""
        kernel = fast.ready()
        if kernel is None or not self.singles:
            return self.choices(faces, locked, self.rolls)
        self._check(faces, locked, self.rolls)
        rest = self.rolls, self.stages, self.skulls_stay
        found = kernel.keeps(self.values, self.dice, faces, locked, self.rolls, *rest)
        return _ranked(Choice(worth, mask, locked) for worth, mask in found)

    def locks(self, faces: Sequence[int]) -> list[tuple[float, int]]:
        """The choices which dice to Lock after the first roll, each as value and dice, in no order."""
        kernel = fast.ready()
        if kernel is None or not self.stages or not self.lock:
            return [(choice.value, choice.locked) for choice in self.choices(faces)]
        self._check(faces, 0, 1)
        found: list[tuple[float, int]] = kernel.locks(
            self.values, self.dice, faces, self.lock, self.rolls, self.stages, self.skulls_stay
        )
        return found

    def _check(self, faces: Sequence[int], locked: int, roll: int) -> None:
        if len(faces) != 6 or min(faces) < -1 or max(faces) > TOOL:
            raise BeachheadError(say("odds.faces", faces=", ".join(map(str, faces)) or "-"))
        there = ALL
        if -1 in faces:
            there = sum(1 << place for place, face in enumerate(faces) if face >= 0)
        on_table = SIZE[there & 3], SIZE[there >> 2 & 3], SIZE[there >> 4 & 3]
        if on_table != self.dice:
            raise BeachheadError(say("odds.other-dice", found=on_table, wanted=self.dice))
        if not 0 <= locked <= ALL or locked & ~there:
            raise BeachheadError(say("odds.locked-aside"))
        if not 1 <= roll <= self.stages + 1:
            raise BeachheadError(say("odds.roll", roll=roll, most=self.stages + 1))

    def _keeps(self, faces: Sequence[int], shown: Shown, locked: int, roll: int) -> list[Choice]:
        """The sets of dice that may be rolled again."""
        if roll > self.stages:
            return [Choice(self._worth(shown), 0, locked)]
        loose = kept = 0
        for place, face in enumerate(faces):
            if face >= 0 and not locked >> place & 1:
                kept |= 1 << place
                if face != SKULL or not self.skulls_stay:
                    loose |= 1 << place
        worth = self._keeps_ahead(numbers_of(shown, locked), roll)
        agains = unlike(shown, subsets(loose, 0, 6 if roll < self.rolls else 1))
        found = [Choice(float(worth[numbers_of(shown, kept & ~again)]), again, locked) for again in agains]
        if roll < self.rolls:  # who stops gives up the rolls that are left
            found[0] = _first(self._keeps(faces, shown, locked, self.rolls))._replace(roll=0)
        return found

    def _worth(self, shown: Shown) -> float:
        red, white, blue = (
            number - KEPT[n] + len(ROLLS[n]) for number, n in zip(numbers_of(shown, ALL), self.dice, strict=True)
        )
        return float(self.values[red, white, blue])

    # ------------------------------------------------------------------ backward induction

    @cached_property
    def _last(self) -> Floats:
        """Of each keep before the last roll; it does not matter which dice are Locked."""
        return expect(self.values, (1, 1, 1), self.dice)

    def _lanes(self, sizes: Iterable[int], locks: Iterable[Faces | None] = (None,) * 3) -> Lanes:
        found = zip(self.dice, sizes, locks, strict=True)
        red, white, blue = (lane(n, size, self.skulls_stay, lock) for n, size, lock in found)
        return red, white, blue

    def _rolls_ahead(self, lanes: Lanes, roll: int) -> Floats:
        """Of the dice after so many rolls, when they may be rolled again at least once."""
        x = self._last
        for stage in range(self.stages, roll - 1, -1):
            first = stage == self.stages
            if not first:
                x = expect(x, tuple(one.locked for one in lanes), tuple(one.free for one in lanes))
            x = _best_of_any(x, lanes, first) if stage < self.rolls else _best_of_one(x, lanes, first)
        return x

    def _keeps_ahead(self, locked: tuple[int, int, int], roll: int) -> Floats:
        """Of the keeps of the free dice after so many rolls, with these dice Locked."""
        locks = [KEEPS[number] for number in locked]
        lanes = self._lanes(map(len, locks), locks)
        free = tuple(one.free for one in lanes)
        if roll < self.stages and (kernel := fast.ready()) is None:
            return expect(self._rolls_ahead(lanes, roll + 1), (1, 1, 1), free)
        last: Floats = self._last[np.ix_(*(one.keeps for one in lanes))]
        if roll < self.stages:
            kernel.ahead(last, free, roll, self.rolls, self.stages, self.skulls_stay)
        return last


def solve(
    values: Any,
    lock: int = 2,
    rolls: int = 3,
    dice: tuple[int, int, int] = SIX,
    skulls_stay: bool = False,
    singles: int = 0,
) -> Turn:
    """The turn in which a Final Tally is worth `values`.

    lock          dice to Lock after the first roll
    rolls         of any dice, the first one counted
    dice          red, white and blue ones, at most two of each; `values` has the shape of their rolls
    skulls_stay   Skulls are never rolled again
    singles       how often one final die may be rolled again
    """
    if not all(0 <= n <= MOST for n in dice) or len(dice) != 3:
        raise BeachheadError(say("odds.dice", found=dice))
    shape = tuple(len(ROLLS[n]) for n in dice)
    found = np.asarray(values, dtype=np.float64)
    if found.size != shape[0] * shape[1] * shape[2] or (found.ndim > 1 and found.shape != shape):
        raise BeachheadError(say("odds.shape", found=found.shape, wanted=shape))
    if not np.isfinite(found).all():
        raise BeachheadError(say("odds.finite"))
    if not 0 <= lock <= sum(dice):
        raise BeachheadError(say("odds.lock", n=lock, most=sum(dice)))
    if rolls < 1 or singles < 0:
        raise BeachheadError(say("odds.rolls", rolls=rolls, singles=singles))
    return Turn(np.ascontiguousarray(found.reshape(shape)), lock, rolls, dice, skulls_stay, singles)


def lock_sizes(dice: tuple[int, ...], lock: int) -> list[tuple[int, ...]]:
    """How many dice of each colour may be Locked when there are so many in all."""
    return [sizes for sizes in product(*(range(n + 1) for n in dice)) if sum(sizes) == lock]


def expect(x: Floats, locked: tuple[int, ...], free: tuple[int, ...]) -> Floats:
    """From the worth of rolls to that of keeps, colour by colour: each is the mean of the six with one die more.

    No product of matrices, as numpy would spread it over threads, which costs more than it saves.
    """
    for axis, n in enumerate(free):
        if n:
            before, after = x.shape[:axis], x.shape[axis + 1 :]
            x = x.reshape(math.prod(before) * locked[axis], len(ROLLS[n]), math.prod(after))
            found = np.empty((x.shape[0], KEPT[n], x.shape[2]))
            found[:, -x.shape[1] :] = x
            if n == 2:
                ones = x.take(PAIRS[0], 1)
                for row in PAIRS[1:]:
                    ones += x.take(row, 1)
                found[:, 1:7] = ones * (1 / 6)
            found[:, 0] = np.add.reduce(found[:, 1:7], 1) * (1 / 6)
            x = found.reshape(*before, locked[axis] * KEPT[n], *after)
    return x


def _most(x: Floats, axis: int, table: Indices) -> Floats:
    """Per column of the table the greatest of the places that its rows name."""
    found: Floats = x.take(table[0], axis)
    for row in table[1:]:
        np.maximum(found, x.take(row, axis), out=found)
    return found


def _best_of_any(x: Floats, lanes: Lanes, first: bool) -> Floats:
    for axis, one in enumerate(lanes):
        if first or one.free:
            x = _most(x, axis, one.any_first if first else one.any_then)
    return x


def _best_of_one(x: Floats, lanes: Lanes, first: bool) -> Floats:
    """All dice kept, or all but one of one colour."""
    full = [one.full_first if first else one.full_then for one in lanes]
    found = x[np.ix_(*full)]
    for axis, one in enumerate(lanes):
        for row in one.one_first if first else one.one_then:
            np.maximum(found, x[np.ix_(*(row if at == axis else full[at] for at in range(3)))], out=found)
    return found


# ---------------------------------------------------------------------- dice on the table

Shown = tuple[tuple[int, int, int, int], ...]
"""Per colour: the number of the keep that none, the first, the second or both of its dice make."""


def shown_by(faces: Sequence[int]) -> Shown:
    return tuple(_of_two(*faces[at : at + 2]) for at in (0, 2, 4))


@cache
def _of_two(first: int, second: int) -> tuple[int, int, int, int]:
    one, other = (KEEP[(face,) if face >= 0 else ()] for face in (first, second))
    both = KEEP[tuple(sorted(face for face in (first, second) if face >= 0))]
    return 0, one, other, both


def numbers_of(shown: Shown, mask: int) -> tuple[int, int, int]:
    """The keeps that these dice make."""
    return shown[0][mask & 3], shown[1][mask >> 2 & 3], shown[2][mask >> 4]


def unlike(shown: Shown, masks: Iterable[int]) -> list[int]:
    """The first mask of those that pick the same faces of the same colours."""
    found: dict[tuple[int, int, int], int] = {}
    for mask in masks:
        found.setdefault(numbers_of(shown, mask), mask)
    return list(found.values())


def equal_to(top: float) -> float:
    """The least value that is equal to this one, which is greater."""
    return top - NEAR * max(1.0, abs(top))


def first_of(values: Sequence[float]) -> int:
    """The first place of the greatest of the values."""
    least = equal_to(max(values))
    return next(place for place, value in enumerate(values) if value >= least)


def _first(choices: Iterable[Choice]) -> Choice:
    found = list(choices)
    if len(found) == 1:
        return found[0]
    least = equal_to(max(choice.value for choice in found))
    return min((choice for choice in found if choice.value >= least), key=_simplest)


def _ranked(choices: Iterable[Choice]) -> list[Choice]:
    """Better ones first, of equal ones the simplest."""
    found = sorted(choices, key=lambda choice: -choice.value)
    at = 0
    while at < len(found):
        least, end = equal_to(found[at].value), at + 1
        while end < len(found) and found[end].value >= least:
            end += 1
        found[at:end] = sorted(found[at:end], key=_simplest)
        at = end
    return found


def _simplest(choice: Choice) -> tuple[int, int, int]:
    """Who Locks other dice than another takes the first of them; who rolls, the fewest."""
    return choice.locked, SIZE[choice.roll], choice.roll
