"""What browser and server say to each other over the socket, as JSON. `schema()` exports it; the client's types are
made from that.

A guest opens `/ws`, says `hello`, and is answered `welcome`. From then on every change of the table comes as `update`
with the next number `n`; a guest that misses one says `hello` again with what it `have`s. Everything that changes the
table carries an `id` of the guest's making: sent again, it gets the same answer and happens once.

The client knows no rule. It shows the `screen`: what lies on the table, what is asked, and every possible answer with
its words. An answer is always one of the keys of an `ask`.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct, field

# ---------------------------------------------------------------------------------------------------- from the guest


class Hello(Struct, tag="hello", forbid_unknown_fields=True):
    """Who is there. `token` is that of a seat, the host or a spectator. `have`: the last number seen, -1 for none.
    `want`: all that a screen shows, or only the keys of open questions.
    """

    table: str
    token: str = ""
    have: int = -1
    lang: str = "en"
    want: Literal["screen", "keys"] = "screen"


class Move(Struct, tag="move", forbid_unknown_fields=True):
    """An answer of a seat to its question `seq`, given when the table stood at number `base`."""

    id: str
    base: int
    seat: int
    seq: int
    key: str


class Undo(Struct, tag="undo", forbid_unknown_fields=True):
    """Take back the last answer of this seat (`back`), or bring back what was taken.

    `beyond`: although dice, cards or other answers have been seen since. Other persons at the table are asked first;
    the Ack then has the present number.
    """

    id: str
    base: int
    seat: int
    back: bool = True
    beyond: bool = False


class Agree(Struct, tag="agree", forbid_unknown_fields=True):
    """The answer to `TableNow.request`, by its id. Without `yes` it is dropped; who asked may do that, too."""

    id: str
    request: str
    yes: bool = True


class Roll(Struct, tag="roll", forbid_unknown_fields=True):
    """Dice that were rolled on the table, as `Screen.enter` wants them; without faces the server rolls."""

    id: str
    base: int
    seat: int
    roll: str
    faces: list[int] = field(default_factory=list)


class Chat(Struct, tag="chat", forbid_unknown_fields=True):
    """A line of one's own, or a quick phrase by its key."""

    id: str
    text: str = ""
    phrase: str = ""


class Why(Struct, tag="why", forbid_unknown_fields=True):
    """Why is this number what it is? Asked for a Unit: `defence`, `mgf_dice`, `dice_to_lock`, `rally_cost` ...

    `tally`: what will the dice come to if the open question of this seat is answered with `dice`? They may still be too
    few or too many for an answer.
    """

    id: str
    seat: int
    question: str
    sector: str = ""
    card: str = ""
    dice: list[str] = field(default_factory=list)


class Host(Struct, tag="host", forbid_unknown_fields=True):
    """What the host of a table may do with a seat: give it to a bot, open it again under a new link, name it; or close
    the table, open it again, switch the chat off and on.
    """

    id: str
    act: Literal["bot", "open", "name", "close", "reopen", "chat-off", "chat-on"]
    seat: int = -1
    text: str = ""
    """The code of the bot, or the name."""


class Name(Struct, tag="name", forbid_unknown_fields=True):
    """A person at a seat says their name."""

    id: str
    seat: int
    name: str


class Adviser(Struct, tag="adviser", forbid_unknown_fields=True):
    """Somebody who plays switches the adviser of the table on or off, for all."""

    id: str
    on: bool


class Ping(Struct, tag="ping", forbid_unknown_fields=True):
    t: int = 0


FromGuest = Hello | Move | Undo | Agree | Roll | Chat | Why | Host | Name | Adviser | Ping


# ---------------------------------------------------------------------------------------------------- parts of a screen


class Reason(Struct, omit_defaults=True):
    text: str
    rule: str = ""


class Option(Struct, omit_defaults=True):
    """One answer: its key, in words, its small print. What it is about, if that can be pointed at on the screen."""

    key: str
    label: str
    detail: str = ""
    rule: str = ""
    sector: str = ""
    card: str = ""
    unit: int = -1
    price: str = ""


class Stepper(Struct, omit_defaults=True):
    """Keys of the form `VERB:NAME=1` to `VERB:NAME=MOST`, of which one is chosen with plus and minus."""

    verb: str
    name: str
    label: str
    most: int


