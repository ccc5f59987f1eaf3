"""Learning: what games were worth, a net that finds what is there, and the same values for the same seed."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest
from typer.testing import CliRunner

from beachhead import cli
from beachhead.bots import View
from beachhead.bots.randomly import random_answer
from beachhead.bots.values import FIXED, MOMENTS, MOVING, START, Setting, Valuer, Values, names_of, read
from beachhead.content.library import EDITIONS, PACKS, load_packs
from beachhead.core.errors import BeachheadError, SetupError
from beachhead.core.node import Decision
from beachhead.train import harder
from beachhead.train.cli import _those_there_are
from beachhead.train.fit import fit
from beachhead.train.rounds import (
    Round,
    Trial,
    best_of,
    most_won,
    renamed,
    searching,
    to_try,
    train,
    tries,
    worth_joining,
)
from beachhead.train.selfplay import TRUST, Batch, Course, _count, play_batch, play_one, targets

from ..bots.test_values import some_values

RUN = Setting("first", "n01-exercise-tiger", 1, "practice-run")


def first(many: int) -> frozenset[int]:
    return frozenset(range(1, many + 1))


def test_a_situation_is_worth_half_of_what_was_promised_next_and_half_of_what_came() -> None:
    x = np.zeros(1)
    found = [("turn", 1, 0, x), ("upkeep", 1, 0, x), ("turn", 2, 0, x), ("upkeep", 2, 0, x)]
    course = Course(True, [1.0], found, {(1, 0): 0.2, (2, 0): 0.6}, [])
    # after turn 2 nothing was promised: the game was won. Before it: (0.6 + 1) / 2; before turn 1: (0.2 + 0.8) / 2
    assert targets(course) == pytest.approx([0.5, 0.8, 0.8, 1.0])
    assert targets(Course(False, [0.0], found, {}, [])) == [0.0] * 4


def test_seats_do_not_share_what_they_were_promised() -> None:
    x = np.zeros(1)
    course = Course(False, [0.0, 0.0], [("turn", 1, 0, x), ("turn", 1, 1, x)], {(1, 0): 1.0, (1, 1): 0.4}, [])
    assert targets(course) == pytest.approx([0.5, 0.2])


def test_a_game_tells_every_turn_twice() -> None:
    course = play_one(RUN, names_of(RUN.key), START, "some seed")
    turns = [turn for moment, turn, _, _ in course.found if moment == "turn"]
    assert turns == list(range(1, len(turns) + 1))
    recorded = [turn for moment, turn, _, _ in course.found if moment == "upkeep"]
    assert set(recorded) <= set(turns) and len(recorded) >= len(turns) - 2
    assert {x.shape for _, _, _, x in course.found} == {(MOVING + FIXED + len(names_of(RUN.key)),)}
    assert not course.promised and course.won == bool(course.fates[0])


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
    judges = [best_of([one for one in run if isinstance(one, Trial)])[0].judge for run in runs]
    nets = [judge.nets for judge in judges if isinstance(judge, Values)]
    for moment in MOMENTS:
        assert all((nets[0][moment][name] == nets[1][moment][name]).all() for name in nets[0][moment])


def test_several_games_teach_something_for_any() -> None:
    settings = [RUN, RUN._replace(seats=2)]
    played = list(train(settings, 50, 1, 5, 1, tried=25))
    rounds = [one for one in played if isinstance(one, Round)]
    trials = [one for one in played if isinstance(one, Trial)]
    values = best_of(trials)[0].judge
    assert isinstance(values, Values) and values.setting is None and values.names == ()
    assert len(rounds) == 1 and 4 <= len(trials) <= tries(1, ()) and trials[0].judge is START
    assert [one.games for one in rounds] == [50] and {one.games for one in trials} == {25}


def test_what_wins_most_is_kept() -> None:
    judges = [Values(RUN, (), {}, {"round": n}) for n in (1, 2, 3)]
    trials = [Trial(START, 10, first(9), before=True)]
    trials += [Trial(judge, 10, first(won)) for judge, won in zip(judges, (5, 8, 8), strict=True)]
    assert best_of(trials) == (trials[2], trials[0])
    assert judges[1].about == {"round": 2, "trial": 10, "won": 8, "won_by_rules_of_thumb": 9}


def test_the_planner_searches_what_was_better_than_exact_hardly_by_chance() -> None:
    judge = Values(RUN, (), {}, {"round": 1})
    exact = Trial(judge, 100, first(50))
    cards, move = searching(judge, ("cards",)), searching(judge, ("move",))
    better, no_better = Trial(cards, 100, first(60), True), Trial(move, 100, first(52), True)
    assert better.over(exact) == pytest.approx(10 / 10**0.5) and exact.over(better) == -better.over(exact)
    thumb = Trial(START, 100, first(40), before=True)
    best_of([thumb, exact, no_better])
    assert not judge.searches
    best_of([thumb, exact, no_better, better])
    assert list(judge.searches) == ["cards"] and judge.about["won_by_planner"] == 60
    assert worth_joining(exact, [better, no_better]) == ("cards", "move")
    assert worth_joining(exact, [better, Trial(move, 100, first(49), True)]) == ()


def test_of_ways_that_take_turns_the_one_that_won_the_greatest_share_goes_on() -> None:
    """Two settings, two ways: batches 0, 1, 4 are of the first way (4 of 15), 2 and 3 of the second (3 of 10)."""
    won = ([1, 2], [3], [4, 5], [6], [7])
    batches = [Batch({}, 5, one, {}) for one in won]
    assert most_won(batches, 2, 2) == 1


def test_what_was_told_is_counted_once_per_situation_and_once_per_game() -> None:
    """Two situations of 0.3 and one of 0.97 in a game that was won; one of 0.3 in a game that was lost."""
    told = {moment: np.zeros((12, 3)) for moment in MOMENTS}
    _count(Course(True, [1.0], [], {}, [("turn", 0.3), ("turn", 0.3), ("turn", 0.97), ("upkeep", 0.3)]), told)
    _count(Course(False, [0.0], [], {}, [("turn", 0.3)]), told)
    assert told["turn"][4].tolist() == [3, 2, 2]  # from 0.2 to 0.35
    assert told["turn"][10].tolist() == [1, 1, 1]  # from 0.95 to 0.98
    assert told["turn"].sum() == 10 and told["upkeep"][4].tolist() == [1, 1, 1]


def test_a_trial_tells_how_often_values_came_true() -> None:
    values = some_values(RUN)
    batch = play_batch(RUN, names_of(RUN.key), values, 4, range(1, 4), learning=False)
    situations, won, games = batch.told["turn"].sum(0)
    assert situations >= 3 * 2 and games >= 3 and won <= situations
    assert not len(batch.seen["turn"].inputs)
    assert not any(one.any() for one in play_batch(RUN, (), START, 4, range(1, 3), learning=False).told.values())


def test_the_interval_of_a_trial_is_that_of_wilson() -> None:
    low, high = Trial(START, 100, first(90)).interval
    assert (low, high) == pytest.approx((0.8256, 0.9448), abs=1e-4)  # as printed in tables of the score interval


def test_tried_are_the_last_two_rounds_and_what_the_last_may_answer() -> None:
    learned = [Values(RUN, (), {}, {"round": n}) for n in (1, 2, 3)]
    found = to_try(learned)
    assert len(found) == 4 and found[0] == learned[1]
    assert {judge.plays for judge in found[1:]} == {(), ("move",), ("move", "acquire")}


def test_what_there_was_before_plays_first_and_is_what_has_to_be_beaten() -> None:
    """Values for any game teach better than rules of thumb; they are tried too, and never written as learned."""
    before = some_values(None)
    played = list(train([RUN], 30, 1, 5, 1, start=before))
    trials = [one for one in played if isinstance(one, Trial)]
    assert [one.judge for one in trials if one.before] == [START, before]
    best, bar = best_of(trials)
    assert best.judge is not before and bar.won == max(one.won for one in trials if one.before)


def test_a_unit_learns_from_its_own_fate() -> None:
    """Unit 2 is lost in turn 1; Unit 1 plays on and is safe."""
    found = [("turn", 1, 0, np.zeros(1)), ("turn", 1, 1, np.zeros(1)), ("turn", 2, 0, np.zeros(1))]
    course = Course(False, [1.0, 0.0], found, {(1, 0): 0.8, (1, 1): 0.6, (2, 0): 0.9}, [])
    later = (1 - TRUST) * 1.0 + TRUST * 0.9
    assert targets(course) == pytest.approx([(1 - TRUST) * later + TRUST * 0.8, TRUST * 0.6, later])
    assert targets(course._replace(promised={})) == [1.0, 0.0, 1.0]


def test_the_loss_of_one_does_not_end_what_the_others_learn() -> None:
    """In some of these games a Unit is lost and another is in a later turn; in trials the first loss is the end."""
    three = Setting("first", "n08-merville", 3, "")
    played_on = 0
    for seed in range(6):
        learned = play_one(three, (), START, f"seed {seed}", True)
        last = [max(turn for _, turn, one, _ in learned.found if one == seat) for seat in range(3)]
        lost = [turn for turn, fate in zip(last, learned.fates, strict=True) if not fate]
        assert learned.won == (not lost)
        played_on += bool(lost) and max(last) > min(lost)
    assert played_on
    tried = play_one(three, (), START, "seed 0", False)
    assert not tried.found and (tried.won or len([fate for fate in tried.fates if fate]) < 3)


def test_nobody_trades_in_games_that_are_learned_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else those who are helped would learn that it does no harm to be weak."""
    seen: set[bool] = set()

    def watched(judge: Valuer) -> Callable[[Decision, View, Random], str]:
        def answer(decision: Decision, view: View, rng: Random) -> str:
            seen.add(any(key.startswith("trade:") for key in decision.keys))
            return random_answer(decision, view, rng)

        return answer

    monkeypatch.setattr("beachhead.train.selfplay.answer_with", watched)
    two = RUN._replace(seats=2, level="")
    play_one(two, (), START, "a seed", learning=True)
    assert seen == {False}
    play_one(two, (), START, "a seed", learning=False)
    assert seen == {False, True}


