"""What does not change during a landing: the setup, the map, the cards, and tables made from them once.

Differences between the editions, and readings where the rulebooks are silent, are named switches. An edition is a
set of defaults; a game may set any of them otherwise (`switches` of the setup).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from functools import cache
from typing import Any, Literal, NamedTuple

from ..content.library import EDITIONS, Library, library
from ..content.schema import (
    ALIASES,
    Ability,
    Attributes,
    Card,
    DrawAward,
    Find,
    GrantRwb,
    Level,
    Map,
    Modify,
    Nation,
    Op,
    Rally,
    Result,
    Sector,
)
from ..core.errors import SetupError
from ..say import say
from .cites import CITES, ON_MAPS
from .dice import FACE, FACES


@dataclass(frozen=True, slots=True)
class Switches:
    """Each field is one reading; the comment above names the register entry that decides its default."""

    # S-TURN-01: markers are turned in a phase of their own (F-UPKEEP-01: at the end of upkeep)
    marker_phase: bool
    # S-STRAIGHT-02: colourless results make no Straight (F-STRAIGHT-04: they do)
    straight_needs_colour: bool
    # S-STRAIGHT-03: the Skull of a Straight cancels nothing (F-STRAIGHT-03: it acts as usual)
    straight_skull_ignored: bool
    # F-RWB-09: a Skull added by Leadership frees or cancels dice; in the second edition Skulls are over by then
    late_skull_acts: bool
    # F-TRADE-05 against S-TRADE-01
    trade_in_combat: bool
    # S-SPEC-03: a permanent ability may be left unused (F-SPEC-05: it works every turn)
    abilities_optional: bool
    # S-SPEC-11
    one_unique_in_play: bool
    # S-SETUP-04, S-SETUP-11: no map list for Specialists
    all_specialists: bool
    # S-SETUP-05 to S-SETUP-08: the Item pool depends on the number of players
    choose_items: bool
    # S-OPT-SOLITAIRE-05: alone, a "Max 1 Unit" Sector is a "Can't stay here" one
    alone_max_one_cant_stay: bool
    # S-EXPL-02, F-RWB-14: a Battle Cry ignores all that a Sector asks for; false: but for doors
    battle_cry_opens_doors: bool = True
    # F-CARD-WAR-CORRESPONDENT: after his swap both Units may enter old Sectors; false: by the swap itself only
    swapped_may_return: bool = True
    # F-MARKER-04, S-MARKER-05: the literal reading; false gives one more turn at the start
    marker_turns_on_turn_one: bool = True
    # F-MAP-N01-02: at levels where a lost Unit does not end the game who is safe has won; false: only all together have
    survivors_win: bool = False
    # F-RWB-15: "unlisted" Special Items too, an already "used" Item, or only what is in the "pool"
    special_find: str = "unlisted"

    def check(self) -> None:
        if self.special_find not in ("unlisted", "used", "pool"):
            raise SetupError(f"switch special_find is {self.special_find!r}: expected unlisted, used or pool")


FIRST = Switches(
    marker_phase=False,
    straight_needs_colour=False,
    straight_skull_ignored=False,
    late_skull_acts=True,
    trade_in_combat=True,
    abilities_optional=False,
    one_unique_in_play=False,
    all_specialists=False,
    choose_items=False,
    alone_max_one_cant_stay=False,
)
SECOND = Switches(
    marker_phase=True,
    straight_needs_colour=True,
    straight_skull_ignored=True,
    late_skull_acts=False,
    trade_in_combat=False,
    abilities_optional=True,
    one_unique_in_play=True,
    all_specialists=True,
    choose_items=True,
    alone_max_one_cant_stay=True,
)
DEFAULTS = {"first": FIRST, "second": SECOND}
MOST_SEATS = {"first": 4, "second": 4}


class Option(NamedTuple):
    """An optional rule: its register entry per edition, or "" in an edition that does not print it."""

    first: str
    second: str
    needs: str = ""
    """The option of which this is a further step."""
    items: bool = False
    """It is about Items, and goes with no level that has none."""
    specialists: bool = False
    """It is about Specialists, and goes with no level at which nobody can rally one."""
    excludes: str = ""
    """The option that leaves nothing for this one to choose."""
    dice_for: Literal["", "mgf", "mines"] = ""
    """It is about these dice, and goes with no map or level that has none."""


OPTIONS = {
    "mulligan": Option("F-OPT-MULLIGAN-01", "S-OPT-MULLIGAN-01"),
    "well-equipped": Option("F-OPT-WELLEQUIPPED-01", "", items=True),
    "bazooka-joe": Option("F-OPT-BAZOOKAJOE-01", "S-OPT-BAZOOKAJOE-01", items=True),
    "bazooka-joe-specialists": Option("F-OPT-BAZOOKAJOE-01", "S-OPT-BAZOOKAJOE-01", needs="bazooka-joe"),
    "wild-specialists": Option("F-OPT-WILDSPEC-01", "", specialists=True, excludes="bazooka-joe-specialists"),
    "quartermasters-whim": Option("F-OPT-WHIM-01", "", items=True, excludes="bazooka-joe"),
    "blind-start": Option("F-OPT-BLINDSTART-01", "S-OPT-BLINDSTART-01"),
    "few-good-men": Option("", "S-OPT-AFEWGOODMEN-01"),
    "victory-points": Option("F-OPT-VP-01", "S-OPT-VP-01"),
    "mgf-dice": Option("N-MGF-01", "N-MGF-01", dice_for="mgf"),
    "mgf-dice-mines": Option("N-MGF-12", "N-MGF-12", needs="mgf-dice", dice_for="mines"),
}


class Setup(NamedTuple):
    """What game is to be played. Plain data; `switches` are (name, value) pairs that differ from the edition's
    defaults, `options` are names of OPTIONS, and `level` is one of the map's ("": all of the map).
    """

    edition: str = "first"
    map: str = "n01-exercise-tiger"
    seats: int = 1
    nations: tuple[str, ...] = ()
    switches: tuple[tuple[str, Any], ...] = ()
    modules: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    level: str = ""


class Way(NamedTuple):
    """A line that a Unit may cross from one Sector to another."""

    to: str
    forward: bool
    courage: int
    mined: bool
    barred: bool
    plain: bool
    """Nothing but visits, Courage and Vehicles can stand in this way."""
    key: str
    climb: int = 0
    """So many Skulls the Final Tally needs for this Advance; without them the Unit may take a way `back`."""
    back: bool = False


@dataclass(frozen=True)
class World:
    """See the top of this file."""

    setup: Setup
    switches: Switches
    map: Map
    sectors: dict[str, Sector]
    ways: dict[str, tuple[Way, ...]]
    cards: dict[str, Card]
    nations: dict[str, Nation]
    content_hash: str
    changed: tuple[str, ...]
    """What of our content packs of one's own have changed, and this game could meet."""
    phases: tuple[str, ...]
    solo: bool
    cite: dict[str, str] = field(repr=False)
    """Topic -> register id of this edition."""
    statics: dict[str, dict[str, tuple[Modify, ...]]] = field(repr=False)
    """Question -> card -> how it changes the answer while in play."""
    listening: dict[str, frozenset[str]] = field(repr=False)
    """Operation -> cards that may have a say in it."""
    neighbourly: dict[str, frozenset[str]] = field(repr=False)
    """Operation -> those of them that have a say for other Units too."""
    actions: dict[str, dict[str, int]] = field(repr=False)
    """Window -> card -> number of its ability that may be used there."""
    stops: dict[str, frozenset[str]] = field(repr=False)
    """Window -> cards for which the game pauses there."""
    shared: dict[str, tuple[str, ...]] = field(repr=False)
    """Window -> cards that others than the owner may use there."""
    rally_price: dict[str, int] = field(repr=False)
    find_price: dict[str, int] = field(repr=False)
    cheapest: dict[str, int] = field(repr=False)
    limited: frozenset[str] = field(repr=False)
    """Specialists of whom a Unit, or all together, may have only so many."""
    slack: dict[str, int] = field(repr=False)
    """Question -> by how much cards of this edition may lower a price at the very most; a quick test before the
    exact one.
    """

    options: frozenset[str] = frozenset()
    level: Level = field(default=Level(), repr=False)
    ignored: frozenset[int] = frozenset()
    """Faces that count for nothing at this level."""
    skulls_stay: frozenset[str] = frozenset()
    """Sectors where a Skull is not rolled again."""
    results: dict[str, tuple[Sector, ...]] = field(default_factory=dict, repr=False)
    """Per Sector with a table: the Sector with each of the six results."""
    part_of: dict[str, int] = field(default_factory=dict, repr=False)
    """On a joined board: the number of the part in which each Sector lies."""

    memo: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)
    """What was worked out once for all games of this world."""

    def within(
        self, verb: str, cards: tuple[str, ...], budget: int, without: frozenset[str] = frozenset()
    ) -> tuple[str, ...]:
        """`rally:CARD` or `find:CARD` for each of these cards whose printed price is within the budget, `without` those
        of some kinds.
        """
        found = self.memo.get((verb, cards, budget, without))
        if found is None:
            price = self.rally_price if verb == "rally" else self.find_price
            if len(self.memo) > 20_000:
                self.memo.clear()
            near = (card for card in cards if price.get(card, budget + 1) <= budget)
            found = tuple(f"{verb}:{card}" for card in near if self.cards[card].kind not in without)
            self.memo[verb, cards, budget, without] = found
        return found

    def ops(self, ref: tuple[Any, ...]) -> tuple[Op, ...]:
        """The list of ops that a reference names: ("card", id, ability) or ("bonus", nation, face), then (op,
        branch) pairs.
        """
        kind, name, which = ref[:3]
        found = self.cards[name].abilities[which].ops if kind == "card" else self.nations[name].rwb[which].ops
        for op, branch in zip(ref[3::2], ref[4::2], strict=True) if len(ref) > 3 else ():
            found = found[op].of[branch].ops
        return found

    def rule_of(self, ref: tuple[Any, ...]) -> str:
        kind, name, which, *_ = ref
        return self.cards[name].rule if kind == "card" else self.nations[name].rwb[which].rule

    def source_of(self, ref: tuple[Any, ...]) -> str:
        return str(ref[1]) if ref[0] == "card" else ""


