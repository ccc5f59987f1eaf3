"""Battle! solved, without Medals: the best single turn, and two players to 30 points against each other.

Without Medals a skirmish is won or lost, so its dice are played to match with the greatest probability, and that
depends on the number of Axis dice alone: `odds`. (That to win is never worse than to lose is checked: `Turn.worst`.)
What is left is a turn: how many Axis dice come next, and how many points are at stake. `turn` solves it for any worth
of banked points, for many at once; a column is one such worth.

Two players: a state is the score of who began and of who did not, at the beginning of a round. A round in which both
bank nothing leads back to itself, and so does a tie; such numbers are found by iteration, which shrinks what is missing
by the probability to come back each time. Everything else leads to higher scores, so it is known before. Points at
stake beyond `CAP` are counted as `CAP`; nobody gets there with a probability above `Solved.beyond`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from . import pocket_dice as dice
from .pocket_dice import Bools, Faces, Floats, Ints

FORMAT = 1
GOAL = 30
FEWEST, MOST = 2, 6
"""Axis dice of the first skirmish, and of the last ones."""
FIELDS = ("landing", "barriers", "rallying", "gantlet", "bluffs", "bunker")
TIMES = {"barriers": 2, "rallying": 3}
CAP = 330
PAD = 24
"""More points than one skirmish can bring."""
CLOSE = 1e-14
"""A number that depends on itself is found when it moves no further than this."""
Tick = Callable[[int, int], object]


class Odds(NamedTuple):
    """Of one way to fight: per number of Axis dice, the probability to win with six and with five dice, and its worth."""

    six: dict[int, float]
    five: dict[int, float]
    points: dict[int, int]


@cache
def odds(kommandant: bool = False, faces: int = 6, six: Faces = (2, 2, 2), five: Faces = (2, 2, 1)) -> Odds:
    """With the Kommandant one Axis die is black: what shows its face is not rolled again, and it brings two points."""
    found = []
    for many in (six, five):
        own = dice.box(faces, (many[0], many[1], many[2]))
        found.append({axis: _chance(own, axis, kommandant) for axis in range(FEWEST, MOST + 1)})
    return Odds(found[0], found[1], {axis: axis + kommandant for axis in range(FEWEST, MOST + 1)})


def _chance(own: dice.Box, axis: int, kommandant: bool) -> float:
    """By symmetry the black die shows face 0, and the other faces may change places."""
    demands: dict[Faces, float] = {}
    for shown in dice.sets_of(own.faces, axis - kommandant):
        need = dice.needs(own.faces, shown).tolist()
        first = [need.pop(0) + 1] if kommandant else []
        key = (*first, *sorted(need, reverse=True))
        demands[key] = demands.get(key, 0.0) + dice.chance(own.faces, shown)
    some = dice.outcomes(own)
    values = np.stack([dice.within_reach(own, some, np.array(need))[some.source] > 0 for need in demands], axis=1)
    won = dice.play(own, values.astype(np.float64), 0 if kommandant else -1)
    return float(won @ np.array(list(demands.values())))


def ways(kommandant: bool) -> tuple[Odds, ...]:
    return (odds(), odds(True)) if kommandant else (odds(),)


# ---------------------------------------------------------------------- one turn


class Turn(NamedTuple):
    ahead: dict[int, Floats]
    """Per number of Axis dice: what the skirmish is worth before it, by points at stake and column."""
    bank: Floats
    """What it is worth to bank so many points."""
    deploys: dict[int, Bools]
    """Where the Kommandant is deployed."""
    worst: float
    """The least that a skirmish won is better than one lost."""

    def advances(self, axis: int) -> Bools:
        """After a skirmish with so many Axis dice, by points at stake and column."""
        after = self.ahead[min(axis + 1, MOST)]
        return after > self.bank[: len(after)] + 1e-13

    def thresholds(self, column: int = 0) -> dict[int, int]:
        """After a skirmish with so many Axis dice: with at least so many points at stake retreat."""
        found = {}
        for axis in range(FEWEST, MOST + 1):
            going = np.flatnonzero(self.advances(axis)[:, column])
            found[axis] = int(going[-1]) + 1 if len(going) else 0
        return found


def turn(bank: Floats, edge: Floats, some: tuple[Odds, ...]) -> Turn:
    """`bank` has a row per number of points, up to `CAP + PAD`; `edge` is what six Axis dice are worth beyond `CAP`."""
    six = np.concatenate([np.zeros((CAP + 1, bank.shape[1])), edge])
    black = {MOST: np.zeros(six.shape, dtype=bool)}
    worst = np.inf
    for last in range(CAP + 1, 0, -MOST):
        first = max(last - MOST, 0)
        six[first:last], black[MOST][first:last], least = _skirmish(bank, six, MOST, first, last, some)
        worst = min(worst, least)
    ahead = {MOST: six}
    rows = CAP + 1
    for axis in range(MOST - 1, FEWEST - 1, -1):
        ahead[axis], black[axis], least = _skirmish(bank, ahead[axis + 1], axis, 0, rows, some)
        worst = min(worst, least)
        rows -= PAD
    return Turn(ahead, bank, black, worst)


def _skirmish(
    bank: Floats, after: Floats, axis: int, first: int, last: int, some: tuple[Odds, ...]
) -> tuple[Floats, Bools, float]:
    """A skirmish with these points at stake: what it is worth, whether with the Kommandant, and `Turn.worst`."""
    lost = bank[0]
    found: list[Floats] = []
    least = np.inf
    for way in some:
        total = np.zeros((last - first, bank.shape[1]))
        for field in FIELDS:
            more = way.points[axis] * TIMES.get(field, 1)
            chance = (way.five if field == "bunker" else way.six)[axis] / len(FIELDS)
            stop, go = bank[first + more : last + more], after[first + more : last + more]
            won = stop if field == "bluffs" else go if field == "gantlet" else np.maximum(stop, go)
            least = min(least, float((won - lost).min()))
            total += chance * (won - lost)
        found.append(total + lost)
    if len(found) == 1:
        return found[0], np.zeros(found[0].shape, dtype=bool), least
    return np.maximum(found[0], found[1]), found[1] > found[0] + 1e-13, least


def _rate(way: Odds) -> float:
    return way.six[MOST] / len(FIELDS)


def best_turn(kommandant: bool = False) -> Turn:
    """The turn with the most points on average. Exact: with very many points at stake one retreats whenever one may.

    Then six Axis dice are worth r (4t + 7w + x(t + w)) with w points for a plain win, where r is the probability of a
    win on one face of the battlefield die: a straight line a t + b.
    """
    some = ways(kommandant)
    points = np.arange(CAP + PAD + 1, dtype=np.float64)[:, None]
    edges = []
    for way in some:
        rate, worth = _rate(way), way.points[MOST]
        slope = 4 * rate / (1 - rate)
        edges.append(slope * points[CAP + 1 :] + rate * (7 + slope) * worth / (1 - rate))
    assert all((edge <= points[CAP + 1 :]).all() and (edge <= edges[0]).all() for edge in edges)
    return turn(points, edges[0], some)


def _level(bank: Floats, some: tuple[Odds, ...]) -> Floats:
    """What six Axis dice are worth where more points change nothing."""
    lost, top = bank[0], bank[-1]
    found: Floats = np.maximum.reduce(
        [(lost * (1 - 5 * _rate(way)) + 4 * _rate(way) * top) / (1 - _rate(way)) for way in some]
    )
    return np.repeat(found[None], PAD, axis=0)


# ---------------------------------------------------------------------- two players


class Solved(NamedTuple):
    value: float
    """The probability that the player who begins wins."""
    first: Floats
    """The same by scores (of who began, of who did not) at the beginning of a round."""
    second: Floats
    """The probability that the other wins, by the same scores, when it is that player's turn."""
    last: Floats
    """The same in a last turn, by the points that are missing to a tie."""
    tie: float
    """The probability that the player who begins wins after a tie."""
    beyond: float
    """No player has more than `CAP` points at stake with a greater probability than this."""
    gap: float
    """At most so much is missing from `value` because iteration ended."""
    worst: float
    kommandant: bool

    def starter(self, mine: int, other: int) -> Turn:
        """The turn of who began, at these scores."""
        bank = 1 - self._replies(np.array([mine]), np.array([other]))
        return turn(bank, _level(bank, ways(self.kommandant)), ways(self.kommandant))

    def follower(self, other: int, mine: int) -> Turn:
        """The turn of who did not begin; the other, who began, has `other` points."""
        bank = _last_bank(np.array([other - mine]), self.tie) if other >= GOAL else self._rounds(other, mine)
        return turn(bank, _level(bank, ways(self.kommandant)), ways(self.kommandant))

    def _rounds(self, other: int, mine: int) -> Floats:
        bank = np.ones((CAP + PAD + 1, 1))
        for points in range(GOAL - mine):
            bank[points] = 1 - self.first[other, mine + points]
        return bank

    def _replies(self, mine: Ints, other: Ints) -> Floats:
        return _replies(self.second, self.last, mine, other)


