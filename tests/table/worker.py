"""A server under load, to be killed: `python -m tests.table.worker STORE ACKS RUN`, the tables with their tokens as
JSON on its input. It plays all tables at random, with undos, and writes a line to ACKS for every acknowledged move.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys

from beachhead.bots.randomly import random_answer
from beachhead.core.errors import Stale
from beachhead.core.node import Ask
from beachhead.table.hub import Guest, Hub, SeatPlan, TooLate
from beachhead.table.store import SqliteStore

from .tiny_game import GAMES


async def play(guest: Guest, acks: int, run: str) -> None:
    """Until the kill. The acknowledged number is written down before the next move is sent."""
    rng = random.Random(run)
    count = 0
    while isinstance(node := guest.match.node(), Ask):
        decision = node.decision(rng.choice([seat for seat in node.seats if seat in guest.seats]))
        count += 1
        id = f"{run}-{count}"
        base = guest.n
        if rng.random() < 0.1:
            move = (id, base, decision.seat, -1, "undo")
            try:
                n = await guest.undo(id, base, decision.seat)
            except (Stale, TooLate):
                continue
        else:
            move = (id, base, decision.seat, decision.seq, random_answer(decision, dict, rng))
            n = await guest.move(*move)
        os.write(acks, (json.dumps([guest.table.id, n, *move]) + "\n").encode())


async def main(path: str, acks_path: str, run: str) -> None:
    tables = json.load(sys.stdin)
    hub = Hub(SqliteStore(path), GAMES, {}, bot_delay=0)
    acks = os.open(acks_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    guests = [await hub.enter(id, token) for id, token in tables["tables"]]
    by_table = {guest.table.id: guest for guest in guests}
    # the last moves that were acknowledged before the kill, sent again
    for table, n, id, base, seat, seq, key in tables["again"]:
        guest = by_table[table]
        again = guest.undo(id, base, seat) if key == "undo" else guest.move(id, base, seat, seq, key)
        assert await again == n, "another answer to the same move"
    os.write(acks, b'"ready"\n')
    await asyncio.gather(*(play(guest, acks, f"{run}.{number}") for number, guest in enumerate(guests)))


async def prepare(path: str, tables: int) -> list[tuple[str, str]]:
    """New tables, with the tokens of their hosts."""
    store = SqliteStore(path)
    hub = Hub(store, GAMES, {})
    made = [await hub.create({"rounds": 4000}, [SeatPlan(), SeatPlan()]) for _ in range(tables)]
    await hub.close()
    await store.close()
    return [(it.id, it.host_token) for it in made]


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
