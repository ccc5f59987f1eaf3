"""Whole games in other languages: nothing is left in English, and what is said is right."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from beachhead.bots import random_answer
from beachhead.content import spoken
from beachhead.content.library import PACKS, library, load_packs
from beachhead.content.translation import CardWords, MapWords, NationWords
from beachhead.core.chance import sample, seed_from
from beachhead.core.node import Answer, Ask, Over, Roll
from beachhead.landing.game import GAME, MACHINE, content_hash, new
from beachhead.landing.text import background, detail, label, narrate, prompt
from beachhead.landing.words import card_name, unit_name
from beachhead.landing.world import Setup, build, world_of
from beachhead.say import say, speaking
from beachhead.terminal import guide, sheets
from tests.terminal.sitting import Sitting, command

OPTIONS = ("mulligan", "bazooka-joe", "bazooka-joe-specialists", "blind-start", "victory-points")


def told(setup: Setup, seed: int) -> list[str]:
    """Everything that is said in a random game."""
    g, events = new(world_of(setup))
    rng, dice = Random(seed), seed_from(str(seed))
    said = [narrate(event) for event in events]
    while not isinstance(node := MACHINE.node(g), Over):
        if isinstance(node, Roll):
            events = MACHINE.apply(g, sample(dice, node))
        else:
            assert isinstance(node, Ask)
            decision = node.decision(rng.choice(node.seats))
            said += [prompt(g, decision), background(g, decision)]
            for key in decision.keys[:12]:
                said += [label(g, decision, key), detail(g, decision, key)]
            for reasons in MACHINE.refusals(g, decision.seat).values():
                said += [reason.text for reason in reasons]
            events = MACHINE.apply(g, Answer(decision.seat, decision.seq, random_answer(decision, dict, rng)))
        said += [narrate(event) for event in events]
        if any(event.type == "turn" for event in events):
            said += sheets.units_table(g, ["-"] * len(g.units), range(len(g.units)))
            said += [sheets.worth(g, 0), *guide.intro(g), *(line.text for line in sheets.board(g))]
    return [*said, *sheets.ending(g, node)]


GAMES = [
    Setup("first", seats=1),
    Setup("first", seats=3, options=OPTIONS),
    Setup("second", seats=1, options=OPTIONS),
    Setup("second", seats=4, nations=("uk", "usa", "canada", "france")),
]


@pytest.mark.parametrize("setup", GAMES, ids=lambda setup: f"{setup.edition}-{setup.seats}")
def test_everything_that_is_said_in_a_game_comes_from_the_catalogue(setup: Setup) -> None:
    """In the language that is English with accents a plain word stands out. Names are those of the content."""
    names = {word for cards in library().cards.values() for card in cards.values() for word in card.name.split()}
    for nations in library().nations.values():
        names |= {bonus.name for nation in nations.values() for bonus in nation.rwb.values()}
    names |= {board.name for boards in library().maps.values() for board in boards.values()}
    known = {word for name in names for word in re.findall(r"[A-Za-z]{3,}", name)}
    with speaking("xx"):
        for seed in range(3):
            for line in told(setup, seed):
                left = [word for word in re.findall(r"(?<!\w)[A-Za-z]{3,}(?!\w)", line) if word not in known]
                assert not left, line


TYPED = """help
help game
help words
help marker
why
why lock
map
card
card medic
bonus
keys
dice
state
R1 R2
R1
xyzzy
roll 9
log
stop
undo
redo
undo
undo
undo
undo
redo
save
1
1
1
1
rally
state
position
seed
move 9
why stay
2
1
99999
log x
card zzz
help zzz
1
1
"""
KEYS = {"stop", "done", "stay", "award", "yield", "claim", "random", "xyzzy", "zzz"}
"""Keys of answers, the code of a bot, and what was typed and not understood."""


@pytest.mark.parametrize("seats", [1, 3])
def test_the_plain_mode_says_nothing_that_is_not_in_the_catalogue(seats: int, tmp_path: Path) -> None:
    names = {word for cards in library().cards.values() for card in cards.values() for word in card.name.split()}
    names |= {bonus.name for nation in library().nations["first"].values() for bonus in nation.rwb.values()}
    names |= {"Exercise Tiger", "Slapton Sands, Devon, England"}
    known = KEYS | {word for name in names for word in re.findall(r"[A-Za-z]{3,}", name)}
    with speaking("xx"):
        shown = Sitting(tmp_path, TYPED, seats=seats, bots=seats - 1, practice=True).play()
    assert len(shown) > 10_000
    for line in shown.splitlines():
        if line.startswith(("> ", "landing ", "  beachhead play")) or re.fullmatch(r" +[0-9a-f]{64}", line):
            continue  # what was typed, a position, a command to type, a seed
        bare = re.sub(r"[a-z-]+:[\w,.=/-]+|\[[^]]*\]|\b[FS]-[A-Z-]+\b", "", line)  # keys, rules
        left = re.findall(r"(?<![\w'.-])[A-Za-z]{3,}(?![\w])", bare)
        assert not [word for word in left if word not in known], line


ENGLISH = re.compile(r"\b(the|of|with|you|your|and|is|are|to|this|turn|cards?|Soldiers?|Stars?|Unit|Sector)\b")


@pytest.mark.parametrize("setup", GAMES, ids=lambda setup: f"{setup.edition}-{setup.seats}")
def test_nothing_is_left_in_english_in_a_french_game(setup: Setup) -> None:
    medals = sorted((card.name for cards in library().cards.values() for card in cards.values()), key=len, reverse=True)
    with speaking("fr"):
        for seed in range(3):
            for line in told(setup, seed):
                bare = line
                for medal in medals:
                    bare = bare.replace(medal, "")
                assert not ENGLISH.search(bare), line
                assert not re.search(r"\b(de le|de les|à le|à les|du l'|la [aeiouéè])\b", bare), line
                assert not re.search(r"[^\xa0][:;?!](\s|$)", bare), line


def test_a_game_has_the_same_record_in_every_language(tmp_path: Path) -> None:
    lines = "R1 R2\n" + "keys\n1\n" * 60
    records = []
    for spoken_ in ("en", "fr", "xx"):
        with speaking(spoken_):
            sitting = Sitting(tmp_path / spoken_, lines, seats=2, bots=1)
            sitting.play()
        records.append(list(sitting.match.record.lines()))
    assert records[0] == records[1] == records[2]
    assert len(records[0]) > 40


# ---------------------------------------------------------------------------------------------------- French, exactly


def french(lines: str, tmp_path: Path, **options: object) -> str:
    with speaking("fr"):
        return " ".join(Sitting(tmp_path, lines, **options).play().split())  # type: ignore[arg-type]


def test_a_french_game(tmp_path: Path) -> None:
    shown = french("R1 R2\nW1 W2\nstop\n1\nrester\n", tmp_path)
    assert "Beachhead : un débarquement, première édition" in shown
    assert "Unité 1 : Lancer 1 sur 3. Verrouillez 2 dés. Ils restent tels quels ce tour-ci." in shown
    assert "L'Unité 1 Verrouille R1 R2" in shown
    assert "L'Unité 1 lance W1 Outil, W2 Crâne" in shown
    assert "L'Unité 1 obtient le bonus Legs du mort (Crâne en rouge, blanc et bleu)" in shown
    assert "L'Unité 1 gagne 20 Points d'Objet" in shown
    assert "Rallier un Spécialiste, trouver un Objet ou tirer une Récompense ? Vous avez" in shown
    assert "rester dans le Secteur 1 : DEF 2 ; 2 pertes" in shown
    assert "aller au Secteur 2 : 1 Courage, DEF 4 ; 4 pertes" in shown
    assert "L'Unité 1 subit 2 pertes dans le Secteur 1" in shown
    assert "La partie est gardée. Pour continuer :" in shown


def test_french_commands_and_answers(tmp_path: Path) -> None:
    lines = "aide marqueur\npourquoi verrou\ndes\ncarte jumelles\nverrouiller R1 R2\nrelancer R1\ngarder B1 B2\n"
    shown = french(lines + "stop\ntrouver jumelles\nregle\n", tmp_path)
    assert "marqueur : le marqueur compte vos tours" in shown
    assert "Unité 1 dans le Secteur 1 : dés à Verrouiller 2 : 2 de base [F-ROLL-02]" in shown
    assert "Jumelles : Objet standard, 10 Points d'Objet. Dans le stock." in shown
    assert "roll:R1 n'est pas permis : R1 est Verrouillé [F-ROLL-05]" in shown
    assert "L'Unité 1 lance W1 " in shown


def test_an_answer_may_be_given_in_the_words_of_its_label(tmp_path: Path) -> None:
    shown = french("R1 R2\nW1 W2\nstop\ntrouver jumelles\nrien\naller 2\n", tmp_path)
    assert "L'Unité 1 prend les Jumelles" in shown
    assert "L'Unité 1 va du Secteur 1 au Secteur 2" in shown
    shown = french("R1 R2\nW1 W2\nstop\ntrouver\n", tmp_path / "b")
    assert "« trouver » peut être find:" in shown


def test_a_trade_in_french(tmp_path: Path) -> None:
    lines = "R1 R2\néchanger 2\ndonner soldats 2\nrecevoir 1 soldat\nproposer\n"
    shown = french(lines + "accepter\n", tmp_path, seats=2, seed="s2")
    assert "Unité 1 : Que proposez-vous à l'Unité 2 ?" in shown
    assert "Votre offre à l'Unité 2. Vous donnez : 2 Soldats. Vous recevez : 1 Soldat." in shown
    assert "L'Unité 1 propose un échange à l'Unité 2 : 2 Soldats contre 1 Soldat" in shown
    assert "Unité 2 : l'Unité 1 propose un échange. Vous recevez : 2 Soldats. Vous donnez : 1 Soldat." in shown
    assert "L'Unité 1 perd 2 Soldats L'Unité 2 gagne 2 Soldats L'Unité 2 perd 1 Soldat" in shown


def test_names_come_with_their_articles() -> None:
    with speaking("fr"):
        unit = unit_name(1)
        assert say("event.uses", who=unit, card=card_name("binoculars")) == "l'Unité 2 utilise les Jumelles"
        assert say("event.joins", who=unit, card=card_name("scout")) == "l'Éclaireur rejoint l'Unité 2"
        assert say("event.gives-up", who=unit, card=card_name("scout")) == "l'Unité 2 se défait de l'Éclaireur"
        assert say("event.gives-up", who=unit, card=card_name("corporal")) == "l'Unité 2 se défait du Caporal"
        assert say("event.gives-up", who=unit, card=card_name("binoculars")) == "l'Unité 2 se défait des Jumelles"
    assert card_name("scout") == "Scout"


def test_the_option_of_the_command_line_and_the_environment(tmp_path: Path) -> None:
    assert "Beachhead : un débarquement" in command(tmp_path, "--lang", "fr").stdout
    assert "Beachhead : un débarquement" in command(tmp_path, LC_ALL="fr_FR.UTF-8", PYTHONUTF8="1").stdout
    assert "Beachhead: a landing" in command(tmp_path, "--lang", "en", LC_ALL="fr_FR.UTF-8").stdout
    wrong = command(tmp_path, "--lang", "tlh")
    assert wrong.returncode == 2 and wrong.stderr == "beachhead: --lang tlh: expected en or fr\n"


# ---------------------------------------------------------------------------------------------------- content


def test_all_of_the_base_pack_is_in_french() -> None:
    shelf = library()
    words = shelf.words["fr"]
    for edition in shelf.cards:
        for id in shelf.cards[edition]:
            found = words["cards", edition, id]
            assert isinstance(found, CardWords)
            assert found.name and found.the.endswith(found.name), id
            assert getattr(found, edition) or found.text, id
        for id, nation in shelf.nations[edition].items():
            known = words["nations", edition, id]
            assert isinstance(known, NationWords) and set(known.rwb) == set(nation.rwb)
        for id, board in shelf.maps[edition].items():
            place = words["maps", edition, id]
            assert isinstance(place, MapWords)
            assert set(place.sectors) == {sector for sector in board.sectors if board.sectors[sector].text}
            assert set(board.levels) <= set(place.levels)
            lines = {sector: len(one.random) for sector, one in board.sectors.items() if one.random}
            assert {sector: len(found) for sector, found in place.results.items()} == lines
            assert getattr(place, edition) or place.text


def numbers(text: str) -> list[str]:
    return sorted(re.findall(r"\d+", text))


@pytest.mark.parametrize("edition", ["first", "second"])
def test_french_texts_have_the_numbers_of_the_english_ones(edition: str) -> None:
    shelf = library()
    with speaking("fr"):
        for card in shelf.cards[edition].values():
            assert numbers(spoken.card_text(edition, card)) == numbers(card.text), card.id
        for nation in shelf.nations[edition].values():
            for face, bonus in nation.rwb.items():
                assert numbers(spoken.bonus_text(edition, nation, face)) == numbers(bonus.text), (nation.id, face)
        for board in shelf.maps[edition].values():
            for id, sector in board.sectors.items():
                assert numbers(spoken.sector_text(board, id, sector)) == numbers(sector.text), id


def test_bonuses_of_one_name_have_one_name_in_french() -> None:
    shelf = library()
    found: dict[str, set[str]] = {}
    for (kind, edition, id), words in shelf.words["fr"].items():
        if kind == "nations" and isinstance(words, NationWords):
            for face, bonus in shelf.nations[edition][id].rwb.items():
                found.setdefault(bonus.name, set()).add(words.rwb[face].name)
    assert all(len(names) == 1 for names in found.values())
    assert len(found) == 6


CARD = """format = 1
edition = "first"

