"""The geometry of a battlefield: which area of the paper each Sector has, and which borders two Sectors share.

    ground = plan(board)
    ground.areas["7"]              the outline of Sector 7
    ground.border("5", "7")        the points of the border that two touching Sectors share
    ground.touching                the pairs that share one: those that the data names, and no others
    ground.links                   lines of the data between Sectors that cannot touch on this paper

Rows are bands from bottom to top, over the whole width. Neighbours on the paper without a line in the data are kept
apart by a wall, a strip that belongs to nobody.
"""

from __future__ import annotations

from functools import cached_property
from math import pi, sin

from ..content.schema import Map
from .dividers import lay_out
from .pen import Noise, Point, Points

WIDTH = 720.0
LEFT, RIGHT = 30.0, 690.0
ROOM = 110.0
"""Borders that are nearer to each other wave less."""
WALL = 5.0
"""So far each of two Sectors without a way between them stays away from the line."""


class Plan:
    """Use `plan(board)`."""

    def __init__(self, board: Map, top: float, heights: list[float]) -> None:
        self.board = board
        self.rows = [row.sectors for row in board.rows]
        self.where = {sector: (r, c) for r, row in enumerate(self.rows) for c, sector in enumerate(row)}
        self.noise = Noise(board.id + board.name)
        self.base = [top + sum(heights[r:]) for r in range(len(heights) + 1)]
        """y of the lines before they are made to wave: 0 is the lower edge, the last is the upper edge."""
        self._ways, self._borders = lay_out(board, LEFT, RIGHT, self.noise)
        self._dividers: dict[tuple[int, int], Points] = {}
        self.links = self._ways.links

    @property
    def top(self) -> float:
        return self.base[-1]

    # ------------------------------------------------------------------ lines

    def line(self, i: int, x: float) -> float:
        """y of line i at x."""
        if i in (0, len(self.rows)):
            return self.base[i]
        u = (x - LEFT) / 128
        return self.base[i] + 24 * self.noise.at(u + 13.7 * i, i) + 6 * self.noise.at(u * 2.9 + 5, i + 50)

    def stretch(self, i: int, xa: float, xb: float) -> Points:
        """The part of line i between two x."""
        n = max(2, int(abs(xb - xa) / 9))
        return [(x, self.line(i, x)) for x in (xa + (xb - xa) * k / n for k in range(n + 1))]

    def divider(self, r: int, k: int) -> Points:
        """The border after place k of row r, from the foot up."""
        if (r, k) not in self._dividers:
            self._dividers[r, k] = self._draw_divider(r, k)
        return self._dividers[r, k]

    def _draw_divider(self, r: int, k: int) -> Points:
        xb, xt = self._borders.foot[r][k], self._borders.head[r][k]
        yb, yt = self.line(r, xb), self.line(r + 1, xt)
        calm = min(1.0, self._room(r, k) / ROOM) ** 2
        out = []
        for t in (q / 18 for q in range(19)):
            wave = 24 * self.noise.at(t * 2.6 + 7 * r, k * 5 + 200) + 6 * self.noise.at(t * 7 + 3 * r, k + 300)
            out.append((xb + (xt - xb) * t + sin(pi * t) * wave * calm, yb + (yt - yb) * t))
        return out

    def _room(self, r: int, k: int) -> float:
        """How near the border after place k of row r comes to the next ones, before they are made to wave."""
        lines = ([LEFT, *xs, RIGHT] for xs in (self._borders.foot[r], self._borders.head[r]))
        return min(min(xs[k + 1] - xs[k], xs[k + 2] - xs[k + 1]) for xs in lines)

    def side(self, r: int, c: int) -> Points:
        """The left side of place c in row r, from the foot up; one place too many gives the edge of the map."""
        if c in (0, len(self.rows[r])):
            x = LEFT if c == 0 else RIGHT
            return [(x, self.line(r, x)), (x, self.line(r + 1, x))]
        return self.divider(r, c - 1)

    # ------------------------------------------------------------------ who touches whom

    @cached_property
    def touching(self) -> set[frozenset[str]]:
        """The pairs of Sectors that share a border on the paper."""
        found = {
            frozenset((row[k], row[k + 1]))
            for row, ways in zip(self.rows, self._ways.sideways, strict=True)
            for k in ways
        }
        for r, pairs in enumerate(self._ways.upward):
            found |= {frozenset((self.rows[r][a], self.rows[r + 1][b])) for a, b in pairs}
        return found

    def meeting(self, i: int) -> list[tuple[str, str, float, float]]:
        """Who lies below and above line i, stretch by stretch from left to right: lower, upper, from x, to x."""
        out = []
        for a, low in enumerate(self.rows[i - 1]):
            for b, up in enumerate(self.rows[i]):
                left = max(self.side(i - 1, a)[-1][0], self.side(i, b)[0][0])
                right = min(self.side(i - 1, a + 1)[-1][0], self.side(i, b + 1)[0][0])
                if right - left > 0.05:
                    out.append((low, up, left, right))
        return sorted(out, key=lambda part: part[2])

    def border(self, a: str, b: str) -> Points:
        """The border that two touching Sectors share."""
        (ra, ca), (rb, _cb) = sorted((self.where[a], self.where[b]))
        if ra == rb:
            return self.divider(ra, ca)
        for low, up, left, right in self.meeting(rb):
            if {low, up} == {a, b}:
                return self.stretch(rb, left, right)
        raise KeyError(f"{a} and {b} do not touch")

    def walls(self) -> list[Points]:
        """The lines between neighbours on the paper that have no way between them."""
        out = []
        for r, row in enumerate(self.rows):
            out += [self.divider(r, k) for k in range(len(row) - 1) if k not in self._ways.sideways[r]]
        for i in range(1, len(self.rows)):
            for low, up, left, right in self.meeting(i):
                if frozenset((low, up)) not in self.touching:
                    out.append(self.stretch(i, left, right))
        return out

    # ------------------------------------------------------------------ areas

    @cached_property
    def areas(self) -> dict[str, Points]:
        """The outline of every Sector."""
        return {sector: self._outline(sector) for sector in self.where}

    def _outline(self, sector: str) -> Points:
        r, c = self.where[sector]
        left = [(x + self._shy(r, c - 1), y) for x, y in self.side(r, c)]
        right = [(x - self._shy(r, c), y) for x, y in self.side(r, c + 1)]
        below = self._along_line(sector, r, left[0][0], right[0][0])
        above = self._along_line(sector, r + 1, left[-1][0], right[-1][0])
        return below + right[1:-1] + above[::-1] + left[::-1][1:-1]

    def _shy(self, r: int, k: int) -> float:
        """How far the Sectors beside border k of row r stay away from it."""
        inside = 0 <= k < len(self.rows[r]) - 1
        return WALL if inside and k not in self._ways.sideways[r] else 0.0

    def _along_line(self, sector: str, i: int, xa: float, xb: float) -> Points:
        if i in (0, len(self.rows)):
            return [(xa, self.base[i]), (xb, self.base[i])]
        inward = 1 if self.where[sector][0] == i else -1
        out: Points = []
        for low, up, left, right in self.meeting(i):
            if sector in (low, up):
                shy = 0.0 if frozenset((low, up)) in self.touching else -WALL * inward
                part = self.stretch(i, max(left, xa), min(right, xb)) if min(right, xb) > max(left, xa) else []
                out += [(x, y + shy) for x, y in part]
        return out or [(xa, self.line(i, xa)), (xb, self.line(i, xb))]

    def span(self, sector: str, ya: float, yb: float) -> tuple[float, float]:
        """Left and right limit of a Sector for everything between two heights."""
        r, c = self.where[sector]

        def xs(side: Points) -> list[float]:
            near = [x for x, y in side if ya - 6 <= y <= yb + 6]
            return near or [min(side, key=lambda point: abs(point[1] - (ya + yb) / 2))[0]]

        return max(xs(self.side(r, c))) + self._shy(r, c - 1), min(xs(self.side(r, c + 1))) - self._shy(r, c)

    def roof(self, sector: str, xa: float, xb: float) -> float:
        """The lowest point of a Sector's upper border between two x."""
        return max(y for _, y in self.stretch(self.where[sector][0] + 1, xa, xb))

    def floor(self, sector: str, xa: float, xb: float) -> float:
        """The highest point of its lower border."""
        return min(y for _, y in self.stretch(self.where[sector][0], xa, xb))

    def middle(self, sector: str) -> Point:
        xs, ys = zip(*self.areas[sector], strict=True)
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def plan(board: Map, top: float = 12.0, heights: list[float] | None = None) -> Plan:
    """The geometry of a board; `heights` of its rows, from bottom to top."""
    return Plan(board, top, heights or [180.0] * len(board.rows))
