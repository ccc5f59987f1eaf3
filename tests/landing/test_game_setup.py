"""A setup comes from command lines and records: whatever is in it, a wrong one is told in one clear message."""

from __future__ import annotations

from typing import Any

import pytest

from beachhead.core.errors import SetupError
from beachhead.landing.game import GAME, plain_setup, setup_of
from beachhead.landing.world import Setup


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        ({"edition": "third"}, "unknown edition 'third': expected one of first, second"),
        ({"edition": 1}, "'edition' is 1: expected text"),
        ({"map": "n01-exercise-tigre"}, "did you mean 'n01-exercise-tiger'"),
        ({"map": None}, "'map' is null: expected text"),
        ({"seats": 0}, "0 seats: expected 1 to 4"),
        ({"seats": 5}, "5 seats: expected 1 to 4"),
        ({"seats": True}, "expected a whole number"),
        ({"seats": "2"}, "expected a whole number"),
        ({"nations": 5}, "expected a list of names"),
        ({"nations": ["allies", 3]}, "expected a list of names"),
        ({"nations": None}, "expected a list of names"),
        ({"nations": ["uk"]}, "unknown nation 'uk'"),
        ({"edition": "second", "seats": 2, "nations": ["uk", "uk"]}, "different country"),
        ({"seats": 1, "nations": ["allies", "allies"]}, "at most one per seat"),
        ({"switches": [1]}, "expected names"),
        ({"switches": {"special_find": []}}, "expected names"),
        ({"switches": {"special_find": "everywhere"}}, "expected unlisted, used or pool"),
        ({"switches": {"special_find": True}}, "expected text"),
        ({"switches": {"marker_phase": "yes"}}, "expected true or false"),
        ({"switches": {"luck": True}}, "unknown switch 'luck'"),
        ({"modules": 7}, "expected a list of names"),
        ({"modules": ["weather"]}, "unknown module 'weather'"),
        ({"colour": "red"}, "unknown setup key 'colour'"),
    ],
)
def test_a_wrong_setup_is_refused_with_what_was_expected(setup: dict[str, Any], message: str) -> None:
    with pytest.raises(SetupError, match=message):
        GAME.new(setup)


def test_a_setup_survives_the_way_through_a_header() -> None:
    setup = Setup("second", seats=2, nations=("usa", "uk"), switches=(("special_find", "pool"),))
    assert setup_of(plain_setup(setup)) == setup
    assert setup_of({"edition": "second", "seats": 2, "switches": {"special_find": "pool"}}).switches == (
        ("special_find", "pool"),
    )
