"""What becomes of a Unit that goes to a Sector or stays: may it be wiped out, or will it be, whatever is done?

Two ends are reckoned. In the worst the dice are as bad as can be and nobody uses a card; in the best they are as good
as can be, and every card that may help does, as far as it lies open. Between them nothing is certain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Literal

from ..content import schema
from ..core.operations import REPLACE, TRIGGER
from . import questions
from .acquire import place_reasons
from .cards import abilities, usable
from .combat import AFAR
from .move import door_keys, lying_here, move_keys, needs_sacrifice, payers
from .outline import way_to
from .state import Landing
from .words import asked_for, combat_losses, mine_losses, standing, tables

Fate = Literal["", "may", "would"]
Men = tuple[int, tuple[int, ...]]
"""Soldiers, and as how many each Specialist counts, the least first."""

ALL = 1_000
"""More than any Combat costs: for help of which it cannot be said how far it goes."""
BEFORE = "move.before"
AHEAD = ("move.mine", "move.after", "combat.start", "combat.open", "losses")
"""Windows in which a card may still save a Unit that has moved or stayed."""


def fate(g: Landing, seat: int, sector: str) -> Fate:
    """Is this Unit wiped out if it goes to this Sector, or stays, and Combat comes? `may`: dice or cards decide.
    `would`: it is certain by what lies open.
    """
    ends = {_fate(decided, seat, sector) for decided in tables(g, seat, sector)}
    return ends.pop() if len(ends) == 1 else "may"


def stranded(g: Landing, seat: int) -> tuple[str, Fate]:
    """For a Unit that acquires nothing more: the only thing that it can do in the move, `stay` or `lost`, and what
    becomes of it then. The empty texts where it has a choice there. What other Units may still acquire or make room
    for is not certain.
    """
    keys = move_keys(g, seat, ())
    if keys not in (("stay",), ("lost",)):
        return "", ""
    end = fate(g, seat, g.units[seat].sector) if keys == ("stay",) else "would"
    others = any(other != seat and not unit.status for other, unit in enumerate(g.units))
    return keys[0], "may" if end and others else end


def _fate(g: Landing, seat: int, sector: str) -> Fate:
    """The same where the Sector's table is decided."""
    found: Fate = "would"
    for given in _prices(g, seat, sector):
        there = _arrived(g, seat, sector, given)
        before, mines = _men(g, seat, given), mine_losses(g, there, seat)
        if _survives(g, there, seat, before, mines[1], worst=True):
            return ""
        if found == "would":
            soldiers, bodies = before
            helped = soldiers + _help(g, there, seat, mines[0], len(given)), bodies
            if _survives(g, there, seat, helped, mines[0], worst=False):
                found = "may"
    return found


def _prices(g: Landing, seat: int, sector: str) -> list[tuple[str, ...]]:
    """The cards that the Unit may give to enter: explosives for a door, a Specialist for the Sector."""
    target = g.at(sector)
    doors: list[tuple[str, ...]] = [()]
    sacrifices: list[tuple[str, ...]] = [()]
    if sector == g.units[seat].sector:
        return [()]
    if target.door and f"door:{sector}" not in g.spent and asked_for(g, seat, sector, "door"):
        doors = [tuple(key.partition(":")[2].split(",")) for key in door_keys(g, seat, ("door", sector))]
    if target.sacrifice and needs_sacrifice(g, seat, sector):
        sacrifices = [(card,) for card in payers(g, seat, target.sacrifice)]
    return [(*door, *lost) for door in doors for lost in sacrifices if set(lost).isdisjoint(door)]


def _arrived(g: Landing, seat: int, sector: str, given: tuple[str, ...]) -> Landing:
    """The game with the Unit there: without what it gave, with who joins it and what lies there."""
    there = standing(g, seat, sector)
    unit, target = there.units[seat], g.at(sector)
    unit.specialists = tuple(card for card in unit.specialists if card not in given)
    unit.items = tuple(card for card in unit.items if card not in given)
    if sector != g.units[seat].sector:
        unit.specialists += _joining(g, there, seat)
        unit.items += tuple(card for card in lying_here(target) if card in g.lying)
    return there


