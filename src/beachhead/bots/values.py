"""How good it is for a Unit to stand somewhere with something.

`Standing` is a situation in numbers, drawn from what a seat sees. `START` judges it by rules of thumb, in Soldiers;
`Values` by what was learned from many games, as the probability that the Unit does its part: that it is safe in the
end (see the room `train`). As one lost Unit loses the game for all, the probability to win is the product of those of
all Units (`together`). Both judge many situations at once that differ in what the Unit has: the rows of `gains`. What a
row gives to others counts as if the Unit had it.

Learned values are for one map, edition, number of seats and level, and for the content that was played: they are kept
in files that say so, and others are refused. Several Units may be judged by what more or fewer of them have learned,
where there is nothing of their own. Values that were learned from several games look at no Sector and no card by its
name; they are for whatever has none of its own.
"""

from __future__ import annotations

import base64
import json
import logging
import os
from bisect import bisect_right
from collections.abc import Collection
from functools import cache, lru_cache
from hashlib import sha256
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..core.errors import BeachheadError
from ..core.plain import essence
from ..say import say
from ..solve import fast
from .gains import CARDS, COURAGES, FREE, GIVEN, ITEM_POINTS, NOTHING, SOLDIERS, STARS
from .judgement import POINT, STAR, CardWorths, Plan, Who, WorldKey, card_worths, loss_at, plan, world_of
from .look import COURAGE_EARLY, COURAGE_LATE, COURAGE_SPARE, STAR_LATE, Look, scene_for

Floats = NDArray[np.float64]
_log = logging.getLogger(__name__)

FEATURES = 2
"""The version of what is looked at; values that were learned from other features are of no use."""
FOLDER = Path(__file__).parent / "learned"
"""Values that come with Beachhead."""
MOST_SEATS = 4
FOLDER_VARIABLE = "BEACHHEAD_VALUES"
"""A folder with values of one's own, which go before ours."""
STRANDED = ((0.0, 60.0, 60.0, 60.0, 60.0, 60.0), (0.0, 2.0, 8.0, 24.0, 42.0, 55.0))
"""Soldiers that it is worth to lack no Courage, by how much is lacking: when the Unit must leave, and a turn before."""
MOMENTS = ("upkeep", "turn")
"""When a situation is judged: when the tally is recorded, and before a turn begins."""
BINS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.98, 1.0)
"""Probabilities between which it is counted how often what was told came true."""
SURE = 1.959964
"""Of the normal distribution, for intervals that hold in 95 of 100 cases."""


CLOSED = 12
"""Courage that a way seems to cost beyond all that the Unit has, while only certain dice open it."""
LOST = 0.02
"""What is left of hope when only certain dice could open the way and they do not."""


ALONE = np.zeros((1, len(NOTHING)))
"""The row of those who gain nothing."""


class Standing(NamedTuple):
    """A Unit's situation. The first five change with what its dice bring."""

    soldiers: float
    stars: float
    courage: float
    points: float
    cards: float
    """The worth of its cards."""
    bodies: int
    """Specialists."""
    low: float
    """How far Soldiers sink below those of today on the best way ahead."""
    loss: float
    """Soldiers that the next combat costs."""
    first: int
    """Courage for the next Advance, and for all that are ahead."""
    need: int
    stays: int
    """A way that is closed makes the last but one turn of any."""
    saved: float
    """Courage that a free move saves now, or that a way seems to cost which dice open."""
    closed: bool
    """Is the Unit lost unless its dice open the way now?"""
    early: bool
    sector: str
    held: tuple[str, ...]
    fixed: tuple[float, ...]
    """What else is known, for learning."""


def standing(look: Look, unit: dict[str, Any]) -> Standing:
    """How this Unit stands."""
    key, here, stays, specialists = look.key, unit["sector"], look.stays_of(unit), unit["specialists"]
    ahead, worths, loss, early, fixed = _prospect(
        key, unit["nation"], here, stays, unit["combats"], look.row_of(unit), look.who(unit), len(specialists)
    )
    opened = look.opened(unit)
    held = (*specialists, *unit["items"], *unit["awards"])
    courage = unit["courage"]
    first = 0 if opened == 2 else ahead.first
    saved = 0 if stays and ahead.next == here else ahead.first
    urgent = stays
    if ahead.barred or ((ahead.gate or ahead.lacks) and not opened):
        first, saved, urgent = CLOSED + max(first, courage), CLOSED, min(stays, 1)
    closed = ahead.gate and not opened and not stays
    if closed:
        visited = unit["visited"] if look.world.map.edges.retreat else ()
        closed = not retreats(key, here, visited)
    return Standing(
        float(unit["soldiers"]),
        float(unit["stars"]),
        float(courage),
        float(unit["points"]),
        sum(map(worths.__getitem__, held)),
        len(specialists),
        ahead.low,
        loss,
        first,
        ahead.courage,
        urgent,
        float(saved),
        closed,
        early,
        here,
        held,
        fixed,
    )


