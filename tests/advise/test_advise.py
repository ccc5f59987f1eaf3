"""Advice: every answer once, best first, honest about what is known; from what the seat may see alone."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from typing import Any

import pytest

from beachhead.advise import Advice, advise
from beachhead.advise.ahead import Ahead, played_out
from beachhead.advise.engine import wilson
from beachhead.bots.values import START, Values, valuer
from beachhead.core.node import Answer, Ask, Decision
from beachhead.landing.dice import SKULL
from beachhead.landing.game import MACHINE
from beachhead.landing.position import TALLY, Position, UnitAt, position
from beachhead.landing.state import RESOURCES, Landing
from beachhead.landing.world import Setup, world_of
from beachhead.say import speaking

from ..toys.hidden_hand import GAME as HIDDEN
from .games import PRACTICE, TIGER, asked, best, by, solved

FOUR = {**TIGER, "seats": 4}
SECOND = {"edition": "second", "map": "n01-exercise-tiger", "seats": 2}


def given(g: Landing, decision: Decision, state: bool = True, limit: float = 0.05) -> Advice | None:
    return advise(decision, lambda: MACHINE.view(g, decision.seat), limit, MACHINE.clone(g) if state else None)


def check(found: Advice | None, decision: Decision) -> Advice:
    assert found is not None, decision
    assert (found.seat, found.seq, found.question) == (decision.seat, decision.seq, decision.name)
    assert sorted(option.key for option in found.options) == sorted(decision.keys)
    assert all(later.value <= one.value + 1e-11 for one, later in pairwise(found.options))
    for option in found.options:
        assert 0 <= option.low <= option.value <= option.high <= 1, option
    assert found.why and all(found.why)
    return found


def question(g: Landing) -> Decision:
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    return node.decision(0)


# ---------------------------------------------------------------------- several Units


def test_one_lost_unit_loses_for_all_and_the_adviser_says_so() -> None:
    """The same Unit before its move: beside a comrade of thirty Soldiers who lacks nothing, and beside one of two, whom
    the next combat takes. There it is best to share.
    """
    at = UnitAt(sector="2", visited=("1", "2"), soldiers=20, courage=3, marker="2 chevrons")
    told = []
    for soldiers in (30, 2):
        comrade = UnitAt(sector="2", visited=("1", "2"), soldiers=soldiers, courage=3)
        g = position(world_of(Setup("first", TIGER["map"], 2)), Position((at, comrade), turn=4, phase="move"))
        MACHINE.start(g)
        decision = question(g)
        told.append(check(given(g, decision, limit=1.0), decision))
    strong, weak = told
    assert strong.how == weak.how == "learned"
    assert weak.options[0].key == "trade:U2" and strong.options[0].key != "trade:U2"
    stay = [next(one.value for one in found.options if one.key == "stay") for found in told]
    assert stay[1] < 0.5 * stay[0]


# ---------------------------------------------------------------------- exact


def test_a_solved_game_is_told_exactly() -> None:
    table = solved()
    names = set()
    for g, decision in asked(PRACTICE, "exact", by("thumb")):
        found = check(given(g, decision), decision)
        assert found.how == "exact"
        assert {one.key: one.value for one in found.options} == pytest.approx(dict(table.answers(g)))
        assert all(one.low == one.value == one.high for one in found.options)
        names.add(decision.name)
    assert {"lock", "reroll", "move"} <= names


def test_what_dice_bring_is_what_comes_when_they_are_taken() -> None:
    """Who stops rolling knows what the tally brings: the engine records it."""
    table = solved()
    stops = 0
    for g, decision in asked(PRACTICE, "brings", by("thumb"), 60):
        if decision.name != "reroll":
            continue
        found = check(given(g, decision), decision)
        told = dict(next(one for one in found.options if one.key == "stop").gives)
        then = MACHINE.clone(g)
        MACHINE.apply(then, Answer(0, decision.seq, "stop"))
        while then.phase in ("roll", "upkeep") and isinstance(node := MACHINE.node(then), Ask):
            MACHINE.apply(then, Answer(0, node.decision(0).seq, table.answers(then)[0].key))
        assert told == {
            "soldiers": then.units[0].soldiers - g.units[0].soldiers,
            "courage": then.units[0].courage - g.units[0].courage,
        }
        stops += 1
    assert stops > 10


def test_a_lock_brings_what_the_best_roll_after_it_brings() -> None:
    for g, decision in asked(PRACTICE, "lock", best(solved()), 30):
        if decision.name != "lock":
            continue
        first = check(given(g, decision), decision).options[0]
        then = MACHINE.clone(g)
        MACHINE.apply(then, Answer(0, decision.seq, first.key))
        node = MACHINE.node(then)
        assert isinstance(node, Ask)
        roll = check(given(then, node.decision(0)), node.decision(0)).options[0]
        assert roll.value == pytest.approx(first.value)


# ---------------------------------------------------------------------- learned


@pytest.mark.usefixtures("learned")
@pytest.mark.parametrize("setup", [TIGER, FOUR, SECOND], ids=["alone", "four", "second"])
def test_every_question_is_answered_by_learned_values(setup: dict[str, object]) -> None:
    names = set()
    judge = valuer(("any", "any", 1, ""))
    assert isinstance(judge, Values)
    for g, decision in asked(setup, "learned", by("thumb"), 60):
        before = MACHINE.dump(g)
        found = check(given(g, decision), decision)
        assert found.how == "learned" and not found.games
        assert MACHINE.dump(g) == before
        names.add(decision.name)
        moment = "turn" if decision.name == "move" else "upkeep"
        for one in found.options:
            assert (one.low, one.high) == judge.interval(one.value, moment) != (0.0, 1.0)
        if decision.name in ("lock", "reroll"):
            some = [dict(one.gives) for one in found.options if one.key.startswith(("lock:", "roll:", "stop"))]
            assert all(set(one) == {"soldiers", "stars", "courage", "points"} for one in some)
    assert {"lock", "reroll", "move", "acquire"} <= names


@pytest.mark.usefixtures("learned")
def test_a_plain_tally_brings_what_is_recorded() -> None:
    """Without Skulls and bonuses nothing is left to choose: what stopping gives is what upkeep records."""
    stops = 0
    for g, decision in asked(TIGER, "recorded", by("random"), 200):
        unit = g.units[0]
        shown = [set(unit.faces[at : at + 2]) for at in (0, 2, 4)]
        cards = unit.specialists or unit.items or unit.awards
        if decision.name != "reroll" or cards or SKULL in unit.faces or set.intersection(*shown):
            continue
        if g.world.sectors[unit.sector].bonus or g.world.sectors[unit.sector].penalty:
            continue
        found = check(given(g, decision), decision)
        then = MACHINE.clone(g)
        MACHINE.apply(then, Answer(0, decision.seq, "stop"))
        told = dict(next(one for one in found.options if one.key == "stop").gives)
        assert told == {name: getattr(then.units[0], name) - getattr(unit, name) for name in RESOURCES}
        stops += 1
    assert stops


@pytest.mark.usefixtures("learned")
def test_dice_need_nothing_but_the_view() -> None:
    looked = 0
    for g, decision in asked(TIGER, "view", by("thumb"), 40):
        if decision.name in ("lock", "reroll", "move") and not any(key.startswith("use:") for key in decision.keys):
            assert given(g, decision, state=False) == given(g, decision)
            looked += 1
    assert looked > 10


@pytest.mark.usefixtures("learned")
def test_what_a_seat_cannot_see_changes_nothing() -> None:
    """No seed is in a state; what else the view leaves out is no secret, and dice to come are not known."""
    for g, decision in asked(TIGER, "seed", by("thumb"), 25):
        other = MACHINE.clone(g)
        other.drawn = {stream: n + 1000 for stream, n in g.drawn.items()}
        here, there = given(g, decision), given(other, decision)
        assert here is not None and there is not None
        if decision.name in ("lock", "reroll", "move"):
            assert here.options == there.options


@pytest.mark.usefixtures("learned")
def test_a_card_that_lets_a_die_be_rolled_again_is_seen_in_the_dice() -> None:
    """With the Corporal a last die may be rolled again, so what is worst now is worth more than without him."""
    world = world_of(Setup("first", "n01-exercise-tiger", 1))
    unit = UnitAt(sector="2", visited=("1", "2"), cards=("corporal",), dice="R:star,skull* W:tool,tool B:courage,star*")
    g = position(world, Position((unit,), turn=3, phase=TALLY))
    MACHINE.start(g)
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    decision = node.decision(0)
    found = check(given(g, decision), decision)
    assert found.question == "window" and "use:corporal" in decision.keys
    assert {one.key for one in found.options if one.gives} >= {"done", "use:corporal"}


@pytest.mark.rule("F-ROLL-11")
def test_a_single_die_is_judged_where_skulls_stay() -> None:
    """Utah, Sector 6, with a Corporal: a Skull may not be rolled, so the best that he can do is with another die."""
    unit = UnitAt(
        sector="6", visited=("6",), soldiers=20, cards=("corporal",), dice="R:skull,skull W:star,star B:soldier2,tool"
    )
    g = position(world_of(Setup("first", "n03-utah", 1)), Position((unit,), turn=6, phase=TALLY))
    MACHINE.start(g)
    window = check(given(g, question(g)), question(g))
    MACHINE.apply(g, Answer(0, question(g).seq, "use:corporal"))
    dice = check(given(g, question(g)), question(g))
    assert {one.key for one in dice.options} == {"die:W1", "die:W2", "die:B1", "die:B2"}
    assert {one.key: one.value for one in window.options}["use:corporal"] == pytest.approx(dice.options[0].value)


def test_nothing_is_said_where_there_is_nothing_to_choose() -> None:
    for g, decision in asked(PRACTICE, "one", by("thumb"), 1):
        assert given(g, decision._replace(keys=decision.keys[:1])) is None


def test_nothing_is_said_of_a_game_that_is_not_known() -> None:
    state, _ = HIDDEN.new({})
    node = HIDDEN.machine.node(state)
    while not isinstance(node, Ask):
        HIDDEN.machine.apply(state, next(iter(node.outcomes()))[0])  # type: ignore[union-attr]
        node = HIDDEN.machine.node(state)
    decision = node.decisions[0]
    assert advise(decision, lambda: HIDDEN.machine.view(state, decision.seat), state=state) is None


@pytest.mark.usefixtures("learned")
def test_nothing_is_said_where_only_the_engine_could_tell_and_there_is_no_state() -> None:
    """Which Specialist falls is seen through by playing on, which the view alone does not allow."""
    for g, decision in asked(TIGER, "casualties", by("thumb"), 60):
        if decision.name == "casualties":
            assert given(g, decision, state=False) is None
            check(given(g, decision), decision)
            return
    raise AssertionError("nobody fell")


# ---------------------------------------------------------------------- sampled


@pytest.mark.usefixtures("nothing_learned")
def test_where_nothing_was_learned_games_are_played_out() -> None:
    for g, decision in asked(TIGER, "sampled", by("thumb"), 1):
        found = check(given(g, decision), decision)
        assert found.how == "sampled" and found.games > 0
        for one in found.options:
            assert one.value * found.games == pytest.approx(round(one.value * found.games))
            assert (one.low, one.high) == wilson(one.value, found.games)
        assert given(g, decision, state=False) is None


def test_what_is_certain_is_certain_in_games_that_are_played_on() -> None:
    """Moves of a solved game that lose or win in this turn whatever is rolled: all who follow them find the same."""
    table = solved()
    sure = set()
    for seed in range(12):
        for g, decision in asked(PRACTICE, f"sure {seed}", by("random", seed)):
            if decision.name != "move":
                continue
            now = {one.key: one.value for one in table.answers(g) if one.value == 0.0 or one.key == "move:B"}
            means = Ahead(g, decision, START).values(list(now), 5.0)
            full = played_out(g, decision, 0.0)
            for key, value in now.items():
                if value in (0.0, 1.0):
                    after = MACHINE.clone(g)
                    MACHINE.apply(after, Answer(0, decision.seq, key))
                    if after.over:
                        assert means[key].value == full[key].value == value
                        sure.add(value)
    assert 0.0 in sure


def test_the_interval_of_wilson() -> None:
    """Eight of ten, nought of ten, ten of ten, as in any table."""
    assert wilson(0.8, 10) == pytest.approx((0.4902, 0.9433), abs=5e-5)
    assert wilson(0.0, 10) == pytest.approx((0.0, 0.2775), abs=5e-5)
    assert wilson(1.0, 10) == pytest.approx((0.7225, 1.0), abs=5e-5)


# ---------------------------------------------------------------------- words


def test_the_reasons_are_said_in_the_language_that_is_spoken() -> None:
    for g, decision in asked(PRACTICE, "words", by("thumb"), 12):
        if decision.name != "move":
            continue
        found = check(given(g, decision), decision)
        assert found.why[0].startswith(("Stay: ", "Go to Sector ")) and found.why[0].endswith(" %.")
        with speaking("fr"):
            french = given(g, decision)
        assert french is not None and french.options == found.options
        assert french.why[0].startswith(("Rester", "Aller au Secteur "))
        assert "." not in french.why[0].removesuffix(".")


def test_to_import_the_adviser_costs_no_numpy() -> None:
    code = "import sys, beachhead.advise, beachhead.terminal.plain; sys.exit('numpy' in sys.modules)"
    done: Any = subprocess.run([sys.executable, "-c", code], check=False)
    assert done.returncode == 0
