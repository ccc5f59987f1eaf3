"""What every Final Tally of a Unit brings, as arrays: rows of gains, and which rows each roll of the dice may lead to.

A tally is worth what the Unit has afterwards. Results are plain gains. Of an RWB bonus what is a plain gain is one too,
a choice is several rows of which the best counts, and everything else is taken at its worth in Soldiers, as a card.
Skulls leave a choice as well: which dice they cancel. So a roll leads to a few rows, and its value is the greatest of
theirs. Nothing here depends on what a Unit has already, so there are few such tables; they are kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise, product
from operator import add, ge
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..solve import fast
from ..solve.multisets import KEEP, KEEPS, KEPT, ROLLS, Floats, Indices, any_of
from .judgement import AWARD, COURAGE, POINT, STAR, Scene, WorldKey, op_worth, world_of
from .tally import COLOURS, FACES, NONE, POINTS, SKULL, Result
from .tally import COURAGE as COURAGE_FACE
from .tally import STAR as STAR_FACE
from .tally import TOOL as TOOL_FACE

COLUMNS = ("soldiers", "stars", "courage", "points", "cards", "given", "free")
"""What a row holds: resources, the worth of cards, the worth of what others get, and whether the next move is free."""
SOLDIERS, STARS, COURAGES, ITEM_POINTS, CARDS, GIVEN, FREE = range(7)
Row = tuple[float, ...]
NOTHING: Row = (0.0,) * len(COLUMNS)


class Terms(NamedTuple):
    """All on which the gains of a tally depend."""

    key: WorldKey
    nation: str
    dice: tuple[int, int, int] = (2, 2, 2)
    beside: tuple[Result, ...] = ()
    """Results that lie beside the dice, or will when the tally is counted."""
    penalty: tuple[Result, ...] = ()
    """Results that the Sector takes away, as (face, how many)."""
    skulls_ignored: int = 0
    per_rwb: Row = NOTHING
    award: bool = True
    """Is there an Award left for a Straight?"""
    halved: bool = False
    """Do only half of the Soldiers come (A Few Good Men)?"""
    climb: int = 0
    """Skulls that open the way on; no Battle Cry does then."""


class Gains(NamedTuple):
    rows: Floats
    """Row by column: all that a tally may bring."""
    leads: NDArray[Any]
    """Rows, those of the first kind of roll first; in small numbers, as there are many."""
    starts: NDArray[np.int32]
    """Per kind of roll: where its rows begin in `leads`."""
    kinds: NDArray[np.uint16]
    """Per roll: its kind. Rolls of a kind lead to the same rows; there are ten times as many rolls as kinds."""
    shape: tuple[int, ...]

    def best(self, worths: Floats) -> Floats:
        """Per roll: the greatest worth that it may lead to, for `turn.solve`."""
        kernel = fast.ready()
        found: Floats
        if kernel is None:
            found = np.maximum.reduceat(worths.take(self.leads), self.starts).take(self.kinds)
        else:
            found = kernel.greatest(np.ascontiguousarray(worths), self.leads, self.starts, self.kinds)
        return found.reshape(self.shape)


# ---------------------------------------------------------------------- one tally


class Branch(NamedTuple):
    """One way to take a bonus: a row, or a result of any face in a colour."""

    row: Row
    colour: int = NONE


@lru_cache(maxsize=512)
def branches(key: WorldKey, nation: str, face: int) -> tuple[Branch, ...]:
    """The ways to take the bonus of an RWB of this face."""
    ops = world_of(key).nations[nation].rwb[FACES[face]].ops
    return tuple(dict.fromkeys(_branches(ops, key, nation)))


def _branches(ops: tuple[Any, ...], key: WorldKey, nation: str) -> list[Branch]:
    found = [Branch(NOTHING)]
    for op in ops:
        if op.tag == "choose":
            ways = [way for branch in op.of for way in _branches(branch.ops, key, nation)]
        elif (
            op.tag == "add-result"
            and op.face == "choice"
            and op.to == "self"
            and op.colour in (*COLOURS[:NONE], "choice")
        ):
            colours = range(NONE) if op.colour == "choice" else (COLOURS.index(op.colour),)
            ways = [Branch(NOTHING, colour) for colour in colours]
        else:
            ways = [Branch(op_row(op, key, nation))]
        found = [Branch(plus(one.row, way.row), min(one.colour, way.colour)) for one in found for way in ways]
    return found


def op_row(op: Any, key: WorldKey, nation: str) -> Row:
    """One effect as a row."""
    if op.tag == "gain" and not op.per:
        plain = (float(op.soldiers), float(op.stars), float(op.courage), float(op.points), 0.0, 0.0, 0.0)
        if key[2] == 1:  # a gift to another comes to a Unit that is alone
            return NOTHING if op.part == 2 or op.to == "each-other" else plain
        others = op.soldiers + STAR * op.stars + COURAGE * op.courage + POINT * op.points
        given = (0.0, 0.0, 0.0, 0.0, 0.0, others, 0.0)
        if op.to in ("another", "each-other"):
            return given
        return plain if op.to == "self" else plus(plain, given)
    if op.tag == "free-move":
        return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    return (0.0, 0.0, 0.0, 0.0, op_worth(op, Scene(key, nation, 8, 4, 4, 0, 0, 12)), 0.0, 0.0)


@lru_cache(maxsize=256)
def dice_like(terms: Terms) -> tuple[int, int, int]:
    """How many dice of each colour are as good as those, the same for all that are alike: only a result beside the
    dice, or one that a bonus adds, makes a difference between colours.
    """
    unlike = {colour for _, colour in terms.beside}
    for face in range(6):
        added = {way.colour for way in branches(terms.key, terms.nation, face)} - {NONE}
        unlike |= added if len(added) < NONE else set()
    many = iter(sorted((n for colour, n in enumerate(terms.dice) if colour not in unlike), reverse=True))
    red, white, blue = (n if colour in unlike else next(many) for colour, n in enumerate(terms.dice))
    return red, white, blue


def plus(a: Row, b: Row) -> Row:
    return tuple(map(add, a, b))


@lru_cache(maxsize=512)
def bonus(key: WorldKey, nation: str, face: int, per_rwb: Row) -> tuple[list[Row], set[int]]:
    """What an RWB of this face may bring, and the colours in which it may add a result instead."""
    ways = branches(key, nation, face)
    plain = [plus(way.row, per_rwb) for way in ways if way.colour == NONE] or [per_rwb]
    return plain, {way.colour for way in ways if way.colour != NONE} if len(plain) < len(ways) else set()


def outcomes(table: list[int], terms: Terms, led: int = -1) -> list[Row]:
    """What a tally may bring; none of the rows is worse than another in every column.

    `table` counts results by face and colour (`4 * face + colour`), without cancelled dice and with those beside them.
    `led` is a face whose first bonus has been taken already: the result that it gave is in the table.
    """
    nothing = world_of(terms.key).ignored
    red, white, blue, none = table[0::4], table[1::4], table[2::4], table[3::4]
    counts = [a + b + c + d for a, b, c, d in zip(red, white, blue, none, strict=True)]
    rwbs = [*map(min, red, white, blue)]
    for face in nothing:
        counts[face] = rwbs[face] = 0
    for face, taken in terms.penalty:
        counts[face] = max(0, counts[face] - taken)
    soldiers = counts[2] + 2 * counts[3]
    tools = counts[TOOL_FACE]
    found: list[Row] = [
        (float(soldiers), float(counts[STAR_FACE]), float(counts[COURAGE_FACE]), float(POINTS[tools]), 0.0, 0.0, 0.0)
    ]
    added: list[Row] = []
    for face, many in enumerate(rwbs):
        for n in range(many):
            if face == led and n == 0:
                found = [plus(row, terms.per_rwb) for row in found]
                continue
            plain, colours = bonus(terms.key, terms.nation, face, terms.per_rwb)
            for colour in colours if led < 0 and n == 0 else ():
                for more in range(1, 6):
                    joined = list(table)
                    joined[4 * more + colour] += 1
                    added += outcomes(joined, terms, face)
            found = [plus(row, way) for row in found for way in plain]
            if n:  # the same bonuses in another order bring the same
                found = list(dict.fromkeys(found))
    if terms.climb:
        up = float(counts[SKULL] >= terms.climb)
        found, added = ([(*row[:FREE], up) for row in rows] for rows in (found, added))
    if led < 0 and terms.halved:
        found = [(float(int(row[0]) // 2), *row[1:]) for row in found]
        added = [(float(int(row[0]) // 2), *row[1:]) for row in added]
    return _undominated(list(dict.fromkeys(found + added))) if any(rwbs) else found


def _undominated(rows: list[Row]) -> list[Row]:
    if len(rows) == 1:
        return rows
    return [row for row in rows if not any(other != row and all(map(ge, other, row)) for other in rows)]


def table_of(dice: list[Result], beside: list[Result]) -> list[int]:
    table = [0] * 24
    for face, colour in (*dice, *beside):
        table[4 * face + colour] += 1
    return table


# ---------------------------------------------------------------------- all tallies

_COUNTS = np.array([[keep.count(face) for face in range(6)] for keep in KEEPS], dtype=np.int64)


class Tallies(NamedTuple):
    """All keeps of certain dice, with what lies beside them: a keep is also what Skulls may leave of a roll."""

    counts: Indices
    """By keep and face: results."""
    none: Indices
    """By face: those without a colour."""
    rows: list[Row]
    table: Floats
    """The same as an array."""
    lists: list[list[int]]
    """Per kind of keep: its rows."""
    number: Indices
    """Per keep: its kind."""

    def outcomes(self, dice: Iterable[Result]) -> list[int]:
        """What the function `outcomes` has for these dice, each in its own colour, as numbers of rows."""
        faces: tuple[list[int], ...] = ([], [], [])
        for face, colour in dice:
            faces[colour].append(face)
        red, white, blue = (KEEP[tuple(sorted(one))] for one in faces)
        _, whites, blues = self.counts.shape[:3]
        return self.lists[self.number[(red * whites + white) * blues + blue]]


@lru_cache(maxsize=256)
def gains(terms: Terms) -> Gains:
    world = world_of(terms.key)
    dice = terms.dice
    all_ = tallies_of(terms)
    rolled = tuple(slice(KEPT[n] - len(ROLLS[n]), KEPT[n]) for n in dice)
    shape = tuple(len(ROLLS[n]) for n in dice)
    shown = all_.counts[rolled] - all_.none if world.switches.straight_needs_colour else all_.counts[rolled]
    straight = (shown > 0).all(-1) if not world.ignored else np.zeros(shape, dtype=bool)
    if SKULL in world.ignored:
        keeps = np.arange(all_.number.size).reshape(all_.counts.shape[:3])[rolled].reshape(-1)
        begins = np.arange(keeps.size + 1)
    else:
        gifts = [sum(1 for one in terms.beside if one == (SKULL, colour)) for colour in range(3)]
        beside = sum(1 for face, _ in terms.beside if face == SKULL)
        spared = straight if world.switches.straight_skull_ignored else np.zeros(shape)
        keeps, begins = _left_by_skulls(
            dice, beside, terms.skulls_ignored, (gifts[0], gifts[1], gifts[2]), spared.astype(np.int8).tobytes()
        )
    rows, leads, starts = _joined(all_, keeps, begins, straight.reshape(-1) & terms.award)
    found = np.array(rows)
    found.flags.writeable = False  # a judge may remember what it knows of them
    small = np.uint16 if len(rows) < 2**16 else np.int32
    return Gains(found, *_by_kind(leads.astype(small), starts), shape)


def _by_kind(leads: NDArray[Any], starts: Indices) -> tuple[NDArray[Any], NDArray[np.int32], NDArray[np.uint16]]:
    """Rolls that lead to the same rows put together: `Gains.leads`, `starts` and `kinds`."""
    raw = leads.tobytes()
    form: Any = leads.dtype.char
    bounds = [*(starts * leads.itemsize).tolist(), len(raw)]
    lists = [raw[begin:end] for begin, end in pairwise(bounds)]
    known: dict[tuple[int, ...], int] = {}
    kind_of = {
        one: known.setdefault(tuple(dict.fromkeys(memoryview(one).cast(form))), len(known))
        for one in dict.fromkeys(lists)
    }
    begins = np.cumsum([0, *map(len, known)])[:-1]
    flat = np.array([row for one in known for row in one], dtype=leads.dtype)
    return flat, begins.astype(np.int32), np.array([*map(kind_of.__getitem__, lists)], dtype=np.uint16)


def tallies_of(terms: Terms) -> Tallies:
    return _tallies(terms._replace(skulls_ignored=0, award=True))


@lru_cache(maxsize=128)
def _tallies(terms: Terms) -> Tallies:
    """Keeps with the same results and RWBs are alike; where a bonus adds a result, those that the same results would
    complete.
    """
    per_colour = []
    for colour, n in enumerate(terms.dice):
        beside = [sum(1 for one in terms.beside if one == (face, colour)) for face in range(6)]
        per_colour.append(_COUNTS[: KEPT[n]] + np.array(beside))
    none = np.array([sum(1 for one in terms.beside if one == (face, NONE)) for face in range(6)])
    red, white, blue = per_colour[0][:, None, None], per_colour[1][None, :, None], per_colour[2][None, None, :]
    counts = red + white + blue + none
    rwbs = np.minimum(np.minimum(red, white), blue)
    size = counts[..., 0].size
    code = np.zeros(size, dtype=np.int64)
    for face in range(6):
        code = code * 16 + counts[..., face].reshape(-1)
        code = code * 4 + rwbs[..., face].reshape(-1)
    leading, colours = [], set()
    for face in range(6):
        added = {way.colour for way in branches(terms.key, terms.nation, face)} - {NONE}
        if added and face not in world_of(terms.key).ignored:
            leading.append(face)
            colours |= added
    apart = (rwbs[..., leading] > 0).any(-1)
    for colour in sorted(colours):
        more = [one + (n == colour) for n, one in enumerate(per_colour)]
        fuller = np.minimum(np.minimum(more[0][:, None, None], more[1][None, :, None]), more[2][None, None, :]) - rwbs
        for face in range(1, 6):
            code = code * 2 + (fuller[..., face] * apart).reshape(-1)
    _, firsts, number = np.unique(code, return_index=True, return_inverse=True)
    tables = np.empty((len(firsts), 6, 4), dtype=np.int64)
    for colour, places in enumerate(np.unravel_index(firsts, counts.shape[:3])):
        tables[:, :, colour] = per_colour[colour][places]
    tables[:, :, NONE] = none
    rows: dict[Row, int] = {}
    lists = []
    for table in tables.reshape(-1, 24).tolist():
        lists.append([rows.setdefault(row, len(rows)) for row in outcomes(table, terms)])
    return Tallies(counts, none, list(rows), np.array(list(rows)), lists, number.reshape(-1))


@lru_cache(maxsize=64)
def _left_by_skulls(
    dice: tuple[int, int, int], beside: int, ignored: int, gifts: tuple[int, int, int], straight: bytes
) -> tuple[Indices, Indices]:
    """The keeps that Skulls may leave of each roll, those of the first roll first, and where those of each begin.

    `beside` Skulls lie beside the dice, `ignored` cancel nothing, `gifts` are Skulls beside the dice by colour, and
    `straight` tells of each roll how many cancel nothing for that.
    """
    counts = [_COUNTS[: KEPT[n], SKULL] + gifts[colour] for colour, n in enumerate(dice)]
    sizes = [np.array([len(keep) for keep in KEEPS[: KEPT[n]]]) for n in dice]
    shape = tuple(KEPT[n] for n in dice)
    red, white, blue = counts[0][:, None, None], counts[1][None, :, None], counts[2][None, None, :]
    skulls = red + white + blue - sum(gifts)
    size = sizes[0][:, None, None] + sizes[1][None, :, None] + sizes[2][None, None, :]
    rolled = tuple(slice(KEPT[n] - len(ROLLS[n]), KEPT[n]) for n in dice)
    flat = np.arange(size.size).reshape(shape)
    active = skulls[rolled] + beside - ignored
    complete = np.minimum(np.minimum(red, white), blue)[rolled]
    active = np.where(active > 0, active - 3 * complete, 0)
    active = active - np.frombuffer(straight, dtype=np.int8).reshape(active.shape)
    wanted = (size[rolled] - np.clip(active, 0, sum(dice) - skulls[rolled])).reshape(-1)
    ways = []
    for places in product(*(any_of(n, True) for n in dice)):
        at = np.ix_(*places)
        ways.append(np.where(size[at].reshape(-1) == wanted, flat[at].reshape(-1), -1))
    every = np.sort(np.stack(ways), axis=0)
    fresh = every >= 0
    fresh[1:] &= every[1:] != every[:-1]
    return every.T[fresh.T], np.concatenate(([0], np.cumsum(fresh.sum(0))))


def _joined(all_: Tallies, keeps: Indices, begins: Indices, straight: Any) -> tuple[list[Row], Indices, Indices]:
    """From rolls to rows; a Straight brings an Award on top."""
    rows = list(all_.rows)
    lengths = np.array([len(one) for one in all_.lists])
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    flat = np.array([row for one in all_.lists for row in one])
    kinds = all_.number[keeps]
    many = lengths[kinds]
    ends = np.cumsum(many)
    leads = flat[np.arange(ends[-1]) - np.repeat(ends - many, many) + np.repeat(offsets[kinds], many)]
    starts = np.concatenate(([0], ends))[begins[:-1]]
    if straight.any():
        award = (0.0, 0.0, 0.0, 0.0, AWARD * 4 / 3, 0.0, 0.0)
        stops = np.append(starts[1:], len(leads))
        known: dict[int, int] = {}
        for roll in np.flatnonzero(straight).tolist():
            for at in range(starts[roll], stops[roll]):
                row = int(leads[at])
                if row not in known:
                    known[row] = len(rows)
                    rows.append(plus(rows[row], award))
                leads[at] = known[row]
    return rows, leads, starts
