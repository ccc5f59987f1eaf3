"""Abilities of one's own: what does not go together is refused with its line, whatever is in order can be played."""

from __future__ import annotations

import types
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from beachhead.content.abilities import GOES
from beachhead.content.library import EDITIONS, library
from beachhead.content.schema import (
    ALIASES,
    OPERATIONS,
    QUESTIONS,
    WINDOWS,
    Ability,
    Card,
    CardFile,
    Nation,
    NationFile,
    Op,
)
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


# ---------------------------------------------------------------------- what is refused

CARD = """format = 1
edition = "second"
[[card]]
id = "own"
name = "Own"
kind = "{kind}"
rule = "F-CARD-VETERAN"
text = ""
abilities = [
{abilities}
]
"""
NATION = """format = 1
edition = "second"
[[nation]]
id = "own"
name = "Own"
[nation.rwb]
{others}
[nation.rwb.star]
name = "Own"
text = ""
rule = "S-RWB-03"
ops = [{ops}]
"""


def faults_of(text: str, cls: type[Any]) -> list[str]:
    """As `beachhead packs check` says them: line, key, message."""
    faults: list[Fault] = []
    decode(cls, parse(text, "own.toml"), faults)
    return [str(fault).removeprefix("own.toml:") for fault in faults]


def card_faults(abilities: str, kind: str = "unique-specialist") -> list[str]:
    return faults_of(CARD.format(kind=kind, abilities=abilities), CardFile)


OTHER = '{ name = "O", text = "", rule = "S-RWB-03", ops = [{ do = "gain", stars = 1 }] }'
NATION_OTHERS = "\n".join(f"{face} = {OTHER}" for face in ("skull", "soldier1", "soldier2", "courage", "tool"))


def nation_faults(ops: str) -> list[str]:
    return faults_of(NATION.format(others=NATION_OTHERS, ops=ops), NationFile)


def used(windows: str, *ops: str, limit: str = "once-per-turn", more: str = "") -> str:
    names = ", ".join(f'"{name}"' for name in windows.split())
    return (
        f'{{ kind = "activated", windows = [{names}], stops = [{names}], limit = "{limit}", {more}'
        f"ops = [{', '.join(ops)}] }}"
    )


def waits(kind: str, on: str, *ops: str, more: str = "") -> str:
    return f'{{ kind = "{kind}", on = "{on}", {more}ops = [{", ".join(ops)}] }}'


def static(change: str) -> str:
    return f'{{ kind = "static", ops = [{{ do = "modify", {change} }}] }}'


def do(tag: str, values: str = "") -> str:
    return f'{{ do = "{tag}"{", " * bool(values)}{values} }}'


def choose(*ops: str) -> str:
    of = ", ".join(f'{{ name = "n{n}", ops = [{one}] }}' for n, one in enumerate(ops))
    return do("choose", f"of = [{of}]")


STAR = do("gain", "stars = 1")
SAVE = do("save", "casualties = 1")
PAY = do("pay-to-save", 'resources = ["courage", "stars"]')
RED = 'face = "star", colour = "red"'


def test_when_and_how_an_ability_is_used_is_looked_at_where_an_op_cannot_be_read() -> None:
    unread = do("gian")
    (_, fault) = card_faults(waits("triggered", "rbw", unread))
    assert fault.startswith("10: card[0].abilities[0].on: unknown operation 'rbw'")
    (_, fault) = card_faults(used("acquire", unread, limit="each-time"))
    assert fault.startswith("10: card[0].abilities[0].limit: each-time is not kept here")
    (_, fault) = card_faults(static('question = "defense", by = "x"'))
    assert fault.startswith("10: card[0].abilities[0].ops[0].question: unknown question 'defense'")


