"""Players that see only what their seat may see, with short codes."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from importlib import import_module
from random import Random
from typing import NamedTuple

from ..core.errors import SetupError
from ..core.node import Decision
from ..core.plain import Plain
from ..say import language, messages_for, say
from .randomly import random_answer
from .thumb import thumb_answer

_log = logging.getLogger(__name__)

View = Callable[[], dict[str, Plain]]
"""Gives the seat's view when the bot asks for it; a bot that does not look does not pay."""
PATIENCE = 10.0
"""Seconds that a bot may think about one answer where people wait."""


class Bot(NamedTuple):
    """A bot: its code, what it does in one line, how it answers, how many seconds it may take for that, and its level,
    by which it may be called as well as by its code. What people call it is in the catalogue (`server.bot`).
    """

    code: str
    about: str
    answer: Callable[[Decision, View, Random], str]
    limit: float = PATIENCE
    level: str = ""

    @property
    def name(self) -> str:
        """What people call it, in the language that is spoken."""
        key = f"server.bot.{self.code}"
        return str(messages_for(language(), key).get(key, self.code))


@cache
def _answers(room: str) -> Callable[[Decision, View, Random], str]:
    """How the bot of this module answers; it is loaded, with numpy, when it is needed."""
    found: Callable[[Decision, View, Random], str] = getattr(import_module(f".{room}", __name__), f"{room}_answer")
    return found


def exact_answer(decision: Decision, view: View, rng: Random) -> str:
    return _answers("exact")(decision, view, rng)


def planner_answer(decision: Decision, view: View, rng: Random) -> str:
    return _answers("planner")(decision, view, rng)


BOTS: dict[str, Bot] = {
    it.code: it
    for it in (
        Bot("random", "any legal action, without a thought", random_answer, level="recruit"),
        Bot("thumb", "plays by rules of thumb", thumb_answer, level="corporal"),
        Bot(
            "exact", "solves every turn of dice exactly, for values learned by self-play", exact_answer, level="captain"
        ),
        Bot(
            "planner",
            "solves dice as exact does, and searches moves, cards and trades",
            planner_answer,
            level="colonel",
        ),
    )
}


DEFAULT = "exact"
"""Who plays a seat that is given to a bot without saying which."""


def bot(name: str) -> Bot:
    """The bot of this code or level, or a SetupError that lists those there are."""
    for it in BOTS.values():
        if name.lower() in (it.code, it.level):
            return it
    known = ", ".join(f"{it.code} ({it.level})" for it in BOTS.values())
    raise SetupError(say("setup.unknown.bot", name=repr(name), known=known, hint=""))


def safe_answer(player: Bot, decision: Decision, view: View, rng: Random) -> str:
    """Its answer; if it fails or gives none that is allowed, any answer and a line in the log."""
    try:
        key = player.answer(decision, view, rng)
        if key in decision.keys:
            return key
        _log.warning("the bot %s gave the answer %r to the question %r", player.code, key, decision.name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # nor may a bot end the program
        _log.warning("the bot %s failed at the question %r: %r", player.code, decision.name, error)
    return random_answer(decision, view, rng)
