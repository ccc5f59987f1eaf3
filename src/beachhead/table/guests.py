"""A guest: somebody at a table, and what their tokens let them do."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Literal

from ..core.errors import BeachheadError, Invalid, Stale
from ..core.node import Answer, Event, Over
from ..core.record import Answered, Entry, Record, Rolled, Undone
from ..say import language
from .adviser import Given, Opinion, Reviewing, opinion, review
from .match import Match
from .news import Change, Dropped, Forbidden, News, NewsOf, Request, TooLate, WrongToken

if TYPE_CHECKING:
    from .running import Table

Act = Literal["bot", "open", "name", "close", "reopen", "chat-off", "chat-on"]

MOST_TOKENS = 16
MOST_ID = 64
MOST_NAME = 40
MOST_TEXT = 400


class Guest:
    """Somebody at a table, with what their tokens let them do.

    `table` tells about the table and its seats. `seats` are those this guest may answer for; they change when the host
    gives one away. `is_host`: may do what hosts do.
    """

    def __init__(self, table: Table, host: bool, hashes: list[str]) -> None:
        self.table = table
        self.is_host = host
        self.seats: tuple[int, ...] = ()
        self.hashes = frozenset(hashes)
        self.language = language()
        self._callback: NewsOf | None = None

    def __repr__(self) -> str:
        return f"<Guest of {self.table.id}, seats {self.seats}{', host' if self.is_host else ''}>"

    @property
    def match(self) -> Match:
        """The match as it is now, to look at. It is another object after every change: do not keep it."""
        return self.table.match

    @property
    def n(self) -> int:
        """The number of entries of the record; every change of the match raises it."""
        return self.table.n

    @property
    def here(self) -> bool:
        """False from the moment on when the guest left or was dropped."""
        return self in self.table.guests

    def listen(self, callback: NewsOf) -> None:
        """From now on this callback gets all news of the table. A second call replaces the first."""
        if self.here:
            self._callback = callback

    def leave(self) -> None:
        """No more news; safe to call twice. Moves that are under way are still carried out."""
        self._callback = None
        self.table.left(self)

    def tell(self, news: News) -> None:
        callback = self._callback
        if isinstance(news, Dropped):
            self._callback = None
        if callback is None:
            return
        try:
            callback(news)
        except Exception as error:
            self.table.hub.report(f"a listener at table {self.table.id} failed", error)
            self._callback = None
            self.table.left(self)

    def since(self, have: int) -> list[Change] | None:
        """The changes after number `have`, oldest first; None when they are not at hand (then show all afresh)."""
        if have == self.n:
            return []
        found: list[Change] = []
        for change in reversed(self.table.recent):
            found.append(change)
            if change.before == have:
                return found[::-1]
            if change.before < have:
                return None
        return None

    # ---- playing

    async def move(self, id: str, base: int, seat: int, seq: int, key: str) -> int:
        """Answer for a seat; the number after it, when it is durable. The same id again gives the same number.

        `base` is the number the guest saw. Answers of other seats since do not matter, but when this question is
        answered already, or something was taken back since, the answer is Stale; `since(base)` tells what happened.
        Raises Stale, Illegal, Invalid, Forbidden, Quarantined, StorageError; then nothing has changed.
        """
        self._may_play(id, seat)

        def same(entry: Entry) -> bool:
            return isinstance(entry, Answered) and entry[:3] == (seat, seq, key)

        def act(match: Match) -> tuple[list[Event], int]:
            _nothing_undone(match, base)
            return match.answer(Answer(seat, seq, key)), 0

        return await self.table.do(id, seat, same, act)

    async def roll(self, id: str, base: int, seat: int, roll: str, faces: Sequence[int]) -> int:
        """Enter dice that were rolled on the table, as one of the seats in `may_enter`; `roll` names the roll. Without
        faces the server rolls them. As for `move`.
        """
        if seat not in self.seats and not (self.is_host and seat in self.may_enter):
            raise Forbidden(f"you do not play seat {seat}")
        self._may_play(id)

        def same(entry: Entry) -> bool:
            if not isinstance(entry, Rolled) or f"{entry.stream}:{entry.number}" != roll:
                return False
            return (entry.outcome, entry.by) == (tuple(faces), seat) if faces else entry.by is None

        def act(match: Match) -> tuple[list[Event], int]:
            _nothing_undone(match, base)
            if match.waits_for and seat not in self.may_enter:
                raise Forbidden("these dice are for others to roll")
            return match.enter(seat, roll, faces), 0

        return await self.table.do(id, seat, same, act)

    @property
    def may_enter(self) -> tuple[int, ...]:
        """The seats for which this guest may enter the dice that the match waits for: the one whose dice they are, or
        any, where they are nobody's in particular or those of a bot. The host may enter all.
        """
        match = self.match
        if match.waits_for is None:
            return ()
        whose = match.roller
        if whose >= 0 and self.table.seats[whose].who != "bot":
            return (whose,) if whose in self.seats or self.is_host else ()
        return self.seats or ((max(whose, 0),) if self.is_host else ())

    async def undo(self, id: str, base: int, seat: int, back: bool = True, beyond: bool = False) -> int:
        """Take back the last answer of this seat (answers of bots since then go with it), or with `back=False` bring
        back what the last undo of this seat took, while nobody has answered since.

        With `beyond`, also what dice, cards or other answers came after, if all other persons `agree`. Where there are
        others they are asked, the table gets a `request`, and the number given back is the present one.
        Raises TooLate (with the reason), AskedAlready, and what `move` raises.
        """
        self._may_play(id, seat)
        table, bots = self.table, self.table.bots
        agreed = False
        if back and beyond and not table.is_known(id):
            if (told := table.replies.get(id)) is not None:
                return told
            match = table.match
            _nothing_since(match, base, bots)
            if match.last_undo(seat, bots) is None and match.last_undo(seat, bots, agreed=True):
                others = frozenset(it.seat for it in table.seats if it.who == "person") - set(self.seats)
                if others:
                    return table.ask(Request(id, match.n, seat, others))
                agreed = True

        def act(match: Match) -> tuple[list[Event], int]:
            _nothing_since(match, base, bots)
            if not back:
                if match.redo_seat != seat:
                    raise TooLate("there is nothing to bring back")
                return match.redo(), 0
            return _take_back(match, seat, bots, agreed)

        return await table.do(id, seat, lambda entry: isinstance(entry, Undone) == back, act)

    async def agree(self, id: str, request: str, yes: bool = True) -> int:
        """Answer the request of this id for all of one's seats that are asked; the last one to agree carries it out.
        Without `yes` it is dropped; who asked may do that, too.

        Raises Stale when there is no such request any more, and what `move` raises.
        """
        self._may_play(id)
        table, asked = self.table, self.table.request
        if (told := table.replies.get(id)) is not None:
            return told
        if not self.seats:
            raise Forbidden("only those who play may agree")
        if asked is None or asked.id != request:
            raise Stale("that is asked no more")
        if asked.seat in self.seats and yes:
            raise Forbidden("nobody agrees with themselves")
        left = asked.wait - set(self.seats)
        if not yes:
            table.drop_request()
        elif left:
            table.ask(asked._replace(wait=left))
        else:
            bots = table.bots

            def act(match: Match) -> tuple[list[Event], int]:
                if table.request != asked or match.n != asked.n:
                    raise Stale("the table has moved on since that was asked")
                return _take_back(match, asked.seat, bots, agreed=True)

            await table.do(asked.id, asked.seat, lambda entry: isinstance(entry, Undone), act)
        return table.replied(id)

    def _may_play(self, id: str, seat: int | None = None) -> None:
        if not (0 < len(id) <= MOST_ID and id.isprintable()):
            raise Invalid(f"a move needs an id of 1 to {MOST_ID} printable characters")
        if not self.here:
            raise Forbidden("you are no longer at this table")
        if seat is not None and seat not in self.seats:
            raise Forbidden(f"you do not play seat {seat}")

    # ---- the table

    async def host(self, act: Act, seat: int = -1, text: str = "") -> str:
        """What hosts do; everybody is told. The answer is "", or for "open" the new token of the seat, told only once.

        "bot": give the seat to the bot `text`. "open": a new link for the seat, the old one is void. "name": name the
        seat. "close": no more answers; "reopen": go on, also after a quarantine. "chat-off", "chat-on".
        """
        table = self.table
        if not (self.is_host and self.here):
            raise Forbidden("only the host of the table may do that")
        if act in ("bot", "open", "name") and not 0 <= seat < len(table.seats):
            raise Invalid(f"there is no seat {seat}")
        if act == "bot":
            table.hub.check_bot(text)
            await table.set_seat(seat, who="bot", bot=text, token_hash="", hosts=False)
        elif act == "open":
            token = secrets.token_urlsafe(18)
            await table.set_seat(seat, who="open", bot="", token_hash=hash_token(token), hosts=False)
            return token
        elif act == "name":
            await table.set_seat(seat, name=clean(text, MOST_NAME))
        elif act in ("close", "reopen"):
            if act == "reopen":
                table.trouble = ""
            await table.set_table(closed=act == "close")
        elif act in ("chat-off", "chat-on"):
            await table.set_table(chat=act == "chat-on")
        else:
            raise Invalid(f"there is nothing that is called {act!r}")
        return ""

    async def name(self, seat: int, name: str) -> None:
        """Name a seat of one's own."""
        if not self.here or seat not in self.seats:
            raise Forbidden(f"you do not play seat {seat}")
        await self.table.set_seat(seat, name=clean(name, MOST_NAME))

    async def say(self, id: str, text: str = "", phrase: str = "", seat: int = -1) -> int:
        """Say something to all at the table; its number in the chat. The same id again gives the same number.

        `seat`: for a guest of several seats, who speaks. Spectators only listen.
        """
        table = self.table
        if not self.here or not (self.seats or self.is_host):
            raise Forbidden("only those who play may speak here")
        if not (0 < len(id) <= MOST_ID and id.isprintable()):
            raise Invalid(f"a line of chat needs an id of 1 to {MOST_ID} printable characters")
        known = table.said.get(id)
        if known is None:
            if not table.chat_on:
                raise Forbidden("the host has switched the chat off")
            text, phrase = clean(text, MOST_TEXT), clean(phrase, MOST_NAME)
            if not (text or phrase):
                raise Invalid("there is nothing to say")
            speaker = seat if seat in self.seats else self.seats[0] if self.seats else -1
            known = table.say(id, speaker, text, phrase)
        return known if isinstance(known, int) else await asyncio.shield(known)

    # ---- the adviser

    async def advise(self, on: bool) -> None:
        """Switch the adviser of the table on or off, as somebody who plays there; everybody is told."""
        table = self.table
        if not self.here or not self.seats:
            raise Forbidden("only those who play may switch the adviser")
        if on and isinstance(self.match.node(), Over):
            raise Forbidden("the game is over: there is nothing to advise")
        if on and table.hub.adviser is None:
            raise Forbidden("there is no adviser here")
        if table.adviser.on != on:
            await table.set_table(adviser=self.seats[0] if on else -1)

    def advice(self, seat: int) -> Given | None:
        """What the adviser says to the open question of this seat, if this guest may know of it."""
        given = self.table.adviser.given.get(seat)
        return given if given is not None and (given.open or seat in self.seats) else None

    async def opinion(self, at: int) -> Opinion | None:
        """What the adviser says about the answer after the first `at` entries of a game that is over."""
        if not isinstance(self.match.node(), Over):
            raise Forbidden("only a game that is over is looked through")
        return await opinion(self.table, self._record(None), at)

    async def review(self, begin: bool = False) -> Reviewing | None:
        """What the adviser says of the whole game, once it is over, or how far it is with that; with `begin`, have it
        done.
        """
        return await review(self.table, begin)

    # ---- the record

    def lines(self, at: int | None = None) -> list[str]:
        """The record as lines with line ends, header first; only the first `at` entries if given.

        For finished and practice games only, and for the host of a table in quarantine: raises Forbidden.
        """
        return list(self._record(at).lines())

    async def past(self, at: int) -> Match:
        """The match as it stood after `at` entries, to look at. Where `lines` is allowed."""
        return await asyncio.to_thread(Match.look, self._record(at), self.table.hub.games)

    def _record(self, at: int | None) -> Record:
        match = self.match
        rescue = self.is_host and self.table.trouble
        if not (match.practice or rescue or isinstance(match.node(), Over)):
            raise Forbidden("the record of a game tells everything: it can be had when the game is over")
        found = match.record
        if at is not None:
            if not 0 <= at <= match.n:
                raise Invalid(f"the record has {match.n} entries: {at} is no number of them")
            del found.entries[at:]
        return found


