"""The luck of the tests: see tests/luck.py."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

import beachhead
from beachhead.core import chance
from beachhead.table import running

from . import luck


def drawn(place: str) -> list[object]:
    with luck.at(place):
        return [chance.new_seed(), chance.new_seed(), running.secrets.randbits(64)]


def test_the_luck_of_a_place_comes_again_and_every_place_has_its_own() -> None:
    assert drawn("here") == drawn("here")
    assert len({*drawn("here"), *drawn("there")}) == 6
    assert chance.new_seed() == chance.seed_from(f"luck {luck.LUCK} of {__name__.replace('.', '/')}.py::{NAME}, draw 0")


NAME = test_the_luck_of_a_place_comes_again_and_every_place_has_its_own.__name__


def test_other_luck_is_other_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    here = drawn("here")
    monkeypatch.setattr(luck, "LUCK", "another")
    assert not {*here} & {*drawn("here")}


DRAWS = re.compile(
    r"\bRandom\(\)|SystemRandom|randbits|urandom|uuid[14]|default_rng\(\)|token_bytes|token_hex\(32\)"
    r"|\brandom\.(?:random|rand\w+|choices?|shuffle|sample|uniform|gauss)\("
)
"""What draws afresh. Ids and tokens are told from it by their functions and sizes."""


def test_nothing_else_draws_afresh() -> None:
    source = Path(beachhead.__file__).parent
    found = {
        (path.relative_to(source).as_posix(), drawn)
        for path in source.rglob("*.py")
        for drawn in DRAWS.findall(path.read_text(encoding="utf-8"))
    }
    assert found == {
        ("core/chance.py", "token_hex(32)"),
        ("table/running.py", "randbits"),
        ("terminal/plain.py", "Random()"),
    }


def test_words_are_stronger_than_luck() -> None:
    with luck.words("tiger"):
        assert chance.new_seed() == chance.new_seed() == chance.seed_from("tiger")
    assert chance.new_seed() != chance.seed_from("tiger")


@pytest.mark.true_luck
def test_true_luck_does_not_come_again() -> None:
    assert not {*drawn(luck.TRUE)} & {*drawn(luck.TRUE)}


def test_a_command_that_a_test_starts_has_the_luck_of_the_test(tmp_path: Path) -> None:
    def shown(place: str) -> str:
        command = [*luck.command(place), "play"]
        environment = {**os.environ, "BEACHHEAD_DATA": str(tmp_path)}
        return subprocess.run(command, input="", env=environment, capture_output=True, text=True, check=True).stdout

    assert shown("") == shown("") != shown("elsewhere")
