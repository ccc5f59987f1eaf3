"""What a content file may say. Each dataclass is a table of a pack's TOML; unknown keys are refused.

A card in its shortest form:

    [[card]]
    id = "veteran"
    name = "Veteran"
    kind = "regular-specialist"
    cost = 3
    rule = "F-CARD-VETERAN"
    text = "Every RWB bonus that the Unit obtains also brings 1 Soldier."
    abilities = [{ kind = "triggered", on = "rwb", ops = [{ do = "gain", soldiers = 1 }] }]

An ability is one of four kinds:

    activated    its owner may use it in the `windows` it names (see WINDOWS), as often as `limit` allows
    triggered    its `ops` happen after the operation `on` (rwb, advance, move, tally, lock, rally)
    replacement  it changes the operation `on` before it happens (losses, lose_specialist, skull)
    static       its `modify` ops change the answers to questions while the card is in play

The language of `ops` is the list of dataclasses from Gain to SwapSectors below: the key `do` names one by its tag,
the other keys are its fields. Which of them goes with which kind, window and operation is told by the table in
`abilities`. `basis = "reconstructed"` marks what no source gives.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Annotated, ClassVar, Literal

from .toml import Form, Length, Path_, Range

Face = Literal["skull", "star", "soldier1", "soldier2", "courage", "tool"]
Basis = Literal["rulebook", "public source", "reconstructed"]
Amount = Annotated[int, Range(0, 99)]
Count = Annotated[int, Range(1, 99)]
Change = Annotated[int, Range(-99, 99)]
Few = Annotated[int, Range(1, 6)]
Dice = Annotated[int, Range(1, 12)]
Half = Annotated[int, Range(1, 2)]
Seats = Annotated[int, Range(1, 4)]
ID = Form("[a-z0-9]+(-[a-z0-9]+)*", "small letters and digits, with single hyphens between them")
Id = Annotated[str, ID]
Name = Annotated[str, Form(r"(?=.*\S).{1,60}", "a name on one line of at most 60 characters")]
FIND_RULE = "beachhead rules search WORDS finds one"
SectorName = Annotated[str, Form(r"[A-Za-z0-9]{1,6}", "a name on one line of one to six letters and digits")]
Rule = Annotated[str, Form(r".+", f"the id of a rule; {FIND_RULE}")]
NO_START = "expected at least one Sector with `start`"
NO_BUNKER = "expected at least one Sector with `bunker = true` that is no passage"
FACES = ("skull", "star", "soldier1", "soldier2", "courage", "tool")
FaceName = Annotated[str, Form("|".join(FACES), f"one of {', '.join(FACES)}")]
Line = Annotated[tuple[str, ...], Length(2, 2, "Sectors")]
To = Literal["self", "another", "each-other", "each", "same-advance"]
CardKind = Literal[
    "regular-specialist",
    "reserve-specialist",
    "ranking-specialist",
    "unique-specialist",
    "regular-item",
    "special-item",
    "vehicle",
    "award",
]

WINDOWS: dict[str, str] = {
    "roll.between": "after a roll, while re-rolls are left",
    "tally": "end of Phase 1: all dice are final, nothing is counted yet",
    "marker": "Unit Markers are turned",
    "acquire": "rally, find, draw an Award",
    "move.before": "move phase, the Unit concerned has not moved",
    "move.mine": "a Land Mine die lies on the table, its casualties are not taken",
    "move.arrive": "the Unit stands in its new Sector, mines and requirements are settled",
    "move.after": "all Units have moved or stayed, Combat has not begun",
    "combat.start": "Combat has begun in the Sector, no MGF die is rolled",
    "combat.open": "MGF dice lie on the table, casualties are not taken",
    "die": "a d6 has just been rolled and nothing has come of it yet",
    "losses": "the Unit is about to take casualties, in any phase",
}
BEFORE_MOVE = ("roll.between", "tally", "marker", "acquire", "move.before")
ALIASES: dict[str, tuple[str, ...]] = {
    "before-move": BEFORE_MOVE,
    "any-but-combat": (*BEFORE_MOVE, "move.mine", "move.arrive", "move.after"),
    "before-mgf": (*BEFORE_MOVE, "move.mine", "move.arrive", "move.after", "combat.start"),
    "any": (*BEFORE_MOVE, "move.mine", "move.arrive", "move.after", "combat.start", "combat.open"),
}
QUESTIONS: dict[str, str] = {
    "dice_to_roll": "how many dice does a Unit roll?",
    "dice_to_lock": "how many dice must a Unit Lock after roll one?",
    "rally_cost": "how many Stars does this Specialist cost this Unit?",
    "rally_limit": "how many Specialists may this Unit rally in a turn?",
    "find_cost": "how many Item Points does this Item or Vehicle cost this Unit?",
    "find_limit": "how many Items may this Unit find in a turn?",
    "may_find": "may this Unit find Items where it stands?",
    "advance_cost": "how much Courage does this Advance cost this Unit?",
    "defence": "what is the DEF of this Sector for this Unit now?",
    "mgf_dice": "how many MGF dice are rolled in this Sector?",
    "body_count": "how many Soldiers does this Specialist count as?",
    "mines_hurt": "do Land Mines hurt this Unit on this line?",
    "mgf_hits": "do MGF pips cost this Unit Soldiers?",
    "special_damage_hits": "does Special Damage strike this Unit?",
    "barrier_stops": "does a Barrier stop this move?",
    "must_have_needed": "must this Unit own the named Specialist to enter?",
    "door_closed": "must this Unit discard explosives to enter?",
    "sacrifice_needed": "must this Unit sacrifice a Specialist to enter?",
    "must_move": "must this Unit leave its Sector this turn?",
    "may_trade_with": "may these two Units trade now?",
    "may_be_traded": "may this card change hands?",
}
OPERATIONS: dict[str, str] = {
    "rwb": "a Unit obtains an RWB bonus, by dice or by a card",
    "losses": "a Unit is about to take casualties",
    "lose_specialist": "a Specialist has to be given up or is lost, other than as a casualty",
    "die": "a d6 other than the tally dice was rolled",
    "skull": "active Skulls cancel dice",
    "tally": "the tally becomes final",
    "lock": "dice are Locked",
    "advance": "the Unit has Advanced",
    "move": "the Unit has moved",
    "rally": "this card is rallied",
}


# ---------------------------------------------------------------------- operations of cards


@dataclass(frozen=True, slots=True)
class Gain:
    """Resources come to a Unit. `to` same-advance: to it and all that make the same Advance, once all have moved.
    `per` repeats it: for each Skull among the dice just Locked. `part` 2 is left out in solitaire.
    """

    tag: ClassVar[str] = "gain"
    soldiers: Amount = 0
    stars: Change = 0
    courage: Change = 0
    points: Change = 0
    to: To = "self"
    per: Literal["", "locked-skull"] = ""
    part: Half = 1


@dataclass(frozen=True, slots=True)
class Save:
    """So many casualties of this phase are not taken."""

    tag: ClassVar[str] = "save"
    casualties: Count


@dataclass(frozen=True, slots=True)
class PayToSave:
    """Each resource of these kinds that is spent saves one casualty."""

    tag: ClassVar[str] = "pay-to-save"
    resources: tuple[Literal["courage", "stars"], ...]


@dataclass(frozen=True, slots=True)
class AddResult:
    """A result joins the Final Tally. `face` or `colour` may be left to a player; colour `rwb` is one of each. `to`
    names the Unit whose tally it is; it chooses for itself, unless `chooser` is the user of the card. `optional`: a
    Unit may do without. `part` 2 is left out in solitaire.
    """

    tag: ClassVar[str] = "add-result"
    face: Face | Literal["choice"]
    colour: Literal["none", "red", "white", "blue", "choice", "rwb"] = "none"
    count: Few = 1
    to: Literal["self", "another", "each"] = "self"
    chooser: Literal["receiver", "user"] = "receiver"
    optional: bool = False
    part: Half = 1


@dataclass(frozen=True, slots=True)
class SetResult:
    """A die is turned to a result of choice; its colour stays. `dice`: any one (also a d6), an own blue one, or all
    own Skulls alike.
    """

    tag: ClassVar[str] = "set-result"
    dice: Literal["any", "own-blue", "own-skulls"]


@dataclass(frozen=True, slots=True)
class SetColour:
    """One own die gets another colour; its result stays."""

    tag: ClassVar[str] = "set-colour"


@dataclass(frozen=True, slots=True)
class Reroll:
    """Own dice are rolled again; `locked` says whether Locked ones may be, `times` how often in a row."""

    tag: ClassVar[str] = "reroll"
    dice: Few = 1
    locked: bool = False
    times: Few = 1


@dataclass(frozen=True, slots=True)
class IgnoreSkull:
    """So many Skulls cancel nothing this turn."""

    tag: ClassVar[str] = "ignore-skull"
    count: Few = 1


@dataclass(frozen=True, slots=True)
class CopyTally:
    """The own six dice become copies of another Unit's six."""

    tag: ClassVar[str] = "copy-tally"


