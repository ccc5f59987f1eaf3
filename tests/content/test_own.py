"""Packs of one's own: a new one is in order, corrections change single values and are named, schemas fit the files."""

from __future__ import annotations

import json
import re
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from beachhead.content import spoken
from beachhead.content.library import PACKS, POCKET, Library, library, load_packs, own_packs, packs_in
from beachhead.content.own import FILES, new_pack, schemas, write_schemas
from beachhead.content.translation import MapWords
from beachhead.core.errors import BeachheadError, ContentError
from beachhead.landing.world import Setup, build

OMAHA = "n02-omaha-beach"


def corrected(folder: Path, text: str) -> Library:
    (folder / "corrections").mkdir(parents=True, exist_ok=True)
    (folder / "corrections" / "mine.toml").write_text(text, encoding="utf-8")
    return load_packs((PACKS, folder))


# ---------------------------------------------------------------------- a new pack


@pytest.mark.parametrize("edition", ["first", "second"])
def test_a_new_pack_is_in_order_and_its_map_can_be_played(edition: str, tmp_path: Path) -> None:
    new_pack("my-beach", edition, tmp_path)
    found = load_packs((PACKS, tmp_path / "my-beach"))
    assert found.maps[edition]["my-beach"].name == "My Beach"
    assert found.changed == ()
    for seats in (1, 4):
        assert build(Setup(edition, "my-beach", seats=seats), found).sectors["B"].bunker


