"""What a roll is worth to a Unit, and what it may still become.

Two dice of one colour cannot be told apart, so six dice are three *pairs*, one per colour. A die of a pair shows a
face, is UNKNOWN (about to be rolled) or ABSENT; a pair is a number, and what a Unit's dice are worth on average is
looked up by three numbers. Each table is filled as it is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from operator import getitem
from typing import Any, NamedTuple

FACES = ("skull", "star", "soldier1", "soldier2", "courage", "tool")
SKULL, STAR, SOLDIER1, SOLDIER2, COURAGE, TOOL = range(6)
COLOURS = ("red", "white", "blue", "none")
NONE = 3
DICE = ("R1", "R2", "W1", "W2", "B1", "B2")
HOME = (0, 0, 1, 1, 2, 2)
UNKNOWN, ABSENT = 6, 7
POINTS = (0, 1, 3, 6, 12, 24, *range(48, 1000, 24))
"""Tools of one tally as Item Points."""
MOST = 15
"""Results of one face that are told apart; only a bonus of a board beyond all measure brings more."""
TINY = 1e-9
"""More than sums differ by that are added up in another order."""

PAIRS = tuple(combinations_with_replacement(range(8), 2))
PAIR = {pair: number for number, pair in enumerate(PAIRS)} | {
    (b, a): number for number, (a, b) in enumerate(PAIRS) if a != b
}
FILLED = tuple(
    tuple(PAIR[(b, face) if a == UNKNOWN else (a, face)] for face in range(6)) if UNKNOWN in (a, b) else ()
    for a, b in PAIRS
)
"""Per pair with an unknown die: the pairs that it may become."""

UNKNOWNS = tuple(pair.count(UNKNOWN) for pair in PAIRS)
COUNTS = tuple(sum(pair.count(face) << 4 * face for face in range(6)) for pair in PAIRS)
SHOWN = tuple(sum(1 << face for face in range(6) if face in pair) for pair in PAIRS)
"""Per pair: how many dice show each face, as digits, and which faces there are, as bits."""
FILLINGS = tuple(tuple((COUNTS[pair], SHOWN[pair]) for pair in ways) for ways in FILLED)
"""Both of the pairs that it may become."""

W1, W2, W3, W4, W5, W6 = (n / 36 for n in (1, 3, 5, 7, 9, 11))
"""With two rolls to come a bad die is rolled again: about the better one of two, so higher values weigh more."""

Result = tuple[int, int]
"""(face, colour)"""
Pairs = tuple[int, int, int]


class Tastes(NamedTuple):
    """What results are worth to a Unit now."""

    scale: tuple[tuple[float, ...], ...]
    """Per face: the worth of so many results of it together."""
    rwb: tuple[float, ...]
    """Per face: the worth of its RWB bonus."""
    award: float
    """Of an Award of choice, for a Straight."""
    skulls_ignored: int = 0
    locked_skull: float = 0.0
    """Of each Skull that is Locked."""
    strict: bool = False
    """Results without colour make no Straight, and the Skull of a Straight cancels nothing."""


@lru_cache(maxsize=256)
def steps(first: float, many: int = 0, then: float = 0.0) -> tuple[float, ...]:
    """A scale on which the first so many are worth more than those that follow."""
    return tuple(first * min(n, many) + then * max(0, n - many) for n in range(MOST + 1))


@lru_cache(maxsize=64)
def tool_steps(point: float, coming: int) -> tuple[float, ...]:
    """The scale of Tools, where so many join the tally anyhow."""
    return tuple(point * (POINTS[n + coming] - POINTS[coming]) for n in range(MOST + 1))


def value(t: Tastes, dice: Iterable[Result], beside: Iterable[Result] = (), skulls: bool = True) -> float:
    """Of a Final Tally. Skulls cancel dice, but not the results that lie beside them."""
    table = [0] * 24
    counts = [0] * 6
    real = list(dice)
    for face, colour in real:
        table[4 * face + colour] += 1
        counts[face] += 1
    if beside:
        beside = list(beside)
        for face, colour in beside:
            table[4 * face + colour] += 1
            if colour != NONE or not t.strict:
                counts[face] += 1
    straight = 0 not in counts
    if beside and t.strict:
        for face, colour in beside:
            counts[face] += colour == NONE
    active = counts[SKULL] - t.skulls_ignored if skulls else 0
    if active > 0:
        active -= 3 * min(table[0], table[1], table[2]) + (straight and t.strict)
        for _ in range(active):
            _cancel_the_least(t, table, counts, real)
    total = t.award if straight else 0.0
    for face, many in enumerate(counts):
        if many:
            total += t.scale[face][many if many < MOST else MOST]
            if many > 2:
                at = 4 * face
                if table[at] and table[at + 1] and table[at + 2]:
                    total += t.rwb[face] * min(table[at], table[at + 1], table[at + 2])
    return total


def _cancel_the_least(t: Tastes, table: list[int], counts: list[int], real: list[Result]) -> None:
    """A Skull cancels the die that is missed least."""
    least, lost = None, 0.0
    for die in real:
        face, colour = die
        if face == SKULL:
            continue
        n, at = min(counts[face], MOST), 4 * face
        loss = t.scale[face][n] - t.scale[face][n - 1]
        if table[at + colour] == min(table[at], table[at + 1], table[at + 2]):
            loss += t.rwb[face]
        if least is None or loss < lost:
            least, lost = die, loss
    if least is not None:
        real.remove(least)
        counts[least[0]] -= 1
        table[4 * least[0] + least[1]] -= 1


ONE = (1, 16, 256, 4096)
"""Results of one face are counted in a number with a digit per colour: one more of this colour."""
COLOURED = 4095
"""The digits of real colours."""


def codes_of(results: Iterable[Result]) -> list[int]:
    """Per face: such a number."""
    found = [0] * 6
    for face, colour in results:
        found[face] += ONE[colour]
    return found


def many_of(code: int) -> int:
    """The results that such a number counts."""
    return (code & 15) + (code >> 4 & 15) + (code >> 8 & 15) + (code >> 12)


class _Parts(dict[int, tuple[float, float]]):
    """What so many results of a face are worth by themselves, and their bonuses, by the number that counts them."""

    def __init__(self, scale: tuple[float, ...], rwb: float) -> None:
        self.scale, self.rwb = scale, rwb

    def __missing__(self, code: int) -> tuple[float, float]:
        red, white, blue = code & 15, code >> 4 & 15, code >> 8 & 15
        found = self[code] = self.scale[min(many_of(code), MOST)], self.rwb * min(red, white, blue)
        return found


def _final(t: Tastes, digits: int, common: int) -> float:
    """As `value` of dice alone, in a tenth of the time."""
    scale = t.scale
    counts = [digits >> 4 * face & 15 for face in range(6)]
    straight = 0 not in counts
    total = t.award if straight else 0.0
    active = counts[0] - t.skulls_ignored
    if active > 0:
        if common & 1:
            active -= 3 if counts[0] < 6 else 6
        if straight and t.strict:
            active -= 1
        for _ in range(active):
            least, lost = 0, 1e9
            for face in range(1, 6):
                n = counts[face]
                if n:
                    loss = scale[face][n] - scale[face][n - 1]
                    if common >> face & 1 and n % 3 == 0:
                        loss += t.rwb[face]
                    if loss < lost:
                        least, lost = face, loss
            if least:
                if counts[least] == 3:
                    common &= ~(1 << least)
                counts[least] -= 1
    for face in range(6):
        total += scale[face][counts[face]]
    if common:
        for face in range(6):
            if common >> face & 1:
                total += t.rwb[face] * (2 if counts[face] == 6 else 1)
    return total


class _Finals(dict[tuple[int, int], float]):
    """What dice are worth that are rolled no more, by their COUNTS and the faces that all colours show."""

    def __init__(self, tastes: Tastes) -> None:
        self.tastes = tastes

    def __missing__(self, shown: tuple[int, int]) -> float:
        found = self[shown] = _final(self.tastes, *shown)
        return found


class Outlook:
    """What dice may still become, for a Unit of certain tastes."""

    def __init__(self, tastes: Tastes) -> None:
        self.tastes = tastes
        self._finals = _Finals(tastes)
        self._tables: tuple[dict[Pairs, float], ...] = ({}, {})
        self.parts = tuple(map(_Parts, tastes.scale, tastes.rwb))
        self.rising = min(tastes.rwb) >= 0
        """Is no die worth less than nothing?"""

    def tally(self, codes: Sequence[int], skulls: bool) -> float | None:
        """As `value` of the results that are counted so; None where a Skull would cancel a die."""
        total, strict = 0.0, False
        if 0 not in codes:
            t = self.tastes
            strict = t.strict and all(code & COLOURED for code in codes)
            if strict or not t.strict:
                total = t.award
        skull = codes[SKULL]
        if skulls and skull:
            red, white, blue = skull & 15, skull >> 4 & 15, skull >> 8 & 15
            active = red + white + blue + (skull >> 12) - self.tastes.skulls_ignored
            if active > 0 and active > 3 * min(red, white, blue) + strict:
                return None
        (a, g), (b, h), (c, i), (d, j), (e, k), (f, m) = map(getitem, self.parts, codes)
        return total + a + g + b + h + c + i + d + j + e + k + f + m

    def with_more(self, dice: list[Result], beside: list[Result], more: Iterable[Result], skulls: bool) -> list[float]:
        """What these results come to with one more beside them, for each of those that may join."""
        codes, found = codes_of((*dice, *beside)), []
        for face, colour in more:
            codes[face] += ONE[colour]
            worth = self.tally(codes, skulls)
            codes[face] -= ONE[colour]
            found.append(value(self.tastes, dice, [*beside, (face, colour)], skulls) if worth is None else worth)
        return found

    def final(self, pairs: Pairs) -> float:
        r, w, b = pairs
        return self._finals[COUNTS[r] + COUNTS[w] + COUNTS[b], SHOWN[r] & SHOWN[w] & SHOWN[b]]

    def expected(self, pairs: Pairs, rolls: int) -> float:
        """On average, when the UNKNOWN dice are rolled, with so many rolls to come (1 or 2)."""
        table = self._tables[rolls - 1]
        found = table.get(pairs)
        if found is not None:
            return found
        r, w, b = pairs
        unknown = UNKNOWNS[r] + UNKNOWNS[w] + UNKNOWNS[b]
        if not unknown:
            return self.final(pairs)
        if unknown == 1:
            rolled, one, other = (r, w, b) if FILLED[r] else (w, r, b) if FILLED[w] else (b, r, w)
            finals, counts, shown = self._finals, COUNTS[one] + COUNTS[other], SHOWN[one] & SHOWN[other]
            values = [finals[counts + more, shown & now] for more, now in FILLINGS[rolled]]
        else:
            if FILLED[r]:
                ways = [(pair, w, b) for pair in FILLED[r]]
            elif FILLED[w]:
                ways = [(r, pair, b) for pair in FILLED[w]]
            else:
                ways = [(r, w, pair) for pair in FILLED[b]]
            values = [table[way] if way in table else self.expected(way, rolls) for way in ways]
        if rolls > 1:
            values.sort()
            v1, v2, v3, v4, v5, v6 = values
            found = W1 * v1 + W2 * v2 + W3 * v3 + W4 * v4 + W5 * v5 + W6 * v6
        else:
            found = sum(values) / 6
        table[pairs] = found
        return found


@lru_cache(maxsize=400)
def outlook(tastes: Tastes) -> Outlook:
    return Outlook(tastes)


class _Gained(dict[Result, float]):
    """What one more result brings at most, where no Skull cancels anything."""

    def __init__(self, outlook: Outlook, codes: list[int]) -> None:
        self.outlook, self.codes = outlook, codes

    def __missing__(self, result: Result) -> float:
        face, colour = result
        parts, code, t = self.outlook.parts[face], self.codes[face], self.outlook.tastes
        empty = [n for n, one in enumerate(self.codes) if not (one & COLOURED if t.strict else one)]
        found = sum(parts[code + ONE[colour]]) - sum(parts[code]) + t.award * (empty == [face]) + TINY
        self[result] = found
        return found


class OnTable:
    """Six dice with what lies beside them, and what they would be worth with one of them changed."""

    def __init__(
        self,
        outlook: Outlook,
        faces: Sequence[int],
        colours: Sequence[int],
        out: int,
        beside: tuple[Result, ...],
        skulls: bool,
    ) -> None:
        self.outlook, self.beside, self.skulls = outlook, beside, skulls
        self.dice: list[Result] = list(zip(faces, colours, strict=True))
        self.places = [n for n in range(6) if faces[n] >= 0]
        self.unlike = [n for n in self.places if self.dice.index(self.dice[n]) == n]
        """One of those that show the same in the same colour."""
        self.codes = codes_of((*(self.dice[n] for n in self.places), *beside))
        now = None if out else outlook.tally(self.codes, skulls)
        if now is None:
            now = value(outlook.tastes, [self.dice[n] for n in self.places if not out >> n & 1], beside, skulls)
        self.now = now
        self.home = skulls and not beside and tuple(colours) == HOME
        self.faces = faces
        self.pairs = pairs_of(faces) if self.home else (0, 0, 0)
        self.plain = outlook.rising and not (out or (skulls and self.codes[SKULL]))
        """Does no Skull cancel anything, and could one only do harm?"""
        self.lost: list[float] = []
        self.gained: dict[Result, float]
        self.known: dict[tuple[Any, ...], Any] = {}
        """What others have found out about these dice."""

    def hopeful(self, place: int, results: Sequence[Result], enough: float) -> Sequence[Result]:
        """Those of these results by which `with_die` could be more than enough; all where that is not known."""
        if not self.plain:
            return results
        if not self.lost:
            self.lost, self.gained = [self._without(*die) for die in self.dice], _Gained(self.outlook, self.codes)
        face, own = self.dice[place]
        gained, parts, code = self.gained, self.outlook.parts[face], self.codes[face]
        lacking = enough - self.lost[place]
        return [
            one
            for one in results
            if (
                gained[one] > lacking
                if one[0] != face
                else parts[code - ONE[own] + ONE[one[1]]][1] - parts[code][1] + TINY > enough
            )
        ]

    def _without(self, face: int, colour: int) -> float:
        """What the dice bring more without such a one: less than nothing."""
        if face < 0:
            return 0.0
        parts, code = self.outlook.parts[face], self.codes[face]
        return sum(parts[code - ONE[colour]]) - sum(parts[code])

    def with_die(self, place: int, result: Result) -> float:
        """By how much this is more than now: the die at this place shows something else."""
        if self.home and result[1] == HOME[place]:
            beside = self.faces[place ^ 1]
            pair = PAIR[result[0], beside if beside >= 0 else ABSENT]
            red, white, blue = self.pairs
            then = (pair, white, blue) if place < 2 else (red, pair, blue) if place < 4 else (red, white, pair)
            return self.outlook.final(then) - self.now
        return self.turned(place, result)

    def turned(self, place: int, result: Result) -> float:
        """The same, always, and as `value` adds it up."""
        face, colour = self.dice[place]
        other, another = result
        counted = self.codes.copy()
        counted[face] -= ONE[colour]
        counted[other] += ONE[another]
        found = self.outlook.tally(counted, self.skulls)
        if found is None:
            changed = [result if n == place else self.dice[n] for n in self.places]
            found = value(self.outlook.tastes, changed, self.beside, self.skulls)
        return found - self.now


on_table = lru_cache(maxsize=4096)(OnTable)
"""The same dice are looked at again and again while cards change them."""


def pairs_of(faces: Sequence[int], rolled: int = 0) -> Pairs:
    """Six dice as pairs; those in the mask `rolled` are about to be rolled."""
    shown = [UNKNOWN if rolled >> n & 1 else face if face >= 0 else ABSENT for n, face in enumerate(faces)]
    return PAIR[shown[0], shown[1]], PAIR[shown[2], shown[3]], PAIR[shown[4], shown[5]]


def mask_of(names: str) -> int:
    """The set of dice that a text such as `R1,W2` names."""
    return _MASKS[names]


_MASKS = {",".join(DICE[n] for n in range(6) if mask >> n & 1) or "none": mask for mask in range(64)}
