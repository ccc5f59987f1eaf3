"""`docs/pocket-solved.md`: all results of the Pocket games in tables. A page of the documentation, so in English."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import prod

import numpy as np

from ..pocket.content import beach_name, box
from . import pocket_battle as battle
from . import pocket_express as express
from . import pocket_store

Solve = Callable[[str, int, bool, str], express.Solved]
"""Beach, soldiers, with Specialists, reading of the Kommandant or nothing."""
GAMES = 200_000

HEAD = """# Pocket, solved

Made by `beachhead solve pocket --write docs/pocket-solved.md`. Every figure is for the best play there is; those
without another word are exact, up to the rounding of double precision, some 13 digits.

Readings: those that the games play by if nothing else is chosen. The Kommandant of Express! is matched twice
(strict); a Corporal's Soldier helps to no Straight; a Gantlet that is played again keeps its limit of rallies;
Neptune gives all Specialists back after each beach.
"""

EXPRESS = """
## Express!

The probability to clear a beach. Alone with all Specialists the cards of the squad are the only memory between
sectors, so every set of cards in every sector has its value; each is an exact turn of dice for every result of the
Axis dice. Several soldiers roll one after another, each to the end of their dice, and each knows what the others
have; to change about between two rolls can only be better, and only where it matters who brings an RWB.

Gold Beach may be played again, so a set of cards there leads to itself; a secant finds its value from below, up to
the gap that is told. Neptune is the product of the six, since nothing carries over.

"""

AHEAD = """
### What is ahead, alone with Specialists

The probability to win from the start of a sector with the worst and with the best cards that one can have there.
"""

WORTH = """
### What a card is worth

The probability to win from the start of a sector with this card alone, Utah Beach.
"""

BATTLE = """
## Battle!

Without Medals a skirmish is either won or lost, so its dice are played to match with the greatest probability. To win
it is never worse than to lose it: that is checked in every state of every turn. To keep every die that matches is not
quite the best: where three of a face and one of another are wanted and only the other one shows, all six dice are
better rolled again (0.171202 against 0.170507).
"""

TURN = """
### The best single turn, without Medals

The most points on average, and after a skirmish with so many Axis dice the points at stake with which to retreat. The
Kommandant may be deployed for each skirmish or not.
"""

RETREAT = """
Plain, when to retreat (points at stake after a skirmish with so many Axis dice), by scores of who began and of who
did not. At some scores one retreats with a few smaller totals too, such as those that make a tie or end the game:
`beachhead solve battle --score 28,15` tells.
"""

MATCH = """
### Two players to {goal} points, without Medals

Both play as well as can be against each other. Scores are the state, at the beginning of a turn. A round without
points, and a tie, lead back to themselves; such numbers are found by iteration, and {gap:.0e} at most is missing.
Points at stake beyond {cap} are counted as {cap}; nobody gets there with a probability above {beyond:.0e}.
"""

MEDALS = """
### With Medals

