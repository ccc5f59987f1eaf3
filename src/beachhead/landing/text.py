"""The landing in plain words: events, questions and answers. It knows no rule; it only says what is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..content import schema, spoken
from ..core.machine import Frame
from ..core.node import Decision, Event
from ..say import Name, language, say
from . import fire, outline, outlook, questions
from .cites import CITES
from .dice import COLOURS, FACE, FACES, PLACE
from .state import ARROW, RESOURCES, SHIELD, TWO_ARROWS, Landing, Unit
from .words import (
    CHOICE_WORDS,
    FACE_WORDS,
    PHASE_WORDS,
    PLACE_WORDS,
    amounts,
    bonus_name,
    bonus_text,
    capital,
    card_name,
    card_text,
    casualties,
    count,
    danger,
    dice_list,
    dice_words,
    die_words,
    effect_words,
    either,
    join,
    losses,
    pairs,
    price,
    price_words,
    purse,
    result_words,
    say_colour,
    sector_marks,
    sector_name,
    sector_text,
    the_cards,
    toll,
    unit_name,
    you_have,
)
from .world import OPTIONS

# ---------------------------------------------------------------------------------------------------- events

Say = Callable[[Name, dict[str, Any], Event], str]


def _resources(who: Name, data: dict[str, Any], event: Event) -> str:
    up = {name: n for name, n in data.items() if n > 0}
    down = {name: -n for name, n in data.items() if n < 0}
    parts = []
    if up:
        parts.append(say("event.gains-by-dice" if event.rule in CITES["record"] else "event.gains", what=amounts(up)))
    if down:
        parts.append(say("event.loses" if "soldiers" in down else "event.pays", what=amounts(down)))
    said = say("event.resources", who=who, does=join(parts))
    return say("event.note", said=said, note=say(RULE_NOTES[event.rule])) if event.rule in RULE_NOTES else said


RULE_NOTES = {OPTIONS["few-good-men"].second: "event.few-good-men"}
"""Rule -> why it gives or takes, where neither a card nor what was said before tells."""

TAKEN = {
    "specialists": "event.joins",
    "hand": "event.can-rally",
    "dead": "event.loses-card",
    "items": "event.takes",
    "awards": "event.earns",
    "pool": "event.adds-to-pool",
    "used": "event.gives-up",
}
"""Where a card goes -> what is said of it."""
SET_OUT = {"used": "event.out-of-game", "lying": "event.lies"}
"""The same for cards that no Unit has a part in."""


def _card(who: Name, data: dict[str, Any], event: Event) -> str:
    card, start, end = card_name(data["card"]), data["from"], data["to"]
    if "unit" in data:
        return say("event.hands", who=who, card=card, unit=unit_name(data["unit"]))
    if end == "used" and event.source == data["card"]:
        return ""
    if event.seat < 0 and end in SET_OUT:
        return say(SET_OUT[end], card=card)
    if end in TAKEN and not (end == "pool" and event.seat < 0):
        return say(TAKEN[end], who=who, card=card)
    return say("event.goes", card=card, start=_place(start, who), end=_place(end, who))


def _place(name: str, who: Name) -> Name:
    return Name(PLACE_WORDS[name], PLACE_WORDS[name], language()) if name in PLACE_WORDS else who


def _dice(who: Name, data: dict[str, Any], event: Event) -> str:
    faces, colours = data["faces"], data["colours"]
    if "rolled" in data:
        places = [PLACE[name] for name in data["rolled"].split(",")]
        return say("event.rolls", who=who, dice=dice_words(faces, colours, places))
    return say("event.dice-now", who=who, dice=dice_words(faces, colours))


def _effect(who: Name, data: dict[str, Any], event: Event) -> str:
    return effect_words(data["question"], data["mode"], data["value"], data["scope"], data["target"])


def marker_word(face: int) -> str:
    """A face of the Unit marker: `2 chevrons`."""
    return say(f"marker.{face}")


def rolled_marker(face: int) -> str:
    """A face of the Unit marker that was rolled as a die: `2 arrows`."""
    return say(f"marker.rolled.{face}")


def _marker(who: Name, data: dict[str, Any], event: Event) -> str:
    face = data["face"]
    if face in (ARROW, TWO_ARROWS, SHIELD):
        return say(f"event.marker-news.{face}", who=who)
    return say("event.marker", who=who, marker=marker_word(face))


def _pips(who: Name, data: dict[str, Any], event: Event) -> str:
    pips = " + ".join(FACE_WORDS[face] for face in data["faces"]) if "faces" in data else ""
    pips = pips or " + ".join(map(str, data["pips"]))
    purpose = data["for"]
    if purpose in ("mine", "entry", "shelling"):
        return say(f"event.pips-{purpose}", who=who, pips=pips)
    if purpose.startswith("table:"):
        return say("event.pips-table", who=who, id=purpose[6:], pips=pips)
    if purpose == event.source:
        return say("event.rolls", who=who, dice=pips)
    if purpose == "blind":
        return say("event.rolls-markers", who=who, markers=join([rolled_marker(n) for n in data["pips"]]))
    return say("event.pips-mgf", id=purpose[4:], pips=pips)


def _over(who: Name, data: dict[str, Any], event: Event) -> str:
    said = say("event.won" if data["won"] else "event.lost-all")
    points = data.get("scores", ())
    if not points:
        return said
    return say("event.scores", said=said, points=", ".join(map(str, points)), least=min(points))


SAY: dict[str, Say] = {
    "turn": lambda who, data, event: say("event.turn", n=data["turn"]),
    "phase": lambda who, data, event: PHASE_WORDS.get(str(data["phase"])) or say("phase.next"),
    "resources": _resources,
    "card": _card,
    "dice": _dice,
    "aside": lambda who, data, event: say("event.aside", who=who, dice=dice_list(data["dice"])),
    "locked": lambda who, data, event: say("event.locks", who=who, dice=dice_list(data["locked"])),
    "added": lambda who, data, event: say("event.adds", who=who, result=result_words(data["face"], data["colour"])),
    "turned": lambda who, data, event: say("event.turned", who=who, face=FACE_WORDS[data["face"]]),
    "spare": lambda who, data, event: say("event.spare", dice=pairs(data["dice"])),
    "kept": lambda who, data, event: say("event.kept", who=who, dice=pairs(data["dice"])),
    "use": lambda who, data, event: say("event.uses", who=who, card=card_name(data["card"])),
    "chosen": lambda who, data, event: say(
        "event.chooses", who=who, what=CHOICE_WORDS.get(data["what"], data["what"].capitalize())
    ),
    "straight": lambda who, data, event: say("event.straight", who=who),
    "rwb": lambda who, data, event: say(
        "event.rwb", who=who, bonus=spoken.bonus_name(data["name"]), face=FACE_WORDS[data["face"]]
    ),
    "ignored": lambda who, data, event: say("event.ignores", who=who, skulls=count("skulls", data["skulls"])),
    "cancelled": lambda who, data, event: say("event.cancelled", who=who, dice=dice_list(data["dice"])),
    "freed": lambda who, data, event: say("event.freed", who=who, dice=dice_list(data["dice"])),
    "marker": _marker,
    "sector": lambda who, data, event: say("event.moves", who=who, start=data["from"], end=data["to"]),
    "door": lambda who, data, event: say("event.door", who=who, id=data["sector"]),
    "table": lambda who, data, event: "",
    "start": lambda who, data, event: say("event.starts", who=who, id=data["sector"], held=_stock(data)),
    "effect": _effect,
    "pips": _pips,
    "saved": lambda who, data, event: say("event.saved", who=who, n=data["soldiers"]),
    "combat": lambda who, data, event: say(
        "event.combat", who=who, loss=casualties(data["casualties"]), id=data["sector"]
    ),
    "special-damage": lambda who, data, event: say("event.special-damage", who=who),
    "offer": lambda who, data, event: say(
        "event.offers", who=who, unit=unit_name(data["unit"]), give=amounts(data["give"]), take=amounts(data["take"])
    ),
    "lapsed": lambda who, data, event: say("event.lapsed", who=who),
    "by-tally": lambda who, data, event: say(
        "event.by-tally", who=who, loss=count("soldiers", data["soldiers"]), id=data["sector"]
    ),
    "refused": lambda who, data, event: say("event.refuses", who=who),
    "priority": lambda who, data, event: say("event.priority", who=who, wish=wish(data["what"])),
    "roll-off": lambda who, data, event: say(
        "event.roll-off",
        who=join([unit_name(seat).the for seat in data["units"]]),
        pips=join([str(n) for n in data["pips"]]),
    ),
    "forbidden": lambda who, data, event: say("event.forbidden", what=data["what"], why=data["why"]),
    "table-rolled": lambda who, data, event: say(
        "event.table", id=data["sector"], name=spoken.result_name(data["name"])
    ),
    "silenced": lambda who, data, event: say("event.silenced", who=who, id=data["sector"]),
    "conquered": lambda who, data, event: say("event.conquered", who=who, id=data["sector"]),
    "safe": lambda who, data, event: say("event.safe", who=who),
    "lost": lambda who, data, event: say(
        "event.wiped-out" if data["cause"] == "wiped-out" else "event.cannot-move", who=who
    ),
    "mulligan": lambda who, data, event: say("event.mulligan", who=who),
    "removed": lambda who, data, event: say("event.removed", who=who, n=data["count"], face=FACE_WORDS[data["face"]]),
    "over": _over,
}


def _stock(data: dict[str, Any]) -> str:
    return amounts({name: data[name] for name in RESOURCES if data[name]})


NAMED_DICE = {
    "locked": ("event.locks", "locked"),
    "cancelled": ("event.cancelled", "dice"),
    "freed": ("event.freed", "dice"),
}
"""Events that name dice: how it is said, and where in the data they are."""


def unchosen(g: Landing, event: Event) -> bool:
    """Does this event lay a Unit where it starts before it has chosen where? That is not told in words."""
    if event.type != "start" or event.cause != "setup":
        return False
    return sum(1 for printed in g.world.sectors.values() if printed.start) > 1


def narrate(event: Event, lying: Event | None = None) -> str:
    """One event in plain words, with the card behind it; the empty text for what another event has said. `lying`: the
    event that tells how the dice of this seat lay then, for those who want to be told what they showed.
    """
    who = unit_name(event.seat)
    key, where = NAMED_DICE.get(event.type, ("", ""))
    if lying and key and event.data[where] != "none":
        places = [PLACE[name] for name in event.data[where].split(",")]
        said = say(key, who=who, dice=dice_words(lying.data["faces"], lying.data["colours"], places))
    else:
        said = SAY[event.type](who, event.data, event)
    if not said:
        return ""
    if event.source and event.type not in ("use", "card"):
        said = say("event.note", said=said, note=card_name(event.source))
    return capital(said)


# ---------------------------------------------------------------------------------------------------- questions


def prompt(g: Landing, decision: Decision) -> str:
    """The question, in one line."""
    seat, name = decision.seat, decision.name
    frame, unit = g.lanes[seat][-1], g.units[seat]
    asked = _asked(g, seat, name, frame, unit, decision.keys)
    about: str = card_name(decision.source) if decision.source else ""
    if name in ("choose", "gift", "find-extra") and frame[1][0] == "bonus":
        about = bonus_name(g, frame[1][1], frame[1][2])
    who = unit_name(seat)
    if about:
        return say("prompt.about", who=who, about=about, asked=asked)
    return say("prompt.plain", who=who, asked=asked)


def _asked(g: Landing, seat: int, name: str, frame: Frame, unit: Unit, keys: Sequence[str]) -> str:
    if name == "window":
        return _window(g, seat, frame[1])
    if name == "leave":
        return say("prompt.leave", rolled=6 - frame[1], n=frame[1])
    if name == "lock":
        if frame[1] < frame[2]:
            return say("prompt.lock-some", least=frame[1], n=frame[2])
        return say("prompt.lock", n=frame[2])
    if name == "reroll":
        return say("prompt.reroll", n=frame[1])
    if name == "cancel":
        if frame[1] == frame[2]:
            return say("prompt.cancel", n=frame[2])
        return say("prompt.cancel-some" if frame[1] else "prompt.cancel-up-to", least=frame[1], n=frame[2])
    if name == "free":
        return say("prompt.free", n=frame[1])
    if name == "acquire":
        return _wants(g, unit, keys)
    if name == "find-extra":
        return say("prompt.take") if _free(g, frame) else say("prompt.find", have=capital(purse(unit)))
    if name == "move":
        must = "stay" not in keys
        have = capital(you_have({"soldiers": unit.soldiers, "courage": unit.courage}))
        return say("prompt.move-must" if must else "prompt.move", have=have)
    if name == "casualties":
        return say("prompt.casualties", loss=casualties(frame[1]), held=count("soldiers", unit.soldiers))
    if name == "gift":
        op = g.world.ops(frame[1])[frame[2]]
        assert isinstance(op, schema.Gain)
        return say("prompt.gift", what=_gains(op))
    if name == "offer":
        other = unit_name(frame[1])
        if not frame[2] and not frame[3]:
            return say("prompt.offer", unit=other)
        return say("prompt.offer-now", unit=other, give=amounts(frame[2]), take=amounts(frame[3]))
    if name == "consent":
        deal = say("prompt.deal", unit=unit_name(frame[1]), take=amounts(frame[2]), give=amounts(frame[3]))
        return say("prompt.consent", deal=deal, have=capital(you_have(_holds(unit))))
    if name == "claim":
        equal = questions.strength(g, seat) == questions.strength(g, frame[1])
        return say("prompt.claim-equal" if equal else "prompt.claim", unit=unit_name(frame[1]), wish=wish(frame[2]))
    if name == "swap-consent":
        them, theirs, mine = g.units[frame[3]], frame[4], frame[5]
        give = die_words(mine, unit.faces[mine], unit.colours[mine])
        get = die_words(theirs, them.faces[theirs], them.colours[theirs])
        return say("prompt.swap-consent", unit=unit_name(frame[3]), get=get, give=give)
    if name == "set-pips" and fire.with_symbols(g.world, fire.waiting(g, seat)):
        return say("prompt.fixed.set-face")
    if name == "mulligan" and _skulls_lie(g, unit):
        return say("prompt.mulligan-skulls")
    if name == "pay-to-save":
        loss = g.lanes[seat][-2][2][2][0]
        return say("prompt.pay-to-save", loss=casualties(loss), have=capital(purse(unit)))
    return say(f"prompt.fixed.{name}")


def _skulls_lie(g: Landing, unit: Unit) -> bool:
    """Are there Skulls among the dice that are not rolled again?"""
    return FACE["skull"] in unit.faces and questions.skulls_stay(g, unit)


def _wants(g: Landing, unit: Unit, keys: Sequence[str]) -> str:
    """What can be had for Stars, Item Points and Courage, as far as there is such a thing in this game."""
    kinds = {
        "rally": any(g.world.cards[card].is_specialist for card in (*unit.hand, *g.pool)),
        "find": g.world.level.items,
        "award": g.world.level.awards,
    }
    verbs = {key.partition(":")[0] for key in keys}
    if not verbs.isdisjoint(("rally", "find", "award")):
        wanted = [say(f"prompt.may.{kind}") for kind, there in kinds.items() if there]
        return say("prompt.acquire", wanted=capital(either(wanted)), have=capital(purse(unit)))
    more = [say(f"prompt.may.{verb}") for verb in ("use", "trade") if verb in verbs]
    return say("prompt.too-poor", have=purse(unit), more=capital(either([*more, say("prompt.may.go-on")])))


def _holds(unit: Unit) -> dict[str, int]:
    return {name: n for name in RESOURCES if (n := getattr(unit, name))}


def _window(g: Landing, seat: int, window: str) -> str:
    if window in ("tally", "die"):
        return say(f"prompt.window.{window}")
    if window == "marker":
        return say("prompt.window.by-tally", held=count("soldiers", g.units[seat].soldiers))
    if window == "move.mine":
        return say("prompt.window.mine", held=count("soldiers", g.units[seat].soldiers))
    if window in ("move.after", "combat.start", "combat.open"):
        return say(f"prompt.window.{window.replace('.', '-')}", danger=danger(g, seat))
    return say("prompt.window.any")


def background(g: Landing, decision: Decision) -> str:
    """The small print of a question: the text of the RWB or the card behind it."""
    frame = g.lanes[decision.seat][-1]
    if decision.source:
        return card_text(g, decision.source)
    if decision.name in ("choose", "add", "gift", "find-extra") and frame[1][0] == "bonus":
        return bonus_text(g, frame[1][1], frame[1][2])
    return ""


# ---------------------------------------------------------------------------------------------------- answers

FIXED = {
    key: f"label.fixed.{key.replace(':', '-')}"
    for key in (
        "done",
        "mulligan",
        "keep",
        "stop",
        "lost",
        "skip",
        "none",
        "withdraw",
        "propose",
        "accept",
        "refuse",
        "yield",
        "award",
        "safe",
        "go-on",
        "pay:none",
        "cancel:none",
    )
}


def wish(key: str) -> str:
    """What an answer such as `find:grenade` is after."""
    verb, _, rest = key.partition(":")
    if verb == "move":
        return say("wish.move", id=rest)
    return say(f"wish.{verb}", card=card_name(rest)) if rest else say("wish.draw")


def label(g: Landing, decision: Decision, key: str) -> str:
    """One answer in plain words; the small print is in `detail`."""
    seat = decision.seat
    unit = g.units[seat]
    if key == "claim":
        return say("label.claim", what=label(g, decision, g.lanes[seat][-1][2]))
    if key == "skip" and _free(g, g.lanes[seat][-1]):
        return say("label.take-nothing")
    if key == "mulligan" and _skulls_lie(g, unit):
        return say("label.mulligan-skulls")
    if key == "done" and decision.name == "acquire":
        return _done(g, seat)
    if key in FIXED:
        return say(FIXED[key])
    verb, _, rest = key.partition(":")
    if verb in ("stay", "move", "start"):
        sector = rest or unit.sector
        return say(f"label.{verb}", sector=sector_name(g, sector), about=_sector_about(g, seat, sector))
    if verb in ("lock", "roll", "leave", "cancel", "free"):
        names = rest.split(",")
        return say(f"label.{verb}", dice=", ".join(names if verb == "leave" else [_die(unit, name) for name in names]))
    if verb in ("rally", "find"):
        if decision.name == "rally-free" or (decision.name == "find-extra" and _free(g, g.lanes[seat][-1])):
            return say("label.take-card", card=card_name(rest))
        return say(f"label.{verb}", card=card_name(rest), price=price_words(g, seat, verb, rest))
    if verb in ("use", "award", "abandon", "lose"):
        return say("label.take-card" if verb == "award" else f"label.{verb}", card=card_name(rest))
    if verb == "sector":
        return sector_name(g, rest).the
    if verb == "trade":
        return say("label.trade", unit=unit_name(int(rest[1:]) - 1))
    if verb == "unit":
        seat = int(rest[1:]) - 1
        them = g.units[seat]
        return say("label.unit", unit=unit_name(seat), id=them.sector, held=amounts(_holds(them)))
    if verb == "choose":
        return _branch(g, decision, rest)
    if verb == "add":
        face, _, colour = rest.partition(":")
        if not colour:
            return say("label.add", card=card_name(rest), price=price(g.world.cards[rest].cost, "find"))
        if colour == "none":
            return say("label.colourless", face=FACE_WORDS[face])
        return say("label.coloured", face=FACE_WORDS[face], colour=say_colour(colour))
    if verb == "face":
        if decision.name == "pick-rwb":
            return say("label.rwb", face=FACE_WORDS[rest], bonus=bonus_name(g, unit.nation, rest))
        return FACE_WORDS[rest]
    if verb in ("give", "take"):
        name, _, n = rest.partition("=")
        return say(f"label.{verb}", what=amounts(((name, int(n)),)) if n else _thing(g, seat, rest))
    if verb == "fall":
        return _fallen(g, decision, rest)
    if verb == "discard":
        return say("label.discard", cards=the_cards(rest.split(",")))
    if verb == "pay":
        what = amounts(tuple((name, int(n)) for name, n in (part.split("=") for part in rest.split(","))))
        return say("label.pay", what=what)
    if verb == "die" and "=" not in rest:
        return _thing(g, seat, rest) if "." in rest else ", ".join(_die(unit, one) for one in rest.split(","))
    if verb == "die":
        number, _, pips = rest.partition("=")
        if fire.with_symbols(g.world, fire.waiting(g, seat)):
            pips = FACE_WORDS[fire.face_of(int(pips))]
        if any(not other.startswith("die:1=") for other in decision.keys):
            return say("label.die-of", number=number, pips=pips)
        return say("label.die", pips=pips)
    return say_colour(rest) if verb == "colour" else rest


def _sector_about(g: Landing, seat: int, sector: str) -> str:
    """A Sector for a Unit that may go there or stay: the price, what it asks, what is printed, what it will cost."""
    way = outline.way_to(g, seat, sector)
    said = ", ".join([*(toll(g, seat, way) if way else ()), *sector_marks(g, sector)])
    return say("mark.loss", said=said, loss=_cost(g, seat, sector)) if g.turn else said


def _done(g: Landing, seat: int) -> str:
    """`nothing more`, and a warning where the Unit could then do nothing but await its end."""
    only, end = outlook.stranded(g, seat)
    if not end:
        return say(FIXED["done"])
    if only == "lost":
        return say(f"label.done-{end}-be-lost")
    return say("label.done-stay", loss=_cost(g, seat, g.units[seat].sector, end))


def _cost(g: Landing, seat: int, sector: str, end: outlook.Fate | None = None) -> str:
    """`9 to 14 casualties`, and a warning where that may be all the Unit has; `end` where its fate is known."""
    least, most = losses(g, seat, sector)
    said = say("mark.from-to", least=least, most=casualties(most)) if least < most else casualties(most)
    end = outlook.fate(g, seat, sector) if end is None else end
    return say(f"mark.{end}-die", loss=said) if end else said


def detail(g: Landing, decision: Decision, key: str) -> str:
    """The small print of an answer: what the card does, what the Sector asks and gives."""
    verb, _, rest = key.partition(":")
    if verb in ("rally", "find", "use", "award", "add") and rest in g.world.cards:
        return card_text(g, rest)
    if decision.name == "pick-rwb":
        return bonus_text(g, g.units[decision.seat].nation, rest)
    return sector_text(g, rest) if verb in ("move", "start") else ""


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


def _op_words(g: Landing, op: schema.Op) -> str:
    if isinstance(op, schema.Gain):
        return say(f"op.gain.{'self' if g.world.solo else op.to}", what=_gains(op))
    if isinstance(op, schema.AddResult):
        if op.colour == "choice":
            return say("op.add-any")
        if op.colour == "none":
            return say("op.add-colourless")
        return say("op.add-coloured", colour=say_colour(op.colour))
    if isinstance(op, schema.FreeMove):
        asks = any(sector.requires or sector.sacrifice for sector in g.world.sectors.values())
        return say("op.free-move-asks" if asks else "op.free-move")
    if isinstance(op, schema.Find):
        return say("op.find")
    return ""


def _gains(op: schema.Gain) -> str:
    return amounts({name: getattr(op, name) for name in RESOURCES if getattr(op, name)})


def _fallen(g: Landing, decision: Decision, names: str) -> str:
    seat = decision.seat
    cards = [] if names == "none" else names.split(",")
    soldiers = g.lanes[seat][-1][1] - sum(questions.body(g, seat, card) for card in cards)
    parts = [card_name(card).the for card in cards]
    return say("label.fall", who=join(parts + ([count("soldiers", soldiers)] if soldiers > 0 else [])))


def _thing(g: Landing, seat: int, name: str) -> str:
    if name in g.world.cards:
        return card_name(name).the
    if name.isdigit():
        face, colour = g.units[seat].spare[int(name) - 1]
        return say("label.spare", face=FACE_WORDS[FACES[face]], colour=say_colour(COLOURS[colour]))
    who, _, die = name.rpartition(".")
    other = int(who[1:]) - 1 if who else seat
    said = _die(g.units[other], die)
    return say("label.die-of-unit", unit=unit_name(other), die=said) if other != seat else said


def _die(unit: Unit, name: str) -> str:
    place = PLACE[name]
    return name if unit.faces[place] < 0 else die_words(place, unit.faces[place], unit.colours[place])
