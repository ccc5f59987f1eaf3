"""The measurement that `make bench` reads."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest


def bench(*args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "beachhead.sim.bench", *args]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("edition", "seats"), [("first", "4"), ("second", "1")])
def test_the_measurement_is_one_json_object(edition: str, seats: str) -> None:
    done = bench("--json", "--games", "3", "--seats", seats, "--edition", edition)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["games"] == 3
    assert found["clone_positions"] >= 300
    assert all(found[name] > 0 for name in ("decisions", "seconds", "clone_us", "replay_ms", "replay_decisions"))


def test_bots_that_think_are_measured_too() -> None:
    done = bench("--json", "--brains", "--games", "1", "--seats", "1")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["games"] == 1
    assert found["solver"] in ("numpy", "numba")
    assert ("turn_fast_ms" in found) == (found["solver"] == "numba")
    assert all(found[name] > 0 for name in ("decisions", "seconds", "turn_ms", "choices_ms"))


def test_without_json_it_is_a_list() -> None:
    done = bench("--games", "2", "--seats", "1")
    assert done.returncode == 0, done.stderr
    assert "replay_ms" in done.stdout


@pytest.mark.parametrize("args", [("--games", "0"), ("--seats", "9"), ("--edition", "third")])
def test_a_mistake_is_told(args: tuple[str, ...]) -> None:
    done = bench(*args)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "expected" in done.stderr
