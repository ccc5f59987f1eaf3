"""The machine that runs a game: pending work as plain data, questions, rolls and events.

Work that is still to be done lies on stacks of *frames*: tuples of plain data whose first part names their kind.
There is one main stack and one *lane* per seat. Lanes run side by side: while any lane holds a frame the main stack
waits, so a phase in which all seats act at once is a frame on the main stack that fills the lanes. A frame is of one
of three kinds, by its name:

    a step    runs at once and may push further frames
    a roll    waits for the outcome of a chance request
    an ask    waits for the answer of the lane's seat (asks lie on lanes only)

and a frame of none of these kinds waits until another lane takes it away (an offer that waits for consent).
Everything is in the state, so clone, save, undo and reconnect work in the middle of any question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic, NamedTuple, TypeVar

from .errors import Illegal, Invalid, Reason, Stale
from .node import Answer, Ask, Decision, Event, Kind, Node, Outcome, Over, Roll
from .plain import Plain, cloner, dump

_tuple = tuple.__new__
Frame = tuple[Any, ...]
MAIN = -1
"""The main stack, where a seat number is expected."""

MOMENT = {"transient": True}
"""Marks fields that belong to one call of `apply` only."""

NOTHING: tuple[int, Frame, tuple[str, ...]] = (MAIN, (), ())

Refusals = Mapping[str, tuple[Reason, ...]]


@dataclass(slots=True)
class State:
    """What every game's state holds. Games add their fields in a subclass, also a `@dataclass(slots=True)`."""

    main: list[Frame] = field(default_factory=list)
    lanes: list[list[Frame]] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)
    """Per seat: how many questions were put to it; the number of its open question."""
    drawn: dict[str, int] = field(default_factory=dict)
    """Per stream: how many rolls were asked for."""
    told: int = 0
    """How many events there were."""
    over: tuple[Any, ...] = ()
    log: list[Event] | None = field(default=None, compare=False, metadata=MOMENT)
    cause: str = field(default="", compare=False, metadata=MOMENT)
    cache: Node | None = field(default=None, compare=False, metadata=MOMENT)
    roller: int = field(default=-1, compare=False, metadata=MOMENT)
    """The lane on which the roll lies that the game waits for, with `cache`."""
    awake: int = field(default=0, compare=False, metadata=MOMENT)
    """Lanes that may have steps to run, as bits; all others are known to wait."""
    ready: tuple[int, Frame, tuple[str, ...]] = field(default=NOTHING, compare=False, metadata=MOMENT)
    """Seat, frame and keys of a question that the last step has put; see `ask`."""

    def push(self, seat: int, frame: Frame) -> None:
        """Put work on top of a lane, or of the main stack."""
        if seat < 0:
            self.main.append(frame)
        else:
            self.lanes[seat].append(frame)
            self.awake |= 1 << seat

    def ask(self, seat: int, frame: Frame, keys: tuple[str, ...]) -> None:
        """Put a question whose keys are known already. Only for the last act of a step or answer: what changes the
        state afterwards could change the keys.
        """
        self.push(seat, frame)
        self.ready = seat, frame, keys

    def interrupt(self, seat: int, frame: Frame) -> None:
        """Put a question on top of whatever that seat is at; answers to the one below are stale now."""
        self.push(seat, frame)
        self.asked[seat] += 1

    def release(self, seat: int, frame: Frame) -> None:
        """Take away a frame that waits on that lane, wherever it lies; what is below goes on."""
        self.lanes[seat].remove(frame)
        self.awake |= 1 << seat

    def tell(
        self,
        type: str,
        seat: int,
        data: dict[str, Any],
        rule: str,
        source: str = "",
        audience: tuple[int, ...] | None = None,
    ) -> None:
        """Something happened."""
        if self.log is not None:
            # Event(...) in a quicker form: this runs for everything that happens
            self.log.append(_tuple(Event, (self.told, type, seat, data, rule, self.cause, source, audience)))
        self.told += 1

    def finish(self, over: Over) -> None:
        """The game is over: nothing is pending any more."""
        self.over = tuple(over)
        self.main.clear()
        for lane in self.lanes:
            lane.clear()


S = TypeVar("S", bound=State)


