"""What the ops of cards and RWB bonuses do: one function per op of `content.schema`, and why it could do nothing.

A list of ops under way is a frame `("do", ref, number, window)`, where `ref` names the list (see `World.ops`). An op
that leaves something to the player pushes a question of its own; nothing is done before it is answered.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..content import schema
from ..core.errors import Reason
from ..core.machine import Frame
from ..core.node import Outcome, Roll
from ..core.operations import Op
from ..say import say
from . import changes, questions
from .cards import AFTER_MOVING, ENGAGE, FEASIBLE, operate
from .dice import (
    FACE,
    FACES,
    MEMBERS,
    SKULL,
)
from .state import ARROW, TWO_ARROWS, Landing

Perform = Callable[[Landing, int, Any, tuple[Any, ...], int, str], None]
PERFORM: dict[type, Perform] = {}


def step_do(g: Landing, seat: int, frame: Frame) -> None:
    """Do one op of a list and come back for the next."""
    _, ref, number, window = frame
    ops = g.world.ops(ref)
    if number + 1 < len(ops):
        g.push(seat, ("do", ref, number + 1, window))
    op = ops[number]
    PERFORM[type(op)](g, seat, op, ref, number, window)


def op_of(g: Landing, frame: Frame) -> Any:
    """The op that a question frame `(name, ref, number, ...)` belongs to."""
    return g.world.ops(frame[1])[frame[2]]


def frame_rule(g: Landing, seat: int, frame: Frame) -> str:
    return g.world.rule_of(frame[1])


def frame_source(g: Landing, seat: int, frame: Frame) -> str:
    return g.world.source_of(frame[1])


def others(g: Landing, seat: int) -> list[int]:
    """The other Units on the map."""
    return [other for other, unit in enumerate(g.units) if other != seat and unit.status == 0]


def unit_keys(seats: list[int]) -> tuple[str, ...]:
    return tuple(f"unit:U{seat + 1}" for seat in seats)


# ---------------------------------------------------------------------- another Unit

ForUnit = Callable[[Landing, int, int, Any, tuple[Any, ...], int, str], None]
FOR_UNIT: dict[type, ForUnit] = {}
"""What an op does for another Unit, once that is known."""


def for_another(g: Landing, seat: int, op: Any, ref: tuple[Any, ...], number: int, window: str) -> None:
    """Do it for another Unit: the only one, or one of choice. Alone it is the own Unit, but for a second part."""
    near = others(g, seat)
    if g.world.solo:
        if getattr(op, "part", 1) == 1:
            FOR_UNIT[type(op)](g, seat, seat, op, ref, number, window)
    elif len(near) == 1:
        FOR_UNIT[type(op)](g, seat, near[0], op, ref, number, window)
    elif near:
        g.push(seat, ("pick-unit", ref, number, window))


def pick_unit_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return unit_keys(others(g, seat))


def pick_unit_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    op = op_of(g, frame)
    FOR_UNIT[type(op)](g, seat, int(key[6:]) - 1, op, frame[1], frame[2], frame[3])


def ask_unit(g: Landing, seat: int, other: int, frame: Frame) -> None:
    """Put a question to that Unit, on top of whatever it is at."""
    if other == seat:
        g.push(seat, frame)
    else:
        g.interrupt(other, frame)


# ---------------------------------------------------------------------- resources


def _gain(g: Landing, seat: int, op: schema.Gain, ref: tuple[Any, ...], number: int, window: str) -> None:
    if op.to == "self":
        _gain_for(g, seat, op, ref, seat)
    elif op.to == "same-advance":
        at = g.main.index(("before-combat",)) + 1
        g.main.insert(at, ("same-advance", ref, number, seat, g.units[seat].visited[-2:]))
    elif g.world.solo:
        if op.to in ("another", "each") and op.part == 1:
            _gain_for(g, seat, op, ref, seat)
    elif op.to == "another":
        near = others(g, seat)
        if len(near) == 1:
            _gain_for(g, near[0], op, ref, seat)
        elif near:
            g.push(seat, ("gift", ref, number))
    else:
        for other in others(g, seat) + ([seat] if op.to == "each" else []):
            _gain_for(g, other, op, ref, seat)


def _gain_for(g: Landing, seat: int, op: schema.Gain, ref: tuple[Any, ...], user: int) -> None:
    times = 1
    if op.per == "locked-skull":
        unit = g.units[user]
        times = sum(1 for place in MEMBERS[unit.locked] if unit.faces[place] == SKULL)
    amounts = {
        "soldiers": op.soldiers * times,
        "stars": op.stars * times,
        "courage": op.courage * times,
        "points": op.points * times,
    }
    changes.gain(g, seat, amounts, g.world.rule_of(ref), g.world.source_of(ref))
    if seat != user:
        changes.reopen(g, seat)


def same_advance(g: Landing, lane: int, frame: Frame) -> None:
    """All have moved: who made this very Advance?"""
    _, ref, _, user, line = frame
    for seat, unit in enumerate(g.units):
        if unit.status == 0 and "move" in unit.done and unit.visited[-2:] == line:
            _gain_for(g, seat, op_of(g, frame), ref, user)


def gift_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return unit_keys(others(g, seat))


def gift_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    _gain_for(g, int(key[6:]) - 1, op_of(g, frame), frame[1], seat)


# ---------------------------------------------------------------------- choices


def _choose(g: Landing, seat: int, op: schema.Choose, ref: tuple[Any, ...], number: int, window: str) -> None:
    open_ = _branches(g, seat, op, ref, number)
    if len(open_) == 1:
        g.push(seat, ("do", (*ref, number, open_[0]), 0, window))
    elif open_:
        g.push(seat, ("choose", ref, number, window))


def _branches(g: Landing, seat: int, op: schema.Choose, ref: tuple[Any, ...], number: int) -> list[int]:
    """The alternatives that can do something now."""
    source = g.world.source_of(ref)
    return [n for n, branch in enumerate(op.of) if not _blocked(g, seat, branch.ops, source)]


def _blocked(g: Landing, seat: int, ops: tuple[schema.Op, ...], card: str) -> Reason | None:
    for op in ops:
        if isinstance(op, schema.Gain) and op.to == "another" and not g.world.solo and not others(g, seat):
            return Reason(say("refusal.alone"), g.world.cite["rwb-gift"])
        check = FEASIBLE.get(type(op))
        reason = check(g, seat, op, card) if check else None
        if reason:
            return reason
    return None


def choose_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    op = op_of(g, frame)
    return tuple(f"choose:{op.of[n].name}" for n in _branches(g, seat, op, frame[1], frame[2])) or ("skip",)


def choose_refusals(g: Landing, seat: int, frame: Frame) -> dict[str, tuple[Reason, ...]]:
    source = g.world.source_of(frame[1])
    out: dict[str, tuple[Reason, ...]] = {}
    for branch in op_of(g, frame).of:
        reason = _blocked(g, seat, branch.ops, source)
        if reason:
            out[f"choose:{branch.name}"] = (reason,)
    return out


def choose_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    if key == "skip":
        return
    names = [branch.name for branch in op_of(g, frame).of]
    branch = names.index(key[7:])
    g.tell("chosen", seat, {"what": key[7:]}, g.world.cite["rwb-choice"], g.world.source_of(frame[1]))
    g.push(seat, ("do", (*frame[1], frame[2], branch), 0, frame[3]))


# ---------------------------------------------------------------------- lasting changes


def _modify(g: Landing, seat: int, op: schema.Modify, ref: tuple[Any, ...], number: int, window: str) -> None:
    if op.scope == "pair":
        for_another(g, seat, op, ref, number, window)
        return
    if op.scope == "adjacent-sector":
        near = _sectors_near(g, seat, op)
        if len(near) > 1:
            g.push(seat, ("pick-sector", ref, number))
            return
        scope, target = "sector", near[0]
    else:
        scope, target = {
            "self": ("unit", str(seat)),
            "each": ("each", ""),
            "own-sector": ("sector", g.units[seat].sector),
            "fight-sector": ("fight-sector", str(seat)),
            "same-move": ("same-move", str(seat)),
        }[op.scope]
    _last(g, seat, op, ref, scope, target)


def _last(g: Landing, seat: int, op: schema.Modify, ref: tuple[Any, ...], scope: str, target: str) -> None:
    mode = "by" if op.by is not None else "at_most" if op.at_most is not None else "set"
    value = next(value for value in (op.by, op.at_most, op.set) if value is not None)
    lasting(g, seat, op.question, mode, value, scope, target, op.until, g.world.source_of(ref), g.world.rule_of(ref))


def _for_pair(
    g: Landing, seat: int, other: int, op: schema.Modify, ref: tuple[Any, ...], number: int, window: str
) -> None:
    _last(g, seat, op, ref, "pair", questions.pair(seat, other))


FOR_UNIT[schema.Modify] = _for_pair


def _sectors_near(g: Landing, seat: int, op: schema.Modify) -> list[str]:
    """Sectors that touch the Unit's and fit the op; where MGF is concerned, those in which it is still to come."""
    here, world = g.units[seat].sector, g.world
    found = []
    for sector, printed in world.sectors.items():
        touches = any(way.to == sector for way in world.ways[here]) or any(way.to == here for way in world.ways[sector])
        wrong = (op.where == "bunker" and not printed.bunker) or (op.where == "not-bunker" and printed.bunker)
        idle = op.question == "mgf_dice" and (not _mgf(g, seat, sector) or (g.phase == "combat" and sector in g.fire))
        if touches and not wrong and not idle:
            found.append(sector)
    return found


