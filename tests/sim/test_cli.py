"""The commands sim, replay and verify as a user meets them: output, exit code, and one line for a mistake."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from beachhead.core import record as records
from beachhead.games import GAMES


def beachhead(*args: str | Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, "-m", "beachhead", *map(str, args)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def told(*args: str | Path) -> str:
    done = beachhead(*args)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Four records: two of each edition."""
    found: list[Path] = []
    for edition in ("first", "second"):
        folder = tmp_path_factory.mktemp(edition)
        told(
            "sim",
            "landing",
            "--edition",
            edition,
            "--seats",
            "2",
            "--games",
            "2",
            "--seed",
            "5",
            "--workers",
            "1",
            "--save",
            folder,
        )
        found += sorted(folder.iterdir())
    return found


# ---- sim


def test_sim_prints_a_table_with_intervals() -> None:
    shown = told(
        "sim", "landing", "--edition", "second", "--seats", "2", "--games", "20", "--seed", "5", "--workers", "1"
    )
    for words in ("95 % interval", "won", "ended by", "turns per game", "decisions per game", "20 games in", "seed 5"):
        assert words in shown


def test_sim_with_json_prints_one_object() -> None:
    shown = told("sim", "landing", "--seats", "2", "--games", "20", "--seed", "5", "--workers", "1", "--json")
    found = json.loads(shown)
    assert found["games"] == 20
    assert found["setup"] == {"edition": "first", "map": "n01-exercise-tiger", "seats": 2}
    assert found["bots"] == ["random", "random"]
    assert sum(found["ended"].values()) == 20
    assert found["decisions"] == pytest.approx(20 * found["decisions_per_game"])
    assert found["win_rate"] == found["wins"] / 20
    low, high = found["win_rate_95"]
    assert 0 <= low <= found["win_rate"] <= high <= 1
    assert found["seconds"] > 0
    assert found["decisions_per_second"] == pytest.approx(found["decisions"] / found["seconds"])


def test_sim_gives_the_same_figures_for_one_and_three_workers() -> None:
    order = ("sim", "landing", "--seats", "2", "--games", "30", "--seed", "5", "--json")
    alone, three = (json.loads(told(*order, "--workers", n)) for n in ("1", "3"))
    assert (alone.pop("workers"), three.pop("workers")) == (1, 3)
    for found in (alone, three):
        del found["seconds"], found["decisions_per_second"]
    assert alone == three


def test_players_of_battle_win_for_themselves() -> None:
    """One of three has the most points in each game, and nobody has won for all."""
    found = json.loads(told("sim", "battle", "--seats", "3", "--games", "5", "--workers", "1", "--json"))
    assert len(found["most_points"]) == 3
    assert sum(found["most_points"]) >= 5
    assert found["most_points_rate"] == [n / 5 for n in found["most_points"]]
    for rate, (low, high) in zip(found["most_points_rate"], found["most_points_rate_95"], strict=True):
        assert 0 <= low <= rate <= high <= 1
    assert not {"wins", "win_rate", "win_rate_95"} & found.keys()
    shown = told("sim", "battle", "--seats", "3", "--games", "5", "--workers", "1")
    assert shown.count("most points: player") == 3


def test_sim_knows_options_and_levels() -> None:
    options = ("--option", "mulligan", "--option", "victory-points", "--level", "basic-training")
    found = json.loads(told("sim", "landing", "--seats", "2", "--games", "5", *options, "--workers", "1", "--json"))
    assert found["setup"]["options"] == ["mulligan", "victory-points"]
    assert found["setup"]["level"] == "basic-training"


def test_sim_goes_on_in_its_folder_and_writes_tables_and_pictures(tmp_path: Path) -> None:
    order = ("sim", "landing", "--games", "5", "--workers", "1", "--out", tmp_path / "run")
    told(*order)
    table, pictures = tmp_path / "games.csv", tmp_path / "pictures"
    again = told(*order, "--table", table, "--plots", pictures)
    assert "all games were there already" in again
    assert f"wrote {table}" in again
    assert len(table.read_text().splitlines()) == 6
    assert sorted(path.name for path in pictures.iterdir()) == ["defeats.svg", "soldiers.svg", "win-rate.svg"]
    over = beachhead(*order, "--table", table, "--json")
    assert over.stderr == f"wrote {table}, in place of the old one\n"
    assert json.loads(over.stdout)["games"] == 5
    other = beachhead(*order, "--seed", "1")
    assert (other.returncode, other.stdout) == (2, "")
    assert "holds another run (cells: seed 0 there, seed 1 here)" in other.stderr