def test_of_an_ability_nothing_is_told_that_only_follows_from_what_could_not_be_read() -> None:
    for wrong in (waits("trigered", "rwb", STAR), used("acquire", do("gian")), used("acquire", STAR, more="on = 3, ")):
        assert len(card_faults(wrong)) == 1
    assert len(card_faults('{ kind = "activated", windows = "acquire", ops = [{ do = "save", casualties = 1 }] }')) == 1


def test_the_kind_of_a_card_is_looked_at_where_another_key_is_wrong() -> None:
    text = CARD.format(kind="award", abilities=waits("triggered", "rwb", STAR)).replace('text = ""', "text = 3")
    found = faults_of(text, CardFile)
    assert any("an Award does nothing by itself" in one for one in found) and len(found) == 2


def test_a_nation_has_a_bonus_for_each_result() -> None:
    good = NATION.format(others=NATION_OTHERS, ops=STAR)
    assert faults_of(good, NationFile) == []
    (fault,) = faults_of(good.replace("[nation.rwb.star]", "[nation.rwb.stars]"), NationFile)
    assert fault.startswith("12: nation[0].rwb.stars: expected one of skull, star, soldier1, soldier2, courage, tool")
    (fault,) = faults_of(good[: good.index("[nation.rwb.star]")], NationFile)
    assert fault.endswith("soldier1, soldier2, courage, tool; missing: star")


def test_a_fault_says_where_the_op_goes_and_has_the_line_of_its_ability() -> None:
    good = waits("triggered", "rwb", STAR)
    assert card_faults(f"{good},\n{used('losses', STAR, limit='each-time')}") == [
        "11: card[0].abilities[1].ops[0]: gain does not go with the window losses; it goes with activated in any; "
        "triggered on rwb, advance, move, tally, lock, rally; an RWB bonus"
    ]
    assert card_faults(waits("triggered", "tally", do("reroll"))) == [
        "10: card[0].abilities[0].ops[0]: reroll does not go with triggered on tally; "
        "it goes with activated in roll.between, tally"
    ]
    assert nation_faults(SAVE) == [
        "16: nation[0].rwb.star.ops[0]: save does not go with an RWB bonus; it goes with replacement on losses"
    ]


