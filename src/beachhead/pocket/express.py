"""Express!: a squad clears a beach sector by sector, or loses.

A sector is played in steps: 1 the sector, 2 the Axis dice, 3 and 4 everybody's dice, 5 Specialists, 6 rally, 7 compare,
8 go on. Soldiers roll side by side; what the squad decides together is asked of the lead soldier, seat 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, cast

from ..core.errors import Reason, RecordError
from ..core.game import Brief, Game, Setup
from ..core.machine import MAIN, Frame, Machine, Question, Refusals, State, Throw
from ..core.node import Event, Outcome, Over, Roll
from ..core.plain import Plain, dump, load
from ..landing.dice import ALL, COLOUR, COLOURS, DICE, FACE, FACES, HOME, NAMES, PLACE, mask_of, set_keys
from ..say import say
from . import text
from .content import SECTORS, STRAIGHT, Effect, Specialist, card_name, sector_of
from .dice import NO_DICE, STREAMS, counts, enough, on_table, request, reroll_keys, reroll_refusals, rolled, symbols
from .world import World, whole, world_of

LEAD = 0
BUNKER = 6
MOST_AXIS = 6


@dataclass(slots=True)
class Soldier:
    """One player of the squad."""

    faces: tuple[int, ...] = NO_DICE
    colours: tuple[int, ...] = HOME
    added: tuple[int, ...] = ()
    """Results without a colour beside the dice."""
    used: tuple[str, ...] = ()
    """Specialists that this soldier has used on this tally."""
    cleared: str = ""
    """The Specialist who clears this sector for the soldier."""


@dataclass(slots=True)
class Express(State):
    """A game of Express!. `world` is what does not change."""

    world: World = field(default=None, compare=False, kw_only=True)  # type: ignore[assignment]
    turn: int = 0
    """How often Axis dice were rolled."""
    phase: str = ""
    beach: str = ""
    beaches: int = 0
    """Beaches conquered."""
    sector: int = 0
    cleared: int = 0
    """Sectors cleared, on all beaches together."""
    times: int = 0
    """How often this sector was cleared, where once is not enough."""
    axis: tuple[int, ...] = ()
    """Gray dice, and results that the sector adds to them."""
    black: int = -1
    """The Kommandant's die."""
    deployed: bool = False
    soldiers: list[Soldier] = field(default_factory=list)
    squad: tuple[str, ...] = ()
    holders: dict[str, int] = field(default_factory=dict)
    """Specialist of the squad -> who rallied them."""
    fresh: tuple[str, ...] = ()
    """Those rallied in this sector: not to be used in it."""
    deck: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    """Sacrificed or lost."""
    rallied: int = 0
    """How many were rallied in this sector."""
    effects: tuple[int, ...] = ()
    """Numbers of the sector's effects that hold here; what they ask for was looked at on arrival."""
    carried: tuple[str, ...] = ()
    """What the last sector left for this one: `axis` (a die more, each time), `kommandant`, `no-use`, `no-rally`."""
    left: tuple[str, ...] = ()
    """The same, for the next sector."""
    barred: bool = False
    """No Specialist can be used any more."""


# ---------------------------------------------------------------------------------------------------- the sector


def here(g: Express, do: str) -> tuple[Effect, ...]:
    """The effects of this kind that hold in this sector."""
    if not g.effects:
        return ()
    printed = sector_of(g.beach, g.sector, g.world.advanced).effects
    return tuple(printed[n] for n in g.effects if printed[n].do == do)


def rule_here(g: Express) -> str:
    """The rule behind what is special in this sector."""
    return sector_of(g.beach, g.sector, g.world.advanced).rule


def _holds(g: Express, effect: Effect) -> bool:
    return (not effect.with_ or effect.with_ in g.squad) and (not effect.without or effect.without not in g.squad)


def beach(g: Express, lane: int, frame: Frame) -> None:
    """A new invasion: nobody is with the squad, all Specialists are in the deck (E-SETUP-06, N-NEPTUNE-03)."""
    g.beach = g.world.beaches[g.beaches]
    stay_out = g.gone if g.world.switches["neptune_reset"] == "removed-stay-out" else ()
    g.gone = stay_out
    g.squad, g.fresh, g.holders, g.left, g.barred = (), (), {}, (), False
    g.deck = tuple(card for card in g.world.box.specialists if card not in stay_out)
    g.tell("beach", -1, {"beach": g.beach, "deck": g.deck, "gone": stay_out}, _beach_rule(g))
    g.push(MAIN, ("sector", 1))
    if g.world.advanced and g.world.solo:
        g.push(MAIN, ("free-dice",))


