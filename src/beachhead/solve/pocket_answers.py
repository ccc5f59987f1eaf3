"""What every answer is worth in a solved game of Pocket, from what a seat sees of it.

Express! by the printed beaches and usual readings: every answer exactly (`express_answers`), from the tables of
`pocket_express`. Cards that turn dice are tried in every order; what they lead to is a class of tallies.

Battle! of two players while nobody has a Medal, and its last turns: dice, advance or retreat, and the Kommandant as if
there were no Medals (`pocket_battle`). Otherwise by games played out (`pocket_rest`), over which dice and the turn are
exact; a Medal is judged by what it leads to when all pass then. Alone there is only the number of points to expect.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from ..core.node import Decision
from ..landing.dice import COLOUR, DICE, FACE, HOME, PLACE
from ..pocket.content import box as content
from ..pocket.dice import counts, enough, symbols
from ..pocket.world import NEPTUNE, SWITCHES
from . import pocket_battle as battle
from . import pocket_dice as dice
from . import pocket_express as express
from . import pocket_rest as rest
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
    """exact: the probability to win; in-turn: the same if the soldiers who still roll do so one after another;
    alone: the same if this soldier were alone, a hint where the game of several is not solved;
    no-medals: the same if there were no Medals; rival: the same against the strongest of several others alone, a
    hint; sampled: by games played out; points: of this turn, on average.
    """
    ranges: Mapping[str, tuple[float, float]] = MappingProxyType({})
    """Where values of games played out lie in 95 % of cases."""
    games: int = 0
    """How many were played out for each answer, at least."""
    medals: Mapping[str, float] = MappingProxyType({})
    """Of dice in Battle!: how many new Medals they bring on average."""


def answers(decision: Decision, seen: Seen, limit: float = 0.0) -> Answers | None:
    """None where it is not known; `limit` is how many seconds games may be played out where nothing else helps."""
    if seen["game"] == "express":
        several = len(seen["soldiers"]) > 1
        found = express_answers(decision, seen)
        if found or not several or decision.name not in ("reroll", "specialist"):
            return Answers(found, "in-turn" if several else "exact") if found else None
        alone = {**seen, "soldiers": [seen["soldiers"][decision.seat]]}
        found = express_answers(decision._replace(seat=0), alone)
        return Answers(found, "alone") if found else None
    return battle_answers(decision, seen, limit)


# ---------------------------------------------------------------------- Express!


def known_express(seen: Seen) -> tuple[express.Solved, float] | None:
    """The solved beach that this is, and the probability to win all that come after it."""
    if "advanced" in seen["options"]:
        return None
    readings = SWITCHES["express"]
    if any(value != readings[name].values[0] for name, value in seen["switches"].items()):
        return None
    reading = "strict" if "kommandant" in seen["options"] else ""
    players = len(seen["soldiers"])
    found = _solved_express(seen["beach"], players, reading)
    if found is None:
        return None
    after = 1.0
    if "neptune" in seen["options"]:
        for beach in NEPTUNE[seen["beaches"] + 1 :]:
            later = _solved_express(beach, players, reading)
            if later is None:
                return None
            after *= later.value
    return found, after


@lru_cache(maxsize=24)
def _solved_express(beach: str, players: int, kommandant: str) -> express.Solved | None:
    return store.known_express(express.rules_of(beach, players, kommandant=kommandant))


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
def _work(beach: str, players: int, kommandant: str, stage: express.Stage, state: express.State) -> express.Work:
    solved = _solved_express(beach, players, kommandant)
    assert solved is not None
    return express.work(solved.rules, stage, [state], solved.values)


class Squad:
    """The dice of all soldiers against Axis dice that lie there, seen by one of them.

    Soldiers whose tallies are final come first, then this one, then those who still roll, one after another: what each
    of them has to know of those before is a pool (`pocket_express.Pool`), and what is worth what is known from the end.
    """

    def __init__(self, solved: express.Solved, seen: Seen, seat: int) -> None:
        self.solved, self.seen, self.seat = solved, seen, seat
        self.rules = solved.rules
        self.stage = _stage(solved, seen)
        self.state = _state(solved, self.stage, seen)
        self.need: Faces = tuple(seen["needed"])
        self.soldiers: list[Seen] = seen["soldiers"]
        self.me = self.soldiers[seat]
        self.classes = {one: n for n, one in enumerate(self.rules.box.classes)}
        keeps = self.rules.gantlet == "keep-face" and self.stage.sector == self.rules.at
        self.stay = self.rules.face if keeps else -1

    def job(self, state: express.State) -> express.Work:
        return _work(self.seen["beach"], self.rules.players, self.rules.kommandant, self.stage, state)

    @cached_property
    def table(self) -> dice.Floats:
        """What this soldier's tally is worth, by its class and whether it fails."""
        job = self.job(self.state)
        number = job.states.index(self.state)
        worth = np.maximum(job.worths[number], self.restart(self.state, self.cleared))
        layers = job.plans[number].layers
        done = [one for n, one in enumerate(self.soldiers) if n != self.seat and not one["busy"]]
        others = [one for n, one in enumerate(self.soldiers) if n != self.seat and one["busy"]]
        for layer, one in zip(reversed(layers), reversed(others), strict=False):
            worth = self._rolls_on(_forgiven(worth[layer], bool(one["cleared"])), one)
        row = 0
        for layer, one in zip(layers, done, strict=False):
            number, failed = self.pool(one)
            row = int(layer[row, number, int(failed)])
        return _forgiven(worth[layers[len(done)][row]], bool(self.me["cleared"]))

    @property
    def cleared(self) -> int:
        """Soldiers for whom a sacrifice has cleared this sector."""
        return sum(bool(one["cleared"]) for one in self.soldiers)

    def restart(self, state: express.State, cleared: int) -> float:
        """What it is worth to begin anew with the Medic, when so many soldiers have nothing to match any more."""
        less = express.without_medic(self.rules, state)
        return self._anew(less, cleared) if less else 0.0

    def _anew(self, state: express.State, cleared: int) -> float:
        job = self.job(state)
        number = job.states.index(state)
        worth = np.maximum(job.worths[number], self.restart(state, cleared))
        both, kinds = self._kinds
        for place, layer in reversed(list(enumerate(job.plans[number].layers))):
            tables = _forgiven(worth[layer], place < cleared)
            worth = express._columns(self.rules, both, tables, kinds, self.stage)
        return float(worth[0])

    @cached_property
    def _kinds(self) -> tuple[dice.Ints, dice.Ints]:
        return express.kinds_of(self.rules, self.state[0], self.need)

    def _rolls_on(self, tables: dice.Floats, one: Seen) -> dice.Floats:
        """What each of these tables is worth before a soldier rolls on."""
        if not one["roll"] and -1 not in one["faces"]:
            left = self._left(one)
            return np.array([Cards(self, one, table).best(_tally_of(one), left) for table in tables])
        both, kinds = self._kinds
        if -1 in one["faces"]:
            return express._columns(self.rules, both, tables, kinds, self.stage)
        rolls = express.rated(self.rules, both, tables)[:, kinds].T
        return dice.standing(self.rules.box, rolls, _by_colour(one["faces"], range(6)), one["roll"], self.stay)

    # ---- rolling

    def rolled(self, keys: Sequence[str]) -> dict[str, float]:
        faces = self.me["faces"]
        shown = _by_colour(faces, range(6))
        both, kinds = self._kinds
        rolls = express.rated(self.rules, both, self.table[None])[0][kinds]
        kept = {one.kept: one.value for one in dice.choices(self.rules.box, rolls, shown, self.me["roll"], self.stay)}
        return _kept_values(keys, faces, kept, float(rolls[self.rules.box.number[shown]]))

    # ---- cards

    def used(self, keys: Sequence[str]) -> dict[str, float]:
        left, cards = self._left(self.me), Cards(self, self.me, self.table)
        found = {}
        for key in keys:
            if key == "done":
                found[key] = cards.end(_tally_of(self.me))
                continue
            _, card, die, *words = key.split(":")
            faces, colours = list(self.me["faces"]), list(self.me["colours"])
            for word in words:
                if word in FACE:
                    faces[PLACE[die]] = FACE[word]
                else:
                    colours[PLACE[die]] = COLOUR[word]
            ability = content().specialists[card].ability
            found[key] = cards.best(_tally(faces, colours), left & ~ABILITIES[ability])
        return found

    def _left(self, one: Seen) -> int:
        """The cards that a soldier may still use to turn a die."""
        there = [card for card in self.seen["squad"] if card not in (*self.seen["fresh"], *one["used"])]
        return sum(ABILITIES.get(content().specialists[card].ability, 0) for card in there)

    def pool(self, one: Seen) -> tuple[int, bool]:
        """The class of a soldier's tally, and whether it fails."""
        number, failed = Cards(self, one, np.zeros((0, 2))).pool(_tally_of(one))
        return number, failed and not one["cleared"]

    # ---- the squad

    def together(self) -> tuple[list[bool], express.Pool]:
        """Who fails, and what all have."""
        pools = [self.pool(one) for one in self.soldiers]
        classes = [self.rules.box.classes[number] for number, _ in pools]
        cards = 0
        for some, straight in classes:
            cards |= sum(1 << face for face in some) | straight << self.rules.box.faces
        failed = [fails for _, fails in pools]
        two = len(classes) == 1 and len(classes[0][0]) == 2
        return failed, express.Pool(sum(failed), any(some for some, _ in classes), cards, two)

    def sacrificed(self, keys: Sequence[str]) -> dict[str, float]:
        failed, pool = self.together()
        have, out, new = self.state
        hero = self.rules.bit("clear")
        without = (have & ~hero, out if self.stage.sector == len(self.rules.axis) else out | hero, new)
        found = {}
        for key in keys:
            if key == "pass":
                found[key] = self._onward(self.state, pool)
            elif ":U" in key:
                helped = pool._replace(failed=pool.failed - failed[int(key.rpartition(":U")[2]) - 1])
                found[key] = max(self._onward(without, helped), self.restart(without, self.cleared + 1))
            else:
                found[key] = self.restart(self.state, self.cleared)
        return found

    def _onward(self, state: express.State, pool: express.Pool) -> float:
        ends = [one for one in express.ends(self.rules, self.stage, state, pool) if not one.hero]
        return max((self._value(one.to) for one in ends), default=0.0)

    def _value(self, to: tuple[express.Stage, express.State] | None) -> float:
        return 1.0 if to is None else self.solved.values[to[0]][to[1]]

    def rallied(self, keys: Sequence[str]) -> dict[str, float]:
        _, pool = self.together()
        found = {}
        for key in keys:
            gain = _bits(key.partition(":")[2].split(",")) if key != "none" else 0
            to = express.onward(self.rules, self.stage, self.state, gain, pool.rwb)
            found[key] = 0.0 if pool.failed else 1.0 if to is None else max(map(self._value, to), default=0.0)
        return found


