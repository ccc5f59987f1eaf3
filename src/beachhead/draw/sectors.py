"""One Sector on the paper: number upper left, DEF and guns upper right, badges below, Units at the foot."""

from __future__ import annotations

from dataclasses import dataclass

from .badges import Badge, Namer, Words, badges, label_of
from .furniture import BADGE_HEIGHT, badge_width, casemate, crosshair, draw_badge, halo, shield
from .marks import stencil_width
from .pen import Points, num
from .plan import LEFT, RIGHT, Plan
from .space import Space

SLOTS = 6
LITTLE = 40.0
"""As much as four tokens may hide, in square units of the drawing; a token has some 2,000."""
SMALLER = (0.85, 0.7)
"""Sizes of tokens where the whole is too large."""
NUMBER = 40.0
EDGE = 6.0
"""The paper edge around a name stays in its Sector."""
DROP = 24
"""So far down a name may step aside."""
LINE = 37.0
"""From one line of badges to the next."""
FOOT = 66.0
"""Height that the Units need."""
WIDE = 420.0
"""A Bunker that is wider has its name and its works drawn."""
COLUMN = (RIGHT - LEFT) / 12


@dataclass(frozen=True)
class Place:
    """Where things of a Sector start: its limits near the top, and the margins there."""

    sector: str
    left: float
    right: float
    left_pad: float
    right_pad: float

    @property
    def wide(self) -> bool:
        return self.right - self.left > WIDE


def place_of(ground: Plan, sector: str) -> Place:
    r, c = ground.where[sector]
    last = c == len(ground.rows[r]) - 1
    head = (ground.base[r] + ground.base[r + 1]) / 2
    left, right = ground.span(sector, head - 90, head - 10)
    return Place(sector, left, right, 30 if c == 0 else 15, 30 if last else 13)


def draw_sector(ground: Plan, sector: str, space: Space, name: Namer, words: Words, prefix: str) -> str:
    """All printed marks of a Sector; the places they take are taken in `space`."""
    data = ground.board.sectors[sector]
    place = place_of(ground, sector)
    out = []
    if data.bunker:
        out.append(_bunker(ground, place, space, prefix))
    number, foot, after = _number(ground, place, space, words)
    out += [number, _guns(ground, place, space, foot, after)]
    out.append(_badges(ground, place, space, foot, after, list(badges(ground.board, sector, name, words))))
    return "".join(out)


def _bunker(ground: Plan, place: Place, space: Space, prefix: str) -> str:
    x, y, scale = bunker_at(ground, place)
    space.take(x - 112 * scale, y - 42 * scale, 224 * scale, 84 * scale, 0.7)
    return casemate(x, y, scale, f"{prefix}wall-{ground.where[place.sector][0]}-{ground.where[place.sector][1]}")


def bunker_at(ground: Plan, place: Place) -> tuple[float, float, float]:
    """Where the casemate stands and how large it is."""
    r, _ = ground.where[place.sector]
    drawing = ground.board.sectors[place.sector].drawing
    x = (place.left + place.right) / 2
    middle = (ground.base[r] + ground.base[r + 1]) / 2
    if not place.wide:
        scale = min(0.66, (place.right - place.left - 24) / 250)
        armed = bool(ground.board.sectors[place.sector].mgf)
        return x, max(middle + 34, ground.base[r + 1] + (162 if armed else 118)), scale
    if len(ground.rows[r]) == 1:
        x = min(max(LEFT + (drawing.col + drawing.width / 2) * COLUMN, LEFT + 250), RIGHT - 250)
    return x, middle - 4, 1.12


def _number(ground: Plan, place: Place, space: Space, words: Words) -> tuple[str, float, tuple[float, float]]:
    """The name or number; also the y under it, and the x and y at which badges beside it could begin."""
    sector = place.sector
    text = (label_of(ground.board, sector, words) if place.wide else sector).upper()
    height = 30.0 if ground.board.sectors[sector].bunker else NUMBER
    room = (place.right - place.left) * (0.5 if len(text) > 2 else 1)
    if not place.wide and stencil_width(text, height) > room:
        height *= max(0.5, room / stencil_width(text, height))
    width = stencil_width(text, height)
    x = place.left + place.left_pad
    y = ground.roof(sector, x, x + width) + 13
    left, right = ground.span(sector, y, y + height + DROP)
    if not place.wide and x + width > right - EDGE:
        return _squeezed(text, left + EDGE, right - EDGE, y, height, space)
    x, y = space.place(x, y, width, height, max(0.0, min(30.0, right - EDGE - width - x)), DROP, 4)
    return halo(text, x, y, height), y + height + 9, (x + width + 16, y + 5)


