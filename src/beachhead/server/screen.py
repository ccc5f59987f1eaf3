"""What a guest sees of a landing, as the parts of `messages`. The browser and the text view show it and know no rule.

Here is the table itself; dice are in `tray`, questions in `asked`, what happened in `logbook`, and where numbers come
from in `because`. What all games share is in `seen`.

All words are in the language of the context. Cards, Sectors, nations and maps are shown from their data; what does not
change in a game is put into words once per language and kept with the world.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal
from urllib.parse import urlencode

from ..content import schema, spoken
from ..core.node import Event, Over
from ..landing import outline, outlook, questions, score, text, words
from ..landing.state import LOST, RESOURCES, SAFE, Landing, Unit
from ..landing.words import KIND_WORDS, PHASE_WORDS, amounts, card_name, sector_name, unit_name
from ..landing.world import Way
from ..say import capital, join, language, say
from ..table.match import Match
from . import messages as m
from .shown import known, landing, once, tell
from .tray import tray

Place = Literal["hand", "specialists", "items", "awards", "dead", "pool", "used"]
HELD: tuple[Place, ...] = ("specialists", "items", "awards", "hand", "dead")
STATUS: tuple[Literal["on the map", "safe", "lost"], ...] = ("on the map", "safe", "lost")
COST_ICONS = {"stars": "star", "points": "item-point", "courage": "courage"}


# ---------------------------------------------------------------------------------------------------- the screen


def shown(match: Match, seats: Sequence[int]) -> m.Screen:
    """What lies on the table, for a guest who plays these seats."""
    g = landing(match)
    events = _this_turn(match)
    return m.Screen(
        game=match.game.name,
        title=spoken.map_name(g.world.map),
        subtitle=once(g.world, "subtitle", "", lambda: _subtitle(g)),
        turn=g.turn,
        phase=g.phase,
        phases=once(g.world, "phases", "", lambda: [_phase_now(name) for name in g.world.phases]),
        board=board_url(g),
        sectors=_sectors(g, seats),
        units=[_unit(g, seat, events) for seat in range(len(g.units))],
        asks=[],
        waiting=[],
        pool=_pool(g, seats),
        notes=_notes(g),
    )


def board_url(g: Landing) -> str:
    """Where the picture of this game's board is to be had, in the language that is spoken."""
    setup = g.world.setup
    return board_path(setup.edition, g.world.map.id, setup.level)


def board_path(edition: str, board: str, level: str = "") -> str:
    asked = {"lang": language()} | ({"level": level} if level else {})
    return f"/api/board/{edition}/{board}.svg?{urlencode(asked)}"


def title(match: Match) -> str:
    return spoken.map_name(landing(match).world.map)


def _phase(phase: str) -> str:
    return PHASE_WORDS[phase] if phase in PHASE_WORDS else capital(phase.replace("-", " "))


def _subtitle(g: Landing) -> str:
    board, setup = g.world.map, g.world.setup
    parts = [board.number, spoken.map_place(board)]
    if board.date:
        month = tell("months").split()[board.date.month - 1]
        parts.append(tell("date", day=board.date.day, month=month, year=board.date.year))
    parts.append(tell(f"edition.{setup.edition}"))
    if setup.level:
        parts.append(spoken.level_name(board, setup.level))
    if board.basis == "reconstructed":
        parts.append(tell("rebuilt"))
    return " · ".join(filter(None, parts))


def _this_turn(match: Match) -> list[Event]:
    """What has happened since the turn began."""
    events = match.events
    for n in range(len(events) - 1, -1, -1):
        if events[n].type == "turn":
            return events[n:]
    return []


# ---------------------------------------------------------------------------------------------------- Sectors


def _sectors(g: Landing, seats: Sequence[int]) -> list[m.SectorNow]:
    visited = {sector for seat in seats for sector in g.units[seat].visited}
    units: dict[str, list[int]] = {}
    for seat, unit in enumerate(g.units):
        if unit.status != LOST:
            units.setdefault(unit.sector, []).append(seat)
    return [
        m.SectorNow(sector, name, marks, said, exits, units.get(sector, []), sector in visited, rebuilt)
        for sector, name, marks, said, exits, rebuilt in once(
            g.world, "sectors", (tuple(g.rolled.items()), g.lying, words.marked(g)), lambda: _printed(g)
        )
    ]


def _printed(g: Landing) -> list[tuple[str, str, list[str], str, list[str], bool]]:
    """Every Sector as the die has made it and what is left there, as the map lies from top to bottom."""
    found = []
    for row in reversed(g.world.map.rows):
        for sector in row.sectors:
            marks = [*words.sector_marks(g, sector), *words.demands(g, sector)]
            exits = [_exit(g, way) for way in g.world.ways[sector]]
            said = words.sector_text(g, sector)
            found.append(
                (sector, capital(sector_name(g, sector)), marks, said, exits, bool(g.at(sector).reconstructed))
            )
    return found


