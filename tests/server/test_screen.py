"""The screen: every answer can be given through it and nothing else, all has words, and the numbers are right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, cast

import msgspec
import pytest

from beachhead.content.library import library
from beachhead.content.schema import ALIASES, OPERATIONS, WINDOWS
from beachhead.core.errors import Invalid
from beachhead.core.game import Game, Setup
from beachhead.core.node import Answer, Ask, Event, Over
from beachhead.core.record import Record
from beachhead.landing import outline, questions, words
from beachhead.landing.dice import FACE
from beachhead.landing.game import GAME, MACHINE
from beachhead.landing.position import TALLY, Position, UnitAt, position
from beachhead.landing.state import RESOURCES, Landing
from beachhead.landing.world import Setup as LandingSetup
from beachhead.landing.world import World, world_of
from beachhead.rules import register
from beachhead.say import speaking
from beachhead.scenarios import runner
from beachhead.scenarios.runner import read_scenario
from beachhead.server import messages as m
from beachhead.server import screen as landed
from beachhead.server import seen as show
from beachhead.server.because import because
from beachhead.server.catalogue import catalogue, drawing
from beachhead.server.screen import board_url
from beachhead.server.seen import lines
from beachhead.server.shown import known, landing
from beachhead.table.match import Match
from tests.landing.entry import MIXED, RICH_GAME, SETUPS, rich_world

NAMES = ("Ann", "Bob", "Cleo", "Dan")


def see(match: Match, *seats: int) -> m.Screen:
    with words.calling(NAMES):
        return show.screen(match, seats)


# ---------------------------------------------------------------------------------------------------- random games


def play(game: Game, setup: Setup, seed: int, most: int) -> Iterator[Match]:
    return walk(Match.new(game, setup, seed=f"{seed:064x}"), Random(f"{setup} {seed}"), most)


def walk(match: Match, random: Random, most: int) -> Iterator[Match]:
    """Random answers: first one of all kinds of answers, so that trades do not drown the rest."""
    yield match
    for _ in range(most):
        node = match.node()
        if not isinstance(node, Ask):
            return
        decision = node.decision(random.choice(node.seats))
        verbs = sorted({key.partition(":")[0] for key in decision.keys})
        if len(verbs) > 1 and "trade" in verbs and random.random() < 0.7:
            verbs.remove("trade")
        verb = random.choice(verbs)
        key = random.choice([key for key in decision.keys if key.partition(":")[0] == verb])
        match.answer(Answer(decision.seat, decision.seq, key))
        yield match


GAMES = [
    *((GAME, setup) for setup in SETUPS[::4]),
    *((RICH_GAME, {"edition": edition, "seats": seats}) for edition in ("first", "second") for seats in (1, 2, 4)),
    *((RICH_GAME, setup) for setup in MIXED if not setup["level"]),
]


@pytest.mark.parametrize(("game", "setup"), GAMES, ids=lambda value: getattr(value, "name", str(value)))
def test_every_answer_is_on_the_screen_once_and_nothing_else(game: Game, setup: Setup) -> None:
    for match in play(game, setup, 1, 90):
        check_screen(match)


@pytest.mark.parametrize("spoken", ["fr", "xx"])
def test_it_is_so_in_every_language(spoken: str) -> None:
    with speaking(spoken):
        for game in (GAME, RICH_GAME):
            for match in play(game, {"edition": "second", "seats": 2, "options": ["victory-points"]}, 2, 60):
                check_screen(match)
                lines(match.events, match)


def test_guests_of_one_match_are_told_in_their_own_languages() -> None:
    match = lay(UnitAt(sector="2", visited=("1", "2"), courage=3), phase="move")
    english = m.encode(see(match, 0))
    with speaking("fr"):
        french = see(match, 0)
    assert m.encode(see(match, 0)) == english
    assert "Secteur 2" in french.units[0].sector_name
    assert "Secteur" in french.asks[0].options[0].label
    assert french.phases[0].name != see(match).phases[0].name


SCENARIOS = Path(__file__).parent.parent / "rules"


@pytest.mark.parametrize("folder", sorted(path.name for path in SCENARIOS.iterdir() if any(path.rglob("*.toml"))))
def test_every_question_of_the_scenarios_can_be_answered_from_the_screen(folder: str) -> None:
    for file in sorted((SCENARIOS / folder).rglob("*.toml")):
        scenario = read_scenario(file)
        for world in scenario.worlds.values():
            g = position(world, runner._laid(scenario.said))
            MACHINE.start(g)
            for part in scenario.parts:
                for _, line in part.lines:
                    if isinstance(MACHINE.node(g), Ask):
                        check_screen(at(g))
                    runner._carry_out(g, line)


def at(g: Landing, events: Sequence[Event] = ()) -> Match:
    """A match that stands here; it makes the rolls that are due."""
    game = GAME._replace(new=lambda setup: cast(Any, (MACHINE.clone(g), list(events))))
    return Match.new(game, {"edition": g.world.setup.edition}, seed="0" * 64)


def check_screen(match: Match) -> None:
    """What holds at every moment of every game."""
    g, node = landing(match), match.node()
    screen = see(match, *range(len(g.units)))
    assert screen.waiting == (list(node.seats) if isinstance(node, Ask) else [])
    assert [ask.seat for ask in screen.asks] == screen.waiting
    assert (screen.over is not None) == isinstance(node, Over)
    if screen.over:
        assert screen.over.title and screen.over.text
    for ask in screen.asks:
        decision = match.decision(ask.seat)
        assert decision is not None
        assert ask.seq == decision.seq
        assert sorted(answers(ask)) == sorted(decision.keys)
        check_ask(match, ask)
    check_table(g, screen)
    assert msgspec.json.decode(m.encode(screen), type=m.Screen) == screen


def answers(ask: m.AskNow) -> list[str]:
    """All keys that can be sent from this part of the screen."""
    found = [option.key for option in ask.options] + ask.dice
    assert all(key.startswith(f"{ask.dice_verb}:") for key in ask.dice)
    for stepper in ask.steppers:
        found += [f"{stepper.verb}:{stepper.name}={n}" for n in range(1, stepper.most + 1)]
    return found


def check_ask(match: Match, ask: m.AskNow) -> None:
    g = landing(match)
    assert ask.prompt and ask.kind and ask.rule in register()
    assert bool(ask.dice) == bool(ask.dice_verb) == bool(ask.expect)
    for option in ask.options:
        assert option.label, option
        assert not option.rule or option.rule in register()
        assert not option.sector or option.sector in g.world.sectors
        assert not option.card or option.card in g.world.cards
        assert -1 <= option.unit < len(g.units)
        assert option.key != "claim" or option.card or option.sector or option.price
    assert all(stepper.label for stepper in ask.steppers)
    refusals = match.game.machine.refusals(g, ask.seat)
    assert [refused.key for refused in ask.nots] == list(refusals)
    for refused in ask.nots:
        assert refused.key not in answers(ask)
        assert refused.label and refused.reasons
        for reason in refused.reasons:
            assert reason.text and reason.rule in register(), refused


def check_table(g: Landing, screen: m.Screen) -> None:
    assert {sector.id for sector in screen.sectors} == set(g.world.sectors)
    assert all(sector.name and sector.marks for sector in screen.sectors)
    assert [phase.id for phase in screen.phases] == list(g.world.phases)
    assert all(note and "_" not in note for note in screen.notes)
    for unit, shown in zip(g.units, screen.units, strict=True):
        assert shown.name == NAMES[shown.seat]
        assert {counter.id: counter.value for counter in shown.counters}.items() <= {
            name: getattr(unit, name) for name in RESOURCES
        }.items()
        assert len(shown.cards) == sum(
            len(cards) for cards in (unit.hand, unit.specialists, unit.items, unit.awards, unit.dead)
        )
        assert len(shown.tray.dice) == 6
        here = g.world.sectors[unit.sector]
        if here.stay == "three turns" and not here.passage:
            held = questions.holds(g, shown.seat)  # a conquered Bunker is left again where another is to be taken
            assert bool(shown.leave) == (unit.on_map and (held or not here.bunker))
        for card in shown.cards:
            assert bool(card.text) == bool(g.world.cards[card.id].text)
            assert card.name and card.kind_name and card.rule in register()
            assert bool(card.cost) == bool(card.cost_icon)


@pytest.mark.parametrize("edition", ["first", "second"])
def test_the_log_tells_all_that_has_words_and_its_changes_add_up(edition: str) -> None:
    match = list(play(RICH_GAME, {"edition": edition, "seats": 2}, 4, 200))[-1]
    g, log = landing(match), lines(match.events, match)
    assert [line.n for line in log] == [event.n for event in match.events if match.game.narrate(event)]
    assert log[-1].turn == g.turn
    sums = [dict.fromkeys(RESOURCES, 0) for _ in g.units]
    for event in match.events:
        if event.type == "start":
            sums[event.seat] = {name: event.data[name] for name in RESOURCES}
    for line in log:
        assert line.rule in register()
        for name, n in line.fx.get("change", {}).items():
            if name != "seat":
                sums[line.seat][name] += n
        if "move" in line.fx:
            assert line.fx["move"]["to"] in g.world.sectors
        if "dice" in line.fx:
            assert all(len(name) == 2 for name in line.fx["dice"]["rolled"])
    assert sums == [{name: getattr(unit, name) for name in RESOURCES} for unit in g.units]
    assert {"dice", "move", "change", "card"} <= {name for line in log for name in line.fx}
    update = m.Update(match.n, 0, log, see(match, 0))
    assert msgspec.json.decode(m.encode(update), type=m.Update) == update
    assert lines(log_events(match, log[-1].n), match) == log[-1:]


@pytest.mark.rule("F-MGF-01")
def test_fire_and_moves_can_be_animated() -> None:
    match = lay(UnitAt(sector="5", visited=("1", "2", "5"), soldiers=40), phase="combat")
    pips = next(event.data["pips"] for event in match.events if event.type == "pips")
    fires = [line.fx for line in lines(match.events, match) if line.kind == "pips"]
    assert fires == [{"fire": {"sector": "5", "pips": list(pips)}}]
    losses = [line.fx["change"] for line in lines(match.events, match) if "change" in line.fx]
    assert losses == [{"seat": 0, "soldiers": -3 - sum(pips)}]
    match = lay(UnitAt(sector="2", visited=("1", "2"), soldiers=40, courage=2), phase="move")
    told = lines(give(match, "move:4"), match)
    assert {"move": {"seat": 0, "from": "2", "to": "4"}} in [line.fx for line in told]


def test_a_match_that_waits_for_a_roll_can_be_looked_at() -> None:
    played = list(play(GAME, {"edition": "first", "seats": 2}, 1, 20))[-1]
    record = played.record
    for n in range(len(record.entries)):
        match = Match.look(Record(record.header, record.entries[:n]), {GAME.name: GAME})
        screen = see(match)
        assert len(screen.units) == 2
        assert isinstance(match.node(), Ask) or screen.waiting == []


def log_events(match: Match, n: int) -> list[Event]:
    return [event for event in match.events if event.n == n]


@pytest.mark.parametrize("edition", ["first", "second"])
def test_changes_are_counted_from_the_beginning_of_the_turn(edition: str) -> None:
    turn, before = -1, []
    for match in play(GAME, {"edition": edition, "seats": 2}, 3, 60):
        g = landing(match)
        if any(event.type == "turn" for event in match.events) and g.turn != turn:
            turn = g.turn
            start = max(n for n, event in enumerate(match.events) if event.type == "turn")
            before = book(match.events[:start], len(g.units))
        if turn >= 0:
            for unit, was in zip(see(match).units, before, strict=True):
                for counter in unit.counters:
                    assert counter.value - counter.change == was[counter.id]


def book(events: list[Event], units: int) -> list[dict[str, int]]:
    found = [dict.fromkeys(RESOURCES, 0) for _ in range(units)]
    for event in events:
        if event.type in ("start", "resources"):
            for name in RESOURCES:
                found[event.seat][name] += event.data.get(name, 0)
    return found


# ---------------------------------------------------------------------------------------------------- laid positions


def lay(
    *units: UnitAt, edition: str = "first", phase: str = "roll", roll: str = "", world: World | None = None, **more: Any
) -> Match:
    """A match at this position; with `roll` the first Unit has just rolled these faces, by place."""
    options = more.pop("options", ())
    world = world or world_of(LandingSetup(edition, seats=len(units), options=options))
    g = position(world, Position(units, phase=phase, **more))
    events = MACHINE.start(g)
    if roll:
        events += MACHINE.apply(g, tuple(FACE[face] for face in roll.split()))
    return at(g, events)


def give(match: Match, key: str, seat: int = 0) -> list[Event]:
    decision = match.decision(seat)
    assert decision is not None
    return match.answer(Answer(seat, decision.seq, key))


def dice_that(tray: m.Tray, mark: str) -> list[str]:
    return [die.place for die in tray.dice if getattr(die, mark)]


@pytest.mark.rule("F-RWB-01", "F-RESULT-02")
def test_the_dice_of_an_rwb_are_marked_and_the_tally_is_put_into_words() -> None:
    match = lay(UnitAt(cards=("corporal",), dice="R:star,star W:star,skull B:tool,star"), phase=TALLY)
    tray = see(match, 0).units[0].tray
    assert [die.face for die in tray.dice] == ["star", "star", "star", "skull", "tool", "star"]
    assert [die.colour for die in tray.dice] == ["red", "red", "white", "white", "blue", "blue"]
    assert dice_that(tray, "rwb") == ["R1", "W1", "B2"]
    assert (tray.dice[0].words, tray.dice[0].shows) == ("R1 Star, part of an RWB", "Star")
    assert tray.roll == 3
    assert tray.worth == "4 Stars, 1 Tool = 1 Item Point, 1 Skull, Leadership. Skulls will cancel 1 die."


@pytest.mark.rule("F-RWB-04", "F-RWB-08")
def test_six_equal_dice_are_two_rwbs_and_skulls_of_one_cancel_nothing() -> None:
    skulls = see(lay(UnitAt(cards=("corporal",), dice="R:skull,skull W:skull,skull B:skull,skull"), phase=TALLY))
    assert len(dice_that(skulls.units[0].tray, "rwb")) == 6
    assert skulls.units[0].tray.worth == "6 Skulls, Dead Man's Gift, Dead Man's Gift."


@pytest.mark.rule("F-STRAIGHT-03", "S-STRAIGHT-03")
def test_the_skull_of_a_straight_cancels_a_die_in_the_first_edition_only() -> None:
    straight = UnitAt(cards=("corporal",), dice="R:skull,star W:soldier1,soldier2 B:courage,tool")
    said = "3 Soldiers, 1 Star, 1 Courage, 1 Tool = 1 Item Point, 1 Skull, a Straight."
    first, second = (see(lay(straight, edition=edition, phase=TALLY)) for edition in ("first", "second"))
    assert first.units[0].tray.worth == f"{said} Skulls will cancel 1 die."
    assert second.units[0].tray.worth == said


@pytest.mark.rule("F-ROLL-02", "F-ROLL-05", "F-SECT-07", "F-TOOL-01")
def test_a_first_roll_asks_for_dice_to_lock_and_says_what_is_near() -> None:
    match = lay(UnitAt(sector="2", visited=("1", "2")), roll="tool tool tool skull soldier2 courage")
    screen = see(match, 0)
    tray, ask = screen.units[0].tray, screen.asks[0]
    assert tray.worth == (
        "2 Soldiers, 1 Courage, 3 Tools = 6 Item Points, 1 Skull. Skulls will cancel 1 die. "
        "Will be added: Courage (Sector 2). One short of: Special Find (Blue Tool)."
    )
    assert [(near.face, near.want) for near in tray.near] == [("tool", "blue")]
    assert (tray.roll, dice_that(tray, "rwb"), dice_that(tray, "locked")) == (1, [], [])
    assert (ask.name, ask.dice_verb, len(ask.dice), ask.options) == ("lock", "lock", 15, [])
    assert (ask.hint, ask.expect) == ("Choose 2 dice.", "Lock the dice")
    give(match, "lock:R1,W1")
    screen = see(match, 0)
    ask = screen.asks[0]
    assert dice_that(screen.units[0].tray, "locked") == ["R1", "W1"]
    assert [die.words for die in screen.units[0].tray.dice[:2]] == ["R1 Tool, Locked", "R2 Tool"]
    assert [option.key for option in ask.options] == ["stop"]
    assert (ask.dice_verb, len(ask.dice), ask.expect) == ("roll", 15, "Roll again")
    assert {one.key: [reason.rule for reason in one.reasons] for one in ask.nots} == {
        "roll:R1": ["F-ROLL-05"],
        "roll:W1": ["F-ROLL-05"],
    }
    assert ask.undo == screen.undo["0"] == "Lock R1 Tool, W1 Tool"
    give(match, "roll:R2")
    screen = see(match, 0)
    assert screen.units[0].tray.roll == 2
    assert (screen.undo, screen.asks[0].undo) == ({}, "")


def test_results_that_count_for_nothing_are_marked_and_bring_nothing() -> None:
    world = world_of(LandingSetup("first", level="practice-run"))
    match = lay(UnitAt(), world=world, roll="skull star tool courage soldier1 soldier2")
    screen = see(match)
    tray = screen.units[0].tray
    assert dice_that(tray, "idle") == ["R1", "R2", "W1"]
    assert tray.dice[0].words == "R1 Skull, counts for nothing"
    assert tray.worth == "3 Soldiers, 1 Courage."
    assert [counter.id for counter in screen.units[0].counters] == ["soldiers", "courage"]


def test_a_cancelled_die_is_no_part_of_an_rwb() -> None:
    dice = UnitAt(cards=("corporal",), dice="R:star,skull W:star,tool B:star,tool", cancelled="W1")
    tray = see(lay(dice, phase=TALLY)).units[0].tray
    assert (dice_that(tray, "cancelled"), dice_that(tray, "rwb")) == (["W1"], [])
    dice = UnitAt(cards=("corporal",), dice="R:star,star W:star,tool B:star,skull", cancelled="R1")
    assert dice_that(see(lay(dice, phase=TALLY)).units[0].tray, "rwb") == ["R2", "W1", "B1"]


def test_two_of_three_colours_are_seen_and_cancelled_dice_are_not_counted() -> None:
    dice = UnitAt(cards=("corporal",), dice="R:courage,tool W:courage,star B:tool,skull", cancelled="R2")
    tray = see(lay(dice, phase=TALLY)).units[0].tray
    assert [(near.face, near.want) for near in tray.near] == [("courage", "blue")]


@pytest.mark.parametrize(
    ("marker", "icon"), [("1 chevron", "1"), ("3 chevrons", "3"), ("must move", "move"), ("can't stay", "shield")]
)
def test_the_marker_has_a_picture_in_every_language(marker: str, icon: str) -> None:
    match = lay(UnitAt(marker=marker))
    for lang in ("en", "fr"):
        with speaking(lang):
            assert see(match).units[0].marker_icon == icon


def test_what_the_sector_has_added_is_shown_and_not_announced_again() -> None:
    dice = UnitAt(sector="2", visited=("1", "2"), cards=("corporal",), dice="R:star,tool W:star,tool B:courage,skull")
    tray = see(lay(dice, phase=TALLY)).units[0].tray
    assert tray.added == ["Courage"]
    assert tray.worth.startswith("2 Stars, 2 Courage, 2 Tools = 3 Item Points, 1 Skull. Skulls will cancel 1 die. One")


def test_a_sharpshooter_may_spare_a_die() -> None:
    match = lay(UnitAt(cards=("sharpshooter",)), roll="skull star star star star star")
    assert "Skulls may cancel 1 die." in see(match).units[0].tray.worth


@pytest.mark.rule("F-ROLL-10")
def test_where_five_dice_are_rolled_they_are_chosen_while_none_shows_a_face() -> None:
    screen = see(lay(UnitAt(sector="8", visited=("1", "3", "6", "8"))), 0)
    tray, ask = screen.units[0].tray, screen.asks[0]
    assert (tray.roll, tray.worth, [die.face for die in tray.dice]) == (0, "", [""] * 6)
    assert all(die.words for die in tray.dice)
    assert (ask.dice_verb, ask.dice) == ("leave", [f"leave:{name}" for name in ("R1", "R2", "W1", "W2", "B1", "B2")])


@pytest.mark.rule("F-COMBAT-01", "F-SPEC-07")
@pytest.mark.parametrize(
    ("unit", "said"),
    [
        (UnitAt(sector="1", soldiers=10), "Combat here: 2 casualties (DEF 2)."),
        (UnitAt(sector="5", soldiers=10), "Combat here: 4 to 9 casualties (DEF 3, MGF 1d6)."),
        (UnitAt(sector="5", soldiers=9, cards=("scout",)), "Combat here: 4 to 9 casualties (DEF 3, MGF 1d6)."),
        (
            UnitAt(sector="5", soldiers=9),
            "Combat here: 4 to 9 casualties (DEF 3, MGF 1d6). The Unit counts 9 and may be wiped out.",
        ),
        (
            UnitAt(sector="5", soldiers=4),
            "Combat here: 4 to 9 casualties (DEF 3, MGF 1d6). The Unit counts 4 and would be wiped out.",
        ),
    ],
)
def test_the_danger_is_told_in_numbers_with_a_warning(unit: UnitAt, said: str) -> None:
    match = lay(unit, phase="move")
    assert see(match).units[0].danger == said
    landing(match).fire = {"5": (6,)}  # dice of the turn before
    assert see(match).units[0].danger == said


@pytest.mark.rule("F-CARD-MEDIC", "F-CARD-FIELD-RADIO", "F-CARD-PARATROOPER")
@pytest.mark.parametrize(
    ("unit", "phase", "end"),
    [
        (UnitAt(sector="2", soldiers=3, courage=9, cards=("medic",)), "move", ""),  # DEF 4: three fall
        (UnitAt(sector="2", soldiers=3, courage=9), "move", "would"),
        (UnitAt(sector="2", soldiers=3, courage=9, cards=("field-radio",)), "move", "may"),
        (UnitAt(sector="2", soldiers=0, courage=9, cards=("paratrooper",)), "move", "would"),
        (UnitAt(sector="2", soldiers=3, courage=9, stars=9), "acquire", "may"),  # he who is rallied counts too
    ],
)
def test_that_a_unit_would_be_wiped_out_is_told_where_nothing_can_change_it(unit: UnitAt, phase: str, end: str) -> None:
    said = see(lay(unit, phase=phase)).units[0].danger
    assert ("would be wiped out" in said, "may be wiped out" in said) == (end == "would", end == "may")


@pytest.mark.rule("N-MGF-01")
def test_mgf_dice_are_not_called_d6() -> None:
    match = lay(UnitAt(sector="5", soldiers=10, courage=9), phase="move", options=("mgf-dice",))
    assert see(match).units[0].danger == "Combat here: 3 to 9 casualties (DEF 3, MGF 1 die)."
    assert [line.text for line in because(match, m.Why("", 0, "casualties")).lines] == ["DEF 3", "MGF 1 die"]
    utah = world_of(LandingSetup("first", "n03-utah", options=("mgf-dice",)))
    match = lay(UnitAt(sector="14", soldiers=30, stars=1), phase="move", world=utah)
    assert see(match).units[0].danger == "Combat here: 9 to 20 casualties (DEF 8, MGF 2 dice)."


@pytest.mark.rule("F-MAP-N06-05")
def test_shells_are_told_apart_from_machine_gun_fire() -> None:
    """Sword 6 with mortar fire: DEF 10 and 1d6 of one's own."""
    world = world_of(LandingSetup("first", "n06-sword"))
    match = lay(UnitAt(sector="6", soldiers=30), phase="move", world=world, rolled=(("6", 1),))
    assert see(match).units[0].danger == "Combat here: 11 to 16 casualties (DEF 10, shells 1d6)."


