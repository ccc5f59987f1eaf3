"""Figures about many games, against published values and what follows from their definition."""

from __future__ import annotations

import pytest

from beachhead.sim.figures import Count, Estimate, Paired, Tally, difference, mean, paired, wilson
from beachhead.sim.rows import Row, from_lines, to_lines


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [  # Newcombe 1998 (Statistics in Medicine 17, 857), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_wilson_interval_is_as_published(hits: int, of: int, low: float, high: float) -> None:
    assert wilson(hits, of) == (hits / of, pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


@pytest.mark.parametrize(
    ("hits", "of"), [(0, 1), (1, 1), (0, 10), (10, 10), (3, 10), (500, 1000), (999_999, 1_000_000)]
)
def test_the_bounds_are_the_rates_that_would_just_be_believed(hits: int, of: int) -> None:
    rate, *bounds = wilson(hits, of)
    for bound in bounds:
        assert bound is not None and 0 <= bound <= 1
        assert (rate - bound) ** 2 == pytest.approx(1.959964**2 * bound * (1 - bound) / of, rel=1e-5, abs=1e-15)
    assert bounds == sorted(bounds)


def count(*values: int) -> Count:
    found = Count()
    for value in values:
        found.add(value)
    return found


def test_the_interval_of_a_mean() -> None:
    found = mean(count(2, 4, 4, 4, 5, 5, 7, 9))
    assert found.value == 5
    assert found.low == pytest.approx(5 - 1.959964 * (32 / 7) ** 0.5 / 8**0.5)
    assert found.high == pytest.approx(5 + 1.959964 * (32 / 7) ** 0.5 / 8**0.5)
    assert mean(count(3, 3, 3)) == Estimate(3, 3, 3)
    assert mean(count(3)) == Estimate(3, None, None)


def test_the_difference_of_pairs() -> None:
    assert difference([3, 5, 7], [2, 4, 6]) == Estimate(1, 1, 1)


# ---- pairs of games


def test_pairs_are_counted_by_who_won() -> None:
    one, other = [True, True, False, True, False], [True, False, True, False, False]
    assert paired(one, other) == Paired(5, 2, 1)
    assert paired(other, one) == Paired(5, 1, 2)
    with pytest.raises(ValueError, match="shorter"):
        paired(one, other[1:])


@pytest.mark.parametrize(
    ("only_one", "only_other", "p"),
    [  # twice the tail of a fair coin, by hand
        (1, 7, 2 * (1 + 8) / 2**8),
        (10, 2, 2 * (1 + 12 + 66) / 2**12),
        (5, 0, 2 / 2**5),
        (0, 0, 1),
        (4, 4, 1),
    ],
)
def test_the_exact_test_of_mcnemar(only_one: int, only_other: int, p: float) -> None:
    assert Paired(100, only_one, only_other).p == pytest.approx(p)


def test_the_interval_of_bonett_and_price() -> None:
    """Fagerland, Lydersen and Laake 2014 (Statistics in Medicine 33, 2850): 21 pairs, 1 and 7 of them uneven."""
    rate = Paired(21, 1, 7).rate
    assert rate == (pytest.approx(-6 / 21), pytest.approx(-0.508, abs=6e-4), pytest.approx(-0.013, abs=6e-4))
    same = Paired(2000, 0, 0).rate
    assert same.low is not None and same.high is not None
    assert same.value == 0 and same.low < 0 < same.high
    assert Paired(5, 5, 0).rate.high == 1


def test_a_large_split_is_no_trouble() -> None:
    assert Paired(20_000, 10_000, 9_000).p < 1e-10


# ---- many games


ROWS = [
    Row(1, True, "bunker", 2, 30, (5, 3), (40, 35), ((4, 4), (6, 2))),
    Row(2, False, "abyss", 1, 10, (0, 3), (9, 12), ((4, 4),), faults=2),
    Row(3, False, "abyss", 3, 50, (0, 0), (8, 7), ((4, 4), (1, 1), (2, 1))),
]


def tally(rows: list[Row]) -> Tally:
    found = Tally()
    for row in rows:
        found.add(row)
    return found


def test_games_are_tallied() -> None:
    found = tally(ROWS)
    assert (found.games, found.wins, found.win_rate.value) == (3, 1, 1 / 3)
    assert found.causes() == {"abyss": 2, "bunker": 1}
    assert found.causes(won=False) == {"abyss": 2}
    assert found.causes(won=True) == {"bunker": 1}
    assert found.turns == count(2, 1, 3)
    assert found.decisions == count(30, 10, 50)
    assert found.left == count(8)  # of games won only
    assert found.points == count(35, 9, 7)  # the weakest Unit's (F-OPT-VP-04)
    assert found.course == [count(8, 8, 8), count(8, 2), count(3)]
    assert found.faults == 2


def test_the_order_of_games_changes_nothing() -> None:
    assert tally(ROWS) == tally(ROWS[::-1])


def test_rows_come_back_as_they_were_written() -> None:
    assert from_lines(to_lines(ROWS)) == ROWS
    assert to_lines(ROWS).count(b"\n") == 3
