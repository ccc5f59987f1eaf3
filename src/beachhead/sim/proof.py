"""Two commands about records of games: tell one in plain words, prove one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..say import say

if TYPE_CHECKING:
    from ..core.game import Game
    from ..core.machine import State
    from ..core.node import Event
    from ..core.record import Record, Replay

# ---- replay


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    events: Annotated[bool, typer.Option("--events")] = False,
    cite: Annotated[bool, typer.Option("--cite")] = False,
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
    tell(run.course.game, run.course.opening if events else _chosen(run.course.state, run.course.opening))
    last = 0
    for step, happened in run:
        if step.number <= last and not events:
            print(f"    ({say('replay.back', n=last - step.number + 1)})")
        last = step.number
        tell(run.course.game, happened)
    if not events:
        print(_outcome(run))


def _chosen(state: State, events: list[Event]) -> list[Event]:
    """Without Units that are laid where they start before they have chosen where."""
    from ..landing.state import Landing
    from ..landing.text import unchosen

    return [event for event in events if not (isinstance(state, Landing) and unchosen(state, event))]


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
    from .names import words

    header = recorded.header
    setup = "".join(f", {name} {words(value)}" for name, value in header.setup.items() if value)
    return _with_changes(recorded, say("replay.headline", game=f"{header.game}{setup}", version=header.version))


def _with_changes(recorded: Record, told: str) -> str:
    """With what packs have changed of our content: what the record names, and what is so here, where the content is the
    same.
    """
    from ..games import GAMES

    header = recorded.header
    changed = ", ".join(dict.fromkeys((*header.changed, *GAMES[header.game].changed(header.setup))))
    return say("record.changed", content=told, changed=changed) if changed else told


def _outcome(run: Replay) -> str:
    from ..core.node import Ask, Over
    from .names import cause_name

    course = run.course
    node = course.node
    length = say("replay.steps", n=len(course.steps))
    if isinstance(node, Over):
        scores = f", {say('replay.scores', scores=' '.join(map(str, node.scores)))}" if node.scores else ""
        end = say("replay.won" if node.won else "replay.lost", steps=length, cause=cause_name(node.cause))
        return f"\n{end}{scores} [{node.rule}]"
    if isinstance(node, Ask):
        asked = "\n".join(course.game.prompt(course.state, decision) for decision in node.decisions)
        return f"\n{say('replay.asked', steps=length)}\n{asked}"
    return f"\n{say('replay.due', steps=length, roll=f'{node.stream}:{node.number}')}"


# ---- verify


def verify(files: Annotated[list[Path], typer.Argument(metavar="FILE...")]) -> None:
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
    if seen := checks["steps"].detail.partition("; ")[2]:
        rest = f"; {seen}{rest}"
    if checks["dice"].status == "open":
        words = say("verify.open", path=recorded.source, n=steps, dice=checks["dice"].detail, rest=rest)
        return False, _with_changes(recorded, words)
    counted = ", ".join((say("replay.steps", n=steps), say("verify.rolls", n=rolls), say("verify.seeds", n=seeds)))
    return True, _with_changes(recorded, say("verify.right", path=recorded.source, counted=counted, rest=rest))
