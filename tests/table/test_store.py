"""The store: durable and whole or not at all, in words when it fails, and well again when the cause is gone."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from beachhead.table.store import SCHEMA, VERSION, ChatRow, Conflict, Note, SeatRow, SqliteStore, StorageError, TableRow

SEED = "5eed" * 16


def table(id: str = "t", created: float = 1.0) -> TableRow:
    return TableRow(id, created, "tiny", '{"rounds":3}', '{"beachhead":1}', False, "a title", "hh", "wh")


SEATS = [SeatRow(0, "person", "Ann", "", "h0", True), SeatRow(1, "bot", "", "random", "", False)]


def run(path: Path, script: Callable[[SqliteStore], Awaitable[None]], **options: Any) -> None:
    """The script on a store that is opened before and closed after it."""

    async def whole() -> None:
        store = SqliteStore(path, **options)
        try:
            await asyncio.wait_for(script(store), 300)
        finally:
            await store.close()

    asyncio.run(whole())


async def texts(store: SqliteStore, id: str = "t") -> list[str]:
    found = await store.load(id)
    assert found is not None
    assert [entry.n for entry in found.entries] == list(range(1, len(found.entries) + 1))
    return [entry.line for entry in found.entries]


def test_what_is_stored_comes_back_after_the_file_was_closed(tmp_path: Path) -> None:
    async def write(store: SqliteStore) -> None:
        await store.create(table(), SEATS, ["one", "zwei é"], {"c1": SEED})
        assert await store.append("t", 2, ["three", "four"], "m1", {"c2": "other"}) == 4
        assert await store.append("t", 4, ["five"]) == 5
        await store.say("t", ChatRow(1, "i1", 0, "Ann", "hello", "", 7.0))
        await store.set_seat("t", 1, {"who": "open", "token_hash": "h1"})
        await store.set_table("t", closed=True)
        await store.set_table("t", chat=False)

    async def read(store: SqliteStore) -> None:
        found = await store.load("t")
        assert found is not None
        assert found.head.table == table()._replace(closed=True, chat=False)
        assert found.head.seats == [SEATS[0], SeatRow(1, "open", "", "random", "h1", False)]
        assert [tuple(entry) for entry in found.entries] == [
            (1, "one", None, None),
            (2, "zwei é", None, None),
            (3, "three", "m1", 4),
            (4, "four", None, None),
            (5, "five", None, None),
        ]
        assert found.chat == [ChatRow(1, "i1", 0, "Ann", "hello", "", 7.0)]
        assert found.seeds == {"c1": SEED, "c2": "other"}
        assert SEED not in repr(found) + repr(store)
        assert found.head == await store.head("t")
        assert (found.head.n, found.head.last) == (5, "five")

    run(tmp_path / "a.db", write)
    run(tmp_path / "a.db", read)


def test_a_commit_waits_for_the_disk(tmp_path: Path) -> None:
    async def script(store: SqliteStore) -> None:
        for name, value in (("journal_mode", "wal"), ("synchronous", 2)):
            found = await store._do(lambda db, name=name: db.execute(f"PRAGMA {name}").fetchone(), bare=True)  # type: ignore[misc]
            assert found == (value,)

    run(tmp_path / "a.db", script)
    run(tmp_path / "a.db", script)


def test_tables_are_listed_newest_first_and_can_be_forgotten(tmp_path: Path) -> None:
    async def script(store: SqliteStore) -> None:
        for id, created in (("old", 1.0), ("new", 3.0), ("mid", 2.0)):
            await store.create(table(id, created), SEATS, ["one"], {id: SEED})
        assert [head.table.id for head in await store.heads(10)] == ["new", "mid", "old"]
        assert [head.table.id for head in await store.heads(2)] == ["new", "mid"]
        assert await store.delete("new") and not await store.delete("new")
        assert await store.load("new") is None and await store.head("new") is None
        with pytest.raises(Conflict, match="no table new"):
            await store.append("new", 1, ["two"])
        for place in ("tables", "seats", "entries", "chat", "secrets"):
            rows = sqlite3.connect(store.path).execute(f"SELECT * FROM {place}").fetchall()
            assert not [row for row in rows if "new" in row]

    run(tmp_path / "a.db", script)


def test_a_wrong_number_is_refused_and_a_known_move_is_told_again(tmp_path: Path) -> None:
    async def script(store: SqliteStore) -> None:
        for expected in (0, 2, 5):
            with pytest.raises(Conflict, match=f"has 1 entries, not {expected}"):
                await store.append("t", expected, ["x"], f"wrong{expected}")
        assert await store.append("t", 1, ["two", "three"], "m1") == 3
        for expected in (1, 3, 9):
            assert await store.append("t", expected, ["two", "three"], "m1") == 3
        assert await texts(store) == ["one", "two", "three"]

    async def again(store: SqliteStore) -> None:
        assert await store.append("t", 3, ["two", "three"], "m1") == 3
        assert await store.append("t", 3, ["four"], "m2") == 4
        assert await texts(store) == ["one", "two", "three", "four"]

    async def make(store: SqliteStore) -> None:
        await store.create(table(), SEATS, ["one"], {})

    run(tmp_path / "a.db", make)
    run(tmp_path / "a.db", script)
    run(tmp_path / "a.db", again)


def test_many_appends_share_a_transaction_and_a_bad_one_spoils_no_other(tmp_path: Path) -> None:
    async def script(store: SqliteStore) -> None:
        for number in range(50):
            await store.create(table(f"t{number}"), SEATS, [], {})
        commits: list[str] = []
        db = store._db
        await store._do(lambda _: db.set_trace_callback(commits.append), bare=True)
        calls = [store.append(f"t{number}", n, [f"{n}"]) for n in range(20) for number in range(50)]
        bad = store.append("t7", 5, ["again"])
        late = store.append("t7", 20, ["after"])
        assert await asyncio.gather(*calls) == [n + 1 for n in range(20) for _ in range(50)]
        assert isinstance((await asyncio.gather(bad, return_exceptions=True))[0], Conflict)
        assert await late == 21
        assert 1 <= commits.count("COMMIT") < 100
        for number in range(50):
            assert (await texts(store, f"t{number}"))[:20] == [str(n) for n in range(20)]

    run(tmp_path / "a.db", script)


def test_an_append_that_nobody_waits_for_any_more_is_stored(tmp_path: Path) -> None:
    async def script(store: SqliteStore) -> None:
        await store.create(table(), SEATS, [], {})
        store.append("t", 0, ["one"]).cancel()
        assert await store.append("t", 1, ["two"]) == 2
        assert await texts(store) == ["one", "two"]

    run(tmp_path / "a.db", script)


def test_a_store_that_is_closed_has_written_everything_and_takes_nothing_more(tmp_path: Path) -> None:
    async def script() -> None:
        store = SqliteStore(tmp_path / "a.db")
        await store.create(table(), SEATS, [], {})
        calls = [store.append("t", n, [str(n)]) for n in range(100)]
        await store.close()
        await store.close()
        assert await asyncio.gather(*calls) == list(range(1, 101))
        with pytest.raises(StorageError, match="closed"):
            store.append("t", 100, ["x"])

    asyncio.run(script())


# ---- when something is in the way


def test_a_full_disk_is_told_in_words_and_nothing_is_half_written(tmp_path: Path) -> None:
    long = "x" * 3000

    async def script(store: SqliteStore) -> None:
        await store.create(table(), SEATS, ["one"], {})
        await store.create(table("u"), SEATS, ["one"], {})

        def limit(pages: int) -> asyncio.Future[Any]:
            return store._do(lambda db: db.execute(f"PRAGMA max_page_count = {pages}").fetchone(), bare=True)

        await limit(1)  # SQLite takes as many as are in use
        full = [store.append(id, 1, [long] * 5, "m1", {"c": SEED}) for id in ("t", "u")]
        for error in await asyncio.gather(*full, return_exceptions=True):
            assert isinstance(error, StorageError) and "disk is full" in str(error)
        assert await texts(store) == await texts(store, "u") == ["one"]
        found = await store.load("t")
        assert found is not None and found.seeds == {}
        with pytest.raises(StorageError, match="disk is full"):
            await store.create(table("v"), SEATS, [long] * 5, {})
        assert await store.head("v") is None
        await limit(100_000)
        assert await store.append("t", 1, [long] * 5, "m1") == 6
        assert await store.append("u", 1, [long] * 5, "m1") == 6
        assert await store.check() == "ok"

    run(tmp_path / "a.db", script)


def test_a_file_that_must_not_grow_is_told_in_words(tmp_path: Path) -> None:
    """The operating system refuses to let any file grow beyond a size, as a full disk does."""
    script = """
        import asyncio, resource, sys
        from beachhead.table.store import SqliteStore, StorageError
        from tests.table.test_store import SEATS, table, texts

        async def main():
            store = SqliteStore(sys.argv[1])
            await store.create(table(), SEATS, ["one"], {})
            most = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, most[1]))
            n, refused = 1, 0
            while refused < 3:
                try:
                    n = await store.append("t", n, ["x" * 20_000] * 2)
                except StorageError as error:
                    assert "disk" in str(error), error
                    refused += 1
                assert n < 100
            resource.setrlimit(resource.RLIMIT_FSIZE, most)
            assert len(await texts(store)) == n
            assert await store.append("t", n, ["end"]) == n + 1
            assert await store.check() == "ok"
            await store.close()
            print("well", n)

        asyncio.run(main())
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), str(tmp_path / "a.db")],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.stdout.startswith("well"), done.stderr


