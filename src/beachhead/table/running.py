"""A running table: its match, the answers that wait for their turn, its guests and its bots.

An answer is tried on a copy of the match. Its lines go to the store, and only when they are durable the copy takes the
place of the match and the guests are told. So nobody ever sees what a crash could take back, and an answer that fails,
for whatever reason, leaves no trace. Answers at one table are worked off one after the other; tables do not wait for
each other.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter, deque
from collections.abc import Callable
from contextvars import copy_context
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from ..core import record
from ..core.errors import BeachheadError, Invalid, SetupError, Stale
from ..core.node import Answer, Ask, Event
from ..core.record import Entry
from .adviser import Adviser, Opinion, Reviewing
from .aside import fail, in_thread, resolve
from .guests import Guest, hash_token, token_parts
from .match import Match
from .news import AskedAlready, Change, Dropped, Forbidden, News, PresenceChanged, Quarantined, Request, Said, Seat
from .store import ChatRow, Conflict, Note, StorageError, Stored

if TYPE_CHECKING:
    from .hub import Hub

RECENT = 256
"""So many changes of a table are kept at hand for guests who missed some."""
CHAT = 200
"""So many lines of chat are kept at hand."""
MOST_ENTRIES = 50_000
"""A record with so many entries takes no more answers."""
RANDOM = "random"
"""The code of the bot that takes over from one that fails."""
MOST_FAULTS = 3
"""So often a bot may fail at a table before it is replaced."""


class _Known(NamedTuple):
    """A move that is stored: where it begins, and what its guest was told."""

    first: int
    reply: int


class _Work(NamedTuple):
    """Something to be done with the match, in its turn."""

    id: str
    seat: int
    same: Callable[[Entry], bool]
    """Whether the first entry of a stored move is that of this one."""
    act: Callable[[Match], tuple[list[Event], int]]
    """Does it; gives the events, and how many were taken back before."""
    done: asyncio.Future[int]


class Table:
    """One loaded table. Doors read its fields; the methods are for the hub and the guests."""

    def __init__(self, hub: Hub, stored: Stored, match: Match) -> None:
        row = stored.head.table
        self.id = row.id
        self.title = row.title
        self.practice = row.practice
        self.created = row.created
        self.closed = row.closed
        self.chat_on = row.chat
        self.fork_of = row.fork_of
        self.fork_at = row.fork_at
        self.noted = row.noted
        self.seats = [Seat(it.seat, it.who, it.name, it.bot, it.token_hash, it.hosts) for it in stored.head.seats]  # type: ignore[arg-type]
        self.names = tuple(seat.name for seat in self.seats)
        self.trouble = ""
        """Why the table is in quarantine, in words; "" for a sound one."""
        self.match = match
        """As it is stored. Another object after every change."""
        self.chat = deque((Said(it.n, it.name, it.seat, it.text, it.phrase) for it in stored.chat), CHAT)
        self.hub = hub
        self.host_hash = row.host_hash
        self.watch_hash = row.watch_hash
        self.guests: dict[Guest, None] = {}
        self.request: Request | None = None
        """Somebody asks to take something back. Not stored."""
        self.replies: dict[str, int] = {}
        """What was said to the latest of those who asked or agreed, by their ids."""
        self._moves = {
            it.move_id: _Known(it.n - 1, it.reply) for it in stored.entries if it.move_id and it.reply is not None
        }
        self.said: dict[str, int | asyncio.Future[int]] = {it.id: it.n for it in stored.chat}
        self._chat_n = stored.chat[-1].n if stored.chat else 0
        self.recent: deque[Change] = deque(maxlen=RECENT)
        self._queue: deque[_Work] = deque()
        self._storing: asyncio.Future[int] | None = None
        self._bot_task: asyncio.Task[None] | None = None
        self._unload: asyncio.TimerHandle | None = None
        self._rng, self._stand_in = (Random(secrets.randbits(64)) for _ in range(2))
        self._faults: Counter[int] = Counter()
        """Per seat: how often its bot has failed."""
        self.adviser = Adviser(self, row.adviser, row.advised)
        self.opinions: dict[tuple[int, str], Opinion] = {}
        """What the adviser said about answers of this game when it was over, by their numbers and the language."""
        self.reviewing: Reviewing | None = None

    def __repr__(self) -> str:
        return f"<Table {self.id} at {self.n}, {len(self.guests)} guests>"

    @property
    def n(self) -> int:
        """The number of entries of the record; every change of the match raises it."""
        return self.match.n

    @property
    def bots(self) -> frozenset[int]:
        """The seats of bots: their answers do not stand in the way of an undo."""
        return frozenset(seat.seat for seat in self.seats if seat.who == "bot")

    # ---- guests

    def admit(self, host: bool, token: str) -> Guest:
        guest = Guest(self, host, [hash_token(part) for part in token_parts(token)])
        if self._unload:
            self._unload.cancel()
            self._unload = None
        self.guests[guest] = None
        self._seat_guests()
        self.tell(PresenceChanged())
        self.adviser.look()
        return guest

    def _seat_guests(self) -> None:
        """Work out anew which seats each guest may play, and drop those who may do nothing any more."""
        for seat in self.seats:
            seat.here = 0
        for guest in list(self.guests):
            guest.seats = tuple(
                seat.seat
                for seat in self.seats
                if seat.who != "bot" and ((guest.is_host and seat.hosts) or seat.token_hash in guest.hashes)
            )
            if not guest.seats and not guest.is_host and self.watch_hash not in guest.hashes:
                self._drop(guest, Dropped("your seat was given away: ask the host for a new link"))
                continue
            for number in guest.seats:
                self.seats[number].here += 1

    def _drop(self, guest: Guest, news: Dropped) -> None:
        if guest in self.guests:
            del self.guests[guest]
            guest.tell(news)
            self.leave_soon()

    def left(self, guest: Guest) -> None:
        if guest in self.guests:
            del self.guests[guest]
            self._seat_guests()
            self.tell(PresenceChanged())
            self.leave_soon()

    def leave_soon(self) -> None:
        if not self.guests and self._unload is None and not self.hub.closed:
            self._unload = asyncio.get_running_loop().call_later(max(self.hub.keep, 0.05), self._try_unload)

    def _try_unload(self) -> None:
        self._unload = None
        if self.guests:
            return
        if self._storing or self._queue or self._bot_task or (self.reviewing and self.reviewing.task):
            self.leave_soon()
        else:
            self.hub.forget(self)

    def tell(self, news: News) -> None:
        for guest in list(self.guests):
            guest.tell(news)

    async def close(self) -> None:
        for guest in list(self.guests):
            self._drop(guest, Dropped("the server is being stopped", again=True))
        if self._unload:
            self._unload.cancel()
        task, self._bot_task = self._bot_task, None
        if task:
            task.cancel()
        if self.reviewing and self.reviewing.task:
            self.reviewing.task.cancel()
        self.adviser.stop()
        while self._storing:
            await asyncio.wait([self._storing])
            await asyncio.sleep(0)

    # ---- changing the match

    def do(
        self, id: str, seat: int, same: Callable[[Entry], bool], act: Callable[[Match], tuple[list[Event], int]]
    ) -> asyncio.Future[int]:
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        # It may be worked off in the context of another guest, and reasons are told in the words of this one.
        here = copy_context()
        self._queue.append(_Work(id, seat, same, lambda match: here.run(act, match), done))
        if not self._storing:
            self._work_on()
        return done

    def is_known(self, id: str) -> bool:
        """Whether a move of this id is stored."""
        return id in self._moves

    def ask(self, request: Request) -> int:
        """Put a request before everybody, or with fewer who have still to agree."""
        if self.request and self.request.seat != request.seat:
            raise AskedAlready("somebody else asks to take something back")
        if self.trouble:
            raise Quarantined(self.trouble)
        if self.closed:
            raise Forbidden("the table is closed; its host can open it again")
        self.request = request
        self.tell(PresenceChanged())
        return self.replied(request.id)

    def drop_request(self) -> None:
        if self.request:
            self.request = None
            self.tell(PresenceChanged())
            self.wake_bots()

    def replied(self, id: str) -> int:
        """What is said now to something that leaves no line in the record; kept in case it is sent again."""
        self.replies[id] = self.n
        if len(self.replies) > RECENT:
            del self.replies[next(iter(self.replies))]
        return self.n

    def _work_on(self) -> None:
        """Try what is next until something is on its way to the store."""
        while self._queue and not self._storing:
            work = self._queue.popleft()
            try:
                if work.id and (known := self._moves.get(work.id)):
                    if not work.same(self.match.entries(known.first)[0]):
                        raise Invalid("another move was made under this id before: each needs an id of its own")
                    resolve(work.done, known.reply)
                    continue
                if self.trouble:
                    raise Quarantined(self.trouble)
                if self.closed:
                    raise Forbidden("the table is closed; its host can open it again")
                if self.n >= MOST_ENTRIES:
                    raise Forbidden(f"the record of this table is full ({self.n} entries)")
                node, tried = self.match.node(), self.match.copy()
                if isinstance(node, Ask):
                    tried.state.cache = node.of(tried.state)
                events, taken = work.act(tried)
                before = self.n
                lines = [record.line(entry) for entry in tried.entries(before)]
                change = Change(tried.n, before, events, work.id, taken, work.seat)
                storing = self.hub.store.append(self.id, before, lines, work.id or None, tried.secrets(before))
            except BeachheadError as error:
                fail(work.done, error)
            except Exception as error:
                self._quarantine(error, f"a move of seat {work.seat} (id {work.id!r})")
                fail(work.done, Quarantined(self.trouble))
            else:
                self._storing = storing
                storing.add_done_callback(lambda stored, it=(work, tried, change): self._stored(stored, *it))  # type: ignore[misc]

    def _stored(self, stored: asyncio.Future[int], work: _Work, tried: Match, change: Change) -> None:
        self._storing = None
        error = stored.exception()
        if error is None:
            # a state and its node hold each other: parted, they go at once, and no collector has to look for them
            self.match.state.cache = None
            self.match = tried
            self.request = None
            if work.id:
                self._moves[work.id] = _Known(change.before, change.n)
            self.recent.append(change)
            resolve(work.done, change.n)
            self.tell(change)
            self.adviser.look()
            self.wake_bots()
        else:
            fail(work.done, error)
            if isinstance(error, Conflict):
                self._start_over(error)
        if self._queue:
            self._work_on()

    def _start_over(self, error: BaseException) -> None:
        """The store holds other entries than we do: let everybody come again to what it holds."""
        self.hub.report(f"table {self.id} is not as it is stored", error)
        for work in self._queue:
            fail(work.done, StorageError("again"))
        self._queue.clear()
        if self._bot_task:
            self._bot_task.cancel()
            self._bot_task = None
        self.adviser.stop()
        self.hub.forget(self)
        for guest in list(self.guests):
            self._drop(guest, Dropped("the table is loaded again", again=True))

    def _quarantine(self, error: BaseException, where: str) -> None:
        self.request = None
        self.trouble = (
            "something went wrong in the engine at this table; it was left as it stood before. "
            "The host can open the table again to go on from there."
        )
        self.hub.report(
            f"table {self.id} at {self.n}: the engine failed at {where}", error, list(self.match.record.lines())
        )
        self.tell(PresenceChanged())

    # ---- bots

    def _bot_to_move(self) -> int | None:
        if self.trouble or self.closed or self.request or self.n >= MOST_ENTRIES:
            return None
        node = self.match.node()
        if isinstance(node, Ask):
            for seat in node.seats:
                if self.seats[seat].who == "bot":
                    return seat
        return None

    def wake_bots(self) -> None:
        if self._bot_task is None and not self.hub.closed and self._bot_to_move() is not None:
            self._bot_task = asyncio.create_task(self._bots_answer())

    async def _bots_answer(self) -> None:
        pause = 0.0
        try:
            while (seat := self._bot_to_move()) is not None:
                await asyncio.sleep(max(self.hub.bot_delay, pause))
                match = self.match
                decision = match.decision(seat)
                if decision is None or self.seats[seat].who != "bot":
                    continue
                key = await self._bot_key(seat, match)
                if self.match is not match or self.request or self.seats[seat].who != "bot":
                    continue
                given = Answer(seat, decision.seq, key)

                def act(tried: Match, match: Match = match, given: Answer = given) -> tuple[list[Event], int]:
                    if self.match is not match:
                        raise Stale("somebody answered just before the bot: it has to think again")
                    return tried.answer(given), 0

                try:
                    await self.do("", seat, _never, act)
                    pause = 0.0
                except StorageError:
                    pause = min(max(2 * pause, 0.25), 10.0)
                except Stale:
                    if self.match is match:
                        raise
        except (Quarantined, Forbidden):
            pass
        except Exception as error:
            self._quarantine(error, "a question to a bot")
        finally:
            if self._bot_task is asyncio.current_task():
                self._bot_task = None

    async def _bot_key(self, seat: int, match: Match) -> str:
        """The answer of the bot; a random one if it fails or takes too long, and if that goes on the random bot takes
        over. Bots that think do so in a thread: the match they look at is never changed.
        """
        decision = match.decision(seat)
        assert decision is not None
        code = self.seats[seat].bot
        bot = self.hub.bots.get(code)
        machine, state = match.game.machine, match.state

        def view() -> dict[str, Any]:
            return machine.view(state, seat)

        try:
            if bot is None:
                raise SetupError(f"there is no bot {code!r}")
            if code == RANDOM:
                key = bot.answer(decision, view, self._rng)
            else:
                key = await asyncio.wait_for(in_thread(bot.answer, decision, view, self._rng), bot.limit)
            if key not in decision.keys:
                raise ValueError(f"the bot {code!r} gave the answer {key!r} to the question {decision.name!r}")
            return key
        except Exception as error:
            self._faults[seat] += 1
            over = self._faults[seat] >= MOST_FAULTS
            then = "random goes on for it" if over else "a random answer stands in"
            self.hub.report(
                f"table {self.id} at {match.n}: the bot {code!r} at seat {seat} failed at {decision.name!r}; {then}",
                error,
            )
            if over:
                self.seats[seat].bot = RANDOM
                self.tell(PresenceChanged())
            return self._stand_in.choice(decision.keys)  # the bot may have spoilt the one that it was given

    # ---- what is not the match

    def _then(self, stored: asyncio.Future[None], then: Callable[[], None]) -> asyncio.Future[None]:
        """A future that resolves when it is stored and `then` is done, also when nobody waits for it any more."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def finish(stored: asyncio.Future[None]) -> None:
            error = stored.exception()
            if error is not None:
                fail(done, error)
                return
            then()
            resolve(done, None)

        stored.add_done_callback(finish)
        return done

    def set_seat(self, number: int, **fields: Any) -> asyncio.Future[None]:
        """Change a seat, durably; then tell everybody."""

        def then() -> None:
            for name, value in fields.items():
                setattr(self.seats[number], name, value)
            self.names = tuple(seat.name for seat in self.seats)
            if "who" in fields:
                self.request = None
            self._seat_guests()
            self.tell(PresenceChanged())
            self.adviser.look()
            self.wake_bots()

        return self._then(self.hub.store.set_seat(self.id, number, fields), then)

    def say(self, id: str, seat: int, text: str, phrase: str) -> asyncio.Future[int]:
        # the number is taken before it is stored, so that another line gets another; one that fails leaves a hole
        self._chat_n += 1
        said = Said(self._chat_n, self.seats[seat].name if seat >= 0 else "", seat, text, phrase)
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def finish(stored: asyncio.Future[None]) -> None:
            error = stored.exception()
            if error is not None:
                del self.said[id]
                fail(done, error)
                return
            self.said[id] = said.n
            self.chat.append(said)
            resolve(done, said.n)
            self.tell(said)

        row = ChatRow(said.n, id, seat, said.name, text, phrase, time.time())
        self.hub.store.say(self.id, row).add_done_callback(finish)
        self.said[id] = done
        return done

    def set_table(
        self, *, closed: bool | None = None, chat: bool | None = None, adviser: int | None = None
    ) -> asyncio.Future[None]:
        def then() -> None:
            if closed is not None:
                self.closed = closed
                self.request = None
            if chat is not None:
                self.chat_on = chat
            if adviser is not None:
                self.adviser.switch(adviser)
            self.tell(PresenceChanged())
            self.wake_bots()

        return self._then(self.hub.store.set_table(self.id, closed=closed, chat=chat, adviser=adviser), then)


def note(id: str, match: Match) -> Note:
    """What lists tell of a match."""
    turn, points = match.game.brief(match.state)
    return Note(id, match.n, turn, points, match.seen)


def _never(entry: Entry) -> bool:
    return False
