"""Every game keeps the promises of the core. A game joins with one line in `ENTRIES`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest

from beachhead.bots import bot
from beachhead.core.game import Setup
from tests.harness import Entry, check_playthrough
from tests.landing.entry import BOARDS, LANDING, MAPS, PLENTY, RICH, combination
from tests.pocket.entry import BATTLE, EXPRESS, LATE_BATTLE, LATE_EXPRESS
from tests.toys import hidden_hand, no_board, offers

ENTRIES = [
    Entry("pig", no_board.GAME, [{"seats": 2, "goal": 20}], ledger=no_board.ledger, counted=no_board.counted),
    Entry("ambush", hidden_hand.GAME, [{}], conserved=hidden_hand.conserved, scramble=hidden_hand.scramble),
    Entry(
        "market",
        offers.GAME,
        [{"goods": goods} for goods in ([[3, 0], [0, 3]], [[2, 1], [1, 1], [0, 3]])],
        conserved=offers.conserved,
        order_matters=offers.order_matters,
    ),
    LANDING,
    RICH,
    MAPS,
    PLENTY,
    EXPRESS,
    LATE_EXPRESS,
    BATTLE,
    LATE_BATTLE,
]
CASES = [
    pytest.param(entry, setup, id=f"{entry.name}-{n}") for entry in ENTRIES for n, setup in enumerate(entry.setups)
]

GAMES = int(os.environ.get("BEACHHEAD_GAMES", "0"))
"""Random games per setup; 0 leaves it to the entry, or in the slow run to SOAK."""
SOAK, BLOCK = 200, 25


@pytest.mark.parametrize(("entry", "setup"), CASES)
def test_random_games_keep_every_promise(entry: Entry, setup: Setup) -> None:
    looked: Counter[str] = Counter()
    for seed in range(GAMES or entry.games):
        looked += check_playthrough(entry, setup, seed)
    if entry.scramble:
        assert looked["scrambled"], "nothing was ever hidden: does `scramble` change anything?"


PLAYERS = ("thumb", "exact", "thumb", "random", "thumb", "planner", "thumb", "random")
"""Who plays a game of the maps, by its number."""
OFTEN = 0.02
"""The share of the steps of their games at which everything is checked."""
CAMPAIGN = 1000
"""Games of each map, edition and number of Units in the slow run."""
EVERY_BOARD = pytest.mark.parametrize("setup", BOARDS, ids=lambda setup: "-".join(map(str, setup.values())))


def check_games_of_bots(setup: Setup, numbers: Iterable[int]) -> None:
    """Eight games as the board is printed, then eight with any nations, options, level and readings."""
    for number in numbers:
        block, player = divmod(number, len(PLAYERS))
        played = combination(Random(f"{setup} {number}"), setup) if block % 2 else setup
        check_playthrough(MAPS, played, number, bot(PLAYERS[player]), OFTEN)


@EVERY_BOARD
def test_bots_play_every_map_to_the_end_and_every_promise_is_kept(setup: Setup) -> None:
    check_games_of_bots(setup, (0, 9))


@pytest.mark.slow
@EVERY_BOARD
@pytest.mark.parametrize("first", range(0, GAMES or CAMPAIGN, 4 * BLOCK))
def test_bots_play_every_map_thousands_of_times(setup: Setup, first: int) -> None:
    check_games_of_bots(setup, range(1_000_000 + first, 1_000_000 + min(first + 4 * BLOCK, GAMES or CAMPAIGN)))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, GAMES or SOAK, BLOCK))
@pytest.mark.parametrize(("entry", "setup"), CASES)
def test_thousands_of_random_games_keep_every_promise(entry: Entry, setup: Setup, first: int) -> None:
    for seed in range(first, min(first + BLOCK, GAMES or SOAK)):
        check_playthrough(entry, setup, 1_000_000 + seed)


def test_the_same_seed_gives_the_same_game_in_every_process() -> None:
    first, second = (_fixed_games(hash_seed) for hash_seed in ("1", "2718"))
    assert first == second
    assert [line.split()[0] for line in first] == [entry.name for entry in ENTRIES for _ in entry.setups]


def _fixed_games(hash_seed: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.play_fixed", "--poison", hash_seed],
        cwd=Path(__file__).parent.parent,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