def _last_bank(missing: Ints, tie: float) -> Floats:
    """Of the last turn: what it is worth to bank so many points (row) when so many are missing to a tie (column)."""
    points = np.arange(CAP + PAD + 1)[:, None]
    found: Floats = np.where(points > missing, 1.0, np.where(points == missing, 1 - tie, 0.0))
    return found


def _replies(second: Floats, last: Floats, mine: Ints, other: Ints) -> Floats:
    """What the other player's turn is worth to that player when so many points (row) are banked at these scores."""
    score = mine[None, :] + np.arange(CAP + PAD + 1)[:, None]
    soon = second[np.minimum(score, GOAL - 1), other[None, :]]
    late = last[np.clip(score - other[None, :], 0, len(last) - 1)]
    found: Floats = np.where(score < GOAL, soon, late)
    return found


def _meet(once: Callable[[Floats], Floats], many: int) -> tuple[Floats, float]:
    """Numbers that `once` leads back to themselves, and what may be missing from them.

    Each moves what is missing by a factor below one, that of the probability to come back.
    """
    now, change, shrink = np.full(many, 0.5), 1.0, 0.0
    while change > CLOSE:
        found = once(now)
        before, change, now = change, float(abs(found - now).max()), found
        if change > 100 * CLOSE:
            shrink = max(shrink, change / before)
    return now, change * shrink / (1 - shrink)


