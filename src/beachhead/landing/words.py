"""What the things of a landing are called: Units, Sectors, cards, dice, prices, dangers. Sentences are in `text`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from ..content import schema, spoken
from ..content.spoken import card_name
from ..core.plain import cloner
from ..say import Name, Table, capital, either, join, language, say
from . import fire, questions
from .dice import COLOURS, DICE, FACES, HOME
from .state import RESOURCES, Landing, Unit
from .world import Way

__all__ = ["capital", "card_name", "either", "join"]

FACE_WORDS = Table("face", FACES)
PHASE_WORDS = Table("phase", ("roll", "upkeep", "marker", "acquire", "move", "combat"))
PLACE_WORDS = Table("place", ("pool", "box", "deck", "used"))
CHOICE_WORDS = Table("choice", ("result", "move", "find", "star", "stars", "soldiers", "courage"))
KIND_WORDS = Table(
    "kind",
    (
        "regular-specialist",
        "reserve-specialist",
        "ranking-specialist",
        "unique-specialist",
        "regular-item",
        "special-item",
        "vehicle",
        "award",
    ),
)


def card_text(g: Landing, card: str) -> str:
    return spoken.card_text(g.world.setup.edition, g.world.cards[card])


def bonus_text(g: Landing, nation: str, face: str) -> str:
    """What an RWB brings; alone, what it gives to another Unit is the own Unit's (F-OPT-SOLITAIRE-02)."""
    said = spoken.bonus_text(g.world.setup.edition, g.world.nations[nation], face)
    if g.world.solo and any(_for_another(op) for op in g.world.nations[nation].rwb[face].ops):
        return say("mark.bonus-alone", said=said)
    return said


def _for_another(op: schema.Op) -> bool:
    if isinstance(op, schema.Choose):
        return any(_for_another(one) for branch in op.of for one in branch.ops)
    return getattr(op, "to", "") == "another" and getattr(op, "part", 1) == 1


def bonus_name(g: Landing, nation: str, face: str) -> str:
    return spoken.bonus_name(g.world.nations[nation].rwb[face].name)


def sector_text(g: Landing, sector: str) -> str:
    """What is printed in the Sector, and the line of its table that counts; nothing of what a Unit starts with where
    that is rolled. On a joined board solitaire is to be alone on one's half (F-OPT-DEADSTICK-08).
    """
    printed = g.world.sectors[sector]
    said = spoken.sector_text(g.world.map, sector, printed)
    if printed.start and "blind-start" in g.world.options:
        said = re.sub(rf"\s*{re.escape(say('mark.start'))}[^.]*\.", "", said)
    if printed.items_alone is not None and g.world.part_of:
        said = say("mark.alone-here", said=said)
    if sector not in g.rolled:
        return said
    name, text = spoken.result_words(g.world.map, sector, g.rolled[sector])
    return say("mark.result", said=said, name=name, text=text)


_called: ContextVar[tuple[str, ...]] = ContextVar("called", default=())


def called() -> tuple[str, ...]:
    """The names of the players, seat by seat, as far as they are known here."""
    return _called.get()


@contextmanager
def calling(names: Iterable[str]) -> Iterator[None]:
    """Call Units by the names of their players inside the `with`, seat by seat; "" for one without a name."""
    before = _called.set(tuple(names))
    try:
        yield
    finally:
        _called.reset(before)


class UnitName(Name):
    """What a Unit is called: like its player, where the name of the player is known, and else by its number.

    `{who}` and its forms are the player (`Ann`), `{who.unit}` is the Unit (`Ann's Unit`, `l'Unité d'Ann`): for what
    a sentence says of a Unit and not of a person. Without a player's name both are `Unit 1`.
    """

    player: bool

    @property
    def unit(self) -> str:
        return say("name.unit-of", player=self) if self.player else self.the


def unit_name(seat: int) -> UnitName:
    names = _called.get()
    player = names[seat] if 0 <= seat < len(names) else ""
    if player:
        named = say("name.player", name=player, n=seat + 1) if names.count(player) > 1 else player
        found = UnitName(named, named, language())
    else:
        found = UnitName(say("name.unit", n=seat + 1), say("name.unit-the", n=seat + 1), language())
    found.player = bool(player)
    return found


