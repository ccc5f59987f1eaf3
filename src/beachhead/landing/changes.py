"""The atomic changes of a landing. Every one tells an event, and the sum of these events is the state."""

from __future__ import annotations

from typing import Any

from ..core.node import Over
from .dice import FACES, NAMES
from .score import scores
from .state import LOST, RESOURCES, SAFE, Landing

PLACES = ("hand", "specialists", "dead", "items", "awards")
"""Where a Unit's cards lie; the others (pool, box, lying, used, deck) are common."""


def gain(g: Landing, seat: int, amounts: dict[str, int], rule: str, source: str = "") -> None:
    """Resources come, or go where negative; never below 0."""
    unit = g.units[seat]
    real = {}
    for name, amount in amounts.items():
        if amount:
            have = getattr(unit, name)
            if have + amount < 0:
                amount = -have
            setattr(unit, name, have + amount)
            if amount:
                real[name] = amount
                if amount < 0 and name == "soldiers":
                    set_apart(g, seat, amount)
    if real:
        g.tell("resources", seat, real, rule, source)


def set_apart(g: Landing, seat: int, soldiers: int) -> None:
    """These Soldiers came or went without being gained: A Few Good Men does not count them."""
    if g.before:
        g.before = (*g.before[:seat], g.before[seat] + soldiers, *g.before[seat + 1 :])


def pass_on(g: Landing, seat: int, other: int, soldiers: int) -> None:
    """These Soldiers went from one Unit to another. A Few Good Men counts those of them as gained, and where they are
    now, that the giver had not had before.
    """
    if g.before:
        gained = min(soldiers, max(0, -g.before[seat]))
        set_apart(g, seat, gained)
        set_apart(g, other, soldiers - gained)


def move_card(g: Landing, seat: int, card: str, start: str, end: str, rule: str, source: str = "") -> None:
    """A card goes from one place to another; `seat` is the Unit on whichever side is a Unit's."""
    _take(g, seat, card, start)
    _put(g, seat, card, end)
    g.tell("card", seat, {"card": card, "from": start, "to": end}, rule, source)


def hand_over(g: Landing, seat: int, other: int, card: str, place: str, rule: str) -> None:
    """A card goes from one Unit to another."""
    _take(g, seat, card, place)
    _put(g, other, card, place)
    g.tell("card", seat, {"card": card, "from": place, "to": place, "unit": other}, rule)


def _take(g: Landing, seat: int, card: str, place: str) -> None:
    holder = g.units[seat] if place in PLACES else g
    cards = list(getattr(holder, place))
    cards.remove(card)
    setattr(holder, place, tuple(cards))


def _put(g: Landing, seat: int, card: str, place: str) -> None:
    holder = g.units[seat] if place in PLACES else g
    cards = (*getattr(holder, place), card)
    # the used cards lie in no order, so it does not matter which of two seats was first
    setattr(holder, place, tuple(sorted(cards)) if place == "used" else cards)


def set_dice(
    g: Landing, seat: int, faces: tuple[int, ...], colours: tuple[int, ...], locked: int, rule: str, source: str = ""
) -> None:
    """The six dice lie otherwise than before: rolled, turned, copied, exchanged, Locked."""
    unit = g.units[seat]
    unit.faces, unit.colours, unit.locked = faces, colours, locked
    g.tell("dice", seat, {"faces": faces, "colours": colours, "locked": NAMES[locked]}, rule, source)


def add_result(g: Landing, seat: int, face: int, colour: int, rule: str, source: str = "") -> None:
    unit = g.units[seat]
    unit.added = (*unit.added, (face, colour))
    g.tell("added", seat, {"face": FACES[face], "colour": colour}, rule, source)


def set_marker(g: Landing, seat: int, face: int, rule: str) -> None:
    unit = g.units[seat]
    if unit.marker != face:
        unit.marker = face
        g.tell("marker", seat, {"face": face}, rule)


def place(g: Landing, seat: int, sector: str, rule: str, source: str = "") -> None:
    """The Unit stands in this Sector now."""
    unit = g.units[seat]
    start, unit.sector = unit.sector, sector
    unit.visited = (*unit.visited, sector)
    g.tell("sector", seat, {"from": start, "to": sector}, rule, source)


def reopen(g: Landing, seat: int) -> None:
    """What this Unit has just got may be of use in this very phase, though its seat had finished here."""
    unit, lane = g.units[seat], g.lanes[seat]
    moves = g.phase == "move" and ("before-combat",) in g.main and "move" not in unit.done
    if unit.status or not (moves or g.phase == "acquire"):
        return
    opening = f"{g.phase}-open"
    if not any(frame[0] in (g.phase, opening) for frame in lane):
        lane.insert(0, (opening,))
        g.awake |= 1 << seat


def die(g: Landing, seat: int, card: str, rule: str, source: str = "") -> None:
    """A Specialist is dead; he can never be rallied again."""
    move_card(g, seat, card, "specialists", "dead", rule, source)


def wiped_out(g: Landing, seat: int, cause: str, rule: str) -> None:
    """A Unit is lost, and the game with it, but for levels at which the others play on."""
    g.units[seat].status = LOST
    g.tell("lost", seat, {"cause": cause}, rule)
    if g.world.level.one_lost_all_lost:
        over(g, Over(False, cause, g.world.cite["lost"]))
    elif all(unit.status for unit in g.units):
        over(g, won(g) if survivors_win(g) else Over(False, cause, g.world.cite["lost"]))
    else:
        g.lanes[seat].clear()
        let_follow(g, seat)


BEHIND = "behind"
"""The frame of a seat whose Unit arrives after that of another seat."""


def let_follow(g: Landing, seat: int) -> None:
    """This Unit has arrived, or is lost on the way: those behind it go on."""
    for other, lane in enumerate(g.lanes):
        if (BEHIND, seat) in lane:
            g.release(other, (BEHIND, seat))


def safe(g: Landing, seat: int) -> None:
    """The Unit has conquered the Bunker; its Specialists are laid beside it."""
    unit = g.units[seat]
    unit.status = SAFE
    g.tell("safe", seat, {"specialists": len(unit.specialists)}, g.world.cite["safe"])


def survivors_win(g: Landing) -> bool:
    """Are those who are safe enough to win, though a Unit was lost (F-MAP-N01-02)?"""
    return g.world.switches.survivors_win and any(unit.status == SAFE for unit in g.units)


def won(g: Landing) -> Over:
    return Over(True, "bunker-conquered", g.world.cite["won"])


def over(g: Landing, end: Over) -> None:
    said: dict[str, Any] = {"won": end.won, "cause": end.cause}
    if "victory-points" in g.world.options:
        end = end._replace(scores=scores(g, end.won))
        said["scores"] = end.scores
    g.tell("over", -1, said, end.rule)
    g.finish(end)


def resources(g: Landing, seat: int) -> dict[str, int]:
    unit = g.units[seat]
    return {name: getattr(unit, name) for name in RESOURCES}