class Not(Struct, omit_defaults=True):
    """An answer that looks possible and is not, with every reason."""

    key: str
    label: str
    reasons: list[Reason]
    sector: str = ""
    card: str = ""


class Turned(Struct, omit_defaults=True):
    """An answer that turns a die: what it becomes. `helps`: how many more Axis dice are matched then."""

    key: str
    label: str
    colour: str
    face: str
    shows: str
    helps: int = 0


class Way(Struct):
    """A die that can be turned (`R1` ... `B2`, `G1` ... for Axis dice, `K`), as it lies, and all that it may become."""

    place: str
    colour: str
    face: str
    words: str
    options: list[Turned]


class Pick(Struct):
    """A card that turns one die: first the die is chosen, then what it becomes."""

    label: str
    detail: str
    card: str
    ways: list[Way]


class AskNow(Struct, omit_defaults=True):
    """An open question of a seat that this guest may answer.

    `dice` holds keys of the form `VERB:R1,W2` (or `VERB:none`): chosen by touching dice. `steppers` are amounts, as in
    trades; `picks` turn dice. All other keys are `options`, each with its words. `expect`: what the tray's button says.
    """

    seat: int
    seq: int
    name: str
    kind: str
    prompt: str
    rule: str
    hint: str = ""
    source: str = ""
    options: list[Option] = field(default_factory=list)
    dice_verb: str = ""
    dice: list[str] = field(default_factory=list)
    expect: str = ""
    preset: list[str] | None = None
    """The dice that are chosen when the question opens; None: as the page likes."""
    steppers: list[Stepper] = field(default_factory=list)
    picks: list[Pick] = field(default_factory=list)
    nots: list[Not] = field(default_factory=list)
    undo: str = ""
    """What undo would take back, in words; empty if nothing."""


class Counter(Struct, omit_defaults=True):
    """A number of a Unit: `soldiers`, `stars`, `courage`, `points`."""

    id: str
    name: str
    value: int
    change: int = 0
    """Since the turn began."""


class CardNow(Struct, omit_defaults=True):
    """A card as a small face. `kind` names its border and icon; `formula` is made of icon names and short texts."""

    id: str
    name: str
    kind: str
    kind_name: str
    text: str
    cost: int = 0
    cost_icon: str = ""
    rebuilt: bool = False
    place: Literal["hand", "specialists", "items", "awards", "dead", "pool", "used"] = "items"
    when: str = ""
    explosive: int = 0
    rule: str = ""


class Die(Struct, omit_defaults=True):
    """One die of a tray, on its place (`R1` ... `B2`). `face` is empty while it is not rolled.

    `words` say all of it, for readers (`R1 Star, Locked`); `shows` is its result alone (`Star`). `idle`: this result
    counts for nothing in this game. `pair`: it matches this Axis die, from 1; 0 for none.
    """

    place: str
    colour: Literal["red", "white", "blue"]
    face: str
    words: str
    locked: bool = False
    cancelled: bool = False
    rwb: bool = False
    idle: bool = False
    shows: str = ""
    pair: int = 0


class Near(Struct):
    """A result that lacks one colour for an RWB, and that colour."""

    face: str
    want: Literal["red", "white", "blue"]


class Pair(Struct):
    """An Axis die, from 0, and the dice that match it; `+` for a result beside the dice."""

    axis: int
    dice: list[str]


class Tray(Struct, omit_defaults=True):
    dice: list[Die]
    added: list[str] = field(default_factory=list)
    """Results beside the dice, in words."""
    worth: str = ""
    """What they come to as they lie, in words."""
    roll: int = 0
    """Which of the three rolls has been made; 0 when nothing is rolled."""
    near: list[Near] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)


MarkerIcon = Literal["", "1", "2", "3", "move", "cry", "shield"]
"""The picture of a Unit's marker."""


class UnitNow(Struct, omit_defaults=True):
    seat: int
    name: str
    nation: str
    status: Literal["on the map", "safe", "lost"]
    sector: str
    sector_name: str
    marker: str
    leave: str
    """By when it has to leave, in words."""
    strength: int
    counters: list[Counter]
    cards: list[CardNow]
    tray: Tray
    marker_icon: MarkerIcon = ""
    danger: str = ""
    """What Combat where it stands will cost, in words."""


class SectorNow(Struct, omit_defaults=True):
    """A Sector for readers: the list of these is the truth, the picture shows the same."""

    id: str
    name: str
    marks: list[str]
    text: str
    exits: list[str]
    units: list[int]
    visited: bool = False
    """By the Unit of this guest."""
    rebuilt: bool = False


