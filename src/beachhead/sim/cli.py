"""The commands of this room: simulate many games, measure cards, tell a record in words, prove a record."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ..core.game import Game
    from ..core.node import Event
    from ..core.record import Record, Replay
    from .runner import Estimate, Result
    from .worth import Worths


def register(app: typer.Typer) -> None:
    app.command()(sim)
    app.command()(worth)
    app.command()(replay)
    app.command()(verify)


# ---- sim

DEFAULTS = {"landing": {"edition": "first", "map": "n01-exercise-tiger", "seats": 1}}
"""What is played where the command line does not say."""


def sim(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Such as landing.")],
    edition: Annotated[str | None, typer.Option(help="first or second.")] = None,
    map_name: Annotated[str | None, typer.Option("--map", metavar="NAME", help="Such as n01-exercise-tiger.")] = None,
    seats: Annotated[int | None, typer.Option(help="How many play.")] = None,
    nation: Annotated[list[str] | None, typer.Option(help="Of a seat; once per seat, in their order.")] = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="An optional rule, as mulligan; may be repeated.")
    ] = None,
    level: Annotated[str | None, typer.Option(metavar="NAME", help="Of the map, as practice-run.")] = None,
    bot: Annotated[list[str] | None, typer.Option(metavar="CODE", help="Once for all seats, or once per seat.")] = None,
    games: Annotated[int, typer.Option(help="How many games.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed gives the same games.")] = 0,
    workers: Annotated[int | None, typer.Option(help="Processes; all cores if not given.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    save: Annotated[Path | None, typer.Option(metavar="DIR", help="Write the record of each game there.")] = None,
) -> None:
    """Let bots play many games and count.

    Says how many were won, what ended them and how long they were, with 95 % confidence intervals.
    """
    from ..core.errors import SetupError
    from ..games import GAMES
    from .runner import simulate

    if game not in GAMES:
        raise SetupError(f"unknown game {game!r}: expected one of {', '.join(GAMES)}")
    given = {"edition": edition, "map": map_name, "seats": seats, "nations": nation, "options": option, "level": level}
    setup = DEFAULTS.get(game, {}) | {name: value for name, value in given.items() if value is not None}
    with _progress(games) as tick:
        result = simulate(GAMES[game], setup, bot or ["random"], games, seed, workers, save, tick)
    if as_json:
        print(json.dumps(result.as_json(), indent=2))
    else:
        _print_table(result, save)


@contextmanager
def _progress(games: int) -> Iterator[Callable[[int], object]]:
    """A bar on the terminal, where there is one. It draws itself when told to: no thread runs while we fork."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    shown = sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True, disable=not shown) as bar:
        task = bar.add_task("games", total=games)
        yield lambda more: bar.update(task, advance=more, refresh=True)


def _print_table(result: Result, save: Path | None) -> None:
    from rich.console import Console
    from rich.table import Table

    from .runner import wilson

    table = Table("", "", "95 % interval", title=_title(result), title_justify="left", title_style="")
    table.columns[1].justify = table.columns[2].justify = "right"
    table.add_row("won", _percent(result.wins, result.win_rate), _percent_interval(result.win_rate))
    for cause, n in result.ended.items():
        rate = wilson(n, result.games)
        table.add_row(f"ended by {cause}", _percent(n, rate), _percent_interval(rate))
    for name, estimate in (("turns", result.turns), ("decisions", result.decisions_per_game)):
        table.add_row(f"{name} per game", f"{estimate.value:.2f}", _interval(estimate))
    console = Console(highlight=False)
    console.print(table)
    processes = f"{result.workers} process{'es' if result.workers > 1 else ''}"
    pace = f"{result.decisions_per_second:,.0f} decisions/s in {processes}"
    console.print(f"{result.games} games in {result.seconds:.2f} s, {pace}", soft_wrap=True)
    if save is not None:
        console.print(f"records: {save}", soft_wrap=True, markup=False)


def _title(result: Result) -> str:
    bots = result.bots[:1] if len(set(result.bots)) == 1 else result.bots
    setup = "".join(f", {name} {_words(value)}" for name, value in result.setup.items())
    return f"{result.game}{setup}, bot {', '.join(bots)}, seed {result.seed}"