def test_a_file_that_another_program_holds_is_waited_for_and_told_in_words(tmp_path: Path) -> None:
    async def give_up(store: SqliteStore) -> None:
        await store.create(table(), SEATS, ["one"], {})
        other = sqlite3.connect(store.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match="another program holds the file"):
            await store.append("t", 1, ["two"], "m1")
        other.close()
        assert await texts(store) == ["one"]

    async def wait(store: SqliteStore) -> None:
        other = sqlite3.connect(store.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        waiting = store.append("t", 1, ["two"], "m1")
        await asyncio.sleep(0.05)
        other.close()
        assert await waiting == 2
        assert await texts(store) == ["one", "two"]

    run(tmp_path / "a.db", give_up, busy=0.3)
    run(tmp_path / "a.db", wait, busy=100)


def test_a_file_that_can_only_be_read_is_told_in_words(tmp_path: Path) -> None:
    async def script(store: SqliteStore) -> None:
        await store.create(table(), SEATS, ["one"], {})
        await store._do(lambda db: db.execute("PRAGMA query_only = ON"), bare=True)
        with pytest.raises(StorageError, match="can only be read"):
            await store.append("t", 1, ["two"])
        with pytest.raises(StorageError, match="can only be read"):
            await store.set_seat("t", 0, {"name": "Bob"})
        await store._do(lambda db: db.execute("PRAGMA query_only = OFF"), bare=True)
        assert await store.append("t", 1, ["two"]) == 2

    run(tmp_path / "a.db", script)


def test_what_is_no_store_is_refused_in_words_and_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "text.db"
    text.write_text("This is a letter to my aunt. " * 50)
    with pytest.raises(StorageError, match="no database of Beachhead"):
        SqliteStore(text)
    assert text.read_text().startswith("This is a letter")
    with pytest.raises(StorageError, match="cannot be opened"):
        SqliteStore(tmp_path / "no" / "folder.db")
    newer = tmp_path / "newer.db"
    db = sqlite3.connect(newer)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StorageError, match="newer Beachhead"):
        SqliteStore(newer)


