"""Dice that people roll on their own table: which dice a roll wants, what they may show, and the request in words."""

from __future__ import annotations

from typing import NamedTuple

from ..core.node import Roll
from ..say import say
from . import fire
from .dice import ALL, COLOURS, DICE, FACES, HOME, MEMBERS
from .state import Landing
from .text import rolled_marker
from .words import FACE_WORDS, card_name, unit_name


class Thrown(NamedTuple):
    """What is to be rolled. `dice` names the dice of a Unit (`R1`) and the Kommandant's (`K`), or holds a "" for each
    common die.
    """

    prompt: str
    dice: tuple[str, ...]
    faces: tuple[tuple[int, str, str], ...]
    """Value, name ("" for pips) and words of everything that such a die may show."""


def thrown(g: Landing, roll: Roll, seat: int) -> Thrown:
    """What `roll` wants of people; `seat` is the lane it lies on, -1 for the main stack."""
    kind = roll.stream.partition(":")[0]
    frame = g.main[-1] if seat < 0 else g.lanes[seat][-1]
    if not roll.low:
        dice = tuple(DICE[place] for place in MEMBERS[frame[1] if kind == "dice" else ALL])
        faces = tuple((value, face, FACE_WORDS[face]) for value, face in enumerate(FACES))
        prompt = say("own-dice.unit", who=unit_name(seat), n=len(dice), dice=", ".join(dice))
        return Thrown(prompt, dice, faces)
    words = rolled_marker if kind == "blind" else str
    faces = tuple((value, "", words(value)) for value in range(roll.low, roll.low + roll.sides))
    if fire.with_symbols(g.world, roll.stream if kind == "mgf" else kind):
        faces = tuple((value, name, FACE_WORDS[name]) for value, name in enumerate(fire.FACES, 1))
    return Thrown(_why(g, roll, kind, seat), ("",) * roll.size, faces)


def _why(g: Landing, roll: Roll, kind: str, seat: int) -> str:
    if kind == "mgf":
        return say("own-dice.mgf", n=roll.size, id=roll.stream.partition(":")[2])
    if kind == "tie":
        return say("own-dice.tie", who=unit_name(seat), unit=unit_name(g.lanes[seat][-1][1]))
    if kind == "card-die":
        return say("own-dice.card", card=card_name(roll.source))
    return say(f"own-dice.{kind}", n=roll.size, who=unit_name(seat))


def colour(die: str) -> str:
    """The colour of a die by its name; "" for a common one."""
    return COLOURS[HOME[DICE.index(die)]] if die in DICE else ""
