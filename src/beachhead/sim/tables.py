"""The games of a run as a table, one row each: CSV, JSON or Parquet, by the ending of the file."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from ..core.errors import BeachheadError
from ..core.plain import Plain
from ..core.targets import check_file
from ..say import either, say
from .names import words
from .rows import Row
from .store import Store

ENDINGS = (".csv", ".json", ".parquet")
LISTS = ("course", "ways", "stays")
"""Lists of lists."""


def check_table(path: Path) -> None:
    """Say before the first game what would be in the way after the last."""
    if path.suffix not in ENDINGS:
        raise BeachheadError(say("sim.table-kind", path=path, known=either(list(ENDINGS))))
    check_file(path)
    if path.suffix == ".parquet":
        _pyarrow()


def write_table(path: Path, store: Store) -> None:
    part = path.with_name(f".{path.name}.part")
    write = {".csv": _csv, ".json": _json, ".parquet": _parquet}[path.suffix]
    try:
        write(part, store)
        part.replace(path)
    except OSError as error:
        raise BeachheadError(f"{path}: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)


def _keys(store: Store) -> list[str]:
    """Every part of a setup that any cell has, in the order of their first."""
    return list(dict.fromkeys(key for cell in store.plan.cells for key in cell.setup))


def _games(store: Store, number: int) -> Iterator[dict[str, Plain]]:
    """The games of a cell, each with all that tells it from games of other cells."""
    cell = store.plan.cells[number]
    what: dict[str, Plain] = {"game": cell.game, **{key: cell.setup.get(key) for key in _keys(store)}}
    what |= {"bots": list(cell.bots), "seed": cell.seed}
    for row in store.rows(number):
        yield what | {name: getattr(row, name) for name in Row.__struct_fields__}


def _csv(path: Path, store: Store) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        heads = ["game", *_keys(store), "bots", "seed", *Row.__struct_fields__]
        table = csv.DictWriter(file, heads, lineterminator="\n")
        table.writeheader()
        for number in range(len(store.plan.cells)):
            for game in _games(store, number):
                lists = {name: ";".join(words(part) for part in game.pop(name)) for name in LISTS}
                table.writerow({name: _text(value) for name, value in game.items()} | lists)


def _text(value: Plain) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else words(value)


def _json(path: Path, store: Store) -> None:
    encode = msgspec.json.Encoder().encode
    with path.open("wb") as file:
        head = json.dumps(store.plan.as_json())
        file.write(f'{{"plan": {head},\n"games": ['.encode())
        before = b"\n"
        for number in range(len(store.plan.cells)):
            for game in _games(store, number):
                file.write(before + encode(game))
                before = b",\n"
        file.write(b"\n]}\n")


def _pyarrow() -> Any:
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise BeachheadError(say("sim.extra", what="Parquet", extra="parquet")) from None


def _parquet(path: Path, store: Store) -> None:
    arrow, parquet = _pyarrow()
    number, whole, text = arrow.int32(), arrow.int64(), arrow.string()
    kinds = {"bots": arrow.list_(text), "seed": whole, "n": whole, "won": arrow.bool_(), "cause": text}
    kinds |= {"turns": number, "decisions": number, "faults": number, "seats": number}
    kinds |= {"soldiers": arrow.list_(number), "points": arrow.list_(number)}
    kinds |= {"course": arrow.list_(arrow.list_(number)), "ways": arrow.list_(arrow.list_(text))}
    kinds |= {"stays": arrow.list_(arrow.list_(number)), "lost": arrow.list_(number)}
    if not all(-(1 << 63) <= cell.seed < 1 << 63 for cell in store.plan.cells):
        del kinds["seed"]  # as text: no column of numbers is so wide
    heads = ["game", *_keys(store), "bots", "seed", *Row.__struct_fields__]
    schema = arrow.schema([(name, kinds.get(name, text)) for name in heads])
    with parquet.ParquetWriter(path, schema) as file:
        for cell in range(len(store.plan.cells)):
            games = [
                {name: value if name in kinds or value is None else words(value) for name, value in game.items()}
                for game in _games(store, cell)
            ]
            file.write_table(arrow.Table.from_pylist(games, schema=schema))
