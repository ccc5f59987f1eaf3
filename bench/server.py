"""How many durable moves the server takes, and how long each takes. `make bench-server` calls this; it stops by itself.

A server runs in a process of its own, on this machine alone, with its database in a temporary folder. 500 tables of two
seats are opened, each seat with its own socket. First every socket moves as fast as it gets questions (closed loop):
moves per second. Then moves are sent at a steady rate, whatever comes back (open loop): how long until one is
acknowledged, which it is only when it is durable. A table whose game is over is replaced by a new one.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import os
import platform
import random
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TARGETS = {"closed": 3000.0, "p99": 50.0}


# ---------------------------------------------------------------------------------------------------- the server's side


def serve(data: Path, port: int) -> None:
    from beachhead.server.cli import make_server, settle_memory
    from beachhead.server.guard import Door
    from beachhead.server.limits import Limits

    much = 1_000_000
    limits = Limits(
        rate=much,
        burst=much,
        per_address=much,
        per_seat=much,
        tables=much,
        table_burst=much,
        requests=much,
        request_burst=much,
        hello=60,
    )
    server = make_server(data, Door(port), limits)
    server.config.port = port
    settle_memory()
    server.run()


# ---------------------------------------------------------------------------------------------------- a guest's side


OnNews = Callable[["Socket"], None]
OnAck = Callable[["Socket", float], None]


class Socket(asyncio.Protocol):
    """A WebSocket as small as it can be, so that the guests do not use up the machine."""

    def __init__(
        self, hello: dict[str, Any], on_news: Callable[[Socket], None], on_ack: Callable[[Socket, float], None]
    ):
        self.hello = hello
        self.on_news, self.on_ack = on_news, on_ack
        self.buffer = bytearray()
        self.open = False
        self.n = 0
        self.asked: tuple[int, int, list[str]] | None = None
        self.flying = 0.0
        self.moves = 0
        self.refused = 0
        self.over = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: Any = transport
        transport.write(  # type: ignore[attr-defined]
            b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )

    def send(self, message: dict[str, Any]) -> None:
        data = json.dumps(message).encode()
        size = len(data)
        head = b"\x81" + (bytes([0x80 | size]) if size < 126 else b"\xfe" + struct.pack(">H", size))
        self.transport.write(head + b"\0\0\0\0" + data)

    def data_received(self, data: bytes) -> None:
        buffer = self.buffer
        buffer += data
        if not self.open:
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            assert b" 101 " in buffer[:20], bytes(buffer[:200])
            del buffer[: end + 4]
            self.open = True
            self.send(self.hello)
        while len(buffer) >= 2:
            size, at = buffer[1] & 0x7F, 2
            if size == 126:
                size, at = int.from_bytes(buffer[2:4], "big"), 4
            elif size == 127:
                size, at = int.from_bytes(buffer[2:10], "big"), 10
            if len(buffer) < at + size:
                return
            kind, body = buffer[0] & 0x0F, bytes(buffer[at : at + size])
            del buffer[: at + size]
            if kind == 1:
                self.heard(json.loads(body))
            elif kind == 9:
                self.transport.write(b"\x8a\x80\0\0\0\0")

    def heard(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind in ("welcome", "update"):
            self.n = message["n"]
            keys = message.get("keys", {})
            self.asked = next(((int(seat), seq, found) for seat, (seq, found) in keys.items()), None)
            if not self.flying:
                self.on_news(self)
        elif kind in ("ack", "refused"):
            sent, self.flying = self.flying, 0.0
            if kind == "ack":
                self.moves += 1
                self.on_ack(self, sent)
            else:
                self.refused += 1
            if self.n >= message.get("n", 0):
                self.on_news(self)

    def move(self, chance: random.Random, since: float) -> bool:
        """Answer the open question, if there is one and no answer is under way."""
        if self.asked is None or self.flying:
            return False
        seat, seq, keys = self.asked
        self.asked = None
        self.flying = since
        self.send(
            {"type": "move", "id": f"{chance.getrandbits(64):x}", "base": self.n, "seat": seat, "seq": seq}
            | {"key": chance.choice(keys)}
        )
        return True


class Guests:
    def __init__(self, port: int, tables: int) -> None:
        self.port = port
        self.chance = random.Random(1)
        self.sockets: list[Socket] = []
        self.tables = tables
        self.latencies: list[float] = []
        self.acks = 0
        self.closed_loop = False
        self.replaced = 0

    def create(self, there: http.client.HTTPConnection) -> dict[str, Any]:
        seats = [{"who": "person"}, {"who": "open"}]
        there.request(
            "POST",
            "/api/tables",
            json.dumps({"setup": {"seats": 2}, "seats": seats}),
            {"content-type": "application/json"},
        )
        return dict(json.loads(there.getresponse().read()))

    async def open(self) -> None:
        there = http.client.HTTPConnection("127.0.0.1", self.port)
        self.made = [await asyncio.to_thread(self.create, there) for _ in range(self.tables * 2)]
        for made in self.made[: self.tables]:
            await self.sit(made)
        del self.made[: self.tables]

    async def sit(self, made: dict[str, Any]) -> None:
        loop = asyncio.get_running_loop()
        for token in made["seats"]:
            hello = {"type": "hello", "table": made["table"], "token": token, "want": "keys"}
            _, found = await loop.create_connection(
                lambda hello=hello: Socket(hello, self.news, self.ack), "127.0.0.1", self.port
            )
            self.sockets.append(found)

    def news(self, socket: Socket) -> None:
        if self.closed_loop:
            socket.move(self.chance, time.perf_counter())

    def ack(self, socket: Socket, sent: float) -> None:
        self.acks += 1
        self.latencies.append(time.perf_counter() - sent)

    async def closed(self, seconds: float, pid: int) -> tuple[float, float, list[float]]:
        """As fast as questions come: moves per second, processor of the server, and how long each took."""
        self.closed_loop = True
        for socket in self.sockets:
            self.news(socket)
        going = asyncio.Event()
        going.set()
        replacing = asyncio.create_task(self.replace(going))
        await asyncio.sleep(1)
        self.acks, self.latencies, begun, used = 0, [], time.perf_counter(), cpu_seconds(pid)
        await asyncio.sleep(seconds)
        spent = time.perf_counter() - begun
        rate, used = self.acks / spent, (cpu_seconds(pid) - used) / spent
        self.closed_loop = False
        found, self.latencies = self.latencies, []
        going.clear()
        await replacing
        await asyncio.sleep(1)
        return rate, used, found

    async def replace(self, going: asyncio.Event) -> None:
        """Put a new table in the place of each whose game is over."""
        while going.is_set():
            await asyncio.sleep(0.05)
            for at in range(0, len(self.sockets), 2):
                pair = self.sockets[at : at + 2]
                if self.made and not any(socket.asked or socket.flying for socket in pair) and all(s.n for s in pair):
                    for socket in pair:
                        socket.transport.close()
                    await self.sit(self.made.pop())
                    self.sockets[at : at + 2] = self.sockets[-2:]
                    del self.sockets[-2:]
                    self.replaced += 1

    async def steady(self, rate: float, seconds: float) -> tuple[float, list[float]]:
        """So many moves a second, whatever comes back."""
        going = asyncio.Event()
        going.set()
        replacing = asyncio.create_task(self.replace(going))
        self.latencies, self.acks = [], 0
        begun = time.perf_counter()
        sent, due = 0, begun
        while due < begun + seconds:
            now = time.perf_counter()
            if now < due:
                await asyncio.sleep(due - now)
            for _ in range(200):
                if self.chance.choice(self.sockets).move(self.chance, due):
                    sent += 1
                    break
            due += 1 / rate
        await asyncio.sleep(1)
        going.clear()
        await replacing
        return sent / seconds, self.latencies


def cpu_seconds(pid: int) -> float:
    """How much processor time a process has used; 0 where that cannot be told."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return 0.0


