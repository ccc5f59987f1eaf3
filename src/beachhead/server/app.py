"""The application: all routes behind the guard. `serve` makes one from a hub; `cli` runs it."""

from __future__ import annotations

import asyncio
import mimetypes
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from ..content.library import library
from ..say import say, speaking
from ..table.hub import Hub
from . import paper
from .api import Api, cached, json_answer
from .forms import Forms, language_for
from .guard import Door, Guard
from .house import House, log
from .limits import Limits
from .memory import tidy
from .socket import Session

STATIC = Path(__file__).parent / "static"
PAGES = ("/", "/new", "/history", "/settings", "/rules", "/join", "/g/{table}", "/replay/{table}", "/rules/{id}")
"""Addresses of the browser table: all are the same page, which looks at its address."""

mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("image/svg+xml", ".svg")
mimetypes.add_type("application/manifest+json", ".webmanifest")
mimetypes.add_type("font/woff2", ".woff2")


class File(NamedTuple):
    """A file of the client, as it is sent. Parts of it are never sent: a `Range` is not looked at."""

    stamp: tuple[int, int]
    plain: bytes
    kind: str


class Files:
    """The built client, in memory; a file that changes is read again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._kept: dict[str, File] = {}

    def get(self, name: str) -> File | None:
        parts = name.split("/")
        if "\0" in name or "\\" in name or any(part.startswith(".") or not part for part in parts):
            return None
        path = self.folder.joinpath(*parts)
        try:
            found = path.stat()
            stamp = (found.st_mtime_ns, found.st_size)
            kept = self._kept.get(name)
            if kept is None or kept.stamp != stamp:
                if not path.is_file():
                    return None
                plain = path.read_bytes()
                kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
                kept = self._kept[name] = File(stamp, plain, kind)
            return kept
        except (OSError, ValueError):
            return None

    def answer(self, request: Request, name: str, forever: bool = False) -> Response | None:
        found = self.get(name)
        if found is None:
            return None
        kind = f"{found.kind}; charset=utf-8" if found.kind.startswith("text/") else found.kind
        answer = cached(request, found.plain, kind)
        if forever:
            answer.headers["cache-control"] = "public, max-age=31536000, immutable"
        return answer


def make_app(
    hub: Hub,
    door: Door | None = None,
    limits: Limits | None = None,
    static: Path = STATIC,
    on_close: Callable[[], Awaitable[None]] | None = None,
) -> Guard:
    """The whole application for this hub."""
    door, limits = door or Door(), limits or Limits()
    house = House(hub, door, limits)
    api = Api(house)
    forms = Forms(house, api)
    files = Files(static)

    async def client(request: Request) -> Response:
        found = files.answer(request, "index.html")
        if found is not None:
            return found
        with speaking(language_for(request)):
            body = [f"<p>{paper.t('to-home')}: <a href='/text'>/text</a></p>"]
            return HTMLResponse(paper.page("Beachhead", body, problem=say("server.not-built")))

    async def asset(request: Request) -> Response:
        found = files.answer(request, f"assets/{request.path_params['name']}", forever=True)
        if found is None:
            raise HTTPException(404)
        return found

    async def file(request: Request) -> Response:
        found = files.answer(request, request.path_params["name"])
        if found is None:
            raise HTTPException(404)
        return found

    async def style(request: Request) -> Response:
        return cached(request, paper.STYLE.encode(), "text/css; charset=utf-8", 300)

    async def failed(request: Request, error: Exception) -> Response:
        """A page or message for what was asked wrongly, and for our own mistakes."""
        status = error.status_code if isinstance(error, HTTPException) else 500
        key = {404: "server.no-page", 405: "server.no-method", 500: "server.error"}.get(status, "server.not-form")
        if status == 500:
            log.error("a request failed", exc_info=error)
        with speaking(language_for(request)):
            words = say(key)
            headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
            if request.url.path.startswith("/api"):
                return json_answer({"error": words}, status, headers)
            return HTMLResponse(paper.failed("Beachhead", words), status, headers)

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        aside = [asyncio.create_task(tidy()), asyncio.create_task(asyncio.to_thread(library))]
        yield
        for task in aside:
            task.cancel()
        forms.close()
        await hub.close()
        if on_close is not None:
            await on_close()

    routes = [
        *api.routes(),
        *forms.routes(),
        Route("/text.css", style),
        *(Route(path, client) for path in PAGES),
        Route("/assets/{name:path}", asset),
        Route("/{name}", file),
    ]
    app = Starlette(routes=routes, exception_handlers={HTTPException: failed, 500: failed}, lifespan=life)

    async def either(scope: Scope, receive: Receive, send: Send) -> None:
        """Sockets go straight to their session; there are many messages and nothing of the rest concerns them."""
        if scope["type"] == "websocket" and scope["path"] == "/ws":
            await Session(house, scope, receive, send).run()
        else:
            await app(scope, receive, send)

    return Guard(either, door, limits, routes)
