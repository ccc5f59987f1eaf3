"""Two Units want the same thing: the one with the fewest Soldiers goes first (F-TIE-01, S-TIE-01).

Seats act in any order. When one takes a thing that there is only once, and others that have not passed could take the
very same thing now and are no stronger, they are asked first, the weakest before the others: each lets go, or claims
it. The weakest of all who want it gets it; between equals the dice decide. Who wants it while others are still asked
waits until that is settled.
"""

from __future__ import annotations

from collections.abc import Callable

from ..core.machine import Frame, Question
from ..core.node import Outcome, Roll
from .questions import strength
from .state import Landing

QUESTIONS: dict[str, Question[Landing]] = {}
"""The game's questions (filled by `game`): a settled dispute answers one of them."""

WANTS: dict[str, Callable[[Landing, int, str], bool]] = {}
"""What a key begins with -> does this seat want, by that key, what there is only once? Who does not is not asked."""

Seats = tuple[int, ...]

DISPUTED = ("acquire", "move", "award", "award-here", "find-extra", "rally-free")
"""Questions at which two seats may want the same thing."""

OPENINGS = {"acquire-open": "acquire", "move-open": "move"}
"""Steps that ask such a question again, once what lies above them is done."""

HELD = "held"
"""The frame of a seat that wants what others are being asked about."""


def contested(g: Landing, seat: int, frame: Frame, key: str) -> bool:
    """Does somebody have to be asked first? Then the asking is under way and the question `frame` is put back."""
    if frame[-1] == "settled":
        return False
    if any(one[0] == "claim" and one[2] == key for lane in g.lanes for one in lane):
        g.push(seat, frame)
        g.push(seat, (HELD, key))
        return True
    rival = _rival(g, key, (seat,), strength(g, seat))
    if rival is None:
        return False
    g.push(seat, frame)
    _ask(g, seat, key, rival, ())
    return True


def _rival(g: Landing, key: str, heard: Seats, most: int) -> int | None:
    """The weakest seat that has not been heard, is no stronger than that, and could take the same thing at its open
    question.
    """
    found: list[tuple[int, int]] = []
    for other, lane in enumerate(g.lanes):
        frame = _choosing(g, other, lane) if lane and other not in heard else None
        if frame is None:
            continue
        power, wants = strength(g, other), WANTS.get(key.partition(":")[0])
        if power <= most and (not wants or wants(g, other, key)) and key in QUESTIONS[frame[0]].keys(g, other, frame):
            found.append((power, other))
    return min(found)[1] if found else None


def _choosing(g: Landing, seat: int, lane: list[Frame]) -> Frame | None:
    """The question at which this seat may want things, also if it is making up or awaiting a trade meanwhile."""
    for frame in reversed(lane):
        if frame[0] in DISPUTED:
            return frame
        if frame[0] in OPENINGS:
            return (OPENINGS[frame[0]],)
        deals = frame[0] == "awaiting" and any(one[:2] == ("consent", seat) for one in g.lanes[frame[1]])
        if not deals and frame[0] not in ("offer", "consent"):
            return None
    return None


def _ask(g: Landing, seat: int, key: str, rival: int, let_go: Seats) -> None:
    g.push(seat, ("awaiting", rival))
    g.interrupt(rival, ("claim", seat, key, let_go))


def claim_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return ("yield", "claim")


def claim_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    _, first, wanted, let_go = frame
    g.release(first, ("awaiting", seat))
    if key == "claim":
        g.push(seat, (HELD, wanted))
    else:
        let_go = (*let_go, seat)
    held = [other for other, lane in enumerate(g.lanes) if (HELD, wanted) in lane]
    wants = (*held, first)
    least = min(strength(g, one) for one in wants)
    rival = _rival(g, wanted, (*wants, *let_go), least)
    if rival is not None:
        _ask(g, first, wanted, rival, let_go)
        return
    for other in held:
        g.release(other, (HELD, wanted))
    _decide(g, first, wanted, tuple(one for one in wants if strength(g, one) == least))


def _decide(g: Landing, lane: int, key: str, equals: Seats) -> None:
    if len(equals) == 1:
        _wins(g, equals[0], key)
    else:
        g.push(lane, ("roll-off", equals, key))


def _wins(g: Landing, seat: int, key: str) -> None:
    """This seat's question, which lies open below whatever else it is asked, is answered with the key if that is
    still legal.
    """
    lane = g.lanes[seat]
    at = max(n for n, frame in enumerate(lane) if frame[0] in DISPUTED or frame[0] in OPENINGS)
    frame = lane[at] if lane[at][0] in DISPUTED else (OPENINGS[lane[at][0]],)
    question = QUESTIONS[frame[0]]
    if key in question.keys(g, seat, frame):
        g.tell("priority", seat, {"what": key}, g.world.cite["tie"])
        above = lane[at + 1 :]
        del lane[at:]
        g.awake |= 1 << seat
        g.asked[seat] += 1
        question.answer(g, seat, (*frame, "settled"), key)
        draws = [lane.pop()] if lane and lane[-1][0] == "draw-award" else []  # at once, before another takes the last
        lane.extend(above + draws)


def roll_off_request(g: Landing, seat: int, frame: Frame) -> Roll:
    return Roll("tie", g.drawn.get("tie", 0), (1,) * len(frame[1]), g.world.cite["tie"], low=1)


def roll_off_outcome(g: Landing, seat: int, frame: Frame, outcome: Outcome) -> None:
    """The highest wins; those who share it roll again."""
    _, equals, wanted = frame
    g.tell("roll-off", equals[0], {"units": equals, "pips": outcome}, g.world.cite["tie"])
    highest = max(map(int, outcome))
    _decide(g, seat, wanted, tuple(one for one, pips in zip(equals, outcome, strict=True) if pips == highest))
