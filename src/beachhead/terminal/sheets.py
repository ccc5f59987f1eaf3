"""What lies on the table of a landing, as plain text: Units, map, dice, cards, numbers and where they come from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..content import schema
from ..core.node import Decision, Event, Over
from ..core.questions import Explained
from ..landing import questions, score
from ..landing.dice import COLOURS, COURAGE, FACE, FACES, SKULL, SOLDIER1, SOLDIER2, STAR, TOOL, item_points, rwb_counts
from ..landing.state import ARROW, CHEVRON3, LOST, MARKERS, SAFE, SHIELD, Landing, Unit
from ..landing.words import (
    EFFECT_WORDS,
    FACE_WORDS,
    KIND_WORDS,
    RESOURCE_WORDS,
    amounts,
    capital,
    card_name,
    count,
    die_words,
    effect_words,
    fire_words,
    join,
    pairs,
    price,
    sector_marks,
    sector_name,
    toll,
    unit_name,
)


def leave_by(g: Landing, unit: Unit) -> int:
    """The turn in which the Unit has to leave its Sector."""
    if unit.marker == ARROW:
        return g.turn
    steps = 1 if unit.marker == SHIELD else CHEVRON3 + 1 - unit.marker
    turned = g.phase not in ("", "roll", "upkeep")
    if g.turn <= 1 and not g.world.switches.marker_turns_on_turn_one:
        turned = True
    return max(g.turn, 1) + steps - (not turned)


def units_table(g: Landing, players: Sequence[str], people: Sequence[int]) -> list[str]:
    """A row for each Unit, below it its cards; then each Sector in which a Unit of `people` stands. Columns for what
    there is not in this game are left out.
    """
    columns = [column for column in COLUMNS if column.there(g)]
    lines = ["".join(f"{column.name:{column.form}}" for column in columns).rstrip()]
    for seat, unit in enumerate(g.units):
        name = f"{seat + 1} {players[seat]}"[:11]
        lines.append("".join(f"{column.cell(g, seat, name):{column.form}}" for column in columns).rstrip())
        if cards := cards_words(unit):
            lines.append(f"  {cards}")
    stand = [seat for seat in people if g.units[seat].on_map]
    for sector, seat in {g.units[seat].sector: seat for seat in reversed(stand)}.items():
        about = g.world.sectors[sector].text
        lines.append(f"{capital(sector_name(g, sector))}{': ' + about if about else ''}")
        lines.append(f"  Ways: {ways_words(g, seat)}")
    lines += [f"Now: {effect_words(*effect[:5])}." for effect in g.effects if effect[0] in EFFECT_WORDS]
    return lines


class Column(NamedTuple):
    """A column of the table of Units."""

    name: str
    form: str
    cell: Callable[[Landing, int, str], str]
    there: Callable[[Landing], bool] = lambda g: True


def _on_map(say: Callable[[Landing, int, Unit], object], safe: str = "", lost: str = "") -> Callable[..., str]:
    def cell(g: Landing, seat: int, name: str) -> str:
        unit = g.units[seat]
        return str(say(g, seat, unit)) if unit.on_map else safe if unit.status == SAFE else lost

    return cell


COLUMNS = (
    Column("Unit", "<12", lambda g, seat, name: name),
    Column("Sector", ">6", _on_map(lambda g, seat, unit: unit.sector, "safe", "lost")),
    Column("DEF", ">5", _on_map(lambda g, seat, unit: questions.defence(g, seat, unit.sector))),
    Column(
        "MGF",
        ">5",
        _on_map(lambda g, seat, unit: fire_words(_fire(g, seat))),
        lambda g: any(sector.mgf for sector in g.world.sectors.values()),
    ),
    Column(
        "  marker",
        "<14",
        _on_map(lambda g, seat, unit: "  " + ("must move" if unit.marker == SHIELD else MARKERS[unit.marker])),
    ),
    Column("leave by", "<8", _on_map(lambda g, seat, unit: f"turn {leave_by(g, unit)}")),
    Column("Soldiers", ">9", lambda g, seat, name: str(g.units[seat].soldiers)),
    Column("Stars", ">6", lambda g, seat, name: str(g.units[seat].stars), lambda g: STAR not in g.world.ignored),
    Column("Courage", ">8", lambda g, seat, name: str(g.units[seat].courage)),
    Column("Points", ">7", lambda g, seat, name: str(g.units[seat].points), lambda g: g.world.level.items),
)


def _fire(g: Landing, seat: int) -> int:
    sector = g.units[seat].sector
    return questions.ask(g, "mgf_dice", g.world.sectors[sector].mgf, seat, sector)


def unit_line(g: Landing, seat: int) -> str:
    """One Unit in a line: `Unit 2, UK: Sector 4, 12 Soldiers, 2 Stars; leave by turn 5. Specialists: Scout.`"""
    unit = g.units[seat]
    who = unit_name(seat) + (f", {nation}" if (nation := nation_name(g, seat)) else "")
    held = ", ".join(amounts({name: n}) for name in RESOURCE_WORDS if (n := getattr(unit, name)) or name == "soldiers")
    if not unit.on_map:
        return f"{who}: {'safe' if unit.status == SAFE else 'lost'}, {held}. {cards_words(unit)}".rstrip()
    place = capital(sector_name(g, unit.sector))
    stay = "" if g.world.sectors[unit.sector].bunker else f"; leave by turn {leave_by(g, unit)}"
    return f"{who}: {place}, {held}{stay}. {cards_words(unit)}".rstrip()


def nation_name(g: Landing, seat: int) -> str:
    """The nation of this Unit where there are several, or else the empty text."""
    return g.world.nations[g.units[seat].nation].name if len(g.world.nations) > 1 else ""


def cards_words(unit: Unit) -> str:
    """`Specialists: Scout, Medic. Items: Grenade.`"""
    held = (("Specialists", unit.specialists), ("Items", unit.items), ("Awards", unit.awards))
    return " ".join(f"{name}: {', '.join(map(card_name, cards))}." for name, cards in held if cards)


def ways_words(g: Landing, seat: int) -> str:
    """Where the Unit could go, with what each way asks and what waits there; without Sectors it has been in."""
    unit = g.units[seat]
    parts = [
        f"{way.to} ({', '.join([*toll(g, seat, way), *sector_marks(g.world.sectors[way.to])])})"
        for way in g.world.ways[unit.sector]
        if way.to not in unit.visited
    ]
    return "; ".join(parts) or "none"


class BoardLine(NamedTuple):
    """One line of the board in words: a Sector with its name, or a line to cross (`sector` is empty then)."""

    sector: str
    text: str


def board(g: Landing) -> list[BoardLine]:
    """The map row by row, from the Bunker down to the sea."""
    lines = []
    for row in reversed(g.world.map.rows):
        for sector in row.sectors:
            printed = g.world.sectors[sector]
            said = f"{', '.join(sector_marks(printed))}. {printed.text}".rstrip()
            if printed.reconstructed:
                said += " (reconstructed)"
            if ways := _exits(g, sector):
                said += f" Ways: {ways}."
            here = [unit_name(seat) for seat, unit in enumerate(g.units) if unit.sector == sector and unit.on_map]
            lines.append(BoardLine(sector, f"{said} Here: {', '.join(here)}." if here else said))
        if row.courage:
            lines.append(BoardLine("", f"line of {row.courage} Courage"))
    return lines


def _exits(g: Landing, sector: str) -> str:
    parts = []
    for way in g.world.ways[sector]:
        marks = [name for name, there in (("mines", way.mined), ("Barrier", way.barred)) if there]
        side = "" if way.forward else "beside "
        parts.append(f"{side}{way.to}" + (f" ({', '.join(marks)})" if marks else ""))
    return ", ".join(parts)


def map_title(g: Landing) -> str:
    board = g.world.map
    parts = [f"{board.name} ({board.number})" if board.number else board.name]
    if board.place:
        parts.append(board.place)
    if board.date:
        parts.append(f"{board.date.day} {board.date:%B %Y}")
    return ", ".join(parts) + (" (reconstructed)" if board.basis == "reconstructed" else "")


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


def tray(g: Landing, seat: int) -> list[str]:
    """The six dice in three columns, red, white and blue, with their marks."""
    unit = g.units[seat]
    cells = []
    for place in range(6):
        idle = unit.faces[place] in g.world.ignored
        marks = "".join(
            mark
            for mark, there in (("#", unit.locked >> place & 1), ("x", unit.out >> place & 1), ("-", idle))
            if there
        )
        cells.append(die_words(place, unit.faces[place], unit.colours[place]) + (f" {marks}" if marks else ""))
    wide = max(22, *(len(cell) + 2 for cell in cells[:4]))
    lines = [f"{cells[row]:<{wide}}{cells[row + 2]:<{wide}}{cells[row + 4]}".rstrip() for row in (0, 1)]
    idle = any(face in g.world.ignored for face in unit.faces)
    legend = [
        words
        for there, words in ((unit.locked, "# Locked"), (unit.out, "x cancelled"), (idle, "- counts for nothing"))
        if there
    ]
    if legend == ["# Locked"] and len(lines[1]) < 65:
        lines[1] = f"{lines[1]:<66}# Locked"
    elif legend:
        lines.append(", ".join(legend))
    if unit.added:
        lines.append(f"added: {pairs(unit.added)}")
    return lines


def tally_words(event: Event) -> str:
    """The dice of an event by their results: `Unit 2 has 3 Courage, 2 Skulls and 1 Star`."""
    faces = event.data["faces"]
    counts = [sum(1 for one in faces if one == face) for face in range(6)]
    parts = [amounts({name: n}) for name, n in _counted(counts)]
    parts += [count(n, word) for n, word in ((counts[TOOL], "Tool"), (counts[SKULL], "Skull")) if n]
    return f"{unit_name(event.seat)} has {join(parts)}"


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
    unit = g.units[seat]
    faces = [unit.faces[p] for p in range(6) if unit.faces[p] >= 0 and not unit.out >> p & 1]
    faces += [face for face, _ in unit.added]
    kept = [face for face in range(6) if face not in g.world.ignored]
    counts = [faces.count(face) if face in kept else 0 for face in range(6)]
    parts = [amounts({name: n}) for name, n in _counted(counts)]
    if counts[TOOL]:
        parts.append(f"{count(counts[TOOL], 'Tool')} = {amounts({'points': item_points(counts[TOOL])})}")
    if counts[SKULL]:
        parts.append(count(counts[SKULL], "Skull"))
    sets = rwb_counts(unit.faces, unit.colours, unit.out, unit.added)
    bonus = g.world.nations[unit.nation].rwb
    parts += [bonus[FACES[face]].name for face in kept for _ in range(sets[face])]
    if all(counts):
        parts.append("a Straight")
    near = [
        f"{bonus[FACES[face]].name} ({missing} {FACE_WORDS[FACES[face]]})"
        for face in kept
        if (missing := _missing(unit, face))
    ]
    said = f"{', '.join(parts) or 'nothing'}."
    if g.phase == "roll" and not unit.added and (due := _due(g, unit)):
        said += f" Will be added: {', '.join(due)}."
    return said + (f" One short of: {', '.join(near)}." if near else "")


def _due(g: Landing, unit: Unit) -> list[str]:
    """Results that the Sector and the Unit's cards will add to the tally."""
    place = sector_name(g, unit.sector)
    found = [(f"{FACE_WORDS[face]} ({place})", n) for face, n in g.world.sectors[unit.sector].bonus.items()]
    for card in unit.specialists:
        for ability in g.world.cards[card].abilities:
            if ability.kind == "triggered" and ability.on == "tally":
                found += [
                    (f"{FACE_WORDS[op.face]} ({card_name(card)})", op.count)
                    for op in ability.ops
                    if isinstance(op, schema.AddResult) and op.face != "choice"
                ]
    return [words for words, n in found for _ in range(n)]


