"""Packs: what comes with Beachhead is right, one's own are put over it, and every fault is named with its line."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from beachhead.content.library import PACKS, library, load_packs, own_packs, pack_files, packs_in
from beachhead.content.schema import Map
from beachhead.content.toml import json_schema
from beachhead.core.errors import ContentError, SetupError
from beachhead.core.node import Answer, Ask
from beachhead.landing import game
from beachhead.landing.world import MOST_SEATS, Setup, build
from beachhead.say import speaking

CARD = """format = 1
edition = "first"

[[card]]
id = "veteran"
name = "Old Hand"
kind = "regular-specialist"
cost = 1
rule = "F-CARD-VETERAN"
text = "Ours."
"""


FIRST_MAPS = [
    *("n01-exercise-tiger", "n02-omaha", "n03-utah", "n04-gold", "n05-juno", "n06-sword"),
    *("n07-pointe-du-hoc", "n08-merville"),
]


def pack(folder: Path, kind: str, text: str) -> Path:
    (folder / kind).mkdir(parents=True)
    (folder / kind / "mine.toml").write_text(text, encoding="utf-8")
    return folder


def faults(*folders: Path) -> list[str]:
    with pytest.raises(ContentError) as caught:
        load_packs((PACKS, *folders))
    return [f"{Path(fault.file).name}:{fault.line}: {fault.message}" for fault in caught.value.faults]


def test_our_own_packs_are_in_order() -> None:
    ours = library()
    assert list(ours.maps["first"]) == [*FIRST_MAPS, "operation-deadstick"]
    assert [board.number for board in ours.maps["second"].values()] == [f"N{n:02}" for n in range(1, 13)]
    assert len(ours.hash) == 16


def test_a_pack_of_ones_own_is_put_over_ours(tmp_path: Path) -> None:
    mine = load_packs((PACKS, pack(tmp_path, "cards", CARD)))
    assert mine.cards["first"]["veteran"].name == "Old Hand"
    assert mine.cards["second"]["veteran"].name == "Veteran"
    assert mine.hash != library().hash


def test_an_unknown_key_is_named_with_its_line_and_what_was_meant(tmp_path: Path) -> None:
    (fault,) = faults(pack(tmp_path, "cards", CARD + 'colour = "red"\n'))
    assert fault.startswith("mine.toml:11: unknown key")


def test_all_faults_of_all_files_are_told_at_once(tmp_path: Path) -> None:
    text = CARD.replace('"F-CARD-VETERAN"', '"F-CARD-NOBODY"') + CARD[CARD.index("[[card]]") :]
    pack(tmp_path, "cards", text)
    pack(tmp_path, "nations", "format = 2\n")
    found = faults(tmp_path)
    assert any("'F-CARD-NOBODY' is not in the rule register" in fault for fault in found)
    assert any("'veteran' is defined twice" in fault for fault in found)
    assert any("mine.toml:1: expected" in fault for fault in found)


def test_a_map_that_names_a_card_which_is_not_there_is_refused(tmp_path: Path) -> None:
    text = (PACKS / "base/maps/n01-exercise-tiger.toml").read_text(encoding="utf-8")
    (fault,) = faults(pack(tmp_path, "maps", text.replace('requires = ["corporal"]', 'requires = ["corporel"]')))
    assert "unknown card 'corporel'" in fault


def test_a_folder_that_is_not_there_and_one_of_an_unknown_kind(tmp_path: Path) -> None:
    assert "no such folder" in faults(tmp_path / "nowhere")[0]
    assert "expected cards, nations, maps, joined, corrections or words" in faults(pack(tmp_path, "carts", CARD))[0]


@pytest.mark.skipif(os.name != "posix", reason="links and pipes")
def test_hidden_files_are_not_read(tmp_path: Path) -> None:
    pack(tmp_path, "cards", CARD)
    (tmp_path / "cards" / ".#mine.toml").symlink_to("somebody@there.1:2")
    (tmp_path / ".git" / "maps").mkdir(parents=True)
    (tmp_path / ".git" / "maps" / "x.toml").write_text("no TOML")
    assert load_packs((PACKS, tmp_path)).cards["first"]["veteran"].name == "Old Hand"


@pytest.mark.skipif(os.name != "posix", reason="links and pipes")
def test_what_is_no_file_is_told_and_nothing_hangs(tmp_path: Path) -> None:
    folder = pack(tmp_path, "cards", CARD) / "cards"
    (folder / "folder.toml").mkdir()
    (folder / "gone.toml").symlink_to("nowhere")
    (folder / "itself.toml").symlink_to("itself.toml")
    os.mkfifo(folder / "pipe.toml")
    assert faults(tmp_path) == [
        "folder.toml:0: this is no file: expected one with text",
        "gone.toml:0: cannot be read: No such file or directory",
        "itself.toml:0: cannot be read: Too many levels of symbolic links",
        "pipe.toml:0: this is no file: expected one with text",
    ]


def test_a_file_that_may_not_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack(tmp_path, "cards", CARD)
    whole = Path.read_bytes

    def read_bytes(path: Path) -> bytes:
        if path.name == "mine.toml":
            raise PermissionError(13, "Permission denied")
        return whole(path)

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    assert faults(tmp_path) == ["mine.toml:0: cannot be read: Permission denied"]


def test_a_file_that_is_no_toml_hides_no_fault_of_another(tmp_path: Path) -> None:
    pack(tmp_path, "cards", CARD.replace("cost = 1", "cost = -1"))
    pack(tmp_path, "nations", "format = \n")
    pack(tmp_path, "words", "\n=")
    pack(tmp_path, "corrections", "format = 1\n")
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "mine.toml").write_bytes(b"\xff")
    found = faults(tmp_path)
    assert sum("not valid TOML" in one for one in found) == 2
    assert sum("not UTF-8" in one for one in found) == 1
    assert any("expected a whole number from 0 to 99, got -1" in one for one in found)
    assert any("expected one of first, second" in one for one in found)


def test_a_rule_of_a_bonus_that_the_register_does_not_have_is_told(tmp_path: Path) -> None:
    text = (PACKS / "base" / "nations" / "second.toml").read_text("utf-8")
    rule = next(line for line in text.splitlines() if line.startswith("rule = "))
    found = faults(pack(tmp_path, "nations", text.replace(rule, 'rule = "S-NOBODY-01"', 1)))
    assert [one.partition(": ")[2] for one in found] == [
        "'S-NOBODY-01' is not in the rule register: expected the id of a rule; beachhead rules search WORDS finds one"
    ]


@pytest.mark.parametrize("rule", ["", 'rule = ""\n'])
def test_a_card_without_a_rule_is_told_how_to_find_one(tmp_path: Path, rule: str) -> None:
    (fault,) = faults(pack(tmp_path, "cards", CARD.replace('rule = "F-CARD-VETERAN"\n', rule)))
    assert "expected the id of a rule; beachhead rules search WORDS finds one" in fault


# What is there, though it is not well written, is not said to be missing

OTHER = CARD[CARD.index("[[card]]") :].replace('"veteran"', '"zed"')
NAMES_ZED = """format = 1
[cards.zed]
name = "Zed"
the = "le Zed"
"""


def test_a_fault_of_one_card_hides_no_other_card(tmp_path: Path) -> None:
    pack(tmp_path, "cards", CARD.replace("cost = 1", "cost = -1") + OTHER)
    pack(tmp_path, "words", NAMES_ZED)
    pack(tmp_path, "corrections", 'format = 1\nedition = "first"\n[cards.zed]\ncost = 2\n')
    assert faults(tmp_path) == ["mine.toml:8: expected a whole number from 0 to 99, got -1"]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("cost = 1", "cost = -1", "mine.toml:8: expected a whole number from 0 to 99, got -1"),
        ('id = "zed"', "id = 3", "mine.toml:5: expected small letters and digits, with single hyphens between them"),
        ("[[card]]", "[[crad]]", "mine.toml:1: missing; expected a list"),
        ('edition = "first"', 'edition = "third"', 'mine.toml:2: expected one of "first", "second"'),
        ('text = "Ours."', "text = ", "mine.toml:10: not valid TOML: Invalid value"),
    ],
)
def test_a_card_that_is_there_but_wrong_is_no_unknown_card(tmp_path: Path, old: str, new: str, fault: str) -> None:
    pack(tmp_path, "cards", CARD.replace('"veteran"', '"zed"').replace(old, new))
    pack(tmp_path, "words", NAMES_ZED)
    pack(tmp_path, "corrections", 'format = 1\nedition = "first"\n[cards.zed]\ncost = 2\n')
    text = (PACKS / "base/maps/n01-exercise-tiger.toml").read_text(encoding="utf-8")
    pack(tmp_path, "maps", text.replace('requires = ["corporal"]', 'requires = ["zed"]'))
    found = [one for one in faults(tmp_path) if "unknown key" not in one]
    assert len(found) == 1 and found[0].startswith(fault)


def test_a_nation_that_is_there_but_wrong_is_no_missing_content(tmp_path: Path) -> None:
    text = (PACKS / "base/nations/second.toml").read_text(encoding="utf-8")
    begin = text.index('id = "')
    text = text.replace(text[begin : text.index("\n", begin)], 'id = "zz"', 1).replace('name = "', 'name = "\\u0007', 1)
    pack(tmp_path, "nations", text)
    said = '[nations.zz]\nname = "Z"\nrwb = { bogus = { name = "x", text = "y" } }\n'
    pack(tmp_path, "words", f"format = 1\n{said}")
    (fault,) = faults(tmp_path)
    assert "expected text without control characters" in fault


@pytest.mark.parametrize("change", [("courage = 1", "courage = -1"), ("courage = 1", "courage = ")])
def test_a_map_that_is_there_but_wrong_is_no_missing_content(tmp_path: Path, change: tuple[str, str]) -> None:
    pack(tmp_path, "words", 'format = 1\n[maps.bad]\nname = "Mauvais"\nsectors = { 1 = "Un." }\n')
    pack(tmp_path, "corrections", 'format = 1\nedition = "second"\n[maps.bad.sectors.1]\ndef = [3]\n')
    (fault,) = board(tmp_path, change)
    assert fault.startswith("mine.toml:10: ")


# Everything is told at once


def test_ids_and_rules_of_cards_are_looked_at_where_other_keys_are_wrong(tmp_path: Path) -> None:
    wrong = OTHER.replace("cost = 1", "cost = -1").replace("F-CARD-VETERAN", "F-NOTHING")
    found = faults(pack(tmp_path, "cards", CARD + wrong + OTHER))
    assert [one.partition(": ")[2].partition(":")[0] for one in found] == [
        "expected a whole number from 0 to 99, got -1",
        "'F-NOTHING' is not in the rule register",
        "'zed' is defined twice in this edition",
    ]


def test_ids_and_rules_of_nations_are_looked_at_where_other_keys_are_wrong(tmp_path: Path) -> None:
    text = (PACKS / "base/nations/first.toml").read_text(encoding="utf-8")
    nation = text[text.index("[[nation]]") :]
    rule = next(line for line in nation.splitlines() if line.startswith("rule = "))
    wrong = nation.replace('name = "', 'name = "\\u0007', 1).replace(rule, 'rule = "F-NOTHING"', 1)
    found = faults(pack(tmp_path, "nations", text + wrong))
    assert [one.partition(": ")[2].partition(":")[0].partition(",")[0] for one in found] == [
        f"{nation.splitlines()[1].removeprefix('id = ').replace(chr(34), chr(39))} is defined twice in this edition",
        "expected text without control characters",
        "'F-NOTHING' is not in the rule register",
    ]


def test_a_rule_of_a_correction_is_looked_at_where_another_key_is_wrong(tmp_path: Path) -> None:
    text = 'format = 1\nedition = "first"\n[cards.veteran]\ncost = -1\nrule = "F-NOTHING"\n'
    assert [one[:12] for one in faults(pack(tmp_path, "corrections", text))] == ["mine.toml:4:", "mine.toml:5:"]


def test_words_for_what_is_not_there_are_told_where_other_words_are_wrong(tmp_path: Path) -> None:
    text = """format = 1
