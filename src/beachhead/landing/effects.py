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
from ..core.operations import Op
from . import changes
from .cards import ENGAGE, FEASIBLE, operate
from .dice import (
    FACE,
    MEMBERS,
    SKULL,
)
from .state import RESOURCES, TWO_ARROWS, Landing

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


# ---------------------------------------------------------------------- resources


def _gain(g: Landing, seat: int, op: schema.Gain, ref: tuple[Any, ...], number: int, window: str) -> None:
    if op.to == "self":
        _gain_for(g, seat, op, ref, seat)
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
    amounts = {name: getattr(op, name) * times for name in RESOURCES if getattr(op, name)}
    changes.gain(g, seat, amounts, g.world.rule_of(ref), g.world.source_of(ref))


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
        check = FEASIBLE.get(type(op))
        reason = check(g, seat, op, card) if check else None
        if reason:
            return reason
    return None


def choose_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    op = op_of(g, frame)
    return tuple(f"choose:{op.of[n].name}" for n in _branches(g, seat, op, frame[1], frame[2]))


def choose_refusals(g: Landing, seat: int, frame: Frame) -> dict[str, tuple[Reason, ...]]:
    source = g.world.source_of(frame[1])
    out: dict[str, tuple[Reason, ...]] = {}
    for branch in op_of(g, frame).of:
        reason = _blocked(g, seat, branch.ops, source)
        if reason:
            out[f"choose:{branch.name}"] = (reason,)
    return out


def choose_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    names = [branch.name for branch in op_of(g, frame).of]
    branch = names.index(key[7:])
    g.tell("chosen", seat, {"what": key[7:]}, g.world.cite["rwb-choice"], g.world.source_of(frame[1]))
    g.push(seat, ("do", (*frame[1], frame[2], branch), 0, frame[3]))


# ---------------------------------------------------------------------- lasting changes


def _modify(g: Landing, seat: int, op: schema.Modify, ref: tuple[Any, ...], number: int, window: str) -> None:
    mode = "by" if op.by is not None else "at_most" if op.at_most is not None else "set"
    value = next(value for value in (op.by, op.at_most, op.set) if value is not None)
    scope, target = {
        "self": ("unit", str(seat)),
        "each": ("each", ""),
        "own-sector": ("sector", g.units[seat].sector),
        "same-move": ("same-move", str(seat)),
    }[op.scope]
    lasting(g, seat, op.question, mode, value, scope, target, op.until, g.world.source_of(ref), g.world.rule_of(ref))


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
    bunker = g.world.sectors[g.units[seat].sector].bunker
    if (op.where == "bunker" and not bunker) or (op.where == "not-bunker" and bunker):
        return Reason("not in a Bunker" if bunker else "only in a Bunker", g.world.cards[card].rule)
    if op.question == "mgf_dice" and not g.world.sectors[g.units[seat].sector].mgf:
        return Reason("there is no Machine Gun Fire here", g.world.cite["mgf"])
    if op.question in BEFORE_MOVING and "move" in g.units[seat].done:
        return Reason("the Unit has moved this turn", g.world.cite["move"])
    return None


BEFORE_MOVING = ("barrier_stops", "advance_cost", "mines_hurt", "must_move")
FEASIBLE[schema.Modify] = _wrong_place


def _free_move(g: Landing, seat: int, op: schema.FreeMove, ref: tuple[Any, ...], number: int, window: str) -> None:
    rule = g.world.rule_of(ref)
    changes.set_marker(g, seat, TWO_ARROWS, rule)
    for question in ("advance_cost", "must_have_needed", "sacrifice_needed"):
        lasting(g, seat, question, "set", 0, "unit", str(seat), "turn", g.world.source_of(ref), rule)


def _moved(g: Landing, seat: int, op: schema.FreeMove, card: str) -> Reason | None:
    if "move" in g.units[seat].done:
        return Reason("the Unit has moved this turn", g.world.cite["move"])
    return None


FEASIBLE[schema.FreeMove] = _moved


# ---------------------------------------------------------------------- cards and places


def _grant_rwb(g: Landing, seat: int, op: schema.GrantRwb, ref: tuple[Any, ...], number: int, window: str) -> None:
    operate(g, seat, "rwb", seat, (FACE[op.face],), g.world.rule_of(ref), g.world.source_of(ref))


def _find(g: Landing, seat: int, op: schema.Find, ref: tuple[Any, ...], number: int, window: str) -> None:
    if g.phase == "upkeep" and not op.free and "recorded" not in g.units[seat].done:
        # It is paid from what this tally brings, so it waits for the recording.
        unit = g.units[seat]
        unit.done = (*unit.done, "find-due")
        stack = g.lanes[seat]
        at = next(n for n, frame in enumerate(stack) if frame[0] == "record")
        stack.insert(at, ("find-open", ref, number))
    else:
        g.push(seat, ("find-open", ref, number))


def _draw_award(g: Landing, seat: int, op: schema.DrawAward, ref: tuple[Any, ...], number: int, window: str) -> None:
    if g.deck and "award" not in g.units[seat].done:
        g.push(seat, ("draw-award", g.world.source_of(ref)))


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
    return not (vehicle and g.world.sectors[sector].bunker)


def _no_swap_partner(g: Landing, seat: int, op: Any, card: str) -> Reason | None:
    if _swap_partners(g, seat):
        return None
    return Reason("there is no Unit elsewhere to change places with", g.world.cards[card].rule)


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
    changes.place(g, seat, there, g.world.rule_of(ref), ref[1])
    changes.place(g, other, here, g.world.rule_of(ref), ref[1])


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
        schema.SwapSectors: _swap_sectors,
    }
)
