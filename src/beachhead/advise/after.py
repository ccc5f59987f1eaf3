"""A finished game looked at again: what every choice cost, and what was left to luck.

The value of a game goes from `start` to `result` in steps. A choice can only lower it, by what the best answer was
worth more; all the rest is what dice and draws did. So luck is what is left: result - start + all that choices cost.
Where values are learned or sampled it also holds what they are wrong by. In Battle! one player's loss is the other's
gain; among several it cannot be told whose, so what the others did counts as luck.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, cast

from ..bots.sight import Sight
from ..bots.values import Values
from ..core.errors import BeachheadError
from ..core.machine import Machine
from ..core.node import Answer, Ask, Over
from ..core.record import Answered, Ended, Record, Rolled, Undone, replay
from ..games import GAMES, game_of
from ..landing.game import MACHINE
from ..landing.state import Landing
from ..pocket.battle import Battle
from ..pocket.express import Express
from ..say import say
from ..solve.pocket_answers import known_express
from . import Costly, Review, Side, speaks
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
    course = replay(record, GAMES).finish()
    machine = course.game.machine
    over = course.node
    if not isinstance(over, Over) or not any(isinstance(entry, Ended) for entry in record.entries):
        raise BeachheadError(say("advise.unfinished", n=len(course.steps)))
    g = course.at(0)
    if not isinstance(g, Landing | Express | Battle) or not speaks(machine.view(g, None)):
        raise BeachheadError(say("advise.other-game"))
    how = _how(g)
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
    sides = tuple(_side(g, seat, skill) for seat in range(len(skill))) if isinstance(g, Battle) else ()
    result = float(over.won)
    side = sides[0] if sides else Side(start, result, result - start + sum(skill))
    return Review(side.start, side.result, tuple(skill), side.luck, tuple(costly), judged, how, sides)


def _how(g: Landing | Express | Battle) -> str:
    if isinstance(g, Battle):
        return "sampled"
    if isinstance(g, Express):
        return "exact" if len(g.soldiers) == 1 else "in-turn"
    return "learned" if known(g) is None else "exact"


def _side(g: Battle, seat: int, skill: Sequence[float]) -> Side:
    """Before the first roll nobody is better off than another: who begins is rolled for."""
    start, result = 1 / len(skill), float(seat in g.winners) / max(1, len(g.winners))
    given = skill[1 - seat] if len(skill) == 2 else 0.0
    return Side(start, result, result - start + skill[seat] - given)


def _judged(machine: Machine[Any], g: Any, given: Answer, entry: int) -> Costly | None:
    node = machine.node(g)
    assert isinstance(node, Ask)
    decision = node.decision(given.seat)
    found = judgement(decision, lambda: machine.view(g, given.seat), LIMIT, g, sample=isinstance(g, Battle))
    if found is None:
        return None
    best = found.options[0]
    chosen = next(one for one in found.options if one.key == given.key)
    words = short(g, decision, chosen.key), short(g, decision, best.key)
    return Costly(entry, given.seat, g.turn, decision.name, chosen, best, words)


def before(g: Landing | Express | Battle) -> float:
    """The probability to win before dice are rolled."""
    if isinstance(g, Battle):
        return 1 / len(g.players)
    if isinstance(g, Express):
        beach = known_express(game_of(g).machine.view(g, None))
        if beach is None:
            raise BeachheadError(say("advise.unsolved"))
        return beach[0].value * beach[1]
    solved = known(g)
    if solved is not None:
        return solved.value_of(g)
    looks = [Sight(MACHINE.view(g, seat), seat) for seat in range(len(g.units))]
    if not isinstance(looks[0].judge, Values):
        raise BeachheadError(say("advise.no-values"))
    return prod(look.promise() for look in looks)


def standing(record: Record) -> list[int]:
    """The numbers of the entries that are answers and rolls that stand."""
    found: list[int] = []
    for n, entry in enumerate(record.entries):
        if isinstance(entry, Answered | Rolled):
            found.append(n)
        elif isinstance(entry, Undone):
            del found[-entry.steps :]
    return found
