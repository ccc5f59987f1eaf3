"""What the browser asks for over HTTP: what can be played, words, rules, pictures, new tables, old games."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import lru_cache
from io import BytesIO
from typing import Any, Literal

import msgspec
import segno
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from .. import rules
from ..bots import BOTS, DEFAULT
from ..content.library import library
from ..core import chance, record
from ..core.errors import BeachheadError, RecordError, SetupError
from ..core.node import Ask, Over
from ..games import GAMES
from ..say import language, messages_for, say, speaking
from ..table.hub import Created, Forbidden, Guest, NotAdmitted, Quarantined, SeatPlan, StorageError, Summary, TooMuch
from . import advised, seen
from .catalogue import GAME, bot_name, catalogue, drawing, every_rule, rule_data
from .guard import address, header, language_of
from .house import Busy, House
from .listed import summarised
from .messages import encode

MOST_TABLES = 1000


class Fault(Exception):
    """What was asked for cannot be given: a status, and words."""

    def __init__(self, status: int, text: str) -> None:
        self.status = status
        self.text = text


def json_answer(data: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(encode(data), status, {"cache-control": "no-store", **(headers or {})}, "application/json")


def fault_of(error: BeachheadError) -> Fault:
    """The status and the words for a mistake or a mishap."""
    if isinstance(error, NotAdmitted):
        return Fault(404, say("server.no-table"))
    if isinstance(error, Busy):
        return Fault(429, str(error))
    if isinstance(error, TooMuch):
        return Fault(429, say("server.slow-down"))
    if isinstance(error, Forbidden):
        return Fault(403, say("server.secret-record"))
    if isinstance(error, StorageError):
        return Fault(503, say("server.storage", why=str(error)))
    if isinstance(error, Quarantined):
        return Fault(409, say("server.broken"))
    if isinstance(error, RecordError):
        return Fault(400, say("server.no-record", why=str(error)))
    return Fault(400, str(error))


def cached(request: Request, body: bytes, media: str, seconds: int = 0) -> Response:
    """An answer that the browser may keep, and ask about by its ETag."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
    headers = {"etag": tag, "cache-control": f"max-age={seconds}" if seconds else "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(None, 304, headers)
    if len(body) > 1000 and "gzip" in request.headers.get("accept-encoding", ""):
        headers |= {"content-encoding": "gzip", "vary": "accept-encoding"}
        return Response(packed(body), 200, headers, media)
    return Response(body, 200, headers, media)


@lru_cache(64)
def packed(body: bytes) -> bytes:
    return gzip.compress(body, 6, mtime=0)


async def body_of(request: Request, most: int) -> bytes:
    """The body of a request, unless it is too large."""
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > most:
        raise Fault(413, say("server.too-large", most=most))
    found = bytearray()
    try:
        async for part in request.stream():
            found += part
            if len(found) > most:
                raise Fault(413, say("server.too-large", most=most))
    except ClientDisconnect:
        raise Fault(400, say("server.not-form")) from None
    return bytes(found)


async def json_body(request: Request, most: int) -> dict[str, Any]:
    """The JSON object in the body of a request. Nothing else is taken: a form of another site can send no JSON."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Fault(415, say("server.not-json", why="Content-Type"))
    try:
        found = msgspec.json.decode(await body_of(request, most))
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError) as error:
        raise Fault(400, say("server.not-json", why=str(error)[:200])) from None
    if not isinstance(found, dict):
        raise Fault(400, say("server.not-json", why="{}"))
    return found


class Asked(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/tables`."""

    class SeatAsked(msgspec.Struct, forbid_unknown_fields=True):
        who: str = "person"
        bot: str = ""
        name: str = ""

    game: str = GAME
    setup: dict[str, Any] = msgspec.field(default_factory=dict)
    seats: list[SeatAsked] = msgspec.field(default_factory=list)
    practice: bool = False
    dice: Literal["", "own"] = ""
    title: str = ""
    name: str = ""
    seed: str = ""
    record: str | None = None
    fork: str = ""
    at: int = -1
    token: str = ""


# ---------------------------------------------------------------------------------------------------- what is there


def parse_record(text: str) -> record.Record:
    """The record in a text; raises RecordError with the line that is wrong."""
    return record.parse(text.encode("utf-8", "surrogatepass"), say("server.the-record"))


def verified(text: str) -> dict[str, Any]:
    """What there is to say about a record."""
    found = parse_record(text)
    checks = record.verify(found, GAMES)
    failed = any(check.status == "failed" for check in checks)
    still = any(check.status == "open" for check in checks)
    rows = [
        {
            "name": check.name,
            "title": say(f"server.check.{check.name}"),
            "status": check.status,
            "detail": check.detail,
        }
        for check in checks
    ]
    word = say("server.verify-failed" if failed else "server.verify-open" if still else "server.verify-ok")
    if not failed and any(isinstance(entry, record.Rolled) and entry.by is not None for entry in found.entries):
        word = say("match.verify-by-hand")
    return {"ok": False if failed else None if still else True, "text": word, "checks": rows}


# ---------------------------------------------------------------------------------------------------- the routes


class Api:
    """Answers to requests below /api."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._slow = asyncio.Semaphore(2)

    def routes(self) -> list[Route]:
        def route(path: str, serve: Callable[[Request], Awaitable[Response]], *methods: str) -> Route:
            async def guarded(request: Request) -> Response:
                lang = request.query_params.get("lang", "")[:16] or language_of(request.scope)
                with speaking(lang):
                    try:
                        return await serve(request)
                    except Fault as fault:
                        return json_answer({"error": fault.text}, fault.status)
                    except BeachheadError as error:
                        told = fault_of(error)
                        return json_answer({"error": told.text}, told.status)

            return Route(path, guarded, methods=list(methods) or ["GET"])

        return [
            route("/api/catalogue", self.catalogue),
            route("/api/messages", self.messages),
            route("/api/rules", self.rules),
            route("/api/rules/{id}", self.rule),
            route("/api/board/{edition}/{map}.svg", self.board),
            route("/api/icons.svg", self.icons),
            route("/api/tables", self.tables),
            route("/api/tables", self.create, "POST"),
            route("/api/tables/{table}/return", self.back, "POST"),
            route("/api/tables/{table}/record", self.record),
            route("/api/tables/{table}/replay", self.replay),
            route("/api/tables/{table}/opinion", self.opinion),
            route("/api/tables/{table}/review", self.review, "GET", "POST"),
            route("/api/verify", self.verify, "POST"),
            route("/api/qr.svg", self.qr),
            route("/api/about", self.about),
        ]

    def url(self, request: Request) -> str:
        return self.house.door.origin(header(request.scope, b"host"), request.url.scheme)

    def local(self, request: Request) -> bool:
        """The request comes from this machine, to a server for this machine only."""
        return self.house.door.local and address(request.scope) in ("127.0.0.1", "::1", "")

    async def about(self, request: Request) -> Response:
        """Who answers here; a second server of the same user asks."""
        from .. import __version__

        return json_answer({"beachhead": __version__, "local": self.local(request), "tables": self.house.hub.loaded})

    async def catalogue(self, request: Request) -> Response:
        return cached(request, encode(catalogue(language())), "application/json")

    async def messages(self, request: Request) -> Response:
        found = messages_for(language(), "ui.")
        return cached(request, encode({"lang": language(), "messages": found}), "application/json")

    async def rules(self, request: Request) -> Response:
        if "all" in request.query_params:
            return cached(request, every_rule(language()), "application/json")
        wanted = request.query_params.get("q", "")[:200].split()[:12]
        found = rules.search(wanted) if wanted else []
        rows = [{"id": rule.id, "title": rule.title, "book": rules.BOOKS[rule.book]} for rule in found[:60]]
        return json_answer({"rules": rows, "found": len(found)})

    async def rule(self, request: Request) -> Response:
        try:
            found = rules.rule(request.path_params["id"][:64])
        except BeachheadError:
            raise Fault(404, say("server.no-rule")) from None
        return cached(request, encode(rule_data(found)), "application/json")

    async def board(self, request: Request) -> Response:
        theme = request.query_params.get("theme", "light")
        level = request.query_params.get("level", "")
        edition, board = request.path_params["edition"], request.path_params["map"]
        if board not in library().maps.get(edition, {}) or theme not in ("light", "dark", "contrast"):
            raise Fault(404, say("server.no-board"))
        if level and level not in library().maps[edition][board].levels:
            raise Fault(404, say("server.no-board"))
        found = await asyncio.to_thread(drawing, edition, board, level, theme, language())
        return cached(request, found, "image/svg+xml")

    async def icons(self, request: Request) -> Response:
        from ..draw.marks import icons_svg

        return cached(request, icons_svg().encode(), "image/svg+xml")

    async def qr(self, request: Request) -> Response:
        text = request.query_params.get("text", "")
        if len(text) > 300 or not text.startswith(f"{self.url(request)}/"):
            raise Fault(403, say("server.no-qr"))
        out = BytesIO()
        segno.make(text, error="m").save(
            out, kind="svg", scale=4, border=4, xmldecl=False, nl=False, svgclass="qr", lineclass="", light="#ffffff"
        )
        return Response(out.getvalue(), 200, {"cache-control": "no-store"}, "image/svg+xml")

    # ---- tables

    async def create(self, request: Request) -> Response:
        body = await json_body(request, self.house.limits.record + self.house.limits.form)
        made = await self.make(body, request)
        return json_answer(self.links(made, self.url(request)), 201)

    async def make(self, body: dict[str, Any], request: Request) -> Created:
        """A new table as the body asks for it."""
        house = self.house
        try:
            asked = msgspec.convert(body, Asked)
        except msgspec.ValidationError as error:
            raise Fault(400, say("server.not-json", why=str(error)[:200])) from None
        if not house.new_tables.of(address(request.scope)).take():
            raise Fault(429, say("server.too-many-tables"))
        lines: list[str] | None = None
        practice, title, fork_of, fork_at = asked.practice, clean(asked.title, 80), "", 0
        if asked.record is not None:
            if len(asked.record) > house.limits.record:
                raise Fault(413, say("server.too-large", most=house.limits.record))
            found = await self._slowly(parse_record, asked.record)
            lines = list(found.lines())
        elif asked.fork:
            guest = await house.enter(asked.fork, asked.token, address(request.scope))
            try:
                at = min(asked.at, guest.n) if asked.at >= 0 else guest.n
                lines = guest.lines(at)
                title = title or say("server.practice-of", title=title_of(guest))
                practice, fork_of, fork_at = True, asked.fork, at
            except Forbidden:
                raise Fault(403, say("server.no-fork")) from None
            finally:
                guest.leave()
        plans = self.plans(asked)
        seed = seed_of(asked.seed) if asked.seed else None
        if not lines and plans:
            asked.setup.setdefault("seats", len(plans))
        known = house.hub.games
        if asked.game not in known:
            raise SetupError(say("setup.unknown.game", name=repr(asked.game[:40]), known=", ".join(known), hint=""))
        made = await house.hub.create(
            {} if lines else known[asked.game].setup(asked.setup),
            plans,
            game=asked.game,
            practice=practice or bool(asked.seed),
            title=title,
            lines=lines,
            seed=seed,
            own_dice=asked.dice == "own",
            fork_of=fork_of,
            fork_at=fork_at,
        )
        links = {seat: token for seat, token in enumerate(made.seat_tokens) if token}
        house.keep_links(made.id, {**links, house.WATCH: made.watch_token})
        return made

    def plans(self, asked: Asked) -> list[SeatPlan]:
        found: list[SeatPlan] = []
        for number, seat in enumerate(asked.seats[:16]):
            name = clean(seat.name or (asked.name if number == 0 else ""), 40)
            if seat.who == "bot":
                if seat.bot and seat.bot not in BOTS:
                    raise Fault(400, say("server.no-bot"))
                found.append(SeatPlan("bot", seat.bot or DEFAULT, name or bot_name(seat.bot or DEFAULT)))
            elif seat.who in ("person", "open"):
                found.append(SeatPlan("person" if seat.who == "person" else "open", "", name))
            else:
                raise SetupError(say("setup.who", who=repr(seat.who[:20])))
        return found

    def links(self, made: Created, url: str) -> dict[str, Any]:
        base = f"{url}/g/{made.id}#"
        seats = [f"{base}{token}" if token else "" for token in made.seat_tokens]
        return {
            "table": made.id,
            "token": made.host_token,
            "seats": made.seat_tokens,
            "watch": made.watch_token,
            "links": {"host": f"{base}{made.host_token}", "seats": seats, "watch": f"{base}{made.watch_token}"},
        }

    async def _slowly(self, work: Callable[[str], Any], text: str) -> Any:
        """Work that may take a while, beside the event loop and not too much of it at once."""
        async with self._slow:
            return await asyncio.to_thread(work, text)

    async def tables(self, request: Request) -> Response:
        found: list[Summary] = []
        given = request.headers.get("x-tokens", "")[:16_384]
        for pair in given.split(",")[:MOST_TABLES]:
            table, sign, token = pair.strip().partition("=")
            if not sign:
                continue
            try:
                found.append(await self.house.hub.summary(table[:64], token[:512]))
            except NotAdmitted:
                continue
        mine = {summary.id for summary in found}
        local = self.local(request)
        if local:
            found += [one for one in await self.house.hub.summaries(MOST_TABLES) if one.id not in mine]
        rows = [{**summarised(one), "mine": one.id in mine} for one in found]
        return json_answer({"tables": rows, "local": local})

    async def back(self, request: Request) -> Response:
        """A fresh link of the host, for a browser that has lost its own: who is at the machine has the file anyway."""
        table = request.path_params["table"][:64]
        token = await self.fresh_token(request, table)
        return json_answer({"table": table, "token": token, "link": f"{self.url(request)}/g/{table}#{token}"})

    async def fresh_token(self, request: Request, table: str) -> str:
        if not self.local(request):
            raise Fault(403, say("server.no-return"))
        return await self.house.hub.host_token(table)

    async def guest(self, request: Request) -> Guest:
        """Whoever sends a token of this table in the header Authorization."""
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        return await self.house.enter(
            request.path_params["table"], token.strip() if kind.lower() == "bearer" else "", address(request.scope)
        )

    async def record(self, request: Request) -> Response:
        guest = await self.guest(request)
        try:
            text = "".join(guest.lines())
            name = re.sub(r"[^a-z0-9-]+", "-", title_of(guest).lower()).strip("-") or "game"
        finally:
            guest.leave()
        headers = {"cache-control": "no-store", "content-disposition": f'attachment; filename="{name}.jsonl"'}
        return Response(text, 200, headers, "application/jsonl")

    async def replay(self, request: Request) -> Response:
        wanted = request.query_params.get("at", "")
        guest = await self.guest(request)
        try:
            last, over = guest.n, isinstance(guest.match.node(), Over)
            lines = guest.lines()
            if wanted and not (wanted.isdecimal() and len(wanted) < 8):
                raise Fault(400, say("server.not-json", why="at"))
            stops = replay_stops(lines)
            at = min(int(wanted), last) if wanted else last
            at = max((stop for stop in stops if stop <= at), default=stops[0])
            match = await guest.past(at)
            seats = range(len(guest.table.seats)) if isinstance(match.node(), Ask | Over) else ()
            with self.house.words_for(guest):
                shown = seen.screen(match, ())
                log = seen.lines(match.events, match, seats)
        finally:
            guest.leave()
        return json_answer({"n": at, "last": last, "over": over, "stops": stops, "screen": shown, "log": log})

    async def opinion(self, request: Request) -> Response:
        """What the adviser says about the answer at a number of a game that is over."""
        at = request.query_params.get("at", "")
        if not (at.isdecimal() and len(at) < 8):
            raise Fault(400, say("server.not-json", why="at"))
        guest = await self.guest(request)
        try:
            with self.house.words_for(guest):
                return json_answer(advised.opinion(await guest.opinion(int(at))))
        finally:
            guest.leave()

    async def review(self, request: Request) -> Response:
        """What the adviser says of a game that is over, or how far it is with that; a POST has it begin."""
        guest = await self.guest(request)
        try:
            with self.house.words_for(guest):
                found = await guest.review(begin=request.method == "POST")
                return json_answer(await advised.review(guest, found))
        finally:
            guest.leave()

    async def verify(self, request: Request) -> Response:
        raw = await body_of(request, self.house.limits.record + self.house.limits.form)
        text = raw.decode("utf-8", "replace")
        if request.headers.get("content-type", "").startswith("application/json"):
            try:
                body = msgspec.json.decode(raw)
            except (msgspec.MsgspecError, UnicodeError, RecursionError):
                body = None
            if isinstance(body, dict) and isinstance(body.get("record"), str):
                text = body["record"]
        return json_answer(await self._slowly(verified, text))


def replay_stops(lines: list[str]) -> list[int]:
    """The numbers at which somebody was asked, or the game was over: an answer begins at the one before it."""
    kinds = [json.loads(line)[0] for line in lines[1:]]
    stops = [n for n, kind in enumerate(kinds) if kind in ("answer", "undo")]
    return sorted({*stops, len(kinds)})


def title_of(guest: Guest) -> str:
    """What a table is called: as its host said, or like its map."""
    return guest.table.title or seen.title(guest.match)


def seed_of(text: str) -> str:
    """The seed that words stand for; a seed that a record has revealed stands for itself: the same dice again."""
    return text if re.fullmatch("[0-9a-f]{64}", text) else chance.seed_from(text[:200])


def clean(text: str, most: int) -> str:
    """A name or title without line ends and signs that are none."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())[:most]
