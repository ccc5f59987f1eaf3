"""What goes wrong at a table, who sits there, and what its guests are told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ..core.errors import BeachheadError
from ..core.node import Event

Who = Literal["person", "bot", "open"]


# ---------------------------------------------------------------------------------------------------- what goes wrong


class NotAdmitted(BeachheadError):
    """There is no such table, or the token does not open it. To the outside both say the same."""

    def __init__(self) -> None:
        super().__init__("there is no such table, or this link does not open it (any more)")


class NoSuchTable(NotAdmitted):
    """For the inside: there is no table of this id."""


class WrongToken(NotAdmitted):
    """For the inside: the table is there, the token is none of its."""


class Forbidden(BeachheadError):
    """This guest may not do that, or not now (a closed table, chat switched off)."""


class TooLate(BeachheadError):
    """It cannot be taken back any more; the text says why."""


class AskedAlready(BeachheadError):
    """Somebody else's request to take something back is open."""


class TooMuch(BeachheadError):
    """Many ask for the same at once: later there will be time for it."""


class OtherContent(BeachheadError):
    """The cards, maps or rules here are not those that this table was begun with. It can be loaded when they are."""


class Quarantined(BeachheadError):
    """The engine failed at this table. It takes no answers until it is opened again or loaded by a mended server."""


# ---------------------------------------------------------------------------------------------------- what is told


class Change(NamedTuple):
    """The match moved on, and that is durable: from number `before` to number `n`.

    First the last `taken` events were taken back, then `events` happened. They hold everything: what a guest may not
    see (`Event.audience`) is for the door to leave out. `by` is the id of the move, "" for one of a bot.
    """

    n: int
    before: int
    events: list[Event]
    by: str = ""
    taken: int = 0
    seat: int = -1
    """Who answered."""


class PresenceChanged(NamedTuple):
    """Something about the table or its seats is other than before: look at `guest.table`."""


class Said(NamedTuple):
    """Somebody said something; `n` counts the lines of chat from 1."""

    n: int
    name: str
    seat: int
    text: str = ""
    phrase: str = ""


class Advised(NamedTuple):
    """The adviser has something to say to the open question of this seat: look at `guest.advice`."""

    seat: int


class Dropped(NamedTuple):
    """The last news of a guest: it is no longer at the table. `again`: to enter again makes sense."""

    text: str
    again: bool = False


class Request(NamedTuple):
    """A seat asks to take back its last answer although something was seen since. It holds while the match stands at
    `n`, and is carried out when no seat is left in `wait`.
    """

    id: str
    n: int
    seat: int
    wait: frozenset[int]


News = Change | PresenceChanged | Said | Advised | Dropped
NewsOf = Callable[[News], None]
"""Is called on the event loop and must be quick; one that raises loses its guest."""


@dataclass(slots=True)
class Seat:
    """Who sits there now. `here` counts the guests that may answer for it, whoever they are."""

    seat: int
    who: Who
    name: str = ""
    bot: str = ""
    token_hash: str = field(default="", repr=False)
    hosts: bool = False
    """The host plays it."""
    here: int = 0
