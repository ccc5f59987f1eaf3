"""What lies on the table of a landing comes to this, in numbers: for every door that shows it. No words here."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

from ..content import schema
from ..core.node import Decision, Over
from . import fire, questions, score
from .acquire import AWARD_PRICE
from .dice import (
    COLOURS,
    COURAGE,
    FACE,
    PLACE,
    SIZE,
    SKULL,
    SOLDIER1,
    SOLDIER2,
    STAR,
    TOOL,
    item_points,
)
from .state import ARROW, CHEVRON3, RESOURCES, SHIELD, TWO_ARROWS, Landing, Unit
from .upkeep import active_skulls, cancellable, is_straight, rwbs_on_table, skull_helpers, straight_serves
from .world import Way

# ---------------------------------------------------------------------------------------------------- the Unit


def leave_by(g: Landing, seat: int) -> int:
    """The turn in which the Unit has to leave its Sector as things stand; 0 if it has not to, or is off the map."""
    unit = g.units[seat]
    here = g.world.sectors[unit.sector]
    if not unit.on_map or (here.bunker and not here.passage and not questions.holds(g, seat)):
        return 0
    if here.stay == "unlimited" and unit.marker not in (ARROW, TWO_ARROWS):
        return 0
    turn = max(g.turn, 1)
    if unit.marker in (ARROW, TWO_ARROWS):
        due = turn
    else:
        steps = 1 if unit.marker == SHIELD else CHEVRON3 + 1 - unit.marker
        turned = g.phase not in ("", "roll", "upkeep")
        if g.turn <= 1 and not g.world.switches.marker_turns_on_turn_one:
            turned = True
        due = turn + steps - (not turned)
    if due == turn and not questions.ask(g, "must_move", 1, seat):
        return turn + 1
    return due


def counted(g: Landing, unit: Unit) -> tuple[str, ...]:
    """The resources that there are in this game, and those that the Unit has all the same."""
    gone = {"stars": STAR in g.world.ignored, "points": not g.world.level.items}
    return tuple(name for name in RESOURCES if not gone.get(name) or getattr(unit, name))


class Danger(NamedTuple):
    """What Combat where the Unit stands will cost it as things stand: DEF, then Machine Gun Fire, as dice to come or
    as pips that lie there. Nothing of it where the Unit does not fight.
    """

    defence: int
    dice: int
    pips: int
    least: int
    most: int
    strength: int


def danger(g: Landing, seat: int) -> Danger:
    sector = g.units[seat].sector
    if not questions.fights(g, seat):
        return Danger(0, 0, 0, 0, 0, questions.strength(g, seat))
    defence = questions.defence(g, seat, sector)
    dice = pips = 0
    if questions.ask(g, "mgf_hits", 1, seat, sector):
        if g.phase == "combat" and sector in g.fire:
            pips = fire.soldiers(g, seat, g.fire[sector])
        else:
            dice = questions.ask(g, "mgf_dice", g.at(sector).mgf, seat, sector)
    shells = questions.shells(g, seat, sector)
    known = defence + pips
    least = known + shells + fire.least(g, seat, dice)
    dice += shells
    return Danger(defence, dice, pips, least, known + 6 * dice, questions.strength(g, seat))


# ---------------------------------------------------------------------------------------------------- the dice


class Worth(NamedTuple):
    """What the dice come to as they lie, added results with them, before Skulls cancel any more."""

    amounts: dict[str, int]
    tools: int
    skulls: int
    cancels: tuple[int, int]
    """How many dice the Skulls will cancel, at least and at most; nothing once they have."""
    bonuses: tuple[int, ...]
    """The face of each RWB."""
    straight: bool
    due: tuple[tuple[int, str, str], ...]
    """Results that will join the tally: face, and the Sector or the card that adds it."""
    taken: tuple[tuple[int, int], ...]
    """Results that the Sector will take away: face, how many."""
    near: tuple[tuple[int, int], ...]
    """Faces that lack one colour for an RWB, with that colour."""


def worth(g: Landing, seat: int, other: Unit | None = None) -> Worth:
    """What the dice of this seat come to; with `other`, those of the Unit as it may be after the next answer."""
    unit = _straight_seen(g, other or g.units[seat])
    rolling = g.phase == "roll"
    faces = [unit.faces[place] for place in range(6) if unit.faces[place] >= 0 and not unit.out >> place & 1]
    faces += [face for face, _ in unit.added]
    counts = [0 if face in g.world.ignored else faces.count(face) for face in range(6)]
    amounts = {
        "soldiers": counts[SOLDIER1] + 2 * counts[SOLDIER2],
        "stars": counts[STAR],
        "courage": counts[COURAGE],
        "points": item_points(counts[TOOL]),
    }
    sets = rwbs_on_table(g, unit)
    seen = [face for face in range(6) if face not in g.world.ignored]
    return Worth(
        amounts={name: n for name, n in amounts.items() if n},
        tools=counts[TOOL],
        skulls=counts[SKULL],
        cancels=_cancels(g, seat, unit) if rolling else (0, 0),
        bonuses=tuple(face for face in seen for _ in range(sets[face])),
        straight="straight" in unit.done,
        due=_due(g, seat, unit) if rolling and not unit.added else (),
        taken=tuple((FACE[face], n) for face, n in _here(g, unit).penalty.items()) if rolling else (),
        near=tuple((face, colour) for face in seen if (colour := _missing(unit, face)) >= 0) if rolling else (),
    )


def _here(g: Landing, unit: Unit) -> schema.Sector:
    return g.at(unit.sector)


def _straight_seen(g: Landing, unit: Unit) -> Unit:
    """The Unit as Phase 2 will see it: a Straight on the table counts as one, if anything comes of it."""
    if g.phase == "roll" and not g.world.ignored and is_straight(g, unit) and straight_serves(g, unit):
        return replace(unit, done=(*unit.done, "straight"))
    return unit


def _cancels(g: Landing, seat: int, unit: Unit) -> tuple[int, int]:
    most = min(active_skulls(g, unit), SIZE[cancellable(unit)])
    return max(0, most - len(skull_helpers(g, seat))), most


def _due(g: Landing, seat: int, unit: Unit) -> tuple[tuple[int, str, str], ...]:
    """What the Sector adds, what the own cards add, and what those of other Units add to all in the Sector."""
    found = [(FACE[face], n, unit.sector, "") for face, n in _here(g, unit).bonus.items()]
    mode = "solo" if g.world.solo else "group"
    for owner in sorted(range(len(g.units)), key=lambda owner: owner != seat):
        them = unit if owner == seat else g.units[owner]
        for card in them.specialists + them.items if them.on_map else ():
            for ability in g.world.cards[card].abilities:
                mine = owner == seat or (ability.users == "own-sector" and them.sector == unit.sector)
                mine = mine or ability.users == "each"
                if mine and ability.kind == "triggered" and ability.on == "tally" and ability.mode in ("", mode):
                    for op in ability.ops:
                        if isinstance(op, schema.AddResult) and op.face != "choice":
                            found.append((FACE[op.face], op.count, "", card))
    return tuple((face, sector, card) for face, n, sector, card in found for _ in range(n))


def _missing(unit: Unit, face: int) -> int:
    """The one colour that this result lacks for an RWB; -1 if it lacks none or several."""
    there = {unit.colours[p] for p in range(6) if unit.faces[p] == face and not unit.out >> p & 1}
    there |= {colour for one, colour in unit.added if one == face}
    lacking = [colour for colour in range(len(COLOURS) - 1) if colour not in there]
    return lacking[0] if len(lacking) == 1 else -1


def after_choice(g: Landing, seat: int, verb: str, places: Collection[int]) -> Unit:
    """The Unit with the dice that will stand once these are locked, rolled again, cancelled or freed; a die that is
    going to be rolled shows nothing.
    """
    unit = g.units[seat]
    chosen = sum(1 << place for place in set(places))
    if verb == "cancel":
        return replace(unit, out=unit.out | chosen)
    if verb == "free":
        return replace(unit, out=unit.out & ~chosen)
    kept = unit.locked | chosen if verb == "lock" else ~chosen
    return replace(unit, faces=tuple(face if kept >> place & 1 else -1 for place, face in enumerate(unit.faces)))


def rwb_dice(g: Landing, seat: int) -> int:
    """The dice that form RWBs as they lie, as a mask; where there are more than it takes, the first of a colour."""
    unit = _straight_seen(g, g.units[seat])
    found = 0
    for face, sets in enumerate(rwbs_on_table(g, unit)):
        if sets and face not in g.world.ignored:
            for colour in range(len(COLOURS) - 1):
                dice = [p for p in range(6) if unit.faces[p] == face and unit.colours[p] == colour]
                free = [place for place in dice if not unit.out >> place & 1]
                found |= sum(1 << place for place in free[:sets])
    return found


def rolls_made(g: Landing, seat: int) -> int:
    """How many of the three rolls this Unit has behind it; 0 while nothing lies there, 3 when its dice are final."""
    for frame in reversed(g.lanes[seat]):
        if frame[0] == "reroll":
            return int(frame[1])
        if frame[0] in ("lock", "mulligan", "after-first"):
            return 1
        if frame[0] == "leave":
            return 0
    return 3 if any(face >= 0 for face in g.units[seat].faces) else 0


# ---------------------------------------------------------------------------------------------------- answers


def way_to(g: Landing, seat: int, sector: str) -> Way | None:
    return next((way for way in g.world.ways[g.units[seat].sector] if way.to == sector), None)


def price(g: Landing, decision: Decision, key: str) -> tuple[str, int] | None:
    """What this answer costs: the resource and how much; None where it has no price."""
    verb, _, rest = key.partition(":")
    seat = decision.seat
    if key == "award":
        return "courage", AWARD_PRICE
    if verb == "move" and (way := way_to(g, seat, rest)) and way.forward:
        return "courage", questions.advance_cost(g, seat, way.courage, f"{g.units[seat].sector}-{rest}")
    if verb in ("rally", "find") and rest in g.world.cards and not _free(g, decision):
        return card_price(g, seat, rest)
    return None


def _free(g: Landing, decision: Decision) -> bool:
    """Do the cards of this question cost nothing?"""
    if decision.name == "rally-free":
        return True
    if decision.name != "find-extra":
        return False
    frame = g.lanes[decision.seat][-1]
    op = g.world.ops(frame[1])[frame[2]]
    return isinstance(op, schema.Find) and op.free


def card_price(g: Landing, seat: int, card: str) -> tuple[str, int]:
    """What a card costs this Unit now: Stars, Item Points or, for any Award, Courage. Seat -1: what is printed."""
    found = g.world.cards[card]
    if found.kind == "award":
        return "courage", AWARD_PRICE
    if found.is_specialist:
        return "stars", found.cost if seat < 0 else questions.rally_cost(g, seat, card)
    return "points", found.cost if seat < 0 else questions.find_cost(g, seat, card)


def dice_keys(keys: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The answers that name dice of the seat's own, and their verb: those of the first verb that names nothing else."""
    groups: dict[str, list[str]] = {}
    for key in keys:
        groups.setdefault(key.partition(":")[0], []).append(key)
    for verb, group in groups.items():
        if any(dice_of(key) for key in group) and all(dice_of(key) or key == f"{verb}:none" for key in group):
            return verb, tuple(group)
    return "", ()


