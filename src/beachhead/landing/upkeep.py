"""Phase 2: Straight, Skulls, RWB bonuses, recording; and the turning of Unit markers."""

from __future__ import annotations

from ..core.errors import Reason
from ..core.machine import MAIN, Frame
from ..core.operations import REPLACE, Op
from ..say import say
from . import changes
from .cards import COMMITS, NOBODY, abilities, may_use, operate, trade_keys
from .dice import (
    ALL,
    COURAGE,
    DICE,
    FACES,
    HOME,
    MEMBERS,
    NAMES,
    NO_FACE,
    NONE,
    SIZE,
    SKULL,
    SOLDIER1,
    SOLDIER2,
    STAR,
    TOOL,
    item_points,
    mask_of,
    rwb_counts,
    set_keys,
)
from .state import ARROW, CHEVRON3, SHIELD, Landing, Unit
from .ties import contested
from .world import OPTIONS


def phase_upkeep(g: Landing) -> None:
    if not g.world.switches.marker_phase:
        g.push(-1, ("markers",))
    if "few-good-men" in g.world.options:
        g.push(-1, ("halve",))
    if any(_pays_by_tally(g, unit) for unit in g.units):
        g.push(-1, ("by-tally",))
    for seat, unit in enumerate(g.units):
        if unit.status == 0:
            unit.rwbs = (0,) * 6
            g.push(seat, ("record",))
            g.push(seat, ("rwb-next",))
            g.push(seat, ("skulls",))
            if is_straight(g, unit) and not g.world.ignored:
                g.push(seat, ("straight",))


def _pays_by_tally(g: Landing, unit: Unit) -> bool:
    here = g.at(unit.sector)
    return not unit.status and (here.of_a_kind is not None or bool(here.per_star))


def tally_count(unit: Unit, face: int) -> int:
    """How often a result is in the Final Tally, cancelled or not, with results beside the dice."""
    return unit.faces.count(face) + sum(1 for one, _ in unit.added if one == face)


def by_tally(g: Landing, seat: int, frame: Frame) -> None:
    """What the Sector gives or takes for what is in the Final Tally, once all tallies are recorded."""
    if seat == MAIN:
        for each, unit in enumerate(g.units):
            if _pays_by_tally(g, unit):
                g.push(each, ("by-tally",))
        return
    unit, cite = g.units[seat], g.world.cite
    here = g.at(unit.sector)
    counts = [tally_count(unit, face) for face in range(6)]
    alike = here.of_a_kind.soldiers if here.of_a_kind and max(counts) >= here.of_a_kind.at_least else 0
    stars = here.per_star * counts[STAR]
    fatal = min(alike, 0) + min(stars, 0) <= -unit.soldiers and (alike < 0 or stars < 0)
    if fatal and len(frame) == 1 and (may_use(g, seat, "marker") or trade_keys(g, seat, "marker")):
        g.push(seat, ("by-tally", "asked"))
        g.push(seat, ("window", "marker", NOBODY))
        return
    _give_or_take(g, seat, alike, cite["of-a-kind"])
    _give_or_take(g, seat, stars, cite["per-star"])


def _give_or_take(g: Landing, seat: int, soldiers: int, rule: str) -> None:
    if soldiers > 0:
        changes.gain(g, seat, {"soldiers": soldiers}, rule)
    elif soldiers < 0:
        g.tell("by-tally", seat, {"soldiers": -soldiers, "sector": g.units[seat].sector}, rule)
        operate(g, seat, "losses", seat, (-soldiers, "sector"), rule)


def is_straight(g: Landing, unit: Unit) -> bool:
    """One of each result; whether colourless results help is an edition's matter."""
    shown = set(unit.faces)
    strict = g.world.switches.straight_needs_colour
    for face, colour in unit.added:
        if not strict or colour != NONE:
            shown.add(face)
    shown.discard(-1)
    return len(shown) == 6


