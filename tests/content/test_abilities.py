"""Abilities of one's own: what does not go together is refused with its line, and whatever is in order can be played."""

from __future__ import annotations

import types
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from beachhead.content.abilities import GOES
from beachhead.content.library import EDITIONS, library
from beachhead.content.schema import ALIASES, OPERATIONS, QUESTIONS, WINDOWS, Ability, Card, CardFile, Nation, NationFile, Op
from beachhead.content.toml import Document, decode, parse
from beachhead.core.errors import Fault
from beachhead.core.game import Setup as PlainSetup
from beachhead.core.machine import NOTHING
from beachhead.core.node import Event
from beachhead.landing.game import GAME, load_landing, new, setup_of
from beachhead.landing.state import Landing
from beachhead.landing.world import World, build
from tests.harness import Entry, check_playthrough
from tests.landing.entry import conserved, order_matters, rich_world

OPS = {cls.tag: cls for cls in get_args(Op)}


# ---------------------------------------------------------------------- abilities at random

Table = dict[str, Any]
"""As it is written in a file."""


def some_op(random: Random, tag: str, deep: int = 0) -> Table:
    """An op with any values that its fields may have, and now and then one that they may not."""
    if tag == "choose":
        names = random.choice((("a", "b"), ("a", "b"), ("a", "b", "c"), ("a", "a"), ("a",)))
        return {"do": tag, "of": [{"name": name, "ops": some_ops(random, deep + 1)} for name in names]}
    table: Table = {"do": tag}
    hints = get_type_hints(OPS[tag], include_extras=True)
    for name, field in OPS[tag].__dataclass_fields__.items():
        if tag == "modify" and name in ("by", "at_most", "set"):
            continue
        needed = field.default is field.default_factory
        if needed or random.random() < 0.4:
            table[name] = random.choice([*QUESTIONS]) if hints[name] is str else some_value(random, hints[name])
    if tag == "modify":
        name = random.choice(("by", "at_most", "set", "set"))
        table[name] = some_value(random, hints[name])
    return table


def some_value(random: Random, hint: Any) -> Any:
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return random.choice(parts)
    if origin is Annotated:
        least, most = parts[1]
        near = (least, least + 1, 1, 1, 2, 3, 9, least - 1 if random.random() < 0.05 else 1)
        return random.choice([n for n in near if most is None or n <= most])
    if origin is tuple:
        return [some_value(random, parts[0]) for _ in range(random.randint(0, 2))]
    if origin in (Union, types.UnionType):
        return some_value(random, random.choice([part for part in parts if part is not type(None)]))
    return random.random() < 0.5 if hint is bool else random.randint(-1, 3)


def some_ops(random: Random, deep: int = 0, tag: str = "") -> list[Table]:
    tags = [one for one in OPS if deep < 2 or one != "choose"]
    first = tag or random.choice(tags)
    many = random.choice((1, 1, 1, 2, 3))
    return [some_op(random, one, deep) for one in (first, *random.choices(tags, k=many - 1))]


def some_ability(random: Random, tag: str) -> Table:
    kind = random.choice(get_args(Ability.__annotations__["kind"]) or ("activated", "triggered", "replacement", "static"))
    table: Table = {"kind": kind, "ops": some_ops(random, tag=tag)}
    if kind == "activated" or random.random() < 0.02:
        table["windows"] = random.choices((*WINDOWS, *ALIASES), k=random.choice((1, 1, 2, 3)))
        table["stops"] = [name for name in table["windows"] if random.random() < 0.7]
    if kind in ("triggered", "replacement") or random.random() < 0.02:
        table["on"] = random.choice([*OPERATIONS])
    usual = {"activated": random.choice(("once-per-turn", "once-per-turn", "single-use", "each-time"))}
    table["limit"] = usual.get(kind, "each-time")
    if random.random() < 0.1:
        table["limit"] = random.choice(("each-time", "once-per-turn", "once-per-phase", "single-use"))
    table["sacrifice"] = random.random() < (0.3 if table["limit"] == "each-time" else 0.05)
    if random.random() < 0.2:
        table["users"] = random.choice(("each", "own-sector"))
    if random.random() < 0.2:
        table["mode"] = random.choice(("solo", "group"))
    return table


