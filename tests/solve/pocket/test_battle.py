"""Battle! solved: against exact fractions, plain recursion, samples, and poison."""

from __future__ import annotations

import numpy as np
import pytest

from beachhead.solve import pocket_battle as battle
from beachhead.solve import pocket_dice as dice

from .oracle import Battle, matching, skirmish


@pytest.mark.rule("B-STEP6-01", "B-FIELD-07", "B-FIELD-08")
@pytest.mark.parametrize(("many", "least"), [(6, 2), (5, 2)])
def test_skirmishes_are_those_of_exact_fractions(many: int, least: int) -> None:
    found = battle.odds().six if many == 6 else battle.odds().five
    for axis in range(least, 7):
        total = 0.0
        for shown in dice.sets_of(6, axis):
            need = tuple(sorted(shown.count(face) for face in set(shown)))
            total += dice.chance(6, shown) * float(matching(need, many, 3))
        assert found[axis] == pytest.approx(total, abs=1e-13)


def test_to_keep_every_die_that_matches_is_not_quite_the_best() -> None:
    """Three of a face and one of another are wanted: with the other one alone it is better to roll all six again."""
    assert float(matching((1, 3), 6, 3) - matching((1, 3), 6, 3, True)) == pytest.approx(0.000171729, abs=1e-9)
    own = dice.box()
    some = dice.outcomes(own)
    values = (dice.within_reach(own, some, np.array([3, 1, 0, 0, 0, 0]))[some.source] > 0).astype(np.float64)
    first, *others = dice.choices(own, values, ((1, 2), (3, 4), (3, 5)), 1)
    assert first.kept == ((), (), ())
    assert first.value == pytest.approx(float(matching((1, 3), 6, 2)), abs=1e-13)
    assert next(one.value for one in others if one.kept == ((1,), (), ())) == pytest.approx(
        float(matching((3,), 5, 2)), abs=1e-13
    )


@pytest.mark.rule("K-BATTLE-02", "K-BATTLE-04")
@pytest.mark.parametrize("kommandant", [False, True])
@pytest.mark.parametrize(
    ("faces", "many", "axis"), [(2, (2, 1, 1), 3), (3, (1, 1, 1), 2), (3, (2, 1, 1), 2), (4, (1, 1, 1), 2)]
)
def test_reduced_skirmishes(faces: int, many: tuple[int, int, int], axis: int, kommandant: bool) -> None:
    found = battle._chance(dice.box(faces, many), axis, kommandant)
    assert found == pytest.approx(float(skirmish(faces, sum(many), axis, kommandant)), abs=1e-13)


def plain() -> Battle:
    odds = battle.odds()
    return Battle(odds.six, odds.five)


@pytest.mark.rule("B-STEP7-02", "B-STEP7-03", "B-FIELD-03", "B-FIELD-04", "B-FIELD-05", "B-FIELD-06")
def test_the_best_turn_by_recursion() -> None:
    found = battle.best_turn()
    assert found.ahead[2][0, 0] == pytest.approx(plain().turn(None), abs=1e-11)
    assert found.worst > 0


def test_one_digit_of_the_turn_by_hand() -> None:
    """Six Axis dice with many points at stake: V(t) = p/6 (4t + 42 + V(t + 6)), as the Bunker cannot be won."""
    found, chance = battle.best_turn().ahead[6][:, 0], battle.odds().six[6]
    for stake in (100, 200):
        assert found[stake] == pytest.approx(chance / 6 * (4 * stake + 42 + found[stake + 6]), rel=1e-13)


def test_thresholds_fall_with_the_axis_dice_and_divide_all_points() -> None:
    for kommandant in (False, True):
        found = battle.best_turn(kommandant)
        limits = list(found.thresholds().values())
        assert limits == sorted(limits, reverse=True)
        for axis, least in found.thresholds().items():
            going = found.advances(axis)[:, 0]
            assert going[:least].all()
            assert not going[least:].any()


@pytest.mark.rule("K-BATTLE-01", "K-BATTLE-03")
def test_the_kommandant_is_a_choice_that_helps() -> None:
    found = battle.best_turn(True)
    assert found.ahead[2][0, 0] > battle.best_turn().ahead[2][0, 0] + 1
    assert not found.deploys[6].any()
    odds = battle.odds(True)
    always = Battle(odds.six, odds.five, 1)
    assert found.ahead[2][0, 0] > always.turn(None)
    for axis in range(2, 7):
        assert odds.six[axis] < battle.odds().six[axis]


@pytest.mark.rule("B-VICTORY-01", "B-VICTORY-02", "B-TIE-01", "B-TIE-02")
def test_a_short_game_by_value_iteration() -> None:
    assert battle.solve(goal=3).value == pytest.approx(plain().match(3, 20), abs=1e-8)


@pytest.fixture(scope="module")
def match() -> battle.Solved:
    return battle.solve()


def test_two_players_to_thirty(match: battle.Solved) -> None:
    assert match.worst >= 0
    assert match.gap < 1e-13
    assert match.beyond < 1e-15
    assert 0.4 < match.tie < match.value < 0.5
    assert (np.diff(match.first, axis=0) >= -1e-12).all()
    assert (np.diff(match.first, axis=1) <= 1e-12).all()
    assert (np.diff(match.second, axis=1) >= -1e-12).all()
    assert (np.diff(match.last) <= 1e-12).all()


def test_the_solution_holds_in_every_state(match: battle.Solved) -> None:
    """Once more through all states: each is what its turn is worth with all others as they are."""
    every = np.arange(900)
    mine, other = every // 30, every % 30
    assert match.starter(mine, other).ahead[2][0] == pytest.approx(match.first.reshape(-1), abs=1e-13)
    assert match.follower(mine, other).ahead[2][0] == pytest.approx(match.second.reshape(-1), abs=1e-13)
    assert match.last_turn(np.arange(50)).ahead[2][0] == pytest.approx(match.last[:50], abs=1e-13)
    assert match.tied_turn().ahead[2][0, 0] == pytest.approx(match.tie, abs=1e-13)


def test_games_by_the_solution(match: battle.Solved) -> None:
    found = battle.sample(match, 40_000, medals=False, seed=5)
    assert abs(found.value - match.value) < 4 * (0.25 / found.games) ** 0.5
    assert found.medals == 0
    assert found.low < found.value < found.high


def test_with_medals_there_is_a_sample(match: battle.Solved) -> None:
    found = battle.sample(match, 5_000)
    assert 0.4 < found.low < found.high < 0.55
    assert 1 < found.medals < 7


def test_poisoned_points_that_nobody_can_have() -> None:
    """One point is never at stake, so nothing that is reached changes; two points are."""
    some = battle.ways(False)
    bank = np.arange(battle.CAP + battle.PAD + 1, dtype=np.float64)[:, None]
    edge = battle.best_turn().ahead[6][battle.CAP + 1 :]
    clean = battle.turn(bank, edge, some)
    bank[1] = np.nan
    poisoned = battle.turn(bank, edge, some)
    assert poisoned.ahead[2][0, 0] == clean.ahead[2][0, 0]
    bank[1], bank[2] = 1, np.nan
    assert np.isnan(battle.turn(bank, edge, some).ahead[2][0, 0])
