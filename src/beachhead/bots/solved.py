"""The bot exact in Battle! and Express!: the best answer where the game is solved, else that of thumb."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from ..core.node import Decision
from ..solve.pocket_answers import answers
from .small import SMALL
from .thumb import thumb_answer

if TYPE_CHECKING:
    from . import View

CLOSE = 1e-12
"""Answers whose values differ by less are as good as each other."""


def solved_answer(decision: Decision, view: View, rng: Random) -> str:
    """Of equal answers that of thumb, or else the first."""
    seen = view()
    found = answers(decision, seen) if seen.get("game") in SMALL else None
    simple = thumb_answer(decision, lambda: seen, rng)
    if found is None:
        return simple
    values = found.values
    most = max(values.values())
    return simple if values[simple] > most - CLOSE else max(values, key=values.__getitem__)
