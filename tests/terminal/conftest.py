from __future__ import annotations

from pathlib import Path

import pytest

from .sitting import Sitting, Table


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return lambda lines, **options: Sitting(tmp_path / "data", lines, **options)
