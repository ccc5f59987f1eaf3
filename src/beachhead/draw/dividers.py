"""Where the borders inside each row stand, so that the Sectors that touch are those that the data names.

Every border between two neighbours of a row has a foot, on the line below the row, and a head, on the line above.
On a line the heads of the lower row and the feet of the upper row have to come in the right order; that order follows
from the pairs that touch. Places start where the data (or an even spread) puts them and are pushed apart until every
order holds. Pairs that no order can serve (they cross others, or skip a row) are left to be drawn as links. Where a row
has many Sectors each keeps the most of its share; else only those touch that lie over each other.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass

from ..content.schema import Drawing, Map
from .pen import Noise

Pair = tuple[int, int]
"""A Sector's place in the lower row, and one's in the upper row."""
COLUMNS = 12
FEW = 4
"""So many Sectors in a row have room for their marks however the borders stand."""
OVER = 0.045
"""Two Sectors lie over each other whose places share so much of the width."""
WISHES = ((58, 0.86, 52), (50, 0.7, 80), (42, 0.5, 130), (30, 0.3, 250), (14, 0.1, 660))
"""Between borders of two rows, for the share of a Sector, for how far a border leans: the next where one cannot be."""
ROOMY = 2
"""So many of these wishes leave a Sector its share."""


@dataclass(frozen=True)
class Ways:
    """The lines of the data, sorted by how they can be drawn."""

    upward: list[list[Pair]]
    """For each row but the last: which of its Sectors touch which of the next row."""
    sideways: list[set[int]]
    """For each row: after which place the neighbours touch."""
    links: list[tuple[str, str]]
    """Lines between Sectors that cannot touch on this paper."""


def lay_out(board: Map, x0: float, x1: float, noise: Noise) -> tuple[Ways, Borders]:
    """How the lines of a board are drawn, and where the borders of its rows stand."""
    shares = [_shares([board.sectors[sector].drawing for sector in row.sectors]) for row in board.rows]
    ways = sort_ways(board)
    if any(len(row) > FEW for row in shares):
        borders = _place(ways, shares, x0, x1, noise, ROOMY)
        if borders:
            return ways, borders
        ways = sort_ways(board, shares)
    borders = _place(ways, shares, x0, x1, noise, len(WISHES))
    assert borders, "orders without crossings can always be kept"
    return ways, borders


def sort_ways(board: Map, shares: list[list[float]] | None = None) -> Ways:
    """With `shares` of the width, only Sectors touch that lie over each other."""
    rows = [row.sectors for row in board.rows]
    where = {sector: (r, c) for r, row in enumerate(rows) for c, sector in enumerate(row)}
    ways = Ways([[] for _ in rows[1:]], [set() for _ in rows], [])
    for line in (*board.edges.forward, *board.edges.lateral):
        (ra, ca), (rb, cb) = sorted((where[line[0]], where[line[1]]))
        if ra == rb and cb - ca == 1:
            ways.sideways[ra].add(ca)
        elif rb - ra == 1 and _may_touch((ca, cb), ways.upward[ra], shares[ra : rb + 1] if shares else []):
            if (ca, cb) not in ways.upward[ra]:
                ways.upward[ra].append((ca, cb))
        elif ra != rb or ca != cb:
            ways.links.append((line[0], line[1]))
    return ways


def _may_touch(one: Pair, others: list[Pair], shares: list[list[float]]) -> bool:
    if shares:
        places = [(sum(row[:place]), sum(row[: place + 1])) for place, row in zip(one, shares, strict=True)]
        if min(right for _, right in places) - max(left for left, _ in places) < OVER:
            return False
    return not any(_cross(one, other) for other in others)


def _cross(one: Pair, other: Pair) -> bool:
    return (one[0] - other[0]) * (one[1] - other[1]) < 0


@dataclass(frozen=True)
class Borders:
    """x of every border of every row, at its foot and at its head."""

    foot: list[list[float]]
    head: list[list[float]]


def _place(ways: Ways, shares: list[list[float]], x0: float, x1: float, noise: Noise, steps: int) -> Borders | None:
    """The borders of all rows. Wishes for width and upright borders yield step by step until every order holds."""
    rules = [
        rule for r, pairs in enumerate(ways.upward) for rule in _order(r, pairs, len(shares[r]), len(shares[r + 1]))
    ]
    for gap, width, slant in WISHES[:steps]:
        borders = _start(shares, x0, x1, noise)
        if _push(borders, rules, shares, (x0, x1), gap, width, slant):
            return borders
    return None


def _shares(drawings: list[Drawing]) -> list[float]:
    """How much of the row's width each Sector gets: as drawn in the data if that is a row, else all alike."""
    ends = [(drawing.col, drawing.col + drawing.width) for drawing in drawings]
    if any(right > left for (_, right), (left, _) in itertools.pairwise(ends)):
        return [1 / len(drawings)] * len(drawings)
    cuts = [(right + left) / 2 for (_, right), (left, _) in itertools.pairwise(ends)]
    borders = [0, *cuts, COLUMNS]
    shares = [max(0.12, (b - a) / COLUMNS) for a, b in itertools.pairwise(borders)]
    return [share / sum(shares) for share in shares]


