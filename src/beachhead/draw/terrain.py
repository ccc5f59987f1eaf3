"""What ground lies where: each row's kind, the colours from the sea bed upward, and the height at every place.

Height is counted in rows: 0 is the lower edge of the first row, 1 its upper edge, and so on, made uneven by noise.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from math import floor

from ..content.schema import Drawing, Map
from .pen import Points
from .plan import LEFT, RIGHT, Plan

CELL = 7.0
Stop = tuple[float, str]
"""A height, and the colour there."""

STOPS: dict[str, tuple[Stop, ...]] = {
    "sea": ((0.0, "map-sea-0"), (0.55, "map-sea-1"), (0.98, "map-sea-2")),
    "sand": ((0.0, "map-sand-0"), (0.85, "map-sand-1")),
    "shingle": ((0.1, "map-stone-0"), (0.85, "map-stone-1")),
    "grass": ((0.06, "map-grass-0"), (0.9, "map-grass-1")),
    "ridge": ((0.1, "map-bluff-0"), (0.85, "map-bluff-1")),
    "bunker": ((0.02, "map-turf-0"), (1.0, "map-turf-1")),
}
TINT = {
    "sea": "map-sea-1",
    "sand": "map-sand-1",
    "shingle": "map-stone-1",
    "grass": "map-grass-1",
    "ridge": "map-bluff-1",
}
"""The colour of a Sector whose ground differs from its row's."""
WET: tuple[Stop, ...] = ((0.12, "map-wet-0"), (0.5, "map-wet-1"))


def row_grounds(board: Map) -> list[str]:
    """The kind of ground of each row: what most of its Sectors have. A board that says nothing gets a beach."""
    if all(sector.drawing == Drawing() for sector in board.sectors.values()):
        return _a_beach(board)
    grounds = []
    for row in board.rows:
        kinds = Counter(board.sectors[sector].drawing.terrain for sector in row.sectors)
        grounds.append(kinds.most_common(1)[0][0])
    return [str(kind) for kind in grounds]


def _a_beach(board: Map) -> list[str]:
    count = len(board.rows)
    out = []
    for r, row in enumerate(board.rows):
        high = r / max(1, count - 1)
        if r == 0 and count > 1:
            out.append("sea")
        elif r == count - 1 and any(board.sectors[sector].bunker for sector in row.sectors):
            out.append("bunker")
        else:
            out.append("sand" if high < 0.55 else "shingle" if high < 0.75 else "ridge")
    return out


def odd_grounds(board: Map) -> dict[str, str]:
    """Sectors whose ground differs from that of their row."""
    grounds = row_grounds(board)
    if all(sector.drawing == Drawing() for sector in board.sectors.values()):
        return {}
    return {
        sector: board.sectors[sector].drawing.terrain
        for kind, row in zip(grounds, board.rows, strict=True)
        for sector in row.sectors
        if board.sectors[sector].drawing.terrain != kind
    }


def ramp(grounds: list[str]) -> list[Stop]:
    """The colours from the lowest to the highest place."""
    out: list[Stop] = []
    for r, kind in enumerate(grounds):
        shore = r > 0 and grounds[r - 1] == "sea" and kind != "sea"
        stops = STOPS[kind]
        if kind == "sea" and r + 1 < len(grounds) and grounds[r + 1] == "sea":
            stops = stops[:1]
        if shore:
            rest = ((1.0, stops[0][1]),) if kind == "sand" else tuple((0.5 + at / 2, colour) for at, colour in stops)
            stops = WET[: 2 if kind == "sand" else 1] + rest
        elif r and kind == "sand":
            stops = ((0.06, stops[0][1]), stops[1])
        out += [(r + at, colour) for at, colour in stops]
    return [(min(out[0][0], 0.0), out[0][1]), *out[1:]]


class Field:
    """The height of the ground everywhere on the map, sampled on a grid."""

    def __init__(self, ground: Plan, bottom: float) -> None:
        self._plan = ground
        self.top, self.bottom = ground.top, bottom
        self.columns = round((RIGHT - LEFT) / CELL)
        self.step = (RIGHT - LEFT) / self.columns
        self.lines = int((bottom - self.top) / CELL) + 1
        self.grid = [
            [self.height(LEFT + i * self.step, self.top + j * CELL) for i in range(self.columns + 1)]
            for j in range(self.lines + 1)
        ]
        """Rows of the grid from the top down."""

    def height(self, x: float, y: float) -> float:
        base = self._plan.base
        r = 0
        while r < len(base) - 2 and y < base[r + 1]:
            r += 1
        size = base[r] - base[r + 1] if y <= base[0] else 260.0
        noise = self._plan.noise
        return r + (base[r] - y) / size + 0.20 * noise.rough(x / 170, y / 170 + 60) + 0.03 * noise.at(x / 21, y / 21)

    def at(self, x: float, y: float) -> float:
        """The height at a place, from the grid."""
        fx, fy = (x - LEFT) / self.step, (y - self.top) / CELL
        i = min(max(floor(fx), 0), self.columns - 1)
        j = min(max(floor(fy), 0), self.lines - 1)
        fx, fy = min(max(fx - i, 0), 1), min(max(fy - j, 0), 1)
        upper = self.grid[j][i] + (self.grid[j][i + 1] - self.grid[j][i]) * fx
        lower = self.grid[j + 1][i] + (self.grid[j + 1][i + 1] - self.grid[j + 1][i]) * fx
        return upper + (lower - upper) * fy

    def level(self, height: float, every: int = 2) -> Points:
        """The line of a height, from left to right, cut off at the edges of the map."""
        out: Points = []
        columns = [*range(0, self.columns, every), self.columns]
        for i in columns:
            down = _Column(self.grid, i)
            j = bisect_left(down, -height)
            if j == 0:
                y = self.top
            elif j > self.lines:
                y = self.bottom
            else:
                above, below = self.grid[j - 1][i], self.grid[j][i]
                share = (above - height) / (above - below) if above != below else 0.0
                y = self.top + (j - 1 + min(max(share, 0), 1)) * CELL
            out.append((LEFT + i * self.step, min(y, self.bottom)))
        return out


class _Column:
    """One column of the grid as a sequence that rises, for bisection."""

    def __init__(self, grid: list[list[float]], i: int) -> None:
        self._grid, self._i = grid, i

    def __len__(self) -> int:
        return len(self._grid)

    def __getitem__(self, j: int) -> float:
        return -self._grid[j][self._i]
