"""The bot exact: what tallies bring, which dice it rolls, and that it needs nothing but what its seat sees."""

from __future__ import annotations

import json
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from beachhead.bots import Bot, View, bot
from beachhead.bots.exact import ANSWERS, answer_with
from beachhead.bots.gains import COLUMNS, Terms, dice_like, gains
from beachhead.bots.sight import Sight
from beachhead.bots.tally import MOST, Outlook, Tastes, codes_of, mask_of, value
from beachhead.bots.values import START, Floats, Standing
from beachhead.core.node import Answer, Ask, Decision
from beachhead.games import GAMES
from beachhead.landing.dice import DICE, FACES, write_roll
from beachhead.landing.game import MACHINE, QUESTIONS
from beachhead.landing.position import TALLY, Position, UnitAt, position, stopped
from beachhead.landing.state import RESOURCES, Landing
from beachhead.landing.world import Setup, world_of
from beachhead.sim.runner import Played, game_seed, play
from beachhead.solve.multisets import ROLL
from beachhead.solve.turn import solve

TIGER = "n01-exercise-tiger"
EXACT, RANDOM = bot("exact"), bot("random")


# ---------------------------------------------------------------------- what a tally brings

WEIGHTS = {"soldiers": 1.0, "stars": 1.7, "courage": 1.3, "points": 0.21}


def best_upkeep(g: Landing, had: dict[str, int]) -> float:
    """The most that any answers in upkeep lead to, by the rules of the engine."""
    if stopped(g):
        unit = g.units[0]
        return sum(WEIGHTS[name] * (getattr(unit, name) - had[name]) for name in RESOURCES)
    node = MACHINE.node(g)
    assert isinstance(node, Ask), node
    decision = node.decision(0)
    keys = ["done"] if decision.name == "window" else list(decision.keys)
    if decision.name in ("award", "find-extra"):
        keys = keys[-1:] if decision.name == "award" else ["skip" if "skip" in keys else "none"]
    found = []
    for key in keys:
        then = MACHINE.clone(g)
        MACHINE.apply(then, Answer(0, decision.seq, key))
        found.append(best_upkeep(then, had))
    return max(found)


def rolls_to_try(many: int) -> list[tuple[int, ...]]:
    """Rolls with Skulls and RWBs among them, and some by chance."""
    rng = Random(7)
    found = [
        (0, 0, 0, 0, 0, 0),
        (0, 3, 0, 3, 0, 3),
        (0, 1, 1, 2, 1, 5),
        (1, 4, 1, 4, 1, 4),
        (1, 2, 1, 2, 1, 5),
        (5, 5, 5, 5, 5, 5),
        (0, 1, 2, 3, 4, 5),
        (2, 0, 2, 0, 2, 3),
        (4, 0, 4, 3, 4, 3),
    ]
    return found + [tuple(rng.choices(range(6), k=6)) for _ in range(many)]


@pytest.mark.rule("F-RESULT-02", "F-RWB-08", "S-STRAIGHT-03")
@pytest.mark.parametrize(("edition", "nation"), [("first", "allies"), ("second", "uk"), ("second", "france")])
@pytest.mark.parametrize("cards", [(), ("sharpshooter",), ("veteran", "chaplain")])
def test_what_tallies_bring_is_what_the_rules_give(edition: str, nation: str, cards: tuple[str, ...]) -> None:
    world = world_of(Setup(edition, TIGER, 1, nations=() if edition == "first" else (nation,)))
    g = position(world, Position((UnitAt(sector="1", cards=cards),), turn=3, phase="move"))
    MACHINE.start(g)
    terms = Sight(MACHINE.view(g, 0), 0, START).terms(False, (2, 2, 2))._replace(award=False)
    assert terms.nation == nation
    known = gains(terms)
    values = known.best(known.rows @ np.array([WEIGHTS.get(name, 0.0) for name in COLUMNS]))
    had = dict.fromkeys(RESOURCES, 0) | {"soldiers": 9}
    for faces in rolls_to_try(12):
        unit = UnitAt(sector="1", soldiers=9, cards=cards, dice=write_roll(faces))
        g = position(world, Position((unit,), turn=3, phase=TALLY, until="upkeep"))
        MACHINE.start(g)
        at = tuple(ROLL[tuple(sorted(faces[n : n + 2]))] for n in (0, 2, 4))
        assert values[at] == pytest.approx(best_upkeep(g, had)), write_roll(faces)


def test_an_award_comes_with_a_straight_and_a_sector_takes_results_away() -> None:
    terms = Terms(("first", TIGER, 1, ""), "allies")
    cards = np.eye(len(COLUMNS))[COLUMNS.index("cards")]
    known = gains(terms)
    straight = tuple(ROLL[pair] for pair in ((0, 1), (2, 3), (4, 5)))
    assert known.best(known.rows @ cards)[straight] == 12.0
    assert gains(terms._replace(award=False)).rows.shape[0] < known.rows.shape[0]
    courage = np.eye(len(COLUMNS))[COLUMNS.index("courage")]
    poor = gains(terms._replace(penalty=((4, 1),)))
    two = tuple(ROLL[pair] for pair in ((2, 4), (2, 4), (2, 3)))
    assert poor.best(poor.rows @ courage)[two] == 1.0


