"""Answers that have to be seen through: the engine carries them out and bots play on.

`Ahead` goes on only to the next question that can be judged as it is (`judged.STOPS`), or to the next turn, and values
what it finds there; where no chance came in between once is enough. `played_out` goes on to the end of the game.
Every answer is followed with the same dice, which have nothing to do with those of the game that is played.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import monotonic
from typing import NamedTuple

from ..bots import BOTS, safe_answer
from ..bots.exact import ALONE, Sight
from ..bots.look import Look
from ..bots.values import Valuer, standing
from ..core import chance
from ..core.node import Answer, Ask, Decision, Over
from ..landing.game import MACHINE
from ..landing.state import Landing
from .judged import STOPS, best_value

ROUNDS = 16
"""How often an answer is followed at most."""
MOST_GAMES = 400
"""How many games are played out for an answer at most."""
PATIENCE = 400
"""Answers after which a continuation is given up: no turn is that long."""


class Mean(NamedTuple):
    """The mean of some continuations."""

    value: float
    times: int


class Ahead:
    """What may come of an answer that this seat gives."""

    def __init__(self, state: Landing, decision: Decision, judge: Valuer) -> None:
        self.state = state
        self.decision = decision
        self.seat = decision.seat
        self.judge = judge

    def values(self, keys: Sequence[str], limit: float) -> dict[str, Mean]:
        """Of each of these answers, within so many seconds; each is followed at least once."""
        end = monotonic() + limit
        sums = dict.fromkeys(keys, 0.0)
        times = dict.fromkeys(keys, 0)
        left = list(keys)
        for number in range(ROUNDS):
            chancy = []
            for key in left:
                if number and monotonic() > end:
                    break
                value, by_chance = self._follow(key, chance.seed_from(f"advice {number}"), Random(number))
                sums[key] += value
                times[key] += 1
                if by_chance:
                    chancy.append(key)
            left = chancy
            if not left or monotonic() > end:
                break
        return {key: Mean(sums[key] / times[key], times[key]) for key in keys}

    def _follow(self, key: str, seed: str, rng: Random) -> tuple[float, bool]:
        """The value of where it leads, and whether chance had a part in it."""
        g = MACHINE.clone(self.state)
        MACHINE.apply(g, Answer(self.seat, self.decision.seq, key), quiet=True)
        turn, by_chance = self.state.turn, False
        for _ in range(PATIENCE):
            node = MACHINE.node(g)
            if isinstance(node, Over):
                return float(node.won), by_chance
            if g.turn != turn:
                return self._as_it_stands(g), by_chance
            if not isinstance(node, Ask):
                MACHINE.apply(g, chance.sample(seed, node), quiet=True)
                by_chance = True
                continue
            seat = self.seat if self.seat in node.seats else node.seats[0]
            decision = node.decision(seat)
            if seat == self.seat and decision.name in STOPS:
                found = best_value(decision, Sight(MACHINE.view(g, seat), seat, self.judge))
                if found is not None:
                    return found, by_chance
            _take(g, decision, rng, "exact" if seat == self.seat else "thumb")
        return self._as_it_stands(g), by_chance

    def _as_it_stands(self, g: Landing) -> float:
        """At the beginning of a turn: the mean of what the Units on the map are worth to their side."""
        look = Look(MACHINE.view(g, self.seat), self.seat)
        units = [unit for unit in look.units if unit["status"] == 0]
        return sum(float(self.judge.worth(standing(look, unit), ALONE, "turn")[0]) for unit in units) / len(units)


def _take(g: Landing, decision: Decision, rng: Random, code: str) -> None:
    seat = decision.seat
    key = safe_answer(BOTS[code], decision, lambda: MACHINE.view(g, seat), rng)
    MACHINE.apply(g, Answer(seat, decision.seq, key), quiet=True)


def played_out(state: Landing, decision: Decision, limit: float) -> dict[str, Mean]:
    """How many of the games are won that go on with each answer, when the bot thumb plays all seats."""
    end = monotonic() + limit
    won = dict.fromkeys(decision.keys, 0)
    games = 0
    while games < MOST_GAMES and (not games or monotonic() < end):
        for key in decision.keys:
            g = MACHINE.clone(state)
            MACHINE.apply(g, Answer(decision.seat, decision.seq, key), quiet=True)
            won[key] += _play(g, chance.seed_from(f"advice {games}"), Random(games))
        games += 1
    return {key: Mean(many / games, games) for key, many in won.items()}


def _play(g: Landing, seed: str, rng: Random) -> bool:
    while True:
        node = MACHINE.node(g)
        if isinstance(node, Over):
            return node.won
        if isinstance(node, Ask):
            _take(g, node.decision(node.seats[0]), rng, "thumb")
        else:
            MACHINE.apply(g, chance.sample(seed, node), quiet=True)
