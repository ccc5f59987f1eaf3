"""Where the lines of the plain mode go."""

from __future__ import annotations

import os
import re
import textwrap
from typing import TextIO

HELD = "\u00a0"
"""A blank at which no line is broken."""


class Screen:
    """Where lines go: wrapped to the width, with a little colour if it is a terminal that wants it."""

    def __init__(self, out: TextIO, colour: bool = False, width: int = 80) -> None:
        self.out = out
        self.colour = colour
        self.width = width
        self.count = 0
        """Lines since somebody set it to 0."""

    def say(self, line: str = "", indent: int = 0, hang: int = 0, bold: bool = False) -> None:
        """A line that is wrapped; `hang` is how much further the next lines are set in."""
        first, rest = " " * indent, " " * (indent + hang)
        lines = textwrap.wrap(
            line,
            self.width,
            initial_indent=first,
            subsequent_indent=rest,
            break_on_hyphens=False,
            break_long_words=False,
        )
        for one in lines or [""]:
            self.raw(one, bold)

    def raw(self, line: str, bold: bool = False) -> None:
        """A line as it is, but for signs that would do something to a terminal."""
        line = line.replace(HELD, " ")
        line = "".join(sign if sign.isprintable() else "?" for sign in line)
        if self.colour:
            line = re.sub(r"\b([RWB])([12])\b", _paint, line)
            line = f"\x1b[1m{line}\x1b[0m" if bold else line
        self.out.write(line + "\n")
        self.count += 1


INK = {"R": "\x1b[91m", "W": "\x1b[97m", "B": "\x1b[94m"}


def _paint(die: re.Match[str]) -> str:
    return f"{INK[die[1]]}{die[0]}\x1b[39m"


def wants_colour(out: TextIO) -> bool:
    return out.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
