"""The command of this room: learn values by self-play."""

from __future__ import annotations

import json
import sys
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ..bots.values import Valuer

MOST_ROUNDS = 50


def register(app: typer.Typer) -> None:
    app.command()(train)


def train(
    edition: Annotated[list[str] | None, typer.Option()] = None,
    map_name: Annotated[list[str] | None, typer.Option("--map", metavar="NAME")] = None,
    seats: Annotated[list[int] | None, typer.Option()] = None,
    level: Annotated[list[str] | None, typer.Option(metavar="NAME")] = None,
    games: Annotated[int, typer.Option()] = 1000,
    rounds: Annotated[int, typer.Option()] = 4,
    seed: Annotated[int, typer.Option()] = 0,
    workers: Annotated[int | None, typer.Option()] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """Let the bot exact learn a map by playing it."""
    from ..bots.values import FOLDER_VARIABLE, Setting, file_name, write
    from ..core.errors import BeachheadError, SetupError
    from ..games import GAMES
    from ..say import say
    from .rounds import Round, Trial, best_of, cores, tries
    from .rounds import train as learn

    given = (edition or ["first"], map_name or ["n01-exercise-tiger"], seats or [1], level or [""])
    settings = [Setting(*one) for one in product(*given)]
    for setting in settings:
        GAMES["landing"].new(setting._asdict())  # raises SetupError for what there is not
    if games < 1:
        raise SetupError(say("setup.few-games", n=games, least=1))
    if not 1 <= rounds <= MOST_ROUNDS:
        raise BeachheadError(say("train.rounds", n=rounds, most=MOST_ROUNDS))
    if workers is not None and workers < 1:
        raise SetupError(say("setup.few-workers", n=workers))
    target = out or Path(file_name(settings[0] if len(settings) == 1 else None))
    if not target.parent.is_dir():
        raise BeachheadError(say("train.no-folder", folder=target.parent))

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(say("train.games")), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    shown = sys.stderr.isatty()
    told: list[Round] = []
    tried: list[Trial] = []
    with Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True, disable=not shown) as bar:
        task = bar.add_task("", total=games * (rounds + tries(rounds)))
        for one in learn(
            settings, games, rounds, seed, workers or cores(), lambda n: bar.update(task, advance=n, refresh=True)
        ):
            rate = f"{100 * one.won / one.games:.1f}"
            if isinstance(one, Round):
                told.append(one)
                line = say("train.round", round=one.number, rate=rate)
            else:
                tried.append(one)
                line = say("train.trial", name=_name(one.judge), rate=rate)
            if not as_json:
                bar.console.print(line, highlight=False, markup=False)
    values = best_of(tried)
    write(values, target)
    if as_json:
        rows = [
            {"round": one.number, "games": one.games, "won": one.won}
            | {f"loss_{moment}": fitted.loss for moment, fitted in one.fitted.items()}
            for one in told
        ]
        played = [setting._asdict() for setting in settings]
        trials = [{"name": _name(one.judge), "games": one.games, "won": one.won} for one in tried]
        found = {"settings": played, "seed": seed, "rounds": rows, "trials": trials, "file": str(target)}
        print(json.dumps(found, indent=2))
        return
    print(say("train.written", path=target, name=_name(values), variable=FOLDER_VARIABLE))


def _name(judge: Valuer) -> str:
    from ..bots.values import Values

    if not isinstance(judge, Values):
        return "start"
    return "-".join((f"round{judge.about['round']}", *judge.plays))