def resident(pid: int) -> float:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except (OSError, ValueError, IndexError):
        return 0.0


def at(values: list[float], share: float) -> float:
    """The value below which this share of all lies, in milliseconds."""
    ordered = sorted(values)
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


async def measure(port: int, pid: int, tables: int, seconds: float, rate: float) -> dict[str, Any]:
    guests = Guests(port, tables)
    print(f"opening {tables} tables with 2 sockets each ...", flush=True)
    await guests.open()
    await asyncio.sleep(1)
    print(f"steady: {rate:.0f} moves a second for {seconds:.0f} s ...", flush=True)
    used = cpu_seconds(pid)
    steady_rate, steady = await guests.steady(rate, seconds)
    steady_cpu = (cpu_seconds(pid) - used) / seconds
    memory = resident(pid)
    print(f"closed loop for {seconds:.0f} s ...", flush=True)
    closed_rate, closed_cpu, closed = await guests.closed(seconds, pid)
    refused = sum(socket.refused for socket in guests.sockets)
    return {
        "tables": tables,
        "sockets": len(guests.sockets),
        "steady": {"rate": steady_rate, "acks": len(steady), "cpu": steady_cpu}
        | {"p50": at(steady, 0.5), "p99": at(steady, 0.99), "max": at(steady, 1.0)},
        "closed": {"rate": closed_rate, "cpu": closed_cpu, "p50": at(closed, 0.5), "p99": at(closed, 0.99)},
        "memory": memory,
        "refused": refused,
        "replaced": guests.replaced,
    }


