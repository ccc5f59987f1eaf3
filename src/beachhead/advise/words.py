"""Advice and reviews in words: which answer is best, how far the next one is behind, and what makes the difference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from ..core.machine import State
from ..core.node import Decision
from ..games import game_of
from ..landing.words import unit_name
from ..pocket.text import player_name
from ..say import Name, capital, either, join, say
from . import Advice, Option, Review, Side
from .judged import Worth

TELLING = 0.05
"""A difference of so much is worth a word: of what a turn brings on average, and of a probability."""
EQUAL = 1e-9
"""Answers whose values differ by less are as good as each other."""
FEW = 3
"""So many of those are named."""
LEAD_BACK = ("use:", "trade:")
"""Answers after which the same question is asked again; that they cost nothing need not be said."""
DICE = ("lock", "roll", "leave", "cancel", "free")


def why(
    options: Sequence[Option],
    worths: Mapping[str, Worth],
    names: Mapping[str, str],
    how: str,
    games: int,
    because: str = "sampled",
) -> tuple[str, ...]:
    """Of answers that are sorted, best first; `names` are their short names, `because` says why games were played."""
    best, *others = options
    medals = dict(best.gives).get("medals", 0.0)
    same = [
        one
        for one in others
        if best.value - one.value < EQUAL and medals - dict(one.gives).get("medals", 0.0) < TELLING
    ]
    alike = [one for one in same if not one.key.startswith(LEAD_BACK)]
    below = next((one for one in others if one not in same), None)
    found = [say("advise.best", answer=capital(names[best.key]), value=worth_words(best))]
    if not below and len(alike) == len(others):
        found.append(say("advise.all-alike"))
    elif len(alike) > FEW:
        found.append(say("advise.alike-many", n=len(alike)))
    elif alike:
        found.append(say("advise.alike", answers=either([names[one.key] for one in alike])))
    if below:
        found.append(say("advise.next", answer=names[below.key], points=points(best.value - below.value)))
        found += differences(worths[best.key], worths[below.key])
    if how == "sampled":
        found.append(say(f"advise.{because}", n=games))
    return tuple(found)


def differences(best: Worth, next_: Worth) -> list[str]:
    """What the one brings more or less than the other."""
    found = []
    other = dict(next_.gives)
    changes = [(name, many - other.get(name, 0.0)) for name, many in best.gives]
    said = [
        say("advise.change", what=say(f"advise.gives.{name}"), n=f"{'+' if by > 0 else '-'}{number(abs(by))}")
        for name, by in changes
        if abs(by) >= TELLING
    ]
    if said:
        found.append(say("advise.changes", changes=join(said)))
    for name in ("advance", "straight"):
        mine, theirs = getattr(best, name), getattr(next_, name)
        if mine is not None and theirs is not None and abs(mine - theirs) >= TELLING:
            found.append(say(f"advise.{name}", mine=percent(mine), theirs=percent(theirs)))
    return found


def short(g: State | None, decision: Decision, key: str) -> str:
    """An answer in a few words."""
    verb, _, rest = key.partition(":")
    if verb in DICE and rest:
        dice = say("advise.no-dice") if rest == "none" else rest.replace(",", " ")
        return say(f"advise.answer.{verb}", dice=dice)
    if verb in ("stay", "move", "stop", "keep", "mulligan"):
        return say(f"advise.answer.{verb}", id=rest)
    return game_of(g).label(g, decision, key) if g is not None else key


def worth_words(option: Option) -> str:
    """`71.3 %`, with its interval where there is one."""
    if option.low == option.high:
        return percent(option.value)
    return say("advise.interval", value=percent(option.value), low=whole(option.low), high=whole(option.high))


def percent(value: float) -> str:
    """`71.3 %`; what is nearly certain is not said to be."""
    if 0.0 < value < 0.0005:
        return say("advise.under", n=number(0.1))
    if 0.9995 <= value < 1.0:
        return say("advise.over", n=number(99.9))
    return say("advise.percent", n=number(100 * value))


def points(value: float) -> str:
    """Percentage points."""
    return say("advise.few-points", n=number(0.1)) if value < 0.0005 else say("advise.points", n=number(100 * value))


def whole(value: float) -> str:
    return f"{100 * value:.0f}"


def number(value: float) -> str:
    """With one place behind the point, as the language writes it."""
    return f"{value:.1f}".replace(".", say("advise.point"))


# ---------------------------------------------------------------------- in lines


def table(advice: Advice, g: State, decision: Decision, numbered: Sequence[str] = (), most: int = 0) -> Iterator[str]:
    """The options in lines: number, answer, probability, what the turn brings. `numbered` are the answers in the order
    of their numbers, `most` is how many are shown.
    """
    shown = advice.options[: most or None]
    names = list(dict.fromkeys(name for one in shown for name, _ in one.gives))
    yield say("advise.heading" if names else "advise.heading-bare", how=say(f"advise.how.{advice.how}"))
    rows = [["", "", "", *(say(f"table.column.{name}") for name in names)]] if names else []
    for n, one in enumerate(shown, 1):
        place = str(numbered.index(one.key) + 1 if numbered else n)
        gives = {name: number(many) for name, many in one.gives}
        answer = capital(short(g, decision, one.key))
        rows.append([place, answer, worth_words(one), *(gives.get(name, "") for name in names)])
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:{'<' if n == 1 else '>'}{wide[n]}}" for n, cell in enumerate(row))
        yield "  ".join(cells).rstrip()


def told(found: Review, file: Path, name: Callable[[int], Name] = unit_name) -> Iterator[str]:
    """A review in lines; `name` is what a seat is called."""
    rows = []
    for seat, side in enumerate(found.sides or (Side(found.start, found.result, found.luck),)):
        luck = say("advise.points", n=f"{'+' if side.luck > 0 else '-'}{number(abs(100 * side.luck))}")
        won = say("review.won" if side.result == 1 else "review.shared" if side.result else "review.lost")
        if found.sides:
            kind = "luck" if len(found.sides) == 2 else "luck-and-others"
            rows.append((say("review.result-of", who=player_name(seat)), won))
            rows.append((say(f"review.{kind}-of", who=player_name(seat)), luck))
        else:
            rows.append((say("review.start"), percent(side.start)))
            rows += [(say("review.result"), won), (say("review.luck"), luck)]
    rows += [
        (say("review.skill", unit=name(seat)), points(lost) if lost > 0 else say("advise.points", n=number(0.0)))
        for seat, lost in enumerate(found.skill)
    ]
    how = say(f"advise.how.{found.how}")
    rows.append((say("review.judged"), say("review.counted", n=found.judged, how=how)))
    wide = max(len(name) for name, _ in rows)
    yield from (f"{name:<{wide}}  {value}" for name, value in rows)
    if not found.costly:
        yield say("review.none")
        return
    yield say("review.costly")
    for one in found.costly:
        chosen, best = one.words
        yield "  " + say(
            "review.choice",
            turn=one.turn,
            unit=name(one.seat),
            entry=one.entry,
            chosen=capital(chosen),
            points=points(one.cost),
            best=best,
            better=percent(one.best.value),
            value=percent(one.chosen.value),
        )
    yield say("review.look", file=file, entry=found.costly[0].entry)
