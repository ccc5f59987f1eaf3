"""One guest on a socket: hello, moves and questions in; the table and its changes out.

Two tasks serve a socket. One reads: what a guest sends is worked off one after the other. One writes: while a slow
socket takes its time, changes gather and go out as one, so nobody waits for it; a socket that falls far behind is
closed and says hello again.
"""

from __future__ import annotations

import asyncio
from collections import deque

import msgspec
from starlette.types import Message, Receive, Scope, Send

from ..core.errors import BeachheadError
from ..say import say, speak, speaking
from ..table.hub import Advised, Change, Dropped, Guest, News, NotAdmitted, PresenceChanged
from ..table.hub import Said as SaidNews
from . import seen
from .guard import address, header
from .house import Busy, House, hashed, log, refusal, refused
from .limits import Bucket
from .messages import (
    Ack,
    Adviser,
    Agree,
    Bye,
    Chat,
    FromGuest,
    FromServer,
    Hello,
    Host,
    Move,
    Name,
    Ping,
    Pong,
    Presence,
    Refused,
    Roll,
    Said,
    Undo,
    Why,
    decode,
    encode,
)

MOST_CHANGES = 1000
"""So many changes may gather for a slow socket."""
MOST_NONSENSE = 20
"""So many messages may be no messages at all."""
POLICY, LATER, RESTART = 1008, 1013, 1012
Acts = Move | Undo | Agree | Roll | Chat | Why | Host | Name | Adviser


class Disconnected(Exception):
    """The guest is gone."""


class Gone(Exception):
    """The socket is to be closed, after these words."""

    def __init__(self, text: str, again: bool = False, code: int = POLICY) -> None:
        self.text = text
        self.again = again
        self.code = code