class Prospect(NamedTuple):
    """What lies before a Unit, whatever it has."""

    ahead: Plan
    worths: CardWorths
    loss: float
    early: bool
    fixed: tuple[float, ...]


@lru_cache(maxsize=65536)
def _prospect(
    key: WorldKey, nation: str, here: str, stays: int, combats: int, row: frozenset[str], who: Who, specialists: int
) -> Prospect:
    ahead = plan(key, here, stays, combats, row, who)
    scene = scene_for(key, nation, ahead)
    loss = loss_at(key, ahead.next or here, combats if ahead.next in ("", here) else 0, who)
    fixed = (
        ahead.rolls / 10,
        ahead.advances / 5,
        ahead.fights / 10,
        ahead.courage / 8,
        ahead.low / 20,
        ahead.worst / 12,
        float(stays == 0),
        float(stays == 1),
        min(ahead.mines, 3) / 3,
        min(ahead.sacrifices, 3) / 3,
        world_of(key).sectors[here].dice / 6 - 1,
        loss / 10,
        specialists / 5,
        max(-2.0, ahead.value / 40),
    )
    return Prospect(ahead, card_worths(scene), loss, scene.rolls >= 5, fixed)


def retreats(key: WorldKey, sector: str, visited: Collection[str]) -> bool:
    """Can a Unit whose climb fails go back?"""
    return any(way.back and way.to not in visited for way in world_of(key).ways[sector])


def together(look: Look, judge: Valuer, moment: str = "turn", but: int = -1) -> float:
    """The probability that all Units on the map, but for this seat's, do their part."""
    found = 1.0
    for seat, unit in enumerate(look.units):
        if seat != but and unit["status"] == 0:
            found *= float(judge.worth(standing(look, unit), ALONE, moment)[0])
    return found


class Valuer(Protocol):
    def worth(self, at: Standing, rows: Floats, moment: str = "upkeep") -> Floats:
        """Of the situation after each of these gains; higher is better."""

    def __hash__(self) -> int:
        """What is worked out for a judge is kept."""


# ---------------------------------------------------------------------- by rules of thumb


class Start:
    """Everything in Soldiers, as the bot thumb counts; but who lacks Courage when it must leave is lost."""

    def worth(self, at: Standing, rows: Floats, moment: str = "upkeep") -> Floats:
        star = STAR if at.early else STAR_LATE
        each = COURAGE_EARLY if at.early else COURAGE_LATE
        stranded = at.stays < len(STRANDED) and at.first > at.courage
        found: Floats
        kernel = fast.ready()
        if kernel is not None:
            lacking = _STRANDED[at.stays] if stranded else _NONE
            found = kernel.plain_worths(
                np.ascontiguousarray(rows, dtype=np.float64),
                star,
                STAR_LATE,
                each,
                COURAGE_SPARE,
                POINT,
                at.courage,
                at.saved,
                float(at.need),
                float(at.first),
                lacking,
            )
            return found
        courage = at.courage + rows[:, COURAGES] + at.saved * rows[:, FREE]
        found = (
            rows[:, SOLDIERS]
            + star * np.minimum(rows[:, STARS], 4)
            + STAR_LATE * np.maximum(rows[:, STARS] - 4, 0)
            + each * np.minimum(courage, at.need)
            + COURAGE_SPARE * np.maximum(courage - at.need, 0)
            + POINT * rows[:, ITEM_POINTS]
            + rows[:, CARDS]
            + rows[:, GIVEN]
        )
        if stranded:
            lacks = np.clip(at.first - courage, 0, len(STRANDED[0]) - 1).astype(int)
            found -= np.take(STRANDED[at.stays], lacks)
        return found


START = Start()
_STRANDED = tuple(np.array(one) for one in STRANDED)
_NONE = np.zeros(0)


