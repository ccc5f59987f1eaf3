"""Rules of thumb about the landing: what resources, effects and cards are worth, and which way through a map is best.

All worths are in Soldiers. What cards do is read from their data, so cards that nobody thought of here are judged too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Any, NamedTuple

from ..core.errors import BeachheadError
from ..games import GAMES
from .tally import FACES

# ---------------------------------------------------------------------- the numbers

STAR = 1.75
COURAGE = 1.5
POINT = 0.25
"""Of an Item Point. Prices say 0.4, but only one Item can be found in a turn, and what is left over is lost."""
AWARD = 9.0
"""Of an Award at random; of choice a third more."""
PIPS = 3.5
"""Of a d6."""
INCOME = 8.0
"""Soldiers that a Unit with six dice gains in a turn, beside Stars and Courage."""
RWBS = 0.9
"""RWB bonuses per turn, with the help of cards."""
SACRIFICE = 3.0
"""Of a Specialist who has to be given up."""
BODY = 1.0
"""Of a Specialist as one who can fall in place of a Soldier."""
TROUBLE = 15.0
"""Of what stands in the way and cannot be had in time."""
BARRIER = 30.0
"""Of a Barrier, for who has nothing to pass it yet."""
DEAD_END = 45.0
"""Of a Barrier in the only way, when the Unit must leave and has nothing to pass it."""
GATE = 10.0
"""Of an Advance that only certain dice allow: a climb, or an entry by a Battle Cry."""
FUSE = 8.0
"""Of an explosive icon that a door on the way lacks; of one that it takes."""
BLOWN = 1.0
STUCK = -200.0

FACE_WORTH = {"skull": 0.0, "star": STAR, "soldier1": 1.0, "soldier2": 2.0, "courage": COURAGE, "tool": 0.9}

SIMPLE = {
    "pay-to-save": 4.0,
    "set-colour": 3.0,
    "copy-tally": 5.0,
    "repeat-tally": 5.0,
    "swap-dice": 1.5,
    "swap-with-pool": 2.0,
    "reduce-by-roll": PIPS,
    "pay-to-reduce": 2.0,
    "free-move": 4.5,
    "draw-award": AWARD,
    "substitute": SACRIFICE,
    "swap-sectors": 0.5,
    "ignore-skull": 0.4,
}
"""Effects whose worth hardly depends on anything, each time they happen."""
SETS = {"any": 5.5, "own-blue": 3.5, "own-skulls": 5.0}
QUESTIONS = {
    "mgf_hits": PIPS,
    "special_damage_hits": 0.3,
    "must_have_needed": 0.5,
    "sacrifice_needed": 1.5,
    "must_move": 6.0,
    "may_trade_with": 1.0,
    "rally_cost": 3.0,
    "find_cost": 1.0,
    "find_limit": 1.0,
}
"""Answers that a card changes for a turn, or for the game where it stays."""

# ---------------------------------------------------------------------- the world

WorldKey = tuple[str, str, int, str]
"""Edition, map, seats, level."""


@lru_cache(maxsize=64)
def world_of(key: WorldKey) -> Any:
    """Map and cards, as anybody at the table may read them; None for a map that is in no pack."""
    edition, board, seats, level = key
    try:
        state, _ = GAMES["landing"].new({"edition": edition, "map": board, "seats": seats, "level": level})
    except BeachheadError:
        return None
    return state.world  # type: ignore[attr-defined]


def printed(key: WorldKey, place: str) -> Any:
    """A Sector; `6#3` is Sector 6 as the third line of its table has it."""
    sector, _, line = place.partition("#")
    world = world_of(key)
    return world.results[sector][int(line) - 1] if line else world.sectors[sector]


@lru_cache(maxsize=64)
def rows_of(key: WorldKey) -> dict[str, frozenset[str]]:
    """Per Sector: the Sectors of its row."""
    return {sector: frozenset(row.sectors) for row in world_of(key).map.rows for sector in row.sectors}


@lru_cache(maxsize=64)
def narrow(key: WorldKey) -> dict[str, int]:
    """Per Sector: the number of its row from the start; nothing where every Sector has room for all."""
    world = world_of(key)
    if key[2] == 1 or not any(sector.max_units for sector in world.sectors.values()):
        return {}
    return {sector: n for n, row in enumerate(world.map.rows) for sector in row.sectors}


@lru_cache(maxsize=64)
def each_bunker(key: WorldKey) -> tuple[str, ...]:
    """Bunkers that comrades have to share out among them."""
    world = world_of(key)
    if key[2] == 1 or world.map.conquer != "each":
        return ()
    return tuple(name for name, sector in world.sectors.items() if sector.bunker and not sector.passage)


@lru_cache(maxsize=64)
def doors(key: WorldKey) -> dict[str, int]:
    """Explosive icons that each door takes."""
    return {name: sector.door.explosives for name, sector in world_of(key).sectors.items() if sector.door}


@lru_cache(maxsize=64)
def explosives(key: WorldKey) -> dict[str, int]:
    """The explosive icons of cards that have any."""
    return {name: card.explosive for name, card in world_of(key).cards.items() if card.explosive}


@lru_cache(maxsize=64)
def charges_lying(key: WorldKey) -> dict[str, tuple[tuple[str, int], ...]]:
    """Per Sector: the cards that may be had by going there, with their explosive icons."""
    cards = world_of(key).cards
    found = {}
    for name, sector in world_of(key).sectors.items():
        here = [*sector.items, *(sector.items_alone or ()), *((sector.joins.specialist,) if sector.joins else ())]
        icons = tuple((card, cards[card].explosive) for card in here if card in cards and cards[card].explosive)
        if icons:
            found[name] = icons
    return found


@lru_cache(maxsize=64)
def dearest(key: WorldKey) -> int:
    """Courage that the dearest Advance costs."""
    ways = world_of(key).ways.values()
    return max((way.courage for some in ways for way in some if way.forward), default=0)


@lru_cache(maxsize=64)
def wanted_by(key: WorldKey) -> frozenset[str]:
    """Specialists without whom some Sector cannot be entered."""
    return frozenset(card for sector in world_of(key).sectors.values() for card in sector.requires)


@lru_cache(maxsize=64)
def openers(key: WorldKey) -> frozenset[str]:
    """Cards for which some Sector asks, or whose explosives a door takes."""
    charges = (name for name, card in world_of(key).cards.items() if card.explosive) if doors(key) else ()
    return wanted_by(key).union(charges)


@lru_cache(maxsize=64)
def given_by(key: WorldKey) -> frozenset[str]:
    """Specialists who join in some Sector."""
    return frozenset(sector.joins.specialist for sector in world_of(key).sectors.values() if sector.joins)


@lru_cache(maxsize=64)
def sparing(key: WorldKey) -> frozenset[str]:
    """Specialists who spare their Unit the shells of some Sector."""
    shelling = (sector.shelling for sector in world_of(key).sectors.values())
    return frozenset(one.spares for one in shelling if one and one.spares)


@lru_cache(maxsize=64)
def asked_for(key: WorldKey) -> frozenset[str]:
    """Specialists for whom some Sector makes a difference."""
    return wanted_by(key) | given_by(key) | sparing(key)


# ---------------------------------------------------------------------- the way ahead


class Plan(NamedTuple):
    """The best way to the Bunker from here, seen from a move: its worth, and what lies on it."""

    value: float
    next: str = ""
    """The Sector to go to now; the present one to stay."""
    rolls: int = 0
    advances: int = 0
    courage: int = 0
    first: int = 0
    """Courage for the first Advance."""
    mines: int = 0
    fights: int = 0
    sacrifices: int = 0
    low: float = 0.0
    """How far the number of Soldiers sinks below that of today on the way."""
    worst: int = 0
    """The highest DEF on the way."""
    climbs: int = 0
    gate: bool = False
    """Has the Unit to stay here until its dice open the first Advance?"""
    lacks: int = 0
    """Explosive icons without which the door of the first Advance stays shut."""
    barred: bool = False
    """Is there a Barrier in the way of the first step, and no card to pass it?"""


class Charges(NamedTuple):
    """What opens doors to a Unit."""

    icons: int
    """Explosive icons of its cards."""
    open: frozenset[str] = frozenset()
    """Doors that stand open, or that a comrade can open."""
    lying: frozenset[str] = frozenset()
    """Cards with explosives that can still be had by going to them."""


class Who(NamedTuple):
    """What of a Unit matters for its way: Specialists that Sectors ask for, what mines cost it, casualties saved."""

    has: frozenset[str]
    mine: float
    saves: float
    queue: int = 0
    """Comrades who may still want to go where not all find room."""
    aim: str = ""
    """The Bunker that is up to this Unit, where each has to be conquered."""
    charges: Charges | None = None
    """None where there are no doors."""
    cutters: bool = False
    """Has it a card by which Barriers can be passed?"""
    gone: frozenset[str] = frozenset()
    """Specialists that Sectors ask for, and whom this Unit can have no more."""


STAYS = 2
"""How often a Unit may stay after the combat of its arrival, where it may."""


def cant_stay(key: WorldKey, place: str) -> bool:
    """Has a Unit to leave this Sector in the turn after it came? In the second edition a Unit that is alone has to
    where there is room for one (S-OPT-SOLITAIRE-05).
    """
    found, world = printed(key, place), world_of(key)
    if found.shield == "black":
        return True
    room = world.sectors[place.partition("#")[0]].max_units
    return bool(world.solo and room == 1 and world.switches.alone_max_one_cant_stay)


@lru_cache(maxsize=20_000)
def plan(key: WorldKey, sector: str, stays: int, combats: int, visited: frozenset[str], who: Who) -> Plan:
    """The best Plan at a move, for a Unit that may stay so many times more. `visited` are Sectors of this row."""
    best = Plan(STUCK)
    if stays:
        after = plan(key, sector, stays - 1, combats + 1, visited, who)
        best = then(key, sector, combats, who, after, Plan(0.0, sector))
    world = world_of(key)
    for way in world.ways[sector]:
        other_board = world.part_of and world.part_of[way.to] != world.part_of[sector]
        if way.to not in visited and not way.back and not other_board:
            found = step(key, way, visited, who)
            if not stays and found.barred:  # there is no time any more to look for what opens it
                found = found._replace(value=found.value - DEAD_END)
            elif not stays and not who.has.issuperset(world.sectors[way.to].requires):
                found = found._replace(value=found.value - TROUBLE)
            if found.value > best.value:
                best = found
    return best


def step(key: WorldKey, way: Any, visited: frozenset[str], who: Who) -> Plan:
    """The Plan that begins with this way."""
    world = world_of(key)
    target = world.sectors[way.to]
    cost = way.courage if way.forward else 0
    price = COURAGE * cost + (who.mine if way.mined else 0.0) + (BARRIER if way.barred and not who.cutters else 0.0)
    for card in target.requires:
        if card not in who.has:
            price += -STUCK if card in who.gone else STAR * world.cards[card].cost
    sacrifice = 1 if target.sacrifice else 0
    gate = bool(way.climb) or target.entry == "battle-cry"
    price += SACRIFICE * sacrifice + GATE * gate
    lacks, barred = 0, way.barred and not who.cutters
    if who.charges is not None:
        lacks, taken, who = _through(key, way.to, who, who.charges)
        price += FUSE * lacks + BLOWN * taken
    if target.max_units:
        price += TROUBLE * max(0, who.queue + 1 - target.max_units)
    if target.bunker and who.aim not in ("", way.to):
        price += TROUBLE
    if target.joins and target.joins.specialist not in who.has:
        price -= 3.0
    if target.on_entry:
        price -= PIPS * target.on_entry.soldiers_d6
    head = Plan(-price, way.to, 0, int(way.forward), cost, cost, int(way.mined), 0, sacrifice, climbs=bool(way.climb))
    seen = visited | {way.to} if way.to in rows_of(key)[next(iter(visited))] else frozenset((way.to,))
    if target.bunker and not target.passage and not _bunker_beside(key, seen):
        loss = loss_at(key, way.to, 0, who)
        head = head._replace(value=head.value - loss, low=-loss, fights=1, worst=target.defence[0])
        return head._replace(gate=gate, lacks=lacks, barred=barred)
    after = plan(key, way.to, 0 if cant_stay(key, way.to) else STAYS, 1, seen, who)
    return then(key, way.to, 0, who, after, head)._replace(gate=gate, lacks=lacks, barred=barred)


def _through(key: WorldKey, sector: str, who: Who, has: Charges) -> tuple[int, int, Who]:
    """Icons that a door there lacks, and takes; and the Unit when it has come in and taken what lies there."""
    needed = 0 if sector in has.open else doors(key).get(sector, 0)
    lacks, icons = max(0, needed - has.icons), max(0, has.icons - needed)
    lying = has.lying
    for card, many in charges_lying(key).get(sector, ()):
        if card in lying:
            icons, lying = icons + many, lying - {card}
    after = has._replace(icons=icons, open=has.open | {sector} if needed else has.open, lying=lying)
    return lacks, needed - lacks, who._replace(charges=after)


def charge_worth(plan_with: Callable[[Who], Plan], who: Who, icons: int) -> float:
    """What so many explosive icons more are worth on the way ahead; below nought: icons that would be gone."""
    has = who.charges
    if has is None or not icons:
        return 0.0
    then = who._replace(charges=has._replace(icons=max(0, has.icons + icons)))
    return plan_with(then).value - plan_with(who).value


def _bunker_beside(key: WorldKey, seen: frozenset[str]) -> bool:
    """Is there another Bunker in the row that a Unit which is alone has to conquer as well?"""
    world = world_of(key)
    if not world.solo or world.map.conquer != "each":
        return False
    return any(world.sectors[sector].bunker for sector in rows_of(key)[next(iter(seen))] - seen)


def then(key: WorldKey, sector: str, combats: int, who: Who, after: Plan, head: Plan) -> Plan:
    """`head`, then a combat in the Sector, a roll there, and the Plan `after`."""
    loss, income = loss_at(key, sector, combats, who), income_at(key, sector)
    return Plan(
        head.value - loss + income + after.value,
        head.next,
        1 + after.rolls,
        head.advances + after.advances,
        head.courage + after.courage,
        head.first if head.advances else after.first,
        head.mines + after.mines,
        1 + after.fights,
        head.sacrifices + after.sacrifices,
        min(-loss, income - loss + after.low),
        max(defence_at(key, sector, combats), after.worst),
        head.climbs + after.climbs,
        after.gate,
        after.lacks,
        after.barred,
    )


def defence_at(key: WorldKey, sector: str, combats: int) -> int:
    values = world_of(key).sectors[sector].defence
    return int(values[min(combats, len(values) - 1)])


def fought_out(key: WorldKey, sector: str, combats: int) -> bool:
    """Is there no combat any more for a Unit that has fought so often there?"""
    return combats > 0 and world_of(key).sectors[sector].fights == "once"


def shells_at(key: WorldKey, sector: str, specialists: Collection[str]) -> int:
    """The d6 that a Unit with these Specialists rolls there in combat and loses."""
    shelling = world_of(key).sectors[sector].shelling
    return int(shelling.dice) if shelling and shelling.spares not in specialists else 0


def loss_at(key: WorldKey, sector: str, combats: int, who: Who) -> float:
    if fought_out(key, sector, combats):
        return 0.0
    fire: int = world_of(key).sectors[sector].mgf + shells_at(key, sector, who.has)
    return max(0.0, defence_at(key, sector, combats) + PIPS * fire - who.saves)


def income_at(key: WorldKey, sector: str) -> float:
    printed = world_of(key).sectors[sector]
    gift = sum(FACE_WORTH[face] * count for face, count in printed.bonus.items())
    gift -= sum(FACE_WORTH[face] * count for face, count in printed.penalty.items())
    return float(INCOME * printed.dice / 6 + gift)


# ---------------------------------------------------------------------- what effects are worth


class Scene(NamedTuple):
    """For whom and when something is judged."""

    key: WorldKey
    nation: str
    rolls: int
    advances: int
    fights: int
    mines: int
    sacrifices: int
    worst: int
    climbs: int = 0


def rates_of(scene: Scene) -> dict[str, float]:
    """Stars and Courage are worth less when little is left to spend them on."""
    late = min(1.0, (scene.rolls + 1) / 4)
    return {"soldiers": 1.0, "stars": STAR * late, "courage": COURAGE * late, "points": POINT}


def ops_worth(ops: tuple[Any, ...], scene: Scene) -> float:
    return sum(op_worth(op, scene) for op in ops)


def op_worth(op: Any, scene: Scene) -> float:
    """Of one effect, once. Gifts to others count in full: a Unit that is lost loses the game for all."""
    seats = scene.key[2]
    if getattr(op, "part", 1) == 2 and seats == 1:
        return 0.0
    tag = op.tag
    if tag == "gain":
        rates = rates_of(scene)
        many = {"each-other": seats - 1, "each": seats, "same-advance": (1 + seats) / 2}.get(op.to, 1)
        return float(many * sum(rates[name] * getattr(op, name) for name in rates))
    if tag == "save":
        return float(op.casualties)
    if tag == "add-result":
        climbs = GATE * (op.face == "skull" and scene.climbs > 0)
        return (_added(op) + climbs) * (seats if op.to == "each" else 1)
    if tag == "set-result":
        return SETS.get(op.dice, 3.0)
    if tag == "reroll":
        return 1.2 if op.times == 1 else 7.0
    if tag == "choose":
        found = sorted(ops_worth(branch.ops, scene) for branch in op.of)
        return found[-1] + (found[-2] / 4 if len(found) > 1 else 0.0)
    if tag == "modify":
        return modify_worth(op, scene, lasting=op.until == "game")
    if tag == "grant-rwb":
        return rwb_worth(op.face, scene)
    if tag == "find":
        return (7.0 if op.what == "vehicle" else 8.0) if op.free else 2.5
    if tag == "rally":
        return 5.0 + (0.0 if op.counts else 2.0)
    if tag == "lose":
        if op.specialist:
            return float(3.0 * op.brings - 4.0)
        return 4.0 if op.brings else -float(op.soldiers)
    return SIMPLE.get(tag, 0.0)


def _added(op: Any) -> float:
    if op.colour == "rwb":
        return 12.0
    if op.face == "choice":
        return float(op.count) * (4.5 if op.colour == "choice" else 3.3)
    if op.face == "skull":
        return 1.0
    return float(op.count * FACE_WORTH[op.face] * (1.0 if op.colour == "none" else 1.5))


def modify_worth(op: Any, scene: Scene, lasting: bool) -> float:
    """Of a changed answer, for one turn or for as long as the game lasts."""
    seats, question = scene.key[2], op.question
    share = {"each": seats, "own-sector": (1 + seats) / 2, "fight-sector": (1 + seats) / 2}.get(op.scope, 1)
    fights = scene.fights if lasting else 1
    if question == "defence":
        less = scene.worst if op.set is not None else min(-(op.by or 0), scene.worst)
        return float(less * share * (1 if op.where == "bunker" else fights))
    if question == "mgf_dice":
        return PIPS * share * min(fights, 2)
    if question == "mines_hurt":
        return PIPS * share * min(scene.mines, scene.mines if lasting else 1)
    if question == "advance_cost":
        each = -(op.by or 0) if op.set is None else 3
        return COURAGE * each * (scene.advances if lasting else 1)
    if question == "dice_to_lock":
        return 0.15 * scene.rolls * seats
    if question == "body_count":
        return float((op.set or 1) - 1)
    if question == "sacrifice_needed":
        return SACRIFICE * min(scene.sacrifices, scene.sacrifices if lasting else 1)
    if question == "barrier_stops":
        return 0.0
    return QUESTIONS.get(question, 0.0) * (share if question != "find_cost" else 1)


@lru_cache(maxsize=4096)
def rwb_worth(face: str, scene: Scene) -> float:
    bonuses = world_of(scene.key).nations[scene.nation].rwb
    if face == "choice":
        return max(rwb_worth(one, scene) for one in FACES)
    return ops_worth(bonuses[face].ops, scene)


class CardWorths(dict[str, float]):
    """What cards are worth in a scene, each worked out when it is first asked for."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    def __missing__(self, card: str) -> float:
        found = self[card] = _card_worth(card, self.scene)
        return found


