"""Move: leave the Sector or stay, cross lines, meet what the new Sector asks (first edition Phase 4, second edition
Phase 5).
"""

from __future__ import annotations

from itertools import combinations

from ..content.schema import Sector
from ..core.errors import Reason
from ..core.machine import MAIN, Frame
from ..core.node import Outcome, Roll
from ..core.operations import Op
from ..say import say
from . import changes, fire, questions
from .acquire import has_vehicle, join, no_vehicles, place_reasons
from .cards import COMMITS, NOBODY, free_answer, free_keys, free_refusals, may_use, operate, trade_keys
from .dice import SKULL
from .effects import card_die
from .state import ARROW, CHEVRON1, SHIELD, TWO_ARROWS, Landing
from .ties import WANTS, contested
from .upkeep import award_here, cannot_stay, may_earn, tally_count
from .words import card_name
from .world import Way


def phase_move(g: Landing) -> None:
    g.push(-1, ("before-combat",))
    for seat, unit in enumerate(g.units):
        if unit.status == 0:
            g.push(seat, ("move-open",))


def must_move(g: Landing, seat: int) -> bool:
    """The marker says so: the stay is over, or a Battle Cry was chosen to move (F-MARKER-03, F-MARKER-07)."""
    return bool(questions.ask(g, "must_move", int(g.units[seat].marker in (ARROW, TWO_ARROWS)), seat))


def move_reasons(g: Landing, seat: int, way: Way) -> list[Reason]:
    """Every rule that forbids this Unit to take this way now."""
    unit, world, cite = g.units[seat], g.world, g.world.cite
    target = g.at(way.to)
    reasons = []
    if way.to in unit.visited:
        reasons.append(Reason(say("refusal.visited", id=way.to), cite["visited"]))
    if world.part_of and world.part_of[way.to] != (here := world.part_of[unit.sector]):
        # from Bunker to Bunker it is no return, wherever the Unit came from (F-OPT-DEADSTICK-06)
        if not target.bunker and any(world.part_of[sector] != here for sector in unit.visited):
            reasons.append(Reason(say("refusal.other-board"), cite["boards"]))
    if way.back:
        if _climbs(g, seat):
            reasons.append(Reason(say("refusal.retreat", n=way.climb), cite["retreat"]))
    elif way.climb and (skulls := tally_count(unit, SKULL)) < way.climb:
        reasons.append(Reason(say("refusal.climb", n=way.climb, held=skulls), cite["climb"]))
    if target.entry == "battle-cry" and unit.marker != TWO_ARROWS:
        reasons.append(Reason(say("refusal.battle-cry-only", id=way.to), cite["battle-cry-only"]))
    if target.opens_after and f"conquered:{target.opens_after}" not in g.spent:
        reasons.append(Reason(say("refusal.closed", id=target.opens_after), cite["closed-bunker"]))
    line = f"{unit.sector}-{way.to}"
    if way.barred and questions.ask(g, "barrier_stops", 1, seat, line=line):
        reasons.append(Reason(say("refusal.barrier"), cite["barrier"]))
    if way.forward:
        cost = questions.advance_cost(g, seat, way.courage, line)
        if cost > unit.courage:
            reasons.append(Reason(say("refusal.courage", n=cost, held=unit.courage), cite["advance"]))
    if target.requires and not way.back and questions.ask(g, "must_have_needed", 1, seat, way.to, line=line):
        for card in target.requires:
            if card not in unit.specialists:
                reasons.append(Reason(say("refusal.needs", card=card_name(card)), cite["must-have"]))
    if target.sacrifice and needs_sacrifice(g, seat, way.to) and not payers(g, seat, target.sacrifice):
        if target.sacrifice == "any":
            reasons.append(Reason(say("refusal.give-up"), cite["sacrifice"]))
        else:
            reasons.append(Reason(say("refusal.give-up-card", card=card_name(target.sacrifice)), cite["sacrifice"]))
    if target.door and _shut(g, seat, way.to) and not _payments(g, seat, target.door.explosives):
        reasons.append(Reason(say("refusal.door", n=target.door.explosives), cite["door"]))
    if target.max_units:
        there = sum(
            1 for other, them in enumerate(g.units) if other != seat and them.sector == way.to and not them.status
        )
        if there >= target.max_units:
            reasons.append(Reason(say("refusal.full", n=target.max_units, id=way.to), cite["occupancy"]))
    if unit.items and (way.mined or no_vehicles(target)) and has_vehicle(g, unit):
        topic = "vehicle-bunker" if no_vehicles(target) else "vehicle-mines"
        reasons.append(Reason(say("refusal.vehicle"), cite[topic]))
    return reasons


