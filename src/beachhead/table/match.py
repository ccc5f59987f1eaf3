"""A running game for people: who may answer, the dice that follow, the way back, and the record of it all.

A match knows its seed and keeps it to itself: it is in no text of the match and in no record, until the game is over or
saved. From then on that seed gives no new dice; a new one is sealed. What was rolled stays rolled: after an undo the
same dice come again.

Where the players have dice of their own, the match waits at every roll of common dice until they are entered. Cards are
drawn by the match all the same.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from .. import __version__
from ..core import chance, record
from ..core.errors import BeachheadError, Illegal, Invalid, Reason, SetupError, Stale
from ..core.game import Game, Setup
from ..core.machine import State
from ..core.node import Answer, Ask, Decision, Event, Node, Over, Roll
from ..core.plain import to_json
from ..core.record import (
    OWN,
    Answered,
    Course,
    Ended,
    Entry,
    Header,
    Record,
    Replay,
    Revealed,
    Rolled,
    Sealed,
    Seeds,
    Step,
    Undone,
    is_own,
)
from ..say import say


class UndoPoint(NamedTuple):
    """An answer (or dice that were entered) that may be taken back now: the number of its step, its seat, and the
    answer in plain words.
    """

    step: int
    seat: int
    label: str


class Match:
    """One game at one table. Between calls its node is an Ask or Over, or a Roll that waits for dice of the players:
    all other rolls are made as soon as they are asked for.

    `id` names the match to its guests; an answer that names another one is refused. Each Match object has its own.
    """

    def __init__(self, course: Course, record: Record, seeds: Seeds, ended: bool) -> None:
        """For `new` and `load`, which see to it that a seed is sealed."""
        self.id = secrets.token_hex(6)
        self._course = course
        self._record = record
        self._seeds = seeds
        self._ended = ended
        self._seen = 0
        self._undone: list[list[Step]] = []
        """What redo would bring back: the steps of each undo, the latest undo last."""

    @classmethod
    def new(
        cls, game: Game, setup: Setup, seed: str | None = None, practice: bool = False, own_dice: bool = False
    ) -> Match:
        """Set a game up and roll to its first question. In a practice game undo goes back as far as one likes.

        `own_dice`: the players roll dice on their table and enter them.
        """
        try:
            setup = json.loads(to_json(setup))
        except (TypeError, ValueError) as error:
            raise SetupError(f"the setup is not plain data: {error}") from None
        course = Course(game, setup)
        seed = chance.new_seed() if seed is None else seed
        sealed = chance.commitment(seed)
        start = record.start_digest(setup, course)
        dice = OWN if own_dice else ""
        content, changed = game.content_hash(setup), game.changed(setup)
        header = Header(game.name, __version__, setup, content, sealed, start, practice, dice, changed)
        seeds = Seeds()
        seeds.seal(sealed, seed)
        match = cls(course, Record(header), seeds, ended=False)
        match._roll_on()
        return match

    @classmethod
    def load(cls, path: str | os.PathLike[str], games: Mapping[str, Game]) -> Match:
        """The saved match, at the question where it was left; the rolls to come are under a new seed."""
        saved = record.read(path)
        match = cls._of(record.replay(saved, games))
        if not match._ended:
            match._seal()
            match._roll_on()
        return match

    @classmethod
    def resume(cls, saved: Record, games: Mapping[str, Game], seeds: Mapping[str, str]) -> Match:
        """The match of a record that was kept along the way, as if it had never stopped: `seeds` are those that
        `secrets` told, and the dice to come are the same. Where the present one is missing or revealed, a new seed is
        sealed, as in `load`.
        """
        match = cls._of(record.replay(saved, games, seeds))
        if not match._ended:
            now = match._seeds.now
            if now.seed is None or now.revealed:
                match._seal()
            match._roll_on()
        return match

    @classmethod
    def look(cls, saved: Record, games: Mapping[str, Game]) -> Match:
        """The match as it stood when the record had no further entries, to look at; it may wait for a roll."""
        return cls._of(record.replay(saved, games))

    @classmethod
    def _of(cls, run: Replay) -> Match:
        match = cls(run.finish(), Record(run.record.header, list(run.record.entries)), run.seeds, run.ended)
        match._seen = run.seen
        return match

    def copy(self) -> Match:
        """An equal match, under the same id, that goes its own way: to try an answer and keep the match if it fails."""
        other = Match.__new__(Match)
        other.id = self.id
        other._course = self._course.copy()
        other._record = Record(self._record.header, self._record.entries[:])
        other._seeds = self._seeds.copy()
        other._ended = self._ended
        other._seen = self._seen
        other._undone = self._undone[:]
        return other

    def __repr__(self) -> str:
        return f"<Match {self.id} of {self.game.name}: {len(self._course.steps)} steps, {self._whose_turn()}>"

    def _whose_turn(self) -> str:
        node = self.node()
        if isinstance(node, Ask):
            return "waiting for seat " + " and ".join(str(seat) for seat in node.seats)
        if self.waits_for:
            return "waiting for dice"
        return f"over ({node.cause})" if isinstance(node, Over) else "rolling"

    # ---- what guests may see

    @property
    def game(self) -> Game:
        return self._course.game

    @property
    def state(self) -> State:
        """The state as it is, to look at. It is another object after an undo."""
        return self._course.state

    @property
    def practice(self) -> bool:
        return self._record.header.practice

    @property
    def own_dice(self) -> bool:
        return self._record.header.dice == OWN

    @property
    def seen(self) -> int:
        """How many answers were taken back although dice or cards had been seen since."""
        return self._seen

    @property
    def entered(self) -> set[tuple[str, int]]:
        """The rolls that stand and were entered, by stream and number."""
        entries = (step.entry for step in self._course.steps)
        return {(it.stream, it.number) for it in entries if isinstance(it, Rolled) and it.by is not None}

    @property
    def commitment(self) -> str:
        """What binds the match to its present seed, to be shown before it rolls."""
        return self._seeds.now.commitment

    @property
    def record(self) -> Record:
        """The record so far. It tells all answers and rolls, hidden ones too: no seat may see it before the end."""
        return Record(self._record.header, list(self._record.entries))

    @property
    def header(self) -> Header:
        return self._record.header

    @property
    def n(self) -> int:
        """The number of entries of the record."""
        return len(self._record.entries)

    def entries(self, since: int = 0) -> list[Entry]:
        """The entries of the record after the first `since`, for those who keep it. As secret as `record`."""
        return self._record.entries[since:]

    def secrets(self, since: int = 0) -> dict[str, str]:
        """The seeds that were sealed in the entries after the first `since` (from 0: the first seed too), by their
        commitments; for `resume`, and for nobody else.
        """
        sealed = {entry.commitment for entry in self._record.entries[since:] if isinstance(entry, Sealed)}
        if not since:
            sealed.add(self._record.header.seed)
        found = self._seeds.segments
        return {part.commitment: part.seed for part in found if part.seed is not None and part.commitment in sealed}

    @property
    def events(self) -> list[Event]:
        """All that happened, from the setup on, less what was taken back."""
        found = list(self._course.opening)
        for step in self._course.steps:
            found += step.events
        return found

    def node(self) -> Node:
        return self._course.node

    def decision(self, seat: int) -> Decision | None:
        """The open question of this seat, if it has one."""
        node = self.node()
        return node.decision(seat) if isinstance(node, Ask) and seat in node.seats else None

    @property
    def waits_for(self) -> Roll | None:
        """The roll that the players have to make and enter, if the match waits for one."""
        node = self.node()
        return node if isinstance(node, Roll) and is_own(self._record.header, node) else None

    @property
    def roller(self) -> int:
        """The seat whose roll `waits_for` is; -1 if it is nobody's in particular."""
        self.node()
        return self._course.state.roller

    # ---- playing

    def answer(self, given: Answer) -> list[Event]:
        """Carry out an answer and make all rolls that follow, up to the next question or the end.

        Raises Invalid, Illegal or Stale, and then nothing has changed.
        """
        if given.game and given.game != self.id:
            raise Invalid(f"that answer is for the match {given.game}; this one is {self.id}")
        step = self._course.take(given)
        self._write(step.entry)
        self._undone.clear()
        return step.events + self._roll_on()

    def enter(self, seat: int, name: str, faces: Sequence[int]) -> list[Event]:
        """Enter dice that were rolled on the table, for the roll of this name (`STREAM:NUMBER`), and go on to the next
        question. Without faces the match rolls them itself.

        Raises Stale, Illegal or Invalid, and then nothing has changed.
        """
        node = self.waits_for
        if node is None or name != roll_name(node):
            raise Stale(f"the match does not wait for the dice of {name}")
        if not 0 <= seat < len(self.state.asked):
            raise Invalid(f"there is no seat {seat}")
        outcome = tuple(faces)
        if outcome and not node.accepts(outcome):
            low, high = node.low, node.low + node.sides - 1
            needed = say("match.faces", n=node.size, low=low, high=high)
            raise Illegal(",".join(str(face) for face in outcome), (Reason(needed, node.rule),))
        step = self._course.take(outcome, seat) if outcome else self._rolled(node)
        self._write(step.entry)
        self._undone.clear()
        return step.events + self._roll_on()

    def _roll_on(self) -> list[Event]:
        events: list[Event] = []
        course, header = self._course, self._record.header
        while isinstance(node := course.node, Roll) and not is_own(header, node):
            step = self._rolled(node)
            self._write(step.entry)
            events += step.events
        if isinstance(node, Over) and not self._ended:
            self._reveal()
            self._write(Ended(node, record.state_digest(course)))
            self._ended = True
        return events

    def _rolled(self, node: Roll) -> Step:
        # The seed of an older segment is not known where it was never revealed: its rolls can prove nothing.
        seeds = self._seeds
        seed = seeds.home(node.stream, node.number).seed
        if seed is None:
            seed = seeds.now.seed
        assert seed is not None
        return self._course.take(chance.sample(seed, node))

    def _write(self, entry: Entry) -> None:
        self._record.entries.append(entry)

    def _seal(self) -> None:
        seed = chance.new_seed()
        self._seeds.seal(chance.commitment(seed), seed)
        self._write(Sealed(self._seeds.now.commitment))

    def _reveal(self) -> None:
        segment = self._seeds.now
        assert segment.seed is not None
        segment.revealed = True
        self._write(Revealed(segment.seed))

    # ---- going back

    def undo_points(self) -> list[UndoPoint]:
        """The answers that may be taken back now, the latest first. `undo` takes back the first of them."""
        course, game = self._course, self.game
        bound = self._bound()
        state = course.at(bound)
        points: list[UndoPoint] = []
        for step in course.steps[bound:]:
            if step.seat is not None:
                points.append(UndoPoint(step.number, step.seat, _label(game, state, step)))
            game.machine.apply(state, step.given)
        return points[::-1]

    def _bound(self) -> int:
        """How many steps stand that nobody can take back."""
        if self.practice:
            return 0
        if self._ended:
            return len(self._course.steps)
        barrier = self._course.barrier(0)
        if barrier is None:
            return 0
        return barrier.number if barrier.seat is None or isinstance(barrier.entry, Answered) else barrier.number - 1

    def last_undo(
        self, seat: int | None = None, passing: Collection[int] = (), agreed: bool = False
    ) -> UndoPoint | None:
        """What `undo` would take back, or None where it would refuse."""
        found = self._last_answer(seat, passing)
        if found is None or (not agreed and self._why_not(*found)):
            return None
        return self._point(found[0], self._course.at(found[0].number - 1))

    def _point(self, step: Step, before: State) -> UndoPoint:
        assert step.seat is not None
        return UndoPoint(step.number, step.seat, _label(self.game, before, step))

    def _last_answer(self, seat: int | None, passing: Collection[int]) -> tuple[Step, Step | None] | None:
        """The last answer of this seat (or of all), and the last answer of another that stands in its way."""
        blocked = None
        for step in reversed(self._course.steps):
            who = step.seat
            if who is not None:
                if seat is None or who == seat:
                    return step, blocked
                if not blocked and who not in passing:
                    blocked = step
        return None

    def _why_not(self, step: Step, blocked: Step | None) -> str:
        course, entry = self._course, step.entry
        what = f"seat {step.seat} cannot take back {(entry.key if isinstance(entry, Answered) else entry.stream)!r}"
        if blocked:
            return f"{what}: seat {blocked.seat} has answered since; undo stops at step {blocked.number}"
        bound = self._bound()
        if step.number <= bound:
            barrier = course.barrier(step.number - 1)
            why = barrier.reveals if barrier else "the game is over and its seed is revealed"
            return f"{what}: {why}; undo stops at step {bound}"
        return ""

    def undo(self, seat: int | None = None, passing: Collection[int] = (), agreed: bool = False) -> str | None:
        """Take back the last answer with all that followed from it, and say which it was; None when there is none.

        With `seat`, take back only an answer of this seat, and only while no other seat has answered since; answers of
        the seats in `passing` do not count and are taken back with it. Outside practice games no answer can be taken
        back when something came to light with it or after it.
        With `agreed` there are no such bounds; what had been seen is marked in the record.
        A refused undo raises BeachheadError and changes nothing.
        """
        found = self._last_answer(seat, passing)
        if found is None:
            return None
        if not agreed and (why := self._why_not(*found)):
            raise BeachheadError(why)
        step = found[0]
        course = self._course
        taken = course.steps[step.number - 1 :]
        marked = step.number <= self._bound()
        if marked:
            self._seen += sum(isinstance(it.entry, Answered) for it in taken)
        self._undone.append(taken)
        self._write(Undone(len(taken), marked))
        course.back(step.number - 1)
        if self._ended:
            self._ended = False
            self._seal()
        return _label(self.game, course.state, step)

    @property
    def redo_seat(self) -> int | None:
        """Whose answer `redo` would bring back; None when there is nothing to bring back."""
        return self._undone[-1][0].seat if self._undone else None

    @property
    def last_redo(self) -> UndoPoint | None:
        """What `redo` would bring back; None when there is nothing."""
        return self._point(self._undone[-1][0], self.state) if self._undone else None

    def redo(self) -> list[Event]:
        """Bring back what the last undo took, with the same dice; nothing when another answer was given since."""
        if not self._undone:
            return []
        events: list[Event] = []
        for old in self._undone.pop():
            by = old.seat if isinstance(old.entry, Rolled) else None
            step = self._course.take(old.given, by)
            self._write(step.entry)
            events += step.events
        return events + self._roll_on()

    # ---- keeping

    def save(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Write the record. An unfinished match reveals the seed of its rolls in it and goes on under a new one."""
        if self._ended or not self._seeds.now.rolls:
            record.write(self._record, path, overwrite)
            return
        # The seed changes first: one that may have got into a file must not roll again, whatever becomes of the file.
        self._reveal()
        saved = self.record
        self._seal()
        record.write(saved, path, overwrite)


def roll_name(roll: Roll) -> str:
    """What a roll is called, among all of the game."""
    return f"{roll.stream}:{roll.number}"


def _label(game: Game, state: State, step: Step) -> str:
    entry = step.entry
    if isinstance(entry, Rolled):
        return say("match.entered", n=len(entry.outcome))
    node = game.machine.node(state)
    assert isinstance(node, Ask)
    return game.label(state, node.decision(entry.seat), entry.key)
