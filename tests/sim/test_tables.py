"""Tables of games and pictures of them."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

from beachhead.core.errors import BeachheadError
from beachhead.sim import tables
from beachhead.sim.figures import Tally
from beachhead.sim.plots import _round_up, defeats, soldiers, win_rates, write_plots
from beachhead.sim.rows import Row, to_lines
from beachhead.sim.runner import Result, cell_of, plan_of, simulate
from beachhead.sim.store import Cell, Store
from beachhead.sim.tables import check_table, write_table

SVG = "{http://www.w3.org/2000/svg}"
SOLO = {"edition": "first", "map": "n01-exercise-tiger", "seats": 1}


@pytest.fixture(scope="module")
def store() -> Store:
    duo = {"edition": "second", "map": "n01-exercise-tiger", "seats": 2, "options": ["victory-points"]}
    solo = {"edition": "first", "map": "n01-exercise-tiger", "seats": 1, "level": "practice-run"}
    plan = plan_of([cell_of("landing", duo, ["random", "thumb"], 4), cell_of("landing", solo, ["thumb"], 4)], 2)
    found = Store(plan)
    simulate(plan, found)
    return found


def test_a_table_as_csv(store: Store, tmp_path: Path) -> None:
    write_table(tmp_path / "games.csv", store)
    with (tmp_path / "games.csv").open(newline="") as file:
        first, _, third, _ = csv.DictReader(file)
    row, alone = next(store.rows(0)), next(store.rows(1))
    assert (first["edition"], first["bots"]) == ("second", "random thumb")
    assert (first["options"], first["level"], third["level"]) == ("victory-points", "", "practice-run")
    assert (first["n"], first["seed"], first["won"]) == ("1", "4", str(row.won).lower())
    assert first["soldiers"] == " ".join(map(str, row.soldiers))
    assert first["points"] == " ".join(map(str, row.points)) != ""
    assert third["course"] == ";".join(str(turn[0]) for turn in alone.course)
    assert first["ways"] == ";".join(" ".join(way) for way in row.ways) != ""
    assert first["stays"] == ";".join(" ".join(map(str, turns)) for turns in row.stays)
    assert first["lost"] == " ".join(map(str, row.lost))
    assert list(tmp_path.iterdir()) == [tmp_path / "games.csv"]


def test_a_table_as_json(store: Store, tmp_path: Path) -> None:
    write_table(tmp_path / "games.json", store)
    found = json.loads((tmp_path / "games.json").read_text())
    assert found["plan"] == store.plan.as_json()
    row = next(store.rows(0))
    one = found["games"][0]
    assert len(found["games"]) == 4
    assert (one["bots"], one["n"], one["won"], one["cause"]) == (["random", "thumb"], 1, row.won, row.cause)
    assert one["course"] == [list(turn) for turn in row.course]


Given = list[tuple[dict[str, str], list[dict[str, Any]]]]
"""Tables that were written: their types and their rows."""


@pytest.fixture
def arrow(monkeypatch: pytest.MonkeyPatch) -> Given:
    """A stand-in for pyarrow: what it is given, and with which types."""
    given: Given = []

    class Writer:
        def __init__(self, path: Path, schema: dict[str, str]) -> None:
            path.write_text("parquet")
            self.schema = schema

        def __enter__(self) -> Writer:
            return self

        def __exit__(self, *error: object) -> None:
            pass

        def write_table(self, games: list[dict[str, Any]]) -> None:
            if any(self.schema["seed"] == "int64" and not -(2**63) <= game["seed"] < 2**63 for game in games):
                raise OverflowError
            given.append((self.schema, games))

    arrow = SimpleNamespace(
        **{name: (lambda name=name: name) for name in ("int32", "int64", "string", "bool_")},
        list_=lambda kind: f"list of {kind}",
        schema=dict,
        Table=SimpleNamespace(from_pylist=lambda games, schema: games),
    )
    monkeypatch.setattr(tables, "_pyarrow", lambda: (arrow, SimpleNamespace(ParquetWriter=Writer)))
    return given


def test_a_table_as_parquet_has_typed_columns(store: Store, tmp_path: Path, arrow: Given) -> None:
    check_table(tmp_path / "games.parquet")
    write_table(tmp_path / "games.parquet", store)
    assert [path.name for path in tmp_path.iterdir()] == ["games.parquet"]
    (kinds, games), (_, others) = arrow
    assert (kinds["won"], kinds["seats"], kinds["edition"]) == ("bool_", "int32", "string")
    assert (kinds["seed"], games[0]["seed"]) == ("int64", 4)
    assert (kinds["soldiers"], kinds["course"]) == ("list of int32", "list of list of int32")
    assert (kinds["ways"], kinds["stays"]) == ("list of list of string", "list of list of int32")
    assert games[0]["options"] == "victory-points" and others[0]["options"] is None
    assert [game["n"] for game in games + others] == [1, 2, 1, 2]
    assert set(games[0]) == set(kinds)


def with_seed(seed: int) -> Store:
    """One game under this seed."""
    plan = plan_of([Cell("landing", SOLO, ("random",), seed)], 1)
    found = Store(plan)
    found.put(next(plan.blocks()), to_lines([Row(1, True, "bunker-conquered", 1, 1)]))
    return found


@pytest.mark.parametrize("seed", [2**63, 10**40, -(2**63) - 1])
def test_a_seed_that_no_column_of_numbers_holds_is_text(tmp_path: Path, seed: int, arrow: Given) -> None:
    write_table(tmp_path / "games.parquet", with_seed(seed))
    ((kinds, (game,)),) = arrow
    assert (kinds["seed"], game["seed"]) == ("string", str(seed))


@pytest.mark.usefixtures("arrow")
def test_a_table_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(store: Store) -> list[str]:
        raise MemoryError

    (tmp_path / "games.csv").write_text("old")
    monkeypatch.setattr(tables, "_games", lambda store, number: failing(store))
    with pytest.raises(MemoryError):
        write_table(tmp_path / "games.csv", with_seed(1))
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("games.csv", "old")]


@pytest.mark.parametrize(
    ("name", "message"),
    [("games.xls", r"expected a file that ends in \.csv, \.json or \.parquet"), ("none/games.csv", "no such file or")],
)
def test_a_table_that_cannot_be_is_refused(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(BeachheadError, match=message):
        check_table(tmp_path / name)


def test_parquet_needs_its_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError

    monkeypatch.setattr(tables, "import_module", missing)
    with pytest.raises(BeachheadError, match=r"Parquet needs more packages: pip install 'beachhead\[parquet\]'"):
        check_table(tmp_path / "games.parquet")


# ---- pictures


def result(bot: str, won: int, lost: int, edition: str = "first") -> Result:
    tally = Tally()
    for n in range(won + lost):
        end = "bunker-conquered" if n < won else "wiped-out"
        tally.add(Row(n + 1, n < won, end, 2, 9, (3,), (), ((4,), (6,))))
    return Result(Cell("landing", {"edition": edition, "map": "n01-exercise-tiger", "seats": 1}, (bot,), 0), tally)


RESULTS = [result("random", 0, 10), result("a<b&c", 6, 4), result("random", 10, 0, "second")]


@pytest.mark.parametrize("draw", [win_rates, soldiers, defeats])
def test_pictures_say_in_words_what_they_show(draw: Any) -> None:
    picture = ElementTree.fromstring(draw(RESULTS))
    assert picture.get("role") == "img"
    title, told = picture.find(f"{SVG}title"), picture.find(f"{SVG}desc")
    assert title is not None and told is not None and title.text
    assert {picture.get("aria-labelledby"), picture.get("aria-describedby")} == {title.get("id"), told.get("id")}
    lines = (told.text or "").splitlines()
    assert [line.partition(": ")[0] for line in lines] == [
        "First edition, Exercise Tiger, 1 Unit, random",
        "First edition, Exercise Tiger, 1 Unit, a<b&c",
        "Second edition, Exercise Tiger, 1 Unit, random",
    ]


def test_the_picture_of_win_rates() -> None:
    drawn = win_rates(RESULTS)
    assert "60.0 % (31.3 to 83.2)" in drawn  # Wilson, 6 of 10
    assert "0.0 % (0.0 to 27.8)" in drawn and "100.0 % (72.2 to 100.0)" in drawn
    assert drawn.count("<circle") == 2  # random, in two settings; the other bot has another shape


def test_the_picture_of_soldiers() -> None:
    assert "Exercise Tiger, 1 Unit, random: 4.0 6.0" in soldiers(RESULTS)
    assert "stroke-dasharray" in soldiers(RESULTS)


def test_the_picture_of_defeats() -> None:
    drawn = defeats(RESULTS)
    assert "a Unit was wiped out 40.0 %" in drawn
    assert "no game was lost" in drawn
    assert drawn.count('fill="url(#cause0)"') == 3  # two bars and the legend
    assert drawn.count("<pattern") == 1


@pytest.mark.parametrize(
    ("most", "top"),
    [(0, 4), (3.2, 4), (4, 4), (5, 8), (9, 10), (13, 20), (40, 40), (41, 80), (90, 100), (401, 800), (5000, 8000)],
)
def test_the_scale_of_soldiers_has_round_steps_however_many_there_are(most: float, top: float) -> None:
    assert _round_up(most) == top


def pocket(game: str, *bots: str) -> Result:
    """Four games: the first player has the most points in three, the second in two."""
    tally = Tally()
    for n, points in enumerate(((9, 1), (9, 2), (9, 9), (1, 9)), 1):
        tally.add(Row(n, False, "goal", 3, 20, points=points, course=((), (), ())))
    return Result(Cell(game, {"seats": len(bots)}, bots, 0), tally)


def test_who_plays_against_each_other_is_drawn_player_by_player(tmp_path: Path) -> None:
    written = write_plots(tmp_path, [pocket("battle", "random", "thumb")])
    assert [path.name for path in written] == ["win-rate.svg"]
    drawn = written[0].read_text(encoding="utf-8")
    assert "Games in which a player had the most points" in drawn
    assert "Battle!, 2 players, player 1, random: 75.0 %" in drawn
    assert "Battle!, 2 players, player 2, thumb: 50.0 %" in drawn
    assert drawn.count("<circle") == 1  # the second player has another shape


def test_a_game_without_units_has_no_picture_of_soldiers(tmp_path: Path) -> None:
    written = write_plots(tmp_path, [pocket("express", "random", "random")])
    assert [path.name for path in written] == ["win-rate.svg", "defeats.svg"]
    assert "Express!, 2 players, random: 0.0 %" in written[0].read_text(encoding="utf-8")


def test_pictures_are_written(tmp_path: Path) -> None:
    written = write_plots(tmp_path / "new", RESULTS)
    assert [path.name for path in written] == ["win-rate.svg", "soldiers.svg", "defeats.svg"]
    (tmp_path / "file").write_text("")
    with pytest.raises(BeachheadError, match="file: "):
        write_plots(tmp_path / "file", RESULTS)
