"""Answers that have to be seen through: the engine carries them out and bots play on.

`Ahead` goes on only to the next question that can be judged as it is (`judged.STOPS`), or to the next turn, and values
what it finds there; where no chance came in between once is enough. `played_out` goes on to the end of the game.
Every answer is followed with the same dice, which have nothing to do with those of the game that is played.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random
from time import monotonic
from typing import Any, NamedTuple

from ..bots import BOTS, safe_answer
from ..bots.look import Look
from ..bots.sight import Sight
from ..bots.values import Valuer, together
from ..core import chance
from ..core.machine import Machine, State
from ..core.node import Answer, Ask, Decision, Over
from ..games import game_of
from ..landing.game import MACHINE
from ..landing.state import Landing
from .judged import STOPS, best_value, comrades

ROUNDS = 16
"""How often an answer is followed at most."""
MOST_GAMES = 400
"""How many games are played out for an answer at most."""
GIVEN_UP = (8, 16, 32, 64, 128, 256)
"""After so many games the answers that are far behind are given up."""
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
                look = Sight(MACHINE.view(g, seat), seat, self.judge)
                found = best_value(decision, look)
                if found is not None:
                    return found * comrades(look), by_chance
            _take(MACHINE, g, decision, rng, "exact" if seat == self.seat else "thumb")
        return self._as_it_stands(g), by_chance

    def _as_it_stands(self, g: Landing) -> float:
        """At the beginning of a turn."""
        return together(Look(MACHINE.view(g, self.seat), self.seat), self.judge)


def _take(machine: Machine[Any], g: State, decision: Decision, rng: Random, code: str) -> None:
    seat = decision.seat
    key = safe_answer(BOTS[code], decision, lambda: machine.view(g, seat), rng)
    machine.apply(g, Answer(seat, decision.seq, key), quiet=True)


def played_out(state: State, decision: Decision, limit: float) -> dict[str, Mean]:
    """How many of the games are won that go on with each answer, when the bot thumb plays all seats.

    Answers that fall far behind are given up, and what time is left goes to the others.
    """
    machine: Machine[Any] = game_of(state).machine
    end = monotonic() + limit
    won, times = dict.fromkeys(decision.keys, 0), dict.fromkeys(decision.keys, 0)
    left = list(decision.keys)
    for game in range(MOST_GAMES):
        seed = chance.seed_from(f"advice {game}")
        for key in left:
            if game and monotonic() > end:
                break
            g = machine.clone(state)
            machine.apply(g, Answer(decision.seat, decision.seq, key), quiet=True)
            won[key] += _play(machine, g, seed, Random(game))
            times[key] += 1
        if monotonic() > end:
            break
        if game + 1 in GIVEN_UP:
            most = max(won[key] for key in left)
            left = [key for key in left if most - won[key] <= 2 * sqrt(most + won[key] + 1)]
    return {key: Mean(won[key] / times[key], times[key]) for key in decision.keys}


def _play(machine: Machine[Any], g: State, seed: str, rng: Random) -> bool:
    while True:
        node = machine.node(g)
        if isinstance(node, Over):
            return node.won
        if isinstance(node, Ask):
            _take(machine, g, node.decision(node.seats[0]), rng, "thumb")
        else:
            machine.apply(g, chance.sample(seed, node), quiet=True)