@pytest.mark.rule("F-CARD-GRENADIER")
def test_a_sector_whose_guns_are_silent_shows_none() -> None:
    match = lay(UnitAt(sector="5", soldiers=30, courage=9, cards=("grenadier",)), phase="move")
    marks = {sector.id: sector.marks for sector in see(match).sectors}
    assert "MGF 1d6" in marks["5"]
    give(match, "use:grenadier")
    marks = {sector.id: sector.marks for sector in see(match).sectors}
    assert not any("MGF" in mark for mark in marks["5"])


@pytest.mark.rule("F-MARKER-02", "F-MARKER-03", "F-MARKER-04", "F-MARKER-05", "F-MARKER-07", "F-CARD-POINT-MAN")
@pytest.mark.parametrize(
    ("turn", "phase", "marker", "said"),
    [
        (1, "roll", "1 chevron", "has to leave by turn 3"),
        (4, "move", "1 chevron", "has to leave by turn 7"),
        (4, "roll", "3 chevrons", "has to leave this turn"),
        (4, "move", "3 chevrons", "has to leave by turn 5"),
        (4, "move", "must move", "has to leave this turn"),
        (4, "move", "Battle Cry", "has to leave this turn"),
        (4, "move", "can't stay", "has to leave by turn 5"),
    ],
)
def test_when_a_unit_has_to_leave(turn: int, phase: str, marker: str, said: str) -> None:
    match = lay(UnitAt(sector="2", visited=("1", "2"), marker=marker, courage=9), phase=phase, turn=turn)
    assert see(match).units[0].leave == said


