"""What a pack may say in another language: a file `words/LANGUAGE.toml` beside its cards, nations and maps.

It is keyed by the ids of the content. Cards, maps and bonuses that it leaves out are said in English. It is no part of
the content's hash: a record is the same in every language.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class CardWords:
    """A card: its name, with the article (`l'Éclaireur`), its text, and another text of one edition if it needs one."""

    name: str
    the: str
    text: str = ""
    first: str = ""
    second: str = ""


@dataclass(frozen=True, slots=True)
class BonusWords:
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class NationWords:
    name: str
    rwb: dict[str, BonusWords]


@dataclass(frozen=True, slots=True)
class ResultWords:
    """One line of a Sector's table."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class MapWords:
    """A map; `sectors` are the texts of its Sectors by id, `results` the six lines of those that have a table,
    `levels` the names of its levels.
    """

    name: str
    place: str = ""
    text: str = ""
    first: str = ""
    second: str = ""
    sectors: dict[str, str] = field(default_factory=dict)
    results: dict[str, tuple[ResultWords, ...]] = field(default_factory=dict)
    levels: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WordFile:
    format: Literal[1]
    cards: dict[str, CardWords] = field(default_factory=dict)
    nations: dict[str, NationWords] = field(default_factory=dict)
    maps: dict[str, MapWords] = field(default_factory=dict)


Words = dict[tuple[str, str, str], CardWords | NationWords | MapWords]
"""Words by kind of content (`cards`, `nations`, `maps`), edition and id."""
