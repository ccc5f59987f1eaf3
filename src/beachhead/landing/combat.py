"""Combat: casualties in every Sector where Units stand; the Bunker, victory and defeat (first edition Phase 5,
second Phase 6).
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import chain, combinations
from operator import add, itemgetter
from typing import Any

from ..content.schema import Modify
from ..core.errors import Reason
from ..core.machine import Frame
from ..core.node import Outcome, Over, Roll
from ..core.operations import Op
from ..say import say
from . import changes, fire, questions
from .cards import COMMITS, NOBODY, has_stop, may_use, open_windows, operate, trade_keys, usable
from .move import payers, throw
from .state import LOST, Landing, Unit
from .world import Way


def phase_combat(g: Landing) -> None:
    g.push(-1, ("combat-next",))


def _fighters(g: Landing, sector: str) -> list[int]:
    return [seat for seat, unit in enumerate(g.units) if unit.sector == sector and _fights(g, seat)]


def _present(g: Landing, sector: str) -> list[int]:
    """All Units of a Sector where one fights; cards of those who do not fight may help those who do."""
    return [seat for seat, unit in enumerate(g.units) if unit.sector == sector and not unit.status]


def _fights(g: Landing, seat: int) -> bool:
    """Is this Unit to fight this turn?"""
    unit = g.units[seat]
    return not unit.status and "fought" not in unit.done and questions.fights(g, seat)


def combat_next(g: Landing, lane: int, frame: Frame) -> None:
    """The next Sector with a Unit that has not fought this turn."""
    for seat, unit in enumerate(g.units):
        if _fights(g, seat):
            sector = unit.sector
            g.push(-1, ("combat-next",))
            g.push(-1, ("combat-fight", sector))
            g.push(-1, ("combat-open", sector))
            g.push(-1, ("combat-fire", sector))
            open_windows(g, "combat.start", _present(g, sector))
            return
    g.push(-1, ("combat-end",))


def combat_fire(g: Landing, lane: int, frame: Frame) -> None:
    sector = frame[1]
    if sector in g.fire or not g.at(sector).mgf:
        return
    seats = _fighters(g, sector)
    if seats:
        dice = questions.ask(g, "mgf_dice", g.at(sector).mgf, seats[0], sector)
        if dice:
            g.push(-1, ("mgf", sector, dice))


def mgf_request(g: Landing, lane: int, frame: Frame) -> Roll:
    stream = f"mgf:{frame[1]}"
    return Roll(stream, g.drawn.get(stream, 0), (frame[2],), g.world.cite["mgf"], low=1)


def mgf_outcome(g: Landing, lane: int, frame: Frame, outcome: Outcome) -> None:
    throw(g, -1, -1, f"mgf:{frame[1]}", outcome, g.world.cite["mgf"])


def combat_open(g: Landing, lane: int, frame: Frame) -> None:
    sector = frame[1]
    _last_moment(g, "combat.open", sector, g.fire.get(sector, ()))


def before_combat(g: Landing, lane: int, frame: Frame) -> None:
    """All have moved or stayed: a last moment before Combat, also to trade where that is over once it begins."""
    for sector in {unit.sector: None for seat, unit in enumerate(g.units) if _fights(g, seat)}:
        if g.world.switches.trade_in_combat:
            open_windows(g, "move.after", _present(g, sector))
        else:
            _last_moment(g, "move.after", sector, (6,) * g.at(sector).mgf)


def _last_moment(g: Landing, window: str, sector: str, pips: Outcome) -> None:
    """Pause for cards made for this moment and, where a Unit is in danger, for any card or trade that may help it;
    also for the last trade before Units are safe, where their points count. `pips`: the dice of the fire, or the worst
    that they may show.
    """
    danger = [seat for seat in _fighters(g, sector) if in_danger(g, seat, sector, pips)]
    present = _present(g, sector)
    pressing = danger or _points_matter(g, sector)
    for seat, unit in enumerate(g.units):
        if unit.status or ("window", window, NOBODY) in g.lanes[seat]:
            continue
        if seat in present:
            helped = bool((pressing and trade_keys(g, seat, window)) or (seat in danger and may_use(g, seat, window)))
        else:
            helped = bool(danger and (unit.items or unit.awards or g.effects) and _reaches(g, seat, danger, window))
        if helped or (seat in present and has_stop(g, seat, window)):
            g.push(seat, ("window", window, NOBODY))


def _points_matter(g: Landing, sector: str) -> bool:
    """Is this a Bunker from which Units take along what counts for Victory Points (F-OPT-VP-03)?"""
    printed = g.world.sectors[sector]
    return printed.bunker and not printed.passage and "victory-points" in g.world.options


def _reaches(g: Landing, seat: int, danger: list[int], window: str) -> bool:
    """Can a Unit elsewhere send something to one in danger, or has it a card that acts there or would let it?"""
    if trade_keys(g, seat, window) and any(questions.may_trade(g, seat, other) for other in danger):
        return True
    if not g.units[seat].items and not g.units[seat].awards:
        return False
    return any(
        _acts_afar(op)
        for card in usable(g, seat, window)
        for ability in g.world.cards[card].abilities
        if ability.kind == "activated"
        for op in ability.ops
    )


AFAR = frozenset(("another", "each-other", "each", "adjacent-sector"))
"""Whom or what a card reaches that may be in another Sector."""


def _acts_afar(op: object) -> bool:
    if isinstance(op, Modify):
        return op.question == "may_trade_with" or op.scope in AFAR
    return getattr(op, "to", "") in AFAR


def in_danger(g: Landing, seat: int, sector: str, pips: Outcome) -> bool:
    """Would this Unit lose all its Soldiers, or has it a card that turns other resources into saved ones?

    Only then it matters whether help comes before or after the casualties.
    """
    unit = g.units[seat]
    shells = 6 * questions.shells(g, seat, sector)
    if questions.defence(g, seat, sector) + fire.soldiers(g, seat, pips) + shells >= unit.soldiers:
        return True
    return not g.world.actions.get("losses", {}).keys().isdisjoint(unit.specialists)


def combat_fight(g: Landing, lane: int, frame: Frame) -> None:
    """Every Unit in the Sector takes its casualties; Special Damage comes first."""
    sector = frame[1]
    printed = g.at(sector)
    pips = g.fire.get(sector, ())
    sixes = pips.count(6) if printed.special_damage else 0
    for seat in _fighters(g, sector):
        unit = g.units[seat]
        loss = questions.defence(g, seat, sector)
        hit = bool(pips) and bool(questions.ask(g, "mgf_hits", 1, seat, sector))
        symbols = hit and "mgf-dice" in g.world.options
        if hit and not symbols:
            loss += sum(pips)
        unit.done = (*unit.done, "fought")
        unit.combats += 1
        if dice := questions.shells(g, seat, sector):
            g.push(seat, ("shelling", dice))
        g.push(seat, ("toll", loss, sector, pips) if symbols else ("fight", loss, sector))
        if sixes and questions.ask(g, "special_damage_hits", 1, seat, sector):
            g.push(seat, ("special-damage", sector, sixes))


def shelling_request(g: Landing, seat: int, frame: Frame) -> Roll:
    stream = f"shelling:{seat}"
    return Roll(stream, g.drawn.get(stream, 0), (frame[1],), g.world.cite["shelling"], low=1)


def shelling_outcome(g: Landing, seat: int, frame: Frame, outcome: Outcome) -> None:
    throw(g, seat, seat, "shelling", outcome, g.world.cite["shelling"])


def toll(g: Landing, seat: int, frame: Frame) -> None:
    """MGF dice take what their faces stand for; Soldiers among it fall in Combat."""
    _, loss, sector, pips = frame
    soldiers, paid = fire.toll(g.units[seat], pips)
    changes.gain(g, seat, {name: -n for name, n in paid.items()}, fire.RULE)
    g.push(seat, ("fight", loss + soldiers, sector))


def fight(g: Landing, seat: int, frame: Frame) -> None:
    g.tell("combat", seat, {"sector": frame[2], "casualties": frame[1]}, g.world.cite["combat"])
    operate(g, seat, "losses", seat, (frame[1], "combat"), g.world.cite["combat"])


def special_damage(g: Landing, seat: int, frame: Frame) -> None:
    """Once for each six; what a Unit does not have it cannot lose."""
    _, sector, times = frame
    damage = g.world.sectors[sector].special_damage
    assert damage is not None
    if times > 1:
        g.push(seat, ("special-damage", sector, times - 1))
    rule = g.world.cite["special-damage"]
    g.tell("special-damage", seat, {"sector": sector}, rule)
    if damage.courage:
        changes.gain(g, seat, {"courage": -damage.courage}, rule)
    for _ in range(min(damage.specialists, len(g.units[seat].specialists))):
        g.push(seat, ("give-up", "any", rule))


# ---------------------------------------------------------------------- casualties


def commit_losses(g: Landing, lane: int, op: Op) -> None:
    """Take the casualties; with Specialists in the Unit its owner says who falls."""
    seat, (loss, _) = op[1], op[2]
    unit = g.units[seat]
    if loss <= 0:
        return
    if not unit.specialists:
        _fall(g, seat, (), loss)
    elif loss >= questions.strength(g, seat):
        _fall(g, seat, unit.specialists, loss)
    else:
        choices = _shares(g, seat, loss)
        if len(choices) == 1:
            _fall(g, seat, _named(choices[0]), loss)
        else:
            g.push(seat, ("casualties", loss))


COMMITS["losses"] = commit_losses


def _shares(g: Landing, seat: int, loss: int) -> tuple[str, ...]:
    """The sets of Specialists that may fall, as keys: together with Soldiers they cover the loss, and nobody falls for
    nothing.
    """
    unit = g.units[seat]
    if questions.in_play(g, "body_count"):
        bodies = tuple([questions.body(g, seat, card) for card in unit.specialists])
    else:
        bodies = (1,) * len(unit.specialists)
    needed: tuple[str, ...] | None = None
    for frame in g.lanes[seat]:
        if frame[0] == "give-up":
            needed = payers(g, seat, frame[1])
            break
    many = len(bodies)
    most = min(loss, many if bodies == (1,) * many else many + sum(bodies))  # beyond, all losses are alike
    return _covers(unit.specialists, bodies, most, max(0, loss - unit.soldiers), needed)


@lru_cache(maxsize=128)
def _covers(
    specialists: tuple[str, ...], bodies: tuple[int, ...], most: int, least: int, needed: tuple[str, ...] | None
) -> tuple[str, ...]:
    """The sets of Specialists who stand for at least so much of a loss, and none of whom falls for nothing. One of
    those who are needed must be left, unless nobody else can fall.
    """
    alike = set(bodies) == {1}
    keys = _named_sets(specialists, least if alike else 0, min(len(specialists), most))
    if not alike:
        body = dict(zip(specialists, bodies, strict=True))
        keys = tuple([key for key in keys if _covered([body[card] for card in _named(key)], most, least)])
    if needed is not None:
        keys = tuple([key for key in keys if not set(needed).issubset(_named(key))]) or keys
    return keys


def _named_sets(cards: tuple[str, ...], fewest: int, most: int) -> tuple[str, ...]:
    """The keys of all sets of these sizes, smaller ones first, each set in the order of the cards."""
    return tuple(chain.from_iterable([_named_by_size(cards, size) for size in range(fewest, most + 1)]))


@lru_cache(maxsize=256)
def _named_by_size(cards: tuple[str, ...], size: int) -> tuple[str, ...]:
    """Those of one size. There may be hundreds: a key is made of the one without its last card."""
    if size < 2:
        return tuple(["fall:" + card for card in cards]) if size else ("fall:none",)
    if size == len(cards):
        return ("fall:" + ",".join(cards),)
    shorter, last = _made_of(len(cards), size)
    return tuple(map(add, shorter(_named_by_size(cards, size - 1)), last(["," + card for card in cards])))


@cache
def _made_of(many: int, size: int) -> tuple[itemgetter[Any], itemgetter[Any]]:
    """For each set of this size: picks the one without its last card out of those, and that card out of all."""
    shorter = {places: n for n, places in enumerate(combinations(range(many), size - 1))}
    sets = [*combinations(range(many), size)]
    return itemgetter(*(shorter[places[:-1]] for places in sets)), itemgetter(*(places[-1] for places in sets))


def _covered(stood: list[int], most: int, least: int) -> bool:
    """Do those who stand for so much each cover the loss, and none of them for nothing?"""
    return sum(stood) >= least and (not stood or sum(stood) - min(stood) < most)


def _breaks_entry(g: Landing, seat: int, fallen: tuple[str, ...]) -> bool:
    """Would nobody be left whom the Sector that is being entered asks for? (F-SECT-05: he must be there on arrival.)"""
    for frame in g.lanes[seat]:
        if frame[0] == "give-up":
            return all(card in fallen for card in payers(g, seat, frame[1]))
    return False


def casualty_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return _shares(g, seat, frame[1])


def casualty_refusals(g: Landing, seat: int, frame: Frame) -> dict[str, tuple[Reason, ...]]:
    out: dict[str, tuple[Reason, ...]] = {}
    legal = casualty_keys(g, seat, frame)
    cite = g.world.cite
    if "fall:none" not in legal:
        text = say("refusal.too-many", n=frame[1], held=g.units[seat].soldiers)
        out["fall:none"] = (Reason(text, cite["casualties"]),)
    for card in g.units[seat].specialists:
        key = f"fall:{card}"
        if key not in legal:
            needed = _breaks_entry(g, seat, (card,))
            text = say("refusal.needed" if needed else "refusal.not-covered")
            out[key] = (Reason(text, cite["sacrifice" if needed else "casualties"]),)
    return out


def casualty_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    _fall(g, seat, _named(key), frame[1])


def _named(key: str) -> tuple[str, ...]:
    """Those whom a key lets fall."""
    return () if key == "fall:none" else tuple(key[5:].split(","))


def _fall(g: Landing, seat: int, fallen: tuple[str, ...], loss: int) -> None:
    unit, cite = g.units[seat], g.world.cite
    soldiers = loss - sum(questions.body(g, seat, card) for card in fallen)
    for card in fallen:
        changes.die(g, seat, card, cite["casualties"])
    if soldiers > 0:
        changes.gain(g, seat, {"soldiers": -soldiers}, cite["casualties"])
    if not unit.soldiers and not unit.specialists:
        changes.wiped_out(g, seat, "wiped-out", cite["wiped-out"])


# ---------------------------------------------------------------------- the end


def combat_end(g: Landing, lane: int, frame: Frame) -> None:
    """A Unit that survived a Bunker has conquered it: it is safe, or goes on where there is another one for it."""
    g.push(lane, ("combat-close",))
    conquered = [(seat, unit) for seat, unit in enumerate(g.units) if unit.status == 0 and _conquers(g, seat)]
    for seat, unit in conquered:
        if f"conquered:{unit.sector}" not in g.spent:
            g.spend(f"conquered:{unit.sector}")
            if sum(printed.bunker for printed in g.world.sectors.values()) > 1:
                g.tell("conquered", seat, {"sector": unit.sector}, g.world.cite["safe"])
    g.first = g.first or tuple(seat for seat, _ in conquered)
    for seat, unit in conquered:
        if must_go_on(g):
            g.spend(f"held-{seat + 1}:{unit.sector}")
        elif g.world.sectors[unit.sector].go_on and any(_beyond(g, unit, way) for way in g.world.ways[unit.sector]):
            g.push(seat, ("go-on",))
        else:
            unit.done = (*unit.done, "safe")


def _conquers(g: Landing, seat: int) -> bool:
    printed, done = g.world.sectors[g.units[seat].sector], g.units[seat].done
    if not printed.bunker or printed.passage:
        return False
    return ("fought" in done and "fought-elsewhere" not in done) or questions.holds(g, seat)


def must_go_on(g: Landing) -> bool:
    """Is there a Bunker left that a lone Unit has to conquer as well (F-MAP-N04-04)?"""
    return g.world.solo and bool(standing(g))


def standing(g: Landing) -> list[str]:
    """Bunkers that have to be conquered and are not."""
    if g.world.map.conquer != "each":
        return []
    bunkers = (id for id, printed in g.world.sectors.items() if printed.bunker and not printed.passage)
    return [id for id in bunkers if f"conquered:{id}" not in g.spent]


def _beyond(g: Landing, unit: Unit, way: Way) -> bool:
    return g.world.sectors[way.to].bunker and way.to not in unit.visited


def go_on_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return ("safe", "go-on")


def go_on_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    unit = g.units[seat]
    if key == "safe":
        unit.done = (*unit.done, "safe")
    else:
        g.spend(f"held-{seat + 1}:{unit.sector}")


def combat_close(g: Landing, lane: int, frame: Frame) -> None:
    """Units that are safe leave their Specialists beside the Bunker; with the last of them the game is over."""
    arrived = tuple(seat for seat, unit in enumerate(g.units) if unit.status == 0 and "safe" in unit.done)
    for seat in arrived:
        changes.safe(g, seat)
    for seat in arrived:
        if found := len(g.units[seat].specialists):
            g.beside[g.units[seat].sector] = g.beside.get(g.units[seat].sector, 0) + found
    if all(unit.status for unit in g.units):
        if any(unit.status == LOST for unit in g.units) and not changes.survivors_win(g):
            changes.over(g, Over(False, "wiped-out", g.world.cite["lost"]))
        elif standing(g):
            changes.over(g, Over(False, "bunker-stands", g.world.cite["each-bunker"]))
        else:
            changes.over(g, changes.won(g))
