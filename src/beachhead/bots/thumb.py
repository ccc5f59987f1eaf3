"""A bot that plays by rules of thumb: the landing here, the games of Pocket in `small`.

Stay where the dice bring more than combat takes, save Courage for the next Advance, rally early whoever pays every
turn, keep what lowers DEF for the Bunker, share with the weakest. Every question has a function of its own in ANSWERS.
What things are worth is in `judgement`, what dice may become in `tally`, what the seat sees in `look`, and when to use
cards in `uses`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any

from ..core.node import Decision
from .judgement import (
    AWARD,
    COURAGE,
    POINT,
    Scene,
    card_worths,
    dearest,
    openers,
    ops_worth,
    plan,
    rates_of,
    rwb_worth,
    world_of,
)
from .look import CRY, LAST_CHANCE, Look, Unit, best_move, cry_ahead, weakest
from .randomly import random_answer
from .small import SMALL, small_answer
from .tally import COLOURS, FACES, SKULL, Result, mask_of, pairs_of, value
from .tally import COURAGE as COURAGE_FACE
from .uses import ASK, GIFT, best_change, use_now

if TYPE_CHECKING:
    from . import View

MOST_ROLLED = 4
"""Dice that are rolled again at most, in the thoughts about Locking: two are Locked nearly everywhere."""
QUIET = ("done", "skip", "none", "stop", "keep", "withdraw", "refuse", "yield", "pay:none")
"""Answers that do nothing."""


# ---------------------------------------------------------------------- dice


def lock(decision: Decision, look: Look, rng: Random) -> str:
    """Dice that belong to the best set to keep."""
    ahead, faces, extra = look.outlook, look.me["faces"], look.tastes.locked_skull
    absent = sum(1 << place for place in range(6) if faces[place] < 0)
    rolls = [mask for mask in range(64) if not mask & absent and mask.bit_count() <= MOST_ROLLED]
    worths = [(mask, ahead.expected(pairs_of(faces, mask), 2)) for mask in rolls]

    def then(key: str) -> float:
        kept = mask_of(key[5:])
        skulls = sum(1 for place in range(6) if kept >> place & 1 and faces[place] == SKULL)
        return extra * skulls + max(worth for mask, worth in worths if not mask & kept)

    return max(decision.keys, key=then)


def reroll(decision: Decision, look: Look, rng: Random) -> str:
    used = use_now(decision, look, rng)
    if used:
        return used
    ahead, faces = look.outlook, look.me["faces"]
    chosen, top = "stop", ahead.final(pairs_of(faces))
    for key in decision.keys:
        if key.startswith("roll:"):
            found = ahead.expected(pairs_of(faces, mask_of(key[5:])), 1)
            if found > top + 0.01:
                chosen, top = key, found
    return chosen


def mulligan(decision: Decision, look: Look, rng: Random) -> str:
    ahead, faces = look.outlook, look.me["faces"]
    now = max(ahead.expected(pairs_of(faces, mask), 2) for mask in range(63) if mask.bit_count() <= MOST_ROLLED)
    return "mulligan" if now < ahead.expected(pairs_of(faces, 63), 2) else "keep"


def cancel(decision: Decision, look: Look, rng: Random) -> str:
    """Cancel what is missed least, and as little as one may."""
    return max(decision.keys, key=lambda key: _without(look, look.me["out"] | mask_of(key[7:])))


def free(decision: Decision, look: Look, rng: Random) -> str:
    """Bring back what was missed most."""
    return max(decision.keys, key=lambda key: _without(look, look.me["out"] & ~mask_of(key[5:])))


def _without(look: Look, out: int) -> float:
    """What the tally is worth if these dice do not count."""
    return value(look.tastes, look.dice({**look.me, "out": out}), look.beside(look.me), skulls=False)


def change_die(decision: Decision, look: Look, rng: Random) -> str:
    """The answer on the way to the best change of the dice, at whatever question of it we are."""
    if decision.source in look.world.cards:
        reroll_many = [key for key in decision.keys if "," in key] or "done" in decision.keys
        if decision.name == "pick-die" and reroll_many:
            return roll_again(decision, look)
        found = best_change(decision.source, look)
        for key in found[1:]:
            if key in decision.keys:
                return key
    return idle(decision, look, rng)


def roll_again(decision: Decision, look: Look) -> str:
    """Any dice, again and again."""
    ahead, faces = look.outlook, look.me["faces"]
    chosen, top = decision.keys[0], ahead.final(pairs_of(faces)) if decision.keys[0] == "done" else -1.0
    for key in decision.keys:
        if key.startswith("die:"):
            found = ahead.expected(pairs_of(faces, mask_of(key[4:])), 2)
            if found > top + 0.5:
                chosen, top = key, found
    return chosen


def add(decision: Decision, look: Look, rng: Random) -> str:
    """The result that brings most; a Medal of Honor is for the weakest of the others."""
    unit = look.me
    card = look.world.cards.get(decision.source)
    for ability in card.abilities if card else ():
        for op in ability.ops:
            if op.tag == "add-result" and op.chooser == "user" and op.to == "another" and look.others():
                unit = look.units[weakest(look)]
    ahead, dice, beside = look.outlook_of(unit), look.dice(unit), look.beside(unit)
    skulls = look.phase == "roll"
    worths = {}
    if "none" in decision.keys:
        worths["none"] = value(ahead.tastes, dice, beside, skulls)
    joined = {key: _result_of(key) for key in decision.keys if key != "none"}
    for (key, one), worth in zip(joined.items(), ahead.with_more(dice, beside, joined.values(), skulls), strict=True):
        # two of three are half the way to a bonus
        near = sum(1 for other in {*dice, *beside} if other[0] == one[0] and other[1] != one[1])
        worths[key] = worth + 0.2 * near * (decision.source != "")
    return max(decision.keys, key=lambda key: worths[key])


def _result_of(key: str) -> Result:
    """The result that a key such as `add:star:red` adds."""
    _, face, colour = key.split(":")
    return FACES.index(face), COLOURS.index(colour)


# ---------------------------------------------------------------------- helping each other


def gift_for(look: Look, other: int) -> str:
    """`give:...` for what this Unit can spare and that one needs, or ""."""
    me, them = look.me, look.units[other]
    more = me["soldiers"] - them["soldiers"]
    if more >= GIFT:
        return f"give:soldiers={more // 2}"
    if look.stays_of(them) > 1 or not me["courage"] or them["courage"] >= dearest(look.key):
        return ""
    spare = me["courage"] - look.plan.first - (look.plan.rolls > 1)
    short = look.plan_of(them).first - them["courage"] if spare > 0 else 0
    return f"give:courage={short}" if 0 < short <= spare else ""


def trade_now(decision: Decision, look: Look, rng: Random) -> str:
    for key in decision.keys:
        if key.startswith("trade:") and gift_for(look, int(key[7:]) - 1) and rng.random() < ASK:
            return key
    return ""


def offer(decision: Decision, look: Look, rng: Random) -> str:
    """One gift, to the Unit that the open offer is for."""
    if "propose" in decision.keys:
        return "propose"
    for other in look.others():
        gift = gift_for(look, other) if offered_to(decision, look.units[other]) else ""
        if gift in decision.keys:
            return gift
    return "withdraw"


def offered_to(decision: Decision, them: Unit) -> bool:
    """Is the open offer for this Unit? What can be taken shows it."""
    last = 0 if them["specialists"] else 1
    has = (max(0, them["soldiers"] - last), them["stars"], them["courage"], them["points"])
    return _to_be_taken(decision.keys) == has


@lru_cache(maxsize=1024)
def _to_be_taken(keys: tuple[str, ...]) -> tuple[int, ...]:
    """The most of Soldiers, Stars, Courage and Item Points that these answers take."""
    takes = dict.fromkeys(("soldiers", "stars", "courage", "points"), 0)
    for key in keys:
        name, found, amount = key[5:].partition("=")
        if key.startswith("take:") and found:
            takes[name] = max(takes[name], int(amount))
    return tuple(takes.values())


def accept(decision: Decision, look: Look, rng: Random) -> str:
    """Comrades mean well, and what they ask for is needed."""
    return "accept" if "accept" in decision.keys else decision.keys[0]


def pick_unit(decision: Decision, look: Look, rng: Random) -> str:
    key = f"unit:U{weakest(look) + 1}"
    return key if key in decision.keys else decision.keys[0]


def copy_from(decision: Decision, look: Look, rng: Random) -> str:
    return max(decision.keys, key=lambda key: value(look.tastes, look.dice(look.units[int(key[6:]) - 1])))


# ---------------------------------------------------------------------- acquire


def acquire(decision: Decision, look: Look, rng: Random) -> str:
    used = use_now(decision, look, rng) or trade_now(decision, look, rng)
    if used:
        return used
    best, top = "done", 0.0
    known = _nets(look.scene)
    for key in decision.keys:
        found = known[key]
        if found is None:
            found = _net(key, look)
        if found > top:
            best, top = key, found
    return best


class _Nets(dict[str, float | None]):
    """What each purchase brings beyond its price in a scene; None where that depends on more than the scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    def __missing__(self, key: str) -> float | None:
        verb, _, card = key.partition(":")
        found: float | None = 0.0
        if key == "award" or card in openers(self.scene.key):
            found = None
        elif verb in ("rally", "find"):
            found = card_worths(self.scene)[card] - _price(verb, card, self.scene)
        self[key] = found
        return found