def test_nothing_is_overwritten_and_a_name_is_checked(tmp_path: Path) -> None:
    new_pack("mine", "second", tmp_path)
    with pytest.raises(BeachheadError, match="is there already"):
        new_pack("mine", "second", tmp_path)
    for name in ("My Pack", "../up", "", "-a"):
        with pytest.raises(BeachheadError, match="small letters, digits and hyphens"):
            new_pack(name, "second", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_packs_in_the_users_folder_are_found_in_the_order_of_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BEACHHEAD_DATA", str(tmp_path))
    assert own_packs() == ()
    for name in ("zulu", "alpha"):
        new_pack(name, "second")
    assert own_packs() == (tmp_path / "packs" / "alpha", tmp_path / "packs" / "zulu")


def test_a_new_pack_takes_the_place_of_no_map_of_ours(tmp_path: Path) -> None:
    with pytest.raises(BeachheadError, match="the id of a map of ours"):
        new_pack(OMAHA, "second", tmp_path)
    assert new_pack(OMAHA, "first", tmp_path)


def test_a_name_that_is_too_long_for_a_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(BeachheadError, match="File name too long"):
        new_pack("x" * 300, "second", tmp_path)


# ---------------------------------------------------------------------- where packs lie


def test_a_folder_with_packs_holds_each_of_them_whatever_its_name(tmp_path: Path) -> None:
    for name in ("alpha", "pocket", "maps"):
        new_pack(name, "second", tmp_path)
    assert packs_in(tmp_path) == (tmp_path / "alpha", tmp_path / "maps", tmp_path / "pocket")
    for pack in packs_in(tmp_path):
        assert packs_in(pack) == (pack,)
    assert {"alpha", "maps", "pocket"} < load_packs((PACKS, *packs_in(tmp_path))).maps["second"].keys()


def test_of_two_packs_with_the_same_map_the_later_one_holds(tmp_path: Path) -> None:
    for name in ("alpha", "bravo"):
        new_pack(name, "second", tmp_path)
        path = tmp_path / name / "maps" / f"{name}.toml"
        path.write_text(path.read_text("utf-8").replace(f'id = "{name}"', 'id = "same"'), encoding="utf-8")
    assert load_packs((PACKS, *packs_in(tmp_path))).maps["second"]["same"].name == "Bravo"


def test_a_file_beside_the_packs_is_told_and_a_hidden_or_empty_folder_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BEACHHEAD_DATA", str(tmp_path))
    new_pack("alpha", "second")
    (tmp_path / "packs" / ".git").mkdir()
    (tmp_path / "packs" / "not-yet").mkdir()
    assert [one.name for one in own_packs()] == ["alpha"]
    load_packs((PACKS, *own_packs()))
    (tmp_path / "packs" / "lost.toml").write_text("format = 1\n", encoding="utf-8")
    with pytest.raises(ContentError, match=r"lost.toml: this file lies in no pack"):
        load_packs((PACKS, *own_packs()))
    (tmp_path / "packs" / "lost.toml").rename(tmp_path / "packs" / "alpha" / "lost.toml")
    with pytest.raises(ContentError, match=r"lost.toml:1: in no folder of its pack: expected cards"):
        load_packs((PACKS, *own_packs()))


# ---------------------------------------------------------------------- corrections


def test_a_correction_changes_a_value_and_nothing_else(tmp_path: Path) -> None:
    text = f'format = 1\nedition = "second"\n[maps.{OMAHA}.sectors.5]\ndef = [9]\n[cards.veteran]\ncost = 4\n'
    found = corrected(tmp_path, text)
    ours, mine = library().maps["second"][OMAHA], found.maps["second"][OMAHA]
    assert mine.sectors["5"].defence == (9,)
    assert mine.sectors["5"].mgf == ours.sectors["5"].mgf
    assert "def" in ours.sectors["5"].reconstructed
    assert "def" not in mine.sectors["5"].reconstructed
    assert {id: one for id, one in mine.sectors.items() if id != "5"} == {
        id: one for id, one in ours.sectors.items() if id != "5"
    }
    assert found.cards["second"]["veteran"].cost == 4
    assert found.cards["first"]["veteran"].cost == 3
    assert found.changed == ("second cards veteran cost", f"second maps {OMAHA} sectors.5.def")
    assert found.hash != library().hash


def test_a_game_names_what_of_it_is_changed(tmp_path: Path) -> None:
    text = f'format = 1\nedition = "second"\n[maps.{OMAHA}.sectors.5]\ndef = [9]\n[cards.veteran]\ncost = 4\n'
    found = corrected(tmp_path, text)
    assert build(Setup("second", OMAHA), found).changed == found.changed
    assert build(Setup("second"), found).changed == ("second cards veteran cost",)
    assert build(Setup("first"), found).changed == ()


def test_a_correction_of_a_board_changes_the_board_that_it_is_joined_to(tmp_path: Path) -> None:
    found = corrected(tmp_path, 'format = 1\nedition = "first"\n[maps.n08-merville.sectors.3]\ndef = [1]\n')
    assert found.maps["first"]["operation-deadstick"].sectors["M3"].defence == (1,)
    setup = Setup("first", "operation-deadstick", seats=2)
    assert build(setup, found).changed == ("first maps n08-merville sectors.3.def",)


def test_a_whole_map_in_the_place_of_ours_is_named_too(tmp_path: Path) -> None:
    new_pack("mine", "second", tmp_path)
    path = tmp_path / "mine" / "maps" / "mine.toml"
    path.write_text(path.read_text("utf-8").replace('id = "mine"', f'id = "{OMAHA}"'), encoding="utf-8")
    assert load_packs((PACKS, tmp_path / "mine")).changed == (f"second maps {OMAHA}",)


SECOND = 'format = 1\nedition = "second"\n'


def test_false_takes_a_value_away_and_is_named(tmp_path: Path) -> None:
    assert library().maps["second"][OMAHA].sectors["5"].special_damage
    found = corrected(tmp_path, f"{SECOND}[maps.{OMAHA}.sectors.5]\nmgf = 0\nspecial_damage = false\n")
    assert found.maps["second"][OMAHA].sectors["5"].special_damage is None
    assert found.changed == tuple(f"second maps {OMAHA} sectors.5.{key}" for key in ("mgf", "special_damage"))


def test_false_is_a_value_where_true_or_false_is_expected(tmp_path: Path) -> None:
    assert library().maps["second"][OMAHA].sectors["5"].battle_cry
    found = corrected(tmp_path, f"{SECOND}[maps.{OMAHA}.sectors.5]\nbattle_cry = false\n")
    assert not found.maps["second"][OMAHA].sectors["5"].battle_cry


@pytest.mark.parametrize(("bonus", "expected"), [("{}", {}), ("{ star = 1 }", {"star": 1}), ("false", {})])
def test_a_table_that_is_a_value_takes_the_place_of_ours(bonus: str, expected: dict[str, int], tmp_path: Path) -> None:
    assert library().maps["second"][OMAHA].sectors["5"].bonus == {"tool": 1}
    found = corrected(tmp_path, f"{SECOND}[maps.{OMAHA}.sectors.5]\nbonus = {bonus}\n")
    assert found.maps["second"][OMAHA].sectors["5"].bonus == expected
    assert found.changed == (f"second maps {OMAHA} sectors.5.bonus",)


def test_edges_drawings_and_bonuses_are_laid_over_ours(tmp_path: Path) -> None:
    text = f"{SECOND}[maps.{OMAHA}.edges]\nlandmines = []\n[maps.{OMAHA}.sectors.5.drawing]\nblast = true\n"
    found = corrected(tmp_path, f'{text}[nations.uk.rwb.star]\nname = "Mine"\n')
    ours, mine = library().maps["second"][OMAHA], found.maps["second"][OMAHA]
    assert mine.edges.forward == ours.edges.forward and not mine.edges.landmines
    assert mine.sectors["5"].drawing.width == ours.sectors["5"].drawing.width
    assert found.nations["second"]["uk"].rwb["star"].ops == library().nations["second"]["uk"].rwb["star"].ops


def test_a_value_that_is_the_same_is_not_named(tmp_path: Path) -> None:
    assert corrected(tmp_path, f"{SECOND}[cards.veteran]\ncost = 3\n").changed == ()


def test_a_joined_board_can_be_corrected(tmp_path: Path) -> None:
    text = 'format = 1\nedition = "first"\n[maps.operation-deadstick]\nguns = false\n'
    found = corrected(tmp_path, text)
    assert library().maps["first"]["operation-deadstick"].barrage
    assert not found.maps["first"]["operation-deadstick"].barrage
    assert found.changed == ("first maps operation-deadstick guns",)
    with pytest.raises(ContentError, match=r"mine.toml:4: maps.operation-deadstick.go_on\[0\]: unknown Sector 'Z'"):
        corrected(tmp_path, text.replace("guns = false", 'go_on = ["Z"]'))


def test_a_correction_that_breaks_its_map_tells_everything(tmp_path: Path) -> None:
    with pytest.raises(ContentError) as caught:
        corrected(tmp_path, f'{SECOND}[maps.{OMAHA}.edges]\nforward = [["1", "2"]]\n')
    told = [str(fault) for fault in caught.value.faults]
    assert any("is neither a forward nor a lateral line" in one for one in told)
    assert any("sectors.4: nobody can come here from a start" in one for one in told)


def test_what_a_correction_says_anew_is_not_said_in_the_words_for_the_old(tmp_path: Path) -> None:
    text = f'{SECOND}[cards.veteran]\ntext = "New."\n[maps.{OMAHA}.sectors.5]\ntext = "New."\n'
    mine, ours = corrected(tmp_path, text).words["fr"], library().words["fr"]
    assert ("cards", "second", "veteran") in ours and ("cards", "second", "veteran") not in mine
    assert ("cards", "first", "veteran") in mine
    before, after = (words["maps", "second", OMAHA] for words in (ours, mine))
    assert isinstance(before, MapWords) and isinstance(after, MapWords)
    assert before.sectors.keys() - after.sectors.keys() == {"5"} and after.name == before.name


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('edition = "second"\n[maps.n02-omaha-beach]\nname = "X"\n', "mine.toml:1: format: expected 1"),
        ('format = true\nedition = "second"\n', "mine.toml:1: format: expected 1"),
        ('format = 1.0\nedition = "second"\n', "mine.toml:1: format: expected 1"),
        ('format = 1\nedition = "third"\n', "mine.toml:2: edition: expected one of first, second"),
        ('format = 1\nedition = "second"\n[map.x]\n', "mine.toml:3: map: unknown key"),
        ('format = 1\nedition = "second"\nmaps = 3\n', "mine.toml:3: maps: expected a table"),
        (
            'format = 1\nedition = "second"\n[maps]\nn02-omaha-beach = 3\n',
            "mine.toml:4: maps.n02-omaha-beach: expected a",
        ),
        (
            'format = 1\nedition = "second"\n[maps.n02-omaha]\n',
            "there is no such content in the second edition; did you",
        ),
        ('format = 1\nedition = "second"\n[maps.n02-omaha-beach.sectors.5]\ndeff = [4]\n', "mine.toml:4: maps"),
        ('format = 1\nedition = "second"\n[maps.n02-omaha-beach]\nid = "x"\n', "changes neither id nor edition"),
        ('format = 1\nedition = "second"\n[maps.n02-omaha-beach.sectors.5]\nmgf = 0\n', "there is no Machine Gun Fire"),
    ],
)
def test_a_wrong_correction_is_told_with_its_line(text: str, fault: str, tmp_path: Path) -> None:
    with pytest.raises(ContentError) as caught:
        corrected(tmp_path, text)
    assert any(fault in str(one) for one in caught.value.faults), caught.value.faults