class Cards:
    """What cards can make of a soldier's tally; `table` is what tallies are worth, by class and failure."""

    def __init__(self, squad: Squad, one: Seen, table: dice.Floats) -> None:
        self.squad, self.one, self.table = squad, one, table
        self._worths: dict[tuple[Tally, int], float] = {}

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
            elif face == self.squad.rules.face_of("remake"):
                ways = [(to, shade) for to in range(6) for shade in range(3)]
            else:
                continue
            for way in ways:
                found.add(tuple(sorted((*tally[:n], way, *tally[n + 1 :]))))
        return found - {tally}

    def pool(self, tally: Tally) -> tuple[int, bool]:
        """The class of a tally, and whether it fails."""
        rules, have = self.squad.rules, self.squad.state[0]
        colours: dict[int, set[int]] = {}
        counts = [0] * 6
        for face, colour in tally:
            colours.setdefault(face, set()).add(colour)
            counts[face] += 1
        some = tuple(face for face in range(6) if len(colours.get(face, ())) == 3)
        straight = all(counts)
        added = (rules.face_of("add"),) if have & rules.bit("add") else ()
        for face in self.one["added"] or added:
            counts[face] += 1
        fits = all(mine >= theirs for mine, theirs in zip(counts, self.squad.need, strict=True))
        fits |= straight and not some and bool(have & rules.bit("straight-clears"))
        return self.squad.classes[some, straight and not some], not fits

    def end(self, tally: Tally) -> float:
        number, failed = self.pool(tally)
        return float(self.table[number, int(failed)])


