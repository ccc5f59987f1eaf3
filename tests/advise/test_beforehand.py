"""What is worked out beforehand is what answers about dice would have to wait for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from beachhead.advise import advise, warm
from beachhead.advise import beforehand as module
from beachhead.bots import gains
from beachhead.core.chance import sample
from beachhead.core.node import Answer, Ask, Decision, Roll
from beachhead.games import GAMES
from beachhead.landing.game import MACHINE
from beachhead.landing.position import Position, UnitAt, position
from beachhead.landing.state import Landing
from beachhead.landing.world import Setup, world_of

from ..toys.hidden_hand import GAME as HIDDEN

DICE = ("lock", "reroll", "mulligan", "leave")


@pytest.fixture(autouse=True)
def cold(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(module, "_known", {})
    monkeypatch.setattr(module, "_asked", set())
    gains.gains.cache_clear()
    yield
    gains.gains.cache_clear()


def to_dice(g: Landing, seat: int) -> Decision:
    """Play on to the next question about dice, with the first answer to every other."""
    while True:
        node = MACHINE.node(g)
        if isinstance(node, Roll):
            MACHINE.apply(g, sample("some dice", node))
            continue
        assert isinstance(node, Ask)
        asked = [node.decision(one) for one in node.seats]
        for decision in asked:
            if decision.seat == seat and decision.name in DICE:
                return decision
        quiet = {"done", "stay", "stop", "keep"}
        key = next((key for key in asked[0].keys if key in quiet), asked[0].keys[0])
        MACHINE.apply(g, Answer(asked[0].seat, asked[0].seq, key))


def built(g: Landing, decision: Decision) -> int:
    """How many tables the answer had to wait for."""
    before = gains.gains.cache_info().misses
    assert advise(decision, lambda: MACHINE.view(g, decision.seat), 0.0) is not None
    return gains.gains.cache_info().misses - before


@pytest.mark.parametrize(
    ("edition", "board", "seats"),
    [("first", "n01-exercise-tiger", 1), ("first", "n02-omaha", 3), ("second", "n10-hillman-strongpoint", 2)],
)
def test_the_first_answer_about_dice_waits_for_no_table(edition: str, board: str, seats: int) -> None:
    g, _ = GAMES["landing"].new({"edition": edition, "map": board, "seats": seats})
    assert isinstance(g, Landing)
    steps = sum(1 for _ in warm(MACHINE.view(g, None), MACHINE.clone(g)))
    assert steps > 2, "others can be served between them"
    assert built(g, to_dice(g, 0)) == 0
    assert sum(1 for _ in warm(MACHINE.view(g, None), MACHINE.clone(g))) <= steps // 2, "it is worked out once"


def test_without_it_the_first_answer_does_wait() -> None:
    g, _ = GAMES["landing"].new({"edition": "first", "map": "n02-omaha", "seats": 2})
    assert isinstance(g, Landing)
    assert built(g, to_dice(g, 0)) > 0


@pytest.mark.parametrize("to", ["stay", "move:5", "move:6"])
def test_nor_does_the_next_turn_wherever_the_unit_goes(to: str) -> None:
    """Exercise Tiger: to Sector 5, where a Tool is added, or to Sector 6, where nothing is."""
    unit = UnitAt(sector="3", visited=("1", "3"), soldiers=40, courage=9, cards=("sharpshooter", "corporal"))
    g = position(world_of(Setup("first", "n01-exercise-tiger", 1)), Position((unit,), turn=4, phase="move"))
    MACHINE.start(g)
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    decision = node.decision(0)
    for _ in warm(MACHINE.view(g, None), MACHINE.clone(g), [0]):
        pass
    MACHINE.apply(g, Answer(0, decision.seq, to))
    assert built(g, to_dice(g, 0)) == 0


@pytest.mark.parametrize(("name", "seats"), [("express", 1), ("battle", 2)])
def test_a_game_of_pocket_is_looked_at_once_and_not_touched(name: str, seats: int) -> None:
    game = GAMES[name]
    g, _ = game.new({"seats": seats})
    before = game.machine.view(g, None)
    assert list(warm(before, g)) == [None]
    assert game.machine.view(g, None) == before
    assert list(warm(before, g)) == []


def test_of_other_games_there_is_nothing_to_work_out() -> None:
    g, _ = HIDDEN.new({})
    assert list(warm(HIDDEN.machine.view(g, None))) == []
