"""Where a user's own files lie."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def data_folder() -> Path:
    """Where games and packs are kept: BEACHHEAD_DATA, or the platform's place for a user's data."""
    named = os.environ.get("BEACHHEAD_DATA")
    if named:
        return Path(named).expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "beachhead"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "beachhead"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "beachhead"
