"""What a Sector's data says, as badges to draw and sentences to read. A new attribute needs its lines here alone.

Help is a `good` badge, demand or harm a `bad` one, the rest is `plain`. A part of a badge is an icon ("=name") or
a word. The short words and sentences are those of the language that is spoken (`draw.*` in the catalogue).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from ..content.schema import Edges, Map, Sector
from ..content.spoken import result_name
from ..say import language, messages_for

Kind = Literal["good", "bad", "plain"]


@dataclass(frozen=True)
class Badge:
    kind: Kind
    parts: tuple[str, ...]
    says: str


FACE_ICON = {"soldier1": "soldier1", "soldier2": "soldier2", "star": "star", "courage": "courage", "tool": "tool"}
FACE_ICON |= {"skull": "skull"}
RESOURCES = {"soldiers": "soldier1", "stars": "star", "courage": "courage", "points": "item-point"}

Words = Mapping[str, str]
Namer = Callable[[str], str]
"""From the id of a card to its name."""


def words_now() -> Words:
    """The words on pictures, in the language that is spoken; some have places to fill."""
    found = messages_for(language(), "draw.")
    return {key.removeprefix("draw."): words for key, words in found.items() if isinstance(words, str)}


def plain_name(card: str) -> str:
    """The name of a card when nobody knows it: its id, readable."""
    return " ".join(part.capitalize() for part in card.split("-"))


def signed(count: int, sign: str) -> str:
    return f"{'−' if (count < 0) != (sign == '−') else '+'}{abs(count)}"


def badges(board: Map, id: str, name: Namer, words: Words) -> Iterator[Badge]:
    """The badges of a Sector, in the order in which they are drawn."""
    sector = board.sectors[id]
    if sector.start:
        start = sector.start
        have = {what: getattr(start, what) for what in RESOURCES if getattr(start, what)}
        parts = [part for what, count in have.items() for part in (str(count), "=" + RESOURCES[what])]
        says = [words[f"have {what}"].format(count=count) for what, count in have.items()]
        for card in start.specialists:
            parts += ["=specialist", name(card)]
            says.append(name(card))
        if not parts:
            parts, says = ["0", "=soldier1"], [words["have soldiers"].format(count=0)]
        yield Badge("plain", ("=start", words["start"], *parts), words["says start"].format(what=", ".join(says)))
    yield from _bunkers(sector, words)
    for guns in board.barrage:
        if guns.until == id:
            all_of_them = words["says silences"].format(count=guns.by, names=", ".join(guns.sectors))
            yield Badge("good", ("=explosive", words["silences"]), all_of_them)
    yield from _demands(sector, name, words)
    yield from _help(sector, name, words)
    yield from _by_tally(sector, words)
    yield from _limits(sector, words)
    if sector.random:
        lines = ", ".join(f"{n} {result_name(one.name)}" for n, one in enumerate(sector.random, 1))
        yield Badge("plain", ("=die", words["random"]), words["says random"].format(lines=lines))


def _bunkers(sector: Sector, words: Words) -> Iterator[Badge]:
    if sector.entry == "battle-cry":
        yield Badge("bad", ("=must-have", "=battle-cry"), words["says cry only"])
    if sector.opens_after:
        after = sector.opens_after
        yield Badge("bad", ("=door", words["after"].format(name=after)), words["says after"].format(name=after))
    if sector.passage:
        yield Badge("plain", ("=advance", words["passage"]), words["says passage"])
    if sector.go_on:
        yield Badge("good", ("=advance", words["go on"]), words["says go on"])


def _demands(sector: Sector, name: Namer, words: Words) -> Iterator[Badge]:
    if sector.shield == "black":
        yield Badge("bad", ("=must-move", words["one turn"]), words["says black"])
    for card in sector.requires:
        yield Badge("bad", ("=must-have", name(card)), words["says requires"].format(name=name(card)))
    if sector.sacrifice == "any":
        yield Badge("bad", ("=sacrifice", words["lose any"]), words["says lose any"])
    elif sector.sacrifice:
        lost = name(sector.sacrifice)
        yield Badge("bad", ("=sacrifice", words["lose"].format(name=lost)), words["says lose"].format(name=lost))
    if sector.door:
        often = "once" if sector.door.stays_open else "every"
        count = sector.door.explosives
        picture = "=open-door" if sector.door.stays_open else "=door"
        price = (picture, str(count), "=explosive", words[often])
        yield Badge("bad", price, words[f"says door {often}"].format(count=count))
    if sector.climb:
        count = sector.climb.skulls
        yield Badge("bad", ("=advance", str(count), "=skull"), words["says climb"].format(count=count))
    if sector.shelling:
        fire = sector.shelling
        dice = f"−{fire.dice if fire.dice > 1 else ''}d6"
        spared = ("=must-have", name(fire.spares)) if fire.spares else ()
        says = words["says shelling spared" if fire.spares else "says shelling"]
        says = says.format(count=fire.dice, name=name(fire.spares) if fire.spares else "")
        yield Badge("bad", ("=explosive", dice, "=soldier1", *spared), says)
    damage = sector.special_damage
    for kind, picture in (("courage", "=courage"), ("specialists", "=specialist")):
        if damage and (count := getattr(damage, kind)):
            parts = ("=special-damage", f"−{count}", picture)
            yield Badge("bad", parts, words[f"says special {kind}"].format(count=count))


def _help(sector: Sector, name: Namer, words: Words) -> Iterator[Badge]:
    if sector.joins:
        first, only = sector.joins.who == "first", sector.joins.only
        who = name(sector.joins.specialist)
        says = words["says joins first" if first else "says joins"].format(name=who)
        says += f", {words['says only']}" if only else ""
        marks = [words["first"]] * first + [words["only"]] * only
        yield Badge("good", ("=joins", who, *marks), says)
    for sign, kind, amounts in (("+", "bonus", sector.bonus), ("−", "penalty", sector.penalty)):
        for face, count in amounts.items():
            helps = ((count > 0) == (kind == "bonus")) != (face == "skull")
            says = words[f"says {kind}"].format(count=count, face=words[f"face {face}"])
            tinted = kind == "bonus" and sector.bonus_colour == "choice"
            says += f", {words['says tinted']}" if tinted else ""
            parts = (signed(count, sign), "=" + FACE_ICON[face], *([words["tinted"]] if tinted else []))
            yield Badge("good" if helps else "bad", parts, says)
    if sector.on_entry:
        count = sector.on_entry.soldiers_d6
        parts = (f"+{count if count > 1 else ''}d6", "=soldier1", words["once"])
        yield Badge("good", parts, words["says entry"].format(count=count))
    for card in sector.items:
        yield Badge("good", ("=item", name(card), words["first"]), words["says item"].format(name=name(card)))
    for card in sector.items_alone or ():
        yield Badge("good", ("=item", name(card), words["alone"]), words["says alone"].format(name=name(card)))
    for card in sector.vehicles:
        yield Badge("good", ("=vehicle", name(card)), words["says vehicle"].format(name=name(card)))
    if sector.award:
        yield Badge(
            "good", ("=award", words[f"award {sector.award}"], words["first"]), words[f"says award {sector.award}"]
        )


def _by_tally(sector: Sector, words: Words) -> Iterator[Badge]:
    if sector.of_a_kind:
        least, count = sector.of_a_kind.at_least, sector.of_a_kind.soldiers
        parts = ("=dice", words["alike"].format(count=least), signed(count, "+"), "=soldier1")
        says = words["says alike"].format(least=least, count=signed(count, "+"))
        yield Badge("good" if count > 0 else "bad", parts, says)
    for what, picture, count in (("star", "=star", sector.per_star), ("rwb", "=award", sector.per_rwb)):
        if count:
            each = (picture,) if what == "star" else (words["rwb"],)
            says = words[f"says per {what}"].format(count=signed(count, "+"))
            yield Badge("good" if count > 0 else "bad", (*each, signed(count, "+"), "=soldier1"), says)


def _limits(sector: Sector, words: Words) -> Iterator[Badge]:
    if sector.stay == "unlimited":
        yield Badge("good", ("=stay", words["no limit"]), words["says no limit"])
    if sector.fights == "once":
        yield Badge("good", ("=combat", words["once"]), words["says fight once"])
    if not sector.battle_cry:
        yield Badge("bad", ("=battle-cry", words["none"]), words["says no cry"])
    if sector.locked_dice is not None:
        count = sector.locked_dice
        kind: Kind = "good" if count < 2 else "bad"
        parts = ("=unlock" if count == 0 else "=lock", words["lock"].format(count=count))
        yield Badge(kind, parts, words["says lock"].format(count=count))
    if sector.dice != 6:
        yield Badge(
            "bad",
            ("=fewer-dice", words["roll"].format(count=sector.dice)),
            words["says roll"].format(count=sector.dice),
        )
    if not sector.reroll_skulls:
        yield Badge("bad", ("=no-re-roll", "=skull"), words["says no reroll"])
    if not sector.find_items:
        yield Badge("bad", ("=no-find", words["no finds"]), words["says no finds"])
    if sector.max_units:
        count = sector.max_units
        yield Badge("bad", ("=max-units", words["most"].format(count=count)), words["says most"].format(count=count))


# ---------------------------------------------------------------------- for readers


def label_of(board: Map, sector: str, words: Words) -> str:
    """The name that stands on the map: the number, or Bunker where there is only one."""
    bunkers = [id for id, one in board.sectors.items() if one.bunker]
    return words["bunker"] if bunkers == [sector] else sector


def describe(board: Map, sector: str, name: Namer, words: Words) -> str:
    """One line with all that a Sector holds, and where one can go from it."""
    data = board.sectors[sector]
    title = label_of(board, sector, words)
    if title == sector:
        title = words["says sector"].format(name=sector) + (f" ({words['bunker']})" if data.bunker else "")
    values = ", ".join(map(str, data.defence))
    said = [words["says def" if len(data.defence) == 1 else "says def turns"].format(values=values)]
    if data.def_fixed:
        said.append(words["says fixed"])
    if data.mgf:
        said.append(words["says mgf"].format(count=data.mgf))
    under = [guns for guns in board.barrage if sector in guns.sectors]
    said += [words["says guns"].format(count=guns.by, name=guns.until) for guns in under]
    said += [badge.says for badge in badges(board, sector, name, words)]
    ways = [_way(board, sector, to, words) for to in reach(board.edges, sector)]
    if ways:
        said.append(f"{words['says reach']} " + ", ".join(ways))
    if data.reconstructed:
        said.append(words["says rebuilt"].format(what=", ".join(data.reconstructed)))
    return f"{title}: {'; '.join(said)}." + (f" {data.text}" if data.text else "")


def reach(edges: Edges, sector: str) -> list[str]:
    """Where a Unit can go from a Sector: forward one way, sideways both, and back where it may retreat."""
    forward = [line[1] for line in edges.forward if line[0] == sector]
    sideways = [line[1 - n] for line in edges.lateral for n in (0, 1) if line[n] == sector]
    back = [line[1] for line in edges.retreat if line[0] == sector]
    return list(dict.fromkeys(forward + sideways + back))


def price(board: Map, start: str, to: str) -> int:
    """The Courage printed for a way: an Advance, and every way into a Bunker, pays that of the row it leads to."""
    forward = (start, to) in {(line[0], line[1]) for line in board.edges.forward}
    if not forward and not board.sectors[to].bunker:
        return 0
    return next(row.courage for row in board.rows if to in row.sectors)


def _way(board: Map, start: str, to: str, words: Words) -> str:
    line = {start, to}
    said = [words["says price"].format(count=price(board, start, to))]
    said += [words["says mines"]] * any(set(mined) == line for mined in board.edges.landmines)
    said += [words["says barrier"]] * any(set(barred) == line for barred in board.edges.barriers)
    return f"{words['says way'].format(name=label_of(board, to, words))} ({', '.join(said)})"