def dice_of(key: str) -> tuple[str, ...]:
    """The dice that a key such as `lock:R1,W2` names; none if it names anything else."""
    names = tuple(key.partition(":")[2].split(","))
    return names if all(name in PLACE for name in names) else ()


def amount_keys(keys: tuple[str, ...]) -> dict[tuple[str, str], int]:
    """Answers that are amounts 1, 2, 3 ... of one thing: (verb, thing) -> the most."""
    found: dict[tuple[str, str], set[int]] = {}
    for key in keys:
        stem, sign, n = key.rpartition("=")
        verb, _, name = stem.partition(":")
        if sign and n.isdecimal() and name in RESOURCES:
            found.setdefault((verb, name), set()).add(int(n))
    return {thing: len(some) for thing, some in found.items() if some == set(range(1, len(some) + 1))}


def vehicles_here(g: Landing, sector: str) -> tuple[str, ...]:
    """Vehicles of this Sector that nobody has taken yet."""
    listed = g.at(sector).vehicles
    held = {card for unit in g.units for card in unit.items} if listed else set()
    return tuple(card for card in listed if card not in held and card not in g.used)


# ---------------------------------------------------------------------------------------------------- the end


def score_table(g: Landing, over: Over) -> dict[str, tuple[int, ...]]:
    """The parts of the Victory Points, each with a figure per Unit; without those that brought nobody anything."""
    terms = [score.terms(g, seat, over.won) for seat in range(len(g.units))]
    table = {name: tuple(one[name] for one in terms) for name in terms[0]}
    return {name: row for name, row in table.items() if any(row)}