def _squeezed(
    text: str, left: float, right: float, y: float, height: float, space: Space
) -> tuple[str, float, tuple[float, float]]:
    """A name for which its Sector has no room beside the margin: it goes to the border, narrowed as a whole."""
    width = min(right - left, stencil_width(text, height))
    _, y = space.place(left, y, width, height, 0, DROP, 4)
    place = f"translate({num(left)} 0) scale({width / stencil_width(text, height):.3f} 1)"
    return f'<g transform="{place}">{halo(text, 0, y, height)}</g>', y + height + 9, (left + width + 16, y + 5)


def _guns(ground: Plan, place: Place, space: Space, foot: float, after: tuple[float, float]) -> str:
    """The shields with DEF, one for each turn if it changes, and the crosshair."""
    data, sector = ground.board.sectors[place.sector], place.sector
    count = len(data.defence)
    room = place.right - place.right_pad - after[0] + 10
    below = room < 0.6 * 58 * count
    if below:  # no room beside the number
        scale = min(0.72, (place.right - place.left - 20) / (58 * count))
        left, right = ground.span(sector, foot, foot + 68 * scale)
        x, top = (left + right - 58 * scale * count) / 2, foot - 4
    else:
        scale = min(1.0 if count == 1 else 0.72, room / (58 * count))
        x = place.right - place.right_pad - 58 * scale * count + 2
        top = ground.roof(sector, x, x + 58 * scale * count) + 9
    width = 58 * scale * count - 2
    x, y = space.place(x, top, width, 68 * scale, 0 if below else -30, 30, 1)
    out = []
    for n, value in enumerate(data.defence):
        at = x + 28 * scale + n * 58 * scale
        out.append(shield(at, y + 31 * scale, value, data.shield == "black", data.def_fixed, scale))
    if data.mgf or data.special_damage:
        wider = 6.0 if data.mgf > 1 else 0.0
        gx = x - 48
        if gx - wider < after[0] - 12:
            gx, top = x + width - 44, y + 68 * scale + 4
        else:
            top = max(ground.roof(sector, gx, gx + 44) + 9, y + 8)
        tall = 52 if wider or data.special_damage else 44
        gx, gy = space.place(gx, top, 44, tall, -24, 30, 1)
        out.append(crosshair(gx + 22, gy + 22, data.mgf, data.special_damage is not None))
    return "".join(out)


def _badges(
    ground: Plan, place: Place, space: Space, foot: float, after: tuple[float, float], marks: list[Badge]
) -> str:
    """Badges in lines under the number, or beside it if they fit there in one line."""
    if not marks:
        return ""
    total = sum(badge_width(mark) + 7 for mark in marks)
    reach = min(after[0] + total, RIGHT)
    after = after[0], max(after[1], ground.roof(place.sector, after[0], reach) + 7)
    beside = (after[0], after[1], total, BADGE_HEIGHT)
    if ground.where[place.sector][0] == 0 and after[0] + total < place.right - 150 and not space.clash(*beside):
        return _line(space, marks, *after, total)
    out, y = [], foot
    while marks:
        left, right = ground.span(place.sector, y, y + BADGE_HEIGHT)
        room = right - left - (place.left_pad if place.left_pad > 20 else 12) - (20 if place.right_pad > 20 else 8)
        line = [marks.pop(0)]
        while marks and sum(badge_width(mark) + 6 for mark in line) + badge_width(marks[0]) <= room:
            line.append(marks.pop(0))
        width = min(room, sum(badge_width(mark) + 6 for mark in line) - 6)
        x = min(left + (place.left_pad if place.left_pad > 20 else 12), right - 8 - width)
        x, y = _free(space, x, y, width, max(0.0, right - 8 - width - x))
        left, right = ground.span(place.sector, y, y + BADGE_HEIGHT)
        x = max(x, left + EDGE)
        room = min(room, right - EDGE - x)
        out.append(_line(space, line, x, y, room))
        y += LINE
    return "".join(out)


def _free(space: Space, x: float, y: float, width: float, slack: float) -> tuple[float, float]:
    """The nearest place for a line of badges, to the right by at most `slack`, or down."""
    best = (float("inf"), x, y)
    for down in range(0, 112, 3):
        for aside in range(0, int(slack) + 1, 5):
            clash = space.clash(x + aside - 2, y + down - 3, width + 4, BADGE_HEIGHT + 4)
            cost = 50 * clash + 1.5 * down + aside
            if cost < best[0]:
                best = (cost, x + aside, y + down)
    return best[1], best[2]


def _line(space: Space, marks: list[Badge], x: float, y: float, room: float) -> str:
    out = []
    for mark in marks:
        width = min(room, badge_width(mark))
        out.append(draw_badge(mark, x, y, room))
        space.take(x, y, width, BADGE_HEIGHT)
        x += width + 6
    return "".join(out)


# ---------------------------------------------------------------------- how much height a row needs


def row_heights(ground: Plan, name: Namer, words: Words) -> list[float]:
    """The height of each row, so that badges and Units find room. `ground` has rows of any height."""
    out = []
    for r, row in enumerate(ground.rows):
        least = 138.0 if r == 0 else 172.0 if r == len(ground.rows) - 1 else 218.0 if len(row) > 2 else 180.0
        needs = (_height(ground, sector, name, words) for sector in row)
        out.append(max([least, *needs]))
    return out


