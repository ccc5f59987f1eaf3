"""Plans of a Unit: what it may do between its tally and the next turn, and what comes of it.

A *plan* is cards that the Unit uses up, a way or a stay. What comes of it is judged as the next turn begins, on average
over mines and fire.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np

from .arrive import arrived, payment, price, shut, without
from .gains import CARDS, COURAGES, FREE, ITEM_POINTS, SOLDIERS, STARS
from .judgement import WorldKey, world_of
from .look import TO_BE_TURNED, TWO_ARROWS, Look, Unit
from .sight import Sight, pips_of
from .tally import HOME
from .values import ALONE, Floats, Standing, Valuer, standing

MARGIN = 0.01
"""By how much of the probability to win another answer than that of exact has to be better."""
POINTS_OF_FIRE = 4
"""So many outcomes of fire are told apart at most."""
LEFT, MANY_LEFT = 0.02, 40
"""What of a win depends on the Soldiers that are left."""


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
    storms: bool
    """Is it the Bunker that it fights for? Who lives is safe."""
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
def fire_of(dice: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Pips and chances, those next to each other put together where there are many."""
    pips, chances = pips_of(dice)
    if len(pips) <= POINTS_OF_FIRE:
        return tuple(pips), tuple(chances)
    ends = np.searchsorted(np.cumsum(chances), np.arange(1, POINTS_OF_FIRE) / POINTS_OF_FIRE - 1e-9) + 1
    parts = [(p, c) for p, c in zip(np.split(pips, ends), np.split(chances, ends), strict=True) if len(p)]
    return tuple(float((p * c).sum() / c.sum()) for p, c in parts), tuple(float(c.sum()) for _, c in parts)


# ---------------------------------------------------------------------- plans


def plans(
    look: Look, judge: Valuer, unit: Unit, moves: Iterable[str] | None = None, purse: float = math.inf
) -> list[Option]:
    """All ways on for this Unit of the seat that looks, with cards that help on them. `moves`: only these; `purse`:
    only those that cost so much Courage at most.
    """
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
            found += _fights(look, judge, unit, after, key, unit["sector"], unit["combats"], 0, 0, aids, purse)
            continue
        way = next(one for one in world.ways[unit["sector"]] if one.key == key)
        cost = price(way, look, unit)
        if cost > purse and not any(aid.free for aid in aids):
            continue
        after = arrived(way, look, unit)
        mines = int(way.mined and look.who(unit).mine > 0)
        found += _fights(look, judge, unit, after, key, way.to, 0, mines, cost, aids, purse)
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
    aids: Sequence[Aid], purse: float,
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
        price = 0 if any(aid.free for aid in used) else cost
        if price > purse:
            continue
        gone = {aid.card for aid in used if aid.spent}
        then = without(after, gone) if gone else after
        fixed = max(0, defence - sum(aid.less for aid in used))
        rolled = (
            (0 if any(aid.fire for aid in used) else dice) + (0 if any(aid.mines for aid in used) else mines) + shells
        )
        pips, chances = fire_of(min(rolled, 4))
        losses = tuple(max(0.0, fixed + one - saves) for one in pips)
        at = standing(look.instead(then, ""), then)
        keys = (*dict.fromkeys(f"use:{aid.card}" for aid in used), key)
        found.append(
            Option(keys, at, 0.0, float(price), 0.0, 0.0, key == "stay", losses, chances, printed.bunker, then)
        )
    return found


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
        pips, chances = fire_of(shells)
    elif lying is not None:
        pips, chances = fire_of(shells)
        pips = tuple(one + sum(lying) for one in pips)
    else:
        pips, chances = fire_of(min(look.fire(unit["sector"], unit["combats"]) + shells, 4))
    saves = look.who(unit).saves
    losses = tuple(max(0.0, defence + one - saves) for one in pips)
    if seat == look.seat:
        gone = {aid.card for aid in mine if aid.spent}
        after = without(after, gone)
    at = standing((look if seat == look.seat else Look(look.view, seat)).instead(after, ""), after)
    return Option(("done",), at, 0.0, 0.0, 0.0, 0.0, False, losses, chances, sector.bunker)


