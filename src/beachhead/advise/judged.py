"""Answers that can be judged as they are: dice by the exact turn, moves and purchases by where they lead.

Nothing here is rolled or played. What a question cannot be judged for is left out, and `ahead` plays on instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from ..bots.exact import DICE_ON_TABLE, soldier_worth
from ..bots.gains import CARDS, COURAGES, FREE, Terms, gains, outcomes, table_of
from ..bots.planner import ranked
from ..bots.sight import ROLLS, Sight, as_foreseen, at_home, single_reroll
from ..bots.tally import mask_of
from ..bots.values import Floats, Standing, Valuer, together
from ..core.node import Decision
from ..landing.dice import ALL, SKULL
from ..solve.multisets import ROLLS as ROLLS_OF
from ..solve.promise import Promise
from ..solve.turn import solve

COUNTED = ("soldiers", "stars", "courage", "points")
"""What is told of a tally, in the order of the columns of `gains`."""


class Worth(NamedTuple):
    """Of an answer: the probability to win, or that the Unit does its part, and what this turn then brings."""

    value: float
    gives: tuple[tuple[str, float], ...] = ()
    advance: float | None = None
    """How likely the Unit then has the Courage for its next Advance; None where that is no question."""
    straight: float | None = None
    """How likely the dice make a Straight; None where that brings nothing."""


def comrades(look: Sight) -> float:
    """The probability that the other Units do their part."""
    return together(look, look.judge, "upkeep", look.seat)


def judged(decision: Decision, look: Sight) -> dict[str, Worth]:
    """The answers that can be judged here, for the Unit alone."""
    rule = JUDGES.get(decision.name)
    if rule is None or (decision.name in DICE_ON_TABLE and not at_home(look)):
        return {}
    return rule(decision, look)


def best_value(decision: Decision, look: Sight) -> float | None:
    """The value of the best of them, without what it brings."""
    me = look.me
    if decision.name == "reroll" and at_home(look):
        return look.turn(me["locked"].bit_count(), True).best(me["faces"], me["locked"], me["roll"] or 2).value
    return max((worth.value for worth in judged(decision, look).values()), default=None)


# ---------------------------------------------------------------------- dice


@lru_cache(maxsize=64)
def _tables(judge: Valuer, terms: Terms, at: Standing) -> tuple[Floats, tuple[Floats, ...]]:
    """Per Final Tally: its value when the best is made of it, then what it brings, whether the next Advance can be paid
    then, and whether it is a Straight.
    """
    known = gains(terms)
    worths = judge.worth(at, known.rows).take(known.leads)
    best = np.maximum.reduceat(worths, known.starts)
    lengths = np.diff(np.append(known.starts, len(worths)))
    places = np.where(worths == np.repeat(best, lengths), np.arange(len(worths)), len(worths))
    rows = known.rows[known.leads[np.minimum.reduceat(places, known.starts)]][known.kinds]
    enough = at.courage + rows[:, COURAGES] + at.saved * rows[:, FREE] >= at.first
    figures = (*rows.T[: len(COUNTED)], enough.astype(np.float64))
    return best[known.kinds].reshape(known.shape), (
        *(one.reshape(known.shape) for one in figures),
        _straights(terms.dice),
    )


@cache
def _straights(dice: tuple[int, int, int]) -> Floats:
    """Which rolls show every face."""
    shown = [np.array([sum(1 << face for face in {*faces}) for faces in ROLLS_OF[n]]) for n in dice]
    found = shown[0][:, None, None] | shown[1][None, :, None] | shown[2][None, None, :]
    every: Floats = (found == ALL).astype(np.float64)
    return every


def _promise(look: Sight, lock: int, rolling: bool = True, more: int = 0, card: str = "") -> Promise:
    """Of a turn with so many dice to Lock, when `more` single dice may be rolled again than cards in hand allow, and
    this card rolls.
    """
    return _of_turn(look, lock, rolling, None, more, card)


def _from_start(look: Sight, dice: tuple[int, int, int] | None = None) -> Promise:
    """Of a turn from its first roll on. There is much to work out, so only what it brings is counted."""
    promise = _of_turn(look, look.to_lock(), True, dice, 0)
    return Promise(promise.turn, list(promise.ends[1 : 1 + len(COUNTED)]))


def _of_turn(
    look: Sight, lock: int, rolling: bool, dice: tuple[int, int, int] | None, more: int, card: str = ""
) -> Promise:
    terms = look.terms(rolling, dice)
    values, figures = _tables(look.judge, terms, look.standing())
    stay = look.skulls_stay(card)
    turn = solve(values, min(lock, sum(terms.dice)), ROLLS, terms.dice, stay, look.singles() + more)
    return Promise(turn, figures)


def _teller(look: Sight) -> Callable[[Floats], Worth]:
    """Makes a Worth of what a promise says."""
    at = look.standing()
    lacks, awards = at.first > at.courage, look.terms(True).award and not look.world.ignored

    def tell(found: Floats) -> Worth:
        value, *counted = found.tolist()
        gives = tuple(zip(COUNTED, counted, strict=False))
        enough, straight = counted[len(COUNTED) :] or (None, None)
        return Worth(value, gives, enough if lacks else None, straight if awards else None)

    return tell


def lock(decision: Decision, look: Sight) -> dict[str, Worth]:
    faces, tell = look.me["faces"], _teller(look)
    each = look.tastes.locked_skull
    bonus = each * soldier_worth(look, look.standing()) if each else 0.0
    promises: dict[int, Promise] = {}
    found = {}
    for key in decision.keys:
        mask = mask_of(key[5:])
        size = mask.bit_count()
        if size not in promises:
            promises[size] = _promise(look, size)
        worth = tell(promises[size].locked(faces, mask))
        skulls = sum(1 for place in range(6) if mask >> place & 1 and faces[place] == SKULL)
        if each and skulls:  # what a card gives for Skulls that are Locked
            (name, soldiers), *others = worth.gives
            worth = worth._replace(
                value=min(1.0, worth.value + bonus * skulls), gives=((name, soldiers + each * skulls), *others)
            )
        found[key] = worth
    return found


def reroll(decision: Decision, look: Sight) -> dict[str, Worth]:
    me, tell = look.me, _teller(look)
    promise = _promise(look, me["locked"].bit_count())
    found = {}
    for key in decision.keys:
        if key == "stop" or key.startswith("roll:"):
            again = 0 if key == "stop" else mask_of(key[5:])
            found[key] = tell(promise.rolled(me["faces"], me["locked"], me["roll"] or 2, again))
    return found


def mulligan(decision: Decision, look: Sight) -> dict[str, Worth]:
    faces, tell = look.me["faces"], _teller(look)
    promise = _from_start(look)
    stay = look.skulls_stay()
    loose = sum(1 << place for place, face in enumerate(faces) if face >= 0 and not (stay and face == SKULL))
    return {key: tell(promise.anew(faces, loose if key == "mulligan" else 0)) for key in decision.keys}


def leave(decision: Decision, look: Sight) -> dict[str, Worth]:
    tell = _teller(look)
    by_colour: dict[tuple[int, int, int], Worth] = {}
    found = {}
    for key in decision.keys:
        left = ALL & ~mask_of(key[6:])
        dice = ((left & 3).bit_count(), (left >> 2 & 3).bit_count(), (left >> 4).bit_count())
        if dice not in by_colour:
            by_colour[dice] = tell(_from_start(look, dice).start)
        found[key] = by_colour[dice]
    return found


def cancel(decision: Decision, look: Sight) -> dict[str, Worth]:
    return _without(look, ((key, look.me["out"] | mask_of(key[7:])) for key in decision.keys))


def free(decision: Decision, look: Sight) -> dict[str, Worth]:
    return _without(look, ((key, look.me["out"] & ~mask_of(key[5:])) for key in decision.keys))


def _without(look: Sight, outs: Iterable[tuple[str, int]]) -> dict[str, Worth]:
    """What is left of the tally when these dice are out."""
    terms, at, tell = look.terms(False), look.standing(), _teller(look)
    beside = [(face, colour) for face, colour in look.me["added"]]
    found = {}
    for key, out in outs:
        rows = np.array(outcomes(table_of(look.dice({**look.me, "out": out}), beside), terms))
        worths = look.judge.worth(at, rows)
        best = int(worths.argmax())
        enough = at.courage + rows[best, COURAGES] + at.saved * rows[best, FREE] >= at.first
        found[key] = tell(np.array((worths[best], *rows[best, :CARDS], float(enough), 0.0)))._replace(straight=None)
    return found


def window(decision: Decision, look: Sight) -> dict[str, Worth]:
    """A card by which one final die may be rolled again."""
    cards = [key for key in decision.keys if key.startswith("use:") and single_reroll(look, key[4:])]
    if look.phase != "roll" or not cards or not as_foreseen(look):
        return {}
    me, tell = look.me, _teller(look)
    promise = _promise(look, me["locked"].bit_count(), False)
    rolled = [choice.roll for choice in promise.turn.choices(me["faces"], me["locked"], ROLLS) if choice.roll]
    found = {"done": tell(promise.rolled(me["faces"], me["locked"], ROLLS, 0))}
    if rolled:
        best = tell(promise.rolled(me["faces"], me["locked"], ROLLS, rolled[0]))
        found |= dict.fromkeys(cards, best)
    return found


def pick_die(decision: Decision, look: Sight) -> dict[str, Worth]:
    """Which final dice are rolled again: one by such a card, or any, perhaps several times."""
    if decision.source not in look.world.cards or not as_foreseen(look):
        return {}
    me, tell = look.me, _teller(look)
    masks = {key: mask_of(key[4:]) for key in decision.keys if key.startswith("die:") and "." not in key}
    if single_reroll(look, decision.source):
        promise = _promise(look, me["locked"].bit_count(), False, 1, decision.source)
        return {key: tell(promise.rolled(me["faces"], me["locked"], ROLLS, mask)) for key, mask in masks.items()}
    if not any("," in key for key in masks):
        return {}
    promise = _promise(look, 0, False, card=decision.source)
    if "done" in decision.keys:
        masks["done"] = 0
    return {key: tell(promise.rolled(me["faces"], 0, 1, mask)) for key, mask in masks.items()}


# ---------------------------------------------------------------------- moves and cards


def by_search(decision: Decision, look: Sight) -> dict[str, Worth]:
    return {key: Worth(value) for key, value in ranked(decision, look) or ()}


JUDGES: dict[str, Callable[[Decision, Sight], dict[str, Worth]]] = {
    "leave": leave,
    "mulligan": mulligan,
    "lock": lock,
    "reroll": reroll,
    "cancel": cancel,
    "free": free,
    "window": window,
    "pick-die": pick_die,
    "move": by_search,
    "acquire": by_search,
}
"""Question -> how its answers are judged."""
STOPS = ("leave", "mulligan", "lock", "reroll", "cancel", "free", "move", "acquire")
"""Questions at which who plays on may stop: what is asked there is judged as a whole."""