def two_files(folder: Path, first: str, second: str) -> list[str]:
    """What is told of two files of corrections in one pack, the first of which is read first."""
    (folder / "corrections").mkdir(parents=True)
    for name, text in (("a.toml", first), ("b.toml", second)):
        (folder / "corrections" / name).write_text(SECOND + text, encoding="utf-8")
    try:
        load_packs((PACKS, folder))
    except ContentError as error:
        return [str(fault).partition("corrections/")[2] for fault in error.faults]
    return []


FIVE = f"[maps.{OMAHA}.sectors.5]\n"


@pytest.mark.parametrize(
    ("first", "second", "where"),
    [
        (FIVE + "def = [3]", FIVE + "def = [4]", f"b.toml:4: maps.{OMAHA}.sectors.5.def"),
        (FIVE + "def = [3]", FIVE + "def = [3]", ""),
        (FIVE + "def = [3]", FIVE + "mgf = 2", ""),
        ("[cards.veteran]\ncost = 3", "[cards.veteran]\ncost = 4", "b.toml:4: cards.veteran.cost"),
        (FIVE + "bonus = { star = 1 }", FIVE + "bonus = { tool = 2 }", f"b.toml:4: maps.{OMAHA}.sectors.5.bonus"),
        (FIVE + "drawing = { blast = true }", FIVE + "drawing = { terrain = 'sea' }", ""),
        (FIVE + "special_damage = false", FIVE + "special_damage = { courage = 3 }", f"b.toml:4: maps.{OMAHA}.sec"),
        (FIVE + "drawing = false", FIVE + "drawing = { blast = true }", f"b.toml:4: maps.{OMAHA}.sectors.5.drawing.b"),
        (FIVE + "drawing = { blast = true }", FIVE + "drawing = false", f"b.toml:4: maps.{OMAHA}.sectors.5.drawing:"),
    ],
)
def test_two_files_of_a_pack_give_a_value_one_number(first: str, second: str, where: str, tmp_path: Path) -> None:
    found = [one for one in two_files(tmp_path, first, second) if "corrected twice" in one]
    if not where:
        assert found == []
    else:
        (fault,) = found
        assert fault.startswith(where) and fault.endswith("is corrected twice in this pack: in a.toml as well")


