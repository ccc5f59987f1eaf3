"""The library: every pack's cards, nations and maps, read once, checked together, with a hash that names this
content.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from ..core.errors import ContentError, Fault
from ..rules import register
from .schema import Card, CardFile, Map, Nation, NationFile
from .toml import Document, Path_, decode, read

PACKS = Path(__file__).parent / "packs"
EDITIONS = ("first", "second")
T = TypeVar("T")


@dataclass(frozen=True)
class Library:
    """Content by edition and id."""

    cards: dict[str, dict[str, Card]]
    nations: dict[str, dict[str, Nation]]
    maps: dict[str, dict[str, Map]]
    hash: str


@cache
def library() -> Library:
    """The content that comes with Beachhead."""
    return load_packs((PACKS,))


def load_packs(folders: tuple[Path, ...]) -> Library:
    """All packs below these folders. Raises ContentError with every fault of every file."""
    found = Library({e: {} for e in EDITIONS}, {e: {} for e in EDITIONS}, {e: {} for e in EDITIONS}, "")
    faults: list[Fault] = []
    digest = hashlib.sha256()
    maps: list[tuple[Document, Map]] = []
    for path in sorted(file for folder in folders for file in folder.rglob("*.toml")):
        doc = read(path)
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
        if path.parent.name == "maps":
            board = decode(Map, doc, faults)
            if board and _new(doc, (), board.id, found.maps[board.edition], faults, board):
                maps.append((doc, board))
        elif path.parent.name == "nations":
            nations = decode(NationFile, doc, faults)
            if nations:
                for n, nation in enumerate(nations.nation):
                    _new(doc, ("nation", n), nation.id, found.nations[nations.edition], faults, nation)
        else:
            cards = decode(CardFile, doc, faults)
            if cards:
                for n, card in enumerate(cards.card):
                    _new(doc, ("card", n), card.id, found.cards[cards.edition], faults, card)
                    faults += card_faults(doc, ("card", n), card)
    for doc, board in maps:
        faults += map_faults(doc, (), board, found.cards[board.edition])
    if faults:
        raise ContentError(faults)
    return Library(found.cards, found.nations, found.maps, digest.hexdigest()[:16])


def _new(doc: Document, path: Path_, id: str, known: dict[str, T], faults: list[Fault], value: T) -> bool:
    if id in known:
        faults.append(doc.fault((*path, "id"), f"{id!r} is defined twice in this edition"))
        return False
    known[id] = value
    return True


def card_faults(doc: Document, path: Path_, card: Card) -> list[Fault]:
    """What only the register can tell about a card."""
    if card.rule not in register():
        return [doc.fault((*path, "rule"), f"{card.rule!r} is not in the rule register")]
    return []


def map_faults(doc: Document, path: Path_, board: Map, cards: dict[str, Card]) -> list[Fault]:
    """Names of cards in a map that the edition does not have."""
    faults = []

    def want(where: tuple[Any, ...], name: str, kinds: tuple[str, ...]) -> None:
        if name not in cards:
            faults.append(doc.fault((*path, *where), f"unknown card {name!r} in the {board.edition} edition"))
        elif cards[name].kind not in kinds:
            faults.append(
                doc.fault((*path, *where), f"{name!r} is a {cards[name].kind}: expected {' or '.join(kinds)}")
            )

    specialists = ("regular-specialist", "reserve-specialist", "ranking-specialist", "unique-specialist")
    for id, sector in board.sectors.items():
        for n, name in enumerate(sector.requires):
            want(("sectors", id, "requires", n), name, specialists)
        if sector.sacrifice not in ("", "any"):
            want(("sectors", id, "sacrifice"), sector.sacrifice, specialists)
        if sector.joins:
            want(("sectors", id, "joins", "specialist"), sector.joins.specialist, specialists)
    kinds = {
        "specialists_regular": ("regular-specialist", "reserve-specialist"),
        "specialists_unique": ("unique-specialist", "ranking-specialist"),
        "items_special": ("special-item",),
        "vehicles": ("vehicle",),
    }
    for key, allowed in kinds.items():
        for n, name in enumerate(getattr(board.cards, key)):
            want(("cards", key, n), name, allowed)
    return faults
