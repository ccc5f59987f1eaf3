"""What lies on the table of a landing, as plain text: Units, map, dice, cards, numbers and where they come from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..content import spoken
from ..core.node import Decision, Event, Over
from ..core.questions import Explained
from ..landing import outline, questions, score
from ..landing.cites import CITES
from ..landing.dice import COLOURS, COURAGE, FACE, FACES, MASK, SKULL, SOLDIER1, SOLDIER2, STAR, TOOL
from ..landing.state import LOST, RESOURCES, SAFE, SHIELD, Landing, Unit
from ..landing.text import marker_word
from ..landing.words import (
    EFFECT_WORDS,
    FACE_WORDS,
    KIND_WORDS,
    amounts,
    bonus_name,
    bonus_text,
    capital,
    card_name,
    card_text,
    count,
    demands,
    die_words,
    effect_words,
    fire_words,
    join,
    pairs,
    price,
    say_colour,
    sector_marks,
    sector_name,
    sector_text,
    toll,
    unit_name,
    way_marks,
)
from ..say import say


def units_table(g: Landing, players: Sequence[str], people: Sequence[int]) -> list[str]:
    """A row for each Unit, below it its cards; then each Sector in which a Unit of `people` stands. Columns for what
    there is not in this game are left out.
    """
    columns = [column for column in COLUMNS if column.there(g)]
    rows = [[column.title() for column in columns]]
    for seat in range(len(g.units)):
        name = f"{seat + 1} {players[seat]}"[:13]
        rows.append([column.cell(g, seat, name) for column in columns])
    longest = [max(len(row[n]) for row in rows) for n in range(len(columns))]
    spare = WIDTH
    forms = []
    for n, column in enumerate(columns):
        needed = sum(other.least(long) for other, long in zip(columns[n + 1 :], longest[n + 1 :], strict=True))
        wide = min(max(column.wide, column.least(longest[n])), max(spare - needed, column.least(longest[n])))
        forms.append(f"{column.side}{wide}")
        spare -= wide
    lines = []
    for n, row in enumerate(rows):
        lines.append("".join(f"{cell:{form}}" for cell, form in zip(row, forms, strict=True)).rstrip())
        if n and (cards := cards_words(g.units[n - 1])):
            lines.append(f"  {cards}")
    stand = [seat for seat in people if g.units[seat].on_map]
    for sector, seat in {g.units[seat].sector: seat for seat in reversed(stand)}.items():
        about, name = sector_text(g, sector), capital(sector_name(g, sector))
        lines.append(say("table.title", title=name, text=about) if about else name)
        lines.append("  " + say("table.ways", ways=ways_words(g, seat)))
    lines += [say("table.now", said=effect_words(*effect[:5])) for effect in g.effects if effect[0] in EFFECT_WORDS]
    return lines


WIDTH = 80


class Column(NamedTuple):
    """A column of the table of Units: the key of its title, `<` or `>`, how wide it is where there is room, and how
    many blanks come before it at least.
    """

    name: str
    side: str
    wide: int
    cell: Callable[[Landing, int, str], str]
    there: Callable[[Landing], bool] = lambda g: True
    gap: int = 1

    def title(self) -> str:
        return " " * (self.side == "<" and self.gap) + say(f"table.column.{self.name}")

    def least(self, longest: int) -> int:
        """How wide it is at least, where the longest cell has so many letters."""
        return longest + (self.gap if self.side == ">" else 0)


def _on_map(cell: Callable[[Landing, int, Unit], object], gone: bool = False) -> Callable[..., str]:
    """The cell of a Unit on the map; `gone`: what became of one that is not."""

    def found(g: Landing, seat: int, name: str) -> str:
        unit = g.units[seat]
        if unit.on_map:
            return str(cell(g, seat, unit))
        return _fate(unit) if gone else ""

    return found


def _fate(unit: Unit) -> str:
    return say("table.safe" if unit.status == SAFE else "table.lost")


def _marker(g: Landing, seat: int, unit: Unit) -> str:
    return "  " + (say("marker.must-move") if unit.marker == SHIELD else marker_word(unit.marker))


def _leaves(g: Landing, seat: int, unit: Unit) -> str:
    due = outline.leave_by(g, seat)
    return say("table.turn", n=due) if due else "-"


COLUMNS = (
    Column("unit", "<", 12, lambda g, seat, name: name, gap=0),
    Column("sector", ">", 6, _on_map(lambda g, seat, unit: unit.sector, True), gap=0),
    Column("def", ">", 5, _on_map(lambda g, seat, unit: questions.defence(g, seat, unit.sector))),
    Column(
        "mgf",
        ">",
        5,
        _on_map(lambda g, seat, unit: fire_words(g, _fire(g, seat))),
        lambda g: any(sector.mgf for sector in g.world.sectors.values()),
    ),
    Column("marker", "<", 14, _on_map(_marker), gap=2),
    Column("leave", "<", 8, _on_map(_leaves), gap=0),
    Column("soldiers", ">", 9, lambda g, seat, name: str(g.units[seat].soldiers)),
    Column("stars", ">", 6, lambda g, seat, name: str(g.units[seat].stars), lambda g: STAR not in g.world.ignored),
    Column("courage", ">", 8, lambda g, seat, name: str(g.units[seat].courage)),
    Column("points", ">", 7, lambda g, seat, name: str(g.units[seat].points), lambda g: g.world.level.items),
)


def _fire(g: Landing, seat: int) -> int:
    sector = g.units[seat].sector
    return questions.ask(g, "mgf_dice", g.at(sector).mgf, seat, sector)


def unit_line(g: Landing, seat: int) -> str:
    """One Unit in a line: `Unit 2, UK: Sector 4, 12 Soldiers, 2 Stars; leave by turn 5. Specialists: Scout.`"""
    unit = g.units[seat]
    nation = nation_name(g, seat)
    who = f"{unit_name(seat)}, {nation}" if nation else unit_name(seat)
    held = ", ".join(amounts({name: n}) for name in RESOURCES if (n := getattr(unit, name)) or name == "soldiers")
    place = capital(sector_name(g, unit.sector)) if unit.on_map else _fate(unit)
    stays = not outline.leave_by(g, seat)
    key = "table.unit" if stays else "table.unit-leaves"
    said = say(key, who=who, place=place, held=held, n=outline.leave_by(g, seat))
    return f"{said} {cards_words(unit)}".rstrip()


def nation_name(g: Landing, seat: int) -> str:
    """The nation of this Unit where there are several, or else the empty text."""
    if len(g.world.nations) < 2:
        return ""
    return spoken.nation_name(g.world.setup.edition, g.world.nations[g.units[seat].nation])


def cards_words(unit: Unit) -> str:
    """`Specialists: Scout, Medic. Items: Grenade.`"""
    held = (("specialists", unit.specialists), ("items", unit.items), ("awards", unit.awards))
    return " ".join(say(f"table.cards.{name}", cards=", ".join(map(card_name, cards))) for name, cards in held if cards)


def ways_words(g: Landing, seat: int) -> str:
    """Where the Unit could go, with what each way asks and what waits there; without Sectors it has been in."""
    unit = g.units[seat]
    parts = [
        f"{way.to} ({', '.join([*toll(g, seat, way), *sector_marks(g, way.to)])})"
        for way in g.world.ways[unit.sector]
        if way.to not in unit.visited
    ]
    return say("list.break").join(parts) or say("table.no-ways")


class BoardLine(NamedTuple):
    """One line of the board in words: a Sector with its name, or a line to cross (`sector` is empty then)."""

    sector: str
    text: str


def board(g: Landing) -> list[BoardLine]:
    """The map row by row, as it lies there from top to bottom."""
    lines = []
    for row in reversed(g.world.map.rows):
        crossed = [BoardLine("", say("table.line", n=row.courage))] if row.courage else []
        lines += crossed if row.down else []
        for sector in row.sectors:
            marks = ", ".join([*sector_marks(g, sector), *demands(g, sector)])
            said = f"{marks}. {sector_text(g, sector)}".rstrip()
            if g.at(sector).reconstructed:
                said += f" {say('table.reconstructed')}"
            if ways := _exits(g, sector):
                said += f" {say('table.ways', ways=ways)}."
            here = [unit_name(seat) for seat, unit in enumerate(g.units) if unit.sector == sector and unit.on_map]
            lines.append(BoardLine(sector, f"{said} {say('table.here', units=', '.join(here))}" if here else said))
        lines += [] if row.down else crossed
    return lines


def _exits(g: Landing, sector: str) -> str:
    parts = []
    for way in g.world.ways[sector]:
        marks = way_marks(way)
        end = way.to if way.forward else say("table.back" if way.back else "table.beside", id=way.to)
        parts.append(f"{end} ({', '.join(marks)})" if marks else end)
    return ", ".join(parts)


def map_title(g: Landing) -> str:
    board = g.world.map
    name = spoken.map_name(board)
    parts = [f"{name} ({board.number})" if board.number else name]
    if board.place:
        parts.append(spoken.map_place(board))
    if board.date:
        parts.append(
            say("table.date", day=board.date.day, month=say(f"month.{board.date.month}"), year=board.date.year)
        )
    return ", ".join(parts) + (f" {say('table.reconstructed')}" if board.basis == "reconstructed" else "")


SHOWS_DICE = frozenset(
    (
        "mulligan",
        "lock",
        "reroll",
        "cancel",
        "free",
        "pick-die",
        "set-face",
        "set-colour",
        "swap-give",
        "swap-take",
        "add",
    )
)


def shows_dice(g: Landing, decision: Decision) -> bool:
    """Is the question about the dice on the table?"""
    if decision.name == "window":
        return bool(g.lanes[decision.seat][-1][1] == "tally")
    return decision.name in SHOWS_DICE


def best_dice(g: Landing, decision: Decision, key: str) -> tuple[int, str] | None:
    """The dice that an answer of the adviser names, or for a roll those that it keeps, and what is said of them."""
    verb, _, rest = key.partition(":")
    if verb in ("roll", "stop"):
        faces = g.units[decision.seat].faces
        on_table = sum(1 << place for place in range(6) if faces[place] >= 0)
        return on_table & ~(MASK[rest] if rest else 0), say("advise.mark.roll")
    if verb not in ("lock", "leave", "cancel", "free", "die") or rest not in MASK:
        return None
    return MASK[rest], say(f"advise.mark.{verb}")


def tray(g: Landing, seat: int, best: int = 0, told: str = "") -> list[str]:
    """The six dice in three columns, red, white and blue, with their marks; `best` are those that the adviser points
    at, and `told` why.
    """
    unit = g.units[seat]
    cells = []
    for place in range(6):
        idle = unit.faces[place] in g.world.ignored
        marks = "".join(
            mark
            for mark, there in (
                ("#", unit.locked >> place & 1),
                ("x", unit.out >> place & 1),
                ("-", idle),
                ("*", best >> place & 1),
            )
            if there
        )
        cells.append(die_words(place, unit.faces[place], unit.colours[place]) + (f" {marks}" if marks else ""))
    wide = max(22, *(len(cell) + 2 for cell in cells[:4]))
    lines = [f"{cells[row]:<{wide}}{cells[row + 2]:<{wide}}{cells[row + 4]}".rstrip() for row in (0, 1)]
    idle = any(face in g.world.ignored for face in unit.faces)
    legend = [
        words
        for there, words in (
            (unit.locked, say("tray.locked")),
            (unit.out, say("tray.cancelled")),
            (idle, say("tray.idle")),
            (best, told),
        )
        if there
    ]
    if legend == [say("tray.locked")] and len(lines[1]) < 65 and len(legend[0]) <= 10:
        lines[1] = f"{lines[1]:<66}{legend[0]}"
    elif legend:
        lines.append(", ".join(legend))
    if unit.added:
        lines.append(say("tray.added", dice=pairs(unit.added)))
    return lines


def tally_words(event: Event) -> str:
    """The dice of an event by their results: `Unit 2 has 3 Courage, 2 Skulls and 1 Star`."""
    faces = event.data["faces"]
    counts = [sum(1 for one in faces if one == face) for face in range(6)]
    parts = [amounts({name: n}) for name, n in _counted(counts)]
    parts += [count(what, n) for what, n in (("tools", counts[TOOL]), ("skulls", counts[SKULL])) if n]
    return capital(say("event.has", who=unit_name(event.seat), what=join(parts)))


def _counted(counts: list[int]) -> list[tuple[str, int]]:
    """Resources that so many results of each face are worth, Tools aside."""
    soldiers = counts[SOLDIER1] + 2 * counts[SOLDIER2]
    found = (("soldiers", soldiers), ("stars", counts[STAR]), ("courage", counts[COURAGE]))
    return [(name, n) for name, n in found if n]


def rolls_all(event: Event) -> bool:
    """Is it a roll of all dice that lie on the table?"""
    rolled = event.data.get("rolled", "").split(",")
    return len(rolled) == sum(1 for face in event.data["faces"] if face >= 0)


def worth(g: Landing, seat: int) -> str:
    """What the dice come to as they lie, before Skulls cancel any."""
    found, nation = outline.worth(g, seat), g.units[seat].nation
    parts = [amounts({name: n}) for name, n in found.amounts.items() if name != "points"]
    if found.tools:
        parts.append(f"{count('tools', found.tools)} = {count('points', found.amounts['points'])}")
    if found.skulls:
        parts.append(count("skulls", found.skulls))
    parts += [bonus_name(g, nation, FACES[face]) for face in found.bonuses]
    if found.straight:
        parts.append(say("tray.straight"))
    said = f"{', '.join(parts) or say('count.nothing')}."
    if found.due:
        whence = [sector_name(g, sector) if sector else card_name(card) for _, sector, card in found.due]
        due = [f"{FACE_WORDS[FACES[one[0]]]} ({by})" for one, by in zip(found.due, whence, strict=True)]
        said += f" {say('tray.due', dice=', '.join(due))}"
    near = []
    for face, colour in found.near:
        die = say("tray.missing", colour=say_colour(COLOURS[colour]), face=FACE_WORDS[FACES[face]])
        near.append(f"{bonus_name(g, nation, FACES[face])} ({die})")
    return said + (f" {say('tray.near', bonuses=', '.join(near))}" if near else "")


def card_sheet(g: Landing, card: str) -> list[str]:
    """All there is to say about a card of this game."""
    found = g.world.cards[card]
    parts = [KIND_WORDS[found.kind]]
    if found.cost:
        parts.append(price(found.cost, "rally" if found.is_specialist else "find"))
    head = say("table.title", title=card_name(card), text=", ".join(parts))
    rule = say("table.rule-guess" if found.basis == "reconstructed" else "table.rule", id=found.rule)
    return [f"{head}. {_where(g, card)}", card_text(g, card), rule]


def _where(g: Landing, card: str) -> str:
    places = []
    for seat, unit in enumerate(g.units):
        if card in unit.specialists + unit.items + unit.awards:
            places.append(say("where.with", unit=unit_name(seat)))
        if card in unit.dead:
            places.append(say("where.fallen", unit=unit_name(seat)))
    hands = [unit_name(seat).the for seat, unit in enumerate(g.units) if card in unit.hand]
    if hands:
        places.append(say("where.hand", units=join(hands), n=len(hands)))
    elif card in g.pool:
        places.append(say("where.pool"))
    places += [say(f"where.{name}") for name in ("deck", "used", "box") if card in getattr(g, name)]
    return capital(say("list.break").join(places) or say("where.nowhere")) + "."


def cards_in_reach(g: Landing, seat: int) -> list[tuple[str, list[str]]]:
    """What this Unit could rally or find, cheapest first, and the Awards that are left; each as `name cost`."""
    unit, cards = g.units[seat], g.world.cards
    groups: list[tuple[str, list[str]]] = []
    for title, ids in (
        (say("table.reach.specialists"), [c for c in (*unit.hand, *g.pool) if cards[c].is_specialist]),
        (say("table.reach.items"), [c for c in g.pool if not cards[c].is_specialist]),
        (say("table.reach.awards"), list(g.deck)),
    ):
        named = sorted(ids, key=lambda c: (cards[c].cost, c))
        groups.append((title, [f"{card_name(c)} {cards[c].cost}" if cards[c].cost else card_name(c) for c in named]))
    return [group for group in groups if group[1]]


def bonus_list(g: Landing, seat: int) -> list[tuple[str, str, str]]:
    """What each RWB gives this Unit: result, name, text; without results that count for nothing."""
    nation = g.units[seat].nation
    found = []
    for face in FACES:
        if FACE[face] not in g.world.ignored:
            guess = g.world.nations[nation].rwb[face].basis == "reconstructed"
            about = bonus_text(g, nation, face) + (f" {say('table.reconstructed')}" if guess else "")
            found.append((FACE_WORDS[face], bonus_name(g, nation, face), about))
    return found


def explained(what: str, found: Explained) -> str:
    """`DEF 5: 12 printed, -7 Bazooka [F-CARD-BAZOOKA]`."""
    parts = []
    for n, voice in enumerate(found.contributions):
        source = card_name(voice.source) if n and voice.source else voice.source
        if n == 0:
            said = say("number.printed", n=voice.value)
        elif voice.mode == "by":
            nobody = say("number.guns" if voice.rule in CITES["barrage"] else "number.bunker")
            said = say("number.by", n=f"{voice.value:+d}", source=source or nobody)
        else:
            key = "number.at-most" if voice.mode == "at_most" else "number.set"
            said = say(key, n=voice.value, source=source or say("number.bonus"))
        parts.append(f"{said} [{voice.rule}]")
    return say("table.title", title=f"{what} {found.value}", text=", ".join(parts))


def ending(g: Landing, over: Over) -> list[str]:
    """The end: how and why, what became of each Unit, and its Victory Points where they are counted."""
    alone = len(g.units) == 1
    lost = [unit_name(seat).unit for seat, unit in enumerate(g.units) if unit.status == LOST]
    how = "won" if over.won else over.cause
    if how == "bunker-stands":
        why = say("end.bunker-stands")
    elif alone:
        why = say(f"end.alone.{how}")
    elif over.won:
        why = say("end.survivors-won" if lost else "end.all-won")
    else:
        why = capital(say(f"end.some.{how}", units=join(lost), n=len(lost)))
    if lost and not over.won and not alone and g.world.level.one_lost_all_lost:
        why += f" {say('end.one-lost')}"
    lines = [f"{say('end.victory' if over.won else 'end.defeat', n=g.turn)} {why}"]
    for seat, unit in enumerate(g.units):
        place = "safe" if unit.status == SAFE else "lost" if unit.status == LOST else "on-map"
        held, sector = amounts({"soldiers": unit.soldiers}), sector_name(g, unit.sector)
        said = say(f"end.fate.{place}", who=unit_name(seat), sector=sector, held=held)
        lines.append(f"  {said} {cards_words(unit)}".rstrip())
    return lines + score_lines(g, over)


def score_lines(g: Landing, over: Over) -> list[str]:
    """The Victory Points of each Unit with their parts, and those of the group."""
    lines = []
    for seat, points in enumerate(over.scores):
        parts = [say(f"score.{name}", n=n) for name, n in score.terms(g, seat, over.won).items() if n]
        has = say("score.unit", who=unit_name(seat), points=count("victory-points", points), parts=", ".join(parts))
        lines.append(f"  {capital(has)}")
    if len(over.scores) > 1:
        lines.append(f"  {say('score.group', n=score.group_score(over.scores))}")
    return lines