[cards.nobody]
name = 1
[maps.n06-sword]
nam = "Sword"
sectors = { 99 = "Rien." }
levels = { easy = "Facile" }
[maps.n06-swords]
name = "Swords"
"""
    found = [one.partition(";")[0] for one in faults(pack(tmp_path, "words", text))]
    assert found == [
        "mine.toml:2: missing",
        "mine.toml:2: there is no such content",
        "mine.toml:3: expected text, got 1",
        "mine.toml:4: missing",
        "mine.toml:5: unknown key",
        "mine.toml:6: there is no such Sector",
        "mine.toml:7: there is no such level",
        "mine.toml:8: there is no such content",
    ]


def test_an_id_that_is_taken_is_told_of_a_joined_board_where_another_key_is_wrong(tmp_path: Path) -> None:
    pack(tmp_path, "joined", JOINED.replace("double", "bad").replace("Double", ""))
    assert "mine.toml:2: 'bad' is defined twice in this edition" in board(tmp_path, ("courage = 1", "courage = -1"))


def test_a_card_that_became_another_kind_is_told_where_it_did(tmp_path: Path) -> None:
    text = CARD.replace('"veteran"', '"bazooka"').replace('"first"', '"second"')
    pack(tmp_path, "cards", text)
    with pytest.raises(ContentError) as caught:
        load_packs((PACKS, tmp_path))
    found = [str(fault) for fault in caught.value.faults]
    where = f"{tmp_path / 'cards' / 'mine.toml'}:7: card[0].kind: 'bazooka' is a regular-specialist"
    assert found and all(one.startswith(f"{where}: expected special-item in the map 'n") for one in found)


def test_a_card_that_is_nearly_another_may_be_meant_for_it(tmp_path: Path) -> None:
    (fault,) = board(tmp_path, ('["toolkit"]', '["tolkit"]'))
    assert fault.endswith("unknown card 'tolkit' in the second edition; did you mean 'toolkit'?")


# Folders


def test_a_folder_that_may_not_be_entered_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: object, **_: object) -> os.stat_result:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setenv("BEACHHEAD_DATA", str(tmp_path))
    for ask in (own_packs, lambda: packs_in(tmp_path / "packs")):
        with monkeypatch.context() as patch, pytest.raises(ContentError) as caught:
            patch.setattr(os, "stat", refused)
            ask()
        assert str(caught.value) == f"{tmp_path / 'packs'}: cannot be read: Permission denied"


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_files_behind_links_are_read(tmp_path: Path) -> None:
    pack(tmp_path / "elsewhere", "cards", CARD)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "cards").symlink_to(tmp_path / "elsewhere" / "cards")
    assert packs_in(tmp_path / "mine") == (tmp_path / "mine",)
    assert load_packs((PACKS, tmp_path / "mine")).cards["first"]["veteran"].name == "Old Hand"


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_a_link_that_leads_nowhere_is_told_wherever_it_lies(tmp_path: Path) -> None:
    pack(tmp_path / "mine", "cards", CARD)
    gone = "cannot be read: No such file or directory"
    for place in ("mine/other", "mine/cards/other"):
        (tmp_path / place).symlink_to("nowhere")
        assert faults(tmp_path / "mine") == [f"other:0: {gone}"]
        (tmp_path / place).unlink()
    (tmp_path / "other").symlink_to("nowhere")
    assert packs_in(tmp_path) == (tmp_path / "mine", tmp_path / "other")
    assert faults(*packs_in(tmp_path)) == ["other:0: this link leads nowhere: expected a folder with packs"]


def test_a_file_in_the_place_of_a_folder_of_a_pack_is_told(tmp_path: Path) -> None:
    (tmp_path / "maps").write_text(CARD, encoding="utf-8")
    assert packs_in(tmp_path) == (tmp_path,)
    wrong = "maps:0: this is no folder: expected one with files of a pack"
    assert faults(tmp_path) == [wrong]
    pack(tmp_path, "cards", CARD)
    assert faults(tmp_path) == [wrong]


@pytest.mark.parametrize("file", ["", "maps/mine.txt", "readme.md", ".git/maps/x.toml", "maps/.x.toml"])
def test_a_pack_with_nothing_in_it_is_told(file: str, tmp_path: Path) -> None:
    empty = tmp_path / "mine"
    empty.mkdir()
    if file:
        (empty / file).parent.mkdir(parents=True, exist_ok=True)
        (empty / file).write_text(CARD, encoding="utf-8")
    (fault,) = faults(empty)
    assert fault.startswith("mine:0: no file of a pack is in it: expected files that end in .toml in cards, nations,")
    pack(empty, "pocket", "format = 1\n")
    assert load_packs((PACKS, empty)).hash == library().hash


def test_cards_that_are_nested_too_deeply_are_one_fault(tmp_path: Path) -> None:
    deep = '{ do = "choose", of = [{ name = "a", ops = [' * 80 + '{ do = "gain", stars = 1 }' + "] }] }" * 80
    text = f'{CARD}abilities = [{{ kind = "triggered", on = "advance", ops = [{deep}] }}]\n'
    assert faults(pack(tmp_path / "a", "cards", text)) == ["mine.toml:0: nested too deeply"]
    over = f'format = 1\nedition = "first"\n[cards.veteran]\n{text.splitlines()[-1]}\n'
    assert faults(pack(tmp_path / "b", "corrections", over)) == ["mine.toml:0: nested too deeply"]


def test_a_suffix_in_capitals_is_the_same(tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "MINE.TOML").write_text(CARD, encoding="utf-8")
    assert packs_in(tmp_path) == (tmp_path,)
    assert load_packs((PACKS, tmp_path)).cards["first"]["veteran"].name == "Old Hand"


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_links_that_lead_in_a_circle_are_told(tmp_path: Path) -> None:
    pack(tmp_path, "cards", CARD)
    (tmp_path / "cards" / "again").symlink_to(tmp_path)
    (tmp_path / "maps").symlink_to("maps")
    assert faults(tmp_path) == [
        "again:0: this folder has been read already: a link leads to it once more",
        "maps:0: cannot be read: Too many levels of symbolic links",
    ]


def test_a_folder_that_may_not_be_read_is_told_and_its_content_not_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack(tmp_path, "cards", CARD)
    pack(tmp_path, "words", NAMES_ZED)
    whole = Path.iterdir

    def iterdir(path: Path) -> Iterator[Path]:
        if path == tmp_path / "cards":
            raise PermissionError(13, "Permission denied")
        return whole(path)

    monkeypatch.setattr(Path, "iterdir", iterdir)
    assert packs_in(tmp_path) == (tmp_path,)
    assert faults(tmp_path) == ["cards:0: cannot be read: Permission denied"]


@pytest.mark.skipif(sys.platform != "linux", reason="names of any bytes")
def test_a_file_whose_name_is_no_text_is_read(tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / os.fsdecode(b"\xff.toml")).write_text(CARD, encoding="utf-8")
    assert load_packs((PACKS, tmp_path)).cards["first"]["veteran"].name == "Old Hand"


def test_files_are_read_in_the_order_of_their_paths(tmp_path: Path) -> None:
    names = ["b/cards/x.toml", "cards/b.toml", "cards/a.toml", "a/cards/z.toml", "cards.b/cards/x.toml"]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert [path for _, path in pack_files(tmp_path)] == sorted(tmp_path / name for name in names)


# Names


def test_what_a_terminal_would_obey_is_quoted_in_every_fault(tmp_path: Path) -> None:
    lines = '["3", "B"]]\nlandmines = [["2\\u001b[2J", "3"]]\nbarriers = [["a\\nb", "3"], ["a\\nb", "3"]]'
    found = board(tmp_path / "\x1b[2J", ('["3", "B"]]', lines), ('sectors = ["B"]', 'sectors = ["B", "\\u202e"]'))
    with pytest.raises(ContentError) as caught:
        load_packs((PACKS, tmp_path / "\x1b[2J"))
    assert len(found) > 5
    assert all(str(fault).isprintable() for fault in caught.value.faults)


def test_a_sector_without_a_table_is_told_where_it_stands_in_its_row(tmp_path: Path) -> None:
    pack(tmp_path, "maps", BOARD.replace('sectors = ["2", "3"]', 'sectors = [\n"2", "3",\n"x"]'))
    with pytest.raises(ContentError) as caught:
        load_packs((PACKS, tmp_path))
    (fault,) = caught.value.faults
    assert (fault.line, fault.where) == (11, "rows[1].sectors[2]")


@pytest.mark.parametrize("name", ["", " ", "a\\nb"])
def test_sectors_and_levels_have_a_name_on_one_line(tmp_path: Path, name: str) -> None:
    found = board(tmp_path, ("[sectors.B]", f'[levels."{name}"]\n[sectors."{name}"]\ndef = [2]\n[sectors.B]'))
    assert sum("expected a name on one line" in one for one in found) == 2
    known = json_schema(Map, "maps")["definitions"]["Map"]["properties"]
    assert known["levels"]["propertyNames"] == known["name"]
    assert "{1,6}" in known["sectors"]["propertyNames"]["pattern"]


def test_words_for_what_is_not_there_are_told(tmp_path: Path) -> None:
    text = """format = 1