def _mgf(g: Landing, seat: int, sector: str) -> int:
    return questions.ask(g, "mgf_dice", g.world.sectors[sector].mgf, seat, sector)


def pick_sector_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return tuple(f"sector:{sector}" for sector in _sectors_near(g, seat, op_of(g, frame)))


def pick_sector_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    _last(g, seat, op_of(g, frame), frame[1], "sector", key[7:])


def lasting(
    g: Landing,
    seat: int,
    question: str,
    mode: str,
    value: int,
    scope: str,
    target: str,
    until: str,
    source: str,
    rule: str,
) -> None:
    # kept in order, so that it does not matter which of two seats was first
    g.effects = tuple(sorted((*g.effects, (question, mode, value, scope, target, until, source))))
    data = {"question": question, "mode": mode, "value": value, "scope": scope, "target": target}
    g.tell("effect", seat, data, rule, source)


def _wrong_place(g: Landing, seat: int, op: schema.Modify, card: str) -> Reason | None:
    unit, world, scope, question = g.units[seat], g.world, op.scope, op.question
    if scope == "adjacent-sector":
        if _sectors_near(g, seat, op):
            return None
        return Reason(say("refusal.no-sector-near"), world.cards[card].rule)
    if scope == "pair" and not others(g, seat):
        return Reason(say("refusal.alone"), world.cards[card].rule)
    if op.where:
        bunker = world.sectors[unit.sector].bunker
        if (op.where == "bunker" and not bunker) or (op.where == "not-bunker" and bunker):
            return Reason(say("refusal.not-bunker" if bunker else "refusal.only-bunker"), world.cards[card].rule)
    if question == "defence" and scope == "own-sector" and (reason := _fixed(g, seat, op, card)):
        return reason
    if question == "mgf_dice" and not _mgf(g, seat, unit.sector):
        return Reason(say("refusal.no-mgf"), world.cite["mgf"])
    if question in BEFORE_MOVING and scope in ("self", "same-move"):
        if "move" in unit.done:
            return Reason(say("refusal.moved"), world.cite["move"])
        if question == "must_move" and unit.marker == TWO_ARROWS:
            return Reason(say("refusal.battle-cry-moves"), world.cite["battle-cry"])
        if question == "must_move" and unit.marker != ARROW:
            return Reason(say("refusal.need-not-move"), world.cards[card].rule)
    return None


