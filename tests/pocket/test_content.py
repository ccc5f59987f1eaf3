"""The Pocket box with packs of one's own: what they change is named, and said in no old words."""

from __future__ import annotations

from pathlib import Path

import pytest

from beachhead.content.library import PACKS
from beachhead.core.errors import ContentError
from beachhead.pocket.content import Box, box, load_box

MEDALS = (PACKS / "pocket" / "medals.toml").read_text("utf-8")


def with_file(folder: Path, name: str, text: str) -> Box:
    path = folder / "pocket" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return load_box((PACKS, folder))


def test_a_comment_a_word_and_another_file_change_nothing(tmp_path: Path) -> None:
    assert box().hash.startswith("pocket:") and box().changed == ()
    mine = with_file(tmp_path, "mine.toml", f"# mine\n{MEDALS}")
    assert (mine.hash, mine.changed, mine.words) == (box().hash, (), box().words)


def test_what_is_changed_is_named_and_has_no_words_until_the_pack_brings_them(tmp_path: Path) -> None:
    first = next(iter(box().medals.values()))
    start = MEDALS.index("[[medal]]")
    one = MEDALS[start : MEDALS.index("[[medal]]", start + 1)]
    mine = with_file(tmp_path, "mine.toml", "format = 1\n" + one.replace('text = "', 'text = "New: '))
    assert mine.changed == (f"pocket medals {first.id}",)
    assert mine.words["fr"].cards.keys() == box().words["fr"].cards.keys() - {first.id}
    said = f'format = 1\n[cards.{first.id}]\nname = "Nouveau"\nthe = "le Nouveau"\n'
    assert with_file(tmp_path, "words/fr.toml", said).words["fr"].cards[first.id].name == "Nouveau"


def test_another_ability_is_another_content(tmp_path: Path) -> None:
    worthless = next(one for one in box().medals.values() if one.ability == "worthless")
    assert with_file(tmp_path, "mine.toml", MEDALS.replace('"worthless"', '"advance"')).hash != box().hash
    assert worthless.id in load_box((PACKS, tmp_path)).changed[0]


def test_words_for_what_is_not_there_are_told(tmp_path: Path) -> None:
    text = 'format = 1\n[cards.nobody]\nname = "x"\n[beaches.utah]\nname = "Utah"\nsectors = ["a"]\n'
    with pytest.raises(ContentError, match=r"fr.toml:6: beaches.utah.sectors: expected 6 sectors, got 1"):
        with_file(tmp_path, "words/fr.toml", text)
    with pytest.raises(ContentError, match=r"fr.toml:2: cards.nobody: there is no such content"):
        with_file(tmp_path, "words/fr.toml", text.replace('sectors = ["a"]\n', ""))
