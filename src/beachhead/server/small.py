"""Battle! and Express! as a guest sees them: Axis dice against one's own, which match, and what is at stake."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from ..advise import speaks
from ..core.errors import Invalid, Reason
from ..core.node import Decision, Event, Over
from ..landing.dice import COLOUR, COLOURS, DICE, FACE, FACES, HOME, PLACE
from ..landing.words import FACE_WORDS, die_words, say_colour
from ..pocket import battle, express, outline
from ..pocket.battle import FIELDS, Battle
from ..pocket.content import Medal, Specialist, beach_name, box, card_name, card_text, sector_of, sector_text
from ..pocket.dice import symbols
from ..pocket.express import Express
from ..pocket.text import FIELD_WORDS, SECTOR_WORDS, SYMBOL_WORDS, cards_words, faces_words, player_name, players
from ..pocket.world import DEFAULTS, MOST, OPTIONS
from ..say import capital, join, say
from ..table.match import Match
from . import messages as m
from .asked import put, reasons_of
from .logbook import Told
from .shown import tell

PHASES = {
    "express": ("axis", "roll", "specialists", "rally", "compare"),
    "battle": ("start", "axis", "roll", "medals", "compare", "decide"),
}
COLOUR_NAMES: tuple[Literal["red", "white", "blue"], ...] = ("red", "white", "blue")
KOMMANDANT = "K"


def tell_small(key: str, **args: Any) -> str:
    """The message `pocket.screen.KEY` of the catalogue."""
    return say(f"pocket.screen.{key}", **args)


def table_of(match: Match) -> Any:
    """A game of Battle! or of Express!."""
    return match.state


def shown(match: Match, seats: Sequence[int]) -> m.Screen:
    """What lies on the table."""
    g = table_of(match)
    return m.Screen(
        game=match.game.name,
        title=title_of(g),
        subtitle=_subtitle(g),
        turn=g.turn,
        phase=_phase(g),
        phases=[
            m.PhaseNow(name, say(f"pocket.phase.{name}"), say(f"pocket.phase-short.{name}")) for name in _phases(g)
        ],
        board="",
        sectors=_sectors(g),
        units=[_unit(g, seat) for seat in range(len(g.lanes))],
        asks=[],
        waiting=[],
        pool=_pool(g),
        notes=_notes(g),
        duel=_duel(g),
        turn_name=_turn(g),
        adviser=speaks(match.game.machine.view(g, None)),
    )


def title(match: Match) -> str:
    return title_of(table_of(match))


def _turn(g: Battle | Express) -> str:
    """The turn in words, where they are not just its number."""
    if not g.turn:
        return tell_small("before")
    return tell_small("round", n=g.turn) if isinstance(g, Battle) else ""


def _phase(g: Battle | Express) -> str:
    """Soldiers roll side by side: as long as one of them is at it, all are at their dice."""
    rolls = isinstance(g, Express) and any(express.rolls_made(g, seat) for seat in range(len(g.soldiers)))
    return "roll" if rolls else g.phase


def _phases(g: Battle | Express) -> tuple[str, ...]:
    names = PHASES[g.world.game]
    return names[1:] if names[0] == "start" and g.phase != "start" else names


def title_of(g: Battle | Express) -> str:
    if isinstance(g, Battle):
        return say("pocket.game.battle")
    return say("pocket.neptune") if "neptune" in g.world.options else beach_name(g.beach or g.world.beaches[0])


def _subtitle(g: Battle | Express) -> str:
    parts = [] if isinstance(g, Battle) else [say("pocket.game.express")]
    if isinstance(g, Express) and "neptune" in g.world.options:
        parts.append(beach_name(g.beach or g.world.beaches[0]))
    parts += [capital(say(f"pocket.option.{name}")) for name in sorted(g.world.options) if name != "neptune"]
    return " · ".join(parts)


# ---------------------------------------------------------------------------------------------------- the field


def _sectors(g: Battle | Express) -> list[m.SectorNow]:
    """The sectors of the beach, or the faces of the battlefield die."""
    if isinstance(g, Battle):
        return [
            m.SectorNow(name, str(FIELD_WORDS[name]), [], capital(say(f"pocket.field-text.{name}")), [], [])
            for name in FIELDS
        ]
    found = []
    won = g.beaches == len(g.world.beaches)
    for number, id in enumerate(FIELDS, 1):
        here = number == g.sector
        name = tell_small("sector", n=number, name=SECTOR_WORDS[str(number)])
        said = sector_text(g.beach, number, g.world.advanced)
        rebuilt = sector_of(g.beach, number, g.world.advanced).basis == "reconstructed"
        seats = list(range(len(g.soldiers))) if here else []
        marks = [tell_small("axis-dice", n=number)]
        visited = number < g.sector or won
        found.append(m.SectorNow(id, name, marks, said, [], seats, visited=visited, rebuilt=rebuilt))
    return found


def _fights(g: Battle) -> int:
    """Whose dice lie there: of whoever has the turn, or had the last one."""
    if g.active >= 0 or not g.turn:
        return g.active
    return next(seat for seat in reversed(battle.order_of_play(g)) if not g.tied or seat in g.tied)


def _duel(g: Battle | Express) -> m.Duel:
    dice = [_axis_die(face, n) for n, face in enumerate(g.axis, 1)]
    if g.black >= 0:
        words = say("pocket.kommandant-die", face=FACE_WORDS[FACES[g.black]])
        dice.append(m.AxisDie("black", FACES[g.black], words, FACE_WORDS[FACES[g.black]]))
    whose = max(0, _fights(g)) if isinstance(g, Battle) else 0
    for die, needs in zip(dice, outline.pairing(g, whose).needs, strict=True):
        die.needs = needs
    if isinstance(g, Battle):
        field = FIELDS[g.field_] if g.field_ >= 0 else ""
        return m.Duel(
            track=tell_small("track.battle"),
            title=tell_small("skirmish", n=g.skirmish) if g.skirmish else "",
            here=field,
            name=str(FIELD_WORDS[field]) if field else "",
            text=capital(say(f"pocket.field-text.{field}")) if field else "",
            rule=battle.FIELD_RULES[g.field_] if field else "",
            axis=dice,
            facts=_stakes(g) if g.active >= 0 else [],
            seat=_fights(g),
        )
    number = g.sector
    printed = sector_of(g.beach, number, g.world.advanced) if number else None
    return m.Duel(
        track=tell_small("track.express"),
        title=tell_small("sector", n=number, name=SECTOR_WORDS[str(number)]) if number else "",
        here=FIELDS[number - 1] if number else "",
        name=_where(g),
        text=sector_text(g.beach, number, g.world.advanced) if number else "",
        rule=printed.rule if printed and printed.text else "",
        axis=dice,
    )


def _where(g: Express) -> str:
    """The beach; in the operation over all of them, which one it is."""
    if not g.beach or len(g.world.beaches) == 1:
        return beach_name(g.beach) if g.beach else ""
    at = g.world.beaches.index(g.beach) + 1
    return tell_small("beach-of", beach=beach_name(g.beach), n=at, of=len(g.world.beaches))


def _axis_die(face: int, n: int) -> m.AxisDie:
    return m.AxisDie(
        "gray", FACES[face], say("pocket.axis-die", n=n, face=FACE_WORDS[FACES[face]]), FACE_WORDS[FACES[face]]
    )


def _stakes(g: Battle) -> list[m.Counter]:
    brings = battle.worth(g) if g.axis or g.black >= 0 else 0
    return [m.Counter("worth", tell_small("worth"), brings), m.Counter("stake", tell_small("stake"), g.pot)]


def _notes(g: Battle | Express) -> list[str]:
    if isinstance(g, Express):
        found = [say("pocket.event.barred")] if g.barred else []
        found += [tell_small(f"carried.{name}", n=g.carried.count(name)) for name in dict.fromkeys(g.carried)]
        return [capital(said) for said in found]
    found = []
    if g.order:
        found.append(say(f"pocket.event.must-{g.order}", who=player_name(g.active)))
    if g.worthless:
        found.append(say("pocket.event.worthless"))
    if g.tied:
        found.append(tell_small("bonus", who=players(g.tied)))
    return [capital(said) for said in found]


# ---------------------------------------------------------------------------------------------------- players


def _unit(g: Battle | Express, seat: int) -> m.UnitNow:
    if isinstance(g, Battle):
        player = g.players[seat]
        counters = [m.Counter("score", tell_small("score"), player.score)]
        if seat == g.active:
            counters.append(m.Counter("stake", tell_small("stake"), g.pot))
        cards = [_medal(g, card) for card in player.medals]
        place, name = "", tell_small("has-turn") if seat == g.active else ""
    else:
        counters = []
        cards = [_specialist(g, card, "specialists") for card in g.squad if _uses(g, seat, card)]
        place = FIELDS[g.sector - 1] if g.sector else ""
        name = tell_small("lead") if seat == express.LEAD and len(g.soldiers) > 1 else ""
    return m.UnitNow(
        seat=seat,
        name=str(player_name(seat)),
        nation="",
        status="on the map",
        sector=place,
        sector_name=name,
        marker="",
        leave="",
        strength=0,
        counters=counters,
        cards=cards,
        tray=_tray(g, seat),
    )


def _uses(g: Express, seat: int, card: str) -> bool:
    return g.world.switches["specialists"] == "squad" or g.holders[card] == seat


def _medal(g: Battle, card: str, place: Literal["awards", "pool"] = "awards") -> m.CardNow:
    found = g.world.box.medals[card]
    return _card(found, "award", say("pocket.kind.medal"), place, tell_small(f"turn.{found.turn}"))


def _specialist(g: Express, card: str, place: Literal["specialists", "pool", "used"]) -> m.CardNow:
    found = g.world.box.specialists[card]
    when = tell_small("fresh") if card in g.fresh else tell_small(f"kind.{found.kind}")
    return _card(found, "specialist", say("pocket.kind.specialist"), place, when)


def _card(card: Specialist | Medal, kind: str, kind_name: str, place: Any, when: str) -> m.CardNow:
    if place in ("pool", "used"):
        when = capital(SYMBOL_WORDS[card.rwb])
    return m.CardNow(
        id=card.id,
        name=str(card_name(card.id)),
        kind=kind,
        kind_name=kind_name,
        text=card_text(card.id),
        rebuilt=card.basis == "reconstructed",
        place=place,
        when=when,
    )


def _pool(g: Battle | Express) -> list[m.CardNow]:
    """Cards that nobody has, with the result that brings each; then those that are out of the game."""
    if isinstance(g, Battle):
        return [_medal(g, card, "pool") for card in g.deck]
    return [_specialist(g, card, "pool") for card in g.deck] + [_specialist(g, card, "used") for card in g.gone]


# ---------------------------------------------------------------------------------------------------- dice


def _tray(g: Battle | Express, seat: int) -> m.Tray:
    theirs = isinstance(g, Battle) and seat != _fights(g)
    faces = (-1,) * 6 if theirs else outline.faces_of(g, seat)
    colours = outline.colours_of(g, seat)
    if max(faces) < 0:
        return m.Tray([_bare(place) for place in range(6)])
    found = outline.pairing(g, seat)
    pairs = [m.Pair(n, list(dice)) for n, dice in enumerate(found.matched) if dice]
    matches = {die: n for n, dice in enumerate(found.matched, 1) for die in dice}
    rwb = _rwb_dice(faces, colours)
    dice = [_die(place, faces[place], colours[place], matches.get(DICE[place], 0), place in rwb) for place in range(6)]
    roll = battle.rolls_made(g) if isinstance(g, Battle) else express.rolls_made(g, seat)
    added = g.soldiers[seat].added if isinstance(g, Express) else ()
    worth = " ".join([_missing(found.missing), *_earns(g, seat)])
    near = _near(faces, colours) if roll else []
    return m.Tray(dice, [FACE_WORDS[FACES[face]] for face in added], worth, roll or 3, near, pairs)


def _die(place: int, face: int, colour: int, matches: int, rwb: bool) -> m.Die:
    if face < 0:
        return _bare(place)
    said = [die_words(place, face, colour)]
    said += [tell_small("matches", n=matches)] if matches else []
    said += [tell("die.rwb")] if rwb else []
    return m.Die(
        place=DICE[place],
        colour=COLOUR_NAMES[colour],
        face=FACES[face],
        words=", ".join(said),
        rwb=rwb,
        shows=FACE_WORDS[FACES[face]],
        pair=matches,
    )


def _bare(place: int) -> m.Die:
    colour = HOME[place]
    said = tell("die.unrolled", die=DICE[place], colour=say_colour(COLOURS[colour]))
    return m.Die(DICE[place], COLOUR_NAMES[colour], "", said)


def _by_colour(faces: Sequence[int], colours: Sequence[int], face: int) -> list[list[int]]:
    """Per colour the places of dice that show this face."""
    return [[n for n, one in enumerate(faces) if one == face and colours[n] == colour] for colour in range(3)]


def _rwb_dice(faces: Sequence[int], colours: Sequence[int]) -> set[int]:
    found: set[int] = set()
    for face in range(6):
        places = _by_colour(faces, colours, face)
        for some in places:
            found.update(some[: min(map(len, places))])
    return found


def _near(faces: Sequence[int], colours: Sequence[int]) -> list[m.Near]:
    found = []
    for face in range(6):
        lacking = [colour for colour, some in enumerate(_by_colour(faces, colours, face)) if not some]
        if len(lacking) == 1:
            found.append(m.Near(FACES[face], COLOUR_NAMES[lacking[0]]))
    return found


def _missing(faces: Sequence[int]) -> str:
    return say("pocket.plain.missing", dice=faces_words(faces)) + "." if faces else say("pocket.plain.all-there")


def _earns(g: Battle | Express, seat: int) -> list[str]:
    """The cards that this tally brings, as it lies."""
    if isinstance(g, Express):
        if express.bars_rally(g):
            return []
        earned: Iterable[str] = express.tally_symbols(g, seat)
        cards = [card for one in dict.fromkeys(earned) if (card := g.world.by_symbol.get(one, "")) in g.deck]
        return [tell_small("may-rally", cards=cards_words(cards))] if cards else []
    earned = symbols(g.faces, HOME)
    mine = g.players[seat].medals
    cards = [card for one in dict.fromkeys(earned) if (card := g.world.by_symbol.get(one, "")) and card not in mine]
    return [tell_small("earns", cards=cards_words(cards))] if cards else []


def because(match: Match, why: m.Why) -> m.Because:
    """What dice match that are kept while others are rolled again. Raises Invalid where no such question is open."""
    g = table_of(match)
    decision = match.decision(why.seat) if 0 <= why.seat < len(g.lanes) else None
    if why.question != "tally" or decision is None or decision.name != "reroll":
        raise Invalid(tell("why.no-tally"))
    faces = list(outline.faces_of(g, why.seat))
    if any(name not in PLACE or faces[PLACE[name]] < 0 for name in why.dice):
        raise Invalid(tell("why.no-tally"))
    for name in why.dice:
        faces[PLACE[name]] = -1
    stay = sum(face >= 0 for face in faces)
    missing = outline.pairing(_with(match, why.seat, faces), why.seat).missing
    return m.Because(why.id, tell("tally.kept", n=stay), stay, [m.Reason(_missing(missing))])


def _with(match: Match, seat: int, faces: Sequence[int]) -> Any:
    """The game with other faces of this seat's dice."""
    g = match.game.machine.clone(match.state)
    if isinstance(g, Express):
        g.soldiers[seat].faces = tuple(faces)
    elif isinstance(g, Battle):
        g.faces = tuple(faces)
    return g


