"""Express! and Battle! once more, slowly, from the rules alone: dice one by one, every roll, every choice.

Nothing here comes from `beachhead`. Dice may have fewer faces and there may be fewer of them, so that it ends in time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from typing import NamedTuple

Die = tuple[int, int]
"""Face and colour."""
Tally = tuple[Die, ...]
Card = tuple[str, object, int]
"""Ability, what rallies it (a face or "straight"), the face it is about."""


class Game(NamedTuple):
    faces: int
    colours: tuple[int, ...]
    """Of each die: 0, 1 or 2."""
    axis: tuple[int, ...]
    cards: tuple[Card, ...]
    gantlet: str = ""
    at: int = 0
    face: int = -1
    players: int = 1
    kommandant: str = ""


def subsets(some: Iterable[object]) -> Iterator[tuple[object, ...]]:
    listed = list(some)
    for many in range(len(listed) + 1):
        yield from combinations(listed, many)


def rwbs(tally: Tally) -> frozenset[int]:
    return frozenset(face for face, _ in tally if all((face, colour) in tally for colour in range(3)))


def straight(game: Game, tally: Tally) -> bool:
    return {face for face, _ in tally} == set(range(game.faces))


class Oracle:
    def __init__(self, game: Game, replays: int = 400) -> None:
        self.game = game
        self.replays = replays
        self.known: dict[object, float] = {}
        self.guess: dict[object, float] = {}

    def card(self, ability: str, have: frozenset[Card]) -> Card | None:
        return next((card for card in have if card[0] == ability), None)

    def value(self) -> float:
        return self.sector(1, self.game.axis[0], frozenset(), frozenset(), frozenset())

    def sector(
        self, number: int, axis: int, have: frozenset[Card], out: frozenset[Card], new: frozenset[Card]
    ) -> float:
        key = number, axis, have, out, new
        if key in self.known:
            return self.known[key]
        if number == self.game.at and self.game.gantlet == "rwb-or-replay":  # it leads to itself, never back to another
            if key in self.guess:
                return self.guess[key]
            found = 0.0
            for _ in range(self.replays):
                self.guess[key] = found
                before, found = found, self.begin(number, axis, have, out, new)
                if abs(found - before) < 1e-15:
                    break
            del self.guess[key]
        else:
            found = self.begin(number, axis, have, out, new)
        self.known[key] = found
        return found

    def begin(self, number: int, axis: int, have: frozenset[Card], out: frozenset[Card], new: frozenset[Card]) -> float:
        last = number == len(self.game.axis)
        if not (last and self.game.kommandant):
            return self.roll_axis(number, axis, have, out, new, False)
        kept_away = [self.roll_axis(number, axis, have - {card}, out | {card}, new, False) for card in have]
        return max([self.roll_axis(number, axis, have, out, new, True), *kept_away])

    def roll_axis(
        self, number: int, axis: int, have: frozenset[Card], out: frozenset[Card], new: frozenset[Card], black: bool
    ) -> float:
        total = 0.0
        faces = range(self.game.faces)
        demands: dict[tuple[int, ...], int] = {}
        for shown in product(faces, repeat=axis):
            gray = shown[1:] if black else shown
            need = [gray.count(face) for face in faces]
            if black:
                strict = self.game.kommandant == "strict"
                need[shown[0]] = need[shown[0]] + 2 if strict else max(need[shown[0]] + 1, 2)
            demands[tuple(need)] = demands.get(tuple(need), 0) + 1
        for need_of, many in demands.items():
            total += many * Attack(self, number, axis, need_of, have, out, new).value()
        return total / self.game.faces**axis


class Attack:
    """A sector against Axis dice that lie there."""

    def __init__(
        self,
        oracle: Oracle,
        number: int,
        axis: int,
        need: tuple[int, ...],
        have: frozenset[Card],
        out: frozenset[Card],
        new: frozenset[Card],
    ) -> None:
        self.oracle, self.game = oracle, oracle.game
        self.number, self.axis, self.need = number, axis, need
        self.have, self.out, self.new = have, out, new
        self.gantlet = self.game.gantlet if number == self.game.at else ""
        medic = oracle.card("restart", have)
        self.again = 0.0
        if medic:
            self.again = Attack(oracle, number, axis, need, have - {medic}, out | {medic}, new).value()
        self.medic = medic
        self.worths: dict[object, float] = {}

    def value(self) -> float:
        return self.soldier(0, (0, False, frozenset()))

    def soldier(self, which: int, pool: tuple[int, bool, frozenset[Card]]) -> float:
        key = which, pool
        if key not in self.worths:
            if which == self.game.players:
                self.worths[key] = self.decide(pool)
            else:
                rolls = list(product(range(self.game.faces), repeat=len(self.game.colours)))
                self.worths[key] = sum(self.rolled(which, pool, roll, 2) for roll in rolls) / len(rolls)
        return self.worths[key]

    def rolled(self, which: int, pool: tuple[int, bool, frozenset[Card]], shown: tuple[int, ...], left: int) -> float:
        """Dice of one colour may change places."""
        shown = tuple(face for _, face in sorted(zip(self.game.colours, shown, strict=True)))
        key = which, pool, shown, left
        if key in self.worths:
            return self.worths[key]
        best = self.final(which, pool, shown)
        if left:
            loose = [
                place
                for place, face in enumerate(shown)
                if not (self.gantlet == "keep-face" and face == self.game.face)
            ]
            for again in subsets(loose):
                if not again:
                    continue
                total = 0.0
                for new in product(range(self.game.faces), repeat=len(again)):
                    fresh = list(shown)
                    for place, face in zip(again, new, strict=True):
                        fresh[place] = face  # type: ignore[index]
                    total += self.rolled(which, pool, tuple(fresh), left - 1)
                best = max(best, total / self.game.faces ** len(again))
        self.worths[key] = best
        return best

    def tallies(self, shown: tuple[int, ...]) -> set[Tally]:
        """Every tally that the cards can make, in every order."""
        begin: Tally = tuple(sorted(zip(shown, self.game.colours, strict=True)))
        changing = [card for card in self.have if card[0] in ("change", "recolour", "remake")]
        found = {begin}
        for order in permutations(changing):
            now = {begin}
            for ability, _, about in order:
                for tally in list(now):
                    for place, (face, colour) in enumerate(tally):
                        faces = range(self.game.faces) if ability != "recolour" else (face,)
                        colours = range(3) if ability != "change" else (colour,)
                        if ability == "remake" and face != about:
                            continue
                        for die in product(faces, colours):
                            now.add(tuple(sorted(tally[:place] + (die,) + tally[place + 1 :])))
            found |= now
        return found

    def final(self, which: int, pool: tuple[int, bool, frozenset[Card]], shown: tuple[int, ...]) -> float:
        failed, rwb, candidates = pool
        if self.game.players == 1:
            return max(self.decide_alone(tally) for tally in self.tallies(shown))
        best = 0.0
        for tally in self.tallies(shown):
            matched, named = self.matches(tally), rwbs(tally)
            after = (failed + (not matched), rwb or bool(named), candidates | self.earned(tally))
            best = max(best, self.soldier(which + 1, after))
        return best

    def matches(self, tally: Tally) -> bool:
        counts = [sum(1 for shown, _ in tally if shown == face) for face in range(self.game.faces)]
        corporal = self.oracle.card("add", self.have)
        if corporal:
            counts[corporal[2]] += 1
        fits = all(mine >= wanted for mine, wanted in zip(counts, self.need, strict=True))
        return fits or (straight(self.game, tally) and self.oracle.card("straight-clears", self.have) is not None)

    def earned(self, tally: Tally) -> frozenset[Card]:
        named: set[object] = set(rwbs(tally))
        if straight(self.game, tally):
            named.add("straight")
        gone = self.have | self.out | self.new
        return frozenset(card for card in self.game.cards if card[1] in named and card not in gone)

    def decide_alone(self, tally: Tally) -> float:
        limit = 2 if len(rwbs(tally)) == 2 else 1
        return self.ends(int(not self.matches(tally)), bool(rwbs(tally)), self.earned(tally), limit)

    def decide(self, pool: tuple[int, bool, frozenset[Card]]) -> float:
        return self.ends(*pool, 1)

    def ends(self, failed: int, rwb: bool, candidates: frozenset[Card], limit: int) -> float:
        best = self.again if self.medic else 0.0
        hero = self.oracle.card("clear", self.have)
        if self.gantlet == "no-rally":
            limit = 0
        if self.new:
            limit -= 1
        for use in (False, True):
            if failed > use or (use and not hero):
                continue
            have = self.have - {hero} if use and hero else self.have
            out = self.out | {hero} if use and hero else self.out
            for gain in subsets(candidates):
                if len(gain) <= limit:
                    best = max(best, self.onward(have, out, frozenset(gain), rwb))  # type: ignore[arg-type]
        return best

    def onward(self, have: frozenset[Card], out: frozenset[Card], gain: frozenset[Card], rwb: bool) -> float:
        if self.number == len(self.game.axis):
            return 1.0
        if self.gantlet == "rwb-or-replay" and not rwb:
            return self.oracle.sector(self.number, self.axis, have, out, self.new | gain)
        axis = self.game.axis[self.number]
        if self.gantlet == "rwb-adds-axis" and rwb:
            axis = min(axis + 1, 6)
        have = have | gain | self.new
        none: frozenset[Card] = frozenset()
        if self.gantlet == "lose-specialist":
            lost = [self.oracle.sector(self.number + 1, axis, have - {card}, out | {card}, none) for card in have]
            return max(lost, default=0.0)
        return self.oracle.sector(self.number + 1, axis, have, out, none)


# ---------------------------------------------------------------------- Battle!


def skirmish(faces: int, many: int, axis: int, kommandant: bool) -> Fraction:
    """The probability to win, exactly, over every ordered roll; the black die is the first."""
    total = Fraction(0)
    for shown in product(range(faces), repeat=axis):
        total += _fight(faces, many, tuple(sorted(shown)), shown[0] if kommandant else -1)
    return total / faces**axis


@cache
def _fight(faces: int, many: int, axis: tuple[int, ...], black: int) -> Fraction:
    rolls = list(product(range(faces), repeat=many))

    @cache
    def rolled(shown: tuple[int, ...], left: int) -> Fraction:
        won = all(shown.count(face) >= axis.count(face) for face in axis)
        best = Fraction(int(won))
        if not left or won:
            return best
        loose = [place for place, face in enumerate(shown) if face != black]
        for again in subsets(loose):
            if again:
                kept = tuple(face for place, face in enumerate(shown) if place not in again)
                news = product(range(faces), repeat=len(again))
                total = sum((rolled(tuple(sorted(kept + new)), left - 1) for new in news), Fraction(0))
                best = max(best, total / faces ** len(again))
        return best

    return sum((rolled(tuple(sorted(roll)), 2) for roll in rolls), Fraction(0)) / len(rolls)


@cache
def matching(need: tuple[int, ...], free: int, left: int, all_that_match: bool = False) -> Fraction:
    """The best chance to match with so many free dice of six faces and rolls; or if every die that matches is kept.

    `need` is sorted and without zeros: faces that are wanted, and how often.
    """
    if sum(need) > free:
        return Fraction(0)
    if not need or not left:
        return Fraction(int(not need))
    total = Fraction(0)
    for counts, ways in _spread(len(need), free):
        most = tuple(min(want, got) for want, got in zip(need, counts, strict=True))
        best = Fraction(0)
        for kept in [most] if all_that_match else product(*(range(many + 1) for many in most)):
            after = tuple(sorted(want - got for want, got in zip(need, kept, strict=True) if want > got))
            best = max(best, matching(after, free - sum(kept), left - 1, all_that_match))
        total += ways * best
    return total / 6**free


@cache
def _spread(wanted: int, free: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """How often each of some faces shows on so many dice of six faces, and in how many ways."""
    if not wanted:
        return (((), 6**free),)
    ways: dict[tuple[tuple[int, ...], int], int] = {((0,) * wanted, 0): 1}
    for _ in range(free):
        more: dict[tuple[tuple[int, ...], int], int] = {}
        for (counts, rest), many in ways.items():
            for face in range(wanted):
                key = (counts[:face] + (counts[face] + 1,) + counts[face + 1 :], rest)
                more[key] = more.get(key, 0) + many
            more[counts, rest + 1] = more.get((counts, rest + 1), 0) + many * (6 - wanted)
        ways = more
    return tuple((counts, many) for (counts, _), many in ways.items())


class Battle:
    """A turn, and a game to some points, by recursion over one state after another."""

    def __init__(self, six: dict[int, float], five: dict[int, float], extra: int = 0) -> None:
        self.six, self.five, self.extra = six, five, extra

    def skirmish(self, axis: int, stake: int, bank: dict[int, float] | None, known: dict[object, float]) -> float:
        """`bank` gives the worth of points; None: points themselves."""
        key = axis, stake
        if key in known:
            return known[key]

        def banked(points: int) -> float:
            return float(points) if bank is None else bank[min(points, max(bank))]

        def ahead(points: int) -> float:
            if points > 150:
                return banked(points) * self.six[6] if bank is None else banked(points)
            return self.skirmish(min(axis + 1, 6), points, bank, known)

        worth = axis + self.extra
        lost = banked(0)
        total = 0.0
        for field in range(6):
            chance = self.five[axis] if field == 5 else self.six[axis]
            points = stake + worth * (2 if field == 1 else 3 if field == 2 else 1)
            if field == 3:
                won = ahead(points)
            elif field == 4:
                won = banked(points)
            else:
                won = max(banked(points), ahead(points))
            total += (chance * won + (1 - chance) * lost) / 6
        known[key] = total
        return total

    def turn(self, bank: dict[int, float] | None) -> float:
        return self.skirmish(2, 0, bank, {})

    def match(self, goal: int, passes: int) -> float:
        """The chance of who begins, by plain value iteration over all scores at once."""
        most = goal + 45
        first = {(a, b): 0.5 for a in range(goal) for b in range(goal)}
        tie = 0.5
        last: dict[int, float] = {}
        for _ in range(passes):
            last = {}
            for missing in range(most + 1):
                bank = {
                    points: 1.0 if points > missing else 1 - tie if points == missing else 0.0 for points in range(150)
                }
                last[missing] = self.turn(bank)
            tie = self.turn({points: 1 - last[min(points, most)] for points in range(150)})
        for _ in range(passes):
            second = {}
            for a in range(goal):
                for b in range(goal):
                    bank = {p: 1.0 if b + p >= goal else 1 - first[a, b + p] for p in range(goal + 1)}
                    second[a, b] = self.turn(bank)
            for a in range(goal):
                for b in range(goal):
                    bank = {
                        p: 1 - (second[a + p, b] if a + p < goal else last[min(a + p - b, most)]) for p in range(150)
                    }
                    first[a, b] = self.turn(bank)
        return first[0, 0]