def test_one_game_has_no_interval_of_its_mean() -> None:
    found = json.loads(told("sim", "landing", "--games", "1", "--json"))
    assert found["turns_per_game_95"] == [None, None]
    shown = told("sim", "landing", "--games", "1")
    assert " - " in shown
    assert "1 game in " in shown and shown.rstrip().endswith(" in 1 process")


def test_faults_reach_the_command_once_per_game(tmp_path: Path) -> None:
    """Also those of other processes."""
    (tmp_path / "sitecustomize.py").write_text(
        "import beachhead.bots as bots\n"
        "def answer(decision, view, rng):\n"
        "    raise SystemExit\n"
        "bots.BOTS['leaving'] = bots.Bot('leaving', 'leaving', answer)\n"
    )
    order = ["sim", "landing", "--bot", "leaving", "--games", "3", "--workers", "2", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "beachhead", *order],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["faults"] > 3
    assert sorted(line.partition(": ")[0][-6:] for line in done.stderr.splitlines()) == ["game 1", "game 2", "game 3"]
    assert done.stderr.count("the bot leaving: SystemExit()") == 3


def test_a_bot_and_a_nation_may_be_named_for_each_seat() -> None:
    bots, nations = ("--bot", "random") * 2, ("--nation", "canada", "--nation", "usa")
    found = json.loads(
        told("sim", "landing", "--edition", "second", "--seats", "2", *bots, *nations, "--games", "1", "--json")
    )
    assert found["bots"] == ["random", "random"]
    assert found["setup"]["nations"] == ["canada", "usa"]


MISTAKES = [
    (("sim", "chess"), "unknown game 'chess': expected one of landing"),
    (("sim", "landing", "--games", "0"), "0 games: expected 1 or more"),
    (("sim", "landing", "--games", "-1"), "-1 games: expected 1 or more"),
    (("sim", "landing", "--games", "9" * 33), "games: expected 1000000000 or fewer"),
    (("worth", "--games", "9" * 33), "games: expected 1000000 or fewer"),
    (("sim", "landing", "--cluster", ""), "'' is no address of a scheduler"),
    (("sim", "landing", "--cluster", "foo://x"), "'foo://x' is no address of a scheduler"),
    (("sim", "landing", "--workers", "0"), "0 workers: expected 1 or more"),
    (("sim", "landing", "--workers", "many"), "many workers: expected a number, or auto"),
    (("sim", "landing", "--table", "games.txt"), "expected a file that ends in .csv, .json or .parquet"),
    (("sim", "landing", "--table", "no-such-folder/games.csv"), "no-such-folder"),
    (("sim", "landing", "--plots", __file__), "test_cli.py"),
    (("ladder", "--out", "x", "--write", str(Path(__file__).parent)), "Is a directory"),
    (("ladder", "--from", "x", "--map", "n02-omaha"), "--from shows a run as it was played"),
    (("ladder", "--from", "x", "--seed", "0"), "--from shows a run as it was played"),
    (("ladder", "--out", "x", "--again", "5"), "--again goes with --with"),
    (("balance", "n02-omaha", "--again", "5"), "--again goes with --with"),
    (("train", "--map", "n02-omaha", "--out", str(Path(__file__).parent)), "Is a directory"),
    (("sim", "landing", "--cluster", "tcp://host:1", "--save", "x"), "--save does not go with --cluster"),
    (("sim", "landing", "--out", str(Path(__file__).parent)), "is not empty and holds no run"),
    (("sim", "landing", "--seats", "9"), "9 seats: expected 1 to 4 in the first edition"),
    (("sim", "landing", "--seats", "0"), "0 seats: expected 1 to 4 in the first edition"),
    (("sim", "landing", "--edition", "third"), "unknown edition 'third': expected one of first, second"),
    (("sim", "landing", "--map", "n01-exercise-tigre"), "did you mean 'n01-exercise-tiger'?"),
    (("sim", "landing", "--bot", "hal"), "unknown bot 'hal': expected one of"),
    (("sim", "landing", "--seats", "3", "--bot", "random", "--bot", "random"), "2 bots for 3 seats"),
    (("sim", "landing", "--nation", "mars"), "unknown nation 'mars'"),
    (("sim", "landing", "--save", __file__), "the games cannot be saved in"),
    (("replay", "no-such-file"), "no-such-file: there is no such file"),
    (("replay", "/"), "/: the record cannot be read"),
    (("replay", __file__), "the line is not JSON"),
    (("verify", "no-such-file"), "no-such-file: there is no such file"),
    (("verify", __file__), "the line is not JSON"),
]


