"""A running game for people: who may answer, the dice that follow, the way back, and the record of it all.

A match knows its seed and keeps it to itself: it is in no text of the match and in no record, until the game is over or
saved. From then on that seed gives no new dice; a new one is sealed. What was rolled stays rolled: after an undo the
same dice come again.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Collection, Mapping
from typing import NamedTuple

from .. import __version__
from ..core import chance, record
from ..core.errors import BeachheadError, Invalid, SetupError
from ..core.game import Game, Setup
from ..core.machine import State
from ..core.node import Answer, Ask, Decision, Event, Node, Over, Roll
from ..core.plain import to_json
from ..core.record import Answered, Course, Ended, Entry, Header, Record, Revealed, Sealed, Seeds, Step, Undone


class UndoPoint(NamedTuple):
    """An answer that may be taken back now: the number of its step, its seat, and the answer in plain words."""

    step: int
    seat: int
    label: str


class Match:
    """One game at one table. Between calls its node is an Ask or Over: rolls are made as soon as they are asked for.

    `id` names the match to its guests; an answer that names another one is refused. Each Match object has its own.
    """

    def __init__(self, course: Course, record: Record, seeds: Seeds, ended: bool) -> None:
        """For `new` and `load`, which see to it that a seed is sealed."""
        self.id = secrets.token_hex(6)
        self._course = course
        self._record = record
        self._seeds = seeds
        self._ended = ended
        self._undone: list[list[Step]] = []
        """What redo would bring back: the steps of each undo, the latest undo last."""

    @classmethod
    def new(cls, game: Game, setup: Setup, seed: str | None = None, practice: bool = False) -> Match:
        """Set a game up and roll to its first question. In a practice game undo goes back as far as one likes."""
        try:
            setup = json.loads(to_json(setup))
        except (TypeError, ValueError) as error:
            raise SetupError(f"the setup is not plain data: {error}") from None
        course = Course(game, setup)
        seed = chance.new_seed() if seed is None else seed
        sealed = chance.commitment(seed)
        start = record.start_digest(setup, course)
        header = Header(game.name, __version__, setup, game.content_hash(setup), sealed, start, practice)
        seeds = Seeds()
        seeds.seal(sealed, seed)
        match = cls(course, Record(header), seeds, ended=False)
        match._roll_on()
        return match

    @classmethod
    def load(cls, path: str | os.PathLike[str], games: Mapping[str, Game]) -> Match:
        """The saved match, at the question where it was left; the rolls to come are under a new seed."""
        saved = record.read(path)
        run = record.replay(saved, games)
        match = cls(run.finish(), Record(saved.header, saved.entries), run.seeds, run.ended)
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
        run = record.replay(saved, games, seeds)
        match = cls(run.finish(), Record(saved.header, list(saved.entries)), run.seeds, run.ended)
        if not match._ended:
            now = match._seeds.now
            if now.seed is None or now.revealed:
                match._seal()
            match._roll_on()
        return match

    @classmethod
    def look(cls, saved: Record, games: Mapping[str, Game]) -> Match:
        """The match as it stood when the record had no further entries, to look at; it may wait for a roll."""
        run = record.replay(saved, games)
        return cls(run.finish(), Record(saved.header, list(saved.entries)), run.seeds, run.ended)

    def copy(self) -> Match:
        """An equal match, under the same id, that goes its own way: to try an answer and keep the match if it fails."""
        other = Match.__new__(Match)
        other.id = self.id
        other._course = self._course.copy()
        other._record = Record(self._record.header, self._record.entries[:])
        other._seeds = self._seeds.copy()
        other._ended = self._ended
        other._undone = self._undone[:]
        return other

    def __repr__(self) -> str:
        return f"<Match {self.id} of {self.game.name}: {len(self._course.steps)} steps, {self._whose_turn()}>"

    def _whose_turn(self) -> str:
        node = self.node()
        if isinstance(node, Ask):
            return "waiting for seat " + " and ".join(str(seat) for seat in node.seats)
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

    def _roll_on(self) -> list[Event]:
        events: list[Event] = []
        course, seeds = self._course, self._seeds
        while isinstance(node := course.node, Roll):
            # The seed of an older segment is not known where it was never revealed: its rolls can prove nothing.
            seed = seeds.home(node.stream, node.number).seed
            if seed is None:
                seed = seeds.now.seed
            assert seed is not None
            step = course.take(chance.sample(seed, node))
            self._write(step.entry)
            events += step.events
        if isinstance(node, Over) and not self._ended:
            self._reveal()
            self._write(Ended(node, record.state_digest(course)))
            self._ended = True
        return events

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
            if isinstance(step.entry, Answered):
                points.append(UndoPoint(step.number, step.entry.seat, _label(game, state, step.entry)))
            game.machine.apply(state, step.given)
        return points[::-1]

    def _bound(self) -> int:
        """How many steps stand that nobody can take back."""
        if self.practice:
            return 0
        if self._ended:
            return len(self._course.steps)
        barrier = self._course.barrier(0)
        return barrier.number if barrier else 0

    def last_undo(self, seat: int | None = None, passing: Collection[int] = ()) -> UndoPoint | None:
        """What `undo` would take back, or None where it would refuse."""
        found = self._last_answer(seat, passing)
        if found is None or self._why_not(found):
            return None
        number, entry, _ = found
        return UndoPoint(number, entry.seat, _label(self.game, self._course.at(number - 1), entry))

    def _last_answer(self, seat: int | None, passing: Collection[int]) -> tuple[int, Answered, int] | None:
        """The last answer of this seat (or of all), its number, and the number of the answer that stands in its way."""
        blocked = 0
        for step in reversed(self._course.steps):
            entry = step.entry
            if isinstance(entry, Answered):
                if seat is None or entry.seat == seat:
                    return step.number, entry, blocked
                if not blocked and entry.seat not in passing:
                    blocked = step.number
        return None

    def _why_not(self, found: tuple[int, Answered, int]) -> str:
        number, entry, blocked = found
        course = self._course
        what = f"seat {entry.seat} cannot take back {entry.key!r}"
        if blocked:
            other = course.steps[blocked - 1].entry
            assert isinstance(other, Answered)
            return f"{what}: seat {other.seat} has answered since; undo stops at step {blocked}"
        bound = self._bound()
        if number <= bound:
            barrier = course.barrier(number - 1)
            why = barrier.reveals if barrier else "the game is over and its seed is revealed"
            return f"{what}: {why}; undo stops at step {bound}"
        return ""

    def undo(self, seat: int | None = None, passing: Collection[int] = ()) -> str | None:
        """Take back the last answer with all that followed from it, and say which it was; None when there is none.

        With `seat`, take back only an answer of this seat, and only while no other seat has answered since; answers of
        the seats in `passing` do not count and are taken back with it. Outside practice games no answer can be taken
        back when something came to light with it or after it.
        A refused undo raises BeachheadError and changes nothing.
        """
        found = self._last_answer(seat, passing)
        if found is None:
            return None
        if why := self._why_not(found):
            raise BeachheadError(why)
        number, entry, _ = found
        course = self._course
        self._undone.append(course.steps[number - 1 :])
        self._write(Undone(len(self._undone[-1])))
        course.back(number - 1)
        if self._ended:
            self._ended = False
            self._seal()
        return _label(self.game, course.state, entry)

    @property
    def redo_seat(self) -> int | None:
        """Whose answer `redo` would bring back; None when there is nothing to bring back."""
        if not self._undone:
            return None
        entry = self._undone[-1][0].entry
        assert isinstance(entry, Answered)
        return entry.seat

    def redo(self) -> list[Event]:
        """Bring back what the last undo took, with the same dice; nothing when another answer was given since."""
        if not self._undone:
            return []
        events: list[Event] = []
        for old in self._undone.pop():
            step = self._course.take(old.given)
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


def _label(game: Game, state: State, entry: Answered) -> str:
    node = game.machine.node(state)
    assert isinstance(node, Ask)
    return game.label(state, node.decision(entry.seat), entry.key)
