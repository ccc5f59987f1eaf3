"""The command `serve`, and what plain `beachhead` does: open the table in the browser."""

from __future__ import annotations

import gc
import http.client
import json
import logging
import socket
import sqlite3
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..core.errors import BeachheadError
from ..say import language_of, say, speaking

if TYPE_CHECKING:
    import uvicorn

    from .guard import Door
    from .limits import Limits

PORT = 8944


def register(app: typer.Typer) -> None:
    app.command()(serve)


def serve(
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="The port; 0 for any free one.")] = PORT,
    lan: Annotated[bool, typer.Option("--lan", help="Open to the local network; prints a link and a QR code.")] = False,
    public: Annotated[
        str, typer.Option(metavar="URL", help="The address that people see, for a server behind a proxy.")
    ] = "",
    data: Annotated[Path | None, typer.Option(metavar="FILE", help="The database, instead of the usual one.")] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the browser.")] = False,
) -> None:
    """Serve the table: in the browser of this machine, in the local network, or behind a public address."""
    with speaking(language_of()):
        _serve(port, lan, public, data, not no_browser and not lan and not public)


def home() -> None:
    """What `beachhead` does when nothing else is asked for."""
    with speaking(language_of()):
        _serve(PORT, False, "", None, True)


def database(data: Path | None = None) -> Path:
    """Where the games are kept."""
    from ..terminal.keep import data_folder

    return data if data is not None else data_folder() / "tables.sqlite"


def _serve(port: int, lan: bool, public: str, data: Path | None, browse: bool) -> None:
    from .guard import Door, public_origin

    origin = public_origin(public) if public else ""
    listening = _listen("" if lan else "127.0.0.1", port, browse)
    if listening is None:
        return
    port = listening.getsockname()[1]
    server = make_server(database(data), Door(port, lan, origin))
    here = f"http://127.0.0.1:{port}"
    shown = origin or (f"http://{lan_address()}:{port}" if lan else here)
    print(say("server.serving", url=shown), flush=True)
    if lan:
        _print_qr(f"{shown}/")
    print(say("server.stop"), flush=True)
    if browse:
        threading.Timer(0.8, webbrowser.open, (f"{here}/",)).start()
    settle_memory()
    server.run(sockets=[listening])


def _listen(host: str, port: int, browse: bool) -> socket.socket | None:
    """The socket to serve on; None when a table is already open there and was offered instead."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if sys.platform != "win32":
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        return found
    except OSError as error:
        found.close()
        running = f"http://127.0.0.1:{port}/"
        if is_ours(port):
            print(say("server.running", url=running))
            if browse:
                webbrowser.open(running)
            return None
        if isinstance(error, PermissionError):
            raise BeachheadError(say("server.port-refused", port=port)) from None
        raise BeachheadError(say("server.port-taken", port=port, other=port + 1 if port < 65535 else PORT)) from None


def is_ours(port: int) -> bool:
    """Whether a table answers on this port of this machine."""
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        asked.request("GET", "/api/about")
        return "beachhead" in json.loads(asked.getresponse().read(10_000))
    except (OSError, ValueError, http.client.HTTPException):
        return False
    finally:
        asked.close()


def make_server(data: Path, door: Door, limits: Limits | None = None, bot_delay: float = 0.4) -> uvicorn.Server:
    """A server over this database, ready to run."""
    import uvicorn

    from ..bots import BOTS
    from ..games import GAMES
    from ..table.hub import Hub
    from ..table.store import SqliteStore, StorageError
    from .app import make_app
    from .limits import Limits
    from .wire import Wire

    limits = limits or Limits()
    try:
        data.parent.mkdir(parents=True, exist_ok=True)
        store = SqliteStore(data)
    except (OSError, sqlite3.Error, StorageError) as error:
        raise BeachheadError(say("server.no-database", path=data, why=error)) from None
    hub = Hub(store, GAMES, BOTS, bot_delay=bot_delay, reports=data.parent / "reports")
    logging.getLogger("beachhead.server").setLevel(logging.INFO)
    config = uvicorn.Config(
        make_app(hub, door, limits, on_close=store.close),
        ws=Wire,
        log_level="warning",
        access_log=False,
        ws_max_size=limits.message,
        ws_ping_interval=15,
        ws_ping_timeout=25,
        ws_per_message_deflate=not door.local,
        proxy_headers=bool(door.public),
        server_header=False,
        timeout_graceful_shutdown=3,
        h11_max_incomplete_event_size=64 * 1024,
    )
    return uvicorn.Server(config)


def settle_memory() -> None:
    """Look for garbage less often: what is loaded stays, and nearly all that is dropped goes by itself."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def lan_address() -> str:
    """The address of this machine in its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))
            return str(asked.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _print_qr(url: str) -> None:
    import segno

    if sys.stdout.isatty():
        segno.make(url, error="m").terminal(compact=True)
    else:
        segno.make(url, error="m").terminal(sys.stdout, border=2)
