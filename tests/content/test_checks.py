"""Each thing that can be wrong with a board is found, with its place; and nothing else is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from beachhead.content.checks import board_faults
from beachhead.content.library import library
from beachhead.content.schema import (
    CardLists,
    Climb,
    Door,
    Drawing,
    Edges,
    Joins,
    Map,
    Row,
    Sector,
    SpecialDamage,
    Start,
)

START = Start(soldiers=4)


def board(edition: Any = "second", **sectors: Sector) -> Map:
    """1 / 2 3 / 4 5 / B, with other Sectors than the plain ones where `s2` and the like are given."""
    given: dict[str, Sector] = {"1": Sector((2,), start=START), "B": Sector((8,), bunker=True)}
    names = ("1", "2", "3", "4", "5", "B")
    found = {name: sectors.get(f"s{name}", given.get(name, Sector((4,)))) for name in names}
    return Map(
        1,
        "made-up",
        "Made up",
        edition,
        (Row(("1",)), Row(("2", "3"), 1), Row(("4", "5"), 2), Row(("B",), 3)),
        found,
        Edges(
            (("1", "2"), ("1", "3"), ("2", "4"), ("3", "5"), ("4", "B"), ("5", "B")),
            (("2", "3"), ("4", "5")),
            (("2", "4"),),
        ),
        CardLists(specialists_regular=("scout",), specialists_unique=("captain",), items_special=("bazooka",)),
    )


def told(one: Map) -> list[str]:
    cards = library().cards[one.edition]
    return [".".join(str(step) for step in where) + ": " + what for where, what in board_faults(one, cards)]


def with_edges(**edges: tuple[tuple[str, ...], ...]) -> Map:
    return replace(board(), edges=replace(board().edges, **edges))


def test_a_board_in_order_has_no_faults() -> None:
    assert told(board()) == []
    assert told(board("first")) == []


@pytest.mark.parametrize("edition", ["first", "second"])
def test_every_shipped_board_is_in_order(edition: str) -> None:
    for one in library().maps[edition].values():
        assert told(one) == []


@pytest.mark.parametrize(
    ("sectors", "fault"),
    [
        (
            {"s2": Sector((4,), special_damage=SpecialDamage(courage=1))},
            "sectors.2.special_damage: there is no Machine",
        ),
        ({"s2": Sector((4, 6), shield="black")}, "sectors.2.def: nobody stays here for a second combat"),
        ({"s2": Sector((4, 6), fights="once")}, "sectors.2.def: there is one combat only"),
        ({"sB": Sector((8, 9), bunker=True)}, "sectors.B.def: a Bunker is conquered in one combat"),
        ({"s2": Sector((4,), shield="black", stay="unlimited")}, "sectors.2.stay: the black shield says"),
        ({"sB": Sector((8,), bunker=True, fights="once")}, "sectors.B.fights: a Bunker is conquered in one combat"),
        ({"sB": Sector((8,), bunker=True, vehicles=("tank",))}, "sectors.B.vehicles: no Vehicle can be here"),
        ({"s2": Sector((4,), vehicles=("tank",), find_items=False)}, "sectors.2.find_items: a Vehicle is found"),
        ({"s2": Sector((4,), bonus={"star": 1}, penalty={"star": 2})}, "sectors.2.penalty: star is a bonus as well"),
        ({"s2": Sector((4,), locked_dice=6, dice=5)}, "sectors.2.locked_dice: only 5 dice are rolled here"),
        ({"s2": Sector((4,), climb=Climb(7))}, "sectors.2.climb: only 6 dice are rolled here"),
        ({"sB": Sector((8,), bunker=True, start=START)}, "sectors.B.start: nobody starts in a Bunker"),
        ({"s2": Sector((4,), start=START)}, "sectors.2.start: Units start in the lowest row"),
        ({"sB": Sector((8,), bunker=True, opens_after="B")}, "sectors.B.opens_after: it would never open"),
        ({"s2": Sector((4,), reconstructed=("deff",))}, "sectors.2.reconstructed: unknown attribute 'deff'"),
        ({"s2": Sector((4,), drawing=Drawing(8, 6))}, "sectors.2.drawing: expected it within the 12 columns"),
        (
            {"s2": Sector((4,), drawing=Drawing(0, 7)), "s3": Sector((4,), drawing=Drawing(6, 6))},
            "sectors.3.drawing: drawn over Sector '2'",
        ),
        ({"s2": Sector((4,), door=Door(99))}, "sectors.2.door: all cards of this map together have"),
    ],
)
def test_what_contradicts_itself_is_found(sectors: dict[str, Sector], fault: str) -> None:
    assert any(one.startswith(fault) for one in told(board(**sectors)))


def test_all_faults_come_at_once() -> None:
    wrong = board(s2=Sector((4, 6), shield="black", stay="unlimited"), s3=Sector((4,), climb=Climb(7)))
    assert len(told(wrong)) == 3


@pytest.mark.parametrize(
    ("edges", "faults"),
    [
        ({"forward": (("1", "2"), ("1", "3"), ("2", "4"), ("3", "5"))}, ["sectors.B: no way leads to this Bunker"]),
        (
            {"forward": (("1", "2"), ("1", "3"), ("3", "5"), ("5", "B")), "lateral": (), "landmines": ()},
            ["sectors.2: dead end", "sectors.4: nobody can come here"],
        ),
        (
            {"forward": (*board().edges.forward, ("4", "2"))},
            ["edges.forward.6: 4-2: a forward line leads to a higher row", "edges: the line 2-4 is there 2 times"],
        ),
        ({"lateral": (("2", "3"), ("2", "5"))}, ["edges.lateral.1: 2-5: a lateral line stays in its row"]),
        ({"landmines": (("2", "4"), ("4", "2"))}, ["edges.landmines: 2-4 is there 2 times"]),
    ],
)
def test_ways_that_lead_nowhere_or_wrong_are_found(edges: dict[str, Any], faults: list[str]) -> None:
    found = told(with_edges(**edges))
    assert all(any(one.startswith(fault) for one in found) for fault in faults), found


def test_a_bunker_out_of_reach_is_one_fault_for_itself_and_one_for_each_sector_that_leads_nowhere() -> None:
    found = told(with_edges(forward=(("1", "2"), ("1", "3"), ("2", "4"), ("3", "5"))))
    assert len([one for one in found if "dead end" in one]) == 5


def test_two_bunkers_that_both_must_fall_have_a_way_between_them() -> None:
    one = board(s5=Sector((8,), bunker=True))
    apart = replace(one, conquer="each", edges=replace(one.edges, lateral=(("2", "3"),)))
    apart = replace(apart, edges=replace(apart.edges, forward=tuple(e for e in apart.edges.forward if e[0] != "5")))
    assert "conquer: alone, no way leads from one Bunker to the others" in told(apart)
    assert "conquer" not in str(told(replace(apart, least_seats=2)))
    assert "conquer" not in str(told(replace(apart, edges=one.edges)))


@pytest.mark.parametrize("key", ["requires", "sacrifice"])
def test_a_specialist_whom_no_list_has_can_be_asked_for_only_where_he_joins(key: str) -> None:
    asking = Sector((4,), **({"requires": ("medic",)} if key == "requires" else {"sacrifice": "medic"}))
    wanted = f"sectors.4.{key}" + (".0" if key == "requires" else "")
    assert told(board("first", s4=asking)) == [
        f"{wanted}: nobody can have the card 'medic': it is on no list of this map"
    ]
    assert told(board("first", s4=asking, s2=Sector((4,), joins=Joins("medic")))) == []
    assert told(board("first", s4=asking, s1=Sector((2,), start=Start(1, specialists=("medic",))))) == []
    assert told(board("second", s4=asking)) == []


def test_an_item_lies_in_one_sector_only() -> None:
    twice = told(board(s2=Sector((4,), items=("grenade",)), s3=Sector((4,), items=("grenade",))))
    assert twice == [f"sectors.{n}.items: 'grenade' lies in 2 Sectors, and there is one" for n in (2, 3)]
