"""The library: every pack's cards, nations and maps, read once, checked together, with a hash that names this
content.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Container
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from ..core.errors import ContentError, Fault
from ..rules import register
from .joined import join, joined_faults
from .schema import Card, CardFile, CardLists, Joined, Map, Nation, NationFile
from .toml import Document, Path_, decode, read
from .translation import MapWords, ResultWords, WordFile, Words

PACKS = Path(__file__).parent / "packs"
EDITIONS = ("first", "second")
POCKET = "pocket"
"""The folder of the Pocket box in a pack; it belongs to other games and is read by them."""


@dataclass(frozen=True)
class Library:
    """Content by edition and id."""

    cards: dict[str, dict[str, Card]]
    nations: dict[str, dict[str, Nation]]
    maps: dict[str, dict[str, Map]]
    hash: str
    words: dict[str, Words] = field(default_factory=dict)
    """Language -> what is said of the content in it."""


PACKS_VARIABLE = "BEACHHEAD_PACKS"
"""Folders with packs of one's own, put over ours in this order; separated as in PATH."""


@cache
def library() -> Library:
    """The content that comes with Beachhead, and the packs that the user named."""
    named = os.environ.get(PACKS_VARIABLE, "")
    return load_packs((PACKS, *(Path(folder) for folder in named.split(os.pathsep) if folder)))


def load_packs(folders: tuple[Path, ...]) -> Library:
    """All packs below these folders; a later folder's card, nation or map takes the place of an earlier one's.

    A file is one of maps, joined maps, nations, cards or words by the folder it lies in. Raises ContentError with all
    faults of all files.
    """
    found = Library({e: {} for e in EDITIONS}, {e: {} for e in EDITIONS}, {e: {} for e in EDITIONS}, "")
    faults: list[Fault] = []
    digest = hashlib.sha256()
    maps: dict[tuple[str, str], tuple[Document, Map]] = {}
    joined: dict[tuple[str, str], tuple[Document, Joined]] = {}
    words: dict[str, Words] = {}
    for folder in folders:
        if not folder.is_dir():
            faults.append(Fault(str(folder), 0, "", "no such folder: expected a folder with packs"))
            continue
        seen: set[tuple[str, ...]] = set()
        for path in sorted(folder.rglob("*.toml")):
            if POCKET in path.relative_to(folder).parts:
                continue
            doc = read(path)
            if path.parent.name == "words":
                continue
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
            kind = path.parent.name
            if kind == "maps":
                board = decode(Map, doc, faults)
                if board and _new(doc, (), (kind, board.edition, board.id), seen, faults):
                    found.maps[board.edition][board.id] = board
                    maps[board.edition, board.id] = doc, board
                    joined.pop((board.edition, board.id), None)
            elif kind == "joined":
                said = decode(Joined, doc, faults)
                if said and _new(doc, (), ("maps", said.edition, said.id), seen, faults):
                    joined[said.edition, said.id] = doc, said
            elif kind == "nations":
                nations = decode(NationFile, doc, faults)
                for n, nation in enumerate(nations.nation if nations else ()):
                    assert nations is not None
                    if _new(doc, ("nation", n), (kind, nations.edition, nation.id), seen, faults):
                        found.nations[nations.edition][nation.id] = nation
            elif kind == "cards":
                cards = decode(CardFile, doc, faults)
                for n, card in enumerate(cards.card if cards else ()):
                    assert cards is not None
                    if _new(doc, ("card", n), (kind, cards.edition, card.id), seen, faults):
                        found.cards[cards.edition][card.id] = card
                        faults += card_faults(doc, ("card", n), card)
            else:
                faults.append(doc.fault((), f"in a folder {kind!r}: expected maps, joined, nations, cards or words"))
        for known in words.values():
            for name in [name for name in known if name in seen]:
                del known[name]  # what was said of the content whose place was taken
        for path in sorted(folder.rglob("words/*.toml")):
            if POCKET in path.relative_to(folder).parts:
                continue
            if spoken := decode(WordFile, read(path), faults):
                words.setdefault(path.stem, {}).update(_spread(spoken, found, joined))
    for doc, board in maps.values():
        faults += map_faults(doc, (), board, found.cards[board.edition])
    for doc, said in joined.values():
        wrong = joined_faults(said, found.maps[said.edition])
        faults += [doc.fault((key,), message) for key, message in wrong]
        if not wrong:
            board = join(said, found.maps[said.edition])
            found.maps[said.edition][said.id] = board
            faults += map_faults(doc, (), board, found.cards[said.edition])
            for known in words.values():
                _joined_words(said, known)
    if faults:
        raise ContentError(faults)
    return Library(found.cards, found.nations, found.maps, digest.hexdigest()[:16], words)


