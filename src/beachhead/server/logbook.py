"""The log: what happened, in words, and what of it the screen animates."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from ..core.node import Event
from ..landing import text
from ..landing.dice import FACES
from ..landing.state import Landing
from ..say import say
from ..table.match import Match
from . import messages as m


class Told(NamedTuple):
    """How the events of a game are told."""

    turns: Callable[[Sequence[Event]], list[tuple[int, int]]]
    """From which event on which turn is played."""
    fx: Callable[[Event], dict[str, Any]]
    """What there is to animate."""


def lines(events: Sequence[Event], match: Match, told: Told, seats: Collection[int] = ()) -> list[m.Line]:
    """These events of the match as lines of the log, for a guest who plays these seats: what is meant for others only
    is left out, and so is what another event has said or will say.
    """
    everything = match.events
    turns = told.turns(everything)
    begins = [n for n, _ in turns]
    entered = {f"roll:{stream}:{number}" for stream, number in match.entered} if match.own_dice else set()
    found = []
    for event in events:
        if event.audience is not None and not set(event.audience).intersection(seats):
            continue
        if isinstance(match.state, Landing) and text.unchosen(match.state, event):
            continue
        if event.type in text.NAMED_DICE:
            said = text.narrate(event, _dice_before(everything, event))
        else:
            said = match.game.narrate(event)
        if not said:
            continue
        if event.cause in entered:
            entered.discard(event.cause)
            said = say("event.note", said=said, note=say("own-dice.note"))
        at = bisect_right(begins, event.n)
        turn = turns[at - 1][1] if at else 0
        found.append(m.Line(event.n, turn, said, event.rule, event.seat, event.type, told.fx(event)))
    return found


def _dice_before(events: Sequence[Event], event: Event) -> Event | None:
    """How the dice of this seat lay when the event happened."""
    for n in range(bisect_left(events, event.n, key=lambda one: one.n) - 1, -1, -1):
        if events[n].type == "turn":
            return None
        if events[n].type == "dice" and events[n].seat == event.seat:
            return events[n]
    return None


def _turns(events: Sequence[Event]) -> list[tuple[int, int]]:
    return [(event.n, event.data["turn"]) for event in events if event.type == "turn"]


def _fx(event: Event) -> dict[str, Any]:
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
LANDING = Told(_turns, _fx)
