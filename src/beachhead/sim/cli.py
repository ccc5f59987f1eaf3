"""The commands of this room: simulate many games, rank bots, measure boards and cards; `proof` has the other two."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..say import say
from .proof import replay, verify

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from rich.console import Console

    from ..content.schema import Map
    from .balance import Balance, Wins
    from .figures import Estimate
    from .ladder import Ladder
    from .runner import Result, Run
    from .store import Plan, Store
    from .worth import Worths


def register(app: typer.Typer) -> None:
    for command in (sim, ladder, balance, worth, replay, verify):
        app.command()(command)


# ---- sim

DEFAULTS: dict[str, dict[str, object]] = {
    "landing": {"edition": "first", "map": "n01-exercise-tiger", "seats": 1},
    "express": {"beach": "utah", "seats": 1},
    "battle": {"seats": 2},
}
"""What is played where the command line does not say."""


def sim(
    game: Annotated[str, typer.Argument(metavar="GAME")],
    edition: Annotated[str | None, typer.Option()] = None,
    map_name: Annotated[str | None, typer.Option("--map", metavar="NAME")] = None,
    beach: Annotated[str | None, typer.Option(metavar="NAME")] = None,
    seats: Annotated[int | None, typer.Option()] = None,
    nation: Annotated[list[str] | None, typer.Option()] = None,
    option: Annotated[list[str] | None, typer.Option(metavar="NAME")] = None,
    level: Annotated[str | None, typer.Option(metavar="NAME")] = None,
    bot: Annotated[list[str] | None, typer.Option(metavar="CODE")] = None,
    games: Annotated[int, typer.Option()] = 100,
    seed: Annotated[int, typer.Option()] = 0,
    workers: Annotated[str, typer.Option(metavar="N|auto")] = "auto",
    cluster: Annotated[str | None, typer.Option(metavar="ADDRESS")] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR")] = None,
    table: Annotated[list[Path] | None, typer.Option(metavar="FILE")] = None,
    plots: Annotated[Path | None, typer.Option(metavar="DIR")] = None,
    as_json: Annotated[bool, typer.Option("--json")] = False,
    save: Annotated[Path | None, typer.Option(metavar="DIR")] = None,
    quiet: Annotated[bool, typer.Option("--quiet")] = False,
) -> None:
    """Let bots play many games and count.

    Says how many were won, what ended them and how long they were, with 95 % confidence intervals.
    """
    from ..core.errors import SetupError
    from .runner import cell_of, plan_of, results, simulate
    from .store import open_store

    given: dict[str, object] = {
        "edition": edition,
        "map": map_name,
        "beach": beach,
        "seats": seats,
        "nations": nation,
        "options": option,
    }
    given |= {"level": level}
    setup = DEFAULTS.get(game, {}) | {name: value for name, value in given.items() if value is not None}
    if cluster is not None and save is not None:
        raise SetupError(say("sim.save-far"))
    _check_targets(table, plots)
    plan = plan_of([cell_of(game, setup, bot or ["random"], seed)], games)
    with _pool(workers, cluster, plan) as (pool, n):
        store = open_store(plan, out)
        with _progress(games, quiet) as tick:
            run = simulate(plan, store, pool, save, tick)
    (result,) = results(plan, store)
    if as_json:
        pace = {"seconds": run.seconds, "decisions_per_second": _pace(run), "workers": n}
        print(json.dumps(result.as_json() | pace, indent=2))
    else:
        _print_table(result, run, n, save)
    _write_more(store, [result], table, plots, quiet or as_json)


@contextmanager
def _pool(workers: str, address: str | None, plan: Plan) -> Iterator[tuple[Executor | None, int]]:
    """Where the games are played, and in how many processes of this machine."""
    from ..core.processes import processes, worker_count
    from .spread import cluster

    n = worker_count(workers)
    if address is not None:
        with cluster(address) as pool:
            yield pool, 0
        return
    n = min(n, sum(1 for _ in plan.blocks()))
    with processes(n) as pool:
        yield pool, n


@contextmanager
def _progress(games: int, quiet: bool = False) -> Iterator[Callable[[int], object]]:
    """A bar on the terminal, where there is one."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(say("sim.bar")), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    hidden = quiet or not sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden) as bar:
        task = bar.add_task("games", total=games)
        yield lambda more: bar.update(task, advance=more)


