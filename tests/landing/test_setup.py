"""Setting up: which cards are in reach, who stands where with what."""

from __future__ import annotations

from dataclasses import replace

import pytest

from beachhead.content.library import library
from beachhead.content.schema import CardLists, Edges, Map, Row, Sector, Start
from beachhead.core.errors import Invalid, SetupError
from beachhead.core.node import Answer, Ask, Decision, Roll
from beachhead.landing.dice import HOME
from beachhead.landing.game import MACHINE, new
from beachhead.landing.position import Position, UnitAt, position
from beachhead.landing.state import CHEVRON1, Landing
from beachhead.landing.world import Setup, World, build, world_of

REGULAR = {"bangalore-torpedo", "binoculars", "carrier-pigeon", "field-radio", "flame-thrower", "grenade"} | {
    "mine-detector",
    "shoulder-patch",
    "walkie-talkie",
    "whistle",
}
SYMBOL = {"dispatch-case", "flak-vest", "mortar", "pocket-bible", "rangefinder", "strategic-map"}
LISTED = {"bazooka", "lucky-charm", "toolkit", "wirecutters"}


def table(edition: str, seats: int = 1) -> Landing:
    return new(world_of(Setup(edition, seats=seats)))[0]


def items(world: World, cards: tuple[str, ...]) -> set[str]:
    return {card for card in cards if world.cards[card].is_item}


def open_question(g: Landing, seat: int) -> Decision:
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    return node.decision(seat)


def answer(g: Landing, seat: int, key: str) -> None:
    MACHINE.apply(g, Answer(seat, open_question(g, seat).seq, key))


def board(edition: str, start: dict[str, Start], cards: CardLists, seats: int = 2, most: int = 0) -> World:
    """A map of one row of starting Sectors, with room for so many Units each, and a Bunker, with these lists."""
    sectors = {sector: Sector(defence=(2,), start=printed, max_units=most) for sector, printed in start.items()}
    rows = (Row(tuple(start)), Row(("B",), 1))
    edges = Edges(forward=tuple((sector, "B") for sector in start))
    sectors["B"] = Sector(defence=(8,), bunker=True)
    made = Map(1, "made", "Made", "first" if edition == "first" else "second", rows, sectors, edges, cards)
    return build(Setup(edition, seats=seats), library(), made)


# ---------------------------------------------------------------------- players


@pytest.mark.rule("F-SETUP-01", "S-SETUP-01")
@pytest.mark.parametrize("edition", ["first", "second"])
def test_one_to_four_players_with_a_deck_a_marker_and_six_dice_each(edition: str) -> None:
    for seats in (1, 2, 3, 4):
        g = table(edition, seats)
        assert len(g.units) == seats
        for unit in g.units:
            assert unit.hand == g.units[0].hand
            assert sorted(unit.colours) == sorted(HOME) == [0, 0, 1, 1, 2, 2]
    for seats in (0, 5):
        with pytest.raises(SetupError, match="expected 1 to 4"):
            table(edition, seats)


@pytest.mark.rule("S-SETUP-01")
def test_every_player_has_another_country() -> None:
    g = table("second", 4)
    assert {unit.nation for unit in g.units} == {"uk", "usa", "canada", "france"}
    with pytest.raises(SetupError, match="S-SETUP-01"):
        world_of(Setup("second", seats=2, nations=("uk", "uk")))


@pytest.mark.rule("F-SETUP-02", "S-SETUP-02")
@pytest.mark.parametrize("edition", ["first", "second"])
def test_one_map_is_chosen_by_name(edition: str) -> None:
    assert world_of(Setup(edition, "n01-exercise-tiger")).map.name == "Exercise Tiger"
    with pytest.raises(SetupError, match="unknown map 'n99'"):
        world_of(Setup(edition, "n99"))


@pytest.mark.rule("F-SETUP-03", "S-SETUP-03", "F-SETUP-08", "S-SETUP-11")
@pytest.mark.parametrize("edition", ["first", "second"])
def test_units_start_in_sector_1_with_one_chevron_and_4_soldiers(edition: str) -> None:
    for unit in table(edition, 2).units:
        assert (unit.sector, unit.marker) == ("1", CHEVRON1)
        assert (unit.soldiers, unit.stars, unit.courage, unit.points) == (4, 0, 0, 0)
        assert not unit.specialists + unit.items + unit.awards


