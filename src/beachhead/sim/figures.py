"""Figures about many games: sums of whole numbers, which come out the same in whatever order the games end, and what
they tell, with 95 % intervals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

from .rows import Row

Z = NormalDist().inv_cdf(0.975)


class Estimate(NamedTuple):
    """A value and the bounds between which the true one lies in 95 of 100 such runs; None where they are unknown."""

    value: float
    low: float | None
    high: float | None


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


# ---- the same games twice


def difference(after: Sequence[int], before: Sequence[int]) -> Estimate:
    """The mean difference of pairs."""
    count = Count()
    for a, b in zip(after, before, strict=True):
        count.add(a - b)
    return mean(count)


class Paired(NamedTuple):
    """Two players of the same games: how many only the one won, how many only the other, and what that says.

    `rate` is the difference of their win rates with the interval of Bonett and Price (Laplace counts, 2012); `p` is
    how likely so uneven a split would be if both were equally strong (McNemar's test, exact, two-sided).
    """

    games: int
    only_one: int
    only_other: int

    @property
    def rate(self) -> Estimate:
        n, b, c = self.games + 2, self.only_one + 1, self.only_other + 1
        middle = (b - c) / n
        reach = Z * sqrt((b + c) / n - middle * middle) / sqrt(n)
        value = (self.only_one - self.only_other) / self.games
        return Estimate(value, max(-1.0, middle - reach), min(1.0, middle + reach))

    @property
    def p(self) -> float:
        split, least = self.only_one + self.only_other, min(self.only_one, self.only_other)
        ways = tail = 1
        for k in range(least):
            ways = ways * (split - k) // (k + 1)
            tail += ways
        return min(1.0, 2 * tail / (1 << split))


def paired(one: Sequence[bool], other: Sequence[bool]) -> Paired:
    """The games of two players, in the same order."""
    pairs = Counter(zip(one, other, strict=True))
    return Paired(len(one), pairs[True, False], pairs[False, True])


# ---- many games


@dataclass(slots=True)
class Tally:
    """What is counted of games with the same setup and players."""

    ended: Counter[tuple[bool, str]] = field(default_factory=Counter)
    """By whether they were won, and the cause of the end."""
    turns: Count = field(default_factory=Count)
    decisions: Count = field(default_factory=Count)
    left: Count = field(default_factory=Count)
    """Soldiers of all Units at the end of games that were won."""
    points: Count = field(default_factory=Count)
    """Victory Points of the weakest Unit, which are those of the group, where they are counted."""
    leads: Counter[int] = field(default_factory=Counter)
    """By seat: games in which it had the most points, alone or with others."""
    course: list[Count] = field(default_factory=list)
    """Per turn: Soldiers of all Units as it began, in the games that came so far; empty where there are no Units."""
    faults: int = 0

    def add(self, row: Row) -> None:
        self.ended[row.won, row.cause] += 1
        self.turns.add(row.turns)
        self.decisions.add(row.decisions)
        if row.won and row.soldiers:
            self.left.add(sum(row.soldiers))
        if row.points:
            self.points.add(min(row.points))
            self.leads.update(seat for seat, points in enumerate(row.points) if points == max(row.points))
        for turn, soldiers in enumerate(filter(None, row.course)):
            if turn == len(self.course):
                self.course.append(Count())
            self.course[turn].add(sum(soldiers))
        self.faults += row.faults

    @property
    def games(self) -> int:
        return self.ended.total()

    @property
    def wins(self) -> int:
        return sum(n for (won, _), n in self.ended.items() if won)

    @property
    def win_rate(self) -> Estimate:
        return wilson(self.wins, self.games)

    def causes(self, *, won: bool | None = None) -> dict[str, int]:
        """How many games each cause ended, the most frequent first; of all games, or only of those won or lost."""
        found: Counter[str] = Counter()
        for (was_won, cause), n in self.ended.items():
            if won in (None, was_won):
                found[cause] += n
        return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))