Not solved: each of seven Medals may lie in the deck or in either hand, several are played in the other player's turn,
and one begins a skirmish anew. A sample instead: {n} games of two players who advance as if there were no Medals,
keep every die that matches and every Medal that falls to them, and never play one. The player who begins wins
{value:.4f} of them; the probability lies between {low:.4f} and {high:.4f} with 95 % confidence. At the end {held:.2f}
Medals are held on average. It tells of this way to play, not of the best one.
"""


def page(solve: Solve, kommandant: bool = False) -> str:
    return "".join([HEAD, EXPRESS, *_express(solve, kommandant), BATTLE, *_battle()])


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(head), ["---"] * len(list(head)), *(list(row) for row in rows)]
    return "\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _figure(value: float) -> str:
    return f"{value:.12f}" if value >= 1e-6 or value == 0 else f"{value:.12e}"


def _express(solve: Solve, kommandant: bool) -> list[str]:
    names = express.beaches()
    columns = {"alone": [solve(name, 1, True, "") for name in names]}
    if kommandant:
        columns |= {"alone, Kommandant": [solve(name, 1, True, "strict") for name in names]}
    columns |= {"alone, no Specialists": [solve(name, 1, False, "") for name in names]}
    many = {f"{n} soldiers": [solve(name, n, False, "") for name in names] for n in (2, 3, 4)}
    gap = max(one.gap for some in columns.values() for one in some)
    found = [f"The gap is {gap:.0e} at most.\n"]
    for title, some in (("", columns), ("\n### Several soldiers, no Specialists\n", many)):
        rows = [[beach_name(name), *(_figure(one[n].value) for one in some.values())] for n, name in enumerate(names)]
        rows.append(["Operation: Neptune", *(_figure(prod(one.value for one in each)) for each in some.values())])
        found += [title, _table(["beach", *some], rows)]
    squads = [n for n in (2, 3, 4) if all(pocket_store.shipped_express(express.rules_of(name, n)) for name in names)]
    if squads:
        rows = [[beach_name(name), *(_figure(solve(name, n, True, "").value) for n in squads)] for name in names]
        found += [
            "\n### Several soldiers, with Specialists\n",
            _table(["beach", *(f"{n} soldiers" for n in squads)], rows),
        ]
    alone = columns["alone"]
    found.append(AHEAD)
    rows = []
    for name, one in zip(names, alone, strict=True):
        cells = []
        for sector in range(2, 7):
            states = next(states for stage, states in one.values.items() if stage.sector == sector)
            cells.append(f"{min(states.values()):.4f} to {max(states.values()):.4f}")
        rows.append([beach_name(name), *cells])
    found.append(_table(["beach", *(f"sector {sector}" for sector in range(2, 7))], rows))
    found.append(WORTH)
    utah = alone[names.index("utah")]
    rows = []
    for card in box().specialists.values():
        bit = utah.rules.bit(card.ability)
        cells = []
        for stage, states in reversed(utah.values.items()):
            if stage.sector > 1:
                cells.append(f"{states[express.start_of(utah.rules, stage, bit, 0)]:.6f}")
        rows.append([card.name, *cells])
    none = [f"{states[0, 0, 0]:.6f}" for stage, states in reversed(utah.values.items()) if stage.sector > 1]
    found.append(_table(["card", *(f"sector {sector}" for sector in range(2, 7))], [*rows, ["none", *none]]))
    return found


def _battle() -> list[str]:
    plain, black = battle.ways(True)
    counts = range(battle.FEWEST, battle.MOST + 1)
    found = ["\n### A skirmish\n"]
    rows = []
    for title, way in (("plain", plain), ("Kommandant", black)):
        rows.append([f"{title}, six dice", *(f"{way.six[n]:.12f}" for n in counts)])
        rows.append([f"{title}, five dice", *(f"{way.five[n]:.12f}" for n in counts)])
    found.append(_table(["Axis dice", *map(str, counts)], rows))
    found.append(TURN)
    rows = []
    for title, kommandant in (("plain", False), ("Kommandant", True)):
        turn = battle.best_turn(kommandant)
        limits = turn.thresholds()
        rows.append([title, f"{turn.ahead[battle.FEWEST][0, 0]:.12f}", *(str(limits[n]) for n in counts)])
    found.append(_table(["", "points", *(f"after {n}" for n in counts)], rows))
    deploys = battle.best_turn(True).deploys
    told = [str(int(np.flatnonzero(~deploys[n][:, 0])[0])) for n in counts]
    found.append(
        _table(
            ["deploy the Kommandant with fewer points at stake than", *(f"before {n}" for n in counts)], [["", *told]]
        )
    )
    solved = {name: pocket_store.solved_battle(name == "Kommandant") for name in ("plain", "Kommandant")}
    first = solved["plain"]
    gap, beyond = max(one.gap for one in solved.values()), max(one.beyond for one in solved.values())
    found.append(MATCH.format(goal=battle.GOAL, gap=gap, cap=battle.CAP, beyond=beyond))
    rows = [[name, f"{one.value:.12f}", f"{one.tie:.12f}"] for name, one in solved.items()]
    found.append(_table(["", "who begins wins", "who begins wins after a tie"], rows))
    found.append(RETREAT)
    rows = []
    for mine, other in ((0, 0), (10, 10), (20, 10), (10, 20), (20, 20), (25, 25), (28, 15), (15, 28)):
        a, b = np.array([mine]), np.array([other])
        for seat, turn, value in (
            ("first", first.starter(a, b), first.first[mine, other]),
            ("second", first.follower(a, b), first.second[mine, other]),
        ):
            limits = turn.thresholds()
            rows.append([f"{mine}-{other}", seat, f"{value:.6f}", *(str(limits[n]) for n in counts)])
    found.append(_table(["scores", "turn of", "wins", *(f"after {n}" for n in counts)], rows))
    taken = battle.sample(first, GAMES)
    found.append(MEDALS.format(n=f"{GAMES:,}", value=taken.value, low=taken.low, high=taken.high, held=taken.medals))
    return found
