"""Learning: what games were worth, a net that finds what is there, and the same values for the same seed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from beachhead import cli
from beachhead.bots.values import FIXED, MOMENTS, MOVING, START, Setting, Values, names_of, read
from beachhead.content.library import EDITIONS, PACKS, load_packs
from beachhead.core.errors import BeachheadError
from beachhead.train import harder
from beachhead.train.fit import fit
from beachhead.train.rounds import Trial, best_of, to_try, train, tries
from beachhead.train.selfplay import Course, play_batch, play_one, targets

RUN = Setting("first", "n01-exercise-tiger", 1, "practice-run")


def test_a_situation_is_worth_half_of_what_was_promised_next_and_half_of_what_came() -> None:
    x = np.zeros(1)
    found = [("turn", 1, 0, x), ("upkeep", 1, 0, x), ("turn", 2, 0, x), ("upkeep", 2, 0, x)]
    course = Course(1.0, found, {(1, 0): 0.2, (2, 0): 0.6})
    # after turn 2 nothing was promised: the game was won. Before it: (0.6 + 1) / 2; before turn 1: (0.2 + 0.8) / 2
    assert targets(course) == pytest.approx([0.5, 0.8, 0.8, 1.0])
    assert targets(Course(0.0, found, {})) == [0.0] * 4


def test_seats_do_not_share_what_they_were_promised() -> None:
    x = np.zeros(1)
    course = Course(0.0, [("turn", 1, 0, x), ("turn", 1, 1, x)], {(1, 0): 1.0, (1, 1): 0.4})
    assert targets(course) == pytest.approx([0.5, 0.2])


def test_a_game_tells_every_turn_twice() -> None:
    course = play_one(RUN, names_of(RUN.key), START, "some seed")
    turns = [turn for moment, turn, _, _ in course.found if moment == "turn"]
    assert turns == list(range(1, len(turns) + 1))
    recorded = [turn for moment, turn, _, _ in course.found if moment == "upkeep"]
    assert set(recorded) <= set(turns) and len(recorded) >= len(turns) - 2
    assert {x.shape for _, _, _, x in course.found} == {(MOVING + FIXED + len(names_of(RUN.key)),)}
    assert not course.promised and 0.0 <= course.result <= 1.0


def test_games_do_not_depend_on_who_else_is_played() -> None:
    one = play_batch(RUN, (), START, 4, range(3, 5)).seen["turn"]
    two = play_batch(RUN, (), START, 4, range(4, 5)).seen["turn"]
    assert (one.inputs[one.game == 4] == two.inputs).all()


def test_a_net_finds_what_is_there() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(6000, 6)).astype(np.float32)
    chance = 1 / (1 + np.exp(-(2 * np.abs(x[:, 0]) - 2 + x[:, 1])))
    y = (rng.random(6000) < chance).astype(np.float32)
    found = fit(x, y, np.arange(6000, dtype=np.int32), 1)
    best = -(chance * np.log(chance) + (1 - chance) * np.log(1 - chance)).mean()
    assert found.loss < best + 0.05 < found.blind
    again = fit(x, y, np.arange(6000, dtype=np.int32), 1)
    assert all((again.net[name] == found.net[name]).all() for name in found.net)


def test_the_same_seed_gives_the_same_values() -> None:
    runs = [list(train([RUN], 30, 1, 5, 1)) for _ in range(2)]
    nets = [best_of([one for one in run if isinstance(one, Trial)]).nets for run in runs]
    for moment in MOMENTS:
        assert all((nets[0][moment][name] == nets[1][moment][name]).all() for name in nets[0][moment])


def test_several_games_teach_something_for_any() -> None:
    settings = [RUN, RUN._replace(seats=2)]
    *rounds, first, second, third, fourth = train(settings, 50, 1, 5, 1)
    trials = [one for one in (first, second, third, fourth) if isinstance(one, Trial)]
    values = best_of(trials)
    assert values.setting is None and values.names == ()
    assert len(rounds) == 1 and len(trials) == tries(1) and trials[0].judge is START


def test_what_wins_most_is_kept() -> None:
    judges = [Values(RUN, (), {}, {"round": n}) for n in (1, 2, 3)]
    trials = [Trial(START, 10, 9)]
    trials += [Trial(judge, 10, won) for judge, won in zip(judges, (5, 8, 8), strict=True)]
    assert best_of(trials) is judges[1]
    assert judges[1].about == {"round": 2, "won": 0.8, "won_by_rules_of_thumb": 0.9}


def test_tried_are_the_last_two_rounds_and_what_the_last_may_answer() -> None:
    learned = [Values(RUN, (), {}, {"round": n}) for n in (1, 2, 3)]
    found = to_try(learned)
    assert len(found) == tries(3) and found[:2] == [START, learned[1]]
    assert {judge.plays for judge in found[2:]} == {(), ("move",), ("move", "acquire")}  # type: ignore[attr-defined]


# ---- the command


def test_the_command_writes_values_that_can_be_read(tmp_path: Path) -> None:
    if "train" not in {command.name or command.callback.__name__ for command in cli.app.registered_commands}:  # type: ignore[union-attr]
        cli._gather()
    out = tmp_path / "v.json"
    args = ["train", "--level", "practice-run", "--games", "20", "--rounds", "1", "--workers", "1", "--json"]
    found = CliRunner().invoke(cli.app, [*args, "--out", str(out)])
    assert found.exit_code == 0, found.output
    told = json.loads(found.stdout)
    assert told["file"] == str(out) and [one["games"] for one in told["rounds"]] == [20] and len(told["trials"]) == 4
    assert read(out).setting == RUN


@pytest.mark.parametrize(
    "args",
    [
        ["--rounds", "0"],
        ["--games", "0"],
        ["--workers", "0"],
        ["--map", "nowhere"],
        ["--level", "none"],
        ["--out", "/no/such/folder/v.json"],
    ],
)
def test_bad_input_is_one_message(args: list[str]) -> None:
    if "train" not in {command.name or command.callback.__name__ for command in cli.app.registered_commands}:  # type: ignore[union-attr]
        cli._gather()
    found = CliRunner().invoke(cli.app, ["train", *args])
    assert isinstance(found.exception, BeachheadError) and str(found.exception)


# ---- harder boards


def test_harder_boards_are_ours_with_a_higher_def(tmp_path: Path) -> None:
    assert harder.write(tmp_path, [4]) == ["n01-exercise-tiger-plus-4"]
    found = load_packs((PACKS, tmp_path))
    for edition in EDITIONS:
        plain, hard = (found.maps[edition][f"n01-exercise-tiger{end}"] for end in ("", "-plus-4"))
        for name, sector in plain.sectors.items():
            assert hard.sectors[name].defence == tuple(value + 4 for value in sector.defence)
            assert hard.sectors[name].mgf == sector.mgf