class Session:
    """A socket from its opening to its end."""

    def __init__(self, house: House, scope: Scope, receive: Receive, send: Send) -> None:
        self.house = house
        self._receive_next, self._send_on = receive, send
        self.address = address(scope)
        scheme = "https" if scope["scheme"] == "wss" else "http"
        self.url = house.door.origin(header(scope, b"host"), scheme)
        self.lang = header(scope, b"accept-language")[:16] or "en"
        self.guest: Guest | None = None
        self.keys_only = False
        self.rate = Bucket(house.limits.rate, house.limits.burst)
        self._device = ""
        self._nonsense = 0
        self._out: deque[bytes] = deque()
        self._changes: list[Change] = []
        self._presence = False
        self._advised: set[int] = set()
        """Seats to whose question the adviser has said something new."""
        self._last_presence = b""
        self._names: tuple[str, ...] = ()
        self._gone: Gone | None = None
        self._wake = asyncio.Event()
        self._reader: asyncio.Task[None] | None = None

    # ---- the two tasks

    async def run(self) -> None:
        """Serve the socket to its end."""
        await self._receive_next()
        await self._send_on({"type": "websocket.accept"})
        if not self.house.sockets.enter(self.address):
            with speaking(self.lang):
                text = say("server.too-many-sockets", most=self.house.limits.per_address)
            await self._last(Gone(text, again=True, code=LATER))
            return
        try:
            self._reader = asyncio.create_task(self._read())
            writer = asyncio.create_task(self._write())
            try:
                await asyncio.wait((self._reader, writer), return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (self._reader, writer):
                    task.cancel()
                await asyncio.gather(self._reader, writer, return_exceptions=True)
        finally:
            self.house.sockets.leave(self.address)
            self._leave()

    def _leave(self) -> None:
        if self.guest is not None:
            self.guest.leave()
            self.guest = None
        if self._device:
            self.house.devices.leave(self._device)
            self._device = ""

    async def _read(self) -> None:
        """Until the guest is gone, or has to go."""
        speak(self.lang)
        try:
            while self._gone is None:
                await self._take(await (self._receive() if self.guest is not None else self._first()))
                while len(self._out) > self.house.limits.queue // 2 and self._gone is None:
                    await asyncio.sleep(0.01)  # who does not read its answers is not listened to
        except Gone as gone:
            self.drop(gone)
            await asyncio.sleep(5)  # the writer says goodbye and ends the session
        except Disconnected:
            return
        except Exception:
            log.exception("a socket failed")
            self.drop(Gone(say("server.error"), again=True, code=1011))
            await asyncio.sleep(5)

    async def _first(self) -> str | bytes:
        """What comes before a guest is known; it must not take long."""
        try:
            return await asyncio.wait_for(self._receive(), self.house.limits.hello)
        except TimeoutError:
            raise Gone(say("server.hello-late"), again=True) from None

    async def _receive(self) -> str | bytes:
        message = await self._receive_next()
        if message["type"] != "websocket.receive":
            raise Disconnected
        text = message.get("text")
        return text if text is not None else message.get("bytes") or b""

    async def _write(self) -> None:
        """Send what there is, as long as the socket takes it."""
        lang = ""
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                if lang != self.lang:
                    lang = self.lang
                    speak(lang)
                while self._out or self._changes or self._presence or self._advised:
                    for data in self._next():
                        await self._put({"type": "websocket.send", "text": data.decode()})
                if self._gone is not None:
                    await self._last(self._gone)
                    return
        except Disconnected:
            return
        except Exception:
            log.exception("a socket could not be served")
            await self._last(Gone(say("server.error"), again=True, code=1011))

    def _next(self) -> list[bytes]:
        """What is to be sent now."""
        found: list[bytes] = []
        guest = self.guest
        changes, self._changes = self._changes, []
        found += self._out  # first, as a welcome may be among them, and changes come after it
        self._out.clear()
        names = self.house.names(guest) if guest is not None and not self.keys_only else ()
        if guest is not None and names != self._names and (changes or self._presence):
            # what was said before is said anew, with the names of now
            found.append(encode(self.house.welcome(guest, self.url)))
        elif changes and guest is not None:
            found.append(encode(self.house.update(guest, changes, self.keys_only)))
        self._names = names
        if guest is not None and (self._presence or (changes and not self.keys_only)):
            data = encode(Presence(self.house.table_now(guest, self.url)))
            if data != self._last_presence:
                self._last_presence = data
                found.append(data)
        self._presence = False
        seats, self._advised = self._advised, set()
        if guest is not None and not self.keys_only:
            found += [encode(advice) for seat in sorted(seats) if (advice := self.house.advice(guest, seat))]
        return found

    async def _last(self, gone: Gone) -> None:
        try:
            data = encode(Bye(gone.text, gone.again)).decode()
            await self._put({"type": "websocket.send", "text": data})
            await self._put({"type": "websocket.close", "code": gone.code, "reason": ""})
        except Disconnected:
            pass

    async def _put(self, message: Message) -> None:
        try:
            await self._send_on(message)
        except (OSError, RuntimeError):  # what is said of a socket that is closed
            raise Disconnected from None

    def drop(self, gone: Gone) -> None:
        """End this session after a last word."""
        if self._gone is None:
            self._gone = gone
            self._wake.set()

    def send(self, message: FromServer) -> None:
        if len(self._out) >= self.house.limits.queue:
            with speaking(self.lang):
                self.drop(Gone(say("server.behind"), again=True, code=LATER))
            self._out.clear()
            return
        self._out.append(encode(message))
        self._wake.set()

    # ---- news of the table

    def _hear(self, news: News) -> None:
        if isinstance(news, Change):
            self._changes.append(news)
            if len(self._changes) > MOST_CHANGES:
                self._changes.clear()
                with speaking(self.lang):
                    self.drop(Gone(say("server.behind"), again=True, code=LATER))
        elif isinstance(news, PresenceChanged):
            self._presence = True
        elif isinstance(news, Advised):
            self._advised.add(news.seat)
        elif isinstance(news, SaidNews):
            self._say_on(news)
        elif isinstance(news, Dropped):
            with speaking(self.lang):
                text = say("server.closing" if news.again else "server.no-table")
            self.drop(Gone(text, news.again, RESTART if news.again else POLICY))
        self._wake.set()

    # ---- what a guest sends

    async def _take(self, data: str | bytes) -> None:
        try:
            message: FromGuest = decode(data)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            self._nonsense += 1
            if self._nonsense > MOST_NONSENSE:
                raise Gone(say("server.not-message", why=str(error)[:200])) from None
            if not self.rate.take():
                self.send(Refused("", "slow-down", say("server.slow-down")))
                return
            self.send(Refused("", "invalid", say("server.not-message", why=str(error)[:200])))
            return
        id = str(getattr(message, "id", ""))
        if not self.rate.take():
            self.send(Refused(id[:64], "slow-down", say("server.slow-down")))
            return
        if isinstance(message, Ping):
            self.send(Pong(message.t))
        elif isinstance(message, Hello):
            await self._hello(message)
        elif self.guest is None:
            raise Gone(say("server.hello-first"))
        elif len(id) > 64 or not id:
            self.send(Refused(id[:64], "invalid", say("server.not-message", why="id")))
        else:
            await self._act(self.guest, message)

    async def _hello(self, message: Hello) -> None:
        self.lang = message.lang[:16]
        speak(self.lang)
        house = self.house
        device = hashed(f"{message.table} {message.token}")
        if device != self._device and not house.devices.enter(device):
            raise Gone(say("server.too-many-devices", most=house.limits.per_seat), again=True, code=LATER)
        if device != self._device:
            self._leave()
            self._device = device
        try:
            guest = await house.enter(message.table, message.token, self.address)
        except NotAdmitted:
            raise Gone(say("server.no-table")) from None
        except BeachheadError as error:
            _, text, _ = refusal(error)
            raise Gone(text, again=True, code=LATER) from None
        if self.guest is not None:
            self.guest.leave()
        self.guest = guest
        self.keys_only = message.want == "keys"
        # From here to the end nothing waits, so no change falls between what is shown and what is heard.
        self._changes.clear()
        guest.listen(self._hear)
        welcome = house.welcome(guest, self.url, message.have, self.keys_only)
        self._last_presence = encode(Presence(welcome.table))
        self._names = house.names(guest) if not self.keys_only else ()
        self._presence = False
        self._advised = set(guest.table.adviser.given)
        self.send(welcome)
        if message.have < 0:
            for said in list(guest.table.chat)[-50:]:
                self._say_on(said)

    def _say_on(self, said: SaidNews) -> None:
        if self.guest is not None:
            with speaking(self.lang):
                name = self.house.speaker(self.guest, said.name, said.seat)
            self.send(Said(said.n, name, said.seat, said.text, said.phrase))

    async def _act(self, guest: Guest, message: Acts) -> None:
        with self.house.words_for(guest):
            await self._carry_out(guest, message)

    async def _carry_out(self, guest: Guest, message: Acts) -> None:
        try:
            if isinstance(message, Why):
                self.send(seen.why(guest.match, message))
                return
            if isinstance(message, Move):
                n = await guest.move(message.id, message.base, message.seat, message.seq, message.key)
            elif isinstance(message, Undo):
                n = await guest.undo(message.id, message.base, message.seat, message.back, message.beyond)
            elif isinstance(message, Agree):
                n = await guest.agree(message.id, message.request, message.yes)
            elif isinstance(message, Roll):
                n = await guest.roll(message.id, message.base, message.seat, message.roll, message.faces)
            elif isinstance(message, Chat):
                n = await guest.say(message.id, message.text, message.phrase)
            else:
                n = await self._arrange(guest, message)
            self.send(Ack(message.id, n))
        except Busy as error:
            self.send(Refused(message.id, "slow-down", str(error)))
        except BeachheadError as error:
            self.send(refused(message.id, error, guest))
        except Exception:
            log.exception("a message failed")
            self.send(Refused(message.id, "unknown", say("server.error"), n=guest.n))

    async def _arrange(self, guest: Guest, message: Host | Name | Adviser) -> int:
        """Seats and the table itself. Sent again, it is not done again."""
        house, table = self.house, guest.table
        done = house.done(table.id, message.id)
        if done is None:
            if isinstance(message, Name):
                await guest.name(message.seat, message.name)
            elif isinstance(message, Adviser):
                await guest.advise(message.on)
            else:
                token = await guest.host(message.act, message.seat, message.text)
                if message.act == "open" and token:
                    house.keep_links(table.id, {message.seat: token})
                    self._presence = True
                    self._wake.set()
            done = guest.n
            house.did(table.id, message.id, done)
        return done
