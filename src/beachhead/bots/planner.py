"""The bot planner: dice by the exact turn as the bot exact, moves, purchases, cards and trades by search.

A *plan* is what a Unit may do between its tally and the next turn: cards that it uses up, a way or a stay. What comes
of it is judged as the next turn begins, on average over mines and fire. Everything is counted for the side: a trade is
good if the Units that make it are better off together.

All of this needs learned values. Without them the bot plays as exact does. Values say themselves which of the SEARCHES
pay with them: the command that learned them has tried it. What is not searched is answered as exact does it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..core.node import Decision
from .arrive import arrived, payment, price, shut, without
from .exact import ALONE, ANSWERS, Sight, answer_with, pips_of, reply
from .gains import CARDS, COURAGES, FREE, GIVEN, ITEM_POINTS, SOLDIERS, STARS, Terms, op_row, outcomes, table_of
from .judgement import AWARD, WorldKey, world_of
from .look import TO_BE_TURNED, TWO_ARROWS, Look
from .tally import FACES, HOME, NONE, SKULL, Result
from .thumb import ANSWERS as BY_THUMB
from .uses import ASK, Change, Judged, find_change
from .values import Floats, Standing, Valuer, Values, standing

if TYPE_CHECKING:
    from . import View

Unit = dict[str, Any]

POINTS_OF_FIRE = 4
"""So many outcomes of fire are told apart at most."""
LEFT, MANY_LEFT = 0.02, 40
"""What of a win depends on the Soldiers that are left."""
AWARD_PRICE = 6
SEARCHES = ("move", "deep", "acquire", "window", "dice", "cards", "trade")
"""What can be searched: moves by where they lead, and those that are close by the exact turn that follows; purchases,
together with the move after them; cards before a combat; cards that change dice; which card to gain or to give up; and
gifts to other Units.
"""
MARGIN = 0.01
"""By how much of the probability to win another answer than that of exact has to be better."""
TRADE_MARGIN = 0.005
"""The same of a trade."""
DICE_MARGIN = 0.002
"""The same of a change of dice that comes back next turn."""
CLOSE, MOST_DEEP = 0.06, 3
"""Moves whose values are so near that of the best are looked at more deeply, so many at most."""
URGENT, URGENT_ASK = 0.03, 0.94
"""A trade that brings so much is asked for so often that it is hardly ever missed."""


class Aid(NamedTuple):
    """What a card does in the next combat or on the way there, if it is used."""

    card: str
    less: int = 0
    """DEF that it takes away."""
    bunker: bool = True
    """Does it help in a Bunker, and elsewhere?"""
    field: bool = True
    fire: bool = False
    """Is there no fire then, are there no mines, is the Advance free?"""
    mines: bool = False
    free: bool = False
    spent: bool = True
    shared: bool = False
    """Does it help every Unit in the Sector?"""


class Option(NamedTuple):
    """A plan: what the Unit pays, what it loses and how likely, and how it stands as the next turn begins."""

    keys: tuple[str, ...]
    """Answers that lead there: purchases, cards to use, and the move."""
    at: Standing
    """With all that it has now; what it pays comes off."""
    stars: float
    courage: float
    """The price of the Advance; nothing for who has a free move."""
    points: float
    cards: float
    """The worth of cards that are not known yet."""
    stay: bool
    losses: tuple[float, ...]
    chances: tuple[float, ...]
    then: float
    """What the side is worth if the Unit takes the Bunker so; below 0 where there is none."""
    after: Unit | None = None
    """The Unit as the next turn begins, before it has paid and lost."""


# ---------------------------------------------------------------------- what cards do


@cache
def aids_of(key: WorldKey, card: str) -> tuple[Aid, ...]:
    """What a card does in combat and on the way when it is used up."""
    found = []
    mode = "solo" if key[2] == 1 else "group"
    for ability in world_of(key).cards[card].abilities:
        if ability.kind != "activated" or ability.mode not in ("", mode):
            continue
        spent = ability.sacrifice or ability.limit == "single-use"
        for op in ability.ops:
            aid = Aid(card, spent=spent, shared=getattr(op, "scope", "self") != "self")
            if op.tag != "modify" or op.scope in ("pair", "adjacent-sector"):
                continue
            if op.question == "defence":
                less = 99 if op.set is not None or not op.by else -op.by
                where = op.where
                found.append(aid._replace(less=less, bunker=where != "not-bunker", field=where != "bunker"))
            elif op.question in ("mgf_dice", "mgf_hits"):
                found.append(aid._replace(fire=True, bunker=op.where != "not-bunker"))
            elif op.question == "mines_hurt":
                found.append(aid._replace(mines=True))
            elif op.question == "advance_cost":
                found.append(aid._replace(free=True))
    return tuple(found)


@cache
def _fire(dice: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Pips and chances, those next to each other put together where there are many."""
    pips, chances = pips_of(dice)
    if len(pips) <= POINTS_OF_FIRE:
        return tuple(pips), tuple(chances)
    ends = np.searchsorted(np.cumsum(chances), np.arange(1, POINTS_OF_FIRE) / POINTS_OF_FIRE - 1e-9) + 1
    parts = [(p, c) for p, c in zip(np.split(pips, ends), np.split(chances, ends), strict=True) if len(p)]
    return tuple(float((p * c).sum() / c.sum()) for p, c in parts), tuple(float(c.sum()) for _, c in parts)


