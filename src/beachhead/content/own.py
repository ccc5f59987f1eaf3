"""Packs of one's own: a new one to begin with, schemas for editors, and what a pack holds."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from ..core.errors import BeachheadError
from ..say import say
from .library import FOLDERS, KEPT, PACKS, load_packs, own_folder
from .schema import ID, Bonus, CardFile, CardLists, Drawing, Edges, Joined, Level, Map, Nation, NationFile, Sector
from .schema import Card as CardTable
from .toml import json_schema
from .translation import WordFile

TEMPLATE = Path(__file__).parent / "template"
SCHEMAS = ".schemas"
"""The folder of a pack in which the schemas lie; the first line of each of its files points there."""


@dataclass(frozen=True)
class Corrections:
    """Values laid over content that is there already, by its id."""

    format: Literal[1]
    edition: Literal["first", "second"]
    maps: dict[str, Map] = field(default_factory=dict)
    cards: dict[str, CardTable] = field(default_factory=dict)
    nations: dict[str, Nation] = field(default_factory=dict)


FILES: dict[str, type] = {
    "cards": CardFile,
    "nations": NationFile,
    "maps": Map,
    "joined": Joined,
    "corrections": Corrections,
    "words": WordFile,
}
assert tuple(FILES) == FOLDERS
LAID_OVER = (Map, Sector, Edges, CardLists, Level, Drawing, Joined, CardTable, Nation, Bonus)
"""Tables of which a correction changes single keys."""


def schemas() -> dict[str, dict[str, Any]]:
    """Per folder of a pack: the JSON Schema of its files."""
    found = {name: json_schema(cls, _title(name)) for name, cls in FILES.items() if cls is not Corrections}
    return found | {"corrections": _corrections_schema()}


def _title(folder: str) -> str:
    return f"Beachhead: a file in the folder {folder}"


def _corrections_schema() -> dict[str, Any]:
    """Of what is laid over ours nothing has to be there, and `false` takes away what need not be there in the whole. A
    map may be a joined one. Its id and edition stay.
    """
    schema = json_schema(Corrections, _title("corrections"), LAID_OVER)
    whole = json_schema(Corrections, "")["definitions"] | json_schema(Joined, "")["definitions"]
    known = schema["definitions"] = json_schema(Joined, "", LAID_OVER)["definitions"] | schema["definitions"]
    maps = known["Corrections"]["properties"]["maps"]
    maps["additionalProperties"] = {"anyOf": [maps["additionalProperties"], {"$ref": "#/definitions/Joined"}]}
    for cls in LAID_OVER:
        keys, needed = known[cls.__name__]["properties"], whole[cls.__name__]["required"]
        for one in keys.values() if cls is not Nation else ():
            if "$ref" in (inner := one.get("additionalProperties") or {}):
                one["additionalProperties"] = {"anyOf": [inner, {"const": False}]}
        for key in KEPT & keys.keys():
            del keys[key]
        keys |= {key: {"anyOf": [one, {"const": False}]} for key, one in keys.items() if key not in needed}
    return schema


def write_schemas(folder: Path) -> list[Path]:
    """Write them; those that are there are replaced. Nothing is written where one would take the place of a file that
    is no schema of ours.
    """
    written = {folder / f"{name}.json": schema for name, schema in schemas().items()}
    strange = [path for path in written if os.path.lexists(path) and not _is_ours(path)]
    if strange:
        raise BeachheadError("\n".join(say("packs.no-schema", path=path) for path in strange))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, schema in written.items():
            path.write_text(json.dumps(schema, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise BeachheadError(f"{error.filename or folder}: {error.strerror}") from None
    return [*written]


def _is_ours(path: Path) -> bool:
    """Is this a schema that was written by `write_schemas`?"""
    try:
        read = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(read, dict) and str(read.get("title", "")).startswith(_title(""))


def new_pack(name: str, edition: str, folder: Path | None = None) -> list[Path]:
    """A pack with a small map that can be played at once, a file for corrections and the schemas. Nothing is
    overwritten.
    """
    if not re.fullmatch(ID.pattern, name):
        raise BeachheadError(say("packs.name", name=repr(name)))
    pack = (folder or own_folder()) / name
    if os.path.exists(pack):
        raise BeachheadError(say("packs.there", path=pack))
    if name in load_packs((PACKS,)).maps[edition]:
        raise BeachheadError(say("packs.map-there", name=name))
    said = {"ID": name, "NAME": name.replace("-", " ").title(), "EDITION": edition}
    written = []
    for path in sorted(TEMPLATE.rglob("*.toml")):
        text = path.read_text(encoding="utf-8")
        for word, value in said.items():
            text = text.replace(word, value)
        kind = path.parent.name
        target = pack / kind / (f"{name}.toml" if kind == "maps" else path.name)
        try:
            target.parent.mkdir(parents=True)
            target.write_text(f"#:schema ../{SCHEMAS}/{kind}.json\n{text}", encoding="utf-8")
        except OSError as error:
            raise BeachheadError(f"{error.filename or target}: {error.strerror}") from None
        written.append(target)
    return written + write_schemas(pack / SCHEMAS)
