"""`beachhead map NAME`: write a map as a picture."""

from __future__ import annotations

import os
import re
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

import typer

from ..content import spoken
from ..content.library import EDITIONS, library
from ..core.errors import BeachheadError
from ..say import either, say
from .themes import THEMES, Theme


def register(app: typer.Typer) -> None:
    app.command(name="map")(map_)


def map_(
    name: Annotated[str, typer.Argument()] = "",
    edition: Annotated[str, typer.Option()] = "",
    level: Annotated[str, typer.Option()] = "",
    svg: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    theme: Annotated[str, typer.Option()] = "light",
) -> None:
    """Draw a map as SVG. Without --svg the file is NAME.svg in this folder, and nothing is overwritten."""
    from ..landing.world import board_at
    from .board import board_svg

    if edition not in ("", *EDITIONS):
        raise BeachheadError(say("setup.unknown.edition", name=repr(edition), known=", ".join(EDITIONS), hint=""))
    if not name:
        library()  # what is wrong with it is told before anything else
        for one in (edition,) if edition else EDITIONS:
            _list(one)
        return
    look = _theme(theme)
    found = find_maps(name, edition)
    if len({id for _, id in found}) > 1:
        raise BeachheadError(say("cli.several-maps", text=repr(name), maps=either([id for _, id in found])))
    edition, id = found[0]
    path = svg or Path(f"{id}.svg")
    there = os.path.exists(path)
    if svg is None and there:
        raise BeachheadError(say("cli.there", path=path))
    if there and not _is_picture(path):
        raise BeachheadError(say("cli.no-picture", path=path))
    names = {card: str(spoken.card_name(card)) for card in library().cards[edition]}
    drawn = board_svg(board_at(edition, id, level), frame="sheet", theme=look, names=names, alone=True)
    try:
        path.write_text(drawn, encoding="utf-8")
    except OSError as error:
        raise BeachheadError(f"{path}: {error.strerror}") from error
    typer.echo(say("cli.wrote-over" if there else "cli.wrote", path=path))


def _is_picture(path: Path) -> bool:
    """May this be written over: is it an SVG, or nothing yet? Whether it can be is seen when it is written."""
    if not os.path.isfile(path):
        return True
    try:
        with path.open("rb") as file:
            begin = file.read(64)
    except OSError:
        return True
    return not begin or begin.removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"<svg", b"<?xml"))


def _list(edition: str) -> None:
    typer.echo(say(f"server.edition.{edition}"))
    for id, board in library().maps[edition].items():
        levels = f" ({say('cli.levels', names=', '.join(board.levels))})" if board.levels else ""
        typer.echo(f"  {id}  {spoken.map_name(board)}{levels}")


def _theme(name: str) -> Theme:
    for theme in THEMES:
        if theme == name:
            return theme
    raise BeachheadError(say("setup.unknown.theme", name=repr(name), known=", ".join(THEMES), hint=""))


def _aliases(edition: str) -> dict[str, str]:
    """By what a map may be called -> its id. An id means that map, whatever others are called."""
    maps = library().maps[edition]
    found = {alias.lower(): id for id, board in maps.items() for alias in (board.number, board.name) if alias}
    return found | {id.lower(): id for id in maps}


def _short(edition: str, wanted: str) -> list[str]:
    """The maps that are meant by the number without its letters and leading zeros, or by the id without its number."""
    found = []
    for id, board in library().maps[edition].items():
        number = re.fullmatch("[^0-9]*0*([0-9]+)", board.number)
        bare = re.sub("^n[0-9]+-", "", id.lower())
        if wanted == bare or (number and wanted.isdecimal() and (wanted.lstrip("0") or "0") == number[1]):
            found.append(id)
    return found


def find_maps(name: str, edition: str = "") -> list[tuple[str, str]]:
    """Edition and id of the map that is meant, once for each edition that has one; only in this edition if one is said.
    Raises BeachheadError.
    """
    known = {one: _aliases(one) for one in ((edition,) if edition else EDITIONS)}
    wanted = name.lower()
    found = [(one, aliases[wanted]) for one, aliases in known.items() if wanted in aliases]
    found = found or [(one, id) for one in known for id in _short(one, wanted)]
    if len(found) > len({one for one, _ in found}):
        raise BeachheadError(say("cli.several-maps", text=repr(name), maps=either([id for _, id in found])))
    if found:
        return found
    every = {alias: id for aliases in known.values() for alias, id in aliases.items()}
    near = get_close_matches(wanted, every, 1, 0.5)
    hint = say("setup.near", name=repr(every[near[0]])) if near else ""
    ids = ", ".join(dict.fromkeys(id for one in known for id in library().maps[one]))
    if edition:
        words = say("setup.unknown.map-of", name=repr(name), edition=say(f"edition.{edition}"), known=ids, hint=hint)
    else:
        words = say("setup.unknown.map", name=repr(name), known=ids, hint=hint)
    raise BeachheadError(words)
