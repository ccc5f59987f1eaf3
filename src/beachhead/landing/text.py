"""The landing in plain words: events, questions and answers. It knows no rule; it only says what is there."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ..content.library import library
from ..core.node import Decision, Event
from .dice import COLOURS, FACES, write_roll
from .state import MARKERS, Landing

FACE_WORDS = {
    "skull": "Skull",
    "star": "Star",
    "soldier1": "1 Soldier",
    "soldier2": "2 Soldiers",
    "courage": "Courage",
    "tool": "Tool",
}
RESOURCE_WORDS = {"soldiers": "Soldier", "stars": "Star", "courage": "Courage", "points": "Item Point"}
PHASE_WORDS = {
    "roll": "Roll the dice",
    "upkeep": "Upkeep",
    "marker": "Unit markers",
    "acquire": "Rally, find, draw an Award",
    "move": "Move",
    "combat": "Combat",
}
PLACE_WORDS = {"pool": "the pool", "box": "the box", "deck": "the Award deck", "used": "the used cards"}


@cache
def card_name(card: str) -> str:
    """The printed name of a card, of either edition."""
    for cards in library().cards.values():
        if card in cards:
            return cards[card].name
    return card.replace("-", " ").title()


def unit_name(seat: int) -> str:
    return f"Unit {seat + 1}"


def amounts(data: dict[str, int] | tuple[tuple[str, int], ...]) -> str:
    """`3 Soldiers and 1 Star`, or cards by name."""
    parts = []
    for name, n in data.items() if isinstance(data, dict) else data:
        word = RESOURCE_WORDS.get(name)
        if word is None:
            parts.append(f"the {card_name(name)}")
        else:
            parts.append(f"{n} {word}{'s' if n != 1 and word != 'Courage' else ''}")
    return " and ".join(parts) or "nothing"


def dice_list(names: str) -> str:
    return "no dice" if names == "none" else names.replace(",", " ")


# ---------------------------------------------------------------------- events

Say = Callable[[str, dict[str, Any], Event], str]


def _resources(who: str, data: dict[str, Any], event: Event) -> str:
    up = {name: n for name, n in data.items() if n > 0}
    down = {name: -n for name, n in data.items() if n < 0}
    parts = ([f"gains {amounts(up)}"] if up else []) + ([f"loses {amounts(down)}"] if down else [])
    return f"{who} {' and '.join(parts)}"


def _card(who: str, data: dict[str, Any], event: Event) -> str:
    name, start, end = card_name(data["card"]), data["from"], data["to"]
    if "unit" in data:
        return f"{who} hands the {name} to {unit_name(data['unit'])}"
    if end == "specialists":
        return f"the {name} joins {who}"
    if end == "dead":
        return f"the {name} of {who} is lost"
    if end == "items":
        return f"{who} takes the {name}"
    if end == "awards":
        return f"{who} earns the {name}"
    if end == "pool":
        return f"{who} adds the {name} to the pool"
    return f"the {name} goes from {PLACE_WORDS.get(start, who)} to {PLACE_WORDS.get(end, end)}"


def _dice(who: str, data: dict[str, Any], event: Event) -> str:
    shown = write_roll(data["faces"], data["colours"])
    if "rolled" in data:
        return f"{who} rolls {dice_list(data['rolled'])}: {shown}"
    return f"{who}'s dice are now {shown}"


def _effect(who: str, data: dict[str, Any], event: Event) -> str:
    question = data["question"].replace("_", " ")
    value = data["value"]
    change = {"by": f"changes by {value:+d}", "set": f"becomes {value}", "at_most": f"is at most {value}"}[data["mode"]]
    where = {"unit": f"for {who}", "sector": f"in Sector {data['target']}", "each": "for every Unit"}
    return f"{question} {change} {where.get(data['scope'], f'for {who} and those who move along')}"


def _pips(who: str, data: dict[str, Any], event: Event) -> str:
    pips = " + ".join(str(n) for n in data["pips"])
    purpose = data["for"]
    if purpose == "mine":
        return f"Land Mines under {who}: {pips}"
    if purpose == "entry":
        return f"stragglers for {who}: {pips}"
    return f"Machine Gun Fire in Sector {purpose[4:]}: {pips}"


def _lost(who: str, data: dict[str, Any], event: Event) -> str:
    return f"{who} is wiped out" if data["cause"] == "wiped-out" else f"{who} has to move and cannot: it is lost"


SAY: dict[str, Say] = {
    "turn": lambda who, data, event: f"Turn {data['turn']}",
    "phase": lambda who, data, event: PHASE_WORDS.get(data["phase"]) or str(data["phase"]),
    "resources": _resources,
    "card": _card,
    "dice": _dice,
    "aside": lambda who, data, event: f"{who} leaves {dice_list(data['dice'])} aside",
    "locked": lambda who, data, event: f"{who} Locks {dice_list(data['locked'])}",
    "added": lambda who, data, event: f"{who} adds a {_colour(data['colour'])}{FACE_WORDS[data['face']]} result",
    "spare": lambda who, data, event: f"dice beside the Lieutenant: {_pairs(data['dice'])}",
    "kept": lambda who, data, event: f"{who} will use this tally again next turn: {_pairs(data['dice'])}",
    "use": lambda who, data, event: f"{who} uses the {card_name(data['card'])}",
    "chosen": lambda who, data, event: f"{who} chooses {data['what']}",
    "straight": lambda who, data, event: f"{who} has a Straight",
    "rwb": lambda who, data, event: f"{who} scores {data['name']} (RWB of {FACE_WORDS[data['face']]})",
    "ignored": lambda who, data, event: f"{who} ignores {data['skulls']} Skull",
    "cancelled": lambda who, data, event: f"Skulls cancel {dice_list(data['dice'])} of {who}",
    "freed": lambda who, data, event: f"{dice_list(data['dice'])} of {who} count again",
    "marker": lambda who, data, event: f"{who}'s marker: {MARKERS[data['face']]}",
    "sector": lambda who, data, event: f"{who} goes from Sector {data['from']} to {data['to']}",
    "start": lambda who, data, event: f"{who} starts in Sector {data['sector']}",
    "effect": _effect,
    "pips": _pips,
    "saved": lambda who, data, event: f"{data['soldiers']} casualties of {who} are saved",
    "combat": lambda who, data, event: f"{who} takes {data['casualties']} casualties in Sector {data['sector']}",
    "special-damage": lambda who, data, event: f"Special Damage strikes {who}",
    "offer": lambda who, data, event: (
        f"{who} offers {unit_name(data['unit'])} {amounts(data['give'])} for {amounts(data['take'])}"
    ),
    "refused": lambda who, data, event: f"{who} refuses",
    "priority": lambda who, data, event: f"{who} goes first: {data['what']}",
    "roll-off": lambda who, data, event: (
        f"{who} and {unit_name(data['unit'])} roll {data['pips'][0]} and {data['pips'][1]}"
    ),
    "forbidden": lambda who, data, event: f"{data['what']} does not happen: {data['why']}",
    "safe": lambda who, data, event: f"{who} has conquered the Bunker and is safe",
    "lost": _lost,
    "over": lambda who, data, event: "Victory: every Unit holds the Bunker" if data["won"] else "Defeat",
}


def _colour(colour: int) -> str:
    return "" if colour == 3 else COLOURS[colour].capitalize() + " "


def _pairs(dice: tuple[tuple[int, int], ...]) -> str:
    return write_roll([face for face, _ in dice], [colour for _, colour in dice])


def narrate(event: Event) -> str:
    """One event in plain words, with the card behind it."""
    said = SAY[event.type](unit_name(event.seat), event.data, event)
    if event.source and event.type not in ("use", "card"):
        said += f" ({card_name(event.source)})"
    return said[0].upper() + said[1:]


# ---------------------------------------------------------------------- questions

WINDOW_WORDS = {
    "tally": "The dice are final. Use cards before they are counted?",
    "move.after": "All have moved. Anything before Combat?",
    "combat.start": "Combat begins. Anything before Machine Gun Fire is rolled?",
    "combat.open": "The fire is known. Anything before casualties are taken?",
    "die": "A die lies on the table. Change it?",
}


def prompt(g: Landing, decision: Decision) -> str:
    """The question, in one line."""
    seat, name = decision.seat, decision.name
    frame = g.lanes[seat][-1]
    who = unit_name(seat)
    source = f" ({card_name(decision.source)})" if decision.source else ""
    if name == "window":
        asked = WINDOW_WORDS.get(frame[1], "Use cards or trade?")
    elif name == "lock":
        asked = f"Which {'die' if frame[1] == 1 else f'{frame[1]} dice'} do you Lock? They stay as they are this turn."
    elif name == "reroll":
        left = 3 - frame[1]
        asked = f"Which dice do you roll again? ({left} re-roll{'s' if left > 1 else ''} left)"
    elif name == "cancel":
        asked = f"Skulls cancel dice: which {frame[2] if frame[1] == frame[2] else f'{frame[1]} to {frame[2]}'}?"
    elif name == "casualties":
        asked = f"{frame[1]} casualties: who falls? The rest are Soldiers ({g.units[seat].soldiers} there)."
    elif name == "offer":
        asked = f"Offer to {unit_name(frame[1])}: you give {amounts(frame[2])}, you get {amounts(frame[3])}."
    elif name == "consent":
        asked = f"{unit_name(frame[1])} gives you {amounts(frame[2])} for {amounts(frame[3])}. Agreed?"
    elif name == "claim":
        asked = f"{unit_name(frame[1])} wants {frame[2]}; you go first. Let go or claim?"
    elif name == "swap-consent":
        asked = f"{unit_name(frame[3])} offers you a die of theirs for one of yours. Agreed?"
    elif name == "pay-to-save":
        asked = f"{g.lanes[seat][-2][2][2][0]} casualties: pay to save Soldiers?"
    else:
        asked = PROMPTS[name]
    return f"{who}: {asked}{source}"


PROMPTS = {
    "start": "Where do you land?",
    "pool-card": "Which card do you add to the pool?",
    "leave": "Which die do you leave aside? Only 5 are rolled here.",
    "award": "A Straight! Which Award do you take?",
    "free": "Which cancelled dice count again?",
    "acquire": "Rally a Specialist, find an Item, draw an Award?",
    "find-extra": "What do you find?",
    "move": "Where to?",
    "sacrifice": "Which Specialist is given up?",
    "substitute": "Who is given up?",
    "gift": "Which Unit gets it?",
    "choose": "Which one?",
    "add": "Which result is added?",
    "pick-die": "Which die?",
    "set-face": "To which result?",
    "set-colour": "To which colour?",
    "set-pips": "To which number?",
    "copy-from": "Whose dice do you copy?",
    "swap-with": "With which Unit do you change places?",
    "swap-give": "Which die do you give?",
    "swap-take": "Which die do you take?",
}

FIXED = {
    "done": "nothing more",
    "stop": "keep all dice",
    "stay": "stay here",
    "lost": "no move is possible: the Unit is lost",
    "skip": "find nothing",
    "none": "nothing",
    "withdraw": "call it off",
    "propose": "make this offer",
    "accept": "agree",
    "refuse": "refuse",
    "yield": "let go",
    "claim": "claim it",
    "award": "draw a random Award for 6 Courage",
    "pay:none": "pay nothing",
    "fall:none": "Soldiers only",
    "cancel:none": "none (ignored)",
}


def label(g: Landing, decision: Decision, key: str) -> str:
    """One answer in plain words."""
    if key in FIXED:
        return FIXED[key]
    verb, _, rest = key.partition(":")
    world, unit = g.world, g.units[decision.seat]
    if verb in ("lock", "roll", "leave", "cancel", "free"):
        return f"{verb} {', '.join(_die(unit, name) for name in rest.split(','))}"
    if verb in ("rally", "find"):
        unit_word = "Stars" if verb == "rally" else "Item Points"
        card = world.cards[rest]
        return f"{verb} the {card.name} ({card.cost} {unit_word}): {card.text}"
    if verb in ("use", "award"):
        return f"{'use' if verb == 'use' else 'take'} the {world.cards[rest].name}: {world.cards[rest].text}"
    if verb == "abandon":
        return f"abandon the {card_name(rest)}"
    if verb in ("move", "start"):
        return f"{verb} to {sector_line(g, rest)}"
    if verb in ("trade", "unit"):
        return f"{'trade with ' if verb == 'trade' else ''}Unit {rest[1:]}"
    if verb == "choose":
        return rest
    if verb == "add":
        face, _, colour = rest.partition(":")
        return f"add the {card_name(rest)} to the pool" if not colour else f"{colour} {FACE_WORDS[face]}"
    if verb == "face":
        return FACE_WORDS[rest]
    if verb in ("give", "take"):
        name, _, n = rest.partition("=")
        return f"{verb} {amounts(((name, int(n)),)) if n else _thing(g, decision.seat, rest)}"
    if verb in ("fall", "lose"):
        return " and ".join(f"the {card_name(card)}" for card in rest.split(","))
    if verb == "pay":
        return "pay " + amounts(tuple((name, int(n)) for name, n in (part.split("=") for part in rest.split(","))))
    if verb == "die" and "=" not in rest:
        who, _, name = rest.rpartition(".")
        owner = g.units[int(who[1:]) - 1] if who else unit
        return (f"Unit {who[1:]}: " if who else "") + ", ".join(_die(owner, one) for one in name.split(","))
    return rest.replace("=", " becomes ")


def _thing(g: Landing, seat: int, name: str) -> str:
    if name in g.world.cards:
        return f"the {card_name(name)}"
    if name.isdigit():
        face, colour = g.units[seat].spare[int(name) - 1]
        return f"the {COLOURS[colour]} {FACE_WORDS[FACES[face]]} beside the Lieutenant"
    who, _, die = name.rpartition(".")
    unit = g.units[int(who[1:]) - 1] if who else g.units[seat]
    return (f"Unit {who[1:]}'s " if who else "") + _die(unit, die)


def _die(unit: Any, name: str) -> str:
    place = ("R1", "R2", "W1", "W2", "B1", "B2").index(name)
    face = unit.faces[place]
    return name if face < 0 else f"{name} {FACE_WORDS[FACES[face]]}"


def sector_line(g: Landing, sector: str) -> str:
    """A Sector in a few words: DEF, fire, what it asks and gives."""
    printed = g.world.sectors[sector]
    name = "the Bunker" if printed.bunker else f"Sector {sector}"
    parts = [f"DEF {'/'.join(str(n) for n in printed.defence)}"]
    if printed.mgf:
        parts.append("MGF" + (f" x{printed.mgf}" if printed.mgf > 1 else ""))
    if printed.shield == "black":
        parts.append("1 turn only")
    if printed.text:
        parts.append(printed.text)
    return f"{name} ({', '.join(parts)})"
