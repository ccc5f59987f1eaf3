"""How good it is to stand somewhere with something: the value of a Unit's situation to its side.

`Standing` is a situation in numbers, drawn from what a seat sees. `START` judges it by rules of thumb, in Soldiers;
`Values` by what was learned from many games, as the probability to win (see the room `train`). Both judge many
situations at once that differ in what the Unit has: the rows of `gains`.

Learned values are for one map, edition, number of seats and level, and for the content that was played: they are kept
in files that say so, and others are refused. Values that were learned from several games look at no Sector and no card
by its name; they are for whatever has none of its own.
"""

from __future__ import annotations

import base64
import json
import logging
import os
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..core.errors import BeachheadError
from ..say import say
from .gains import CARDS, COURAGES, FREE, GIVEN, ITEM_POINTS, SOLDIERS, STARS
from .judgement import POINT, STAR, WorldKey, card_worth, loss_at, world_of
from .look import COURAGE_EARLY, COURAGE_LATE, COURAGE_SPARE, STAR_LATE, Look

Floats = NDArray[np.float64]
_log = logging.getLogger(__name__)

FEATURES = 1
"""The version of what is looked at; values that were learned from other features are of no use."""
FOLDER = Path(__file__).parent / "learned"
"""Values that come with Beachhead."""
FOLDER_VARIABLE = "BEACHHEAD_VALUES"
"""A folder with values of one's own, which go before ours."""
STRANDED = ((0.0, 60.0, 60.0, 60.0, 60.0, 60.0), (0.0, 2.0, 8.0, 24.0, 42.0, 55.0))
"""Soldiers that it is worth to lack no Courage, by how much is lacking: when the Unit must leave, and a turn before."""
MOMENTS = ("upkeep", "turn")
"""When a situation is judged: when the tally is recorded, and before a turn begins."""


class Standing(NamedTuple):
    """A Unit's situation. The first five change with what its dice bring."""

    soldiers: float
    stars: float
    courage: float
    points: float
    cards: float
    """The worth of its cards."""
    other: float
    """By how much the weakest of the others is stronger than its way asks for."""
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
    saved: float
    """Courage that a free move saves now."""
    early: bool
    sector: str
    held: tuple[str, ...]
    fixed: tuple[float, ...]
    """What else is known, for learning."""


def standing(look: Look, unit: dict[str, Any]) -> Standing:
    """How this Unit stands."""
    ahead, scene = look.plan_of(unit), look.scene_of(unit)
    stays = look.stays_of(unit)
    here = unit["sector"]
    who = look.who(unit)
    loss = loss_at(look.key, ahead.next or here, unit["combats"] if ahead.next in ("", here) else 0, who)
    others = [one for one in look.units if one is not unit and one["status"] == 0]
    other, short = _weakest(look, others)
    held = (*unit["specialists"], *unit["items"], *unit["awards"])
    return Standing(
        float(unit["soldiers"]),
        float(unit["stars"]),
        float(unit["courage"]),
        float(unit["points"]),
        sum(card_worth(card, scene) for card in held),
        other,
        len(unit["specialists"]),
        ahead.low,
        loss,
        ahead.first,
        ahead.courage,
        stays,
        0.0 if stays and ahead.next == here else float(ahead.first),
        scene.rolls >= 5,
        here,
        held,
        (
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
            look.world.sectors[here].dice / 6 - 1,
            loss / 10,
            len(unit["specialists"]) / 5,
            len(others) / 3,
            short,
            max(-2.0, ahead.value / 40),
        ),
    )


