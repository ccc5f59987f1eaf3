"""Games that bots play against the dice to learn from: every situation of every Unit, and what became of it.

A Unit learns from its own fate, and not from a comrade's: where one is lost the others play on, as they do at the level
for beginners that allows it. And it learns what it can do unaided: nobody trades, or those who are helped would learn
that it does no harm to be weak.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..bots.exact import answer_with
from ..bots.look import Look
from ..bots.planner import planned_with
from ..bots.sight import Sight
from ..bots.values import ALONE, BINS, MOMENTS, Floats, Setting, Valuer, Values, bin_of, features, together
from ..core.chance import sample, seed_from
from ..core.errors import BeachheadError
from ..core.node import Answer, Ask, Decision, Over, Roll
from ..games import GAMES
from ..landing.state import ON_MAP, SAFE, Landing, Unit
from ..landing.world import Setup, World, world_of

BEFORE_A_MOVE = ("marker", "acquire", "move")
MOST_ANSWERS = 100_000
STRAYS = {"move": (0.04, ("stay", "move:")), "acquire": (0.1, ("done", "rally:", "find:"))}
"""How often an answer to these questions is any of these, so that other ways are known too."""
TRUST = 0.5
"""How far a promise is trusted."""
LEFT = 0.02
"""What of a win depends on the Soldiers that are left, so that there is a taste where every game is won."""
MANY_LEFT = 40

Single = NDArray[np.float32]


Situation = tuple[str, int, int, NDArray[np.float64]]
"""Moment, turn, seat and what is looked at."""


class Seen(NamedTuple):
    """Situations of one moment: what is looked at, the game by number, and what it was worth."""

    inputs: Single
    game: NDArray[np.int32]
    result: Single


class Batch(NamedTuple):
    seen: dict[str, Seen]
    games: int
    won: list[int]
    """Those that were won, by their numbers."""
    told: dict[str, Floats]
    """Per moment, bin by bin of what the judge told of situations (see `values.BINS`): situations, those of games that
    were won, and games.
    """


def play_batch(
    setting: Setting,
    names: tuple[str, ...],
    judge: Valuer,
    seed: int,
    numbers: range,
    learning: bool = True,
    planning: bool = False,
) -> Batch:
    """Games by their numbers; `names` are the Sectors and cards to look at one by one.

    Learning, now and then any answer is given, and what is seen is kept; else only what the judge told of it. It is the
    bot exact that plays; `planning`: the bot planner.
    """
    rows: dict[str, list[tuple[NDArray[np.float64], int, float]]] = {moment: [] for moment in MOMENTS}
    told = {moment: np.zeros((len(BINS) - 1, 3)) for moment in MOMENTS}
    won = []
    for number in numbers:
        course = play_one(setting, names, judge, seed_from(f"{seed} train {number}"), learning, planning)
        if course.won:
            won.append(number)
        if not learning:
            _count(course, told)
            continue
        for (moment, _, _, x), worth in zip(course.found, targets(course), strict=True):
            rows[moment].append((x, number, worth))
    seen = {
        moment: Seen(
            np.array([x for x, _, _ in many], dtype=np.float32),
            np.array([number for _, number, _ in many], dtype=np.int32),
            np.array([worth for _, _, worth in many], dtype=np.float32),
        )
        for moment, many in rows.items()
    }
    return Batch(seen, len(numbers), won, told)


def _count(course: Course, told: dict[str, Floats]) -> None:
    once = set()
    for moment, chance in course.told:
        n = bin_of(chance)
        told[moment][n] += (1, course.won, (moment, n) not in once)
        once.add((moment, n))


class Course(NamedTuple):
    """A game: how it ended, the situations on the way, and what turns promised before they were rolled."""

    won: bool
    fates: list[float]
    """By seat: what its end was worth."""
    found: list[Situation]
    promised: dict[tuple[int, int], float]
    """By turn and seat."""
    told: list[tuple[str, float]]
    """What the judge told of all Units together, by moment; kept where nobody learns."""


def targets(course: Course) -> list[float]:
    """What each situation was worth, seen from later: partly what the next turn promised, which is an average over all
    its dice, and partly what came of it. So what is learned hangs less on the luck of single games.
    """
    ahead: dict[tuple[int, int], float] = {}
    for turn, seat in sorted(course.promised, reverse=True):
        later = ahead.get((turn + 1, seat), course.fates[seat])
        ahead[turn, seat] = (1 - TRUST) * later + TRUST * course.promised[turn, seat]
    found = []
    for moment, turn, seat, _ in course.found:
        after = (turn, seat) if moment == "turn" else (turn + 1, seat)
        found.append(ahead.get(after, course.fates[seat]))
    return found


def play_one(
    setting: Setting,
    names: tuple[str, ...],
    judge: Valuer,
    seed: str,
    learning: bool = True,
    planning: bool = False,
) -> Course:
    machine = GAMES["landing"].machine
    g, _ = GAMES["landing"].new(setting._asdict())
    assert isinstance(g, Landing)
    if learning:
        g.world = _playing_on(g.world.setup)
    answer = planned_with(judge) if planning else answer_with(judge)
    chances = [Random(f"{seed}:{seat}") for seat in range(setting.seats)]
    found: list[Situation] = []
    promised: dict[tuple[int, int], float] = {}
    told: list[tuple[str, float]] = []
    knows = isinstance(judge, Values)
    last = dict.fromkeys(MOMENTS, 0)
    for _ in range(MOST_ANSWERS):
        node = machine.node(g)
        moment = "turn" if g.phase == "roll" else "upkeep" if g.phase in BEFORE_A_MOVE else ""
        if (learning or knows) and moment and last[moment] < g.turn:
            last[moment] = g.turn
            if not learning:
                told.append((moment, together(Look(machine.view(g, 0), 0), judge, moment)))
            for seat, unit in enumerate(g.units):
                if learning and unit.status == ON_MAP:
                    look = Sight(machine.view(g, seat), seat, judge)
                    at = look.standing()
                    there = {at.sector, *at.held}
                    named = [float(name in there) for name in names]
                    found.append((moment, g.turn, seat, np.array((*features(at, ALONE)[0], *at.fixed, *named))))
                    if moment == "turn" and knows:
                        promised[g.turn, seat] = look.promise()
        if type(node) is Ask:
            seat = node.seats[0]
            decision = node.decision(seat)
            if learning:
                decision = _without_trades(decision)
            rng = chances[seat]
            key = _stray(decision, rng) if learning else ""
            if not key:
                key = answer(decision, partial(machine.view, g, seat), rng)
            machine.apply(g, Answer(seat, decision.seq, key), True)
        elif type(node) is Roll:
            machine.apply(g, sample(seed, node), True)
        else:
            assert isinstance(node, Over)
            return Course(node.won, [_fate(unit) for unit in g.units], found, promised, told)
    raise BeachheadError(f"the game of seed {seed} is not over after {MOST_ANSWERS} answers")


@cache
def _playing_on(setup: Setup) -> World:
    """The same game, but that the loss of one Unit does not end it."""
    world = world_of(setup)
    return replace(world, level=replace(world.level, one_lost_all_lost=False))


def _without_trades(decision: Decision) -> Decision:
    return decision._replace(keys=tuple(key for key in decision.keys if not key.startswith("trade:")))


def _fate(unit: Unit) -> float:
    left = min(unit.soldiers + len(unit.specialists), MANY_LEFT)
    return 0.0 if unit.status != SAFE else 1 - LEFT + LEFT * left / MANY_LEFT


def _stray(decision: Decision, rng: Random) -> str:
    """Sometimes any answer, else ""."""
    often, verbs = STRAYS.get(decision.name, (0.0, ("",)))
    if not often or rng.random() >= often:
        return ""
    keys = [key for key in decision.keys if key.startswith(verbs)]
    return rng.choice(keys) if keys else ""
