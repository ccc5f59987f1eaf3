"""The catalogues: the same messages in every language, each of them used, none missing."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

import beachhead
from beachhead.say import LANGUAGES, messages_for
from beachhead.say.catalogue import DEFAULT, FOLDER, catalogue, places

SOURCE = Path(beachhead.__file__).parent
OTHERS = [language for language in LANGUAGES if language != DEFAULT]
OURS = tuple(f"{table}." for table in tomllib.loads((FOLDER / "en.toml").read_text(encoding="utf-8")))
"""Tables whose messages are said by Python; those of other files may be filled in the browser."""
TABLES = {key.partition(".")[0] for key in catalogue(DEFAULT)}
TABLES_IN_TABLES = TABLES | {key.rpartition(".")[0] for key in catalogue(DEFAULT)}


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_same_keys(language: str) -> None:
    assert set(catalogue(language)) == set(catalogue(DEFAULT))


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_fills_the_same_places(language: str) -> None:
    english = catalogue(DEFAULT)
    wrong = {key: places(form) ^ places(english[key]) for key, form in catalogue(language).items() if key in english}
    assert not {key: odd for key, odd in wrong.items() if odd}


@pytest.mark.parametrize("language", LANGUAGES)
def test_forms_by_number_are_whole(language: str) -> None:
    for key, form in catalogue(language).items():
        if not isinstance(form, str):
            assert set(form) <= {"zero", "one", "other"} and "other" in form, key
            assert places(form) == places(form["other"]), f"{key}: a place is filled in one form and not in another"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_is_empty_or_left_in_english(language: str) -> None:
    same = {key for key, form in catalogue(language).items() if form == catalogue(DEFAULT)[key]}
    for key, form in catalogue(language).items():
        texts = [form] if isinstance(form, str) else list(form.values())
        assert all(text.strip() for text in texts), key
        if language != DEFAULT and key in same:
            assert all(len(re.findall(r"[^\W\d_]{2,}", re.sub(r"\{.*?\}", "", text))) <= 3 for text in texts), key


def used() -> tuple[set[str], set[str]]:
    """Keys that the source names, whole ones and starts of those that are put together."""
    whole, starts = set(), set()
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                start = str(node.values[0].value)
                if re.fullmatch(r"[a-z]+\.[\w.-]*", start) and start.partition(".")[0] in TABLES:
                    starts.add(start)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
                if re.fullmatch(r"[a-z]+(\.[\w-]+)+", node.value) and node.value.partition(".")[0] in TABLES:
                    whole.add(node.value)
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Table":
                if isinstance(node.args[0], ast.Constant) and node.args[0].value in TABLES_IN_TABLES:
                    starts.add(f"{node.args[0].value}.")
    return whole, starts


def test_every_key_that_the_source_names_exists() -> None:
    known = set(catalogue(DEFAULT))
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "say" and node.args:
                for key, start in _asked(node.args[0]):
                    found = any(name.startswith(key) for name in known) if start else key in known
                    assert found, f"{path.name}:{node.lineno} says {key!r}"


def _asked(node: ast.expr) -> list[tuple[str, bool]]:
    """The keys that an argument of `say` may be: whole, or how they start."""
    if isinstance(node, ast.Constant):
        return [(str(node.value), False)]
    if isinstance(node, ast.IfExp):
        return _asked(node.body) + _asked(node.orelse)
    if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
        return [(str(node.values[0].value), True)]
    return []


def test_every_message_is_used() -> None:
    whole, starts = used()
    idle = [
        key
        for key in catalogue(DEFAULT)
        if key.startswith(OURS) and key not in whole and not any(key.startswith(start) for start in starts)
    ]
    assert not idle


def test_messages_are_told_apart_from_other_texts() -> None:
    """The scan above sees something: a key, one that is put together, and one of a table."""
    whole, starts = used()
    assert "event.uses" in whole and "label." in starts and "face." in starts


def test_messages_may_be_exported() -> None:
    english, french = messages_for("en", "count."), messages_for("fr-CA", "count.")
    assert english["count.stars"] == {"zero": "no Stars", "one": "{n} Star", "other": "{n} Stars"}
    assert french["count.stars"] == {"one": "{n} Étoile", "other": "{n} Étoiles"}
    assert messages_for("en", "ui.").keys() == messages_for("fr", "ui.").keys()
    assert all(key.startswith("ui.") for key in messages_for("en", "ui."))