@pytest.mark.rule("F-SETUP-03", "S-SETUP-03", "F-SETUP-08")
@pytest.mark.parametrize("edition", ["first", "second"])
def test_each_player_chooses_among_several_starting_sectors(edition: str) -> None:
    starts = {"1": Start(soldiers=4), "2": Start(soldiers=1, courage=3)}
    g, _ = new(board(edition, starts, CardLists()))
    if edition == "second":
        for seat in (0, 1):
            answer(g, seat, open_question(g, seat).keys[0])  # the Item of S-SETUP-06
    for seat in (0, 1):
        assert set(open_question(g, seat).keys) == {"start:1", "start:2"}
    answer(g, 0, "start:2")
    answer(g, 1, "start:1")
    one, two = g.units
    assert (one.sector, one.soldiers, one.stars, one.courage, one.points) == ("2", 1, 0, 3, 0)
    assert (two.sector, two.soldiers, two.stars, two.courage, two.points) == ("1", 4, 0, 0, 0)


@pytest.mark.rule("F-SECT-10", "S-SECT-04")
@pytest.mark.parametrize(("edition", "rule"), [("first", "F-SECT-10"), ("second", "S-SECT-04")])
def test_a_starting_sector_takes_no_more_units_than_it_has_room_for(edition: str, rule: str) -> None:
    starts = {"1": Start(soldiers=4), "2": Start(soldiers=5), "3": Start(soldiers=6)}
    g, _ = new(board(edition, starts, CardLists(), most=1))
    if edition == "second":
        for seat in (0, 1):
            answer(g, seat, open_question(g, seat).keys[0])
    answer(g, 1, "start:2")
    assert set(open_question(g, 0).keys) == {"start:1", "start:3"}
    (reason,) = MACHINE.refusals(g, 0)["start:2"]
    assert reason.rule == rule
    answer(g, 0, "start:3")
    assert [unit.sector for unit in g.units] == ["3", "2"]


@pytest.mark.rule("F-SECT-10", "S-SECT-04")
@pytest.mark.parametrize(("edition", "rule"), [("first", "F-SECT-10"), ("second", "S-SECT-04")])
def test_more_units_than_there_is_room_for_do_not_start(edition: str, rule: str) -> None:
    starts = {"1": Start(soldiers=4), "2": Start(soldiers=5)}
    for seats in (3, 4):
        with pytest.raises(SetupError, match=rf"^{seats} seats: .* there is room for 2 \({rule}\)$"):
            board(edition, starts, CardLists(), seats=seats, most=1)
    assert len(new(board(edition, starts, CardLists(), seats=4, most=2))[0].units) == 4


@pytest.mark.rule("F-SETUP-09")
def test_a_starting_sector_may_give_a_specialist_and_no_soldiers() -> None:
    starts = {"1": Start(soldiers=5), "2": Start(specialists=("corporal",))}
    g, _ = new(board("first", starts, CardLists(specialists_regular=("corporal", "medic"))))
    assert not any(unit.specialists for unit in g.units)
    answer(g, 0, "start:2")
    answer(g, 1, "start:1")
    one, two = g.units
    assert (one.soldiers, one.specialists, one.hand) == (0, ("corporal",), ("medic",))
    assert (two.soldiers, two.specialists, two.hand) == (5, (), ("corporal", "medic"))


@pytest.mark.rule("F-SETUP-09")
def test_a_single_start_gives_its_specialist_to_every_unit_that_has_him() -> None:
    lists = CardLists(specialists_regular=("corporal",), specialists_unique=("captain",))
    g, _ = new(board("first", {"1": Start(specialists=("corporal", "captain"))}, lists))
    assert g.units[0].specialists == ("corporal", "captain")
    assert g.units[1].specialists == ("corporal",)
    assert "captain" not in g.pool


