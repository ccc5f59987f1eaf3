"""Players that see only what their seat may see, with short codes."""

from __future__ import annotations

import logging
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from ..core.errors import SetupError
from ..core.node import Decision
from ..core.plain import Plain
from ..say import say
from .randomly import random_answer
from .thumb import thumb_answer

_log = logging.getLogger(__name__)

View = Callable[[], dict[str, Plain]]
"""Gives the seat's view when the bot asks for it; a bot that does not look does not pay."""
PATIENCE = 10.0
"""Seconds that a bot may think about one answer where people wait."""


class Bot(NamedTuple):
    """A bot: its code, what it does in one line, how it answers, and how many seconds it may take for that. What
    people call it is in the catalogue (`server.bot`).
    """

    code: str
    about: str
    answer: Callable[[Decision, View, Random], str]
    limit: float = PATIENCE


def exact_answer(decision: Decision, view: View, rng: Random) -> str:
    """See `exact`, which is loaded with numpy when it is needed."""
    from .exact import exact_answer as answer

    return answer(decision, view, rng)


BOTS: dict[str, Bot] = {
    it.code: it
    for it in (
        Bot("random", "any legal action, without a thought", random_answer),
        Bot("thumb", "plays by rules of thumb", thumb_answer),
        Bot("exact", "solves every turn of dice exactly, for values learned by self-play", exact_answer),
    )
}


def bot(code: str) -> Bot:
    """The bot of this code, or a SetupError that lists those there are."""
    if code not in BOTS:
        raise SetupError(say("setup.unknown.bot", name=repr(code), known=", ".join(BOTS), hint=""))
    return BOTS[code]


def safe_answer(player: Bot, decision: Decision, view: View, rng: Random) -> str:
    """Its answer; if it fails or gives none that is allowed, any answer and a line in the log."""
    try:
        key = player.answer(decision, view, rng)
        if key in decision.keys:
            return key
        _log.warning("the bot %s gave the answer %r to the question %r", player.code, key, decision.name)
    except Exception as error:
        _log.warning("the bot %s failed at the question %r: %r", player.code, decision.name, error)
    return random_answer(decision, view, rng)
