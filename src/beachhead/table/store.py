"""Where tables are kept: records line by line, seats, chat and the secrets of the dice.

`SqliteStore` is one SQLite file (WAL, synchronous=FULL). All writing is done by one thread that takes whatever has
come in meanwhile and commits it at once: many answers share one wait for the disk. A call resolves when its rows are
durable, or raises StorageError, and then nothing of it is stored.

Tokens come here as SHA-256 hashes only. Seeds are in the table `secrets` and nowhere else, until the record reveals
them.
"""

from __future__ import annotations

import asyncio
import json
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from ..core.errors import BeachheadError
from ..say import say

VERSION = 3
"""Of the tables in the file, as `PRAGMA user_version`."""
MOST_AT_ONCE = 2000
"""So many appends at most share one transaction."""
MOST_COUNTS = 20_000
"""Of so many tables at most the writer knows by heart how long they are."""

MOST_HOSTS = 8
"""So many tokens of a table's host are known, the newest."""

SCHEMA = """
CREATE TABLE tables (
    id TEXT PRIMARY KEY, created REAL NOT NULL, game TEXT NOT NULL, setup TEXT NOT NULL, header TEXT NOT NULL,
    practice INTEGER NOT NULL, title TEXT NOT NULL, host_hash TEXT NOT NULL, watch_hash TEXT NOT NULL,
    closed INTEGER NOT NULL, chat INTEGER NOT NULL, fork_of TEXT NOT NULL, fork_at INTEGER NOT NULL,
    noted INTEGER NOT NULL, turn INTEGER NOT NULL, points INTEGER, undone INTEGER NOT NULL,
    adviser INTEGER NOT NULL, advised INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX tables_created ON tables (created);
CREATE TABLE seats (
    table_id TEXT NOT NULL, seat INTEGER NOT NULL, who TEXT NOT NULL, name TEXT NOT NULL, bot TEXT NOT NULL,
    token_hash TEXT NOT NULL, hosts INTEGER NOT NULL, PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
CREATE TABLE entries (
    table_id TEXT NOT NULL, n INTEGER NOT NULL, line TEXT NOT NULL, at REAL NOT NULL, move_id TEXT, reply INTEGER,
    PRIMARY KEY (table_id, n)
) WITHOUT ROWID;
CREATE UNIQUE INDEX entries_move ON entries (table_id, move_id) WHERE move_id IS NOT NULL;
CREATE TABLE chat (
    table_id TEXT NOT NULL, n INTEGER NOT NULL, id TEXT NOT NULL, seat INTEGER NOT NULL, name TEXT NOT NULL,
    text TEXT NOT NULL, phrase TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (table_id, n), UNIQUE (table_id, id)
) WITHOUT ROWID;
CREATE TABLE secrets (
    table_id TEXT NOT NULL, commitment TEXT NOT NULL, seed TEXT NOT NULL, PRIMARY KEY (table_id, commitment)
) WITHOUT ROWID;
"""
REVIEWS = """
CREATE TABLE reviews (table_id TEXT PRIMARY KEY, n INTEGER NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
"""

STEPS = {
    1: """
ALTER TABLE tables ADD COLUMN noted INTEGER NOT NULL DEFAULT -1;
ALTER TABLE tables ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN points INTEGER;
ALTER TABLE tables ADD COLUMN undone INTEGER NOT NULL DEFAULT 0;
""",
    2: f"""
ALTER TABLE tables ADD COLUMN adviser INTEGER NOT NULL DEFAULT -1;
ALTER TABLE tables ADD COLUMN advised INTEGER NOT NULL DEFAULT 0;
{REVIEWS}
""",
}
"""What makes the tables of one version into those of the next."""

PLACES = ("tables", "seats", "entries", "chat", "secrets", "reviews")


class StorageError(BeachheadError):
    """It could not be stored or read, and why. Nothing is half written; to try again later makes sense.

    `what` is a message `store.WHAT`; it is put into words where it is read, in the language that is spoken there.
    """

    def __init__(self, what: str, **args: object) -> None:
        super().__init__(what)
        self.what = what
        self.about = args

    def __str__(self) -> str:
        return say(f"store.{self.what}", **self.about)


class Conflict(StorageError):
    """The store holds other entries of this table than the caller thinks."""


