"""The dice of a Unit as a guest sees them, and what they come to in words."""

from __future__ import annotations

from typing import Literal

from ..core.errors import Invalid
from ..landing import outline, words
from ..landing.dice import COLOURS, DICE, FACES, HOME, PLACE
from ..landing.state import Landing, Unit
from ..landing.words import FACE_WORDS, amounts, card_name, sector_name
from ..landing.world import World
from ..say import capital, say
from ..table.match import Match
from . import messages as m
from .shown import landing, once, tell

DIE_COLOURS: tuple[Literal["red", "white", "blue"], ...] = ("red", "white", "blue")


def tray(g: Landing, seat: int) -> m.Tray:
    unit = g.units[seat]
    roll = outline.rolls_made(g, seat)
    rwb = outline.rwb_dice(g, seat) if roll else 0
    dice = [_die(g, unit, place, rwb >> place & 1) if roll else _bare_die(g, place) for place in range(6)]
    added = [words.result_words(FACES[face], colour) for face, colour in unit.added]
    open_ = roll and unit.on_map and g.phase in ("roll", "upkeep") and "recorded" not in unit.done
    if not open_:
        return m.Tray(dice, added, "", roll)
    near = [m.Near(FACES[face], COLOURS[colour]) for face, colour in outline.worth(g, seat).near]  # type: ignore[arg-type]
    return m.Tray(dice, added, " ".join(_worth(g, seat)), roll, near)


def _die(g: Landing, unit: Unit, place: int, rwb: int) -> m.Die:
    face, colour = unit.faces[place], unit.colours[place]
    locked, out = unit.locked >> place & 1, unit.out >> place & 1
    which = (place, face, colour, locked, out, rwb)
    die: m.Die = once(g.world, "die", which, lambda: _die_so(g.world, *which))
    return die


def _die_so(world: World, place: int, face: int, colour: int, locked: int, out: int, rwb: int) -> m.Die:
    idle = face in world.ignored
    states = {"locked": locked, "cancelled": out, "rwb": rwb, "idle": idle}
    said = [words.die_words(place, face, colour), *(tell(f"die.{state}") for state, there in states.items() if there)]
    return m.Die(
        place=DICE[place],
        colour=DIE_COLOURS[colour],
        face=FACES[face] if face >= 0 else "",
        words=", ".join(said),
        locked=bool(locked),
        cancelled=bool(out),
        rwb=bool(rwb),
        idle=idle,
        shows=FACE_WORDS[FACES[face]] if face >= 0 else "",
    )


def _bare_die(g: Landing, place: int) -> m.Die:
    """A die that is not rolled yet."""
    colour = HOME[place]
    said = tell("die.unrolled", die=DICE[place], colour=words.say_colour(COLOURS[colour]))
    return m.Die(DICE[place], DIE_COLOURS[colour], "", said)


def _worth(g: Landing, seat: int, other: Unit | None = None) -> list[str]:
    """What the dice come to as they lie, or as they are in this other Unit, in sentences."""
    found, unit = outline.worth(g, seat, other), g.units[seat]
    parts = [amounts({name: n}) for name, n in found.amounts.items() if name != "points"]
    if found.tools:
        parts.append(tell("worth.tools", n=found.tools, points=amounts({"points": found.amounts["points"]})))
    if found.skulls:
        parts.append(tell("worth.skulls", n=found.skulls))
    parts += [words.bonus_name(g, unit.nation, FACES[face]) for face in found.bonuses]
    if found.straight:
        parts.append(tell("worth.straight"))
    said = [capital(", ".join(parts) or say("count.nothing")) + "."]
    least, most = found.cancels
    if most:
        said.append(tell("worth.cancel" if least == most else "worth.may-cancel", n=most))
    if found.due:
        due = ", ".join(
            f"{FACE_WORDS[FACES[face]]} ({sector_name(g, sector) if sector else card_name(card)})"
            for face, sector, card in found.due
        )
        said.append(tell("worth.due", results=due))
    if found.taken:
        taken = ", ".join(f"{n} × {FACE_WORDS[FACES[face]]}" for face, n in found.taken)
        said.append(tell("worth.taken", results=taken))
    if found.near:
        near = ", ".join(
            f"{words.bonus_name(g, unit.nation, FACES[face])} ({words.result_words(FACES[face], colour)})"
            for face, colour in found.near
        )
        said.append(tell("worth.near", bonuses=near))
    return said


TALLIED = ("lock", "roll", "cancel", "free")
"""Verbs of answers that name dice and change what the dice come to."""


def tally(match: Match, why: m.Why) -> m.Because:
    """What the dice come to if the open question of this seat is answered with these dice; with those of them that stay
    as they lie, where others are rolled again. Raises Invalid where no such question is open, or for other dice.
    """
    g, decision = landing(match), match.decision(why.seat)
    verb, answers = outline.dice_keys(decision.keys) if decision else ("", ())
    named = {name for key in answers for name in outline.dice_of(key)}
    if verb not in TALLIED or not named.issuperset(why.dice):
        raise Invalid(tell("why.no-tally"))
    after = outline.after_choice(g, why.seat, verb, [PLACE[name] for name in why.dice])
    stay = sum(face >= 0 and not after.out >> place & 1 for place, face in enumerate(after.faces))
    title = tell("tally.kept" if verb in ("lock", "roll") else "tally.counts", n=stay)
    return m.Because(why.id, title, stay, [m.Reason(said) for said in _worth(g, why.seat, after)])
