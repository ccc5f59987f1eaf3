"""Rounds of self-play and learning: the values of a round play the games of the next one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from math import sqrt
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np

from ..bots.planner import SEARCHES
from ..bots.values import MOMENTS, START, SURE, Counts, Setting, Valuer, Values, names_of
from ..solve import fast
from .fit import Fitted, fit
from .selfplay import Batch, Seen, play_batch

BLOCK = 25
"""Games that a process plays at a time; fixed, so that the number of processes changes nothing."""
PLAYS: tuple[tuple[str, ...], ...] = (("move",), (), ("move", "acquire"))
"""Questions, beside those about dice, that values may answer."""
LEARNED_FROM = 1_000_000
"""The number of the first game that is learned from; trials begin with game 1."""
SURELY_WON = 0.99
"""Where so many games are won nothing can be found out about what is better still."""
SEEMS, BETTER = 0.5, 1.5
"""How sure (see `Trial.over`) it has to be that a search helps to try it together with others, and to use it."""
KEPT = 2
"""Rounds whose games are learned from."""


class Round(NamedTuple):
    """Games played by the values of the round before, with strays, and what was learned from them."""

    number: int
    """From 1, whose games are played by rules of thumb."""
    games: int
    won: int
    fitted: dict[str, Fitted]


class Trial(NamedTuple):
    """Games without strays, all trials the same dice. None of them was learned from."""

    judge: Valuer
    games: int
    wins: frozenset[int]
    """The games that were won, by their numbers."""
    planning: bool = False
    """Was it the bot planner that played? Else exact."""
    told: dict[str, Counts] = {}  # noqa: RUF012  (never changed)
    """How often what the judge told of situations came true."""

    @property
    def won(self) -> int:
        return len(self.wins)

    def over(self, other: Trial) -> float:
        """How sure it is that this one is better, from the games that only one of the two won; 0: no difference. Near 2
        it is hardly chance any more.
        """
        only, others = len(self.wins - other.wins), len(other.wins - self.wins)
        return (only - others) / sqrt(only + others) if only + others else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's, of the share that was won, in 95 of 100 cases."""
        n = self.games
        rate, weight = self.won / n, 1 + SURE * SURE / n
        middle = (rate + SURE * SURE / (2 * n)) / weight
        reach = SURE * sqrt(rate * (1 - rate) / n + SURE * SURE / (4 * n * n)) / weight
        return max(0.0, middle - reach), min(1.0, middle + reach)


def train(
    settings: list[Setting],
    games: int,
    rounds: int,
    seed: int,
    workers: int,
    tick: Callable[[int], object] = lambda games: None,
    tried: int = 0,
) -> Iterator[Round | Trial]:
    """Learn, then try what was learned. The same seed gives the same values, whatever the number of processes.

    With several settings each round plays so many games in all, and what is learned is for any game. Tried are the
    rules of thumb, and the values of the last two rounds with more and with fewer questions that they answer; and then
    with the best of these values what the bot planner may search. A trial has `tried` games, or as many as a round.
    """
    alone = settings[0] if len(settings) == 1 else None
    names = names_of(alone.key) if alone else ()
    learned: list[Values] = []
    past: list[dict[str, Seen]] = []
    with _pool(workers) as pool:

        def play(judge: Valuer, first: int, many: int, learning: bool, planning: bool = False) -> list[Batch]:
            blocks = [range(at, min(at + BLOCK, first + many)) for at in range(first, first + many, BLOCK)]
            work = [
                (settings[n % len(settings)], names, judge, seed, block, learning, planning)
                for n, block in enumerate(blocks)
            ]
            batches = []
            for batch in pool(play_batch, work):
                batches.append(batch)
                tick(batch.games)
            return batches

        for number in range(1, rounds + 1):
            batches = play(learned[-1] if learned else START, LEARNED_FROM + number * games, games, True)
            past = [*past, _joined(batches)][-KEPT:]
            fitted = {}
            for n, moment in enumerate(MOMENTS):
                seen = [one[moment] for one in past]
                x = np.concatenate([one.inputs for one in seen])
                y = np.concatenate([one.result for one in seen])
                game = np.concatenate([one.game for one in seen])
                start = learned[-1].nets[moment] if learned else None
                fitted[moment] = fit(x, y, game, seed + 2 * number + n, start)
            nets = {moment: one.net for moment, one in fitted.items()}
            learned.append(Values(alone, names, nets, {"games": games, "round": number, "seed": seed}))
            yield Round(number, games, sum(len(batch.won) for batch in batches), fitted)

        def trial(judge: Valuer, planning: bool = False) -> Trial:
            batches = play(judge, 1, tried or games, False, planning)
            wins = frozenset(number for batch in batches for number in batch.won)
            return Trial(judge, tried or games, wins, planning, _told(batches))

        trials = []
        for judge in to_try(learned):
            trials.append(trial(judge))
            yield trials[-1]
        best = best_of(trials)[0]
        if best.won < SURELY_WON * best.games:
            singles = []
            for searches in to_search(settings):
                singles.append(trial(searching(best.judge, searches), True))
                yield singles[-1]
            if joined := worth_joining(best, singles):
                yield trial(searching(best.judge, joined), True)