def test_a_later_pack_may_correct_what_an_earlier_one_did(tmp_path: Path) -> None:
    for name, number in (("a", 3), ("b", 4)):
        (tmp_path / name / "corrections").mkdir(parents=True)
        (tmp_path / name / "corrections" / "x.toml").write_text(f"{SECOND}{FIVE}def = [{number}]\n", encoding="utf-8")
    found = load_packs((PACKS, tmp_path / "a", tmp_path / "b"))
    assert found.maps["second"][OMAHA].sectors["5"].defence == (4,)


# ---------------------------------------------------------------------- names of cards in both editions


def named(content: Library, card: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(spoken, "library", lambda: content)
    spoken._card_name.cache_clear()
    try:
        return str(spoken.card_name(card))
    finally:
        spoken._card_name.cache_clear()


@pytest.mark.parametrize("edition", ["first", "second"])
def test_the_new_name_of_a_card_is_said_whichever_edition_it_belongs_to(
    edition: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = f'format = 1\nedition = "{edition}"\n[cards.engineer]\n'
    assert named(corrected(tmp_path, said + 'name = "Sapper"\n'), "engineer", monkeypatch) == "Sapper"
    assert named(corrected(tmp_path, said + "cost = 3\n"), "engineer", monkeypatch) == "Engineer"
    assert named(library(), "engineer", monkeypatch) == "Engineer"


def test_a_card_of_ones_own_has_its_name_where_the_other_edition_has_its_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = next(id for id in library().cards["first"] if id not in library().cards["second"])
    (text,) = [example for example in EXAMPLES if "[[card]]" in example]
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "mine.toml").write_text(text.replace('"fisherman"', f'"{id}"'), encoding="utf-8")
    assert named(load_packs((PACKS, tmp_path)), id, monkeypatch) == "Fisherman"


# ---------------------------------------------------------------------- the page about packs

PAGE = (Path(__file__).parents[2] / "docs" / "packs.md").read_text("utf-8")
EXAMPLES = [block.partition("```")[0] for block in PAGE.split("```toml\n")[1:]]


def test_the_example_of_a_card_of_ones_own_can_be_played(tmp_path: Path) -> None:
    (text,) = [example for example in EXAMPLES if "[[card]]" in example]
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "mine.toml").write_text(text, encoding="utf-8")
    found = load_packs((PACKS, tmp_path))
    card = found.cards["second"]["fisherman"]
    assert (card.kind, card.cost, len(card.abilities)) == ("regular-specialist", 2, 2)
    assert found.changed == ("second cards fisherman",)
    schema = schemas()["cards"]
    assert fits(tomllib.loads(text), schema, schema)


