"""Pictures of many games as SVG: win rates, Soldiers by turn, causes of defeat; each as far as the game knows them.

Players differ by shape and kind of line, causes by pattern; colour only repeats it. The description holds every figure
in words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from math import ceil, floor, log10
from pathlib import Path
from typing import NamedTuple

from ..core.errors import BeachheadError
from ..draw.pen import escape, label, num, poly, text_width
from ..draw.themes import tokens
from ..say import say
from .figures import Estimate, mean
from .names import bots_name, cause_name, setting_name
from .runner import Result

WIDTH = 720.0
EDGE = 24.0
ROW = 24.0
HEAD = 22.0
INK = tokens("light")["map-ink"]
SECOND = tokens("light")["map-ink-2"]
PAPER = tokens("light")["map-paper"]
LINE = tokens("light")["map-stone-1"]
COLOURS = [tokens("light")[name] for name in ("unit-b", "unit-c", "map-bad", "map-contour", "focus", "map-ink")]
DASHES = ("", "9 4", "3 3", "10 3 2 3", "14 4", "6 2 2 2 2 2")
FONT = "'Arial Narrow','Liberation Sans Narrow','Roboto Condensed','Helvetica Neue',Arial,sans-serif"
LEAST = 0.05
"""A turn that fewer of the games came to is left out of the picture of Soldiers."""


def write_plots(folder: Path, results: Sequence[Result]) -> list[Path]:
    """All pictures into a folder, in place of those that are there. Games without Units have no Soldiers, and where
    the seats play against each other nobody is defeated.
    """
    pictures = {"win-rate.svg": win_rates(results)}
    if units := [one for one in results if one.tally.course]:
        pictures["soldiers.svg"] = soldiers(units)
    if together := [one for one in results if not one.against]:
        pictures["defeats.svg"] = defeats(together)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, drawn in pictures.items():
            (folder / name).write_text(drawn, encoding="utf-8")
    except OSError as error:
        raise BeachheadError(f"{folder}: {error.strerror}") from None
    return [folder / name for name in pictures]


# ---- win rates


def win_rates(results: Sequence[Result]) -> str:
    """One row per player in each setting: the rate as a mark, its interval as a line."""
    rated = [(name, [row for one in ones for row in _rated(one)]) for name, ones in _settings(results)]
    order = list(dict.fromkeys(name for _, rows in rated for name, _ in rows))

    def row(name: str, rate: Estimate) -> Bar:
        assert rate.low is not None and rate.high is not None
        n, low, high = order.index(name), _across(rate.low), _across(rate.high)

        def drawn(y: float) -> str:
            return _stroke([(low, y), (high, y)], COLOURS[n % 6], 3) + _mark(n, _across(rate.value), y, 6.5)

        return Bar(name, drawn, _percents(rate))

    title = "plot.leads" if any(one.against for one in results) else "plot.won"
    return _rows([(name, [row(*one) for one in rows]) for name, rows in rated], say(title), [])


def _rated(one: Result) -> list[tuple[str, Estimate]]:
    """Who wins how often: the bots together, or each player for itself."""
    if not one.against:
        return [(bots_name(one.cell), one.tally.win_rate)]
    players = enumerate(zip(one.cell.bots, one.leads, strict=True), 1)
    return [(say("plot.player", n=n, bot=code), rate) for n, (code, rate) in players]


def _percents(rate: Estimate) -> str:
    assert rate.low is not None and rate.high is not None
    bounds = {"low": f"{100 * rate.low:.1f}", "high": f"{100 * rate.high:.1f}"}
    return say("plot.percent", value=f"{100 * rate.value:.1f}", **bounds)


# ---- causes of defeat


def defeats(results: Sequence[Result]) -> str:
    """One bar per player in each setting: the share of all games that each cause lost."""
    causes = list(dict.fromkeys(cause for one in results for cause in one.tally.causes(won=False)))

    def row(one: Result) -> Bar:
        lost, games = one.tally.causes(won=False), one.tally.games

        def drawn(y: float) -> str:
            found, before = "", 0
            for n, cause in enumerate(causes):
                left, right = _across(before / games), _across((before + lost.get(cause, 0)) / games)
                before += lost.get(cause, 0)
                if right > left:
                    found += _bar(left, y - 7, right - left, 14, n)
            return found

        shares = ", ".join(
            say("plot.share", what=cause_name(cause), value=f"{100 * n / games:.1f}") for cause, n in lost.items()
        )
        return Bar(bots_name(one.cell), drawn, shares or say("plot.none-lost"), _lost(one))

    legend = [(_bar(0, -7, 26, 14, n), cause_name(cause)) for n, cause in enumerate(causes)]
    rows = [(name, [row(one) for one in ones]) for name, ones in _settings(results)]
    return _rows(rows, say("plot.defeats"), legend, patterns=len(causes))


def _lost(one: Result) -> str:
    return say("plot.lost", value=f"{100 * (1 - one.tally.win_rate.value):.1f}")


# ---- Soldiers by turn


def soldiers(results: Sequence[Result]) -> str:
    """A small chart per setting, a line per player."""
    order, settings = _players(results), _settings(results)
    high = 190.0
    wide = (WIDTH - 3 * EDGE) / 2
    legend, top = _legend([(_key(n), name) for n, name in enumerate(order)], 62)
    drawn, told = [legend], []
    for number, (name, ones) in enumerate(settings):
        x, y = EDGE + (number % 2) * (wide + EDGE), top + (number // 2) * (high + 50)
        lines = {bots_name(one.cell): _course(one) for one in ones}
        turns = max((len(line) for line in lines.values()), default=1)
        most = _round_up(max((value for line in lines.values() for value in line), default=1))
        left, foot = x + 30, y + high
        drawn.append(_fitted(name, x, y + 2, 14, wide))
        for step in range(5):
            height = foot - step * (high - 24) / 4
            drawn.append(_stroke([(left, height), (x + wide, height)], LINE, 1))
            drawn.append(label(f"{most * step / 4:g}", left - 5, height + 4, 12, anchor="end"))
        every = max(1, ceil(turns / 12))
        span = (x + wide - left - 20) / max(1, turns - 1)
        for turn in range(1, turns + 1, every):
            drawn.append(label(str(turn), left + 8 + (turn - 1) * span, foot + 16, 12, anchor="middle"))
        for player, line in lines.items():
            n = order.index(player)
            points = [(left + 8 + k * span, foot - (high - 24) * value / most) for k, value in enumerate(line)]
            drawn.append(_stroke(points, COLOURS[n % 6], 2, DASHES[n % 6]))
            drawn += [_mark(n, px, py, 3.6) for px, py in points]
            values = " ".join(f"{value:.1f}" for value in line)
            told.append(say("plot.row", setting=name, bot=player, value=values))
    rows = ceil(len(settings) / 2)
    return _sheet(say("plot.soldiers"), told, drawn, top + rows * (high + 50) - 20)


def _course(one: Result) -> list[float]:
    """The mean of all Units together, for the turns that enough games came to."""
    least = LEAST * one.tally.games
    return [mean(count).value for count in one.tally.course if count.n >= least]


def _round_up(value: float) -> float:
    """To four even steps of 1, 2, 2.5 or 5 by a power of ten."""
    least = max(value / 4, 1)
    ten = 10.0 ** floor(log10(least))
    return 4 * next(step * ten for step in (1, 2, 2.5, 5, 10) if step * ten >= least)


# ---- what pictures share


def _players(results: Sequence[Result]) -> list[str]:
    return list(dict.fromkeys(bots_name(one.cell) for one in results))


def _settings(results: Sequence[Result]) -> list[tuple[str, list[Result]]]:
    return [(name, list(ones)) for name, ones in groupby(results, _setting)]


def _setting(one: Result) -> str:
    return setting_name(one.cell.setup, one.cell.game)


LEFT, RIGHT = 150.0, 540.0


def _across(rate: float) -> float:
    return LEFT + (RIGHT - LEFT) * rate


class Bar(NamedTuple):
    """A row: whose it is, what is drawn at a height, what that says in words, and what is written beside it if that is
    shorter.
    """

    name: str
    drawn: Callable[[float], str]
    words: str
    beside: str = ""


def _rows(
    settings: Sequence[tuple[str, Sequence[Bar]]], title: str, legend: Sequence[tuple[str, str]], patterns: int = 0
) -> str:
    """A heading per setting, under it a row per player over an axis of percents."""
    head, y = _legend(legend, 62)
    drawn, told, top = [], [], y
    y += 14
    for name, rows in settings:
        y += HEAD
        drawn.append(_fitted(name, EDGE, y, 14, WIDTH - 2 * EDGE))
        y += 4
        for row in rows:
            y += ROW
            drawn.append(_fitted(row.name, EDGE, y - 3, 14, LEFT - EDGE - 12, SECOND))
            drawn.append(row.drawn(y - 8))
            drawn.append(label(row.beside or row.words, RIGHT + 14, y - 3, 13))
            told.append(say("plot.row", setting=name, bot=row.name, value=row.words))
        y += 10
    axis = []
    for percent in (0, 25, 50, 75, 100):
        x = _across(percent / 100)
        axis.append(_stroke([(x, top + 6), (x, y)], LINE, 1))
        axis += [label(f"{percent} %", x, at, 12, anchor="middle") for at in (top, y + 14)]
    return _sheet(title, told, [head, *axis, *drawn], y + 28, patterns)


def _legend(entries: Sequence[tuple[str, str]], y: float) -> tuple[str, float]:
    """Keys with their names, as many to a line as fit; and where the next thing may begin."""
    drawn, x = [], EDGE
    for picture, name in entries:
        wide = 34 + text_width(name, 13)
        if x + wide > WIDTH - EDGE and x > EDGE:
            x, y = EDGE, y + 22
        drawn.append(f'<g transform="translate({num(x)} {num(y)})">{picture}{label(name, 34, 5, 13)}</g>')
        x += wide + 24
    return "".join(drawn), y + 30 if entries else y


def _key(n: int) -> str:
    return _stroke([(0, 0), (26, 0)], COLOURS[n % 6], 2, DASHES[n % 6]) + _mark(n, 13, 0, 5)


def _mark(n: int, x: float, y: float, r: float) -> str:
    """Circle, square, diamond, triangle, the triangle turned, cross."""
    style = f'fill="{COLOURS[n % 6]}" stroke="{PAPER}" stroke-width="1"'
    if n % 6 == 0:
        return f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(r)}" {style}/>'
    t = r / 3
    shapes = (
        [(-r, -r), (r, -r), (r, r), (-r, r)],
        [(0, -1.3 * r), (1.3 * r, 0), (0, 1.3 * r), (-1.3 * r, 0)],
        [(0, -1.2 * r), (1.2 * r, r), (-1.2 * r, r)],
        [(0, 1.2 * r), (1.2 * r, -r), (-1.2 * r, -r)],
        [(-t, -r), (t, -r), (t, -t), (r, -t), (r, t), (t, t), (t, r), (-t, r), (-t, t), (-r, t), (-r, -t), (-t, -t)],
    )
    return f'<path d="{poly([(x + dx, y + dy) for dx, dy in shapes[n % 6 - 1]], close=True)}" {style}/>'


def _bar(x: float, y: float, wide: float, high: float, n: int) -> str:
    place = f'x="{num(x)}" y="{num(y)}" width="{num(wide)}" height="{num(high)}"'
    return f'<rect {place} fill="url(#cause{n})" stroke="{INK}" stroke-width="1"/>'


def _pattern(n: int) -> str:
    colour = COLOURS[n % 6]
    ground = colour if n % 4 == 0 else PAPER
    signs = (
        "",
        f'<path d="M-2 10L10 -2M-2 2L2 -2M6 10L10 6" stroke="{colour}" stroke-width="2.4"/>',
        f'<circle cx="4" cy="4" r="2" fill="{colour}"/>',
        f'<path d="M0 0L8 8M8 0L0 8" stroke="{colour}" stroke-width="1.6"/>',
    )
    return (
        f'<pattern id="cause{n}" width="8" height="8" patternUnits="userSpaceOnUse">'
        f'<rect width="8" height="8" fill="{ground}"/>{signs[n % 4]}</pattern>'
    )


def _stroke(points: Sequence[tuple[float, float]], colour: str, width: float, dash: str = "") -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path d="{poly(points)}" fill="none" stroke="{colour}" stroke-width="{num(width)}"{dashed}/>'


def _fitted(words: str, x: float, y: float, size: float, most: float, colour: str = INK) -> str:
    """Words at their place, in smaller letters where they would be too long."""
    size = min(size, size * most / max(text_width(words, size), 1))
    edge = f'stroke="{PAPER}" stroke-width="4" paint-order="stroke"'
    return f'<g fill="{colour}" {edge}>{label(words, x, y, size)}</g>'


def _sheet(title: str, told: Sequence[str], drawn: Sequence[str], high: float, patterns: int = 0) -> str:
    described = escape("\n".join(told))
    kinds = "".join(_pattern(n) for n in range(patterns))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {num(WIDTH)} {num(high)}" width="{num(WIDTH)}" '
        f'height="{num(high)}" role="img" aria-labelledby="title" aria-describedby="told" font-family="{FONT}" '
        f'font-weight="700" fill="{INK}">\n<title id="title">{escape(title)}</title>\n<desc id="told">{described}'
        f'</desc>\n<defs>{kinds}</defs>\n<rect width="100%" height="100%" fill="{PAPER}"/>\n'
        + _fitted(title, EDGE, 34, 20, WIDTH - 2 * EDGE)
        + "\n"
        + "\n".join(drawn)
        + "\n</svg>\n"
    )
