"""The tests that the client has beside its own sources, and the package that carries the built client."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

from .chromium import ROOT


def test_the_tests_of_the_client_pass() -> None:
    path = f"{Path(sys.prefix) / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["npm", "run", "--silent", "test", "--", "--maxWorkers=1"],
        cwd=ROOT / "web",
        env={**os.environ, "PATH": path, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_wheel_carries_the_built_client(static: Path, tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    carried = set(zipfile.ZipFile(wheel).namelist())
    built = {str(path.relative_to(ROOT / "src")) for path in static.rglob("*") if path.is_file()}
    assert built <= carried
    assert not [name for name in carried if "node_modules" in name]
