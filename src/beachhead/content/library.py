"""The library: every pack's cards, nations and maps, read once, checked together, with a hash that names this
content.

A pack is a folder. What its files hold is told by the folder that they lie in: `cards`, `nations`, `maps`, `joined`,
`words`, or `corrections`. A later pack's card, nation or map takes the place of an earlier one's; a correction changes
single values of what is there:

    format = 1
    edition = "second"

    [maps.n02-omaha-beach.sectors.5]
    def = [4]
"""

from __future__ import annotations

import copy
import hashlib
import os
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from ..core.errors import ContentError, Fault
from ..core.places import data_folder
from ..rules import register
from .checks import board_faults
from .joined import join, joined_faults
from .schema import Card, CardFile, CardLists, Joined, Map, Nation, NationFile
from .toml import Document, Path_, decode, read, rest_of
from .translation import MapWords, ResultWords, WordFile, Words

PACKS = Path(__file__).parent / "packs"
EDITIONS = ("first", "second")
FOLDERS = ("cards", "nations", "maps", "joined", "corrections", "words")
CORRECTED: dict[str, type[Card] | type[Nation] | type[Map]] = {"cards": Card, "nations": Nation, "maps": Map}
"""What corrections may change."""
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
    changed: tuple[str, ...] = ()
    """What others than the first pack have changed or added that may come into games of its maps: `second cards hero`,
    `second maps n02-omaha-beach sectors.5.def`. A map is played only by those who choose it, so a new one is not named.
    """


PACKS_VARIABLE = "BEACHHEAD_PACKS"
"""Folders with packs of one's own, put over ours in this order; separated as in PATH."""


@cache
def library() -> Library:
    """The content that comes with Beachhead, the user's own packs, and those that the user named."""
    return load_packs((PACKS, *own_packs(), *named_packs()))


def own_folder() -> Path:
    """Where packs lie that are always loaded, each in a folder of its name."""
    return data_folder() / "packs"


def own_packs() -> tuple[Path, ...]:
    folder = own_folder()
    return tuple(sorted(one for one in folder.iterdir() if one.is_dir())) if folder.is_dir() else ()


def named_packs() -> tuple[Path, ...]:
    named = os.environ.get(PACKS_VARIABLE, "")
    return tuple(Path(folder) for folder in named.split(os.pathsep) if folder)


Name = tuple[str, str, str]
"""Of a piece of content: kind, edition, id."""


@dataclass
class _Shelf:
    """What has been read so far."""

    found: Library
    faults: list[Fault] = field(default_factory=list)
    tables: dict[Name, tuple[Document, Path_, dict[str, Any]]] = field(default_factory=dict)
    """Where each piece of content was read, and its table as it stands there."""
    broken: list[Document] = field(default_factory=list)
    """Maps that are not well written: what can be read of them is looked at all the same."""
    joined: dict[tuple[str, str], tuple[Document, Joined]] = field(default_factory=dict)
    words: dict[str, Words] = field(default_factory=dict)
    ours: set[Name] = field(default_factory=set)
    """What the first pack has."""
    changed: set[str] = field(default_factory=set)

    def put(self, name: Name, one: Any, doc: Document, path: Path_, table: dict[str, Any]) -> None:
        kind, edition, id = name
        getattr(self.found, kind)[edition][id] = one
        self.tables[name] = doc, path, table
        if kind == "cards":
            self.faults += card_faults(doc, path, one)
        elif kind == "maps":
            self.joined.pop((edition, id), None)


def load_packs(folders: tuple[Path, ...]) -> Library:
    """All packs below these folders; see the top of this file. Raises ContentError with all faults of all files."""
    shelf = _Shelf(Library({e: {} for e in EDITIONS}, {e: {} for e in EDITIONS}, {e: {} for e in EDITIONS}, ""))
    digest = hashlib.sha256()
    for number, folder in enumerate(folders):
        if not folder.is_dir():
            shelf.faults.append(Fault(str(folder), 0, "", "no such folder: expected a folder with packs"))
            continue
        seen: set[Name] = set()
        corrections = []
        for path in sorted(folder.rglob("*.toml")):
            if POCKET in path.relative_to(folder).parts:
                continue
            if path.parent.name == "words":
                continue
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
            doc = read(path)
            if path.parent.name == "corrections":
                corrections.append(doc)
            else:
                _read(doc, path.parent.name, seen, shelf)
        if number:
            shelf.changed |= {" ".join(_shown(name)) for name in seen if name in shelf.ours or name[0] != "maps"}
        else:
            shelf.ours = seen
        for doc in corrections:
            _correct(doc, shelf)
        for known in shelf.words.values():
            for name in [name for name in known if name in seen]:
                del known[name]  # what was said of the content whose place was taken
        for path in sorted(folder.rglob("words/*.toml")):
            if POCKET in path.relative_to(folder).parts:
                continue
            if spoken := decode(WordFile, read(path), shelf.faults):
                shelf.words.setdefault(path.stem, {}).update(_spread(spoken, shelf.found, shelf.joined))
    _check_boards(shelf)
    if shelf.faults:
        faults = list(dict.fromkeys(shelf.faults))
        files = list(dict.fromkeys(fault.file for fault in faults))
        raise ContentError(sorted(faults, key=lambda fault: (files.index(fault.file), fault.line)))
    found = shelf.found
    changed = tuple(sorted(shelf.changed))
    return Library(found.cards, found.nations, found.maps, digest.hexdigest()[:16], shelf.words, changed)


