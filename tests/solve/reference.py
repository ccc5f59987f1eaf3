"""A turn of dice by the letter of the rules, over dice that are told apart. Slow, and nothing like the solver.

Dice are places with a colour; a face is 0 to 5, and HOLE is a die about to be rolled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations

from beachhead.landing.dice import SKULL

HOLE = -2
Faces = tuple[int, ...]


class Reference:
    def __init__(
        self,
        worth: Callable[[Faces], float],
        dice: int,
        lock: int,
        rolls: int = 3,
        skulls_stay: bool = False,
        singles: int = 0,
    ) -> None:
        self.worth = worth
        self.lock = lock
        self.rolls = rolls
        self.skulls_stay = skulls_stay
        self.singles = singles
        self.holes = (HOLE,) * dice
        self.rolled = cache(self._rolled)

    @property
    def value(self) -> float:
        return self.rolled(self.holes, frozenset(), 1)

    def _rolled(self, faces: Faces, locked: frozenset[int], roll: int) -> float:
        """On average, when the holes are filled by roll number `roll`."""
        if HOLE in faces:
            at = faces.index(HOLE)
            return sum(self.rolled((*faces[:at], face, *faces[at + 1 :]), locked, roll) for face in range(6)) / 6
        if roll == 1:
            return max(value for value, _ in self.after_first(faces))
        return max(value for value, _ in self.after(faces, locked, roll))

    def after_first(self, faces: Faces) -> Iterator[tuple[float, frozenset[int]]]:
        """Each way to Lock, with what it is worth."""
        for chosen in combinations(range(len(faces)), self.lock):
            yield max(value for value, _ in self.after(faces, frozenset(chosen), 1)), frozenset(chosen)

    def after(self, faces: Faces, locked: frozenset[int], roll: int) -> Iterator[tuple[float, frozenset[int]]]:
        """Each set of dice to roll again, with what it is worth."""
        if roll < self.rolls + self.singles:
            loose = [
                at for at, face in enumerate(faces) if at not in locked and not (self.skulls_stay and face == SKULL)
            ]
            most = len(loose) if roll < self.rolls else min(1, len(loose))
        else:
            loose, most = [], 0
        for size in range(most + 1):
            for again in combinations(loose, size):
                left = tuple(HOLE if at in again else face for at, face in enumerate(faces))
                yield self._then(left, locked, roll), frozenset(again)

    def _then(self, faces: Faces, locked: frozenset[int], roll: int) -> float:
        if HOLE in faces:
            return self.rolled(faces, locked, roll + 1)
        if roll >= self.rolls + self.singles:
            return self.worth(faces)
        # who stops gives up the rolls that are left, but not the single dice of cards
        return max(value for value, _ in self.after(faces, locked, max(self.rolls, roll + 1)))
