"""Static questions of the landing: who has a say, and the answers."""

from __future__ import annotations

from ..content.schema import Card
from ..core.questions import Contribution, Explained, answer, explain
from .state import Landing, Unit


def voices(
    g: Landing, question: str, seat: int, sector: str = "", card: str = "", line: str = ""
) -> list[Contribution]:
    """Everybody who changes the answer to this question for this Unit, in this Sector, about this card."""
    out: list[Contribution] = []
    world = g.world
    table = world.statics.get(question)
    if table:
        asking = g.units[seat]
        for owner, unit in enumerate(g.units):
            if unit.status:
                continue
            for held in unit.specialists + unit.items if unit.items else unit.specialists:
                for change in table.get(held, ()):
                    scope = change.scope
                    if (
                        (scope == "each" or (owner == seat if scope == "self" else False))
                        or (scope == "own-sector" and (sector or asking.sector) in _stands(unit, question))
                        or (scope == "this-card" and held == card and owner == seat)
                    ) and _place(g, change.where, sector or asking.sector, card):
                        mode, value = _mode(change.by, change.at_most, change.set)
                        found = world.cards[held]
                        out.append(Contribution(found.layer, mode, value, held, found.rule))
    for effect in g.effects:
        if effect[0] == question and _reaches(g, effect[3], effect[4], seat, sector, line):
            source = world.cards.get(effect[6])
            layer = source.layer if source else "rules"
            out.append(
                Contribution(layer, effect[1], effect[2], effect[6], source.rule if source else world.cite["rwb"])
            )
    return out


def _stands(unit: Unit, question: str) -> tuple[str, ...]:
    """The Sectors for which a card of this Unit speaks: its own. Where a Barrier is to be crossed, also the one that
    the Unit has left this turn, for those who set out with it.
    """
    if question == "barrier_stops" and "move" in unit.done:
        return unit.visited[-2:]
    return (unit.sector,)


def _mode(by: int | None, at_most: int | None, set_to: int | None) -> tuple[str, int]:
    if by is not None:
        return "by", by
    if at_most is not None:
        return "at_most", at_most
    assert set_to is not None
    return "set", set_to


def _place(g: Landing, where: str, sector: str, card: str) -> bool:
    if not where:
        return True
    if where == "item":
        return bool(card) and g.world.cards[card].is_item
    return g.world.sectors[sector].bunker == (where == "bunker")


def _reaches(g: Landing, scope: str, target: str, seat: int, sector: str, line: str) -> bool:
    if scope == "unit":
        return target == str(seat)
    if scope == "sector":
        return target == (sector or g.units[seat].sector)
    if scope == "each":
        return True
    if scope == "fight-sector":
        return g.units[int(target)].sector == (sector or g.units[seat].sector)
    if scope == "pair":
        return line == target
    # same-move: the one who opened the way, and those who take the same line after it this turn
    opener = g.units[int(target)]
    return target == str(seat) or ("move" in opener.done and line == "-".join(opener.visited[-2:]))


def ask(g: Landing, question: str, base: int, seat: int, sector: str = "", card: str = "", line: str = "") -> int:
    """The answer, from 0 up."""
    if (not g.effects and question not in g.world.statics) or not in_play(g, question):
        return base
    found = voices(g, question, seat, sector, card, line)
    return answer(base, found) if found else base


def in_play(g: Landing, question: str) -> bool:
    """Does any card in play or lasting effect change this answer for anybody? A quick test before voices speak."""
    table = g.world.statics.get(question)
    if table:
        cards = table.keys()
        for unit in g.units:
            if not cards.isdisjoint(unit.specialists) or not cards.isdisjoint(unit.items):
                return True
    for effect in g.effects:
        if effect[0] == question:
            return True
    return False


# ---------------------------------------------------------------------- each question by name


def strength(g: Landing, seat: int) -> int:
    """Soldiers plus what the Specialists count as (F-SPEC-07)."""
    unit = g.units[seat]
    if not in_play(g, "body_count"):
        return unit.soldiers + len(unit.specialists)
    return unit.soldiers + sum(body(g, seat, card) for card in unit.specialists)


def body(g: Landing, seat: int, card: str) -> int:
    return ask(g, "body_count", 1, seat, card=card)


def shells(g: Landing, seat: int, sector: str) -> int:
    """How many d6 of its own this Unit rolls in Combat there."""
    fire = g.at(sector).shelling
    return fire.dice if fire and fire.spares not in g.units[seat].specialists else 0


def holds(g: Landing, seat: int) -> bool:
    """Does the Unit stand in a Bunker that it has conquered, and is still in play?"""
    return bool(g.spent) and f"held-{seat + 1}:{g.units[seat].sector}" in g.spent


def fights(g: Landing, seat: int) -> bool:
    """Does Combat where the Unit stands concern it? It does not in a Bunker that it has conquered, nor where one fights
    once and it has fought.
    """
    unit = g.units[seat]
    return not holds(g, seat) and not (unit.combats and g.world.sectors[unit.sector].fights == "once")


