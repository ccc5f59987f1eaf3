"""When to use a card, by what it does, and what cards can make of dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from ..core.node import Decision
from .judgement import WorldKey, ops_worth, plan, world_of
from .look import ARROW, Look, best_move, weakest
from .tally import COLOURS, DICE, FACES, SKULL, TOOL, Result, many_of, value

ASK = 0.5
"""How likely the bot is to speak up for an exchange that it wants; so it never asks for ever."""
GIFT = 6
"""Share Soldiers with a Unit that has at least so many fewer."""
BIG_DEF = 8
"""A DEF worth lowering with a card that could wait."""
BAD_TALLY, GOOD_TALLY = 8.0, 15.0
"""Of dice that should be rolled anew with an Award, and of dice worth having twice."""

# ---------------------------------------------------------------------- cards that change dice

Change = tuple[float, str, str]
"""What it brings, and the answers that lead there; the second may be needless."""


DIE, GIVE = tuple(f"die:{die}" for die in DICE), tuple(f"give:{die}" for die in DICE)
FACE, COLOUR = tuple(f"face:{face}" for face in FACES), tuple(f"colour:{colour}" for colour in COLOURS)
"""Answers by their number."""


class Judged(NamedTuple):
    """What changes of dice bring."""

    with_die: Callable[[int, Result], float]
    """To turn the die at this place into this result."""
    with_dice: Callable[[list[Result]], float]
    """To have these dice instead of those that lie."""
    hopeful: Callable[[int, Sequence[Result], float], Sequence[Result]]
    """Those of these results that could bring more than so much at this place, and perhaps others."""


def by_taste(look: Look) -> Judged:
    """As thumb judges."""
    table = look.on_table

    def with_dice(changed: list[Result]) -> float:
        return value(table.outlook.tastes, changed, table.beside, table.skulls) - table.now

    return Judged(table.with_die, with_dice, table.hopeful)


def better_by(op: Any, look: Look, judged: Judged, best: Change) -> Change:
    """The best that this effect could make of the dice, if that is better; the first of those that are alike."""
    me, table = look.me, look.on_table
    dice = table.dice
    with_die, with_dice, hopeful = judged
    if op.tag == "reroll" and op.times == 1:
        for n in table.places:
            if op.locked or not me["locked"] >> n & 1:
                own = dice[n][1]
                brings = sum([with_die(n, (face, own)) for face in range(6)]) / 6
                if brings > best[0]:
                    best = brings, DIE[n], ""
    elif op.tag == "set-colour":
        for n in table.unlike:
            face, own = dice[n]
            if many_of(table.codes[face]) > 2:
                for result in hopeful(n, [(face, colour) for colour in range(3) if colour != own], best[0]):
                    if (brings := with_die(n, result)) > best[0]:
                        best = brings, DIE[n], COLOUR[result[1]]
    elif op.tag == "set-result" and op.dice == "own-skulls":
        for face in range(1, 6):
            changed = [(face if one[0] == SKULL else one[0], one[1]) for one in dice if one[0] >= 0]
            if (brings := with_dice(changed)) > best[0]:
                best = brings, FACE[face], ""
    elif op.tag == "set-result":
        for n in table.unlike:
            shown, own = dice[n]
            if op.dice == "any" or own == 2:
                for result in hopeful(n, [(face, own) for face in range(6) if face != shown], best[0]):
                    if (brings := with_die(n, result)) > best[0]:
                        best = brings, f"die:U{look.seat + 1}.{DICE[n]}", FACE[result[0]]
    elif op.tag == "swap-with-pool":
        spare: list[Result] = [(face, colour) for face, colour in me["spare"]]
        takes = list(dict.fromkeys(spare))
        for n in table.unlike:
            for result in hopeful(n, takes, best[0]):
                if (brings := with_die(n, result)) > best[0]:
                    best = brings, GIVE[n], f"take:{spare.index(result) + 1}"
    elif op.tag == "swap-dice":
        for other in _swapping(look):
            best = _better_swap(op, look, judged, other, best)
    return best


def _swapping(look: Look) -> list[int]:
    return [other for other in look.others() if "swap" not in look.units[other]["done"]]


def _better_swap(op: Any, look: Look, judged: Judged, other: int, best: Change) -> Change:
    """An exchange of a die with this Unit by which both together win more."""
    mine, table = look.on_table.dice, look.table_of(other)
    gains: dict[tuple[int, Result], float] = {}
    for n, taken in enumerate(table.dice):
        if taken[0] < 0 or (taken[0] == SKULL and not op.skulls):
            continue
        for k, given in enumerate(mine):
            if given[0] < 0 or (given[0] == SKULL and not op.skulls) or given == taken:
                continue
            at = (n, given)
            if at not in gains:
                gains[at] = table.turned(n, given)
            for result in judged.hopeful(k, (taken,), best[0] - gains[at]):
                brings = judged.with_die(k, result) + gains[at]
                if brings > best[0]:
                    best = brings, GIVE[k], f"take:U{other + 1}.{DICE[n]}"
    return best


def best_change(card: str, look: Look, floor: float = 0.0) -> Change:
    """The best that this card can do to the dice now, if that brings more than the floor. It is asked again on the way
    there, and so kept with them.
    """
    table, me = look.on_table, look.me
    key: tuple[Any, ...] = (look.key, card, look.seat, me["locked"], *map(tuple, me["spare"]))
    if _looks_at_others(look.key, look.mode, card):
        for other in _swapping(look):
            theirs = look.table_of(other)
            key += (other, theirs.outlook, *theirs.dice, *theirs.beside)
    above: float
    found: Change | None
    above, found = table.known.get(key, (0.0, None))
    if found is None or floor < above >= found[0]:
        found = find_change(card, look, by_taste(look), floor)
        table.known[key] = floor, found
    return found


@lru_cache(maxsize=4096)
def _looks_at_others(key: WorldKey, mode: str, card: str) -> bool:
    """Does this card exchange dice?"""
    return any(op.tag == "swap-dice" for op in _effects(key, mode, card))


@lru_cache(maxsize=4096)
def _effects(key: WorldKey, mode: str, card: str) -> tuple[Any, ...]:
    """What this card does when it is used."""
    abilities = world_of(key).cards[card].abilities
    return tuple(op for one in abilities if one.kind == "activated" and one.mode in ("", mode) for op in one.ops)


def find_change(card: str, look: Look, judged: Judged, floor: float = 0.0) -> Change:
    best: Change = (floor, "", "")
    for op in _effects(look.key, look.mode, card):
        best = better_by(op, look, judged, best)
    return best


# ---------------------------------------------------------------------- using cards


class Use(NamedTuple):
    """A card that could be used at this question, for one of its effects. `spent`: it would be gone then."""

    op: Any
    card: str
    spent: bool
    at: Decision


Rule = Callable[[Use, Look], bool]
Uses = tuple[tuple[Any, str, bool, Rule], ...]
"""Effects for which a card may be used: the effect, the card, is it gone then, and when is it right?"""


def use_now(decision: Decision, look: Look, rng: Random) -> str:
    """`use:CARD` for the first card that should be used at this moment, or ""."""
    known = _uses(look.key, look.mode, look.phase, decision.name)
    for key in [key for key in decision.keys if key[:4] == "use:"]:
        if known[key] and _worth_using(known[key], decision, look, rng):
            return key
    return ""


def _worth_using(uses: Uses, decision: Decision, look: Look, rng: Random) -> bool:
    for op, card, spent, rule in uses:
        if spent and look.opens(card) > 0 and not look.danger_here:  # a door on the way takes its explosives
            continue
        asks = op.tag == "swap-dice" and rng.random() > ASK
        if not asks and rule(Use(op, card, spent, decision), look):
            return True
    return False


class _Uses(dict[str, Uses]):
    """By the answer that uses a card: what may be right at such a question."""

    def __init__(self, key: WorldKey, mode: str, phase: str, question: str) -> None:
        self.key, self.mode, self.phase, self.question = key, mode, phase, question

    def __missing__(self, use: str) -> Uses:
        card = use[4:]
        found = self[use] = tuple(
            (op, card, ability.sacrifice or ability.limit == "single-use", rule)
            for ability in world_of(self.key).cards[card].abilities
            if ability.kind == "activated" and ability.mode in ("", self.mode)
            for op in ability.ops
            if (rule := _rule_for(op)) and MOMENTS.get(rule, _any_time)(self.phase, self.question)
        )
        return found


_uses = lru_cache(maxsize=1024)(_Uses)


def _rule_for(op: Any) -> Rule | None:
    if op.tag != "modify":
        return USES.get(op.tag)
    return _lower_def_ahead if op.question == "defence" and op.scope == "fight-sector" else MODIFIES.get(op.question)


def _any_time(phase: str, question: str) -> bool:
    return True


def _final_dice(phase: str, question: str) -> bool:
    return phase == "roll" and question == "window"


def _before_combat(phase: str, question: str) -> bool:
    """The Unit has moved or stayed: the next combat is where it stands."""
    return phase == "combat" or (phase == "move" and question == "window")


def _at_a_move(phase: str, question: str) -> bool:
    return question == "move"


def _before_a_move(phase: str, question: str) -> bool:
    return question in ("move", "acquire")


def _at_once(use: Use, look: Look) -> bool:
    """What only brings something does not get better by waiting."""
    return True


def _for_dice(use: Use, look: Look) -> bool:
    """A change of the dice: any that helps, where it comes back next turn; a good one, where the card is used up."""
    if use.op.tag == "reroll" and use.op.times > 1:
        return look.on_table.now < BAD_TALLY
    enough = 0.3
    if use.spent:
        enough = (0.5 if look.scene.rolls < 3 else 1.0) * ops_worth((use.op,), look.scene)
    return best_change(use.card, look, enough)[0] > enough


def _for_a_swap(use: Use, look: Look) -> bool:
    """Where others have to agree, whether to ask is left to chance before this is asked: so it is asked at any time."""
    return _final_dice(look.phase, use.at.name) and _for_dice(use, look)


def _for_a_copy(use: Use, look: Look) -> bool:
    best = max((value(look.tastes, look.dice(look.units[seat])) for seat in look.others()), default=0.0)
    return best > look.on_table.now + 5.0


def _for_a_repeat(use: Use, look: Look) -> bool:
    return look.scene.rolls > 0 and value(look.tastes, look.dice(look.me)) > GOOD_TALLY


def _for_results(use: Use, look: Look) -> bool:
    """Results that join the tally: Tools to many Tools, Skulls to complete a Gift, others to complete any bonus."""
    op = use.op
    unit = look.units[weakest(look)] if op.to == "another" else look.me
    ahead, dice, beside = look.outlook_of(unit), look.dice(unit), look.beside(unit)
    faces = range(6) if op.face == "choice" else (FACES.index(op.face),)
    colours = range(3) if op.colour in ("choice", "rwb") else (COLOURS.index(op.colour),)
    now = value(ahead.tastes, dice, beside)
    more = [(face, colour) for face in faces for colour in colours]
    best = max(ahead.with_more(dice, beside, more, True)) - now
    if op.face == "tool":
        return sum(1 for face, _ in dice if face == TOOL) >= 2 or look.scene.rolls < 2
    if op.face == "skull":
        climb = look.here.climb
        if climb is not None:
            lacking: int = climb.skulls - look.skulls(look.me)
            return 0 < lacking <= look.ropes(look.me)
        return best > 3.0 and not look.scene.climbs
    return best > 4.0 or look.scene.rolls < 3


def _for_an_rwb(use: Use, look: Look) -> bool:
    """A Leadership is best while its result can still join the tally."""
    return use.op.face != "star" or look.phase == "roll"


def _for_a_find(use: Use, look: Look) -> bool:
    return use.op.what != "vehicle" or look.scene.rolls > 1


def _for_a_rally(use: Use, look: Look) -> bool:
    """Not for the cheap ones, while there is time to wait for others."""
    cards = [look.world.cards[card] for card in (*look.me["hand"], *look.view["pool"])]
    return look.scene.rolls < 4 or any(card.is_specialist and card.cost >= 3 for card in cards)


def _for_a_price(use: Use, look: Look) -> bool:
    """Soldiers for a Specialist who has done his work; Soldiers for a comrade who has far fewer."""
    op, me = use.op, look.me
    if op.specialist:
        if look.scene.rolls > 3 and not look.danger_here:
            return False
        gains = [op.brings * look.world.cards[card].cost - look.card_worth(card) for card in me["specialists"]]
        return max(gains, default=0.0) > 4.0
    other = look.units[weakest(look)]["soldiers"]
    return bool(op.brings and (me["soldiers"] > other + GIFT or other < GIFT < me["soldiers"]))


def _lower_def(use: Use, look: Look) -> bool:
    """In the Bunker, or to live on; what does not work in a Bunker, against a high DEF."""
    here = look.defence_here
    if not here:
        return False
    bunker = look.world.sectors[look.me["sector"]].bunker
    return bool(bunker) or look.danger_here > 0 or (use.op.where == "not-bunker" and here >= BIG_DEF)


def _lower_def_ahead(use: Use, look: Look) -> bool:
    """It follows the Unit to where it fights: against a high DEF, or where the Unit could be lost."""
    target = look.plan.next
    if target in ("", look.me["sector"]):
        return look.danger_here > 0 and use.at.name in ("move", "window")
    if look.me["courage"] < look.plan.first or (use.at.name == "move" and f"move:{target}" not in use.at.keys):
        return False
    return look.danger(target, 0) > 0 or look.defence(target, 0) >= BIG_DEF


def _no_fire(use: Use, look: Look) -> bool:
    """Against pips that lie there, or near the end of the way, or to live on."""
    if not look.world.sectors[look.me["sector"]].mgf:
        return False
    pips = look.view["fire"].get(look.me["sector"])
    if pips and look.phase == "combat":
        return bool(sum(pips) >= 4)
    return look.danger_here > 0 or look.scene.fights <= 4 or use.op.until == "game"


def _no_mines(use: Use, look: Look) -> bool:
    target = best_move(use.at, look)
    return any(way.key == target and way.mined for way in look.world.ways[look.me["sector"]])


def _cheap_advance(use: Use, look: Look) -> bool:
    """Where the way that the Unit wants to go is dear, or too dear."""
    for way in look.world.ways[look.me["sector"]]:
        if way.to == look.plan.next:
            return bool(way.forward and (way.courage > look.me["courage"] or way.courage >= 3))
    return "lost" in use.at.keys


def _stay_on(use: Use, look: Look) -> bool:
    """Where the Unit would have to leave, and another turn brings more than it takes."""
    if look.me["marker"] != ARROW or look.danger_here > 0:
        return False
    sector = look.me["sector"]
    longer = plan(look.key, sector, 1, look.me["combats"], look.row_of(look.me), look.who(look.me))
    return "lost" in use.at.keys or (longer.next == sector and longer.value > look.plan.value + 1.0)


def _no_barrier(use: Use, look: Look) -> bool:
    return not any(key.startswith("move:") for key in use.at.keys)


MODIFIES: dict[str, Rule] = {
    "defence": _lower_def,
    "mgf_dice": _no_fire,
    "mgf_hits": _no_fire,
    "mines_hurt": _no_mines,
    "advance_cost": _cheap_advance,
    "must_move": _stay_on,
    "barrier_stops": _no_barrier,
}
"""When to change the answer to a question."""


def _with_a_bomb(use: Use, look: Look) -> bool:
    """Against a DEF that is not wasted on it."""
    return look.defence_here >= BIG_DEF or (look.danger_here > 0 < look.defence_here)


def _with_guns(use: Use, look: Look) -> bool:
    return look.defence_here >= 2


USES: dict[str, Rule] = {
    "gain": _at_once,
    "choose": _at_once,
    "draw-award": _at_once,
    "grant-rwb": _for_an_rwb,
    "find": _for_a_find,
    "rally": _for_a_rally,
    "reroll": _for_dice,
    "set-result": _for_dice,
    "set-colour": _for_dice,
    "swap-with-pool": _for_dice,
    "swap-dice": _for_a_swap,
    "copy-tally": _for_a_copy,
    "repeat-tally": _for_a_repeat,
    "add-result": _for_results,
    "lose": _for_a_price,
    "reduce-by-roll": _with_a_bomb,
    "pay-to-reduce": _with_guns,
}
"""When to use a card, by what it does; for `modify` see MODIFIES. Other effects are not used."""

MOMENTS: dict[Rule, Callable[[str, str], bool]] = {
    _for_dice: _final_dice,
    _lower_def: _before_combat,
    _no_fire: _before_combat,
    _with_a_bomb: _before_combat,
    _no_mines: _at_a_move,
    _cheap_advance: _at_a_move,
    _no_barrier: _at_a_move,
    _stay_on: _before_a_move,
}
"""When a rule can hold at all, by the phase and the question; the others at any time."""
