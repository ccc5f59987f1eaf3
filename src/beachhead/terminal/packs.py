"""`beachhead packs`: make, check and list packs of one's own, and write schemas for editors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from ..content.library import (
    EDITIONS,
    FOLDERS,
    PACKS,
    POCKET,
    load_packs,
    named_packs,
    own_folder,
    own_packs,
    pack_files,
    packs_in,
)
from ..core.errors import BeachheadError, ContentError, Fault
from ..say import say

T = TypeVar("T")
app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


def register(parent: typer.Typer) -> None:
    parent.add_typer(app, name="packs")


@app.command()
def check(folders: Annotated[list[Path] | None, typer.Argument(metavar="[DIR]...")] = None) -> None:
    """Check packs: every fault of every file, with its line."""
    from ..pocket.content import load_box

    named = tuple(pack for folder in folders for pack in packs_in(folder)) if folders else named_packs()
    there = {pack.resolve() for pack in named}
    where = (PACKS, *(pack for pack in own_packs() if pack.resolve() not in there), *named)
    faults: list[Fault] = []
    found, box = _tried(load_packs, where, faults), _tried(load_box, where, faults)
    if found is None or box is None:
        raise ContentError(list(dict.fromkeys(faults)))
    for edition in EDITIONS:
        counts = {name: len(getattr(found, name)[edition]) for name in ("cards", "nations", "maps")}
        typer.echo(say("cli.packs-fine", edition=say(f"server.edition.{edition}"), **counts))
    counts = {name: len(getattr(box, name)) for name in ("beaches", "specialists", "medals")}
    typer.echo(say("pocket.plain.packs-fine", **counts))
    for text in (*found.changed, *box.changed):
        typer.echo(say("packs.changed", what=text))


def _tried(load: Callable[[tuple[Path, ...]], T], packs: tuple[Path, ...], faults: list[Fault]) -> T | None:
    """What these packs hold; or None, with what is wrong with them."""
    try:
        return load(packs)
    except ContentError as error:
        faults += error.faults
        return None


@app.command("list")
def list_() -> None:
    """List the packs that are loaded, and what of ours they change."""
    from ..pocket.content import load_box

    for folder in (PACKS / "base", *own_packs(), *named_packs()):
        kinds = [kind for kind, _ in pack_files(folder)]
        counts = {name: kinds.count(name) for name in (*FOLDERS, POCKET)}
        held = ", ".join(f"{name} {n}" for name, n in counts.items() if n)
        typer.echo(say("packs.pack", name=folder.name, path=folder, files=held or "-"))
    typer.echo(say("packs.own", path=own_folder()))
    where = (PACKS, *own_packs(), *named_packs())
    faults: list[Fault] = []
    found, box = _tried(load_packs, where, faults), _tried(load_box, where, faults)
    if found is None or box is None:
        typer.echo(say("packs.faulty", n=len(set(faults))))
        return
    for text in (*found.changed, *box.changed):
        typer.echo(say("packs.changed", what=text))


@app.command()
def new(
    name: Annotated[str, typer.Argument()],
    edition: Annotated[str, typer.Option()] = "second",
    folder: Annotated[Path | None, typer.Option(metavar="DIR")] = None,
) -> None:
    """Make a pack with a small map to begin with, a file for corrections, and schemas for editors."""
    from ..content.own import new_pack

    if edition not in EDITIONS:
        raise BeachheadError(say("setup.unknown.edition", name=repr(edition), known=", ".join(EDITIONS), hint=""))
    for path in new_pack(name, edition, folder):
        if path.suffix == ".toml":
            typer.echo(say("cli.wrote", path=path))


@app.command()
def schema(folder: Annotated[Path, typer.Argument(metavar="DIR")]) -> None:
    """Write JSON Schemas of all files of a pack, for editors."""
    from ..content.own import write_schemas

    there = set(folder.glob("*.json"))
    for path in write_schemas(folder):
        typer.echo(say("cli.wrote-over" if path in there else "cli.wrote", path=path))