def sector_name(g: Landing, sector: str) -> Name:
    if not g.world.sectors[sector].bunker:
        return Name(say("name.sector", id=sector), say("name.sector-the", id=sector), language())
    several = sum(printed.bunker for printed in g.world.sectors.values()) > 1
    if several:
        return Name(say("name.bunkers", id=sector), say("name.bunkers-the", id=sector), language())
    return Name(say("name.bunker"), say("name.bunker-the"), language())


def count(what: str, n: int) -> str:
    """`1 Soldier`, `2 Soldiers`, `no casualties`."""
    return say(f"count.{what}", n=n)


def amounts(data: dict[str, int] | tuple[tuple[str, int], ...]) -> str:
    """`3 Soldiers and 1 Star`, or cards by name."""
    pairs = data.items() if isinstance(data, dict) else data
    parts = [count(name, n) if name in RESOURCES else card_name(name).the for name, n in pairs]
    return join(parts) or say("count.nothing")


def the_cards(cards: Iterable[str]) -> str:
    """`the Scout and the Medic`."""
    return join([card_name(card).the for card in cards])


def say_colour(name: str) -> str:
    """`red`."""
    return say(f"colour.{name}")


def dice_list(names: str) -> str:
    return say("dice.none") if names == "none" else names.replace(",", " ")


def die_words(place: int, face: int, colour: int) -> str:
    """`R1 Star`; a die that has another colour than its name says so."""
    said = f"{DICE[place]} {FACE_WORDS[FACES[face]] if face >= 0 else say('dice.aside')}"
    return say("dice.now", die=said, colour=say_colour(COLOURS[colour])) if colour != HOME[place] else said


def dice_words(faces: Sequence[int], colours: Sequence[int], places: Iterable[int] = range(6)) -> str:
    return ", ".join(die_words(place, faces[place], colours[place]) for place in places if faces[place] >= 0)


def result_words(face: str, colour: int) -> str:
    """`Red Star`; a result without colour is `Star`."""
    if colour == 3:
        return FACE_WORDS[face]
    return say("dice.result", face=FACE_WORDS[face], colour=say(f"tint.{COLOURS[colour]}"))


def pairs(dice: tuple[tuple[int, int], ...]) -> str:
    return ", ".join(result_words(FACES[face], colour) for face, colour in dice if face >= 0)


# ---------------------------------------------------------------------------------------------------- effects

EFFECT_WORDS = Table("effect.what", ("defence", "mgf_dice", "advance_cost", "dice_to_lock", "rally_cost", "find_cost"))
SWITCHED_OFF = Table(
    "effect.off",
    (
        "mgf_dice",
        "mines_hurt",
        "mgf_hits",
        "special_damage_hits",
        "barrier_stops",
        "advance_cost",
        "must_have_needed",
        "sacrifice_needed",
        "door_closed",
        "must_move",
    ),
)


def effect_words(question: str, mode: str, value: int, scope: str, target: str) -> str:
    """A changed answer that lasts: `the DEF changes by -7 in Sector 3`."""
    if mode == "set" and not value and question in SWITCHED_OFF:
        said = SWITCHED_OFF[question]
    else:
        what = EFFECT_WORDS.get(question, question.replace("_", " "))
        said = say(f"effect.mode.{mode}", what=what, n=f"{value:+d}" if mode == "by" else value)
    if scope in ("unit", "same-move", "fight-sector"):
        return say(f"effect.scope.{scope}", said=said, unit=unit_name(int(target)))
    if scope == "pair":
        return say("effect.pair", units=join([unit_name(int(seat)).unit for seat in target.split("-")]))
    return say("effect.scope.sector", said=said, id=target) if scope == "sector" else say("effect.scope.all", said=said)


# ---------------------------------------------------------------------------------------------------- prices


def price_words(g: Landing, seat: int, verb: str, card: str) -> str:
    """What this Specialist or Item costs this Unit now; the printed price where it is another."""
    printed = g.world.cards[card].cost
    cost = questions.rally_cost(g, seat, card) if verb == "rally" else questions.find_cost(g, seat, card)
    return say("price.printed", price=price(cost, verb), n=printed) if cost != printed else price(cost, verb)


def price(cost: int, verb: str) -> str:
    return amounts((("stars" if verb == "rally" else "points", cost),))


def purse(unit: Unit) -> str:
    """`You have 2 Stars, 1 Courage and 3 Item Points`: what can be paid with."""
    held = {"stars": unit.stars, "courage": unit.courage, "points": unit.points}
    return you_have({name: n for name, n in held.items() if n})


