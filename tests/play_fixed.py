"""Play one fixed game of each setup and print its digest: `python -m tests.play_fixed [NAME ...] [--poison N]`.

The digest is the SHA-256 of all events and of the last state. With --poison the global generator of `random` is seeded
anew and drawn from between the steps; a game that leans on it gives another digest for another N.
"""

from __future__ import annotations

import argparse
import hashlib
import random

from beachhead.core import chance
from beachhead.core.game import Setup
from beachhead.core.node import Answer, Ask, Over, Roll
from beachhead.core.plain import to_json
from tests.harness import Entry

SEED = chance.seed_from("fixed")


def digest(entry: Entry, setup: Setup, poison: int | None) -> str:
    machine = entry.game.machine
    player = random.Random(7)
    g, events = entry.game.new(setup)
    for step in range(entry.most_steps):
        if poison is not None:
            random.seed(poison + step)
            random.random()
        node = machine.node(g)
        if isinstance(node, Over):
            break
        if isinstance(node, Roll):
            events += machine.apply(g, chance.sample(SEED, node))
        else:
            events += machine.apply(g, _pick(node, player))
    return hashlib.sha256(to_json([setup, events, machine.dump(g)]).encode()).hexdigest()


def _pick(node: Ask, player: random.Random) -> Answer:
    decision = node.decision(player.choice(node.seats))
    return Answer(decision.seat, decision.seq, player.choice(decision.keys))


def main() -> None:
    from tests.test_every_game import ENTRIES

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--poison", type=int, metavar="N")
    wanted = parser.parse_args()
    for entry in ENTRIES:
        if not wanted.names or entry.name in wanted.names:
            for n, setup in enumerate(entry.setups):
                print(entry.name, n, digest(entry, setup, wanted.poison))


if __name__ == "__main__":
    main()
