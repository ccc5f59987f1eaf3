"""Who is told that a move or a stay may be, or would be, the end: certain is what no card and no die can change."""

from __future__ import annotations

import pytest

from beachhead.core.node import Answer, Ask, Decision
from beachhead.landing import text
from beachhead.landing.game import MACHINE
from beachhead.landing.outlook import fate
from beachhead.landing.position import Position, UnitAt, position
from beachhead.landing.state import Landing
from beachhead.landing.world import Setup, world_of


def laid(board: str, *units: UnitAt, edition: str = "first", options: tuple[str, ...] = ()) -> Landing:
    """Before the moves."""
    world = world_of(Setup(edition, board, len(units), options=options))
    g = position(world, Position(units, phase="move"))
    MACHINE.start(g)
    assert g.phase == "move", "a Unit without a choice is not asked"
    return g


def asked(g: Landing, seat: int = 0) -> Decision:
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    return node.decision(seat)


def said(g: Landing, key: str, seat: int = 0) -> str:
    return text.label(g, asked(g, seat), key)


def answer(g: Landing, *keys: str, seat: int = 0) -> None:
    for key in keys:
        MACHINE.apply(g, Answer(seat, asked(g, seat).seq, key))


@pytest.mark.rule("F-CARD-MEDIC")
def test_the_medic_saves_one_and_the_unit_with_him() -> None:
    """Omaha 8, DEF 10: nine of ten fall."""
    g = laid("n02-omaha", UnitAt(sector="6", soldiers=8, courage=9, cards=("medic", "scout")))
    assert said(g, "move:8").endswith("; 10 casualties")
    g = laid("n02-omaha", UnitAt(sector="6", soldiers=7, courage=9, cards=("medic", "scout")))
    assert fate(g, 0, "8") == "would"


@pytest.mark.rule("F-CARD-PATHFINDER", "F-CARD-BEACHMASTER")
@pytest.mark.parametrize(
    ("card", "soldiers", "sector", "end"),
    [
        ("pathfinder", 7, "4", ""),  # DEF 8, and 1 joins
        ("pathfinder", 7, "3", "would"),  # DEF 9
        ("beachmaster", 5, "4", ""),  # 3 join
        ("beachmaster", 4, "4", "would"),
    ],
)
def test_who_joins_on_the_way_stands_in_combat(card: str, soldiers: int, sector: str, end: str) -> None:
    g = laid("n08-merville", UnitAt(sector="1", soldiers=soldiers, courage=9, cards=(card,)))
    assert fate(g, 0, sector) == end


@pytest.mark.rule("F-SECT-05", "F-CARD-AMBULANCE")
def test_a_specialist_who_need_not_be_given_up_stands_in_combat() -> None:
    """Utah 12, DEF 13, costs a Specialist: by a Battle Cry, or with the Ambulance, it does not."""
    g = laid("n03-utah", UnitAt(sector="13", soldiers=13, cards=("scout",)))
    assert "costs 1 Specialist" in said(g, "move:12") and fate(g, 0, "12") == "would"
    g = laid("n03-utah", UnitAt(sector="13", soldiers=13, cards=("scout", "ambulance")))
    assert "costs" not in said(g, "move:12") and fate(g, 0, "12") == ""
    g = laid("n03-utah", UnitAt(sector="13", soldiers=13, cards=("scout", "dexedrine")))
    assert fate(g, 0, "12") == "may"
    answer(g, "use:dexedrine", "choose:move")
    assert "costs" not in said(g, "move:12").partition(";")[0] and fate(g, 0, "12") == ""


@pytest.mark.rule("F-CARD-PARATROOPER")
@pytest.mark.parametrize(
    ("cards", "end"), [(("paratrooper",), "would"), (("paratrooper", "scout"), ""), (("scout", "medic"), "")]
)
def test_of_those_who_can_be_given_up_the_least_is_reckoned(cards: tuple[str, ...], end: str) -> None:
    """Utah 12, DEF 13, for 13 Soldiers."""
    g = laid("n03-utah", UnitAt(sector="13", soldiers=13, cards=cards))
    assert fate(g, 0, "12") == end


