"""What a newcomer is told: how the game goes, what its words mean, what can be typed.

Nothing is told of what the game at hand does not have: a level may leave out Machine Gun Fire, Items and much more.
"""

from __future__ import annotations

from typing import NamedTuple

from ..content import spoken
from ..landing.dice import FACE, POINTS
from ..landing.state import Landing
from ..landing.words import join, level_words
from ..landing.world import OPTIONS
from ..say import say
from . import typed

HELP = (
    "answer",
    "why",
    "rule",
    "undo",
    "state",
    "map",
    "card",
    "bonus",
    "keys",
    "advise",
    "log",
    "save",
    "seed",
    "position",
    "help",
    "word",
    "quit",
)
"""What can be typed, by keys of `help` and `helps`."""


def help_lines() -> list[tuple[str, str]]:
    """What can be typed, and what it does."""
    return [(say(f"help.{name}"), say(f"helps.{name}")) for name in HELP]


def option_words(option: str, edition: str) -> str:
    """`Mulligan: once in the game ...`."""
    key = f"{option}-{edition}" if option == "bazooka-joe-specialists" else option
    return say("table.title", title=say(f"option.name.{option}"), text=say(f"option.text.{key}"))


def features(g: Landing) -> frozenset[str]:
    """What there is in this game, by names that `WORDS` uses."""
    world, level = g.world, g.world.level
    ways = [way for ways in world.ways.values() for way in ways]
    sectors = world.sectors.values()
    found = {
        "mgf": any(sector.mgf for sector in sectors),
        "special-damage": any(sector.special_damage for sector in sectors),
        "mines": any(way.mined for way in ways),
        "barriers": any(way.barred for way in ways),
        "sacrifice": any(sector.sacrifice for sector in sectors),
        "one-turn": any(sector.shield == "black" for sector in sectors),
        "specialists": FACE["star"] not in world.ignored,
        "skulls": FACE["skull"] not in world.ignored,
        "items": level.items,
        "awards": level.awards,
        "straight": level.awards and not world.ignored,
        "others": not world.solo,
        "kinds": world.setup.edition == "second",
    }
    return frozenset(name for name, there in found.items() if there)


def intro(g: Landing) -> list[str]:
    """How the game goes, in a few paragraphs."""
    has = features(g)
    goal = ["goal", "lost-specialists" if "specialists" in has else "lost"]
    if "others" in has:
        goal.append("one-lost" if g.world.level.one_lost_all_lost else "one-lost-only")
    brings = ["soldiers", "stars", "courage", "tools"]
    kept = [True, "specialists" in has, True, "items" in has]
    brought = join([say(f"guide.brings.{name}") for name, there in zip(brings, kept, strict=True) if there])
    dice = [say("guide.dice", brought=brought)]
    if "items" in has:
        dice.append(say("guide.tools", points=_points()))
    if "skulls" in has:
        dice.append(say("guide.skulls"))
    bonus = ["rwb", *(("straight",) if "straight" in has else ())]
    buys = [say(f"prompt.may.{name}") for name, there in (("rally", "specialists"), ("find", "items")) if there in has]
    turn = [
        say("guide.buy-and-move", buys=join(buys)) if buys else say("guide.move"),
        say("guide.forward"),
        *([say("guide.mines")] if "mines" in has else []),
        say("guide.combat-mgf" if "mgf" in has else "guide.combat"),
        *([say("guide.fall")] if "specialists" in has else []),
        say("guide.stay-one-turn" if "one-turn" in has else "guide.stay"),
    ]
    told = [_sentences(goal), " ".join(dice), _sentences(bonus), " ".join(turn)]
    return [*told, *([say("guide.trade")] if "others" in has else []), say("guide.help")]


def _sentences(names: list[str]) -> str:
    return " ".join(say(f"guide.{name}") for name in names)


def _points() -> str:
    return ", ".join(map(str, POINTS[1:]))


class Word(NamedTuple):
    """A word of the game, by its key in the catalogue: its names, with commas between, and what it means. It is told
    where the game has the feature that it needs.
    """

    key: str
    needs: str = ""

    @property
    def names(self) -> list[str]:
        return say(f"word.{self.key}.names").split(", ")

    @property
    def meaning(self) -> str:
        return say(f"word.{self.key}.means", points=_points())


WORDS = (
    Word("soldiers"),
    Word("casualties-specialists", "specialists"),
    Word("casualties"),
    Word("def"),
    Word("mgf", "mgf"),
    Word("special-damage", "special-damage"),
    Word("lock"),
    Word("rwb"),
    Word("straight", "straight"),
    Word("tally"),
    Word("skull", "skulls"),
    Word("star", "specialists"),
    Word("courage"),
    Word("sideways"),
    Word("tool", "items"),
    Word("marker"),
    Word("mines", "mines"),
    Word("barrier", "barriers"),
    Word("bunker"),
    Word("battle-cry"),
    Word("specialist", "specialists"),
    Word("kinds", "kinds"),
    Word("kinds-first", "specialists"),
    Word("sacrifice", "sacrifice"),
    Word("item", "items"),
    Word("vehicle", "items"),
    Word("award", "awards"),
    Word("trade", "others"),
    Word("pool", "specialists"),
    Word("reconstructed"),
    Word("seed"),
    Word("practice"),
)


def words(g: Landing) -> list[str]:
    """All words that can be explained in this game, by their first names."""
    has = features(g)
    return list(dict.fromkeys(word.names[0] for word in WORDS if not word.needs or word.needs in has))


def meaning(g: Landing, asked: str) -> str:
    """What a word means in this game; the empty text if it is none of its words."""
    wanted = typed.plain(asked)
    has = features(g)
    for whole in (True, False):
        for word in WORDS:
            names = [typed.plain(name) for name in word.names]
            hit = any(_same(wanted, name) if whole else name.startswith(wanted) for name in names)
            if wanted and hit and (not word.needs or word.needs in has):
                return say("table.title", title=word.names[0], text=word.meaning)
    return ""


def _same(one: str, other: str) -> bool:
    """Equal but for the plural."""
    return one.rstrip("s") == other.rstrip("s")


ELSEWHERE = ("rally", "find", "award", "move", "go", "stay", "use", "trade", "lock", "roll")
"""Answers of which something can be said where they are none to the question at hand, by their first word."""


def elsewhere(word: str, question: str) -> str:
    """When an answer that begins with this word can be given, as it is none to the question at hand."""
    wanted = typed.plain(word.partition(":")[0])
    verb = next((verb for verb in ELSEWHERE if wanted in (verb, typed.plain(say(f"verb.{verb}")))), "")
    if not verb:
        return ""
    return say("elsewhere.offer") if question == "offer" else say(f"elsewhere.{verb}")


def opening(g: Landing, practice: bool) -> list[str]:
    """What is special about this game: practice, level, optional rules."""
    setup = g.world.setup
    lines = [say("guide.practice")] if practice else []
    if setup.level:
        name = spoken.level_name(g.world.map, setup.level)
        lines.append(say("guide.level", name=name, about=level_words(g.world.level)).rstrip())
    options = [option for option in OPTIONS if option in g.world.options]
    return lines + [say("guide.option", about=option_words(option, setup.edition)) for option in options]
