"""Measuring cards: pairs of games that differ in one card, and what is told of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter

import pytest

from beachhead.core.errors import SetupError
from beachhead.core.processes import processes
from beachhead.landing.game import new
from beachhead.landing.state import Landing
from beachhead.landing.world import Setup, world_of
from beachhead.sim.figures import difference
from beachhead.sim.runner import game_seed
from beachhead.sim.worth import KINDS, cards_of, give, measure, remove, rows, run

SOLO = {"edition": "first", "map": "n01-exercise-tiger", "seats": 1}


def all_cards(g: Landing) -> Counter[str]:
    """Every card on the table that there is once."""
    found = Counter((*g.pool, *g.box, *g.deck, *g.used))
    for unit in g.units:
        found.update((*unit.items, *unit.awards, *unit.specialists, *unit.hand))
    return found


@pytest.mark.parametrize("edition", ["first", "second"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_card_that_is_given_is_nowhere_else(edition: str, kind: str) -> None:
    world = world_of(Setup(edition, seats=1))
    assert cards_of(world, kind)
    for card in cards_of(world, kind):
        g, _ = new(world)
        give(g, 0, card)
        unit = g.units[0]
        assert card in (*unit.specialists, *unit.items, *unit.awards)
        assert all_cards(g)[card] == 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_card_that_is_missing_is_nowhere(kind: str) -> None:
    for card in cards_of(world_of(Setup("second", seats=2)), kind):
        g, _ = new(world_of(Setup("second", seats=2)))
        assert all_cards(g)[card] > 0
        remove(g, 0, card)
        assert all_cards(g)[card] == 0


def test_nobody_takes_what_is_missing() -> None:
    seed = game_seed(0, 1)
    assert "corporal" in run(SOLO, "", seed).taken
    assert "corporal" not in run(SOLO, "corporal", seed, missing=True).taken


def test_a_card_without_any_effect_on_this_map_changes_nothing() -> None:
    # Exercise Tiger has no Barriers
    for number in (1, 2):
        seed = game_seed(0, number)
        plain, given = run(SOLO, "", seed), run(SOLO, "wirecutters", seed)
        assert (given.won, given.left, given.turns) == (plain.won, plain.left, plain.turns)
        assert "wirecutters" in given.taken
        assert "wirecutters" not in plain.taken


def test_the_difference_of_pairs() -> None:
    found = difference([3, 6, 6], [1, 2, 3])
    # 2, 4, 3: mean 3, deviation 1
    assert found.value == 3
    assert found.low == pytest.approx(3 - 1.96 / 3**0.5, abs=1e-3)
    assert found.high == pytest.approx(3 + 1.96 / 3**0.5, abs=1e-3)


def test_what_is_measured() -> None:
    cards, nations = rows({**SOLO, "edition": "second"}, "all")
    assert {"medic", "tank", "silver-star", "bazooka"} <= set(cards)
    assert "victoria-cross" not in cards, "it is not in solitaire"
    assert nations == ["uk", "usa", "canada", "france"]
    assert rows(SOLO, "vehicles")[1] == []


def test_the_number_of_processes_changes_nothing() -> None:
    ticks: list[int] = []
    one = measure(SOLO, "vehicles", 2, seed=4, tick=ticks.append)
    with processes(2) as pool:
        assert one == measure(SOLO, "vehicles", 2, seed=4, pool=pool)
    assert sum(ticks) == 2 * (1 + 6)
    jeep = next(card for card in one.cards if card.card == "jeep")
    tank = next(card for card in one.cards if card.card == "tank")
    assert jeep.used is not None, "somebody has to use the Jeep"
    assert tank.used is None


@pytest.mark.parametrize(("kind", "games", "words"), [("tanks", 5, "unknown kind"), ("items", 1, "expected 2 or more")])
def test_a_mistake_is_told(kind: str, games: int, words: str) -> None:
    with pytest.raises(SetupError, match=words):
        measure(SOLO, kind, games)


def beachhead(*args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "beachhead", *args]
    return subprocess.run(command, env={**os.environ, "NO_COLOR": "1"}, capture_output=True, text=True, check=False)


def test_the_command_prints_tables_or_json() -> None:
    done = beachhead("worth", "--kind", "nations", "--games", "2", "--workers", "1", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [nation["nation"] for nation in found["nations"]] == ["allies"]
    assert all(nation["income"]["soldiers"][0] > 0 for nation in found["nations"])
    done = beachhead("worth", "--kind", "vehicles", "--games", "2", "--workers", "1")
    assert done.returncode == 0, done.stderr
    for words in ("as it is", "ambulance", "offered"):
        assert words in done.stdout


def test_the_command_tells_a_mistake_in_one_line() -> None:
    done = beachhead("worth", "--kind", "tanks")
    assert done.returncode == 2
    assert "unknown kind 'tanks'" in done.stderr
    assert "Traceback" not in done.stderr
