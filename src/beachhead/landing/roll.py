"""Phase 1: roll the dice."""

from __future__ import annotations

from ..content.schema import Card, RepeatTally
from ..core.errors import Reason
from ..core.machine import Frame
from ..core.node import Outcome, Roll
from ..say import say
from . import changes, questions
from .cards import free_answer, free_keys, free_refusals, open_windows, operate
from .dice import (
    ALL,
    COLOUR,
    COLOURS,
    DICE,
    FACE,
    FACES,
    GROUPS,
    MEMBERS,
    NAMES,
    NO_FACE,
    NONE,
    SKULL,
    SOLDIER1,
    SOLDIER2,
    mask_of,
    set_keys,
)
from .state import UNROLLED, Landing


def phase_roll(g: Landing) -> None:
    if "few-good-men" in g.world.options:
        g.before = tuple(unit.soldiers for unit in g.units)
    g.push(-1, ("tally",))
    for seat, unit in enumerate(g.units):
        if unit.status == 0:
            g.push(seat, ("roll-start",))


def roll_start(g: Landing, seat: int, frame: Frame) -> None:
    """A photographed tally lies there already; otherwise roll, perhaps with fewer dice."""
    unit = g.units[seat]
    if unit.kept:
        faces = tuple(face for face, _ in unit.kept)
        colours = tuple(colour for _, colour in unit.kept)
        unit.kept = ()
        card = _photographer(g)
        changes.set_dice(g, seat, faces, colours, 0, card.rule, card.id)
        return
    aside = 6 - questions.dice_to_roll(g, seat)
    if aside > 0:
        g.push(seat, ("leave", aside))
    else:
        g.push(seat, ("after-first",))
        g.push(seat, ("dice", ALL, 1))


def leave_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return set_keys("leave", ALL, frame[1], frame[1])


def leave_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    aside = mask_of(key)
    g.units[seat].faces = UNROLLED
    g.tell("aside", seat, {"dice": NAMES[aside]}, g.world.cite["five-dice"])
    g.push(seat, ("after-first",))
    g.push(seat, ("dice", ALL & ~aside, 1))


STREAMS = tuple(f"dice:{seat}" for seat in range(8))


def dice_request(g: Landing, seat: int, frame: Frame) -> Roll:
    stream = STREAMS[seat]
    return Roll(stream, g.drawn.get(stream, 0), GROUPS[frame[1]], g.world.cite["roll"])


def dice_outcome(g: Landing, seat: int, frame: Frame, outcome: Outcome) -> None:
    unit = g.units[seat]
    mask = frame[1]
    faces: tuple[int, ...] = outcome  # type: ignore[assignment]
    if mask != ALL:
        new = list(unit.faces)
        for place, face in zip(MEMBERS[mask], faces, strict=True):
            new[place] = face
        faces = tuple(new)
    unit.faces = faces
    if g.log is None:
        g.told += 1
        return
    g.tell(
        "dice",
        seat,
        {"rolled": NAMES[mask], "faces": faces, "colours": unit.colours, "locked": NAMES[unit.locked]},
        g.world.cite["roll"],
    )


def after_first(g: Landing, seat: int, frame: Frame) -> None:
    """Lock dice now and at no other moment, then up to two re-rolls."""
    if "mulligan" in g.world.options and frame == ("after-first",) and _may_mulligan(g, seat):
        g.push(seat, ("mulligan",))
        return
    g.push(seat, ("reroll", 1))
    rolled = 6 - g.units[seat].faces.count(NO_FACE)
    fewest, most = (min(count, rolled) for count in questions.dice_to_lock_between(g, seat))
    if most:
        g.push(seat, ("lock", fewest, most))


def _may_mulligan(g: Landing, seat: int) -> bool:
    faces = g.units[seat].faces
    return seat not in g.mulligans and SOLDIER1 not in faces and SOLDIER2 not in faces and bool(_loose(g, seat))


def mulligan_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return ("mulligan", "keep")


def mulligan_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    """The new roll takes the place of the first one: Locking and both re-rolls are still to come."""
    g.push(seat, ("after-first", "asked"))
    if key == "mulligan":
        g.mulligans = tuple(sorted((*g.mulligans, seat)))
        g.tell("mulligan", seat, {}, g.world.cite["mulligan"])
        g.push(seat, ("dice", _loose(g, seat), 1))


def lock_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return set_keys("lock", _on_table(g, seat), frame[1], frame[2])


def _on_table(g: Landing, seat: int) -> int:
    faces = g.units[seat].faces
    if -1 not in faces:
        return ALL
    return sum(1 << place for place in range(6) if faces[place] >= 0)


