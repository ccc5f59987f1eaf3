from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from beachhead.say import catalogue

from .sitting import Sitting, Table


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return lambda lines, **options: Sitting(tmp_path / "data", lines, **options)


@pytest.fixture(autouse=True)
def strict(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is missing in a catalogue raises here, and English is spoken wherever the tests run."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    before, catalogue.strict = catalogue.strict, True
    yield
    catalogue.strict = before
