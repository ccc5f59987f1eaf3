"""How the answers to a question are listed: one line each, but for answers that differ only in an amount, a Unit or who
falls, which share a line. What is left out here can still be typed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..core.errors import Reason
from ..core.node import Decision
from ..landing import text
from ..landing.state import Landing
from ..landing.words import capital, count, either, sector_name
from . import typed
from .screen import HELD

MOST = 12
"""How many answers are listed; `keys` lists them all."""

AMOUNTS = "Type the amount behind the name, as in: {} soldiers 2"
NUMBERS = "Type trade and the number of the Unit, as in: trade {}"


class Line(NamedTuple):
    """One answer in the list, or several of one kind."""

    number: str
    key: str
    said: str
    detail: str


def lines(g: Landing, decision: Decision, keys: Sequence[str]) -> list[Line]:
    """The answers as lines."""
    found: list[Line] = []
    n = 0
    while n < len(keys):
        many, line = _family(g, decision, keys[n:])
        number = str(n + 1) if many == 1 else f"{n + 1}-{n + many}"
        found.append(line._replace(number=number))
        n += many
    return found


def _family(g: Landing, decision: Decision, keys: Sequence[str]) -> tuple[int, Line]:
    """How many answers from the first on share a line, and that line."""
    first = keys[0]
    if (many := _amounts(keys)) > 2:
        most = keys[many - 1].rpartition("=")[2]
        said = text.label(g, decision, keys[many - 1]).replace(most, f"1 to {most}", 1)
        return many, Line("", f"{first}..{most}", said, AMOUNTS.format("pay" if first.startswith("pay:") else "give"))
    if (many := _run(keys, "trade:")) > 1:
        units = [key[7:] for key in keys[:many]]
        return many, Line("", f"trade:U{'/'.join(units)}", f"trade with Unit {either(units)}", NUMBERS.format(units[0]))
    if "," in first and (many := _run(keys, "fall:")) > 2:
        names = first[5:].replace(",", " ")
        said = f"name those who fall, as in: fall {names}"
        return many, Line("", "fall:NAME,NAME", said, "")
    return 1, Line("", first, text.label(g, decision, first), text.detail(g, decision, first))


def _amounts(keys: Sequence[str]) -> int:
    """How many keys from the first on are amounts 1, 2, 3 ... of one thing to give, take or pay."""
    stem, sign, _ = keys[0].rpartition("=")
    n = 0
    while sign and stem.startswith(("give:", "take:", "pay:")) and n < len(keys) and keys[n] == f"{stem}={n + 1}":
        n += 1
    return n


def _run(keys: Sequence[str], start: str) -> int:
    """How many keys from the first on start like this."""
    return next((n for n, key in enumerate(keys) if not key.startswith(start)), len(keys))


def rest(found: Sequence[Line]) -> str:
    """The lines that are too many, in short."""
    named = ", ".join(f"{line.number}{HELD}{line.key}" for line in found)
    return f"More: {named}" if len(found) <= 2 * MOST else f"{len(found)} more; keys lists them all."


def closed(g: Landing, decision: Decision, refusals: Mapping[str, tuple[Reason, ...]]) -> list[str]:
    """For the question where to go: ways ahead that are closed to the Unit now, each with the reason."""
    unit = g.units[decision.seat]
    found = []
    for way in g.world.ways[unit.sector]:
        reasons = refusals.get(way.key, ())
        if reasons and way.to not in unit.visited:
            found.append(
                f"{capital(sector_name(g, way.to))} is closed now: {'; '.join(reason.text for reason in reasons)}."
            )
    return found


def hint(offer: typed.Offer) -> str:
    """How to name dice at this question."""
    least, most = offer.sizes()
    example = max(
        (key for key in offer.dice_keys if 1 <= len(typed.dice_of(key)) <= 2), key=len, default=offer.keys[-1]
    )
    named = " ".join(typed.dice_of(example))
    if offer.verb == "roll":
        return f"Name the dice to roll, as in {named}, or all; keep {named} rolls the others."
    return f"Name {dice_count(least, most)}, as in {named}{', or none' if not least else ''}."


def dice_count(least: int, most: int) -> str:
    if least == most:
        return count(most, "die", "dice")
    return f"up to {count(most, 'die', 'dice')}" if not least else f"{least} to {most} dice"
