"""Each thing that can be wrong with a board is found, with its place; and nothing else is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from beachhead.content.checks import board_faults
from beachhead.content.library import library
from beachhead.content.schema import (
    Barrage,
    CardLists,
    Climb,
    Door,
    Drawing,
    Edges,
    Joins,
    Level,
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

START = Start(soldiers=4)
BUNKER = Sector((8,), bunker=True)


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
        ({"s1": Sector((2,), start=Start(stars=3))}, "sectors.1.start: nobody starts here"),
        ({"s2": Sector((4,), door=Door(99))}, "sectors.2.door: all cards of this map together have"),
        ({"s2": Sector((4,), mgf=1, special_damage=SpecialDamage())}, "sectors.2.special_damage: it costs nothing"),
        ({"s2": Sector((0,), fights="once")}, "sectors.2.fights: there is no combat here"),
        ({"s2": Sector((4,), of_a_kind=OfAKind(3, 0))}, "sectors.2.of_a_kind: it brings nothing and costs nothing"),
        ({"s2": Sector((4,), of_a_kind=OfAKind(99, 1))}, "sectors.2.of_a_kind: no tally has so many equal results"),
        ({"sB": Sector((8,), bunker=True, items=("tank",))}, "sectors.B.items: no Vehicle can be here"),
        ({"s2": Sector((4,), climb=Climb(1), items=("tank",))}, "sectors.2.items: no Vehicle can be here"),
        ({"s2": Sector((4,), climb=Climb(1), items_alone=("tank",))}, "sectors.2.items_alone: no Vehicle can be here"),
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
        ({"retreat": (("4", "2"), ("4", "2"))}, ["edges.retreat: 4-2 is there 2 times"]),
    ],
)
def test_ways_that_lead_nowhere_or_wrong_are_found(edges: dict[str, Any], faults: list[str]) -> None:
    found = told(with_edges(**edges))
    assert all(any(one.startswith(fault) for one in found) for fault in faults), found


def test_a_bunker_out_of_reach_is_one_fault_for_itself_and_one_for_each_sector_that_leads_nowhere() -> None:
    found = told(with_edges(forward=(("1", "2"), ("1", "3"), ("2", "4"), ("3", "5"))))
    assert len([one for one in found if "dead end" in one]) == 5


def test_nobody_comes_to_what_lies_behind_a_bunker_where_one_is_safe() -> None:
    behind = board(s4=BUNKER, s5=BUNKER, sB=Sector((8,)))
    fault = "sectors.B: nobody can come here: a Unit that has conquered a Bunker stays there"
    assert told(behind) == [fault]
    assert told(board(s4=BUNKER, s5=BUNKER)) == [fault]
    assert told(board(s4=BUNKER, s5=replace(BUNKER, passage=True))) == []
    assert told(board(s4=BUNKER, s5=replace(BUNKER, go_on=True))) == []


def test_bunkers_that_all_must_fall_can_be_reached_by_several_units_too() -> None:
    """Alone a Unit goes on from one to the next; with others it is safe in the first one."""
    both = replace(board(s4=BUNKER, s5=BUNKER), conquer="each")
    assert told(both) == ["sectors.B: several Units cannot come here: each that has conquered a Bunker stays there"]
    assert told(replace(board(s5=BUNKER), conquer="each")) == []


def test_of_a_mistyped_line_only_the_sector_at_its_other_end_is_told() -> None:
    beside, dead = (("2", "3"), ("4", "5")), "dead end: no way leads from here to a Bunker"
    to_nowhere = (("1", "2"), ("2", "4"), ("4", "b"))
    assert told(with_edges(forward=to_nowhere, lateral=beside)) == [f"sectors.4: {dead}"]
    from_nowhere = (("1", "2"), ("x", "4"), ("4", "B"))
    assert told(with_edges(forward=from_nowhere, lateral=beside)) == ["sectors.4: nobody can come here from a start"]
    elsewhere = (("1", "2"), ("1", "x"), ("3", "5"), ("4", "B"), ("5", "B"))
    assert told(with_edges(forward=elsewhere, lateral=(), landmines=())) == [f"sectors.1: {dead}", f"sectors.2: {dead}"]


def test_what_crosses_barriers_lies_before_them() -> None:
    lying = board(s4=Sector((4,), items=("wirecutters",)))
    fault = "every way to a Bunker is barred, and no card that crosses Barriers is in a list or lies before them"

    def barred(*lines: tuple[str, str]) -> list[str]:
        return told(replace(lying, edges=replace(lying.edges, barriers=lines)))

    assert barred(("4", "B"), ("5", "B")) == []
    assert barred(("2", "4"), ("3", "5")) == [f"edges.barriers: {fault}"]


@pytest.mark.parametrize("barriers", [(), (("2", "3"),)])
def test_nothing_is_said_of_barriers_where_without_them_no_way_leads_to_a_bunker_either(barriers: Any) -> None:
    forward = (("1", "2"), ("1", "3"), ("2", "4"), ("3", "5"))
    found = told(with_edges(forward=forward, barriers=barriers))
    assert "sectors.B: no way leads to this Bunker from a start" in found
    assert not any("Barriers" in one for one in found)


def test_a_board_without_a_start_or_a_bunker_is_not_told_what_follows_from_that() -> None:
    waiting = Sector((8,), bunker=True, opens_after="4")
    start, bunker = "sectors: expected at least one Sector with `start`", "sectors: expected at least one Sector with"
    assert told(board(s1=Sector((2,)), s4=BUNKER, sB=waiting)) == [start]
    for last in (Sector((8,)), Sector((8,), bunker=True, passage=True)):
        assert told(board(sB=last)) == [f"{bunker} `bunker = true` that is no passage"]
    # what does not follow from it is told all the same
    stuck = with_edges(forward=tuple(line for line in board().edges.forward if line[0] != "5"), lateral=())
    assert told(replace(stuck, sectors=board(s1=Sector((2,))).sectors)) == [
        start,
        *(f"sectors.{id}: dead end: no way leads from here to a Bunker" for id in "35"),
    ]


def test_guns_fire_on_sectors_until_a_unit_comes_where_none_starts() -> None:
    def guns(*sectors: str, until: str) -> list[str]:
        return told(replace(board(), barrage=(Barrage(("4",), 1, "5"), Barrage(sectors, 2, until))))

    assert guns("2", "3", until="4") == []
    assert guns(until="4") == ["barrage.1.sectors: expected the Sectors on which the guns fire"]
    assert guns("2", until="1") == ["barrage.1.until: Units start in '1': the guns would never fire"]


def test_a_line_of_a_table_lays_no_vehicle_into_a_bunker() -> None:
    lines = (Result("a", "a", items=("tank",)), *(Result("b", "b") for _ in range(5)))
    assert told(board(sB=Sector((8,), bunker=True, random=lines))) == [
        "sectors.B.random.0.items: no Vehicle can be here"
    ]
    assert told(board(s2=Sector((4,), random=lines, items=("toolkit",)))) == []


def test_results_beside_the_dice_count_among_equal_ones() -> None:
    assert told(board(s2=Sector((4,), of_a_kind=OfAKind(6, 1)))) == []
    assert told(board(s2=Sector((4,), of_a_kind=OfAKind(7, -1)))) == []
    assert told(board(s2=Sector((4,), of_a_kind=OfAKind(99, 1), bonus={"star": 93}))) == []


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
    assert told(board("second", s4=asking)) == []


@pytest.mark.parametrize("only", [False, True])
@pytest.mark.parametrize("name", ["medic", "general"])
def test_in_the_first_edition_nobody_joins_who_is_on_no_list(name: str, only: bool) -> None:
    joining, asking = Sector((4,), joins=Joins(name, only=only)), Sector((4,), requires=(name,))
    lost = f"sectors.2.joins: {name!r} is on no list of this map and would never join"
    assert lost in told(board("first", s2=joining))
    found = told(board("first", s2=joining, s4=asking))
    assert f"sectors.4.requires.0: nobody can have the card {name!r}: it is on no list of this map" in found
    assert lost not in told(board("second", s2=joining))
    lists = CardLists(specialists_regular=("medic",), specialists_unique=("general",))
    assert lost not in told(replace(board("first", s2=joining), cards=lists))


def test_in_the_first_edition_nobody_starts_with_a_specialist_who_is_on_no_list() -> None:
    start = Sector((2,), start=Start(4, specialists=("scout", "medic")))
    lost = "sectors.1.start.specialists.1: 'medic' is on no list of this map: nobody starts with it"
    assert told(board("first", s1=start)) == [lost]
    assert told(board("first", s1=start, s4=Sector((4,), sacrifice="medic"))) == [
        "sectors.4.sacrifice: nobody can have the card 'medic': it is on no list of this map",
        lost,
    ]
    assert told(board("second", s1=start)) == []
    both = replace(board("first", s1=start), cards=CardLists(specialists_regular=("scout", "medic")))
    assert told(both) == []
    few = Level(cards=CardLists(specialists_regular=("scout",)))
    assert told(replace(both, levels={"few": few})) == [
        "levels.few: in Sector '1', start: 'medic' is on no list at this level: nobody starts with it"
    ]
    unread = board_faults(replace(both, levels={"few": few}), library().cards["first"], [("levels", "few", "cards")])
    assert list(unread) == []


@pytest.mark.parametrize(("name", "edition"), [("medic", "second"), ("hero", "second"), ("scout", "first")])
def test_who_belongs_to_each_unit_can_be_had_elsewhere_too(name: str, edition: str) -> None:
    one = board(edition, s2=Sector((4,), joins=Joins(name, only=True)))
    assert told(one) == [
        f"sectors.2.joins.only: each Unit has {name!r} of its own: only a Unique or Ranking Specialist can be had "
        "nowhere else"
    ]
    assert told(board(edition, s2=Sector((4,), joins=Joins(name)))) == []
    assert told(board(edition, s2=Sector((4,), joins=Joins("captain", only=True)))) == []


# Who starts


@pytest.mark.parametrize("edition", ["first", "second"])
def test_no_unit_starts_with_nobody_as_another_has_the_only_specialist(edition: Any) -> None:
    def starting(soldiers: int, *those: str, **sector: Any) -> list[str]:
        one = Sector((2,), start=Start(soldiers, specialists=those), **sector)
        return told(board(edition, s1=one))

    fault = (
        "sectors.1.start: a Unique or Ranking Specialist goes to one Unit only, and others start here with nobody: "
        "expected Soldiers or a Regular Specialist"
    )
    assert starting(0, "captain") == [fault]
    assert starting(0, "captain", "scout") == starting(0, "scout") == starting(1, "captain") == []
    assert starting(0, "captain", max_units=1) == []
    assert starting(0, "captain", max_units=2) == [fault]


def test_a_specialist_of_whom_there_is_one_starts_in_one_sector() -> None:
    lone = Sector((2,), start=Start(specialists=("captain",)), max_units=1)
    one = board(s1=lone)
    two = replace(one, sectors={**one.sectors, "0": Sector((2,), start=Start(4, specialists=("captain",)))})
    two = replace(two, rows=(Row(("0", "1")), *one.rows[1:]))
    two = replace(two, edges=replace(one.edges, lateral=(*one.edges.lateral, ("0", "1"))))
    assert told(one) == []
    (fault,) = told(two)
    assert fault.startswith("sectors.1.start: a Unique or Ranking Specialist goes to one Unit only")


def test_a_reserve_specialist_starts_with_every_unit() -> None:
    assert told(board(s1=Sector((2,), start=Start(specialists=("hero",))))) == []


def test_nobody_starts_with_a_specialist_who_joins_elsewhere_only() -> None:
    one = board(s1=Sector((2,), start=Start(4, specialists=("captain",))), s4=Sector((4,), joins=Joins("captain")))
    assert told(one) == []
    only = replace(one, sectors={**one.sectors, "4": Sector((4,), joins=Joins("captain", only=True))})
    assert told(only) == [
        "sectors.1.start.specialists.0: 'captain' joins elsewhere and can be had nowhere else: nobody starts with it"
    ]


@pytest.mark.parametrize(
    ("one", "fault"),
    [
        (board(s2=Sector((4,), requires=("scout", "scout"))), "sectors.2.requires: 'scout' is there 2 times"),
        (
            board(s1=Sector((2,), start=Start(4, specialists=("scout",) * 3))),
            "sectors.1.start.specialists: 'scout' is there 3 times",
        ),
        (
            replace(board(), levels={"easy": Level(results=("star", "tool", "star"))}),
            "levels.easy.results: 'star' is there 2 times",
        ),
    ],
)
def test_what_is_named_twice_is_told(one: Map, fault: str) -> None:
    assert told(one) == [fault]


def test_one_goes_on_from_a_bunker_where_a_way_leads_to_another() -> None:
    fault = "go_on: nobody goes on: no way leads from here to another Bunker"
    assert told(board(sB=replace(BUNKER, go_on=True))) == [f"sectors.B.{fault}"]
    assert told(board(s4=replace(BUNKER, go_on=True))) == []
    plain = board(s4=replace(BUNKER, go_on=True), sB=Sector((8,)))
    assert f"sectors.4.{fault}" in told(plain)
    assert told(board(s4=replace(BUNKER, go_on=True), s5=replace(BUNKER, passage=True))) == []


# Who plays alone


def test_alone_nobody_has_a_card_that_is_not_there_in_solitaire() -> None:
    lists = CardLists(specialists_regular=("scout",), specialists_unique=("war-correspondent",))
    bunker = replace(BUNKER, requires=("war-correspondent",))
    one = replace(board("first", sB=bunker), cards=lists)
    fault = "sectors.B.requires.0: alone, nobody can have the card 'war-correspondent': it is not there in solitaire"
    assert told(one) == [fault]
    assert told(replace(one, least_seats=2)) == []
    given_up = replace(
        board("first", sB=replace(BUNKER, sacrifice="any")), cards=replace(lists, specialists_regular=())
    )
    assert told(given_up) == [
        "sectors.B.sacrifice: alone, nobody can have a Specialist: none on a list of this map is there in solitaire"
    ]
    joining = replace(one, sectors={**one.sectors, "2": Sector((4,), joins=Joins("war-correspondent", only=True))})
    assert told(joining) == [fault]


def test_alone_a_door_opens_with_the_explosives_that_are_there_in_solitaire() -> None:
    cards = [card for card in library().cards["second"].values() if card.is_specialist or card.kind == "regular-item"]
    group, solo = sum(card.explosive for card in cards), sum(card.explosive for card in cards if card.solo)
    assert solo < group
    one = replace(board(sB=replace(BUNKER, door=Door(group))), cards=CardLists())
    assert told(one) == [f"sectors.B.door: alone, all cards of this map together have {solo} explosive icons"]
    assert told(replace(one, least_seats=2)) == []
    assert told(replace(one, sectors={**one.sectors, "B": replace(BUNKER, door=Door(solo))})) == []


def test_alone_those_explosives_lie_there_that_lie_there_in_solitaire() -> None:
    charge = next(card for card in library().cards["second"].values() if card.kind == "special-item" and card.explosive)
    cards = [card for card in library().cards["second"].values() if card.is_specialist or card.kind == "regular-item"]
    icons = sum(card.explosive for card in cards if card.solo)
    door = replace(BUNKER, door=Door(icons + charge.explosive))

    def lying(**items: Any) -> list[str]:
        return told(replace(board(sB=door, s4=Sector((4,), **items)), cards=CardLists(), least_seats=1))

    fault = f"sectors.B.door: alone, all cards of this map together have {icons} explosive icons"
    assert lying(items=(charge.id,)) == []
    assert lying(items=(charge.id,), items_alone=()) == [fault]
    behind = replace(board(s2=door, s3=door, s4=Sector((4,), items=(charge.id,))), cards=CardLists())
    behind = replace(behind, sectors={id: replace(one, bunker=id == "B") for id, one in behind.sectors.items()})
    assert [one.partition(": ")[2] for one in told(behind)] == [
        f"alone, all cards that can be had before it together have {icons} explosive icons"
    ] * 2


def test_alone_a_unit_starts_with_somebody() -> None:
    ours = library().cards["second"]
    cards = ours | {"scout": replace(ours["scout"], solo=False)}
    one = board(s1=Sector((2,), start=Start(specialists=("scout",))))

    def found(one: Map) -> list[tuple[Any, str]]:
        return list(board_faults(one, cards))

    what = "alone, nobody starts here: these Specialists are not there in solitaire"
    assert found(one) == [(("sectors", "1", "start"), what)]
    assert found(replace(one, least_seats=2)) == []
    assert found(replace(one, sectors={**one.sectors, "1": Sector((2,), start=Start(1, specialists=("scout",)))})) == []


def test_no_specialist_can_be_given_up_where_nobody_can_have_one() -> None:
    one = replace(board("first", s4=Sector((4,), sacrifice="any")), cards=CardLists())
    assert told(one) == ["sectors.4.sacrifice: nobody can have a Specialist: none is on a list of this map"]
    assert told(replace(one, cards=CardLists(specialists_unique=("captain",)))) == []
    assert told(replace(one, edition="second")) == []


def test_a_card_that_is_no_specialist_is_not_said_to_be_missing() -> None:
    assert told(board(s4=Sector((4,), requires=("tank",), sacrifice="whistle"))) == []


def test_the_cards_of_a_level_meet_what_the_map_asks_for() -> None:
    one = board("first", s4=Sector((4,), requires=("scout",)))
    assert told(one) == told(replace(one, levels={"easy": Level(mgf=False)})) == []
    medic = CardLists(specialists_regular=("medic",))
    assert told(replace(one, levels={"easy": Level(cards=medic)})) == [
        "levels.easy: in Sector '4', requires: nobody can have the card 'scout': it is on no list at this level"
    ]
    assert told(replace(one, levels={"easy": Level(cards=medic, attributes=False)})) == []
    icons = sum(card.explosive for card in library().cards["second"].values() if card.is_specialist)
    doors = replace(board(s5=Sector((4,), door=Door(icons + 1))), levels={"easy": Level(items=False)})
    assert told(doors) == [
        f"levels.easy: in Sector '5', door: all cards at this level together have {icons} explosive icons"
    ]


UNIQUES, RESERVES = (
    tuple(sorted(card.id for card in library().cards["second"].values() if card.kind == kind))[:2]
    for kind in ("unique-specialist", "reserve-specialist")
)


@pytest.mark.parametrize("two", [UNIQUES, RESERVES])
def test_the_second_edition_lets_a_unit_have_one_unique_and_one_reserve_specialist(two: tuple[str, str]) -> None:
    asking = Sector((4,), requires=two)
    (fault,) = told(board(s4=asking))
    assert fault.startswith(f"sectors.4.requires: nobody can have {two[0]!r}, {two[1]!r} together")
    assert told(board(s4=asking, s1=Sector((2,), start=Start(1, specialists=two)))) == []
    assert told(board(s4=Sector((4,), requires=(UNIQUES[0], RESERVES[0], "medic", "captain")))) == []


def test_of_cards_that_could_not_be_read_nothing_is_told() -> None:
    one = board(s4=Sector((4,), requires=UNIQUES), s5=Sector((4,), door=Door(99)))
    assert len(told(one)) == 2
    assert list(board_faults(one, library().cards["second"], (), all_read=False)) == []


# Battle Cries


def cry(edition: Any = "second", **changes: Any) -> Map:
    """The Bunker is entered by a Battle Cry only; in the Sectors before it this is other."""
    before = Sector((4,), **changes)
    return board(edition, s4=before, s5=before, sB=Sector((8,), bunker=True, entry="battle-cry"))


@pytest.mark.parametrize("changes", [{"battle_cry": False}, {"climb": Climb(1)}])
def test_what_is_entered_by_a_battle_cry_lies_behind_a_sector_where_one_can_be_had(changes: Any) -> None:
    fault = "sectors.B.entry: nobody comes here: no Sector before it can be left by a Battle Cry"
    assert told(cry()) == []
    one = cry(**changes)
    assert told(one) == [fault]
    assert told(replace(one, sectors={**one.sectors, "5": Sector((4,))})) == []


def test_two_dice_make_no_battle_cry_unless_results_with_a_colour_or_another_tally_help() -> None:
    fault = "sectors.B.entry: nobody comes here: no Sector before it can be left by a Battle Cry"
    assert told(cry("first", dice=2)) == [fault]
    assert told(cry("first", dice=3)) == []
    assert told(cry("first", dice=2, bonus={"courage": 1})) == [fault]
    assert told(cry("first", dice=2, bonus={"courage": 1}, bonus_colour="choice")) == []
    tinted = Result("a", "a", bonus={"courage": 2}, bonus_colour="choice")
    assert told(cry("first", dice=1, random=(tinted,) * 6)) == []
    # the Combat Photographer brings the six dice of the turn before; in the second edition he is always there
    photo = CardLists(specialists_regular=("scout",), specialists_unique=("combat-photographer",))
    assert told(replace(cry("first", dice=2), cards=photo)) == []
    assert told(cry("second", dice=2)) == []


@pytest.mark.parametrize(("edition", "item"), [("first", "dexedrine"), ("second", "amphetamines")])
def test_a_card_that_brings_a_battle_cry_brings_one_everywhere_but_on_a_cliff(edition: str, item: str) -> None:
    lists = CardLists(specialists_regular=("scout",), items_special=(item,))
    assert told(replace(cry(edition, battle_cry=False), cards=lists)) == []
    assert len(told(replace(cry(edition, climb=Climb(1)), cards=lists))) == 1
    chosen = replace(cry(edition, battle_cry=False).sectors["4"], award="choice")
    one = cry(edition, battle_cry=False)
    assert told(replace(one, sectors={**one.sectors, "4": chosen})) == []


# Where Units start

ON_ENTRY: dict[str, Any] = {
    "items": ("grenade",),
    "items_alone": ("grenade",),
    "award": "choice",
    "on_entry": OnEntry(1),
    "door": Door(1),
    "requires": ("scout",),
    "sacrifice": "any",
    "entry": "battle-cry",
    "joins": Joins("captain", only=True),
    "random": (Result("a", "a"),) * 6,
}


@pytest.mark.parametrize("key", ON_ENTRY)
def test_what_happens_on_moving_in_is_not_where_units_only_start(key: str) -> None:
    one = board(s1=Sector((2,), start=START, **{key: ON_ENTRY[key]}))
    assert told(one) == [f"sectors.1.{key}: it would never happen: Units start here, and nobody moves in"]
    # from another start one may move in
    two = replace(one, sectors={**one.sectors, "0": Sector((2,), start=START)})
    two = replace(two, rows=(Row(("0", "1")), *one.rows[1:]))
    assert told(replace(two, edges=replace(one.edges, lateral=(*one.edges.lateral, ("0", "1"))))) == []


def test_all_units_that_have_to_play_have_room_to_start() -> None:
    one = replace(board(s1=Sector((2,), start=START, max_units=1)), least_seats=2)
    assert told(one) == ["least_seats: the Sectors where Units start have room for 1"]
    assert told(replace(one, least_seats=1)) == []
    assert told(replace(board(), least_seats=2)) == []


def test_one_fights_once_where_there_is_something_to_fight() -> None:
    quiet = Sector((0,), fights="once")
    assert len(told(board(s2=quiet))) == 1
    for one in (replace(quiet, mgf=1), replace(quiet, shelling=Shelling()), replace(quiet, defence=(1,))):
        assert told(board(s2=one)) == []
    assert told(board(s2=table(Result("a", "a", shelling=Shelling()), fights="once"))) == []
    assert told(replace(board(s2=quiet), barrage=(Barrage(("2",), 1, "4"),))) == []
    assert told(board(s2=replace(quiet, defence=()))) == []


def test_an_item_lies_in_one_sector_only() -> None:
    twice = told(board(s2=Sector((4,), items=("grenade",)), s3=Sector((4,), items=("grenade",))))
    assert twice == [f"sectors.{n}.items: 'grenade' lies in 2 Sectors, and there is one" for n in (2, 3)]


def test_a_line_leads_from_one_sector_to_another() -> None:
    assert told(with_edges(lateral=(("2", "3"), ("4", "5"), ("2", "2")))) == [
        "edges.lateral.2: 2-2: a line leads to another Sector"
    ]


def test_lines_keep_their_numbers_after_one_of_unknown_sectors() -> None:
    found = told(with_edges(forward=(("1", "9"), *board().edges.forward, ("B", "2"))))
    assert found == ["edges.forward.7: B-2: a forward line leads to a higher row"]


# Bunkers that open


def bunkers(**opens: str) -> Map:
    """4, 5 and B are Bunkers, 4 and 5 may be left; each opens after another one, where that is said."""
    one = Sector((8,), bunker=True, go_on=True)
    all_ = {f"s{id}": replace(one, opens_after=opens.get(f"s{id}", "")) for id in ("4", "5", "B")}
    return board(**all_ | {"sB": replace(all_["sB"], go_on=False)})


def shut(one: Map) -> list[str]:
    return [fault.split(".")[1] for fault in told(one) if "it would never open" in fault]


def test_bunkers_that_open_one_after_the_other_are_in_order() -> None:
    assert told(bunkers(sB="4", s5="B")) == []


def test_bunkers_that_wait_for_each_other_never_open() -> None:
    assert shut(bunkers(s4="5", s5="4")) == ["4", "5"]
    assert shut(bunkers(s4="5", s5="B", sB="4")) == ["4", "5", "B"]


def test_a_bunker_that_waits_for_one_behind_it_never_opens() -> None:
    assert shut(replace(bunkers(s4="B"), edges=board().edges)) == []  # another way leads by 5
    lone = tuple(line for line in board().edges.forward if line != ("5", "B"))
    assert shut(replace(bunkers(s4="B"), edges=replace(board().edges, forward=lone, lateral=(("2", "3"),)))) == ["4"]


def test_a_bunker_that_waits_for_a_passage_never_opens() -> None:
    waiting = board(s4=Sector((8,), bunker=True, passage=True), sB=Sector((8,), bunker=True, opens_after="4"))
    assert shut(waiting) == ["B"]


# Specialists who join


def captain(*asking: str, who: str = "4") -> Map:
    """The Captain joins in a Sector and nowhere else, and these Sectors ask for him."""
    joins = {who: Joins("captain", only=True)}
    asks = dict.fromkeys(asking, ("captain",))
    return board(**{f"s{id}": Sector((4,), joins=joins.get(id), requires=asks.get(id, ())) for id in {*joins, *asks}})


def test_a_specialist_who_joins_nowhere_else_can_be_reached_without_him() -> None:
    fault = "sectors.4.joins: nobody comes here without 'captain', and he joins nowhere else"
    assert told(captain("4")) == [fault]
    assert told(captain("2", "3")) == [fault]
    assert told(captain("2")) == []
    assert told(captain("5")) == []
    assert told(replace(captain("2"), edges=replace(board().edges, lateral=()))) == [fault]


def test_specialists_who_join_behind_each_other_cannot_be_had() -> None:
    """To 4 comes who has the General, and the Captain joins there; to 5 who has the Captain, and the General joins."""
    lists = CardLists(specialists_unique=("captain", "general"))
    four = Sector((4,), joins=Joins("captain", only=True), requires=("general",))
    five = Sector((4,), joins=Joins("general", only=True), requires=("captain",))
    assert told(replace(board("first", s4=four, s5=five), cards=lists)) == [
        "sectors.4.joins: nobody comes here without 'captain', and he joins nowhere else",
        "sectors.5.joins: nobody comes here without 'general', and he joins nowhere else",
    ]
    assert told(replace(board("first", s4=four, s5=replace(five, requires=())), cards=lists)) == []


def test_explosives_for_a_door_lie_before_it() -> None:
    """One icon more than all cards have that can be had anywhere; a card with another lies in one Sector."""
    cards = library().cards["second"]
    having = sum(card.explosive for card in cards.values() if card.is_specialist or card.kind == "regular-item")
    charge = next(card for card in cards.values() if card.kind == "special-item" and card.explosive)
    doors = Sector((4,), door=Door(having + 1))

    def behind(**sectors: Sector) -> list[str]:
        return told(replace(board(**sectors), cards=CardLists(), least_seats=2))

    lying = Sector((4,), items=(charge.id,))
    fault = f"all cards that can be had before it together have {having} explosive icons"
    assert behind(s2=doors, s3=doors, s4=lying) == [f"sectors.2.door: {fault}", f"sectors.3.door: {fault}"]
    assert behind(s2=doors, s3=Sector((4,)), s4=lying) == []
    assert behind(s4=doors, s2=lying) == []


# Lines of a table


def table(line: Result, **sector: Any) -> Sector:
    return Sector((4,), random=(line, *(Result("-", "-") for _ in range(5))), **sector)


@pytest.mark.parametrize(
    ("sector", "fault"),
    [
        (table(Result("a", "a", locked_dice=9)), "sectors.2.random.0.locked_dice: only 6 dice are rolled here"),
        (table(Result("a", "a", locked_dice=5), dice=4), "sectors.2.random.0.locked_dice: only 4 dice are rolled here"),
        (
            table(Result("a", "a", bonus={"star": 1}, penalty={"star": 2})),
            "sectors.2.random.0.penalty: star is a bonus as well",
        ),
        (
            table(Result("a", "a", bonus={"star": 1}), penalty={"star": 2}),
            "sectors.2.random.0.bonus: star is a penalty as well",
        ),
        (
            table(Result("a", "a", vehicles=("tank",)), climb=Climb(1)),
            "sectors.2.random.0.vehicles: no Vehicle can be here",
        ),
        (table(Result("a", "a", items=("grenade",)), items=("grenade",)), "sectors.2.items: 'grenade' lies here more"),
    ],
)
def test_a_line_of_a_table_goes_with_its_sector(sector: Sector, fault: str) -> None:
    assert any(one.startswith(fault) for one in told(board(s2=sector)))


def test_an_item_of_a_table_lies_nowhere_else() -> None:
    grenade = Result("a", "a", items=("grenade",))
    assert told(board(s2=Sector((4,), random=(grenade,) * 6))) == []
    assert told(board(s2=table(grenade), s3=Sector((4,), items=("grenade",)))) == [
        "sectors.2.random.0.items: 'grenade' lies in 2 Sectors, and there is one",
        "sectors.3.items: 'grenade' lies in 2 Sectors, and there is one",
    ]


def test_alone_other_items_may_lie_there() -> None:
    given = {"s2": Sector((4,), items=("grenade",), items_alone=("toolkit",))}
    assert told(board(**given, s3=Sector((4,), items=("toolkit",), items_alone=("grenade",)))) == []
    assert told(board(**given, s3=Sector((4,), items=("toolkit",)))) == [
        "sectors.2.items_alone: 'toolkit' lies in 2 Sectors, and there is one",
        "sectors.3.items: 'toolkit' lies in 2 Sectors, and there is one",
    ]


# What could not be read


@pytest.mark.parametrize(
    ("sectors", "gone"),
    [
        ({"s2": Sector((), shield="black", stay="unlimited")}, ("sectors", "2", "shield")),
        ({"s2": Sector((4,), special_damage=SpecialDamage(courage=1))}, ("sectors", "2", "mgf")),
        ({"s1": Sector((2,), start=Start())}, ("sectors", "1", "start", "soldiers")),
        ({"s1": Sector((2,))}, ("sectors", "1")),
        ({"sB": Sector((8,))}, ("sectors", "B", "bunker")),
        ({"s2": table(Result("a", "a", locked_dice=9))}, ("sectors", "2", "dice")),
    ],
)
def test_nothing_is_told_that_may_be_wrong_only_for_what_could_not_be_read(sectors: Any, gone: tuple[str, ...]) -> None:
    one = board(**sectors)
    cards = library().cards[one.edition]
    assert list(board_faults(one, cards))
    assert list(board_faults(one, cards, [gone])) == []


def test_what_does_not_depend_on_it_is_told_of_the_same_sector() -> None:
    one = board(s2=Sector((), shield="black", stay="unlimited"))
    (found,) = board_faults(one, library().cards["second"], [("sectors", "2", "def")])
    assert found[0] == ("sectors", "2", "stay")
