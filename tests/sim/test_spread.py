"""Work over processes and machines: the same bytes as in one process, and clear words when something is in the way."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from beachhead.core import processes as pools
from beachhead.core.errors import BeachheadError, SetupError
from beachhead.core.processes import cores, processes, worker_count
from beachhead.sim import made
from beachhead.sim import spread as rooms
from beachhead.sim.runner import cell_of, plan_of, simulate
from beachhead.sim.spread import cluster, spread
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

    machines = {"tcp://machine:1": 1}  # noqa: RUF012 - nobody changes it

    def __init__(self, address: str, timeout: float, set_as_default: bool) -> None:
        if address.endswith(":1"):
            raise OSError("timed out")
        assert not set_as_default

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def nthreads(self) -> dict[str, int]:
        return self.machines

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


class KilledWorker(Exception):
    pass


class CommClosedError(OSError):
    pass


class FutureCancelledError(CancelledError):
    pass


def fail(error: BaseException) -> Any:
    raise error


@pytest.mark.usefixtures("far")
@pytest.mark.parametrize("kind", [KilledWorker, CommClosedError, FutureCancelledError, CancelledError])
def test_a_cluster_that_is_gone_is_told_in_one_message(kind: type[BaseException]) -> None:
    told = "the scheduler at tcp://host:8786 or its machines are gone; .* the same command goes on"
    with pytest.raises(BeachheadError, match=told), cluster("tcp://host:8786") as pool:
        list(spread([partial(fail, kind("oh"))], pool))


@pytest.mark.usefixtures("far")
def test_other_errors_of_a_cluster_stay_as_they_are() -> None:
    with pytest.raises(ZeroDivisionError), cluster("tcp://host:8786") as pool:
        list(spread([partial(fail, ZeroDivisionError())], pool))


@pytest.mark.parametrize("address", ["", "nonsense", "foo://x", "foo://x:1", "tcp://host", "tcp://:8786", "a b:1"])
def test_what_is_no_address_of_a_scheduler_is_refused_at_once(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "import_module", fail)
    with pytest.raises(SetupError, match=rf"{address!r} is no address of a scheduler"), cluster(address):
        pass


@pytest.mark.usefixtures("far")
@pytest.mark.parametrize("address", ["host:8786", "tls://10.0.0.1:8786", "tcp://[::1]:8786"])
def test_an_address_of_a_scheduler(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    with cluster(address) as pool:
        assert list(spread([os.getpid], pool)) == [(0, os.getpid())]
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("far")
def test_a_scheduler_without_machines_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Client, "machines", {})
    with cluster("tcp://host:8786"):
        pass
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert "no machine has come to the scheduler at tcp://host:8786 yet" in told.err


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
    monkeypatch.setattr(pools, "QUOTA", tmp_path / "cpu.max")
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: range(99))
    assert cores() == most


def test_the_command_line_needs_no_cluster_packages() -> None:
    assert "distributed" not in sys.modules