# ---------------------------------------------------------------------- plans


def plans(look: Look, judge: Valuer, unit: Unit, moves: Iterable[str] | None = None) -> list[Option]:
    """All ways on for this Unit of the seat that looks, with cards that help on them. `moves`: only these."""
    world = look.world
    held = (*unit["specialists"], *unit["items"])
    stays = look.stays_of(unit)
    marker = unit["marker"]
    turned = min(marker + 1, 4) if look.phase in TO_BE_TURNED and marker < 4 else marker
    aids = [aid for card in (*held, *unit["awards"]) for aid in aids_of(look.key, card)]
    found: list[Option] = []
    if moves is None:
        keys = (["stay"] if stays else []) + [way.key for way in world.ways[unit["sector"]] if _open(way, look, unit)]
    else:
        keys = list(moves)
    for key in keys:
        if key == "stay":
            after = {**unit, "combats": unit["combats"] + 1, "marker": turned}
            found += _fights(look, judge, unit, after, key, unit["sector"], unit["combats"], 0, 0, aids)
            continue
        way = next(one for one in world.ways[unit["sector"]] if one.key == key)
        cost, after = price(way, look, unit), arrived(way, look, unit)
        mines = int(way.mined and look.who(unit).mine > 0)
        found += _fights(look, judge, unit, after, key, way.to, 0, mines, cost, aids)
    return found


def _open(way: Any, look: Look, unit: Unit) -> bool:
    """As far as one can tell before the move."""
    target = look.world.sectors[way.to]
    if way.back or (way.climb and not look.opened(unit)) or target.opens_after:
        return False
    if target.entry == "battle-cry" and unit["marker"] != TWO_ARROWS:
        return False
    if way.to in unit["visited"] or way.barred:
        return False
    if unit["marker"] == TWO_ARROWS:  # a Battle Cry waives what else a Sector asks for
        return True
    if any(card not in unit["specialists"] for card in target.requires) or (
        target.sacrifice and not unit["specialists"]
    ):
        return False
    return not shut(way.to, look) or bool(payment(way.to, look, unit))


