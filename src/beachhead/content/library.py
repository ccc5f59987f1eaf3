"""The library: every pack's cards, nations and maps, read once, checked together, with a hash that names this
content.

A pack is a folder. What its files hold is told by the folder that they lie in: `cards`, `nations`, `maps`, `joined`,
`words`, or `corrections`. A later pack's card, nation or map takes the place of an earlier one's; a correction changes
single values of what is there:

    format = 1
    edition = "second"

    [maps.n02-omaha-beach.sectors.5]
    def = [4]
    special_damage = false

A file whose name begins with a dot is not read, nor is one in a folder whose name does.
"""

from __future__ import annotations

import copy
import hashlib
import os
import stat
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from ..core.errors import ContentError, Fault
from ..core.places import data_folder
from ..rules import register
from .checks import board_faults
from .joined import join, joined_faults, named_right
from .schema import FIND_RULE, Card, CardFile, CardLists, Joined, Map, Nation, NationFile, Sector, lost
from .toml import Document, Path_, decode, file_fault, read, rest_of
from .translation import MapWords, ResultWords, WordFile, Words

PACKS = Path(__file__).parent / "packs"
EDITIONS = ("first", "second")
FOLDERS = ("cards", "nations", "maps", "joined", "corrections", "words")
CORRECTED: dict[str, type[Card] | type[Nation] | type[Map]] = {"cards": Card, "nations": Nation, "maps": Map}
"""What corrections may change."""
KEPT = frozenset(("id", "edition"))
"""What they never do."""
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
    """Those in the own folder; one that is empty as yet stops no game."""
    folder = own_folder()
    return tuple(one for one in _inside(folder) if not _is_bare(one)) if _is_folder(folder) else ()


def named_folders() -> tuple[Path, ...]:
    """As the user named them: packs, or folders with packs."""
    named = os.environ.get(PACKS_VARIABLE, "")
    return tuple(Path(folder) for folder in named.split(os.pathsep) if folder)


def named_packs() -> tuple[Path, ...]:
    return tuple(pack for folder in named_folders() for pack in packs_in(folder))


def packs_in(folder: Path) -> tuple[Path, ...]:
    """This folder, if it is a pack: has a folder with files of a pack in it, or what should be one. Else the packs in
    it, by their names.
    """
    if not _is_folder(folder) or any(_holds_files(folder / kind) for kind in (*FOLDERS, POCKET)):
        return (folder,)
    return _inside(folder) or (folder,)