def _beach_rule(g: Express) -> str:
    return "N-NEPTUNE-04" if "neptune" in g.world.options else "E-SETUP-03"


def free_request(g: Express, lane: int, frame: Frame) -> Roll:
    return Roll("free", g.drawn.get("free", 0), (2,), "N-ADVSOLO-01")


def free_outcome(g: Express, lane: int, frame: Frame, outcome: Outcome) -> None:
    faces = tuple(sorted(int(face) for face in outcome))
    g.tell("free-dice", LEAD, {"faces": faces}, "N-ADVSOLO-01")
    g.push(LEAD, ("free", *faces))


def free_keys(g: Express, seat: int, frame: Frame) -> tuple[str, ...]:
    """The Specialist of either die, or on a double the Veteran instead (N-ADVSOLO-02). One who is out cannot come."""
    names = [FACES[frame[1]], STRAIGHT if frame[1] == frame[2] else FACES[frame[2]]]
    cards = [g.world.by_symbol[name] for name in names if name in g.world.by_symbol]
    return tuple(f"rally:{card}" for card in cards if card in g.deck) or ("none",)


def free_answer(g: Express, seat: int, frame: Frame, key: str) -> None:
    if key != "none":
        _rally(g, seat, key.partition(":")[2], "N-ADVSOLO-03")


def sector(g: Express, lane: int, frame: Frame) -> None:
    """Step 1: the beach die is set or turned; what the last sector left comes into force."""
    g.sector, g.times, g.rallied, g.fresh = frame[1], 0, 0, ()
    g.carried, g.left = g.left, ()
    printed = sector_of(g.beach, g.sector, g.world.advanced).effects
    g.effects = tuple(n for n, effect in enumerate(printed) if effect.do.endswith("-next") or _holds(g, effect))
    g.tell("sector", -1, {"beach": g.beach, "sector": g.sector}, "E-STEP1-01" if g.sector == 1 else "E-STEP1-02")
    if g.effects:
        g.tell("special", -1, {"beach": g.beach, "sector": g.sector, "advanced": g.world.advanced}, rule_here(g))
    g.push(MAIN, ("attempt",))


def attempt(g: Express, lane: int, frame: Frame) -> None:
    """Step 2 and what follows; a sector that is played again starts here."""
    g.turn += 1
    g.axis, g.black = (), -1
    g.phase = "axis"
    _pick_up(g)
    g.push(MAIN, ("compare",))
    g.push(MAIN, ("rally",))
    g.push(MAIN, ("step3",))
    g.push(MAIN, ("after-axis",))
    g.push(MAIN, ("axis",))
    bunker = g.sector == BUNKER and "kommandant" in g.world.options
    g.deployed = bunker or bool(here(g, "kommandant")) or "kommandant" in g.carried
    if g.deployed and g.squad:
        g.push(LEAD, ("kommandant",))


def kommandant_keys(g: Express, seat: int, frame: Frame) -> tuple[str, ...]:
    return ("deploy", *(f"lose:{card}" for card in g.squad))


def kommandant_answer(g: Express, seat: int, frame: Frame, key: str) -> None:
    if key != "deploy":
        lose(g, key.partition(":")[2], "K-EXPRESS-03")
        g.deployed = False


def axis_dice(g: Express) -> int:
    """How many Axis dice are rolled in this sector (E-STEP2-01)."""
    n = g.sector
    for effect in here(g, "axis"):
        n = effect.n
    n += sum(effect.n for effect in here(g, "more-axis")) + g.carried.count("axis")
    return min(MOST_AXIS, n)


def axis_rule(g: Express) -> str:
    if here(g, "axis") or here(g, "more-axis"):
        return rule_here(g)
    if g.carried.count("axis"):
        return "N-ADVBEACH-03" if g.world.advanced else "E-GANTLET-04"
    return "E-STEP2-01"


def axis_request(g: Express, lane: int, frame: Frame) -> Roll:
    n = axis_dice(g)
    groups = ((n - 1, 1) if n > 1 else (1,)) if g.deployed else (n,)
    return Roll("axis", g.drawn.get("axis", 0), groups, axis_rule(g))


def axis_outcome(g: Express, lane: int, frame: Frame, outcome: Outcome) -> None:
    faces = tuple(int(face) for face in outcome)
    if g.deployed:
        faces, g.black = faces[:-1], faces[-1]
    g.axis = faces
    g.tell("axis", -1, {"axis": faces, "black": g.black}, _axis_rule(g))