def _climbs(g: Landing, seat: int) -> bool:
    """Is a way up open to a Unit on a cliff? Else its climb has failed (F-MAP-N07-05)."""
    ways = g.world.ways[g.units[seat].sector]
    return any(not move_reasons(g, seat, way) for way in ways if way.climb and not way.back)


def needs_sacrifice(g: Landing, seat: int, sector: str) -> bool:
    return bool(questions.ask(g, "sacrifice_needed", 1, seat, sector, line=f"{g.units[seat].sector}-{sector}"))


def payers(g: Landing, seat: int, who: str) -> tuple[str, ...]:
    """Specialists of the Unit that can be given up where `who` is asked for: he, or one who stands in for him."""
    unit, world = g.units[seat], g.world
    if who == "any":
        return unit.specialists
    stand_in = world.listening.get("lose_specialist", frozenset())
    return tuple(card for card in unit.specialists if card == who or card in stand_in)


def _shut(g: Landing, seat: int, sector: str) -> bool:
    """Does a door stand in this Unit's way there?"""
    if f"door:{sector}" in g.spent:
        return False
    return bool(questions.ask(g, "door_closed", 1, seat, sector, line=f"{g.units[seat].sector}-{sector}"))


def _about_to_open(g: Landing, sector: str) -> bool:
    """Is a Unit that has gone ahead choosing what to blow this door with, which then stays open?"""
    door = g.world.sectors[sector].door
    return bool(door and door.stays_open and any(("door", sector) in lane for lane in g.lanes))


def _payments(g: Landing, seat: int, icons: int) -> list[tuple[str, ...]]:
    """Sets of the Unit's cards that pay so many explosive icons, none of which could be left out (S-EXPL-02)."""
    unit, printed = g.units[seat], g.world.cards
    cards = [card for card in (*unit.items, *unit.specialists) if printed[card].explosive]
    found = []
    for size in range(1, len(cards) + 1):
        for some in combinations(cards, size):
            over = sum(printed[card].explosive for card in some) - icons
            if over >= 0 and all(printed[card].explosive > over for card in some):
                found.append(some)
    return found


def move_open(g: Landing, seat: int, frame: Frame) -> None:
    """Ask only who has a choice; a Unit that must leave and cannot is lost."""
    if seat == MAIN:
        late_moves(g)
        return
    unit = g.units[seat]
    keys = move_keys(g, seat, frame)
    if keys not in (("stay",), ("lost",)):
        unit.done = tuple(mark for mark in unit.done if mark != WAITS)
        g.ask(seat, ("move",), keys)
    elif _in_company(g, seat):
        if WAITS not in unit.done:
            unit.done = (*unit.done, WAITS)
        if ("move-open",) not in g.main:
            g.push(MAIN, ("move-open",))
    elif keys == ("lost",):
        changes.wiped_out(g, seat, "could-not-move", g.world.cite["stuck"])


WAITS = "waits"
"""Done by a Unit that has no choice as things are; others may still make room for it, or help it."""


HELPED = "helped"
"""Done by a Unit that was asked for its cards once more, as another one would have been lost."""


def _last_help(g: Landing, seat: int) -> bool:
    """Before this Unit is lost, as all have finished, those that have a card to play are asked once more. Are there
    any?
    """
    found = False
    for other, unit in enumerate(g.units):
        if other != seat and not unit.status and HELPED not in unit.done:
            moved = "move" in unit.done
            if may_use(g, other, "move.after" if moved else "move.before"):
                unit.done = (*unit.done, HELPED)
                g.push(other, ("window", "move.after", NOBODY) if moved else ("move-open",))
                found = True
    return found


def _waiting(g: Landing) -> list[int]:
    return [seat for seat, unit in enumerate(g.units) if WAITS in unit.done and not unit.status]


def wake(g: Landing) -> bool:
    """Units that had no choice and have one now are asked; who has to leave, also if it can only ask for help."""
    found = [
        seat
        for seat in _waiting(g)
        if not g.lanes[seat] and (move_keys(g, seat, ()) != ("lost",) if must_move(g, seat) else _open_ways(g, seat))
    ]
    for seat in found:
        g.push(seat, ("move-open",))
    return bool(found)


def late_moves(g: Landing) -> None:
    """The others have moved: whoever has to leave and still cannot is lost."""
    if wake(g):
        g.push(MAIN, ("move-open",))
        return
    for seat in _waiting(g):
        if must_move(g, seat):
            g.push(MAIN, ("move-open",))
            if not _last_help(g, seat):
                changes.wiped_out(g, seat, "could-not-move", g.world.cite["stuck"])
            return