def _fights(
    look: Look, judge: Valuer, unit: Unit, after: Unit, key: str, sector: str, combats: int, mines: int, cost: int,
    aids: Sequence[Aid],
) -> list[Option]:  # fmt: skip
    """The plans that end so: without any card, and with those that help; in a Bunker with all that help."""
    printed = look.world.sectors[sector]
    defence = look.defence(sector, combats)
    dice, shells = look.fire(sector, combats), look.shells(sector, combats, after)
    saves = look.who(unit).saves
    useful = [
        aid
        for aid in aids
        if (aid.bunker if printed.bunker else aid.field)
        and ((aid.less and defence) or (aid.fire and dice) or (aid.mines and mines) or (aid.free and cost))
    ]
    sets: list[list[Aid]] = [[]]
    if printed.bunker and useful:
        sets = [useful]
    else:
        sets += [[aid] for aid in {aid.card: aid for aid in useful}.values()]
    found = []
    for used in sets:
        gone = {aid.card for aid in used if aid.spent}
        then = without(after, gone) if gone else after
        fixed = max(0, defence - sum(aid.less for aid in used))
        rolled = (
            (0 if any(aid.fire for aid in used) else dice) + (0 if any(aid.mines for aid in used) else mines) + shells
        )
        pips, chances = _fire(min(rolled, 4))
        losses = tuple(max(0.0, fixed + one - saves) for one in pips)
        price = 0 if any(aid.free for aid in used) else cost
        seen = {**look.view, "phase": "", "units": [then if one is unit else one for one in look.units]}
        at = standing(Look(seen, look.seat), then)
        safe = _when_safe(seen, look, judge, then, sector) if printed.bunker else -1.0
        keys = (*dict.fromkeys(f"use:{aid.card}" for aid in used), key)
        found.append(Option(keys, at, 0.0, float(price), 0.0, 0.0, key == "stay", losses, chances, safe, then))
    return found


def _when_safe(seen: dict[str, Any], look: Look, judge: Valuer, unit: Unit, sector: str) -> float:
    """What the others are worth when this Unit is safe: their weakest decides."""
    others = look.others()
    if not others:
        return 1.0
    beside = {**seen["beside"], sector: seen["beside"].get(sector, 0) + len(unit["specialists"])}
    units = [{**one, "status": 1} if one is unit else one for one in seen["units"]]
    later = Look({**seen, "beside": beside, "units": units}, look.seat)
    return min(float(judge.worth(standing(later, later.units[seat]), ALONE, "turn")[0]) for seat in others)


def outlook(options: Sequence[Option], has: Standing, rows: Floats, judge: Valuer) -> Floats:
    """What each plan is worth after each of these gains (plan by row); `has`: what the Unit has before them."""
    found = np.zeros((len(options), len(rows)))
    for n, option in enumerate(options):
        found[n] = _worth(option, has, rows, judge)
    return found


def _worth(option: Option, has: Standing, rows: Floats, judge: Valuer) -> Floats:
    free = rows[:, FREE] > 0
    after = rows.copy()
    after[:, FREE] = 0.0
    after[:, STARS] -= option.stars
    after[:, ITEM_POINTS] -= option.points
    after[:, COURAGES] -= np.where(free, 0.0, option.courage)
    after[:, CARDS] += option.cards
    cannot = (has.stars + after[:, STARS] < 0) | (has.points + after[:, ITEM_POINTS] < 0)
    cannot |= (has.courage + after[:, COURAGES] < 0) | (free & option.stay)
    strength = option.at.soldiers + option.at.bodies + after[:, SOLDIERS]
    total = np.zeros(len(rows))
    if option.then >= 0.0:
        for loss, chance in zip(option.losses, option.chances, strict=True):
            left = strength - loss
            total += chance * (left > 0) * (1 - LEFT + LEFT * np.minimum(left, MANY_LEFT) / MANY_LEFT)
        total *= option.then
    else:
        many = len(option.losses)
        each = np.repeat(after, many, axis=0)
        losses = np.tile(option.losses, len(rows))
        each[:, SOLDIERS] -= losses
        worths = judge.worth(option.at, each, "turn") * (np.repeat(strength, many) > losses)
        total = worths.reshape(len(rows), many) @ np.array(option.chances)
    total[cannot] = 0.0
    return total


