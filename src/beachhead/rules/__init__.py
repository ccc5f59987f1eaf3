"""The rule register: every rule of the five rulebooks in our own words, each with an id that code and tests cite.

The register is data, one TOML file per book under `register/`; the head of each file explains its keys.
It is read on the first question, not at import.
"""

from __future__ import annotations

import re
import textwrap
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Literal

from beachhead.core.errors import BeachheadError

BOOKS: Mapping[str, str] = MappingProxyType(
    {
        "base-first": "D-Day Dice, first edition",
        "base-second": "D-Day Dice, second edition",
        "atlantikwall": "Atlantikwall",
        "overlord": "Overlord",
        "pocket": "D-Day Dice Pocket",
        "way-to-hell": "Way to Hell",
    }
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
    """Every rule by id, in the order of the books."""
    folder = files(__name__) / "register"
    rules: dict[str, Rule] = {}
    for book in BOOKS:
        for entry in tomllib.loads((folder / f"{book}.toml").read_text(encoding="utf-8"))["rule"]:
            rule = _read(book, entry)
            if rule.id in rules:
                raise ValueError(f"{book}.toml: {rule.id} is there twice")
            rules[rule.id] = rule
    return MappingProxyType(rules)


def _read(book: str, entry: dict[str, Any]) -> Rule:
    for key, value in entry.items():
        if isinstance(value, str):
            entry[key] = " ".join(value.split())
    section = entry.pop("section", None) or entry["id"].split("-", 1)[1].rsplit("-", 1)[0]
    return Rule(book=book, section=section, text=entry.pop("rule"), **entry)


def rule(rule_id: str) -> Rule:
    """The rule of that id (capitals do not matter); an unknown id is an error that names the nearest ones."""
    rules = register()
    wanted = rule_id.strip().upper()
    if wanted in rules:
        return rules[wanted]
    near = get_close_matches(wanted, rules, n=3)
    hint = f"Did you mean {' or '.join(near)}?" if near else "An id looks like F-ROLL-01; search finds it by words."
    raise BeachheadError(f"no rule {rule_id!r} in the register. {hint}")


def search(words: Sequence[str]) -> list[Rule]:
    """The rules that hold every word in id, title, text or note, best first.

    A word counts where it is best: title, then id, text, note; and at each place the start of a word
    before the middle of one.
    """
    wanted = [word.casefold() for word in words]
    ranked: list[tuple[int, Rule]] = []
    for found in register().values():
        places = [place.casefold() for place in (found.title, found.id, found.text, found.note or "")]
        ranks = [_rank(word, places) for word in wanted]
        if None not in ranks:
            ranked.append((sum(filter(None, ranks)), found))
    return [found for _, found in sorted(ranked, key=lambda pair: pair[0])]


def _rank(word: str, places: list[str]) -> int | None:
    for rank, place in enumerate(places):
        if word in place:
            return 2 * rank + (re.search(rf"(?<!\w){re.escape(word)}", place) is None)
    return None


_BASIS = {
    "inferred": "Inferred: follows from the text of the rulebook, but is not spelled out there.",
    "reconstructed": "Reconstructed: the printed text is lost; rebuilt from other evidence.",
}
_SOURCE_MARKS = {
    "(gap)": "Our own rule: the rulebook is silent here.",
    "(implied)": _BASIS["inferred"],
    "(consequence)": _BASIS["inferred"],
}
_ORIGINS = {
    "printed": "printed in the rulebook",
    "rulebook": "printed in the rulebook",
    "derived": "worked out from the rule",
    "mixed": "partly printed, partly worked out",
}


def show(rule: Rule) -> str:
    """One rule as plain text for a terminal."""
    return "\n\n".join(_paragraphs(rule))


def _paragraphs(rule: Rule) -> Iterator[str]:
    yield f"{rule.id}  {rule.title}\n{BOOKS[rule.book]}, {rule.section}"
    yield _wrap(rule.text)
    examples = rule.example if isinstance(rule.example, list) else [rule.example]
    for example in examples:
        if isinstance(example, dict):
            facts = {key: value for key, value in example.items() if key != "origin"}
            origin = _ORIGINS[str(example.get("origin", "printed"))]
            yield f"Example ({origin})\n" + _table(facts["data"] if facts.keys() == {"data"} else facts)
    for title, data in (
        ("Numbers for a test", rule.test_hint),
        ("Card", rule.card),
        ("Regular Specialists", rule.specialists_regular),
        ("Unique Specialists", rule.specialists_unique),
        ("Special Items", rule.items_special),
        ("Items in Sectors", rule.items_in_sector),
        ("Vehicles", rule.vehicles),
    ):
        if data is not None:
            yield f"{title}\n{_table(data)}"
    if rule.note:
        yield _wrap(f"Note: {rule.note}")
    yield from map(_wrap, _other_edition(rule))
    basis = _BASIS.get(rule.basis or "")
    yield "\n".join(map(_wrap, filter(None, [basis or _marked(rule.source), f"Source: {rule.source}"])))


def _other_edition(rule: Rule) -> Iterator[str]:
    if rule.same_as:
        yield f"Same as {rule.same_as} of the first edition."
    if rule.changed_from:
        yield f"Changed from {rule.changed_from} of the first edition: {rule.change}."
    for other in register().values():
        if other.same_as == rule.id:
            yield f"Second edition: the same, see {other.id}."
        if other.changed_from == rule.id:
            yield f"Second edition: changed, see {other.id}: {other.change}."


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
        lines = [_inline(data) or "none"]
    return "\n".join(_wrap(line, "  ", "    ") for line in lines)


def _inline(data: Data, nested: bool = False) -> str:
    if isinstance(data, bool):
        return "yes" if data else "no"
    if isinstance(data, dict):
        inner = ", ".join(f"{_words(key)} = {_inline(value, True)}" for key, value in data.items())
    elif isinstance(data, list):
        inner = ", ".join(_inline(item, True) for item in data)
    else:
        return str(data)
    return f"({inner})" if nested else inner


def _words(key: str) -> str:
    return key.replace("_", " ")