def _axis_rule(g: Express) -> str:
    if not g.deployed:
        return axis_rule(g)
    return "K-EXPRESS-01" if g.sector == BUNKER and "kommandant" in g.world.options else "N-ADVBEACH-01"


def after_axis(g: Express, lane: int, frame: Frame) -> None:
    """What a sector does to the Axis dice or because of them, before anybody rolls."""
    rule = rule_here(g)
    for effect in here(g, "ignore-face"):
        gone = counts(g.axis)[FACE[effect.face]]
        if gone:
            g.axis = tuple(face for face in g.axis if face != FACE[effect.face])
            g.tell("axis-ignored", -1, {"face": effect.face, "count": gone, "axis": g.axis, "black": g.black}, rule)
    for effect in here(g, "add-axis"):
        if len(g.axis) + (g.black >= 0) < MOST_AXIS:
            g.axis = (*g.axis, FACE[effect.face])
            g.tell("axis-added", -1, {"face": effect.face, "axis": g.axis, "black": g.black}, rule)
    shown = counts((*g.axis, g.black))
    for effect in here(g, "lose-if-axis"):
        if shown[FACE[effect.face]]:
            g.push(MAIN, ("lose", 1, True))
    for effect in here(g, "lose-per-axis"):
        if shown[FACE[effect.face]]:
            g.push(MAIN, ("lose", shown[FACE[effect.face]], False))


# ---------------------------------------------------------------------------------------------------- who is lost


def lose_step(g: Express, lane: int, frame: Frame) -> None:
    """The squad loses so many Specialists of its choice; if it has none, the game may be lost (E-SPEC-08)."""
    _, n, fatal = frame
    if n and not g.squad:
        if fatal:
            finish(g, False, "no-specialist", rule_here(g))
    elif n and len(g.squad) <= n:
        for card in g.squad:
            lose(g, card, rule_here(g))
    elif n:
        g.push(MAIN, ("lose", n - 1, fatal))
        g.push(LEAD, ("lose?",))


def lose_keys(g: Express, seat: int, frame: Frame) -> tuple[str, ...]:
    return tuple(f"lose:{card}" for card in g.squad)


def lose_answer(g: Express, seat: int, frame: Frame, key: str) -> None:
    lose(g, key.partition(":")[2], "E-SPEC-08")


def lose(g: Express, card: str, rule: str, sacrificed: bool = False) -> None:
    """A Specialist leaves the game."""
    g.squad = tuple(one for one in g.squad if one != card)
    g.holders.pop(card, None)
    g.gone = (*g.gone, card)
    g.tell("sacrificed" if sacrificed else "lost-card", -1, {"card": card}, rule, card)


# ---------------------------------------------------------------------------------------------------- dice


def step3(g: Express, lane: int, frame: Frame) -> None:
    """Steps 3 to 5 of every soldier, side by side; then the squad may sacrifice Specialists."""
    g.phase = "roll"
    g.push(MAIN, ("squad", 0))
    for seat in range(len(g.soldiers)):
        g.push(seat, ("step5",))
        g.push(seat, ("again", 1))
        aside = dice_aside(g)
        g.push(seat, ("leave", aside) if aside else ("dice", ALL))


def _pick_up(g: Express) -> None:
    for soldier in g.soldiers:
        soldier.faces, soldier.colours, soldier.added, soldier.used = NO_DICE, HOME, (), ()


def dice_aside(g: Express) -> int:
    """How many dice every soldier leaves out in this sector."""
    fewer = sum(effect.n for effect in here(g, "fewer-dice"))
    shown = counts((*g.axis, g.black))
    return min(5, fewer + sum(shown[FACE[effect.face]] for effect in here(g, "fewer-per-axis")))


def leave_keys(g: Express, seat: int, frame: Frame) -> tuple[str, ...]:
    return set_keys("leave", ALL, frame[1], frame[1])


def leave_answer(g: Express, seat: int, frame: Frame, key: str) -> None:
    aside = mask_of(key)
    g.tell("aside", seat, {"dice": NAMES[aside]}, rule_here(g))
    g.push(seat, ("dice", ALL & ~aside))


def dice_request(g: Express, seat: int, frame: Frame) -> Roll:
    stream = STREAMS[seat]
    first = not on_table(g.soldiers[seat].faces)
    return request(stream, g.drawn.get(stream, 0), frame[1], "E-STEP3-01" if first else "E-STEP4-01")


