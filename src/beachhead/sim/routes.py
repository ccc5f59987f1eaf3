"""The lines of a board: paths to its Bunkers, dead ends, and players who are made to take a given path."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise
from random import Random
from typing import NamedTuple

from ..bots import Bot, View, bot
from ..content.schema import Map
from ..core.node import Decision

Line = tuple[str, str]
Path = tuple[str, ...]
"""Sectors, from the start on."""

MOST_PATHS = 20_000
"""So many are looked at; joined boards have more than anybody wants to know."""
VIA = " via "


def goals(board: Map) -> list[str]:
    """The Bunkers that make a Unit safe."""
    return [id for id, sector in board.sectors.items() if sector.bunker and not sector.passage]


def lines(board: Map) -> list[Line]:
    """Every line of the board; one on which Units go both ways is named once."""
    found: dict[frozenset[str], Line] = {}
    for a, b in (*board.edges.forward, *board.edges.lateral):
        found.setdefault(frozenset((a, b)), (a, b))
    return [*found.values(), *((a, b) for a, b in board.edges.retreat)]


def steps(board: Map) -> dict[str, list[str]]:
    """Per Sector: where a line leads, in any direction that Units may take."""
    edges = board.edges
    found: dict[str, list[str]] = {id: [] for id in board.sectors}
    for a, b in (*edges.forward, *edges.lateral, *((b, a) for a, b in edges.lateral), *edges.retreat):
        if b not in found[a]:
            found[a].append(b)
    return found


# ---- dead ends


class DeadEnds(NamedTuple):
    """Sectors from which no line leads to a Bunker any more, and lines behind which none does but the way back, which
    is closed to a Unit that has been there.
    """

    sectors: list[str]
    lines: list[Line]


def dead_ends(board: Map, each: bool = False) -> DeadEnds:
    """`each`: a Unit has to come to all Bunkers, as one that is alone has on some boards."""
    ways, ends = steps(board), set(goals(board))
    begins = [id for id, sector in board.sectors.items() if sector.start]
    if each:
        won = (path for id in begins for path in _onward(ways, (id,), ends, each))
        good = {line for path in islice(won, MOST_PATHS) for line in pairwise(path)}
        all_ = [(a, b) for a, found in ways.items() for b in found]
        dead = [id for id in board.sectors if not any(id in line for line in good)]
    else:
        all_ = [(a, b) for a, found in ways.items() for b in found if a not in ends]
        good = {line for line in all_ if any(_onward(ways, line, ends, each))}
        dead = [id for id in board.sectors if not any(_onward(ways, (id,), ends, each))]
    return DeadEnds(dead, [(a, b) for a, b in all_ if (a, b) not in good and a not in dead and b not in dead])


def _onward(ways: dict[str, list[str]], been: Path, ends: set[str], each: bool) -> Iterator[Path]:
    """Every way to a Bunker, or to each of them, that enters no Sector twice."""
    if ends <= set(been) if each else been[-1] in ends:
        yield been
        return
    for there in ways[been[-1]]:
        if there not in been:
            yield from _onward(ways, (*been, there), ends, each)


# ---- paths


def paths(board: Map, each: bool = False) -> Iterator[Path]:
    """Every way forward from a start to a Bunker; with `each` from there on to the other ones, by any line."""
    ends, every = set(goals(board)), steps(board)
    ahead = {(line[0], line[1]) for line in board.edges.forward}
    ways = {a: [b for b in found if (a, b) in ahead or b in ends or a in ends] for a, found in every.items()}
    if each and len(ends) > 1:
        between = {id for end in ends for id in every[end]} - ends
        for id in between:
            ways[id] = every[id]
    part = {id: n for n, one in enumerate(board.parts) for id in one.sectors}
    for id, sector in board.sectors.items():
        if sector.start:
            for path in _onward(ways, (id,), ends, each):
                if sum(1 for a, b in pairwise(path) if part and part[a] != part[b]) < 2:
                    yield path


def cover(board: Map, each: bool = False) -> list[Path]:
    """Few paths on which every line of any path lies; those with most lines of their own come first."""
    known = list(islice(paths(board, each), MOST_PATHS))
    todo = {line for path in known for line in pairwise(path)}
    found = []
    while todo:
        best = max(known, key=lambda path: sum(1 for line in pairwise(path) if line in todo))
        todo -= set(pairwise(best))
        found.append(best)
    return found


def variations(board: Map, usual: Path, each: bool = False) -> list[Path]:
    """This path, and for lines forward that are not on it the path over such a line that has most in common with it,
    side steps included; few paths, on which every line forward of any path lies.
    """
    ways = steps(board)
    for a, b in board.edges.retreat:
        ways[a].remove(b)
    begins = [id for id, sector in board.sectors.items() if sector.start]
    walks = (path for id in begins for path in _onward(ways, (id,), set(goals(board)), each))
    known = {path: set(pairwise(path)) for path in islice(paths(board, each) if board.parts else walks, MOST_PATHS)}
    ahead = {(line[0], line[1]) for line in board.edges.forward}
    mine = set(pairwise(usual))
    todo = {line for found in known.values() for line in found} & ahead - mine
    found = [usual]
    while todo:
        best = max(known, key=lambda path: _likeness(known[path], mine, todo))
        todo -= known[best]
        found.append(best)
    return found


def _likeness(path: set[Line], usual: set[Line], todo: set[Line]) -> tuple[bool, int, int, int]:
    """What makes a variation: something new in it, then as little else as possible."""
    new = len(path & todo)
    return new > 0, len(path & usual), new, -len(path)


# ---- players on a path


def player(code: str) -> Bot:
    """The bot of a code; `exact via 1 3 5` is one that takes this path."""
    name, _, path = code.partition(VIA)
    return guided(bot(name), tuple(path.split())) if path else bot(name)


def code_via(code: str, path: Path) -> str:
    return f"{code}{VIA}{' '.join(path)}" if path else code


def guided(it: Bot, path: Path) -> Bot:
    """A bot that starts where the path does and, when it would leave a Sector of the path, goes on to the next one; if
    that is closed it waits where it may, and else it plays as ever.
    """

    def answer(decision: Decision, view: View, rng: Random) -> str:
        key = it.answer(decision, view, rng)
        if decision.name == "start":
            wanted = f"start:{path[0]}"
            return wanted if wanted in decision.keys else key
        if decision.name != "move" or not key.startswith("move:"):
            return key
        here = view()["units"][decision.seat]["sector"]
        if here not in path[:-1]:
            return key
        wanted = f"move:{path[path.index(here) + 1]}"
        if wanted in decision.keys:
            return wanted
        return "stay" if "stay" in decision.keys else key

    return it._replace(answer=answer)
