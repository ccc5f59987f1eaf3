"""The printed marks of a map: shields, crosshairs, badges, hearts, mines, wire, casemates, craft, the compass."""

from __future__ import annotations

import random
from math import cos, hypot, pi, sin

from .badges import Badge
from .marks import icon, stencil
from .pen import Point, Points, along, label, num, poly, text_width

SHIELD = "M0-31C9-25.5 18-23 28-23V2C28 18 17 29.5 0 37-17 29.5-28 18-28 2V-23C-18-23-9-25.5 0-31z"
HEART = (
    "M0 19C-13 9.5-20 2-20-7.5-20-14-15-19-9-19-5.3-19-2-17.2 0-14.3"
    " 2-17.2 5.3-19 9-19 15-19 20-14 20-7.5 20 2 13 9.5 0 19z"
)
BADGE_HEIGHT = 32.0
BADGE_TEXT = 21.0
ICON = 24.0
GAP = 5.0


def halo(text: str, x: float, y: float, height: float) -> str:
    """A stencil numeral with a paper edge, so that it reads on any ground."""
    edge = 'stroke-linejoin="round" stroke-linecap="round" stroke-opacity=".75"'
    under = stencil(text, x, y, height, weight=19, more=edge)
    return f'<g class="num-case">{under}</g><g class="num">{stencil(text, x, y, height)}</g>'


def shield(x: float, y: float, value: int, black: bool, fixed: bool, scale: float = 1.0) -> str:
    text = str(value)
    height = 31 if len(text) == 1 else 27 if len(text) == 2 else 21
    kind = " black" if black else ""
    number = stencil(text, 0, -height / 2 - 0.5, height, "middle", gap=5, weight=10.5)
    lock = f'<circle class="pin" r="10.5"/><g class="def-n">{icon("lock", -6.5, -7, 13)}</g>'
    lock = f'<g transform="translate(0 33)">{lock}</g>' if fixed else ""
    return (
        f'<g transform="translate({num(x)} {num(y)}) scale({scale:g})"><path class="def{kind}" d="{SHIELD}"/>'
        f'<g class="def-n{kind}">{number}</g>{lock}</g>'
    )


def crosshair(x: float, y: float, count: int, special: bool) -> str:
    """Machine Gun Fire: how many dice, and whether sixes do more."""
    out = f'<circle class="mgf" r="22"/><g class="bad">{icon("mgf", -18, -18, 36)}</g>'
    if count > 1:
        number = stencil(str(count), 0, -8, 16, "middle", weight=11)
        out += f'<g transform="translate(-15 15)"><circle class="mgf" r="12.5"/><g class="badge-n">{number}</g></g>'
    if special:
        die = icon("special-damage", -9, -9, 18)
        box = '<rect class="mgf" x="-11" y="-11" width="22" height="22" rx="5"/>'
        out += f'<g transform="translate(15 15)">{box}<g class="badge-n">{die}</g></g>'
    return f'<g transform="translate({num(x)} {num(y)})">{out}</g>'


# ---------------------------------------------------------------------- badges


def badge_width(badge: Badge) -> float:
    parts = (ICON if part.startswith("=") else text_width(part, BADGE_TEXT) for part in badge.parts)
    return 18 + sum(parts) + GAP * (len(badge.parts) - 1)


def draw_badge(badge: Badge, x: float, y: float, room: float) -> str:
    """A badge of icons and words. Help is a pill, demand or harm has cut corners: shape tells, colour repeats.

    A badge that is wider than its room is narrowed as a whole.
    """
    width, height, cut = badge_width(badge), BADGE_HEIGHT, 8
    squeeze = min(1.0, room / width)
    if badge.kind == "good":
        shape = f'<rect class="badge good" width="{num(width)}" height="{num(height)}" rx="{num(height / 2)}"/>'
    else:
        flat, tall = num(width - 2 * cut), num(height - 2 * cut)
        path = f"M{cut} 0h{flat}l{cut} {cut}v{tall}l-{cut} {cut}h-{flat}l-{cut}-{cut}v-{tall}z"
        shape = f'<path class="badge {badge.kind}" d="{path}"/>'
    out, at = [shape], 9.0
    for part in badge.parts:
        if part.startswith("="):
            colour = "badge-n" if badge.kind == "plain" else badge.kind
            out.append(f'<g class="{colour}">{icon(part[1:], at, 4, ICON)}</g>')
            at += ICON + GAP
        else:
            out.append(label(part, at, 23.5, BADGE_TEXT))
            at += text_width(part, BADGE_TEXT) + GAP
    scale = f" scale({squeeze:.3f} 1)" if squeeze < 1 else ""
    return f'<g transform="translate({num(x)} {num(y)}){scale}">{"".join(out)}</g>'


