"""`beachhead solve` as a user meets it: the figure, the first moves, JSON, files, and one line for a mistake."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from beachhead.core.errors import BeachheadError
from beachhead.landing.world import Setup, world_of
from beachhead.say import speak
from beachhead.solve import cli, ground, store

APP = typer.Typer()
cli.register(APP)
RUN = ("--level", "practice-run")
PAGE = (Path(__file__).parents[2] / "docs" / "odds.md").read_text(encoding="utf-8").partition("\n# Exact values")[2]


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    speak("en")
    yield
    speak("en")


def told(*args: str) -> str:
    done = CliRunner().invoke(APP, ["solve", *args], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_the_practice_run() -> None:
    lines = told(*RUN).splitlines()
    assert lines[0] == "Probability to win  0.9993869221"
    assert lines[1] == "States              23870 in 54 positions"
    assert lines[3:] == [
        "First turn, if possible:",
        "  stay              0.9993869221",
        "  move to Sector 2  0.9952385635",
        "  move to Sector 3  0.9952385635",
    ]


def test_in_french() -> None:
    speak("fr")
    assert "Probabilité de gagner  0.9993869221" in told(*RUN)


def test_as_json() -> None:
    found: dict[str, Any] = json.loads(told(*RUN, "--json"))
    assert found["value"] == pytest.approx(0.999386922072, abs=1e-11)
    assert found["states"] == 23870
    assert found["seconds"] > 0
    assert found["first_moves"][0] == {"key": "stay", "value": pytest.approx(found["value"], abs=1e-12)}
    assert (found["edition"], found["level"], found["nation"]) == ("first", "practice-run", "allies")


def test_who_does_without_cards_is_told_that_it_is_a_bound() -> None:
    assert told(*RUN, "--no-cards").startswith("No card is ever taken; with cards the probability is at least this.\n")


MISTAKES = [
    ((), "'n01-exercise-tiger' is played with cards, and whole games are solved without: add --no-cards, or --level"),
    (("--level", "practise-run"), "practice-run"),
    (("--edition", "third"), "third"),
    ((*RUN, "--option", "blind-start"), "whole games with 'blind-start' cannot be solved"),
]


@pytest.mark.parametrize(("args", "message"), MISTAKES)
def test_a_mistake_is_told_in_one_line(args: tuple[str, ...], message: str) -> None:
    with pytest.raises(BeachheadError) as caught:
        told(*args)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    shipped = store.SHIPPED / f"{ground.fingerprint(world_of(Setup(level='practice-run')))}.npz"
    assert "0.9993869221" in told(*RUN, "--table", str(shipped))
    with pytest.raises(BeachheadError, match="is for another game or other content"):
        told("--level", "basic-training", "--no-cards", "--table", str(shipped))
    (tmp_path / "some.npz").write_text("words")
    with pytest.raises(BeachheadError, match=r"some.npz: this is no table of a solved game"):
        told(*RUN, "--table", str(tmp_path / "some.npz"))


def test_a_file_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = store.known(world_of(Setup(level="practice-run")))
    monkeypatch.setattr(store, "worked_out", lambda *_: known)
    assert "0.9993869221" in told(*RUN, "--table", str(tmp_path / "new.npz"))
    assert (tmp_path / "new.npz").stat().st_size > 1000
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(store, "worked_out", lambda *_: pytest.fail("it was worked out before it was said"))
    with pytest.raises(BeachheadError, match="could not be written"):
        told(*RUN, "--table", str(tmp_path / "file" / "new.npz"))


def test_the_page_says_so() -> None:
    helped = told("--help")
    listed = re.findall(r"`(--[a-z-]+)`", PAGE)
    assert len(listed) > 5
    for option in listed:
        assert option in helped
    found = json.loads(told(*RUN, "--json"))
    assert f"| first edition, Practice Run | {found['value']:.10f} | {found['states']:,} |" in PAGE


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("first edition, Basic Training, no cards", ("--level", "basic-training", "--no-cards")),
        ("first edition, Exercise Tiger, no cards", ("--no-cards",)),
        ("second edition (uk), Exercise Tiger, no cards", ("--edition", "second", "--no-cards")),
    ],
)
def test_the_other_figures_of_the_page(
    name: str, args: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "cache_folder", lambda: tmp_path)
    found = json.loads(told(*args, "--json"))
    assert f"| {name} | {found['value']:.10f} | {found['states']:,} |" in PAGE
