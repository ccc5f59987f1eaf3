"""A landing laid out in mid-game, for scenarios, puzzles and lessons: who stands where with what, and what comes next.

What is written wins; what is not written lies as it does at set-up. No card is there twice: what a Unit holds is
taken out of its hand and out of the common stock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from ..core.errors import BeachheadError, SetupError
from ..core.machine import Frame
from .dice import COLOUR, FACE, HOME, MASK, NO_FACE, NONE, read_roll
from .setup import hand_of, new_landing
from .state import LOST, MARKERS, ON_MAP, RESOURCES, SAFE, Landing, Unit
from .world import World

STATUS = ("on the map", "safe", "lost")
TALLY = "tally"
"""Beside the phases of the turn: all dice are final, the tally is about to be looked at."""
STOCK = ("pool", "box", "lying", "used", "deck")

Path = tuple[str | int, ...]
Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class UnitAt:
    """One Unit of a position, as a person writes it down."""

    nation: str = ""
    """By default the first that is free."""
    sector: str = ""
    """By default where the map has Units start."""
    visited: tuple[str, ...] = ()
    marker: str = MARKERS[1]
    combats: int = 0
    soldiers: int = 10
    stars: int = 0
    courage: int = 0
    points: int = 0
    cards: tuple[str, ...] = ()
    """Specialists, Items, Vehicles and Awards of the Unit."""
    hand: tuple[str, ...] | None = None
    dead: tuple[str, ...] = ()
    dice: str = ""
    """Such as `R:star,skull* W:tool,tool B:courage,soldier2`, with a `*` for a Locked die."""
    cancelled: str = "none"
    """Dice that Skulls have cancelled, such as `R1,W2`."""
    added: tuple[str, ...] = ()
    """Results beside the dice, such as `tool` or `white star`."""
    kept: str = ""
    """A photographed tally, used in the next roll phase."""
    spare: str = ""
    """The solitaire Lieutenant's dice."""
    done: tuple[str, ...] = ()
    """What it has done this turn: `rally`, `find`, `award`, `move`, `use:CARD`."""
    status: str = STATUS[ON_MAP]


@dataclass(frozen=True, slots=True)
class Position:
    """The table. `phase` is the phase that is about to begin, or TALLY."""

    units: tuple[UnitAt, ...] = (UnitAt(),)
    turn: int = 1
    phase: str = "roll"
    until: str = ""
    """The last phase that is played, of the same turn; then nothing is open any more (see `stopped`)."""
    pool: tuple[str, ...] | None = None
    box: tuple[str, ...] | None = None
    lying: tuple[str, ...] | None = None
    used: tuple[str, ...] | None = None
    deck: tuple[str, ...] | None = None
    beside: int | None = None
    """Specialists beside the first Bunker; by default those of the safe Units, each beside its own."""
    rolled: tuple[tuple[str, int], ...] = ()
    """Sectors with a table, each with the line that was rolled."""
    spent: tuple[str, ...] = ()
    """What there is once and has been, such as `conquered:BW` (see `Landing.spent`)."""


def position(world: World, laid: Position) -> Landing:
    """A landing that stands at this position; give it to `MACHINE.start`. Raises SetupError with all that is wrong."""
    wrong = [f"{'.'.join(map(str, path))}: {message}" for path, message in faults(world, laid)]
    if wrong:
        raise SetupError("\n".join(wrong))
    g = new_landing(world)
    g.lanes = [[] for _ in g.lanes]
    g.turn = laid.turn
    g.main = _main(world, laid.phase, laid.until)
    g.phase = "roll" if laid.phase == TALLY else ""
    held: set[str] = set()
    for unit, at in zip(g.units, laid.units, strict=True):
        _set_unit(g, unit, at, laid.phase)
        held.update(at.cards, at.dead)
    if "few-good-men" in world.options:
        g.before = tuple(unit.soldiers for unit in g.units)
    named = {card for place in STOCK for card in getattr(laid, place) or ()}
    for place in STOCK:
        listed = getattr(laid, place)
        if listed is None:
            listed = tuple(card for card in getattr(g, place) if card not in held and card not in named)
        setattr(g, place, listed)
    for unit in g.units:
        if unit.status == SAFE and laid.beside is None and unit.specialists:
            g.beside[unit.sector] = g.beside.get(unit.sector, 0) + len(unit.specialists)
    g.rolled = dict(laid.rolled)
    g.spent = tuple(sorted(laid.spent))
    for unit in g.units:
        if unit.status == SAFE:
            g.spend(f"conquered:{unit.sector}")
    if laid.beside:
        g.beside = {next(sector for sector, printed in world.sectors.items() if printed.bunker): laid.beside}
    return g


