"""The games there are, by name."""

from __future__ import annotations

from .core.game import Game
from .landing.game import GAME as LANDING

GAMES: dict[str, Game] = {game.name: game for game in (LANDING,)}