def _check_targets(tables: Sequence[Path] | None, plots: Path | None = None, *files: Path | None) -> None:
    from ..core.targets import check_file, check_folder
    from .tables import check_table

    for path in tables or ():
        check_table(path)
    for file in filter(None, files):
        check_file(file)
    if plots is not None:
        check_folder(plots)


def _write_more(
    store: Store, found: Sequence[Result], tables: Sequence[Path] | None, plots: Path | None, quiet: bool
) -> None:
    from .tables import write_table

    for path in tables or ():
        there = path.exists()
        write_table(path, store)
        _wrote(path, there, quiet)
    if plots is not None:
        from .plots import write_plots

        before = set(plots.glob("*.svg")) if plots.is_dir() else set()
        for path in write_plots(plots, found):
            _wrote(path, path in before, quiet)


def _console() -> Console:
    """For what we say: names are no marks for colours."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False)


def _wrote(path: Path, there: bool, quiet: bool) -> None:
    if there or not quiet:
        print(say("cli.wrote-over" if there else "cli.wrote", path=path), file=sys.stderr if quiet else sys.stdout)


def _pace(run: Run) -> float:
    return run.decisions / run.seconds if run.decisions else 0.0


def _print_table(result: Result, run: Run, workers: int, save: Path | None) -> None:
    from rich.table import Table

    from .figures import mean, wilson
    from .names import cause_name

    tally = result.tally
    table = Table("", "", say("sim.interval"), title=_title(result), title_justify="left", title_style="")
    table.columns[1].justify = table.columns[2].justify = "right"
    if result.against:
        for seat, rate in enumerate(result.leads):
            table.add_row(say("sim.lead", n=seat + 1), _percent(tally.leads[seat], rate), _percent_interval(rate))
    else:
        table.add_row(say("sim.won"), _percent(tally.wins, tally.win_rate), _percent_interval(tally.win_rate))
    for cause, n in tally.causes().items():
        rate = wilson(n, tally.games)
        table.add_row(say("sim.ended", cause=cause_name(cause)), _percent(n, rate), _percent_interval(rate))
    counts = {"turns": tally.turns, "decisions": tally.decisions, "left": tally.left, "points": tally.points}
    for name, count in counts.items():
        if count.n:
            table.add_row(say(f"sim.{name}"), f"{mean(count).value:.2f}", _interval(mean(count)))
    if tally.faults:
        table.add_row(say("sim.faults"), str(tally.faults), "")
    console = _console()
    console.print(table)
    console.print(_took(run, workers), soft_wrap=True)
    if save is not None:
        console.print(say("sim.records", folder=save), soft_wrap=True)


def _took(run: Run, workers: int) -> str:
    if not run.games:
        return say("sim.all-there")
    told = {"games": say("sim.games", n=run.games), "seconds": f"{run.seconds:.2f}", "pace": f"{_pace(run):,.0f}"}
    return say("sim.took", n=workers, **told) if workers else say("sim.took-far", **told)


def _title(result: Result) -> str:
    from .names import bots_name, words

    cell = result.cell
    setup = "".join(f", {name} {words(value)}" for name, value in cell.setup.items())
    return f"{cell.game}{setup}, bot {bots_name(cell)}, seed {cell.seed}"


def _percent(n: int, rate: Estimate) -> str:
    return f"{n} = {100 * rate.value:.1f} %"


def _percent_interval(rate: Estimate) -> str:
    assert rate.low is not None and rate.high is not None
    return f"{100 * rate.low:.1f} to {100 * rate.high:.1f} %"


def _interval(estimate: Estimate) -> str:
    return "-" if estimate.low is None else f"{estimate.low:.2f} to {estimate.high:.2f}"


# ---- ladder


def ladder(
    edition: Annotated[list[str] | None, typer.Option()] = None,
    map_name: Annotated[list[str] | None, typer.Option("--map", metavar="NAME")] = None,
    level: Annotated[list[str] | None, typer.Option(metavar="NAME")] = None,
    seats: Annotated[list[int] | None, typer.Option()] = None,
    bot: Annotated[list[str] | None, typer.Option(metavar="CODE")] = None,
    games: Annotated[int | None, typer.Option()] = None,
    seed: Annotated[int | None, typer.Option()] = None,
    workers: Annotated[str, typer.Option(metavar="N|auto")] = "auto",
    cluster: Annotated[str | None, typer.Option(metavar="ADDRESS")] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR")] = None,
    known: Annotated[Path | None, typer.Option("--with", metavar="DIR|FILE")] = None,
    again: Annotated[int | None, typer.Option(metavar="N", min=1)] = None,
    source: Annotated[Path | None, typer.Option("--from", metavar="DIR|FILE")] = None,
    keep: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    write: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    table: Annotated[list[Path] | None, typer.Option(metavar="FILE")] = None,
    plots: Annotated[Path | None, typer.Option(metavar="DIR")] = None,
    as_json: Annotated[bool, typer.Option("--json")] = False,
    quiet: Annotated[bool, typer.Option("--quiet")] = False,
) -> None:
    """Rank the bots: each one plays the same games of every map and level, alone and with four Units."""
    from ..core.errors import BeachheadError, SetupError
    from .ladder import GAMES, cells, page, read_ladder, settings
    from .runner import plan_of, results, simulate
    from .store import find_store, open_store, read_notes, write_kept

    _check_targets(table, plots, keep, write)
    if (out is None) == (source is None):
        raise SetupError(say("ladder.folder"))
    if again is not None and known is None:
        raise SetupError(say("sim.again"))
    chosen = {"edition": edition, "map": map_name, "level": level, "seats": seats, "bot": bot}
    if source is not None:
        if known is not None:
            raise SetupError(say("ladder.only-out"))
        if any(chosen.values()) or seed is not None:
            raise SetupError(say("ladder.only-from"))
        store, notes = find_store(source)
    else:
        assert out is not None
        found = settings(edition or (), map_name or (), level or (), seats or ())
        games, seed = GAMES if games is None else games, seed or 0
        plan = plan_of(cells(found, bot or (), seed), games)
        with _pool(workers, cluster, plan) as (pool, n):
            store = open_store(plan, out, _typed("ladder", [], chosen, games, seed))
            if known is not None:
                _take_over(plan, store, known, again, pool, quiet or as_json, only_won=True)
            with _progress(games * len(plan.cells), quiet) as tick:
                run = simulate(plan, store, pool, tick=tick)
        notes = read_notes(out)
    if keep is not None:  # also of a run that is not over
        there = keep.exists()
        write_kept(keep, store, notes)
        _wrote(keep, there, quiet or as_json)
        missing = sum(len(block.numbers) for block in store.open_blocks())
        if missing and games is None and write is None and not as_json:
            print(say("ladder.missing", folder=store.name, n=missing))
            return
    made = read_ladder(store, games)
    if as_json:
        print(json.dumps(made.as_json(), indent=1))
    else:
        _print_ladder(made)
        if source is None:
            print(_took(run, n))
    if write is not None:
        there = write.exists()
        try:
            write.write_text(page(made, notes), encoding="utf-8")
        except OSError as error:
            raise BeachheadError(f"{write}: {error.strerror}") from None
        _wrote(write, there, quiet or as_json)
    if table or plots:
        shown = store.first(made.plan.games)
        _write_more(shown, results(shown.plan, shown), table, plots, quiet or as_json)


def _take_over(
    plan: Plan,
    store: Store,
    known: Path,
    again: int | None,
    pool: Executor | None,
    quiet: bool,
    *,
    only_won: bool = False,
) -> None:
    """What another run has played; of another engine, where so many games of each setting come out the same here."""
    from functools import partial

    from .names import bots_name, setting_name
    from .runner import played_again
    from .store import take_over

    same = partial(played_again, plan, again, pool) if again else None
    if again:
        store.note(again=again)  # a run that took over itself says there how many it tried
    changed = take_over(store, known, same, only_won=only_won)
    if changed and not quiet:
        told = ", ".join(f"{setting_name(cell.setup, cell.game)} ({bots_name(cell)})" for cell in changed)
        print(say("sim.changed", folder=known, n=len(changed), settings=told))


def _typed(
    command: str,
    names: Sequence[str],
    chosen: Mapping[str, Sequence[object] | None],
    games: int,
    seed: int,
    **flags: bool,
) -> str:
    """The command that plays the same games on any machine."""
    named = [str(part) for name, values in chosen.items() for value in values or () for part in (f"--{name}", value)]
    named = [*names, *(f"--{name}" for name, given in flags.items() if given), *named]
    return shlex.join(["beachhead", command, *named, "--games", str(games), "--seed", str(seed), "--out", "FOLDER"])


def _print_ladder(made: Ladder) -> None:
    from rich.table import Table

    from .ladder import rate_rows

    heads, *rows = rate_rows(made.standings)
    table = Table(*heads)
    for column in table.columns[1:]:
        column.justify = "right"
    for row in rows:
        table.add_row(*row)
    console = _console()
    console.print(table)
    console.print(say("ladder.percent"), soft_wrap=True)


# ---- balance


def balance(
    name: Annotated[str, typer.Argument(metavar="MAP")] = "",
    every: Annotated[bool, typer.Option("--all")] = False,
    edition: Annotated[str | None, typer.Option()] = None,
    seats: Annotated[list[int] | None, typer.Option()] = None,
    bot: Annotated[list[str] | None, typer.Option(metavar="CODE")] = None,
    games: Annotated[int | None, typer.Option()] = None,
    seed: Annotated[int | None, typer.Option()] = None,
    workers: Annotated[str, typer.Option(metavar="N|auto")] = "auto",
    effects: Annotated[bool, typer.Option("--effects")] = False,
    out: Annotated[Path | None, typer.Option(metavar="DIR")] = None,
    known: Annotated[Path | None, typer.Option("--with", metavar="DIR")] = None,
    again: Annotated[int | None, typer.Option(metavar="N", min=1)] = None,
    source: Annotated[Path | None, typer.Option("--from", metavar="DIR")] = None,
    write: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    ladder: Annotated[Path | None, typer.Option(metavar="DIR|FILE")] = None,
    pictures: Annotated[Path | None, typer.Option(metavar="DIR")] = None,
    as_json: Annotated[bool, typer.Option("--json")] = False,
    quiet: Annotated[bool, typer.Option("--quiet")] = False,
) -> None:
    """Judge a board by measurement: bots play the same games of it, and what came of them is told."""
    from ..core.errors import SetupError
    from .balance import GAMES, cells, read_balance, wins_of
    from .runner import plan_of, simulate
    from .store import find_store, open_store, read_notes

    if again is not None and known is None:
        raise SetupError(say("sim.again"))
    if ladder is not None and write is None:
        raise SetupError(say("balance.only-write"))
    if pictures is not None and write is None:
        raise SetupError(say("balance.no-page"))
    if write is not None:
        pictures = pictures or write.with_suffix("")
        _apart(pictures, write, out, source, known, ladder)
    _check_targets((), pictures, write)
    chosen = {"edition": [edition] if edition else [], "seats": seats, "bot": bot}
    if source is not None:
        if out is not None:
            raise SetupError(say("balance.folder"))
        numbered = games is not None or seed is not None
        if name or every or effects or known or numbered or any(chosen.values()):
            raise SetupError(say("balance.only-from"))
        store, kept = find_store(source)
        plan = store.plan
    else:
        if bool(name) == every:
            raise SetupError(say("balance.which"))
        games, seed = GAMES if games is None else games, seed or 0
        command = _typed("balance", [name] if name else [], chosen, games, seed, all=every, effects=effects)
        plan = plan_of(cells(_boards(name, edition), seats or (), bot or (), seed, effects), games)
    more = (ladder, wins_of(find_store(ladder)[0], plan)) if ladder else None
    if source is None:
        with _pool(workers, None, plan) as (pool, n):
            store = open_store(plan, out, command)
            if known is not None:
                _take_over(plan, store, known, again, pool, quiet or as_json)
            with _progress(plan.games * len(plan.cells), quiet) as tick:
                run = simulate(plan, store, pool, tick=tick)
        kept = read_notes(out) if out else {"command": command}
    found = read_balance(store)
    if as_json:
        print(json.dumps(store.plan.as_json() | {"boards": [one.as_json() for one in found]}, indent=1))
    elif write is None:
        _print_balance(found)
        if source is None:
            print(_took(run, n))
    if write is not None and pictures is not None:
        _write_maps(write, pictures, found, store, kept, more, quiet or as_json)


def _apart(pictures: Path, page: Path, *runs: Path | None) -> None:
    """Pictures lie in a folder of their own: neither the page nor a run is there."""
    from ..core.errors import SetupError

    if pictures.resolve() in {path.resolve() for path in (page, *runs) if path is not None}:
        raise SetupError(say("balance.pictures", folder=pictures))


def _boards(name: str, edition: str | None) -> list[Map]:
    """The board of this name, in each edition that has one; all boards for none."""
    from ..content.library import EDITIONS, library
    from ..core.errors import SetupError
    from ..draw.cli import find_maps

    if edition is not None and edition not in EDITIONS:
        raise SetupError(say("setup.unknown.edition", name=repr(edition), known=", ".join(EDITIONS), hint=""))
    shelf = library().maps
    if name:
        return [shelf[one][id] for one, id in find_maps(name, edition or "")]
    return [board for one in ([edition] if edition else EDITIONS) for board in shelf[one].values()]


def _print_balance(found: Sequence[Balance]) -> None:
    from rich.table import Table

    from ..content import spoken
    from .balance_told import notes, tables

    console = _console()
    for one in found:
        edition = say(f"server.edition.{one.board.edition}")
        console.print(f"\n{one.board.number} {spoken.map_name(one.board)}, {edition}".rstrip())
        for shown in tables(one):
            table = Table(*shown.heads, title=shown.title, title_justify="left", title_style="")
            for column in table.columns[1:]:
                column.justify = "right"
            for row in shown.rows:
                table.add_row(*row)
            console.print(table)
        for said in notes(one):
            console.print(f"- {said}", soft_wrap=True)


def _write_maps(
    page: Path,
    pictures: Path,
    found: Sequence[Balance],
    store: Store,
    kept: dict[str, Any],
    ladder: tuple[Path, Wins] | None,
    quiet: bool,
) -> None:
    """The page, and beside it the pictures of the boards."""
    from os.path import relpath

    from ..core.errors import BeachheadError
    from .balance_told import page as page_of
    from .balance_told import write_pictures

    def seen(path: Path) -> str:
        return Path(relpath(path, page.parent)).as_posix()

    there, before = page.exists(), set(pictures.glob("*.svg"))
    more = (seen(ladder[0].with_suffix(".md") if ladder[0].is_file() else ladder[0]), ladder[1]) if ladder else None
    for path in write_pictures(pictures, [one.board for one in found]):
        _wrote(path, path in before, quiet)
    try:
        page.write_text(page_of(found, store, kept, seen(pictures), more), encoding="utf-8")
    except OSError as error:
        raise BeachheadError(f"{page}: {error.strerror}") from None
    _wrote(page, there, quiet)


# ---- worth


def worth(
    edition: Annotated[str, typer.Option()] = "first",
    kind: Annotated[str, typer.Option(metavar="KIND")] = "all",
    map_name: Annotated[str, typer.Option("--map", metavar="NAME")] = "n01-exercise-tiger",
    seats: Annotated[int, typer.Option()] = 1,
    option: Annotated[list[str] | None, typer.Option(metavar="NAME")] = None,
    games: Annotated[int, typer.Option()] = 40,
    seed: Annotated[int, typer.Option()] = 0,
    missing: Annotated[bool, typer.Option("--missing")] = False,
    workers: Annotated[str, typer.Option(metavar="N|auto")] = "auto",
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """Measure what cards and nations are worth.

    The bot thumb plays the same dice as they are and with a card in Unit 1 from the start. Says what changed (games
    won, Soldiers and Specialists left, turns), with 95 % confidence intervals, and how often it was offered and taken.
    """
    from ..core.processes import processes, worker_count
    from .worth import measure, rows

    setup: dict[str, object] = {"edition": edition, "map": map_name, "seats": seats, "options": option or []}
    cards, nations = rows(setup, kind)
    jobs = 1 + len(cards) + len(nations)
    with processes(min(worker_count(workers), jobs)) as pool, _progress(games * jobs) as tick:
        found = measure(setup, kind, games, seed, pool, missing, tick)
    if as_json:
        print(json.dumps(found.as_json(), indent=2))
    else:
        _print_worths(found)


def _print_worths(found: Worths) -> None:
    from rich.table import Table

    from .names import words

    console = _console()
    setup = ", ".join(f"{name} {words(value)}" for name, value in found.setup.items() if value)
    console.print(f"{setup}, bot thumb, {found.games} games for each row, seed {found.seed}", soft_wrap=True)
    won = f"won {100 * found.won.value:.1f} % ({_percent_interval(found.won)})"
    console.print(f"as it is: {won}, {found.left.value:.1f} {_reach(found.left)} left", soft_wrap=True)
    if found.cards:
        heads = ["card", "cost", "won %", "left", "turns", "used", "offered", "taken"]
        title = "without the card" if found.missing else "with the card from the start"
        table = Table(*heads, title=title, title_justify="left", title_style="")
        table.columns[0].no_wrap = True
        for column in table.columns[1:]:
            column.justify = "right"
        for card in sorted(found.cards, key=lambda card: (card.kind, -card.left.value)):
            table.add_row(
                card.card,
                str(card.cost or ""),
                _change(card.won, 100),
                _change(card.left),
                _change(card.turns),
                "-" if card.used is None else f"{100 * card.used:.0f} %",
                f"{100 * card.offered:.0f} %",
                f"{100 * card.taken:.0f} %",
            )
        console.print(table)
    if found.nations:
        heads = ["nation", "won", "left", "Soldiers", "Stars", "Courage", "Points", "RWBs"]
        table = Table(*heads, title="nations; what a turn brings", title_justify="left", title_style="")
        for column in table.columns[1:]:
            column.justify = "right"
        for nation in found.nations:
            income = [f"{one.value:.2f} {_reach(one)}" for one in nation.income.values()]
            lasting = f"{nation.left.value:.1f} {_reach(nation.left)}"
            won = f"{100 * nation.won.value:.1f} %"
            table.add_row(nation.nation, won, lasting, *income, f"{nation.rwbs:.2f}")
        console.print(table)


def _change(estimate: Estimate, times: int = 1) -> str:
    return f"{times * estimate.value:+.1f} {_reach(estimate, times)}"


def _reach(estimate: Estimate, times: int = 1) -> str:
    """Half the 95 % interval."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"±{times * (estimate.high - estimate.low) / 2:.1f}"
