"""Tables in a list: what is played there, how it stands, how it ended."""

from __future__ import annotations

from typing import Any

from ..content import spoken
from ..content.library import EDITIONS, library
from ..content.schema import Map
from ..core.errors import SetupError
from ..landing.game import setup_of
from ..landing.words import calling
from ..landing.world import Setup
from ..say import language, messages_for, say
from ..table.hub import Summary
from . import small
from .catalogue import GAME
from .screen import board_path


def state_of(one: Summary) -> str:
    """How a table stands, in two or three words."""
    if one.over:
        return cause_of(one) if ranked(one) else say("textview.won" if one.won else "textview.lost")
    if one.closed:
        return say("server.is-closed")
    return say("textview.turn-n", turn=one.turn) if one.turn else say("server.under-way")


def ranked(one: Summary) -> bool:
    """Its players play against each other."""
    return one.game == "battle" and len(one.names) > 1


def won_by_us(one: Summary) -> bool | None:
    """Whether it was won. Where players play against each other that can be said of the only person; else nobody knows
    whose list this is.
    """
    if not ranked(one) or not one.over:
        return one.won
    return one.people[0] in small.winners(one.scores) if len(one.people) == 1 else None


def cause_of(one: Summary) -> str:
    """How the game ended, in words; nothing while it goes on."""
    if ranked(one) and one.scores:
        with calling(tuple(one.names)):
            return small.outcome(one.scores)
    known = messages_for(language(), "cause.")
    return say(f"cause.{one.cause}") if f"cause.{one.cause}" in known else one.cause


def whole_setup(one: Summary) -> Setup:
    """The setup with what it leaves out; the usual one where it is that of another Beachhead."""
    try:
        return setup_of(one.setup)
    except SetupError:
        return Setup()


def board_of(one: Summary) -> Map | None:
    setup = whole_setup(one)
    return library().maps.get(setup.edition, {}).get(setup.map)


def title_in(one: Summary) -> str:
    """What a table is called in a list: as its host said, or like its map."""
    return one.title or listed(one)["map_name"] or one.game


def listed(one: Summary) -> dict[str, str]:
    """What is played at a table, for a list."""
    if one.game != GAME:
        return small.listed(one.game, one.setup)
    setup, board = whole_setup(one), board_of(one)
    edition, level = setup.edition, setup.level
    return {
        "edition": edition,
        "edition_name": say(f"server.edition.{edition}") if edition in EDITIONS else edition,
        "map": setup.map,
        "map_name": spoken.map_name(board) if board is not None else "",
        "level": level,
        "level_name": spoken.level_name(board, level) if board is not None and level in board.levels else "",
        "board": board_path(edition, setup.map),
    }


def summarised(one: Summary) -> dict[str, Any]:
    return {
        "table": one.id,
        "game": one.game,
        "title": title_in(one),
        **listed(one),
        "players": len(one.names),
        "names": one.names,
        "created": one.created,
        "changed": one.changed,
        "n": one.n,
        "turn": one.turn,
        "waiting": list(one.waiting),
        "over": one.over,
        "won": won_by_us(one),
        "ranked": ranked(one),
        "practice": one.practice,
        "closed": one.closed,
        "fork": one.fork_of,
        "cause": cause_of(one),
        "scores": list(one.scores),
        "vp": one.points,
        "undone": one.undone,
        "advised": one.advised,
    }
