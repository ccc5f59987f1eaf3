"""The bot thumb: it wins, it always comes to an end, and it needs nothing but what its seat sees."""

from __future__ import annotations

import json
from itertools import product
from random import Random
from typing import Any

import pytest

from beachhead.bots import Bot, View, bot
from beachhead.bots.judgement import Who, plan, world_of
from beachhead.bots.look import Look, chance_of
from beachhead.bots.tally import (
    DICE,
    HOME,
    OnTable,
    Outlook,
    Tastes,
    mask_of,
    pairs_of,
    steps,
    tool_steps,
    value,
)
from beachhead.bots.thumb import ANSWERS, thumb_answer
from beachhead.core.node import Ask, Decision
from beachhead.games import GAMES
from beachhead.landing.game import MACHINE, QUESTIONS
from beachhead.landing.position import Position, UnitAt, position
from beachhead.landing.world import Setup, World
from beachhead.landing.world import world_of as landing_world
from beachhead.sim.runner import Played, game_seed, play

THUMB, RANDOM = bot("thumb"), bot("random")
TIGER = "n01-exercise-tiger"


def game(bots: list[Bot], number: int, edition: str = "first", **more: Any) -> Played:
    setup = {"edition": edition, "map": TIGER, "seats": len(bots), **more}
    return play(GAMES["landing"], setup, bots, game_seed(3, number))


# ---- whole games


@pytest.mark.parametrize("edition", ["first", "second"])
@pytest.mark.parametrize(("seats", "games"), [(1, 8), (4, 2)])
def test_it_wins_exercise_tiger(edition: str, seats: int, games: int) -> None:
    wins = sum(game([THUMB] * seats, number, edition).over.won for number in range(1, games + 1))
    assert wins >= games * 3 // 4


@pytest.mark.parametrize("level", ["practice-run", "basic-training", "advanced-training"])
def test_it_plays_every_level(level: str) -> None:
    for seats in (1, 2):
        assert game([THUMB] * seats, 1, level=level).turns > 3


@pytest.mark.parametrize(
    ("edition", "options"),
    [
        ("first", ["mulligan", "well-equipped", "blind-start", "victory-points"]),
        ("first", ["bazooka-joe", "bazooka-joe-specialists"]),
        ("second", ["mulligan", "few-good-men", "victory-points"]),
        ("second", ["blind-start", "bazooka-joe", "bazooka-joe-specialists"]),
    ],
)
def test_it_plays_every_option(edition: str, options: list[str]) -> None:
    for seats in (1, 3):
        assert game([THUMB] * seats, 2, edition, options=options).turns > 3


@pytest.mark.parametrize("edition", ["first", "second"])
def test_it_answers_whatever_a_random_comrade_brings_about(edition: str) -> None:
    for number in range(1, 7):
        game([THUMB, RANDOM, THUMB, RANDOM], number, edition, options=["bazooka-joe"])


def test_it_does_not_ask_for_ever_where_nobody_agrees() -> None:
    def refuse(decision: Decision, view: View, rng: Random) -> str:
        return "refuse" if "refuse" in decision.keys else thumb_answer(decision, view, rng)

    stubborn = Bot("stubborn", "agrees to nothing", refuse)
    for number in (1, 2):
        assert game([THUMB, stubborn, THUMB], number).decisions < 5_000


@pytest.mark.parametrize("edition", ["first", "second"])
def test_the_view_as_it_comes_over_a_wire_is_all_it_needs(edition: str) -> None:
    def far_away(decision: Decision, view: View, rng: Random) -> str:
        return thumb_answer(decision, lambda: json.loads(json.dumps(view())), rng)

    near = game([THUMB, THUMB], 4, edition)
    assert game([Bot("far", "sees plain data", far_away)] * 2, 4, edition).answers == near.answers


# ---- single answers


def decision(name: str, *keys: str, source: str = "") -> Decision:
    return Decision(0, 1, "one", name, keys, "F-MOVE-01", source)


def view_of(unit: UnitAt, phase: str, edition: str = "first") -> tuple[Decision, dict[str, Any]]:
    """The first question of a Unit that stands alone at this position, and its view."""
    world: World = landing_world(Setup(edition, TIGER, 1))
    g = position(world, Position((unit,), turn=5, phase=phase))
    MACHINE.start(g)
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    return node.decision(0), MACHINE.view(g, 0)


def answer(unit: UnitAt, phase: str, edition: str = "first") -> str:
    asked, seen = view_of(unit, phase, edition)
    return thumb_answer(asked, lambda: seen, Random(1))


def test_its_rules_are_for_questions_that_there_are() -> None:
    assert set(ANSWERS) <= set(QUESTIONS)


