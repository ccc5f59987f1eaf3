"""A server that runs, and guests that talk to it over real sockets."""

from __future__ import annotations

import http.client
import json
import random
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from beachhead.server.cli import make_server
from beachhead.server.guard import Door
from beachhead.server.limits import Limits

QUICK = Limits(
    rate=5000,
    burst=5000,
    per_address=500,
    per_seat=500,
    guess_burst=5000,
    requests=5000,
    request_burst=5000,
    table_burst=5000,
)
"""Limits that tests of other things do not meet."""

PATIENCE = 120
"""Seconds until a test gives up waiting; also a slow machine under load needs a small part of them."""


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()


def ask(
    port: int, method: str, path: str, body: bytes | str | None = None, headers: Mapping[str, str] | None = None
) -> Answer:
    """One request."""
    there = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        there.request(method, path, body.encode() if isinstance(body, str) else body, dict(headers or {}))
        found = there.getresponse()
        return Answer(found.status, {name.lower(): value for name, value in found.getheaders()}, found.read())
    finally:
        there.close()


def listening(port: int = 0) -> socket.socket:
    """A socket on this port, or on a free one below those that the system gives to outgoing connections: after a
    server has stopped, its next one gets the port again.
    """
    for tried in [port] if port else random.sample(range(20_000, 32_000), 100):
        found = socket.socket()
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind(("127.0.0.1", tried))
            return found
        except OSError:
            found.close()
    raise AssertionError(f"port {port or 'after port'} is taken")


class Running:
    """A server in a thread of this process, on a free port or on that of one that has stopped."""

    def __init__(
        self,
        data: Path,
        limits: Limits = QUICK,
        bot_delay: float = 0.0,
        door: Callable[[int], Door] = Door,
        port: int = 0,
    ) -> None:
        door_step = listening(port)
        self.port = door_step.getsockname()[1]
        self.data = data
        self.server = make_server(data, door(self.port), limits, bot_delay)
        self._thread = threading.Thread(target=self.server.run, kwargs={"sockets": [door_step]}, daemon=True)
        self._thread.start()
        end = time.monotonic() + PATIENCE
        while not self.server.started:
            assert time.monotonic() < end and self._thread.is_alive(), "the server did not start"
            time.sleep(0.01)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def stop(self) -> None:
        self.server.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    def __enter__(self) -> Running:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.stop()

    def get(self, path: str, **headers: str) -> Answer:
        return ask(self.port, "GET", path, None, {name.replace("_", "-"): value for name, value in headers.items()})

    def post(self, path: str, body: Any, **headers: str) -> Answer:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        return ask(self.port, "POST", path, json.dumps(body), {"content-type": "application/json", **given})

    def create(self, seats: Sequence[str] = ("person",), **more: Any) -> dict[str, Any]:
        """A new table; a seat is `person`, `open` or the code of a bot."""
        plans = [{"who": who} if who in ("person", "open") else {"who": "bot", "bot": who} for who in seats]
        setup = {"seats": len(seats), **more.pop("setup", {})}
        found = self.post("/api/tables", {"setup": setup, "seats": plans, **more})
        assert found.status == 201, found.text
        made: dict[str, Any] = found.json
        return made

    def record(self, table: str, token: str) -> list[str]:
        found = self.get(f"/api/tables/{table}/record", authorization=f"Bearer {token}")
        assert found.status == 200, found.text
        return found.text.splitlines()