def _spread(said: WordFile, found: Library, joined: Container[tuple[str, str]]) -> Words:
    """The words of a file by kind, edition and id of the content that is there."""
    return {
        (kind, edition, id): words
        for kind in ("cards", "nations", "maps")
        for id, words in getattr(said, kind).items()
        for edition in EDITIONS
        if id in getattr(found, kind)[edition] or (kind == "maps" and (edition, id) in joined)
    }


def _joined_words(said: Joined, words: Words) -> None:
    """What is said of the Sectors of a joined board is what is said of them on the boards that it is made of."""
    name = "maps", said.edition, said.id
    own = words.get(name)
    sectors: dict[str, str] = {}
    results: dict[str, tuple[ResultWords, ...]] = {}
    for board in said.boards:
        part = words.get(("maps", said.edition, board.map))
        if isinstance(part, MapWords):
            sectors |= {board.mark + sector: text for sector, text in part.sectors.items()}
            results |= {board.mark + sector: lines for sector, lines in part.results.items()}
    if isinstance(own, MapWords):
        words[name] = replace(own, sectors=sectors | own.sectors, results=results | own.results)


def _new(doc: Document, path: Path_, name: tuple[str, ...], seen: set[tuple[str, ...]], faults: list[Fault]) -> bool:
    if name in seen:
        faults.append(doc.fault((*path, "id"), f"{name[-1]!r} is defined twice in this edition"))
        return False
    seen.add(name)
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
    lying = ("regular-item", "special-item", "vehicle")
    for id, sector in board.sectors.items():
        for n, name in enumerate(sector.requires):
            want(("sectors", id, "requires", n), name, specialists)
        if sector.sacrifice not in ("", "any"):
            want(("sectors", id, "sacrifice"), sector.sacrifice, specialists)
        for n, name in enumerate(sector.start.specialists if sector.start else ()):
            want(("sectors", id, "start", "specialists", n), name, specialists)
        for key in ("items", "items_alone"):
            for n, name in enumerate(getattr(sector, key) or ()):
                want(("sectors", id, key, n), name, lying)
        for n, name in enumerate(sector.vehicles):
            want(("sectors", id, "vehicles", n), name, ("vehicle",))
        for pips, result in enumerate(sector.random):
            for n, name in enumerate(result.items):
                want(("sectors", id, "random", pips, "items", n), name, lying)
            for n, name in enumerate(result.vehicles):
                want(("sectors", id, "random", pips, "vehicles", n), name, ("vehicle",))
            if result.shelling and result.shelling.spares:
                want(("sectors", id, "random", pips, "shelling", "spares"), result.shelling.spares, specialists)
        if sector.shelling and sector.shelling.spares:
            want(("sectors", id, "shelling", "spares"), sector.shelling.spares, specialists)
        if sector.joins:
            want(("sectors", id, "joins", "specialist"), sector.joins.specialist, specialists)
    kinds = {
        "specialists_regular": ("regular-specialist", "reserve-specialist"),
        "specialists_unique": ("unique-specialist", "ranking-specialist"),
        "items_special": ("special-item",),
    }
    lists: dict[tuple[str, ...], CardLists] = {("cards",): board.cards}
    lists |= {("levels", name, "cards"): level.cards for name, level in board.levels.items() if level.cards}
    for where, listed in lists.items():
        for key, allowed in kinds.items():
            for n, name in enumerate(getattr(listed, key)):
                want((*where, key, n), name, allowed)
    return faults
