"""Icons, dice and Unit tokens."""

from __future__ import annotations

import re
from typing import Any, get_args
from xml.etree import ElementTree

import pytest

from beachhead.content.schema import Face
from beachhead.draw.dice import DICE, Colour, State, die_svg
from beachhead.draw.marks import cuttable, icons, icons_svg, stencil, stencil_width
from beachhead.draw.tokens import MARKERS, SHAPES, unit_token_svg

FACES: tuple[Any, ...] = get_args(Face)
COLOURS: tuple[Any, ...] = get_args(Colour)
STATES: tuple[Any, ...] = get_args(State)


def test_the_sprite_has_a_symbol_for_every_face_resource_kind_and_deed() -> None:
    root = ElementTree.fromstring(icons_svg())
    ids = [symbol.get("id") for symbol in root]
    assert len(ids) == len(set(ids)) == len(icons())
    wanted = {*FACES, "item-point", "specialist", "item", "vehicle", "award", "advance", "sideways", "stay", "trade"}
    wanted |= {"re-roll", "keep", "lock", "undo", "combat", "upkeep", "explosive", "mgf", "landmine", "barrier"}
    assert {f"icon-{name}" for name in wanted} <= set(ids)
    for symbol in root:
        assert symbol.get("viewBox") == "0 0 24 24"
        assert symbol[0].tag.endswith("title")


def test_icons_take_the_colour_of_the_text_around_them() -> None:
    assert not re.findall(r'(?:fill|stroke)="#', icons_svg())


def test_every_die_of_every_state_looks_different() -> None:
    drawn = [die_svg(colour, face) for colour in COLOURS for face in FACES]
    assert len(set(drawn)) == len(drawn)
    for colour in COLOURS:
        states = [die_svg(colour, "star", state) for state in STATES] + [die_svg(colour, "star", want="skull")]
        assert len(set(states)) == len(states)
        for svg in states:
            ElementTree.fromstring(svg)


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("state", STATES)
def test_letter_and_pattern_are_always_on(colour: Any, state: Any, small: bool) -> None:
    svg = die_svg(colour, "courage", state, small=small)
    look = DICE[colour]
    strokes = re.findall(r' d="([^"]+)"', stencil(look.letter, 0, 0, 10))
    assert all(f'd="{stroke}"' in svg for stroke in strokes)
    assert f'stroke="{look.pattern}"' in svg
    assert len({die.letter for die in DICE.values()}) == len(DICE)


def test_a_rolling_die_shows_no_face() -> None:
    assert die_svg("red", "star", "rolling") == die_svg("red", "skull", "rolling")


def test_dice_need_nothing_from_the_page() -> None:
    svg = die_svg("red", "star", "locked")
    assert "url(" not in svg
    assert " id=" not in svg
    assert "style=" not in svg


def test_units_differ_by_shape_and_letter() -> None:
    assert list(SHAPES) == list("ABCDEF")
    assert len(set(SHAPES.values())) == 6
    for letter in SHAPES:
        svg = unit_token_svg(letter)
        ElementTree.fromstring(svg)
        assert SHAPES[letter] in svg
        assert svg != unit_token_svg(letter, you=True)
    flags = [unit_token_svg("A", marker) for marker in ("", *MARKERS)]  # type: ignore[arg-type]
    assert len(set(flags)) == len(MARKERS) + 1


def test_the_stencil_cuts_capitals_without_accents() -> None:
    assert cuttable("Pointe du Hoc é?") == "POINTE DU HOC E "
    assert stencil_width("11", 60) > stencil_width("1", 60)