def _forgiven(tables: dice.Floats, cleared: bool) -> dice.Floats:
    """Worths by class and failure (the last axes), of a soldier for whom failure counts for nothing if `cleared`."""
    return np.repeat(tables[..., :1], 2, axis=-1) if cleared else tables


def _tally_of(one: Seen) -> Tally:
    return _tally(one["faces"], one["colours"])


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
    """The probability to win by each answer to a question."""
    known = known_express(seen)
    if known is None:
        return None
    solved, after = known
    if decision.name in BEFORE:
        found = BEFORE[decision.name](solved, seen, decision.keys)
    elif decision.name in AT_DICE:
        found = AT_DICE[decision.name](Squad(solved, seen, decision.seat), decision.keys)
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
AT_DICE: dict[str, Callable[[Squad, Sequence[str]], dict[str, float]]] = {
    "reroll": Squad.rolled,
    "specialist": Squad.used,
    "sacrifice": Squad.sacrificed,
    "rally?": Squad.rallied,
}


# ---------------------------------------------------------------------- Battle!


class ByTable:
    """A turn whose worth is known: numbers where `pocket_rest.Rest` has rows of probabilities."""

    def __init__(self, turn: battle.Turn) -> None:
        self.turn = turn

    def banked(self, points: int) -> Any:
        return self.turn.bank[points, SKIRMISH]

    def after(self, axis: int, points: int) -> Any:
        return self.turn.ahead[axis][points, SKIRMISH]

    def before(self, axis: int, points: int, way: battle.Odds) -> Any:
        after = self.turn.ahead[min(axis + 1, battle.MOST)]
        return battle._skirmish(self.turn.bank, after, axis, points, points + 1, (way,))[0][0, SKIRMISH]

    def decided(self, axis: int, points: int) -> Any:
        return max(self.banked(points), self.after(min(axis + 1, battle.MOST), points))


