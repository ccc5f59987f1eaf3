"""The landing game for the harness: what its events add up to, what is conserved, where the order of seats matters."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

from beachhead.content.library import library
from beachhead.content.schema import CardLists, Door, SpecialDamage, Start
from beachhead.core.errors import SetupError
from beachhead.core.game import Setup as PlainSetup
from beachhead.core.node import Decision, Event
from beachhead.landing.game import GAME, load_landing, new, setup_of
from beachhead.landing.state import RESOURCES, Landing
from beachhead.landing.world import OPTIONS, Setup, World, build
from tests.harness import Entry

PLACES = ("hand", "specialists", "dead", "items", "awards")


def ledger(events: list[Event]) -> dict[str, Any]:
    """Work out resources, cards, places, markers and dice from nothing but the events."""
    book: dict[str, Any] = {"turn": 0, "over": None}
    for event in events:
        data, me = event.data, f"U{event.seat + 1}"
        if event.type == "table":
            book |= {place: Counter(data[place]) for place in ("pool", "box", "lying", "deck")} | {"used": Counter()}
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
    book |= {place: Counter(getattr(g, place)) for place in ("pool", "box", "lying", "deck", "used")}
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
    """Cards neither come nor go, and every Unit has six dice. On a joined board a Unit's Regular Specialists are those
    of the part that it chooses.
    """
    found = Counter((*g.pool, *g.box, *g.lying, *g.deck, *g.used))
    for unit in g.units:
        for place in PLACES:
            found.update(getattr(unit, place))
    if g.world.part_of:
        found = Counter({card: n for card, n in found.items() if g.world.cards[card].kind != "regular-specialist"})
    found["dice"] = sum(len(unit.faces) for unit in g.units)
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


GIVING = ("pick-rwb",)
"""Bonuses of which some give comrades something: who had finished the phase is asked again, who had not just has it."""


def order_matters(decision: Decision, key: str) -> bool:
    """Cards of which there is one, whatever touches two Units, leaving those one could have traded with, and gains that
    give others here a reason to trade.

    Cards that change final dice act one after the other, in the order in which their owners play them.
    """
    return decision.name in (*ACROSS, *GIVING) or key.partition(":")[0] in SHARED


@cache
def rich_world(setup: Setup) -> World:
    """Exercise Tiger with plenty from the start and every card in reach: random games get far and use everything."""
    shelf, edition = library(), setup.edition
    tiger = shelf.maps[edition]["n01-exercise-tiger"]
    plenty = replace(tiger.sectors["1"], start=Start(soldiers=60, stars=12, courage=14, points=70))
    fire = replace(tiger.sectors["8"], special_damage=SpecialDamage(courage=1, specialists=1), mgf=2, defence=(4, 6, 8))
    ward = replace(tiger.sectors["10"], sacrifice="medic")
    store = replace(
        tiger.sectors["9"], door=Door(explosives=2, stays_open=False), items=("shoulder-patch",), def_fixed=True
    )
    bunker = replace(tiger.sectors["B"], door=Door(explosives=1))
    garage = replace(tiger.sectors["2"], vehicles=("jeep", "tank"), award="random")
    kinds: dict[str, list[str]] = {}
    for card in shelf.cards[edition].values():
        kinds.setdefault(card.kind, []).append(card.id)
    lists = CardLists(
        specialists_regular=tuple(kinds["regular-specialist"] + kinds.get("reserve-specialist", [])),
        specialists_unique=tuple(kinds["unique-specialist"] + kinds.get("ranking-specialist", [])),
        items_special=tuple(kinds["special-item"]),
    )
    edges = replace(tiger.edges, barriers=(("9", "10"), ("3", "6")))
    sectors = tiger.sectors | {"1": plenty, "2": garage, "8": fire, "9": store, "10": ward, "B": bunker}
    board = replace(tiger, id="rich", sectors=sectors, cards=lists, edges=edges)
    return build(setup._replace(map="rich"), shelf, board)


@cache
def plenty_world(setup: Setup) -> World:
    """Any map, with plenty from the start, so that random games reach what lies far up."""
    shelf = library()
    board = shelf.maps[setup.edition][setup.map]
    start = Start(soldiers=90, stars=12, courage=30, points=60)
    sectors = {id: replace(one, start=start) if one.start else one for id, one in board.sectors.items()}
    return build(setup, shelf, replace(board, sectors=sectors))


def _plenty(setup: PlainSetup) -> World:
    return plenty_world(setup_of(setup))


PLENTY_GAME = GAME._replace(
    name="landing-plenty",
    new=lambda setup: new(_plenty(setup)),
    load=lambda setup, data: load_landing(_plenty(setup), data),
    content_hash=lambda setup: "plenty",
)


def _rich(setup: PlainSetup) -> World:
    return rich_world(setup_of(setup))


RICH_GAME = GAME._replace(
    name="landing-rich",
    new=lambda setup: new(_rich(setup)),
    load=lambda setup, data: load_landing(_rich(setup), data),
    content_hash=lambda setup: "rich",
)

LEVELS = {"first": ("practice-run", "basic-training", "advanced-training"), "second": ("advanced-training",)}


def options_of(edition: str) -> list[list[str]]:
    """Each option of the edition, with the one that it builds upon."""
    return [
        [*([option.needs] if option.needs else []), name]
        for name, option in OPTIONS.items()
        if getattr(option, edition)
    ]


def combination(random: Random, board: PlainSetup | None = None) -> PlainSetup:
    """Any nations, level and options that go together, and some other readings; on this board with so many Units, or in
    any edition with any number of them on Exercise Tiger.
    """
    while True:
        edition = board["edition"] if board else random.choice(("first", "second"))
        options = {name for names in options_of(edition) if random.random() < 0.5 for name in names}
        seats = board["seats"] if board else random.randint(1, 4)
        nations = list(library().nations[edition])
        levels = library().maps[edition][board["map"]].levels if board else LEVELS[edition]
        setup: PlainSetup = {
            "edition": edition,
            "seats": seats,
            "nations": random.sample(nations, min(seats, len(nations))),
            "options": sorted(options),
            "level": random.choice(("", "", *levels)),
            "switches": {name: value for name, value in READINGS.items() if random.random() < 0.3},
            **(board or {}),
        }
        try:
            build(setup_of(setup), library())
        except SetupError:
            continue
        return setup


READINGS: dict[str, Any] = {
    "special_find": "used",
    "marker_turns_on_turn_one": False,
    "late_skull_acts": True,
    "straight_skull_ignored": True,
    "battle_cry_opens_doors": False,
    "trade_in_combat": True,
}
MIXED = [combination(Random(f"combination {n}")) for n in range(20)]
SETUPS: list[PlainSetup] = [
    *({"edition": edition, "seats": seats} for edition in LEVELS for seats in (1, 2, 3, 4)),
    *(
        {"edition": edition, "seats": seats, "level": level}
        for edition, levels in LEVELS.items()
        for level in levels
        for seats in (1, 2, 3, 4)
    ),
    *(
        {"edition": edition, "seats": seats, "options": options}
        for edition in LEVELS
        for options in options_of(edition)
        for seats in (1, 3)
    ),
    *MIXED,
]

RICH = Entry(
    "landing-rich",
    RICH_GAME,
    [{"edition": edition, "seats": seats} for edition in LEVELS for seats in (1, 2, 4)]
    + [setup for setup in MIXED if not setup["level"]],
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

BOARDS: list[PlainSetup] = [
    {"edition": edition, "map": board.id, "seats": seats}
    for edition, boards in library().maps.items()
    for board in boards.values()
    for seats in range(board.least_seats, 5)
]
"""Every map of both editions with every number of Units."""

MAPS = replace(
    LANDING,
    name="landing-maps",
    setups=[setup for setup in BOARDS if setup["map"] != "n01-exercise-tiger"],  # which all other entries play
    games=1,
)

PLENTY = replace(
    MAPS,
    name="landing-plenty",
    game=PLENTY_GAME,
    setups=[
        setup
        for setup in MAPS.setups
        if setup["seats"] == library().maps[str(setup["edition"])][str(setup["map"])].least_seats
    ],
)
