"""Trading: one Unit makes up an offer, the other accepts or refuses."""

from __future__ import annotations

from functools import cache

from ..core.errors import Reason
from ..core.machine import Frame
from ..say import say
from . import changes, questions
from .acquire import has_vehicle
from .cards import NOBODY, has_stop
from .state import RESOURCES, Landing, Unit
from .words import amounts, card_name, unit_name

Goods = tuple[tuple[str, int], ...]
"""`(resource, amount)` and `(card, 1)` pairs."""

PAYING = frozenset(
    ("casualties", "door", "price", "pick-unit", "pay-to-reduce", "pay-to-save", "sacrifice", "substitute", "give-up")
)
"""Frames of a Unit that owes something: until it has paid it gives nothing away."""


def _tradable_cards(g: Landing, seat: int, other: int) -> list[str]:
    """Cards that this Unit may hand to that one; a Vehicle goes only to a Unit in its Sector (F-VEH-08)."""
    unit = g.units[seat]
    far = unit.sector != g.units[other].sector
    found = [card for card in unit.items if not (far and g.world.cards[card].kind == "vehicle")]
    if not questions.in_play(g, "may_be_traded"):
        return found
    for card in unit.specialists:
        if questions.ask(g, "may_be_traded", 0, seat, card=card) and f"trade:{card}" not in unit.done:
            found.append(card)
    return found


@cache
def _amount_keys(verb: str, name: str, most: int) -> tuple[str, ...]:
    return tuple(f"{verb}:{name}={n}" for n in range(1, most + 1))


def _side_keys(g: Landing, seat: int, other: int, verb: str, goods: Goods) -> tuple[str, ...]:
    unit = g.units[seat]
    named = [name for name, _ in goods]
    keys: tuple[str, ...] = ()
    soldiers = unit.soldiers if unit.specialists else unit.soldiers - 1
    if soldiers > 0 and "soldiers" not in named:
        keys += _amount_keys(verb, "soldiers", soldiers)
    if unit.stars and "stars" not in named:
        keys += _amount_keys(verb, "stars", unit.stars)
    if unit.courage and "courage" not in named:
        keys += _amount_keys(verb, "courage", unit.courage)
    if unit.points and "points" not in named:
        keys += _amount_keys(verb, "points", unit.points)
    for card in _tradable_cards(g, seat, other):
        if card not in named:
            keys += (f"{verb}:{card}",)
    return keys


def offer_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    _, other, give, take, _ = frame
    keys = ["withdraw"]
    if (give or take) and not _faults(g, seat, other, give, take):
        keys.append("propose")
    return (*keys, *_side_keys(g, seat, other, "give", give), *_side_keys(g, other, seat, "take", take))


def offer_refusals(g: Landing, seat: int, frame: Frame) -> dict[str, tuple[Reason, ...]]:
    _, other, give, take, _ = frame
    cite, cards = g.world.cite, g.world.cards
    out: dict[str, tuple[Reason, ...]] = {}
    legal = offer_keys(g, seat, frame)
    for verb, who in (("give", seat), ("take", other)):
        unit = g.units[who]
        for card in unit.items:
            if cards[card].kind == "vehicle" and unit.sector != g.units[seat + other - who].sector:
                out[f"{verb}:{card}"] = (Reason(say("refusal.not-sent", card=card_name(card)), cite["abandon"]),)
        for card in unit.awards:
            out[f"{verb}:{card}"] = (Reason(say("refusal.award-trade"), cite["award-trade"]),)
        for card in unit.specialists:
            if f"{verb}:{card}" not in legal:
                text = say("refusal.specialist-trade", card=card_name(card))
                out[f"{verb}:{card}"] = (Reason(text, cite["trade-specialist"]),)
        if unit.soldiers and not unit.specialists:
            text = say("refusal.last-soldier")
            out[f"{verb}:soldiers={unit.soldiers}"] = (Reason(text, cite["trade-self"]),)
    if "propose" not in legal:
        faults = _faults(g, seat, other, give, take)
        out["propose"] = tuple(faults) or (Reason(say("refusal.empty-offer"), cite["trade-goods"]),)
    return {key: reasons for key, reasons in out.items() if key not in legal}


def _plainly_fine(unit: Unit, goods: Goods) -> bool:
    """Resources alone, which are there, and somebody is left: the common case, told quickly."""
    for name, amount in goods:
        if name not in RESOURCES or getattr(unit, name) < amount:
            return False
        if name == "soldiers" and amount == unit.soldiers and not unit.specialists:
            return False
    return True


