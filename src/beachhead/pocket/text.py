"""Battle! and Express! in plain words: events, questions and answers. It knows no rule; it only says what is there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..core.node import Decision, Event
from ..landing.dice import FACES, HOME, PLACE
from ..landing.words import FACE_WORDS, called, dice_list, dice_words, die_words, say_colour
from ..say import Name, Table, capital, join, language, say
from .content import beach_name, card_name, sector_text

if TYPE_CHECKING:
    from .battle import Battle
    from .express import Express

SECTOR_WORDS = Table("pocket.sector", ("1", "2", "3", "4", "5", "6"))
FIELD_WORDS = Table("pocket.field", ("landing", "barriers", "rallying-point", "gantlet", "bluffs", "bunker"))
SYMBOL_WORDS = Table("pocket.symbol", (*FACES, "straight"))


def player_name(seat: int) -> Name:
    """What a player is called: by name where it is known, else by number."""
    names = called()
    name = names[seat] if 0 <= seat < len(names) else ""
    if name:
        shown = say("name.player", name=name, n=seat + 1) if names.count(name) > 1 else name
        return Name(shown, shown, language())
    return Name(say("pocket.player", n=seat + 1), say("pocket.player-the", n=seat + 1), language())


def players(seats: Iterable[int]) -> str:
    return join([player_name(seat).the for seat in seats])


def faces_words(faces: Sequence[int]) -> str:
    """`Star, Star, Tool`."""
    return ", ".join(FACE_WORDS[FACES[face]] for face in faces if face >= 0)


def axis_words(axis: Sequence[int], black: int) -> str:
    """The Axis dice, with the Kommandant's."""
    said = [faces_words(axis)] if axis else []
    if black >= 0:
        said.append(say("pocket.kommandant-die", face=FACE_WORDS[FACES[black]]))
    return ", ".join(said) or say("dice.none")


def cards_words(cards: Iterable[str]) -> str:
    return join([card_name(card).the for card in cards])


def sector_title(beach: str, sector: int) -> str:
    return say("pocket.sector-of", beach=beach_name(beach), n=sector, name=SECTOR_WORDS[str(sector)])


# ---------------------------------------------------------------------------------------------------- events


def _dice(who: Name, data: dict[str, Any], event: Event) -> str:
    places = [PLACE[name] for name in data["rolled"].split(",")]
    return say("event.rolls", who=who, dice=dice_words(data["faces"], data["colours"], places))


def _axis(who: Name, data: dict[str, Any], event: Event) -> str:
    key = "pocket.event.axis-now" if event.source else "pocket.event.axis"
    return say(key, dice=axis_words(data["axis"], data["black"]))


def _changed(who: Name, data: dict[str, Any], event: Event) -> str:
    place = PLACE[data["die"]]
    die = die_words(place, data["faces"][place], data["colours"][place])
    return say("pocket.event.changed", who=who, die=die)


def _tally(who: Name, data: dict[str, Any], event: Event) -> str:
    if not data["symbols"]:
        return ""
    return say("pocket.event.tally", who=who, what=join([SYMBOL_WORDS[one] for one in data["symbols"]]))


def _matched(who: Name, data: dict[str, Any], event: Event) -> str:
    return say("pocket.event.matched" if data["matched"] else "pocket.event.not-matched", who=who)


def _over(who: Name, data: dict[str, Any], event: Event) -> str:
    if "winners" not in data:
        return say(f"pocket.end.{data['cause']}")
    if len(data["scores"]) == 1:
        return say("pocket.end.solo", n=data["turns"], points=data["scores"][0])
    scores = ", ".join(map(str, data["scores"]))
    return say("pocket.end.winner", who=players(data["winners"]), n=len(data["winners"]), scores=scores)


def _earned(who: Name, data: dict[str, Any], event: Event) -> str:
    card = card_name(data["card"])
    if data["from"] >= 0:
        return say("pocket.event.takes", who=who, card=card, other=player_name(data["from"]))
    return say("pocket.event.earns", who=who, card=card)


