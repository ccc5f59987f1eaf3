"""The adviser at a table: what it says to the questions that are open, and of a whole game when it is over.

It works in threads beside the game, one question of a table at a time and few on the whole server. Nobody waits for it:
what it says to a question that is answered meanwhile is dropped, and where it fails there is a line in the log and
nothing more. It looks through the eyes of the seat that is asked. What it says is for all at the table if that seat
sees nothing that spectators do not; where it holds hidden cards it is told to that seat alone.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ..core.errors import BeachheadError
from ..core.machine import State
from ..core.node import Ask, Decision, Over
from ..core.plain import Plain
from ..core.record import Answered, Record
from ..say import language, speaking
from .aside import in_thread
from .match import Match
from .news import Advised, Forbidden, TooMuch

if TYPE_CHECKING:
    from ..advise import Advice, Option, Review
    from .hub import Hub
    from .running import Table

LIMIT = 2.0
"""Seconds that it may think about one question."""
LONGEST = 20.0
"""After so many seconds it counts as failed; the first question also loads what it needs."""
AT_ONCE = 2
"""So many questions at most are thought about at the same time, at all tables together."""
MOST_FAULTS = 3
"""So often it may fail at a table before it is silent there, until it is switched on anew."""
MOST_OPINIONS = 64
"""So many opinions about a past game are kept at hand,"""
MOST_ASKING = 8
"""and so many people at most wait for one, at all tables together: those who play come first."""

View = Callable[[], dict[str, Plain]]


class Engine(Protocol):
    """What is needed of `beachhead.advise`."""

    def advise(
        self, decision: Decision, view: View, limit: float = ..., state: State | None = ...
    ) -> Advice | None: ...

    def warm(
        self, seen: dict[str, Plain], state: State | None = ..., seats: Iterable[int] | None = ...
    ) -> Iterator[None]: ...

    def review(self, record: Record, tick: Callable[[int, int], object] = ...) -> Review: ...


class Given(NamedTuple):
    """What it says to one question of the match as it stood at number `n`."""

    n: int
    decision: Decision
    advice: Advice
    open: bool
    """Everybody at the table may know of it."""
    why: dict[str, tuple[str, ...]]
    """Why, in each language that was asked for."""
    match: Match


def look(engine: Engine, match: Match, seat: int, languages: Collection[str]) -> Given | None:
    """What it says to the open question of this seat, in these languages. The match is not changed."""
    machine, state, decision = match.game.machine, match.state, match.decision(seat)
    if decision is None:
        return None
    open, said = _seen_by_all(match, seat), {}
    for lang in languages:
        with speaking(lang):
            clone = machine.clone(state) if open else None
            said[lang] = engine.advise(decision, lambda: machine.view(state, seat), LIMIT, clone)
    found = next(iter(said.values()), None)
    if found is None or {option.key for option in found.options} != set(decision.keys):
        return None
    why = {lang: one.why if one else () for lang, one in said.items()}
    return Given(match.n, decision, found, open, why, match)


def _seen_by_all(match: Match, seat: int) -> bool:
    machine, state = match.game.machine, match.state
    mine, theirs = (
        {name: part for name, part in machine.view(state, who).items() if name not in ("seat", "decision")}
        for who in (seat, None)
    )
    return mine == theirs


class Adviser:
    """That of one table."""

    def __init__(self, table: Table, by: int, advised: bool) -> None:
        self._table = table
        self.by = by
        """The seat that switched it on; -1 while it is off."""
        self.advised = advised
        """It has been on in this game."""
        self.given: dict[int, Given] = {}
        """Seat -> what it says to the question that is open now."""
        self._at: dict[int, int] = {}
        """Seat -> the number at which its question was last thought about."""
        self._faults = 0
        self._cold = True
        """The next answer may have to wait for what can be worked out beforehand."""
        self._task: asyncio.Task[None] | None = None

    @property
    def on(self) -> bool:
        return self.by >= 0

    @property
    def thinks(self) -> bool:
        return self._task is not None

    def switch(self, by: int) -> None:
        """It is switched on by this seat, or off (-1)."""
        if self.on == (by >= 0):
            return
        self.by = by
        self.advised |= self.on
        self._faults = 0
        self._cold = True
        self.given.clear()
        self._at.clear()
        self.look()

    def look(self) -> None:
        """Something at the table has changed: drop what is void, and think about what is open."""
        match = self._table.match
        for seat, given in list(self.given.items()):
            if not self.on or match.decision(seat) != given.decision:
                del self.given[seat]
            elif not given.why.keys() >= set(self._languages()):
                self._at.pop(seat, None)
        if self._task is None and (self._next() is not None or self._may_warm()):
            self._task = asyncio.create_task(self._think())

    def stop(self) -> None:
        task, self._task = self._task, None
        if task:
            task.cancel()

    def _next(self) -> int | None:
        """The seat whose question is to be thought about now."""
        table = self._table
        if not self.on or not table.guests or table.trouble or self._faults >= MOST_FAULTS:
            return None
        node = table.match.node()
        if isinstance(node, Ask):
            for seat in node.seats:
                if table.seats[seat].who != "bot" and self._at.get(seat) != table.n:
                    return seat
        return None

    def _may_warm(self) -> bool:
        """Is there time, and reason, to work something out beforehand?"""
        table = self._table
        if not self._cold or not table.guests or table.trouble or table.hub.adviser is None:
            return False
        return self._faults < MOST_FAULTS and (self.on or bool(table.bots)) and not isinstance(table.match.node(), Over)

    def _languages(self) -> tuple[str, ...]:
        """Those of the guests."""
        return tuple(sorted({guest.language for guest in self._table.guests}))

    async def _think(self) -> None:
        table = self._table
        try:
            while (seat := self._next()) is not None or self._may_warm():
                if seat is None:
                    await self._warm()
                    continue
                match = table.match

                def still(match: Match = match, seat: int = seat) -> bool:
                    return table.match is match and self._next() == seat

                try:
                    given = await think(table.hub, look, match, seat, self._languages(), still=still)
                except Exception as error:
                    self._faults += 1
                    given = None
                    table.hub.report(f"table {table.id} at {match.n}: the adviser failed for seat {seat}", error)
                # a question that others have left as it was is still the same one, and is thought about once more
                self._at[seat] = match.n
                self._cold = True
                if given and self.on and table.match.decision(seat) == given.decision:
                    self.given[seat] = given
                    table.tell(Advised(seat))
        finally:
            if self._task is asyncio.current_task():
                self._task = None

    async def _warm(self) -> None:
        """Work out what the next answers would have to wait for, step by step, until there is a question."""
        table, match = self._table, self._table.match
        self._cold = False
        machine, state = match.game.machine, match.state
        people = [seat.seat for seat in table.seats if seat.who != "bot"]

        def begin(engine: Engine) -> Iterator[None]:
            open = all(_seen_by_all(match, seat) for seat in people)
            return engine.warm(machine.view(state, None), machine.clone(state) if open else None, people)

        def step(engine: Engine) -> bool:
            return next(steps, True) is None

        try:
            steps = await think(table.hub, begin)
            while self._next() is None and table.guests and await think(table.hub, step):
                pass
        except Exception as error:
            self._faults += 1
            table.hub.report(f"table {table.id} at {match.n}: the adviser could not get ready", error)


async def think(hub: Hub, work: Callable[..., Any], *args: Any, still: Callable[[], bool] = lambda: True) -> Any:
    """What the work gives, which gets the engine first. A thread that hangs keeps its place until it ends, so there are
    never more of them. None if, when its turn comes, it is not wanted any more.
    """
    load = hub.adviser
    if load is None:
        raise Forbidden("there is no adviser here")
    await hub.thinkers.acquire()
    if not still():
        hub.thinkers.release()
        return None

    def ended(done: asyncio.Future[Any]) -> None:
        hub.thinkers.release()
        done.cancelled() or done.exception()

    running = in_thread(lambda: work(load(), *args))
    running.add_done_callback(ended)
    return await asyncio.wait_for(asyncio.shield(running), LONGEST)


# ---------------------------------------------------------------------------------------------------- past games


class Opinion(NamedTuple):
    """What was answered at a number of the record, and what the adviser says to that question."""

    seat: int
    key: str
    given: Given | None


async def opinion(table: Table, record: Record, at: int) -> Opinion | None:
    """Its opinion about the answer after the first `at` entries; None if there is none."""
    entry = record.entries[at] if 0 <= at < len(record.entries) else None
    if not isinstance(entry, Answered):
        return None
    kept, which = table.opinions, (at, language())
    if which not in kept:

        def work(engine: Engine) -> Given | None:
            before = Record(record.header, record.entries[:at])
            return look(engine, Match.look(before, table.hub.games), entry.seat, [language()])

        hub = table.hub
        if hub.asking >= MOST_ASKING:
            raise TooMuch("too many ask the adviser about past games")
        hub.asking += 1
        try:
            found = await think(hub, work)
        except Exception as error:
            hub.report(f"table {table.id} at {at}: the adviser failed at a past question", error)
            return Opinion(entry.seat, entry.key, None)
        finally:
            hub.asking -= 1
        while len(kept) >= MOST_OPINIONS:
            del kept[next(iter(kept))]
        kept[which] = Opinion(entry.seat, entry.key, found)
    return kept[which]


@dataclass(slots=True)
class Reviewing:
    """How far it is with a game, and what came of it."""

    n: int
    done: int = 0
    of: int = 0
    failed: bool = False
    why: str = ""
    """Why it failed, where it knows."""
    found: dict[str, Any] | None = None
    task: asyncio.Task[None] | None = None


async def review(table: Table, begin: bool) -> Reviewing | None:
    """What it says of the finished game, or how far it is with that; None where nobody has asked for it yet."""
    match = table.match
    if not isinstance(match.node(), Over):
        raise Forbidden("only a game that is over is looked through")
    now = table.reviewing
    if now is None or now.n != match.n:
        kept = await table.hub.store.review(table.id, match.n)
        if kept:
            table.reviewing = Reviewing(match.n, found=json.loads(kept))
        elif table.reviewing is now:
            table.reviewing = None
    now = table.reviewing
    if begin and (now is None or now.failed):
        now = table.reviewing = Reviewing(match.n)
        now.task = asyncio.create_task(_review(table, match, now))
    return now


async def _review(table: Table, match: Match, now: Reviewing) -> None:
    hub = table.hub

    def work() -> Review:
        def tick(done: int, of: int) -> None:
            now.done, now.of = done, of

        assert hub.adviser is not None
        return hub.adviser().review(match.record, tick)

    try:
        async with hub.reviewers:
            found = plain_review(await in_thread(work))
        await hub.store.set_review(table.id, match.n, json.dumps(found))
        now.found = found
    except BeachheadError as error:
        now.failed, now.why = True, str(error)
    except Exception as error:
        now.failed = True
        hub.report(f"table {table.id}: the adviser failed at looking through the game", error)
    finally:
        now.task = None


def plain_review(found: Review) -> dict[str, Any]:
    """As plain data, to be kept: numbers and keys, no words."""

    def option(one: Option) -> dict[str, Any]:
        return {**one._asdict(), "gives": dict(one.gives)}

    costly = [
        {"entry": it.entry, "seat": it.seat, "turn": it.turn, "chosen": option(it.chosen), "best": option(it.best)}
        for it in found.costly
    ]
    sides = [side._asdict() for side in found.sides]
    return {**found._asdict(), "skill": list(found.skill), "sides": sides, "costly": costly}
