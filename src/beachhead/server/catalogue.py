"""What there is: games, maps, levels, options and bots to choose from, rules to read, boards to look at."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

from .. import rules
from ..bots import BOTS, DEFAULT
from ..content import spoken
from ..content.library import EDITIONS, library
from ..content.schema import Level
from ..landing import words
from ..landing.world import MOST_SEATS, OPTIONS, board_at, has_dice_for
from ..say import LANGUAGES, language, messages_for, say, speaking
from . import small
from .messages import encode
from .screen import board_path

GAME = "landing"
Theme = Literal["light", "dark", "contrast"]


@lru_cache(16)
def catalogue(lang: str) -> dict[str, Any]:
    """Editions, maps, levels, options, nations and bots, in a language."""
    with speaking(lang):
        shelf = library()
        editions = []
        for edition in EDITIONS:
            maps = [
                {
                    "id": board.id,
                    "number": board.number,
                    "name": spoken.map_name(board),
                    "place": spoken.map_place(board),
                    "date": board.date.isoformat() if board.date else "",
                    "text": spoken.map_text(board),
                    "board": board_path(edition, board.id),
                    "rebuilt": board.basis == "reconstructed",
                    "rebuilt_text": say("server.rebuilt-map") if board.basis == "reconstructed" else "",
                    "few_good_men": board.few_good_men,
                    "least": board.least_seats,
                    "most": min(board.room or MOST_SEATS[edition], MOST_SEATS[edition]),
                    "dice": _dice(edition, board.id),
                    "levels": [
                        {"id": id, "name": spoken.level_name(board, id), "text": words.level_words(level)}
                        | {"items": level.items, "specialists": "star" in level.results, "whole": level == Level()}
                        | {"dice": _dice(edition, board.id, id)}
                        for id, level in board.levels.items()
                    ],
                }
                for board in shelf.maps[edition].values()
            ]
            options = [
                {
                    "id": id,
                    "name": say(f"server.option.{id}"),
                    "text": say(f"server.option-about.{id}{f'-{edition}' if option.needs == 'bazooka-joe' else ''}"),
                    "rule": getattr(option, edition),
                    "needs": option.needs,
                    "items": option.items,
                    "specialists": option.specialists,
                    "excludes": option.excludes,
                    "dice_for": option.dice_for,
                }
                for id, option in OPTIONS.items()
                if getattr(option, edition)
            ]
            nations = [
                {"id": nation.id, "name": spoken.nation_name(edition, nation)}
                for nation in shelf.nations[edition].values()
            ]
            editions.append(
                {"id": edition, "name": say(f"server.edition.{edition}"), "seats": MOST_SEATS[edition]}
                | {"maps": maps, "nations": nations, "options": options, "same_nation": edition == "first"}
            )
        bots = [{"code": bot.code, "name": bot_name(bot.code), "text": bot_about(bot.code)} for bot in BOTS.values()]
        found: dict[str, Any] = {"game": GAME, "games": small.choices(), "editions": editions, "bots": bots}
        return found | {"bot": DEFAULT, "languages": dict(LANGUAGES)}


def _dice(edition: str, board: str, level: str = "") -> list[str]:
    """What d6 are rolled for there: Machine Gun Fire, Land Mines."""
    found = board_at(edition, board, level)
    return [what for what in ("mgf", "mines") if has_dice_for(found, what)]


def bot_name(code: str) -> str:
    found = messages_for(language(), f"server.bot.{code}").get(f"server.bot.{code}")
    return found if isinstance(found, str) else code


def bot_about(code: str) -> str:
    found = messages_for(language(), f"server.bot.{code}-about").get(f"server.bot.{code}-about")
    return found if isinstance(found, str) else BOTS[code].about


def rule_data(rule: rules.Rule) -> dict[str, Any]:
    full = rules.show(rule)
    return {
        "id": rule.id,
        "title": rule.title,
        "text": rule.text,
        "book": rules.BOOKS[rule.book],
        "section": rules.section_name(rule),
        "source": rule.source,
        "note": rule.note or "",
        "basis": rule.basis or "",
        "more": full,
    }


@lru_cache(4)
def every_rule(lang: str) -> bytes:
    """All rules at once: a page keeps them and finds them when the server is not there."""
    with speaking(lang):
        found = (rule_data(rule) for rule in rules.translated(lang).values())
        return encode([{name: part for name, part in one.items() if name != "more"} for one in found])


@lru_cache(64)
def drawing(edition: str, board: str, level: str, theme: Theme, lang: str) -> bytes:
    """The picture of a board at a level, with names in a language. Raises SetupError if there is no such board."""
    from ..draw.board import board_svg

    with speaking(lang):
        names = {card: str(spoken.card_name(card)) for card in library().cards[edition]}
        return board_svg(board_at(edition, board, level), theme=theme, names=names).encode()