def _weakest(look: Look, others: list[dict[str, Any]]) -> tuple[float, float]:
    """Of the others: the smallest margin of Soldiers, and the greatest lack of Courage at the last moment."""
    margin, short = 30.0, 0.0
    for unit in others:
        ahead = look.plan_of(unit)
        margin = min(margin, look.strength(unit) + ahead.low)
        if not look.stays_of(unit):
            short = max(short, ahead.first - unit["courage"])
    return margin, short / 3


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
        courage = at.courage + rows[:, COURAGES] + at.saved * rows[:, FREE]
        each = COURAGE_EARLY if at.early else COURAGE_LATE
        found: Floats = (
            rows[:, SOLDIERS]
            + star * np.minimum(rows[:, STARS], 4)
            + STAR_LATE * np.maximum(rows[:, STARS] - 4, 0)
            + each * np.minimum(courage, at.need)
            + COURAGE_SPARE * np.maximum(courage - at.need, 0)
            + POINT * rows[:, ITEM_POINTS]
            + rows[:, CARDS]
            + rows[:, GIVEN]
        )
        if at.stays < len(STRANDED) and at.first > at.courage:
            lacks = np.clip(at.first - courage, 0, len(STRANDED[0]) - 1).astype(int)
            found -= np.take(STRANDED[at.stays], lacks)
        return found


START = Start()


# ---------------------------------------------------------------------- learned


def features(at: Standing, rows: Floats) -> Floats:
    """What is looked at in each row; the rest, `at.fixed` and the Sector, is the same for all."""
    strength = np.maximum(at.soldiers + at.bodies + rows[:, SOLDIERS], 0.0)
    stars = np.maximum(at.stars + rows[:, STARS], 0.0)
    courage = np.maximum(at.courage + rows[:, COURAGES] + at.saved * rows[:, FREE], 0.0)
    points = np.maximum(at.points + rows[:, ITEM_POINTS], 0.0)
    margin = np.clip((strength + at.low) / 10, -3.0, 3.0)
    safe = np.clip((strength - at.loss) / 8, -1.5, 1.5)
    short = np.maximum(at.first - courage, 0.0) / 3
    other = np.clip((at.other + rows[:, GIVEN]) / 10, -3.0, 3.0)
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
            other,
            np.minimum(other, 0.0),
        ),
        axis=1,
    )


MOVING = 19
"""How many of them there are."""
FIXED = 16
Weights = dict[str, NDArray[Any]]
"""Of a small net: `w` and `b` into the hidden units, `v` out of them, `u` past them, and `c`."""


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

    def constant(self, at: Standing) -> Floats:
        there = {at.sector, *at.held}
        return np.array((*at.fixed, *(float(name in there) for name in self.names)))

    def worth(self, at: Standing, rows: Floats, moment: str = "upkeep") -> Floats:
        """The probability to win."""
        net = self.nets[moment]
        moving, same = features(at, rows), self.constant(at)
        hidden = moving @ net["w"][:MOVING]
        hidden += same @ net["w"][MOVING:] + net["b"]
        np.maximum(hidden, 0.0, out=hidden)
        logit = hidden @ net["v"] + moving @ net["u"][:MOVING] + (same @ net["u"][MOVING:] + net["c"][0])
        found: Floats = 1 / (1 + np.exp(-logit))
        return found


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
    return sha256(repr(parts).encode()).hexdigest()[:16]


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
        "names": list(values.names),
        "nets": nets,
    }
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


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
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BeachheadError(say("train.unreadable", path=path, why=str(error))) from None
    if not wrong and setting and (world_of(setting.key) is None or content != content_of(setting.key)):
        wrong = say("train.other-content", path=path)
    if wrong:
        raise BeachheadError(wrong)
    return Values(setting, names, nets, about, plays)


def _unpacked(found: dict[str, Any]) -> Floats:
    data = np.frombuffer(base64.b64decode(found["data"]), dtype="<f4").astype(np.float64)
    return data.reshape(found["shape"])


@lru_cache(maxsize=64)
def valuer(key: WorldKey) -> Valuer:
    """The learned values for this game, if there are any that fit; else those for any game, else by rules of thumb."""
    for setting in (Setting(*key), None):
        for folder in (os.environ.get(FOLDER_VARIABLE, ""), FOLDER):
            path = Path(folder, file_name(setting))
            if folder and path.exists():
                try:
                    return _read_once(path)
                except BeachheadError as error:
                    _log.warning("%s", error)
    return START


@lru_cache(maxsize=64)
def _read_once(path: Path) -> Values:
    return read(path)