def _joining(g: Landing, there: Landing, seat: int) -> tuple[str, ...]:
    sector = there.units[seat].sector
    joins = g.at(sector).joins
    if joins is None or f"joins:{sector}" in g.spent:
        return ()
    free = (*g.units[seat].hand, *g.pool, *(g.lying if joins.only else ()))
    return (joins.specialist,) if joins.specialist in free and not place_reasons(there, seat, joins.specialist) else ()


def _men(g: Landing, seat: int, given: tuple[str, ...]) -> Men:
    unit = g.units[seat]
    return unit.soldiers, _bodies(g, seat, (card for card in unit.specialists if card not in given))


def _bodies(g: Landing, seat: int, cards: Iterable[str]) -> tuple[int, ...]:
    return tuple(sorted(questions.body(g, seat, card) for card in cards))


# ---------------------------------------------------------------------- who is left


def _survives(g: Landing, there: Landing, seat: int, men: Men, mines: int, worst: bool) -> bool:
    """Is anybody left after the mines and Combat, if the player lets the right ones fall?"""
    left = {men} if any(men) else set()
    left = _after(left, mines - _saved(there, seat))
    if there.units[seat].sector != g.units[seat].sector:
        joined = (card for card in there.units[seat].specialists if card not in g.units[seat].specialists)
        soldiers, bodies = _gained(g, there, seat, worst), _bodies(there, seat, joined)
        left = {(held + soldiers, tuple(sorted(known + bodies))) for held, known in left}
    struck = _struck(there, seat, worst)
    left = {(held, known[struck:]) for held, known in left if held or known[struck:]}
    loss = combat_losses(there, seat)[1 if worst else 0]
    return bool(_after(left, loss - _saved(there, seat, struck)))


def _after(left: set[Men], loss: int) -> set[Men]:
    """All ways in which so many casualties can be taken with somebody left. A Specialist falls whole."""
    if loss <= 0:
        return left
    found = set()
    for soldiers, bodies in left:
        for many in range(len(bodies) + 1):
            for spared in set(combinations(bodies, many)):
                fallen = sum(bodies) - sum(spared)
                rest = soldiers - max(0, loss - fallen)
                if rest > 0 or (rest == 0 and spared):
                    found.add((rest, spared))
    return found


def _gained(g: Landing, there: Landing, seat: int, worst: bool) -> int:
    """Soldiers who come on the way, and those who wait in the Sector."""
    sector = there.units[seat].sector
    way, waiting = way_to(g, seat, sector), g.at(sector).on_entry
    refs = abilities(there, seat, TRIGGER, "move")
    if way and way.forward:
        refs = refs + abilities(g, seat, TRIGGER, "advance")
    gains = [op for _, card, number in refs for op in g.world.cards[card].abilities[number].ops]
    soldiers = sum(op.soldiers for op in gains if isinstance(op, schema.Gain) and op.to in ("self", "each"))
    return soldiers + (waiting.soldiers_d6 * (1 if worst else 6) if waiting else 0)


def _saved(there: Landing, seat: int, struck: int = 0) -> int:
    """Casualties that cards spare the Unit in one phase; `struck` Specialists are lost before."""
    mine, saved = there.units[seat], 0
    for owner, unit in enumerate(there.units):
        if unit.status or unit.sector != mine.sector:
            continue
        for _, card, number in abilities(there, owner, REPLACE, "losses"):
            ability = there.world.cards[card].abilities[number]
            lost = owner == seat and card in unit.specialists and len(unit.specialists) <= struck
            if (owner == seat or ability.users == "own-sector") and not lost:
                saved += sum(op.casualties for op in ability.ops if isinstance(op, schema.Save))
    return saved


def _struck(there: Landing, seat: int, worst: bool) -> int:
    """Specialists whom Special Damage takes before the casualties."""
    sector = there.units[seat].sector
    damage = there.at(sector).special_damage
    if not damage or not damage.specialists or not questions.ask(there, "special_damage_hits", 1, seat, sector):
        return 0
    if there.phase == "combat" and sector in there.fire:
        return damage.specialists * there.fire[sector].count(6)
    dice = questions.ask(there, "mgf_dice", there.at(sector).mgf, seat, sector)
    return damage.specialists * dice if worst else 0


