"""A running game for people: answers and the dice that follow, the way back, saving and loading."""

from __future__ import annotations

import logging
import os
import random
from pathlib import Path

import pytest

from beachhead.core import record as records
from beachhead.core.chance import commitment, sample
from beachhead.core.errors import BeachheadError, Illegal, Invalid, RecordError, SetupError, Stale
from beachhead.core.node import Answer, Ask, Event, Over, Roll
from beachhead.core.plain import to_json
from beachhead.core.record import Answered, Ended, Revealed, Rolled, Sealed, Undone
from beachhead.table.match import Match, UndoPoint, roll_name
from tests.table.tiny_game import GAMES, SEED, TINY, finished, match, play, say


def dump(played: Match) -> str:
    return to_json(played.game.machine.dump(played.state))


def rolls(played: Match) -> list[Rolled]:
    return [entry for entry in played.record.entries if isinstance(entry, Rolled)]


def all_hold(played: Match) -> bool:
    return all(check.status == "ok" for check in records.verify(played.record, GAMES))


# ---- playing


def test_a_new_match_rolls_to_its_first_question() -> None:
    played = match()
    node = played.node()
    assert isinstance(node, Ask) and node.seats == (0, 1)
    assert [event.type for event in played.events] == ["dealt"]
    assert [entry.stream for entry in rolls(played)] == ["deal"]


def test_an_answer_gives_its_events_and_those_of_the_rolls_that_follow() -> None:
    played = match()
    assert [event.type for event in say(played, 0, "red")] == ["marked"]
    assert [event.type for event in say(played, 0, "roll")] == ["thrown"]
    assert [event.type for event in played.events] == ["dealt", "marked", "thrown"]
    assert played.decision(0) is None
    decision = played.decision(1)
    assert decision is not None and decision.name == "colour"


def test_the_same_seed_gives_the_same_game_and_another_seed_other_dice() -> None:
    assert finished().record == finished().record
    one, other = finished(rounds=9, seed="one"), finished(rounds=9, seed="other")
    assert [roll.outcome for roll in rolls(one)] != [roll.outcome for roll in rolls(other)]
    assert match(seed=None).commitment != match(seed=None).commitment


def test_the_order_in_which_seats_answer_changes_nobodys_dice() -> None:
    one, other = match(), match()
    for seat in (0, 1):
        say(one, seat, "red")
        say(one, seat, "roll")
    for seat in (1, 0):
        say(other, seat, "red")
        say(other, seat, "roll")
    assert {(r.stream, r.number): r.outcome for r in rolls(one)} == {
        (r.stream, r.number): r.outcome for r in rolls(other)
    }


def test_an_answer_for_another_match_is_invalid() -> None:
    played = match()
    assert played.id != match().id
    with pytest.raises(Invalid, match=f"that answer is for the match other; this one is {played.id}"):
        played.answer(Answer(0, 0, "red", "other"))
    played.answer(Answer(0, 0, "red", ""))
    played.answer(Answer(1, 0, "red", played.id))


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (Answer(0, 1, "green"), Invalid),
        (Answer(5, 0, "red"), Invalid),
        (Answer(0, 0, "red"), Stale),
        (Answer(0, 7, "red"), Invalid),
        (Answer(0, 2, "peek"), Illegal),
    ],
)
def test_a_refused_answer_changes_nothing(answer: Answer, error: type[BeachheadError]) -> None:
    played = match()
    say(played, 0, "red")
    if error is Illegal:
        say(played, 0, "peek")
    before, entries = dump(played), played.record.entries
    with pytest.raises(error):
        played.answer(answer)
    assert dump(played) == before and played.record.entries == entries


def test_a_setup_that_cannot_be_is_a_setup_error() -> None:
    with pytest.raises(SetupError, match="expected a whole number"):
        Match.new(TINY, {"rounds": "many"})
    with pytest.raises(SetupError, match="plain data"):
        Match.new(TINY, {"rounds": 1, "names": {"Ann", "Ben"}})


