"""The table as a seat sees it, and what follows from that."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from ..core.node import Decision
from .judgement import (
    AWARD,
    GATE,
    POINT,
    STAR,
    CardWorths,
    Charges,
    Plan,
    Scene,
    Traits,
    Who,
    WorldKey,
    card_worths,
    charge_worth,
    charges_lying,
    defence_at,
    doors,
    each_bunker,
    explosives,
    fought_out,
    narrow,
    openers,
    plan,
    printed,
    rows_of,
    rwb_worths,
    shells_at,
    step,
    then,
    traits,
    wanted_by,
    world_of,
)
from .kept import Found, lasting, once, steady
from .tally import (
    COURAGE,
    MOST,
    NONE,
    SKULL,
    TOOL,
    OnTable,
    Outlook,
    Result,
    Tastes,
    on_table,
    outlook,
    steps,
    tool_steps,
)

DEATH = 200.0
"""Of a Unit that is lost, which loses the game."""
MARGIN = 6.0
"""Soldiers that a Unit should have beyond what the way ahead is expected to take."""
FEAR = 1.5
"""Of each Soldier that is missing to that."""
LAST_CHANCE = 6.0
"""Of a Courage without which the Unit cannot leave when it must."""
SOON = 2.5
"""Of a Courage that is missing for the next Advance, a turn before."""
COURAGE_EARLY, COURAGE_LATE, COURAGE_SPARE = 1.5, 0.75, 0.4
"""Of a Courage that the way ahead will cost, and of one beyond."""
STAR_LATE = 0.6
ASKED_FOR = 2.0
"""Of a Specialist without whom a Sector cannot be entered, on top of what he does."""

CLIMB = 25.0
"""Of the Skulls that a climb takes."""
CRY = 25.0
"""Of a Battle Cry where only that opens the way."""

CHEVRON3, ARROW, TWO_ARROWS, SHIELD = 3, 4, 5, 6
"""Sides of the Unit marker: the last turn to stay; must move; a free move; can't stay."""
BEFORE_A_MOVE = ("marker", "acquire", "move")
"""Phases in which the tally stands and the Unit has not moved."""
TO_BE_TURNED = ("", "roll", "upkeep", "marker")
"""Phases in which the marker is still to be turned."""
LONG_ENOUGH = 60
"""The turn of the game after which no Unit waits any longer where it may stay for ever. Where waiting costs nothing it
always seems to pay once more, so without an end to it no bot would ever leave. No printed board comes so far: in 2,000
games on Merville, alone and in Operation Deadstick, no Unit stood in such a Sector after turn 27.
"""
MANY = 99
EARLY = 5
"""Rolls ahead, from which on it is early in the game."""

Unit = dict[str, Any]

STEADY_OF_GAME = itemgetter("spent", "pool", "lying")
STEADY_OF_UNIT = itemgetter("nation", "sector", "combats", "visited", "status", "hand", "specialists", "items")
"""What that which is steady may depend on, beside how often Units may stay."""
OF_GAME = itemgetter("phase", "deck", "options", "rolled")
OF_UNIT = itemgetter("marker", "soldiers", "stars", "courage", "points", "awards", "added")
"""What else that which lasts may depend on."""