def _missing(unit: Unit, face: int) -> str:
    """The one colour that this result lacks for an RWB, if it is one."""
    there = {unit.colours[p] for p in range(6) if unit.faces[p] == face and not unit.out >> p & 1}
    there |= {colour for one, colour in unit.added if one == face}
    lacking = [colour for colour in (0, 1, 2) if colour not in there]
    return COLOURS[lacking[0]] if len(lacking) == 1 else ""


def card_sheet(g: Landing, card: str) -> list[str]:
    """All there is to say about a card of this game."""
    found = g.world.cards[card]
    parts = [KIND_WORDS[found.kind]]
    if found.cost:
        parts.append(price(found.cost, "rally" if found.is_specialist else "find"))
    lines = [f"{found.name}: {', '.join(parts)}. {_where(g, card)}", found.text]
    basis = " (text or price reconstructed: the printed card is not known)" if found.basis == "reconstructed" else ""
    return [*lines, f"Rule {found.rule}{basis}"]


def _where(g: Landing, card: str) -> str:
    places = []
    for seat, unit in enumerate(g.units):
        if card in unit.specialists + unit.items + unit.awards:
            places.append(f"with {unit_name(seat)}")
        if card in unit.dead:
            places.append(f"fallen with {unit_name(seat)}")
    hands = [unit_name(seat) for seat, unit in enumerate(g.units) if card in unit.hand]
    if hands:
        places.append(f"{join(hands)} can rally him")
    elif card in g.pool:
        places.append("in the pool")
    for name, cards in (("among the Awards left", g.deck), ("used up", g.used), ("not in reach here", g.box)):
        if card in cards:
            places.append(name)
    said = "; ".join(places) or "not in this game"
    return capital(said) + "."