def _start(shares: list[list[float]], x0: float, x1: float, noise: Noise) -> Borders:
    foot, head = [], []
    for r, row in enumerate(shares):
        wished = [x0 + (x1 - x0) * sum(row[: k + 1]) for k in range(len(row) - 1)]
        foot.append([x + 30 * noise.at(r * 3.7 + k * 1.9, 40) for k, x in enumerate(wished)])
        head.append([x + 30 * noise.at(r * 3.7 + k * 1.9, 80) for k, x in enumerate(wished)])
    return Borders(foot, head)


Rule = tuple[int, int, int, str]
"""On the line above row r, head k against foot j: `<` head first, `>` foot first, `=` at the same place."""


def _order(r: int, pairs: list[Pair], low: int, up: int) -> Iterable[Rule]:
    last = (-1, -1)
    for k in range(low - 1):
        for j in range(up - 1):
            if any(a > k and b <= j for a, b in pairs):
                yield r, k, j, "<"
            elif any(a <= k and b > j for a, b in pairs):
                yield r, k, j, ">"
            elif k > last[0] and j > last[1]:
                last = (k, j)
                yield r, k, j, "="


def _push(
    borders: Borders,
    rules: list[Rule],
    shares: list[list[float]],
    ends: tuple[float, float],
    gap: float,
    width: float,
    slant: float,
) -> bool:
    """Push borders apart until all rules hold; says whether they do."""
    for _ in range(1500):
        worst = 0.0
        for r, k, j, kind in rules:
            head, foot = borders.head[r], borders.foot[r + 1]
            over = head[k] - foot[j]
            wrong = over + gap if kind == "<" else gap - over if kind == ">" else over
            if wrong > 0 or kind == "=":
                push = wrong / 2 if kind != ">" else -wrong / 2
                head[k] -= push
                foot[j] += push
                worst = max(worst, abs(wrong))
        for r, row in enumerate(shares):
            for xs in (borders.foot[r], borders.head[r]):
                worst = max(worst, _widen(xs, row, ends, width))
            for k in range(len(row) - 1):
                lean = borders.foot[r][k] - borders.head[r][k]
                if abs(lean) > slant:
                    push = (abs(lean) - slant) / 2 * (1 if lean > 0 else -1)
                    borders.foot[r][k] -= push
                    borders.head[r][k] += push
                    worst = max(worst, 2 * abs(push))
        if worst < 0.01:
            return True
    return False


def _widen(xs: list[float], row: list[float], ends: tuple[float, float], width: float) -> float:
    worst = 0.0
    for k, share in enumerate(row):
        left = xs[k - 1] if k else ends[0]
        right = xs[k] if k < len(xs) else ends[1]
        wrong = left + width * share * (ends[1] - ends[0]) - right
        if wrong > 0:
            if k:
                xs[k - 1] -= wrong / 2
            if k < len(xs):
                xs[k] += wrong / 2
            worst = max(worst, wrong)
    return worst
