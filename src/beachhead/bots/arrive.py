"""A Unit takes a way: what it pays for that, and how it stands when it has arrived, before it is fired at."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

from .judgement import PIPS, WorldKey, cant_stay, doors, world_of
from .look import SHIELD, TWO_ARROWS, Look, Unit


class Habits(NamedTuple):
    """What a Unit's cards do by themselves when it moves."""

    cheaper: int
    on_advance: tuple[float, float]
    """Soldiers and Courage."""
    on_move: tuple[float, float]


@lru_cache(maxsize=4096)
def habits(key: WorldKey, cards: tuple[str, ...]) -> Habits:
    cheaper = 0
    gained = {"advance": [0.0, 0.0], "move": [0.0, 0.0]}
    for ability in (ability for card in cards for ability in world_of(key).cards[card].abilities):
        for op in ability.ops:
            if ability.kind == "static" and op.tag == "modify" and op.question == "advance_cost" and op.scope == "self":
                cheaper += -op.by if op.by else 9
            elif ability.kind == "triggered" and ability.on in gained and op.tag == "gain":
                gained[ability.on][0] += op.soldiers
                gained[ability.on][1] += op.courage
    return Habits(cheaper, (gained["advance"][0], gained["advance"][1]), (gained["move"][0], gained["move"][1]))


def habits_of(look: Look, unit: Unit) -> Habits:
    return habits(look.key, (*unit["specialists"], *unit["items"]))


def price(way: Any, look: Look, unit: Unit) -> int:
    """Courage that the way costs; nothing for who has a free move."""
    if not way.forward or unit["marker"] == TWO_ARROWS:
        return 0
    return int(max(0, way.courage - habits_of(look, unit).cheaper))


def shut(sector: str, look: Look) -> bool:
    """Is there a door that nobody has opened?"""
    return sector in doors(look.key) and f"door:{sector}" not in look.view["spent"]


def payment(sector: str, look: Look, unit: Unit) -> tuple[str, ...]:
    """The cards with explosives that are missed least, of those that open the door; none where they do not suffice."""
    cards, needed = look.world.cards, doors(look.key)[sector]
    held = [card for card in (*unit["items"], *unit["specialists"]) if cards[card].explosive]
    sets = (some for size in range(1, needed + 1) for some in combinations(held, size))
    enough = [some for some in sets if sum(cards[card].explosive for card in some) >= needed]
    return min(enough, key=lambda some: sum(map(look.card_worth, some)), default=())


def arrived(way: Any, look: Look, unit: Unit) -> Unit:
    """The Unit when it has taken this way; it has not paid its Courage yet."""
    target, printed, does = look.at(way.to), look.world.sectors[way.to], habits_of(look, unit)
    after = {**unit, "sector": way.to, "visited": [*unit["visited"], way.to], "combats": 1}
    after["marker"] = SHIELD if cant_stay(look.key, look.place(way.to)) else 1
    soldiers, courage = does.on_move
    if way.forward:
        soldiers, courage = soldiers + does.on_advance[0], courage + does.on_advance[1]
    if target.on_entry:
        soldiers += int(PIPS * target.on_entry.soldiers_d6)
    cry = unit["marker"] == TWO_ARROWS  # it waives what the Sector asks for
    if not cry and shut(way.to, look):
        after = without(after, payment(way.to, look, unit))
    after["soldiers"], after["courage"] = unit["soldiers"] + soldiers, unit["courage"] + courage
    if not cry and target.sacrifice and unit["specialists"]:
        asked = target.sacrifice in unit["specialists"]
        least = target.sacrifice if asked else min(unit["specialists"], key=look.card_worth)
        after = without(after, (least,))
    if target.joins and target.joins.specialist not in unit["specialists"]:
        after["specialists"] = [*after["specialists"], target.joins.specialist]
    lying = [card for card in (*target.items, *(printed.items_alone or ())) if card in look.view["lying"]]
    return {**after, "items": [*after["items"], *lying]} if lying else after


def without(unit: Unit, gone: Collection[str]) -> Unit:
    """The Unit when it has these cards no more."""
    held = ("specialists", "items", "awards")
    return {**unit, **{name: [card for card in unit[name] if card not in gone] for name in held}}
