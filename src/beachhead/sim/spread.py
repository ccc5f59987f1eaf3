"""Work over several processes of this machine, or over many machines."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, as_completed
from contextlib import contextmanager
from importlib import import_module
from typing import TypeVar

from ..core.errors import BeachheadError, SetupError
from ..say import say

T = TypeVar("T")

ADDRESS = re.compile(r"((tcp|tls|ws|wss)://)?([\w.-]+|\[[0-9a-fA-F:.]+\]):\d{1,5}")
"""Of a scheduler."""
GONE = {"CancelledError", "KilledWorker", "CommClosedError"}
"""What `distributed` raises when the scheduler or its machines are gone, by the names of the classes."""


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
def cluster(address: str) -> Iterator[Executor]:
    """The machines of a scheduler of `distributed` (dask)."""
    if not ADDRESS.fullmatch(address):
        raise SetupError(say("sim.cluster-address", address=repr(address)))
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise BeachheadError(say("sim.extra", what="--cluster", extra="cluster")) from None
    try:
        client = distributed.Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise BeachheadError(say("sim.no-cluster", address=address, why=error)) from None
    try:
        with client:
            if not client.nthreads():
                print(say("sim.no-machines", address=address), file=sys.stderr)
            pool: Executor = client.get_executor(pure=False)
            try:
                yield pool
            finally:
                pool.shutdown(wait=False)
    except ModuleNotFoundError as error:
        raise BeachheadError(say("sim.no-beachhead", why=error)) from None
    except BaseException as error:
        if GONE & {kind.__name__ for kind in type(error).__mro__}:
            raise BeachheadError(say("sim.cluster-gone", address=address)) from None
        raise