def deep(option: Option, look: Sight) -> float:
    """What a plan is worth by the exact turn that follows it, instead of by what was learned of its beginning."""
    if option.then >= 0.0 or option.after is None:
        return float(_worth(option, look.standing(), ALONE, look.judge)[0])
    total = 0.0
    for loss, chance in zip(option.losses, option.chances, strict=True):
        after = dict(option.after)
        left = after["soldiers"] - loss
        if left + len(after["specialists"]) <= 0:
            continue
        after |= {"soldiers": max(0, round(left)), "courage": max(0, after["courage"] - int(option.courage))}
        after |= {"faces": [-1] * 6, "colours": list(HOME), "locked": 0, "out": 0, "added": [], "done": [], "roll": 0}
        units = [after if seat == look.seat else one for seat, one in enumerate(look.units)]
        total += chance * Sight({**look.view, "phase": "roll", "units": units}, look.seat, look.judge).promise()
    return total


# ---------------------------------------------------------------------- moves, purchases and cards

TRUST = 0.5
"""How far plans are trusted against what was learned of the moment before them."""


def best_plan(look: Sight, unit: Unit, moves: Iterable[str] | None = None) -> tuple[float, Option | None]:
    """Of the Unit as it stands between its tally and its move."""
    options = plans(look, look.judge, unit, moves)
    if not options:
        return 0.0, None
    seen = look if unit is look.me else Look({**look.view, "units": _with(look, unit)}, look.seat)
    worths = outlook(options, standing(seen, unit), ALONE, look.judge)[:, 0]
    best = int(worths.argmax())
    return float(worths[best]), options[best]


def _with(look: Look, unit: Unit) -> list[Unit]:
    return [unit if one is look.me else one for one in look.units]


def move_values(decision: Decision, look: Sight) -> dict[str, tuple[float, Option | None]]:
    keys = [key for key in decision.keys if key == "stay" or key.startswith("move:")]
    return {key: best_plan(look, look.me, [key]) for key in keys}


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


def acquire_values(decision: Decision, look: Sight) -> dict[str, float]:
    found = {}
    for key in decision.keys:
        unit = bought(key, look)
        if unit is None:
            continue
        seen = look if unit is look.me else Sight({**look.view, "units": _with(look, unit)}, look.seat, look.judge)
        then, _ = best_plan(seen, seen.me)
        known = float(look.judge.worth(standing(seen, seen.me), ALONE)[0])
        found[key] = TRUST * then + (1 - TRUST) * known
    return found


def move(decision: Decision, look: Sight, rng: Random) -> str:
    asked, rest = trade_first(decision, look, rng)
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
    asked, rest = trade_first(decision, look, rng)
    usual = asked or ANSWERS["acquire"](rest, look, rng)
    if asked or not searched(look, "acquire"):
        return usual
    if not usual.startswith(("done", "rally:", "find:")):
        return usual
    values = acquire_values(decision, look)
    if len(values) < 2:
        return usual
    best = max(values, key=lambda key: values[key])
    return best if usual not in values or values[best] > values[usual] + MARGIN else usual


def _without(decision: Decision, *verbs: str) -> Decision:
    """The same question without some of the answers."""
    return decision._replace(keys=tuple(key for key in decision.keys if not key.startswith(verbs)))


# ---------------------------------------------------------------------- just before combat


