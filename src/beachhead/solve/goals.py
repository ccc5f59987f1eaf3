"""What a turn may be played for, as a table of values for `turn.solve`.

straight            all six results                                          1 or 0, so the turn is worth a probability
rwb, two-rwb        one RWB or more, two or more
rwb:FACE            an RWB of this result
FACE>=N             so many dice with this result
soldiers>=N         so many Soldiers, one or two to a die
max-soldiers        how many Soldiers
max-item-points     how many Item Points come of the Tools

Only what the results themselves give is counted, not what the bonus of an RWB adds to it.

With skulls="cancel" every Skull cancels one other die that shows no Skull; which, the player chooses, and here chooses
what is best for the goal (F-RESULT-02, F-RESULT-03). The three Skulls of a Dead Man's Gift cancel nothing (F-RWB-08),
and results beside the dice are not cancelled (F-RESULT-04). A Straight is seen before Skulls act (F-STRAIGHT-03,
S-UPKEEP-01), so they never spoil it. The second edition also spares the Skull of a Straight (S-STRAIGHT-03): among six
dice that changes no goal here, as one of the other five is always of no use to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.errors import BeachheadError
from ..landing.dice import FACE, FACES, NONE, SKULL, SOLDIER1, SOLDIER2, TOOL, item_points
from ..say import Table, say
from .multisets import KEEPS, KEPT, ROLLS, Floats, any_of
from .turn import SIX

Counts = NDArray[np.int64]
Result = tuple[int, int]
"""(face, colour), beside the dice."""
SKULLS = ("ignore", "cancel")
NAMES = Table("face", FACES)
ALIASES = {"soldier": "soldier1"}


class Left(NamedTuple):
    """What is left of tallies when Skulls have acted: per face how many results, and how many RWBs."""

    counts: Counts
    rwbs: Counts


class Goal(NamedTuple):
    text: str
    name: str
    """In words, in the language that was spoken."""
    chance: bool
    """Whether it is reached or not; else it is an amount."""
    worth: Callable[[Left], NDArray[np.generic]] | None
    """None: a Straight, which is seen before Skulls act."""


def goal(text: str) -> Goal:
    """What a text such as `rwb:tool` or `soldiers>=6` asks for."""
    found = re.fullmatch(r"([a-z-]+[12]?)(?:(:|>=)([a-z]+[12]?|[0-9]{1,9}))?", text.replace(" ", ""))
    if found is None:
        raise _unknown(text)
    word, sign, value = found[1], found[2] or "", found[3] or ""
    face = ALIASES.get(word, word)
    if not sign and word in _PLAIN:
        return Goal(text, say(f"odds.name.{word}"), word not in _AMOUNTS, _PLAIN[word])
    if sign == ":" and word == "rwb" and ALIASES.get(value, value) in FACE:
        value = ALIASES.get(value, value)
        wanted = FACE[value]
        return Goal(text, say("odds.name.rwb-of", face=NAMES[value]), True, lambda left: left.rwbs[..., wanted] >= 1)
    if sign == ">=" and value.isdigit() and (word == "soldiers" or face in FACE):
        n = int(value)
        if word == "soldiers":
            return Goal(text, say("odds.name.soldiers", n=n), True, lambda left: _soldiers(left) >= n)
        wanted = FACE[face]
        return Goal(
            text, say("odds.name.face", n=n, face=NAMES[face]), True, lambda left: left.counts[..., wanted] >= n
        )
    raise _unknown(text)


def _unknown(text: str) -> BeachheadError:
    return BeachheadError(say("odds.unknown-goal", text=text, faces=", ".join(("soldier", *FACES))))


def _soldiers(left: Left) -> Counts:
    found: Counts = left.counts[..., SOLDIER1] + 2 * left.counts[..., SOLDIER2]
    return found


def _points(left: Left) -> Counts:
    tools = left.counts[..., TOOL]
    found: Counts = np.array([item_points(n) for n in range(int(tools.max()) + 1)])[tools]
    return found


_PLAIN: dict[str, Callable[[Left], NDArray[np.generic]] | None] = {
    "straight": None,
    "rwb": lambda left: left.rwbs.sum(-1) >= 1,
    "two-rwb": lambda left: left.rwbs.sum(-1) >= 2,
    "max-soldiers": _soldiers,
    "max-item-points": _points,
}
_AMOUNTS = ("max-soldiers", "max-item-points")
TABLED = (
    *("straight", "rwb", "two-rwb"),
    *(f"rwb:{face}" for face in FACES),
    *(f"soldiers>={n}" for n in range(1, 13)),
    *(f"{face}>={n}" for face in ("tool", "courage") for n in range(1, 7)),
    *_AMOUNTS,
)
"""The goals of `beachhead odds --table`."""


def values(
    wanted: Goal,
    dice: tuple[int, int, int] = SIX,
    skulls: str = "ignore",
    extra: Sequence[Result] = (),
    straight_needs_colour: bool = False,
) -> Floats:
    """What each Final Tally is worth.

    extra                    results that join the tally beside the dice, as (face, colour)
    straight_needs_colour    those without a colour help to no Straight (S-STRAIGHT-02)
    """
    if skulls not in SKULLS:
        raise BeachheadError(say("odds.skulls", text=skulls))
    rolled = tuple(slice(KEPT[n] - len(ROLLS[n]), KEPT[n]) for n in dice)
    if wanted.worth is None:
        helping = [one for one in extra if one[1] != NONE or not straight_needs_colour]
        return np.asarray((_left(dice, tuple(helping)).counts[rolled] > 0).all(-1), dtype=np.float64)
    worth = np.asarray(wanted.worth(_left(dice, tuple(extra))), dtype=np.float64)
    if skulls == "ignore":
        return np.ascontiguousarray(worth[rolled])
    return _cancelled(worth, dice, tuple(extra))


@cache
def _left(dice: tuple[int, int, int], extra: tuple[Result, ...]) -> Left:
    """Of each keep: a keep is also what Skulls may leave of a roll."""
    red, white, blue = (
        _COUNTS[: KEPT[n]] + np.array([extra.count((face, colour)) for face in range(6)])
        for colour, n in enumerate(dice)
    )
    red, white, blue = red[:, None, None], white[None, :, None], blue[None, None, :]
    beside = np.array([extra.count((face, NONE)) for face in range(6)])
    return Left(red + white + blue + beside, np.minimum(np.minimum(red, white), blue))


_COUNTS = np.array([[keep.count(face) for face in range(6)] for keep in KEEPS])


def _cancelled(worth: Floats, dice: tuple[int, int, int], extra: tuple[Result, ...]) -> Floats:
    """The best that Skulls can leave of each roll: a keep with all its Skulls, and fewer of the other dice."""
    left = _left(dice, extra)
    sizes = left.counts.sum(-1)
    skulls = left.counts[..., SKULL]
    rolled = tuple(slice(KEPT[n] - len(ROLLS[n]), KEPT[n]) for n in dice)
    on_dice = skulls[rolled] - sum(1 for face, _ in extra if face == SKULL)
    active = skulls[rolled] - 3 * left.rwbs[rolled][..., SKULL]
    wanted = sizes[rolled] - np.minimum(active, sum(dice) - on_dice)
    found = np.full(wanted.shape, -np.inf)
    for rows in product(*(any_of(n, True) for n in dice)):
        at = np.ix_(*rows)
        np.maximum(found, np.where(sizes[at] == wanted, worth[at], -np.inf), out=found)
    return found
