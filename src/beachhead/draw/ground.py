"""Sea, surf, sand, shingle, meadow, bluff and turf: everything below the lines. It carries no rule."""

from __future__ import annotations

import itertools
import random
from math import floor

from .contours import contour
from .pen import Noise, curve, num, poly
from .plan import LEFT, RIGHT
from .terrain import CELL, Field, Stop, ramp

CONTOURS: dict[str, tuple[tuple[float, bool], ...]] = {
    "sand": ((0.45, False), (0.85, False)),
    "shingle": ((0.25, True), (0.6, False), (0.95, False)),
    "grass": ((0.3, False), (0.7, True)),
    "ridge": ((0.15, True), (0.32, False), (0.49, False), (0.66, False), (0.83, True)),
    "bunker": ((0.0, False), (0.2, False), (0.42, True), (0.64, False), (0.86, False)),
}
"""For each kind of ground: at which part of the row's height a contour runs, and whether it is a heavy one."""
SURF = (
    (-0.16, 1.4, 0.5, "26 30 8 22"),
    (-0.08, 2, 0.65, "60 18 14 26 34 12"),
    (-0.01, 2.6, 0.8, "90 10 40 16"),
    (0.06, 3.4, 0.95, ""),
    (0.13, 1.6, 0.6, "70 14 22 20"),
)
"""Lines of foam: height above the shore, width, strength, dashes."""
HACHURES = ((0.96, 18, 34, 4.2), (0.62, 12, 24, 5.4), (0.28, 8, 17, 6.8))
"""On a ridge: part of its height, shortest and longest stroke, distance."""