# ---------------------------------------------------------------------- learned


def features(at: Standing, rows: Floats) -> Floats:
    """What is looked at in each row; the rest, `at.fixed` and the Sector, is the same for all."""
    strength = np.maximum(at.soldiers + at.bodies + rows[:, SOLDIERS] + rows[:, GIVEN], 0.0)
    stars = np.maximum(at.stars + rows[:, STARS], 0.0)
    courage = np.maximum(at.courage + rows[:, COURAGES] + at.saved * rows[:, FREE], 0.0)
    points = np.maximum(at.points + rows[:, ITEM_POINTS], 0.0)
    margin = np.clip((strength + at.low) / 10, -3.0, 3.0)
    safe = np.clip((strength - at.loss) / 8, -1.5, 1.5)
    short = np.maximum(at.first - courage, 0.0) / 3
    nothing = np.zeros(len(rows))
    return np.stack(
        (
            strength / 10,
            np.sqrt(strength) / 3,
            margin,
            np.minimum(margin, 0.0),
            safe,
            np.minimum(safe, 0.0),
            stars / 5,
            np.sqrt(stars) / 2,
            np.minimum(courage, at.need) / 5,
            np.maximum(courage - at.need, 0.0) / 5,
            short,
            short if at.stays == 0 else nothing,
            short if at.stays == 1 else nothing,
            (short > 0) if at.stays == 0 else nothing,
            np.sqrt(points) / 5,
            np.minimum(points, 40.0) / 20,
            (at.cards + rows[:, CARDS]) / 20,
        ),
        axis=1,
    )


MOVING = 17
"""How many of them there are."""
FIXED = 14
MOST_SPLIT = 256
"""Tables of gains of which it is known what their rows have in common."""
Weights = dict[str, NDArray[Any]]
"""Of a small net: `w` and `b` into the hidden units, `v` out of them, `u` past them, and `c`."""


Counts = tuple[tuple[int, int, int], ...]
"""Bin by bin: situations, those of games that were won, and games."""


def bin_of(chance: float) -> int:
    """The bin that this probability is in."""
    return min(bisect_right(BINS, chance), len(BINS) - 1) - 1


class Setting(NamedTuple):
    """What values are for."""

    edition: str
    map: str
    seats: int
    level: str

    @property
    def key(self) -> WorldKey:
        return (self.edition, self.map, self.seats, self.level)


