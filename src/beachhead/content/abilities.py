"""What goes with what: which op of a card or RWB bonus makes sense at which moment, as data, and what is wrong with an
ability that says something else.

`GOES` has a line for each op: in which windows an activated ability may hold it, after which operations a triggered
one, before which a replacement, and whether an RWB bonus may. Three words narrow it further:

    first   what it needs is looked for before the first op is done, so it comes first in its list
    alone   the only op of its ability
    bare    no alternative of a `choose`

What is found in order can be played: whenever its time comes there is something to do, to choose from or to leave out,
and nothing goes on for ever.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .schema import (
    ALIASES,
    OPERATIONS,
    WINDOWS,
    Ability,
    AddResult,
    Card,
    Choose,
    Find,
    Gain,
    Modify,
    Op,
    PayToSave,
    Rally,
    SetResult,
    lost,
)
from .toml import Path_

Faults = Iterator[tuple[Path_, str]]

FREE = ALIASES["any"]
"""Windows in which a Unit may do what it likes."""
DICE = ("roll.between", "tally")
"""Those in which its dice lie on the table and nothing is counted yet."""
AFTER = ("rwb", "advance", "move", "tally", "lock", "rally")
"""Operations that triggered abilities wait for."""
BEFORE = ("losses", "lose_specialist", "skull")
"""Operations that replacements change."""


class Goes(NamedTuple):
    windows: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    bonus: bool = False
    first: bool = False
    alone: bool = False
    bare: bool = False


GOES: dict[str, Goes] = {
    "gain": Goes(FREE, AFTER, bonus=True),
    "save": Goes(before=("losses",)),
    "pay-to-save": Goes(("losses",), alone=True),
    "add-result": Goes(DICE, ("rwb", "tally", "lock", "rally"), bonus=True),
    "set-result": Goes((*DICE, "die"), first=True),
    "set-colour": Goes(DICE, first=True),
    "reroll": Goes(DICE, first=True),
    "ignore-skull": Goes(before=("skull",)),
    "copy-tally": Goes(("tally",), first=True),
    "repeat-tally": Goes(("tally",), bare=True),
    "swap-dice": Goes(("tally",), alone=True),
    "roll-pool": Goes(FREE, ("rally",)),
    "swap-with-pool": Goes(("tally",), alone=True),
    "choose": Goes(FREE, AFTER, bonus=True),
    "modify": Goes(FREE, AFTER, bonus=True),
    "reduce-by-roll": Goes(FREE, ("advance", "move"), bare=True),
    "pay-to-reduce": Goes(("move.after", "combat.start", "combat.open"), first=True),
    "grant-rwb": Goes(FREE, ("advance", "move", "tally", "lock")),
    "free-move": Goes(FREE, bonus=True),
    "find": Goes(FREE, AFTER, bonus=True),
    "rally": Goes(FREE, ("rwb", "advance", "move", "tally", "lock"), bonus=True),
    "lose": Goes(FREE, first=True),
    "draw-award": Goes(FREE, ("advance", "lock")),
    "substitute": Goes(before=("lose_specialist",), alone=True),
    "swap-sectors": Goes(FREE, first=True),
}

LIMITS: dict[str, tuple[str, ...]] = {
    "activated": ("once-per-turn", "single-use"),
    "triggered": ("each-time",),
    "static": ("each-time", "once-per-turn"),
    "losses": ("each-time", "once-per-phase"),
    "lose_specialist": ("each-time",),
    "skull": ("each-time", "once-per-turn"),
}
"""Of each kind of ability, and of replacements by their operation."""
OF_SPECIALISTS = ("advance", "rally", "lose_specialist", "skull")
"""Operations on which only Specialists have a say."""
NEVER_OPEN = ("marker", "move.arrive")
"""Windows that are only names so far: nothing can be done in them."""
WITH_STOPS = ("tally", "combat.start")
"""Windows that open only for a card that stops the game there."""

STATIC_SCOPES = ("self", "each", "own-sector", "this-card")
LASTING_SCOPES = ("self", "each", "own-sector", "adjacent-sector", "fight-sector", "same-move", "pair")
SCOPE_OF: dict[str, tuple[str, ...]] = {
    "pair": ("may_trade_with",),
    "this-card": ("body_count", "may_be_traded"),
    "same-move": (
        "advance_cost",
        "mines_hurt",
        "barrier_stops",
        "must_have_needed",
        "door_closed",
        "sacrifice_needed",
    ),
}
"""Scopes that only these questions know."""
ONLY_SCOPE = {"may_trade_with": "pair", "may_be_traded": "this-card"}
"""Questions that know only this scope."""
ONLY_STATIC = ("rally_cost", "find_cost", "may_be_traded")
PRICES = ("rally_cost", "find_cost")
YES_OR_NO = (
    "may_find",
    "mines_hurt",
    "mgf_hits",
    "special_damage_hits",
    "barrier_stops",
    "must_have_needed",
    "door_closed",
    "sacrifice_needed",
    "must_move",
    "may_trade_with",
    "may_be_traded",
)
MOST_COLOURED = 2
"""Results with a colour that a bonus may add: an RWB takes three, so that one cannot bring the next for ever."""


class Place(NamedTuple):
    """Where a list of ops stands: an ability of this kind, in these windows or on this operation, or a bonus; within a
    `choose` or not.
    """

    kind: str
    names: tuple[str, ...] = ()
    chosen: bool = False


BONUS = Place("bonus")


# ---------------------------------------------------------------------- abilities


MOMENT: tuple[Path_, ...] = (("kind",), ("windows",), ("stops",), ("on",))
"""The keys that tell when an ability is used or happens."""
USE: tuple[Path_, ...] = (("limit",), ("sacrifice",), ("users",), ("mode",))
"""The keys that tell how often, at what price and for whom."""


def ability_faults(ability: Ability, gone: Sequence[Path_] = ()) -> Faults:
    """What is wrong with an ability, on whatever card it stands. What could not be read of it is `gone`: nothing is
    said that may be wrong only for that.
    """
    if lost(gone, *MOMENT):
        return
    place = Place(ability.kind, expand(ability.windows) if ability.kind == "activated" else (ability.on,))
    wrong = [*_moment_faults(ability)]
    yield from wrong
    if not wrong and not lost(gone, *USE):
        yield from _use_faults(ability)
    if lost(gone, ("ops",)):
        return
    if not ability.ops:
        yield ("ops",), "expected at least one op"
    elif ability.kind == "static":
        if not all(isinstance(op, Modify) for op in ability.ops):
            yield ("ops",), "a static ability holds only modify"
        for n, op in enumerate(ability.ops):
            if isinstance(op, Modify):
                yield from ((("ops", n, *path), message) for path, message in _modify_faults(op, place))
    elif not wrong:
        yield from ops_faults(ability.ops, place)


def expand(windows: tuple[str, ...]) -> tuple[str, ...]:
    """The windows themselves, where some are named together."""
    return tuple(dict.fromkeys(name for window in windows for name in ALIASES.get(window, (window,))))


def _moment_faults(ability: Ability) -> Faults:
    """When it is used or happens: its windows or its operation."""
    kind = ability.kind
    for key, names in (("windows", ability.windows), ("stops", ability.stops)):
        if names and kind != "activated":
            yield (key,), "only an activated ability has windows"
            continue
        for name in names:
            if name not in WINDOWS and name not in ALIASES:
                yield (key,), f"unknown window {name!r}: expected one of {', '.join((*WINDOWS, *ALIASES))}"
    if kind in ("activated", "static"):
        if ability.on:
            yield ("on",), "only a triggered ability or a replacement waits for an operation"
    elif ability.on not in OPERATIONS:
        yield ("on",), f"unknown operation {ability.on!r}: expected one of {', '.join(OPERATIONS)}"
    elif ability.on not in (expected := AFTER if kind == "triggered" else BEFORE):
        what = "triggered ability" if kind == "triggered" else kind
        yield ("on",), f"no {what} goes with {ability.on}: expected one of {', '.join(expected)}"
    if kind == "activated":
        yield from _window_faults(ability)


def _window_faults(ability: Ability) -> Faults:
    windows, stops = expand(ability.windows), expand(ability.stops)
    if not windows:
        yield ("windows",), "an activated ability names at least one window"
    elif "losses" in windows and len(windows) > 1:
        yield ("windows",), "losses goes with no other window: expected an ability of its own"
    elif all(name in NEVER_OPEN or (name in WITH_STOPS and name not in stops) for name in windows):
        waits = [name for name in windows if name in WITH_STOPS]
        hint = f"name {' or '.join(waits)} in stops" if waits else "expected another window"
        yield ("windows",), f"the game does not pause there by itself: {hint}"
    for name in stops:
        if name in WINDOWS and name not in windows:
            yield ("stops",), f"the ability is not used in the window {name}"


def _use_faults(ability: Ability) -> Faults:
    """How often, at what price and for whom."""
    kind, on = ability.kind, ability.on
    activated = kind == "activated"
    limits = LIMITS[on if kind == "replacement" else "triggered" if "losses" in ability.windows else kind]
    if ability.limit not in limits and not (activated and ability.sacrifice and ability.limit == "each-time"):
        free = " or sacrifice = true" if "single-use" in limits else ""
        yield ("limit",), f"{ability.limit} is not kept here: expected {' or '.join(limits)}{free}"
    if ability.sacrifice and ("losses" in ability.windows or not (activated or on == "lose_specialist")):
        yield ("sacrifice",), "nobody is sacrificed for this: leave it out"
    if ability.sacrifice and ability.ops and ability.ops[0].tag == "lose":
        yield ("sacrifice",), "lose is the price already: who is sacrificed might be the last to be lost"
    if on == "advance" and ability.mode:
        yield ("mode",), "an Advance is the same alone and with others: leave it out"
    if ability.users == "owner":
        return
    if kind == "static":
        yield ("users",), "for whom a static ability holds is said by the scope of modify"
    elif activated:
        if ability.limit != "once-per-turn" or ability.sacrifice:
            yield ("users",), "what others may use is not used up: expected limit once-per-turn and no sacrifice"
        if "losses" in ability.windows or "die" in ability.windows:
            yield ("users",), "in the windows losses and die a Unit uses its own cards: expected owner"
    elif ability.users == "each":
        yield ("users",), "expected owner or own-sector: only an activated ability works for each Unit"
    elif on in OF_SPECIALISTS:
        yield ("users",), f"{on} is the Unit's own matter: expected owner"


# ---------------------------------------------------------------------- ops


def ops_faults(ops: tuple[Op, ...], place: Place) -> Faults:
    """What is wrong with a list of ops that stands there."""
    for n, op in enumerate(ops):
        goes = GOES[op.tag]
        if not _allowed(goes, place):
            yield ("ops", n), f"{op.tag} does not go with {_named(place, goes)}; it goes with {where(op.tag)}"
        elif goes.alone and (len(ops) > 1 or place.chosen):
            yield ("ops", n), f"{op.tag} is the only op of its ability"
        elif goes.bare and place.chosen:
            yield ("ops", n), f"{op.tag} is no alternative of a choice: expected it in the ops of the ability"
        elif goes.first and n:
            yield ("ops", n), f"{op.tag} comes first in its list: whether it can be done is looked at before"
        elif isinstance(op, Choose):
            yield from _choose_faults(op, n, place)
        else:
            yield from ((("ops", n, *path), message) for path, message in _op_faults(op, place))


def _allowed(goes: Goes, place: Place) -> bool:
    if place.kind == "bonus":
        return goes.bonus
    known = {"activated": goes.windows, "triggered": goes.after, "replacement": goes.before}[place.kind]
    return all(name in known for name in place.names)


def _named(place: Place, goes: Goes) -> str:
    """The place, or what of it is wrong, in words."""
    if place.kind == "bonus":
        return "an RWB bonus"
    if place.kind == "activated":
        wrong = [name for name in place.names if name not in goes.windows]
        return f"the window{'s' * (len(wrong) > 1)} {', '.join(wrong)}"
    return f"{place.kind} on {place.names[0]}"


def where(tag: str) -> str:
    """Where an op goes, in words."""
    goes = GOES[tag]
    said = []
    if goes.windows:
        names = [alias for alias, windows in ALIASES.items() if windows == goes.windows] or goes.windows
        said.append(f"activated in {', '.join(names)}")
    if goes.after:
        said.append(f"triggered on {', '.join(goes.after)}")
    if goes.before:
        said.append(f"replacement on {', '.join(goes.before)}")
    if goes.bonus:
        said.append("an RWB bonus")
    return "; ".join(said)


def _choose_faults(op: Choose, n: int, place: Place) -> Faults:
    names = [branch.name for branch in op.of]
    if len(names) < 2:
        yield ("ops", n, "of"), "expected two or more alternatives"
    for b, branch in enumerate(op.of):
        if branch.name in names[:b]:
            yield ("ops", n, "of", b, "name"), f"two alternatives are called {branch.name!r}"
        if not branch.ops:
            yield ("ops", n, "of", b, "ops"), "expected at least one op"
        inner = ops_faults(branch.ops, place._replace(chosen=True))
        yield from ((("ops", n, "of", b, *path), message) for path, message in inner)


def _op_faults(op: Op, place: Place) -> Faults:
    """What depends on the values of an op."""
    asked = place.kind == "activated" or place.chosen
    if isinstance(op, Modify):
        yield from _modify_faults(op, place)
    elif isinstance(op, Gain):
        if op.to == "same-advance" and place != Place("triggered", ("advance",), place.chosen):
            yield ("to",), "same-advance goes with triggered on advance"
        if op.per == "locked-skull" and place != Place("triggered", ("lock",), place.chosen):
            yield ("per",), "locked-skull goes with triggered on lock"
    elif isinstance(op, AddResult):
        if place.kind == "triggered" and place.names[0] in ("rwb", "rally") and op.colour != "none":
            yield ("colour",), "expected none: with a colour it could bring an RWB, and that another, for ever"
        if place.kind == "bonus" and op.colour != "none" and op.to == "each":
            yield ("to",), "expected self or another: a colour for each could bring RWBs for ever"
    elif isinstance(op, SetResult):
        if "die" in place.names and op.dice != "any":
            yield ("dice",), "expected any: in the window die it is a d6 that is turned"
    elif isinstance(op, PayToSave):
        if not op.resources or len(set(op.resources)) < len(op.resources):
            yield ("resources",), "expected courage, stars or both, each once"
    elif isinstance(op, Find):
        if op.what == "vehicle" and not asked:
            yield ("what",), "a Vehicle is not found everywhere: expected it in an activated ability or a choice"
    elif isinstance(op, Rally):
        if place.kind == "bonus" and place.chosen:
            yield (), "rally is no alternative of an RWB bonus"
        if op.counts and not asked:
            yield ("counts",), "expected false: nobody looks whether a Specialist has joined this turn"
    elif op.tag == "free-move" and not asked:
        yield (), "it may be too late to move: expected it as an alternative of a choice"


def _modify_faults(op: Modify, place: Place) -> Faults:
    question, scope = op.question, op.scope
    static = place.kind == "static"
    scopes = STATIC_SCOPES if static else LASTING_SCOPES
    asked = static or place.kind == "activated" or (place.chosen and place.kind == "triggered")
    if question in ONLY_STATIC and not static:
        yield ("question",), f"only a static ability changes {question}"
    if question == "may_trade_with" and static:
        yield ("question",), "no static ability changes may_trade_with: expected an activated one"
    elif scope not in scopes:
        yield ("scope",), f"expected one of {', '.join(scopes)} in a {place.kind} ability"
    elif question not in SCOPE_OF.get(scope, (question,)):
        yield ("scope",), f"{scope} goes with {', '.join(SCOPE_OF[scope])}"
    elif ONLY_SCOPE.get(question, scope) != scope:
        yield ("scope",), f"{question} goes with {ONLY_SCOPE[question]}"
    elif scope == "adjacent-sector" and not asked:
        yield ("scope",), "there may be no such Sector: expected an activated ability or a choice"
    if op.where == "item" and question != "find_cost":
        yield ("where",), "item goes with find_cost"
    elif op.where and not asked:
        yield ("where",), "where the Unit stands is looked at in static and activated abilities and in choices"
    if place.kind == "bonus" and place.chosen:
        yield (), "modify is no alternative of an RWB bonus"
    yield from _value_faults(op)


def _value_faults(op: Modify) -> Faults:
    question = op.question
    if question in YES_OR_NO and op.set not in (0, 1):
        yield (), f"{question} is answered by yes or no: expected set = 0 or set = 1"
    elif question == "dice_to_roll":
        if op.by is not None and op.by < 0:
            yield ("by",), "some die has to be rolled: expected set or at_most, from 1"
        elif op.set == 0 or op.at_most == 0:
            yield ("at_most" if op.set is None else "set",), "some die has to be rolled: expected 1 or more"
    elif question in PRICES and op.by is not None and op.by > 0:
        yield ("by",), "cards make others cheaper, not dearer: expected a number below 0"


def bonus_faults(ops: tuple[Op, ...]) -> Faults:
    """What is wrong with what an RWB gives. It may be obtained at any time, by dice or by a card."""
    if not ops:
        yield ("ops",), "expected at least one op"
    yield from ops_faults(ops, BONUS)
    if (n := _coloured(ops)) > MOST_COLOURED:
        yield ("ops",), f"adds {n} results with a colour, which could bring RWBs for ever: expected {MOST_COLOURED}"


def _coloured(ops: tuple[Op, ...]) -> int:
    """How many results with a colour these ops may add."""
    found = 0
    for op in ops:
        if isinstance(op, Choose):
            found += max((_coloured(branch.ops) for branch in op.of), default=0)
        elif isinstance(op, AddResult) and op.colour != "none":
            found += 3 if op.colour == "rwb" else op.count
    return found


# ---------------------------------------------------------------------- cards


def card_faults(card: Card) -> Faults:
    """What is wrong with the abilities of a card as those of that card."""
    for n, ability in enumerate(card.abilities):
        yield from ((("abilities", n, *path), message) for path, message in _kind_faults(card, ability))
        for other, earlier in enumerate(card.abilities[:n]):
            if (twice := _meet(ability, earlier)) and {ability.mode, earlier.mode} != {"solo", "group"}:
                key = "windows" if ability.kind == "activated" else "on"
                yield ("abilities", n, key), f"{twice}: abilities[{other}] has it, and a card acts there once"


def _kind_faults(card: Card, ability: Ability) -> Faults:
    award = card.kind == "award"
    if award and ability.kind != "activated":
        yield ("kind",), "an Award does nothing by itself: expected activated"
    if award and any(name in ("losses", "die") for name in ability.windows):
        yield ("windows",), "no Award is used in the windows losses and die"
    if award and ability.users != "owner":
        yield ("users",), "an Award is its owner's: expected owner"
    if card.is_specialist:
        if ability.limit == "single-use":
            yield ("limit",), "a Specialist is not used up: expected once-per-turn or sacrifice = true"
    else:
        if ability.sacrifice:
            yield ("sacrifice",), "only a Specialist is sacrificed: expected limit single-use"
        if ability.on in OF_SPECIALISTS:
            yield ("on",), f"only a Specialist has a say on {ability.on}"
    for n, op in enumerate(ability.ops):
        if isinstance(op, Modify) and op.scope == "this-card":
            if not card.is_specialist:
                yield ("ops", n, "scope"), "this-card goes with Specialists"
            elif op.question == "may_be_traded" and card.kind not in ("ranking-specialist", "unique-specialist"):
                yield ("ops", n, "question"), "another Unit may have the same: only a Unique Specialist is traded"


def _meet(one: Ability, other: Ability) -> str:
    """The window or operation that both claim."""
    if one.kind == other.kind == "activated":
        both = set(expand(one.windows)) & set(expand(other.windows))
        return next((name for name in WINDOWS if name in both), "")
    if one.kind == other.kind:
        return one.on if one.kind == "replacement" and one.on == other.on else ""
    # the end of Phase 1 is both: what is used there by its name would be taken for what happens there
    names = {*one.windows, one.on} & {*other.windows, other.on}
    return "tally" if "tally" in names else ""
