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
    assert told(board("first", s4=asking, s2=Sector((4,), joins=Joins("medic")))) == []
    assert told(board("first", s4=asking, s1=Sector((2,), start=Start(1, specialists=("medic",))))) == []
    assert told(board("second", s4=asking)) == []


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
    "joins": Joins("hero", only=True),
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
    """4, 5 and B are Bunkers that may be left; each opens after another one, where that is said."""
    one = Sector((8,), bunker=True, go_on=True)
    return board(**{f"s{id}": replace(one, opens_after=opens.get(f"s{id}", "")) for id in ("4", "5", "B")})


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


def hero(*asking: str, who: str = "4") -> Map:
    """The Hero joins in a Sector and nowhere else, and these Sectors ask for him."""
    joins = {who: Joins("hero", only=True)}
    asks = dict.fromkeys(asking, ("hero",))
    return board(**{f"s{id}": Sector((4,), joins=joins.get(id), requires=asks.get(id, ())) for id in {*joins, *asks}})


def test_a_specialist_who_joins_nowhere_else_can_be_reached_without_him() -> None:
    fault = "sectors.4.joins: nobody comes here without 'hero', and he joins nowhere else"
    assert told(hero("4")) == [fault]
    assert told(hero("2", "3")) == [fault]
    assert told(hero("2")) == []
    assert told(hero("5")) == []
    assert told(replace(hero("2"), edges=replace(board().edges, lateral=()))) == [fault]


def test_a_specialist_of_no_list_can_be_had_only_where_he_joins() -> None:
    def asked(*sectors: str, edition: str) -> list[str]:
        asks = {f"s{id}": Sector((4,), requires=("medic",)) for id in sectors}
        return told(board(edition, **asks, s4=Sector((4,), joins=Joins("medic"))))

    fault = "sectors.4.joins: nobody comes here without 'medic', and he joins nowhere else"
    assert asked("2", "3", edition="first") == [fault]
    assert asked("2", edition="first") == []
    assert asked("2", "3", edition="second") == []


def test_specialists_who_join_behind_each_other_cannot_be_had() -> None:
    """To 4 comes who has the Medic, and the Hero joins there; to 5 who has the Hero, and the Medic joins there."""
    four = Sector((4,), joins=Joins("hero", only=True), requires=("medic",))
    five = Sector((4,), joins=Joins("medic", only=True), requires=("hero",))
    assert told(board("first", s4=four, s5=five)) == [
        "sectors.4.joins: nobody comes here without 'hero', and he joins nowhere else",
        "sectors.5.joins: nobody comes here without 'medic', and he joins nowhere else",
    ]
    assert told(board("first", s4=four, s5=replace(five, requires=()))) == []


def test_explosives_for_a_door_lie_before_it() -> None:
    """One icon more than all cards have that can be had anywhere; a card with another lies in one Sector."""
    cards = library().cards["second"]
    having = sum(card.explosive for card in cards.values() if card.is_specialist or card.kind == "regular-item")
    charge = next(card for card in cards.values() if card.kind == "special-item" and card.explosive)
    doors = Sector((4,), door=Door(having + 1))

    def behind(**sectors: Sector) -> list[str]:
        return told(replace(board(**sectors), cards=CardLists()))

    lying = Sector((4,), items=(charge.id,))
    fault = f"all cards that can be had before it together have {having} explosive icons"
    assert behind(s2=doors, s3=doors, s4=lying) == [f"sectors.2.door: {fault}", f"sectors.3.door: {fault}"]
    assert behind(s2=doors, s3=Sector((4,)), s4=lying) == []
    assert behind(s4=doors, s2=lying) == []


def test_a_specialist_whom_a_unit_starts_with_may_be_required_everywhere() -> None:
    one = hero("2", "3")
    assert told(replace(one, sectors={**one.sectors, "1": Sector((2,), start=Start(4, specialists=("hero",)))})) == []


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
