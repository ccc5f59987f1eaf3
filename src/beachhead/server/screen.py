"""What a guest sees of a landing, as the parts of `messages`: the table, the questions with every answer in words, the
log, and where numbers come from. The browser and the text view show it and know no rule.

All words are in the language of the context. Cards, Sectors, nations and maps are shown from their data; what does not
change in a game is put into words once per language and kept with the world.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal, cast
from weakref import WeakKeyDictionary

from ..content import schema, spoken
from ..core.errors import Invalid, Reason
from ..core.node import Ask, Decision, Event, Over
from ..core.questions import Contribution, answer
from ..landing import outline, questions, score, text, words
from ..landing.dice import COLOURS, DICE, FACES, HOME
from ..landing.state import LOST, RESOURCES, SAFE, Landing, Unit
from ..landing.words import FACE_WORDS, KIND_WORDS, PHASE_WORDS, amounts, card_name, sector_name, unit_name
from ..landing.world import Way, World
from ..say import capital, join, language, say
from ..say.catalogue import catalogue
from ..table.match import Match
from . import messages as m

Place = Literal["hand", "specialists", "items", "awards", "dead", "pool", "used"]
HELD: tuple[Place, ...] = ("specialists", "items", "awards", "hand", "dead")
STATUS: tuple[Literal["on the map", "safe", "lost"], ...] = ("on the map", "safe", "lost")
DIE_COLOURS: tuple[Literal["red", "white", "blue"], ...] = ("red", "white", "blue")
COST_ICONS = {"stars": "star", "points": "item-point", "courage": "courage"}
NUMBERED = frozenset(("give", "take", "die", "pay", "choose"))
"""Verbs of keys in which a bare number is no Sector."""


def landing(match: Match) -> Landing:
    return cast(Landing, match.state)


# ---------------------------------------------------------------------------------------------------- the screen


def screen(
    match: Match, seats: Sequence[int], names: Sequence[str], board_url: str, passing: Collection[int] = ()
) -> m.Screen:
    """All that is to be seen by a guest who plays these seats (none: a spectator), at the table of these players.

    `passing`: seats over whose answers undo goes back, those of bots.
    """
    g, node = landing(match), match.node()
    events = _this_turn(match)
    undo = _undo(match, seats, passing)
    waiting = list(node.seats) if isinstance(node, Ask) else []
    return m.Screen(
        game=match.game.name,
        title=spoken.map_name(g.world.map),
        subtitle=_once(g.world, "subtitle", "", lambda: _subtitle(g)),
        turn=g.turn,
        phase=g.phase,
        phases=_once(g.world, "phases", "", lambda: [_phase_now(name) for name in g.world.phases]),
        board=board_url,
        sectors=_sectors(g, seats),
        units=[_unit(g, seat, names, events) for seat in range(len(g.units))],
        asks=[_ask(match, decision, undo) for seat in seats if (decision := match.decision(seat))],
        waiting=waiting,
        pool=_pool(g, seats),
        notes=_notes(g),
        over=_ended(g, node) if isinstance(node, Over) else None,
        seal=match.commitment,
        undo={str(seat): said for seat, said in undo.items()},
    )


def keys(match: Match, seats: Sequence[int]) -> dict[str, tuple[int, list[str]]]:
    """The open questions of these seats: seat -> number of the question, and its keys."""
    found = [decision for seat in seats if (decision := match.decision(seat))]
    return {str(decision.seat): (decision.seq, list(decision.keys)) for decision in found}


def _phase(phase: str) -> str:
    return PHASE_WORDS[phase] if phase in PHASE_WORDS else capital(phase.replace("-", " "))


def _subtitle(g: Landing) -> str:
    board, setup = g.world.map, g.world.setup
    parts = [board.number, spoken.map_place(board)]
    if board.date:
        month = _say("months").split()[board.date.month - 1]
        parts.append(_say("date", day=board.date.day, month=month, year=board.date.year))
    parts.append(_say(f"edition.{setup.edition}"))
    if setup.level:
        parts.append(spoken.level_name(board, setup.level))
    if board.basis == "reconstructed":
        parts.append(_say("rebuilt"))
    return " · ".join(filter(None, parts))


def _this_turn(match: Match) -> list[Event]:
    """What has happened since the turn began."""
    events = match.events
    for n in range(len(events) - 1, -1, -1):
        if events[n].type == "turn":
            return events[n:]
    return []


_labels: WeakKeyDictionary[Match, tuple[object, dict[int, str]]] = WeakKeyDictionary()
"""Per match: the moment, and what undo would take back then, by seat."""


def _undo(match: Match, seats: Sequence[int], passing: Collection[int]) -> dict[int, str]:
    """Per seat the answer that undo would take back now, in words; seats without one are left out."""
    now = (match.n, language(), tuple(passing))
    known = _labels.get(match)
    if known is None or known[0] != now:
        known = _labels[match] = now, {}
    for seat in seats:
        if seat not in known[1]:
            point = match.last_undo(seat, passing)
            known[1][seat] = capital(point.label) if point else ""
    return {seat: said for seat in seats if (said := known[1][seat])}


# ---------------------------------------------------------------------------------------------------- Sectors


def _sectors(g: Landing, seats: Sequence[int]) -> list[m.SectorNow]:
    visited = {sector for seat in seats for sector in g.units[seat].visited}
    units: dict[str, list[int]] = {}
    for seat, unit in enumerate(g.units):
        if unit.status != LOST:
            units.setdefault(unit.sector, []).append(seat)
    return [
        m.SectorNow(sector, name, marks, said, exits, units.get(sector, []), sector in visited, rebuilt)
        for sector, name, marks, said, exits, rebuilt in _once(g.world, "sectors", "", lambda: _printed(g))
    ]


def _printed(g: Landing) -> list[tuple[str, str, list[str], str, list[str], bool]]:
    """Every Sector as it is printed, from the Bunker down to the sea."""
    found = []
    for row in reversed(g.world.map.rows):
        for sector in row.sectors:
            printed = g.world.sectors[sector]
            marks = [*words.sector_marks(printed), *filter(None, (ask(printed) for ask in words.DEMANDS.values()))]
            exits = [_exit(g, way) for way in g.world.ways[sector]]
            said = words.sector_text(g, sector)
            found.append((sector, capital(sector_name(g, sector)), marks, said, exits, bool(printed.reconstructed)))
    return found


def _exit(g: Landing, way: Way) -> str:
    parts = [amounts((("courage", way.courage),))] if way.forward and way.courage else []
    said = _say("exit.forward" if way.forward else "exit.beside", sector=sector_name(g, way.to))
    parts += words.way_marks(way)
    return f"{said} ({', '.join(parts)})" if parts else said


# ---------------------------------------------------------------------------------------------------- Units


def _unit(g: Landing, seat: int, names: Sequence[str], events: Sequence[Event]) -> m.UnitNow:
    unit, world = g.units[seat], g.world
    change = dict.fromkeys(RESOURCES, 0)
    for event in events:
        if event.type == "resources" and event.seat == seat:
            for name, n in event.data.items():
                change[name] += n
    several = len(world.nations) > 1
    return m.UnitNow(
        seat=seat,
        name=names[seat] if seat < len(names) and names[seat] else str(unit_name(seat)),
        nation=spoken.nation_name(world.setup.edition, world.nations[unit.nation]) if several else "",
        status=STATUS[unit.status],
        sector=unit.sector,
        sector_name=capital(sector_name(g, unit.sector)),
        marker=capital(text.marker_word(unit.marker)) if unit.on_map else "",
        marker_icon=MARKER_ICONS[unit.marker] if unit.on_map else "",
        leave=_leave(g, seat),
        strength=questions.strength(g, seat),
        counters=[
            m.Counter(name, _say(f"resource.{name}"), getattr(unit, name), change[name])
            for name in outline.counted(g, unit)
        ],
        cards=[
            _card(g, card, place, seat if place == "hand" else -1) for place in HELD for card in getattr(unit, place)
        ],
        tray=_tray(g, seat),
        danger=_danger(g, seat),
    )


def _leave(g: Landing, seat: int) -> str:
    turn = outline.leave_by(g, seat)
    if not turn:
        return ""
    return _say("leave.now") if turn == g.turn else _say("leave.by", turn=turn)


def _danger(g: Landing, seat: int) -> str:
    """`Combat here: 9 to 14 casualties (DEF 8, MGF 1d6)`, with a warning where that may be all the Unit has."""
    unit = g.units[seat]
    if not unit.on_map or not g.turn or "fought" in unit.done:
        return ""
    found = outline.danger(g, seat)
    parts = [say("mark.def", n=found.defence)]
    if found.dice or found.pips:
        parts.append(say("mark.mgf", dice=words.fire_words(found.dice) if found.dice else found.pips))
    said = words.casualties(found.most)
    if found.least < found.most:
        said = _say("danger.from-to", least=found.least, most=said)
    said = _say("danger.here", loss=said, why=", ".join(parts))
    if found.most < found.strength:
        return said
    return f"{said} {_say('danger.would' if found.least >= found.strength else 'danger.may', n=found.strength)}"


# ---------------------------------------------------------------------------------------------------- dice


def _tray(g: Landing, seat: int) -> m.Tray:
    unit = g.units[seat]
    roll = outline.rolls_made(g, seat)
    rwb = outline.rwb_dice(g, seat) if roll else 0
    dice = [_die(g, unit, place, rwb >> place & 1) if roll else _bare_die(g, place) for place in range(6)]
    added = [words.result_words(FACES[face], colour) for face, colour in unit.added]
    open_ = roll and unit.on_map and g.phase in ("roll", "upkeep") and "recorded" not in unit.done
    if not open_:
        return m.Tray(dice, added, "", roll)
    near = [m.Near(FACES[face], COLOURS[colour]) for face, colour in outline.worth(g, seat).near]  # type: ignore[arg-type]
    return m.Tray(dice, added, _worth(g, seat), roll, near)


def _die(g: Landing, unit: Unit, place: int, rwb: int) -> m.Die:
    face, colour = unit.faces[place], unit.colours[place]
    locked, out = unit.locked >> place & 1, unit.out >> place & 1
    which = (place, face, colour, locked, out, rwb)
    die: m.Die = _once(g.world, "die", which, lambda: _die_so(g.world, *which))
    return die


def _die_so(world: World, place: int, face: int, colour: int, locked: int, out: int, rwb: int) -> m.Die:
    idle = face in world.ignored
    states = {"locked": locked, "cancelled": out, "rwb": rwb, "idle": idle}
    said = [words.die_words(place, face, colour), *(_say(f"die.{state}") for state, there in states.items() if there)]
    return m.Die(
        place=DICE[place],
        colour=DIE_COLOURS[colour],
        face=FACES[face] if face >= 0 else "",
        words=", ".join(said),
        locked=bool(locked),
        cancelled=bool(out),
        rwb=bool(rwb),
        idle=idle,
        shows=FACE_WORDS[FACES[face]] if face >= 0 else "",
    )


def _bare_die(g: Landing, place: int) -> m.Die:
    """A die that is not rolled yet."""
    colour = HOME[place]
    said = _say("die.unrolled", die=DICE[place], colour=words.say_colour(COLOURS[colour]))
    return m.Die(DICE[place], DIE_COLOURS[colour], "", said)


def _worth(g: Landing, seat: int) -> str:
    """What the dice come to as they lie, in words."""
    found, unit = outline.worth(g, seat), g.units[seat]
    parts = [amounts({name: n}) for name, n in found.amounts.items() if name != "points"]
    if found.tools:
        parts.append(_say("worth.tools", n=found.tools, points=amounts({"points": found.amounts["points"]})))
    if found.skulls:
        parts.append(_say("worth.skulls", n=found.skulls))
    parts += [words.bonus_name(g, unit.nation, FACES[face]) for face in found.bonuses]
    if found.straight:
        parts.append(_say("worth.straight"))
    said = [capital(", ".join(parts) or say("count.nothing")) + "."]
    least, most = found.cancels
    if most:
        said.append(_say("worth.cancel" if least == most else "worth.may-cancel", n=most))
    if found.due:
        due = ", ".join(
            f"{FACE_WORDS[FACES[face]]} ({sector_name(g, sector) if sector else card_name(card)})"
            for face, sector, card in found.due
        )
        said.append(_say("worth.due", results=due))
    if found.taken:
        taken = ", ".join(f"{n} × {FACE_WORDS[FACES[face]]}" for face, n in found.taken)
        said.append(_say("worth.taken", results=taken))
    if found.near:
        near = ", ".join(
            f"{words.bonus_name(g, unit.nation, FACES[face])} ({words.result_words(FACES[face], colour)})"
            for face, colour in found.near
        )
        said.append(_say("worth.near", bonuses=near))
    return " ".join(said)


# ---------------------------------------------------------------------------------------------------- cards


def _card(g: Landing, card: str, place: Place, seat: int) -> m.CardNow:
    """A card as a face, with what it costs this Unit now (seat -1: what is printed)."""
    resource, cost = outline.card_price(g, seat, card)
    face: m.CardNow = _once(g.world, "card", (card, place, cost), lambda: _face(g, card, place, resource, cost))
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
            said = _say("when.always")
        elif ability.kind == "activated":
            said = join([_say(f"when.{window}") for window in ability.windows])
        else:
            said = _say(f"on.{ability.on}")
        if ability.limit in ("once-per-turn", "once-per-phase"):
            said = f"{said}, {_say(f'when.{ability.limit}')}"
        if ability.sacrifice:
            said = f"{said}, {_say('when.sacrifice')}"
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
        found.append(_say("note.beside", sector=sector_name(g, sector), n=n))
    for seat, unit in enumerate(g.units):
        if unit.on_map and unit.kept:
            found.append(_say("note.kept", unit=unit_name(seat), dice=words.pairs(unit.kept)))
        if unit.on_map and unit.spare:
            found.append(_say("note.spare", unit=unit_name(seat), dice=words.pairs(unit.spare)))
        if unit.on_map and "mulligan" in g.world.options:
            used = seat in g.mulligans
            found.append(_say("note.mulligan-used" if used else "note.mulligan", unit=unit_name(seat)))
    return list(dict.fromkeys(found))


def _note(effect: tuple[str, str, int, str, str, str, str]) -> str:
    until, source = effect[5], effect[6]
    said = capital(words.effect_words(*effect[:5]))
    if source:
        said = f"{said} ({card_name(source)})"
    return _say(f"note.until.{until}", said=said)


# ---------------------------------------------------------------------------------------------------- questions


def _ask(match: Match, decision: Decision, undo: Mapping[int, str]) -> m.AskNow:
    g, seat = landing(match), decision.seat
    verb, dice = outline.dice_keys(decision.keys)
    steps = outline.amount_keys(decision.keys)
    apart = {*dice, *(f"{verb}:{name}={n}" for (verb, name), most in steps.items() for n in range(1, most + 1))}
    least, most = _sizes(dice)
    hint = [
        words_ for words_ in (text.background(g, decision), _count("choose", least, most) if dice else "") if words_
    ]
    refusals = match.game.machine.refusals(match.state, seat)
    return m.AskNow(
        seat=seat,
        seq=decision.seq,
        name=decision.name,
        kind=decision.kind,
        prompt=text.prompt(g, decision),
        rule=decision.rule,
        hint=" ".join(filter(None, hint)),
        source=decision.source,
        options=[_option(g, decision, key) for key in decision.keys if key not in apart],
        dice_verb=verb,
        dice=list(dice),
        expect=_expect(verb, least, most) if dice else "",
        steppers=[
            m.Stepper(verb, name, _say(f"step.{verb}", what=_say(f"resource.{name}")), most)
            for (verb, name), most in steps.items()
        ],
        nots=[_not(g, decision, key, reasons) for key, reasons in refusals.items()],
        undo=undo.get(seat, ""),
    )


def _sizes(dice: Collection[str]) -> tuple[int, int]:
    """How many dice these answers name, at least and at most."""
    found = [len(outline.dice_of(key)) for key in dice]
    return min(found, default=0), max(found, default=0)


def _count(key: str, least: int, most: int) -> str:
    if least == most:
        return _say(f"{key}.exactly", n=most)
    return _say(f"{key}.between", least=least, n=most) if least else _say(f"{key}.up-to", n=most)


def _expect(verb: str, least: int, most: int) -> str:
    """What the tray's button says."""
    key = f"expect.{verb}" if _known(f"expect.{verb}") else "expect.any"
    return _say(key, n=most if least == most else 2)


