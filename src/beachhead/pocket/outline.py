"""What lies on the table of a game of Pocket comes to this: which dice match, what is missing. For every door that
shows it; no words here.
"""

from __future__ import annotations

from typing import NamedTuple

from ..landing.dice import COLOUR, DICE, FACE, HOME
from . import express
from .battle import Battle
from .dice import counts
from .express import Express

ADDED = "+"
"""Stands for a result beside the dice, where dice are named."""


class Pairing(NamedTuple):
    """The Axis dice of one tally: `axis` are their faces, the Kommandant's last where he is deployed."""

    axis: tuple[int, ...]
    matched: tuple[tuple[str, ...], ...]
    """Per Axis die: the dice that match it, by name; fewer than it needs where it is not matched."""
    needs: tuple[int, ...]
    """Per Axis die: how many results match it."""

    @property
    def missing(self) -> tuple[int, ...]:
        """The faces that are still missing, one for each result."""
        rows = zip(self.axis, self.matched, self.needs, strict=True)
        return tuple(face for face, dice, n in rows for _ in range(n - len(dice)))


def pairing(g: Battle | Express, seat: int) -> Pairing:
    """Which dice of this seat match which Axis dice as they lie; of several that could, the first."""
    axis = (*g.axis, g.black) if g.black >= 0 else g.axis
    if isinstance(g, Express):
        soldier = g.soldiers[seat]
        blind = {COLOUR[effect.colour] for effect in express.here(g, "blind-colour")}
        dice = zip(DICE, soldier.faces, soldier.colours, strict=True)
        free = [(die, face) for die, face, colour in dice if colour not in blind]
        free += [(ADDED, face) for face in soldier.added]
        need = express.needed(g)
        twice = {FACE[effect.face] for effect in express.here(g, "double-face")}
    else:
        free = list(zip(DICE, g.faces, strict=True))
        need = counts(axis)
        twice = set()
    matched, needs = [], []
    for n, face in enumerate(axis):
        each = 2 if face in twice else 1
        if g.black >= 0 and n == len(g.axis):
            each = need[face] - each * g.axis.count(face)
        found = [one for one in free if one[1] == face][:each]
        for one in found:
            free.remove(one)
        needs.append(each)
        matched.append(tuple(die for die, _ in found))
    return Pairing(axis, tuple(matched), tuple(needs))


def colours_of(g: Battle | Express, seat: int) -> tuple[int, ...]:
    return g.soldiers[seat].colours if isinstance(g, Express) else HOME


def faces_of(g: Battle | Express, seat: int) -> tuple[int, ...]:
    return g.soldiers[seat].faces if isinstance(g, Express) else g.faces
