"""Many games: the same ones whatever the number of processes, and the right figures about them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from beachhead.bots import BOTS, Bot, View
from beachhead.core import record as records
from beachhead.core.errors import BeachheadError, RecordError, SetupError
from beachhead.core.game import Setup
from beachhead.core.node import Decision
from beachhead.games import GAMES
from beachhead.sim import runner
from beachhead.sim.runner import Count, Estimate, Played, game_seed, mean, play, record_of, simulate, wilson
from tests.toys import hidden_hand, no_board

LANDING = GAMES["landing"]
PIG: Setup = {"seats": 2, "goal": 20}
RANDOM = BOTS["random"]


def landing(seats: int = 2, edition: str = "first") -> Setup:
    return {"edition": edition, "map": "n01-exercise-tiger", "seats": seats}


# ---- one game


@pytest.mark.parametrize("edition", ["first", "second"])
def test_the_same_seed_gives_the_same_game(edition: str) -> None:
    games = [play(LANDING, landing(3, edition), [RANDOM] * 3, game_seed(7, n)) for n in (1, 1, 2)]
    assert games[0] == games[1]
    assert games[0] != games[2]


def test_the_games_are_counted_in_answers_and_turns() -> None:
    played = play(LANDING, landing(), [RANDOM] * 2, game_seed(7, 1))
    assert played.decisions == len(played.answers) > 10
    assert played.turns >= 1


def test_a_game_without_turns_has_none() -> None:
    assert play(hidden_hand.GAME, {}, [RANDOM] * len(hidden_hand.GAME.new({})[0].lanes), "seed").turns == 0


def test_nobody_touches_the_global_generator() -> None:
    random.seed(1)
    expected = random.random()
    random.seed(1)
    play(LANDING, landing(), [RANDOM] * 2, game_seed(7, 1))
    assert random.random() == expected


def test_each_seat_draws_for_itself() -> None:
    """A bot that draws more often than another shifts nobody else's draws."""

    def draws(seat: int, greedy: int) -> list[float]:
        seen: list[float] = []

        def answer(decision: Decision, view: View, rng: random.Random) -> str:
            for _ in range(5 if decision.seat == greedy else 1):
                drawn = rng.random()
            if decision.seat == seat:
                seen.append(drawn)
            return decision.keys[0]

        bot = Bot("counting", "", answer)
        play(LANDING, landing(), [bot] * 2, game_seed(7, 1))
        return seen

    assert draws(1, greedy=-1) == draws(1, greedy=0)
    assert draws(1, greedy=-1) != draws(1, greedy=1)
    assert draws(0, greedy=-1) != draws(1, greedy=-1)


def test_a_bot_sees_the_view_of_its_seat_when_it_asks() -> None:
    looked: set[tuple[int, Any]] = set()

    def answer(decision: Decision, view: View, rng: random.Random) -> str:
        seen = view()
        assert seen["decision"]["seq"] == decision.seq
        looked.add((decision.seat, seen["seat"]))
        return rng.choice(decision.keys)

    play(LANDING, landing(), [Bot("looking", "", answer)] * 2, game_seed(7, 1))
    assert looked == {(0, 0), (1, 1)}


def test_an_illegal_answer_names_the_bot_and_the_seed() -> None:
    wrong = Bot("wrong", "", lambda decision, view, rng: "resign")
    with pytest.raises(RuntimeError, match=r"the bot 'wrong' gave no legal answer \(seed 123\): 'resign' is no answer"):
        play(LANDING, landing(1), [wrong], "123")


def test_a_game_that_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "MOST_ANSWERS", 5)
    with pytest.raises(BeachheadError, match="not over after 5 answers of random, random"):
        play(LANDING, landing(), [RANDOM] * 2, game_seed(7, 1))


def test_there_is_one_bot_per_seat() -> None:
    with pytest.raises(SetupError, match="1 bots for 2 seats"):
        play(LANDING, landing(), [RANDOM], "123")


@pytest.mark.parametrize("edition", ["first", "second"])
def test_the_record_is_that_of_the_same_game(edition: str) -> None:
    setup, seed = landing(4, edition), game_seed(7, 1)
    played = play(LANDING, setup, [RANDOM] * 4, seed)
    record = record_of(LANDING, setup, seed, played.answers)
    run = records.replay(record, GAMES)
    assert run.finish().node == played.over
    given = [entry for entry in record.entries if isinstance(entry, records.Answered)]
    assert [(entry.seat, entry.key) for entry in given] == [(answer.seat, answer.key) for answer in played.answers]
    assert all(check.status == "ok" for check in records.verify(record, GAMES))


# ---- many games


def test_the_number_of_processes_changes_nothing() -> None:
    alone = simulate(LANDING, landing(), ["random"], 40, seed=3, workers=1)
    three = simulate(LANDING, landing(), ["random"], 40, seed=3, workers=3)
    assert (alone.workers, three.workers) == (1, 3)
    assert alone.tally == three.tally
    assert alone.games == 40
    assert simulate(LANDING, landing(), ["random"], 40, seed=4, workers=3).tally != alone.tally


def test_more_games_begin_with_the_same_ones() -> None:
    few = simulate(LANDING, landing(1), ["random"], 5, seed=3, workers=1)
    expected = [play(LANDING, landing(1), [RANDOM], game_seed(3, n)).decisions for n in range(1, 6)]
    assert few.decisions == sum(expected)


def test_one_bot_stands_for_all_seats() -> None:
    assert simulate(LANDING, landing(3), ["random"], 1, workers=1).bots == ("random",) * 3
    assert simulate(LANDING, landing(3), ["random"] * 3, 1, workers=1).bots == ("random",) * 3


