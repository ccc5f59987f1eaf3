"""The screen of any game: what all games share, and in KINDS what each shows of itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from ..core.node import Ask, Decision, Event, Over, Roll
from ..landing import own_dice as landing_dice
from ..landing import words
from ..pocket import own_dice as pocket_dice
from ..pocket.text import player_name
from ..say import Name, capital, language
from ..table.match import Match
from . import asked, back, because, logbook, small
from . import messages as m
from . import screen as landed


class Kind(NamedTuple):
    """How a game is shown."""

    shown: Callable[[Match, Sequence[int]], m.Screen]
    """What lies on the table, for a guest who plays these seats."""
    ask: Callable[[Match, Decision, Mapping[int, str]], m.AskNow]
    ended: Callable[[Match, Over, list[str]], m.Ended]
    because: Callable[[Match, m.Why], m.Because]
    """Where a number comes from."""
    thrown: Callable[[Any, Roll, int], landing_dice.Thrown]
    """Dice that people roll themselves."""
    log: logbook.Told
    title: Callable[[Match], str]
    name: Callable[[int], Name]
    """What a seat is called."""


LANDING = Kind(
    landed.shown,
    asked.ask_now,
    landed.ended,
    because.because,
    landing_dice.thrown,
    logbook.LANDING,
    landed.title,
    words.unit_name,
)
SMALL = Kind(
    small.shown,
    small.ask,
    small.ended,
    small.because,
    pocket_dice.thrown,
    small.LOG,
    small.title,
    player_name,
)
KINDS = {"landing": LANDING, "battle": SMALL, "express": SMALL}


def kind_of(match: Match) -> Kind:
    return KINDS[match.game.machine.name]


def why(match: Match, asked: m.Why) -> m.Because:
    """Where a number on the screen comes from. Raises Invalid for what is no question here."""
    return kind_of(match).because(match, asked)


def title(match: Match) -> str:
    """What the game is called where nobody has given it a title."""
    return kind_of(match).title(match)


def screen(
    match: Match,
    seats: Sequence[int],
    passing: Collection[int] = (),
    enters: Sequence[int] = (),
    notes: Sequence[str] = (),
) -> m.Screen:
    """All that is to be seen by a guest who plays these seats (none: a spectator).

    `passing`: seats over whose answers undo goes back, those of bots. `enters`: seats as which this guest may enter
    dice, where the match waits for some. `notes`: what else is to be known of the result. What the players are called
    belongs to the context (`words.calling`), like the language.
    """
    kind, node = kind_of(match), match.node()
    undo = _undo(match, seats, passing)
    found = kind.shown(match, seats)
    found.asks = [kind.ask(match, decision, undo) for seat in seats if (decision := match.decision(seat))]
    found.waiting = list(node.seats) if isinstance(node, Ask) else back.may_enter(match, passing)
    if isinstance(node, Over):
        found.over = kind.ended(match, node, [*back.notes(match), *notes])
    found.seal = match.commitment
    found.undo = {str(seat): said for seat, said in undo.items()}
    found.beyond = back.beyond(match, seats, passing, undo)
    found.redo = back.redo(match, seats)
    found.enter = back.enter_now(match, enters, kind.thrown)
    return found


def keys(match: Match, seats: Sequence[int]) -> dict[str, tuple[int, list[str]]]:
    """The open questions of these seats: seat -> number of the question, and its keys."""
    found = [decision for seat in seats if (decision := match.decision(seat))]
    return {str(decision.seat): (decision.seq, list(decision.keys)) for decision in found}


def lines(events: Sequence[Event], match: Match, seats: Collection[int] = ()) -> list[m.Line]:
    """These events of the match as lines of the log, for a guest who plays these seats."""
    return logbook.lines(events, match, kind_of(match).log, seats)


_labels: WeakKeyDictionary[Match, tuple[object, dict[int, str]]] = WeakKeyDictionary()
"""Per match: the moment, and what undo would take back then, by seat."""


def _undo(match: Match, seats: Sequence[int], passing: Collection[int]) -> dict[int, str]:
    """Per seat the answer that undo would take back now, in words; seats without one are left out."""
    now = (match.n, language(), words.called(), tuple(passing))
    known = _labels.get(match)
    if known is None or known[0] != now:
        known = _labels[match] = now, {}
    for seat in seats:
        if seat not in known[1]:
            point = match.last_undo(seat, passing)
            known[1][seat] = capital(point.label) if point else ""
    return {seat: said for seat in seats if (said := known[1][seat])}
