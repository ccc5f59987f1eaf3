"""What the ops of cards do to dice: one function per op, as in `effects`.

Cards that change final dice act one after the other, in the order in which their owners play them, each on the six real
dice as they lie at that moment; results beside the dice are never part of it.
"""

from __future__ import annotations

from typing import Any

from ..content import schema
from ..core.errors import Reason
from ..core.machine import MAIN, Frame
from ..core.node import Outcome, Roll
from ..core.operations import Op
from ..say import say
from . import changes, fire, questions
from .cards import FEASIBLE, NOBODY, has_stop, look_again
from .dice import (
    ALL,
    COLOUR,
    COLOURS,
    DICE,
    FACE,
    FACES,
    GROUPS,
    HOME,
    MEMBERS,
    NO_FACE,
    PLACE,
    SKULL,
    set_keys,
)
from .effects import FOR_UNIT, PERFORM, WINDOW_FRAMES, ask_unit, for_another, op_of, others
from .state import Landing

BLUE = COLOUR["blue"]


def rolled(g: Landing, seat: int) -> int:
    """Mask of the dice that lie on the table."""
    faces = g.units[seat].faces
    if NO_FACE not in faces:
        return ALL
    return sum(1 << place for place, face in enumerate(faces) if face >= 0)


def _recorded(g: Landing, seat: int, op: schema.AddResult, card: str) -> Reason | None:
    if "recorded" in g.units[seat].done:
        return Reason(say("refusal.recorded"), g.world.cite["tally"])
    if op.to == "another" and op.part == 1 and not g.world.solo and not others(g, seat):
        return Reason(say("refusal.alone"), g.world.cards[card].rule if card else g.world.cite["rwb-gift"])
    return None


FEASIBLE[schema.AddResult] = _recorded


# ---------------------------------------------------------------------- single dice and results


def _add_result(g: Landing, seat: int, op: schema.AddResult, ref: tuple[Any, ...], number: int, window: str) -> None:
    if op.to == "another":
        for_another(g, seat, op, ref, number, window)
    else:
        for other in (seat, *others(g, seat)) if op.to == "each" else (seat,):
            _add_for(g, seat, other, op, ref, number, window)


def _add_for(
    g: Landing, seat: int, other: int, op: schema.AddResult, ref: tuple[Any, ...], number: int, window: str
) -> None:
    colours = ("blue", "white", "red") if op.colour == "rwb" else (op.colour,) * op.count
    for colour in colours:
        if op.face == "choice" or colour == "choice" or op.optional:
            ask_unit(g, seat, seat if op.chooser == "user" else other, ("add", ref, number, other, colour))
        else:
            _add(g, other, FACE[op.face], COLOUR[colour], ref)


FOR_UNIT[schema.AddResult] = _add_for


def _add(g: Landing, seat: int, face: int, colour: int, ref: tuple[Any, ...]) -> None:
    changes.add_result(g, seat, face, colour, g.world.rule_of(ref), g.world.source_of(ref))
    if face == SKULL and g.phase == "upkeep" and g.world.switches.late_skull_acts:
        g.push(seat, ("late-skull",))
    if g.main and g.main[-1] == ("tally-end",) and not any(open_[0] in WINDOW_FRAMES for open_ in g.lanes[seat]):
        if has_stop(g, seat, "tally"):  # what has joined its tally may be of use to a card that had nothing to do
            g.lanes[seat].insert(0, ("window", "tally", NOBODY))


def add_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    op, colour = op_of(g, frame), frame[4]
    faces = FACES if op.face == "choice" else (op.face,)
    colours = COLOURS[:3] if colour == "choice" else (colour,)
    found = tuple(f"add:{face}:{colour}" for face in faces for colour in colours)
    return ("none", *found) if op.optional else found


def add_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    if key != "none":
        _, face, colour = key.split(":")
        _add(g, frame[3], FACE[face], COLOUR[colour], frame[1])


def _set_result(g: Landing, seat: int, op: schema.SetResult, ref: tuple[Any, ...], number: int, window: str) -> None:
    if window == "die":
        g.push(seat, ("set-pips", ref, number))
    elif op.dice == "own-skulls":
        g.push(seat, ("set-face", ref, number, seat, _skulls(g, seat)))
    else:
        g.push(seat, ("pick-die", ref, number))


