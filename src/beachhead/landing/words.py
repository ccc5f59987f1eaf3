"""What the things of a landing are called: Units, Sectors, cards, dice, prices, dangers. Sentences are in `text`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache

from ..content import schema
from ..content.library import library
from ..core.plain import cloner
from . import questions
from .dice import COLOURS, DICE, FACES, HOME
from .state import Landing, Unit
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


def either(parts: Sequence[str]) -> str:
    """`a, b or c`."""
    return ", ".join(parts[:-1]) + " or " + parts[-1] if len(parts) > 1 else "".join(parts)


def capital(said: str) -> str:
    """With a capital first letter; the rest stays."""
    return said[:1].upper() + said[1:]


def dice_list(names: str) -> str:
    return "no dice" if names == "none" else names.replace(",", " ")


def die_words(place: int, face: int, colour: int) -> str:
    """`R1 Star`; a die that has another colour than its name says so."""
    word = FACE_WORDS[FACES[face]] if face >= 0 else "aside"
    return f"{DICE[place]} {word}" + (f" (now {COLOURS[colour]})" if colour != HOME[place] else "")


def dice_words(faces: Sequence[int], colours: Sequence[int], places: Iterable[int] = range(6)) -> str:
    return ", ".join(die_words(place, faces[place], colours[place]) for place in places if faces[place] >= 0)


def colour_word(colour: int) -> str:
    return "" if colour == 3 else COLOURS[colour].capitalize() + " "


def pairs(dice: tuple[tuple[int, int], ...]) -> str:
    return ", ".join(f"{colour_word(colour)}{FACE_WORDS[FACES[face]]}" for face, colour in dice if face >= 0)


# ---------------------------------------------------------------------------------------------------- effects

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


# ---------------------------------------------------------------------------------------------------- prices


def price_words(g: Landing, seat: int, verb: str, card: str) -> str:
    """What this Specialist or Item costs this Unit now; the printed price where it is another."""
    printed = g.world.cards[card].cost
    cost = questions.rally_cost(g, seat, card) if verb == "rally" else questions.find_cost(g, seat, card)
    return price(cost, verb) + (f" (printed {printed})" if cost != printed else "")


def price(cost: int, verb: str) -> str:
    return amounts((("stars" if verb == "rally" else "points", cost),))


def purse(unit: Unit) -> str:
    """`2 Stars, 1 Courage and 3 Item Points`: what can be paid with."""
    held = {"stars": unit.stars, "courage": unit.courage, "points": unit.points}
    return amounts({name: n for name, n in held.items() if n})


# ---------------------------------------------------------------------------------------------------- Sectors

MARKS: dict[str, Callable[[schema.Sector], str]] = {
    "def_fixed": lambda sector: "no card but an Award lowers it" if sector.def_fixed else "",
    "mgf": lambda sector: f"MGF {fire_words(sector.mgf)}" if sector.mgf else "",
    "special_damage": lambda sector: _damage(sector.special_damage) if sector.special_damage else "",
    "shield": lambda sector: "1 turn only" if sector.shield == "black" else "",
    "max_units": lambda sector: f"{count(sector.max_units, 'Unit')} at most" if sector.max_units else "",
    "award": lambda sector: (
        f"the first to enter earns {'an' if sector.award == 'choice' else 'a random'} Award" if sector.award else ""
    ),
    "items": lambda sector: (
        f"the first to enter finds {join(['the ' + card_name(card) for card in sector.items])}" if sector.items else ""
    ),
}
"""Attribute of a Sector -> what is told of it beside DEF and the Sector's own text; the empty text if it has none."""

DEMANDS: dict[str, Callable[[schema.Sector], str]] = {
    "requires": lambda sector: join([f"needs the {card_name(card)}" for card in sector.requires]),
    "sacrifice": lambda sector: (
        f"costs {'1 Specialist' if sector.sacrifice == 'any' else 'the ' + card_name(sector.sacrifice)}"
        if sector.sacrifice
        else ""
    ),
    "door": lambda sector: (
        f"a door: cards with {count(sector.door.explosives, 'explosive icon')}"
        + (" from the first to enter" if sector.door.stays_open else "")
        if sector.door
        else ""
    ),
}
"""Attribute of a Sector -> what it asks of a Unit that enters."""


def _damage(damage: schema.SpecialDamage) -> str:
    return f"each 6 also costs {amounts({'courage': damage.courage}) if damage.courage else '1 Specialist'}"


def fire_words(dice: int) -> str:
    return f"{dice}d6" if dice else "-"


def sector_marks(sector: schema.Sector) -> list[str]:
    """DEF and what else is printed in the Sector, in short: `DEF 10`, `MGF 1d6`, `1 turn only`."""
    return [f"DEF {'/'.join(str(n) for n in sector.defence)}", *filter(None, (said(sector) for said in MARKS.values()))]


