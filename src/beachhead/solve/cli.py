"""The commands of this room: exact odds of a turn of dice, and of a whole game without cards."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import pocket_cli

if TYPE_CHECKING:
    from .goals import Goal
    from .turn import Choice, Turn
    from .whole import Solved

LOCK = 2
"""Dice to Lock where nothing says otherwise."""


def register(app: typer.Typer) -> None:
    app.command()(odds)
    group = typer.Typer(rich_markup_mode=None)
    group.callback(invoke_without_command=True)(solve)
    for command in (pocket_cli.express, pocket_cli.battle, pocket_cli.pocket):
        group.command()(command)
    app.add_typer(group, name="solve")


def odds(
    goal: Annotated[
        str | None,
        typer.Option(
            metavar="GOAL",
        ),
    ] = None,
    dice: Annotated[
        str | None,
        typer.Option(metavar="DICE"),
    ] = None,
    roll: Annotated[int | None, typer.Option(metavar="N")] = None,
    locked: Annotated[str | None, typer.Option(metavar="NAMES")] = None,
    lock: Annotated[int | None, typer.Option(metavar="N")] = None,
    skulls: Annotated[str | None, typer.Option(metavar="WHAT")] = None,
    skulls_stay: Annotated[bool, typer.Option("--skulls-stay")] = False,
    five: Annotated[bool, typer.Option("--five")] = False,
    table: Annotated[bool, typer.Option("--table")] = False,
    as_json: Annotated[bool, typer.Option("--json")] = False,
    lang: Annotated[str | None, typer.Option(metavar="NAME")] = None,
) -> None:
    """Exact odds of a turn, and the best choice for dice on the table.

    Without --dice: before the first roll. A figure is a probability, or for max- an average, when every choice is the
    best for this goal. RWB bonuses are not counted as Soldiers or Item Points.

    \b
    beachhead odds --goal straight
    beachhead odds --goal "soldiers>=6" --lock 1
    beachhead odds --goal rwb --dice "R:star,skull W:tool,tool B:courage,soldier2"
    beachhead odds --goal max-soldiers --dice "R:star,skull W:tool,tool B:courage,soldier2" --roll 2 --locked W1,B2
    beachhead odds --table
    """
    from ..core.errors import BeachheadError
    from ..say import LANGUAGES, PSEUDO, either, say, speak
    from .goals import SKULLS

    if lang is not None and lang not in (*LANGUAGES, PSEUDO):
        raise BeachheadError(say("cli.lang", text=lang, known=either(list(LANGUAGES))))
    if lang is not None:
        speak(lang)
    if skulls is not None and skulls not in SKULLS:
        raise BeachheadError(say("odds.skulls", text=skulls))
    if table:
        given = {"--goal": goal, "--dice": dice, "--roll": roll, "--locked": locked, "--skulls": skulls}
        for option in (name for name, value in given.items() if value is not None):
            raise BeachheadError(say("odds.not-with", option=option, other="--table"))
        _table(LOCK if lock is None else lock, skulls_stay, five, as_json)
        return
    skulls = skulls or SKULLS[0]
    if goal is None:
        raise BeachheadError(say("odds.no-goal"))
    if dice is None:
        for option in ["--locked"] * (locked is not None) + ["--roll"] * (roll not in (None, 1)):
            raise BeachheadError(say("odds.needs-dice", option=option))
        _before(goal, LOCK if lock is None else lock, skulls, skulls_stay, five, as_json)
    else:
        if five:
            raise BeachheadError(say("odds.not-with", option="--five", other="--dice"))
        _on_table(goal, dice, 1 if roll is None else roll, locked or "", lock, skulls, skulls_stay, as_json)


# ---------------------------------------------------------------------- before the first roll


def _before(text: str, lock: int, skulls: str, stay: bool, five: bool, as_json: bool) -> None:
    from ..landing.dice import COLOURS
    from ..say import say
    from .goals import goal

    wanted = goal(text)
    turn = _fresh(wanted, lock, skulls, stay, five)
    aside = turn.dice.index(1) if five else None
    if as_json:
        found = {"goal": text, "kind": _kind(wanted), "value": turn.value, "lock": lock, "skulls": skulls}
        found |= {"skulls_stay": stay, "dice": None, "set_aside": None if aside is None else "RWB"[aside]}
        print(json.dumps(found, indent=2))
        return
    dice = say("odds.six") if aside is None else say("odds.five", colour=say(f"colour.{COLOURS[aside]}"))
    print(say("odds.goal", goal=wanted.name, limits=_limits(skulls, stay)))
    print(say("odds.before", n=lock, dice=dice))
    print_rows([(say("odds.chance" if wanted.chance else "odds.mean"), f"{turn.value:.12f}")])


def _fresh(wanted: Goal, lock: int, skulls: str, stay: bool, five: bool) -> Turn:
    """The turn before its first roll; with five dice the one whose missing colour matters least."""
    from .goals import values
    from .turn import SIX, solve

    sets = ((1, 2, 2), (2, 1, 2), (2, 2, 1)) if five else (SIX,)
    turns = [solve(values(wanted, dice, skulls), lock, dice=dice, skulls_stay=stay) for dice in sets]
    return max(turns, key=lambda turn: round(turn.value, 12))


def _table(lock: int, stay: bool, five: bool, as_json: bool) -> None:
    from ..say import capital, say
    from .goals import SKULLS, TABLED, goal

    goals = [goal(text) for text in TABLED]
    rows = [[_fresh(wanted, lock, skulls, stay, five).value for skulls in SKULLS] for wanted in goals]
    if as_json:
        found = [
            {"goal": wanted.text, "kind": _kind(wanted)} | dict(zip(SKULLS, row, strict=True))
            for wanted, row in zip(goals, rows, strict=True)
        ]
        print(json.dumps({"lock": lock, "skulls_stay": stay, "dice": 5 if five else 6, "table": found}, indent=2))
        return
    print(say("odds.table", n=lock, dice=say("odds.any-five" if five else "odds.six")))
    if stay:
        print(capital(say("odds.staying")))
    heads = [capital(say(word)) for word in ("odds.ignoring", "odds.cancelling")]
    lines = [["", "", *heads]]
    lines += [[one.text, one.name, *(f"{x:.12f}" for x in row)] for one, row in zip(goals, rows, strict=True)]
    widths = [max(len(line[column]) for line in lines) for column in range(4)]
    for one in lines:
        cells = [f"{cell:{'<' if n < 2 else '>'}{widths[n]}}" for n, cell in enumerate(one)]
        print("  ".join(cells))


# ---------------------------------------------------------------------- dice on the table


def _on_table(
    text: str, given: str, roll: int, names: str, lock: int | None, skulls: str, stay: bool, as_json: bool
) -> None:
    from ..core.errors import BeachheadError
    from ..landing.dice import HOME, SIZE, write_roll
    from ..landing.words import dice_words
    from ..say import say
    from .goals import goal, values
    from .turn import solve

    wanted = goal(text)
    faces = read_dice(given)
    locked = read_locked(names, faces)
    many = SIZE[locked]
    if not 1 <= roll <= 3:
        raise BeachheadError(say("odds.roll", roll=roll, most=3))
    on_table = sum(face >= 0 for face in faces)
    if lock is not None and not 0 <= lock <= on_table:
        raise BeachheadError(say("odds.lock", n=lock, most=on_table))
    if lock is not None and many > lock:
        raise BeachheadError(say("odds.too-many-locked", n=many, most=lock))
    if lock is not None and many < lock and roll > 1:
        raise BeachheadError(say("odds.name-locked", roll=roll, lock=lock))
    to_lock = many if roll > 1 else max(many, LOCK if lock is None else lock)
    red, white, blue = (sum(face >= 0 for face in faces[at : at + 2]) for at in (0, 2, 4))
    turn = solve(values(wanted, (red, white, blue), skulls), to_lock, dice=(red, white, blue), skulls_stay=stay)
    best, *others = turn.choices(faces, locked, roll)
    if as_json:
        found = {"goal": text, "kind": _kind(wanted), "value": best.value, "lock": to_lock, "skulls": skulls}
        found |= {"skulls_stay": stay, "dice": write_roll(faces), "roll": roll, "locked": _named(locked)}
        second = _plain(others[0], faces) | {"loses": _loss(best, others[0])} if others else None
        print(json.dumps(found | {"best": _plain(best, faces), "runner_up": second}, indent=2))
        return
    print(say("odds.goal", goal=wanted.name, limits=_limits(skulls, stay)))
    print(say("odds.after", roll=roll, dice=dice_words(faces, HOME)))
    print(say("odds.locked", dice=" ".join(_named(locked)) or say("odds.none")))
    if to_lock > many:
        print(say("odds.to-lock", n=to_lock - many))
    rows = [(say("odds.chance" if wanted.chance else "odds.mean"), f"{best.value:.12f}")]
    if roll < 3:
        rows.append((say("odds.best"), _said(best, locked)))
    if others:
        loss = f"{_loss(best, others[0]):.12f}"
        rows.append((say("odds.runner-up"), say("odds.loses", choice=_said(others[0], locked), loss=loss)))
    print_rows(rows)


def read_dice(text: str) -> tuple[int, ...]:
    """The faces of R1 R2 W1 W2 B1 B2; -1 for one that is set aside."""
    from ..core.errors import BeachheadError
    from ..landing.dice import FACE, FACES, NO_FACE
    from ..say import say
    from .goals import ALIASES

    found: dict[str, list[int]] = {}
    for part in text.split():
        letter, colon, names = part.partition(":")
        if letter not in ("R", "W", "B") or not colon or not names:
            raise BeachheadError(say("odds.part", text=part))
        if letter in found:
            raise BeachheadError(say("odds.colour-twice", letter=letter))
        for name in names.split(","):
            if ALIASES.get(name, name) not in FACE:
                raise BeachheadError(say("odds.face", text=name, faces=", ".join((*ALIASES, *FACES))))
        found[letter] = [FACE[ALIASES.get(name, name)] for name in names.split(",")]
        if len(found[letter]) > 2:
            raise BeachheadError(say("odds.colour-many", text=part, n=len(found[letter])))
    many = sum(map(len, found.values()))
    if many < 5:
        raise BeachheadError(say("odds.number", n=many))
    return tuple(face for letter in "RWB" for face in (*found[letter], NO_FACE)[:2])


def read_locked(text: str, faces: tuple[int, ...]) -> int:
    """The mask of dice that a text such as `R1,W2` names."""
    from ..core.errors import BeachheadError
    from ..landing.dice import DICE, PLACE
    from ..say import say

    found = 0
    for name in text.split(",") if text.strip() else ():
        name = name.strip()
        if name not in PLACE:
            raise BeachheadError(say("odds.die", text=name, dice=", ".join(DICE)))
        if found >> PLACE[name] & 1:
            raise BeachheadError(say("odds.die-twice", die=name))
        if faces[PLACE[name]] < 0:
            raise BeachheadError(say("odds.die-aside", die=name))
        found |= 1 << PLACE[name]
    return found


# ---------------------------------------------------------------------- what is said


def _kind(wanted: Goal) -> str:
    return "probability" if wanted.chance else "mean"


def _limits(skulls: str, stay: bool) -> str:
    from ..say import join, say

    return join([say("odds.cancelling" if skulls == "cancel" else "odds.ignoring")] + [say("odds.staying")] * stay)


def _named(mask: int) -> list[str]:
    from ..landing.dice import DICE, MEMBERS

    return [DICE[place] for place in MEMBERS[mask]]


def _loss(best: Choice, other: Choice) -> float:
    return max(0.0, best.value - other.value)


def _plain(choice: Choice, faces: tuple[int, ...]) -> dict[str, Any]:
    on_table = sum(1 << place for place, face in enumerate(faces) if face >= 0)
    kept = on_table & ~choice.roll
    return {
        "locked": _named(choice.locked),
        "keep": _named(kept),
        "roll": _named(choice.roll),
        "value": choice.value,
    }


def _said(choice: Choice, locked: int) -> str:
    from ..say import say

    dice, locks = " ".join(_named(choice.roll)), " ".join(_named(choice.locked & ~locked))
    if locks:
        return say("odds.lock-roll" if dice else "odds.lock-stop", locks=locks, dice=dice)
    return say("odds.roll-again" if dice else "odds.stop", dice=dice)


def print_rows(rows: list[tuple[str, str]]) -> None:
    width = max(len(name) for name, _ in rows)
    for name, said in rows:
        print(f"{name:<{width}}  {said}")


# ---------------------------------------------------------------------- the whole game


def solve(
    context: typer.Context,
    edition: Annotated[str, typer.Option()] = "first",
    map_name: Annotated[str, typer.Option("--map", metavar="NAME")] = "n01-exercise-tiger",
    level: Annotated[str, typer.Option(metavar="NAME")] = "",
    nation: Annotated[str | None, typer.Option()] = None,
    option: Annotated[list[str] | None, typer.Option(metavar="NAME")] = None,
    no_cards: Annotated[bool, typer.Option("--no-cards")] = False,
    table: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """The exact probability to win a game of one Unit without cards, when every choice is the best.

    It is worked out once and kept.

    \b
    beachhead solve --level practice-run
    beachhead solve --level basic-training --no-cards
    """
    if context.invoked_subcommand is not None:
        return
    from ..landing.world import Setup, world_of
    from ..say import say

    setup = Setup(edition, map_name, nations=(nation,) if nation else (), options=tuple(option or ()), level=level)
    found = _solved(world_of(setup), no_cards, table)
    moves = found.first_moves()
    if as_json:
        plain: dict[str, Any] = {
            "edition": edition,
            "map": map_name,
            "level": level,
            "nation": found.start.units[0].nation,
        }
        plain |= {"options": list(setup.options), "no_cards": no_cards, "value": found.value}
        plain |= {"states": found.states, "positions": len(found.rows), "seconds": round(found.seconds, 3)}
        print(json.dumps(plain | {"first_moves": [one._asdict() for one in moves]}, indent=2))
        return
    if no_cards:
        print(say("whole.bound"))
    rows = [(say("whole.value"), f"{found.value:.10f}")]
    rows.append((say("whole.states"), say("whole.counted", n=found.states, positions=len(found.rows))))
    rows.append((say("whole.time"), say("whole.seconds", n=f"{found.seconds:.1f}")))
    print_rows(rows)
    if moves:
        print(say("whole.first"))
        said = [say("whole.stay") if one.key == "stay" else say("whole.move", id=one.key[5:]) for one in moves]
        print_rows([(f"  {name}", f"{one.value:.10f}") for name, one in zip(said, moves, strict=True)])


def _solved(world: Any, no_cards: bool, table: Path | None) -> Solved:
    from ..core.errors import BeachheadError
    from ..say import say
    from . import store

    with progress(say("whole.positions")) as tick:
        if table is None:
            return store.solved(world, no_cards, tick)
        if table.exists():
            return store.load(table, world, no_cards)
        _may_write(table)
        found = store.worked_out(world, no_cards, tick)
    try:
        store.save(found, table, no_cards)
    except OSError as error:
        raise BeachheadError(say("whole.unwritten", file=table, why=error.strerror)) from None
    return found


def _may_write(table: Path) -> None:
    """What would be in the way when all is worked out is said before."""
    from ..core.errors import BeachheadError
    from ..core.targets import check_file
    from ..say import say

    try:
        table.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BeachheadError(say("whole.unwritten", file=table, why=error.strerror)) from None
    check_file(table)


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], object]]:
    """A bar on the terminal, where there is one."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    shown = sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True, disable=not shown) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total, refresh=True)
