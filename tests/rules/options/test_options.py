"""Options that change what lies on the table at the start, and which options go with what."""

from __future__ import annotations

import pytest

from beachhead.content.library import library
from beachhead.content.schema import CardLists, Edges, Map, Row, Sector, Start
from beachhead.core.errors import SetupError
from beachhead.core.node import Answer, Ask, Over, Roll
from beachhead.landing.codec import read_position, write_position
from beachhead.landing.game import GAME, MACHINE, new, plain_setup, setup_of
from beachhead.landing.position import Position, UnitAt, position
from beachhead.landing.score import group_score, terms
from beachhead.landing.state import ARROW, CHEVRON1, CHEVRON2, CHEVRON3, SHIELD, TWO_ARROWS, Landing
from beachhead.landing.world import OPTIONS, Setup, World, build, world_of
from beachhead.rules import register

EDITIONS = ["first", "second"]


def table(edition: str, *options: str, seats: int = 2) -> Landing:
    return new(world_of(Setup(edition, seats=seats, options=options)))[0]


def of_kind(world: World, kind: str) -> set[str]:
    return {card.id for card in world.cards.values() if card.kind == kind}


# ---------------------------------------------------------------------- Well Equipped, Bazooka Joe


@pytest.mark.rule("F-OPT-WELLEQUIPPED-01")
def test_well_equipped_units_start_with_ten_item_points_more() -> None:
    for unit in table("first", "well-equipped").units:
        assert (unit.soldiers, unit.stars, unit.courage, unit.points) == (4, 0, 0, 10)


@pytest.mark.rule("F-OPT-BAZOOKAJOE-01", "S-OPT-BAZOOKAJOE-01")
@pytest.mark.parametrize("edition", EDITIONS)
def test_bazooka_joe_puts_every_special_item_into_the_pool(edition: str) -> None:
    g = table(edition, "bazooka-joe", seats=4)
    every = of_kind(g.world, "special-item")
    assert every > set(g.world.map.cards.items_special)
    assert every <= set(g.pool)
    assert not every & set(g.box)


@pytest.mark.rule("F-OPT-BAZOOKAJOE-01")
def test_as_a_further_step_all_specialists_are_available() -> None:
    g = table("first", "bazooka-joe", "bazooka-joe-specialists")
    assert of_kind(g.world, "unique-specialist") <= set(g.pool)
    assert all(set(unit.hand) == of_kind(g.world, "regular-specialist") for unit in g.units)
    listed = table("first", "bazooka-joe")
    assert len(listed.units[0].hand) == 7


# ---------------------------------------------------------------------- Wild Specialists, the Quartermaster's Whim


def drawn(g: Landing, stream: str) -> list[tuple[str, ...]]:
    """Play on to turn 1 with the last card of every deck, and the decks of this stream on the way."""
    decks = []
    while g.turn == 0:
        node = MACHINE.node(g)
        assert isinstance(node, Roll)
        if node.stream == stream:
            decks.append(node.deck)
        MACHINE.apply(g, (node.deck[-1],))
    return decks


@pytest.mark.rule("F-OPT-WILDSPEC-01")
def test_wild_specialists_are_seven_regular_ones_drawn_by_their_price() -> None:
    g = table("first", "wild-specialists", seats=3)
    decks = drawn(g, "wild:1")
    assert [len(deck) for deck in decks] == [6, 5, 4, 5, 4, 3, 2]
    cost = {card.id: card.cost for card in g.world.cards.values()}
    assert [{cost[card] for card in deck} for deck in decks] == [{2}] * 3 + [{3}] * 3 + [{4}]
    assert {card for deck in decks for card in deck} == of_kind(g.world, "regular-specialist")
    for unit in g.units:
        assert sorted(cost[card] for card in unit.hand) == [2, 2, 2, 3, 3, 3, 4]
        assert len(set(unit.hand)) == 7
    assert not set(g.units[0].hand) <= set(g.world.map.cards.specialists_regular)


@pytest.mark.rule("F-OPT-WILDSPEC-01")
def test_each_player_draws_from_a_deck_of_their_own() -> None:
    g = table("first", "wild-specialists", seats=4)
    drawn(g, "")
    assert len({unit.hand for unit in g.units}) == 1


@pytest.mark.rule("F-OPT-WILDSPEC-02")
@pytest.mark.parametrize("seats", [1, 2, 4])
def test_one_unique_specialist_per_player_lies_in_the_pool(seats: int) -> None:
    g = table("first", "wild-specialists", seats=seats)
    decks = drawn(g, "pool-unique-specialist")
    every = of_kind(g.world, "unique-specialist")
    assert len(every) == 11
    there = {card for card in every if g.world.cards[card].solo or seats > 1}
    assert [len(deck) for deck in decks] == [len(there) - n for n in range(seats)]
    assert len(every & set(g.pool)) == seats