_nets = lru_cache(maxsize=1024)(_Nets)


def _price(verb: str, card: str, scene: Scene) -> float:
    """Of a purchase: little, when little is left to spend it on."""
    cost, late = int(world_of(scene.key).cards[card].cost), min(1.0, scene.rolls / 3)
    return 0.8 * cost * rates_of(scene)["stars"] * late if verb == "rally" else cost * POINT * late


def _net(key: str, look: Look) -> float:
    """What it brings beyond its price."""
    verb, _, card = key.partition(":")
    if verb in ("rally", "find"):
        return look.card_worth(card) - _price(verb, card, look.scene)
    if key == "award":
        spare = look.me["courage"] - look.plan.courage
        if look.scene.rolls > 4:
            spare = look.me["courage"] - look.plan.first - 2
        return AWARD if spare >= 6 else 0.0
    return 0.0


def rally_free(decision: Decision, look: Look, rng: Random) -> str:
    return max(decision.keys, key=lambda key: look.card_worth(key[6:]) if ":" in key else -1.0)


def find_extra(decision: Decision, look: Look, rng: Random) -> str:
    card = look.world.cards.get(decision.source)
    free = card and any(op.tag == "find" and op.free for ability in card.abilities for op in ability.ops)

    def net(key: str) -> float:
        if not key.startswith("find:"):
            return 0.0
        return look.card_worth(key[5:]) if free else _net(key, look)

    return max(decision.keys, key=net)


