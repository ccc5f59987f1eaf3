"""The requests of the text view: plain forms in, plain pages out. `text` makes the pages.

The link of a seat is sent once, by a form, and then kept in a cookie of this table that no script can read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from .. import rules
from ..bots import DEFAULT
from ..core.errors import BeachheadError, Invalid
from ..core.node import Over
from ..say import LANGUAGES, language, messages_for, say, speaking
from ..table.hub import Guest, NotAdmitted
from . import advised, front, paper, seen, text
from .api import MOST_TABLES, Api, Fault, body_of, clean, fault_of
from .catalogue import catalogue
from .guard import address, cookie_options, header, language_of
from .house import House, refusal
from .listed import summarised
from .messages import Why

SEAT = "seat"
"""The cookie with the link of a seat; its path is that of the table."""
STATUS = {"stale": 409, "illegal": 422, "invalid": 422, "forbidden": 403, "slow-down": 429, "too-late": 409}
LINGER = 60.0
"""So many seconds a guest counts as here after a page was sent."""

ADVICE = 1.0
"""So many seconds a page waits for what the adviser says."""

Serve = Callable[[Request], Awaitable[Response]]


def html(body: str, status: int = 200) -> Response:
    return Response(body, status, {"cache-control": "no-store"}, "text/html; charset=utf-8")


def see(path: str) -> Response:
    """Look there next; a reload then sends nothing twice."""
    return RedirectResponse(path, 303, {"cache-control": "no-store"})


async def fields_of(request: Request, most: int) -> paper.Form:
    """The fields of a form."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise Fault(415, say("server.not-form"))
    raw = await body_of(request, most)
    try:
        return parse_qs(raw.decode("ascii"), keep_blank_values=True, max_num_fields=200, errors="replace")
    except ValueError:
        raise Fault(400, say("server.not-form")) from None


def language_for(request: Request) -> str:
    """The language that was chosen on a page of ours, or that the browser asks for."""
    for wanted in (request.query_params.get("lang", ""), request.cookies.get("lang", "")):
        if wanted in LANGUAGES or wanted == "xx":
            return wanted
    return language_of(request.scope)


