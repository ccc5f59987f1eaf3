"""The rest of a game of Battle!, played out many times at once, and what that makes a turn worth.

From a `Standing` the player who has the turn banks so many points, for each number of them in `GRID`, and the game goes
on to its end with the same chances for each: who wins then (`Rest.won`). In these games everybody plays by the solution
for two players, against whoever of the others has most; a skirmish is won with its exact probability, a Medal goes to
the player whose tally earns it and counts at the end, and nobody plays one.

Over that the turn itself is exact: `Rest.turn` says when to go on, and `Rest.after` with which probability each number
of points is banked. So an answer is worth a mean over games, each weighted by those probabilities, and its error is
that of a mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from math import sqrt
from threading import Lock
from time import monotonic
from typing import NamedTuple

import numpy as np

from . import pocket_battle as battle
from . import pocket_store as store
from .pocket_battle import CAP, FEWEST, GOAL, MOST, PAD, Odds, Turn
from .pocket_dice import Bools, Floats, Ints

GRID = (*range(41), 44, 48, 54, 62)
"""Points that are banked; between two of them a straight line is drawn, and the last stands for all above it."""
AT_ONCE = 100
"""Games that are played side by side, for each number of points."""
MOST_GAMES = 2000
MEDALS = 7
ROWS = CAP - 4 * PAD
LONGEST = 3000
"""Skirmishes after which a game is left without a winner."""
CERTAIN = 1.96
SURE = 10
"""A mean of chances is worth so many times as many games at most."""


class Standing(NamedTuple):
    """A game of Battle! in the turn of a player, before its points are banked. Players are numbered from who began."""

    scores: tuple[int, ...]
    holders: tuple[int, ...]
    """Per Medal, in the order of their symbols: who has it, or -1."""
    active: int
    tied: tuple[int, ...] = ()
    """Who plays bonus turns."""
    kommandant: bool = False
    with_medals: bool = False
    """Medals count for the 30 points that end the game."""


class _Policy(NamedTuple):
    """When to go on, by Axis dice of the skirmish, points at stake and column; and when the Kommandant comes."""

    go: Bools
    deploys: Bools


def _policy(one: Turn) -> _Policy:
    deploys = [one.deploys[axis][:ROWS] for axis in range(FEWEST, MOST + 1)]
    return _Policy(battle._going(one, ROWS), np.stack(deploys))


class _Book(NamedTuple):
    starter: _Policy
    follower: _Policy
    """Columns: the scores of who began and of who did not."""
    last: _Policy
    """Columns: the points missing to a tie."""
    tied: _Policy


@lru_cache(maxsize=2)
def _book(kommandant: bool) -> _Book:
    solved = store.solved_battle(kommandant)
    scores = np.arange(GOAL * GOAL)
    first, second = scores // GOAL, scores % GOAL
    return _Book(
        _policy(solved.starter(first, second)),
        _policy(solved.follower(first, second)),
        _policy(solved.last_turn(np.arange(CAP + 1))),
        _policy(solved.tied_turn()),
    )


@cache
def _chances() -> Floats:
    """The probability to win a skirmish: without and with the Kommandant, by Axis dice, with six and five dice."""
    many = range(FEWEST, MOST + 1)
    return np.array([[[way.six[n], way.five[n]] for n in many] for way in (battle.odds(), battle.odds(True))])


TALLIES = 1024


@cache
def _earned() -> Bools:
    """Medals of tallies that lose and that win, by Axis dice, with six and five dice; so many of each."""
    rng = np.random.default_rng(1)
    found = np.zeros((2, MOST - FEWEST + 1, 2, TALLIES, MEDALS), dtype=bool)
    for axis in range(FEWEST, MOST + 1):
        for five in (0, 1):
            wins, medals = battle._fight(rng, np.full(6 * TALLIES, axis), np.full(6 * TALLIES, bool(five)))
            for won in (0, 1):
                some = np.flatnonzero(wins == won)
                if len(some):
                    found[won, axis - FEWEST, five] = medals[some[np.arange(TALLIES) % len(some)]]
    return found


class _Table:
    """Many games at once, each in somebody's turn."""

    def __init__(self, standing: Standing, games: int) -> None:
        self.with_medals, self.kommandant = standing.with_medals, standing.kommandant
        self.book = _book(standing.kommandant)
        self.seats = np.arange(len(standing.scores))
        total = games * len(GRID)
        self.score = np.tile(np.array(standing.scores), (total, 1))
        self.score[:, standing.active] += np.tile(np.array(GRID), games)
        self.holder = np.tile(np.array(standing.holders), (total, 1))
        self.plays = np.tile(np.isin(self.seats, standing.tied or self.seats), (total, 1))
        self.bonus = np.full(total, bool(standing.tied))
        self.winner = np.full(total, -1)
        self.seat = np.full(total, standing.active)
        self.axis, self.stake = np.full(total, FEWEST), np.zeros(total, dtype=np.int64)
        self.pass_on(np.arange(total))

    def totals(self, which: Ints) -> Ints:
        """Points with Medals, by game and player; -1 of those who are out of it."""
        held = np.stack([(self.holder[which] == who).sum(1) for who in self.seats], axis=1)
        return np.where(self.plays[which], self.score[which] + battle.WORTH * held, -1)

    def over(self, which: Ints) -> Bools:
        """Whether this round is the last one, or one for a tie."""
        reached = (self.totals(which) if self.with_medals else self.score[which]).max(1)
        found: Bools = self.bonus[which] | (reached >= GOAL)
        return found

    def pass_on(self, which: Ints) -> None:
        """The turn of these games is over: the next player, the next round, or the end."""
        plays = self.plays[which]
        after = plays & (self.seats > self.seat[which][:, None])
        self.seat[which] = np.where(after.any(1), after.argmax(1), plays.argmax(1))
        ends = which[~after.any(1)]
        ends = ends[self.over(ends)]
        final = self.totals(ends)
        lead = final == final.max(1)[:, None]
        alone = lead.sum(1) == 1
        self.winner[ends[alone]] = lead[alone].argmax(1)
        more = ends[~alone]
        self.bonus[more], self.plays[more] = True, lead[~alone]
        self.seat[more] = self.plays[more].argmax(1)

    def says(self, which: int, live: Ints) -> Bools:
        """What the book says in these games: to go on (0), or to deploy the Kommandant (1)."""
        starter, follower, last, tied = (one[which] for one in self.book)
        seat, plays = self.seat[live], self.plays[live]
        fought, stake = self.axis[live] - FEWEST, np.minimum(self.stake[live], ROWS - 1)
        mine = self.seats == seat[:, None]
        totals = self.totals(live)
        own, ahead = totals[mine], np.where(mine, -1, totals).max(1)
        score = np.minimum(self.score[live], GOAL - 1)
        rival, me = np.where(mine, 0, score).max(1), score[mine]
        follows = ~(plays & (self.seats > seat[:, None])).any(1)
        soon = np.where(follows, follower[fought, stake, rival * GOAL + me], starter[fought, stake, me * GOAL + rival])
        begins = self.bonus[live] & (plays.argmax(1) == seat)
        behind = last[fought, stake, np.clip(ahead - own, 0, CAP)] & (own <= ahead)
        found: Bools = np.where(self.over(live), np.where(begins, tied[fought, stake, 0], behind), soon)
        return found

    def fight(self, live: Ints, field: Ints, luck: Floats, tally: Ints) -> None:
        """A skirmish of each of these games."""
        fought = self.axis[live] - FEWEST
        black = self.says(1, live).astype(np.int64) if self.kommandant else np.zeros(len(live), dtype=np.int64)
        five = (field == BUNKER).astype(np.int64)
        won = luck < _chances()[black, fought, five]
        earned = _earned()[won.astype(np.int64), fought, five, tally]
        self.holder[live] = np.where(earned, self.seat[live][:, None], self.holder[live])
        self.stake[live] = np.where(won, self.stake[live] + (self.axis[live] + black) * TIMES[field], 0)
        go = (self.says(0, live) | (field == GANTLET)) & (field != BLUFFS) & won
        self.axis[live] = np.where(go, np.minimum(self.axis[live] + 1, MOST), FEWEST)
        ends = live[~go]
        self.score[ends, self.seat[ends]] += self.stake[ends]
        self.stake[ends] = 0
        self.pass_on(ends)


