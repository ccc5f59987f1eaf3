"""Cards that turn dice, judged by the probability to win: what the best change brings."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from .arrive import without
from .gains import CARDS, Terms, outcomes, table_of
from .judgement import AWARD, world_of
from .look import Look
from .sight import Sight
from .tally import FACES, NONE, SKULL, Result
from .uses import Change, Judged, find_change
from .ways import MARGIN, as_it_stands

DICE_MARGIN = 0.002
"""The same of a change of dice that comes back next turn."""
TURNS_DICE = ("set-colour", "set-result", "swap-with-pool")


def by_values(look: Sight) -> Judged:
    """What changes of the dice bring, by the probability to win."""
    me = look.me
    dice = list(zip(me["faces"], me["colours"], strict=True))
    beside = [(face, colour) for face, colour in me["added"]]
    terms, at = look.terms(False), look.standing()

    def worth(results: list[Result]) -> float:
        rows = [row for left in left_by_skulls(results, beside, terms) for row in outcomes(left, terms)]
        award = terms.award and straight(results, beside, terms)
        found = np.array(rows)
        found[:, CARDS] += AWARD * 4 / 3 * award
        return float(look.judge.worth(at, found).max())

    now = worth([one for one in dice if one[0] >= 0])

    def with_die(place: int, result: Result) -> float:
        return with_dice([result if n == place else one for n, one in enumerate(dice) if one[0] >= 0])

    def with_dice(results: list[Result]) -> float:
        return worth(results) - now

    return Judged(with_die, with_dice, lambda place, results, enough: results)


def straight(dice: list[Result], beside: list[Result], terms: Terms) -> bool:
    strict = world_of(terms.key).switches.straight_needs_colour
    shown = {face for face, _ in dice} | {face for face, colour in beside if colour != NONE or not strict}
    return len(shown) == len(FACES) and not world_of(terms.key).ignored


def left_by_skulls(dice: list[Result], beside: list[Result], terms: Terms) -> list[list[int]]:
    """The tallies that are left when Skulls have cancelled dice in any way, as `gains.outcomes` counts them."""
    world = world_of(terms.key)
    skulls = table_of(dice, beside)[4 * SKULL : 4 * SKULL + 4]
    active = 0 if SKULL in world.ignored else sum(skulls) - terms.skulls_ignored
    if active > 0:
        active -= 3 * min(skulls[:3]) + (world.switches.straight_skull_ignored and straight(dice, beside, terms))
    others = [one for one in dice if one[0] != SKULL]
    bones = [one for one in dice if one[0] == SKULL]
    kept = max(0, len(others) - max(0, active))
    return [table_of([*bones, *some], beside) for some in dict.fromkeys(combinations(sorted(others), kept))]


def best_turn_of_dice(card: str, look: Sight) -> tuple[float, Change]:
    """What the best change by this card brings, less what the card is worth if it is gone then."""
    found = find_change(card, look, by_values(look))
    spent = any(
        ability.sacrifice or ability.limit == "single-use"
        for ability in look.world.cards[card].abilities
        if ability.kind == "activated"
    )
    if not spent or not found[1]:
        return found[0] - DICE_MARGIN, found
    return found[0] - (as_it_stands(look, look.me) - as_it_stands(look, without(look.me, (card,)))) - MARGIN, found


def turns_dice(look: Look, card: str) -> bool:
    """Does this card turn dice of its Unit, and nothing that another has to agree to?"""
    if card not in look.world.cards:
        return False
    ops = [
        op.tag
        for ability in look.world.cards[card].abilities
        if ability.kind == "activated" and ability.mode in ("", look.mode)
        for op in ability.ops
    ]
    return bool(ops) and all(tag in TURNS_DICE for tag in ops)
