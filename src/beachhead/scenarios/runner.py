"""Scenarios: read and checked, played line by line, compared with what they say.

Contract. `read_scenario` raises ContentError with everything that is wrong in a file. `run` plays a scenario in each of
its editions and returns the differences, each with file and line; none means that it holds.

A question or roll that the file does not expect is a difference. Unexpected is what stands in the way of the next line,
and what is open at the end unless one of these holds:

    - `asks` names all that is open
    - `legal` or `illegal` says something about the answer of that Unit
    - it belongs to a later phase than the last line (without lines: than the given phase) and is one with which phases
      begin (OPENERS)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, NamedTuple, cast

from ..content.library import EDITIONS, card_faults, library, map_faults
from ..content.toml import Document, Path_, decode, parse, read, without_faults
from ..core.errors import BeachheadError, ContentError, Fault, Reason, SetupError
from ..core.machine import Machine, State
from ..core.node import Answer, Ask, Event, Node, Over, Roll
from ..games import game_of
from ..landing import questions
from ..landing.dice import COLOURS, FACES, MASK, NAMES, NONE
from ..landing.game import MACHINE, QUESTIONS
from ..landing.position import STATUS, STOCK, TALLY, Position, faults, lay_dice, position, result, stopped, unknown
from ..landing.state import MARKERS, Landing, Unit
from ..landing.world import DEFAULTS, MODULES, Setup, Switches, World, build, world_of
from ..rules import register
from . import script
from .schema import UNITS, Given, Ids, Lines, List, ScenarioFile, Some, Step, Then, UnitThen, When

OPENERS = ("roll", "leave", "window", "acquire", "move", "mgf")
"""What phases begin with; nothing that has happened before depends on the answer."""


class Part(NamedTuple):
    """One step: its numbered lines and claims, and where they stand in the file."""

    lines: tuple[tuple[int, script.Line], ...]
    at: Path_
    then: Then
    then_at: Path_


@dataclass(frozen=True)
class Scenario:
    """A file in which nothing is wrong; `worlds` holds one world per edition that it is played in."""

    doc: Document
    said: ScenarioFile
    worlds: dict[str, World]
    parts: tuple[Part, ...]
    small: Any = None
    """A game of Pocket: its world, and what is given."""

    @property
    def name(self) -> str:
        return self.doc.file


# ---------------------------------------------------------------------------------------------------- reading


def read_scenario(path: Path) -> Scenario:
    """Raises ContentError with all that is wrong in the file."""
    return check(read(path))


def parse_scenario(text: str, file: str = "scenario") -> Scenario:
    return check(parse(text, file))


def check(doc: Document) -> Scenario:
    """The scenario in a document. Raises ContentError with everything that is wrong."""
    given = doc.data.get("given")
    if isinstance(given, dict) and "game" in given:
        from . import pocket

        return pocket.check(doc)
    found: list[Fault] = []
    filled = _with_defaults(doc)
    said = decode(ScenarioFile, filled, found) or _readable(without_faults(ScenarioFile, filled))
    parts = _parts(doc, said, found)
    worlds = {}
    for edition in said.given.plays:
        world = _world(doc, said, edition, found)
        if world:
            worlds[edition] = world
            found += [doc.fault(path, message) for path, message in _faults(world, said, parts)]
    found += [doc.fault(path, message) for path, message in _id_faults(("rules",), said.rules)]
    if found:
        # What is wrong in both editions is said once, though the names that are near may differ.
        once: dict[tuple[int, str, str], Fault] = {}
        for fault in found:
            once.setdefault((fault.line, fault.where, fault.message.partition("; ")[0]), fault)
        raise ContentError(sorted(once.values(), key=lambda fault: fault.line))
    return Scenario(doc, said, worlds, parts)


def _with_defaults(doc: Document) -> Document:
    """An inline board is a map without the head of a map file; an inline card may go without name and text."""
    given = doc.data.get("given")
    if not isinstance(given, dict):
        return doc
    given = dict(given)
    if isinstance(given.get("board"), dict):
        head = {"format": 1, "id": "board", "name": "Board", "edition": EDITIONS[0], "cards": {}}
        given["board"] = head | given["board"]
    if isinstance(given.get("card"), list):
        given["card"] = [{"name": c.get("id", ""), "text": ""} | c if isinstance(c, dict) else c for c in given["card"]]
    return replace(doc, data={**doc.data, "given": given})


def _readable(doc: Document) -> ScenarioFile:
    """The parts of a faulty file that can be read by themselves, so that what is wrong in them is told as well."""

    def part(cls: Any, path: Path_, default: Any) -> Any:
        found: list[Fault] = []
        value = decode(cls, doc, found, path)
        return default if found else value

    data = doc.data
    steps = range(len(data["step"]) if isinstance(data.get("step"), list) else 0)
    return ScenarioFile(
        part(Given, ("given",), Given(None)),
        "",
        part(tuple[str, ...], ("rules",), ()),
        part(Lines, ("when",), ()),
        part(Then, ("then",), Then()),
        tuple(Step(part(Lines, ("step", n, "when"), ()), part(Then, ("step", n, "then"), Then())) for n in steps),
    )


def _parts(doc: Document, said: ScenarioFile, found: list[Fault]) -> tuple[Part, ...]:
    steps: Iterable[tuple[Path_, Step]]
    if said.step:
        steps = [(("step", n), step) for n, step in enumerate(said.step)]
    else:
        steps = [((), Step(said.when or (), said.then or Then()))]
    parts = []
    for path, step in steps:
        at: Path_ = (*path, "when", "do") if isinstance(step.when, When) else (*path, "when")
        lines = []
        for n, text in enumerate(step.when.do if isinstance(step.when, When) else step.when):
            try:
                lines.append((n, script.parse(text)))
            except BeachheadError as error:
                found.append(doc.fault((*at, n), str(error)))
        parts.append(Part(tuple(lines), at, step.then, (*path, "then")))
    return tuple(parts)


def _world(doc: Document, said: ScenarioFile, edition: str, found: list[Fault]) -> World | None:
    """The world of one edition, or None and what is in its way."""
    given, content = said.given, library()
    before = len(found)
    if given.board is None and given.map not in content.maps[edition]:
        found.append(doc.fault(("given", "map"), unknown("map", given.map, content.maps[edition])))
        known = content.cards[edition]
        for seat, unit in enumerate(given.units):
            for n, name in enumerate(unit.cards):
                if name not in known:
                    found.append(doc.fault(("given", f"U{seat + 1}", "cards", n), unknown("card", name, known)))
    for n, name in enumerate(given.modules):
        if name not in MODULES:
            found.append(doc.fault(("given", "modules", n), unknown("module", name, MODULES)))
    _switches(doc, said, edition, found)
    for n, card in enumerate(given.card):
        found += card_faults(doc, ("given", "card", n), card)
    nations = _nations(doc, said, edition, found)
    extra = {card.id: card for card in given.card}
    board = replace(given.board, edition=cast(Any, edition)) if given.board else None
    if board:
        found += map_faults(doc, ("given", "board"), board, {**content.cards[edition], **extra})
    if len(found) > before:
        return None
    switches = tuple(sorted(given.switches.items()))
    name = board.id if board else given.map
    setup = Setup(edition, name, len(given.units), nations, switches, given.modules, given.options, given.level)
    try:
        return build(setup, content, board, extra) if board or extra else world_of(setup)
    except SetupError as error:
        found.append(doc.fault(("given",), str(error)))
        return None


def _switches(doc: Document, said: ScenarioFile, edition: str, found: list[Fault]) -> None:
    known = [field.name for field in fields(Switches)]
    for name, value in said.given.switches.items():
        where: Path_ = ("given", "switches", name)
        if name not in known:
            found.append(doc.fault(where, unknown("switch", name, known)))
            continue
        default = getattr(DEFAULTS[edition], name)
        if type(value) is not type(default):
            expected = "true or false" if isinstance(default, bool) else f"text such as {default!r}"
            found.append(doc.fault(where, f"expected {expected}, got {value!r}"))
            continue
        try:
            replace(DEFAULTS[edition], **cast(dict[str, Any], {name: value})).check()
        except SetupError as error:
            found.append(doc.fault(where, str(error)))


def _nations(doc: Document, said: ScenarioFile, edition: str, found: list[Fault]) -> tuple[str, ...]:
    """Who plays whom; a nation that only the scenario's other edition has is left open."""
    known = library().nations
    wanted = [unit.nation if unit.nation in known[edition] else "" for unit in said.given.units]
    for name, unit in zip(UNITS, said.given.units, strict=False):
        if unit.nation and not any(unit.nation in known[edition] for edition in said.given.plays):
            names = dict.fromkeys(nation for edition in said.given.plays for nation in known[edition])
            found.append(doc.fault(("given", name, "nation"), unknown("nation", unit.nation, names)))
    free = [nation for nation in known[edition] if nation not in wanted]
    last = next(iter(known[edition]))
    return tuple(nation or (free.pop(0) if free else last) for nation in wanted)