FIRST_TABLES = """
CREATE TABLE tables (
    id TEXT PRIMARY KEY, created REAL NOT NULL, game TEXT NOT NULL, setup TEXT NOT NULL, header TEXT NOT NULL,
    practice INTEGER NOT NULL, title TEXT NOT NULL, host_hash TEXT NOT NULL, watch_hash TEXT NOT NULL,
    closed INTEGER NOT NULL, chat INTEGER NOT NULL, fork_of TEXT NOT NULL, fork_at INTEGER NOT NULL
) WITHOUT ROWID;
"""
"""As version 1 had it."""


def test_a_file_of_the_first_version_is_brought_up_to_date_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    db = sqlite3.connect(path)
    db.executescript(FIRST_TABLES + SCHEMA[SCHEMA.index("CREATE INDEX tables_created") :])
    db.execute(f"INSERT INTO tables VALUES ({', '.join('?' * 13)})", table()[:13])
    db.execute("INSERT INTO entries VALUES ('t', 1, 'one', 2.0, NULL, NULL)")
    db.execute("PRAGMA user_version = 1")
    db.commit()
    db.close()

    async def script(store: SqliteStore) -> None:
        assert await texts(store) == ["one"]
        head = await store.head("t")
        assert head is not None and head.table == table()
        await store.create(table("u", 2.0), SEATS, ["one"], {})
        await store.note([Note("t", 1, 7, 30, 2), Note("u", 1, 3, None, 0)])
        assert [(head.table.id, *head.table[13:17]) for head in await store.heads(5)] == [
            ("u", 1, 3, None, 0),
            ("t", 1, 7, 30, 2),
        ]

    run(path, script)
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA user_version").fetchone() == (VERSION,)
    db.close()