def straight_serves(g: Landing, unit: Unit) -> bool:
    """Does anything come of a Straight: an Award or, in the second edition, that its Skull cancels nothing? Else its
    results are free for RWBs (F-RWB-04).
    """
    return g.world.switches.straight_skull_ignored or may_earn(g, unit)


def may_earn(g: Landing, unit: Unit) -> bool:
    return bool(g.deck) and "award" not in unit.done


def straight(g: Landing, seat: int, frame: Frame) -> None:
    unit = g.units[seat]
    if straight_serves(g, unit):
        unit.done = (*unit.done, "straight")
    g.tell("straight", seat, {}, g.world.cite["straight"])
    if may_earn(g, unit):
        g.push(seat, ("award",))


def award_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return tuple(f"award:{card}" for card in g.deck) or ("none",)


def award_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    unit = g.units[seat]
    if key == "none":
        if not straight_serves(g, unit):  # the last Award went to another: what formed the Straight is free
            unit.done = tuple(mark for mark in unit.done if mark != "straight")
    elif not contested(g, seat, frame, key):
        take_award(g, seat, key[6:], g.world.cite["straight"])


def award_here(g: Landing, seat: int, sector: str) -> None:
    """The first Unit that enters earns an Award, if it has not had one this turn; else it is left for the next."""
    how, mark = g.at(sector).award, f"award:{sector}"
    if mark in g.spent or not may_earn(g, g.units[seat]):
        return
    g.spend(mark)
    g.push(seat, ("award-here",) if how == "choice" else ("draw-award", "", g.world.cite["award-sector"]))


def award_here_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    if key != "none" and not contested(g, seat, frame, key):
        take_award(g, seat, key[6:], g.world.cite["award-sector"])


def take_award(g: Landing, seat: int, card: str, rule: str) -> None:
    """Who earns it in the move may play it before Combat, where the edition allows that (S-AWARD-04)."""
    unit = g.units[seat]
    unit.done = (*unit.done, "award")
    unit.won_awards += 1
    changes.move_card(g, seat, card, "deck", "awards", rule)
    if g.phase == "move" and may_use(g, seat, "move.after"):
        g.push(seat, ("window", "move.after", NOBODY))


# ---------------------------------------------------------------------- Skulls


def active_skulls(g: Landing, unit: Unit) -> int:
    """Skulls that cancel a die: all but those of a Dead Man's Gift and, in the second edition, that of a Straight."""
    total = unit.faces.count(SKULL) + sum(1 for face, _ in unit.added if face == SKULL)
    if not total or SKULL in g.world.ignored:
        return 0
    total -= 3 * rwbs_on_table(g, unit)[SKULL]
    if total and "straight" in unit.done and g.world.switches.straight_skull_ignored:
        total -= 1
    return total


def cancellable(unit: Unit) -> int:
    """Mask of the dice that a Skull can cancel."""
    found, out = 0, unit.out
    for place, face in enumerate(unit.faces):
        if face > SKULL and not out >> place & 1:
            found |= 1 << place
    return found


def skull_helpers(g: Landing, seat: int) -> list[str]:
    """Cards that let a Skull cancel nothing, once for each Skull they ignore."""
    unit = g.units[seat]
    if g.world.listening.get("skull", frozenset()).isdisjoint(unit.specialists):
        return []
    found = []
    for _, card, number in abilities(g, seat, REPLACE, "skull"):
        for op in g.world.cards[card].abilities[number].ops:
            found += [card] * getattr(op, "count", 0)
    return found


def skulls(g: Landing, seat: int, frame: Frame) -> None:
    unit = g.units[seat]
    active = active_skulls(g, unit)
    if not active:
        return
    targets = cancellable(unit)
    most = min(active, SIZE[targets])
    least = max(0, min(active - len(skull_helpers(g, seat)), most))
    if not most:
        return
    if least == SIZE[targets]:
        _cancel(g, seat, targets, active)
    else:
        g.push(seat, ("cancel", least, most, active))


def cancel_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return set_keys("cancel", cancellable(g.units[seat]), frame[1], frame[2])


