"""The command of this room: learn values by self-play."""

from __future__ import annotations

import json
import sys
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ..bots.values import Setting
    from .rounds import Trial

MOST_ROUNDS = 50
MOST_GAMES = 1_000_000


def register(app: typer.Typer) -> None:
    app.command()(train)


def train(
    edition: Annotated[list[str] | None, typer.Option()] = None,
    map_name: Annotated[list[str] | None, typer.Option("--map", metavar="NAME")] = None,
    seats: Annotated[list[int] | None, typer.Option()] = None,
    level: Annotated[list[str] | None, typer.Option(metavar="NAME")] = None,
    games: Annotated[int, typer.Option()] = 1000,
    rounds: Annotated[int, typer.Option()] = 4,
    trials: Annotated[int | None, typer.Option()] = None,
    start: Annotated[str, typer.Option(metavar="any|thumb")] = "any",
    seed: Annotated[int, typer.Option()] = 0,
    workers: Annotated[str, typer.Option(metavar="N|auto")] = "auto",
    out: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    anyway: Annotated[bool, typer.Option("--anyway")] = False,
    search: Annotated[list[str] | None, typer.Option(metavar="NAME")] = None,
    no_planner: Annotated[bool, typer.Option("--no-planner")] = False,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """Let the bot exact learn a map by playing it."""
    from ..bots.planner import SEARCHES
    from ..bots.values import FOLDER_VARIABLE, START, Values, before, file_name, write
    from ..core.errors import BeachheadError, SetupError
    from ..core.processes import worker_count
    from ..core.targets import check_file
    from ..say import say
    from .rounds import Round, best_of, tries
    from .rounds import train as learn

    given = (edition or ["first"], map_name or ["n01-exercise-tiger"], seats or [1], level or [""])
    settings = _those_there_are(given)
    for n in (games, games if trials is None else trials):
        if n < 1:
            raise SetupError(say("setup.few-games", n=n, least=1))
        if n > MOST_GAMES:
            raise SetupError(say("setup.many-games", n=n, most=MOST_GAMES))
    if not 1 <= rounds <= MOST_ROUNDS:
        raise BeachheadError(say("train.rounds", n=rounds, most=MOST_ROUNDS))
    many = worker_count(workers)
    if start not in ("any", "thumb"):
        raise BeachheadError(say("train.start", start=start))
    if wrong := [name for name in search or () if name not in SEARCHES]:
        raise BeachheadError(say("train.search", name=wrong[0], names=", ".join(SEARCHES)))
    if search and no_planner:
        raise BeachheadError(say("train.search-or-not"))
    searches = () if no_planner else search or SEARCHES
    first = before(settings[0]) if start == "any" and len(settings) == 1 else START
    target = out or Path(file_name(settings[0] if len(settings) == 1 else None))
    check_file(target)

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(say("train.games")), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    shown = sys.stderr.isatty()
    told: list[Round] = []
    tried: list[Trial] = []
    with Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True, disable=not shown) as bar:
        task = bar.add_task("", total=games * rounds + (trials or games) * tries(rounds, searches))

        def tick(n: int) -> None:
            bar.update(task, advance=n, refresh=True)

        for one in learn(settings, games, rounds, seed, many, tick, trials or 0, first, searches):
            rate = f"{100 * one.won / one.games:.1f}"
            if isinstance(one, Round):
                told.append(one)
                line = say("train.round", round=one.number, rate=rate, n=one.games)
            else:
                tried.append(one)
                low, high = (f"{100 * bound:.1f}" for bound in one.interval)
                line = say("train.trial", name=_name(one), rate=rate, low=low, high=high, n=one.games, seed=seed)
            if not as_json:
                bar.console.print(line, highlight=False, markup=False, soft_wrap=True)
    best, earlier = best_of(tried)
    values = best.judge
    assert isinstance(values, Values)
    kept = anyway or best.won >= earlier.won
    if kept:
        there = target.exists()
        write(values, target)
        if there:
            print(say("cli.wrote-over", path=target), file=sys.stderr if as_json else sys.stdout)
    if as_json:
        rows = [
            {"round": one.number, "games": one.games, "won": one.won}
            | {f"loss_{moment}": fitted.loss for moment, fitted in one.fitted.items()}
            for one in told
        ]
        played = [setting._asdict() for setting in settings]
        shown_trials = [
            {"name": _name(one), "games": one.games, "won": one.won, "rate_95": list(one.interval)} for one in tried
        ]
        found = {"settings": played, "seed": seed, "rounds": rows, "trials": shown_trials}
        print(
            json.dumps(
                found | {"best": _name(best), "searches": values.searches, "file": str(target) if kept else None},
                indent=2,
            )
        )
        return
    if not kept:
        print(say("train.worse", name=_name(best), n=best.won, start=earlier.won, path=target))
        return
    if best.won < earlier.won:
        print(say("train.anyway", name=_name(best), n=best.won, start=earlier.won))
    print(say("train.written", path=target, name=_name(best), variable=FOLDER_VARIABLE))
    print(say("train.searches", what=", ".join(values.searches)) if values.searches else say("train.no-searches"))


def _those_there_are(given: tuple[list[str], list[str], list[int], list[str]]) -> list[Setting]:
    """Of several editions, maps, numbers of Units and levels those games that there are; each must be in one of them,
    or it is a SetupError.
    """
    from ..bots.values import Setting
    from ..core.errors import SetupError
    from ..games import GAMES

    found, wrong = [], {}
    for one in product(*given):
        try:
            GAMES["landing"].new(Setting(*one)._asdict())
            found.append(one)
        except SetupError as error:
            wrong[one] = error
    named: list[tuple[str | int, ...]] = [tuple(values) for values in given]
    for place, values in enumerate(named):
        for value in values:
            if not any(one[place] == value for one in found):
                raise next(error for one, error in wrong.items() if one[place] == value)
    return [Setting(*one) for one in found]


def _name(trial: Trial) -> str:
    from ..bots.values import Values

    judge = trial.judge
    if not isinstance(judge, Values):
        return "start"
    if trial.before:
        return "any"
    found = "-".join((f"round{judge.about['round']}", *judge.plays))
    return f"{found}, planner {'-'.join(judge.searches)}".rstrip() if trial.planning else found