def you_have(held: dict[str, int]) -> str:
    return say("price.have", held=amounts(held)) if held else say("price.have-nothing")


# ---------------------------------------------------------------------------------------------------- Sectors

Mark = Callable[[Landing, schema.Sector], str]

MARKS: dict[str, Mark] = {
    "def_fixed": lambda g, sector: say("mark.def-fixed") if sector.def_fixed else "",
    "mgf": lambda g, sector: say("mark.mgf", dice=fire_words(g, sector.mgf)) if sector.mgf else "",
    "special_damage": lambda g, sector: _damage(g, sector.special_damage) if sector.special_damage else "",
    "shield": lambda g, sector: say("mark.one-turn") if sector.shield == "black" else "",
    "max_units": lambda g, sector: (
        say("mark.max-units", units=count("units", sector.max_units)) if sector.max_units else ""
    ),
    "award": lambda g, sector: (
        say("mark.award" if sector.award == "choice" else "mark.random-award") if sector.award else ""
    ),
    "items": lambda g, sector: say("mark.items", cards=the_cards(sector.items)) if sector.items else "",
    "shelling": lambda g, sector: _shelling(sector.shelling) if sector.shelling else "",
    "stay": lambda g, sector: say("mark.no-limit") if sector.stay == "unlimited" else "",
    "fights": lambda g, sector: say("mark.fight-once") if sector.fights == "once" else "",
    "battle_cry": lambda g, sector: "" if sector.battle_cry else say("mark.no-battle-cry"),
}
"""Attribute of a Sector -> what is told of it beside DEF and the Sector's own text; the empty text if it has none."""

DEMANDS: dict[str, Callable[[schema.Sector], str]] = {
    "requires": lambda sector: join([say("mark.needs", card=card_name(card)) for card in sector.requires]),
    "sacrifice": lambda sector: (
        ""
        if not sector.sacrifice
        else say("mark.costs-specialist")
        if sector.sacrifice == "any"
        else say("mark.costs-card", card=card_name(sector.sacrifice))
    ),
    "door": lambda sector: (
        say("mark.door-first" if sector.door.stays_open else "mark.door", n=sector.door.explosives)
        if sector.door
        else ""
    ),
    "entry": lambda sector: say("mark.battle-cry-only") if sector.entry == "battle-cry" else "",
    "opens_after": lambda sector: say("mark.opens-after", id=sector.opens_after) if sector.opens_after else "",
}
"""Attribute of a Sector -> what it asks of a Unit that enters."""


def _damage(g: Landing, damage: schema.SpecialDamage) -> str:
    costs = {"courage": damage.courage, "specialists": damage.specialists}
    cost = join([count(name, n) for name, n in costs.items() if n])
    return say("mark.damage-skull" if "mgf-dice" in g.world.options else "mark.damage", cost=cost)


def _shelling(fire: schema.Shelling) -> str:
    dice = d6_words(fire.dice)
    if fire.spares:
        return say("mark.shelling-spared", dice=dice, card=card_name(fire.spares))
    return say("mark.shelling", dice=dice)


def d6_words(dice: int) -> str:
    return f"{dice}d6"


def fire_words(g: Landing, dice: int) -> str:
    """Dice of Machine Gun Fire: `2d6`, or `2 dice` where they have symbols."""
    if not dice:
        return "-"
    return count("dice", dice) if "mgf-dice" in g.world.options else d6_words(dice)


def sector_marks(g: Landing, sector: str) -> list[str]:
    """DEF and what else is to be known of the Sector now, in short: `DEF 10`, `MGF 1d6`, `1 turn only`."""
    now = _now(g, sector)
    guns = sum(questions.guns(g, sector))
    defence = say("mark.def-guns" if guns else "mark.def", n="/".join(str(n) for n in now.defence), by=guns)
    return [defence, *filter(None, (said(g, now) for said in MARKS.values()))]


def _now(g: Landing, sector: str) -> schema.Sector:
    """The Sector without Items that do not lie there, an Award that was earned and guns that are silent. Who is alone
    where one Unit has room cannot stay, if the edition says so.
    """
    printed = g.at(sector)
    lying = tuple(card for card in (*printed.items, *(printed.items_alone or ())) if card in g.lying)
    now = replace(printed, items=lying, award="" if f"award:{sector}" in g.spent else printed.award)
    now = replace(now, mgf=_mgf(g, sector))
    if not now.mgf:
        now = replace(now, special_damage=None)
    if g.world.solo and printed.max_units == 1 and g.world.switches.alone_max_one_cant_stay:
        return replace(now, max_units=0, shield="black")
    return now