[cards.nobody]
name = "Personne"
the = "personne"
[nations.uk]
name = "Royaume-Uni"
rwb = { bogus = { name = "x", text = "y" } }
[maps.n06-sword]
name = "Sword"
sectors = { 99 = "Rien." }
results = { 99 = [{ name = "x", text = "y" }] }
levels = { easy = "Facile" }
"""
    assert [one.split(":", 1)[1] for one in faults(pack(tmp_path, "words", text))] == [
        "2: there is no such content",
        "7: there is no such result",
        "10: there is no such Sector",
        "11: there is no such Sector with a table",
        "12: there is no such level",
    ]


BOARD = """format = 1
id = "bad"
name = "Bad"
edition = "second"

[[rows]]
sectors = ["1"]
[[rows]]
sectors = ["2", "3"]
courage = 1
[[rows]]
sectors = ["B"]

[sectors.1]
def = [3]
start = { soldiers = 4 }
[sectors.2]
def = [3]
[sectors.3]
def = [2]
[sectors.B]
def = [9]
bunker = true

[edges]
forward = [["1", "2"], ["1", "3"], ["2", "B"], ["3", "B"]]

[cards]
items_special = ["toolkit"]
"""


def board(folder: Path, *changes: tuple[str, str]) -> list[str]:
    """The faults of this board with so many changes."""
    text = BOARD
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return faults(pack(folder, "maps", text))


def test_faults_of_every_kind_are_told_at_once(tmp_path: Path) -> None:
    """A number out of bounds, names that there are not, an unknown key, contradictions, ways that lead nowhere."""
    found = board(
        tmp_path,
        ("courage = 1", "courage = -1"),
        ("[sectors.3]\ndef = [2]", '[sectors.3]\ndef = [-2]\nbanana = 3\nrequires = ["nobody"]'),
        ("def = [9]", "def = [9, 11]"),
        ('["3", "B"]]', '["3", "9"]]\nlandmines = [["1", "B"]]'),
        ('["toolkit"]', '["hammer", "toolkit", "toolkit"]'),
    )
    assert [fault.partition(";")[0] for fault in found] == [
        "mine.toml:10: expected a whole number from 0 to 99, got -1",
        "mine.toml:19: dead end: no way leads from here to a Bunker",
        "mine.toml:20: expected a whole number from 0 to 99, got -2",
        "mine.toml:21: unknown key",
        "mine.toml:22: unknown card 'nobody' in the second edition",
        "mine.toml:24: a Bunker is conquered in one combat: expected one value",
        "mine.toml:28: unknown Sector '9': expected one of 1, 2, 3, B",
        "mine.toml:29: 1-B is neither a forward nor a lateral line",
        "mine.toml:32: unknown card 'hammer' in the second edition",
        "mine.toml:32: 'toolkit' is there 2 times",
    ]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (("[sectors.3]\ndef = [2]", '[sectors.3]\ndef = "two"'), "mine.toml:20: expected a list, got text"),
        (("[sectors.3]\ndef = [2]", "[sectors.3]"), "mine.toml:19: missing; expected a list"),
        (("start = { soldiers = 4 }", 'start = { soldiers = "many" }'), "mine.toml:16: expected a whole number from 0"),
        (('forward = [["1", "2"],', 'forward = [["1", 2],'), "mine.toml:26: expected text, got 2"),
        (('[[rows]]\nsectors = ["B"]', '[[rows]]\nsectors = "B"'), "mine.toml:12: expected a list, got text"),
    ],
)
def test_nothing_is_told_that_only_follows_from_what_could_not_be_read(
    tmp_path: Path, change: tuple[str, str], fault: str
) -> None:
    (found,) = board(tmp_path, change)
    assert found.startswith(fault)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("mgf = -1", "from 0 to 12, got -1"),
        ("dice = 7", "from 1 to 6, got 7"),
        ("dice = 0", "from 1 to 6, got 0"),
        ("locked_dice = -1", "from 0 to 99, got -1"),
        ("bonus = { star = -2 }", "from 1 to 99, got -2"),
        ("penalty = { tool = 0 }", "from 1 to 99, got 0"),
        ("climb = { skulls = 0 }", "from 1 to 99, got 0"),
        ("on_entry = { soldiers_d6 = -1 }", "from 1 to 12, got -1"),
        ("door = { explosives = 0 }", "from 1 to 99, got 0"),
        ("shelling = { dice = 0 }", "from 1 to 12, got 0"),
        ("max_units = -1", "from 0 to 99, got -1"),
        ("start = { courage = -1 }", "from 0 to 99, got -1"),
    ],
)
def test_numbers_that_mean_nothing_are_refused(tmp_path: Path, line: str, fault: str) -> None:
    found = board(tmp_path, ("[sectors.3]\ndef = [2]", f"[sectors.3]\ndef = [2]\n{line}"))
    assert f"mine.toml:21: expected a whole number {fault}" in found


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("mgf = 13", "from 0 to 12, got 13"),
        ("shelling = { dice = 13 }", "from 1 to 12, got 13"),
        ("on_entry = { soldiers_d6 = 13 }", "from 1 to 12, got 13"),
        ("bonus = { star = 100 }", "from 1 to 99, got 100"),
        ("penalty = { star = 1_000_000_000 }", "from 1 to 99, got 1000000000"),
        ("start = { soldiers = 100 }", "from 0 to 99, got 100"),
        ("per_star = -100", "from -99 to 99, got -100"),
        ("per_rwb = 100", "from -99 to 99, got 100"),
        ("of_a_kind = { at_least = 4, soldiers = 100 }", "from -99 to 99, got 100"),
        ("max_units = 100", "from 0 to 99, got 100"),
    ],
)
def test_numbers_that_no_game_can_bear_are_refused(tmp_path: Path, line: str, fault: str) -> None:
    found = board(tmp_path, ("[sectors.3]\ndef = [2]", f"[sectors.3]\ndef = [2]\n{line}"))
    assert f"mine.toml:21: expected a whole number {fault}" in found


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (('[[rows]]\nsectors = ["2", "3"]\ncourage = 1\n', ""), "expected Sector '2' in exactly one row"),
        (('sectors = ["2", "3"]', 'sectors = ["2", "2"]'), "expected Sector '3' in exactly one row"),
        (('sectors = ["1"]', "sectors = []"), "expected Sector '1' in exactly one row"),
        (('["3", "B"]]', '["3", "B"], []]\nretreat = [[]]'), "expected 2 Sectors, got 0"),
        (('["3", "B"]]', '["3", "B"], ["3"]]'), "expected 2 Sectors, got 1"),
        (('edition = "second"', 'edition = "third"'), 'expected one of "first", "second", got text "third"'),
    ],
)
def test_a_board_however_wrong_is_told_what_is_wrong(tmp_path: Path, change: tuple[str, str], fault: str) -> None:
    assert any(fault in one for one in board(tmp_path, change))


def test_a_board_without_rows_is_told_so(tmp_path: Path) -> None:
    begin, end = BOARD.index("[[rows]]"), BOARD.index("[sectors.1]")
    found = board(tmp_path, (BOARD[begin:end], ""), ('edition = "second"', 'edition = "second"\nrows = []'))
    assert sum("in exactly one row" in one for one in found) == 4


def test_editors_are_told_the_bounds_of_numbers() -> None:
    known = json_schema(Map, "maps")["definitions"]
    assert known["Row"]["properties"]["courage"] == {"type": "integer", "minimum": 0, "maximum": 99}
    assert known["Sector"]["properties"]["dice"] == {"type": "integer", "minimum": 1, "maximum": 6}


UNREACHED = ('["3", "B"]]', '["3", "9"]]\nlateral = [["2", "2"]]')


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (('name = "Bad"\n', ""), "missing; expected a name on one line"),
        (('id = "bad"\n', ""), "missing; expected small letters"),
        (("format = 1\n", "format = 2\n"), "expected 1, got 2"),
        (('edition = "second"', 'edition = "third"'), 'expected one of "first", "second"'),
        (('edition = "second"\n', ""), 'expected one of "first", "second"'),
        (('[cards]\nitems_special = ["toolkit"]\n', ""), "missing; expected a table"),
        (('["toolkit"]', "[3]"), "expected text, got 3"),
        (("[sectors.3]\ndef = [2]", "[sectors.3]"), "missing; expected a list"),
        (("courage = 1", 'courage = "one"'), "expected a whole number from 0"),
        (("start = { soldiers = 4 }", "start = { soldiers = 4, horses = 2 }"), "unknown key"),
    ],
)
def test_where_a_part_of_a_map_cannot_be_read_the_rest_is_checked(
    tmp_path: Path, change: tuple[str, str], fault: str
) -> None:
    found = [one.split(": ", 1)[1] for one in board(tmp_path, change, UNREACHED)]
    assert sum(fault in one for one in found) == 1
    assert {one for one in found if fault not in one} == {
        "unknown Sector '9': expected one of 1, 2, 3, B",
        "2-2: a line leads to another Sector",
        "dead end: no way leads from here to a Bunker",
    }


@pytest.mark.parametrize(
    "change",
    [
        ("bunker = true", 'bunker = "yes"'),
        ("bunker = true", "bunkr = true"),
        ("start = { soldiers = 4 }", "start = 4"),
        ("start = { soldiers = 4 }", "strat = { soldiers = 4 }"),
        ("[sectors.B]\ndef = [9]\nbunker = true", "[sectors]\nB = 3"),
        ("[edges]\nforward", "[edge]\nforward"),
        ("[edges]\nforward", "[edges]\nfoward"),
    ],
)
def test_no_way_and_no_bunker_is_missed_where_it_may_only_be_unreadable(
    tmp_path: Path, change: tuple[str, str]
) -> None:
    found = board(tmp_path, change, ("courage = 1", "courage = -1"))
    assert {one.partition(": ")[2].partition(",")[0].partition(";")[0] for one in found} <= {
        "expected a whole number from 0 to 99",
        "expected true or false",
        "expected a table",
        "unknown key",
        "missing",
    }


def test_a_line_after_one_that_is_wrong_is_told_with_its_own_number(tmp_path: Path) -> None:
    lines = '["1", "9"],\n["1", "2"], ["1", "3"], ["2", "B"], ["3", "B"],\n["B", "3"]]'
    text = BOARD.replace('["1", "2"], ["1", "3"], ["2", "B"], ["3", "B"]]', lines)
    with pytest.raises(ContentError) as caught:
        load_packs((PACKS, pack(tmp_path, "maps", text)))
    told = {fault.message: (fault.line, fault.where) for fault in caught.value.faults}
    assert told["B-3: a forward line leads to a higher row"] == (28, "edges.forward[5]")


@pytest.mark.parametrize("id", ["../trav", "a/b", "", "a b", "A", "-a", "a--b", "\\u0000", "a\\nb", "\\u001b[2J"])
@pytest.mark.parametrize("kind", ["maps", "cards", "nations"])
def test_an_id_is_what_a_new_pack_may_be_called(tmp_path: Path, kind: str, id: str) -> None:
    text = {
        "maps": BOARD,
        "cards": CARD,
        "nations": (PACKS / "base/nations/first.toml").read_text("utf-8"),
    }[kind]
    begin = text.index('id = "')
    end = text.index("\n", begin)
    (fault,) = faults(pack(tmp_path, kind, f'{text[:begin]}id = "{id}"{text[end:]}'))
    assert "expected small letters and digits" in fault or "expected text without control characters" in fault


@pytest.mark.parametrize("name", ["", " ", "a\\nb", "\\u0007", "\\u001b[31mRed", "\\u009b31m"])
def test_a_name_is_one_line_that_any_terminal_can_show(tmp_path: Path, name: str) -> None:
    (fault,) = board(tmp_path, ('name = "Bad"', f'name = "{name}"'))
    assert fault.startswith("mine.toml:3: expected ")


def test_only_joined_boards_have_parts(tmp_path: Path) -> None:
    (fault,) = board(tmp_path, ("[cards]", '[[parts]]\nmap = "x"\nsectors = ["zz"]\nspecialists_regular = []\n[cards]'))
    assert "unknown key" in fault
    assert "parts" not in json_schema(Map, "maps")["definitions"]["Map"]["properties"]


@pytest.mark.parametrize("count", [0, 9, 12, 60])
def test_a_row_has_one_to_eight_sectors(tmp_path: Path, count: int) -> None:
    names = [str(n) for n in range(100, 100 + count)]
    tables = "".join(f"[sectors.{name}]\ndef = [1]\n" for name in names)
    ways = "".join(f'["1", "{name}"], ["{name}", "B"], ' for name in names)
    row = ", ".join(f'"{name}"' for name in names)
    (fault,) = board(
        tmp_path,
        ('[[rows]]\nsectors = ["B"]', f'[[rows]]\nsectors = [{row}]\n[[rows]]\nsectors = ["B"]'),
        ("[sectors.B]", f"{tables}[sectors.B]"),
        ("forward = [", f"forward = [{ways}"),
    )
    assert fault == f"mine.toml:12: expected 1 to 8 Sectors (more would be drawn over each other), got {count}"
    known = json_schema(Map, "maps")["definitions"]["Row"]["properties"]["sectors"]
    assert (known["minItems"], known["maxItems"]) == (1, 8)


def test_a_map_asks_for_no_more_units_than_can_play(tmp_path: Path) -> None:
    for edition, most in MOST_SEATS.items():
        folder = tmp_path / edition
        (fault,) = board(folder, ('edition = "second"', f'edition = "{edition}"\nleast_seats = {most + 1}'))
        assert fault == f"mine.toml:5: expected a whole number from 1 to {most}, got {most + 1}"


JOINED = """format = 1
id = "double"
name = "Double"
edition = "second"
boards = [{ map = "n02-omaha-beach", mark = "S" }, { map = "n08-merville-battery", mark = "M" }]
across = [["SB", "MB"]]
"""


def double(folder: Path, *changes: tuple[str, str]) -> list[str]:
    text = JOINED
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return faults(pack(folder, "joined", text))


def test_two_boards_can_be_joined(tmp_path: Path) -> None:
    assert "double" in load_packs((PACKS, pack(tmp_path, "joined", JOINED))).maps["second"]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (('mark = "M"', 'mark = "S"'), "mine.toml:5: another board has the mark 'S' as well"),
        (('["SB", "MB"]', '["SB", "MB"], ["S1", "S1"]'), "mine.toml:6: S1-S1: a way leads to another Sector"),
        (('["SB", "MB"]', '["SB", "MB"], ["MB", "SB"]'), "mine.toml:6: MB-SB is there already"),
        (('["SB", "MB"]]', '["SB", "MB"]]\ngo_on = ["S2"]'), "mine.toml:7: 'S2' is no Bunker"),
        (
            ('["SB", "MB"]]', '["SB", "MB"]]\nclosed = [{ bunker = "S2", after = "MB" }]'),
            "mine.toml:7: 'S2' is no Bunker",
        ),
        (
            ('["SB", "MB"]]', '["SB", "MB"]]\nclosed = [{ bunker = "SB", after = "M2" }]'),
            "mine.toml:7: 'M2' is no Bunker",
        ),
    ],
)
def test_what_is_wrong_with_a_joined_board_is_told(tmp_path: Path, change: tuple[str, str], fault: str) -> None:
    assert fault in double(tmp_path, change)


def test_a_joined_board_is_made_of_single_maps(tmp_path: Path) -> None:
    found = double(
        tmp_path,
        ('edition = "second"', 'edition = "first"'),
        ('map = "n02-omaha-beach"', 'map = "n02-omaha"'),
        ('map = "n08-merville-battery"', 'map = "operation-deadstick"'),
        ('["SB", "MB"]', '["SB", "MSB"]'),
    )
    assert found == ["mine.toml:5: 'operation-deadstick' is a joined board itself: expected a single map"]


def test_a_single_unit_finds_on_joined_boards_what_lies_there_for_one_alone(tmp_path: Path) -> None:
    """Sword and Merville joined so that one Unit may play them: the Dexedrine of Merville is for several."""
    text = JOINED.replace('"second"', '"first"').replace("n02-omaha-beach", "n06-sword")
    content = load_packs((PACKS, pack(tmp_path, "joined", text.replace("n08-merville-battery", "n08-merville"))))
    g, _ = game.new(build(Setup("first", "double"), content))
    while isinstance(node := game.MACHINE.node(g), Ask) and node.decision(0).name == "start":
        game.MACHINE.apply(g, Answer(0, node.decision(0).seq, "start:M1"))
    assert "signalling-lamp" in g.lying
    assert "dexedrine" not in (*g.lying, *g.pool, *g.box)


def test_bunkers_behind_barriers_that_nobody_can_cross_are_told(tmp_path: Path) -> None:
    barred = '["3", "B"]]\nbarriers = [["2", "B"], ["3", "B"]]'
    (fault,) = board(tmp_path / "shut", ('["3", "B"]]', barred))
    assert fault.startswith(
        "mine.toml:27: every way to a Bunker is barred, and no card that crosses Barriers is in a list"
    )
    cut = BOARD.replace('["3", "B"]]', barred).replace('["toolkit"]', '["toolkit", "wirecutters"]')
    assert "bad" in load_packs((PACKS, pack(tmp_path / "cut", "maps", cut))).maps["second"]


@pytest.mark.parametrize("name", ["Hill 9", "\U0001f600", "1,2", "abcdefg"])
def test_a_sector_is_called_what_can_be_drawn(tmp_path: Path, name: str) -> None:
    found = board(tmp_path, ("[sectors.3]", f'[sectors."{name}"]'))
    assert any("one to six letters and digits" in fault for fault in found)


def test_of_a_joined_board_with_a_map_that_is_not_there_the_other_is_checked(tmp_path: Path) -> None:
    found = double(tmp_path, ("n08-merville-battery", "nowhere"), ('["SB", "MB"]', '["SB", "MB"], ["S99", "M99"]'))
    assert [fault.partition(": expected")[0] for fault in found] == [
        "mine.toml:5: unknown map 'nowhere'",
        "mine.toml:6: unknown Sector 'S99'",
    ]


def test_bunkers_of_a_joined_board_that_wait_for_each_other_never_open(tmp_path: Path) -> None:
    closed = 'closed = [{ bunker = "SB", after = "MB" }, { bunker = "MB", after = "SB" }]'
    found = double(tmp_path, ('["SB", "MB"]]', f'["SB", "MB"]]\n{closed}'))
    assert sum("it would never open" in fault for fault in found) == 2


def test_one_value_that_is_wrong_hides_nothing_of_a_joined_board(tmp_path: Path) -> None:
    found = double(
        tmp_path,
        ("n08-merville-battery", "nowhere"),
        ('["SB", "MB"]]', '["S99", "MB"]]\ngo_on = ["S2"]\nitems_special = ["hammer"]\nguns = "loud"\nleast_seats = 9'),
    )
    assert [fault.partition(": expected one")[0] for fault in found] == [
        "mine.toml:5: unknown map 'nowhere'",
        "mine.toml:6: unknown Sector 'S99'",
        "mine.toml:7: 'S2' is no Bunker",
        "mine.toml:8: unknown card 'hammer' in the second edition",
        'mine.toml:9: expected a list, got text "loud"',
        "mine.toml:10: expected a whole number from 1 to 4, got 9",
    ]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (('edition = "second"', 'edition = "third"'), 'expected one of "first", "second", got text "third"'),
        (('mark = "M"', "mark = 3"), "expected text, got 3"),
        (('map = "n08-merville-battery"', "map = 3"), "expected text, got 3"),
    ],
)
def test_of_a_joined_board_nothing_is_told_that_only_follows_from_what_could_not_be_read(
    tmp_path: Path, change: tuple[str, str], fault: str
) -> None:
    (found,) = double(tmp_path, change)
    assert found.endswith(fault)


def test_a_map_that_is_there_but_wrong_is_no_unknown_map_to_a_joined_board(tmp_path: Path) -> None:
    pack(tmp_path, "maps", BOARD.replace("def = [9]", "def = [-9]"))
    (fault,) = double(tmp_path, ("n08-merville-battery", "bad"))
    assert fault == "mine.toml:22: expected a whole number from 0 to 99, got -9"


@pytest.mark.parametrize("mark", ["<b>", "\u00e9", "S 1", "S\\n"])
def test_the_mark_of_a_board_is_letters_and_digits(tmp_path: Path, mark: str) -> None:
    found = double(tmp_path, ('mark = "S"', f'mark = "{mark}"'), ('"SB"', f'"{mark}B"'))
    assert found == ["mine.toml:5: expected letters and digits"]


def test_with_its_mark_the_name_of_a_sector_can_still_be_drawn(tmp_path: Path) -> None:
    found = double(tmp_path, ('mark = "S"', 'mark = "SSSSSS"'), ('"SB"', '"SSSSSSB"'))
    assert found == ["mine.toml:5: 'SSSSSS1' is no name of one to six letters and digits; a shorter mark helps"]
    load_packs((PACKS, pack(tmp_path / "five", "joined", JOINED.replace('"S"', '"SSSSS"').replace('"SB"', '"SSSSSB"'))))


def test_the_guns_of_a_board_fire_on_the_joined_one_too(tmp_path: Path) -> None:
    text = JOINED.replace("n08-merville-battery", "n12-crisbecq-battery")
    guns = 'guns = [{ board = "S", by = 1, until = "M6" }]\n'
    found = load_packs((PACKS, pack(tmp_path, "joined", text + guns))).maps["second"]
    (one,) = found["n12-crisbecq-battery"].barrage
    assert [(each.by, each.until) for each in found["double"].barrage] == [(one.by, f"M{one.until}"), (1, "M6")]
    assert found["double"].barrage[0].sectors == tuple(f"M{sector}" for sector in one.sectors)


def test_a_joined_board_is_played_with_a_few_good_men_where_one_of_its_maps_is(tmp_path: Path) -> None:
    assert load_packs((PACKS, pack(tmp_path / "a", "joined", JOINED))).maps["second"]["double"].few_good_men
    text = JOINED.replace("n08-merville-battery", "n03-sword-beach")
    assert not load_packs((PACKS, pack(tmp_path / "b", "joined", text))).maps["second"]["double"].few_good_men


def test_a_map_of_which_each_bunker_must_fall_cannot_be_joined(tmp_path: Path) -> None:
    gold = library().maps["second"]["n04-gold-beach"]
    bunker = next(id for id, one in gold.sectors.items() if one.bunker)
    found = double(tmp_path, ("n08-merville-battery", "n04-gold-beach"), ('"MB"', f'"M{bunker}"'))
    assert found == [
        "mine.toml:5: each Bunker of 'n04-gold-beach' has to be conquered, of a joined board any: expected another map"
    ]


def test_a_map_is_there_for_a_joined_board_that_took_its_id(tmp_path: Path) -> None:
    pack(tmp_path, "maps", BOARD)
    (fault,) = double(tmp_path, ('id = "double"', 'id = "bad"'), ("n08-merville-battery", "bad"))
    assert fault == "mine.toml:2: 'bad' is defined twice in this edition"


def test_a_wrong_name_hides_no_other_fault_of_a_joined_board(tmp_path: Path) -> None:
    each_other = '{ bunker = "SB", after = "MB" }, { bunker = "MB", after = "SB" }'
    found = double(tmp_path, ('"MB"]]', f'"MB"]]\nclosed = [{{ bunker = "S4", after = "MB" }}, {each_other}]'))
    assert sum("it would never open" in fault for fault in found) == 2
    assert "mine.toml:7: 'S4' is no Bunker" in found


@pytest.mark.parametrize(
    "wrong",
    [
        '["S1", "M99"]]',
        '["S1", "M1"]]\ngo_on = ["Z"]',
        '["S1", "M1"]]\nguns = [{ board = "Z", by = 1, until = "Z" }]',
        '["S1", "M1"]]\nclosed = [{ bunker = "SB", after = "Z" }]',
    ],
)
def test_nothing_is_told_that_follows_from_a_wrong_name_in_a_joined_board(tmp_path: Path, wrong: str) -> None:
    found = double(tmp_path, ('["SB", "MB"]]', wrong))
    assert found and all("unknown" in fault for fault in found)


def test_the_rule_of_a_map_is_in_the_register(tmp_path: Path) -> None:
    strange = "'NOPE-1' is not in the rule register: expected the id of a rule; beachhead rules search WORDS finds one"
    assert board(tmp_path / "map", ('edition = "second"', 'edition = "second"\nrule = "NOPE-1"')) == [
        f"mine.toml:5: {strange}"
    ]
    found = double(tmp_path / "joined", ('edition = "second"', 'edition = "second"\nrule = "NOPE-1"'))
    assert found == [f"mine.toml:5: {strange}"]
    found = board(tmp_path / "two", ('edition = "second"', 'edition = "third"\nrule = "NOPE-1"'))
    assert f"mine.toml:5: {strange}" in found


def test_a_name_has_at_most_sixty_characters(tmp_path: Path) -> None:
    (fault,) = board(tmp_path, ('name = "Bad"', f'name = "{"N" * 61}"'))
    assert fault.startswith("mine.toml:3: expected a name on one line of at most 60 characters, got text")
    load_packs((PACKS, pack(tmp_path / "sixty", "maps", BOARD.replace('name = "Bad"', f'name = "{"N" * 60}"'))))
    pattern = json_schema(Map, "maps")["definitions"]["Map"]["properties"]["name"]["pattern"]
    assert re.search(pattern, "N" * 60) and not re.search(pattern, "N" * 61)
    assert not re.search(pattern, "  ")


def test_only_rows_of_joined_boards_lie_upside_down(tmp_path: Path) -> None:
    (fault,) = board(tmp_path, ('sectors = ["B"]', 'sectors = ["B"]\ndown = true'))
    assert "unknown key" in fault
    assert "down" not in json_schema(Map, "maps")["definitions"]["Row"]["properties"]


@pytest.mark.parametrize(("rule", "says"), [("", ""), ('rule = "S-SETUP-01"', r" \(S-SETUP-01\)")])
def test_too_few_players_are_told_with_the_rule_of_the_map_if_it_has_one(tmp_path: Path, rule: str, says: str) -> None:
    text = BOARD.replace('edition = "second"', f'edition = "second"\nleast_seats = 4\n{rule}')
    found = load_packs((PACKS, pack(tmp_path, "maps", text)))
    with pytest.raises(SetupError, match=f"2 seats: this map needs 4 or more{says}$"):
        build(Setup("second", "bad", seats=2), found)
    with speaking("fr"), pytest.raises(SetupError, match=f"2 places\u00a0: il en faut au moins 4 sur ce plan{says}$"):
        build(Setup("second", "bad", seats=2), found)