def test_a_point_man_gives_one_turn_more() -> None:
    match = lay(UnitAt(sector="2", visited=("1", "2"), marker="must move", cards=("point-man",)), phase="move", turn=4)
    assert see(match).units[0].leave == "has to leave this turn"
    give(match, "use:point-man")
    assert see(match).units[0].leave == "has to leave by turn 5"


@pytest.mark.rule("F-OPT-VP-02", "S-OPT-VP-01")
@pytest.mark.parametrize(("edition", "sectors", "total"), [("first", "90", 151), ("second", "100", 161)])
def test_the_end_shows_the_parts_of_the_victory_points(edition: str, sectors: str, total: int) -> None:
    file = SCENARIOS / "options" / f"victory-points-{edition}.toml"
    unit = UnitAt(
        sector="B",
        visited=("1", "3", "6", "9", "B"),
        soldiers=13,
        courage=2,
        cards=("corporal", "veteran", "minesweeper", "scout"),
    )
    match = lay(unit, edition=edition, phase="combat", world=read_scenario(file).worlds[edition])
    give(match, "fall:none")
    over = see(match, 0).over
    assert over is not None
    assert (over.won, over.scores, over.title) == (True, [total], "Victory in turn 1")
    assert over.parts == [
        ["Bunker", "20"],
        ["First in the Bunker", "20"],
        ["Sectors", sectors],
        ["Soldiers", "5"],
        ["Courage", "4"],
        ["Specialists", "12"],
        ["Victory Points", str(total)],
    ]
    assert see(match, 0).asks == [] and see(match, 0).waiting == []


