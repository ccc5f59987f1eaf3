"""Battle! and Express! for the harness: what their events add up to, and what is conserved."""

from __future__ import annotations

from collections import Counter
from typing import Any

from beachhead.core.node import Event
from beachhead.pocket import battle, express
from beachhead.pocket.world import NEPTUNE, SWITCHES
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
    games=10,
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
