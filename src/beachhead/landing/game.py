"""The landing game: its phases, its tables of frames, and what a seat may see."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from typing import Any, NamedTuple, cast

from ..content.schema import Card, Level, Map, Nation
from ..core.errors import RecordError, SetupError
from ..core.game import Brief, Game
from ..core.game import Setup as PlainSetup
from ..core.machine import Frame, Machine, Question, Throw
from ..core.node import Event, Over
from ..core.plain import Plain, essence, load, shower, to_json
from ..say import say
from . import acquire, cards, changes, combat, dice_effects, effects, move, roll, setup, text, ties, trade, upkeep
from .dice import HOME
from .score import group_score
from .state import ARROW, TWO_ARROWS, Landing, Unit
from .world import Setup, World, world_of

PHASES: dict[str, Callable[[Landing], None]] = {
    "roll": roll.phase_roll,
    "upkeep": upkeep.phase_upkeep,
    "marker": upkeep.turn_markers,
    "acquire": acquire.phase_acquire,
    "move": move.phase_move,
    "combat": combat.phase_combat,
}
"""What each phase does; modules add theirs."""


def turn(g: Landing, lane: int, frame: Frame) -> None:
    """A new turn: what lasted until the end of the last one is over, then the phases in order."""
    g.turn += 1
    g.fire = {}
    g.effects = tuple(effect for effect in g.effects if effect[5] != "turn") if g.effects else ()
    for unit in g.units:
        if unit.status == 0:
            unit.colours = HOME
            unit.locked = unit.out = 0
            unit.added = ()
            unit.rwbs = ()
            unit.done = ()
    g.tell("turn", -1, {"turn": g.turn}, g.world.cite["phases"])
    for seat, unit in enumerate(g.units):
        if (
            unit.status == 0 and unit.marker == TWO_ARROWS
        ):  # an Award let it stay; it has to move now, without a Battle Cry
            changes.set_marker(g, seat, ARROW, g.world.cite["must-move"])
    g.push(-1, ("turn",))
    for name in reversed(g.world.phases):
        g.push(-1, ("phase", name))


def phase(g: Landing, lane: int, frame: Frame) -> None:
    g.phase = frame[1]
    g.tell("phase", -1, {"phase": frame[1]}, g.world.cite["phases"])
    PHASES[frame[1]](g)


STEPS: dict[str, Callable[[Landing, int, Frame], None]] = {
    "turn": turn,
    "phase": phase,
    "set-out": setup.set_out,
    "wild": setup.wild,
    "pool-draw": setup.pool_draw,
    "op": cards.step_op,
    "do": effects.step_do,
    "window-again": cards.window_again,
    "roll-start": roll.roll_start,
    "after-first": roll.after_first,
    "tally": roll.tally,
    "tally-window": roll.tally_window,
    "tally-end": roll.tally_end,
    "straight": upkeep.straight,
    "skulls": upkeep.skulls,
    "late-skull": upkeep.late_skull,
    "rwb-next": upkeep.rwb_next,
    "record": upkeep.record,
    "by-tally": upkeep.by_tally,
    "halve": upkeep.halve,
    "markers": upkeep.markers,
    "acquire-open": acquire.acquire_open,
    "take": acquire.take,
    "find-open": acquire.find_open,
    "same-advance": effects.same_advance,
    "move-open": move.move_open,
    "mine-losses": move.mine_losses,
    "give-up": move.give_up,
    "advanced": move.advanced,
    "arrive": move.arrive,
    "before-combat": combat.before_combat,
    "combat-next": combat.combat_next,
    "combat-fire": combat.combat_fire,
    "combat-open": combat.combat_open,
    "combat-fight": combat.combat_fight,
    "combat-end": combat.combat_end,
    "combat-close": combat.combat_close,
    "fight": combat.fight,
    "toll": combat.toll,
    "special-damage": combat.special_damage,
}


def by(topic: str) -> Callable[[Landing, int, Frame], str]:
    """The register id for this topic in the edition that is played."""
    return lambda g, seat, frame: g.world.cite[topic]


_rule, _source = effects.frame_rule, effects.frame_source

QUESTIONS: dict[str, Question[Landing]] = {
    "start": Question("one", setup.start_keys, setup.start_answer, by("setup"), setup.start_refusals),
    "pool-card": Question("one", setup.pool_card_keys, setup.pool_card_answer, setup.pool_card_rule),
    "mulligan": Question("confirm", roll.mulligan_keys, roll.mulligan_answer, by("mulligan")),
    "tint": Question("one", roll.tint_keys, roll.tint_answer, by("bonus")),
    "go-on": Question("one", combat.go_on_keys, combat.go_on_answer, by("go-on")),
    "leave": Question("some", roll.leave_keys, roll.leave_answer, by("five-dice")),
    "lock": Question("some", roll.lock_keys, roll.lock_answer, by("lock")),
    "reroll": Question("some", roll.reroll_keys, roll.reroll_answer, by("reroll"), roll.reroll_refusals),
    "window": Question("one", cards.window_keys, cards.window_answer, by("optional"), cards.window_refusals),
    "award": Question("one", upkeep.award_keys, upkeep.award_answer, by("straight")),
    "award-here": Question("one", upkeep.award_keys, upkeep.award_here_answer, by("award-sector")),
    "cancel": Question("some", upkeep.cancel_keys, upkeep.cancel_answer, by("skull"), upkeep.cancel_refusals),
    "free": Question("some", upkeep.free_dice_keys, upkeep.free_dice_answer, by("skull")),
    "acquire": Question(
        "one", acquire.acquire_keys, acquire.acquire_answer, by("rally-limit"), acquire.acquire_refusals
    ),
    "find-extra": Question("one", acquire.find_extra_keys, acquire.find_extra_answer, _rule, None, _source),
    "move": Question("one", move.asked_keys, move.move_answer, by("move"), move.move_refusals, lapse=move.move_lapse),
    "sacrifice": Question("one", move.sacrifice_keys, move.sacrifice_answer, by("sacrifice")),
    "door": Question("one", move.door_keys, move.door_answer, by("door")),
    "casualties": Question(
        "share", combat.casualty_keys, combat.casualty_answer, by("casualties"), combat.casualty_refusals
    ),
    "offer": Question("offer", trade.offer_keys, trade.offer_answer, by("trade-goods"), trade.offer_refusals),
    "consent": Question("confirm", trade.consent_keys, trade.consent_answer, by("trade"), trade.consent_refusals),
    "claim": Question("confirm", ties.claim_keys, ties.claim_answer, by("tie")),
    "gift": Question("one", effects.gift_keys, effects.gift_answer, by("rwb-gift"), None, _source, dice_effects.lapse),
    "choose": Question("one", effects.choose_keys, effects.choose_answer, _rule, effects.choose_refusals, _source),
    "add": Question("one", dice_effects.add_keys, dice_effects.add_answer, _rule, None, _source),
    "pick-die": Question(
        "one",
        dice_effects.pick_die_keys,
        dice_effects.pick_die_answer,
        _rule,
        dice_effects.pick_die_refusals,
        _source,
        dice_effects.lapse,
    ),
    "set-face": Question("one", dice_effects.set_face_keys, dice_effects.set_face_answer, _rule, None, _source),
    "set-colour": Question("one", dice_effects.set_colour_keys, dice_effects.set_colour_answer, _rule, None, _source),
    "set-pips": Question("one", dice_effects.set_pips_keys, dice_effects.set_pips_answer, _rule, None, _source),
    "copy-from": Question(
        "one", effects.gift_keys, dice_effects.copy_from_answer, _rule, None, _source, dice_effects.lapse
    ),
    "swap-with": Question(
        "one", effects.swap_with_keys, effects.swap_with_answer, _rule, None, _source, dice_effects.lapse
    ),
    "swap-give": Question(
        "one",
        dice_effects.swap_give_keys,
        dice_effects.swap_give_answer,
        _rule,
        dice_effects.swap_give_refusals,
        _source,
    ),
    "swap-take": Question("one", dice_effects.swap_take_keys, dice_effects.swap_take_answer, _rule, None, _source),
    "swap-consent": Question(
        "confirm", dice_effects.swap_consent_keys, dice_effects.swap_consent_answer, _rule, None, _source
    ),
    "pick-unit": Question(
        "one", effects.pick_unit_keys, effects.pick_unit_answer, _rule, None, _source, dice_effects.lapse
    ),
    "pick-sector": Question(
        "one", effects.pick_sector_keys, effects.pick_sector_answer, _rule, None, _source, dice_effects.lapse
    ),
    "pick-rwb": Question("one", effects.pick_rwb_keys, effects.pick_rwb_answer, _rule, None, _source),
    "rally-free": Question("one", acquire.rally_free_keys, acquire.rally_free_answer, _rule, None, _source),
    "price": Question("one", effects.lose_keys, effects.lose_answer, _rule, None, _source, dice_effects.lapse),
    "pay-to-reduce": Question("share", effects.guns_keys, effects.guns_answer, _rule, None, _source),
    "pay-to-save": Question("share", effects.pay_keys, effects.pay_answer, _rule, None, _source),
    "substitute": Question("one", cards.substitute_keys, cards.substitute_answer, by("sacrifice")),
}
ties.QUESTIONS.update(QUESTIONS)

THROWS: dict[str, Throw[Landing]] = {
    "blind": Throw(setup.blind_request, setup.blind_outcome),
    "wild-draw": Throw(setup.wild_request, setup.wild_outcome),
    "pool-drawn": Throw(setup.pool_request, setup.pool_outcome),
    "dice": Throw(roll.dice_request, roll.dice_outcome),
    "spare": Throw(dice_effects.spare_request, dice_effects.spare_outcome),
    "draw-award": Throw(acquire.draw_request, acquire.draw_outcome),
    "mine": Throw(move.mine_request, move.mine_outcome),
    "entry": Throw(move.entry_request, move.entry_outcome),
    "table": Throw(move.table_request, move.table_outcome),
    "shelling": Throw(combat.shelling_request, combat.shelling_outcome),
    "card-die": Throw(effects.card_die_request, effects.card_die_outcome),
    "mgf": Throw(combat.mgf_request, combat.mgf_outcome),
    "roll-off": Throw(ties.roll_off_request, ties.roll_off_outcome),
}


# ---------------------------------------------------------------------- what a seat may see

SEEN_OF_GAME = (
    *("turn", "phase", "pool", "lying", "used", "deck", "beside", "fire", "rolled", "spent"),
    *("effects", "mulligans", "over"),
)
SEEN_OF_UNIT = (
    "nation",
    "sector",
    "marker",
    "combats",
    "visited",
    "status",
    "soldiers",
    "stars",
    "courage",
    "points",
    "hand",
    "specialists",
    "dead",
    "items",
    "awards",
    "won_awards",
    "faces",
    "colours",
    "locked",
    "out",
    "added",
    "rwbs",
    "kept",
    "spare",
    "done",
)
"""The base game has open hands: all of this is public. What is not listed here is not sent."""
_show_game, _show_unit = shower(Landing, SEEN_OF_GAME), shower(Unit, SEEN_OF_UNIT)
_unit_form: dict[str, Plain] = dict.fromkeys((*SEEN_OF_UNIT, "roll"))


def view(g: Landing, seat: int | None) -> dict[str, Plain]:
    form: dict[str, Plain] = g.world.memo.get("seen") or _form(g.world)
    seen = _show_game(g, form.copy())
    seen["seat"] = seat
    units = seen["units"] = []
    for unit, lane in zip(g.units, g.lanes, strict=True):
        one = _show_unit(unit, _unit_form.copy())
        one["roll"] = _rolls_made(lane)
        units.append(one)
    return seen


def _form(world: World) -> dict[str, Plain]:
    """A view to be filled in: what is played stands there already."""
    setup = world.setup
    found: dict[str, Plain] = dict.fromkeys(SEEN_OF_GAME)
    found |= {"game": "landing", "edition": setup.edition, "map": world.map.id}
    found |= {"level": setup.level, "options": tuple(sorted(world.options))}
    world.memo["seen"] = found
    return found


def _rolls_made(lane: list[Frame]) -> int:
    """While dice may still be rolled again: which roll lies on the table; else 0."""
    for frame in lane:
        if frame[0] == "reroll":
            return int(frame[1])
    return 0


MACHINE: Machine[Landing] = Machine("landing", Landing, STEPS, QUESTIONS, THROWS, view)


# ---------------------------------------------------------------------- as a game among games


def setup_of(plain: PlainSetup) -> Setup:
    """A setup from plain data, such as a record's header; raises SetupError for what it does not know."""
    given: dict[str, Any] = {}
    for name, value in plain.items():
        if name not in Setup._fields:
            raise SetupError(say("setup.unknown-key", name=repr(name), known=", ".join(Setup._fields)))
        fits, expected = SHAPES[name]
        if not fits(value):
            raise SetupError(f"setup key {name!r} is {to_json(value)}: expected {expected}")
        if name == "switches":
            pairs = value.items() if isinstance(value, dict) else value
            value = tuple(sorted((str(key), one) for key, one in pairs))
        given[name] = tuple(value) if isinstance(value, list) else value
    return Setup(**given)