def dice_outcome(g: Express, seat: int, frame: Frame, outcome: Outcome) -> None:
    soldier = g.soldiers[seat]
    rule = "E-STEP4-01" if on_table(soldier.faces) else "E-STEP3-01"
    soldier.faces = rolled(soldier.faces, frame[1], outcome)
    g.tell("dice", seat, {"rolled": NAMES[frame[1]], "faces": soldier.faces, "colours": soldier.colours}, rule)


def loose(g: Express, seat: int) -> int:
    """Dice that may be rolled again in this sector."""
    soldier = g.soldiers[seat]
    found = on_table(soldier.faces)
    kept = {FACE[_kept_face(g, effect)] for effect in here(g, "keep-face")}
    colours = {COLOUR[effect.colour] for effect in here(g, "keep-colour")}
    for place, face in enumerate(soldier.faces):
        if face in kept or soldier.colours[place] in colours:
            found &= ~(1 << place)
    return found


def _kept_face(g: Express, effect: Effect) -> str:
    """The symbol of Pointe du Hoc is a picture that the text lost (E-GANTLET-07)."""
    return effect.face if g.world.advanced else g.world.switches["kept_symbol"]


def rerolls(g: Express) -> int:
    return min((effect.n for effect in here(g, "rerolls")), default=2)


def most_rerolled(g: Express) -> int:
    return min((effect.n for effect in here(g, "most-rerolled")), default=6)


def again(g: Express, lane: int, frame: Frame) -> None:
    """Ask for a re-roll, if there is a die to roll."""
    if frame[1] <= rerolls(g) and loose(g, lane):
        g.push(lane, ("reroll", frame[1]))


def reroll_question_keys(g: Express, seat: int, frame: Frame) -> tuple[str, ...]:
    return reroll_keys(loose(g, seat), most_rerolled(g))


def reroll_question_refusals(g: Express, seat: int, frame: Frame) -> Refusals:
    faces, free, rule = g.soldiers[seat].faces, loose(g, seat), rule_here(g)
    out = reroll_refusals(faces, free, "pocket.refusal.stays", rule)
    most = most_rerolled(g)
    for key in set_keys("roll", free, most + 1, 6):
        out[key] = (Reason(say("pocket.refusal.most", n=most), rule),)
    return out


def reroll_answer(g: Express, seat: int, frame: Frame, key: str) -> None:
    if key == "stop":
        return
    g.push(seat, ("again", frame[1] + 1))
    g.push(seat, ("dice", mask_of(key)))


# ---------------------------------------------------------------------------------------------------- step 5


def usable(g: Express, seat: int) -> tuple[Specialist, ...]:
    """The Specialists whose abilities this soldier may use here."""
    if g.barred or "no-use" in g.carried:
        return ()
    mine = g.world.switches["specialists"] == "squad"
    return tuple(
        g.world.box.specialists[card] for card in g.squad if card not in g.fresh and (mine or g.holders[card] == seat)
    )


def step5(g: Express, lane: int, frame: Frame) -> None:
    """The Corporal adds his result by himself, but where using a Specialist has a price; others are used by choice."""
    g.phase = "specialists"
    soldier = g.soldiers[lane]
    if not here(g, "use-bars-next"):
        for card in usable(g, lane):
            if card.ability == "add":
                _add(g, lane, card)
    if any(key != "done" for key in specialist_keys(g, lane, frame)):
        g.push(lane, ("specialist",))
    else:
        _final(g, lane, soldier)


def _add(g: Express, seat: int, card: Specialist) -> None:
    soldier = g.soldiers[seat]
    soldier.added = (*soldier.added, FACE[card.face])
    _used(g, seat, card.id)
    g.tell("added", seat, {"face": card.face}, "E-SPEC-05", card.id)


def _used(g: Express, seat: int, card: str) -> None:
    g.soldiers[seat].used = (*g.soldiers[seat].used, card)
    _leave(g, "use-bars-next", "no-use")


def _leave(g: Express, effect: str, what: str) -> None:
    if here(g, effect) and what not in g.left:
        g.left = (*g.left, what)


def _final(g: Express, seat: int, soldier: Soldier) -> None:
    g.tell("tally", seat, {"symbols": tally_symbols(g, seat)}, "E-STEP5-01")


def specialist_keys(g: Express, seat: int, frame: Frame) -> tuple[str, ...]:
    soldier = g.soldiers[seat]
    found = ["done"]
    for card in usable(g, seat):
        if card.id not in soldier.used:
            found += [f"use:{card.id}{rest}" for rest in _ways(soldier, card)]
    return tuple(found)