@pytest.mark.rule("F-CARD-PARATROOPER")
@pytest.mark.parametrize(
    ("soldiers", "cards", "end"),
    [(0, ("paratrooper",), "would"), (1, ("paratrooper",), ""), (0, ("paratrooper", "scout"), "")],
)
def test_the_paratrooper_falls_whole(soldiers: int, cards: tuple[str, ...], end: str) -> None:
    """Merville 1, DEF 4."""
    g = laid("n08-merville", UnitAt(sector="1", soldiers=soldiers, courage=1, cards=cards))
    assert fate(g, 0, "1") == end


@pytest.mark.parametrize(
    ("soldiers", "courage", "cards", "end"),
    [
        (3, 0, (), "would"),
        (3, 0, ("walkie-talkie",), "may"),  # 2 Soldiers
        (2, 0, ("walkie-talkie",), "would"),
        (2, 0, ("field-radio",), "may"),  # 5 Soldiers
        (1, 0, ("bangalore-torpedo",), "may"),
        (1, 0, ("grenade", "pocket-bible", "flame-thrower", "mine-detector"), "would"),  # no fire, no mines, no Bunker
        (3, 0, ("hero",), "would"),
        (3, 1, ("hero",), "may"),  # Courage saves
        (3, 0, ("hero", "pocket-bible"), "may"),
    ],
)
def test_a_card_that_could_save_the_unit_leaves_it_open(
    soldiers: int, courage: int, cards: tuple[str, ...], end: str
) -> None:
    """Exercise Tiger 2, DEF 4."""
    g = laid("n01-exercise-tiger", UnitAt(sector="2", soldiers=soldiers, courage=courage, cards=cards))
    assert fate(g, 0, "2") == end


@pytest.mark.rule("F-CARD-HERO")
def test_courage_that_the_way_costs_saves_nobody() -> None:
    """Exercise Tiger 1 to 2 costs 1 Courage; DEF 4, and a Scout who is dead does not join."""
    hero = UnitAt(sector="1", soldiers=2, courage=1, cards=("hero",), dead=("scout",))
    assert fate(laid("n01-exercise-tiger", hero), 0, "2") == "would"


@pytest.mark.rule("S-ITEM-03")
def test_in_the_second_edition_items_help_before_combat_too() -> None:
    g = laid("n01-exercise-tiger", UnitAt(sector="2", soldiers=1, cards=("field-radio",)), edition="second")
    assert fate(g, 0, "2") == "may"


@pytest.mark.rule("F-TRADE-01")
@pytest.mark.parametrize(
    ("there", "soldiers", "end"), [("2", 9, "may"), ("2", 1, "would"), ("3", 9, "may"), ("9", 9, "would")]
)
def test_soldiers_of_a_unit_near_by_may_save_it(there: str, soldiers: int, end: str) -> None:
    """Exercise Tiger 2, DEF 4, for 2 Soldiers. From Sector 3 the other Unit may come."""
    g = laid("n01-exercise-tiger", UnitAt(sector="2", soldiers=2), UnitAt(sector=there, soldiers=soldiers))
    assert fate(g, 0, "2") == end


@pytest.mark.rule("F-SPDMG-01")
def test_special_damage_may_take_one_before_the_casualties() -> None:
    """Omaha 5: DEF 5 and 1d6; a six also costs a Specialist."""
    assert fate(laid("n02-omaha", UnitAt(sector="5", soldiers=11, courage=9, cards=("scout",))), 0, "5") == "may"
    assert fate(laid("n02-omaha", UnitAt(sector="5", soldiers=12, courage=9, cards=("scout",))), 0, "5") == ""


def test_mines_strike_before_those_come_who_wait_for_an_advance() -> None:
    """Merville 4 to 8 over mines: who would fall there gets nobody."""
    g = laid("n08-merville", UnitAt(sector="4", soldiers=0, courage=9, cards=("beachmaster",)))
    assert fate(g, 0, "8") == "would"


@pytest.mark.rule("F-MAP-N06-05")
def test_a_table_that_is_not_rolled_yet_may_bring_mortar_fire() -> None:
    """Sword 7 to 6, DEF 10: one line of its table costs 1d6 more."""
    g = laid("n06-sword", UnitAt(sector="7", soldiers=12))
    assert said(g, "move:6").endswith("; 10 to 16 casualties: you may be wiped out")
    g = laid("n06-sword", UnitAt(sector="7", soldiers=10))
    assert fate(g, 0, "6") == "would"