TIMES = np.array([battle.TIMES.get(name, 1) for name in battle.FIELDS])
GANTLET, BLUFFS, BUNKER = (battle.FIELDS.index(name) for name in ("gantlet", "bluffs", "bunker"))


def played_out(standing: Standing, games: int, seed: int) -> Bools:
    """Who wins: by game, points banked (`GRID`) and player. The same seed gives the same chances to every standing."""
    rng = np.random.default_rng(seed)
    table = _Table(standing, games)
    number = np.repeat(np.arange(games), len(GRID))
    for _ in range(LONGEST):
        live = np.flatnonzero(table.winner < 0)
        if not len(live):
            break
        field, luck, tally = rng.integers(0, 6, games), rng.random(games), rng.integers(0, TALLIES, games)
        n = number[live]
        table.fight(live, field[n], luck[n], tally[n])
    found: Bools = (table.winner[:, None] == table.seats).reshape(games, len(GRID), -1)
    return found


# ---------------------------------------------------------------------- one turn over that


@cache
def _lines() -> Floats:
    """Per number of points: how the numbers of `GRID` are weighted."""
    points = np.minimum(np.arange(CAP + PAD + 1), GRID[-1])
    return np.stack([np.interp(points, GRID, np.eye(len(GRID))[n]) for n in range(len(GRID))], axis=1)


