"""What a newcomer is told: how the game goes, what its words mean, what can be typed.

Nothing is told of what the game at hand does not have: a level may leave out Machine Gun Fire, Items and much more.
"""

from __future__ import annotations

from typing import NamedTuple

from ..landing.dice import FACE, POINTS
from ..landing.state import Landing
from ..landing.words import join, level_words, title
from . import typed

HELP = (
    ("NUMBER, KEY", "answer; the start of a key will do, for dice their names"),
    ("why KEY", "why is it not allowed? why defence, mgf, lock, 7: a number"),
    ("rule, rule ID", "the rule behind this question, or any rule of the register"),
    ("undo, redo", "take back your last answer, bring it back"),
    ("state, dice", "the Units; your dice"),
    ("map", "all Sectors, from the Bunker down to the sea"),
    ("card NAME", "what a card does; card alone lists those in reach"),
    ("bonus", "what three of a kind in red, white and blue bring"),
    ("keys", "all answers to this question"),
    ("log, log N", "the last N things that happened, with their rules"),
    ("save FILE", "write the game to a file; save! FILE replaces one"),
    ("seed", "the proof that the dice were fixed beforehand"),
    ("position", "this position in one line, for a bug report"),
    ("help, help game", "this list; how the game goes"),
    ("help WORD", "what a word means, as help marker; help words lists them"),
    ("quit", "stop; the game is kept and can be continued"),
)

OPTION_WORDS: dict[str, str | dict[str, str]] = {
    "mulligan": "once in the game a Unit may roll all dice again if its first roll shows no Soldier.",
    "well-equipped": "every Unit starts with 10 Item Points.",
    "bazooka-joe": "all Special Items can be found, whatever the map lists.",
    "bazooka-joe-specialists": {
        "first": "all Specialists can be rallied, whatever the map lists.",
        "second": "a Unit may have several Reserve Specialists, and all Units together several Unique ones.",
    },
    "blind-start": "each Unit starts with 1 Soldier and what four rolls of its marker bring: chevrons are Soldiers, "
    "arrows are Stars. What the Sector says of the start does not count.",
    "few-good-men": "of the Soldiers that dice and bonuses bring in a turn only half stay, rounded down.",
    "victory-points": "at the end each Unit's landing is worth points, and the group is as good as its weakest Unit.",
}


def option_words(option: str, edition: str) -> str:
    """`Mulligan: once in the game ...`."""
    words = OPTION_WORDS[option]
    return f"{title(option)}: {words if isinstance(words, str) else words[edition]}"


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
    level = g.world.level
    nobody = "neither Soldiers nor Specialists" if "specialists" in has else "no Soldiers"
    goal = [
        "Lead your Unit up the beach into the Bunker and survive the Combat there.",
        f"A Unit is lost when it has {nobody} left, or has to leave its Sector and cannot.",
    ]
    if "others" in has:
        goal.append(
            "If one Unit is lost, all have lost." if level.one_lost_all_lost else "If one is lost the others play on."
        )
    dice = [
        "Each turn you roll six dice up to three times: red R1 and R2, white W1 and W2, blue B1 and B2. After the "
        "first roll you Lock some of them: these are not rolled again. What they show in the end is yours: Soldiers",
        "Stars to rally Specialists",
        "Courage to go forward",
        "Tools to find Items",
    ]
    kept = [True, "specialists" in has, True, "items" in has]
    said = [join([part for part, there in zip(dice, kept, strict=True) if there]) + "."]
    if "items" in has:
        said.append(f"1 to 6 Tools are {', '.join(map(str, POINTS[1:]))} Item Points.")
    if "skulls" in has:
        said.append("Each Skull cancels one of your other dice.")
    bonus = ["The same result in red, white and blue (an RWB) brings a bonus: type bonus."]
    if "straight" in has:
        bonus.append("Six different results are a Straight and bring an Award.")
    buys = [
        said
        for said, there in (("rally a Specialist", "specialists" in has), ("find an Item", "items" in has))
        if there
    ]
    turn = [
        f"Then you may {join(buys)}, and you move or stay." if buys else "Then you move or stay.",
        "Going forward costs Courage, going sideways nothing.",
    ]
    if "mines" in has:
        turn.append("Who crosses mines loses 1 die of Soldiers.")
    turn.append("At the end of the turn comes Combat: you lose as many Soldiers as your Sector's DEF says")
    turn[-1] += ", and 1 die more where there is Machine Gun Fire (MGF)." if "mgf" in has else "."
    if "specialists" in has:
        turn.append("A Specialist may fall in place of a Soldier.")
    stay = "You may stay three turns in a Sector"
    stay += " (one where the map says so)" if "one-turn" in has else ""
    turn.append(f"{stay}; then you have to leave, and you never come back. The table tells by which turn.")
    told = [" ".join(goal), " ".join(said), " ".join(bonus), " ".join(turn)]
    if "others" in has:
        told.append(
            "Units in the same Sector may trade: type trade and the number of the other Unit. The Units are asked one "
            "after the other; each question begins with the name of the Unit."
        )
    return [*told, "Type help WORD for the meaning of a word, as in help marker, and help for all that can be typed."]


