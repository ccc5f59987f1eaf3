"""Sectors that touch in the data touch on the paper, and no others. Measured on the drawn outlines."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise
from math import hypot

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beachhead.content.schema import Drawing, Edges, Map, Sector
from beachhead.draw.pen import Point, Points
from beachhead.draw.plan import plan

from .boards import BOARDS, ODD, SHIPPED, make

NEAR = 1.2
"""Closer than this is the same line."""
SHARED = 8.0
"""A border is at least so long; at a corner two Sectors share less."""


def distance(point: Point, a: Point, b: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    size = dx * dx + dy * dy
    t = max(0.0, min(1.0, ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / size)) if size else 0.0
    return hypot(point[0] - a[0] - t * dx, point[1] - a[1] - t * dy)


def shared(one: Points, other: Points) -> float:
    """How much of an outline runs along another."""
    left, right = min(x for x, _ in other) - NEAR, max(x for x, _ in other) + NEAR
    top, bottom = min(y for _, y in other) - NEAR, max(y for _, y in other) + NEAR
    segments = list(zip(other, other[1:] + other[:1], strict=True))
    total = 0.0
    for a, b in zip(one, one[1:] + one[:1], strict=True):
        middle = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        if left <= middle[0] <= right and top <= middle[1] <= bottom:
            if any(distance(middle, *segment) < NEAR for segment in segments):
                total += hypot(b[0] - a[0], b[1] - a[1])
    return total


def measured(board: Map) -> set[frozenset[str]]:
    areas = plan(board).areas
    return {frozenset(pair) for pair in combinations(areas, 2) if shared(areas[pair[0]], areas[pair[1]]) > SHARED}


def in_data(board: Map) -> set[frozenset[str]]:
    return {frozenset(line) for line in (*board.edges.forward, *board.edges.lateral)}


@pytest.mark.parametrize("board", SHIPPED, ids=lambda board: f"{board.edition}-{board.id}")
def test_on_every_shipped_map_exactly_the_sectors_touch_that_have_a_line(board: Map) -> None:
    apart = {frozenset(pair) for pair in plan(board).links}
    assert measured(board) == in_data(board) - apart
    part = {sector: n for n, one in enumerate(board.parts) for sector in one.sectors}
    assert all(len({part[sector] for sector in pair}) == 2 for pair in apart)
    assert bool(apart) == bool(part)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_what_cannot_touch_is_linked(board: Map) -> None:
    ground = plan(board)
    linked = {frozenset(pair) for pair in ground.links}
    assert measured(board) == ground.touching
    assert ground.touching | linked == in_data(board)
    assert not ground.touching & linked


def test_lines_that_cross_or_skip_become_links() -> None:
    assert {frozenset(pair) for pair in plan(ODD).links} == {frozenset("24"), frozenset("2B"), frozenset("67")}


def test_borders_meet_in_a_point_where_no_way_leads_across() -> None:
    assert not plan(make("1 2 / 3 4", "1-3 2-4", "1-2 3-4")).walls()


@st.composite
def boards(draw: st.DrawFn, wild: bool = False) -> Map:
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    names = iter(str(n) for n in range(1, 20))
    rows = [[next(names) for _ in range(size)] for size in sizes]
    forward: list[tuple[str, str]] = []
    for low, up in pairwise(rows):
        # A walk from left to right: each step moves on below, above, or both; a step may be no way.
        a = b = 0
        while True:
            if draw(st.integers(0, 5)):
                forward.append((low[a], up[b]))
            steps = [(da, db) for da, db in ((1, 0), (0, 1), (1, 1)) if a + da < len(low) and b + db < len(up)]
            if not steps:
                break
            da, db = draw(st.sampled_from(steps))
            a, b = a + da, b + db
    beside = [(row[k], row[k + 1]) for row in rows for k in range(len(row) - 1)]
    lateral = [pair for pair in beside if draw(st.booleans())]
    board = make(" / ".join(" ".join(row) for row in rows))
    if wild:
        flat = [name for row in rows for name in row]
        forward += draw(st.lists(st.tuples(st.sampled_from(flat), st.sampled_from(flat)), max_size=4))
        forward = [pair for pair in forward if pair[0] != pair[1]]
    sectors = board.sectors
    if draw(st.booleans()):
        sectors = {name: Sector((1,), drawing=draw(drawings)) for name in sectors}
    return Map(
        1,
        board.id,
        draw(st.text(max_size=8)),
        "first",
        board.rows,
        sectors,
        Edges(tuple(forward), tuple(lateral)),
        board.cards,
    )


drawings = st.builds(
    Drawing,
    col=st.integers(0, 11),
    width=st.integers(1, 12),
    terrain=st.sampled_from(("sea", "sand", "shingle", "grass", "ridge", "bunker")),
)


@settings(max_examples=60, deadline=None)
@given(board=boards())
def test_on_any_board_whose_lines_do_not_cross_exactly_those_touch(board: Map) -> None:
    assert measured(board) == in_data(board)
    assert not plan(board).links


@settings(max_examples=30, deadline=None)
@given(board=boards(wild=True))
def test_on_any_board_every_line_is_a_border_or_a_link(board: Map) -> None:
    ground = plan(board)
    assert measured(board) == ground.touching
    assert ground.touching | {frozenset(pair) for pair in ground.links} == in_data(board)


EIGHT = "23456789"
WIDTHS = [(12,) * 8, (1,) * 8, (5,) + (1,) * 7, (1,) * 7 + (5,)]
"""Nothing said, all as narrow as can be, and one as wide as can be."""


@pytest.mark.parametrize("widths", WIDTHS, ids=str)
def test_eight_sectors_in_a_row_have_room_for_their_marks(widths: tuple[int, ...]) -> None:
    ways = " ".join(f"1-{name} {name}-B" for name in EIGHT)
    board = make(f"1 / {' '.join(EIGHT)} / B", ways, " ".join(f"{a}-{b}" for a, b in pairwise(EIGHT)))
    cols = [0 if widths[0] == 12 else sum(widths[:n]) for n in range(8)]
    drawn = {
        name: Sector((3,), drawing=Drawing(col, width)) for name, col, width in zip(EIGHT, cols, widths, strict=True)
    }
    for n in range(20):
        ground = plan(replace(board, id=f"wide-{n}", sectors={**board.sectors, **drawn}))
        for place in range(8):
            left, right = ground.side(1, place), ground.side(1, place + 1)
            for y in range(200, 360, 8):
                assert crossing(right, y) - crossing(left, y) > 40, (n, place, y)


LOW, HIGH = [f"a{n}" for n in range(8)], [f"c{n}" for n in range(8)]
FANS = {
    "all to all": [f"{a}-{c}" for a in LOW for c in HIGH],
    "first to all, all to last": [f"a0-{c}" for c in HIGH] + [f"{a}-c7" for a in LOW[1:]],
    "last to all, all to first": [f"a7-{c}" for c in HIGH] + [f"{a}-c0" for a in LOW[:-1]],
}


@pytest.mark.parametrize("fan", FANS)
def test_in_a_row_of_many_each_sector_keeps_its_share_and_what_is_far_is_linked(fan: str) -> None:
    ways = " ".join(["1-" + name for name in LOW] + FANS[fan] + [f"{name}-B" for name in HIGH])
    board = make(f"1 / {' '.join(LOW)} / {' '.join(HIGH)} / B", ways, " ".join(f"{a}-{b}" for a, b in pairwise(LOW)))
    for n in range(5):
        one = replace(board, id=f"fan-{n}")
        ground = plan(one)
        for r in (1, 2):
            for place in range(8):
                left, right = ground.side(r, place), ground.side(r, place + 1)
                for y in range(int(ground.base[r + 1]) + 30, int(ground.base[r]) - 30, 8):
                    assert crossing(right, y) - crossing(left, y) > 40, (n, r, place, y)
        assert measured(one) == ground.touching
        assert ground.touching | {frozenset(pair) for pair in ground.links} == in_data(one)
        assert {frozenset(("a3", "c3"))} & in_data(one) <= ground.touching


def crossing(line: Points, y: float) -> float:
    """x where a line from the foot up has this height."""
    for (xa, ya), (xb, yb) in pairwise(line):
        if yb <= y <= ya:
            return xa + (xb - xa) * (ya - y) / max(ya - yb, 0.001)
    return line[0][0] if y > line[0][1] else line[-1][0]
