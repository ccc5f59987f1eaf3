"""Random games of catanatron, measured. Runs in its own environment (.bench/venv), prints one line of JSON.

games      games played to the end, four RandomPlayers, seeds 0 to games - 1
decisions  actions played by players, forced ones included, as catanatron logs them
seconds    for all of it, set-up of each game included
copy_us    `game.copy()` in the middle half of a game, median over some hundred positions of several games

The same seed need not give the same game in the next process: catanatron iterates over sets whose order depends on
addresses in memory. Rates hardly feel it; counts do.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from importlib.metadata import version

from catanatron import Color, Game, RandomPlayer
from catanatron.game import TURNS_LIMIT

COPY_GAMES = 6
TICKS_BETWEEN_COPIES = 10
COPIES_PER_POSITION = 5


def new_game(seed: int) -> Game:
    random.seed(seed)  # catanatron takes seed 0 for "no seed" and draws one: let it draw the same one each time
    return Game([RandomPlayer(color) for color in Color], seed=seed)


def play(games: int) -> tuple[int, float]:
    decisions = 0
    start = time.perf_counter()
    for seed in range(games):
        game = new_game(seed)
        game.play()
        decisions += len(game.state.actions)
    return decisions, time.perf_counter() - start


def copy_times(seed: int) -> list[float]:
    """Microseconds per copy at every tenth position in the middle half of one game."""
    game = new_game(seed)
    times = []
    ticks = 0
    while game.winning_color() is None and game.state.num_turns < TURNS_LIMIT:
        if ticks % TICKS_BETWEEN_COPIES == 0:
            start = time.perf_counter()
            for _ in range(COPIES_PER_POSITION):
                game.copy()
            times.append((time.perf_counter() - start) / COPIES_PER_POSITION * 1e6)
        game.play_tick()
        ticks += 1
    quarter = len(times) // 4
    return times[quarter : len(times) - quarter]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40)
    games = parser.parse_args().games

    new_game(0).play()  # warm up
    decisions, seconds = play(games)
    copies = [us for seed in range(COPY_GAMES) for us in copy_times(seed)]
    result = {
        "games": games,
        "decisions": decisions,
        "seconds": seconds,
        "copy_us": statistics.median(copies),
        "copy_positions": len(copies),
        "version": version("catanatron"),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
