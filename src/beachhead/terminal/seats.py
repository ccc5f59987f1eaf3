"""Who sits at the table: people, who share one screen, and bots."""

from __future__ import annotations

from typing import NamedTuple

from ..bots import Bot
from ..landing.state import Landing
from ..say import say
from .sheets import nation_name


class Seats(NamedTuple):
    """Who plays: a bot per seat, or None for a person."""

    bots: tuple[Bot | None, ...]

    @property
    def people(self) -> tuple[int, ...]:
        return tuple(seat for seat, bot in enumerate(self.bots) if bot is None)

    def titles(self, g: Landing) -> list[str]:
        """What each seat is called in a table: a bot, you, or one of several people by its nation."""
        several = len(self.people) > 1
        return [
            bot.name if bot else (nation_name(g, seat) or say("table.player")) if several else say("table.you")
            for seat, bot in enumerate(self.bots)
        ]

    def person(self, seat: int) -> bool:
        return self.bots[seat] is None

    @property
    def options(self) -> str:
        """How to ask for these seats at the command line."""
        codes = [bot.code if bot else "" for bot in self.bots]
        last = codes.count("random")
        if last and codes == [""] * (len(codes) - last) + ["random"] * last:
            return f" --bots {last}"
        return "".join(f" --bot {seat}={code}" for seat, code in enumerate(codes, 1) if code)
