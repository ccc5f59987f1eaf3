"""Processes of this machine: how many there may be, and a pool of them that never outlives this one."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from math import ceil
from multiprocessing.connection import wait
from pathlib import Path

from ..say import language, say, speak
from .errors import SetupError

QUOTA = Path("/sys/fs/cgroup/cpu.max")
"""What a container may use of its machine, on Linux: microseconds, and of how many; or "max"."""


def cores() -> int:
    """How many cores this process may use."""
    found = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, of = QUOTA.read_text().split()
        return max(1, min(found, ceil(int(quota) / int(of))))
    except (OSError, ValueError):
        return found


def worker_count(given: str | None) -> int:
    """What `--workers` says: a number, or `auto` for all cores."""
    if given in (None, "auto"):
        return cores()
    try:
        workers = int(str(given))
    except ValueError:
        raise SetupError(say("setup.workers", text=given)) from None
    if workers < 1:
        raise SetupError(say("setup.few-workers", n=workers))
    return workers


@contextmanager
def processes(workers: int, prepare: Callable[[], object] | None = None) -> Iterator[Executor | None]:
    """So many processes; none for one, whose work is done here. With `prepare`, each of them begins with that.

    They are started afresh, as a process that has threads must not be copied. When this one is stopped they are too,
    also when it is killed: what they were at is lost.
    """
    if workers == 1:
        yield None
        return
    others = multiprocessing.active_children()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, _begin, (language(), prepare)) as pool:
        try:
            yield pool
        except BaseException:
            for child in multiprocessing.active_children():
                if child not in others:
                    child.terminate()
            pool.shutdown(cancel_futures=True)
            raise


def _begin(spoken: str, prepare: Callable[[], object] | None) -> None:
    """In a new process: interrupts are the parent's, and without a parent there is nothing to do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    speak(spoken)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if prepare is not None:
        prepare()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)
