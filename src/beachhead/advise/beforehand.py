"""What a dice answer would have to wait for, worked out while nobody waits: values, and what tallies bring."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from ..bots.arrive import arrived
from ..bots.gains import Terms, gains
from ..bots.judgement import WorldKey
from ..bots.look import Unit
from ..bots.sight import Sight
from ..bots.small import SMALL
from ..bots.values import Values
from ..core.chance import sample
from ..core.errors import BeachheadError
from ..core.machine import State
from ..core.node import Ask, Decision, Roll
from ..games import game_of
from ..landing.dice import ALL, HOME, set_keys
from ..landing.state import Landing
from .engine import advise, known

STRAIGHT = tuple(range(6))
"""Faces of dice that nobody has rolled."""
MOST_KNOWN = 128
"""So many tables of what tallies bring are held for worked out; `gains` keeps more."""
_known: dict[Terms, None] = {}
_asked: set[WorldKey | str] = set()
"""Games about which a made-up question was asked."""


def steps(seen: dict[str, Any], state: State | None, seats: Iterable[int]) -> Iterator[None]:
    """Step by step, none of which takes long: the present Sectors of these seats, then those that are next."""
    if state is not None and seen.get("game") in SMALL and seen["game"] not in _asked:
        _asked.add(seen["game"])
        yield from _small(state)
        return
    if seen.get("game") != "landing" or (isinstance(state, Landing) and known(state) is not None):
        return
    yield
    looks = [Sight(seen, seat) for seat in seats if seen["units"][seat]["status"] == 0]
    if not looks or looks[0].world is None or not isinstance(looks[0].judge, Values):
        return
    for near in (True, False):
        for look in looks:
            me = look.me
            for unit in [me] if near else [arrived(way, look, me) for way in look.world.ways[me["sector"]]]:
                then = _rolling(look, unit)
                for dice in _throws(then.here.dice):
                    terms = then.terms(True, dice)
                    if terms not in _known:
                        _known[terms] = None
                        gains(terms)
                        yield
        if near:
            yield from _once(looks[0])
    while len(_known) > MOST_KNOWN:
        del _known[next(iter(_known))]


def _small(state: State) -> Iterator[None]:
    """A game of Pocket: its first question, with some dice."""
    machine = game_of(state).machine
    then = machine.clone(state)
    node = machine.node(then)
    while isinstance(node, Roll):
        machine.apply(then, sample("some dice", node), quiet=True)
        node = machine.node(then)
    if isinstance(node, Ask):
        yield
        seat = node.seats[0]
        advise(node.decision(seat), lambda: machine.view(then, seat), 0.0, then)


def _throws(many: int) -> list[tuple[int, int, int]]:
    """The dice that may be rolled where so many are."""
    return [(red, white, blue) for red, white, blue in product(range(3), repeat=3) if red + white + blue == many]


def _rolling(look: Sight, unit: Unit, faces: tuple[int, ...] = (-1,) * 6) -> Sight:
    """The Unit of this seat when it is so, in a turn that has begun."""
    turn = {"faces": list(faces), "colours": list(HOME), "locked": 0, "out": 0, "added": [], "done": [], "roll": 1}
    after = {**unit, **turn}
    units = [after if seat == look.seat else one for seat, one in enumerate(look.units)]
    return Sight({**look.view, "phase": "roll", "units": units}, look.seat, look.judge)


def _once(look: Sight) -> Iterator[None]:
    """A question that nobody has asked, for all else that is worked out once."""
    if look.key in _asked:
        return
    _asked.add(look.key)
    seen = _rolling(look, look.me, STRAIGHT).view
    for name, keys in (("lock", set_keys("lock", ALL, 2, 2)), ("reroll", ("stop", *set_keys("roll", ALL, 1, 2)))):
        try:
            advise(Decision(look.seat, 0, "some", name, keys, ""), lambda: seen, 0.0, None)
        except BeachheadError:  # not six dice here
            return
        yield
