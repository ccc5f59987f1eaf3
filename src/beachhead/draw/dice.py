"""Dice as the table shows them: told apart by colour, letter and pattern; their states differ by form."""

from __future__ import annotations

from functools import cache
from math import hypot
from typing import Literal, NamedTuple

from ..content.schema import Face
from .marks import icon, stencil
from .pen import Point, num

Colour = Literal["red", "white", "blue", "black", "gold", "gray"]
State = Literal["", "kept", "locked", "rolling", "cancelled", "rwb"]


class Look(NamedTuple):
    body: str
    ink: str
    pattern: str
    letter: str


DICE: dict[str, Look] = {
    "red": Look("#f0564a", "#120604", "#a92219", "R"),
    "white": Look("#ffffff", "#10151c", "#10151c", "W"),
    "blue": Look("#081f47", "#ffffff", "#5f86c8", "B"),
    "black": Look("#131512", "#ffffff", "#7d8276", "K"),
    "gold": Look("#e6b22e", "#1b1405", "#7a5606", "G"),
    "gray": Look("#a9ada3", "#10130f", "#565b51", "A"),
}
STROKES = {
    "red": (2.4, "butt"),
    "blue": (1.7, "butt"),
    "black": (1.0, "butt"),
    "gold": (3.0, "round"),
    "gray": (1.7, "butt"),
}
"""Of each pattern: how wide its strokes are, and how they end."""
CREAM, DARK, AMBER, PALE = "#f6f1e1", "#191c17", "#ffb81c", "#ffdc86"
_BOX = 'x="1.5" y="1.5" width="61" height="61" rx="13"'
_SIZES = {"soldier2": 43.0, "courage": 37.0, "star": 41.0, "soldier1": 38.0}


def die_svg(colour: Colour, face: Face, state: State = "", want: Face | Literal[""] = "", small: bool = False) -> str:
    """One die. `want`: it is one of two equal dice, and this face is what a third would need. `small`: from 24 px."""
    if small:
        return _small(colour, face, state)
    body = _body(colour) + ("" if state == "rolling" else _face(colour, face))
    parts = _STATES[state](colour, body)
    if want:
        ring = f'<rect x="-4" y="-4" width="72" height="72" rx="17" fill="none" stroke="{PALE}" stroke-width="2.2"'
        sign = f'<circle r="12" fill="#3f4733" stroke="{PALE}" stroke-width="1.6"/>'
        parts += f'{ring} stroke-dasharray="6 6"/>'
        parts += f'<g transform="translate(57 7)" color="{PALE}">{sign}{icon(want, -8, -8, 16)}</g>'
    y, kind = (4 if state == "kept" else 9), f"die {colour} {state}".strip()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" viewBox="0 0 76 82" aria-hidden="true">'
        f'<g transform="translate(6 {y})">{parts}</g></svg>'
    )


def _small(colour: Colour, face: Face, state: State) -> str:
    look = DICE[colour]
    size = 46 if face == "soldier2" else 40
    corner = f'<path d="M1.5 14.5a13 13 0 0 1 13-13H24V25H1.5z" fill="{look.body}"/>'
    sign = f"{icon(face, 60 - size, 60 - size, size)}{stencil(look.letter, 13, 5, 19, 'middle', weight=12)}"
    under = (
        f'<path d="M3 74H61" stroke="{CREAM}" stroke-width="7" stroke-linecap="round"/>' if state == "locked" else ""
    )
    strike = _strike() if state == "cancelled" else ""
    faint = ' opacity=".5"' if state == "cancelled" else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{f"die small {colour} {state}".strip()}" viewBox="-2 -2 68 82"'
        f' aria-hidden="true"><g{faint}>{_body(colour)}{corner}<g color="{look.ink}">{sign}</g></g>'
        f"{_edge(CREAM, 3)}{strike}{under}</svg>"
    )


# ---------------------------------------------------------------------- body and face, on a grid of 64


def _body(colour: Colour) -> str:
    """The patterned frame carries the pattern, the plain plate inside carries the contrast of the symbol."""
    look = DICE[colour]
    body = f'<rect {_BOX} fill="{look.body}"/>'
    if colour == "white":
        lines = f'fill="none" stroke="{look.pattern}" stroke-width="1.6"'
        outer, inner = 'x="5.5" y="5.5" width="53" height="53" rx="9.5"', 'x="9" y="9" width="46" height="46" rx="7"'
        return f"{body}<rect {outer} {lines}/><rect {inner} {lines}/>"
    width, cap = STROKES[colour]
    ink = f'stroke="{look.pattern}" stroke-width="{width:g}" stroke-linecap="{cap}"'
    return f'{body}<path fill="none" {ink} d="{_pattern(colour)}"/>'


def _face(colour: Colour, face: Face) -> str:
    look, size = DICE[colour], _SIZES.get(face, 37.0)
    x, y = (64 - size) / 2 + 1, (64 - size) / 2 + (1 if face == "star" else 2)
    return f'<g color="{look.ink}">{_letter(colour)}{icon(face, x, y, size)}</g>'


def _letter(colour: Colour) -> str:
    look = DICE[colour]
    corner = f'<path d="M1.5 14.5a13 13 0 0 1 13-13h7V16a4 4 0 0 1-4 4h-16z" fill="{look.body}"/>'
    return corner + stencil(look.letter, 12, 5, 11.5, "middle", weight=12)


