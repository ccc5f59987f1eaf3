"""Rally a Specialist, find an Item, draw an Award (first edition Phase 3, second edition Phase 4)."""

from __future__ import annotations

from ..content import schema
from ..core.errors import Reason
from ..core.machine import Frame
from ..core.node import Outcome, Roll
from ..say import say
from . import changes, questions
from .cards import FEASIBLE, free_answer, free_keys, free_refusals, operate, trade_keys, use_keys
from .effects import op_of
from .state import Landing, Unit
from .ties import contested
from .upkeep import take_award
from .words import card_name, unit_name
from .world import RESERVE

AWARD_PRICE = 6


def phase_acquire(g: Landing) -> None:
    for seat, unit in enumerate(g.units):
        if unit.status == 0:
            g.push(seat, ("acquire-open",))


def acquire_open(g: Landing, seat: int, frame: Frame) -> None:
    """Ask only who can do something, alone or with what others here could give."""
    mine, uses, trades = _acquire(g, seat), use_keys(g, seat, "acquire"), trade_keys(g, seat, "acquire")
    if len(mine) > 1 or uses or (trades and _help_matters(g, seat)):
        g.ask(seat, ("acquire",), (*mine, *abandon_keys(g, seat), *uses, *trades))


def _help_matters(g: Landing, seat: int) -> bool:
    """Could the Units here, together, pay for anything at all? If not, a trade can as well wait for the move."""
    world = g.world
    stars = world.slack["rally_cost"] if questions.in_play(g, "rally_cost") else 0
    points = world.slack["find_cost"] if questions.in_play(g, "find_cost") else 0
    courage = 0
    for other, them in enumerate(g.units):
        if them.status == 0 and questions.may_trade(g, seat, other):
            stars += them.stars
            points += them.points
            courage += them.courage
    return stars >= world.cheapest["rally"] or points >= world.cheapest["find"] or courage >= AWARD_PRICE


def acquire_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return (*_acquire(g, seat), *abandon_keys(g, seat), *free_keys(g, seat, "acquire"))


def abandon_keys(g: Landing, seat: int) -> tuple[str, ...]:
    """`abandon:VEHICLE` for a Unit that has one (F-VEH-08)."""
    unit = g.units[seat]
    vehicle = has_vehicle(g, unit) if unit.items else ""
    return (f"abandon:{vehicle}",) if vehicle else ()


def abandon(g: Landing, seat: int, key: str) -> None:
    changes.move_card(g, seat, key[8:], "items", "used", g.world.cite["abandon"])


def _acquire(g: Landing, seat: int) -> list[str]:
    """What it can acquire with what it has. Prices are asked for one by one only where a card in play changes some."""
    unit, world = g.units[seat], g.world
    keys = ["done"]
    stars, points = unit.stars, unit.points
    if stars + world.slack["rally_cost"] >= world.cheapest["rally"] and not _rally_spent(g, seat):
        cards = unit.hand + g.pool
        if questions.in_play(g, "rally_cost"):
            near = world.within("rally", cards, stars + world.slack["rally_cost"])
            keys += [key for key in near if not rally_reasons(g, seat, key[6:])]
        else:
            keys += world.within("rally", cards, stars, _full(g, unit))
    if points + world.slack["find_cost"] >= world.cheapest["find"] and not _find_spent(g, seat):
        cards = g.pool + _vehicles_here(g, unit)
        changed = questions.in_play(g, "find_cost") or questions.in_play(g, "may_find")
        if changed or has_vehicle(g, unit):
            near = world.within("find", cards, points + world.slack["find_cost"])
            keys += [key for key in near if not find_reasons(g, seat, key[5:])]
        elif g.at(unit.sector).find_items:
            keys += world.within("find", cards, points)
    if unit.courage >= AWARD_PRICE and not _award_reasons(g, seat):
        keys.append("award")
    return keys


def _rally_spent(g: Landing, seat: int) -> bool:
    done = g.units[seat].done
    return "rally" in done and done.count("rally") >= questions.ask(g, "rally_limit", 1, seat)


def _find_spent(g: Landing, seat: int) -> bool:
    done = g.units[seat].done
    return "find" in done and done.count("find") >= questions.ask(g, "find_limit", 1, seat)


