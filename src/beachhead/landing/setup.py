"""Setting up: who stands where with what, which cards are in reach (F-SETUP, S-SETUP)."""

from __future__ import annotations

from dataclasses import replace

from ..content.schema import Start
from ..core.errors import Reason
from ..core.machine import Frame
from ..core.node import Outcome, Roll
from ..say import say
from . import changes
from .state import ARROW, CHEVRON1, CHEVRON2, CHEVRON3, SHIELD, TWO_ARROWS, Landing, Unit
from .world import OPTIONS, World


def new_landing(world: World) -> Landing:
    """The table as it lies before turn 1; its first frame asks for what is chosen at set-up."""
    setup, board = world.setup, world.map
    starts = [sector for sector, printed in board.sectors.items() if printed.start]
    nations = list(setup.nations)
    for nation in world.nations:
        if len(nations) < setup.seats and (nation not in nations or len(world.nations) == 1):
            nations.append(nation)
    while len(nations) < setup.seats:
        nations.append(next(iter(world.nations)))
    pool, box = _pool(world)
    g = Landing(world=world)
    g.lanes = [[] for _ in range(setup.seats)]
    g.asked = [1] * setup.seats
    for nation in nations[: setup.seats]:
        start = starts[0]
        given = _given(world, start)
        g.units.append(
            Unit(
                nation,
                start,
                visited=(start,),
                soldiers=given.soldiers,
                stars=given.stars,
                courage=given.courage,
                points=given.points,
                hand=hand_of(world, start),
            )
        )
    lying, gone = _apart(world)
    g.lying = tuple(card for card in pool + box if card in lying)
    g.pool, g.box = (tuple(card for card in cards if card not in lying | gone) for cards in (pool, box))
    if world.level.awards:
        awards = (card for card in world.cards.values() if card.kind == "award")
        g.deck = tuple(card.id for card in awards if card.solo or not world.solo)
    g.main.append(("turn",))
    if "wild-specialists" in world.options:
        g.main += [("pool-draw", "unique-specialist", WILD_UNIQUE)] * setup.seats
        for seat in range(setup.seats):
            for stars, many in reversed(WILD):
                for _ in range(many):
                    g.push(seat, ("wild", stars))
    if "quartermasters-whim" in world.options:
        g.main += [("pool-draw", "special-item", OPTIONS["quartermasters-whim"].first)] * (2 * setup.seats)
    if world.part_of:
        g.main.append(("set-out",))
    if "blind-start" in world.options:
        for seat in range(setup.seats):
            g.push(seat, ("blind",))
    if len(starts) > 1:
        for seat in range(setup.seats):
            g.push(seat, ("start",))
    if world.switches.choose_items and setup.seats <= 3:
        for seat in range(setup.seats):
            if _choices(g):
                g.push(seat, ("pool-card",))
    return g


def _given(world: World, start: str) -> Start:
    """What a Unit that starts here has: what is printed there, changed by options."""
    printed = world.sectors[start].start
    assert printed is not None
    if "blind-start" in world.options:
        printed = Start(soldiers=1)
    if "well-equipped" in world.options:
        printed = replace(printed, points=printed.points + 10)
    return printed


def _apart(world: World) -> tuple[set[str], set[str]]:
    """Cards that lie in Sectors, and those that are out of the game because others lie in their place."""
    lying: set[str] = set()
    gone: set[str] = set()
    for printed in world.sectors.values():
        if world.solo and printed.items_alone is not None:
            lying.update(printed.items_alone)
            gone.update(printed.items)
        else:
            lying.update(printed.items)
        if printed.joins and printed.joins.only:
            lying.add(printed.joins.specialist)
    return lying, gone


def set_out(g: Landing, lane: int, frame: Frame) -> None:
    """On a joined board: where a single Unit starts on a part, that part has what lies there in solitaire. In a game of
    one Unit all of it lies so from the start.
    """
    for part in () if g.world.solo else g.world.map.parts:
        if sum(unit.sector in part.sectors for unit in g.units) != 1:
            continue
        for sector in part.sectors:
            printed = g.world.sectors[sector]
            for card in printed.items if printed.items_alone is not None else ():
                changes.move_card(g, -1, card, "lying", "used", g.world.cite["lone-part"])
                g.spend(f"gone:{card}")
            for card in printed.items_alone or ():
                place = "pool" if card in g.pool else "box"
                changes.move_card(g, -1, card, place, "lying", g.world.cite["lone-part"])


def hand_of(world: World, start: str) -> tuple[str, ...]:
    """Specialists that a player who starts here holds; wild ones are drawn later."""
    if "wild-specialists" in world.options:
        return ()
    listed = world.map.cards.specialists_regular
    if world.part_of:
        listed = world.map.parts[world.part_of[start]].specialists_regular
    return tuple(
        card.id
        for card in world.cards.values()
        if card.kind in ("regular-specialist", "reserve-specialist")
        and (card.solo or not world.solo)
        and (world.switches.all_specialists or card.id in listed)
    )


