"""Where a number on the screen comes from, in words."""

from __future__ import annotations

from collections.abc import Callable

from ..core.errors import Invalid
from ..core.questions import Contribution, answer
from ..landing import outline, questions, words
from ..landing.state import Landing
from ..landing.words import amounts, card_name, sector_name
from ..say import capital, say
from ..table.match import Match
from . import messages as m
from .shown import landing, tell
from .tray import tally


def because(match: Match, why: m.Why) -> m.Because:
    """Where a number of a Unit comes from. Raises Invalid for what is no question, Unit, Sector or card here."""
    g = landing(match)
    asked = why.question
    if not 0 <= why.seat < len(g.units):
        raise Invalid(tell("why.no-unit", n=why.seat))
    if why.sector and why.sector not in g.world.sectors:
        raise Invalid(tell("why.no-sector", name=why.sector[:40]))
    if why.card and why.card not in g.world.cards:
        raise Invalid(tell("why.no-card", name=why.card[:40]))
    if asked in ("rally_cost", "find_cost") and not why.card:
        raise Invalid(tell("why.which-card"))
    if asked == "tally":
        return tally(match, why)
    if asked in SUMS:
        return SUMS[asked](g, why)
    if asked not in EXPLAINED:
        raise Invalid(tell("why.no-question", name=asked[:40]))
    found = questions.why(g, asked, why.seat, why.sector, why.card)
    return m.Because(why.id, tell(f"why.{asked}"), found.value, _contributions(g, why, asked))


def _contributions(g: Landing, why: m.Why, asked: str) -> list[m.Reason]:
    """What is printed, then what changes it."""
    found = questions.why(g, asked, why.seat, why.sector, why.card)
    base, *voices = found.contributions
    said = [m.Reason(tell("why.printed", n=base.value, where=_where(g, why, asked)), base.rule)]
    said += [m.Reason(_voice(g, voice), voice.rule) for voice in voices]
    if answer(base.value, voices, -1_000_000) < found.value:
        said.append(m.Reason(tell("why.floor"), base.rule))
    return said


EXPLAINED = frozenset(
    ("defence", "mgf_dice", "dice_to_lock", "dice_to_roll", "rally_cost", "find_cost", "advance_cost")
)
"""Static questions that can be asked about."""


def _where(g: Landing, why: m.Why, asked: str) -> str:
    """The thing on which the number is printed."""
    if asked in ("rally_cost", "find_cost"):
        return str(card_name(why.card))
    return capital(sector_name(g, why.sector or g.units[why.seat].sector))


def _voice(g: Landing, voice: Contribution) -> str:
    """`-7 Bazooka`, `at most 1: Minesweeper`."""
    if voice.source:
        who = str(card_name(voice.source)) if voice.source in g.world.cards else voice.source
    else:
        named = [name for name in ("beside", "barrage") if voice.rule == g.world.cite[name]]
        who = tell(f"why.{named[0] if named else 'bonus'}")
    if voice.mode == "by":
        return tell("why.by", n=f"{voice.value:+d}", who=who)
    return tell(f"why.{voice.mode}", n=voice.value, who=who)


def _strength(g: Landing, why: m.Why) -> m.Because:
    """Soldiers, and what each Specialist counts as."""
    unit, rule = g.units[why.seat], g.world.cite["casualties"]
    said = [m.Reason(amounts({"soldiers": unit.soldiers}), rule)]
    for card in unit.specialists:
        n = questions.body(g, why.seat, card)
        said.append(m.Reason(tell("why.by", n=f"{n:+d}", who=card_name(card)), g.world.cards[card].rule))
    return m.Because(why.id, tell("why.strength"), questions.strength(g, why.seat), said)


def _defence(g: Landing, why: m.Why) -> list[m.Reason]:
    """DEF where the Unit stands, with what changes it where something does."""
    printed, *changes = _contributions(g, why, "defence")
    if not changes:
        return [m.Reason(say("mark.def", n=outline.danger(g, why.seat).defence), printed.rule)]
    return [m.Reason(tell("why.def", said=printed.text), printed.rule), *changes]


def _casualties(g: Landing, why: m.Why) -> m.Because:
    """What Combat where the Unit stands will cost at most."""
    found, cite = outline.danger(g, why.seat), g.world.cite
    if not questions.fights(g, why.seat):
        held = questions.holds(g, why.seat)
        none = m.Reason(tell("why.held-bunker" if held else "why.fought-once"), cite["combat"])
        return m.Because(why.id, tell("why.casualties"), 0, [none])
    said = _defence(g, why)
    marks = words.fire_marks(g, why.seat, found.dice, found.pips)
    said += [m.Reason(mark, cite[topic]) for topic, mark in marks.items()]
    return m.Because(why.id, tell("why.casualties"), found.most, said)


SUMS: dict[str, Callable[[Landing, m.Why], m.Because]] = {"strength": _strength, "casualties": _casualties}
"""Numbers that are sums of what lies on the table."""