@lru_cache(maxsize=4096)
def card_worths(scene: Scene) -> CardWorths:
    return CardWorths(scene)


def _card_worth(card: str, scene: Scene) -> float:
    """Of a card from now to the end of the game, its body included."""
    found = world_of(scene.key).cards[card]
    mode = "solo" if scene.key[2] == 1 else "group"
    total = BODY if found.is_specialist else 0.0
    for ability in found.abilities:
        if ability.mode in ("", mode):
            total += _ability_worth(ability, scene)
    if found.kind == "vehicle":
        total *= 0.5
    return total


def _ability_worth(ability: Any, scene: Scene) -> float:
    if ability.kind == "static":
        return sum(modify_worth(op, scene, lasting=True) for op in ability.ops)
    once = ops_worth(ability.ops, scene)
    if ability.kind == "activated":
        if ability.limit != "once-per-turn":
            return once
        most = 6 if any(op.tag == "swap-with-pool" for op in ability.ops) else scene.rolls
        return once * min(most, scene.rolls)
    times = {
        "rwb": RWBS * scene.rolls,
        "advance": scene.advances,
        "move": scene.advances + 1,
        "tally": scene.rolls,
        "lock": 0.35 * scene.rolls,
        "losses": scene.fights,
        "skull": scene.rolls,
        "lose_specialist": min(1, scene.sacrifices),
    }
    return once * times.get(ability.on, 1)


