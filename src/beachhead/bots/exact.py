"""The bot exact: dice by the exact turn over the value of what they bring, moves and cards by the value of where they
lead if that was found to be better, trades that clearly help, and everything else as the bot thumb does it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.node import Decision
from ..solve import fast
from ..solve.turn import Choice, Turn, equal_to, first_of
from .arrive import arrived, price
from .gains import NOTHING, SOLDIERS, Row, op_row, plus
from .gifts import offer, trade_first
from .judgement import WorldKey, world_of
from .look import way_of
from .randomly import random_answer
from .sight import ROLLS, Sight, as_foreseen, at_home, pips_of, single_reroll, single_rerolls
from .solved import by_table, solved_answer
from .tally import DICE, mask_of
from .thumb import ANSWERS as BY_THUMB
from .thumb import idle
from .uses import use_now
from .values import ALONE, Floats, Standing, Valuer, Values, standing

if TYPE_CHECKING:
    from . import View

NAMES = {mask: ",".join(die for n, die in enumerate(DICE) if mask >> n & 1) or "none" for mask in range(64)}
MOST_FIRE = 3
"""Dice of fire that are told apart."""
MARGIN = 0.01
"""By how much of the probability to win a move or a card has to be better than that which thumb would take."""


def lock(decision: Decision, look: Sight, rng: Random) -> str:
    sizes = _sizes(decision.keys)
    faces = look.me["faces"]
    each = look.traits(look.me).per_locked_skull
    if not each and len(sizes) == 1:
        return f"lock:{NAMES[look.turn(sizes[0], True).best(faces).locked]}"
    skulls = sum(1 << n for n in range(6) if faces[n] == 0)
    soldier = soldier_worth(look, look.standing()) if each and skulls else 0.0
    found: list[tuple[float, int]] = []
    for size in sizes:
        for worth, locked in look.turn(size, True).locks(faces):
            found.append((worth + each * (locked & skulls).bit_count() * soldier, locked))
    found.sort(key=lambda one: one[1])
    return f"lock:{NAMES[found[first_of([worth for worth, _ in found])][1]]}"


@lru_cache(maxsize=1024)
def _sizes(keys: tuple[str, ...]) -> list[int]:
    """How many dice may be Locked."""
    return sorted({0 if key == "lock:none" else key.count(",") + 1 for key in keys})


def soldier_worth(look: Sight, at: Standing) -> float:
    """What one more Soldier is worth."""
    rows = np.zeros((2, len(NOTHING)))
    rows[1, 0] = 1.0
    few, more = look.judge.worth(at, rows)
    return float(more - few)


def reroll(decision: Decision, look: Sight, rng: Random) -> str:
    used = use_now(decision, look, rng)
    if used:
        return used
    me = look.me
    best = _best(look.turn(me["locked"].bit_count(), True), me, me["roll"] or 2)
    key = f"roll:{NAMES[best.roll]}"
    return key if key in decision.keys else "stop"


def _best(turn: Turn, unit: dict[str, Any], roll: int) -> Choice:
    return turn.best(unit["faces"], unit["locked"], roll)


def mulligan(decision: Decision, look: Sight, rng: Random) -> str:
    turn = look.turn(look.to_lock(), True)
    now = _best(turn, look.me, 1).value
    return "mulligan" if now < equal_to(turn.value) else "keep"


def leave(decision: Decision, look: Sight, rng: Random) -> str:
    """The dice that are missed least."""

    def then(key: str) -> float:
        out = mask_of(key[6:])
        red, white, blue = ((~out >> at & 3).bit_count() for at in (0, 2, 4))
        return look.promise_of((red, white, blue))

    by_colour = {tuple((mask_of(key[6:]) >> at & 3).bit_count() for at in (0, 2, 4)): key for key in decision.keys}
    keys = list(by_colour.values())
    return keys[first_of([then(key) for key in keys])]


def cancel(decision: Decision, look: Sight, rng: Random) -> str:
    return _without(decision, look, [look.me["out"] | mask_of(key[7:]) for key in decision.keys])


def free(decision: Decision, look: Sight, rng: Random) -> str:
    return _without(decision, look, [look.me["out"] & ~mask_of(key[5:]) for key in decision.keys])


def _without(decision: Decision, look: Sight, outs: list[int]) -> str:
    """The answer after which what is left is worth most."""
    beside = [(face, colour) for face, colour in look.me["added"]]
    worths = look.worths((look.dice({**look.me, "out": out}), beside) for out in outs)
    return decision.keys[first_of(worths)]


def window(decision: Decision, look: Sight, rng: Random) -> str:
    if look.phase in ("move", "combat"):
        asked, decision = trade_first(decision, look, rng)
        if asked:
            return asked
    if look.phase == "roll":
        useful, me = single_rerolls(look.key, look.mode), look.me
        found = next((key for key in decision.keys if key[4:] in useful and key.startswith("use:")), "")
        if found and as_foreseen(look) and _best(look.turn(me["locked"].bit_count(), False), me, ROLLS).roll:
            return found
    return BY_THUMB["window"](decision, look, rng)


def pick_die(decision: Decision, look: Sight, rng: Random) -> str:
    """One die to roll again, or any dice, perhaps several times."""
    me = look.me
    if decision.source in look.world.cards and as_foreseen(look):
        stay = look.skulls_stay(decision.source)
        if single_reroll(look, decision.source):
            turn = look.turn_with(me["locked"].bit_count(), False, stay, 1 + look.singles())
            best = turn.best(me["faces"], me["locked"], ROLLS)
            for choice in (best,) if best.roll else turn.singly(me["faces"], me["locked"]):
                key = f"die:{NAMES[choice.roll]}"
                if choice.roll and key in decision.keys:
                    return key
        elif any("," in key for key in decision.keys):
            turn = look.turn_with(0, False, stay, 0)
            best = turn.best(me["faces"], 0, 1)
            key = f"die:{NAMES[best.roll]}" if best.roll else "done"
            if key in decision.keys:
                return key
    return BY_THUMB["pick-die"](decision, look, rng)


# ---------------------------------------------------------------------- moves and cards


def move(decision: Decision, look: Sight, rng: Random) -> str:
    """Where the next turn is best begun; a way that thumb would not go has to be better by a margin."""
    asked, rest = trade_first(decision, look, rng)
    usual = asked or BY_THUMB["move"](rest, look, rng)
    return asked or _if_better(usual, _upwards(rest, look), look, ("stay", "move:"), after_move)


def _upwards(decision: Decision, look: Sight) -> Decision:
    """Without the ways back from a climb while it can be tried again: they are open after the last try as well."""
    here = look.me["sector"]
    if "stay" not in decision.keys or look.world.sectors[here].climb is None:
        return decision
    back = {way.key for way in look.world.ways[here] if way.back}
    return decision._replace(keys=tuple(key for key in decision.keys if key not in back))


def acquire(decision: Decision, look: Sight, rng: Random) -> str:
    """What leaves the Unit best; what is used now is up to thumb."""
    asked, rest = trade_first(decision, look, rng)
    usual = asked or BY_THUMB["acquire"](rest, look, rng)
    return asked or _if_better(usual, rest, look, ("done", "rally:", "find:"), after_buying)


def _if_better(
    usual: str, decision: Decision, look: Sight, verbs: tuple[str, ...], then: Callable[[str, Sight], float]
) -> str:
    """The best of these answers, if it is better by a margin than the usual one and such answers were learned."""
    judge = look.judge
    if not isinstance(judge, Values) or decision.name not in judge.plays or not usual.startswith(verbs):
        return usual
    keys = [key for key in decision.keys if key.startswith(verbs)]
    if len(keys) < 2:
        return usual
    enough = then(usual, look) + MARGIN
    if enough >= 1.0:  # they are probabilities
        return usual
    best, most = usual, enough
    for key in keys:
        worth = then(key, look) if key != usual else 0.0
        if worth > most:
            best, most = key, worth
    return best


def after_buying(key: str, look: Sight) -> float:
    """What the Unit has then."""
    verb, _, card = key.partition(":")
    after = look.me
    if card:
        found = look.world.cards[card]
        price = "stars" if verb == "rally" else "points"
        place = "specialists" if found.is_specialist else "items"
        after = {**after, price: max(0, after[price] - found.cost), place: [*after[place], card]}
    return float(look.judge.worth(standing(look.instead(after), after), ALONE)[0])


def after_move(key: str, look: Sight) -> float:
    """What the next turn begins with, on average over the fire."""
    me, world = look.me, look.world
    who = look.who(me)
    mines = 0
    if key == "stay":
        after = {**me, "combats": me["combats"] + 1}
        sector, combats = me["sector"], me["combats"]
    else:
        way = way_of(look.key, me["sector"], key)
        sector, combats = way.to, 0
        mines = int(way.mined and who.mine > 0)
        after = arrived(way, look, me)
        after["courage"] = max(0, after["courage"] - price(way, look, me))
    rows, chances = under_fire(
        min(look.fire(sector, combats) + look.shells(sector, combats, after) + mines, MOST_FIRE),
        look.defence(sector, combats) - who.saves,
        after["soldiers"] + len(after["specialists"]),
    )
    if not len(rows):
        return 0.0
    if world.sectors[sector].bunker:
        return float(chances.sum())
    return float(np.add.reduce(look.judge.worth(standing(look.instead(after, ""), after), rows, "turn") * chances))


@lru_cache(maxsize=4096)
def under_fire(dice: int, fixed: float, strength: int) -> tuple[Floats, Floats]:
    """What a Unit of this strength may lose to so many d6 and live, as rows, and how likely each is."""
    pips, chances = pips_of(dice)
    losses = np.maximum(fixed + pips, 0.0)
    alive = strength > losses
    rows = np.zeros((int(alive.sum()), len(NOTHING)))
    rows[:, SOLDIERS] = -losses[alive]
    return rows, chances[alive]


def choose(decision: Decision, look: Sight, rng: Random) -> str:
    """The branch of a bonus after which the Unit is best off, where all of them are plain gains; the exact turn has
    counted on it.
    """
    rows = None if decision.source else _branches(look.key, look.me["nation"], decision.keys)
    if rows is None:
        return BY_THUMB["choose"](decision, look, rng)
    return decision.keys[int(look.judge.worth(look.standing(), rows).argmax())]


@cache
def _branches(key: WorldKey, nation: str, keys: tuple[str, ...]) -> Floats | None:
    """What the branches of a bonus bring that are asked for so, as rows; None where that is not plain."""
    names = [one[7:] for one in keys]
    for bonus in world_of(key).nations[nation].rwb.values():
        for op in bonus.ops:
            branches = {branch.name: branch.ops for branch in op.of} if op.tag == "choose" else {}
            if branches.keys() >= {*names}:
                if any(one.tag not in ("gain", "free-move") for ops in branches.values() for one in ops):
                    return None
                return np.array([_summed([op_row(one, key, nation) for one in branches[name]]) for name in names])
    return None


def _summed(rows: list[Row]) -> Row:
    found = NOTHING
    for row in rows:
        found = plus(found, row)
    return found


ANSWERS: dict[str, Callable[[Decision, Sight, Random], str]] = {
    "leave": leave,
    "mulligan": mulligan,
    "lock": lock,
    "reroll": reroll,
    "cancel": cancel,
    "free": free,
    "choose": choose,
    "window": window,
    "pick-die": pick_die,
    "move": move,
    "acquire": acquire,
    "offer": offer,
}
"""Question -> how it is answered. All others are answered as thumb does."""
DICE_ON_TABLE = ("mulligan", "lock", "reroll")


def reply(decision: Decision, look: Sight, rng: Random) -> str:
    """The answer to a question of a landing that this seat sees."""
    own = ANSWERS.get(decision.name)
    if own is not None and (decision.name not in DICE_ON_TABLE or at_home(look)):
        return own(decision, look, rng)
    return BY_THUMB.get(decision.name, idle)(decision, look, rng)


def answer_with(
    judge: Valuer | None, how: Callable[[Decision, Sight, Random], str] = reply
) -> Callable[[Decision, View, Random], str]:
    """How a bot answers that judges so; None: by what was learned for the game that is played."""

    def answer(decision: Decision, view: View, rng: Random) -> str:
        if len(decision.keys) == 1:
            return decision.keys[0]
        seen = view()
        if seen.get("game") != "landing":
            return solved_answer(decision, lambda: seen, rng)
        look = Sight(seen, decision.seat, judge)
        if look.world is None:
            return random_answer(decision, view, rng)
        look.remember(look.judge)
        if look.has_waited(look.me):  # nothing was learned of games as long as that: every answer seems to win
            return BY_THUMB.get(decision.name, idle)(decision, look, rng)
        return by_table(decision, look) or how(decision, look, rng)

    return answer


exact_answer = answer_with(None)
fast.prepare()  # dice are solved by numpy until the machine code is there
