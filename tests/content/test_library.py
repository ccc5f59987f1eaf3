"""Packs: what comes with Beachhead is right, one's own are put over it, and every fault is named with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from beachhead.content.library import PACKS, library, load_packs
from beachhead.core.errors import ContentError

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