def _laid(said: ScenarioFile) -> Position:
    given = said.given
    stock = {place: getattr(given, place) for place in STOCK}
    table: dict[str, Any] = {"rolled": tuple(given.rolled.items()), "spent": given.spent}
    return Position(given.units, given.turn, given.phase, given.until, beside=given.beside, **stock, **table)


def _faults(world: World, said: ScenarioFile, parts: tuple[Part, ...]) -> Iterator[tuple[Path_, str]]:
    """Names in the file that this world does not have."""
    for path, message in faults(world, _laid(said)):
        yield ("given", *path), message
    for part in parts:
        for n, line in part.lines:
            for message in script.line_faults(world, line):
                yield (*part.at, n), message
        for where, message in _then_faults(world, part.then):
            yield (*part.then_at, *where), message


def _then_faults(world: World, then: Then) -> Iterator[tuple[Path_, str]]:
    if then.phase is not None and then.phase not in world.phases:
        yield ("phase",), unknown("phase", then.phase, world.phases)
    for n, text in enumerate(then.asks or ()):
        unit, _, name = text.partition(" ")
        if unit in script.STREAMS:
            continue
        for message in script.unit_faults(world, unit):
            yield ("asks", n), message
        if name not in QUESTIONS:
            yield ("asks", n), unknown("question", name, QUESTIONS)
    for n, text in enumerate(then.legal):
        for message in _answer_faults(world, text):
            yield ("legal", n), message
    for text, ids in then.illegal.items():
        for message in _answer_faults(world, text):
            yield ("illegal", text), message
        yield from _id_faults(("illegal", text), ids)
    for place in STOCK:
        yield from _card_faults(world, (place,), getattr(then, place))
    for name in ("events", "never"):
        for n, event in enumerate(getattr(then, name)):
            for key, message in script.event_faults(world, event):
                yield (name, n, key) if key else (name, n), message
            yield from _id_faults((name, n, "rule"), event.get("rule", ()))
    for n, why in enumerate(then.why):
        for message in script.unit_faults(world, why.unit):
            yield ("why", n, "unit"), message
        if why.sector and why.sector not in world.sectors:
            yield ("why", n, "sector"), unknown("Sector", why.sector, world.sectors)
        if why.card and why.card not in world.cards:
            yield ("why", n, "card"), unknown("card", why.card, world.cards)
        for m, source in enumerate(why.sources or ()):
            if source not in world.cards and source not in register():
                yield ("why", n, "from", m), unknown("card or rule", source, world.cards)
    for name in UNITS:
        unit_then = getattr(then, name)
        if unit_then is not None:
            for message in script.unit_faults(world, name):
                yield (name,), message
            for where, message in _unit_then_faults(world, unit_then):
                yield (name, *where), message


