"""The command line: whatever a person types, there is one clear message, exit code 2, and nothing is harmed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from beachhead import __version__, cli
from beachhead.content.library import PACKS
from beachhead.core.targets import check_file

CARD = """format = 1
edition = "first"

[[card]]
id = "kite"
name = "Kite"
kind = "regular-item"
cost = 1
rule = "F-ITEM-01"
text = "It flies."
"""


def beachhead(*args: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "beachhead", *map(str, args)],
        cwd=cwd,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["sim", "landing", "--edition", "third"], "unknown edition 'third': expected one of first, second"),
        (["sim", "landing", "--map", "n99"], "unknown map 'n99': expected one of n01-exercise-tiger"),
        (["sim", "landing", "--games", "many"], "--games"),
        (["sim", "chess"], "unknown game 'chess': expected one of landing"),
        (["play", "--edition", "third"], "unknown edition 'third'"),
        (["play", "--load", "nowhere.jsonl"], "nowhere.jsonl"),
        (["rules", "show", "F-ROLL-99"], "F-ROLL-99"),
        (["scenario", "nowhere.toml"], "nowhere.toml"),
        (["replay", "nowhere.jsonl"], "nowhere.jsonl"),
        (["verify", "nowhere.jsonl"], "nowhere.jsonl"),
        (["packs", "check", "nowhere"], "no such folder"),
        (["--packs", "nowhere", "sim", "landing"], "no such folder"),
        (["dance"], "No such command 'dance'"),
    ],
)
def test_a_mistake_is_told_in_one_message_without_a_traceback(args: list[str], message: str, tmp_path: Path) -> None:
    done = beachhead(*args, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr + done.stdout
    assert len(done.stderr.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("args", "english", "french"),
    [
        (["odds", "--lock", "abc"], "--lock: expected a whole number", "--lock : il faut un nombre entier"),
        (["odds", "--gaol"], "there is no option --gaol; did you mean '--goal'", "il n'y a pas d'option --gaol ;"),
        (["odds", "--lock"], "--lock needs a value", "--lock demande une valeur"),
        (["rules", "show"], "ID... is missing", "il manque ID..."),
    ],
)
def test_what_was_typed_wrongly_is_told_in_the_language_that_is_spoken(
    args: list[str], english: str, french: str
) -> None:
    for lang, message in (("en", english), ("fr", french)):
        done = beachhead("--lang", lang, *args)
        assert (done.returncode, done.stdout) == (2, "")
        assert message in done.stderr.replace("\xa0", " ")


def test_what_cannot_be_written_out_ends_in_one_line_or_none() -> None:
    """A full disk, a pipe that nobody reads, a terminal that knows fewer letters."""
    odds = [sys.executable, "-m", "beachhead", "odds", "--goal", "straight", "--lang", "fr"]
    for buffered in ({"PYTHONUNBUFFERED": "1"}, {"PYTHONUNBUFFERED": ""}):
        given = {**os.environ, **buffered}
        if os.path.exists("/dev/full"):
            with open("/dev/full", "w") as full:
                done = subprocess.run(odds, stdout=full, stderr=subprocess.PIPE, env=given, text=True, check=False)
            assert done.returncode == 1
            assert done.stderr == "beachhead: -: No space left on device\n"
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(odds, stdout=writing, stderr=subprocess.PIPE, env=given, text=True, check=False)
        os.close(writing)
        assert (done.returncode, done.stderr) == (1, "")
        plain = given | {"PYTHONIOENCODING": "ascii"}
        done = subprocess.run(odds, capture_output=True, env=plain, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert "0.196817675757" in done.stdout


def test_who_stops_a_command_is_told_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("beachhead.solve.cli._before", stopped)
    monkeypatch.setattr(sys, "argv", ["beachhead", "--lang", "en", "odds", "--goal", "straight"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 130
    assert capsys.readouterr() == ("", "beachhead: stopped\n")


def test_a_file_is_tried_without_taking_a_link_away(tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "later.json")
    check_file(link)
    assert link.is_symlink()


def test_a_pack_with_an_unknown_key_is_refused_with_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    file = tmp_path / "cards" / "mine.toml"
    file.write_text(CARD + 'colour = "red"\n', encoding="utf-8")
    for args in (["packs", "check", tmp_path], ["--packs", tmp_path, "sim", "landing", "--games", "1"]):
        done = beachhead(*args)
        assert done.returncode == 2
        assert f"{file}:11: card[0].colour: unknown key" in done.stderr
        assert "Traceback" not in done.stderr


def test_a_pack_of_ones_own_is_played_with(tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "mine.toml").write_text(CARD, encoding="utf-8")
    assert "71 cards" in beachhead("packs", "check", tmp_path).stdout
    done = beachhead("--packs", tmp_path, "sim", "landing", "--games", "2", "--save", tmp_path / "games")
    assert done.returncode == 0
    (record, *_) = sorted((tmp_path / "games").iterdir())
    assert beachhead("--packs", tmp_path, "verify", record).returncode == 0
    other = beachhead("verify", record)
    assert other.returncode == 1
    assert "play it with the cards and maps it was recorded with" in other.stdout


def test_the_headline_of_a_record_tells_only_what_is_set(tmp_path: Path) -> None:
    assert beachhead("sim", "express", "--games", "1", "--save", tmp_path).returncode == 0
    (record,) = tmp_path.iterdir()
    headline = beachhead("replay", record).stdout.splitlines()[0]
    assert headline == f"express, beach utah, seats 1; recorded with Beachhead {__version__}"


def test_a_corrected_value_is_named_in_the_header_of_the_record(tmp_path: Path) -> None:
    made = beachhead("packs", "new", "printed", "--edition", "first", "--folder", tmp_path)
    assert made.returncode == 0
    pack = tmp_path / "printed"
    file = pack / "corrections" / "printed.toml"
    file.write_text(file.read_text("utf-8").replace("# [maps", "[maps").replace("# def", "def"), encoding="utf-8")
    named = "first maps n01-exercise-tiger sectors.5.def"
    assert f"not as delivered: {named}" in beachhead("packs", "check", pack).stdout
    played = beachhead("--packs", pack, "sim", "landing", "--games", "1", "--save", tmp_path / "games")
    assert played.returncode == 0
    (record,) = (tmp_path / "games").iterdir()
    header = json.loads(record.read_text("utf-8").splitlines()[0])
    assert header["changed"] == [named]
    assert named in beachhead("--packs", pack, "replay", record).stdout
    assert beachhead("--packs", pack, "verify", record).returncode == 0
    header["changed"] = ["first maps \x1b[31mred"]
    rest = record.read_text("utf-8").splitlines()[1:]
    record.write_text("\n".join([json.dumps(header), *rest, ""]), encoding="utf-8")
    refused = beachhead("--packs", pack, "verify", record)
    assert refused.returncode == 2
    assert "\x1b" not in refused.stdout + refused.stderr
    del header["changed"]
    record.write_text("\n".join([json.dumps(header), *rest, ""]), encoding="utf-8")
    assert named in beachhead("--packs", pack, "verify", record).stdout, (
        "what was changed is told, though it was left out"
    )


def test_ones_own_packs_are_made_listed_drawn_and_loaded(tmp_path: Path) -> None:
    def own(*args: object) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "beachhead", *map(str, args)],
            capture_output=True,
            text=True,
            env={**os.environ, "BEACHHEAD_DATA": str(tmp_path)},
            cwd=tmp_path,
            check=True,
        )
        return done.stdout

    assert own("packs", "new", "my-beach").count("wrote") == 2
    pack = tmp_path / "packs" / "my-beach"
    assert f"my-beach: maps 1, corrections 1 ({pack})" in own("packs", "list")
    assert "13 maps: all in order" in own("packs", "check")
    assert "13 maps: all in order" in own("packs", "check", pack), "once, although it is loaded anyway"
    (tmp_path / "more" / "pocket").mkdir(parents=True)
    medals = (PACKS / "pocket" / "medals.toml").read_text("utf-8").replace('"worthless"', '"advance"')
    (tmp_path / "more" / "pocket" / "mine.toml").write_text(medals, encoding="utf-8")
    told = own("packs", "check", tmp_path / "more")
    assert "13 maps: all in order" in told and "not as delivered: pocket medals" in told
    own("--packs", tmp_path / "more", "sim", "battle", "--games", "1", "--quiet", "--save", tmp_path / "games")
    (record,) = (tmp_path / "games").iterdir()
    assert json.loads(record.read_text("utf-8").splitlines()[0])["changed"][0].startswith("pocket medals ")
    assert "pocket 1" in own("--packs", tmp_path / "more", "packs", "list")
    assert own("packs", "schema", "schemas").count("in place of the old one") == 0
    assert own("packs", "schema", "schemas").count("in place of the old one") == 6
    assert own("map", "my-beach") == "wrote my-beach.svg\n"
    assert "my-beach" in own("sim", "landing", "--edition", "second", "--map", "my-beach", "--games", "1", "--quiet")
    (pack / "maps" / "my-beach.toml").write_text("format = 2\n", encoding="utf-8")
    assert "faults: beachhead packs check tells them" in own("packs", "list")


def test_the_version_and_the_help_are_there() -> None:
    assert beachhead("--version").stdout.startswith("beachhead ")
    help_text = beachhead("--help").stdout
    for command in ("play", "sim", "replay", "verify", "scenario", "rules", "packs"):
        assert command in help_text
