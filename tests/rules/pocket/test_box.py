"""What is in the box, how many may play, and what cannot be set up."""

from __future__ import annotations

import pytest

from beachhead.core.errors import BeachheadError, ContentError, SetupError
from beachhead.games import GAMES
from beachhead.landing.dice import FACES, HOME
from beachhead.pocket import battle, content, express
from beachhead.pocket.content import EFFECTS, box, load_box
from beachhead.pocket.dice import symbols
from beachhead.pocket.world import DEFAULTS, NEPTUNE, OPTIONS, SWITCHES, world_of
from beachhead.rules import register
from beachhead.say import LANGUAGES, speaking


@pytest.mark.rule("B-SETUP-01")
def test_battle_has_two_dice_of_each_colour_and_seven_medals() -> None:
    assert sorted(HOME) == [0, 0, 1, 1, 2, 2]
    assert len(box().medals) == 7
    assert battle.MOST_AXIS == 6


@pytest.mark.rule("B-SETUP-02")
def test_allied_and_axis_dice_have_the_same_six_faces() -> None:
    assert FACES == ("skull", "star", "soldier1", "soldier2", "courage", "tool")
    g, _ = battle.new({"seats": 1})
    battle.MACHINE.apply(g, (0,))
    axis = battle.MACHINE.node(g)
    assert (axis.sides, axis.groups) == (6, (2,))  # type: ignore[union-attr]
    battle.MACHINE.apply(g, (0, 5))
    allied = battle.MACHINE.node(g)
    assert (allied.sides, allied.groups) == (6, (2, 2, 2))  # type: ignore[union-attr]


@pytest.mark.rule("B-SETUP-03", "E-SETUP-01")
def test_how_many_may_play() -> None:
    for name, most in (("battle", 12), ("express", 4)):
        for seats in (1, most):
            state, _ = GAMES[name].new({"seats": seats})
            assert len(state.lanes) == seats
        for seats in (0, most + 1):
            with pytest.raises(SetupError, match=f"{seats} seats: expected 1 to {most}"):
                GAMES[name].new({"seats": seats})


@pytest.mark.rule("B-FIELD-01")
def test_the_battlefield_die_has_six_different_faces() -> None:
    assert len(set(battle.FIELDS)) == 6
    g, _ = battle.new({"seats": 1})
    node = battle.MACHINE.node(g)
    assert (node.stream, node.sides, node.groups) == ("field", 6, (1,))  # type: ignore[union-attr]
    for face, name in enumerate(battle.FIELDS):
        there = battle.MACHINE.clone(g)
        (told,) = battle.MACHINE.apply(there, (face,))
        assert told.data == {"field": name}


@pytest.mark.rule("B-MEDAL-01", "E-SPEC-01")
def test_one_card_for_each_symbol_and_one_for_the_straight() -> None:
    for cards in (box().medals, box().specialists):
        assert {card.rwb for card in cards.values()} == {*FACES, "straight"}  # type: ignore[attr-defined]
        assert len({card.ability for card in cards.values()}) == 7  # type: ignore[attr-defined]
    assert box().specialists["veteran"].rwb == "straight"


@pytest.mark.rule("E-SPEC-05", "E-SPEC-06")
def test_most_specialists_are_permanent() -> None:
    assert sorted(card.kind for card in box().specialists.values()) == ["permanent"] * 5 + ["sacrifice"] * 2


@pytest.mark.rule("B-MEDAL-08")
def test_some_medals_are_for_another_players_turn() -> None:
    assert sum(card.turn == "other" for card in box().medals.values()) == 2


@pytest.mark.rule("E-SETUP-02", "E-SETUP-03", "N-NEPTUNE-02")
def test_six_beaches_in_their_order() -> None:
    assert tuple(box().beaches) == NEPTUNE == ("utah", "gold", "juno", "sword", "omaha", "pointe-du-hoc")
    for beach in NEPTUNE:
        g, _ = express.new({"beach": beach})
        assert (g.beach, g.sector) == (beach, 1)


@pytest.mark.rule("N-ADVBEACH-01")
def test_every_advanced_beach_has_six_different_sectors() -> None:
    for beach in box().beaches.values():
        assert len({sector.effects for sector in beach.sector}) == 6
        assert all(sector.effects and sector.text for sector in beach.sector)
    used = {
        effect.do
        for beach in box().beaches.values()
        for one in (beach.gantlet, *beach.sector)
        for effect in one.effects
    }
    assert used == set(EFFECTS), "an effect that no card has"