# ---------------------------------------------------------------------------------------------------- questions


def ask(match: Match, decision: Decision, undo: Mapping[int, str]) -> m.AskNow:
    picks, apart = _picks(match, decision)
    found = put(match, decision, undo, lambda key: _option(match, decision, key), _nots(match, decision), apart=apart)
    found.picks = picks
    if decision.name == "reroll":
        g = table_of(match)
        matched = {die for dice in outline.pairing(g, decision.seat).matched for die in dice}
        loose = battle.loose(g) if isinstance(g, Battle) else express.loose(g, decision.seat)
        found.preset = [die for place, die in enumerate(DICE) if loose >> place & 1 and die not in matched]
    elif decision.name == "leave":
        found.preset = list(LEFT[: len(decision.keys[0].split(","))])
    found.options.sort(key=lambda option: option.key in _last(match, decision))
    return found


LEFT = ("B2", "W2", "R2", "B1", "W1")
"""Dice that are proposed to be left out: those of a colour are as good as those of another, but each is needed."""


def _last(match: Match, decision: Decision) -> tuple[str, ...]:
    """Answers that nobody wants who has a better one, and that no hasty finger should meet first."""
    if decision.name == "sacrifice":
        g = table_of(match)
        lost = any(not one.cleared and outline.pairing(g, n).missing for n, one in enumerate(g.soldiers))
        return ("pass",) if lost else ()
    return ("none",) if decision.name == "rally?" else ()