def test_the_examples_of_corrections_are_in_order(tmp_path: Path) -> None:
    good = [example for example in EXAMPLES if "[maps." in example]
    assert len(good) == 2
    for n, example in enumerate(good):
        corrected(tmp_path / str(n), example if "format" in example else SECOND + example)


# ---------------------------------------------------------------------- schemas for editors


def fits(value: Any, schema: dict[str, Any], top: dict[str, Any]) -> bool:
    """So much of JSON Schema as ours use."""
    if "$ref" in schema:
        return fits(value, top["definitions"][schema["$ref"].removeprefix("#/definitions/")], top)
    if "anyOf" in schema:
        return any(fits(value, one, top) for one in schema["anyOf"])
    if "enum" in schema:
        return value in schema["enum"]
    if "const" in schema:
        return bool(value == schema["const"])
    kind = schema["type"]
    if kind == "object":
        known, more = schema.get("properties", {}), schema["additionalProperties"]
        return (
            isinstance(value, dict)
            and all(key in value for key in schema.get("required", ()))
            and all(fits(key, schema["propertyNames"], top) for key in value if "propertyNames" in schema)
            and all(
                fits(one, known[key], top) if key in known else bool(more) and fits(one, more, top)
                for key, one in value.items()
            )
        )
    if kind == "array":
        return (
            isinstance(value, list)
            and schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value))
            and all(fits(one, schema["items"], top) for one in value)
        )
    if kind == "integer":
        return type(value) is int
    if kind == "number":
        return type(value) in (int, float)
    if isinstance(value, str) and "pattern" in schema:
        wrong = schema.get("not", {}).get("pattern")
        return bool(re.search(schema["pattern"], value)) and not (wrong and re.search(wrong, value))
    return isinstance(value, bool if kind == "boolean" else (str, date))


SHIPPED = sorted(path for path in PACKS.rglob("*.toml") if POCKET not in path.relative_to(PACKS).parts)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_shipped_file_fits_its_schema(path: Path) -> None:
    schema = schemas()[path.parent.name]
    assert fits(tomllib.loads(path.read_text("utf-8")), schema, schema)


def test_a_schema_refuses_what_the_reader_refuses() -> None:
    schema = schemas()["maps"]
    data = tomllib.loads((PACKS / "base" / "maps" / "n02-omaha.toml").read_text("utf-8"))
    assert fits(data, schema, schema)
    for key, value in (("edition", "third"), ("format", 2), ("rows", 3), ("colour", "red"), ("id", "../omaha")):
        assert not fits(data | {key: value}, schema, schema), key
    assert not fits({key: value for key, value in data.items() if key != "sectors"}, schema, schema)