def _answer_faults(world: World, text: str) -> Iterator[str]:
    unit, _, key = text.partition(" ")
    yield from script.unit_faults(world, unit)
    yield from script.key_faults(world, key)


def _unit_then_faults(world: World, then: UnitThen) -> Iterator[tuple[Path_, str]]:
    for n, sector in enumerate(then.visited or ()):
        if sector not in world.sectors:
            yield ("visited", n), unknown("Sector", sector, world.sectors)
    if then.sector is not None and then.sector not in world.sectors:
        yield ("sector",), unknown("Sector", then.sector, world.sectors)
    if then.marker is not None and then.marker not in MARKERS[1:]:
        yield ("marker",), unknown("side of the marker", then.marker, MARKERS[1:])
    if then.nation is not None and not any(then.nation in known for known in library().nations.values()):
        yield ("nation",), unknown("nation", then.nation, world.nations)
    for place in ("cards", "hand", "dead"):
        yield from _card_faults(world, (place,), getattr(then, place))
    for name in ("dice", "kept", "spare"):
        try:
            lay_dice(getattr(then, name) or "")
        except BeachheadError as error:
            yield (name,), str(error)
    if (then.cancelled or "none") not in MASK:
        yield ("cancelled",), f"{then.cancelled!r} is no set of dice: expected such as R1,W2"
    for path, text in _each(("added",), then.added):
        try:
            result(text)
        except BeachheadError as error:
            yield path, str(error)


