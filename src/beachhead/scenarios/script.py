"""The lines of `when`, and the words of scenario files for questions, rolls and events.

U1 lock:R1,W2                                               an answer: who, and the key
roll U1: R:star,skull W:tool,tool B:courage,soldier2        the tally dice that are rolled, by colour
spare U1: R:star,skull W:tool,tool B:courage,soldier2       the solitaire Lieutenant's dice
mine U1: 3                                                  a Land Mine die
entry U1: 5                                                 Soldiers on arrival
mgf 7: 4 2                                                  the MGF dice of Sector 7
table 6: 3                                                  what the first Unit in Sector 6 rolls on its table
shells U1: 5                                                the d6 that a Unit rolls in Combat where shells fall
die U1: 4                                                   a d6 that a card rolls
draw: silver-star                                           a random Award
tie: 3 5                                                    a roll-off: first the one who claims

and in the games of Pocket:

axis: star,tool                                             Axis dice; the Kommandant's die comes last
field: barriers                                             the battlefield die
start U1: star,star,tool,tool,skull,courage                 who begins
free: tool,star                                             the free Specialist of a solo beach
beach: 3                                                    the beach die, where it is rolled
leave: R1                                                   the die that is left out by chance
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ..core.errors import BeachheadError
from ..core.machine import State
from ..core.node import Ask, Event, Node, Outcome, Roll
from ..landing.dice import COLOUR, COLOURS, DICE, FACE, FACES, HOME, MASK, MEMBERS, NAMES, read_roll, write_roll
from ..landing.position import unknown
from ..landing.state import MARKERS, RESOURCES
from ..landing.text import SAY
from ..landing.world import World
from ..pocket.battle import FIELDS

STREAMS = {
    "roll": "dice",
    "spare": "spare",
    "mine": "mine",
    "entry": "entry",
    "mgf": "mgf",
    "table": "table",
    "shells": "shelling",
    "die": "card-die",
    "draw": "awards",
    "tie": "tie",
    "axis": "axis",
    "field": "field",
    "start": "start",
    "free": "free",
    "beach": "beach",
    "leave": "leave",
}
"""How a scenario calls the streams of rolls."""
BY_UNIT = ("roll", "spare", "mine", "entry", "shells", "die", "start")
BY_SECTOR = ("mgf", "table")


class Reply(NamedTuple):
    """An answer to an open question."""

    seat: int
    key: str


class Rolled(NamedTuple):
    """The outcome of a roll. `name` is as in `open_words`: `roll U1`, `mgf 7`, `draw`."""

    name: str
    outcome: Outcome
    colours: tuple[int, ...] = ()
    """Of tally dice: the colour of each."""


Line = Reply | Rolled
_REPLY = re.compile(r"U([1-6]) (\S+)")
_ROLL = re.compile(r"([a-z]+)(?: ([^\s:]+))?: *(.+)")
_FORMS = "expected an answer such as 'U1 lock:R1,W2' or a roll such as 'mgf 7: 4'"


def parse(text: str) -> Line:
    """Raises BeachheadError where the line is neither an answer nor a roll."""
    if found := _REPLY.fullmatch(text):
        return Reply(int(found[1]) - 1, found[2])
    if not (found := _ROLL.fullmatch(text)):
        raise BeachheadError(f"{text!r} is not understood; {_FORMS}")
    name, target, values = found.groups()
    if name not in STREAMS:
        raise BeachheadError(unknown("roll", name, STREAMS))
    needs = "a Unit" if name in BY_UNIT else "a Sector" if name in BY_SECTOR else ""
    if bool(target) != bool(needs) or (name in BY_UNIT and not re.fullmatch("U[1-6]", target)):
        raise BeachheadError(f"{text!r}: expected {needs or 'nothing'} after {name!r}")
    full = f"{name} {target}" if target else name
    if name in ("roll", "spare"):
        faces, colours, locked = read_roll(values)
        if locked:
            raise BeachheadError("a die that is rolled is not Locked: leave the * away")
        dice = sorted(((face, c) for face, c in zip(faces, colours, strict=True) if face >= 0), key=lambda die: die[1])
        return Rolled(full, tuple(face for face, _ in dice), tuple(colour for _, colour in dice))
    if name in ("draw", "leave"):
        return Rolled(full, (values.strip(),))
    if name == "field":
        return Rolled(full, (_face(values.strip(), FIELDS),))
    if name in ("axis", "start", "free"):
        return Rolled(full, tuple(_face(face, FACES) for face in values.strip().split(",")))
    if not re.fullmatch(r"[1-6]( [1-6])*", values.strip()):
        raise BeachheadError(f"{values!r} are no pips: expected numbers from 1 to 6, as in '{full}: 4 2'")
    return Rolled(full, tuple(int(n) for n in values.split()))


def _face(name: str, faces: Sequence[str]) -> int:
    if name not in faces:
        raise BeachheadError(unknown("face", name, faces))
    return faces.index(name)


# ---------------------------------------------------------------------------------------------------- words for a node


def open_words(node: Node | None) -> list[str]:
    """What is open, as `asks` names it: `U1 acquire` for a question, `roll U1` for a roll."""
    if isinstance(node, Ask):
        return [f"U{decision.seat + 1} {decision.name}" for decision in node.decisions]
    return [roll_words(node)] if isinstance(node, Roll) else []


def roll_words(roll: Roll) -> str:
    stream, _, target = roll.stream.partition(":")
    name = next((word for word, known in STREAMS.items() if known == stream), stream)
    if not target:
        return name
    return f"{name} {target if name in BY_SECTOR else f'U{int(target) + 1}'}"


def rolled_dice(g: State, node: Roll) -> str:
    """Which tally dice a roll is about, such as `R1,W2`, or "" for other rolls."""
    if not node.stream.startswith("dice:"):
        return ""
    return NAMES[g.lanes[int(node.stream[5:])][-1][1]]


def fits(g: State, node: Roll, given: Rolled) -> str:
    """Why this outcome is none of that roll, or ""."""
    dice = rolled_dice(g, node)
    if dice and given.colours != tuple(HOME[place] for place in MEMBERS[MASK[dice]]):
        return f"{dice} are rolled, but the line gives {write_roll(given.outcome, given.colours)}"  # type: ignore[arg-type]
    if not node.accepts(given.outcome):
        return f"expected {node.expected()}"
    return ""


# ---------------------------------------------------------------------------------------------------- words for events


def event_words(event: Event) -> dict[str, Any]:
    """An event as a scenario names it: type, unit, rule, source, and its data in words."""
    out: dict[str, Any] = {"type": event.type}
    if event.seat >= 0:
        out["unit"] = f"U{event.seat + 1}"
    data = event.data
    for key, value in data.items():
        if key == "unit":
            out["other"] = f"U{value + 1}"
        elif key == "units":
            out["units"] = tuple(f"U{seat + 1}" for seat in value)
        elif key == "colour":
            out["colour"] = COLOURS[value]
        elif event.type == "marker":
            out["marker"] = MARKERS[value]
        elif event.type == "dice" and key == "faces":
            out["dice"] = write_roll(value, data["colours"])
        elif event.type in ("spare", "kept"):
            out["dice"] = write_roll([face for face, _ in value], [colour for _, colour in value])
        elif key == "target" and data["scope"] in ("unit", "same-move", "fight-sector"):
            out["target"] = f"U{int(value) + 1}"
        elif key != "colours":
            out[key] = value
    out["rule"] = event.rule
    if event.source:
        out["source"] = event.source
    return out


def show(words: dict[str, Any]) -> str:
    """An event on one line, as it could be written in a file."""
    parts = (f"{key} = {_literal(value)}" for key, value in words.items())
    return f"{{ {', '.join(parts)} }}"


def _literal(value: Any) -> str:
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else f'"{value}"'


# ---------------------------------------------------------------------------------------------------- what is wrong

_WORDS = (
    *("done", "stop", "stay", "lost", "skip", "none", "withdraw", "propose"),
    *("mulligan", "keep", "accept", "refuse", "yield", "claim", "award", "safe", "go-on"),
)
_CARD_VERBS = ("rally", "find", "use", "abandon", "lose", "award")
_SECTOR_VERBS = ("move", "start", "sector")
_DICE_VERBS = ("lock", "roll", "leave", "cancel", "free")
_UNIT_VERBS = ("trade", "unit")
_DIE = rf"(U[1-6]\.)?({'|'.join(DICE)})"
_AMOUNT = rf"({'|'.join(RESOURCES)})=\d+"
_OTHER_VERBS = {
    "choose": r"\S+",
    "face": "|".join(FACE),
    "colour": "red|white|blue",
    "die": rf"{_DIE}(,{_DIE})*|\d=[1-6]",
    "pay": rf"none|{_AMOUNT}(,{_AMOUNT})*",
}
VERBS = (
    *_WORDS,
    *_CARD_VERBS,
    *_SECTOR_VERBS,
    *_DICE_VERBS,
    *_UNIT_VERBS,
    *_OTHER_VERBS,
    "fall",
    "discard",
    "add",
    "give",
    "take",
)


def key_faults(world: World, key: str) -> Iterator[str]:
    """What is wrong with the key of an answer in this world, whatever is asked."""
    verb, colon, rest = key.partition(":")
    if key in _WORDS:
        return
    if not colon or verb not in VERBS:
        yield unknown("answer", verb, VERBS)
    elif verb in _CARD_VERBS:
        yield from _cards(world, [rest])
    elif verb in ("fall", "discard"):
        yield from _cards(world, [] if rest == "none" else rest.split(","))
    elif verb in _SECTOR_VERBS:
        if rest not in world.sectors:
            yield unknown("Sector", rest, world.sectors)
    elif verb in _DICE_VERBS:
        if rest not in MASK:
            yield f"{rest!r} is no set of dice: expected names in the order {','.join(DICE)}"
    elif verb in _UNIT_VERBS:
        yield from unit_faults(world, rest)
    elif verb == "add":
        face, _, colour = rest.partition(":")
        if not (face in FACE and colour in COLOUR):
            yield from _cards(world, [rest])
    elif verb in ("give", "take"):
        if not re.fullmatch(rf"{_AMOUNT}|{_DIE}|\d", rest):
            yield from _cards(world, [rest])
    elif not re.fullmatch(_OTHER_VERBS[verb], rest):
        yield f"{rest!r} is nothing that {verb!r} takes: expected {_OTHER_VERBS[verb]}"


def _cards(world: World, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        if name not in world.cards:
            yield unknown("card", name, world.cards)


def unit_faults(world: World, name: str) -> Iterator[str]:
    units = [f"U{seat + 1}" for seat in range(world.setup.seats)]
    if name not in units:
        yield unknown("Unit", name, units)


def line_faults(world: World, line: Line) -> Iterator[str]:
    """Names in a line that this world does not have."""
    if isinstance(line, Reply):
        yield from unit_faults(world, f"U{line.seat + 1}")
        yield from key_faults(world, line.key)
        return
    name, _, target = line.name.partition(" ")
    if name in BY_UNIT:
        yield from unit_faults(world, target)
    elif name in BY_SECTOR and target not in world.sectors:
        yield unknown("Sector", target, world.sectors)
    elif name == "draw":
        yield from _cards(world, [str(line.outcome[0])])


def event_faults(world: World, event: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """(key, message) for each name in an expected event that this world does not have."""
    if "type" not in event:
        yield "", "expected the type of the event"
    elif event["type"] not in SAY:
        yield "type", unknown("event", str(event["type"]), SAY)
    for key in ("unit", "other"):
        if key in event:
            for message in unit_faults(world, str(event[key])):
                yield key, message
    for key in ("card", "source"):
        if key in event and event[key] not in world.cards:
            yield key, unknown("card", str(event[key]), world.cards)
    if "sector" in event and event["sector"] not in world.sectors:
        yield "sector", unknown("Sector", str(event["sector"]), world.sectors)
