"""What is told of the things that happen, and when.

Not every event is a line: dice are shown with the question that follows, those of bots when their phase is over, and
what was told in another way is not told again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from ..core.node import Event
from ..landing import text
from ..landing.state import ARROW
from ..landing.words import capital, card_name, join, result_words, unit_name
from ..say import say
from . import sheets
from .screen import Screen


class Teller:
    """Tells events on a screen; `table` shows the Units."""

    def __init__(self, screen: Screen, people: Collection[int], cite: bool, table: Callable[[], None]) -> None:
        self.screen = screen
        self.people = people
        self.cite = cite
        self.table = table
        self._heading = ""
        """The phase, until something happens in it."""
        self._rolled: dict[int, Event] = {}
        """The last dice of each bot in this phase, told when it is over."""
        self._added: list[Event] = []
        """Results that joined tallies one after the other, told together."""
        self._casualties: dict[int, int] = {}
        """Per seat: casualties that were told, until the Soldiers are gone."""

    def forget(self) -> None:
        """Undo or redo has changed what stands; what was told half is forgotten."""
        self._rolled.clear()
        self._added.clear()
        self._casualties.clear()
        self._heading = ""

    def pause(self) -> None:
        """A question comes between; what happens after it has no heading."""
        self._heading = ""

    def tell(self, events: Sequence[Event], trays: Collection[int], over: bool) -> None:
        """Narrate events; a new turn shows the Units, as soon as the text has come to where they stand.

        `trays` are the seats whose dice are shown with their next question.
        """
        table_at = -1 if over else _table_at(events)
        people = set(self.people)
        for n, event in enumerate(events):
            if event.type != "added":
                self._tell_added()
            if event.audience is None or people.intersection(event.audience):
                self._tell_one(event, trays)
            if n == table_at:
                self._tell_added()
                self.table()
        self._tell_added()

    def _tell_one(self, event: Event, trays: Collection[int]) -> None:
        if event.type == "turn":
            self.screen.say()
            self.screen.say(f"---- {text.narrate(event)} " + "-" * 20, bold=True)
        elif event.type == "phase":
            self._tell_rolled()
            self._heading = "" if event.data["phase"] == "roll" else text.narrate(event)
        elif event.type in ("dice", "locked") and event.seat not in self.people:
            if event.type == "dice":
                self._rolled[event.seat] = event
        elif event.type == "dice" and event.seat in trays and sheets.rolls_all(event):
            pass  # they are shown with the question that follows
        elif event.type == "marker" and event.data["face"] < ARROW:
            pass  # they are shown with the Units
        elif event.type == "resources" and event.data == {"soldiers": -self._casualties.pop(event.seat, 0)}:
            pass  # the casualties were told
        elif event.type == "added":
            self._added.append(event)
        elif event.type != "over":
            if event.type == "combat":
                self._casualties[event.seat] = event.data["casualties"]
            self._line(text.narrate(event), [event])

    def _tell_rolled(self) -> None:
        for rolled in self._rolled.values():
            self._line(sheets.tally_words(rolled), [rolled])
        self._rolled.clear()

    def _tell_added(self) -> None:
        if not self._added:
            return
        self._tell_rolled()
        for seat in dict.fromkeys(event.seat for event in self._added):
            mine = [event for event in self._added if event.seat == seat]
            results = join([_result(event) for event in mine])
            self._line(capital(say("event.adds-all", who=unit_name(seat), results=results)), mine)
        self._added.clear()

    def _line(self, said: str, events: Sequence[Event]) -> None:
        if said:
            if self._heading:
                self.screen.say(self._heading)
                self._heading = ""
            rules = ", ".join(dict.fromkeys(event.rule for event in events))
            self.screen.say(said + (f" [{rules}]" if self.cite else ""), 2, 2)


def _result(event: Event) -> str:
    said = result_words(event.data["face"], event.data["colour"])
    return say("event.note", said=said, note=card_name(event.source)) if event.source else said


def _table_at(events: Sequence[Event]) -> int:
    """After which event the Units are shown: the last new turn, or what follows of it if that changes the table."""
    turns = [n for n, event in enumerate(events) if event.type == "turn"]
    if not turns:
        return -1
    calm = all(event.type in ("phase", "dice", "turn") for event in events[turns[-1] :])
    return turns[-1] if calm else len(events) - 1
