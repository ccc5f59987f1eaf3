"""Names and texts of the content in the language that is spoken; in English where a pack has no words for it.

What is asked about is the content itself, so a card or map that somebody made up on the spot is said in its own words.
"""

from __future__ import annotations

from functools import cache

from ..say import PSEUDO, Name, language, pseudo, tidy
from .library import library
from .schema import Bonus, Card, Map, Nation, Sector
from .translation import BonusWords, CardWords, MapWords, NationWords


def card_name(card: str) -> Name:
    """The name of a card of either edition, by its id; where a pack calls it otherwise in one of them, that name."""
    return _card_name(card, language())


@cache
def _card_name(card: str, spoken: str) -> Name:
    for edition in sorted(library().cards, key=lambda edition: not _is_renamed(card, edition)):
        if card in (cards := library().cards[edition]):
            words = library().words.get(spoken, {}).get(("cards", edition, card))
            if isinstance(words, CardWords):
                return Name(words.name, words.the, spoken)
            return _english(cards[card].name, spoken)
    return _english(card.replace("-", " ").title(), spoken)


def _is_renamed(card: str, edition: str) -> bool:
    """Has a pack given it a name in this edition that another edition has not?"""
    names = {cards[card].name for cards in library().cards.values() if card in cards}
    piece = f"{edition} cards {card}"
    return len(names) > 1 and any(text in (piece, f"{piece} name") for text in library().changed)


def _english(name: str, spoken: str) -> Name:
    return Name(name, f"{pseudo('the')} {name}" if spoken == PSEUDO else f"the {name}")


def card_text(edition: str, card: Card) -> str:
    if library().cards[edition].get(card.id) == card:
        words = library().words.get(language(), {}).get(("cards", edition, card.id))
        if isinstance(words, CardWords):
            return tidy(getattr(words, edition) or words.text or card.text)
    return _plain(card.text)


def nation_name(edition: str, nation: Nation) -> str:
    words = _nation(edition, nation)
    return words.name if words else nation.name


def _nation(edition: str, nation: Nation) -> NationWords | None:
    words = library().words.get(language(), {}).get(("nations", edition, nation.id))
    same = library().nations[edition].get(nation.id) == nation
    return words if same and isinstance(words, NationWords) else None


def bonus_name(name: str) -> str:
    """The name of an RWB bonus, by the one it has in English: all nations call theirs alike."""
    return _bonus_names(language()).get(name, name)


@cache
def _bonus_names(spoken: str) -> dict[str, str]:
    found = {}
    for (kind, edition, id), words in library().words.get(spoken, {}).items():
        if kind == "nations" and isinstance(words, NationWords):
            for face, bonus in library().nations[edition][id].rwb.items():
                if face in words.rwb:
                    found[bonus.name] = words.rwb[face].name
    return found


def bonus_text(edition: str, nation: Nation, face: str) -> str:
    words = _nation(edition, nation)
    found: Bonus | BonusWords = words.rwb.get(face, nation.rwb[face]) if words else nation.rwb[face]
    return tidy(found.text) if words else _plain(found.text)


def _map(board: Map) -> MapWords | None:
    words = library().words.get(language(), {}).get(("maps", board.edition, board.id))
    known = library().maps[board.edition].get(board.id)
    same = known is not None and (known.name, known.text) == (board.name, board.text)
    return words if same and isinstance(words, MapWords) else None


def map_name(board: Map) -> str:
    words = _map(board)
    return words.name if words else board.name


def map_place(board: Map) -> str:
    words = _map(board)
    return (words.place if words else "") or board.place


def map_text(board: Map) -> str:
    words = _map(board)
    return tidy(getattr(words, board.edition) or words.text if words else "") or _plain(board.text)


def sector_text(board: Map, sector: str, printed: Sector) -> str:
    """What is printed in a Sector of this board; `printed` may lack what a level leaves out."""
    words = _map(board)
    if words and printed.text == library().maps[board.edition][board.id].sectors[sector].text:
        return tidy(words.sectors.get(sector, printed.text))
    return _plain(printed.text)


def result_words(board: Map, sector: str, pips: int) -> tuple[str, str]:
    """Name and text of what the die has decided for a Sector with a table."""
    words, printed = _map(board), board.sectors[sector].random[pips - 1]
    lines = words.results.get(sector, ()) if words else ()
    if len(lines) >= pips:
        return tidy(lines[pips - 1].name), tidy(lines[pips - 1].text)
    return _plain(printed.name), _plain(printed.text)


def result_name(name: str) -> str:
    """The name of a line of a Sector's table, by the one it has in English."""
    return _result_names(language()).get(name) or _plain(name)


@cache
def _result_names(spoken: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for (kind, edition, id), words in library().words.get(spoken, {}).items():
        if kind == "maps" and isinstance(words, MapWords):
            for sector, lines in words.results.items():
                sectors = library().maps[edition][id].sectors
                if sector in sectors:  # a correction may have taken it away
                    printed = sectors[sector].random
                    found |= {one.name: line.name for one, line in zip(printed, lines, strict=False)}
    return found


def level_name(board: Map, level: str) -> str:
    words = _map(board)
    return (words.levels.get(level, "") if words else "") or level.replace("-", " ").title()


def _plain(text: str) -> str:
    return pseudo(text) if language() == PSEUDO else text
