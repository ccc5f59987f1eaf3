"""What the players do about the game itself: take back beyond what was seen, bring back, and roll dice of their own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from ..core.node import Roll
from ..landing.own_dice import Thrown, colour
from ..say import capital, say
from ..table.hub import Guest
from ..table.match import Match, roll_name
from . import messages as m

AXIS = {"axis": "gray"}
"""Streams of dice that have a colour of their own."""
BLACK = {"K": "black"}
"""The Kommandant's die."""


def beyond(match: Match, seats: Sequence[int], passing: Collection[int], free: Collection[int]) -> dict[str, str]:
    """Per seat what it could take back if all agree, in words, for seats that cannot take it back freely."""
    found = {}
    for seat in seats:
        if seat not in free and (point := match.last_undo(seat, passing, agreed=True)):
            found[str(seat)] = capital(point.label)
    return found


def redo(match: Match, seats: Sequence[int]) -> dict[str, str]:
    """What could be brought back, in words, by the seat whose answer it was."""
    seat = match.redo_seat
    if seat is None or seat not in seats:
        return {}
    point = match.last_redo
    return {str(seat): capital(point.label)} if point else {}


def asked(guest: Guest) -> m.UndoAsked | None:
    """The open request to take something back, if there is one."""
    request = guest.table.request
    if request is None:
        return None
    point = guest.match.last_undo(request.seat, guest.table.bots, agreed=True)
    label = capital(point.label) if point else ""
    return m.UndoAsked(request.id, request.seat, label, sorted(request.wait), request.seat in guest.seats)


def may_enter(match: Match, passing: Collection[int]) -> list[int]:
    """The seats of persons that may enter the dice for which the match waits."""
    if match.waits_for is None:
        return []
    whose = match.roller
    if whose >= 0 and whose not in passing:
        return [whose]
    return [seat for seat in range(len(match.state.asked)) if seat not in passing]


def enter_now(match: Match, mine: Sequence[int], thrown: Callable[[Any, Roll, int], Thrown]) -> m.Enter | None:
    """The dice that are to be rolled on the table and entered; by the seats in `mine`, for this guest. `thrown` says
    which dice a roll wants.
    """
    roll = match.waits_for
    if roll is None:
        return None
    found = thrown(match.state, roll, match.roller)
    return m.Enter(
        roll=roll_name(roll),
        seat=match.roller,
        mine=list(mine),
        prompt=capital(found.prompt),
        rule=roll.rule,
        dice=[m.EnterDie(die, colour(die) or BLACK.get(die) or AXIS.get(roll.stream, "")) for die in found.dice],
        faces=[m.EnterFace(*face) for face in found.faces],
    )


def notes(match: Match) -> list[str]:
    """What is to be known of a result: what was taken back, what was not rolled here."""
    seen, entered = match.seen, len(match.entered)
    found = [say("match.seen", n=seen)] if seen else []
    return found + ([say("match.by-hand", n=entered)] if entered else [])
