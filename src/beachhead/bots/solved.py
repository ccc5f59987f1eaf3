"""Games that are solved from start to end (`solve.store`) are played by their table, as far as a view tells enough."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING

from ..core.errors import BeachheadError
from ..core.node import Decision
from ..core.plain import freeze
from ..solve import store
from ..solve.ground import Position, position_of
from ..solve.pocket_answers import answers
from ..solve.whole import Solved
from .judgement import WorldKey, world_of
from .look import Look
from .small import SMALL
from .tally import mask_of
from .thumb import thumb_answer

if TYPE_CHECKING:
    from . import View


@lru_cache(maxsize=16)
def table(key: WorldKey) -> Solved | None:
    world = world_of(key)
    try:
        return world and store.known(world)
    except BeachheadError:  # it cannot be solved
        return None


def by_table(decision: Decision, look: Look) -> str:
    """The best answer, or "" where this game is not solved or the question is another. Where there are no cards each of
    several Units plays as if it were alone.
    """
    if decision.name not in ("lock", "reroll", "move") or look.view["options"]:
        return ""
    edition, name, seats, level = look.key
    if seats > 1 and (look.view["pool"] or any(unit["hand"] for unit in look.units)):
        return ""
    solved = table((edition, name, 1, level))
    me = look.me
    if solved is None or solved.start.units[0].nation != me["nation"]:
        return ""
    where = _where(look)
    if decision.name == "move":
        found = solved.moves_at(where, me["soldiers"], me["courage"])
        return max(decision.keys, key=lambda key: found[key]) if found.keys() >= set(decision.keys) else ""
    if where not in solved.rows or -1 in me["faces"]:
        return ""
    turn = solved.turn_at(where, me["soldiers"], me["courage"])
    if decision.name == "lock":
        mask = turn.best(me["faces"]).locked
    else:
        mask = turn.best(me["faces"], me["locked"], me["roll"] or 2).roll
        if not mask:
            return "stop"
    return next((key for key in decision.keys if key != "stop" and mask_of(key.partition(":")[2]) == mask), "")


def _where(look: Look) -> Position:
    me, view = look.me, look.view
    own = [
        (question, mode, value, scope, "0" if scope == "unit" else target, *more)
        for question, mode, value, scope, target, *more in view["effects"]
        if scope != "unit" or target == str(look.seat)
    ]
    return position_of(look.world, view["turn"], me["sector"], me["marker"], me["combats"], me["visited"], freeze(own))


# ---------------------------------------------------------------------- Battle! and Express!

CLOSE = 1e-12
"""Answers whose values differ by less are as good as each other."""


def solved_answer(decision: Decision, view: View, rng: Random) -> str:
    """Of equal answers that of thumb, or else the first. Games are never played out for it: what a bot answers depends
    on nothing but the position and its dice, not on how quick the machine is.
    """
    seen = view()
    found = answers(decision, seen) if seen.get("game") in SMALL else None
    simple = thumb_answer(decision, lambda: seen, rng)
    if found is None:
        return simple
    values = found.values
    most = max(values.values())
    return simple if values[simple] > most - CLOSE else max(values, key=values.__getitem__)