def _ways(soldier: Soldier, card: Specialist) -> list[str]:
    """How this soldier may use the Specialist, as endings of keys."""
    lying = [(DICE[p], FACES[face], COLOURS[soldier.colours[p]]) for p, face in enumerate(soldier.faces) if face >= 0]
    colours = COLOURS[:3]
    if card.ability == "add":
        return [""]
    if card.ability == "change":
        return [f":{die}:{face}" for die, old, _ in lying for face in FACES if face != old]
    if card.ability == "recolour":
        return [f":{die}:{colour}" for die, _, old in lying for colour in colours if colour != old]
    if card.ability == "remake":
        return [
            f":{die}:{colour}:{face}"
            for die, old, shade in lying
            if old == card.face
            for colour in colours
            for face in FACES
            if (colour, face) != (shade, old)
        ]
    return []


def specialist_refusals(g: Express, seat: int, frame: Frame) -> Refusals:
    """Specialists of the squad that could be meant, and why not."""
    out: dict[str, tuple[Reason, ...]] = {}
    mine = {card.id for card in usable(g, seat)}
    for card in g.squad:
        the = card_name(card).the
        if card in g.fresh:
            out[f"use:{card}"] = (Reason(say("pocket.refusal.fresh", card=the), "E-SPEC-04"),)
        elif card not in mine:
            out[f"use:{card}"] = (Reason(say("pocket.refusal.holder", card=the), "E-SPEC-10"),)
        elif card in g.soldiers[seat].used:
            out[f"use:{card}"] = (Reason(say("pocket.refusal.used", card=the), "E-SPEC-05"),)
    return out


def specialist_answer(g: Express, seat: int, frame: Frame, key: str) -> None:
    soldier = g.soldiers[seat]
    if key == "done":
        _final(g, seat, soldier)
        return
    _, name, *rest = key.split(":")
    card = g.world.box.specialists[name]
    if card.ability == "add":
        _add(g, seat, card)
    else:
        place = PLACE[rest[0]]
        faces, colours = list(soldier.faces), list(soldier.colours)
        for word in rest[1:]:
            if word in COLOUR:
                colours[place] = COLOUR[word]
            else:
                faces[place] = FACE[word]
        soldier.faces, soldier.colours = tuple(faces), tuple(colours)
        _used(g, seat, name)
        data = {"die": rest[0], "faces": soldier.faces, "colours": soldier.colours}
        g.tell("changed", seat, data, "E-SPEC-05", name)
    if any(key != "done" for key in specialist_keys(g, seat, frame)):
        g.push(seat, ("specialist",))
    else:
        _final(g, seat, soldier)


def squad(g: Express, lane: int, frame: Frame) -> None:
    """All tallies lie there: a Specialist may be sacrificed. The lead soldier decides, or every holder in turn."""
    seat = frame[1]
    if g.world.switches["specialists"] == "holder" and seat + 1 < len(g.soldiers):
        g.push(MAIN, ("squad", seat + 1))
    if len(sacrifice_keys(g, seat, frame)) > 1:
        g.push(seat, ("sacrifice",))


def sacrifice_keys(g: Express, seat: int, frame: Frame) -> tuple[str, ...]:
    found = ["pass"]
    for card in usable(g, seat):
        if card.ability == "restart":
            found.append(f"use:{card.id}")
        elif card.ability == "clear":
            found += [f"use:{card.id}:U{n + 1}" for n, one in enumerate(g.soldiers) if not one.cleared]
    return tuple(found)


def sacrifice_answer(g: Express, seat: int, frame: Frame, key: str) -> None:
    if key == "pass":
        return
    _, name, *rest = key.split(":")
    lose(g, name, "E-SPEC-06", sacrificed=True)
    _leave(g, "use-bars-next", "no-use")
    if here(g, "sacrifice-bars"):
        g.barred = True
        g.tell("barred", -1, {}, rule_here(g))
    if g.world.box.specialists[name].ability == "restart":
        g.tell("restart", -1, {}, "E-SPEC-06", name)
        _pick_up(g)
        while g.main and g.main[-1][0] == "squad":
            g.main.pop()
        g.push(MAIN, ("step3",))
        return
    whole = g.world.switches["clearing"] == "squad"
    for n, soldier in enumerate(g.soldiers):
        if whole or n == int(rest[0][1:]) - 1:
            soldier.cleared = name
    g.tell("clears", int(rest[0][1:]) - 1, {}, "E-SPEC-06", name)
    if len(sacrifice_keys(g, seat, frame)) > 1:
        g.push(seat, ("sacrifice",))


# ---------------------------------------------------------------------------------------------------- step 6


