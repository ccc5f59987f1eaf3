"""The machine code of `kernel`, once it is ready. Nobody waits for it: until then, and without numba, numpy works.

`prepare()` returns at once. Another process compiles, which takes some seconds the first time, and leaves the code on
disk; then this one loads it. `python -m beachhead.solve.fast` compiles ahead.
"""

from __future__ import annotations

import logging
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from threading import Lock, Thread
from typing import Any

_log = logging.getLogger(__name__)
_lock = Lock()
_kernel: Any = None
_thread: Thread | None = None


def ready() -> Any:
    """The kernel, or None."""
    return _kernel


def prepare() -> Thread | None:
    """Begin to make the kernel ready. Who wants to wait all the same may join the thread; None: there is no numba."""
    global _thread  # noqa: PLW0603
    if find_spec("numba") is None:
        return None
    with _lock:
        if _thread is None:
            _thread = Thread(target=_load, name="beachhead-kernel", daemon=True)
            _thread.start()
    return _thread


def _load() -> None:
    global _kernel  # noqa: PLW0603
    try:
        subprocess.run([sys.executable, "-m", __name__], capture_output=True, check=True, stdin=subprocess.DEVNULL)
        _kernel = _compiled()
    except Exception as error:  # whatever is wrong with numba or its cache, numpy gives the same answers
        _log.warning("no machine code for the dice, numpy does it: %s", error)


def _compiled() -> Any:
    kernel = import_module("beachhead.solve.kernel")
    kernel.warm()
    return kernel


if __name__ == "__main__" and find_spec("numba") is not None:
    _compiled()
