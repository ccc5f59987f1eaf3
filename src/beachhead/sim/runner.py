"""Games from start to end, and many of them: bots play, what came of it is kept.

Game number n of a base seed is the same game in every run: its dice come from a seed of its own, made from the base
seed and n, and each bot draws from a generator of its own, made from that seed and its seat. So neither the number of
games nor that of processes or machines changes any game.
"""

from __future__ import annotations

import gc
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

from ..bots import Bot, bot
from ..bots.randomly import random_answer
from ..core import record
from ..core.chance import commitment, sample, seed_from
from ..core.errors import BeachheadError, Illegal, Invalid, RecordError, SetupError
from ..core.game import Game, Setup
from ..core.machine import State
from ..core.node import Answer, Ask, Over, Roll
from ..core.plain import Plain
from ..core.record import Record
from ..games import GAMES
from ..landing.state import LOST, Landing
from ..say import say
from ..solve import fast
from ..table.match import Match
from .changed import prepare
from .figures import Estimate, Tally, mean, wilson
from .made import Made, content, made_with, same_as
from .names import setting_name
from .routes import player
from .rows import Row, from_lines, to_lines
from .spread import spread
from .store import Block, Cell, Plan, Store, named

MOST_ANSWERS = 100_000
"""A game of bots that is not over by then never will be."""
MOST_GAMES = 1_000_000_000
"""Of a cell: more than anybody has the time for."""
MOST_TOLD = 20
"""Games of a run whose faults are told one by one."""

_log = logging.getLogger(__name__)

# ---- one game


class Played(NamedTuple):
    """A game from start to end. `turns` is 0 where the game does not count them."""

    over: Over
    turns: int
    answers: list[Answer]
    soldiers: tuple[int, ...] = ()
    """Per Unit, at the end."""
    course: tuple[tuple[int, ...], ...] = ()
    """Per turn: the same as it began."""
    ways: tuple[tuple[str, ...], ...] = ()
    """Per Unit: the Sectors where it stood, in their order."""
    stays: tuple[tuple[int, ...], ...] = ()
    """Per Unit: how many turns it began in each of them."""
    lost: tuple[int, ...] = ()
    """Seats of the Units that were lost."""

    @property
    def decisions(self) -> int:
        return len(self.answers)


class Endless(BeachheadError):
    """A game that bots do not bring to an end, and the turn that it came to."""

    def __init__(self, why: str, turns: int = 0) -> None:
        super().__init__(why)
        self.turns = turns


def game_seed(seed: int, number: int) -> str:
    """The seed of game number `number` (from 1) under this base seed."""
    return seed_from(f"{seed} game {number}")


def play(
    game: Game, setup: Setup, bots: Sequence[Bot], seed: str, faulty: Callable[[str], object] | None = None
) -> Played:
    """One game, as fast as it goes. Where several seats are asked at once, the lowest answers first.

    A bot that crashes, ends its process or gives no legal answer ends the game with an error; with `faulty`, a random
    answer stands in for its own, and `faulty` is told why. There is no limit of time: it would change games from one
    machine to another.
    """
    machine = game.machine
    g, _ = game.new(setup)
    if len(bots) != len(g.lanes):
        raise SetupError(f"{len(bots)} bots for {len(g.lanes)} seats: expected one for each seat")
    players = [(it.answer, partial(machine.view, g, seat), Random(f"{seed}:{seat}")) for seat, it in enumerate(bots)]
    node_of, apply = machine.node, machine.apply
    answers: list[Answer] = []
    turn, course, stood = 0, [], []
    while True:
        node = node_of(g)
        if (now := getattr(g, "turn", 0)) != turn:
            turn = now
            course.append(_soldiers(g))
            stood.append(_places(g))
        if type(node) is Ask:
            seat = node.seats[0]
            decision = node.decision(seat)
            answer, view, rng = players[seat]
            wrong: BaseException | None = None
            try:
                given = Answer(seat, decision.seq, answer(decision, view, rng))
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                wrong = error
            else:
                try:
                    apply(g, given, True)
                except Exception as error:
                    wrong = error
            if wrong is not None:
                if faulty is None:
                    if isinstance(wrong, Illegal | Invalid):
                        why = f"the bot {bots[seat].code!r} gave no legal answer (seed {seed}): {wrong}"
                        raise RuntimeError(why) from wrong
                    raise wrong
                faulty(f"{bots[seat].code}: {wrong!r}")
                given = Answer(seat, decision.seq, random_answer(decision, view, rng))
                apply(g, given, True)
            answers.append(given)
            if len(answers) > MOST_ANSWERS:
                codes = ", ".join(it.code for it in bots)
                raise Endless(f"the game of seed {seed} is not over after {MOST_ANSWERS} answers of {codes}", turn)
        elif type(node) is Roll:
            apply(g, sample(seed, node), True)
        else:
            assert isinstance(node, Over)
            ways, stays, lost = _traces(g, stood)
            return Played(node, turn, answers, _soldiers(g), tuple(course), ways, stays, lost)