@dataclass(frozen=True, slots=True)
class RepeatTally:
    """The six dice are next turn's Final Tally as well."""

    tag: ClassVar[str] = "repeat-tally"


@dataclass(frozen=True, slots=True)
class SwapDice:
    """Two Units exchange one die each for this turn."""

    tag: ClassVar[str] = "swap-dice"
    skulls: bool


@dataclass(frozen=True, slots=True)
class RollPool:
    """Six dice are rolled once and kept beside the card."""

    tag: ClassVar[str] = "roll-pool"


@dataclass(frozen=True, slots=True)
class SwapWithPool:
    """An own die is replaced by a kept die, which is then spent."""

    tag: ClassVar[str] = "swap-with-pool"


@dataclass(frozen=True, slots=True)
class Branch:
    """One of the alternatives of a choice."""

    name: str
    ops: tuple[Op, ...]


@dataclass(frozen=True, slots=True)
class Choose:
    """Exactly one of several lists of ops is carried out."""

    tag: ClassVar[str] = "choose"
    of: tuple[Branch, ...]


@dataclass(frozen=True, slots=True)
class Modify:
    """The answer to a question changes: exactly one of `by`, `at_most`, `set`. Yes/no questions are answered 1 or 0.

    scope: for whom or where (self; each Unit; own-sector, for all in it; adjacent-sector, one of choice; fight-sector,
    that of the Unit wherever it goes; same-move, also for Units that make the same move after it; pair, for the Unit
    and another of choice; this-card). where: only there. In a static ability it holds while the card is in play, else
    `until`.
    """

    tag: ClassVar[str] = "modify"
    question: str
    by: Change | None = None
    at_most: Amount | None = None
    set: Amount | None = None
    scope: Literal[
        "self", "each", "own-sector", "adjacent-sector", "fight-sector", "same-move", "pair", "this-card"
    ] = "self"
    where: Literal["", "bunker", "not-bunker", "item"] = ""
    until: Literal["turn", "game"] = "turn"

    def check(self) -> Iterable[tuple[str, str]]:
        return self.check_rest(())

    def check_rest(self, gone: Sequence[Path_]) -> Iterable[tuple[str, str]]:
        if self.question not in QUESTIONS and not lost(gone, ("question",)):
            yield "question", f"unknown question {self.question!r}: expected one of {', '.join(QUESTIONS)}"
        given = sum(value is not None for value in (self.by, self.at_most, self.set))
        if given != 1 and not lost(gone, ("by",), ("at_most",), ("set",)):
            yield "", "expected exactly one of by, at_most, set"