def report(found: dict[str, Any]) -> None:
    steady, closed = found["steady"], found["closed"]
    good = {True: "ok", False: "missed"}
    print(f"\n{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(
        f"{found['tables']} tables, {found['sockets']} sockets, {found['memory']:.0f} MB; every move durable (FULL)\n"
    )
    print("| measured | value | wanted | |")
    print("|---|---|---|---|")
    fast = closed["rate"] >= TARGETS["closed"]
    print(f"| durable moves/s, closed loop | {closed['rate']:,.0f} | >= {TARGETS['closed']:,.0f} | {good[fast]} |")
    per_cpu = closed["rate"] / closed["cpu"] if closed["cpu"] else 0.0
    print(f"| the same per second of processor time | {per_cpu:,.0f} | | |")
    print(f"| closed loop, p50 / p99 | {closed['p50']:.0f} / {closed['p99']:.0f} ms | | |")
    quick = steady["p99"] <= TARGETS["p99"]
    print(
        f"| p99 at {steady['rate']:.0f} moves/s | {steady['p99']:.1f} ms | <= {TARGETS['p99']:.0f} ms | {good[quick]} |"
    )
    print(f"| p50, longest | {steady['p50']:.1f}, {steady['max']:.1f} ms | | |")
    print(f"| processor of the server at that rate | {100 * steady['cpu']:.0f} % of a core | | |")
    print(f"\n{found['refused']} moves refused, {found['replaced']} tables replaced as their games were over.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rate", type=float, default=400)
    parser.add_argument("--json", type=Path, help="write the figures there too")
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, default=8945, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve is not None:
        serve(given.serve, given.port)
        return
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--serve", str(Path(folder) / "tables.sqlite"), "--port", str(given.port)]
        server = subprocess.Popen(command)
        try:
            end = time.monotonic() + 30
            while True:
                try:
                    there = http.client.HTTPConnection("127.0.0.1", given.port, timeout=5)
                    there.request("GET", "/api/about")
                    there.getresponse().read()
                    break
                except OSError:
                    if time.monotonic() > end or server.poll() is not None:
                        sys.exit("the server did not start")
                    time.sleep(0.1)
            found = asyncio.run(measure(given.port, server.pid, given.tables, given.seconds, given.rate))
        finally:
            server.terminate()
            server.wait(20)
    report(found)
    if given.json is not None:
        given.json.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