Say = Callable[[Name, dict[str, Any], Event], str]
SAY: dict[str, Say] = {
    # both games
    "axis": _axis,
    "aside": lambda who, data, event: say("event.aside", who=who, dice=dice_list(data["dice"])),
    "dice": _dice,
    "changed": _changed,
    "tally": _tally,
    "over": _over,
    # Express!
    "beach": lambda who, data, event: say("pocket.event.beach", beach=beach_name(data["beach"])),
    "free-dice": lambda who, data, event: say("event.rolls", who=who, dice=faces_words(data["faces"])),
    "sector": lambda who, data, event: sector_title(data["beach"], data["sector"]),
    "special": lambda who, data, event: sector_text(data["beach"], data["sector"], data["advanced"]),
    "axis-ignored": lambda who, data, event: say(
        "pocket.event.axis-ignored", face=FACE_WORDS[data["face"]], dice=axis_words(data["axis"], data["black"])
    ),
    "axis-added": lambda who, data, event: say(
        "pocket.event.axis-added", face=FACE_WORDS[data["face"]], dice=axis_words(data["axis"], data["black"])
    ),
    "lost-card": lambda who, data, event: say("pocket.event.loses", card=card_name(data["card"])),
    "sacrificed": lambda who, data, event: say("pocket.event.sacrifices", card=card_name(data["card"])),
    "added": lambda who, data, event: say("event.adds", who=who, result=FACE_WORDS[data["face"]]),
    "barred": lambda who, data, event: say("pocket.event.barred"),
    "restart": lambda who, data, event: say("pocket.event.restart"),
    "clears": lambda who, data, event: say("pocket.event.clears", who=who),
    "no-rally": lambda who, data, event: "",
    "rallied": lambda who, data, event: say("pocket.event.rallies", who=who, card=card_name(data["card"])),
    "matched": _matched,
    "replay": lambda who, data, event: say("pocket.event.replay"),
    "cleared": lambda who, data, event: say("pocket.event.cleared", name=SECTOR_WORDS[str(data["sector"])]),
    "conquered": lambda who, data, event: say("pocket.event.conquered", beach=beach_name(data["beach"])),
    "beach-die": lambda who, data, event: say("pocket.event.beach-die", name=SECTOR_WORDS[str(data["sector"])]),
    # Battle!
    "stars": lambda who, data, event: say("pocket.event.stars", who=who, n=data["stars"]),
    "start-tie": lambda who, data, event: say("pocket.event.start-tie", who=players(data["seats"])),
    "starts": lambda who, data, event: say("pocket.event.starts", who=who),
    "round": lambda who, data, event: say("pocket.event.round", n=data["round"]),
    "turn": lambda who, data, event: say("pocket.event.turn", who=who, n=data["score"]),
    "skirmish": lambda who, data, event: say("pocket.event.skirmish", who=who, n=data["skirmish"], dice=data["dice"]),
    "kommandant": lambda who, data, event: say("pocket.event.deployed", who=who) if data["deployed"] else "",
    "field": lambda who, data, event: say(
        "pocket.event.field", name=FIELD_WORDS[data["field"]], about=say(f"pocket.field-text.{data['field']}")
    ),
    "played": lambda who, data, event: say("pocket.event.plays", who=who, card=card_name(data["card"])),
    "ordered": lambda who, data, event: say(f"pocket.event.must-{data['order']}", who=who),
    "worthless": lambda who, data, event: say("pocket.event.worthless"),
    "earned": _earned,
    "won-skirmish": lambda who, data, event: say("pocket.event.won", who=who, n=data["points"], pot=data["pot"]),
    "lost-skirmish": lambda who, data, event: say("pocket.event.lost", who=who, n=data["points"]),
    "advance": lambda who, data, event: say("pocket.event.advances", who=who),
    "retreat": lambda who, data, event: say("pocket.event.retreats", who=who, n=data["points"], score=data["score"]),
    "thirty": lambda who, data, event: say("pocket.event.thirty", who=who, n=data["score"]),
    "tie": lambda who, data, event: say("pocket.event.tie", who=players(data["seats"]), n=data["score"]),
}

NAMED = ("lost-card", "sacrificed", "rallied", "played", "earned")
"""Events that name their card themselves."""


def narrate(event: Event) -> str:
    """One event in plain words, with the card behind it; the empty text for what nobody needs to hear of."""
    said = SAY[event.type](player_name(event.seat), event.data, event)
    if said and event.source and event.type not in NAMED:
        said = say("event.note", said=said, note=card_name(event.source))
    return capital(said)