# ---------------------------------------------------------------------- on lines


def heart(x: float, y: float, price: int) -> str:
    number = stencil(str(price), 0, -13.5, 21, "middle", weight=11)
    drawn = f'<path class="heart" d="{HEART}"/><g class="heart-n">{number}</g>'
    return f'<g transform="translate({num(x)} {num(y)})">{drawn}</g>'


def mine(x: float, y: float) -> str:
    picture = f'<circle class="mine-b" r="14"/><g class="num">{icon("landmine", -9.5, -10, 19)}</g>'
    return f'<g transform="translate({num(x)} {num(y)})">{picture}</g>'


def way_back(x: float, y: float) -> str:
    """A line that may be crossed the other way too."""
    picture = (
        f'<circle class="mine-b" r="14"/><g class="num" transform="rotate(180)">{icon("must-move", -10, -10, 20)}</g>'
    )
    return f'<g transform="translate({num(x)} {num(y)})">{picture}</g>'


def mine_places(line: Points, lateral: bool) -> Points:
    return along(line, 24 if lateral else 28, 42 if lateral else 46)


def wire_places(line: Points) -> Points:
    return along(line, 14, 19)


def wire(places: Points) -> str:
    path = "".join(f"M{num(x - 6)} {num(y - 6)}l12 12M{num(x + 6)} {num(y - 6)}l-12 12" for x, y in places)
    return f'<path class="wire-case" d="{path}"/><path class="wire" d="{path}"/>'


# ---------------------------------------------------------------------- works and craft


def casemate(x: float, y: float, scale: float, clip: str) -> str:
    """A casemate seen from above: earth bank, hatched walls, embrasures splayed to the beach."""
    ring = [(-92.0, -40.0), (92.0, -40.0), (112.0, -6.0), (70.0, 40.0), (-70.0, 40.0), (-112.0, -6.0)]
    outer, inner = poly(ring, True), "M-70-24H70L84-4 54 22H-54L-84-4z"
    cuts = "M-14 22h28l16 19h-60zM58 18.5l15-13 21 8-17 17.5zM-58 18.5l-15-13-21 8 17 17.5z"
    hatch = "".join(f"M{at}-44l-92 92" for at in range(-60, 210, 11))
    return (
        f'<g transform="translate({num(x)} {num(y)}) scale({scale:g})"><path class="hachure" d="{_bank(ring)}"/>'
        f'<clipPath id="{clip}"><path clip-rule="evenodd" d="{outer}{inner}"/></clipPath>'
        f'<path class="shadow" d="{outer}" transform="translate(3 6)"/><path class="wall" d="{outer}"/>'
        f'<path class="hatch" clip-path="url(#{clip})" d="{hatch}"/><path class="room" d="{inner}{cuts}"/>'
        f'<path class="neat" stroke-width="1.6" d="{inner}"/>'
        f'<path class="room-line" d="M-26-24V22M26-24V22M-84-4H-26M26-4H84"/></g>'
    )


def _bank(ring: Points) -> str:
    rng, strokes = random.Random(7), []
    for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
        count = int(hypot(bx - ax, by - ay) / 5.5)
        for q in range(count):
            x, y = ax + (bx - ax) * (q + 0.5) / count, ay + (by - ay) * (q + 0.5) / count
            away, size = 1 / hypot(x, y * 2.1), rng.uniform(8, 17)
            if not (y > 38 and abs(x) < 34):
                dx, dy = x * away, y * 2.1 * away
                strokes.append(f"M{num(x + dx * 5)} {num(y + dy * 5)}l{num(dx * size)} {num(dy * size)}")
    return "".join(strokes)


