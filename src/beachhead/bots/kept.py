"""Properties of what a seat sees that are worked out when they are first asked for, and for how long they are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

Found = TypeVar("Found")


class once(Generic[Found]):
    """A property that is worked out when it is first asked for; `cached_property` without its lock."""

    def __init__(self, work: Callable[[Any], Found]) -> None:
        self.work = work
        self.name = work.__name__

    def __get__(self, it: Any, owner: object = None) -> Found:
        found = it.__dict__[self.name] = self.work(it)
        return found


class lasting(once[Found]):
    """The same for what does not depend on how dice lie: looks that follow may know it already (`Look.remember`)."""

    kept = "known"

    def __get__(self, it: Any, owner: object = None) -> Found:
        if it.known is None:
            it.recall()
            if self.name in it.__dict__:
                return cast(Found, it.__dict__[self.name])
        found = self.work(it)
        it.__dict__[self.name] = getattr(it, self.kept)[self.name] = found
        return found


class steady(lasting[Found]):
    """The same for what depends on places and cards alone: it outlasts phases, and what the Unit gains and loses."""

    kept = "known_steady"
