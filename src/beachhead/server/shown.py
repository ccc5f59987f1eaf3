"""What the parts of a screen share: its words in the catalogue, and what is put into words only once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from ..landing.state import Landing
from ..landing.world import World
from ..say import language, say
from ..say.catalogue import catalogue
from ..table.match import Match


def landing(match: Match) -> Landing:
    return cast(Landing, match.state)


def once(world: World, what: str, which: object, make: Callable[[], Any]) -> Any:
    """What does not change in games of this world, worked out once per language. No player's name may be in it."""
    key = ("screen", what, which, language())
    found = world.memo.get(key)
    if found is None:
        found = world.memo[key] = make()
    return found


def known(key: str) -> bool:
    return f"screen.{key}" in catalogue(language())


def tell(key: str, **args: Any) -> str:
    """The message `screen.KEY` of the catalogue."""
    if not known(key):  # something new, such as a window of a card: by its name
        return key.rpartition(".")[2].replace("-", " ").replace("_", " ")
    return say(f"screen.{key}", **args)
