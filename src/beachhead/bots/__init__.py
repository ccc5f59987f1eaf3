"""Players that see only what their seat may see, with short codes."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import NamedTuple

from ..core.errors import SetupError
from ..core.node import Decision
from ..core.plain import Plain

View = Callable[[], dict[str, Plain]]
"""Gives the seat's view when the bot asks for it; a bot that does not look does not pay."""


class Bot(NamedTuple):
    """A bot: its code, what it does in one line, and how it answers."""

    code: str
    about: str
    answer: Callable[[Decision, View, Random], str]


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


BOTS: dict[str, Bot] = {
    "random": Bot("random", "any legal action, without a thought", random_answer),
}


def bot(code: str) -> Bot:
    """The bot of this code, or a SetupError that lists those there are."""
    if code not in BOTS:
        raise SetupError(f"unknown bot {code!r}: expected one of {', '.join(BOTS)}")
    return BOTS[code]
