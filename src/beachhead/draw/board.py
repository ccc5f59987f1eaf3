"""The battlefield as one SVG, drawn from the data of a map.

<svg class="battlefield">
  <title>, <desc>                     the list of Sectors in words
  ground, lines, mines, Barriers
  <g id="sector-7" data-sector="7">   for each Sector; may get the classes legal, visited, focus
    <path class="area">               the whole Sector: fill it, outline it, click it
    <g class="marks">                 what is printed
    <g class="units">                 six slots with data-x, data-y and data-size for the tokens of Units
  <g id="way-5-7">                    for each way; hidden until it gets the class `open`
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ..content import spoken
from ..content.schema import Map
from .badges import Namer, Words, describe, plain_name, words_now
from .furniture import blast, compass, craft, fire_lanes, heart, mine, mine_places, way_back, wire, wire_places, works
from .ground import Ground
from .marks import stencil, stencil_width
from .pen import curve, escape, label, num, poly, safe_id, text_width
from .plan import LEFT, RIGHT, WIDTH, Plan, plan
from .sectors import bunker_at, draw_sector, draw_slots, place_of, row_heights, unit_slots
from .space import Space
from .terrain import TINT, Field, odd_grounds, row_grounds
from .themes import Theme, fixed, sheet_css, token_css
from .tokens import token_style
from .ways import draw_links, draw_ways, link_line

SCOPE = "battlefield"
STRIP = 132.0
"""Height of the strip with the title, below the first row of a sheet."""
BESIDE_CRAFT = 416.0
"""So long the line of place and date may be: there begins the wake of a landing craft."""
Frame = Literal["sheet", "table"]


def board_svg(
    board: Map,
    *,
    frame: Frame = "table",
    theme: Theme = "light",
    names: Mapping[str, str] | None = None,
    prefix: str = "",
    style: bool = True,
    alone: bool = False,
) -> str:
    """A map as a complete SVG, 720 units wide.

    `frame`: a sheet has title, date and grid around it; the table needs the map alone. `theme`: the class that the
    picture has itself; a class of a parent does the same. `names`: of cards, by id. `prefix`: put before every id, for
    pages with several boards. `style`: with the style sheet inside; a page that has `board_css` needs it only once.
    `alone`: all colours written out, for a file that any program can show. Words are in the language that is spoken.
    """
    known = names or {}
    picture = _Picture(board, frame, theme, lambda card: known.get(card) or plain_name(card), words_now(), prefix)
    svg = picture.draw(f"<style>{board_css()}</style>" if style else "")
    return fixed(svg.replace(token_css(SCOPE), ""), theme) if alone else svg


def board_css() -> str:
    """The style sheet of every battlefield, with the colours of all themes."""
    return token_css(SCOPE) + sheet_css("board.css") + token_style(SCOPE)


def board_plan(board: Map, frame: Frame, name: Namer, words: Words) -> Plan:
    """The geometry with rows high enough for what is printed in them."""
    top = 30.0 if frame == "sheet" else 12.0
    return plan(board, top, row_heights(plan(board), name, words))


class _Picture:
    """One drawing in the making: every layer is one method."""

    def __init__(self, board: Map, frame: Frame, theme: Theme, name: Namer, words: Words, prefix: str) -> None:
        self.board, self.theme, self.name, self.words, self.prefix = board, theme, name, words, prefix
        self.sheet = frame == "sheet"
        self.plan = board_plan(board, frame, name, words)
        self.sea_line = self.plan.base[0]
        self.bottom = self.sea_line + (STRIP if self.sheet else 0)
        self.height = self.bottom + (30 if self.sheet else 12)
        self.grounds = row_grounds(board)
        self.space = Space()

    def draw(self, style: str) -> str:
        kind = SCOPE if self.theme == "light" else f"{SCOPE} theme-{self.theme}"
        layers = [self._defs(), f'<rect class="paper" width="{num(WIDTH)}" height="{num(self.height)}"/>']
        layers += [f'<g clip-path="url(#{self.prefix}map)">', self._ground(), self._lines(), "</g>", self._margin()]
        on_lines = self._on_lines()  # first, so that the marks of Sectors step aside
        layers += [draw_links(self.plan), self._sectors(), f'<g class="on-lines">{on_lines}</g>']
        if self.sheet:
            layers.append(self._title())
        layers.append(f'<g class="ways">{draw_ways(self.plan, self.space, self.words, self.prefix)}</g>')
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" viewBox="0 0 {num(WIDTH)} {num(self.height)}"'
            f' role="img" aria-labelledby="{self.prefix}name {self.prefix}list">'
            f'<title id="{self.prefix}name">{escape(spoken.map_name(self.board))}</title>'
            f'<desc id="{self.prefix}list">{escape(self._list())}</desc>'
            f"{style}{''.join(layers)}</svg>\n"
        )

    def _list(self) -> str:
        head = [self.board.text] if self.board.text else []
        return "\n".join(head + [describe(self.board, sector, self.name, self.words) for sector in self.plan.where])

    def _id(self, what: str, sector: str) -> str:
        return f"{self.prefix}{what}-{safe_id(sector)}"

    def _defs(self) -> str:
        box = f'x="{num(LEFT)}" y="{num(self.plan.top)}" width="{num(RIGHT - LEFT)}"'
        out = [f'<clipPath id="{self.prefix}map"><rect {box} height="{num(self.bottom - self.plan.top)}"/></clipPath>']
        out.append(
            f'<pattern id="{self.prefix}been" width="13" height="13" patternUnits="userSpaceOnUse"'
            ' patternTransform="rotate(45)"><path class="hatching" d="M0 0V13"/></pattern>'
        )
        for sector, area in self.plan.areas.items():
            path = f'<path id="{self._id("shape", sector)}" d="{poly(area, True)}"/>'
            out.append(f'<clipPath id="{self._id("clip", sector)}">{path}</clipPath>')
        return f"<defs>{''.join(out)}</defs>"

    # ------------------------------------------------------------------ below the marks

    def _ground(self) -> str:
        field = Field(self.plan, self.bottom)
        out = [Ground(field, self.grounds, self.board.id).draw()]
        for sector, kind in odd_grounds(self.board).items():
            token = TINT.get(kind, "map-turf-0")
            out.append(f'<path class="patch" fill="var(--{token})" d="{poly(self.plan.areas[sector], True)}"/>')
        for sector, data in self.board.sectors.items():
            if data.bunker:
                place = place_of(self.plan, sector)
                x, y, _ = bunker_at(self.plan, place)
                r, _ = self.plan.where[sector]
                if place.wide:
                    out.append(works(x, y, self.plan.base[r + 1], place.left, place.right))
                out.append(fire_lanes(x, y))
        for sector, data in self.board.sectors.items():
            if data.drawing.blast:
                out.append(self._blasts(sector))
        if self.grounds[0] == "sea":
            out.append(self._craft())
        for sector in self.plan.where:
            use = f'<use href="#{self._id("shape", sector)}" class="wash"/>'
            out.append(f'<g clip-path="url(#{self._id("clip", sector)})">{use}</g>')
        return "".join(out)

    def _blasts(self, sector: str) -> str:
        """Craters of bombs over a Sector: decoration."""
        xs, ys = zip(*self.plan.areas[sector], strict=True)
        wide, tall = max(xs) - min(xs), max(ys) - min(ys)
        places = ((0.3, 0.68, 15.0), (0.62, 0.5, 20.0), (0.8, 0.76, 12.0))
        return "".join(blast(min(xs) + wide * u, min(ys) + tall * v, size) for u, v, size in places)

    def _craft(self) -> str:
        places = [(0.60, -26.0, 0.62, 4.0, True), (0.71, -44.0, 0.62, -3.0, True)]
        if self.sheet:
            places += [(0.742, 62, 0.8, 2, False), (0.815, 34, 0.72, -4, False)]
        out = []
        for part, below, scale, turn, fine in places:
            one = craft(LEFT + (RIGHT - LEFT) * part, self.sea_line + below, scale, turn)
            out.append(f'<g class="fine">{one}</g>' if fine else one)
        return "".join(out)

    def _lines(self) -> str:
        """Courage lines solid, lateral borders dash-dot, a double line where there is no way."""
        out = []
        for r, row in enumerate(self.plan.rows):
            for k in range(len(row) - 1):
                path = curve(self.plan.divider(r, k))
                if frozenset((row[k], row[k + 1])) in self.plan.touching:
                    out.append(f'<path class="div-case" d="{path}"/><path class="div" d="{path}"/>')
        for i in range(1, len(self.plan.rows)):
            path = curve(self.plan.stretch(i, LEFT, RIGHT))
            out.append(f'<path class="row-case" d="{path}"/><path class="row" d="{path}"/>')
        for line in self.plan.walls():
            path = curve(line)
            out.append(f'<path class="barrier-line" d="{path}"/><path class="barrier-gap" d="{path}"/>')
        if self.sheet:
            out.append(f'<path class="depart" d="M{num(LEFT)} {num(self.sea_line)}H{num(RIGHT)}"/>')
        return "".join(out)

    def _margin(self) -> str:
        """The neat line and, on a sheet, the letters and numbers of the grid around it."""
        top, bottom = self.plan.top, self.bottom
        box = f'x="{num(LEFT)}" y="{num(top)}" width="{num(RIGHT - LEFT)}" height="{num(bottom - top)}"'
        out = [f'<rect class="neat" {box} stroke-width="2.6"/>']
        if not self.sheet:
            return out[0]
        outer = f'x="{num(LEFT - 18)}" y="{num(top - 18)}" width="{num(RIGHT - LEFT + 36)}"'
        outer += f' height="{num(bottom - top + 36)}"'
        out.append(f'<rect class="neat" {outer} stroke-width="1.2"/>')
        ticks = ""
        for k in range(6):
            x = LEFT + (RIGHT - LEFT) * (k + 0.5) / 6
            out += [label("ABCDEF"[k], x, y, 12, "edge", "middle") for y in (top - 5, bottom + 13)]
            if k:
                x = LEFT + (RIGHT - LEFT) * k / 6
                ticks += f"M{num(x)} {num(top - 18)}v18M{num(x)} {num(bottom)}v18"
        hearts = [self.plan.line(i, x) for i in range(1, len(self.plan.rows)) for x in (LEFT, RIGHT)]
        for k in range(9):
            y = top + (bottom - top) * (k + 0.5) / 9
            if all(abs(y - other) > 28 for other in hearts):
                out += [label(str(9 - k), x, y + 4, 12, "edge", "middle") for x in (LEFT - 9.5, RIGHT + 9.5)]
            if k:
                y = top + (bottom - top) * k / 9
                ticks += f"M{num(LEFT - 18)} {num(y)}h18M{num(RIGHT)} {num(y)}h18"
        out.append(f'<path class="neat" stroke-width="1.2" d="{ticks}"/>')
        return "".join(out)

    # ------------------------------------------------------------------ marks

    def _on_lines(self) -> str:
        """Mines, Barriers and ways back on borders, hearts with the price at both ends of a Courage line."""
        out = []
        for kind, lines in (("mine", self.board.edges.landmines), ("wire", self.board.edges.barriers)):
            for a, b in lines:
                far = frozenset((a, b)) not in self.plan.touching
                border = link_line(self.plan, a, b) if far else self.plan.border(a, b)
                lateral = self.plan.where[a][0] == self.plan.where[b][0]
                places = mine_places(border, lateral) if kind == "mine" else wire_places(border)
                size = 14 if kind == "mine" else 8
                for x, y in places:
                    self.space.take(x - size, y - size, 2 * size, 2 * size, 0.6)
                out.append("".join(mine(x, y) for x, y in places) if kind == "mine" else wire(places))
        for a, b in self.board.edges.retreat:
            far = frozenset((a, b)) not in self.plan.touching
            border = link_line(self.plan, a, b) if far else self.plan.border(a, b)
            x, y = border[len(border) // 2]
            self.space.take(x - 14, y - 14, 28, 28, 0.6)
            out.append(way_back(x, y))
        for r, row in enumerate(self.board.rows):
            i = r + 1 if row.down else r
            for x in (LEFT, RIGHT) if 0 < i < len(self.board.rows) else ():
                y = self.plan.line(i, x)
                self.space.take(x - 21, y - 20, 42, 42)
                out.append(heart(x, y, row.courage))
        return "".join(out)

    def _sectors(self) -> str:
        marks = {
            sector: draw_sector(self.plan, sector, self.space, self.name, self.words, self.prefix)
            for sector in self.plan.where
        }
        out = []
        for sector in self.plan.where:
            shape, clip = self._id("shape", sector), self._id("clip", sector)
            rims = "".join(
                f'<use href="#{shape}" class="rim rim-{kind}"/>' for kind in ("soft", "edge", "line", "gap", "focus")
            )
            says = describe(self.board, sector, self.name, self.words)
            out.append(
                f'<g id="{self._id("sector", sector)}" class="sector" data-sector="{escape(sector)}">'
                f"<title>{escape(says)}</title>"
                f'<path class="area" d="{poly(self.plan.areas[sector], True)}"/>'
                f'<use href="#{shape}" class="been" fill="url(#{self.prefix}been)"/>'
                f'<g class="rims" clip-path="url(#{clip})">{rims}</g><g class="marks">{marks[sector]}</g>'
                f"{draw_slots(*unit_slots(self.plan, sector, self.space))}</g>"
            )
        return "".join(out)

    # ------------------------------------------------------------------ title

    def _title(self) -> str:
        """Name, sheet, place and date in the strip below the map."""
        board, words, x, y = self.board, self.words, LEFT + 24, self.bottom - 94
        height = min(36.0, 36.0 * 430 / max(1.0, stencil_width(board.name, 36)))
        title = f'<g class="num">{stencil(board.name, x, y + 36 - height, height)}</g>'
        parts = [words["sheet"].format(number=board.number)] if board.number else []
        parts += [spoken.map_place(board)] if board.place else []
        if board.date:
            month = words["months"].split()[board.date.month - 1]
            parts.append(f"{board.date.day} {month} {board.date.year}")
        line = "  ·  ".join(parts)
        room = BESIDE_CRAFT if self.grounds[0] == "sea" else 440
        size = min(17.5, 17.5 * room / max(1.0, text_width(line, 17.5)))
        out = [title, label(line, x, y + 61, size, "title-text")] if line else [title]
        notes = [words["few"]] if board.few_good_men else []
        notes += [words["rebuilt"]] if board.basis == "reconstructed" else []
        if notes:
            text = "  ·  ".join(notes)
            out.append(f'<text class="memory" x="{num(x)}" y="{num(y + 82)}" font-size="15">{escape(text)}</text>')
        out.append(compass(RIGHT - 58, self.bottom - 62, 28))
        if self.grounds[0] == "sea":
            text = escape(words["departure"])
            out.append(f'<text class="memory" x="{num(x)}" y="{num(self.sea_line + 18)}" font-size="14">{text}</text>')
        return "".join(out)