class AxisDie(Struct, omit_defaults=True):
    """A die that has to be matched, by so many results; `words` for readers, `shows` is its result alone."""

    colour: Literal["gray", "black"]
    face: str
    words: str
    shows: str
    needs: int = 1


class Duel(Struct, omit_defaults=True):
    """Axis dice against those of a player. `here`: the Sector of the list in which they lie, and what is special there.

    `track`: what the list of Sectors is called. `seat`: whose dice are compared; -1 where each player compares their
    own.
    """

    axis: list[AxisDie]
    track: str
    title: str = ""
    here: str = ""
    name: str = ""
    text: str = ""
    rule: str = ""
    facts: list[Counter] = field(default_factory=list)
    seat: int = -1


class PhaseNow(Struct):
    id: str
    name: str
    short: str
    """For the bar of phases."""


class Ended(Struct, omit_defaults=True):
    won: bool
    cause: str
    title: str
    text: str
    scores: list[int] = field(default_factory=list)
    parts: list[list[str]] = field(default_factory=list)
    """Rows of the table of Victory Points: name, then a figure per Unit."""
    notes: list[str] = field(default_factory=list)
    """What is to be known of this result: answers taken back once dice had been seen, dice entered by hand."""
    ranked: bool = False
    """Players play against each other, and the highest score wins."""


class EnterDie(Struct, omit_defaults=True):
    place: str = ""
    """`R1` ... `B2`, `K` for the Kommandant's; empty for a common die."""
    colour: str = ""


class EnterFace(Struct, omit_defaults=True):
    """What such a die may show. `face` is its name as in `Die.face`, empty for pips."""

    value: int
    face: str = ""
    words: str = ""


class Enter(Struct, omit_defaults=True):
    """Dice that people roll on their own table. Nobody is asked anything until they are entered.

    `roll` is given back with the faces, one for each of `dice`. `seat`: whose they are, -1 for nobody's in particular.
    `mine`: the seats of this guest that may enter them.
    """

    roll: str
    seat: int
    mine: list[int]
    prompt: str
    rule: str
    dice: list[EnterDie]
    faces: list[EnterFace]


