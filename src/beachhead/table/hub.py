"""Running tables: who sits where, whose answers count, and the news for everybody there.

An answer is tried on a copy of the match. Its lines go to the store, and only when they are durable the copy takes the
place of the match and the guests are told. So nobody ever sees what a crash could take back, and an answer that fails,
for whatever reason, leaves no trace. Answers at one table are worked off one after the other; tables do not wait for
each other. All calls are made on one event loop.

    hub = Hub(SqliteStore(path), GAMES, BOTS)
    made = await hub.create(setup, [SeatPlan("person", name="Ann"), SeatPlan("bot", "thumb"), SeatPlan("open")])
    guest = await hub.enter(made.id, made.host_token)
    guest.listen(callback)
    n = await guest.move(id, guest.n, seat, decision.seq, key)
    guest.leave()
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import re
import secrets
import time
import traceback
import unicodedata
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from ..core import record
from ..core.errors import BeachheadError, Invalid, RecordError, SetupError, Stale
from ..core.game import Game, Setup
from ..core.node import Answer, Ask, Event, Over
from ..core.plain import to_json
from ..core.record import Answered, Entry, Record, Undone
from .match import Match
from .store import ChatRow, Conflict, Head, SeatRow, StorageError, Store, Stored, TableRow

if TYPE_CHECKING:
    from ..bots import Bot

__all__ = [
    "Change",
    "Created",
    "Dropped",
    "Forbidden",
    "Guest",
    "Hub",
    "News",
    "NewsOf",
    "NoSuchTable",
    "NotAdmitted",
    "PresenceChanged",
    "Quarantined",
    "Said",
    "Seat",
    "SeatPlan",
    "StorageError",
    "Summary",
    "Table",
    "TooLate",
    "WrongToken",
]

Who = Literal["person", "bot", "open"]
Act = Literal["bot", "open", "name", "close", "reopen", "chat-off", "chat-on"]

RECENT = 256
"""So many changes of a table are kept at hand for guests who missed some."""
CHAT = 200
"""So many lines of chat are kept at hand."""
MOST_ENTRIES = 50_000
"""A record with so many entries takes no more answers."""
MOST_TOKENS = 16
MOST_ID = 64
MOST_NAME = 40
MOST_TITLE = 80
MOST_TEXT = 400


# ---------------------------------------------------------------------------------------------------- what goes wrong


class NotAdmitted(BeachheadError):
    """There is no such table, or the token does not open it. To the outside both say the same."""

    def __init__(self) -> None:
        super().__init__("there is no such table, or this link does not open it (any more)")


class NoSuchTable(NotAdmitted):
    """For the inside: there is no table of this id."""


class WrongToken(NotAdmitted):
    """For the inside: the table is there, the token is none of its."""


class Forbidden(BeachheadError):
    """This guest may not do that, or not now (a closed table, chat switched off)."""


class TooLate(BeachheadError):
    """It cannot be taken back any more; the text says why."""


class Quarantined(BeachheadError):
    """The engine failed at this table. It takes no answers until it is opened again or loaded by a mended server."""


# ---------------------------------------------------------------------------------------------------- what is told


class SeatPlan(NamedTuple):
    """Who is to sit there. A seat of a "person" is played by the host; an "open" one waits for whoever has its link."""

    who: Who = "person"
    bot: str = ""
    """The code of the bot, for a seat of a bot."""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Created:
    """A new table and its secrets: this is the only time they are told. A seat of a bot has the token ""."""

    id: str
    host_token: str = field(repr=False)
    seat_tokens: list[str] = field(repr=False)
    watch_token: str = field(repr=False)


class Change(NamedTuple):
    """The match moved on, and that is durable: from number `before` to number `n`.

    First the last `taken` events were taken back, then `events` happened. They hold everything: what a guest may not
    see (`Event.audience`) is for the door to leave out. `by` is the id of the move, "" for one of a bot.
    """

    n: int
    before: int
    events: list[Event]
    by: str = ""
    taken: int = 0
    seat: int = -1
    """Who answered."""


class PresenceChanged(NamedTuple):
    """Something about the table or its seats is other than before: look at `guest.table`."""


class Said(NamedTuple):
    """Somebody said something; `n` counts the lines of chat from 1."""

    n: int
    name: str
    seat: int
    text: str = ""
    phrase: str = ""


class Dropped(NamedTuple):
    """The last news of a guest: it is no longer at the table. `again`: to enter again makes sense."""

    text: str
    again: bool = False


News = Change | PresenceChanged | Said | Dropped
NewsOf = Callable[[News], None]
"""Is called on the event loop and must be quick; one that raises loses its guest."""


@dataclass(slots=True)
class Seat:
    """Who sits there now. `here` counts the guests that may answer for it, whoever they are."""

    seat: int
    who: Who
    name: str = ""
    bot: str = ""
    token_hash: str = field(default="", repr=False)
    hosts: bool = False
    """The host plays it."""
    here: int = 0


class Summary(NamedTuple):
    """A table in a list. `turn` and `waiting` are known only of tables that are loaded."""

    id: str
    title: str
    game: str
    setup: Setup
    names: list[str]
    created: float
    changed: float
    n: int
    over: bool
    won: bool | None
    practice: bool
    closed: bool
    fork_of: str = ""
    waiting: tuple[int, ...] = ()
    loaded: bool = False


# ---------------------------------------------------------------------------------------------------- the hub


class Hub:
    """All tables of a server. They are loaded when somebody comes and forgotten some time after the last one left."""

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game],
        bots: Mapping[str, Bot],
        *,
        bot_delay: float = 0.4,
        keep: float = 60.0,
        reports: Path | None = None,
    ) -> None:
        """`bot_delay`: seconds before each answer of a bot. `keep`: seconds that an empty table stays loaded.
        `reports`: the folder for reports about failures of ours; without one nothing is written.
        """
        self.store = store
        self.games = games
        self.bots = bots
        self.bot_delay = bot_delay
        self.keep = keep
        self.reports = reports
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._closed = False

    def __repr__(self) -> str:
        return f"<Hub of {len(self._tables)} tables>"

    async def create(
        self,
        setup: Setup,
        seats: Sequence[SeatPlan],
        *,
        game: str = "",
        practice: bool = False,
        title: str = "",
        lines: Sequence[str] | None = None,
        seed: str | None = None,
        fork_of: str = "",
        fork_at: int = 0,
    ) -> Created:
        """Set a table up; it is durable when this returns. `game` may be left out where there is only one.

        With `lines` (a record, the header first) the table goes on where the record ends, under a new seed; a finished
        record can be looked at. Then the setup comes from the record, and `seats` may be empty: all are the host's.
        Raises SetupError, RecordError, StorageError.
        """
        if lines is None:
            name = game or next(iter(self.games))
            if name not in self.games:
                raise SetupError(f"unknown game {name!r}: expected one of {', '.join(self.games)}")
            try:
                match = Match.new(self.games[name], setup, seed, practice)
            except BeachheadError:
                raise
            except Exception as error:
                self._report(f"a game of {name} cannot be set up with {setup!r}", error)
                raise SetupError("this game cannot be set up: the engine failed") from None
        else:
            match = await asyncio.to_thread(self._match_of, lines, practice)
        needed = len(match.state.asked)
        seats = seats or [SeatPlan()] * needed
        if len(seats) != needed:
            raise SetupError(f"{len(seats)} seats are planned: this game has {needed}")
        table_id = secrets.token_urlsafe(9)
        tokens = ["" if plan.who == "bot" else secrets.token_urlsafe(18) for plan in seats]
        made = Created(table_id, secrets.token_urlsafe(18), tokens, secrets.token_urlsafe(18))
        rows = []
        for seat, (plan, token) in enumerate(zip(seats, tokens, strict=True)):
            if plan.who == "bot":
                self._check_bot(plan.bot)
            name = _clean(plan.name, MOST_NAME)
            bot = plan.bot if plan.who == "bot" else ""
            rows.append(SeatRow(seat, plan.who, name, bot, _hash(token), plan.who == "person"))
        header = match.header
        row = TableRow(
            table_id,
            time.time(),
            header.game,
            to_json(header.setup),
            next(Record(header).lines()).rstrip("\n"),
            header.practice,
            _clean(title, MOST_TITLE),
            _hash(made.host_token),
            _hash(made.watch_token),
            fork_of=fork_of,
            fork_at=fork_at,
        )
        await self.store.create(row, rows, [record.line(entry) for entry in match.entries()], match.secrets())
        return made

    def _match_of(self, lines: Sequence[str], practice: bool) -> Match:
        text = "".join(line if line.endswith("\n") else line + "\n" for line in lines)
        saved = record.parse(text.encode("utf-8", "surrogatepass"), "the record")
        if len(saved.entries) > MOST_ENTRIES:
            raise RecordError(f"the record has {len(saved.entries)} entries: a table holds {MOST_ENTRIES} at most")
        saved.header = saved.header._replace(practice=saved.header.practice or practice)
        try:
            return Match.resume(saved, self.games, {})
        except BeachheadError:
            raise
        except Exception as error:
            self._report("a record cannot be played", error, lines)
            raise RecordError("this record cannot be played: the engine failed") from None

    def _check_bot(self, code: str) -> None:
        if code not in self.bots:
            raise SetupError(f"unknown bot {code!r}: expected one of {', '.join(self.bots)}")

    async def enter(self, table_id: str, token: str) -> Guest:
        """Come to a table with a token of it, or several joined by dots. An open seat becomes that of a person.

        Raises NotAdmitted, Quarantined (the table cannot be loaded), StorageError.
        """
        if table_id not in self._tables:
            head = await self._head(table_id)
            _admit(head.table.host_hash, head.table.watch_hash, [seat.token_hash for seat in head.seats], token)
        while True:
            if self._closed:
                raise StorageError("the server is being stopped: try again later")
            table = await self._load(table_id)
            if self._tables.get(table_id) is not table:
                continue  # it was forgotten again meanwhile
            # looked up after the last wait: it may have been revoked meanwhile
            hashes = [seat.token_hash for seat in table.seats]
            host, _, held = _admit(table._host_hash, table._watch_hash, hashes, token)
            waiting = [seat for seat in held if table.seats[seat].who == "open"]
            if not waiting:
                return table._admit(host, token)
            for seat in waiting:
                await table._set_seat(seat, who="person")

    async def _head(self, table_id: str) -> Head:
        head = await self.store.head(table_id) if _ID.fullmatch(table_id) else None
        if head is None:
            raise NoSuchTable
        return head

    async def _load(self, table_id: str) -> Table:
        """The table, loaded once however many ask for it at the same time."""
        table = self._tables.get(table_id)
        if table is not None:
            return table
        task = self._loading.get(table_id)
        if task is None:
            task = self._loading[table_id] = asyncio.create_task(self._load_now(table_id))
            task.add_done_callback(lambda _: self._loading.pop(table_id, None))
        return await asyncio.shield(task)

    async def _load_now(self, table_id: str) -> Table:
        stored = await self.store.load(table_id, CHAT)
        if stored is None:
            raise NoSuchTable
        try:
            match = await asyncio.to_thread(_resume, stored, self.games)
        except Exception as error:
            known = error if isinstance(error, BeachheadError) else None
            self._report(f"table {table_id} cannot be loaded", error)
            raise Quarantined(f"this table cannot be loaded: {known or 'the engine failed'}") from None
        known_n = len(stored.entries)
        if match.n > known_n:  # a seed that is not known was replaced, or a roll was missing
            lines = [record.line(entry) for entry in match.entries(known_n)]
            await self.store.append(table_id, known_n, lines, None, match.secrets(known_n))
        table = self._tables[table_id] = Table(self, stored, match)
        table._leave_soon()
        table._wake_bots()
        return table

    async def summary(self, table_id: str, token: str) -> Summary:
        """One line about a table, for somebody who has a token of it; does not load it. Raises NotAdmitted."""
        head = await self._head(table_id)
        _admit(head.table.host_hash, head.table.watch_hash, [seat.token_hash for seat in head.seats], token)
        return self._summary(head)

    async def summaries(self, most: int = 200) -> list[Summary]:
        """One line about each table, the newest first. For a server that serves its own machine only."""
        return [self._summary(head) for head in await self.store.heads(most)]

    def _summary(self, head: Head) -> Summary:
        row = head.table
        last: list[Any] = json.loads(head.last) if head.last else [""]
        over = last[0] == "over"
        loaded = self._tables.get(row.id)
        node = loaded.match.node() if loaded else None
        return Summary(
            row.id,
            row.title,
            row.game,
            json.loads(row.setup),
            [seat.name for seat in head.seats],
            row.created,
            head.changed,
            head.n,
            over,
            last[1]["won"] if over else None,
            row.practice,
            row.closed,
            row.fork_of,
            node.seats if isinstance(node, Ask) else (),
            loaded is not None,
        )

    @property
    def loaded(self) -> int:
        """How many tables are loaded."""
        return len(self._tables)

    async def close(self) -> None:
        """Drop all guests (they may come again), stop the bots, wait for what is being stored. The store stays open."""
        self._closed = True
        for table in list(self._tables.values()):
            await table._close()
        self._tables.clear()

    def _forget(self, table: Table) -> None:
        if self._tables.get(table.id) is table:
            del self._tables[table.id]

    def _report(self, what: str, error: BaseException, more: Sequence[str] = ()) -> None:
        """A failure of ours, for those who can mend it. No seed and no token is in it."""
        if self.reports is None:
            return
        try:
            self.reports.mkdir(parents=True, exist_ok=True)
            path = self.reports / f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}.txt"
            text = [what, "", *traceback.format_exception(error), "", *more]
            path.write_text("\n".join(line.rstrip("\n") for line in text) + "\n", encoding="utf-8")
        except OSError:
            pass


# ---------------------------------------------------------------------------------------------------- a table


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
    """One loaded table. Doors read the public fields; they are changed by the hub only."""

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
        self.seats = [Seat(it.seat, it.who, it.name, it.bot, it.token_hash, it.hosts) for it in stored.head.seats]  # type: ignore[arg-type]
        self.trouble = ""
        """Why the table is in quarantine, in words; "" for a sound one."""
        self.match = match
        """As it is stored. Another object after every change."""
        self.chat = deque((Said(it.n, it.name, it.seat, it.text, it.phrase) for it in stored.chat), CHAT)
        self._hub = hub
        self._host_hash = row.host_hash
        self._watch_hash = row.watch_hash
        self._guests: dict[Guest, None] = {}
        self._moves = {
            it.move_id: _Known(it.n - 1, it.reply) for it in stored.entries if it.move_id and it.reply is not None
        }
        self._said: dict[str, int | asyncio.Future[int]] = {it.id: it.n for it in stored.chat}
        self._chat_n = stored.chat[-1].n if stored.chat else 0
        self._recent: deque[Change] = deque(maxlen=RECENT)
        self._queue: deque[_Work] = deque()
        self._storing: asyncio.Future[int] | None = None
        self._bot_task: asyncio.Task[None] | None = None
        self._unload: asyncio.TimerHandle | None = None
        self._rng = Random(secrets.randbits(64))

    def __repr__(self) -> str:
        return f"<Table {self.id} at {self.n}, {len(self._guests)} guests>"

    @property
    def n(self) -> int:
        """The number of entries of the record; every change of the match raises it."""
        return self.match.n

    @property
    def bots(self) -> frozenset[int]:
        """The seats of bots: their answers do not stand in the way of an undo."""
        return frozenset(seat.seat for seat in self.seats if seat.who == "bot")

    # ---- guests

    def _admit(self, host: bool, token: str) -> Guest:
        guest = Guest(self, host, [_hash(part) for part in _parts(token)])
        if self._unload:
            self._unload.cancel()
            self._unload = None
        self._guests[guest] = None
        self._seat_guests()
        self._tell(PresenceChanged())
        return guest

    def _seat_guests(self) -> None:
        """Work out anew which seats each guest may play, and drop those who may do nothing any more."""
        for seat in self.seats:
            seat.here = 0
        for guest in list(self._guests):
            guest.seats = tuple(
                seat.seat
                for seat in self.seats
                if seat.who != "bot" and ((guest.is_host and seat.hosts) or seat.token_hash in guest._hashes)
            )
            if not guest.seats and not guest.is_host and self._watch_hash not in guest._hashes:
                self._drop(guest, Dropped("your seat was given away: ask the host for a new link"))
                continue
            for number in guest.seats:
                self.seats[number].here += 1

    def _drop(self, guest: Guest, news: Dropped) -> None:
        if guest in self._guests:
            del self._guests[guest]
            guest._tell(news)
            guest._callback = None
            self._leave_soon()

    def _left(self, guest: Guest) -> None:
        if guest in self._guests:
            del self._guests[guest]
            self._seat_guests()
            self._tell(PresenceChanged())
            self._leave_soon()

    def _leave_soon(self) -> None:
        if not self._guests and self._unload is None and not self._hub._closed:
            self._unload = asyncio.get_running_loop().call_later(max(self._hub.keep, 0.05), self._try_unload)

    def _try_unload(self) -> None:
        self._unload = None
        if self._guests:
            return
        if self._storing or self._queue or self._bot_task:
            self._leave_soon()
        else:
            self._hub._forget(self)

    def _tell(self, news: News) -> None:
        for guest in list(self._guests):
            guest._tell(news)

    async def _close(self) -> None:
        for guest in list(self._guests):
            self._drop(guest, Dropped("the server is being stopped", again=True))
        if self._unload:
            self._unload.cancel()
        task, self._bot_task = self._bot_task, None
        if task:
            task.cancel()
        while self._storing:
            await asyncio.wait([self._storing])
            await asyncio.sleep(0)

    # ---- changing the match

    def _do(
        self, id: str, seat: int, same: Callable[[Entry], bool], act: Callable[[Match], tuple[list[Event], int]]
    ) -> asyncio.Future[int]:
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._queue.append(_Work(id, seat, same, act, done))
        if not self._storing:
            self._work_on()
        return done

    def _work_on(self) -> None:
        """Try what is next until something is on its way to the store."""
        while self._queue and not self._storing:
            work = self._queue.popleft()
            try:
                if work.id and (known := self._moves.get(work.id)):
                    if not work.same(self.match.entries(known.first)[0]):
                        raise Invalid("another move was made under this id before: each needs an id of its own")
                    _resolve(work.done, known.reply)
                    continue
                if self.trouble:
                    raise Quarantined(self.trouble)
                if self.closed:
                    raise Forbidden("the table is closed; its host can open it again")
                if self.n >= MOST_ENTRIES:
                    raise Forbidden(f"the record of this table is full ({self.n} entries)")
                tried = self.match.copy()
                events, taken = work.act(tried)
                before = self.n
                lines = [record.line(entry) for entry in tried.entries(before)]
                change = Change(tried.n, before, events, work.id, taken, work.seat)
                storing = self._hub.store.append(self.id, before, lines, work.id or None, tried.secrets(before))
            except BeachheadError as error:
                _fail(work.done, error)
            except Exception as error:
                self._quarantine(error, f"a move of seat {work.seat} (id {work.id!r})")
                _fail(work.done, Quarantined(self.trouble))
            else:
                self._storing = storing
                storing.add_done_callback(lambda stored, it=(work, tried, change): self._stored(stored, *it))  # type: ignore[misc]

    def _stored(self, stored: asyncio.Future[int], work: _Work, tried: Match, change: Change) -> None:
        self._storing = None
        error = stored.exception()
        if error is None:
            self.match = tried
            if work.id:
                self._moves[work.id] = _Known(change.before, change.n)
            self._recent.append(change)
            _resolve(work.done, change.n)
            self._tell(change)
            self._wake_bots()
        else:
            _fail(work.done, error)
            if isinstance(error, Conflict):
                self._start_over(error)
        if self._queue:
            self._work_on()

    def _start_over(self, error: BaseException) -> None:
        """The store holds other entries than we do: let everybody come again to what it holds."""
        self._hub._report(f"table {self.id} is not as it is stored", error)
        for work in self._queue:
            _fail(work.done, StorageError("the table is loaded again: try again"))
        self._queue.clear()
        if self._bot_task:
            self._bot_task.cancel()
            self._bot_task = None
        self._hub._forget(self)
        for guest in list(self._guests):
            self._drop(guest, Dropped("the table is loaded again", again=True))

    def _quarantine(self, error: BaseException, where: str) -> None:
        self.trouble = (
            "something went wrong in the engine at this table; it was left as it stood before. "
            "The host can open the table again to go on from there."
        )
        self._hub._report(
            f"table {self.id} at {self.n}: the engine failed at {where}", error, list(self.match.record.lines())
        )
        self._tell(PresenceChanged())

    # ---- bots

    def _bot_to_move(self) -> int | None:
        if self.trouble or self.closed or self.n >= MOST_ENTRIES:
            return None
        node = self.match.node()
        if isinstance(node, Ask):
            for seat in node.seats:
                if self.seats[seat].who == "bot":
                    return seat
        return None

    def _wake_bots(self) -> None:
        if self._bot_task is None and not self._hub._closed and self._bot_to_move() is not None:
            self._bot_task = asyncio.create_task(self._bots_answer())

    async def _bots_answer(self) -> None:
        pause = 0.0
        try:
            while (seat := self._bot_to_move()) is not None:
                await asyncio.sleep(max(self._hub.bot_delay, pause))
                match = self.match
                decision = match.decision(seat)
                if decision is None or self.seats[seat].who != "bot":
                    continue
                key = await self._bot_key(seat, match)
                if self.match is not match or self.seats[seat].who != "bot":
                    continue
                given = Answer(seat, decision.seq, key)

                def act(tried: Match, match: Match = match, given: Answer = given) -> tuple[list[Event], int]:
                    if self.match is not match:
                        raise Stale("somebody answered just before the bot: it has to think again")
                    return tried.answer(given), 0

                try:
                    await self._do("", seat, _never, act)
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
        """The answer of the bot; that of the random one if it fails. Bots that think do so in a thread: the match they
        look at is never changed.
        """
        decision = match.decision(seat)
        assert decision is not None
        code = self.seats[seat].bot
        bot = self._hub.bots.get(code)
        machine, state = match.game.machine, match.state

        def view() -> dict[str, Any]:
            return machine.view(state, seat)

        try:
            if bot is None:
                raise SetupError(f"there is no bot {code!r}")
            if code == RANDOM:
                key = bot.answer(decision, view, self._rng)
            else:
                key = await asyncio.to_thread(bot.answer, decision, view, self._rng)
            if key not in decision.keys:
                raise ValueError(f"the bot {code!r} gave the answer {key!r} to the question {decision.name!r}")
            return key
        except Exception as error:
            self._hub._report(
                f"table {self.id} at {match.n}: the bot {code!r} at seat {seat} failed; random goes on for it", error
            )
            self.seats[seat].bot = RANDOM
            self._tell(PresenceChanged())
            return self._rng.choice(decision.keys)

    # ---- what is not the match

    def _then(self, stored: asyncio.Future[None], then: Callable[[], None]) -> asyncio.Future[None]:
        """A future that resolves when it is stored and `then` is done, also when nobody waits for it any more."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def finish(stored: asyncio.Future[None]) -> None:
            error = stored.exception()
            if error is not None:
                _fail(done, error)
                return
            then()
            _resolve(done, None)

        stored.add_done_callback(finish)
        return done

    def _set_seat(self, number: int, **fields: Any) -> asyncio.Future[None]:
        """Change a seat, durably; then tell everybody."""

        def then() -> None:
            for name, value in fields.items():
                setattr(self.seats[number], name, value)
            self._seat_guests()
            self._tell(PresenceChanged())
            self._wake_bots()

        return self._then(self._hub.store.set_seat(self.id, number, fields), then)

    def _say(self, id: str, seat: int, text: str, phrase: str) -> asyncio.Future[int]:
        # the number is taken before it is stored, so that another line gets another; one that fails leaves a hole
        self._chat_n += 1
        said = Said(self._chat_n, self.seats[seat].name if seat >= 0 else "", seat, text, phrase)
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def finish(stored: asyncio.Future[None]) -> None:
            error = stored.exception()
            if error is not None:
                del self._said[id]
                _fail(done, error)
                return
            self._said[id] = said.n
            self.chat.append(said)
            _resolve(done, said.n)
            self._tell(said)

        row = ChatRow(said.n, id, seat, said.name, text, phrase, time.time())
        self._hub.store.say(self.id, row).add_done_callback(finish)
        self._said[id] = done
        return done

    def _set_table(self, *, closed: bool | None = None, chat: bool | None = None) -> asyncio.Future[None]:
        def then() -> None:
            if closed is not None:
                self.closed = closed
            if chat is not None:
                self.chat_on = chat
            self._tell(PresenceChanged())
            self._wake_bots()

        return self._then(self._hub.store.set_table(self.id, closed=closed, chat=chat), then)