class Module(NamedTuple):
    """A part that plugs into a landing: it may add or replace phases. `editions` and `excludes` say with what it
    goes together.
    """

    name: str
    editions: tuple[str, ...]
    phases: Any
    """Function from the edition's phases to those with this module."""
    excludes: tuple[str, ...] = ()


MODULES: dict[str, Module] = {}
"""Modules by name; each registers itself and its phases (see `game.PHASES`)."""


def _pick(what: str, name: str, known: Mapping[str, Any]) -> Any:
    if name not in known:
        near = get_close_matches(name, known, 1, 0.5)
        hint = say("setup.near", name=repr(near[0])) if near else ""
        raise SetupError(say(f"setup.unknown.{what}", name=repr(name), known=", ".join(known), hint=hint))
    return known[name]


@cache
def world_of(setup: Setup) -> World:
    """The world of a setup made of the content that comes with Beachhead."""
    return build(setup, library())


def board_at(edition: str, name: str, level: str = "") -> Map:
    """A board of the library as it is played at a level, without what that level leaves out. Raises SetupError."""
    board = library().maps[edition].get(name)
    return world_of(Setup(edition, name, seats=board.least_seats if board else 1, level=level)).map


def build(setup: Setup, content: Library, board: Map | None = None, extra: dict[str, Card] | None = None) -> World:
    """A world from this content; `board` and `extra` cards are used in place of, or on top of, the library's."""
    edition = setup.edition
    if edition not in EDITIONS:
        raise SetupError(say("setup.unknown.edition", name=repr(edition), known=", ".join(EDITIONS), hint=""))
    if board is None:
        for other in EDITIONS:
            if setup.map in content.maps[other] and setup.map not in content.maps[edition]:
                here, there = (say(f"edition.{name}") for name in (edition, other))
                raise SetupError(say("setup.other-edition", name=repr(setup.map), edition=here, other=there))
        board = _pick("map", setup.map, content.maps[edition])
    if not 1 <= setup.seats <= MOST_SEATS[edition]:
        where = say(f"edition.{edition}")
        raise SetupError(say("setup.seats", n=setup.seats, most=MOST_SEATS[edition], edition=where))
    if setup.seats < board.least_seats:
        rule = f" ({board.rule})" if board.rule else ""
        raise SetupError(say("setup.few-seats", n=setup.seats, least=board.least_seats, rule=rule))
    if not board.fits(setup.seats):
        rule = CITES["occupancy"][EDITIONS.index(edition)]
        raise SetupError(say("setup.no-room", n=setup.seats, most=board.room, rule=rule))
    known = content.nations[edition]
    for nation in setup.nations:
        _pick("nation", nation, known)
    if len(setup.nations) > setup.seats:
        raise SetupError(say("setup.nations", n=len(setup.nations), seats=setup.seats))
    if edition == "second" and len(set(setup.nations)) < len(setup.nations):
        raise SetupError(say("setup.same-nation", rule="S-SETUP-01"))
    names = [f.name for f in fields(Switches)]
    for name, value in setup.switches:
        _pick("switch", name, dict.fromkeys(names))
        if type(value) is not type(getattr(DEFAULTS[edition], name)):
            wanted = "true or false" if isinstance(getattr(DEFAULTS[edition], name), bool) else "text"
            raise SetupError(f"switch {name} is {value!r}: expected {wanted}")
    switches = replace(DEFAULTS[edition], **dict(setup.switches))
    switches.check()
    level = _level(setup, board)
    board = _at_level(board, level)
    _check_options(setup, level, board)
    options = frozenset((*setup.options, "few-good-men") if board.few_good_men else setup.options)
    if "bazooka-joe-specialists" in options:
        switches = replace(switches, all_specialists=True, one_unique_in_play=False)
    marker = ("marker",) if switches.marker_phase else ()
    phases: tuple[str, ...] = ("roll", "upkeep", *marker, "acquire", "move", "combat")
    for name in setup.modules:
        module = _pick("module", name, MODULES)
        if edition not in module.editions:
            raise SetupError(f"module {name!r} goes with the {' and '.join(module.editions)} edition only")
        clash = [other for other in setup.modules if other in module.excludes]
        if clash:
            raise SetupError(f"module {name!r} cannot be combined with {', '.join(clash)}")
        phases = module.phases(phases)
    cards = {**content.cards[edition], **(extra or {})}
    solo = setup.seats == 1
    tables = _tables(cards, "solo" if solo else "group")
    if "bazooka-joe-specialists" in options:
        tables["limited"] = frozenset()
    return World(
        setup=setup,
        switches=switches,
        map=board,
        sectors=board.sectors,
        ways=_ways(board),
        cards=cards,
        nations=known,
        content_hash=content.hash,
        changed=_changed(content, board),
        phases=phases,
        solo=solo,
        cite={topic: ids[EDITIONS.index(edition)] for topic, ids in CITES.items()}
        | (ON_MAPS.get(board.id, {}) if edition == "first" else {}),
        options=options,
        level=level,
        ignored=frozenset(FACE[name] for name in FACES if name not in level.results),
        skulls_stay=frozenset(id for id, sector in board.sectors.items() if not sector.reroll_skulls),
        results={
            id: tuple(with_result(sector, result) for result in sector.random)
            for id, sector in board.sectors.items()
            if sector.random
        },
        part_of={sector: n for n, part in enumerate(board.parts) for sector in part.sectors},
        **tables,
    )


