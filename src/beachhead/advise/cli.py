"""The commands of this room: advice for a point of a recorded game, and a review of a finished one."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer


def register(app: typer.Typer) -> None:
    app.command()(advise)
    app.command()(review)


def advise(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    at: Annotated[int | None, typer.Option(metavar="N")] = None,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """Every answer to the questions at a point of a recorded game, best first."""
    from ..core.errors import BeachheadError
    from ..core.node import Ask
    from ..core.record import read
    from ..games import game_of
    from ..say import say
    from . import advise as worked_out
    from . import speaks
    from .words import table

    record = read(file)
    g = _state_at(record, len(record.entries) if at is None else at)
    game = game_of(g)
    if not speaks(game.machine.view(g, None)):
        raise BeachheadError(say("advise.other-setup"))
    node = game.machine.node(g)
    assert isinstance(node, Ask)
    found = [
        (seat, advice)
        for seat in node.seats
        if (advice := worked_out(node.decision(seat), lambda seat=seat: game.machine.view(g, seat), state=g))  # type: ignore[misc]
    ]
    if not found:
        raise BeachheadError(say("advise.no-advice"))
    if as_json:
        print(json.dumps([plain(advice) for _, advice in found], indent=2))
        return
    for seat, advice in found:
        decision = node.decision(seat)
        print(say("advise.question", turn=g.turn, prompt=game.prompt(g, decision)))
        for line in table(advice, g, decision):
            print(f"  {line}")
        print(f"  {' '.join(advice.why)}")


def review(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """Luck against skill in a finished game, and its costliest choices."""
    from ..core.record import read
    from ..landing.words import unit_name
    from ..pocket.text import player_name
    from . import review as looked_at
    from .words import told

    record = read(file)
    with _progress() as tick:
        found = looked_at(record, tick)
    if as_json:
        print(json.dumps(plain(found), indent=2))
        return
    for line in told(found, file, unit_name if record.header.game == "landing" else player_name):
        print(line)


def plain(found: Any) -> Any:
    """As plain data: named tuples by the names of their parts."""
    if hasattr(found, "_asdict"):
        named = {name: plain(value) for name, value in found._asdict().items()}
        if "gives" in named:
            named["gives"] = dict(found.gives)
        return named
    return [plain(one) for one in found] if isinstance(found, tuple) else found


def _state_at(record: Any, n: int) -> Any:
    """The state after so many entries of a record; somebody is asked there."""
    from ..core.errors import BeachheadError
    from ..core.node import Over, Roll
    from ..core.record import Answered, Record, replay
    from ..games import GAMES
    from ..say import say

    if not 0 <= n <= len(record.entries):
        raise BeachheadError(say("advise.at", n=n, most=len(record.entries)))
    course = replay(Record(record.header, record.entries[:n], record.source), GAMES).finish()
    if not isinstance(course.node, Over | Roll):
        return course.state
    asked = [at for at, entry in enumerate(record.entries) if isinstance(entry, Answered)]
    if not asked:
        raise BeachheadError(say("advise.no-question"))
    if isinstance(course.node, Over):
        raise BeachheadError(say("advise.over-here", most=asked[-1]))
    raise BeachheadError(say("advise.roll-here", n=next((at for at in asked if at >= n), asked[-1])))


@contextmanager
def _progress() -> Iterator[Callable[[int, int], object]]:
    """A bar on the terminal, where there is one."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from ..say import say

    columns = (TextColumn(say("advise.working")), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    shown = sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True, disable=not shown) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total, refresh=True)
