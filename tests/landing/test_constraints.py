"""What the sources say about the cards, Awards, countries and decks of the base game, kept as tests.

The texts of most second-edition cards, of all Awards and of the player aids are not in the rulebooks. What stands in
their place may be changed, but never against one of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from beachhead import rules
from beachhead.content import schema
from beachhead.content.library import PACKS, Library, load_packs
from beachhead.content.schema import Card, Choose, Op
from beachhead.landing.dice import FACES, item_points
from beachhead.landing.game import new
from beachhead.landing.setup import BLIND
from beachhead.landing.state import MARKERS
from beachhead.landing.world import Setup, world_of

EDITIONS = ["first", "second"]

REGULAR_ITEMS_OF_THE_FIRST = {
    "bangalore-torpedo",
    "binoculars",
    "carrier-pigeon",
    "field-radio",
    "flame-thrower",
    "grenade",
    "mine-detector",
    "shoulder-patch",
    "walkie-talkie",
    "whistle",
}
COMBAT_WINDOWS = {"combat.start", "combat.open", "die", "losses"}


@cache
def base() -> Library:
    return load_packs((PACKS / "base",))


def cards(edition: str, *kinds: str) -> dict[str, Card]:
    found = base().cards[edition]
    return {id: card for id, card in found.items() if not kinds or card.kind in kinds}


def card(name: str, edition: str = "second") -> Card:
    return base().cards[edition][name]


PRINTED = [rule for rule in rules.register().values() if rule.card and rule.book in ("base-first", "base-second")]
"""The cards of which the books print something."""


@pytest.mark.parametrize("rule", PRINTED, ids=[rule.id for rule in PRINTED])
def test_cards_are_of_the_kind_and_cost_that_is_printed(rule: rules.Rule) -> None:
    printed = rule.card
    assert isinstance(printed, dict)
    edition = rule.book.removeprefix("base-")
    found = card(str(printed["name"]).lower().replace(" ", "-"), edition)
    assert found.kind.endswith(str(printed["kind"]).replace("_", "-"))
    if "cost" in printed:
        assert found.cost == printed["cost"]
    if "explosive_icons" in printed:
        assert found.explosive == printed["explosive_icons"]


def flat(ops: tuple[Op, ...]) -> Iterator[Op]:
    """These ops and those of their branches."""
    for op in ops:
        yield op
        if isinstance(op, Choose):
            for branch in op.of:
                yield from flat(branch.ops)


def ops(one: Card) -> list[Op]:
    return [op for ability in one.abilities for op in flat(ability.ops)]


def windows(one: Card) -> set[str]:
    named = {window for ability in one.abilities for window in ability.windows}
    return {name for window in named for name in schema.ALIASES.get(window, (window,))}


def modifies(one: Card, question: str) -> list[schema.Modify]:
    return [op for op in ops(one) if isinstance(op, schema.Modify) and op.question == question]


# ---------------------------------------------------------------------- what is not in the base game


@pytest.mark.parametrize(
    "name",
    [
        *("general", "quartermaster", "drill-sergeant", "war-correspondent", "paratrooper", "pathfinder"),
        *("piat-gunner", "sniper", "soe-agent", "rookie-officer", "messenger"),
    ],
)
def test_specialists_of_the_expansions_are_not_in_the_second_editions_base_game(name: str) -> None:
    assert name not in cards("second")


@pytest.mark.parametrize(
    "name", ["ammo-box", "supply-bag", "new-orders", "false-orders", "sniper-scope", "thermite-grenade", "tnt"]
)
def test_items_of_the_expansions_and_the_ammo_box_are_not_in_the_second_editions_base_game(name: str) -> None:
    assert name not in cards("second")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("name", ["mine-clearing-tank", "tractor", "tank-destroyer", "scout-car", "amphibious-tank"])
def test_vehicles_of_the_expansions_are_not_in_the_base_game(edition: str, name: str) -> None:
    assert name not in cards(edition)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    "name",
    [
        *("france-and-germany-star", "cross-of-grunwald", "medaille-de-la-resistance", "army-medal-for-war"),
        *("victory-medal", "war-campaign-star", "war-service-medal", "croix-militaire", "voluntary-service-medal"),
        *("bronze-cross", "cross-of-valour", "order-of-the-red-cross"),
    ],
)
def test_awards_of_the_expansions_are_not_in_the_base_game(edition: str, name: str) -> None:
    assert name not in cards(edition)


def test_nations_of_the_expansions_are_not_in_the_base_game() -> None:
    assert set(base().nations["second"]) == {"uk", "usa", "canada", "france"}


# ---------------------------------------------------------------------- second-edition Specialists


@pytest.mark.rule("S-COMP-01", "S-SPEC-08", "S-SPEC-09")
def test_regular_and_reserve_specialists_are_eleven_of_the_first_editions_thirteen_regular_ones() -> None:
    eleven = set(cards("first", "regular-specialist")) - {"paratrooper", "pathfinder"}
    assert len(eleven) == 11
    assert set(cards("second", "regular-specialist", "reserve-specialist")) == eleven
    assert len(cards("second", "regular-specialist")) == 6
    assert len(cards("second", "reserve-specialist")) == 5


def test_the_scout_is_a_regular_specialist() -> None:
    assert card("scout").kind == "regular-specialist"


@pytest.mark.rule("S-COMP-02", "S-SPEC-10", "S-SPEC-11")
def test_ranking_and_unique_specialists_are_ten_with_those_who_are_named() -> None:
    ten = cards("second", "ranking-specialist", "unique-specialist")
    assert len(cards("second", "ranking-specialist")) == 6
    assert len(cards("second", "unique-specialist")) == 4
    assert set(ten) >= {"captain", "lieutenant", "engineer", "colonel", "grenadier", "marksman", "combat-photographer"}


def test_the_colonel_takes_one_from_the_dice_to_lock_for_everybody() -> None:
    (change,) = modifies(card("colonel"), "dice_to_lock")
    assert (change.by, change.scope) == (-1, "each")


@pytest.mark.rule("S-CARD-VETERAN")
def test_the_veteran_costs_3_stars_and_brings_1_soldier_for_an_rwb() -> None:
    assert card("veteran").cost == 3
    (ability,) = card("veteran").abilities
    assert (ability.on, ability.ops) == ("rwb", (schema.Gain(soldiers=1),))


@pytest.mark.rule("S-CARD-CHAPLAIN")
def test_the_chaplain_brings_1_courage_for_an_rwb() -> None:
    (ability,) = card("chaplain").abilities
    assert (ability.on, ability.ops) == ("rwb", (schema.Gain(courage=1),))


@pytest.mark.rule("S-LT-01", "S-LT-05")
def test_the_lieutenant_trades_no_skulls_and_has_a_version_for_one_player() -> None:
    together = [ability for ability in card("lieutenant").abilities if ability.mode == "group"]
    alone = [ability for ability in card("lieutenant").abilities if ability.mode == "solo"]
    assert [op for ability in together for op in ability.ops] == [schema.SwapDice(skulls=False)]
    assert {type(op) for ability in alone for op in ability.ops} == {schema.RollPool, schema.SwapWithPool}
    assert len(together) + len(alone) == len(card("lieutenant").abilities)


def test_the_engineer_lowers_the_def() -> None:
    assert [change.by for change in modifies(card("engineer"), "defence")] == [-5]


def test_the_grenadier_ends_the_machine_gun_fire_of_a_sector_for_good() -> None:
    (change,) = modifies(card("grenadier"), "mgf_dice")
    assert (change.set, change.scope, change.until) == (0, "own-sector", "game")


# ---------------------------------------------------------------------- second-edition Items and Vehicles


def test_cards_that_change_the_result_or_the_colour_of_a_die_are_the_six_that_are_printed() -> None:
    changing = (schema.SetResult, schema.SetColour, schema.CopyTally, schema.SwapDice, schema.SwapWithPool)
    found = {id for id, one in cards("second").items() if any(isinstance(op, changing) for op in ops(one))}
    assert found == {"binoculars", "strategic-map", "rangefinder", "dispatch-case", "lieutenant", "captain"}


def test_the_bazooka_lowers_the_def_by_7() -> None:
    for edition in EDITIONS:
        assert [change.by for change in modifies(card("bazooka", edition), "defence")] == [-7]


def test_amphetamines_are_a_special_item_of_12_that_gives_an_rwb() -> None:
    one = card("amphetamines")
    assert (one.kind, one.cost) == ("special-item", 12)
    assert ops(one) == [schema.GrantRwb(face="courage")]


def test_the_lucky_charm_is_a_special_item_of_3() -> None:
    assert (card("lucky-charm").kind, card("lucky-charm").cost) == ("special-item", 3)


def test_the_command_jacket_gives_an_rwb() -> None:
    assert [type(op) for op in ops(card("command-jacket"))] == [schema.GrantRwb]


@pytest.mark.rule("S-CARD-TOOLKIT", "S-ITEM-04")
def test_the_toolkit_is_a_special_item_that_adds_tools() -> None:
    assert card("toolkit").kind == "special-item"
    assert ops(card("toolkit")) == [schema.AddResult(face="tool", count=2)]


@pytest.mark.parametrize("name", ["carrier-pigeon", "dispatch-case", "mortar"])
def test_pigeon_case_and_mortar_are_items_that_are_not_in_solitaire(name: str) -> None:
    for edition in EDITIONS:
        assert card(name, edition).is_item
        assert not card(name, edition).solo


def test_flame_thrower_mine_detector_and_binoculars_are_items() -> None:
    assert all(card(name).is_item for name in ("flame-thrower", "mine-detector", "binoculars"))


def test_the_sixteen_regular_items_are_the_ten_of_the_first_edition_and_six_more() -> None:
    assert set(cards("first", "regular-item")) == REGULAR_ITEMS_OF_THE_FIRST
    sixteen = set(cards("second", "regular-item"))
    assert sixteen > REGULAR_ITEMS_OF_THE_FIRST
    assert len(sixteen) == 16


@pytest.mark.rule("S-SETUP-05", "S-SETUP-06", "S-SETUP-07", "S-SETUP-08")
def test_the_multiplayer_symbol_is_on_the_six_regular_items_beyond_the_ten() -> None:
    with_symbol = {id for id, one in cards("second").items() if one.symbol == "multiplayer"}
    assert with_symbol == set(cards("second", "regular-item")) - REGULAR_ITEMS_OF_THE_FIRST
    assert not any(one.symbol for one in cards("first").values())


@pytest.mark.rule("S-ITEM-03", "S-AWARD-04")
def test_of_items_and_awards_only_the_binoculars_are_used_in_combat() -> None:
    held = cards("second", "regular-item", "special-item", "award")
    assert {id for id, one in held.items() if windows(one) & COMBAT_WINDOWS} == {"binoculars"}


@pytest.mark.rule("F-COMP-02", "S-COMP-02")
def test_both_editions_have_the_same_six_vehicles() -> None:
    assert len(cards("first", "vehicle")) == 6
    assert set(cards("first", "vehicle")) == set(cards("second", "vehicle"))


def test_the_tank_lowers_the_def_of_its_sector() -> None:
    for edition in EDITIONS:
        (change,) = modifies(card("tank", edition), "defence")
        assert change.scope == "own-sector"
        assert (change.by or 0) < 0


def test_special_items_of_the_second_edition_are_twelve() -> None:
    assert len(cards("second", "special-item")) == 12


@pytest.mark.parametrize("name", sorted(set(cards("first")) & set(cards("second"))))
def test_what_both_editions_have_costs_the_same_in_both(name: str) -> None:
    assert card(name, "first").cost == card(name, "second").cost


# ---------------------------------------------------------------------- explosives


@pytest.mark.rule("S-EXPL-01")
def test_printed_explosive_icons_are_one_on_grenade_and_engineer_and_two_on_the_bangalore_torpedo() -> None:
    assert card("grenade").explosive == 1
    assert card("engineer").explosive == 1
    assert card("bangalore-torpedo").explosive == 2


@pytest.mark.rule("S-EXPL-01")
def test_explosive_icons_are_on_specialists_and_items_only_one_or_two_of_them() -> None:
    for one in cards("second").values():
        assert one.explosive in (0, 1, 2)
        assert not one.explosive or one.is_specialist or one.is_item
    bare = ("scout", "medic", "field-radio", "binoculars", "toolkit", "tank", "silver-star")
    assert not any(card(name).explosive for name in bare)


@pytest.mark.rule("S-EXPL-01")
def test_explosive_icons_that_no_source_shows_are_on_reconstructed_cards() -> None:
    printed = {"grenade", "engineer", "bangalore-torpedo"}
    for id, one in cards("second").items():
        assert not one.explosive or id in printed or one.basis == "reconstructed", id


def test_the_first_edition_has_no_explosive_icons() -> None:
    assert not any(one.explosive for one in cards("first").values())


# ---------------------------------------------------------------------- solitaire


@pytest.mark.rule("F-OPT-SOLITAIRE-04", "S-OPT-SOLITAIRE-04")
def test_cards_that_are_barred_in_solitaire() -> None:
    barred = {"victoria-cross", "carrier-pigeon", "dispatch-case", "mortar"}
    assert {id for id, one in cards("second").items() if not one.solo} == barred
    assert {id for id, one in cards("first").items() if not one.solo} == barred | {"war-correspondent"}


# ---------------------------------------------------------------------- Awards

SECOND_AWARDS = {
    "victoria-cross",
    "memorial-cross",
    "legion-of-merit",
    "army-good-conduct-medal",
    "conspicuous-gallantry-medal",
    "medal-of-honor",
    "silver-star",
}


@pytest.mark.rule("F-COMP-02", "S-COMP-02")
def test_there_are_12_awards_in_the_first_edition_and_16_in_the_second() -> None:
    assert len(cards("first", "award")) == 12
    assert len(cards("second", "award")) == 16


def test_awards_that_the_sources_name_are_there() -> None:
    assert set(cards("second", "award")) >= SECOND_AWARDS
    assert set(cards("first", "award")) >= {"victoria-cross", "memorial-cross", "legion-of-merit"}


@pytest.mark.rule("F-AWARD-04", "S-AWARD-04")
def test_awards_are_played_at_the_tally_in_the_first_edition_and_never_in_combat_in_the_second() -> None:
    for id, one in cards("first", "award").items():
        assert windows(one) == {"tally"}, id
    for id, one in cards("second", "award").items():
        assert windows(one), id
        assert not windows(one) & COMBAT_WINDOWS, id


@pytest.mark.rule("F-AWARD-05", "S-AWARD-08")
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_award_is_used_once_and_costs_nothing(edition: str) -> None:
    for id, one in cards(edition, "award").items():
        assert one.cost == 0, id
        assert [(ability.kind, ability.limit) for ability in one.abilities] == [("activated", "single-use")], id


@pytest.mark.rule("F-AWARD-07", "S-AWARD-07")
@pytest.mark.parametrize("edition", EDITIONS)
def test_some_awards_recruit_or_find_and_none_of_them_counts_as_the_one_of_the_turn(edition: str) -> None:
    found = [op for one in cards(edition, "award").values() for op in ops(one)]
    rallies = [op for op in found if isinstance(op, schema.Rally)]
    finds = [op for op in found if isinstance(op, schema.Find)]
    assert rallies
    assert finds
    assert not any(op.counts for op in rallies)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_victoria_cross_helps_another_unit(edition: str) -> None:
    assert {getattr(op, "to", "") for op in ops(card("victoria-cross", edition))} == {"another"}


@pytest.mark.rule("F-OPT-SOLITAIRE-03", "S-OPT-SOLITAIRE-03")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_memorial_cross_has_two_parts(edition: str) -> None:
    own, others = ops(card("memorial-cross", edition))
    assert own == schema.Gain(points=20)
    assert others == schema.Gain(points=10, to="each-other", part=2)


@pytest.mark.rule("F-VEH-01", "S-VEH-01")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_legion_of_merit_gives_a_vehicle_and_no_other_card_does(edition: str) -> None:
    def gives(one: Card) -> bool:
        return any(isinstance(op, schema.Find) and op.what == "vehicle" for op in ops(one))

    assert {id for id, one in cards(edition).items() if gives(one)} == {"legion-of-merit"}


def test_the_conspicuous_gallantry_medal_is_two_own_results_and_one_of_another_unit() -> None:
    for edition in EDITIONS:
        own, other = ops(card("conspicuous-gallantry-medal", edition))
        assert isinstance(own, schema.AddResult)
        assert isinstance(other, schema.AddResult)
        assert (own.count, own.to, own.part) == (2, "self", 1)
        assert (other.count, other.to, other.part) == (1, "another", 2)


def test_the_medal_of_honor_is_a_red_a_white_and_a_blue_result_of_another_unit() -> None:
    for edition in EDITIONS:
        (op,) = ops(card("medal-of-honor", edition))
        assert isinstance(op, schema.AddResult)
        assert (op.colour, op.to, op.part) == ("rwb", "another", 1)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("name", ["silver-star", "army-good-conduct-medal", "victoria-cross"])
def test_awards_that_play_normally_at_sea_act_on_dice_or_resources(edition: str, name: str) -> None:
    if name in cards(edition):
        allowed = (schema.Gain, schema.Reroll, schema.Lose)
        assert all(isinstance(op, allowed) for op in ops(card(name, edition)))


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_purple_heart_costs_a_specialist(edition: str) -> None:
    if "purple-heart" in cards(edition):
        (op,) = ops(card("purple-heart", edition))
        assert isinstance(op, schema.Lose)
        assert op.specialist


# ---------------------------------------------------------------------- what is printed and what is not


def test_every_award_is_reconstructed() -> None:
    for edition in EDITIONS:
        assert {one.basis for one in cards(edition, "award").values()} == {"reconstructed"}


def test_all_other_cards_of_the_first_edition_are_printed() -> None:
    for id, one in cards("first").items():
        assert one.kind == "award" or one.basis == "rulebook", id


def test_of_the_second_editions_cards_only_the_veteran_is_printed_with_cost_and_effect() -> None:
    assert {id for id, one in cards("second").items() if one.basis != "reconstructed"} == {"veteran"}


@pytest.mark.rule("S-RWB-07")
def test_of_the_second_editions_bonuses_only_the_uks_reinforcements_are_printed() -> None:
    printed = {
        (nation.id, face)
        for nation in base().nations["second"].values()
        for face, bonus in nation.rwb.items()
        if bonus.basis != "reconstructed"
    }
    assert printed == {("uk", "soldier1")}


def test_of_the_first_editions_bonuses_reinforcements_and_special_find_are_reconstructed() -> None:
    (allies,) = base().nations["first"].values()
    assert {face for face, bonus in allies.rwb.items() if bonus.basis == "reconstructed"} == {"soldier1", "tool"}


# ---------------------------------------------------------------------- countries

NAMES = {
    "skull": "Dead Man's Gift",
    "star": "Leadership",
    "soldier1": "Reinforcements",
    "soldier2": "Fresh Troops",
    "courage": "Battle Cry",
    "tool": "Special Find",
}


@pytest.mark.rule("S-RWB-03")
def test_the_six_bonuses_have_the_same_names_in_all_countries() -> None:
    for edition in EDITIONS:
        for nation in base().nations[edition].values():
            assert {face: bonus.name for face, bonus in nation.rwb.items()} == NAMES


@pytest.mark.rule("S-RWB-03")
def test_no_two_countries_have_the_same_bonuses() -> None:
    aids = [tuple(nation.rwb[face].ops for face in FACES) for nation in base().nations["second"].values()]
    assert len(set(map(repr, aids))) == len(aids) == 4


@pytest.mark.rule("S-RWB-03", "S-RWB-07")
def test_the_uk_has_the_first_editions_bonuses() -> None:
    (allies,) = base().nations["first"].values()
    uk = base().nations["second"]["uk"]
    assert {face: bonus.ops for face, bonus in uk.rwb.items()} == {face: b.ops for face, b in allies.rwb.items()}


@pytest.mark.rule("S-RWB-07", "F-RWB-11")
def test_reinforcements_of_the_uk_and_of_the_first_edition_are_4_and_4() -> None:
    for nation in (base().nations["second"]["uk"], *base().nations["first"].values()):
        assert nation.rwb["soldier1"].ops == (schema.Gain(soldiers=4), schema.Gain(soldiers=4, to="another"))


@pytest.mark.rule("S-RWB-04")
def test_many_bonuses_are_a_choice_of_two() -> None:
    for nation in base().nations["second"].values():
        choices = [op for bonus in nation.rwb.values() for op in bonus.ops if isinstance(op, Choose)]
        assert len(choices) >= 3
        assert all(len(op.of) == 2 for op in choices)


@pytest.mark.rule("S-RWB-05")
def test_every_country_has_bonuses_that_give_to_another_unit() -> None:
    for nation in base().nations["second"].values():
        gifts = {
            face for face, b in nation.rwb.items() if any(getattr(op, "to", "") == "another" for op in flat(b.ops))
        }
        assert gifts == {"star", "soldier1"}


@pytest.mark.rule("S-MARKER-04")
def test_a_battle_cry_has_one_option_that_moves_the_unit() -> None:
    for edition in EDITIONS:
        for nation in base().nations[edition].values():
            (choice,) = nation.rwb["courage"].ops
            assert isinstance(choice, Choose)
            moving = [b.name for b in choice.of if any(isinstance(op, schema.FreeMove) for op in b.ops)]
            assert moving == ["move"]


def test_a_special_find_finds_an_item_at_its_cost_or_brings_stars() -> None:
    for edition in EDITIONS:
        for nation in base().nations[edition].values():
            (choice,) = nation.rwb["tool"].ops
            assert isinstance(choice, Choose)
            find, stars = choice.of
            assert find.ops == (schema.Find(unlisted=True),)
            assert all(isinstance(op, schema.Gain) and op.stars for op in stars.ops)


def test_the_first_editions_bonuses() -> None:
    (allies,) = base().nations["first"].values()
    assert allies.rwb["skull"].ops == (schema.Gain(points=20),)
    assert allies.rwb["soldier2"].ops == (schema.Gain(soldiers=6),)
    found = {type(op): op for bonus in ("star", "courage", "tool") for op in flat(allies.rwb[bonus].ops)}
    assert found[schema.AddResult] == schema.AddResult(face="choice", colour="white")
    gains = [op for bonus in ("star", "courage", "tool") for op in flat(allies.rwb[bonus].ops)]
    assert schema.Gain(courage=2, to="another") in gains
    assert schema.Gain(soldiers=3) in gains
    assert schema.Gain(stars=2) in gains


# ---------------------------------------------------------------------- gaps of both rulebooks


@pytest.mark.rule("F-TOOL-01", "F-TOOL-02", "S-TOOL-01", "S-TOOL-02")
def test_both_editions_count_tools_by_one_table() -> None:
    assert [item_points(tools) for tools in range(10)] == [0, 1, 3, 6, 12, 24, 48, 72, 96, 120]


@pytest.mark.rule("F-RESULT-01", "S-RESULT-01")
def test_a_die_has_each_of_the_six_results_once() -> None:
    assert FACES == ("skull", "star", "soldier1", "soldier2", "courage", "tool")


@pytest.mark.rule("F-MARKER-01", "S-MARKER-04")
def test_a_marker_has_three_chevron_faces_and_three_others() -> None:
    assert MARKERS[1:] == ("1 chevron", "2 chevrons", "3 chevrons", "must move", "Battle Cry", "can't stay")


@pytest.mark.rule("F-OPT-BLINDSTART-01", "S-OPT-BLINDSTART-01")
def test_a_blind_start_counts_chevrons_as_soldiers_arrows_as_stars_and_the_shield_as_nothing() -> None:
    found = [BLIND[face] for face in range(1, 7)]
    assert found == [("soldiers", 1), ("soldiers", 2), ("soldiers", 3), ("stars", 1), ("stars", 2), ("stars", 0)]


@pytest.mark.parametrize("level", ["practice-run", "basic-training"])
def test_there_are_no_awards_at_the_training_levels(level: str) -> None:
    assert not new(world_of(Setup("first", level=level)))[0].deck


@pytest.mark.rule("S-SETUP-02", "S-SETUP-07", "S-SETUP-08")
def test_a_map_of_the_second_edition_lists_one_special_item_for_each_of_three_players_and_four_at_most() -> None:
    for id, map_ in base().maps["second"].items():
        assert 3 <= len(map_.cards.items_special) <= 4, id
        assert all(card(name).kind == "special-item" for name in map_.cards.items_special), id
