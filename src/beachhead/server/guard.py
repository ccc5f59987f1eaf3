"""Who may knock: hosts, origins, how often; and the headers that every answer carries.

The table is not a site that others may use from their pages. A request has to name this server as its host, and one
that a browser sends for a page has to come from a page of this server. Programs that send no origin are no browsers;
they hold no cookies of anybody and are let in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from socket import gethostname
from typing import Any
from urllib.parse import urlsplit

from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..core.errors import SetupError
from ..say import say, speaking
from .limits import Buckets, Limits

HOST = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9][A-Za-z0-9._-]{0,252})(?::([0-9]{1,5}))?")
LOOPBACK = frozenset(("127.0.0.1", "localhost", "[::1]"))

CSP = (
    "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""Scripts, styles and everything else only from files of this server."""
PICTURE_CSP = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""A drawing that is opened by itself brings its own styles, and may do nothing else."""
HEADERS = (
    (b"content-security-policy", CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)


@dataclass(frozen=True)
class Door:
    """Where the server stands: on this machine only, open to the local network, or behind a public address."""

    port: int = 8944
    lan: bool = False
    public: str = ""
    """The origin that people see, as in `https://dice.example.org`; empty without a proxy."""

    @property
    def local(self) -> bool:
        """Only people at this machine get in."""
        return not self.lan and not self.public

    def knows(self, host: str) -> bool | None:
        """Whether this is a name of this server; None for what is no name at all."""
        found = HOST.fullmatch(host)
        if found is None or int(found[2] or 1) not in range(1, 65536):
            return None
        name = found[1].lower()
        if name in LOOPBACK:
            return True
        if self.public and name == (urlsplit(self.public).hostname or "").lower():
            return True
        if not self.lan:
            return False
        here = gethostname().lower()
        if name in (here, here.partition(".")[0], f"{here.partition('.')[0]}.local"):
            return True
        try:
            ip_address(name.strip("[]"))
            return True  # a page elsewhere can borrow our address only under a name, never under a number
        except ValueError:
            return False

    def own(self, origin: str, host: str) -> bool:
        """Whether a page of this origin is a page of this server, which was asked for under this host."""
        if self.public and origin.lower() == self.public.lower():
            return True
        parts = urlsplit(origin)
        return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower() and not parts.path

    def origin(self, host: str, scheme: str = "http") -> str:
        """How links to this server begin."""
        return self.public or f"{scheme}://{host}"


def public_origin(url: str, option: str = "--public") -> str:
    """The origin in a URL that somebody gave, or a SetupError."""
    parts = urlsplit(url if "//" in url else f"https://{url}")
    try:
        fits = parts.scheme in ("http", "https") and HOST.fullmatch(parts.netloc) and parts.path in ("", "/")
    except ValueError:
        fits = None
    if not fits:
        raise SetupError(say("server.no-address", option=option, url=url))
    return f"{parts.scheme}://{parts.netloc}"


def language_of(scope: Scope) -> str:
    """The first language of ours that the browser asks for."""
    wanted = header(scope, b"accept-language").split(",")[0].strip()
    return wanted[:16] or "en"


def header(scope: Scope, name: bytes) -> str:
    """The value of a header; of several with this name the first."""
    for key, value in scope["headers"]:
        if key == name:
            return str(value.decode("latin-1"))
    return ""


def address(scope: Scope) -> str:
    """Where a guest comes from. All addresses of one IPv6 household count as one."""
    client = scope.get("client")
    if not client:
        return ""
    name = str(client[0])
    return ":".join(name.split(":")[:4]) if name.count(":") > 3 and not name.startswith("::") else name


class Guard:
    """The ASGI layer in front of everything."""

    def __init__(self, app: ASGIApp, door: Door, limits: Limits, routes: Sequence[Route] = ()) -> None:
        self.app = app
        self.routes = routes
        """What is behind the guard."""
        self.door = door
        self.requests = Buckets(limits.requests, limits.request_burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        refused = self._refused(scope)
        if refused is None:
            await self.app(scope, receive, _with_headers(send) if scope["type"] == "http" else send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": ""})
        else:
            status, key = refused
            with speaking(language_of(scope)):
                body = say(key).encode() + b"\n"
            headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
            if status == 429:
                headers.append((b"retry-after", b"2"))
            answer = _with_headers(send)
            await answer({"type": "http.response.start", "status": status, "headers": headers})
            await answer({"type": "http.response.body", "body": body})

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        hosts = [value.decode("latin-1") for key, value in scope["headers"] if key == b"host"]
        known = self.door.knows(hosts[0]) if len(hosts) == 1 else None
        if known is None:
            return 400, "server.bad-host"
        if not known:
            return 400, "server.other-host"
        changing = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD", "OPTIONS")
        if changing and not self._from_here(scope, hosts[0]):
            return 403, "server.other-origin"
        if scope["type"] == "http" and not self.requests.of(address(scope)).take():
            return 429, "server.slow-down"
        return None

    def _from_here(self, scope: Scope, host: str) -> bool:
        site = header(scope, b"sec-fetch-site")
        origin = header(scope, b"origin")
        if site and site not in ("same-origin", "none"):
            return False
        if origin == "null":
            return site == "same-origin"
        return not origin or self.door.own(origin, host)


def _with_headers(send: Send) -> Send:
    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start":
            found: list[tuple[bytes, bytes]] = list(message.get("headers", ()))
            kinds = [value for name, value in found if name == b"content-type"]
            if kinds and kinds[0].startswith(b"image/svg"):
                found.append((b"content-security-policy", PICTURE_CSP.encode()))
            names = {name for name, _ in found}
            message = {**message, "headers": found + [pair for pair in HEADERS if pair[0] not in names]}
        await send(message)

    return answer


def cookie_options(path: str, scheme: str) -> dict[str, Any]:
    """How the cookie of a seat is kept: for this table, for no script, for no other site."""
    return {"path": path, "httponly": True, "samesite": "lax", "secure": scheme == "https", "max_age": 180 * 86400}
