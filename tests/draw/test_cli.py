"""The command `map`: what it writes, what it refuses, and that it never harms a file silently."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from beachhead.content.library import library
from beachhead.content.schema import Map
from beachhead.draw import cli
from beachhead.draw.cli import find_maps
from beachhead.draw.themes import tokens
from tests.test_cli import beachhead

TIGER = "n01-exercise-tiger"


def test_without_a_name_the_maps_are_listed() -> None:
    done = beachhead("map")
    assert done.returncode == 0
    assert TIGER in done.stdout
    assert "basic-training" in done.stdout
    assert "basic-training" not in beachhead("map", "--edition", "second").stdout


def test_a_map_of_either_edition_is_found_without_naming_it(tmp_path: Path) -> None:
    assert "n02-omaha " in beachhead("map").stdout
    assert "n12-crisbecq-battery" in beachhead("map").stdout
    for name, id in (("crisbecq battery", "n12-crisbecq-battery"), ("N-04", "n04-gold"), ("n04", "n04-gold-beach")):
        assert beachhead("map", name, cwd=tmp_path).stdout == f"wrote {id}.svg\n"
    assert beachhead("map", "n12", "--edition", "first", cwd=tmp_path).returncode == 2


def test_a_number_alone_and_an_id_without_its_number_will_do(tmp_path: Path) -> None:
    for name, id in (("omaha", "n02-omaha"), ("omaha-beach", "n02-omaha-beach"), ("12", "n12-crisbecq-battery")):
        assert beachhead("map", name, cwd=tmp_path).stdout == f"wrote {id}.svg\n"
    assert find_maps("07", "second") == [("second", "n07-longues-battery")]
    assert find_maps("7", "first") == find_maps("N-07", "first") == [("first", "n07-pointe-du-hoc")]
    several = beachhead("map", "7", cwd=tmp_path)
    assert several.returncode == 2
    assert "'7' could be n07-pointe-du-hoc or n07-longues-battery: type the whole id, or name" in several.stderr


def test_the_language_may_be_named_behind_any_command(tmp_path: Path) -> None:
    assert beachhead("map", TIGER, "--lang", "fr", cwd=tmp_path).stdout.replace("\xa0", " ") == f"{TIGER}.svg écrit\n"
    assert beachhead("map", TIGER, "--lang", "xy", cwd=tmp_path).returncode == 2


@pytest.mark.parametrize("name", [TIGER, "N-01", "exercise tiger"])
def test_a_map_is_written_beside_you_and_never_over_another(name: str, tmp_path: Path) -> None:
    done = beachhead("map", name, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"wrote {TIGER}.svg\n")
    file = tmp_path / f"{TIGER}.svg"
    ElementTree.parse(file)
    file.write_text("mine", encoding="utf-8")
    again = beachhead("map", name, cwd=tmp_path)
    assert again.returncode == 2
    assert "is there already" in again.stderr
    assert file.read_text(encoding="utf-8") == "mine"


def test_a_named_file_is_replaced_and_said_to_be(tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    assert beachhead("map", TIGER, "--svg", file).stdout == f"wrote {file}\n"
    first = file.read_bytes()
    assert "in place of the old one" in beachhead("map", TIGER, "--svg", file).stdout
    assert file.read_bytes() == first


def test_a_file_that_is_no_picture_is_not_replaced(tmp_path: Path) -> None:
    file = tmp_path / "precious.toml"
    file.write_text("format = 1\n", encoding="utf-8")
    done = beachhead("map", TIGER, "--svg", file)
    assert done.returncode == 2
    assert done.stderr == f"beachhead: {file} is no SVG and was left as it is: name another file\n"
    assert file.read_text(encoding="utf-8") == "format = 1\n"


@pytest.mark.parametrize("begin", ["", "<svg/>", '\ufeff<?xml version="1.0"?>\n<svg/>', "\n <svg/>"])
def test_a_picture_of_any_kind_is_replaced_and_so_is_an_empty_file(begin: str, tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    file.write_text(begin, encoding="utf-8")
    assert beachhead("map", TIGER, "--svg", file).returncode == 0
    ElementTree.parse(file)


def test_theme_edition_and_level_change_the_picture(tmp_path: Path) -> None:
    drawn = {}
    wanted = {"plain": "", "dark": "--theme dark", "second": "--edition second", "basic": "--level basic-training"}
    for name, text in wanted.items():
        options = text.split()
        assert beachhead("map", TIGER, "--svg", tmp_path / name, *options).returncode == 0
        drawn[name] = (tmp_path / name).read_text(encoding="utf-8")
    assert len(set(drawn.values())) == len(drawn)
    assert tokens("dark")["map-sand-0"] in drawn["dark"]
    assert ">Sharpshooter</text>" in drawn["plain"]
    assert ">Sharpshooter</text>" not in drawn["basic"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["n01-exercise-tigre"], "did you mean 'n01-exercise-tiger'?"),
        (["zzz"], "unknown map 'zzz': expected one of n01-exercise-tiger"),
        (["zzz"], "n08-merville, operation-deadstick, n02-omaha-beach, n03-sword-beach"),
        (["n12-crisbeck"], "did you mean 'n12-crisbecq-battery'?"),
        (["n02-omaha", "--edition", "second"], "unknown map 'n02-omaha' in the second edition: expected one of n01"),
        ([TIGER, "--edition", "third"], "unknown edition 'third'"),
        ([TIGER, "--theme", "pink"], "unknown theme 'pink'"),
        ([TIGER, "--level", "zzz"], "unknown level 'zzz'"),
        ([TIGER, "--svg", "no/such/folder/a.svg"], "no/such/folder/a.svg"),
    ],
)
def test_a_mistake_is_told_in_one_line(args: list[str], message: str, tmp_path: Path) -> None:
    done = beachhead("map", *args, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_maps_of_ones_own_packs_are_drawn(tmp_path: Path) -> None:
    (tmp_path / "packs" / "maps").mkdir(parents=True)
    (tmp_path / "packs" / "maps" / "mine.toml").write_text(
        """format = 1
id = "mine"
name = "Mine"
edition = "first"
rows = [{ sectors = ["1"] }, { sectors = ["B"], courage = 2 }]
[sectors.1]
def = [2]
start = { soldiers = 3 }
[sectors.B]
def = [6]
bunker = true
[edges]
forward = [["1", "B"]]
[cards]
""",
        encoding="utf-8",
    )
    done = beachhead("--packs", tmp_path / "packs", "map", "mine", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "wrote mine.svg\n")
    ElementTree.parse(tmp_path / "mine.svg")


def test_an_id_means_its_map_whatever_others_are_called(monkeypatch: pytest.MonkeyPatch) -> None:
    maps: dict[str, dict[str, Map]] = {"first": {}, "second": dict(library().maps["second"])}
    maps["second"]["mine"] = replace(maps["second"]["n03-sword-beach"], id="mine", name="n02-omaha-beach")
    monkeypatch.setattr(cli, "library", lambda: replace(library(), maps=maps))
    assert find_maps("n02-omaha-beach") == [("second", "n02-omaha-beach")]


def test_a_name_that_is_too_long_for_a_file_is_told(tmp_path: Path) -> None:
    done = beachhead("map", "n02-omaha-beach", "--svg", "x" * 300, cwd=tmp_path)
    assert done.returncode == 2 and "File name too long" in done.stderr and "Traceback" not in done.stderr


def test_packs_that_cannot_be_read_are_told_before_anything_is_listed(tmp_path: Path) -> None:
    done = beachhead("--packs", str(tmp_path / "nowhere"), "map")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no such folder" in done.stderr
