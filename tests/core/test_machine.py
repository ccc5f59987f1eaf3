"""The machine: lanes side by side, the main stack that waits for them, and answers that are refused in words."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from beachhead.core.chance import sample, seed_from
from beachhead.core.errors import BeachheadError, Illegal, Invalid, Reason, Stale
from beachhead.core.machine import MAIN, Frame, Machine, Question, State, Throw
from beachhead.core.node import Answer, Ask, Event, Outcome, Over, Roll
from beachhead.core.plain import to_json
from tests.toys import no_board

RULE = "F-TURN-01"


@dataclass(slots=True)
class Diary(State):
    """What was done, in the order in which it was done."""

    done: tuple[str, ...] = ()


def note(g: Diary, seat: int, text: str) -> None:
    g.done = (*g.done, text)
    g.tell("note", seat, {"text": text}, RULE)


def pick_keys(g: Diary, seat: int, frame: Frame) -> tuple[str, ...]:
    return ("left", "right", *frame[1:])


def pick_answer(g: Diary, seat: int, frame: Frame, key: str) -> None:
    note(g, seat, f"{seat} {key}")
    if key == "again":
        g.push(seat, ("pick", "again"))
    elif key == "roll":
        g.push(seat, ("die",))
    elif key == "disturb":
        g.interrupt(1 - seat, ("pick",))
    elif key == "wait":
        g.push(seat, ("awaiting",))
    elif key == "free":
        g.lanes[1 - seat].remove(("awaiting",))


def die_request(g: Diary, lane: int, frame: Frame) -> Roll:
    stream = f"die:{lane}"
    return Roll(stream, g.drawn.get(stream, 0), (2,), RULE, low=1)


def die_outcome(g: Diary, lane: int, frame: Frame, outcome: Outcome) -> None:
    note(g, lane, f"{lane} rolled {outcome}")


def step_note(g: Diary, lane: int, frame: Frame) -> None:
    note(g, lane, f"{lane} {frame[1]}")


def step_both(g: Diary, lane: int, frame: Frame) -> None:
    for seat in range(2):
        g.push(seat, ("pick", *frame[1:]))


def step_end(g: Diary, lane: int, frame: Frame) -> None:
    note(g, lane, "end")
    g.finish(Over(True, "read", RULE))


REASONS = (Reason("the way is mined", "A-MINE-01"), Reason("the Unit must stay", "F-MOVE-01"))
MACHINE = Machine(
    "diary",
    Diary,
    steps={
        "note": step_note,
        "end": step_end,
        "both": step_both,
        "asked": lambda g, lane, frame: g.ask(lane, ("pick",), ("left", f"seen {len(g.done)}")),
        "to the other": lambda g, lane, frame: g.push(1 - lane, ("note", "got it")),
    },
    questions={
        "pick": Question(
            "one",
            pick_keys,
            pick_answer,
            lambda g, seat, frame: RULE,
            refusals=lambda g, seat, frame: {"ahead": REASONS},
            source=lambda g, seat, frame: "map",
        )
    },
    throws={"die": Throw(die_request, die_outcome)},
    view=lambda g, seat: {"done": g.done},
)


def diary(main: list[Frame], *lanes: list[Frame]) -> tuple[Diary, list[Event]]:
    g = Diary(main=main, lanes=list(lanes) or [[], []], asked=[0] * (len(lanes) or 2))
    return g, MACHINE.start(g)


def answer(g: Diary, seat: int, key: str) -> list[Event]:
    return MACHINE.apply(g, Answer(seat, g.asked[seat], key))


def waiting(g: Diary) -> tuple[int, ...]:
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    return node.seats


# ---- keys that go with the question


def keys(g: Diary, seat: int) -> tuple[str, ...]:
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    return node.decision(seat).keys


def test_keys_that_go_with_a_question_are_its_keys() -> None:
    g, _ = diary([], [("asked",)])
    assert keys(g, 0) == ("left", "seen 0")
    answer(g, 0, "seen 0")
    assert g.done == ("0 seen 0",)


def test_they_hold_for_the_seat_that_was_asked_last() -> None:
    g, _ = diary([], [("asked",)], [("asked",)])
    assert keys(g, 0) == ("left", "right") and keys(g, 1) == ("left", "seen 0")


def test_they_hold_only_until_something_happens() -> None:
    g, _ = diary([], [("asked",)], [("note", "later")])
    assert keys(g, 0) == ("left", "right")
    g, _ = diary([], [("pick",)], [("asked",)])
    assert keys(g, 1) == ("left", "seen 0")
    answer(g, 0, "left")
    assert keys(g, 1) == ("left", "right")


def test_a_clone_works_them_out_again() -> None:
    g, _ = diary([], [("asked",)])
    assert keys(MACHINE.clone(g), 0) == ("left", "right")


# ---- stacks


def test_steps_run_at_once_from_the_top_of_the_stack() -> None:
    g, events = diary([("end",), ("note", "two"), ("note", "one")])
    assert g.done == ("-1 one", "-1 two", "end")
    assert [event.n for event in events] == [0, 1, 2] and g.told == 3
    assert MACHINE.node(g) == Over(True, "read", RULE)


def test_the_main_stack_waits_while_any_lane_holds_a_frame() -> None:
    g, _ = diary([("end",), ("both",)])
    answer(g, 1, "left")
    assert g.done == ("1 left",) and waiting(g) == (0,)
    answer(g, 0, "left")
    assert g.done == ("1 left", "0 left", "end")


def test_a_roll_on_the_main_stack_waits_too() -> None:
    g, _ = diary([("end",), ("die",), ("both",)])
    assert waiting(g) == (0, 1)
    answer(g, 0, "left")
    answer(g, 1, "left")
    assert MACHINE.node(g) == Roll("die:-1", 0, (2,), RULE, low=1)
    MACHINE.apply(g, (3, 4))
    assert g.done[-2:] == ("-1 rolled (3, 4)", "end")


def test_lanes_run_side_by_side() -> None:
    """Each seat goes through its own frames, whoever answers first."""
    ends = set()
    for order in ((0, 0, 1, 1), (1, 1, 0, 0), (0, 1, 0, 1), (1, 0, 1, 0)):
        g, _ = diary([("end",), ("both", "again")])
        for seat in order:
            answer(g, seat, "again" if g.asked[seat] == 0 else "left")
        assert [line for line in g.done if line.startswith("0")] == ["0 again", "0 left"]
        g.done = tuple(sorted(g.done))
        ends.add(to_json(MACHINE.dump(g)))
    assert len(ends) == 1


def test_a_step_of_a_later_lane_may_give_work_to_an_earlier_one() -> None:
    g, _ = diary([("end",)], [("pick",)], [("to the other",)])
    assert g.done == ("0 got it",) and waiting(g) == (0,)
    g, _ = diary([("end",)], [], [("to the other",)])
    assert g.done == ("0 got it", "end")


def test_a_roll_on_a_lane_comes_before_the_open_questions() -> None:
    g, _ = diary([("end",), ("both", "roll")])
    answer(g, 1, "roll")
    assert MACHINE.node(g) == Roll("die:1", 0, (2,), RULE, low=1)
    MACHINE.apply(g, (1, 1))
    assert waiting(g) == (0,)
    assert g.drawn == {"die:1": 1}


def test_each_stream_counts_its_own_rolls() -> None:
    g, _ = diary([("end",)], [("die",), ("die",)], [("die",)])
    for outcome in ((1, 1), (2, 2)):
        assert MACHINE.node(g) == Roll("die:0", outcome[0] - 1, (2,), RULE, low=1)
        MACHINE.apply(g, outcome)
    assert MACHINE.node(g) == Roll("die:1", 0, (2,), RULE, low=1)


def test_the_end_clears_everything_that_is_pending() -> None:
    g, _ = diary([("note", "never")], [("pick",), ("end",)], [("pick",)])
    assert isinstance(MACHINE.node(g), Over)
    assert g.main == [] and g.lanes == [[], []]


# ---- questions


def test_a_decision_says_everything_a_door_needs() -> None:
    g, _ = diary([("end",), ("both", "roll")])
    node = MACHINE.node(g)
    assert isinstance(node, Ask) and node.seats == (0, 1)
    decision = node.decision(1)
    assert decision == (1, 0, "one", "pick", ("left", "right", "roll"), RULE, "map")
    assert node.decisions[1] is decision


def test_a_view_shows_a_seat_its_own_question_only() -> None:
    g, _ = diary([("end",)], [("pick",)], [])
    assert MACHINE.view(g, 0)["decision"]["keys"] == ("left", "right")
    for seat in (1, None):
        assert MACHINE.view(g, seat) == {"done": (), "waiting_for": [0]}


def test_the_next_question_has_the_next_number() -> None:
    g, _ = diary([("end",), ("both", "again")])
    answer(g, 0, "again")
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    assert [decision.seq for decision in node.decisions] == [1, 0]


def test_an_interruption_makes_answers_to_the_question_below_stale() -> None:
    g, _ = diary([("end",), ("both", "disturb")])
    answer(g, 0, "disturb")
    with pytest.raises(Stale):
        MACHINE.apply(g, Answer(1, 0, "disturb"))
    MACHINE.apply(g, Answer(1, 1, "left"))
    with pytest.raises(Stale):
        MACHINE.apply(g, Answer(1, 1, "left"))
    MACHINE.apply(g, Answer(1, 2, "right"))
    assert g.done == ("0 disturb", "1 left", "1 right", "end")


def test_a_frame_of_no_kind_waits_until_another_lane_takes_it_away() -> None:
    g, _ = diary([("end",), ("both", "wait", "free")])
    answer(g, 0, "wait")
    assert waiting(g) == (1,)
    answer(g, 1, "free")
    assert g.done == ("0 wait", "1 free", "end")


def test_node_changes_nothing_and_gives_the_same_again() -> None:
    g, _ = diary([("end",), ("both",)])
    before = to_json(MACHINE.dump(g))
    assert MACHINE.node(g) is MACHINE.node(g)
    assert to_json(MACHINE.dump(g)) == before


def test_a_clone_plays_on_alone() -> None:
    g, _ = diary([("end",), ("both",)])
    twin = MACHINE.clone(g)
    MACHINE.node(g)
    answer(twin, 0, "left")
    assert g.done == () and waiting(g) == (0, 1)
    assert twin.done == ("0 left",) and waiting(twin) == (1,)


# ---- events


def test_events_are_numbered_through_the_whole_game_and_name_their_cause() -> None:
    g, events = diary([("end",), ("die",), ("both",), ("note", "first")])
    events += answer(g, 1, "left") + answer(g, 0, "right") + MACHINE.apply(g, (6, 1))
    assert [event.n for event in events] == list(range(5)) and g.told == 5
    assert [event.cause for event in events] == ["setup", "answer:1:0", "answer:0:0", "roll:die:-1:0", "roll:die:-1:0"]


def test_a_cause_does_not_give_away_the_answer() -> None:
    g, _ = diary([("end",), ("both",)])
    assert "left" not in answer(g, 0, "left")[0].cause


def test_an_event_may_be_for_some_seats_only() -> None:
    g = Diary(log=[])
    g.tell("drawn", 0, {"card": "mine"}, RULE, "deck", audience=(0,))
    assert g.log == [Event(0, "drawn", 0, {"card": "mine"}, RULE, "", "deck", (0,))]


# ---- refusals: the right error, the right words, the state untouched


def refused(g: Diary, given: Answer | Outcome, kind: type[BeachheadError]) -> str:
    before, node = to_json(MACHINE.dump(g)), MACHINE.node(g)
    with pytest.raises(kind) as caught:
        MACHINE.apply(g, given)
    assert type(caught.value) is kind
    assert to_json(MACHINE.dump(g)) == before
    assert MACHINE.node(g) is node
    return str(caught.value)


def test_an_answer_to_an_older_question_is_stale() -> None:
    g, _ = diary([("end",), ("both", "again")])
    answer(g, 0, "again")
    text = refused(g, Answer(0, 0, "left"), Stale)
    assert text == "that answer is for question 0 of seat 0; the open one is 1"


def test_an_answer_to_a_question_that_was_not_asked_is_invalid() -> None:
    g, _ = diary([("end",), ("both",)])
    text = refused(g, Answer(0, 1, "left"), Invalid)
    assert text == "seat 0 has not been asked question 1 yet; the open one is 0"


def test_an_unknown_key_is_invalid_and_the_known_ones_are_named() -> None:
    g, _ = diary([("end",), ("both",)])
    text = refused(g, Answer(0, 0, "up"), Invalid)
    assert text == "'up' is no answer to the question 'pick': expected one of left, right"


def test_of_many_keys_only_some_are_named() -> None:
    g, _ = diary([("end",), ("both", *(f"s{n}" for n in range(20)))])
    text = refused(g, Answer(0, 0, "up"), Invalid)
    assert text.endswith("expected one of left, right, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9 and 10 more")


def test_a_refused_key_is_illegal_and_every_reason_is_said() -> None:
    g, _ = diary([("end",), ("both",)])
    text = refused(g, Answer(0, 0, "ahead"), Illegal)
    assert text == "ahead: the way is mined [A-MINE-01]; the Unit must stay [F-MOVE-01]"
    assert MACHINE.refusals(g, 0) == {"ahead": REASONS}


@pytest.mark.parametrize("seat", [-1, 1, 2])
def test_a_seat_without_a_question_is_told_who_has_one(seat: int) -> None:
    g, _ = diary([("end",)], [("pick",)], [])
    text = refused(g, Answer(seat, 0, "left"), Invalid)
    assert text == f"seat {seat} has no open question; waiting for seat 0"
    assert MACHINE.refusals(g, seat) == {}


def test_an_outcome_where_seats_are_asked_is_invalid() -> None:
    g, _ = diary([("end",), ("both",)])
    assert refused(g, (1, 1), Invalid) == "an outcome was given, but the game waits for seat 0 and 1"


def test_an_answer_where_dice_are_rolled_is_invalid() -> None:
    g, _ = diary([("end",), ("die",)])
    text = refused(g, Answer(0, 0, "left"), Invalid)
    assert text == "seat 0 gave an answer, but the game waits for the roll die:-1:0"


@pytest.mark.parametrize("outcome", [(), (1,), (1, 2, 3), (0, 1), (6, 7), ("1", 1)])
def test_what_is_no_outcome_is_invalid_and_the_text_says_what_is(outcome: Outcome) -> None:
    g, _ = diary([("end",), ("die",)])
    text = refused(g, outcome, Invalid)
    assert text == f"{outcome!r} is no outcome of the roll die:-1:0: expected 2 whole numbers from 1 to 6"


@pytest.mark.parametrize("given", [Answer(0, 0, "left"), (1, 1)])
def test_after_the_end_nothing_is_taken(given: Answer | Outcome) -> None:
    g, _ = diary([("end",)])
    assert refused(g, given, Invalid).endswith("but the game is over (read)")


def test_work_for_nobody_in_particular_lies_on_the_main_stack() -> None:
    g = Diary(lanes=[[]])
    g.push(MAIN, ("note", "a"))
    g.push(0, ("note", "b"))
    assert (g.main, g.lanes) == ([("note", "a")], [[("note", "b")]])


def test_a_quiet_answer_does_the_same_and_only_tells_nothing() -> None:
    loud, _ = no_board.GAME.new({"seats": 2, "goal": 20})
    quiet = no_board.GAME.machine.clone(loud)
    machine = no_board.GAME.machine
    dice = seed_from("quiet")
    told = 0
    for _ in range(30):
        node = machine.node(loud)
        if isinstance(node, Over):
            break
        if isinstance(node, Roll):
            given: Answer | Outcome = sample(dice, node)
        else:
            decision = node.decision(node.seats[0])
            given = Answer(decision.seat, decision.seq, decision.keys[0])
        told += len(machine.apply(loud, given))
        assert machine.apply(quiet, given, quiet=True) == []
        assert quiet == loud
    assert told