def test_what_one_has_learned_is_a_beginning_for_several() -> None:
    """Cards and Sectors that both know keep their places by name; what is new has no say."""
    alone = some_values(Setting("second", "n01-exercise-tiger", 1, ""))
    names = ("new", *reversed(alone.names))
    nets = renamed(alone, names)["turn"]
    before, begin = alone.nets["turn"], MOVING + FIXED
    assert (nets["w"][:begin] == before["w"][:begin]).all() and (nets["v"] == before["v"]).all()
    assert not nets["w"][begin].any() and not nets["u"][begin]
    assert (nets["w"][-1] == before["w"][begin]).all() and (nets["u"][begin + 1] == before["u"][-1]).all()


# ---- the command


def test_the_command_writes_values_that_can_be_read(tmp_path: Path) -> None:
    if "train" not in {command.name or command.callback.__name__ for command in cli.app.registered_commands}:  # type: ignore[union-attr]
        cli._gather()
    out = tmp_path / "v.json"
    args = ["train", "--level", "practice-run", "--games", "20", "--rounds", "1", "--workers", "1", "--json"]
    found = CliRunner().invoke(cli.app, [*args, "--out", str(out)])
    assert found.exit_code == 0, found.output
    told = json.loads(found.stdout)
    assert told["file"] == str(out) and [one["games"] for one in told["rounds"]] == [20] and len(told["trials"]) >= 4
    values = read(out)
    assert values.setting == RUN and {*values.calibration} == {*MOMENTS}
    assert values.about["trial"] == 20 and values.about["won"] == max(one["won"] for one in told["trials"][1:])