class Look:
    """What one seat sees, for one answer. What is not asked for is not worked out."""

    def __init__(self, view: dict[str, Any], seat: int) -> None:
        self.view = view
        self.seat = seat
        units: list[Unit] = view["units"]
        self.units = units
        self.me = units[seat]
        key: WorldKey = (view["edition"], view["map"], len(units), view.get("level", ""))
        self.key = key
        self.world = world_of(key)
        self.phase: str = view["phase"]
        self.mode = "solo" if len(units) == 1 else "group"
        self.known: dict[str, Any] | None = {}
        """What lasts and is worked out already; None: what is known of it has not been looked up."""
        self.known_steady: dict[str, Any] = {}

    also: object = None

    def remember(self, also: object) -> None:
        """Take over what lasts from the look before this one of the same seat, if nothing has changed on which it may
        depend. `also`: something else that has to be the same. It is looked up when something of it is asked for.
        """
        self.known, self.also = None, also

    def recall(self) -> None:
        view, units, here = self.view, self.units, self.me["sector"]
        fixed = self.key, STEADY_OF_GAME(view), [*map(STEADY_OF_UNIT, units)], [*map(self.stays_of, units)]
        climbing = self.me["faces"] if here in climbs(self.key) else ()
        now = self.also, OF_GAME(view), [*map(OF_UNIT, units)], climbing
        before = _BEFORE.get(self.seat)
        if before is None or before.fixed != fixed:
            before = _BEFORE[self.seat] = _Before(fixed, {}, now, {})
        elif before.now != now:
            before = _BEFORE[self.seat] = before._replace(now=now, known={})
        self.known, self.known_steady = before.known, before.known_steady
        self.__dict__.update(before.known_steady)
        self.__dict__.update(before.known)

    @steady
    def scene(self) -> Scene:
        return scene_for(self.key, self.me["nation"], self.plan)

    @steady
    def plan(self) -> Plan:
        return self._plan(self.me)

    @lasting
    def outlook(self) -> Outlook:
        """What the dice of this Unit may become."""
        return self._outlook(self.me)

    @property
    def tastes(self) -> Tastes:
        return self.outlook.tastes

    def others(self) -> list[int]:
        return [seat for seat, unit in enumerate(self.units) if seat != self.seat and unit["status"] == 0]

    def stays_of(self, unit: Unit) -> int:
        """How often the Unit may stay, counted from this turn's move; or will, where it may for ever."""
        marker: int = unit["marker"]
        if marker >= ARROW or self.has_waited(unit):
            return 0
        return CHEVRON3 - marker if self.phase in TO_BE_TURNED else CHEVRON3 + 1 - marker

    def has_waited(self, unit: Unit) -> bool:
        """Is it time to go on for a Unit that may stay for ever where it is?"""
        return bool(self.view["turn"] > LONG_ENOUGH and self.at(unit["sector"]).stay == "unlimited")

    def place(self, sector: str) -> str:
        """The Sector with the line of its table that was rolled."""
        line = self.view["rolled"].get(sector)
        return f"{sector}#{line}" if line else sector

    def at(self, sector: str) -> Any:
        return printed(self.key, self.place(sector)) if sector in self.view["rolled"] else self.world.sectors[sector]

    @once
    def here(self) -> Any:
        """The Sector of the own Unit."""
        return self.at(self.me["sector"])

    def opened(self, unit: Unit) -> int:
        """Has the tally opened a way that is closed otherwise? 1: a climb, 2: all that a Battle Cry opens."""
        if unit["marker"] == TWO_ARROWS:
            return 2
        climb = self.at(unit["sector"]).climb
        if climb is None or self.phase not in BEFORE_A_MOVE:
            return 0
        return int(self.skulls(unit) >= climb.skulls)

    def skulls(self, unit: Unit) -> int:
        """In the tally, cancelled or not."""
        return int(unit["faces"].count(SKULL)) + sum(1 for face, _ in unit["added"] if face == SKULL)

    def climb(self, unit: Unit) -> int:
        """Skulls that the tally needs for a climb, less those that cards of the Unit add; 0 where there is no climb."""
        climb = self.at(unit["sector"]).climb
        return max(1, climb.skulls - self.ropes(unit)) if climb else 0

    def ropes(self, unit: Unit) -> int:
        """Skulls that cards of the Unit can still add to a tally."""
        held = (*unit["specialists"], *unit["items"], *unit["awards"])
        return sum(skulls_added(self.key, card) for card in held)

    def traits(self, unit: Unit, early: bool = True) -> Traits:
        if unit is self.me and early:
            return self._own_traits
        return traits(self.key, (*unit["specialists"], *unit["items"]), early)

    @steady
    def _own_traits(self) -> Traits:
        return traits(self.key, (*self.me["specialists"], *self.me["items"]), True)

    def who(self, unit: Unit) -> Who:
        return self._own_who if unit is self.me else self._who(unit)

    @steady
    def _own_who(self) -> Who:
        return self._who(self.me)

    @steady
    def whos(self) -> dict[tuple[Who, int, str], Who]:
        """What the own Unit would be on its way, by its cards, their explosive icons and its Sector."""
        return {}

    def instead(self, unit: Unit, phase: str | None = None) -> Look:
        """The same table with this Unit in place of the own one, perhaps in another phase."""
        units = [unit if one is self.me else one for one in self.units]
        seen = Look({**self.view, "phase": self.phase if phase is None else phase, "units": units}, self.seat)
        alike = (
            seen.traits(unit).who,
            self.icons(unit) if doors(self.key) else 0,
            unit["sector"] if narrow(self.key) else "",
        )
        whos = self.whos
        if alike not in whos:
            whos[alike] = seen._who(unit)
        seen.__dict__.update(whos=whos, _own_who=whos[alike])
        return seen

    def _who(self, unit: Unit) -> Who:
        key, found = self.key, self.traits(unit).who
        rows, bunkers, missing, shut = narrow(key), each_bunker(key), wanted_by(key) - found.has, doors(key)
        if not (rows or bunkers or missing or shut):
            return found
        return Who(
            found.has,
            found.mine,
            found.saves,
            self._queue(unit) if rows else 0,
            self._aim(unit) if bunkers else "",
            self._charges(unit) if shut else None,
            found.cutters,
            missing.difference(unit["hand"], self.view["pool"], self.view["lying"]) if missing else missing,
        )

    def icons(self, unit: Unit) -> int:
        """Explosive icons of its cards."""
        has = explosives(self.key)
        return sum(has[card] for card in (*unit["items"], *unit["specialists"]) if card in has)

    def _charges(self, unit: Unit) -> Charges:
        spent = self.view["spent"]
        most = max([0, *(self.icons(one) for one in self.units if one is not unit and one["status"] == 0)])
        stand_open = {name for name, icons in doors(self.key).items() if icons <= most or f"door:{name}" in spent}
        there = {*self.view["lying"], *(card for card in (*unit["hand"], *self.view["pool"]))}
        lying = there.intersection(card for cards in charges_lying(self.key).values() for card, _ in cards)
        return Charges(self.icons(unit), frozenset(stand_open), frozenset(lying))

    def _queue(self, unit: Unit) -> int:
        """Comrades who are not far ahead."""
        rows = narrow(self.key)
        near = rows[unit["sector"]] + 1
        return sum(1 for one in self.units if one is not unit and one["status"] == 0 and rows[one["sector"]] <= near)

    def _aim(self, unit: Unit) -> str:
        """Units share out the Bunkers that still stand, in the order of seats."""
        bunkers = [name for name in each_bunker(self.key) if f"conquered:{name}" not in self.view["spent"]]
        seat = next((seat for seat, one in enumerate(self.units) if one is unit), self.seat)
        before = sum(1 for one in self.units[:seat] if one["status"] == 0)
        return bunkers[before % len(bunkers)] if bunkers else ""

    def statics(self, card: str) -> tuple[Any, ...]:
        return statics(self.key, card)

    def plan_of(self, unit: Unit) -> Plan:
        return self.plan if unit is self.me else self._known_of(unit, self._plans, self._plan)

    @steady
    def _plans(self) -> dict[int, Plan]:
        return {}

    def _known_of(self, unit: Unit, known: dict[int, Found], work: Callable[[Unit], Found]) -> Found:
        """What is worked out once for each seat. A Unit that only might be has none."""
        seat = self._seats.get(id(unit))
        if seat is None:
            return work(unit)
        if seat not in known:
            known[seat] = work(unit)
        return known[seat]

    @once
    def _seats(self) -> dict[int, int]:
        return {id(unit): seat for seat, unit in enumerate(self.units)}

    def _plan(self, unit: Unit) -> Plan:
        return plan(self.key, unit["sector"], self.stays_of(unit), unit["combats"], self.row_of(unit), self.who(unit))

    def row_of(self, unit: Unit) -> frozenset[str]:
        """Sectors of its row where the Unit has been."""
        return self._own_row if unit is self.me else self._row(unit)

    @steady
    def _own_row(self) -> frozenset[str]:
        return self._row(self.me)

    def _row(self, unit: Unit) -> frozenset[str]:
        return rows_of(self.key)[unit["sector"]].intersection((unit["sector"], *unit["visited"]))

    def scene_of(self, unit: Unit) -> Scene:
        return self.scene if unit is self.me else scene_for(self.key, unit["nation"], self.plan_of(unit))

    @once
    def defence_here(self) -> int:
        return self.defence(self.me["sector"], self.me["combats"])

    @once
    def danger_here(self) -> float:
        return self.danger(self.me["sector"], self.me["combats"])

    def tastes_of(self, unit: Unit) -> Tastes:
        """What this Unit wants of its dice."""
        return self.outlook_of(unit).tastes

    def outlook_of(self, unit: Unit) -> Outlook:
        return self.outlook if unit is self.me else self._known_of(unit, self._outlooks, self._outlook)

    @lasting
    def _outlooks(self) -> dict[int, Outlook]:
        return {}

    def _outlook(self, unit: Unit) -> Outlook:
        """Needs are rounded, so that few tables of dice are ever worked out."""
        ahead = self.plan_of(unit)
        early = ahead.rolls >= EARLY
        stays = self.stays_of(unit)
        short, needed = ahead.first - unit["courage"], ahead.courage - unit["courage"]
        courage = COURAGE_EARLY if early else COURAGE_LATE
        if short > 0 and stays < 2:
            courage, needed = (LAST_CHANCE if stays == 0 else SOON), short
        does = self.traits(unit, early)
        return _outlook(
            self.key,
            unit["nation"],
            early,
            courage,
            max(0, min(4, needed + needed % 2)),
            min(3, self._tools_coming(unit, does.tools)),
            bool(self.view["deck"]),
            does.per_rwb,
            does.skulls_ignored,
            does.per_locked_skull,
            self.climb(unit),
            cry_ahead(self.key, unit["sector"]) or ahead.lacks > 0 or self.has_waited(unit),
        )

    def _tools_coming(self, unit: Unit, own: int) -> int:
        """Tools that join the tally when the dice are final; afterwards they lie beside it."""
        if self.phase != "roll" or unit["added"]:
            return sum(1 for result in unit["added"] if tuple(result) == (TOOL, NONE))
        return int(self.at(unit["sector"]).bonus.get("tool", 0)) + own

    def dice(self, unit: Unit) -> list[Result]:
        """The dice that count, as they lie."""
        return [
            (face, colour)
            for place, (face, colour) in enumerate(zip(unit["faces"], unit["colours"], strict=True))
            if face >= 0 and not unit["out"] >> place & 1
        ]

    def beside(self, unit: Unit) -> list[Result]:
        """Results without a die; Tools are in the tastes already."""
        return [(face, colour) for face, colour in unit["added"] if face != TOOL or colour != NONE]

    @once
    def on_table(self) -> OnTable:
        """The dice of this Unit, and what they come to."""
        me = self.me
        faces, colours, beside = tuple(me["faces"]), tuple(me["colours"]), tuple(self.beside(me))
        return on_table(self.outlook, faces, colours, me["out"], beside, self.phase == "roll")

    def table_of(self, seat: int) -> OnTable:
        """All dice of a comrade, as if they were final."""
        unit = self.units[seat]
        faces, colours, beside = tuple(unit["faces"]), tuple(unit["colours"]), tuple(self.beside(unit))
        return on_table(self.outlook_of(unit), faces, colours, 0, beside, True)

    def card_worth(self, card: str) -> float:
        """Of a card to this Unit; of one that a Sector ahead asks for a little more, or of one that opens a door."""
        found = self._card_worths[card] + self.opens(card)
        return found + ASKED_FOR if card in self._asked_for else found

    def opens(self, card: str) -> float:
        """What a card is worth to this Unit because some Sector on its way asks for it, or for its explosives."""
        if card not in openers(self.key):
            return 0.0
        icons: int = self.world.cards[card].explosive if doors(self.key) else 0
        asked = card in wanted_by(self.key)
        me = self.me
        who, held = self.who(me), card in me["items"] or card in me["specialists"]
        found = 0.0
        if icons:
            found = -charge_worth(self._plan_as, who, -icons) if held else charge_worth(self._plan_as, who, icons)
        if asked:
            others = who._replace(has=who.has - {card} if held else who.has | {card})
            more = abs(self._plan_as(others).value - self._plan_as(who).value)
            found += max(0.0, more - STAR * self.world.cards[card].cost)
        return found

    def _plan_as(self, who: Who) -> Plan:
        """The own way ahead if the Unit were so."""
        me = self.me
        return plan(self.key, me["sector"], self.stays_of(me), me["combats"], self.row_of(me), who)

    @steady
    def _card_worths(self) -> CardWorths:
        return card_worths(self.scene)

    @steady
    def _asked_for(self) -> frozenset[str]:
        return wanted_by(self.key) if self.scene.rolls > 3 else frozenset()

    def strength(self, unit: Unit) -> int:
        return int(unit["soldiers"]) + len(unit["specialists"])

    def defence(self, sector: str, combats: int) -> int:
        """DEF there for this Unit, with what lasts and what its own cards do."""
        found = defence_with(self.key, sector, combats, self._held)
        if found is None:
            return 0
        for question, mode, number, scope, target, *_ in self.view["effects"]:
            here = target == sector if scope == "sector" else scope != "fight-sector" or target == str(self.seat)
            if question == "defence" and here:
                found = found + number if mode == "by" else number
        return max(0, found - int(self.view["beside"].get(sector, 0)))

    @steady
    def _held(self) -> tuple[str, ...]:
        return (*self.me["specialists"], *self.me["items"])

    def fire(self, sector: str, combats: int) -> int:
        """Machine-gun dice of a combat there."""
        return 0 if fought_out(self.key, sector, combats) else int(self.world.sectors[sector].mgf)

    def shells(self, sector: str, combats: int, unit: Unit) -> int:
        """Dice of its own that the Unit rolls there and loses."""
        return 0 if fought_out(self.key, sector, combats) else shells_at(self.key, sector, unit["specialists"])

    def danger(self, sector: str, combats: int, mined: bool = False) -> float:
        """How likely the Unit is to be wiped out in the next combat, if it takes place there."""
        dice = self.fire(sector, combats) + self.shells(sector, combats, self.me) + mined
        left = self.strength(self.me) - self.defence(sector, combats)
        return chance_of(dice, left)