def _option(g: Landing, decision: Decision, key: str) -> m.Option:
    sector, card, unit = _about(g, decision, key)
    price = outline.price(g, decision, _meant(g, decision, key))
    return m.Option(
        key=key,
        label=capital(text.label(g, decision, key)),
        detail=text.detail(g, decision, key),
        rule=g.world.cards[card].rule if card else "",
        sector=sector,
        card=card,
        unit=unit,
        price=amounts((price,)) if price else "",
    )


def _not(g: Landing, decision: Decision, key: str, reasons: Sequence[Reason]) -> m.Not:
    sector, card, _ = _about(g, decision, key)
    return m.Not(
        key=key,
        label=capital(_short(g, decision, key)),
        reasons=[m.Reason(capital(reason.text), reason.rule) for reason in reasons],
        sector=sector,
        card=card,
    )


def _short(g: Landing, decision: Decision, key: str) -> str:
    """An answer that cannot be given, in words; of a Sector only its name."""
    if key.startswith("move:"):
        return sector_name(g, key[5:])
    return text.label(g, decision, key)


def _meant(g: Landing, decision: Decision, key: str) -> str:
    """The answer itself; for a claim, the answer of the other Unit that is claimed."""
    return str(g.lanes[decision.seat][-1][2]) if key == "claim" else key


