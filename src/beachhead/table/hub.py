"""All tables of a server: made, found, loaded and forgotten.

All calls are made on one event loop. A table at work is in `running`, what a guest may do in `guests`, what they are
told in `news`.

    hub = Hub(SqliteStore(path), GAMES, BOTS)
    made = await hub.create(setup, [SeatPlan("person", name="Ann"), SeatPlan("bot", "thumb"), SeatPlan("open")])
    guest = await hub.enter(made.id, made.host_token)
    guest.listen(callback)
    n = await guest.move(id, guest.n, seat, decision.seq, key)
    guest.leave()
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..core import record
from ..core.errors import BeachheadError, RecordError, SetupError
from ..core.game import Game, Setup
from ..core.node import Ask
from ..core.plain import to_json
from ..core.record import Difference, Record
from ..say import say
from .adviser import AT_ONCE, Engine
from .guests import MOST_NAME, Guest, admitted, clean, hash_token
from .match import Match
from .news import (
    Advised,
    AskedAlready,
    Change,
    Dropped,
    Forbidden,
    News,
    NewsOf,
    NoSuchTable,
    NotAdmitted,
    OtherContent,
    PresenceChanged,
    Quarantined,
    Request,
    Said,
    Seat,
    TooLate,
    TooMuch,
    Who,
    WrongToken,
)
from .running import CHAT, MOST_ENTRIES, Table, note
from .store import Head, Note, SeatRow, StorageError, Store, Stored, TableRow

if TYPE_CHECKING:
    from ..bots import Bot

__all__ = [
    "Advised",
    "AskedAlready",
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
    "OtherContent",
    "PresenceChanged",
    "Quarantined",
    "Request",
    "Said",
    "Seat",
    "SeatPlan",
    "StorageError",
    "Summary",
    "Table",
    "TooLate",
    "TooMuch",
    "WrongToken",
]

MOST_TITLE = 80
NOTE_EVERY = 0.05
"""Seconds between two old tables that are noted."""
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


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


class Summary(NamedTuple):
    """A table in a list. `waiting` is known only of tables that are loaded; `turn`, `points` and `undone` of others may
    lag behind where the server was killed, until somebody comes.
    """

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
    cause: str = ""
    """How it ended: the short stable name, and the rule."""
    rule: str = ""
    scores: tuple[int, ...] = ()
    """By seat, where they are counted."""
    points: int | None = None
    """What it was worth to the group, where that is counted."""
    turn: int = 0
    """The present or last one; 0 where it is not known."""
    undone: int = 0
    """How many answers were taken back although dice or cards had been seen since."""
    advised: bool = False
    """The adviser has been on."""
    people: tuple[int, ...] = ()
    """Seats that are no bot's."""


