"""What settings, players and ends of games are called, in tables and pictures."""

from __future__ import annotations

from ..bots import bot
from ..content import spoken
from ..content.library import library
from ..core.game import Setup
from ..say import language, messages_for, say
from .store import Cell

LANDING = "landing"
"""The game whose settings need not be told apart from others."""


def setting_name(setup: Setup, game: str = LANDING) -> str:
    """`First edition, Exercise Tiger, Practice Run, 1 Unit`, for another game with its name: `Battle!, 3 players`; what
    has no name of its own is told as it is.
    """
    rest = dict(setup)
    parts = [] if game == LANDING else [_said(f"pocket.game.{game}", game)]
    edition = str(rest.pop("edition", ""))
    if known := _said(f"server.edition.{edition}", ""):
        parts.append(known)
    if name := str(rest.pop("map", "")):
        board = library().maps.get(edition, {}).get(name)
        parts.append(spoken.map_name(board) if board else name)
        if level := str(rest.pop("level", "")):
            parts.append(spoken.level_name(board, level) if board and level in board.levels else level)
    seats = rest.pop("seats", None)
    parts += [f"{key} {words(value)}" for key, value in rest.items() if value]
    if isinstance(seats, int):
        parts.append(say("sim.units" if game == LANDING else "sim.players", n=seats))
    return ", ".join(parts)


def bots_name(cell: Cell) -> str:
    """One code where all seats have the same."""
    return ", ".join(cell.bots[:1] if len(set(cell.bots)) == 1 else cell.bots)


def level_name(codes: str) -> str:
    """What people call the bots of these codes: `Captain`."""
    return ", ".join(bot(code).name for code in codes.split(", "))


def cause_name(cause: str) -> str:
    """What ended a game, in words; games may have causes of their own."""
    return _said(f"cause.{cause}", cause)


def _said(key: str, plain: str) -> str:
    """What the catalogue says, or else this."""
    return say(key) if key in messages_for(language(), key) else plain


def words(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
