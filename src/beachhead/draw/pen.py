"""How anything is put on paper: numbers, paths, words, and noise that is the same on every machine."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Sequence
from html import escape as _escape
from math import hypot

Point = tuple[float, float]
Points = list[Point]


def num(value: float) -> str:
    """A number with at most one decimal."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escape(text: str) -> str:
    """Words as the content of an element or attribute; signs that XML does not allow are left out."""
    return _escape(_NOT_XML.sub("", text))


def safe_id(name: str) -> str:
    """A name as part of an id: letters, digits and hyphens stay, all else becomes its code, so that none collide."""
    return re.sub(r"[^A-Za-z0-9-]", lambda found: f"_{ord(found[0]):x}_", name)


# ---------------------------------------------------------------------- paths


def poly(points: Sequence[Point], close: bool = False) -> str:
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points) + ("z" if close else "")


def curve(points: Sequence[Point]) -> str:
    """A smooth path through the points: quadratics through midpoints."""
    if len(points) < 3:
        return poly(points)
    out = [f"M{num(points[0][0])} {num(points[0][1])}"]
    for n in range(1, len(points) - 1):
        (x1, y1), (x2, y2) = points[n], points[n + 1]
        last = n == len(points) - 2
        mx, my = (x2, y2) if last else ((x1 + x2) / 2, (y1 + y2) / 2)
        out.append(f"Q{num(x1)} {num(y1)} {num(mx)} {num(my)}")
    return "".join(out)


def length(points: Sequence[Point]) -> float:
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(points))


def along(points: Sequence[Point], inset: float, gap: float) -> Points:
    """Evenly spaced places on a line, away from its ends; at least one."""
    total = length(points)
    inset = min(inset, total / 3)
    count = max(1, round((total - 2 * inset) / gap))
    return [point_at(points, inset + (total - 2 * inset) * (k + 0.5) / count) for k in range(count)]


def point_at(points: Sequence[Point], distance: float) -> Point:
    """The point so far along a line."""
    for (ax, ay), (bx, by) in itertools.pairwise(points):
        step = hypot(bx - ax, by - ay)
        if distance <= step and step:
            return ax + (bx - ax) * distance / step, ay + (by - ay) * distance / step
        distance -= step
    return points[-1]


# ---------------------------------------------------------------------- words

_WIDTHS = (("iljtfI.,:;'|!()", 0.27), ("mwMW", 0.70), (" ", 0.24))


def text_width(text: str, size: float) -> float:
    """Width of narrow bold text. The drawing sets `textLength` to it, so that any font fits."""
    return size * sum(_letter(letter) for letter in text)


def _letter(letter: str) -> float:
    for letters, width in _WIDTHS:
        if letter in letters:
            return width
    return 0.56 if letter.isupper() or letter.isdigit() else 0.475


def label(text: str, x: float, y: float, size: float, kind: str = "", anchor: str = "start") -> str:
    width = text_width(text, size)
    x -= {"start": 0.0, "middle": width / 2, "end": width}[anchor]
    named = f' class="{kind}"' if kind else ""
    return (
        f'<text{named} x="{num(x)}" y="{num(y)}" font-size="{num(size)}" textLength="{num(width)}"'
        f' lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
    )


# ---------------------------------------------------------------------- noise


class Noise:
    """Value noise between -1 and 1, the same for the same seed."""

    def __init__(self, seed: str) -> None:
        rng = random.Random(seed)
        self._table = [rng.uniform(-1, 1) for _ in range(4096)]

    def _at_corner(self, i: int, j: int) -> float:
        return self._table[(i * 73 + j * 1031 + (i * j) % 97) % 4096]

    def at(self, x: float, y: float = 0.0) -> float:
        i, j = int(x // 1), int(y // 1)
        fx, fy = x - i, y - j
        sx, sy = fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy)
        near, far = self._at_corner(i, j), self._at_corner(i, j + 1)
        near += (self._at_corner(i + 1, j) - near) * sx
        far += (self._at_corner(i + 1, j + 1) - far) * sx
        return near + (far - near) * sy

    def rough(self, x: float, y: float = 0.0) -> float:
        """Three octaves of it."""
        fine = self.at(x * 4.4 + 31, y * 4.4 + 17) * 0.11
        return self.at(x, y) * 0.62 + self.at(x * 2.13 + 9.1, y * 2.13 + 3.7) * 0.27 + fine
