"""Answers by layers: rules, Sector, scenario, Specialist, Item, Award; within a layer add, cap, set."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beachhead.core.order import LAYERS, MODES
from beachhead.core.questions import Contribution, answer, explain


def voice(layer: str, mode: str, value: int, source: str = "card") -> Contribution:
    return Contribution(layer, mode, value, source, "S-PRECEDENCE-01")


voices = st.builds(
    Contribution,
    st.sampled_from(LAYERS),
    st.sampled_from(MODES),
    st.integers(-9, 9),
    st.sampled_from(("a", "b", "c")),
    st.just("S-PRECEDENCE-01"),
)


def test_the_printed_order_of_precedence() -> None:
    assert LAYERS == ("rules", "sector", "scenario", "specialist", "item", "award")
    assert MODES == ("by", "at_most", "set")


def test_nobody_has_a_say() -> None:
    assert answer(12, []) == 12


def test_reductions_add_up() -> None:
    assert answer(12, [voice("item", "by", -7), voice("specialist", "by", -2), voice("item", "by", 1)]) == 4


@pytest.mark.parametrize(("lower", "higher"), list(pairwise(LAYERS)))
def test_a_later_layer_has_the_last_word(lower: str, higher: str) -> None:
    for order in (1, -1):
        assert answer(9, [voice(lower, "set", 1), voice(higher, "set", 2)][::order]) == 2
        assert answer(9, [voice(lower, "set", 1), voice(higher, "by", 2)][::order]) == 3
        assert answer(9, [voice(lower, "by", 2), voice(higher, "set", 1)][::order]) == 1
        assert answer(9, [voice(lower, "at_most", 4), voice(higher, "by", 2)][::order]) == 6


def test_within_a_layer_reductions_come_before_the_cap_and_the_cap_before_set() -> None:
    add, cap, fix = voice("item", "by", 3), voice("item", "at_most", 10), voice("item", "set", 7)
    for order in (1, -1):
        assert answer(9, [add, cap][::order]) == 10
        assert answer(9, [add, fix][::order]) == 7
        assert answer(20, [cap, fix][::order]) == 7
        assert answer(20, [voice("item", "at_most", 5), fix][::order]) == 7


def test_a_cap_only_lowers() -> None:
    assert answer(3, [voice("item", "at_most", 5)]) == 3
    assert answer(8, [voice("item", "at_most", 5), voice("item", "at_most", 6)]) == 5


def test_the_floor_is_applied_once_at_the_end() -> None:
    assert answer(3, [voice("sector", "by", -5)]) == 0
    assert answer(3, [voice("sector", "by", -5), voice("award", "by", 4)]) == 2
    assert answer(3, [voice("sector", "by", -5)], floor=-9) == -2
    assert answer(3, [voice("sector", "by", -5)], floor=1) == 1


def test_an_answer_names_its_contributors_in_the_order_in_which_they_spoke() -> None:
    bazooka, sapper = voice("item", "by", -7, "bazooka"), voice("specialist", "by", -1, "sapper")
    told = explain(12, "sector 7", "F-DEF-01", [bazooka, sapper])
    assert told.value == 4
    assert told.contributions == (Contribution("rules", "set", 12, "sector 7", "F-DEF-01"), sapper, bazooka)


@given(st.integers(-9, 20), st.lists(voices, max_size=6), st.integers(-20, 3))
def test_the_explanation_adds_up_to_the_answer(base: int, said: list[Contribution], floor: int) -> None:
    told = explain(base, "sector", "F-DEF-01", said, floor)
    first, *others = told.contributions
    assert told.value == answer(base, said, floor) == answer(first.value, others, floor)
    assert sorted(others) == sorted(said)
    assert told.value >= floor


@given(st.integers(-9, 20), st.lists(voices, max_size=6), st.randoms(use_true_random=False))
def test_the_order_in_which_cards_are_looked_up_does_not_matter(
    base: int, said: list[Contribution], random: Random
) -> None:
    """Unless two cards of one layer each set a value; no two such cards meet."""
    fixed = [one.layer for one in said if one.mode == "set"]
    said = [one for one in said if one.mode != "set" or fixed.count(one.layer) == 1]
    shuffled = random.sample(said, len(said))
    assert answer(base, said) == answer(base, shuffled)