def works(x: float, y: float, top: float, left: float, right: float) -> str:
    """Trenches, a track and hedges around a casemate that has room."""
    track = _bend((x, y - 30), (x + 6, y - 64), (x + 60, top + 18), (x + 88, top - 10))
    hedges = _bend((x - 190, top + 14), (x - 150, top + 26), (x - 120, top + 6), (x - 70, top + 12))
    hedges += _bend((x + 112, top + 10), (x + 150, top + 28), (x + 170, top + 10), (x + 196, top + 20))
    out = [f'<path class="track" d="{track}"/><path class="track-edge" d="{track}"/>']
    out.append(f'<path class="hedge fine" d="{hedges}"/>')
    for near, far in ((x - 104, left + 30), (x + 104, right - 30)):
        if abs(near - far) > 40 and (near - far) * (near - x) < 0:
            out.append(f'<path class="trench" d="{_trench(near, y + 8, far, y + 44)}"/>')
    return "".join(out)


def blast(x: float, y: float, radius: float) -> str:
    """A crater from above: a rim of strokes around a hollow."""
    rng, strokes = random.Random(f"{x:.0f} {y:.0f}"), []
    for n in range(16):
        turn = (n + rng.uniform(-0.3, 0.3)) * pi / 8
        size = rng.uniform(0.35, 0.8) * radius
        dx, dy = cos(turn), 0.7 * sin(turn)
        strokes.append(f"M{num(x + dx * radius)} {num(y + dy * radius)}l{num(dx * size)} {num(dy * size)}")
    hollow = f'<ellipse class="shadow" cx="{num(x)}" cy="{num(y)}" rx="{num(radius)}" ry="{num(0.7 * radius)}"/>'
    return f'<g class="fine">{hollow}<path class="hachure" d="{"".join(strokes)}"/></g>'


def _bend(*points: Point) -> str:
    (start, *rest) = (f"{num(x)} {num(y)}" for x, y in points)
    return f"M{start}C{' '.join(rest)}"


def fire_lanes(x: float, y: float) -> str:
    lanes = [(x + q * 10, y + 50, x + q * 70, y + 380 - abs(q) * 22) for q in range(-4, 5)]
    path = "".join(f"M{num(xa)} {num(ya)}L{num(xb)} {num(yb)}" for xa, ya, xb, yb in lanes)
    return f'<path class="fire fine" d="{path}"/>'


def _trench(x0: float, y0: float, x1: float, y1: float) -> str:
    """Straight bays and traverses."""
    path, up, bays = f"M{num(x0)} {num(y0)}", True, 9
    for bay in range(1, bays):
        x, y = x0 + (x1 - x0) * bay / bays, y0 + (y1 - y0) * bay / bays
        path += f"H{num(x)}V{num(y + (5 if up else -5))}"
        up = not up
    return f"{path}H{num(x1)}"


def craft(x: float, y: float, scale: float, turn: float) -> str:
    """A landing craft from above, with its wake."""
    wake = "M-9 6C-14 22-22 38-34 54M9 6C14 22 22 38 34 54M-5 30C-7 42-10 52-15 64M5 30C7 42 10 52 15 64"
    return (
        f'<g transform="translate({num(x)} {num(y)}) rotate({turn:g}) scale({scale:g})"><path class="wake" d="{wake}"/>'
        '<path class="hull" d="M-9-26H9V22C9 26 6 28 3 28H-3C-6 28-9 26-9 22z"/>'
        '<path class="hold" d="M-5.5-18H5.5V8H-5.5z"/><path class="ramp" d="M-9-26H9"/></g>'
    )


def compass(x: float, y: float, radius: float) -> str:
    ticks = ""
    for n in range(24):
        a, inner = n * pi / 12, radius - (7 if n % 3 == 0 else 4)
        ticks += f"M{num(radius * cos(a))} {num(radius * sin(a))}L{num(inner * cos(a))} {num(inner * sin(a))}"
    return (
        f'<g transform="translate({num(x)} {num(y)}) rotate(24)">'
        f'<circle r="{num(radius)}" class="neat" stroke-width="1.2"/>'
        f'<path class="neat" stroke-width="1.2" d="{ticks}"/>'
        f'<path class="needle" d="M0 {num(-radius - 9)}L6.5 0H-6.5z"/>'
        f'<path class="neat" stroke-width="1.3" d="M0 {num(radius - 6)}L6.5 0H-6.5z"/></g>'
    )