def hash_token(token: str) -> str:
    """What is kept of a token; "" for none."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest() if token else ""


def token_parts(token: str) -> list[str]:
    return [part for part in token.split(".")[:MOST_TOKENS] if part]


def admitted(host_hash: str, watch_hash: str, seat_hashes: list[str], token: str) -> tuple[bool, bool, list[int]]:
    """Whether the token is that of the host, of spectators, and of which seats. Every hash is compared, and in constant
    time. Raises WrongToken if it is none of them.
    """
    given = [hash_token(part).encode() for part in token_parts(token)]

    def fits(kept: str) -> bool:
        found = False
        for mine in given:
            found |= hmac.compare_digest(mine, kept.encode())
        return found

    host, watch = max(map(fits, host_hash.split()), default=False), fits(watch_hash)
    seats = [seat for seat, kept in enumerate(seat_hashes) if fits(kept)]
    if not (host or watch or seats):
        raise WrongToken
    return host, watch, seats


def clean(text: str, most: int) -> str:
    """One line of text without anything that cannot be seen, and no longer than `most`."""
    plain = "".join(
        " " if unicodedata.category(char)[0] in "CZ" else char for char in unicodedata.normalize("NFC", text)
    )
    return " ".join(plain.split())[:most].strip()


def _nothing_undone(match: Match, base: int) -> None:
    for entry in _since(match, base):
        if isinstance(entry, Undone):
            raise Stale("something was taken back since: look at the question again")


def _nothing_since(match: Match, base: int, bots: Collection[int]) -> None:
    for entry in _since(match, base):
        who = entry.seat if isinstance(entry, Answered) else entry.by if isinstance(entry, Rolled) else None
        if isinstance(entry, Undone) or (who is not None and who not in bots):
            raise Stale("somebody answered or took something back since: look again")


def _take_back(match: Match, seat: int, bots: Collection[int], agreed: bool) -> tuple[list[Event], int]:
    told = match.state.told
    try:
        label = match.undo(seat, bots, agreed)
    except BeachheadError as error:
        raise TooLate(str(error)) from None
    if label is None:
        raise TooLate("there is nothing to take back")
    return [], told - match.state.told


def _since(match: Match, base: int) -> list[Entry]:
    if not 0 <= base <= match.n:
        raise Invalid(f"the table is at number {match.n}: {base} is not one it has been at")
    return match.entries(base)