def _faults(g: Landing, seat: int, other: int, give: Goods, take: Goods) -> list[Reason]:
    """What is wrong with a trade as it stands now."""
    a, b = g.units[seat], g.units[other]
    owing = [who for who, goods in ((seat, give), (other, take)) if goods and _owes(g, who)]
    together = a.sector == b.sector and not a.status and not b.status
    if together and not owing and _plainly_fine(a, give) and _plainly_fine(b, take):
        return []
    cite = g.world.cite
    reasons = [Reason(say("refusal.owes", unit=unit_name(who)), cite["trade"]) for who in owing]
    if not questions.may_trade(g, seat, other) or a.status or b.status:
        reasons.append(Reason(say("refusal.not-together"), cite["trade"]))
    for who, them, goods, back in ((seat, other, give, take), (other, seat, take, give)):
        unit = g.units[who]
        mine = dict(goods)
        tradable = _tradable_cards(g, who, them)
        for name, amount in goods:
            if name in RESOURCES and getattr(unit, name) < amount:
                lacks = say("refusal.has-not", unit=unit_name(who), what=amounts(((name, amount),)))
                reasons.append(Reason(lacks, cite["trade-goods"]))
            elif name not in RESOURCES and name not in tradable:
                cannot = say("refusal.cannot-trade", unit=unit_name(who), card=card_name(name))
                reasons.append(Reason(cannot, cite["trade-goods"]))
        leaving = sum(1 for name in mine if name in unit.specialists)
        coming = sum(1 for name, _ in back if name not in RESOURCES and g.world.cards[name].is_specialist)
        left = unit.soldiers - mine.get("soldiers", 0) + dict(back).get("soldiers", 0)
        if left + len(unit.specialists) - leaving + coming <= 0:
            reasons.append(Reason(say("refusal.unit-nobody-left", unit=unit_name(who)), cite["trade-self"]))
        vehicles = sum(1 for name, _ in back if name not in RESOURCES and g.world.cards[name].kind == "vehicle")
        own = has_vehicle(g, unit)
        if vehicles + bool(own and own not in mine) > 1:
            reasons.append(Reason(say("refusal.two-vehicles", unit=unit_name(who)), cite["vehicle-one"]))
    return reasons


def _owes(g: Landing, seat: int) -> bool:
    return any(frame[0] in PAYING for frame in g.lanes[seat])


def offer_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    _, other, give, take, window = frame
    if key == "withdraw":
        return
    if key == "propose":
        g.tell("offer", seat, {"unit": other, "give": give, "take": take}, g.world.cite["trade"])
        g.push(seat, ("awaiting", other))
        g.interrupt(other, ("consent", seat, give, take, window))
        return
    name, _, amount = key[5:].partition("=")
    goods = ((name, int(amount or 1)),)
    if key.startswith("give:"):
        g.push(seat, ("offer", other, give + goods, take, window))
    else:
        g.push(seat, ("offer", other, give, take + goods, window))


def consent_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return ("refuse",) if _faults(g, frame[1], seat, frame[2], frame[3]) else ("accept", "refuse")


def consent_refusals(g: Landing, seat: int, frame: Frame) -> dict[str, tuple[Reason, ...]]:
    faults = _faults(g, frame[1], seat, frame[2], frame[3])
    return {"accept": tuple(faults)} if faults else {}


def consent_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    _, asker, give, take, window = frame
    g.release(asker, ("awaiting", seat))
    if key == "refuse":
        g.tell("refused", seat, {"unit": asker}, g.world.cite["trade"])
        return
    rule = g.world.cite["trade"]
    for start, end, goods in ((asker, seat, give), (seat, asker, take)):
        for name, amount in goods:
            if name in RESOURCES:
                changes.gain(g, start, {name: -amount}, rule)
                changes.gain(g, end, {name: amount}, rule)
                if name == "soldiers":
                    changes.pass_on(g, start, end, amount)
            elif name in g.units[start].items:
                changes.hand_over(g, start, end, name, "items", rule)
            else:
                for unit in (g.units[start], g.units[end]):
                    unit.done = (*unit.done, f"trade:{name}")
                changes.hand_over(g, start, end, name, "specialists", rule)
    if not g.lanes[seat]:
        changes.reopen(g, seat)
    if not g.lanes[seat] and has_stop(g, seat, window):
        g.push(seat, ("window", window, NOBODY))