# ---------------------------------------------------------------------- who may help


def _help(g: Landing, there: Landing, seat: int, mines: int, given: int) -> int:
    """How many casualties cards and other Units may spare this one at most; what it is not asked for is worth as much
    as one who counts most.
    """
    world, sector = g.world, there.units[seat].sector
    target = g.at(sector)

    def worth(ops: Iterable[schema.Op]) -> int:
        return sum(_worth(there, seat, op, mines, given) for op in ops)

    windows = [(there, name) for name in AHEAD] + ([(g, BEFORE)] if g.phase != "combat" else [])
    mine = {(card, world.actions[name][card]) for at, name in windows for card in usable(at, seat, name)}
    total = sum(worth(world.cards[card].abilities[number].ops) for card, number in mine)
    if target.award and f"award:{sector}" not in g.spent and sector != g.units[seat].sector:
        total += max((worth(_ops(g, (card,))) for card in g.deck), default=0)
    for other, them in enumerate(g.units):
        if other == seat or them.status:
            continue
        ops = list(_ops(g, (*them.specialists, *them.items, *them.awards)))
        reach = {them.sector} | ({way.to for way in world.ways[them.sector]} if "move" not in them.done else set())
        if sector in reach or them.sector == g.units[seat].sector:
            total += them.soldiers + worth(ops)
        else:
            total += worth(op for op in ops if _acts_afar(op))
    return total


def _ops(g: Landing, cards: Iterable[str]) -> Iterator[schema.Op]:
    """What these cards may still do before Combat is over."""
    for card in cards:
        for number, ability in enumerate(g.world.cards[card].abilities):
            open_ = any(g.world.actions.get(name, {}).get(card) == number for name in (BEFORE, *AHEAD))
            if open_ or ability.kind != "activated":
                yield from ability.ops


def _acts_afar(op: schema.Op) -> bool:
    """May this op of another Unit's card help wherever that Unit is?"""
    if isinstance(op, schema.SwapSectors | schema.GrantRwb):
        return True
    if isinstance(op, schema.Modify):
        return op.question == "may_trade_with" or op.scope in AFAR
    return getattr(op, "to", "") in AFAR


BOUNDLESS = (schema.DrawAward, schema.Find, schema.FreeMove, schema.GrantRwb, schema.Rally, schema.SwapSectors)


def _worth(there: Landing, seat: int, op: schema.Op, mines: int, given: int) -> int:
    """How many casualties this op may spare the Unit at most, or how many Soldiers it may bring."""
    unit = there.units[seat]
    if isinstance(op, schema.Choose):
        return max(sum(_worth(there, seat, one, mines, given) for one in branch.ops) for branch in op.of)
    if isinstance(op, BOUNDLESS) or (isinstance(op, schema.Lose) and op.brings):
        return ALL
    if isinstance(op, schema.Gain):
        pays = "mgf-dice" in there.world.options or usable(there, seat, "losses")
        return op.soldiers + (max(0, op.stars) + max(0, op.courage) + max(0, op.points) if pays else 0)
    if isinstance(op, schema.PayToSave):
        return sum(getattr(unit, name) for name in op.resources)
    if isinstance(op, schema.PayToReduce):
        return op.most
    if isinstance(op, schema.ReduceByRoll):
        return 6
    if isinstance(op, schema.Save):
        return op.casualties
    return _changed(there, seat, op, mines, given) if isinstance(op, schema.Modify) else 0


def _changed(there: Landing, seat: int, op: schema.Modify, mines: int, given: int) -> int:
    """The same for a changed answer."""
    defence = questions.defence(there, seat, there.units[seat].sector)
    if op.question == "defence":
        return defence if op.by is None else max(0, -op.by)
    if op.question in ("mgf_dice", "mgf_hits"):
        return combat_losses(there, seat)[0] - defence
    if op.question == "may_trade_with":
        return 0 if there.world.solo else ALL
    struck = _struck(there, seat, worst=False)
    spared = {"mines_hurt": mines, "sacrifice_needed": ALL * given, "special_damage_hits": ALL * struck}
    return spared.get(op.question, 0)