def _skulls(g: Landing, seat: int) -> int:
    return sum(1 << place for place, face in enumerate(g.units[seat].faces) if face == SKULL)


def _added_skulls(g: Landing, seat: int) -> bool:
    return any(face == SKULL for face, _ in g.units[seat].added)


def _no_die(g: Landing, seat: int, op: schema.SetResult, card: str) -> Reason | None:
    if op.dice == "own-skulls" and not _skulls(g, seat) and not _added_skulls(g, seat):
        return Reason(say("refusal.no-skull"), g.world.cards[card].rule)
    unit = g.units[seat]
    if op.dice == "own-blue" and not any(unit.faces[p] >= 0 and unit.colours[p] == BLUE for p in range(6)):
        return Reason(say("refusal.no-blue"), g.world.cards[card].rule)
    return None


FEASIBLE[schema.SetResult] = _no_die


def pick_die_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    op = op_of(g, frame)
    unit = g.units[seat]
    if isinstance(op, schema.Reroll):
        mask = _rollable(g, seat, op, g.world.source_of(frame[1]))
        found = set_keys("die", mask, 1, op.dice)
        return ("done", *found) if op.times > 1 else found
    if isinstance(op, schema.SetColour):
        return set_keys("die", rolled(g, seat), 1, 1)
    if op.dice == "own-blue":
        return tuple(f"die:U{seat + 1}.{DICE[p]}" for p in range(6) if unit.faces[p] >= 0 and unit.colours[p] == BLUE)
    seats = [seat, *others(g, seat)] if g.phase != "roll" or _all_final(g) else [seat]
    return tuple(f"die:U{who + 1}.{DICE[place]}" for who in seats for place in MEMBERS[rolled(g, who)])


def _all_final(g: Landing) -> bool:
    """All dice are final: nobody is rolling any more (a tally may be changed by another Unit only then)."""
    return not any(frame[0] in ("reroll", "lock", "dice", "leave") for lane in g.lanes for frame in lane)


def pick_die_refusals(g: Landing, seat: int, frame: Frame) -> dict[str, tuple[Reason, ...]]:
    """Dice that may not be rolled: Locked ones, and Skulls where they stay."""
    op = op_of(g, frame)
    if not isinstance(op, schema.Reroll):
        return {}
    unit, cite = g.units[seat], g.world.cite
    out = {}
    for place in MEMBERS[rolled(g, seat) & ~_rollable(g, seat, op, g.world.source_of(frame[1]))]:
        reasons = []
        if unit.locked >> place & 1 and not op.locked:
            reasons.append(Reason(say("refusal.locked", die=DICE[place]), cite["locked"]))
        if unit.faces[place] == SKULL and questions.skulls_stay(g, unit):
            reasons.append(Reason(say("refusal.skull-stays", die=DICE[place]), cite["skulls-stay"]))
        out[f"die:{DICE[place]}"] = tuple(reasons)
    return out


def _rollable(g: Landing, seat: int, op: schema.Reroll, card: str) -> int:
    """Dice that this card may roll again. Where a Sector lets Skulls stay, only an Award stands above it."""
    unit = g.units[seat]
    mask = rolled(g, seat) & (ALL if op.locked else ~unit.locked)
    stay = questions.skulls_stay(g, unit) and g.world.cards[card].kind != "award"
    return mask & ~_skulls(g, seat) if stay else mask


def pick_die_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    op = op_of(g, frame)
    name = key[4:]
    if key == "done":
        return
    if isinstance(op, schema.Reroll):
        if frame[3] < op.times:
            g.push(seat, (*frame[:3], frame[3] + 1))
        mask = sum(1 << PLACE[die] for die in name.split(","))
        g.push(seat, ("dice", mask, 0))
    elif isinstance(op, schema.SetColour):
        g.push(seat, ("set-colour", frame[1], frame[2], PLACE[name]))
    else:
        who, _, die = name.partition(".")
        g.push(seat, ("set-face", frame[1], frame[2], int(who[1:]) - 1, 1 << PLACE[die]))


