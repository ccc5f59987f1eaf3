"""Gifts to other Units: a trade is good if the two that make it are better off together."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import NamedTuple

import numpy as np

from ..core.node import Decision
from .gains import COURAGES, ITEM_POINTS, SOLDIERS, STARS
from .look import Look
from .sight import Sight
from .thumb import offer as offer_by_thumb
from .thumb import offered_to
from .uses import ASK
from .values import ALONE, Floats, Values, standing
from .ways import fight, worth_of

SLIGHT, CLEAR = 0.005, 0.03
"""What a trade has to bring to the planner, and to exact."""
CLEAR_ASK = 0.94
"""A trade that clearly helps is asked for so often that it is hardly ever missed."""
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


def trade_first(decision: Decision, look: Sight, rng: Random, least: float = CLEAR) -> tuple[str, Decision]:
    """A trade to begin, as `trade:U2`, or "", and the question that is left. Without learned values thumb trades."""
    if not isinstance(look.judge, Values):
        return "", decision
    keys = [key for key in decision.keys if key.startswith("trade:")]
    if not keys:
        return "", decision
    rest = decision._replace(keys=tuple(key for key in decision.keys if key not in keys))
    chance = rng.random()
    if chance >= CLEAR_ASK:  # nobody is asked for ever
        return "", rest
    moved = decision.name == "window"
    best = max(best_gifts(look, [int(key[7:]) - 1 for key in keys], moved), key=lambda gift: gift.brings)
    wanted = best.brings > (least if chance < ASK else CLEAR)
    return (f"trade:U{best.to + 1}" if wanted else ""), rest


def offer(decision: Decision, look: Sight, rng: Random) -> str:
    """The best gift to the Unit that the open offer is for."""
    if not isinstance(look.judge, Values):
        return offer_by_thumb(decision, look, rng)
    if "propose" in decision.keys:
        return "propose"
    for other in look.others():
        if offered_to(decision, look.units[other]):
            gifts = [best_gift(look, other), best_gift(look, other, True)][: 1 + (look.phase == "move")]
            gift = max(gifts, key=lambda one: one.brings)
            if gift.key in decision.keys and gift.brings > 0:
                return gift.key
    return "withdraw"