def _fixed(g: Landing, seat: int, op: Any, card: str) -> Reason | None:
    if questions.fixed(g, g.units[seat].sector, g.world.cards[card]):
        return Reason(say("refusal.fixed-def"), g.world.cite["fixed-def"])
    return None


FEASIBLE[schema.ReduceByRoll] = _fixed
BEFORE_MOVING = frozenset(("barrier_stops", "advance_cost", "mines_hurt", "must_move"))
FEASIBLE[schema.Modify] = _wrong_place


SPARED = ("advance_cost", "must_have_needed", "sacrifice_needed", "door_closed")
"""What a Battle Cry spares a Unit that moves by it: the price of the line, and what the Sector asks for."""


def _free_move(g: Landing, seat: int, op: schema.FreeMove, ref: tuple[Any, ...], number: int, window: str) -> None:
    """The two arrows commit the Unit to move: leave to stay that it had itself is gone (F-MARKER-07)."""
    rule = g.world.rule_of(ref)
    changes.set_marker(g, seat, TWO_ARROWS, rule)
    g.effects = tuple(effect for effect in g.effects if effect[0] != "must_move" or effect[3:5] != ("unit", str(seat)))
    doors = g.world.switches.battle_cry_opens_doors and any(sector.door for sector in g.world.sectors.values())
    for question in SPARED if doors else SPARED[:-1]:
        lasting(g, seat, question, "set", 0, "unit", str(seat), "turn", g.world.source_of(ref), rule)
    if g.phase == "move":
        changes.reopen(g, seat)