def _pool(world: World) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Cards in reach of all, and cards in the box."""
    lists, switches = world.map.cards, world.switches
    wild, whim = ("wild-specialists" in world.options), ("quartermasters-whim" in world.options)
    pool: list[str] = []
    box: list[str] = []
    for card in world.cards.values():
        if world.solo and not card.solo:
            continue
        if card.kind == "regular-specialist":
            if wild:
                box += [card.id] * world.setup.seats
        elif card.kind in ("ranking-specialist", "unique-specialist"):
            if wild:
                box.append(card.id)
            elif switches.all_specialists or card.id in lists.specialists_unique:
                pool.append(card.id)
        elif not world.level.items:
            continue
        elif card.kind == "regular-item":
            few = switches.choose_items and world.setup.seats < 3 and card.symbol == "multiplayer"
            (box if few else pool).append(card.id)
        elif card.kind == "special-item":
            listed = card.id in lists.items_special and (not switches.choose_items or world.setup.seats == 4)
            listed = (listed and not whim) or "bazooka-joe" in world.options
            (pool if listed else box).append(card.id)
        elif card.kind == "vehicle":
            box.append(card.id)
    return tuple(pool), tuple(box)


def _choices(g: Landing) -> tuple[str, ...]:
    """Cards that a player may add to the pool at set-up (S-SETUP-05 to 07)."""
    world = g.world
    special = [card for card in world.map.cards.items_special if card in g.box]
    few = world.setup.seats < 3
    return tuple(special + [card for card in g.box if few and world.cards[card].symbol == "multiplayer"])


def pool_card_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    return tuple(f"add:{card}" for card in _choices(g)) or ("none",)


def pool_card_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    if key == "none":
        return
    card = key[4:]
    g.box = tuple(other for other in g.box if other != card)
    g.pool = (*g.pool, card)
    g.tell("card", seat, {"card": card, "from": "box", "to": "pool"}, pool_card_rule(g, seat, frame))


def pool_card_rule(g: Landing, seat: int, frame: Frame) -> str:
    return ("S-SETUP-05", "S-SETUP-06", "S-SETUP-07")[g.world.setup.seats - 1]


def start_keys(g: Landing, seat: int, frame: Frame) -> tuple[str, ...]:
    needed = _parts_in_need(g, seat)
    return tuple(
        f"start:{sector}"
        for sector, printed in g.world.sectors.items()
        if printed.start and (not needed or g.world.part_of[sector] in needed) and not _full(g, seat, sector)
    )


def _choosing(g: Landing, seat: int) -> set[int]:
    """This seat, and all that have not yet chosen where they start."""
    return {seat, *(other for other, lane in enumerate(g.lanes) if any(one[0] == "start" for one in lane))}


def _full(g: Landing, seat: int, sector: str) -> bool:
    most, open_ = g.world.sectors[sector].max_units, _choosing(g, seat)
    there = sum(unit.sector == sector for other, unit in enumerate(g.units) if other not in open_)
    return 0 < most <= there


def _parts_in_need(g: Landing, seat: int) -> set[int]:
    """The parts of a joined board on which this Unit has to start, as every part needs one (F-OPT-DEADSTICK-01)."""
    if not g.world.part_of:
        return set()
    open_ = _choosing(g, seat)
    taken = {g.world.part_of[unit.sector] for other, unit in enumerate(g.units) if other not in open_}
    empty = set(range(len(g.world.map.parts))) - taken
    return empty if len(empty) >= len(open_) else set()


def start_refusals(g: Landing, seat: int, frame: Frame) -> dict[str, tuple[Reason, ...]]:
    legal, cite = start_keys(g, seat, frame), g.world.cite
    each = Reason(say("refusal.each-board"), cite["each-part"])
    found: dict[str, tuple[Reason, ...]] = {}
    for sector, printed in g.world.sectors.items():
        if printed.start and f"start:{sector}" not in legal:
            full = Reason(say("refusal.full", n=printed.max_units, id=sector), cite["occupancy"])
            found[f"start:{sector}"] = (full,) if _full(g, seat, sector) else (each,)
    return found


def start_answer(g: Landing, seat: int, frame: Frame, key: str) -> None:
    unit = g.units[seat]
    given = _given(g.world, key[6:])
    unit.sector = key[6:]
    unit.visited = (unit.sector,)
    unit.hand = hand_of(g.world, unit.sector)
    unit.soldiers, unit.stars, unit.courage, unit.points = (
        given.soldiers,
        given.stars,
        given.courage,
        given.points,
    )
    tell_start(g, seat)
    _enlist(g, seat)


def _enlist(g: Landing, seat: int) -> None:
    """Specialists that the starting Sector names (F-SETUP-09)."""
    unit = g.units[seat]
    for card in _given(g.world, unit.sector).specialists:
        for place, there in (("hand", unit.hand), ("pool", g.pool), ("box", g.box)):
            if card in there:
                changes.move_card(g, seat, card, place, "specialists", g.world.cite["start"])
                break


# ---------------------------------------------------------------------- Wild Specialists, the Quartermaster's Whim

WILD = ((2, 3), (3, 3), (4, 1))
"""Of the Regular Specialists of so many Stars a player draws so many."""
WILD_UNIQUE = "F-OPT-WILDSPEC-02"


def wild(g: Landing, seat: int, frame: Frame) -> None:
    """A Regular Specialist of this price for the hand, if one is left."""
    if _wild_deck(g, seat, frame[1]):
        g.push(seat, ("wild-draw", frame[1]))


def _wild_deck(g: Landing, seat: int, stars: int) -> tuple[str, ...]:
    """Regular Specialists of this price whom the player has not got."""
    unit, cards = g.units[seat], g.world.cards
    mine = (*unit.hand, *unit.specialists)
    found = (card for card in g.box if cards[card].kind == "regular-specialist" and cards[card].cost == stars)
    return tuple(dict.fromkeys(card for card in found if card not in mine))


def wild_request(g: Landing, seat: int, frame: Frame) -> Roll:
    stream = f"wild:{seat}"
    rule = OPTIONS["wild-specialists"].first
    return Roll(stream, g.drawn.get(stream, 0), (1,), rule, deck=_wild_deck(g, seat, frame[1]))


def wild_outcome(g: Landing, seat: int, frame: Frame, outcome: Outcome) -> None:
    changes.move_card(g, seat, str(outcome[0]), "box", "hand", OPTIONS["wild-specialists"].first)


def pool_draw(g: Landing, lane: int, frame: Frame) -> None:
    """A card of this kind for the pool, if one is left."""
    if _pool_deck(g, frame[1]):
        g.push(lane, ("pool-drawn", *frame[1:]))


def _pool_deck(g: Landing, kind: str) -> tuple[str, ...]:
    return tuple(card for card in g.box if g.world.cards[card].kind == kind)


def pool_request(g: Landing, lane: int, frame: Frame) -> Roll:
    stream = f"pool-{frame[1]}"
    return Roll(stream, g.drawn.get(stream, 0), (1,), frame[2], deck=_pool_deck(g, frame[1]))


def pool_outcome(g: Landing, lane: int, frame: Frame, outcome: Outcome) -> None:
    changes.move_card(g, -1, str(outcome[0]), "box", "pool", frame[2])


# ---------------------------------------------------------------------- Blind Start


def blind_request(g: Landing, seat: int, frame: Frame) -> Roll:
    """Four Unit marker dice; their pips are the numbers of the marker's faces."""
    stream = f"blind:{seat}"
    return Roll(stream, g.drawn.get(stream, 0), (4,), g.world.cite["blind-start"], low=1)


