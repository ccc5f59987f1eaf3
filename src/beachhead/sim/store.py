"""Where the games of a run are kept: in memory, or in a folder in which a run that was stopped can go on.

    plan.json            what is played: cells, games of each, and what with
    003-000021.jsonl     a block of games of cell 3, from game 21 on; there as soon as it is played
    003.jsonl            all games of cell 3, in place of its blocks, once they are all there
    kept.json            who won the games that were taken over from a file that keeps no more than that

A file gets its name when it is whole and on the disk, so a run that is killed loses the blocks that were being played
and nothing else.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterator
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec

from ..core.errors import BeachheadError
from ..core.game import Setup
from ..core.plain import Plain
from ..say import say
from .kept import FORMAT, Kept, pack, unpack
from .made import Made
from .rows import Row, from_lines

PLAN, KEPT = "plan.json", "kept.json"


class Cell(NamedTuple):
    """One setup with its players, by code, one for each seat; the base seed of its games; and a hash of what they are
    played with that is not the same for all setups (see `made.content`).
    """

    game: str
    setup: Setup
    bots: tuple[str, ...]
    seed: int
    content: str = ""


class Block(NamedTuple):
    """Games of one cell that are played in one go."""

    cell: int
    numbers: range

    @property
    def file(self) -> str:
        return f"{self.cell:03}-{self.numbers.start:06}.jsonl"


class Plan(NamedTuple):
    """So many games of each cell, and what they are played with."""

    cells: tuple[Cell, ...]
    games: int
    made: Made

    @property
    def size(self) -> int:
        """Games in a block: the same on every machine, few enough for many processes, many enough for few files and for
        what bots remember of a board from game to game.
        """
        return max(1, min(50, self.games * len(self.cells) // 128), self.games // 1000)

    @property
    def content(self) -> str:
        """That of all cells, as one."""
        every = sorted({cell.content for cell in self.cells})
        return sha256(" ".join(every).encode()).hexdigest()[:16]

    def blocks(self) -> Iterator[Block]:
        """All blocks; the first ones of all cells come first, so that all cells are ready at about the same time."""
        for first in range(1, self.games + 1, self.size):
            for cell in range(len(self.cells)):
                yield Block(cell, range(first, min(first + self.size, self.games + 1)))

    def as_json(self) -> dict[str, Plain]:
        cells = [cell._asdict() for cell in self.cells]
        plain = {"format": FORMAT, **self.made._asdict(), "games": self.games, "cells": cells}
        found: dict[str, Plain] = json.loads(json.dumps(plain))
        return found


class Store:
    """The blocks of a plan that are played."""

    def __init__(self, plan: Plan, folder: Path | None = None, name: Path | None = None) -> None:
        self.plan = plan
        self.folder = folder
        self.name = name or folder or "-"
        """Where it is, for messages."""
        self._lines: dict[Block, bytes] = {}
        self._kept = [Kept() for _ in plan.cells]
        self._blocks: list[list[Block]] = [[] for _ in plan.cells]
        for block in plan.blocks():
            self._blocks[block.cell].append(block)

    def open_blocks(self) -> list[Block]:
        """Those that are still to be played."""
        return [block for block in self.plan.blocks() if block not in self._lines and not self._is_kept(block)]

    def _is_kept(self, block: Block) -> bool:
        return block.numbers.stop <= len(self._kept[block.cell].won) + 1

    def put(self, block: Block, lines: bytes) -> None:
        self._lines[block] = lines
        if self.folder is not None:
            _write(self.folder / block.file, lines)
            self._join(block.cell)

    def rows(self, cell: int) -> Iterator[Row]:
        """The games of a cell in the order of their numbers."""
        for block in self._blocks[cell]:
            if block not in self._lines:
                raise BeachheadError(say("sim.only-kept", folder=self.name))
            yield from from_lines(self._lines[block])

    def kept(self, cell: int) -> Kept:
        """Who won the games of a cell, from the first one as far as none is missing."""
        found = self._kept[cell].first(self.plan.games)
        for block in self._blocks[cell]:
            if not self._is_kept(block):
                if block not in self._lines:
                    break
                found = found.and_then(row for row in from_lines(self._lines[block]) if row.n > len(found.won))
        return found

    def keep(self, kept: dict[int, Kept]) -> None:
        """Who won these games of these cells is known: they need not be played."""
        for cell, one in kept.items():
            if len(one.won) > len(self._kept[cell].won):
                self._kept[cell] = one
        if self.folder is not None:
            _write(self.folder / KEPT, pack(read_notes(self.folder), self._kept))

    def lines(self, cell: int) -> dict[int, bytes]:
        """The games of a cell that are played, each as it is kept."""
        found: dict[int, bytes] = {}
        for block in self._blocks[cell]:
            kept = self._lines.get(block, b"").splitlines(keepends=True)
            found.update(zip(block.numbers, kept, strict=False))
        return found

    def note(self, **found: Plain) -> None:
        """Write down something about the run, beside its plan."""
        if self.folder is not None:
            notes = read_notes(self.folder) | found
            _write(self.folder / PLAN, json.dumps(notes, indent=1).encode() + b"\n")

    def first(self, games: int) -> Store:
        """The first so many games of each cell, in memory."""
        found = Store(self.plan._replace(games=games))
        found.name = self.name
        for cell, mine in enumerate(found._blocks):
            lines = self.lines(cell)
            for block in mine:
                if all(n in lines for n in block.numbers):
                    found._lines[block] = b"".join(lines[n] for n in block.numbers)
        return found

    def load(self) -> None:
        """Read what is in the folder. Nothing there is changed."""
        assert self.folder is not None
        if (kept := self.folder / KEPT).exists():
            self._kept = unpack(kept)[1]
            if len(self._kept) != len(self.plan.cells):
                raise BeachheadError(say("sim.damaged", path=kept))
        for cell, mine in enumerate(self._blocks):
            whole = self.folder / _whole(cell)
            if whole.exists():
                lines = _read(whole, range(1, self.plan.games + 1)).splitlines(keepends=True)
                for block in mine:
                    self._lines[block] = b"".join(lines[block.numbers.start - 1 : block.numbers.stop - 1])
                continue
            for block in mine:
                if (path := self.folder / block.file).exists():
                    self._lines[block] = _read(path, block.numbers)

    def join(self) -> None:
        """One file in place of all blocks of a cell, wherever a run was stopped before that was done."""
        assert self.folder is not None
        for cell, mine in enumerate(self._blocks):
            if any((self.folder / block.file).exists() for block in mine):
                self._join(cell)

    def _join(self, cell: int) -> None:
        """One file in place of all blocks of a cell, when they are all there."""
        assert self.folder is not None
        mine = self._blocks[cell]
        if all(block in self._lines for block in mine):
            _write(self.folder / _whole(cell), b"".join(self._lines[block] for block in mine))
            for block in mine:
                (self.folder / block.file).unlink(missing_ok=True)


Same = Callable[[Store, list[int]], Collection[int]]
"""Of these cells of a store, those whose games come out the same here."""


def open_store(plan: Plan, folder: Path | None, command: str = "") -> Store:
    """A store for this plan. A folder must be new, empty, or that of the same plan; `command` is noted in it."""
    if folder is None:
        return Store(plan)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        there = {path.name for path in folder.iterdir()}
        if PLAN in there:
            notes = read_notes(folder)
            _plan(folder / PLAN, notes)
            _compare(folder, notes, plan)
        elif there:
            raise BeachheadError(say("sim.folder-used", folder=folder))
        else:
            notes = plan.as_json() | {"begun": f"{datetime.now(UTC):%Y-%m-%d}", "command": command}
            _write(folder / PLAN, json.dumps(notes, indent=1).encode() + b"\n")
    except OSError as error:
        raise BeachheadError(say("cli.cannot-save", folder=folder, why=error.strerror)) from None
    store = Store(plan, folder)
    store.load()
    store.join()
    return store


def find_store(path: Path) -> tuple[Store, dict[str, Any]]:
    """The store that lies in a folder or in a file that keeps who won, whatever it was played with, and its notes."""
    if path.is_file():
        notes, kept = unpack(path)
        store = Store(_plan(path, notes), name=path)
        store.keep(dict(enumerate(kept)))
        return store, notes
    notes = read_notes(path)
    store = Store(_plan(path / PLAN, notes), path)
    store.load()
    return store, notes


def write_kept(path: Path, store: Store, notes: dict[str, Any]) -> None:
    """Who won each game, as far as none before it is missing, into one file."""
    _write(path, pack(notes, map(store.kept, range(len(store.plan.cells)))))


def _plan(path: Path, notes: dict[str, Any]) -> Plan:
    try:
        cells = tuple(msgspec.convert([cell[name] for name in Cell._fields], Cell) for cell in notes["cells"])
        made = msgspec.convert([notes[name] for name in Made._fields], Made)
        games = msgspec.convert(notes["games"], Annotated[int, msgspec.Meta(ge=1)])
        if not cells:
            raise KeyError("cells")
        return Plan(cells, games, made)
    except (KeyError, TypeError, msgspec.ValidationError):
        raise BeachheadError(say("sim.damaged-plan", path=path)) from None


def take_over(store: Store, path: Path, same: Same | None = None, *, only_won: bool = False) -> list[Cell]:
    """Put in what another run has played already of the same cells, with the same of everything. Cells that are played
    with another board, other cards or values are left out.

    What another engine has played is refused, but for the cells that `same` finds unchanged; the others are given
    back. With `only_won` it is enough to know who won.
    """
    other, notes = find_store(path)
    if other.plan.made != store.plan.made and same is None:
        raise BeachheadError(say("sim.other-made", folder=path, there=other.plan.made, here=store.plan.made))
    if path.is_file() and not only_won:
        raise BeachheadError(say("sim.only-kept", folder=path))
    wanted = {named(cell) for cell in store.plan.cells}
    there = {named(cell): number for number, cell in enumerate(other.plan.cells) if named(cell) in wanted}
    changed: list[Cell] = []
    if other.plan.made != store.plan.made and same is not None:
        found = same(other, list(there.values()))
        changed = [other.plan.cells[number] for number in there.values() if number not in found]
        there = {name: number for name, number in there.items() if number in found}
        store.note(taken=f"`{other.plan.made.engine}`, {other.plan.made.solver}")
    elif "taken" in notes:
        store.note(**{name: notes[name] for name in ("taken", "again") if name in notes})
    lines: dict[int, dict[int, bytes]] = {}
    for block in store.open_blocks():
        number = there.get(named(store.plan.cells[block.cell]))
        if number is not None:
            if number not in lines:
                lines[number] = other.lines(number)
            known = lines[number]
            if all(n in known for n in block.numbers):
                store.put(block, b"".join(known[n] for n in block.numbers))
    if only_won:
        mine = enumerate(map(named, store.plan.cells))
        store.keep({cell: other.kept(there[name]) for cell, name in mine if name in there})
    return changed


def named(cell: Cell) -> str:
    """All of a cell in one text."""
    return json.dumps(cell, sort_keys=True)


def read_notes(folder: Path) -> dict[str, Any]:
    path = folder / PLAN
    try:
        notes = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise BeachheadError(say("sim.no-plan", folder=folder)) from None
    except OSError as error:
        raise BeachheadError(f"{path}: {error.strerror}") from None
    except ValueError:
        raise BeachheadError(say("sim.damaged-plan", path=path)) from None
    if not isinstance(notes, dict) or notes.get("format") != FORMAT:
        raise BeachheadError(say("sim.damaged-plan", path=path))
    return notes


def _compare(folder: Path, notes: dict[str, Any], plan: Plan) -> None:
    """Refuse a folder of another plan, and name the first thing that differs."""
    for name, here in plan.as_json().items():
        there = notes.get(name)
        if there != here:
            if name == "cells":
                there, here = _first_difference(there, here)
            raise BeachheadError(say("sim.other-run", folder=folder, what=name, there=there, here=here))


def _first_difference(there: Any, here: Any) -> tuple[str, str]:
    for one, other in zip(there, here, strict=False):
        for name in other:
            if one.get(name) != other[name]:
                return f"{name} {one.get(name)}", f"{name} {other[name]}"
    return str(len(there)), str(len(here))


def _whole(cell: int) -> str:
    return f"{cell:03}.jsonl"


def _read(path: Path, numbers: range) -> bytes:
    """The lines of a file, which must be the games of these numbers."""
    try:
        lines = path.read_bytes()
        whole = [row.n for row in from_lines(lines)] == list(numbers)
    except OSError as error:
        raise BeachheadError(f"{path}: {error.strerror}") from None
    except msgspec.DecodeError:
        whole = False
    if not whole:
        raise BeachheadError(say("sim.damaged", path=path))
    return lines


def _write(path: Path, content: bytes) -> None:
    """All or nothing, and on the disk."""
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise BeachheadError(f"{path}: {error.strerror}") from None
