"""How much one guest, one seat and one address may ask of the server. Nothing of it is written down anywhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial


@dataclass(frozen=True, slots=True)
class Limits:
    """The figures. A limited guest is told so and stays; only what cannot be served at all is turned away."""

    rate: float = 20
    """Messages per second of one socket, and what it may send at once."""
    burst: int = 40
    per_address: int = 50
    """Sockets of one address."""
    per_seat: int = 6
    """Sockets with the same link."""
    guesses: float = 0.5
    """Wrong links per second of one address, and how many at once."""
    guess_burst: int = 30
    tables: float = 0.5
    """New tables per second of one address, and how many at once."""
    table_burst: int = 60
    requests: float = 60
    """Requests per second of one address, and how many at once."""
    request_burst: int = 600
    queue: int = 128
    """Messages that wait for one slow socket."""
    message: int = 16 * 1024
    """Bytes of one message."""
    form: int = 64 * 1024
    """Bytes of the body of a request."""
    record: int = 4 * 1024 * 1024
    """Bytes of a record that is sent in."""
    hello: float = 10
    """Seconds within which a socket has to say hello."""


class Bucket:
    """So many per second, with so many at once: a bucket that drips."""

    __slots__ = ("_at", "_clock", "_left", "burst", "rate")

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.burst = burst
        self._clock = clock
        self._left = float(burst)
        self._at = clock()

    def _drip(self) -> None:
        now = self._clock()
        self._left = min(self.burst, self._left + (now - self._at) * self.rate)
        self._at = now

    def take(self) -> bool:
        """Take one, if there is one."""
        self._drip()
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def wait(self) -> float:
        """How many seconds until there is one."""
        self._drip()
        return max(0.0, (1 - self._left) / self.rate)

    @property
    def full(self) -> bool:
        self._drip()
        return self._left >= self.burst


class Buckets:
    """A bucket for each name; those that are full again are forgotten."""

    MOST = 4096

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._new = partial(Bucket, rate, burst, clock)
        self._found: dict[Hashable, Bucket] = {}

    def of(self, name: Hashable) -> Bucket:
        found = self._found.get(name)
        if found is None:
            if len(self._found) >= self.MOST:
                self._found = {key: bucket for key, bucket in self._found.items() if not bucket.full}
            found = self._found[name] = self._new()
        return found


class Counted:
    """How many there are of each name, up to a limit."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._counts: dict[Hashable, int] = {}

    def enter(self, name: Hashable) -> bool:
        count = self._counts.get(name, 0)
        if count >= self.most:
            return False
        self._counts[name] = count + 1
        return True

    def leave(self, name: Hashable) -> None:
        count = self._counts.get(name, 0) - 1
        if count > 0:
            self._counts[name] = count
        else:
            self._counts.pop(name, None)

    def count(self, name: Hashable) -> int:
        return self._counts.get(name, 0)
