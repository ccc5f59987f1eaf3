"""Make the files of this folder again: types of the socket, English words, icons and stencil letters.

python web/src/made/make.py            # write them
python web/src/made/make.py --check    # fail if they are not what would be written
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

from beachhead.draw.marks import ART, icons
from beachhead.say import messages_for
from beachhead.server.messages import schema

HERE = Path(__file__).parent
HEAD = "// Made by make.py; change that, not this.\n\n"


def type_of(part: dict[str, Any]) -> str:
    """A JSON Schema as a TypeScript type."""
    if "$ref" in part:
        return str(part["$ref"]).rpartition("/")[2]
    if "enum" in part:
        return " | ".join(json.dumps(value) for value in part["enum"])
    if "anyOf" in part:
        return " | ".join(type_of(one) for one in part["anyOf"])
    kind = part.get("type")
    if kind == "array":
        if "prefixItems" in part:
            return f"[{', '.join(type_of(one) for one in part['prefixItems'])}]"
        return f"({type_of(part['items'])})[]" if "items" in part else "unknown[]"
    if kind == "object":
        values = part.get("additionalProperties")
        return f"Record<string, {type_of(values) if isinstance(values, dict) else 'unknown'}>"
    return {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}.get(
        str(kind), "unknown"
    )


def types() -> str:
    out = [HEAD]
    for name, part in schema()["$defs"].items():
        if "properties" not in part:
            out.append(f"export type {name} = {type_of(part)};\n\n")
            continue
        if "description" in part:
            out.append("/** " + " ".join(str(part["description"]).split()) + " */\n")
        out.append(f"export interface {name} {{\n")
        required = set(part.get("required", ()))
        for field, value in part["properties"].items():
            mark = "" if field in required else "?"
            out.append(f"  {field}{mark}: {type_of(value)};\n")
        out.append("}\n\n")
    return "".join(out).rstrip() + "\n"


def english() -> str:
    return json.dumps(messages_for("en", "ui."), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def marks() -> str:
    drawn = {name: markup for name, (markup, _) in icons().items()}
    cut = tomllib.loads((ART / "stencil.toml").read_text(encoding="utf-8"))
    return (
        f"{HEAD}export const ICONS = {json.dumps(drawn, indent=1)} as const;\n\n"
        f"export const STENCIL: Record<string, readonly [number, string]> = {json.dumps(cut, indent=1)};\n"
    )


FILES = {"types.ts": types, "english.json": english, "marks.ts": marks}


def main() -> None:
    stale = []
    for name, make in FILES.items():
        text = make()
        path = HERE / name
        if "--check" in sys.argv:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                stale.append(name)
        else:
            path.write_text(text, encoding="utf-8")
    if stale:
        raise SystemExit(f"not as made: {', '.join(stale)}; run python web/src/made/make.py")


if __name__ == "__main__":
    main()