@pytest.mark.parametrize(
    ("ability", "where", "message"),
    [
        # casualties
        (used("losses tally", PAY, limit="each-time"), "windows", "losses goes with no other window"),
        (
            used("losses", do("pay-to-save", "resources = []"), limit="each-time"),
            "ops[0].resources",
            "expected courage",
        ),
        (used("tally", do("swap-with-pool"), STAR), "ops[0]", "the only op of its ability"),
        (used("losses", PAY), "limit", "once-per-turn is not kept here: expected each-time"),
        (used("losses", PAY, limit="each-time", more="sacrifice = true, "), "sacrifice", "nobody is sacrificed"),
        (used("tally", PAY), "ops[0]", "does not go with the window tally"),
        (waits("replacement", "losses", PAY), "ops[0]", "does not go with replacement on losses"),
        # replacements
        (waits("replacement", "losses", STAR), "ops[0]", "gain does not go with replacement on losses"),
        (waits("replacement", "losses", do("substitute")), "ops[0]", "it goes with replacement on lose_specialist"),
        (waits("replacement", "tally", SAVE), "on", "no replacement goes with tally: expected one of losses"),
        (waits("replacement", "losses", SAVE, more='limit = "once-per-turn", '), "limit", "expected each-time or once"),
        (waits("replacement", "losses", SAVE, more='users = "each", '), "users", "expected owner or own-sector"),
        (waits("replacement", "skull", do("ignore-skull", "count = 7")), "ops[0].count", "from 1 to 6, got 7"),
        # triggers
        (waits("triggered", "losses", STAR), "on", "no triggered ability goes with losses: expected one of rwb"),
        (waits("triggered", "tally", SAVE), "ops[0]", "save does not go with triggered on tally"),
        (waits("triggered", "skull", do("ignore-skull")), "on", "no triggered ability goes with skull"),
        (waits("triggered", "move", do("gain", 'stars = 1, to = "same-advance"')), "ops[0].to", "triggered on advance"),
        (waits("triggered", "rwb", do("gain", 'stars = 1, per = "locked-skull"')), "ops[0].per", "triggered on lock"),
        (waits("triggered", "move", do("swap-sectors")), "ops[0]", "does not go with triggered on move"),
        (waits("triggered", "tally", do("swap-with-pool")), "ops[0]", "does not go with triggered on tally"),
        (waits("triggered", "tally", do("copy-tally")), "ops[0]", "does not go with triggered on tally"),
        (waits("triggered", "move", do("lose", "specialist = true")), "ops[0]", "does not go with triggered on move"),
        (waits("triggered", "tally", do("draw-award")), "ops[0]", "does not go with triggered on tally"),
        (waits("triggered", "move", do("rally")), "ops[0].counts", "expected false"),
        (waits("triggered", "move", do("find", 'what = "vehicle"')), "ops[0].what", "not found everywhere"),
        (waits("triggered", "rwb", STAR, more='limit = "once-per-turn", '), "limit", "expected each-time"),
        (waits("triggered", "rwb", STAR, more="sacrifice = true, "), "sacrifice", "nobody is sacrificed"),
        (waits("triggered", "advance", STAR, more='users = "own-sector", '), "users", "expected owner"),
        (waits("triggered", "advance", STAR, more='mode = "solo", '), "mode", "leave it out"),
        # nothing goes on for ever
        (waits("triggered", "rwb", do("add-result", f'{RED}, to = "another"')), "ops[0].colour", "for ever"),
        (waits("triggered", "rwb", do("grant-rwb", 'face = "star"')), "ops[0]", "does not go with triggered on rwb"),
        (waits("triggered", "rally", do("rally", "counts = false")), "ops[0]", "does not go with triggered on rally"),
        (used("acquire", STAR, limit="each-time"), "limit", "expected once-per-turn or single-use or sacrifice = true"),
        (used("acquire", STAR, limit="once-per-phase"), "limit", "once-per-phase is not kept here"),
        # windows
        (used("die", STAR), "ops[0]", "gain does not go with the window die"),
        (used("die", do("set-result", 'dice = "own-skulls"')), "ops[0].dice", "expected any"),
        (used("acquire tally", do("reroll")), "ops[0]", "reroll does not go with the window acquire"),
        (used("marker move.arrive", STAR), "windows", "does not pause there by itself: expected another window"),
        (
            used("tally", STAR).replace('stops = ["tally"], ', ""),
            "windows",
            "in stops",
        ),
        (used("acquire", STAR).replace('stops = ["acquire"]', 'stops = ["tally"]'), "stops", "is not used in"),
        (used("noon", STAR).replace('stops = ["noon"], ', ""), "windows", "unknown window 'noon'"),
        (used("acquire", STAR, more='on = "rwb", '), "on", "only a triggered ability or a replacement"),
        (waits("triggered", "rwb", STAR, more='windows = ["tally"], '), "windows", "only an activated ability"),
        (used("acquire", STAR, more='users = "each", sacrifice = true, '), "users", "is not used up"),
        # lists and choices
        ('{ kind = "triggered", on = "rwb", ops = [] }', "ops", "expected at least one op"),
        (used("acquire", do("choose", "of = []")), "ops[0].of", "expected two or more alternatives"),
        (used("acquire", choose(STAR, "")), "ops[0].of[1].ops", "expected at least one op"),
        (
            used("acquire", choose(STAR, STAR).replace("n1", "n0")),
            "ops[0].of[1].name",
            "two alternatives are called 'n0'",
        ),
        (used("acquire", choose(STAR, SAVE)), "ops[0].of[1].ops[0]", "save does not go with the window acquire"),
        (used("tally", choose(STAR, do("swap-with-pool"))), "ops[0].of[1].ops[0]", "the only op of its ability"),
        (used("tally", choose(STAR, do("repeat-tally"))), "ops[0].of[1].ops[0]", "no alternative of a choice"),
        (used("tally", do("set-colour"), do("reroll")), "ops[1]", "reroll comes first in its list"),
        # changed answers
        (static('question = "dice_to_roll", by = -6'), "ops[0].by", "some die has to be rolled"),
        (static('question = "dice_to_roll", at_most = 0'), "ops[0].at_most", "some die has to be rolled"),
        (static('question = "defence", by = -200'), "ops[0].by", "from -99 to 99, got -200"),
        (static('question = "mines_hurt", by = -1'), "ops[0]", "expected set = 0 or set = 1"),
        (static('question = "rally_cost", by = 1'), "ops[0].by", "expected a number below 0"),
        (static('question = "defence", by = -1, scope = "same-move"'), "ops[0].scope", "expected one of self, each"),
        (static('question = "defence", by = -1, scope = "this-card"'), "ops[0].scope", "body_count, may_be_traded"),
        (static('question = "may_trade_with", set = 1'), "ops[0].question", "no static ability changes may_trade_with"),
        (used("acquire", do("modify", 'question = "rally_cost", by = -1')), "ops[0].question", "only a static ability"),
        (used("any", do("modify", 'question = "defence", by = -1, scope = "pair"')), "ops[0].scope", "may_trade_with"),
        (
            waits("triggered", "move", do("modify", 'question = "mgf_dice", set = 0, scope = "adjacent-sector"')),
            "ops[0].scope",
            "there may be no such Sector",
        ),
        (
            waits("triggered", "move", do("modify", 'question = "mgf_dice", set = 0, where = "bunker"')),
            "ops[0].where",
            "is looked at in static and activated abilities",
        ),
        # prices
        (used("move.after", do("pay-to-reduce", "points = 0, most = 2")), "ops[0].points", "from 1 to 99, got 0"),
        (
            used("acquire", do("lose", "specialist = true"), more="sacrifice = true, "),
            "sacrifice",
            "lose is the price already",
        ),
        (used("acquire", do("gain", "soldiers = -3")), "ops[0].soldiers", "from 0 to 99, got -3"),
    ],
)
def test_an_ability_in_the_wrong_place_has_one_fault(ability: str, where: str, message: str) -> None:
    (fault,) = card_faults(ability)
    assert fault.startswith(f"10: card[0].abilities[0].{where}: ")
    assert message in fault