def test_the_end_of_several_units_names_the_lost_one_and_the_group() -> None:
    match = lay(UnitAt(soldiers=2), UnitAt(soldiers=9, courage=3), phase="combat", turn=2, options=("victory-points",))
    while match.decision(0) or match.decision(1):
        seat = 0 if match.decision(0) else 1
        give(match, show.keys(match, [seat])[str(seat)][1][0], seat)
    over = see(match).over
    assert over is not None and not over.won
    assert over.title == "Defeat in turn 2"
    assert over.text.startswith("Ann's Unit was wiped out. When one Unit is lost, all have lost.")
    assert over.text.endswith(f"The group has {min(over.scores)} Victory Points, as many as its weakest Unit.")


# ---------------------------------------------------------------------------------------------------- answers in detail


@pytest.mark.rule("F-ADV-02", "F-SECT-04", "F-MOVE-02", "F-MOVE-03")
def test_ways_have_a_price_and_closed_ones_a_reason() -> None:
    match = lay(UnitAt(sector="2", visited=("1", "2"), courage=2), phase="move")
    ask = see(match, 0).asks[0]
    assert {option.key: (option.sector, option.price) for option in ask.options} == {
        "stay": ("2", ""),
        "move:3": ("3", ""),
        "move:4": ("4", "2 Courage"),
    }
    closed = {one.key: (one.label, one.sector, [reason.rule for reason in one.reasons]) for one in ask.nots}
    assert closed["move:5"] == ("Sector 5", "5", ["F-SECT-04"])
    assert closed["move:B"] == ("The Bunker", "B", ["F-MOVE-02"])
    assert "F-MOVE-03" in closed["move:1"][2] or closed["move:1"][2] == ["F-MOVE-02"]


