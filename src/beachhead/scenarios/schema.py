"""What a scenario file may say. `docs/scenarios.md` shows each part; unknown keys are refused.

rules   ids of the register that the scenario shows
about   the rule in a sentence
given   the table: edition, map, phase, Units
when    what is rolled and answered, one line each (see `script`)
then    what holds afterwards
step    instead of when and then: several pairs of them, one after the other
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from ..content.library import EDITIONS
from ..content.schema import Card, Map
from ..landing.position import UnitAt

Edition = Literal["first", "second"]
UNITS = ("U1", "U2", "U3", "U4", "U5", "U6")
Value = str | int | bool | tuple[str | int | tuple[str | int, ...], ...]
Ids = str | tuple[str, ...]
"""Register ids. One of the first edition (F-) counts only there, one of the second (S-) only there."""


@dataclass(frozen=True, slots=True)
class Given:
    """The table before anything happens. What is not written is as at set-up; see `landing.position`."""

    edition: Edition | None
    editions: tuple[Edition, ...] = ()
    map: str = "n01-exercise-tiger"
    board: Map | None = None
    card: tuple[Card, ...] = ()
    modules: tuple[str, ...] = ()
    switches: dict[str, bool | str] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    level: str = ""
    turn: int = 1
    phase: str = "roll"
    until: str = ""
    pool: tuple[str, ...] | None = None
    box: tuple[str, ...] | None = None
    lying: tuple[str, ...] | None = None
    used: tuple[str, ...] | None = None
    deck: tuple[str, ...] | None = None
    beside: int | None = None
    rolled: dict[str, int] = field(default_factory=dict)
    spent: tuple[str, ...] = ()
    U1: UnitAt = UnitAt()  # noqa: RUF009 - it is frozen
    U2: UnitAt | None = None
    U3: UnitAt | None = None
    U4: UnitAt | None = None
    U5: UnitAt | None = None
    U6: UnitAt | None = None

    def check(self) -> Iterable[tuple[str, str]]:
        if bool(self.edition) == bool(self.editions):
            yield "", f'expected edition = "first", or editions = {list(EDITIONS)}'
        present = [name for name in UNITS if getattr(self, name)]
        if present != list(UNITS[: len(present)]):
            yield present[-1], f"expected Units without a gap: {', '.join(UNITS[: len(present)])}"

    @property
    def units(self) -> tuple[UnitAt, ...]:
        return tuple(unit for unit in (self.U1, self.U2, self.U3, self.U4, self.U5, self.U6) if unit)

    @property
    def plays(self) -> tuple[str, ...]:
        return (self.edition,) if self.edition else self.editions


@dataclass(frozen=True, slots=True)
class When:
    """After a table such as [given] a list cannot stand at the top of the file any more; `[when]` with `do` can."""

    do: tuple[str, ...]


Lines = tuple[str, ...] | When


@dataclass(frozen=True, slots=True)
class Some:
    """Part of a list: these are in it, those are not."""

    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()


List = tuple[str, ...] | Some
"""Exactly these, in any order; or `{ has = [...], lacks = [...] }`."""


@dataclass(frozen=True, slots=True)
class Why:
    """An answer of `landing.questions.why`; `from` lists all who changed the printed value: a card, or a rule id."""

    unit: str
    question: Literal["defence", "dice_to_lock", "dice_to_roll", "mgf_dice", "rally_cost", "find_cost", "advance_cost"]
    value: int
    sector: str = ""
    card: str = ""
    sources: tuple[str, ...] | None = field(default=None, metadata={"key": "from"})


@dataclass(frozen=True, slots=True)
class UnitThen:
    """What holds for a Unit; the names are those of `UnitAt`."""

    nation: str | None = None
    sector: str | None = None
    visited: tuple[str, ...] | None = None
    marker: str | None = None
    combats: int | None = None
    soldiers: int | None = None
    stars: int | None = None
    courage: int | None = None
    points: int | None = None
    cards: List | None = None
    hand: List | None = None
    dead: List | None = None
    dice: str | None = None
    cancelled: str | None = None
    added: List | None = None
    kept: str | None = None
    spare: str | None = None
    done: List | None = None
    status: Literal["on the map", "safe", "lost"] | None = None


@dataclass(frozen=True, slots=True)
class Then:
    """What holds after the lines of `when`. `events` occurred in this step, in this order; `never` did not occur."""

    turn: int | None = None
    phase: str | None = None
    asks: tuple[str, ...] | None = None
    over: str | Literal[False] | None = None
    won: bool | None = None
    scores: tuple[int, ...] | None = None
    legal: tuple[str, ...] = ()
    illegal: dict[str, Ids] = field(default_factory=dict)
    pool: List | None = None
    box: List | None = None
    lying: List | None = None
    used: List | None = None
    deck: List | None = None
    beside: int | None = None
    events: tuple[dict[str, Value], ...] = ()
    never: tuple[dict[str, Value], ...] = ()
    why: tuple[Why, ...] = ()
    U1: UnitThen | None = None
    U2: UnitThen | None = None
    U3: UnitThen | None = None
    U4: UnitThen | None = None
    U5: UnitThen | None = None
    U6: UnitThen | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """What happens, and what holds then."""

    when: Lines = ()
    then: Then = Then()


@dataclass(frozen=True, slots=True)
class ScenarioFile:
    """A whole file."""

    given: Given
    about: str = ""
    rules: tuple[str, ...] = ()
    when: Lines | None = None
    then: Then | None = None
    step: tuple[Step, ...] = ()

    def check(self) -> Iterable[tuple[str, str]]:
        if self.step and (self.when or self.then):
            yield "step", "expected either when and then, or [[step]] tables with a when and then of their own"
        if not self.step and self.then is None:
            yield "then", "missing; a scenario says what holds at its end"
