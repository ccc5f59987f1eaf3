"""Dice of Pocket that people roll on their own table: which dice a roll wants, and what they may show."""

from __future__ import annotations

from typing import Any

from ..core.node import Roll
from ..landing.dice import DICE, FACES, MEMBERS
from ..landing.own_dice import Thrown
from ..landing.words import FACE_WORDS
from ..say import say
from .battle import FIELDS, KOMMANDANT
from .text import FIELD_WORDS, SECTOR_WORDS, player_name


def thrown(g: Any, roll: Roll, seat: int) -> Thrown:
    """What `roll` wants of people; `seat` is the lane it lies on, -1 for the main stack."""
    kind, _, whose = roll.stream.partition(":")
    faces = tuple((value, face, FACE_WORDS[face]) for value, face in enumerate(FACES))
    if kind == "dice":
        dice = tuple(DICE[place] for place in MEMBERS[g.lanes[seat][-1][1]])
        prompt = say("own-dice.unit", who=player_name(seat), n=len(dice), dice=", ".join(dice))
        return Thrown(prompt, dice, faces)
    if kind == "field":
        faces = tuple((value, name, FIELD_WORDS[name]) for value, name in enumerate(FIELDS))
    elif kind == "beach":
        faces = tuple((value, "", SECTOR_WORDS[str(value)]) for value in range(1, 7))
    key = "pocket.own-dice.axis-black" if kind == "axis" and g.deployed else f"pocket.own-dice.{kind}"
    prompt = say(key, n=roll.size, who=player_name(int(whose or 0)))
    dice = ("",) * roll.size
    if kind == "start":
        dice = DICE
    elif kind == "axis" and g.deployed:
        dice = (*dice[1:], KOMMANDANT)
    return Thrown(prompt, dice, faces)
