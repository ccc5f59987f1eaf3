"""How many durable moves the server takes, and how long each takes. `make bench-server` calls this; it stops by itself.

A server runs in a process of its own, on this machine alone, with its database in a temporary folder. 500 tables of two
seats are opened, each seat with its own socket. First moves are sent at a steady rate, whatever comes back (open loop):
how long until one is acknowledged, which it is only when it is durable. Then every socket moves as fast as it gets
questions (closed loop): moves per second. A table whose game is over is replaced by a new one.

    --seats 4 --tables 1000 --rate 800     more of everything
    --watch 1                              at each table one more socket, to which all that a screen shows is sent
    --idle 4000                            instead: the memory that so many sockets take that only listen
    --stored 10000 --open 200              instead: a start with so many stored games, and how long each takes to load
    --profile FILE                         where the server's event loop spends its time in the closed loop (cProfile)
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import gc
import http.client
import json
import os
import platform
import random
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

TARGETS = {"closed": 3000.0, "p99": 50.0}


# ---------------------------------------------------------------------------------------------------- the server's side


def serve(data: Path, port: int, profile: Path | None) -> None:
    from beachhead.server.cli import make_server
    from beachhead.server.guard import Door
    from beachhead.server.limits import Limits
    from beachhead.server.memory import settle_memory

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

    async def run() -> None:
        beating = asyncio.create_task(beat(profile))
        await server.serve()
        beating.cancel()

    with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:  # the loop that uvicorn takes
        runner.run(run())


async def beat(profile: Path | None) -> None:
    """Beat every few milliseconds, and keep the longest times between two beats: as long the event loop was not free
    for anybody. `busy` counts only the time in which its thread had the processor, so other programs do not disturb it.
    A line on the standard input asks for the figures since the last one.
    """
    every = 0.002
    profiler = cProfile.Profile()
    asked: list[str] = []

    def listen() -> None:
        for line in sys.stdin:
            asked.append(line.strip())

    threading.Thread(target=listen, daemon=True).start()
    collected: list[float] = []

    def collecting(phase: str, info: dict[str, int]) -> None:
        collected.append(time.thread_time() * (-1 if phase == "start" else 1))

    gc.callbacks.append(collecting)
    waits: list[float] = []
    busies: list[float] = []
    last, used = time.perf_counter(), time.thread_time()
    while True:
        await asyncio.sleep(every)
        now, spent = time.perf_counter(), time.thread_time()
        waits.append(now - last - every)
        busies.append(spent - used)
        last, used = now, spent
        if asked:
            said = asked.pop()
            if profile is not None and said == "profile":
                profiler.enable()
            elif profile is not None and said == "end":
                profiler.disable()
                profiler.dump_stats(str(profile))
            found = {"cpu": time.process_time(), "loop_cpu": spent, "waited": max(waits), "busy": max(busies)}
            lasted = [begun + ended for begun, ended in zip(collected[::2], collected[1::2], strict=False)]
            found |= {"collections": len(lasted), "collecting": sum(lasted), "collected": max(lasted, default=0.0)}
            print(json.dumps(found), flush=True)
            for kept in (waits, busies, collected):
                kept.clear()


# ---------------------------------------------------------------------------------------------------- a guest's side


class News(msgspec.Struct):
    """As much as a guest has to read of any message."""

    type: str
    n: int = 0
    keys: dict[str, tuple[int, list[str]]] = {}


READ = msgspec.json.Decoder(News).decode


class Socket(asyncio.Protocol):
    """A WebSocket as small as it can be, so that the guests do not use up the machine."""

    def __init__(self, guests: Guests, hello: dict[str, Any]) -> None:
        self.guests = guests
        self.hello = hello
        self.buffer = bytearray()
        self.open = False
        self.plays = hello["want"] == "keys"
        self.welcome: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.n = 0
        self.asked: tuple[int, int, list[str]] | None = None
        self.flying = 0.0
        self.acked = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: Any = transport
        self.transport.write(
            b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )

    def send(self, message: dict[str, Any]) -> None:
        data = msgspec.json.encode(message)
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
                self.guests.bytes += size
                if self.plays or not self.welcome.done():
                    self.heard(READ(body))
            elif kind == 9:
                self.transport.write(b"\x8a\x80\0\0\0\0")

    def heard(self, message: News) -> None:
        kind = message.type
        if kind in ("welcome", "update"):
            self.n = message.n
            self.asked = next(((int(seat), seq, found) for seat, (seq, found) in message.keys.items()), None)
            if not self.welcome.done():
                self.welcome.set_result(None)
            if not self.flying:
                self.guests.news(self)
        elif kind in ("ack", "refused"):
            sent, self.flying = self.flying, 0.0
            if kind == "ack":
                self.acked = message.n
                self.guests.latencies.append(time.perf_counter() - sent)
            else:
                self.guests.refused += 1
            if self.n >= message.n:
                self.guests.news(self)

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
    def __init__(self, port: int, seats: int, watch: int) -> None:
        self.port = port
        self.seats, self.watch = seats, watch
        self.chance = random.Random(1)
        self.tables: list[list[Socket]] = []
        """The sockets that play, by table."""
        self.made: list[dict[str, Any]] = []
        self.latencies: list[float] = []
        self.closed_loop = False
        self.refused = 0
        self.replaced = 0
        self.bytes = 0

    def make(self, tables: int) -> None:
        """Make so many tables, at which nobody sits yet."""
        there = http.client.HTTPConnection("127.0.0.1", self.port)
        seats = [{"who": "person"}] + [{"who": "open"}] * (self.seats - 1)
        body = json.dumps({"setup": {"seats": self.seats}, "seats": seats})
        for _ in range(tables):
            there.request("POST", "/api/tables", body, {"content-type": "application/json"})
            self.made.append(json.loads(there.getresponse().read()))

    async def connect(self, table: str, token: str, want: str) -> Socket:
        hello = {"type": "hello", "table": table, "token": token, "want": want}
        loop = asyncio.get_running_loop()
        _, found = await loop.create_connection(lambda: Socket(self, hello), "127.0.0.1", self.port)
        await found.welcome
        return found

    async def sit(self) -> list[Socket]:
        """Sit down at the next table; those who play."""
        made = self.made.pop()
        for _ in range(self.watch):
            await self.connect(made["table"], made["token"], "screen")
        return [await self.connect(made["table"], token, "keys") for token in made["seats"]]

    def news(self, socket: Socket) -> None:
        if self.closed_loop:
            socket.move(self.chance, time.perf_counter())

    async def replace(self) -> None:
        """Put a new table in the place of each whose game is over."""
        coming: dict[int, asyncio.Task[list[Socket]]] = {}
        while True:
            await asyncio.sleep(0.05)
            for at, sockets in enumerate(self.tables):
                if at in coming:
                    if coming[at].done():
                        self.tables[at] = coming.pop(at).result()
                    continue
                seen = min(socket.n for socket in sockets)
                if self.made and not any(it.asked or it.flying or it.acked > seen for it in sockets):
                    for socket in sockets:
                        socket.transport.close()
                    coming[at] = asyncio.create_task(self.sit())
                    self.replaced += 1

    async def steady(self, rate: float, seconds: float) -> float:
        """So many moves a second, whatever comes back; how many were sent a second."""
        begun = time.perf_counter()
        sent, due = 0, begun
        while due < begun + seconds:
            now = time.perf_counter()
            if now < due:
                await asyncio.sleep(due - now)
            for _ in range(200):
                if self.chance.choice(self.chance.choice(self.tables)).move(self.chance, due):
                    sent += 1
                    break
            due += 1 / rate
        return sent / seconds

    async def closed(self, seconds: float) -> float:
        """As fast as questions come; moves per second."""
        self.closed_loop = True
        for sockets in self.tables:
            for socket in sockets:
                self.news(socket)
        begun = time.perf_counter()
        await asyncio.sleep(seconds)
        rate = len(self.latencies) / (time.perf_counter() - begun)
        self.closed_loop = False
        return rate


# ---------------------------------------------------------------------------------------------------- measuring


class Server(NamedTuple):
    process: subprocess.Popen[str]
    port: int
    begun: float

    def told(self, word: str = "") -> dict[str, Any]:
        """The figures of the server since it was last asked."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{word}\n")
        self.process.stdin.flush()
        return dict(json.loads(self.process.stdout.readline()))

    def ask(self, path: str) -> bytes:
        there = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        there.request("GET", path)
        return there.getresponse().read()

    @property
    def memory(self) -> float:
        """In MB; 0 where that cannot be told."""
        try:
            pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
            return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
        except (OSError, ValueError, IndexError):
            return 0.0