def tally_symbols(g: Express, seat: int) -> tuple[str, ...]:
    """The RWBs or the Straight of this soldier's tally."""
    soldier = g.soldiers[seat]
    added = soldier.added if g.world.switches["corporal_straight"] == "yes" else ()
    return symbols(soldier.faces, soldier.colours, added)


def any_rwb(g: Express) -> bool:
    return any(set(tally_symbols(g, seat)) - {STRAIGHT} for seat in range(len(g.soldiers)))


def bars_rally(g: Express) -> bool:
    """Nobody can be rallied in this sector."""
    return bool(here(g, "no-rally")) or "no-rally" in g.carried


def rally_step(g: Express, lane: int, frame: Frame) -> None:
    g.phase = "rally"
    if bars_rally(g):
        g.tell("no-rally", -1, {}, rule_here(g) if here(g, "no-rally") else "N-ADVBEACH-03")
    elif len(rally_keys(g, LEAD, frame)) > 1:
        g.push(LEAD, ("rally?",))


def rally_limit(g: Express) -> int:
    """How many may be rallied in this sector: one, or two alone with two RWBs (E-SPEC-09, E-SOLO-01)."""
    two = g.world.solo and len(tally_symbols(g, LEAD)) == 2
    return (2 if two else 1) - g.rallied


def candidates(g: Express) -> dict[str, tuple[int, ...]]:
    """Specialists in the deck who could be rallied now -> the soldiers whose tallies bring them."""
    found: dict[str, tuple[int, ...]] = {}
    for seat in range(len(g.soldiers)):
        for symbol in dict.fromkeys(tally_symbols(g, seat)):
            card = g.world.by_symbol.get(symbol, "")
            if card in g.deck:
                found[card] = (*found.get(card, ()), seat)
    return found


def rally_keys(g: Express, seat: int, frame: Frame) -> tuple[str, ...]:
    names = []
    for card, seats in candidates(g).items():
        if g.world.switches["specialists"] == "holder" and not g.world.solo:
            names += [f"{card}:U{one + 1}" for one in seats]
        else:
            names.append(card)
    most = rally_limit(g)
    return ("none", *(f"rally:{','.join(some)}" for n in range(1, most + 1) for some in combinations(names, n)))


def rally_refusals(g: Express, seat: int, frame: Frame) -> Refusals:
    """Specialists that the tallies name but nobody can rally."""
    out: dict[str, tuple[Reason, ...]] = {}
    for one in range(len(g.soldiers)):
        for symbol in tally_symbols(g, one):
            card = g.world.by_symbol.get(symbol, "")
            the = card_name(card).the
            if card in g.squad:
                out[f"rally:{card}"] = (Reason(say("pocket.refusal.with-squad", card=the), "E-SPEC-03"),)
            elif card in g.gone:
                out[f"rally:{card}"] = (Reason(say("pocket.refusal.gone", card=the), "E-SPEC-07"),)
    names = list(candidates(g))
    most = rally_limit(g)
    for some in combinations(names, most + 1):
        if g.world.switches["specialists"] == "squad" or g.world.solo:
            out[f"rally:{','.join(some)}"] = (Reason(say("pocket.refusal.limit", n=most + g.rallied), "E-SPEC-09"),)
    return out


def rally_answer(g: Express, seat: int, frame: Frame, key: str) -> None:
    if key == "none":
        return
    found = candidates(g)
    for name in key.partition(":")[2].split(","):
        card, _, who = name.partition(":")
        holder = int(who[1:]) - 1 if who else found[card][0]
        rule = "E-RWB-03" if g.world.box.specialists[card].rwb == STRAIGHT else "E-SPEC-02"
        _rally(g, holder, card, rule)
        g.fresh = (*g.fresh, card)
        g.rallied += 1


def _rally(g: Express, seat: int, card: str, rule: str) -> None:
    g.deck = tuple(one for one in g.deck if one != card)
    g.squad = (*g.squad, card)
    g.holders[card] = seat
    g.tell("rallied", seat, {"card": card}, rule, card)


# ---------------------------------------------------------------------------------------------------- steps 7 and 8


def needed(g: Express) -> list[int]:
    """Per face: how many results a tally needs to match the Axis dice."""
    need = counts(g.axis)
    if g.black >= 0:
        if g.world.switches["kommandant"] == "strict":
            need[g.black] += 2
        else:
            need[g.black] = max(need[g.black] + 1, 2)
    for effect in here(g, "double-face"):
        need[FACE[effect.face]] *= 2
    return need