@pytest.mark.parametrize(
    ("kind", "ability", "where", "message"),
    [
        ("award", waits("triggered", "rwb", STAR), "kind", "an Award does nothing by itself"),
        ("award", used("die", do("set-result", 'dice = "any"')), "windows", "no Award is used in"),
        (
            "regular-item",
            used("tally", STAR, more="sacrifice = true, "),
            "sacrifice",
            "only a Specialist is sacrificed",
        ),
        ("regular-item", waits("triggered", "advance", STAR), "on", "only a Specialist has a say on advance"),
        ("vehicle", waits("replacement", "skull", do("ignore-skull")), "on", "only a Specialist has a say on skull"),
        ("regular-specialist", used("tally", STAR, limit="single-use"), "limit", "a Specialist is not used up"),
        (
            "regular-specialist",
            static('question = "may_be_traded", set = 1, scope = "this-card"'),
            "ops[0].question",
            "only a Unique Specialist is traded",
        ),
    ],
)
def test_an_ability_on_the_wrong_card_has_one_fault(kind: str, ability: str, where: str, message: str) -> None:
    (fault,) = card_faults(ability, kind)
    assert fault.startswith(f"10: card[0].abilities[0].{where}: ")
    assert message in fault


@pytest.mark.parametrize(
    ("ops", "where", "message"),
    [
        ("", "ops", "expected at least one op"),
        (do("grant-rwb", 'face = "star"'), "ops[0]", "grant-rwb does not go with an RWB bonus"),
        (do("add-result", 'face = "star", colour = "rwb"'), "ops", "adds 3 results with a colour"),
        (do("add-result", f'{RED}, to = "each"'), "ops[0].to", "for ever"),
        (choose(STAR, do("add-result", f"{RED}, count = 2")) + ", " + do("add-result", RED), "ops", "adds 3 results"),
        (do("free-move"), "ops[0]", "expected it as an alternative of a choice"),
        (choose(STAR, do("rally", "counts = false")), "ops[0].of[1].ops[0]", "no alternative of an RWB bonus"),
        (
            choose(STAR, do("modify", 'question = "defence", by = -1')),
            "ops[0].of[1].ops[0]",
            "no alternative of an RWB",
        ),
    ],
)
def test_a_bonus_that_could_not_be_played_has_one_fault(ops: str, where: str, message: str) -> None:
    (fault,) = nation_faults(ops)
    assert fault.startswith(f"16: nation[0].rwb.star.{where}: ")
    assert message in fault


