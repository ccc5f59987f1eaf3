"""What was measured of boards, in words: tables for the terminal, and the page of all boards with their pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..content import spoken
from ..content.library import EDITIONS, library
from ..content.schema import Map
from ..core.errors import BeachheadError
from ..draw.board import board_svg
from ..say import say
from .balance import GAMES, LEADER, Asked, Balance, Setting, Wins, climb, ranked, wins
from .changed import ROW, Number
from .figures import Estimate, Paired, mean, wilson
from .ladder import facts, row_of
from .names import cause_name, level_name
from .routes import Line
from .store import Store

MOST_DEFEATS = 8


class Shown(NamedTuple):
    """A table with its title; the first column is text."""

    title: str
    heads: list[str]
    rows: list[list[str]]
    about: str = ""


def tables(found: Balance) -> list[Shown]:
    """All tables of a board: first of all settings together, then of each."""
    return [outcome(found), *(table for one in found.settings for table in setting_tables(found.board, one))]


def setting_tables(board: Map, one: Setting) -> list[Shown]:
    name = setting_name(one)
    made = (_sectors(board, one), _defeats(one), _paths(board, one), _forced(one), _effects(one))
    return [table._replace(title=say("balance.of", setting=name, title=table.title)) for table in made if table.rows]


def notes(found: Balance) -> list[str]:
    """What is wrong with the board, and what is right with it, one sentence each."""
    few = min(one.figures.tally.games for one in found.settings) < GAMES
    said = [say("balance.few", least=GAMES)] if few else []
    dead = found.dead
    if dead.sectors:
        said.append(say("balance.dead", n=len(dead.sectors), sectors=", ".join(dead.sectors)))
    if dead.lines:
        said.append(say("balance.dead-lines", n=len(dead.lines), lines=", ".join(map(line_name, dead.lines))))
    if not dead.sectors and not dead.lines:
        said.append(say("balance.no-dead"))
    if stuck := found.stuck():
        told = ", ".join(f"{sector} ({n})" for sector, n in stuck.items())
        said.append(say("balance.stuck", n=sum(stuck.values()), sectors=told))
    else:
        said.append(say("balance.not-stuck"))
    if unused := found.unused():
        told = ", ".join(f"{line_name(line)} ({percent(share)} %)" for line, share in unused)
        said.append(say("balance.unused", n=len(unused), lines=told))
    else:
        said.append(say("balance.all-used"))
    said += [_verdict(one) for one in found.settings if one.forced and not few]
    for one in found.settings:
        if n := one.figures.tally.faults:
            said.append(say("balance.faults", setting=setting_name(one), n=n))
    return said


def _verdict(one: Setting) -> str:
    """Are at least two paths worth taking? And which are dominated?"""
    good = ", ".join(f"{path_name(way.path)} ({percent(way.rate.value)} %)" for way in one.worth)
    told = {"setting": setting_name(one), "n": len(one.worth), "all": len(one.forced), "paths": good}
    key = "two-paths" if len(one.worth) > 1 else "one-path" if one.worth else "no-path"
    said = say(f"balance.{key}", **told)
    dominated = [path_name(way.path) for way in one.forced if way.verdict == "dominated"]
    if not dominated:
        return said
    return say("balance.and", one=said, other=say("balance.dominated", n=len(dominated), paths=", ".join(dominated)))


# ---- tables


def outcome(found: Balance) -> Shown:
    rows = []
    for one in found.settings:
        tally = one.figures.tally
        turns, left = mean(tally.turns), mean(tally.left) if tally.left.n else None
        rows.append([setting_name(one), rate(tally.win_rate), _mean(turns), _mean(left) if left else "-"])
    heads = [say(f"balance.head.{name}") for name in ("setting", "won", "turns", "left")]
    return Shown(say("balance.outcome"), heads, rows)


def _sectors(board: Map, one: Setting) -> Shown:
    found = one.figures
    rows = []
    for id, sector in board.sectors.items():
        use = found.sectors.get(id)
        named = [id, "/".join(map(str, sector.defence)), str(sector.mgf or "")]
        if use is None:
            rows.append([*named, "0", "-", "-", "-"])
            continue
        lost, won = use.lost / use.units, wilson(use.wins, use.games)
        shown = [percent(found.share(use.units)), f"{use.turns.total / use.units:.2f}", percent(lost), rate(won)]
        rows.append([*named, *shown])
    heads = ("sector", "def", "mgf", "entered", "stayed", "lost-there", "won-through")
    return Shown(say("balance.sectors"), [say(f"balance.head.{name}") for name in heads], rows)


def _defeats(one: Setting) -> Shown:
    games = one.figures.tally.games
    rows = [
        [cause_name(cause), sector or "-", str(n), rate(wilson(n, games))]
        for (cause, sector), n in ranked(one.figures.defeats)[:MOST_DEFEATS]
    ]
    return Shown(say("balance.defeats"), [say(f"balance.head.{name}") for name in DEFEATS], rows)


DEFEATS = ("cause", "in-sector", "games", "of-games")


def _paths(board: Map, one: Setting) -> Shown:
    found = one.figures
    rows = [
        [path_name(way.path), percent(found.share(way.units)), str(way.on), rate(wilson(way.won, way.on))]
        for way in found.walked(board)
    ]
    heads = ("path", "to-the-end", "units-on-it", "won-on-it")
    return Shown(say("balance.paths"), [say(f"balance.head.{name}") for name in heads], rows)


def _forced(one: Setting) -> Shown:
    rows = [
        [
            path_name(way.path),
            rate(way.rate),
            change(way.pair) if way.pair else "",
            percent(way.kept),
            percent(way.least),
            say(f"balance.verdict.{way.verdict}"),
        ]
        for way in one.forced
    ]
    heads = ("path", "won", "behind", "kept", "least", "verdict")
    return Shown(say("balance.forced"), [say(f"balance.head.{name}") for name in heads], rows)


def _effects(one: Setting) -> Shown:
    """The strongest first."""

    def strength(pair: Paired | None) -> float:
        return abs(pair.rate.value) if pair else 0.0

    found = sorted(one.effects, key=lambda effect: -max(strength(effect.more), strength(effect.less)))
    rows = [
        [
            number_name(effect.number),
            "/".join(map(str, effect.number.now)),
            change(effect.more) if effect.more else "-",
            change(effect.less) if effect.less else "-",
        ]
        for effect in found
    ]
    heads = ("number", "now", "more", "less")
    return Shown(say("balance.effects"), [say(f"balance.head.{name}") for name in heads], rows)


# ---- names and figures


def setting_name(one: Setting) -> str:
    return say("balance.setting", bot=level_name(one.bot), units=say("sim.units", n=one.seats))


def path_name(path: Sequence[str]) -> str:
    return " ".join(path)


def line_name(line: Line) -> str:
    return f"{line[0]}-{line[1]}"


def number_name(number: Number) -> str:
    """Where it stands, and its name in the file of the map."""
    if number.place.startswith(ROW):
        return say("balance.number-row", n=number.place.removeprefix(ROW), name=number.name)
    return say("balance.number", sector=number.place, name=number.name)


def percent(share: float) -> str:
    return f"{100 * share:.1f}"


def rate(found: Estimate) -> str:
    assert found.low is not None and found.high is not None
    return f"{percent(found.value)} ({say('ladder.between', low=percent(found.low), high=percent(found.high))})"


def change(pair: Paired) -> str:
    """Percentage points, with a star where they are more than chance."""
    found = pair.rate
    assert found.low is not None and found.high is not None
    bounds = say("ladder.between", low=f"{100 * found.low:+.1f}", high=f"{100 * found.high:+.1f}")
    return f"{100 * found.value:+.1f} ({bounds}){' *' if pair.p < 0.05 else ''}"


def _mean(found: Estimate) -> str:
    if found.low is None or found.high is None:
        return f"{found.value:.1f}"
    return f"{found.value:.1f} ({say('ladder.between', low=f'{found.low:.1f}', high=f'{found.high:.1f}')})"


# ---- the page


def page(
    found: Sequence[Balance], store: Store, kept: dict[str, Any], pictures: str, ladder: tuple[str, Wins] | None = None
) -> str:
    """All boards as a page of Markdown; `pictures` is the folder of their pictures, as seen from the page. `ladder`: a
    ladder of bots, as seen from the page, and its games, where there are more of them.
    """
    lines = [f"# {say('balance.title')}", "", say("balance.intro"), "", *facts(store.plan, kept)]
    if store.plan.games < GAMES:
        lines += ["", f"**{say('balance.few', least=GAMES)}**"]
    won = ladder[1] if ladder else wins(found)
    for edition in EDITIONS:
        mine = [one for one in found if one.board.edition == edition]
        if mine:
            lines += ["", f"## {say('balance.ladder', edition=say(f'server.edition.{edition}'))}", ""]
            if ladder:
                games = len(next(iter(won.values())))
                lines += [say("balance.from-ladder", games=f"{games:,}", page=ladder[0]), ""]
            lines += _ladder(mine, won)
    lines += ["", f"## {say('balance.boards')}", "", say("balance.boards-about")]
    for one in found:
        lines += ["", *_board(one, pictures)]
    return "\n".join(lines) + "\n"


def _ladder(found: Sequence[Balance], won: Wins) -> list[str]:
    """The boards of an edition."""
    edition = found[0].board.edition
    columns = list(dict.fromkeys((one.seats, one.bot) for each in found for one in each.settings))
    columns.sort(key=lambda column: column[0])
    names = {(one.seats, one.bot): setting_name(one) for each in found for one in each.settings}
    climbed = climb(won, edition)
    steps = {step.board: step for step in climbed.steps} if climbed else {}
    heads = [say("balance.head.no"), say("balance.head.board"), *(names[column] for column in columns)]
    rows = []
    for each in found:
        played = [won.get(Asked(edition, each.board.id, *column)) for column in columns]
        rates = [rate(wilson(sum(games), len(games))) if games else "-" for games in played]
        row = [each.board.number, spoken.map_name(each.board), *rates]
        if climbed:
            step = steps.get(each.board.id)
            shown = change(step.pair) if step and step.pair else ""
            row += [shown, say(f"balance.step.{step.verdict}") if step else "-"]
        rows.append(row)
    if climbed:
        heads += [say("balance.head.step", bot=level_name(LEADER)), ""]
    lines = _markdown(heads, rows, left=2)
    if climbed and min(map(len, won.values())) >= GAMES:
        boards = {each.board.id: spoken.map_name(each.board) for each in found}
        lines += ["", say("balance.steady" if climbed.steady else "balance.not-steady", bot=level_name(LEADER))]
        if not climbed.easiest:
            lines[-1] += f" {say('balance.not-easiest', board=boards[climbed.steps[0].board])}"
        easier = [boards[step.board] for step in climbed.steps if step.verdict == "easier"]
        if easier:
            lines[-1] += f" {say('balance.easier', boards=', '.join(easier))}"
    return lines


def _board(one: Balance, pictures: str) -> list[str]:
    board = one.board
    edition = say(f"server.edition.{board.edition}")
    name = spoken.map_name(board)
    lines = [f"### {' '.join(filter(None, (board.number, name)))}, {edition}", ""]
    lines += [f"![{name}]({pictures}/{picture_name(board)})", ""]
    where = spoken.map_place(board)
    if board.date:
        where = f"{where}, {board.date}" if where else str(board.date)
    lines += [f"{f'*{where}.* ' if where else ''}{spoken.map_text(board)}", "", _rebuilt(board)]
    principal = [setting for setting in one.settings if setting.seats == one.settings[0].seats][-1]
    for table in (outcome(one), *setting_tables(board, principal)):
        lines += ["", f"**{table.title}**", "", *_markdown(table.heads, table.rows)]
    lines += ["", *(f"- {said}" for said in notes(one))]
    return lines


def _rebuilt(board: Map) -> str:
    """Which attributes of which Sectors no source gives."""
    where: dict[str, list[str]] = {}
    for id, sector in board.sectors.items():
        for name in sector.reconstructed:
            where.setdefault(name, []).append(id)
    if not where:
        return say("balance.nothing-rebuilt")
    everywhere = say("balance.everywhere")
    told = (
        f"`{name}` ({', '.join(ids) if len(ids) < len(board.sectors) else everywhere})" for name, ids in where.items()
    )
    return say("balance.rebuilt", what=", ".join(told))


def _markdown(heads: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> list[str]:
    marks = [*["---"] * left, *["---:"] * (len(heads) - left)]
    return [row_of(row) for row in (heads, marks, *rows)]


# ---- pictures


def picture_name(board: Map) -> str:
    return f"{board.edition}-{board.id}.svg"


def write_pictures(folder: Path, boards: Iterable[Map]) -> list[Path]:
    """The picture of each board, over what is there."""
    made = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for board in boards:
            names = {card: str(spoken.card_name(card)) for card in library().cards[board.edition]}
            path = folder / picture_name(board)
            path.write_text(board_svg(board, frame="sheet", names=names, alone=True), encoding="utf-8")
            made.append(path)
    except OSError as error:
        raise BeachheadError(f"{folder}: {error.strerror}") from None
    return made