def by_card_worth(decision: Decision, look: Look, rng: Random) -> str:
    """The best of the cards that are named."""
    return max(decision.keys, key=lambda key: _named_worth(key, look))


def least_card(decision: Decision, look: Look, rng: Random) -> str:
    """Give up what is worth least."""
    return min(decision.keys, key=lambda key: _named_worth(key, look))


def _named_worth(key: str, look: Look) -> float:
    names = key.partition(":")[2].split(",")
    return sum(look.card_worth(name) for name in names if name in look.world.cards)


def price(decision: Decision, look: Look, rng: Random) -> str:
    """Soldiers or a Specialist, for what they bring."""
    card = look.world.cards.get(decision.source)
    brings = max((op.brings for a in (card.abilities if card else ()) for op in a.ops if op.tag == "lose"), default=0)

    def net(key: str) -> float:
        if key.startswith("lose:"):
            return float(brings * look.world.cards[key[5:]].cost - look.card_worth(key[5:]))
        given = int(key.partition("=")[2])
        other = look.units[weakest(look)]
        return float(min(look.me["soldiers"] - given, other["soldiers"] + brings * given))

    return max(decision.keys, key=net)


# ---------------------------------------------------------------------- move and combat


def move(decision: Decision, look: Look, rng: Random) -> str:
    used = use_now(decision, look, rng) or trade_now(decision, look, rng)
    return used or best_move(decision, look)


def casualties(decision: Decision, look: Look, rng: Random) -> str:
    """Soldiers fall first; the Specialist who is worth least falls where they do not suffice."""
    if "fall:none" in decision.keys:
        return "fall:none"
    return least_card(decision, look, rng)


def window(decision: Decision, look: Look, rng: Random) -> str:
    return use_now(decision, look, rng) or trade_now(decision, look, rng) or "done"


def pay_to_save(decision: Decision, look: Look, rng: Random) -> str:
    """Spend what is not needed any more; everything, where it is the last fight or the Unit could be lost."""
    last = look.world.sectors[look.me["sector"]].bunker or look.strength(look.me) <= 6
    stars = look.me["stars"] if last or look.scene.rolls < 4 else max(0, look.me["stars"] - 4)
    courage = look.me["courage"] if last else max(0, look.me["courage"] - look.plan.courage)

    def saved(key: str) -> int:
        paid = {name: int(n) for name, _, n in (part.partition("=") for part in key[4:].split(",")) if n}
        fine = paid.get("stars", 0) <= stars and paid.get("courage", 0) <= courage
        return sum(paid.values()) if fine else -1

    return max(decision.keys, key=saved)


def most(decision: Decision, look: Look, rng: Random) -> str:
    return decision.keys[-1]


def choose(decision: Decision, look: Look, rng: Random) -> str:
    """The better branch of a card or of a bonus of the own list."""
    names = {key[7:] for key in decision.keys}
    card = look.world.cards.get(decision.source)
    lists = [ability.ops for ability in card.abilities] if card else []
    lists += [bonus.ops for bonus in look.world.nations[look.me["nation"]].rwb.values()]
    for ops in lists:
        for op in ops:
            if op.tag == "choose" and names <= {branch.name for branch in op.of}:
                worths = {f"choose:{branch.name}": _branch_worth(branch, look) for branch in op.of}
                return max(decision.keys, key=lambda key: worths[key])
    return idle(decision, look, rng)


