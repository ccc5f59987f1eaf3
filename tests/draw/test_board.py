"""The picture of a battlefield: all data can be seen, parts can be found by id, and the file is safe and stable."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import fields, replace
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import Phase, given, settings

from beachhead.content.schema import (
    Barrage,
    Climb,
    Door,
    Drawing,
    Edges,
    Joins,
    Map,
    OfAKind,
    OnEntry,
    Result,
    Row,
    Sector,
    Shelling,
    SpecialDamage,
    Start,
)
from beachhead.draw import sectors
from beachhead.draw.badges import Badge, describe, plain_name, price, reach, words_now
from beachhead.draw.board import _Picture, board_css, board_plan, board_svg
from beachhead.draw.furniture import BADGE_HEIGHT, badge_width
from beachhead.draw.marks import stencil_width
from beachhead.draw.pen import text_width
from beachhead.draw.plan import Plan, plan
from beachhead.draw.space import Space
from beachhead.draw.terrain import row_grounds
from beachhead.draw.themes import THEMES, tokens
from beachhead.say import speaking

from .boards import BOARDS, ODD, PROOF, SHIPPED, make
from .test_plan import boards

NAMES = [board.name + board.edition for board in BOARDS]
SVG = "{http://www.w3.org/2000/svg}"


def tree(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def found(root: ElementTree.Element, id: str) -> ElementTree.Element:
    (only,) = [element for element in root.iter() if element.get("id") == id]
    return only


def ink(svg: str) -> str:
    """Only what is seen: no titles, no description, no style sheet."""
    return re.sub(r"<(title|desc|style)\b.*?</\1>", "", svg, flags=re.DOTALL)


# ---------------------------------------------------------------------- every attribute can be seen

PLAIN = Sector((5,))
CHANGES: dict[str, list[Any]] = {
    "defence": [(6,), (5, 7), (5, 7, 9)],
    "def_fixed": [True],
    "shield": ["black"],
    "mgf": [1, 2, 3],
    "special_damage": [SpecialDamage(courage=1), SpecialDamage(courage=2), SpecialDamage(specialists=1)],
    "bunker": [True],
    "start": [
        Start(),
        Start(soldiers=4),
        Start(soldiers=5),
        Start(stars=1),
        Start(courage=1),
        Start(points=1),
        Start(specialists=("scout",)),
    ],
    "requires": [("scout",), ("medic",), ("scout", "medic")],
    "sacrifice": ["any", "scout"],
    "joins": [Joins("scout"), Joins("scout", "first"), Joins("scout", "first", only=True), Joins("medic")],
    "bonus": [{"star": 1}, {"star": 2}, {"courage": 1}, {"tool": 1}, {"soldier1": 1}, {"soldier2": 1}, {"skull": 1}],
    "penalty": [{"star": 1}, {"star": 2}, {"courage": 1}, {"tool": 1}, {"soldier1": 1}, {"soldier2": 1}, {"skull": 1}],
    "on_entry": [OnEntry(1), OnEntry(2)],
    "dice": [5, 4],
    "locked_dice": [0, 1, 3],
    "find_items": [False],
    "vehicles": [("tank",), ("jeep",), ("tank", "jeep")],
    "items": [("bazooka",), ("toolkit",), ("bazooka", "toolkit")],
    "award": ["choice", "random"],
    "door": [Door(1), Door(2), Door(1, stays_open=False)],
    "max_units": [1, 2],
    "reroll_skulls": [False],
    "drawing": [Drawing(terrain=kind) for kind in ("sea", "shingle", "grass", "ridge", "bunker")]
    + [Drawing(terrain="shingle", blast=True)],
    "shelling": [Shelling(1), Shelling(2), Shelling(1, "minesweeper")],
    "battle_cry": [False],
    "per_star": [1, -1],
    "per_rwb": [1, 2],
    "stay": ["unlimited"],
    "fights": ["once"],
    "entry": ["battle-cry"],
    "of_a_kind": [OfAKind(4, 5), OfAKind(4, -3), OfAKind(5, 5)],
    "climb": [Climb(4), Climb(3)],
    "items_alone": [("toolkit",), ("bazooka",)],
    "random": [tuple(Result(f"{word} {n}", "") for n in range(6)) for word in ("Calm",)],
}
TOGETHER: dict[str, tuple[dict[str, Any], list[Any]]] = {
    "bonus_colour": ({"bonus": {"skull": 1}}, ["choice"]),
    "passage": ({"bunker": True}, [True]),
    "go_on": ({"bunker": True}, [True]),
    "opens_after": ({"bunker": True}, ["B", "2"]),
}
"""Attributes that mean something only beside another."""
READ = {"text": "An old mill.", "reconstructed": ("mgf",)}
"""Attributes that are words: in the title of the Sector, not on the map."""


def with_sector(sector: Sector) -> Map:
    return make("1 / 2 3 / B", "1-2 1-3 2-B 3-B", "2-3", s2=sector)


def test_the_list_of_attributes_is_complete() -> None:
    assert {field.name for field in fields(Sector)} == set(CHANGES) | set(TOGETHER) | set(READ)


@pytest.mark.parametrize("name", TOGETHER)
def test_what_means_something_only_beside_another_attribute_is_seen_and_said_too(name: str) -> None:
    beside, values = TOGETHER[name]
    sectors = [replace(PLAIN, **beside), *(replace(PLAIN, **beside, **{name: value}) for value in values)]
    assert len({ink(board_svg(with_sector(sector))) for sector in sectors}) == len(sectors)
    assert len({describe(with_sector(sector), "2", plain_name, words_now()) for sector in sectors}) == len(sectors)


@pytest.mark.parametrize("name", CHANGES)
def test_every_value_of_every_attribute_looks_different(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name != "drawing":
        monkeypatch.setattr(_Picture, "_ground", lambda picture: "")
    pictures = [ink(board_svg(with_sector(PLAIN)))]
    pictures += [ink(board_svg(with_sector(replace(PLAIN, **{name: value})))) for value in CHANGES[name]]
    assert len(set(pictures)) == len(pictures)


@pytest.mark.parametrize("name", [name for name in CHANGES if name != "drawing"])
def test_every_attribute_is_also_said_in_words(name: str) -> None:
    sectors = [PLAIN] + [replace(PLAIN, **{name: value}) for value in CHANGES[name]]
    told = {describe(with_sector(sector), "2", plain_name, words_now()) for sector in sectors}
    assert len(told) == len(sectors)


@pytest.mark.parametrize("name", READ)
def test_words_of_a_sector_are_in_its_title(name: str) -> None:
    group = found(tree(board_svg(with_sector(replace(PLAIN, **{name: READ[name]})))), "sector-2")
    value = READ[name]
    assert (value if isinstance(value, str) else value[0]) in (group.findtext(f"{SVG}title") or "")


def test_where_the_data_puts_borders_they_stand() -> None:
    def border(*widths: int) -> float:
        left = Sector((1,), drawing=Drawing(0, widths[0]))
        right = Sector((1,), drawing=Drawing(widths[0], 12 - widths[0]))
        return plan(make("1 / 2 3", "1-2 1-3", s2=left, s3=right)).border("2", "3")[0][0]

    assert border(3) < border(6) < border(9)


def test_lines_mines_barriers_and_prices_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Picture, "_ground", lambda picture: "")
    board = make("1 / 2 3 / B", "1-2 1-3 2-B 3-B", "2-3")
    edges = board.edges
    others = [
        replace(board, edges=replace(edges, landmines=(("2", "3"),))),
        replace(board, edges=replace(edges, barriers=(("2", "3"),))),
        replace(board, edges=replace(edges, landmines=(("1", "2"),))),
        replace(board, edges=replace(edges, barriers=(("1", "2"),))),
        replace(board, edges=replace(edges, lateral=())),
        replace(board, edges=replace(edges, forward=edges.forward[1:])),
        replace(board, edges=Edges((*edges.forward, ("1", "B")), edges.lateral)),
        replace(board, rows=(board.rows[0], Row(("2", "3"), 4), board.rows[2])),
    ]
    pictures = [ink(board_svg(one)) for one in (board, *others)]
    assert len(set(pictures)) == len(pictures)


@pytest.mark.parametrize(
    "change",
    [{"number": "N-99"}, {"place": "Nowhere"}, {"name": "Another"}, {"few_good_men": True}, {"basis": "reconstructed"}],
    ids=str,
)
def test_a_sheet_says_what_map_it_is(change: dict[str, Any]) -> None:
    board = with_sector(PLAIN)
    assert ink(board_svg(board, frame="sheet")) != ink(board_svg(replace(board, **change), frame="sheet"))


def test_names_of_cards_can_be_given_and_words_are_those_of_the_language() -> None:
    board = with_sector(replace(PLAIN, requires=("scout",), find_items=False, start=Start(soldiers=4)))
    with speaking("fr"):
        drawn = ink(board_svg(board, names={"scout": "Éclaireur"}))
    for words in ("Éclaireur", "rien à trouver", "départ"):
        assert words in drawn
    for words in ("no finds", "start"):
        assert f">{words}<" not in drawn
        assert f">{words}<" in ink(board_svg(board))


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("board", SHIPPED, ids=lambda board: board.name + board.edition)
def test_the_line_of_place_and_date_ends_before_the_landing_craft(board: Map, lang: str) -> None:
    with speaking(lang):
        root = tree(board_svg(board, frame="sheet"))
    (line,) = [text for text in root.iter(f"{SVG}text") if "title-text" in text.get("class", "")]
    ends = float(line.get("x", "")) + text_width(line.text or "", float(line.get("font-size", "")))
    sea = row_grounds(board)[0] == "sea"
    assert ends <= (475 if sea else 495)


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("board", SHIPPED, ids=lambda board: board.name + board.edition)
def test_badges_stay_in_their_sector(board: Map, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[tuple[str, float, float, float]] = []
    seen = sectors._line

    def line(space: Space, marks: list[Badge], x: float, y: float, room: float) -> str:
        widths = [min(room, badge_width(mark)) for mark in marks]
        drawn.append((now[-1], x, x + sum(widths) + 6 * (len(widths) - 1), y))
        return seen(space, marks, x, y, room)

    now = [""]
    monkeypatch.setattr(sectors, "_line", line)
    whole = sectors.draw_sector

    def sector(ground: Plan, id: str, *more: Any) -> str:
        now.append(id)
        return whole(ground, id, *more)

    monkeypatch.setattr("beachhead.draw.board.draw_sector", sector)
    with speaking(lang):
        board_svg(board)
        ground = board_plan(board, "table", plain_name, words_now())
    assert len(now) > 1
    for id, x, end, y in drawn:
        left, right = ground.span(id, y, y + BADGE_HEIGHT)
        assert left <= x + 0.1 and end <= right + 0.1, (id, x, end, left, right)


# ---------------------------------------------------------------------- found by id


@pytest.mark.parametrize("board", BOARDS, ids=NAMES)
def test_each_sector_has_its_group_area_and_slots_inside_it(board: Map) -> None:
    root = tree(board_svg(board))
    areas = board_plan(board, "table", str, words_now()).areas
    for sector in board.sectors:
        group = found(root, f"sector-{sector}")
        assert group.get("data-sector") == sector
        assert [path.get("class") for path in group.findall(f"{SVG}path")] == ["area"]
        slots = [slot for slot in group.iter() if slot.get("class") == "slot"]
        places = {(float(slot.get("data-x", "")), float(slot.get("data-y", ""))) for slot in slots}
        assert [slot.get("data-slot") for slot in slots] == list("123456")
        assert len(places) == 6
        for place in places:
            assert inside(place, areas[sector]), (sector, place)


@pytest.mark.parametrize("board", BOARDS, ids=NAMES)
def test_four_units_in_a_sector_do_not_hide_each_other(board: Map) -> None:
    root = tree(board_svg(board))
    for sector in board.sectors:
        slots = [slot for slot in found(root, f"sector-{sector}").iter() if slot.get("class") == "slot"][:4]
        tokens = [[float(slot.get(name, "")) for name in ("data-x", "data-y", "data-size")] for slot in slots]
        for (x, y, size), (other_x, other_y, _) in combinations(tokens, 2):
            width, height = 44 * size - abs(x - other_x), 44 * size - abs(y - other_y)
            assert max(0, width) * max(0, height) < 0.1 * (44 * size) ** 2, sector


def inside(point: tuple[float, float], outline: list[tuple[float, float]]) -> bool:
    x, y = point
    crossed = False
    for (ax, ay), (bx, by) in zip(outline, outline[1:] + outline[:1], strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            crossed = not crossed
    return crossed


@pytest.mark.parametrize("board", BOARDS, ids=NAMES)
def test_each_way_has_an_arrow_with_its_price(board: Map) -> None:
    root = tree(board_svg(board))
    ways = {group.get("id") for group in root.iter() if group.get("class") == "way"}
    wanted = {(start, to) for start in board.sectors for to in reach(board.edges, start)}
    assert ways == {f"way-{start}-{to}" for start, to in wanted}
    for start, to in wanted:
        way = found(root, f"way-{start}-{to}")
        assert (way.get("data-from"), way.get("data-to")) == (start, to)
        assert way.get("data-price") == str(price(board, start, to))
        assert 0 < float(way.get("data-x", "")) < 720


@pytest.mark.parametrize(
    ("start", "to", "cost"), [("1", "2", 1), ("2", "3", 0), ("2", "B", 2), ("B", "C", 2), ("4", "3", 0)]
)
def test_an_advance_and_every_way_into_a_bunker_cost_the_courage_of_that_row(start: str, to: str, cost: int) -> None:
    board = make("1 / 2 3 4 / B C", "1-2 1-3 1-4 2-B 4-C", "2-3 3-4 B-C", sC=Sector((9,), bunker=True))
    assert price(board, start, to) == cost


def test_a_prefix_keeps_two_boards_on_a_page_apart() -> None:
    ids = [set(re.findall(r'\bid="([^"]+)"', board_svg(PROOF, prefix=prefix))) for prefix in ("a-", "b-")]
    assert not ids[0] & ids[1]
    for svg in (board_svg(PROOF, prefix="a-"), board_svg(ODD)):
        known = re.findall(r'\bid="([^"]+)"', svg)
        assert len(known) == len(set(known))
        used = re.findall(r'(?:href="#|url\(#)([^")]+)', svg)
        assert set(used) <= set(known)


def test_the_description_lists_every_sector() -> None:
    root = tree(board_svg(PROOF))
    listed = (root.findtext(f"{SVG}desc") or "").splitlines()
    assert len(listed) == len(PROOF.sectors)
    assert listed[3].startswith("Sector 4: DEF 3, 5, 7, turn by turn; nothing lowers its DEF; Strategic Map lies here")
    assert "to 11 (Courage 3)" in listed[6]


# ---------------------------------------------------------------------- safe and stable


@pytest.mark.parametrize("board", BOARDS, ids=NAMES)
@pytest.mark.parametrize("frame", ["sheet", "table"])
def test_the_same_board_gives_the_same_bytes_of_well_formed_xml(board: Map, frame: Any) -> None:
    svg = board_svg(board, frame=frame)
    assert svg == board_svg(board, frame=frame)
    assert tree(svg).get("viewBox", "").startswith("0 0 720 ")
    assert not re.search(r"\bnan\b", ink(svg))


def test_another_run_gives_the_same_bytes_too() -> None:
    script = "import sys; from tests.draw.boards import ODD; from beachhead.draw.board import board_svg;"
    script += "sys.stdout.buffer.write(board_svg(ODD).encode())"
    for seed in "12":
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True)
        assert done.stdout == board_svg(ODD).encode()


def test_nothing_foreign_and_nothing_that_runs() -> None:
    for svg in [board_svg(board, alone=alone) for board in (PROOF, *SHIPPED) for alone in (True, False)]:
        assert re.findall(r"https?://[^\s\"')]+", svg) == ["http://www.w3.org/2000/svg"]
        root = tree(svg)
        for element in root.iter():
            assert element.tag.removeprefix(SVG) not in ("script", "foreignObject", "image", "a")
            for name, value in element.attrib.items():
                assert not name.startswith("on")
                assert name != "style"
                if name.endswith("href"):
                    assert value.startswith("#")


def test_names_with_markup_stay_names() -> None:
    bad = '<script>"&'
    board = make(f"1 {bad} / B", f"1-B {bad}-B", f"1-{bad}", **{f"s{bad}": Sector((3,), text=bad, start=Start())})
    root = tree(board_svg(replace(board, name=bad, place=bad), frame="sheet"))
    assert not [element for element in root.iter() if element.tag.endswith("script")]
    assert [group.get("data-sector") for group in root.iter() if group.get("class") == "sector"] == ["1", bad, "B"]


@pytest.mark.parametrize("letters", ["A", "WWWWWW", "ABCDE", "C1"])
def test_the_names_of_a_row_of_many_sectors_stay_in_their_sectors(letters: str) -> None:
    names = [letters[: 5 if len(letters) > 5 else None] + str(n) for n in range(8)]
    ways = " ".join(f"1-{name} {name}-B" for name in names)
    for n in range(6):
        board = replace(make(f"1 / {' '.join(names)} / B", ways), id=f"names-{n}")
        root, ground = tree(board_svg(board)), board_plan(board, "table", str, words_now())
        for name in names:
            left, right, top, foot = drawn_name(root, name)
            assert foot - top > 19.8  # the scale is rounded
            inner = ground.span(name, top, foot)
            assert inner[0] <= left and right <= inner[1], (n, name, left, right, inner)


def drawn_name(root: ElementTree.Element, name: str) -> tuple[float, float, float, float]:
    """Left, right, top and foot of the name of a Sector, as it is drawn."""
    (marks,) = (group for group in found(root, f"sector-{name}").iter() if group.get("class") == "marks")
    moved, squeeze, inner = 0.0, 1.0, marks[0]
    if inner.get("transform"):
        moved, squeeze = map(float, re.findall(r"translate\((\S+) 0\) scale\((\S+) 1\)", inner.get("transform", ""))[0])
        inner = inner[0]
    assert inner.get("class") == "num-case"
    glyph = re.findall(r"translate\((\S+) (\S+)\) scale\((\S+)\)", inner[0][0].get("transform", ""))[0]
    x, y, scale = map(float, glyph)
    left = moved + squeeze * x
    return left, left + squeeze * stencil_width(name.upper(), 60 * scale), y, y + 60 * scale


@settings(max_examples=10, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(board=boards(wild=True))
def test_any_board_can_be_drawn(board: Map) -> None:
    tree(board_svg(board, frame="sheet"))


# ---------------------------------------------------------------------- style


def test_every_class_and_variable_is_known_to_the_style_sheet() -> None:
    svg, css = board_svg(PROOF, frame="sheet"), board_css()
    structure = {"battlefield", "sector", "rims", "slot", "ways", "fine", "rim", "on-lines", "units", "marks"}
    classes = {name for value in re.findall(r'class="([^"]+)"', ink(svg)) for name in value.split()}
    assert {name for name in classes if f".{name}" not in css} <= structure
    for theme in THEMES:
        assert set(re.findall(r"var\(--([\w-]+)\)", svg)) <= set(tokens(theme))


def test_a_page_may_bring_the_style_sheet_itself() -> None:
    bare = board_svg(PROOF, style=False)
    assert "<style" not in bare
    assert board_svg(PROOF) == bare.replace("</desc>", f"</desc><style>{board_css()}</style>")


@pytest.mark.parametrize("theme", THEMES)
def test_a_file_for_itself_has_its_colours_written_out(theme: Any) -> None:
    svg = board_svg(PROOF, theme=theme, alone=True)
    assert "var(" not in svg
    assert "color-mix" not in svg
    assert tokens(theme)["map-heart"] in svg
    assert tokens(theme)["map-sea-0"] in svg


def test_decoration_can_be_left_out() -> None:
    root = tree(board_svg(PROOF))
    fine = [element for element in root.iter() if "fine" in (element.get("class") or "").split()]
    assert len(fine) >= 4
    assert "max-width: 460px" in board_css()


def test_guns_that_a_unit_can_silence_are_marked_where_it_does_so() -> None:
    plain = make("1 / 2 3 / B", "1-2 1-3 2-B 3-B", "2-3", s1=Sector((2,), start=Start(soldiers=4)))
    shelled = replace(plain, barrage=(Barrage(("3", "B"), 2, "2"),))
    assert ink(board_svg(plain)) != ink(board_svg(shelled))
    said = {id: describe(shelled, id, plain_name, words_now()) for id in shelled.sectors}
    assert "ends the fire that raises DEF by 2 in 3, B" in said["2"]
    assert all(("DEF higher by 2 until a Unit stands in 2" in said[id]) == (id in ("3", "B")) for id in said)
