"""What lies on the table of the second edition, to the last card, and what everybody may see."""

from __future__ import annotations

import pytest

from beachhead.content.library import library
from beachhead.core.errors import SetupError
from beachhead.core.node import Answer, Ask, Roll
from beachhead.core.order import LAYERS
from beachhead.landing.dice import HOME
from beachhead.landing.game import MACHINE, new, view
from beachhead.landing.position import Position, UnitAt, position
from beachhead.landing.state import Landing
from beachhead.landing.world import Setup, world_of

REGULAR = {"corporal", "medic", "minesweeper", "scout", "sharpshooter", "veteran"}
RESERVE = {"beachmaster", "chaplain", "hero", "platoon-leader", "point-man"}
RANKING = {"captain", "colonel", "engineer", "lieutenant", "grenadier", "gunnery-officer"}
UNIQUE = {"combat-photographer", "decoy", "marksman", "piper"}
LISTED = {"bazooka", "lucky-charm", "toolkit", "wirecutters"}


def table(seats: int, *options: str) -> Landing:
    return new(world_of(Setup("second", seats=seats, options=options)))[0]


def choices(g: Landing, seat: int) -> set[str]:
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    return {key[4:] for key in node.decision(seat).keys}


def add(g: Landing, seat: int, card: str) -> None:
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    MACHINE.apply(g, Answer(seat, node.decision(seat).seq, f"add:{card}"))


@pytest.mark.rule("S-COMP-01")
def test_one_to_four_players_with_six_dice_in_three_colours_and_eleven_specialists_each() -> None:
    for seats in (1, 2, 3, 4):
        g = table(seats)
        assert len({unit.nation for unit in g.units}) == seats
        for unit in g.units:
            assert sorted(unit.colours) == sorted(HOME) == [0, 0, 1, 1, 2, 2]
            assert len(unit.hand) == 11
    for seats in (0, 5):
        with pytest.raises(SetupError, match="expected 1 to 4"):
            table(seats)


@pytest.mark.rule("S-SETUP-11", "S-SPEC-08", "S-SPEC-09")
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_every_player_holds_all_six_regular_and_five_reserve_specialists(seats: int) -> None:
    for unit in table(seats).units:
        assert sorted(unit.hand) == sorted(REGULAR | RESERVE)


@pytest.mark.rule("S-SETUP-04", "S-SPEC-10", "S-SPEC-11")
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_all_six_ranking_and_four_unique_specialists_lie_in_the_pool(seats: int) -> None:
    g = table(seats)
    assert {card for card in g.pool if g.world.cards[card].is_specialist} == RANKING | UNIQUE
    assert not any(g.world.cards[card].is_specialist for card in g.box)


@pytest.mark.rule("S-SETUP-10")
def test_the_award_deck_has_all_sixteen_and_fifteen_alone() -> None:
    awards = {card.id for card in library().cards["second"].values() if card.kind == "award"}
    assert set(table(2).deck) == awards
    assert set(table(1).deck) == awards - {"victoria-cross"}


@pytest.mark.rule("S-SETUP-02")
def test_beginners_play_exercise_tiger_and_the_map_says_which_special_items_there_are() -> None:
    board = world_of(Setup("second")).map
    assert (board.number, board.name) == ("N01", "Exercise Tiger")
    assert set(board.cards.items_special) == LISTED


@pytest.mark.rule("S-SETUP-09")
@pytest.mark.parametrize(("seats", "chosen"), [(1, 1), (2, 2), (3, 3), (4, 0)])
def test_every_item_is_in_the_pool_or_back_in_the_box(seats: int, chosen: int) -> None:
    g = table(seats)
    for seat in range(chosen):
        add(g, seat, sorted(choices(g, seat))[0])
    assert isinstance(MACHINE.node(g), Roll)
    cards = g.world.cards
    pool = [card for card in g.pool if cards[card].is_item]
    box = [card for card in g.box if cards[card].is_item]
    everything = {id for id, card in cards.items() if card.is_item and (card.solo or seats > 1)}
    assert sorted(pool + box) == sorted(everything)
    assert len(pool) == {1: 10, 2: 12, 3: 19, 4: 20}[seats]


@pytest.mark.rule("S-SETUP-07")
def test_three_players_choose_from_the_maps_list_and_nothing_else() -> None:
    g = table(3)
    assert choices(g, 0) == choices(g, 1) == choices(g, 2) == LISTED
    add(g, 1, "toolkit")
    assert choices(g, 0) == choices(g, 2) == LISTED - {"toolkit"}


@pytest.mark.rule("S-OPT-BAZOOKAJOE-01")
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_bazooka_joe_offers_all_twelve_special_items_to_any_number_of_players(seats: int) -> None:
    special = {card.id for card in library().cards["second"].values() if card.kind == "special-item"}
    assert len(special) == 12
    assert special <= set(table(seats, "bazooka-joe").pool)
    assert not special & set(table(seats, "bazooka-joe").box)
    assert not special <= set(table(seats).pool)


@pytest.mark.rule("S-ROLL-06")
def test_everybody_sees_the_dice_and_the_resources_of_all_while_they_roll() -> None:
    at = UnitAt(stars=2, dice="R:star,skull W:tool,tool B:courage,soldier2", cards=("corporal",))
    g = position(world_of(Setup("second", seats=2)), Position((at, at), phase="tally"))
    MACHINE.start(g)
    for seat in (0, 1):
        units = view(g, seat)["units"]
        assert isinstance(units, list)
        for shown, unit in zip(units, g.units, strict=True):
            assert isinstance(shown, dict)
            assert (shown["faces"], shown["colours"], shown["stars"]) == (unit.faces, unit.colours, 2)


@pytest.mark.rule("S-PRECEDENCE-01")
def test_awards_beat_items_and_vehicles_then_specialists_the_scenario_the_sector_and_the_rules() -> None:
    assert LAYERS == ("rules", "sector", "scenario", "specialist", "item", "award")
    layers = {card.kind: card.layer for card in library().cards["second"].values()}
    assert layers == {
        "regular-specialist": "specialist",
        "reserve-specialist": "specialist",
        "ranking-specialist": "specialist",
        "unique-specialist": "specialist",
        "regular-item": "item",
        "special-item": "item",
        "vehicle": "item",
        "award": "award",
    }
