"""Battle!: win skirmishes as long as you dare; a lost one takes what the turn has brought.

A skirmish is played in steps: 1 battlefield die and Axis dice, 2 and 3 Allied dice, 4 Medals, 5 Medals that are earned,
6 compare, 7 advance or retreat. The dice belong to whoever has the turn.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

from ..core.errors import Reason, RecordError
from ..core.game import Brief, Game, Setup
from ..core.machine import MAIN, Frame, Machine, Question, Refusals, State, Throw
from ..core.node import Event, Outcome, Over, Roll
from ..core.plain import Plain, dump, load
from ..landing.dice import ALL, DICE, FACE, FACES, HOME, NAMES, PLACE, STAR, mask_of, set_keys
from ..say import say
from . import text
from .content import Medal, card_name
from .dice import NO_DICE, STREAMS, counts, enough, on_table, request, reroll_keys, reroll_refusals, rolled, symbols
from .world import World, whole, world_of

FIELDS = ("landing", "barriers", "rallying-point", "gantlet", "bluffs", "bunker")
LANDING, BARRIERS, RALLYING, GANTLET, BLUFFS, BUNKER = range(6)
FIELD_RULES = tuple(f"B-FIELD-0{n}" for n in range(2, 8))
TIMES = {BARRIERS: 2, RALLYING: 3}
FIRST_AXIS, MOST_AXIS = 2, 6
GOAL, MEDAL_POINTS = 30, 5
TIE_ROUNDS = 100
"""So many rounds of bonus turns are played at most; who is tied then shares the win (B-TIE-02)."""
KOMMANDANT = "K"


@dataclass(slots=True)
class Player:
    score: int = 0
    """Points that are safe."""
    medals: tuple[str, ...] = ()


@dataclass(slots=True)
class Battle(State):
    """A game of Battle!. `world` is what does not change."""

    world: World = field(default=None, compare=False, kw_only=True)  # type: ignore[assignment]
    turn: int = 0
    """Rounds: every player has had so many turns, or is to have."""
    phase: str = ""
    players: list[Player] = field(default_factory=list)
    deck: tuple[str, ...] = ()
    """Medals that nobody has."""
    first: int = 0
    """Who had the first turn."""
    active: int = -1
    skirmish: int = 0
    pot: int = 0
    """Points of this turn, still at stake."""
    field_: int = -1
    """The face of the battlefield die."""
    axis: tuple[int, ...] = ()
    """Gray dice."""
    black: int = -1
    deployed: bool = False
    faces: tuple[int, ...] = NO_DICE
    order: str = ""
    """What a Medal orders for step 7: `advance` or `retreat`."""
    won: str = ""
    """The Medal that wins this skirmish."""
    worthless: str = ""
    """The Medal for which this skirmish brings no points."""
    tied: tuple[int, ...] = ()
    """Who plays bonus turns for the win."""
    bonus: int = 0
    """Rounds of bonus turns."""
    winners: tuple[int, ...] = ()


# ---------------------------------------------------------------------------------------------------- who begins


def start(g: Battle, lane: int, frame: Frame) -> None:
    g.phase = "start"
    seats = tuple(range(len(g.players)))
    g.push(MAIN, ("round",))
    if len(seats) > 1:
        g.push(MAIN, ("most-stars", seats, ()))


def most_stars(g: Battle, lane: int, frame: Frame) -> None:
    """All have rolled, and one has the most Stars; or those who are tied roll again."""
    _, seats, stars = frame
    if len(stars) < len(seats):
        g.push(MAIN, ("stars", seats, stars))
        return
    best = tuple(seat for seat, n in zip(seats, stars, strict=True) if n == max(stars))
    if len(best) > 1:
        g.tell("start-tie", -1, {"seats": best}, "B-SETUP-04")
        g.push(MAIN, ("most-stars", best, ()))
    else:
        g.first = best[0]
        g.tell("starts", g.first, {"stars": max(stars)}, "B-SETUP-04")


def stars_request(g: Battle, lane: int, frame: Frame) -> Roll:
    stream = f"start:{frame[1][len(frame[2])]}"
    return Roll(stream, g.drawn.get(stream, 0), (6,), "B-SETUP-04")


def stars_outcome(g: Battle, lane: int, frame: Frame, outcome: Outcome) -> None:
    _, seats, stars = frame
    n = outcome.count(STAR)
    g.tell("stars", seats[len(stars)], {"stars": n}, "B-SETUP-04")
    g.push(MAIN, ("most-stars", seats, (*stars, n)))


# ---------------------------------------------------------------------------------------------------- turns


def order_of_play(g: Battle) -> tuple[int, ...]:
    n = len(g.players)
    return tuple((g.first + k) % n for k in range(n))


def round_(g: Battle, lane: int, frame: Frame) -> None:
    """Everybody has a turn, in bonus rounds only those who are tied."""
    g.turn += 1
    g.tell("round", -1, {"round": g.turn}, "B-TIE-01" if g.tied else "B-SETUP-05")
    g.push(MAIN, ("round-end",))
    for seat in reversed(order_of_play(g)):
        if not g.tied or seat in g.tied:
            g.push(MAIN, ("turn", seat))


def turn(g: Battle, lane: int, frame: Frame) -> None:
    g.active, g.skirmish, g.pot = frame[1], 0, 0
    g.tell("turn", g.active, {"score": g.players[g.active].score}, "B-SETUP-07")
    g.push(MAIN, ("skirmish", 1))


def final(g: Battle, seat: int) -> int:
    player = g.players[seat]
    return player.score + MEDAL_POINTS * len(player.medals)


def round_end(g: Battle, lane: int, frame: Frame) -> None:
    """All have had the same number of turns: is it over?"""
    g.active = -1
    reached = [player.score for player in g.players]
    if g.world.switches["thirty"] == "with-medals":
        reached = [final(g, seat) for seat in range(len(g.players))]
    if not g.tied and max(reached) < GOAL:
        g.push(MAIN, ("round",))
        return
    scores = [final(g, seat) for seat in range(len(g.players))]
    still = g.tied or tuple(range(len(g.players)))
    best = max(scores[seat] for seat in still)
    leaders = tuple(seat for seat in still if scores[seat] == best)
    if len(leaders) > 1 and g.bonus < TIE_ROUNDS:
        g.tied = leaders
        g.bonus += 1
        g.tell("tie", -1, {"seats": leaders, "score": best}, "B-TIE-02" if g.bonus > 1 else "B-TIE-01")
        g.push(MAIN, ("round",))
        return
    g.winners = leaders
    rule = "B-VICTORY-03" if len(g.players) > 1 else "B-VICTORY-01"
    g.tell("over", -1, {"winners": leaders, "scores": tuple(scores), "turns": g.turn}, rule)
    g.finish(Over(0 in leaders, "thirty-points", rule, tuple(scores)))


# ---------------------------------------------------------------------------------------------------- steps 1 to 3


def skirmish(g: Battle, lane: int, frame: Frame) -> None:
    """A skirmish begins; one that is begun again (Silver Star) has the same number."""
    g.skirmish = frame[1]
    g.axis, g.black, g.field_, g.faces = (), -1, -1, NO_DICE
    g.order = g.won = g.worthless = ""
    g.deployed = False
    g.phase = "axis"
    for after in ("compare", "earn"):
        g.push(MAIN, (after,))
    g.push(MAIN, ("window", 0, 0))
    for after in ("step2", "axis", "field"):
        g.push(MAIN, (after,))
    g.tell("skirmish", g.active, {"skirmish": g.skirmish, "dice": axis_dice(g)}, "B-STEP1-03")
    if "kommandant" in g.world.options:
        g.push(g.active, ("deploy",))


def axis_dice(g: Battle) -> int:
    return min(MOST_AXIS, FIRST_AXIS + g.skirmish - 1)


def deploy_keys(g: Battle, seat: int, frame: Frame) -> tuple[str, ...]:
    return ("deploy", "no")


def deploy_answer(g: Battle, seat: int, frame: Frame, key: str) -> None:
    g.deployed = key == "deploy"
    g.tell("kommandant", seat, {"deployed": g.deployed}, "K-BATTLE-01")


def field_request(g: Battle, lane: int, frame: Frame) -> Roll:
    return Roll("field", g.drawn.get("field", 0), (1,), "B-STEP1-01")


def field_outcome(g: Battle, lane: int, frame: Frame, outcome: Outcome) -> None:
    g.field_ = int(outcome[0])
    g.tell("field", -1, {"field": FIELDS[g.field_]}, FIELD_RULES[g.field_])


def axis_request(g: Battle, lane: int, frame: Frame) -> Roll:
    n = axis_dice(g)
    rule = "B-STEP1-02" if g.skirmish == 1 else "B-STEP1-03"
    return Roll("axis", g.drawn.get("axis", 0), (n - 1, 1) if g.deployed else (n,), rule)


def axis_outcome(g: Battle, lane: int, frame: Frame, outcome: Outcome) -> None:
    faces = tuple(int(face) for face in outcome)
    if g.deployed:
        faces, g.black = faces[:-1], faces[-1]
    g.axis = faces
    g.tell("axis", -1, {"axis": g.axis, "black": g.black}, "K-GENERAL-02" if g.deployed else "B-STEP1-04")


def step2(g: Battle, lane: int, frame: Frame) -> None:
    g.phase = "roll"
    seat = g.active
    g.push(seat, ("again", 1))
    if g.field_ != BUNKER:
        g.push(seat, ("dice", ALL))
    elif g.world.switches["bunker_die"] == "random":
        g.push(seat, ("leave-die",))
    else:
        g.push(seat, ("leave",))


def leave_keys(g: Battle, seat: int, frame: Frame) -> tuple[str, ...]:
    return set_keys("leave", ALL, 1, 1)


def leave_answer(g: Battle, seat: int, frame: Frame, key: str) -> None:
    _leave(g, seat, mask_of(key))


def leave_request(g: Battle, seat: int, frame: Frame) -> Roll:
    return Roll("leave", g.drawn.get("leave", 0), (1,), "B-FIELD-07", deck=DICE)


def leave_outcome(g: Battle, seat: int, frame: Frame, outcome: Outcome) -> None:
    _leave(g, seat, 1 << PLACE[str(outcome[0])])


def _leave(g: Battle, seat: int, aside: int) -> None:
    g.tell("aside", seat, {"dice": NAMES[aside]}, "B-FIELD-07")
    g.push(seat, ("dice", ALL & ~aside))


def dice_request(g: Battle, seat: int, frame: Frame) -> Roll:
    stream = STREAMS[seat]
    return request(stream, g.drawn.get(stream, 0), frame[1], "B-STEP3-01" if on_table(g.faces) else "B-STEP2-01")


def dice_outcome(g: Battle, seat: int, frame: Frame, outcome: Outcome) -> None:
    rule = "B-STEP3-01" if on_table(g.faces) else "B-STEP2-01"
    g.faces = rolled(g.faces, frame[1], outcome)
    g.tell("dice", seat, {"rolled": NAMES[frame[1]], "faces": g.faces, "colours": HOME}, rule)


def loose(g: Battle) -> int:
    """Dice that may be rolled again: not those that show what the Kommandant shows (K-BATTLE-02)."""
    found = on_table(g.faces)
    if g.black >= 0:
        found &= ~sum(1 << place for place, face in enumerate(g.faces) if face == g.black)
    return found


def again(g: Battle, lane: int, frame: Frame) -> None:
    """Ask for a re-roll, if there is a die to roll."""
    if frame[1] <= 2 and loose(g):
        g.push(lane, ("reroll", frame[1]))


def reroll_question_keys(g: Battle, seat: int, frame: Frame) -> tuple[str, ...]:
    return reroll_keys(loose(g))


def reroll_question_refusals(g: Battle, seat: int, frame: Frame) -> Refusals:
    return reroll_refusals(g.faces, loose(g), "pocket.refusal.kommandant", "K-BATTLE-02")


def reroll_answer(g: Battle, seat: int, frame: Frame, key: str) -> None:
    if key != "stop":
        g.push(seat, ("again", frame[1] + 1))
        g.push(seat, ("dice", mask_of(key)))


# ---------------------------------------------------------------------------------------------------- step 4: Medals


def window(g: Battle, lane: int, frame: Frame) -> None:
    """The active player may play Medals, then the others clockwise, until all have passed in succession."""
    _, at, passed = frame
    g.phase = "medals"
    n = len(g.players)
    while passed < n:
        seat = (g.active + at) % n
        if len(medal_keys(g, seat, ("medal", at, passed))) > 1:
            g.push(seat, ("medal", at, passed))
            return
        at, passed = (at + 1) % n, passed + 1


def playable(g: Battle, seat: int) -> tuple[Medal, ...]:
    """The Medals of this seat that may be played at this moment, by their timing."""
    own = seat == g.active
    cards = (g.world.box.medals[card] for card in g.players[seat].medals)
    return tuple(card for card in cards if card.turn == "any" or (card.turn == "own") == own)


def medal_keys(g: Battle, seat: int, frame: Frame) -> tuple[str, ...]:
    return ("pass", *(f"play:{card.id}{rest}" for card in playable(g, seat) for rest in _ways(g, card)))


def _ways(g: Battle, card: Medal) -> list[str]:
    """How a Medal may be played now, as endings of keys."""
    if card.ability == "axis":
        dice = [(f"G{n + 1}", face) for n, face in enumerate(g.axis)]
        dice += [(KOMMANDANT, g.black)] if g.black >= 0 else []
        return [f":{die}:{name}" for die, face in dice for name in FACES if FACE[name] != face]
    if card.ability == "die":
        lying = [(DICE[place], face) for place, face in enumerate(g.faces) if face >= 0]
        return [f":{die}:{name}" for die, face in lying for name in FACES if FACE[name] != face]
    if card.ability == "field":
        if g.field_ == BUNKER:
            return []
        return [f":{name}" for n, name in enumerate(FIELDS) if n not in (BUNKER, g.field_)]
    return [""]


def medal_refusals(g: Battle, seat: int, frame: Frame) -> Refusals:
    out: dict[str, tuple[Reason, ...]] = {}
    now = playable(g, seat)
    for name in g.players[seat].medals:
        card = g.world.box.medals[name]
        if card not in now:
            out[f"play:{name}"] = (
                Reason(say(f"pocket.refusal.{card.turn}-turn", card=card_name(name).the), "B-MEDAL-08"),
            )
        elif card.ability == "field":
            why = Reason(say("pocket.refusal.bunker", card=card_name(name).the), "B-MEDAL-07")
            out[f"play:{name}:bunker"] = (why,)
            if g.field_ == BUNKER:
                out[f"play:{name}"] = (why,)
    return out


def medal_answer(g: Battle, seat: int, frame: Frame, key: str) -> None:
    _, at, passed = frame
    n = len(g.players)
    if key == "pass":
        g.push(MAIN, ("window", (at + 1) % n, passed + 1))
        return
    _, name, *rest = key.split(":")
    player = g.players[seat]
    player.medals = tuple(card for card in player.medals if card != name)
    g.deck = (*g.deck, name)
    rule = "B-MEDAL-07" if seat == g.active else "B-MEDAL-08"
    g.tell("played", seat, {"card": name}, rule, name)
    ability = g.world.box.medals[name].ability
    if ability == "again":
        while g.main and g.main[-1][0] in ("earn", "compare", "window"):
            g.main.pop()
        g.push(MAIN, ("skirmish", g.skirmish))
        return
    g.push(MAIN, ("window", at, 0))
    PLAYED[ability](g, seat, name, rest)


def _play_axis(g: Battle, seat: int, card: str, rest: list[str]) -> None:
    die, face = rest
    if die == KOMMANDANT:
        g.black = FACE[face]
    else:
        faces = list(g.axis)
        faces[int(die[1:]) - 1] = FACE[face]
        g.axis = tuple(faces)
    g.tell("axis", -1, {"axis": g.axis, "black": g.black}, "B-STEP1-04", card)


def _play_die(g: Battle, seat: int, card: str, rest: list[str]) -> None:
    faces = list(g.faces)
    faces[PLACE[rest[0]]] = FACE[rest[1]]
    g.faces = tuple(faces)
    g.tell("changed", seat, {"die": rest[0], "faces": g.faces, "colours": HOME}, "B-STEP4-02", card)


def _play_field(g: Battle, seat: int, card: str, rest: list[str]) -> None:
    g.field_ = FIELDS.index(rest[0])
    g.tell("field", -1, {"field": rest[0]}, "B-MEDAL-12", card)


def _play_win(g: Battle, seat: int, card: str, rest: list[str]) -> None:
    g.won = card
    _order(g, card, "retreat")


def _play_advance(g: Battle, seat: int, card: str, rest: list[str]) -> None:
    _order(g, card, "advance")


def _order(g: Battle, card: str, what: str) -> None:
    g.order = what
    g.tell("ordered", g.active, {"order": what}, "B-MEDAL-13", card)


def _play_worthless(g: Battle, seat: int, card: str, rest: list[str]) -> None:
    g.worthless = card
    g.tell("worthless", g.active, {}, "B-MEDAL-12", card)


PLAYED = {
    "axis": _play_axis,
    "die": _play_die,
    "field": _play_field,
    "win": _play_win,
    "advance": _play_advance,
    "worthless": _play_worthless,
}
"""What each ability of a Medal does; `again` begins the skirmish anew."""


# ---------------------------------------------------------------------------------------------------- steps 5 to 7


def earn(g: Battle, lane: int, frame: Frame) -> None:
    """Step 5: the Medal of each RWB, or of the Straight, at once; from another player if they have it."""
    g.phase = "compare"
    earned = symbols(g.faces, HOME)
    g.tell("tally", g.active, {"symbols": earned}, "B-STEP4-02")
    for symbol in dict.fromkeys(earned):
        card = g.world.by_symbol.get(symbol, "")
        player = g.players[g.active]
        if not card or card in player.medals:
            continue
        holder = next((seat for seat, other in enumerate(g.players) if card in other.medals), -1)
        if holder >= 0:
            other = g.players[holder]
            other.medals = tuple(one for one in other.medals if one != card)
        g.deck = tuple(one for one in g.deck if one != card)
        player.medals = (*player.medals, card)
        rule = "B-MEDAL-03" if holder >= 0 else "B-MEDAL-05" if symbol == "straight" else "B-MEDAL-02"
        g.tell("earned", g.active, {"card": card, "from": holder}, rule, card)


def worth(g: Battle) -> int:
    """The points of this skirmish if it is won (B-STEP6-05, K-BATTLE-03)."""
    if g.worthless:
        return 0
    n, times = len(g.axis) + (g.black >= 0), TIMES.get(g.field_, 1)
    extra = int(g.black >= 0)
    if g.world.switches["kommandant_points"] == "plain":
        return n * times + extra
    return (n + extra) * times


def compare(g: Battle, lane: int, frame: Frame) -> None:
    """Step 6, and what follows from it."""
    if not g.won and not enough(counts(g.faces), counts((*g.axis, g.black))):
        g.tell("lost-skirmish", g.active, {"points": g.pot}, "B-STEP6-06")
        g.pot = 0
        return
    points = worth(g)
    g.pot += points
    g.tell("won-skirmish", g.active, {"points": points, "pot": g.pot}, "B-STEP6-05", g.won)
    g.phase = "decide"
    if g.order:
        _decide(g, g.order, "B-MEDAL-12")
    elif g.field_ == GANTLET:
        _decide(g, "advance", "B-FIELD-05")
    elif g.field_ == BLUFFS:
        _decide(g, "retreat", "B-FIELD-06")
    else:
        g.push(g.active, ("decide",))


def decide_keys(g: Battle, seat: int, frame: Frame) -> tuple[str, ...]:
    return ("advance", "retreat")


def decide_answer(g: Battle, seat: int, frame: Frame, key: str) -> None:
    _decide(g, key, "B-STEP7-02" if key == "advance" else "B-STEP7-03")


def _decide(g: Battle, what: str, rule: str) -> None:
    if what == "advance":
        g.tell("advance", g.active, {"pot": g.pot}, rule)
        g.push(MAIN, ("skirmish", g.skirmish + 1))
        return
    player = g.players[g.active]
    player.score += g.pot
    g.tell("retreat", g.active, {"points": g.pot, "score": player.score}, rule)
    g.pot = 0
    reached = player.score if g.world.switches["thirty"] == "banked" else final(g, g.active)
    if reached >= GOAL and not g.tied:
        g.tell("thirty", g.active, {"score": reached}, "B-VICTORY-01")


# ---------------------------------------------------------------------------------------------------- the game

SEEN = (
    *("turn", "phase", "deck", "first", "active", "skirmish", "pot", "axis", "black", "deployed", "faces", "order"),
    *("won", "worthless", "tied", "bonus", "winners", "over"),
)
"""Everything lies open in Battle!; what is not listed here is not sent."""


def view(g: Battle, seat: int | None) -> dict[str, Plain]:
    return {
        "game": "battle",
        "options": sorted(g.world.options),
        "switches": dict(g.world.switches),
        "seat": seat,
        **{name: dump(getattr(g, name)) for name in SEEN},
        "field": FIELDS[g.field_] if g.field_ >= 0 else "",
        "colours": list(HOME),
        "roll": rolls_made(g),
        "worth": worth(g) if g.axis or g.black >= 0 else 0,
        "players": [{"score": player.score, "medals": list(player.medals)} for player in g.players],
    }


def rolls_made(g: Battle) -> int:
    """While dice may still be rolled again: which roll lies on the table; else 0."""
    lane = g.lanes[g.active] if g.active >= 0 else []
    return next((int(frame[1]) for frame in lane if frame[0] in ("again", "reroll")), 0)


def _by(rule: str) -> Any:
    return lambda g, seat, frame: rule


MACHINE: Machine[Battle] = Machine(
    "battle",
    Battle,
    steps={
        "start": start,
        "most-stars": most_stars,
        "round": round_,
        "turn": turn,
        "round-end": round_end,
        "skirmish": skirmish,
        "step2": step2,
        "again": again,
        "window": window,
        "earn": earn,
        "compare": compare,
    },
    questions={
        "deploy": Question("one", deploy_keys, deploy_answer, _by("K-BATTLE-01")),
        "leave": Question("some", leave_keys, leave_answer, _by("B-FIELD-07")),
        "reroll": Question("some", reroll_question_keys, reroll_answer, _by("B-STEP3-01"), reroll_question_refusals),
        "medal": Question("one", medal_keys, medal_answer, _by("B-STEP4-01"), medal_refusals),
        "decide": Question("one", decide_keys, decide_answer, _by("B-STEP7-01")),
    },
    throws={
        "stars": Throw(stars_request, stars_outcome),
        "field": Throw(field_request, field_outcome),
        "axis": Throw(axis_request, axis_outcome),
        "leave-die": Throw(leave_request, leave_outcome),
        "dice": Throw(dice_request, dice_outcome),
    },
    view=view,
)


def blank(world: World) -> Battle:
    """A game before its first step."""
    n = world.seats
    return Battle(
        world=world,
        main=[("start",)],
        lanes=[[] for _ in range(n)],
        asked=[0] * n,
        players=[Player() for _ in range(n)],
        deck=tuple(world.box.medals),
    )


def new(setup: Setup) -> tuple[Battle, list[Event]]:
    g = blank(world_of("battle", setup))
    return g, MACHINE.start(g)


def load_battle(setup: Setup, data: dict[str, Plain]) -> Battle:
    try:
        g = load(Battle, data)
    except (ValueError, TypeError, KeyError) as error:
        raise RecordError(f"this is no state of Battle!: {error}") from None
    g.world = world_of("battle", setup)
    return g


GAME = Game(
    name="battle",
    machine=cast(Machine[Any], MACHINE),
    new=cast(Any, new),
    load=cast(Any, load_battle),
    content_hash=lambda setup: world_of("battle", setup).box.hash,
    changed=lambda setup: world_of("battle", setup).box.changed,
    narrate=text.narrate,
    prompt=cast(Any, text.battle_prompt),
    label=cast(Any, text.battle_label),
    brief=cast(Any, lambda g: Brief(g.turn, final(g, 0) if len(g.players) == 1 else None)),
    setup=lambda setup: whole("battle", setup),
    place=lambda g: "battle",
)
