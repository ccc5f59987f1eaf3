from __future__ import annotations

from collections.abc import Iterator

import pytest

from .running import Running


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One server for all tests that do not break it."""
    with Running(tmp_path_factory.mktemp("tables") / "tables.sqlite") as server:
        yield server