def acquire_refusals(g: Landing, seat: int, frame: Frame) -> dict[str, tuple[Reason, ...]]:
    unit, world = g.units[seat], g.world
    out = free_refusals(g, seat, "acquire")
    for card in (*unit.hand, *g.pool, *_vehicles_here(g, unit)):
        verb, check = ("rally:", rally_reasons) if world.cards[card].is_specialist else ("find:", find_reasons)
        reasons = check(g, seat, card)
        if reasons:
            out[verb + card] = tuple(reasons)
    for other in range(len(g.units)):
        out |= _taken(g, seat, other)
    for card in g.used:
        key, topic = ("gone", "lone-part") if f"gone:{card}" in g.spent else ("used", "item-used")
        out["find:" + card] = (Reason(say(f"refusal.{key}", card=card_name(card)), world.cite[topic]),)
    reasons = _award_reasons(g, seat)
    if reasons:
        out["award"] = tuple(reasons)
    return out


def _taken(g: Landing, seat: int, other: int) -> dict[str, tuple[Reason, ...]]:
    """Cards that a Unit has and, of those that there are once, the others cannot have any more."""
    world, them = g.world, g.units[other]
    out: dict[str, tuple[Reason, ...]] = {}
    for card in (*them.specialists, *them.dead):
        found = world.cards[card]
        shared = found.kind in ("ranking-specialist", "unique-specialist")
        if shared or other == seat:
            dead = card in them.dead
            topic = "dead" if dead else "rally-taken" if shared else "rally-hand"
            key = "refusal.dead" if dead else "refusal.with"
            text = say(key, card=card_name(card), unit=unit_name(other))
            out["rally:" + card] = (Reason(text, world.cite[topic]),)
    for card in them.items:
        text = say("refusal.has", card=card_name(card), unit=unit_name(other))
        out["find:" + card] = (Reason(text, world.cite["find"]),)
    return out


def rally_reasons(g: Landing, seat: int, card: str) -> list[Reason]:
    """Every rule that keeps this Unit from rallying this Specialist now."""
    unit, world = g.units[seat], g.world
    reasons = []
    cost = questions.rally_cost(g, seat, card)
    if cost > unit.stars:
        reasons.append(Reason(say("refusal.stars", n=cost, held=unit.stars), world.cite["rally"]))
    if _rally_spent(g, seat):
        reasons.append(Reason(say("refusal.one-specialist"), world.cite["rally-limit"]))
    reasons += place_reasons(g, seat, card)
    return reasons


def place_reasons(g: Landing, seat: int, card: str) -> list[Reason]:
    """Limits on who may be in play together (second edition)."""
    world = g.world
    if card not in world.limited or (kind := world.cards[card].kind) not in _full(g, g.units[seat]):
        return []
    topic = "reserve" if kind == RESERVE else "unique"
    return [Reason(say(f"refusal.{topic}"), world.cite[topic])]


def _full(g: Landing, unit: Unit) -> frozenset[str]:
    """Kinds of Specialists of whom nobody may join this Unit any more: it has its own, or somebody has."""
    world = g.world
    limited = world.limited
    full = set()
    for them in g.units if limited else ():
        for card in them.specialists:
            if card in limited:
                kind = world.cards[card].kind
                if them is unit if kind == RESERVE else world.switches.one_unique_in_play:
                    full.add(kind)
    return frozenset(full)


def find_reasons(g: Landing, seat: int, card: str) -> list[Reason]:
    """Every rule that keeps this Unit from finding this Item or Vehicle now."""
    unit, world = g.units[seat], g.world
    reasons = []
    cost = questions.find_cost(g, seat, card)
    if cost > unit.points:
        reasons.append(Reason(say("refusal.points", n=cost, held=unit.points), world.cite["find"]))
    if _find_spent(g, seat):
        reasons.append(Reason(say("refusal.one-item"), world.cite["find-limit"]))
    if not questions.ask(g, "may_find", int(g.at(unit.sector).find_items), seat):
        reasons.append(Reason(say("refusal.no-items-here", id=unit.sector), world.cite["find-here"]))
    if world.cards[card].kind == "vehicle" and has_vehicle(g, unit):
        reasons.append(Reason(say("refusal.has-vehicle"), world.cite["vehicle-one"]))
    return reasons


