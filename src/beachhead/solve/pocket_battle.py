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
    """Of one way to fight: per number of Axis dice, the probability to win with six and with five dice, its worth."""

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

    def exceptions(self, column: int = 0) -> dict[int, list[int]]:
        """With so many points at stake, fewer than those of `thresholds`, one retreats all the same."""
        found = {}
        for axis, least in self.thresholds(column).items():
            stays = np.flatnonzero(~self.advances(axis)[:least, column])
            found[axis] = [points for points in stays.tolist() if points >= axis]
        return {axis: some for axis, some in found.items() if some}


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

    def starter(self, mine: Ints, other: Ints) -> Turn:
        """The turn of who began, at these scores, both below the goal; a column for each."""
        return self._turn(1 - _replies(self.second, self.last, mine, other))

    def follower(self, other: Ints, mine: Ints) -> Turn:
        """The turn of who did not begin; the other one, who began, has `other` points, below the goal."""
        score = mine[None, :] + np.arange(CAP + PAD + 1)[:, None]
        soon = 1 - self.first[other[None, :], np.minimum(score, GOAL - 1)]
        return self._turn(np.where(score < GOAL, soon, 1.0))

    def last_turn(self, missing: Ints) -> Turn:
        """The last turn, when so many points are missing to a tie."""
        return self._turn(_last_bank(missing, self.tie))

    def tied_turn(self) -> Turn:
        """The first turn after a tie."""
        return self._turn(1 - _beyond(self.last))

    def _turn(self, bank: Floats) -> Turn:
        some = ways(self.kommandant)
        return turn(bank, _level(bank, some), some)


def _last_bank(missing: Ints, tie: float) -> Floats:
    """Of the last turn: what it is worth to bank so many points (row) when so many are missing to a tie (column)."""
    points = np.arange(CAP + PAD + 1)[:, None]
    found: Floats = np.where(points > missing, 1.0, np.where(points == missing, 1 - tie, 0.0))
    return found


def _beyond(last: Floats) -> Floats:
    """The last turn by points that are missing, one column, with rows beyond `CAP`."""
    return np.concatenate([last, np.repeat(last[-1:], PAD)])[:, None]


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
    worst: list[float] = []

    def value(bank: Floats) -> Floats:
        found = turn(bank, _level(bank, some), some)
        worst.append(found.worst)
        start: Floats = found.ahead[FEWEST][0]
        return start

    missing = np.arange(CAP + 1)
    last = np.zeros(CAP + 1)

    def tied(tie: Floats) -> Floats:
        nonlocal last
        last = value(_last_bank(missing, float(tie[0])))
        return value(1 - _beyond(last))

    tie, gap = _meet(tied, 1)
    least = min(worst[-2:])  # the last pass; before it numbers are guesses
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
            return value(1 - _replies(second, last, mine, other))

        first[mine, other], lack = _meet(round_of, len(mine))
        gap, least = max(gap, lack), min(least, *worst[-2:])
        if tick:
            tick(2 * GOAL - 1 - total, 2 * goal - 1)
    reach = value((np.arange(CAP + PAD + 1) >= CAP).astype(np.float64)[:, None])[0]
    return Solved(float(first[off, off]), first, second, last, float(tie[0]), float(reach), gap, least, kommandant)


# ---------------------------------------------------------------------- with Medals: a sample


class Sample(NamedTuple):
    """Games of two players who play as if there were no Medals, and keep those that fall to them."""

    games: int
    value: float
    """How many of them the player who begins wins."""
    low: float
    high: float
    """The probability lies between with 95 % confidence."""
    medals: float
    """Held at the end, on average, by both together."""


WORTH = 5
"""Points of a Medal at the end."""


