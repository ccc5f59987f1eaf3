"""The questions that a guest may answer, every answer in words, and those that are not allowed with every reason."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ..core.errors import Reason
from ..core.node import Decision
from ..landing import outline, text
from ..landing.state import Landing
from ..landing.words import amounts, sector_name
from ..say import capital
from ..table.match import Match
from . import messages as m
from .shown import known, landing, tell

NUMBERED = frozenset(("give", "take", "die", "pay", "choose"))
"""Verbs of keys in which a bare number is no Sector."""


def ask_now(match: Match, decision: Decision, undo: Mapping[int, str]) -> m.AskNow:
    g, seat = landing(match), decision.seat
    verb, dice = outline.dice_keys(decision.keys)
    steps = outline.amount_keys(decision.keys)
    apart = {*dice, *(f"{verb}:{name}={n}" for (verb, name), most in steps.items() for n in range(1, most + 1))}
    least, most = _sizes(dice)
    hint = [
        words_ for words_ in (text.background(g, decision), _count("choose", least, most) if dice else "") if words_
    ]
    refusals = match.game.machine.refusals(match.state, seat)
    return m.AskNow(
        seat=seat,
        seq=decision.seq,
        name=decision.name,
        kind=decision.kind,
        prompt=text.prompt(g, decision),
        rule=decision.rule,
        hint=" ".join(filter(None, hint)),
        source=decision.source,
        options=[_option(g, decision, key) for key in decision.keys if key not in apart],
        dice_verb=verb,
        dice=list(dice),
        expect=_expect(verb, least, most) if dice else "",
        steppers=[
            m.Stepper(verb, name, tell(f"step.{verb}", what=tell(f"resource.{name}")), most)
            for (verb, name), most in steps.items()
        ],
        nots=[_not(g, decision, key, reasons) for key, reasons in refusals.items()],
        undo=undo.get(seat, ""),
    )


def _sizes(dice: Collection[str]) -> tuple[int, int]:
    """How many dice these answers name, at least and at most."""
    found = [len(outline.dice_of(key)) for key in dice]
    return min(found, default=0), max(found, default=0)


def _count(key: str, least: int, most: int) -> str:
    if least == most:
        return tell(f"{key}.exactly", n=most)
    return tell(f"{key}.between", least=least, n=most) if least else tell(f"{key}.up-to", n=most)


def _expect(verb: str, least: int, most: int) -> str:
    """What the tray's button says."""
    key = f"expect.{verb}" if known(f"expect.{verb}") else "expect.any"
    return tell(key, n=most if least == most else 2)


def _option(g: Landing, decision: Decision, key: str) -> m.Option:
    sector, card, unit = _about(g, decision, key)
    price = outline.price(g, decision, _meant(g, decision, key))
    return m.Option(
        key=key,
        label=capital(text.label(g, decision, key)),
        detail=text.detail(g, decision, key),
        rule=g.world.cards[card].rule if card else "",
        sector=sector,
        card=card,
        unit=unit,
        price=amounts((price,)) if price else "",
    )


def _not(g: Landing, decision: Decision, key: str, reasons: Sequence[Reason]) -> m.Not:
    sector, card, _ = _about(g, decision, key)
    return m.Not(
        key=key,
        label=capital(_short(g, decision, key)),
        reasons=[m.Reason(capital(reason.text), reason.rule) for reason in reasons],
        sector=sector,
        card=card,
    )


def _short(g: Landing, decision: Decision, key: str) -> str:
    """An answer that cannot be given, in words; of a Sector only its name."""
    if key.startswith("move:"):
        return sector_name(g, key[5:])
    return text.label(g, decision, key)


def _meant(g: Landing, decision: Decision, key: str) -> str:
    """The answer itself; for a claim, the answer of the other Unit that is claimed."""
    return str(g.lanes[decision.seat][-1][2]) if key == "claim" else key


def _about(g: Landing, decision: Decision, key: str) -> tuple[str, str, int]:
    """What an answer is about, if that is a Sector, a card or another Unit: the Sector, the card, the seat or -1."""
    key = _meant(g, decision, key)
    if key == "stay":
        return g.units[decision.seat].sector, "", -1
    verb, _, rest = key.partition(":")
    if rest in g.world.cards:
        return "", rest, -1
    if rest in g.world.sectors and verb not in NUMBERED:
        return rest, "", -1
    who = rest.partition(".")[0]
    if who[:1] == "U" and who[1:].isdecimal():
        return "", "", int(who[1:]) - 1
    return "", "", -1
