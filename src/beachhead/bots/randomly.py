"""The bot that takes any legal answer."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING

from ..core.node import Decision

if TYPE_CHECKING:
    from . import View

OFFERS = 3
"""One in so many times that chance picks a trade it begins one; people at the table would be swamped otherwise."""


def random_answer(decision: Decision, view: View, rng: Random) -> str:
    """First a kind of action (`roll`, `stop`, `rally` ...), each as likely as any other, then one answer of that kind.

    So an action that can be done in many ways is not chosen more often for it. Only trades are begun more rarely.
    """
    groups = _by_verb(decision.keys)
    pick = int(rng.random() * len(groups))
    group = groups[pick]
    if group[0].startswith("trade:") and len(groups) > 1 and rng.random() * OFFERS >= 1:
        group = groups[pick - 1]
    return group[int(rng.random() * len(group))]


@lru_cache(maxsize=4096)
def _by_verb(keys: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    kinds: dict[str, list[str]] = {}
    for key in keys:
        kinds.setdefault(key.partition(":")[0], []).append(key)
    return tuple(tuple(group) for group in kinds.values())
