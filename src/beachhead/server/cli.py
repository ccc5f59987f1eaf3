"""The commands `serve` and `tables`, and what plain `beachhead` does: open the table in the browser."""

from __future__ import annotations

import asyncio
import http.client
import json
import logging
import socket
import sqlite3
import sys
import threading
import time
import webbrowser
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from ..core.errors import BeachheadError
from ..say import say

if TYPE_CHECKING:
    import uvicorn

    from ..table.adviser import Engine
    from ..table.hub import Hub
    from .guard import Door
    from .limits import Limits

PORT = 8944
MOST_LISTED = 200
T = TypeVar("T")


def register(app: typer.Typer) -> None:
    app.command()(serve)
    kept = typer.Typer(rich_markup_mode=None)
    kept.callback(invoke_without_command=True)(tables)
    kept.command(context_settings={"ignore_unknown_options": True})(link)  # an id may begin with a dash
    app.add_typer(kept, name="tables")


def serve(
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535)] = PORT,
    lan: Annotated[bool, typer.Option("--lan")] = False,
    public: Annotated[str, typer.Option(metavar="URL")] = "",
    data: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser")] = False,
) -> None:
    """Serve the table: in the browser of this machine, in the local network, or behind a public address."""
    _serve(port, lan, public, data, not no_browser and not lan and not public)


def home() -> None:
    """What `beachhead` does when nothing else is asked for."""
    _serve(PORT, False, "", None, True)


Data = Annotated[Path | None, typer.Option(metavar="FILE")]


def tables(context: typer.Context, data: Data = None) -> None:
    """List the tables: id, last change, state, title."""
    context.obj = data
    if context.invoked_subcommand is not None:
        return
    from .listed import state_of, title_in

    found = asyncio.run(_in_database(data, lambda hub: hub.summaries(MOST_LISTED)))
    if not found:
        print(say("server.no-tables"))
    for one in found:
        changed = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.changed))
        print(f"{one.id}  {changed}  {state_of(one)}  {title_in(one)}")


def link(
    context: typer.Context,
    table: Annotated[str, typer.Argument(metavar="ID")],
    url: Annotated[str, typer.Option(metavar="URL")] = f"http://127.0.0.1:{PORT}",
    data: Data = None,
) -> None:
    """Print a fresh link of the host of a table. Links that are known go on working."""
    from ..table.news import NoSuchTable
    from .guard import public_origin

    origin = public_origin(url, "--url")
    try:
        token = asyncio.run(_in_database(data or context.obj, lambda hub: hub.host_token(table)))
    except NoSuchTable:
        raise BeachheadError(say("server.no-such-table", id=table)) from None
    print(f"{origin}/g/{table}#{token}")


async def _in_database(data: Path | None, work: Callable[[Hub], Awaitable[T]]) -> T:
    """Do something with the tables of a database that is there; a server may be using it."""
    from ..bots import BOTS
    from ..games import GAMES
    from ..table.hub import Hub
    from ..table.store import SqliteStore, StorageError

    path = database(data)
    if not path.is_file():
        raise BeachheadError(say("server.no-file", path=path))
    try:
        store = SqliteStore(path)
    except (OSError, sqlite3.Error, StorageError) as error:
        raise BeachheadError(say("server.no-database", path=path, why=error)) from None
    try:
        return await work(Hub(store, GAMES, BOTS))
    finally:
        await store.close()


def database(data: Path | None = None) -> Path:
    """Where the games are kept."""
    from ..core.places import data_folder

    return data if data is not None else data_folder() / "tables.sqlite"


def _serve(port: int, lan: bool, public: str, data: Path | None, browse: bool) -> None:
    from .guard import Door, public_origin
    from .memory import settle_memory

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
    hub = Hub(store, GAMES, BOTS, bot_delay=bot_delay, reports=data.parent / "reports", adviser=_adviser)
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


def _adviser() -> Engine:
    """The adviser, for servers; it is loaded where somebody wants advice."""
    from .. import advise

    return advise


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