@pytest.mark.rule("F-ITEM-09")
def test_an_item_that_lies_in_a_sector_is_in_nobodys_reach_from_the_start() -> None:
    there = board("first", {"1": Start(soldiers=4)}, CardLists(items_special=("toolkit",)))
    sectors = {**there.map.sectors, "1": replace(there.map.sectors["1"], items=("toolkit", "grenade"))}
    g, _ = new(build(there.setup, library(), replace(there.map, sectors=sectors)))
    assert set(g.lying) == {"toolkit", "grenade"}
    assert not {"toolkit", "grenade"} & {*g.pool, *g.box}


# ---------------------------------------------------------------------- the first edition's cards


@pytest.mark.rule("F-MAP-N01-06", "F-SETUP-04", "F-SETUP-05", "F-SETUP-06", "F-ITEM-03")
def test_exercise_tiger_offers_7_regular_and_5_unique_specialists_all_regular_items_and_6_special_ones() -> None:
    g = table("first", 2)
    hand = {"beachmaster", "corporal", "medic", "minesweeper", "scout", "sharpshooter", "veteran"}
    unique = {"captain", "engineer", "lieutenant", "messenger", "general"}
    special = {"bazooka", "dispatch-case", "flak-vest", "lucky-charm", "strategic-map", "toolkit"}
    for unit in g.units:
        assert set(unit.hand) == hand
    assert set(g.pool) - items(g.world, g.pool) == unique
    assert items(g.world, g.pool) == REGULAR | special
    assert not {"hero", "chaplain", "platoon-leader", "decoy", "war-correspondent"} & {*g.pool, *g.box}


@pytest.mark.rule("F-SETUP-04", "F-SETUP-05", "F-SETUP-06", "F-ITEM-03")
def test_only_what_the_map_lists_is_there_but_all_regular_items() -> None:
    lists = CardLists(("hero", "scout"), ("decoy",), ("toolkit",))
    g, _ = new(board("first", {"1": Start(soldiers=4)}, lists))
    assert [set(unit.hand) for unit in g.units] == [{"hero", "scout"}] * 2
    assert set(g.pool) == REGULAR | {"decoy", "toolkit"}
    assert {"bazooka", "pocket-bible"} <= set(g.box)


@pytest.mark.rule("F-SETUP-07", "S-SETUP-10")
@pytest.mark.parametrize("edition", ["first", "second"])
def test_awards_lie_beside_the_pool(edition: str) -> None:
    g = table(edition, 4)
    assert {"legion-of-merit", "memorial-cross", "silver-star"} <= set(g.deck)
    assert {g.world.cards[card].kind for card in g.deck} == {"award"}
    assert not set(g.deck) & {*g.pool, *g.box}


@pytest.mark.rule("F-COMP-03")
@pytest.mark.parametrize("edition", ["first", "second"])
def test_every_shared_card_is_there_once(edition: str) -> None:
    g = table(edition, 4)
    shared = [*g.pool, *g.box, *g.deck]
    assert len(shared) == len(set(shared))
    assert not set(shared) & set(g.units[0].hand)


# ---------------------------------------------------------------------- the second edition's cards


@pytest.mark.rule("S-SETUP-04", "S-SETUP-11")
def test_all_specialists_are_there_whatever_the_map() -> None:
    g, _ = new(board("second", {"1": Start(soldiers=4)}, CardLists()))
    for unit in g.units:
        kinds = {g.world.cards[card].kind for card in unit.hand}
        assert kinds == {"regular-specialist", "reserve-specialist"}
        assert {"corporal", "medic", "minesweeper", "scout", "sharpshooter", "veteran"} <= set(unit.hand)
        assert {"beachmaster", "chaplain", "hero", "platoon-leader"} <= set(unit.hand)
    assert {"captain", "colonel", "engineer", "lieutenant"} <= set(g.pool)
    assert {"combat-photographer", "decoy", "marksman"} <= set(g.pool)