STOP: Frame = ("stop",)


def stopped(g: Landing) -> bool:
    """Has the last phase of a position with `until` been played? There is no node then."""
    return g.main == [STOP] and not any(g.lanes)


def _main(world: World, phase: str, until: str) -> list[Frame]:
    phases = world.phases
    first = phases.index("roll" if phase == TALLY else phase)
    last = phases.index(until) + 1 if until else len(phases)
    frames: list[Frame] = [STOP if until else ("turn",), *(("phase", name) for name in reversed(phases[first:last]))]
    if phase == TALLY:
        frames[-1] = (TALLY,)
    return frames


def _set_unit(g: Landing, unit: Unit, at: UnitAt, phase: str) -> None:
    world = g.world
    kinds = {card: world.cards[card] for card in at.cards}
    unit.sector = at.sector or unit.sector
    unit.visited = at.visited or (unit.sector,)
    unit.marker = MARKERS.index(at.marker)
    unit.combats = at.combats
    unit.status = STATUS.index(at.status)
    for name in RESOURCES:
        setattr(unit, name, getattr(at, name))
    gone = {*at.cards, *at.dead}
    if world.part_of:
        unit.hand = hand_of(world, unit.visited[0])
    unit.hand = tuple(card for card in unit.hand if card not in gone) if at.hand is None else at.hand
    unit.specialists = tuple(card for card in at.cards if kinds[card].is_specialist)
    unit.awards = tuple(card for card in at.cards if kinds[card].kind == "award")
    unit.items = tuple(card for card in at.cards if card not in unit.specialists and card not in unit.awards)
    unit.won_awards = len(unit.awards)
    unit.dead = at.dead
    unit.faces, unit.colours, unit.locked = lay_dice(at.dice)
    unit.out = MASK[at.cancelled]
    unit.added = tuple(result(text) for text in at.added)
    unit.kept = _pairs(at.kept)
    unit.spare = _pairs(at.spare)
    unit.done = at.done
    recorded = phase != TALLY and world.phases.index(phase) > world.phases.index("upkeep")
    if recorded and "recorded" not in unit.done:
        unit.done = ("recorded", *unit.done)


# ---------------------------------------------------------------------------------------------------- dice and results