# ---------------------------------------------------------------------- what the cards of a Unit do together


class Traits(NamedTuple):
    """What a Unit's Specialists, Items and Vehicles do for it all the time."""

    who: Who
    skulls_ignored: int
    per_locked_skull: float
    tools: int
    """Tools without colour each turn."""
    per_rwb: float


def traits(key: WorldKey, cards: tuple[str, ...], early: bool) -> Traits:
    return _traits(key, tuple(filter(_acting(key).__contains__, cards)), early)


@lru_cache(maxsize=64)
def _acting(key: WorldKey) -> frozenset[str]:
    """The cards that make a difference to Traits."""
    nothing = _CardTraits()
    cards = world_of(key).cards
    return asked_for(key) | {
        card for card in cards if any(_card_traits(key, card, early) != nothing for early in (True, False))
    }


@lru_cache(maxsize=4096)
def _traits(key: WorldKey, cards: tuple[str, ...], early: bool) -> Traits:
    saves = skulls = tools = 0
    locked = per_rwb = 0.0
    mine, cutters = PIPS, False
    for card in cards:
        one = _card_traits(key, card, early)
        saves += one.saves
        skulls += one.skulls
        locked += one.locked
        tools += one.tools
        per_rwb += one.per_rwb
        cutters = cutters or one.cutters
        if one.no_mines:
            mine = 0.0
    has = asked_for(key).intersection(cards)
    return Traits(Who(has, mine, float(saves), cutters=cutters), skulls, locked, tools, float(round(per_rwb)))


