"""The server dies at any moment (SIGKILL) and is started again: nothing that was acknowledged is lost, nothing is there
twice, and the guests go on by themselves.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from .. import luck
from .running import PATIENCE, Client, ConnectionClosed, ask, listening

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")


class Server:
    """The real command, in a process of its own, that can be killed and started again."""

    def __init__(self, data: Path) -> None:
        with listening() as free:
            self.port = free.getsockname()[1]
        self.data = data
        self.process: subprocess.Popen[bytes] | None = None
        self.starts = 0
        self.log = data.with_suffix(".log")

    def start(self) -> None:
        options = ["serve", "--port", str(self.port), "--data", str(self.data), "--no-browser"]
        with open(self.log, "ab") as log:
            environment = {**os.environ, "BEACHHEAD_DATA": str(self.data.parent)}
            started = [*luck.command(f" start {self.starts}"), *options]
            self.process = subprocess.Popen(started, stdout=log, stderr=log, env=environment)
        self.starts += 1
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                if ask(self.port, "GET", "/api/about").status == 200:
                    return
            except OSError:
                time.sleep(0.05)
        raise AssertionError(self.log.read_text())

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)


class Player(threading.Thread):
    """A guest who plays as fast as it may, comes back whenever the line is dead, and remembers every promise."""

    def __init__(self, server: Server, table: str, token: str, number: int) -> None:
        super().__init__(daemon=True)
        self.client = Client(server.port, table, token)
        self.table = table
        self.chance = Random(number)
        self.number = number
        self.acks: dict[str, int] = {}
        self.moves = 0
        self.returns = 0
        self.stop = threading.Event()
        self.problem = ""

    def run(self) -> None:
        try:
            self._play()
        except Exception as error:
            self.problem = repr(error)

    def _play(self) -> None:
        client = self.client
        waiting: dict[str, Any] | None = None
        while not self.stop.is_set():
            try:
                if client.ws is None:
                    before = client.n
                    if client.greet()["type"] == "bye":
                        raise ConnectionClosed(None, None)
                    self.returns += 1
                    assert client.n >= max([before, *self.acks.values()]), "the table has forgotten something"
                if waiting is None:
                    waiting = client.message(lambda seat, seq, keys: self.chance.choice(keys))
                    if waiting is None:
                        # the game is over: in a practice game the last answer is taken back, and it goes on
                        waiting = {"type": "undo", "base": client.n, "seat": 0}
                    waiting["id"] = f"{self.number}-{self.moves}"
                client.send(waiting)
                answer = client.hear("ack", "refused", "bye")
                if answer["type"] == "bye":
                    raise ConnectionClosed(None, None)
                if answer["type"] == "refused" and answer["code"] == "slow-down":
                    time.sleep(0.1)
                    continue
                assert answer["type"] == "ack", answer
                self.acks[answer["id"]] = answer["n"]
                client.settle(answer["n"])
                waiting = None
                self.moves += 1
            except (ConnectionClosed, OSError, EOFError):
                client.cut()
                time.sleep(0.05)


def kill_often(tmp_path: Path, kills: int, tables: int = 4) -> None:
    chance = Random(kills)
    server = Server(tmp_path / "tables.sqlite")
    server.start()
    players = []
    try:
        for number in range(tables):
            body = '{"setup": {"seats": 1}, "seats": [{"who": "person"}], "practice": true}'
            made = ask(server.port, "POST", "/api/tables", body, {"content-type": "application/json"}).json
            players.append(Player(server, made["table"], made["token"], number))
            players[-1].start()
        for _ in range(kills):
            before = [player.moves for player in players]
            end = time.monotonic() + PATIENCE
            while any(player.moves <= old for player, old in zip(players, before, strict=True)):
                assert time.monotonic() < end, [player.problem for player in players]
                time.sleep(0.01)
            time.sleep(chance.random() * 0.5)
            server.kill()
            server.start()
        before = [player.moves for player in players]
        end = time.monotonic() + PATIENCE
        while any(player.moves <= old for player, old in zip(players, before, strict=True)):
            assert time.monotonic() < end, [player.problem for player in players]
            time.sleep(0.02)
        for player in players:
            player.stop.set()
        for player in players:
            player.join(PATIENCE)
            assert not player.is_alive()
            assert not player.problem
            assert player.returns >= kills
    finally:
        server.kill()
    check(server.data, players)


def check(data: Path, players: list[Player]) -> None:
    """What the database holds after all that."""
    db = sqlite3.connect(data)
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    for player in players:
        rows = db.execute("SELECT n, move_id FROM entries WHERE table_id = ? ORDER BY n", (player.table,)).fetchall()
        numbers = [n for n, _ in rows]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), "a gap"
        moves = [move for _, move in rows if move]
        assert len(moves) == len(set(moves)), "a move is there twice"
        lost = [id for id in player.acks if id not in moves]
        assert not lost, f"acknowledged and lost: {lost}"
        assert len(player.acks) > 3
    db.close()


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    kill_often(tmp_path, 3, 3)


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_in_fifty_kills(tmp_path: Path) -> None:
    kill_often(tmp_path, 50)
