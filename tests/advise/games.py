"""Games for the tests of this room: states on the way, players, records."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import cast

from beachhead.bots import BOTS, safe_answer
from beachhead.core import chance
from beachhead.core.node import Answer, Ask, Decision, Over
from beachhead.games import GAMES
from beachhead.landing.game import GAME, MACHINE
from beachhead.landing.state import Landing
from beachhead.landing.world import Setup, world_of
from beachhead.solve import store
from beachhead.solve.whole import Solved
from beachhead.table.match import Match

PRACTICE = {"edition": "first", "map": "n01-exercise-tiger", "seats": 1, "level": "practice-run"}
TIGER = {"edition": "first", "map": "n01-exercise-tiger", "seats": 1}

Player = Callable[[Landing, Decision], str]


def solved() -> Solved:
    found = store.known(world_of(Setup(level="practice-run")))
    assert found is not None
    return found


def by(code: str, seed: int = 1) -> Player:
    """Plays as this bot does."""
    rng = Random(seed)
    return lambda g, decision: safe_answer(BOTS[code], decision, lambda: MACHINE.view(g, decision.seat), rng)


def best(table: Solved) -> Player:
    """Plays a solved game as well as can be."""
    return lambda g, decision: table.answers(g)[0].key


def asked(
    setup: dict[str, object], seed: str, player: Player, most: int = 10_000
) -> Iterator[tuple[Landing, Decision]]:
    """The questions of a game that leave a choice, each with the state in which it is asked."""
    g = cast(Landing, GAMES["landing"].new(setup)[0])
    dice = chance.seed_from(seed)
    while not isinstance(node := MACHINE.node(g), Over):
        if isinstance(node, Ask):
            decision = node.decision(node.seats[0])
            if len(decision.keys) > 1:
                yield g, decision
                most -= 1
                if not most:
                    return
            MACHINE.apply(g, Answer(decision.seat, decision.seq, player(g, decision)))
        else:
            MACHINE.apply(g, chance.sample(dice, node))


def played(setup: dict[str, object], seed: str, player: Player, practice: bool = False) -> Match:
    """A game to its end."""
    match = Match.new(GAME, setup, chance.seed_from(seed), practice)
    while isinstance(node := match.node(), Ask):
        decision = node.decision(node.seats[0])
        match.answer(Answer(decision.seat, decision.seq, player(cast(Landing, match.state), decision)))
    return match
