"""What answers are worth in solved games: values that agree from question to question, and with the whole game."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from beachhead.advise import advise, review, speaks
from beachhead.bots.solved import solved_answer
from beachhead.core.errors import BeachheadError
from beachhead.core.game import Setup
from beachhead.core.node import Answer, Ask, Over, Roll
from beachhead.games import GAMES
from beachhead.pocket.express import Express
from beachhead.solve import pocket_battle, pocket_store
from beachhead.solve.pocket_answers import answers, known_express, match_chances
from beachhead.table.match import Match

EXPRESS = GAMES["express"].machine
BATTLE = GAMES["battle"].machine


def expected(g: Any, machine: Any) -> float:
    """What the position is worth: at a question the best answer, at a roll the mean, up to the next sector."""
    node = machine.node(g)
    if isinstance(node, Over):
        return float(node.won)
    if isinstance(node, Ask):
        found = answers(node.decision(0), machine.view(g, 0))
        assert found is not None and found.how == "exact"
        return max(found.values.values())
    assert isinstance(node, Roll)
    if node.stream == "axis":  # the next sector: what is known of it before its dice
        known = known_express(machine.view(g, None))
        assert known is not None
        return next_sector(g, known[0]) * known[1]
    total = 0.0
    for outcome, chance in node.outcomes():
        other = machine.clone(g)
        machine.apply(other, outcome)
        total += chance * expected(other, machine)
    return total


def next_sector(g: Express, solved: Any) -> float:
    from beachhead.solve import pocket_answers as look

    seen = EXPRESS.view(g, None)
    stage = look._stage(solved, seen)
    return float(solved.values[stage][look._state(solved, stage, seen)])


@pytest.mark.parametrize("beach", ["utah", "gold", "juno", "sword", "omaha", "pointe-du-hoc"])
def test_values_agree_from_question_to_question(beach: str) -> None:
    """Every answer after which nothing is rolled is worth what the next question is worth."""
    checked: dict[str, int] = {}
    random = Random(beach)
    for seed in range(40):
        match = Match.new(GAMES["express"], GAMES["express"].setup({"beach": beach}), seed=f"{seed:064x}")
        while isinstance(node := match.node(), Ask):
            decision = node.decision(0)
            view = EXPRESS.view(match.state, 0)
            found = answers(decision, view)
            assert found is not None and set(found.values) == set(decision.keys)
            for key in random.sample(decision.keys, min(4, len(decision.keys))):
                g = EXPRESS.clone(match.state)
                EXPRESS.apply(g, Answer(0, decision.seq, key))
                after = EXPRESS.node(g)
                if isinstance(after, Roll) and after.stream != "axis":
                    continue
                checked[decision.name] = checked.get(decision.name, 0) + 1
                assert expected(g, EXPRESS) == pytest.approx(found.values[key], abs=1e-9), (decision, key)
            best = solved_answer(decision, lambda view=view: view, random)  # type: ignore[misc]
            assert found.values[best] == pytest.approx(max(found.values.values()), abs=1e-12)
            match.answer(Answer(0, decision.seq, best if random.random() < 0.8 else random.choice(decision.keys)))
    assert {"reroll", "specialist", "rally?"} <= set(checked)
    assert beach != "sword" or checked.get("lose?")


def test_several_soldiers_roll_as_if_each_were_alone() -> None:
    """The figures are those of a game alone with the same dice and cards, and the bot plays by them."""
    several = Match.new(GAMES["express"], GAMES["express"].setup({"seats": 3}), seed=f"{4:064x}")
    view = EXPRESS.view(several.state, 1)
    other = {**view, "soldiers": [view["soldiers"][1]]}  # type: ignore[index]
    decision = several.decision(1)
    assert decision is not None
    found, same = answers(decision, view), answers(decision._replace(seat=0), other)
    assert found is not None and same is not None and (found.how, same.how) == ("alone", "exact")
    assert found.values == same.values
    random = Random(1)
    while isinstance(node := several.node(), Ask):
        decision = node.decision(node.seats[0])
        seen = EXPRESS.view(several.state, decision.seat)
        key = solved_answer(decision, lambda seen=seen: seen, random)  # type: ignore[misc]
        several.answer(Answer(decision.seat, decision.seq, key))
    assert isinstance(several.node(), Over)


def test_a_roll_is_worth_the_mean_of_what_may_come() -> None:
    match = Match.new(GAMES["express"], GAMES["express"].setup({}), seed=f"{4:064x}")
    decision = match.decision(0)
    assert decision is not None
    found = answers(decision, EXPRESS.view(match.state, 0))
    assert found is not None
    key = next(key for key in decision.keys if key.startswith("roll:") and "," not in key)
    g = EXPRESS.clone(match.state)
    EXPRESS.apply(g, Answer(0, decision.seq, key))
    assert expected(g, EXPRESS) == pytest.approx(found.values[key], abs=1e-12)


def test_a_campaign_is_worth_the_beaches_that_come_after() -> None:
    plain = Match.new(GAMES["express"], GAMES["express"].setup({}), seed=f"{4:064x}")
    whole = Match.new(GAMES["express"], GAMES["express"].setup({"options": ["neptune"]}), seed=f"{4:064x}")
    values = [answers(match.decision(0), EXPRESS.view(match.state, 0)) for match in (plain, whole)]  # type: ignore[arg-type]
    assert values[0] is not None and values[1] is not None
    share = 0.005305436140 / 0.401828684366
    for key, value in values[0].values.items():
        assert values[1].values[key] == pytest.approx(value * share, rel=1e-9)


def battle_seen(**more: Any) -> dict[str, Any]:
    """A seat in its turn, with two Axis dice that want a Star and a Tool."""
    seen: dict[str, Any] = {
        "game": "battle",
        "options": [],
        "players": [{"score": 0, "medals": []}, {"score": 0, "medals": []}],
        **{"active": 0, "first": 0, "tied": [], "skirmish": 1, "pot": 0, "field": "landing", "order": "", "worth": 2},
        **{"axis": [1, 5], "black": -1, "roll": 2, "faces": [1, 0, 0, 0, 0, 0]},
    }
    return {**seen, **more}


def test_the_probability_to_match_is_that_of_the_dice() -> None:
    """A Star lies there and a Tool is missing: one die shows it with 1/6, five with 1 - (5/6)^5."""
    chances = match_chances(battle_seen(), ["stop", "roll:B2", "roll:R2,W1,W2,B1,B2"])
    assert chances["stop"] == 0.0
    assert chances["roll:B2"] == pytest.approx(1 / 6)
    assert chances["roll:R2,W1,W2,B1,B2"] == pytest.approx(1 - (5 / 6) ** 5)


def test_advance_or_retreat_is_that_of_the_solution() -> None:
    """After two Axis dice who begins at 0-0 goes on with 10 points at stake and retreats with 11."""
    from beachhead.core.node import Decision

    decision = Decision(0, 1, "one", "decide", ("advance", "retreat"), "B-STEP7-01")
    for pot, best in ((10, "advance"), (11, "retreat")):
        found = answers(decision, battle_seen(pot=pot))
        assert found is not None and found.how == "no-medals"
        assert max(found.values, key=found.values.__getitem__) == best
    three = [{"score": 0, "medals": []}] * 3
    found = answers(decision, battle_seen(players=three, pot=10))
    assert found is not None and found.how == "points"
    assert found.values["retreat"] == 10.0
    turn = pocket_battle.best_turn()
    assert found.values["advance"] == pytest.approx(float(turn.ahead[3][10, 0]))


def test_the_last_turn_counts_medals() -> None:
    """The other one has 31 points, this player 24 and a Medal: 2 points are missing to a tie."""
    from beachhead.core.node import Decision

    decision = Decision(1, 1, "one", "decide", ("advance", "retreat"), "B-STEP7-01")
    players = [{"score": 31, "medals": []}, {"score": 24, "medals": ["purple-heart"]}]
    found = answers(decision, battle_seen(players=players, active=1, pot=3))
    assert found is not None
    assert found.values["retreat"] == 1.0
    solved = pocket_store.known_battle()
    assert solved is not None
    found = answers(decision, battle_seen(players=players, active=1, pot=2))
    assert found is not None
    assert found.values["retreat"] == pytest.approx(1 - solved.tie)
    assert np.isfinite(found.values["advance"])


SPOKEN: list[tuple[str, Setup, bool]] = [
    ("express", {}, True),
    ("express", {"options": ["neptune"]}, True),
    ("express", {"seats": 2}, False),
    ("express", {"options": ["advanced"]}, False),
    ("express", {"switches": {"clearing": "squad"}}, False),
    ("battle", {}, True),
    ("battle", {"seats": 3}, False),
    ("landing", {}, True),
]


@pytest.mark.parametrize(("game", "setup", "knows"), SPOKEN, ids=str)
def test_the_adviser_says_which_games_it_knows(game: str, setup: Setup, knows: bool) -> None:
    match = Match.new(GAMES[game], GAMES[game].setup(setup), seed=f"{1:064x}")
    assert speaks(match.game.machine.view(match.state, None)) == knows
    node = match.node()
    assert isinstance(node, Ask)
    decision = node.decision(node.seats[0])
    found = advise(decision, lambda: match.game.machine.view(match.state, decision.seat), 0.5, match.state)
    assert (found is not None) == knows
    if found is not None and game != "landing":
        assert found.how == ("exact" if game == "express" else "no-medals")
        assert found.why


def test_a_beach_is_looked_at_again() -> None:
    match = Match.new(GAMES["express"], GAMES["express"].setup({}), seed=f"{2:064x}")
    random, choices = Random(1), 0
    while isinstance(node := match.node(), Ask):
        decision = node.decision(0)
        choices += len(decision.keys) > 1
        match.answer(Answer(0, decision.seq, random.choice(decision.keys)))
    found = review(match.record)
    assert found.start == pytest.approx(0.401828684366)
    assert found.how == "exact"
    assert found.result - found.start + sum(found.skill) == pytest.approx(found.luck)
    assert found.judged == choices
    with pytest.raises(BeachheadError, match="Express!"):
        battle = Match.new(GAMES["battle"], GAMES["battle"].setup({"seats": 1}))
        review(battle.record)