def sample(solved: Solved, games: int, medals: bool = True, seed: int = 1) -> Sample:
    """Play games by the solution without Medals and without the Kommandant.

    In a skirmish each die that matches stays, and all others are rolled again, which is the best up to a thousandth. A
    Medal goes to the player whose tally earns it, and is never played. In a last turn Medals count for what is missing.
    """
    rng = np.random.default_rng(seed)
    scores = np.arange(GOAL * GOAL)
    rows = CAP - 4 * PAD
    open_table = np.stack(
        [
            _going(solved.starter(scores // GOAL, scores % GOAL), rows),
            _going(solved.follower(scores // GOAL, scores % GOAL), rows),
        ]
    )
    last_table = _going(solved.last_turn(np.arange(CAP + 1)), rows)
    tied_table = _going(solved.tied_turn(), rows)[..., 0]
    score = np.zeros((games, 2), dtype=np.int64)
    holder = np.full((games, 7), -1)
    seat, axis, stake = np.zeros(games, dtype=np.int64), np.full(games, FEWEST), np.zeros(games, dtype=np.int64)
    bonus, over = np.zeros(games, dtype=bool), np.zeros(games, dtype=bool)

    def totals(which: Ints) -> Ints:
        held = np.stack([(holder[which] == who).sum(1) for who in (0, 1)], axis=1)
        found: Ints = score[which] + WORTH * held
        return found

    while not over.all():
        live = np.flatnonzero(~over)
        field = rng.integers(0, len(FIELDS), len(live))
        won, earned = _fight(rng, axis[live], field == FIELDS.index("bunker"))
        if medals:
            holder[live] = np.where(earned, seat[live][:, None], holder[live])
        times = np.array([TIMES.get(name, 1) for name in FIELDS])[field]
        stake[live] = np.where(won, stake[live] + axis[live] * times, 0)
        full = totals(live)
        missing = np.clip(full[:, 0] - full[:, 1], 0, CAP)
        at, fought = np.minimum(stake[live], rows - 1), axis[live] - FEWEST
        place = np.minimum(score[live], GOAL - 1) @ np.array([GOAL, 1])
        ending = bonus[live] | (score[live].max(1) >= GOAL)
        go = np.where(
            ending,
            np.where(seat[live] == 0, tied_table[fought, at], last_table[fought, at, missing]),
            open_table[seat[live], fought, at, place],
        )
        go &= ~(ending & (seat[live] == 1) & (full[:, 0] < full[:, 1]))
        go = (go | (field == FIELDS.index("gantlet"))) & (field != FIELDS.index("bluffs")) & won
        axis[live] = np.where(go, np.minimum(axis[live] + 1, MOST), FEWEST)
        ends = live[~go]
        score[ends, seat[ends]] += stake[ends]
        stake[ends] = 0
        seat[ends] ^= 1
        rounds = ends[seat[ends] == 0]
        done = rounds[bonus[rounds] | (score[rounds].max(1) >= GOAL)]
        final = totals(done)
        bonus[done] = final[:, 0] == final[:, 1]
        over[done] = ~bonus[done]
    final = totals(np.arange(games))
    value = float((final[:, 0] > final[:, 1]).mean())
    margin = 1.96 * float(np.sqrt(max(value * (1 - value), 1 / games) / games))
    return Sample(games, value, max(value - margin, 0.0), min(value + margin, 1.0), float((holder >= 0).sum(1).mean()))


def _going(one: Turn, rows: int) -> Bools:
    """Whether to advance: by Axis dice of the skirmish, points at stake and column."""
    return np.stack([one.advances(axis)[:rows] for axis in range(FEWEST, MOST + 1)])


def _fight(rng: np.random.Generator, axis: Ints, five: Bools) -> tuple[Bools, Bools]:
    """A skirmish of each game: whether it is won, and which Medals its tally earns."""
    games = len(axis)
    shown = rng.integers(0, 6, (games, 6))
    there = np.arange(6) < axis[:, None]
    need = np.stack([((shown == face) & there).sum(1) for face in range(6)], axis=1)
    mine = rng.integers(0, 6, (games, 6))
    mine[five, 5] = -1
    for _ in range(dice.REROLLS):
        stays = np.zeros((games, 6), dtype=bool)
        for place in range(6):
            face = mine[:, place]
            before = ((mine[:, :place] == face[:, None]) & stays[:, :place]).sum(1)
            stays[:, place] = (face < 0) | (before < need[np.arange(games), face])
        stays |= (stays & (mine >= 0)).sum(1)[:, None] == axis[:, None]
        mine = np.where(stays, mine, rng.integers(0, 6, (games, 6)))
    has = np.stack([mine == face for face in range(6)], axis=2)
    won = (has.sum(1) >= need).all(1)
    rwb = (has[:, 0] | has[:, 1]) & (has[:, 2] | has[:, 3]) & (has[:, 4] | has[:, 5])
    straight: Bools = np.all(has.any(1), axis=1, keepdims=True)
    return won, np.concatenate([rwb, straight], axis=1)
