"""Lines of equal height through a grid of heights: marching squares, joined into long lines."""

from __future__ import annotations

from collections.abc import Callable

from .pen import Point, Points

# Which sides of a cell a line joins, by which of its corners lie above the level (1 upper left, 2 upper right, 4, 8).
_SIDES = {
    1: ("LT",),
    2: ("TR",),
    3: ("LR",),
    4: ("RB",),
    5: ("LT", "RB"),
    6: ("TB",),
    7: ("LB",),
    8: ("BL",),
    9: ("BT",),
    10: ("TR", "BL"),
    11: ("BR",),
    12: ("RL",),
    13: ("RT",),
    14: ("TL",),
}
Segments = dict[tuple[int, int], list[tuple[Point, Point]]]


def contour(grid: list[list[float]], level: float, place: Callable[[float, float], Point]) -> list[Points]:
    """The lines at a level. `place` turns (column, line) of the grid into a point of the paper."""
    segments: Segments = {}
    for j in range(len(grid) - 1):
        upper, lower = grid[j], grid[j + 1]
        for i in range(len(upper) - 1):
            a, b, c, d = upper[i], upper[i + 1], lower[i + 1], lower[i]
            code = (a > level) | (b > level) << 1 | (c > level) << 2 | (d > level) << 3
            for sides in _SIDES.get(code, ()):
                ends = [place(*_cut(side, i, j, (a, b, c, d), level)) for side in sides]
                segments.setdefault(_key(ends[0]), []).append((ends[0], ends[1]))
                segments.setdefault(_key(ends[1]), []).append((ends[1], ends[0]))
    return _chains(segments)


def _cut(side: str, i: int, j: int, corners: tuple[float, float, float, float], level: float) -> tuple[float, float]:
    a, b, c, d = corners
    if side == "T":
        return i + (level - a) / (b - a), j
    if side == "B":
        return i + (level - d) / (c - d), j + 1
    if side == "L":
        return i, j + (level - a) / (d - a)
    return i + 1, j + (level - b) / (c - b)


def _key(point: Point) -> tuple[int, int]:
    return round(point[0] * 20), round(point[1] * 20)


def _chains(segments: Segments) -> list[Points]:
    used: set[tuple[tuple[int, int], tuple[int, int]]] = set()
    lines: list[Points] = []
    starts = [key for key, found in segments.items() if len(found) == 1] + list(segments)
    for start in starts:
        for p, q in segments[start]:
            if (_key(p), _key(q)) in used:
                continue
            line = [p]
            while True:
                used |= {(_key(p), _key(q)), (_key(q), _key(p))}
                line.append(q)
                onward = [(a, b) for a, b in segments[_key(q)] if (_key(a), _key(b)) not in used]
                if not onward:
                    break
                p, q = onward[0]
            lines.append(line)
    return lines