@cache
def _pattern(colour: Colour) -> str:
    """The strokes of the frame: red leans, blue lies level, gray stands, black is a lattice, gold is dotted."""
    if colour == "gold":
        places = [(3.8 + 6.3 * i, 3.8 + 6.3 * j) for i in range(10) for j in range(10)]
        return "".join(f"M{num(x)} {num(y)}h0" for x, y in places if _in_frame(x, y))
    if colour == "blue":
        lines = [((0.0, 4.0 + 5.2 * n), (64.0, 4.0 + 5.2 * n)) for n in range(12)]
    elif colour == "gray":
        lines = [((4.0 + 5.2 * n, 0.0), (4.0 + 5.2 * n, 64.0)) for n in range(12)]
    else:
        step = 9.9 if colour == "red" else 6.4
        lines = [((n * step - 64, 64.0), (n * step, 0.0)) for n in range(1, int(128 / step) + 1)]
        if colour == "black":
            lines += [((n * step - 64, 0.0), (n * step, 64.0)) for n in range(1, int(128 / step) + 1)]
    return "".join(_cut(a, b) for a, b in lines)


def _in_frame(x: float, y: float) -> bool:
    """Inside the rounded body, outside the plate."""
    dx, dy = max(abs(x - 32) - 16.3, 0), max(abs(y - 32) - 16.3, 0)
    return hypot(dx, dy) < 12.6 and not (9.5 < x < 54.5 and 9.5 < y < 54.5)


def _cut(a: Point, b: Point) -> str:
    """The parts of a line that lie in the frame."""
    out, start, last = "", None, a
    for n in range(257):
        point = a[0] + (b[0] - a[0]) * n / 256, a[1] + (b[1] - a[1]) * n / 256
        if _in_frame(*point):
            start, last = start or point, point
        elif start:
            out += f"M{num(start[0])} {num(start[1])}L{num(last[0])} {num(last[1])}"
            start = None
    return out


# ---------------------------------------------------------------------- states


def _edge(colour: str, width: float) -> str:
    return f'<rect {_BOX} fill="none" stroke="{colour}" stroke-width="{width:g}"/>'


def _shadow(drop: float) -> str:
    return f'<rect x="2" y="{num(drop)}" width="60" height="61" rx="13" fill="#000" fill-opacity=".36"/>'


def _sign(x: float, y: float, shape: str, picture: str, fill: str, ink: str) -> str:
    size = 15.0 if shape == "round" else 16.0
    form = '<circle r="12.5"' if shape == "round" else '<rect x="-12" y="-12" width="24" height="24" rx="4"'
    drawn = icon(picture, -size / 2, -size / 2, size)
    form += f' fill="{fill}" stroke="{ink}" stroke-width="2"/>'
    return f'<g transform="translate({num(x)} {num(y)})" color="{ink}">{form}{drawn}</g>'


def _plain(colour: Colour, body: str) -> str:
    return _shadow(5) + body + _edge(CREAM, 2.4)


def _kept(colour: Colour, body: str) -> str:
    ring = '<rect x="-.5" y="-.5" width="65" height="65" rx="15" fill="none" stroke="#fff6da" stroke-width="5"/>'
    return _shadow(11) + body + ring + _sign(56, 57, "round", "keep", "#fff6da", DARK)


def _locked(colour: Colour, body: str) -> str:
    slot = '<rect x="-5.5" y="-5.5" width="75" height="75" rx="16" fill="#000" fill-opacity=".5"/>'
    clamps = "M45-4.5H58A10.5 10.5 0 0 1 68.5 6V19M-4.5 45V58A10.5 10.5 0 0 0 6 68.5H19"
    held = f'<path fill="none" stroke="{CREAM}" stroke-width="4" stroke-linecap="round" d="{clamps}"/>'
    return slot + body + _edge("#b9b59e", 2) + held + _sign(55, 55, "square", "lock", DARK, CREAM)


def _rolling(colour: Colour, body: str) -> str:
    dots = "".join(f'<circle cx="{x}" cy="34" r="4" fill="currentColor"/>' for x in (21, 32.5, 44))
    swing = "M-4 40C-8 28-6 16 2 6M68 24c4 12 2 24-6 34"
    trace = (
        f'<path fill="none" stroke="{CREAM}" stroke-opacity=".8" stroke-width="3" stroke-linecap="round" d="{swing}"/>'
    )
    marks = f'<g color="{DICE[colour].ink}">{_letter(colour)}{dots}</g>'
    turned = "translate(32 32) scale(.86) rotate(-13) translate(-32 -32)"
    return f'<g transform="{turned}">{trace}{_shadow(5)}{body}{marks}{_edge(CREAM, 2.4)}</g>'


def _strike() -> str:
    line = 'fill="none" stroke-linecap="round" d="M8 56L56 8"'
    return f'<path stroke="{CREAM}" stroke-width="11" {line}/><path stroke="{DARK}" stroke-width="6" {line}/>'


def _cancelled(colour: Colour, body: str) -> str:
    faint = f'<g opacity=".5">{body}</g>'
    return _shadow(5) + faint + _edge(CREAM, 2.4) + _strike() + _sign(56, 8, "round", "skull", DARK, CREAM)


def _rwb(colour: Colour, body: str) -> str:
    frame = f'<rect x="-3" y="-3" width="70" height="70" rx="16" fill="{AMBER}" stroke="{DARK}" stroke-width="1.5"/>'
    tab = f'<rect x="-19" y="-7" width="38" height="13" rx="3" fill="{DARK}" stroke="{AMBER}" stroke-width="1.5"/>'
    three = '<path d="M-16-4.5h9v8h-9z" fill="#f0564a"/><path d="M-4.5-4.5h9v8h-9z" fill="#fff"/>'
    three += '<path d="M7-4.5h9v8H7z" fill="#3d6bc0"/>'
    return frame + _shadow(5) + body + _edge(CREAM, 2.4) + f'<g transform="translate(32 66)">{tab}{three}</g>'


_STATES = {
    "": _plain,
    "kept": _kept,
    "locked": _locked,
    "rolling": _rolling,
    "cancelled": _cancelled,
    "rwb": _rwb,
}
