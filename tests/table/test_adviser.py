"""The adviser at a table whose seats hold hidden cards: what it says is told to the seat alone that sees them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from threading import Event

from beachhead.advise import Advice, Option
from beachhead.core.machine import State
from beachhead.core.node import Decision
from beachhead.table.adviser import View
from beachhead.table.hub import Advised, SeatPlan

from ..toys.hidden_hand import GAME
from .test_hub import house, listen, run


class Fake:
    def __init__(self) -> None:
        self.states: list[State | None] = []

    def advise(self, decision: Decision, view: View, limit: float = 2.0, state: State | None = None) -> Advice:
        self.states.append(state)
        assert "hand" in view()
        options = tuple(Option(key, 0.5, 0.5, 0.5) for key in decision.keys)
        return Advice(decision.seat, decision.seq, decision.name, "exact", 0, options, ())

    def warm(self, *given: object) -> Iterator[None]:
        return iter(())

    def review(self, *given: object) -> None:
        raise NotImplementedError


def test_what_it_says_of_a_hidden_hand_is_for_its_seat_alone(tmp_path: Path) -> None:
    async def script() -> None:
        fake = Fake()
        async with house(tmp_path, games={GAME.name: GAME}, adviser=lambda: fake) as hub:
            made = await hub.create({}, [SeatPlan(), SeatPlan("open"), SeatPlan("open")], game=GAME.name)
            german = await hub.enter(made.id, made.host_token)
            other = await hub.enter(made.id, made.seat_tokens[1])
            watcher = await hub.enter(made.id, made.watch_token)
            heard = listen(german)
            await other.advise(True)
            while Advised(0) not in heard:
                await asyncio.sleep(0.01)
            assert german.advice(0) is not None
            assert other.advice(0) is None and watcher.advice(0) is None
            # and it is not shown more of the game than the seat is
            assert fake.states == [None]

    run(script())


class Slow(Fake):
    """It takes its time to get ready."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []
        self.go = Event()

    def advise(self, decision: Decision, view: View, limit: float = 2.0, state: State | None = None) -> Advice:
        self.told.append("answer")
        return super().advise(decision, view, limit, state)

    def warm(self, *given: object) -> Iterator[None]:
        for _ in range(3):
            self.told.append("step")
            yield
            assert self.go.wait(30)


def test_it_gets_ready_between_questions_and_a_question_comes_first(tmp_path: Path) -> None:
    async def script() -> None:
        slow = Slow()
        async with house(tmp_path, games={GAME.name: GAME}, adviser=lambda: slow) as hub:
            made = await hub.create({}, [SeatPlan(), SeatPlan("open"), SeatPlan("open")], game=GAME.name)
            host = await hub.enter(made.id, made.host_token)
            heard = listen(host)
            await host.advise(True)
            while slow.told.count("step") < 1:
                await asyncio.sleep(0.01)
            assert slow.told[0] == "answer", "the question that is open does not wait"
            assert heard.count(Advised(0)) == 1
            decision = host.table.match.decision(0)
            assert decision is not None
            await host.move("m1", host.table.n, 0, decision.seq, decision.keys[0])
            slow.go.set()
            while slow.told.count("answer") < 2:
                await asyncio.sleep(0.01)
            between = slow.told.index("answer", 1)
            assert slow.told[:between].count("step") <= 2, "no more than the step that was under way"

    run(script())