@pytest.mark.rule("F-SPEC-01", "F-ITEM-01", "F-AWARD-09")
def test_cards_have_a_price_and_can_be_pointed_at() -> None:
    match = lay(UnitAt(stars=3, courage=6, points=5), phase="acquire")
    options = {option.key: option for option in see(match, 0).asks[0].options}
    corporal = options["rally:corporal"]
    assert (corporal.card, corporal.price, corporal.rule) == ("corporal", "2 Stars", "F-CARD-CORPORAL")
    assert options["award"].price == "6 Courage"
    pool = {card.id: card for card in see(match, 0).pool}
    assert (pool["bazooka"].cost, pool["bazooka"].cost_icon, pool["bazooka"].kind) == (15, "item-point", "item")
    assert (pool["bazooka"].place, pool["bazooka"].when) == ("pool", "Any time")
    assert (pool["silver-star"].cost, pool["silver-star"].cost_icon) == (6, "courage")
    hand = {card.id: card for card in see(match, 0).units[0].cards}
    assert (hand["corporal"].place, hand["corporal"].cost, hand["corporal"].cost_icon) == ("hand", 2, "star")
    assert hand["corporal"].when == "When the dice are final, once a turn"


def test_an_award_that_is_held_has_no_price() -> None:
    match = lay(UnitAt(cards=("silver-star",)), phase="acquire")
    held = next(card for card in see(match, 0).units[0].cards if card.id == "silver-star")
    assert (held.place, held.cost, held.cost_icon) == ("awards", 0, "")


