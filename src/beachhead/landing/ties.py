"""Two Units want the same thing: the one with the fewest Soldiers goes first (F-TIE-01, S-TIE-01).

Seats act in any order. When one takes a thing that there is only once, and another that has not passed could take
the very same thing now and is no stronger, that other is asked first: it lets go, or claims it. Between equals the
dice decide.
"""

from __future__ import annotations

from ..core.machine import Frame, Question
from ..core.node import Outcome, Roll
from .questions import strength
from .state import Landing

QUESTIONS: dict[str, Question[Landing]] = {}
"""The game's questions (filled by `game`): a settled dispute answers one of them."""


DISPUTED = ("acquire", "move", "award", "award-here", "find-extra", "rally-free")
"""Questions at which two seats may want the same thing."""


def contested(g: Landing, seat: int, frame: Frame, key: str) -> bool:
    """Does somebody have to be asked first? Then the asking is under way and the question `frame` is put back."""
    if frame[-1] == "settled":
        return False
    rival = _rival(g, seat, key, ())
    if rival is None:
        return False
    g.push(seat, frame)
    _ask(g, seat, key, rival, ())
    return True


def _rival(g: Landing, seat: int, key: str, let_go: tuple[int, ...]) -> int | None:
    """The weakest other seat that is no stronger, has not let go, and could take the same thing at its open
    question.
    """
    found: list[tuple[int, int]] = []
    mine = -1
    for other, lane in enumerate(g.lanes):
        if other == seat or other in let_go or not lane or lane[-1][0] not in DISPUTED:
            continue
        if mine < 0:
            mine = strength(g, seat)
        power = strength(g, other)
        if power <= mine and key in QUESTIONS[lane[-1][0]].keys(g, other, lane[-1]):
            found.append((power, other))
    return min(found)[1] if found else None


def _ask(g: Landing, seat: int, key: str, rival: int, let_go: tuple[int, ...]) -> None:
    g.push(seat, ("awaiting", rival))
    g.interrupt(rival, ("claim", seat, key, let_go))


def claim_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return ("yield", "claim")


def claim_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    _, first, wanted, let_go = frame
    g.release(first, ("awaiting", seat))
    if key == "claim":
        if strength(g, seat) < strength(g, first):
            _wins(g, seat, wanted)
        else:
            g.push(seat, ("roll-off", first, wanted))
        return
    let_go = (*let_go, seat)
    rival = _rival(g, first, wanted, let_go)
    if rival is None:
        _wins(g, first, wanted)
    else:
        _ask(g, first, wanted, rival, let_go)


def _wins(g: Landing, seat: int, key: str) -> None:
    """This seat's question, which lies open below whatever else it is asked, is answered with the key if that is
    still legal.
    """
    lane = g.lanes[seat]
    at = max(n for n, frame in enumerate(lane) if frame[0] in DISPUTED)
    question = QUESTIONS[lane[at][0]]
    if key in question.keys(g, seat, lane[at]):
        g.tell("priority", seat, {"what": key}, g.world.cite["tie"])
        above = lane[at + 1 :]
        frame = lane[at]
        del lane[at:]
        g.awake |= 1 << seat
        g.asked[seat] += 1
        question.answer(g, seat, (*frame, "settled"), key)
        lane.extend(above)


def roll_off_request(g: Landing, seat: int, frame: Frame) -> Roll:
    return Roll("tie", g.drawn.get("tie", 0), (1, 1), g.world.cite["tie"], low=1)


def roll_off_outcome(g: Landing, seat: int, frame: Frame, outcome: Outcome) -> None:
    _, first, wanted = frame
    mine, theirs = outcome
    g.tell("roll-off", seat, {"unit": first, "pips": (mine, theirs)}, g.world.cite["tie"])
    if mine == theirs:
        g.push(seat, frame)
    else:
        _wins(g, seat if int(mine) > int(theirs) else first, wanted)