@contextmanager
def running(data: Path, port: int, profile: Path | None = None) -> Iterator[Server]:
    command = [sys.executable, __file__, "--serve", str(data), "--port", str(port)]
    if profile is not None:
        command += ["--profile", str(profile)]
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    server = Server(process, port, begun)
    try:
        while True:
            try:
                server.ask("/api/about")
                break
            except OSError:
                if time.perf_counter() > begun + 60 or process.poll() is not None:
                    sys.exit("the server did not start")
                time.sleep(0.02)
        yield server
    finally:
        process.terminate()
        process.wait(30)


def at(values: list[float], share: float) -> float:
    """The value below which this share of all lies, in milliseconds."""
    ordered = sorted(values)
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


async def measured(server: Server, guests: Guests, work: Callable[[], Any], word: str = "") -> dict[str, Any]:
    """Do this, and tell what it took of the server and of the guests."""
    guests.latencies, guests.bytes = [], 0
    before, mine, begun = server.told(word), time.process_time(), time.perf_counter()
    replacing = asyncio.create_task(guests.replace())
    rate = await work()
    replacing.cancel()
    spent, mine, after = time.perf_counter() - begun, time.process_time() - mine, server.told("end")
    times, cpu = guests.latencies, after["cpu"] - before["cpu"]
    moves = len(times)
    await asyncio.sleep(1)
    return {
        "rate": rate,
        "moves": moves,
        "cpu": cpu / spent,
        "us_per_move": 1e6 * cpu / max(1, moves),
        "loop_us_per_move": 1e6 * (after["loop_cpu"] - before["loop_cpu"]) / max(1, moves),
        "guests_cpu": mine / spent,
        "bytes_per_move": guests.bytes / max(1, moves),
        "longest_stall": 1000 * after["waited"],
        "longest_busy": 1000 * after["busy"],
        "collecting_us_per_move": 1e6 * after["collecting"] / max(1, moves),
        "longest_collection": 1000 * after["collected"],
    } | {f"p{name}": at(times, share) for name, share in (("50", 0.5), ("99", 0.99), ("100", 1.0))}


