"""Playthroughs and node counts are as they were written down; `make golden` writes them anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from beachhead.content.library import library
from tests.regenerate import BOARDS, GOLDEN, PLAYTHROUGHS, golden_files

FILES = list(golden_files())


@pytest.mark.parametrize(("name", "make"), FILES, ids=[name for name, _ in FILES])
def test_what_is_played_now_is_what_was_written_down(name: str, make: Callable[[], Iterator[str]]) -> None:
    written = (GOLDEN / name).read_text(encoding="utf-8").splitlines()
    for number, (now, then) in enumerate(zip(make(), written, strict=True), start=1):
        assert now == then, f"{name}, line {number}: run `make golden` and read the difference"


def test_every_edition_and_map_has_a_playthrough() -> None:
    assert {edition for edition, _, _ in PLAYTHROUGHS} == set(library().maps)
    for edition, maps in library().maps.items():
        played = {board for one, board, _ in BOARDS if one == edition}
        assert set(maps) == {"n01-exercise-tiger", *played}, f"a new map of the {edition} edition needs a playthrough"