def _about(g: Landing, decision: Decision, key: str) -> tuple[str, str, int]:
    """What an answer is about, if that is a Sector, a card or another Unit: the Sector, the card, the seat or -1."""
    key = _meant(g, decision, key)
    if key == "stay":
        return g.units[decision.seat].sector, "", -1
    verb, _, rest = key.partition(":")
    if rest in g.world.cards:
        return "", rest, -1
    if rest in g.world.sectors and verb not in NUMBERED:
        return rest, "", -1
    who = rest.partition(".")[0]
    if who[:1] == "U" and who[1:].isdecimal():
        return "", "", int(who[1:]) - 1
    return "", "", -1


# ---------------------------------------------------------------------------------------------------- the end


def _ended(g: Landing, over: Over) -> m.Ended:
    alone = len(g.units) == 1
    lost = [unit_name(seat) for seat, unit in enumerate(g.units) if unit.status == LOST]
    how = "won" if over.won else "stuck" if over.cause == "could-not-move" else "wiped-out"
    if alone:
        said = [_say(f"end.{how}.you")]
    elif over.won:
        said = [_say("end.won.all")]
    else:
        said = [_say(f"end.{how}.some", n=len(lost), units=join([unit.the for unit in lost]))]
        if g.world.level.one_lost_all_lost:
            said.append(_say("end.one-for-all"))
    for seat, unit in enumerate(g.units):
        said.append(capital(_say("end.fate", unit=unit_name(seat), fate=_fate(g, unit))))
    rows = []
    if over.scores:
        for name, row in outline.score_table(g, over).items():
            rows.append([_say(f"points.{name}"), *map(str, row)])
        rows.append([_say("points.total"), *map(str, over.scores)])
        if not alone:
            said.append(_say("points.group", n=score.group_score(over.scores)))
    return m.Ended(
        won=over.won,
        cause=over.cause,
        title=_say("end.victory" if over.won else "end.defeat", turn=g.turn),
        text=" ".join(said),
        scores=list(over.scores),
        parts=rows,
    )