def cards_in_reach(g: Landing, seat: int) -> list[tuple[str, list[str]]]:
    """What this Unit could rally or find, cheapest first, and the Awards that are left; each as `id cost`."""
    unit, cards = g.units[seat], g.world.cards
    groups: list[tuple[str, list[str]]] = []
    for title, ids in (
        ("Specialists (Stars)", [c for c in (*unit.hand, *g.pool) if cards[c].is_specialist]),
        ("Items (Item Points)", [c for c in g.pool if not cards[c].is_specialist]),
        ("Awards (6 Courage for a random one)", list(g.deck)),
    ):
        named = sorted(ids, key=lambda c: (cards[c].cost, c))
        groups.append((title, [f"{c} {cards[c].cost}" if cards[c].cost else c for c in named]))
    return [group for group in groups if group[1]]


def bonus_list(g: Landing, seat: int) -> list[tuple[str, str, str]]:
    """What each RWB gives this Unit: result, name, text; without results that count for nothing."""
    nation = g.world.nations[g.units[seat].nation]
    return [
        (FACE_WORDS[face], bonus.name, bonus.text + (" (reconstructed)" if bonus.basis == "reconstructed" else ""))
        for face, bonus in ((face, nation.rwb[face]) for face in FACES if FACE[face] not in g.world.ignored)
    ]


