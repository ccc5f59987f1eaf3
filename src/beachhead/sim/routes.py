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


def dead_ends(board: Map) -> DeadEnds:
    ways, ends = steps(board), set(goals(board))
    dead = [id for id in board.sectors if not _reaches(ways, id, ends)]
    behind = [
        (a, b)
        for a, found in ways.items()
        for b in found
        if a not in dead and b not in dead and a not in ends and not _reaches(ways, b, ends, a)
    ]
    return DeadEnds(dead, behind)


def _reaches(ways: dict[str, list[str]], start: str, ends: set[str], without: str = "") -> bool:
    seen, todo = {start, without}, [start]
    while todo:
        here = todo.pop()
        if here in ends:
            return True
        for there in ways[here]:
            if there not in seen:
                seen.add(there)
                todo.append(there)
    return False


# ---- paths


def paths(board: Map) -> Iterator[Path]:
    """Every way forward from a start to the first Bunker that makes safe."""
    ends, part = set(goals(board)), {id: n for n, one in enumerate(board.parts) for id in one.sectors}
    ways: dict[str, list[str]] = {id: [] for id in board.sectors}
    for a, b in board.edges.forward:
        ways[a].append(b)
    for a, b in board.edges.lateral:  # a Bunker is entered from the side as from below
        for start, end in ((a, b), (b, a)):
            if end in ends and start not in ends:
                ways[start].append(end)

    def follow(path: Path) -> Iterator[Path]:
        here = path[-1]
        if here in ends:
            yield path
            return
        for there in ways[here]:
            crossed = sum(1 for a, b in pairwise((*path, there)) if part and part[a] != part[b])
            if there not in path and crossed < 2:
                yield from follow((*path, there))

    for id, sector in board.sectors.items():
        if sector.start:
            yield from follow((id,))


def cover(board: Map) -> list[Path]:
    """Few paths on which every line of any path lies; those with most lines of their own come first."""
    known = list(islice(paths(board), MOST_PATHS))
    todo = {line for path in known for line in pairwise(path)}
    found = []
    while todo:
        best = max(known, key=lambda path: sum(1 for line in pairwise(path) if line in todo))
        todo -= set(pairwise(best))
        found.append(best)
    return found


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