def _each(path: Path_, listed: List | None) -> Iterator[tuple[Path_, str]]:
    if isinstance(listed, Some):
        for key in ("has", "lacks"):
            for n, name in enumerate(getattr(listed, key)):
                yield (*path, key, n), name
    else:
        for n, name in enumerate(listed or ()):
            yield (*path, n), name


def _card_faults(world: World, path: Path_, listed: List | None) -> Iterator[tuple[Path_, str]]:
    for where, card in _each(path, listed):
        if card not in world.cards:
            yield where, unknown("card", card, world.cards)


def _id_faults(path: Path_, ids: Any) -> Iterator[tuple[Path_, str]]:
    for n, id in enumerate((ids,) if isinstance(ids, str) else ids):
        if id not in register():
            message = unknown("rule", id, register()).partition("; expected")[0]
            yield path if isinstance(ids, str) else (*path, n), f"{message} (not in the rule register)"


# ---------------------------------------------------------------------------------------------------- playing


class Stuck(Exception):
    """The next line cannot be carried out."""


def run(scenario: Scenario, edition: str = "") -> list[Fault]:
    """The differences in every edition of the scenario, or only in that one."""
    if scenario.small is not None:
        from . import pocket

        return pocket.play(scenario)
    return [
        fault for name, world in scenario.worlds.items() if edition in ("", name) for fault in _play(scenario, world)
    ]


def _play(scenario: Scenario, world: World) -> list[Fault]:
    said, doc = scenario.said, scenario.doc
    prefix = f"in the {world.setup.edition} edition: " if len(scenario.worlds) > 1 else ""
    g = position(world, _laid(said))
    given_phase = "roll" if said.given.phase == TALLY else said.given.phase
    events = MACHINE.start(g)
    reached = (said.given.turn, given_phase)
    differences: list[Fault] = []
    for part in scenario.parts:
        for n, line in part.lines:
            reached = (g.turn, g.phase)
            try:
                events += _carry_out(g, line)
            except Stuck as stuck:
                return [*differences, doc.fault((*part.at, n), f"{prefix}{stuck}")]
        for path, message in _compare(g, part.then, events):
            differences.append(doc.fault((*part.then_at, *path), prefix + message))
        events = []
    last = scenario.parts[-1]
    for message in _unexpected(g, last.then, reached):
        differences.append(doc.fault((*last.then_at, "asks"), prefix + message))
    return differences


