"""`beachhead scenario FILE...`: play scenarios and say what differs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from ..content.library import EDITIONS
from ..core.errors import BeachheadError, ContentError, Fault
from ..say import either, say

DIFFERS, WRONG = 1, 2
PROGRESS_FROM = 20
"""So many files and more get a progress line, on a terminal."""


def register(app: typer.Typer) -> None:
    app.command(name="scenario")(scenario)


def scenario(
    paths: Annotated[list[Path], typer.Argument(metavar="FILE...")],
    edition: Annotated[str, typer.Option()] = "",
    quiet: Annotated[bool, typer.Option("--quiet", "-q")] = False,
) -> None:
    """Play scenarios and print what differs. Exit code 1: something differs; 2: a file is wrong."""
    from .runner import read_scenario, run

    if edition not in ("", *EDITIONS):
        raise BeachheadError(say("cli.edition", text=edition, known=either(list(EDITIONS))))
    files = list(_files(paths))
    played = failed = wrong = 0
    for n, path in enumerate(files):
        if not quiet:
            _progress(n, len(files), path)
        try:
            one = read_scenario(path)
        except ContentError as error:
            wrong += 1
            _print(error.faults)
            continue
        if edition and edition not in one.worlds:
            continue
        played += 1
        differences = run(one, edition)
        failed += bool(differences)
        _print(differences)
    if not quiet:
        _progress(0, 0, Path())
        parts = [say("cli.played", n=played), say("cli.failed", n=failed)]
        typer.echo(", ".join(parts + ([say("cli.wrong", n=wrong)] if wrong else [])))
    if wrong or failed:
        raise typer.Exit(WRONG if wrong else DIFFERS)


def _files(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            found = sorted(path.rglob("*.toml"))
            if not found:
                raise BeachheadError(say("cli.no-scenario", path=path))
            yield from found
        elif path.exists():
            yield path
        else:
            raise BeachheadError(say("cli.nowhere", path=path))


def _print(faults: list[Fault]) -> None:
    if faults:
        _progress(0, 0, Path())
    for fault in faults:
        typer.echo(fault)


def _progress(n: int, of: int, path: Path) -> None:
    """One line that is written over and over; `of` 0 wipes it."""
    if sys.stderr.isatty() and (of >= PROGRESS_FROM or of == 0):
        sys.stderr.write(f"\r\x1b[K{n + 1}/{of} {path.name}" if of else "\r\x1b[K")
        sys.stderr.flush()