# ---------------------------------------------------------------------------------------------------- a guest


class Guest:
    """Somebody at a table, with what their tokens let them do.

    `table` tells about the table and its seats. `seats` are those this guest may answer for; they change when the host
    gives one away. `is_host`: may do what hosts do.
    """

    def __init__(self, table: Table, host: bool, hashes: list[str]) -> None:
        self.table = table
        self.is_host = host
        self.seats: tuple[int, ...] = ()
        self._hashes = frozenset(hashes)
        self._callback: NewsOf | None = None

    def __repr__(self) -> str:
        return f"<Guest of {self.table.id}, seats {self.seats}{', host' if self.is_host else ''}>"

    @property
    def match(self) -> Match:
        """The match as it is now, to look at. It is another object after every change: do not keep it."""
        return self.table.match

    @property
    def n(self) -> int:
        """The number of entries of the record; every change of the match raises it."""
        return self.table.n

    @property
    def here(self) -> bool:
        """False from the moment on when the guest left or was dropped."""
        return self in self.table._guests

    def listen(self, callback: NewsOf) -> None:
        """From now on this callback gets all news of the table. A second call replaces the first."""
        if self.here:
            self._callback = callback

    def leave(self) -> None:
        """No more news; safe to call twice. Moves that are under way are still carried out."""
        self._callback = None
        self.table._left(self)

    def _tell(self, news: News) -> None:
        if self._callback is None:
            return
        try:
            self._callback(news)
        except Exception as error:
            self.table._hub._report(f"a listener at table {self.table.id} failed", error)
            self._callback = None
            self.table._left(self)

    def since(self, have: int) -> list[Change] | None:
        """The changes after number `have`, oldest first; None when they are not at hand (then show all afresh)."""
        if have == self.n:
            return []
        found: list[Change] = []
        for change in reversed(self.table._recent):
            found.append(change)
            if change.before == have:
                return found[::-1]
            if change.before < have:
                return None
        return None

    # ---- playing

    async def move(self, id: str, base: int, seat: int, seq: int, key: str) -> int:
        """Answer for a seat; the number after it, when it is durable. The same id again gives the same number.

        `base` is the number the guest saw. Answers of other seats since do not matter, but when this question is
        answered already, or something was taken back since, the answer is Stale; `since(base)` tells what happened.
        Raises Stale, Illegal, Invalid, Forbidden, Quarantined, StorageError; then nothing has changed.
        """
        self._may_play(id, seat)

        def same(entry: Entry) -> bool:
            return isinstance(entry, Answered) and entry[:3] == (seat, seq, key)

        def act(match: Match) -> tuple[list[Event], int]:
            for entry in _since(match, base):
                if isinstance(entry, Undone):
                    raise Stale("something was taken back since: look at the question again")
            return match.answer(Answer(seat, seq, key)), 0

        return await self.table._do(id, seat, same, act)

    async def undo(self, id: str, base: int, seat: int, back: bool = True) -> int:
        """Take back the last answer of this seat (answers of bots since then go with it), or with `back=False` bring
        back what the last undo of this seat took, while nobody has answered since.

        Raises TooLate (with the reason) and what `move` raises.
        """
        self._may_play(id, seat)
        bots = self.table.bots

        def act(match: Match) -> tuple[list[Event], int]:
            for entry in _since(match, base):
                if isinstance(entry, Undone) or (isinstance(entry, Answered) and entry.seat not in bots):
                    raise Stale("somebody answered or took something back since: look again")
            if not back:
                if match.redo_seat != seat:
                    raise TooLate("there is nothing to bring back")
                return match.redo(), 0
            told = match.state.told
            try:
                label = match.undo(seat, bots)
            except BeachheadError as error:
                raise TooLate(str(error)) from None
            if label is None:
                raise TooLate("there is nothing to take back")
            return [], told - match.state.told

        return await self.table._do(id, seat, lambda entry: isinstance(entry, Undone) == back, act)

    def _may_play(self, id: str, seat: int) -> None:
        if not (0 < len(id) <= MOST_ID and id.isprintable()):
            raise Invalid(f"a move needs an id of 1 to {MOST_ID} printable characters")
        if not self.here:
            raise Forbidden("you are no longer at this table")
        if seat not in self.seats:
            raise Forbidden(f"you do not play seat {seat}")

    # ---- the table

    async def host(self, act: Act, seat: int = -1, text: str = "") -> str:
        """What hosts do; everybody is told. The answer is "", or for "open" the new token of the seat, told only once.

        "bot": give the seat to the bot `text`. "open": a new link for the seat, the old one is void. "name": name the
        seat. "close": no more answers; "reopen": go on, also after a quarantine. "chat-off", "chat-on".
        """
        table = self.table
        if not (self.is_host and self.here):
            raise Forbidden("only the host of the table may do that")
        if act in ("bot", "open", "name") and not 0 <= seat < len(table.seats):
            raise Invalid(f"there is no seat {seat}")
        if act == "bot":
            table._hub._check_bot(text)
            await table._set_seat(seat, who="bot", bot=text, token_hash="", hosts=False)
        elif act == "open":
            token = secrets.token_urlsafe(18)
            await table._set_seat(seat, who="open", bot="", token_hash=_hash(token), hosts=False)
            return token
        elif act == "name":
            await table._set_seat(seat, name=_clean(text, MOST_NAME))
        elif act in ("close", "reopen"):
            if act == "reopen":
                table.trouble = ""
            await table._set_table(closed=act == "close")
        elif act in ("chat-off", "chat-on"):
            await table._set_table(chat=act == "chat-on")
        else:
            raise Invalid(f"there is nothing that is called {act!r}")
        return ""

    async def name(self, seat: int, name: str) -> None:
        """Name a seat of one's own."""
        if not self.here or seat not in self.seats:
            raise Forbidden(f"you do not play seat {seat}")
        await self.table._set_seat(seat, name=_clean(name, MOST_NAME))

    async def say(self, id: str, text: str = "", phrase: str = "", seat: int = -1) -> int:
        """Say something to all at the table; its number in the chat. The same id again gives the same number.

        `seat`: for a guest of several seats, who speaks. Spectators only listen.
        """
        table = self.table
        if not self.here or not (self.seats or self.is_host):
            raise Forbidden("only those who play may speak here")
        if not (0 < len(id) <= MOST_ID and id.isprintable()):
            raise Invalid(f"a line of chat needs an id of 1 to {MOST_ID} printable characters")
        known = table._said.get(id)
        if known is None:
            if not table.chat_on:
                raise Forbidden("the host has switched the chat off")
            text, phrase = _clean(text, MOST_TEXT), _clean(phrase, MOST_NAME)
            if not (text or phrase):
                raise Invalid("there is nothing to say")
            speaker = seat if seat in self.seats else self.seats[0] if self.seats else -1
            known = table._say(id, speaker, text, phrase)
        return known if isinstance(known, int) else await asyncio.shield(known)

    # ---- the record

    def lines(self, at: int | None = None) -> list[str]:
        """The record as lines with line ends, header first; only the first `at` entries if given.

        For finished and practice games only: raises Forbidden.
        """
        return list(self._record(at).lines())

    async def past(self, at: int) -> Match:
        """The match as it stood after `at` entries, to look at. Where `lines` is allowed."""
        return await asyncio.to_thread(Match.look, self._record(at), self.table._hub.games)

    def _record(self, at: int | None) -> Record:
        match = self.match
        if not (match.practice or isinstance(match.node(), Over)):
            raise Forbidden("the record of a game tells everything: it can be had when the game is over")
        found = match.record
        if at is not None:
            if not 0 <= at <= match.n:
                raise Invalid(f"the record has {match.n} entries: {at} is no number of them")
            del found.entries[at:]
        return found


