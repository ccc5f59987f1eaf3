"""MGF dice in words and numbers: what is told, asked and reckoned where the option is played."""

from __future__ import annotations

import pytest

from beachhead.core.errors import SetupError
from beachhead.core.node import Ask, Event, Roll
from beachhead.landing import fire, outline, text, words
from beachhead.landing.game import GAME, MACHINE
from beachhead.landing.own_dice import thrown
from beachhead.landing.position import Position, UnitAt, position
from beachhead.landing.state import Landing, Unit
from beachhead.landing.world import Setup, world_of
from beachhead.say import speaking
from beachhead.terminal import sheets

DICE = Setup("first", options=("mgf-dice",))


def laid(setup: Setup, **unit: int) -> Landing:
    """Before the fire in Sector 8, whose DEF is 8, with one die."""
    cards = ("binoculars",)
    g = position(world_of(setup), Position((UnitAt(sector="8", soldiers=30, cards=cards, **unit),), phase="combat"))
    MACHINE.start(g)
    return g


def test_every_face_has_a_number_and_a_price() -> None:
    assert len(set(fire.FACES)) == len(fire.TOLL) == 6
    assert fire.face_of(6) == "skull"
    unit = Unit("", "8", soldiers=30, stars=1, courage=2)
    assert fire.toll(unit, (1, 2, 6)) == (9, {})
    assert fire.toll(unit, (3, 4, 4, 4)) == (6, {"stars": 1, "courage": 2})
    assert fire.toll(unit, (5,)) == (6, {})


@pytest.mark.parametrize(
    ("setup", "stars", "least"), [(Setup("first"), 1, 9), (DICE, 1, 8), (DICE, 0, 9)], ids=["d6", "a star", "nothing"]
)
def test_the_danger_is_reckoned_with_what_the_unit_has(setup: Setup, stars: int, least: int) -> None:
    g = laid(setup, stars=stars)
    found = outline.danger(g, 0)
    assert (found.least, found.most) == (least, 14)
    assert words.losses(g, 0, "8") == (least, 14)


@pytest.mark.rule("N-MGF-04", "N-MGF-05")
@pytest.mark.parametrize(("stars", "points", "least"), [(0, 0, 10), (1, 0, 9), (1, 1, 8), (9, 0, 8)])
def test_what_is_held_pays_for_one_die_each(stars: int, points: int, least: int) -> None:
    """Utah 14: DEF 8 and two dice."""
    unit = UnitAt(sector="14", soldiers=30, stars=stars, points=points)
    g = position(world_of(Setup("first", "n03-utah", options=("mgf-dice",))), Position((unit,), phase="combat"))
    assert words.losses(g, 0, "14") == (least, 20)


@pytest.mark.parametrize(("courage", "least"), [(2, 9), (3, 8), (4, 7)])
def test_courage_that_the_way_costs_pays_for_no_die(courage: int, least: int) -> None:
    """Utah 3 to 6: 2 Courage, mines, DEF 7 and one die."""
    setup = Setup("first", "n03-utah", options=("mgf-dice", "mgf-dice-mines"))
    unit = UnitAt(sector="3", soldiers=30, courage=courage)
    g = position(world_of(setup), Position((unit,), phase="move"))
    assert words.losses(g, 0, "6") == (least, 19)


def test_dice_with_symbols_are_not_called_d6() -> None:
    unit = UnitAt(sector="14", soldiers=30, stars=1, cards=("binoculars",))
    g = position(world_of(Setup("first", "n03-utah", options=("mgf-dice",))), Position((unit,), phase="combat"))
    MACHINE.start(g)
    assert words.sector_marks(g, "14") == ["DEF 8", "MGF 2 dice", "each Skull also costs 1 Courage"]
    assert words.danger(g, 0).startswith("You face DEF 8 + MGF 2 dice with")
    assert " 2 dice " in sheets.units_table(g, ["Ann"], [])[1]
    with speaking("fr"):
        assert words.sector_marks(g, "14")[1:] == ["MGF 2 dés", "chaque Crâne coûte aussi 1 Courage"]
    MACHINE.apply(g, (3, 6))
    MACHINE.apply(g, answer(g, "use:binoculars"))
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    assert text.prompt(g, node.decision(0)).endswith("To which result?")


def test_dice_are_told_by_their_faces() -> None:
    g = laid(DICE, stars=1)
    roll = MACHINE.node(g)
    assert isinstance(roll, Roll)
    assert [name for _, name, _ in thrown(g, roll, -1).faces] == list(fire.FACES)
    events = MACHINE.apply(g, (6,))
    told = next(event for event in events if event.type == "pips")
    assert GAME.narrate(told) == "Machine Gun Fire in Sector 8: Skull"
    with speaking("fr"):
        assert GAME.narrate(told).endswith("Crâne")
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    MACHINE.apply(g, answer(g, "use:binoculars"))
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    assert text.label(g, node.decision(0), "die:1=3").endswith("Star")


def answer(g: Landing, key: str):  # type: ignore[no-untyped-def]
    from beachhead.core.node import Answer

    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    return Answer(0, node.decision(0).seq, key)


def test_without_the_option_dice_have_pips() -> None:
    g = laid(Setup("first"), stars=1)
    told = next(event for event in MACHINE.apply(g, (6,)) if event.type == "pips")
    assert told == Event(told.n, "pips", -1, {"for": "mgf:8", "pips": (6,)}, told.rule, told.cause)
    assert GAME.narrate(told).endswith("6")


def test_mines_need_the_other_option() -> None:
    with pytest.raises(SetupError, match="mgf-dice"):
        world_of(Setup("first", options=("mgf-dice-mines",)))
