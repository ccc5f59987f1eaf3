"""Whether a board is well made, by measurement: the same bots play the same games of it as it is, on given paths, and
with its numbers changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import NamedTuple

from ..bots import bot
from ..content.library import library
from ..content.schema import Map
from ..core.errors import BeachheadError, SetupError
from ..core.plain import Plain
from ..say import say
from .changed import MARK, Number, changed, numbers
from .figures import Count, Estimate, Paired, Tally, mean, paired, wilson
from .names import bots_name, setting_name
from .routes import VIA, DeadEnds, Line, Path, code_via, cover, dead_ends, goals, lines, variations
from .rows import Row, from_lines
from .runner import Check, cell_of, plan_of, play_block
from .store import Cell, Plan, Store, named

BOTS = ("thumb", "exact")
SEATS = (1, 4)
GAMES = 400
"""Fewer tell too little for a verdict."""
FIRST_GAMES = 30
"""Games that show which path Units walk of their own accord."""
LEADER = "exact"
"""Whose games alone are the ladder of boards."""
SIGNIFICANT = 0.05
WORTH = 0.05
"""By so much of the games a path may be behind the best one, and still be worth taking."""
OFTEN = 0.1
"""A path that so many Units walk when the choice is theirs is worth taking: their dice made it the better one."""
HARDLY = 0.05
"""A path of which a line is crossed by fewer Units is one that hardly anybody takes."""
KEPT = 0.5
"""A path that fewer Units can keep to is closed: what comes of it tells of other paths."""
SELDOM = 0.01
"""A line that fewer Units cross is hardly used."""


# ---- what is played


class Asked(NamedTuple):
    """What the games of a cell are for. `change` is None for a board by its own name, "" for one that the changed ones
    are compared with.
    """

    edition: str
    map: str
    seats: int
    bot: str
    via: Path = ()
    change: str | None = None

    @property
    def plain(self) -> bool:
        return not self.via and self.change is None


def asked(cell: Cell) -> Asked:
    name, mark, change = str(cell.setup["map"]).partition(MARK)
    code, _, path = cell.bots[0].partition(VIA)
    given = change if mark else None
    return Asked(str(cell.setup["edition"]), name, len(cell.bots), code, tuple(path.split()), given)


def cells(
    boards: Sequence[Map], seats: Sequence[int] = (), bots: Sequence[str] = (), seed: int = 0, effects: bool = False
) -> list[Cell]:
    """All that is played to judge these boards; of several, those that need more Units are played by as few as can.
    Paths are forced on the fewest Units: a path is one Unit's choice.
    """
    codes = [bot(name).code for name in bots or BOTS]
    found = []
    for board in boards:
        fit = sorted({n for n in seats or SEATS if board.fits(n)})
        if not fit:
            fit = [min(seats) if seats and len(boards) == 1 else board.least_seats]  # a board alone says why not
        for n in fit:
            for code in codes:
                plain = cell_of("landing", {"edition": board.edition, "map": board.id, "seats": n}, [code], seed)
                found.append(plain)
                if n == fit[0]:
                    found += [plain._replace(bots=(code_via(code, path),) * n) for path in tried(board, plain)]
                if effects:
                    names = ("", *changes(board))
                    found += [plain._replace(setup={**plain.setup, "map": board.id + MARK + name}) for name in names]
    return found


def tried(board: Map, plain: Cell) -> list[Path]:
    """The paths that Units are made to take: the one that most of them walk in the first games of their own accord,
    variations of it, and others that many walk; where none comes to a Bunker, straight ones.
    """
    each = alone(board, len(plain.bots))
    plan = plan_of([plain], FIRST_GAMES)
    played = play_block(plan.cells[0], range(1, FIRST_GAMES + 1), Check(plan.made))
    ends, first = set(goals(board)) if each else set(), figures(from_lines(played))
    usual = [way for way in first.walked(board) if board.sectors[way.path[0]].start and ends <= set(way.path)]
    if not usual:
        return cover(board, each)
    often = [way.path for way in usual if first.share(way.units) >= OFTEN]
    return list(dict.fromkeys((*variations(board, usual[0].path, each), *often)))


def alone(board: Map, seats: int) -> bool:
    """Does a Unit have to come to every Bunker itself?"""
    return seats == 1 and board.conquer == "each"


def changes(board: Map) -> list[str]:
    """Every rebuilt number one higher and one lower, where the rules know such a value."""
    names = (number.by(more) for number in numbers(board) for more in (1, -1))
    return [name for name in names if changed(board, name)]


# ---- figures of one cell


@dataclass(slots=True)
class Use:
    """How a Sector was used: Units that stood there, turns that they began there, Units that were lost there; games
    with one of them, and how many of these were won.
    """

    units: int = 0
    turns: Count = field(default_factory=Count)
    lost: int = 0
    games: int = 0
    wins: int = 0


class Walked(NamedTuple):
    """A path to a Bunker: Units that walked it to the end; those that were on it, as far as they came, and how many of
    them were in games that were won.
    """

    path: Path
    units: int
    on: int
    won: int


@dataclass(slots=True)
class Figures:
    """What came of games with the same board and players."""

    tally: Tally = field(default_factory=Tally)
    won: list[bool] = field(default_factory=list)
    units: int = 0
    sectors: dict[str, Use] = field(default_factory=dict)
    crossed: Counter[Line] = field(default_factory=Counter)
    """By which Units went from one Sector to another."""
    ways: Counter[tuple[Path, bool]] = field(default_factory=Counter)
    """Per Unit the way it went, and whether the game was won."""
    defeats: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Games lost, by cause and by the Sector of the Unit that was lost."""

    def add(self, row: Row) -> None:
        self.tally.add(row)
        self.won.append(row.won)
        self.units += len(row.ways)
        for seat, (way, stays) in enumerate(zip(row.ways, row.stays, strict=True)):
            self.ways[way, row.won] += 1
            self.crossed.update(dict.fromkeys(pairwise(way), 1))
            for sector in dict.fromkeys(way):
                use = self.sectors.setdefault(sector, Use())
                use.units += 1
                use.turns.add(sum(turns for there, turns in zip(way, stays, strict=True) if there == sector))
                use.lost += seat in row.lost and sector == way[-1]
        for sector in {sector for way in row.ways for sector in way}:
            self.sectors[sector].games += 1
            self.sectors[sector].wins += row.won
        if not row.won:
            self.defeats[row.cause, row.ways[row.lost[-1]][-1] if row.lost else ""] += 1

    def share(self, units: int) -> float:
        return units / self.units if self.units else 0.0

    def crossing(self, line: Line) -> int:
        """Units that crossed a line, in either direction."""
        return self.crossed[line] + self.crossed[line[1], line[0]]

    def least(self, path: Path) -> float:
        """The share of Units that crossed the least used line of a path, as the path goes."""
        return self.share(min(self.crossed[line] for line in pairwise(path)))

    def walked(self, board: Map, most: int = 6) -> list[Walked]:
        """The most frequent paths to a Bunker."""
        ends = set(goals(board))
        whole: Counter[Path] = Counter()
        for (way, _), n in self.ways.items():
            if way and way[-1] in ends:
                whole[way] += n
        found = []
        for path, units in sorted(whole.items(), key=lambda item: (-item[1], item[0]))[:most]:
            near = [(won, n) for (way, won), n in self.ways.items() if way == path[: len(way)]]
            found.append(Walked(path, units, sum(n for _, n in near), sum(n for won, n in near if won)))
        return found

    def kept(self, path: Path) -> float:
        """The share of Units that were on this path as long as they were in play, or walked it to its end."""
        return self.share(sum(n for (way, _), n in self.ways.items() if way[: len(path)] == path[: len(way)]))


