"""The machine code gives what numpy gives, and nobody waits for it or depends on it."""

from __future__ import annotations

import importlib
import subprocess
import sys
import types
from collections.abc import Callable, Iterator
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from beachhead.bots.gains import COLUMNS
from beachhead.bots.values import FIXED, MOMENTS, MOVING, START, Standing, Values
from beachhead.solve import fast
from beachhead.solve.multisets import ROLLS
from beachhead.solve.turn import SIX, first_of, solve

from .dice import Dice, some_values

KERNEL = "beachhead.solve.kernel"
CASES: list[dict[str, Any]] = [
    *({"lock": lock} for lock in range(7)),
    {"skulls_stay": True},
    {"singles": 1},
    {"rolls": 1, "singles": 2, "skulls_stay": True},
    {"rolls": 2, "lock": 1},
    {"rolls": 4, "lock": 3},
]


def agree(kernel: Any, monkeypatch: pytest.MonkeyPatch, dice: Dice, case: dict[str, Any]) -> None:
    monkeypatch.setattr(fast, "ready", lambda: None)
    table = some_values(dice, seed=4)
    case = case | {"lock": min(case.get("lock", 2), sum(dice))}
    slow, quick = solve(table, dice=dice, **case), solve(table, dice=dice, **case)
    rng = Random(1)
    faces = tuple(rng.randrange(6) if die < dice[colour] else -1 for colour in range(3) for die in range(2))
    expected = slow.first, [slow.choices(faces, 0, roll) for roll in range(1, slow.stages + 2)]
    some = rng.sample([place for place, face in enumerate(faces) if face >= 0], quick.lock)
    kept = sum(1 << place for place in some)
    then = [slow.choices(faces, kept, roll)[0] for roll in range(2, slow.stages + 2)]
    with monkeypatch.context() as patch:
        patch.setattr(fast, "ready", lambda: kernel)
        assert [quick.best(faces, kept, roll)[1:] for roll in range(2, quick.stages + 2)] == [one[1:] for one in then]
        locks = sorted(quick.locks(faces), key=lambda found: found[1])
        found = quick.first, [quick.choices(faces, 0, roll) for roll in range(1, quick.stages + 2)]
        best = [quick.best(faces, 0, roll) for roll in range(1, quick.stages + 2)]
    for roll, (one, all_) in enumerate(zip(best, expected[1], strict=True), 1):
        assert one.locked == all_[0].locked and one.value == pytest.approx(all_[0].value, rel=1e-12)
        assert one.roll == all_[0].roll or (roll == 1 and one.locked)
    ways = sorted(expected[1][0], key=lambda choice: choice.locked)
    assert [locked for _, locked in locks] == [choice.locked for choice in ways]
    np.testing.assert_allclose([worth for worth, _ in locks], [choice.value for choice in ways], rtol=1e-12)
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-12)
    for ones, others in zip(found[1], expected[1], strict=True):
        assert [(one.roll, one.locked) for one in ones] == [(one.roll, one.locked) for one in others]
        np.testing.assert_allclose([one.value for one in ones], [one.value for one in others], rtol=1e-12)


def some_locked_agree(kernel: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some dice are Locked and more are to be; and single dice where no card lets anybody roll one."""
    rng = Random(7)
    for _ in range(60):
        lock = rng.randint(2, 5)
        slow, quick = (solve(some_values(SIX, seed=3), lock) for _ in range(2))
        faces = tuple(rng.randrange(6) for _ in range(6))
        locked = sum(1 << place for place in rng.sample(range(6), rng.randint(1, lock)))
        monkeypatch.setattr(fast, "ready", lambda: None)
        expected, singly = slow.best(faces, locked), slow.singly(faces, locked)
        monkeypatch.setattr(fast, "ready", lambda: kernel)
        found = quick.best(faces, locked)
        assert found.locked == expected.locked and found.value == pytest.approx(expected.value, rel=1e-12)
        assert [one[1:] for one in quick.singly(faces, locked)] == [one[1:] for one in singly]


def test_dice_that_are_locked_already_count_in_the_kernel(plain_kernel: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    some_locked_agree(plain_kernel, monkeypatch)


@pytest.fixture
def plain_kernel(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The kernel as Python, whether numba is there or not."""

    def njit(**options: object) -> Callable[[Any], Any]:
        return lambda function: function

    numba = types.ModuleType("numba")
    numba.njit, numba.config = njit, types.SimpleNamespace()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "numba", numba)
    before = sys.modules.pop(KERNEL, None)
    yield importlib.import_module(KERNEL)
    sys.modules.pop(KERNEL)
    if before is not None:
        sys.modules[KERNEL] = before