def _option(match: Match, decision: Decision, key: str) -> m.Option:
    box = table_of(match).world.box
    parts = key.split(":")
    card = parts[1] if len(parts) > 1 and parts[1] in {**box.specialists, **box.medals} else ""
    unit = int(parts[2][1:]) - 1 if len(parts) == 3 and parts[2][:1] == "U" else -1
    label = capital(match.game.label(match.state, decision, key))
    return m.Option(key=key, label=label, detail=card_text(card) if card else "", card=card, unit=unit)


def _nots(match: Match, decision: Decision) -> list[m.Not]:
    """Answers that are not allowed; of many sets of dice with the same reason one is enough."""
    found, told = [], set()
    for key, reasons in match.game.machine.refusals(match.state, decision.seat).items():
        if key.startswith("roll:") and "," in key:
            if reasons in told:
                continue
            told.add(reasons)
        found.append(m.Not(key, capital(_short(match, decision, key, reasons)), reasons_of(reasons)))
    return found


def _short(match: Match, decision: Decision, key: str, reasons: Sequence[Reason]) -> str:
    parts = key.split(":")
    if parts[0] in ("use", "play") and len(parts) == 2:
        return str(card_name(parts[1]))
    return match.game.label(match.state, decision, key)


def _picks(match: Match, decision: Decision) -> tuple[list[m.Pick], set[str]]:
    """Answers that turn a die (`use:general:R1:star`), by card and by die."""
    g, seat = table_of(match), decision.seat
    cards: dict[str, dict[str, list[str]]] = {}
    for key in decision.keys:
        parts = key.split(":")
        if len(parts) >= 4:
            cards.setdefault(parts[1], {}).setdefault(parts[2], []).append(key)
    lacks = len(outline.pairing(g, seat).missing) if cards else 0
    found = []
    for card, dice in cards.items():
        ways = [
            m.Way(
                die,
                *_lying(g, seat, die),
                options=[_turned(match, decision, key, lacks) for key in keys],
            )
            for die, keys in dice.items()
        ]
        found.append(m.Pick(str(card_name(card)), card_text(card), card, ways))
    return found, {key for dice in cards.values() for keys in dice.values() for key in keys}


