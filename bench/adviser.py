"""How long the adviser of a table takes for a question about dice: `python bench/adviser.py --edition first --seats 1`.

Games are played at a table by the bot `exact`. At every question about dice the adviser is asked, as the table asks it:
the view of the seat, a copy of the game, every answer judged, the sentences. While a question is open it works out what
the next one would have to wait for, as it does while people think; that is not counted, nor is the search for garbage,
which the server has put off to such moments. One JSON object comes out, in milliseconds by the clock of the wall:

questions   how many there were, in so many games, one on each map in turn
cold_ms     the very first one of the process, for which nothing was made ready
median_ms, p99_ms, longest_ms   of the others
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import time
from random import Random

from beachhead import advise
from beachhead.bots import bot
from beachhead.bots.exact import DICE_ON_TABLE
from beachhead.content.library import library
from beachhead.core.node import Answer, Ask
from beachhead.games import GAMES
from beachhead.server.memory import settle_memory
from beachhead.table.adviser import look
from beachhead.table.match import Match


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edition", choices=("first", "second"), default="first")
    parser.add_argument("--seats", type=int, choices=range(1, 5), default=1)
    parser.add_argument("--games", type=int, default=8, help="games in all, on the maps of the edition in turn")
    args = parser.parse_args()
    if args.games < 1:
        parser.error(f"{args.games} games: expected 1 or more")

    settle_memory()
    boards = [board.id for board in library().maps[args.edition].values() if board.least_seats <= args.seats]
    times: list[float] = []
    for number in range(args.games):
        setup = {"edition": args.edition, "map": boards[number % len(boards)], "seats": args.seats}
        times += game_times(Match.new(GAMES["landing"], setup, f"adviser {number}"), args.seats)
    cold = times.pop(0)
    found = {
        "games": args.games,
        "questions": len(times),
        "cold_ms": cold,
        "median_ms": statistics.median(times),
        "p99_ms": sorted(times)[(len(times) * 99 - 1) // 100],
        "longest_ms": max(times),
    }
    print(json.dumps(found))


def game_times(match: Match, seats: int) -> list[float]:
    """Milliseconds for each question about dice in a game."""
    machine, player, rng = match.game.machine, bot("exact"), Random(0)
    times = []
    while isinstance(node := match.node(), Ask):
        seat = node.seats[0]
        decision = node.decision(seat)
        if decision.name in DICE_ON_TABLE:
            start = time.perf_counter()
            given = look(advise, match, seat, ["en"])
            times.append((time.perf_counter() - start) * 1e3)
            assert given is not None, f"the adviser is silent: {decision}"
        for _ in advise.warm(machine.view(match.state, None), machine.clone(match.state), range(seats)):
            pass
        gc.collect(0)
        key = player.answer(decision, lambda seat=seat: machine.view(match.state, seat), rng)
        match.answer(Answer(seat, decision.seq, key))
    return times


if __name__ == "__main__":
    main()