class Question(NamedTuple, Generic[S]):
    """How a kind of ask is asked and answered.

    `keys` gives the legal keys, at least one; `answer` carries out a legal key, after the frame was taken off the lane.
    `refusals` gives keys that look possible but are not legal, each with every reason.
    `rule` is the register id (or one per edition, chosen by `cite`); `name` tells doors which prompt to show.
    `lapse` is for questions whose keys may all vanish by what other seats do: then the frame is taken off the lane, and
    this says what comes of that. A question without it has at least one key whatever the others do.
    """

    kind: Kind
    keys: Callable[[S, int, Frame], tuple[str, ...]]
    answer: Callable[[S, int, Frame, str], None]
    rule: Callable[[S, int, Frame], str]
    refusals: Callable[[S, int, Frame], Refusals] | None = None
    source: Callable[[S, int, Frame], str] | None = None
    lapse: Callable[[S, int, Frame], None] | None = None


class Throw(NamedTuple, Generic[S]):
    """How a kind of roll is requested, and what its outcome does after the frame was taken off."""

    request: Callable[[S, int, Frame], Roll]
    outcome: Callable[[S, int, Frame, Outcome], None]


class Machine(Generic[S]):
    """A game: its tables of frames, and the calls that all guests use.

    Contract. `node` changes nothing. `apply` either raises and changes nothing, or carries the answer out, runs
    every step that needs neither seat nor chance, and returns the events. After `apply` the node is an Ask with at
    least one legal key per open seat, a Roll, or Over. A clone shares nothing that changes.
    """

    def __init__(
        self,
        name: str,
        state: type[S],
        steps: Mapping[str, Callable[[S, int, Frame], None]],
        questions: Mapping[str, Question[S]],
        throws: Mapping[str, Throw[S]],
        view: Callable[[S, int | None], dict[str, Plain]],
        reveals: frozenset[str] = frozenset(),
    ) -> None:
        self.name = name
        self.state = state
        self.steps = steps
        self.questions = questions
        self.throws = throws
        self.lapsing = frozenset(name for name, question in questions.items() if question.lapse)
        self.reveals = reveals
        """Types of events that bring hidden things to light: undo stops there, as it does at rolls."""
        self._view = view
        self.clone: Callable[[S], S] = cloner(state)  # type: ignore[arg-type]

    # ---- the three calls

    def node(self, g: S) -> Node:
        found = g.cache
        if found is None:
            found = g.cache = self._node(g)
        return found

    def _node(self, g: S) -> Node:
        if g.over:
            return Over(*g.over)
        seats: tuple[int, ...] = ()
        questions, throws = self.questions, self.throws
        for seat, lane in enumerate(g.lanes):
            if lane:
                kind = lane[-1][0]
                if kind in questions:
                    seats += (seat,)
                elif kind in throws:
                    g.roller = seat
                    return throws[kind].request(g, seat, lane[-1])
        if seats:
            return Ask(seats, self._decision, g)
        frame = g.main[-1]
        g.roller = MAIN
        return throws[frame[0]].request(g, MAIN, frame)

    def _decision(self, g: S, seat: int) -> Decision:
        frame = g.lanes[seat][-1]
        name = frame[0]
        kind, keys, _, rule, _, source, _ = self.questions[name]
        whence = source(g, seat, frame) if source else ""
        whom, what, legal = g.ready
        if whom != seat or what is not frame:
            legal = keys(g, seat, frame)
        # Decision(...) in a quicker form: this runs for every question that somebody looks at
        return _tuple(Decision, (seat, g.asked[seat], kind, name, legal, rule(g, seat, frame), whence))

    def apply(self, g: S, given: Answer | Outcome, quiet: bool = False) -> list[Event]:
        """Carry it out and tell what happened. `quiet` leaves the telling out, for those who only want to get on."""
        node = g.cache or self._node(g)
        log: list[Event] = []
        if isinstance(given, Answer):
            seat, seq, key, _ = given
            if type(node) is not Ask or seat not in node.seats or seq != g.asked[seat]:
                raise self._misplaced(g, node, given)
            if key not in node.decision(seat).keys:
                raise self._refused(g, node.decision(seat), key)
            frame = g.lanes[seat].pop()
            g.asked[seat] += 1
            g.awake = 1 << seat
            g.ready = NOTHING
            if quiet:
                g.log = None
            else:
                g.log, g.cause = log, f"answer:{seat}:{seq}"
            self.questions[frame[0]].answer(g, seat, frame, key)
        else:
            if type(node) is not Roll:
                raise Invalid(f"an outcome was given, but {_waiting_for(node)}")
            if not node.accepts(given):
                raise Invalid(
                    f"{given!r} is no outcome of the roll {node.stream}:{node.number}: expected {node.expected()}"
                )
            seat = g.roller
            frame = (g.main if seat < 0 else g.lanes[seat]).pop()
            g.drawn[node.stream] = node.number + 1
            g.awake = 1 << seat if seat >= 0 else 0
            g.ready = NOTHING
            if quiet:
                g.log = None
            else:
                g.log, g.cause = log, f"roll:{node.stream}:{node.number}"
            self.throws[frame[0]].outcome(g, seat, frame, given)
        self._settle(g)
        return log

    def view(self, g: S, seat: int | None = None) -> dict[str, Plain]:
        """What that seat may see (None: a spectator), as plain data, with the open questions it may know of."""
        seen = self._view(g, seat)
        node = g.cache or self.node(g)
        if type(node) is Ask:
            seats = node.seats
            seen["waiting_for"] = [*seats]
            if seat in seats:
                seen["decision"] = node.decision(seat).plain()
        return seen

    # ---- beside the calls

    def refusals(self, g: S, seat: int) -> Refusals:
        """Keys that look possible to this seat now but are not legal, each with every rule in the way."""
        node = self.node(g)
        if type(node) is not Ask or seat not in node.seats:
            return {}
        frame = g.lanes[seat][-1]
        refusals = self.questions[frame[0]].refusals
        return refusals(g, seat, frame) if refusals else {}

    def start(self, g: S) -> list[Event]:
        """Run a newly set-up state to its first question."""
        g.cause = "setup"
        g.awake = (1 << len(g.lanes)) - 1
        log: list[Event] = []
        g.log = log
        self._settle(g)
        return log

    def dump(self, g: S) -> dict[str, Plain]:
        return dump(g)  # type: ignore[no-any-return]

    # ---- inside

    def _misplaced(self, g: S, node: Node, given: Answer) -> Invalid | Stale:
        """Why there is no question that this answer could be for."""
        seat, seq = given.seat, given.seq
        if type(node) is not Ask:
            return Invalid(f"seat {seat} gave an answer, but {_waiting_for(node)}")
        if seat not in node.seats:
            if 0 <= seat < len(g.asked) and seq < g.asked[seat]:
                return Stale(f"seat {seat} has answered question {seq} already; it has no open one")
            return Invalid(f"seat {seat} has no open question; waiting for seat {_join(node.seats)}")
        if seq < g.asked[seat]:
            return Stale(f"that answer is for question {seq} of seat {seat}; the open one is {g.asked[seat]}")
        return Invalid(f"seat {seat} has not been asked question {seq} yet; the open one is {g.asked[seat]}")

    def _refused(self, g: S, decision: Decision, key: str) -> Illegal | Invalid:
        """Why this key is no answer to the question."""
        reasons = self.refusals(g, decision.seat).get(key)
        if reasons:
            return Illegal(key, reasons)
        return Invalid(
            f"{key!r} is no answer to the question {decision.name!r}: expected one of {_some(decision.keys)}"
        )

    def _settle(self, g: S) -> None:
        """Run steps until every lane, or else the main stack, waits for a seat or for chance."""
        g.cache = None
        step_of = self.steps.get
        lanes, main = g.lanes, g.main
        while True:
            while awake := g.awake:
                for seat in _seats(awake):
                    lane = lanes[seat]
                    while lane and (step := step_of(lane[-1][0])):
                        g.ready = NOTHING
                        step(g, seat, lane.pop())
                    g.awake &= ~(1 << seat)
            if any(lanes) or not main or not (step := step_of(main[-1][0])):
                if self.lapsing and len(lanes) > 1 and self._lapsed(g):
                    continue
                break
            g.ready = NOTHING
            step(g, MAIN, main.pop())
        g.log = None

    def _lapsed(self, g: S) -> bool:
        """Take away a question to which there is no answer any more, if there is one."""
        for seat, lane in enumerate(g.lanes):
            if lane and lane[-1][0] in self.lapsing:
                question = self.questions[lane[-1][0]]
                if not question.keys(g, seat, lane[-1]):
                    frame = lane.pop()
                    g.asked[seat] += 1
                    g.awake |= 1 << seat
                    g.ready = NOTHING
                    if question.lapse:
                        question.lapse(g, seat, frame)
                    return True
        return False


@cache
def _seats(bits: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(bits.bit_length()) if bits >> seat & 1)


def _waiting_for(node: Node) -> str:
    if isinstance(node, Over):
        return f"the game is over ({node.cause})"
    if isinstance(node, Roll):
        return f"the game waits for the roll {node.stream}:{node.number}"
    return f"the game waits for seat {_join(node.seats)}"


def _join(seats: tuple[int, ...]) -> str:
    return " and ".join(str(seat) for seat in seats)


def _some(keys: tuple[str, ...], most: int = 12) -> str:
    shown = ", ".join(keys[:most])
    return f"{shown} and {len(keys) - most} more" if len(keys) > most else shown