def new_id() -> str:
    """The name of a new table: one that no command takes for an option and no spreadsheet for a formula."""
    while (found := secrets.token_urlsafe(9)).startswith("-"):
        pass
    return found


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
        adviser: Callable[[], Engine] | None = None,
    ) -> None:
        """`bot_delay`: seconds before each answer of a bot. `keep`: seconds that an empty table stays loaded.
        `reports`: the folder for reports about failures of ours; without one nothing is written.
        `adviser`: gives `beachhead.advise`. It is called in a thread, where bots play or somebody wants advice.
        """
        self.store = store
        self.games = games
        self.bots = bots
        self.bot_delay = bot_delay
        self.keep = keep
        self.reports = reports
        self.adviser = adviser
        self.thinkers = asyncio.Semaphore(AT_ONCE)
        self.asking = 0
        """How many wait for what the adviser says about a past game."""
        self.reviewers = asyncio.Semaphore(1)
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._noting: asyncio.Task[None] | None = None
        self.closed = False

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
        own_dice: bool = False,
        fork_of: str = "",
        fork_at: int = 0,
    ) -> Created:
        """Set a table up; it is durable when this returns. Without `game` it is the first.
        `own_dice`: the players roll dice on their table and enter them.

        With `lines` (a record, the header first) the table goes on where the record ends, under a new seed; a finished
        record can be looked at. Then the setup comes from the record, and `seats` may be empty: all are the host's.
        Raises SetupError, RecordError, StorageError.
        """
        if lines is None:
            name = game or next(iter(self.games))
            if name not in self.games:
                raise SetupError(say("setup.unknown.game", name=repr(name), known=", ".join(self.games), hint=""))
            try:
                match = Match.new(self.games[name], setup, seed, practice, own_dice)
            except BeachheadError:
                raise
            except Exception as error:
                self.report(f"a game of {name} cannot be set up with {setup!r}", error)
                raise SetupError(say("setup.failed")) from None
        else:
            match = await asyncio.to_thread(self._match_of, lines, practice)
        needed = len(match.state.asked)
        seats = seats or [SeatPlan()] * needed
        if len(seats) != needed:
            raise SetupError(say("setup.planned", n=len(seats), needed=needed))
        table_id = new_id()
        tokens = ["" if plan.who == "bot" else secrets.token_urlsafe(18) for plan in seats]
        made = Created(table_id, secrets.token_urlsafe(18), tokens, secrets.token_urlsafe(18))
        rows = []
        for seat, (plan, token) in enumerate(zip(seats, tokens, strict=True)):
            if plan.who == "bot":
                self.check_bot(plan.bot)
            name = clean(plan.name, MOST_NAME)
            bot = plan.bot if plan.who == "bot" else ""
            rows.append(SeatRow(seat, plan.who, name, bot, hash_token(token), plan.who == "person"))
        header, noted = match.header, note(table_id, match)
        row = TableRow(
            table_id,
            time.time(),
            header.game,
            to_json(header.setup),
            next(Record(header).lines()).rstrip("\n"),
            header.practice,
            clean(title, MOST_TITLE),
            hash_token(made.host_token),
            hash_token(made.watch_token),
            fork_of=fork_of,
            fork_at=fork_at,
            noted=match.n,
            turn=noted.turn,
            points=noted.points,
            undone=noted.undone,
        )
        await self.store.create(row, rows, [record.line(entry) for entry in match.entries()], match.secrets())
        return made

    def _match_of(self, lines: Sequence[str], practice: bool) -> Match:
        text = "".join(line if line.endswith("\n") else line + "\n" for line in lines)
        saved = record.parse(text.encode("utf-8", "surrogatepass"), "the record")
        if len(saved.entries) > MOST_ENTRIES:
            raise RecordError(say("record.too-long", n=len(saved.entries), most=MOST_ENTRIES))
        saved.header = saved.header._replace(practice=saved.header.practice or practice)
        try:
            return Match.resume(saved, self.games, {})
        except BeachheadError:
            raise
        except Exception as error:
            self.report("a record cannot be played", error, lines)
            raise RecordError(say("record.engine-failed")) from None

    def check_bot(self, code: str) -> None:
        if code not in self.bots:
            raise SetupError(say("setup.unknown.bot", name=repr(code), known=", ".join(self.bots), hint=""))

    async def enter(self, table_id: str, token: str) -> Guest:
        """Come to a table with a token of it, or several joined by dots. An open seat becomes that of a person.

        Raises NotAdmitted, OtherContent, Quarantined (the table cannot be loaded), StorageError.
        """
        if table_id not in self._tables:
            head = await self._head(table_id)
            admitted(head.table.host_hash, head.table.watch_hash, [seat.token_hash for seat in head.seats], token)
        while True:
            if self.closed:
                raise StorageError("stopping")
            table = await self._load(table_id)
            if self._tables.get(table_id) is not table:
                continue  # it was forgotten again meanwhile
            # looked up after the last wait: it may have been revoked meanwhile
            hashes = [seat.token_hash for seat in table.seats]
            try:
                host, _, held = admitted(table.host_hash, table.watch_hash, hashes, token)
            except WrongToken:
                head = await self._head(table_id)
                if head.table.host_hash == table.host_hash:
                    raise
                table.host_hash = head.table.host_hash  # `beachhead tables link` has made one meanwhile
                continue
            waiting = [seat for seat in held if table.seats[seat].who == "open"]
            if not waiting:
                return table.admit(host, token)
            for seat in waiting:
                await table.set_seat(seat, who="person")

    async def host_token(self, table_id: str) -> str:
        """A fresh token of the host, beside the last ones. Whoever holds the machine may have it, and nobody else.

        Raises NoSuchTable, StorageError.
        """
        await self._head(table_id)
        token = secrets.token_urlsafe(18)
        hashes = await self.store.add_host(table_id, hash_token(token))
        if table_id in self._tables:
            self._tables[table_id].host_hash = hashes
        return token

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
            if isinstance(error, Difference) and error.about == "start":
                raise OtherContent(say("match.other-content", why=error.found)) from None
            known = error if isinstance(error, BeachheadError) else None
            self.report(f"table {table_id} cannot be loaded", error)
            raise Quarantined(f"this table cannot be loaded: {known or 'the engine failed'}") from None
        known_n = len(stored.entries)
        if match.n > known_n:  # a seed that is not known was replaced, or a roll was missing
            lines = [record.line(entry) for entry in match.entries(known_n)]
            await self.store.append(table_id, known_n, lines, None, match.secrets(known_n))
        table = self._tables[table_id] = Table(self, stored, match)
        table.leave_soon()
        table.wake_bots()
        return table

    async def summary(self, table_id: str, token: str) -> Summary:
        """One line about a table, for somebody who has a token of it; does not load it. Raises NotAdmitted."""
        head = await self._head(table_id)
        admitted(head.table.host_hash, head.table.watch_hash, [seat.token_hash for seat in head.seats], token)
        (found,) = self._summaries([head], [_summary(head)])
        return found

    async def summaries(self, most: int = 200) -> list[Summary]:
        """One line about each table, the newest first. For a server that serves its own machine only."""
        heads = await self.store.heads(most)
        return self._summaries(heads, await asyncio.to_thread(lambda: [_summary(head) for head in heads]))

    def _summaries(self, heads: list[Head], found: list[Summary]) -> list[Summary]:
        """The same, with what is known of tables that are loaded; of others, what was not noted will be."""
        old = []
        for at, head in enumerate(heads):
            table = self._tables.get(head.table.id)
            if table is not None:
                node = table.match.node()
                _, _, turn, points, undone = note(table.id, table.match)
                waiting = node.seats if isinstance(node, Ask) else ()
                found[at] = found[at]._replace(waiting=waiting, loaded=True, turn=turn, points=points, undone=undone)
            elif head.table.noted != head.n:
                old.append(head.table.id)
        if old and self._noting is None and not self.closed:
            self._noting = asyncio.create_task(self._note_old(old))
        return found

    async def _note_old(self, ids: list[str]) -> None:
        """Note what was not noted: by older servers, or by one that was killed. Slowly: nobody is kept waiting."""
        try:
            for id in ids:
                await asyncio.sleep(NOTE_EVERY)
                stored = await self.store.load(id, 0)
                if stored is None or id in self._tables:
                    continue
                try:
                    found = note(id, await asyncio.to_thread(_resume, stored, self.games))
                except Exception:
                    found = Note(id, 0, 0, None, 0)  # it is told about when somebody comes
                await self.store.note([found._replace(noted=stored.head.n)])
        except StorageError as error:
            self.report("what lists tell could not be noted", error)
        finally:
            self._noting = None

    @property
    def loaded(self) -> int:
        """How many tables are loaded."""
        return len(self._tables)

    async def close(self) -> None:
        """Drop all guests (they may come again), stop the bots, wait for what is being stored. The store stays open."""
        self.closed = True
        if self._noting is not None:
            self._noting.cancel()
        for table in list(self._tables.values()):
            await table.close()
        await asyncio.gather(self._note(list(self._tables.values())), return_exceptions=True)
        self._tables.clear()

    def forget(self, table: Table) -> None:
        """It is no longer loaded."""
        if self._tables.get(table.id) is table:
            del self._tables[table.id]
            self._note([table]).add_done_callback(lambda noted: noted.exception())  # it will be noted another time
            table.match.state.cache = None

    def _note(self, tables: list[Table]) -> asyncio.Future[None]:
        """Note for lists how these stand."""
        return self.store.note([note(table.id, table.match) for table in tables if table.noted != table.n])

    def report(self, what: str, error: BaseException, more: Sequence[str] = ()) -> None:
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


def _summary(head: Head) -> Summary:
    """What is stored of a table."""
    row = head.table
    last: list[Any] = json.loads(head.last) if head.last else [""]
    over = last[1] if last[0] == "over" else None
    return Summary(
        row.id,
        row.title,
        row.game,
        json.loads(row.setup),
        [seat.name for seat in head.seats],
        row.created,
        head.changed,
        head.n,
        over is not None,
        over["won"] if over else None,
        row.practice,
        row.closed,
        row.fork_of,
        cause=over["cause"] if over else "",
        rule=over["rule"] if over else "",
        scores=tuple(over["scores"]) if over else (),
        points=row.points,
        turn=row.turn,
        undone=row.undone,
        advised=row.advised,
        people=tuple(seat.seat for seat in head.seats if seat.who != "bot"),
    )


def _resume(stored: Stored, games: Mapping[str, Game]) -> Match:
    text = "\n".join((stored.head.table.header, *(it.line for it in stored.entries), ""))
    saved = record.parse(text.encode(), f"table {stored.head.table.id}")
    return Match.resume(saved, games, stored.seeds)
