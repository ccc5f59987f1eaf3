"""Where results go: what would be in the way after the last game is said before the first."""

from __future__ import annotations

import os
from pathlib import Path

from ..say import say
from .errors import BeachheadError


def check_file(path: Path) -> None:
    """Can this file be written, or written over? What is there stays as it is."""
    if not path.parent.is_dir():
        raise BeachheadError(say("cli.nowhere", path=path.parent))
    there = path.exists() or path.is_symlink()
    try:
        with path.open("ab"):
            pass
        if not there:
            path.unlink()
    except OSError as error:
        raise BeachheadError(f"{path}: {error.strerror}") from None


def check_folder(path: Path) -> None:
    """Is this a folder to write to, or could it be made?"""
    near = next(one for one in (path, *path.absolute().parents) if one.exists())
    if not near.is_dir() or not os.access(near, os.W_OK):
        raise BeachheadError(say("cli.nowhere", path=path))
