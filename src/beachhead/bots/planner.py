"""The bot planner: dice by the exact turn as the bot exact, moves, purchases, cards and trades by search.

Moves and purchases are judged by the plans that follow (`ways`), cards that change dice in `turned`, trades in `gifts`.
Everything is counted for the side.

All of this needs learned values. They say themselves which of the SEARCHES pay with them: the command that learned them
has tried it. What is not searched is answered as exact does it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from ..core.node import Decision
from .arrive import without
from .exact import ANSWERS, answer_with, reply
from .gifts import CLEAR, SLIGHT, trade_first
from .look import Look, Unit
from .sight import Sight
from .turned import best_turn_of_dice, turns_dice
from .values import ALONE, Valuer, Values, standing
from .ways import MARGIN, Option, aids_of, as_it_stands, best_plan, deep, fight, worth_alone

if TYPE_CHECKING:
    from . import View

SEARCHES = ("move", "deep", "acquire", "window", "dice", "cards", "trade")
"""What can be searched: moves by where they lead, and those that are close by the exact turn that follows; purchases,
together with the move after them; cards before a combat; cards that change dice; which card to gain or to give up;
trades that bring less than exact makes them for.
"""
CLOSE, MOST_DEEP = 0.06, 3
"""Moves whose values are so near that of the best are looked at more deeply, so many at most."""
TRUST = 0.5
"""How far plans are trusted against what was learned of the moment before them."""


def searched(look: Sight, *kinds: str) -> bool:
    judge = look.judge
    return isinstance(judge, Values) and any(kind in judge.searches for kind in kinds)


def least(look: Sight) -> float:
    """What a trade has to bring."""
    return SLIGHT if searched(look, "trade") else CLEAR


# ---------------------------------------------------------------------- moves and purchases


def move_values(decision: Decision, look: Sight) -> dict[str, tuple[float, Option | None]]:
    keys = [key for key in decision.keys if key == "stay" or key.startswith("move:")]
    return {key: best_plan(look, look.judge, look.standing(), [key]) for key in keys}


def deep_values(decision: Decision, look: Sight) -> dict[str, tuple[float, Option | None]]:
    """The same; those that are close are looked at more deeply."""
    values = move_values(decision, look)
    if not searched(look, "deep") or len(values) < 2:
        return values
    best = sorted(values, key=lambda key: -values[key][0])
    close = [key for key in best[:MOST_DEEP] if values[key][0] > values[best[0]][0] - CLOSE]
    if len(close) < 2:
        return values
    found = {}
    for key in close:
        option = values[key][1]
        found[key] = (deep(option, look) if option else 0.0, option)
    floor = min(value for value, _ in found.values())
    return {key: found.get(key, (min(value, floor), option)) for key, (value, option) in values.items()}


def bought(key: str, look: Look) -> Unit | None:
    """The own Unit when it has acquired this; None where one cannot tell."""
    me: Unit = look.me
    verb, _, card = key.partition(":")
    if key == "done":
        return me
    if verb not in ("rally", "find"):
        return None
    found = look.world.cards[card]
    price = "stars" if verb == "rally" else "points"
    place = "specialists" if found.is_specialist else "items"
    return {**me, price: max(0, me[price] - found.cost), place: [*me[place], card]}


def acquire_values(decision: Decision, look: Sight, usual: str = "") -> dict[str, float]:
    """Of each purchase, and of none. With a usual answer: only of those that could be better than it by the margin."""
    found: dict[str, float] = {}
    units = {key: unit for key in decision.keys if (unit := bought(key, look)) is not None}
    enough = 0.0
    for key in sorted(units, key=lambda key: key != usual):
        seen: Look = look if units[key] is look.me else look.instead(units[key])
        at = look.standing() if seen is look else standing(seen, seen.me)
        known = float(look.judge.worth(at, ALONE)[0])
        if TRUST + (1 - TRUST) * known < enough - 1e-9:  # plans are worth no more than a win
            continue
        then, _ = best_plan(seen, look.judge, at)
        found[key] = TRUST * then + (1 - TRUST) * known
        if usual in found:
            enough = found[usual] + MARGIN if key == usual else max(enough, found[key])
    return {key: found[key] for key in units if key in found}


def move(decision: Decision, look: Sight, rng: Random) -> str:
    asked, rest = trade_first(decision, look, rng, least(look))
    usual = asked or ANSWERS["move"](rest, look, rng)
    if asked or not searched(look, "move", "deep"):
        return usual
    if not usual.startswith(("stay", "move:", "use:")) or (usual[:4] == "use:" and not aids_of(look.key, usual[4:])):
        return usual
    values = deep_values(decision, look)
    if not values:
        return usual
    best = max(values, key=lambda key: values[key][0])
    if usual in values and values[best][0] <= values[usual][0] + MARGIN:
        best = usual
    option = values[best][1]
    return next((key for key in (option.keys[:-1] if option else ()) if key in decision.keys), best)


def acquire(decision: Decision, look: Sight, rng: Random) -> str:
    asked, rest = trade_first(decision, look, rng, least(look))
    usual = asked or ANSWERS["acquire"](rest, look, rng)
    if asked or not searched(look, "acquire"):
        return usual
    if not usual.startswith(("done", "rally:", "find:")):
        return usual
    values = acquire_values(decision, look, usual)
    best = max(values, key=lambda key: values[key])
    return best if usual not in values or values[best] > values[usual] + MARGIN else usual


def _without(decision: Decision, *verbs: str) -> Decision:
    """The same question without some of the answers."""
    return decision._replace(keys=tuple(key for key in decision.keys if not key.startswith(verbs)))


# ---------------------------------------------------------------------- just before combat


def window_values(decision: Decision, look: Sight) -> dict[str, float]:
    """Of cards that help in the combat that is next, and of doing nothing, for all Units in the Sector together."""
    here = [seat for seat, one in enumerate(look.units) if one["sector"] == look.me["sector"] and one["status"] == 0]
    found = {}
    for key in decision.keys:
        aids = aids_of(look.key, key[4:]) if key.startswith("use:") else ()
        if key != "done" and not aids:
            continue
        reach = here if any(aid.shared for aid in aids) or key == "done" else [look.seat]
        worths = {seat: fight(look, look.judge, seat, aids if seat in reach else ()) for seat in here}
        found[key] = _together(worth_alone(one, one.at, look.judge) for one in worths.values())
    return found


def _together(worths: Iterable[float]) -> float:
    """Of several Units to their side: all are needed, so the weakest counts most."""
    found = np.array(list(worths))
    return float(np.exp(np.log(np.maximum(found, 1e-6)).mean()))


def window(decision: Decision, look: Sight, rng: Random) -> str:
    if look.phase == "roll" and searched(look, "dice"):
        cards = [key[4:] for key in decision.keys if key.startswith("use:") and turns_dice(look, key[4:])]
        if cards:
            brings, card = max((best_turn_of_dice(card, look)[0], card) for card in cards)
            if brings > 0:
                return f"use:{card}"
            decision = _without(decision, *(f"use:{card}" for card in cards))
    if look.phase not in ("move", "combat"):
        return ANSWERS["window"](decision, look, rng)
    asked, rest = trade_first(decision, look, rng, least(look))
    if asked:
        return asked
    values = window_values(rest, look) if searched(look, "window") and "done" in decision.keys else {}
    if len(values) > 1:
        best = max(values, key=lambda key: values[key])
        if values[best] > values["done"] + MARGIN:
            return best
    return ANSWERS["window"](_without(rest, *(key for key in values if key != "done")), look, rng)


# ---------------------------------------------------------------------- dice, cards and bonuses


def turn_dice(decision: Decision, look: Sight, rng: Random) -> str:
    """On the way to the best change of the dice, at whatever question of it we are."""
    if searched(look, "dice") and turns_dice(look, decision.source):
        for key in best_turn_of_dice(decision.source, look)[1][1:]:
            if key in decision.keys:
                return key
    return reply(decision, look, rng)


GAINED = {"award": "awards", "rally": "specialists", "find": "items"}


def pick_card(decision: Decision, look: Sight, rng: Random) -> str:
    """The card that leaves the Unit best off, to have or to have no more."""
    usual = reply(decision, look, rng)
    if not searched(look, "cards"):
        return usual
    found = {}
    for key in decision.keys:
        verb, _, card = key.partition(":")
        if card in look.world.cards and verb in GAINED:
            place = GAINED[verb]
            found[key] = as_it_stands(look, {**look.me, place: [*look.me[place], card]})
        elif card in look.world.cards and verb == "lose":
            found[key] = as_it_stands(look, without(look.me, (card,)))
    if usual not in found:
        return usual
    best = max(found, key=lambda key: found[key])
    return best if found[best] > found[usual] + MARGIN else usual


# ---------------------------------------------------------------------- answers

OWN: dict[str, Callable[[Decision, Sight, Random], str]] = {
    "move": move,
    "acquire": acquire,
    "window": window,
    **dict.fromkeys(("pick-die", "set-face", "set-colour", "swap-give", "swap-take"), turn_dice),
    **dict.fromkeys(("award", "rally-free", "sacrifice", "substitute"), pick_card),
}
"""Question -> how it is answered. Others about dice are answered as exact does, the rest as thumb does."""


def ranked(decision: Decision, look: Sight) -> list[tuple[str, float]] | None:
    """The answers that can be judged by search, best first, with the probability to win; None where none can, or
    where nothing was learned.
    """
    if not isinstance(look.judge, Values):
        return None
    if decision.name == "move":
        found = {key: value for key, (value, _) in deep_values(decision, look).items()}
    elif decision.name == "acquire":
        found = acquire_values(decision, look)
    elif decision.name == "window" and look.phase in ("move", "combat"):
        found = window_values(decision, look)
    else:
        return None
    return sorted(found.items(), key=lambda one: -one[1]) or None


def planned(decision: Decision, look: Sight, rng: Random) -> str:
    """By search where that proved better, else as the bot exact does."""
    own = OWN.get(decision.name) if isinstance(look.judge, Values) else None
    return own(decision, look, rng) if own is not None else reply(decision, look, rng)


def planned_with(judge: Valuer | None) -> Callable[[Decision, View, Random], str]:
    """How a bot answers that judges so; None: by what was learned for the game that is played."""
    return answer_with(judge, planned)


planner_answer = planned_with(None)