# ---------------------------------------------------------------------- dice


class Odd:
    """A judge without reason: every row has some worth."""

    def worth(self, at: Standing, rows: Floats, moment: str = "upkeep") -> Floats:
        found: Floats = np.sin(rows @ np.array((1.3, 2.9, 4.1, 0.7, 1.1, 0.3, 5.0)))
        return found


def asked(unit: UnitAt, phase: str, edition: str = "first", **more: Any) -> tuple[Landing, Decision]:
    g = position(world_of(Setup(edition, TIGER, 1, **more)), Position((unit,), turn=3, phase=phase))
    MACHINE.start(g)
    return g, MACHINE.node(g).decision(0)  # type: ignore[union-attr]


def test_the_last_roll_is_the_best_that_every_throw_of_dice_could_tell() -> None:
    judge = Odd()
    for seed in range(4):
        faces = Random(seed).choices(range(6), k=6)
        view = MACHINE.view(asked(UnitAt(sector="2", courage=9), "move")[0], 0) | {"phase": "roll"}
        view["units"][0] |= {"faces": faces, "locked": 0b001001, "roll": 2}  # type: ignore[index]
        keys = ("stop", *(f"roll:{name}" for name in ("R2", "W1", "R2,W1", "B1,B2", "R2,W1,B1,B2", "W1,B2")))
        look = Sight(view, 0, judge)
        known = gains(look.terms(True))
        values = known.best(judge.worth(look.standing(), known.rows))

        def mean(key: str, faces: list[int] = faces, values: Floats = values) -> float:
            mask = 0 if key == "stop" else mask_of(key[5:])
            places = [n for n in range(6) if mask >> n & 1]
            total = 0.0
            for thrown in product(range(6), repeat=len(places)):
                shown = list(faces)
                for place, face in zip(places, thrown, strict=True):
                    shown[place] = face
                total += values[tuple(ROLL[tuple(sorted(shown[n : n + 2]))] for n in (0, 2, 4))]
            return total / 6 ** len(places)

        every = (
            "stop",
            *(f"roll:{','.join(DICE[n] for n in range(6) if mask >> n & 1)}" for mask in range(1, 64) if not mask & 9),
        )
        answer = ANSWERS["reroll"](Decision(0, 1, "some", "reroll", every, "F-REROLL-01", ""), look, Random(0))
        assert all(mean(answer) >= mean(key) - 1e-9 for key in keys), (seed, answer)


def test_it_knows_how_many_rolls_are_left() -> None:
    """Two Courage short at the last moment: with one roll left a lone Soldier is rolled, not kept."""
    machine, game = MACHINE, GAMES["landing"]
    g, _ = game.new({"edition": "first", "map": TIGER, "seats": 1})
    seen: list[int] = []
    answer = answer_with(START)
    for _ in range(400):
        node = machine.node(g)
        if isinstance(node, Ask):
            decision = node.decision(0)
            view = machine.view(g, 0)
            if decision.name in ("lock", "reroll"):
                seen.append(view["units"][0]["roll"])  # type: ignore[index,call-overload,arg-type]
            key = answer(decision, lambda view=view: view, Random(1))  # type: ignore[misc]
            machine.apply(g, Answer(0, decision.seq, key))
        elif hasattr(node, "accepts"):
            from beachhead.core.chance import sample

            machine.apply(g, sample("s", node))  # type: ignore[arg-type]
        else:
            break
    assert {1, 2} == set(seen)


def test_cancelled_dice_are_those_missed_least() -> None:
    """One Skull, one Courage that is needed to leave in time, and Soldiers: the Courage stays."""
    unit = UnitAt(
        sector="9",
        visited=("1", "2", "5", "7", "9"),
        marker="3 chevrons",
        courage=3,
        soldiers=40,
        dice="R:skull,soldier1 W:courage,soldier2 B:soldier2,soldier2",
    )
    g = position(world_of(Setup("first", TIGER, 1)), Position((unit,), turn=9, phase=TALLY))
    MACHINE.start(g)
    while MACHINE.node(g).decision(0).name != "cancel":  # type: ignore[union-attr]
        decision = MACHINE.node(g).decision(0)  # type: ignore[union-attr]
        MACHINE.apply(g, Answer(0, decision.seq, "done"))
    decision = MACHINE.node(g).decision(0)  # type: ignore[union-attr]
    assert answer_with(START)(decision, lambda: MACHINE.view(g, 0), Random(1)) == "cancel:R2"


# ---------------------------------------------------------------------- whole games


