"""What every guest (bots, records, tables, simulations, tests) needs to know of a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .machine import Machine, State
from .node import Decision, Event
from .plain import Plain

Setup = dict[str, Plain]
"""What game is to be played, as plain data that fits into a record's header."""


class Brief(NamedTuple):
    """How far a game is, for a line in a list. `points`: what it was worth to the group, where that is counted."""

    turn: int = 0
    points: int | None = None


class Game(NamedTuple):
    """A game and its calls. `new` gives a state at its first node, with the events of setting it up."""

    name: str
    machine: Machine[State]
    new: Callable[[Setup], tuple[State, list[Event]]]
    load: Callable[[Setup, dict[str, Plain]], State]
    """The state that `machine.dump` wrote, in the world of that setup."""
    content_hash: Callable[[Setup], str]
    """Names the content (cards, maps) that a game of this setup is played with."""
    narrate: Callable[[Event], str]
    """One event in plain words; the empty text for one that nobody needs to hear of."""
    prompt: Callable[[State, Decision], str]
    """The question in plain words."""
    label: Callable[[State, Decision, str], str]
    """One answer in plain words."""
    brief: Callable[[State], Brief] = lambda state: Brief()
    setup: Callable[[Setup], Setup] = lambda setup: setup
    """A setup with all that was left out; raises SetupError for what the game does not know."""
    place: Callable[[State], str] = lambda state: ""
    """Where it is played, as a short name for files."""
    changed: Callable[[Setup], tuple[str, ...]] = lambda setup: ()
    """What of the content that a game of this setup is played with is not as it was delivered."""
