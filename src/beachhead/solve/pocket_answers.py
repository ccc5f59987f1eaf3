"""What every answer is worth in a solved game of Pocket, from what a seat sees of it.

Express! alone, by the printed beaches and usual readings: every answer exactly (`express_answers`), from the tables of
`pocket_express`. Cards that turn dice are tried in every order; what they lead to is a class of tallies. For several
soldiers the same figures, as if each were alone, say how to roll and whom to use; bots play so.

Battle!: dice exactly for the skirmish, and what follows as if there were no Medals (`battle_answers`): exact for two
players by `pocket_battle`, and for any other number the points of the turn on average, which are no probability.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..core.node import Decision
from ..landing.dice import COLOUR, FACE, PLACE
from ..pocket.content import box as content
from ..pocket.world import NEPTUNE, SWITCHES
from . import pocket_battle as battle
from . import pocket_dice as dice
from . import pocket_express as express
from . import pocket_store as store
from .pocket_dice import Faces

Seen = dict[str, Any]
Tally = tuple[tuple[int, int], ...]
"""Dice as pairs of face and colour, in order."""
FIELDS = ("landing", "barriers", "rallying-point", "gantlet", "bluffs", "bunker")
SKIRMISH = 0
"""A column of `pocket_battle.Turn`."""


class Answers(NamedTuple):
    """What each answer is worth."""

    values: dict[str, float]
    how: str
    """exact: the probability to win; no-medals: the same if there were no Medals; points: of this turn, on average;
    alone: the probability if this soldier were alone, which is no more than a hint where there are several.
    """


def answers(decision: Decision, seen: Seen) -> Answers | None:
    """None where it is not known."""
    if seen["game"] == "express":
        found = express_answers(decision, seen)
        return Answers(found, "exact" if len(seen["soldiers"]) == 1 else "alone") if found else None
    return battle_answers(decision, seen)


# ---------------------------------------------------------------------- Express!


def known_express(seen: Seen) -> tuple[express.Solved, float] | None:
    """The solved beach that this is, and the probability to win all that come after it."""
    if "advanced" in seen["options"]:
        return None
    readings = SWITCHES["express"]
    if any(value != readings[name].values[0] for name, value in seen["switches"].items()):
        return None
    reading = "strict" if "kommandant" in seen["options"] else ""
    found = _solved_express(seen["beach"], reading)
    if found is None:
        return None
    after = 1.0
    if "neptune" in seen["options"]:
        for beach in NEPTUNE[seen["beaches"] + 1 :]:
            later = _solved_express(beach, reading)
            if later is None:
                return None
            after *= later.value
    return found, after


@lru_cache(maxsize=16)
def _solved_express(beach: str, kommandant: str) -> express.Solved | None:
    return store.known_express(express.rules_of(beach, kommandant=kommandant))


def _bits(cards: Sequence[str]) -> int:
    found = 0
    for card in cards:
        rwb = content().specialists[card].rwb
        found |= 1 << (FACE[rwb] if rwb in FACE else len(FACE))
    return found


def _stage(solved: express.Solved, seen: Seen) -> express.Stage:
    """The stage whose Axis dice lie there, or are about to be rolled."""
    more = seen["carried"].count("axis")
    return express.Stage(seen["sector"], min(solved.rules.axis[seen["sector"] - 1] + more, 6), seen["deployed"])


def _state(solved: express.Solved, stage: express.Stage, seen: Seen) -> express.State:
    fresh = [card for card in seen["fresh"] if card in seen["squad"]]
    have = _bits([card for card in seen["squad"] if card not in fresh])
    state = (have, _bits(seen["gone"]), _bits(fresh))
    return express._plain(solved.rules, stage, state)


@lru_cache(maxsize=64)
def _table(beach: str, kommandant: str, stage: express.Stage, state: express.State, need: Faces) -> express.Table:
    solved = _solved_express(beach, kommandant)
    assert solved is not None
    return express.Table(solved, stage, state, need)


class Sector:
    """The dice of a soldier alone against Axis dice that lie there."""

    def __init__(self, solved: express.Solved, seen: Seen, seat: int) -> None:
        self.solved, self.seen = solved, seen
        self.rules = solved.rules
        self.stage = _stage(solved, seen)
        self.state = _state(solved, self.stage, seen)
        self.need: Faces = tuple(seen["needed"])
        self.me = seen["soldiers"][seat]
        reading = self.rules.kommandant
        self.table = _table(seen["beach"], reading, self.stage, self.state, self.need)
        job = express.work(self.rules, self.stage, [self.state], solved.values)
        number = job.states.index(self.state)
        self.worth = np.maximum(job.worths[number], self.table.medic)[job.plans[number].layers[0]][0]
        """Per class of tallies and failure."""
        self.classes = {one: n for n, one in enumerate(self.rules.box.classes)}
        self._worths: dict[tuple[Tally, int], float] = {}

    # ---- rolling

    def rolled(self, keys: Sequence[str]) -> dict[str, float]:
        faces = self.me["faces"]
        shown = _by_colour(faces, range(6))
        kept = {one.kept: one.value for one in self.table.choices(shown, self.me["roll"])}
        stop = float(self.table.rolls[self.rules.box.number[shown]])
        return _kept_values(keys, faces, kept, stop)

    # ---- cards

    def used(self, keys: Sequence[str]) -> dict[str, float]:
        left = self._left()
        found = {}
        for key in keys:
            if key == "done":
                found[key] = self.end(self.tally())
                continue
            _, card, die, *words = key.split(":")
            faces, colours = list(self.me["faces"]), list(self.me["colours"])
            for word in words:
                if word in FACE:
                    faces[PLACE[die]] = FACE[word]
                else:
                    colours[PLACE[die]] = COLOUR[word]
            ability = content().specialists[card].ability
            found[key] = self.best(_tally(faces, colours), left & ~ABILITIES[ability])
        return found

    def _left(self) -> int:
        """The cards that may still turn a die."""
        there = [card for card in self.seen["squad"] if card not in (*self.seen["fresh"], *self.me["used"])]
        return sum(ABILITIES.get(content().specialists[card].ability, 0) for card in there)

    def tally(self) -> Tally:
        return _tally(self.me["faces"], self.me["colours"])

    def best(self, tally: Tally, left: int) -> float:
        """The most that these dice are worth with the cards that are left."""
        key = tally, left
        if key not in self._worths:
            found = self.end(tally)
            for ability, bit in ABILITIES.items():
                if left & bit:
                    for other in self._turned(tally, ability):
                        found = max(found, self.best(other, left & ~bit))
            self._worths[key] = found
        return self._worths[key]

    def _turned(self, tally: Tally, ability: str) -> set[Tally]:
        found = set()
        for n, (face, colour) in enumerate(tally):
            if ability == "change":
                ways = [(to, colour) for to in range(6)]
            elif ability == "recolour":
                ways = [(face, to) for to in range(3)]
            elif face == self.rules.face_of("remake"):
                ways = [(to, shade) for to in range(6) for shade in range(3)]
            else:
                continue
            for way in ways:
                found.add(tuple(sorted((*tally[:n], way, *tally[n + 1 :]))))
        return found - {tally}

    def pool(self, tally: Tally) -> tuple[int, bool]:
        """The class of a tally, and whether it fails."""
        colours: dict[int, set[int]] = {}
        counts = [0] * 6
        for face, colour in tally:
            colours.setdefault(face, set()).add(colour)
            counts[face] += 1
        some = tuple(face for face in range(6) if len(colours.get(face, ())) == 3)
        straight = all(counts)
        for face in self.me["added"] or self._added():
            counts[face] += 1
        fits = all(mine >= theirs for mine, theirs in zip(counts, self.need, strict=True))
        fits |= straight and not some and bool(self.state[0] & self.rules.bit("straight-clears"))
        return self.classes[some, straight and not some], not fits

    def _added(self) -> tuple[int, ...]:
        return (self.rules.face_of("add"),) if self.state[0] & self.rules.bit("add") else ()

    def end(self, tally: Tally) -> float:
        number, failed = self.pool(tally)
        return float(self.worth[number, int(failed)])

    # ---- the squad

    def sacrificed(self, keys: Sequence[str]) -> dict[str, float]:
        number, failed = self.pool(self.tally())
        failed &= not self.me["cleared"]
        found = {}
        for key in keys:
            if key == "pass":
                found[key] = self._onward(self.state, number, failed, False)
            elif ":U" in key:
                found[key] = self._onward(self.state, number, failed, True)
            else:
                found[key] = self.table.medic
        return found

    def _onward(self, state: express.State, number: int, failed: bool, hero: bool) -> float:
        some, straight = self.rules.box.classes[number]
        cards = sum(1 << face for face in some) | straight << self.rules.box.faces
        pool = express.Pool(int(failed), bool(some), cards, len(some) == 2)
        ends = [one for one in express.ends(self.rules, self.stage, state, pool) if one.hero == hero]
        return max((self._value(one.to) for one in ends), default=0.0)

    def _value(self, to: tuple[express.Stage, express.State] | None) -> float:
        return 1.0 if to is None else self.solved.values[to[0]][to[1]]

    def rallied(self, keys: Sequence[str]) -> dict[str, float]:
        number, failed = self.pool(self.tally())
        cleared = bool(self.me["cleared"]) or not failed
        rwb = bool(self.rules.box.classes[number][0])
        found = {}
        for key in keys:
            gain = _bits(key.partition(":")[2].split(",")) if key != "none" else 0
            to = express.onward(self.rules, self.stage, self.state, gain, rwb)
            found[key] = (1.0 if to is None else max(map(self._value, to))) if cleared else 0.0
        return found


ABILITIES = {"change": 1, "remake": 2, "recolour": 4}
"""Cards that turn a die, as bits."""


def _tally(faces: Sequence[int], colours: Sequence[int]) -> Tally:
    return tuple(sorted(zip(faces, colours, strict=True)))


def _by_colour(faces: Sequence[int], places: Sequence[int] | range) -> tuple[Faces, Faces, Faces]:
    """The faces on these places per colour."""
    red, white, blue = (tuple(sorted(faces[place] for place in places if place // 2 == n)) for n in range(3))
    return red, white, blue


def _kept_values(
    keys: Sequence[str], faces: Sequence[int], kept: dict[tuple[Faces, Faces, Faces], float], stop: float
) -> dict[str, float]:
    """What answers to a re-roll are worth, by the dice that they keep; who stops rolls no more."""
    found = {"stop": stop}
    for key in keys:
        if key != "stop":
            again = {PLACE[name] for name in key.partition(":")[2].split(",")}
            stay = [place for place in range(6) if faces[place] >= 0 and place not in again]
            found[key] = kept[_by_colour(faces, stay)]
    return found


def express_answers(decision: Decision, seen: Seen) -> dict[str, float] | None:
    """The probability to win by each answer to a question of a soldier who is alone, or as if."""
    known = known_express(seen)
    if known is None:
        return None
    solved, after = known
    if decision.name in BEFORE:
        found = BEFORE[decision.name](solved, seen, decision.keys)
    elif decision.name in AT_DICE:
        if decision.name in TOGETHER and len(seen["soldiers"]) > 1:
            return None
        found = AT_DICE[decision.name](Sector(solved, seen, decision.seat), decision.keys)
    else:
        return None
    return {key: value * after for key, value in found.items()}


def _kommandant(solved: express.Solved, seen: Seen, keys: Sequence[str]) -> dict[str, float]:
    """Let him come, or lose a card."""
    plain = express.Stage(seen["sector"], solved.rules.axis[seen["sector"] - 1])
    have, out = _bits(seen["squad"]), _bits(seen["gone"])
    found = {}
    for key in keys:
        bit = 0 if key == "deploy" else _bits([key.partition(":")[2]])
        stage = plain._replace(black=key == "deploy")
        found[key] = solved.values[stage][express.start_of(solved.rules, stage, have & ~bit, out | bit)]
    return found


def _lost(solved: express.Solved, seen: Seen, keys: Sequence[str]) -> dict[str, float]:
    """Cards that the Gantlet takes when it is cleared."""
    stage = express.Stage(seen["sector"] + 1, solved.rules.axis[seen["sector"]])
    have, out = _bits(seen["squad"]), _bits(seen["gone"])
    found = {}
    for key in keys:
        bit = _bits([key.partition(":")[2]])
        ways = express.begins(solved.rules, stage, (have & ~bit, out | bit, 0))
        found[key] = max(solved.values[one][state] for one, state in ways)
    return found


Judge = Callable[[express.Solved, Seen, Sequence[str]], dict[str, float]]
BEFORE: dict[str, Judge] = {"kommandant": _kommandant, "lose?": _lost}
TOGETHER = ("sacrifice", "rally?")
"""Questions that depend on the dice of all soldiers."""
AT_DICE: dict[str, Callable[[Sector, Sequence[str]], dict[str, float]]] = {
    "reroll": Sector.rolled,
    "specialist": Sector.used,
    "sacrifice": Sector.sacrificed,
    "rally?": Sector.rallied,
}


# ---------------------------------------------------------------------- Battle!


def battle_answers(decision: Decision, seen: Seen) -> Answers | None:
    turn, how = _turn(seen)
    if turn is None or decision.name not in ("reroll", "decide", "deploy"):
        return None
    pot, axis = int(seen["pot"]), min(battle.MOST, battle.FEWEST + seen["skirmish"] - 1)
    bank = turn.bank[:, SKIRMISH]
    ahead = {n: some[:, SKIRMISH] for n, some in turn.ahead.items()}
    if decision.name == "decide":
        found = {"advance": ahead[min(axis + 1, battle.MOST)][pot], "retreat": bank[pot]}
    elif decision.name == "deploy":
        after = turn.ahead[min(axis + 1, battle.MOST)]
        found = {}
        for key, way in zip(("no", "deploy"), battle.ways(True), strict=True):
            found[key] = battle._skirmish(turn.bank, after, axis, pot, pot + 1, (way,))[0][0, SKIRMISH]
    else:
        stake = pot + int(seen["worth"])
        stop, go = bank[stake], ahead[min(axis + 1, battle.MOST)][stake]
        field, order = seen["field"], seen["order"]
        won = go if field == "gantlet" else stop if field == "bluffs" else max(stop, go)
        won = {"advance": go, "retreat": stop}.get(order, won)
        chances = match_chances(seen, decision.keys)
        found = {key: chance * won + (1 - chance) * bank[0] for key, chance in chances.items()}
    return Answers({key: float(value) for key, value in found.items()}, how)


def match_chances(seen: Seen, keys: Sequence[str]) -> dict[str, float]:
    """The probability to match all Axis dice by each answer to a re-roll."""
    faces, roll = seen["faces"], int(seen["roll"])
    there = [place for place in range(6) if faces[place] >= 0]
    red, white, blue = (sum(place // 2 == n for place in there) for n in range(3))
    own = dice.box(6, (red, white, blue))
    axis = [*seen["axis"], *([seen["black"]] if seen["black"] >= 0 else [])]
    some = dice.outcomes(own)
    need = np.array([axis.count(face) for face in range(6)])
    values = (dice.within_reach(own, some, need)[some.source] > 0).astype(np.float64)
    shown = _by_colour(faces, there)
    kept = {one.kept: one.value for one in dice.choices(own, values, shown, roll, int(seen["black"]))}
    return _kept_values(keys, faces, kept, float(values[own.number[shown]]))


def _turn(seen: Seen) -> tuple[battle.Turn | None, str]:
    """What points are worth in this turn, and in which terms."""
    seat, first = seen["active"], seen["first"]
    kommandant = "kommandant" in seen["options"]
    if len(seen["players"]) != 2:
        return _best_turn(kommandant), "points"
    scores = tuple(player["score"] for player in seen["players"])
    totals = tuple(player["score"] + 5 * len(player["medals"]) for player in seen["players"])
    solved = _solved_battle(kommandant)
    if solved is None:
        return _best_turn(kommandant), "points"
    other = 1 - seat
    points = scores[seat], scores[other], totals[seat], totals[other]
    return _two(kommandant, seat == first, bool(seen["tied"]), *points), "no-medals"


@lru_cache(maxsize=2)
def _solved_battle(kommandant: bool) -> battle.Solved | None:
    return store.known_battle(kommandant)


@lru_cache(maxsize=2)
def _best_turn(kommandant: bool) -> battle.Turn:
    return battle.best_turn(kommandant)


@lru_cache(maxsize=64)
def _two(
    kommandant: bool, begins: bool, tied: bool, mine: int, other: int, all_mine: int, all_other: int
) -> battle.Turn:
    """The turn of one of two players, at these scores, without and with Medals."""
    solved = _solved_battle(kommandant)
    assert solved is not None
    if begins:
        return solved.tied_turn() if tied else solved.starter(np.array([mine]), np.array([other]))
    if tied or other >= battle.GOAL:
        return solved.last_turn(np.array([max(0, all_other - all_mine)]))
    return solved.follower(np.array([other]), np.array([mine]))
