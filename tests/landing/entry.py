"""The landing game for the harness: what its events add up to, what is conserved, where the order of seats matters."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

from beachhead.content.library import library
from beachhead.content.schema import CardLists, Resources, SpecialDamage
from beachhead.core.game import Setup as PlainSetup
from beachhead.core.node import Decision, Event
from beachhead.landing.game import GAME, load_landing, new
from beachhead.landing.state import RESOURCES, Landing
from beachhead.landing.world import Setup, World, build
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


SHARED = (
    "find",
    "rally",
    "award",
    "use",
    "add",
    "accept",
    "claim",
    "yield",
    "trade",
    "propose",
    "move",
    "unit",
    "choose",
)


ACROSS = ("swap-give", "swap-take", "swap-consent", "copy-from", "pick-die", "set-face", "set-colour", "set-pips")
"""Questions of cards that look at, or change, dice which other cards may change at the same time."""


def order_matters(decision: Decision, key: str) -> bool:
    """Cards of which there is one, whatever touches two Units, leaving those one could have traded with, and gains that
    give others here a reason to trade.

    Cards that change final dice act one after the other, in the order in which their owners play them.
    """
    return decision.name in ACROSS or key.partition(":")[0] in SHARED


@cache
def rich_world(edition: str, seats: int) -> World:
    """Exercise Tiger with plenty from the start and every card in reach: random games get far and use everything."""
    shelf = library()
    tiger = shelf.maps[edition]["n01-exercise-tiger"]
    plenty = replace(tiger.sectors["1"], start=Resources(soldiers=60, stars=12, courage=14, points=70))
    fire = replace(tiger.sectors["8"], special_damage=SpecialDamage(courage=1, specialists=1), mgf=2, defence=(4, 6, 8))
    ward = replace(tiger.sectors["10"], sacrifice="medic")
    garage = replace(tiger.sectors["2"], vehicles=("jeep", "tank"))
    kinds: dict[str, list[str]] = {}
    for card in shelf.cards[edition].values():
        kinds.setdefault(card.kind, []).append(card.id)
    lists = CardLists(
        specialists_regular=tuple(kinds["regular-specialist"] + kinds.get("reserve-specialist", [])),
        specialists_unique=tuple(kinds["unique-specialist"] + kinds.get("ranking-specialist", [])),
        items_special=tuple(kinds["special-item"]),
    )
    edges = replace(tiger.edges, barriers=(("9", "10"), ("3", "6")))
    sectors = tiger.sectors | {"1": plenty, "2": garage, "8": fire, "10": ward}
    board = replace(tiger, id="rich", sectors=sectors, cards=lists, edges=edges)
    return build(Setup(edition, "rich", seats), shelf, board)


def _rich(setup: PlainSetup) -> World:
    return rich_world(setup["edition"], setup["seats"])


RICH_GAME = GAME._replace(
    name="landing-rich",
    new=lambda setup: new(_rich(setup)),
    load=lambda setup, data: load_landing(_rich(setup), data),
    content_hash=lambda setup: "rich",
)

SETUPS = [{"edition": edition, "seats": seats} for edition in ("first", "second") for seats in (1, 2, 3, 4)] + [
    {"edition": "first", "seats": 2, "switches": {"special_find": "used", "marker_turns_on_turn_one": False}},
    {"edition": "second", "seats": 3, "switches": {"special_find": "pool", "late_skull_acts": True}},
    {"edition": "first", "seats": 2, "options": ["mulligan"]},
    {"edition": "first", "seats": 1, "options": ["well-equipped"]},
    {"edition": "second", "seats": 2, "options": ["bazooka-joe"]},
    {"edition": "first", "seats": 2, "options": ["blind-start"]},
    {"edition": "second", "seats": 2, "options": ["few-good-men"]},
    {"edition": "second", "seats": 2, "options": ["victory-points"]},
    {"edition": "first", "seats": 2, "options": ["bazooka-joe", "bazooka-joe-specialists", "well-equipped"]},
    {"edition": "second", "seats": 3, "options": ["mulligan", "blind-start", "few-good-men", "victory-points"]},
    {"edition": "second", "seats": 2, "options": ["bazooka-joe", "bazooka-joe-specialists"]},
    {"edition": "first", "seats": 3, "level": "practice-run", "options": ["victory-points"]},
    {"edition": "first", "seats": 3, "level": "basic-training"},
]

RICH = Entry(
    "landing-rich",
    RICH_GAME,
    [{"edition": edition, "seats": seats} for edition in ("first", "second") for seats in (1, 2, 4)],
    ledger=ledger,
    counted=counted,
    conserved=conserved,
    order_matters=order_matters,
    shared_ok=(World,),
    games=1,
)

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