def _changed(content: Library, board: Map) -> tuple[str, ...]:
    boards = {board.id, *(part.map for part in board.parts)}
    named = ((text, text.split()) for text in content.changed)
    return tuple(
        text for text, (edition, kind, id, *_) in named if edition == board.edition and (kind != "maps" or id in boards)
    )


PLAIN = Attributes()


def with_result(sector: Sector, result: Result) -> Sector:
    """The Sector with what one line of its table adds or changes."""
    names = [f.name for f in fields(Attributes)]
    changed = {name: getattr(result, name) for name in names if getattr(result, name) != getattr(PLAIN, name)}
    for name in ("bonus", "penalty"):
        if name in changed:
            changed[name] = {**getattr(sector, name), **changed[name]}
    for name in ("items", "vehicles"):
        if name in changed:
            changed[name] = (*getattr(sector, name), *changed[name])
    return replace(sector, **changed)


def _level(setup: Setup, board: Map) -> Level:
    if not setup.level:
        return Level()
    if not board.levels:
        raise SetupError(say("setup.no-levels", map=repr(board.id), name=repr(setup.level)))
    found: Level = _pick("level", setup.level, board.levels)
    return found


def has_dice_for(board: Map, what: str) -> bool:
    """Is there Machine Gun Fire (`mgf`) on this board, or are there Land Mines (`mines`)?"""
    return bool(board.edges.landmines) if what == "mines" else any(one.mgf for one in board.sectors.values())


