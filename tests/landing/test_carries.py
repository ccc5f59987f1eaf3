"""What the landing must be able to carry for the expansions: tiny throw-away modules and boards show that it can."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from beachhead.bots import random_answer
from beachhead.content.library import library
from beachhead.content.schema import CardLists, Edges, Map, Row, Sector, Start
from beachhead.core.chance import sample, seed_from
from beachhead.core.errors import SetupError
from beachhead.core.machine import MAIN, Frame, Throw
from beachhead.core.node import Answer, Ask, Event, Outcome, Over, Roll
from beachhead.core.plain import to_json
from beachhead.landing.effects import lasting
from beachhead.landing.game import MACHINE, PHASES, THROWS, load_landing, new
from beachhead.landing.state import Landing
from beachhead.landing.world import MODULES, Module, Setup, World, build, world_of


def play(world: World, seed: int, most: int = 4000) -> tuple[Landing, list[Event]]:
    """A random game to its end."""
    g, told = new(world)
    rng, dice = Random(seed), seed_from(str(seed))
    for _ in range(most):
        node = MACHINE.node(g)
        if isinstance(node, Over):
            return g, told
        if isinstance(node, Roll):
            told += MACHINE.apply(g, sample(dice, node))
        else:
            assert isinstance(node, Ask)
            decision = node.decision(node.seats[0])
            told += MACHINE.apply(g, Answer(decision.seat, decision.seq, random_answer(decision, dict, rng)))
    raise AssertionError("the game did not end")


# ---------------------------------------------------------------------- an extra phase, with weather that stays


def _weather(g: Landing) -> None:
    if g.turn == 1:
        g.push(MAIN, ("weather-draw",))


def _request(g: Landing, lane: int, frame: Frame) -> Roll:
    return Roll("weather", g.drawn.get("weather", 0), (1,), "S-TURN-01", deck=("fog", "clear"))


def _outcome(g: Landing, lane: int, frame: Frame, outcome: Outcome) -> None:
    if outcome == ("fog",):
        lasting(g, 0, "mgf_dice", "set", 0, "each", "", "game", "", "S-TURN-01")


@pytest.fixture
def weather() -> Iterator[None]:
    MODULES["weather"] = Module("weather", ("second",), lambda phases: ("weather", *phases), excludes=("drought",))
    MODULES["drought"] = Module("drought", ("first", "second"), lambda phases: phases)
    PHASES["weather"] = _weather
    THROWS["weather-draw"] = Throw(_request, _outcome)
    yield
    del MODULES["weather"], MODULES["drought"], PHASES["weather"], THROWS["weather-draw"]
    world_of.cache_clear()


@pytest.mark.usefixtures("weather")
def test_a_module_puts_a_phase_with_a_hidden_draw_before_phase_1() -> None:
    g, _ = new(world_of(Setup("second", seats=4, modules=("weather",))))
    assert g.phase == "weather"
    assert MACHINE.node(g) == _request(g, MAIN, ())
    told = MACHINE.apply(g, ("fog",))
    assert [event.type for event in told][:2] == ["effect", "phase"]
    assert g.phase == "roll"
    assert load_landing(g.world, MACHINE.dump(g)) == g


@pytest.mark.usefixtures("weather")
def test_weather_stays_for_the_game_and_changes_what_the_rules_ask() -> None:
    world = world_of(Setup("second", seats=1, modules=("weather",)))
    fog = clear = 0
    for seed in range(150):
        _, told = play(world, seed)
        fire = [event for event in told if event.type == "pips" and event.data["for"].startswith("mgf")]
        if any(event.type == "effect" and event.data["scope"] == "each" for event in told):
            fog += 1
            assert not fire
        else:
            clear += bool(fire)
    assert fog > 20
    assert clear > 5


@pytest.mark.usefixtures("weather")
def test_modules_that_do_not_go_together_are_refused_with_the_reason() -> None:
    with pytest.raises(SetupError, match="second edition only"):
        world_of(Setup("first", modules=("weather",)))
    with pytest.raises(SetupError, match="cannot be combined with drought"):
        world_of(Setup("second", modules=("weather", "drought")))
    with pytest.raises(SetupError, match=r"unknown module 'wether'.*did you mean 'weather'"):
        world_of(Setup("second", modules=("wether",)))


# ---------------------------------------------------------------------- a second board in front of the first


def sea_before(beach: Map) -> Map:
    """A small sea board laid in front of a beach: its last row touches the beach's first."""
    sea = {
        "sea1": Sector(defence=(0,), start=Start(soldiers=6, courage=3)),
        "sea2": Sector(defence=(1,), mgf=1),
        "sea3": Sector(defence=(1,)),
    }
    landfall = {id: replace(sector, start=None) for id, sector in beach.sectors.items()}
    first_row = beach.rows[0].sectors
    return replace(
        beach,
        id="sea-and-beach",
        rows=(Row(("sea1",)), Row(("sea2", "sea3"), courage=1), replace(beach.rows[0], courage=1), *beach.rows[1:]),
        sectors=sea | landfall,
        edges=Edges(
            forward=(
                ("sea1", "sea2"),
                ("sea1", "sea3"),
                *((start, end) for start in ("sea2", "sea3") for end in first_row),
                *beach.edges.forward,
            ),
            lateral=(("sea2", "sea3"), *beach.edges.lateral),
            landmines=beach.edges.landmines,
        ),
        cards=CardLists(),
    )


@pytest.mark.parametrize("edition", ["first", "second"])
def test_units_cross_a_second_board_and_land_on_the_first(edition: str) -> None:
    board = sea_before(library().maps[edition]["n01-exercise-tiger"])
    world = build(Setup(edition, seats=2), library(), board)
    landed = set()
    for seed in range(60):
        g, told = play(world, seed)
        assert g.units[0].visited[0] == "sea1"
        landed |= {event.data["to"] for event in told if event.type == "sector"}
        assert to_json(MACHINE.dump(load_landing(world, MACHINE.dump(g)))) == to_json(MACHINE.dump(g))
    assert {"sea2", "sea3", "1"} <= landed


def test_two_starting_sectors_let_every_unit_choose_its_own() -> None:
    tiger = library().maps["first"]["n01-exercise-tiger"]
    sectors = {**tiger.sectors, "2": replace(tiger.sectors["2"], start=Start(soldiers=1, stars=2))}
    g, _ = new(build(Setup("first", seats=2), library(), replace(tiger, sectors=sectors)))
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    assert [decision.keys for decision in node.decisions] == [("start:1", "start:2")] * 2
    MACHINE.apply(g, Answer(1, 1, "start:2"))
    MACHINE.apply(g, Answer(0, 1, "start:1"))
    assert [(unit.sector, unit.soldiers, unit.stars) for unit in g.units] == [("1", 4, 0), ("2", 1, 2)]
