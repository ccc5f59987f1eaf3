"""Boards to draw: small ones written here, and all that are shipped."""

from __future__ import annotations

from beachhead.content.library import EDITIONS, library
from beachhead.content.schema import CardLists, Door, Edges, Joins, Map, OnEntry, Row, Sector, SpecialDamage, Start

SHIPPED = [board for edition in EDITIONS for board in library().maps[edition].values()]


def make(rows: str, forward: str = "", lateral: str = "", **sectors: Sector) -> Map:
    """A board from few words: rows "1 2 / 3 / B" from bottom to top, lines "1-3 2-3"."""
    cut = [row.split() for row in rows.split("/")]
    names = [name for row in cut for name in row]
    found = {name: sectors.get(f"s{name}", Sector((3,), bunker=name.startswith("B"))) for name in names}
    return Map(
        format=1,
        id="x00-made-up",
        name="Made up",
        edition="first",
        rows=tuple(Row(tuple(row), n) for n, row in enumerate(cut)),
        sectors=found,
        edges=Edges(lines(forward), lines(lateral)),
        cards=CardLists(),
    )


def lines(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(pair.split("-")) for pair in text.split())


PROOF = make(
    "1 2 / 3 4 5 / 6 7 8 9 / 10 11 12 / B1 13 B2",
    "1-3 1-4 2-4 2-5 3-6 3-7 4-7 4-8 5-8 5-9 6-10 7-10 7-11 8-11 8-12 9-12 10-B1 11-13 12-B2",
    "1-2 3-4 4-5 6-7 7-8 10-11 11-12 B1-13 13-B2",
    s1=Sector((2,), start=Start(soldiers=4)),
    s2=Sector((2,), start=Start(soldiers=1, courage=3, specialists=("corporal",))),
    s3=Sector((4,), penalty={"star": 3}, award="choice"),
    s4=Sector((3, 5, 7), items=("strategic-map",), def_fixed=True),
    s5=Sector((5,), shield="black", vehicles=("tank",)),
    s6=Sector((6,), mgf=1, special_damage=SpecialDamage(courage=1)),
    s7=Sector((6,), max_units=1, door=Door(3)),
    s8=Sector((7,), mgf=2, reroll_skulls=False),
    s9=Sector((6,), requires=("scout",), door=Door(2, stays_open=False)),
    s10=Sector((9,), mgf=1, requires=("minesweeper", "engineer"), joins=Joins("medic", "first")),
    s11=Sector((8,), locked_dice=3, award="random", on_entry=OnEntry(2)),
    s12=Sector((9,), bonus={"soldier2": 1}, dice=4, sacrifice="scout"),
    s13=Sector((10,), find_items=False),
)
"""Two Bunkers, four Sectors in a row, two neighbours (8 and 9) without a way, and every kind of mark."""
TINY = make("1 / B", "1-B", s1=Sector((2,), start=Start(soldiers=4)))
MIDDLE = make("1 / 2 B 3 / 4 5", "1-2 1-B 1-3 2-4 B-4 B-5 3-5", "2-B B-3 4-5")
"""A Bunker in the middle."""
ODD = make("1 2 3 / 4 5 / 6 B 7 / 8 9", "1-4 3-5 1-5 2-4 4-6 5-7 4-B 6-8 7-9 2-B B-8", "1-2 6-7 8-9")
"""Ways that cross (1-5, 2-4), skip a row (2-B) or a neighbour (6-7)."""
BOARDS = [*SHIPPED, PROOF, TINY, MIDDLE, ODD]
