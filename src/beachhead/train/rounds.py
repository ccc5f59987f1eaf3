"""Rounds of self-play and learning: the values of a round play the games of the next one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..bots.values import MOMENTS, START, SURE, Counts, Setting, Valuer, Values, Weights, names_of
from ..core.processes import processes
from ..solve import fast
from .fit import Fitted, fit
from .selfplay import Batch, Seen, play_batch

BLOCK = 25
"""Games that a process plays at a time; fixed, so that the number of processes changes nothing."""
PLAYS: tuple[tuple[str, ...], ...] = (("move",), (), ("move", "acquire"))
"""Questions, beside those about dice, that values may answer."""
PLAYED: list[tuple[str, ...]] = [("move",), ("move", "acquire")]
"""What values may answer in the games that are learned from, each in turn, until the last of these wins most of its
games; then only that.
"""
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
    """From 1, whose games are played by what there was before: values for any game, or rules of thumb."""
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
    before: bool = False
    """Was it judged by what there was before this training?"""

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
    start: Valuer = START,
    searches: Sequence[str] = (),
) -> Iterator[Round | Trial]:
    """Learn, then try what was learned. The same seed gives the same values, whatever the number of processes.

    With several settings each round plays so many games in all, and what is learned is for any game. The first round
    is played by `start`. Tried are the rules of thumb, `start`, and the values of the last two rounds with more and
    with fewer questions that they answer; and then, with the best of these values, what of `searches` the planner may
    search.
    A trial has `tried` games, or as many as a round.
    """
    alone = settings[0] if len(settings) == 1 else None
    names = names_of(alone.key) if alone else ()
    learned: list[Values] = []
    past: list[dict[str, Seen]] = []
    ways = PLAYED
    last = renamed(start, names) if isinstance(start, Values) and start.setting else {}
    with _pool(workers) as pool:

        def play(judges: list[Valuer], first: int, many: int, learning: bool, planning: bool = False) -> list[Batch]:
            blocks = [range(at, min(at + BLOCK, first + many)) for at in range(first, first + many, BLOCK)]
            every = len(settings)
            work = [
                (settings[n % every], names, judges[n // every % len(judges)], seed, block, learning, planning)
                for n, block in enumerate(blocks)
            ]
            batches = []
            for batch in pool(play_batch, work):
                batches.append(batch)
                tick(batch.games)
            return batches

        for number in range(1, rounds + 1):
            judges: list[Valuer] = [*(answering(learned[-1], plays) for plays in ways)] if learned else [start]
            batches = play(judges, LEARNED_FROM + number * games, games, True)
            if len(judges) > 1:
                ways = ways[-1:] if most_won(batches, len(settings), len(ways)) == len(ways) - 1 else ways
            past = [*past, _joined(batches)][-KEPT:]
            fitted = {}
            for n, moment in enumerate(MOMENTS):
                seen = [one[moment] for one in past]
                x = np.concatenate([one.inputs for one in seen])
                y = np.concatenate([one.result for one in seen])
                game = np.concatenate([one.game for one in seen])
                fitted[moment] = fit(x, y, game, seed + 2 * number + n, last.get(moment))
            last = nets = {moment: one.net for moment, one in fitted.items()}
            learned.append(Values(alone, names, nets, {"games": games, "round": number, "seed": seed}))
            yield Round(number, games, sum(len(batch.won) for batch in batches), fitted)

        def trial(judge: Valuer, planning: bool = False, before: bool = False) -> Trial:
            batches = play([judge], 1, tried or games, False, planning)
            wins = frozenset(number for batch in batches for number in batch.won)
            return Trial(judge, tried or games, wins, planning, _told(batches), before)

        trials = []
        for judge in [START] if start is START else [START, start]:
            trials.append(trial(judge, before=True))
            yield trials[-1]
        for judge in to_try(learned):
            trials.append(trial(judge))
            yield trials[-1]
        best = best_of(trials)[0]
        if searches and best.won < SURELY_WON * best.games:
            singles = []
            several = any(setting.seats > 1 for setting in settings)
            for name in (name for name in searches if name != "trade" or several):
                singles.append(trial(searching(best.judge, (name,)), True))
                yield singles[-1]
            if joined := worth_joining(best, singles):
                yield trial(searching(best.judge, joined), True)


def renamed(values: Values, names: tuple[str, ...]) -> dict[str, Weights]:
    """The nets with places for other Sectors and cards; what is new has no say yet."""
    places = {name: n for n, name in enumerate(values.names)}

    def moved(inputs: NDArray[Any]) -> NDArray[Any]:
        begin = len(inputs) - len(values.names)
        rest = [inputs[begin + places[name]] if name in places else np.zeros_like(inputs[0]) for name in names]
        return np.concatenate((inputs[:begin], np.array(rest).reshape(len(names), *inputs.shape[1:])))

    return {moment: net | {"w": moved(net["w"]), "u": moved(net["u"])} for moment, net in values.nets.items()}


def most_won(batches: list[Batch], settings: int, ways: int) -> int:
    """Which of so many ways that took turns, each with all settings, won the greatest share of its games."""
    turns = [[batch for n, batch in enumerate(batches) if n // settings % ways == way] for way in range(ways)]
    shares = [sum(len(one.won) for one in mine) / max(1, sum(one.games for one in mine)) for mine in turns]
    return shares.index(max(shares))


def tries(rounds: int, searches: Sequence[str]) -> int:
    """How many trials there are at most."""
    return len(PLAYS) + 2 + (rounds > 1) + len(searches) + (len(searches) > 1)


def to_try(learned: list[Values]) -> list[Values]:
    return [*learned[-2:-1], *(answering(learned[-1], plays) for plays in PLAYS)]


def answering(values: Values, plays: tuple[str, ...]) -> Values:
    return Values(values.setting, values.names, values.nets, dict(values.about), plays)


def searching(judge: Valuer, searches: tuple[str, ...]) -> Values:
    assert isinstance(judge, Values)
    return Values(judge.setting, judge.names, judge.nets, judge.about, judge.plays, judge.calibration, searches)


def worth_joining(best: Trial, singles: list[Trial]) -> tuple[str, ...]:
    """Those searches that seem to help, if there are several."""
    names = [name for one in singles if one.over(best) > SEEMS for name in one.judge.searches]  # type: ignore[attr-defined]
    return tuple(names) if len(names) > 1 else ()


def best_of(trials: list[Trial]) -> tuple[Trial, Trial]:
    """The trial of the learned values that won most often, of equal ones those tried first, and the best of what there
    was before. The values are told how they fared, and what the planner searches with them: what was better than exact,
    hardly by chance.
    """
    best = max((one for one in trials if not one.before and not one.planning), key=lambda one: one.won)
    assert isinstance(best.judge, Values)
    by_thumb = next(one for one in trials if one.judge is START)
    before = max((one for one in trials if one.before), key=lambda one: one.won)
    best.judge.about |= {"trial": best.games, "won": best.won, "won_by_rules_of_thumb": by_thumb.won}
    best.judge.calibration = best.told
    plans = [one for one in trials if one.planning and isinstance(one.judge, Values)]
    planned = max(plans, key=lambda one: one.won, default=best)
    if planned.over(best) > BETTER:
        best.judge.searches = planned.judge.searches  # type: ignore[attr-defined]
        best.judge.about["won_by_planner"] = planned.won
    return best, before


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
        _prepare()
        yield lambda work, many: (work(*one) for one in many)
        return
    # numpy must not spread small products over threads in every process
    before = os.environ.get("OPENBLAS_NUM_THREADS")
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    try:
        with processes(workers, _prepare) as pool:
            assert pool is not None
            yield lambda work, many: pool.map(work, *zip(*many, strict=True))
    finally:
        if before is None:
            del os.environ["OPENBLAS_NUM_THREADS"]
        else:
            os.environ["OPENBLAS_NUM_THREADS"] = before


def _prepare() -> None:
    """Wait for machine code, where there is any: games that change to it in between are not quite the same again."""
    if thread := fast.prepare():
        thread.join()