@dataclass(frozen=True, slots=True)
class ReduceByRoll:
    """A d6 is rolled, and cards may change it; this turn the answer for the own Sector is lower by its pips."""

    tag: ClassVar[str] = "reduce-by-roll"
    question: Literal["defence"]


@dataclass(frozen=True, slots=True)
class PayToReduce:
    """After an Advance: every `points` Item Points lower the DEF of the own Sector by 1 this turn, by `most` at the
    very most; not in a Bunker.
    """

    tag: ClassVar[str] = "pay-to-reduce"
    points: Count
    most: Count


@dataclass(frozen=True, slots=True)
class GrantRwb:
    """An RWB bonus is obtained without dice; `choice` leaves it to the Unit that gets it. `part` 2 is left out in
    solitaire.
    """

    tag: ClassVar[str] = "grant-rwb"
    face: Face | Literal["choice"]
    to: Literal["self", "another"] = "self"
    part: Half = 1


@dataclass(frozen=True, slots=True)
class FreeMove:
    """This turn's move costs no Courage and ignores must-have and sacrifice requirements; the Unit has to move."""

    tag: ClassVar[str] = "free-move"


@dataclass(frozen=True, slots=True)
class Find:
    """An extra find: what it may be, and whether it is paid for. `unlisted` also offers Special Items that the map
    does not list, `used` also Items that are used up.
    """

    tag: ClassVar[str] = "find"
    what: Literal["item", "vehicle"] = "item"
    unlisted: bool = False
    used: bool = False
    free: bool = False