def _words(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _percent(n: int, rate: Estimate) -> str:
    return f"{n} = {100 * rate.value:.1f} %"


def _percent_interval(rate: Estimate) -> str:
    assert rate.low is not None and rate.high is not None
    return f"{100 * rate.low:.1f} to {100 * rate.high:.1f} %"


def _interval(estimate: Estimate) -> str:
    return "-" if estimate.low is None else f"{estimate.low:.2f} to {estimate.high:.2f}"


# ---- worth


def worth(
    edition: Annotated[str, typer.Option(help="first or second.")] = "first",
    kind: Annotated[
        str, typer.Option(help="awards, specialists, items, vehicles, nations or all.", metavar="KIND")
    ] = "all",
    map_name: Annotated[str, typer.Option("--map", metavar="NAME", help="Of a map.")] = "n01-exercise-tiger",
    seats: Annotated[int, typer.Option(help="How many Units.")] = 1,
    option: Annotated[list[str] | None, typer.Option(metavar="NAME", help="An optional rule; may be repeated.")] = None,
    games: Annotated[int, typer.Option(help="How many games for each card and nation.")] = 40,
    seed: Annotated[int, typer.Option(help="The same seed gives the same dice.")] = 0,
    missing: Annotated[bool, typer.Option("--missing", help="Take each card out of the game, not add it.")] = False,
    workers: Annotated[int | None, typer.Option(help="Processes; all cores if not given.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure what cards and nations are worth.

    The bot thumb plays the same dice as they are and with a card in Unit 1 from the start. Says what changed (games
    won, Soldiers and Specialists left, turns), with 95 % confidence intervals, and how often it was offered and taken.
    """
    from .worth import measure, rows

    setup: dict[str, object] = {"edition": edition, "map": map_name, "seats": seats, "options": option or []}
    cards, nations = rows(setup, kind)
    with _progress(games * (1 + len(cards) + len(nations))) as tick:
        found = measure(setup, kind, games, seed, workers, missing, tick)
    if as_json:
        print(json.dumps(found.as_json(), indent=2))
    else:
        _print_worths(found)


def _print_worths(found: Worths) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    setup = ", ".join(f"{name} {_words(value)}" for name, value in found.setup.items() if value)
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


# ---- replay


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record.")],
    events: Annotated[bool, typer.Option("--events", help="One JSON object per event, not words.")] = False,
    cite: Annotated[bool, typer.Option("--cite", help="Name the rule behind each line.")] = False,
) -> None:
    """Tell a record in plain words.

    It is played again for that, and every step is checked on the way.
    """
    from ..core.record import read
    from ..core.record import replay as play_again
    from ..games import GAMES

    recorded = read(file)
    run = play_again(recorded, GAMES)
    tell = _tell_data if events else _tell_cited if cite else _tell
    if not events:
        print(_headline(recorded))
    tell(run.course.game, run.course.opening)
    last = 0
    for step, happened in run:
        if step.number <= last and not events:
            print(f"    ({_count(last - step.number + 1, 'step')} taken back)")
        last = step.number
        tell(run.course.game, happened)
    if not events:
        print(_outcome(run))


def _tell_data(game: Game, events: list[Event]) -> None:
    from ..core.plain import to_json

    for event in events:
        print(to_json(event._asdict()))


def _tell(game: Game, events: list[Event], cite: bool = False) -> None:
    """Turns are headings, phases headings below them, and everything else is indented below both."""
    for event in events:
        said = game.narrate(event)
        if said:
            gap = "\n" if event.type == "turn" else ""
            indent = {"turn": "", "phase": "  "}.get(event.type, "    ")
            print(f"{gap}{indent}{said}{f'  [{event.rule}]' if cite else ''}")


def _tell_cited(game: Game, events: list[Event]) -> None:
    _tell(game, events, cite=True)


def _headline(recorded: Record) -> str:
    header = recorded.header
    setup = "".join(f", {name} {_words(value)}" for name, value in header.setup.items())
    return f"{header.game}{setup}; recorded with Beachhead {header.version}"


def _outcome(run: Replay) -> str:
    from ..core.node import Ask, Over

    course = run.course
    node = course.node
    length = _count(len(course.steps), "step")
    if isinstance(node, Over):
        scores = f", scores {' '.join(map(str, node.scores))}" if node.scores else ""
        return f"\nOver after {length}: {'won' if node.won else 'lost'}, {node.cause}{scores} [{node.rule}]"
    if isinstance(node, Ask):
        asked = "\n".join(course.game.prompt(course.state, decision) for decision in node.decisions)
        return f"\nNot over after {length}; the open questions:\n{asked}"
    return f"\nNot over after {length}; a roll is due: {node.stream}:{node.number}"


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


# ---- verify


def verify(files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Records.")]) -> None:
    """Prove records: work out everything again.

    Every roll is worked out from its revealed seed. Says what was checked, or what differs first.
    Exit code 0: all is right. 1: something differs, or cannot be proven. 2: a file is no record.
    """
    from ..core.errors import RecordError
    from ..core.record import read

    worst = 0
    for file in files:
        try:
            recorded = read(file)
        except RecordError as error:
            print(f"beachhead: {error}", file=sys.stderr)
            worst = 2
            continue
        proven, words = _judge(recorded)
        print(words)
        worst = max(worst, 0 if proven else 1)
    if worst:
        raise typer.Exit(worst)


def _judge(recorded: Record) -> tuple[bool, str]:
    """Whether all of the record is proven, and a line that says so or why not."""
    from ..core.record import Answered, Revealed, Rolled
    from ..core.record import verify as check_all
    from ..games import GAMES

    checks = {check.name: check for check in check_all(recorded, GAMES)}
    for check in checks.values():
        if check.status == "failed":
            told = check.detail.startswith(str(recorded.source))
            return False, check.detail if told else f"{recorded.source}: {check.detail}"
    steps = sum(isinstance(entry, Answered | Rolled) for entry in recorded.entries)
    rolls = sum(isinstance(entry, Rolled) for entry in recorded.entries)
    seeds = sum(isinstance(entry, Revealed) for entry in recorded.entries)
    rest = "" if checks["result"].status == "ok" else f"; {checks['result'].detail}"
    if checks["dice"].status == "open":
        return False, f"{recorded.source}: all {_count(steps, 'step')}: right; dice {checks['dice'].detail}{rest}"
    counted = f"all {_count(steps, 'step')}, {_count(rolls, 'roll')}, {_count(seeds, 'seed')}"
    return True, f"{recorded.source}: {counted}: right{rest}"