class TableRow(NamedTuple):
    """One table. `header` is the first line of its record, `setup` the setup as JSON, `host_hash` the hashes of the
    host's tokens with blanks between them.
    """

    id: str
    created: float
    game: str
    setup: str
    header: str
    practice: bool
    title: str
    host_hash: str
    watch_hash: str
    closed: bool = False
    chat: bool = True
    fork_of: str = ""
    fork_at: int = 0
    noted: int = -1
    """The number of lines the record had when what follows was noted; -1 for never."""
    turn: int = 0
    points: int | None = None
    undone: int = 0
    """How many answers were taken back although dice or cards had been seen since."""
    adviser: int = -1
    """The seat that switched the adviser on; -1 while it is off."""
    advised: bool = False
    """It has been on."""


class Note(NamedTuple):
    """What is noted of a table for lists, at the number `noted` of lines."""

    id: str
    noted: int
    turn: int
    points: int | None
    undone: int


class SeatRow(NamedTuple):
    seat: int
    who: str
    name: str
    bot: str
    token_hash: str
    hosts: bool


class EntryRow(NamedTuple):
    """One line of the record. The first line of a move bears its id and, as `reply`, the number of its last line."""

    n: int
    line: str
    move_id: str | None
    reply: int | None


class ChatRow(NamedTuple):
    n: int
    id: str
    seat: int
    name: str
    text: str
    phrase: str
    at: float


class Head(NamedTuple):
    """What is to be known of a table without its record: how many lines, the last of them and when it came."""

    table: TableRow
    seats: list[SeatRow]
    n: int
    last: str
    changed: float


@dataclass(frozen=True, slots=True)
class Stored:
    """All of a table. `seeds` by their commitments."""

    head: Head
    entries: list[EntryRow]
    chat: list[ChatRow]
    seeds: dict[str, str] = field(repr=False)


class Store(Protocol):
    """What the hub needs. Every call resolves when it is durable, or raises StorageError and has done nothing."""

    def create(
        self, table: TableRow, seats: Sequence[SeatRow], lines: Sequence[str], seeds: Mapping[str, str]
    ) -> Awaitable[None]:
        """A new table with the first lines of its record."""

    def append(
        self,
        table: str,
        expected_n: int,
        lines: Sequence[str],
        move_id: str | None = None,
        seeds: Mapping[str, str] | None = None,
    ) -> asyncio.Future[int]:
        """All lines of one move, after the first `expected_n`; the number of the last. Begins at once, also when it is
        not awaited. A known `move_id` gives its number again; another number of lines than expected is a Conflict.
        """

    def set_table(
        self, table: str, *, closed: bool | None = None, chat: bool | None = None, adviser: int | None = None
    ) -> asyncio.Future[None]:
        """Open or close a table, or its chat; switch its adviser on or off, as `TableRow.adviser` has it."""

    def set_review(self, table: str, n: int, body: str) -> asyncio.Future[None]:
        """Keep what the adviser says of the whole game, whose record has `n` lines."""

    def review(self, table: str, n: int) -> Awaitable[str]:
        """What was kept of it; "" if nothing, or for another number of lines."""

    def add_host(self, table: str, token_hash: str) -> asyncio.Future[str]:
        """One more token of the host beside the last few; all of them, as `TableRow.host_hash` holds them."""

    def note(self, notes: Sequence[Note]) -> asyncio.Future[None]:
        """Note these for lists, all at once."""

    def set_seat(self, table: str, seat: int, fields: Mapping[str, Any]) -> asyncio.Future[None]:
        """Change these fields of a SeatRow, and no others."""

    def say(self, table: str, row: ChatRow) -> asyncio.Future[None]: ...

    def head(self, table: str) -> Awaitable[Head | None]: ...

    def heads(self, most: int) -> Awaitable[list[Head]]:
        """The newest tables, the newest first."""

    def load(self, table: str, chat: int) -> Awaitable[Stored | None]:
        """A table with all lines of its record and the last lines of its chat."""

    def delete(self, table: str) -> Awaitable[bool]:
        """Forget a table with all that belongs to it; whether it was there."""


# ---------------------------------------------------------------------------------------------------- SQLite

T = TypeVar("T")


class _Append(NamedTuple):
    table: str
    expected_n: int
    lines: Sequence[str]
    move_id: str | None
    seeds: Mapping[str, str]
    done: asyncio.Future[Any]


