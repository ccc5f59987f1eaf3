"""The state of a landing: Units, the common stock of cards, and the turn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..content.schema import Sector
from ..core.machine import State
from .dice import HOME, NO_FACE
from .world import World

CHEVRON1, CHEVRON2, CHEVRON3, ARROW, TWO_ARROWS, SHIELD = range(1, 7)
MARKERS = ("", "1 chevron", "2 chevrons", "3 chevrons", "must move", "Battle Cry", "can't stay")
"""The faces of the Unit marker (F-MARKER-01)."""

UNROLLED = (NO_FACE,) * 6
RESOURCES = ("soldiers", "stars", "courage", "points")
ON_MAP, SAFE, LOST = range(3)

Effect = tuple[str, str, int, str, str, str, str]
"""`(question, mode, value, scope, target, until, source)`: a changed answer that lasts. The target is a seat, a
Sector or a line.
"""


@dataclass(slots=True)
class Unit:
    """One player's force."""

    nation: str
    sector: str
    marker: int = CHEVRON1
    combats: int = 0
    """Combats fought in the present Sector."""
    visited: tuple[str, ...] = ()
    status: int = ON_MAP
    soldiers: int = 0
    stars: int = 0
    courage: int = 0
    points: int = 0
    hand: tuple[str, ...] = ()
    """Specialists of its own that it may still rally."""
    specialists: tuple[str, ...] = ()
    dead: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    """Items and Vehicles."""
    awards: tuple[str, ...] = ()
    won_awards: int = 0
    faces: tuple[int, ...] = UNROLLED
    colours: tuple[int, ...] = HOME
    locked: int = 0
    out: int = 0
    """Dice that were cancelled this turn."""
    added: tuple[tuple[int, int], ...] = ()
    """Results beside the dice, as (face, colour)."""
    rwbs: tuple[int, ...] = ()
    """Per face: RWB bonuses obtained from this tally; empty before Phase 2 has counted them."""
    kept: tuple[tuple[int, int], ...] = ()
    """A photographed tally, used next turn."""
    spare: tuple[tuple[int, int], ...] = ()
    """The solitaire Lieutenant's dice."""
    due: tuple[tuple[Any, ...], ...] = ()
    """Finds that wait until this tally's Item Points are recorded, each as (reference, number of the op)."""
    done: tuple[str, ...] = ()
    """What this Unit has done this turn: `rally`, `find`, `award`, `move`, and abilities used."""

    @property
    def on_map(self) -> bool:
        return self.status == ON_MAP


@dataclass(slots=True)
class Landing(State):
    """A game of D-Day Dice, first or second edition. `world` is what does not change: setup, map and cards."""

    world: World = field(default=None, compare=False, kw_only=True)  # type: ignore[assignment]
    turn: int = 0
    phase: str = ""
    units: list[Unit] = field(default_factory=list)
    pool: tuple[str, ...] = ()
    """Cards that any Unit may rally or find."""
    box: tuple[str, ...] = ()
    """Special Items that the map does not list and Vehicles: out of reach but for cards that say so."""
    lying: tuple[str, ...] = ()
    """Items that lie in Sectors; the first Unit that enters gets them."""
    used: tuple[str, ...] = ()
    """Items, Vehicles and Awards that are used up."""
    deck: tuple[str, ...] = ()
    """Awards that nobody has, in no order: a draw is a roll over them."""
    beside: dict[str, int] = field(default_factory=dict)
    """Per Bunker: Specialists of safe Units who lie beside it."""
    fire: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Per Sector: MGF dice of this turn."""
    rolled: dict[str, int] = field(default_factory=dict)
    """Per Sector with a table: the line that the first Unit there has rolled."""
    effects: tuple[Effect, ...] = ()
    mulligans: tuple[int, ...] = ()
    """Seats that have used their Soldier Mulligan."""
    before: tuple[int, ...] = ()
    """Per seat: Soldiers when the turn began, less those lost and traded away since, where A Few Good Men halves what
    is gained.
    """
    spent: tuple[str, ...] = ()
    """What there is once in a game and has been: `door:SECTOR`, `joins:SECTOR`, `award:SECTOR`, `spare:SEAT`,
    `conquered:BUNKER`, `held-UNIT:BUNKER`, `silent:SECTOR`, `gone:CARD`.
    """
    first: tuple[int, ...] = ()
    """Seats of the Units that conquered the Bunker in the first turn in which any did."""

    def at(self, sector: str) -> Sector:
        """What a Sector says: what is printed there, with what the die has added to it."""
        if self.rolled and sector in self.rolled:
            return self.world.results[sector][self.rolled[sector] - 1]
        return self.world.sectors[sector]

    def spend(self, mark: str) -> None:
        """From now on this has been."""
        if mark not in self.spent:
            self.spent = tuple(sorted((*self.spent, mark)))
