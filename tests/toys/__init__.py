"""Tiny throw-away games on the core alone; each shows that the core can carry something."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from beachhead.core import plain
from beachhead.core.game import Game, Setup
from beachhead.core.machine import Machine, State
from beachhead.core.node import Event


def toy(machine: Machine[Any], new: Callable[[Setup], State]) -> Game:
    """A game of this machine; `new` gives a state that was not started yet."""

    def start(setup: Setup) -> tuple[State, list[Event]]:
        g = new(setup)
        return g, machine.start(g)

    return Game(
        machine.name,
        machine,
        start,
        load=lambda setup, data: plain.load(machine.state, data),
        content_hash=lambda setup: machine.name,
        narrate=lambda event: f"Seat {event.seat}: {event.type}.",
        prompt=lambda g, decision: f"{decision.name}?",
        label=lambda g, decision, key: key,
    )