def _names(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(name, str) for name in value)


def _switches(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in value) and _switches(dict(value))
    return isinstance(value, dict) and all(isinstance(one, bool | str) for one in value.values())


SHAPES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "edition": (lambda value: isinstance(value, str), "text"),
    "map": (lambda value: isinstance(value, str), "text"),
    "seats": (lambda value: type(value) is int, "a whole number"),
    "nations": (_names, "a list of names"),
    "switches": (_switches, "names, each with a text or true or false"),
    "modules": (_names, "a list of names"),
    "options": (_names, "a list of names"),
    "level": (lambda value: isinstance(value, str), "text"),
}


def plain_setup(setup: Setup) -> PlainSetup:
    return cast(PlainSetup, json.loads(to_json(setup._asdict())))


def new(world: World) -> tuple[Landing, list[Event]]:
    """A landing at its first question or roll, with the events of setting it up."""
    ready = world.memo.get("new")
    if ready is None:
        g = setup.new_landing(world)
        told: list[Event] = []
        g.log, g.cause = told, "setup"
        setup.announce(g)
        ready = world.memo["new"] = g, told + MACHINE.start(g)
    g, told = ready
    return MACHINE.clone(g), list(told)


def load_landing(world: World, data: dict[str, Plain]) -> Landing:
    """The state that `dump` wrote, in this world."""
    try:
        g = load(Landing, data)
    except (ValueError, TypeError, KeyError) as error:
        raise RecordError(f"this is no state of a landing: {error}") from None
    g.world = world
    return g