@pytest.mark.rule("F-OPT-WILDSPEC-01")
def test_a_specialist_of_the_start_is_not_drawn_again() -> None:
    g = new(world_of(Setup("first", "n03-utah", options=("wild-specialists",))))[0]
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    MACHINE.apply(g, Answer(0, node.decision(0).seq, "start:2"))
    assert g.units[0].specialists == ("corporal",)
    first = drawn(g, "wild:0")[0]
    assert len(first) == 5
    assert "corporal" not in first


@pytest.mark.rule("F-OPT-WILDSPEC-01")
def test_nobody_joins_in_a_sector_who_was_not_drawn() -> None:
    world = world_of(Setup("first", options=("wild-specialists",)))
    for hand, joined in ((("scout", "medic"), ("scout",)), (("medic",), ())):
        g = position(world, Position((UnitAt(sector="1", courage=1, hand=hand),), phase="move"))
        MACHINE.start(g)
        MACHINE.apply(g, Answer(0, g.asked[0], "move:2"))
        assert g.units[0].specialists == joined


@pytest.mark.rule("F-OPT-WHIM-01")
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_two_special_items_per_player_are_drawn_and_all_regular_ones_are_there(seats: int) -> None:
    g = table("first", "quartermasters-whim", seats=seats)
    drawn(g, "")
    there = {card.id for card in g.world.cards.values() if card.solo or seats > 1}
    assert len(of_kind(g.world, "special-item") & set(g.pool)) == 2 * seats
    assert of_kind(g.world, "regular-item") & there <= set(g.pool)
    assert len(g.units[0].hand) == 7


@pytest.mark.rule("F-OPT-WHIM-01")
def test_what_lies_in_a_sector_is_not_drawn() -> None:
    g = new(world_of(Setup("first", "n08-merville", seats=2, options=("quartermasters-whim",))))[0]
    for seat in (0, 1):
        MACHINE.apply(g, Answer(seat, g.asked[seat], "start:1"))
    decks = drawn(g, "pool-special-item")
    assert not {"medal-case", "dexedrine"} & set(decks[0])
    assert set(g.lying) == {"medal-case", "dexedrine"}


# ---------------------------------------------------------------------- Blind Start


@pytest.mark.rule("F-OPT-BLINDSTART-01", "S-OPT-BLINDSTART-01")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_blind_start_is_one_soldier_and_four_unit_markers(edition: str) -> None:
    g = table(edition, "blind-start", seats=4)
    rolls = [
        (CHEVRON3, TWO_ARROWS, SHIELD, CHEVRON1),
        (SHIELD, SHIELD, SHIELD, SHIELD),
        (ARROW, ARROW, CHEVRON2, CHEVRON2),
        (CHEVRON3, CHEVRON3, CHEVRON3, CHEVRON3),
    ]
    for seat, markers in enumerate(rolls):
        node = MACHINE.node(g)
        assert isinstance(node, Roll)
        assert (node.stream, node.size, node.low) == (f"blind:{seat}", 4, 1)
        MACHINE.apply(g, markers)
    found = [(unit.soldiers, unit.stars, unit.courage, unit.points) for unit in g.units]
    assert found == [(5, 2, 0, 0), (1, 0, 0, 0), (5, 2, 0, 0), (13, 0, 0, 0)]
    assert g.turn == 1


@pytest.mark.rule("F-OPT-BLINDSTART-01", "F-OPT-WELLEQUIPPED-01")
def test_a_blind_start_ignores_what_the_chosen_sector_prints() -> None:
    sectors = {name: Sector((2,), start=Start(soldiers=9, stars=3)) for name in ("1", "2")}
    sectors["B"] = Sector((8,), bunker=True)
    edges = Edges((("1", "B"), ("2", "B")))
    board = Map(1, "two", "Two", "first", (Row(("1", "2")), Row(("B",))), sectors, edges, CardLists())
    g = new(build(Setup("first", "two", options=("blind-start", "well-equipped")), library(), board))[0]
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    MACHINE.apply(g, Answer(0, node.decision(0).seq, "start:2"))
    MACHINE.apply(g, (CHEVRON1, ARROW, SHIELD, SHIELD))
    unit = g.units[0]
    assert (unit.sector, unit.soldiers, unit.stars, unit.points) == ("2", 2, 1, 10)


# ---------------------------------------------------------------------- Victory Points


def ended(edition: str, *units: UnitAt) -> Landing:
    """The end of Combat of these Units, which trade nothing before it."""
    world = world_of(Setup(edition, seats=len(units), options=("victory-points",)))
    g = position(world, Position(units, phase="combat"))
    MACHINE.start(g)
    while True:
        node = MACHINE.node(g)
        if isinstance(node, Roll):
            MACHINE.apply(g, (1,) * node.size)
        elif isinstance(node, Ask) and node.decisions[0].name == "window":
            MACHINE.apply(g, Answer(node.decisions[0].seat, node.decisions[0].seq, "done"))
        else:
            return g