def _machine(g: State) -> Machine[Any]:
    return game_of(g).machine


def _node(g: State) -> Node | None:
    """What the game waits for; None where the scenario stops it."""
    return None if isinstance(g, Landing) and stopped(g) else _machine(g).node(g)


def _carry_out(g: State, line: script.Line) -> list[Event]:
    node = _node(g)
    if isinstance(line, script.Rolled):
        if not isinstance(node, Roll) or script.roll_words(node) != line.name:
            raise Stuck(f"{line.name!r} is not rolled now: {_waiting(g)}")
        if misfit := script.fits(g, node, line):
            raise Stuck(misfit)
        return _machine(g).apply(g, line.outcome)
    seat, key = line
    if not isinstance(node, Ask) or seat not in node.seats:
        raise Stuck(f"U{seat + 1} is not asked now: {_waiting(g)}")
    decision = node.decision(seat)
    if key not in decision.keys:
        raise Stuck(f"{key!r} is no legal answer to {_question(g, seat)}{_because(g, seat, key)}")
    return _machine(g).apply(g, Answer(seat, decision.seq, key))


def _waiting(g: State) -> str:
    """What the game waits for, in words."""
    node = _node(g)
    if node is None:
        return f"the scenario stops after the {getattr(g, 'phase', '')} phase"
    if isinstance(node, Over):
        return f"the game is over ({node.cause})"
    if isinstance(node, Roll):
        dice = script.rolled_dice(g, node)
        return f"the game waits for the roll {script.roll_words(node)!r} ({dice or node.expected()})"
    return "the game waits for " + ", and for ".join(_question(g, seat) for seat in node.seats)


def _question(g: State, seat: int) -> str:
    node = _node(g)
    assert isinstance(node, Ask)
    decision = node.decision(seat)
    source = f" of {decision.source}" if decision.source else ""
    return f"'U{seat + 1} {decision.name}'{source} ({_some(decision.keys)})"


def _some(keys: tuple[str, ...], most: int = 16) -> str:
    shown = ", ".join(keys[:most])
    return f"{shown} and {len(keys) - most} more" if len(keys) > most else shown


def _because(g: State, seat: int, key: str) -> str:
    reasons = _machine(g).refusals(g, seat).get(key, ())
    return "".join(f"; {_reason(reason)}" for reason in reasons)


def _reason(reason: Reason) -> str:
    return f"{reason.text} [{reason.rule}]"


def _unexpected(g: Landing, then: Then, reached: tuple[int, str]) -> Iterator[str]:
    """What is open at the end although the file does not expect it."""
    node = _node(g)
    if then.asks is not None or node is None or isinstance(node, Over):
        return
    phases = g.world.phases
    later = (g.turn, phases.index(g.phase)) > (reached[0], phases.index(reached[1]))
    spoken_of = {text.partition(" ")[0] for text in (*then.legal, *then.illegal)}
    for name in script.open_words(node):
        unit, _, question = name.partition(" ")
        opener = unit if unit in script.STREAMS else question
        if unit not in spoken_of and not (later and opener in OPENERS):
            yield f"the scenario ends, but {_waiting(g)}; go on, or expect it with asks = {script.open_words(node)}"
            return


# ---------------------------------------------------------------------------------------------------- comparing


