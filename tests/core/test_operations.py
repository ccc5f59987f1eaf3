"""The one path of every operation: propose, forbid, replace, react, commit, trigger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from beachhead.core.errors import Reason
from beachhead.core.machine import MAIN, Frame, Machine, Question, State
from beachhead.core.node import Answer, Ask, Event, Over
from beachhead.core.operations import COMMIT, REACT, REPLACE, TRIGGER, Op, Path, Ref, call_off, change, propose, walk

RULE = "F-CASU-01"
STAGES = {
    "halve": (REPLACE,),
    "redirect": (REPLACE,),
    "medic": (REACT,),
    "vest": (REACT,),
    "radio": (TRIGGER,),
    "flag": (TRIGGER,),
    "bugle": (REACT, TRIGGER),
}


@dataclass(slots=True)
class Squad(State):
    soldiers: int = 10
    cards: tuple[str, ...] = ()
    safe: bool = False


def listens(g: Squad, op: Op) -> bool:
    return bool(g.cards) or g.safe


def forbids(g: Squad, op: Op) -> Sequence[Reason]:
    if not g.safe:
        return ()
    return (Reason("the Unit is safe", "F-WIN-02"), Reason("nobody fires", RULE))


def listeners(g: Squad, stage: int, op: Op) -> list[Ref]:
    return [(card,) for card in g.cards if stage in STAGES[card] and op[0] == "lose"]


def engage(g: Squad, lane: int, stage: int, op: Op, ref: Ref) -> None:
    card = ref[0]
    g.tell("engaged", 0, {"card": card, "amount": op[2][0]}, RULE)
    if card == "halve":
        change(g, lane, lose(op[2][0] // 2, card))
    elif card == "redirect":
        change(g, lane, ("gain", *op[1:]))
    elif card == "medic":
        g.push(lane, ("save?",))
    elif card == "vest":
        call_off(g, lane)
    elif stage == TRIGGER:
        g.push(lane, ("trigger", card))


def commit_lose(g: Squad, lane: int, op: Op) -> None:
    g.soldiers -= op[2][0]
    g.tell("lost", 0, {"soldiers": op[2][0]}, op[4], op[3])


def commit_gain(g: Squad, lane: int, op: Op) -> None:
    g.soldiers += op[2][0]
    g.tell("gained", 0, {"soldiers": op[2][0]}, op[4], op[3])


PATH = Path({"lose": commit_lose, "gain": commit_gain}, listens, forbids, listeners, engage)


def lose(amount: int, source: str = "") -> Op:
    return ("lose", 0, (amount,), source, RULE)


def save_answer(g: Squad, seat: int, frame: Frame, key: str) -> None:
    op = g.lanes[seat][-1][2]
    if key == "save all":
        call_off(g, seat)
    elif key == "save one":
        change(g, seat, lose(op[2][0] - 1, "medic"))


def end(g: Squad, lane: int, frame: Frame) -> None:
    g.tell("afterwards", 0, {"soldiers": g.soldiers}, RULE)
    g.finish(Over(True, "end", RULE))


MACHINE = Machine(
    "squad",
    Squad,
    steps={
        "attack": lambda g, lane, frame: propose(PATH, g, lane, lose(frame[1])),
        "op": lambda g, lane, frame: walk(PATH, g, lane, frame),
        "trigger": lambda g, lane, frame: g.tell("triggered", 0, {"card": frame[1]}, RULE),
        "end": end,
    },
    questions={
        "save?": Question(
            "one", lambda g, seat, frame: ("no", "save one", "save all"), save_answer, lambda g, seat, frame: RULE
        )
    },
    throws={},
    view=lambda g, seat: {},
)


def attack(amount: int, *cards: str, safe: bool = False, lane: int = 0) -> tuple[Squad, list[Event]]:
    """Let the Unit of ten be hit, with these cards in play, and run on as far as no question stops it."""
    g = Squad(main=[("end",)], lanes=[[]], asked=[0], cards=cards, safe=safe)
    g.push(lane, ("attack", amount))
    return g, MACHINE.start(g)


def told(events: list[Event]) -> list[tuple[str, Any]]:
    return [(event.type, next(iter(event.data.values()))) for event in events]


def test_where_nobody_listens_it_happens_at_once() -> None:
    g, events = attack(3)
    assert g.soldiers == 7
    assert told(events) == [("lost", 3), ("afterwards", 7)]


def test_a_forbidden_operation_does_not_happen_and_every_reason_is_told() -> None:
    g, events = attack(3, "halve", "medic", "radio", safe=True)
    assert g.soldiers == 10
    assert [(e.type, e.rule, e.data["why"]) for e in events[:2]] == [
        ("forbidden", "F-WIN-02", "the Unit is safe"),
        ("forbidden", RULE, "nobody fires"),
    ]
    assert events[0].data["what"] == "lose"
    assert told(events[2:]) == [("afterwards", 10)]


def test_a_replacement_acts_at_most_once() -> None:
    g, events = attack(8, "halve")
    assert g.soldiers == 6
    assert told(events) == [("engaged", "halve"), ("lost", 4), ("afterwards", 6)]
    assert events[1].source == "halve"


def test_each_replacement_sees_what_the_one_before_made_of_it() -> None:
    g, events = attack(8, "halve", "redirect")
    assert g.soldiers == 14
    assert [e.data["amount"] for e in events if e.type == "engaged"] == [8, 4]


def test_after_a_replacement_the_new_operation_is_looked_at_again() -> None:
    """What became a gain is no loss any more: nobody who waits for losses has a say."""
    g, events = attack(8, "redirect", "halve", "medic", "vest", "radio")
    assert g.soldiers == 18
    assert told(events) == [("engaged", "redirect"), ("gained", 8), ("afterwards", 18)]


@pytest.mark.parametrize(("key", "left"), [("no", 6), ("save one", 7), ("save all", 10)])
def test_a_reaction_may_ask_before_it_happens(key: str, left: int) -> None:
    g, events = attack(4, "medic")
    assert told(events) == [("engaged", "medic")]
    assert g.soldiers == 10
    node = MACHINE.node(g)
    assert isinstance(node, Ask) and node.decision(0).name == "save?"
    g = MACHINE.clone(g)
    MACHINE.apply(g, Answer(0, 0, key))
    assert g.soldiers == left
    assert isinstance(MACHINE.node(g), Over)


def test_a_reaction_asks_once_and_comes_after_every_replacement() -> None:
    g, events = attack(8, "medic", "halve")
    assert told(events) == [("engaged", "halve"), ("engaged", "medic")]
    events = MACHINE.apply(g, Answer(0, 0, "save one"))
    assert told(events) == [("lost", 3), ("afterwards", 7)]


def test_an_operation_that_was_called_off_does_not_happen_and_triggers_nothing() -> None:
    g, events = attack(4, "vest", "radio")
    assert g.soldiers == 10
    assert told(events) == [("engaged", "vest"), ("afterwards", 10)]


def test_after_it_was_called_off_no_further_reaction_is_asked() -> None:
    _, events = attack(4, "vest", "medic")
    assert told(events) == [("engaged", "vest"), ("afterwards", 10)]


@pytest.mark.parametrize("cards", [("radio", "flag"), ("flag", "radio")])
def test_triggers_come_after_it_happened_in_the_order_of_the_listeners(cards: tuple[str, ...]) -> None:
    _, events = attack(4, *cards)
    happened = [event for event in told(events) if event[0] != "engaged"]
    assert happened == [("lost", 4), ("triggered", cards[0]), ("triggered", cards[1]), ("afterwards", 6)]
    assert [e.data["card"] for e in events if e.type == "engaged"] == list(cards)


def test_an_ability_that_reacted_may_still_be_triggered() -> None:
    _, events = attack(4, "bugle")
    assert told(events) == [
        ("engaged", "bugle"),
        ("lost", 4),
        ("engaged", "bugle"),
        ("triggered", "bugle"),
        ("afterwards", 6),
    ]


def test_an_operation_of_the_game_itself_walks_the_same_path_on_the_main_stack() -> None:
    g, events = attack(8, "halve", "radio", lane=MAIN)
    assert g.soldiers == 6
    assert told(events)[-3:] == [("engaged", "radio"), ("triggered", "radio"), ("afterwards", 6)]


def test_an_operation_under_way_is_plain_data() -> None:
    g, _ = attack(4, "medic", "radio")
    assert g.lanes[0][0] == ("op", REACT, lose(4), (("medic",),))
    assert REPLACE < REACT < COMMIT < TRIGGER