def _lying(g: Battle | Express, seat: int, die: str) -> tuple[str, str, str]:
    """A die that can be turned: its colour, its face and its words."""
    if die == KOMMANDANT:
        return "black", FACES[g.black], say("pocket.kommandant-die", face=FACE_WORDS[FACES[g.black]])
    if die not in PLACE:
        face = g.axis[int(die[1:]) - 1]
        return "gray", FACES[face], say("pocket.axis-die", n=die[1:], face=FACE_WORDS[FACES[face]])
    place = PLACE[die]
    face, colour = outline.faces_of(g, seat)[place], outline.colours_of(g, seat)[place]
    return COLOURS[colour], FACES[face], die_words(place, face, colour)


def _turned(match: Match, decision: Decision, key: str, lacks: int) -> m.Turned:
    """What the die becomes. The die of a Medal for Axis dice is compared with those of whoever has the turn."""
    _, _, die, *words = key.split(":")
    g: Any = match.game.machine.clone(match.state)
    seat = g.active if isinstance(g, Battle) else decision.seat
    colour, face, _ = _lying(g, seat, die)
    for word in words:
        colour, face = (colour, word) if word in FACE else (word, face)
    if die == KOMMANDANT:
        g.black = FACE[face]
    elif die not in PLACE:
        g.axis = tuple(FACE[face] if f"G{n}" == die else one for n, one in enumerate(g.axis, 1))
    else:
        faces, colours = list(outline.faces_of(g, seat)), list(outline.colours_of(g, seat))
        faces[PLACE[die]], colours[PLACE[die]] = FACE[face], COLOUR[colour]
        if isinstance(g, Express):
            g.soldiers[seat].faces, g.soldiers[seat].colours = tuple(faces), tuple(colours)
        else:
            g.faces = tuple(faces)
    shows = [FACE_WORDS[word] if word in FACE else say_colour(word) for word in words]
    helps = lacks - len(outline.pairing(g, seat).missing)
    helps = helps if seat == decision.seat else -helps
    label = capital(match.game.label(match.state, decision, key))
    return m.Turned(key, label, colour, face, capital(" ".join(shows)), helps)


