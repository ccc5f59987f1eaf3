"""The games there are, by name."""

from __future__ import annotations

from .core.game import Game
from .landing.game import GAME as LANDING
from .pocket.battle import GAME as BATTLE
from .pocket.express import GAME as EXPRESS

GAMES: dict[str, Game] = {game.name: game for game in (LANDING, BATTLE, EXPRESS)}
