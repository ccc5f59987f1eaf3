"""Who falls for a Land Mine on the way into a Sector that asks for a Specialist."""

from __future__ import annotations

from beachhead.landing.combat import commit_losses
from beachhead.landing.game import new
from beachhead.landing.world import Setup, world_of


def test_a_specialist_who_counts_as_six_falls_though_the_sector_asks_for_him() -> None:
    """Nobody else can fall: three casualties, one Soldier, and the Paratrooper alone stands for the rest."""
    g, _ = new(world_of(Setup("first")))
    unit = g.units[0]
    unit.soldiers, unit.specialists = 1, ("paratrooper",)
    g.lanes[0] = [("give-up", "any", "F-SECT-05")]
    commit_losses(g, 0, ("losses", 0, (3, "mine"), "", "F-SECT-05"))
    assert (unit.soldiers, unit.specialists, unit.dead) == (1, (), ("paratrooper",))


def test_where_another_can_fall_the_one_who_is_asked_for_is_left() -> None:
    g, _ = new(world_of(Setup("first")))
    g.units[0].soldiers, g.units[0].specialists = 1, ("medic", "paratrooper")
    g.lanes[0] = [("give-up", "medic", "F-SECT-05")]
    commit_losses(g, 0, ("losses", 0, (2, "mine"), "", "F-SECT-05"))
    assert g.units[0].specialists == ("medic",)
