"""The rule register: every rule of the five rulebooks in our own words, each with an id that code and tests cite.

The register is data, one TOML file per book under `register/`; the head of each file explains its keys.
It is read on the first question, not at import. Beside them, `register/fr/` has the texts of books in French by the ids
of their rules; what is not there is read in English.
"""

from __future__ import annotations

import re
import textwrap
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Literal

from beachhead.core.errors import BeachheadError
from beachhead.say import Table, either, language, messages_for, say, speaking, tidy

BOOKS: Mapping[str, str] = Table(
    "rules.book", ("base-first", "base-second", "atlantikwall", "overlord", "pocket", "way-to-hell")
)
"""The register files, by stem, and what people call them."""

Data = str | int | float | bool | list["Data"] | dict[str, "Data"]
"""Plain data of an example, card or list. A key that is not there means: not known, or there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule. `basis` is None where the rulebook states it."""

    id: str
    title: str
    text: str
    book: str
    section: str
    source: str
    note: str | None = None
    basis: Literal["inferred", "reconstructed"] | None = None
    same_as: str | None = None
    changed_from: str | None = None
    change: str | None = None
    example: Data | None = field(default=None, hash=False)
    test_hint: Data | None = field(default=None, hash=False)
    card: Data | None = field(default=None, hash=False)
    specialists_regular: Data | None = field(default=None, hash=False)
    specialists_unique: Data | None = field(default=None, hash=False)
    items_special: Data | None = field(default=None, hash=False)
    items_in_sector: Data | None = field(default=None, hash=False)
    vehicles: Data | None = field(default=None, hash=False)


@cache
def register() -> Mapping[str, Rule]:
    """Every rule by id, in the order of the books, in English."""
    folder = files(__name__) / "register"
    rules: dict[str, Rule] = {}
    for book in BOOKS:
        for entry in tomllib.loads((folder / f"{book}.toml").read_text(encoding="utf-8"))["rule"]:
            rule = _read(book, entry)
            if rule.id in rules:
                raise ValueError(f"{book}.toml: {rule.id} is there twice")
            rules[rule.id] = rule
    return MappingProxyType(rules)


@cache
def translated(spoken: str) -> Mapping[str, Rule]:
    """The register in a language, as far as it is translated."""
    rules = dict(register())
    folder = files(__name__) / "register" / spoken
    for book in BOOKS if folder.is_dir() else ():
        file = folder / f"{book}.toml"
        for rule_id, entry in tomllib.loads(file.read_text(encoding="utf-8")).items() if file.is_file() else ():
            if isinstance(entry, dict):
                with speaking(spoken):
                    rules[rule_id] = _in_words(rules[rule_id], entry)
    return MappingProxyType(rules)


def _in_words(rule: Rule, entry: dict[str, Any]) -> Rule:
    words: dict[str, Any] = {}
    for name, it in entry.items():
        words[name] = tidy(" ".join(it.split())) if isinstance(it, str) else it
    if "rule" in words:
        words["text"] = words.pop("rule")
    return replace(rule, **words)


def _read(book: str, entry: dict[str, Any]) -> Rule:
    for key, value in entry.items():
        if isinstance(value, str):
            entry[key] = " ".join(value.split())
    section = entry.pop("section", None) or entry["id"].split("-", 1)[1].rsplit("-", 1)[0]
    return Rule(book=book, section=section, text=entry.pop("rule"), **entry)


def rule(rule_id: str) -> Rule:
    """The rule of that id (capitals do not matter), in the language that is spoken; an unknown id is an error that
    names the nearest ones.
    """
    rules = translated(language())
    wanted = rule_id.strip().upper()
    if wanted in rules:
        return rules[wanted]
    near = get_close_matches(wanted, rules, n=3)
    hint = say("rules.near", ids=either(near)) if near else say("rules.looks-like")
    raise BeachheadError(say("rules.unknown", id=rule_id, hint=hint))


def search(words: Sequence[str]) -> list[Rule]:
    """The rules that hold every word in id, title, text or note, in the language that is spoken, best first.

    A word counts where it is best: title, then id, text, note; and at each place the start of a word
    before the middle of one. Capitals and accents do not matter.
    """
    wanted = [_folded(word) for word in words]
    ranked: list[tuple[int, Rule]] = []
    for found, places in _places(language()):
        ranks = [_rank(word, places) for word in wanted]
        if None not in ranks:
            ranked.append((sum(filter(None, ranks)), found))
    return [found for _, found in sorted(ranked, key=lambda pair: pair[0])]


