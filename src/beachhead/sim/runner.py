"""Many games at once: bots play, what came of it is counted.

Game number n of a base seed is the same game in every run: its dice come from a seed of its own, made from the base
seed and n, and each bot draws from a generator of its own, made from that seed and its seat. So neither the number of
games nor that of the processes changes any game, and all counts are sums of whole numbers, which come out the same in
whatever order the games end.
"""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from pathlib import Path
from random import Random
from statistics import NormalDist
from typing import NamedTuple

from ..bots import Bot, bot
from ..core import record
from ..core.chance import sample, seed_from
from ..core.errors import BeachheadError, Illegal, Invalid, SetupError
from ..core.game import Game, Setup
from ..core.node import Answer, Ask, Over, Roll
from ..core.plain import Plain
from ..core.record import Record
from ..games import GAMES
from ..table.match import Match

MOST_ANSWERS = 100_000
"""A game of bots that is not over by then never will be."""

# ---- one game


class Played(NamedTuple):
    """A game from start to end. `turns` is 0 where the game does not count them."""

    over: Over
    turns: int
    answers: list[Answer]

    @property
    def decisions(self) -> int:
        return len(self.answers)


def game_seed(seed: int, number: int) -> str:
    """The seed of game number `number` (from 1) under this base seed."""
    return seed_from(f"{seed} game {number}")


def play(game: Game, setup: Setup, bots: Sequence[Bot], seed: str) -> Played:
    """One game, as fast as it goes. Where several seats are asked at once, the lowest answers first."""
    machine = game.machine
    g, _ = game.new(setup)
    if len(bots) != len(g.lanes):
        raise SetupError(f"{len(bots)} bots for {len(g.lanes)} seats: expected one for each seat")
    players = [(it.answer, partial(machine.view, g, seat), Random(f"{seed}:{seat}")) for seat, it in enumerate(bots)]
    node_of, apply = machine.node, machine.apply
    answers: list[Answer] = []
    while True:
        node = node_of(g)
        if type(node) is Ask:
            seat = node.seats[0]
            decision = node.decision(seat)
            answer, view, rng = players[seat]
            given = Answer(seat, decision.seq, answer(decision, view, rng))
            answers.append(given)
            try:
                apply(g, given, True)
            except (Illegal, Invalid) as error:
                raise RuntimeError(
                    f"the bot {bots[seat].code!r} gave no legal answer (seed {seed}): {error}"
                ) from error
            if len(answers) > MOST_ANSWERS:
                codes = ", ".join(it.code for it in bots)
                raise BeachheadError(f"the game of seed {seed} is not over after {MOST_ANSWERS} answers of {codes}")
        elif type(node) is Roll:
            apply(g, sample(seed, node), True)
        else:
            assert isinstance(node, Over)
            return Played(node, getattr(g, "turn", 0), answers)


def record_of(game: Game, setup: Setup, seed: str, answers: Sequence[Answer]) -> Record:
    """The record of a game that was played with these answers under this seed."""
    match = Match.new(game, setup, seed)
    for given in answers:
        match.answer(given)
    return match.record


# ---- what came of many


@dataclass(slots=True)
class Count:
    """How many, their sum and the sum of their squares."""

    n: int = 0
    total: int = 0
    squares: int = 0

    def add(self, value: int) -> None:
        self.n += 1
        self.total += value
        self.squares += value * value

    def __iadd__(self, other: Count) -> Count:
        self.n += other.n
        self.total += other.total
        self.squares += other.squares
        return self


@dataclass(slots=True)
class Tally:
    """What is counted of the games; two tallies add up."""

    ended: Counter[tuple[bool, str]] = field(default_factory=Counter)
    """By whether they were won, and the cause of the end."""
    turns: Count = field(default_factory=Count)
    decisions: Count = field(default_factory=Count)

    def add(self, played: Played) -> None:
        self.ended[played.over.won, played.over.cause] += 1
        self.turns.add(played.turns)
        self.decisions.add(played.decisions)

    def __iadd__(self, other: Tally) -> Tally:
        self.ended += other.ended
        self.turns += other.turns
        self.decisions += other.decisions
        return self


class Estimate(NamedTuple):
    """A value and the bounds between which the true one lies in 95 of 100 such runs; None where they are unknown."""

    value: float
    low: float | None
    high: float | None


Z = NormalDist().inv_cdf(0.975)


def wilson(hits: int, of: int) -> Estimate:
    """A rate with its Wilson score interval."""
    rate = hits / of
    weight = 1 + Z * Z / of
    middle = (rate + Z * Z / (2 * of)) / weight
    reach = Z * sqrt(rate * (1 - rate) / of + Z * Z / (4 * of * of)) / weight
    return Estimate(rate, middle - reach if hits else 0.0, middle + reach if hits < of else 1.0)


def mean(count: Count) -> Estimate:
    """A mean with its normal interval; one value tells no interval."""
    value = count.total / count.n
    if count.n < 2:
        return Estimate(value, None, None)
    variance = (count.n * count.squares - count.total**2) / (count.n * (count.n - 1))
    reach = Z * sqrt(variance / count.n)
    return Estimate(value, value - reach, value + reach)


