"""Positions and rolls as one line of text."""

from __future__ import annotations

from random import Random

import pytest

from beachhead.bots import random_answer
from beachhead.core.chance import sample, seed_from
from beachhead.core.errors import BeachheadError, RecordError
from beachhead.core.node import Answer, Ask, Over, Roll
from beachhead.landing.codec import read_position, write_position
from beachhead.landing.dice import HOME, read_roll, write_roll
from beachhead.landing.game import MACHINE, new
from beachhead.landing.world import Setup, world_of


@pytest.mark.parametrize("edition", ["first", "second"])
@pytest.mark.parametrize("seats", [1, 3])
def test_every_state_of_random_games_is_one_line_and_back(edition: str, seats: int) -> None:
    for seed in range(6):
        g, _ = new(world_of(Setup(edition, seats=seats)))
        rng, dice = Random(seed), seed_from(str(seed))
        while True:
            line = write_position(g)
            assert "\n" not in line
            back = read_position(line)
            assert back == g
            assert write_position(back) == line
            node = MACHINE.node(g)
            if isinstance(node, Over):
                break
            if isinstance(node, Roll):
                MACHINE.apply(g, sample(dice, node))
            else:
                assert isinstance(node, Ask)
                seat = rng.choice(node.seats)
                decision = node.decision(seat)
                MACHINE.apply(g, Answer(seat, decision.seq, random_answer(decision, dict, rng)))


def test_a_fresh_table_is_a_short_line_that_people_can_read() -> None:
    g, _ = new(world_of(Setup("first", seats=1)))
    line = write_position(g)
    assert line.startswith("landing first n01-exercise-tiger seats=1 | ")
    assert "pool=" not in line
    assert "U1" in line


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "landing EDITION MAP"),
        ("chess e4", "landing EDITION MAP"),
        ("landing third n01-exercise-tiger seats=1", "unknown edition"),
        ("landing first n99 seats=1", "unknown map"),
        ("landing first n01-exercise-tiger seats=nine", "cannot be read"),
        ("landing first n01-exercise-tiger seats=1 | turn", "name=value"),
        ("landing first n01-exercise-tiger seats=1 | U1 luck=3", "luck"),
        ("landing first n01-exercise-tiger seats=1 | U7 soldiers=3", "cannot be read"),
        ("landing first n01-exercise-tiger seats=1 | U1 dice=R:unicorn", "no face"),
    ],
)
def test_a_position_that_cannot_be_read_says_why(text: str, message: str) -> None:
    with pytest.raises(BeachheadError, match=message):
        read_position(text)


def test_the_roll_of_the_style_guide_is_written_and_read() -> None:
    text = "R:star,skull W:tool,tool B:courage,soldier2"
    faces, colours, locked = read_roll(text)
    assert (faces, colours, locked) == ((1, 0, 5, 5, 4, 3), HOME, 0)
    assert write_roll(faces, colours) == text


def test_locked_dice_carry_a_star() -> None:
    text = "R:star*,skull W:tool,tool* B:courage,soldier2"
    faces, colours, locked = read_roll(text)
    assert locked == 0b001001
    assert write_roll(faces, colours, locked) == text


def test_a_roll_of_five_dice_leaves_a_place_empty() -> None:
    faces, colours, _ = read_roll("R:star W:tool,tool B:courage,soldier2")
    assert sorted(colours) == list(HOME)
    assert faces.count(-1) == 1
    assert write_roll(faces, colours) == "R:star W:tool,tool B:courage,soldier2"


@pytest.mark.parametrize("text", ["R:", "X:star", "R:star,star,star,star,star,star,star", "R star"])
def test_a_roll_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BeachheadError):
        read_roll(text)


def test_refusals_of_positions_are_record_errors() -> None:
    with pytest.raises(RecordError):
        read_position("landing")