async def load(server: Server, given: argparse.Namespace) -> dict[str, Any]:
    tables, seats, seconds = given.tables, given.seats, given.seconds
    guests = Guests(server.port, seats, given.watch)
    print(f"opening {tables} tables with {seats + given.watch} sockets each ...", flush=True)
    guests.make(tables * 2)
    for _ in range(tables):
        guests.tables.append(await guests.sit())
    await asyncio.sleep(1)
    print(f"steady: {given.rate:.0f} moves a second for {seconds:.0f} s ...", flush=True)
    steady = await measured(server, guests, lambda: guests.steady(given.rate, seconds))
    memory = server.memory
    print(f"closed loop for {seconds:.0f} s ...", flush=True)
    closed = await measured(server, guests, lambda: guests.closed(seconds), "profile")
    return {
        "tables": tables,
        "sockets": tables * (seats + given.watch),
        "steady": steady,
        "closed": closed,
        "memory": memory,
        "refused": guests.refused,
        "replaced": guests.replaced,
    }


def report_load(found: dict[str, Any]) -> None:
    steady, closed = found["steady"], found["closed"]
    good = {True: "ok", False: "missed"}
    print(
        f"\n{found['tables']} tables, {found['sockets']} sockets, {found['memory']:.0f} MB; every move durable (FULL)\n"
    )
    print("| measured | value | wanted | |")
    print("|---|---|---|---|")
    fast, quick = closed["rate"] >= TARGETS["closed"], steady["p99"] <= TARGETS["p99"]
    print(f"| durable moves/s, closed loop | {closed['rate']:,.0f} | >= {TARGETS['closed']:,.0f} | {good[fast]} |")
    print(
        f"| p99 at {steady['rate']:.0f} moves/s | {steady['p99']:.1f} ms | <= {TARGETS['p99']:.0f} ms | {good[quick]} |"
    )
    print(f"| p50, longest at that rate | {steady['p50']:.1f}, {steady['p100']:.1f} ms | | |")
    print(f"| p50, p99 in closed loop | {closed['p50']:.0f}, {closed['p99']:.0f} ms | | |")
    for name, part in (("steady", steady), ("closed", closed)):
        print(
            f"| {name}: processor time of a move, and of it on the event loop | {part['us_per_move']:.0f}, "
            f"{part['loop_us_per_move']:.0f} us | | |"
        )
        print(
            f"| {name}: share of a core, server / guests | {100 * part['cpu']:.0f} / "
            f"{100 * part['guests_cpu']:.0f} % | | |"
        )
        print(
            f"| {name}: event loop held up at the longest, and its own work in that | {part['longest_stall']:.0f}, "
            f"{part['longest_busy']:.0f} ms | | |"
        )
        print(
            f"| {name}: collections of garbage, for a move and the longest | {part['collecting_us_per_move']:.0f} us, "
            f"{part['longest_collection']:.1f} ms | | |"
        )
        print(f"| {name}: bytes sent for a move | {part['bytes_per_move']:,.0f} | | |")
    print(f"\n{found['refused']} moves refused, {found['replaced']} tables replaced as their games were over.")


