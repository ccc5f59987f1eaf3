"""What the pages ask for before a table is open: the catalogue, all rules at once, the same dice again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from beachhead import rules
from beachhead.content.library import library
from beachhead.server.api import seed_of
from beachhead.server.catalogue import catalogue

from .running import Running, at


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("tables") / "tables.sqlite") as found:
        yield found


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_of_the_levels_of_a_map_one_leaves_nothing_out(lang: str) -> None:
    maps = [board for edition in catalogue(lang)["editions"] for board in edition["maps"] if board["levels"]]
    assert maps
    for board in maps:
        whole = [level["id"] for level in board["levels"] if level["whole"]]
        assert whole == ["advanced-training"], board["id"]


def test_a_board_is_offered_to_as_many_units_as_start_there(monkeypatch: pytest.MonkeyPatch) -> None:
    tiger = library().maps["first"]["n01-exercise-tiger"]
    start = replace(tiger.sectors["1"], max_units=2)
    monkeypatch.setitem(library().maps["first"], tiger.id, replace(tiger, sectors={**tiger.sectors, "1": start}))
    first, second = ({one["id"]: one for one in edition["maps"]} for edition in catalogue.__wrapped__("en")["editions"])
    assert (first[tiger.id]["least"], first[tiger.id]["most"]) == (1, 2)
    assert {one["most"] for one in (*first.values(), *second.values()) if one is not first[tiger.id]} == {4}
    assert first["operation-deadstick"]["least"] == 2


def test_every_board_has_its_picture_where_the_catalogue_says(running: Running) -> None:
    for edition in catalogue("en")["editions"]:
        for board in edition["maps"]:
            found = running.get(board["board"])
            assert found.status == 200, board["id"]
            sectors = set(re.findall('data-sector="([^"]+)"', found.text))
            assert sectors == set(library().maps[edition["id"]][board["id"]].sectors), board["id"]


def test_all_rules_come_at_once(running: Running) -> None:
    found = {lang: running.get(f"/api/rules?all=1&lang={lang}") for lang in ("en", "fr")}
    rows = {lang: {row["id"]: row for row in answer.json} for lang, answer in found.items()}
    assert set(rows["en"]) == set(rows["fr"]) == set(rules.register())
    for lang in rows:
        one = running.get(f"/api/rules/F-ROLL-02?lang={lang}").json
        assert {name: one[name] for name in rows[lang]["F-ROLL-02"]} == rows[lang]["F-ROLL-02"]
    assert rows["en"]["F-ROLL-02"]["text"] != rows["fr"]["F-ROLL-02"]["text"]
    again = running.get("/api/rules?all=1&lang=en", if_none_match=found["en"].headers["etag"])
    assert again.status == 304


def test_a_seed_that_was_revealed_gives_the_same_dice_again(running: Running) -> None:
    seed = "0123456789abcdef" * 4
    assert seed_of(seed) == seed
    assert seed_of(seed.upper()) != seed.upper()
    assert re.fullmatch("[0-9a-f]{64}", seed_of("some words"))
    rolls = []
    for _ in range(2):
        made = running.create(seed=seed)
        with at(running, made) as client:
            assert client.table["practice"]
        rolls.append([line for line in running.record(made["table"], made["token"]) if line.startswith('["roll"')])
    assert rolls[0] == rolls[1] != []


def test_the_client_has_its_worker_and_its_manifest_at_the_root(running: Running, tmp_path: Path) -> None:
    worker = running.get("/sw.js")
    assert worker.status == 200
    files = re.search(r"const FILES = (\[.*?\]);", worker.text)
    assert files is not None
    for name in re.findall(r'"([^"]+)"', files[1]):
        assert running.get(name).status == 200, name