def fight(look: Look, judge: Valuer, seat: int, aids: Sequence[Aid] = ()) -> Option:
    """What the combat does to a Unit that has moved or stayed, with these cards."""
    unit = look.units[seat]
    sector = look.world.sectors[unit["sector"]]
    after = {**unit, "combats": unit["combats"] + 1}
    mine = [aid for aid in aids if seat == look.seat or aid.shared]
    defence = max(0, look.defence(unit["sector"], unit["combats"]) - sum(aid.less for aid in mine))
    lying = look.view["fire"].get(unit["sector"])
    shells = look.shells(unit["sector"], unit["combats"], unit)
    if any(aid.fire for aid in mine):
        pips, chances = _fire(shells)
    elif lying is not None:
        pips, chances = _fire(shells)
        pips = tuple(one + sum(lying) for one in pips)
    else:
        pips, chances = _fire(min(look.fire(unit["sector"], unit["combats"]) + shells, 4))
    saves = look.who(unit).saves
    losses = tuple(max(0.0, defence + one - saves) for one in pips)
    if seat == look.seat:
        gone = {aid.card for aid in mine if aid.spent}
        after = without(after, gone)
    seen = {**look.view, "phase": "", "units": [after if one is unit else one for one in look.units]}
    at = standing(Look(seen, look.seat), after)
    safe = _when_safe(seen, Look(look.view, seat), judge, after, unit["sector"]) if sector.bunker else -1.0
    return Option(("done",), at, 0.0, 0.0, 0.0, 0.0, False, losses, chances, safe)


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
        found[key] = _together(float(outlook([one], one.at, ALONE, look.judge)[0, 0]) for one in worths.values())
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
    asked, rest = trade_first(decision, look, rng)
    if asked:
        return asked
    values = window_values(rest, look) if searched(look, "window") and "done" in decision.keys else {}
    if len(values) > 1:
        best = max(values, key=lambda key: values[key])
        if values[best] > values["done"] + MARGIN:
            return best
    return ANSWERS["window"](_without(rest, *(key for key in values if key != "done")), look, rng)


# ---------------------------------------------------------------------- cards that change dice

TURNS_DICE = ("set-colour", "set-result", "swap-with-pool")


def by_values(look: Sight) -> Judged:
    """What changes of the dice bring, by the probability to win."""
    me = look.me
    dice = list(zip(me["faces"], me["colours"], strict=True))
    beside = [(face, colour) for face, colour in me["added"]]
    terms, at = look.terms(False), look.standing()

    def worth(results: list[Result]) -> float:
        rows = [row for left in left_by_skulls(results, beside, terms) for row in outcomes(left, terms)]
        award = terms.award and straight(results, beside, terms)
        found = np.array(rows)
        found[:, CARDS] += AWARD * 4 / 3 * award
        return float(look.judge.worth(at, found).max())

    now = worth([one for one in dice if one[0] >= 0])

    def with_die(place: int, result: Result) -> float:
        return with_dice([result if n == place else one for n, one in enumerate(dice) if one[0] >= 0])

    def with_dice(results: list[Result]) -> float:
        return worth(results) - now

    return with_die, with_dice


def straight(dice: list[Result], beside: list[Result], terms: Terms) -> bool:
    strict = world_of(terms.key).switches.straight_needs_colour
    shown = {face for face, _ in dice} | {face for face, colour in beside if colour != NONE or not strict}
    return len(shown) == len(FACES) and not world_of(terms.key).ignored


def left_by_skulls(dice: list[Result], beside: list[Result], terms: Terms) -> list[list[int]]:
    """The tallies that are left when Skulls have cancelled dice in any way, as `gains.outcomes` counts them."""
    world = world_of(terms.key)
    skulls = table_of(dice, beside)[4 * SKULL : 4 * SKULL + 4]
    active = 0 if SKULL in world.ignored else sum(skulls) - terms.skulls_ignored
    if active > 0:
        active -= 3 * min(skulls[:3]) + (world.switches.straight_skull_ignored and straight(dice, beside, terms))
    others = [one for one in dice if one[0] != SKULL]
    bones = [one for one in dice if one[0] == SKULL]
    kept = max(0, len(others) - max(0, active))
    return [table_of([*bones, *some], beside) for some in dict.fromkeys(combinations(sorted(others), kept))]