# ---------------------------------------------------------------------------------------------------- the log


def turns(events: Sequence[Event]) -> list[tuple[int, int]]:
    """From which event on which turn is played: a round of Battle!, a try at a sector of Express!"""
    found, n = [], 0
    for event in events:
        if event.type in ("round", "sector", "replay"):
            n += 1
            found.append((event.n, n))
    return found


def fx(event: Event) -> dict[str, Any]:
    """What there is to animate; `clear`: the dice that lay on the table are picked up."""
    data = event.data
    if event.type == "dice":
        faces = [FACES[face] if face >= 0 else "" for face in data["faces"]]
        return {"dice": {"seat": event.seat, "rolled": data["rolled"].split(","), "faces": faces}}
    if event.type == "restart" or (event.type == "axis" and not event.source):
        return {"clear": {}}
    if event.type == "retreat":
        return {"change": {"seat": event.seat, "score": data["points"]}}
    if event.type in ("rallied", "earned", "played"):
        return {"card": {"seat": event.seat, "card": data["card"], "to": "used" if event.type == "played" else "hand"}}
    return {}


LOG = Told(turns, fx)


# ---------------------------------------------------------------------------------------------------- the end


def _cleared_by(events: Sequence[Event]) -> list[str]:
    """For whom a card cleared the last sector: their dice do not show why."""
    since = max((n for n, event in enumerate(events) if event.type == "axis"), default=0)
    return [
        say("event.note", said=say("pocket.event.clears", who=player_name(event.seat)), note=card_name(event.source))
        for event in events[since:]
        if event.type == "matched" and event.source
    ]


