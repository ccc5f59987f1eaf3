"""A sitting at the table for tests: what is typed, what is shown."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from io import StringIO
from pathlib import Path

from beachhead.bots import bot
from beachhead.core import chance
from beachhead.landing.game import GAME
from beachhead.table.match import Match
from beachhead.terminal.keep import Keeper
from beachhead.terminal.plain import Plain
from beachhead.terminal.screen import Screen
from beachhead.terminal.seats import Seats

from .. import luck

SETUP = {"edition": "first", "map": "n01-exercise-tiger", "seats": 1}


class Sitting:
    """One sitting at the table: what was typed, what was shown, and the game."""

    def __init__(
        self,
        folder: Path,
        lines: str | StringIO,
        *,
        seed: str = "tiger",
        practice: bool = False,
        bots: int = 0,
        match: Match | None = None,
        cite: bool = False,
        **setup: object,
    ) -> None:
        given = {**SETUP, **setup}
        self.match = match or Match.new(GAME, given, chance.seed_from(seed), practice)
        people = len(self.match.state.lanes) - bots
        self.folder = folder
        self.out = StringIO()
        self.plain = Plain(
            self.match,
            Seats((None,) * people + (bot("random"),) * bots),
            Screen(self.out),
            StringIO(lines) if isinstance(lines, str) else lines,
            Keeper(folder, "game"),
            seed,
            cite,
        )

    def play(self) -> str:
        """Play to the end of the input or of the game; all that was shown."""
        assert self.plain.run() == 0
        return self.out.getvalue()

    @property
    def kept(self) -> list[Path]:
        return sorted(self.folder.glob("*"))


Table = Callable[..., Sitting]


def after(shown: str, line: str) -> str:
    """What was shown after this line was typed, up to the next one."""
    return shown.split(f"\n> {line}\n", 1)[1].split("\n> ", maxsplit=1)[0]


def command(tmp_path: Path, *options: str, lines: str = "", **extra: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "BEACHHEAD_DATA": str(tmp_path / "data"), **extra}
    return subprocess.run(
        [*luck.command(), "play", *options],
        input=lines,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
        timeout=300,
    )
