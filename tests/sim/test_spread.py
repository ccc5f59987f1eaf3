"""Work over processes and machines: the same bytes as in one process, and clear words when something is in the way."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from beachhead.core.errors import BeachheadError, SetupError
from beachhead.sim import made
from beachhead.sim import spread as rooms
from beachhead.sim.runner import cell_of, plan_of, simulate
from beachhead.sim.spread import cluster, cores, processes, spread, worker_count
from beachhead.sim.store import Plan, Store

DUO = {"edition": "second", "map": "n01-exercise-tiger", "seats": 2}


def plan() -> Plan:
    return plan_of([cell_of("landing", DUO, [bot]) for bot in ("random", "thumb")], 6)


def played(pool: Executor | None) -> list[Any]:
    order = plan()
    store = Store(order)
    simulate(order, store, pool)
    return [list(store.rows(cell)) for cell in range(2)]


@pytest.fixture(scope="module")
def alone() -> list[Any]:
    return played(None)


@pytest.fixture(scope="module")
def two() -> Iterator[Executor]:
    """One pair of processes for all tests here: they take a while to start."""
    made._engine.cache_clear()  # the source may have been edited since the tests began, and new processes read it anew
    with processes(2) as pool:
        assert pool is not None
        yield pool


def test_the_number_of_processes_changes_nothing(alone: list[Any], two: Executor) -> None:
    assert played(two) == alone


def test_an_error_in_another_process_is_told_as_it_is(two: Executor) -> None:
    with pytest.raises(SetupError, match="x workers: expected a number"):
        list(spread([partial(worker_count, "x")], two))


def test_one_process_is_this_one() -> None:
    with processes(1) as pool:
        assert pool is None
        assert list(spread([os.getpid], pool)) == [(0, os.getpid())]


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_is_killed_is_told() -> None:
    with pytest.raises(BeachheadError, match="a process that played was ended"), processes(2) as pool:
        list(spread([_die], pool))


def test_what_is_not_begun_is_dropped_when_the_run_ends() -> None:
    with ThreadPoolExecutor(1) as pool:
        begun: list[int] = []
        results = spread([partial(begun.append, n) for n in range(200)], pool)
        next(results)
        results.close()  # type: ignore[attr-defined]
    assert len(begun) < 200


# ---- many machines


class Client:
    """What is used of a client of `distributed`: it gives an executor."""

    def __init__(self, address: str, timeout: float, set_as_default: bool) -> None:
        if not address.startswith("tcp://"):
            raise ValueError(f"no protocol in {address}")
        if address.endswith(":1"):
            raise OSError("timed out")
        assert not set_as_default

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def get_executor(self, pure: bool) -> Executor:
        assert not pure
        return ThreadPoolExecutor(2)


def missing(name: str) -> Any:
    raise ModuleNotFoundError(f"No module named {name!r}")


@pytest.fixture
def far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "import_module", lambda name: SimpleNamespace(Client=Client))


@pytest.mark.usefixtures("far")
def test_a_cluster_plays_the_same_games(alone: list[Any]) -> None:
    with cluster("tcp://host:8786") as pool:
        assert played(pool) == alone


@pytest.mark.usefixtures("far")
@pytest.mark.parametrize(
    ("address", "job", "message"),
    [
        ("tcp://host:1", print, "no scheduler answers at tcp://host:1: timed out"),
        ("host", print, "no scheduler answers at host: no protocol"),
        (
            "tcp://host:8786",
            partial(missing, "beachhead"),
            "need Beachhead, as it is here: No module named 'beachhead'",
        ),
    ],
)
def test_a_cluster_that_does_not_work(address: str, job: Callable[[], Any], message: str) -> None:
    with pytest.raises(BeachheadError, match=message), cluster(address) as pool:
        list(spread([job], pool))


def test_without_its_packages_a_cluster_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "import_module", missing)
    told = r"--cluster needs more packages: pip install 'beachhead\[cluster\]'"
    with pytest.raises(BeachheadError, match=told), cluster("tcp://host:8786"):
        pass


# ---- how many


def test_auto_is_all_cores() -> None:
    assert worker_count("auto") == worker_count(None) == cores() >= 1
    assert worker_count("3") == 3


@pytest.mark.parametrize(("text", "message"), [("0", "0 workers: expected 1 or more"), ("many", "many workers:")])
def test_a_wrong_number_of_workers(text: str, message: str) -> None:
    with pytest.raises(SetupError, match=message):
        worker_count(text)


@pytest.mark.parametrize(("quota", "most"), [("150000 100000", 2), ("50000 100000", 1), ("max 100000", 99), ("", 99)])
@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="counts cores as Linux does")
def test_a_container_has_the_cores_of_its_quota(
    quota: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cpu.max").write_text(quota)
    monkeypatch.setattr(rooms, "QUOTA", tmp_path / "cpu.max")
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: range(99))
    assert cores() == most


def test_the_command_line_needs_no_cluster_packages() -> None:
    assert "distributed" not in sys.modules
