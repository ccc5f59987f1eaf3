"""What games are played with: only the same rules, cards and bots give the same games for the same seeds."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import beachhead

from ..bots.judgement import WorldKey
from ..bots.solved import table
from ..bots.values import Setting, Values, content_of, mark, valuer
from ..core.game import Setup
from ..games import GAMES
from ..landing.game import setup_of
from .routes import VIA

ASIDE = {"say", "rules", "table", "draw", "server", "terminal", "scenarios", "sim", "advise", "train", "__main__.py"}
"""Rooms that decide nothing in a game of bots; nor does any file of `BESIDE`."""
BESIDE = {"cli.py", "processes.py", "targets.py", "text.py", "words.py", "own_dice.py"}
COUNTED = {"content", "learned", "__pycache__"}
"""What lies here and matters in a game, `content` counts as it is read: boards, cards, values."""


class Made(NamedTuple):
    """The version, the hash of the files that play (rules and bots), and what solves dice: `numba` or `numpy`, whose
    last digits may differ, and so may what a bot does in a tie.
    """

    version: str
    engine: str
    solver: str

    def __str__(self) -> str:
        return f"Beachhead {self.version}, engine {self.engine}, {self.solver}"


def made_with() -> Made:
    """What games are played with here."""
    return Made(beachhead.__version__, _engine(), "numba" if find_spec("numba") else "numpy")


def content(game: str, setup: Setup, bots: Sequence[str]) -> str:
    """A hash of what else decides these games: the map and the cards that are in play, and what the bots have learned
    of them. What was played on one board stays true when another one changes.
    """
    if game != "landing":
        return GAMES[game].content_hash(setup)
    key = _key(setup)
    parts, codes = [content_of(key)], {code.partition(VIA)[0] for code in bots}
    if codes & {"exact", "planner"}:
        parts.append(mark(valuer(key), "planner" in codes))
        if table(Setting(*key)._replace(seats=1).key):
            parts.append("solved")
    return "-".join(parts)


def same_as(game: str, setup: Setup, bots: Sequence[str]) -> tuple[str, ...]:
    """Bots whose games are these very games: a planner that has nothing to search plays as exact does."""
    judge = valuer(_key(setup)) if game == "landing" and "planner" in bots else None
    if judge is None or (isinstance(judge, Values) and judge.searches):
        return tuple(bots)
    return tuple("exact" if code == "planner" else code for code in bots)


def _key(setup: Setup) -> WorldKey:
    given = setup_of(setup)
    return given.edition, given.map, given.seats, given.level


@cache
def _engine() -> str:
    """A hash over the files of all rooms that can change a game."""
    source = Path(beachhead.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(source.rglob("*")):
        parts = path.relative_to(source).parts
        if parts[0] in ASIDE or parts[-1] in BESIDE or COUNTED & {*parts} or not path.is_file():
            continue
        digest.update("/".join(parts).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