KINDS = {
    "item": ("regular-item", "special-item", "vehicle"),
    "specialist": ("regular-specialist", "unique-specialist"),
    "award": ("award",),
}
HANDS = [(sort, f"{sort}-{letter}") for sort in KINDS for letter in "ab"]
"""What every Unit has: two cards of each sort, each followed by the number of its seat."""
PLACES = {"item": "items", "specialist": "specialists", "award": "awards"}
TRIES = 400


def decoded(cls: type[Any], table: Table) -> Any:
    return decode(cls, Document(table, "", ""), [])


def some_card(random: Random, sort: str) -> Card:
    """A card with one or two abilities that the check lets pass."""
    plain = {"id": sort, "name": sort, "rule": "F-CARD-VETERAN", "text": "", "cost": random.choice((0, 1, 2))}
    plain["kind"] = random.choice(KINDS[sort])
    found: list[Table] = []
    while True:
        tag = random.choice([*OPS])
        for _ in range(TRIES):
            ability = some_ability(random, tag)
            if decoded(Ability, ability) and decoded(Card, {**plain, "abilities": [*found, ability]}):
                found.append(ability)
                break
        if found and (len(found) == 2 or random.random() < 0.7):
            card = decoded(Card, {**plain, "abilities": found})
            assert isinstance(card, Card)
            return card


def some_nation(random: Random) -> Nation:
    faces = ("skull", "star", "soldier1", "soldier2", "courage", "tool")
    table: Table = {"id": "own", "name": "Own", "rwb": {}}
    for face in faces:
        while True:
            bonus = {"name": face, "text": "", "rule": "S-RWB-03", "ops": some_ops(random)}
            if decoded(Nation, {**table, "rwb": dict.fromkeys(faces, bonus)}):
                table["rwb"][face] = bonus
                break
    nation = decoded(Nation, table)
    assert isinstance(nation, Nation)
    return nation


# ---------------------------------------------------------------------- games with them


@cache
def own_cards(number: int) -> tuple[dict[str, Card], Nation | None]:
    """Cards of one's own by the beginning of their ids, and perhaps a nation."""
    random = Random(f"own cards {number}")
    cards = {name: some_card(random, sort) for sort, name in HANDS}
    return cards, some_nation(random) if random.random() < 0.5 else None


def own_world(number: int, setup: PlainSetup) -> World:
    """A rich board on which every Unit has two Specialists, two Items and two Awards of these."""
    asked, shelf = setup_of(setup), library()
    board = rich_world(asked).map
    cards, nation = own_cards(number)
    extra = {f"{name}{seat}": replace(card, id=f"{name}{seat}") for name, card in cards.items() for seat in range(asked.seats)}
    if nation:
        theirs = {**shelf.nations[asked.edition], "own": nation}
        shelf = replace(shelf, nations={**shelf.nations, asked.edition: theirs})
        asked = asked._replace(nations=("own",))
    return build(asked._replace(map="rich"), shelf, board, extra)


def dealt(world: World) -> tuple[Landing, list[Event]]:
    """The game with each Unit's own cards in its hands."""
    g, told = new(world)
    given = {f"{name}{seat}" for _, name in HANDS for seat in range(len(g.units))}
    for holder, place in ((g, "pool"), (g, "box"), (g, "deck"), *((unit, "hand") for unit in g.units)):
        setattr(holder, place, tuple(card for card in getattr(holder, place) if card not in given))
    for seat, unit in enumerate(g.units):
        for sort, name in HANDS:
            setattr(unit, PLACES[sort], (*getattr(unit, PLACES[sort]), f"{name}{seat}"))
    g.cache, g.ready = None, NOTHING
    return g, told


def own_entry(number: int, steps: int) -> Entry:
    @cache
    def world(seats: int, edition: str) -> World:
        return own_world(number, {"edition": edition, "seats": seats})

    def of(setup: PlainSetup) -> World:
        return world(int(setup["seats"]), str(setup["edition"]))  # type: ignore[call-overload]

    game = GAME._replace(
        name=f"own-{number}",
        new=lambda setup: dealt(of(setup)),
        load=lambda setup, data: load_landing(of(setup), data),
        content_hash=lambda setup: "own",
    )
    return Entry(
        game.name, game, [], conserved=conserved, order_matters=order_matters, shared_ok=(World,), most_steps=steps
    )
