"""Cards at work: who may use what in which window, and how abilities stand in the way of operations.

The path that every operation walks is `core.operations`; this module lends it the cards in play. What the ops of a
card do is in `effects`.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any

from ..content import schema
from ..content.schema import Ability
from ..core.errors import Reason
from ..core.machine import Frame, Refusals
from ..core.operations import REACT, REPLACE, TRIGGER, Op, Path, Ref, change, propose, walk
from ..say import Table, either, say
from . import changes, questions
from .state import Landing
from .words import unit_name
from .world import World

Feasible = Callable[[Landing, int, Any, str], Reason | None]
FEASIBLE: dict[type, Feasible] = {}
"""Per kind of op: why it could do nothing now for that seat (filled by `effects`)."""

COMMITS: dict[str, Callable[[Landing, int, Op], None]] = {}
"""What each operation does when nothing stands in its way (filled by the modules that own them)."""


# ---------------------------------------------------------------------- who may use what


def holder(g: Landing, seat: int, card: str) -> int | None:
    """Which Unit's card it is that this seat may use: its own, or one that works for others too."""
    unit = g.units[seat]
    if card in unit.specialists or card in unit.items or card in unit.awards:
        return seat
    for other, them in enumerate(g.units):
        if them.status == 0 and (card in them.specialists or card in them.items):
            users = {ability.users for ability in g.world.cards[card].abilities}
            if "each" in users or ("own-sector" in users and them.sector == unit.sector):
                return other
    return None


def _held(g: Landing, seat: int, window: str, known: Container[str]) -> list[str]:
    unit, world = g.units[seat], g.world
    found = [*filter(known.__contains__, unit.specialists + unit.items + unit.awards)]
    for card in () if world.solo else world.shared.get(window, ()):
        if card not in found and holder(g, seat, card) is not None:
            found.append(card)
    return found


def why_not(g: Landing, seat: int, card: str, ability: Ability) -> list[Reason]:
    """Every reason why this seat cannot use this ability now; empty if it can."""
    reasons = []
    if ability.limit == "once-per-turn" and f"use:{card}" in g.units[seat].done:
        reasons.append(Reason(say("refusal.once-per-turn"), g.world.cards[card].rule))
    if ability.sacrifice and not g.units[seat].soldiers and len(g.units[seat].specialists) == 1:
        reasons.append(Reason(say("refusal.nobody-left"), g.world.cite["wiped-out"]))
    for op in ability.ops:
        check = FEASIBLE.get(type(op))
        reason = check(g, seat, op, card) if check else None
        if reason:
            reasons.append(reason)
    return reasons


def usable(g: Landing, seat: int, window: str) -> list[str]:
    """The cards that this seat may use in this window: those with no reason in `why_not`, found without words."""
    world, unit = g.world, g.units[seat]
    conditions = world.memo.get(("use", window))
    if conditions is None:
        conditions = _conditions(world, window)
    found: list[str] = []
    for card in _held(g, seat, window, conditions) if conditions else ():
        once, sacrifice, checks = conditions[card]
        if once and once in unit.done:
            continue
        if sacrifice and not unit.soldiers and len(unit.specialists) == 1:
            continue
        for check, op in checks:
            if check(g, seat, op, card):
                break
        else:
            found.append(card)
    return found


def _conditions(world: World, window: str) -> dict[str, tuple[str, bool, tuple[tuple[Feasible, schema.Op], ...]]]:
    """What may stand in the way of each card in this window: the mark of an earlier use, a sacrifice, ops that do
    nothing.
    """
    found = world.memo["use", window] = {}
    for card, number in world.actions.get(window, {}).items():
        ability = world.cards[card].abilities[number]
        once = f"use:{card}" if ability.limit == "once-per-turn" else ""
        checks = tuple((check, op) for op in ability.ops if (check := FEASIBLE.get(type(op))))
        found[card] = once, bool(ability.sacrifice), checks
    return found


def may_use(g: Landing, seat: int, window: str) -> bool:
    """Is there any?"""
    return bool(usable(g, seat, window))


def use_keys(g: Landing, seat: int, window: str) -> tuple[str, ...]:
    """`use:CARD` for each of them."""
    return tuple(["use:" + card for card in usable(g, seat, window)])


WHEN = Table(
    "when",
    (
        "roll.between",
        "tally",
        "acquire",
        "move.before",
        "move.after",
        "die",
        "losses",
        "before-move",
        "before-mgf",
        "any-but-combat",
        "any",
    ),
)
"""Windows in words."""


