"""The landing in plain words: events, questions and answers. It knows no rule; it only says what is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..content import schema
from ..core.machine import Frame
from ..core.node import Decision, Event
from . import questions
from .cites import CITES
from .dice import COLOURS, FACES, PLACE
from .state import ARROW, MARKERS, SHIELD, TWO_ARROWS, Landing, Unit
from .words import (
    CHOICE_WORDS,
    FACE_WORDS,
    PHASE_WORDS,
    PLACE_WORDS,
    RESOURCE_WORDS,
    amounts,
    capital,
    card_name,
    casualties,
    colour_word,
    count,
    danger,
    dice_list,
    dice_words,
    die_words,
    effect_words,
    either,
    join,
    pairs,
    price,
    price_words,
    purse,
    sector_line,
    sector_name,
    unit_name,
)
from .world import OPTIONS

# ---------------------------------------------------------------------------------------------------- events

Say = Callable[[str, dict[str, Any], Event], str]


def _resources(who: str, data: dict[str, Any], event: Event) -> str:
    up = {name: n for name, n in data.items() if n > 0}
    down = {name: -n for name, n in data.items() if n < 0}
    parts = [f"gains {amounts(up)}{' from its dice' if event.rule in CITES['record'] else ''}"] if up else []
    if down:
        parts.append(f"{'loses' if 'soldiers' in down else 'pays'} {amounts(down)}")
    note = f" ({RULE_NOTES[event.rule]})" if event.rule in RULE_NOTES else ""
    return f"{who} {join(parts)}{note}"


RULE_NOTES = {OPTIONS["few-good-men"].second: "A Few Good Men: half of what it gained"}
"""Rule -> why it gives or takes, where neither a card nor what was said before tells."""


def _card(who: str, data: dict[str, Any], event: Event) -> str:
    name, start, end = card_name(data["card"]), data["from"], data["to"]
    if "unit" in data:
        return f"{who} hands the {name} to {unit_name(data['unit'])}"
    if end == "specialists":
        return f"the {name} joins {who}"
    if end == "dead":
        return f"{who} loses the {name}"
    if end == "items":
        return f"{who} takes the {name}"
    if end == "awards":
        return f"{who} earns the {name}"
    if end == "pool":
        return f"{who} adds the {name} to the pool"
    if end == "used":
        return "" if event.source == data["card"] else f"{who} gives up the {name}"
    return f"the {name} goes from {PLACE_WORDS.get(start, who)} to {PLACE_WORDS.get(end, end)}"


def _dice(who: str, data: dict[str, Any], event: Event) -> str:
    faces, colours = data["faces"], data["colours"]
    if "rolled" in data:
        return f"{who} rolls {dice_words(faces, colours, [PLACE[name] for name in data['rolled'].split(',')])}"
    return f"{who}'s dice are now {dice_words(faces, colours)}"


def _effect(who: str, data: dict[str, Any], event: Event) -> str:
    return effect_words(data["question"], data["mode"], data["value"], data["scope"], data["target"])


MARKER_NEWS = {
    ARROW: " has to leave its Sector this turn",
    TWO_ARROWS: " has to move this turn",
    SHIELD: " cannot stay here: it has to leave next turn",
}
MARKER_WORDS = {4: "1 arrow", 5: "2 arrows", 6: "shield"}
"""Faces of the Unit marker as they look, where it is rolled as a die."""


def _pips(who: str, data: dict[str, Any], event: Event) -> str:
    pips = " + ".join(str(n) for n in data["pips"])
    purpose = data["for"]
    if purpose == "mine":
        return f"Land Mines under {who}: {pips}"
    if purpose == "entry":
        return f"stragglers for {who}: {pips}"
    if purpose == event.source:
        return f"{who} rolls {pips}"
    if purpose == "blind":
        return f"{who} rolls Unit markers: {join([MARKER_WORDS.get(n, MARKERS[n]) for n in data['pips']])}"
    return f"Machine Gun Fire in Sector {purpose[4:]}: {pips}"


def _lost(who: str, data: dict[str, Any], event: Event) -> str:
    return f"{who} is wiped out" if data["cause"] == "wiped-out" else f"{who} has to move and cannot: it is lost"


SAY: dict[str, Say] = {
    "turn": lambda who, data, event: f"Turn {data['turn']}",
    "phase": lambda who, data, event: PHASE_WORDS.get(str(data["phase"]), "Next phase"),
    "resources": _resources,
    "card": _card,
    "dice": _dice,
    "aside": lambda who, data, event: f"{who} leaves {dice_list(data['dice'])} aside",
    "locked": lambda who, data, event: f"{who} Locks {dice_list(data['locked'])}",
    "added": lambda who, data, event: f"{who} adds a {colour_word(data['colour'])}{FACE_WORDS[data['face']]} result",
    "turned": lambda who, data, event: f"added Skulls of {who} become {FACE_WORDS[data['face']]}",
    "spare": lambda who, data, event: f"dice beside the Lieutenant: {pairs(data['dice'])}",
    "kept": lambda who, data, event: f"{who} will use this tally again next turn: {pairs(data['dice'])}",
    "use": lambda who, data, event: f"{who} uses the {card_name(data['card'])}",
    "chosen": lambda who, data, event: f"{who} chooses {CHOICE_WORDS.get(data['what'], data['what'].capitalize())}",
    "straight": lambda who, data, event: f"{who} has a Straight",
    "rwb": lambda who, data, event: f"{who} scores {data['name']} ({FACE_WORDS[data['face']]} in red, white and blue)",
    "ignored": lambda who, data, event: f"{who} ignores {count(data['skulls'], 'Skull')}",
    "cancelled": lambda who, data, event: f"Skulls cancel {dice_list(data['dice'])} of {who}",
    "freed": lambda who, data, event: f"{dice_list(data['dice'])} of {who} count again",
    "marker": lambda who, data, event: who + MARKER_NEWS.get(data["face"], f"'s marker shows {MARKERS[data['face']]}"),
    "sector": lambda who, data, event: f"{who} goes from Sector {data['from']} to {data['to']}",
    "door": lambda who, data, event: f"{who} opens the door to Sector {data['sector']}",
    "table": lambda who, data, event: "",
    "start": lambda who, data, event: f"{who} starts in Sector {data['sector']} with {_stock(data)}",
    "effect": _effect,
    "pips": _pips,
    "saved": lambda who, data, event: f"{who} takes {casualties(data['soldiers'])} fewer",
    "combat": lambda who, data, event: f"{who} takes {casualties(data['casualties'])} in Sector {data['sector']}",
    "special-damage": lambda who, data, event: f"Special Damage strikes {who}",
    "offer": lambda who, data, event: (
        f"{who} offers {unit_name(data['unit'])} {amounts(data['give'])} for {amounts(data['take'])}"
    ),
    "refused": lambda who, data, event: f"{who} refuses",
    "priority": lambda who, data, event: f"{who} goes first: {wish(data['what'])}",
    "roll-off": lambda who, data, event: (
        f"{who} and {unit_name(data['unit'])} roll {data['pips'][0]} and {data['pips'][1]}"
    ),
    "forbidden": lambda who, data, event: f"{data['what']} does not happen: {data['why']}",
    "safe": lambda who, data, event: f"{who} has conquered the Bunker and is safe",
    "lost": _lost,
    "mulligan": lambda who, data, event: f"{who} takes its Soldier Mulligan",
    "removed": lambda who, data, event: f"the Sector takes {data['count']} x {FACE_WORDS[data['face']]} from {who}",
    "over": lambda who, data, event: (
        ("Victory: the Bunker is taken" if data["won"] else "Defeat: the landing has failed") + _scores(data)
    ),
}


def _scores(data: dict[str, Any]) -> str:
    points = data.get("scores", ())
    return f"; Victory Points: {', '.join(map(str, points))}; the group has {min(points)}" if points else ""


def _stock(data: dict[str, Any]) -> str:
    return amounts({name: data[name] for name in RESOURCE_WORDS if data[name]})


def narrate(event: Event) -> str:
    """One event in plain words, with the card behind it; the empty text for what another event has said."""
    said = SAY[event.type](unit_name(event.seat), event.data, event)
    if not said:
        return ""
    if event.source and event.type not in ("use", "card"):
        said += f" ({card_name(event.source)})"
    return capital(said)


# ---------------------------------------------------------------------------------------------------- questions

PROMPTS = {
    "start": "Where do you land?",
    "pool-card": "Which card do you add to those that can be found in this game?",
    "mulligan": "No Soldier among your dice. Roll all of them again? You may do so once in the game.",
    "award": "A Straight! Which Award do you take?",
    "award-here": "You are the first here and earn an Award. Which one?",
    "sacrifice": "Which Specialist is given up?",
    "substitute": "Who is given up?",
    "door": "Which explosives open the door?",
    "choose": "Which one?",
    "add": "Which result joins your tally?",
    "pick-die": "Which die?",
    "set-face": "To which result?",
    "set-colour": "To which colour?",
    "set-pips": "To which number?",
    "copy-from": "Whose dice do you copy?",
    "swap-with": "With which Unit do you change places?",
    "pick-unit": "Which Unit?",
    "pick-sector": "Which Sector?",
    "pick-rwb": "Which RWB bonus?",
    "rally-free": "Which Specialist joins you?",
    "price": "What do you give up?",
    "pay-to-reduce": "How much do you pay?",
    "swap-give": "Which die do you give?",
    "swap-take": "Which die do you take?",
}


def prompt(g: Landing, decision: Decision) -> str:
    """The question, in one line."""
    seat, name = decision.seat, decision.name
    frame, unit = g.lanes[seat][-1], g.units[seat]
    asked = _asked(g, seat, name, frame, unit, decision.keys)
    about = card_name(decision.source) if decision.source else ""
    if name in ("choose", "gift", "find-extra") and frame[1][0] == "bonus":
        about = g.world.nations[frame[1][1]].rwb[frame[1][2]].name
    return f"{unit_name(seat)}, {about}: {asked}" if about else f"{unit_name(seat)}: {asked}"


def _asked(g: Landing, seat: int, name: str, frame: Frame, unit: Unit, keys: Sequence[str]) -> str:
    if name == "window":
        return _window(g, seat, frame[1])
    if name == "leave":
        return f"Only {6 - frame[1]} dice are rolled here. Which {_which(frame[1])} do you leave aside?"
    if name == "lock":
        stays = "it stays as it lies" if frame[2] == 1 else "they stay as they lie"
        fewest = f"{frame[1]} to " if frame[1] < frame[2] else ""
        return f"Roll 1 of 3. Lock {fewest}{count(frame[2], 'die', 'dice')}: {stays} this turn."
    if name == "reroll":
        return f"Roll {frame[1]} of 3 is made. Which dice do you roll again?"
    if name == "cancel":
        many = count(frame[2], "die", "dice")
        if frame[1] < frame[2]:
            many = f"{frame[1]} to {many}" if frame[1] else f"up to {many}"
        return f"Skulls cancel {many}: which?"
    if name == "free":
        return f"The Skulls let go of {count(frame[1], 'die', 'dice')}: which?"
    if name == "acquire":
        return _wants(g, unit, keys)
    if name == "find-extra":
        return "What do you take?" if _free(g, frame) else f"What do you find? You have {purse(unit)}."
    if name == "move":
        must = "; you have to leave this turn" if unit.marker in (ARROW, TWO_ARROWS) else ""
        held = {"soldiers": unit.soldiers, "courage": unit.courage}
        return f"Where to? You have {amounts(held)}{must}."
    if name == "casualties":
        return f"{casualties(frame[1])}: who falls? You have {count(unit.soldiers, 'Soldier')}."
    if name == "gift":
        op = g.world.ops(frame[1])[frame[2]]
        assert isinstance(op, schema.Gain)
        return f"Which Unit gains {_gains(op)}?"
    if name == "offer":
        if not frame[2] and not frame[3]:
            return f"What do you offer {unit_name(frame[1])}?"
        return f"Your offer to {unit_name(frame[1])}: you give {amounts(frame[2])}, you get {amounts(frame[3])}."
    if name == "consent":
        deal = f"{unit_name(frame[1])} gives you {amounts(frame[2])} for {amounts(frame[3])}"
        return f"{deal}. You have {_stock_now(unit)}. Agreed?"
    if name == "claim":
        equal = questions.strength(g, seat) == questions.strength(g, frame[1])
        how = "You are as strong: dice decide if you claim it" if equal else "Your Unit is weaker and may go first"
        return f"{unit_name(frame[1])} wants to {wish(frame[2])}. {how}. Let go, or claim it?"
    if name == "swap-consent":
        them, theirs, mine = g.units[frame[3]], frame[4], frame[5]
        give = die_words(mine, unit.faces[mine], unit.colours[mine])
        get = die_words(theirs, them.faces[theirs], them.colours[theirs])
        return f"{unit_name(frame[3])} offers its {get} for your {give}. Agreed?"
    if name == "pay-to-save":
        loss = g.lanes[seat][-2][2][2][0]
        return f"{casualties(loss)}: pay to save Soldiers? You have {purse(unit)}."
    return PROMPTS[name]


def _wants(g: Landing, unit: Unit, keys: Sequence[str]) -> str:
    """What can be had for Stars, Item Points and Courage, as far as there is such a thing in this game."""
    kinds = {
        "rally a Specialist": any(g.world.cards[card].is_specialist for card in (*unit.hand, *g.pool)),
        "find an Item": g.world.level.items,
        "draw an Award": g.world.level.awards,
    }
    wanted = [kind for kind, there in kinds.items() if there]
    verbs = {key.partition(":")[0] for key in keys}
    if not verbs.isdisjoint(("rally", "find", "award")):
        return f"{capital(either(wanted))}? You have {purse(unit)}."
    more = [said for verb, said in (("use", "use a card"), ("trade", "trade")) if verb in verbs]
    return f"You can pay for nothing here: you have {purse(unit)}. {capital(either([*more, 'go on']))}?"


def _stock_now(unit: Unit) -> str:
    """`3 Soldiers and 2 Stars`."""
    return amounts({name: n for name in RESOURCE_WORDS if (n := getattr(unit, name))})


def _which(dice: int) -> str:
    return "die" if dice == 1 else f"{dice} dice"


def _window(g: Landing, seat: int, window: str) -> str:
    if window == "tally":
        return "Your dice are final. Use a card before they are counted?"
    if window == "die":
        return "That die can still be changed. Use a card on it?"
    if window == "move.mine":
        return f"Anything before the mines take so many? You have {count(g.units[seat].soldiers, 'Soldier')}."
    if window == "move.after":
        return f"All have moved. Anything before Combat? {danger(g, seat)}."
    if window == "combat.start":
        return f"Anything before Machine Gun Fire is rolled? {danger(g, seat)}."
    if window == "combat.open":
        return f"Anything before casualties are taken? {danger(g, seat)}."
    return "Use a card, or trade?"


def background(g: Landing, decision: Decision) -> str:
    """The small print of a question: the text of the RWB or the card behind it."""
    frame = g.lanes[decision.seat][-1]
    if decision.source:
        return g.world.cards[decision.source].text
    if decision.name in ("choose", "add", "gift", "find-extra") and frame[1][0] == "bonus":
        return g.world.nations[frame[1][1]].rwb[frame[1][2]].text
    return ""


# ---------------------------------------------------------------------------------------------------- answers

FIXED = {
    "done": "nothing more",
    "mulligan": "roll all dice again",
    "keep": "keep this roll",
    "stop": "keep all dice as they lie",
    "lost": "no move is possible: the Unit is lost",
    "skip": "find nothing",
    "none": "nothing",
    "withdraw": "call it off",
    "propose": "make this offer",
    "accept": "agree",
    "refuse": "refuse",
    "yield": "let go",
    "award": "draw a random Award for 6 Courage",
    "pay:none": "pay nothing",
    "cancel:none": "none: the Skulls are ignored",
}


def wish(key: str) -> str:
    """What an answer such as `find:grenade` is after."""
    verb, _, rest = key.partition(":")
    return f"{verb} to Sector {rest}" if verb == "move" else f"{verb} the {card_name(rest)}"


def label(g: Landing, decision: Decision, key: str) -> str:
    """One answer in plain words; the small print is in `detail`."""
    seat = decision.seat
    unit = g.units[seat]
    if key == "stay":
        return f"stay in {sector_line(g, seat, unit.sector)}"
    if key == "claim":
        return f"claim it: {label(g, decision, g.lanes[seat][-1][2])}"
    if key == "skip" and _free(g, g.lanes[seat][-1]):
        return "take nothing"
    if key in FIXED:
        return FIXED[key]
    verb, _, rest = key.partition(":")
    if verb in ("lock", "roll", "leave", "cancel", "free"):
        names = rest.split(",")
        return f"{verb} {', '.join(names if verb == 'leave' else [_die(unit, name) for name in names])}"
    if verb in ("rally", "find"):
        if decision.name == "rally-free" or (decision.name == "find-extra" and _free(g, g.lanes[seat][-1])):
            return f"take the {card_name(rest)}"
        return f"{verb} the {card_name(rest)} for {price_words(g, seat, verb, rest)}"
    if verb in ("use", "award"):
        return f"{'use' if verb == 'use' else 'take'} the {card_name(rest)}"
    if verb == "abandon":
        return f"leave the {card_name(rest)} behind"
    if verb == "sector":
        return sector_name(g, rest)
    if verb in ("move", "start"):
        return f"{'go to' if verb == 'move' else 'land in'} {sector_line(g, seat, rest)}"
    if verb == "trade":
        return f"trade with Unit {rest[1:]}"
    if verb == "unit":
        them = g.units[int(rest[1:]) - 1]
        return f"Unit {rest[1:]} in Sector {them.sector}: {_stock_now(them)}"
    if verb == "choose":
        return _branch(g, decision, rest)
    if verb == "add":
        face, _, colour = rest.partition(":")
        if not colour:
            return f"add the {card_name(rest)} ({price(g.world.cards[rest].cost, 'find')})"
        return f"{FACE_WORDS[face]} {'without colour' if colour == 'none' else 'in ' + colour}"
    if verb == "face":
        bonus = f": {g.world.nations[unit.nation].rwb[rest].name}" if decision.name == "pick-rwb" else ""
        return FACE_WORDS[rest] + bonus
    if verb in ("give", "take"):
        name, _, n = rest.partition("=")
        return f"{'give' if verb == 'give' else 'get'} {amounts(((name, int(n)),)) if n else _thing(g, seat, rest)}"
    if verb == "fall":
        return _fallen(g, decision, rest)
    if verb == "discard":
        return "discard " + join([f"the {card_name(card)}" for card in rest.split(",")])
    if verb == "lose":
        return f"give up the {card_name(rest)}"
    if verb == "pay":
        return "pay " + amounts(tuple((name, int(n)) for name, n in (part.split("=") for part in rest.split(","))))
    if verb == "die" and "=" not in rest:
        return _thing(g, seat, rest) if "." in rest else ", ".join(_die(unit, one) for one in rest.split(","))
    if verb == "die":
        number, _, pips = rest.partition("=")
        several = any(not other.startswith("die:1=") for other in decision.keys)
        return f"{'die ' + number if several else 'the die'} becomes {pips}"
    return rest


def detail(g: Landing, decision: Decision, key: str) -> str:
    """The small print of an answer: what the card does, what the Sector asks and gives."""
    verb, _, rest = key.partition(":")
    if verb in ("rally", "find", "use", "award", "add") and rest in g.world.cards:
        return g.world.cards[rest].text
    if decision.name == "pick-rwb":
        return g.world.nations[g.units[decision.seat].nation].rwb[rest].text
    return g.world.sectors[rest].text if verb in ("move", "start") else ""


def _free(g: Landing, frame: Frame) -> bool:
    """Does this extra find cost nothing?"""
    op = g.world.ops(frame[1])[frame[2]]
    return isinstance(op, schema.Find) and op.free


def _branch(g: Landing, decision: Decision, name: str) -> str:
    frame = g.lanes[decision.seat][-1]
    op = g.world.ops(frame[1])[frame[2]]
    assert isinstance(op, schema.Choose)
    branch = next(branch for branch in op.of if branch.name == name)
    return join([_op_words(g, one) or name for one in branch.ops])


GAINER_WORDS = {
    "self": "gain",
    "another": "another Unit gains",
    "each-other": "every other Unit gains",
    "each": "every Unit gains",
}


def _op_words(g: Landing, op: schema.Op) -> str:
    if isinstance(op, schema.Gain):
        return f"{GAINER_WORDS['self' if g.world.solo else op.to]} {_gains(op)}"
    if isinstance(op, schema.AddResult):
        colour = {"choice": "", "none": "colourless "}.get(op.colour, op.colour + " ")
        return f"add 1 {colour}result of your choice to your tally"
    if isinstance(op, schema.FreeMove):
        asks = any(sector.requires or sector.sacrifice for sector in g.world.sectors.values())
        return f"this turn's move costs no Courage{' and asks for no Specialist' if asks else ''}; you have to move"
    if isinstance(op, schema.Find):
        return "find 1 Item more this turn, at its cost"
    return ""


def _gains(op: schema.Gain) -> str:
    return amounts({name: getattr(op, name) for name in RESOURCE_WORDS if getattr(op, name)})


def _fallen(g: Landing, decision: Decision, names: str) -> str:
    seat = decision.seat
    cards = [] if names == "none" else names.split(",")
    soldiers = g.lanes[seat][-1][1] - sum(questions.body(g, seat, card) for card in cards)
    parts = [f"the {card_name(card)}" for card in cards]
    return "lose " + join(parts + ([count(soldiers, "Soldier")] if soldiers > 0 else []))


def _thing(g: Landing, seat: int, name: str) -> str:
    if name in g.world.cards:
        return f"the {card_name(name)}"
    if name.isdigit():
        face, colour = g.units[seat].spare[int(name) - 1]
        return f"the {COLOURS[colour]} {FACE_WORDS[FACES[face]]} beside the Lieutenant"
    who, _, die = name.rpartition(".")
    other = int(who[1:]) - 1 if who else seat
    return (f"Unit {who[1:]}'s " if other != seat else "") + _die(g.units[other], die)


def _die(unit: Unit, name: str) -> str:
    place = PLACE[name]
    return name if unit.faces[place] < 0 else die_words(place, unit.faces[place], unit.colours[place])
