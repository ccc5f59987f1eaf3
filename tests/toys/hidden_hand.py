"""A German seat with a hidden hand, drawn from a hidden deck, against two attackers who answer at the same time.

Each round the German draws up to three cards and lays one face down; the attackers, unseen by each other, advance or
wait; then the card is turned up. A mine hits who advances, a flare who waits. Three steps win for the attackers.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random

from beachhead.core.game import Setup
from beachhead.core.machine import MAIN, Frame, Machine, Question, State, Throw
from beachhead.core.node import Outcome, Over, Roll
from beachhead.core.plain import Plain
from tests.toys import toy

DRAW, LAY, MOVE, HIT, END = "A-DECO-01", "A-GERMAN-07", "F-MOVE-01", "A-MINE-01", "A-END-01"
GERMAN, ATTACKERS = 0, (1, 2)
CARDS = ("flare", "flare", "mine", "mine", "wire", "wire", "wire")


@dataclass(slots=True)
class Ambush(State):
    deck: tuple[str, ...] = CARDS
    """In no order: a draw is a roll over it."""
    hand: tuple[str, ...] = ()
    laid: str = ""
    shown: tuple[str, ...] = ()
    chosen: list[str] = field(default_factory=lambda: [""] * 3)
    steps: list[int] = field(default_factory=lambda: [0] * 3)


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def round_(g: Ambush, lane: int, frame: Frame) -> None:
    if not g.hand and not g.deck:
        g.finish(Over(False, "held", END, (1, 0, 0)))
        return
    for follows in ("turn up", "attack", "lay", "draw"):
        if follows != "draw" or g.deck:
            g.push(MAIN, (follows,))


def draw_request(g: Ambush, lane: int, frame: Frame) -> Roll:
    return Roll("deck", g.drawn.get("deck", 0), (min(3 - len(g.hand), len(g.deck)),), DRAW, deck=g.deck)


def draw_outcome(g: Ambush, lane: int, frame: Frame, outcome: Outcome) -> None:
    for card in map(str, outcome):
        g.deck, g.hand = without(g.deck, card), (*g.hand, card)
    g.tell("drawn", GERMAN, {"cards": len(outcome)}, DRAW)
    g.tell("drawn cards", GERMAN, {"cards": outcome}, DRAW, audience=(GERMAN,))


def lay_keys(g: Ambush, seat: int, frame: Frame) -> tuple[str, ...]:
    return tuple(f"lay:{card}" for card in sorted(set(g.hand)))


def lay_answer(g: Ambush, seat: int, frame: Frame, key: str) -> None:
    g.laid = key.removeprefix("lay:")
    g.hand = without(g.hand, g.laid)
    g.tell("laid", seat, {}, LAY)


def attack(g: Ambush, lane: int, frame: Frame) -> None:
    for seat in ATTACKERS:
        g.push(seat, ("attack?",))


def attack_answer(g: Ambush, seat: int, frame: Frame, key: str) -> None:
    g.chosen[seat] = key
    g.tell("chosen", seat, {}, MOVE)


def turn_up(g: Ambush, lane: int, frame: Frame) -> None:
    g.tell("turned up", GERMAN, {"card": g.laid, "chosen": tuple(g.chosen)}, LAY)
    for seat in ATTACKERS:
        if (g.laid, g.chosen[seat]) in (("mine", "advance"), ("flare", "wait")):
            g.tell("hit", seat, {"steps": g.steps[seat]}, HIT)
            g.steps[seat] = 0
        elif g.chosen[seat] == "advance":
            g.tell("advanced", seat, {}, MOVE)
            g.steps[seat] += 1
    g.shown, g.laid, g.chosen = (*g.shown, g.laid), "", [""] * 3
    if max(g.steps) >= 3:
        g.finish(Over(True, "broken through", END, (0, 1, 1)))
    else:
        g.push(MAIN, ("round",))


def view(g: Ambush, seat: int | None) -> dict[str, Plain]:
    seen: dict[str, Plain] = {"shown": g.shown, "steps": list(g.steps), "deck": len(g.deck), "hand": len(g.hand)}
    if seat == GERMAN:
        seen["cards"], seen["laid"] = g.hand, g.laid
    elif seat is not None:
        seen["chosen"] = g.chosen[seat]
    return seen


MACHINE = Machine(
    "ambush",
    Ambush,
    steps={
        "round": round_,
        "lay": lambda g, lane, frame: g.push(GERMAN, ("lay?",)),
        "attack": attack,
        "turn up": turn_up,
    },
    questions={
        "lay?": Question("one", lay_keys, lay_answer, lambda g, seat, frame: LAY),
        "attack?": Question("one", lambda *_: ("advance", "wait"), attack_answer, lambda g, seat, frame: MOVE),
    },
    throws={"draw": Throw(draw_request, draw_outcome)},
    view=view,
    reveals=frozenset({"drawn cards", "turned up"}),
)


def new(setup: Setup) -> Ambush:
    return Ambush(main=[("round",)], lanes=[[], [], []], asked=[0, 0, 0])


GAME = toy(MACHINE, new)


def conserved(g: Ambush) -> Counter[str]:
    return Counter((*g.deck, *g.hand, *g.shown, *([g.laid] if g.laid else [])))


def scramble(g: Ambush, seat: int | None, random: Random) -> Ambush:
    """Everything that this seat does not know is otherwise."""
    for other in ATTACKERS:
        if other != seat and g.chosen[other]:
            g.chosen[other] = random.choice(("advance", "wait"))
    if seat != GERMAN:
        cards = [*g.deck, *g.hand, *([g.laid] if g.laid else [])]
        random.shuffle(cards)
        if g.laid:
            g.laid = cards.pop()
        g.deck, g.hand = tuple(cards[: len(g.deck)]), tuple(cards[len(g.deck) :])
    return g
