"""Battle! and Express! for the harness: what their events add up to, and what is conserved."""

from __future__ import annotations

from collections import Counter
from typing import Any

from beachhead.core.game import Game, Setup
from beachhead.core.node import Event
from beachhead.pocket import battle, express
from beachhead.pocket.content import box
from beachhead.pocket.position import BattleAt, ExpressAt, battle_at, express_at
from beachhead.pocket.world import NEPTUNE, SWITCHES, world_of
from tests.harness import Entry


def express_ledger(events: list[Event]) -> dict[str, Any]:
    """Cards, sector and dice, told by nothing but the events."""
    book: dict[str, Any] = {"sector": 0, "cleared": 0, "faces": {}, "axis": (), "black": -1}
    for event in events:
        data = event.data
        if event.type == "beach":
            book |= {"deck": set(data["deck"]), "squad": set(), "gone": set(data["gone"])}
        elif event.type == "rallied":
            book["deck"].remove(data["card"])
            book["squad"].add(data["card"])
        elif event.type in ("lost-card", "sacrificed"):
            book["squad"].remove(data["card"])
            book["gone"].add(data["card"])
        elif event.type in ("sector", "replay"):
            book |= {"sector": data["sector"], "faces": {}, "axis": (), "black": -1}
        elif event.type == "restart":
            book["faces"] = {}
        elif event.type == "cleared":
            book["cleared"] += 1
        elif event.type in ("dice", "changed"):
            book["faces"][event.seat] = data["faces"]
        elif event.type in ("axis", "axis-added", "axis-ignored"):
            book["axis"], book["black"] = data["axis"], data["black"]
    return book


def express_counted(g: express.Express) -> dict[str, Any]:
    told = {"sector": g.sector, "cleared": g.cleared, "deck": set(g.deck), "squad": set(g.squad), "gone": set(g.gone)}
    lying = {seat: soldier.faces for seat, soldier in enumerate(g.soldiers) if max(soldier.faces) >= 0}
    return told | {"faces": lying, "axis": g.axis, "black": g.black}


def express_conserved(g: express.Express) -> Counter[str]:
    return Counter((*g.deck, *g.squad, *g.gone))


def battle_ledger(events: list[Event]) -> dict[str, Any]:
    """Points and Medals, told by nothing but the events."""
    points: Counter[int] = Counter()
    held: dict[str, int] = {}
    pot = 0
    for event in events:
        data = event.data
        if event.type == "won-skirmish":
            pot += data["points"]
        elif event.type == "lost-skirmish":
            assert data["points"] == pot
            pot = 0
        elif event.type == "retreat":
            assert data["points"] == pot
            points[event.seat] += pot
            pot = 0
        elif event.type == "earned":
            assert held.get(data["card"], -1) == data["from"]
            held[data["card"]] = event.seat
        elif event.type == "played":
            assert held.pop(data["card"]) == event.seat
    return {"points": dict(+points), "pot": pot, "held": held}


def battle_counted(g: battle.Battle) -> dict[str, Any]:
    points = {seat: player.score for seat, player in enumerate(g.players) if player.score}
    held = {card: seat for seat, player in enumerate(g.players) for card in player.medals}
    return {"points": points, "pot": g.pot, "held": held}


def battle_conserved(g: battle.Battle) -> Counter[str]:
    return Counter((*g.deck, *(card for player in g.players for card in player.medals)))


def _midst(setup: Setup) -> tuple[Any, list[Event]]:
    """A game laid out in its midst, as the setup says under `at`: random players seldom get there."""
    setup = dict(setup)
    at = setup.pop("at")
    game = express if isinstance(at, list) else battle
    g: Any
    if game is express:
        sector, squad = at
        g = express_at(world_of("express", setup), ExpressAt(sector, tuple(squad)))
        g.log, g.cause = [], "setup"
        data = {"beach": g.beach, "deck": (*g.deck, *g.squad), "gone": ()}
        g.tell("beach", -1, data, "E-SETUP-03")
        for card in g.squad:
            g.tell("rallied", 0, {"card": card}, "E-SPEC-02")
        for number in range(1, sector):
            g.tell("cleared", -1, {"sector": number}, "E-STEP8-01")
    else:
        g = battle_at(world_of("battle", setup), BattleAt(0, at["skirmish"], medals={0: MINE, 1: THEIRS}))
        g.log, g.cause = [], "setup"
        for seat, cards in enumerate((MINE, THEIRS)):
            for card in cards:
                g.tell("earned", seat, {"card": card, "from": -1}, "B-MEDAL-02")
    told = g.log
    return g, told + game.MACHINE.start(g)


MINE = ("legion-of-merit", "silver-star", "victoria-cross", "croix-de-guerre")
THEIRS = ("memorial-cross", "purple-heart", "medal-of-honor")


def _in_midst(game: Game) -> Game:
    def plain(setup: Setup) -> Setup:
        return {name: value for name, value in setup.items() if name != "at"}

    return game._replace(
        new=_midst,
        load=lambda setup, data: game.load(plain(setup), data),
        content_hash=lambda setup: game.content_hash(plain(setup)),
    )


def _others(game: str) -> dict[str, str]:
    """Every switch at a value that is not its default."""
    return {name: switch.values[-1] for name, switch in SWITCHES[game].items()}


EXPRESS = Entry(
    "express",
    express.GAME,
    [
        *({"beach": beach} for beach in NEPTUNE),
        *({"beach": beach, "options": ["advanced"]} for beach in NEPTUNE),
        {"beach": "juno", "seats": 3, "options": ["kommandant", "advanced"]},
        {"options": ["neptune", "kommandant", "advanced"], "switches": _others("express")},
        {"seats": 4, "options": ["neptune"], "switches": _others("express")},
    ],
    ledger=express_ledger,
    counted=express_counted,
    conserved=express_conserved,
    games=3,
)
BATTLE = Entry(
    "battle",
    battle.GAME,
    [
        {},
        {"seats": 1},
        {"seats": 3, "options": ["kommandant"]},
        {"seats": 2, "options": ["kommandant"], "switches": _others("battle")},
    ],
    ledger=battle_ledger,
    counted=battle_counted,
    conserved=battle_conserved,
    games=2,
)
EVERYBODY = list(box().specialists)
LATE_EXPRESS = Entry(
    "express-late",
    _in_midst(express.GAME),
    [
        *({"beach": beach, "at": [4, EVERYBODY]} for beach in NEPTUNE),
        *({"beach": beach, "options": ["advanced"], "at": [n, EVERYBODY]} for beach in NEPTUNE for n in (2, 4, 5, 6)),
        {"seats": 3, "options": ["kommandant"], "at": [6, EVERYBODY]},
        {"seats": 3, "switches": {"specialists": "holder"}, "at": [3, ["medic", "hero", "general", "veteran"]]},
    ],
    ledger=express_ledger,
    counted=express_counted,
    conserved=express_conserved,
    games=1,
)
LATE_BATTLE = Entry(
    "battle-late",
    _in_midst(battle.GAME),
    [{"at": {"skirmish": 1}}, {"seats": 3, "options": ["kommandant"], "at": {"skirmish": 4}}],
    ledger=battle_ledger,
    counted=battle_counted,
    conserved=battle_conserved,
    games=1,
)