def set_face_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    here = {g.units[frame[3]].faces[place] for place in MEMBERS[frame[4]]} or {SKULL}
    return tuple(f"face:{name}" for face, name in enumerate(FACES) if {face} != here)


def set_face_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    _, ref, _, who, mask = frame
    unit = g.units[who]
    face = FACE[key[5:]]
    faces = tuple(face if mask >> place & 1 else old for place, old in enumerate(unit.faces))
    rule, source = g.world.rule_of(ref), g.world.source_of(ref)
    changes.set_dice(g, who, faces, unit.colours, unit.locked, rule, source)
    if op_of(g, frame).dice == "own-skulls" and _added_skulls(g, who):
        turned = tuple((face if old == SKULL else old, colour) for old, colour in unit.added)
        unit.added = turned
        g.tell("turned", who, {"face": FACES[face]}, rule, source)


def _set_colour(g: Landing, seat: int, op: schema.SetColour, ref: tuple[Any, ...], number: int, window: str) -> None:
    g.push(seat, ("pick-die", ref, number))


def set_colour_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    now = g.units[seat].colours[frame[3]]
    return tuple(f"colour:{name}" for colour, name in enumerate(COLOURS[:3]) if colour != now)


def set_colour_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    unit = g.units[seat]
    colours = list(unit.colours)
    colours[frame[3]] = COLOUR[key[7:]]
    ref = frame[1]
    changes.set_dice(g, seat, unit.faces, tuple(colours), unit.locked, g.world.rule_of(ref), g.world.source_of(ref))


def _reroll(g: Landing, seat: int, op: schema.Reroll, ref: tuple[Any, ...], number: int, window: str) -> None:
    g.push(seat, ("pick-die", ref, number, 1))


def _no_reroll(g: Landing, seat: int, op: schema.Reroll, card: str) -> Reason | None:
    if _rollable(g, seat, op, card):
        return None
    return Reason(say("refusal.no-reroll"), g.world.cite["locked"])


FEASIBLE[schema.Reroll] = _no_reroll


def _die_op(g: Landing, seat: int) -> tuple[int, Op]:
    """The d6 that waits for this seat's card: the lane it lies on, and the operation."""
    waiter = next(frame[2] for frame in reversed(g.lanes[seat]) if frame[0] == "window-again" and frame[1] == "die")
    stack = g.main if waiter == MAIN else g.lanes[waiter]
    return waiter, next(frame[2] for frame in reversed(stack) if frame[0] == "op" and frame[2][0] == "die")


def set_pips_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    pips = _die_op(g, seat)[1][2][1]
    return tuple(f"die:{n + 1}={face}" for n, now in enumerate(pips) for face in range(1, 7) if face != now)


def set_pips_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    waiter, op = _die_op(g, seat)
    place, _, face = key[4:].partition("=")
    pips = list(op[2][1])
    pips[int(place) - 1] = int(face)
    new = (op[0], op[1], (op[2][0], tuple(pips), *op[2][2:]), op[3], op[4])
    stack = g.main if waiter == MAIN else g.lanes[waiter]
    at = max(n for n, frame_ in enumerate(stack) if frame_[0] == "op" and frame_[2] == op)
    stack[at] = ("op", stack[at][1], new, stack[at][3])
    g.tell("pips", op[1], fire.told(g, op[2][0], tuple(pips)), g.world.rule_of(frame[1]), g.world.source_of(frame[1]))


# ---------------------------------------------------------------------- whole tallies


def _copy_tally(g: Landing, seat: int, op: schema.CopyTally, ref: tuple[Any, ...], number: int, window: str) -> None:
    near = others(g, seat)
    if len(near) == 1:
        _copy(g, seat, near[0], ref)
    else:
        g.push(seat, ("copy-from", ref, number))


def _copy(g: Landing, seat: int, other: int, ref: tuple[Any, ...]) -> None:
    them = g.units[other]
    changes.set_dice(g, seat, them.faces, them.colours, 0, g.world.rule_of(ref), g.world.source_of(ref))


def _alone(g: Landing, seat: int, op: Any, card: str) -> Reason | None:
    if others(g, seat):
        return None
    return Reason(say("refusal.alone"), g.world.cards[card].rule)


