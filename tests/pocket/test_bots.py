"""The bots play Battle! and Express! with legal answers, and rules of thumb are worth something."""

from __future__ import annotations

import pytest

from beachhead.bots import BOTS, bot
from beachhead.bots.small import ANSWERS, small_answer
from beachhead.core import chance
from beachhead.core.node import Answer, Ask, Over, Roll
from beachhead.games import GAMES
from beachhead.pocket import battle, express
from beachhead.pocket.position import BattleAt, ExpressAt, battle_at, express_at
from beachhead.pocket.world import world_of
from beachhead.sim.runner import game_seed, play
from tests.pocket.entry import BATTLE, EXPRESS, LATE_BATTLE, LATE_EXPRESS

MATCHED = {1: 0.962, 2: 0.882, 3: 0.743, 4: 0.545, 5: 0.313, 6: 0.107}
"""The chance to match so many Axis dice with six dice and two re-rolls, exactly, without cards."""


@pytest.mark.parametrize("entry", [EXPRESS, LATE_EXPRESS, BATTLE, LATE_BATTLE], ids=lambda entry: entry.name)
@pytest.mark.parametrize("code", ["random", "thumb"])
def test_bots_give_legal_answers_to_every_question(entry, code: str) -> None:  # type: ignore[no-untyped-def]
    for n, setup in enumerate(entry.setups):
        seats = len(entry.game.new(setup)[0].lanes)
        played = play(entry.game, setup, [BOTS[code]] * seats, game_seed(n, 1))
        assert isinstance(played.over, Over)


def test_rules_of_thumb_beat_chance() -> None:
    wins = sum(play(GAMES["battle"], {}, [bot("thumb"), bot("random")], game_seed(1, n)).over.won for n in range(20))
    assert wins >= 18


def test_every_question_of_the_two_games_is_thought_of() -> None:
    asked = {*express.MACHINE.questions, *battle.MACHINE.questions}
    assert asked - set(ANSWERS) == {"leave"}


@pytest.mark.parametrize("sector", [1, 3, 5])
def test_keeping_what_matches_clears_sectors_as_often_as_it_should(sector: int) -> None:
    """Fixed dice: the share of cleared sectors is within four standard errors of the exact chance."""
    machine, world, games, cleared = express.MACHINE, world_of("express", {}), 300, 0
    for n in range(games):
        g = express_at(world, ExpressAt(sector))
        machine.start(g)
        seed = chance.seed_from(f"sector {sector} {n}")
        while not isinstance(node := machine.node(g), Over) and g.cleared < sector:
            if isinstance(node, Roll):
                machine.apply(g, chance.sample(seed, node), True)
            else:
                decision = node.decision(0)
                machine.apply(g, Answer(0, decision.seq, small_answer(decision, machine.view(g, 0))), True)
        cleared += g.cleared >= sector
    exact = MATCHED[sector]
    assert abs(cleared / games - exact) < 4 * (exact * (1 - exact) / games) ** 0.5


@pytest.mark.parametrize(
    ("faces", "key"),
    [((1, 5, 0, 0, 2, 2), "roll:W1,W2,B1,B2"), ((1, 5, 1, 0, 1, 2), "stop")],
    ids=["nothing earned", "an RWB of Stars"],
)
def test_dice_that_are_not_needed_are_rolled_for_a_medal(faces: tuple[int, ...], key: str) -> None:
    """A Star and a Tool match already: the other dice cost nothing, unless they have earned something."""
    g = battle_at(world_of("battle", {}), BattleAt(0))
    machine = battle.MACHINE
    machine.start(g)
    for outcome in ((0,), (1, 5), faces):
        machine.apply(g, outcome)
    node = machine.node(g)
    assert isinstance(node, Ask)
    assert small_answer(node.decision(0), machine.view(g, 0)) == key
