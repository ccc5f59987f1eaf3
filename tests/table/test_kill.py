"""A server that is killed at any moment: nothing acknowledged is lost, nothing comes twice, nothing is torn."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from beachhead.core import record as records
from beachhead.core.record import Answered, Record, Undone
from beachhead.table.match import Match
from beachhead.table.store import SqliteStore

from .. import luck
from . import worker
from .tiny_game import GAMES

TABLES = 12
AGAIN = 40
"""So many of the last acknowledged moves are sent again after each kill."""
MOVES = 20
"""So many more are acknowledged before each kill."""


def read(acks: Path) -> list[Any]:
    """The whole lines of the file; the last may be torn."""
    lines = acks.read_bytes().split(b"\n")[:-1] if acks.exists() else []
    return [json.loads(line) for line in lines]


def kill_and_look(folder: Path, kills: int, rng: random.Random) -> int:
    """So many kills, each followed by a look at the store; the number of acknowledged moves."""
    path, acks = folder / "tables.db", folder / "acks"
    tables = asyncio.run(worker.prepare(str(path), TABLES))
    for kill in range(kills):
        before = read(acks)
        known = [ack for ack in before if ack != "ready"]
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.table.worker", str(path), str(acks), f"{luck.LUCK}.{kill}"],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdin and process.stderr
        process.stdin.write(json.dumps({"tables": tables, "again": known[-AGAIN:]}))
        process.stdin.close()
        until = time.monotonic() + 300
        while len(read(acks)) <= len(before) + MOVES:  # the first new line says that it is ready
            assert process.poll() is None, process.stderr.read()
            assert time.monotonic() < until
            time.sleep(0.01)
        time.sleep(rng.random() * 0.5)
        assert process.poll() is None, process.stderr.read()
        process.kill()
        process.wait()
        process.stderr.close()
        if not acks.read_bytes().endswith(b"\n"):
            whole = acks.read_bytes().rpartition(b"\n")[0] + b"\n"
            acks.write_bytes(whole)
        look(path, [ack for ack in read(acks) if ack != "ready"])
    return len(read(acks)) - kills


def look(path: Path, acks: list[Any]) -> None:
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    rows = db.execute("SELECT table_id, n, line, move_id, reply FROM entries ORDER BY table_id, n").fetchall()
    db.close()
    numbers: dict[str, list[int]] = {}
    moves: dict[tuple[str, str], tuple[str, int]] = {}
    for table, n, line, move_id, reply in rows:
        numbers.setdefault(table, []).append(n)
        if move_id is not None:
            assert (table, move_id) not in moves, "a duplicate"
            moves[table, move_id] = (line, reply)
    for held in numbers.values():
        assert held == list(range(1, len(held) + 1)), "a gap"
    for table, n, id, _, seat, seq, key in acks:
        assert (table, id) in moves, "an acknowledged move is lost"
        line, reply = moves[table, id]
        assert reply == n
        entry = json.loads(line)
        assert entry[0] == "undo" if key == "undo" else entry[:4] == ["answer", seat, seq, key]


async def replay(path: Path) -> int:
    """Every table can be gone on with from its seeds, and no move is torn: a step by step replay ends at a question."""
    store = SqliteStore(path)
    answers = 0
    for head in await store.heads(100):
        stored = await store.load(head.table.id)
        assert stored is not None
        lines = [head.table.header, *(entry.line for entry in stored.entries), ""]
        saved = records.parse("\n".join(lines).encode(), "stored")
        match = Match.resume(Record(saved.header, saved.entries), GAMES, stored.seeds)
        assert match.n == len(stored.entries), "a roll was missing"
        answers += sum(isinstance(entry, Answered | Undone) for entry in saved.entries)
    await store.close()
    return answers


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    acked = kill_and_look(tmp_path, 3, random.Random(1))
    stored = asyncio.run(replay(tmp_path / "tables.db"))
    assert acked >= 3 * MOVES and acked <= stored <= acked + 3 * TABLES


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_in_many_kills(tmp_path: Path) -> None:
    acked = kill_and_look(tmp_path, 60, random.Random(2))
    stored = asyncio.run(replay(tmp_path / "tables.db"))
    assert acked >= 60 * MOVES and acked <= stored <= acked + 60 * TABLES
    print(f"60 kills, {acked} acknowledged, {stored} stored")