@pytest.mark.parametrize("dice", [(1, 1, 1), (2, 0, 1), (0, 2, 0)])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_kernel_counts_as_numpy_does(
    plain_kernel: Any, monkeypatch: pytest.MonkeyPatch, dice: Dice, case: dict[str, Any]
) -> None:
    agree(plain_kernel, monkeypatch, dice, case)


def test_the_greatest_of_each_stretch_is_what_numpy_finds(plain_kernel: Any) -> None:
    rng = np.random.default_rng(5)
    worths, leads = rng.random(40), rng.integers(0, 40, 90).astype(np.int32)
    starts, kinds = np.array([0, 1, 2, 7, 30, 31, 89]), rng.integers(0, 7, 20).astype(np.uint16)
    expected = np.maximum.reduceat(worths[leads], starts)[kinds]
    assert (plain_kernel.greatest(worths, leads, starts, kinds) == expected).all()


def worths_agree(kernel: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast, "ready", lambda: None)
    rng = np.random.default_rng(6)
    inputs, hidden = MOVING + FIXED + 3, 5
    net = {"w": rng.normal(size=(inputs, hidden)), "b": rng.normal(size=hidden), "v": rng.normal(size=hidden)}
    net |= {"u": rng.normal(size=inputs), "c": np.ones(1)}
    learned = Values(None, ("1", "medic", "hero"), dict.fromkeys(MOMENTS, net), {})
    rows = rng.integers(-4, 5, (60, len(COLUMNS))).astype(float)
    kept = rows.copy()
    kept.flags.writeable = False
    for stays, closed, early, judge in product(range(4), (False, True), (False, True), (learned, START)):
        has = rng.integers(0, 9, 5).astype(float)
        fixed = tuple(rng.random(FIXED))
        at = Standing(*has, 2, -7.5, 3.5, 6, 7, stays, 2.0, closed, early, "1", ("hero", "jeep"), fixed)
        slow = judge.worth(at, rows)
        with monkeypatch.context() as patch:
            patch.setattr(fast, "ready", lambda: kernel)
            np.testing.assert_allclose(judge.worth(at, rows), slow, rtol=1e-12)
            np.testing.assert_allclose(judge.worth(at, kept), slow, rtol=1e-12)