# ---------------------------------------------------------------------------------------------------- small things

RANDOM = "random"
"""The code of the bot that takes over from one that fails."""
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
T = TypeVar("T")


def _resume(stored: Stored, games: Mapping[str, Game]) -> Match:
    text = "\n".join((stored.head.table.header, *(it.line for it in stored.entries), ""))
    saved = record.parse(text.encode(), f"table {stored.head.table.id}")
    return Match.resume(saved, games, stored.seeds)


def _hash(token: str) -> str:
    """What is kept of a token; "" for none."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest() if token else ""


def _parts(token: str) -> list[str]:
    return [part for part in token.split(".")[:MOST_TOKENS] if part]


def _admit(host_hash: str, watch_hash: str, seat_hashes: list[str], token: str) -> tuple[bool, bool, list[int]]:
    """Whether the token is that of the host, of spectators, and of which seats. Every hash is compared, and in constant
    time. Raises WrongToken if it is none of them.
    """
    given = [_hash(part).encode() for part in _parts(token)]

    def fits(kept: str) -> bool:
        found = False
        for mine in given:
            found |= hmac.compare_digest(mine, kept.encode())
        return found

    host, watch = fits(host_hash), fits(watch_hash)
    seats = [seat for seat, kept in enumerate(seat_hashes) if fits(kept)]
    if not (host or watch or seats):
        raise WrongToken
    return host, watch, seats


def _clean(text: str, most: int) -> str:
    """One line of text without anything that cannot be seen, and no longer than `most`."""
    plain = "".join(
        " " if unicodedata.category(char)[0] in "CZ" else char for char in unicodedata.normalize("NFC", text)
    )
    return " ".join(plain.split())[:most].strip()


def _since(match: Match, base: int) -> list[Entry]:
    if not 0 <= base <= match.n:
        raise Invalid(f"the table is at number {match.n}: {base} is not one it has been at")
    return match.entries(base)


def _never(entry: Entry) -> bool:
    return False


def _resolve(done: asyncio.Future[T], value: T) -> None:
    if not done.done():
        done.set_result(value)


def _fail(done: asyncio.Future[Any], error: BaseException) -> None:
    if not done.done():
        done.set_exception(error)
