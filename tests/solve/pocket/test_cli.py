"""`beachhead solve express` and `solve battle` as a user meets them, the files they keep, one line for a mistake."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from beachhead.core.errors import BeachheadError
from beachhead.say import speak
from beachhead.solve import cli, pocket_battle, pocket_express, pocket_store

APP = typer.Typer()
cli.register(APP)
BARE = ("--no-specialists",)


@pytest.fixture(autouse=True)
def english(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    kept = tmp_path_factory.getbasetemp() / "kept"
    monkeypatch.setattr(pocket_store, "cache_folder", lambda: kept)
    speak("en")
    yield
    speak("en")


def told(*args: str) -> str:
    done = CliRunner().invoke(APP, ["solve", *args], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def plain(*args: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(told(*args, "--json"))
    return found


def test_utah_without_specialists() -> None:
    found = plain("express", "--beach", "utah", *BARE)
    assert found["value"] == pytest.approx(0.011501973473810, abs=1e-14)
    assert [row["sector"] for row in found["sectors"]] == [1, 2, 3, 4, 5, 6]
    assert prod(row["clear"] for row in found["sectors"]) == pytest.approx(found["value"], rel=1e-12)
    assert found["exact"]


def test_in_words() -> None:
    lines = told("express", "--beach", "utah", *BARE).splitlines()
    assert lines[:2] == ["Express!, Utah Beach, one soldier", "Without Specialists"]
    assert lines[2].split() == ["Probability", "to", "win", "0.01150197347381"]
    assert lines[3].split("  ")[1] == "Sector 1, 1 Axis die"
    assert lines[3].endswith("cleared with 0.962439")


def test_in_french() -> None:
    speak("fr")
    assert "Probabilité de gagner" in told("express", "--beach", "utah", *BARE)


def test_neptune_is_the_product() -> None:
    found = plain("express", "--beach", "neptune", *BARE)
    assert found["value"] == 0  # Sword Beach has nobody to lose
    assert len(found["beaches"]) == 6
    assert prod(row["value"] for row in found["beaches"]) == found["value"]


def test_four_soldiers_and_the_lenient_kommandant() -> None:
    four = plain("express", "--beach", "utah", "--players", "4", *BARE)
    assert 1e-8 < four["value"] < 1e-7
    lenient = plain("express", "--beach", "utah", "--kommandant", "--lenient", *BARE)
    assert lenient["kommandant"] == "lenient"
    assert 0 < lenient["value"] < 0.0115


def test_what_is_best_with_dice_on_the_table() -> None:
    """Three Stars and a Tool are wanted, one Tool lies there and no Star: roll all."""
    args = ("express", "--beach", "utah", *BARE, "--sector", "4", "--axis", "star,star,star,tool")
    before = plain(*args)["value"]
    dice = "R:tool,skull W:courage,soldier2 B:skull,soldier"
    found = plain(*args, "--dice", dice)
    assert found["choices"][0]["keep"] == ""
    assert found["value"] < before
    assert plain(*args, "--dice", "R:star,star W:star,tool B:skull,skull", "--roll", "3")["value"] > before
    assert "roll R:skull,tool W:soldier2,courage B:skull,soldier1 again" in told(*args, "--dice", dice)


def test_the_single_turn() -> None:
    found = plain("battle", "--turn")
    assert found["value"] == pytest.approx(4.323426467684, abs=1e-11)
    assert found["thresholds"] == {"2": 10, "3": 6, "4": 3, "5": 1, "6": 1}
    assert "retreat with 10 points or more at stake" in told("battle", "--turn")
    with_him = plain("battle", "--turn", "--kommandant")
    assert with_him["value"] == pytest.approx(5.511182934042, abs=1e-11)
    assert with_him["deploy_below"]["6"] == 0


def test_two_players() -> None:
    found = plain("battle")
    assert found["value"] == pytest.approx(0.474026793370, abs=1e-11)
    assert found["thresholds"]["first"] == {"2": 11, "3": 7, "4": 3, "5": 1, "6": 1}
    assert "Who begins wins" in told("battle")
    late = plain("battle", "--score", "33,20")
    assert list(late["thresholds"]) == ["second"]
    assert plain("battle", "--score", "33,29")["value"] < late["value"]


def test_medals_are_a_sample_and_say_so() -> None:
    found = plain("battle", "--medals", "--games", "2000")
    assert not found["exact"]
    assert found["interval"][0] < found["value"] < found["interval"][1]
    assert "not solved" in told("battle", "--medals", "--games", "2000")


def test_a_skirmish_on_the_table() -> None:
    found = plain("battle", "--axis", "star,tool", "--dice", "R:star,skull W:tool,tool B:courage,soldier2")
    assert found["value"] == 1
    stuck = plain("battle", "--axis", "star", "--black", "skull", "--dice", "R:skull,skull W:skull,skull B:skull,tool")
    assert stuck["choices"][0]["roll"] == "B:tool"
    assert stuck["value"] == pytest.approx(1 / 6 + 4 / 6 / 6)  # a Star now, or no Skull now and a Star then


MISTAKES = [
    (("express",), "which beach? Say --beach with utah, gold,"),
    (("express", "--beach", "calais"), "'calais' is no beach"),
    (("express", "--beach", "utah", "--players", "5"), "--players 5: expected 1 to 4"),
    (("express", "--beach", "utah", "--lenient"), "--lenient needs --kommandant"),
    (("express", "--beach", "utah", "--axis", "star"), "--axis needs --sector"),
    (("express", "--beach", "neptune", "--sector", "1"), "one soldier on one beach"),
    (("express", "--beach", "utah", *BARE, "--sector", "7"), "--sector 7: expected 1 to 6"),
    (("express", "--beach", "utah", *BARE, "--sector", "2", "--have", "sniper"), "'sniper' is no Specialist"),
    (("express", "--beach", "utah", *BARE, "--sector", "2", "--have", "hero"), "--no-specialists does not go with"),
    (
        ("express", "--beach", "utah", *BARE, "--sector", "2", "--have", "hero", "--out", "hero"),
        "with the squad and out",
    ),
    (("express", "--beach", "utah", *BARE, "--sector", "2", "--axis", "star"), "1 Axis die: expected 2"),
    (("express", "--beach", "utah", *BARE, "--sector", "2", "--axis", "sun,moon"), "'sun' is no face"),
    (("express", "--beach", "utah", *BARE, "--sector", "2", "--black", "star"), "--black takes one face"),
    (("battle", "--turn", "--medals"), "--medals does not go with --turn"),
    (("battle", "--score", "1"), "--score '1': expected two numbers"),
    (("battle", "--score", "5,30"), "the game is over"),
    (("battle", "--dice", "R:star,star"), "--dice needs --axis"),
    (("battle", "--axis", "star"), "a skirmish has 2 to 6"),
    (("battle", "--games", "1"), "--games 1: expected"),
]


@pytest.mark.parametrize(("args", "message"), MISTAKES)
def test_a_mistake_is_told_in_one_line(args: tuple[str, ...], message: str) -> None:
    with pytest.raises(BeachheadError) as caught:
        told(*args)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


# ---------------------------------------------------------------------- files


def test_a_beach_is_kept_and_read(tmp_path: Path) -> None:
    rules = pocket_express.rules_of("juno", specialists=False)
    found = pocket_express.solve(rules)
    path = tmp_path / "juno.npz"
    pocket_store.save_express(found, path)
    assert pocket_store.load_express(path, rules) == found
    with pytest.raises(BeachheadError, match="another game"):
        pocket_store.load_express(path, rules._replace(gantlet="no-rally"))


def test_a_poisoned_file_is_refused_and_worked_out_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pocket_store, "cache_folder", lambda: tmp_path)
    rules = pocket_express.rules_of("utah", specialists=False)
    found = pocket_store.solved_express(rules)
    (path,) = tmp_path.iterdir()
    poisoned = {stage: dict.fromkeys(some, float("nan")) for stage, some in found.values.items()}
    pocket_store.save_express(found._replace(values=poisoned), path)
    with pytest.raises(BeachheadError, match="no table"):
        pocket_store.load_express(path, rules)
    assert pocket_store.solved_express(rules).value == found.value
    path.write_bytes(b"no file of ours")
    assert pocket_store.known_express(rules) is None


def test_what_is_kept_is_not_worked_out_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pocket_store, "cache_folder", lambda: tmp_path)
    rules = pocket_express.rules_of("utah", specialists=False)
    found = pocket_store.solved_express(rules)
    monkeypatch.setattr(pocket_express, "solve", None)
    assert pocket_store.solved_express(rules) == found


def test_other_rules_have_other_names() -> None:
    rules = [pocket_express.rules_of(beach, n, cards, k) for beach in pocket_express.beaches() for n in (1, 2)
             for cards in (True, False) for k in ("", "strict", "lenient")]  # fmt: skip
    assert len({pocket_store.express_print(one) for one in rules}) == len(rules)


def test_a_match_is_kept_and_read(tmp_path: Path) -> None:
    found = pocket_battle.solve(goal=4)
    path = tmp_path / "battle.npz"
    pocket_store.save_battle(found, path)
    again = pocket_store.load_battle(path)
    for mine, theirs in zip(found, again, strict=True):
        assert np.array_equal(mine, theirs)
    with pytest.raises(BeachheadError, match="another game"):
        pocket_store.load_battle(path, True)