def explained(what: str, found: Explained) -> str:
    """`DEF 5: 12 printed, -7 Bazooka [F-CARD-BAZOOKA]`."""
    parts = []
    for n, voice in enumerate(found.contributions):
        source = card_name(voice.source) if n and voice.source else voice.source
        if n == 0:
            said = f"{voice.value} printed"
        elif voice.mode == "by":
            said = f"{voice.value:+d} {source or 'Specialists beside the Bunker'}"
        else:
            said = f"{'at most ' if voice.mode == 'at_most' else ''}{voice.value} by {source or 'a bonus'}"
        parts.append(f"{said} [{voice.rule}]")
    return f"{what} {found.value}: {', '.join(parts)}"


def ending(g: Landing, over: Over) -> list[str]:
    """The end: how and why, what became of each Unit, and its Victory Points where they are counted."""
    alone = len(g.units) == 1
    lost = [unit_name(seat) for seat, unit in enumerate(g.units) if unit.status == LOST]
    who = "Your Unit" if alone else "Every Unit" if over.won else join(lost)
    if over.won:
        why = f"{who} has reached the Bunker and survived the Combat there."
    elif over.cause == "could-not-move":
        why = f"{who} had to leave its Sector and could not."
    else:
        why = f"{who} {'were' if len(lost) > 1 else 'was'} wiped out."
    if not over.won and not alone and g.world.level.one_lost_all_lost:
        why += " When one Unit is lost, all have lost."
    lines = [f"{'Victory' if over.won else 'Defeat'} in turn {g.turn}. {why}"]
    for seat, unit in enumerate(g.units):
        place = "safe in the Bunker" if unit.status == SAFE else f"in {sector_name(g, unit.sector)}"
        held = amounts({"soldiers": unit.soldiers})
        cards = cards_words(unit)
        fate = f"lost {place}" if unit.status == LOST else f"{place} with {held}"
        lines.append(f"  {unit_name(seat)}: {fate}. {cards}".rstrip())
    return lines + score_lines(g, over)


TERM_WORDS = {
    "bunker": "for the Bunker",
    "first": "for being first there",
    "sectors": "for Sectors",
    "soldiers": "for Soldiers",
    "courage": "for Courage",
    "specialists": "for Specialists",
    "awards": "for Awards",
}


def score_lines(g: Landing, over: Over) -> list[str]:
    """The Victory Points of each Unit with their parts, and those of the group."""
    lines = []
    for seat, points in enumerate(over.scores):
        parts = [f"{n} {TERM_WORDS[name]}" for name, n in score.terms(g, seat, over.won).items() if n]
        lines.append(f"  {unit_name(seat)} has {count(points, 'Victory Point')}: {', '.join(parts)}.")
    if len(over.scores) > 1:
        lines.append(f"  The group has {score.group_score(over.scores)}, as many as its weakest Unit.")
    return lines
