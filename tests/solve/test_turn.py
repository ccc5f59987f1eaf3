"""The exact turn: against brute force, closed forms, laws that hold for all values, and play."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beachhead.core.errors import BeachheadError
from beachhead.landing.dice import FACE, MEMBERS, SIZE, SKULL
from beachhead.solve.goals import goal, values
from beachhead.solve.multisets import CHANCE, ROLL
from beachhead.solve.turn import SIX, Choice, Turn, solve

from .dice import Dice, at_home, numbers, shape, some_values, worth_of
from .reference import Reference

TINY: list[Dice] = [(2, 0, 0), (0, 1, 1), (1, 1, 1), (2, 1, 0), (0, 1, 2)]


def same(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12)


# ---------------------------------------------------------------------- brute force

CASES = [
    (dice, lock, rolls, stay, singles)
    for dice in TINY
    for lock in range(sum(dice) + 1)
    for rolls, stay, singles in ((1, False, 0), (2, False, 0), (3, False, 0), (3, True, 0), (2, False, 1), (1, True, 2))
] + [((2, 1, 1), 2, 3, False, 0), ((1, 1, 2), 1, 3, True, 1), ((2, 2, 0), 2, 3, False, 0), ((0, 2, 2), 3, 3, True, 0)]


@pytest.mark.rule("F-ROLL-01", "F-ROLL-02", "F-ROLL-03", "F-ROLL-04", "F-ROLL-07", "F-ROLL-11")
@pytest.mark.parametrize(("dice", "lock", "rolls", "stay", "singles"), CASES)
def test_the_turn_is_worth_what_brute_force_says(dice: Dice, lock: int, rolls: int, stay: bool, singles: int) -> None:
    table = some_values(dice, seed=lock + 10 * rolls)
    turn = solve(table, lock, rolls, dice, stay, singles)
    slow = Reference(worth_of(table, dice), sum(dice), lock, rolls, stay, singles)
    assert same(turn.value, slow.value)


@pytest.mark.parametrize(
    ("dice", "lock", "stay", "singles"),
    [((1, 1, 1), 1, False, 0), ((2, 1, 0), 2, True, 0), ((0, 1, 2), 1, False, 1), ((1, 0, 2), 0, True, 1)],
)
def test_every_choice_is_worth_what_brute_force_says(dice: Dice, lock: int, stay: bool, singles: int) -> None:
    table = some_values(dice, seed=5)
    turn = solve(table, lock, 3, dice, stay, singles)
    slow = Reference(worth_of(table, dice), sum(dice), lock, 3, stay, singles)
    for faces in product(range(6), repeat=sum(dice)):
        home, places = at_home(faces, dice)
        locks = {_kinds(home, chosen, places): value for value, chosen in slow.after_first(faces)}
        found = {_kinds(home, MEMBERS[one.locked]): one.value for one in reversed(turn.choices(home))}
        assert found.keys() == locks.keys()
        assert all(same(found[kinds], value) for kinds, value in locks.items())
        locked = turn.choices(home)[-1].locked
        named = frozenset(n for n, place in enumerate(places) if locked >> place & 1)
        for roll in range(1, 4 + singles):
            again = {_kinds(home, chosen, places): value for value, chosen in slow.after(faces, named, roll)}
            ranked = turn.choices(home, locked, roll)
            found = {_kinds(home, MEMBERS[one.roll]): one.value for one in ranked}
            assert found.keys() == again.keys()
            assert all(same(found[kinds], value) for kinds, value in again.items())
            assert all(one.value >= other.value - 1e-12 for one, other in pairwise(ranked))


def _kinds(home: Sequence[int], chosen: object, places: Sequence[int] = range(6)) -> tuple[tuple[int, int], ...]:
    """Dice as what can be told: colour and face."""
    return tuple(sorted((places[n] // 2, home[places[n]]) for n in chosen))  # type: ignore[attr-defined]


@pytest.mark.slow
@pytest.mark.parametrize(("lock", "stay", "singles"), [(2, False, 0), (0, True, 1), (3, False, 1)])
def test_five_dice_are_worth_what_brute_force_says(lock: int, stay: bool, singles: int) -> None:
    dice = (2, 2, 1)
    table = some_values(dice, seed=lock)
    slow = Reference(worth_of(table, dice), 5, lock, 3, stay, singles)
    assert same(solve(table, lock, 3, dice, stay, singles).value, slow.value)


# ---------------------------------------------------------------------- closed forms


def binomial(n: int, k: int, p: Fraction) -> Fraction:
    return math.comb(n, k) * p**k * (1 - p) ** (n - k)


@pytest.mark.parametrize("dice", [6, 5])
@pytest.mark.parametrize("lock", [0, 1, 2, 3])
def test_soldiers_on_average(lock: int, dice: int) -> None:
    """A die rolled again is worth 5/6 with two rolls to come and 19/18 with three. Locking one that shows a Soldier
    costs nothing, as it would be kept; one without costs 5/6.
    """
    lacking = sum(binomial(dice, k, Fraction(1, 3)) * max(0, lock - k) for k in range(dice + 1))
    exact = dice * Fraction(19, 18) - Fraction(5, 6) * lacking
    colours = SIX if dice == 6 else (2, 2, 1)
    assert same(solve(values(goal("max-soldiers"), colours), lock, dice=colours).value, float(exact))


@pytest.mark.parametrize("n", range(1, 7))
@pytest.mark.parametrize("lock", [0, 1, 2])
def test_so_many_tools(lock: int, n: int) -> None:
    """Tools are kept; where the first roll has too few of them dice are Locked that no longer count."""
    exact = Fraction(0)
    for k in range(7):
        free = 6 - k - max(0, lock - k)
        later = sum(binomial(free, more, Fraction(11, 36)) for more in range(max(0, n - k), free + 1))
        exact += binomial(6, k, Fraction(1, 6)) * later
    assert same(solve(values(goal(f"tool>={n}")), lock).value, float(exact))


def test_one_roll_is_the_mean_and_so_are_six_locked_dice() -> None:
    table = some_values(SIX, seed=3)
    mean = float(np.einsum("abc,a,b,c", table, CHANCE[2], CHANCE[2], CHANCE[2]))
    assert same(solve(table, rolls=1).value, mean)
    assert same(solve(table, lock=6).value, mean)


@cache
def different(shown: int, rolls: int) -> Fraction:
    """The chance of six different faces when so many lie there, the others are rolled, and so many rolls are left."""
    if shown == 6 or not rolls:
        return Fraction(shown == 6)
    ways = Counter(len({*range(shown), *roll}) for roll in product(range(6), repeat=6 - shown))
    return sum((Fraction(n, 6 ** (6 - shown)) * different(k, rolls - 1) for k, n in ways.items()), Fraction(0))


def test_a_straight_in_three_rolls() -> None:
    """One die of each face is kept. Two dice to Lock do harm only when all six look alike: then it is out of reach."""
    free = different(0, 3)
    assert same(solve(values(goal("straight")), lock=0).value, float(free))
    assert same(solve(values(goal("straight")), lock=1).value, float(free))
    assert same(solve(values(goal("straight")), lock=2).value, float(free - Fraction(6, 6**6) * different(1, 2)))


def test_a_straight_in_one_roll() -> None:
    assert same(solve(values(goal("straight")), rolls=1).value, math.factorial(6) / 6**6)


# ---------------------------------------------------------------------- laws

SEEDS = st.integers(0, 10**6)
SMALL: Dice = (2, 1, 2)
LAWS = settings(max_examples=25, deadline=None)


@pytest.mark.parametrize("lock", range(7))
def test_value_one_everywhere_gives_one(lock: int) -> None:
    assert same(solve(np.ones(shape(SIX)), lock).value, 1)
    assert same(solve(np.ones(shape(SIX)), lock, skulls_stay=True, singles=1).value, 1)


@LAWS
@given(SEEDS, st.integers(0, 5), st.floats(0, 9), st.floats(-9, 9))
def test_scale_and_shift_pass_through(seed: int, lock: int, scale: float, shift: float) -> None:
    table = some_values(SMALL, seed)
    one, other = solve(table, lock, dice=SMALL), solve(scale * table + shift, lock, dice=SMALL)
    assert math.isclose(other.value, scale * one.value + shift, rel_tol=1e-9, abs_tol=1e-9)


@LAWS
@given(SEEDS, st.integers(0, 5))
def test_more_is_never_worth_less_and_two_aims_never_more_than_both(seed: int, lock: int) -> None:
    a, b = some_values(SMALL, seed), some_values(SMALL, seed + 1)
    one, other, both = (solve(table, lock, dice=SMALL).value for table in (a, b, a + b))
    assert solve(np.maximum(a, b), lock, dice=SMALL).value >= max(one, other) - 1e-12
    assert both <= one + other + 1e-12
    assert a.min() <= one <= a.max()


@LAWS
@given(SEEDS, st.integers(0, 4), st.booleans())
def test_freedom_is_never_worth_less(seed: int, lock: int, stay: bool) -> None:
    """Fewer dice to Lock, more rolls, Skulls that may be rolled."""
    table = some_values(SMALL, seed)
    plain = solve(table, lock, 2, SMALL, stay).value
    for freer in (solve(table, lock, 3, SMALL, stay), solve(table, lock, 2, SMALL, stay, singles=1)):
        assert freer.value >= plain - 1e-12
    assert solve(table, lock, 2, SMALL).value >= plain - 1e-12
    assert plain >= solve(table, lock + 1, 2, SMALL, stay).value - 1e-12


def test_colours_may_change_places() -> None:
    table = some_values(SIX, seed=8)
    for axes in ((1, 0, 2), (2, 1, 0), (1, 2, 0)):
        assert same(solve(table.transpose(axes)).value, solve(table).value)


# ---------------------------------------------------------------------- choices


@pytest.mark.parametrize("seed", range(8))
def test_the_best_choice_is_worth_what_the_roll_is_worth(seed: int) -> None:
    turn = solve(some_values(SIX, seed), lock=seed % 4)
    faces = tuple(Random(seed).choices(range(6), k=6))
    best = turn.choices(faces)[0]
    assert same(best.value, float(turn.first[numbers(faces, SIX)]))
    assert SIZE[best.locked] == seed % 4
    assert not best.roll & best.locked
    assert same(turn.choices(faces, best.locked, 1)[0].value, best.value)


@pytest.mark.rule("F-ROLL-11")
def test_skulls_that_stay_are_never_rolled() -> None:
    faces = (SKULL, 1, SKULL, 3, 4, 5)
    turn = solve(values(goal("tool>=6")), skulls_stay=True)
    assert all(not one.roll & 0b000101 for one in turn.choices(faces) + turn.choices(faces, 0b000011, 2))


def test_a_die_that_is_locked_already_stays_among_those_to_lock() -> None:
    faces = (0, 1, 2, 3, 4, 5)
    turn = solve(values(goal("tool>=2")))
    ranked = turn.choices(faces, 0b000001)
    assert len(ranked) == 5
    assert all(one.locked & 1 and SIZE[one.locked] == 2 for one in ranked)
    assert ranked[0].locked == 0b100001


def test_dice_that_look_alike_make_one_choice() -> None:
    faces = (1, 1, 2, 2, 3, 3)
    turn = solve(values(goal("rwb")))
    assert len(turn.choices(faces)) == 6
    assert len(turn.choices(faces, 0, 2)) == 27


def test_the_last_roll_leaves_one_choice() -> None:
    tool = FACE["tool"]
    faces = (tool, tool, tool, 0, 0, 0)
    assert solve(values(goal("max-item-points"))).choices(faces, 0, 3) == [Choice(6.0, 0, 0)]


@pytest.mark.rule("F-CARD-CORPORAL")
def test_a_corporal_rolls_one_final_die() -> None:
    """Five Tools and a Star: one more roll of the Star gives 48 instead of 24 once in six times."""
    tool = FACE["tool"]
    turn = solve(values(goal("max-item-points")), singles=1)
    best, *others = turn.choices((tool,) * 5 + (FACE["star"],), 0, 3)
    assert best.roll == 0b100000
    assert same(best.value, 24 + 24 / 6)
    assert all(SIZE[one.roll] <= 1 for one in others)
    assert turn.choices((tool,) * 5 + (FACE["star"],), 0b100000, 3)[0] == Choice(24.0, 0, 0b100000)


@pytest.mark.rule("F-ROLL-10")
def test_five_dice_have_one_that_is_not_there() -> None:
    dice = (2, 1, 2)
    turn = solve(values(goal("rwb"), dice), dice=dice)
    best = turn.choices((1, 2, 1, -1, 1, 3))[0]
    assert same(best.value, 1)
    with pytest.raises(BeachheadError, match="expected"):
        turn.choices((1, 2, 1, 1, 1, 3))


@pytest.mark.parametrize(
    "wrong",
    [
        {"lock": 7},
        {"lock": -1},
        {"rolls": 0},
        {"singles": -1},
        {"dice": (3, 2, 1)},
        {"dice": (2, 2, 1)},
        {"dice": (2, 2)},
    ],
)
def test_what_cannot_be_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(BeachheadError, match="expected"):
        solve(np.ones(shape(SIX)), **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "faces", [(6, 0, 0, 0, 0, 0), (-2, 0, 0, 0, 0, 0), (0, 0, 0), (), (0,) * 7, (-1, 0, 0, 0, 0, 0)]
)
def test_impossible_dice_are_refused(faces: tuple[int, ...]) -> None:
    turn = solve(values(goal("rwb")))
    for ask in (turn.choices, turn.best, turn.locks):
        with pytest.raises(BeachheadError, match="expected"):
            ask(faces)


def test_values_that_are_no_numbers_are_refused() -> None:
    for bad in (math.nan, math.inf):
        with pytest.raises(BeachheadError, match="finite"):
            solve(np.full(shape(SIX), bad))
    with pytest.raises(BeachheadError, match="shape"):
        solve(np.ones(17))


def test_values_may_come_in_one_row() -> None:
    table = some_values(SIX, seed=1)
    assert solve(table.ravel()).value == solve(table).value


# ---------------------------------------------------------------------- play


def play_out(turn: Turn, rng: Random, policy: dict[object, Choice]) -> float:
    """One turn, played by what the solver says."""

    def best(faces: tuple[int, ...], locked: int, roll: int) -> Choice:
        key = faces, locked, roll
        if key not in policy:
            policy[key] = turn.choices(faces, locked, roll)[0]
        return policy[key]

    faces = _tidy(rng.choices(range(6), k=6))
    choice = best(faces, 0, 1)
    for roll in (2, 3):
        if not choice.roll:
            break
        faces = tuple(rng.randrange(6) if choice.roll >> place & 1 else face for place, face in enumerate(faces))
        if roll == 3:
            break
        choice = best(faces, choice.locked, roll)
    return float(turn.values[numbers(faces, SIX)])


def _tidy(faces: list[int]) -> tuple[int, ...]:
    return tuple(face for at in (0, 2, 4) for face in sorted(faces[at : at + 2]))


def promised(text: str, skulls: str, lock: int, games: int) -> None:
    turn = solve(values(goal(text), skulls=skulls), lock)
    rng, policy = Random(text), dict[object, Choice]()
    found = np.array([play_out(turn, rng, policy) for _ in range(games)])
    error = found.std() / math.sqrt(games)
    assert abs(found.mean() - turn.value) < 4 * error


@pytest.mark.parametrize(
    ("text", "skulls", "lock"), [("straight", "ignore", 2), ("max-soldiers", "cancel", 1), ("rwb", "cancel", 3)]
)
def test_play_keeps_the_promise(text: str, skulls: str, lock: int) -> None:
    promised(text, skulls, lock, 700)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "skulls", "lock"), [("straight", "ignore", 2), ("max-item-points", "cancel", 2), ("rwb", "ignore", 2)]
)
def test_a_million_turns_keep_the_promise(text: str, skulls: str, lock: int) -> None:
    promised(text, skulls, lock, 1_000_000)


def test_the_numbers_of_rolls_are_those_of_the_table() -> None:
    assert [ROLL[faces] for faces in ((), (3,), (0, 0), (5, 5))] == [0, 3, 0, 20]