def _moved(g: Landing, seat: int, op: schema.FreeMove, card: str) -> Reason | None:
    after = any(frame[0] in WINDOW_FRAMES and frame[1] in AFTER_MOVING for frame in g.lanes[seat])
    if after or g.phase == "combat" or "move" in g.units[seat].done:
        return Reason(say("refusal.moved-or-stayed"), g.world.cite["move"])
    if g.at(g.units[seat].sector).climb:
        return Reason(say("refusal.climb-cry"), g.world.cite["climb"])
    return None


WINDOW_FRAMES = ("window", "window-again")
FEASIBLE[schema.FreeMove] = _moved


# ---------------------------------------------------------------------- cards and places


def _grant_rwb(g: Landing, seat: int, op: schema.GrantRwb, ref: tuple[Any, ...], number: int, window: str) -> None:
    if op.to == "another":
        for_another(g, seat, op, ref, number, window)
    elif op.face == "choice":
        g.push(seat, ("pick-rwb", ref, number))
    else:
        operate(g, seat, "rwb", seat, (FACE[op.face],), g.world.rule_of(ref), g.world.source_of(ref))


def _no_rwb(g: Landing, seat: int, op: schema.GrantRwb, card: str) -> Reason | None:
    """Would nothing come of the RWB, as none of its choices is open?"""
    if op.to == "another" or op.face == "choice":
        return None
    branches = []
    for one in g.world.nations[g.units[seat].nation].rwb[op.face].ops:
        if not isinstance(one, schema.Choose):
            return None
        branches += [_blocked(g, seat, branch.ops, "") for branch in one.of]
    return branches[0] if all(branches) else None


FEASIBLE[schema.GrantRwb] = _no_rwb


def _grant_to(
    g: Landing, seat: int, other: int, op: schema.GrantRwb, ref: tuple[Any, ...], number: int, window: str
) -> None:
    ask_unit(g, seat, other, ("pick-rwb", ref, number))


FOR_UNIT[schema.GrantRwb] = _grant_to


def pick_rwb_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    op = op_of(g, frame)
    return tuple(f"face:{face}" for face in (FACES if op.face == "choice" else (op.face,)))


def pick_rwb_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    rule, source = g.world.rule_of(frame[1]), g.world.source_of(frame[1])
    operate(g, seat, "rwb", seat, (FACE[key[5:]],), rule, source)


def _rally(g: Landing, seat: int, op: schema.Rally, ref: tuple[Any, ...], number: int, window: str) -> None:
    g.push(seat, ("rally-free", ref, number))


def _find(g: Landing, seat: int, op: schema.Find, ref: tuple[Any, ...], number: int, window: str) -> None:
    unit = g.units[seat]
    if g.phase in ("roll", "upkeep") and not op.free and "recorded" not in unit.done:
        # It is paid from what this tally brings, so it waits for the recording.
        unit.due = (*unit.due, (ref, number))
    else:
        g.push(seat, ("find-open", ref, number))


def _draw_award(g: Landing, seat: int, op: schema.DrawAward, ref: tuple[Any, ...], number: int, window: str) -> None:
    if g.deck and "award" not in g.units[seat].done:
        g.push(seat, ("draw-award", g.world.source_of(ref), g.world.rule_of(ref)))


def _swap_partners(g: Landing, seat: int) -> list[int]:
    """Units elsewhere; no Vehicle comes into a Bunker that way either (F-VEH-06)."""
    here = g.units[seat].sector
    return [
        other
        for other in others(g, seat)
        if g.units[other].sector != here and _fits(g, seat, g.units[other].sector) and _fits(g, other, here)
    ]


def _fits(g: Landing, seat: int, sector: str) -> bool:
    vehicle = any(g.world.cards[card].kind == "vehicle" for card in g.units[seat].items)
    return not (vehicle and (g.world.sectors[sector].bunker or g.world.sectors[sector].climb))


def _no_swap_partner(g: Landing, seat: int, op: Any, card: str) -> Reason | None:
    if _swap_partners(g, seat):
        return None
    return Reason(say("refusal.no-swap"), g.world.cards[card].rule)


FEASIBLE[schema.SwapSectors] = _no_swap_partner


def _swap_sectors(
    g: Landing, seat: int, op: schema.SwapSectors, ref: tuple[Any, ...], number: int, window: str
) -> None:
    near = _swap_partners(g, seat)
    if len(near) == 1:
        _change_places(g, seat, near[0], ref)
    else:
        g.push(seat, ("swap-with", ref, number))


