"""What answers are worth in solved games: values that agree from question to question, and with the whole game."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from beachhead.advise import advise, after, review, speaks
from beachhead.bots.solved import solved_answer
from beachhead.bots.thumb import thumb_answer
from beachhead.core.errors import BeachheadError
from beachhead.core.game import Setup
from beachhead.core.node import Answer, Ask, Decision, Over, Roll
from beachhead.games import GAMES
from beachhead.pocket.express import Express
from beachhead.pocket.position import ExpressAt, express_at
from beachhead.pocket.world import world_of
from beachhead.solve import pocket_battle, pocket_dice, pocket_store
from beachhead.solve.pocket_answers import answers, known_express, match_chances, medals_ahead
from beachhead.table.match import Match

EXPRESS = GAMES["express"].machine
BATTLE = GAMES["battle"].machine


def expected(g: Any, machine: Any, how: str = "exact") -> float:
    """What the position is worth: at a question the best answer, at a roll the mean, up to the next sector."""
    node = machine.node(g)
    if isinstance(node, Over):
        return float(node.won)
    if isinstance(node, Ask):
        decision = node.decision(node.seats[0])
        found = answers(decision, machine.view(g, decision.seat))
        assert found is not None and found.how == how
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
        total += chance * expected(other, machine, how)
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


def test_two_soldiers_agree_from_question_to_question() -> None:
    """As for one: whoever is asked first answers to the end, and what the next one is asked is worth as much."""
    checked: dict[str, int] = {}
    random = Random(7)
    for seed in range(6):
        match = Match.new(GAMES["express"], GAMES["express"].setup({"seats": 2}), seed=f"{seed:064x}")
        while isinstance(node := match.node(), Ask):
            decision = node.decision(node.seats[0])
            found = answers(decision, EXPRESS.view(match.state, decision.seat))
            assert found is not None and found.how == "in-turn" and set(found.values) == set(decision.keys)
            for key in random.sample(decision.keys, min(2, len(decision.keys))):
                g = EXPRESS.clone(match.state)
                EXPRESS.apply(g, Answer(decision.seat, decision.seq, key))
                after = EXPRESS.node(g)
                if isinstance(after, Roll) and after.stream != "axis" and (key.count(",") or key[:5] != "roll:"):
                    continue
                checked[decision.name] = checked.get(decision.name, 0) + 1
                assert expected(g, EXPRESS, "in-turn") == pytest.approx(found.values[key], abs=1e-9), (decision, key)
            best = max(found.values, key=found.values.__getitem__)
            match.answer(
                Answer(decision.seat, decision.seq, best if random.random() < 0.9 else random.choice(decision.keys))
            )
    assert {"reroll", "specialist", "sacrifice", "rally?"} <= set(checked)


def bunker(seats: int, squad: tuple[str, ...], axis: tuple[int, ...]) -> Any:
    """The last sector, after the Axis dice."""
    g = express_at(world_of("express", {"seats": seats}), ExpressAt(6, squad))
    EXPRESS.start(g)
    EXPRESS.apply(g, axis)
    return g


EVERY = (0, 1, 2, 3, 4, 5)
"""Each face once: what the Axis dice show and one die short of it."""
SHORT = (0, 1, 2, 3, 4, 4)


def asked(g: Any, seat: int) -> dict[str, float]:
    node = EXPRESS.node(g)
    assert isinstance(node, Ask)
    found = answers(node.decision(seat), EXPRESS.view(g, seat))
    assert found is not None
    return found.values


def answer(g: Any, seat: int, key: str) -> None:
    node = EXPRESS.node(g)
    assert isinstance(node, Ask)
    EXPRESS.apply(g, Answer(seat, node.decision(seat).seq, key))


@pytest.mark.parametrize(("squad", "chance"), [((), 0.0), (("hero",), 1 / 6)], ids=["nobody", "the Hero"])
def test_a_soldier_knows_what_the_other_has(squad: tuple[str, ...], chance: float) -> None:
    """One has failed; the other one lacks a Tool after two rolls. Only with the Hero is there a chance: that of one
    die.
    """
    g = bunker(2, squad, EVERY)
    EXPRESS.apply(g, SHORT)
    EXPRESS.apply(g, SHORT)
    answer(g, 0, "stop")
    answer(g, 1, "roll:B2")
    EXPRESS.apply(g, (4,))
    found = asked(g, 1)
    assert found["roll:B2"] == pytest.approx(chance)
    assert found["stop"] == 0.0


def test_who_was_cleared_stays_so_when_the_medic_comes() -> None:
    """The Hero clears the sector for one, then the Medic lets all roll anew: only the other one has to match."""
    g = bunker(2, ("hero", "medic"), EVERY)
    EXPRESS.apply(g, SHORT)
    EXPRESS.apply(g, SHORT)
    for seat in (0, 1):
        answer(g, seat, "stop")
    box = pocket_dice.box()
    fits = np.array([[len({*sum(roll, ())}) == 6] for roll in box.rolls], dtype=np.float64)
    anew = pocket_dice.play(box, fits)
    assert asked(g, 0)["use:hero:U1"] == pytest.approx(float(anew[0]))
    answer(g, 0, "use:hero:U1")
    assert asked(g, 0)["use:medic"] == pytest.approx(float(anew[0]))
    assert asked(g, 0)["pass"] == 0.0


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


def test_dice_that_match_already_may_still_bring_a_medal() -> None:
    """A Star and a Tool match, red and white. After two rolls a blue Star would be an RWB: one blue die shows it with
    1/6, two with 11/36; then there is the chance that both show Tools, or one of each.
    """
    seen = battle_seen(faces=[1, 5, 1, 5, 0, 0])
    found = answers(Decision(0, 1, "some", "reroll", ("stop", "roll:B1", "roll:B1,B2"), "B-STEP3-01"), seen)
    assert found is not None
    assert found.values["stop"] == pytest.approx(found.values["roll:B1"]) == pytest.approx(found.values["roll:B1,B2"])
    assert found.medals["stop"] == pytest.approx(0.0, abs=1e-6)
    assert found.medals["roll:B1"] == pytest.approx(2 / 6, abs=1e-6)  # a Star or a Tool
    assert found.medals["roll:B1,B2"] == pytest.approx(2 * 11 / 36, abs=1e-6)  # each of the two, perhaps both
    have = [{"score": 0, "medals": ["silver-star"]}, {"score": 0, "medals": ["purple-heart"]}]
    only = medals_ahead(battle_seen(faces=[1, 5, 1, 5, 0, 0], players=have), ["roll:B1"])
    assert only["roll:B1"] == pytest.approx(1 / 6, abs=1e-6)  # one's own does not count, another's does


def test_advance_or_retreat_is_that_of_the_solution() -> None:
    """After two Axis dice who begins at 0-0 goes on with 10 points at stake and retreats with 11."""
    decision = Decision(0, 1, "one", "decide", ("advance", "retreat"), "B-STEP7-01")
    for pot, best in ((10, "advance"), (11, "retreat")):
        found = answers(decision, battle_seen(pot=pot))
        assert found is not None and found.how == "no-medals"
        assert max(found.values, key=found.values.__getitem__) == best
    found = answers(decision, battle_seen(players=[{"score": 0, "medals": []}], pot=10))
    assert found is not None and found.how == "points"
    assert found.values["retreat"] == 10.0
    turn = pocket_battle.best_turn()
    assert found.values["advance"] == pytest.approx(float(turn.ahead[3][10, 0]))


def test_of_several_others_the_one_who_has_most_is_the_rival() -> None:
    """The bots' rule: against 0 and 20 points as against 20 alone."""
    decision = Decision(0, 1, "one", "decide", ("advance", "retreat"), "B-STEP7-01")
    scores = [{"score": score, "medals": []} for score in (10, 0, 20)]
    found, two = (answers(decision, battle_seen(players=some, pot=10)) for some in (scores, [scores[0], scores[2]]))
    assert found is not None and two is not None and (found.how, two.how) == ("rival", "no-medals")
    assert found.values == two.values


