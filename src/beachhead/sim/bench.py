"""How fast the engine is, in one process: `python -m beachhead.sim.bench --games 200 --seats 4 --edition first --json`.

games             games of random bots, played to the end, seeds 1 to games
decisions         answers given by bots, forced ones included
seconds           for all of it, set-up of each game included
clone_us          a clone in the middle half of a game, median over some hundred positions of several games
clone_positions   how many
replay_ms         to read, replay and check the longest record of some full games, median of several times
replay_decisions  the answers in that record

With `--brains` it is the bots that think, `exact` in every seat, all in processor time:

games, decisions  as above
seconds           for all of it, with caches that some games have filled
solver            numba or numpy: what solved the dice of these games
turn_ms           the exact turn for new values, first roll to last, 2 dice to Lock, with numpy; median of several times
turn_fast_ms      the same in machine code, where numba is installed
choices_ms        all choices after a first roll, for new values, with numpy; likewise choices_fast_ms
best_fast_ms      the best of them alone, as bots ask for it, in machine code
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from ..bots import bot
from ..core import record
from ..core.chance import sample
from ..core.errors import SetupError
from ..core.game import Game, Setup
from ..core.node import Answer, Ask, Roll
from ..games import GAMES
from ..solve.turn import Turn, solve
from .runner import game_seed, in_bulk, play, record_of, solver

BASE_SEED = 0
STEPS_BETWEEN_CLONES = 5
CLONES_PER_POSITION = 20
POSITIONS = 300
RECORDS = 30
REPLAYS = 15
TURNS = 50
WARM = 100
"""Games at most before those that are measured, as bots remember what they have worked out."""


def play_games(
    game: Game,
    setup: Setup,
    seats: int,
    numbers: range,
    code: str = "random",
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[int, float]:
    """The decisions of these games, and the seconds they took."""
    bots = [bot(code)] * seats
    decisions = 0
    start = clock()
    for number in numbers:
        decisions += play(game, setup, bots, game_seed(BASE_SEED, number)).decisions
    return decisions, clock() - start


def clone_times(game: Game, setup: Setup, number: int) -> list[float]:
    """Microseconds per clone at every fifth step in the middle half of one game."""
    machine = game.machine
    seed = game_seed(BASE_SEED, number)
    rng = Random(seed)
    answer = bot("random").answer
    g, _ = game.new(setup)
    times = []
    steps = 0
    while isinstance(node := machine.node(g), Ask | Roll):
        if steps % STEPS_BETWEEN_CLONES == 0:
            start = time.perf_counter()
            for _ in range(CLONES_PER_POSITION):
                machine.clone(g)
            times.append((time.perf_counter() - start) / CLONES_PER_POSITION * 1e6)
        if isinstance(node, Roll):
            machine.apply(g, sample(seed, node))
        else:
            decision = node.decision(node.seats[0])
            key = answer(decision, lambda: {}, rng)
            machine.apply(g, Answer(decision.seat, decision.seq, key))
        steps += 1
    quarter = len(times) // 4
    return times[quarter : len(times) - quarter]


def replay_times(game: Game, setup: Setup, seats: int) -> tuple[list[float], int]:
    """Milliseconds for each replay of the longest of some records, and its number of answers."""
    bots = [bot("random")] * seats
    seeds = [game_seed(BASE_SEED, number) for number in range(1, RECORDS + 1)]
    longest = max(((play(game, setup, bots, seed), seed) for seed in seeds), key=lambda found: found[0].decisions)
    played, seed = longest
    times = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "longest.jsonl")
        record.write(record_of(game, setup, seed, played.answers), file)
        for _ in range(REPLAYS):
            start = time.perf_counter()
            record.replay(record.read(file), GAMES).finish()
            times.append((time.perf_counter() - start) * 1e3)
    return times, played.decisions


def turn_times() -> dict[str, float]:
    """Milliseconds for the exact turn and for choices of dice, with numpy and then, if it can be, in machine code."""
    found: dict[str, float] = {}
    rng = Random(BASE_SEED)
    asked: dict[str, Callable[[Turn, list[int]], object]] = {
        "turn": lambda turn, faces: turn.value,
        "choices": lambda turn, faces: turn.choices(faces),
        "best": lambda turn, faces: turn.best(faces),
    }
    for way in ("", "_fast"):
        if way and solver() == "numpy":
            break
        for name, ask in asked.items():
            times = []
            for _ in range(TURNS if way or name != "best" else 0):
                turn = solve([rng.random() for _ in range(21**3)])
                faces = rng.choices(range(6), k=6)
                start = time.process_time()
                ask(turn, faces)
                times.append((time.process_time() - start) * 1e3)
            if times:
                found[f"{name}{way}_ms"] = statistics.median(times)
    return found


def brains(game: Game, setup: Setup, seats: int, games: int) -> dict[str, float | str]:
    turns = turn_times()  # with numpy first, so before the kernel is ready
    here = solver()
    play_games(game, setup, seats, range(games + 1, games + min(games, WARM) + 1), "exact")
    with in_bulk():
        decisions, seconds = play_games(game, setup, seats, range(1, games + 1), "exact", time.process_time)
    return {"games": games, "decisions": decisions, "seconds": seconds, "solver": here, **turns}


def engine(game: Game, setup: Setup, seats: int, games: int) -> dict[str, float | str]:
    decisions, seconds = play_games(game, setup, seats, range(1, games + 1))
    clones: list[float] = []
    number = 0
    while len(clones) < POSITIONS:
        number += 1
        clones += clone_times(game, setup, number)
    replays, replayed = replay_times(game, setup, seats)
    return {
        "games": games,
        "decisions": decisions,
        "seconds": seconds,
        "clone_us": statistics.median(clones),
        "clone_positions": len(clones),
        "replay_ms": statistics.median(replays),
        "replay_decisions": replayed,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--edition", default="first")
    parser.add_argument("--option", action="append", default=[], help="an optional rule; may be repeated")
    parser.add_argument("--brains", action="store_true", help="measure the bots that think")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args()
    if args.games < 1:
        parser.error(f"{args.games} games: expected 1 or more")

    game = GAMES["landing"]
    setup: Setup = {"edition": args.edition, "seats": args.seats, "options": args.option}
    try:
        play_games(game, setup, args.seats, range(1, 2))  # warm up
    except SetupError as error:
        parser.error(str(error))
    result = (brains if args.brains else engine)(game, setup, args.seats, args.games)
    lines = (f"{name:20} {value if isinstance(value, str) else f'{value:,.6g}'}" for name, value in result.items())
    print(json.dumps(result) if args.json else "\n".join(lines))


if __name__ == "__main__":
    main()