def results(g: Express, seat: int) -> list[int]:
    """Per face: how many results of this soldier's tally may match."""
    soldier = g.soldiers[seat]
    blind = {COLOUR[effect.colour] for effect in here(g, "blind-colour")}
    dice = (face for face, colour in zip(soldier.faces, soldier.colours, strict=True) if colour not in blind)
    return counts((*dice, *soldier.added))


def compare(g: Express, lane: int, frame: Frame) -> None:
    """Step 7: every soldier's own tally must match every Axis die."""
    g.phase = "compare"
    _after_step6(g)
    need = needed(g)
    for seat, soldier in enumerate(g.soldiers):
        if not soldier.cleared and not enough(results(g, seat), need):
            veteran = [card for card in usable(g, seat) if card.ability == "straight-clears"]
            if veteran and tally_symbols(g, seat) == (STRAIGHT,):
                _used(g, seat, veteran[0].id)
                whole = g.world.switches["clearing"] == "squad"
                for other in g.soldiers if whole else (soldier,):
                    other.cleared = other.cleared or veteran[0].id
    matched = [bool(one.cleared) or enough(results(g, seat), need) for seat, one in enumerate(g.soldiers)]
    for seat, fits in enumerate(matched):
        g.tell("matched", seat, {"matched": fits}, "E-STEP7-01", g.soldiers[seat].cleared)
    rwb = any_rwb(g)
    if rwb and here(g, "rwb-loses"):
        finish(g, False, "rwb", rule_here(g))
    elif not all(matched):
        if here(g, "rwb-or-replay") and not rwb and g.world.switches["gold_failed"] == "replay":
            _replay(g)
        else:
            finish(g, False, "not-matched", "E-STEP8-03")
    else:
        g.push(MAIN, ("step8", rwb))
        if here(g, "lose-specialist"):
            g.push(MAIN, ("lose", 1, True))


def _after_step6(g: Express) -> None:
    """What is looked at when step 6 is over and counts for the next sector."""
    for effect in here(g, "more-axis-next"):
        if _holds(g, effect):
            g.left = (*g.left, *("axis",) * effect.n)
    for effect in here(g, "kommandant-next"):
        if _holds(g, effect):
            g.left = (*g.left, "kommandant")
    if not g.rallied:
        _leave(g, "rally-or-bar-next", "no-rally")
    if any_rwb(g):
        for effect in here(g, "rwb-adds-axis"):
            g.left = (*g.left, *("axis",) * effect.n)


def _replay(g: Express) -> None:
    _clean(g)
    g.tell("replay", -1, {"sector": g.sector}, rule_here(g))
    g.push(MAIN, ("attempt",))


def _clean(g: Express) -> None:
    for soldier in g.soldiers:
        soldier.cleared = ""


def step8(g: Express, lane: int, frame: Frame) -> None:
    """The sector is matched: play it again, go on, or win."""
    if here(g, "rwb-or-replay") and not frame[1]:
        _replay(g)
        return
    g.times += 1
    if here(g, "twice") and g.times < 2:
        _replay(g)
        return
    _clean(g)
    g.cleared += 1
    g.tell("cleared", -1, {"sector": g.sector}, "E-STEP8-01" if g.sector < SECTORS else "E-STEP8-02")
    if any(len(g.squad) < effect.n for effect in here(g, "need-specialists")):
        finish(g, False, "few-specialists", rule_here(g))
    elif here(g, "scatter") and not frame[1]:
        g.push(MAIN, ("beach-die",))
    elif g.sector < SECTORS:
        g.push(MAIN, ("sector", g.sector + 1))
    else:
        g.beaches += 1
        g.tell("conquered", -1, {"beach": g.beach}, "E-VICTORY-01")
        if g.beaches < len(g.world.beaches):
            g.push(MAIN, ("beach",))
        else:
            finish(g, True, "bunker-cleared", "N-NEPTUNE-04" if "neptune" in g.world.options else "E-STEP8-02")


def beach_die_request(g: Express, lane: int, frame: Frame) -> Roll:
    return Roll("beach", g.drawn.get("beach", 0), (1,), rule_here(g), low=1)


def beach_die_outcome(g: Express, lane: int, frame: Frame, outcome: Outcome) -> None:
    g.tell("beach-die", -1, {"sector": int(outcome[0])}, rule_here(g))
    g.push(MAIN, ("sector", int(outcome[0])))


def finish(g: Express, won: bool, cause: str, rule: str) -> None:
    """The end for all. In the campaign the sectors cleared are the score (N-NEPTUNE-05)."""
    scores = (g.cleared,) * len(g.soldiers) if "neptune" in g.world.options else ()
    g.tell("over", -1, {"won": won, "cause": cause, "scores": scores}, rule)
    g.finish(Over(won, cause, rule, scores))


