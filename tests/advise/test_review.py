"""The review of a finished game: what choices cost and what is left to luck, by the value of a solved game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from beachhead.advise import review
from beachhead.core.errors import BeachheadError, RecordError
from beachhead.core.node import Answer, Ask, Decision, Over
from beachhead.core.record import Answered, parse, read, replay
from beachhead.games import GAMES
from beachhead.landing.game import MACHINE
from beachhead.landing.state import Landing
from beachhead.table.match import Match

from ..toys.hidden_hand import GAME as HIDDEN
from .games import PRACTICE, TIGER, Player, best, by, played, solved


def steps(match: Match) -> tuple[float, float, float]:
    """The value at the start, what rolls changed in all and what answers changed, straight from the solved game."""
    table, course = solved(), replay(match.record, GAMES).finish()
    g = cast(Landing, course.at(0))
    start = now = table.value_of(g)
    rolls = answers = 0.0
    for step in course.steps:
        MACHINE.apply(g, step.given)
        then = table.value_of(g)
        if isinstance(step.given, Answer):
            answers += then - now
        else:
            rolls += then - now
        now = then
    return start, rolls, answers


@pytest.mark.parametrize(("code", "seed"), [("random", "1"), ("random", "2"), ("thumb", "3")])
def test_luck_and_skill_add_up_to_the_result(code: str, seed: str) -> None:
    match = played(PRACTICE, seed, by(code))
    found = review(match.record)
    start, rolls, answers = steps(match)
    assert found.how == "exact" and found.judged > 5
    assert found.start == pytest.approx(start)
    assert sum(found.skill) == pytest.approx(-answers)
    assert found.luck == pytest.approx(rolls)
    assert found.start + found.luck - sum(found.skill) == pytest.approx(found.result)
    assert found.result == float(cast(Over, match.node()).won)


def test_who_plays_as_well_as_can_be_loses_nothing() -> None:
    found = review(played(PRACTICE, "best", best(solved())).record)
    assert found.skill == pytest.approx((0.0,), abs=1e-9)
    assert found.costly == ()


@pytest.mark.parametrize(("question", "least"), [("lock", 0.001), ("reroll", 0.001), ("move", 0.1)])
def test_a_bad_choice_is_found(question: str, least: float) -> None:
    """All choices are the best but one, the first of its kind that costs so much."""
    table = solved()
    wrong: list[Decision] = []

    def player(g: Landing, decision: Decision) -> str:
        answers = table.answers(g)
        if not wrong and decision.name == question and answers[0].value - answers[-1].value > least:
            wrong.append(decision)
            return answers[-1].key
        return answers[0].key

    for seed in range(20):
        match = played(PRACTICE, f"bad {seed}", player)
        if wrong:
            break
    found = review(match.record)
    worst, *others = found.costly
    assert not others and worst.cost > least and worst.cost == pytest.approx(sum(found.skill))
    entry = match.record.entries[worst.entry]
    assert isinstance(entry, Answered) and (entry.seat, entry.seq, entry.key) == (0, wrong[0].seq, worst.chosen.key)
    assert worst.question == question and all(worst.words)


def test_answers_that_were_taken_back_are_not_judged() -> None:
    """The same game, in which a first lock was undone: an entry number counts it, the cost does not."""

    def undoing(once: Player) -> Match:
        match = Match.new(GAMES["landing"], PRACTICE, "9" * 64, practice=True)
        back = 0
        while isinstance(node := match.node(), Ask):
            decision = node.decision(0)
            if decision.name == "lock" and back < 2:
                match.answer(Answer(0, decision.seq, decision.keys[back]))
                match.undo()
                back += 1
                continue
            match.answer(Answer(0, decision.seq, once(cast(Landing, match.state), decision)))
        return match

    plain = Match.new(GAMES["landing"], PRACTICE, "9" * 64, practice=True)
    first = by("random")
    while isinstance(node := plain.node(), Ask):
        plain.answer(Answer(0, node.decision(0).seq, first(cast(Landing, plain.state), node.decision(0))))
    one, two = review(plain.record), review(undoing(by("random")).record)
    assert one.skill == pytest.approx(two.skill) and one.luck == pytest.approx(two.luck)
    assert one.judged == two.judged
    assert [later.entry - first.entry for first, later in zip(one.costly, two.costly, strict=True)] == [4] * len(
        one.costly
    )


@pytest.mark.usefixtures("learned")
def test_a_game_with_several_seats_is_judged_by_learned_values() -> None:
    ticks: list[tuple[int, int]] = []
    match = played({**TIGER, "seats": 2}, "two", by("random"))
    found = review(match.record, lambda done, total: ticks.append((done, total)))
    assert found.how == "learned" and len(found.skill) == 2 and min(found.skill) >= 0
    assert found.start + found.luck - sum(found.skill) == pytest.approx(found.result)
    assert [one.cost for one in found.costly] == sorted((one.cost for one in found.costly), reverse=True)
    assert ticks[-1] == (ticks[0][1], ticks[0][1]) and [done for done, _ in ticks] == list(range(len(ticks)))


# ---------------------------------------------------------------------- what cannot be reviewed


def test_a_game_that_is_not_over_cannot_be_reviewed() -> None:
    match = Match.new(GAMES["landing"], PRACTICE, "1" * 64)
    with pytest.raises(BeachheadError, match="not over yet"):
        review(match.record)


@pytest.mark.usefixtures("nothing_learned")
def test_where_nothing_was_learned_nothing_is_judged() -> None:
    with pytest.raises(BeachheadError, match="beachhead train"):
        review(played(TIGER, "none", by("random")).record)


def test_another_game_cannot_be_reviewed() -> None:
    match = Match.new(HIDDEN, {}, "1" * 64)
    with pytest.raises(BeachheadError, match="the games here are battle, express, landing"):
        review(match.record)


def test_a_record_that_was_changed_is_refused(tmp_path: Path) -> None:
    match = played(PRACTICE, "4", by("thumb"))
    path = tmp_path / "game.jsonl"
    match.save(path)
    lines = path.read_text(encoding="utf-8").splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith('["answer"') and '"lock:' in line)
    entry = json.loads(lines[at])
    entry[3] = "lock:R1,R2" if entry[3] != "lock:R1,R2" else "lock:W1,W2"
    lines[at] = json.dumps(entry)
    with pytest.raises(RecordError):
        review(parse(("\n".join(lines) + "\n").encode(), "game.jsonl"))
    assert review(read(path)).result in (0.0, 1.0)


@pytest.mark.slow
def test_luck_is_even_in_the_long_run() -> None:
    """However somebody plays, dice give on average what they take."""
    found = np.array([review(played(PRACTICE, f"luck {n}", by("random", n)).record).luck for n in range(300)])
    assert abs(found.mean()) < 4 * found.std() / np.sqrt(len(found))