@dataclass(frozen=True, slots=True)
class Rally:
    """A Specialist of choice joins without Stars, from hand or pool, with `dead` also from among the Unit's dead.
    `counts`: he is the one of this turn, and all limits hold.
    """

    tag: ClassVar[str] = "rally"
    counts: bool = True
    dead: bool = False


@dataclass(frozen=True, slots=True)
class Lose:
    """A price that nothing saves: so many Soldiers (with `up_to` 1 to so many, and somebody has to be left), or a
    Specialist of choice in whose place nobody can be given up. `brings`: so many Soldiers come for each Soldier, or
    each Star of the Specialist's printed cost, `to` the own Unit or another.
    """

    tag: ClassVar[str] = "lose"
    soldiers: Amount = 0
    up_to: bool = False
    specialist: bool = False
    brings: Amount = 0
    to: Literal["self", "another"] = "self"

    def check(self) -> Iterable[tuple[str, str]]:
        if bool(self.soldiers) == self.specialist:
            yield "", "expected either soldiers or specialist"


@dataclass(frozen=True, slots=True)
class DrawAward:
    """A random Award, within the limit of one per turn."""

    tag: ClassVar[str] = "draw-award"


@dataclass(frozen=True, slots=True)
class Substitute:
    """This card is lost in place of another."""

    tag: ClassVar[str] = "substitute"


@dataclass(frozen=True, slots=True)
class SwapSectors:
    """Two Units change places; it is no move."""

    tag: ClassVar[str] = "swap-sectors"


Op = (
    Gain
    | Save
    | PayToSave
    | AddResult
    | SetResult
    | SetColour
    | Reroll
    | IgnoreSkull
    | CopyTally
    | RepeatTally
    | SwapDice
    | RollPool
    | SwapWithPool
    | Choose
    | Modify
    | ReduceByRoll
    | PayToReduce
    | GrantRwb
    | FreeMove
    | Find
    | Rally
    | Lose
    | DrawAward
    | Substitute
    | SwapSectors
)


# ---------------------------------------------------------------------- cards


@dataclass(frozen=True, slots=True)
class Ability:
    """See the top of this file. `stops`: windows in which the game pauses for this card even if nothing else is open
    there. Where it brings somebody, an Item, an Award, or an RWB of choice or of Stars, the tally need not be named,
    nor for a Vehicle the time after the move.

    `users`: who may use it, or for whom it happens: its owner, each Unit, or each Unit in its Sector. `mode`: only
    alone, or only with others.
    """

    kind: Literal["activated", "triggered", "replacement", "static"]
    ops: tuple[Op, ...]
    windows: tuple[str, ...] = ()
    stops: tuple[str, ...] = ()
    on: str = ""
    limit: Literal["each-time", "once-per-turn", "once-per-phase", "single-use"] = "each-time"
    sacrifice: bool = False
    users: Literal["owner", "each", "own-sector"] = "owner"
    mode: Literal["", "solo", "group"] = ""

    def check(self) -> Iterable[tuple[Path_, str]]:
        return self.check_rest(())

    def check_rest(self, gone: Sequence[Path_]) -> Iterable[tuple[Path_, str]]:
        from .abilities import ability_faults

        return ability_faults(self, gone)


@dataclass(frozen=True, slots=True)
class Card:
    """One card. `solo = false`: not in solitaire. `symbol = "multiplayer"`: second-edition Regular Items beyond two
    players.
    """

    id: Id
    name: Name
    kind: CardKind
    rule: Rule
    text: str
    cost: Amount = 0
    abilities: tuple[Ability, ...] = ()
    solo: bool = True
    symbol: Literal["", "multiplayer"] = ""
    explosive: Amount = 0
    basis: Basis = "rulebook"

    def check(self) -> Iterable[tuple[Path_, str]]:
        return self.check_rest(())

    def check_rest(self, gone: Sequence[Path_]) -> Iterable[tuple[Path_, str]]:
        from .abilities import card_faults

        if not lost(gone, ("kind",), ("abilities",)):
            yield from card_faults(self)

    @property
    def is_specialist(self) -> bool:
        return self.kind.endswith("specialist")

    @property
    def is_item(self) -> bool:
        return self.kind.endswith("item")

    @property
    def layer(self) -> str:
        return "specialist" if self.is_specialist else "award" if self.kind == "award" else "item"


