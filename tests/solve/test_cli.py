"""`beachhead odds` as a user meets it: figures, choices, JSON, and one line for a mistake."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from beachhead.core.errors import BeachheadError
from beachhead.landing.dice import read_roll
from beachhead.say import speak
from beachhead.solve import cli
from beachhead.solve.goals import TABLED, goal, values
from beachhead.solve.turn import solve

DICE = "R:star,skull W:tool,tool B:courage,soldier2"
APP = typer.Typer()
cli.register(APP)


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Before each test, and again after it."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    yield
    speak("en")


def told(*args: str) -> str:
    done = CliRunner().invoke(APP, ["odds", *args], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def plain(*args: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(told(*args, "--json"))
    return found


def test_before_the_first_roll() -> None:
    assert "Probability  0.196817675757\n" in told("--goal", "straight")
    found = plain("--goal", "straight")
    assert found["value"] == solve(values(goal("straight"))).value
    assert (found["dice"], found["lock"], found["kind"]) == (None, 2, "probability")


@pytest.mark.parametrize("lock", range(7))
@pytest.mark.parametrize("skulls", ["ignore", "cancel"])
def test_the_number_of_dice_to_lock_and_skulls_count(lock: int, skulls: str) -> None:
    found = plain("--goal", "max-soldiers", "--lock", str(lock), "--skulls", skulls)
    assert found["value"] == solve(values(goal("max-soldiers"), skulls=skulls), lock).value
    assert found["kind"] == "mean"


def test_dice_on_the_table_have_a_best_choice_and_a_runner_up() -> None:
    """Two Tools are there: Lock them, and the four others are free for the third, 1 - (25/36)^4."""
    found = plain("--goal", "tool>=3", "--dice", DICE)
    assert found["value"] == pytest.approx(1 - (25 / 36) ** 4, abs=1e-12)
    assert found["best"]["locked"] == ["W1", "W2"]
    assert found["best"]["roll"] == ["R1", "R2", "B1", "B2"]
    assert found["best"]["keep"] == ["W1", "W2"]
    assert found["runner_up"]["loses"] == pytest.approx((25 / 36) ** 3 * 11 / 36, abs=1e-12)
    assert found["runner_up"]["loses"] == pytest.approx(found["value"] - found["runner_up"]["value"], abs=1e-12)
    text = told("--goal", "tool>=3", "--dice", DICE)
    assert "Best         Lock W1 W2, roll R1 R2 B1 B2 again" in text
    assert f"(loses {found['runner_up']['loses']:.12f})" in text


def test_locked_dice_after_the_second_roll() -> None:
    """Nothing but the Skull and the Star may still become a Tool: 11/36."""
    found = plain("--goal", "tool>=3", "--dice", DICE, "--roll", "2", "--locked", "B1,B2")
    assert found["value"] == pytest.approx(11 / 36, abs=1e-12)
    assert (found["best"]["roll"], found["locked"]) == (["R1", "R2"], ["B1", "B2"])
    assert found["runner_up"]["value"] == pytest.approx(6 / 36, abs=1e-12)


def test_after_the_last_roll_the_dice_are_what_they_are() -> None:
    found = plain("--goal", "max-item-points", "--dice", DICE, "--roll", "3")
    assert (found["value"], found["runner_up"]) == (3, None)


def test_locks_that_are_made_are_not_asked_for() -> None:
    ways = [("--locked", "R1,W2"), ("--locked", "R1,W2", "--lock", "2")]
    one, other = (plain("--goal", "rwb", "--dice", DICE, *way) for way in ways)
    assert one == other
    turn, faces = solve(values(goal("rwb"))), read_roll(DICE)[0]
    assert one["value"] == turn.choices(faces, 0b001001, 1)[0].value


def test_skulls_that_stay_and_five_dice() -> None:
    assert plain("--goal", "rwb", "--skulls-stay")["value"] < plain("--goal", "rwb")["value"]
    five = plain("--goal", "max-soldiers", "--five")
    assert five["value"] == pytest.approx(4.783950617284, abs=1e-12)
    assert five["set_aside"] == "R"
    assert plain("--goal", "rwb", "--dice", "R:star,skull W:tool B:courage,soldier2")["value"] > 0


def test_the_table_has_all_goals() -> None:
    lines = told("--table").splitlines()
    assert [line.split()[0] for line in lines[2:]] == list(TABLED)
    assert max(map(len, lines)) <= 80
    rows = {row["goal"]: row for row in plain("--table")["table"]}
    assert rows["max-soldiers"]["ignore"] == pytest.approx(5.967535436671, abs=1e-12)
    assert rows["max-soldiers"]["cancel"] == solve(values(goal("max-soldiers"), skulls="cancel")).value


def test_it_speaks_french() -> None:
    text = told("--goal", "rwb", "--dice", DICE, "--lang", "fr")
    assert "Probabilité" in text and "Verrouiller B1 B2, relancer R1 R2 W1 W2" in text


MISTAKES = [
    ([], "--goal straight"),
    (["--goal", "straights"], "'straights' is no goal"),
    (["--goal", "rwb:gun"], "'rwb:gun' is no goal"),
    (["--goal", "rwb", "--dice", "R:star,skull,tool W:tool,tool B:tool,tool"], "at most 2 of a colour"),
    (["--goal", "rwb", "--dice", "R:star,skull R:tool,tool B:tool,tool"], "R: twice"),
    (["--goal", "rwb", "--dice", "R:star,skul W:tool,tool B:tool,tool"], "'skul' is no face"),
    (["--goal", "rwb", "--dice", "G:star,skull W:tool,tool B:tool,tool"], "'G:star,skull' is no set of dice"),
    (["--goal", "rwb", "--dice", "R:star, W:tool,tool B:tool,tool"], "'' is no face"),
    (["--goal", "rwb", "--dice", "R:star,skull W:tool,tool"], "4 dice: expected 6, or 5"),
    (["--goal", "rwb", "--dice", ""], "0 dice"),
    (["--goal", "rwb", "--dice", DICE, "--locked", "R1,R1"], "R1 twice"),
    (["--goal", "rwb", "--dice", DICE, "--locked", "R3"], "'R3' is no die"),
    (["--goal", "rwb", "--dice", DICE, "--locked", "R1,R2,W1", "--lock", "2"], "3 dice are Locked"),
    (["--goal", "rwb", "--dice", DICE, "--roll", "2", "--lock", "2"], "name them with --locked"),
    (["--goal", "rwb", "--dice", DICE, "--lock", "7"], "--lock 7: expected 0 to 6"),
    (["--goal", "rwb", "--dice", "R:star,skull W:tool B:tool,tool", "--lock", "6"], "--lock 6: expected 0 to 5"),
    (["--goal", "rwb", "--dice", "R:star,skull W:tool B:tool,tool", "--locked", "W2"], "not on the table"),
    (["--goal", "rwb", "--lock", "7"], "--lock 7: expected 0 to 6"),
    (["--goal", "rwb", "--lock", "-1"], "--lock -1: expected 0 to 6"),
    (["--goal", "rwb", "--five", "--lock", "6"], "--lock 6: expected 0 to 5"),
    (["--goal", "rwb", "--dice", DICE, "--roll", "4"], "--roll 4: expected 1 to 3"),
    (["--goal", "rwb", "--dice", DICE, "--roll", "0"], "--roll 0: expected 1 to 3"),
    (["--goal", "rwb", "--roll", "2"], "--roll needs --dice"),
    (["--goal", "rwb", "--locked", "R1"], "--locked needs --dice"),
    (["--goal", "rwb", "--dice", DICE, "--five"], "--five does not go with --dice"),
    (["--goal", "rwb", "--table"], "--goal does not go with --table"),
    (["--goal", "rwb", "--skulls", "maybe"], "expected ignore or cancel"),
    (["--goal", "rwb", "--lang", "de"], "--lang de: expected en or fr"),
]


@pytest.mark.parametrize(("args", "message"), MISTAKES)
def test_a_mistake_is_told(args: list[str], message: str) -> None:
    with pytest.raises(BeachheadError) as caught:
        CliRunner().invoke(APP, ["odds", *args], catch_exceptions=False)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_mistake_ends_with_two_and_one_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "beachhead", "odds", "--goal", "luck"],
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("beachhead: 'luck' is no goal")
    assert len(done.stderr.splitlines()) == 1


PAGE = (Path(__file__).parents[2] / "docs" / "odds.md").read_text(encoding="utf-8")
FIGURES = re.findall(r"^\| `(\S+)` \| ([0-9.]+) \| ([0-9.]+) \| ([0-9.]+) \| ([0-9.]+) \|$", PAGE, re.M)


def test_the_page_has_a_row_for_each_goal_of_the_table() -> None:
    assert [row[0] for row in FIGURES] == list(TABLED)


@pytest.mark.parametrize("row", FIGURES, ids=lambda row: row[0])
def test_the_figures_of_the_page_are_right(row: tuple[str, ...]) -> None:
    wanted = goal(row[0])
    ways = ((2, "ignore"), (2, "cancel"), (1, "ignore"), (0, "ignore"))
    assert row[1:] == tuple(f"{solve(values(wanted, skulls=skulls), lock).value:.12f}" for lock, skulls in ways)


def test_the_page_names_every_option() -> None:
    helped = told("--help")
    for option in re.findall(r"^\| `(--[a-z-]+)`", PAGE.partition("\n# Exact values")[0], re.M):
        assert option in helped
