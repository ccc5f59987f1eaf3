"""How advice comes about: by the solution where there is one, else by learned values, else by games played out."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from threading import Lock
from typing import NamedTuple

from ..bots import View
from ..bots.exact import DICE_ON_TABLE
from ..bots.sight import Sight
from ..bots.small import SMALL
from ..bots.values import Values
from ..core.errors import BeachheadError
from ..core.machine import State
from ..core.node import Decision
from ..landing.dice import mask_of
from ..landing.state import Landing
from ..solve import store
from ..solve.pocket_answers import Seen, answers
from ..solve.whole import Solved
from . import HOW, Advice, Option, speaks
from .ahead import Ahead, played_out
from .judged import Worth, comrades, judged
from .words import short, why

WILSON = 1.96
"""For intervals that hold in 95 % of cases."""
AT_ONCE = 0.02
"""Seconds for answers beside dice that lie on the table."""
SHORT = 1.0
"""Seconds at most for games of Pocket that are played out: they are quick games."""
_lock = Lock()
"""Solved games keep what they work out, and are asked one at a time."""


class Judgement(NamedTuple):
    """What is known of every answer to a question."""

    how: str
    games: int
    options: list[Option]
    """Best first."""
    worths: dict[str, Worth]


def advise(decision: Decision, view: View, limit: float, state: State | None) -> Advice | None:
    found = judgement(decision, view, limit, state)
    if found is None:
        return None
    names = {key: short(state, decision, key) for key in decision.keys}
    because = {"battle": "sampled-battle", "express": "sampled-express"}.get(str(view()["game"]), "sampled")
    said = why(found.options, found.worths, names, found.how, found.games, because)
    return Advice(decision.seat, decision.seq, decision.name, found.how, found.games, tuple(found.options), said)


def judgement(
    decision: Decision, view: View, limit: float, state: State | None, sample: bool = True
) -> Judgement | None:
    """None where there is nothing to choose, or an answer of which nothing is known; without `sample` also where games
    would have to be played out.
    """
    if len(decision.keys) < 2:
        return None
    g = state if isinstance(state, Landing) else None
    if g is not None and (solved := known(g)) is not None:
        return _judgement("exact", _solved(decision, solved, g), decision)
    seen = view()
    if seen.get("game") in SMALL:
        return _small(decision, seen, limit, state, sample) if speaks(seen) else None
    if seen.get("game") != "landing":
        return None
    look = Sight(seen, decision.seat)
    if look.world is None:
        return None
    if isinstance(look.judge, Values):
        worths, when = _learned(decision, look, g, limit), "turn" if decision.name == "move" else "upkeep"
        return _judgement(
            "learned", worths, decision, {key: look.judge.interval(_share(one), when) for key, one in worths.items()}
        )
    return _sampled(decision, g, limit) if g is not None and sample else None


def _small(decision: Decision, seen: Seen, limit: float, state: State | None, sample: bool) -> Judgement | None:
    """A game of Pocket: by its solution, or by games played out."""
    limit = min(limit, SHORT)
    found = answers(decision, seen, limit if sample else 0.0)
    if found is None or found.how not in HOW:
        return _sampled(decision, state, limit) if state is not None and sample else None
    gives = {key: (("medals", many),) for key, many in found.medals.items()}
    worths = {key: Worth(value, gives.get(key, ())) for key, value in found.values.items()}
    return _judgement(found.how, worths, decision, found.ranges, found.games)


def _sampled(decision: Decision, state: State, limit: float) -> Judgement | None:
    means = played_out(state, decision, limit)
    worths = {key: Worth(mean.value) for key, mean in means.items()}
    ranges = {key: wilson(mean.value, mean.times) for key, mean in means.items()}
    return _judgement("sampled", worths, decision, ranges, min(mean.times for mean in means.values()))


def _share(worth: Worth) -> float:
    return min(1.0, max(0.0, worth.value))


def _judgement(
    how: str,
    worths: dict[str, Worth],
    decision: Decision,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    games: int = 0,
) -> Judgement | None:
    if len(worths) < len(decision.keys):
        return None
    options = []
    for key in decision.keys:
        value = _share(worths[key])
        low, high = (ranges or {}).get(key, (value, value))
        options.append(Option(key, value, min(low, value), max(high, value), worths[key].gives))
    options.sort(key=lambda one: (-round(one.value, 12), [-round(many, 9) for _, many in one.gives]))
    return Judgement(how, games, options, worths)


# ---------------------------------------------------------------------- solved


def known(g: Landing) -> Solved | None:
    """The solved game that this is, if it is one."""
    memo = g.world.memo
    if "solved" not in memo:
        try:
            memo["solved"] = store.known(g.world)
        except BeachheadError:  # a game that cannot be solved
            memo["solved"] = None
    found: Solved | None = memo["solved"]
    return found


def _solved(decision: Decision, solved: Solved, g: Landing) -> dict[str, Worth]:
    with _lock:
        found = {one.key: Worth(one.value) for one in solved.answers(g)}
        if decision.name not in ("lock", "reroll"):
            return found
        promise = solved.promise(g)
    unit = g.units[decision.seat]
    for key, worth in found.items():
        if decision.name == "lock":
            _, soldiers, courage = promise.locked(unit.faces, mask_of(key)).tolist()
        else:
            again = 0 if key == "stop" else mask_of(key)
            _, soldiers, courage = promise.rolled(unit.faces, unit.locked, g.lanes[0][-1][1], again).tolist()
        found[key] = worth._replace(gives=(("soldiers", soldiers), ("courage", courage)))
    return found


# ---------------------------------------------------------------------- learned


def _learned(decision: Decision, look: Sight, g: Landing | None, limit: float) -> dict[str, Worth]:
    rest = comrades(look)
    found = {key: one._replace(value=one.value * rest) for key, one in judged(decision, look).items()}
    others = [key for key in decision.keys if key not in found]
    if found and decision.name in DICE_ON_TABLE:  # who has dice on the table does not wait for cards and trades
        limit = min(limit, AT_ONCE)
    if others and g is not None:
        means = Ahead(g, decision, look.judge).values(others, limit)
        found |= {key: Worth(mean.value) for key, mean in means.items()}
    return found


def wilson(share: float, n: int) -> tuple[float, float]:
    """Where the probability lies of which so many of n were found, in 95 % of cases."""
    z = WILSON * WILSON / n
    middle = (share + z / 2) / (1 + z)
    half = WILSON * sqrt(share * (1 - share) / n + z / (4 * n)) / (1 + z)
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))
