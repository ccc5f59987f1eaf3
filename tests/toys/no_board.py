"""Pig: a dice game with no board. Roll as long as you dare; a 1 loses what the turn brought. It ends in scores."""

from __future__ import annotations

from dataclasses import dataclass, field

from beachhead.core.errors import Reason
from beachhead.core.game import Setup
from beachhead.core.machine import Frame, Machine, Question, Refusals, State, Throw
from beachhead.core.node import Event, Outcome, Over, Roll
from beachhead.core.plain import Plain
from tests.toys import toy

ROLL, LOST, KEEP, END = "B-STEP2-01", "B-STEP6-06", "B-STEP7-03", "B-VICTORY-03"


@dataclass(slots=True)
class Pig(State):
    goal: int = 0
    turn: int = 0
    pot: int = 0
    """What this turn has brought so far."""
    scores: list[int] = field(default_factory=list)


def next_turn(g: Pig, lane: int, frame: Frame) -> None:
    g.push(g.turn, ("dare",))


def dare_keys(g: Pig, seat: int, frame: Frame) -> tuple[str, ...]:
    return ("roll", "stop") if g.pot else ("roll",)


def dare_refusals(g: Pig, seat: int, frame: Frame) -> Refusals:
    return {} if g.pot else {"stop": (Reason("this turn has brought nothing yet", KEEP),)}


def dare_answer(g: Pig, seat: int, frame: Frame, key: str) -> None:
    if key == "roll":
        g.push(seat, ("die",))
        return
    g.scores[seat] += g.pot
    g.tell("kept", seat, {"points": g.pot}, KEEP)
    g.pot = 0
    if g.scores[seat] >= g.goal:
        g.finish(Over(seat == 0, "goal", END, tuple(g.scores)))
    else:
        pass_on(g)


def die_request(g: Pig, seat: int, frame: Frame) -> Roll:
    stream = f"die:{seat}"
    return Roll(stream, g.drawn.get(stream, 0), (1,), ROLL, low=1)


def die_outcome(g: Pig, seat: int, frame: Frame, outcome: Outcome) -> None:
    pips = int(outcome[0])
    g.tell("rolled", seat, {"pips": pips}, ROLL)
    if pips > 1:
        g.pot += pips
        g.push(seat, ("dare",))
    else:
        g.tell("lost", seat, {"points": g.pot}, LOST)
        g.pot = 0
        pass_on(g)


def pass_on(g: Pig) -> None:
    g.turn = (g.turn + 1) % len(g.scores)
    g.push(-1, ("turn",))


def view(g: Pig, seat: int | None) -> dict[str, Plain]:
    return {"scores": list(g.scores), "turn": g.turn, "pot": g.pot, "goal": g.goal}


MACHINE = Machine(
    "pig",
    Pig,
    steps={"turn": next_turn},
    questions={"dare": Question("one", dare_keys, dare_answer, lambda g, seat, frame: ROLL, dare_refusals)},
    throws={"die": Throw(die_request, die_outcome)},
    view=view,
)


def new(setup: Setup) -> Pig:
    n = setup["seats"]
    return Pig(main=[("turn",)], lanes=[[] for _ in range(n)], asked=[0] * n, goal=setup["goal"], scores=[0] * n)


GAME = toy(MACHINE, new)


def counted(g: Pig) -> dict[str, Plain]:
    return {"scores": g.scores, "pot": g.pot}


def ledger(events: list[Event]) -> dict[str, Plain]:
    """The same numbers, told by the events alone."""
    scores, pot = [0] * 2, 0
    for event in events:
        if event.type == "kept":
            scores[event.seat] += event.data["points"]
            pot = 0
        elif event.type == "lost":
            pot = 0
        elif event.data["pips"] > 1:
            pot += event.data["pips"]
    return {"scores": scores, "pot": pot}