def _fate(g: Landing, unit: Unit) -> str:
    if unit.status == LOST:
        return _say("end.lost", sector=sector_name(g, unit.sector))
    key = "end.safe" if unit.status == SAFE else "end.there"
    return _say(key, sector=sector_name(g, unit.sector), held=amounts({"soldiers": unit.soldiers}))


# ---------------------------------------------------------------------------------------------------- the log


def lines(events: Sequence[Event], match: Match, seats: Collection[int] = ()) -> list[m.Line]:
    """These events of the match as lines of the log, for a guest who plays these seats: what is meant for others only
    is left out, and so is what another event has said.
    """
    turns = [event for event in match.events if event.type == "turn"]
    begins = [event.n for event in turns]
    found = []
    for event in events:
        if event.audience is not None and not set(event.audience).intersection(seats):
            continue
        if not (said := match.game.narrate(event)):
            continue
        at = bisect_right(begins, event.n)
        turn = turns[at - 1].data["turn"] if at else 0
        found.append(m.Line(event.n, turn, said, event.rule, event.seat, event.type, _fx(event)))
    return found


def _fx(event: Event) -> dict[str, Any]:
    """What there is to animate."""
    make = FX.get(event.type)
    return make(event) if make else {}


def _fx_pips(event: Event) -> dict[str, Any]:
    purpose, pips = event.data["for"], list(event.data["pips"])
    kind, _, sector = purpose.partition(":")
    if kind == "mgf":
        return {"fire": {"sector": sector, "pips": pips}}
    return {"pips": {"seat": event.seat, "for": purpose, "pips": pips}}