def lay_dice(text: str) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Faces, colours and Locked mask of six places; a die lies on a place of its colour while there is one."""
    read, colours, stars = read_roll(text)
    rolled = [(face, colour, stars >> n & 1) for n, (face, colour) in enumerate(zip(read, colours, strict=True))]
    places: list[tuple[int, int, int] | None] = [None] * 6
    homeless = []
    for die in sorted((die for die in rolled if die[0] >= 0), key=lambda die: die[1]):
        home = next((place for place in range(6) if HOME[place] == die[1] and places[place] is None), None)
        if home is None:
            homeless.append(die)
        else:
            places[home] = die
    for die in homeless:
        places[places.index(None)] = die
    laid = [die or (NO_FACE, HOME[place], 0) for place, die in enumerate(places)]
    locked = sum(1 << place for place, die in enumerate(laid) if die[2])
    return tuple(die[0] for die in laid), tuple(die[1] for die in laid), locked


def _pairs(text: str) -> Pairs:
    faces, colours, _ = lay_dice(text)
    return tuple((face, colour) for face, colour in zip(faces, colours, strict=True) if face >= 0)


def result(text: str) -> tuple[int, int]:
    """A result beside the dice: `tool` (without a colour) or `white star`."""
    colour, _, face = text.rpartition(" ")
    if face not in FACE or (colour and COLOUR.get(colour, NONE) == NONE):
        raise BeachheadError(f"{text!r} is no result: expected a face such as tool, or with a colour, as in white star")
    return FACE[face], COLOUR[colour] if colour else NONE


# ---------------------------------------------------------------------------------------------------- what is wrong


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """One sentence about a name that is not known, with the nearest one that is."""
    known = list(known)
    near = get_close_matches(name, known, 1, 0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"expected one of {', '.join(known)}"
    return f"unknown {what} {name!r}; {hint}"


def faults(world: World, laid: Position) -> Iterator[tuple[Path, str]]:
    """Everything that is wrong with a position, each with where: ("U1", "cards", 0), ("pool", 3), ("phase",)."""
    if len(laid.units) != world.setup.seats:
        yield (), f"{len(laid.units)} Units in a game of {world.setup.seats}"
    if laid.phase != TALLY and laid.phase not in world.phases:
        known = ", ".join((*world.phases, TALLY))
        edition = world.setup.edition
        yield ("phase",), f"unknown phase {laid.phase!r} in the {edition} edition: expected one of {known}"
    elif laid.until:
        later = world.phases[world.phases.index("roll" if laid.phase == TALLY else laid.phase) :]
        if laid.until not in later:
            yield ("until",), f"expected the phase that is given or a later one: {', '.join(later)}"
    if laid.turn < 1:
        yield ("turn",), "expected a whole number from 1"
    if laid.beside is not None and laid.beside < 0:
        yield ("beside",), "expected a whole number from 0"
    for sector, line in laid.rolled:
        if sector not in world.results:
            yield ("rolled", sector), unknown("Sector with a table", sector, world.results)
        elif not 1 <= line <= 6:
            yield ("rolled", sector), "expected a whole number from 1 to 6"
    for n, mark in enumerate(laid.spent):
        what, _, name = mark.partition(":")
        if what == "gone" and name not in world.cards:
            yield ("spent", n), unknown("card", name, world.cards)
        elif what != "gone" and name not in world.sectors:
            yield ("spent", n), unknown("Sector", name, world.sectors)
    once: Counter[str] = Counter()
    for seat, at in enumerate(laid.units):
        for path, message in _unit_faults(world, at, laid.phase, once):
            yield (f"U{seat + 1}", *path), message
    for place in STOCK:
        for n, card in enumerate(getattr(laid, place) or ()):
            if card not in world.cards:
                yield (place, n), unknown("card", card, world.cards)
            else:
                once[card] += 1
                if once[card] > 1:
                    yield (place, n), f"the {world.cards[card].name} is there twice"


def _unit_faults(world: World, at: UnitAt, phase: str, once: Counter[str]) -> Iterator[tuple[Path, str]]:
    if at.sector and at.sector not in world.sectors:
        yield ("sector",), unknown("Sector", at.sector, world.sectors)
    for n, sector in enumerate(at.visited):
        if sector not in world.sectors:
            yield ("visited", n), unknown("Sector", sector, world.sectors)
    if at.visited and at.visited[-1] != at.sector:
        yield ("visited",), f"the last one is not the Sector where the Unit stands ({at.sector or 'the start'})"
    if at.marker not in MARKERS[1:]:
        yield ("marker",), unknown("side of the marker", at.marker, MARKERS[1:])
    if at.status not in STATUS[:LOST]:
        yield ("status",), f"expected {' or '.join(STATUS[:LOST])}, got {at.status!r}"
    for name in ("combats", *RESOURCES):
        if getattr(at, name) < 0:
            yield (name,), "expected a whole number from 0"
    if not at.soldiers and not any(card in world.cards and world.cards[card].is_specialist for card in at.cards):
        yield ("soldiers",), "a Unit without Soldiers and Specialists is lost already"
    own: Counter[str] = Counter()
    for place in ("cards", "hand", "dead"):
        for n, card in enumerate(getattr(at, place) or ()):
            if card not in world.cards:
                yield (place, n), unknown("card", card, world.cards)
                continue
            kind = world.cards[card].kind
            if place != "cards" and not world.cards[card].is_specialist:
                yield (place, n), f"the {world.cards[card].name} is no Specialist"
            count = own if kind in ("regular-specialist", "reserve-specialist") else once
            count[card] += 1
            if count[card] > 1:
                yield (place, n), f"the {world.cards[card].name} is there twice"
    for name in ("dice", "kept", "spare"):
        try:
            lay_dice(getattr(at, name))
        except BeachheadError as error:
            yield (name,), str(error)
    if at.dice and phase == "roll":
        yield ("dice",), f"no dice lie on the table when the roll phase begins: write phase = {TALLY!r} or a later one"
    if at.cancelled not in MASK:
        yield ("cancelled",), f"{at.cancelled!r} is no set of dice: expected such as R1,W2"
    for n, text in enumerate(at.added):
        try:
            result(text)
        except BeachheadError as error:
            yield ("added", n), str(error)
