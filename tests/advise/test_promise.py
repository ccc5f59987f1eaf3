"""What a turn brings beside its value: against ordered dice, rolled one by one."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

import numpy as np
import pytest

from beachhead.landing.dice import SKULL
from beachhead.solve.multisets import ROLL, ROLLS
from beachhead.solve.promise import Promise
from beachhead.solve.turn import solve

Faces = tuple[int, ...]


class Plainly:
    """A turn of dice with places, by plain recursion. All answers are pairs: the value, and a figure beside it."""

    def __init__(
        self,
        dice: tuple[int, int, int],
        lock: int,
        rolls: int,
        stay: bool,
        singles: int,
        values: np.ndarray,
        figure: np.ndarray,
    ) -> None:
        self.places = [at + n for at, many in zip((0, 2, 4), dice, strict=True) for n in range(many)]
        self.lock, self.rolls, self.stay, self.singles = lock, rolls, stay, singles
        self.values, self.figure = values, figure
        self.settled = cache(self._settled)
        self.then = cache(self._then)

    def end(self, faces: Faces) -> tuple[float, float]:
        at = tuple(ROLL[tuple(sorted(face for face in faces[n : n + 2] if face >= 0))] for n in (0, 2, 4))
        return float(self.values[at]), float(self.figure[at])

    def loose(self, faces: Faces, locked: Faces) -> list[int]:
        return [p for p in self.places if p not in locked and not (self.stay and faces[p] == SKULL)]

    def again(self, faces: Faces, chosen: Faces, then) -> tuple[float, float]:  # type: ignore[no-untyped-def]
        many = list(product(range(6), repeat=len(chosen)))
        found = np.zeros(2)
        for shown in many:
            new = list(faces)
            for place, face in zip(chosen, shown, strict=True):
                new[place] = face
            found += then(tuple(new))
        return tuple(found / len(many))

    def _settled(self, faces: Faces, locked: Faces, left: int) -> tuple[float, float]:
        """After the last roll, with so many single dice left."""
        if not left:
            return self.end(faces)
        ways = [self.settled(faces, locked, left - 1)]
        for place in self.loose(faces, locked):
            ways.append(self.again(faces, (place,), lambda new: self.settled(new, locked, left - 1)))
        return max(ways)

    def _then(self, faces: Faces, locked: Faces, roll: int) -> tuple[float, float]:
        """After so many rolls, when the best is done."""
        if roll == self.rolls:
            return self.settled(faces, locked, self.singles)
        return max(self.ways(faces, locked, roll).values())

    def ways(self, faces: Faces, locked: Faces, roll: int) -> dict[Faces, tuple[float, float]]:
        loose = self.loose(faces, locked)
        found: dict[Faces, tuple[float, float]] = {(): self.settled(faces, locked, self.singles)}
        for n in range(1, len(loose) + 1):
            for chosen in combinations(loose, n):
                found[chosen] = self.again(faces, chosen, lambda new: self.then(new, locked, roll + 1))
        return found

    def start(self) -> tuple[float, float]:
        def locks(faces: Faces) -> tuple[float, float]:
            return max(self.then(faces, locked, 1) for locked in combinations(self.places, self.lock))

        return self.again((-1,) * 6, tuple(self.places), locks)


CASES = [
    ((1, 1, 1), 1, 3, False, 0),
    ((1, 1, 1), 0, 2, True, 1),
    ((2, 1, 0), 1, 2, False, 1),
    ((2, 0, 1), 1, 3, True, 0),
    ((1, 1, 0), 1, 2, True, 2),
]


@pytest.mark.parametrize(("dice", "lock", "rolls", "stay", "singles"), CASES)
def test_figures_follow_the_best_choices(
    dice: tuple[int, int, int], lock: int, rolls: int, stay: bool, singles: int
) -> None:
    rng = np.random.default_rng(sum(dice) + lock + 7 * rolls)
    shape = tuple(len(ROLLS[n]) for n in dice)
    values, figure = rng.random(shape), rng.random(shape)
    plainly = Plainly(dice, lock, rolls, stay, singles, values, figure)
    promise = Promise(solve(values, lock, rolls, dice, stay, singles), [figure])
    assert promise.start == pytest.approx(plainly.start())
    for shown in product((SKULL, 2, 5), repeat=len(plainly.places)):
        faces = [-1] * 6
        for place, face in zip(plainly.places, shown, strict=True):
            faces[place] = face
        for locked in combinations(plainly.places, lock):
            mask = sum(1 << place for place in locked)
            assert promise.locked(faces, mask) == pytest.approx(plainly.then(tuple(faces), locked, 1))
            for chosen, wanted in plainly.ways(tuple(faces), locked, 1).items():
                again = sum(1 << place for place in chosen)
                assert promise.rolled(faces, mask, 1, again) == pytest.approx(wanted)


def test_dice_rolled_as_if_they_had_not_been_are_worth_the_start() -> None:
    rng = np.random.default_rng(3)
    values, figure = rng.random((21, 21, 21)), rng.random((21, 21, 21))
    promise = Promise(solve(values), [figure])
    assert promise.anew((0, 1, 2, 3, 4, 5), 0b111111) == pytest.approx(promise.start)
    assert promise.anew((0, 1, 2, 3, 4, 5), 0) == pytest.approx(promise.first[:, ROLL[0, 1], ROLL[2, 3], ROLL[4, 5]])


def test_the_value_is_a_figure_like_any_other() -> None:
    values = np.random.default_rng(4).random((21, 21, 21))
    turn = solve(values, 2, 3, skulls_stay=True, singles=1)
    promise = Promise(turn, [values])
    assert promise.start == pytest.approx([turn.value, turn.value])
    faces = (0, 3, 2, 2, 5, 4)
    for choice in turn.choices(faces, 0, 1):
        assert promise.locked(faces, choice.locked) == pytest.approx([choice.value] * 2)
    for roll in (1, 2, 3):
        for choice in turn.choices(faces, 0b000101, roll):
            assert promise.rolled(faces, 0b000101, roll, choice.roll) == pytest.approx([choice.value] * 2)