# ---------------------------------------------------------------------------------------------------- questions


def _prompt(decision: Decision, key: str, **args: Any) -> str:
    return say("prompt.plain", who=player_name(decision.seat), asked=say(key, **args))


def express_prompt(g: Express, decision: Decision) -> str:
    frame = g.lanes[decision.seat][-1]
    args: dict[str, Any] = {"sector": SECTOR_WORDS[str(g.sector)] if g.sector else ""}
    if decision.name == "leave":
        return _prompt(decision, "prompt.leave", rolled=6 - frame[1], n=frame[1])
    if decision.name == "reroll":
        return _prompt(decision, "prompt.reroll", n=frame[1])
    if decision.name == "free":
        args["dice"] = faces_words(frame[1:])
    return _prompt(decision, f"pocket.prompt.{decision.name.rstrip('?')}", **args)


def battle_prompt(g: Battle, decision: Decision) -> str:
    frame = g.lanes[decision.seat][-1]
    if decision.name == "leave":
        return _prompt(decision, "prompt.leave", rolled=5, n=1)
    if decision.name == "reroll":
        return _prompt(decision, "prompt.reroll", n=frame[1])
    if decision.name == "medal" and decision.seat != g.active:
        return _prompt(decision, "pocket.prompt.medal-other", who=player_name(g.active))
    if decision.name == "decide":
        return _prompt(decision, "pocket.prompt.decide", n=g.pot, next=min(6, g.skirmish + 2))
    return _prompt(decision, f"pocket.prompt.{decision.name}")


def express_label(g: Express, decision: Decision, key: str) -> str:
    verb, _, rest = key.partition(":")
    if verb in ("roll", "leave"):
        return say(f"label.{verb}", dice=dice_list(rest))
    if key == "stop":
        return say("label.fixed.stop")
    if not rest:
        return say(f"pocket.label.{decision.name.rstrip('?')}-{key}")
    if verb == "rally":
        return say("pocket.label.rally", cards=join([_rallied(name) for name in rest.split(",")]))
    if verb == "lose":
        return say("pocket.label.lose", card=card_name(rest))
    soldier = g.soldiers[decision.seat]
    return _use_label(rest.split(":"), soldier.faces, soldier.colours, "pocket.label.use")


def _rallied(name: str) -> str:
    card, _, who = name.partition(":")
    the = card_name(card).the
    return say("pocket.label.rally-for", card=the, who=player_name(int(who[1:]) - 1)) if who else the


def battle_label(g: Battle, decision: Decision, key: str) -> str:
    verb, _, rest = key.partition(":")
    if verb in ("roll", "leave"):
        return say(f"label.{verb}", dice=dice_list(rest))
    if key == "stop":
        return say("label.fixed.stop")
    if not rest:
        return say(f"pocket.label.{decision.name}-{key}", n=g.pot)
    return _use_label(rest.split(":"), g.faces, HOME, "pocket.label.play", g.axis, g.black)


def _use_label(
    parts: list[str],
    faces: Sequence[int],
    colours: Sequence[int],
    key: str,
    axis: Sequence[int] = (),
    black: int = -1,
) -> str:
    """`use the General: R1 Star becomes Tool`."""
    card, *rest = parts
    if not rest:
        return say(key, card=card_name(card))
    if len(rest) == 1:
        what = player_name(int(rest[0][1:]) - 1).the if rest[0][0] == "U" else FIELD_WORDS[rest[0]]
        return say(f"{key}-for", card=card_name(card), what=what)
    die = rest[0]
    if die in PLACE:
        old = die_words(PLACE[die], faces[PLACE[die]], colours[PLACE[die]])
    elif die == "K":
        old = say("pocket.kommandant-die", face=FACE_WORDS[FACES[black]])
    else:
        old = say("pocket.axis-die", n=die[1:], face=FACE_WORDS[FACES[axis[int(die[1:]) - 1]]])
    shown = [FACE_WORDS[word] if word in FACES else say_colour(word) for word in rest[1:]]
    return say(f"{key}-die", card=card_name(card), die=old, becomes=" ".join(shown))
