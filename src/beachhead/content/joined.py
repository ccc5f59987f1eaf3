"""Two maps laid head to head become one map: the first below, the second above it and upside down."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from .schema import Barrage, CardLists, Edges, Joined, Map, Part, Row, Sector


def joined_faults(said: Joined, maps: dict[str, Map]) -> list[tuple[str, str]]:
    """(key, message) for every name that the maps do not have. What a map that is not there may have is not told."""
    unknown = [one for one in said.boards if one.map not in maps]
    found = [("boards", f"unknown map {one.map!r}: expected one of {', '.join(maps)}") for one in unknown]
    sectors: dict[str, Sector] = {}
    for board in said.boards:
        own = {board.mark + id: sector for id, sector in getattr(maps.get(board.map), "sectors", {}).items()}
        found += [("boards", f"both boards have a Sector {id!r}; other marks help") for id in own if id in sectors]
        sectors |= own
    bunkers = [("closed", sector) for one in said.closed for sector in (one.bunker, one.after)]
    bunkers += [("go_on", sector) for sector in said.go_on]
    named = [("across", sector) for line in said.across for sector in line]
    named += [("guns", one.until) for one in said.guns]
    strange = tuple(one.mark for one in unknown)
    for key, sector in named + bunkers:
        if sector not in sectors and not sector.startswith(strange):
            found.append((key, f"unknown Sector {sector!r}"))
    found += [(key, f"{id!r} is no Bunker") for key, id in bunkers if id in sectors and not sectors[id].bunker]
    marks = [board.mark for board in said.boards]
    found += [("guns", f"unknown mark {one.board!r}") for one in said.guns if one.board not in marks]
    return found


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
        barrage=tuple(
            Barrage(part.sectors, one.by, one.until)
            for one in said.guns
            for part, board in zip(parts, said.boards, strict=True)
            if board.mark == one.board
        ),
        parts=tuple(parts),
    )


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