[[card]]
id = "veteran"
name = "Old Hand"
kind = "regular-specialist"
cost = 1
rule = "F-CARD-VETERAN"
text = "Ours."
"""


def test_a_pack_brings_its_own_words(tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "mine.toml").write_text(CARD, encoding="utf-8")
    bare = load_packs((PACKS, tmp_path))
    assert ("cards", "first", "veteran") not in bare.words["fr"], "what was said of another card is not said of this"
    assert ("cards", "second", "veteran") in bare.words["fr"]
    (tmp_path / "words").mkdir()
    said = 'format = 1\n[cards.veteran]\nname = "Vieux"\nthe = "le Vieux"\ntext = "À nous."\n'
    (tmp_path / "words" / "fr.toml").write_text(said, encoding="utf-8")
    mine = load_packs((PACKS, tmp_path))
    found = mine.words["fr"]["cards", "first", "veteran"]
    assert isinstance(found, CardWords) and found.the == "le Vieux"
    assert mine.hash == bare.hash, "a record is the same in every language"


def test_the_hash_of_the_content_knows_no_language() -> None:
    setup = Setup(edition="first")
    found = GAME.content_hash({"edition": "first"})
    assert content_hash(build(setup, replace(library(), words={}))) == found
    with speaking("fr"):
        assert content_hash(build(setup, library())) == found