@pytest.mark.rule("F-CARD-WHISTLE")
def test_a_price_is_the_one_that_is_paid_now() -> None:
    match = lay(UnitAt(sector="2", visited=("1", "2"), courage=2, cards=("whistle",)), phase="move")
    give(match, "use:whistle")
    assert {option.key: option.price for option in see(match, 0).asks[0].options}["move:4"] == "no Courage"


@pytest.mark.rule("F-CARD-MESSENGER")
def test_cards_in_reach_have_the_price_of_this_guest() -> None:
    match = lay(UnitAt(cards=("messenger",)), UnitAt(), phase="move")

    def captain(*seats: int) -> int:
        return next(card.cost for card in see(match, *seats).pool if card.id == "captain")

    assert (captain(0), captain(1), captain(0, 1), captain()) == (3, 4, 4, 4)
    hands = [{card.id: card.cost for card in unit.cards if card.place == "hand"} for unit in see(match).units]
    assert (hands[0]["corporal"], hands[1]["corporal"]) == (1, 2)


def test_what_is_free_has_no_price() -> None:
    dice = "R:star,tool W:star,tool B:courage,skull"
    match = lay(UnitAt(cards=("distinguished-service-order",), dice=dice), phase=TALLY)
    give(match, "use:distinguished-service-order")
    ask = see(match, 0).asks[0]
    assert ask.name == "rally-free" and ask.options
    assert {option.price for option in ask.options} == {""}


def test_vehicles_of_a_sector_are_in_reach_of_those_who_stand_there_until_one_takes_them() -> None:
    world = rich_world(LandingSetup("first", seats=2))
    here, away = UnitAt(sector="2", visited=("1", "2")), UnitAt(sector="3", visited=("1", "3"))
    match = lay(here, away, world=world, phase="acquire")
    assert {"jeep", "tank"} <= {card.id for card in see(match, 0).pool}
    assert not {"jeep", "tank"} & {card.id for card in see(match, 1).pool}
    taken = lay(here, replace(away, cards=("jeep",)), world=world, phase="acquire")
    assert {"jeep", "tank"} & {card.id for card in see(taken, 0).pool} == {"tank"}


def test_only_amounts_of_resources_are_steppers() -> None:
    keys = ("pay:courage=1", "pay:courage=2", "pay:points=2", "pay:points=4", "die:1=1", "die:1=2", "give:stars=1")
    assert outline.amount_keys(keys) == {("pay", "courage"): 2, ("give", "stars"): 1}


@pytest.mark.rule("F-TRADE-02")
def test_amounts_of_a_trade_are_steppers() -> None:
    match = lay(UnitAt(soldiers=5, stars=2), UnitAt(soldiers=3), phase="move")
    trade = next(option for option in see(match, 0).asks[0].options if option.key.startswith("trade:"))
    assert trade.unit == 1
    give(match, trade.key)
    ask = see(match, 0).asks[0]
    assert [(one.verb, one.name, one.most, one.label) for one in ask.steppers] == [
        ("give", "soldiers", 4, "Give Soldiers"),
        ("give", "stars", 2, "Give Stars"),
        ("take", "soldiers", 2, "Get Soldiers"),
    ]
    assert [option.key for option in ask.options] == ["withdraw"]
    assert "propose" in [one.key for one in ask.nots]


@pytest.mark.rule("F-CARD-BAZOOKA")
def test_why_combat_costs_so_many_names_what_changes_the_defence() -> None:
    match = lay(UnitAt(sector="9", soldiers=30, visited=("1", "9"), courage=9, cards=("bazooka",)), phase="move")
    assert [line.text for line in because(match, m.Why("", 0, "casualties")).lines] == ["DEF 10", "MGF 1d6"]
    give(match, "use:bazooka")
    lines_ = [line.text for line in because(match, m.Why("", 0, "casualties")).lines]
    assert lines_ == ["DEF 10 printed: Sector 9", "-7 Bazooka", "MGF 1d6"]


@pytest.mark.rule("S-SECT-02")
def test_a_unit_that_does_not_fight_is_told_no_casualties() -> None:
    """Pegasus Bridge 4 is fought once; there the Unit has fought."""
    world = world_of(LandingSetup("second", "n05-pegasus-bridge"))
    match = lay(UnitAt(sector="4", soldiers=10, combats=1), phase="roll", world=world, turn=5)
    assert see(match).units[0].danger == "The Unit does not fight here."
    found = because(match, m.Why("", 0, "casualties"))
    assert (found.value, [line.text for line in found.lines]) == (0, ["one fights here once, and the Unit has fought"])
    assert all(line.rule in register() for line in found.lines)


@pytest.mark.rule("F-MARKER-03")
def test_of_a_sector_that_is_to_be_left_before_combat_no_casualties_are_told() -> None:
    unit = UnitAt(sector="2", soldiers=30, visited=("1", "2"), marker="must move", courage=9, cards=("point-man",))
    match = lay(unit, phase="move", turn=4)
    assert see(match).units[0].danger == ""
    give(match, "use:point-man")
    assert see(match).units[0].danger == "Combat here: 4 casualties (DEF 4)."


@pytest.mark.rule("F-DEF-01", "F-CARD-BAZOOKA")
def test_why_the_defence_is_what_it_is() -> None:
    match = lay(UnitAt(sector="9", visited=("1", "9"), courage=9, cards=("bazooka",)), phase="move", turn=6)
    why = m.Why("w1", 0, "defence")
    printed = m.Reason("10 printed: Sector 9", "F-DEF-01")
    assert because(match, why) == m.Because("w1", "DEF", 10, [printed])
    assert not see(match).notes
    give(match, "use:bazooka")
    assert because(match, why) == m.Because("w1", "DEF", 3, [printed, m.Reason("-7 Bazooka", "F-CARD-BAZOOKA")])
    assert see(match).units[0].danger.startswith("Combat here: 4 to 9 casualties (DEF 3, MGF 1d6).")
    assert see(match).notes == ["This turn: The DEF changes by -7 in Sector 9 (Bazooka)."]


