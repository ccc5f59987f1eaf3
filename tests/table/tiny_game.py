"""A tiny dice game for the tests of records and matches: two seats, hidden cards, dice, and something to mark.

Each seat is dealt a hidden card. In each round both seats act at once: a seat picks a colour, then rolls its two dice
or holds; once in the game it may peek at its card. After the last round the pips are counted.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import cast

from beachhead.core.errors import Reason, SetupError
from beachhead.core.game import Game, Setup
from beachhead.core.machine import MAIN, Frame, Machine, Question, State, Throw
from beachhead.core.node import Answer, Ask, Decision, Event, Outcome, Over, Roll
from beachhead.core.plain import Plain, load
from beachhead.table.match import Match

CARDS = ("ace", "king", "queen", "jack")
TARGET = 20


@dataclass(slots=True)
class Tiny(State):
    rounds: int = 0
    pips: list[int] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)
    peeked: list[bool] = field(default_factory=list)
    colours: list[str] = field(default_factory=list)


def _round(g: Tiny, seat: int, frame: Frame) -> None:
    if not g.rounds:
        g.tell("counted", MAIN, {"pips": list(g.pips)}, "tiny-5")
        g.finish(Over(sum(g.pips) >= TARGET, "rounds", "tiny-5", tuple(g.pips)))
        return
    g.rounds -= 1
    g.push(MAIN, ("round",))
    for lane in range(2):
        g.push(lane, ("act",))
        g.push(lane, ("colour",))


def _acts(g: Tiny, seat: int, frame: Frame) -> tuple[str, ...]:
    return ("roll", "hold") if g.peeked[seat] else ("roll", "hold", "peek")


def _act(g: Tiny, seat: int, frame: Frame, key: str) -> None:
    if key == "roll":
        g.push(seat, ("throw",))
    elif key == "peek":
        g.peeked[seat] = True
        g.push(seat, frame)
        g.tell("peeked", seat, {"card": g.cards[seat]}, "tiny-4", audience=(seat,))
    else:
        g.tell("held", seat, {}, "tiny-3")


def _colour(g: Tiny, seat: int, frame: Frame, key: str) -> None:
    g.colours[seat] = key
    g.tell("marked", seat, {"colour": key}, "tiny-2")


def _dealt(g: Tiny, seat: int, frame: Frame, outcome: Outcome) -> None:
    g.cards = [str(card) for card in outcome]
    g.tell("dealt", MAIN, {}, "tiny-1")


def _thrown(g: Tiny, seat: int, frame: Frame, outcome: Outcome) -> None:
    faces = [int(face) for face in outcome]
    g.pips[seat] += sum(faces)
    g.tell("thrown", seat, {"faces": faces, "colour": g.colours[seat]}, "tiny-3")


def _view(g: Tiny, seat: int | None) -> dict[str, Plain]:
    return {"rounds": g.rounds, "pips": list(g.pips)}


machine: Machine[Tiny] = Machine(
    "tiny",
    Tiny,
    steps={"round": _round},
    questions={
        "colour": Question("one", lambda g, seat, frame: ("red", "blue"), _colour, lambda g, seat, frame: "tiny-2"),
        "act": Question(
            "one",
            _acts,
            _act,
            lambda g, seat, frame: "tiny-3",
            lambda g, seat, frame: {"peek": (Reason("once in a game", "tiny-4"),)} if g.peeked[seat] else {},
        ),
    },
    throws={
        "deal": Throw(lambda g, seat, frame: Roll("deal", g.drawn.get("deal", 0), (2,), "tiny-1", deck=CARDS), _dealt),
        "throw": Throw(
            lambda g, seat, frame: Roll(f"dice{seat}", g.drawn.get(f"dice{seat}", 0), (2,), "tiny-3", low=1), _thrown
        ),
    },
    view=_view,
    reveals=frozenset({"peeked"}),
)


def _new(setup: Setup) -> tuple[State, list[Event]]:
    rounds = setup.get("rounds")
    if type(rounds) is not int or rounds < 0:
        raise SetupError(f"rounds is {rounds!r}: expected a whole number from 0")
    g = Tiny(rounds=rounds, pips=[0, 0], cards=["", ""], peeked=[False, False], colours=["", ""])
    g.lanes = [[], []]
    g.asked = [0, 0]
    g.main = [("round",), ("deal",)]
    return g, machine.start(g)


def _content_hash(setup: Setup) -> str:
    return f"tiny-pack-{setup.get('pack', 1)}"


def _label(g: State, decision: Decision, key: str) -> str:
    return f"{decision.name}: {key}"


TINY = Game(
    "tiny",
    cast(Machine[State], machine),
    _new,
    lambda setup, data: load(Tiny, data),
    _content_hash,
    lambda event: event.type,
    lambda g, decision: f"{decision.name}?",
    _label,
)
GAMES = {"tiny": TINY}
SEED = "5eed" * 16


def match(rounds: int = 3, seed: str | None = SEED, practice: bool = False) -> Match:
    return Match.new(TINY, {"rounds": rounds}, seed, practice)


def say(match: Match, seat: int, key: str) -> list[Event]:
    """This seat gives this answer to its open question."""
    decision = match.decision(seat)
    assert decision is not None, f"seat {seat} is not asked"
    return match.answer(Answer(seat, decision.seq, key, match.id))


def play(match: Match, choice: random.Random, answers: int | None = None) -> list[Event]:
    """Random answers to the end of the game, or so many of them."""
    events = []
    while isinstance(node := match.node(), Ask) and answers != 0:
        decision = node.decision(choice.choice(node.seats))
        events += match.answer(Answer(decision.seat, decision.seq, choice.choice(decision.keys)))
        answers = None if answers is None else answers - 1
    return events


def finished(rounds: int = 6, choice: int = 1, seed: str = SEED) -> Match:
    played = match(rounds, seed)
    play(played, random.Random(choice))
    return played