def solve(kommandant: bool = False, goal: int = GOAL, tick: Tick | None = None) -> Solved:
    """`goal` is for tests; no more than 30."""
    some = ways(kommandant)
    worst = latest = np.inf

    def value(bank: Floats) -> Floats:
        nonlocal latest
        found = turn(bank, _level(bank, some), some)
        latest = found.worst
        start: Floats = found.ahead[FEWEST][0]
        return start

    def settle(before: float) -> None:
        """Only the last pass counts: until then numbers are guesses."""
        nonlocal latest
        latest = min(latest, before)

    missing = np.arange(CAP + 1)
    last = np.zeros(CAP + 1)

    def tied(tie: Floats) -> Floats:
        nonlocal last
        last = value(_last_bank(missing, float(tie[0])))
        before = latest
        found = value(1 - np.concatenate([last, np.repeat(last[-1:], PAD)])[:, None])
        settle(before)
        return found

    tie, gap = _meet(tied, 1)
    worst = latest
    first = np.zeros((GOAL, GOAL))
    second = np.zeros((GOAL, GOAL))
    off = GOAL - goal
    points = np.arange(CAP + PAD + 1)[:, None]
    for total in range(2 * (GOAL - 1), 2 * off - 1, -1):
        mine = np.arange(max(total - GOAL + 1, off), min(GOAL - 1, total - off) + 1)
        other = total - mine
        score = other[None, :] + points
        bank = np.where(score < GOAL, 1 - first[mine[None, :], np.minimum(score, GOAL - 1)], 1.0)

        def round_of(now: Floats, mine: Ints = mine, other: Ints = other, bank: Floats = bank) -> Floats:
            bank[0] = 1 - now
            second[mine, other] = value(bank)
            before = latest
            found = value(1 - _replies(second, last, mine, other))
            settle(before)
            return found

        first[mine, other], lack = _meet(round_of, len(mine))
        gap, worst = max(gap, lack), min(worst, latest)
        if tick:
            tick(2 * GOAL - 1 - total, 2 * goal - 1)
    reach = value((np.arange(CAP + PAD + 1) >= CAP).astype(np.float64)[:, None])[0]
    return Solved(float(first[off, off]), first, second, last, float(tie[0]), float(reach), gap, worst, kommandant)
