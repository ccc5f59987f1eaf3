"""How messages are filled: places, numbers, lists, articles, and what happens when something is missing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import pytest

from beachhead.say import Name, capital, catalogue, either, join, language, language_of, say, speak, speaking
from beachhead.say.catalogue import fill, french_blanks, number, pseudo

FORMS = {"one": "{n} die", "other": "{n} dice"}


@pytest.mark.parametrize(
    ("spoken", "n", "form"),
    [("en", 0, "other"), ("en", 1, "one"), ("en", 2, "other"), ("fr", 0, "one"), ("fr", 1, "one"), ("fr", 2, "other")],
)
def test_french_says_one_of_none_too(spoken: str, n: int, form: str) -> None:
    assert number(spoken, FORMS, n) == form


@pytest.mark.parametrize("spoken", ["en", "fr"])
def test_a_zero_form_is_said_of_none_where_there_is_one(spoken: str) -> None:
    assert number(spoken, {"zero": "nobody", **FORMS}, 0) == "zero"
    assert number(spoken, {"zero": "nobody", **FORMS}, 1) == "one"


@pytest.mark.parametrize("spoken", ["en", "fr"])
def test_a_number_that_is_a_text_counts_and_a_word_is_many(spoken: str) -> None:
    assert number(spoken, FORMS, "+1") == "one"
    assert number(spoken, FORMS, "-7") == "other"
    assert number(spoken, FORMS, "many") == "other"
    assert number(spoken, {"other": "{n} Courage"}, 1) == "other"


def test_counts() -> None:
    assert [say("count.soldiers", n=n) for n in (0, 1, 2)] == ["no Soldiers", "1 Soldier", "2 Soldiers"]
    with speaking("fr"):
        assert [say("count.soldiers", n=n) for n in (0, 1, 2)] == ["0 Soldat", "1 Soldat", "2 Soldats"]
        assert say("count.points", n=2) == "2 Points d'Objet"


def test_lists() -> None:
    assert [join(parts) for parts in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]
    assert either(["a", "b", "c"]) == "a, b or c"
    with speaking("fr"):
        assert join(["a", "b", "c"]) == "a, b et c"
        assert either(["a", "b"]) == "a ou b"


def test_a_capital_first_letter_may_have_an_accent() -> None:
    assert capital("éclaireur B") == "Éclaireur B"
    assert capital("l'Éclaireur") == "L'Éclaireur"
    assert capital("") == ""


@pytest.mark.parametrize(
    ("the", "of", "to"),
    [
        ("le Caporal", "du Caporal", "au Caporal"),
        ("la Grenade", "de la Grenade", "à la Grenade"),
        ("l'Éclaireur", "de l'Éclaireur", "à l'Éclaireur"),
        ("les Jumelles", "des Jumelles", "aux Jumelles"),
        ("Arromanches", "d'Arromanches", "à Arromanches"),
        ("Caen", "de Caen", "à Caen"),
        ("Ève", "d'Ève", "à Ève"),
        ("Œdipe", "d'Œdipe", "à Œdipe"),
        ("Yves", "d'Yves", "à Yves"),
        ("Yann", "de Yann", "à Yann"),
        ("Yaël", "de Yaël", "à Yaël"),
    ],
)
def test_french_articles_contract_and_elide(the: str, of: str, to: str) -> None:
    name = Name("x", the, "fr")
    assert (name.the, name.of, name.to) == (the, of, to)


def test_english_names() -> None:
    scout = Name("Scout")
    assert (scout, scout.the, scout.of, scout.to) == ("Scout", "the Scout", "of the Scout", "to the Scout")


def test_places_are_filled_with_forms_of_a_name() -> None:
    args = {"who": Name("Unit 1", "Unit 1"), "card": Name("Scout")}
    assert say("event.uses", **args) == "Unit 1 uses the Scout"


def test_braces_and_blanks() -> None:
    assert fill("en", "k", "{{{n}}}", {"n": 3}) == "{3}"
    assert french_blanks("Quoi ? « Rien » : non !") == "Quoi\xa0? «\xa0Rien\xa0»\xa0: non\xa0!"


def test_what_is_missing_raises_in_tests() -> None:
    with pytest.raises(KeyError, match="nowhere"):
        say("event.nowhere")
    with pytest.raises(KeyError, match=r"card\.the"):
        say("event.uses", who="Unit 1", card="Scout")
    with pytest.raises(KeyError, match="who"):
        say("event.refuses")


def test_at_run_time_what_is_missing_is_said_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "strict", False)
    monkeypatch.delitem(catalogue.catalogue("fr"), "event.refuses")
    with speaking("fr"):
        assert say("event.refuses", who="Unité 1") == "Unité 1 refuses"
        assert say("event.nowhere") == "event.nowhere"
        assert say("event.uses", who="Unité 1", card="Éclaireur") == "Unité 1 utilise Éclaireur"
        assert say("event.turn") == "Tour n"


def test_the_language_belongs_to_the_context() -> None:
    with speaking("fr"):
        with speaking("en"):
            assert language() == "en"
        assert language() == "fr"
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(language).result() == "en"
            assert pool.submit(copy_context().run, language).result() == "fr"
    assert language() == "en"
    copy_context().run(speak, "fr")
    assert language() == "en"


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_CA"}, "fr"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "C", "LC_ALL": "", "LC_MESSAGES": "fr"}, "fr"),
    ],
)
def test_the_language_of_the_environment(environment: dict[str, str], expected: str) -> None:
    assert language_of(environment) == expected


def test_a_language_that_we_do_not_speak_is_english() -> None:
    with speaking("tlh"):
        assert language() == "en"


def test_pseudo_english_is_longer_accented_and_keeps_its_places() -> None:
    said = pseudo("{who} uses {card.the}")
    assert "{who}" in said and "{card.the}" in said and "uses" not in said
    assert len(pseudo("ten letters")) >= 1.4 * len("ten letters") - 1
    assert pseudo("{first}, {last}") == "{first}, {last}"
