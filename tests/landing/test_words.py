"""What players are told of Sectors: as they are now, not only as they are printed."""

from __future__ import annotations

import pytest

from beachhead.content.library import library
from beachhead.core.chance import sample
from beachhead.core.errors import SetupError
from beachhead.core.node import Answer, Ask, Roll
from beachhead.landing import outline
from beachhead.landing.dice import FACE
from beachhead.landing.game import GAME, MACHINE
from beachhead.landing.own_dice import thrown
from beachhead.landing.position import Position, UnitAt, position
from beachhead.landing.state import Landing
from beachhead.landing.text import label, narrate, prompt, wish
from beachhead.landing.words import bonus_text, danger, demands, sector_marks, sector_text, toll
from beachhead.landing.world import Setup, world_of
from beachhead.say import LANGUAGES, speaking
from beachhead.terminal.guide import opening

STARTS = [(edition, board) for edition, maps in library().maps.items() for board in maps]


def begun(**setup: object) -> Landing:
    state, _ = GAME.new({"edition": "first", "seats": 1, **setup})
    assert isinstance(state, Landing)
    return state


def marks(g: Landing, sector: str) -> str:
    return ", ".join([*sector_marks(g, sector), *demands(g, sector)])


@pytest.mark.rule("F-MAP-N08-09")
def test_alone_nobody_is_promised_what_is_not_there() -> None:
    alone, several = (begun(map="n08-merville", seats=seats) for seats in (1, 2))
    assert "finds the Dexedrine" in marks(several, "9")
    assert "finds the Signalling Lamp" in marks(alone, "9") and "Dexedrine" not in marks(alone, "9")


@pytest.mark.rule("F-OPT-DEADSTICK-08")
def test_on_a_joined_board_alone_is_who_is_alone_on_its_half() -> None:
    joined, single = begun(map="operation-deadstick", seats=2), begun(map="n08-merville", seats=2)
    assert "On this board that holds for a Unit that is alone on its half." in sector_text(joined, "M9")
    assert "alone on its half" not in sector_text(joined, "M8") + sector_text(single, "9")


@pytest.mark.rule("F-OPT-SOLITAIRE-02")
def test_alone_one_is_told_who_the_other_unit_of_a_bonus_is() -> None:
    alone, two = begun(edition="first"), begun(edition="first", seats=2)
    for face, shared in (("soldier1", True), ("star", True), ("soldier2", False), ("tool", False)):
        assert ("Alone, you are that other Unit." in bonus_text(alone, "allies", face)) == shared
        assert "Alone" not in bonus_text(two, "allies", face)


def test_what_was_found_and_earned_is_not_promised_again() -> None:
    g = begun(map="n03-utah")
    assert "finds the Shoulder Patch" in marks(g, "10")
    g.lying = ()
    assert "finds" not in marks(g, "10")
    g = begun(map="n04-gold")
    assert "earns an Award" in marks(g, "8")
    g.spend("award:8")
    assert "Award" not in marks(g, "8")


@pytest.mark.rule("F-OPT-DEADSTICK-03", "F-OPT-DEADSTICK-04")
def test_guns_and_closed_bunkers_are_told_until_they_are_silent_and_open() -> None:
    g = begun(map="operation-deadstick", seats=2)
    assert marks(g, "S3").startswith("DEF 8/10/12 + 1 by the guns")
    assert "closed until Bunker MB is conquered" in marks(g, "SB")
    g.spend("silent:M8")
    g.spend("conquered:MB")
    assert marks(g, "S3") == "DEF 8/10/12" and "closed" not in marks(g, "SB")


@pytest.mark.rule("S-OPT-SOLITAIRE-05")
def test_alone_a_sector_for_one_unit_is_one_for_one_turn() -> None:
    alone, several = (begun(edition="second", map="n05-pegasus-bridge", seats=seats) for seats in (1, 2))
    assert "1 turn only" in marks(alone, "6") and "at most" not in marks(alone, "6")
    assert "1 Unit at most" in marks(several, "6") and "1 turn only" not in marks(several, "6")


def test_an_open_door_asks_for_nothing() -> None:
    g = begun(edition="second", map="n10-hillman-strongpoint")
    assert "2 explosive icons" in marks(g, "B")
    g.spend("door:B")
    assert "explosive" not in marks(g, "B")


def test_who_falls_back_from_a_cliff_is_asked_for_nothing() -> None:
    g = begun(map="n07-pointe-du-hoc")
    way = next(way for way in g.world.ways["10"] if way.back)
    assert toll(g, 0, way) == ["back", "if the climb fails"]


def test_options_that_a_map_brings_are_told_at_the_start() -> None:
    assert any("Few Good Men" in line for line in opening(begun(edition="second", map="n08-merville-battery"), False))


def test_cards_that_no_unit_has_a_part_in_are_told_without_one() -> None:
    """A single Unit starts on Merville: what lies there in solitaire is set out."""
    g, events = GAME.new({"edition": "first", "map": "operation-deadstick", "seats": 2})
    told = list(events)
    for seat, start in enumerate(("start:S1", "start:M1")):
        node = MACHINE.node(g)
        assert isinstance(node, Ask)
        told += MACHINE.apply(g, Answer(seat, node.decision(seat).seq, start))
    while isinstance(node := MACHINE.node(g), Roll):
        told += MACHINE.apply(g, sample("seed", node))
    said = [narrate(event) for event in told]
    assert "The Dexedrine is out of this game" in said
    assert "The Signalling Lamp lies on the board in this game" in said
    assert not any("Unit 0" in line for line in said)


