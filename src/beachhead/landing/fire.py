"""MGF dice: dice with symbols in place of the d6 for Machine Gun Fire, and for Land Mines if so agreed (N-MGF-01).

Each face stands for a number from 1 to 6 (N-MGF-11), so everything that changes a d6 works on them, and a Skull is a 6.
What a face costs was a picture that is lost; both tables are our readings.
"""

from __future__ import annotations

from typing import Any

from ..core.machine import MAIN
from ..core.node import Outcome
from .state import Landing, Unit
from .world import World

FACES = ("soldier1", "soldier2", "star", "courage", "tool", "skull")
"""The face of each number, from 1."""
TOLL = (("soldiers", 1), ("soldiers", 2), ("stars", 1), ("courage", 1), ("points", 1), ("soldiers", 6))
"""What each of them costs (N-MGF-04)."""
LACKING = 6
"""Soldiers, if a Unit does not have that (N-MGF-05)."""
RULE = "N-MGF-04"


def with_symbols(world: World, purpose: str) -> bool:
    """Are these dice MGF dice? `purpose` as in the event `pips`."""
    option = "mgf-dice-mines" if purpose == "mine" else "mgf-dice" if purpose.startswith("mgf:") else ""
    return option in world.options


def face_of(pips: int) -> str:
    return FACES[pips - 1]


def told(g: Landing, purpose: str, pips: Outcome) -> dict[str, Any]:
    """What the event `pips` tells of dice that lie on the table; `faces` where they are MGF dice."""
    faces = {"faces": tuple(face_of(int(n)) for n in pips)} if with_symbols(g.world, purpose) else {}
    return {"for": purpose, "pips": pips, **faces}


def waiting(g: Landing, seat: int) -> str:
    """The purpose of the die that waits for a card of this seat."""
    waiter = next((frame[2] for frame in reversed(g.lanes[seat]) if frame[:2] == ("window-again", "die")), MAIN)
    stack = g.main if waiter == MAIN else g.lanes[waiter]
    return next((str(frame[2][2][0]) for frame in reversed(stack) if frame[0] == "op" and frame[2][0] == "die"), "")


def toll(unit: Unit, pips: Outcome) -> tuple[int, dict[str, int]]:
    """The Soldiers that these dice cost the Unit, and the other resources."""
    soldiers, paid = 0, {"stars": 0, "courage": 0, "points": 0}
    for one in pips:
        name, n = TOLL[int(one) - 1]
        if name == "soldiers":
            soldiers += n
        elif getattr(unit, name) >= paid[name] + n:
            paid[name] += n
        else:
            soldiers += LACKING
    return soldiers, {name: n for name, n in paid.items() if n}


def soldiers(g: Landing, seat: int, pips: Outcome) -> int:
    """The Soldiers that Machine Gun Fire with this result costs a Unit."""
    return toll(g.units[seat], pips)[0] if "mgf-dice" in g.world.options else sum(map(int, pips))


def least(g: Landing, seat: int, dice: int) -> int:
    """The fewest Soldiers that so many dice of Machine Gun Fire cost a Unit. An MGF die costs none as long as the Unit
    has something else to pay with, and then 1.
    """
    if "mgf-dice" not in g.world.options:
        return dice
    unit = g.units[seat]
    return max(0, dice - unit.stars - unit.courage - unit.points)
