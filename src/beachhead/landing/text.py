"""The landing in plain words: events, questions and answers. It knows no rule; it only says what is there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from ..content import schema
from ..content.library import library
from ..core.machine import Frame
from ..core.node import Decision, Event
from . import questions
from .dice import COLOURS, DICE, FACES, HOME, PLACE
from .state import ARROW, MARKERS, Landing, Unit
from .world import Way

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
CHOICE_WORDS = {"result": "a result for the tally", "move": "a free move", "find": "an extra find", "star": "a Star"}
KIND_WORDS = {
    "regular-specialist": "Regular Specialist",
    "reserve-specialist": "Reserve Specialist",
    "ranking-specialist": "Ranking Specialist",
    "unique-specialist": "Unique Specialist",
    "regular-item": "Regular Item",
    "special-item": "Special Item",
    "vehicle": "Vehicle",
    "award": "Award",
}


@cache
def card_name(card: str) -> str:
    """The printed name of a card, of either edition."""
    for cards in library().cards.values():
        if card in cards:
            return cards[card].name
    return card.replace("-", " ").title()


def unit_name(seat: int) -> str:
    return f"Unit {seat + 1}"


def sector_name(g: Landing, sector: str) -> str:
    if not g.world.sectors[sector].bunker:
        return f"Sector {sector}"
    several = sum(printed.bunker for printed in g.world.sectors.values()) > 1
    return f"the Bunker {sector}" if several else "the Bunker"


def count(n: int, one: str, many: str = "") -> str:
    """`1 Soldier`, `2 Soldiers`, `no casualties`."""
    return f"{n or 'no'} {one if n == 1 else many or one + 's'}"


def amounts(data: dict[str, int] | tuple[tuple[str, int], ...]) -> str:
    """`3 Soldiers and 1 Star`, or cards by name."""
    parts = []
    for name, n in data.items() if isinstance(data, dict) else data:
        word = RESOURCE_WORDS.get(name)
        if word is None:
            parts.append(f"the {card_name(name)}")
        else:
            parts.append(count(n, word, word if name == "courage" else ""))
    return join(parts) or "nothing"


def join(parts: Sequence[str]) -> str:
    return ", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else "".join(parts)


def dice_list(names: str) -> str:
    return "no dice" if names == "none" else names.replace(",", " ")


def die_words(place: int, face: int, colour: int) -> str:
    """`R1 Star`; a die that has another colour than its name says so."""
    word = FACE_WORDS[FACES[face]] if face >= 0 else "aside"
    return f"{DICE[place]} {word}" + (f" (now {COLOURS[colour]})" if colour != HOME[place] else "")


def dice_words(faces: Sequence[int], colours: Sequence[int], places: Iterable[int] = range(6)) -> str:
    return ", ".join(die_words(place, faces[place], colours[place]) for place in places if faces[place] >= 0)


# ---------------------------------------------------------------------------------------------------- events

Say = Callable[[str, dict[str, Any], Event], str]


def _resources(who: str, data: dict[str, Any], event: Event) -> str:
    up = {name: n for name, n in data.items() if n > 0}
    down = {name: -n for name, n in data.items() if n < 0}
    parts = [f"gains {amounts(up)}"] if up else []
    if down:
        parts.append(f"{'loses' if 'soldiers' in down else 'pays'} {amounts(down)}")
    return f"{who} {join(parts)}"


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


EFFECT_WORDS = {
    "defence": "the DEF",
    "mgf_dice": "the number of Machine Gun Fire dice",
    "advance_cost": "the price of an Advance",
    "dice_to_lock": "the number of dice to Lock",
    "rally_cost": "the price of Specialists",
    "find_cost": "the price of Items",
}
SWITCHED_OFF = {
    "mgf_dice": "there is no Machine Gun Fire",
    "mines_hurt": "Land Mines do no harm",
    "mgf_hits": "Machine Gun Fire does no harm",
    "special_damage_hits": "Special Damage does not strike",
    "barrier_stops": "Barriers do not stop a move",
    "advance_cost": "an Advance costs no Courage",
    "must_have_needed": "no Specialist has to be there to enter a Sector",
    "sacrifice_needed": "no Specialist has to be given up to enter a Sector",
    "must_move": "nobody has to move",
}


def effect_words(question: str, mode: str, value: int, scope: str, target: str) -> str:
    """A changed answer that lasts: `the DEF changes by -7 in Sector 3`."""
    name = EFFECT_WORDS.get(question, question.replace("_", " "))
    if mode == "set" and not value and question in SWITCHED_OFF:
        said = SWITCHED_OFF[question]
    else:
        said = name + {"by": f" changes by {value:+d}", "set": f" is {value}", "at_most": f" is {value} at most"}[mode]
    if scope == "unit":
        return f"{said} for {unit_name(int(target))}"
    if scope == "same-move":
        return f"{said} for {unit_name(int(target))} and those who make the same move after it"
    if scope == "pair":
        return f"{join([unit_name(int(seat)) for seat in target.split('-')])} may trade wherever they are"
    if scope == "fight-sector":
        return f"{said} in the Sector of {unit_name(int(target))}"
    return f"{said} in Sector {target}" if scope == "sector" else f"{said} for every Unit"


def _effect(who: str, data: dict[str, Any], event: Event) -> str:
    return effect_words(data["question"], data["mode"], data["value"], data["scope"], data["target"])


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
    "added": lambda who, data, event: f"{who} adds a {_colour(data['colour'])}{FACE_WORDS[data['face']]} result",
    "spare": lambda who, data, event: f"dice beside the Lieutenant: {pairs(data['dice'])}",
    "kept": lambda who, data, event: f"{who} will use this tally again next turn: {pairs(data['dice'])}",
    "use": lambda who, data, event: f"{who} uses the {card_name(data['card'])}",
    "chosen": lambda who, data, event: f"{who} chooses {CHOICE_WORDS.get(data['what'], data['what'].capitalize())}",
    "straight": lambda who, data, event: f"{who} has a Straight",
    "rwb": lambda who, data, event: f"{who} scores {data['name']} ({FACE_WORDS[data['face']]} in red, white and blue)",
    "ignored": lambda who, data, event: f"{who} ignores {count(data['skulls'], 'Skull')}",
    "cancelled": lambda who, data, event: f"Skulls cancel {dice_list(data['dice'])} of {who}",
    "freed": lambda who, data, event: f"{dice_list(data['dice'])} of {who} count again",
    "marker": lambda who, data, event: f"{who}'s marker now says: {MARKERS[data['face']]}",
    "sector": lambda who, data, event: f"{who} goes from Sector {data['from']} to {data['to']}",
    "table": lambda who, data, event: "",
    "start": lambda who, data, event: f"{who} starts in Sector {data['sector']} with {_stock(data)}",
    "effect": _effect,
    "pips": _pips,
    "saved": lambda who, data, event: f"{who} takes {count(data['soldiers'], 'casualty', 'casualties')} fewer",
    "combat": lambda who, data, event: (
        f"{who} takes {count(data['casualties'], 'casualty', 'casualties')} in Sector {data['sector']}"
    ),
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


def _colour(colour: int) -> str:
    return "" if colour == 3 else COLOURS[colour].capitalize() + " "


def pairs(dice: tuple[tuple[int, int], ...]) -> str:
    return ", ".join(f"{_colour(colour)}{FACE_WORDS[FACES[face]]}" for face, colour in dice if face >= 0)


def narrate(event: Event) -> str:
    """One event in plain words, with the card behind it; the empty text for what another event has said."""
    said = SAY[event.type](unit_name(event.seat), event.data, event)
    if not said:
        return ""
    if event.source and event.type not in ("use", "card"):
        said += f" ({card_name(event.source)})"
    return said[0].upper() + said[1:]


# ---------------------------------------------------------------------------------------------------- questions

PROMPTS = {
    "start": "Where do you land?",
    "pool-card": "Which card do you add to those that can be found in this game?",
    "mulligan": "No Soldier among your dice. Roll all of them again? You may do so once in the game.",
    "award": "A Straight! Which Award do you take?",
    "sacrifice": "Which Specialist is given up?",
    "substitute": "Who is given up?",
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
    asked = _asked(g, seat, name, frame, unit)
    about = card_name(decision.source) if decision.source else ""
    if name in ("choose", "gift", "find-extra") and frame[1][0] == "bonus":
        about = g.world.nations[frame[1][1]].rwb[frame[1][2]].name
    return f"{unit_name(seat)}, {about}: {asked}" if about else f"{unit_name(seat)}: {asked}"


def _asked(g: Landing, seat: int, name: str, frame: Frame, unit: Unit) -> str:
    if name == "window":
        return _window(g, seat, frame[1])
    if name == "leave":
        return f"Only {6 - frame[1]} dice are rolled here. Which {_which(frame[1])} do you leave aside?"
    if name == "lock":
        stays = "it stays as it lies" if frame[1] == 1 else "they stay as they lie"
        return f"Roll 1 of 3. Lock {count(frame[1], 'die', 'dice')}: {stays} this turn."
    if name == "reroll":
        return f"Roll {frame[1]} of 3. Which dice do you roll again?"
    if name == "cancel":
        many = count(frame[2], "die", "dice")
        if frame[1] < frame[2]:
            many = f"{frame[1]} to {many}" if frame[1] else f"up to {many}"
        return f"Skulls cancel {many}: which?"
    if name == "free":
        return f"The Skulls let go of {count(frame[1], 'die', 'dice')}: which?"
    if name == "acquire":
        return f"Rally, find, draw an Award? You have {purse(unit)}."
    if name == "find-extra":
        return "What do you take?" if _free(g, frame) else f"What do you find? You have {purse(unit)}."
    if name == "move":
        must = "; you have to leave this turn" if unit.marker == ARROW else ""
        return f"Where to? You have {amounts((('courage', unit.courage),))}{must}."
    if name == "casualties":
        return f"{count(frame[1], 'casualty', 'casualties')}: who falls?"
    if name == "gift":
        op = g.world.ops(frame[1])[frame[2]]
        assert isinstance(op, schema.Gain)
        return f"Which Unit gains {_gains(op)}?"
    if name == "offer":
        if not frame[2] and not frame[3]:
            return f"What do you offer {unit_name(frame[1])}?"
        return f"Your offer to {unit_name(frame[1])}: you give {amounts(frame[2])}, you get {amounts(frame[3])}."
    if name == "consent":
        return f"{unit_name(frame[1])} gives you {amounts(frame[2])} for {amounts(frame[3])}. Agreed?"
    if name == "claim":
        return f"{unit_name(frame[1])} wants to {wish(frame[2])}. You go first: let go, or claim it?"
    if name == "swap-consent":
        them, theirs, mine = g.units[frame[3]], frame[4], frame[5]
        give = die_words(mine, unit.faces[mine], unit.colours[mine])
        get = die_words(theirs, them.faces[theirs], them.colours[theirs])
        return f"{unit_name(frame[3])} offers its {get} for your {give}. Agreed?"
    if name == "pay-to-save":
        loss = g.lanes[seat][-2][2][2][0]
        return f"{count(loss, 'casualty', 'casualties')}: pay to save Soldiers? You have {purse(unit)}."
    return PROMPTS[name]


def _which(dice: int) -> str:
    return "die" if dice == 1 else f"{dice} dice"


def _window(g: Landing, seat: int, window: str) -> str:
    if window == "tally":
        return "Your dice are final. Use a card before they are counted?"
    if window == "die":
        return "A die lies on the table. Change it?"
    if window == "move.after":
        return f"All have moved. Anything before Combat? {danger(g, seat)}."
    if window == "combat.start":
        return f"Anything before Machine Gun Fire is rolled? {danger(g, seat)}."
    if window == "combat.open":
        return f"Anything before casualties are taken? {danger(g, seat)}."
    return "Use a card, or trade?"


def danger(g: Landing, seat: int) -> str:
    """What Combat in its Sector will cost this Unit, as far as it is known."""
    unit = g.units[seat]
    sector = unit.sector
    defence = questions.defence(g, seat, sector)
    parts = [f"DEF {defence}"]
    if questions.ask(g, "mgf_hits", 1, seat, sector):
        if sector in g.fire:
            parts.append(f"fire {sum(g.fire[sector])}")
        elif dice := questions.ask(g, "mgf_dice", g.world.sectors[sector].mgf, seat, sector):
            parts.append(f"fire {dice}d6")
    return f"You face {' + '.join(parts)} with {amounts((('soldiers', unit.soldiers),))}"


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
    "claim": "claim it",
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
        return f"Unit {rest[1:]} in Sector {them.sector}: {count(them.soldiers, 'Soldier')}, {purse(them)}"
    if verb == "choose":
        return _branch(g, decision, rest)
    if verb == "add":
        face, _, colour = rest.partition(":")
        if not colour:
            return f"add the {card_name(rest)} ({price(g.world.cards[rest].cost, 'find')})"
        return f"a {'colourless' if colour == 'none' else colour} {FACE_WORDS[face]}"
    if verb == "face":
        return FACE_WORDS[rest]
    if verb in ("give", "take"):
        name, _, n = rest.partition("=")
        return f"{'give' if verb == 'give' else 'get'} {amounts(((name, int(n)),)) if n else _thing(g, seat, rest)}"
    if verb == "fall":
        return _fallen(g, decision, rest)
    if verb == "lose":
        return f"give up the {card_name(rest)}"
    if verb == "pay":
        return "pay " + amounts(tuple((name, int(n)) for name, n in (part.split("=") for part in rest.split(","))))
    if verb == "die" and "=" not in rest:
        return _thing(g, seat, rest) if "." in rest else ", ".join(_die(unit, one) for one in rest.split(","))
    return rest.replace("=", " becomes ")


def detail(g: Landing, decision: Decision, key: str) -> str:
    """The small print of an answer: what the card does, what the Sector asks and gives."""
    verb, _, rest = key.partition(":")
    if verb in ("rally", "find", "use", "award", "add") and rest in g.world.cards:
        return g.world.cards[rest].text
    return g.world.sectors[rest].text if verb in ("move", "start") else ""


def price_words(g: Landing, seat: int, verb: str, card: str) -> str:
    """What this Specialist or Item costs this Unit now; the printed price where it is another."""
    printed = g.world.cards[card].cost
    cost = questions.rally_cost(g, seat, card) if verb == "rally" else questions.find_cost(g, seat, card)
    return price(cost, verb) + (f" (printed {printed})" if cost != printed else "")


def price(cost: int, verb: str) -> str:
    return amounts((("stars" if verb == "rally" else "points", cost),))


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
        who = (
            "" if op.to == "self" or g.world.solo else {"another": "another Unit: ", "each": "every Unit: "}.get(op.to)
        )
        return f"{'every other Unit: ' if who is None else who}gain {_gains(op)}"
    if isinstance(op, schema.AddResult):
        colour = {"choice": "", "none": "colourless "}.get(op.colour, op.colour + " ")
        return f"add 1 {colour}result of your choice to your tally"
    if isinstance(op, schema.FreeMove):
        return "this turn's move costs no Courage and asks for no Specialist"
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
    return join(parts + ([count(soldiers, "Soldier")] if soldiers > 0 else []))


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


def purse(unit: Unit) -> str:
    """`2 Stars, 1 Courage and 3 Item Points`: what can be paid with."""
    held = {"stars": unit.stars, "courage": unit.courage, "points": unit.points}
    return amounts({name: n for name, n in held.items() if n})


def fire_words(dice: int) -> str:
    return f"{dice}d6" if dice else "-"


def level_words(level: schema.Level) -> str:
    """What a level leaves out, in a sentence or two."""
    faces = [FACE_WORDS[face] for face in FACE_WORDS if face not in level.results]
    parts = {"Machine Gun Fire": level.mgf, "Land Mines": level.landmines, "Items": level.items}
    parts |= {"Awards": level.awards, "other Sector attributes": level.attributes}
    gone = [name for name, there in parts.items() if not there]
    said = [f"There are no {join(gone)}."] if gone else []
    said += [f"{join(faces)} results count for nothing."] if faces else []
    return " ".join(said + ([] if level.one_lost_all_lost else ["If a Unit is lost the others play on."]))


def sector_line(g: Landing, seat: int, sector: str) -> str:
    """A Sector for a Unit that may go there: the price, what it asks, DEF and fire."""
    here = g.units[seat].sector
    way = next((way for way in g.world.ways[here] if way.to == sector), None)
    printed = g.world.sectors[sector]
    parts = toll(g, seat, way) if way else []
    parts.append(f"DEF {'/'.join(str(n) for n in printed.defence)}")
    if printed.mgf:
        parts.append(f"MGF {fire_words(printed.mgf)}")
    if printed.shield == "black":
        parts.append("1 turn only")
    name = "the Bunker" if printed.bunker else f"Sector {sector}"
    return f"{name}: {', '.join(parts)}"


def toll(g: Landing, seat: int, way: Way) -> list[str]:
    """What this way asks of the Unit."""
    target = g.world.sectors[way.to]
    parts = [] if way.forward else ["sideways"]
    if way.forward:
        parts.append(amounts((("courage", questions.advance_cost(g, seat, way.courage)),)))
    if way.mined:
        parts.append("mines")
    if way.barred:
        parts.append("Barrier")
    parts += [f"needs the {card_name(card)}" for card in target.requires]
    if target.sacrifice:
        parts.append(f"costs {'1 Specialist' if target.sacrifice == 'any' else 'the ' + card_name(target.sacrifice)}")
    if target.max_units:
        parts.append(f"{count(target.max_units, 'Unit')} at most")
    return parts