def _loose(g: Landing, seat: int) -> int:
    """Dice that may be rolled again: on the table, not Locked, and no Skull where Skulls stay."""
    unit = g.units[seat]
    loose = _on_table(g, seat) & ~unit.locked
    if questions.skulls_stay(g, unit):
        for place, face in enumerate(unit.faces):
            if face == SKULL:
                loose &= ~(1 << place)
    return loose


def lock_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    unit = g.units[seat]
    unit.locked = mask_of(key)
    g.tell("locked", seat, {"locked": NAMES[unit.locked]}, g.world.cite["lock"])
    operate(g, seat, "lock", seat, (), g.world.cite["lock"])


def reroll_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return ("stop", *set_keys("roll", _loose(g, seat), 1, 6), *free_keys(g, seat, "roll.between"))


def reroll_refusals(g: Landing, seat: int, frame: Frame) -> dict[str, tuple[Reason, ...]]:
    locked = g.units[seat].locked
    out = dict(free_refusals(g, seat, "roll.between"))
    for place in MEMBERS[_on_table(g, seat) & ~_loose(g, seat)]:
        name, cite = DICE[place], g.world.cite
        reasons = []
        if locked >> place & 1:
            reasons.append(Reason(say("refusal.locked", die=name), cite["locked"]))
        if g.units[seat].faces[place] == SKULL and questions.skulls_stay(g, g.units[seat]):
            reasons.append(Reason(say("refusal.skull-stays", die=name), cite["skulls-stay"]))
        out[f"roll:{name}"] = tuple(reasons)
    return out


def reroll_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    if key == "stop":
        return
    if key.startswith("roll:"):
        if frame[1] < 2:
            g.push(seat, ("reroll", frame[1] + 1))
        g.push(seat, ("dice", mask_of(key), frame[1] + 1))
        return
    free_answer(g, seat, "roll.between", key, frame)


def tally(g: Landing, lane: int, frame: Frame) -> None:
    """All dice are final: Sector bonuses and abilities add their results, then cards may change the dice."""
    g.push(-1, ("tally-end",))
    g.push(-1, ("tally-window",))
    for seat, unit in enumerate(g.units):
        if unit.status:
            continue
        sector = g.at(unit.sector)
        given = [FACE[face] for face, count in sector.bonus.items() for _ in range(count)]
        for face in given if sector.bonus_colour == "none" else ():
            changes.add_result(g, seat, face, NONE, g.world.cite["bonus"])
        operate(g, seat, "tally", seat, (), g.world.cite["tally"])
        for face in given if sector.bonus_colour == "choice" else ():
            g.push(seat, ("tint", face))


def tint_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return tuple(f"colour:{colour}" for colour in COLOURS[:NONE])


def tint_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    changes.add_result(g, seat, frame[1], COLOUR[key[7:]], g.world.cite["bonus"])


def _take_away(g: Landing, seat: int, face: int, count: int) -> None:
    """A penalty of the Sector: results without a colour go first, then those of the colour that has most."""
    unit = g.units[seat]
    faces, added, rule = list(unit.faces), list(unit.added), g.world.cite["penalty"]
    taken = 0
    while taken < count:
        dice = [place for place in range(6) if faces[place] == face]
        colours = [unit.colours[place] for place in dice] + [colour for one, colour in added if one == face]
        if not colours:
            break
        most = NONE if NONE in colours else max(colours, key=colours.count)
        lying = [place for place in dice if unit.colours[place] == most]
        if lying:
            faces[lying[-1]] = NO_FACE
        else:
            added.remove((face, most))
        taken += 1
    if taken:
        unit.added = tuple(added)
        g.tell("removed", seat, {"face": FACES[face], "count": taken}, rule)
        if tuple(faces) != unit.faces:
            changes.set_dice(g, seat, tuple(faces), unit.colours, unit.locked, rule)


def tally_window(g: Landing, lane: int, frame: Frame) -> None:
    open_windows(g, "tally", [seat for seat, unit in enumerate(g.units) if unit.status == 0])


def tally_end(g: Landing, lane: int, frame: Frame) -> None:
    """Photographs show the dice as they lie; then the Sector takes its penalty from the Final Tally (F-SECT-08)."""
    for seat, unit in enumerate(g.units):
        if unit.status == 0 and "photograph" in unit.done:
            unit.kept = tuple(zip(unit.faces, unit.colours, strict=True))
            card = _photographer(g)
            g.tell("kept", seat, {"dice": unit.kept}, card.rule, card.id)
        if unit.status == 0:
            for face, count in g.at(unit.sector).penalty.items():
                _take_away(g, seat, FACE[face], count)


def _photographer(g: Landing) -> Card:
    """The card by which a tally lasts for another turn."""
    return next(
        card
        for card in g.world.cards.values()
        for ability in card.abilities
        if any(isinstance(op, RepeatTally) for op in ability.ops)
    )