def test_a_question_without_a_rule_is_answered_with_nothing_where_that_can_be_done() -> None:
    _, seen = view_of(UnitAt(sector="2", courage=3), "move")
    assert thumb_answer(decision("new", "boom", "skip"), lambda: seen, Random(1)) == "skip"
    assert thumb_answer(decision("new", "boom", "bang"), lambda: seen, Random(1)) in ("boom", "bang")


@pytest.mark.parametrize("seen", [{"game": "chess"}, {"game": "landing", "map": "mars"}])
def test_in_a_world_that_it_does_not_know_any_answer_will_do(seen: dict[str, Any]) -> None:
    seen = {"edition": "first", "units": [{}], "phase": "roll", **seen}
    found = {thumb_answer(decision("move", "a", "b"), lambda: seen, Random(n)) for n in range(30)}
    assert found == {"a", "b"}


def test_it_stays_where_the_dice_bring_more_than_the_combat_takes() -> None:
    # DEF 4 against some eight Soldiers a turn
    assert answer(UnitAt(sector="2", marker="2 chevrons", soldiers=20, courage=5), "move") == "stay"


def test_it_goes_on_where_the_combat_takes_more() -> None:
    # DEF 10 and Machine Gun Fire here, and 40 Soldiers are plenty for the Bunker
    unit = UnitAt(sector="9", visited=("9",), marker="2 chevrons", soldiers=40, courage=6)
    assert answer(unit, "move") == "move:B"


def test_it_does_not_run_into_certain_death() -> None:
    # the Bunker takes 13 or more; here it is 11 if the die is kind
    unit = UnitAt(sector="9", visited=("9",), marker="2 chevrons", soldiers=12, courage=6)
    assert answer(unit, "move") != "move:B"


def test_soldiers_fall_before_specialists() -> None:
    _, seen = view_of(UnitAt(sector="2", soldiers=9, cards=("corporal", "medic"), courage=3), "move")
    keys = ("fall:none", "fall:corporal", "fall:medic")
    assert thumb_answer(decision("casualties", *keys), lambda: seen, Random(1)) == "fall:none"


def test_it_rallies_early_and_takes_who_pays_every_turn() -> None:
    unit = UnitAt(sector="2", marker="2 chevrons", soldiers=9, stars=4, courage=1)
    assert answer(unit, "acquire").startswith("rally:")


def test_six_pairs_of_soldiers_are_not_rolled_again() -> None:
    _, seen = view_of(UnitAt(sector="2", soldiers=9, courage=3), "move")
    seen["phase"], seen["units"][0]["faces"] = "roll", [3] * 6
    keys = ("stop", *(f"roll:{die}" for die in DICE))
    assert thumb_answer(decision("reroll", *keys), lambda: seen, Random(1)) == "stop"


def test_lone_skulls_are_rolled_again() -> None:
    _, seen = view_of(UnitAt(sector="2", soldiers=9, courage=3), "move")
    seen["phase"], seen["units"][0]["faces"] = "roll", [0, 0, 3, 3, 3, 3]
    keys = ("stop", *(f"roll:{names}" for names in ("R1", "R2", "R1,R2", "W1", "R1,W1")))
    assert thumb_answer(decision("reroll", *keys), lambda: seen, Random(1)) == "roll:R1,R2"


@pytest.mark.parametrize(("sector", "expected"), [("9", "done"), ("B", "use:bazooka")])
def test_a_card_against_any_def_is_kept_for_the_bunker(sector: str, expected: str) -> None:
    _, seen = view_of(UnitAt(sector=sector, visited=(sector,), soldiers=60, cards=("bazooka",)), "acquire")
    seen["phase"] = "combat"
    assert thumb_answer(decision("window", "done", "use:bazooka"), lambda: seen, Random(1)) == expected


# ---- what it goes by


def test_the_chance_of_pips() -> None:
    assert chance_of(0, 0) == 1
    assert chance_of(0, 1) == 0
    assert chance_of(1, 5) == pytest.approx(2 / 6)
    assert chance_of(2, 12) == pytest.approx(1 / 36)
    assert chance_of(2, 11) == pytest.approx(3 / 36)


def test_the_way_ahead_leads_to_the_bunker_and_costs_what_is_printed() -> None:
    key = ("first", TIGER, 1, "")
    nobody = Who(frozenset(), 3.5, 0.0)
    found = plan(key, "9", 0, 1, frozenset("9"), nobody)
    # sideways to 10 or straight on; both end in the Bunker for 4 Courage
    assert (found.advances, found.courage, found.first) == (1, 4, 4)
    whole = plan(key, "1", 2, 0, frozenset("1"), nobody)
    assert (whole.advances, whole.courage) == (5, 12)
    assert whole.next == "1", "DEF 2 is less than what the dice bring"
    assert whole.worst == 12