FEASIBLE[schema.CopyTally] = _alone


def copy_from_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    _copy(g, seat, int(key[6:]) - 1, frame[1])


def _repeat_tally(
    g: Landing, seat: int, op: schema.RepeatTally, ref: tuple[Any, ...], number: int, window: str
) -> None:
    unit = g.units[seat]
    unit.done = (*unit.done, "photograph")


def _roll_pool(g: Landing, seat: int, op: schema.RollPool, ref: tuple[Any, ...], number: int, window: str) -> None:
    """Once in a game: a Lieutenant who comes back brings no new dice (F-OPT-SOLITAIRE-06)."""
    if f"spare:{seat}" not in g.spent and not g.units[seat].spare:
        g.push(seat, ("spare",))


def spare_request(g: Landing, seat: int, frame: Frame) -> Roll:
    stream = f"spare:{seat}"
    return Roll(stream, g.drawn.get(stream, 0), GROUPS[ALL], g.world.cite["lieutenant-solo"])


def spare_outcome(g: Landing, seat: int, frame: Frame, outcome: Outcome) -> None:
    faces = tuple(int(face) for face in outcome)
    g.units[seat].spare = tuple(zip(faces, HOME, strict=True))
    g.spent = tuple(sorted((*g.spent, f"spare:{seat}")))
    g.tell("spare", seat, {"dice": g.units[seat].spare}, g.world.cite["lieutenant-solo"], "lieutenant")


def _no_spare(g: Landing, seat: int, op: Any, card: str) -> Reason | None:
    if g.units[seat].spare:
        return None
    return Reason(say("refusal.no-spare"), g.world.cite["lieutenant-solo"])


FEASIBLE[schema.SwapWithPool] = _no_spare


def _swap_with_pool(g: Landing, seat: int, op: Any, ref: tuple[Any, ...], number: int, window: str) -> None:
    g.push(seat, ("swap-give", ref, number))


def _swap_dice(g: Landing, seat: int, op: schema.SwapDice, ref: tuple[Any, ...], number: int, window: str) -> None:
    g.push(seat, ("swap-give", ref, number))


def _partners(g: Landing, seat: int) -> list[int]:
    """Units that have not exchanged a die this turn."""
    return [other for other in others(g, seat) if "swap" not in g.units[other].done]


def _givable(g: Landing, seat: int, op: Any) -> int:
    """Dice that may change hands: none that a card is just being used on."""
    skulls = op.skulls if isinstance(op, schema.SwapDice) else True
    return rolled(g, seat) & (ALL if skulls else ~_skulls(g, seat)) & ~_in_work(g, seat)


def _in_work(g: Landing, seat: int) -> int:
    """Dice of this Unit that a card is about to turn."""
    mask = 0
    for owner, lane in enumerate(g.lanes):
        for frame in lane:
            if frame[0] == "set-face" and frame[3] == seat:
                mask |= frame[4]
            elif frame[0] == "set-colour" and owner == seat:
                mask |= 1 << frame[3]
    return mask


def _no_swap(g: Landing, seat: int, op: schema.SwapDice, card: str) -> Reason | None:
    cite = g.world.cite
    if "swap" in g.units[seat].done:
        return Reason(say("refusal.swapped"), cite["lieutenant-pairs"])
    if not _givable(g, seat, op):
        return Reason(say("refusal.all-skulls"), cite["lieutenant-skulls"])
    if not any(_givable(g, other, op) for other in _partners(g, seat)):
        return Reason(say("refusal.no-partner"), cite["lieutenant-pairs"])
    return None


FEASIBLE[schema.SwapDice] = _no_swap


def swap_give_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return ("withdraw", *set_keys("give", _givable(g, seat, op_of(g, frame)), 1, 1))


def swap_give_refusals(g: Landing, seat: int, frame: Frame) -> dict[str, tuple[Reason, ...]]:
    """Skulls, where they may not be given."""
    kept = rolled(g, seat) & ~_givable(g, seat, op_of(g, frame))
    cite = g.world.cite["lieutenant-skulls"]
    text = say("refusal.skull-trade")
    return {f"give:{DICE[place]}": (Reason(text, cite),) for place in MEMBERS[kept]}


