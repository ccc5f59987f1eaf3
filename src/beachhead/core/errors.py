"""What can go wrong, said so that a person knows what to do.

A `BeachheadError` is a mistake of the caller or of a file, never a bug of ours: its text is one clear
message (what, where, what was expected) that a door may print as it is. Anything else that is raised is a bug.
"""

from __future__ import annotations

from typing import NamedTuple


class BeachheadError(Exception):
    """The root of everything that is told to a user without a traceback."""


class Reason(NamedTuple):
    """One rule that stands in the way, in words and with its id in the register."""

    text: str
    rule: str


class Invalid(BeachheadError):
    """The answer is not understood: no such seat, question or key."""


class Stale(BeachheadError):
    """The answer is for an older question of that seat."""


class Illegal(BeachheadError):
    """The answer is understood and not allowed; `reasons` holds every rule in the way."""

    def __init__(self, key: str, reasons: tuple[Reason, ...]) -> None:
        self.key = key
        self.reasons = reasons
        super().__init__(f"{key}: " + "; ".join(f"{r.text} [{r.rule}]" for r in reasons))


class SetupError(BeachheadError):
    """The game that was asked for cannot be set up (unknown edition, map, card, option, clash of options)."""


class RecordError(BeachheadError):
    """A record cannot be read, or does not say what it claims."""


class Fault(NamedTuple):
    """One thing that is wrong in a content or scenario file."""

    file: str
    line: int
    where: str
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.where}: {self.message}" if self.where else f"{place}: {self.message}"


class ContentError(BeachheadError):
    """All faults of a file at once, each with file, line, key and what was expected."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = faults
        super().__init__("\n".join(str(fault) for fault in faults))
