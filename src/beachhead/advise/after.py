"""A finished game looked at again: what every choice cost, and what was left to luck.

The value of a game goes from `start` to `result` in steps. A choice can only lower it, by what the best answer was
worth more; all the rest is what dice and draws did. So luck is what is left: result - start + all that choices cost.
Where values are learned it also holds what they are wrong by.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from ..bots.exact import Sight
from ..bots.values import Values
from ..core.errors import BeachheadError
from ..core.machine import Machine
from ..core.node import Answer, Ask, Over
from ..core.record import Answered, Ended, Record, Rolled, Undone, replay
from ..games import GAMES, game_of
from ..landing.game import MACHINE
from ..landing.state import Landing
from ..pocket.express import Express
from ..say import say
from ..solve.pocket_answers import known_express
from . import Costly, Review, speaks
from .engine import judgement, known
from .words import short

LIMIT = 0.3
"""Seconds for one choice."""
MOST = 3
"""How many of the costliest choices are told."""
LITTLE = 0.0005
"""What costs less is not told."""
FIRST = ("dice:", "axis")
"""How the streams of the first dice begin: those of the Units, or those that are to be matched."""


def review(record: Record, tick: Callable[[int, int], object]) -> Review:
    if record.header.game not in ("landing", "express"):
        raise BeachheadError(say("advise.other-game", game=record.header.game))
    course = replay(record, GAMES).finish()
    machine = course.game.machine
    over = course.node
    if not isinstance(over, Over) or not any(isinstance(entry, Ended) for entry in record.entries):
        raise BeachheadError(say("advise.unfinished", n=len(course.steps)))
    g = course.at(0)
    how = "learned" if isinstance(g, Landing) and known(g) is None else "exact"
    start, judged = -1.0, 0
    skill = [0.0] * len(g.lanes)
    costly: list[Costly] = []
    entries = standing(record)
    for n, (entry, step) in enumerate(zip(entries, course.steps, strict=True)):
        tick(n, len(entries))
        if start < 0 and isinstance(step.entry, Rolled) and step.entry.stream.startswith(FIRST):
            start = before(cast(Any, g))
        if isinstance(step.given, Answer):
            found = _judged(machine, g, step.given, entry)
            if found is not None:
                judged += 1
                skill[found.seat] += found.cost
                costly.append(found)
        machine.apply(g, step.given, quiet=True)
    tick(len(entries), len(entries))
    costly = sorted((one for one in costly if one.cost >= LITTLE), key=lambda one: -one.cost)[:MOST]
    result = float(over.won)
    return Review(start, result, tuple(skill), result - start + sum(skill), tuple(costly), judged, how)


def _judged(machine: Machine[Any], g: Any, given: Answer, entry: int) -> Costly | None:
    node = machine.node(g)
    assert isinstance(node, Ask)
    decision = node.decision(given.seat)
    found = judgement(decision, lambda: machine.view(g, given.seat), LIMIT, g, sample=False)
    if found is None:
        return None
    best = found.options[0]
    chosen = next(one for one in found.options if one.key == given.key)
    words = short(g, decision, chosen.key), short(g, decision, best.key)
    return Costly(entry, given.seat, g.turn, decision.name, chosen, best, words)


def before(g: Landing | Express) -> float:
    """The probability to win before dice are rolled: as its Units see it, on average."""
    if isinstance(g, Express):
        seen = game_of(g).machine.view(g, None)
        beach = known_express(seen) if speaks(seen) else None
        if beach is None:
            raise BeachheadError(say("advise.no-values"))
        return beach[0].value * beach[1]
    solved = known(g)
    if solved is not None:
        return solved.value_of(g)
    looks = [Sight(MACHINE.view(g, seat), seat) for seat in range(len(g.units))]
    if not isinstance(looks[0].judge, Values):
        raise BeachheadError(say("advise.no-values"))
    return sum(look.promise() for look in looks) / len(looks)


def standing(record: Record) -> list[int]:
    """The numbers of the entries that are answers and rolls that stand."""
    found: list[int] = []
    for n, entry in enumerate(record.entries):
        if isinstance(entry, Answered | Rolled):
            found.append(n)
        elif isinstance(entry, Undone):
            del found[-entry.steps :]
    return found