def _soldiers(g: State) -> tuple[int, ...]:
    return tuple(unit.soldiers for unit in g.units) if isinstance(g, Landing) else ()


def _places(g: State) -> tuple[str, ...]:
    """Where the Units stand; "" for those who have left the map."""
    return tuple("" if unit.status else unit.sector for unit in g.units) if isinstance(g, Landing) else ()


def _traces(
    g: State, stood: Sequence[tuple[str, ...]]
) -> tuple[tuple[tuple[str, ...], ...], tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Per Unit its way and the turns it began in each Sector of it; and the seats that were lost."""
    if not isinstance(g, Landing):
        return (), (), ()
    ways = tuple(unit.visited for unit in g.units)
    stays = []
    for seat, way in enumerate(ways):
        turns = Counter(places[seat] for places in stood)
        stays.append(tuple(turns.pop(sector, 0) for sector in way))
    return ways, tuple(stays), tuple(seat for seat, unit in enumerate(g.units) if unit.status == LOST)


def record_of(game: Game, setup: Setup, seed: str, answers: Sequence[Answer]) -> Record:
    """The record of a game that was played with these answers under this seed."""
    match = Match.new(game, setup, seed)
    for given in answers:
        match.answer(given)
    return match.record


# ---- many games


class Check(NamedTuple):
    """What a block needs beside its cell: the folder for records, and what it must be played with."""

    made: Made
    save: Path | None = None


class Fault(NamedTuple):
    """A game in which random answers stood in for those of a bot, and why the first of them did."""

    number: int
    why: str


class Done(NamedTuple):
    """A block that is played: its games as lines, and what faults there were, as far as they may be told."""

    lines: bytes
    faults: tuple[Fault, ...]


def play_and_tell(cell: Cell, numbers: range, check: Check) -> Done:
    faults: list[Fault] = []
    lines = play_block(cell, numbers, check, faults.append)
    return Done(lines, tuple(faults[: MOST_TOLD + 1]))


def play_block(
    cell: Cell, numbers: range, check: Check, faulty: Callable[[Fault], object] = lambda fault: None
) -> bytes:
    """The games of these numbers, as lines. It runs anywhere: in this process, in another, on another machine."""
    game = GAMES[cell.game]
    prepare(cell.setup)
    here = made_with()._replace(solver=solver())
    if here != check.made:
        raise BeachheadError(say("sim.other-beachhead", here=here, there=check.made))
    if (known := content(cell.game, cell.setup, cell.bots)) != cell.content:
        raise BeachheadError(
            say("sim.other-content", setting=setting_name(cell.setup, cell.game), here=known, there=cell.content)
        )
    with in_bulk():
        return to_lines(_row(game, cell, number, check.save, faulty) for number in numbers)


@contextmanager
def in_bulk() -> Iterator[None]:
    """Many games one after the other. What a game drops goes by itself: nobody looks for circles meanwhile."""
    looks = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looks:
            gc.enable()


def solver() -> str:
    """What solves dice here, after waiting for it: a change in the middle of a run could change its games."""
    if thread := fast.prepare():
        thread.join()
    return "numpy" if fast.ready() is None else "numba"


def _row(game: Game, cell: Cell, number: int, save: Path | None, faulty: Callable[[Fault], object]) -> Row:
    faults: list[str] = []
    players = [player(code) for code in cell.bots]
    seed = game_seed(cell.seed, number)
    try:
        played = play(game, cell.setup, players, seed, faults.append)
    except Endless as endless:
        return Row(number, False, "endless", endless.turns, MOST_ANSWERS, faults=len(faults))
    finally:
        if faults:
            faulty(Fault(number, faults[0]))
    if save is not None:
        _save(record_of(game, cell.setup, seed, played.answers), save / file_name(cell, number))
    over = played.over
    return Row(
        number,
        over.won,
        over.cause,
        played.turns,
        played.decisions,
        played.soldiers,
        over.scores,
        played.course,
        played.ways,
        played.stays,
        played.lost,
        len(faults),
    )


def _save(played: Record, path: Path) -> None:
    """Write a record, unless it is there already, from a block that was cut off. That of another game stays there."""
    try:
        if path.read_text(encoding="utf-8") == "".join(played.lines()):
            return
    except (OSError, UnicodeDecodeError):
        pass
    record.write(played, path)


def file_name(cell: Cell, number: int) -> str:
    return f"{cell.game}-{cell.seed}-{number:04}.jsonl"


def cell_of(game: str, setup: Setup, bots: Sequence[str], seed: int = 0) -> Cell:
    """What is to be played, checked. `bots` are codes or levels, one for each seat or one for all."""
    if game not in GAMES:
        raise SetupError(say("setup.unknown.game", name=repr(game), known=", ".join(GAMES), hint=""))
    bots = [bot(name).code for name in bots]
    seats = len(GAMES[game].new(setup)[0].lanes)
    if len(bots) not in (1, seats):
        raise SetupError(say("setup.bots", n=len(bots), seats=seats))
    return Cell(game, setup, tuple(bots) if len(bots) == seats else tuple(bots) * seats, seed)


def plan_of(cells: Sequence[Cell], games: int) -> Plan:
    """So many games of each of these cells."""
    if games < 1:
        raise SetupError(say("setup.few-games", n=games, least=1))
    if games > MOST_GAMES:
        raise SetupError(say("setup.many-games", n=games, most=MOST_GAMES))
    for cell in cells:
        prepare(cell.setup)
    known = (cell._replace(content=content(cell.game, cell.setup, cell.bots)) for cell in cells)
    return Plan(tuple(known), games, made_with())


class Run(NamedTuple):
    """What a run did itself: games that were in the store before are none of its."""

    games: int
    decisions: int
    seconds: float


def simulate(
    plan: Plan,
    store: Store,
    pool: Executor | None = None,
    save: Path | None = None,
    tick: Callable[[int], object] = lambda games: None,
) -> Run:
    """Play what the store lacks, in the pool or in this process, and put it there block by block.

    With `save`, the record of each game goes into that folder; nothing is played when a file of such a name is there
    already, but for records of these very games that a run which goes on may have left. `tick` is told how many more
    games are over, first of those that were there.
    """
    open_blocks = store.open_blocks()
    if save is not None:
        games = [(plan.cells[block.cell], number) for block in open_blocks for number in block.numbers]
        _make_room(save, games, goes_on=store.folder is not None)
    todo = sum(len(block.numbers) for block in open_blocks)
    tick(plan.games * len(plan.cells) - todo)
    check = Check(plan.made, save)
    alike = _alike(plan, open_blocks)
    jobs = [partial(play_and_tell, plan.cells[block.cell], block.numbers, check) for block, *_ in alike]
    decisions, told, start = 0, 0, time.perf_counter()
    for number, (lines, faults) in spread(jobs, pool):
        told = _tell(faults, plan.cells[alike[number][0].cell], told)
        for block in alike[number]:
            store.put(block, lines)
            tick(len(block.numbers))
        decisions += sum(row.decisions for row in from_lines(lines))
    return Run(todo, decisions, time.perf_counter() - start)


def _tell(faults: Sequence[Fault], cell: Cell, told: int) -> int:
    """Log these faults, after so many others; and how many that makes."""
    for n, fault in enumerate(faults, told):
        if n < MOST_TOLD:
            setting = setting_name(cell.setup, cell.game)
            _log.warning("%s", say("sim.fault", setting=setting, game=fault.number, why=fault.why))
        elif n == MOST_TOLD:
            _log.warning("%s", say("sim.more-faults"))
    return told + len(faults)


def played_again(plan: Plan, many: int, pool: Executor | None, other: Store, cells: Sequence[int]) -> set[int]:
    """Those of these cells of another store of which so many games, from all over what is there, come out the same
    here to the last Soldier; where only is kept who won, with the same winner.
    """
    jobs, whose, found = [], [], set()
    for number in cells:
        won = other.kept(number).won
        if not won:
            found.add(number)
            continue
        numbers = range(1, len(won) + 1, max(1, len(won) // many))[:many]
        jobs.append(partial(play_block, other.plan.cells[number], numbers, Check(plan.made)))
        whose.append((number, numbers, won))
    for job, lines in spread(jobs, pool):
        number, numbers, won = whose[job]
        known = other.lines(number)
        here = dict(zip(numbers, lines.splitlines(keepends=True), strict=True))
        if all(known[n] == here[n] if n in known else won[n - 1] == from_lines(here[n])[0].won for n in numbers):
            found.add(number)
    return found


def _alike(plan: Plan, blocks: Sequence[Block]) -> list[list[Block]]:
    """Blocks of the very same games, though their bots have other names: they are played once."""
    played = [named(cell._replace(bots=same_as(cell.game, cell.setup, cell.bots), content="")) for cell in plan.cells]
    found: dict[tuple[str, range], list[Block]] = {}
    for block in blocks:
        found.setdefault((played[block.cell], block.numbers), []).append(block)
    return list(found.values())


def _make_room(folder: Path, games: Sequence[tuple[Cell, int]], *, goes_on: bool) -> None:
    """Make the folder, and see that no file is in the way. Of a run that goes on, records of these games are not."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        there = {path.name for path in folder.iterdir()}
    except OSError as error:
        raise BeachheadError(say("cli.cannot-save", folder=folder, why=error.strerror)) from None
    for cell, number in games:
        path = folder / file_name(cell, number)
        if path.name in there and not (goes_on and _is_record(path, cell, number)):
            raise BeachheadError(say("cli.save-there", path=path))


def _is_record(path: Path, cell: Cell, number: int) -> bool:
    """Is this the record of a game of this setup and seed?"""
    try:
        header = record.read(path).header
    except RecordError:
        return False
    return (header.game, header.setup, header.seed) == (cell.game, cell.setup, commitment(game_seed(cell.seed, number)))


# ---- what came of them


@dataclass(frozen=True, slots=True)
class Result:
    """What was played, and what came of it."""

    cell: Cell
    tally: Tally

    @property
    def against(self) -> bool:
        """Do the seats play against each other? Then nobody wins for all."""
        return self.cell.game == "battle" and len(self.cell.bots) > 1

    @property
    def leads(self) -> list[Estimate]:
        """By seat: how often it had the most points, alone or with others."""
        return [wilson(self.tally.leads[seat], self.tally.games) for seat in range(len(self.cell.bots))]

    def as_json(self) -> dict[str, Plain]:
        tally = self.tally
        turns, decisions = mean(tally.turns), mean(tally.decisions)
        found: dict[str, Plain] = {
            **self.cell._asdict(),
            "bots": list(self.cell.bots),
            "games": tally.games,
            **self._won(),
            "ended": tally.causes(),
            "turns_per_game": turns.value,
            "turns_per_game_95": list(turns[1:]),
            "decisions": tally.decisions.total,
            "decisions_per_game": decisions.value,
            "decisions_per_game_95": list(decisions[1:]),
            "faults": tally.faults,
        }
        for name, count in (("soldiers_left_when_won", tally.left), ("points", tally.points)):
            if count.n:
                found |= {name: mean(count).value, f"{name}_95": list(mean(count)[1:])}
        found["soldiers_by_turn"] = [[count.n, mean(count).value] for count in tally.course]
        return found

    def _won(self) -> dict[str, Plain]:
        """How many games were won, or had the most points for each seat."""
        if self.against:
            rates = self.leads
            return {
                "most_points": [self.tally.leads[seat] for seat in range(len(rates))],
                "most_points_rate": [rate.value for rate in rates],
                "most_points_rate_95": [list(rate[1:]) for rate in rates],
            }
        rate = self.tally.win_rate
        return {"wins": self.tally.wins, "win_rate": rate.value, "win_rate_95": list(rate[1:])}


def results(plan: Plan, store: Store) -> list[Result]:
    found = []
    for number, cell in enumerate(plan.cells):
        tally = Tally()
        for row in store.rows(number):
            tally.add(row)
        found.append(Result(cell, tally))
    return found
