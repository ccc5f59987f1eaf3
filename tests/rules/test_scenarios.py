"""Every scenario below this folder holds in each of its editions."""

from __future__ import annotations

from pathlib import Path

import pytest

from beachhead.core.errors import ContentError
from beachhead.scenarios.runner import read_scenario, run

HERE = Path(__file__).parent
FILES = sorted(HERE.rglob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(HERE).as_posix())
def test_scenario(path: Path) -> None:
    try:
        found = run(read_scenario(path))
    except ContentError as error:
        found = error.faults
    if found:
        pytest.fail("\n" + "\n".join(map(str, found)), pytrace=False)
