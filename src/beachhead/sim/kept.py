"""Who won each game of a run, in one small file that can lie beside a page: the page can be made of it again, any game
of it can be played again by its seed, and a longer run can begin where it ends.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from ..core.errors import BeachheadError
from ..say import say
from .rows import Row

FORMAT = 2
"""Of the notes of a run, in its folder and here."""


class Kept(NamedTuple):
    """Of the games 1, 2, 3 ... of a cell: whether each was won, and by its number how many answers a random one stood
    in for, where there were any.
    """

    won: tuple[bool, ...] = ()
    faults: dict[int, int] = {}  # noqa: RUF012 - nobody changes it

    def and_then(self, rows: Iterable[Row]) -> Kept:
        """With the games that follow."""
        rows = list(rows)
        return Kept(
            (*self.won, *(row.won for row in rows)),
            self.faults | {row.n: row.faults for row in rows if row.faults},
        )

    def first(self, games: int) -> Kept:
        return Kept(self.won[:games], {n: faults for n, faults in self.faults.items() if n <= games})


def pack(notes: dict[str, Any], kept: Iterable[Kept]) -> bytes:
    """The notes of a run with what is kept of each of its cells, a line for each."""
    head = json.dumps({name: value for name, value in notes.items() if name != "cells"}, ensure_ascii=False)
    cells = [
        json.dumps({**cell, "played": len(one.won), "won": _text(one.won), "faults": list(one.faults.items())})
        for cell, one in zip(notes["cells"], kept, strict=True)
    ]
    return (head[:-1] + ', "cells": [\n' + ",\n".join(cells) + "\n]}\n").encode()


def unpack(path: Path) -> tuple[dict[str, Any], list[Kept]]:
    """The notes, and what is kept of each cell."""
    try:
        notes = json.loads(path.read_bytes())
        if notes["format"] != FORMAT:
            raise ValueError
        return notes, [_kept(cell.pop("played"), cell.pop("won"), cell.pop("faults")) for cell in notes["cells"]]
    except OSError as error:
        raise BeachheadError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BeachheadError(say("sim.no-kept", path=path)) from None


def _text(won: tuple[bool, ...]) -> str:
    """A bit for each game, in Base64; the first game is the highest bit of the first byte."""
    whole = len(won) + -len(won) % 8
    bits = sum(1 << (whole - 1 - n) for n, one in enumerate(won) if one)
    return base64.b64encode(bits.to_bytes(whole // 8, "big")).decode()


def _kept(played: int, text: str, faults: list[tuple[int, int]]) -> Kept:
    data = base64.b64decode(text, validate=True)
    if len(data) != (played + 7) // 8:
        raise ValueError
    bits = list(chain.from_iterable(_bits(byte) for byte in data))
    return Kept(tuple(bits[:played]), {int(n): int(count) for n, count in faults})


def _bits(byte: int) -> Iterator[bool]:
    return (bool(byte >> place & 1) for place in range(7, -1, -1))
