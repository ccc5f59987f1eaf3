"""What can be wrong with a board that is well written: Bunkers out of reach, dead ends, demands that nobody can meet,
attributes that contradict each other, Sectors drawn over each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import eq, gt, lt

from .schema import Card, Drawing, Edges, Map, Sector
from .toml import Path_

Found = Iterator[tuple[Path_, str]]
COLUMNS = 12
PLACES = ("start", "bunker", "passage", "climb", "drawing")
"""What of a Sector the board as a whole depends on."""


def board_faults(board: Map, cards: dict[str, Card], gone: Sequence[Path_] = ()) -> Found:
    """(where, what) for all of it. `cards` are those of the edition. What could not be read of the board is `gone`:
    nothing is said that may be wrong only for that.
    """
    board = _without_strangers(board)
    sectors = [path for path in gone if path[:1] == ("sectors",)]
    spoiled = {path[1] for path in sectors if len(path) > 1}
    for id, sector in board.sectors.items():
        if id not in spoiled:
            yield from ((("sectors", id, key), what) for key, what in _contradictions(board, id, sector))
    for key in ("specialists_regular", "specialists_unique", "items_special"):
        for card, times in Counter(getattr(board.cards, key)).items():
            if times > 1 and not board.parts:
                yield ("cards", key), f"{card!r} is there {times} times"
    if not sectors and ("cards",) not in {path[:1] for path in gone}:
        yield from _demands(board, cards)
    if {"rows", "edges"} & {path[0] for path in gone if path} or any(
        len(path) < 3 or path[2] in PLACES for path in sectors
    ):
        return
    yield from _ways(board)
    if not board.parts:  # of a joined board these hold on each of its parts
        yield from _lines(board)
        yield from _drawing(board)


def _without_strangers(board: Map) -> Map:
    """Without lines and places in rows of Sectors that the board does not have; that is said elsewhere."""
    known = board.sectors.keys()
    lines = {
        key: tuple(line for line in getattr(board.edges, key) if len(line) == 2 and known >= set(line))
        for key in ("forward", "lateral", "landmines", "barriers", "retreat")
    }
    rows = tuple(replace(row, sectors=tuple(id for id in row.sectors if id in known)) for row in board.rows)
    return replace(board, edges=Edges(**lines), rows=rows)


# ---------------------------------------------------------------------- ways


def _reached(steps: dict[str, set[str]], begin: Iterable[str]) -> set[str]:
    found = set(begin)
    todo = list(found)
    while todo:
        new = steps.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return found


def _ways(board: Map) -> Found:
    edges = board.edges
    lines = [*edges.forward, *edges.retreat, *edges.lateral, *((b, a) for a, b in edges.lateral)]
    out: dict[str, set[str]] = {}
    back: dict[str, set[str]] = {}
    for start, end in lines:
        out.setdefault(start, set()).add(end)
        back.setdefault(end, set()).add(start)
    final = [id for id, sector in board.sectors.items() if sector.bunker and not sector.passage]
    there = _reached(out, (id for id, sector in board.sectors.items() if sector.start))
    home = _reached(back, final)
    for id in board.sectors:
        if id not in there:
            what = "no way leads to this Bunker" if id in final else "nobody can come here"
            yield ("sectors", id), f"{what} from a start"
        elif id not in home:
            yield ("sectors", id), "dead end: no way leads from here to a Bunker"
    if board.conquer == "each" and board.least_seats == 1 and len(final) > 1:
        if not any(set(final) <= _reached(out, [id]) for id in final):
            yield ("conquer",), "alone, no way leads from one Bunker to the others"


def _lines(board: Map) -> Found:
    rank = {id: n for n, row in enumerate(board.rows) for id in row.sectors}
    for key, good, says in (
        ("forward", gt, "a forward line leads to a higher row"),
        ("lateral", eq, "a lateral line stays in its row"),
        ("retreat", lt, "a way back leads to a lower row"),
    ):
        for n, (start, end) in enumerate(getattr(board.edges, key)):
            if rank.keys() >= {start, end} and not good(rank[end], rank[start]):
                yield ("edges", key, n), f"{start}-{end}: {says}"
    for key in ("landmines", "barriers"):
        for line, times in Counter(frozenset(line) for line in getattr(board.edges, key)).items():
            if times > 1:
                yield ("edges", key), f"{'-'.join(sorted(line))} is there {times} times"
    both = Counter(frozenset(line) for line in (*board.edges.forward, *board.edges.lateral))
    for line, times in both.items():
        if times > 1:
            yield ("edges",), f"the line {'-'.join(sorted(line))} is there {times} times"


# ---------------------------------------------------------------------- attributes


def _contradictions(board: Map, id: str, one: Sector) -> Iterator[tuple[str, str]]:
    """(key, what) for attributes of a Sector that do not go together."""
    if one.special_damage and not one.mgf:
        yield "special_damage", "there is no Machine Gun Fire here"
    if len(one.defence) > 1:
        if one.shield == "black":
            yield "def", "nobody stays here for a second combat: expected one value"
        elif one.fights == "once":
            yield "def", "there is one combat only: expected one value"
        elif one.bunker and not one.passage:
            yield "def", "a Bunker is conquered in one combat: expected one value"
    if one.shield == "black" and one.stay == "unlimited":
        yield "stay", "the black shield says that nobody can stay"
    if one.fights == "once" and one.bunker and not one.passage:
        yield "fights", "a Bunker is conquered in one combat anyway"
    if one.vehicles and (one.bunker or one.climb):
        yield "vehicles", "no Vehicle can be here"
    elif one.vehicles and not one.find_items:
        yield "find_items", "a Vehicle is found like an Item"
    for face in one.bonus.keys() & one.penalty.keys():
        yield "penalty", f"{face} is a bonus as well"
    if one.locked_dice is not None and one.locked_dice > one.dice:
        yield "locked_dice", f"only {one.dice} dice are rolled here"
    if one.climb and one.climb.skulls > one.dice:
        yield "climb", f"only {one.dice} dice are rolled here"
    if one.climb and not any(line[0] == id for line in board.edges.forward):
        yield "climb", "no way leads up from here"
    if one.start and one.bunker:
        yield "start", "nobody starts in a Bunker"
    if one.start and not board.parts and any(id in row.sectors for row in board.rows[1:]):
        yield "start", "Units start in the lowest row"
    if one.opens_after == id:
        yield "opens_after", "it would never open"
    known = {field.metadata.get("key", name) for name, field in Sector.__dataclass_fields__.items()}
    for name in one.reconstructed:
        if name not in known:
            yield "reconstructed", f"unknown attribute {name!r}"


# ---------------------------------------------------------------------- demands


def _demands(board: Map, cards: dict[str, Card]) -> Found:
    lists, sectors = board.cards, board.sectors
    free = {one.joins.specialist for one in sectors.values() if one.joins}
    free |= {card for one in sectors.values() if one.start for card in one.start.specialists}
    if board.edition == "first":
        some = {*lists.specialists_regular, *lists.specialists_unique, *free}
    else:
        some = {card.id for card in cards.values() if card.is_specialist}
    lying = [card for one in sectors.values() for card in one.items]
    items = {card.id for card in cards.values() if card.kind == "regular-item"} | {*lists.items_special, *lying}
    icons = sum(cards[card].explosive for card in (*some, *items) if card in cards)
    for id, one in sectors.items():
        for n, name in enumerate(one.requires):
            if name in cards and name not in some:
                yield ("sectors", id, "requires", n), f"nobody can have the card {name!r}: it is on no list of this map"
        if one.sacrifice in cards and one.sacrifice not in some:
            yield (
                ("sectors", id, "sacrifice"),
                f"nobody can have the card {one.sacrifice!r}: it is on no list of this map",
            )
        if one.door and one.door.explosives > icons:
            yield ("sectors", id, "door"), f"all cards of this map together have {icons} explosive icons"
    for card, times in Counter(lying).items():
        if times > 1:
            for id, one in sectors.items():
                if card in one.items:
                    yield ("sectors", id, "items"), f"{card!r} lies in {times} Sectors, and there is one"


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
