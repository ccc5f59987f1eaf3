"""One game and many: the same ones in every run, also with bots that fail."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from beachhead.bots import BOTS, Bot, View
from beachhead.core import record as records
from beachhead.core.errors import BeachheadError, SetupError
from beachhead.core.game import Setup
from beachhead.core.node import Decision
from beachhead.games import GAMES
from beachhead.landing.state import SAFE, Landing
from beachhead.sim import runner
from beachhead.sim.rows import Row
from beachhead.sim.runner import Check, cell_of, game_seed, plan_of, play, play_block, record_of, simulate
from beachhead.sim.store import Cell, Store, open_store
from beachhead.table.match import Match
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


def test_the_soldiers_are_told_turn_by_turn() -> None:
    played = play(LANDING, landing(3), [RANDOM] * 3, game_seed(7, 2))
    assert len(played.course) == played.turns
    assert len(played.soldiers) == 3
    starts = {unit.soldiers for unit in LANDING.new(landing(3))[0].units}  # type: ignore[attr-defined]
    assert set(played.course[0]) == starts


def test_the_way_of_each_unit_is_told_as_the_events_have_it() -> None:
    """A turn that a Unit begins on the map is one in the Sector where it stands."""
    setup, ends = landing(3), set()
    for number, player in enumerate((BOTS["thumb"], BOTS["thumb"], RANDOM, RANDOM), 1):
        seed = game_seed(7, number)
        played = play(LANDING, setup, [BOTS["thumb"], BOTS["thumb"], player], seed)
        match = Match.new(LANDING, setup, seed)
        for given in played.answers:
            match.answer(given)
        ways: list[list[str]] = [["1"], ["1"], ["1"]]
        turns: list[Counter[str]] = [Counter(), Counter(), Counter()]
        gone: dict[int, str] = {}
        for event in match.events:
            if event.type == "sector":
                ways[event.seat].append(event.data["to"])
            elif event.type in ("safe", "lost"):
                gone[event.seat] = event.type
            elif event.type == "turn":
                for seat in {0, 1, 2} - gone.keys():
                    turns[seat][ways[seat][-1]] += 1
        assert played.ways == tuple(map(tuple, ways))
        assert played.stays == tuple(tuple(turns[seat][sector] for sector in way) for seat, way in enumerate(ways))
        assert played.lost == tuple(seat for seat in range(3) if gone.get(seat) == "lost")
        ends.add(bool(played.lost))
    assert ends == {True, False}


def test_turns_after_the_bunker_are_none_on_the_way_and_a_sector_seen_twice_is_counted_once() -> None:
    g = LANDING.new(landing(2))[0]
    assert isinstance(g, Landing)
    assert runner._places(g) == ("1", "1")
    g.units[0].status, g.units[0].sector = SAFE, "B"
    assert runner._places(g) == ("", "1")
    g.units[0].visited, g.units[1].visited = ("1", "B"), ("1", "2", "1")
    stood = [("1", "1"), ("", "2"), ("", "1")]
    assert runner._traces(g, stood) == ((("1", "B"), ("1", "2", "1")), ((1, 0), (2, 1, 0)), ())


# ---- bots that fail


def wrong(decision: Decision, view: View, rng: random.Random) -> str:
    return "resign"


def crashing(decision: Decision, view: View, rng: random.Random) -> str:
    raise ZeroDivisionError("oh")


@pytest.mark.parametrize("answer", [wrong, crashing])
def test_a_random_answer_stands_in_for_a_bot_that_fails(answer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "failing", Bot("failing", "", answer))
    (row,) = rows_of(cell(["failing", "random"]), 1)
    assert 0 < row.faults < row.decisions
    told: list[str] = []
    played = play(LANDING, landing(), [BOTS["failing"], RANDOM], game_seed(0, 1), told.append)
    assert len(told) == row.faults
    assert all(why.startswith("failing: ") for why in told)
    assert played.decisions == row.decisions


class Leaving(BaseException):
    pass


def leaving(decision: Decision, view: View, rng: random.Random) -> str:
    raise Leaving("oh")


def exiting(decision: Decision, view: View, rng: random.Random) -> str:
    raise SystemExit


def interrupted(decision: Decision, view: View, rng: random.Random) -> str:
    raise KeyboardInterrupt


@pytest.mark.parametrize("answer", [leaving, exiting])
def test_a_bot_that_ends_its_process_is_one_that_fails(answer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "failing", Bot("failing", "", answer))
    (row,) = rows_of(cell(["failing", "random"]), 1)
    assert 0 < row.faults < row.decisions
    with pytest.raises((Leaving, SystemExit)):
        play(LANDING, landing(), [BOTS["failing"], RANDOM], game_seed(0, 1))


def test_an_interrupt_is_no_fault_of_a_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "failing", Bot("failing", "", interrupted))
    with pytest.raises(KeyboardInterrupt):
        rows_of(cell(["failing", "random"]), 1)


def test_the_first_fault_of_each_game_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(BOTS, "failing", Bot("failing", "", crashing))
    assert all(row.faults > 1 for row in rows_of(cell(["failing", "random"]), 3))
    assert [log.getMessage() for log in caplog.records] == [
        f"First edition, Exercise Tiger, 2 Units, game {n}: a random answer stands in for that of the bot "
        "failing: ZeroDivisionError('oh')"
        for n in (1, 2, 3)
    ]
    assert {(log.name, log.levelname) for log in caplog.records} == {("beachhead.sim.runner", "WARNING")}
    assert not any(game_seed(0, n) in caplog.text for n in (1, 2, 3))


def test_after_some_games_faults_are_no_longer_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(BOTS, "failing", Bot("failing", "", crashing))
    monkeypatch.setattr(runner, "MOST_TOLD", 2)
    rows_of(cell(["failing", "random"]), 6)
    told = [log.getMessage() for log in caplog.records]
    assert len(told) == 3
    assert told[-1].startswith("there are more such games")


def test_a_bot_without_faults_has_none(caplog: pytest.LogCaptureFixture) -> None:
    assert all(row.faults == 0 for row in rows_of(cell(), 3))
    assert not caplog.records


def test_a_game_that_never_ends_does_not_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "MOST_ANSWERS", 5)
    found = rows_of(cell(), 3)
    assert [row.n for row in found] == [1, 2, 3]
    assert {(row.won, row.cause) for row in found} == {(False, "endless")}


def test_a_game_that_never_ends_tells_how_far_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    played = play(LANDING, landing(), [RANDOM] * 2, game_seed(0, 1))
    monkeypatch.setattr(runner, "MOST_ANSWERS", played.decisions - 2)
    (row,) = rows_of(cell(), 1)
    assert row.cause == "endless"
    assert 1 < row.turns <= played.turns
    assert row.decisions == played.decisions - 2


# ---- many games


def cell(bots: list[str] | None = None, setup: Setup | None = None, seed: int = 0) -> Cell:
    return cell_of("landing", setup or landing(), bots or ["random"], seed)


def rows_of(one: Cell, games: int) -> list[Row]:
    plan = plan_of([one], games)
    store = Store(plan)
    simulate(plan, store)
    return list(store.rows(0))


def test_more_games_begin_with_the_same_ones() -> None:
    few, many = rows_of(cell(seed=3), 5), rows_of(cell(seed=3), 70)
    assert many[:5] == few
    assert [row.n for row in many] == list(range(1, 71))
    expected = [play(LANDING, landing(), [RANDOM] * 2, game_seed(3, n)).decisions for n in range(1, 6)]
    assert [row.decisions for row in few] == expected
    assert rows_of(cell(seed=4), 5) != few


def test_one_bot_stands_for_all_seats() -> None:
    assert cell(setup=landing(3)).bots == ("random",) * 3
    assert cell(["random"] * 3, landing(3)) == cell(setup=landing(3))


def test_every_game_is_ticked_off_and_those_that_were_there_first() -> None:
    plan = plan_of([cell(), cell(seed=1)], 130)
    store = Store(plan)
    ticks: list[int] = []
    simulate(plan, store, tick=ticks.append)
    assert (ticks[0], sum(ticks)) == (0, 260)
    again: list[int] = []
    assert simulate(plan, store, tick=again.append)[:2] == (0, 0)
    assert again == [260]


def test_games_without_units_have_no_soldiers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, no_board.GAME.name, no_board.GAME)
    found = rows_of(cell_of(no_board.GAME.name, PIG, ["random"]), 10)
    assert len(found) == 10
    assert {row.soldiers for row in found} == {()}


def test_victory_points_are_kept_where_they_are_counted() -> None:
    found = rows_of(cell(setup=landing() | {"options": ["victory-points"]}), 3)
    assert all(len(row.points) == 2 for row in found)
    assert all(row.points == () for row in rows_of(cell(), 3))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"games": 0}, "0 games: expected 1 or more"),
        ({"games": -3}, "-3 games: expected 1 or more"),
        ({"games": 10**33}, "0 games: expected 1000000000 or fewer"),
        ({"game": "chess"}, "unknown game 'chess': expected one of landing"),
        ({"bots": ["hal"]}, "unknown bot 'hal': expected one of random"),
        ({"bots": ["random"] * 3}, "3 bots for 2 seats: expected one for each seat, or one for all"),
        ({"bots": []}, "0 bots for 2 seats"),
        ({"setup": {"edition": "third"}}, "unknown edition 'third'"),
        ({"setup": {"map": "nowhere"}}, "unknown map 'nowhere'"),
        ({"setup": {"seats": 9}}, "9 seats: expected 1 to 4"),
    ],
)
def test_a_wrong_order_is_refused(change: dict[str, Any], message: str) -> None:
    order: dict[str, Any] = {"game": "landing", "setup": landing(), "bots": ["random"], "games": 5} | change
    with pytest.raises(SetupError, match=message):
        plan_of([cell_of(order["game"], order["setup"], order["bots"])], order["games"])


def saved_games(folder: Path, games: int, seed: int = 3) -> list[Row]:
    plan = plan_of([cell(seed=seed)], games)
    store = Store(plan)
    simulate(plan, store, save=folder)
    return list(store.rows(0))


def test_saved_games_are_those_that_were_counted(tmp_path: Path) -> None:
    found = saved_games(tmp_path / "new" / "folder", 12)
    files = sorted((tmp_path / "new" / "folder").iterdir())
    assert [file.name for file in files] == [f"landing-3-{n:04}.jsonl" for n in range(1, 13)]
    saved = [records.read(file) for file in files]
    answers = [sum(isinstance(entry, records.Answered) for entry in record.entries) for record in saved]
    assert answers == [row.decisions for row in found]
    for record in saved:
        assert all(check.status == "ok" for check in records.verify(record, GAMES))


def test_no_file_is_overwritten_and_then_nothing_is_played(tmp_path: Path) -> None:
    there = tmp_path / "landing-3-0004.jsonl"
    there.write_text("mine")
    (tmp_path / "notes.txt").write_text("mine too")
    with pytest.raises(BeachheadError, match=r"landing-3-0004.jsonl is already there, and nothing was played"):
        saved_games(tmp_path, 5)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["landing-3-0004.jsonl", "notes.txt"]
    assert there.read_text() == "mine"
    saved_games(tmp_path, 3)
    assert there.read_text() == "mine"
    assert (tmp_path / "notes.txt").read_text() == "mine too"


def stopped_with_records(tmp_path: Path, bot: str = "random") -> tuple[Path, Path]:
    """A run of 12 games, of which six are in its folder and all twelve have left a record."""
    run, records_of = tmp_path / "run", tmp_path / "records"
    plan = plan_of([cell([bot], seed=3)], 12)
    simulate(plan, open_store(plan, run), save=records_of)
    rest = (run / "000.jsonl").read_bytes().splitlines(keepends=True)
    (run / "000.jsonl").unlink()
    for number, line in enumerate(rest[:6], 1):
        (run / f"000-{number:06}.jsonl").write_bytes(line)
    return run, records_of


def test_a_stopped_run_with_saved_records_goes_on(tmp_path: Path) -> None:
    run, records_of = stopped_with_records(tmp_path)
    before = {path.name: path.read_bytes() for path in records_of.iterdir()}
    (records_of / "landing-3-0012.jsonl").unlink()
    plan = plan_of([cell(seed=3)], 12)
    assert simulate(plan, open_store(plan, run), save=records_of).games == 6
    assert {path.name: path.read_bytes() for path in records_of.iterdir()} == before


def test_a_run_that_goes_on_overwrites_no_record_of_another_game(tmp_path: Path) -> None:
    """Neither what is no record of such a game, which is seen before the first one, nor that of other players."""
    run, records_of = stopped_with_records(tmp_path)
    plan = plan_of([cell(seed=3)], 12)
    theirs = records_of / "landing-3-0009.jsonl"
    for text in (b"mine", (records_of / "landing-3-0008.jsonl").read_bytes()):
        theirs.write_bytes(text)
        with pytest.raises(BeachheadError, match=r"0009.jsonl is already there, and nothing was played"):
            simulate(plan, open_store(plan, run), save=records_of)
        assert theirs.read_bytes() == text
    theirs.unlink()
    other = plan_of([cell(["thumb"], seed=3)], 9)
    simulate(other, Store(other), save=tmp_path / "others")
    (tmp_path / "others" / theirs.name).rename(theirs)
    text = theirs.read_bytes()
    with pytest.raises(BeachheadError, match=r"0009.jsonl"):
        simulate(plan, open_store(plan, run), save=records_of)
    assert theirs.read_bytes() == text


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BeachheadError, match="the games cannot be saved in"):
        saved_games(tmp_path / "file", 1)


def test_a_block_is_only_played_with_what_the_plan_was_made_with() -> None:
    (planned,), _, made = plan_of([cell()], 1)
    assert play_block(planned, range(1, 2), Check(made))
    for other in ({"version": "0.0"}, {"engine": "ffff"}, {"solver": "abacus"}):
        with pytest.raises(BeachheadError, match="expected Beachhead"):
            play_block(planned, range(1, 2), Check(made._replace(**other)))
    with pytest.raises(BeachheadError, match="expected ffff"):
        play_block(planned._replace(content="ffff"), range(1, 2), Check(made))