def _open_ways(g: Landing, seat: int) -> list[str]:
    """`move:SECTOR` for every way that is open; what is easily told is told without gathering reasons."""
    unit = g.units[seat]
    quick = not has_vehicle(g, unit) and not questions.in_play(g, "advance_cost")
    found = []
    for way in g.world.ways[unit.sector]:
        if quick and way.plain:
            if way.courage <= unit.courage and way.to not in unit.visited:
                found.append(way.key)
        elif not move_reasons(g, seat, way):
            found.append(way.key)
    return found


def move_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    unit = g.units[seat]
    keys = _open_ways(g, seat)
    if not must_move(g, seat):
        keys.insert(0, "stay")
    elif not keys:
        keys.append("lost")
    if unit.items:
        vehicle = has_vehicle(g, unit)
        if vehicle:
            keys.append(f"abandon:{vehicle}")
    keys += free_keys(g, seat, "move.before")
    return tuple(keys)


def asked_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    """None where the only answer is to be lost while others could still make room for the Unit, or help it."""
    keys = move_keys(g, seat, frame)
    return () if keys == ("lost",) and _in_company(g, seat) else keys


def move_lapse(g: Landing, seat: int, frame: Frame) -> None:
    """What others did has left no choice: the Unit waits, as if it had never had one."""
    g.push(seat, ("move-open",))


def _in_company(g: Landing, seat: int) -> bool:
    return any(other != seat and not unit.status for other, unit in enumerate(g.units))


def move_refusals(g: Landing, seat: int, frame: Frame) -> dict[str, tuple[Reason, ...]]:
    unit, world = g.units[seat], g.world
    out = free_refusals(g, seat, "move.before")
    if must_move(g, seat):
        topic = "battle-cry" if unit.marker == TWO_ARROWS else "must-move"
        out["stay"] = (Reason(say("refusal.must-leave"), world.cite[topic]),)
    ways = {way.to: way for way in world.ways[unit.sector]}
    for sector in world.sectors:
        if sector == unit.sector:
            continue
        way = ways.get(sector)
        if way is None:
            out[f"move:{sector}"] = (Reason(say("refusal.far", id=sector), world.cite["direction"]),)
        elif reasons := move_reasons(g, seat, way):
            out[f"move:{sector}"] = tuple(reasons)
    return out


def move_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    if key == "stay":
        return
    if key == "lost":
        changes.wiped_out(g, seat, "could-not-move", g.world.cite["stuck"])
    elif key.startswith("abandon:"):
        g.push(seat, ("move-open",))
        changes.move_card(g, seat, key[8:], "items", "used", g.world.cite["abandon"])
    elif key.startswith("move:"):
        if _single(g, seat, key) and contested(g, seat, frame, key):
            return
        go(g, seat, key[5:])
    else:
        free_answer(g, seat, "move.before", key, ("move-open",))


def _single(g: Landing, seat: int, key: str) -> bool:
    """Is there room, or something that this Unit can take, for a single Unit only? The weakest of those who want it
    goes first.
    """
    sector = key[5:]
    printed = g.at(sector)
    return bool(
        printed.max_units
        or (printed.random and sector not in g.rolled)
        or _takes(g, seat, printed)
        or (printed.award and f"award:{sector}" not in g.spent and may_earn(g, g.units[seat]))
        or (printed.joins and printed.joins.who == "first" and _joins(g, seat, sector))
    )


WANTS["move"] = _single


def _takes(g: Landing, seat: int, printed: Sector) -> list[str]:
    """The Items that lie in a Sector and go to this Unit when it comes there."""
    full = has_vehicle(g, g.units[seat])
    found = [item for item in lying_here(printed) if item in g.lying]
    return [item for item in found if not (full and g.world.cards[item].kind == "vehicle")]


def _joins(g: Landing, seat: int, sector: str) -> bool:
    """Does the Specialist who waits in a Sector join this Unit when it comes there?"""
    joins = g.at(sector).joins
    if not joins or f"joins:{sector}" in g.spent:
        return False
    card = joins.specialist
    here = card in g.units[seat].hand or card in g.pool or (joins.only and card in g.lying)
    return here and not place_reasons(g, seat, card)