class Client:
    """A guest with a socket, who keeps what it was told and sends again what was not acknowledged."""

    def __init__(self, port: int, table: str, token: str, want: str = "keys", lang: str = "en", **more: Any) -> None:
        self.port = port
        self.hello = {"type": "hello", "table": table, "token": token, "lang": lang, "want": want, **more}
        self.n = -1
        self.keys: dict[str, tuple[int, list[str]]] = {}
        self.screen: dict[str, Any] = {}
        self.table: dict[str, Any] = {}
        self.log: list[dict[str, Any]] = []
        self.ws: ClientConnection | None = None
        self.gaps = 0

    def open(self, **headers: str) -> ClientConnection:
        there = f"ws://127.0.0.1:{self.port}/ws"
        opened = connect(there, additional_headers=headers, proxy=None, compression=None, max_size=None)
        found: ClientConnection = opened.__enter__()
        return found

    def __enter__(self) -> Client:
        self.greet()
        return self

    def __exit__(self, *why: object) -> None:
        if self.ws is not None:
            self.ws.close()

    def greet(self) -> dict[str, Any]:
        """Open a socket, say hello with what is known, and hear the welcome."""
        self.ws = self.open()
        self.send({**self.hello, "have": self.n})
        return self.hear("welcome", "bye")

    def cut(self) -> None:
        """The line goes dead, without a word."""
        if self.ws is not None:
            self.ws.socket.close()
            self.ws = None

    def send(self, message: Mapping[str, Any]) -> None:
        assert self.ws is not None
        self.ws.send(json.dumps(message))

    def next(self, timeout: float = PATIENCE) -> dict[str, Any]:
        """The next message; what it tells is kept."""
        assert self.ws is not None
        found: dict[str, Any] = json.loads(self.ws.recv(timeout))
        kind = found["type"]
        if kind in ("welcome", "update"):
            if kind == "update" and found["before"] != self.n:
                self.gaps += 1
            self.n = found["n"]
            self.keys = {seat: (seq, keys) for seat, (seq, keys) in found.get("keys", {}).items()}
            self.screen = found.get("screen", {})
            if kind == "welcome" and found.get("fresh", True):
                self.log = []
            if found.get("taken"):
                self.log = [line for line in self.log if line["n"] < found["taken"]]
            self.log += found.get("log", [])
        if kind in ("welcome", "presence"):
            self.table = found["table"]
        return found

    def hear(self, *kinds: str, timeout: float = PATIENCE) -> dict[str, Any]:
        """The next message of one of these kinds."""
        while True:
            found = self.next(timeout)
            if found["type"] in kinds:
                return found

    def ask(self, message: Mapping[str, Any], *kinds: str) -> dict[str, Any]:
        self.send(message)
        return self.hear(*kinds or ("ack", "refused", "because", "pong"))

    def message(self, pick: Callable[[int, int, list[str]], str], seat: int | None = None) -> dict[str, Any] | None:
        """A move for the first seat of ours that is asked."""
        for name, (seq, keys) in sorted(self.keys.items()):
            if seat is None or int(name) == seat:
                key = pick(int(name), seq, keys)
                return {"type": "move", "id": uuid.uuid4().hex, "base": self.n} | {
                    "seat": int(name),
                    "seq": seq,
                    "key": key,
                }
        return None

    def settle(self, n: int) -> None:
        """Hear until the table stands at this number."""
        while self.n < n:
            self.next()


def steady(seat: int, seq: int, keys: list[str]) -> str:
    """The same answer to the same question in every run."""
    return sorted(keys)[(seat * 7 + seq * 13) % len(keys)]


def play(client: Client, pick: Callable[[int, int, list[str]], str] = steady, most: int = 2000) -> int:
    """Play all seats of this guest to the end; how many moves that were."""
    for moves in range(most):
        message = client.message(pick)
        if message is None:
            return moves
        answer = client.ask(message, "ack", "refused")
        assert answer["type"] == "ack", answer
        client.settle(answer["n"])
    raise AssertionError("the game does not end")


@contextmanager
def at(running: Running, made: Mapping[str, Any], token: str = "", **more: Any) -> Iterator[Client]:
    with Client(running.port, made["table"], token or made["token"], **more) as client:
        yield client


__all__ = ["Answer", "Client", "ConnectionClosed", "Running", "ask", "at", "play", "steady"]
