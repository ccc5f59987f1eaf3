"""Serve a folder or an ASGI application on a free port of this machine."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

POLICY = "default-src 'self'"


class Strict:
    """Adds the content security policy of the table to every answer."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def marked(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (b"content-security-policy", POLICY.encode())]
            await send(message)

        await self.app(scope, receive, marked)


def folder_app(folder: Path) -> Starlette:
    return Starlette(routes=[Mount("/", StaticFiles(directory=folder, html=True))], middleware=[Middleware(Strict)])


@contextlib.contextmanager
def serving(what: Any, **options: Any) -> Iterator[str]:
    """The address, without a slash at its end, under which `what` is served while the block runs.

    `options` go to uvicorn's Config. The server runs in a thread: the application is at hand for the test.
    """
    app = folder_app(Path(what)) if isinstance(what, str | Path) else what
    server = uvicorn.Server(uvicorn.Config(app, **{"log_level": "warning", "timeout_graceful_shutdown": 1, **options}))
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [door]}, daemon=True)
        thread.start()
        try:
            until = time.monotonic() + 120
            while not server.started:
                if not thread.is_alive() or time.monotonic() > until:
                    raise RuntimeError("the server did not start")
                time.sleep(0.01)
            yield f"http://127.0.0.1:{door.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(timeout=60)
            if thread.is_alive():
                server.force_exit = True
                thread.join(timeout=60)
                assert not thread.is_alive(), "the server did not stop"
