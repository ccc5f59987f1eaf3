"""An adviser that takes no time to think, or as long as a test wants; its figures follow from the keys alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Event

from beachhead.advise import Advice, Costly, Option, Review
from beachhead.bots import View
from beachhead.core.errors import BeachheadError
from beachhead.core.machine import State
from beachhead.core.node import Decision
from beachhead.core.record import Answered, Record
from beachhead.say import language


class FakeAdviser:
    """The last key is the best, the first the worst."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []
        """Seat and number of each question."""
        self.go = Event()
        """While it is not set, advice does not come."""
        self.go.set()
        self.began = Event()
        self.fails = False

    def advise(self, decision: Decision, view: View, limit: float = 2.0, state: State | None = None) -> Advice | None:
        self.asked.append((decision.seat, decision.seq))
        self.began.set()
        assert self.go.wait(30)
        if self.fails:
            raise ValueError("the adviser is at a loss")
        assert view()["game"] == "landing" and state is not None
        if len(decision.keys) < 2:
            return None
        keys = decision.keys[::-1]
        options = tuple(option(key, 0.9 - 0.8 * n / len(keys)) for n, key in enumerate(keys))
        why = {"fr": "Parce que."}.get(language(), "Because.")
        return Advice(decision.seat, decision.seq, decision.name, "learned", 0, options, (why,))

    def warm(self, *given: object) -> Iterator[None]:
        return iter(())

    def review(self, record: Record, tick: Callable[[int, int], object] = lambda done, of: None) -> Review:
        tick(1, 4)
        self.began.set()
        assert self.go.wait(30)
        if self.fails:
            raise BeachheadError("the adviser is at a loss")
        judged = [(n, it) for n, it in enumerate(record.entries) if isinstance(it, Answered)]
        costly = tuple(
            Costly(n, it.seat, 1, "lock", option(it.key, 0.4), option(it.key, 0.5), ("", "")) for n, it in judged[:3]
        )
        return Review(0.55, 0.0, (0.3,), -0.25, costly, len(judged), "learned")


def option(key: str, value: float) -> Option:
    return Option(key, value, value - 0.02, value + 0.02, (("soldiers", 2.5), ("stars", 0.25)))