def test_a_unit_can_stay_as_its_marker_says() -> None:
    for marker, phase, stays in (("2 chevrons", "move", 2), ("3 chevrons", "move", 1), ("must move", "move", 0)):
        _, seen = view_of(UnitAt(sector="2", marker=marker, courage=5), phase)
        assert Look(seen, 0).stays_of(seen["units"][0]) == stays


def tastes(**more: Any) -> Tastes:
    scale = (steps(0.0), steps(1.7, 4, 0.61), steps(0.0, 0, 1.0), steps(0.0, 0, 2.03), steps(1.47, 2, 0.4))
    return Tastes((*scale, tool_steps(0.26, 1)), (9.0, 4.1, 8.0, 6.2, 5.3, 3.7), 12.0, **more)


@pytest.mark.parametrize("more", [{}, {"strict": True}, {"skulls_ignored": 1}])
def test_the_quick_value_of_dice_is_the_value_of_dice(more: dict[str, Any]) -> None:
    taste, rng = tastes(**more), Random(5)
    quick = Outlook(taste)
    for _ in range(3_000):
        faces = [rng.randrange(-1, 6) if rng.random() < 0.2 else rng.randrange(6) for _ in range(6)]
        dice = [(face, HOME[place]) for place, face in enumerate(faces) if face >= 0]
        assert quick.final(pairs_of(faces)) == pytest.approx(value(taste, dice)), faces


def test_what_tallies_are_worth() -> None:
    taste = tastes()
    # red, white, blue 2-Soldiers: 6 Soldiers and Fresh Troops
    assert value(taste, [(3, 0), (3, 1), (3, 2)]) == pytest.approx(3 * 2.03 + 6.2)
    # a Skull cancels the Star, which is worth least
    assert value(taste, [(0, 0), (3, 1), (1, 2)]) == pytest.approx(2.03)
    # three Skulls of three colours cancel nothing
    assert value(taste, [(0, 0), (0, 1), (0, 2), (1, 2)]) == pytest.approx(9.0 + 1.7)
    # a Straight: in the second edition its Skull cancels nothing, in the first it takes the least, one Tool
    straight = [(face, HOME[face]) for face in range(6)]
    whole = 12.0 + 1.7 + 1.0 + 2.03 + 1.47 + 0.26 * 2
    assert value(tastes(strict=True), straight) == pytest.approx(whole)
    assert value(taste, straight) == pytest.approx(whole - 0.52)


def test_what_dice_may_become_is_the_mean_of_what_they_become() -> None:
    quick = Outlook(tastes())
    faces = [3, 3, 1, 4, 0, 5]
    rolled = [(*faces[:3], one, *faces[4:5], two) for one, two in product(range(6), repeat=2)]
    expected = sum(quick.final(pairs_of(dice)) for dice in rolled) / 36
    assert quick.expected(pairs_of(faces, mask_of("W2,B2")), 1) == pytest.approx(expected)
    assert quick.expected(pairs_of(faces, mask_of("W2,B2")), 2) > expected


def test_a_map_in_no_pack_is_no_world() -> None:
    assert world_of(("first", "mars", 1, "")) is None


@pytest.mark.parametrize("strict", [False, True])
def test_results_that_are_left_out_bring_no_more(strict: bool) -> None:
    """Of any dice: a result that is not hopeful brings no more than what was asked for."""
    tastes = Tastes(
        (
            steps(0.0),
            steps(1.75, 4, 0.6),
            steps(0.0, 0, 1.0),
            steps(0.0, 0, 2.0),
            steps(1.5, 2, 0.4),
            tool_steps(0.25, 0),
        ),
        (4.0, 6.0, 5.0, 7.5, 6.1, 3.3),
        12.0,
        strict=strict,
    )
    rng, outlook = Random(7), Outlook(tastes)
    left_out = 0
    for _ in range(300):
        faces, colours = [rng.randrange(6) for _ in range(6)], [rng.randrange(3) for _ in range(6)]
        beside = tuple((rng.randrange(6), rng.randrange(4)) for _ in range(rng.randrange(3)))
        table = OnTable(outlook, faces, colours, 0, beside, rng.random() < 0.8)
        enough, place = rng.choice((0.0, 0.3, 4.0)), rng.randrange(6)
        results = [(face, colour) for face in range(6) for colour in range(3)]
        for result in {*results} - {*table.hopeful(place, results, enough)}:
            left_out += 1
            assert table.with_die(place, result) <= enough
    assert left_out > 1000
