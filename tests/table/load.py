"""How many durable moves a hub takes: `python -m tests.table.load --tables 500 --seconds 10`.

Every table has one guest that answers all its seats at random, the next answer as soon as the last is durable (closed
loop); a table whose game is over is replaced by a new one. Other guests only listen. All in one process.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
import time
from pathlib import Path

from beachhead.bots import BOTS
from beachhead.core.node import Ask
from beachhead.games import GAMES
from beachhead.server.memory import settle_memory
from beachhead.table.hub import Guest, Hub, SeatPlan
from beachhead.table.store import SqliteStore

SETUP = {"edition": "second", "map": "n01-exercise-tiger", "seats": 4}


async def sit_down(hub: Hub, listeners: int) -> list[Guest]:
    made = await hub.create(SETUP, [SeatPlan()] * 4)
    guests = [await hub.enter(made.id, made.host_token) for _ in range(listeners)]
    for guest in guests:
        guest.listen(lambda news: None)
    return guests


async def play(hub: Hub, number: int, guests: list[Guest], until: float, times: list[float]) -> None:
    rng = random.Random(number)
    count = 0
    while time.perf_counter() < until:
        guest = guests[0]
        while time.perf_counter() < until and isinstance(node := guest.match.node(), Ask):
            seat = rng.choice(node.seats)
            decision = node.decision(seat)
            key = BOTS["random"].answer(decision, dict, rng)
            began = time.perf_counter()
            await guest.move(f"{number}-{count}", guest.n, seat, decision.seq, key)
            times.append(time.perf_counter() - began)
            count += 1
        for guest in guests:
            guest.leave()
        if time.perf_counter() < until:
            guests = await sit_down(hub, len(guests))


async def measure(tables: int, seconds: float, listeners: int, path: Path) -> dict[str, float]:
    store = SqliteStore(path)
    hub = Hub(store, GAMES, BOTS, keep=5)
    times: list[float] = []
    seated = [await sit_down(hub, listeners) for _ in range(tables)]
    settle_memory()
    began, cpu = time.perf_counter(), time.process_time()
    until = began + seconds
    await asyncio.gather(*(play(hub, number, guests, until, times) for number, guests in enumerate(seated)))
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    await hub.close()
    await store.close()
    times.sort()
    return {
        "moves": len(times),
        "seconds": round(wall, 2),
        "moves_per_second": round(len(times) / wall),
        "moves_per_cpu_second": round(len(times) / cpu),
        "p50_ms": round(times[len(times) // 2] * 1e3, 1),
        "p99_ms": round(times[len(times) * 99 // 100] * 1e3, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--listeners", type=int, default=4)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(measure(args.tables, args.seconds, args.listeners, Path(folder, "load.db")))))


if __name__ == "__main__":
    main()
