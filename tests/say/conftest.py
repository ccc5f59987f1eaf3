from __future__ import annotations

from collections.abc import Iterator

import pytest

from beachhead.say import catalogue


@pytest.fixture(autouse=True)
def strict(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is missing in a catalogue raises here, and English is spoken wherever the tests run."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    before, catalogue.strict = catalogue.strict, True
    yield
    catalogue.strict = before