class Forms:
    """Answers to requests of the text view."""

    def __init__(self, house: House, api: Api) -> None:
        self.house = house
        self.api = api
        self._here: dict[tuple[str, str], tuple[Guest, asyncio.TimerHandle]] = {}

    def routes(self) -> list[Route]:
        table = "/g/{table}/text"
        return [
            self._route("/text", self.home),
            self._route("/text/new", self.new, "POST"),
            self._route("/text/enter", self.enter_anywhere, "POST"),
            self._route("/text/return", self.come_back, "POST"),
            self._route("/text/rules/{id}", self.rule),
            self._route(table, self.table),
            self._route(f"{table}/record", self.record),
            self._route(f"{table}/enter", self.enter, "POST"),
            self._route(f"{table}/move", self.move, "POST"),
            self._route(f"{table}/tally", self.tally, "POST"),
            self._route(f"{table}/undo", self.undo, "POST"),
            self._route(f"{table}/agree", self.agree, "POST"),
            self._route(f"{table}/roll", self.roll, "POST"),
            self._route(f"{table}/chat", self.chat, "POST"),
            self._route(f"{table}/name", self.name, "POST"),
            self._route(f"{table}/host", self.host, "POST"),
            self._route(f"{table}/adviser", self.adviser, "POST"),
            self._route(f"{table}/review", self.review, "POST"),
        ]

    def _route(self, path: str, serve: Serve, method: str = "GET") -> Route:
        async def guarded(request: Request) -> Response:
            with speaking(language_for(request)):
                try:
                    found = await serve(request)
                except Fault as fault:
                    found = html(paper.failed("Beachhead", fault.text), fault.status)
                except BeachheadError as error:
                    told = fault_of(error)
                    found = html(paper.failed("Beachhead", told.text), told.status)
            wanted = request.query_params.get("lang", "")
            if wanted in LANGUAGES:
                found.set_cookie("lang", wanted, max_age=365 * 86400, samesite="lax", httponly=True)
            return found

        return Route(path, guarded, methods=[method])

    # ---- the first page

    async def home(self, request: Request, problem: str = "", status: int = 200) -> Response:
        tables = await self.house.hub.summaries(MOST_TABLES) if self.api.local(request) else []
        found = [summarised(one) for one in tables[:30]]
        return html(front.home(catalogue(language()), found, problem), status)

    async def new(self, request: Request) -> Response:
        fields = await fields_of(request, self.house.limits.form)
        try:
            made = await self.api.make(front.setup_of(fields), request)
        except Fault as fault:
            return await self.home(request, fault.text, fault.status)
        except BeachheadError as error:
            told = fault_of(error)
            return await self.home(request, told.text, told.status)
        return self._seated(request, made.id, made.host_token)

    def _seated(self, request: Request, table: str, token: str) -> Response:
        found = see(f"/g/{table}/text")
        found.set_cookie(SEAT, token, **cookie_options(f"/g/{table}", request.url.scheme))
        return found

    async def enter_anywhere(self, request: Request) -> Response:
        fields = await fields_of(request, self.house.limits.form)
        table, token = link_parts(paper.first(fields, "link"))
        try:
            return await self._enter(request, table, token)
        except NotAdmitted:
            return await self.home(request, say("server.no-table"), 404)

    async def come_back(self, request: Request) -> Response:
        """A fresh link, as `POST /api/tables/<id>/return` gives it, into the cookie of the table."""
        fields = await fields_of(request, self.house.limits.form)
        table = paper.first(fields, "table")[:64]
        return self._seated(request, table, await self.api.fresh_token(request, table))

    async def enter(self, request: Request) -> Response:
        fields = await fields_of(request, self.house.limits.form)
        table = request.path_params["table"]
        try:
            return await self._enter(request, table, link_parts(paper.first(fields, "link"))[1])
        except NotAdmitted:
            return html(front.knock(table, say("server.no-table"), self.api.local(request)), 404)

    async def _enter(self, request: Request, table: str, token: str) -> Response:
        guest = await self.house.enter(table, token, address(request.scope))
        guest.leave()
        return self._seated(request, guest.table.id, token)

    async def rule(self, request: Request) -> Response:
        try:
            found = rules.rule(request.path_params["id"][:64])
        except BeachheadError:
            raise Fault(404, say("server.no-rule")) from None
        return html(text.rule(f"{found.id} {found.title}", rules.show(found).partition("\n\n")[2]))

    # ---- the table

    async def guest(self, request: Request) -> Guest:
        """Whoever holds the cookie of this table. They stay at the table for a while, as pages come one by one."""
        table, token = request.path_params["table"], request.cookies.get(SEAT, "")
        key = (table, token)
        kept = self._here.pop(key, None)
        if kept is not None:
            kept[1].cancel()
        guest = kept[0] if kept is not None and kept[0].here else None
        if guest is None:
            guest = await self.house.enter(table, token, address(request.scope))
        if len(self._here) > 2000:
            old, timer = self._here.pop(next(iter(self._here)))
            timer.cancel()
            old.leave()
        before = self._here.pop(key, None)
        if before is not None and before[0] is not guest:
            before[1].cancel()
            before[0].leave()
        self._here[key] = guest, asyncio.get_running_loop().call_later(LINGER, self._forget, key)
        return guest

    def _forget(self, key: tuple[str, str]) -> None:
        kept = self._here.pop(key, None)
        if kept is not None:
            kept[0].leave()

    async def table(self, request: Request) -> Response:
        try:
            guest = await self.guest(request)
        except NotAdmitted:
            wrong = say("server.no-table") if request.cookies.get(SEAT) else ""
            found = front.knock(request.path_params["table"], wrong, self.api.local(request))
            return html(found, 404 if wrong else 200)
        await self._advised(guest)
        review = None
        if isinstance(guest.match.node(), Over):
            with self.house.words_for(guest):
                review = await advised.review(guest, await guest.review())
        return self.page(request, guest, review=review)

    async def _advised(self, guest: Guest) -> None:
        """Give the adviser a moment: a page cannot tell later what it says. Moves do not wait for it."""
        guest.language = language()
        guest.table.adviser.look()
        end = asyncio.get_running_loop().time() + ADVICE
        while guest.table.adviser.thinks and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.02)

    def page(
        self,
        request: Request,
        guest: Guest,
        problem: str = "",
        status: int = 200,
        ticked: text.Ticked | None = None,
        review: dict[str, Any] | None = None,
    ) -> Response:
        url = self.house.door.origin(header(request.scope, b"host"), request.url.scheme)
        found = self.house.welcome(guest, url, raw=False)
        chat = [
            {"name": self.house.speaker(guest, line.name, line.seat), "text": line.text or phrase(line.phrase)}
            for line in guest.table.chat
        ]
        seats = range(len(guest.table.seats))
        advice = {seat: said for seat in seats if (said := self.house.advice(guest, seat))}
        return html(text.table(found, chat, phrases(), problem, ticked, advice, review), status)

    async def _do(self, request: Request, act: Callable[[Guest, paper.Form], Awaitable[object]]) -> Response:
        """Carry a form out and show the table again, or the table with what was wrong."""
        fields = await fields_of(request, self.house.limits.form)
        guest = await self.guest(request)
        try:
            with self.house.words_for(guest):
                await act(guest, fields)
        except Fault as fault:
            return self.page(request, guest, fault.text, fault.status)
        except BeachheadError as error:
            code, words, _ = refusal(error, guest)
            return self.page(request, guest, words, STATUS.get(code, 503))
        return see(f"/g/{guest.table.id}/text")

    async def move(self, request: Request) -> Response:
        async def act(guest: Guest, fields: paper.Form) -> None:
            seat, base = paper.number(fields, "seat"), paper.number(fields, "base")
            asks = self.house.screen(guest).asks
            ask = next((ask for ask in asks if ask.seat == seat), None)
            key = text.key_of(fields, ask)
            try:
                await guest.move(id_of(fields), base, seat, paper.number(fields, "seq"), key)
            except Invalid:
                if ask is None:
                    raise
                raise Fault(422, say("textview.bad-choice", asked=ask.hint or ask.prompt)) from None

        return await self._do(request, act)

    async def tally(self, request: Request) -> Response:
        """The table again, with what the ticked dice would come to."""
        fields = await fields_of(request, self.house.limits.form)
        guest = await self.guest(request)
        seat, dice = paper.number(fields, "seat"), list(fields.get("die", ()))
        try:
            with self.house.words_for(guest):
                found = seen.why(guest.match, Why("", seat, "tally", dice=dice))
        except Invalid:
            return self.page(request, guest, say("server.stale"), 409)
        return self.page(request, guest, ticked=text.Ticked(seat, frozenset(dice), found))

    async def undo(self, request: Request) -> Response:
        def act(guest: Guest, fields: paper.Form) -> Awaitable[object]:
            seat, base, way = paper.number(fields, "seat"), paper.number(fields, "base"), paper.first(fields, "way")
            return guest.undo(id_of(fields), base, seat, back=way != "redo", beyond=way == "beyond")

        return await self._do(request, act)

    async def agree(self, request: Request) -> Response:
        def act(guest: Guest, fields: paper.Form) -> Awaitable[object]:
            return guest.agree(id_of(fields), paper.first(fields, "request")[:64], paper.first(fields, "yes") == "1")

        return await self._do(request, act)

    async def roll(self, request: Request) -> Response:
        def act(guest: Guest, fields: paper.Form) -> Awaitable[object]:
            given = fields.get("face", ()) if not paper.first(fields, "server") else ()
            faces = [int(face) if face.isdecimal() and len(face) < 4 else -1 for face in given[:64]]
            seat, base = paper.number(fields, "seat"), paper.number(fields, "base")
            return guest.roll(id_of(fields), base, seat, paper.first(fields, "roll")[:64], faces)

        return await self._do(request, act)

    async def chat(self, request: Request) -> Response:
        return await self._do(
            request,
            lambda guest, fields: guest.say(
                id_of(fields), paper.first(fields, "text")[:400], paper.first(fields, "phrase")[:40]
            ),
        )

    async def name(self, request: Request) -> Response:
        return await self._do(
            request,
            lambda guest, fields: guest.name(paper.number(fields, "seat"), clean(paper.first(fields, "name"), 40)),
        )

    async def host(self, request: Request) -> Response:
        async def act(guest: Guest, fields: paper.Form) -> None:
            wanted: Any = paper.first(fields, "act")
            seat, id = paper.number(fields, "seat"), id_of(fields)
            if self.house.done(guest.table.id, id) is None:
                bot = DEFAULT if wanted == "bot" else ""
                token = await guest.host(wanted, seat, bot)
                if wanted == "open" and token:
                    self.house.keep_links(guest.table.id, {seat: token})
                self.house.did(guest.table.id, id, guest.n)

        return await self._do(request, act)

    async def adviser(self, request: Request) -> Response:
        return await self._do(request, lambda guest, fields: guest.advise(paper.first(fields, "on") == "1"))

    async def review(self, request: Request) -> Response:
        return await self._do(request, lambda guest, fields: guest.review(begin=True))

    async def record(self, request: Request) -> Response:
        guest = await self.guest(request)
        headers = {"cache-control": "no-store", "content-disposition": 'attachment; filename="game.jsonl"'}
        return Response("".join(guest.lines()), 200, headers, "application/jsonl")

    def close(self) -> None:
        for key in list(self._here):
            guest, timer = self._here.pop(key)
            timer.cancel()
            guest.leave()


def id_of(fields: paper.Form) -> str:
    return paper.first(fields, "id")[:64]


def link_parts(link: str) -> tuple[str, str]:
    """The table and the token in a link, or in the last part of one."""
    before, _, token = link.strip().rpartition("#")
    table = before.partition("/g/")[2].partition("/")[0].partition("?")[0]
    return table, token


def phrases() -> dict[str, str]:
    """Quick phrases by their key, in the language that is spoken."""
    found = messages_for(language(), "ui.phrase.")
    return {key.removeprefix("ui.phrase."): words for key, words in found.items() if isinstance(words, str)}


def phrase(key: str) -> str:
    return phrases().get(key, "")