def cancel_refusals(g: Landing, seat: int, frame: Frame) -> dict[str, tuple[Reason, ...]]:
    unit = g.units[seat]
    cite = g.world.cite["skull-skull"]
    return {
        f"cancel:{DICE[place]}": (Reason(say("refusal.skull-skull", die=DICE[place]), cite),)
        for place in range(6)
        if unit.faces[place] == SKULL
    }


def cancel_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    _cancel(g, seat, mask_of(key), frame[3])


def _cancel(g: Landing, seat: int, dice: int, active: int) -> None:
    unit = g.units[seat]
    spared = min(active, SIZE[cancellable(unit)]) - SIZE[dice]
    for card in skull_helpers(g, seat)[: max(spared, 0)]:
        g.tell("ignored", seat, {"skulls": 1}, g.world.cards[card].rule, card)
    if dice:
        unit.out |= dice
        g.tell("cancelled", seat, {"dice": NAMES[dice]}, g.world.cite["skull"])


def late_skull(g: Landing, seat: int, frame: Frame) -> None:
    """A Skull that joins while RWBs are collected (F-RWB-09): it completes a Gift and frees what the others
    cancelled, or acts.
    """
    unit = g.units[seat]
    if rwbs_on_table(g, unit)[SKULL] > unit.rwbs[SKULL]:
        freed = max(0, SIZE[unit.out] - active_skulls(g, unit))
        if freed >= SIZE[unit.out]:
            _free(g, seat, unit.out)
        elif freed:
            g.push(seat, ("free", freed))
    elif cancellable(unit):
        unspent = SIZE[unit.out] + len(skull_helpers(g, seat)) >= active_skulls(g, unit)
        g.push(seat, ("cancel", 0 if unspent else 1, 1, 1))


def free_dice_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return set_keys("free", g.units[seat].out, frame[1], frame[1])


def free_dice_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    _free(g, seat, mask_of(key))


def _free(g: Landing, seat: int, dice: int) -> None:
    if dice:
        g.units[seat].out &= ALL & ~dice
        g.tell("freed", seat, {"dice": NAMES[dice]}, g.world.nations[g.units[seat].nation].rwb["skull"].rule)


# ---------------------------------------------------------------------- RWBs


def rwbs_on_table(g: Landing, unit: Unit) -> list[int]:
    """Per face, the RWBs of the tally; no result serves both an RWB and a Straight (F-RWB-04).

    A die that was cancelled after the Award was earned may be the one that served the Straight.
    """
    counts = rwb_counts(unit.faces, unit.colours, unit.out, unit.added)
    if "straight" in unit.done and any(counts):
        cancelled = {unit.faces[place] for place in MEMBERS[unit.out]}
        for face in range(6):
            if counts[face] and face not in cancelled:
                colours = [unit.colours[p] for p in range(6) if unit.faces[p] == face and not unit.out >> p & 1]
                colours += [colour for one, colour in unit.added if one == face]
                best = 0
                for spent in set(colours):
                    left = list(colours)
                    left.remove(spent)
                    best = max(best, min(left.count(0), left.count(1), left.count(2)))
                counts[face] = best
    return counts


def rwb_next(g: Landing, seat: int, frame: Frame) -> None:
    """Collect the next RWB; a result that one of them adds may complete a further one."""
    unit = g.units[seat]
    counts = rwbs_on_table(g, unit)
    taken = unit.rwbs
    for face in range(6):
        if counts[face] > taken[face] and face not in g.world.ignored and not no_cry(g, unit, face):
            unit.rwbs = (*taken[:face], taken[face] + 1, *taken[face + 1 :])
            g.push(seat, ("rwb-next",))
            g.push(seat, ("op", 0, ("rwb", seat, (face,), "", g.world.cite["rwb"]), ()))
            return


def no_cry(g: Landing, unit: Unit, face: int) -> bool:
    """Does the Sector keep this RWB of the dice from the Unit?"""
    return face == COURAGE and not g.at(unit.sector).battle_cry