def test_a_card_has_one_ability_in_a_window() -> None:
    two = f"{used('acquire tally', STAR)},\n{used('before-move', STAR)}"
    assert card_faults(two) == [
        "11: card[0].abilities[1].windows: tally: abilities[0] has it, and a card acts there once"
    ]
    both = f"{waits('triggered', 'tally', STAR)},\n{used('tally', STAR)}"
    assert card_faults(both) == [
        "11: card[0].abilities[1].windows: tally: abilities[0] has it, and a card acts there once"
    ]
    alone = used("tally", STAR, more='mode = "solo", '), used("tally", STAR, more='mode = "group", ')
    assert not card_faults(",\n".join(alone))


def test_every_op_has_a_line_in_the_table_and_goes_somewhere() -> None:
    assert GOES.keys() == OPS.keys()
    for tag, goes in GOES.items():
        assert set(goes.windows) <= WINDOWS.keys(), tag
        assert {*goes.after, *goes.before} <= OPERATIONS.keys(), tag
        assert goes.windows or goes.after or goes.before, tag


def test_the_table_for_designers_is_this_table() -> None:
    text = (Path(__file__).parents[2] / "docs" / "packs.md").read_text("utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| `")]
    told = {row[0].strip("`"): row[1:] for row in rows if len(row) == 6}
    words = ("first", "alone", "bare")
    assert told == {
        tag: [
            ", ".join([alias for alias, windows in ALIASES.items() if windows == goes.windows] or goes.windows),
            ", ".join(goes.after),
            ", ".join(goes.before),
            "yes" * goes.bonus,
            " ".join(word for word in words if getattr(goes, word)),
        ]
        for tag, goes in GOES.items()
    }


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
    kind = random.choice(("activated", "triggered", "replacement", "static"))
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
    extra = {
        f"{name}{seat}": replace(card, id=f"{name}{seat}")
        for name, card in cards.items()
        for seat in range(asked.seats)
    }
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
            card = f"{name}{seat}"
            waits_for_rally = any(ability.on == "rally" for ability in world.cards[card].abilities)
            place = "hand" if waits_for_rally else PLACES[sort]
            setattr(unit, place, (*getattr(unit, place), card))
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


STEPS = 8_000
"""Of a game of random players; one that goes on for ever would have more."""
OFTEN = 0.005
"""The share of its steps at which everything is checked."""


def check_games(number: int) -> None:
    edition = EDITIONS[number % 2]
    for seats in (1, 2, 4):
        check_playthrough(own_entry(number, STEPS), {"edition": edition, "seats": seats}, number, None, OFTEN)


@pytest.mark.parametrize("number", range(2))
def test_whatever_is_in_order_can_be_played_to_the_end(number: int) -> None:
    check_games(number)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1_000, 1_500))
def test_thousands_of_abilities_that_are_in_order_can_be_played(number: int) -> None:
    check_games(number)
