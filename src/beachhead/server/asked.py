"""The questions that a guest may answer, every answer in words, and those that are not allowed with every reason."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

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
    """A question of a landing."""
    g = landing(match)
    steps = outline.amount_keys(decision.keys)
    apart = {f"{verb}:{name}={n}" for (verb, name), most in steps.items() for n in range(1, most + 1)}
    refusals = match.game.machine.refusals(match.state, decision.seat)
    nots = [_not(g, decision, key, reasons) for key, reasons in refusals.items()]
    found = put(match, decision, undo, lambda key: _option(g, decision, key), nots, text.background(g, decision), apart)
    found.steppers = [
        m.Stepper(verb, name, tell(f"step.{verb}", what=tell(f"resource.{name}")), most)
        for (verb, name), most in steps.items()
    ]
    return found


def put(
    match: Match,
    decision: Decision,
    undo: Mapping[int, str],
    option: Callable[[str], m.Option],
    nots: list[m.Not],
    background: str = "",
    apart: Collection[str] = (),
) -> m.AskNow:
    """A question of any game. Dice are chosen by touching them; `option` says every other answer but those apart."""
    verb, dice = outline.dice_keys(decision.keys)
    least, most = _sizes(dice)
    listed = set(decision.keys).difference(dice, apart)
    return m.AskNow(
        seat=decision.seat,
        seq=decision.seq,
        name=decision.name,
        kind=decision.kind,
        prompt=match.game.prompt(match.state, decision),
        rule=decision.rule,
        hint=" ".join(filter(None, (background, _count("choose", least, most) if dice else ""))),
        source=decision.source,
        options=[option(key) for key in decision.keys if key in listed],
        dice_verb=verb,
        dice=list(dice),
        expect=_expect(verb, least, most) if dice else "",
        nots=nots,
        undo=undo.get(decision.seat, ""),
    )


def reasons_of(reasons: Sequence[Reason]) -> list[m.Reason]:
    return [m.Reason(capital(reason.text), reason.rule) for reason in reasons]


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
        reasons=reasons_of(reasons),
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