def _exit(g: Landing, way: Way) -> str:
    parts = [amounts((("courage", way.courage),))] if way.forward and way.courage else []
    where = "forward" if way.forward else "back" if way.back else "beside"
    said = tell(f"exit.{where}", sector=sector_name(g, way.to))
    parts += words.way_marks(way)
    return f"{said} ({', '.join(parts)})" if parts else said


# ---------------------------------------------------------------------------------------------------- Units


def _unit(g: Landing, seat: int, events: Sequence[Event]) -> m.UnitNow:
    unit, world = g.units[seat], g.world
    change = dict.fromkeys(RESOURCES, 0)
    for event in events:
        if event.type == "resources" and event.seat == seat:
            for name, n in event.data.items():
                change[name] += n
    several = len(world.nations) > 1
    return m.UnitNow(
        seat=seat,
        name=str(unit_name(seat)),
        nation=spoken.nation_name(world.setup.edition, world.nations[unit.nation]) if several else "",
        status=STATUS[unit.status],
        sector=unit.sector,
        sector_name=capital(sector_name(g, unit.sector)),
        marker=capital(text.marker_word(unit.marker)) if unit.on_map else "",
        marker_icon=MARKER_ICONS[unit.marker] if unit.on_map else "",
        leave=_leave(g, seat),
        strength=questions.strength(g, seat),
        counters=[
            m.Counter(name, tell(f"resource.{name}"), getattr(unit, name), change[name])
            for name in outline.counted(g, unit)
        ],
        cards=[
            _card(g, card, place, seat if place == "hand" else -1) for place in HELD for card in getattr(unit, place)
        ],
        tray=tray(g, seat),
        danger=_danger(g, seat),
    )


def _leave(g: Landing, seat: int) -> str:
    turn = outline.leave_by(g, seat)
    if not turn:
        return ""
    return tell("leave.now") if turn == g.turn else tell("leave.by", turn=turn)


def _danger(g: Landing, seat: int) -> str:
    """`Combat here: 9 to 14 casualties (DEF 8, MGF 1d6)`, with a warning where that may be all the Unit has. Nothing is
    told of a Sector that the Unit has to leave before Combat.
    """
    unit = g.units[seat]
    if not unit.on_map or not g.turn or "fought" in unit.done:
        return ""
    if g.phase != "combat" and outline.leave_by(g, seat) == g.turn:
        return ""
    if not questions.fights(g, seat):
        return tell("danger.none")
    found = outline.danger(g, seat)
    parts = [say("mark.def", n=found.defence), *words.fire_marks(g, seat, found.dice, found.pips).values()]
    least, most = words.losses(g, seat, unit.sector)
    said = words.casualties(most)
    if least < most:
        said = tell("danger.from-to", least=least, most=said)
    said = tell("danger.here", loss=said, why=", ".join(parts))
    end = outlook.fate(g, seat, unit.sector)
    if not end:
        return said
    certain = end == "would" and g.phase in ("move", "combat")
    return f"{said} {tell('danger.would' if certain else 'danger.may', n=found.strength)}"


# ---------------------------------------------------------------------------------------------------- cards


def _card(g: Landing, card: str, place: Place, seat: int) -> m.CardNow:
    """A card as a face, with what it costs this Unit now (seat -1: what is printed)."""
    resource, cost = outline.card_price(g, seat, card)
    face: m.CardNow = once(g.world, "card", (card, place, cost), lambda: _face(g, card, place, resource, cost))
    return face


def _face(g: Landing, card: str, place: Place, resource: str, cost: int) -> m.CardNow:
    found = g.world.cards[card]
    family = "specialist" if found.is_specialist else "item" if found.is_item else found.kind
    if found.kind == "award" and place != "pool":
        cost = 0
    return m.CardNow(
        id=card,
        name=str(card_name(card)),
        kind=family,
        kind_name=KIND_WORDS[found.kind],
        text=words.card_text(g, card),
        cost=cost,
        cost_icon=COST_ICONS[resource] if cost else "",
        rebuilt=found.basis == "reconstructed",
        place=place,
        when=_when(found, "solo" if g.world.solo else "group"),
        explosive=found.explosive,
        rule=found.rule,
    )


def _when(card: schema.Card, mode: str) -> str:
    """When the card works or can be used, in words."""
    parts = []
    for ability in card.abilities:
        if ability.mode not in ("", mode):
            continue
        if ability.kind == "static":
            said = tell("when.always")
        elif ability.kind == "activated":
            said = join([tell(f"when.{window}") for window in ability.windows])
        else:
            said = tell(f"on.{ability.on}")
        if ability.limit in ("once-per-turn", "once-per-phase"):
            said = f"{said}, {tell(f'when.{ability.limit}')}"
        if ability.sacrifice:
            said = f"{said}, {tell('when.sacrifice')}"
        parts.append(said)
    return capital("; ".join(dict.fromkeys(parts)))