class _Task(NamedTuple):
    """Anything else, in its turn: `work` runs in a transaction of its own, or in none (`bare`)."""

    work: Callable[[sqlite3.Connection], Any]
    done: asyncio.Future[Any]
    bare: bool = False


_INSERT_ENTRIES = """
INSERT INTO entries (table_id, n, line, at, move_id, reply)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
       json_extract(value, '$[3]'), json_extract(value, '$[4]'), json_extract(value, '$[5]')
FROM json_each(?)
"""
_COUNT = """
SELECT (SELECT COALESCE(MAX(n), 0) FROM entries WHERE table_id = tables.id) FROM tables WHERE id = ?
"""
_INSERT_SECRETS = "INSERT OR IGNORE INTO secrets (table_id, commitment, seed) VALUES (?, ?, ?)"


class SqliteStore:
    """One SQLite file. Open it on the event loop that uses it; `close` waits for what is under way.

    `busy`: how many seconds a write waits for another process that holds the file.
    """

    def __init__(self, path: str | os.PathLike[str], *, busy: float = 2.0) -> None:
        self.path = Path(path)
        self._busy = busy
        self._jobs: queue.SimpleQueue[_Append | _Task | None] = queue.SimpleQueue()
        self._counts: dict[str, int] = {}
        """The writer's own: how many lines each table has that it wrote to lately."""
        self._closed = False
        try:
            if not self.path.exists():
                _make(self.path)
            self._db = self._connect()
            self._prepare()
        except sqlite3.Error as error:
            raise _in_words(error, self.path) from None
        self._thread = threading.Thread(target=self._write_on, name="beachhead-store", daemon=True)
        self._thread.start()

    def __repr__(self) -> str:
        return f"<SqliteStore {self.path}>"

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, timeout=self._busy, isolation_level=None, check_same_thread=False)
        db.execute("PRAGMA synchronous = FULL")
        return db

    def _prepare(self) -> None:
        db = self._db
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("BEGIN IMMEDIATE")
        (version,) = db.execute("PRAGMA user_version").fetchone()
        steps = [SCHEMA, REVIEWS] if version == 0 else [STEPS[at] for at in range(version, VERSION)]
        for step in steps:
            for statement in step.split(";"):
                if statement.strip():
                    db.execute(statement)
        if steps:
            db.execute(f"PRAGMA user_version = {VERSION}")
        db.execute("COMMIT")
        if version > VERSION:
            db.close()
            raise StorageError("newer", file=str(self.path), version=version, known=VERSION)

    # ---- writing

    def create(
        self, table: TableRow, seats: Sequence[SeatRow], lines: Sequence[str], seeds: Mapping[str, str]
    ) -> asyncio.Future[None]:
        def work(db: sqlite3.Connection) -> None:
            db.execute(f"INSERT INTO tables VALUES ({', '.join('?' * len(table))})", table)
            db.executemany("INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?)", [(table.id, *seat) for seat in seats])
            rows = [(table.id, n, line, table.created, None, None) for n, line in enumerate(lines, 1)]
            db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", rows)
            db.executemany(_INSERT_SECRETS, [(table.id, *pair) for pair in seeds.items()])

        return self._do(work)

    def append(
        self,
        table: str,
        expected_n: int,
        lines: Sequence[str],
        move_id: str | None = None,
        seeds: Mapping[str, str] | None = None,
    ) -> asyncio.Future[int]:
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._put(_Append(table, expected_n, lines, move_id, seeds or {}, done))
        return done

    def set_table(
        self, table: str, *, closed: bool | None = None, chat: bool | None = None, adviser: int | None = None
    ) -> asyncio.Future[None]:
        def work(db: sqlite3.Connection) -> None:
            db.execute(
                "UPDATE tables SET closed = COALESCE(?, closed), chat = COALESCE(?, chat), "
                "adviser = COALESCE(?, adviser), advised = MAX(advised, COALESCE(? >= 0, 0)) WHERE id = ?",
                (closed, chat, adviser, adviser, table),
            )

        return self._do(work)

    def set_review(self, table: str, n: int, body: str) -> asyncio.Future[None]:
        def work(db: sqlite3.Connection) -> None:
            db.execute("INSERT OR REPLACE INTO reviews SELECT id, ?, ? FROM tables WHERE id = ?", (n, body, table))

        return self._do(work)

    def add_host(self, table: str, token_hash: str) -> asyncio.Future[str]:
        def work(db: sqlite3.Connection) -> str:
            row = db.execute("SELECT host_hash FROM tables WHERE id = ?", (table,)).fetchone()
            known = row[0].split() if row else []
            found = " ".join([*known[-(MOST_HOSTS - 1) :], token_hash])
            db.execute("UPDATE tables SET host_hash = ? WHERE id = ?", (found, table))
            return found

        return self._do(work)

    def note(self, notes: Sequence[Note]) -> asyncio.Future[None]:
        def work(db: sqlite3.Connection) -> None:
            db.executemany(
                "UPDATE tables SET noted = ?, turn = ?, points = ?, undone = ? WHERE id = ?",
                [(*note[1:], note.id) for note in notes],
            )

        return self._do(work)

    def set_seat(self, table: str, seat: int, fields: Mapping[str, Any]) -> asyncio.Future[None]:
        assert fields.keys() <= set(SeatRow._fields), fields.keys()
        names = ", ".join(f"{name} = ?" for name in fields)

        def work(db: sqlite3.Connection) -> None:
            db.execute(f"UPDATE seats SET {names} WHERE table_id = ? AND seat = ?", (*fields.values(), table, seat))

        return self._do(work)

    def say(self, table: str, row: ChatRow) -> asyncio.Future[None]:
        def work(db: sqlite3.Connection) -> None:
            db.execute("INSERT INTO chat VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (table, *row))

        return self._do(work)

    def delete(self, table: str) -> asyncio.Future[bool]:
        def work(db: sqlite3.Connection) -> bool:
            self._counts.pop(table, None)
            there = db.execute("DELETE FROM tables WHERE id = ?", (table,)).rowcount
            for place in PLACES[1:]:
                db.execute(f"DELETE FROM {place} WHERE table_id = ?", (table,))
            return bool(there)

        return self._do(work)

    # ---- reading

    def review(self, table: str, n: int) -> Awaitable[str]:
        def work(db: sqlite3.Connection) -> str:
            row = db.execute("SELECT body FROM reviews WHERE table_id = ? AND n = ?", (table, n)).fetchone()
            return str(row[0]) if row else ""

        return self._read(work)

    def head(self, table: str) -> Awaitable[Head | None]:
        return self._read(lambda db: _head(db, table))

    def heads(self, most: int) -> Awaitable[list[Head]]:
        def work(db: sqlite3.Connection) -> list[Head]:
            return _heads(db, "ORDER BY created DESC, id LIMIT ?", most)

        return self._read(work)

    def load(self, table: str, chat: int = 200) -> Awaitable[Stored | None]:
        def work(db: sqlite3.Connection) -> Stored | None:
            head = _head(db, table)
            if head is None:
                return None
            entries = db.execute(
                "SELECT n, line, move_id, reply FROM entries WHERE table_id = ? ORDER BY n", (table,)
            ).fetchall()
            said = db.execute(
                "SELECT n, id, seat, name, text, phrase, at FROM chat WHERE table_id = ? ORDER BY n DESC LIMIT ?",
                (table, chat),
            ).fetchall()
            seeds = db.execute("SELECT commitment, seed FROM secrets WHERE table_id = ?", (table,)).fetchall()
            return Stored(
                head, [EntryRow(*row) for row in entries], [ChatRow(*row) for row in reversed(said)], dict(seeds)
            )

        return self._read(work)

    def backup(self, path: str | os.PathLike[str]) -> Awaitable[None]:
        """A copy of the file as it is now, made while the writing goes on; a file of that name is never replaced."""
        target = Path(path)

        def work(db: sqlite3.Connection) -> None:
            if target.exists():
                raise StorageError("there", file=str(target))
            part = target.with_name(f".{target.name}.part")
            part.unlink(missing_ok=True)
            try:
                _make(part)
                copy = sqlite3.connect(part)
                try:
                    db.backup(copy)
                    copy.execute("PRAGMA journal_mode = DELETE")
                finally:
                    copy.close()
                with open(part, "rb+") as file:
                    os.fsync(file.fileno())
                os.rename(part, target)
            except OSError as error:
                raise StorageError("no-copy", file=str(target), error=error.strerror or str(error)) from None
            finally:
                part.unlink(missing_ok=True)

        return self._read(work)

    async def check(self) -> str:
        """What SQLite says about the soundness of the file: "ok", or what is wrong."""
        return await self._read(lambda db: "\n".join(row[0] for row in db.execute("PRAGMA integrity_check")))

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """In a thread with a connection of its own, in one read transaction; the writer is not kept waiting."""

        def run() -> T:
            db = None
            try:
                db = self._connect()
                db.execute("BEGIN")
                return work(db)
            except sqlite3.Error as error:
                raise _in_words(error, self.path) from None
            finally:
                if db is not None:
                    db.close()

        return await asyncio.to_thread(run)

    # ---- the writer

    def _do(self, work: Callable[[sqlite3.Connection], T], bare: bool = False) -> asyncio.Future[T]:
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._put(_Task(work, done, bare))
        return done

    def _put(self, job: _Append | _Task) -> None:
        if self._closed:
            raise StorageError("closed")
        self._jobs.put(job)

    async def close(self) -> None:
        """Write what is waiting, then close the file. Safe to call twice."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    def _write_on(self) -> None:
        """The writer: take what has come in, write it, tell the loop; until None comes."""
        jobs = self._jobs
        while True:
            batch = [jobs.get()]
            while batch[-1] is not None and len(batch) < MOST_AT_ONCE:
                try:
                    batch.append(jobs.get_nowait())
                except queue.Empty:
                    break
            appends: list[_Append] = []
            for job in batch:
                if isinstance(job, _Append):
                    appends.append(job)
                    continue
                if appends:
                    self._tell(self._append_all(appends))
                    appends = []
                if job is None:
                    self._db.close()
                    return
                self._tell([(job.done, self._run(job.work, job.bare))])
            if appends:
                self._tell(self._append_all(appends))

    def _tell(self, results: list[tuple[asyncio.Future[Any], Any]]) -> None:
        try:
            results[0][0].get_loop().call_soon_threadsafe(_settle, results)
        except RuntimeError:  # the loop is closed: nobody waits any more
            pass

    def _run(self, work: Callable[[sqlite3.Connection], Any], bare: bool = False) -> Any:
        """What the work gives, or the exception that it ended in, and then nothing of it is stored."""
        db = self._db
        try:
            if bare:
                return work(db)
            db.execute("BEGIN IMMEDIATE")
            found = work(db)
            db.execute("COMMIT")
            return found
        except sqlite3.Error as error:
            self._roll_back(error)
            return _in_words(error, self.path)
        except Exception as error:
            self._roll_back(error)
            return error

    def _roll_back(self, error: Exception) -> None:
        try:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
        except sqlite3.Error as worse:
            error = worse
        if _primary(error) in _REOPEN:
            try:
                fresh = self._connect()
            except sqlite3.Error:
                return
            self._db.close()
            self._db = fresh

    def _append_all(self, appends: list[_Append]) -> list[tuple[asyncio.Future[Any], Any]]:
        """All appends in one transaction and, as each call into SQLite may have to wait for the interpreter, in as few
        statements as can be. Where one is not as it should be, each gets a transaction of its own.
        """
        counts = self._counts
        rows: list[tuple[Any, ...]] = []
        seeds: list[tuple[str, str, str]] = []
        results: list[tuple[asyncio.Future[Any], Any]] = []
        fits: list[_Append] = []
        odd: list[_Append] = []
        now = time.time()
        for job in appends:
            table, n = job.table, job.expected_n
            count = counts.get(table)
            if count is None:
                count = self._count(table)
            if count != n:
                odd.append(job)
                continue
            fits.append(job)
            reply = counts[table] = n + len(job.lines)
            move_id = job.move_id
            for line in job.lines:
                n += 1
                rows.append((table, n, line, now, move_id, None if move_id is None else reply))
                move_id = None
            if job.seeds:
                seeds += [(table, *pair) for pair in job.seeds.items()]
            results.append((job.done, reply))
        if fits:
            found = self._run(lambda db: _insert(db, rows, seeds))
            if found is not None:
                for job in fits:
                    counts.pop(job.table, None)
                if isinstance(found, _Clash):
                    results = [(job.done, self._append_alone(job)) for job in fits]
                else:
                    results = [(job.done, found) for job in fits]
        results += [(job.done, self._append_alone(job)) for job in odd]
        return results

    def _count(self, table: str) -> int | None:
        """How many lines the table has; None if it is not there or cannot be read now."""
        try:
            row = self._db.execute(_COUNT, (table,)).fetchone()
        except sqlite3.Error:
            return None
        if row is None:
            return None
        if len(self._counts) >= MOST_COUNTS:
            self._counts.clear()
        self._counts[table] = int(row[0])
        return int(row[0])

    def _append_alone(self, job: _Append) -> Any:
        self._counts.pop(job.table, None)
        return self._run(lambda db: self._append_one(db, job))

    def _append_one(self, db: sqlite3.Connection, job: _Append) -> int:
        table, n, lines, move_id, seeds, _ = job
        if move_id is not None:
            known = db.execute("SELECT reply FROM entries WHERE table_id = ? AND move_id = ?", (table, move_id))
            if row := known.fetchone():
                return int(row[0])
        row = db.execute(_COUNT, (table,)).fetchone()
        if row is None:
            raise Conflict("no-table", table=table)
        if row[0] != n:
            raise Conflict("changed", table=table, found=row[0], wanted=n)
        reply = n + len(lines)
        now = time.time()
        rows: list[tuple[Any, ...]] = [(table, n + i, line, now, None, None) for i, line in enumerate(lines, 1)]
        if move_id is not None and rows:
            rows[0] = (*rows[0][:4], move_id, reply)
        _insert(db, rows, [(table, *pair) for pair in seeds.items()])
        return reply


def _make(path: Path) -> None:
    """An empty file that nobody else on this machine may read: seeds will be in it."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        raise StorageError("cannot-open", file=path.name, error=error.strerror or str(error)) from None


class _Clash(StorageError):
    """A row was there already."""


def _insert(db: sqlite3.Connection, rows: list[tuple[Any, ...]], seeds: list[tuple[str, str, str]]) -> None:
    db.execute(_INSERT_ENTRIES, (json.dumps(rows, ensure_ascii=False),))
    if seeds:
        db.executemany(_INSERT_SECRETS, seeds)


def _settle(results: list[tuple[asyncio.Future[Any], Any]]) -> None:
    for done, found in results:
        if not done.done():
            if isinstance(found, BaseException):
                done.set_exception(found)
            else:
                done.set_result(found)


def _head(db: sqlite3.Connection, table: str) -> Head | None:
    return next(iter(_heads(db, "WHERE id = ?", table)), None)


def _heads(db: sqlite3.Connection, which: str, value: str | int) -> list[Head]:
    """The heads of these tables, in as many statements for all as for one."""
    seats: dict[str, list[SeatRow]] = {}
    found = db.execute(
        "SELECT table_id, seat, who, name, bot, token_hash, hosts FROM seats "
        f"WHERE table_id IN (SELECT id FROM tables {which}) ORDER BY table_id, seat",
        (value,),
    )
    for id, *seat in found:
        row = SeatRow(*seat)
        seats.setdefault(id, []).append(row._replace(hosts=bool(row.hosts)))
    heads = []
    rows = db.execute(
        "SELECT chosen.*, entries.n, entries.line, entries.at "
        f"FROM (SELECT {', '.join(TableRow._fields)} FROM tables {which}) AS chosen "
        "LEFT JOIN entries ON table_id = id AND n = (SELECT MAX(n) FROM entries WHERE table_id = id) "
        "ORDER BY created DESC, id",
        (value,),
    )
    for *fields, n, line, at in rows:
        table = TableRow(*fields)
        table = table._replace(
            practice=bool(table.practice),
            closed=bool(table.closed),
            chat=bool(table.chat),
            advised=bool(table.advised),
        )
        heads.append(Head(table, seats.get(table.id, []), n or 0, line or "", at or table.created))
    return heads


# ---- errors in words

_REOPEN = frozenset((sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT))
_WHY = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_BUSY: "held",
    sqlite3.SQLITE_LOCKED: "held",
    sqlite3.SQLITE_READONLY: "read-only",
    sqlite3.SQLITE_IOERR: "disk",
    sqlite3.SQLITE_CANTOPEN: "cannot-open",
    sqlite3.SQLITE_NOTADB: "no-database",
    sqlite3.SQLITE_CORRUPT: "damaged",
}


def _primary(error: BaseException) -> int:
    return int(getattr(error, "sqlite_errorcode", 0) or 0) & 255


def _in_words(error: sqlite3.Error, path: Path) -> StorageError:
    if isinstance(error, sqlite3.IntegrityError):
        return _Clash("clash", file=path.name, error=str(error))
    return StorageError(_WHY.get(_primary(error), "other"), file=path.name, error=str(error))