def swap_with_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return unit_keys(_swap_partners(g, seat))


def swap_with_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    _change_places(g, seat, int(key[6:]) - 1, frame[1])


def _change_places(g: Landing, seat: int, other: int, ref: tuple[Any, ...]) -> None:
    here, there = g.units[seat].sector, g.units[other].sector
    for who, to in ((seat, there), (other, here)):
        unit = g.units[who]
        changes.place(g, who, to, g.world.rule_of(ref), ref[1])
        if g.at(to).climb:
            _no_cry(g, who)
        if "fought" in unit.done:
            unit.done = (*unit.done, "fought-elsewhere")
        if g.world.switches.swapped_may_return:
            unit.visited = unit.visited[-2:] if g.world.sectors[to].bunker else (to,)


def _no_cry(g: Landing, seat: int) -> None:
    """What a Battle Cry spares a Unit that moves is gone: on a cliff there is none (F-MAP-N07-04)."""
    g.effects = tuple(
        effect for effect in g.effects if effect[0] not in SPARED or effect[3:5] != ("unit", str(seat)) or effect[6]
    )


# ---------------------------------------------------------------------- prices


def _lose(g: Landing, seat: int, op: schema.Lose, ref: tuple[Any, ...], number: int, window: str) -> None:
    if op.to == "another":
        for_another(g, seat, op, ref, number, window)
    else:
        _lose_for(g, seat, seat, op, ref, number, window)


def _lose_for(
    g: Landing, seat: int, other: int, op: schema.Lose, ref: tuple[Any, ...], number: int, window: str
) -> None:
    keys = lose_keys(g, seat, ("price", ref, number))
    if len(keys) == 1:
        lose_answer(g, seat, ("price", ref, number, other), keys[0])
    else:
        g.push(seat, ("price", ref, number, other))


FOR_UNIT[schema.Lose] = _lose_for


def lose_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    op = op_of(g, frame)
    if op.specialist:
        return tuple(f"lose:{card}" for card in g.units[seat].specialists)
    numbers = range(1, _to_spare(g, seat, op.soldiers) + 1) if op.up_to else (op.soldiers,)
    return tuple(f"pay:soldiers={n}" for n in numbers)


def _to_spare(g: Landing, seat: int, most: int) -> int:
    """Soldiers that the Unit can do without; somebody has to be left."""
    unit = g.units[seat]
    return min(most, unit.soldiers if unit.specialists else unit.soldiers - 1)


def lose_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    op = op_of(g, frame)
    rule, source = g.world.rule_of(frame[1]), g.world.source_of(frame[1])
    if op.specialist:
        worth = g.world.cards[key[5:]].cost
        changes.die(g, seat, key[5:], rule, source)
    else:
        worth = int(key.partition("=")[2])
        changes.gain(g, seat, {"soldiers": -worth}, rule, source)
    changes.gain(g, frame[3], {"soldiers": op.brings * worth}, rule, source)


def _nothing_to_lose(g: Landing, seat: int, op: schema.Lose, card: str) -> Reason | None:
    unit, rule = g.units[seat], g.world.cards[card].rule
    if op.to == "another" and not others(g, seat):
        return Reason(say("refusal.alone"), rule)
    if op.specialist:
        return None if unit.specialists else Reason(say("refusal.no-specialist"), rule)
    if op.up_to:
        enough = _to_spare(g, seat, op.soldiers) > 0
    else:
        enough = unit.soldiers >= op.soldiers
    return None if enough else Reason(say("refusal.few-soldiers"), rule)


FEASIBLE[schema.Lose] = _nothing_to_lose


# ---------------------------------------------------------------------- DEF for a die, DEF for Item Points


def _reduce_by_roll(
    g: Landing, seat: int, op: schema.ReduceByRoll, ref: tuple[Any, ...], number: int, window: str
) -> None:
    g.push(seat, ("card-die", ref, number))


def card_die_request(g: Landing, seat: int, frame: Frame) -> Roll:
    stream = f"card-die:{seat}"
    rule, source = g.world.rule_of(frame[1]), g.world.source_of(frame[1])
    return Roll(stream, g.drawn.get(stream, 0), (1,), rule, low=1, source=source)


def card_die_outcome(g: Landing, seat: int, frame: Frame, outcome: Outcome) -> None:
    rule, source = g.world.rule_of(frame[1]), g.world.source_of(frame[1])
    g.tell("pips", seat, {"for": source, "pips": outcome}, rule, source)
    operate(g, seat, "die", seat, (source, outcome), rule, source)