@pytest.mark.rule("F-OPT-VP-04", "S-OPT-VP-03")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_group_scores_as_its_weakest_unit(edition: str) -> None:
    path = ("1", "3", "10", "B")
    g = ended(edition, UnitAt(sector="B", visited=path, soldiers=20), UnitAt(sector="B", visited=path, soldiers=14))
    over = MACHINE.node(g)
    assert isinstance(over, Over)
    sectors = 100 if edition == "first" else 110
    assert over.scores == (40 + sectors + 7, 40 + sectors + 1)
    assert group_score(over.scores) == 40 + sectors + 1


@pytest.mark.rule("F-OPT-VP-02", "S-OPT-VP-01")
@pytest.mark.parametrize("edition", EDITIONS)
def test_an_award_counts_though_it_was_used(edition: str) -> None:
    g = ended(edition, UnitAt(sector="B", soldiers=20, visited=("1", "3", "10", "B"), cards=("silver-star",)))
    g.units[0].awards = ()
    assert terms(g, 0, True)["awards"] == 10


@pytest.mark.rule("F-OPT-VP-02", "S-OPT-VP-01")
@pytest.mark.parametrize("edition", EDITIONS)
def test_only_those_of_the_first_turn_in_the_bunker_are_first(edition: str) -> None:
    g = ended(edition, UnitAt(sector="B", soldiers=20), UnitAt(sector="9", soldiers=40))
    assert g.first == (0,)
    assert (terms(g, 0, True)["first"], terms(g, 1, True)["first"]) == (20, 0)


# ---------------------------------------------------------------------- what goes with what


def test_every_option_names_its_rules() -> None:
    for name, option in OPTIONS.items():
        ids = [id for id in (option.first, option.second) if id]
        assert ids, name
        assert all(id in register() for id in ids), name


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        ({"options": ["muligan"]}, "unknown option 'muligan'.*did you mean 'mulligan'"),
        ({"options": "mulligan"}, "expected a list of names"),
        ({"options": ["mulligan", "mulligan"]}, "given twice"),
        ({"edition": "second", "options": ["well-equipped"]}, "first edition only .F-OPT-WELLEQUIPPED-01"),
        ({"options": ["few-good-men"]}, "second edition only .S-OPT-AFEWGOODMEN-01"),
        ({"options": ["bazooka-joe-specialists"]}, "further step of 'bazooka-joe'"),
        ({"level": "practice-run", "options": ["bazooka-joe"]}, "about Items"),
        ({"level": "basic-training", "options": ["well-equipped"]}, "about Items"),
        ({"edition": "second", "options": ["wild-specialists"]}, "first edition only .F-OPT-WILDSPEC-01"),
        ({"edition": "second", "options": ["quartermasters-whim"]}, "first edition only .F-OPT-WHIM-01"),
        ({"options": ["bazooka-joe", "quartermasters-whim"]}, "'quartermasters-whim' does not go with 'bazooka-joe'"),
        (
            {"options": ["bazooka-joe", "bazooka-joe-specialists", "wild-specialists"]},
            "'wild-specialists' does not go with 'bazooka-joe-specialists'",
        ),
        ({"level": "practice-run", "options": ["wild-specialists"]}, "about Specialists"),
        ({"level": "basic-training", "options": ["quartermasters-whim"]}, "about Items"),
        ({"level": "practice-run", "options": ["mgf-dice"]}, "no.* in this game .N-MGF-01"),
        (
            {"map": "n07-pointe-du-hoc", "options": ["mgf-dice", "mgf-dice-mines"]},
            "about Land Mines, and there are none in this game .N-MGF-12",
        ),
        ({"level": "basic-training", "options": ["well-equipped"]}, "F-OPT-WELLEQUIPPED-01"),
        ({"level": 3}, "expected text"),
        ({"level": "practise-run"}, "did you mean 'practice-run'"),
        ({"edition": "second", "level": "practice-run"}, "unknown level 'practice-run'.*advanced-training"),
    ],
)
def test_what_does_not_go_together_is_refused_with_the_reason(setup: dict[str, object], message: str) -> None:
    with pytest.raises(SetupError, match=message):
        GAME.new(setup)  # type: ignore[arg-type]


def test_a_map_without_levels_has_none() -> None:
    sectors = {"1": Sector((2,), start=Start(soldiers=4)), "B": Sector((8,), bunker=True)}
    board = Map(1, "b", "B", "first", (Row(("1",)), Row(("B",))), sectors, Edges((("1", "B"),)), CardLists())
    with pytest.raises(SetupError, match="has no levels"):
        build(Setup("first", "b", level="practice-run"), library(), board)


def test_options_and_level_survive_headers_and_position_lines() -> None:
    setup = Setup("first", seats=2, options=("mulligan", "victory-points"), level="basic-training")
    assert setup_of(plain_setup(setup)) == setup
    g = new(world_of(setup))[0]
    g.mulligans = (1,)
    again = read_position(write_position(g))
    assert again == g
    assert again.world.setup == setup