def brief(g: Landing) -> Brief:
    points = Over(*g.over).scores if g.over else ()
    return Brief(g.turn, group_score(points) if points else None)


class Content(NamedTuple):
    """What a game can meet, by the folders of a pack; what else lies on the shelf does not matter to it."""

    maps: tuple[Map, Level]
    cards: tuple[Card, ...]
    """On the table or in the box, in a hand, a deck or a Sector."""
    nations: tuple[Nation, ...]


def content(world: World) -> Content:
    g = setup.new_landing(world)
    named = {*g.pool, *g.box, *g.lying, *g.deck, *_texts(essence(world.sectors))}
    for sector, printed in world.sectors.items():
        named.update(setup.hand_of(world, sector) if printed.start else ())
    return Content(
        (replace(world.map, number="", place="", date=None, levels={}), world.level),
        tuple(card for id, card in world.cards.items() if id in named),
        tuple(world.nations[id] for id in dict.fromkeys(unit.nation for unit in g.units)),
    )


def _texts(value: Plain) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)


def content_hash(world: World) -> str:
    """`maps:HASH cards:HASH nations:HASH`, of what they come to in play: words and pictures may change."""
    found: str | None = world.memo.get("content")
    if found is None:
        plain = {kind: to_json(essence(some)) for kind, some in content(world)._asdict().items()}
        hashes = (f"{kind}:{sha256(text.encode()).hexdigest()[:12]}" for kind, text in plain.items())
        found = world.memo["content"] = " ".join(hashes)
    return found


def changed(world: World) -> tuple[str, ...]:
    """What packs of one's own have changed of what this game can meet."""
    if not world.changed:
        return ()
    met = content(world)
    ids = {"cards": {card.id for card in met.cards}, "nations": {nation.id for nation in met.nations}}
    told = ((text, text.split()) for text in world.changed)
    return tuple(text for text, (_, kind, id, *_) in told if kind not in ids or id in ids[kind])


GAME = Game(
    name="landing",
    machine=cast(Machine[Any], MACHINE),
    new=lambda plain: cast(Any, new(world_of(setup_of(plain)))),
    load=lambda plain, data: load_landing(world_of(setup_of(plain)), data),
    content_hash=lambda plain: content_hash(world_of(setup_of(plain))),
    narrate=text.narrate,
    prompt=cast(Any, text.prompt),
    label=cast(Any, text.label),
    brief=cast(Any, brief),
    setup=lambda plain: plain_setup(setup_of(plain)),
    place=cast(Any, lambda g: g.world.map.id),
    changed=lambda plain: changed(world_of(setup_of(plain))),
)