@pytest.mark.rule("F-WIN-03")
def test_specialists_beside_the_bunker_are_named() -> None:
    safe = UnitAt(sector="B", status="safe", cards=("scout", "medic"))
    match = lay(UnitAt(sector="B", cards=("bazooka",), soldiers=40), safe, phase="combat")
    assert because(match, m.Why("", 0, "defence")).lines == [
        m.Reason("12 printed: The Bunker", "F-DEF-01"),
        m.Reason("-2 Specialists beside the Bunker", "F-WIN-03"),
    ]
    assert see(match).notes == ["2 Specialists lie beside the Bunker and lower its DEF by 2."]
    assert [unit.status for unit in see(match).units] == ["on the map", "safe"]
    assert see(match).units[1].danger == see(match).units[1].leave == ""


def test_a_number_is_never_below_nothing_and_a_sum_names_its_parts() -> None:
    match = lay(UnitAt(soldiers=5, courage=9, cards=("bazooka", "scout")), phase="move")
    give(match, "use:bazooka")
    found = because(match, m.Why("", 0, "defence"))
    assert (found.value, [line.text for line in found.lines]) == (
        0,
        ["2 printed: Sector 1", "-7 Bazooka", "never less than 0"],
    )
    strength = because(match, m.Why("", 0, "strength"))
    assert (strength.value, [line.text for line in strength.lines]) == (6, ["5 Soldiers", "+1 Scout"])
    assert because(match, m.Why("", 0, "casualties")).value == 0
    for question, card in (("dice_to_lock", ""), ("dice_to_roll", ""), ("mgf_dice", ""), ("rally_cost", "medic")):
        explained = because(match, m.Why("", 0, question, card=card))
        assert explained.title and all(line.rule in register() for line in explained.lines)


@pytest.mark.parametrize(
    "why",
    [
        m.Why("", 7, "defence"),
        m.Why("", -1, "defence"),
        m.Why("", 0, "the meaning of it all"),
        m.Why("", 0, "defence", sector="77"),
        m.Why("", 0, "rally_cost"),
        m.Why("", 0, "find_cost", card="excalibur"),
    ],
)
def test_what_cannot_be_explained_is_refused_in_words(why: m.Why) -> None:
    with pytest.raises(Invalid, match=r"\w+ \w+"):
        because(lay(UnitAt(), phase="move"), why)


# ---------------------------------------------------------------------------------------------------- who sees what


def test_a_guest_with_several_seats_is_asked_for_all_and_a_spectator_for_none() -> None:
    match = Match.new(GAME, {"edition": "first", "seats": 3}, seed="0" * 64)
    assert [ask.seat for ask in see(match, 0, 2).asks] == [0, 2]
    assert list(show.keys(match, (0, 2))) == ["0", "2"]
    decision = match.decision(2)
    assert decision is not None
    assert show.keys(match, (2,)) == {"2": (decision.seq, list(decision.keys))}
    give(match, decision.keys[0], 2)
    spectator = see(match)
    assert (spectator.asks, spectator.undo, show.keys(match, ())) == ([], {}, {})
    assert spectator.waiting == [0, 1, 2]
    assert not any(sector.visited for sector in spectator.sectors)
    assert spectator.seal == match.commitment


def test_undo_is_offered_to_a_seat_that_waits_for_others() -> None:
    match = lay(UnitAt(courage=3), UnitAt(courage=3), phase="move")
    give(match, "stay", 0)
    screen = see(match, 0)
    assert screen.asks == []
    assert screen.undo["0"].startswith("Stay")
    assert see(match, 1).undo == {}


def test_events_for_others_are_not_told() -> None:
    match = Match.new(GAME, {"edition": "first", "seats": 2}, seed="0" * 64)
    event = next(event for event in match.events if event.type == "start")
    secret = [event._replace(audience=(1,))]
    assert lines(secret, match) == lines(secret, match, (0,)) == []
    assert len(lines(secret, match, (0, 1))) == 1


def test_what_no_seat_may_see_makes_no_difference() -> None:
    match = lay(UnitAt(), UnitAt(), phase="move", turn=3)
    before = m.encode(see(match))
    g = landing(match)
    g.box, g.before, g.spent, g.first, g.drawn = (), (1, 1), ("door:4",), (1,), {"dice:0": 5}
    assert m.encode(see(match)) == before


# ---------------------------------------------------------------------------------------------------- words


def test_everything_that_content_may_name_has_words() -> None:
    for name in (*WINDOWS, *ALIASES):
        assert known(f"when.{name}"), name
    for name in OPERATIONS:
        assert known(f"on.{name}"), name
    for name in ("turn", "game"):
        assert known(f"note.until.{name}")
    for name in RESOURCES:
        assert known(f"resource.{name}")


@pytest.mark.parametrize("edition", ["first", "second"])
def test_every_card_has_a_face(edition: str) -> None:
    g = position(world_of(LandingSetup(edition, seats=2)), Position((UnitAt(), UnitAt())))
    for card in library().cards[edition].values():
        face = landed._card(g, card.id, "pool", -1)
        assert face.name == card.name and face.text and face.kind_name
        assert face.kind in ("specialist", "item", "vehicle", "award")
        assert face.rebuilt == (card.basis == "reconstructed")
        assert face.explosive == card.explosive
        assert bool(face.when) == any(ability.mode in ("", "group") for ability in card.abilities), card.id


def test_the_head_names_the_map() -> None:
    screen = see(lay(UnitAt(), phase="move"))
    assert screen.title == "Exercise Tiger"
    assert screen.subtitle == "N-01 · Slapton Sands, Devon, England · 27 April 1944 · first edition"
    assert screen.sectors[0].id == "B" and screen.sectors[-1].id == "1"
    assert screen.sectors[-1].exits == ["forward to Sector 2 (1 Courage)", "forward to Sector 3 (1 Courage)"]
    assert screen.sectors[-1].units == [0]


# ---------------------------------------------------------------------------------------------------- names of players


