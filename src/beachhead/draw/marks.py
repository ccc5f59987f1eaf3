"""Icons on a 24 x 24 grid and the stencil alphabet. The drawings themselves are data: see the folder `art`."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache
from pathlib import Path

from .pen import num

ART = Path(__file__).parent / "art"
_SYMBOL = re.compile(r'<symbol id="icon-([\w-]+)" viewBox="0 0 24 24"><title>(.*?)</title>(.*?)</symbol>')
_SHIFT = {"start": 0.0, "middle": 0.5, "end": 1.0}


def icons_svg() -> str:
    """One sprite with every icon as a `<symbol>`; a page that holds it draws them with `<use href="#icon-NAME">`."""
    return (ART / "icons.svg").read_text(encoding="utf-8")


@cache
def icons() -> dict[str, tuple[str, str]]:
    """Name of an icon -> its markup, and what it means."""
    return {name: (markup, meaning) for name, meaning, markup in _SYMBOL.findall(icons_svg())}


def icon(name: str, x: float, y: float, size: float) -> str:
    """An icon drawn at a place, in the current colour, for pictures that must stand alone."""
    place = f"translate({num(x)} {num(y)}) scale({size / 24:.3f})"
    return f'<g fill="currentColor" transform="{place}">{icons()[name][0]}</g>'


# ---------------------------------------------------------------------- stencil


@cache
def _glyphs() -> dict[str, tuple[float, str]]:
    read = tomllib.loads((ART / "stencil.toml").read_text(encoding="utf-8"))
    return {sign: (width, strokes) for sign, (width, strokes) in read.items()}


def cuttable(text: str) -> str:
    """Capitals without accents; what the stencil does not have becomes a space."""
    signs = unicodedata.normalize("NFD", text.upper())
    return "".join(sign if sign in _glyphs() else " " for sign in signs if not unicodedata.combining(sign))


def stencil_width(text: str, height: float, gap: float = 7) -> float:
    return (sum(_glyphs()[sign][0] + gap for sign in cuttable(text)) - gap) * height / 60


def stencil(
    text: str,
    x: float,
    y: float,
    height: float,
    anchor: str = "start",
    gap: float = 7,
    weight: float = 10,
    more: str = "",
) -> str:
    """Text as stencil strokes in the current colour; (x, y) is its upper corner or the middle of its upper edge."""
    scale = height / 60
    x -= stencil_width(text, height, gap) * _SHIFT[anchor]
    out = []
    for sign in cuttable(text):
        width, strokes = _glyphs()[sign]
        if strokes:
            out.append(f'<path transform="translate({num(x)} {num(y)}) scale({scale:.3f})" d="{strokes}"/>')
        x += (width + gap) * scale
    more = f" {more}" if more else ""
    return f'<g fill="none" stroke="currentColor" stroke-width="{weight:g}"{more}>{"".join(out)}</g>'