def battle_answers(decision: Decision, seen: Seen, limit: float) -> Answers | None:
    if limit > 0 and len(seen["players"]) > 1 and not _without_medals(decision, seen):
        return _sampled(decision, seen, limit)
    if decision.name not in IN_TURN:
        return None
    turn, how = _turn(seen)
    found = IN_TURN[decision.name](ByTable(turn), decision.keys, seen)
    medals = medals_ahead(seen, decision.keys) if decision.name == "reroll" else {}
    return Answers({key: float(value) for key, value in found.items()}, how, medals=medals)


def _without_medals(decision: Decision, seen: Seen) -> bool:
    """Whether the solution for two players without Medals is the best there is to say here."""
    held = any(player["medals"] for player in seen["players"])
    return len(seen["players"]) == 2 and decision.name != "medal" and (not held or _last_turn(seen))


def _last_turn(seen: Seen) -> bool:
    """Nobody plays after this turn, or only if it ends in a tie."""
    players, first = seen["players"], seen["first"]
    after = [
        seat for seat in range(len(players)) if (seat - first) % len(players) > (seen["active"] - first) % len(players)
    ]
    reached = max(player["score"] for seat, player in enumerate(players) if seat != seen["active"])
    return not after and (bool(seen["tied"]) or reached >= battle.GOAL)


def _axis_dice(seen: Seen) -> int:
    return min(battle.MOST, battle.FEWEST + int(seen["skirmish"]) - 1)


def _decide(turn: Any, keys: Sequence[str], seen: Seen) -> dict[str, Any]:
    pot = int(seen["pot"])
    return {"advance": turn.after(min(_axis_dice(seen) + 1, battle.MOST), pot), "retreat": turn.banked(pot)}


def _deploy(turn: Any, keys: Sequence[str], seen: Seen) -> dict[str, Any]:
    ways = zip(("no", "deploy"), battle.ways(True), strict=True)
    return {key: turn.before(_axis_dice(seen), int(seen["pot"]), way) for key, way in ways}


def _reroll(turn: Any, keys: Sequence[str], seen: Seen) -> dict[str, Any]:
    won, lost = _when_won(turn, seen), turn.banked(0)
    return {key: chance * won + (1 - chance) * lost for key, chance in match_chances(seen, keys).items()}


def _leave(turn: Any, keys: Sequence[str], seen: Seen) -> dict[str, Any]:
    """Whichever die stays out: one of each colour is as good as another."""
    chance = _five(tuple(seen["axis"]), int(seen["black"]))
    found = chance * _when_won(turn, seen) + (1 - chance) * turn.banked(0)
    return dict.fromkeys(keys, found)


@lru_cache(maxsize=256)
def _five(axis: Faces, black: int) -> float:
    """The probability to match these Axis dice with five dice."""
    own = dice.box(6, (2, 2, 1))
    some = dice.outcomes(own)
    need = dice.needs(6, (*axis, *([black] if black >= 0 else [])))
    values = (dice.within_reach(own, some, need)[some.source] > 0).astype(np.float64)
    return float(dice.play(own, values[:, None], black)[0])


def _when_won(turn: Any, seen: Seen) -> Any:
    """What it is worth to win this skirmish."""
    axis, stake = _axis_dice(seen), int(seen["pot"]) + int(seen["worth"])
    ways = {"gantlet": "advance", "bluffs": "retreat"}
    order = seen["order"] or ways.get(seen["field"], "")
    if order:
        return turn.after(min(axis + 1, battle.MOST), stake) if order == "advance" else turn.banked(stake)
    return turn.decided(axis, stake)


