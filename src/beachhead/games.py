"""The games there are, by name."""

from __future__ import annotations

from .core.game import Game
from .core.machine import State
from .landing.game import GAME as LANDING
from .pocket.battle import GAME as BATTLE
from .pocket.express import GAME as EXPRESS

GAMES: dict[str, Game] = {game.name: game for game in (LANDING, BATTLE, EXPRESS)}


def game_of(state: State) -> Game:
    """The game that this is a state of."""
    return next(game for game in GAMES.values() if game.machine.state is type(state))