@dataclass(frozen=True, slots=True)
class Result:
    """What was played, what came of it, and how long it took."""

    game: str
    setup: Setup
    bots: tuple[str, ...]
    seed: int
    workers: int
    tally: Tally
    seconds: float = field(compare=False)

    @property
    def games(self) -> int:
        return self.tally.ended.total()

    @property
    def wins(self) -> int:
        return sum(n for (won, _), n in self.tally.ended.items() if won)

    @property
    def win_rate(self) -> Estimate:
        return wilson(self.wins, self.games)

    @property
    def ended(self) -> dict[str, int]:
        """How many games each cause ended, the most frequent first."""
        causes: Counter[str] = Counter()
        for (_, cause), n in self.tally.ended.items():
            causes[cause] += n
        return dict(sorted(causes.items(), key=lambda item: (-item[1], item[0])))

    @property
    def turns(self) -> Estimate:
        return mean(self.tally.turns)

    @property
    def decisions(self) -> int:
        return self.tally.decisions.total

    @property
    def decisions_per_game(self) -> Estimate:
        return mean(self.tally.decisions)

    @property
    def decisions_per_second(self) -> float:
        return self.decisions / self.seconds

    def as_json(self) -> dict[str, Plain]:
        return {
            "game": self.game,
            "setup": self.setup,
            "bots": list(self.bots),
            "seed": self.seed,
            "games": self.games,
            "wins": self.wins,
            "win_rate": self.win_rate.value,
            "win_rate_95": list(self.win_rate[1:]),
            "ended": self.ended,
            "turns_per_game": self.turns.value,
            "turns_per_game_95": list(self.turns[1:]),
            "decisions": self.decisions,
            "decisions_per_game": self.decisions_per_game.value,
            "decisions_per_game_95": list(self.decisions_per_game[1:]),
            "seconds": self.seconds,
            "decisions_per_second": self.decisions_per_second,
            "workers": self.workers,
        }


# ---- many games


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def simulate(
    game: Game,
    setup: Setup,
    bots: Sequence[str],
    games: int,
    seed: int = 0,
    workers: int | None = None,
    save: Path | None = None,
    tick: Callable[[int], object] = lambda games: None,
) -> Result:
    """Play `games` games over several processes, all cores by default, and count what came of them.

    `bots` are codes, one for each seat or one for all. With `save`, the record of each game goes into that folder;
    nothing is played when a file of such a name is there already. `tick` is told how many more games are over.
    Games that are played over several processes must be listed in `GAMES`.
    """
    if games < 1:
        raise SetupError(f"{games} games: expected 1 or more")
    if workers is not None and workers < 1:
        raise SetupError(f"{workers} workers: expected 1 or more")
    for code in bots:
        bot(code)
    seats = len(game.new(setup)[0].lanes)
    if len(bots) not in (1, seats):
        raise SetupError(f"{len(bots)} bots for {seats} seats: expected one for each seat, or one for all")
    codes = tuple(bots) if len(bots) == seats else tuple(bots) * seats
    if save is not None:
        _make_room(save, game.name, seed, games)
    workers = min(workers or cores(), games)
    size = max(1, min(50, games // (4 * workers)))
    blocks = [range(first, min(first + size, games + 1)) for first in range(1, games + 1, size)]
    tally = Tally()
    start = time.perf_counter()
    if workers == 1:
        for block in blocks:
            tally += _play_block(game, setup, codes, seed, block, save)
            tick(len(block))
    else:
        for part in _spread(workers, blocks, game.name, setup, codes, seed, save):
            tally += part
            tick(part.decisions.n)
    return Result(game.name, setup, codes, seed, workers, tally, time.perf_counter() - start)


def _spread(
    workers: int, blocks: list[range], name: str, setup: Setup, codes: tuple[str, ...], seed: int, save: Path | None
) -> Iterator[Tally]:
    """The tallies of the blocks, as they come."""
    with ProcessPoolExecutor(workers, initializer=_leave_interrupts_to_the_parent) as pool:
        try:
            parts = [pool.submit(_play_named, name, setup, codes, seed, block, save) for block in blocks]
            for part in as_completed(parts):
                yield part.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _play_named(name: str, setup: Setup, codes: tuple[str, ...], seed: int, block: range, save: Path | None) -> Tally:
    """A game is full of functions and cannot be sent to another process; its name can."""
    return _play_block(GAMES[name], setup, codes, seed, block, save)


def _play_block(game: Game, setup: Setup, codes: tuple[str, ...], seed: int, block: range, save: Path | None) -> Tally:
    players = [bot(code) for code in codes]
    tally = Tally()
    for number in block:
        dice = game_seed(seed, number)
        played = play(game, setup, players, dice)
        tally.add(played)
        if save is not None:
            record.write(record_of(game, setup, dice, played.answers), save / file_name(game.name, seed, number))
    return tally


def file_name(game: str, seed: int, number: int) -> str:
    return f"{game}-{seed}-{number:04}.jsonl"


def _make_room(folder: Path, game: str, seed: int, games: int) -> None:
    """Make the folder, and see that no file is in the way."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        there = {path.name for path in folder.iterdir()}
    except OSError as error:
        raise BeachheadError(f"the games cannot be saved in {folder}: {error.strerror}") from None
    for number in range(1, games + 1):
        name = file_name(game, seed, number)
        if name in there:
            raise BeachheadError(
                f"{folder / name} is already there, and nothing was played: choose another folder or seed"
            )