def ended(match: Match, over: Over, notes: list[str]) -> m.Ended:
    g = table_of(match)
    last = match.game.narrate(match.events[-1])
    if isinstance(g, Express):
        title = tell_small("won" if over.won else "lost", beach=title_of(g))
        told = "".join(f"{capital(said)}. " for said in (_cleared_by(match.events) if over.won else []))
        told += f"{last}. {say('pocket.end.sectors', n=g.cleared)}."
        if len(g.world.beaches) > 1:
            told += f" {say('pocket.end.beaches', n=g.beaches, of=len(g.world.beaches))}."
        return m.Ended(over.won, over.cause, title, told, notes=notes)
    rows = [
        [tell_small("score"), *(str(player.score) for player in g.players)],
        [say("pocket.kind.medals"), *(str(battle.MEDAL_POINTS * len(player.medals)) for player in g.players)],
        [tell_small("total"), *map(str, over.scores)],
    ]
    if len(g.players) == 1:
        title = tell_small("solo", n=over.scores[0])
        said = tell_small("solo-rounds", n=g.turn)
    else:
        title = tell_small("winner", who=join([player_name(seat) for seat in g.winners]), n=len(g.winners))
        said = tell_small("rounds", n=g.turn)
    return m.Ended(over.won, over.cause, title, said, list(over.scores), rows, notes, ranked=True)


# ---------------------------------------------------------------------------------------------------- lists


def listed(game: str, setup: Mapping[str, Any]) -> dict[str, str]:
    """What a list of games says of one: the game in place of the edition, the beach in place of the map."""
    name = say(f"pocket.game.{game}")
    options = setup.get("options") or []
    place, where = game, name
    if game == "express":
        place = "neptune" if "neptune" in options else str(setup.get("beach") or DEFAULTS[game]["beach"])
        where = say("pocket.neptune") if place == "neptune" else beach_name(place) if place in box().beaches else place
    said = [capital(say(f"pocket.option.{one}")) for one in OPTIONS[game] if one in options and one != "neptune"]
    return {
        "edition": game,
        "edition_name": "" if where == name else name,
        "map": place,
        "map_name": where,
        "level": ",".join(sorted(options)),
        "level_name": ", ".join(said),
        "board": "",
    }


def winners(scores: Sequence[int]) -> tuple[int, ...]:
    return tuple(seat for seat, score in enumerate(scores) if score == max(scores))


def outcome(scores: Sequence[int]) -> str:
    """`Ann wins (31, 25)`."""
    who = winners(scores)
    return say("pocket.end.winner", who=players(who), n=len(who), scores=", ".join(map(str, scores)))


def choices() -> list[dict[str, Any]]:
    """The games of Pocket as they can be chosen."""
    found = []
    for game in ("express", "battle"):
        beaches = []
        for beach in box().beaches if game == "express" else ():
            gantlet = tell_small("gantlet", text=sector_text(beach, 4, False))
            beaches.append({"id": beach, "name": beach_name(beach), "text": gantlet})
        options = [
            {
                "id": option,
                "name": capital(say(f"pocket.option.{option}")),
                "text": say(f"pocket.option-about.{option}"),
                "rule": rule,
            }
            for option, rule in OPTIONS[game].items()
        ]
        found.append(
            {"id": game, "name": say(f"pocket.game.{game}"), "text": say(f"pocket.about.{game}")}
            | {"seats": MOST[game], "usual": DEFAULTS[game]["seats"], "beaches": beaches, "options": options}
        )
    return found