def _compared(turn: Any, seen: Seen) -> Any:
    """What it is worth when Medals have been played and the dice lie as they do."""
    if seen.get("again"):
        return turn.after(_axis_dice(seen), int(seen["pot"]))
    won = seen["won"] or enough(counts(seen["faces"]), counts((*seen["axis"], seen["black"])))
    return _when_won(turn, seen) if won else turn.banked(0)


IN_TURN: dict[str, Callable[[Any, Sequence[str], Seen], dict[str, Any]]] = {
    "decide": _decide,
    "deploy": _deploy,
    "reroll": _reroll,
    "leave": _leave,
}


def _played(seen: Seen, key: str) -> Seen:
    """What lies there when this Medal is played and all pass then; the tally earns what it earns."""
    if key == "pass":
        return _earned(seen)
    _, name, *rest = key.split(":")
    ability = content().medals[name].ability
    players = [{**one, "medals": [card for card in one["medals"] if card != name]} for one in seen["players"]]
    found = {**seen, "players": players}
    if ability == "again":
        return {**found, "again": True}
    if ability == "axis" and rest[0] == "K":
        found["black"] = FACE[rest[1]]
    elif ability == "axis":
        found["axis"] = [FACE[rest[1]] if f"G{n}" == rest[0] else face for n, face in enumerate(seen["axis"], 1)]
    elif ability == "die":
        found["faces"] = [
            FACE[rest[1]] if die == rest[0] else face for die, face in zip(DICE, seen["faces"], strict=True)
        ]
    elif ability == "field":
        times = {**dict.fromkeys(FIELDS, 1), "barriers": 2, "rallying-point": 3}
        extra = int(seen["black"] >= 0)
        once = len(seen["axis"]) + extra
        plain = seen["switches"]["kommandant_points"] == "plain"
        worth = once * times[rest[0]] + extra if plain else (once + extra) * times[rest[0]]
        found |= {"field": rest[0], "worth": 0 if seen["worthless"] else worth}
    elif ability == "win":
        found |= {"won": name, "order": "retreat"}
    elif ability == "advance":
        found["order"] = "advance"
    else:
        found |= {"worthless": name, "worth": 0}
    return _earned(found)


def _earned(seen: Seen) -> Seen:
    """The active player has the Medals of this tally."""
    cards = {card.rwb: card.id for card in content().medals.values()}
    earned = {cards[symbol] for symbol in symbols(tuple(seen["faces"]), HOME) if symbol in cards}
    players = [{**one, "medals": [card for card in one["medals"] if card not in earned]} for one in seen["players"]]
    players[seen["active"]]["medals"] += sorted(earned)
    return {**seen, "players": players}


def _standing(seen: Seen) -> rest.Standing:
    many, first = len(seen["players"]), seen["first"]
    order = [seen["players"][(first + k) % many] for k in range(many)]
    held = {card: k for k, one in enumerate(order) for card in one["medals"]}
    by_symbol = {card.rwb: held.get(card.id, -1) for card in content().medals.values()}
    return rest.Standing(
        tuple(one["score"] for one in order),
        tuple(by_symbol.get(symbol, -1) for symbol in (*FACE, "straight")),
        (seen["active"] - first) % many,
        tuple((seat - first) % many for seat in seen["tied"]),
        "kommandant" in seen["options"],
        seen["switches"]["thirty"] == "with-medals",
    )


def _sampled(decision: Decision, seen: Seen, limit: float) -> Answers:
    """By games that are played out from what each answer leads to; alike ones share their games."""
    after = {key: _played(seen, key) if decision.name == "medal" else seen for key in decision.keys}
    groups: dict[rest.Standing, list[str]] = {}
    for key in decision.keys:
        groups.setdefault(_standing(after[key]), []).append(key)
    seat = (decision.seat - seen["first"]) % len(seen["players"])
    medals = medals_ahead(seen, decision.keys) if decision.name == "reroll" else {}
    richer = _with_medal(next(iter(groups))) if any(medals.values()) else None
    games = rest.play([rest.rest(one) for one in (*groups, *([richer] if richer else []))], limit)
    found: dict[str, tuple[float, float, float]] = {}
    for standing, keys in groups.items():
        turn = rest.rest(standing)
        if decision.name == "medal":
            rows = {key: _compared(turn, after[key]) for key in keys}
        else:
            rows = IN_TURN[decision.name](turn, keys, seen)
        won = turn.won(seat)[:games]
        more = rest.rest(richer).won(seat)[:games] - won if richer else won * 0
        for key in keys:
            chances = won @ rows[key] + medals.get(key, 0.0) * (more @ rows[key])
            found[key] = rest.mean_of(np.clip(chances, 0.0, 1.0))
    values = {key: found[key][0] for key in decision.keys}
    return Answers(values, "sampled", {key: found[key][1:] for key in decision.keys}, games, medals)


