"""How strong the bots are: every bot in every setting with the same seeds, and the page that tells it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, groupby
from typing import Any, NamedTuple

from ..bots import BOTS, bot
from ..content.library import EDITIONS, library
from ..core.errors import BeachheadError, SetupError
from ..core.game import Setup
from ..core.plain import Plain
from ..landing.game import setup_of
from ..landing.world import world_of
from ..say import say
from ..solve import store as solved
from .figures import Estimate, Paired, paired, wilson
from .names import LANDING, bots_name, level_name, setting_name
from .runner import cell_of
from .store import Cell, Plan, Store

GAMES = 2000
"""No claim is made from fewer."""
SEATS = (1, 4)
FULL = "full"
"""The level of a map that is played with all there is."""
SIGNIFICANT = 0.05
AHEAD, NEARLY_ALL = 0.15, 0.95
"""By how much the Captain is to be ahead of the Corporal, unless it wins so often."""
NEAR = 0.01
"""How near the best possible it is to come where that is known."""
DONE = 0.99
"""Who wins so often leaves nothing to be better at."""


def settings(
    editions: Sequence[str] = (), maps: Sequence[str] = (), levels: Sequence[str] = (), seats: Sequence[int] = ()
) -> list[Setup]:
    """Every map and level of each edition, alone and with four Units; or those of them that are named."""
    shelf = library().maps
    _known("edition", editions, EDITIONS)
    _known("map", maps, dict.fromkeys(name for edition in EDITIONS for name in shelf[edition]))
    found: list[Setup] = []
    seen = {FULL: None}
    for edition in editions or EDITIONS:
        for name, board in shelf[edition].items():
            seen |= dict.fromkeys(board.levels)
            for level in (*board.levels, FULL):
                if (not maps or name in maps) and (not levels or level in levels):
                    more = {} if level == FULL else {"level": level}
                    fit = [n for n in seats or SEATS if board.fits(n)]
                    found += [{"edition": edition, "map": name, "seats": n, **more} for n in fit]
    _known("level", levels, seen)
    if not found:
        raise SetupError(say("ladder.nothing"))
    return found


def _known(kind: str, given: Sequence[str], known: Sequence[str] | dict[str, None]) -> None:
    for name in given:
        if name not in known:
            raise SetupError(say(f"setup.unknown.{kind}", name=repr(name), known=", ".join(known), hint=""))


def cells(found: Sequence[Setup], bots: Sequence[str] = (), seed: int = 0) -> list[Cell]:
    """Each bot in all seats of each setting."""
    for code in bots:
        bot(code)
    return [cell_of(LANDING, setup, [code], seed) for setup in found for code in bots or BOTS]


# ---- what came of it


class Match(NamedTuple):
    """Two bots that played the same games of a setting."""

    setup: Setup
    one: str
    other: str
    pair: Paired

    @property
    def verdict(self) -> str:
        if self.pair.p >= SIGNIFICANT:
            return "same"
        return "stronger" if self.pair.only_one > self.pair.only_other else "weaker"


class Standing(NamedTuple):
    """One bot in one setting: which games it won, and how many answers a random one stood in for."""

    cell: Cell
    won: tuple[bool, ...]
    faults: int

    @property
    def rate(self) -> Estimate:
        return wilson(sum(self.won), len(self.won))

    def as_json(self) -> dict[str, Plain]:
        return {
            **self.cell._asdict(),
            "bots": list(self.cell.bots),
            "games": len(self.won),
            "wins": sum(self.won),
            "win_rate": self.rate.value,
            "win_rate_95": list(self.rate[1:]),
            "faults": self.faults,
        }


class Ladder(NamedTuple):
    """How every bot stands, setting by setting, and every two bots side by side."""

    plan: Plan
    standings: list[Standing]
    matches: list[Match]

    def as_json(self) -> dict[str, Plain]:
        return self.plan.as_json() | {
            "results": [one.as_json() for one in self.standings],
            "differences": [
                {
                    "setup": match.setup,
                    "bots": [match.one, match.other],
                    "only": [match.pair.only_one, match.pair.only_other],
                    "difference": match.pair.rate.value,
                    "difference_95": list(match.pair.rate[1:]),
                    "p": match.pair.p,
                }
                for match in self.matches
            ],
        }


def read_ladder(store: Store, games: int | None = None) -> Ladder:
    """Of a store in which all games are, or the first so many of each cell; the later bot of the list is compared with
    the earlier ones.
    """
    plan = store.plan._replace(games=store.plan.games if games is None else games)
    if any(cell.game != LANDING for cell in plan.cells):
        raise BeachheadError(say("ladder.other-run", folder=store.name))
    if not 0 < plan.games <= store.plan.games:
        raise SetupError(say("ladder.other-number", n=plan.games, most=store.plan.games))
    kept = [store.kept(number).first(plan.games) for number in range(len(plan.cells))]
    missing = sum(plan.games - len(one.won) for one in kept)
    if missing:
        raise BeachheadError(say("ladder.missing", folder=store.name, n=missing))
    standings = [Standing(cell, one.won, sum(one.faults.values())) for cell, one in zip(plan.cells, kept, strict=True)]
    matches = []
    for _, group in groupby(standings, lambda one: setting_name(one.cell.setup)):
        for other, one in combinations(group, 2):
            if one.cell.seed == other.cell.seed:
                names = bots_name(one.cell), bots_name(other.cell)
                matches.append(Match(one.cell.setup, *names, paired(one.won, other.won)))
    return Ladder(plan, standings, matches)


# ---- what is claimed


class Claim(NamedTuple):
    """What the bots are to achieve: what was found, and whether that bears it out."""

    text: str
    found: str
    verdict: str
    """`holds`, `likely` (the figures do, their intervals leave doubt), `fails`, or `open` where nothing can show it."""


def claims(ladder: Ladder) -> list[Claim]:
    """Of Captain and Colonel, as far as they were played."""
    rates = {(setting_name(one.cell.setup), bots_name(one.cell)): one.rate for one in ladder.standings}
    pairs = {(setting_name(match.setup), match.one, match.other): match for match in ladder.matches}
    found = []
    for (setting, one, other), match in pairs.items():
        if (one, other) == ("exact", "thumb") and not match.setup.get("level"):
            rate, more = rates[setting, "exact"], match.pair.rate
            told = say("ladder.claim.ahead-found", rate=_rate(rate), more=_points(more))
            sure = (rate.low or 0) > NEARLY_ALL or (more.low or 0) >= AHEAD
            likely = rate.value > NEARLY_ALL or more.value >= AHEAD
            found.append(Claim(say("ladder.claim.ahead", setting=setting), told, _verdict(sure, likely)))
    for standing in ladder.standings:
        best = _best_possible(standing.cell.setup) if bots_name(standing.cell) == "exact" else None
        if best is not None:
            rate = standing.rate
            told = say("ladder.claim.near-found", rate=_rate(rate), best=f"{100 * best:.2f}")
            sure, likely = (rate.low or 0) > best - NEAR, rate.value > best - NEAR
            text = say("ladder.claim.near", setting=setting_name(standing.cell.setup))
            found.append(Claim(text, told, _verdict(sure, likely)))
    over = [match for match in ladder.matches if (match.one, match.other) == ("planner", "exact")]
    if over:
        weaker = sum(1 for match in over if match.verdict == "weaker")
        told = say("ladder.claim.never-weaker-found", n=weaker, all=len(over))
        found.append(Claim(say("ladder.claim.never-weaker"), told, _verdict(not weaker, not weaker)))
        open_ = [match for match in over if rates[setting_name(match.setup), "exact"].value < DONE]
        stronger = sum(1 for match in open_ if match.verdict == "stronger")
        told = say("ladder.claim.better-found", n=stronger, all=len(open_))
        ahead = sum(1 for match in open_ if match.pair.rate.value > 0)
        verdict = _verdict(2 * stronger >= len(open_), 2 * ahead >= len(open_)) if open_ else "open"
        found.append(Claim(say("ladder.claim.better", done=f"{100 * DONE:.0f}"), told, verdict))
    return found


def _verdict(sure: bool, likely: bool) -> str:
    return "holds" if sure else "likely" if likely else "fails"


def _best_possible(setup: Setup) -> float | None:
    """The probability to win this game for who plays it perfectly, where that was worked out."""
    try:
        known = solved.known(world_of(setup_of(setup)))
    except BeachheadError:  # a game that cannot be solved
        return None
    return None if known is None else known.value


# ---- the page


def page(ladder: Ladder, notes: dict[str, Any]) -> str:
    """The ladder as a page of Markdown."""
    plan = ladder.plan
    lines = [f"# {say('ladder.title')}", "", say("ladder.intro"), "", *facts(plan, notes)]
    if plan.games < GAMES:
        lines += ["", f"**{say('ladder.few', least=f'{GAMES:,}')}**"]
    codes = dict.fromkeys(code for cell in plan.cells for code in cell.bots)
    lines += ["", *(f"- **{level_name(code)}** (`{code}`): {_about(code)}" for code in codes)]
    if said := claims(ladder):
        heads = [say(f"ladder.{name}") for name in ("claimed", "found", "verdict")]
        lines += ["", f"## {say('ladder.claims')}", "", say("ladder.claims-about"), "", row_of(heads), "|---|---|---|"]
        few = plan.games < GAMES
        lines += [row_of([one.text, one.found, say("ladder.open" if few else f"ladder.{one.verdict}")]) for one in said]
    lines += ["", f"## {say('ladder.rates')}", "", say("ladder.rates-about"), "", *_rates(ladder.standings)]
    faults = [
        say(
            "ladder.faults",
            bot=level_name(bots_name(one.cell)),
            setting=setting_name(one.cell.setup),
            n=one.faults,
        )
        for one in ladder.standings
        if one.faults
    ]
    if faults:
        lines += ["", *(f"- {fault}" for fault in faults)]
    if ladder.matches:
        lines += ["", f"## {say('ladder.differences')}", "", say("ladder.differences-about", n=len(ladder.matches))]
        lines += ["", *_summary(ladder.matches)]
        for name, group in groupby(ladder.matches, lambda match: setting_name(match.setup)):
            lines += ["", f"### {name}", "", *_differences(list(group))]
    return "\n".join(lines) + "\n"


def facts(plan: Plan, notes: dict[str, Any]) -> list[str]:
    """How the games were played, as a table of Markdown."""
    seeds = ", ".join(map(str, sorted({cell.seed for cell in plan.cells})))
    found = {
        "command": f"`{notes.get('command') or '-'}`",
        "games": say("ladder.games", n=plan.games, all=f"{plan.games * len(plan.cells):,}"),
        "seeds": say("ladder.seeds", seeds=seeds, last=plan.games),
        "version": plan.made.version,
        "content": f"`{plan.content}`",
        "engine": f"`{plan.made.engine}`, {plan.made.solver}{_taken(notes)}",
        "begun": str(notes.get("begun", "-")),
    }
    return ["| | |", "|---|---|", *(row_of([say(f"ladder.fact.{name}"), told]) for name, told in found.items())]


def _taken(notes: dict[str, Any]) -> str:
    """That games of an earlier engine are among them."""
    if not notes.get("taken"):
        return ""
    return f"; {say('ladder.taken', engine=notes['taken'], n=notes.get('again', 0))}"


def rate_rows(found: Sequence[Standing]) -> list[list[str]]:
    """A row per setting, a column per bot; the names of the columns come first."""
    bots = list(dict.fromkeys(bots_name(one.cell) for one in found))
    rows = [[say("ladder.setting"), *map(level_name, bots)]]
    for name, group in groupby(found, lambda one: setting_name(one.cell.setup)):
        rates = {bots_name(one.cell): _rate(one.rate) for one in group}
        rows.append([name, *(rates.get(code, "") for code in bots)])
    return rows


def _summary(matches: Sequence[Match]) -> list[str]:
    """For every two bots: in how many settings the one is stronger, weaker, or neither is shown."""
    lines = [row_of([say("ladder.pair"), *(say(f"ladder.{verdict}") for verdict in VERDICTS)]), "|---|---:|---:|---:|"]
    pairs = dict.fromkeys((match.one, match.other) for match in matches)
    for one, other in pairs:
        mine = [match.verdict for match in matches if (match.one, match.other) == (one, other)]
        lines.append(row_of([_over(one, other), *(str(mine.count(v)) for v in VERDICTS)]))
    return lines


VERDICTS = ("stronger", "same", "weaker")


def _differences(matches: Sequence[Match]) -> list[str]:
    heads = [say(f"ladder.{name}") for name in ("pair", "difference", "interval", "only-one", "only-other", "p")]
    lines = [row_of([*heads, ""]), "|---|---:|---:|---:|---:|---:|---|"]
    for match in matches:
        rate, pair = match.pair.rate, match.pair
        assert rate.low is not None and rate.high is not None
        bounds = say("ladder.between", low=f"{100 * rate.low:+.1f}", high=f"{100 * rate.high:+.1f}")
        sure = "< 0.0001" if pair.p < 0.0001 else f"{pair.p:.4f}"
        names = _over(match.one, match.other)
        shown = [f"{100 * rate.value:+.1f}", bounds, str(pair.only_one), str(pair.only_other), sure]
        lines.append(row_of([names, *shown, say(f"ladder.{match.verdict}")]))
    return lines


def _over(one: str, other: str) -> str:
    return say("ladder.over", one=level_name(one), other=level_name(other))


def _about(code: str) -> str:
    return say(f"server.bot.{code}-about")


def _points(more: Estimate) -> str:
    assert more.low is not None and more.high is not None
    bounds = say("ladder.between", low=f"{100 * more.low:+.1f}", high=f"{100 * more.high:+.1f}")
    return f"{100 * more.value:+.1f} ({bounds})"


def _rates(found: Sequence[Standing]) -> list[str]:
    heads, *rows = rate_rows(found)
    return [row_of(heads), row_of(["---", *["---:"] * (len(heads) - 1)]), *map(row_of, rows)]


def _rate(rate: Estimate) -> str:
    assert rate.low is not None and rate.high is not None
    bounds = say("ladder.between", low=f"{100 * rate.low:.1f}", high=f"{100 * rate.high:.1f}")
    return f"{100 * rate.value:.1f} ({bounds})"


def row_of(parts: Sequence[str]) -> str:
    """A row of a table of Markdown; a line that stands in a name divides nothing."""
    told = (part.replace("|", "\\|") for part in parts)
    return f"| {' | '.join(told)} |"