class Values:
    """Values that were learned."""

    def __init__(
        self,
        setting: Setting | None,
        names: tuple[str, ...],
        nets: dict[str, Weights],
        about: dict[str, Any],
        plays: tuple[str, ...] = ("move",),
        calibration: dict[str, Counts] | None = None,
        searches: tuple[str, ...] = (),
    ) -> None:
        self.setting = setting
        """The game that they are for; None: any."""
        self.names = names
        """Sectors and cards that are looked at one by one."""
        self.nets = nets
        self.about = about
        """How they were learned: games, rounds, seed."""
        self.plays = plays
        """Questions, beside those about dice, that are answered by these values."""
        self.searches = searches
        """What the bot planner searches with these values (see `planner.SEARCHES`)."""
        self.calibration = calibration or {}
        """By moment: how often what they told came true, in games that they had not learned from."""
        self._places = {name: FIXED + place for place, name in enumerate(names)}
        self._parts = {moment: _Parts.of(net) for moment, net in nets.items()}

    def interval(self, chance: float, moment: str = "upkeep") -> tuple[float, float]:
        """Between which bounds the probability to win lies in truth when this one is told: Wilson's interval of what
        came of such situations, and the one that is told. Situations of one game are no more than one witness.
        """
        counts = self.calibration.get(moment, ())
        situations, won, games = counts[bin_of(chance)] if counts else (0, 0, 0)
        if not games:
            return 0.0, 1.0
        rate, weight = won / situations, 1 + SURE * SURE / games
        middle = (rate + SURE * SURE / (2 * games)) / weight
        reach = SURE * sqrt(rate * (1 - rate) / games + SURE * SURE / (4 * games * games)) / weight
        return max(0.0, min(chance, middle - reach)), min(1.0, max(chance, middle + reach))

    def constant(self, at: Standing) -> Floats:
        there = {at.sector, *at.held}
        return np.array((*at.fixed, *(float(name in there) for name in self.names)))

    def worth(self, at: Standing, rows: Floats, moment: str = "upkeep") -> Floats:
        """The probability that the Unit is safe in the end."""
        found = self._net(at, rows, moment)
        if at.closed and moment == "upkeep":  # before a turn its dice may still open the way
            found = found * np.where(rows[:, FREE] > 0, 1.0, LOST)
        return found

    def _net(self, at: Standing, rows: Floats, moment: str) -> Floats:
        kernel = fast.ready()
        found: Floats
        if kernel is not None:
            return self._quick(kernel, at, rows, moment)
        net = self.nets[moment]
        moving, same = features(at, rows), self.constant(at)
        hidden = moving @ net["w"][:MOVING]
        hidden += same @ net["w"][MOVING:] + net["b"]
        np.maximum(hidden, 0.0, out=hidden)
        logit = hidden @ net["v"] + moving @ net["u"][:MOVING] + (same @ net["u"][MOVING:] + net["c"][0])
        found = 1 / (1 + np.exp(-logit))
        return found

    def _quick(self, kernel: Any, at: Standing, rows: Floats, moment: str) -> Floats:
        """The same in machine code. What rows that never change have in common is worked out once."""
        numbers = np.array(
            (
                at.soldiers + at.bodies,
                at.stars,
                at.courage,
                at.saved,
                at.points,
                at.cards,
                at.low,
                at.loss,
                at.first,
                at.need,
                *at.fixed,
            ),
            dtype=np.float64,
        )
        rest = (numbers, at.stays, self._there(at.sector, at.held), *self._parts[moment])
        found: Floats
        known = _SPLIT.get(id(rows))
        if known is None or known[0] is not rows:
            rows = np.ascontiguousarray(rows, dtype=np.float64)
            if rows.flags.writeable:
                found = kernel.net_of_rows(rows, *rest)
                return found
            if len(_SPLIT) >= MOST_SPLIT:
                _SPLIT.clear()
            known = _SPLIT[id(rows)] = rows, kernel.split(rows)
        found = kernel.net_of_kinds(*known[1], *rest)
        return found

    @lru_cache(maxsize=4096)  # noqa: B019 - values stay as long as the process
    def _there(self, sector: str, held: tuple[str, ...]) -> NDArray[np.int64]:
        """The places of the names that are there."""
        names = dict.fromkeys((sector, *held))
        return np.array([self._places[name] for name in names if name in self._places], dtype=np.int64)


_SPLIT: dict[int, tuple[Floats, Any]] = {}


class _Parts(NamedTuple):
    """A net as the kernel wants it: `w`, `u` and `v` for what changes from row to row, and for what is the same one
    array with a last column that goes past the hidden units.
    """

    w: Floats
    u: Floats
    v: Floats
    same: Floats
    begin: Floats

    @staticmethod
    def of(net: Weights) -> _Parts:
        w, u, v, b, c = (np.ascontiguousarray(net[name], dtype=np.float64) for name in "wuvbc")
        same = np.column_stack((w[MOVING:], u[MOVING:]))
        return _Parts(w[:MOVING].copy(), u[:MOVING].copy(), v, same, np.append(b, c[0]))


# ---------------------------------------------------------------------- files


@cache
def names_of(key: WorldKey) -> tuple[str, ...]:
    """What is looked at one by one in this game. No Sector has the name of a card."""
    world = world_of(key)
    return (*world.sectors, *world.cards)


@cache
def content_of(key: WorldKey) -> str:
    """A hash of the map and the cards that are in play; what else lies on the shelf does not matter."""
    world = world_of(key)
    parts = (world.map, tuple(world.cards.values()), tuple(world.nations.values()), world.setup.level)
    return sha256(json.dumps(essence(parts), sort_keys=True).encode()).hexdigest()[:16]


def mark(values: Valuer, searches: bool = True) -> str:
    """A hash of what decides how bots play by these values; without `searches`, of what the planner alone does not."""
    if not isinstance(values, Values):
        return "thumb"
    nets = [(moment, name, array.tobytes().hex()) for moment, net in values.nets.items() for name, array in net.items()]
    parts = (values.names, values.plays, values.searches if searches else (), nets)
    return sha256(json.dumps(parts).encode()).hexdigest()[:16]


def file_name(setting: Setting | None) -> str:
    if setting is None:
        return "any.json"
    level = f"-{setting.level}" if setting.level else ""
    return f"{setting.map}{level}-{setting.edition}-{setting.seats}.json"


