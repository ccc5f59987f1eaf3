"""The adviser: how good every answer to a question is, and after the game what its choices cost.

    advise(decision, view, state=clone)       # every answer with the probability to win, best first
    review(record)                            # start, result, luck against skill, the costliest choices
    for _ in warm(view(), clone): ...         # so that the next answers about dice do not have to wait

Where the whole game is solved (`solve.store`) the probabilities are exact. Else dice are judged by the exact turn over
learned values (`bots.values`), moves and purchases by those values, and everything else by letting the engine play on
to the next question that can be judged so. Where nothing was learned, whole games are played out.

An adviser sees what its seat sees. `state` is a clone of the game: in a landing all hands are open, and no state knows
dice to come. This module is quick to import; what needs numpy is loaded when advice is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, cast

from ..bots import View
from ..core.machine import State
from ..core.node import Decision
from ..core.plain import Plain
from ..core.record import Record

HOW = ("exact", "in-turn", "no-medals", "learned", "sampled")
"""How advice may come about."""
LIMIT = 2.0
"""Seconds for advice that takes thinking; dice take none."""


class Option(NamedTuple):
    """One answer."""

    key: str
    value: float
    """The probability that the side wins if this is chosen now and play goes on well."""
    low: float
    high: float
    """Within these it lies, as far as is known; both are the value where it is exact."""
    gives: tuple[tuple[str, float], ...] = ()
    """What it brings this turn on average: ("soldiers", 5.97), ("stars", 0.4) ..."""


class Advice(NamedTuple):
    """What there is to say about a question."""

    seat: int
    seq: int
    question: str
    how: str
    """exact: the whole game is solved; in-turn: it is, if soldiers of Express! who still roll do so one after another;
    no-medals: it is, but for the Medals of Battle!; learned: by values learned from games; sampled: by games played
    out now.
    """
    games: int
    """How many were played out for each answer, at least."""
    options: tuple[Option, ...]
    """Every answer, best first."""
    why: tuple[str, ...]
    """Sentences in the language that is spoken."""


class Costly(NamedTuple):
    """A choice that cost something."""

    entry: int
    """The number of the answer among the entries of the record, from 0."""
    seat: int
    turn: int
    question: str
    chosen: Option
    best: Option
    words: tuple[str, str]
    """What was chosen and what would have been better, in the language that is spoken."""

    @property
    def cost(self) -> float:
        return self.best.value - self.chosen.value


class Side(NamedTuple):
    """What a finished game came to for somebody."""

    start: float
    """The probability to win before the first roll."""
    result: float
    """1 for a game that was won, 0 for one that was lost."""
    luck: float
    """What dice and draws gave or took: result - start + what was lost by own choices, less what another lost by
    theirs. Where there are several others, what they did is in it.
    """


class Review(NamedTuple):
    """What a finished game came to, to all who win and lose together; in a contest to the first seat."""

    start: float
    result: float
    skill: tuple[float, ...]
    """Per seat: how much its choices lost."""
    luck: float
    costly: tuple[Costly, ...]
    """The costliest choices."""
    judged: int
    """How many choices were judged."""
    how: str
    sides: tuple[Side, ...] = ()
    """In a contest: one per seat."""


def speaks(seen: dict[str, Plain]) -> bool:
    """Whether the adviser knows this game: all but Battle! alone, which nobody can lose."""
    return seen["game"] != "battle" or len(cast("list[Plain]", seen["players"])) > 1


def advise(decision: Decision, view: View, limit: float = LIMIT, state: State | None = None) -> Advice | None:
    """Every answer to this question with its worth; None where there is nothing to choose or to say."""
    from .engine import advise as found

    return found(decision, view, limit, state)


def warm(seen: dict[str, Plain], state: State | None = None, seats: Iterable[int] | None = None) -> Iterator[None]:
    """Work out what dice answers of these seats, or of all, would have to wait for, now and next turn. Each step of it
    takes less time than a person notices; between two of them others may be served. `seen`: what spectators see.
    """
    from .beforehand import steps

    units = cast("list[Plain]", seen.get("units", ()))
    return steps(seen, state, range(len(units)) if seats is None else seats)


def review(record: Record, tick: Callable[[int, int], object] = lambda done, total: None) -> Review:
    """Judge every choice of a finished game. `tick` hears how many entries of how many are done."""
    from .after import review as found

    return found(record, tick)