def _height(ground: Plan, sector: str, name: Namer, words: Words) -> float:
    place = place_of(ground, sector)
    room = place.right - place.left - place.left_pad - place.right_pad - 8
    data = ground.board.sectors[sector]
    marks = list(badges(ground.board, sector, name, words))
    if ground.where[sector][0] == 0 and sum(badge_width(mark) + 7 for mark in marks) + 240 < room:
        return 0.0  # they fit beside the number
    lines, used = 0, room
    for mark in marks:
        width = min(room, badge_width(mark) + 6)
        if used + width > room:
            lines, used = lines + 1, 0.0
        used += width
    narrow = room < 190 and bool(data.mgf or data.special_damage)
    stacked = len(data.defence) > 1 and place.right - place.left < 60 + 35 * len(data.defence)
    head = 134.0 if stacked else 118.0 if narrow else 84.0
    if data.bunker and not place.wide:
        return 13 + head + lines * LINE + 60 + FOOT
    return 13 + head + lines * LINE + (FOOT if lines else 0)


# ---------------------------------------------------------------------- Units


def unit_slots(ground: Plan, sector: str, space: Space) -> tuple[Points, float]:
    """Where the tokens of up to six Units stand: each at the foot of the Sector, where it hides least; and their size,
    which is smaller where four large ones would hide each other or what is printed.
    """
    hidden, size, found = _slots(ground, sector, space, 1)
    for smaller in SMALLER:
        if hidden < LITTLE:
            break
        other = _slots(ground, sector, space, smaller)
        if other[0] < 0.6 * hidden:
            hidden, size, found = other
    for x, y in found:
        space.take(x - 24 * size, y - 24 * size, 48 * size, 48 * size, 0.1)
    return found, size


def _slots(ground: Plan, sector: str, space: Space, size: float) -> tuple[float, float, Points]:
    """How much tokens of this size hide when four Units stand here, the size, and where they stand."""
    places = [(_token_cost(ground, sector, space, (x, y), size), x, y) for x, y in _standing(ground, sector, size)]
    found: Points = []
    while len(found) < SLOTS:
        _, x, y = min((cost + sum(_overlap((x, y), one, size) for one in found), x, y) for cost, x, y in places)
        found.append((x, y))
    hidden = sum(space.clash(x - 24 * size, y - 27 * size, 48 * size, 50 * size) for x, y in found[:4])
    for n, (x, y) in enumerate(found[:4]):
        hidden += sum(max(0.0, 46 * size - abs(x - a)) * max(0.0, 44 * size - abs(y - b)) for a, b in found[:n])
    return round(hidden), size, found


def _standing(ground: Plan, sector: str, size: float) -> Points:
    """Places for a token that lie well inside a Sector, in a grid from the foot up."""
    xs, ys = zip(*ground.areas[sector], strict=True)
    out = []
    for n in range(int((max(xs) - min(xs)) / 11)):
        x = min(xs) + 11 * n
        foot = ground.floor(sector, max(x - 26 * size, LEFT), min(x + 26 * size, RIGHT)) - 33 * size
        for lift in range(0, 97, 12):
            left, right = ground.span(sector, foot - lift - 20 * size, foot - lift + 20 * size)
            if left + 29 * size <= x <= right - 29 * size and foot - lift > min(ys) + 40:
                out.append((x, foot - lift))
    middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return out if len(out) >= SLOTS else [(middle[0] + 4 * n - 10, middle[1]) for n in range(SLOTS)]


def _token_cost(ground: Plan, sector: str, space: Space, place: tuple[float, float], size: float) -> float:
    """What a token would hide, how high it would stand, and how far from the middle."""
    (x, y), (middle, _) = place, ground.middle(sector)
    lift = ground.base[ground.where[sector][0]] - y
    return 8 * space.clash(x - 26 * size, y - 30 * size, 57 * size, 56 * size) + 12 * lift + 0.9 * abs(x - middle)


def _overlap(one: tuple[float, float], other: tuple[float, float], size: float) -> float:
    """What it costs that two tokens hide each other; tokens of a Sector like to stand in a row."""
    dx, dy = abs(one[0] - other[0]), abs(one[1] - other[1])
    hidden = max(0.0, 54 * size - dx) * max(0.0, 52 * size - dy)
    return 10 * hidden + 0.5 * dx + 2 * dy


def draw_slots(points: Points, size: float) -> str:
    out = []
    for n, (x, y) in enumerate(points, 1):
        place = f'data-x="{num(x)}" data-y="{num(y)}" transform="translate({num(x)} {num(y)})"'
        out.append(f'<g class="slot" data-slot="{n}" data-size="{num(size)}" {place}/>')
    return f'<g class="units">{"".join(out)}</g>'
