"""What the sources say about the maps of the first edition, kept as tests: whatever is rebuilt may change, but never
against one of these.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from beachhead.content.library import library
from beachhead.content.schema import Map, Sector
from beachhead.core.chance import sample, seed_from
from beachhead.core.errors import SetupError
from beachhead.core.node import Answer, Ask, Roll
from beachhead.landing.game import MACHINE, new
from beachhead.landing.state import Landing
from beachhead.landing.world import Setup, world_of

MAPS = library().maps["first"]
BEACHES = [id for id in MAPS if id != "operation-deadstick"]
REBUILT = BEACHES[1:]


def board(id: str) -> Map:
    return MAPS[id]


def sector(id: str, name: str) -> Sector:
    return MAPS[id].sectors[name]


def having(id: str, attribute: str) -> set[str]:
    """The Sectors of a map where an attribute is not as in a plain Sector."""
    plain = Sector((1,))
    return {name for name, one in MAPS[id].sectors.items() if getattr(one, attribute) != getattr(plain, attribute)}


def towards(id: str, to: str) -> set[str]:
    """Sectors from which one comes into this one."""
    edges = MAPS[id].edges
    found = {a for a, b in (*edges.forward, *edges.retreat) if b == to}
    return found | {other for line in edges.lateral if to in line for other in line if other != to}


def out_of(id: str, start: str) -> set[str]:
    edges = MAPS[id].edges
    found = {b for a, b in (*edges.forward, *edges.retreat) if a == start}
    return found | {other for line in edges.lateral if start in line for other in line if other != start}


# ---------------------------------------------------------------------- cards

LISTS = {
    "n01-exercise-tiger": (
        "beachmaster corporal medic minesweeper scout sharpshooter veteran",
        "captain engineer lieutenant messenger general",
        "bazooka dispatch-case flak-vest lucky-charm strategic-map toolkit",
    ),
    "n02-omaha": (
        "corporal hero medic minesweeper scout sharpshooter veteran",
        "captain combat-photographer decoy lieutenant messenger",
        "command-jacket dispatch-case flak-vest lucky-charm mortar strategic-map",
    ),
    "n03-utah": (
        "beachmaster chaplain corporal hero minesweeper scout sharpshooter",
        "captain decoy general lieutenant",
        "ammo-box dispatch-case lucky-charm pocket-bible rangefinder",
    ),
    "n04-gold": (
        "beachmaster corporal medic minesweeper platoon-leader sharpshooter veteran",
        "captain engineer lieutenant quartermaster messenger",
        "bazooka dexedrine flak-vest gammon-bomb lucky-charm pocket-bible",
    ),
    "n05-juno": (
        "beachmaster corporal medic minesweeper platoon-leader scout veteran",
        "captain combat-photographer lieutenant quartermaster war-correspondent",
        "lucky-charm dexedrine gammon-bomb rangefinder signalling-lamp toolkit",
    ),
    "n06-sword": (
        "chaplain corporal hero point-man minesweeper scout veteran",
        "captain lieutenant marksman messenger quartermaster",
        "ammo-box dispatch-case lucky-charm pocket-bible rangefinder toolkit",
    ),
    "n07-pointe-du-hoc": (
        "corporal hero medic platoon-leader point-man sharpshooter veteran",
        "captain lieutenant marksman quartermaster war-correspondent",
        "ammo-box command-jacket dispatch-case grappling-hook rangefinder rope-ladder",
    ),
    "n08-merville": (
        "corporal hero medic minesweeper paratrooper pathfinder sharpshooter",
        "captain grenadier lieutenant marksman quartermaster",
        "flak-vest mortar strategic-map wirecutters",
    ),
}
LYING = {
    "n03-utah": {"shoulder-patch", "flame-thrower"},
    "n05-juno": {"flame-thrower"},
    "n06-sword": {"lieutenant"},
    "n08-merville": {"medal-case", "dexedrine"},
}


@pytest.mark.rule("F-MAP-N02-01", "F-MAP-N03-01", "F-MAP-N04-01", "F-MAP-N05-01")
@pytest.mark.rule("F-MAP-N06-01", "F-MAP-N07-01", "F-MAP-N08-01", "F-SETUP-04", "F-SETUP-05", "F-SETUP-06")
@pytest.mark.parametrize("id", LISTS)
def test_the_cards_of_a_map_are_those_of_its_list(id: str) -> None:
    g, _ = new(world_of(Setup("first", id, seats=4)))
    kinds = {card.id: card.kind for card in g.world.cards.values()}
    regular, unique, special = (set(names.split()) for names in LISTS[id])
    apart = LYING.get(id, set())
    assert all(set(unit.hand) == regular for unit in g.units)
    assert {card for card in g.pool if kinds[card] == "unique-specialist"} == unique - apart
    assert {card for card in g.pool if kinds[card] == "special-item"} == special - apart
    all_regular = {card for card, kind in kinds.items() if kind == "regular-item"}
    assert {card for card in g.pool if kinds[card] == "regular-item"} == all_regular - apart
    assert set(g.lying) == apart
    assert not any(kinds[card] == "vehicle" for card in g.pool)


@pytest.mark.rule("F-MAP-N08-09", "F-OPT-SOLITAIRE-04")
def test_alone_on_merville_the_lamp_lies_in_sector_9_and_the_dexedrine_is_gone() -> None:
    g, _ = new(world_of(Setup("first", "n08-merville", seats=1)))
    assert set(g.lying) == {"medal-case", "signalling-lamp"}
    assert "dexedrine" not in (*g.pool, *g.box, *g.used)


# ---------------------------------------------------------------------- starts


def started(id: str, start: str) -> Landing:
    g, _ = new(world_of(Setup("first", id, seats=1)))
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    MACHINE.apply(g, Answer(0, node.decision(0).seq, f"start:{start}"))
    return g


@pytest.mark.rule("F-MAP-N03-02", "F-MAP-N07-02", "F-MAP-N08-02", "F-SETUP-03", "F-SETUP-09")
@pytest.mark.parametrize(
    ("id", "held", "cards"),
    [
        ("n03-utah", (0, 0, 0, 0), ("corporal",)),
        ("n07-pointe-du-hoc", (1, 0, 3, 0), ()),
        ("n08-merville", (1, 2, 0, 0), ()),
    ],
)
def test_what_a_unit_that_starts_in_sector_2_has(id: str, held: tuple[int, ...], cards: tuple[str, ...]) -> None:
    unit = started(id, "2").units[0]
    assert (unit.soldiers, unit.stars, unit.courage, unit.points) == held
    assert unit.specialists == cards
    assert unit.sector == "2"
    assert not set(cards) & set(unit.hand)


@pytest.mark.parametrize("id", ["n03-utah", "n07-pointe-du-hoc", "n08-merville"])
def test_another_start_has_soldiers(id: str) -> None:
    others = [one.start for name, one in board(id).sectors.items() if one.start and name != "2"]
    assert others
    assert all(start.soldiers > 0 for start in others)


@pytest.mark.rule("F-SECT-09")
@pytest.mark.parametrize("id", BEACHES)
def test_starts_lie_in_the_lowest_row_and_sector_1_is_one(id: str) -> None:
    starts = having(id, "start")
    assert "1" in starts
    assert starts <= set(board(id).rows[0].sectors)


# ---------------------------------------------------------------------- every map


@pytest.mark.parametrize("id", BEACHES)
def test_every_sector_can_be_reached_and_every_one_but_a_bunker_has_a_way_out(id: str) -> None:
    found, todo = set(), [*having(id, "start")]
    while todo:
        here = todo.pop()
        if here not in found:
            found.add(here)
            todo += out_of(id, here)
    assert found == set(board(id).sectors)
    bunkers = having(id, "bunker")
    for name in set(board(id).sectors) - bunkers:
        assert any(line[0] == name for line in board(id).edges.forward) or out_of(id, name) & bunkers, name


@pytest.mark.parametrize("id", BEACHES)
def test_sectors_are_numbered_from_bottom_to_top_and_from_left_to_right(id: str) -> None:
    numbers = [int(name) for row in board(id).rows for name in row.sectors if name.isdigit()]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= 9


@pytest.mark.rule("F-ADV-02", "F-ADV-03")
@pytest.mark.parametrize("id", BEACHES)
def test_every_line_has_a_price_in_courage(id: str) -> None:
    first, *others = board(id).rows
    assert first.courage == 0
    assert all(row.courage > 0 for row in others)


@pytest.mark.parametrize("id", BEACHES)
def test_requirements_name_only_specialists_of_the_maps_list(id: str) -> None:
    lists = board(id).cards
    listed = {*lists.specialists_regular, *lists.specialists_unique}
    for one in board(id).sectors.values():
        assert set(one.requires) <= listed
        assert one.sacrifice in ("", "any", *listed)
        assert one.joins is None or one.joins.specialist in listed


@pytest.mark.parametrize("id", BEACHES)
def test_higher_rows_are_deadlier_and_the_bunker_is_the_worst(id: str) -> None:
    """By what a Unit loses on average in its first combat there; a row is measured by its worst Sector."""
    sectors = board(id).sectors

    def loss(name: str) -> float:
        return sectors[name].defence[0] + 3.5 * sectors[name].mgf

    worst = [max(loss(name) for name in row.sectors) for row in board(id).rows]
    assert worst[-1] == max(worst)
    assert worst[0] == min(worst)
    first, last = worst[1], worst[-2]
    assert first < last


@pytest.mark.parametrize("id", BEACHES)
def test_several_def_values_rise(id: str) -> None:
    for one in board(id).sectors.values():
        assert all(a < b for a, b in pairwise(one.defence))


def test_some_sector_gives_a_tool_each_turn() -> None:
    assert all(any(one.bonus.get("tool") for one in board(id).sectors.values()) for id in BEACHES)


@pytest.mark.parametrize("id", REBUILT)
def test_a_minesweeper_on_the_list_means_mines_and_none_means_none(id: str) -> None:
    assert bool(board(id).edges.landmines) == ("minesweeper" in board(id).cards.specialists_regular)


@pytest.mark.parametrize("id", BEACHES)
def test_beaches_have_water_at_the_bottom_and_the_battery_has_none(id: str) -> None:
    ground = {board(id).sectors[name].drawing.terrain for name in board(id).rows[0].sectors}
    assert ground == ({"grass"} if id == "n08-merville" else {"sea"})


# ---------------------------------------------------------------------- Omaha


@pytest.mark.rule("F-MAP-N02-02", "F-MAP-N02-03", "F-MAP-N02-04")
def test_omaha() -> None:
    id = "n02-omaha"
    assert len(board(id).sectors) == 10
    assert board(id).rows[-2].sectors == ("9",)
    assert towards(id, "B") == {"9"}
    assert board(id).rows[-3].sectors == ("7", "8")
    assert towards(id, "9") == {"7", "8"}
    assert sector(id, "8").defence == (10,)
    assert sector(id, "8").requires
    assert sector(id, "9").requires
    assert having(id, "max_units") == {"8"}
    assert sector(id, "8").max_units == 1
    assert having(id, "find_items") == {"7"}
    assert having(id, "special_damage") == {"5"}
    damage = sector(id, "5").special_damage
    assert damage is not None
    assert (damage.specialists, damage.courage) == (1, 0)
    assert sector(id, "5").mgf


@pytest.mark.rule("F-MAP-N02-05")
def test_omahas_bomb_blasts_are_decoration() -> None:
    drawn = {name for name, one in board("n02-omaha").sectors.items() if one.drawing.blast}
    assert drawn == {"3", "7", "9"}
    assert not any(one.drawing.blast for id in BEACHES if id != "n02-omaha" for one in board(id).sectors.values())


# ---------------------------------------------------------------------- Utah


@pytest.mark.rule("F-MAP-N03-03", "F-MAP-N03-04", "F-MAP-N03-05", "F-MAP-N03-06")
def test_utah() -> None:
    id = "n03-utah"
    assert {str(n) for n in range(1, 15)} | {"B"} <= set(board(id).sectors)
    assert having(id, "special_damage") == {"6", "13", "14"}
    for name in ("6", "13", "14"):
        damage = sector(id, name).special_damage
        assert damage is not None
        assert (damage.courage, damage.specialists) == (1, 0)
        assert sector(id, name).mgf
    assert having(id, "reroll_skulls") == {"6"}
    assert {name: board(id).sectors[name].items for name in having(id, "items")} == {
        "10": ("shoulder-patch",),
        "12": ("flame-thrower",),
    }
    kind = sector(id, "11").of_a_kind
    assert kind is not None
    assert (kind.at_least, kind.soldiers) == (4, 5)
    assert not having(id, "locked_dice")


# ---------------------------------------------------------------------- Gold


@pytest.mark.rule("F-MAP-N04-02", "F-MAP-N04-03", "F-MAP-N04-04")
def test_gold() -> None:
    id = "n04-gold"
    bunkers = having(id, "bunker")
    assert len(bunkers) == 2
    assert board(id).conquer == "each"
    *_, below, top = (row.sectors for row in board(id).rows)
    assert bunkers < set(top)
    between = set(top) - bunkers
    assert between
    assert any(bunkers <= towards(id, name) and bunkers <= out_of(id, name) for name in between)
    assert set(below) == {"9", "10"}
    assert {name: out_of(id, name) & bunkers for name in below} == {"9": {top[0]}, "10": {top[-1]}}
    assert "11" in top
    assert having(id, "award") == {"8"}
    assert sector(id, "8").award == "choice"


# ---------------------------------------------------------------------- Juno


@pytest.mark.rule("F-MAP-N05-02", "F-MAP-N05-04", "F-MAP-N05-05", "F-MAP-N05-06", "F-MAP-N05-07", "F-MAP-N05-08")
def test_juno() -> None:
    id = "n05-juno"
    assert {str(n) for n in range(1, 14)} | {"B"} <= set(board(id).sectors)
    assert having(id, "joins") == {"4", "9"}
    joins = sector(id, "9").joins
    assert joins is not None
    assert joins.specialist == "beachmaster"
    assert any(line[1] == "9" for line in board(id).edges.forward)
    assert {name: board(id).sectors[name].vehicles for name in having(id, "vehicles")} == {"5": ("tank",)}
    assert library().cards["first"]["tank"].cost == 20
    assert having(id, "locked_dice") == {"7"}
    assert (sector(id, "7").locked_dice or 0) >= 3
    assert sector(id, "8").penalty == {"star": 3}
    kind = sector(id, "11").of_a_kind
    assert kind is not None
    assert (kind.at_least, kind.soldiers) == (4, -3)
    assert sector(id, "13").items == ("flame-thrower",)
    assert "13" in towards(id, "B")


def test_on_juno_the_tank_has_a_way_to_the_last_row_without_mines() -> None:
    edges = board("n05-juno").edges
    mined = {frozenset(line) for line in edges.landmines}
    found, todo = set(), ["5"]
    while todo:
        here = todo.pop()
        found.add(here)
        todo += [b for a, b in edges.forward if a == here and frozenset((a, b)) not in mined]
    assert found & set(board("n05-juno").rows[-2].sectors)
    assert mined


# ---------------------------------------------------------------------- Sword


def test_on_juno_mines_lie_on_ways_that_lead_on_from_the_tank() -> None:
    reached: set[str] = set()
    todo = ["5"]
    while todo:
        here = todo.pop()
        if here not in reached:
            reached.add(here)
            todo += out_of("n05-juno", here)
    assert any(set(line) <= reached for line in board("n05-juno").edges.landmines)


@pytest.mark.rule("F-MAP-N06-05", "F-MAP-N06-06", "F-MAP-N06-07")
@pytest.mark.parametrize("name", ["6", "7", "11"])
def test_what_a_die_decides_in_a_sector_of_sword_is_all_there_is_but_its_def(name: str) -> None:
    one = sector("n06-sword", name)
    assert one == Sector(
        one.defence, random=one.random, text=one.text, drawing=one.drawing, reconstructed=one.reconstructed
    )


@pytest.mark.rule("F-MAP-N06-02", "F-MAP-N06-03", "F-MAP-N06-04", "F-MAP-N06-08")
def test_sword() -> None:
    id = "n06-sword"
    assert {str(n) for n in range(1, 16)} | {"B"} <= set(board(id).sectors)
    assert sector(id, "4").bonus == {"skull": 1}
    assert sector(id, "4").bonus_colour == "none"
    joins = sector(id, "5").joins
    assert joins is not None
    assert (joins.specialist, joins.who, joins.only) == ("lieutenant", "first", True)
    assert having(id, "random") == {"6", "7", "11"}
    assert having(id, "award") == {"15"}
    assert sector(id, "15").award == "random"
    assert not having(id, "vehicles")
    assert not having(id, "battle_cry")
    assert len(having(id, "bunker")) == 1


@pytest.mark.rule("F-MAP-N06-05", "F-MAP-N06-06", "F-MAP-N06-07", "F-MAP-N06-01")
def test_the_three_tables_of_sword_in_their_order() -> None:
    found = {name: [line.name for line in sector("n06-sword", name).random] for name in ("6", "7", "11")}
    assert found == {
        "6": ["Mortar Fire", "Minefield", "Foxholes", "Shelter", "Half-Track", "Fields of Glory"],
        "7": ["Artillery Barrage", "Dead Troopers", "Snipers", "Trench", "Bulldozer", "High Ground"],
        "11": ["Booby Traps", "Crossfire", "Ambush", "Artillery Barrage", "Armored Car", "Rallying Point"],
    }
    assert [sector("n06-sword", name).random[4].vehicles for name in ("6", "7")] == [("half-track",), ("bulldozer",)]
    assert sector("n06-sword", "11").random[4].items == ("armored-car",)


# ---------------------------------------------------------------------- Pointe-du-Hoc


@pytest.mark.rule("F-MAP-N07-03", "F-MAP-N07-04", "F-MAP-N07-05")
def test_pointe_du_hoc() -> None:
    id = "n07-pointe-du-hoc"
    assert having(id, "find_items") == {"4"}
    assert having(id, "climb") == {"9", "10"}
    for name in ("9", "10"):
        climb = sector(id, name).climb
        assert climb is not None
        assert climb.skulls == 4
        assert sector(id, name).locked_dice == 0
        assert "7" in towards(id, name)
        assert towards(id, name) - {"7"}
        assert set(out_of(id, name)) - {"7"}
    assert set(board(id).edges.retreat) == {("9", "7"), ("10", "7")}
    rows = [row.sectors for row in board(id).rows]
    row_of = {name: n for n, row in enumerate(rows) for name in row}
    assert row_of["9"] == row_of["10"] == row_of["7"] + 1
    assert {"grappling-hook", "rope-ladder"} <= set(board(id).cards.items_special)


# ---------------------------------------------------------------------- Merville


@pytest.mark.rule("F-MAP-N08-03", "F-MAP-N08-04", "F-MAP-N08-05", "F-MAP-N08-06", "F-MAP-N08-07", "F-MAP-N08-08")
def test_merville() -> None:
    id = "n08-merville"
    assert {str(n) for n in range(1, 14)} | {"B"} <= set(board(id).sectors)
    assert having(id, "locked_dice") == {"4", "12"}
    assert all((sector(id, name).locked_dice or 0) >= 3 for name in ("4", "12"))
    barred = {frozenset(line) for line in board(id).edges.barriers}
    for name in ("6", "9"):
        assert all(frozenset((name, other)) in barred for other in towards(id, name))
        assert any(frozenset((name, other)) not in barred for other in out_of(id, name))
    assert sector(id, "6").items == ("medal-case",)
    assert sector(id, "9").items == ("dexedrine",)
    assert sector(id, "9").items_alone == ("signalling-lamp",)
    assert having(id, "def_fixed") == {"11"}
    assert having(id, "stay") == {"13"}
    assert "13" in towards(id, "B")
    assert having(id, "entry") == {"B"}
    assert sector(id, "B").entry == "battle-cry"


# ---------------------------------------------------------------------- Operation Deadstick


def deadstick(seats: int, *starts: str, options: tuple[str, ...] = ()) -> Landing:
    g, _ = new(world_of(Setup("first", "operation-deadstick", seats=seats, options=options)))
    for seat, start in enumerate(starts):
        MACHINE.apply(g, Answer(seat, g.asked[seat], f"start:{start}"))
    return g


@pytest.mark.rule("F-OPT-DEADSTICK-01")
def test_deadstick_is_for_two_players_or_more() -> None:
    with pytest.raises(SetupError, match=r"this map needs 2 or more \(F-OPT-DEADSTICK-01\)"):
        world_of(Setup("first", "operation-deadstick", seats=1))
    assert [len(deadstick(seats).units) for seats in (2, 3, 4)] == [2, 3, 4]


@pytest.mark.rule("F-OPT-DEADSTICK-01")
def test_deadstick_needs_a_unit_on_each_board() -> None:
    g = deadstick(3, "S1", "S2")
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    assert node.decision(2).keys == ("start:M1", "start:M2")
    assert {reason.rule for reasons in MACHINE.refusals(g, 2).values() for reason in reasons} == {"F-OPT-DEADSTICK-01"}
    g = deadstick(3, "S1")
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    assert [len(node.decision(seat).keys) for seat in (1, 2)] == [4, 4]


@pytest.mark.rule("F-OPT-DEADSTICK-01")
def test_the_board_on_which_a_unit_starts_gives_it_its_regular_specialists() -> None:
    g = deadstick(2, "S2", "M1")
    assert set(g.units[0].hand) == set(LISTS["n06-sword"][0].split())
    assert set(g.units[1].hand) == set(LISTS["n08-merville"][0].split())


@pytest.mark.rule("F-OPT-DEADSTICK-02")
def test_deadstick_has_the_cards_of_both_boards_in_one_pool_with_two_items_more() -> None:
    g = deadstick(4, "S1", "S1", "M1", "M1")
    (_, unique1, special1), (_, unique2, special2) = LISTS["n06-sword"], LISTS["n08-merville"]
    kinds = {card.id: card.kind for card in g.world.cards.values()}
    unique = {*unique1.split(), *unique2.split()} - {"lieutenant"}
    special = {*special1.split(), *special2.split(), "bazooka", "gammon-bomb"} - {"dexedrine", "medal-case"}
    assert {card for card in g.pool if kinds[card] == "unique-specialist"} == unique
    assert {card for card in g.pool if kinds[card] == "special-item"} == special
    assert set(g.lying) == {"lieutenant", "medal-case", "dexedrine"}
    assert Counter(g.pool).most_common(1)[0][1] == 1


@pytest.mark.rule("F-OPT-DEADSTICK-08")
def test_a_lone_unit_on_merville_has_the_lamp_in_sector_9() -> None:
    assert set(deadstick(3, "S1", "S1", "M2").lying) == {"lieutenant", "medal-case", "signalling-lamp"}
    assert set(deadstick(3, "S1", "M1", "M2").lying) == {"lieutenant", "medal-case", "dexedrine"}


@pytest.mark.rule("F-OPT-DEADSTICK-08", "F-OPT-WHIM-01")
def test_the_lamp_of_a_lone_unit_on_merville_is_not_drawn_by_the_quartermaster() -> None:
    """It lies in Sector 9 before he draws two Special Items for each player from those that lie nowhere."""
    for dice in range(12):
        g = deadstick(2, "S1", "M2", options=("quartermasters-whim",))
        while isinstance(roll := MACHINE.node(g), Roll):
            MACHINE.apply(g, sample(seed_from(f"whim {dice}"), roll))
        assert "signalling-lamp" in g.lying
        assert sum(g.world.cards[card].kind == "special-item" for card in g.pool) == 4


@pytest.mark.rule("F-OPT-DEADSTICK-05", "F-OPT-DEADSTICK-06")
def test_the_top_rows_and_the_bunkers_of_deadstick_touch() -> None:
    ways = world_of(Setup("first", "operation-deadstick", seats=2)).ways
    across = {(start, way.to) for start, some in ways.items() for way in some if start[0] != way.to[0]}
    top = {"S14": "M13", "S15": "M12", "SB": "MB"}
    assert across == {*top.items(), *((b, a) for a, b in top.items())}
    assert {way.courage for some in ways.values() for way in some if way.to in ("M12", "M13")} >= {3}
    assert next(way.courage for way in ways["M13"] if way.to == "S14") == 3
    assert next(way.courage for way in ways["MB"] if way.to == "SB") == 4


# ---------------------------------------------------------------------- what is printed and what is rebuilt

PRINTED = {
    "n02-omaha": {"5": {"mgf", "special_damage"}, "7": {"find_items"}, "8": {"def", "max_units"}},
    "n03-utah": {
        "2": {"start"},
        "6": {"mgf", "special_damage", "reroll_skulls"},
        "10": {"items"},
        "11": {"of_a_kind"},
        "12": {"items"},
        "13": {"mgf", "special_damage"},
        "14": {"special_damage"},
    },
    "n04-gold": {"8": {"award"}},
    "n05-juno": {
        "5": {"vehicles"},
        "8": {"penalty"},
        "9": {"joins"},
        "11": {"of_a_kind"},
        "13": {"items"},
    },
    "n06-sword": {"4": {"bonus"}, "5": {"joins"}, "6": {"random"}, "7": {"random"}, "11": {"random"}, "15": {"award"}},
    "n07-pointe-du-hoc": {
        "2": {"start"},
        "4": {"find_items"},
        "9": {"climb", "locked_dice"},
        "10": {"climb", "locked_dice"},
    },
    "n08-merville": {
        "2": {"start"},
        "6": {"items"},
        "9": {"items", "items_alone"},
        "11": {"def_fixed"},
        "13": {"stay"},
        "B": {"entry"},
    },
}
"""What the books print of the rebuilt maps; all else there is ours."""


@pytest.mark.parametrize("id", REBUILT)
def test_every_value_of_a_rebuilt_map_says_whether_it_is_printed(id: str) -> None:
    plain = Sector(())
    aside = {"text", "drawing", "reconstructed", "bunker"}
    assert board(id).basis == "reconstructed"
    for name, one in board(id).sectors.items():
        told = {
            "def" if key == "defence" else key
            for key in (field for field in one.__dataclass_fields__ if field not in aside)
            if getattr(one, key) != getattr(plain, key)
        }
        assert told - set(one.reconstructed) == PRINTED[id].get(name, set()), name
        assert set(one.reconstructed) <= told, name