def _fx_dice(event: Event) -> dict[str, Any]:
    rolled = event.data.get("rolled", "")
    faces = [FACES[face] if face >= 0 else "" for face in event.data["faces"]]
    return {"dice": {"seat": event.seat, "rolled": rolled.split(",") if rolled else [], "faces": faces}}


FX: dict[str, Callable[[Event], dict[str, Any]]] = {
    "dice": _fx_dice,
    "pips": _fx_pips,
    "roll-off": lambda event: {"pips": {"seat": event.seat, "for": "roll-off", "pips": list(event.data["pips"])}},
    "sector": lambda event: {"move": {"seat": event.seat, "from": event.data["from"], "to": event.data["to"]}},
    "start": lambda event: {"move": {"seat": event.seat, "from": "", "to": event.data["sector"]}},
    "resources": lambda event: {"change": {"seat": event.seat, **event.data}},
    "card": lambda event: {"card": {"seat": event.seat, **event.data}},
    "use": lambda event: {"card": {"seat": event.seat, "card": event.data["card"], "to": "used"}},
}
"""Type of event -> what the screen animates."""


# ---------------------------------------------------------------------------------------------------- numbers


def because(match: Match, why: m.Why) -> m.Because:
    """Where a number of a Unit comes from. Raises Invalid for what is no question, Unit, Sector or card here."""
    g = landing(match)
    asked = why.question
    if not 0 <= why.seat < len(g.units):
        raise Invalid(_say("why.no-unit", n=why.seat))
    if why.sector and why.sector not in g.world.sectors:
        raise Invalid(_say("why.no-sector", name=why.sector[:40]))
    if why.card and why.card not in g.world.cards:
        raise Invalid(_say("why.no-card", name=why.card[:40]))
    if asked in ("rally_cost", "find_cost") and not why.card:
        raise Invalid(_say("why.which-card"))
    if asked in SUMS:
        return SUMS[asked](g, why)
    if asked not in EXPLAINED:
        raise Invalid(_say("why.no-question", name=asked[:40]))
    found = questions.why(g, asked, why.seat, why.sector, why.card)
    base, *voices = found.contributions
    said = [m.Reason(_say("why.printed", n=base.value, where=_where(g, why, asked)), base.rule)]
    said += [m.Reason(_voice(g, voice), voice.rule) for voice in voices]
    if answer(base.value, voices, -1_000_000) < found.value:
        said.append(m.Reason(_say("why.floor"), base.rule))
    return m.Because(why.id, _say(f"why.{asked}"), found.value, said)