def _pool(g: Landing, seats: Sequence[int]) -> list[m.CardNow]:
    """Cards that all Units may still have, cheapest first: Specialists, Items and Vehicles, Awards; then used ones.

    They are shown at the price that this guest's Units pay, if it is the same for all of them, or else at the printed
    one.
    """
    world = g.world
    here = {g.units[seat].sector for seat in seats if g.units[seat].on_map}
    vehicles = [card for sector in world.sectors if sector in here for card in outline.vehicles_here(g, sector)]
    changed = questions.in_play(g, "rally_cost") or questions.in_play(g, "find_cost")
    found = []
    for card in (*g.pool, *vehicles, *g.deck):
        prices = {outline.card_price(g, seat, card) for seat in seats} if changed else ()
        found.append(_card(g, card, "pool", seats[0] if len(prices) == 1 else -1))
    found.sort(key=lambda card: (FAMILIES.index(card.kind), card.cost, card.id))
    return found + [_card(g, card, "used", -1) for card in g.used]


FAMILIES = ("specialist", "item", "vehicle", "award")


# ---------------------------------------------------------------------------------------------------- notes


def _notes(g: Landing) -> list[str]:
    """Effects that last, in words."""
    found = [_note(effect) for effect in g.effects]
    for sector, n in g.beside.items():
        found.append(tell("note.beside", sector=sector_name(g, sector), n=n))
    for seat, unit in enumerate(g.units):
        if unit.on_map and unit.kept:
            found.append(capital(tell("note.kept", unit=unit_name(seat), dice=words.pairs(unit.kept))))
        if unit.on_map and unit.spare:
            found.append(tell("note.spare", unit=unit_name(seat), dice=words.pairs(unit.spare)))
        if unit.on_map and "mulligan" in g.world.options:
            used = seat in g.mulligans
            found.append(capital(tell("note.mulligan-used" if used else "note.mulligan", unit=unit_name(seat))))
    return list(dict.fromkeys(found))


def _note(effect: tuple[str, str, int, str, str, str, str]) -> str:
    until, source = effect[5], effect[6]
    said = capital(words.effect_words(*effect[:5]))
    if source:
        said = f"{said} ({card_name(source)})"
    return tell(f"note.until.{until}", said=said)


# ---------------------------------------------------------------------------------------------------- the end


def ended(match: Match, over: Over, notes: list[str]) -> m.Ended:
    g = landing(match)
    alone = len(g.units) == 1
    lost = [unit_name(seat) for seat, unit in enumerate(g.units) if unit.status == LOST]
    how = "won" if over.won else "stuck" if over.cause == "could-not-move" else "wiped-out"
    if over.cause == "bunker-stands":
        said = [say("end.bunker-stands")]
    elif alone:
        said = [tell(f"end.{how}.you")]
    elif over.won:
        said = [say("end.survivors-won") if lost else tell("end.won.all")]
    else:
        units = join([unit.unit for unit in lost])
        said = [capital(tell(f"end.{how}.some", n=len(lost), units=units))]
        if g.world.level.one_lost_all_lost:
            said.append(tell("end.one-for-all"))
    for seat, unit in enumerate(g.units):
        said.append(capital(tell("end.fate", unit=unit_name(seat), fate=_fate(g, unit))))
    rows = []
    if over.scores:
        for name, row in outline.score_table(g, over).items():
            rows.append([tell(f"points.{name}"), *map(str, row)])
        rows.append([tell("points.total"), *map(str, over.scores)])
        if not alone:
            said.append(tell("points.group", n=score.group_score(over.scores)))
    return m.Ended(
        won=over.won,
        cause=over.cause,
        title=tell("end.victory" if over.won else "end.defeat", turn=g.turn),
        text=" ".join(said),
        scores=list(over.scores),
        parts=rows,
        notes=notes,
    )


def _fate(g: Landing, unit: Unit) -> str:
    if unit.status == LOST:
        return tell("end.lost", sector=sector_name(g, unit.sector))
    key = "end.safe" if unit.status == SAFE else "end.there"
    return tell(key, sector=sector_name(g, unit.sector), held=amounts({"soldiers": unit.soldiers}))


MARKER_ICONS: tuple[m.MarkerIcon, ...] = ("", "1", "2", "3", "move", "cry", "shield")
"""The picture of each face of the marker, in the order of `state.MARKERS`."""


def _phase_now(phase: str) -> m.PhaseNow:
    name = _phase(phase)
    return m.PhaseNow(phase, name, tell(f"phase.{phase}") if known(f"phase.{phase}") else name)