def figures(rows: Iterable[Row]) -> Figures:
    found = Figures()
    for row in rows:
        found.add(row)
    return found


# ---- what they say


class Forced(NamedTuple):
    """Games in which all Units were made to take a path. `pair`: beside the best path, in the same games; None for
    that one itself. `kept`: how many Units could keep to it. When the choice is theirs: `least`, how many cross its
    least used line, and `walked`, how many walk it.
    """

    path: Path
    rate: Estimate
    pair: Paired | None
    kept: float
    least: float
    walked: float = 0.0

    @property
    def verdict(self) -> str:
        """`best`, `worth` taking, `weaker`, `dominated` (weaker, and hardly anybody takes it), `closed` (few can)."""
        if self.kept < KEPT:
            return "closed"
        if self.pair is None:
            return "best"
        if self.pair.p >= SIGNIFICANT or self.pair.rate.value > -WORTH or self.walked >= OFTEN:
            return "worth"
        return "dominated" if self.least < HARDLY else "weaker"


class Effect(NamedTuple):
    """A number of the board, and the same games with one more and with one less of it."""

    number: Number
    more: Paired | None
    less: Paired | None


class Setting(NamedTuple):
    """All that was played of a board with so many Units by one bot."""

    seats: int
    bot: str
    figures: Figures
    forced: list[Forced]
    effects: list[Effect]

    @property
    def worth(self) -> list[Forced]:
        """The paths that are worth taking."""
        return [one for one in self.forced if one.verdict in ("best", "worth")]


