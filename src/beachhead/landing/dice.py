"""The dice of a Unit: faces, colours, the keys that name them, and what a Final Tally is worth.

A Unit's six dice are named by their home place: R1 R2 W1 W2 B1 B2. A set of dice is a bit mask over these places.
A die keeps its name when a card gives it another colour.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import combinations

from ..core.errors import BeachheadError

FACES = ("skull", "star", "soldier1", "soldier2", "courage", "tool")
SKULL, STAR, SOLDIER1, SOLDIER2, COURAGE, TOOL = range(6)
FACE = {name: number for number, name in enumerate(FACES)}
COLOURS = ("red", "white", "blue", "none")
RED, WHITE, BLUE, NONE = range(4)
COLOUR = {name: number for number, name in enumerate(COLOURS)}

DICE = ("R1", "R2", "W1", "W2", "B1", "B2")
PLACE = {name: place for place, name in enumerate(DICE)}
HOME = (RED, RED, WHITE, WHITE, BLUE, BLUE)
ALL = 0b111111
NO_FACE = -1
"""A die that was set aside and not rolled this turn."""

MEMBERS = tuple(tuple(place for place in range(6) if mask >> place & 1) for mask in range(64))
SIZE = tuple(len(members) for members in MEMBERS)
NAMES = tuple(",".join(DICE[place] for place in members) or "none" for members in MEMBERS)
MASK = {name: mask for mask, name in enumerate(NAMES)}
GROUPS = tuple(
    tuple(n for n in (sum(1 for place in members if HOME[place] == colour) for colour in (RED, WHITE, BLUE)) if n)
    for members in MEMBERS
)
"""Per mask: how many dice of each colour it holds; dice of one colour that are rolled together cannot be told apart."""

POINTS = (0, 1, 3, 6, 12, 24, 48)


def item_points(tools: int) -> int:
    """Tools of one tally as Item Points (F-TOOL-01, F-TOOL-02)."""
    return POINTS[tools] if tools <= 6 else 48 + 24 * (tools - 6)


@cache
def subsets(mask: int, fewest: int, most: int) -> tuple[int, ...]:
    """The sets of dice within `mask` of a size from `fewest` to `most`, smaller ones first."""
    members = MEMBERS[mask]
    return tuple(
        sum(1 << place for place in chosen)
        for size in range(max(fewest, 0), min(most, len(members)) + 1)
        for chosen in combinations(members, size)
    )


@cache
def set_keys(verb: str, mask: int, fewest: int, most: int) -> tuple[str, ...]:
    """Keys such as `lock:R1,W2` for each such set."""
    return tuple(f"{verb}:{NAMES[chosen]}" for chosen in subsets(mask, fewest, most))


@cache
def mask_of(key: str) -> int:
    """The set of dice that a key such as `lock:R1,W2` names."""
    return MASK[key.partition(":")[2]]


def rwb_counts(
    faces: tuple[int, ...], colours: tuple[int, ...], out: int, added: tuple[tuple[int, int], ...]
) -> list[int]:
    """Per face, how many sets of one Red, one White and one Blue result there are.

    `out` masks dice that do not count; `added` are results beside the dice, as (face, colour), of which colourless
    ones never count.
    """
    counts = [0] * 6
    shown = faces + tuple([face for face, _ in added]) if added else faces
    for face in range(6):
        if shown.count(face) >= 3:
            here = [colours[place] for place in range(6) if faces[place] == face and not out >> place & 1]
            here += [colour for one, colour in added if one == face]
            counts[face] = min(here.count(RED), here.count(WHITE), here.count(BLUE))
    return counts


def write_roll(faces: Iterable[int], colours: Iterable[int] = HOME, locked: int = 0) -> str:
    """One line for a roll: `R:star,skull W:tool,tool B:courage,soldier2`; a Locked die carries a `*`."""
    groups: dict[int, list[str]] = {}
    for place, (face, colour) in enumerate(zip(faces, colours, strict=True)):
        if face >= 0:
            groups.setdefault(colour, []).append(FACES[face] + ("*" if locked >> place & 1 else ""))
    return " ".join(f"{'RWB'[colour]}:{','.join(groups[colour])}" for colour in sorted(groups))


def read_roll(text: str) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Faces, colours and Locked mask of what `write_roll` wrote; fewer than six dice leave the last places empty."""
    faces: list[int] = []
    colours: list[int] = []
    locked = 0
    for part in text.split():
        letter, _, names = part.partition(":")
        if letter not in ("R", "W", "B") or not names:
            raise BeachheadError(f"{part!r} is no set of dice: expected R:, W: or B: and faces, as in R:star,skull")
        for name in names.split(","):
            face = FACE.get(name.rstrip("*"))
            if face is None:
                raise BeachheadError(f"{name!r} is no face of a die: expected one of {', '.join(FACES)}")
            if name.endswith("*"):
                locked |= 1 << len(faces)
            faces.append(face)
            colours.append("RWB".index(letter))
    if len(faces) > 6:
        raise BeachheadError(f"{text!r} has {len(faces)} dice: expected at most 6")
    if sorted(colours) == list(HOME) or not (missing := _missing(colours)):
        return tuple(faces), tuple(colours), locked
    return tuple(faces) + (NO_FACE,) * len(missing), tuple(colours) + tuple(missing), locked


def _missing(colours: list[int]) -> list[int]:
    """Colours for the places that a shorter roll leaves empty: those that the home set has and the roll lacks."""
    left = list(HOME)
    for colour in colours:
        if colour in left:
            left.remove(colour)
    return left[: 6 - len(colours)]