class _Before(NamedTuple):
    """Of the last look of a seat: on what it depended, and what of it lasts."""

    fixed: tuple[Any, ...]
    known_steady: dict[str, Any]
    now: tuple[Any, ...]
    known: dict[str, Any]


_BEFORE: dict[int, _Before] = {}
"""By seat."""


@lru_cache(maxsize=64)
def climbs(key: WorldKey) -> frozenset[str]:
    """The Sectors with a climb, perhaps by a line of their table."""
    world = world_of(key)
    lines = {sector: (found, *world.results.get(sector, ())) for sector, found in world.sectors.items()}
    return frozenset(sector for sector, found in lines.items() if any(one.climb for one in found))


@lru_cache(maxsize=400)
def _outlook(
    key: WorldKey,
    nation: str,
    early: bool,
    courage: float,
    needed: int,
    tools: int,
    award: bool,
    per_rwb: float,
    skulls_ignored: int,
    locked_skull: float,
    climb: int,
    cry: bool,
) -> Outlook:
    rwb = tuple(
        worth + per_rwb + CRY * (cry and face == COURAGE) for face, worth in enumerate(rwb_worths(key, nation, early))
    )
    world = world_of(key)
    nothing = world.ignored
    scale = (
        steps(0.0) if not climb else tuple(n + CLIMB * (n >= climb) for n in range(MOST + 1)),
        steps(STAR if early else STAR_LATE, 4, STAR_LATE),
        steps(0.0, 0, 1.0),
        steps(0.0, 0, 2.0),
        steps(courage, needed, COURAGE_SPARE),
        tool_steps(POINT, tools),
    )
    tastes = Tastes(
        tuple(steps(0.0) if face in nothing else scale[face] for face in range(6)),
        tuple(0.0 if face in nothing else rwb[face] for face in range(6)),
        AWARD * 4 / 3 if award and not nothing else 0.0,
        MANY if SKULL in nothing else skulls_ignored,
        locked_skull,
        world.switches.straight_needs_colour,
    )
    return outlook(tastes)


