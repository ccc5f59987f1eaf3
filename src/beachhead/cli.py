"""The command line. Each room brings its own commands; here they meet, and a user's mistake becomes one message."""

from __future__ import annotations

import sys
from importlib import import_module

import typer

from . import __version__
from .core.errors import BeachheadError

app = typer.Typer(
    name="beachhead",
    help="An open engine and table for the D-Day Dice family of games.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Show the version and stop."),
) -> None:
    if version:
        typer.echo(f"beachhead {__version__}")
        raise typer.Exit


def _gather() -> None:
    for room in ("terminal", "sim", "scenarios"):
        import_module(f"beachhead.{room}.cli").register(app)
    from .rules.cli import app as rules

    app.add_typer(rules, name="rules", help="Look up the rule register.")


def main() -> None:
    """Run the command line; every mistake of a user ends in one clear message and exit code 2."""
    try:
        _gather()
        app()
    except BeachheadError as error:
        print(f"beachhead: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        sys.exit(130)
