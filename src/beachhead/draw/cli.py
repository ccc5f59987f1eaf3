"""`beachhead map NAME`: write a map as a picture."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

import typer

from ..content.library import EDITIONS, library
from ..content.schema import Map
from ..core.errors import BeachheadError
from .themes import THEMES, Theme


def register(app: typer.Typer) -> None:
    app.command(name="map")(map_)


def map_(
    name: Annotated[str, typer.Argument(help="A map, by its id, number or name. Without it: the list of maps.")] = "",
    edition: Annotated[str, typer.Option(help="first or second.")] = "first",
    level: Annotated[str, typer.Option(help="Without what this level of the map leaves out.")] = "",
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write to this file, over what is there.")] = None,
    theme: Annotated[str, typer.Option(help="light, dark or contrast.")] = "light",
) -> None:
    """Draw a map as SVG. Without --svg the file is NAME.svg in this folder, and nothing is overwritten."""
    from .board import board_svg

    if edition not in EDITIONS:
        raise BeachheadError(f"unknown edition {edition!r}: expected one of {', '.join(EDITIONS)}")
    if not name:
        _list(edition)
        return
    look = _theme(theme)
    id = _find(name, edition)
    path = svg or Path(f"{id}.svg")
    there = path.exists()
    if svg is None and there:
        raise BeachheadError(f"{path} is there already: name a file with --svg to write over it")
    names = {card.id: card.name for card in library().cards[edition].values()}
    drawn = board_svg(_board(id, edition, level), frame="sheet", theme=look, names=names, alone=True)
    try:
        path.write_text(drawn, encoding="utf-8")
    except OSError as error:
        raise BeachheadError(f"{path}: {error.strerror}") from error
    typer.echo(f"wrote {path}, in place of the old one" if there else f"wrote {path}")


def _board(id: str, edition: str, level: str) -> Map:
    """The map, at a level without what that level leaves out."""
    from ..landing.world import Setup, world_of

    return world_of(Setup(edition=edition, map=id, level=level)).map


def _list(edition: str) -> None:
    for id, board in library().maps[edition].items():
        levels = f" (levels: {', '.join(board.levels)})" if board.levels else ""
        typer.echo(f"{id}  {board.name}{levels}")


def _theme(name: str) -> Theme:
    for theme in THEMES:
        if theme == name:
            return theme
    raise BeachheadError(f"unknown theme {name!r}: expected one of {', '.join(THEMES)}")


def _find(name: str, edition: str) -> str:
    """The id of the map that is meant."""
    maps = library().maps[edition]
    known = {alias.lower(): id for id, board in maps.items() for alias in (board.number, board.name, id) if alias}
    wanted = name.lower()
    if wanted in known:
        return known[wanted]
    near = get_close_matches(wanted, known, 1, 0.5)
    hint = f"; did you mean {known[near[0]]!r}?" if near else ""
    raise BeachheadError(f"unknown map {name!r} in the {edition} edition: expected one of {', '.join(maps)}{hint}")
