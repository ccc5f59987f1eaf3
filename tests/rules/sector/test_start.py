"""Where a landing begins, and with what."""

from __future__ import annotations

import pytest

from beachhead.landing.game import new
from beachhead.landing.world import Setup, world_of


@pytest.mark.rule("F-SECT-09", "S-SECT-03")
@pytest.mark.parametrize("edition", ["first", "second"])
def test_units_begin_in_the_starting_sector_with_what_it_shows(edition: str) -> None:
    landing, _ = new(world_of(Setup(edition, seats=2)))
    for unit in landing.units:
        assert (unit.sector, unit.visited) == ("1", ("1",))
        assert (unit.soldiers, unit.stars, unit.courage, unit.points) == (4, 0, 0, 0)