@pytest.mark.parametrize(("column", "wanted"), [("soldiers", "choose:soldiers"), ("free", "choose:move")])
def test_of_a_bonus_it_takes_what_the_exact_turn_counted_on(column: str, wanted: str) -> None:
    """Three Courage of three colours are a Battle Cry: Soldiers, or a free move."""

    class Wants:
        def worth(self, at: Standing, rows: Floats, moment: str = "upkeep") -> Floats:
            found: Floats = rows[:, COLUMNS.index(column)]
            return found

    unit = UnitAt(sector="1", soldiers=20, courage=9, dice="R:courage,tool W:courage,tool B:courage,soldier1")
    g, decision = asked(unit, TALLY)
    while decision.name != "choose":
        key = "done" if "done" in decision.keys else decision.keys[0]
        MACHINE.apply(g, Answer(0, decision.seq, key))
        node = MACHINE.node(g)
        assert isinstance(node, Ask)
        decision = node.decision(0)
    answer = answer_with(Wants())
    assert answer(decision, lambda: MACHINE.view(g, 0), Random(1)) == wanted


def game(bots: list[Bot], number: int, edition: str = "first", **more: Any) -> Played:
    setup = {"edition": edition, "map": TIGER, "seats": len(bots), **more}
    return play(GAMES["landing"], setup, bots, game_seed(5, number))


def test_its_rules_are_for_questions_that_there_are() -> None:
    assert set(ANSWERS) <= set(QUESTIONS)


@pytest.mark.parametrize("edition", ["first", "second"])
@pytest.mark.parametrize(("seats", "games"), [(1, 6), (4, 2)])
def test_it_wins_exercise_tiger(edition: str, seats: int, games: int) -> None:
    wins = sum(game([EXACT] * seats, number, edition).over.won for number in range(1, games + 1))
    assert wins >= games - 1


@pytest.mark.parametrize("level", ["practice-run", "basic-training", "advanced-training"])
def test_it_plays_every_level(level: str) -> None:
    for seats in (1, 2):
        assert game([EXACT] * seats, 1, level=level).turns > 3


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
        assert game([EXACT] * seats, 2, edition, options=options).turns > 3


@pytest.mark.parametrize("edition", ["first", "second"])
def test_it_answers_whatever_a_random_comrade_brings_about(edition: str) -> None:
    for number in range(1, 4):
        game([EXACT, RANDOM, EXACT, RANDOM], number, edition, options=["bazooka-joe"])


@pytest.mark.parametrize("edition", ["first", "second"])
def test_the_view_as_it_comes_over_a_wire_is_all_it_needs(edition: str) -> None:
    def far_away(decision: Decision, view: View, rng: Random) -> str:
        return EXACT.answer(decision, lambda: json.loads(json.dumps(view())), rng)

    near = game([EXACT, EXACT], 4, edition)
    assert game([Bot("far", "sees plain data", far_away)] * 2, 4, edition).answers == near.answers


def test_faces_are_named_alike() -> None:
    from beachhead.bots import tally

    assert tally.FACES == FACES


# ---------------------------------------------------------------------- what is worked out in a quicker way


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("skulls", [False, True])
def test_counted_results_are_worth_what_the_results_are(strict: bool, skulls: bool) -> None:
    rng = Random(3)
    scale = tuple(tuple(rng.random() * n for n in range(MOST + 1)) for _ in range(6))
    tastes = Tastes(scale, tuple(rng.random() * 9 for _ in range(6)), 12.0, 1, 0.0, strict)
    known = 0
    for _ in range(2000):
        dice = [(rng.randrange(6), rng.randrange(3)) for _ in range(6)]
        beside = [(rng.randrange(6), rng.randrange(4)) for _ in range(rng.randrange(5))]
        found = Outlook(tastes).tally(codes_of(dice + beside), skulls)
        if found is not None:
            known += 1
            assert found == value(tastes, dice, beside, skulls)
    assert known == 2000 if not skulls else 200 < known < 2000


def test_dice_of_colours_that_are_alike_promise_the_same() -> None:
    """Leadership of the Allies adds a White result: a White die is another thing than a Red or a Blue one."""

    def promise(dice: tuple[int, int, int]) -> float:
        known = gains(terms._replace(dice=dice))
        return solve(known.best(known.rows @ np.array((1.0, 1.7, 1.3, 0.21, 1.0, 0.0, 2.0))), dice=dice).value

    terms = Terms(("first", TIGER, 1, ""), "allies")
    found = {dice: dice_like(terms._replace(dice=dice)) for dice in ((1, 2, 2), (2, 1, 2), (2, 2, 1))}
    assert found == {(1, 2, 2): (2, 2, 1), (2, 1, 2): (2, 1, 2), (2, 2, 1): (2, 2, 1)}
    assert promise((1, 2, 2)) == pytest.approx(promise((2, 2, 1)), rel=1e-12)
    assert promise((2, 1, 2)) != pytest.approx(promise((2, 2, 1)), rel=1e-4)
    beside = terms._replace(dice=(1, 1, 2), beside=((1, 0),))
    assert dice_like(beside) == (1, 1, 2), "nor is a colour the same that lies beside the dice"
