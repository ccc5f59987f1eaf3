"""What is kept of a game, one line of JSON each: all that figures, tables and pictures are made from."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """One game that is over."""

    n: int
    """Its number, from 1."""
    won: bool
    cause: str
    turns: int
    """0 where the game does not count them."""
    decisions: int
    soldiers: tuple[int, ...] = ()
    """Per Unit, at the end."""
    points: tuple[int, ...] = ()
    """Victory Points per Unit, where they are counted."""
    course: tuple[tuple[int, ...], ...] = ()
    """Per turn: the Soldiers of each Unit as it began."""
    ways: tuple[tuple[str, ...], ...] = ()
    """Per Unit: the Sectors where it stood, in their order."""
    stays: tuple[tuple[int, ...], ...] = ()
    """Per Unit: how many turns it began in each of them."""
    lost: tuple[int, ...] = ()
    """Seats of the Units that were lost."""
    faults: int = 0
    """Answers that a random one had to stand in for, as the bot crashed or gave none that is legal."""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Row).decode


def to_lines(rows: Iterable[Row]) -> bytes:
    return b"".join(_encode(row) + b"\n" for row in rows)


def from_lines(lines: bytes) -> list[Row]:
    """Raises msgspec.DecodeError where a line is no row."""
    return [_decode(line) for line in lines.splitlines()]