def commit_rwb(g: Landing, lane: int, op: Op) -> None:
    seat, (face,) = op[1], op[2]
    nation = g.units[seat].nation
    name = FACES[face]
    bonus = g.world.nations[nation].rwb[name]
    g.tell("rwb", seat, {"face": name, "name": bonus.name}, op[4], op[3])
    if here := g.at(g.units[seat].sector).per_rwb:
        changes.gain(g, seat, {"soldiers": here}, g.world.cite["per-rwb"])
    g.push(seat, ("do", ("bonus", nation, name), 0, "upkeep.rwb"))


COMMITS["rwb"] = commit_rwb


# ---------------------------------------------------------------------- recording


def record(g: Landing, seat: int, frame: Frame) -> None:
    """Write down what the tally brings: dice that were not cancelled, and added results."""
    unit = g.units[seat]
    counts = [0] * 6
    for place in range(6):
        face = unit.faces[place]
        if face >= 0 and not unit.out >> place & 1:
            counts[face] += 1
    for face, _ in unit.added:
        counts[face] += 1
    for face in g.world.ignored:
        counts[face] = 0
    unit.done = (*unit.done, "recorded")
    amounts = {
        "soldiers": counts[SOLDIER1] + 2 * counts[SOLDIER2],
        "stars": counts[STAR],
        "courage": counts[COURAGE],
        "points": item_points(counts[TOOL]),
    }
    for ref, number in reversed(unit.due):
        g.push(seat, ("find-open", ref, number))
    unit.due = ()
    changes.gain(g, seat, amounts, g.world.cite["record"])


def halve(g: Landing, lane: int, frame: Frame) -> None:
    """A Few Good Men: of the Soldiers gained since the turn began half stay, rounded down, with whom they are now.
    Nobody is lost by it.
    """
    for seat, unit in enumerate(g.units):
        gained = unit.soldiers - g.before[seat]
        left = max(g.before[seat] + gained // 2, 0 if unit.specialists else 1)
        if unit.status == 0 and gained > 0 and left < unit.soldiers:
            changes.gain(g, seat, {"soldiers": left - unit.soldiers}, OPTIONS["few-good-men"].second)


# ---------------------------------------------------------------------- markers


def markers(g: Landing, lane: int, frame: Frame) -> None:
    turn_markers(g)


def turn_markers(g: Landing) -> None:
    cite = g.world.cite
    if g.world.switches.marker_phase:
        _dice_go_home(g)
    if g.turn == 1 and not g.world.switches.marker_turns_on_turn_one:
        return
    for seat, unit in enumerate(g.units):
        if unit.status or (g.at(unit.sector).stay == "unlimited" and not cannot_stay(g, unit.sector)):
            continue
        if unit.marker < CHEVRON3:
            changes.set_marker(g, seat, unit.marker + 1, cite["marker"])
        elif unit.marker in (CHEVRON3, SHIELD):
            changes.set_marker(g, seat, ARROW, cite["must-move"])


def cannot_stay(g: Landing, sector: str) -> bool:
    """Has who comes to this Sector to leave it in the next turn?"""
    printed = g.at(sector)
    alone = g.world.solo and printed.max_units == 1 and g.world.switches.alone_max_one_cant_stay
    return printed.shield == "black" or alone


def _dice_go_home(g: Landing) -> None:
    """Phase 3 begins: everybody has two dice of each colour again (S-LT-04). What the others showed stays in the Final
    Tally, of which a climb counts the Skulls.
    """
    for seat, unit in enumerate(g.units):
        if unit.colours != HOME:
            away = [n for n, (colour, home) in enumerate(zip(unit.colours, HOME, strict=True)) if colour != home]
            unit.added += tuple((unit.faces[n], unit.colours[n]) for n in away if unit.faces[n] != NO_FACE)
            faces = tuple(NO_FACE if n in away else face for n, face in enumerate(unit.faces))
            changes.set_dice(g, seat, faces, HOME, 0, g.world.cite["lieutenant-home"])
