"""Scenarios of Battle! and Express!: the same files, with `game` among what is given (`docs/scenarios.md`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from ..content.toml import Document, Path_, decode
from ..core.errors import BeachheadError, ContentError, Fault, SetupError
from ..core.machine import State
from ..core.node import Event, Over
from ..landing.dice import FACES, HOME, read_roll, write_roll
from ..landing.position import unknown
from ..pocket import battle, express
from ..pocket.battle import FIELDS, Battle
from ..pocket.express import Express
from ..pocket.position import BattleAt, ExpressAt, battle_at, express_at
from ..pocket.text import SAY
from ..pocket.world import World, world_of
from . import script
from .runner import (
    Part,
    Scenario,
    Stuck,
    _carry_out,
    _id_faults,
    _illegal,
    _legal,
    _listed,
    _node,
    _same,
    _waiting,
    told_events,
)
from .schema import Given as LandingGiven
from .schema import Ids, Lines, List, ScenarioFile, Value, When

_SEAT = re.compile(r"U[1-6]")


@dataclass(frozen=True, slots=True)
class Given:
    """The table before anything happens; see `pocket.position`. Seats are written U1, U2 ..."""

    game: Literal["express", "battle"]
    seats: int | None
    options: tuple[str, ...] = ()
    switches: dict[str, str] = field(default_factory=dict)
    beach: str = ""
    sector: int = 0
    squad: tuple[str, ...] = ()
    holders: dict[str, str] = field(default_factory=dict)
    gone: tuple[str, ...] = ()
    carried: tuple[str, ...] = ()
    beaches: int = 0
    active: str = ""
    skirmish: int = 1
    pot: int = 0
    first: str = "U1"
    scores: tuple[int, ...] = ()
    medals: dict[str, tuple[str, ...]] = field(default_factory=dict)
    tied: tuple[str, ...] = ()

    def check(self) -> Iterable[tuple[str, str]]:
        for name in (*self.holders.values(), *self.medals, *self.tied, self.first, self.active or "U1"):
            if not _SEAT.fullmatch(name):
                yield "", f"{name!r} is no seat: expected U1, U2 ..."


@dataclass(frozen=True, slots=True)
class PlayerThen:
    """What holds for a player."""

    score: int | None
    medals: List | None
    dice: str | None
    added: tuple[str, ...] | None
    used: List | None
    cleared: str | None


@dataclass(frozen=True, slots=True)
class Then:
    """What holds after the lines of `when`."""

    asks: tuple[str, ...] | None
    over: str | Literal[False] | None
    won: bool | None
    scores: tuple[int, ...] | None
    legal: tuple[str, ...] = ()
    illegal: dict[str, Ids] = field(default_factory=dict)
    events: tuple[dict[str, Value], ...] = ()
    never: tuple[dict[str, Value], ...] = ()
    turn: int | None = None
    phase: str | None = None
    axis: str | None = None
    black: str | None = None
    deck: List | None = None
    beach: str | None = None
    beaches: int | None = None
    sector: int | None = None
    cleared: int | None = None
    squad: List | None = None
    fresh: List | None = None
    gone: List | None = None
    carried: List | None = None
    left: List | None = None
    field_: str | None = field(default=None, metadata={"key": "field"})
    first: str | None = None
    active: str | None = None
    skirmish: int | None = None
    pot: int | None = None
    winners: tuple[str, ...] | None = None
    U1: PlayerThen | None = None
    U2: PlayerThen | None = None
    U3: PlayerThen | None = None
    U4: PlayerThen | None = None


NOTHING = Then(None, None, None, None)


@dataclass(frozen=True, slots=True)
class Step:
    when: Lines = ()
    then: Then = NOTHING


@dataclass(frozen=True, slots=True)
class File:
    """A whole file."""

    given: Given
    about: str = ""
    rules: tuple[str, ...] = ()
    when: Lines | None = None
    then: Then | None = None
    step: tuple[Step, ...] = ()

    def check(self) -> Iterable[tuple[str, str]]:
        if bool(self.step) == bool(self.then is not None):
            yield "", "expected either when and then, or [[step]] tables with a when and then of their own"


class Small(NamedTuple):
    """The part of a scenario that is of Pocket."""

    world: World
    given: Given


def check(doc: Document) -> Scenario:
    """The scenario in a document. Raises ContentError with everything that is wrong."""
    found: list[Fault] = []
    said = decode(File, doc, found)
    if said is None:
        raise ContentError(found)
    given = said.given
    world = _world(doc, given, found)
    steps = list(said.step) or [Step(said.when or (), said.then or NOTHING)]
    parts = []
    for number, step in enumerate(steps):
        path: Path_ = ("step", number) if said.step else ()
        at: Path_ = (*path, "when", "do") if isinstance(step.when, When) else (*path, "when")
        lines = []
        for n, text in enumerate(step.when.do if isinstance(step.when, When) else step.when):
            try:
                lines.append((n, script.parse(text)))
            except BeachheadError as error:
                found.append(doc.fault((*at, n), str(error)))
        parts.append(Part(tuple(lines), at, step.then, (*path, "then")))  # type: ignore[arg-type]
        found += [doc.fault((*path, "then", *where), why) for where, why in _then_faults(step.then)]
    found += [doc.fault(path, message) for path, message in _id_faults(("rules",), said.rules)]
    if found or world is None:
        raise ContentError(sorted(found, key=lambda fault: fault.line))
    return Scenario(doc, ScenarioFile(LandingGiven("first")), {}, tuple(parts), Small(world, given))


def _world(doc: Document, given: Given, found: list[Fault]) -> World | None:
    setup: dict[str, Any] = {"options": list(given.options), "switches": dict(given.switches)}
    if given.seats is not None:
        setup["seats"] = given.seats
    if given.beach:
        setup["beach"] = given.beach
    try:
        world = world_of(given.game, setup)
    except SetupError as error:
        found.append(doc.fault(("given",), str(error)))
        return None
    cards: Any = world.box.specialists if given.game == "express" else world.box.medals
    named = (*given.squad, *given.gone, *given.holders, *(card for some in given.medals.values() for card in some))
    for card in named:
        if card not in cards:
            found.append(doc.fault(("given",), unknown("card", card, cards)))
    for name in (given.active, *given.medals, *given.holders.values(), *given.tied):
        if name and _seat(name) >= world.seats:
            found.append(doc.fault(("given",), f"{name} has no seat here: expected U1 to U{world.seats}"))
    return None if found else world


def _seat(name: str) -> int:
    return int(name[1:]) - 1


def _then_faults(then: Then) -> Iterator[tuple[Path_, str]]:
    for name in ("events", "never"):
        for n, event in enumerate(getattr(then, name)):
            if event.get("type") not in SAY:
                yield (name, n), unknown("event", str(event.get("type", "")), SAY)
            yield from _id_faults((name, n, "rule"), event.get("rule", ()))
    for text, ids in then.illegal.items():
        yield from _id_faults(("illegal", text), ids)


def laid(small: Small) -> State:
    """The game as it is given."""
    world, given = small
    if given.game == "express":
        holders = {card: _seat(name) for card, name in given.holders.items()}
        at = ExpressAt(given.sector, given.squad, holders, given.gone, given.carried, given.beaches)
        return express_at(world, at)
    return battle_at(
        world,
        BattleAt(
            _seat(given.active) if given.active else -1,
            given.skirmish,
            given.pot,
            _seat(given.first),
            1,
            given.scores,
            {_seat(name): cards for name, cards in given.medals.items()},
            tuple(_seat(name) for name in given.tied),
        ),
    )


def play(scenario: Scenario) -> list[Fault]:
    """What differs."""
    g = laid(scenario.small)
    machine: Any = express.MACHINE if isinstance(g, Express) else battle.MACHINE
    events = machine.start(g)
    differences: list[Fault] = []
    doc = scenario.doc
    for part in scenario.parts:
        for n, line in part.lines:
            try:
                events += _carry_out(g, line)
            except Stuck as stuck:
                return [*differences, doc.fault((*part.at, n), str(stuck))]
        for path, message in _compare(g, part.then, events):  # type: ignore[arg-type]
            differences.append(doc.fault((*part.then_at, *path), message))
        events = []
    return differences


def _compare(g: Any, then: Then, events: list[Event]) -> Iterator[tuple[Path_, str]]:
    node = _node(g)
    end = node if isinstance(node, Over) else None
    if then.asks is not None and sorted(then.asks) != sorted(script.open_words(node)):
        yield ("asks",), f"expected {list(then.asks)}, but {_waiting(g)}"
    if then.over is not None:
        yield from _same(("over",), then.over, end.cause if end else False)
    if then.won is not None:
        yield from _same(("won",), then.won, end.won if end else "a game that goes on")
    if then.scores is not None:
        yield from _same(("scores",), then.scores, end.scores if end else "a game that goes on")
    for n, text in enumerate(then.legal):
        for message in _legal(g, text):
            yield ("legal", n), message
    for text, ids in then.illegal.items():
        for message in _illegal(g, text, ids):
            yield ("illegal", text), message
    yield from told_events([event_words(event) for event in events], then.events, then.never, "")
    facts = _facts(g)
    for name in (
        "turn",
        "phase",
        "axis",
        "black",
        "beach",
        "beaches",
        "sector",
        "cleared",
        "field_",
        "first",
        "active",
    ):
        yield from _same((name.rstrip("_"),), getattr(then, name), facts.get(name))
    for name in ("skirmish", "pot", "winners"):
        yield from _same((name,), getattr(then, name), facts.get(name))
    for name in ("deck", "squad", "fresh", "gone", "carried", "left"):
        yield from _listed((name,), getattr(then, name), facts.get(name, ()))
    for seat in range(min(4, len(g.lanes))):
        wanted: PlayerThen | None = getattr(then, f"U{seat + 1}")
        if wanted is not None:
            for path, message in _player(g, seat, wanted):
                yield (f"U{seat + 1}", *path), message


def _facts(g: Any) -> dict[str, Any]:
    facts = {name: getattr(g, name) for name in ("turn", "phase", "deck")}
    facts |= {"axis": _faces(g.axis), "black": FACES[g.black] if g.black >= 0 else ""}
    if isinstance(g, Express):
        names = ("beach", "beaches", "sector", "cleared", "squad", "fresh", "gone", "carried", "left")
        return facts | {name: getattr(g, name) for name in names}
    assert isinstance(g, Battle)
    facts |= {"field_": FIELDS[g.field_] if g.field_ >= 0 else "", "skirmish": g.skirmish, "pot": g.pot}
    facts |= {"first": f"U{g.first + 1}", "active": f"U{g.active + 1}" if g.active >= 0 else ""}
    return facts | {"winners": tuple(f"U{seat + 1}" for seat in g.winners)}


def _faces(faces: Iterable[int]) -> str:
    return ",".join(FACES[face] for face in faces)


def _player(g: Any, seat: int, then: PlayerThen) -> Iterator[tuple[Path_, str]]:
    if isinstance(g, Battle):
        yield from _same(("score",), then.score, g.players[seat].score)
        yield from _listed(("medals",), then.medals, g.players[seat].medals)
        faces, colours = g.faces, HOME
    else:
        soldier = g.soldiers[seat]
        faces, colours = soldier.faces, soldier.colours
        yield from _same(("added",), then.added, tuple(FACES[face] for face in soldier.added))
        yield from _listed(("used",), then.used, soldier.used)
        yield from _same(("cleared",), then.cleared, soldier.cleared)
    if then.dice is not None:
        wanted, shades, _ = read_roll(then.dice)
        if _sorted(wanted, shades) != _sorted(faces, colours):
            yield ("dice",), f"expected {then.dice!r}, got {write_roll(faces, colours)!r}"


def _sorted(faces: Iterable[int], colours: Iterable[int]) -> list[tuple[int, int]]:
    return sorted((colour, face) for face, colour in zip(faces, colours, strict=True) if face >= 0)


def event_words(event: Event) -> dict[str, Any]:
    """An event as a scenario names it: type, unit, rule, source, and its data in words."""
    out: dict[str, Any] = {"type": event.type}
    if event.seat >= 0:
        out["unit"] = f"U{event.seat + 1}"
    data = event.data
    for key, value in data.items():
        if key == "faces" and "colours" in data:
            out["dice"] = write_roll(value, data["colours"])
        elif key in ("faces", "axis"):
            out[key] = _faces(value)
        elif key == "black":
            out[key] = FACES[value] if value >= 0 else ""
        elif key in ("seats", "winners"):
            out[key] = tuple(f"U{seat + 1}" for seat in value)
        elif key == "from":
            out[key] = f"U{value + 1}" if value >= 0 else ""
        elif key != "colours":
            out[key] = value
    out["rule"] = event.rule
    if event.source:
        out["source"] = event.source
    return out