class _CardTraits(NamedTuple):
    """What one card adds to the Traits of a Unit."""

    saves: int = 0
    skulls: int = 0
    locked: float = 0.0
    tools: int = 0
    per_rwb: float = 0.0
    no_mines: bool = False
    cutters: bool = False


@lru_cache(maxsize=4096)
def _card_traits(key: WorldKey, card: str, early: bool) -> _CardTraits:
    scene = Scene(key, "", 8 if early else 2, 4, 4, 0, 0, 12)
    found = _CardTraits()
    for ability in world_of(key).cards[card].abilities:
        if ability.kind == "triggered" and ability.on == "rwb":
            found = found._replace(per_rwb=found.per_rwb + ops_worth(ability.ops, scene))
        for op in ability.ops:
            if op.tag == "save":
                found = found._replace(saves=found.saves + op.casualties)
            elif op.tag == "ignore-skull":
                found = found._replace(skulls=found.skulls + op.count)
            elif op.tag == "gain" and op.per == "locked-skull":
                found = found._replace(locked=found.locked + op.soldiers)
            elif op.tag == "add-result" and ability.on == "tally" and op.face == "tool" and op.colour == "none":
                found = found._replace(tools=found.tools + op.count)
            elif op.tag == "modify" and op.question == "barrier_stops":
                found = found._replace(cutters=True)
            elif op.tag == "modify" and op.question == "mines_hurt" and ability.kind == "static":
                found = found._replace(no_mines=True)
    return found


@lru_cache(maxsize=4096)
def rwb_worths(key: WorldKey, nation: str, early: bool) -> tuple[float, ...]:
    """Per face, in early and in late turns."""
    scene = Scene(key, nation, 8 if early else 2, 4, 4, 0, 0, 12)
    return tuple(round(rwb_worth(face, scene), 1) for face in FACES)
