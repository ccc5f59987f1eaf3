"""Values: what is looked at, files that say what they are for, and what is used when there are none."""

from __future__ import annotations

import base64
import json
import logging
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from beachhead.bots import values as module
from beachhead.bots.gains import COLUMNS, GIVEN, SOLDIERS
from beachhead.bots.sight import Sight
from beachhead.bots.values import (
    ALONE,
    FIXED,
    FOLDER,
    FOLDER_VARIABLE,
    MOMENTS,
    MOVING,
    START,
    Setting,
    Values,
    bin_of,
    content_of,
    features,
    file_name,
    names_of,
    read,
    standing,
    together,
    valuer,
    write,
)
from beachhead.core.errors import BeachheadError
from beachhead.landing.game import MACHINE
from beachhead.landing.position import Position, UnitAt, position
from beachhead.landing.world import Setup, world_of

TIGER = Setting("first", "n01-exercise-tiger", 1, "")


def some_values(setting: Setting | None = TIGER, seed: int = 1) -> Values:
    rng = np.random.default_rng(seed)
    names = names_of(setting.key) if setting else ()
    inputs = MOVING + FIXED + len(names)
    nets = {
        moment: {
            name: rng.normal(0, 0.3, shape)
            for name, shape in (("w", (inputs, 5)), ("b", (5,)), ("v", (5,)), ("u", (inputs,)), ("c", (1,)))
        }
        for moment in MOMENTS
    }
    return Values(setting, names, nets, {"games": 3})


def sight(**unit: Any) -> Sight:
    at = UnitAt(sector="2", visited=("1", "2"), **unit)
    g = position(world_of(Setup("first", TIGER.map, 1)), Position((at,), turn=4, phase="move"))
    MACHINE.start(g)
    return Sight(MACHINE.view(g, 0), 0, START)


@pytest.fixture(autouse=True)
def _no_values_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    valuer.cache_clear()
    module._read_once.cache_clear()


def test_there_are_as_many_features_as_are_said() -> None:
    at = sight(courage=2).standing()
    assert features(at, ALONE).shape == (1, MOVING) and len(at.fixed) == FIXED


def test_what_dice_bring_counts_as_what_a_unit_has() -> None:
    """Three Soldiers, a Star, two Courage and six Item Points more, once held and once gained."""
    rich = sight(soldiers=13, stars=3, courage=5, points=8).standing()
    poor = sight(soldiers=10, stars=2, courage=3, points=2).standing()
    gained = np.array([[3.0, 1.0, 2.0, 6.0, 0.0, 0.0, 0.0]])
    judge = some_values()
    assert np.allclose(judge.worth(rich, ALONE), judge.worth(poor, gained))
    assert not np.allclose(judge.worth(rich, ALONE), judge.worth(poor, ALONE))
    assert not np.allclose(judge.worth(rich, ALONE), judge.worth(rich, ALONE, "turn"))


def test_what_is_given_counts_as_if_the_unit_had_it() -> None:
    at = sight(soldiers=10, stars=2).standing()
    rows = np.zeros((2, len(COLUMNS)))
    rows[0, SOLDIERS] = rows[1, GIVEN] = 3.0
    judge = some_values()
    had, given = judge.worth(at, rows)
    assert had == pytest.approx(given, abs=1e-12) and had != pytest.approx(judge.worth(at, ALONE)[0])


def test_all_units_have_to_do_their_part() -> None:
    """Who is safe has done it; a seat may be left out."""
    at = UnitAt(sector="2", visited=("1", "2"), soldiers=12)
    units = (at, replace(at, soldiers=5), replace(at, sector="B", visited=("1", "2", "B"), status="safe"))
    g = position(world_of(Setup("first", TIGER.map, 3)), Position(units, turn=4, phase="move"))
    MACHINE.start(g)
    judge = some_values()
    look = Sight(MACHINE.view(g, 0), 0, judge)
    first, second = (judge.worth(standing(look, unit), ALONE, "turn")[0] for unit in look.units[:2])
    assert together(look, judge) == pytest.approx(first * second)
    assert together(look, judge, but=0) == pytest.approx(second)


def test_several_units_play_by_what_more_or_fewer_have_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The most Units first, unless there is something of their own; and no level plays by the values of another."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    write(some_values(), tmp_path / file_name(TIGER))
    found = valuer(TIGER._replace(seats=3).key)
    assert isinstance(found, Values) and found.setting == TIGER
    assert valuer(TIGER._replace(seats=3, level="basic-training").key) is START
    four = TIGER._replace(seats=4)
    write(some_values(four), tmp_path / file_name(four))
    valuer.cache_clear()
    found = valuer(TIGER._replace(seats=3).key)
    assert isinstance(found, Values) and found.setting == four
    valuer.cache_clear()
    three = TIGER._replace(seats=3)
    write(some_values(three), tmp_path / file_name(three))
    found = valuer(three.key)
    assert isinstance(found, Values) and found.setting == three


def test_by_rules_of_thumb_more_is_better() -> None:
    at = sight(soldiers=10, courage=1).standing()
    rows = np.zeros((8, 7))
    rows[1:, :] = np.eye(7)
    worths = START.worth(at, rows)
    assert (worths[1:7] > worths[0]).all()


