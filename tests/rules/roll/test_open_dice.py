"""Nothing is hidden while dice are rolled."""

from __future__ import annotations

from typing import Any

import pytest

from beachhead.core.node import Answer, Ask
from beachhead.landing.game import MACHINE
from beachhead.landing.position import Position, UnitAt, position
from beachhead.landing.world import Setup, world_of


@pytest.mark.rule("F-ROLL-08", "S-ROLL-06")
@pytest.mark.parametrize("edition", ["first", "second"])
def test_everybody_sees_all_dice_and_which_are_locked(edition: str) -> None:
    g = position(world_of(Setup(edition, seats=2)), Position((UnitAt(), UnitAt())))
    MACHINE.start(g)
    MACHINE.apply(g, (0, 1, 2, 3, 4, 5))
    MACHINE.apply(g, (5, 4, 3, 2, 1, 0))
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    MACHINE.apply(g, Answer(0, node.decision(0).seq, "lock:R1,W1"))
    for seat in (0, 1, None):
        units: Any = MACHINE.view(g, seat)["units"]
        assert [unit["faces"] for unit in units] == [(0, 1, 2, 3, 4, 5), (5, 4, 3, 2, 1, 0)]
        assert [unit["locked"] for unit in units] == [0b000101, 0]