def has_vehicle(g: Landing, unit: Unit) -> str:
    """The Unit's Vehicle, or ""."""
    for card in unit.items:
        if g.world.cards[card].kind == "vehicle":
            return card
    return ""


def no_vehicles(printed: schema.Sector) -> bool:
    """Is this a Sector in which no Vehicle can be (F-VEH-06)?"""
    return printed.bunker or printed.climb is not None


def _vehicles_here(g: Landing, unit: Unit) -> tuple[str, ...]:
    listed = g.at(unit.sector).vehicles
    return tuple(card for card in listed if card in g.box) if listed else ()


def _award_reasons(g: Landing, seat: int) -> list[Reason]:
    unit, cite = g.units[seat], g.world.cite
    reasons = []
    if unit.courage < AWARD_PRICE:
        reasons.append(Reason(say("refusal.award-price", n=AWARD_PRICE, held=unit.courage), cite["award-buy"]))
    if "award" in unit.done:
        reasons.append(Reason(say("refusal.one-award"), cite["award-limit"]))
    if not g.deck:
        reasons.append(Reason(say("refusal.no-award"), cite["award-empty"]))
    return reasons


def acquire_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    if key == "done":
        return
    if key.startswith("abandon:"):
        g.push(seat, ("acquire-open",))
        abandon(g, seat, key)
        return
    if free_answer(g, seat, "acquire", key, ("acquire-open",)):
        return
    last_award = key == "award" and len(g.deck) == 1
    single = key.startswith("find:") or key[6:] in g.pool or last_award
    if single and contested(g, seat, frame, key):
        return
    g.push(seat, ("acquire-open",))
    take(g, seat, ("take", key))


def take(g: Landing, seat: int, frame: Frame) -> None:
    """Carry out `rally:CARD`, `find:CARD` or `award`, which has been found legal."""
    key = frame[1]
    unit, world = g.units[seat], g.world
    if key == "award":
        changes.gain(g, seat, {"courage": -AWARD_PRICE}, world.cite["award-buy"])
        g.push(seat, ("draw-award", "", world.cite["award-buy"]))
    elif key.startswith("rally:"):
        card = key[6:]
        changes.gain(g, seat, {"stars": -questions.rally_cost(g, seat, card)}, world.cite["rally"])
        unit.done = (*unit.done, "rally")
        join(g, seat, card, world.cite["rally"])
    else:
        card = key[5:]
        changes.gain(g, seat, {"points": -questions.find_cost(g, seat, card)}, world.cite["find"])
        unit.done = (*unit.done, "find")
        start = "pool" if card in g.pool else "box"
        changes.move_card(g, seat, card, start, "items", world.cite["find"])


def join(g: Landing, seat: int, card: str, rule: str) -> None:
    """A Specialist is in the Unit now."""
    unit = g.units[seat]
    start = "hand" if card in unit.hand else "dead" if card in unit.dead else "pool" if card in g.pool else "lying"
    changes.move_card(g, seat, card, start, "specialists", rule)
    operate(g, seat, "rally", seat, (card,), rule, card)


def draw_request(g: Landing, seat: int, frame: Frame) -> Roll:
    stream = "awards"
    return Roll(stream, g.drawn.get(stream, 0), (1,), frame[2], deck=g.deck, source=frame[1])


def draw_outcome(g: Landing, seat: int, frame: Frame, outcome: Outcome) -> None:
    take_award(g, seat, str(outcome[0]), frame[2])


def _no_award(g: Landing, seat: int, op: schema.DrawAward, card: str) -> Reason | None:
    if "award" in g.units[seat].done:
        return Reason(say("refusal.one-award"), g.world.cite["award-limit"])
    return None if g.deck else Reason(say("refusal.no-award"), g.world.cite["award-empty"])


FEASIBLE[schema.DrawAward] = _no_award


# ---------------------------------------------------------------------- Specialists without Stars


def _free_rallies(g: Landing, seat: int, op: schema.Rally) -> list[str]:
    """Specialists who may join by this effect."""
    unit, world = g.units[seat], g.world
    found = [card for card in (*unit.hand, *g.pool) if world.cards[card].is_specialist]
    if op.dead:
        found += unit.dead
    return [card for card in found if not op.counts or not place_reasons(g, seat, card)]


