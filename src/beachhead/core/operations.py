"""Operations: the one path that every change to a game walks, so that cards can stand in its way.

    propose -> forbid -> replace -> react -> commit -> trigger

forbid    a rule or card says no: nothing happens but an event that cites it
replace   an ability changes what is about to happen; each at most once, then it is looked at again
react     an ability does something before it happens (a die is turned, Courage is spent to save Soldiers)
commit    it happens; only here does the state change
trigger   abilities that wait for it do their own operations

An operation under way is a frame, `("op", stage, operation, seen)`, so a question may be asked at any stage. Where
nobody listens an operation is committed at once. Code that has something to do afterwards pushes that first and
proposes last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from .errors import Reason
from .machine import Frame, State

S = TypeVar("S", bound=State)

Op = tuple[Any, ...]
"""`(name, seat, arguments, source, rule)`: plain data. `seat` is whom it happens to."""
Ref = tuple[Any, ...]
"""Which ability of which card of which seat; plain data, made and understood by the game."""

FORBID, REPLACE, REACT, COMMIT, TRIGGER = range(5)


class Path(NamedTuple, Generic[S]):
    """What a game lends to the path. `listens` must be quick; the rest is asked only where it says yes."""

    commits: Mapping[str, Callable[[S, int, Op], None]]
    listens: Callable[[S, Op], bool]
    forbids: Callable[[S, Op], Sequence[Reason]]
    listeners: Callable[[S, int, Op], Sequence[Ref]]
    engage: Callable[[S, int, int, Op, Ref], None]
    """Let one ability act on the operation, which lies on top of the lane: change it there, or push a question above
    it.
    """


def propose(path: Path[S], g: S, lane: int, op: Op) -> None:
    if path.listens(g, op):
        g.push(lane, ("op", FORBID, op, ()))
    else:
        path.commits[op[0]](g, lane, op)


def walk(path: Path[S], g: S, lane: int, frame: Frame) -> None:
    """One step of an operation under way; the frame was taken off the lane."""
    _, stage, op, seen = frame
    if stage == FORBID:
        reasons = path.forbids(g, op)
        if reasons:
            for reason in reasons:
                g.tell("forbidden", op[1], {"what": op[0], "why": reason.text}, reason.rule, op[3])
            return
        stage = REPLACE
    while stage != COMMIT:
        for ref in path.listeners(g, stage, op):
            if ref not in seen:
                g.push(lane, ("op", stage, op, (*seen, ref)))
                path.engage(g, lane, stage, op, ref)
                return
        if stage == TRIGGER:
            return
        stage += 1
    g.push(lane, ("op", TRIGGER, op, ()))
    path.commits[op[0]](g, lane, op)


def change(g: State, lane: int, op: Op) -> None:
    """Put this operation in the place of the one on top of the lane."""
    stack = g.main if lane < 0 else g.lanes[lane]
    _, stage, _, seen = stack.pop()
    stack.append(("op", stage, op, seen))


def call_off(g: State, lane: int) -> None:
    """The operation on top of the lane does not happen."""
    (g.main if lane < 0 else g.lanes[lane]).pop()