def _check_options(setup: Setup, level: Level, board: Map) -> None:
    """Raises SetupError for an option that is unknown or does not go with the rest."""
    for name in setup.options:
        option: Option = _pick("option", name, OPTIONS)
        if setup.options.count(name) > 1:
            raise SetupError(say("setup.option-twice", name=repr(name)))
        rule = getattr(option, setup.edition)
        if not rule:
            only = "first" if option.first else "second"
            raise SetupError(say(f"setup.option-{only}-only", name=repr(name), rule=getattr(option, only)))
        if option.needs and option.needs not in setup.options:
            raise SetupError(say("setup.option-needs", name=repr(name), other=repr(option.needs), rule=rule))
        if option.items and not level.items:
            raise SetupError(say("setup.option-items", name=repr(name), level=repr(setup.level), rule=rule))
        if option.specialists and "star" not in level.results:
            raise SetupError(say("setup.option-specialists", name=repr(name), level=repr(setup.level), rule=rule))
        if option.excludes and option.excludes in setup.options:
            raise SetupError(say("setup.option-excludes", name=repr(name), other=repr(option.excludes), rule=rule))
        if option.dice_for and not has_dice_for(board, option.dice_for):
            raise SetupError(say(f"setup.option-{option.dice_for}", name=repr(name), rule=rule))


