from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from beachhead.bots import values as module
from beachhead.bots.values import BINS, FIXED, FOLDER_VARIABLE, MOMENTS, MOVING, START, Values, valuer, write
from beachhead.say import speak


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    speak("en")
    yield
    speak("en")


def some_values() -> Values:
    """Of no meaning, but as if they had been learned: for any game."""
    rng = np.random.default_rng(5)
    inputs = MOVING + FIXED
    shapes = (("w", (inputs, 5)), ("b", (5,)), ("v", (5,)), ("u", (inputs,)), ("c", (1,)))
    nets = {moment: {name: rng.normal(0, 0.3, shape) for name, shape in shapes} for moment in MOMENTS}
    told = {
        moment: tuple((40, 3 * n, games) for n in range(len(BINS) - 1))
        for moment, games in zip(MOMENTS, (10, 30), strict=True)
    }
    return Values(None, (), nets, {"games": 3}, calibration=told)


@pytest.fixture
def learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Something was learned for every game."""
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    write(some_values(), tmp_path / "any.json")
    valuer.cache_clear()
    yield
    valuer.cache_clear()


@pytest.fixture
def nothing_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    valuer.cache_clear()
    yield
    assert valuer(("first", "n01-exercise-tiger", 1, "")) is START
    valuer.cache_clear()
