"""Gifts to other Units: a trade is good if the two that make it are better off together."""

from __future__ import annotations

from collections.abc import Iterable
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
    return best_gifts(look, (to,), moved)[0]


def best_gifts(look: Sight, others: Iterable[int], moved: bool) -> list[Gift]:
    """The same for each of these Units."""
    me = look.me
    last = 0 if me["specialists"] else 1
    most = [max(0, me["soldiers"] - last), me["courage"], me["stars"], me["points"]]
    if not any(most):
        return [Gift(to, "", 0.0) for to in others]
    gains = np.zeros((1 + sum(most), len(ALONE[0])))  # of nothing, and of so much of each of the goods
    keys, at = [], 1
    for (name, column), many in zip(GOODS, most, strict=True):
        gains[at : at + many, column] = range(1, many + 1)
        keys += [(name, some) for some in range(1, many + 1)]
        at += many
    own = _prospects(look, look.seat, -gains, moved)
    found = []
    for to in others:
        together = own * _prospects(look, to, gains, moved)
        best = int(together[1:].argmax())
        found.append(Gift(to, "give:{}={}".format(*keys[best]), float(together[best + 1] - together[0])))
    return found


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
    best = max(best_gifts(look, [int(key[7:]) - 1 for key in keys], moved), key=lambda gift: gift.brings)
    wanted = best.brings > (TRADE_MARGIN if chance < ASK else URGENT)
    return f"trade:U{best.to + 1}" if wanted else ""