def blind_outcome(g: Landing, seat: int, frame: Frame, outcome: Outcome) -> None:
    """Chevrons are Soldiers, arrows are Stars, the shield is nothing."""
    rule = g.world.cite["blind-start"]
    g.tell("pips", seat, {"for": "blind", "pips": outcome}, rule)
    found = {"soldiers": 0, "stars": 0}
    for face in outcome:
        name, amount = BLIND[int(face)]
        found[name] += amount
    changes.gain(g, seat, found, rule)


BLIND = {
    CHEVRON1: ("soldiers", 1),
    CHEVRON2: ("soldiers", 2),
    CHEVRON3: ("soldiers", 3),
    ARROW: ("stars", 1),
    TWO_ARROWS: ("stars", 2),
    SHIELD: ("stars", 0),
}


def announce(g: Landing) -> None:
    """Tell what lies on the table before turn 1."""
    for seat in range(len(g.units)):
        tell_start(g, seat)
    stock = {"pool": g.pool, "box": g.box, "lying": g.lying, "deck": g.deck}
    g.tell("table", -1, stock, g.world.cite["pool"])
    if sum(1 for printed in g.world.sectors.values() if printed.start) == 1:
        for seat in range(len(g.units)):
            _enlist(g, seat)


def tell_start(g: Landing, seat: int) -> None:
    unit = g.units[seat]
    data = {"nation": unit.nation, "sector": unit.sector, "hand": unit.hand}
    g.tell("start", seat, {**data, **changes.resources(g, seat)}, g.world.cite["setup"])