def _compare(g: Landing, then: Then, events: list[Event]) -> Iterator[tuple[Path_, str]]:
    """Where each claim differs from the game, and how."""
    node = _node(g)
    for name in ("turn", "phase"):
        yield from _same((name,), getattr(then, name), getattr(g, name))
    yield from _same(("beside",), then.beside, sum(g.beside.values()))
    end = node if isinstance(node, Over) else None
    if then.over is not None:
        yield from _same(("over",), then.over, end.cause if end else False)
    if then.won is not None:
        yield from _same(("won",), then.won, end.won if end else "a game that goes on")
    if then.scores is not None:
        yield from _same(("scores",), then.scores, end.scores if end else "a game that goes on")
    if then.asks is not None and sorted(then.asks) != sorted(script.open_words(node)):
        yield ("asks",), f"expected {list(then.asks)}, but {_waiting(g)}"
    for n, text in enumerate(then.legal):
        for message in _legal(g, text):
            yield ("legal", n), message
    for text, ids in then.illegal.items():
        for message in _illegal(g, text, ids):
            yield ("illegal", text), message
    for place in STOCK:
        yield from _listed((place,), getattr(then, place), getattr(g, place))
    yield from _events(g, then, events)
    for n, why in enumerate(then.why):
        explained = questions.why(g, why.question, int(why.unit[1:]) - 1, why.sector, why.card)
        yield from _same(("why", n, "value"), why.value, explained.value)
        if why.sources is not None:
            voices = [voice.source or voice.rule for voice in explained.contributions[1:]]
            expected = [name for name in why.sources if _counts(name, g.world.setup.edition)]
            if sorted(voices) != sorted(expected):
                yield ("why", n, "from"), f"expected {expected}, got {voices}"
    for seat, unit in enumerate(g.units):
        for path, message in _unit(unit, getattr(then, UNITS[seat])):
            yield (UNITS[seat], *path), message


def _same(path: Path_, expected: object, got: object) -> Iterator[tuple[Path_, str]]:
    if expected is not None and expected != got:
        yield path, f"expected {expected!r}, got {got!r}"


def _listed(path: Path_, expected: List | None, got: Iterable[str]) -> Iterator[tuple[Path_, str]]:
    got = list(got)
    if isinstance(expected, Some):
        for name in expected.has:
            if name not in got:
                yield (*path, "has"), f"{name!r} is not among {got}"
        for name in expected.lacks:
            if name in got:
                yield (*path, "lacks"), f"{name!r} is among {got}"
    elif expected is not None:
        missing = list((Counter(expected) - Counter(got)).elements())
        extra = list((Counter(got) - Counter(expected)).elements())
        parts = [f"{names} {what}" for names, what in ((missing, "missing"), (extra, "too many")) if names]
        if parts:
            yield path, f"expected {list(expected)}, got {got}: {', '.join(parts)}"


def _legal(g: State, text: str) -> Iterator[str]:
    unit, _, key = text.partition(" ")
    seat = int(unit[1:]) - 1
    node = _node(g)
    if not isinstance(node, Ask) or seat not in node.seats:
        yield f"{unit} is not asked: {_waiting(g)}"
    elif key not in node.decision(seat).keys:
        yield f"not offered at {_question(g, seat)}{_because(g, seat, key)}"


def _illegal(g: State, text: str, ids: Ids) -> Iterator[str]:
    unit, _, key = text.partition(" ")
    seat = int(unit[1:]) - 1
    node = _node(g)
    if not isinstance(node, Ask) or seat not in node.seats:
        yield f"{unit} is not asked: {_waiting(g)}"
        return
    if key in node.decision(seat).keys:
        yield f"it is legal at {_question(g, seat)}"
        return
    reasons = _machine(g).refusals(g, seat).get(key, ())
    given = {reason.rule for reason in reasons}
    edition = g.world.setup.edition if isinstance(g, Landing) else ""
    for id in _applicable(ids, edition):
        if id not in given:
            why = ", ".join(map(_reason, reasons)) or "no reason at all"
            yield f"expected {id} among the reasons, got {why}"


def _applicable(ids: Any, edition: str) -> list[str]:
    return [id for id in ((ids,) if isinstance(ids, str) else ids) if _counts(id, edition)]


def _counts(id: str, edition: str) -> bool:
    """Does this name count in this edition? Ids of the other edition's rules do not."""
    return not edition or not id.startswith("S-" if edition == "first" else "F-")