def skulls_stay(g: Landing, unit: Unit) -> bool:
    """Are Skulls not rolled again where this Unit stands?"""
    return bool(g.world.skulls_stay or g.rolled) and not g.at(unit.sector).reroll_skulls


def dice_to_roll(g: Landing, seat: int) -> int:
    return ask(g, "dice_to_roll", g.at(g.units[seat].sector).dice, seat)


def dice_to_lock(g: Landing, seat: int) -> int:
    printed = g.at(g.units[seat].sector).locked_dice
    base = 2 if printed is None else printed
    return ask(g, "dice_to_lock", base, seat)


def dice_to_lock_between(g: Landing, seat: int) -> tuple[int, int]:
    """The fewest and the most dice to Lock. Where abilities are optional a card that asks for fewer need not be used;
    that matters only to a Unit with a card that looks at Locked dice.
    """
    fewest, unit = dice_to_lock(g, seat), g.units[seat]
    if not g.world.switches.abilities_optional or g.world.listening.get("lock", frozenset()).isdisjoint(
        unit.specialists
    ):
        return fewest, fewest
    printed = g.at(unit.sector).locked_dice
    return fewest, max(fewest, 2 if printed is None else printed)


def printed_defence(g: Landing, unit: Unit, sector: str) -> int:
    """The DEF of the Unit's present combat turn there, or of its first one where it does not stand (F-DEF-03)."""
    values = g.world.sectors[sector].defence
    return values[min(unit.combats, len(values) - 1)] if unit.sector == sector else values[0]


def _defence_voices(g: Landing, seat: int, sector: str) -> list[Contribution]:
    found = voices(g, "defence", seat, sector) if in_play(g, "defence") else []
    if found and g.world.sectors[sector].def_fixed:
        found = [voice for voice in found if voice.layer not in BELOW_SECTORS]
    if sector in g.beside:
        found.append(Contribution("rules", "by", -g.beside[sector], "", g.world.cite["beside"]))
    for by in guns(g, sector):
        found.append(Contribution("sector", "by", by, "", g.world.cite["barrage"]))
    return found


def guns(g: Landing, sector: str) -> list[int]:
    """By how much guns that still fire raise the DEF of the Sector."""
    return [
        barrage.by
        for barrage in g.world.map.barrage
        if sector in barrage.sectors and f"silent:{barrage.until}" not in g.spent
    ]


BELOW_SECTORS = ("specialist", "item")
"""Layers of cards that cannot change what a Sector says. Awards stand above it."""


def fixed(g: Landing, sector: str, card: Card) -> bool:
    """Can this card not lower the DEF of this Sector?"""
    return g.world.sectors[sector].def_fixed and card.layer in BELOW_SECTORS


def defence(g: Landing, seat: int, sector: str) -> int:
    return answer(printed_defence(g, g.units[seat], sector), _defence_voices(g, seat, sector))


def advance_cost(g: Landing, seat: int, courage: int, line: str = "") -> int:
    return ask(g, "advance_cost", courage, seat, line=line)


def may_trade(g: Landing, seat: int, other: int) -> bool:
    """Are these two Units in the same Sector, or does a card let them trade from afar?"""
    if g.units[seat].sector == g.units[other].sector:
        return True
    return bool(ask(g, "may_trade_with", 0, seat, line=pair(seat, other)))


def pair(seat: int, other: int) -> str:
    """Two Units as the target of an effect."""
    return f"{min(seat, other)}-{max(seat, other)}"


def rally_cost(g: Landing, seat: int, card: str) -> int:
    return ask(g, "rally_cost", g.world.cards[card].cost, seat, card=card)


def find_cost(g: Landing, seat: int, card: str) -> int:
    return ask(g, "find_cost", g.world.cards[card].cost, seat, card=card)


def why(g: Landing, question: str, seat: int, sector: str = "", card: str = "") -> Explained:
    """The answer with its contributors, for the questions that a screen shows."""
    world, unit = g.world, g.units[seat]
    sector = sector or unit.sector
    printed = g.at(sector)
    if question == "defence":
        base = printed_defence(g, unit, sector)
        return explain(base, f"Sector {sector}", world.cite["defence"], _defence_voices(g, seat, sector))
    bases = {
        "dice_to_lock": (2 if printed.locked_dice is None else printed.locked_dice, "lock"),
        "dice_to_roll": (printed.dice, "roll"),
        "mgf_dice": (printed.mgf, "mgf"),
        "rally_cost": (world.cards[card].cost if card else 0, "rally"),
        "find_cost": (world.cards[card].cost if card else 0, "find"),
        "advance_cost": (next((way.courage for way in world.ways[unit.sector] if way.to == sector), 0), "advance"),
    }
    base, topic = bases[question]
    source = f"Sector {sector}" if topic in ("lock", "roll", "mgf", "advance") else card
    return explain(base, source, world.cite[topic], voices(g, question, seat, sector, card))
