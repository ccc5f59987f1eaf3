"""What settings, players and ends of games are called, in tables and pictures."""

from __future__ import annotations

from ..bots import bot
from ..content import spoken
from ..content.library import library
from ..core.game import Setup
from ..say import language, messages_for, say
from .store import Cell


def setting_name(setup: Setup) -> str:
    """`First edition, Exercise Tiger, Practice Run, 1 Unit`; what has no name of its own is told as it is."""
    rest = dict(setup)
    parts = []
    edition = str(rest.pop("edition", ""))
    if f"server.edition.{edition}" in messages_for(language(), "server.edition."):
        parts.append(say(f"server.edition.{edition}"))
    if name := str(rest.pop("map", "")):
        board = library().maps.get(edition, {}).get(name)
        parts.append(spoken.map_name(board) if board else name)
        if level := str(rest.pop("level", "")):
            parts.append(spoken.level_name(board, level) if board and level in board.levels else level)
    seats = rest.pop("seats", None)
    parts += [f"{key} {words(value)}" for key, value in rest.items() if value]
    if isinstance(seats, int):
        parts.append(say("sim.units", n=seats))
    return ", ".join(parts)


def bots_name(cell: Cell) -> str:
    """One code where all seats have the same."""
    return ", ".join(cell.bots[:1] if len(set(cell.bots)) == 1 else cell.bots)


def level_name(codes: str) -> str:
    """What people call the bots of these codes: `Captain`."""
    return ", ".join(bot(code).name for code in codes.split(", "))


def cause_name(cause: str) -> str:
    """What ended a game, in words; games may have causes of their own."""
    return say(f"cause.{cause}") if f"cause.{cause}" in messages_for(language(), "cause.") else cause


def words(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
