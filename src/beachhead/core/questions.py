"""Static questions: a number or a yes/no that cards, Sectors and rules answer together.

An answer is worked out from contributions, each of which names its source, so that a screen can say
"DEF 5: 12 printed, -7 Bazooka". `answer` gives the value alone, `explain` the value with its contributors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .order import LAYER, MODE


class Contribution(NamedTuple):
    """One voice in an answer: `mode` is "by", "at_most" or "set"; `source` is a card, a Sector or a rule id."""

    layer: str
    mode: str
    value: int
    source: str
    rule: str


class Explained(NamedTuple):
    value: int
    contributions: tuple[Contribution, ...]


def _place(one: Contribution) -> tuple[int, int]:
    return LAYER[one.layer], MODE[one.mode]


def answer(base: int, voices: Sequence[Contribution], floor: int = 0) -> int:
    """The value: by layers, within a layer by mode; never below `floor`, which is applied once, at the end."""
    value = base
    for one in sorted(voices, key=_place) if len(voices) > 1 else voices:
        if one.mode == "by":
            value += one.value
        elif one.mode == "at_most":
            value = min(value, one.value)
        else:
            value = one.value
    return max(value, floor)


def explain(base: int, source: str, rule: str, voices: Sequence[Contribution], floor: int = 0) -> Explained:
    """The value with everybody who had a say, in the order in which they spoke."""
    printed = Contribution("rules", "set", base, source, rule)
    return Explained(answer(base, voices, floor), (printed, *sorted(voices, key=_place)))
