"""The screens of Battle! and Express!: every answer is on them, and pairs are drawn as the rules match dice."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from beachhead.core.errors import Invalid
from beachhead.core.game import Setup
from beachhead.core.node import Answer, Ask, Over
from beachhead.games import GAMES
from beachhead.landing import words
from beachhead.landing.dice import FACES
from beachhead.pocket import battle, express
from beachhead.pocket.battle import Battle
from beachhead.pocket.dice import counts, enough
from beachhead.pocket.express import Express
from beachhead.pocket.position import BattleAt, ExpressAt, battle_at, express_at
from beachhead.pocket.world import world_of
from beachhead.rules import register
from beachhead.say import speaking
from beachhead.server import messages as m
from beachhead.server import seen, text
from beachhead.table.match import Match
from tests.server.test_screen import answers

NAMES = ("Ann", "Bob", "Cleo", "Dan")
SETUPS: list[tuple[str, Setup]] = [
    ("express", {}),
    ("express", {"beach": "gold", "seats": 2}),
    ("express", {"beach": "omaha", "options": ["advanced", "kommandant"]}),
    ("express", {"beach": "juno", "seats": 4, "switches": {"specialists": "holder"}}),
    ("express", {"options": ["neptune"]}),
    ("battle", {}),
    ("battle", {"seats": 1}),
    ("battle", {"seats": 3, "options": ["kommandant"]}),
]


def see(match: Match, *seats: int) -> m.Screen:
    with words.calling(NAMES):
        return seen.screen(match, seats)


def play(game: str, setup: Setup, seed: int, most: int = 400) -> Iterator[Match]:
    match, random = Match.new(GAMES[game], GAMES[game].setup(setup), seed=f"{seed:064x}"), Random(seed)
    yield match
    for _ in range(most):
        node = match.node()
        if not isinstance(node, Ask):
            return
        decision = node.decision(random.choice(node.seats))
        match.answer(Answer(decision.seat, decision.seq, random.choice(decision.keys)))
        yield match


def check(match: Match) -> None:
    """What holds at every moment of every game."""
    g: Any = match.state
    node = match.node()
    seats = range(len(g.lanes))
    screen = see(match, *seats)
    assert screen.waiting == (list(node.seats) if isinstance(node, Ask) else [])
    assert [ask.seat for ask in screen.asks] == screen.waiting
    assert (screen.over is not None) == isinstance(node, Over)
    assert [unit.name for unit in screen.units] == list(NAMES[: len(g.lanes)])
    assert screen.phase in [phase.id for phase in screen.phases] or not g.turn
    for ask in screen.asks:
        decision = match.decision(ask.seat)
        assert decision is not None
        turned = [one for pick in ask.picks for way in pick.ways for one in way.options]
        assert sorted([*answers(ask), *(one.key for one in turned)]) == sorted(decision.keys)
        assert ask.prompt and ask.rule in register()
        assert all(option.label for option in ask.options)
        assert all(one.label and one.shows for one in turned)
        assert all(
            no.label and all(reason.text and reason.rule in register() for reason in no.reasons) for no in ask.nots
        )
    check_duel(g, screen)
    assert msgspec.json.decode(m.encode(screen), type=m.Screen) == screen


def check_duel(g: Battle | Express, screen: m.Screen) -> None:
    """A player whose pairs are complete matches all Axis dice by the rules of the game, and no die matches twice."""
    duel = screen.duel
    assert duel is not None
    assert [die.face for die in duel.axis if die.colour == "gray"] == [FACES[face] for face in g.axis]
    assert sum(die.colour == "black" for die in duel.axis) == (g.black >= 0)
    for unit in screen.units:
        used = [place for pair in unit.tray.pairs for place in pair.dice if place != "+"]
        assert len(used) == len(set(used))
        dice = {die.place: die for die in unit.tray.dice}
        for pair in unit.tray.pairs:
            assert all(dice[place].face == duel.axis[pair.axis].face for place in pair.dice if place != "+")
            assert all(dice[place].pair == pair.axis + 1 for place in pair.dice if place != "+")
        if not any(die.face for die in unit.tray.dice) or not duel.axis:
            continue
        found = {pair.axis: len(pair.dice) for pair in unit.tray.pairs}
        whole = all(found.get(n, 0) >= die.needs for n, die in enumerate(duel.axis))
        if isinstance(g, Express):
            assert whole == enough(express.results(g, unit.seat), express.needed(g))
        else:
            assert whole == enough(counts(g.faces), counts((*g.axis, g.black)))


@pytest.mark.parametrize(("game", "setup"), SETUPS, ids=str)
def test_every_answer_is_on_the_screen_once_and_nothing_else(game: str, setup: Setup) -> None:
    for match in play(game, setup, 5):
        check(match)
    with speaking("fr"):
        for match in play(game, setup, 6):
            check(match)


@pytest.mark.parametrize(("game", "setup"), SETUPS, ids=str)
def test_the_log_has_turns_and_what_there_is_to_animate(game: str, setup: Setup) -> None:
    match = list(play(game, setup, 7))[-1]
    g: Any = match.state
    log = seen.lines(match.events, match)
    assert log[-1].turn == g.turn
    assert [line.turn for line in log] == sorted(line.turn for line in log)
    lying: dict[int, list[str]] = {}
    for line in log:
        if "clear" in line.fx:
            lying.clear()
        if "dice" in line.fx:
            dice = line.fx["dice"]
            fresh = line.seat not in lying
            assert not fresh or len(dice["rolled"]) >= 4  # dice that were picked up are rolled together
            lying[line.seat] = dice["faces"]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(("game", "setup"), SETUPS[1::2], ids=str)
def test_the_page_without_scripts_offers_the_same_answers(game: str, setup: Setup, lang: str) -> None:
    from tests.server.pages import Page

    with speaking(lang):
        for n, match in enumerate(play(game, setup, 8)):
            seats = tuple(range(len(match.state.lanes)))
            screen = see(match, *seats)
            if n % 5 and screen.over is None:
                continue
            now = m.TableNow("id", "", [m.SeatNow(seat, "person", "") for seat in seats], True, list(seats))
            page = Page(text.table(m.Welcome(0, now, screen, seen.lines(match.events, match, seats)), [], {}))
            said = " ".join(page.text.split())
            assert screen.duel is not None
            for part in (screen.duel.title, screen.duel.text, *(die.words for die in screen.duel.axis)):
                assert " ".join(part.split()).removesuffix(".") in said
            for unit in screen.units:
                assert " ".join(unit.tray.worth.split()).removesuffix(".") in said
                assert all(card.name in said for card in unit.cards)
            for ask in screen.asks:
                offered = {one.value for form in page.forms for one in form.buttons if one.name == "key"}
                assert {option.key for option in ask.options} <= offered


def laid(g: Any, game: str, setup: Setup) -> Match:
    """A match that stands here; it makes the rolls that are due."""
    machine = GAMES[game].machine
    events = machine.start(g)
    return Match.new(GAMES[game]._replace(new=lambda _: (machine.clone(g), list(events))), setup, seed="1" * 64)


def test_stakes_and_terrain_are_shown() -> None:
    setup: Setup = {"seats": 2}
    match = laid(
        battle_at(world_of("battle", setup), BattleAt(active=1, skirmish=2, pot=6, scores=(12, 9))), "battle", setup
    )
    g: Any = match.state
    screen = see(match, 0, 1)
    duel = screen.duel
    assert duel is not None
    assert duel.title == "Skirmish 2"
    assert len(duel.axis) == 3
    assert {fact.id: fact.value for fact in duel.facts} == {"worth": battle.worth(g), "stake": 6}
    assert duel.here == battle.FIELDS[g.field_]
    assert [unit.counters[0].value for unit in screen.units] == [12, 9]
    assert duel.seat == g.active


def test_the_sector_and_its_rule_are_shown() -> None:
    setup: Setup = {"beach": "juno"}
    at = ExpressAt(sector=4, squad=("general",))
    match = laid(express_at(world_of("express", setup), at), "express", setup)
    screen = see(match, 0)
    duel = screen.duel
    assert duel is not None
    assert (duel.title, duel.here, duel.rule) == ("4 Gantlet", "gantlet", "E-GANTLET-04")
    assert [sector.visited for sector in screen.sectors] == [True, True, True, False, False, False]
    assert [card.name for card in screen.units[0].cards] == ["General"]
    assert len(screen.pool) == 6


def test_what_is_kept_is_weighed() -> None:
    match = next(match for match in play("express", {}, 3) if match.decision(0))
    decision = match.decision(0)
    assert decision is not None and decision.name == "reroll"
    g: Any = match.state
    all_dice = ["R1", "R2", "W1", "W2", "B1", "B2"]
    none = seen.why(match, m.Why("x", 0, "tally", dice=all_dice))
    assert none.value == 0
    assert none.lines[0].text == f"Missing: {words.FACE_WORDS[FACES[g.axis[0]]]}."
    every = seen.why(match, m.Why("x", 0, "tally", dice=[]))
    assert every.value == 6
    for wrong in (m.Why("x", 0, "defence"), m.Why("x", 1, "tally"), m.Why("x", 0, "tally", dice=["R9"])):
        with pytest.raises(Invalid):
            seen.why(match, wrong)
