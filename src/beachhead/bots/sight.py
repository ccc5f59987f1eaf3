"""What a seat sees, and what it makes of dice: the exact turn over the value of what they bring."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np

from ..solve.turn import SIX, Turn
from .gains import NOTHING, Row, Terms, dice_like, gains, op_row, outcomes, plus, table_of, tallies_of
from .judgement import WorldKey, printed, traits, world_of
from .kept import lasting, steady
from .look import Look
from .tally import FACES, HOME, NONE, Result
from .values import Floats, Standing, Valuer, standing, valuer

ROLLS = 3
"""Of a turn."""


class Sight(Look):
    """What a seat sees, and what it makes of dice."""

    def __init__(self, view: dict[str, Any], seat: int, judge: Valuer | None = None) -> None:
        super().__init__(view, seat)
        self.judge = judge or valuer(self.key)

    def terms(self, rolling: bool, dice: tuple[int, int, int] | None = None) -> Terms:
        """What decides the gains of this Unit's tally; `rolling`: its dice are not final."""
        me = self.me
        return _terms(
            self.key,
            me["nation"],
            self.place(me["sector"]),
            self._at_tally,
            dice or dice_of(me["faces"]),
            tuple(map(tuple, me["added"])),
            rolling,
            bool(self.view["deck"]),
            "few-good-men" in self.view.get("options", ()),
            self.climb(me),
        )

    @steady
    def _at_tally(self) -> tuple[str, ...]:
        """The own cards that change what a tally brings."""
        return tuple(filter(at_tally(self.key).__contains__, (*self.me["specialists"], *self.me["items"])))

    def standing(self) -> Standing:
        return self._stands

    @lasting
    def _stands(self) -> Standing:
        return standing(self, self.me)

    def to_lock(self) -> int:
        """Dice to Lock here, as far as cards in play say."""
        printed = self.here.locked_dice
        found = 2 if printed is None else int(printed)
        for unit in self.units:
            for card in unit["specialists"] if unit["status"] == 0 else ():
                for op in self.statics(card):
                    if op.question == "dice_to_lock":
                        found = min(found, op.at_most) if op.at_most is not None else max(0, found + (op.by or 0))
        return found

    def singles(self) -> int:
        """Cards by which one final die may be rolled again this turn."""
        done = self.me["done"]
        return sum(1 for card in self._rerollers if f"use:{card}" not in done) if self._rerollers else 0

    @steady
    def _rerollers(self) -> tuple[str, ...]:
        useful = single_rerolls(self.key, self.mode)
        return tuple(card for card in (*self.me["specialists"], *self.me["items"]) if card in useful)

    @lasting
    def as_usual(self) -> bool:
        """Do only those results lie beside the dice that come every turn?"""
        me = self.me
        usual = _coming(self.key, self.place(me["sector"]), self._at_tally)
        return sorted(tuple(one) for one in me["added"]) == sorted(usual)

    def turn(self, lock: int, rolling: bool, dice: tuple[int, int, int] | None = None) -> Turn:
        return self.turn_with(lock, rolling, self.skulls_stay(), self.singles(), dice)

    def skulls_stay(self, card: str = "") -> bool:
        """Are Skulls not rolled again here, when this card rolls? An Award stands above the Sector."""
        return not self.here.reroll_skulls and (not card or self.world.cards[card].kind != "award")

    def turn_with(
        self, lock: int, rolling: bool, stay: bool, singles: int, dice: tuple[int, int, int] | None = None
    ) -> Turn:
        """The turn where Skulls stay or not, and so many final dice may be rolled again one by one."""
        dice = dice or dice_of(self.me["faces"])
        asked = (lock, rolling, stay, singles, dice)
        found = self._turns.get(asked)
        if found is None:
            turn = _any_turn(self.judge, self.terms(rolling, dice), self.standing())
            found = self._turns[asked] = turn.like(min(lock, sum(dice)), stay, singles)
        return found

    @lasting
    def _turns(self) -> dict[tuple[int, bool, bool, int, tuple[int, int, int]], Turn]:
        return {}

    def promise(self) -> float:
        """What the turn that begins is worth on average."""
        return self.promise_of((2, 2, 1) if self.world.sectors[self.me["sector"]].dice < 6 else SIX)

    def promise_of(self, dice: tuple[int, int, int]) -> float:
        """The same with these dice."""
        lock = min(self.to_lock(), sum(dice))
        terms = self.terms(True, dice)
        terms = terms._replace(dice=dice_like(terms))
        return _promise(self.judge, terms, self.standing(), lock, self.skulls_stay(), self.singles())

    def worths(self, tallies: Iterable[tuple[list[Result], list[Result]]]) -> list[float]:
        """Of tallies that Skulls have gone over already: dice and results beside them."""
        terms = self.terms(False)
        many: list[list[Any]]
        if as_foreseen(self):  # so they are all in the table that was made for the rolls of this turn
            known = tallies_of(terms)
            many = [known.outcomes(dice) for dice, _ in tallies]
            rows = known.table[[row for one in many for row in one]]
        else:
            many = [outcomes(table_of(dice, beside), terms) for dice, beside in tallies]
            rows = np.array([row for one in many for row in one])
        worths = self.judge.worth(self.standing(), rows).tolist()
        found, at = [], 0
        for one in many:
            found.append(max(worths[at : at + len(one)]))
            at += len(one)
        return found