def test_every_game_is_ticked_off() -> None:
    for workers in (1, 2):
        ticks: list[int] = []
        simulate(LANDING, landing(1), ["random"], 23, workers=workers, tick=ticks.append)
        assert sum(ticks) == 23


def test_a_game_that_is_in_no_list_can_be_played_in_one_process() -> None:
    assert simulate(no_board.GAME, PIG, ["random"], 10, workers=1).games == 10


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"games": 0}, "0 games: expected 1 or more"),
        ({"games": -3}, "-3 games: expected 1 or more"),
        ({"workers": 0}, "0 workers: expected 1 or more"),
        ({"bots": ["hal"]}, "unknown bot 'hal': expected one of random"),
        ({"bots": ["random"] * 3}, "3 bots for 2 seats: expected one for each seat, or one for all"),
        ({"bots": []}, "0 bots for 2 seats"),
        ({"setup": {"edition": "third"}}, "unknown edition 'third'"),
        ({"setup": {"map": "nowhere"}}, "unknown map 'nowhere'"),
        ({"setup": {"seats": 9}}, "9 seats: expected 1 to 4"),
    ],
)
def test_a_wrong_order_is_refused_before_the_first_game(change: dict[str, Any], message: str) -> None:
    order: dict[str, Any] = {"game": LANDING, "setup": landing(), "bots": ["random"], "games": 5, "workers": 1}
    with pytest.raises(SetupError, match=message):
        simulate(**order | change, tick=lambda games: pytest.fail("played"))


def test_saved_games_are_those_that_were_counted(tmp_path: Path) -> None:
    result = simulate(LANDING, landing(), ["random"], 12, seed=3, workers=2, save=tmp_path / "new" / "folder")
    files = sorted((tmp_path / "new" / "folder").iterdir())
    assert [file.name for file in files] == [f"landing-3-{n:04}.jsonl" for n in range(1, 13)]
    saved = [records.read(file) for file in files]
    answers = sum(isinstance(entry, records.Answered) for record in saved for entry in record.entries)
    assert answers == result.decisions
    for record in saved:
        assert all(check.status == "ok" for check in records.verify(record, GAMES))


def test_no_file_is_overwritten_and_then_nothing_is_played(tmp_path: Path) -> None:
    there = tmp_path / "landing-3-0004.jsonl"
    there.write_text("mine")
    (tmp_path / "notes.txt").write_text("mine too")
    with pytest.raises(BeachheadError, match=r"landing-3-0004.jsonl is already there, and nothing was played"):
        simulate(LANDING, landing(), ["random"], 5, seed=3, workers=1, save=tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["landing-3-0004.jsonl", "notes.txt"]
    assert there.read_text() == "mine"
    simulate(LANDING, landing(), ["random"], 3, seed=3, workers=1, save=tmp_path)
    assert there.read_text() == "mine"
    assert (tmp_path / "notes.txt").read_text() == "mine too"


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BeachheadError, match="the games cannot be saved in"):
        simulate(LANDING, landing(), ["random"], 1, save=tmp_path / "file")


def test_an_error_in_another_process_is_told_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "file_name", lambda game, seed, number: f"gone/{number}")
    with pytest.raises(RecordError, match="the record cannot be written: No such file or directory"):
        simulate(LANDING, landing(1), ["random"], 8, workers=2, save=tmp_path)


# ---- figures


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [  # Newcombe 1998 (Statistics in Medicine 17, 857), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_wilson_interval_is_as_published(hits: int, of: int, low: float, high: float) -> None:
    assert wilson(hits, of) == (hits / of, pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


@pytest.mark.parametrize(
    ("hits", "of"), [(0, 1), (1, 1), (0, 10), (10, 10), (3, 10), (500, 1000), (999_999, 1_000_000)]
)
def test_the_bounds_are_the_rates_that_would_just_be_believed(hits: int, of: int) -> None:
    rate, *bounds = wilson(hits, of)
    for bound in bounds:
        assert bound is not None and 0 <= bound <= 1
        assert (rate - bound) ** 2 == pytest.approx(1.959964**2 * bound * (1 - bound) / of, rel=1e-5, abs=1e-15)
    assert bounds == sorted(bounds)


def count(*values: int) -> Count:
    found = Count()
    for value in values:
        found.add(value)
    return found


def test_the_interval_of_a_mean() -> None:
    found = mean(count(2, 4, 4, 4, 5, 5, 7, 9))
    assert found.value == 5
    assert found.low == pytest.approx(5 - 1.959964 * (32 / 7) ** 0.5 / 8**0.5)
    assert found.high == pytest.approx(5 + 1.959964 * (32 / 7) ** 0.5 / 8**0.5)
    assert mean(count(3, 3, 3)) == Estimate(3, 3, 3)
    assert mean(count(3)) == Estimate(3, None, None)


def test_counts_add_up() -> None:
    both = count(1, 2)
    both += count(3)
    assert both == count(1, 2, 3)


def test_the_result_counts_wins_and_causes() -> None:
    result = simulate(LANDING, landing(1), ["random"], 6, workers=1)
    over = play(LANDING, landing(1), [RANDOM], game_seed(0, 1)).over
    for won, cause in ((True, "bunker"), (True, "bunker"), (False, "bunker"), (False, "abyss")):
        result.tally.add(Played(over._replace(won=won, cause=cause), 4, []))
    assert (result.games, result.wins) == (10, result.win_rate.value * 10)
    assert result.wins >= 2
    assert result.ended["bunker"] >= 3
    assert sum(result.ended.values()) == 10
    assert list(result.ended.values()) == sorted(result.ended.values(), reverse=True)
