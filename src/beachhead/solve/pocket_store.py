"""Solved Pocket games in files, as `store` keeps whole games: a file names all that its values depend on."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import BeachheadError
from ..pocket.content import box as content
from ..say import say
from . import pocket_battle as battle
from . import pocket_express as express
from .store import DAMAGED, SHIPPED, cache_folder

Tick = Callable[[int, int], object]


def workers() -> int:
    """All processors but at most eight: more brings nothing here."""
    return min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, 8)


# ---------------------------------------------------------------------- Express!


def express_print(rules: express.Rules) -> str:
    """Names all that the values of a beach depend on."""
    parts = ("express", express.FORMAT, rules.box.faces, *rules._replace(box=None))  # type: ignore[arg-type]
    return hashlib.sha256(repr((parts, rules.box.dice)).encode()).hexdigest()[:16]


def solved_express(rules: express.Rules, tick: Tick | None = None) -> express.Solved:
    """From a file, or worked out now and kept."""
    found = known_express(rules)
    if found is None:
        found = express.solve(rules, tick, workers())
        with suppress(OSError):
            save_express(found, cache_folder() / _name(express_print(rules)))
    return found


def known_express(rules: express.Rules) -> express.Solved | None:
    """From a file if there is one, for those who do not want to wait."""
    for folder in (SHIPPED, cache_folder()):
        path = folder / _name(express_print(rules))
        if path.exists():
            with suppress(BeachheadError):
                return load_express(path, rules)
    return None


def shipped_express(rules: express.Rules) -> bool:
    """Whether the values of this beach come with Beachhead."""
    return (SHIPPED / _name(express_print(rules))).exists()


def save_express(found: express.Solved, path: Path) -> None:
    about = {
        "fingerprint": express_print(found.rules),
        "content": content().hash,
        "gap": found.gap,
        "turns": found.turns,
        "stages": [[*stage, len(some)] for stage, some in found.values.items()],
    }
    states = [state for some in found.values.values() for state in some]
    values = [value for some in found.values.values() for value in some.values()]
    _write(path, about, states=np.array(states, dtype=np.uint8), values=np.array(values))


def load_express(path: Path, rules: express.Rules) -> express.Solved:
    """Raises BeachheadError for what is no such file, or one for another game."""
    about, (states, values) = _read(path, express_print(rules), "states", "values")
    found: express.Values = {}
    try:
        rows = iter(zip(states.tolist(), values.tolist(), strict=True))
        for sector, axis, black, many in about["stages"]:
            some = [next(rows) for _ in range(many)]
            found[express.Stage(sector, axis, black)] = {(have, out, new): value for (have, out, new), value in some}
        return express.Solved(rules, found, float(about["gap"]), int(about["turns"]))
    except DAMAGED as error:
        raise BeachheadError(say("whole.no-table", file=path)) from error


# ---------------------------------------------------------------------- Battle!


def battle_print(kommandant: bool) -> str:
    parts = ("battle", battle.FORMAT, kommandant, battle.GOAL, battle.CAP, battle.FIELDS, battle.TIMES)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def solved_battle(kommandant: bool = False, tick: Tick | None = None) -> battle.Solved:
    found = known_battle(kommandant)
    if found is None:
        found = battle.solve(kommandant, tick=tick)
        with suppress(OSError):
            save_battle(found, cache_folder() / _name(battle_print(kommandant)))
    return found


def known_battle(kommandant: bool = False) -> battle.Solved | None:
    for folder in (SHIPPED, cache_folder()):
        path = folder / _name(battle_print(kommandant))
        if path.exists():
            with suppress(BeachheadError):
                return load_battle(path, kommandant)
    return None


def save_battle(found: battle.Solved, path: Path) -> None:
    plain = found._asdict()
    arrays = {name: plain.pop(name) for name in ("first", "second", "last")}
    _write(path, {"fingerprint": battle_print(found.kommandant), "content": content().hash, **plain}, **arrays)


def load_battle(path: Path, kommandant: bool = False) -> battle.Solved:
    about, (first, second, last) = _read(path, battle_print(kommandant), "first", "second", "last")
    try:
        value, tie, beyond, gap, worst = (float(about[name]) for name in ("value", "tie", "beyond", "gap", "worst"))
        return battle.Solved(value, first, second, last, tie, beyond, gap, worst, kommandant)
    except DAMAGED as error:
        raise BeachheadError(say("whole.no-table", file=path)) from error


# ---------------------------------------------------------------------- files


def _name(fingerprint: str) -> str:
    return f"pocket-{fingerprint}.npz"


def _write(path: Path, about: dict[str, Any], **arrays: Any) -> None:
    """The file is there as a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}.npz")
    try:
        np.savez_compressed(draft, about=np.array(json.dumps(about)), **arrays)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _read(path: Path, fingerprint: str, *names: str) -> tuple[dict[str, Any], list[Any]]:
    try:
        with np.load(path, allow_pickle=False) as file:
            about = json.loads(str(file["about"]))
            arrays = [file[name] for name in names]
        if about["fingerprint"] != fingerprint:
            raise BeachheadError(say("pocket-solve.other", file=path))
        if not all(np.isfinite(one).all() for one in arrays):
            raise ValueError
    except DAMAGED as error:
        raise BeachheadError(say("whole.no-table", file=path)) from error
    return about, arrays
