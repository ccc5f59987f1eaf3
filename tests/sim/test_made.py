"""What games are played with: what changes one board changes no other, and nobody who does not look at it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from beachhead.bots import values
from beachhead.bots.values import FOLDER, FOLDER_VARIABLE
from beachhead.sim import made
from beachhead.sim.made import content
from beachhead.sim.rows import from_lines
from beachhead.sim.runner import Check, cell_of, plan_of, play_block, simulate
from beachhead.sim.store import Store

JUNO = {"edition": "first", "map": "n05-juno", "seats": 1}
UTAH = {"edition": "first", "map": "n03-utah", "seats": 1}
BOTS = ("random", "thumb", "exact", "planner")


def contents() -> dict[tuple[str, str], str]:
    found = {(str(setup["map"]), bot): content("landing", setup, (bot,)) for setup in (JUNO, UTAH) for bot in BOTS}
    assert len({found["n05-juno", bot] for bot in BOTS}) == 3  # rules of thumb and chance have learned nothing
    return found


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    yield
    values.valuer.cache_clear()


def changed(before: dict[tuple[str, str], str]) -> set[tuple[str, str]]:
    values.valuer.cache_clear()
    after = contents()
    return {name for name in before if before[name] != after[name]}


def with_values(folder: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any]) -> None:
    """Those of Juno Beach for one Unit, changed."""
    name = "n05-juno-first-1.json"
    kept = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    assert all(kept[key] != value for key, value in change.items())
    (folder / name).write_text(json.dumps(kept | change), encoding="utf-8")
    monkeypatch.setenv(FOLDER_VARIABLE, str(folder))
    values.valuer.cache_clear()


@pytest.mark.parametrize(
    ("change", "whose"),
    [
        ({"searches": ["deep"]}, {"planner"}),
        ({"plays": []}, {"exact", "planner"}),
        ({"about": {}}, set()),
    ],
)
def test_other_values_are_other_games_for_those_who_play_by_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], whose: set[str]
) -> None:
    before = contents()
    with_values(tmp_path, monkeypatch, change)
    assert changed(before) == {("n05-juno", bot) for bot in whose}


@pytest.mark.parametrize("seats", [1, 4])
def test_a_planner_with_nothing_to_search_plays_as_exact_and_its_games_are_played_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seats: int
) -> None:
    with_values(tmp_path, monkeypatch, {"searches": []})
    juno = JUNO | {"seats": seats}
    plan = plan_of([cell_of("landing", juno, [bot]) for bot in ("exact", "planner")], 4)
    apart = [play_block(cell, range(1, 5), Check(plan.made)) for cell in plan.cells]
    assert apart[0] == apart[1]
    store = Store(plan)
    run = simulate(plan, store)
    assert [list(store.rows(n)) for n in range(2)] == [list(from_lines(lines)) for lines in apart]
    assert run.decisions == sum(row.decisions for row in from_lines(apart[0]))


def test_a_planner_that_searches_plays_games_of_its_own() -> None:
    plan = plan_of([cell_of("landing", JUNO, [bot]) for bot in ("exact", "planner")], 8)
    store = Store(plan)
    simulate(plan, store)
    assert list(store.rows(0)) != list(store.rows(1))


def test_only_files_that_can_change_a_game_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules and bots do; commands, what is said, and how work is spread over processes, do not."""
    monkeypatch.setattr("beachhead.__file__", str(tmp_path / "__init__.py"))

    def engine() -> str:
        return made._engine.__wrapped__()

    (tmp_path / "core").mkdir()
    (tmp_path / "sim").mkdir()
    before = engine()
    for name in ("core/processes.py", "core/cli.py", "core/words.py", "core/text.py", "sim/runner.py"):
        (tmp_path / name).write_text("")
    assert engine() == before
    (tmp_path / "core" / "chance.py").write_text("")
    assert engine() != before
