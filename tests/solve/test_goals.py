"""Goals: what a Final Tally is worth, by the examples of the rules and by counting dice one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random

import pytest

from beachhead.core.errors import BeachheadError
from beachhead.landing.dice import COLOUR, FACE, HOME, SKULL, item_points, read_roll, rwb_counts
from beachhead.solve.goals import TABLED, Result, goal, values
from beachhead.solve.turn import SIX

from .dice import numbers, shape


def worth(text: str, roll: str, skulls: str = "ignore", extra: Sequence[Result] = (), strict: bool = False) -> float:
    faces, colours, _ = read_roll(roll)
    assert colours == HOME
    return float(values(goal(text), SIX, skulls, extra, strict)[numbers(faces, SIX)])


# ---------------------------------------------------------------------- examples


@pytest.mark.rule("S-ROLL-04")
def test_the_sample_roll_of_the_second_edition() -> None:
    """Three single and two double Soldiers, and a Tool."""
    roll = "R:soldier1,soldier2 W:soldier1,tool B:soldier1,soldier2"
    assert worth("max-soldiers", roll, "cancel") == 7
    assert worth("max-item-points", roll, "cancel") == 1
    assert worth("rwb:soldier", roll, "cancel") == 1
    assert worth("two-rwb", roll) == 0


@pytest.mark.rule("F-STRAIGHT-01", "F-STRAIGHT-03", "S-STRAIGHT-03")
def test_a_straight_of_any_colours_is_not_spoilt_by_its_skull() -> None:
    roll = "R:skull,star W:soldier1,soldier2 B:courage,tool"
    assert worth("straight", roll, "cancel") == 1
    assert worth("max-soldiers", roll, "cancel") == 3
    assert worth("max-item-points", roll, "cancel") == 1
    assert worth("straight", roll.replace("tool", "star")) == 0


@pytest.mark.rule("F-RESULT-02", "F-RESULT-03")
def test_skulls_cancel_other_dice_and_no_skulls() -> None:
    """Four Skulls, no Dead Man's Gift: both other dice go, two Skulls are idle."""
    roll = "R:skull,skull W:skull,skull B:soldier1,tool"
    for text in ("max-soldiers", "max-item-points"):
        assert worth(text, roll, "cancel") == 0
        assert worth(text, roll) == 1
    assert worth("skull>=4", roll, "cancel") == 1


@pytest.mark.rule("F-RESULT-02")
def test_the_player_chooses_what_a_skull_cancels() -> None:
    roll = "R:skull,soldier1 W:soldier2,soldier2 B:soldier2,tool"
    assert worth("max-soldiers", roll, "cancel") == 7
    assert worth("max-item-points", roll, "cancel") == 1
    assert worth("soldiers>=7", roll, "cancel") == 1
    both = "R:skull,soldier1 W:skull,soldier2 B:soldier2,tool"
    assert worth("max-soldiers", both, "cancel") == 4
    assert worth("tool>=1", both, "cancel") == 1


@pytest.mark.rule("F-RWB-08")
def test_the_skulls_of_a_dead_mans_gift_cancel_nothing() -> None:
    roll = "R:skull,tool W:skull,tool B:skull,tool"
    assert worth("max-item-points", roll, "cancel") == 6
    assert worth("rwb:skull", roll, "cancel") == worth("rwb:tool", roll, "cancel") == worth("two-rwb", roll) == 1
    fourth = "R:skull,skull W:skull,tool B:skull,tool"
    assert worth("max-item-points", fourth, "cancel") == 1
    assert worth("rwb", fourth, "cancel") == 1


@pytest.mark.rule("F-RWB-01", "F-RWB-04", "F-RWB-07")
def test_an_rwb_needs_three_colours_and_dice_that_are_not_cancelled() -> None:
    assert worth("rwb", "R:star,star W:star,tool B:tool,courage") == 0
    roll = "R:star,skull W:star,skull B:star,tool"
    assert worth("rwb:star", roll) == 1
    assert worth("rwb:star", roll, "cancel") == 0
    assert worth("rwb:star", roll.replace("W:star,skull", "W:star,tool"), "cancel") == 1
    assert worth("two-rwb", "R:tool,tool W:tool,tool B:tool,tool") == 1
    assert worth("two-rwb", "R:tool,star W:tool,star B:star,tool") == 1


@pytest.mark.rule("F-TOOL-01", "F-TOOL-02")
def test_tools_are_item_points() -> None:
    for n, points in enumerate((0, 1, 3, 6, 12, 24, 48)):
        shown = ["tool"] * n + ["star"] * (6 - n)
        roll = f"R:{shown[0]},{shown[1]} W:{shown[2]},{shown[3]} B:{shown[4]},{shown[5]}"
        assert worth("max-item-points", roll) == points
        assert worth(f"tool>={n}", roll) == 1
        assert worth(f"tool>={n + 1}", roll) == 0
    scout = [(FACE["tool"], COLOUR["none"])]
    assert worth("max-item-points", "R:tool,tool W:tool,tool B:tool,tool", extra=scout) == 72