def _at_level(board: Map, level: Level) -> Map:
    """The board without what is ignored at this level."""
    if level == Level():
        return board
    sectors = {}
    for id, sector in board.sectors.items():
        if not level.attributes:
            bare = Sector(sector.defence, shield=sector.shield, mgf=sector.mgf, bunker=sector.bunker)
            damage = sector.special_damage
            bare = replace(bare, special_damage=damage, start=sector.start, drawing=sector.drawing)
            sector = replace(bare, passage=sector.passage, go_on=sector.go_on)
        sectors[id] = sector if level.mgf else replace(sector, mgf=0, special_damage=None)
    edges = board.edges if level.landmines else replace(board.edges, landmines=())
    if not level.attributes:
        edges = replace(edges, barriers=())
    return replace(board, sectors=sectors, edges=edges, cards=level.cards or board.cards)


def _ways(board: Map) -> dict[str, tuple[Way, ...]]:
    price = {sector: row.courage for row in board.rows for sector in row.sectors}
    mined = {frozenset(line) for line in board.edges.landmines}
    barred = {frozenset(line) for line in board.edges.barriers}
    ways: dict[str, list[Way]] = {sector: [] for sector in board.sectors}
    for forward, lines in ((True, board.edges.forward), (False, board.edges.lateral)):
        for a, b in lines:
            line = frozenset((a, b))
            for start, end in ((a, b),) if forward else ((a, b), (b, a)):
                target = board.sectors[end]
                advance = forward or target.bunker
                asks = target.requires or target.sacrifice or target.max_units or target.door or target.climb
                asks = asks or target.entry != "any" or target.opens_after
                climb = board.sectors[start].climb
                skulls = climb.skulls if climb and forward else 0
                cost = price[end] if advance else 0
                plain = line not in barred and not asks and not skulls and not board.parts
                way = Way(end, advance, cost, line in mined, line in barred, plain, f"move:{end}", skulls)
                ways[start].append(way)
    for start, end in board.edges.retreat:
        climb = board.sectors[start].climb
        skulls = climb.skulls if climb else 0
        ways[start].append(Way(end, False, 0, False, False, False, f"move:{end}", skulls, back=True))
    return {sector: tuple(found) for sector, found in ways.items()}


