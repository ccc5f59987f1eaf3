"""The ladder: every bot in every setting with the same seeds, and a page that tells it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from beachhead.bots import BOTS
from beachhead.content.library import EDITIONS, library
from beachhead.core.errors import BeachheadError, SetupError
from beachhead.sim.figures import Paired
from beachhead.sim.ladder import Ladder, Match, cells, claims, page, read_ladder, row_of, settings
from beachhead.sim.rows import Row, to_lines
from beachhead.sim.runner import cell_of, plan_of, simulate
from beachhead.sim.store import Store, find_store, open_store, take_over, write_kept


def test_every_map_and_level_of_both_editions_alone_and_with_four() -> None:
    found = [(s["edition"], s["map"], s.get("level"), s["seats"]) for s in settings()]
    expected = {
        (edition, board.id, level, seats)
        for edition in EDITIONS
        for board in library().maps[edition].values()
        for level in (None, *board.levels)
        for seats in (1, 4)
        if seats >= board.least_seats
    }
    assert set(found) == expected
    assert len(found) == len(expected)


def test_every_bot_plays_every_setting_with_the_same_seed() -> None:
    found = cells(settings(), seed=5)
    assert len(found) == len(settings()) * len(BOTS)
    assert {cell.seed for cell in found} == {5}
    assert all(len(set(cell.bots)) == 1 and len(cell.bots) == cell.setup["seats"] for cell in found)


def test_settings_may_be_named() -> None:
    assert settings(["first"], ["n01-exercise-tiger"], ["practice-run", "full"], [2]) == [
        {"edition": "first", "map": "n01-exercise-tiger", "seats": 2, "level": "practice-run"},
        {"edition": "first", "map": "n01-exercise-tiger", "seats": 2},
    ]
    assert [cell.bots for cell in cells(settings(["first"], ["n01-exercise-tiger"], ["full"], [1]), ["thumb"])] == [
        ("thumb",)
    ]


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ((["third"],), "unknown edition 'third'"),
        (((), ["nowhere"]), "unknown map 'nowhere'"),
        (((), (), ["easy"]), "unknown level 'easy': expected one of full, practice-run"),
        ((["second"], (), ["practice-run"]), "unknown level 'practice-run'"),
    ],
)
def test_settings_that_there_are_not(order: tuple[list[str], ...], message: str) -> None:
    with pytest.raises(SetupError, match=message):
        settings(*order)


# ---- the page


def made(tmp_path: Path, won: dict[str, list[int]], games: int = 60) -> tuple[Store, dict[str, object]]:
    """A folder as if these numbers had been won by these bots, in one setting."""
    plan = plan_of(cells(settings(["first"], ["n01-exercise-tiger"], ["full"], [1]), list(won)), games)
    store = open_store(plan, tmp_path, "beachhead ladder --games 60 --seed 0 --out FOLDER")
    for block in plan.blocks():
        wins = won[plan.cells[block.cell].bots[0]]
        rows = [Row(n, n in wins, "bunker-conquered" if n in wins else "wiped-out", 3, 9) for n in block.numbers]
        store.put(block, to_lines(rows))
    return find_store(tmp_path)


def test_bots_are_compared_game_by_game(tmp_path: Path) -> None:
    store, _ = made(tmp_path, {"random": [1, 2, 3], "thumb": list(range(2, 41))})
    ladder = read_ladder(store)
    assert [sum(one.won) for one in ladder.standings] == [3, 39]
    (match,) = ladder.matches
    assert (match.one, match.other, match.pair) == ("thumb", "random", Paired(60, 37, 1))
    assert match.verdict == "stronger"
    assert match._replace(pair=Paired(60, 1, 37)).verdict == "weaker"
    assert match._replace(pair=Paired(60, 5, 3)).verdict == "same"


def test_the_page_states_all_that_a_claim_needs(tmp_path: Path) -> None:
    store, notes = made(tmp_path, {"random": [1, 2, 3], "thumb": list(range(2, 41))})
    text = page(read_ladder(store), notes)
    setup = store.plan.made
    for words in (
        "| command | `beachhead ladder --games 60 --seed 0 --out FOLDER` |",
        "| games | 60 for each bot in each setting, 120 in all |",
        "| seeds | base seed 0, games 1 to 60 |",
        f"| hash of boards, cards and what bots have learned | `{store.plan.content}` |",
        f"| hash of rules and bots | `{setup.engine}`, {setup.solver} |",
        f"| begun on | {notes['begun']} |",
        "**These are fewer than 2,000 games",
        "| First edition, Exercise Tiger, 1 Unit | 5.0 (1.7 to 13.7) | 65.0 (52.4 to 75.8) |",
        "| Corporal over Recruit | 1 | 0 | 0 |",
        "| Corporal over Recruit | +60.0 | ",
        " | 37 | 1 | < 0.0001 | stronger |",
    ):
        assert words in text
    assert page(read_ladder(store), notes) == text


def test_claims_are_told_with_a_verdict(tmp_path: Path) -> None:
    """60 games: the Captain wins 59, the Corporal 20, the Colonel all of them."""
    won = {"thumb": list(range(1, 21)), "exact": list(range(1, 60)), "planner": list(range(1, 61))}
    store, notes = made(tmp_path, won)
    ahead, never, better = claims(read_ladder(store))
    assert (ahead.verdict, never.verdict, better.verdict) == ("holds", "holds", "likely")
    assert "98.3" in ahead.found and "+65.0" in ahead.found
    assert never.found == "weaker in 0 of 1 settings" and better.found == "stronger in 0 of 1 such settings"
    text = page(read_ladder(store), notes)
    assert "- **Captain** (`exact`): " in text
    assert f"| {ahead.text} | {ahead.found} | open |" in text  # 60 games are too few for a claim


def test_a_claim_that_no_setting_can_show_stays_open(tmp_path: Path) -> None:
    """Where the Captain wins every game the Colonel cannot be better."""
    every = list(range(1, 61))
    *_, never, better = claims(read_ladder(made(tmp_path, {"exact": every, "planner": every})[0]))
    assert (never.verdict, better.verdict) == ("holds", "open")


def test_a_claim_that_does_not_hold_is_told(tmp_path: Path) -> None:
    """The Captain wins 30 of 60, the Corporal 28, the Colonel 10."""
    won = {"thumb": list(range(1, 29)), "exact": list(range(1, 31)), "planner": list(range(1, 11))}
    found = claims(read_ladder(made(tmp_path, won)[0]))
    assert [one.verdict for one in found] == ["fails", "fails", "fails"]


def test_the_best_possible_is_known_of_the_practice_run(tmp_path: Path) -> None:
    plan = plan_of(cells(settings(["first"], ["n01-exercise-tiger"], ["practice-run"], [1]), ["exact"]), 1)
    store = Store(plan)
    store.put(next(plan.blocks()), to_lines([Row(1, True, "bunker-conquered", 1, 9)]))
    (near,) = claims(read_ladder(store))
    assert near.found.endswith("the best possible is 99.94 %") and near.verdict == "likely"


def test_faults_of_bots_are_told() -> None:
    plan = plan_of(cells(settings(["first"], ["n01-exercise-tiger"], ["full"], [1]), ["thumb"]), 1)
    store = Store(plan)
    store.put(next(plan.blocks()), to_lines([Row(1, False, "wiped-out", 1, 9, faults=3)]))
    text = page(read_ladder(store), {})
    assert "- Corporal, First edition, Exercise Tiger, 1 Unit: random answers stood in for 3 answers" in text
    assert "## Differences" not in text


def test_a_run_that_is_not_over_makes_no_page(tmp_path: Path) -> None:
    plan = plan_of(cells(settings(["first"], ["n01-exercise-tiger"], ["full"], [1])), 3)
    with pytest.raises(BeachheadError, match=rf"lacks {3 * len(BOTS)} games"):
        read_ladder(open_store(plan, tmp_path))


def test_the_figures_as_json(tmp_path: Path) -> None:
    store, _ = made(tmp_path, {"random": [1], "thumb": [2]})
    found = json.loads(json.dumps(read_ladder(store).as_json()))
    assert found["differences"][0]["only"] == [1, 1]
    assert found["results"][1]["wins"] == 1
    assert isinstance(read_ladder(store), Ladder) and isinstance(read_ladder(store).matches[0], Match)


# ---- a file of who won


def test_the_page_can_be_made_of_the_file_alone(tmp_path: Path) -> None:
    store, notes = made(tmp_path / "run", {"random": [1, 2, 3], "thumb": [*range(2, 41), 60]})
    write_kept(tmp_path / "kept.json", store, notes)
    again, said = find_store(tmp_path / "kept.json")
    assert page(read_ladder(again), said) == page(read_ladder(store), notes)
    assert [n for n, won in enumerate(again.kept(1).won, 1) if won] == [*range(2, 41), 60]


def test_the_file_tells_faults_by_the_number_of_the_game(tmp_path: Path) -> None:
    plan = plan_of(cells(settings(["first"], ["n01-exercise-tiger"], ["full"], [1]), ["thumb"]), 3)
    store = open_store(plan, tmp_path / "run")
    for block, faults in zip(plan.blocks(), (0, 2, 5), strict=True):
        store.put(block, to_lines([Row(block.numbers[0], False, "wiped-out", 1, 9, faults=faults)]))
    store, notes = find_store(tmp_path / "run")
    write_kept(tmp_path / "kept.json", store, notes)
    again, _ = find_store(tmp_path / "kept.json")
    assert [read_ladder(again, n).standings[0].faults for n in (1, 2, 3)] == [0, 2, 7]


def test_a_page_of_the_first_games_alone(tmp_path: Path) -> None:
    """What is missing of later games does no harm, what is missing of these does."""
    plan = plan_of(cells(settings(["first"], ["n01-exercise-tiger"], ["full"], [1]), ["random", "thumb"]), 4)
    store = open_store(plan, tmp_path)
    for block in plan.blocks():
        if block.numbers[0] != 3:
            store.put(block, to_lines([Row(n, n == 2, "wiped-out", 3, 9) for n in block.numbers]))
    found = read_ladder(store, 2)
    assert [one.won for one in found.standings] == [(False, True)] * 2
    assert "| games | 2 for each bot in each setting, 4 in all |" in page(found, {})
    for n in (3, 4, None):
        with pytest.raises(BeachheadError, match="lacks"):
            read_ladder(store, n)
    for n in (0, 5):
        with pytest.raises(SetupError, match=f"{n} games of each: expected 1 to 4"):
            read_ladder(store, n)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"cells": [3]}',
        '{"cells": [], "games": 5}',
        '{"cells": [{"played": 9, "won": "AA==", "faults": []}]}',
        '{"format": 2, "cells": [{"played": 9, "won": "AA==", "faults": []}]}',
    ],
)
def test_a_file_of_another_kind_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "kept.json").write_text(text)
    with pytest.raises(BeachheadError, match=r"kept\.json (is no file that ladder --keep has written|is damaged)"):
        find_store(tmp_path / "kept.json")


def test_a_file_of_another_format_is_refused(tmp_path: Path) -> None:
    store, notes = made(tmp_path / "run", {"random": [1], "thumb": [2]})
    write_kept(tmp_path / "kept.json", store, notes | {"format": 3})
    with pytest.raises(BeachheadError, match=r"kept\.json is no file that ladder --keep has written"):
        find_store(tmp_path / "kept.json")


def test_games_of_pocket_make_no_ladder() -> None:
    store = Store(plan_of([cell_of("battle", {"seats": 2}, ["random"])], 1))
    simulate(store.plan, store)
    with pytest.raises(BeachheadError, match="holds games of something else: expected those of the landing"):
        read_ladder(store)


def test_a_line_in_a_name_divides_no_row_of_the_page() -> None:
    assert row_of(["Utah | Omaha", "5.0"]) == r"| Utah \| Omaha | 5.0 |"


def test_a_longer_run_begins_where_the_file_ends(tmp_path: Path) -> None:
    """Game by game the same as if all had been played in one go; what is known is not played."""
    found = cells(settings(["first"], ["n01-exercise-tiger"], ["practice-run"], [1]), ["random", "thumb"])
    whole = Store(plan_of(found, 9))
    simulate(whole.plan, whole)
    short = open_store(plan_of(found, 5), tmp_path / "short")
    simulate(short.plan, short)
    write_kept(tmp_path / "kept.json", *find_store(tmp_path / "short"))
    for source in ("kept.json", "short"):
        long = open_store(plan_of(found, 9), tmp_path / f"long-{source}")
        take_over(long, tmp_path / source, only_won=True)
        assert {n for block in long.open_blocks() for n in block.numbers} == {6, 7, 8, 9}
        long = open_store(plan_of(found, 9), tmp_path / f"long-{source}")  # stopped, and started again
        assert simulate(long.plan, long).games == 2 * 4
        again, _ = find_store(tmp_path / f"long-{source}")
        assert read_ladder(again) == read_ladder(whole)


def test_who_only_knows_who_won_cannot_tell_more(tmp_path: Path) -> None:
    store, notes = made(tmp_path / "run", {"random": [1], "thumb": [2]})
    write_kept(tmp_path / "kept.json", store, notes)
    again, _ = find_store(tmp_path / "kept.json")
    with pytest.raises(BeachheadError, match="tells only who won"):
        list(again.rows(0))
    with pytest.raises(BeachheadError, match="tells only who won"):
        take_over(Store(store.plan), tmp_path / "kept.json")


# ---- the command


def beachhead(*args: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "beachhead", "ladder", *map(str, args)]
    return subprocess.run(
        command, env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}, capture_output=True, text=True, check=False
    )


def test_a_folder_is_played_here_and_told_there(tmp_path: Path) -> None:
    bots = ("--bot", "random", "--bot", "thumb")
    order = ("--level", "practice-run", "--seats", "1", *bots, "--games", "3", "--workers", "1")
    done = beachhead(*order, "--out", tmp_path / "run")
    assert (done.returncode, done.stderr) == (0, "")
    assert "First edition, Exercise Tiger, Practice Run, 1 Unit" in done.stdout
    (tmp_path / "run").rename(tmp_path / "copy")
    page_file, pictures = tmp_path / "strength.md", tmp_path / "pictures"
    told = beachhead("--from", tmp_path / "copy", "--write", page_file, "--plots", pictures)
    assert (told.returncode, told.stderr) == (0, "")
    assert f"wrote {page_file}\n" in told.stdout
    text = page_file.read_text()
    command = f"beachhead ladder --level practice-run --seats 1 {' '.join(bots)} --games 3 --seed 0 --out FOLDER"
    assert f"`{command}`" in text
    assert str(tmp_path) not in text
    again = beachhead("--from", tmp_path / "copy", "--write", page_file, "--json")
    assert "in place of the old one" in again.stderr
    assert json.loads(again.stdout)["games"] == 3
    assert page_file.read_text() == text
    kept = beachhead("--from", tmp_path / "copy", "--keep", tmp_path / "kept.json", "--quiet")
    assert (kept.returncode, kept.stderr) == (0, "")
    assert "in place of the old one" in beachhead("--from", tmp_path / "kept.json", "--write", page_file).stdout
    assert page_file.read_text() == text
    longer = (*order[:-4], "--games", "4", "--workers", "1", "--out", tmp_path / "longer")
    assert "2 games in" in beachhead(*longer, "--with", tmp_path / "kept.json").stdout
    few = beachhead("--from", tmp_path / "copy", "--games", "2", "--json")
    assert [one["games"] for one in json.loads(few.stdout)["results"]] == [2, 2]
    table = tmp_path / "games.csv"
    beachhead("--from", tmp_path / "copy", "--games", "2", "--table", table, "--plots", tmp_path / "few")
    assert len(table.read_text().splitlines()) == 1 + 2 * 2
    assert (tmp_path / "few" / "win-rate.svg").read_text() != (pictures / "win-rate.svg").read_text()


def test_who_won_is_kept_of_a_run_that_is_not_over(tmp_path: Path) -> None:
    plan = plan_of(cells(settings(["first"], ["n01-exercise-tiger"], ["full"], [1]), ["thumb"]), 3)
    store = open_store(plan, tmp_path / "run")
    store.put(next(plan.blocks()), to_lines([Row(1, True, "bunker-conquered", 1, 9)]))
    done = beachhead("--from", tmp_path / "run", "--keep", tmp_path / "kept.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert "lacks 2 games" in done.stdout
    assert find_store(tmp_path / "kept.json")[0].kept(0).won == (True,)
    told = beachhead("--from", tmp_path / "kept.json", "--write", tmp_path / "page.md")
    assert (told.returncode, told.stdout) == (2, "") and "kept.json lacks 2 games" in told.stderr
    assert not (tmp_path / "page.md").exists()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((), "expected --out with a folder to play in, or --from"),
        (("--out", "a", "--from", "b"), "expected --out with a folder to play in, or --from"),
        (("--from", "no-such-folder"), "no-such-folder holds no run"),
        (("--from", "a", "--with", "b"), "--with goes with --out"),
        (("--out", "x", "--bot", "hal"), "unknown bot 'hal'"),
        (("--out", "x", "--games", "0"), "0 games: expected 1 or more"),
    ],
)
def test_a_mistake_is_told_in_one_line(args: tuple[str, ...], message: str) -> None:
    done = beachhead(*args)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
