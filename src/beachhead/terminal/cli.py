"""The command `play`."""

from __future__ import annotations

import re
import sys
import time
from io import StringIO
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from ..core.errors import SetupError
from ..say import say
from . import packs

if TYPE_CHECKING:
    from ..core.game import Setup
    from .seats import Seats


OF_ONE = {**dict.fromkeys(("--edition", "--map", "--nation", "--level"), "landing"), "--beach": "express"}
"""Options that only one game has."""


def register(app: typer.Typer) -> None:
    app.command()(play)
    packs.register(app)


def play(
    game: Annotated[str, typer.Argument(metavar="GAME")] = "landing",
    edition: Annotated[str | None, typer.Option(metavar="NAME")] = None,
    map: Annotated[str | None, typer.Option(metavar="NAME")] = None,
    beach: Annotated[str | None, typer.Option(metavar="NAME")] = None,
    seats: Annotated[int | None, typer.Option(metavar="N")] = None,
    bot: Annotated[list[str] | None, typer.Option(metavar="SEAT=CODE")] = None,
    bots: Annotated[int, typer.Option(metavar="N", show_default=False)] = 0,
    nation: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME"),
    ] = None,
    option: Annotated[list[str] | None, typer.Option(metavar="NAME")] = None,
    level: Annotated[
        str | None,
        typer.Option(metavar="NAME"),
    ] = None,
    seed: Annotated[str | None, typer.Option(metavar="TEXT")] = None,
    practice: Annotated[bool, typer.Option("--practice")] = False,
    own_dice: Annotated[bool, typer.Option("--own-dice")] = False,
    load: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    lang: Annotated[str | None, typer.Option(metavar="NAME")] = None,
    cite: Annotated[bool, typer.Option("--cite")] = False,
    adviser: Annotated[bool, typer.Option("--adviser")] = False,
    plain: Annotated[
        bool,
        typer.Option("--plain", show_default=False),
    ] = True,
) -> None:
    """Play in the terminal, alone, with others at this screen, or with bots.

    New to it? Begin with: beachhead play --level practice-run
    """
    from ..advise import speaks
    from ..core import chance
    from ..core.places import data_folder
    from ..games import GAMES
    from ..say import LANGUAGES, PSEUDO, either, speak
    from ..table.match import Match
    from .keep import Keeper
    from .plain import Plain
    from .screen import Screen, wants_colour
    from .small import Small

    if lang is not None and lang not in (*LANGUAGES, PSEUDO):
        raise SetupError(say("cli.lang", text=lang, known=either(list(LANGUAGES))))
    if lang is not None:
        speak(lang)
    if game not in GAMES:
        raise SetupError(say("setup.unknown.game", name=repr(game), known=", ".join(GAMES), hint=""))
    wanted: Setup = {"edition": edition, "map": map, "beach": beach, "seats": seats, "nations": nation}
    wanted |= {"options": option, "level": level}
    wanted = {name: value for name, value in wanted.items() if value is not None}
    places = _bot_places(bot or [], bots)
    given = [f"--{name if name == 'seats' else name.removesuffix('s')}" for name in wanted]
    if load is not None:
        given += ["--seed"] * (seed is not None) + ["--practice"] * practice + ["--own-dice"] * own_dice
        if given:
            raise SetupError(say("cli.not-with-load", option=given[0]))
        match = Match.load(load, GAMES)
    else:
        strange = [option for option in given if option in OF_ONE and game != OF_ONE[option]]
        if strange:
            raise SetupError(say("cli.not-with-game", option=strange[0], game=game))
        wanted.setdefault("seats", max([1, bots + 1 if bots else 1, *places]))
        fixed = None if seed is None else chance.seed_from(seed)
        played = GAMES[game]
        match = Match.new(played, played.setup(wanted), fixed, practice or seed is not None, own_dice)
    if adviser and not speaks(match.game.machine.view(match.state, None)):
        raise SetupError(say("advise.other-setup"))
    seated = _seats(places, bots, len(match.state.lanes))
    out, lines = _streams()
    name = f"{time.strftime('%Y-%m-%d-%H%M%S')}-{match.game.place(match.state)}"
    screen = Screen(out, wants_colour(out), min(80, get_terminal_size().columns) if out.isatty() else 80)
    keeper = Keeper(data_folder(), name)
    conversation = Plain if match.game.name == "landing" else Small
    raise typer.Exit(conversation(match, seated, screen, lines, keeper, seed or "", cite, adviser).run())


def _bot_places(named: list[str], last: int) -> dict[int, str]:
    """Which seat (from 1) is played by which bot."""
    if last < 0:
        raise SetupError(say("cli.bots", n=last))
    places = {}
    for one in named:
        found = re.fullmatch(r"([0-9]{1,3})=(\S+)", one)
        if found is None or found[1] == "0":
            raise SetupError(say("cli.bot", text=one))
        places[int(found[1])] = found[2]
    return places


def _seats(places: dict[int, str], last: int, seats: int) -> Seats:
    from ..bots import bot
    from .seats import Seats

    if last > seats or max(places, default=0) > seats:
        raise SetupError(say("cli.seats", n=seats))
    codes = ["random" if seat > seats - last else "" for seat in range(1, seats + 1)]
    for seat, code in places.items():
        codes[seat - 1] = code
    return Seats(tuple(bot(code) if code else None for code in codes))


def _streams() -> tuple[TextIO, TextIO]:
    """Where lines go and come from; a character that cannot be read or written never stops a game."""
    lines: TextIO = sys.stdin or StringIO()
    for stream in (sys.stdout, lines):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    if lines.isatty():
        try:
            import readline  # noqa: F401  (line editing and history for input)
        except ImportError:
            pass
    return sys.stdout, lines