def sector_line(g: Landing, seat: int, sector: str) -> str:
    """A Sector for a Unit that may go there or stay: the price, what it asks, what is printed, what it will cost."""
    way = next((way for way in g.world.ways[g.units[seat].sector] if way.to == sector), None)
    parts = [*(toll(g, seat, way) if way else ()), *sector_marks(g.world.sectors[sector])]
    said = f"{sector_name(g, sector)}: {', '.join(parts)}"
    return f"{said}; {_cost(g, seat, sector)}" if g.turn else said


def toll(g: Landing, seat: int, way: Way) -> list[str]:
    """What this way asks of the Unit."""
    cost = questions.advance_cost(g, seat, way.courage)
    parts = [amounts((("courage", cost),)) if way.forward else "sideways"]
    parts += [name for name, there in (("mines", way.mined), ("Barrier", way.barred)) if there]
    return parts + [said for ask in DEMANDS.values() if (said := ask(g.world.sectors[way.to]))]


def _cost(g: Landing, seat: int, sector: str) -> str:
    """`9 to 14 casualties`, and a warning where that may be all the Unit has."""
    least, most = losses(g, seat, sector)
    said = (f"{least} to " if least < most else "") + casualties(most)
    weak, strong = _strength_there(g, seat, sector)
    if most < weak:
        return said
    return f"{said}: you {'would' if least >= strong else 'may'} be wiped out"


def _strength_there(g: Landing, seat: int, sector: str) -> tuple[int, int]:
    """The least and the most strength with which the Unit will stand in Combat there."""
    unit, target = g.units[seat], g.world.sectors[sector]
    weak = strong = questions.strength(g, seat)
    if sector == unit.sector:
        return weak, strong
    free = (*unit.hand, *g.pool) if f"joins:{sector}" not in g.spent else ()
    joins = target.joins is not None and target.joins.specialist in free
    more = joins - bool(target.sacrifice)
    dice = target.on_entry.soldiers_d6 if target.on_entry else 0
    helped = not g.world.listening.get("advance", frozenset()).isdisjoint(unit.specialists)
    return weak + more + dice, strong + more + 6 * dice + (6 if helped else 0)


def casualties(n: int) -> str:
    return count(n, "casualty", "casualties")


def losses(g: Landing, seat: int, sector: str) -> tuple[int, int]:
    """The least and the most casualties that going to this Sector, or staying, and the Combat there will cost this
    Unit as things stand; cards that are used on the way, or save Soldiers, are not reckoned in.
    """
    there = cloner(Landing)(g)
    unit = there.units[seat]
    mines = 0
    if unit.sector != sector:
        way = next((way for way in g.world.ways[unit.sector] if way.to == sector), None)
        if way and way.mined and questions.ask(g, "mines_hurt", 1, seat, line=f"{unit.sector}-{sector}"):
            mines = 1
        unit.sector, unit.combats = sector, 0
    least = most = questions.defence(there, seat, sector)
    if questions.ask(there, "mgf_hits", 1, seat, sector):
        if sector in g.fire:
            least, most = least + sum(g.fire[sector]), most + sum(g.fire[sector])
        else:
            dice = questions.ask(there, "mgf_dice", g.world.sectors[sector].mgf, seat, sector)
            least, most = least + dice, most + 6 * dice
    return least + mines, most + 6 * mines


def danger(g: Landing, seat: int) -> str:
    """What Combat in its Sector will cost this Unit, as far as it is known."""
    unit = g.units[seat]
    sector = unit.sector
    defence = questions.defence(g, seat, sector)
    parts = [f"DEF {defence}"]
    if questions.ask(g, "mgf_hits", 1, seat, sector):
        if sector in g.fire:
            parts.append(f"MGF {sum(g.fire[sector])}")
        elif dice := questions.ask(g, "mgf_dice", g.world.sectors[sector].mgf, seat, sector):
            parts.append(f"MGF {fire_words(dice)}")
    return f"You face {' + '.join(parts)} with {amounts((('soldiers', unit.soldiers),))}"


# ---------------------------------------------------------------------------------------------------- levels


def title(name: str) -> str:
    """A name of the command line as a heading: `Practice Run`."""
    return name.replace("-", " ").title()


def level_words(level: schema.Level) -> str:
    """What a level leaves out, in a sentence or two."""
    faces = [FACE_WORDS[face] for face in FACE_WORDS if face not in level.results]
    parts = {"Machine Gun Fire": level.mgf, "Land Mines": level.landmines, "Items": level.items}
    parts |= {"Awards": level.awards, "special rules of Sectors": level.attributes}
    gone = [f"no {name}" for name, there in parts.items() if not there]
    said = [f"There {'is' if gone[0] == 'no Machine Gun Fire' else 'are'} {join(gone)}."] if gone else []
    said += [f"{join(faces)} results count for nothing."] if faces else []
    return " ".join(said)