def test_situations_are_worth_as_much_in_the_kernel(plain_kernel: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    worths_agree(plain_kernel, monkeypatch)


def test_situations_are_worth_as_much_in_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    worths_agree(importlib.import_module(KERNEL), monkeypatch)


@pytest.mark.parametrize("dice", [SIX, (2, 1, 2)])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_compiled_kernel_counts_as_numpy_does(
    monkeypatch: pytest.MonkeyPatch, dice: Dice, case: dict[str, Any]
) -> None:
    pytest.importorskip("numba")
    agree(importlib.import_module(KERNEL), monkeypatch, dice, case)


def stars(dice: Dice, each: float) -> Any:
    """What the Stars of a tally are worth: their colours do not matter, so many choices are equal."""
    many = [np.array([faces.count(1) for faces in ROLLS[n]]) for n in dice]
    return each * (many[0][:, None, None] + many[1][None, :, None] + many[2][None, None, :])


def ties_agree(kernel: Any, monkeypatch: pytest.MonkeyPatch, dice: Dice, each: float, case: dict[str, Any]) -> None:
    """Of equal Locks the first by dice; of equal rolls the one of the fewest dice. By both ways to count."""
    table = stars(dice, each) + 1 / 3
    faces = tuple((1, 3, 1, 3, 3, 1)[at] if at % 2 < dice[at // 2] else -1 for at in range(6))
    chosen = []
    for ready in (None, kernel):
        with monkeypatch.context() as patch:
            patch.setattr(fast, "ready", lambda ready=ready: ready)
            turn = solve(table, dice=dice, **case)
            choices = turn.choices(faces)
            locks = [choice.locked for choice in choices]
            assert turn.best(faces).locked == locks[0]
            first = turn.choices(faces, locks[0], 2)
            assert turn.best(faces, locks[0], 2)[1:] == first[0][1:]
            chosen.append((locks, [choice[1:] for choice in first]))
    assert chosen[0] == chosen[1]
    if dice == SIX and case["lock"] == 2:
        assert chosen[0][0][0] == (0b000101 if each else 0b000011), "R1 and W1 are Stars, as is B2"
        assert chosen[0][1][0][0] == (0b011010 if each else 0), "roll all but Stars, or nothing at all"


TIES: list[tuple[Dice, float, dict[str, Any]]] = [
    (dice, each, {"lock": lock, "rolls": 3})
    for dice in (SIX, (2, 1, 2))
    for each in (0.0, 1 / 7, 100 / 3)
    for lock in (1, 2, 3)
]


@pytest.mark.parametrize(("dice", "each", "case"), TIES, ids=str)
def test_of_equal_choices_machine_code_takes_the_same(
    monkeypatch: pytest.MonkeyPatch, dice: Dice, each: float, case: dict[str, Any]
) -> None:
    pytest.importorskip("numba")
    ties_agree(importlib.import_module(KERNEL), monkeypatch, dice, each, case)


@pytest.mark.parametrize("each", [0.0, 1 / 7])
def test_of_equal_choices_the_kernel_takes_the_same(
    plain_kernel: Any, monkeypatch: pytest.MonkeyPatch, each: float
) -> None:
    ties_agree(plain_kernel, monkeypatch, (1, 1, 1), each, {"lock": 1, "rolls": 3})


def test_values_that_only_rounding_tells_apart_are_equal() -> None:
    third = 1 / 3
    assert first_of([third, third + 1e-14, 0.1]) == 0
    assert first_of([third, third + 1e-9, 0.1]) == 1
    assert first_of([1e6, 1e6 + 1e-8]) == 0, "of great numbers a part of them counts"


@pytest.fixture
def unprepared(monkeypatch: pytest.MonkeyPatch) -> None:
    if fast._thread is not None:  # of a bot that was loaded before
        fast._thread.join()
    monkeypatch.setattr(fast, "_kernel", None)
    monkeypatch.setattr(fast, "_thread", None)


def test_without_numba_there_is_nothing_to_prepare(unprepared: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast, "find_spec", lambda name: None)
    assert fast.prepare() is None
    assert fast.ready() is None


def test_a_kernel_that_cannot_be_made_leaves_numpy(unprepared: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(command: list[str], **options: object) -> None:
        raise subprocess.CalledProcessError(1, command)

    monkeypatch.setattr(fast, "find_spec", lambda name: object())
    monkeypatch.setattr(subprocess, "run", fail)
    thread = fast.prepare()
    assert thread is not None
    assert fast.prepare() is thread
    thread.join()
    assert fast.ready() is None
    assert solve(np.ones(9261)).value == pytest.approx(1)


def test_a_kernel_is_made_elsewhere_and_then_loaded(unprepared: None, monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []
    made = object()
    monkeypatch.setattr(fast, "find_spec", lambda name: object())
    monkeypatch.setattr(subprocess, "run", lambda command, **options: commands.append(command))
    monkeypatch.setattr(fast, "_compiled", lambda: made)
    thread = fast.prepare()
    assert thread is not None
    thread.join()
    assert commands == [[sys.executable, "-m", "beachhead.solve.fast"]]
    assert fast.ready() is made
