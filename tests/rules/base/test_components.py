"""What every player and the table have at the start of the first edition."""

from __future__ import annotations

from dataclasses import replace

import pytest

from beachhead.content.library import library
from beachhead.core.errors import SetupError
from beachhead.core.node import Roll
from beachhead.landing.game import MACHINE, new
from beachhead.landing.state import MARKERS
from beachhead.landing.world import Setup, build, world_of


@pytest.mark.rule("F-COMP-01", "F-SETUP-01")
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_each_player_has_13_regular_specialists_a_marker_of_six_faces_and_two_dice_of_each_colour(seats: int) -> None:
    g, _ = new(world_of(Setup("first", seats=seats, options=("bazooka-joe", "bazooka-joe-specialists"))))
    assert len(g.units) == seats
    assert len(MARKERS[1:]) == 6
    for seat, unit in enumerate(g.units):
        assert len(unit.hand) == len(set(unit.hand)) == 13
        assert {g.world.cards[card].kind for card in unit.hand} == {"regular-specialist"}
        assert MARKERS[unit.marker] == "1 chevron"
        node = MACHINE.node(g)
        assert isinstance(node, Roll)
        assert (node.stream, node.groups) == (f"dice:{seat}", (2, 2, 2))
        MACHINE.apply(g, (1,) * 6)


@pytest.mark.rule("F-COMP-01")
@pytest.mark.parametrize("seats", [0, 5])
def test_nobody_and_five_players_are_refused(seats: int) -> None:
    with pytest.raises(SetupError, match="expected 1 to 4"):
        world_of(Setup("first", seats=seats))


@pytest.mark.rule("F-SETUP-02")
@pytest.mark.parametrize("map_id", library().maps["first"])
def test_any_map_may_be_chosen_and_is_the_only_one_on_the_table(map_id: str) -> None:
    g, _ = new(world_of(Setup("first", map_id, seats=2)))
    assert g.world.map.id == map_id
    for unit in g.units:
        assert g.world.map.sectors[unit.sector].start is not None


@pytest.mark.rule("F-SETUP-08")
@pytest.mark.parametrize("printed", [(1, 2, 3, 4), (5, 0, 0, 0), (1, 2, 0, 0), (1, 0, 3, 0)])
def test_all_that_is_printed_at_the_start_is_recorded_and_the_rest_is_0(printed: tuple[int, ...]) -> None:
    tiger = library().maps["first"]["n01-exercise-tiger"]
    beach = tiger.sectors["1"]
    assert beach.start is not None
    soldiers, stars, courage, points = printed
    start = replace(beach.start, soldiers=soldiers, stars=stars, courage=courage, points=points)
    board = replace(tiger, sectors={**tiger.sectors, "1": replace(beach, start=start)})
    g, _ = new(build(Setup("first", seats=2), library(), board))
    for unit in g.units:
        assert (unit.sector, unit.soldiers, unit.stars, unit.courage, unit.points) == ("1", *printed)