def _mgf(g: Landing, sector: str) -> int:
    """Dice of Machine Gun Fire there now: those that are printed, changed by cards. They are the same for all Units."""
    return questions.ask(g, "mgf_dice", g.at(sector).mgf, 0, sector)


def marked(g: Landing) -> tuple[str, ...]:
    """What has happened in this game that changes what is said of Sectors."""
    marks = [mark for mark in g.spent if mark.partition(":")[0] in ("award", "conquered", "door", "silent")]
    if questions.in_play(g, "mgf_dice"):
        marks += [f"mgf:{sector}={_mgf(g, sector)}" for sector in g.world.sectors if g.at(sector).mgf]
    return tuple(marks)


WAIVED = {"requires": "must_have_needed", "sacrifice": "sacrifice_needed", "door": "door_closed"}
"""What a Sector asks of a Unit -> the question whether it has to be given."""


def demands(g: Landing, sector: str, seat: int | None = None) -> list[str]:
    """What the Sector asks of a Unit that enters it now; with a seat, of that Unit, less what it is spared."""
    done = {"door": f"door:{sector}", "opens_after": f"conquered:{g.at(sector).opens_after}"}
    spared = [name for name in WAIVED if seat is not None and not asked_for(g, seat, sector, name)]
    asks = [ask for name, ask in DEMANDS.items() if name not in spared and done.get(name) not in g.spent]
    return [said for ask in asks if (said := ask(g.at(sector)))]


def asked_for(g: Landing, seat: int, sector: str, what: str) -> bool:
    """Has this Unit to give what the Sector may ask for (a name of `WAIVED`) if it goes there now?"""
    return bool(questions.ask(g, WAIVED[what], 1, seat, sector, line=f"{g.units[seat].sector}-{sector}"))


def toll(g: Landing, seat: int, way: Way) -> list[str]:
    """What this way asks of the Unit."""
    cost = questions.advance_cost(g, seat, way.courage, f"{g.units[seat].sector}-{way.to}")
    if way.back:  # who falls back is asked for nothing
        return [say("mark.back"), *way_marks(way)]
    parts = [amounts((("courage", cost),)) if way.forward else say("mark.sideways")]
    return [*parts, *way_marks(way), *demands(g, way.to, seat)]


def way_marks(way: Way) -> list[str]:
    """`mines`, `Barrier`: what lies on this way."""
    said = [say(f"mark.{name}") for name, there in (("mines", way.mined), ("barrier", way.barred)) if there]
    return said + [say("mark.no-climb") if way.back else say("mark.climb", n=way.climb)] * bool(way.climb)


def casualties(n: int) -> str:
    return count("casualties", n)


def losses(g: Landing, seat: int, sector: str) -> tuple[int, int]:
    """The least and the most casualties that going to this Sector, or staying, and the Combat there will cost this
    Unit as things stand; cards that are used on the way, or save Soldiers, are not reckoned in.
    """
    least, most = [], []
    for decided in tables(g, seat, sector):
        there = standing(decided, seat, sector)
        mines = mine_losses(decided, there, seat)
        combat = combat_losses(there, seat)
        least.append(mines[0] + combat[0])
        most.append(mines[1] + combat[1])
    return min(least), max(most)


def tables(g: Landing, seat: int, sector: str) -> list[Landing]:
    """The game with each line of the Sector's table that the Unit may roll on arrival; as it is where it rolls none."""
    if sector in g.rolled or sector == g.units[seat].sector or sector not in g.world.results:
        return [g]
    found = []
    for pips in range(1, len(g.world.results[sector]) + 1):
        decided = cloner(Landing)(g)
        decided.rolled[sector] = pips
        found.append(decided)
    return found


def standing(g: Landing, seat: int, sector: str) -> Landing:
    """The game as it would be with this Unit in that Sector, its Courage paid; `g` stays as it is."""
    there: Landing = cloner(Landing)(g)
    unit = there.units[seat]
    if unit.sector != sector:
        way = _way(g, seat, sector)
        if way and way.forward:
            cost = questions.advance_cost(g, seat, way.courage, f"{unit.sector}-{sector}")
            unit.courage = max(0, unit.courage - cost)
        unit.sector, unit.combats = sector, 0
        unit.visited, unit.done = (*unit.visited, sector), (*unit.done, "move")
    return there


