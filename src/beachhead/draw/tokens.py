"""Unit tokens: six shapes with a letter, so that no colour has to be seen."""

from __future__ import annotations

from typing import Literal

from .marks import icon, stencil
from .themes import Theme, token_css

SHAPES: dict[str, str] = {
    "A": "M0-22a22 22 0 1 1 0 44 22 22 0 1 1 0-44z",
    "B": "M-20-20H20V20H-20z",
    "C": "M0-26L26 0 0 26-26 0z",
    "D": "M0-27L27 20H-27z",
    "E": "M-12-22H12L25 0 12 22H-12L-25 0z",
    "F": "M-11-25H11V-11H25V11H11V25H-11V11H-25V-11H-11z",
}
"""Circle, square, diamond, triangle, hexagon, cross; the middle is (0, 0)."""
Marker = Literal["", "1", "2", "3", "move", "cry", "shield"]
MARKERS = {"1": "chevron-1", "2": "chevron-2", "3": "chevron-3", "move": "must-move", "cry": "battle-cry"}
MARKERS |= {"shield": "shield-black"}


def unit_token(letter: str, marker: Marker = "", you: bool = False) -> str:
    """The token as a group around (0, 0), for a slot of the battlefield or a picture of its own."""
    shape, low = SHAPES[letter], letter.lower()
    top, height = (-4.0, 17.0) if letter == "D" else (-9.0, 18.0) if letter == "F" else (-10.0, 20.0)
    sign = stencil(letter, 0, top, height, "middle", weight=12 if letter == "F" else 11)
    larger = ' transform="scale(1.2)"' if you else ""
    case = f'<path class="token-case" d="{shape}"{larger}/>'
    ring = f'<path class="token-you" d="{shape}" transform="scale(1.36)"/>' if you else ""
    flag = ""
    if marker:
        turns = f'<g class="token-flag-n">{icon(MARKERS[marker], -8.5, -8.5, 17)}</g>'
        flag = f'<g transform="translate(19 -19)"><circle class="token-flag" r="12.5"/>{turns}</g>'
    return (
        f'<g class="token token-{low}">{case}{ring}<path class="token-body" fill="var(--unit-{low})" d="{shape}"/>'
        f'<g color="var(--unit-{low}-ink)">{sign}</g>{flag}</g>'
    )


def unit_token_svg(letter: str, marker: Marker = "", you: bool = False, theme: Theme = "light") -> str:
    """The token as a picture of its own."""
    kind = "unit-token" if theme == "light" else f"unit-token theme-{theme}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" viewBox="-38 -38 76 76" aria-hidden="true">'
        f"<style>{token_css('unit-token')}{token_style('unit-token')}</style>{unit_token(letter, marker, you)}</svg>"
    )


def token_style(scope: str) -> str:
    """The style of tokens below a class."""
    rules = {
        "token-case": "fill:var(--map-case);stroke:var(--map-case);stroke-width:8;stroke-linejoin:round",
        "token-body": "stroke:var(--map-ink);stroke-width:2.6;stroke-linejoin:round",
        "token-you": "fill:none;stroke:var(--map-ink);stroke-width:2.2",
        "token-flag": "fill:var(--map-def);stroke:var(--map-def-edge);stroke-width:2",
        "token-flag-n": "color:var(--map-def-ink)",
    }
    return "".join(f".{scope} .{name}{{{rule}}}" for name, rule in rules.items())