def go(g: Landing, seat: int, to: str) -> None:
    """Pay, cross, give up what is asked for, arrive (F-MOVE-06)."""
    unit, world, cite = g.units[seat], g.world, g.world.cite
    way = next(way for way in world.ways[unit.sector] if way.to == to)
    target = g.at(to)
    sacrifice = target.sacrifice if target.sacrifice and needs_sacrifice(g, seat, to) else ""
    advancing = [card for card in unit.specialists if card in world.listening.get("advance", ())]
    unit.done = (*(mark for mark in unit.done if mark != WAITS), "move")
    shut = target.door is not None and _shut(g, seat, to) and not _about_to_open(g, to)
    if way.forward:
        cost = questions.advance_cost(g, seat, way.courage, f"{unit.sector}-{to}")
        if cost:
            changes.gain(g, seat, {"courage": -cost}, cite["advance"])
    ahead = [other for other in range(len(g.lanes)) if other != seat and _on_its_way(g, other, to)]
    g.push(seat, ("arrive", to, tuple(ahead)))
    if way.forward:
        g.push(seat, ("advanced", tuple(advancing)))
    if sacrifice:
        g.push(seat, ("give-up", sacrifice, cite["sacrifice"]))
    hurt = way.mined and questions.ask(g, "mines_hurt", 1, seat, line=f"{unit.sector}-{to}")
    changes.place(g, seat, to, cite["move"])
    wake(g)
    unit.combats = 0
    if hurt:
        g.push(seat, ("mine",))
    if shut and target.door:
        ways_to_pay = _payments(g, seat, target.door.explosives)
        if len(ways_to_pay) > 1:
            g.push(seat, ("door", to))
        else:
            _blow(g, seat, to, ways_to_pay[0])


def door_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    door = g.world.sectors[frame[1]].door
    return tuple(f"discard:{','.join(cards)}" for cards in _payments(g, seat, door.explosives)) if door else ()


def door_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    _blow(g, seat, frame[1], tuple(key[8:].split(",")))


def _blow(g: Landing, seat: int, sector: str, cards: tuple[str, ...]) -> None:
    """The door is open; what it took is used up or dead and does nothing else."""
    rule, door = g.world.cite["door"], g.world.sectors[sector].door
    for card in cards:
        if g.world.cards[card].is_specialist:
            changes.die(g, seat, card, rule)
        else:
            changes.move_card(g, seat, card, "items", "used", rule)
    if door and door.stays_open:
        g.spend(f"door:{sector}")
    g.tell("door", seat, {"sector": sector}, rule)
    unit = g.units[seat]
    if not unit.specialists and not unit.soldiers:
        changes.wiped_out(g, seat, "wiped-out", g.world.cite["wiped-out"])


def mine_request(g: Landing, seat: int, frame: Frame) -> Roll:
    stream = f"mine:{seat}"
    return Roll(stream, g.drawn.get(stream, 0), (1,), g.world.cite["mine"], low=1)


def mine_outcome(g: Landing, seat: int, frame: Frame, outcome: Outcome) -> None:
    throw(g, seat, seat, "mine", outcome, g.world.cite["mine"])


def throw(g: Landing, lane: int, seat: int, purpose: str, outcome: Outcome, rule: str) -> None:
    """A d6 lies on the table; before anything comes of it cards may change it."""
    g.tell("pips", seat, fire.told(g, purpose, outcome), rule)
    operate(g, lane, "die", seat, (purpose, outcome), rule)


def commit_die(g: Landing, lane: int, op: Op) -> None:
    purpose, pips = op[2]
    seat, rule = op[1], op[4]
    if purpose == "mine":
        loss = sum(pips)
        if fire.with_symbols(g.world, purpose):
            loss, paid = fire.toll(g.units[seat], pips)
            changes.gain(g, seat, {name: -n for name, n in paid.items()}, fire.RULE)
        g.push(seat, ("mine-losses", loss, rule))
        fatal = loss >= g.units[seat].soldiers
        if fatal and (may_use(g, seat, "move.mine") or trade_keys(g, seat, "move.mine")):
            g.push(seat, ("window", "move.mine", NOBODY))
    elif purpose == "entry":
        changes.gain(g, seat, {"soldiers": sum(pips)}, rule)
    elif purpose == "shelling":
        g.push(seat, ("mine-losses", sum(pips), rule))
    elif purpose.startswith("table:"):
        _decide(g, seat, purpose[6:], sum(pips))
    elif purpose in g.world.cards:
        card_die(g, seat, purpose, pips)
    else:
        g.fire[purpose[4:]] = pips


COMMITS["die"] = commit_die


def mine_losses(g: Landing, seat: int, frame: Frame) -> None:
    if not frame[1]:
        return
    operate(g, seat, "losses", seat, (frame[1], "mine"), frame[2])


def give_up(g: Landing, seat: int, frame: Frame) -> None:
    """A Specialist has to be given up: he who is named, or one of choice."""
    operate(g, seat, "lose_specialist", seat, (frame[1],), frame[2])