def _is_folder(path: Path) -> bool:
    try:
        return stat.S_ISDIR(os.stat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise ContentError([_unreadable(path, error)]) from None


def _is_bare(path: Path) -> bool:
    try:
        return os.path.isdir(path) and not os.listdir(path)
    except OSError:
        return False


def _holds_files(folder: Path) -> bool:
    if not os.path.isdir(folder):
        return os.path.lexists(folder)
    try:
        return any(_is_toml(one) for one in folder.iterdir())
    except OSError:
        return True  # what is in it is told when it is read


def _inside(folder: Path) -> tuple[Path, ...]:
    """The packs in a folder; with files that lie beside them and links that lead nowhere, to tell that they do."""
    try:
        found = sorted(one for one in folder.iterdir() if not one.name.startswith("."))
    except OSError as error:
        raise ContentError([_unreadable(folder, error)]) from None
    return tuple(one for one in found if os.path.isdir(one) or _is_told(one))


def _is_told(path: Path) -> bool:
    """Is this a file of a pack, or what stands in the place of one or of a folder: a broken link, a file named so?"""
    return _is_toml(path) or path.name in (*FOLDERS, POCKET) or _is_broken(path)


def _is_broken(path: Path) -> bool:
    return os.path.islink(path) and not os.path.exists(path)


def _is_toml(path: Path) -> bool:
    return path.suffix.lower() == ".toml"


def _unreadable(path: Path, error: OSError) -> Fault:
    return file_fault(path, f"cannot be read: {error.strerror}")


def pack_files(pack: Path) -> list[tuple[str, Path]]:
    """All files of a pack in their order, each with the folder that tells what it holds. Hidden ones are left out.
    Among them are folders that cannot be read, or have been read already, links that lead nowhere, and files named like
    folders of a pack: `document` tells why.
    """
    found = []
    for path in sorted(_below(pack)):
        above = path.relative_to(pack).parts
        above = above[:-1] if _is_toml(path) else above
        kind = f"{POCKET}/words" if above[-2:] == (POCKET, "words") else above[-1] if above else ""
        found.append((kind, path))
    return found


def _below(pack: Path) -> Iterator[Path]:
    """Files, also behind links; and folders to which a way leads that cannot be gone, or not once more, or that are
    none.
    """
    read: set[str] = set()
    todo, links = [pack], list[Path]()
    while todo or links:
        folder = todo.pop() if todo else links.pop(0)
        try:
            inside = sorted(folder.iterdir())
        except OSError:
            yield folder
            continue
        if (real := os.path.realpath(folder)) in read:
            yield folder
            continue
        read.add(real)
        for one in inside:
            if one.name.startswith("."):
                continue
            if os.path.isdir(one) and not _is_toml(one):
                (links if os.path.islink(one) else todo).append(one)
            elif _is_told(one):
                yield one


def document(path: Path, faults: list[Fault]) -> Document | None:
    """The file, or None, and why it cannot be read."""
    if os.path.exists(path) and not (os.path.isfile(path) and _is_toml(path)):
        faults.append(_no_file(path))
        return None
    try:
        return read(path)
    except ContentError as error:
        faults += error.faults
        return None


def _no_file(path: Path) -> Fault:
    if not os.path.isdir(path) and not _is_toml(path):
        return file_fault(path, "this is no folder: expected one with files of a pack")
    if os.path.isdir(path) and not _is_toml(path):
        try:
            list(path.iterdir())
        except OSError as error:
            return _unreadable(path, error)
        return file_fault(path, "this folder has been read already: a link leads to it once more")
    return file_fault(path, "this is no file: expected one with text")


Name = tuple[str, str, str]
"""Of a piece of content: kind, edition, id."""


@dataclass
class _Shelf:
    """What has been read so far."""

    found: Library
    faults: list[Fault] = field(default_factory=list)
    tables: dict[Name, tuple[Document, Path_, dict[str, Any]]] = field(default_factory=dict)
    """Where each piece of content was read, and its table as it stands there."""
    broken: list[tuple[type[Map] | type[Joined], Document, Path_, dict[str, Any]]] = field(default_factory=list)
    """Boards that are not well written: what can be read of them is looked at all the same."""
    faulty: set[Name] = field(default_factory=set)
    """What is there, but is not well written."""
    unread: set[str] = field(default_factory=set)
    """Kinds of which something is there that could not be read so far as to know its name."""
    packs: dict[Name, int] = field(default_factory=dict)
    """Which pack, by its number, has each piece of content."""
    joined: dict[tuple[str, str], tuple[Document, Path_, Joined, dict[str, Any]]] = field(default_factory=dict)
    words: dict[str, Words] = field(default_factory=dict)
    ours: set[Name] = field(default_factory=set)
    """What the first pack has."""
    changed: set[str] = field(default_factory=set)
    corrected: dict[tuple[int, Name], dict[Path_, tuple[object, str]]] = field(default_factory=dict)
    """What each pack, by its number, says otherwise of a piece of content: each value, and the file that gives it."""

    def put(self, name: Name, one: Any, doc: Document, path: Path_, table: dict[str, Any], pack: int) -> None:
        kind, edition, id = name
        getattr(self.found, kind)[edition][id] = one
        self.tables[name] = doc, path, table
        self.packs[name] = pack
        if kind == "maps":
            self.joined.pop((edition, id), None)

    def hide(self, kind: str, edition: str, id: str, gone: Sequence[Path_] = ()) -> None:
        """It is there, so nobody is told that it is not. Its id and edition may be among what is `gone`."""
        if ("id",) in gone:
            self.unread.add(kind)
        self.faulty |= {(kind, one, id) for one in (EDITIONS if ("edition",) in gone else (edition,))}

    def hidden(self, kind: str, edition: str) -> Hidden:
        names = frozenset(id for of, at, id in self.faulty if (of, at) == (kind, edition))
        return Hidden(names, kind in self.unread)


@dataclass(frozen=True)
class Hidden:
    """Names of content that is there, but is not well written. `more`: and some whose names could not be read."""

    names: frozenset[str] = frozenset()
    more: bool = False

    def __contains__(self, name: object) -> bool:
        return self.more or name in self.names

    def __bool__(self) -> bool:
        return self.more or bool(self.names)


NOTHING = Hidden()


_EMPTY = f"no file of a pack is in it: expected files that end in .toml in {', '.join(FOLDERS)} or {POCKET}"


def load_packs(folders: tuple[Path, ...]) -> Library:
    """All packs below these folders; see the top of this file. Raises ContentError with all faults of all files."""
    shelf = _Shelf(Library({e: {} for e in EDITIONS}, {e: {} for e in EDITIONS}, {e: {} for e in EDITIONS}, ""))
    digest = hashlib.sha256()
    for number, folder in enumerate(folders):
        if not os.path.isdir(folder):
            what = "this file lies in no pack" if os.path.exists(folder) else "no such folder"
            what = "this link leads nowhere" if _is_broken(folder) else what
            shelf.faults.append(file_fault(folder, f"{what}: expected a folder with packs"))
            continue
        seen: set[Name] = set()
        later = []
        if not (inside := pack_files(folder)):
            shelf.faults.append(file_fault(folder, _EMPTY))
        for kind, path in inside:
            if kind.startswith(POCKET):
                continue
            if (doc := document(path, shelf.faults)) is None:
                shelf.unread |= _may_hold(kind)
                continue
            if kind != "words":
                digest.update(path.name.encode("utf-8", "surrogateescape") + b"\0" + doc.text.encode())
            if kind in ("corrections", "words"):
                later.append((kind, path, doc))
            else:
                _read(doc, kind, seen, shelf, number)
        if number:
            shelf.changed |= {" ".join(_shown(name)) for name in seen if name in shelf.ours or name[0] != "maps"}
        else:
            shelf.ours = seen
        for known in shelf.words.values():
            for name in [name for name in known if name in seen]:
                del known[name]  # what was said of the content whose place was taken
        for kind, path, doc in later:
            if kind == "corrections":
                _correct(doc, shelf, number)
                continue
            spoken = decode(WordFile, doc, shelf.faults) or rest_of(WordFile, doc)[0]
            shelf.faults += _word_faults(doc, spoken, shelf)
            shelf.words.setdefault(path.stem, {}).update(_spread(spoken, shelf.found, shelf.joined))
    _check_boards(shelf)
    if shelf.faults:
        faults = list(dict.fromkeys(shelf.faults))
        files = list(dict.fromkeys(fault.file for fault in faults))
        raise ContentError(sorted(faults, key=lambda fault: (files.index(fault.file), fault.line)))
    found = shelf.found
    changed = tuple(sorted(shelf.changed))
    return Library(found.cards, found.nations, found.maps, digest.hexdigest()[:16], shelf.words, changed)


def _may_hold(kind: str) -> set[str]:
    """What content a file in this folder holds, or a folder of this name."""
    known = {"cards", "nations", "maps"}
    return {"maps"} if kind == "joined" else {kind} & known if kind in FOLDERS else known


def _read(doc: Document, kind: str, seen: set[Name], shelf: _Shelf, pack: int) -> None:
    """One file of cards, nations or maps."""
    if kind in ("maps", "joined"):
        _read_board(doc, Map if kind == "maps" else Joined, seen, shelf, pack)
    elif kind in ("cards", "nations"):
        _read_pieces(doc, kind, seen, shelf, pack)
    else:
        where = f"in a folder {kind!r}" if kind else "in no folder of its pack"
        shelf.faults.append(doc.fault((), f"{where}: expected {', '.join(FOLDERS[:-1])} or {FOLDERS[-1]}"))


def _read_board(doc: Document, cls: type[Map] | type[Joined], seen: set[Name], shelf: _Shelf, pack: int) -> None:
    board: Map | Joined | None = decode(cls, doc, shelf.faults)
    rest, gone = (board, []) if board else rest_of(cls, doc)
    shelf.faults += _piece_faults(doc, (), rest, gone)
    if board is None:
        if not lost(gone, ("id",), ("edition",)):
            _new(doc, (), ("maps", rest.edition, rest.id), seen, shelf.faults)
        shelf.hide("maps", rest.edition, rest.id, gone)
        shelf.broken.append((cls, doc, (), doc.data))
    elif _new(doc, (), name := ("maps", board.edition, board.id), seen, shelf.faults):
        if isinstance(board, Joined):
            shelf.joined[board.edition, board.id] = doc, (), board, doc.data
            shelf.packs[name] = pack
        else:
            shelf.put(name, board, doc, (), doc.data, pack)
    else:
        shelf.hide(*name)


def _read_pieces(doc: Document, kind: str, seen: set[Name], shelf: _Shelf, pack: int) -> None:
    """A file of cards or nations; one that is not well written hides no other."""
    key = kind.removesuffix("s")
    cls = Card if kind == "cards" else Nation
    whole: type[CardFile] | type[NationFile] = CardFile if kind == "cards" else NationFile
    read: CardFile | NationFile | None = decode(whole, doc, shelf.faults)
    rest, gone = (read, []) if read else rest_of(whole, doc)
    if (key,) in gone:
        shelf.unread.add(kind)
    for n, piece in enumerate(getattr(rest, key)):
        below = [path[2:] for path in gone if path[:2] == (key, n)]
        name = kind, rest.edition, piece.id
        new = lost(gone, ("edition",), (key, n, "id")) or _new(doc, (key, n), name, seen, shelf.faults)
        shelf.faults += _piece_faults(doc, (key, n), piece, below)
        if read is None and (("edition",) in gone or decode(cls, doc, [], (key, n)) is None):
            shelf.hide(*name, [*below, *(path for path in gone if path == ("edition",))])
        elif new:
            shelf.put(name, piece, doc, (key, n), doc.data[key][n], pack)


def _check_boards(shelf: _Shelf) -> None:
    """What can only be told when all packs are there."""
    found = shelf.found
    for name, (doc, path, _) in shelf.tables.items():
        kind, edition, id = name
        if kind == "maps":
            _check_board(doc, path, found.maps[edition][id], shelf, (), shelf.packs[name])
    for cls, doc, path, table in shelf.broken:
        rest, gone = rest_of(cls, replace(doc, data=table))
        if isinstance(rest, Map):
            _check_board(doc, path, rest, shelf, gone)
        elif ("edition",) not in gone:
            _check_joined(doc, path, rest, shelf, gone)
    for doc, path, said, _ in shelf.joined.values():
        maps = found.maps[said.edition]
        right, gone = named_right(said, _check_joined(doc, path, said, shelf))
        if right and all(one.map in maps for one in said.boards):
            board = join(right, maps)
            maps[said.id] = board
            shelf.faults += _board_faults(doc, path, board, shelf, gone)
            for known in shelf.words.values():
                _joined_words(said, known)


def _check_board(
    doc: Document, path: Path_, board: Map, shelf: _Shelf, gone: Sequence[Path_], pack: int | None = None
) -> None:
    """A map that is to be played: its names, and what is wrong with it as a board, as far as it could be read."""
    if ("edition",) not in gone:
        shelf.faults += _misnamed(doc, path, board, shelf, pack)
    shelf.faults += _board_faults(doc, path, board, shelf, gone)


def _check_joined(doc: Document, path: Path_, said: Joined, shelf: _Shelf, gone: Sequence[Path_] = ()) -> list[Path_]:
    """Tells what is named wrong in it, and where that is."""
    names = [*joined_faults(said, shelf.found.maps[said.edition], shelf.hidden("maps", said.edition), gone)]
    shelf.faults += [doc.fault((*path, *where), message) for where, message in names]
    shelf.faults += _misnamed(doc, path, said, shelf, shelf.packs.get(("maps", said.edition, said.id)))
    cards = _wrong_cards(said, shelf.found.cards[said.edition], shelf.hidden("cards", said.edition))
    return [*(where for where, _ in names), *(where for where, _, _ in cards)]


def _board_faults(doc: Document, path: Path_, board: Map, shelf: _Shelf, gone: Sequence[Path_] = ()) -> list[Fault]:
    cards, all_read = shelf.found.cards[board.edition], not shelf.hidden("cards", board.edition)
    return [doc.fault((*path, *where), what) for where, what in board_faults(board, cards, gone, all_read)]


def _misnamed(doc: Document, path: Path_, board: Map | Joined, shelf: _Shelf, pack: int | None) -> list[Fault]:
    """Names of cards in a board that are wrong. Where a later pack has made another card of one, it is told there."""
    edition, cards = board.edition, shelf.found.cards[board.edition]
    wrong = []
    for where, name, message in _wrong_cards(board, cards, shelf.hidden("cards", edition)):
        card = "cards", edition, name
        if pack is not None and shelf.packs.get(card, 0) > pack:
            there, at, _ = shelf.tables[card]
            wrong.append(there.fault((*at, "kind"), f"{message} in the map {board.id!r}"))
        else:
            hint = "" if name in cards else _near(name, cards, 0.7)
            wrong.append(doc.fault((*path, *where), f"{message}{hint}"))
    return wrong


# ---------------------------------------------------------------------- corrections


def _correct(doc: Document, shelf: _Shelf, pack: int) -> None:
    """Lay the values of this file over what is there."""
    data, edition = doc.data, doc.data.get("edition")
    for key in data:
        if key not in ("format", "edition", *CORRECTED):
            keys = ", ".join(("format", "edition", *CORRECTED))
            shelf.faults.append(doc.fault((key,), f"unknown key; known keys: {keys}"))
        elif key in CORRECTED and not isinstance(data[key], dict):
            shelf.faults.append(doc.fault((key,), "expected a table"))
    if type(data.get("format")) is not int or data["format"] != 1:
        shelf.faults.append(doc.fault(("format",), "expected 1"))
    if edition not in EDITIONS:
        shelf.faults.append(doc.fault(("edition",), f"expected one of {', '.join(EDITIONS)}"))
        return
    for kind, cls in CORRECTED.items():
        tables = data.get(kind, {})
        for id, table in tables.items() if isinstance(tables, dict) else ():
            if not isinstance(table, dict):
                shelf.faults.append(doc.fault((kind, id), "expected a table with the values that are other"))
            elif kind == "maps" and (edition, id) in shelf.joined:
                _correct_one(doc, (kind, edition, id), table, Joined, shelf.joined[edition, id][3], shelf, pack)
            elif (kind, edition, id) in shelf.tables:
                _correct_one(doc, (kind, edition, id), table, cls, shelf.tables[kind, edition, id][2], shelf, pack)
            elif id not in shelf.hidden(kind, edition):
                known = [name[2] for name in shelf.tables if name[:2] == (kind, edition)]
                known += [id for of, id in shelf.joined if kind == "maps" and of == edition]
                message = f"there is no such content in the {edition} edition{_near(id, known, 0.5)}"
                shelf.faults.append(doc.fault((kind, id), message))


def _correct_one(
    doc: Document, name: Name, over: dict[str, Any], cls: type, ours: dict[str, Any], shelf: _Shelf, pack: int
) -> None:
    kind, edition, id = name
    kept = [key for key in over if key in KEPT]
    shelf.faults += [doc.fault((kind, id, key), "a correction changes neither id nor edition") for key in kept]
    over = {key: value for key, value in over.items() if key not in KEPT}
    shelf.faults += _corrected_twice(doc, name, shelf.corrected.setdefault((pack, name), {}), cls, over)
    whole, changed = _laid_over(cls, ours, over)
    one: Any = decode(cls, replace(doc, data={kind: {id: whole}}), shelf.faults, (kind, id))
    rest, gone = (one, []) if one else rest_of(cls, replace(doc, data=whole))
    shelf.faults += _piece_faults(doc, (kind, id), rest, gone)
    if one is None:
        shelf.hide(*name)
        if cls in (Map, Joined):
            shelf.broken.append((cls, doc, (kind, id), whole))
        return
    if cls is Joined:
        shelf.joined[edition, id] = doc, (kind, id), one, whole
    else:
        shelf.put(name, one, doc, (kind, id), whole, pack)
    for known in shelf.words.values():
        _unsay(known, name, changed)
    if name in shelf.ours:
        shelf.changed |= {f"{edition} {kind} {id} {key}" for key in changed}


def _laid_over(kind: Any, table: dict[str, Any], over: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """A table of this kind (a class, or a dict) with another laid over it, and the keys of what is other now. Tables in
    it that are always there or have an id are laid over in turn; every other value takes the place of what is there,
    and `false` takes it away. What is given is rebuilt no more.
    """
    found, changed = copy.copy(table), []
    for key, value in over.items():
        before, inner = table.get(key), _kind_at(kind, key)
        if isinstance(before, dict) and isinstance(value, dict) and _is_laid_over(inner):
            found[key], below = _laid_over(inner, before, value)
            changed += [f"{key}.{one}" for one in below]
            continue
        if value is False and inner is not bool:
            found.pop(key, None)
        else:
            found[key] = value
        if found.get(key) != before:
            changed.append(key)
    if "reconstructed" in table and "reconstructed" not in over:
        found["reconstructed"] = [name for name in table["reconstructed"] if name not in over]
    return found, changed


def _corrected_twice(
    doc: Document, name: Name, known: dict[Path_, tuple[object, str]], cls: type, over: dict[str, Any]
) -> Iterator[Fault]:
    """Values to which another file of the pack gives, or whose table it gives, another value."""
    kind, _, id = name
    for path, value in [*_values(cls, over)]:
        for other, (before, file) in known.items():
            if file == doc.file or other[: len(path)] != path[: len(other)] or (other == path and before == value):
                continue
            yield doc.fault((kind, id, *path), f"is corrected twice in this pack: in {Path(file).name} as well")
        known[path] = value, doc.file


def _values(kind: Any, over: dict[str, Any]) -> Iterator[tuple[Path_, object]]:
    """The values that are laid over ours, with their paths."""
    for key, value in over.items():
        inner = _kind_at(kind, key)
        if isinstance(value, dict) and _is_laid_over(inner):
            yield from (((key, *below), one) for below, one in _values(inner, value))
        else:
            yield (key,), value


def _kind_at(kind: Any, key: str) -> Any:
    """The type of what stands at this key of a table; None where there is no such key."""
    if get_origin(kind) is dict:
        return get_args(kind)[1]
    names = {one.metadata.get("key", one.name): one.name for one in fields(kind)}
    return get_type_hints(kind).get(names.get(key, ""))


def _is_laid_over(kind: Any) -> bool:
    return is_dataclass(kind) or (get_origin(kind) is dict and is_dataclass(get_args(kind)[1]))


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


def _unsay(words: Words, name: Name, changed: list[str]) -> None:
    """Nothing is said any more in other languages of what has a new name or text."""
    said = words.get(name)
    spoken = [key.split(".") for key in changed if key.rpartition(".")[2] in ("name", "text", "place", "random")]
    if isinstance(said, MapWords) and all(key[0] == "sectors" for key in spoken):
        new = {key[1] for key in spoken}
        sectors = {id: text for id, text in said.sectors.items() if id not in new}
        words[name] = replace(
            said, sectors=sectors, results={id: it for id, it in said.results.items() if id not in new}
        )
    elif spoken:
        words.pop(name, None)


def _word_faults(doc: Document, said: WordFile, shelf: _Shelf) -> list[Fault]:
    """Words for what is not there, as far as that could be read."""
    faulty = {(kind, id) for kind, _, id in shelf.faulty}
    found: list[Fault] = []

    def want(path: Path_, names: Iterable[str], known: Container[str], what: str) -> None:
        found.extend(doc.fault((*path, name), f"there is no such {what}") for name in names if name not in known)

    for kind in ("cards", "nations", "maps"):
        known = {id for edition in EDITIONS for id in getattr(shelf.found, kind)[edition]}
        known |= {id for _, id in shelf.joined} if kind == "maps" else set()
        known |= {id for of, id in faulty if of == kind}
        if kind not in shelf.unread:
            want((kind,), getattr(said, kind), known, "content")
    for id, nation in said.nations.items():
        if ("nations", id) in faulty:
            continue
        faces = {face for some in shelf.found.nations.values() if id in some for face in some[id].rwb}
        if faces:
            want(("nations", id, "rwb"), nation.rwb, faces, "result")
    for id, board in said.maps.items():
        printed = [sectors for edition in EDITIONS if (sectors := _sectors(edition, id, shelf)) is not None]
        if not printed or ("maps", id) in faulty:
            continue
        path = "maps", id
        want((*path, "sectors"), board.sectors, {name for some in printed for name in some}, "Sector")
        tables = {name for some in printed for name, sector in some.items() if sector.random}
        want((*path, "results"), board.results, tables, "Sector with a table")
        levels = {name for some in shelf.found.maps.values() if id in some for name in some[id].levels}
        want((*path, "levels"), board.levels, levels, "level")
    return found


def _sectors(edition: str, id: str, shelf: _Shelf) -> dict[str, Sector] | None:
    """Of a map of that name, if there is one."""
    maps = shelf.found.maps[edition]
    if (edition, id) not in shelf.joined:
        return maps[id].sectors if id in maps else None
    boards = shelf.joined[edition, id][2].boards
    if any(board.map not in maps for board in boards):
        return None
    return {board.mark + name: sector for board in boards for name, sector in maps[board.map].sectors.items()}


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


def _near(name: str, known: Iterable[str], least: float) -> str:
    near = get_close_matches(name, list(known), 1, least)
    return f"; did you mean {near[0]!r}?" if near else ""


def card_faults(doc: Document, path: Path_, card: Card) -> list[Fault]:
    """What only the register can tell about a card."""
    return [doc.fault((*path, *where), message) for where, message in _strange_rules(card)]


def _piece_faults(doc: Document, path: Path_, piece: object, gone: Sequence[Path_]) -> list[Fault]:
    """The same about a card, nation or board of a pack, as far as it could be read, and how to find a rule."""
    return [
        doc.fault((*path, *where), f"{message}: expected the id of a rule; {FIND_RULE}")
        for where, message in _strange_rules(piece)
        if not lost(gone, where)
    ]


def _strange_rules(piece: object) -> Iterator[tuple[Path_, str]]:
    """(where, what) for each rule of a card, nation or board that there is not."""
    rules: dict[Path_, str] = {("rule",): piece.rule} if isinstance(piece, Card | Map | Joined) else {}
    if isinstance(piece, Nation):
        rules = {("rwb", face, "rule"): bonus.rule for face, bonus in piece.rwb.items()}
    for where, rule in rules.items():
        if rule and rule not in register():
            yield where, f"{rule!r} is not in the rule register"


def map_faults(doc: Document, path: Path_, board: Map, cards: dict[str, Card]) -> list[Fault]:
    """Names of cards in a map that the edition does not have."""
    return [doc.fault((*path, *where), message) for where, _, message in _wrong_cards(board, cards)]


def _wrong_cards(
    board: Map | Joined, cards: dict[str, Card], hidden: Hidden = NOTHING
) -> Iterator[tuple[Path_, str, str]]:
    """(where, name, what) for each name of a card that the edition does not have, or of another kind."""
    for where, name, kinds in _named_cards(board):
        if name not in cards:
            if name not in hidden:
                yield where, name, f"unknown card {name!r} in the {board.edition} edition"
        elif cards[name].kind not in kinds and name not in hidden.names:
            yield where, name, f"{name!r} is a {cards[name].kind}: expected {' or '.join(kinds)}"


def _named_cards(board: Map | Joined) -> Iterator[tuple[Path_, str, tuple[str, ...]]]:
    """(where, name, kinds) for each name of a card, with the kinds that it may be of."""
    if isinstance(board, Joined):
        yield from ((("items_special", n), name, ("special-item",)) for n, name in enumerate(board.items_special))
        return
    specialists = ("regular-specialist", "reserve-specialist", "ranking-specialist", "unique-specialist")
    lying = ("regular-item", "special-item", "vehicle")
    for id, sector in board.sectors.items():
        for n, name in enumerate(sector.requires):
            yield ("sectors", id, "requires", n), name, specialists
        if sector.sacrifice not in ("", "any"):
            yield ("sectors", id, "sacrifice"), sector.sacrifice, specialists
        for n, name in enumerate(sector.start.specialists if sector.start else ()):
            yield ("sectors", id, "start", "specialists", n), name, specialists
        for key in ("items", "items_alone"):
            for n, name in enumerate(getattr(sector, key) or ()):
                yield ("sectors", id, key, n), name, lying
        for n, name in enumerate(sector.vehicles):
            yield ("sectors", id, "vehicles", n), name, ("vehicle",)
        for pips, result in enumerate(sector.random):
            for n, name in enumerate(result.items):
                yield ("sectors", id, "random", pips, "items", n), name, lying
            for n, name in enumerate(result.vehicles):
                yield ("sectors", id, "random", pips, "vehicles", n), name, ("vehicle",)
            if result.shelling and result.shelling.spares:
                yield ("sectors", id, "random", pips, "shelling", "spares"), result.shelling.spares, specialists
        if sector.shelling and sector.shelling.spares:
            yield ("sectors", id, "shelling", "spares"), sector.shelling.spares, specialists
        if sector.joins:
            yield ("sectors", id, "joins", "specialist"), sector.joins.specialist, specialists
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
                yield (*where, key, n), name, allowed