def test_the_last_turn_counts_medals() -> None:
    """The other one has 31 points, this player 24 and a Medal: 2 points are missing to a tie."""
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


SPOKEN: list[tuple[str, Setup, str]] = [
    ("express", {}, "exact"),
    ("express", {"options": ["neptune"]}, "exact"),
    ("express", {"seats": 2}, "in-turn"),
    ("express", {"options": ["advanced"]}, "sampled"),
    ("express", {"switches": {"clearing": "squad"}}, "sampled"),
    ("battle", {}, "no-medals"),
    ("battle", {"seats": 3}, "sampled"),
    ("battle", {"seats": 1}, ""),
]


@pytest.mark.parametrize(("game", "setup", "how"), SPOKEN, ids=str)
def test_the_adviser_knows_every_game_that_can_be_lost(game: str, setup: Setup, how: str) -> None:
    match = Match.new(GAMES[game], GAMES[game].setup(setup), seed=f"{1:064x}")
    assert speaks(match.game.machine.view(match.state, None)) == bool(how)
    node = match.node()
    assert isinstance(node, Ask)
    decision = node.decision(node.seats[0])
    found = advise(decision, lambda: match.game.machine.view(match.state, decision.seat), 0.05, match.state)
    assert (found.how if found else "") == how
    if found is not None:
        assert found.why and {one.key for one in found.options} == set(decision.keys)
        assert all((one.low < one.high) == (how == "sampled") for one in found.options)
        assert (found.games > 0) == (how == "sampled")


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