# ---------------------------------------------------------------------- what is told beside it


@pytest.mark.rule("F-SECT-04")
def test_what_a_battle_cry_waives_is_not_asked_for() -> None:
    """Omaha 8 needs the Scout."""
    g = laid("n02-omaha", UnitAt(sector="6", soldiers=30, cards=("dexedrine",)))
    answer(g, "use:dexedrine", "choose:move")
    assert "Scout" not in said(g, "move:8")


@pytest.mark.rule("S-RWB-03")
def test_a_battle_cry_opens_doors() -> None:
    g = laid("n10-hillman-strongpoint", UnitAt(sector="12", soldiers=40, cards=("amphetamines",)), edition="second")
    answer(g, "use:amphetamines", "choose:move")
    assert "move:B" in asked(g).keys
    assert "explosive" not in said(g, "move:B")


@pytest.mark.rule("F-CARD-GRENADIER")
def test_silenced_guns_are_not_told() -> None:
    g = laid("n08-merville", UnitAt(sector="8", soldiers=30, cards=("grenadier",)))
    assert "MGF 1d6" in said(g, "stay")
    answer(g, "use:grenadier")
    assert said(g, "stay") == "stay in Sector 8: DEF 9; 9 casualties"
    g = laid("n03-utah", UnitAt(sector="13", soldiers=30, cards=("grenadier",)))
    answer(g, "use:grenadier")
    assert said(g, "stay") == "stay in Sector 13: DEF 10; 10 casualties"


# ---------------------------------------------------------------------- before the move


def acquiring(board: str, *units: UnitAt, edition: str = "first") -> Landing:
    g = position(world_of(Setup(edition, board, len(units))), Position(units, phase="acquire", turn=5))
    MACHINE.start(g)
    assert asked(g).name == "acquire"
    return g


@pytest.mark.parametrize(
    ("soldiers", "courage", "told"),
    [
        (4, 0, "nothing more: you can only stay here; 4 casualties: you would be wiped out"),
        (5, 0, "nothing more"),
        (4, 9, "nothing more"),  # ways are open, and the question where to go tells the rest
    ],
)
def test_who_can_only_stay_is_told_its_end_before_it_acquires_nothing(soldiers: int, courage: int, told: str) -> None:
    """Exercise Tiger 2, DEF 4: a Paratrooper for 2 Stars could stand there."""
    unit = UnitAt(sector="2", soldiers=soldiers, courage=courage, stars=2, visited=("1", "3", "2"))
    assert said(acquiring("n01-exercise-tiger", unit), "done") == told


def test_that_is_not_certain_while_others_may_acquire_what_helps() -> None:
    unit = UnitAt(sector="2", soldiers=4, stars=2, visited=("1", "3", "2"))
    g = acquiring("n01-exercise-tiger", unit, UnitAt(sector="9", soldiers=30, visited=("1", "9")))
    assert said(g, "done").endswith("4 casualties: you may be wiped out")


@pytest.mark.rule("F-MOVE-05")
def test_who_has_to_leave_and_cannot_is_told_so_before_it_acquires_nothing() -> None:
    unit = UnitAt(sector="2", soldiers=30, stars=2, visited=("1", "3", "2"), marker="must move")
    said_ = said(acquiring("n01-exercise-tiger", unit), "done")
    assert said_ == "nothing more: you have to leave and no way is open; you would be lost"


@pytest.mark.rule("S-MARKER-02")
@pytest.mark.parametrize("card", ["point-man", "medaille-militaire"])
def test_nobody_has_to_leave_where_staying_is_legal(card: str) -> None:
    unit = UnitAt(sector="6", soldiers=30, courage=3, marker="must move", combats=1, cards=(card,))
    g = laid("n02-omaha-beach", unit, edition="second")
    assert "have to leave" in text.prompt(g, asked(g))
    answer(g, f"use:{card}")
    assert "stay" in asked(g).keys and "have to leave" not in text.prompt(g, asked(g))