class Screen(Struct, omit_defaults=True):
    """All that is to be seen of a game by one guest."""

    game: str
    title: str
    subtitle: str
    turn: int
    phase: str
    phases: list[PhaseNow]
    board: str
    """Where the picture of the board is to be had; empty where there is none."""
    sectors: list[SectorNow]
    units: list[UnitNow]
    asks: list[AskNow]
    waiting: list[int]
    """Seats that have an open question."""
    pool: list[CardNow] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Effects that last, in words."""
    over: Ended | None = None
    seal: str = ""
    """The commitment to the dice."""
    undo: dict[str, str] = field(default_factory=dict)
    """Seat of this guest -> what undo would take back now, in words; also while it has no open question."""
    beyond: dict[str, str] = field(default_factory=dict)
    """Seat of this guest -> what only undo `beyond` would take back, in words."""
    redo: dict[str, str] = field(default_factory=dict)
    """Seat of this guest -> what undo without `back` would bring back, in words."""
    enter: Enter | None = None
    duel: Duel | None = None
    turn_name: str = ""
    """The turn in words, where it is not just called a turn."""
    adviser: bool = True
    """There is an adviser for this game."""


class Line(Struct, omit_defaults=True):
    """One line of the log. `fx` tells the screen what to animate: `dice`, `move`, `change`, `card`, `fire`, `pips`;
    `clear`: the dice that lay on the table were picked up.
    """

    n: int
    turn: int
    text: str
    rule: str = ""
    seat: int = -1
    kind: str = ""
    fx: dict[str, Any] = field(default_factory=dict)


class SeatNow(Struct, omit_defaults=True):
    """Who sits there: a person (here or away), a bot, or nobody yet."""

    seat: int
    who: Literal["person", "bot", "open"]
    name: str
    here: bool = False
    bot: str = ""
    lamp: Literal["choosing", "ready", "away", "done"] = "ready"
    link: str = ""
    """For the host: the secret link of the seat."""


class UndoAsked(Struct, omit_defaults=True):
    """A seat asks to take back its last answer although something was seen since. `wait`: seats that have still to
    agree. `mine`: this guest asks.
    """

    id: str
    seat: int
    label: str
    wait: list[int]
    mine: bool = False


class TableNow(Struct, omit_defaults=True):
    id: str
    title: str
    seats: list[SeatNow]
    host: bool = False
    mine: list[int] = field(default_factory=list)
    """Seats that this guest may play."""
    watch: str = ""
    """For the host: the link for spectators."""
    closed: bool = False
    chat: bool = True
    practice: bool = False
    replay: bool = False
    request: UndoAsked | None = None
    dice: Literal["", "own"] = ""
    trouble: str = ""
    """Why the table is at rest, in words: the game failed there. Nothing is lost; its host can open it again."""
    adviser: int = -1
    """The seat that switched the adviser on; -1 while it is off."""


# ---------------------------------------------------------------------------------------------------- from the server


class Welcome(Struct, tag="welcome", omit_defaults=True):
    n: int
    table: TableNow
    screen: Screen | None = None
    log: list[Line] = field(default_factory=list)
    """All lines after what the guest has; `fresh` says that they are all from the start."""
    fresh: bool = True
    keys: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    """For guests that want keys: seat -> number of its question, and its keys."""


class Update(Struct, tag="update", omit_defaults=True):
    """The table stands at number `n` now; the one before was `before`."""

    n: int
    before: int
    log: list[Line] = field(default_factory=list)
    screen: Screen | None = None
    keys: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    by: str = ""
    """The id of the move that led to it, for the guest that sent it."""
    taken: int = 0
    """The lines of the log whose number is this or higher were taken back, before `log` came; 0 for none."""


class Ack(Struct, tag="ack"):
    """What you sent is done and durable."""

    id: str
    n: int


class Refused(Struct, tag="refused", omit_defaults=True):
    """What you sent is not done, and why. Nothing has changed."""

    id: str
    code: Literal["stale", "illegal", "invalid", "forbidden", "slow-down", "too-late", "storage", "unknown"]
    text: str
    reasons: list[Reason] = field(default_factory=list)
    n: int = -1


class Presence(Struct, tag="presence"):
    table: TableNow


class Said(Struct, tag="said", omit_defaults=True):
    """Somebody said something. `phrase` is the key of a quick phrase, `text` a line of one's own."""

    n: int
    name: str
    seat: int = -1
    text: str = ""
    phrase: str = ""


class Because(Struct, tag="because", omit_defaults=True):
    """The answer to `why`: the number and everybody who had a say."""

    id: str
    title: str
    value: int
    lines: list[Reason] = field(default_factory=list)


class Gain(Struct):
    """What an answer brings this turn on average: of `soldiers`, `stars`, `courage`, `points` ..., and its name."""

    id: str
    name: str
    value: float


class Advised(Struct, omit_defaults=True):
    """One answer with the probability to win, which lies between `low` and `high`; all three are the same where it is
    exact.
    """

    key: str
    label: str
    value: float
    low: float
    high: float
    gives: list[Gain] = field(default_factory=list)


class Advice(Struct, tag="advice", omit_defaults=True):
    """What the adviser says to the open question of a seat, as the table stood at number `n`: every answer, the best
    first, and why.

    `exact`: the whole game is solved; `in-turn`: if soldiers of Express! who still roll do so one after another;
    `no-medals`: but for the Medals of Battle!. `learned`: by values learned from many games. `sampled`: by `games`
    played out.
    """

    n: int
    seat: int
    seq: int
    how: Literal["exact", "in-turn", "no-medals", "learned", "sampled"]
    options: list[Advised]
    games: int = 0
    why: list[str] = field(default_factory=list)


class Pong(Struct, tag="pong"):
    t: int = 0


class Bye(Struct, tag="bye", omit_defaults=True):
    """The server ends this connection, and why. `again`: trying later makes sense."""

    text: str
    again: bool = False


FromServer = Welcome | Update | Ack | Refused | Presence | Said | Because | Advice | Pong | Bye

decode = msgspec.json.Decoder(FromGuest).decode
encode = msgspec.json.Encoder().encode


def schema() -> dict[str, Any]:
    """The JSON Schema of all messages: `from_guest` and `from_server`, with their parts under `$defs`."""
    (guest, server), parts = msgspec.json.schema_components([FromGuest, FromServer], ref_template="#/$defs/{name}")
    return {"$defs": {**parts, "FromGuest": guest, "FromServer": server}}
