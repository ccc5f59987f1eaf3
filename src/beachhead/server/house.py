"""What the doors share: the hub, the limits, links, and what a guest is shown, made once for all who see the same."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal, cast
from weakref import WeakKeyDictionary

from msgspec import Raw

from ..core.errors import BeachheadError, Illegal, Invalid, Stale
from ..core.node import Ask, Event, Over
from ..landing.words import called, calling
from ..say import language, say
from ..table.hub import (
    AskedAlready,
    Change,
    Forbidden,
    Guest,
    Hub,
    NotAdmitted,
    Quarantined,
    StorageError,
    Table,
    TooLate,
)
from . import advised, back, seen
from .guard import Door
from .limits import Buckets, Counted, Limits
from .messages import Advice, Line, Reason, Refused, Screen, SeatNow, TableNow, Update, Welcome, encode

log = logging.getLogger("beachhead.server")

Code = Literal["stale", "illegal", "invalid", "forbidden", "slow-down", "too-late", "storage", "unknown"]
Keys = dict[str, tuple[int, list[str]]]


class Busy(BeachheadError):
    """Not now: too much came from there."""


class House:
    """One server with its tables."""

    MOST_LINKS = 10_000
    MOST_DONE = 4096

    def __init__(self, hub: Hub, door: Door, limits: Limits) -> None:
        self.hub = hub
        self.door = door
        self.limits = limits
        self.guesses = Buckets(limits.guesses, limits.guess_burst)
        self.new_tables = Buckets(limits.tables, limits.table_burst)
        self.sockets = Counted(limits.per_address)
        self.devices = Counted(limits.per_seat)
        self._links: OrderedDict[str, dict[int, str]] = OrderedDict()
        self._done: OrderedDict[tuple[str, str], int] = OrderedDict()
        self._drawn: WeakKeyDictionary[Table, tuple[int, dict[Any, Any]]] = WeakKeyDictionary()

    # ---- coming in

    async def enter(self, table: str, token: str, address: str) -> Guest:
        """Come to a table. Who tries many wrong links is told to wait; a right one is let in all the same, as others
        may come from the same address.
        """
        try:
            return await self.hub.enter(table[:64], token[:2048])
        except NotAdmitted:
            if not self.guesses.of(address).take():
                await asyncio.sleep(1)
                raise Busy(say("server.too-many-links")) from None
            raise

    # ---- links: known only while the server runs, told only to the host

    WATCH = -1

    def keep_links(self, table: str, links: dict[int, str]) -> None:
        self._links.setdefault(table, {}).update(links)
        self._links.move_to_end(table)
        while len(self._links) > self.MOST_LINKS:
            self._links.popitem(last=False)

    def links(self, table: str) -> dict[int, str]:
        return self._links.get(table, {})

    # ---- what a host or a seat did once is not done again when it is sent again

    def done(self, table: str, id: str) -> int | None:
        return self._done.get((table, id)) if id else None

    def did(self, table: str, id: str, n: int) -> None:
        if id:
            self._done[table, id] = n
            while len(self._done) > self.MOST_DONE:
                self._done.popitem(last=False)

    # ---- what is shown

    def words_for(self, guest: Guest) -> AbstractContextManager[None]:
        """Inside the `with`, Units are called by the names of those who play them at this guest's table."""
        return calling(self.names(guest))

    def names(self, guest: Guest) -> tuple[str, ...]:
        return guest.table.names

    def speaker(self, guest: Guest, name: str, seat: int) -> str:
        """Who said a line of the chat: by name, or by Unit where the seat had none."""
        with self.words_for(guest):
            return name or (str(seen.kind_of(guest.match).name(seat)) if seat >= 0 else say("server.host"))

    def _memo(self, guest: Guest) -> dict[Any, Any]:
        """What was worked out for this table as it stands now."""
        table, n = guest.table, guest.n
        found = self._drawn.get(table)
        if found is None or found[0] != n:
            found = self._drawn[table] = (n, {})
        return found[1]

    def screen(self, guest: Guest) -> Screen:
        """The screen of this guest, in the language that is spoken."""
        with self.words_for(guest):
            enters = guest.may_enter
            key = ("screen", guest.seats, enters, called(), guest.table.bots, language())
            memo = self._memo(guest)
            found = memo.get(key)
            if found is None:
                notes = [say("server.advised")] if guest.table.adviser.advised else []
                found = memo[key] = seen.screen(guest.match, guest.seats, guest.table.bots, enters, notes)
            return cast(Screen, found)

    def raw_screen(self, guest: Guest) -> Screen:
        """The same, as it goes over the wire: made once for all who see the same."""
        with self.words_for(guest):
            key = ("raw", guest.seats, guest.may_enter, called(), guest.table.bots, language())
            memo = self._memo(guest)
            found = memo.get(key)
            if found is None:
                found = memo[key] = Raw(encode(self.screen(guest)))
            return cast(Screen, found)

    def keys(self, guest: Guest) -> Keys:
        memo = self._memo(guest)
        key = ("keys", guest.seats)
        found = memo.get(key)
        if found is None:
            found = memo[key] = seen.keys(guest.match, guest.seats)
        return cast(Keys, found)

    def lines(self, guest: Guest, events: Sequence[Event]) -> list[Line]:
        """The log of these events, as far as this guest may know of them."""
        with self.words_for(guest):
            return seen.lines(events, guest.match, guest.seats)

    def log(self, guest: Guest) -> list[Line]:
        """All of the log."""
        with self.words_for(guest):
            memo = self._memo(guest)
            key = ("log", guest.seats, called(), language())
            found = memo.get(key)
            if found is None:
                found = memo[key] = self.lines(guest, guest.match.events)
            return cast("list[Line]", found)

    def table_now(self, guest: Guest, url: str) -> TableNow:
        """Who is there, as this guest may see it."""
        table = guest.table
        node = guest.match.node()
        waiting = node.seats if isinstance(node, Ask) else back.may_enter(guest.match, table.bots)
        with self.words_for(guest):
            request = back.asked(guest)
        links = self.links(table.id) if guest.is_host else {}
        seats = []
        for seat in table.seats:
            here = seat.here > 0
            lamp: Literal["choosing", "ready", "away", "done"] = "choosing" if seat.seat in waiting else "ready"
            if isinstance(node, Over):
                lamp = "done"
            elif seat.who == "person" and not here:
                lamp = "away"
            token = links.get(seat.seat, "")
            link = f"{url}/g/{table.id}#{token}" if token and seat.who != "bot" else ""
            seats.append(SeatNow(seat.seat, seat.who, seat.name, here, seat.bot, lamp, link))
        watch = links.get(self.WATCH, "")
        return TableNow(
            table.id,
            table.title,
            seats,
            guest.is_host,
            list(guest.seats),
            f"{url}/g/{table.id}#{watch}" if watch else "",
            table.closed,
            table.chat_on,
            table.practice,
            request=request,
            dice="own" if guest.match.own_dice else "",
            trouble=say("server.trouble", n=guest.n) if table.trouble else "",
            adviser=table.adviser.by,
        )

    def advice(self, guest: Guest, seat: int) -> Advice | None:
        """What the adviser says to the question of this seat, if this guest may know of it."""
        given = guest.advice(seat)
        if given is None:
            return None
        with self.words_for(guest):
            key = ("advice", seat, called(), language())
            memo = self._memo(guest)
            known = memo.get(key)
            if known is None or known[0] is not given:
                known = memo[key] = (given, advised.advice(given))
            return cast(Advice, known[1])

    def welcome(self, guest: Guest, url: str, have: int = -1, keys_only: bool = False, raw: bool = True) -> Welcome:
        """All that a guest needs who has seen the table up to number `have`."""
        found = Welcome(guest.n, self.table_now(guest, url))
        if keys_only:
            found.keys = self.keys(guest)
            return found
        found.screen = self.raw_screen(guest) if raw else self.screen(guest)
        missed = guest.since(have) if have >= 0 else None
        if missed is None or any(change.taken for change in missed):
            found.log = self.log(guest)
        else:
            found.fresh = False
            found.log = self.lines(guest, [event for change in missed for event in change.events])
        return found

    def update(self, guest: Guest, changes: Sequence[Change], keys_only: bool = False) -> Update:
        """These changes, the last of which led to the table as it stands, as one."""
        events: list[Event] = []
        back = 0
        for change in changes:
            gone = min(change.taken, len(events))
            back += change.taken - gone
            events = events[: len(events) - gone] + change.events
        found = Update(changes[-1].n, changes[0].before, by=changes[-1].by)
        if back:
            everything = guest.match.events
            found.taken = (everything[0].n if everything else 0) + len(everything) - len(events)
        if keys_only:
            found.keys = self.keys(guest)
            return found
        with self.words_for(guest):
            key = ("lines", found.before, guest.seats, called(), language())
            memo = self._memo(guest)
            if key not in memo:
                memo[key] = self.lines(guest, events)
            found.log = memo[key]
        found.screen = self.raw_screen(guest)
        return found