@dataclass(frozen=True, slots=True)
class CardFile:
    """A file of cards; all of them belong to one edition."""

    format: Literal[1]
    edition: Literal["first", "second"]
    card: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Bonus:
    """What one RWB gives."""

    name: str
    text: str
    ops: tuple[Op, ...]
    rule: Rule
    basis: Basis = "rulebook"

    def check(self) -> Iterable[tuple[Path_, str]]:
        return self.check_rest(())

    def check_rest(self, gone: Sequence[Path_]) -> Iterable[tuple[Path_, str]]:
        from .abilities import bonus_faults

        if not lost(gone, ("ops",)):
            yield from bonus_faults(self.ops)


@dataclass(frozen=True, slots=True)
class Nation:
    """A Unit's colours and its six RWB bonuses."""

    id: Id
    name: Name
    rwb: dict[FaceName, Bonus]

    def check(self) -> Iterable[tuple[str, str]]:
        return self.check_rest(())

    def check_rest(self, gone: Sequence[Path_]) -> Iterable[tuple[str, str]]:
        strange = [face for face in self.rwb if face not in FACES]
        missing = [face for face in FACES if face not in self.rwb and not get_close_matches(face, strange, 1)]
        if missing and ("rwb",) not in gone:
            yield "rwb", f"expected exactly the results {', '.join(FACES)}; missing: {', '.join(missing)}"


@dataclass(frozen=True, slots=True)
class NationFile:
    format: Literal[1]
    edition: Literal["first", "second"]
    nation: tuple[Nation, ...]


# ---------------------------------------------------------------------- maps


@dataclass(frozen=True, slots=True)
class Start:
    """What a Unit that starts here has: resources, and Specialists from its hand or the pool. A Unique or Ranking one
    goes to the first Unit that starts with him, and no other; Regular and Reserve ones each Unit has.
    """

    soldiers: Amount = 0
    stars: Amount = 0
    courage: Amount = 0
    points: Amount = 0
    specialists: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Door:
    """Entering costs cards with so many explosive icons in all. `stays_open`: only the first Unit pays."""

    explosives: Count
    stays_open: bool = True


@dataclass(frozen=True, slots=True)
class Joins:
    """A Specialist who joins free: each Unit that moves in, or only the first. `only`: he can be had nowhere else; of
    Regular and Reserve ones each Unit has its own, so this is for Unique and Ranking ones.
    """

    specialist: str
    who: Literal["each", "first"] = "each"
    only: bool = False


@dataclass(frozen=True, slots=True)
class OnEntry:
    """Gained once, on moving in: so many d6 of Soldiers."""

    soldiers_d6: Dice


@dataclass(frozen=True, slots=True)
class SpecialDamage:
    """What each six among the MGF dice costs on top: Courage, or a Specialist of the owner's choice."""

    courage: Amount = 0
    specialists: Amount = 0


@dataclass(frozen=True, slots=True)
class OfAKind:
    """So many equal results in the Final Tally, or more, bring Soldiers, or cost them where negative; once a turn."""

    at_least: Count
    soldiers: Change


@dataclass(frozen=True, slots=True)
class Climb:
    """A Unit leaves forward only with so many Skulls in its Final Tally, and never by a Battle Cry. No Vehicle can be
    here. In a turn without them it may go back where the map has a way of retreat.
    """

    skulls: Count


