"""Three themes: light unless a parent, or the picture itself, has the class `theme-dark` or `theme-contrast`."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from typing import Literal, get_args

from .marks import ART

Theme = Literal["light", "dark", "contrast"]
THEMES: tuple[Theme, ...] = get_args(Theme)


@cache
def tokens(theme: Theme) -> dict[str, str]:
    """The colours of a theme, by name."""
    colours: dict[str, str] = tomllib.loads((ART / "themes.toml").read_text(encoding="utf-8"))[theme]
    return colours


def token_css(scope: str, wanted: str = "") -> str:
    """The colours as CSS variables of everything with the class `scope`; only those whose name begins so."""
    out = []
    for theme in THEMES:
        where = f".{scope}" if theme == "light" else f".theme-{theme} .{scope},.{scope}.theme-{theme}"
        lines = (f"--{name}:{colour}" for name, colour in tokens(theme).items() if name.startswith(wanted))
        out.append(f"{where}{{{';'.join(lines)}}}")
    return "".join(out)


def sheet_css(name: str) -> str:
    """A style sheet of `art` without its comments and line ends."""
    text = (ART / name).read_text(encoding="utf-8")
    return re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)).strip()


def mixed(first: str, second: str, share: float, theme: Theme = "light") -> str:
    """A colour between two tokens, written out."""
    a, b = tokens(theme)[first], tokens(theme)[second]
    parts = zip(_channels(a), _channels(b), strict=True)
    return "#" + "".join(f"{round(x + (y - x) * share):02x}" for x, y in parts)


def _channels(colour: str) -> list[int]:
    return [int(colour[n : n + 2], 16) for n in (1, 3, 5)]


def fixed(svg: str, theme: Theme) -> str:
    """A picture with every variable written out, for programs that draw SVG and know no CSS variables."""
    colours = tokens(theme)
    mixes = r"color-mix\(in oklab,var\(--([\w-]+)\),var\(--([\w-]+)\) (\d+)%\)"
    svg = re.sub(mixes, lambda m: mixed(m[1], m[2], int(m[3]) / 100, theme), svg)
    return re.sub(r"var\(--([\w-]+)\)", lambda m: colours[m[1]], svg)
