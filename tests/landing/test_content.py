"""The content of a game is what it can meet, by value: nothing else on the shelf makes a record of it foreign."""

from __future__ import annotations

from pathlib import Path

import pytest

from beachhead.content.library import PACKS, Library, library, load_packs
from beachhead.content.own import new_pack
from beachhead.landing.game import changed, content_hash
from beachhead.landing.world import Setup, build

OMAHA = Setup("second", "n02-omaha-beach")
CARD = """format = 1
edition = "{edition}"

[[card]]
id = "{id}"
name = "A Card"
kind = "{kind}"
cost = 3
rule = "F-CARD-VETERAN"
text = "Ours."
"""


def with_card(folder: Path, edition: str, id: str, kind: str) -> Library:
    (folder / "cards").mkdir(parents=True)
    text = CARD.format(edition=edition, id=id, kind=kind)
    (folder / "cards" / "mine.toml").write_text(text, encoding="utf-8")
    return load_packs((PACKS, folder))


def corrected(folder: Path, text: str) -> Library:
    (folder / "corrections").mkdir(parents=True)
    (folder / "corrections" / "mine.toml").write_text(f"format = 1\n{text}", encoding="utf-8")
    return load_packs((PACKS, folder))


def parts(setup: Setup, content: Library) -> dict[str, str]:
    return dict(part.split(":") for part in content_hash(build(setup, content)).split())


def differing(setup: Setup, content: Library) -> set[str]:
    ours = parts(setup, library())
    return {kind for kind, hash in parts(setup, content).items() if hash != ours[kind]}


def test_it_has_a_hash_for_each_kind() -> None:
    assert [*parts(OMAHA, library())] == ["maps", "cards", "nations"]


def test_a_new_map_or_a_comment_changes_no_other_game(tmp_path: Path) -> None:
    new_pack("lonely", "second", tmp_path)
    pack = tmp_path / "lonely"
    assert differing(OMAHA, load_packs((PACKS, pack))) == set()
    mine = Setup("second", "lonely")
    before = parts(mine, load_packs((PACKS, pack)))
    path = pack / "maps" / "lonely.toml"
    path.write_text(
        "# a word\n" + path.read_text("utf-8").replace('name = "Lonely"', 'name = "Alone"'), encoding="utf-8"
    )
    assert parts(mine, load_packs((PACKS, pack))) == before, "nor do comments and names"


def test_a_value_that_the_game_meets_is_in_its_hash(tmp_path: Path) -> None:
    edition = 'edition = "second"\n'
    found = corrected(tmp_path / "map", f"{edition}[maps.n02-omaha-beach.sectors.5]\ndef = [9]\n")
    assert differing(OMAHA, found) == {"maps"}
    assert differing(Setup("second"), found) == set()
    found = corrected(tmp_path / "card", f"{edition}[cards.veteran]\ncost = 4\n")
    assert differing(OMAHA, found) == {"cards"}
    assert differing(Setup("first"), found) == set()


def test_a_value_of_a_board_is_in_the_hash_of_what_it_is_joined_to(tmp_path: Path) -> None:
    found = corrected(tmp_path, 'edition = "first"\n[maps.n08-merville.sectors.3]\ndef = [1]\n')
    assert differing(Setup("first", "operation-deadstick", seats=2), found) == {"maps"}


@pytest.mark.parametrize(
    ("edition", "kind", "meets"),
    [
        ("second", "regular-specialist", True),  # every player holds them all
        ("first", "regular-specialist", False),  # only those that the map lists
        ("first", "unique-specialist", False),
        ("first", "special-item", True),  # they lie in the box, from where cards bring them
        ("second", "award", True),
    ],
)
def test_a_new_card_concerns_the_games_into_which_it_can_come(
    edition: str, kind: str, meets: bool, tmp_path: Path
) -> None:
    found = with_card(tmp_path, edition, "stranger", kind)
    setup = Setup(edition, "n02-omaha-beach" if edition == "second" else "n02-omaha")
    assert differing(setup, found) == ({"cards"} if meets else set())
    assert changed(build(setup, found)) == ((f"{edition} cards stranger",) if meets else ())


def test_only_the_nations_that_play_are_met(tmp_path: Path) -> None:
    text = 'edition = "second"\n[nations.france.rwb.star]\nops = [{ do = "gain", soldiers = 9 }]\n'
    found = corrected(tmp_path, text)
    assert differing(OMAHA._replace(seats=4), found) == {"nations"}
    assert differing(OMAHA, found) == set()
    assert changed(build(OMAHA, found)) == ()
