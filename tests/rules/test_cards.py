"""Every card has a scenario of its own in each of its editions, and that scenario needs what the card does.

The scenario of a card is `cards/EDITION/CARD.toml`, and for one that works otherwise in solitaire also
`CARD-alone.toml`. They must fail when the card keeps its cost and kind but loses all its abilities, or any single one.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from beachhead.content.library import library
from beachhead.content.schema import Ability
from beachhead.landing.world import build
from beachhead.scenarios.runner import Scenario, read_scenario, run

HERE = Path(__file__).parent / "cards"
CARDS = [(edition, card) for edition, cards in library().cards.items() for card in cards]


def scenarios(edition: str, name: str) -> list[Path]:
    alone = any(ability.mode == "solo" for ability in library().cards[edition][name].abilities)
    return [HERE / edition / f"{file}.toml" for file in ([name, f"{name}-alone"] if alone else [name])]


def holds_with(scenario: Scenario, edition: str, name: str, left: tuple[Ability, ...]) -> bool:
    """Does the scenario hold when the card has only these abilities?"""
    world, given = scenario.worlds[edition], scenario.said.given
    poorer = replace(library().cards[edition][name], abilities=left)
    extra = {card.id: card for card in given.card} | {name: poorer}
    changed = build(world.setup, library(), world.map if given.board else None, extra)
    return not run(replace(scenario, worlds={edition: changed}))


def test_a_scenario_in_the_folder_of_cards_belongs_to_a_card() -> None:
    assert set(HERE.rglob("*.toml")) == {path for edition, name in CARDS for path in scenarios(edition, name)}


@pytest.mark.parametrize(("edition", "name"), CARDS)
def test_the_scenario_of_a_card_needs_each_of_its_abilities(edition: str, name: str) -> None:
    abilities = library().cards[edition][name].abilities
    unused = set(range(len(abilities)))
    for path in scenarios(edition, name):
        scenario = read_scenario(path)
        assert list(scenario.worlds) == [edition]
        assert holds_with(scenario, edition, name, abilities)
        assert not holds_with(scenario, edition, name, ()), f"{name} does nothing in {path.name}"
        unused -= {n for n in unused if not holds_with(scenario, edition, name, abilities[:n] + abilities[n + 1 :])}
    assert not unused, f"the scenario of {name} holds without its abilities {sorted(unused)}"