def _with_medal(standing: rest.Standing) -> rest.Standing | None:
    """The same when who has the turn has one Medal more, if possible one that nobody had."""
    left = sorted((holder, n) for n, holder in enumerate(standing.holders) if holder != standing.active)
    if not left:
        return None
    holders = list(standing.holders)
    holders[left[0][1]] = standing.active
    return standing._replace(holders=tuple(holders))


def match_chances(seen: Seen, keys: Sequence[str]) -> dict[str, float]:
    """The probability to match all Axis dice by each answer to a re-roll."""
    return _rolled(seen, keys, _fits(seen))


def medals_ahead(seen: Seen, keys: Sequence[str]) -> dict[str, float]:
    """How many Medals the tally then earns on average that the player does not have yet, where dice are played to match
    with the greatest probability, and then for Medals.
    """
    own, some = _box(seen)
    mine = seen["players"][seen["active"]]["medals"]
    new = {card.rwb for card in content().medals.values() if card.id not in mine}
    names = (*FACE, "straight")
    each = np.array(
        [
            sum(names[face] in new for face in faces) + (straight and "straight" in new)
            for faces, straight in own.classes
        ]
    )
    earned = each[some.classes[some.starts[some.source]]]
    both, chances = _rolled(seen, keys, _fits(seen) + LITTLE * earned), match_chances(seen, keys)
    return {key: max(0.0, (value - chances[key]) / LITTLE) for key, value in both.items()}


LITTLE = 1e-6
"""A Medal counts for so much of a match where both are wished for, one before the other."""


def _box(seen: Seen) -> tuple[dice.Box, dice.Outcomes]:
    there = [place for place in range(6) if seen["faces"][place] >= 0]
    red, white, blue = (sum(place // 2 == n for place in there) for n in range(3))
    own = dice.box(6, (red, white, blue))
    return own, dice.outcomes(own)


def _fits(seen: Seen) -> dice.Floats:
    """Per roll: 1 if it matches the Axis dice."""
    own, some = _box(seen)
    need = np.array(counts((*seen["axis"], seen["black"])))
    return (dice.within_reach(own, some, need)[some.source] > 0).astype(np.float64)


def _rolled(seen: Seen, keys: Sequence[str], values: dice.Floats) -> dict[str, float]:
    """What each answer to a re-roll is worth when rolls are worth so much."""
    own, _ = _box(seen)
    faces, black = seen["faces"], int(seen["black"])
    shown = _by_colour(faces, [place for place in range(6) if faces[place] >= 0])
    kept = {one.kept: one.value for one in dice.choices(own, values, shown, int(seen["roll"]), black)}
    return _kept_values(keys, faces, kept, float(values[own.number[shown]]))


def _turn(seen: Seen) -> tuple[battle.Turn, str]:
    """What points are worth in this turn, and in which terms. Of several others the one who has most is the rival."""
    players, active, first = seen["players"], seen["active"], seen["first"]
    kommandant = "kommandant" in seen["options"]
    if len(players) == 1 or _solved_battle(kommandant) is None:
        return _best_turn(kommandant), "points"
    tied = seen["tied"] or list(range(len(players)))
    order = sorted(tied, key=lambda seat: (seat - first) % len(players))
    others = [seat for seat in tied if seat != active]
    total = {seat: players[seat]["score"] + battle.WORTH * len(players[seat]["medals"]) for seat in tied}
    score, rival = players[active]["score"], max(players[seat]["score"] for seat in others)
    ending = not seen["tied"] and rival >= battle.GOAL
    begins = active == order[0] if seen["tied"] else not ending and active != order[-1]
    points = min(score, battle.GOAL - 1), rival, total[active], max(total[seat] for seat in others)
    return _two(kommandant, begins, bool(seen["tied"]), *points), "no-medals" if len(players) == 2 else "rival"


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
