"""Battle! and Express! in the plain line mode."""

from __future__ import annotations

import random
import re
from io import StringIO
from pathlib import Path

import pytest

from beachhead.bots import bot, random_answer
from beachhead.core import chance, record
from beachhead.core.node import Over
from beachhead.games import GAMES
from beachhead.say import speaking
from beachhead.table.match import Match
from beachhead.terminal import typed
from beachhead.terminal.keep import Keeper
from beachhead.terminal.screen import Screen
from beachhead.terminal.seats import Seats
from beachhead.terminal.small import Small

from .sitting import after, command

GAME_SETUPS = [
    ("express", {}),
    ("express", {"beach": "pointe-du-hoc", "seats": 2, "options": ["advanced", "kommandant"]}),
    ("express", {"options": ["neptune"]}),
    ("battle", {"seats": 1}),
    ("battle", {"seats": 3, "options": ["kommandant"]}),
]
COMMANDS = ["", "nonsense", "state", "dice", "map", "card", "bonus", "keys", "why", "why stop", "undo", "redo", "log 3"]


class Chatter(StringIO):
    """Types random legal answers, and commands in between."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.random = random.Random(seed)
        self.small: Small | None = None

    def readline(self, *_: object) -> str:
        assert self.small is not None
        decision = self.small._asked
        if decision is None:
            return ""
        if self.random.random() < 0.1:
            return self.random.choice(COMMANDS) + "\n"
        key = random_answer(decision, dict, self.random)
        keys = typed.offer(decision.keys).keys
        return self.random.choice([key, str(keys.index(key) + 1), key.replace(":", " ")]) + "\n"


def sit(folder: Path, game: str, setup: dict[str, object], lines: StringIO, bots: int = 0, seed: str = "s") -> Small:
    match = Match.new(GAMES[game], GAMES[game].setup(setup), chance.seed_from(seed))
    people = len(match.state.lanes) - bots
    seats = Seats((None,) * people + (bot("random"),) * bots)
    return Small(match, seats, Screen(StringIO()), lines, Keeper(folder, "game"), seed)


@pytest.mark.parametrize("language", ["en", "fr", "xx"])
@pytest.mark.parametrize(("game", "setup"), GAME_SETUPS)
def test_whole_games_can_be_typed(tmp_path: Path, game: str, setup: dict[str, object], language: str) -> None:
    lines = Chatter(7)
    with speaking(language):
        small = sit(tmp_path, game, setup, lines)
        lines.small = small
        assert small.run() == 0
        shown = small.screen.out.getvalue()  # type: ignore[attr-defined]
    assert isinstance(small.match.node(), Over)
    assert "pocket." not in shown.replace("beachhead play", ""), "a message that is in no catalogue"
    (kept,) = tmp_path.glob("*.jsonl")
    assert {check.status for check in record.verify(record.read(kept), GAMES)} == {"ok"}


def test_bots_take_their_seats(tmp_path: Path) -> None:
    lines = Chatter(3)
    small = sit(tmp_path, "battle", {"seats": 2}, lines, bots=1)
    lines.small = small
    assert small.run() == 0
    shown = small.screen.out.getvalue()  # type: ignore[attr-defined]
    assert "Player 2 (random)" in shown and "You: " in shown


def test_the_commands_tell_what_lies_there(tmp_path: Path) -> None:
    typing = "map\ncard hero\nbonus\nhelp\nwhy\nposition\n"
    done = command(tmp_path, "express", "--beach", "juno", "--seed", "a", lines=typing)
    assert done.returncode == 0, done.stderr
    shown = done.stdout
    assert "If any player rolls an RWB here" in after(shown, "map")
    assert "one player clears the current sector" in after(shown, "card hero")
    assert re.search("RWB of Stars: General", after(shown, "bonus"))
    assert "position" not in after(shown, "help")
    assert "E-STEP4-01" in after(shown, "why")
    assert "no text of its position" in after(shown, "position")


def test_a_game_that_was_left_goes_on(tmp_path: Path) -> None:
    first = command(tmp_path, "battle", "--seats", "1", "--seed", "b", lines=f"R1\nsave {tmp_path / 'left.jsonl'}\n")
    assert first.returncode == 0, first.stderr
    again = command(tmp_path, "--load", str(tmp_path / "left.jsonl"), lines="state\n")
    assert again.returncode == 0, again.stderr
    assert "Beachhead: Battle!" in again.stdout
    assert "The game goes on." in again.stdout


def test_own_dice_are_typed(tmp_path: Path) -> None:
    lines = "3\n1 2\n2 2 3 4 5 6\nstop\n"
    done = command(tmp_path, "express", "--own-dice", lines=lines)
    assert "Roll 1 Axis die and enter it." in done.stdout
    assert "roll 6 dice on your table" in done.stdout
    options = ("battle", "--own-dice", "--seats", "2", "--option", "kommandant")
    done = command(tmp_path, *options, lines="2 2 2 1 1 1\n1 1 1 1 1 1\ndeploy\n6\n1 1\nroll\n")
    for asked in ("Player 1: roll 6 dice for the first turn", "Roll the battlefield die", "the Kommandant's last"):
        assert asked in done.stdout, asked


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["express", "--beach", "utha"], "unknown beach 'utha': expected one of utah"),
        (["express", "--seats", "5"], "5 seats: expected 1 to 4 in Express!"),
        (["express", "--map", "n01-exercise-tiger"], "--map does not go with express"),
        (["battle", "--beach", "utah"], "--beach does not go with battle"),
        (["battle", "--option", "neptune"], "unknown option 'neptune': expected one of kommandant"),
        (["chess"], "unknown game 'chess': expected one of landing, battle, express"),
        (["--beach", "utah"], "--beach does not go with landing"),
    ],
)
def test_mistakes_are_told_in_one_message(tmp_path: Path, options: list[str], message: str) -> None:
    done = command(tmp_path, *options)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