@pytest.mark.parametrize(
    ("old", "new"), [("[nation.rwb.star]", "[nation.rwb.stars]"), ("[nation.rwb.tool]", "[nation.rwb.Tool]")]
)
def test_the_schema_of_nations_knows_the_results(old: str, new: str) -> None:
    schema = schemas()["nations"]
    text = (PACKS / "base" / "nations" / "first.toml").read_text("utf-8")
    assert old in text
    assert not fits(tomllib.loads(text.replace(old, new, 1)), schema, schema)


@pytest.mark.parametrize("key", ["forward", "lateral", "landmines", "barriers", "retreat"])
@pytest.mark.parametrize("line", [[], ["1"], ["1", "2", "3"]])
def test_a_schema_knows_that_a_line_is_a_pair(key: str, line: list[str]) -> None:
    schema = schemas()["maps"]
    data = tomllib.loads((PACKS / "base" / "maps" / "n02-omaha.toml").read_text("utf-8"))
    assert not fits(data | {"edges": data["edges"] | {key: [line]}}, schema, schema)


@pytest.mark.parametrize("key", ["format", "edition"])
def test_corrections_say_their_format_and_their_edition(key: str) -> None:
    schema = schemas()["corrections"]
    said = {"format": 1, "edition": "second"}
    assert fits(said, schema, schema)
    assert not fits({name: value for name, value in said.items() if name != key}, schema, schema)
    assert not fits(said | {key: False}, schema, schema)


def test_corrections_need_nothing_else_but_know_every_key() -> None:
    schema = schemas()["corrections"]
    good = {"format": 1, "edition": "second", "maps": {OMAHA: {"sectors": {"5": {"def": [4]}}}}}
    assert fits(good, schema, schema)
    bad = {"format": 1, "edition": "second", "maps": {OMAHA: {"sectors": {"5": {"deff": [4]}}}}}
    assert not fits(bad, schema, schema)


@pytest.mark.parametrize(
    ("table", "right"),
    [
        ({OMAHA: {"sectors": {"5": {"special_damage": False}}}}, True),
        ({OMAHA: {"sectors": {"5": False}}}, True),
        ({"operation-deadstick": {"guns": False, "go_on": ["MB"]}}, True),
        ({OMAHA: False}, False),
        ({"operation-deadstick": {"gums": []}}, False),
    ],
)
def test_the_schema_of_corrections_knows_false_and_joined_boards(table: dict[str, Any], right: bool) -> None:
    schema = schemas()["corrections"]
    assert fits({"format": 1, "edition": "first", "maps": table}, schema, schema) == right