@dataclass(frozen=True, slots=True)
class Shelling:
    """In Combat every Unit here rolls so many d6 of its own and loses as many Soldiers, but for one that has the
    Specialist who `spares` it.
    """

    dice: Dice = 1
    spares: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """Where a Sector stands in its row, by twelfths of the width; `blast`: craters of bombs, which mean nothing."""

    col: int = 0
    width: int = 12
    terrain: Literal["sea", "sand", "shingle", "grass", "ridge", "bunker"] = "sand"
    blast: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Attributes:
    """What a Sector may print, and what a die may add to it.

    `items` lie here: the first Unit that enters gets them, and nobody finds them elsewhere. `award`: the first Unit
    that enters earns one, of its choice or at random. `bonus_colour`: results of the bonus have no colour, or one of
    the Unit's choice. `battle_cry`: can that RWB be obtained here? `per_star`, `per_rwb`: Soldiers for each Star of
    the Final Tally, for each RWB; lost where negative.
    """

    shield: Literal["white", "black"] = "white"
    shelling: Shelling | None = None
    bonus: dict[Face, Count] = field(default_factory=dict)
    bonus_colour: Literal["none", "choice"] = "none"
    penalty: dict[Face, Count] = field(default_factory=dict)
    locked_dice: Amount | None = None
    reroll_skulls: bool = True
    battle_cry: bool = True
    per_star: Change = 0
    per_rwb: Change = 0
    vehicles: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    award: Literal["", "choice", "random"] = ""


@dataclass(frozen=True, slots=True)
class Result(Attributes):
    """One line of a Sector's table: it holds from the moment the first Unit has rolled it."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Sector(Attributes):
    """One Sector. `def` holds one value, or one per combat turn there; `def_fixed`: no Specialist, Item or Vehicle
    lowers it. `items_alone`: what lies here in solitaire, in the place of `items`. `random`: the first Unit that moves
    in rolls a d6 for one of six results.

    `entry`: only Units that move by a Battle Cry come in. `stay`: without limit the marker is not turned here.
    `fights`: once, and whoever stays fights no more. A Bunker that is a `passage` lies in the middle of a map: it is
    fought like any Sector and makes nobody safe. `opens_after`: no Unit enters before that Bunker is conquered.
    `go_on`: a Unit that has conquered this Bunker may stay in play and move on.
    """

    defence: tuple[Amount, ...] = field(metadata={"key": "def"})
    text: str = ""
    def_fixed: bool = False
    mgf: Annotated[int, Range(0, 12)] = 0
    special_damage: SpecialDamage | None = None
    bunker: bool = False
    passage: bool = False
    go_on: bool = False
    opens_after: str = ""
    fights: Literal["always", "once"] = "always"
    stay: Literal["three turns", "unlimited"] = "three turns"
    start: Start | None = None
    requires: tuple[str, ...] = ()
    sacrifice: str = ""
    entry: Literal["any", "battle-cry"] = "any"
    joins: Joins | None = None
    of_a_kind: OfAKind | None = None
    climb: Climb | None = None
    random: tuple[Result, ...] = ()
    on_entry: OnEntry | None = None
    dice: Few = 6
    find_items: bool = True
    items_alone: tuple[str, ...] | None = None
    door: Door | None = None
    max_units: Amount = 0
    drawing: Drawing = field(default_factory=Drawing)
    reconstructed: tuple[str, ...] = ()

    def check(self) -> Iterable[tuple[str, str]]:
        return self.check_rest(())

    def check_rest(self, gone: Sequence[Path_]) -> Iterable[tuple[str, str]]:
        if not self.defence and not lost(gone, ("def",)):
            yield "def", "expected one or more whole numbers from 0 to 99"
        if len(self.random) not in (0, 6):
            yield "random", f"expected six results, one for each side of the die, got {len(self.random)}"
        for key in ("passage", "go_on", "opens_after"):
            if getattr(self, key) and not self.bunker and not lost(gone, ("bunker",)):
                yield key, "only a Bunker has it"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of Sectors, from left to right; `courage` is the price of the line before it: the one below or, on the
    board of a joined one that lies upside down, the one above.
    """

    sectors: Annotated[tuple[str, ...], Length(1, 8, "Sectors (more would be drawn over each other)")]
    courage: Amount = 0
    down: bool = field(default=False, metadata={"key": ""})
    """Of a joined board: does the row lie upside down? No file of a map says it."""


@dataclass(frozen=True, slots=True)
class Edges:
    """Which Sectors touch. Mines and Barriers lie on lines that are also listed as forward or lateral. `retreat` lines
    lead back, from a Sector where Units climb to another.
    """

    forward: tuple[Line, ...]
    lateral: tuple[Line, ...] = ()
    landmines: tuple[Line, ...] = ()
    barriers: tuple[Line, ...] = ()
    retreat: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Barrage:
    """The DEF of these Sectors is higher by so much until the first Unit stands in the Sector `until`."""

    sectors: tuple[str, ...]
    by: Count
    until: str