@pytest.mark.rule("S-SETUP-05", "S-SETUP-09", "S-ITEM-04")
def test_alone_one_item_is_chosen_of_the_list_or_of_those_with_the_symbol() -> None:
    g = table("second", 1)
    regular = REGULAR - {"carrier-pigeon"}
    assert items(g.world, g.pool) == regular
    choice = open_question(g, 0)
    alone = SYMBOL - {"dispatch-case", "mortar"}
    assert {key[4:] for key in choice.keys} == LISTED | alone
    assert choice.rule == "S-SETUP-05"
    answer(g, 0, "add:flak-vest")
    assert items(g.world, g.pool) == regular | {"flak-vest"}
    assert items(g.world, g.box) >= LISTED
    assert isinstance(MACHINE.node(g), Roll)


@pytest.mark.rule("S-SETUP-06", "S-SETUP-09", "S-ITEM-04")
def test_two_players_choose_an_item_each() -> None:
    g = table("second", 2)
    assert items(g.world, g.pool) == REGULAR
    for seat in (0, 1):
        assert {key[4:] for key in open_question(g, seat).keys} == LISTED | SYMBOL
    answer(g, 0, "add:bazooka")
    with pytest.raises(Invalid):
        answer(g, 1, "add:bazooka")
    answer(g, 1, "add:dispatch-case")
    assert items(g.world, g.pool) == REGULAR | {"bazooka", "dispatch-case"}
    assert isinstance(MACHINE.node(g), Roll)


@pytest.mark.rule("S-SETUP-07", "S-SETUP-09", "S-ITEM-04")
def test_three_players_choose_a_special_item_each() -> None:
    g = table("second", 3)
    assert items(g.world, g.pool) == REGULAR | SYMBOL
    for seat, card in enumerate(("bazooka", "toolkit", "wirecutters")):
        assert {key[4:] for key in open_question(g, seat).keys} <= LISTED
        answer(g, seat, f"add:{card}")
    assert items(g.world, g.pool) == REGULAR | SYMBOL | {"bazooka", "toolkit", "wirecutters"}
    assert "lucky-charm" in g.box
    assert isinstance(MACHINE.node(g), Roll)


@pytest.mark.rule("S-SETUP-08", "S-SETUP-09", "S-ITEM-04")
def test_four_players_have_all_regular_and_all_listed_items() -> None:
    g = table("second", 4)
    assert items(g.world, g.pool) == REGULAR | SYMBOL | LISTED
    assert "command-jacket" in g.box
    assert isinstance(MACHINE.node(g), Roll)


@pytest.mark.rule("S-EXPL-01")
def test_explosive_icons() -> None:
    cards = library().cards["second"]
    assert [cards[card].explosive for card in ("grenade", "engineer", "bangalore-torpedo")] == [1, 1, 2]
    assert [cards[card].explosive for card in ("field-radio", "medic", "silver-star")] == [0, 0, 0]


# ---------------------------------------------------------------------- alone


@pytest.mark.rule("F-OPT-SOLITAIRE-04", "S-OPT-SOLITAIRE-04")
@pytest.mark.parametrize("edition", ["first", "second"])
def test_alone_some_cards_are_not_in_the_game(edition: str) -> None:
    def everything(g: Landing) -> set[str]:
        return {*g.pool, *g.box, *g.deck, *g.units[0].hand}

    gone = {"victoria-cross", "war-correspondent", "carrier-pigeon", "dispatch-case", "mortar"}
    assert not gone & everything(table(edition, 1))
    assert "dispatch-case" in everything(table(edition, 2))
    cards = library().cards[edition]
    assert {card.id for card in cards.values() if not card.solo} == gone & set(cards)


@pytest.mark.rule("F-OPT-SOLITAIRE-01", "S-OPT-SOLITAIRE-01")
@pytest.mark.parametrize("edition", ["first", "second"])
def test_alone_there_is_no_trading(edition: str) -> None:
    at = UnitAt(stars=2, courage=6, points=5, cards=("jeep",))
    keys = {}
    for seats in (1, 2):
        laid = Position((at, *([UnitAt()] * (seats - 1))), phase="acquire")
        g = position(world_of(Setup(edition, seats=seats)), laid)
        MACHINE.start(g)
        keys[seats] = set(open_question(g, 0).keys)
    assert keys[2] - keys[1] >= {"trade:U2"}
    assert {"rally:corporal", "find:walkie-talkie", "award"} <= keys[1]
    assert not any(key.startswith("trade") for key in keys[1])