def card_die(g: Landing, seat: int, card: str, pips: tuple[int, ...]) -> None:
    """The die of a card stands: what is asked about the Unit's Sector is lower by its pips."""
    found = g.world.cards[card]
    op = next(op for ability in found.abilities for op in ability.ops if isinstance(op, schema.ReduceByRoll))
    sector = g.units[seat].sector
    lasting(g, seat, op.question, "by", -sum(pips), "sector", sector, "turn", card, found.rule)


def _advanced(g: Landing, seat: int) -> bool:
    """Has the Unit Advanced this turn?"""
    unit = g.units[seat]
    if "move" not in unit.done or len(unit.visited) < 2:
        return False
    start, end = unit.visited[-2:]
    return any(way.to == end and way.forward for way in g.world.ways[start])


def _no_guns(g: Landing, seat: int, op: schema.PayToReduce, card: str) -> Reason | None:
    unit, rule = g.units[seat], g.world.cards[card].rule
    if not _advanced(g, seat):
        return Reason(say("refusal.not-advanced"), rule)
    if g.world.sectors[unit.sector].bunker:
        return Reason(say("refusal.not-bunker"), rule)
    if reason := _fixed(g, seat, op, card):
        return reason
    if unit.points < op.points:
        return Reason(say("refusal.points", n=op.points, held=unit.points), rule)
    return None


FEASIBLE[schema.PayToReduce] = _no_guns


def _pay_to_reduce(
    g: Landing, seat: int, op: schema.PayToReduce, ref: tuple[Any, ...], number: int, window: str
) -> None:
    g.push(seat, ("pay-to-reduce", ref, number))


def guns_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    op = op_of(g, frame)
    times = min(op.most, g.units[seat].points // op.points)
    return tuple(f"pay:points={n * op.points}" for n in range(1, times + 1))


def guns_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    paid = int(key.partition("=")[2])
    rule, source = g.world.rule_of(frame[1]), g.world.source_of(frame[1])
    changes.gain(g, seat, {"points": -paid}, rule, source)
    less = -(paid // op_of(g, frame).points)
    lasting(g, seat, "defence", "by", less, "sector", g.units[seat].sector, "turn", source, rule)


# ---------------------------------------------------------------------- paying to save


def pay_to_save_engage(g: Landing, lane: int, op: Op, card: str, number: int) -> None:
    unit = g.units[op[1]]
    resources = g.world.cards[card].abilities[number].ops[0].resources  # type: ignore[union-attr]
    if any(getattr(unit, name) for name in resources):
        g.push(lane, ("pay-to-save", ("card", card, number), 0))


ENGAGE[schema.PayToSave] = pay_to_save_engage


def pay_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    most = g.lanes[seat][-2][2][2][0]
    unit = g.units[seat]
    names = op_of(g, frame).resources
    found = ["pay:none"]
    first = getattr(unit, names[0])
    second = getattr(unit, names[1]) if len(names) > 1 else 0
    for a in range(min(first, most) + 1):
        for b in range(min(second, most - a) + 1):
            if a or b:
                parts = [f"{name}={n}" for name, n in zip(names, (a, b), strict=False) if n]
                found.append("pay:" + ",".join(parts))
    return tuple(found)


def pay_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    if key == "pay:none":
        return
    paid = {name: int(n) for name, n in (part.split("=") for part in key[4:].split(","))}
    rule, source = g.world.rule_of(frame[1]), g.world.source_of(frame[1])
    changes.gain(g, seat, {name: -n for name, n in paid.items()}, rule, source)
    _, stage, op, seen = g.lanes[seat].pop()
    saved = sum(paid.values())
    g.tell("saved", seat, {"soldiers": saved}, rule, source)
    g.push(seat, ("op", stage, (op[0], op[1], (op[2][0] - saved, *op[2][1:]), op[3], op[4]), seen))


PERFORM.update(
    {
        schema.Gain: _gain,
        schema.Choose: _choose,
        schema.Modify: _modify,
        schema.GrantRwb: _grant_rwb,
        schema.FreeMove: _free_move,
        schema.Find: _find,
        schema.DrawAward: _draw_award,
        schema.Rally: _rally,
        schema.Lose: _lose,
        schema.ReduceByRoll: _reduce_by_roll,
        schema.PayToReduce: _pay_to_reduce,
        schema.SwapSectors: _swap_sectors,
    }
)