@dataclass(frozen=True, slots=True)
class Part:
    """One of the boards that a joined board is made of: its Sectors, and the Regular Specialists of those who start
    there. Nobody comes back to a board that it has left.
    """

    map: str
    sectors: tuple[str, ...]
    specialists_regular: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardLists:
    """Which cards the map offers, by card id. The second edition uses `items_special` only."""

    specialists_regular: tuple[str, ...] = ()
    specialists_unique: tuple[str, ...] = ()
    items_special: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Level:
    """An easier way to play a map: what of it counts. What is not written is as the map has it.

    `attributes` are all that Sectors print beside DEF, shields, Machine Gun Fire and Land Mines.
    """

    results: tuple[Face, ...] = ("skull", "star", "soldier1", "soldier2", "courage", "tool")
    attributes: bool = True
    mgf: bool = True
    landmines: bool = True
    items: bool = True
    awards: bool = True
    one_lost_all_lost: bool = True
    cards: CardLists | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """A map of the library as a part of a joined board: `mark`, of letters and digits, stands before the names of its
    Sectors. One of the two lies upside down, so that the Bunkers meet in the middle.
    """

    map: str
    mark: str

    def check(self) -> Iterable[tuple[str, str]]:
        if not re.fullmatch("[A-Za-z0-9]*", self.mark):
            yield "mark", "expected letters and digits"


@dataclass(frozen=True, slots=True)
class Guns:
    """The DEF of all Sectors of a board, named by its mark, is higher by so much until the first Unit stands in the
    Sector `until`.
    """

    board: str
    by: Count
    until: str


@dataclass(frozen=True, slots=True)
class Closed:
    """A Bunker that opens once another is conquered."""

    bunker: str
    after: str


@dataclass(frozen=True, slots=True)
class Joined:
    """Two maps laid head to head, the first below, the second above and upside down. `across`: pairs of Sectors that
    touch; a Unit may cross either way, at the price of the row it enters. Items and Unique Specialists of both maps
    lie in one pool, with the `items_special` that are named here. Guns of both maps fire, and where one of them is
    played with A Few Good Men so is the joined board. How many play it and its rule are said here, and it has no
    levels.
    """

    format: Literal[1]
    id: Id
    name: Name
    edition: Literal["first", "second"]
    boards: tuple[Board, ...]
    across: tuple[Line, ...]
    number: str = ""
    place: str = ""
    date: datetime.date | None = None
    text: str = ""
    basis: Basis = "rulebook"
    least_seats: Seats = 1
    rule: str = ""
    items_special: tuple[str, ...] = ()
    guns: tuple[Guns, ...] = ()
    closed: tuple[Closed, ...] = ()
    go_on: tuple[str, ...] = ()
    """Bunkers after which a Unit may stay in play."""

    def check(self) -> Iterable[tuple[str | Path_, str]]:
        return self.check_rest(())

    def check_rest(self, gone: Sequence[Path_]) -> Iterable[tuple[str | Path_, str]]:
        if len(self.boards) != 2 and ("boards",) not in gone:
            yield "boards", f"expected two boards, got {len(self.boards)}"
        marks = [board.mark for board in self.boards]
        for n, mark in enumerate(marks):
            if mark in marks[:n] and not lost(gone, ("boards", "*", "mark")):
                yield ("boards", n, "mark"), f"another board has the mark {mark!r} as well"
        lines = [frozenset(line) for line in self.across]
        for n, line in enumerate(self.across):
            if len(line) != 2:
                continue
            if len(lines[n]) == 1:
                yield ("across", n), f"{line[0]}-{line[1]}: a way leads to another Sector"
            elif lines[n] in lines[:n]:
                yield ("across", n), f"{line[0]}-{line[1]} is there already"