def test_units_are_called_like_their_players_in_log_prompts_and_offers() -> None:
    match = Match.new(GAME, {"seats": 3}, seed=f"{7:064x}")
    with words.calling(("Anna", "", "Marc")):
        screen = show.screen(match, (0, 1, 2))
        told = [line.text for line in lines(match.events, match)]
    assert [unit.name for unit in screen.units] == ["Anna", "Unit 2", "Marc"]
    assert [ask.prompt.partition(":")[0] for ask in screen.asks] == ["Anna", "Unit 2", "Marc"]
    assert any(line.startswith("Anna rolls ") for line in told)
    assert any(line.startswith("Unit 2 rolls ") for line in told)
    assert not any("Unit 1" in line or "Unit 3" in line for line in told)
    assert any(line.text.startswith("Unit 1 rolls ") for line in lines(match.events, match))


def test_the_grammar_of_a_named_unit() -> None:
    lost = Event(0, "lost", 0, {"cause": "wiped-out"}, "F-LOSE-01", "")
    card = Event(1, "card", 1, {"card": "scout", "from": "items", "to": "items", "unit": 0}, "F-TRADE-01", "")
    with words.calling(("Anna", "Marc")):
        assert GAME.narrate(lost) == "Anna's Unit is wiped out"
        assert GAME.narrate(card) == "Marc hands the Scout to Anna"
        with speaking("fr"):
            assert GAME.narrate(lost) == "L'Unité d'Anna est anéantie"
            assert GAME.narrate(card) == "Marc remet l'Éclaireur à Anna"
    with speaking("fr"):
        assert GAME.narrate(lost) == "L'Unité 1 est anéantie"


def test_two_players_of_one_name_are_told_apart_and_odd_names_do_no_harm() -> None:
    for odd in ("<b>", "{who}", "{n.the}", "x" * 400, "'", "%s"):
        with words.calling((odd, odd)):
            assert str(words.unit_name(0)) == f"{odd} (1)"
            assert str(words.unit_name(1)) == f"{odd} (2)"
        with words.calling((odd,)):
            assert GAME.narrate(Event(0, "straight", 0, {}, "F-STRAIGHT-01", "")).endswith(f"{odd[1:]} has a Straight")


def test_what_undo_takes_back_is_said_with_the_names_of_now() -> None:
    match = Match.new(GAME, {"seats": 2}, seed=f"{3:064x}", practice=True)
    decision = match.decision(0)
    assert decision is not None
    before = match.record.entries
    match.answer(Answer(0, decision.seq, decision.keys[0]))
    told = {}
    for names in (("Anna", "Marc"), ("Zoe", "Marc")):
        with words.calling(names):
            told[names] = [line.text for line in lines(match.events, match)]
            assert show.screen(match, (0, 1)).undo
    assert told["Anna", "Marc"] == [line.replace("Zoe", "Anna") for line in told["Zoe", "Marc"]]
    assert any(line.startswith("Zoe Locks ") for line in told["Zoe", "Marc"])
    assert "Zoe" not in "".join(match.record.lines()) and before is not None


def test_the_log_says_what_locked_dice_showed() -> None:
    match = lay(UnitAt(), roll="star skull tool tool courage soldier2")
    told = lines(give(match, "lock:R1,W2"), match)
    assert told[0].text == "Unit 1 Locks R1 Star, W2 Tool"


# ---------------------------------------------------------------------------------------------------- the tally


def tally(match: Match, *dice: str) -> tuple[str, int, str]:
    found = because(match, m.Why("t", 0, "tally", dice=list(dice)))
    assert found.id == "t"
    return found.title, found.value, " ".join(line.text for line in found.lines)


def test_what_the_locked_dice_alone_come_to() -> None:
    match = lay(UnitAt(), roll="star skull tool tool courage soldier2")
    assert tally(match) == ("No die kept", 0, "Nothing.")
    assert tally(match, "B2") == ("This die alone", 1, "2 Soldiers.")
    assert tally(match, "W1", "W2") == ("These 2 dice alone", 2, "2 Tools = 3 Item Points.")
    assert tally(match, "R1", "B1")[2] == "1 Star, 1 Courage."


def test_what_is_kept_of_a_roll_is_told_without_the_dice_to_be_rolled_again() -> None:
    match = lay(UnitAt(), roll="star skull star tool star soldier2")
    give(match, "lock:R1,W1")
    match_now = landing(match).units[0].faces
    rolled = tally(match, "B2", "W2", "B1", "R2")
    assert rolled[:2] == ("These 2 dice alone", 2)
    assert rolled[2].startswith("2 Stars.")
    assert "One short of" in rolled[2]
    assert landing(match).units[0].faces == match_now


@pytest.mark.parametrize("dice", [["R9"], ["R1", ""], ["none"], ["R1,W1"]])
def test_a_tally_of_other_things_is_refused(dice: list[str]) -> None:
    match = lay(UnitAt(), roll="star skull tool tool courage soldier2")
    with pytest.raises(Invalid):
        because(match, m.Why("", 0, "tally", dice=dice))
    with pytest.raises(Invalid):
        because(lay(UnitAt(courage=5), phase="move"), m.Why("", 0, "tally"))


# ---------------------------------------------------------------------------------------------------- what there is


@pytest.mark.parametrize(("lang", "start"), [("en", "start"), ("fr", "départ")])
def test_the_board_speaks_the_language_and_its_address_tells_which(lang: str, start: str) -> None:
    drawn = drawing("first", "n01-exercise-tiger", "", "light", lang).decode()
    assert f">{start}<" in drawn
    match = Match.new(GAME, {"level": "basic-training"})
    with speaking(lang):
        assert board_url(landing(match)) == f"/api/board/first/n01-exercise-tiger.svg?lang={lang}&level=basic-training"
    assert all(f"lang={lang}" in board["board"] for edition in catalogue(lang)["editions"] for board in edition["maps"])


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_list_of_maps_says_which_are_rebuilt_and_explains_every_level(lang: str) -> None:
    for edition in catalogue(lang)["editions"]:
        for board in edition["maps"]:
            basis = library().maps[edition["id"]][board["id"]].basis
            assert board["rebuilt"] is (basis == "reconstructed")
            assert bool(board["rebuilt_text"]) is board["rebuilt"]
            for level in board["levels"]:
                assert level["text"].endswith("."), level["id"]