def _branch_worth(branch: Any, look: Look) -> float:
    total = 0.0
    for op in branch.ops:
        if op.tag == "free-move":
            total += _free_move_worth(look)
        elif op.tag == "add-result":
            total += _best_result(op, look)
        elif op.tag == "find":
            total += 2.5 if look.me["points"] >= 10 else 0.5
        elif op.tag == "gain" and op.courage and op.to == "self":
            total += look.tastes.scale[COURAGE_FACE][op.courage]
        else:
            total += ops_worth((op,), look.scene)
    return total


def _best_result(op: Any, look: Look) -> float:
    """What the best result of this colour would add to the tally now."""
    dice, beside = look.dice(look.me), look.beside(look.me)
    colours = (COLOURS.index(op.colour),) if op.colour in COLOURS else range(3)
    more = [(face, colour) for face in range(6) for colour in colours]
    return max(look.outlook.with_more(dice, beside, more, False)) - value(look.tastes, dice, beside, skulls=False)


def _free_move_worth(look: Look) -> float:
    """A free move has to be made: it is worth its price where the Unit would leave anyhow."""
    ahead = look.plan
    if cry_ahead(look.key, look.me["sector"]) or ahead.lacks or look.has_waited(look.me):
        return CRY
    if look.stays_of(look.me) and ahead.next == look.me["sector"]:
        return -5.0
    cost = max((way.courage for way in look.world.ways[look.me["sector"]] if way.forward), default=0)
    return cost * (LAST_CHANCE if look.me["courage"] < cost else COURAGE) + 1.0


def pick_rwb(decision: Decision, look: Look, rng: Random) -> str:
    return max(decision.keys, key=lambda key: rwb_worth(key[5:], look.scene))


def pick_sector(decision: Decision, look: Look, rng: Random) -> str:
    """Where most comrades stand under fire."""

    def help_there(key: str) -> float:
        sector = key[7:]
        there = sum(1 for unit in look.units if unit["sector"] == sector and unit["status"] == 0)
        return there + 0.1 * int(look.world.sectors[sector].mgf)

    return max(decision.keys, key=help_there)


def start(decision: Decision, look: Look, rng: Random) -> str:
    """The Sector with the best way ahead."""

    def ahead(key: str) -> float:
        sector = key[6:]
        printed = look.world.sectors[sector].start
        return plan(look.key, sector, 2, 0, frozenset((sector,)), look.who(look.me)).value + float(printed.soldiers)

    return max(decision.keys, key=ahead)


def set_pips(decision: Decision, look: Look, rng: Random) -> str:
    """Fire and mines as low as can be."""
    return next((key for key in decision.keys if key.endswith("=1")), decision.keys[0])


def idle(decision: Decision, look: Look, rng: Random) -> str:
    """A question without a rule: nothing, where that is an answer, else any."""
    for key in QUIET:
        if key in decision.keys:
            return key
    return random_answer(decision, lambda: look.view, rng)


ANSWERS: dict[str, Callable[[Decision, Look, Random], str]] = {
    "start": start,
    "pool-card": by_card_worth,
    "mulligan": mulligan,
    "lock": lock,
    "reroll": reroll,
    "cancel": cancel,
    "free": free,
    "window": window,
    "award": by_card_worth,
    "acquire": acquire,
    "find-extra": find_extra,
    "rally-free": rally_free,
    "move": move,
    "sacrifice": least_card,
    "substitute": least_card,
    "casualties": casualties,
    "door": least_card,
    "offer": offer,
    "consent": accept,
    "swap-consent": accept,
    "gift": pick_unit,
    "pick-unit": pick_unit,
    "copy-from": copy_from,
    "choose": choose,
    "add": add,
    "pick-die": change_die,
    "set-face": change_die,
    "set-colour": change_die,
    "swap-give": change_die,
    "swap-take": change_die,
    "set-pips": set_pips,
    "pick-sector": pick_sector,
    "pick-rwb": pick_rwb,
    "price": price,
    "pay-to-reduce": most,
    "pay-to-save": pay_to_save,
}
"""Question -> how it is answered. All others are answered by `idle`."""


def thumb_answer(decision: Decision, view: View, rng: Random) -> str:
    """An answer by rule of thumb; in a game that the bot does not know, any."""
    if len(decision.keys) == 1:
        return decision.keys[0]
    seen = view()
    if seen.get("game") in SMALL:
        return small_answer(decision, seen)
    if seen.get("game") != "landing":
        return random_answer(decision, view, rng)
    look = Look(seen, decision.seat)
    if look.world is None:
        return random_answer(decision, view, rng)
    look.remember(None)
    return ANSWERS.get(decision.name, idle)(decision, look, rng)
