"""A landing of one Unit without cards as `whole` sees it: positions, what tallies bring, and what follows upkeep.

All of it is the engine's word. A game is made to halt after upkeep by a frame that nothing carries out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np

from ..core.errors import BeachheadError
from ..core.machine import Frame
from ..core.node import Answer, Ask, Outcome, Over, Roll
from ..core.plain import essence
from ..landing.dice import ALL, HOME, MEMBERS, SIZE, mask_of
from ..landing.game import MACHINE, new
from ..landing.state import CHEVRON1, Effect, Landing
from ..landing.world import World
from ..say import say
from .multisets import ROLLS, Indices

FORMAT = 1
"""Of solved games; a greater number where the rules that the engine plays have changed what they are worth."""
ENOUGH = 1_000_000
"""More Soldiers, or Courage, than a game can cost."""
DEALT = frozenset(("few-good-men", "victory-points"))
"""Options that change neither the dice nor what is dealt at the start."""
HALT = ("halt",)
"""A frame that nothing carries out: the machine stops there."""


class Position(NamedTuple):
    """Where a Unit stands, but for its Soldiers and Courage: at the beginning of a turn, or after its upkeep."""

    sector: str
    marker: int
    combats: int
    visited: tuple[str, ...]
    """Sectors that could still be reached if they had not been visited."""
    effects: tuple[Effect, ...] = ()
    """What a Battle Cry has changed."""
    opening: bool = False
    """It is the first turn, and that matters."""


class Gain(NamedTuple):
    """What a tally may bring; the last is the number of an entry in `Kind.effects`."""

    soldiers: int
    courage: int
    effects: int


@dataclass(frozen=True)
class Tallies:
    """What the tallies of some dice bring."""

    dice: int
    """The mask of the dice that are rolled."""
    numbers: Indices
    """Per tally: which of `gains` it brings."""
    gains: tuple[tuple[Gain, ...], ...]

    @property
    def colours(self) -> tuple[int, int, int]:
        return colours(self.dice)

    @cached_property
    def flat(self) -> Indices:
        """All gains, one after the other, as columns."""
        return np.array([gain for some in self.gains for gain in some], dtype=np.int64).T

    @cached_property
    def begins(self) -> Indices:
        """Where those of each entry of `gains` begin among them."""
        return np.cumsum([0, *(len(some) for some in self.gains[:-1])])


class Witness(NamedTuple):
    """A way to come to certain effects: the mask of dice, what they show, and answers during upkeep."""

    dice: int
    outcome: Outcome
    keys: tuple[str, ...]


class Kind(NamedTuple):
    """Sectors that do the same to dice."""

    effects: tuple[tuple[Effect, ...], ...]
    witnesses: tuple[Witness, ...]
    """One for each of the effects."""
    sets: tuple[Tallies, ...]
    """One for each choice of dice that may be rolled."""


class Leaf(NamedTuple):
    """The next turn begins, or the game is over. Amounts are changes since upkeep."""

    position: Position | None
    won: bool
    courage: int
    """What is there now."""
    soldiers: int
    low: int
    """The lowest that the change of Soldiers was on the way; nobody survives who has no more."""


class Best(NamedTuple):
    of: tuple[tuple[str, Tree], ...]


class Mean(NamedTuple):
    of: tuple[tuple[Tree, float], ...]


Tree = Leaf | Best | Mean


# ---------------------------------------------------------------------- the game without cards


def opening(world: World, no_cards: bool = False) -> Landing:
    """The start of a game that can be solved; raises BeachheadError for one that cannot."""
    setup = world.setup
    if setup.seats != 1:
        raise BeachheadError(say("whole.seats", n=setup.seats))
    for option in (*setup.modules, *sorted(world.options - DEALT)):
        raise BeachheadError(say("whole.option", name=option))
    for attribute in _beyond(world):
        raise BeachheadError(say("whole.board", map=repr(world.map.id), name=attribute))
    g, _ = new(world)
    unit = g.units[0]
    if not no_cards and (unit.hand or unit.specialists or g.pool or g.box or g.deck or g.lying):
        bare = [name for name, level in world.map.levels.items() if _bare(world, name)]
        hint = say("whole.level", level=bare[0]) if bare else ""
        raise BeachheadError(say("whole.cards", map=repr(world.map.id), hint=hint))
    return without_cards(g)


def _beyond(world: World) -> Iterator[str]:
    """Attributes of the map that positions do not tell apart."""
    printed = world.sectors.values()
    if sum(sector.start is not None for sector in printed) > 1:
        yield "start"
    if world.map.conquer == "each":
        yield "conquer"
    plain = type(next(iter(printed)))(())
    for name in ("random", "climb", "stay", "of_a_kind", "per_star", "per_rwb", "shelling", "bonus_colour"):
        if any(getattr(sector, name) != getattr(plain, name) for sector in printed):
            yield name


def _bare(world: World, level: str) -> bool:
    """Has this level of the map no cards?"""
    found = world.map.levels[level]
    if found.items or found.awards or found.cards is None or world.switches.all_specialists:
        return False
    return not (found.cards.specialists_regular or found.cards.specialists_unique)


def without_cards(state: Landing) -> Landing:
    """The same game when no card is ever taken. Raises BeachheadError where the Unit has some already."""
    g = MACHINE.clone(state)
    unit = g.units[0]
    if len(g.units) != 1:
        raise BeachheadError(say("whole.seats", n=len(g.units)))
    if g.turn and (unit.specialists or unit.items or unit.awards):
        raise BeachheadError(say("whole.held"))
    unit.hand = unit.specialists = ()
    g.pool = g.box = g.deck = g.lying = ()
    return g


def fingerprint(world: World, no_cards: bool = False) -> str:
    """Names all that a solved game depends on: the board, the bonuses, the readings of the rules."""
    nation = world.nations[opening(world, no_cards).units[0].nation]
    level = replace(world.level, cards=None)
    bonuses = [(face, bonus.ops) for face, bonus in sorted(nation.rwb.items())]
    parts = (FORMAT, world.phases, world.switches, sorted(world.options), level, world.sectors, world.ways, bonuses)
    return hashlib.sha256(json.dumps(essence(parts), sort_keys=True).encode()).hexdigest()[:16]


def position(g: Landing) -> Position:
    unit = g.units[0]
    return position_of(g.world, g.turn, unit.sector, unit.marker, unit.combats, unit.visited, g.effects)


def position_of(
    world: World,
    turn: int,
    sector: str,
    marker: int,
    combats: int,
    visited: Iterable[str],
    effects: Iterable[Effect],
) -> Position:
    """What of all this a solved game depends on."""
    opens = turn == 1 and not world.switches.marker_turns_on_turn_one
    combats = min(combats, len(world.sectors[sector].defence) - 1)
    ahead = _ahead(world)[sector]
    been = tuple(sorted(one for one in visited if one in ahead))
    return Position(sector, marker, combats, been, tuple(sorted(set(effects))), opens)


def _ahead(world: World) -> dict[str, frozenset[str]]:
    """Per Sector: those that can be reached from it."""
    found: dict[str, frozenset[str]] | None = world.memo.get("ahead")
    if found is None:
        found = {}
        for sector in world.ways:
            seen, left = set[str](), [sector]
            while left:
                for way in world.ways[left.pop()]:
                    if way.to not in seen:
                        seen.add(way.to)
                        left.append(way.to)
            found[sector] = frozenset(seen)
        world.memo["ahead"] = found
    return found


def begin(start: Landing, where: Position, soldiers: int, courage: int) -> Landing:
    """The game at the beginning of a turn there."""
    g = MACHINE.clone(start)
    unit = g.units[0]
    unit.sector, unit.marker, unit.combats, unit.visited = where[:4]
    unit.soldiers, unit.courage = soldiers, courage
    g.turn = 0 if where.opening else 1
    g.main, g.lanes = [("turn",)], [[]]
    MACHINE.start(g)
    return g


def answered(g: Landing, key: str) -> Landing:
    found = MACHINE.clone(g)
    MACHINE.apply(found, Answer(0, found.asked[0], key), quiet=True)
    return found


def rolled(g: Landing, outcome: Outcome) -> Landing:
    found = MACHINE.clone(g)
    MACHINE.apply(found, outcome, quiet=True)
    return found


def keys_of(g: Landing) -> tuple[str, ...]:
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    return node.decision(0).keys


def top(g: Landing) -> Frame:
    return g.lanes[0][-1] if g.lanes[0] else ("",)


def begins(g: Landing) -> bool:
    """Is this the beginning of a turn?"""
    frame = top(g)
    return frame[0] == "leave" or (frame[0] == "dice" and frame[1:] == (ALL, 1))


# ---------------------------------------------------------------------- what tallies bring


def colours(mask: int) -> tuple[int, int, int]:
    red, white, blue = (SIZE[mask & 3 << at] for at in (0, 2, 4))
    return red, white, blue


def kind_name(world: World, sector: str) -> str:
    one = world.sectors[sector]
    return repr((sorted(one.bonus.items()), sorted(one.penalty.items()), one.dice, one.locked_dice, one.reroll_skulls))


def kind_of(start: Landing, sector: str) -> Kind:
    """What dice bring there."""
    many = start.world.sectors[sector].dice
    masks = {colours(mask): mask for mask in reversed(range(64)) if SIZE[mask] == many}
    effects: dict[tuple[Effect, ...], Witness] = {}
    sets = tuple(_tallies(start, Position(sector, CHEVRON1, 0, ()), mask, effects) for mask in masks.values())
    return Kind(tuple(effects), tuple(effects.values()), sets)


def _tallies(start: Landing, where: Position, dice: int, effects: dict[tuple[Effect, ...], Witness]) -> Tallies:
    """What the tallies of these dice bring there; effects that were not seen before are written down."""
    fresh = to_roll(start, where, dice)
    faces = list(product(*(ROLLS[n] for n in colours(dice))))
    numbers = np.empty(len(faces), dtype=np.int64)
    known: dict[tuple[Gain, ...], int] = {}
    for n, (red, white, blue) in enumerate(faces):
        outcome = (*red, *white, *blue)
        found: dict[tuple[Effect, ...], set[tuple[int, int]]] = {}
        for keys, after in after_upkeep(taken(rolled(fresh, outcome))):
            unit, now = after.units[0], position(after).effects
            effects.setdefault(now, Witness(dice, outcome, keys))
            found.setdefault(now, set()).add((unit.soldiers - ENOUGH, unit.courage - ENOUGH))
        gains = tuple(Gain(*pair, at) for at, now in enumerate(effects) for pair in _most(found.get(now, set())))
        numbers[n] = known.setdefault(gains, len(known))
    return Tallies(dice, numbers, tuple(known))


def to_roll(start: Landing, where: Position, dice: int) -> Landing:
    """A turn that begins there with ENOUGH of all, before the first roll of these dice; it halts after upkeep."""
    g = halting(begin(start, where, ENOUGH, ENOUGH))
    if top(g)[0] == "leave":
        g = answered(g, next(key for key in keys_of(g) if mask_of(key) == ALL & ~dice))
    return g


def _most(pairs: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """Without those that others excel: neither Soldiers nor Courage ever hurt."""
    return sorted(one for one in pairs if not any(o != one and o[0] >= one[0] and o[1] >= one[1] for o in pairs))


def taken(g: Landing) -> Landing:
    """After a roll: the dice are final as they lie."""
    while top(g)[0] in ("lock", "reroll"):
        g = answered(g, "stop" if top(g)[0] == "reroll" else keys_of(g)[0])
    return g


def halting(g: Landing) -> Landing:
    """The same game, which halts after upkeep."""
    phases = g.world.phases
    g.main.insert(g.main.index(("phase", phases[phases.index("upkeep") + 1])) + 1, HALT)
    return g


def resumed(g: Landing) -> Landing:
    g.main.remove(HALT)
    MACHINE.start(g)
    return g


def after_upkeep(g: Landing) -> Iterator[tuple[tuple[str, ...], Landing]]:
    """What may come of the tally in a game that halts after upkeep, each with the answers that lead there."""
    if g.main[-1] == HALT and not g.lanes[0]:
        yield (), g
        return
    seen = set()
    for key in keys_of(g):
        after = answered(g, key)
        unit = after.units[0]
        left = tuple(sorted((unit.faces[p], HOME[p]) for p in MEMBERS[ALL & ~unit.out]))
        now = (
            after.lanes[0][-1:],
            left,
            unit.added,
            unit.rwbs,
            unit.soldiers,
            unit.courage,
            unit.marker,
            after.effects,
        )
        if str(now) not in seen:  # dice that cannot be told apart were cancelled
            seen.add(str(now))
            for keys, end in after_upkeep(after):
                yield (key, *keys), end


# ---------------------------------------------------------------------- what follows upkeep


def tree_of(g: Landing, low: int = 0) -> Tree:
    """All that may happen until the next turn begins, from a state with ENOUGH Soldiers."""
    change = g.units[0].soldiers - ENOUGH
    low = min(low, change)
    node = MACHINE.node(g)
    if isinstance(node, Over):
        return Leaf(None, node.won, g.units[0].courage, change, low)
    if begins(g):
        return Leaf(position(g), False, g.units[0].courage, change, low)
    if isinstance(node, Roll):
        found: dict[Tree, float] = {}
        for outcome, chance in node.outcomes():
            one = tree_of(rolled(g, outcome), low)
            found[one] = found.get(one, 0.0) + chance
        return Mean(tuple(found.items())) if len(found) > 1 else next(iter(found))
    return Best(tuple((key, tree_of(answered(g, key), low)) for key in keys_of(g)))


def leaves(tree: Tree) -> Iterator[Leaf]:
    if isinstance(tree, Leaf):
        yield tree
    elif isinstance(tree, Best):
        for _, one in tree.of:
            yield from leaves(one)
    else:
        for one, _ in tree.of:
            yield from leaves(one)