class Balance(NamedTuple):
    """All that was measured of a board."""

    board: Map
    settings: list[Setting]

    @property
    def dead(self) -> DeadEnds:
        return dead_ends(self.board, alone(self.board, self.settings[0].seats))

    def unused(self) -> list[tuple[Line, float]]:
        """Lines that nearly no Unit crosses in any setting, with the largest share of Units that does in one."""
        found = []
        for line in lines(self.board):
            shares = [one.figures.share(one.figures.crossing(line)) for one in self.settings]
            if max(shares) < SELDOM:
                found.append((line, max(shares)))
        return found

    def stuck(self) -> dict[str, int]:
        """Sectors where Units were lost as they had to move and could not, with how many in all settings."""
        found: Counter[str] = Counter()
        for one in self.settings:
            for (cause, sector), n in one.figures.defeats.items():
                if cause == "could-not-move":
                    found[sector] += n
        return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))

    def as_json(self) -> dict[str, Plain]:
        return {
            "edition": self.board.edition,
            "map": self.board.id,
            "dead_ends": {"sectors": self.dead.sectors, "lines": [list(line) for line in self.dead.lines]},
            "unused_lines": [[*line, share] for line, share in self.unused()],
            "could_not_move": self.stuck(),
            "settings": [_setting_json(self.board, one) for one in self.settings],
        }


def _setting_json(board: Map, one: Setting) -> dict[str, Plain]:
    found = one.figures
    turns = mean(found.tally.turns)
    return {
        "seats": one.seats,
        "bot": one.bot,
        "games": found.tally.games,
        "win_rate": found.tally.win_rate.value,
        "win_rate_95": list(found.tally.win_rate[1:]),
        "turns": turns.value,
        "turns_95": list(turns[1:]),
        "faults": found.tally.faults,
        "defeats": [{"cause": cause, "sector": at, "games": n} for (cause, at), n in ranked(found.defeats)],
        "sectors": {
            id: {
                "entered": found.share(use.units),
                "turns": use.turns.total / use.units,
                "lost": use.lost / use.units,
                "games": use.games,
                "won": use.wins / use.games,
            }
            for id in board.sectors
            if (use := found.sectors.get(id))
        },
        "lines": {"-".join(line): found.share(found.crossing(line)) for line in lines(board)},
        "paths": [
            {"path": list(way.path), "share": found.share(way.units), "units": way.on, "won": way.won / way.on}
            for way in found.walked(board)
        ],
        "forced": [
            {
                "path": list(way.path),
                "win_rate": way.rate.value,
                "win_rate_95": list(way.rate[1:]),
                "behind": _pair_json(way.pair),
                "kept": way.kept,
                "least_used_line": way.least,
                "walked": way.walked,
                "verdict": way.verdict,
            }
            for way in one.forced
        ],
        "paths_worth_taking": len(one.worth),
        "effects": [
            {
                "where": effect.number.place,
                "what": effect.number.name,
                "now": list(effect.number.now),
                "more": _pair_json(effect.more),
                "less": _pair_json(effect.less),
            }
            for effect in one.effects
        ],
    }


def _pair_json(pair: Paired | None) -> Plain:
    return None if pair is None else {"change": pair.rate.value, "change_95": list(pair.rate[1:]), "p": pair.p}


def ranked(counted: Counter[tuple[str, str]]) -> list[tuple[tuple[str, str], int]]:
    """The most frequent first, in an order that does not depend on that of the games."""
    return sorted(counted.items(), key=lambda item: (-item[1], item[0]))


# ---- from what was played


def read_balance(store: Store) -> list[Balance]:
    """Of a store in which all games are."""
    missing = sum(len(block.numbers) for block in store.open_blocks())
    if missing:
        raise BeachheadError(say("balance.missing", folder=store.name, n=missing))
    found = []
    numbered = list(enumerate(map(_asked_for, store.plan.cells)))
    for (edition, name), group in groupby(numbered, lambda item: item[1][:2]):
        if name not in library().maps.get(edition, {}):
            raise SetupError(say("setup.unknown.map", name=repr(name), known="", hint=""))
        board = library().maps[edition][name]
        settings = []
        for (seats, code), mine in groupby(group, lambda item: item[1][2:4]):
            played = {one: figures(store.rows(number)) for number, one in mine}
            plain = next(counted for one, counted in played.items() if one.plain)
            settings.append(Setting(seats, code, plain, _forced(played, plain), _effects(board, played)))
        found.append(Balance(board, settings))
    return found