@pytest.mark.parametrize(("args", "message"), MISTAKES, ids=[" ".join(args)[:60] for args, _ in MISTAKES])
def test_a_mistake_is_told_in_one_line(args: tuple[str, ...], message: str) -> None:
    done = beachhead(*args)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("beachhead: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("args", [("sim",), ("sim", "landing", "--games", "many"), ("verify",), ("replay", "--loud")])
def test_a_command_line_that_makes_no_sense_has_no_traceback(args: tuple[str, ...]) -> None:
    done = beachhead(*args)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr


def test_save_overwrites_nothing(saved: list[Path]) -> None:
    before = saved[0].read_bytes()
    done = beachhead("sim", "landing", "--games", "9", "--seed", "5", "--save", saved[0].parent)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "landing-5-0001.jsonl is already there, and nothing was played" in done.stderr
    assert saved[0].read_bytes() == before
    assert len(list(saved[0].parent.iterdir())) == 2


# ---- verify


def test_verify_says_what_it_checked(saved: list[Path]) -> None:
    lines = told("verify", *saved).splitlines()
    assert len(lines) == len(saved) == 4
    for line, file in zip(lines, saved, strict=True):
        entries = records.read(file).entries
        steps = sum(isinstance(entry, records.Answered | records.Rolled) for entry in entries)
        rolls = sum(isinstance(entry, records.Rolled) for entry in entries)
        assert line == f"{file}: all {steps} steps, {rolls} rolls, 1 seed: right"


def tampered(file: Path, tmp_path: Path, kind: str, part: int, value: object) -> tuple[Path, int]:
    """A copy with one part of the first line of this kind changed, and the number of that line."""
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    number = next(n for n, line in enumerate(lines) if isinstance(line, list) and line[0] == kind)
    assert lines[number][part] != value
    lines[number][part] = value
    copy = tmp_path / file.name
    copy.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return copy, number + 1


@pytest.mark.parametrize(
    ("kind", "part", "value", "message"),
    [
        ("roll", 3, [0, 0, 0, 0, 0, 0], "the seed gives"),
        ("roll", 1, "loaded", "the roll asked for is"),
        ("roll", 4, "000000000000", "events 000000000000 of roll"),
        ("answer", 3, "win", "that is not legal here"),
        ("answer", 4, "000000000000", "events 000000000000 of answer"),
        ("reveal", 1, "another seed", "it does not fit the commitment"),
        ("over", 2, "000000000000", "the last state 000000000000"),
    ],
)
def test_verify_names_the_first_difference(
    saved: list[Path], tmp_path: Path, kind: str, part: int, value: object, message: str
) -> None:
    file, line = tampered(saved[0], tmp_path, kind, part, value)
    done = beachhead("verify", file)
    assert done.returncode == 1
    assert done.stdout.startswith(f"{file}:{line}: step ")
    assert message in done.stdout
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_verify_says_what_of_our_content_was_changed(saved: list[Path], tmp_path: Path) -> None:
    lines = saved[0].read_text().splitlines(keepends=True)
    header = {**json.loads(lines[0]), "changed": ["first cards veteran cost"]}
    for some in (lines, lines[: len(lines) // 2]):
        file = tmp_path / "changed.jsonl"
        file.write_text("".join([json.dumps(header) + "\n", *some[1:]]))
        assert beachhead("verify", file).stdout.endswith(" with other values for first cards veteran cost\n")
    assert "with other values" not in told("verify", saved[0])


def test_a_record_without_its_seed_proves_no_dice(saved: list[Path], tmp_path: Path) -> None:
    lines = saved[0].read_text().splitlines(keepends=True)
    open_game = tmp_path / "open.jsonl"
    open_game.write_text("".join(lines[: len(lines) // 2]))
    done = beachhead("verify", open_game)
    assert done.returncode == 1
    assert "dice not yet verifiable" in done.stdout


def test_a_truncated_record_is_broken(saved: list[Path], tmp_path: Path) -> None:
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(saved[0].read_bytes()[:-10])
    for command in ("verify", "replay"):
        done = beachhead(command, cut)
        assert done.returncode == 2
        assert done.stdout == ""
        assert done.stderr.startswith(f"beachhead: {cut}:")
        assert done.stderr.count("\n") == 1


def test_a_broken_file_does_not_hide_the_others(saved: list[Path], tmp_path: Path) -> None:
    wrong, _ = tampered(saved[0], tmp_path, "answer", 3, "win")
    done = beachhead("verify", "no-such-file", wrong, saved[1])
    assert done.returncode == 2
    assert done.stderr == "beachhead: no-such-file: there is no such file\n"
    assert "not legal" in done.stdout.splitlines()[0]
    assert done.stdout.splitlines()[1].endswith("right")


# ---- replay


def test_replay_tells_the_game_in_words(saved: list[Path]) -> None:
    for file in saved:
        lines = told("replay", file).splitlines()
        assert lines[0].startswith("landing, edition ")
        assert "Turn 1" in lines
        assert "  Roll the dice" in lines
        assert any(line.startswith("    Unit 1 rolls ") for line in lines)
        over = records.replay(records.read(file), GAMES).finish().node
        assert isinstance(over, records.Over)
        assert lines[-1].startswith("Over after ")
        words = {"wiped-out": "a Unit was wiped out", "could-not-move": "a Unit had to move and could not"}
        words["bunker-conquered"] = "the Bunker is taken"
        assert lines[-1].endswith(f"{'won' if over.won else 'lost'}, {words[over.cause]} [{over.rule}]")


def test_replay_tells_where_a_unit_starts_once_it_has_chosen(tmp_path: Path) -> None:
    told("sim", "landing", "--map", "n03-utah", "--games", "1", "--bot", "random", "--save", tmp_path)
    (file,) = tmp_path.iterdir()
    starts = [line for line in told("replay", file).splitlines() if "Unit 1 starts in Sector" in line]
    assert len(starts) == 1


def test_replay_cites_the_rule_behind_each_line(saved: list[Path]) -> None:
    lines = told("replay", saved[0], "--cite").splitlines()
    body = [line for line in lines[1:-1] if line]
    assert all(line.endswith("]") and "  [F-" in line for line in body)
    assert [line.partition("  [F-")[0] for line in lines[:-1]] == told("replay", saved[0]).splitlines()[:-1]


def test_replay_gives_the_events_as_data(saved: list[Path]) -> None:
    events = [json.loads(line) for line in told("replay", saved[0], "--events").splitlines()]
    assert [event["n"] for event in events] == list(range(len(events)))
    assert events[-1]["type"] == "over"


def test_replay_stops_at_the_first_difference(saved: list[Path], tmp_path: Path) -> None:
    file, line = tampered(saved[0], tmp_path, "answer", 3, "win")
    done = beachhead("replay", file)
    assert done.returncode == 2
    assert done.stderr.startswith(f"beachhead: {file}:{line}: step ")
    assert done.stderr.count("\n") == 1


def test_an_unfinished_record_ends_with_its_open_questions(saved: list[Path], tmp_path: Path) -> None:
    lines = saved[0].read_text().splitlines(keepends=True)
    answer = next(n for n, line in enumerate(lines) if line.startswith('["answer"'))
    half = tmp_path / "half.jsonl"
    half.write_text("".join(lines[: answer + 1]))
    shown = told("replay", half)
    assert "Not over after" in shown
    assert shown.rstrip().endswith("?") or "Unit" in shown.splitlines()[-1]


def test_replay_tells_what_was_taken_back(saved: list[Path], tmp_path: Path) -> None:
    """An undo of the last answer, in a record made by hand."""
    lines = saved[2].read_text().splitlines(keepends=True)
    first = next(n for n, line in enumerate(lines) if line.startswith('["answer"'))
    header = json.loads(lines[0]) | {"practice": True}
    answer = lines[first]
    file = tmp_path / "undone.jsonl"
    file.write_text("".join([json.dumps(header) + "\n", *lines[1:first], answer, '["undo",1]\n', answer]))
    assert "    (1 step taken back)" in told("replay", file).splitlines()


def test_a_record_whose_end_was_cut_off_is_named(tmp_path: Path) -> None:
    beachhead("sim", "landing", "--games", "1", "--save", str(tmp_path / "games"))
    (whole,) = (tmp_path / "games").iterdir()
    cut = tmp_path / "cut.jsonl"
    cut.write_text("".join(whole.read_text(encoding="utf-8").splitlines(keepends=True)[:-1]), encoding="utf-8")
    done = beachhead("verify", str(cut))
    assert done.returncode == 1
    assert "its end is missing" in done.stdout + done.stderr
