"""`beachhead packs`: make, check and list packs of one's own, and write schemas for editors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..content.library import EDITIONS, FOLDERS, PACKS, load_packs, named_packs, own_folder, own_packs
from ..core.errors import BeachheadError, ContentError
from ..say import say

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


def register(parent: typer.Typer) -> None:
    parent.add_typer(app, name="packs")


@app.command()
def check(folders: Annotated[list[Path] | None, typer.Argument(metavar="[DIR]...")] = None) -> None:
    """Check packs: every fault of every file, with its line."""
    from ..pocket.content import load_box

    where = (PACKS, *(folders or (*own_packs(), *named_packs())))
    found = load_packs(where)
    for edition in EDITIONS:
        counts = {name: len(getattr(found, name)[edition]) for name in ("cards", "nations", "maps")}
        typer.echo(say("cli.packs-fine", edition=say(f"server.edition.{edition}"), **counts))
    box = load_box(where)
    counts = {name: len(getattr(box, name)) for name in ("beaches", "specialists", "medals")}
    typer.echo(say("pocket.plain.packs-fine", **counts))
    for text in found.changed:
        typer.echo(say("packs.changed", what=text))


@app.command("list")
def list_() -> None:
    """List the packs that are loaded, and what of ours they change."""
    for folder in (PACKS / "base", *own_packs(), *named_packs()):
        files = list(folder.rglob("*.toml"))
        counts = {name: sum(path.parent.name == name for path in files) for name in FOLDERS}
        held = ", ".join(f"{name} {n}" for name, n in counts.items() if n)
        typer.echo(say("packs.pack", name=folder.name, path=folder, files=held or "-"))
    typer.echo(say("packs.own", path=own_folder()))
    try:
        found = load_packs((PACKS, *own_packs(), *named_packs()))
    except ContentError as error:
        typer.echo(say("packs.faulty", n=len(error.faults)))
        return
    for text in found.changed:
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

    for path in write_schemas(folder):
        typer.echo(say("cli.wrote", path=path))
