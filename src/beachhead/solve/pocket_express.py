"""Express! solved: the probability to clear a beach when every choice is the best.

Between sectors nothing matters but the cards: those with the squad (`have`), those that are out (`out`), and on a
Gantlet that is played again those rallied in it (`new`), which cannot be used yet. A `Stage` is a sector with its Axis
dice. From the last sector to the first, for each stage, each set of Axis results and each state of the cards:

- what the squad can do when all dice lie there is a number per class of tallies (`ends`): rally, sacrifice the Hero for
  one soldier, lose a card, go on to the next stage, or throw the dice away with the Medic, which leads to the same Axis
  results without the Medic;
- what cards can make of each roll is known (`pocket_dice.outcomes`), so each roll is worth the best of these numbers;
- the turn of dice is solved exactly (`pocket_dice.play`).

Several soldiers roll one after another, and each knows what the others have; then the squad decides. What the soldiers
before have leads to (`Pool`) is all that the next one has to know of their dice.

A Gantlet that is played again without an RWB makes the worth of a state depend on itself. That is a convex function of
one number; a secant finds where it meets itself, from below (`_settle`), and the gap that is left is told.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..core.errors import BeachheadError
from ..landing.dice import FACE, FACES
from ..pocket.content import box as content
from ..say import either, say
from . import pocket_dice as dice
from .pocket_dice import Box, Faces, Floats, Ints

FORMAT = 1
"""Counts up when other values come out of the same rules."""
GANTLET = 4
GANTLETS = ("no-rally", "rwb-or-replay", "rwb-adds-axis", "lose-specialist", "more-axis", "keep-face")
KOMMANDANT = ("strict", "lenient")
CLOSE = 1e-15
"""A Gantlet that may be played again is worth what it is worth up to this."""
TOGETHER = 3
"""Sets of Axis results that a process takes at once."""

State = tuple[int, int, int]
"""Cards with the squad, cards that are out, cards rallied in this sector before; sets as bits."""
Tick = Callable[[int, int], object]


class Rules(NamedTuple):
    """All that the values depend on. A card is the bit of the face whose RWB rallies it; the Straight comes last."""

    box: Box
    cards: tuple[tuple[str, int, int], ...]
    """Ability, bit, face of each card that may be rallied."""
    gantlet: str
    face: int
    """Of a Gantlet that keeps a face."""
    axis: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    """Per sector: Axis dice."""
    at: int = GANTLET
    """The sector of the Gantlet."""
    players: int = 1
    kommandant: str = ""

    def bit(self, ability: str) -> int:
        """The card with this ability, 0 if there is none."""
        return next((bit for name, bit, _ in self.cards if name == ability), 0)

    def face_of(self, ability: str) -> int:
        return next((face for name, _, face in self.cards if name == ability), -1)

    @property
    def every(self) -> int:
        return sum(bit for _, bit, _ in self.cards)


class Stage(NamedTuple):
    """A sector with so many Axis dice, the last of them black or not."""

    sector: int
    axis: int
    black: bool = False


def beaches() -> tuple[str, ...]:
    return tuple(content().beaches)


def rules_of(beach: str, players: int = 1, specialists: bool = True, kommandant: str = "") -> Rules:
    """Raises BeachheadError where there is no such game, or none that can be solved."""
    if beach not in beaches():
        raise BeachheadError(say("pocket-solve.beach", text=beach, known=either(list(beaches()))))
    if not 1 <= players <= 4:
        raise BeachheadError(say("pocket-solve.players", n=players))
    if kommandant and kommandant not in KOMMANDANT:
        raise BeachheadError(say("pocket-solve.reading", text=kommandant, known=either(list(KOMMANDANT))))
    effects = content().beaches[beach].gantlet.effects
    if len(effects) != 1 or effects[0].do not in GANTLETS:
        raise BeachheadError(say("pocket-solve.gantlet", beach=beach))
    effect = effects[0]
    cards = []
    if specialists:
        for one in content().specialists.values():
            bit = 1 << (FACE[one.rwb] if one.rwb in FACE else len(FACES))
            cards.append((one.ability, bit, FACE.get(one.face, -1)))
    more = effect.n if effect.do == "more-axis" else 0
    axis = tuple(sector + more * (sector == GANTLET) for sector in range(1, 7))
    return Rules(
        dice.box(), tuple(sorted(cards)), effect.do, FACE.get(effect.face, -1), axis, GANTLET, players, kommandant
    )


# ---------------------------------------------------------------------- the way from stage to stage


def stages(rules: Rules) -> list[Stage]:
    """All there may be, the last one first."""
    found = []
    last = len(rules.axis)
    for sector in range(last, 0, -1):
        axis = rules.axis[sector - 1]
        found.append(Stage(sector, axis))
        if sector == last and rules.kommandant:
            found.append(Stage(sector, axis, True))
        if sector == rules.at + 1 and rules.gantlet == "rwb-adds-axis":
            found.append(Stage(sector, min(axis + 1, 6)))
    return found


def results(rules: Rules, stage: Stage) -> dict[Faces, float]:
    """What the Axis dice may demand, as the number of each face, with its probability. Those alike are one."""
    faces = rules.box.faces
    found: dict[Faces, float] = {}
    for shown in dice.sets_of(faces, stage.axis - stage.black):
        for black in range(faces) if stage.black else (-1,):
            need = dice.needs(faces, shown).tolist()
            if stage.black:
                need[black] = need[black] + 2 if rules.kommandant == "strict" else max(need[black] + 1, 2)
            key = alike(rules, stage, tuple(need))
            found[key] = found.get(key, 0.0) + dice.chance(faces, shown) / (faces if stage.black else 1)
    return found


def alike(rules: Rules, stage: Stage, need: Faces) -> Faces:
    """One of all demands that are as good as this one.

    Faces that no card and no Gantlet names may change places: all of them where there are no cards, and in the last
    sector, where nobody is rallied, those that no card changes or adds.
    """
    named = {rules.face} if rules.gantlet == "keep-face" and stage.sector == rules.at else set()
    if stage.sector == len(rules.axis):
        named |= {rules.face_of("add"), rules.face_of("remake")}
    elif rules.cards:
        return need
    loose = sorted((many for face, many in enumerate(need) if face not in named), reverse=True)
    return tuple(many if face in named else loose.pop(0) for face, many in enumerate(need))


def begins(rules: Rules, stage: Stage, state: State) -> list[tuple[Stage, State]]:
    """Where a squad that comes to this stage may begin it: the Kommandant may be kept away for a card."""
    if stage.sector == len(rules.axis) and rules.kommandant:
        have, out, _ = state
        return [
            (stage._replace(black=True), _plain(rules, stage, (have, out, 0))),
            *((stage, _plain(rules, stage, (have & ~bit, out | bit, 0))) for bit in bits(have)),
        ]
    return [(stage, _plain(rules, stage, state))]


def _plain(rules: Rules, stage: Stage, state: State) -> State:
    """Without what makes no difference: in the last sector nobody is rallied, so colours do not matter."""
    if stage.sector == len(rules.axis):
        return state[0] & ~rules.bit("recolour"), 0, 0
    return state


def bits(mask: int) -> Iterator[int]:
    while mask:
        yield mask & -mask
        mask &= mask - 1


class Pool(NamedTuple):
    """What the soldiers that have rolled have together."""

    failed: int
    """Of them have not matched; 2 means more than the Hero can help."""
    rwb: bool
    cards: int
    """That may be rallied."""
    two: bool = False
    """Two RWBs in one tally; only one soldier alone may rally for both."""


def gains(rules: Rules, stage: Stage, state: State, pool: Pool) -> list[int]:
    """The cards that may be rallied, as sets of bits."""
    have, out, new = state
    most = (2 if pool.two and rules.players == 1 else 1) - bool(new)
    if stage.sector == len(rules.axis) or (stage.sector == rules.at and rules.gantlet == "no-rally"):
        most = 0  # in the last sector there is nothing to rally for
    there = list(bits(pool.cards & rules.every & ~(have | out | new)))
    return [sum(some) for many in range(min(most, len(there)) + 1) for some in combinations(there, many)]


def onward(rules: Rules, stage: Stage, state: State, gain: int, rwb: bool) -> list[tuple[Stage, State]] | None:
    """Where a squad that has cleared this stage may go; None: it has won."""
    have, out, new = state
    if stage.sector == len(rules.axis):
        return None
    gantlet = rules.gantlet if stage.sector == rules.at else ""
    if gantlet == "rwb-or-replay" and not rwb:
        return [(stage, (have, out, new | gain))]
    after = Stage(stage.sector + 1, rules.axis[stage.sector])
    if gantlet == "rwb-adds-axis" and rwb:
        after = after._replace(axis=min(after.axis + 1, 6))
    have |= new | gain
    if gantlet == "lose-specialist":
        return [one for bit in bits(have) for one in begins(rules, after, (have & ~bit, out | bit, 0))]
    return begins(rules, after, (have, out, 0))


class End(NamedTuple):
    """What a squad may do with dice that have cleared the stage."""

    hero: bool
    """The Hero clears it for the soldier who has not matched."""
    gain: int
    to: tuple[Stage, State] | None
    """None: won."""


def ends(rules: Rules, stage: Stage, state: State, pool: Pool) -> list[End]:
    found = []
    have, out, new = state
    hero = rules.bit("clear") & have
    for sent in (False, True):
        if pool.failed > sent or (sent and not hero):
            continue
        left = (have & ~hero, out | hero, new) if sent else state
        for gain in gains(rules, stage, left, pool):
            to = onward(rules, stage, left, gain, pool.rwb)
            found += [End(sent, gain, None)] if to is None else [End(sent, gain, one) for one in to]
    return found


def without_medic(rules: Rules, state: State) -> State | None:
    """The cards when the Medic has been sacrificed; None: there is no Medic."""
    have, out, new = state
    medic = rules.bit("restart") & have
    return (have & ~medic, out | medic, new) if medic else None


# ---------------------------------------------------------------------- what soldiers know of each other


class Plan(NamedTuple):
    """The soldiers of one state, one after another."""

    layers: tuple[Ints, ...]
    """Per soldier: for each pool before, class of tally and failure, the pool after."""
    last: tuple[Pool, ...]
    """The pools when all have rolled."""


def plan(rules: Rules, stage: Stage, state: State, worth: Callable[[Pool], float]) -> Plan:
    """`worth` tells pools apart: of cards that may be rallied only those matter that may turn out to be the best."""
    classes = rules.box.classes
    most = 2 if rules.bit("clear") & state[0] else 1
    pools: tuple[Pool, ...] = (Pool(0, False, 0),)
    layers = []
    for n in range(rules.players):
        after: dict[Pool, int] = {}
        table = np.empty((len(pools), len(classes), 2), dtype=np.int64)
        for row, before in enumerate(pools):
            for column, (some, straight) in enumerate(classes):
                cards = sum(1 << face for face in some) | straight << rules.box.faces
                for failed in (0, 1):
                    pool = Pool(
                        min(before.failed + failed, most),
                        before.rwb or bool(some),
                        (before.cards | cards) & rules.every & ~(state[0] | state[1] | state[2]),
                        len(some) == 2,
                    )
                    if rules.players > 1:
                        pool = _thin(pool, worth, most)
                    table[row, column, failed] = after.setdefault(pool, len(after))
        layers.append(table)
        pools = tuple(after)
        assert n < rules.players
    return Plan(tuple(layers), pools)


def _thin(pool: Pool, worth: Callable[[Pool], float], most: int) -> Pool:
    """Without cards that are never the best, whatever the soldiers after this one roll."""
    pool = pool._replace(two=False)
    kept = 0
    for failed in range(pool.failed, most):
        for rwb in {pool.rwb, True}:
            found = {bit: worth(Pool(failed, rwb, bit)) for bit in bits(pool.cards)}
            if found and max(found.values()) > worth(Pool(failed, rwb, 0)):
                kept |= max(found, key=lambda bit: (found[bit], bit))
    return pool._replace(cards=kept)


# ---------------------------------------------------------------------- one stage

Values = dict[Stage, dict[State, float]]


class Work(NamedTuple):
    """What is needed to solve some states of a stage, for any Axis results."""

    rules: Rules
    stage: Stage
    states: tuple[State, ...]
    plans: tuple[Plan, ...]
    worths: tuple[Floats, ...]
    """Per state: what its last pools are worth without the Medic."""
    medics: tuple[int, ...]
    """Per state: the number of the one without the Medic, or -1."""


def work(rules: Rules, stage: Stage, states: Iterable[State], values: Values) -> Work:
    found = list(dict.fromkeys(states))
    for state in found:
        if (less := without_medic(rules, state)) and less not in found:
            found.append(less)
    found.sort(key=lambda state: without_medic(rules, state) is not None)
    number = {state: n for n, state in enumerate(found)}
    plans, worths, medics = [], [], []
    for state in found:

        def worth(pool: Pool, state: State = state) -> float:
            some = ends(rules, stage, state, pool)
            return max((1.0 if one.to is None else values[one.to[0]][one.to[1]] for one in some), default=0.0)

        one = plan(rules, stage, state, worth)
        plans.append(one)
        worths.append(np.array([worth(pool) for pool in one.last]))
        less = without_medic(rules, state)
        medics.append(number[less] if less else -1)
    return Work(rules, stage, tuple(found), tuple(plans), tuple(worths), tuple(medics))


def turns(job: Work, needs: list[Faces]) -> Floats:
    """Per demand of the Axis dice and state: the probability to win from there."""
    return np.array([_turns(job, need) for need in needs])


def _turns(job: Work, need: Faces) -> Floats:
    rules = job.rules
    found = np.zeros(len(job.states))
    groups: dict[tuple[bool, int], list[int]] = {}
    kinds: dict[int, tuple[Ints, Ints]] = {}
    active = rules.bit("change") | rules.bit("recolour") | rules.bit("remake") | rules.bit("add")
    active |= rules.bit("straight-clears")
    for n, (have, _, _) in enumerate(job.states):
        groups.setdefault((job.medics[n] >= 0, have & active), []).append(n)
    for (medic, cards), members in sorted(groups.items()):
        ahead = []
        for n in members:
            worth = job.worths[n]
            ahead.append(np.maximum(worth, found[job.medics[n]]) if medic else worth)
        if cards not in kinds:
            kinds[cards] = kinds_of(rules, cards, need)
        both, numbers = kinds[cards]
        for layer in range(rules.players - 1, -1, -1):
            tables = [worth[job.plans[n].layers[layer]] for n, worth in zip(members, ahead, strict=True)]
            columns = _columns(rules, both, np.concatenate(tables), numbers, job.stage)
            ahead = np.split(columns, np.cumsum([len(table) for table in tables])[:-1])
        found[members] = [worth[0] for worth in ahead]
    return found


def kinds_of(rules: Rules, cards: int, need: Faces) -> tuple[Ints, Ints]:
    """Kinds of rolls: per kind the classes within reach with a match, and without; per roll its kind."""
    some = dice.outcomes(
        rules.box,
        bool(cards & rules.bit("change")),
        bool(cards & rules.bit("recolour")),
        rules.face_of("remake") if cards & rules.bit("remake") else -1,
    )
    wanted = np.array(need)
    if cards & rules.bit("add"):
        wanted[rules.face_of("add")] = max(wanted[rules.face_of("add")] - 1, 0)
    match = dice.within_reach(rules.box, some, wanted, bool(cards & rules.bit("straight-clears")))
    anyhow = dice.within_reach(rules.box, some, np.zeros_like(wanted))
    half = len(rules.box.classes)
    both, numbers = np.unique(match << half | anyhow, return_inverse=True)
    return np.stack([both >> half, both & (1 << half) - 1]), numbers[some.source]


def rated(rules: Rules, both: Ints, tables: Floats) -> Floats:
    """Per turn (row) the worth of each kind of roll; `both` are the classes within its reach, `tables` their worth."""
    inside = both[..., None] >> np.arange(len(rules.box.classes)) & 1 > 0
    worth = np.stack([np.where(inside[m], tables[:, None, :, m], 0.0).max(2) for m in (0, 1)])
    found: Floats = worth.max(0)
    return found


def _columns(rules: Rules, both: Ints, tables: Floats, numbers: Ints, stage: Stage) -> Floats:
    """Solve a turn for each table. Turns that differ only by a factor are one."""
    rows = rated(rules, both, tables)
    scale = rows.max(1)
    rows = np.divide(rows, scale[:, None], out=np.zeros_like(rows), where=scale[:, None] > 0)
    same: dict[bytes, int] = {}
    again = [same.setdefault(row.tobytes(), len(same)) for row in rows.round(15) + 0.0]
    first = [again.index(n) for n in range(len(same))]
    stay = rules.face if rules.gantlet == "keep-face" and stage.sector == rules.at else -1
    found: Floats = dice.play(rules.box, rows[first].T, stay, numbers)[again] * scale
    return found


# ---------------------------------------------------------------------- the whole beach


Spread = Callable[[Work, list[Faces]], Iterator[tuple[int, Floats]]]
"""Gives out demands, and brings back where a part begins and what it is worth."""


class Solved(NamedTuple):
    rules: Rules
    values: Values
    """Per stage and state: the probability to win from before its Axis dice."""
    gap: float
    """At most so much is missing from any value by the Gantlets that may be played again."""
    turns: int
    """How many turns of dice were worked out."""

    @property
    def start(self) -> tuple[Stage, State]:
        return Stage(1, self.rules.axis[0]), (0, 0, 0)

    @property
    def value(self) -> float:
        stage, state = self.start
        return self.values[stage][state]


def reachable(rules: Rules) -> dict[Stage, dict[State, None]]:
    """The states of each stage that a game may come to."""
    found: dict[Stage, dict[State, None]] = {stage: {} for stage in stages(rules)}
    left = begins(rules, Stage(1, rules.axis[0]), (0, 0, 0))
    pools = {
        Pool(failed, bool(some), sum(1 << face for face in some) | straight << rules.box.faces, len(some) == 2)
        for some, straight in rules.box.classes
        for failed in (0, 1)
    }
    if rules.players > 1:  # one may have the RWB, another the card
        pools |= {Pool(failed, rwb, rules.every) for failed in (0, 1) for rwb in (False, True)}
    while left:
        stage, state = left.pop()
        if state in found[stage]:
            continue
        found[stage][state] = None
        for now in filter(None, (state, without_medic(rules, state))):
            for pool in pools:
                left += [end.to for end in ends(rules, stage, now, pool) if end.to is not None]
    return found


def solve(rules: Rules, tick: Tick | None = None, workers: int = 1) -> Solved:
    """Solve it. `tick` hears how much of how much is done."""
    reached = reachable(rules)
    total = sum(len(results(rules, stage)) * len(states) for stage, states in reached.items())
    values: Values = {}
    done = gap = many = 0.0
    with _pool(workers) as spread:
        for stage, states in reached.items():
            demands = results(rules, stage)

            step = partial(_sums, spread, demands, _share(tick, done, len(demands) * len(states), total))
            values[stage] = {}
            if stage.sector == rules.at and rules.gantlet == "rwb-or-replay":
                lack, passes = _settle(rules, stage, states, values, step)
                gap = max(gap, lack)
                many += passes * len(demands)
            else:
                job = work(rules, stage, states, values)
                values[stage].update(zip(job.states, step(job, 0.0, 1.0).tolist(), strict=True))
                many += len(job.states) * len(demands)
            done += len(demands) * len(states)
            if tick:
                tick(int(done), total)
    return Solved(rules, values, gap, int(many))


def _share(tick: Tick | None, done: float, mine: int, total: int) -> Callable[[float], object]:
    """Hears what part of a stage is done."""
    return lambda part: tick(int(done + part * mine), total) if tick else None


def _sums(
    spread: Spread, demands: dict[Faces, float], tell: Callable[[float], object], job: Work, low: float, high: float
) -> Floats:
    """Per state: the mean over all demands. This is the work from `low` to `high` of a stage."""
    found = np.zeros(len(job.states))
    chances = np.array(list(demands.values()))
    for n, some in spread(job, list(demands)):
        found += chances[n : n + len(some)] @ some
        tell(low + (high - low) * (n + len(some)) / len(chances))
    return found


def _settle(
    rules: Rules, stage: Stage, states: Iterable[State], values: Values, step: Callable[[Work, float, float], Floats]
) -> tuple[float, int]:
    """A stage that is played again without an RWB. Returns the gap that is left, and the states worked out.

    A state leads to itself, and to states that come before it here: fewer sacrifices left, or a card rallied.
    """
    sacrifices = rules.bit("clear") | rules.bit("restart")
    table = values[stage]
    levels: dict[tuple[int, int], list[State]] = {}
    every = dict.fromkeys(states)
    for state in list(every):
        while (less := without_medic(rules, state)) is not None:
            every.setdefault(less)
            state = less
    for state in every:
        levels.setdefault(((state[0] & sacrifices).bit_count(), -bool(state[2])), []).append(state)
    gap, passes = 0.0, 0
    for n, (_, some) in enumerate(sorted(levels.items())):
        guess = np.zeros(len(some))
        old_guess = old_found = guess
        for attempt in range(100):
            table.update(zip(some, guess.tolist(), strict=True))
            kept = dict(table)
            job = work(rules, stage, some, values)
            low, high = ((n + 1 - 0.5**far) / len(levels) for far in (attempt, attempt + 1))
            found = dict(zip(job.states, step(job, low, high).tolist(), strict=True))
            values[stage] = table = kept
            now = np.array([found[state] for state in some])
            passes += len(job.states)
            lack = now - guess
            slope = np.zeros(len(some))
            if attempt:
                moved = guess - old_guess
                slope = np.divide(now - old_found, moved, out=slope, where=moved > CLOSE)
            slope = np.clip(slope, 0.0, 0.99)
            old_guess, old_found = guess, now
            guess = np.maximum(now, guess + lack / (1 - slope))
            if lack.max() <= CLOSE:
                break
        gap = max(gap, float((lack / (1 - slope)).max()), CLOSE)
        table.update(zip(some, now.tolist(), strict=True))
    return gap, passes


class _pool:
    """Several processes, or none: gives out parts of a list of demands and brings back what they are worth."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Spread:
        return self.spread

    def __exit__(self, *_: object) -> None:
        if self.pool:
            self.pool.shutdown(cancel_futures=True)

    def spread(self, job: Work, demands: list[Faces]) -> Iterator[tuple[int, Floats]]:
        parts = [(n, demands[n : n + TOGETHER]) for n in range(0, len(demands), TOGETHER)]
        if self.workers < 2 or len(parts) * len(job.states) < 200:
            for n, part in parts:
                yield n, turns(job, part)
            return
        if self.pool is None:
            context = multiprocessing.get_context(
                "fork" if os.name == "posix" and os.uname().sysname == "Linux" else None
            )
            self.pool = ProcessPoolExecutor(self.workers, mp_context=context)
        futures = [(n, self.pool.submit(turns, job, part)) for n, part in parts]
        for n, future in futures:
            yield n, future.result()


