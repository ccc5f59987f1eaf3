"""What a game of Pocket is played with: the setup, its options and readings, and the box."""

from __future__ import annotations

import difflib
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from ..core.errors import SetupError
from ..core.game import Setup as PlainSetup
from ..core.plain import to_json
from ..landing.dice import FACES
from ..say import say
from .content import Box, box

MOST_SOLDIERS = 4
MOST_PLAYERS = 12
"""Any number may play Battle! (B-SETUP-03); so many can be seated."""
NEPTUNE = ("utah", "gold", "juno", "sword", "omaha", "pointe-du-hoc")
"""The order of the campaign (N-NEPTUNE-02)."""


class Switch(NamedTuple):
    """A reading where the rules are silent: the values, the default first, and the rule that it reads."""

    values: tuple[str, ...]
    rule: str


SWITCHES: dict[str, dict[str, Switch]] = {
    "express": {
        "kommandant": Switch(("strict", "lenient"), "K-EXPRESS-02"),
        "specialists": Switch(("squad", "holder"), "E-SPEC-10"),
        "clearing": Switch(("player", "squad"), "E-STEP7-01"),
        "neptune_reset": Switch(("all", "removed-stay-out"), "N-NEPTUNE-03"),
        "gold_failed": Switch(("lost", "replay"), "E-GANTLET-03"),
        "kept_symbol": Switch(("skull", *(face for face in FACES if face != "skull")), "E-GANTLET-07"),
        "corporal_straight": Switch(("no", "yes"), "E-RWB-03"),
    },
    "battle": {
        "kommandant_points": Switch(("multiplied", "plain"), "K-BATTLE-03"),
        "thirty": Switch(("banked", "with-medals"), "B-VICTORY-01"),
        "bunker_die": Switch(("player", "random"), "B-FIELD-07"),
    },
}
OPTIONS: dict[str, dict[str, str]] = {
    "express": {"kommandant": "K-GENERAL-01", "advanced": "N-ADVBEACH-01", "neptune": "N-NEPTUNE-01"},
    "battle": {"kommandant": "K-GENERAL-01"},
}
"""Optional rules of each game, with their entries in the register."""
DEFAULTS: dict[str, PlainSetup] = {
    "express": {"beach": "utah", "seats": 1, "options": [], "switches": {}},
    "battle": {"seats": 2, "options": [], "switches": {}},
}
MOST = {"express": MOST_SOLDIERS, "battle": MOST_PLAYERS}


@dataclass(frozen=True)
class World:
    """What does not change in a game."""

    game: str
    seats: int
    beaches: tuple[str, ...]
    """The beaches of an Express! game in their order."""
    options: frozenset[str]
    switches: dict[str, str]
    box: Box
    by_symbol: dict[str, str]
    """Symbol of an RWB, or `straight` -> the card that it brings."""

    @property
    def solo(self) -> bool:
        return self.seats == 1

    @property
    def advanced(self) -> bool:
        return "advanced" in self.options


def whole(game: str, plain: PlainSetup) -> PlainSetup:
    """The setup with all that was left out."""
    world_of(game, plain)
    return {**DEFAULTS[game], **plain}


def world_of(game: str, plain: PlainSetup) -> World:
    """Raises SetupError for what this game does not know."""
    for name in plain:
        if name not in DEFAULTS[game]:
            raise SetupError(say("setup.unknown-key", name=repr(name), known=", ".join(DEFAULTS[game])))
    return _world(game, to_json({**DEFAULTS[game], **plain}), box().hash)


@lru_cache(maxsize=256)
def _world(game: str, text: str, content: str) -> World:
    import json

    setup = json.loads(text)
    seats, options, switches = setup["seats"], setup["options"], setup["switches"]
    if type(seats) is not int:
        raise SetupError(f"setup key 'seats' is {to_json(seats)}: expected a whole number")
    if not 1 <= seats <= MOST[game]:
        raise SetupError(say("pocket.setup.seats", n=seats, most=MOST[game], game=say(f"pocket.game.{game}")))
    if not isinstance(options, list):
        raise SetupError(f"setup key 'options' is {to_json(options)}: expected a list of names")
    for name in options:
        _known("option", name, OPTIONS[game])
        if options.count(name) > 1:
            raise SetupError(say("setup.option-twice", name=repr(name)))
    if isinstance(switches, list):
        switches = dict(switches)
    if not isinstance(switches, dict):
        raise SetupError(f"setup key 'switches' is {to_json(switches)}: expected names, each with a value")
    chosen = {name: switch.values[0] for name, switch in SWITCHES[game].items()}
    for name, value in switches.items():
        _known("switch", name, SWITCHES[game])
        values = SWITCHES[game][name].values
        if value not in values:
            raise SetupError(say("pocket.setup.switch", name=name, value=repr(value), known=", ".join(values)))
        chosen[name] = value
    here = box()
    beaches: tuple[str, ...] = ()
    if game == "express":
        _known("beach", setup["beach"], here.beaches)
        beaches = (setup["beach"],)
        if "neptune" in options:
            beaches = NEPTUNE
    cards: Any = here.specialists if game == "express" else here.medals
    by_symbol = {card.rwb: card.id for card in cards.values()}
    return World(game, seats, beaches, frozenset(options), chosen, here, by_symbol)


def _known(what: str, name: Any, known: Collection[str]) -> None:
    if not isinstance(name, str) or name not in known:
        near = difflib.get_close_matches(str(name), known, 1)
        hint = say("setup.near", name=repr(near[0])) if near else ""
        key = "pocket.setup.beach" if what == "beach" else f"setup.unknown.{what}"
        raise SetupError(say(key, name=repr(name), known=", ".join(known), hint=hint))
