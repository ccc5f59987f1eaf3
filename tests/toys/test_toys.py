"""What each toy shows about the core, and that the harness sees a game that breaks a promise."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count
from types import ModuleType
from typing import Any

import pytest

from beachhead.core.errors import Illegal, Reason, Stale
from beachhead.core.machine import Machine, Question, State, Throw
from beachhead.core.node import Answer, Ask, Event, Over, Roll
from tests.harness import Entry, check_playthrough
from tests.play_fixed import digest
from tests.toys import hidden_hand, no_board, offers, toy

TWO, THREE = {"goods": [[3, 0], [0, 3]]}, {"goods": [[2, 1], [1, 1], [0, 3]]}


def say(g: State, machine: Machine[Any], seat: int, key: str) -> list[Event]:
    return machine.apply(g, Answer(seat, g.asked[seat], key))


def waiting(g: State, machine: Machine[Any]) -> tuple[int, ...]:
    node = machine.node(g)
    assert isinstance(node, Ask)
    return node.seats


# ---- no board


def test_pig_keeps_what_was_dared_and_loses_it_on_a_1() -> None:
    machine = no_board.GAME.machine
    g, _ = no_board.GAME.new({"seats": 2, "goal": 10})
    for face in (6, 5):
        say(g, machine, 0, "roll")
        machine.apply(g, (face,))
    twin = machine.clone(g)
    say(twin, machine, 0, "stop")
    assert machine.node(twin) == Over(True, "goal", no_board.END, (11, 0))
    say(g, machine, 0, "roll")
    machine.apply(g, (1,))
    assert machine.view(g)["scores"] == [0, 0] and waiting(g, machine) == (1,)
    with pytest.raises(Illegal, match="this turn has brought nothing yet"):
        say(g, machine, 1, "stop")


# ---- a hidden hand


def seen(events: list[Event], seat: int) -> str:
    return repr([event for event in events if event.audience is None or seat in event.audience])


def test_a_drawn_card_and_a_laid_card_are_the_germans_secret_until_it_is_turned_up() -> None:
    machine = hidden_hand.GAME.machine
    g, events = hidden_hand.GAME.new({})
    events += machine.apply(g, ("mine", "wire", "flare"))
    assert "mine" in seen(events, 0)
    events += say(g, machine, 0, "lay:mine")
    events += say(g, machine, 2, "wait")
    for attacker in (1, 2):
        assert "mine" not in seen(events, attacker) + repr(machine.view(g, attacker))
    assert "'wait'" not in seen(events, 1) + repr(machine.view(g, 1) | {"decision": ""})
    turned = say(g, machine, 1, "advance")
    assert not machine.reveals.isdisjoint(event.type for event in turned)
    assert "mine" in seen(turned, 1)


def test_the_attackers_answer_in_any_order() -> None:
    machine = hidden_hand.GAME.machine
    ends = []
    for order in ((1, 2), (2, 1)):
        g, _ = hidden_hand.GAME.new({})
        machine.apply(g, ("wire", "wire", "mine"))
        say(g, machine, 0, "lay:wire")
        assert waiting(g, machine) == (1, 2)
        for seat in order:
            say(g, machine, seat, "advance")
        ends.append(g)
    assert ends[0] == ends[1]
    assert machine.view(ends[0], 1)["steps"] == [0, 1, 1]


# ---- offers


def test_an_offer_waits_for_consent_and_interrupts() -> None:
    machine = offers.GAME.machine
    g, _ = offers.GAME.new(TWO)
    say(g, machine, 0, "offer:1")
    assert waiting(g, machine) == (1,)
    with pytest.raises(Stale):
        machine.apply(g, Answer(1, 0, "done"))
    say(g, machine, 1, "yes")
    assert waiting(g, machine) == (0, 1)
    assert machine.view(g)["stalls"] == [{"apples": 2, "pears": 1}, {"apples": 1, "pears": 2}]


def test_a_seat_that_waits_for_consent_can_be_asked_for_its_own() -> None:
    machine = offers.GAME.machine
    g, _ = offers.GAME.new({"goods": [[1, 1], [1, 1], [1, 1]]})
    say(g, machine, 0, "offer:1")
    say(g, machine, 2, "offer:0")
    assert waiting(g, machine) == (0, 1)
    say(g, machine, 1, "no")
    say(g, machine, 0, "yes")
    assert waiting(g, machine) == (0, 1, 2)
    for seat in (0, 1, 2):
        say(g, machine, seat, "done")
    assert machine.node(g) == Over(True, "closed", offers.END, (0, 1, 0))


# ---- the harness sees what is broken


def broken(module: ModuleType, state: type[State] | None = None, **changes: Any) -> Entry:
    """An entry for this toy with some frames, the view or the state changed."""
    old = module.MACHINE
    machine: Machine[Any] = Machine(
        old.name,
        state or old.state,
        {**old.steps, **changes.get("steps", {})},
        {**old.questions, **changes.get("questions", {})},
        {**old.throws, **changes.get("throws", {})},
        changes.get("view", old._view),
        changes.get("reveals", old.reveals),
    )

    def new(setup: dict[str, Any]) -> State:
        g = module.new(setup)
        return g if state is None else state(**{name: getattr(g, name) for name in g.__dataclass_fields__})

    return Entry(old.name, toy(machine, new), [])


def fails(entry: Entry, setup: dict[str, Any], match: str) -> None:
    with pytest.raises(Exception, match=match) as caught:
        for seed in range(12):
            check_playthrough(entry, setup, seed)
    assert f"game {entry.name}, setup " in "".join(caught.value.__notes__)


PIG = {"seats": 2, "goal": 20}
DARE = no_board.MACHINE.questions["dare"]
DIE = no_board.MACHINE.throws["die"]
LAY = hidden_hand.MACHINE.questions["lay?"]
ACT = offers.MACHINE.questions["act"]


def pig(change: Callable[..., None] | None = None, **parts: Any) -> Entry:
    """Pig whose question has other parts, or whose answer is followed by this change."""

    def answer(g: Any, seat: int, frame: Any, key: str) -> None:
        DARE.answer(g, seat, frame, key)
        if change:
            change(g, seat, key)

    return broken(no_board, questions={"dare": DARE._replace(answer=answer, **parts)})


def test_sound_games_pass() -> None:
    check_playthrough(pig(), PIG, 0)
    check_playthrough(broken(hidden_hand), {}, 0)
    check_playthrough(replace(broken(offers), order_matters=offers.order_matters), THREE, 0)


def test_a_question_without_an_answer_is_seen() -> None:
    fails(pig(keys=lambda g, seat, frame: ("roll",) if g.pot < 9 else ()), PIG, "may answer nothing")


def test_a_key_that_is_offered_twice_is_seen() -> None:
    fails(pig(keys=lambda g, seat, frame: ("roll", "roll")), PIG, "more than once")


def test_a_key_that_is_offered_and_does_not_work_is_seen() -> None:
    def crash(g: Any, seat: int, key: str) -> None:
        if key == "stop":
            raise KeyError("no such Sector")

    fails(pig(crash), PIG, "no such Sector")


def test_a_rule_that_does_not_exist_is_seen() -> None:
    fails(pig(rule=lambda g, seat, frame: "F-NO-SUCH-01"), PIG, "not in the register")
    fails(pig(lambda g, seat, key: g.tell("x", 0, {}, "F-NO-SUCH-01")), PIG, "not in the register")
    reasons = {"stop": (Reason("no", "F-NO-SUCH-01"),)}
    fails(pig(keys=lambda *_: ("roll",), refusals=lambda *_: reasons), PIG, "not in the register")


def test_a_refusal_without_a_reason_is_seen() -> None:
    fails(pig(keys=lambda *_: ("roll",), refusals=lambda *_: {"stop": ()}), PIG, "Illegal was expected")


def test_a_key_that_is_legal_and_refused_is_seen() -> None:
    fails(pig(refusals=lambda *_: {"roll": (Reason("no", no_board.ROLL),)}), PIG, "both legal and refused")


def test_a_look_that_changes_something_is_seen() -> None:
    def keys(g: Any, seat: int, frame: Any) -> tuple[str, ...]:
        g.pot += 1
        return ("roll", "stop")

    fails(pig(keys=keys), PIG, "not equal: pot is")


def test_a_game_that_does_not_end_is_seen() -> None:
    fails(replace(pig(keys=lambda *_: ("roll",)), most_steps=200), PIG, "no end after 200 steps")


def test_a_game_that_ends_with_work_pending_is_seen() -> None:
    def linger(g: Any, seat: int, key: str) -> None:
        if g.over:
            g.main.append(("turn",))

    fails(pig(linger), PIG, "work is pending")


def test_chance_from_elsewhere_is_seen() -> None:
    elsewhere = count()

    def drift(g: Any, seat: int, key: str) -> None:
        g.pot += next(elsewhere) % 7

    fails(pig(drift), PIG, "undo to step .* gave another state")


def test_a_game_that_leans_on_the_global_generator_is_another_game_when_that_is_poisoned() -> None:
    def lean(g: Any, seat: int, key: str) -> None:
        g.pot += random.randrange(7)

    assert len({digest(pig(lean), PIG, poison) for poison in range(3)}) == 3
    assert len({digest(pig(), PIG, poison) for poison in (None, 0, 1)}) == 1


def test_an_outcome_that_is_not_applied_is_seen() -> None:
    deaf: Throw[Any] = Throw(DIE.request, lambda g, seat, frame, outcome: DIE.outcome(g, seat, frame, (4,)))
    fails(broken(no_board, throws={"die": deaf}), {"seats": 2, "goal": 60}, "never mattered")


def test_a_roll_with_the_wrong_number_is_seen() -> None:
    again: Throw[Any] = Throw(lambda *_: Roll("die:0", 0, (1,), no_board.ROLL, low=1), DIE.outcome)
    fails(broken(no_board, throws={"die": again}), PIG, "wrong number")


def test_an_event_that_hands_out_the_state_itself_is_seen() -> None:
    entry = pig(lambda g, seat, key: g.tell("scores", seat, {"all": g.scores}, no_board.END))
    fails(entry, PIG, "is the same object as state.scores")


def test_an_event_that_changes_after_it_was_told_is_seen() -> None:
    book: list[int] = []

    def write(g: Any, seat: int, key: str) -> None:
        book.append(seat)
        g.tell("book", seat, {"all": book}, no_board.END)

    fails(pig(write), PIG, "after it was told")


def test_an_event_that_is_no_plain_data_is_seen() -> None:
    fails(pig(lambda g, seat, key: g.tell("x", seat, {"who": {seat: 1}}, no_board.END)), PIG, "which is no text")
    fails(pig(lambda g, seat, key: g.tell("x", seat, {"who": {"a"}}, no_board.END)), PIG, "is no plain data")


def test_an_event_that_was_counted_and_not_told_is_seen() -> None:
    def skip(g: Any, seat: int, key: str) -> None:
        g.told += 1

    fails(pig(skip), PIG, "1 events were counted, 0 told")


def test_events_that_do_not_sum_up_to_the_state_are_seen() -> None:
    def cheat(g: Any, seat: int, key: str) -> None:
        g.scores[0] += 1

    entry = replace(pig(cheat), ledger=no_board.ledger, counted=no_board.counted)
    fails(entry, PIG, "the events tell")


def test_a_card_that_is_lost_is_seen() -> None:
    def lay(g: Any, seat: int, frame: Any, key: str) -> None:
        LAY.answer(g, seat, frame, key)
        g.hand = g.hand[1:]

    entry = replace(broken(hidden_hand, questions={"lay?": LAY._replace(answer=lay)}), conserved=hidden_hand.conserved)
    fails(entry, {}, "went: Counter")


@dataclass(slots=True)
class Bag:
    cards: list[str] = field(default_factory=list)


@dataclass(slots=True)
class SharingPig(no_board.Pig):
    bags: dict[str, list[str]] = field(default_factory=lambda: {"red": []})


@dataclass(slots=True)
class ForgetfulPig(no_board.Pig):
    streak: int = field(default=0, compare=False)


def test_a_clone_that_shares_something_is_seen() -> None:
    fails(broken(no_board, SharingPig), PIG, r"the clone shares state.bags\['red'\]")


def test_state_that_is_not_written_down_is_seen() -> None:
    def answer(g: Any, seat: int, frame: Any, key: str) -> None:
        g.streak += 1
        g.tell("streak", seat, {"n": g.streak}, no_board.ROLL)
        DARE.answer(g, seat, frame, key)

    fails(broken(no_board, ForgetfulPig, questions={"dare": DARE._replace(answer=answer)}), PIG, "told something else")


def test_a_list_in_a_frame_is_seen() -> None:
    listed = {"turn": lambda g, lane, frame: g.push(g.turn, ("dare", ["list"]))}
    fails(broken(no_board, steps=listed), PIG, r"the clone shares state.lanes\[0\]\[0\]\[1\]")


def test_a_view_that_hands_out_the_state_itself_is_seen() -> None:
    fails(broken(no_board, view=lambda g, seat: {"scores": g.scores}), PIG, "is the same object as state.scores")


def test_a_view_that_leaks_is_seen() -> None:
    def view(g: Any, seat: int | None) -> dict[str, Any]:
        return {**hidden_hand.view(g, seat), "deck": g.deck}

    fails(replace(broken(hidden_hand, view=view), scramble=hidden_hand.scramble), {}, "sees what is hidden")


def test_an_event_that_leaks_is_seen() -> None:
    def answer(g: Any, seat: int, frame: Any, key: str) -> None:
        LAY.answer(g, seat, frame, key)
        g.tell("left", seat, {"hand": g.hand}, hidden_hand.LAY)

    entry = broken(hidden_hand, questions={"lay?": LAY._replace(answer=answer)})
    fails(replace(entry, scramble=hidden_hand.scramble), {}, "is told what is hidden")


def test_a_reveal_that_is_not_declared_is_seen() -> None:
    fails(
        replace(broken(hidden_hand, reveals=frozenset()), scramble=hidden_hand.scramble), {}, "is told what is hidden"
    )


def test_an_order_of_answers_that_matters_is_seen() -> None:
    fails(broken(offers), THREE, "the order of .* matters")


def test_a_question_that_slips_under_an_open_number_is_seen() -> None:
    def answer(g: Any, seat: int, frame: Any, key: str) -> None:
        if key.startswith("offer:"):
            g.asked[int(key[6:])] -= 1
        ACT.answer(g, seat, frame, key)

    slip: Question[Any] = ACT._replace(answer=answer)
    fails(
        replace(broken(offers, questions={"act": slip}), order_matters=offers.order_matters),
        TWO,
        "another question under the old number 0",
    )


def test_each_check_has_something_to_look_at() -> None:
    looked: Counter[str] = Counter()
    for seed in range(4):
        looked += check_playthrough(replace(broken(hidden_hand), scramble=hidden_hand.scramble), {}, seed)
        looked += check_playthrough(replace(broken(offers), order_matters=offers.order_matters), THREE, seed)
        looked += check_playthrough(pig(), PIG, seed)
    assert all(looked[name] > 20 for name in ("scrambled", "hidden moves", "orders", "refusals")), looked
