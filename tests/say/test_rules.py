"""The rule register in French: every rule of the base game, with the numbers of the original; searched in its words."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

import pytest

from beachhead import rules
from beachhead.rules import Rule, register, translated
from beachhead.say import speaking

BASE = [rule for rule in register().values() if rule.book in ("base-first", "base-second")]
PROSE = ("title", "text", "note", "change")


def numbers(text: str) -> set[str]:
    """Numbers of a text: digits, not those inside ids or names such as R1, N-01, 1d6."""
    return set(re.findall(r"(?<![\w-])\d+(?![\w])", text))


def cited(text: str) -> set[str]:
    return set(re.findall(r"\b[FS]-[A-Z0-9-]+-\d+", text))


@pytest.mark.parametrize("rule", BASE, ids=lambda rule: rule.id)
def test_every_rule_of_the_base_game_is_translated_with_its_numbers(rule: Rule) -> None:
    french = translated("fr")[rule.id]
    for name in PROSE:
        said, original = getattr(french, name), getattr(rule, name)
        assert bool(said) == bool(original), f"{name} is missing, or is said of nothing"
        if name in ("text", "note", "change") and original:
            assert said != original or len(original) < 10, f"{name} is not translated"
            assert numbers(said) == numbers(original), name
            assert cited(said) == cited(original), name


def test_a_translation_names_only_rules_and_fields_that_exist() -> None:
    for file in (files("beachhead.rules") / "register" / "fr").iterdir():
        found = tomllib.loads(file.read_text(encoding="utf-8"))
        assert file.name.removesuffix(".toml") in rules.BOOKS
        for rule_id, entry in found.items():
            if isinstance(entry, dict):
                assert rule_id in register(), rule_id
                assert register()[rule_id].book == file.name.removesuffix(".toml")
                assert entry.keys() <= {"title", "rule", "note", "change", "source", "example"}, rule_id


def test_rules_are_read_in_the_language_that_is_spoken() -> None:
    english = rules.rule("f-roll-02")
    with speaking("fr"):
        french = rules.rule("f-roll-02")
        shown = rules.show(french)
        assert rules.rule("A-GENERAL-01").text == register()["A-GENERAL-01"].text  # a book that is not translated
    assert english == register()["F-ROLL-02"]
    assert french.id == english.id and french.title != english.title
    assert shown.startswith(f"F-ROLL-02  {french.title}\nD-Day Dice, première édition, Lancer des dés")
    assert "Source\u00a0: " in shown
    assert "first edition, Rolling the dice" in rules.show(english)


@pytest.mark.parametrize("word", ["Verrouillé", "verrouille", "VERROUILLÉ"])
def test_search_is_in_the_language_and_blind_to_accents_and_capitals(word: str) -> None:
    with speaking("fr"):
        found = [rule.id for rule in rules.search([word])]
        assert found == [rule.id for rule in rules.search(["verrouillé"])]
    assert "F-ROLL-02" in found
    assert not rules.search([word])
    assert "F-ROLL-02" in [rule.id for rule in rules.search(["lock"])]


def test_the_words_around_a_rule_are_there_for_every_rule() -> None:
    for language in ("fr", "xx"):
        with speaking(language):
            for rule in translated(language).values():
                assert rules.show(rule)


POCKET = [rule for rule in register().values() if rule.book == "pocket" and not rule.id.startswith("N-MGF-")]
"""The rules of Battle! and Express!; those of the gray dice belong to the big game and are not played yet."""


@pytest.mark.parametrize("rule", POCKET, ids=lambda rule: rule.id)
def test_every_rule_of_pocket_is_translated_with_its_numbers(rule: Rule) -> None:
    french = translated("fr")[rule.id]
    for name in ("title", "text", "note"):
        said, original = getattr(french, name), getattr(rule, name)
        assert bool(said) == bool(original), f"{name} is missing, or is said of nothing"
        if name != "title" and original:
            assert said != original, f"{name} is not translated"
            assert numbers(said) == numbers(original), name