# ---------------------------------------------------------------------- one turn, to be asked about


def start_of(rules: Rules, stage: Stage, have: int, out: int) -> State:
    """The state of a stage that begins with these cards."""
    return _plain(rules, stage, (have, out, 0))


class Use(NamedTuple):
    """What may be done when the dice lie as they do."""

    value: float
    medic: bool
    """Throw the dice away and begin anew."""
    hero: bool
    gain: int
    """Cards to rally."""


class Table:
    """The turn of one soldier alone against Axis results that lie there."""

    def __init__(self, solved: Solved, stage: Stage, state: State, need: Faces) -> None:
        rules = self.rules = solved.rules
        self.stage, self.state, self.values = stage, state, solved.values
        self.stay = rules.face if rules.gantlet == "keep-face" and stage.sector == rules.at else -1
        job = work(rules, stage, [state], solved.values)
        number = job.states.index(state)
        worths = _turns(job, need)
        self.value = float(worths[number])
        """Before the first roll."""
        less = without_medic(rules, state)
        self.medic = float(worths[job.states.index(less)]) if less else 0.0
        """What it is worth to begin anew."""
        self.both, self.kinds = kinds_of(rules, state[0], need)
        worth = np.maximum(job.worths[number], self.medic)[job.plans[number].layers[0]]
        self.rolls: Floats = rated(rules, self.both, worth)[0][self.kinds]
        """Of each tally."""

    def choices(self, shown: tuple[Faces, Faces, Faces], roll: int) -> list[dice.Kept]:
        """What may be kept after so many rolls, best first."""
        return dice.choices(self.rules.box, self.rolls, shown, roll, self.stay)

    def ends(self, shown: tuple[Faces, Faces, Faces]) -> list[Use]:
        """What may be done with the last roll, best first; cards that change dice are used as it needs them."""
        match, anyhow = self.both[:, self.kinds[self.rules.box.number[shown]]].tolist()
        found = {Use(self.medic, True, False, 0)} if without_medic(self.rules, self.state) else set()
        found.add(Use(0.0, False, False, 0))
        for number, (some, straight) in enumerate(self.rules.box.classes):
            cards = sum(1 << face for face in some) | straight << self.rules.box.faces
            for failed, mask in ((0, match), (1, anyhow)):
                if not mask >> number & 1:
                    continue
                for end in ends(self.rules, self.stage, self.state, Pool(failed, bool(some), cards, len(some) == 2)):
                    value = 1.0 if end.to is None else self.values[end.to[0]][end.to[1]]
                    found.add(Use(value, False, end.hero, end.gain))
        best: dict[tuple[bool, bool, int], Use] = {}
        for one in found:
            key = one.medic, one.hero, one.gain
            best[key] = max(best.get(key, one), one)
        return sorted(best.values(), key=lambda one: (-one.value, one.medic, one.hero, -one.gain.bit_count(), one.gain))
