"""Boards with one number changed. Their name says all: `n04-gold~9:def+1` is Gold Beach with a higher DEF in Sector 9.

So a worker needs nothing but the name, and such a board is in no pack and on no list. `n04-gold~` is the board as it
is: bots that have learned a board by its name know the changed ones no less and no more than this one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, NamedTuple

from ..content.library import library
from ..content.schema import Map, Sector
from ..content.toml import in_bounds
from ..core.game import Setup
from ..landing.game import setup_of
from ..landing.world import world_of

MARK = "~"
ROW = "row "
"""Before the number of a row; the first one is row 1."""
NO_NUMBERS = ("text", "drawing", "random", "reconstructed", "bunker", "passage", "go_on")


class Number(NamedTuple):
    """A number of a board: the Sector or row where it stands, its name there, and what it is; a DEF may be several."""

    place: str
    name: str
    now: tuple[int, ...]

    def by(self, more: int) -> str:
        """The change of it, as a name."""
        return f"{self.place}:{self.name}{more:+}"


def numbers(board: Map) -> list[Number]:
    """Those that are rebuilt; all there are on a board that names none as rebuilt."""
    marked = any(sector.reconstructed for sector in board.sectors.values())
    found = []
    for id, sector in board.sectors.items():
        for name, number in _numbers_of(sector):
            if not marked or name.partition(".")[0] in sector.reconstructed:
                found.append(Number(id, name, number))
    if not marked or board.basis == "reconstructed":
        prices = ((n, row.courage) for n, row in enumerate(board.rows, 1) if row.courage)
        found += [Number(f"{ROW}{n}", "courage", (price,)) for n, price in prices]
    return found


def _numbers_of(sector: Sector) -> Iterator[tuple[str, tuple[int, ...]]]:
    """What a Sector says in numbers, by the names that a pack's file has for it."""
    for one in fields(sector):
        value, name = getattr(sector, one.name), one.metadata.get("key", one.name)
        if one.name in NO_NUMBERS or value == one.default:
            continue
        if _whole(value):
            yield name, (value,)
        elif isinstance(value, tuple) and value and all(map(_whole, value)):
            yield name, value
        elif isinstance(value, dict):
            yield from ((f"{name}.{key}", (n,)) for key, n in value.items() if _whole(n))
        elif is_dataclass(value):
            inner = ((part.name, getattr(value, part.name)) for part in fields(value))
            yield from ((f"{name}.{key}", (n,)) for key, n in inner if _whole(n) and n)


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def changed(board: Map, change: str) -> Map | None:
    """The board with this change, or None where the rules know no such value."""
    found = re.fullmatch(r"(.+):([\w.]+)([+-]\d+)", change)
    assert found is not None, change
    place, name, by = found[1], found[2], int(found[3])
    if place.startswith(ROW):
        n = int(place.removeprefix(ROW)) - 1
        price = board.rows[n].courage + by
        rows = (*board.rows[:n], replace(board.rows[n], courage=price), *board.rows[n + 1 :])
        return None if price < 0 else replace(board, rows=rows)
    sector = board.sectors[place]
    key, _, part = name.partition(".")
    (attribute,) = (one.name for one in fields(sector) if one.metadata.get("key", one.name) == key)
    value = _more(getattr(sector, attribute), part, by)
    if value is None:
        return None
    other = replace(sector, **{attribute: value})
    known = in_bounds(other) and not any(other.check())
    return replace(board, sectors={**board.sectors, place: other}) if known else None


def _more(value: Any, part: str, by: int) -> Any:
    """The value with a number in it raised; None where that would turn a sign round."""
    if isinstance(value, tuple):
        return tuple(n + by for n in value)
    if isinstance(value, dict):
        n = _raised(value[part], by)
        rest = {key: one for key, one in value.items() if key != part}
        return None if n is None else {**rest, part: n} if n else rest
    if is_dataclass(value) and not isinstance(value, type):
        n = _raised(getattr(value, part), by)
        return None if n is None else replace(value, **{part: n})
    return _raised(value, by)


def _raised(n: int, by: int) -> int | None:
    return n + by if n * (n + by) >= 0 and (n or by > 0) else None


def prepare(setup: Setup) -> None:
    """Build the changed board that a setup names, if it names one."""
    if MARK in str(setup.get("map", "")):
        _build(str(setup["edition"]), str(setup["map"]), int(setup["seats"]))


@cache
def _build(edition: str, name: str, seats: int) -> None:
    """From now on `world_of` knows the board; the shelf of maps stays as it is."""
    maps = library().maps[edition]
    plain, _, change = name.partition(MARK)
    board = changed(maps[plain], change) if change else maps[plain]
    assert board is not None, name
    maps[name] = replace(board, id=name)
    try:
        world_of(setup_of({"edition": edition, "map": name, "seats": seats}))
    finally:
        del maps[name]
