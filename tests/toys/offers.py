"""A market: all seats act at once, and one seat's offer waits for another's consent.

Each has apples and pears. An offer gives an apple for a pear: the seat that offers waits, the other is interrupted.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from beachhead.core.errors import Reason
from beachhead.core.game import Setup
from beachhead.core.machine import MAIN, Frame, Machine, Question, Refusals, State
from beachhead.core.node import Decision, Over
from beachhead.core.plain import Plain
from tests.toys import toy

WHO, GOODS, END = "F-TRADE-01", "F-TRADE-02", "B-VICTORY-03"


@dataclass(slots=True)
class Stall:
    apples: int
    pears: int
    offers: int = 3
    """How many offers this seat may still make."""


@dataclass(slots=True)
class Market(State):
    stalls: list[Stall] = field(default_factory=list)


def open_(g: Market, lane: int, frame: Frame) -> None:
    g.push(MAIN, ("close",))
    for seat in range(len(g.stalls)):
        g.push(seat, ("act",))


def close(g: Market, lane: int, frame: Frame) -> None:
    scores = tuple(min(stall.apples, stall.pears) for stall in g.stalls)
    g.finish(Over(True, "closed", END, scores))


def act_keys(g: Market, seat: int, frame: Frame) -> tuple[str, ...]:
    refused = act_refusals(g, seat, frame)
    offers = (f"offer:{other}" for other in range(len(g.stalls)) if other != seat)
    return ("done", *(key for key in offers if key not in refused))


def act_refusals(g: Market, seat: int, frame: Frame) -> Refusals:
    mine, reasons = g.stalls[seat], []
    if not mine.apples:
        reasons.append(Reason("you have no apple to give", GOODS))
    if not mine.offers:
        reasons.append(Reason("you have made all your offers", WHO))
    return {f"offer:{other}": tuple(reasons) for other in range(len(g.stalls)) if other != seat and reasons}


def act_answer(g: Market, seat: int, frame: Frame, key: str) -> None:
    if key == "done":
        return
    other = int(key.removeprefix("offer:"))
    g.stalls[seat].offers -= 1
    g.push(seat, ("act",))
    g.push(seat, ("awaiting", other))
    g.interrupt(other, ("consent", seat))
    g.tell("offered", seat, {"to": other}, WHO)


def consent_keys(g: Market, seat: int, frame: Frame) -> tuple[str, ...]:
    return ("no",) if consent_refusals(g, seat, frame) else ("yes", "no")


def consent_refusals(g: Market, seat: int, frame: Frame) -> Refusals:
    reasons = []
    if not g.stalls[seat].pears:
        reasons.append(Reason("you have no pear to give", GOODS))
    if not g.stalls[frame[1]].apples:
        reasons.append(Reason("the apple is gone", GOODS))
    return {"yes": tuple(reasons)} if reasons else {}


def consent_answer(g: Market, seat: int, frame: Frame, key: str) -> None:
    giver = frame[1]
    g.release(giver, ("awaiting", seat))
    if key == "yes":
        g.stalls[giver].apples -= 1
        g.stalls[giver].pears += 1
        g.stalls[seat].apples += 1
        g.stalls[seat].pears -= 1
    g.tell("traded" if key == "yes" else "declined", seat, {"with": giver}, WHO)


def view(g: Market, seat: int | None) -> dict[str, Plain]:
    return {"stalls": [{"apples": stall.apples, "pears": stall.pears} for stall in g.stalls]}


MACHINE = Machine(
    "market",
    Market,
    steps={"open": open_, "close": close},
    questions={
        "act": Question("one", act_keys, act_answer, lambda g, seat, frame: WHO, act_refusals),
        "consent": Question("confirm", consent_keys, consent_answer, lambda g, seat, frame: WHO, consent_refusals),
    },
    throws={},
    view=view,
)


def new(setup: Setup) -> Market:
    stalls = [Stall(apples, pears) for apples, pears in setup["goods"]]
    n = len(stalls)
    return Market(main=[("open",)], lanes=[[] for _ in range(n)], asked=[0] * n, stalls=stalls)


GAME = toy(MACHINE, new)


def conserved(g: Market) -> Counter[str]:
    return Counter(apples=sum(s.apples for s in g.stalls), pears=sum(s.pears for s in g.stalls))


def order_matters(decision: Decision, key: str) -> bool:
    """Two offers to the same seat lie on its lane in the order in which they were made."""
    return key.startswith("offer:")