def scene_for(key: WorldKey, nation: str, ahead: Plan) -> Scene:
    """With this way ahead."""
    return Scene(
        key,
        nation,
        min(ahead.rolls, 12),
        ahead.advances,
        min(ahead.fights, 12),
        ahead.mines,
        ahead.sacrifices,
        ahead.worst,
        ahead.climbs,
    )


@lru_cache(maxsize=4096)
def statics(key: WorldKey, card: str) -> tuple[Any, ...]:
    """What a card changes as long as it is there."""
    found = world_of(key).cards[card].abilities
    return tuple(op for ability in found if ability.kind == "static" for op in ability.ops)


@lru_cache(maxsize=4096)
def skulls_added(key: WorldKey, card: str) -> int:
    """Skulls that the card adds to the own tally when it is used."""
    mode = "solo" if key[2] == 1 else "group"
    return sum(
        op.count
        for ability in world_of(key).cards[card].abilities
        if ability.kind == "activated" and ability.mode in ("", mode)
        for op in ability.ops
        if op.tag == "add-result" and op.face == "skull" and op.to in ("self", "each")
    )


@lru_cache(maxsize=4096)
def cry_ahead(key: WorldKey, sector: str) -> bool:
    """Does a way from this Sector lead where only a Battle Cry leads?"""
    world = world_of(key)
    return any(world.sectors[way.to].entry == "battle-cry" for way in world.ways[sector])


