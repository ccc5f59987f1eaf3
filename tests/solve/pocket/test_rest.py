"""Battle! played out to its end: games that agree with the solution, turns that agree with their own means, and Medals
judged by what they lead to.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from beachhead.core.node import Ask
from beachhead.games import GAMES
from beachhead.pocket.position import BattleAt, battle_at
from beachhead.pocket.world import world_of
from beachhead.solve import pocket_battle as battle
from beachhead.solve import pocket_rest as rest
from beachhead.solve import pocket_store as store
from beachhead.solve.pocket_answers import answers

BATTLE = GAMES["battle"].machine
NOBODY = (-1,) * rest.MEDALS
GAMES_PLAYED = 1000
ERROR = 4 * 0.5 / GAMES_PLAYED**0.5
"""Four standard errors at most."""


@pytest.fixture
def no_medals(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = np.zeros_like(rest._earned())
    monkeypatch.setattr(rest, "_earned", lambda: nothing)


@pytest.mark.parametrize("kommandant", [False, True])
def test_without_medals_games_end_as_the_solution_says(no_medals: None, kommandant: bool) -> None:
    solved = store.solved_battle(kommandant)
    for mine, other in ((0, 0), (12, 20)):
        won = rest.played_out(rest.Standing((mine, other), NOBODY, 0, (), kommandant), GAMES_PLAYED, 1)
        for n in (0, 4, 9, 15, 25, 31):
            points = mine + rest.GRID[n]
            exact = 1 - (solved.second[points, other] if points < 30 else solved.last[points - other])
            assert won[:, n, 0].mean() == pytest.approx(exact, abs=ERROR), (mine, other, n)
        assert (won.sum(2) == 1).all()


def test_who_follows_ends_a_round(no_medals: None) -> None:
    solved = store.solved_battle()
    won = rest.played_out(rest.Standing((14, 9), NOBODY, 1), GAMES_PLAYED, 2)
    assert won[:, 6, 1].mean() == pytest.approx(1 - solved.first[14, 15], abs=ERROR)
    assert won[:, 21, 1].all()  # 30 points, and the round is over


def test_medals_count_at_the_end() -> None:
    """The first player has 31 points, the second 24 and a Medal: 2 points more make a tie, 3 win."""
    held = (1, *NOBODY[1:])
    won = rest.played_out(rest.Standing((31, 24), held, 1), 200, 3)[..., 1].mean(0)
    assert won[:2].tolist() == [0.0, 0.0]
    assert won[2] == pytest.approx(1 - store.solved_battle().tie, abs=0.2)
    assert (won[3:] == 1.0).all()


def test_with_medals_for_the_goal_they_end_the_game() -> None:
    """26 points and a Medal are 31, so the round ends the game though nobody has banked 30; else it goes on, and who
    has 25 points may still win.
    """
    held = (0, *NOBODY[1:])
    won = rest.played_out(rest.Standing((26, 25), held, 1, with_medals=True), 50, 4)
    assert won[:, 0, 0].all()
    won = rest.played_out(rest.Standing((26, 25), held, 1), 50, 4)
    assert not won[:, 0, 0].all()


def test_only_those_who_are_tied_play_bonus_turns() -> None:
    won = rest.played_out(rest.Standing((35, 20, 35), NOBODY, 0, (0, 2)), 200, 5)
    assert not won[..., 1].any()
    assert 0 < won[:, 0, 0].mean() < won[:, 10, 0].mean()


def test_the_same_seed_gives_the_same_chances() -> None:
    standing = rest.Standing((3, 5, 9), NOBODY, 1)
    one, two = (rest.played_out(standing, 20, 7) for _ in range(2))
    assert (one == two).all()
    assert (rest.played_out(standing, 20, 8) != one).any()


@pytest.mark.parametrize("kommandant", [False, True])
def test_a_turn_is_worth_the_mean_of_what_it_banks(kommandant: bool) -> None:
    """The probabilities of points sum to one, and lead to what the best turn is worth."""
    games = rest.Rest(rest.Standing((3, 8), NOBODY, 0, (), kommandant))
    games.more()
    mean = np.maximum.accumulate(games.won(0).mean(0))
    for axis in range(battle.FEWEST, battle.MOST + 1):
        for points in (0, 3, 8, 17, 40):
            shares = games.after(axis, points)
            assert shares.sum() == pytest.approx(1.0) and (shares >= 0).all()
            assert shares @ mean == pytest.approx(float(games.turn.ahead[axis][points, 0]), abs=1e-12)
    ways = battle.ways(kommandant)
    best = max(float(games.before(2, 5, way) @ mean) for way in ways)
    assert best == pytest.approx(float(games.turn.ahead[2][5, 0]), abs=1e-12)


def test_an_interval_holds_its_mean() -> None:
    for found in (np.zeros(100), np.ones(100), np.array([0.0, 1.0] * 50), np.full(100, 0.4)):
        value, low, high = rest.mean_of(found)
        assert 0 <= low <= value <= high <= 1 and high - low > 0.001
    few, many = (rest.mean_of(np.array([0.0, 1.0] * n)) for n in (50, 500))
    assert many[2] - many[1] < few[2] - few[1]
    assert few[1:] == pytest.approx((0.4038, 0.5962), abs=1e-4)  # Wilson, 50 of 100


def last_turn(**more: Any) -> Any:
    """The second player has the last turn, 31 to 24 and 6 points at stake: a skirmish against three Axis dice."""
    at = BattleAt(1, 2, 6, 0, 5, (31, 24), **more)
    g = battle_at(world_of("battle", {}), at)
    BATTLE.start(g)
    BATTLE.apply(g, (0,))  # the landing
    BATTLE.apply(g, (1, 1, 5))  # two Stars and a Tool
    return g


def medals(g: Any, seat: int) -> dict[str, float]:
    node = BATTLE.node(g)
    assert isinstance(node, Ask)
    decision = node.decision(seat)
    assert decision.name == "medal"
    found = answers(decision, BATTLE.view(g, seat), 0.01)
    assert found is not None and found.how == "sampled" and set(found.values) == set(decision.keys)
    assert all(low <= found.values[key] <= high for key, (low, high) in found.ranges.items())
    return found.values


def stopped(g: Any, faces: tuple[int, ...]) -> Any:
    from beachhead.core.node import Answer

    BATTLE.apply(g, faces)
    node = BATTLE.node(g)
    assert isinstance(node, Ask)
    BATTLE.apply(g, Answer(1, node.decision(1).seq, "stop"))
    return g


def test_a_medal_that_wins_the_last_turn_is_played() -> None:
    """A Tool is missing. Who passes is left with 24 and a Medal, 29 to 31. The Legion of Merit makes it, and 24, 6 and
    3 points are 33. Any other face is as bad as to pass.
    """
    g = stopped(last_turn(medals={1: ("legion-of-merit",)}), (1, 1, 0, 0, 2, 2))
    found = medals(g, 1)
    assert found["pass"] == 0.0
    assert found["play:legion-of-merit:B2:tool"] == 1.0
    assert found["play:legion-of-merit:B2:skull"] == found["play:legion-of-merit:R1:tool"] == 0.0


def test_a_medal_that_costs_the_game_is_kept() -> None:
    """All match already: 24, 6, 3 and the Medal are 38."""
    g = stopped(last_turn(medals={1: ("legion-of-merit",)}), (1, 1, 5, 0, 2, 2))
    found = medals(g, 1)
    assert found["pass"] == 1.0
    assert found["play:legion-of-merit:W1:skull"] == 0.0


def test_a_medal_is_judged_by_the_one_who_plays_it() -> None:
    """With 35 points to 24 who watches loses to 24, 6 and 6 more. A skirmish without points leaves 30, but no Medal."""
    at = BattleAt(1, 2, 6, 0, 5, (35, 24), {0: ("purple-heart",)})
    g = battle_at(world_of("battle", {}), at)
    BATTLE.start(g)
    BATTLE.apply(g, (4,))  # the Bluffs: who wins must retreat
    BATTLE.apply(g, (1, 1, 5))
    stopped(g, (1, 1, 5, 0, 2, 2))
    found = medals(g, 0)
    assert found["pass"] == 1.0  # 35 and the Medal are 40 to 33
    assert found["play:purple-heart"] == 1.0


def test_the_battlefield_may_be_what_is_missing() -> None:
    """On the Bluffs 24, 6 and 3 points are 33 to 34; on the Rallying Point the skirmish brings 9."""
    at = BattleAt(1, 2, 6, 0, 5, (39, 24), {1: ("medal-of-honor",)})
    g = battle_at(world_of("battle", {}), at)
    BATTLE.start(g)
    BATTLE.apply(g, (4,))
    BATTLE.apply(g, (1, 1, 5))
    stopped(g, (1, 1, 5, 0, 2, 2))
    found = medals(g, 1)
    assert found["pass"] == 0.0  # 33 and the Medal are 38
    assert found["play:medal-of-honor:rallying-point"] >= found["play:medal-of-honor:landing"] > 0.0


def test_to_begin_again_is_worth_the_skirmish() -> None:
    """The Silver Star: the same skirmish anew, with the same points at stake. Lost as the dice lie, so it is better."""
    g = stopped(last_turn(medals={1: ("silver-star",)}), (0, 0, 0, 0, 2, 2))
    found = medals(g, 1)
    assert found["pass"] == 0.0
    solved = store.solved_battle()
    turn = solved.last_turn(np.array([7]))
    assert found["play:silver-star"] == pytest.approx(float(turn.ahead[3][6, 0]), abs=0.05)