def use_refusals(g: Landing, seat: int, window: str) -> dict[str, tuple[Reason, ...]]:
    """Cards that this seat holds and cannot use in this window, with the reasons."""
    unit, world = g.units[seat], g.world
    actions = world.actions.get(window, {})
    out: dict[str, tuple[Reason, ...]] = {}
    others = [card for card in world.shared.get(window, ()) if holder(g, seat, card) not in (None, seat)]
    for card in (*unit.specialists, *unit.items, *unit.awards, *others):
        abilities = [ability for ability in world.cards[card].abilities if ability.kind == "activated"]
        if card in actions:
            reasons = why_not(g, seat, card, world.cards[card].abilities[actions[card]])
            if reasons:
                out["use:" + card] = tuple(reasons)
        elif abilities:
            kind = world.cards[card].kind
            topic = "award-window" if kind == "award" else "item-window" if kind.endswith("item") else "optional"
            names = dict.fromkeys(WHEN.get(name, name) for ability in abilities for name in ability.windows)
            out["use:" + card] = (Reason(say("refusal.only-when", when=either(list(names))), world.cite[topic]),)
    return out


def _shared_in_play(g: Landing, window: str) -> bool:
    """Is a card in play that others than its owner may use in this window?"""
    for card in g.world.shared.get(window, ()):
        for unit in g.units:
            if card in unit.specialists or card in unit.items:
                return True
    return False


def has_stop(g: Landing, seat: int, window: str) -> bool:
    """Does the game pause for this seat in this window because of a card?"""
    return bool(_stopping(g, seat, window))


def _stopping(g: Landing, seat: int, window: str) -> list[str]:
    """The cards that this seat may use in this window if the game pauses there because of one of them; else none."""
    stops = g.world.stops.get(window)
    if not stops:
        return []
    unit = g.units[seat]
    if (
        stops.isdisjoint(unit.specialists)
        and stops.isdisjoint(unit.items)
        and stops.isdisjoint(unit.awards)
        and not _shared_in_play(g, window)
    ):
        return []
    cards = usable(g, seat, window)
    return [] if stops.isdisjoint(cards) else cards


def start_use(g: Landing, seat: int, window: str, key: str) -> None:
    """Announce a card: its price is paid now, then its ops follow one by one."""
    card = key[4:]
    world = g.world
    number = world.actions[window][card]
    ability = world.cards[card].abilities[number]
    rule = world.cards[card].rule
    unit = g.units[seat]
    g.tell("use", seat, {"card": card}, rule, card)
    if ability.limit == "once-per-turn":
        unit.done = (*unit.done, "use:" + card)
    if ability.sacrifice:
        changes.die(g, seat, card, world.cite["sacrifice-ability"], card)
    elif ability.limit == "single-use":
        start = "awards" if card in unit.awards else "items"
        topic = "award-used" if start == "awards" else "item-used"
        changes.move_card(g, seat, card, start, "used", world.cite[topic], card)
    g.push(seat, ("do", ("card", card, number), 0, window))


# ---------------------------------------------------------------------- the path of operations


def _listens(g: Landing, op: Op) -> bool:
    """Has any card a say in this: of the Unit itself, for all in their Sector, or anybody's where a d6 was rolled?"""
    name, seat = op[0], op[1]
    cards = g.world.listening.get(name)
    if not cards:
        return False
    near = g.world.neighbourly.get(name)
    for owner, unit in enumerate(g.units):
        if owner == seat or seat < 0 or name == "die":
            if not cards.isdisjoint(unit.specialists) or not cards.isdisjoint(unit.items):
                return True
        elif near and not (near.isdisjoint(unit.items) and near.isdisjoint(unit.specialists)):
            return True
    return False


KINDS = {REPLACE: "replacement", REACT: "activated", TRIGGER: "triggered"}
"""Stage -> the kind of abilities that act there."""


def abilities(g: Landing, seat: int, stage: int, name: str) -> list[Ref]:
    """The abilities of this Unit's cards that act on this operation at this stage, as (seat, card, number)."""
    known, unit = _abilities_at(g.world, stage, name), g.units[seat]
    if not known:
        return []
    return [(seat, card, number) for card in unit.specialists + unit.items if card in known for number in known[card]]


def _abilities_at(world: World, stage: int, name: str) -> dict[str, list[int]]:
    """Card -> the numbers of its abilities that act on this operation at this stage."""
    found: dict[str, list[int]] | None = world.memo.get((stage, name))
    if found is None:
        found = world.memo[stage, name] = {}
        mode = "solo" if world.solo else "group"
        for card in world.listening.get(name, ()):
            for number, ability in enumerate(world.cards[card].abilities):
                if ability.kind == KINDS[stage] and ability.mode in ("", mode):
                    if name in ability.windows if stage == REACT else ability.on == name:
                        found.setdefault(card, []).append(number)
    return found