def test_a_file_gives_the_same_values(tmp_path: Path) -> None:
    at = sight(courage=2).standing()
    for setting in (TIGER, None):
        path = tmp_path / file_name(setting)
        values = some_values(setting)
        write(values, path)
        again = read(path)
        assert (again.setting, again.names, again.about) == (setting, values.names, values.about)
        rows = np.random.default_rng(2).integers(0, 5, (9, 7)).astype(float)
        for moment in MOMENTS:
            assert np.allclose(again.worth(at, rows, moment), values.worth(at, rows, moment), atol=1e-5)


def test_values_of_other_content_are_refused_and_the_bot_goes_on_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / file_name(TIGER)
    write(some_values(), path)
    found = json.loads(path.read_text())
    path.write_text(json.dumps(found | {"content": "0123456789abcdef"}))
    with pytest.raises(BeachheadError, match="other content"):
        read(path)
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    with caplog.at_level(logging.WARNING):
        assert getattr(valuer(TIGER.key), "about", {}).get("games") != 3
    assert "other content" in caplog.text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"features": -1}, "another version"),
        ({"format": 7}, "another version"),
        ({"nets": {}}, "no values that can"),
        ({"nets": {"upkeep": [], "turn": []}}, "no values that can"),
        ({"names": ["1"]}, "no values that can"),
        ({"calibration": [1]}, "no values that can"),
        ({"setting": {"edition": "first", "map": "n01", "seats": 1, "level": ["x"]}}, "no values that can"),
    ],
)
def test_values_that_cannot_be_used_are_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path = tmp_path / "v.json"
    write(some_values(), path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(BeachheadError, match=message):
        read(path)


@pytest.mark.parametrize("damage", ["missing", "turned", "nan"])
def test_nets_that_do_not_fit_are_refused(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "v.json"
    write(some_values(), path)
    found = json.loads(path.read_text())
    net = found["nets"]["turn"]
    if damage == "missing":
        del net["v"]
    elif damage == "turned":
        net["w"]["shape"].reverse()
    else:
        net["b"]["data"] = base64.b64encode(np.full(net["b"]["shape"], np.nan, "<f4").tobytes()).decode()
    path.write_text(json.dumps(found))
    with pytest.raises(BeachheadError, match="no values that can be read"):
        read(path)


def test_values_of_another_setting_under_this_name_are_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The file of one map, renamed to that of another; and one with a setting in place of those for any game."""
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    write(some_values(), tmp_path / file_name(TIGER._replace(map="n02-omaha")))
    write(some_values(), tmp_path / file_name(None))
    with caplog.at_level(logging.WARNING):
        assert valuer(TIGER._replace(map="n02-omaha").key) is START
    assert caplog.text.count("another setting") == 2


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "v.json"
    for text in ("", "{}", "[1]", "\x00", "[" * 100_000):
        path.write_text(text)
        with pytest.raises(BeachheadError, match="no values that can be read"):
            read(path)
    with pytest.raises(BeachheadError, match="no values that can be read"):
        read(tmp_path / "none.json")


def test_values_of_ones_own_go_before_ours_and_those_for_any_game_come_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    write(some_values(None), tmp_path / file_name(None))
    other = Setting("second", TIGER.map, 3, "advanced-training")
    assert valuer(other.key).setting is None  # type: ignore[attr-defined]
    write(some_values(other), tmp_path / file_name(other))
    valuer.cache_clear()
    assert valuer(other.key).setting == other  # type: ignore[attr-defined]


def test_the_hash_of_content_is_the_same_in_every_process() -> None:
    script = "from beachhead.bots.values import *; print(content_of(('first', 'n01-exercise-tiger', 1, '')))"
    for seed in ("1", "2"):
        found = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert found.stdout.strip() == content_of(TIGER.key)
    assert content_of(TIGER.key) != content_of(TIGER._replace(level="basic-training").key)
    assert content_of(TIGER.key) != content_of(TIGER._replace(edition="second").key)


def test_how_sure_a_value_is_comes_from_what_came_true(tmp_path: Path) -> None:
    """In 0.65 to 0.8: 400 situations of 100 games, 280 of them won. Wilson: 70 of 100 is 0.604 to 0.781."""
    counts = tuple((400, 280, 100) if n == 7 else (0, 0, 0) for n in range(12))
    path = tmp_path / "v.json"
    write(Values(TIGER, names_of(TIGER.key), some_values().nets, {}, calibration={"turn": counts}), path)
    values = read(path)
    assert values.calibration == {"turn": counts}
    assert values.interval(0.7, "turn") == pytest.approx((0.6042, 0.7811), abs=1e-4)
    assert values.interval(0.79, "turn") == pytest.approx((0.6042, 0.79), abs=1e-4)
    assert values.interval(0.9, "turn") == values.interval(0.7, "upkeep") == (0.0, 1.0)


def test_a_calibration_that_makes_no_sense_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "v.json"
    write(some_values(), path)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"calibration": {"turn": [[1, 1, 1]]}}))
    with pytest.raises(BeachheadError, match="no values that can be read"):
        read(path)


@pytest.mark.parametrize(("chance", "place"), [(0.0, 0), (0.019, 0), (0.02, 1), (0.5, 6), (0.98, 11), (1.0, 11)])
def test_bins_of_probabilities(chance: float, place: int) -> None:
    assert bin_of(chance) == place


def test_values_that_come_with_beachhead_can_be_used() -> None:
    for path in FOLDER.glob("*.json"):
        values = read(path)
        assert path.name == file_name(values.setting)
        assert path.stat().st_size < 100_000
