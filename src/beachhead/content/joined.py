"""Two maps laid head to head become one map: the first below, the second above it and upside down."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from .schema import Barrage, CardLists, Edges, Joined, Map, Part, Row, Sector, lost
from .toml import Path_

LONGEST = 6
"""So long a name of a Sector may be to be drawn, with its mark."""


def joined_faults(
    said: Joined,
    maps: dict[str, Map],
    hidden: Container[str] = (),
    gone: Sequence[Path_] = (),
) -> Iterator[tuple[Path_, str]]:
    """(where, what) for every name that the maps do not have. Of maps that are not there, or are `hidden` as
    they cannot be read, nothing is told, nor what may be wrong only for what is `gone`.
    """
    for n, one in enumerate(said.boards):
        if lost(gone, ("boards", n, "map")) or one.map in hidden:
            continue
        if one.map not in maps:
            plain = ", ".join(id for id, board in maps.items() if not board.parts)
            yield ("boards", n, "map"), f"unknown map {one.map!r}: expected one of {plain}"
        elif maps[one.map].parts:
            yield ("boards", n, "map"), f"{one.map!r} is a joined board itself: expected a single map"
        elif maps[one.map].conquer == "each":
            what = f"each Bunker of {one.map!r} has to be conquered, of a joined board any: expected another map"
            yield ("boards", n, "map"), what
    if lost(gone, ("boards",)):
        return
    marks = [one.mark for one in said.boards]
    for n, gun in enumerate(said.guns):
        if gun.board not in marks:
            yield ("guns", n, "board"), f"unknown mark {gun.board!r}"
    sectors: dict[str, Sector] = {}
    for n, one in enumerate(said.boards):
        own = {one.mark + id: sector for id, sector in getattr(maps.get(one.map), "sectors", {}).items()}
        long = [id for id in own if len(id) > LONGEST and re.fullmatch("[A-Za-z0-9]*", id)]
        if long:
            what = f"{long[0]!r} is no name of one to six letters and digits; a shorter mark helps"
            yield ("boards", n, "mark"), what
        for id in own:
            if id in sectors and one.mark not in marks[:n]:
                yield ("boards", n, "mark"), f"both boards have a Sector {id!r}; other marks help"
        sectors |= own
    strange = tuple(one.mark for one in said.boards if one.map not in maps)
    bunkers: list[tuple[Path_, str]] = [(("go_on", n), id) for n, id in enumerate(said.go_on)]
    bunkers += [
        (("closed", n, key), getattr(one, key)) for n, one in enumerate(said.closed) for key in ("bunker", "after")
    ]
    named: list[tuple[Path_, str]] = [(("across", n), id) for n, line in enumerate(said.across) for id in line]
    named += [(("guns", n, "until"), one.until) for n, one in enumerate(said.guns)]
    for where, id in named + bunkers:
        if id not in sectors and not id.startswith(strange):
            yield where, f"unknown Sector {id!r}"
    for where, id in bunkers:
        if id in sectors and not sectors[id].bunker:
            yield where, f"{id!r} is no Bunker"


def named_right(said: Joined, wrong: Iterable[Path_]) -> tuple[Joined | None, list[Path_]]:
    """The board without what is named `wrong` in it, and what is gone of the map that it makes; None where its boards
    themselves are wrong.
    """
    places = {path[:2] for path in wrong}
    if any(path[0] == "boards" for path in places):
        return None, []

    def right(key: str) -> Any:
        return tuple(one for n, one in enumerate(getattr(said, key)) if (key, n) not in places)

    gone = {_MAKES[str(path[0])] for path in places}
    rest = replace(
        said,
        across=right("across"),
        guns=right("guns"),
        closed=right("closed"),
        go_on=right("go_on"),
        items_special=right("items_special"),
    )
    return rest, [path for path in gone if path]


_MAKES: dict[str, Path_] = {
    "across": ("edges",),
    "go_on": ("edges",),
    "guns": ("barrage",),
    "items_special": ("cards",),
    "closed": (),
}
"""What of the map comes from each key. A Bunker that is not closed makes nothing wrong that is right with it."""


def join(said: Joined, maps: dict[str, Map]) -> Map:
    """The map that these boards make; their names have been found right."""
    rows: list[Row] = []
    sectors: dict[str, Sector] = {}
    kinds = ("forward", "lateral", "landmines", "barriers", "retreat")
    edges: dict[str, list[tuple[str, ...]]] = {name: [] for name in kinds}
    parts = []
    for n, board in enumerate(said.boards):
        one, mark = maps[board.map], board.mark
        for row in reversed(one.rows) if n else one.rows:
            names = tuple(mark + sector for sector in (reversed(row.sectors) if n else row.sectors))
            rows.append(replace(row, sectors=names, down=bool(n)))
        for id, sector in one.sectors.items():
            if n:
                drawn = sector.drawing
                sector = replace(sector, drawing=replace(drawn, col=12 - drawn.col - drawn.width))
            opens = mark + sector.opens_after if sector.opens_after else ""
            sectors[mark + id] = replace(sector, opens_after=opens)
        for name, lines in edges.items():
            lines += [tuple(mark + sector for sector in line) for line in getattr(one.edges, name)]
        own = tuple(mark + sector for sector in one.sectors)
        parts.append(Part(board.map, own, one.cards.specialists_regular))
    for closed in said.closed:
        sectors[closed.bunker] = replace(sectors[closed.bunker], opens_after=closed.after)
    for bunker in said.go_on:
        sectors[bunker] = replace(sectors[bunker], go_on=True)
    for a, b in said.across:
        edges["forward"] += [(a, b), (b, a)]
    lists = [maps[board.map].cards for board in said.boards]
    own_guns = tuple(
        Barrage(tuple(board.mark + sector for sector in one.sectors), one.by, board.mark + one.until)
        for board in said.boards
        for one in maps[board.map].barrage
    )
    return Map(
        format=1,
        id=said.id,
        name=said.name,
        edition=said.edition,
        rows=tuple(rows),
        sectors=sectors,
        edges=Edges(**{name: tuple(lines) for name, lines in edges.items()}),
        cards=CardLists(
            _once(card for one in lists for card in one.specialists_regular),
            _once(card for one in lists for card in one.specialists_unique),
            _once(card for cards in (*(one.items_special for one in lists), said.items_special) for card in cards),
        ),
        number=said.number,
        place=said.place,
        date=said.date,
        text=said.text,
        basis=said.basis,
        least_seats=said.least_seats,
        rule=said.rule,
        few_good_men=any(maps[board.map].few_good_men for board in said.boards),
        barrage=own_guns
        + tuple(
            Barrage(part.sectors, one.by, one.until)
            for one in said.guns
            for part, board in zip(parts, said.boards, strict=True)
            if board.mark == one.board
        ),
        parts=tuple(parts),
    )


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