class Word(NamedTuple):
    """What a word of the game means. It is told where the game has the feature that it needs."""

    names: tuple[str, ...]
    meaning: str
    needs: str = ""


WORDS = (
    Word(("Soldiers",), "the men of your Unit, and its strength. Dice bring them, casualties take them."),
    Word(("casualties", "casualty"), "so many Soldiers fall. A Specialist may fall for a Soldier.", "specialists"),
    Word(("casualties", "casualty"), "so many Soldiers fall."),
    Word(
        ("DEF", "defence", "combat"),
        "so many casualties each Unit in the Sector takes in the Combat at the end of each turn. Several numbers, as "
        "in 4/6/8, are for its first, second and third Combat there.",
    ),
    Word(
        ("MGF", "Machine Gun Fire", "fire", "d6", "1d6"),
        "Machine Gun Fire is rolled once for the Sector in each Combat and added to the DEF: 1d6 is one six-sided die, "
        "2d6 are two.",
        "mgf",
    ),
    Word(
        ("Special Damage",),
        "each 6 of the Machine Gun Fire there costs more, as the map says.",
        "special-damage",
    ),
    Word(("Lock", "Locked"), "a die that is Locked after the first roll stays as it is for this turn. A # marks it."),
    Word(
        ("RWB", "bonus"),
        "the same result on a red, a white and a blue die; it brings a bonus beside what the dice bring. Type bonus "
        "for the list.",
    ),
    Word(("Straight",), "all six results among your dice. You choose one of the Awards that are left.", "straight"),
    Word(("Final Tally", "tally"), "your dice after the last roll, with what your Sector and your cards add."),
    Word(("Skull",), "cancels one of your other dice, which you choose: it brings nothing this turn.", "skulls"),
    Word(("Star",), "Stars pay for Specialists. You keep those that you do not spend.", "specialists"),
    Word(
        ("Courage", "Advance", "forward", "line"),
        "pays for an Advance, a move forward over the next line; the map and the list of ways say how much. You keep "
        "what you do not spend.",
    ),
    Word(("sideways", "beside"), "a move to a Sector of the same row. It costs no Courage."),
    Word(
        ("Tool", "Item Points", "points"),
        f"1 to 6 Tools among your dice are {', '.join(map(str, POINTS[1:]))} Item Points, which pay for Items. You "
        "keep those that you do not spend.",
        "items",
    ),
    Word(
        ("marker", "chevron", "leave by", "must move", "can't stay", "1 turn only", "stay"),
        "the marker counts your turns in a Sector with 1, 2 and 3 chevrons; then you have to leave, in the turn that "
        "'leave by' tells. A Sector of 1 turn only has to be left in the next turn. You never come back to a Sector.",
    ),
    Word(
        ("mines", "Land Mines"),
        "who crosses them, forward or sideways, loses one die of Soldiers.",
        "mines",
    ),
    Word(("Barrier",), "nobody can cross it, unless a card says so.", "barriers"),
    Word(
        ("Bunker", "safe"),
        "the goal. A Unit that survives the Combat there is safe; its Specialists then lower the DEF of the Bunker by "
        "1 each for those who follow.",
    ),
    Word(
        ("Specialist", "rally"),
        "a man with a skill that works as long as he lives. Rally one a turn, for Stars; once fallen he cannot be "
        "rallied again. In Combat he counts as one Soldier.",
        "specialists",
    ),
    Word(
        ("Reserve", "Ranking", "Unique", "Regular"),
        "kinds of Specialists. Regular: each Unit has its own. Reserve: a Unit has one of them at a time. Ranking: "
        "there is one of each for all. Unique: only one of them is in play, over all Units.",
        "kinds",
    ),
    Word(
        ("Unique", "Regular"),
        "kinds of Specialists. Regular: each Unit has its own. Unique: there is one of each for all Units.",
        "specialists",
    ),
    Word(
        ("sacrifice", "give up"),
        "a Sector that costs a Specialist takes one of your choice, or the one it names, from each Unit that enters.",
        "sacrifice",
    ),
    Word(
        ("Item", "find"),
        "something useful that is used up when you use it. Find one a turn, for Item Points, and use it when you like.",
        "items",
    ),
    Word(
        ("Vehicle", "abandon"),
        "helps all Units in its Sector. A Unit has one at most; it cannot cross mines nor enter a Bunker, so trade it "
        "or leave it behind first.",
        "items",
    ),
    Word(
        ("Award",),
        "a medal with one great deed. You take one for a Straight, or draw one by chance for 6 Courage; one a turn.",
        "awards",
    ),
    Word(
        ("trade",),
        "Units in the same Sector may exchange or give away Soldiers, Stars, Courage, Item Points, Items and Vehicles. "
        "Type trade and the number of the Unit, as in trade 2; then say what you give and take, and propose it.",
        "others",
    ),
    Word(("pool",), "cards that lie in the middle; any Unit may rally or find them.", "specialists"),
    Word(("reconstructed",), "what is printed is not known; this is our best guess."),
    Word(
        ("seed", "commitment"),
        "all dice come from a secret number, the seed. Its fingerprint is shown before the game and the seed after it, "
        "so that anybody can check that no roll was changed.",
    ),
    Word(("practice",), "undo goes back beyond rolls, with the same dice."),
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
                return f"{word.names[0]}: {word.meaning}"
    return ""


def _same(one: str, other: str) -> bool:
    """Equal but for the plural."""
    return one.rstrip("s") == other.rstrip("s")


ELSEWHERE = {
    "rally": "Specialists are rallied after the dice are counted, before you move.",
    "find": "Items are found after the dice are counted, before you move.",
    "award": "Awards are drawn after the dice are counted, before you move.",
    "move": "You move after your dice are counted and you have rallied and found.",
    "go": "You move after your dice are counted and you have rallied and found.",
    "stay": "You move or stay after your dice are counted and you have rallied and found.",
    "use": "A card like that cannot be used now, or you do not have it. Type card NAME to read when.",
    "trade": "Only Units in the same Sector may trade, and not at this question.",
    "lock": "Dice are Locked once a turn, after the first roll.",
    "roll": "There is no roll to be made now.",
}
"""What to say of an answer that belongs to another question, by its first word."""


def elsewhere(word: str, question: str) -> str:
    """When an answer that begins with this word can be given, as it is none to the question at hand."""
    said = ELSEWHERE.get(word.partition(":")[0].casefold(), "")
    return "Finish your offer first: propose it, or withdraw." if said and question == "offer" else said


def opening(g: Landing, practice: bool) -> list[str]:
    """What is special about this game: practice, level, optional rules."""
    setup = g.world.setup
    lines = ["Practice: undo goes back beyond rolls."] if practice else []
    if setup.level:
        lines.append(f"Level: {title(setup.level)}. {level_words(g.world.level)}".rstrip())
    return lines + [f"Optional rule: {option_words(option, setup.edition)}" for option in setup.options]