@pytest.mark.rule("F-RESULT-04", "F-RWB-05", "F-RWB-06", "F-STRAIGHT-04", "S-STRAIGHT-02")
def test_results_beside_the_dice() -> None:
    none, red = COLOUR["none"], COLOUR["red"]
    tool, skull = FACE["tool"], FACE["skull"]
    all_skulls = "R:skull,skull W:skull,skull B:tool,tool"
    assert worth("max-item-points", all_skulls, "cancel", [(tool, none)]) == 1
    assert worth("max-item-points", "R:tool,star W:star,star B:star,star", "cancel", [(skull, none)]) == 1
    assert worth("max-item-points", "R:tool,tool W:tool,tool B:tool,tool", "cancel", [(skull, none)]) == 24
    two = "R:star,star W:tool,star B:tool,courage"
    assert worth("rwb:tool", two, extra=[(tool, none)]) == 0
    assert worth("rwb:tool", two, extra=[(tool, red)]) == 1
    five = "R:skull,star W:soldier1,soldier2 B:courage,courage"
    assert worth("straight", five, extra=[(tool, none)]) == 1
    assert worth("straight", five, extra=[(tool, none)], strict=True) == 0
    assert worth("straight", five, extra=[(tool, red)], strict=True) == 1


# ---------------------------------------------------------------------- one by one

LOOKS: dict[str, Callable[[list[int], list[int]], float]] = {
    "rwb": lambda counts, rwbs: sum(rwbs) >= 1,
    "two-rwb": lambda counts, rwbs: sum(rwbs) >= 2,
    "rwb:tool": lambda counts, rwbs: rwbs[FACE["tool"]] >= 1,
    "courage>=2": lambda counts, rwbs: counts[FACE["courage"]] >= 2,
    "soldiers>=4": lambda counts, rwbs: counts[FACE["soldier1"]] + 2 * counts[FACE["soldier2"]] >= 4,
    "max-soldiers": lambda counts, rwbs: counts[FACE["soldier1"]] + 2 * counts[FACE["soldier2"]],
    "max-item-points": lambda counts, rwbs: item_points(counts[FACE["tool"]]),
}


@pytest.mark.parametrize("text", LOOKS)
@pytest.mark.parametrize("extra", [(), ((FACE["tool"], COLOUR["none"]), (SKULL, COLOUR["white"]))])
def test_skulls_cancel_the_best_way_there_is(text: str, extra: tuple[Result, ...]) -> None:
    rng = Random(text)
    table = values(goal(text), SIX, "cancel", extra)
    for _ in range(300):
        faces = tuple(rng.choices(range(6), weights=(3, 1, 1, 1, 1, 2), k=6))
        active = faces.count(SKULL) + sum(face == SKULL for face, _ in extra)
        active -= 3 * rwb_counts(faces, HOME, 0, extra)[SKULL]
        targets = [place for place in range(6) if faces[place] != SKULL]
        best = 0.0
        for gone in combinations(targets, min(active, len(targets))):
            out = sum(1 << place for place in gone)
            results = [faces[place] for place in range(6) if place not in gone] + [face for face, _ in extra]
            counts = [results.count(face) for face in range(6)]
            best = max(best, float(LOOKS[text](counts, rwb_counts(faces, HOME, out, extra))))
        assert table[numbers(faces, SIX)] == best, faces


# ---------------------------------------------------------------------- texts


@pytest.mark.parametrize("text", TABLED)
def test_every_goal_of_the_table_is_one(text: str) -> None:
    found = values(goal(text))
    assert found.shape == shape(SIX)
    assert found.max() > 0
    assert not goal(text).chance or set(found.ravel()) == {0.0, 1.0}


def test_soldier_is_another_word_for_its_face() -> None:
    for one, other in (("soldier>=2", "soldier1>=2"), ("rwb:soldier", "rwb:soldier1")):
        assert (values(goal(one)) == values(goal(other))).all()
    assert (values(goal("soldier>=2")) != values(goal("soldiers>=2"))).any()


@pytest.mark.parametrize(
    "text",
    ["", "straights", "rwb:gun", "rwb:", "tool>=", "tool>=x", "tool>=-1", "gun>=2", "max-tool", "rwb>=2", "tool:2"],
)
def test_an_unknown_goal_is_told(text: str) -> None:
    with pytest.raises(BeachheadError, match="is no goal: expected straight"):
        goal(text)


def test_another_way_of_skulls_is_told() -> None:
    with pytest.raises(BeachheadError, match="expected ignore or cancel"):
        values(goal("rwb"), skulls="maybe")