async def idle(server: Server, given: argparse.Namespace) -> dict[str, Any]:
    """The memory of sockets that only listen, at tables of four seats."""
    guests = Guests(server.port, 4, 0)
    guests.make(-(-given.idle // 4))
    found: dict[str, Any] = {"start": server.memory}
    first = await guests.connect(guests.made[0]["table"], guests.made[0]["token"], "screen")
    found["one"] = server.memory
    tables = list(guests.made)
    kept = [await guests.sit() for _ in tables]
    found |= {"sockets": given.idle, "all": server.memory}
    second = [await guests.connect(made["table"], made["seats"][0], "keys") for made in tables for _ in range(4)]
    found["twice"] = server.memory
    print(f"memory with no socket {found['start']:.0f} MB, with one {found['one']:.0f} MB")
    print(f"{given.idle} sockets at {len(tables)} tables: {found['all']:.0f} MB")
    each = 1000 * (found["twice"] - found["all"]) / len(second)
    print(f"as many again at the same tables: {found['twice']:.0f} MB, so {each:.0f} kB for a socket")
    del first, kept, second
    return found


def fill(data: Path, stored: int, opened: int) -> list[tuple[str, str]]:
    """A database of so many games, the last of them not over; names and tokens of those."""
    from beachhead.core import record
    from beachhead.core.node import Answer, Ask
    from beachhead.core.plain import to_json
    from beachhead.games import GAMES
    from beachhead.table.guests import hash_token
    from beachhead.table.match import Match
    from beachhead.table.store import SeatRow, SqliteStore, TableRow

    chance = random.Random(1)

    def play(most: int) -> Match:
        match = Match.new(next(iter(GAMES.values())), {"seats": 2})
        while match.n < most and isinstance(node := match.node(), Ask):
            decision = node.decision(chance.choice(node.seats))
            match.answer(Answer(decision.seat, decision.seq, chance.choice(decision.keys)))
        return match

    whole = [play(10_000) for _ in range(100)]
    begun = [match for match in (play(120) for _ in range(4 * opened)) if isinstance(match.node(), Ask)]
    tables, seats, entries, seeds, tokens = [], [], [], [], []
    for number in range(stored):
        id, token = f"t{number}", f"token{number}"
        if number < stored - opened:
            match = whole[number % len(whole)]
        else:
            match = begun[number % len(begun)]
            tokens.append((id, token))
        header = next(record.Record(match.header).lines()).rstrip("\n")
        hashes = (hash_token(token), "")
        tables.append(TableRow(id, number, match.header.game, to_json(match.header.setup), header, False, "", *hashes))
        seats += [(id, *SeatRow(seat, "person", "", "", "", True)) for seat in range(2)]
        entries += [(id, n, record.line(entry), number, None, None) for n, entry in enumerate(match.entries(), 1)]
        seeds += [(id, *pair) for pair in match.secrets().items()]

    async def make() -> None:
        await SqliteStore(data).close()

    asyncio.run(make())
    with sqlite3.connect(data) as db:
        for place, rows in (("tables", tables), ("seats", seats), ("entries", entries), ("secrets", seeds)):
            db.executemany(f"INSERT INTO {place} VALUES ({', '.join('?' * len(rows[0]))})", rows)
    return tokens


async def restart(server: Server, tokens: list[tuple[str, str]], given: argparse.Namespace) -> dict[str, Any]:
    found: dict[str, Any] = {"serving": time.perf_counter() - server.begun, "serving_cpu": server.told()["cpu"]}
    guests = Guests(server.port, 2, 0)
    times = []
    for table, token in tokens:
        begun = time.perf_counter()
        await guests.connect(table, token, "screen")
        times.append(time.perf_counter() - begun)
    loaded = server.told()
    begun = time.perf_counter()
    size = len(await asyncio.to_thread(server.ask, "/api/tables"))
    found |= {"list": time.perf_counter() - begun, "first": times[0], "p50": at(times, 0.5), "p99": at(times, 0.99)}
    found |= {"longest": at(times, 1.0), "loading_cpu": 1000 * (loaded["cpu"] - found["serving_cpu"]) / len(tokens)}
    print(
        f"{given.stored} stored games: serving after {found['serving']:.2f} s (wanted: 3), "
        f"{found['serving_cpu']:.2f} s of them at work"
    )
    print(
        f"{given.open} games loaded one after the other: p50 {found['p50']:.1f}, p99 {found['p99']:.1f}, longest "
        f"{found['longest']:.1f}, the first {1000 * found['first']:.1f} ms (wanted: 50); "
        f"{found['loading_cpu']:.1f} ms of work each; {server.memory:.0f} MB"
    )
    print(f"the list of tables: {1000 * found['list']:.0f} ms, {size:,} bytes")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--watch", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rate", type=float, default=400)
    parser.add_argument("--idle", type=int, default=0)
    parser.add_argument("--stored", type=int, default=0)
    parser.add_argument("--open", type=int, default=200)
    parser.add_argument("--profile", type=Path)
    parser.add_argument("--json", type=Path, help="write the figures there too")
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, default=8945, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve is not None:
        serve(given.serve, given.port, given.profile)
        return
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "tables.sqlite"
        tokens = fill(data, given.stored, given.open) if given.stored else []
        with running(data, given.port, given.profile) as server:
            if given.stored:
                found = asyncio.run(restart(server, tokens, given))
            elif given.idle:
                found = asyncio.run(idle(server, given))
            else:
                found = asyncio.run(load(server, given))
    if "steady" in found:
        report_load(found)
    if given.json is not None:
        given.json.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
