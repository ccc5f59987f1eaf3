"""A whole landing of one Unit without cards, solved exactly: the probability to win when every choice is the best.

    solved = solve(world)                     # minutes; `store.solved` keeps what was worked out
    solved.value                              # before the first roll of the game
    solved.answers(state)                     # of any question of this game: every answer with its value, best first

A turn begins at a *position* (Sector, marker, what was visited of the ground ahead) with so many Soldiers and so much
Courage. The engine itself says what may happen; only its dice are left to `turn.solve`:

    tallies     what each Final Tally brings: the (Soldiers, Courage, effects) among which a Unit may choose. They do
                not depend on what it has, so they are worked out once per kind of Sector.
    trees       what follows until the next turn begins: moves to choose from, and dice of mines and machine guns.
    rows        per position and Courage: the value of each number of Soldiers.

Positions never come back, as no Sector is entered twice and markers turn, so rows are filled from the end of the game
to its beginning. Without cards no answer depends on Soldiers, so more of them never hurt, and a row ends where it comes
as near as TINY to the value of ENOUGH Soldiers. Courage only opens ways, so a position needs no rows beyond the most
that may still be spent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from ..core.node import Over, Roll
from ..landing.dice import SIZE, mask_of
from ..landing.game import MACHINE
from ..landing.state import Landing
from ..landing.world import World
from . import turn
from .ground import (
    ENOUGH,
    Best,
    Kind,
    Leaf,
    Position,
    Tallies,
    Tree,
    Witness,
    after_upkeep,
    answered,
    begins,
    colours,
    halting,
    keys_of,
    kind_name,
    kind_of,
    leaves,
    opening,
    position,
    resumed,
    rolled,
    taken,
    to_roll,
    top,
    tree_of,
    without_cards,
)
from .multisets import Floats, Indices
from .promise import Promise

TINY = 1e-12


class Rated(NamedTuple):
    """An answer, and the probability to win after it."""

    key: str
    value: float


@dataclass
class Solved:
    """A game, and the answers to what may be asked about it."""

    start: Landing
    """The first node of the game."""
    rows: dict[Position, list[Floats]] = field(default_factory=dict)
    """Per position and Courage: the value of 0, 1, 2, ... Soldiers; the last also of any more."""
    kinds: dict[str, Kind] = field(default_factory=dict)
    seconds: float = 0.0
    """How long it took to solve."""
    _trees: dict[tuple[Position, int], Tree] = field(default_factory=dict, repr=False)
    _halted: dict[Position, Landing] = field(default_factory=dict, repr=False)
    _after: dict[Position, list[Position]] = field(default_factory=dict, repr=False)
    _stacks: dict[Position, Floats] = field(default_factory=dict, repr=False)
    _turn: tuple[Any, turn.Turn] | None = field(default=None, repr=False)

    @cached_property
    def value(self) -> float:
        """The probability to win, before the first roll."""
        return self.value_of(self.start)

    @property
    def states(self) -> int:
        """How many beginnings of turns have a value of their own."""
        return sum(len(row) - 1 for rows in self.rows.values() for row in rows)

    def at(self, where: Position, soldiers: int, courage: int) -> float:
        """The value of a turn that begins like this."""
        rows = self.rows[where]
        row = rows[min(courage, len(rows) - 1)]
        return float(row[min(soldiers, len(row) - 1)])

    # ------------------------------------------------------------------ any node of the game

    def value_of(self, state: Landing) -> float:
        """The probability to win from here, whatever the game waits for."""
        return self._value(without_cards(state))

    def answers(self, state: Landing) -> list[Rated]:
        """Of the open question: every answer with the probability to win after it, best first."""
        g = without_cards(state)
        name = top(g)[0]
        if name == "lock":
            found = self._locks(g)
        elif name == "reroll":
            found = self._rerolls(g)
        else:
            found = {key: self._value(answered(g, key)) for key in keys_of(g)}
        return sorted((Rated(key, value) for key, value in found.items()), key=lambda one: -round(one.value, 12))

    def _value(self, g: Landing) -> float:
        node = MACHINE.node(g)
        frame, unit = top(g), g.units[0]
        if isinstance(node, Over):
            return float(node.won)
        if begins(g):
            return self.at(position(g), unit.soldiers, unit.courage)
        if frame[0] == "dice" and frame[2] == 1:
            return self._turn_of(g).value
        if frame[0] == "dice":
            again = self._choices(g, frame[2] - 1)
            return again[_kept(unit.faces, frame[1])]
        if frame[0] in ("lock", "reroll"):
            return max((self._locks if frame[0] == "lock" else self._rerolls)(g).values())
        if g.phase in ("roll", "upkeep"):
            return max(self._settled(after) for _, after in after_upkeep(halting(MACHINE.clone(g))))
        if isinstance(node, Roll):
            return sum(chance * self._value(rolled(g, outcome)) for outcome, chance in node.outcomes())
        return max(self._value(answered(g, key)) for key in keys_of(g))

    def _locks(self, g: Landing) -> dict[str, float]:
        solved, faces = self._turn_of(g), g.units[0].faces
        return {key: solved.choices(faces, mask_of(key), 1)[0].value for key in keys_of(g)}

    def _rerolls(self, g: Landing) -> dict[str, float]:
        found, faces = self._choices(g, top(g)[1]), g.units[0].faces
        return {key: found[_kept(faces, 0 if key == "stop" else mask_of(key))] for key in keys_of(g)}

    def _choices(self, g: Landing, roll: int) -> dict[Any, float]:
        """After so many rolls: the value of each set of faces that may be kept."""
        faces, locked = g.units[0].faces, g.units[0].locked
        found = self._turn_of(g).choices(faces, locked, roll)
        return {_kept(faces, choice.roll): choice.value for choice in found}

    def _turn_of(self, g: Landing) -> turn.Turn:
        """The turn whose dice are being rolled."""
        unit, frame = g.units[0], top(g)
        first = frame[0] == "dice" and frame[2] == 1
        mask = frame[1] if first else sum(1 << place for place in range(6) if unit.faces[place] >= 0)
        return self.turn_at(position(g), unit.soldiers, unit.courage, colours(mask))

    def turn_at(
        self, where: Position, soldiers: int, courage: int, dice: tuple[int, int, int] = (2, 2, 2)
    ) -> turn.Turn:
        """The dice of a turn that begins like this."""
        name = where, soldiers, courage, dice
        if self._turn is None or self._turn[0] != name:
            one = next(one for one in self._kind(where.sector).sets if one.colours == dice)
            self._turn = name, self._solve(where, one, self._stack(where), soldiers, courage)
        return self._turn[1]

    def moves_at(self, after: Position, soldiers: int, courage: int) -> dict[str, float]:
        """Of the answers after upkeep to where to go, as they are told in `after`; none where nothing is asked."""
        if after not in self._halted:
            for where in self.rows:
                if where.sector == after.sector:
                    self._afters(where)
        tree = self._tree(after, courage) if after in self._halted else None
        ways = tree.of if isinstance(tree, Best) else ()
        return {key: float(self._row(one, np.array([soldiers]))[0]) for key, one in ways}

    def _settled(self, g: Landing) -> float:
        """The value of a state that halted after upkeep."""
        unit = g.units[0]
        after = position(g)
        self._halted.setdefault(after, g)
        return float(self._row(self._tree(after, unit.courage), np.array([unit.soldiers]))[0])

    def first_moves(self) -> list[Rated]:
        """Of the moves in the first turn: the value when that one is made if it can be, and all else is the best."""
        g = self.start
        while not begins(g):
            g = answered(g, self.answers(g)[0].key)
        unit, where = g.units[0], position(g)
        every = [
            self._tree(after, courage) for after in self._afters(where) for courage in range(self._spends(where) + 1)
        ]
        keys = {key: None for tree in every if isinstance(tree, Best) for key, _ in tree.of}
        found = []
        for key in keys:
            stack = self._stacked(where, key)
            turns = [
                self._solve(where, one, stack, unit.soldiers, unit.courage) for one in self._kind(where.sector).sets
            ]
            found.append(Rated(key, max(one.value for one in turns)))
        return sorted(found, key=lambda one: -round(one.value, 12))

    # ------------------------------------------------------------------ from the end to the beginning

    def order(self) -> list[Position]:
        """Every position that can be reached, those that follow before those that lead there."""
        found: dict[Position, None] = {}
        starts, left = list[Position](), [self.start]
        while left:
            g = left.pop()
            if begins(g):
                starts.append(position(g))
            else:
                left += [answered(g, key) for key in keys_of(g)]
        stack: list[tuple[Position, bool]] = [(one, False) for one in starts]
        while stack:
            where, done = stack.pop()
            if done:
                found.setdefault(where)
            elif where not in found:
                stack.append((where, True))
                for after in self._afters(where):
                    tree = self._tree(after, ENOUGH)
                    stack += [(leaf.position, False) for leaf in leaves(tree) if leaf.position is not None]
        return list(found)

    def fill(self, where: Position) -> None:
        """The rows of this position; those of all that follow are there."""
        stack, sets = self._stack(where), self._kind(where.sector).sets
        rows = []
        for courage in range(stack.shape[1]):
            limit = max(self._solve(where, one, stack, ENOUGH, courage).value for one in sets)
            row = [0.0]
            while row[-1] < limit - TINY:
                row.append(max(self._solve(where, one, stack, len(row), courage).value for one in sets))
            row[-1] = limit
            rows.append(np.array(row))
        self.rows[where] = rows

    def _solve(self, where: Position, tallies: Tallies, stack: Floats, soldiers: int, courage: int) -> turn.Turn:
        """The dice of this turn; `stack` is what comes after upkeep, by effects, Courage and Soldiers."""
        printed = self.start.world.sectors[where.sector]
        lock = min(2 if printed.locked_dice is None else printed.locked_dice, SIZE[tallies.dice])
        values = np.maximum.reduceat(_worths(tallies, stack, soldiers, courage), tallies.begins)[tallies.numbers]
        return turn.solve(values, lock, 3, tallies.colours, not printed.reroll_skulls)

    def promise(self, state: Landing) -> Promise:
        """Of the dice that lie on the table: the value, then the Soldiers and the Courage that the turn brings."""
        g = without_cards(state)
        unit, where, solved = g.units[0], position(g), self._turn_of(g)
        one = next(one for one in self._kind(where.sector).sets if one.colours == solved.dice)
        worths = _worths(one, self._stack(where), unit.soldiers, unit.courage)
        best = np.maximum.reduceat(worths, one.begins)
        lengths = np.diff(np.append(one.begins, len(worths)))
        places = np.where(worths == np.repeat(best, lengths), np.arange(len(worths)), len(worths))
        chosen = np.minimum.reduceat(places, one.begins)[one.numbers]
        return Promise(solved, [some[chosen].reshape(solved.values.shape).astype(np.float64) for some in one.flat[:2]])

    def _kind(self, sector: str) -> Kind:
        name = kind_name(self.start.world, sector)
        if name not in self.kinds:
            self.kinds[name] = kind_of(self.start, sector)
        return self.kinds[name]

    def _afters(self, where: Position) -> list[Position]:
        """Where the Unit is after upkeep, by the effects of its tally."""
        if where not in self._after:
            self._after[where] = [self._halt(where, witness) for witness in self._kind(where.sector).witnesses]
        return self._after[where]

    def _halt(self, where: Position, witness: Witness) -> Position:
        g = taken(rolled(to_roll(self.start, where, witness.dice), witness.outcome))
        for key in witness.keys:
            g = answered(g, key)
        after = position(g)
        self._halted.setdefault(after, g)
        return after

    def _tree(self, after: Position, courage: int) -> Tree:
        found = self._trees.get((after, courage))
        if found is None:
            g = MACHINE.clone(self._halted[after])
            g.units[0].soldiers, g.units[0].courage = ENOUGH, courage
            found = self._trees[after, courage] = tree_of(resumed(g))
        return found

    def _spends(self, where: Position) -> int:
        """The most Courage that may be spent from here on."""
        return max(
            ENOUGH - leaf.courage + (len(self.rows[leaf.position]) - 1 if leaf.position else 0)
            for after in self._afters(where)
            for leaf in leaves(self._tree(after, ENOUGH))
        )

    def _stack(self, where: Position) -> Floats:
        if where not in self._stacks:
            self._stacks[where] = self._stacked(where)
        return self._stacks[where]

    def _stacked(self, where: Position, key: str = "") -> Floats:
        """The value after upkeep by effects, Courage and Soldiers; `key` is a move that has to be made if it can be."""
        trees = [
            [_forced(self._tree(after, courage), key) for courage in range(self._spends(where) + 1)]
            for after in self._afters(where)
        ]
        most = max(self._reach(leaf) for some in trees for tree in some for leaf in leaves(tree))
        soldiers = np.arange(most + 1)
        return np.array([[self._row(tree, soldiers) for tree in some] for some in trees])

    def _reach(self, leaf: Leaf) -> int:
        """With so many Soldiers any more make no difference there."""
        return max(1 - leaf.low, len(self._row_at(leaf)) - 1 - leaf.soldiers)

    def _row_at(self, leaf: Leaf) -> Floats:
        if leaf.position is None:
            return np.array([0.0, float(leaf.won)])
        rows = self.rows[leaf.position]
        return rows[min(leaf.courage, len(rows) - 1)]

    def _row(self, tree: Tree, soldiers: Indices) -> Floats:
        """The value of a tree for each of these numbers of Soldiers."""
        if isinstance(tree, Leaf):
            row = self._row_at(tree)
            found: Floats = row[np.clip(soldiers + tree.soldiers, 0, len(row) - 1)] * (soldiers + tree.low > 0)
            return found
        if isinstance(tree, Best):
            best: Floats = np.array([self._row(one, soldiers) for _, one in tree.of]).max(0)
            return best
        total = np.zeros(len(soldiers))
        for one, chance in tree.of:
            total += chance * self._row(one, soldiers)
        return total


def _worths(tallies: Tallies, stack: Floats, soldiers: int, courage: int) -> Floats:
    """Of each gain that a tally may bring."""
    more, braver, effects = tallies.flat
    _, most, many = stack.shape
    found: Floats = stack[effects, np.minimum(courage + braver, most - 1), np.minimum(soldiers + more, many - 1)]
    return found


def _forced(tree: Tree, key: str) -> Tree:
    return dict(tree.of).get(key, tree) if key and isinstance(tree, Best) else tree


def _kept(faces: tuple[int, ...], again: int) -> tuple[tuple[int, ...], ...]:
    """What is kept of each colour when these dice are rolled again."""
    return tuple(
        tuple(sorted(faces[p] for p in (at, at + 1) if not again >> p & 1 and faces[p] >= 0)) for at in (0, 2, 4)
    )


def solve(world: World, no_cards: bool = False, tick: Callable[[int, int], object] | None = None) -> Solved:
    """Solve the game of this world. `tick` hears how many positions of how many are done."""
    began = process_time()
    solved = Solved(opening(world, no_cards))
    order = solved.order()
    for n, where in enumerate(order):
        solved.fill(where)
        if tick:
            tick(n + 1, len(order))
    solved.seconds = process_time() - began
    return solved
