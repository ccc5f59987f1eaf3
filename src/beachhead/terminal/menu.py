"""How the answers to a question are listed: one line each, but for answers that differ only in an amount, a Unit or who
falls, which share a line. What is left out here can still be typed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..core.errors import Reason
from ..core.node import Decision
from ..landing import text
from ..landing.outline import dice_of
from ..landing.state import Landing
from ..landing.words import capital, card_name, count, either, sector_name
from ..say import say
from . import typed
from .screen import HELD

MOST = 12
"""How many answers are listed; `keys` lists them all."""


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
        said = text.label(g, decision, keys[many - 1]).replace(most, say("menu.from-one", n=most), 1)
        hint = say("menu.amounts-pay" if first.startswith("pay:") else "menu.amounts-give")
        return many, Line("", f"{first}..{most}", said, hint)
    if (many := _run(keys, "trade:")) > 1:
        units = [key[7:] for key in keys[:many]]
        said = say("menu.trade", units=either(units))
        return many, Line("", f"trade:U{'/'.join(units)}", said, say("menu.numbers", n=units[0]))
    if "," in first and (many := _run(keys, "fall:")) > 2:
        names = " ".join(card_name(card).casefold() for card in first[5:].split(","))
        said = say("menu.fall", names=names)
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
    return say("menu.more", named=named) if _are_named(found) else say("menu.many-more", n=len(found))


def _are_named(found: Sequence[Line]) -> bool:
    return len(found) <= 2 * MOST


def numbers(found: Sequence[Line], most: int = MOST) -> set[int]:
    """The numbers under which answers are shown where the first lines are listed and the rest is told in short."""
    shown = found if _are_named(found[most:]) else found[:most]
    ends = [(line.number.partition("-")[0], line.number.rpartition("-")[2]) for line in shown]
    return {n for first, last in ends for n in range(int(first), int(last) + 1)}


def closed(g: Landing, decision: Decision, refusals: Mapping[str, tuple[Reason, ...]]) -> list[str]:
    """For the question where to go, or to land: Sectors that are closed to the Unit now, each with the reason."""
    unit = g.units[decision.seat]
    if decision.name == "start":
        sectors = [(sector, f"start:{sector}") for sector in g.world.sectors]
    elif decision.name == "move":
        sectors = [(way.to, way.key) for way in g.world.ways[unit.sector] if way.to not in unit.visited]
    else:
        return []
    found = []
    for sector, key in sectors:
        if reasons := refusals.get(key, ()):
            why = say("list.break").join(reason.text for reason in reasons)
            found.append(capital(say("menu.closed", sector=sector_name(g, sector), why=why)))
    return found


def hint(offer: typed.Offer) -> str:
    """How to name dice at this question."""
    least, most = offer.sizes()
    example = max((key for key in offer.dice_keys if 1 <= len(dice_of(key)) <= 2), key=len, default=offer.keys[-1])
    named = " ".join(dice_of(example))
    if offer.verb == "roll":
        return say("menu.name-to-roll", named=named)
    return say("menu.name-dice" if least else "menu.name-dice-or-none", dice=dice_count(least, most), named=named)


def dice_count(least: int, most: int) -> str:
    if least == most:
        return count("dice", most)
    if not least:
        return say("menu.up-to", dice=count("dice", most))
    return say("mark.from-to", least=least, most=count("dice", most))
