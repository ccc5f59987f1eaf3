"""Solved games in files: those that come with Beachhead, and those that were worked out here before.

A file names all that its values depend on (`ground.fingerprint`). One that names something else is refused.
"""

from __future__ import annotations

import json
import math
import os
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tokenize import TokenError
from typing import Any
from zipfile import BadZipFile

import numpy as np

from ..core.errors import BeachheadError
from ..core.plain import freeze
from ..landing.world import World
from ..say import say
from . import fast
from .ground import Gain, Kind, Position, Tallies, Witness, colours, fingerprint, opening
from .multisets import ROLLS
from .whole import Solved, solve

SHIPPED = Path(__file__).parent / "tables"
DAMAGED = (
    *(OSError, EOFError, ValueError, LookupError, TypeError, StopIteration, RuntimeError),
    *(BadZipFile, zlib.error, SyntaxError, TokenError),  # numpy reads heads of arrays as Python
)
"""What comes of reading a file that is no such table, or of which a part is broken."""
ROUNDED = 1e-9
"""By so much a probability may be beyond 0 or 1, where it was summed up."""


def cache_folder() -> Path:
    """Where what was worked out is kept: the platform's place for what may be lost."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "beachhead" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "beachhead"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "beachhead"


def solved(world: World, no_cards: bool = False, tick: Callable[[int, int], object] | None = None) -> Solved:
    """From a file, or worked out now and kept."""
    found = known(world, no_cards)
    if found is None:
        found = worked_out(world, no_cards, tick)
        with suppress(OSError):
            save(found, cache_folder() / _name(world, no_cards), no_cards)
    return found


def known(world: World, no_cards: bool = False) -> Solved | None:
    """From a file if there is one, for those who do not want to wait."""
    for folder in (SHIPPED, cache_folder()):
        path = folder / _name(world, no_cards)
        if path.exists():
            with suppress(BeachheadError):
                return load(path, world, no_cards)
    return None


def worked_out(world: World, no_cards: bool = False, tick: Callable[[int, int], object] | None = None) -> Solved:
    """Now. There are thousands of turns to solve: here it pays to wait for the machine code."""
    opening(world, no_cards)
    if thread := fast.prepare():
        thread.join()
    return solve(world, no_cards, tick)


def _name(world: World, no_cards: bool) -> str:
    return f"{fingerprint(world, no_cards)}.npz"


def save(found: Solved, path: Path, no_cards: bool = False) -> None:
    """Write the file; it is there as a whole or not at all."""
    world = found.start.world
    rows = [row for some in found.rows.values() for row in some]
    sets = [one for kind in found.kinds.values() for one in kind.sets]
    about = {
        "fingerprint": fingerprint(world, no_cards),
        "setup": world.setup._asdict() | {"no_cards": no_cards},
        "content": world.content_hash,
        "seconds": round(found.seconds, 3),
        "positions": [[*where, len(some)] for where, some in found.rows.items()],
        "kinds": [
            [name, kind.effects, kind.witnesses, [[one.dice, one.gains] for one in kind.sets]]
            for name, kind in found.kinds.items()
        ],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}.npz")
    try:
        np.savez_compressed(
            draft,
            about=np.array(json.dumps(about)),
            lengths=np.array([len(row) for row in rows], dtype=np.int32),
            values=np.concatenate(rows),
            numbers=np.concatenate([one.numbers for one in sets]).astype(np.uint16),
        )
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def load(path: Path, world: World, no_cards: bool = False) -> Solved:
    """Raises BeachheadError for what is no such file, or one for another game or other content."""
    found = Solved(opening(world, no_cards))
    try:
        with np.load(path, allow_pickle=False) as file:
            about = json.loads(str(file["about"]))
            lengths, values, numbers = (file[name] for name in ("lengths", "values", "numbers"))
        if about["fingerprint"] != fingerprint(world, no_cards):
            setup = about["setup"]
            told = " ".join(str(setup[key]) for key in ("edition", "map", "level", "nations") if setup[key])
            raise BeachheadError(say("whole.other", file=path, found=told))
        if lengths.min() < 1 or lengths.sum() != len(values) or not (abs(values - 0.5) <= 0.5 + ROUNDED).all():
            raise ValueError("these are no probabilities")
        found.seconds = float(about["seconds"])
        rows = iter(np.split(values, np.cumsum(lengths)[:-1]))
        for *where, many in freeze(about["positions"]):
            found.rows[Position(*where)] = [next(rows) for _ in range(many)]
        for name, effects, witnesses, sets in freeze(about["kinds"]):
            tallies = []
            for dice, gains in sets:
                mine, numbers = np.split(numbers, [math.prod(len(ROLLS[n]) for n in colours(dice))])
                tallies.append(Tallies(dice, mine.astype(np.int64), _gains(gains)))
            found.kinds[name] = Kind(effects, tuple(Witness(*one) for one in witnesses), tuple(tallies))
        _ = found.value  # raises where the beginning of the game is not among its positions
    except DAMAGED as error:
        raise BeachheadError(say("whole.no-table", file=path)) from error
    return found


def _gains(plain: Any) -> tuple[tuple[Gain, ...], ...]:
    return tuple(tuple(Gain(*gain) for gain in some) for some in plain)
