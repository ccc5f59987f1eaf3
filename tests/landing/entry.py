"""The landing game for the harness: what its events add up to, what is conserved, where the order of seats matters."""

from __future__ import annotations

from collections import Counter
from typing import Any

from beachhead.core.node import Decision, Event
from beachhead.landing.game import GAME
from beachhead.landing.state import RESOURCES, Landing
from beachhead.landing.world import World
from tests.harness import Entry

PLACES = ("hand", "specialists", "dead", "items", "awards")


def ledger(events: list[Event]) -> dict[str, Any]:
    """Work out resources, cards, places, markers and dice from nothing but the events."""
    book: dict[str, Any] = {"turn": 0, "over": None}
    for event in events:
        data, me = event.data, f"U{event.seat + 1}"
        if event.type == "table":
            book |= {place: Counter(data[place]) for place in ("pool", "box", "deck")} | {"used": Counter()}
        elif event.type == "start":
            book[me] = {name: data[name] for name in RESOURCES} | {"sector": data["sector"], "marker": 1, "status": 0}
            book[me] |= {place: Counter() for place in PLACES} | {"hand": Counter(data["hand"]), "faces": (-1,) * 6}
        elif event.type == "resources":
            for name, n in data.items():
                book[me][name] += n
        elif event.type == "card":
            start, end = (book[me] if data[end] in PLACES else book for end in ("from", "to"))
            if "unit" in data:
                end = book[f"U{data['unit'] + 1}"]
            start[data["from"]][data["card"]] -= 1
            end[data["to"]][data["card"]] += 1
        elif event.type == "sector":
            assert book[me]["sector"] == data["from"]
            book[me]["sector"] = data["to"]
        elif event.type == "marker":
            book[me]["marker"] = data["face"]
        elif event.type == "dice":
            book[me]["faces"] = data["faces"]
        elif event.type == "aside":
            book[me]["faces"] = (-1,) * 6
        elif event.type == "turn":
            book["turn"] = data["turn"]
        elif event.type in ("safe", "lost"):
            book[me]["status"] = 1 if event.type == "safe" else 2
        elif event.type == "over":
            book["over"] = data["cause"]
    return _tidy(book)


def counted(g: Landing) -> dict[str, Any]:
    """The same numbers, read off the state."""
    book: dict[str, Any] = {"turn": g.turn, "over": g.over[1] if g.over else None}
    book |= {place: Counter(getattr(g, place)) for place in ("pool", "box", "deck", "used")}
    for seat, unit in enumerate(g.units):
        mine: dict[str, Any] = {name: getattr(unit, name) for name in (*RESOURCES, "sector", "marker", "status")}
        mine |= {place: Counter(getattr(unit, place)) for place in PLACES}
        mine["faces"] = unit.faces
        book[f"U{seat + 1}"] = mine
    return _tidy(book)


def _tidy(book: dict[str, Any]) -> dict[str, Any]:
    def clean(value: Any) -> Any:
        if isinstance(value, Counter):
            return sorted((+value).elements())
        if isinstance(value, dict):
            return {key: clean(item) for key, item in value.items()}
        return tuple(value) if isinstance(value, list | tuple) else value

    return {key: clean(value) for key, value in book.items()}


def conserved(g: Landing) -> Counter[str]:
    """Cards neither come nor go, and every Unit has six dice."""
    found = Counter((*g.pool, *g.box, *g.deck, *g.used))
    for unit in g.units:
        for place in PLACES:
            found.update(getattr(unit, place))
        found["dice"] += len(unit.faces)
    return found


SHARED = ("find", "rally", "award", "use", "add", "accept", "claim", "yield", "trade", "propose", "move")


def order_matters(decision: Decision, key: str) -> bool:
    """Cards of which there is one, whatever touches two Units, and leaving those one could have traded with."""
    return key.partition(":")[0] in SHARED


SETUPS = [
    {"edition": edition, "seats": seats} for edition in ("first", "second") for seats in (1, 2, 3, 4)
] + [
    {"edition": "first", "seats": 2, "switches": {"special_find": "used", "marker_turns_on_turn_one": False}},
    {"edition": "second", "seats": 3, "switches": {"special_find": "pool", "late_skull_acts": True}},
]

LANDING = Entry(
    "landing",
    GAME,
    SETUPS,
    ledger=ledger,
    counted=counted,
    conserved=conserved,
    order_matters=order_matters,
    shared_ok=(World,),
)