class Rest:
    """Games played out from a standing; more of them are played whenever there is time (`play`)."""

    def __init__(self, standing: Standing) -> None:
        self.standing = standing
        self.some = battle.ways(standing.kommandant)
        self._won: list[Bools] = []
        self._known: tuple[Turn, dict[int, Floats]] | None = None
        self._lock = Lock()
        """A table's adviser and its bots may ask at the same time."""

    @property
    def games(self) -> int:
        return AT_ONCE * len(self._won)

    def more(self) -> None:
        with self._lock:
            self._won.append(played_out(self.standing, AT_ONCE, len(self._won)))
            self._known = None

    def won(self, seat: int) -> Floats:
        """By game and points banked."""
        found: Floats = np.concatenate([one[..., seat] for one in self._won]).astype(np.float64)
        return found

    def _both(self) -> tuple[Turn, dict[int, Floats]]:
        with self._lock:
            if self._known is None:
                mean = np.maximum.accumulate(self.won(self.standing.active).mean(0))
                bank = (_lines() @ mean)[:, None]
                turn = battle.turn(bank, battle._level(bank, self.some), self.some)
                self._known = turn, _after(turn, self.some)
            return self._known

    @property
    def turn(self) -> Turn:
        """The best turn for whoever has it. More points are never worse."""
        return self._both()[0]

    def after(self, axis: int, points: int) -> Floats:
        """With which probability each number of `GRID` is banked, before a skirmish with so many Axis dice."""
        found: Floats = self._both()[1][axis][min(points, CAP - (MOST - axis) * PAD)]
        return found

    def before(self, axis: int, points: int, way: Odds) -> Floats:
        """The same when the skirmish is fought this way."""
        turn, after = self._both()
        found: Floats = _fought(turn, after, axis, points, points + 1, (way,))[0]
        return found

    def banked(self, points: int) -> Floats:
        found: Floats = _lines()[min(points, CAP)]
        return found

    def decided(self, axis: int, points: int) -> Floats:
        """After a skirmish with so many Axis dice is won, whoever has the turn may choose."""
        goes = self.turn.advances(axis)
        return self.after(min(axis + 1, MOST), points) if goes[min(points, len(goes) - 1), 0] else self.banked(points)


def play(some: Sequence[Rest], limit: float) -> int:
    """Play on from all of these for so many seconds, at least once and not more than is useful. As many games were then
    played from each, with the same chances.
    """
    end = monotonic() + limit
    while (games := min(one.games for one in some)) < MOST_GAMES and (not games or monotonic() < end):
        for one in some:
            if one.games == games:
                one.more()
    return games


def mean_of(found: Floats) -> tuple[float, float, float]:
    """The mean of chances between 0 and 1, and where it lies in 95 % of cases (Wilson)."""
    mean, spread = float(found.mean()), float(found.var())
    n = len(found) * min(SURE, max(1.0, mean * (1 - mean) / spread) if spread > 0 else SURE)
    z = CERTAIN * CERTAIN / n
    middle, half = (mean + z / 2) / (1 + z), CERTAIN * sqrt(max(mean * (1 - mean) / n + z / (4 * n), 0)) / (1 + z)
    return mean, max(0.0, min(mean, middle - half)), min(1.0, max(mean, middle + half))


def _after(policy: Turn, some: tuple[Odds, ...]) -> dict[int, Floats]:
    """Who plays a turn so banks each number of `GRID` with these probabilities, by Axis dice that come and points."""
    lines = _lines()
    six = lines.copy()
    found = {MOST: six}
    for last in range(CAP + 1, 0, -MOST):
        first = max(last - MOST, 0)
        six[first:last] = _fought(policy, found, MOST, first, last, some)
    rows = CAP + 1
    for axis in range(MOST - 1, FEWEST - 1, -1):
        found[axis] = _fought(policy, found, axis, 0, rows, some)
        rows -= PAD
    return found


def _fought(policy: Turn, found: dict[int, Floats], axis: int, first: int, last: int, some: tuple[Odds, ...]) -> Floats:
    """A skirmish with these points at stake, fought as the policy says, or in the one way that is given."""
    lines = _lines()
    after = found[min(axis + 1, MOST)]
    goes = policy.advances(axis)
    totals: list[Floats] = []
    for way in some:
        total, left = np.zeros((last - first, len(GRID))), 1.0
        for field in battle.FIELDS:
            more = way.points[axis] * battle.TIMES.get(field, 1)
            chance = (way.five if field == "bunker" else way.six)[axis] / len(battle.FIELDS)
            stop, go = lines[first + more : last + more], after[first + more : last + more]
            free = np.where(goes[first + more : last + more], go, stop)
            total += chance * (stop if field == "bluffs" else go if field == "gantlet" else free)
            left -= chance
        totals.append(total + left * lines[0])
    if len(totals) == 1:
        return totals[0]
    chosen: Floats = np.where(policy.deploys[axis][first:last], totals[1], totals[0])
    return chosen


@lru_cache(maxsize=32)
def rest(standing: Standing) -> Rest:
    return Rest(standing)