def best_turn_of_dice(card: str, look: Sight) -> tuple[float, Change]:
    """What the best change by this card brings, less what the card is worth if it is gone then."""
    found = find_change(card, look, by_values(look))
    spent = any(
        ability.sacrifice or ability.limit == "single-use"
        for ability in look.world.cards[card].abilities
        if ability.kind == "activated"
    )
    if not spent or not found[1]:
        return found[0] - DICE_MARGIN, found
    return found[0] - (_with_cards(look, look.me) - _with_cards(look, without(look.me, (card,)))) - MARGIN, found


def turns_dice(look: Look, card: str) -> bool:
    """Does this card turn dice of its Unit, and nothing that another has to agree to?"""
    if card not in look.world.cards:
        return False
    ops = [
        op.tag
        for ability in look.world.cards[card].abilities
        if ability.kind == "activated" and ability.mode in ("", look.mode)
        for op in ability.ops
    ]
    return bool(ops) and all(tag in TURNS_DICE for tag in ops)


def turn_dice(decision: Decision, look: Sight, rng: Random) -> str:
    """On the way to the best change of the dice, at whatever question of it we are."""
    if searched(look, "dice") and turns_dice(look, decision.source):
        for key in best_turn_of_dice(decision.source, look)[1][1:]:
            if key in decision.keys:
                return key
    return reply(decision, look, rng)


# ---------------------------------------------------------------------- which card

GAINED = {"award": "awards", "rally": "specialists", "find": "items"}


def _with_cards(look: Sight, unit: Unit) -> float:
    seen = look if unit is look.me else Look({**look.view, "units": _with(look, unit)}, look.seat)
    return float(look.judge.worth(standing(seen, unit), ALONE)[0])


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
            found[key] = _with_cards(look, {**look.me, place: [*look.me[place], card]})
        elif card in look.world.cards and verb == "lose":
            found[key] = _with_cards(look, without(look.me, (card,)))
    if usual not in found:
        return usual
    best = max(found, key=lambda key: found[key])
    return best if found[best] > found[usual] + MARGIN else usual


# ---------------------------------------------------------------------- trades

GOODS = (("soldiers", SOLDIERS), ("courage", COURAGES), ("stars", STARS), ("points", ITEM_POINTS))


class Gift(NamedTuple):
    to: int
    key: str
    """As `give:soldiers=3`."""
    brings: float
    """By how much the two are better off together."""


def best_gift(look: Sight, to: int, moved: bool = False) -> Gift:
    """What this Unit should give to that one; nothing brings nothing. `moved`: all Units have moved or stayed."""
    me, them = look.me, look.units[to]
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
    worths = []
    for seat, sign in ((look.seat, -1.0), (to, 1.0)):
        unit, other = (me, them) if seat == look.seat else (them, me)
        mine = sign * gains
        mine[:, GIVEN] = _weakest_then(look, unit, other, -mine[:, SOLDIERS])
        worths.append(_prospects(look, seat, mine, moved))
    together = np.sqrt(worths[0] * worths[1])
    best = int(together[1:].argmax())
    return Gift(to, keys[best], float(together[best + 1] - together[0]))


def _weakest_then(look: Look, unit: Unit, other: Unit, gained: Floats) -> Floats:
    """By how much the weakest of a Unit's comrades gains when one of them gains so many Soldiers."""

    def margin(one: Unit) -> float:
        return look.strength(one) + look.plan_of(one).low

    rest = [margin(one) for one in look.units if one is not unit and one is not other and one["status"] == 0]
    floor = min([30.0, *rest])
    own = margin(other)
    found: Floats = np.minimum(floor, own + gained) - min(floor, own)
    return found


def _prospects(look: Sight, seat: int, rows: Floats, moved: bool) -> Floats:
    """What a Unit is worth with each of these gains, wherever it is in its turn."""
    judge, unit = look.judge, look.units[seat]
    view = look if seat == look.seat else Look(look.view, seat)
    if moved or look.phase == "combat" or (look.phase == "move" and "move" in unit["done"]):
        option = fight(view, judge, seat)
        return _worth(option, option.at, rows, judge)
    return judge.worth(standing(view, unit), rows)