def write(values: Values, path: Path) -> None:
    nets = {moment: {name: _packed(array) for name, array in net.items()} for moment, net in values.nets.items()}
    found = {
        "format": 1,
        "features": FEATURES,
        "content": content_of(values.setting.key) if values.setting else "",
        "setting": values.setting and values.setting._asdict(),
        "about": values.about,
        "plays": list(values.plays),
        "searches": list(values.searches),
        "calibration": values.calibration,
        "names": list(values.names),
        "nets": nets,
    }
    part = path.with_name(f".{path.name}.part")
    part.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    part.replace(path)


def _packed(array: Floats) -> dict[str, Any]:
    data = base64.b64encode(np.asarray(array, dtype="<f4").tobytes()).decode()
    return {"shape": list(array.shape), "data": data}


def read(path: Path) -> Values:
    """The values of a file, or a BeachheadError that says why they are of no use."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        setting = Setting(**found["setting"]) if found["setting"] else None
        wrong = "" if found["format"] == 1 and found["features"] == FEATURES else say("train.other-version", path=path)
        names, plays = tuple(found["names"]), tuple(found["plays"])
        nets = {moment: {name: _unpacked(one) for name, one in found["nets"][moment].items()} for moment in MOMENTS}
        about, content = found["about"], found["content"]
        counts = {
            moment: tuple((int(n), int(won), int(games)) for n, won, games in found["calibration"][moment])
            for moment in found.get("calibration", ())
        }
        searches = tuple(found.get("searches", ()))
        if any(len(one) != len(BINS) - 1 for one in counts.values()):
            raise ValueError("calibration")
        for net in nets.values():
            _check_net(net, MOVING + FIXED + len(names))
        if setting and [type(part) for part in setting] != [str, str, int, str]:
            raise ValueError("setting")
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise BeachheadError(say("train.unreadable", path=path, why=str(error))) from None
    if not wrong and setting and (world_of(setting.key) is None or content != content_of(setting.key)):
        wrong = say("train.other-content", path=path)
    if wrong:
        raise BeachheadError(wrong)
    return Values(setting, names, nets, about, plays, counts, searches)


def _check_net(net: Weights, inputs: int) -> None:
    """Do its arrays fit each other and so many inputs, and are all of them numbers?"""
    hidden = len(net["v"])
    shapes = {"w": (inputs, hidden), "b": (hidden,), "v": (hidden,), "u": (inputs,), "c": (1,)}
    for name, shape in shapes.items():
        if net[name].shape != shape or not np.isfinite(net[name]).all():
            raise ValueError(f"nets: {name}")


def _unpacked(found: dict[str, Any]) -> Floats:
    data = np.frombuffer(base64.b64decode(found["data"]), dtype="<f4").astype(np.float64)
    return data.reshape(found["shape"])


@lru_cache(maxsize=64)
def valuer(key: WorldKey) -> Valuer:
    """The learned values for this game, if there are any that fit; else the best of others, or the rules of thumb."""
    return _found(Setting(*key)) or before(Setting(*key))


def before(setting: Setting) -> Valuer:
    """What there is without values for this very game: for several Units what more or fewer of them have learned there,
    the most first, or what was learned for any game with cards, or the rules of thumb.
    """
    if setting.seats > 1:
        for seats in sorted({*range(1, MOST_SEATS + 1)} - {setting.seats}, reverse=True):
            if found := _found(setting._replace(seats=seats)):
                return found
    return (None if bare(setting.key) else _found(None)) or START


def bare(key: WorldKey) -> bool:
    """Is this a level without any Specialists and Items?"""
    world = world_of(key)
    level = world and world.map.levels.get(key[3])
    cards = level and level.cards
    return bool(cards) and not (cards.specialists_regular or cards.specialists_unique or cards.items_special)


def _found(setting: Setting | None) -> Values | None:
    for folder in (os.environ.get(FOLDER_VARIABLE, ""), FOLDER):
        path = Path(folder, file_name(setting))
        if folder and path.exists():
            try:
                return _read_once(path, setting)
            except BeachheadError as error:
                _log.warning("%s", error)
    return None


@lru_cache(maxsize=64)
def _read_once(path: Path, setting: Setting | None) -> Values:
    found = read(path)
    if found.setting != setting:
        raise BeachheadError(say("train.other-setting", path=path))
    return found
