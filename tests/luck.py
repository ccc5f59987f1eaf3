"""Luck that comes again: in the tests the seeds of games and the choices of bots are the same in every run.

They follow from the test that draws them (or the shared fixture), from how many it has drawn before, and from the
environment variable BEACHHEAD_TEST_LUCK: "0", or any other text for other luck. No test may depend on it. Tokens and
the ids of tables stay random. A test of the randomness itself is marked `true_luck`.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from random import Random
from types import SimpleNamespace

from beachhead.core import chance
from beachhead.table import running
from beachhead.terminal import plain

NAME = "BEACHHEAD_TEST_LUCK"
LUCK = os.environ.get(NAME, "0")

TRUE = ""
"""The place where nothing is fixed."""

_new_seed, _secrets = chance.new_seed, running.secrets
_places = [TRUE]
_words = [""]
_draws: defaultdict[str, Iterator[int]] = defaultdict(count)


def install() -> None:
    """From now on, in this process."""
    chance.new_seed = seed
    running.secrets = SimpleNamespace(randbits=bits)  # type: ignore[assignment]
    plain.Random = generator  # type: ignore[assignment, misc]


@contextmanager
def at(place: str) -> Iterator[None]:
    """What is drawn meanwhile is the luck of this place, from its first draw on."""
    _draws.pop(place, None)
    _places.append(place)
    try:
        yield
    finally:
        _places.pop()


@contextmanager
def words(said: str) -> Iterator[None]:
    """Games that begin meanwhile have the dice of these words, with any luck."""
    _words.append(said)
    try:
        yield
    finally:
        _words.pop()


def seed() -> str:
    place = _places[-1]
    if _words[-1]:
        return chance.seed_from(_words[-1])
    if place == TRUE:
        return _new_seed()
    return chance.seed_from(f"luck {LUCK} of {place}, draw {next(_draws[place])}")


def bits(size: int) -> int:
    return _secrets.randbits(size) if _places[-1] == TRUE else Random(seed()).getrandbits(size)


def generator(*given: str) -> Random:
    return Random(*given) if given or _places[-1] == TRUE else Random(seed())


def command(place: str = "") -> list[str]:
    """How `beachhead` is started as a process of its own with the luck of this test, and of a place within it."""
    return [sys.executable, "-c", "from tests.luck import main; main()", os.environ["PYTEST_CURRENT_TEST"] + place]


def main() -> None:
    from beachhead.cli import main as beachhead

    install()
    with at(sys.argv.pop(1)):
        beachhead()
