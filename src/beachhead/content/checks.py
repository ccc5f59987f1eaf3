"""What can be wrong with a board that is well written: Bunkers out of reach, dead ends, demands that nobody can meet,
attributes that contradict each other, Sectors drawn over each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import eq, gt, lt

from .schema import (
    NO_BUNKER,
    NO_START,
    AddResult,
    Attributes,
    Card,
    CardLists,
    Choose,
    CopyTally,
    Drawing,
    Edges,
    FreeMove,
    GrantRwb,
    Level,
    Map,
    Modify,
    Op,
    RepeatTally,
    Sector,
    SpecialDamage,
    lost,
)
from .toml import Path_

Found = Iterator[tuple[Path_, str]]
COLUMNS = 12


def of_sectors(*keys: str) -> tuple[Path_, ...]:
    """These keys, in all Sectors."""
    return tuple(("sectors", "*", key) for key in keys)


WAYS: tuple[Path_, ...] = (("edges", "forward"), ("edges", "lateral"), ("edges", "retreat"), *of_sectors("start"))
FINAL = of_sectors("bunker", "passage")


def board_faults(board: Map, cards: dict[str, Card], gone: Sequence[Path_] = (), all_read: bool = True) -> Found:
    """(where, what) for all of it. `cards` are those of the edition, `all_read` says whether it has no others. What
    could not be read of the board is `gone`: nothing is said that may be wrong only for that.
    """
    known = _as_meant(board)
    for id, sector in known.sectors.items():
        for keys, what in (*_contradictions(sector), *_vehicles_lying(sector, cards)):
            paths: list[Path_] = [("sectors", id, *key) for key in keys]
            if not lost(gone, *paths):
                yield paths[0], what
    for key in ("specialists_regular", "specialists_unique", "items_special"):
        for card, times in Counter(getattr(board.cards, key)).items():
            if times > 1 and not board.parts:
                yield ("cards", key), f"{card!r} is there {times} times"
    yield from _lying(board)
    checks: list[tuple[Callable[[Map], Found], tuple[Path_, ...]]] = [
        (_no_way_between, (*WAYS, *FINAL, ("conquer",), ("least_seats",))),
        (_never_open, (*WAYS, *FINAL, *of_sectors("opens_after"))),
        (_no_way_up, (("edges", "forward"), *of_sectors("climb"))),
        (_never_entered, WAYS),
        (_no_room, (("least_seats",), *of_sectors("start", "max_units"))),
        (_never_on, (*WAYS, *FINAL, *of_sectors("go_on"))),
        (_no_combat, (("barrage",), *of_sectors("fights", "def", "mgf", "shelling", "random"))),
        (_never_fires, (("barrage",), *of_sectors("start"))),
    ]
    if not board.parts:  # of a joined board these hold on each of its parts
        rows: Path_ = ("rows", "*", "sectors")
        checks += [(_starts, (rows, *of_sectors("start"))), (_drawing, (rows, *of_sectors("drawing")))]
        if not lost(gone, rows):
            yield from _lines(board)
        yield from _lines_twice(board)
        yield from _named_twice(board)
    if not lost(gone, *WAYS, *FINAL):
        yield from _unreached(board, known)
    for check, needed in checks:
        if not lost(gone, *needed):
            yield from check(known)
    if not lost(gone, ("cards",), ("edition",), *of_sectors("joins", "start", "items", "items_alone", "random")):
        alone = not lost(gone, ("least_seats",)) and known.least_seats == 1
        played = replace(known, levels={}) if lost(gone, ("levels",)) else known
        yield from _demands(played, cards, all_read, alone)
        yield from _lost_specialists(played, cards)
        if not lost(gone, *of_sectors("max_units")):
            yield from _start_with_nobody(known, cards, alone)
        if not lost(gone, *WAYS, *FINAL, *of_sectors("requires", "sacrifice", "door")):
            yield from _too_late(known, cards, alone)
        if all_read and not lost(gone, *WAYS, *of_sectors("climb", "award", "dice", "bonus", "bonus_colour")):
            yield from _no_battle_cry(known, cards)
        if all_read and not lost(gone, *of_sectors("of_a_kind", "bonus")):
            yield from _never_alike(known, cards)
        if all_read and not lost(gone, *WAYS, *FINAL, ("edges", "barriers"), *of_sectors("vehicles")):
            yield from _barred(known, cards)


def _read(board: Map) -> Map:
    """Without lines and places in rows of Sectors that the board does not have; that is said elsewhere."""
    names = board.sectors.keys()
    lines = {
        key: tuple(line for line in getattr(board.edges, key) if len(line) == 2 and names >= set(line))
        for key in ("forward", "lateral", "landmines", "barriers", "retreat")
    }
    rows = tuple(replace(row, sectors=tuple(id for id in row.sectors if id in names)) for row in board.rows)
    return replace(board, edges=Edges(**lines), rows=rows)


def _as_meant(board: Map) -> Map:
    """As read, and with every way that a line to or from a Sector which is not there may stand for."""
    names, begin, final, known = board.sectors.keys(), {*_begin(board)}, _final(board), _read(board)
    meant: dict[str, tuple[tuple[str, ...], ...]] = {}
    for key in ("forward", "lateral", "retreat"):
        there = getattr(known.edges, key)
        stuck = names - {line[0] for line in there} - final or begin
        unentered = names - {line[1] for line in there} - begin or final
        meant[key] = there
        for start, end in _strange(board, key):
            if start in names:
                meant[key] += tuple((start, id) for id in names if id in unentered)
            elif end in names:
                meant[key] += tuple((id, end) for id in names if id in stuck)
    return replace(known, edges=replace(known.edges, **meant))


def _strange(board: Map, key: str) -> list[tuple[str, ...]]:
    return [line for line in getattr(board.edges, key) if len(line) == 2 and not board.sectors.keys() >= set(line)]


# ---------------------------------------------------------------------- ways

Steps = dict[str, set[str]]


def _lines_of(board: Map) -> Steps:
    edges = board.edges
    steps: Steps = {}
    for start, end in (*edges.forward, *edges.retreat, *edges.lateral, *((b, a) for a, b in edges.lateral)):
        steps.setdefault(start, set()).add(end)
    return steps


def _steps(board: Map, alone: bool = True) -> Steps:
    """The lines, without those out of Bunkers where a Unit is safe, be it alone or with others."""
    on = alone and board.conquer == "each" and board.least_seats == 1
    safe = {id for id in _final(board) if not on and not board.sectors[id].go_on}
    return {start: ends for start, ends in _lines_of(board).items() if start not in safe}


def _reached(steps: Steps, begin: Iterable[str], shut: Iterable[str] = ()) -> set[str]:
    """Where one can come from there, without entering what is shut."""
    found, closed = set(begin), set(shut)
    todo = list(found)
    while todo:
        new = steps.get(todo.pop(), set()) - found - closed
        found |= new
        todo += new
    return found


def _begin(board: Map) -> list[str]:
    return [id for id, sector in board.sectors.items() if sector.start]


def _final(board: Map) -> set[str]:
    """The Bunkers that can be conquered."""
    return {id for id, sector in board.sectors.items() if sector.bunker and not sector.passage}


def _unreached(board: Map, meant: Map) -> Found:
    """Where a line names a Sector that is not there only the Sector at its other end is told, not all behind it; and
    where there is no start or no Bunker only that, not what follows from it.
    """
    begin, final, lines, read = _begin(board), _final(board), _lines_of(meant), _lines_of(_read(board))
    drawn, home = _reached(lines, begin), _reached(_back(lines), final)
    strange = [line for key in ("forward", "lateral", "retreat") for line in _strange(board, key)]
    drawn -= {end for _, end in strange} - _reached(read, begin)
    home -= {start for start, _ in strange} - _reached(_back(read), final)
    there, together = _reached(_steps(meant), begin), _reached(_steps(meant, alone=False), begin)
    if not begin:
        yield ("sectors",), NO_START
        drawn = there = together = {*board.sectors}
    if not final:
        yield ("sectors",), NO_BUNKER
        home = {*board.sectors}
    for id in board.sectors:
        if id not in drawn:
            what = "no way leads to this Bunker" if id in final else "nobody can come here"
            yield ("sectors", id), f"{what} from a start"
        elif id not in there:
            yield ("sectors", id), "nobody can come here: a Unit that has conquered a Bunker stays there"
        elif id not in home:
            yield ("sectors", id), "dead end: no way leads from here to a Bunker"
        elif board.conquer == "each" and id in final - together:
            what = "several Units cannot come here: each that has conquered a Bunker stays there"
            yield ("sectors", id), what


def _back(steps: Steps) -> Steps:
    back: Steps = {}
    for start, ends in steps.items():
        for end in ends:
            back.setdefault(end, set()).add(start)
    return back


def _barred(board: Map, cards: dict[str, Card]) -> Found:
    """Bunkers behind Barriers that nobody can cross: cards that can are in no list, nor lie or stand before them."""
    shut = {frozenset(line) for line in board.edges.barriers}
    steps, begin, final = _steps(board), _begin(board), _final(board)
    open_: Steps = {
        start: {end for end in ends if frozenset((start, end)) not in shut} for start, ends in steps.items()
    }
    there = _reached(open_, begin)
    if final & there or not final & _reached(steps, begin):
        return
    before = replace(board, sectors={id: one for id, one in board.sectors.items() if id in there})
    vehicles = {card for one in before.sectors.values() for line in (one, *one.random) for card in line.vehicles}
    for id in (_to_be_had(before, cards) | vehicles) & cards.keys():
        ops = (op for ability in cards[id].abilities for op in ability.ops)
        if any(getattr(op, "question", "") == "barrier_stops" for op in ops):
            return
    what = "every way to a Bunker is barred, and no card that crosses Barriers is in a list or lies before them"
    yield ("edges", "barriers"), what


def _no_way_between(board: Map) -> Found:
    out, final = _steps(board), _final(board)
    if board.conquer == "each" and board.least_seats == 1 and len(final) > 1:
        if not any(final <= _reached(out, [id]) for id in final):
            yield ("conquer",), "alone, no way leads from one Bunker to the others"


def _never_open(board: Map) -> Found:
    """Bunkers that wait for each other, or for one that lies behind them."""
    out, final, fallen = _steps(board), _final(board), set[str]()
    if not _begin(board):
        return
    waits = {id: sector.opens_after for id, sector in board.sectors.items() if sector.opens_after}
    while True:
        shut = {id for id, other in waits.items() if other not in fallen}
        new = _reached(out, _begin(board), shut) & final
        if new == fallen:
            break
        fallen = new
    for id, other in waits.items():
        if id in shut and other in board.sectors:
            yield ("sectors", id, "opens_after"), f"it would never open: nobody can conquer {other!r} before"


def _too_late(board: Map, cards: dict[str, Card], alone: bool) -> Found:
    """Specialists who join, and explosives that lie, only where nobody comes without them; with `alone` also what only
    one who plays alone lacks.
    """
    told = dict(_late(board, cards))
    yield from told.items()
    solo = {id: card for id, card in cards.items() if card.solo}
    for where, what in _late(_for_one(board, cards), solo) if alone else ():
        if where not in told:
            yield where, f"alone, {what}"


def _late(board: Map, cards: dict[str, Card]) -> Found:
    sectors, out, begin = board.sectors, _steps(board), _begin(board)
    rare = _only_joining(board, cards)
    anywhere = {
        *_specialists(board, board.cards, cards),
        *_items(replace(board, sectors={}), board.cards, cards),
    } - rare
    there, lying = _reached(out, begin), _icons({*anywhere, *_brought(sectors.values())}, cards)
    reached: set[str] = set(begin)
    while True:
        having = anywhere | _brought(sectors[id] for id in reached)
        icons, missing = _icons(having, cards), rare - having
        asking = {id for id, one in sectors.items() if missing & {*one.requires, one.sacrifice}}
        doors = [id for id, one in sectors.items() if one.door and icons < one.door.explosives <= lying]
        new = _reached(out, begin, {*asking, *doors})
        if new == reached:
            break
        reached = new
    asked = {card for one in sectors.values() for card in (*one.requires, one.sacrifice)}
    for id in sectors:
        joining = sectors[id].joins
        if joining and joining.specialist in missing & asked and id in there:
            yield (
                ("sectors", id, "joins"),
                f"nobody comes here without {joining.specialist!r}, and he joins nowhere else",
            )
        if id in doors and id in there:
            what = f"all cards that can be had before it together have {icons} explosive icons"
            yield ("sectors", id, "door"), what


def _only_joining(board: Map, cards: dict[str, Card]) -> set[str]:
    """Specialists who can be had nowhere but where they join."""
    joins = [one.joins for one in board.sectors.values() if one.joins]
    return {one.specialist for one in joins if one.only and _one_in_play(one.specialist, cards)}


def _one_in_play(card: str, cards: dict[str, Card]) -> bool:
    """Is there one of this Specialist for all? Of the others each Unit has its own."""
    return card in cards and cards[card].kind in ("unique-specialist", "ranking-specialist")


def _brought(sectors: Iterable[Sector]) -> set[str]:
    """Specialists who join in these Sectors, and Items that lie there."""
    some = [*sectors]
    lying = {card for one in some for line in (one, *one.random) for card in line.items}
    return lying | {one.joins.specialist for one in some if one.joins}


def _icons(having: Iterable[str], cards: dict[str, Card]) -> int:
    return sum(cards[card].explosive for card in having if card in cards)


def _no_way_up(board: Map) -> Found:
    for id, one in board.sectors.items():
        if one.climb and not any(line[0] == id for line in board.edges.forward):
            yield ("sectors", id, "climb"), "no way leads up from here"


ON_ENTRY = ("items", "items_alone", "award", "on_entry", "door", "requires", "sacrifice", "entry", "joins", "random")
"""Attributes that only act on a Unit that moves in."""


def _never_entered(board: Map) -> Found:
    """What would happen on moving in, where Units start and no line leads."""
    entered = {end for ends in _steps(board).values() for end in ends}
    plain = Sector((0,))
    for id, one in board.sectors.items():
        for key in ON_ENTRY if one.start and id not in entered else ():
            if getattr(one, key) != getattr(plain, key):
                yield ("sectors", id, key), "it would never happen: Units start here, and nobody moves in"


def _never_on(board: Map) -> Found:
    """Bunkers after which one may go on, where no way leads to another."""
    lines = _lines_of(board)
    for id, one in board.sectors.items():
        if one.go_on and not any(board.sectors[end].bunker for end in lines.get(id, set()) - {id}):
            yield ("sectors", id, "go_on"), "nobody goes on: no way leads from here to another Bunker"


def _no_room(board: Map) -> Found:
    if 0 < board.room < board.least_seats:
        yield ("least_seats",), f"the Sectors where Units start have room for {board.room}"


def _no_battle_cry(board: Map, cards: dict[str, Card]) -> Found:
    """Sectors that are entered by a Battle Cry only, and none before them where a Unit can obtain one."""
    steps, sectors = _steps(board), board.sectors
    ops = [op for card in _to_be_had(board, cards) & cards.keys() for op in _ops_of(cards[card])]
    by_card, helped = any(_leads_on(op) for op in ops), any(_helps_dice(op) for op in ops)
    for id, one in sectors.items():
        before = [sectors[start] for start, ends in steps.items() if id in ends] if one.entry == "battle-cry" else []
        if before and all(there.climb or not (by_card or _dice_cry(there, helped)) for there in before):
            yield ("sectors", id, "entry"), "nobody comes here: no Sector before it can be left by a Battle Cry"


def _dice_cry(one: Sector, helped: bool) -> bool:
    """May the dice of this Sector make a Battle Cry? That takes three results with a colour."""
    lines = (one, *one.random)
    tinted = any(line.bonus_colour == "choice" for line in lines)
    return one.battle_cry and (helped or one.dice + tinted * sum(_added(line) for line in lines) >= 3)


def _lines(board: Map) -> Found:
    rank = {id: n for n, row in enumerate(board.rows) for id in row.sectors}
    for key, good, says in (
        ("forward", gt, "a forward line leads to a higher row"),
        ("lateral", eq, "a lateral line stays in its row"),
        ("retreat", lt, "a way back leads to a lower row"),
    ):
        for n, line in enumerate(getattr(board.edges, key)):
            if len(line) == 2 and rank.keys() >= set(line) and not good(rank[line[1]], rank[line[0]]):
                yield ("edges", key, n), f"{line[0]}-{line[1]}: {says}"


def _lines_twice(board: Map) -> Found:
    for n, line in enumerate(board.edges.lateral):
        if len(line) == 2 and line[0] == line[1]:
            yield ("edges", "lateral", n), f"{line[0]}-{line[1]}: a line leads to another Sector"
    for line, times in Counter(board.edges.retreat).items():
        if times > 1:
            yield ("edges", "retreat"), f"{'-'.join(line)} is there {times} times"
    for key in ("landmines", "barriers"):
        for there, times in Counter(frozenset(line) for line in getattr(board.edges, key)).items():
            if times > 1:
                yield ("edges", key), f"{'-'.join(sorted(there))} is there {times} times"
    both = Counter(frozenset(line) for line in (*board.edges.forward, *board.edges.lateral) if len(line) == 2)
    for there, times in both.items():
        if times > 1:
            yield ("edges",), f"the line {'-'.join(sorted(there))} is there {times} times"


def _starts(board: Map) -> Found:
    for row in board.rows[1:]:
        for id in row.sectors:
            if board.sectors[id].start:
                yield ("sectors", id, "start"), "Units start in the lowest row"


# ---------------------------------------------------------------------- attributes

Contradiction = tuple[tuple[Path_, ...], str]
"""The keys of a Sector that do not go together, the first of them where it is told, and what is wrong."""


def _contradictions(one: Sector) -> Iterator[Contradiction]:
    def clash(what: str, *keys: str) -> Contradiction:
        return tuple((key,) for key in keys), what

    final = one.bunker and not one.passage
    if one.special_damage and not one.mgf:
        yield clash("there is no Machine Gun Fire here", "special_damage", "mgf")
    elif one.special_damage == SpecialDamage():
        yield clash("it costs nothing: expected courage or specialists", "special_damage")
    if len(one.defence) > 1:
        if one.shield == "black":
            yield clash("nobody stays here for a second combat: expected one value", "def", "shield")
        elif one.fights == "once":
            yield clash("there is one combat only: expected one value", "def", "fights")
        elif final:
            yield clash("a Bunker is conquered in one combat: expected one value", "def", "bunker", "passage")
    if one.shield == "black" and one.stay == "unlimited":
        yield clash("the black shield says that nobody can stay", "stay", "shield")
    if one.fights == "once" and final:
        yield clash("a Bunker is conquered in one combat anyway", "fights", "bunker", "passage")
    if one.climb and one.climb.skulls > one.dice:
        yield clash(f"only {one.dice} dice are rolled here", "climb", "dice")
    if one.of_a_kind and not one.of_a_kind.soldiers:
        yield clash("it brings nothing and costs nothing: expected Soldiers", "of_a_kind")
    if one.start and one.bunker:
        yield clash("nobody starts in a Bunker", "start", "bunker")
    if one.start and not one.start.soldiers and not one.start.specialists:
        yield clash("nobody starts here: expected Soldiers or Specialists", "start")
    known = {field.metadata.get("key", name) for name, field in Sector.__dataclass_fields__.items()}
    for name in one.reconstructed:
        if name not in known:
            yield clash(f"unknown attribute {name!r}", "reconstructed")
    yield from _printed(one, one, ())
    for n, result in enumerate(one.random):
        yield from _printed(one, result, ("random", n))


def _printed(sector: Sector, said: Attributes, path: Path_) -> Iterator[Contradiction]:
    """Of what a Sector prints itself, or a line of its table that is added to that."""
    if said.vehicles and (sector.bunker or sector.climb):
        yield ((*path, "vehicles"), ("bunker",), ("climb",)), "no Vehicle can be here"
    elif said.vehicles and not sector.find_items:
        yield (("find_items",), (*path, "vehicles")), "a Vehicle is found like an Item"
    bonus, penalty = {*sector.bonus, *said.bonus}, {*sector.penalty, *said.penalty}
    for face in sorted(bonus & penalty & {*said.bonus, *said.penalty}):
        key, other = ("penalty", "bonus") if face in said.penalty else ("bonus", "penalty")
        yield ((*path, key), (*path, other), (other,)), f"{face} is a {other} as well"
    if said.locked_dice is not None and said.locked_dice > sector.dice:
        yield ((*path, "locked_dice"), ("dice",)), f"only {sector.dice} dice are rolled here"


def _vehicles_lying(sector: Sector, cards: dict[str, Card]) -> Iterator[Contradiction]:
    """Vehicles among the Items that lie where none can be."""
    lying: dict[Path_, tuple[str, ...]] = {("items",): sector.items, ("items_alone",): sector.items_alone or ()}
    lying |= {("random", n, "items"): line.items for n, line in enumerate(sector.random)}
    for key, items in lying.items() if sector.bunker or sector.climb else ():
        if any(cards[card].kind == "vehicle" for card in items if card in cards):
            yield (key, ("bunker",), ("climb",)), "no Vehicle can be here"


def _never_fires(board: Map) -> Found:
    """Guns that fire on nobody, or are silent from the beginning."""
    for n, guns in enumerate(board.barrage):
        if not guns.sectors:
            yield ("barrage", n, "sectors"), "expected the Sectors on which the guns fire"
        if guns.until in _begin(board):
            yield ("barrage", n, "until"), f"Units start in {guns.until!r}: the guns would never fire"


def _never_alike(board: Map, cards: dict[str, Card]) -> Found:
    """Sectors that ask for more equal results than a Final Tally can have: those of six dice, of all cards and of the
    Sector, and with each RWB, which takes three of them, at most two more.
    """
    ops = (op for card in cards for op in _ops_of(cards[card]))
    by_cards = sum(op.count * (3 if op.colour == "rwb" else 1) for op in ops if isinstance(op, AddResult))
    for id, one in board.sectors.items():
        most = 3 * (6 + by_cards + sum(_added(line) for line in (one, *one.random)))
        if one.of_a_kind and one.of_a_kind.at_least > most:
            yield ("sectors", id, "of_a_kind"), "no tally has so many equal results"


def _added(said: Attributes) -> int:
    """How many results the Sector adds to a tally."""
    return sum(said.bonus.values())


def _no_combat(board: Map) -> Found:
    raised = {id for barrage in board.barrage for id in barrage.sectors}
    for id, one in board.sectors.items():
        fire = one.mgf or any(line.shelling for line in (one, *one.random)) or id in raised
        if one.fights == "once" and one.defence and not any(one.defence) and not fire:
            yield ("sectors", id, "fights"), "there is no combat here: DEF is 0, and there is no Machine Gun Fire"


# ---------------------------------------------------------------------- cards


def _lying(board: Map) -> Found:
    """An Item lies in one place. Alone, `items_alone` take the place of `items`; of the lines of a table one holds."""
    yield from dict.fromkeys((*_lying_twice(board, alone=False), *_lying_twice(board, alone=True)))


def _lying_twice(board: Map, alone: bool) -> Found:
    places: dict[str, list[Path_]] = {}
    for id, one in board.sectors.items():
        key = "items_alone" if alone and one.items_alone is not None else "items"
        for card in getattr(one, key):
            places.setdefault(card, []).append(("sectors", id, key))
        for n, line in enumerate(one.random):
            for card in line.items:
                places.setdefault(card, []).append(("sectors", id, "random", n, "items"))
    for card, paths in places.items():
        sectors, tables = {path[1] for path in paths}, {path[1] for path in paths if "random" in path}
        says = f"lies in {len(sectors)} Sectors, and there is one" if len(sectors) > 1 else "lies here more than once"
        if len(tables) + sum("random" not in path for path in paths) > 1:
            yield from ((path, f"{card!r} {says}") for path in dict.fromkeys(paths))


def _named_twice(board: Map) -> Found:
    for id, one in board.sectors.items():
        yield from _twice(("sectors", id, "requires"), one.requires)
        if one.start:
            yield from _twice(("sectors", id, "start", "specialists"), one.start.specialists)
    for name, level in board.levels.items():
        yield from _twice(("levels", name, "results"), level.results)


def _twice(where: Path_, names: Iterable[str]) -> Found:
    for name, times in Counter(names).items():
        if times > 1:
            yield where, f"{name!r} is there {times} times"


def _demands(board: Map, cards: dict[str, Card], all_read: bool, alone: bool) -> Found:
    """Cards that Sectors ask for and nobody can have, on the map as it is and at each of its levels; with `alone` also
    those that only one who plays alone cannot have.
    """
    unmet = _unmet_by_anybody(board, Level(), cards, all_read, alone)
    yield from unmet.items()
    for name, level in board.levels.items():
        for where, what in _unmet_by_anybody(board, level, cards, all_read, alone).items() if level.attributes else ():
            if where not in unmet:
                yield ("levels", name), f"in Sector {where[1]!r}, {where[2]}: {what}"
    if board.edition == "second" and all_read:
        yield from _too_many(board, cards)


def _unmet_by_anybody(
    board: Map, level: Level, cards: dict[str, Card], all_read: bool, alone: bool
) -> dict[Path_, str]:
    here, gone = "of this map" if level == Level() else "at this level", {*_not_alone(cards)}
    unmet = dict(_unmet(board, level, cards, set(), all_read, here))
    lone = _unmet(_for_one(board, cards), level, cards, gone, all_read, here) if alone else ()
    return {where: f"alone, {what}" for where, what in lone} | unmet


def _unmet(board: Map, level: Level, cards: dict[str, Card], gone: set[str], all_read: bool, here: str) -> Found:
    """Some of the cards are `gone`: they are not there in solitaire."""
    lists = level.cards or board.cards
    some = _specialists(board, lists, cards) - gone
    icons = _icons({*some, *_items(board, lists, cards)} - gone if level.items else some, cards)
    for id, one in board.sectors.items():
        asked: list[tuple[Path_, str]] = [(("requires", n), name) for n, name in enumerate(one.requires)]
        for key, name in [*asked, (("sacrifice",), one.sacrifice)]:
            if name in cards and cards[name].is_specialist and name not in some:
                why = "it is not there in solitaire" if name in gone else f"it is on no list {here}"
                yield ("sectors", id, *key), f"nobody can have the card {name!r}: {why}"
        if one.sacrifice == "any" and not some:
            why = f"none on a list {here} is there in solitaire" if gone else f"none is on a list {here}"
            yield ("sectors", id, "sacrifice"), f"nobody can have a Specialist: {why}"
        if one.door and one.door.explosives > icons and all_read:
            yield ("sectors", id, "door"), f"all cards {here} together have {icons} explosive icons"


def _not_alone(cards: dict[str, Card]) -> list[str]:
    """Cards that are not there in solitaire."""
    return [id for id, card in cards.items() if not card.solo]


def _for_one(board: Map, cards: dict[str, Card]) -> Map:
    """As the board lies for one Unit alone: with the Items for it, and without cards that are not there then."""
    gone = {*_not_alone(cards)}
    sectors = {}
    for id, one in board.sectors.items():
        items = one.items if one.items_alone is None else one.items_alone
        table = tuple(
            replace(line, items=tuple(card for card in line.items if card not in gone)) for line in one.random
        )
        joins = None if one.joins and one.joins.specialist in gone else one.joins
        items = tuple(card for card in items if card not in gone)
        sectors[id] = replace(one, items=items, items_alone=None, random=table, joins=joins)
    return replace(board, sectors=sectors)


def _specialists(board: Map, lists: CardLists, cards: dict[str, Card]) -> set[str]:
    """Those whom a Unit may have."""
    if board.edition == "second":
        return {card.id for card in cards.values() if card.is_specialist}
    return {*lists.specialists_regular, *lists.specialists_unique}


def _lost_specialists(board: Map, cards: dict[str, Card]) -> Found:
    """Who join or start with a Unit, and cannot."""
    some, only = _specialists(board, board.cards, cards), _only_joining(board, cards)
    for id, one in board.sectors.items():
        if one.joins and (name := one.joins.specialist) in cards and cards[name].is_specialist:
            if name not in some:
                yield ("sectors", id, "joins"), f"{name!r} is on no list of this map and would never join"
            if one.joins.only and not _one_in_play(name, cards):
                what = f"each Unit has {name!r} of its own: only a Unique or Ranking Specialist can be had nowhere else"
                yield ("sectors", id, "joins", "only"), what
        for n, name in enumerate(one.start.specialists if one.start else ()):
            where: Path_ = ("sectors", id, "start", "specialists", n)
            if name in cards and cards[name].is_specialist and name not in some:
                yield where, f"{name!r} is on no list of this map: nobody starts with it"
            elif name in only:
                yield where, f"{name!r} joins elsewhere and can be had nowhere else: nobody starts with it"
    yield from _lost_at_levels(board, cards)


def _lost_at_levels(board: Map, cards: dict[str, Card]) -> Found:
    for level, said in board.levels.items() if board.edition == "first" else ():
        some = _specialists(board, said.cards or board.cards, cards)
        for id, one in board.sectors.items():
            for name in dict.fromkeys(one.start.specialists) if one.start else ():
                if name in _specialists(board, board.cards, cards) - some:
                    what = f"in Sector {id!r}, start: {name!r} is on no list at this level: nobody starts with it"
                    yield ("levels", level), what


def _start_with_nobody(board: Map, cards: dict[str, Card], alone: bool) -> Found:
    """Sectors where Units start without Soldiers, and not all that can start there get a Specialist."""
    starts = {id: one.start for id, one in board.sectors.items() if one.start}
    named = Counter(card for start in starts.values() for card in {*start.specialists})
    for id, start in starts.items():
        those = [card for card in start.specialists if card in cards and cards[card].is_specialist]
        if start.soldiers or len(those) < len(start.specialists) or not those:
            continue
        single = board.sectors[id].max_units == 1 and any(named[card] == 1 for card in those)
        if not single and all(_one_in_play(card, cards) for card in those):
            what = "a Unique or Ranking Specialist goes to one Unit only, and others start here with nobody"
            yield ("sectors", id, "start"), f"{what}: expected Soldiers or a Regular Specialist"
        elif alone and not any(cards[card].solo for card in those):
            what = "alone, nobody starts here: these Specialists are not there in solitaire"
            yield ("sectors", id, "start"), what


def _items(board: Map, lists: CardLists, cards: dict[str, Card]) -> set[str]:
    """Items that can be found, and those that lie somewhere."""
    lying = {card for one in board.sectors.values() for line in (one, *one.random) for card in line.items}
    found = {card.id for card in cards.values() if card.kind == "regular-item"}
    return found | {*lists.items_special} | lying


def _to_be_had(board: Map, cards: dict[str, Card]) -> set[str]:
    """Cards that a Unit may have if it wants: Awards only where one can be chosen."""
    chosen = any(line.award == "choice" for one in board.sectors.values() for line in (one, *one.random))
    awards = {card.id for card in cards.values() if card.kind == "award" and chosen}
    return _specialists(board, board.cards, cards) | _items(board, board.cards, cards) | awards


def _ops_of(card: Card) -> Iterator[Op]:
    """What a card does; of what it lets choose, all of it."""
    todo = [op for ability in card.abilities for op in ability.ops]
    while todo:
        op = todo.pop()
        yield op
        todo += [one for branch in op.of for one in branch.ops] if isinstance(op, Choose) else []


def _helps_dice(op: Op) -> bool:
    """Where few dice are rolled, may a Unit have a whole tally through this op, or results that make an RWB?"""
    if isinstance(op, AddResult):
        return op.colour != "none"
    if isinstance(op, Modify):
        return op.question == "dice_to_roll"
    return isinstance(op, CopyTally | RepeatTally | GrantRwb)


def _leads_on(op: Op) -> bool:
    """May a Unit leave by a Battle Cry, or as if by one, through this op?"""
    return isinstance(op, FreeMove) or (isinstance(op, GrantRwb) and op.face in ("courage", "choice"))


LIMITS = {
    "unique-specialist": "there is one Unique Specialist in play",
    "reserve-specialist": "a Unit has one Reserve Specialist",
}
"""Kinds of which the second edition lets a Unit have one at a time."""


def _too_many(board: Map, cards: dict[str, Card]) -> Found:
    """Specialists who cannot be together, unless Units start with them."""
    given = {card for one in board.sectors.values() if one.start for card in one.start.specialists}
    for id, one in board.sectors.items():
        for kind, says in LIMITS.items():
            asked = {name for name in one.requires if name in cards and cards[name].kind == kind}
            if len(asked) > 1 and not asked <= given:
                names = ", ".join(repr(name) for name in sorted(asked))
                yield ("sectors", id, "requires"), f"nobody can have {names} together: {says} at a time"


# ---------------------------------------------------------------------- drawing


def _drawing(board: Map) -> Found:
    plain = Drawing()
    for row in board.rows:
        drawn = [(id, board.sectors[id].drawing) for id in row.sectors]
        for id, one in drawn:
            if one.col < 0 or one.width < 1 or one.col + one.width > COLUMNS:
                yield ("sectors", id, "drawing"), f"expected it within the {COLUMNS} columns of the board"
        if all((one.col, one.width) == (plain.col, plain.width) for _, one in drawn):
            continue  # nothing is said: the row is shared out evenly
        for (left, one), (right, other) in pairwise(drawn):
            if one.col + one.width > other.col:
                yield ("sectors", right, "drawing"), f"drawn over Sector {left!r}"