def _events(g: Landing, then: Then, events: list[Event]) -> Iterator[tuple[Path_, str]]:
    told = [script.event_words(event) for event in events] if then.events or then.never else []
    return told_events(told, then.events, then.never, g.world.setup.edition)


def told_events(
    told: list[dict[str, Any]], wanted_: Iterable[dict[str, Any]], never: Iterable[dict[str, Any]], edition: str
) -> Iterator[tuple[Path_, str]]:
    """Which of these events were not told in this order, and which of those that should not be were."""
    at = 0
    for n, wanted in enumerate(wanted_):
        found = next((m for m in range(at, len(told)) if _matches(wanted, told[m], edition)), None)
        if found is not None:
            at = found + 1
            continue
        kind = [script.show(words) for words in told if words["type"] == wanted["type"]]
        there = f"there were {'; '.join(kind)}" if kind else f"there was no event {wanted['type']!r}"
        after = " after the one before it" if n else ""
        yield ("events", n), f"no such event{after}; {there}"
    for n, unwanted in enumerate(never):
        for words in told:
            if _matches(unwanted, words, edition):
                yield ("never", n), f"it happened: {script.show(words)}"


def _matches(wanted: dict[str, Any], words: dict[str, Any], edition: str) -> bool:
    for key, value in wanted.items():
        if key == "rule":
            if any(id != words["rule"] for id in _applicable(value, edition)):
                return False
        elif words.get(key) != value:
            return False
    return True


def _unit(unit: Unit, then: UnitThen | None) -> Iterator[tuple[Path_, str]]:
    if then is None:
        return
    for name in ("nation", "sector", "visited", "combats", "soldiers", "stars", "courage", "points"):
        yield from _same((name,), getattr(then, name), getattr(unit, name))
    yield from _same(("marker",), then.marker, MARKERS[unit.marker])
    yield from _same(("status",), then.status, STATUS[unit.status])
    yield from _same(("cancelled",), then.cancelled, NAMES[unit.out])
    yield from _listed(("cards",), then.cards, (*unit.specialists, *unit.items, *unit.awards))
    for name in ("hand", "dead", "done"):
        yield from _listed((name,), getattr(then, name), getattr(unit, name))
    yield from _listed(("added",), then.added, [_result(face, colour) for face, colour in unit.added])
    dice = [
        (face, colour, unit.locked >> place & 1)
        for place, (face, colour) in enumerate(zip(unit.faces, unit.colours, strict=True))
    ]
    yield from _dice("dice", then.dice, dice)
    yield from _dice("kept", then.kept, [(face, colour, 0) for face, colour in unit.kept])
    yield from _dice("spare", then.spare, [(face, colour, 0) for face, colour in unit.spare])


def _result(face: int, colour: int) -> str:
    return FACES[face] if colour == NONE else f"{COLOURS[colour]} {FACES[face]}"


def _dice(name: str, expected: str | None, got: list[tuple[int, int, int]]) -> Iterator[tuple[Path_, str]]:
    """Dice of one colour are not told apart."""
    if expected is None:
        return
    faces, colours, locked = lay_dice(expected)
    wanted = [(face, colours[place], locked >> place & 1) for place, face in enumerate(faces)]
    if sorted(die for die in wanted if die[0] >= 0) != sorted(die for die in got if die[0] >= 0):
        yield (name,), f"expected {expected!r}, got {_write(got)!r}"


def _write(dice: list[tuple[int, int, int]]) -> str:
    """As `landing.dice.write_roll` does, for any number of dice."""
    groups: dict[int, list[str]] = {}
    for face, colour, locked in sorted(dice, key=lambda die: die[1]):
        if face >= 0:
            groups.setdefault(colour, []).append(FACES[face] + "*" * locked)
    return " ".join(f"{'RWB'[colour]}:{','.join(names)}" for colour, names in groups.items())
