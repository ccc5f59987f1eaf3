"""Victory Points: what each Unit's landing was worth, counted when the game ends (F-OPT-VP, S-OPT-VP)."""

from __future__ import annotations

from .state import LOST, SAFE, Landing


def scores(g: Landing, won: bool) -> tuple[int, ...]:
    """The Victory Points of each Unit, by seat."""
    return tuple(sum(terms(g, seat, won).values()) for seat in range(len(g.units)))


def group_score(points: tuple[int, ...]) -> int:
    """The group is as good as its weakest Unit (F-OPT-VP-04)."""
    return min(points)


def terms(g: Landing, seat: int, won: bool) -> dict[str, int]:
    """The lines of the sum (F-OPT-VP-02, S-OPT-VP-01)."""
    unit = g.units[seat]
    if won and g.world.setup.edition == "second":
        sectors = len(g.world.sectors)
    else:
        sectors = _last_number(g, unit.visited)
    return {
        "bunker": 20 if _entered(g, seat) else 0,
        "first": 20 if seat in g.first else 0,
        "sectors": 10 * sectors,
        "soldiers": unit.soldiers if unit.status != LOST else 0,
        "courage": 2 * unit.courage,
        "specialists": 3 * len(unit.specialists) if unit.status != LOST else 0,
        "awards": 10 * unit.won_awards,
    }


def _entered(g: Landing, seat: int) -> bool:
    """Has the Unit come out of a Bunker's Combat alive? Who went on from there may have fallen later."""
    return g.units[seat].status == SAFE or any(mark.startswith(f"held-{seat + 1}:") for mark in g.spent)


def _last_number(g: Landing, visited: tuple[str, ...]) -> int:
    """The number of the last Sector that is no Bunker: also of a Unit that fell in the Bunker."""
    for sector in reversed(visited):
        if not g.world.sectors[sector].bunker:
            return int("".join(letter for letter in sector if letter.isdigit()) or 0)
    return 0