@lru_cache(maxsize=65536)
def defence_with(key: WorldKey, sector: str, combats: int, cards: tuple[str, ...]) -> int | None:
    """DEF there for a Unit with these cards; None where the fight is over."""
    if fought_out(key, sector, combats):
        return None
    where = ("", "bunker" if world_of(key).sectors[sector].bunker else "not-bunker")
    ops = (op for card in cards for op in statics(key, card) if op.question == "defence" and op.by)
    return defence_at(key, sector, combats) + sum(int(op.by) for op in ops if op.where in where)


@lru_cache(maxsize=1024)
def chance_of(dice: int, pips: int) -> float:
    """The chance that so many d6 show at least that many pips in all."""
    if pips <= dice:
        return 1.0
    if pips > 6 * dice:
        return 0.0
    return sum(chance_of(dice - 1, pips - face) for face in range(1, 7)) / 6


def weakest(look: Look) -> int:
    """The other Unit on the map that is nearest to its end."""
    return min(look.others() or [look.seat], key=lambda seat: look.strength(look.units[seat]))


def best_move(decision: Decision, look: Look) -> str:
    """To stay or where to go. A Vehicle is left behind where it stands in the way."""
    decision = _onward(decision, look)
    vehicle = next((key for key in decision.keys if key.startswith("abandon:")), "")
    if vehicle and _in_the_way(decision, look):
        return vehicle
    known = [key for key in decision.keys if key == "stay" or key.startswith("move:")]
    return max(known, key=lambda key: move_worth(key, look), default=decision.keys[0])


