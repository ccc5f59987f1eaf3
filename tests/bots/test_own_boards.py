"""What bots make of boards that others draw: Sectors where a Unit may stay for ever, and bonuses beyond all measure."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from beachhead.bots import bot
from beachhead.bots.look import LONG_ENOUGH, Look
from beachhead.bots.tally import COURAGE, MOST, NONE, SKULL, SOLDIER2, Tastes, steps, value
from beachhead.content.library import PACKS_VARIABLE, library
from beachhead.core.node import Ask
from beachhead.games import GAMES
from beachhead.landing.game import MACHINE
from beachhead.landing.position import Position, UnitAt, position
from beachhead.landing.state import Landing
from beachhead.landing.world import Setup, world_of
from beachhead.sim.runner import game_seed, play

BOTS = ("thumb", "exact", "planner")
BOARD = """
format = 1
id = "{id}"
name = "{id}"
edition = "second"
rows = [{{ sectors = ["1"] }}, {{ sectors = ["2"], courage = 1 }}, {{ sectors = ["B"], courage = {courage} }}]

[sectors]
1 = {{ def = [2], start = {{ soldiers = 6 }} }}
2 = {{ {quiet} }}
B = {{ def = [{bunker}], bunker = true{more} }}

[edges]
forward = [["1", "2"], ["2", "B"]]

[cards]
specialists_regular = ["corporal", "medic"]
"""
QUIET = 'def = [0], stay = "unlimited"'
FOUGHT_OUT = 'def = [3], stay = "unlimited", fights = "once"'
BONUS = "def = [2], bonus = { courage = 99, soldier2 = 99, skull = 99 }"
BOARDS: dict[str, dict[str, object]] = {
    "test-quiet": {"quiet": QUIET, "courage": 2, "bunker": 5},
    "test-dear": {"quiet": QUIET, "courage": 9, "bunker": 5},
    "test-fought-out": {"quiet": FOUGHT_OUT, "courage": 9, "bunker": 5},
    "test-strong": {"quiet": QUIET, "courage": 2, "bunker": 60},
    "test-cry": {"quiet": QUIET, "courage": 2, "bunker": 5, "more": ', entry = "battle-cry"'},
    "test-bonus": {"quiet": BONUS, "courage": 2, "bunker": 5},
    "test-coloured": {"quiet": f'{BONUS}, bonus_colour = "choice"', "courage": 2, "bunker": 5},
}


@pytest.fixture(scope="module", autouse=True)
def boards(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The boards of this file are in a pack of their own."""
    folder: Path = tmp_path_factory.mktemp("pack") / "maps"
    folder.mkdir()
    for id, drawn in BOARDS.items():
        (folder / f"{id}.toml").write_text(BOARD.format(**{"id": id, "more": "", **drawn}), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(PACKS_VARIABLE, str(folder.parent))
        library.cache_clear()
        yield
    library.cache_clear()


def waiting(board: str, turn: int, soldiers: int = 40, courage: int = 9, cards: tuple[str, ...] = ()) -> Landing:
    """At its move, where it may stay for ever."""
    unit = UnitAt(sector="2", marker="1 chevron", visited=("1", "2"), soldiers=soldiers, courage=courage, cards=cards)
    g = position(world_of(Setup("second", board, 1)), Position((unit,), turn=turn, phase="move"))
    MACHINE.start(g)
    return g


def answer(code: str, g: Landing) -> str:
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    return bot(code).answer(node.decision(0), lambda: MACHINE.view(g, 0), Random(1))


# ---------------------------------------------------------------------- where a Unit may stay for ever


@pytest.mark.parametrize("seats", [1, 2])
@pytest.mark.parametrize("board", ["test-quiet", "test-dear", "test-fought-out", "test-strong", "test-cry"])
@pytest.mark.parametrize("code", BOTS)
def test_a_game_ends_though_a_unit_may_wait_for_ever(code: str, board: str, seats: int) -> None:
    setup = {"edition": "second", "map": board, "seats": seats}
    played = play(GAMES["landing"], setup, [bot(code)] * seats, game_seed(0, 1))
    assert played.over.won
    assert played.turns < 2 * LONG_ENOUGH


@pytest.mark.parametrize("code", BOTS)
def test_a_unit_that_has_waited_long_enough_goes_on(code: str) -> None:
    assert answer(code, waiting("test-quiet", LONG_ENOUGH + 1)) == "move:B"


@pytest.mark.parametrize("code", BOTS)
def test_but_not_to_its_certain_death(code: str) -> None:
    assert answer(code, waiting("test-strong", LONG_ENOUGH + 1)) == "stay"
    assert answer(code, waiting("test-strong", LONG_ENOUGH + 1, soldiers=70)) == "move:B"


@pytest.mark.parametrize("code", BOTS)
def test_and_leaves_behind_a_vehicle_that_cannot_follow(code: str) -> None:
    assert answer(code, waiting("test-quiet", LONG_ENOUGH + 1, cards=("tank",))) == "abandon:tank"
    assert answer(code, waiting("test-quiet", LONG_ENOUGH + 1, courage=1, cards=("tank",))) == "stay"


def test_courage_that_is_missing_is_what_a_unit_wants_that_has_waited_long_enough() -> None:
    before, after = (Look(MACHINE.view(waiting("test-dear", turn, courage=6), 0), 0) for turn in (9, LONG_ENOUGH + 1))
    assert after.tastes.scale[COURAGE][3] > before.tastes.scale[COURAGE][3]
    assert (before.stays_of(before.me), after.stays_of(after.me)) == (2, 0)


# ---------------------------------------------------------------------- results beyond all measure


def test_more_results_than_are_told_apart_are_worth_as_much_as_the_most_that_are() -> None:
    tastes = Tastes((steps(0.0), *(steps(0.0, 0, 2.0) for _ in range(5))), (0.0,) * 6, 0.0)
    dice = [(SOLDIER2, 0), (SOLDIER2, 0), (SOLDIER2, 1), (SOLDIER2, 1), (COURAGE, 2), (COURAGE, 2)]
    beside = [(SOLDIER2, NONE)] * 99
    assert value(tastes, dice, beside) == 2.0 * MOST + 4.0
    assert value(tastes, dice, [*beside, *[(SKULL, NONE)] * 99]) == 2.0 * MOST


@pytest.mark.parametrize("board", ["test-bonus", "test-coloured"])
@pytest.mark.parametrize("code", BOTS)
def test_a_bonus_beyond_all_measure_is_played_without_a_fault(code: str, board: str) -> None:
    setup = {"edition": "second", "map": board, "seats": 1}
    faults: list[str] = []
    play(GAMES["landing"], setup, [bot(code)], game_seed(0, 1), faults.append)
    assert faults == []
