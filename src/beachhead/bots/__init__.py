"""Players that see only what their seat may see, with short codes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from ..core.errors import SetupError
from ..core.node import Decision
from ..core.plain import Plain
from .randomly import random_answer
from .thumb import thumb_answer

View = Callable[[], dict[str, Plain]]
"""Gives the seat's view when the bot asks for it; a bot that does not look does not pay."""


class Bot(NamedTuple):
    """A bot: its code, what it does in one line, and how it answers."""

    code: str
    about: str
    answer: Callable[[Decision, View, Random], str]


BOTS: dict[str, Bot] = {
    it.code: it
    for it in (
        Bot("random", "any legal action, without a thought", random_answer),
        Bot("thumb", "plays the landing by rules of thumb", thumb_answer),
    )
}


def bot(code: str) -> Bot:
    """The bot of this code, or a SetupError that lists those there are."""
    if code not in BOTS:
        raise SetupError(f"unknown bot {code!r}: expected one of {', '.join(BOTS)}")
    return BOTS[code]
