"""What the sources say about the maps of the second edition, kept as tests: whatever is rebuilt may change, but never
against one of these.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from beachhead.content.library import library
from beachhead.content.schema import Sector
from beachhead.core.node import Answer, Ask
from beachhead.landing.game import MACHINE, new
from beachhead.landing.world import Setup, world_of

MAPS = library().maps["second"]
CARDS = library().cards["second"]
REBUILT = [id for id in MAPS if id != "n01-exercise-tiger"]
BEACHES = ["n02-omaha-beach", "n03-sword-beach", "n04-gold-beach", "n06-pointe-du-hoc"]
OMAHA, GOLD, MARE = "n02-omaha-beach", "n04-gold-beach", "n09-mare-fontaine-battery"


def having(id: str, attribute: str) -> set[str]:
    """The Sectors of a map where an attribute is not as in a plain Sector."""
    plain = Sector((1,))
    return {name for name, one in MAPS[id].sectors.items() if getattr(one, attribute) != getattr(plain, attribute)}


def anywhere(attribute: str) -> set[str]:
    """The maps on which some Sector has an attribute."""
    return {id for id in MAPS if having(id, attribute)}


def rank(id: str) -> dict[str, int]:
    return {name: n for n, row in enumerate(MAPS[id].rows) for name in row.sectors}


def into(id: str, to: str) -> set[str]:
    return {a for a, b in MAPS[id].edges.forward if b == to}


def loss(one: Sector) -> float:
    """Of a Unit on average in its first combat there."""
    return one.defence[0] + 3.5 * one.mgf


# ---------------------------------------------------------------------- which maps there are


@pytest.mark.rule("S-COMP-02")
def test_there_are_twelve_maps_with_their_numbers() -> None:
    assert sorted(board.number for board in MAPS.values()) == [f"N{n:02}" for n in range(1, 13)]
    assert all(id.startswith(board.number.lower() + "-") for id, board in MAPS.items())


@pytest.mark.rule("S-SETUP-02", "S-MAP-N01-01")
def test_the_names_that_the_books_give() -> None:
    names = {board.name: board.number for board in MAPS.values()}
    assert names["Exercise Tiger"] == "N01"
    assert names["Mare Fontaine Battery"] == "N09"
    assert {"Omaha Beach", "Gold Beach", "Sword Beach", "Pointe-du-Hoc"} <= set(names)


@pytest.mark.parametrize(
    "name",
    [
        *("utah", "juno", "brécourt", "cosy"),
        *("fabius", "port-en-bessin", "douvres", "fière", "azeville", "casino", "daimler"),
    ],
)
def test_maps_of_the_expansions_are_not_in_the_base_game(name: str) -> None:
    assert not any(name in board.name.lower() for board in MAPS.values())


@pytest.mark.parametrize("id", MAPS)
def test_beaches_begin_in_the_water_and_other_maps_do_not(id: str) -> None:
    ground = {MAPS[id].sectors[name].drawing.terrain for name in MAPS[id].rows[0].sectors}
    assert (ground == {"sea"}) == (id in BEACHES or id == "n01-exercise-tiger")
    assert "sea" not in {one.drawing.terrain for name, one in MAPS[id].sectors.items() if rank(id)[name]}


# ---------------------------------------------------------------------- what holds for every map


@pytest.mark.parametrize("id", MAPS)
def test_a_map_has_a_sector_9(id: str) -> None:
    assert "9" in MAPS[id].sectors


@pytest.mark.parametrize("id", MAPS)
def test_numbers_grow_from_bottom_to_top_and_from_left_to_right(id: str) -> None:
    found = [int(name) for row in MAPS[id].rows for name in row.sectors if name.isdigit()]
    assert found == list(range(1, len(found) + 1))
    assert all(name.startswith("B") == MAPS[id].sectors[name].bunker for name in MAPS[id].sectors)


@pytest.mark.rule("S-SECT-03")
@pytest.mark.parametrize("id", MAPS)
def test_units_start_at_the_bottom_with_what_is_printed_there(id: str) -> None:
    assert having(id, "start") == set(MAPS[id].rows[0].sectors)
    for name in having(id, "start"):
        start = MAPS[id].sectors[name].start
        assert start is not None
        assert start.soldiers + len(start.specialists) > 0


@pytest.mark.rule("S-ADV-01", "S-ADV-02")
@pytest.mark.parametrize("id", MAPS)
def test_every_line_between_rows_has_its_price(id: str) -> None:
    assert [bool(row.courage) for row in MAPS[id].rows] == [False] + [True] * (len(MAPS[id].rows) - 1)
    assert all(rank(id)[b] - rank(id)[a] == 1 for a, b in MAPS[id].edges.forward)
    assert all(rank(id)[b] == rank(id)[a] for a, b in MAPS[id].edges.lateral)


@pytest.mark.parametrize("id", MAPS)
def test_higher_rows_are_deadlier_and_the_bunker_is_the_worst(id: str) -> None:
    worst = [max(loss(MAPS[id].sectors[name]) for name in row.sectors) for row in MAPS[id].rows]
    assert worst[-1] == max(worst)
    assert worst[0] == min(worst)
    assert worst[1] < worst[-2]


@pytest.mark.parametrize("id", MAPS)
def test_several_def_values_rise(id: str) -> None:
    for one in MAPS[id].sectors.values():
        assert all(a < b for a, b in pairwise(one.defence))


@pytest.mark.parametrize("id", MAPS)
def test_some_sector_gives_a_tool_each_turn(id: str) -> None:
    assert any(one.bonus.get("tool") for one in MAPS[id].sectors.values())


@pytest.mark.rule("S-SPEC-09")
@pytest.mark.parametrize("id", MAPS)
def test_sectors_ask_only_for_specialists_that_every_unit_can_have_together(id: str) -> None:
    """Ranking and Unique Specialists are there once for all; of Reserve Specialists a Unit has one at a time."""
    wanted = {card for one in MAPS[id].sectors.values() for card in one.requires}
    assert {CARDS[card].kind for card in wanted} <= {"regular-specialist", "reserve-specialist"}
    assert sum(CARDS[card].kind == "reserve-specialist" for card in wanted) <= 1
    assert all(one.sacrifice in ("", "any") for one in MAPS[id].sectors.values())


@pytest.mark.rule("S-OPT-SOLITAIRE-04")
@pytest.mark.parametrize("id", MAPS)
def test_no_card_that_is_missing_in_solitaire_is_needed_or_lies_somewhere(id: str) -> None:
    for one in MAPS[id].sectors.values():
        named = {*one.items, *one.vehicles, *one.requires, *([one.joins.specialist] if one.joins else [])}
        assert all(CARDS[card].solo for card in named)


# ---------------------------------------------------------------------- Special Items and the pool


@pytest.mark.rule("S-SETUP-02", "S-SETUP-07", "S-SETUP-08")
@pytest.mark.parametrize("id", MAPS)
def test_a_map_lists_four_special_items_that_lie_nowhere_on_it(id: str) -> None:
    """At most four, so says an expansion; three players choose one each."""
    listed = MAPS[id].cards.items_special
    lying = {card for one in MAPS[id].sectors.values() for card in one.items}
    assert len(listed) == len(set(listed)) == 4
    assert not lying & set(listed)
    assert not MAPS[id].cards.specialists_regular
    assert not MAPS[id].cards.specialists_unique


def test_every_special_item_is_on_some_list() -> None:
    special = {card.id for card in CARDS.values() if card.kind == "special-item"}
    assert {card for board in MAPS.values() for card in board.cards.items_special} == special


@pytest.mark.rule("S-SETUP-05", "S-SETUP-06", "S-SETUP-07", "S-SETUP-08", "S-SETUP-09")
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
@pytest.mark.parametrize("id", MAPS)
def test_the_pool_by_the_number_of_players(id: str, seats: int) -> None:
    g, _ = new(world_of(Setup("second", id, seats=seats)))
    regular = {card.id for card in CARDS.values() if card.kind == "regular-item" and (card.solo or seats > 1)}
    marked = {card for card in regular if CARDS[card].symbol}
    listed = set(MAPS[id].cards.items_special)
    lying = {card for one in MAPS[id].sectors.values() for card in one.items}
    in_pool = {card for card in g.pool if CARDS[card].is_item}
    assert set(g.lying) == lying | {
        one.joins.specialist for one in MAPS[id].sectors.values() if one.joins and one.joins.only
    }
    if seats <= 2:
        assert in_pool == regular - marked - lying
        offered = listed | (marked - lying)
    else:
        assert in_pool == regular - lying | (listed if seats == 4 else set())
        offered = listed
    if seats == 4:
        assert "pool-card" not in {frame[0] for lane in g.lanes for frame in lane}
        return
    for seat in range(seats):
        while True:
            node = MACHINE.node(g)
            assert isinstance(node, Ask)
            decision = node.decision(seat)
            if decision.name == "pool-card":
                break
            MACHINE.apply(g, Answer(seat, decision.seq, decision.keys[0]))
        taken = {card for card in g.pool if CARDS[card].is_item} - in_pool
        assert {key.removeprefix("add:") for key in decision.keys} == offered - taken
        MACHINE.apply(g, Answer(seat, decision.seq, decision.keys[0]))
    assert len({card for card in g.pool if CARDS[card].is_item} - in_pool) == seats


# ---------------------------------------------------------------------- what the book describes is used


@pytest.mark.rule("S-OPT-AFEWGOODMEN-01", "S-MAP-N01-01")
def test_some_maps_use_a_few_good_men_and_exercise_tiger_only_by_choice() -> None:
    assert [id for id, board in MAPS.items() if board.few_good_men] == ["n08-merville-battery", "n11-carentan-causeway"]


@pytest.mark.rule("S-OPT-AFEWGOODMEN-01")
def test_what_a_map_prints_is_seen_as_an_option_that_was_chosen() -> None:
    seen = {id: MACHINE.view(new(world_of(Setup("second", id)))[0], 0)["options"] for id in MAPS}
    assert {id for id, options in seen.items() if "few-good-men" in str(options)} == {
        "n08-merville-battery",
        "n11-carentan-causeway",
    }


@pytest.mark.rule("S-EXPL-02")
def test_some_bunker_has_doors_for_two_explosive_icons() -> None:
    doors = {(id, name): one.door for id, board in MAPS.items() for name, one in board.sectors.items() if one.door}
    assert {(id, name) for (id, name), door in doors.items() if door and door.explosives == 2} == {
        ("n10-hillman-strongpoint", "B"),
        ("n07-longues-battery", "10"),
    }
    explosive = [card.explosive for card in CARDS.values()]
    assert sum(explosive) - max(explosive) >= 2


@pytest.mark.rule("S-SECT-04")
def test_some_sectors_hold_one_unit() -> None:
    assert anywhere("max_units") == {OMAHA, "n05-pegasus-bridge", "n11-carentan-causeway"}
    assert all(one.max_units in (0, 1) for board in MAPS.values() for one in board.sectors.values())


def test_some_sectors_are_fought_once_at_a_single_def() -> None:
    assert anywhere("fights") >= {"n05-pegasus-bridge", "n08-merville-battery", "n11-carentan-causeway"}
    for board in MAPS.values():
        for one in board.sectors.values():
            if one.fights == "once":
                assert len(one.defence) == 1
                assert not one.bunker
                assert not one.mgf


@pytest.mark.rule("S-SPDMG-01", "S-VEH-01", "S-AWARD-03", "S-MINE-01", "S-BARR-01", "S-SECT-05", "S-DEF-03")
def test_the_rest_of_what_sectors_may_say_is_used_somewhere() -> None:
    for attribute in ("special_damage", "vehicles", "award", "joins", "on_entry", "locked_dice", "dice", "shield"):
        assert anywhere(attribute), attribute
    assert any(len(one.defence) > 1 for board in MAPS.values() for one in board.sectors.values())
    assert any(board.edges.landmines for board in MAPS.values())
    assert any(board.edges.barriers for board in MAPS.values())


@pytest.mark.parametrize("id", REBUILT)
def test_a_vehicle_of_a_map_has_somewhere_to_go(id: str) -> None:
    mined = {frozenset(line) for line in MAPS[id].edges.landmines}
    for name in having(id, "vehicles"):
        assert any(frozenset((a, b)) not in mined for a, b in MAPS[id].edges.forward if a == name)


# ---------------------------------------------------------------------- Omaha, Gold, Mare Fontaine, Pointe-du-Hoc


@pytest.mark.rule("S-MAP-OMAHA-01", "S-SECT-04")
def test_omaha() -> None:
    assert len(MAPS[OMAHA].sectors) == 10
    assert MAPS[OMAHA].rows[-2].sectors == ("9",)
    assert into(OMAHA, "B") == {"9"}
    assert MAPS[OMAHA].rows[-3].sectors == ("7", "8")
    assert into(OMAHA, "9") == {"7", "8"}
    assert MAPS[OMAHA].sectors["8"].defence == (10,)
    assert having(OMAHA, "max_units") == {"8"}
    assert {"8", "9"} <= having(OMAHA, "requires")


def test_gold_has_two_bunkers_and_both_must_fall() -> None:
    assert having(GOLD, "bunker") == {"BW", "BE"}
    assert MAPS[GOLD].conquer == "each"
    assert [id for id, board in MAPS.items() if board.conquer == "each"] == [GOLD]
    assert {"BW", "BE"} < set(MAPS[GOLD].rows[-1].sectors)


def test_mare_fontaine_has_bunkers_in_the_middle_besides_the_final_one() -> None:
    middle = having(MARE, "passage")
    assert len(middle) == 2
    assert having(MARE, "bunker") - middle == {"B"}
    top = len(MAPS[MARE].rows) - 1
    assert all(0 < rank(MARE)[name] < top - 1 for name in middle)
    assert {a for a, _ in MAPS[MARE].edges.forward} >= middle


def test_pointe_du_hoc_is_climbed() -> None:
    id = "n06-pointe-du-hoc"
    climbs = having(id, "climb")
    assert len(climbs) == 2
    assert anywhere("climb") == {id}
    for name in climbs:
        assert MAPS[id].sectors[name].locked_dice == 0
        assert len(into(id, name)) > 1
    assert {"grappling-hook", "rope-ladder"} <= set(MAPS[id].cards.items_special)


# ---------------------------------------------------------------------- what is printed and what is rebuilt

PRINTED = {OMAHA: {"8": {"def"}}, MARE: {"B1": {"passage"}, "B2": {"passage"}}}
"""What the books print of the maps; all else is ours."""


@pytest.mark.parametrize("id", REBUILT)
def test_every_value_of_a_rebuilt_map_says_whether_it_is_printed(id: str) -> None:
    plain = Sector(())
    aside = {"text", "drawing", "reconstructed", "bunker"}
    assert MAPS[id].basis == "reconstructed"
    for name, one in MAPS[id].sectors.items():
        told = {
            "def" if key == "defence" else key
            for key in (field for field in one.__dataclass_fields__ if field not in aside)
            if getattr(one, key) != getattr(plain, key)
        }
        assert told - set(one.reconstructed) == PRINTED.get(id, {}).get(name, set()), name
        assert set(one.reconstructed) <= told, name