EXPLAINED = frozenset(
    ("defence", "mgf_dice", "dice_to_lock", "dice_to_roll", "rally_cost", "find_cost", "advance_cost")
)
"""Static questions that can be asked about."""


def _where(g: Landing, why: m.Why, asked: str) -> str:
    """The thing on which the number is printed."""
    if asked in ("rally_cost", "find_cost"):
        return str(card_name(why.card))
    return capital(sector_name(g, why.sector or g.units[why.seat].sector))


def _voice(g: Landing, voice: Contribution) -> str:
    """`-7 Bazooka`, `at most 1: Minesweeper`."""
    if voice.source:
        who = str(card_name(voice.source)) if voice.source in g.world.cards else voice.source
    else:
        who = _say("why.beside" if voice.rule == g.world.cite["beside"] else "why.bonus")
    if voice.mode == "by":
        return _say("why.by", n=f"{voice.value:+d}", who=who)
    return _say(f"why.{voice.mode}", n=voice.value, who=who)


def _strength(g: Landing, why: m.Why) -> m.Because:
    """Soldiers, and what each Specialist counts as."""
    unit, rule = g.units[why.seat], g.world.cite["casualties"]
    said = [m.Reason(amounts({"soldiers": unit.soldiers}), rule)]
    for card in unit.specialists:
        n = questions.body(g, why.seat, card)
        said.append(m.Reason(_say("why.by", n=f"{n:+d}", who=card_name(card)), g.world.cards[card].rule))
    return m.Because(why.id, _say("why.strength"), questions.strength(g, why.seat), said)


