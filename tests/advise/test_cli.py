"""`beachhead advise` and `beachhead review` as a user meets them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import cast

import pytest
import typer
from typer.testing import CliRunner

from beachhead.advise import cli
from beachhead.core.errors import BeachheadError, RecordError
from beachhead.core.node import Answer, Ask
from beachhead.games import GAMES
from beachhead.landing.state import Landing
from beachhead.say import speak
from beachhead.table.match import Match

from .games import PRACTICE, by, played

APP = typer.Typer()
cli.register(APP)


def told(*args: object) -> str:
    done = CliRunner().invoke(APP, [str(arg) for arg in args], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture
def over(tmp_path: Path) -> Path:
    path = tmp_path / "over.jsonl"
    played(PRACTICE, "1", by("random")).save(path)
    return path


@pytest.fixture
def open_game(tmp_path: Path) -> Path:
    match = Match.new(GAMES["landing"], PRACTICE, "1" * 64)
    path = tmp_path / "open.jsonl"
    match.save(path)
    return path


def test_a_review(over: Path) -> None:
    lines = told("review", over).splitlines()
    assert re.fullmatch(r"Before the first roll +99\.9 %", lines[0])
    assert re.fullmatch(r"Result +(won|lost)", lines[1])
    assert re.fullmatch(r"Luck of dice and draws +[+-]\d+\.\d points", lines[2])
    assert re.fullmatch(r"Lost by choices, Unit 1 +\d+\.\d points", lines[3])
    assert re.fullmatch(r"Choices judged +\d+, exact", lines[4])
    assert lines[5] == "The costliest choices:"
    costly = [
        re.match(r"  Turn (\d+), Unit 1, entry (\d+): (.+) cost (\d+\.\d) points\. Better: ", one)
        for one in lines[6:-1]
    ]
    assert 1 <= len(costly) <= 3 and all(costly)
    assert lines[-1] == f"Look at one of them: beachhead advise {over} --at {costly[0][2] if costly[0] else ''}"


def test_a_review_as_json(over: Path) -> None:
    found = json.loads(told("review", over, "--json"))
    assert found["start"] + found["luck"] - sum(found["skill"]) == pytest.approx(found["result"])
    assert {"entry", "seat", "turn", "question", "chosen", "best", "words"} == set(found["costly"][0])


def test_a_review_leads_to_the_question(over: Path) -> None:
    worst = json.loads(told("review", over, "--json"))["costly"][0]
    (advice,) = json.loads(told("advise", over, "--at", worst["entry"], "--json"))
    assert advice["question"] == worst["question"] and advice["how"] == "exact"
    assert advice["options"][0] == worst["best"] and worst["chosen"] in advice["options"]


def test_advice_for_an_open_game(open_game: Path) -> None:
    lines = told("advise", open_game).splitlines()
    assert lines[0].startswith("Turn 1. Unit 1: Roll 1 of 3.")
    assert lines[1] == "  The probability to win, exact; then what the turn brings on average:"
    assert lines[2].split() == ["Soldiers", "Courage"]
    assert len(lines) == 3 + 15 + 1
    assert re.match(r"   1  Lock [RWB]\d [RWB]\d ", lines[3])


def test_advice_in_french(open_game: Path) -> None:
    speak("fr")
    said = told("advise", open_game)
    assert "La probabilité de gagner" in said and "Verrouiller" in said and "Lock" not in said


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("advise", "over"), "the game is over there: name an earlier point with --at, from 0 to "),
        (("advise", "over", "--at", "9999"), r"--at 9999: expected 0 to \d+"),
        (("advise", "over", "--at", "-1"), r"--at -1: expected 0 to \d+"),
        (("advise", "over", "--at", "0"), "dice are about to be rolled: name another point with --at, as 1"),
        (("review", "open"), "this game is not over yet"),
    ],
)
def test_one_line_for_a_mistake(over: Path, open_game: Path, args: tuple[str, ...], message: str) -> None:
    files = {"over": over, "open": open_game}
    with pytest.raises(BeachheadError, match=message) as error:
        told(*(files.get(arg, arg) for arg in args))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("command", ["advise", "review"])
def test_files_that_are_no_record(tmp_path: Path, command: str) -> None:
    with pytest.raises(RecordError, match="no-such-file"):
        told(command, tmp_path / "no-such-file")
    junk = tmp_path / "junk.jsonl"
    junk.write_text("junk\n", encoding="utf-8")
    with pytest.raises(RecordError):
        told(command, junk)


def test_a_point_at_which_there_is_nothing_to_choose(tmp_path: Path) -> None:
    """Who must leave and has one way is asked all the same."""
    match, player = Match.new(GAMES["landing"], PRACTICE, "1" * 64), by("thumb")
    while isinstance(node := match.node(), Ask) and len(node.decision(0).keys) > 1:
        match.answer(Answer(0, node.decision(0).seq, player(cast(Landing, match.state), node.decision(0))))
    assert isinstance(match.node(), Ask)
    path = tmp_path / "one.jsonl"
    match.save(path)
    with pytest.raises(BeachheadError, match="only one answer"):
        told("advise", path)
