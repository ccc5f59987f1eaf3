"""Work over several processes of this machine, or over many machines."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from importlib import import_module
from math import ceil
from multiprocessing.connection import wait
from pathlib import Path
from typing import TypeVar

from ..core.errors import BeachheadError, SetupError
from ..say import language, say, speak

T = TypeVar("T")

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


def spread(jobs: Sequence[Callable[[], T]], pool: Executor | None) -> Iterator[tuple[int, T]]:
    """What each job gives, with its number, as they end; without a pool in this process, one after the other."""
    if pool is None:
        for number, job in enumerate(jobs):
            yield number, job()
        return
    numbers = {pool.submit(job): number for number, job in enumerate(jobs)}
    try:
        for done in as_completed(list(numbers)):
            yield numbers.pop(done), done.result()
    except BrokenExecutor:
        raise BeachheadError(say("sim.worker-died")) from None
    finally:
        for future in numbers:
            future.cancel()


@contextmanager
def processes(workers: int) -> Iterator[Executor | None]:
    """So many processes; none for one, whose work is done here.

    They are started afresh, as a process that has threads must not be copied. When this one is stopped they are too,
    also when it is killed: what they were at is lost.
    """
    if workers == 1:
        yield None
        return
    others = multiprocessing.active_children()
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin, (language(),)) as pool:
        try:
            yield pool
        except BaseException:
            for child in multiprocessing.active_children():
                if child not in others:
                    child.terminate()
            pool.shutdown(cancel_futures=True)
            raise


def _begin(spoken: str) -> None:
    """In a new process: interrupts are the parent's, and without a parent there is nothing to do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    speak(spoken)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """The machines of a scheduler of `distributed` (dask)."""
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise BeachheadError(say("sim.extra", what="--cluster", extra="cluster")) from None
    try:
        client = distributed.Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise BeachheadError(say("sim.no-cluster", address=address, why=error)) from None
    with client:
        pool: Executor = client.get_executor(pure=False)
        try:
            yield pool
        except ModuleNotFoundError as error:
            raise BeachheadError(say("sim.no-beachhead", why=error)) from None
        finally:
            pool.shutdown(wait=False)
