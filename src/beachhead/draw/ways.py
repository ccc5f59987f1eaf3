"""The ways from Sector to Sector: where an arrow with its price is drawn, and lines between Sectors far apart."""

from __future__ import annotations

from math import atan2, degrees, hypot

from .badges import Words, label_of, price, reach
from .marks import icon
from .pen import Point, Points, curve, escape, num, safe_id
from .plan import Plan
from .space import Space

UP = "M-21 32V-1H-35L0-34 35-1H21V32z"
ASIDE = "M-33-16H6V-29L35 0 6 29V16H-33z"


def draw_ways(ground: Plan, space: Space, words: Words, prefix: str) -> str:
    """An arrow for every way that the map has. It shows only when it, or a parent, gets the class `open`."""
    out = []
    for start in ground.where:
        here = space.copy()
        for to in reach(ground.board.edges, start):
            out.append(_way(ground, start, to, here, words, prefix))
    return "".join(out)


def _way(ground: Plan, start: str, to: str, space: Space, words: Words, prefix: str) -> str:
    linked = frozenset((start, to)) not in ground.touching
    border = link_line(ground, start, to) if linked else ground.border(start, to)
    beside = ground.where[start][0] == ground.where[to][0] and not linked
    flip = -1 if beside and ground.where[to][1] < ground.where[start][1] else 1
    x, y = _best(border, space, beside, flip)
    cost = price(ground.board, start, to)
    if beside:
        x += 6 * flip
        turn = 90 * flip
        shape = f'<path class="go" transform="scale({flip} 1)" d="{ASIDE}"/>'
        sign = _price(cost, -28 if flip > 0 else -8, -10)
    else:
        y -= 23
        down = ground.where[to][0] < ground.where[start][0]
        turn = 180 if down else 0
        mirror = ' transform="scale(1 -1)"' if down else ""
        shape = f'<path class="go"{mirror} d="{UP}"/>'
        sign = _price(cost, -19, -16 if down else 4)
    title = words["says way"].format(name=label_of(ground.board, to, words))
    return (
        f'<g id="{prefix}way-{safe_id(start)}-{safe_id(to)}" class="way"'
        f' data-from="{escape(start)}" data-to="{escape(to)}"'
        f' data-x="{num(x)}" data-y="{num(y)}" data-turn="{turn}" data-price="{cost}"'
        f' transform="translate({num(x)} {num(y)})"><title>{escape(title)}</title>{shape}{sign}</g>'
    )


def _price(cost: int, x: float, y: float) -> str:
    place = f'x="{num(x + 29)}" y="{num(y + 17.5)}" font-size="22" text-anchor="middle"'
    number = f'<text class="go-price" {place}>{cost}</text>'
    return f'<g class="go-sign">{icon("courage", x, y, 20)}</g>{number}'


def _best(border: Points, space: Space, beside: bool, flip: int) -> Point:
    """The place on a border where an arrow hides least; taken in `space`."""
    best: tuple[float, Point, tuple[float, float, float, float]] | None = None
    for n, (x, y) in enumerate(border):
        part = n / (len(border) - 1)
        box = (x - 34 + 6 * flip, y - 26, 68.0, 52.0) if beside else (x - 34, y - 57, 68.0, 66.0)
        cost = space.clash(*box) + 900 * abs(part - 0.5) + (4000 if part < 0.14 or part > 0.86 else 0)
        if best is None or cost < best[0]:
            best = (cost, (x, y), box)
    assert best is not None
    space.take(*best[2])
    return best[1]


# ---------------------------------------------------------------------- links


def link_line(ground: Plan, a: str, b: str) -> Points:
    """A bowed line between two Sectors that cannot touch on the paper."""
    (ax, ay), (bx, by) = ground.middle(a), ground.middle(b)
    size = hypot(bx - ax, by - ay) or 1.0
    bow = min(60.0, size * 0.18)
    nx, ny = -(by - ay) / size * bow, (bx - ax) / size * bow
    steps = [n / 16 for n in range(17)]
    return [(ax + (bx - ax) * t + nx * 4 * t * (1 - t), ay + (by - ay) * t + ny * 4 * t * (1 - t)) for t in steps]


def draw_links(ground: Plan) -> str:
    out = []
    for a, b in dict.fromkeys(tuple(sorted(pair)) for pair in ground.links):
        line = link_line(ground, a, b)
        out.append(f'<path class="link-case" d="{curve(line)}"/><path class="link" d="{curve(line)}"/>')
        for near, far in ((line[0], line[2]), (line[-1], line[-3])):
            turn = degrees(atan2(far[1] - near[1], far[0] - near[0]))
            ring = '<circle class="link-end" r="7"/><path class="link-end" d="M7 0h6"/>'
            out.append(f'<g transform="translate({num(near[0])} {num(near[1])}) rotate({turn:.0f})">{ring}</g>')
    return "".join(out)