def tries(rounds: int) -> int:
    """How many trials there are at most."""
    return len(PLAYS) + 1 + (rounds > 1) + len(SEARCHES) + 1


def to_try(learned: list[Values]) -> list[Valuer]:
    last = learned[-1]
    found: list[Valuer] = [START]
    found += learned[-2:-1]
    return found + [Values(last.setting, last.names, last.nets, dict(last.about), plays) for plays in PLAYS]


def to_search(settings: list[Setting]) -> list[tuple[str, ...]]:
    """What the planner may search, one by one; who is alone has nobody to trade with."""
    alone = all(setting.seats == 1 for setting in settings)
    return [(name,) for name in SEARCHES if name != "trade" or not alone]


def searching(judge: Valuer, searches: tuple[str, ...]) -> Values:
    assert isinstance(judge, Values)
    return Values(judge.setting, judge.names, judge.nets, judge.about, judge.plays, judge.calibration, searches)


def worth_joining(best: Trial, singles: list[Trial]) -> tuple[str, ...]:
    """Those searches that seem to help, if there are several."""
    names = [name for one in singles if one.over(best) > SEEMS for name in one.judge.searches]  # type: ignore[attr-defined]
    return tuple(names) if len(names) > 1 else ()


def best_of(trials: list[Trial]) -> tuple[Trial, Trial]:
    """The trial of the values that won most often, of equal ones those tried first, and that of the rules of thumb.
    The values are told how they fared, and what the planner searches with them: what was better than exact, hardly by
    chance.
    """
    best = max((one for one in trials if isinstance(one.judge, Values) and not one.planning), key=lambda one: one.won)
    assert isinstance(best.judge, Values)
    by_thumb = next(one for one in trials if one.judge is START)
    best.judge.about |= {"trial": best.games, "won": best.won, "won_by_rules_of_thumb": by_thumb.won}
    best.judge.calibration = best.told
    planned = max((one for one in trials if one.planning), key=lambda one: one.won, default=None)
    if planned is not None and isinstance(planned.judge, Values) and planned.over(best) > BETTER:
        best.judge.searches = planned.judge.searches
        best.judge.about["won_by_planner"] = planned.won
    return best, by_thumb


def _told(batches: list[Batch]) -> dict[str, Counts]:
    sums = {moment: sum(batch.told[moment] for batch in batches) for moment in MOMENTS}
    return {
        moment: tuple((int(n), int(won), int(games)) for n, won, games in np.asarray(one))
        for moment, one in sums.items()
    }


def _joined(batches: list[Batch]) -> dict[str, Seen]:
    return {
        moment: Seen(*(np.concatenate(parts) for parts in zip(*(batch.seen[moment] for batch in batches), strict=True)))
        for moment in MOMENTS
    }


@contextmanager
def _pool(workers: int) -> Iterator[Callable[..., Iterator[Batch]]]:
    if workers == 1:
        yield lambda work, many: (work(*one) for one in many)
        return
    # numpy must not spread small products over threads in every process
    before = os.environ.get("OPENBLAS_NUM_THREADS")
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    try:
        with ProcessPoolExecutor(workers, get_context("spawn"), initializer=_prepare) as pool:
            yield lambda work, many: pool.map(work, *zip(*many, strict=True))
    finally:
        if before is None:
            del os.environ["OPENBLAS_NUM_THREADS"]
        else:
            os.environ["OPENBLAS_NUM_THREADS"] = before


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _prepare() -> None:
    if thread := fast.prepare():
        thread.join()