def swap_give_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    if key == "withdraw":
        take_back_use(g, seat, frame[1])
    else:
        g.push(seat, ("swap-take", frame[1], frame[2], PLACE[key[5:]]))


def take_back_use(g: Landing, seat: int, ref: tuple[Any, ...]) -> None:
    """Nothing came of the announced use: it does not count."""
    unit = g.units[seat]
    unit.done = tuple(mark for mark in unit.done if mark != f"use:{ref[1]}")


def lapse(g: Landing, seat: int, frame: Frame) -> None:
    """What others did has left nothing to choose from."""
    if frame[1][0] == "card":
        take_back_use(g, seat, frame[1])
    g.tell("lapsed", seat, {}, g.world.rule_of(frame[1]), g.world.source_of(frame[1]))


def swap_take_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    op = op_of(g, frame)
    if isinstance(op, schema.SwapWithPool):
        return tuple(f"take:{n + 1}" for n in range(len(g.units[seat].spare)))
    return (
        "withdraw",
        *(
            f"take:U{other + 1}.{DICE[place]}"
            for other in _partners(g, seat)
            for place in MEMBERS[_givable(g, other, op)]
        ),
    )


def swap_take_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    _, ref, number, mine = frame
    if key == "withdraw":
        take_back_use(g, seat, ref)
        return
    if isinstance(op_of(g, frame), schema.SwapWithPool):
        unit = g.units[seat]
        which = int(key[5:]) - 1
        face, colour = unit.spare[which]
        unit.spare = unit.spare[:which] + unit.spare[which + 1 :]
        faces = (*unit.faces[:mine], face, *unit.faces[mine + 1 :])
        colours = (*unit.colours[:mine], colour, *unit.colours[mine + 1 :])
        locked = unit.locked & ~(1 << mine)
        changes.set_dice(g, seat, faces, colours, locked, g.world.cite["lieutenant-solo"], ref[1])
        return
    who, _, die = key[5:].partition(".")
    other = int(who[1:]) - 1
    g.push(seat, ("awaiting", other))
    g.interrupt(other, ("swap-consent", ref, number, seat, mine, PLACE[die]))


def swap_consent_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    asker, theirs, mine = frame[3:]
    op = op_of(g, frame)
    fits = "swap" not in g.units[seat].done and "swap" not in g.units[asker].done
    if fits and _givable(g, asker, op) >> theirs & 1 and _givable(g, seat, op) >> mine & 1:
        return ("accept", "refuse")
    return ("refuse",)


def swap_consent_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    _, ref, _, asker, theirs, mine = frame
    g.release(asker, ("awaiting", seat))
    if key == "refuse":
        g.tell("refused", seat, {"unit": asker}, g.world.cite["lieutenant"], ref[1])
        take_back_use(g, asker, ref)
        return
    a, b = g.units[asker], g.units[seat]
    for unit in (a, b):
        unit.done = (*unit.done, "swap")
    give = (a.faces[theirs], a.colours[theirs], a.locked >> theirs & 1)
    take = (b.faces[mine], b.colours[mine], b.locked >> mine & 1)
    for who, unit, place, (face, colour, stays) in ((asker, a, theirs, take), (seat, b, mine, give)):
        faces = (*unit.faces[:place], face, *unit.faces[place + 1 :])
        colours = (*unit.colours[:place], colour, *unit.colours[place + 1 :])
        locked = unit.locked & ~(1 << place) | stays << place
        changes.set_dice(g, who, faces, colours, locked, g.world.cite["lieutenant"], ref[1])
    for one in range(len(g.lanes)):
        look_again(g, one)


PERFORM.update(
    {
        schema.AddResult: _add_result,
        schema.SetResult: _set_result,
        schema.SetColour: _set_colour,
        schema.Reroll: _reroll,
        schema.CopyTally: _copy_tally,
        schema.RepeatTally: _repeat_tally,
        schema.SwapDice: _swap_dice,
        schema.RollPool: _roll_pool,
        schema.SwapWithPool: _swap_with_pool,
    }
)