# ---------------------------------------------------------------------------------------------------- the game

SEEN = (
    *("turn", "phase", "beach", "beaches", "sector", "cleared", "times", "axis", "black", "deployed", "squad"),
    *("holders", "fresh", "deck", "gone", "rallied", "effects", "carried", "left", "barred", "over"),
)
"""Everything lies open in Express!; what is not listed here is not sent."""


def view(g: Express, seat: int | None) -> dict[str, Plain]:
    return {
        "game": "express",
        "options": sorted(g.world.options),
        "switches": dict(g.world.switches),
        "seat": seat,
        **{name: dump(getattr(g, name)) for name in SEEN},
        "needed": needed(g),
        "soldiers": [
            {
                "faces": list(soldier.faces),
                "colours": list(soldier.colours),
                "added": list(soldier.added),
                "used": list(soldier.used),
                "cleared": soldier.cleared,
                "results": results(g, number),
                "roll": rolls_made(g, number),
                "busy": any(frame[0] in AT_DICE for frame in g.lanes[number]),
            }
            for number, soldier in enumerate(g.soldiers)
        ],
    }


AT_DICE = ("leave", "dice", "again", "reroll", "step5", "specialist")
"""What a soldier is at whose tally is not final yet."""


def rolls_made(g: Express, seat: int) -> int:
    """While dice may still be rolled again: which roll lies on the table; else 0."""
    return next((int(frame[1]) for frame in g.lanes[seat] if frame[0] in ("again", "reroll")), 0)


def _by(rule: str) -> Any:
    return lambda g, seat, frame: rule


MACHINE: Machine[Express] = Machine(
    "express",
    Express,
    steps={
        "beach": beach,
        "sector": sector,
        "attempt": attempt,
        "after-axis": after_axis,
        "lose": lose_step,
        "step3": step3,
        "again": again,
        "step5": step5,
        "squad": squad,
        "rally": rally_step,
        "compare": compare,
        "step8": step8,
    },
    questions={
        "free": Question("one", free_keys, free_answer, _by("N-ADVSOLO-01")),
        "kommandant": Question("one", kommandant_keys, kommandant_answer, _by("K-EXPRESS-03")),
        "leave": Question("some", leave_keys, leave_answer, lambda g, seat, frame: rule_here(g)),
        "reroll": Question("some", reroll_question_keys, reroll_answer, _by("E-STEP4-01"), reroll_question_refusals),
        "specialist": Question("one", specialist_keys, specialist_answer, _by("E-STEP5-01"), specialist_refusals),
        "sacrifice": Question("one", sacrifice_keys, sacrifice_answer, _by("E-SPEC-06"), specialist_refusals),
        "rally?": Question("one", rally_keys, rally_answer, _by("E-STEP6-01"), rally_refusals),
        "lose?": Question("one", lose_keys, lose_answer, _by("E-SPEC-08")),
    },
    throws={
        "free-dice": Throw(free_request, free_outcome),
        "axis": Throw(axis_request, axis_outcome),
        "dice": Throw(dice_request, dice_outcome),
        "beach-die": Throw(beach_die_request, beach_die_outcome),
    },
    view=view,
)


def blank(world: World) -> Express:
    """A game before its first step."""
    n = world.seats
    return Express(
        world=world,
        main=[("beach",)],
        lanes=[[] for _ in range(n)],
        asked=[0] * n,
        soldiers=[Soldier() for _ in range(n)],
    )


def new(setup: Setup) -> tuple[Express, list[Event]]:
    g = blank(world_of("express", setup))
    return g, MACHINE.start(g)


def load_express(setup: Setup, data: dict[str, Plain]) -> Express:
    try:
        g = load(Express, data)
    except (ValueError, TypeError, KeyError) as error:
        raise RecordError(f"this is no state of Express!: {error}") from None
    g.world = world_of("express", setup)
    return g


GAME = Game(
    name="express",
    machine=cast(Machine[Any], MACHINE),
    new=cast(Any, new),
    load=cast(Any, load_express),
    content_hash=lambda setup: world_of("express", setup).box.hash,
    changed=lambda setup: world_of("express", setup).box.changed,
    narrate=text.narrate,
    prompt=cast(Any, text.express_prompt),
    label=cast(Any, text.express_label),
    brief=cast(Any, lambda g: Brief(g.turn, g.cleared)),
    setup=lambda setup: whole("express", setup),
    place=cast(Any, lambda g: g.beach),
)