@pytest.mark.rule("B-RWB-06")
def test_a_straight_and_an_rwb_exclude_each_other_on_six_dice() -> None:
    assert symbols((0, 1, 2, 3, 4, 5), HOME) == ("straight",)
    assert symbols((0, 1, 0, 2, 0, 3), HOME) == ("skull",)
    assert symbols((0, 1, 0, 2, 0, 3), HOME, (4,)) == ("skull",)


def test_what_is_not_read_from_a_card_says_so() -> None:
    reconstructed = [card.id for card in box().medals.values() if card.basis == "reconstructed"]
    assert reconstructed == ["legion-of-merit"]
    assert {sector.basis for sector in box().beaches["sword"].sector} == {"reconstructed"}
    assert all(beach.gantlet.basis == "printed" for beach in box().beaches.values())


def test_options_and_switches_cite_rules() -> None:
    for game in ("express", "battle"):
        for rule in (*OPTIONS[game].values(), *(switch.rule for switch in SWITCHES[game].values())):
            assert rule in register()


@pytest.mark.parametrize(
    ("game", "setup", "message"),
    [
        ("express", {"beach": "utha"}, "unknown beach 'utha': expected one of utah, gold.*did you mean 'utah'"),
        ("express", {"beach": 3}, "unknown beach 3"),
        ("express", {"map": "utah"}, "unknown setup key 'map': expected beach, seats, options, switches"),
        ("express", {"options": ["kommandant", "kommandant"]}, "given twice"),
        ("express", {"options": ["advance"]}, "unknown option 'advance'.*did you mean 'advanced'"),
        ("express", {"options": "advanced"}, "expected a list of names"),
        (
            "express",
            {"switches": {"kommandant": "mild"}},
            "switch kommandant is 'mild': expected one of strict, lenient",
        ),
        ("express", {"switches": {"komandant": "strict"}}, "unknown switch 'komandant'"),
        ("express", {"switches": 4}, "expected names"),
        ("battle", {"seats": "two"}, "expected a whole number"),
        ("battle", {"seats": True}, "expected a whole number"),
        ("battle", {"beach": "utah"}, "unknown setup key 'beach'"),
        ("battle", {"options": ["neptune"]}, "unknown option 'neptune'"),
    ],
)
def test_what_cannot_be_set_up_is_said_in_one_line(game: str, setup: dict[str, object], message: str) -> None:
    with pytest.raises(SetupError, match=message) as caught:
        world_of(game, setup)
    assert "\n" not in str(caught.value)


def test_a_state_of_something_else_is_refused() -> None:
    for game in ("express", "battle"):
        with pytest.raises(BeachheadError, match="this is no state of"):
            GAMES[game].load(DEFAULTS[game], {"units": []})


def test_faults_of_a_box_are_told_with_file_and_line(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "pocket").mkdir()
    (tmp_path / "pocket" / "mine.toml").write_text(
        'format = 1\n[[medal]]\nid = "a"\nname = "A"\nrwb = "stra"\nturn = "own"\nability = "win"\ntext = ""\n'
        'basis = "reconstructed"\n[[specialist]]\nid = "b"\nname = "B"\nrwb = "star"\nkind = "permanent"\n'
        'ability = "clear"\ntext = ""\nbasis = "reconstructed"\n'
    )
    with pytest.raises(ContentError) as caught:
        load_box((tmp_path,))
    assert "mine.toml:5: medal[0].rwb: 'stra' is no symbol" in str(caught.value)
    assert "mine.toml:14: specialist[0].kind" in str(caught.value)


def test_every_effect_is_checked(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "pocket").mkdir()
    sectors = "".join('[[beach.sector]]\ntext = "x"\neffects = [{ do = "axis" }]\n' for _ in range(5))
    (tmp_path / "pocket" / "mine.toml").write_text(
        'format = 1\n[[beach]]\nid = "b"\nname = "B"\n[beach.gantlet]\ntext = ""\neffects = [{ do = "fly" }]\n'
        + sectors
    )
    with pytest.raises(ContentError) as caught:
        load_box((tmp_path,))
    assert "unknown effect 'fly'" in str(caught.value)
    assert "'axis' needs n" in str(caught.value)


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_the_whole_box_has_words_in_every_language(language: str) -> None:
    said = content.words(language)
    assert set(said.cards) == {*box().specialists, *box().medals}
    assert set(said.beaches) == set(box().beaches)
    for words in said.cards.values():
        assert words.name and words.the and words.text
    for words in said.beaches.values():
        assert words.gantlet and len(words.sectors) == 6
    with speaking(language):
        assert content.card_name("hero").the == "le Héros"
        assert content.sector_text("omaha", 4, False) == "Lancez un dé de l'Axe de plus."
