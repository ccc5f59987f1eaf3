"""The command line. Each room brings its own commands; here they meet, and a user's mistake becomes one message."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from . import __version__
from .content.library import EDITIONS, PACKS, PACKS_VARIABLE, load_packs
from .core.errors import BeachheadError

app = typer.Typer(
    name="beachhead",
    help="An open engine and table for the D-Day Dice family of games. Alone: opens the table in the browser.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and stop.")] = False,
    packs: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR", help="A folder with packs of your own, put over ours. May be repeated."),
    ] = None,
) -> None:
    if packs:
        os.environ[PACKS_VARIABLE] = os.pathsep.join(str(folder.resolve()) for folder in packs)
    if version:
        typer.echo(f"beachhead {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        from .server.cli import home

        home()


packs_app = typer.Typer(no_args_is_help=True, help="Packs of cards, nations and maps.", rich_markup_mode=None)


@packs_app.command()
def check(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders with packs, put over ours.")],
) -> None:
    """Check packs: every fault of every file, with its line."""
    found = load_packs((PACKS, *folders))
    for edition in EDITIONS:
        counts = f"{len(found.cards[edition])} cards, {len(found.nations[edition])} nations"
        typer.echo(f"{edition} edition: {counts}, {len(found.maps[edition])} maps: all in order")


def _gather() -> None:
    app.add_typer(packs_app, name="packs")
    for room in ("server", "terminal", "sim", "scenarios", "draw"):
        import_module(f"beachhead.{room}.cli").register(app)
    from .rules.cli import app as rules

    app.add_typer(rules, name="rules", help="Look up the rule register.")


def main() -> None:
    """Run the command line; every mistake of a user ends in one clear message and exit code 2."""
    try:
        _gather()
        sys.exit(app(standalone_mode=False) or 0)
    except BeachheadError as error:
        _stop(str(error), 2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except (KeyboardInterrupt, typer.Abort):
        _stop("stopped", 130)
    except Exception as error:
        # What the parser of the command line says (a wrong option, a missing argument) is a mistake of the user too.
        tell = getattr(error, "format_message", None)
        if tell is None:
            raise
        _stop(tell(), 2)


def _stop(message: str, code: int) -> NoReturn:
    print(message if message.startswith("Usage:") else f"beachhead: {message}", file=sys.stderr)
    sys.exit(code)