def test_values_that_win_less_than_none_are_written_only_when_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "train" not in {command.name or command.callback.__name__ for command in cli.app.registered_commands}:  # type: ignore[union-attr]
        cli._gather()

    def worse(settings: list[Setting], games: int, *rest: object) -> Iterator[Round | Trial]:
        yield Round(1, games, 3, {})
        yield Trial(START, games, first(9), before=True)
        yield Trial(some_values(RUN), games, first(8))

    monkeypatch.setattr("beachhead.train.rounds.train", worse)
    monkeypatch.setattr("beachhead.train.cli._name", lambda trial: "some")
    out = tmp_path / "v.json"
    args = ["train", "--level", "practice-run", "--games", "10", "--rounds", "1", "--out", str(out)]
    found = CliRunner().invoke(cli.app, args)
    assert found.exit_code == 0 and not out.exists()
    assert "Nothing was written" in found.stdout and "won 8 games" in found.stdout and "--anyway" in found.stdout
    found = CliRunner().invoke(cli.app, [*args, "--anyway"])
    assert found.exit_code == 0 and read(out).setting == RUN
    assert "won 8 games" in found.stdout and str(out) in found.stdout
    assert "in place of the old one" not in found.output


def test_values_that_are_written_over_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "train" not in {command.name or command.callback.__name__ for command in cli.app.registered_commands}:  # type: ignore[union-attr]
        cli._gather()

    def learned(settings: list[Setting], games: int, *rest: object) -> Iterator[Round | Trial]:
        yield Trial(START, games, first(8), before=True)
        yield Trial(some_values(RUN), games, first(9))

    monkeypatch.setattr("beachhead.train.rounds.train", learned)
    monkeypatch.setattr("beachhead.train.cli._name", lambda trial: "some")
    out = tmp_path / "v.json"
    out.write_text("old")
    args = ["train", "--level", "practice-run", "--games", "10", "--rounds", "1", "--out", str(out)]
    over = f"wrote {out}, in place of the old one\n"
    found = CliRunner().invoke(cli.app, args)
    assert found.exit_code == 0 and over in found.stdout
    found = CliRunner().invoke(cli.app, [*args, "--json"])
    assert found.stderr == over and json.loads(found.stdout)["file"] == str(out)


