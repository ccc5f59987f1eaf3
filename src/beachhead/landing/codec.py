"""One line for a position, to paste into a bug report:

    landing first n01-exercise-tiger seats=1 | turn=3 phase=move ... | U1 sector=5 soldiers=12 dice=R:star,skull_W:...

It holds what differs from the table as set up, so a position at the start of a turn is short, and one in the middle
of a question carries its pending work. `read_position(write_position(g))` equals `g`.
"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from ..core.errors import BeachheadError, RecordError
from ..core.plain import dump, load, to_json
from .dice import HOME, read_roll, write_roll
from .setup import new_landing
from .state import Landing, Unit
from .world import Setup, World, world_of

LISTS = ("visited", "hand", "specialists", "dead", "items", "awards", "done", "pool", "box", "lying", "used", "deck")
"""Fields that are lists of names: written with commas."""


def write_position(g: Landing) -> str:
    setup = g.world.setup
    fresh = new_landing(g.world)
    head = ["landing", setup.edition, setup.map, f"seats={setup.seats}"]
    for name in ("nations", "switches", "modules", "options", "level"):
        if getattr(setup, name):
            head.append(f"{name}={to_json(getattr(setup, name))}")
    parts = [" ".join(head), " ".join(_changed(g, fresh))]
    for seat, unit in enumerate(g.units):
        parts.append(" ".join([f"U{seat + 1}", *_unit(unit, fresh.units[seat])]))
    return " | ".join(part for part in parts if part)


def _changed(now: Landing | Unit, before: Landing | Unit) -> list[str]:
    out = []
    for field in fields(now):
        value = getattr(now, field.name)
        if not field.compare or field.name == "units" or value == getattr(before, field.name):
            continue
        if field.name in LISTS:
            out.append(f"{field.name}={','.join(value)}")
        elif isinstance(value, int | str):
            out.append(f"{field.name}={value}")
        else:
            out.append(f"{field.name}={to_json(dump(value))}")
    return out


def _unit(unit: Unit, before: Unit) -> list[str]:
    tokens = _changed(unit, before)
    if unit.colours == HOME and -1 not in unit.faces:
        tokens = [token for token in tokens if token.partition("=")[0] not in ("faces", "locked")]
        tokens.append("dice=" + write_roll(unit.faces, unit.colours, unit.locked).replace(" ", "_"))
    return tokens


def read_position(text: str) -> Landing:
    """The state that such a line stands for; raises RecordError for one that cannot be read."""
    head, *parts = [part.strip() for part in text.strip().split(" | ")]
    words = head.split(" ")
    if len(words) < 4 or words[0] != "landing":
        raise RecordError("this is no position: expected it to begin with `landing EDITION MAP seats=N`")
    try:
        given = {name: json.loads(value) for name, _, value in (word.partition("=") for word in words[3:])}
        setup = Setup(words[1], words[2], **{name: _tuples(value) for name, value in given.items()})
        world = world_of(setup)
        return _fill(world, parts)
    except BeachheadError:
        raise
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        raise RecordError(f"this position cannot be read: {error}") from None


def _fill(world: World, parts: list[str]) -> Landing:
    data = dump(new_landing(world))
    for part in parts:
        first, *tokens = part.split(" ")
        if first[:1] == "U" and first[1:].isdigit():
            target: dict[str, Any] = data["units"][int(first[1:]) - 1]
        else:
            target, tokens = data, [first, *tokens]
        for token in tokens:
            name, sign, value = token.partition("=")
            if not sign:
                raise RecordError(f"{token!r} is no part of a position: expected name=value")
            if name == "dice":
                faces, _, target["locked"] = read_roll(value.replace("_", " "))
                target["faces"] = list(faces)
            elif name in LISTS:
                target[name] = value.split(",") if value else []
            elif name in ("nation", "sector", "phase"):
                target[name] = value
            else:
                target[name] = json.loads(value)
    g = load(Landing, data)
    g.world = world
    return g


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value
