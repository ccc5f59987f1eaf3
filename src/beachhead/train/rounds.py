"""Rounds of self-play and learning: the values of a round play the games of the next one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np

from ..bots.values import MOMENTS, START, Setting, Valuer, Values, names_of
from ..solve import fast
from .fit import Fitted, fit
from .selfplay import Batch, Seen, play_batch

BLOCK = 25
"""Games that a process plays at a time; fixed, so that the number of processes changes nothing."""
PLAYS: tuple[tuple[str, ...], ...] = (("move",), (), ("move", "acquire"))
"""Questions, beside those about dice, that values may answer."""
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
    """Games without strays, all trials the same dice."""

    judge: Valuer
    games: int
    won: int


def train(
    settings: list[Setting],
    games: int,
    rounds: int,
    seed: int,
    workers: int,
    tick: Callable[[int], object] = lambda games: None,
) -> Iterator[Round | Trial]:
    """Learn, then try what was learned. The same seed gives the same values, whatever the number of processes.

    With several settings each round plays so many games in all, and what is learned is for any game. Tried are the
    rules of thumb, and the values of the last two rounds with more and with fewer questions that they answer.
    """
    alone = settings[0] if len(settings) == 1 else None
    names = names_of(alone.key) if alone else ()
    learned: list[Values] = []
    past: list[dict[str, Seen]] = []
    with _pool(workers) as pool:

        def play(judge: Valuer, first: int, learning: bool) -> list[Batch]:
            blocks = [range(at, min(at + BLOCK, first + games)) for at in range(first, first + games, BLOCK)]
            work = [
                (settings[n % len(settings)], names, judge, seed, block, learning) for n, block in enumerate(blocks)
            ]
            batches = []
            for batch in pool(play_batch, work):
                batches.append(batch)
                tick(batch.games)
            return batches

        for number in range(1, rounds + 1):
            batches = play(learned[-1] if learned else START, 1 + number * games, True)
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
            yield Round(number, games, sum(batch.won for batch in batches), fitted)
        for judge in to_try(learned):
            yield Trial(judge, games, sum(batch.won for batch in play(judge, 1, False)))


def tries(rounds: int) -> int:
    """How many trials there are."""
    return len(PLAYS) + 1 + (rounds > 1)


def to_try(learned: list[Values]) -> list[Valuer]:
    last = learned[-1]
    found: list[Valuer] = [START]
    found += learned[-2:-1]
    return found + [Values(last.setting, last.names, last.nets, dict(last.about), plays) for plays in PLAYS]


def best_of(trials: list[Trial]) -> Values:
    """The values that won most often; of equal ones those tried first."""
    best = max((one for one in trials if isinstance(one.judge, Values)), key=lambda one: one.won)
    assert isinstance(best.judge, Values)
    by_thumb = next(one.won / one.games for one in trials if one.judge is START)
    best.judge.about |= {"won": best.won / best.games, "won_by_rules_of_thumb": by_thumb}
    return best.judge


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
