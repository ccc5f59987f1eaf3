from __future__ import annotations

from collections.abc import Iterator

import pytest

from beachhead.say import catalogue

from .running import Running


@pytest.fixture(autouse=True, scope="session")
def every_word_is_there() -> Iterator[None]:
    """A message that is in no catalogue is a failure here, and not said in English."""
    before, catalogue.strict = catalogue.strict, True
    yield
    catalogue.strict = before


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One server for all tests that do not break it."""
    with Running(tmp_path_factory.mktemp("tables") / "tables.sqlite") as server:
        yield server