def test_markers_that_are_rolled_are_named_as_the_table_of_the_blind_start_names_them() -> None:
    g = begun(options=["blind-start"])
    node = MACHINE.node(g)
    assert isinstance(node, Roll)
    assert [words for _, _, words in thrown(g, node, 0).faces][3:5] == ["1 arrow", "2 arrows"]


@pytest.mark.rule("F-OPT-BLINDSTART-01")
def test_a_blind_start_promises_nothing_that_is_printed() -> None:
    plain, blind = begun(map="n03-utah"), begun(map="n03-utah", options=["blind-start"])
    assert sector_text(plain, "1") == "The second wave, still together. Start: 5 Soldiers."
    assert sector_text(blind, "1") == "The second wave, still together."
    assert sector_text(blind, "2").endswith("whoever drifts ashore.")
    assert sector_text(blind, "3") == sector_text(plain, "3")
    with speaking("fr"):
        assert sector_text(blind, "1") == "La deuxième vague, encore groupée."


@pytest.mark.parametrize(("edition", "board"), STARTS)
def test_a_blind_start_cuts_what_is_printed_on_every_map_in_every_language(edition: str, board: str) -> None:
    seats = 2 if board == "operation-deadstick" else 1
    plain = begun(edition=edition, map=board, seats=seats)
    blind = begun(edition=edition, map=board, seats=seats, options=["blind-start"])
    for language in LANGUAGES:
        with speaking(language):
            for sector, printed in plain.world.sectors.items():
                said = sector_text(blind, sector)
                assert said and (len(said) < len(sector_text(plain, sector))) == bool(printed.start)


@pytest.mark.rule("F-OPT-MULLIGAN-01")
@pytest.mark.parametrize(
    ("sector", "dice", "what"),
    [
        ("6", "R:skull,skull W:tool,tool B:star,star", "all dice but the Skulls"),  # Skulls stay
        ("6", "R:tool,tool W:tool,tool B:star,star", "all dice"),
        ("1", "R:skull,skull W:tool,tool B:star,star", "all dice"),
    ],
)
def test_a_mulligan_tells_whether_skulls_stay(sector: str, dice: str, what: str) -> None:
    world = world_of(Setup("first", "n03-utah", 1, options=("mulligan",)))
    g = position(world, Position((UnitAt(sector=sector, soldiers=13),), phase="roll"))
    MACHINE.start(g)
    roll = MACHINE.node(g)
    assert isinstance(roll, Roll)
    MACHINE.apply(g, thrown_as(dice))
    node = MACHINE.node(g)
    assert isinstance(node, Ask) and node.decision(0).name == "mulligan"
    assert label(g, node.decision(0), "mulligan") == f"roll {what} again"
    assert ("but the Skulls" in prompt(g, node.decision(0))) == ("but" in what)


def thrown_as(dice: str) -> tuple[int, ...]:
    faces = [face for colour in dice.split() for face in colour.partition(":")[2].split(",")]
    return tuple(FACE[face] for face in faces)


def test_a_map_of_the_other_edition_is_named_as_such() -> None:
    with pytest.raises(SetupError, match="no map 'n02-omaha-beach': it belongs to the second edition"):
        begun(map="n02-omaha-beach")


@pytest.mark.rule("S-TIE-01")
def test_a_claim_on_the_last_award_says_what_is_claimed() -> None:
    assert wish("award") == "draw the last Award"
    assert wish("award:silver-star") == "take the Silver Star"
    with speaking("fr"):
        assert wish("award") == "tirer la dernière Récompense"


@pytest.mark.rule("S-SECT-02", "S-COMBAT-01")
@pytest.mark.parametrize(
    ("board", "unit", "spent"),
    [
        ("n05-pegasus-bridge", UnitAt(sector="4", soldiers=10, combats=1), ()),
        ("n04-gold-beach", UnitAt(sector="BW", soldiers=10, combats=1), ("conquered:BW", "held-1:BW")),
    ],
)
def test_a_unit_that_does_not_fight_faces_nothing(board: str, unit: UnitAt, spent: tuple[str, ...]) -> None:
    world = world_of(Setup("second", board, 1))
    g = position(world, Position((unit,), phase="move", turn=9, spent=spent))
    assert danger(g, 0) == "Your Unit does not fight here"
    found = outline.danger(g, 0)
    assert (found.defence, found.dice, found.least, found.most) == (0, 0, 0, 0)


@pytest.mark.rule("S-VEH-02")
def test_what_vehicles_of_the_sector_add_is_due_too() -> None:
    world = world_of(Setup("second", "n02-omaha-beach", 2))

    def due(cards: tuple[str, ...], sector: str) -> set[str]:
        units = UnitAt(sector="6", soldiers=30, cards=cards), UnitAt(sector=sector, cards=("half-track", "scout"))
        g = position(world, Position(units, phase="roll", turn=3))
        MACHINE.start(g)
        return {card for _, _, card in outline.worth(g, 0).due if card}

    assert due((), "6") == {"half-track"}
    assert due((), "5") == set()
    assert due(("armored-car",), "5") == {"armored-car"}
    assert due(("bulldozer",), "6") == {"bulldozer", "half-track"}