def dice_of(faces: Sequence[int]) -> tuple[int, int, int]:
    """How many red, white and blue dice lie on the table."""
    if -1 not in faces:
        return SIX
    red, white, blue = ((faces[at] >= 0) + (faces[at + 1] >= 0) for at in (0, 2, 4))
    return red, white, blue


def at_home(look: Sight) -> bool:
    """Has every die its own colour? The exact turn knows no other."""
    return tuple(look.me["colours"]) == HOME


def as_foreseen(look: Sight) -> bool:
    """Do the dice have their own colours, and lie only those results beside them that come every turn?"""
    return at_home(look) and look.as_usual


def single_reroll(look: Look, card: str) -> bool:
    return card in single_rerolls(look.key, look.mode)


@lru_cache(maxsize=64)
def single_rerolls(key: WorldKey, mode: str) -> frozenset[str]:
    """The cards by which one final die may be rolled again."""
    return frozenset(
        card
        for card, found in world_of(key).cards.items()
        for ability in found.abilities
        if ability.kind == "activated" and ability.mode in ("", mode)
        for op in ability.ops
        if op.tag == "reroll" and op.times == 1 and op.dice == 1 and not op.locked
    )


@lru_cache(maxsize=64)
def at_tally(key: WorldKey) -> frozenset[str]:
    """The cards that change what a tally brings: results that they add, bonuses, Skulls that cancel nothing."""
    return frozenset(
        card
        for card, found in world_of(key).cards.items()
        if any(ability.on in ("tally", "rwb") for ability in found.abilities)
        or traits(key, (card,), True).skulls_ignored
    )


@lru_cache(maxsize=1024)
def _terms(
    key: WorldKey,
    nation: str,
    sector: str,
    held: tuple[str, ...],
    dice: tuple[int, int, int],
    added: tuple[Result, ...],
    rolling: bool,
    award: bool,
    halved: bool,
    climb: int,
) -> Terms:
    coming = _coming(key, sector, held) if rolling else ()
    return Terms(
        key,
        nation,
        dice,
        tuple(sorted((*added, *coming))),
        tuple((FACES.index(face), many) for face, many in printed(key, sector).penalty.items()),
        traits(key, held, True).skulls_ignored,
        _per_rwb(key, nation, held),
        award,
        halved,
        climb,
    )


@lru_cache(maxsize=4096)
def _coming(key: WorldKey, sector: str, cards: tuple[str, ...]) -> tuple[Result, ...]:
    """Results that join the tally by themselves."""
    world = world_of(key)
    found = [(FACES.index(face), NONE) for face, many in printed(key, sector).bonus.items() for _ in range(many)]
    for ability in (ability for card in cards for ability in world.cards[card].abilities):
        for op in ability.ops if ability.on == "tally" and ability.kind == "triggered" else ():
            if op.tag == "add-result" and op.face in FACES and op.colour == "none":
                found += [(FACES.index(op.face), NONE)] * op.count
    return tuple(found)


@lru_cache(maxsize=4096)
def _per_rwb(key: WorldKey, nation: str, cards: tuple[str, ...]) -> Row:
    found = NOTHING
    for ability in (ability for card in cards for ability in world_of(key).cards[card].abilities):
        for op in ability.ops if ability.on == "rwb" and ability.kind == "triggered" else ():
            found = plus(found, op_row(op, key, nation))
    return found


@lru_cache(maxsize=8)
def _any_turn(judge: Valuer, terms: Terms, at: Standing) -> Turn:
    """A turn with the right values, whatever else holds in it."""
    known = gains(terms)
    return Turn(known.best(judge.worth(at, known.rows)), 0, ROLLS, terms.dice, False, 0)


@lru_cache(maxsize=4096)
def _promise(judge: Valuer, terms: Terms, at: Standing, lock: int, stay: bool, singles: int) -> float:
    """What such a turn is worth on average. It is kept for longer than the turn, as many games begin alike."""
    return _any_turn(judge, terms, at).like(lock, stay, singles).value


@cache
def pips_of(dice: int) -> tuple[Floats, Floats]:
    """What so many d6 may show in all, and how likely."""
    chances = np.ones(1)
    for _ in range(dice):
        chances = np.convolve(chances, np.full(6, 1 / 6))
    return np.arange(len(chances), dtype=np.float64) + dice, chances