def in_toml(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{json.dumps(key)} = {in_toml(one)}' for key, one in value.items())} }}"
    return f"[{', '.join(map(in_toml, value))}]" if isinstance(value, list) else json.dumps(value)


@pytest.mark.parametrize(
    ("keys", "value", "right"),
    [
        (("maps", OMAHA, "sectors", "5", "def"), [3], True),
        (("maps", OMAHA, "sectors", "5", "def"), False, False),
        (("maps", OMAHA, "sectors", "5", "battle_cry"), False, True),
        (("maps", OMAHA, "sectors", "5", "reconstructed"), False, True),
        (("maps", OMAHA, "sectors", "5", "drawing"), {"blast": True}, True),
        (("maps", OMAHA, "sectors", "5", "drawing"), {"blast": False, "terrain": False}, True),
        (("maps", "n10-hillman-strongpoint", "sectors", "B", "door"), {"stays_open": False}, False),
        (("maps", "n10-hillman-strongpoint", "sectors", "B", "door"), {"explosives": 1, "stays_open": False}, True),
        (("maps", "n10-hillman-strongpoint", "sectors", "B", "door"), {"explosives": False}, False),
        (("maps", "n10-hillman-strongpoint", "sectors", "B", "door"), False, True),
        (("maps", OMAHA, "rows"), [{"courage": 1}], False),
        (("maps", OMAHA, "name"), False, False),
        (("maps", OMAHA, "place"), False, True),
        (("maps", OMAHA, "id"), OMAHA, False),
        (("maps", OMAHA, "edition"), "second", False),
        (("maps", OMAHA, "edges", "forward"), False, False),
        (("maps", OMAHA, "edges", "landmines"), False, True),
        (("cards", "veteran", "id"), "veteran", False),
        (("cards", "veteran", "kind"), False, False),
        (("cards", "veteran", "cost"), False, True),
        (("cards", "veteran", "abilities"), [{"kind": "triggered"}], False),
        (("nations", "uk", "id"), "uk", False),
        (("nations", "uk", "rwb", "star"), False, False),
        (("nations", "uk", "rwb", "star", "name"), "Mine", True),
        (("nations", "uk", "rwb", "star", "ops"), False, False),
    ],
)
def test_the_schema_of_corrections_and_the_reader_agree(
    keys: tuple[str, ...], value: Any, right: bool, tmp_path: Path
) -> None:
    said: Any = value
    for key in reversed(keys):
        said = {key: said}
    schema = schemas()["corrections"]
    assert fits({"format": 1, "edition": "second", **said}, schema, schema) == right
    text = SECOND + "".join(f"{key} = {in_toml(one)}\n" for key, one in said.items())
    if right:
        corrected(tmp_path, text)
    else:
        with pytest.raises(ContentError):
            corrected(tmp_path, text)


@pytest.mark.parametrize("name", ["a\u202eb", "a\x1bb"])
def test_schemas_refuse_names_that_no_terminal_shows_as_they_are(name: str) -> None:
    schema = schemas()["maps"]
    data = tomllib.loads((PACKS / "base" / "maps" / "n02-omaha.toml").read_text("utf-8"))
    assert not fits(data | {"name": name}, schema, schema)
    assert not fits(data | {"rule": name}, schema, schema)
    assert not fits(data | {"levels": {name: {}}}, schema, schema)
    words = schemas()["words"]
    said = {"name": "a", "place": "b"}
    assert fits({"format": 1, "maps": {OMAHA: said}}, words, words)
    assert not fits({"format": 1, "maps": {name: said}}, words, words)
    assert not fits({"format": 1, "maps": {OMAHA: said | {"sectors": {name: "x"}}}}, words, words)


def test_a_new_pack_brings_its_schemas_and_its_files_point_to_them(tmp_path: Path) -> None:
    new_pack("mine", "second", tmp_path)
    for path in (tmp_path / "mine").rglob("*.toml"):
        first = path.read_text("utf-8").splitlines()[0]
        schema = json.loads((path.parent / first.removeprefix("#:schema ")).read_text("utf-8"))
        assert fits(tomllib.loads(path.read_text("utf-8")), schema, schema)
    assert {path.stem for path in (tmp_path / "mine" / ".schemas").iterdir()} == set(FILES)


def test_schemas_of_ours_are_written_anew(tmp_path: Path) -> None:
    write_schemas(tmp_path)
    old = (tmp_path / "maps.json").read_text("utf-8")
    (tmp_path / "maps.json").write_text(json.dumps({"title": "Beachhead: a file in the folder maps"}), encoding="utf-8")
    assert len(write_schemas(tmp_path)) == len(FILES)
    assert (tmp_path / "maps.json").read_text("utf-8") == old


@pytest.mark.parametrize(
    "text", ['{"title": "My words"}', "{}", "[]", "3", "no JSON", "", b"\xff\xfe", '{"title": 3}', "[" * 100_000]
)
def test_a_file_that_is_no_schema_of_ours_is_not_replaced_and_nothing_is_written(
    text: str | bytes, tmp_path: Path
) -> None:
    raw = text if isinstance(text, bytes) else text.encode()
    (tmp_path / "words.json").write_bytes(raw)
    with pytest.raises(BeachheadError, match=r"words.json is no schema of ours"):
        write_schemas(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["words.json"]
    assert (tmp_path / "words.json").read_bytes() == raw


def test_all_files_that_are_no_schemas_of_ours_are_named(tmp_path: Path) -> None:
    for name in ("maps.json", "words.json"):
        (tmp_path / name).write_text("{}", encoding="utf-8")
    with pytest.raises(BeachheadError, match=r"(?s)maps.json is no schema of ours.*words.json is no schema of ours"):
        write_schemas(tmp_path)


def test_a_folder_in_the_place_of_a_schema_is_told_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "words.json").mkdir()
    with pytest.raises(BeachheadError, match=r"words.json"):
        write_schemas(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["words.json"]
