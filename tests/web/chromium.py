"""Which Chromium the tests use, and how it is started.

`python -m tests.web.chromium unpack` makes one from the npm package that lies in `.browser/node_modules`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

ROOT = Path(__file__).parents[2]
OURS = ROOT / ".browser"
SYSTEM = Path("/usr/bin/chromium")

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    # no name is ever looked up: a foreign host cannot be reached even by mistake
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    # small in memory: one renderer for all pages of a context, no process of its own for the drawing
    "--in-process-gpu",
    "--renderer-process-limit=2",
    "--disable-site-isolation-trials",
    "--font-render-hinting=none",
)

FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <dir>{here}/fonts</dir>
  <cachedir>{here}/font-cache</cachedir>
</fontconfig>
"""

UNPACK = """
const [from, to] = process.argv.slice(1);
const fs = require("node:fs");
const stream = fs.createReadStream(from).pipe(require("node:zlib").createBrotliDecompress());
stream.pipe(fs.createWriteStream(to)).on("error", (error) => { throw error; });
"""


def find() -> Path:
    """The Chromium named by CHROMIUM, else that of the system, else the one that `make browser` fetched."""
    named = os.environ.get("CHROMIUM")
    if named:
        return Path(named)
    for path in (SYSTEM, OURS / "chromium"):
        if path.exists():
            return path
    raise FileNotFoundError("There is no Chromium for the tests. `make browser` fetches one.")


def launch(playwright: Playwright) -> Browser:
    from playwright.sync_api import Error

    path = find()
    env: dict[str, str | float | bool] = {**os.environ}
    if path.parent == OURS:
        env |= {"LD_LIBRARY_PATH": str(OURS / "lib"), "FONTCONFIG_FILE": str(OURS / "fonts.conf")}
    try:
        return playwright.chromium.launch(executable_path=path, args=list(FLAGS), env=env)
    except Error as error:  # under load it has crashed at its start
        print(f"Chromium did not start, a second try follows: {error}", file=sys.stderr)
        return playwright.chromium.launch(executable_path=path, args=list(FLAGS), env=env)


def unpack() -> None:
    """From the packed files of the npm package to a Chromium that starts, with its libraries and a font."""
    packed = OURS / "node_modules/@sparticuz/chromium/bin"
    for name in ("chromium", "al2023.tar", "fonts.tar", "swiftshader.tar"):
        subprocess.run(["node", "-e", UNPACK, str(packed / f"{name}.br"), str(OURS / name)], check=True)
        if name.endswith(".tar"):
            with tarfile.open(OURS / name) as archive:
                if hasattr(tarfile, "data_filter"):  # since Python 3.11.4
                    archive.extractall(OURS, filter="data")
                else:
                    archive.extractall(OURS)
            (OURS / name).unlink()
    (OURS / "chromium").chmod(0o755)
    (OURS / "fonts.conf").write_text(FONTS.format(here=OURS), encoding="utf-8")
    shutil.rmtree(OURS / "node_modules")


if __name__ == "__main__":
    if sys.argv[1:] != ["unpack"]:
        sys.exit(__doc__)
    unpack()