def _tables(cards: dict[str, Card], mode: str) -> dict[str, Any]:
    statics: dict[str, dict[str, tuple[Modify, ...]]] = {}
    listening: dict[str, set[str]] = {}
    neighbourly: dict[str, set[str]] = {}
    actions: dict[str, dict[str, int]] = {}
    stops: dict[str, set[str]] = {}
    shared: dict[str, list[str]] = {}
    for card in cards.values():
        for number, ability in enumerate(card.abilities):
            if ability.mode not in ("", mode):
                continue
            if ability.kind == "static":
                for op in ability.ops:
                    assert isinstance(op, Modify)
                    by_card = statics.setdefault(op.question, {})
                    by_card[card.id] = (*by_card.get(card.id, ()), op)
            elif ability.kind == "activated":
                for window in _expand(ability.windows):
                    actions.setdefault(window, {})[card.id] = number
                    if ability.users != "owner":
                        shared.setdefault(window, []).append(card.id)
                    if window in ("die", "losses"):
                        listening.setdefault(window, set()).add(card.id)
                for window in _pauses(ability):
                    stops.setdefault(window, set()).add(card.id)
            else:
                listening.setdefault(ability.on, set()).add(card.id)
                if ability.users != "owner":
                    neighbourly.setdefault(ability.on, set()).add(card.id)
    rally = {card.id: card.cost for card in cards.values() if card.is_specialist}
    find = {card.id: card.cost for card in cards.values() if card.is_item or card.kind == "vehicle"}
    return {
        "statics": statics,
        "listening": {name: frozenset(found) for name, found in listening.items()},
        "neighbourly": {name: frozenset(found) for name, found in neighbourly.items()},
        "actions": actions,
        "stops": {name: frozenset(found) for name, found in stops.items()},
        "shared": {name: tuple(found) for name, found in shared.items()},
        "rally_price": rally,
        "find_price": find,
        "cheapest": {"rally": min(rally.values(), default=1_000_000), "find": min(find.values(), default=1_000_000)},
        "limited": frozenset(card.id for card in cards.values() if card.kind in LIMITED),
        "slack": {name: _slack(statics.get(name, {})) for name in ("rally_cost", "find_cost")},
    }


def _pauses(ability: Ability) -> Iterator[str]:
    """The windows in which the game pauses for this ability: those that it names, and the last one in which what it
    brings can still serve this turn: the tally for who joins, what is found, drawn or added; for a Vehicle, Combat.
    """
    yield from _expand(ability.stops)
    windows = _expand(ability.windows)
    for op in ability.ops:
        late = isinstance(op, Find) and op.what == "vehicle"
        early = isinstance(op, (Rally, DrawAward, Find)) or (isinstance(op, GrantRwb) and op.face in ("choice", "star"))
        last = "move.after" if late else "tally" if early else ""
        if last in windows:
            yield last


RESERVE = "reserve-specialist"
LIMITED = (RESERVE, "unique-specialist")


def _slack(table: dict[str, tuple[Modify, ...]]) -> int:
    changes = [change for found in table.values() for change in found]
    if any(change.by is None for change in changes):
        return 1_000
    return sum(-(change.by or 0) for change in changes)


def _expand(windows: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for window in windows for name in ALIASES.get(window, (window,))))