def test_the_setup_is_kept_as_it_was_at_the_start() -> None:
    setup = {"rounds": 2, "names": ["Ann"]}
    played = Match.new(TINY, setup, SEED)
    setup["names"] = []
    assert played.record.header.setup == {"rounds": 2, "names": ["Ann"]}


def test_the_end_reveals_the_seed_and_states_the_result() -> None:
    played = finished()
    assert isinstance(played.node(), Over)
    *_, reveal, end = played.record.entries
    assert type(reveal) is Revealed and reveal.seed == SEED
    assert type(end) is Ended and end.over == played.node()
    assert all_hold(played)


def test_a_game_that_is_over_at_once_is_a_whole_record() -> None:
    played = match(rounds=0)
    assert isinstance(played.node(), Over)
    assert all_hold(played)


# ---- the seed is nobody's


def test_no_text_of_an_unfinished_match_holds_the_seed(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        played = match(rounds=5, practice=True)
        play(played, random.Random(2), 12)
        played.undo()
        played.undo()
        played.redo()
    record = played.record
    texts = [repr(played), str(played), repr(record), str(record), "".join(record.lines()), caplog.text]
    texts += [dump(played), repr(played.events), repr(played.node()), repr(played._seeds.segments), played.commitment]
    assert not any(SEED in text for text in texts)
    assert "5 rounds" not in repr(played) and played.id in repr(played)


def test_a_given_record_is_a_copy() -> None:
    played = match()
    played.record.entries.clear()
    assert len(played.record.entries) == 1


# ---- going back


def test_undo_takes_back_an_answer_and_says_which() -> None:
    played = match()
    before = dump(played)
    say(played, 1, "blue")
    assert played.undo() == "colour: blue"
    assert dump(played) == before
    assert played.decision(1) is not None
    entry = played.record.entries[-1]
    assert type(entry) is Undone and entry.steps == 1


def test_undo_without_an_answer_gives_nothing() -> None:
    played = match(practice=True)
    assert played.undo() is None
    say(played, 0, "red")
    assert played.undo(1) is None
    assert played.undo(0) == "colour: red"
    assert played.undo(0) is None
    assert played.redo() != []
    assert played.redo() == []


def test_undo_stops_at_dice_that_have_been_rolled() -> None:
    played = match()
    say(played, 0, "red")
    say(played, 0, "roll")
    say(played, 1, "blue")
    assert played.undo_points() == [UndoPoint(5, 1, "colour: blue")]
    assert played.undo() == "colour: blue"
    before, entries = dump(played), played.record.entries
    with pytest.raises(
        BeachheadError, match="'roll': the dice of dice0:0 have been rolled since; undo stops at step 4"
    ):
        played.undo()
    assert dump(played) == before and played.record.entries == entries
    assert played.undo_points() == []


def test_undo_stops_at_hidden_things_that_came_to_light_and_does_not_tell_them() -> None:
    played = match()
    say(played, 0, "red")
    say(played, 0, "peek")
    say(played, 0, "hold")
    assert played.undo() == "act: hold"
    with pytest.raises(BeachheadError, match=r"'peek': something hidden has come to light since \(peeked\)") as error:
        played.undo()
    assert not any(card in str(error.value) for card in ("ace", "king", "queen", "jack"))


def test_undo_never_takes_back_the_first_deal() -> None:
    played = match(practice=True)
    deal = rolls(played)
    say(played, 0, "red")
    while played.undo():
        pass
    assert rolls(played) == deal and played.events[0].type == "dealt"


def test_a_seat_takes_back_only_its_own_last_answer() -> None:
    played = match()
    say(played, 0, "red")
    say(played, 1, "blue")
    with pytest.raises(
        BeachheadError, match="seat 0 cannot take back 'red': seat 1 has answered since; undo stops at step 3"
    ):
        played.undo(0)
    assert played.undo(1) == "colour: blue"
    assert played.undo(0) == "colour: red"


def test_undo_in_practice_goes_beyond_dice_and_the_same_dice_come_again() -> None:
    played = match(practice=True)
    start = dump(played)
    play(played, random.Random(4), 9)
    assert len(rolls(played)) > 2
    end, told, made = dump(played), played.events, rolls(played)
    points = played.undo_points()
    assert len(points) == 9
    labels = []
    while label := played.undo():
        labels.append(label)
    assert labels == [point.label for point in points]
    assert dump(played) == start
    play(played, random.Random(4), 9)
    assert dump(played) == end and played.events == told
    assert rolls(played) == made + made[1:]


def test_redo_gives_equal_bytes() -> None:
    for practice in (False, True):
        played = match(rounds=30, practice=practice)
        choice = random.Random(8)
        for _ in range(60):
            play(played, choice, 1)
            before, told = dump(played), [event._asdict() for event in played.events]
            taken = 0
            while played.undo_points() and taken < 5:
                played.undo()
                taken += 1
            assert (dump(played) == before) == (taken == 0)
            redone = [event for _ in range(taken) for event in played.redo()]
            assert dump(played) == before
            assert to_json([event._asdict() for event in played.events]) == to_json(told)
            assert not taken or redone == played.events[len(played.events) - len(redone) :]
            assert played.redo() == []
        assert records.replay(played.record, GAMES).finish().state == played.state


def test_nothing_is_redone_after_another_answer() -> None:
    played = match()
    say(played, 0, "red")
    played.undo()
    say(played, 0, "blue")
    assert played.redo() == []
    assert played.undo() == "colour: blue"


def test_the_points_of_undo_are_those_that_undo_takes() -> None:
    for practice in (False, True):
        played = match(rounds=10, practice=practice)
        choice = random.Random(6)
        while isinstance(played.node(), Ask):
            play(played, choice, 1)
            points = played.undo_points()
            if points:
                assert played.undo() == points[0].label
                assert played.undo_points() == points[1:]
                played.redo()
            else:
                with pytest.raises(BeachheadError, match=r"since|the game is over"):
                    played.undo()


def test_undo_after_the_end_needs_practice_and_a_new_seed() -> None:
    played = match(rounds=1)
    for seat in (0, 1):
        say(played, seat, "red")
        say(played, seat, "hold")
    assert played.undo_points() == []
    with pytest.raises(BeachheadError, match="the game is over and its seed is revealed; undo stops"):
        played.undo()

    played = match(rounds=1, practice=True)
    for seat in (0, 1):
        say(played, seat, "red")
        say(played, seat, "hold")
    assert played.undo() == "act: hold"
    assert type(played.record.entries[-1]) is Sealed and played.commitment != commitment(SEED)
    say(played, 1, "roll")
    assert isinstance(played.node(), Over)
    assert rolls(played)[-1].outcome != () and all_hold(played)
    played.undo()
    assert played.redo() != [] or isinstance(played.node(), Over)
    assert all_hold(played)


# ---- going back beyond what was seen, when all agree


def test_what_was_seen_is_taken_back_when_all_agree_and_the_same_dice_come_again() -> None:
    played = match()
    say(played, 0, "red")
    before = dump(played)
    say(played, 0, "roll")
    (seen,) = rolls(played)[1:]
    after_roll = dump(played)
    assert played.last_undo(0) is None
    assert played.last_undo(0, agreed=True) == UndoPoint(3, 0, "act: roll")
    assert played.undo(0, agreed=True) == "act: roll"
    assert dump(played) == before and played.record.entries[-1] == Undone(2, True)
    assert played.seen == 1
    say(played, 0, "roll")
    assert dump(played) == after_roll and rolls(played)[-1] == seen


def test_answers_of_others_are_taken_back_with_it_when_all_agree() -> None:
    played = match()
    say(played, 0, "red")
    say(played, 1, "blue")
    assert played.undo(0, agreed=True) == "colour: red"
    assert {seat for seat in (0, 1) if played.decision(seat)} == {0, 1}
    # nothing had come to light: there is nothing to mark
    assert played.record.entries[-1] == Undone(2) and played.seen == 0


def test_no_agreement_takes_back_what_was_never_answered() -> None:
    played = match()
    assert played.undo(0, agreed=True) is None and played.last_undo(0, agreed=True) is None


def test_a_record_with_agreed_undos_replays_to_the_same_state_and_not_without_their_marks() -> None:
    marked = 0
    for seed in range(12):
        choice = random.Random(seed)
        played = match(rounds=4)
        while isinstance(played.node(), Ask):
            play(played, choice, 1)
            if choice.random() < 0.3:
                seat = choice.randrange(2)
                redo = choice.random() < 0.3
                if played.undo(seat, agreed=True) and redo:
                    before = played.last_redo
                    assert before is not None and before.seat == played.redo_seat == seat
                    played.redo()
        resumed = Match.resume(played.record, GAMES, {})
        assert dump(resumed) == dump(played) and resumed.events == played.events
        assert resumed.seen == played.seen
        assert all_hold(played)
        marks = [n for n, entry in enumerate(played.record.entries) if isinstance(entry, Undone) and entry.agreed]
        assert bool(marks) == bool(played.seen)
        for n in marks:
            tampered = played.record
            entry = tampered.entries[n]
            assert isinstance(entry, Undone)
            tampered.entries[n] = entry._replace(agreed=False)
            (check,) = [check for check in records.verify(tampered, GAMES) if check.status == "failed"]
            assert check.name == "steps" and f":{n + 2}:" in check.detail.replace("line ", ":")
        marked += len(marks)
    assert marked > 20


def test_what_redo_would_bring_back_is_told_until_somebody_answers() -> None:
    played = match()
    assert played.last_redo is None and played.redo_seat is None
    say(played, 1, "blue")
    played.undo(1)
    assert played.last_redo == UndoPoint(2, 1, "colour: blue")
    say(played, 0, "red")
    assert played.last_redo is None and played.redo_seat is None


# ---- dice of their own


def own(rounds: int = 3, practice: bool = False) -> Match:
    return Match.new(TINY, {"rounds": rounds}, SEED, practice, own_dice=True)


def waiting(played: Match) -> tuple[str, int]:
    wanted = played.waits_for
    assert wanted is not None and isinstance(played.node(), Roll) and "waiting for dice" in repr(played)
    return roll_name(wanted), played.roller


def test_cards_are_drawn_but_dice_wait_until_they_are_entered() -> None:
    played = own()
    assert [roll.stream for roll in rolls(played)] == ["deal"] and played.waits_for is None
    say(played, 1, "red")
    assert say(played, 1, "roll") == []
    assert waiting(played) == ("dice1:0", 1)
    with pytest.raises(Invalid, match="the game waits for the roll dice1:0"):
        played.answer(Answer(0, 0, "red"))
    events = played.enter(1, "dice1:0", [2, 5])
    assert [event.data.get("faces") for event in events] == [[2, 5]]
    assert rolls(played)[-1].by == 1 and played.entered == {("dice1", 0)}
    assert played.waits_for is None and played.decision(0) is not None


@pytest.mark.parametrize("faces", [[1], [1, 2, 3], [0, 1], [7, 1], [True, 2], ["1", 2], [1.0, 2]])
def test_dice_that_cannot_be_are_refused_in_words_and_change_nothing(faces: list[int]) -> None:
    played = own()
    say(played, 0, "red")
    say(played, 0, "roll")
    before, entries = dump(played), played.record.entries
    with pytest.raises(Illegal, match="2 dice are to be entered, each with a number from 1 to 6"):
        played.enter(0, "dice0:0", faces)
    with pytest.raises(Stale, match="does not wait for the dice of dice0:1"):
        played.enter(0, "dice0:1", [1, 1])
    with pytest.raises(Invalid, match="no seat 2"):
        played.enter(2, "dice0:0", [1, 1])
    assert dump(played) == before and played.record.entries == entries


def test_dice_entered_twice_or_unasked_are_stale() -> None:
    played = own()
    say(played, 0, "red")
    say(played, 0, "roll")
    played.enter(0, "dice0:0", [1, 1])
    with pytest.raises(Stale):
        played.enter(0, "dice0:0", [1, 1])
    with pytest.raises(Stale):
        match().enter(0, "deal:0", [])


def test_without_faces_the_match_rolls_and_can_prove_it() -> None:
    played = own(rounds=1)
    for seat in (0, 1):
        say(played, seat, "red")
        say(played, seat, "roll")
        played.enter(seat, f"dice{seat}:0", [])
    sealed = match(rounds=1)
    for seat in (0, 1):
        say(sealed, seat, "red")
        say(sealed, seat, "roll")
    assert rolls(played) == rolls(sealed) and all_hold(played)


def test_a_slip_in_entering_is_free_to_mend_but_not_the_answers_before() -> None:
    played = own()
    say(played, 0, "red")
    say(played, 0, "roll")
    played.enter(0, "dice0:0", [1, 6])
    assert played.undo_points() == [UndoPoint(4, 0, "the 2 dice that were entered")]
    assert played.undo(0) == "the 2 dice that were entered"
    assert waiting(played) == ("dice0:0", 0) and played.record.entries[-1] == Undone(1)
    played.enter(0, "dice0:0", [2, 6])
    say(played, 1, "blue")
    assert [point.step for point in played.undo_points()] == [5, 4]
    with pytest.raises(BeachheadError, match="seat 1 has answered since"):
        played.undo(0)
    assert played.undo(1) == "colour: blue" and played.undo(0) == "the 2 dice that were entered"
    # with the dice gone nobody has seen what came of the answer before them
    assert played.undo(0) == "act: roll"
    say(played, 0, "roll")
    played.enter(0, "dice0:0", [2, 6])
    say(played, 1, "red")
    assert played.undo(0, agreed=True) == "the 2 dice that were entered"
    assert records.replay(played.record, GAMES).finish().state == played.state


def test_redo_brings_entered_dice_back_with_their_mark() -> None:
    played = own(practice=True)
    say(played, 0, "red")
    say(played, 0, "roll")
    played.enter(0, "dice0:0", [3, 4])
    before, entry = dump(played), rolls(played)[-1]
    played.undo(0)
    played.undo(0)
    assert played.decision(0) is not None
    played.redo()
    played.redo()
    assert dump(played) == before and rolls(played)[-1] == entry


def test_a_match_with_dice_of_their_own_is_resumed_and_loaded_in_the_middle_of_a_roll(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    for seed in range(6):
        choice = random.Random(seed)
        played = own(rounds=4)
        while not isinstance(played.node(), Over):
            how = choice.randrange(3)
            if how == 0:
                played = Match.resume(played.record, GAMES, played.secrets())
            elif how == 1:
                played.save(path, overwrite=True)
                played = Match.load(path, GAMES)
            assert played.own_dice
            if played.waits_for:
                name, seat = waiting(played)
                played.enter(seat, name, [choice.randint(1, 6) for _ in range(2)] if choice.random() < 0.8 else [])
            else:
                play(played, choice, 1)
        checks = {check.name: check for check in records.verify(played.record, GAMES)}
        assert checks.pop("dice").status == ("open" if played.entered else "ok")
        assert all(check.status == "ok" for check in checks.values())


# ---- keeping


def test_a_match_saved_and_loaded_at_any_step_goes_on_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    saves = 0
    for game in range(4):
        choice = random.Random(game)
        played = match(rounds=4, practice=game % 2 == 0)
        while isinstance(played.node(), Ask):
            if choice.random() < 0.2 and played.undo_points():
                played.undo()
            played.save(path, overwrite=True)
            loaded = Match.load(path, GAMES)
            saves += 1
            assert dump(loaded) == dump(played)
            assert loaded.events == played.events
            assert loaded.undo_points() == played.undo_points()
            assert loaded.practice == played.practice
            ask = played.node()
            again = loaded.node()
            assert isinstance(ask, Ask) and isinstance(again, Ask) and ask.decisions == again.decisions
            # the same answers lead on in the same way, dice apart
            for seat in ask.seats:
                held = match_key(loaded, seat)
                assert [event.type for event in say(loaded, seat, held)] == [
                    event.type for event in peek_on(path, seat, held)
                ]
            play(loaded, choice)
            assert all_hold(loaded)
            play(played, choice, 1)
        assert all_hold(played)
    assert saves > 40


def match_key(played: Match, seat: int) -> str:
    decision = played.decision(seat)
    assert decision is not None
    return decision.keys[0] if decision.name == "colour" else "hold"


def peek_on(path: Path, seat: int, key: str) -> list[Event]:
    """What this answer leads to in another match from the same file, in which only lower seats have answered before."""
    other = Match.load(path, GAMES)
    node = other.node()
    assert isinstance(node, Ask)
    for lower in node.seats:
        if lower < seat:
            say(other, lower, match_key(other, lower))
    return say(other, seat, key)


def test_a_save_never_overwrites_silently(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    first = match()
    first.save(path)
    kept = path.read_bytes()
    second = match(seed="second")
    say(second, 0, "red")
    with pytest.raises(RecordError, match="already there"):
        second.save(path)
    assert path.read_bytes() == kept
    say(second, 1, "red")
    second.save(path, overwrite=True)
    assert Match.load(path, GAMES).events == second.events
    assert os.listdir(tmp_path) == ["game.jsonl"]


def test_a_saved_unfinished_game_holds_no_dice_to_come(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    played = match(rounds=40)
    play(played, random.Random(1), 10)
    played.save(path)
    text = path.read_text()
    assert f'["reveal","{SEED}"]' in text
    # neither the match that was saved nor the one that is loaded rolls on with the seed in the file
    for going_on in (played, Match.load(path, GAMES)):
        made = len(rolls(going_on))
        seed = going_on._seeds.now.seed
        assert seed is not None and seed != SEED and seed not in text
        play(going_on, random.Random(2), 60)
        later = rolls(going_on)[made:]
        assert len(later) > 10
        state = TINY.new({"rounds": 40})[0]
        fair = told_by_old = 0
        for step in records.replay(going_on.record, GAMES).finish().steps:
            node = TINY.machine.node(state)
            if step.entry in later:
                assert not isinstance(node, Ask | Over)
                fair += sample(seed, node) == step.given
                told_by_old += sample(SEED, node) == step.given
            TINY.machine.apply(state, step.given)
        assert fair == len(later) and told_by_old < len(later) / 2


def test_a_save_without_rolls_since_the_last_seal_reveals_nothing(tmp_path: Path) -> None:
    played = match()
    played.save(tmp_path / "one.jsonl")
    sealed = played.commitment
    say(played, 0, "red")
    played.save(tmp_path / "two.jsonl")
    assert played.commitment == sealed
    assert (tmp_path / "two.jsonl").read_text().count("reveal") == 1
    seed = played._seeds.now.seed
    assert seed is not None and seed not in (tmp_path / "two.jsonl").read_text()


def test_the_seed_changes_even_when_a_save_fails(tmp_path: Path) -> None:
    played = match()
    with pytest.raises(RecordError):
        played.save(tmp_path / "no" / "folder.jsonl")
    assert played.commitment != commitment(SEED)
    play(played, random.Random(3))
    assert all_hold(played)


def test_a_finished_match_is_saved_and_loaded_whole(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    played = finished()
    played.save(path)
    loaded = Match.load(path, GAMES)
    assert loaded.record == played.record and dump(loaded) == dump(played)
    assert isinstance(loaded.node(), Over)
    loaded.save(tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == path.read_bytes()


def test_a_practice_game_saved_after_its_end_was_taken_back_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    played = match(rounds=1, practice=True)
    play(played, random.Random(1))
    played.undo()
    assert isinstance(played.node(), Ask)
    played.save(path)
    loaded = Match.load(path, GAMES)
    play(loaded, random.Random(1))
    assert type(loaded.record.entries[-1]) is Ended and all_hold(loaded)


def test_undone_dice_come_again_after_a_save_and_a_load(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    played = match(rounds=2, practice=True)
    say(played, 0, "red")
    thrown = say(played, 0, "roll")
    played.save(path)
    loaded = Match.load(path, GAMES)
    assert loaded.undo() == "act: roll"
    assert say(loaded, 0, "roll") == thrown
    play(loaded, random.Random(1))
    assert all_hold(loaded)


def test_a_record_that_ends_before_its_roll_is_rolled_on(tmp_path: Path) -> None:
    played = match(rounds=1)
    say(played, 0, "red")
    say(played, 0, "roll")
    record = played.record
    assert type(record.entries.pop()) is Rolled
    records.write(record, tmp_path / "game.jsonl")
    loaded = Match.load(tmp_path / "game.jsonl", GAMES)
    assert isinstance(loaded.node(), Ask) and loaded.events[-1].type == "thrown"
    play(loaded, random.Random(1))
    checks = {check.name: check.status for check in records.verify(loaded.record, GAMES)}
    # the seed of the first deal is lost with the match that was not saved
    assert checks == {"start": "ok", "steps": "ok", "seeds": "open", "dice": "open", "result": "ok"}


def test_a_tampered_save_is_not_loaded(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    played = match()
    say(played, 0, "red")
    played.save(path)
    hurt = path.read_text().replace('"red"', '"blue"')
    path.write_text(hurt)
    with pytest.raises(RecordError, match=r"game\.jsonl:3: step 2: recorded: events"):
        Match.load(path, GAMES)
    assert path.read_text() == hurt


def test_answers_stay_on_record_when_they_are_taken_back() -> None:
    played = match()
    say(played, 0, "red")
    played.undo()
    say(played, 0, "blue")
    kept = [(type(entry), entry[2] if isinstance(entry, Answered) else None) for entry in played.record.entries[1:]]
    assert kept == [(Answered, "red"), (Undone, None), (Answered, "blue")]


# ---- trying, and going on after a stop


def test_a_copy_goes_its_own_way_and_leaves_the_match_alone() -> None:
    for practice in (False, True):
        played = match(rounds=5, practice=practice)
        choice = random.Random(8)
        while isinstance(played.node(), Ask):
            lines, state, told = list(played.record.lines()), dump(played), played.events
            tried = played.copy()
            assert (tried.id, tried.n, dump(tried)) == (played.id, played.n, state)
            before = tried.n
            if tried.last_undo() and choice.random() < 0.3:
                tried.undo()
            play(tried, choice)
            assert tried.entries(before) == tried.record.entries[before:] != []
            if practice:
                tried.undo()
                assert tried.commitment != played.commitment
            assert (list(played.record.lines()), dump(played), played.events) == (lines, state, told)
            assert played.commitment == commitment(SEED) and played.redo_seat is None
            play(played, choice, 1)
        assert all_hold(played)


def test_rolls_of_a_copy_are_no_rolls_of_the_match(tmp_path: Path) -> None:
    played = match(rounds=5)
    play(played, random.Random(1), 4)
    play(played.copy(), random.Random(2))
    played.save(tmp_path / "game.jsonl")
    play(played, random.Random(2))
    assert all_hold(played)


def test_a_resumed_match_rolls_the_same_dice_and_is_proven_at_its_end() -> None:
    for practice in (False, True):
        played = match(rounds=5, practice=practice)
        choice = random.Random(9)
        secrets = played.secrets()
        assert secrets == {commitment(SEED): SEED}
        while isinstance(played.node(), Ask) or (practice and choice.random() < 0.5):
            before = played.n
            if played.last_undo() and choice.random() < 0.2:
                played.undo()
            else:
                play(played, choice, 1)
            secrets |= played.secrets(before) if before else {}
            resumed = Match.resume(played.record, GAMES, secrets)
            assert resumed.record == played.record and resumed.commitment == played.commitment
            assert dump(resumed) == dump(played) and resumed.events == played.events
            assert resumed.undo_points() == played.undo_points()
            one, other = played.copy(), resumed
            play(one, random.Random(1), 3)
            play(other, random.Random(1), 3)
            if isinstance(played.node(), Ask):
                assert [entry for entry in other.entries() if not isinstance(entry, Sealed)] == [
                    entry for entry in one.entries() if not isinstance(entry, Sealed)
                ]
        assert all_hold(Match.resume(played.record, GAMES, secrets))


def test_a_match_resumed_without_its_seed_or_after_a_save_gets_a_new_one(tmp_path: Path) -> None:
    played = match(rounds=5)
    play(played, random.Random(1), 6)
    without = Match.resume(played.record, GAMES, {})
    assert without.entries(played.n) == [Sealed(without.commitment)] and without.commitment != played.commitment
    assert list(without.secrets(played.n)) == [without.commitment]
    played.save(tmp_path / "game.jsonl")
    saved = Match.resume(records.read(tmp_path / "game.jsonl"), GAMES, {commitment(SEED): SEED})
    assert type(saved.record.entries[-1]) is Sealed and saved.commitment != commitment(SEED)
    play(saved, random.Random(1))
    assert all_hold(saved)


def test_a_seed_that_does_not_give_the_recorded_dice_is_found_out() -> None:
    played = match(rounds=5)
    play(played, random.Random(1), 6)
    with pytest.raises(RecordError, match="the seed gives"):
        Match.resume(played.record, GAMES, {commitment(SEED): "another"})


def test_a_look_back_adds_nothing() -> None:
    played = match(rounds=3)
    states = {played.n: dump(played)}
    while isinstance(played.node(), Ask):
        play(played, random.Random(len(states)), 1)
        states[played.n] = dump(played)
    for n in range(played.n + 1):
        seen = Match.look(records.Record(played.header, played.entries()[:n]), GAMES)
        assert seen.n == n
        assert n not in states or dump(seen) == states[n]


def test_answers_of_passing_seats_are_taken_back_with_the_one_before_them() -> None:
    played = match(rounds=3)
    start = dump(played)
    say(played, 0, "red")
    say(played, 1, "blue")
    say(played, 1, "hold")
    assert played.last_undo(0) is None
    with pytest.raises(BeachheadError, match="seat 1 has answered since"):
        played.undo(0)
    point = played.last_undo(0, passing={1})
    assert point is not None and (point.step, point.seat, point.label) == (2, 0, "colour: red")
    assert played.undo(0, passing={1}) == "colour: red"
    assert dump(played) == start and played.redo_seat == 0
    played.redo()
    assert played.redo_seat is None and played.entries(-1)[0] == played.record.entries[-1]
    say(played, 0, "hold")
    say(played, 0, "red")
    say(played, 1, "red")
    say(played, 1, "roll")
    with pytest.raises(BeachheadError, match="have been rolled since"):
        played.undo(0, passing={1})
    assert played.last_undo(0, passing={1}) is None