def _casualties(g: Landing, why: m.Why) -> m.Because:
    """What Combat where the Unit stands will cost at most."""
    found, cite = outline.danger(g, why.seat), g.world.cite
    said = [m.Reason(say("mark.def", n=found.defence), cite["defence"])]
    if found.dice or found.pips:
        fire = say("mark.mgf", dice=words.fire_words(found.dice) if found.dice else found.pips)
        said.append(m.Reason(fire, cite["mgf"]))
    return m.Because(why.id, _say("why.casualties"), found.most, said)


SUMS: dict[str, Callable[[Landing, m.Why], m.Because]] = {"strength": _strength, "casualties": _casualties}
"""Numbers that are sums of what lies on the table."""


# ---------------------------------------------------------------------------------------------------- words


MARKER_ICONS: tuple[m.MarkerIcon, ...] = ("", "1", "2", "3", "move", "cry", "shield")
"""The picture of each face of the marker, in the order of `state.MARKERS`."""


def _once(world: World, what: str, which: object, make: Callable[[], Any]) -> Any:
    """What does not change in games of this world, worked out once per language."""
    key = ("screen", what, which, language())
    found = world.memo.get(key)
    if found is None:
        found = world.memo[key] = make()
    return found


def _phase_now(phase: str) -> m.PhaseNow:
    name = _phase(phase)
    return m.PhaseNow(phase, name, _say(f"phase.{phase}") if _known(f"phase.{phase}") else name)


def _known(key: str) -> bool:
    return f"screen.{key}" in catalogue(language())


def _say(key: str, **args: Any) -> str:
    """The message `screen.KEY` of the catalogue."""
    if not _known(key):  # something new, such as a window of a card: by its name
        return key.rpartition(".")[2].replace("-", " ").replace("_", " ")
    return say(f"screen.{key}", **args)
