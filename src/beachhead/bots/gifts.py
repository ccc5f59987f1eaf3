"""Gifts to other Units: a trade is good if the two that make it are better off together."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import numpy as np

from ..core.node import Decision
from .exact import Sight
from .gains import COURAGES, ITEM_POINTS, SOLDIERS, STARS
from .look import Look
from .uses import ASK
from .values import ALONE, Floats, standing
from .ways import fight, worth_of

TRADE_MARGIN = 0.005
"""The same of a trade."""
URGENT, URGENT_ASK = 0.03, 0.94
"""A trade that brings so much is asked for so often that it is hardly ever missed."""
GOODS = (("soldiers", SOLDIERS), ("courage", COURAGES), ("stars", STARS), ("points", ITEM_POINTS))


class Gift(NamedTuple):
    to: int
    key: str
    """As `give:soldiers=3`."""
    brings: float
    """By how much the two are better off together."""


def best_gift(look: Sight, to: int, moved: bool = False) -> Gift:
    """What this Unit should give to that one; nothing brings nothing. `moved`: all Units have moved or stayed."""
    me = look.me
    rows, keys = [], []
    last = 0 if me["specialists"] else 1
    for name, column in GOODS:
        for many in range(1, me[name] - (last if name == "soldiers" else 0) + 1):
            row = [0.0] * len(ALONE[0])
            row[column] = float(many)
            rows.append(row)
            keys.append(f"give:{name}={many}")
    if not rows:
        return Gift(to, "", 0.0)
    gains = np.array([[0.0] * len(ALONE[0]), *rows])
    together = _prospects(look, look.seat, -gains, moved) * _prospects(look, to, gains, moved)
    best = int(together[1:].argmax())
    return Gift(to, keys[best], float(together[best + 1] - together[0]))


def _prospects(look: Sight, seat: int, rows: Floats, moved: bool) -> Floats:
    """What a Unit is worth with each of these gains, wherever it is in its turn."""
    judge, unit = look.judge, look.units[seat]
    view = look if seat == look.seat else Look(look.view, seat)
    if moved or look.phase == "combat" or (look.phase == "move" and "move" in unit["done"]):
        option = fight(view, judge, seat)
        return worth_of(option, option.at, rows, judge)
    return judge.worth(standing(view, unit), rows)


def trade_now(decision: Decision, look: Sight, rng: Random) -> str:
    """`trade:U2` where a gift would help; but nobody is asked for ever."""
    keys = [key for key in decision.keys if key.startswith("trade:")]
    if not keys or (chance := rng.random()) >= URGENT_ASK:
        return ""
    moved = decision.name == "window"
    best = max((best_gift(look, int(key[7:]) - 1, moved) for key in keys), key=lambda gift: gift.brings)
    wanted = best.brings > (TRADE_MARGIN if chance < ASK else URGENT)
    return f"trade:U{best.to + 1}" if wanted else ""