def _in_the_way(decision: Decision, look: Look) -> bool:
    """Does a Vehicle keep its Unit from where it wants to go, as far as one can tell?"""
    ahead, me = look.plan, look.me
    if look.has_waited(me):
        ways = [way for way in look.world.ways[me["sector"]] if way.forward]
        free = look.opened(me) == 2
        paid = "lost" in decision.keys or any(free or way.courage <= me["courage"] for way in ways)
        return paid and not any(way.key in decision.keys for way in ways)
    if f"move:{ahead.next}" in decision.keys:
        return False
    return "lost" in decision.keys or (ahead.next != me["sector"] and ahead.first <= me["courage"])


def _onward(decision: Decision, look: Look) -> Decision:
    """For a Unit that has waited long enough: without all that is no Advance. Where none is left that would not be its
    certain death, it waits on, and everything is left to choose from.
    """
    me = look.me
    if not look.has_waited(me):
        return decision
    mines = look.who(me).mine > 0
    ways = look.world.ways[me["sector"]]
    ahead = {way.key for way in ways if way.forward and look.danger(way.to, 0, way.mined and mines) < 1}
    if ahead.isdisjoint(decision.keys):
        return decision
    keys = (key for key in decision.keys if key in ahead or not key.startswith(("stay", "move:")))
    return decision._replace(keys=tuple(keys))


@lru_cache(maxsize=4096)
def way_of(key: WorldKey, sector: str, move: str) -> Any:
    """The way that a key such as `move:B2` names."""
    return next(one for one in world_of(key).ways[sector] if one.key == move)


@lru_cache(maxsize=20_000)
def _step(key: WorldKey, sector: str, move: str, row: frozenset[str], who: Who) -> Plan:
    return step(key, way_of(key, sector, move), row, who)


@lru_cache(maxsize=20_000)
def _stay(key: WorldKey, sector: str, stays: int, combats: int, row: frozenset[str], who: Who) -> Plan:
    after = plan(key, sector, max(0, stays - 1), combats + 1, row, who)
    return then(key, sector, combats, who, after, Plan(0.0, sector))


def move_worth(key: str, look: Look) -> float:
    """Of the way ahead that begins so, less the fear that it is too hard."""
    me = look.me
    who, row = look.who(me), look.row_of(me)
    if key == "stay":
        found = _stay(look.key, me["sector"], look.stays_of(me), me["combats"], row, who)
        danger = look.danger_here
    else:
        way = way_of(look.key, me["sector"], key)
        if who.charges and way.to not in who.charges.open and look.plan.lacks:  # it could not be chosen if it were shut
            who = who._replace(charges=who.charges._replace(open=who.charges.open | {way.to}))
        found = _step(look.key, me["sector"], key, row, who)
        if found.gate:  # the dice have opened it, or it could not be chosen
            found = found._replace(value=found.value + GATE)
        danger = look.danger(way.to, 0, way.mined and who.mine > 0)
    missing = MARGIN - (look.strength(me) + found.low)
    return found.value - DEATH * danger - FEAR * max(0.0, missing)
