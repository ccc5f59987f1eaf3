"""The slow reference: a game of one Unit as a plain tree of its nodes. It knows no turns, positions or bounds."""

from __future__ import annotations

from beachhead.core.node import Over, Roll
from beachhead.core.plain import dump, to_json
from beachhead.landing.game import MACHINE
from beachhead.landing.state import Landing
from beachhead.solve.ground import answered, keys_of, rolled

COUNTERS = ("asked", "drawn", "told", "turn")
DICE = ("faces", "locked", "out", "added", "rwbs", "stars", "points")
"""What matters to nobody once upkeep is over, where there are no cards."""


def value(g: Landing, known: dict[str, float]) -> float:
    """The probability to win when every choice is the best."""
    node = MACHINE.node(g)
    if isinstance(node, Over):
        return float(node.won)
    name = _name(g)
    if name not in known:
        if isinstance(node, Roll):
            known[name] = sum(chance * value(rolled(g, outcome), known) for outcome, chance in node.outcomes())
        else:
            known[name] = max(value(answered(g, key), known) for key in keys_of(g))
    return known[name]


def _name(g: Landing) -> str:
    plain = {name: what for name, what in dump(g).items() if name not in COUNTERS}
    if g.phase not in ("roll", "upkeep") or g.lanes[0][-1][0] == "leave":
        plain["units"] = [{name: what for name, what in plain["units"][0].items() if name not in DICE}]
    return to_json(plain)