def _listeners(g: Landing, stage: int, op: Op) -> list[Ref]:
    name, seat = op[0], op[1]
    found: list[Ref] = []
    if not _abilities_at(g.world, stage, name):
        return found
    for owner, unit in enumerate(g.units):
        mine = owner == seat
        if stage == REACT:
            near = mine or name == "die"
        else:
            near = mine or (seat >= 0 and unit.sector == g.units[seat].sector)
        if unit.status or not near:
            continue
        refs = abilities(g, owner, stage, name)
        if stage != REACT:
            if not mine:
                refs = [ref for ref in refs if g.world.cards[ref[1]].abilities[ref[2]].users == "own-sector"]
            if name == "rally":
                refs = [ref for ref in refs if ref[1] == op[2][0]]
        found += refs
    return found


def _engage(g: Landing, lane: int, stage: int, op: Op, ref: Ref) -> None:
    owner, card, number = ref
    ability = g.world.cards[card].abilities[number]
    if stage == TRIGGER:
        g.push(lane if lane >= 0 else owner, ("do", ("card", card, number), 0, op[0]))
    elif stage == REACT:
        if op[0] == "die":
            if not why_not(g, owner, card, ability):
                if lane >= 0 and lane != owner:
                    g.push(lane, ("awaiting", owner))
                g.interrupt(owner, ("window", "die", lane))
                _in_order(g.lanes[owner])
        elif op[2][0] > 0:
            ENGAGE[type(ability.ops[0])](g, lane, op, card, number)
    else:
        ENGAGE[type(ability.ops[0])](g, lane, op, card, number)


def _in_order(lane: list[Frame]) -> None:
    """Of dice that lie there at once that of the first Unit is asked about first, whichever was rolled first."""
    several = 1
    while several < len(lane) and lane[-several - 1][:2] == ("window", "die"):
        several += 1
    lane[-several:] = sorted(lane[-several:], reverse=True)


ENGAGE: dict[type, Callable[[Landing, int, Op, str, int], None]] = {}
"""How an ability replaces or reacts, by its first op (filled below and by `combat`)."""


def _save(g: Landing, lane: int, op: Op, card: str, number: int) -> None:
    """Medic: so many casualties fewer, once in a phase."""
    unit = g.units[op[1]]
    ability = g.world.cards[card].abilities[number]
    mark = f"save:{card}:{g.phase}"
    if op[2][0] <= 0 or (ability.limit == "once-per-phase" and mark in unit.done):
        return
    saved = sum(one.casualties for one in ability.ops if isinstance(one, schema.Save))
    left = max(0, op[2][0] - saved)
    unit.done = (*unit.done, mark)
    g.tell("saved", op[1], {"soldiers": op[2][0] - left}, g.world.cards[card].rule, card)
    change(g, lane, (op[0], op[1], (left, *op[2][1:]), op[3], op[4]))


def _substitute(g: Landing, lane: int, op: Op, card: str, number: int) -> None:
    """Decoy: lost in place of the one who would be lost; asked unless that one is not there at all."""
    which = op[2][0]
    if which in ("any", card):
        return
    if which in g.units[op[1]].specialists:
        g.push(lane, ("substitute", card))
    else:
        change(g, lane, (op[0], op[1], (card, *op[2][1:]), card, g.world.cards[card].rule))


ENGAGE[schema.Save] = _save
ENGAGE[schema.Substitute] = _substitute


def substitute_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return (f"lose:{g.lanes[seat][-2][2][2][0]}", f"lose:{frame[1]}")


def substitute_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    card = key[5:]
    op = g.lanes[seat][-1][2]
    if card == frame[1]:
        change(g, seat, (op[0], op[1], (card, *op[2][1:]), card, g.world.cards[card].rule))


PATH: Path[Landing] = Path(COMMITS, _listens, lambda g, op: (), _listeners, _engage)


def operate(
    g: Landing, lane: int, name: str, seat: int, arguments: tuple[Any, ...], rule: str, source: str = ""
) -> None:
    """Propose an operation; it happens now, or as soon as the cards in its way have had their say."""
    propose(PATH, g, lane, (name, seat, arguments, source, rule))


def step_op(g: Landing, lane: int, frame: Frame) -> None:
    walk(PATH, g, lane, frame)


def nothing(g: Landing, lane: int, op: Op) -> None:
    """For operations that only others wait for."""


for _name in ("tally", "lock", "advance", "move", "rally"):
    COMMITS[_name] = nothing


