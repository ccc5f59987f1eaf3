"""Rules of thumb for Battle! and Express!: keep what matches an Axis die, roll everything else; use cards that match
one more; go on while few dice wait.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.node import Decision
from ..core.plain import Plain
from .tally import FACES

SMALL = ("express", "battle")
DICE = ("R1", "R2", "W1", "W2", "B1", "B2")
WORTH = ("general", "engineer", "hero", "corporal", "veteran", "medic", "captain")
"""Specialists, the most helpful first."""
ENOUGH = {1: 99, 2: 7, 3: 4}
"""Battle!: after so many skirmishes one retreats with so many points at stake; later always."""
Seen = dict[str, Any]


def small_answer(decision: Decision, seen: dict[str, Plain]) -> str:
    return ANSWERS.get(decision.name, first)(decision, seen)


def first(decision: Decision, seen: Seen) -> str:
    """`pass`, `deploy`: whatever is named first."""
    return decision.keys[0]


def _lying(decision: Decision, seen: Seen) -> tuple[list[int], list[int], list[int]]:
    """The faces of the seat's dice, what it has of each face, and what it needs."""
    if seen["game"] == "express":
        me = seen["soldiers"][decision.seat]
        return list(me["faces"]), list(me["results"]), list(seen["needed"])
    axis = [*seen["axis"], *([seen["black"]] if seen["black"] >= 0 else [])]
    faces = list(seen["faces"])
    return faces, [faces.count(face) for face in range(6)], [axis.count(face) for face in range(6)]


def missing(have: list[int], need: list[int]) -> int:
    return sum(max(0, theirs - mine) for mine, theirs in zip(have, need, strict=True))


def reroll(decision: Decision, seen: Seen) -> str:
    """All dice that match nothing, as far as they may be rolled; in Battle! they may still bring a Medal."""
    faces, have, need = _lying(decision, seen)
    if not missing(have, need) and (seen["game"] == "express" or earned(faces)):
        return "stop"
    kept = [0] * 6
    loose = []
    for die, face in zip(DICE, faces, strict=True):
        if face >= 0 and kept[face] < need[face]:
            kept[face] += 1
        elif face >= 0:
            loose.append(die)
    legal = set(decision.keys)
    free = [die for die in loose if f"roll:{die}" in legal]
    while free:
        key = f"roll:{','.join(free)}"
        if key in legal:
            return key
        free.pop()
    return "stop"


def earned(faces: list[int]) -> bool:
    """Whether the dice make an RWB or a Straight."""
    red, white, blue = (set(faces[place : place + 2]) - {-1} for place in (0, 2, 4))
    return bool(red & white & blue) or len(set(faces) - {-1}) == 6


def change(decision: Decision, seen: Seen) -> str:
    """The way to use or play a card on a die that leaves the least missing; nothing if none helps."""
    faces, have, need = _lying(decision, seen)
    best, chosen = missing(have, need), decision.keys[0]
    for key in decision.keys:
        verb, *rest = key.split(":")
        mine, theirs = list(have), list(need)
        if verb not in ("use", "play") or len(rest) < 3 or rest[-1] not in FACES:
            continue
        if rest[1] in DICE:
            mine[faces[DICE.index(rest[1])]] -= 1
            mine[FACES.index(rest[-1])] += 1
        else:
            old = seen["black"] if rest[1] == "K" else seen["axis"][int(rest[1][1:]) - 1]
            theirs[old] -= 1
            theirs[FACES.index(rest[-1])] += 1
        if missing(mine, theirs) < best:
            best, chosen = missing(mine, theirs), key
    return chosen


def sacrifice(decision: Decision, seen: Seen) -> str:
    """The Hero for somebody who does not match; else the Medic, if somebody does not."""
    need = list(seen["needed"])
    short = [n for n, one in enumerate(seen["soldiers"]) if not one["cleared"] and missing(one["results"], need)]
    heroes = [key for n in short for key in decision.keys if key.endswith(f":U{n + 1}")]
    if len(short) == 1 and heroes:
        return heroes[0]
    again = [key for key in decision.keys if key.startswith("use:") and ":U" not in key]
    return again[0] if short and again else heroes[0] if heroes else "pass"


def rally(decision: Decision, seen: Seen) -> str:
    """As many as may come, the most helpful first."""

    def helpful(key: str) -> tuple[int, int]:
        cards = [name.partition(":")[0] for name in key.partition(":")[2].split(",")]
        if key == "none":
            return (0, 0)
        return (len(cards), -min(WORTH.index(card) if card in WORTH else len(WORTH) for card in cards))

    return max(decision.keys, key=helpful)


def lose(decision: Decision, seen: Seen) -> str:
    """The least helpful."""
    cards = [key for key in decision.keys if key.startswith("lose:")]
    return max(cards, key=lambda key: WORTH.index(key[5:]) if key[5:] in WORTH else len(WORTH))


def kommandant(decision: Decision, seen: Seen) -> str:
    """He is kept away, unless the Hero can deal with him."""
    return "deploy" if "hero" in seen["squad"] else lose(decision, seen)


def medal(decision: Decision, seen: Seen) -> str:
    """In one's own turn what wins the skirmish; in another's what hurts who has much at stake."""
    _, have, need = _lying(decision, seen)
    lost = bool(missing(have, need)) and not seen["won"]
    if decision.seat != seen["active"]:
        stake = seen["pot"] + seen["worth"]
        hurt = [key for key in decision.keys if key in ("play:memorial-cross", "play:purple-heart")]
        return hurt[0] if hurt and not lost and stake >= 8 and not seen["order"] and not seen["worthless"] else "pass"
    if not lost or seen["pot"] + seen["worth"] < 6:
        return "pass"
    key = change(decision, seen)
    if key != "pass" and missing(have, need) == 1:
        return key
    return next((key for key in ("play:croix-de-guerre", "play:silver-star") if key in decision.keys), "pass")


def decide(decision: Decision, seen: Seen) -> str:
    """Retreat when enough is at stake, or when it wins."""
    mine = seen["players"][decision.seat]["score"]
    enough = ENOUGH.get(seen["skirmish"], 0)
    if mine + seen["pot"] >= 30 or seen["pot"] >= enough:
        return "retreat"
    return "advance"


def deploy(decision: Decision, seen: Seen) -> str:
    """The Kommandant costs freedom and brings a point: against few dice he is welcome."""
    return "deploy" if seen["skirmish"] <= 2 else "no"


ANSWERS: dict[str, Callable[[Decision, Seen], str]] = {
    "reroll": reroll,
    "specialist": change,
    "sacrifice": sacrifice,
    "rally?": rally,
    "free": rally,
    "lose?": lose,
    "kommandant": kommandant,
    "medal": medal,
    "decide": decide,
    "deploy": deploy,
}
"""Question -> how it is answered. All others are answered by `first`."""