def by_chance(game: str, setup: Setup, seed: int) -> Match:
    """A game in which all answer at random."""
    match = Match.new(GAMES[game], GAMES[game].setup(setup), seed=f"{seed:064x}")
    random = Random(seed)
    while isinstance(node := match.node(), Ask):
        decision = node.decision(node.seats[0])
        match.answer(Answer(decision.seat, decision.seq, random.choice(decision.keys)))
    return match


def test_a_squad_is_looked_at_again() -> None:
    found = review(by_chance("express", {"seats": 2}, 3).record)
    assert found.how == "in-turn" and found.start == pytest.approx(0.4725540875575832)
    assert len(found.skill) == 2 and not found.sides
    assert found.result - found.start + sum(found.skill) == pytest.approx(found.luck)


def test_a_contest_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two, what one gives away the other one gains, and their luck is opposite; both start alike."""
    monkeypatch.setattr(after, "LIMIT", 0.001)
    played = Match.new(GAMES["battle"], GAMES["battle"].setup({}), seed=f"{5:064x}")
    random = Random(5)
    while isinstance(node := played.node(), Ask):
        decision = node.decision(node.seats[0])
        seen = BATTLE.view(played.state, decision.seat)
        played.answer(Answer(decision.seat, decision.seq, thumb_answer(decision, lambda seen=seen: seen, random)))  # type: ignore[misc]
    found = review(played.record)
    first, second = found.sides
    assert first.start == second.start == 0.5
    assert {first.result, second.result} == {0.0, 1.0}
    assert first.luck == pytest.approx(-second.luck)
    assert first.luck == pytest.approx(first.result - 0.5 + found.skill[0] - found.skill[1])
    assert found.judged > 20 and found.costly and found.costly[0].cost > 0.05
    assert (found.start, found.result, found.luck) == first


@pytest.mark.parametrize(
    ("game", "setup", "why"), [("battle", {"seats": 1}, "alone"), ("express", {"options": ["advanced"]}, "not solved")]
)
def test_what_cannot_be_judged_says_so(game: str, setup: Setup, why: str) -> None:
    with pytest.raises(BeachheadError, match=why):
        review(by_chance(game, setup, 1).record)