def _no_rally(g: Landing, seat: int, op: schema.Rally, card: str) -> Reason | None:
    if op.counts and _rally_spent(g, seat):
        return Reason(say("refusal.one-specialist"), g.world.cite["rally-limit"])
    if _free_rallies(g, seat, op):
        return None
    return Reason(say("refusal.nobody-joins"), g.world.cards[card].rule)


FEASIBLE[schema.Rally] = _no_rally


def rally_free_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return tuple(f"rally:{card}" for card in _free_rallies(g, seat, op_of(g, frame))) or ("none",)


def rally_free_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    if key == "none":
        if not g.units[seat].specialists and not g.units[seat].soldiers:  # he was paid for by the last Soldier
            changes.wiped_out(g, seat, "wiped-out", g.world.cite["wiped-out"])
        return
    if key[6:] in g.pool and contested(g, seat, frame, key):
        return
    if op_of(g, frame).counts:
        g.units[seat].done = (*g.units[seat].done, "rally")
    join(g, seat, key[6:], g.world.rule_of(frame[1]))


# ---------------------------------------------------------------------- extra finds


def no_find(g: Landing, seat: int, op: schema.Find, card: str) -> Reason | None:
    """Why an effect cannot let this Unit find anything. Cards beat Sectors, bonuses do not (F-PRECEDENCE-01)."""
    unit, world = g.units[seat], g.world
    if op.what == "vehicle":
        if has_vehicle(g, unit):
            return Reason(say("refusal.has-vehicle"), world.cite["vehicle-one"])
        if no_vehicles(g.at(unit.sector)):
            return Reason(say("refusal.vehicle-bunker"), world.cite["vehicle-bunker"])
        if not any(world.cards[one].kind == "vehicle" for one in g.box):
            return Reason(say("refusal.no-vehicle"), world.cite["vehicle"])
    elif not card and not questions.ask(g, "may_find", int(g.at(unit.sector).find_items), seat):
        return Reason(say("refusal.no-items-here", id=unit.sector), world.cite["find-here"])
    return None


FEASIBLE[schema.Find] = no_find


def extra_finds(g: Landing, seat: int, frame: Frame) -> list[str]:
    """What an effect lets the Unit find: Vehicles, or Items in reach of that effect, if it can pay."""
    op = op_of(g, frame)
    unit, world = g.units[seat], g.world
    if op.what == "vehicle":
        cards = [] if has_vehicle(g, unit) else [card for card in g.box if world.cards[card].kind == "vehicle"]
    else:
        cards = [card for card in g.pool if world.cards[card].is_item]
        if op.unlisted and world.switches.special_find == "unlisted":
            cards += [card for card in g.box if world.cards[card].kind == "special-item"]
        elif op.unlisted and world.switches.special_find == "used":
            cards = used_items(g)
        if op.used:
            cards += used_items(g)
    return [card for card in cards if op.free or questions.find_cost(g, seat, card) <= unit.points]


def used_items(g: Landing) -> list[str]:
    """Those that some effects find again; an Item that the map takes out of the game is none of them."""
    return [card for card in g.used if g.world.cards[card].is_item and f"gone:{card}" not in g.spent]


def find_open(g: Landing, seat: int, frame: Frame) -> None:
    if extra_finds(g, seat, frame) or _helped(g, seat, frame):
        g.push(seat, ("find-extra", *frame[1:]))


def _helped(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    """Whom a Unit that pays for its find may trade with before."""
    return () if op_of(g, frame).free else trade_keys(g, seat, "find")


def find_extra_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return ("skip", *(f"find:{card}" for card in extra_finds(g, seat, frame)), *_helped(g, seat, frame))


def find_extra_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    if key == "skip" or free_answer(g, seat, "find", key, ("find-open", *frame[1:])):
        return
    if contested(g, seat, frame, key):
        return
    card = key[5:]
    rule, source = g.world.rule_of(frame[1]), g.world.source_of(frame[1])
    if not op_of(g, frame).free:
        changes.gain(g, seat, {"points": -questions.find_cost(g, seat, card)}, rule, source)
    start = next(place for place in ("pool", "box", "used") if card in getattr(g, place))
    changes.move_card(g, seat, card, start, "items", rule, source)
