"""What games are played with: only the same rules, cards and bots give the same games for the same seeds."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import beachhead

ASIDE = {"say", "rules", "table", "draw", "server", "terminal", "scenarios", "sim", "advise", "train", "__main__.py"}
"""Rooms that decide nothing in a game of bots; nor does any `cli.py`."""


class Made(NamedTuple):
    """The version, the hash of the content (cards, maps, nations), that of the files that play (rules and bots), and
    what solves dice: `numba` or `numpy`, whose last digits may differ, and so may what a bot does in a tie.
    """

    version: str
    content: str
    engine: str
    solver: str

    def __str__(self) -> str:
        return f"Beachhead {self.version}, content {self.content}, engine {self.engine}, {self.solver}"


def made_with(*contents: str) -> Made:
    """What games with this content are played with here."""
    solver = "numba" if find_spec("numba") else "numpy"
    return Made(beachhead.__version__, " ".join(sorted(set(contents))), _engine(), solver)


@cache
def _engine() -> str:
    """A hash over the files of all rooms that can change a game; content is counted by its own hash."""
    source = Path(beachhead.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(source.rglob("*")):
        parts = path.relative_to(source).parts
        if parts[0] in ASIDE or parts[-1] == "cli.py" or {"__pycache__", "packs"} & {*parts} or not path.is_file():
            continue
        digest.update("/".join(parts).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
