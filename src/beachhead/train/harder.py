"""Harder boards to measure bots on, where the maps are too easy to tell them apart: every DEF is raised.

python -m beachhead.train.harder FOLDER 3 5      # n01-... becomes n01-...-plus-3 and n01-...-plus-5
beachhead --packs FOLDER sim landing --map n01-exercise-tiger-plus-5 --bot exact
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from ..content.library import PACKS


def write(folder: Path, raises: list[int]) -> list[str]:
    """A pack with a copy of each of our maps for each raise; gives the names of the maps."""
    names = []
    target = folder / "harder" / "maps"
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(PACKS.rglob("maps/*.toml")):
        text = path.read_text(encoding="utf-8")
        for by in raises:
            (target / f"{path.stem}-plus-{by}.toml").write_text(_harder(text, by), encoding="utf-8")
            names.append(f"{path.stem.removeprefix('second-')}-plus-{by}")
    return sorted(set(names))


def _harder(text: str, by: int) -> str:
    def raised(found: re.Match[str]) -> str:
        return f"def = [{', '.join(str(int(value) + by) for value in found[1].split(','))}]"

    text = re.sub(r'^id = "(.*)"', rf'id = "\1-plus-{by}"', text, count=1, flags=re.M)
    return re.sub(r"^def = \[(.*)\]", raised, text, flags=re.M)


if __name__ == "__main__":
    print("\n".join(write(Path(sys.argv[1]), [int(by) for by in sys.argv[2:]] or [3, 5])))