@cache
def _places(spoken: str) -> list[tuple[Rule, list[str]]]:
    """Every rule with the texts that are searched."""
    return [
        (found, [_folded(place) for place in (found.title, found.id, found.text, found.note or "")])
        for found in translated(spoken).values()
    ]


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.casefold()).replace("\u2019", "'").replace("œ", "oe")
    return "".join(sign for sign in plain if not unicodedata.combining(sign))


def _rank(word: str, places: list[str]) -> int | None:
    for rank, place in enumerate(places):
        if word in place:
            return 2 * rank + (re.search(rf"(?<!\w){re.escape(word)}", place) is None)
    return None


_SOURCE_MARKS = {"(gap)": "gap", "(implied)": "inferred", "(consequence)": "inferred"}
"""How the source of a rule ends -> what is said of it."""
_TABLES = (
    "test_hint",
    "card",
    "specialists_regular",
    "specialists_unique",
    "items_special",
    "items_in_sector",
    "vehicles",
)


def section_name(rule: Rule) -> str:
    """The part of the book that a rule belongs to; its short name where it has no other."""
    if found := re.fullmatch(r"MAP-N(\d+)", rule.section):
        return say("rules.map", number=f"N-{found[1]}")
    key = f"rules.section.{rule.section}"
    return say(key) if key in messages_for(language(), key) else rule.section


def show(rule: Rule) -> str:
    """One rule as plain text for a terminal."""
    return "\n\n".join(_paragraphs(rule))


def _paragraphs(rule: Rule) -> Iterator[str]:
    yield f"{rule.id}  {rule.title}\n{BOOKS[rule.book]}, {section_name(rule)}"
    yield _wrap(rule.text)
    examples = rule.example if isinstance(rule.example, list) else [rule.example]
    for example in examples:
        if isinstance(example, dict):
            facts = {key: value for key, value in example.items() if key != "origin"}
            origin = say(f"rules.origin.{example.get('origin', 'printed')}")
            yield (
                say("rules.example", origin=origin)
                + "\n"
                + _table(facts["data"] if facts.keys() == {"data"} else facts)
            )
    for name in _TABLES:
        data = getattr(rule, name)
        if data is not None:
            yield f"{say(f'rules.table.{name}')}\n{_table(data)}"
    if rule.note:
        yield _wrap(say("rules.note", note=rule.note))
    yield from map(_wrap, _other_edition(rule))
    basis = rule.basis or _marked(register()[rule.id].source)
    said = [say(f"rules.basis.{basis}")] if basis else []
    yield "\n".join(map(_wrap, [*said, say("rules.source", source=rule.source)]))


def _other_edition(rule: Rule) -> Iterator[str]:
    if rule.same_as:
        yield say("rules.same-as", id=rule.same_as)
    if rule.changed_from:
        yield say("rules.changed-from", id=rule.changed_from, change=rule.change)
    for other in translated(language()).values():
        if other.same_as == rule.id:
            yield say("rules.second-same", id=other.id)
        if other.changed_from == rule.id:
            yield say("rules.second-changed", id=other.id, change=other.change)


def _marked(source: str) -> str | None:
    return next((words for mark, words in _SOURCE_MARKS.items() if source.endswith(mark)), None)


def _wrap(text: str, first: str = "", rest: str = "") -> str:
    return textwrap.fill(text, 88, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)


def _table(data: Data) -> str:
    """Plain data as indented lines: one per key of a table, one per table of a list."""
    if isinstance(data, dict):
        lines = [f"{_words(key)}: {_inline(value)}" for key, value in data.items()]
    elif isinstance(data, list) and any(isinstance(item, dict) for item in data):
        lines = [f"- {_inline(item)}" for item in data]
    else:
        lines = [_inline(data) or say("rules.none")]
    return "\n".join(_wrap(line, "  ", "    ") for line in lines)


def _inline(data: Data, nested: bool = False) -> str:
    if isinstance(data, bool):
        return say("rules.yes" if data else "rules.no")
    if isinstance(data, dict):
        inner = ", ".join(f"{_words(key)} = {_inline(value, True)}" for key, value in data.items())
    elif isinstance(data, list):
        inner = ", ".join(_inline(item, True) for item in data)
    else:
        return str(data)
    return f"({inner})" if nested else inner


def _words(key: str) -> str:
    return key.replace("_", " ")