def test_many_heads_are_those_of_each_table_alone_the_newest_first(tmp_path: Path) -> None:
    async def script(store: SqliteStore) -> None:
        for number in range(5):
            lines = [f"line {n}" for n in range(number)]
            await store.create(table(f"t{number}", float(number)), SEATS[: number % 3], lines, {})
        await store.set_table("t3", closed=True)
        heads = await store.heads(4)
        assert [head.table.id for head in heads] == ["t4", "t3", "t2", "t1"]
        assert heads == [await store.head(head.table.id) for head in heads]
        assert [(head.n, head.last, len(head.seats)) for head in heads] == [
            (4, "line 3", 1),
            (3, "line 2", 0),
            (2, "line 1", 2),
            (1, "line 0", 1),
        ]
        (last,) = (await store.heads(9))[4:]
        assert (last.n, last.last, last.changed) == (0, "", 0.0)

    run(tmp_path / "tables.db", script)


# ---- copies


def test_a_copy_made_under_load_holds_all_that_was_durable_before(tmp_path: Path) -> None:
    async def script(store: SqliteStore) -> None:
        for number in range(10):
            await store.create(table(f"t{number}"), SEATS, [], {f"c{number}": SEED})
        durable = [0] * 10
        stop = False

        async def grow(number: int) -> None:
            while not stop:
                durable[number] = await store.append(f"t{number}", durable[number], ["x" * 200])

        growing = [asyncio.create_task(grow(number)) for number in range(10)]
        for copy in range(3):
            grown = sum(durable)
            while sum(durable) < grown + 10:
                await asyncio.sleep(0.01)
            before = list(durable)
            await store.backup(tmp_path / f"copy{copy}.db")
            held = SqliteStore(tmp_path / f"copy{copy}.db")
            for number in range(10):
                assert len(await texts(held, f"t{number}")) >= before[number]
            assert await held.check() == "ok"
            await held.close()
        with pytest.raises(StorageError, match="already there"):
            await store.backup(tmp_path / "copy0.db")
        with pytest.raises(StorageError, match="cannot be opened"):
            await store.backup(tmp_path / "no" / "copy.db")
        if os.name == "posix":
            for name in ("a.db", "a.db-wal", "copy0.db"):
                assert (tmp_path / name).stat().st_mode & 0o077 == 0, f"{name} can be read by others"
        stop = True
        await asyncio.gather(*growing)
        assert sorted(path.name for path in tmp_path.iterdir() if ".part" in path.name) == []

    run(tmp_path / "a.db", script)
