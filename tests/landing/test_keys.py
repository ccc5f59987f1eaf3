"""What is found by a short way is what the long way finds."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from beachhead.bots import bot
from beachhead.content.library import library
from beachhead.content.schema import Ability, Card, FreeMove, Gain
from beachhead.core.chance import sample, seed_from
from beachhead.core.node import Answer, Ask, Over, Roll
from beachhead.landing.cards import holder, open_windows, usable, why_not
from beachhead.landing.game import MACHINE, QUESTIONS, new
from beachhead.landing.move import _open_ways, move_reasons
from beachhead.landing.state import Landing
from beachhead.landing.world import Setup, build, world_of

GAMES = [
    Setup("first"),
    Setup("second"),
    Setup("first", seats=3),
    Setup("second", seats=2),
    Setup("first", "n07-pointe-du-hoc", seats=2),
    Setup("second", "n11-carentan-causeway", seats=2),
]


@pytest.mark.parametrize("setup", GAMES, ids=str)
def test_every_question_has_the_keys_that_the_state_gives_it(setup: Setup) -> None:
    """Also where a step has worked them out before it put the question."""
    answer, handed = bot("thumb").answer, 0
    for seed in range(2):
        g, _ = new(world_of(setup))
        rng, dice = Random(seed), seed_from(str(seed))
        while not isinstance(node := MACHINE.node(g), Over):
            if isinstance(node, Roll):
                MACHINE.apply(g, sample(dice, node), True)
                continue
            assert isinstance(node, Ask)
            for decision in node.decisions:
                frame = g.lanes[decision.seat][-1]
                assert decision.keys == QUESTIONS[frame[0]].keys(g, decision.seat, frame), frame
                handed += decision.keys is g.ready[2]
                check_uses(g, decision.seat)
                check_ways(g, decision.seat)
            decision = rng.choice(node.decisions)
            key = answer(decision, partial(MACHINE.view, g, decision.seat), rng)
            MACHINE.apply(g, Answer(decision.seat, decision.seq, key), True)
    assert handed


def check_uses(g: Landing, seat: int) -> None:
    world = g.world
    for window, actions in world.actions.items():
        found = usable(g, seat, window)
        for card, number in actions.items():
            held = holder(g, seat, card) is not None
            free = held and not why_not(g, seat, card, world.cards[card].abilities[number])
            assert (card in found) == free, (window, card)


def check_ways(g: Landing, seat: int) -> None:
    open_ = [way.key for way in g.world.ways[g.units[seat].sector] if not move_reasons(g, seat, way)]
    assert _open_ways(g, seat) == open_


def test_a_window_after_the_move_leaves_out_what_it_is_too_late_for() -> None:
    """A card for a move can be used before the window is open, and not in it."""
    windows = ("any-but-combat",)
    cry = Card("cry", "Cry", "regular-item", "X-01", "", abilities=(Ability("activated", (FreeMove(),), windows),))
    lamp = Card(
        "lamp",
        "Lamp",
        "regular-item",
        "X-02",
        "",
        abilities=(Ability("activated", (Gain(stars=1),), windows, windows),),
    )
    g, _ = new(build(Setup("first"), library(), extra={"cry": cry, "lamp": lamp}))
    g.units[0].items, g.phase, g.cache = ("cry", "lamp"), "move", None
    g.lanes[0].clear()
    for window, uses in (("tally", ("use:cry", "use:lamp")), ("move.after", ("use:lamp",))):
        assert usable(g, 0, window) == ["cry", "lamp"]
        open_windows(g, window, [0])
        node = MACHINE.node(g)
        assert isinstance(node, Ask) and node.decision(0).keys == ("done", *uses)
        g.lanes[0].clear()
        g.cache = None