@dataclass(frozen=True, slots=True)
class Map:
    """A Battle Map. `conquer`: any of its Bunkers, or `each` of them by at least one Unit; alone, by that Unit."""

    format: Literal[1]
    id: Id
    name: Name
    edition: Literal["first", "second"]
    rows: tuple[Row, ...]
    sectors: dict[SectorName, Sector]
    edges: Edges
    cards: CardLists
    number: str = ""
    place: str = ""
    date: datetime.date | None = None
    text: str = ""
    basis: Basis = "rulebook"
    few_good_men: bool = False
    """The map is always played with A Few Good Men."""
    conquer: Literal["any", "each"] = "any"
    least_seats: Seats = 1
    rule: str = ""
    """Of the register: what says how many play it."""
    barrage: tuple[Barrage, ...] = ()
    parts: tuple[Part, ...] = field(default=(), metadata={"key": ""})
    """The boards that a joined board is made of; no file of a map says it."""
    levels: dict[Name, Level] = field(default_factory=dict)

    @property
    def room(self) -> int:
        """For how many Units the Sectors have room where they start; 0 where that is not limited."""
        rooms = [one.max_units for one in self.sectors.values() if one.start]
        return sum(rooms) if all(rooms) else 0

    def fits(self, seats: int) -> bool:
        return self.least_seats <= seats <= (self.room or seats)

    def check(self) -> Iterable[tuple[str | Path_, str]]:
        return self.check_rest(())

    def check_rest(self, gone: Sequence[Path_]) -> Iterable[tuple[str | Path_, str]]:
        yield from self._names(gone)
        yield from self._lines(gone)
        if not any(s.start for s in self.sectors.values()) and not lost(gone, ("sectors", "*", "start")):
            yield "sectors", NO_START
        if not any(s.bunker and not s.passage for s in self.sectors.values()) and not lost(
            gone, ("sectors", "*", "bunker"), ("sectors", "*", "passage")
        ):
            yield "sectors", NO_BUNKER

    def _names(self, gone: Sequence[Path_]) -> Iterable[tuple[str | Path_, str]]:
        """Of Sectors, outside of `edges`."""
        places = [(sector, n, i) for n, row in enumerate(self.rows) for i, sector in enumerate(row.sectors)]
        listed = [sector for sector, _, _ in places]
        for sector in self.sectors if not lost(gone, ("rows", "*", "sectors")) else ():
            if listed.count(sector) != 1:
                yield ("sectors", sector), f"expected Sector {sector!r} in exactly one row"
        if ("sectors",) in gone:
            return
        for sector, n, i in places:
            if sector not in self.sectors:
                yield ("rows", n, "sectors", i), f"Sector {sector!r} is in a row but has no table in `sectors`"
        for sector, printed in self.sectors.items():
            other = printed.opens_after
            if other and not getattr(self.sectors.get(other), "bunker", False):
                if not lost(gone, ("sectors", other, "bunker")):
                    yield ("sectors", sector, "opens_after"), f"{other!r} is no Bunker of this map"
        for n, barrage in enumerate(self.barrage):
            for sector in (*barrage.sectors, barrage.until):
                if sector not in self.sectors:
                    yield ("barrage", n), f"unknown Sector {sector!r}: expected one of {', '.join(self.sectors)}"

    def _lines(self, gone: Sequence[Path_]) -> Iterable[tuple[str | Path_, str]]:
        lines = set()
        for key in ("forward", "lateral", "retreat"):
            for n, line in enumerate(getattr(self.edges, key)):
                if len(line) != 2:
                    continue
                if key != "retreat":
                    lines.add(frozenset(line))
                elif line[0] in self.sectors and not self.sectors[line[0]].climb:
                    if not lost(gone, ("sectors", line[0], "climb")):
                        yield ("edges", key, n), f"nobody climbs in Sector {line[0]!r}"
                for sector in line if ("sectors",) not in gone else ():
                    if sector not in self.sectors:
                        yield ("edges", key, n), f"unknown Sector {sector!r}: expected one of {', '.join(self.sectors)}"
        for key in ("landmines", "barriers") if not lost(gone, ("edges", "forward"), ("edges", "lateral")) else ():
            for n, line in enumerate(getattr(self.edges, key)):
                if len(line) == 2 and frozenset(line) not in lines:
                    yield ("edges", key, n), f"{'-'.join(line)} is neither a forward nor a lateral line"


def lost(gone: Sequence[Path_], *needed: Path_) -> bool:
    """Is one of these, or a part of it, among what could not be read? A step "*" is any: ("sectors", "*", "start")."""
    return any(
        all(step in ("*", there) for step, there in zip(one, path, strict=False)) for one in needed for path in gone
    )