def _way(g: Landing, seat: int, sector: str) -> Way | None:
    return next((way for way in g.world.ways[g.units[seat].sector] if way.to == sector), None)


def mine_losses(g: Landing, there: Landing, seat: int) -> tuple[int, int]:
    """The least and the most that Land Mines cost on the way from where the Unit stands in `g` to where it does in
    `there`. What a symbol takes in place of a Soldier is taken from the Unit there.
    """
    start, end = g.units[seat].sector, there.units[seat].sector
    way = _way(g, seat, end)
    if start == end or not way or not way.mined or not questions.ask(g, "mines_hurt", 1, seat, line=f"{start}-{end}"):
        return 0, 0
    if not fire.with_symbols(g.world, "mine") or fire.least(there, seat, 1):
        return 1, 6
    unit = there.units[seat]
    name = max(("stars", "courage", "points"), key=lambda name: int(getattr(unit, name)))
    setattr(unit, name, getattr(unit, name) - 1)
    return 0, 6


def combat_losses(g: Landing, seat: int) -> tuple[int, int]:
    """The least and the most that Combat where the Unit stands costs it; nothing where it fights no more."""
    sector = g.units[seat].sector
    if not questions.fights(g, seat):
        return 0, 0
    least = most = questions.defence(g, seat, sector)
    if questions.ask(g, "mgf_hits", 1, seat, sector):
        if g.phase == "combat" and sector in g.fire:
            rolled = fire.soldiers(g, seat, g.fire[sector])
            least, most = least + rolled, most + rolled
        else:
            dice = questions.ask(g, "mgf_dice", g.at(sector).mgf, seat, sector)
            least, most = least + fire.least(g, seat, dice), most + 6 * dice
    shells = questions.shells(g, seat, sector)
    return least + shells, most + 6 * shells


def fire_marks(g: Landing, seat: int, dice: int, pips: int) -> dict[str, str]:
    """Machine Gun Fire and shells where the Unit stands, by what they are cited as: `dice` to come, those of the shells
    among them, or `pips` that lie there.
    """
    shells = questions.shells(g, seat, g.units[seat].sector)
    found = {}
    if dice > shells or pips:
        found["mgf"] = say("mark.mgf", dice=fire_words(g, dice - shells) if dice > shells else pips)
    return found | ({"shelling": say("mark.shells", dice=d6_words(shells))} if shells else {})


def danger(g: Landing, seat: int) -> str:
    """What Combat in its Sector will cost this Unit, as far as it is known."""
    if not questions.fights(g, seat):
        return say("prompt.no-danger")
    unit = g.units[seat]
    sector = unit.sector
    defence = questions.defence(g, seat, sector)
    parts = [say("mark.def", n=defence)]
    if questions.ask(g, "mgf_hits", 1, seat, sector):
        if sector in g.fire:
            parts.append(say("mark.mgf", dice=fire.soldiers(g, seat, g.fire[sector])))
        elif dice := questions.ask(g, "mgf_dice", g.at(sector).mgf, seat, sector):
            parts.append(say("mark.mgf", dice=fire_words(g, dice)))
    if dice := questions.shells(g, seat, sector):
        parts.append(say("mark.shells", dice=d6_words(dice)))
    return say("prompt.danger", danger=" + ".join(parts), held=count("soldiers", unit.soldiers))


# ---------------------------------------------------------------------------------------------------- levels


def level_words(level: schema.Level) -> str:
    """What a level leaves out, in a sentence or two; one that leaves out nothing says so."""
    faces = [FACE_WORDS[face] for face in FACES if face not in level.results]
    parts = {"mgf": level.mgf, "mines": level.landmines, "items": level.items}
    parts |= {"awards": level.awards, "attributes": level.attributes}
    gone = [name for name, there in parts.items() if not there]
    said = []
    if gone:
        without = join([say(f"level.no.{name}") for name in gone])
        said.append(say("level.there-is" if gone[0] == "mgf" else "level.there-are", gone=without))
    if faces:
        said.append(say("level.faces", faces=join(faces)))
    return " ".join(said) or say("level.all")