def refusal(error: BeachheadError, guest: Guest | None = None) -> tuple[Code, str, list[Reason]]:
    """Why something was not done: the code, the words, the rules."""
    if isinstance(error, Stale):
        return "stale", say("server.stale"), []
    if isinstance(error, Illegal):
        reasons = [Reason(reason.text, reason.rule) for reason in error.reasons]
        return "illegal", "; ".join(reason.text for reason in reasons) or say("server.invalid"), reasons
    if isinstance(error, Invalid):
        return "invalid", say("server.invalid"), []
    if isinstance(error, StorageError):
        return "storage", say("server.storage", why=str(error)), []
    if isinstance(error, Quarantined):
        return "unknown", say("server.trouble", n=guest.n) if guest is not None else say("server.broken"), []
    if isinstance(error, Busy):
        return "slow-down", str(error), []
    if isinstance(error, AskedAlready):
        return "too-late", say("match.asked-already"), []
    if isinstance(error, TooLate):
        return "too-late", say("server.too-late"), []
    if isinstance(error, Forbidden):
        closed = guest is not None and guest.table.closed
        return "forbidden", say("server.closed" if closed else "server.forbidden"), []
    return "invalid", str(error), []


def refused(id: str, error: BeachheadError, guest: Guest | None = None) -> Refused:
    code, text, reasons = refusal(error, guest)
    return Refused(id, code, text, reasons, guest.n if guest is not None else -1)


def hashed(token: str) -> str:
    """A name for a token that does not tell it."""
    return hashlib.sha256(token.encode()).hexdigest()