# ---------------------------------------------------------------------- windows


def open_windows(g: Landing, window: str, seats: list[int]) -> None:
    """Pause for each of these seats that has a card made for this moment."""
    for seat in seats:
        if cards := _stopping(g, seat, window):
            uses = ["use:" + card for card in cards]
            _open(g, seat, ("window", window, NOBODY), ("done", *uses, *trade_keys(g, seat, window)))


def _open(g: Landing, seat: int, frame: Frame, keys: tuple[str, ...]) -> None:
    """Put the question of a window. These keys were right before it, and are so afterwards but for AFTER_MOVING."""
    if frame[1] in AFTER_MOVING:
        g.push(seat, frame)
    else:
        g.ask(seat, frame, keys)


NOBODY = -2
AFTER_MOVING = ("move.mine", "move.arrive", "move.after")
"""Windows that, once they are open, are themselves in the way of some cards."""


TRADE = tuple(f"trade:U{seat + 1}" for seat in range(8))


def trade_keys(g: Landing, seat: int, window: str) -> tuple[str, ...]:
    """`trade:U2` for each Unit that this one may trade with now."""
    world = g.world
    if world.solo or window == "die":
        return ()
    if g.phase == "combat" and not (world.switches.trade_in_combat and window == "combat.open"):
        return ()
    unit = g.units[seat]
    here, afar = unit.sector, g.effects and questions.in_play(g, "may_trade_with")
    found: tuple[str, ...] = ()
    for other, them in enumerate(g.units):
        if other != seat and them.status == 0:
            if them.sector == here or (afar and questions.may_trade(g, seat, other)):
                found += (TRADE[other],)
    return found


def trade_refusals(g: Landing, seat: int, window: str) -> dict[str, tuple[Reason, ...]]:
    cite = g.world.cite
    legal = trade_keys(g, seat, window)
    out: dict[str, tuple[Reason, ...]] = {}
    for other, them in enumerate(g.units):
        key = f"trade:U{other + 1}"
        if other == seat or key in legal:
            continue
        reasons = []
        if them.status:
            reasons.append(Reason(say("refusal.out", unit=unit_name(other)), cite["safe"]))
        elif them.sector != g.units[seat].sector:
            reasons.append(Reason(say("refusal.elsewhere", unit=unit_name(other), id=them.sector), cite["trade"]))
        if g.phase == "combat":
            reasons.append(Reason(say("refusal.not-in-combat"), cite["trade-combat"]))
        elif not reasons:
            reasons.append(Reason(say("refusal.die-open"), cite["trade"]))
        out[key] = tuple(reasons)
    return out


def free_keys(g: Landing, seat: int, window: str) -> tuple[str, ...]:
    """What a seat may do in any open window: use cards, trade."""
    return use_keys(g, seat, window) + trade_keys(g, seat, window)


def free_refusals(g: Landing, seat: int, window: str) -> dict[str, tuple[Reason, ...]]:
    return {**use_refusals(g, seat, window), **trade_refusals(g, seat, window)}


def free_answer(g: Landing, seat: int, window: str, key: str, again: Frame) -> bool:
    """Carry out a free action and come back to the question `again`; False if the key is none."""
    if key.startswith("use:"):
        g.push(seat, again)
        start_use(g, seat, window, key)
        return True
    if key.startswith("trade:"):
        g.push(seat, again)
        g.push(seat, ("offer", int(key[7:]) - 1, (), (), window))
        return True
    return False


def window_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return ("done", *free_keys(g, seat, frame[1]))


def window_refusals(g: Landing, seat: int, frame: Frame) -> Refusals:
    return free_refusals(g, seat, frame[1])


def window_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    if not free_answer(g, seat, frame[1], key, ("window-again", *frame[1:])):
        release(g, frame[2], seat)


def window_again(g: Landing, seat: int, frame: Frame) -> None:
    """After a free action: stay open while there is something left to do."""
    keys = window_keys(g, seat, frame)
    if len(keys) > 1:
        _open(g, seat, ("window", *frame[1:]), keys)
    else:
        release(g, frame[2], seat)


def look_again(g: Landing, seat: int) -> None:
    """Something came to this seat while it was at an open window: see whether there is still anything to do there."""
    lane = g.lanes[seat]
    if lane and lane[-1][0] == "window":
        g.push(seat, ("window-again", *lane.pop()[1:]))


def release(g: Landing, waiter: int, seat: int) -> None:
    """A lane that waited for this seat goes on."""
    if waiter >= 0 and waiter != seat:
        g.release(waiter, ("awaiting", seat))