def worth_alone(option: Option, has: Standing, judge: Valuer) -> float:
    """What a plan is worth to a Unit that has so much, as `worth_of` for who gains nothing."""
    if has.stars < option.stars or has.points < option.points or has.courage < option.courage:
        return 0.0
    strength = option.at.soldiers + option.at.bodies
    if option.storms:
        total = 0.0
        for loss, chance in zip(option.losses, option.chances, strict=True):
            if strength > loss:
                total += chance * (1 - LEFT + LEFT * min(strength - loss, MANY_LEFT) / MANY_LEFT)
        return total
    paid, losses, chances = _under_fire(option[2:6], option.losses, option.chances)
    worths = judge.worth(option.at, paid, "turn").reshape(1, -1)
    return float(((worths * (strength > losses)) @ chances)[0])


@lru_cache(maxsize=1024)
def _under_fire(
    price: tuple[float, ...], losses: tuple[float, ...], chances: tuple[float, ...]
) -> tuple[Floats, Floats, Floats]:
    """What a Unit has paid and lost, as rows; its losses, and their chances."""
    stars, courage, points, cards = price
    rows = ALONE.repeat(len(losses), axis=0)
    rows[:, STARS], rows[:, COURAGES], rows[:, ITEM_POINTS], rows[:, CARDS] = -stars, -courage, -points, cards
    rows[:, SOLDIERS] -= losses
    return rows + 0.0, np.array(losses), np.array(chances)


def worth_of(option: Option, has: Standing, rows: Floats, judge: Valuer) -> Floats:
    """What a plan is worth after each of these gains; `has`: what the Unit has before them."""
    free = rows[:, FREE] > 0
    after = rows.copy()
    after[:, FREE] = 0.0
    after[:, STARS] -= option.stars
    after[:, ITEM_POINTS] -= option.points
    after[:, COURAGES] -= np.where(free, 0.0, option.courage)
    after[:, CARDS] += option.cards
    cannot = (has.stars + after[:, STARS] < 0) | (has.points + after[:, ITEM_POINTS] < 0)
    cannot |= (has.courage + after[:, COURAGES] < 0) | (free & option.stay)
    if cannot.all():
        return np.zeros(len(rows))
    strength = option.at.soldiers + option.at.bodies + after[:, SOLDIERS]
    total = np.zeros(len(rows))
    if option.storms:
        for loss, chance in zip(option.losses, option.chances, strict=True):
            left = strength - loss
            total += chance * (left > 0) * (1 - LEFT + LEFT * np.minimum(left, MANY_LEFT) / MANY_LEFT)
    else:
        losses = np.array(option.losses)
        each = after.repeat(len(losses), axis=0).reshape(len(rows), len(losses), -1)
        each[:, :, SOLDIERS] -= losses
        worths = judge.worth(option.at, each.reshape(-1, len(after[0])), "turn").reshape(len(rows), -1)
        total = (worths * (strength[:, None] > losses)) @ np.array(option.chances)
    total[cannot] = 0.0
    return total


def deep(option: Option, look: Sight) -> float:
    """What a plan is worth by the exact turn that follows it, instead of by what was learned of its beginning."""
    if option.storms or option.after is None:
        return worth_alone(option, look.standing(), look.judge)
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


# ---------------------------------------------------------------------- the Unit as it would be


def best_plan(
    look: Look, judge: Valuer, has: Standing, moves: Iterable[str] | None = None
) -> tuple[float, Option | None]:
    """Of the own Unit as it stands between its tally and its move."""
    best: tuple[float, Option | None] = (0.0, None)
    for option in plans(look, judge, look.me, moves, has.courage):
        worth = worth_alone(option, has, judge)
        if worth > best[0]:
            best = worth, option
    if best[1] is None:  # any, even one that cannot be paid
        return 0.0, next(iter(plans(look, judge, look.me, moves)), None)
    return best


def as_it_stands(look: Sight, unit: Unit) -> float:
    seen = look if unit is look.me else look.instead(unit)
    return float(look.judge.worth(standing(seen, unit), ALONE)[0])