def trade_first(decision: Decision, look: Sight, rng: Random) -> tuple[str, Decision]:
    """A trade to begin, or "", and the question that is left; without search it is left as it is."""
    if not searched(look, "trade"):
        return "", decision
    return trade_now(decision, look, rng), _without(decision, "trade:")


def searched(look: Sight, *kinds: str) -> bool:
    judge = look.judge
    return isinstance(judge, Values) and any(kind in judge.searches for kind in kinds)


def trade_now(decision: Decision, look: Sight, rng: Random) -> str:
    """`trade:U2` where a gift would help; but nobody is asked for ever."""
    keys = [key for key in decision.keys if key.startswith("trade:")]
    if not keys or (chance := rng.random()) >= URGENT_ASK:
        return ""
    moved = decision.name == "window"
    best = max((best_gift(look, int(key[7:]) - 1, moved) for key in keys), key=lambda gift: gift.brings)
    wanted = best.brings > (TRADE_MARGIN if chance < ASK else URGENT)
    return f"trade:U{best.to + 1}" if wanted else ""


def offer(decision: Decision, look: Sight, rng: Random) -> str:
    """The best gift to the Unit that the open offer is for."""
    if not searched(look, "trade"):
        return BY_THUMB["offer"](decision, look, rng)
    if "propose" in decision.keys:
        return "propose"
    for other in look.others():
        if offered_to(decision, look.units[other]):
            gifts = [best_gift(look, other), best_gift(look, other, True)][: 1 + (look.phase == "move")]
            gift = max(gifts, key=lambda one: one.brings)
            if gift.key in decision.keys and gift.brings > 0:
                return gift.key
    return "withdraw"


def offered_to(decision: Decision, them: Unit) -> bool:
    """Is the open offer for this Unit? What can be taken shows it."""
    takes = dict.fromkeys(("soldiers", "stars", "courage", "points"), 0)
    for key in decision.keys:
        name, found, amount = key[5:].partition("=")
        if key.startswith("take:") and found:
            takes[name] = max(takes[name], int(amount))
    last = 0 if them["specialists"] else 1
    has = {**{name: them[name] for name in takes}, "soldiers": max(0, them["soldiers"] - last)}
    return takes == has


# ---------------------------------------------------------------------- bonuses


def choose(decision: Decision, look: Sight, rng: Random) -> str:
    """The branch of a bonus after which the Unit is best off, where all of them are plain gains."""
    names = {key[7:] for key in decision.keys}
    for bonus in look.world.nations[look.me["nation"]].rwb.values():
        for op in bonus.ops:
            if op.tag == "choose" and names <= {branch.name for branch in op.of} and not decision.source:
                branches = {branch.name: branch.ops for branch in op.of}
                if all(one.tag in ("gain", "free-move") for ops in branches.values() for one in ops):
                    rows = [
                        [
                            sum(column)
                            for column in zip(*(op_row(one, look.key, look.me["nation"]) for one in ops), strict=True)
                        ]
                        for ops in (branches[key[7:]] for key in decision.keys)
                    ]
                    worths = look.judge.worth(look.standing(), np.array(rows))
                    return decision.keys[int(worths.argmax())]
    return BY_THUMB["choose"](decision, look, rng)


# ---------------------------------------------------------------------- answers

OWN: dict[str, Callable[[Decision, Sight, Random], str]] = {
    "move": move,
    "acquire": acquire,
    "window": window,
    "offer": offer,
    "choose": choose,
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
    own = OWN.get(decision.name) if isinstance(look.judge, Values) and look.judge.searches else None
    return own(decision, look, rng) if own is not None else reply(decision, look, rng)


def planned_with(judge: Valuer | None) -> Callable[[Decision, View, Random], str]:
    """How a bot answers that judges so; None: by what was learned for the game that is played."""
    return answer_with(judge, planned)


planner_answer = planned_with(None)