def _asked_for(cell: Cell) -> Asked:
    """Raises BeachheadError for a cell that no balance has."""
    if cell.game != "landing" or not {"edition", "map"} <= cell.setup.keys() or len(set(cell.bots)) != 1:
        raise BeachheadError(say("balance.other-run"))
    return asked(cell)


def _forced(played: dict[Asked, Figures], plain: Figures) -> list[Forced]:
    """The best first; after those that Units can take, those that they cannot."""
    found = [(one.via, counted) for one, counted in played.items() if one.via]
    found.sort(key=lambda item: (item[1].kept(item[0]) < KEPT, -item[1].tally.wins, item[0]))
    return [
        Forced(
            path,
            counted.tally.win_rate,
            paired(counted.won, found[0][1].won) if number else None,
            counted.kept(path),
            plain.least(path),
            plain.share(sum(n for (way, _), n in plain.ways.items() if way == path)),
        )
        for number, (path, counted) in enumerate(found)
    ]


def _effects(board: Map, played: dict[Asked, Figures]) -> list[Effect]:
    """In the order of the board."""
    by_change = {one.change: counted.won for one, counted in played.items() if one.change is not None}
    if "" not in by_change:
        return []

    def beside(change: str) -> Paired | None:
        return paired(by_change[change], by_change[""]) if change in by_change else None

    found = [Effect(number, beside(number.by(1)), beside(number.by(-1))) for number in numbers(board)]
    return [effect for effect in found if effect.more or effect.less]


# ---- the ladder of boards

Wins = dict[Asked, Sequence[bool]]
"""Which games of each board were won, by each bot and number of Units, with nothing forced and nothing changed."""


def wins(found: Sequence[Balance]) -> Wins:
    """Those that these figures are made of."""
    return {
        Asked(one.board.edition, one.board.id, setting.seats, setting.bot): setting.figures.won
        for one in found
        for setting in one.settings
    }


def wins_of(ladder: Store, plan: Plan) -> Wins:
    """Those of the ladder of bots, which has played more games of the same boards.

    Raises BeachheadError where it was played otherwise, or lacks one of them.
    """
    if ladder.plan.made != plan.made:
        there, here = ladder.plan.made, plan.made
        raise BeachheadError(say("balance.other-made", ladder=ladder.name, there=there, here=here))
    at = {named(cell): number for number, cell in enumerate(ladder.plan.cells)}
    found: Wins = {}
    for cell in plan.cells:
        if (one := asked(cell)).plain:
            played = ladder.kept(at[named(cell)]).won if named(cell) in at else ()
            if len(played) < ladder.plan.games:
                name = f"{setting_name(cell.setup)}, {bots_name(cell)}"
                raise BeachheadError(say("balance.not-in-ladder", ladder=ladder.name, setting=name))
            found[one] = played
    return found


class Step(NamedTuple):
    """A board of the ladder: how often it is won alone, and beside the board before it in the same seeds."""

    board: str
    rate: Estimate
    pair: Paired | None

    @property
    def verdict(self) -> str:
        """`first`, `harder`, `same` (no difference shown) or `easier`."""
        if self.pair is None:
            return "first"
        if self.pair.p >= SIGNIFICANT:
            return "same"
        return "easier" if self.pair.rate.value > 0 else "harder"


class Climb(NamedTuple):
    """The boards of an edition in the order of their numbers, as far as one Unit can play them."""

    steps: list[Step]
    easiest: bool
    """Is no board significantly easier than the first?"""

    @property
    def steady(self) -> bool:
        return self.easiest and all(step.verdict != "easier" for step in self.steps)


def climb(won: Wins, edition: str) -> Climb | None:
    """None where fewer than two boards of the edition were played alone by the bot that counts."""
    alone = [(one.map, games) for one, games in won.items() if one[0] == edition and one[2:4] == (1, LEADER)]
    if len(alone) < 2:
        return None
    steps = [Step(board, wilson(sum(games), len(games)), None) for board, games in alone[:1]]
    for (_, before), (board, games) in pairwise(alone):
        steps.append(Step(board, wilson(sum(games), len(games)), paired(games, before)))
    others = [paired(games, alone[0][1]) for _, games in alone[1:]]
    return Climb(steps, not any(pair.rate.value > 0 and pair.p < SIGNIFICANT for pair in others))
