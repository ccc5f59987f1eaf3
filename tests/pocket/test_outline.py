"""Which dice match which Axis dice, for those who draw it."""

from __future__ import annotations

from random import Random

import pytest

from beachhead.landing.dice import COURAGE, SKULL, SOLDIER1, STAR, TOOL
from beachhead.pocket import battle, express
from beachhead.pocket.dice import enough
from beachhead.pocket.outline import ADDED, pairing
from beachhead.pocket.position import ExpressAt, express_at
from beachhead.pocket.world import world_of


def squad(sector: int, beach: str = "utah", **setup: object) -> express.Express:
    g = express_at(world_of("express", {"beach": beach, **setup}), ExpressAt(sector))
    express.MACHINE.start(g)
    return g


def test_each_axis_die_has_a_die_of_its_own() -> None:
    g = battle.blank(world_of("battle", {}))
    g.axis, g.faces = (STAR, STAR, TOOL), (STAR, TOOL, TOOL, SKULL, COURAGE, SOLDIER1)
    found = pairing(g, 0)
    assert found.matched == (("R1",), (), ("R2",))
    assert found.missing == (STAR,)


@pytest.mark.rule("K-EXPRESS-02")
def test_the_kommandant_needs_two_dice_beside_those_for_gray_ones() -> None:
    g = squad(6, options=["kommandant"])
    g.axis, g.black = (SKULL, STAR), SKULL
    g.soldiers[0].faces = (SKULL, SKULL, SKULL, STAR, TOOL, TOOL)
    assert pairing(g, 0).matched == (("R1",), ("W2",), ("R2", "W1"))
    lenient = squad(6, options=["kommandant"], switches={"kommandant": "lenient"})
    lenient.axis, lenient.black = (SKULL, STAR), SKULL
    assert pairing(lenient, 0).needs == (1, 1, 1)
    lenient.axis = (STAR,)
    assert pairing(lenient, 0).needs == (1, 2)


def test_sectors_that_ask_for_more_and_results_beside_the_dice() -> None:
    g = squad(3, "pointe-du-hoc", options=["advanced"])
    g.axis = (SKULL, STAR)
    g.soldiers[0].faces = (SKULL, SKULL, STAR, TOOL, TOOL, TOOL)
    assert pairing(g, 0) == ((SKULL, STAR), (("R1", "R2"), ("W1",)), (2, 1))
    g = squad(2, "pointe-du-hoc", options=["advanced"])
    g.axis, g.soldiers[0].added = (SOLDIER1, STAR), (SOLDIER1,)
    g.soldiers[0].faces = (SKULL, SKULL, STAR, STAR, TOOL, TOOL)
    assert pairing(g, 0).matched == ((ADDED,), ())


@pytest.mark.parametrize("beach", ["gold", "juno", "omaha", "pointe-du-hoc", "sword"])
def test_nothing_is_missing_exactly_when_the_tally_matches(beach: str) -> None:
    random = Random(beach)
    for _ in range(400):
        g = squad(random.randint(1, 6), beach, options=["advanced"])
        g.axis = tuple(random.choices(range(3), k=random.randint(1, 3)))
        g.black = random.choice((-1, 0, 1))
        g.soldiers[0].faces = tuple(random.choices(range(3), k=6))
        matches = enough(express.results(g, 0), express.needed(g))
        assert matches == (not pairing(g, 0).missing)
