"""What the documents say about the code is so."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path

from beachhead.landing.world import DEFAULTS
from beachhead.pocket.world import SWITCHES as POCKET

DOCS = Path(__file__).parent.parent / "docs"


def test_the_page_of_readings_lists_every_switch_with_its_defaults() -> None:
    text = (DOCS / "readings.md").read_text()
    listed = {
        name: (first, second) for name, first, second in re.findall(r"^\| `(\w+)` \| (\S+) \| (\S+) \|", text, re.M)
    }
    assert listed == {
        name: (_shown(value), _shown(asdict(DEFAULTS["second"])[name]))
        for name, value in asdict(DEFAULTS["first"]).items()
    }


def _shown(value: bool | str) -> str:
    return f"`{value}`" if isinstance(value, str) else "yes" if value else "no"


def test_the_page_of_readings_lists_every_switch_of_pocket() -> None:
    text = (DOCS / "readings.md").read_text()
    for game, switches in (("Express!", POCKET["express"]), ("Battle!", POCKET["battle"])):
        for name, switch in switches.items():
            (row,) = [line for line in text.splitlines() if line.startswith(f"| {game} | `{name}` |")]
            assert row.split("|")[3].strip() == f"`{switch.values[0]}`", name
            assert f"({switch.rule})" in row, name
