"""A folder of games: goes on where it was stopped, holds one run alone, and loses nothing that was played."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from beachhead.core.errors import BeachheadError
from beachhead.sim.rows import from_lines, to_lines
from beachhead.sim.runner import cell_of, plan_of, played_again, simulate
from beachhead.sim.store import Plan, Store, find_store, open_store, take_over

SOLO = {"edition": "first", "map": "n01-exercise-tiger", "seats": 1}


def plan(games: int = 130, seed: int = 0, **setup: Any) -> Plan:
    return plan_of([cell_of("landing", SOLO | setup, ["random"], seed + n) for n in range(2)], games)


def run(order: Plan, folder: Path | None) -> Store:
    store = open_store(order, folder)
    simulate(order, store)
    return store


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


class Stop(Exception):
    pass


def stop_after(blocks: int) -> Any:
    """A tick that ends the run after so many blocks."""
    left = [blocks + 1]

    def tick(games: int) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise Stop

    return tick


@pytest.mark.parametrize("games", [1, 63, 64, 100, 128, 2000, 30_000, 1_000_000])
def test_blocks_cover_every_game_once(games: int) -> None:
    order = plan(1)._replace(games=games)
    numbers: list[list[int]] = [[], []]
    for block in order.blocks():
        numbers[block.cell] += block.numbers
    assert numbers == [list(range(1, games + 1))] * 2


def test_the_size_of_blocks() -> None:
    sizes = {games: plan(1)._replace(games=games).size for games in (1, 100, 128, 2000, 10_000, 1_000_000)}
    assert sizes == {1: 1, 100: 1, 128: 2, 2000: 31, 10_000: 50, 1_000_000: 1000}


def test_a_folder_holds_what_memory_would(tmp_path: Path) -> None:
    inside, memory = run(plan(), tmp_path / "new" / "run"), run(plan(), None)
    assert sorted(contents(tmp_path / "new" / "run")) == ["000.jsonl", "001.jsonl", "plan.json"]
    for cell in range(2):
        assert list(inside.rows(cell)) == list(memory.rows(cell))


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    whole, folder = tmp_path / "whole", tmp_path / "stopped"
    run(plan(), whole)
    order = plan()
    with pytest.raises(Stop):
        simulate(order, open_store(order, folder), tick=stop_after(5))
    assert len(contents(folder)) == 6
    (folder / ".000-000077.jsonl.part").write_bytes(b'{"n":77,"wo')
    done = open_store(order, folder)
    assert len(done.open_blocks()) == 2 * 65 - 5
    played = simulate(order, done)
    assert played.games == 2 * 130 - 5 * 2
    (folder / ".000-000077.jsonl.part").unlink(missing_ok=True)
    assert contents(folder) == contents(whole)
    again = open_store(order, folder)
    assert simulate(order, again).games == 0


def test_a_run_that_was_stopped_while_it_joined_files_goes_on(tmp_path: Path) -> None:
    order = plan()
    with pytest.raises(Stop):
        simulate(order, open_store(order, tmp_path / "a"), tick=stop_after(3))
    blocks = {name: text for name, text in contents(tmp_path / "a").items() if name.startswith("000-")}
    run(order, tmp_path / "b")
    for name, text in blocks.items():
        (tmp_path / "b" / name).write_bytes(text)
    assert not open_store(order, tmp_path / "b").open_blocks()
    assert sorted(contents(tmp_path / "b")) == ["000.jsonl", "001.jsonl", "plan.json"]


def with_content(order: Plan, content: str) -> Plan:
    """Its last cell is played with other boards, cards or values."""
    *others, last = order.cells
    return order._replace(cells=(*others, last._replace(content=content)))


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        (lambda: plan(64), "games: 130 there, 64 here"),
        (lambda: plan(seed=7), "cells: seed 0 there, seed 7 here"),
        (lambda: plan(level="practice-run"), "'level': 'practice-run'"),
        (lambda: plan()._replace(cells=plan().cells[:1]), "cells: 2 there, 1 here"),
        (lambda: plan()._replace(made=plan().made._replace(engine="ffff")), "engine: .* there, ffff here"),
        (lambda: with_content(plan(), "ffff"), "content [0-9a-f-]+ there, content ffff here"),
        (lambda: plan()._replace(made=plan().made._replace(solver="abacus")), "solver: .* there, abacus here"),
    ],
)
def test_a_folder_of_another_run_is_refused(tmp_path: Path, change: Callable[[], Plan], difference: str) -> None:
    open_store(plan(), tmp_path)
    before = contents(tmp_path)
    with pytest.raises(BeachheadError, match=f"holds another run .*{difference}"):
        open_store(change(), tmp_path)
    assert contents(tmp_path) == before


def test_what_another_run_has_played_is_taken_over(tmp_path: Path) -> None:
    """Two cells, of which the other run has one: all of its games that the new run wants, whatever its blocks are."""
    first = plan(20)._replace(cells=plan().cells[1:])
    run(first, tmp_path / "first")
    store = open_store(plan(130), tmp_path / "second")
    take_over(store, tmp_path / "first")
    assert {n for block in store.open_blocks() if block.cell == 0 for n in block.numbers} == set(range(1, 131))
    assert {n for block in store.open_blocks() if block.cell == 1 for n in block.numbers} == set(range(21, 131))
    simulate(store.plan, store)
    whole = run(plan(130), None)
    assert [list(store.rows(cell)) for cell in range(2)] == [list(whole.rows(cell)) for cell in range(2)]


def test_games_of_another_beachhead_are_not_taken_over(tmp_path: Path) -> None:
    run(plan(3), tmp_path / "run")
    other = plan(3)._replace(made=plan().made._replace(engine="another"))
    store = open_store(other, None)
    with pytest.raises(BeachheadError, match=r"engine another.*cannot be taken over"):
        take_over(store, tmp_path / "run")
    assert len(store.open_blocks()) == len(list(other.blocks()))


def test_games_of_another_engine_are_taken_over_where_they_come_out_the_same(tmp_path: Path) -> None:
    """Of two cells the second has a game that this engine plays otherwise."""
    run(plan(20), tmp_path / "run")
    notes = json.loads((tmp_path / "run" / "plan.json").read_bytes())
    (tmp_path / "run" / "plan.json").write_text(json.dumps(notes | {"engine": "old"}))
    rows = from_lines((tmp_path / "run" / "001.jsonl").read_bytes())
    rows[6] = msgspec.structs.replace(rows[6], soldiers=(99,))
    (tmp_path / "run" / "001.jsonl").write_bytes(to_lines(rows))
    here = plan(30)
    store = open_store(here, tmp_path / "new")
    changed = take_over(store, tmp_path / "run", partial(played_again, here, 20, None))
    assert changed == [here.cells[1]]
    assert {n for block in store.open_blocks() if block.cell == 0 for n in block.numbers} == set(range(21, 31))
    assert {n for block in store.open_blocks() if block.cell == 1 for n in block.numbers} == set(range(1, 31))
    third = open_store(here, tmp_path / "third")
    take_over(third, tmp_path / "new")
    for folder in ("new", "third"):
        assert json.loads((tmp_path / folder / "plan.json").read_bytes())["taken"].startswith("`old`")


def test_games_of_a_board_that_has_changed_are_not_taken_over(tmp_path: Path) -> None:
    """Those of the other cells are."""
    run(plan(3), tmp_path / "run")
    store = open_store(with_content(plan(3), "another"), None)
    take_over(store, tmp_path / "run", only_won=True)
    assert {block.cell for block in store.open_blocks()} == {1}


def test_a_folder_with_other_things_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(BeachheadError, match="is not empty and holds no run"):
        open_store(plan(), tmp_path)
    assert list(contents(tmp_path)) == ["notes.txt"]
    with pytest.raises(BeachheadError, match="cannot be saved"):
        open_store(plan(), tmp_path / "notes.txt")


@pytest.mark.parametrize("text", [b"", b"{", b'{"n":1}\n', None])
def test_a_damaged_file_is_named(tmp_path: Path, text: bytes | None) -> None:
    order = plan(2)
    run(order, tmp_path)
    file = tmp_path / "001.jsonl"
    file.write_bytes(file.read_bytes().splitlines(keepends=True)[0] if text is None else text)
    with pytest.raises(BeachheadError, match=r"001\.jsonl is damaged: delete it"):
        open_store(order, tmp_path)
    file.unlink()
    assert len(open_store(order, tmp_path).open_blocks()) == 2


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 9}', '{"format": 1, "cells": 3}'])
def test_a_damaged_plan_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "plan.json").write_text(text)
    for read in (find_store, partial(open_store, plan(2))):
        with pytest.raises(BeachheadError, match=r"plan\.json is damaged"):
            read(tmp_path)


@pytest.mark.parametrize("cells", [None, 3, [3], [None], {"a": 1}])
def test_a_plan_with_damaged_cells_is_named(tmp_path: Path, cells: object) -> None:
    open_store(plan(2), tmp_path)
    (tmp_path / "plan.json").write_text(json.dumps(plan(2).as_json() | {"cells": cells}))
    for read in (find_store, partial(open_store, plan(2))):
        with pytest.raises(BeachheadError, match=r"plan\.json is damaged"):
            read(tmp_path)


def test_who_reads_a_folder_changes_nothing_in_it(tmp_path: Path) -> None:
    """Neither blocks that could be joined nor those beside the joined file, which a run that goes on would tidy up."""
    order = plan(2)
    run(order, tmp_path)
    for cell in range(2):
        for number, line in enumerate((tmp_path / f"00{cell}.jsonl").read_bytes().splitlines(keepends=True), 1):
            (tmp_path / f"00{cell}-{number:06}.jsonl").write_bytes(line)
    (tmp_path / "001.jsonl").unlink()
    before = contents(tmp_path)
    store, _ = find_store(tmp_path)
    assert [[row.n for row in store.rows(cell)] for cell in range(2)] == [[1, 2]] * 2
    assert contents(tmp_path) == before
    assert not open_store(order, tmp_path).open_blocks()
    assert sorted(contents(tmp_path)) == ["000.jsonl", "001.jsonl", "plan.json"]


def test_the_first_games_of_a_store_are_a_store(tmp_path: Path) -> None:
    store = run(plan(130), tmp_path)
    first = store.first(5)
    assert (first.plan, first.name) == (store.plan._replace(games=5), store.name)
    assert [list(first.rows(cell)) for cell in range(2)] == [list(store.rows(cell))[:5] for cell in range(2)]
    assert len(list(store.rows(0))) == 130


def test_a_folder_is_read_without_its_plan_at_hand(tmp_path: Path) -> None:
    run(plan(4), tmp_path)
    store, notes = find_store(tmp_path)
    assert store.plan == plan(4)
    assert [row.n for row in store.rows(1)] == [1, 2, 3, 4]
    assert notes["begun"] > "2020-01-01"
    with pytest.raises(BeachheadError, match="holds no run"):
        find_store(tmp_path / "elsewhere")


def test_a_killed_run_loses_only_what_was_being_played(tmp_path: Path) -> None:
    """With two processes, by SIGKILL; started again it ends with the games of a run that was not killed."""
    order = ["sim", "landing", "--bot", "thumb", "--level", "practice-run", "--games", "40", "--json"]
    command = [sys.executable, "-m", "beachhead", *order, "--workers", "2", "--out", tmp_path / "killed"]
    run_on = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not list(tmp_path.glob("killed/000-*.jsonl")) and run_on.poll() is None:
        time.sleep(0.02)
    os.kill(run_on.pid, signal.SIGKILL)
    run_on.wait()
    kept = {name: text for name, text in contents(tmp_path / "killed").items() if name.startswith("000")}
    assert kept
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["games"] == 40
    run(plan_of([cell_of("landing", SOLO | {"level": "practice-run"}, ["thumb"])], 40), tmp_path / "whole")
    whole = contents(tmp_path / "whole")["000.jsonl"]
    assert contents(tmp_path / "killed")["000.jsonl"] == whole
    for text in kept.values():
        assert text in whole
