"""The record of a game: written and read, played again, proven. Each test is one sentence of its contract."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from beachhead import __version__
from beachhead.core import record as records
from beachhead.core.chance import commitment, new_seed, sample
from beachhead.core.errors import RecordError
from beachhead.core.node import Answer, Ask, Over, Roll
from beachhead.core.record import Answered, Check, Difference, Ended, Record, Revealed, Rolled, Sealed, Undone
from beachhead.table.match import Match
from tests.table.tiny_game import GAMES, SEED, TINY, finished, match, play, say

Lines = list[Any]


def lines_of(record: Record) -> Lines:
    return [json.loads(line) for line in record.lines()]


def put(path: Path, lines: Lines) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def first(record: Record, kind: type, then: Callable[[Any], bool] = lambda entry: True) -> int:
    return next(i for i, entry in enumerate(record.entries) if isinstance(entry, kind) and then(entry))


def step_of(record: Record, index: int) -> int:
    """The number of the step at this entry, in a record without undo."""
    return sum(isinstance(entry, Answered | Rolled) for entry in record.entries[: index + 1])


def failed(checks: list[Check]) -> Check:
    (check,) = [check for check in checks if check.status == "failed"]
    return check


# ---- written and read


def test_a_record_comes_back_from_its_file_as_it_was(tmp_path: Path) -> None:
    record = finished().record
    path = tmp_path / "game.jsonl"
    records.write(record, path)
    back = records.read(path)
    assert back == record
    assert [type(entry) for entry in back.entries] == [type(entry) for entry in record.entries]
    assert "".join(back.lines()).encode() == path.read_bytes()


def test_the_file_is_json_lines_with_the_header_first(tmp_path: Path) -> None:
    record = finished(rounds=1).record
    path = tmp_path / "game.jsonl"
    records.write(record, path)
    header, *rest = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert header == {
        "beachhead": 2,
        "game": "tiny",
        "version": __version__,
        "setup": {"rounds": 1},
        "content": "tiny-pack-1",
        "seed": commitment(SEED),
        "start": record.header.start,
    }
    assert rest[0][:3] == ["roll", "deal", 0]
    assert rest[1][0] == "answer" and len(rest[1]) == 5
    assert rest[-2] == ["reveal", SEED]
    assert rest[-1][0] == "over" and rest[-1][1]["cause"] == "rounds"


def test_every_kind_of_entry_survives_the_file(tmp_path: Path) -> None:
    seed = new_seed()
    entries: list[records.Entry] = [
        Answered(0, 3, "lock:R1,W2 Ω", "0" * 12),
        Rolled("deal", 0, ("ace", "king"), "1" * 12),
        Rolled("dice", 7, (1, 6), "2" * 12),
        Undone(2),
        Revealed(seed),
        Sealed(commitment(seed)),
        Ended(Over(True, "rounds", "tiny-5", (3, 4)), "3" * 12),
    ]
    for practice in (False, True):
        record = Record(finished().record.header._replace(practice=practice), entries)
        records.write(record, tmp_path / "all.jsonl", overwrite=True)
        back = records.read(tmp_path / "all.jsonl")
        assert back == record
        assert [type(entry) for entry in back.entries] == [type(entry) for entry in entries]


def test_an_existing_file_is_not_overwritten_unless_asked(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("something dear")
    with pytest.raises(RecordError, match="already there"):
        records.write(finished().record, path)
    assert path.read_text() == "something dear"
    assert os.listdir(tmp_path) == ["game.jsonl"]
    records.write(finished().record, path, overwrite=True)
    assert records.read(path) == finished().record
    assert os.listdir(tmp_path) == ["game.jsonl"]


def test_a_file_that_appears_while_we_write_is_not_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    fsync = os.fsync

    def slow(descriptor: int) -> None:
        path.write_text("another's")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", slow)
    with pytest.raises(RecordError, match="already there"):
        records.write(finished().record, path)
    assert path.read_text() == "another's"
    assert os.listdir(tmp_path) == ["game.jsonl"]


def test_a_file_system_without_hard_links_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_link(*args: object) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr(os, "link", no_link)
    records.write(finished().record, tmp_path / "game.jsonl")
    assert records.read(tmp_path / "game.jsonl") == finished().record
    with pytest.raises(RecordError, match="already there"):
        records.write(finished(seed="another").record, tmp_path / "game.jsonl")
    assert records.read(tmp_path / "game.jsonl") == finished().record
    assert os.listdir(tmp_path) == ["game.jsonl"]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RecordError, match="No space left"):
        records.write(finished().record, path, overwrite=True)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["game.jsonl"]


@pytest.mark.parametrize("name", ["no/such/folder/game.jsonl", ".", "nul\0.jsonl", "file/game.jsonl", "x" * 300])
def test_a_place_that_cannot_be_written_is_one_clear_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordError):
        records.write(finished().record, tmp_path / name)
    assert os.listdir(tmp_path) == ["file"]


# ---- broken files


def edited(change: Callable[[Lines], object]) -> bytes:
    lines = lines_of(finished(rounds=1).record)
    change(lines)
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def header(**changes: object) -> bytes:
    return edited(lambda lines: lines[0].update(changes))


def without(key: str) -> bytes:
    return edited(lambda lines: lines[0].pop(key))


def second(line: object) -> bytes:
    return edited(lambda lines: lines.insert(1, line))


whole = edited(lambda lines: None)

BROKEN = {
    "empty": (b"", "the file is empty"),
    "only a line end": (b"\n", ":1: the line is not JSON: expected one object"),
    "not JSON": (b"hello\n", ":1: the line is not JSON: expected one object"),
    "not UTF-8": (b"\xff\xfe\n", ":1: the line is not UTF-8"),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00\x00", ":1: the line is not UTF-8"),
    "other JSON": (b"[1,2]\n", ":1: this is no record of a game: expected a first line"),
    "another object": (b'{"game":"tiny"}\n', ":1: this is no record of a game"),
    "cut off in the last line": (whole[:-20], "the last line is cut off: expected a whole line"),
    "cut off before the last line end": (whole[:-1], "the last line is cut off: expected a whole line"),
    "cut off in the header": (whole[:40], ":1: the line is not JSON"),
    "nothing but a header cut off": (whole.splitlines()[0], ":1: the last line is cut off"),
    "a newer format": (
        header(beachhead=3, version="9.1"),
        r":1: .*format 3, written by a newer Beachhead \(Beachhead 9.1\)",
    ),
    "an older format": (header(beachhead=0), ":1: the record is of format 0: expected 2"),
    "a format that is no number": (header(beachhead="one"), ':1: the record is of format "one": expected 2'),
    "a format that is true": (header(beachhead=True), ":1: the record is of format true: expected 2"),
    "no game": (without("game"), ":1: the header has no 'game': expected a text"),
    "no setup": (without("setup"), ":1: the header has no 'setup': expected an object"),
    "no seed": (without("seed"), ":1: the header has no 'seed': expected 64 hex"),
    "a game that is no text": (header(game=7), ":1: 'game' of the header is 7: expected a text"),
    "a setup that is no object": (header(setup=[]), r":1: 'setup' of the header is \[\]: expected an object"),
    "a short seed": (header(seed="abc"), ":1: 'seed' of the header is \"abc\": expected 64 hex digits"),
    "a practice that is no yes or no": (
        header(practice=1),
        ":1: 'practice' of the header is 1: expected true or false",
    ),
    "an unknown key": (header(colour="red"), ":1: the header has an unknown key 'colour': expected game, version"),
    "a blank line": (whole.replace(b"\n", b"\n\n", 1), ":2: the line is not JSON: expected one array"),
    "half a line within": (whole.replace(b"]\n", b"\n", 1), ":2: the line is not JSON: expected one array"),
    "an endless nest": (second(0).replace(b"\n0\n", b"\n" + b"[" * 100_000 + b"\n"), ":2: the line is not JSON"),
    "a number that is none": (second(0).replace(b"\n0\n", b'\n["undo",NaN]\n'), ":2: the line is not JSON"),
    "half a character": (second(["reveal", "\ud800"]), ":2: the line is not UTF-8 text"),
    "an object": (second({"undo": 1}), ":2: expected an array that begins with its kind"),
    "an empty array": (second([]), ":2: expected an array that begins with its kind"),
    "an unknown kind": (second(["cheat", 1]), ':2: unknown kind of line "cheat": expected one of answer, roll, undo'),
    "a kind that is no text": (second([["undo"], 1]), r':2: unknown kind of line \["undo"\]'),
    "a part too few": (second(["answer", 0, 0, "red"]), r':2: a line "answer" of 3 parts: expected 4 \(seat, seq, key'),
    "a part too many": (second(["reveal", "a", 2]), r':2: a line "reveal" of 2 parts: expected 1 \(seed\)'),
    "a part too many behind a mark": (
        second(["undo", 1, True, 2]),
        r':2: a line "undo" of 3 parts: expected 1 \(steps\)',
    ),
    "a mark that is a number": (second(["undo", 1, 1]), ':2: agreed of "undo" is 1: expected true'),
    "a mark that says no": (second(["undo", 1, False]), ':2: agreed of "undo" is false: expected true'),
    "dice entered by nobody": (
        second(["roll", "dice0", 0, [1, 2], "0" * 12, "Ann"]),
        ':2: by of "roll" is "Ann": expected a whole number',
    ),
    "dice of another kind": (header(dice="loaded"), ':1: \'dice\' of the header is "loaded": expected "own"'),
    "a seat that is a text": (
        second(["answer", "0", 0, "red", "0" * 12]),
        ':2: seat of "answer" is "0": expected a whole',
    ),
    "a seat that is true": (second(["answer", True, 0, "red", "0" * 12]), ':2: seat of "answer" is true'),
    "a key that is a number": (second(["answer", 0, 0, 5, "0" * 12]), ':2: key of "answer" is 5: expected a text'),
    "a digest too short": (second(["answer", 0, 0, "red", "0"]), ':2: digest of "answer" is "0": expected 12 hex'),
    "an outcome that is a number": (
        second(["roll", "deal", 0, 6, "0" * 12]),
        ':2: outcome of "roll" is 6: expected an array',
    ),
    "a face that is true": (second(["roll", "deal", 0, [True], "0" * 12]), r':2: outcome of "roll" is \[true\]'),
    "an undo of nothing": (second(["undo", 0]), ':2: steps of "undo" is 0: expected a whole number from 1'),
    "a seal that is none": (second(["seal", "zz"]), ':2: commitment of "seal" is "zz": expected 64 hex digits'),
    "a seed that is a number": (second(["reveal", 5]), ':2: seed of "reveal" is 5: expected a text'),
    "a result without a cause": (
        second(["over", {"won": True}, "0" * 12]),
        ':2: result of "over" is .*: expected an object',
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_one_clear_error_and_stays_as_it_is(tmp_path: Path, name: str) -> None:
    data, message = BROKEN[name]
    path = tmp_path / "game.jsonl"
    path.write_bytes(data)
    with pytest.raises(RecordError, match=message) as error:
        records.read(path)
    assert str(path) in str(error.value) and "\n" not in str(error.value)
    assert path.read_bytes() == data


def test_a_file_that_is_not_there_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="there is no such file"):
        records.read(tmp_path / "none.jsonl")
    with pytest.raises(RecordError, match="cannot be read"):
        records.read(tmp_path)
    with pytest.raises(RecordError, match="cannot be read"):
        records.read("nul\0")
    assert os.listdir(tmp_path) == []


def test_whatever_befalls_a_file_it_is_refused_or_named_and_only_the_same_game_is_proven(tmp_path: Path) -> None:
    record = finished(rounds=2).record
    data = "".join(record.lines()).encode()
    chance = random.Random(5)
    path = tmp_path / "game.jsonl"
    for _ in range(400):
        hurt = bytearray(data)
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(hurt))
            hurt[at : at + chance.randint(0, 2)] = bytes(chance.randrange(256) for _ in range(chance.randint(0, 2)))
        path.write_bytes(hurt)
        try:
            back = records.read(path)
        except RecordError:
            continue
        if all(check.status == "ok" for check in records.verify(back, GAMES)):
            back.header = back.header._replace(version=__version__)
            assert back == record


# ---- played again


def test_a_replay_gives_every_step_with_its_events_and_the_same_end() -> None:
    played = finished()
    run = records.replay(played.record, GAMES)
    seen = list(run)
    assert [step.number for step, _ in seen] == list(range(1, len(seen) + 1))
    assert run.course.opening + [event for _, events in seen for event in events] == played.events
    assert run.course.state == played.state
    assert run.ended


def test_a_replay_passes_through_undone_steps_and_ends_without_them() -> None:
    played = match()
    say(played, 0, "red")
    say(played, 1, "red")
    played.undo()
    say(played, 1, "blue")
    run = records.replay(played.record, GAMES)
    assert [step.number for step, _ in run] == [1, 2, 3, 3]
    assert run.course.state == played.state
    assert [step.entry for step in run.course.steps] == [played.record.entries[i] for i in (0, 1, 4)]


def test_a_replay_names_an_unknown_game_and_the_games_there_are() -> None:
    record = finished().record
    record.header = record.header._replace(game="chess")
    with pytest.raises(RecordError, match="the game 'chess'; but the games here are tiny"):
        records.replay(record, GAMES)


def test_a_replay_names_the_content_that_is_needed_and_that_which_is_here() -> None:
    games = {"tiny": TINY._replace(content_hash=lambda setup: "other-pack")}
    with pytest.raises(RecordError, match="content tiny-pack-1; but the content here is other-pack"):
        records.replay(finished().record, games)
    check = failed(records.verify(finished().record, games))
    assert check.name == "start" and check.step == 0


def test_a_replay_tells_which_part_of_the_content_differs_and_what_was_changed_there_and_here() -> None:
    record = finished().record
    record.header = record.header._replace(content="maps:1 cards:2", changed=("second cards veteran cost",))
    games = {
        "tiny": TINY._replace(
            content_hash=lambda setup: "maps:1 cards:3", changed=lambda setup: ("second cards engineer cost",)
        )
    }
    with pytest.raises(RecordError) as caught:
        records.replay(record, games)
    assert "recorded: content maps:1 cards:2 with other values for second cards veteran cost" in str(caught.value)
    assert "maps:1 cards:3 with other values for second cards engineer cost; what differs: cards;" in str(caught.value)


def test_a_record_of_format_1_is_played_by_its_steps_and_says_that_its_content_cannot_be_told(tmp_path: Path) -> None:
    lines = list(finished().record.lines())
    old = lines[0].replace('"beachhead":2', '"beachhead":1').replace("tiny-pack-1", "all-files-of-that-day")
    (tmp_path / "old.jsonl").write_text("".join((old, *lines[1:])), encoding="utf-8")
    record = records.read(tmp_path / "old.jsonl")
    assert record.header.content == ""
    assert records.replay(record, GAMES).finish().state == finished().state
    checks = {check.name: check for check in records.verify(record, GAMES)}
    assert {name: check.status for name, check in checks.items()} == {
        **dict.fromkeys(("steps", "seeds", "dice", "result"), "ok"),
        "start": "open",
    }
    assert "format 1" in checks["start"].detail and "format 1" in checks["steps"].detail
    records.write(record, tmp_path / "new.jsonl")
    assert records.read(tmp_path / "new.jsonl") == record, "it is no less open when it is kept again"


def test_a_record_of_another_version_replays_and_a_difference_names_both_versions() -> None:
    record = finished().record
    record.header = record.header._replace(version="0.0.1")
    assert records.replay(record, GAMES).finish().state == finished().state
    assert "recorded with Beachhead 0.0.1" in records.verify(record, GAMES)[0].detail
    at = first(record, Answered)
    record.entries[at] = record.entries[at]._replace(key="green")  # type: ignore[call-arg]
    with pytest.raises(Difference, match=rf"recorded with Beachhead 0\.0\.1, this is {__version__}"):
        records.replay(record, GAMES).finish()


def test_an_answer_that_is_not_legal_any_more_is_named_with_its_reason() -> None:
    played = match()
    say(played, 0, "red")
    say(played, 0, "peek")
    say(played, 0, "hold")
    record = played.record
    record.entries[-1] = record.entries[-1]._replace(key="peek")  # type: ignore[call-arg]
    with pytest.raises(
        Difference, match=r"line 5: step 4: recorded: answer 'peek' of seat 0.*once in a game \[tiny-4\]"
    ):
        records.replay(record, GAMES).finish()


def test_a_roll_that_is_not_asked_for_is_named() -> None:
    record = finished().record
    at = first(record, Rolled, lambda entry: entry.stream == "dice0")
    moved = Record(record.header, list(record.entries))
    moved.entries[at] = record.entries[at]._replace(number=9)  # type: ignore[call-arg]
    with pytest.raises(Difference, match=r"recorded: roll dice0:9 = .*; but the roll asked for is dice0:0"):
        records.replay(moved, GAMES).finish()
    early = Record(record.header, list(record.entries))
    early.entries.insert(1, record.entries[at])
    with pytest.raises(Difference, match=r"step 2: recorded: roll dice0:0 = .*; but no roll is asked for"):
        records.replay(early, GAMES).finish()


def test_an_outcome_that_cannot_be_is_named() -> None:
    played = match(rounds=1)
    say(played, 0, "red")
    say(played, 0, "roll")
    record = played.record
    record.entries[-1] = record.entries[-1]._replace(outcome=(7, 7))  # type: ignore[call-arg]
    with pytest.raises(Difference, match=r"roll dice0:0 = 7,7; but that is no outcome here: .*from 1 to 6") as error:
        records.replay(record, GAMES).finish()
    assert (error.value.about, error.value.line, error.value.step) == ("steps", 5, 4)


def test_the_first_step_with_other_events_is_named() -> None:
    record = finished().record
    at = first(record, Answered, lambda entry: entry.key == "blue")
    record.entries[at] = record.entries[at]._replace(digest="0" * 12)  # type: ignore[call-arg]
    with pytest.raises(Difference) as error:
        records.replay(record, GAMES).finish()
    assert error.value.step == step_of(record, at)
    assert error.value.line == at + 2
    assert "events 000000000000 of answer" in error.value.recorded and "came out (marked)" in error.value.found


def test_an_undo_of_more_than_there_is_or_of_what_came_to_light_is_named() -> None:
    played = match()
    say(played, 0, "red")
    for steps, found in ((9, "only 2 stood"), (2, "the cards of deal:0 have been drawn since")):
        record = played.record
        record.entries.append(Undone(steps))
        with pytest.raises(Difference, match=f"the last {steps} steps were taken back; but {found}"):
            records.replay(record, GAMES).finish()
    over = finished().record
    over.entries.append(Undone(1))
    with pytest.raises(Difference, match="was taken back; but"):
        records.replay(over, GAMES).finish()


def seen_and_taken_back() -> Record:
    """Seat 0 rolled, seat 1 chose, and both were taken back to before the roll."""
    played = match()
    say(played, 0, "red")
    say(played, 0, "roll")
    say(played, 1, "blue")
    played.undo(0, agreed=True)
    return played.record


def test_what_was_seen_is_taken_back_only_with_the_mark_that_all_agreed() -> None:
    record = seen_and_taken_back()
    assert lines_of(record)[-1] == ["undo", 3, True]
    run = records.replay(record, GAMES)
    course = run.finish()
    assert [step.entry[0] for step in course.steps] == ["deal", 0]
    assert run.seen == 2
    steps = next(check for check in records.verify(record, GAMES) if check.name == "steps")
    assert steps.status == "ok"
    assert steps.detail.endswith("; 2 answers were taken back after dice or cards were seen")

    record.entries[-1] = Undone(3)
    with pytest.raises(Difference, match="the last 3 steps were taken back; but the dice of dice0:0 have been rolled"):
        records.replay(record, GAMES).finish()
    assert failed(records.verify(record, GAMES)).name == "steps"


def test_a_finished_game_is_taken_back_only_with_the_mark_and_goes_on_under_a_new_seed() -> None:
    played = match(rounds=1)
    for seat in (0, 1):
        say(played, seat, "red")
        say(played, seat, "hold")
    played.undo(1, agreed=True)
    say(played, 1, "roll")
    record = played.record
    assert all(check.status == "ok" for check in records.verify(record, GAMES))
    at = first(record, Undone)
    assert isinstance(record.entries[at + 1], Sealed)
    unmarked = Record(record.header, [Undone(1) if entry == Undone(1, True) else entry for entry in record.entries])
    assert failed(records.verify(unmarked, GAMES)).detail.endswith("the game was over")


def test_dice_count_as_entered_only_where_the_players_roll_their_own() -> None:
    played = Match.new(TINY, {"rounds": 3}, SEED, own_dice=True)
    say(played, 0, "red")
    say(played, 0, "roll")
    played.enter(0, "dice0:0", [6, 6])
    record = played.record
    assert lines_of(record)[0]["dice"] == "own"
    assert lines_of(record)[-1][1:4] + lines_of(record)[-1][5:] == ["dice0", 0, [6, 6], 0]
    run = records.replay(record, GAMES)
    run.finish()
    assert run.entered == 1 and not run.proven

    plain = Record(record.header._replace(dice=""), record.entries)
    check = failed(records.verify(plain, GAMES))
    assert check.name == "dice" and check.detail.endswith("this roll is not theirs to make")
    drawn = Record(record.header, list(record.entries))
    deal = drawn.entries[0]
    assert isinstance(deal, Rolled)
    drawn.entries[0] = deal._replace(by=0)
    assert failed(records.verify(drawn, GAMES)).name == "dice"
    nobody = Record(record.header, list(record.entries))
    last = nobody.entries[-1]
    assert isinstance(last, Rolled)
    nobody.entries[-1] = last._replace(by=2)
    assert failed(records.verify(nobody, GAMES)).detail.endswith("there is no such seat")


def test_dice_that_lose_their_mark_are_those_of_the_seed_or_wrong() -> None:
    played = Match.new(TINY, {"rounds": 1}, SEED, own_dice=True)
    say(played, 0, "red")
    say(played, 0, "roll")
    wanted = played.waits_for
    assert wanted is not None
    fair = sample(SEED, wanted)
    played.enter(0, "dice0:0", [6 if fair[0] != 6 else 5, 6])
    say(played, 1, "red")
    say(played, 1, "hold")
    record = played.record
    dice = next(check for check in records.verify(record, GAMES) if check.name == "dice")
    assert dice.status == "open"
    assert dice.detail.startswith("dice were entered by hand (1 roll), so they cannot be checked; all 1 other")
    at = first(record, Rolled, lambda entry: entry.by is not None)
    entry = record.entries[at]
    assert isinstance(entry, Rolled)
    record.entries[at] = entry._replace(by=None)
    assert failed(records.verify(record, GAMES)).name == "dice"


def test_a_roll_after_its_seed_was_revealed_is_named() -> None:
    played = match(rounds=1)
    say(played, 0, "red")
    say(played, 0, "roll")
    record = played.record
    record.entries.insert(-1, Revealed(SEED))
    with pytest.raises(Difference, match=r"roll dice0:0 = .*; but its seed had been revealed before"):
        records.replay(record, GAMES).finish()


# ---- proven


def test_a_finished_game_is_proven_in_every_part() -> None:
    checks = records.verify(finished().record, GAMES)
    assert [(check.name, check.status) for check in checks] == [
        (name, "ok") for name in ("start", "steps", "seeds", "dice", "result")
    ]


def test_every_roll_is_the_one_its_seed_gives() -> None:
    record = finished().record
    state, _ = TINY.new(record.header.setup)
    rolls = 0
    for entry in record.entries:
        node = TINY.machine.node(state)
        if isinstance(entry, Rolled):
            assert isinstance(node, Roll) and sample(SEED, node) == entry.outcome
            TINY.machine.apply(state, entry.outcome)
            rolls += 1
        elif isinstance(entry, Answered):
            assert isinstance(node, Ask)
            TINY.machine.apply(state, Answer(entry.seat, entry.seq, entry.key))
    assert rolls > 3
    assert f"all {rolls} rolls" in records.verify(record, GAMES)[3].detail


def test_an_unfinished_game_is_not_yet_verifiable_and_no_failure() -> None:
    played = match()
    play(played, random.Random(3), 6)
    checks = {check.name: check for check in records.verify(played.record, GAMES)}
    assert {name: check.status for name, check in checks.items()} == {
        "start": "ok",
        "steps": "ok",
        "seeds": "open",
        "dice": "open",
        "result": "open",
    }
    assert "not yet verifiable" in checks["dice"].detail and "not yet verifiable" in checks["seeds"].detail


def other_outcome(entry: Rolled) -> Rolled:
    face = entry.outcome[0]
    return entry._replace(outcome=(1 if face != 1 else 2, *entry.outcome[1:]))


def test_a_tampered_outcome_is_named_at_every_roll() -> None:
    record = finished().record
    rolls = [i for i, entry in enumerate(record.entries) if isinstance(entry, Rolled) and entry.stream != "deal"]
    assert len(rolls) > 2
    for at in rolls:
        entry = record.entries[at]
        assert isinstance(entry, Rolled)
        tampered = Record(record.header, list(record.entries))
        tampered.entries[at] = other_outcome(entry)
        check = failed(records.verify(tampered, GAMES))
        assert (check.name, check.step) == ("dice", step_of(record, at))
        assert "the seed gives " + ",".join(str(face) for face in entry.outcome) in check.detail


def test_a_tampered_outcome_without_a_seed_is_named_by_its_events() -> None:
    record = finished().record
    at = first(record, Rolled, lambda entry: entry.stream != "deal")
    entry = record.entries[at]
    assert isinstance(entry, Rolled)
    tampered = Record(record.header, [entry for entry in record.entries if not isinstance(entry, Revealed)])
    tampered.entries[at] = other_outcome(entry)
    check = failed(records.verify(tampered, GAMES))
    assert (check.name, check.step) == ("steps", step_of(record, at))


def test_a_tampered_key_is_named_at_every_answer() -> None:
    record = finished().record
    other = {"red": "blue", "blue": "red", "roll": "hold", "hold": "roll", "peek": "hold"}
    answers = [i for i, entry in enumerate(record.entries) if isinstance(entry, Answered)]
    for at in answers:
        entry = record.entries[at]
        assert isinstance(entry, Answered)
        tampered = Record(record.header, list(record.entries))
        tampered.entries[at] = entry._replace(key=other[entry.key])
        check = failed(records.verify(tampered, GAMES))
        assert (check.name, check.step) == ("steps", step_of(record, at))


def test_a_tampered_seed_is_named_where_it_was_revealed() -> None:
    record = finished().record
    at = first(record, Revealed)
    record.entries[at] = Revealed(new_seed())
    check = failed(records.verify(record, GAMES))
    assert (check.name, check.step) == ("seeds", step_of(record, at))
    assert f"line {at + 2}:" in check.detail and commitment(SEED) in check.detail


def test_a_second_seed_for_one_commitment_is_named() -> None:
    record = finished().record
    record.entries.append(Revealed(SEED))
    check = failed(records.verify(record, GAMES))
    assert check.name == "seeds" and "no new one sealed" in check.detail


def test_a_tampered_commitment_is_named() -> None:
    record = finished().record
    record.header = record.header._replace(seed=commitment("another"))
    assert failed(records.verify(record, GAMES)).name == "seeds"


def test_another_seed_with_its_commitment_gives_other_dice() -> None:
    record = finished().record
    seed = new_seed()
    record.header = record.header._replace(seed=commitment(seed))
    record.entries[first(record, Revealed)] = Revealed(seed)
    check = failed(records.verify(record, GAMES))
    assert check.name == "dice"


@pytest.mark.parametrize("setup", [{"rounds": 4}, {"rounds": 3, "names": ["Ann"]}, {"rounds": -1}, {"rounds": "3"}, {}])
def test_a_tampered_setup_is_named_before_the_first_step(setup: dict[str, object]) -> None:
    record = finished(rounds=3).record
    record.header = record.header._replace(setup=setup)
    check = failed(records.verify(record, GAMES))
    assert (check.name, check.step) == ("start", 0)


def test_a_tampered_result_is_named() -> None:
    record = finished().record
    at = first(record, Ended)
    entry = record.entries[at]
    assert isinstance(entry, Ended)
    for tampered in (entry._replace(over=entry.over._replace(won=not entry.over.won)), entry._replace(digest="0" * 12)):
        record.entries[at] = tampered
        assert failed(records.verify(record, GAMES)).name == "result"
    early = Record(record.header, [*record.entries[:5], entry])
    check = failed(records.verify(early, GAMES))
    assert check.name == "result" and "the game is not over" in check.detail


def test_a_difference_names_the_file_and_the_line(tmp_path: Path) -> None:
    lines = lines_of(finished().record)
    assert lines[2][0] == "answer"
    lines[2][3] = "green"
    path = put(tmp_path / "game.jsonl", lines)
    with pytest.raises(Difference) as error:
        records.replay(records.read(path), GAMES).finish()
    assert str(error.value).startswith(f"{path}:3: step 2: recorded: answer 'green' of seat")


def test_a_digest_is_the_same_whatever_the_order_of_keys() -> None:
    assert records.digest({"a": 1, "b": (2, 3)}) == records.digest({"b": [2, 3], "a": 1})
    assert records.digest({"a": 1}) != records.digest({"a": 2})