class Ground:
    """Draws the ground of one map; `grounds` is the kind of each row."""

    def __init__(self, field: Field, grounds: list[str], seed: str) -> None:
        self.field, self.grounds = field, grounds
        self.rng = random.Random(seed)
        self.noise = Noise(seed + "ground")
        self.size = (RIGHT - LEFT) * (field.bottom - field.top)

    def draw(self) -> str:
        layers = [self._tint(), _fine(self._sea()), self._surf(), _fine(self._sand()), self._shingle()]
        layers += [self._contours(), self._ridges(), _fine(self._hedgerows() + self._tufts())]
        return "".join(layers)

    def _kind(self, height: float) -> str:
        return self.grounds[min(max(floor(height), 0), len(self.grounds) - 1)]

    def _shores(self) -> list[int]:
        """Heights at which the sea ends."""
        pairs = zip(self.grounds, self.grounds[1:], strict=False)
        return [r + 1 for r, (low, up) in enumerate(pairs) if low == "sea" and up != "sea"]

    def _anywhere(self, per: float, margin: float) -> list[tuple[float, float]]:
        """Random places, one for so much paper."""
        field, rng = self.field, self.rng
        return [
            (rng.uniform(LEFT + margin, RIGHT - margin), rng.uniform(field.top + 4, field.bottom))
            for _ in range(int(self.size / per))
        ]

    # ------------------------------------------------------------------ colour and contours

    def _tint(self) -> str:
        field = self.field
        steps = _steps(ramp(self.grounds))
        box = (
            f'x="{num(LEFT)}" y="{num(field.top)}" width="{num(RIGHT - LEFT)}" height="{num(field.bottom - field.top)}"'
        )
        out = [f"<rect {box} {self._fill(steps[0])}/>"]
        for step in steps[1:]:
            line = field.level(step[0])
            if max(y for _, y in line) > field.top + 0.5:
                path = f"{curve(line)}L{num(RIGHT)} {num(field.top)}L{num(LEFT)} {num(field.top)}z"
                out.append(f'<path {self._fill(step)} d="{path}"/>')
        return "".join(out)

    def _fill(self, step: tuple[float, str, str, float]) -> str:
        _, first, second, share = step
        return f'fill="color-mix(in oklab,var(--{first}),var(--{second}) {share * 100:.0f}%)"'

    def _contours(self) -> str:
        field = self.field
        land = next((r for r, kind in enumerate(self.grounds) if kind != "sea"), len(self.grounds))

        def rough(i: int, j: int) -> float:
            height = field.grid[j][i]
            x, y = LEFT + i * field.step, field.top + j * CELL
            return height + min(1, max(0, (height - land - 1.2) / 2.4)) * 0.34 * self.noise.rough(x / 74, y / 74)

        grid = [[rough(i, j) for i in range(field.columns + 1)] for j in range(field.lines + 1)]
        out = []
        for r, kind in enumerate(self.grounds):
            for part, heavy in CONTOURS.get(kind, ()):
                if r == land and part < 0.4:
                    continue
                lines = contour(grid, r + part, lambda i, j: (LEFT + i * field.step, field.top + j * CELL))
                path = "".join(curve([*line[:-1:3], line[-1]]) for line in lines if len(line) > 8)
                if path:
                    out.append(f'<path class="contour{" heavy" if heavy else ""}" d="{path}"/>')
        return "".join(out)

    # ------------------------------------------------------------------ water

    def _sea(self) -> str:
        out = []
        for shore in self._shores():
            for height in (-0.82, -0.66, -0.5, -0.36, -0.23):
                out.append(f'<path class="fathom" d="{curve(self.field.level(shore + height, 3))}"/>')
        bits = []
        for x, y in self._anywhere(5200, 14):
            height = self.field.at(x, y)
            if self._kind(height + 0.28) == "sea":
                w = self.rng.uniform(6, 11)
                bits.append(f"M{num(x)} {num(y)}q{num(w / 4)} {num(-w / 3)} {num(w / 2)} 0t{num(w / 2)} 0")
        return "".join(out) + _path("foam", bits, 'stroke-width="1.3" stroke-opacity=".55"')

    def _surf(self) -> str:
        out = []
        for shore in self._shores():
            low, high = self.field.level(shore - 0.03), self.field.level(shore + 0.1)
            out.append(f'<path class="spray" d="{poly(low + high[::-1], True)}"/>')
            for height, width, strength, dash in SURF:
                line = self.field.level(shore + height)
                ragged = [(x, y + 2.4 * self.noise.at(x / 13, (shore + height) * 40)) for x, y in line]
                dashes = f' stroke-dasharray="{dash}"' if dash else ""
                stroke = f'stroke-width="{width:g}" stroke-opacity="{strength:g}"{dashes}'
                out.append(f'<path class="foam" {stroke} d="{curve(ragged)}"/>')
        return "".join(out)

    # ------------------------------------------------------------------ land

    def _sand(self) -> str:
        dots, ripples = [], []
        for x, y in self._anywhere(330, 3):
            height = self.field.at(x, y)
            sandy = (
                "sand" in (self._kind(height), self._kind(height - 0.15)) and self._kind(height - 0.2 + 0.2) != "sea"
            )
            if sandy and self.rng.random() < 0.3 + 0.7 * max(0, self.noise.at(x / 60, y / 26)):
                dots.append(f"M{num(x)} {num(y)}h0")
        for x, y in self._anywhere(6200, 22):
            height = self.field.at(x, y)
            if any(shore + 0.22 < height < shore + 0.7 for shore in self._shores()):
                w = self.rng.uniform(12, 30)
                ripples.append(f"M{num(x - 15)} {num(y)}q{num(w / 2)} {num(self.rng.uniform(-3, 3))} {num(w)} 0")
        return _path("dot", dots) + _path("dot ripple", ripples)

    def _shingle(self) -> str:
        light: list[str] = []
        dark: list[str] = []
        for x, y in self._anywhere(300, 5):
            height = self.field.at(x, y)
            part = height - floor(height)
            depth = min(
                part + 0.05 if self._kind(height - 1) != "shingle" or height < 1 else 1,
                1.02 - part if self._kind(height + 1) != "shingle" else 1,
            )
            patchy = 1.0 if self.noise.at(x / 70, y / 22) > -0.25 else 0.35
            if self._kind(height) == "shingle" and self.rng.random() < min(1, 0.08 + depth * 1.5) * patchy:
                rx = self.rng.uniform(1.4, 4.4)
                arc = f"a{num(rx)} {num(rx * self.rng.uniform(0.55, 0.8))} 0 1 0"
                stone = f"M{num(x - rx)} {num(y)}{arc} {num(2 * rx)} 0{arc} {num(-2 * rx)} 0"
                (light if self.rng.random() < 0.5 else dark).append(stone)
        return _path("pebble dark", dark) + _path("pebble", light)

    def _ridges(self) -> str:
        out = []
        for r, kind in enumerate(self.grounds):
            if kind != "ridge":
                continue
            crest, middle, foot = (self.field.level(r + part) for part in (0.98, 0.62, 0.05))
            under = [(x, y + 9) for x, y in foot]
            out.append(f'<path class="shade" d="{poly(crest + middle[::-1], True)}"/>')
            out.append(f'<path class="shade" d="{poly(foot + under[::-1], True)}"/>')
            out.append(f'<path class="crest" d="{curve(crest)}"/>')
            out += [self._hachures(r + part, short, long, gap) for part, short, long, gap in HACHURES]
        return "".join(out)

    def _hachures(self, height: float, short: float, long: float, gap: float) -> str:
        line, strokes = self.field.level(height, 1), []
        x = LEFT + 3
        while x < RIGHT - 3:
            k = min(len(line) - 2, int((x - LEFT) / self.field.step))
            y = line[k][1] + 2.2 * self.noise.at(x / 5, height)
            slope = (line[k + 1][1] - line[k][1]) / self.field.step
            size = short + (long - short) * (0.5 + 0.5 * self.noise.at(x / 24, height * 9))
            size *= 0.6 + 0.4 * self.rng.random()
            lean = -slope * size * 0.7 + self.rng.uniform(-1, 1)
            if y > self.field.top + 2 and self.noise.at(x / 46, height * 3 + 8) > -0.5:
                strokes.append(f"M{num(x)} {num(y)}l{num(lean)} {num(size)}")
            x += gap * self.rng.uniform(0.75, 1.3)
        return _path("hachure", strokes)

    def _hedgerows(self) -> str:
        """Fields behind the beach: hedges between them, some with a gap."""
        hedges = []
        for r, kind in enumerate(self.grounds):
            if kind != "grass":
                continue
            low, high = self.field.level(r + 0.06, 1), self.field.level(r + 0.94, 1)
            for n in range(4):
                k = int(len(low) * (n + self.rng.uniform(0.25, 0.75)) / 4)
                (xa, ya), (_, yb) = low[k], high[k]
                lean = self.rng.uniform(-46, 46)
                part = self.rng.uniform(0.45, 1.0)
                yb = ya + (yb - ya) * part
                bend = f"{num(xa + self.rng.uniform(-14, 14))} {num((ya + yb) / 2)}"
                hedges.append(f"M{num(xa)} {num(ya)}Q{bend} {num(xa + lean * part)} {num(yb)}")
                if n % 2:
                    far = self.rng.choice((-1, 1)) * self.rng.uniform(60, 120)
                    hedges.append(f"l{num(far)} {num(self.rng.uniform(-12, 12))}")
        return _path("hedge field", hedges)

    def _tufts(self) -> str:
        tufts = []
        for x, y in self._anywhere(2000, 6):
            if self._kind(self.field.at(x, y) - 0.05) in ("bunker", "grass"):
                tufts.append(f"M{num(x)} {num(y)}v-5M{num(x - 2.5)} {num(y)}l-1.5-3.5M{num(x + 2.5)} {num(y)}l1.5-3.5")
        return _path("tuft", tufts)


def _steps(stops: list[Stop]) -> list[tuple[float, str, str, float]]:
    """Many small steps between the colours: height, two tokens, and how much of the second."""
    out = []
    for (low, first), (high, second) in itertools.pairwise(stops):
        count = max(1, round((high - low) / 0.16))
        out += [(low + (high - low) * k / count, first, second, k / count) for k in range(count)]
    out.append((stops[-1][0], stops[-1][1], stops[-1][1], 0.0))
    return out


def _path(kind: str, parts: list[str], more: str = "") -> str:
    more = f" {more}" if more else ""
    return f'<path class="{kind}"{more} d="{"".join(parts)}"/>' if parts else ""


def _fine(markup: str) -> str:
    """Decoration that is left out where the picture is small."""
    return f'<g class="fine">{markup}</g>' if markup else ""
