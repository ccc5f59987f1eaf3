"""What both games do with dice: match them, find RWBs and Straights, roll and roll again."""

from __future__ import annotations

from collections.abc import Iterable

from ..core.errors import Reason
from ..core.node import Roll
from ..landing.dice import DICE, FACES, GROUPS, MEMBERS, NO_FACE, rwb_counts, set_keys
from ..say import say
from .content import STRAIGHT

STREAMS = tuple(f"dice:{seat}" for seat in range(64))
NO_DICE = (NO_FACE,) * 6


def counts(faces: Iterable[int]) -> list[int]:
    """How often each face shows."""
    found = [0] * 6
    for face in faces:
        if face >= 0:
            found[face] += 1
    return found


def enough(have: list[int], need: list[int]) -> bool:
    """Is every result that is needed there, one for one (B-STEP6-01)?"""
    return all(mine >= theirs for mine, theirs in zip(have, need, strict=True))


def symbols(faces: tuple[int, ...], colours: tuple[int, ...], added: tuple[int, ...] = ()) -> tuple[str, ...]:
    """What a tally has earned: the symbol of each RWB, twice for two of one symbol, or `straight`.

    Results in `added` have no colour; they count here only towards a Straight of six dice.
    """
    found = tuple(FACES[face] for face, n in enumerate(rwb_counts(faces, colours, 0, ())) for _ in range(n))
    if not found and NO_FACE not in faces and len({*faces, *added}) == 6:
        return (STRAIGHT,)
    return found


def request(stream: str, number: int, mask: int, rule: str) -> Roll:
    return Roll(stream, number, GROUPS[mask], rule)


def rolled(faces: tuple[int, ...], mask: int, outcome: tuple[int | str, ...]) -> tuple[int, ...]:
    """The dice after those of the mask were rolled."""
    new = list(faces)
    for place, face in zip(MEMBERS[mask], outcome, strict=True):
        new[place] = int(face)
    return tuple(new)


def on_table(faces: tuple[int, ...]) -> int:
    return sum(1 << place for place, face in enumerate(faces) if face >= 0)


def reroll_keys(loose: int, most: int = 6) -> tuple[str, ...]:
    return ("stop", *set_keys("roll", loose, 1, most))


def reroll_refusals(faces: tuple[int, ...], loose: int, why: str, rule: str) -> dict[str, tuple[Reason, ...]]:
    """Why each die that is not loose cannot be rolled again."""
    held = on_table(faces) & ~loose
    return {f"roll:{DICE[p]}": (Reason(say(why, die=DICE[p]), rule),) for p in MEMBERS[held]}
