"""The tables of `pairs` and `examples` are true: each scenario is there and speaks of the cards that its row names."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from beachhead.content.library import library

HERE = Path(__file__).parent
PAIRS = HERE / "pairs" / "README.md"
EXAMPLES = HERE / "examples" / "README.md"


def _rows(table: Path) -> list[tuple[str, str, Path]]:
    """First cell, second cell and file of each row that ends in a link."""
    found = re.findall(r"^\| (.+?) \| (.+?) \| \[.+?\]\((.+?)\) \|$", table.read_text("utf-8"), re.MULTILINE)
    return [(first, second, (table.parent / link).resolve()) for first, second, link in found]


def _words(part: Any) -> Iterator[str]:
    """Every string and key below this part of a file."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, list):
        for one in part:
            yield from _words(one)
    elif isinstance(part, dict):
        for key, one in part.items():
            yield key
            yield from _words(one)


@pytest.mark.parametrize("table", [PAIRS, EXAMPLES], ids=["pairs", "examples"])
def test_every_row_of_a_table_is_read(table: Path) -> None:
    lines = [line for line in table.read_text("utf-8").splitlines() if line.startswith("| ")]
    headings = [line for line in lines if line.endswith("| scenario |")]
    assert headings
    assert len(_rows(table)) == len(lines) - len(headings)


@pytest.mark.parametrize("row", _rows(PAIRS), ids=lambda row: f"{row[0]} in {row[2].stem}")
def test_the_cards_of_a_pair_meet_in_its_scenario(row: tuple[str, str, Path]) -> None:
    pair, _, file = row
    known = {card for cards in library().cards.values() for card in cards}
    said = tomllib.loads(file.read_text("utf-8"))
    spoken = "\n".join(_words({key: part for key, part in said.items() if key not in ("about", "rules")}))
    for card in re.findall(r"`(.+?)`", pair):
        assert card in known
        assert re.search(rf"(?<![\w-]){re.escape(card)}(?![\w-])", spoken), f"{card} is not in {file.name}"


@pytest.mark.parametrize("row", _rows(EXAMPLES), ids=lambda row: row[0])
def test_the_file_of_an_example_is_there(row: tuple[str, str, Path]) -> None:
    assert row[2].is_file()


@pytest.mark.parametrize("table", [PAIRS, EXAMPLES], ids=["pairs", "examples"])
def test_every_scenario_beside_a_table_is_in_it(table: Path) -> None:
    assert {file for *_, file in _rows(table)} >= {file.resolve() for file in table.parent.glob("*.toml")}