def _read(doc: Document, kind: str, seen: set[Name], shelf: _Shelf) -> None:
    """One file of cards, nations or maps."""
    faults = shelf.faults
    if kind == "maps":
        board = decode(Map, doc, faults)
        if not board:
            shelf.broken.append(doc)
        elif _new(doc, (), (kind, board.edition, board.id), seen, faults):
            shelf.put((kind, board.edition, board.id), board, doc, (), doc.data)
    elif kind == "joined":
        said = decode(Joined, doc, faults)
        if said and _new(doc, (), ("maps", said.edition, said.id), seen, faults):
            shelf.joined[said.edition, said.id] = doc, said
    elif kind in ("cards", "nations"):
        file: Any = decode(CardFile, doc, faults) if kind == "cards" else decode(NationFile, doc, faults)
        key = kind.removesuffix("s")
        for n, piece in enumerate(getattr(file, key) if file else ()):
            if _new(doc, (key, n), (kind, file.edition, piece.id), seen, faults):
                shelf.put((kind, file.edition, piece.id), piece, doc, (key, n), doc.data[key][n])
    else:
        faults.append(doc.fault((), f"in a folder {kind!r}: expected {', '.join(FOLDERS[:-1])} or {FOLDERS[-1]}"))


def _check_boards(shelf: _Shelf) -> None:
    """What can only be told when all packs are there."""
    found = shelf.found
    for (kind, edition, id), (doc, path, _) in shelf.tables.items():
        if kind == "maps":
            shelf.faults += _whole_faults(doc, path, found.maps[edition][id], found.cards[edition])
    for doc in shelf.broken:
        rest, gone, checked = rest_of(Map, doc)
        if all(len(path) > 2 for path in gone):  # all Sectors are there, so all names can be told
            shelf.faults += checked
        if rest:
            shelf.faults += _whole_faults(doc, (), rest, found.cards[rest.edition], gone)
    for doc, said in shelf.joined.values():
        wrong = joined_faults(said, found.maps[said.edition])
        shelf.faults += [doc.fault((key,), message) for key, message in wrong]
        if not wrong:
            board = join(said, found.maps[said.edition])
            found.maps[said.edition][said.id] = board
            shelf.faults += _whole_faults(doc, (), board, found.cards[said.edition])
            for known in shelf.words.values():
                _joined_words(said, known)


def _whole_faults(
    doc: Document, path: Path_, board: Map, cards: dict[str, Card], gone: Sequence[Path_] = ()
) -> list[Fault]:
    """Of a map that is to be played: its names, and what is wrong with it as a board, as far as it could be read."""
    return map_faults(doc, path, board, cards) + [
        doc.fault((*path, *where), what) for where, what in board_faults(board, cards, gone)
    ]


# ---------------------------------------------------------------------- corrections


def _correct(doc: Document, shelf: _Shelf) -> None:
    """Lay the values of this file over what is there."""
    data, edition = doc.data, doc.data.get("edition")
    for key in data:
        if key not in ("format", "edition", *CORRECTED):
            keys = ", ".join(("format", "edition", *CORRECTED))
            shelf.faults.append(doc.fault((key,), f"unknown key; known keys: {keys}"))
        elif key in CORRECTED and not isinstance(data[key], dict):
            shelf.faults.append(doc.fault((key,), "expected a table"))
    if data.get("format") != 1:
        shelf.faults.append(doc.fault(("format",), "expected 1"))
    if edition not in EDITIONS:
        shelf.faults.append(doc.fault(("edition",), f"expected one of {', '.join(EDITIONS)}"))
        return
    for kind, cls in CORRECTED.items():
        tables = data.get(kind, {})
        for id, table in tables.items() if isinstance(tables, dict) else ():
            there = shelf.tables.get((kind, edition, id))
            if there is None or not isinstance(table, dict):
                known = [name[2] for name in shelf.tables if name[:2] == (kind, edition)]
                near = get_close_matches(id, known, 1, 0.5)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                shelf.faults.append(doc.fault((kind, id), f"there is no such content in the {edition} edition{hint}"))
                continue
            whole = _laid_over(there[2], table)
            one: Any = decode(cls, replace(doc, data={kind: {id: whole}}), shelf.faults, (kind, id))
            if one is None:
                continue
            if one.id != id or getattr(one, "edition", edition) != edition:
                shelf.faults.append(doc.fault((kind, id), "a correction changes neither id nor edition"))
                continue
            shelf.put((kind, edition, id), one, doc, (kind, id), whole)
            if (kind, edition, id) in shelf.ours:
                shelf.changed |= {f"{edition} {kind} {id} {leaf}" for leaf in _leaves(table)}


def _laid_over(table: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """A table with another laid over it. What is given is rebuilt no more."""
    found = copy.copy(table)
    for key, value in over.items():
        below = found.get(key)
        found[key] = _laid_over(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    if "reconstructed" in table and "reconstructed" not in over:
        found["reconstructed"] = [name for name in table["reconstructed"] if name not in over]
    return found


def _leaves(table: dict[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from (f"{key}.{leaf}" for leaf in _leaves(value))
        else:
            yield key


def _shown(name: Name) -> tuple[str, str, str]:
    kind, edition, id = name
    return edition, kind, id


# ---------------------------------------------------------------------- words


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


# ---------------------------------------------------------------------- faults


def _new(doc: Document, path: Path_, name: Name, seen: set[Name], faults: list[Fault]) -> bool:
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