def commit_lose_specialist(g: Landing, lane: int, op: Op) -> None:
    seat, which = op[1], op[2][0]
    unit = g.units[seat]
    if which == "any":
        if len(unit.specialists) > 1:
            g.push(seat, ("sacrifice", op[4]))
        elif unit.specialists:
            changes.die(g, seat, unit.specialists[0], op[4], op[3])
    elif which in unit.specialists:
        changes.die(g, seat, which, op[4], op[3])
    if not unit.specialists and not unit.soldiers:
        changes.wiped_out(g, seat, "wiped-out", g.world.cite["wiped-out"])


COMMITS["lose_specialist"] = commit_lose_specialist


def sacrifice_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return tuple(f"lose:{card}" for card in g.units[seat].specialists)


def sacrifice_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    changes.die(g, seat, key[5:], frame[1])


def advanced(g: Landing, seat: int, frame: Frame) -> None:
    """Abilities that wait for an Advance; they count if they were with the Unit when it set out."""
    world = g.world
    for card in frame[1]:
        for number, ability in enumerate(world.cards[card].abilities):
            if ability.on == "advance":
                g.push(seat, ("do", ("card", card, number), 0, "move.arrive"))


def _on_its_way(g: Landing, seat: int, to: str) -> bool:
    """Has this Unit set out for the Sector, and not arrived yet?"""
    return any(frame[:2] == ("arrive", to) for frame in g.lanes[seat])


def arrive(g: Landing, seat: int, frame: Frame) -> None:
    """What the new Sector gives on arrival, and the marker. Who set out first has what there is only once: it arrives
    first. The first Unit in a Sector with a table rolls on it.
    """
    _, to, ahead = frame
    world, cite = g.world, g.world.cite
    for other in ahead:
        if _on_its_way(g, other, to) and _single(g, seat, f"move:{to}"):
            g.push(seat, frame)
            g.push(seat, (changes.BEHIND, other))
            return
    if world.results and to in world.results and to not in g.rolled:
        g.push(seat, frame)
        g.push(seat, ("table", to))
        return
    target = g.at(to)
    for barrage in world.map.barrage:
        if to == barrage.until and f"silent:{to}" not in g.spent:
            g.spend(f"silent:{to}")
            g.tell("silenced", seat, {"sector": to}, cite["barrage"])
    changes.set_marker(g, seat, SHIELD if cannot_stay(g, to) else CHEVRON1, cite["marker-reset"])
    if target.on_entry:
        g.push(seat, ("entry", target.on_entry.soldiers_d6))
    for item in lying_here(target):
        if item in _takes(g, seat, target):  # one Vehicle fills the place of the next
            changes.move_card(g, seat, item, "lying", "items", cite["lying"])
    if target.joins and _joins(g, seat, to):
        join(g, seat, target.joins.specialist, cite["joins"])
        if target.joins.who == "first":
            g.spend(f"joins:{to}")
    if target.award:
        award_here(g, seat, to)
    changes.let_follow(g, seat)
    operate(g, seat, "move", seat, (), cite["move"])


def lying_here(printed: Sector) -> tuple[str, ...]:
    """Items that may lie in a Sector: which of them do tells the state."""
    return (*printed.items, *(printed.items_alone or ()))


def table_request(g: Landing, seat: int, frame: Frame) -> Roll:
    stream = f"table:{frame[1]}"
    return Roll(stream, g.drawn.get(stream, 0), (1,), g.world.cite["table"], low=1)


def table_outcome(g: Landing, seat: int, frame: Frame, outcome: Outcome) -> None:
    throw(g, seat, seat, f"table:{frame[1]}", outcome, g.world.cite["table"])


def _decide(g: Landing, seat: int, sector: str, pips: int) -> None:
    """From now on the Sector has this line of its table; what it brings lies there."""
    g.rolled[sector] = pips
    line = g.world.sectors[sector].random[pips - 1]
    g.tell("table-rolled", seat, {"sector": sector, "pips": pips, "name": line.name}, g.world.cite["table"])
    for card in line.items:
        place = "box" if card in g.box else "pool"
        if card in getattr(g, place):
            changes.move_card(g, seat, card, place, "lying", g.world.cite["table"])


def entry_request(g: Landing, seat: int, frame: Frame) -> Roll:
    stream = f"entry:{seat}"
    return Roll(stream, g.drawn.get(stream, 0), (frame[1],), g.world.cite["entry"], low=1)


def entry_outcome(g: Landing, seat: int, frame: Frame, outcome: Outcome) -> None:
    throw(g, seat, seat, "entry", outcome, g.world.cite["entry"])