def test_workers_are_counted_as_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "train" not in {command.name or command.callback.__name__ for command in cli.app.registered_commands}:  # type: ignore[union-attr]
        cli._gather()
    counted: list[object] = []

    def learned(
        settings: list[Setting], games: int, rounds: int, seed: int, workers: int, *rest: object
    ) -> list[Trial]:
        counted.append(workers)
        return [Trial(START, games, first(8), before=True), Trial(some_values(RUN), games, first(9))]

    monkeypatch.setattr("beachhead.train.rounds.train", learned)
    monkeypatch.setattr("beachhead.train.cli._name", lambda trial: "some")
    monkeypatch.setattr("beachhead.core.processes.cores", lambda: 7)
    args = ["train", "--level", "practice-run", "--games", "10", "--out", str(tmp_path / "v.json")]
    for more in ([], ["--workers", "auto"], ["--workers", "3"]):
        assert CliRunner().invoke(cli.app, [*args, *more]).exit_code == 0
    assert counted == [7, 7, 3]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes as Linux does")
def test_a_training_that_is_killed_leaves_no_processes(tmp_path: Path) -> None:
    args = [
        "train",
        "--level",
        "practice-run",
        "--games",
        "100000",
        "--workers",
        "2",
        "--out",
        str(tmp_path / "v.json"),
    ]
    running = subprocess.Popen(
        [sys.executable, "-m", "beachhead", *args], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )

    def wait_for(there: Callable[[], bool]) -> None:
        until = time.monotonic() + 60
        while not there():
            assert time.monotonic() < until
            time.sleep(0.1)

    wait_for(lambda: len(workers_of(running.pid)) == 2)
    workers = workers_of(running.pid)
    running.kill()
    running.wait()
    wait_for(lambda: not any(alive(pid) for pid in workers))


def workers_of(pid: int) -> list[int]:
    """The processes that a pool of this one has begun, once they are at work."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            command = (path / "cmdline").read_bytes()
            if parent == pid and b"spawn_main" in command and len(list((path / "task").iterdir())) > 1:
                found.append(int(path.name))
        except OSError:  # it is over
            continue
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_of_several_games_those_are_played_that_there_are() -> None:
    given = (["first", "second"], [RUN.map], [1], ["practice-run", "", "advanced-training"])
    found = [(setting.edition, setting.level) for setting in _those_there_are(given)]
    assert found == [
        *(("first", level) for level in ("practice-run", "", "advanced-training")),
        *(("second", level) for level in ("", "advanced-training")),
    ]
    with pytest.raises(SetupError, match="nowhere"):
        _those_there_are((["first"], [RUN.map, "nowhere"], [1], [""]))


@pytest.mark.parametrize(
    "args",
    [
        ["--rounds", "0"],
        ["--games", "0"],
        ["--games", "9" * 33],
        ["--trials", "0"],
        ["--trials", "9" * 33],
        ["--workers", "0"],
        ["--workers", "many"],
        ["--map", "nowhere"],
        ["--level", "none"],
        ["--out", "/no/such/folder/v.json"],
        ["--search", "luck"],
        ["--search", "move", "--no-planner"],
    ],
)
def test_bad_input_is_one_message(args: list[str]) -> None:
    if "train" not in {command.name or command.callback.__name__ for command in cli.app.registered_commands}:  # type: ignore[union-attr]
        cli._gather()
    found = CliRunner().invoke(cli.app, ["train", *args])
    assert isinstance(found.exception, BeachheadError) and str(found.exception)


# ---- harder boards


def test_harder_boards_are_ours_with_a_higher_def(tmp_path: Path) -> None:
    names = harder.write(tmp_path, [4])
    assert "n01-exercise-tiger-plus-4" in names
    found = load_packs((PACKS, tmp_path))
    for edition in EDITIONS:
        for end in names:
            if end not in found.maps[edition]:
                continue
            hard, plain = found.maps[edition][end], found.maps[edition][end.removesuffix("-plus-4")]
            for name, sector in plain.sectors.items():
                assert hard.sectors[name].defence == tuple(value + 4 for value in sector.defence)
                assert hard.sectors[name].mgf == sector.mgf
