"""The catalogues: `en.toml`, `fr.toml`, and beside them every `NAME-en.toml` and `NAME-fr.toml` of this folder.

A file is made of tables; `[event] uses = "..."` is the message `event.uses`, and tables may lie in tables. A message is

- a text with places to fill: `"{who} uses {card.the}"`. A place is the name of an argument, with a form of it behind a
  dot where the argument is a `Name` (`the`, `of`, `to`). `{{` and `}}` are braces.
- or forms by number, chosen by the argument `n`: `{ one = "{n} Soldier", other = "{n} Soldiers" }`. English says `one`
  of 1, French of 0 and 1; a `zero` is said of 0 where there is one. `other` is always there.

All languages have the same keys and the same places. In French the blank before `: ; ? !` and inside guillemets is made
one at which no line breaks. The language `xx` is English with accents and longer: what is not in the catalogue shows.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
LANGUAGES = {"en": "English", "fr": "Français"}
"""Languages that people may choose, each by its own name."""
DEFAULT = "en"
PSEUDO = "xx"

Form = str | dict[str, str]
"""A message: a text, or texts by number (`zero`, `one`, `other`)."""
NUMBERS = frozenset(("zero", "one", "other"))

PLACE = re.compile(r"\{(\w+)(?:\.(\w+))?\}|\{\{|\}\}")

strict = False
"""For tests: a missing key, argument or form raises KeyError."""


def known(locale: str) -> str:
    """The language of ours that this locale asks for: `fr_FR.UTF-8` is French, what we do not speak is English."""
    found = re.split(r"[-_.@]", locale.strip().lower())[0]
    return found if found in LANGUAGES or found == PSEUDO else DEFAULT


@cache
def catalogue(language: str) -> dict[str, Form]:
    """All messages of a language by key."""
    if language == PSEUDO:
        return {key: _each(form, pseudo) for key, form in catalogue(DEFAULT).items()}
    found: dict[str, Form] = {}
    for path in sorted(FOLDER.glob("*.toml")):
        if path.stem == language or path.stem.endswith(f"-{language}"):
            for key, form in _flat(tomllib.loads(path.read_text(encoding="utf-8")), ""):
                if key in found:
                    raise ValueError(f"{path.name}: {key} is said twice in {language}")
                found[key] = _each(form, french_blanks) if language == "fr" else form
    return found


def _flat(table: Mapping[str, Any], before: str) -> list[tuple[str, Form]]:
    found: list[tuple[str, Form]] = []
    for name, value in table.items():
        if isinstance(value, str) or ("other" in value and NUMBERS.issuperset(value)):
            found.append((before + name, value))
        else:
            found += _flat(value, f"{before}{name}.")
    return found


def _each(form: Form, change: Any) -> Form:
    return change(form) if isinstance(form, str) else {name: change(text) for name, text in form.items()}


def fill(language: str, key: str, form: Form | None, args: Mapping[str, Any]) -> str:
    """A message with its places filled."""
    if form is None:
        if strict:
            raise KeyError(f"{key} is not in the catalogue of {language}")
        form = catalogue(DEFAULT).get(key, key)
    said = []
    for text, name, case in _pieces(form if isinstance(form, str) else form[number(language, form, args.get("n", 2))]):
        said.append(text)
        if name:
            value = args.get(name)
            found = getattr(value, case, None) if case else value
            if found is None:
                if strict:
                    raise KeyError(f"{key} asks for {name}{case and '.'}{case}")
                found = name if value is None else value
            said.append(str(found))
    return "".join(said)


@cache
def _pieces(text: str) -> tuple[tuple[str, str, str], ...]:
    """A text cut at its places: what comes before each, its argument, the form of it."""
    found = []
    at, before = 0, ""
    for place in PLACE.finditer(text):
        before += text[at : place.start()]
        at = place.end()
        if place[1]:
            found.append((before, place[1], place[2] or ""))
            before = ""
        else:
            before += place[0][0]
    return (*found, (before + text[at:], "", ""))


def number(language: str, form: Mapping[str, str], n: Any) -> str:
    """Which form of a message is said of so many."""
    try:
        many = abs(int(n))
    except (TypeError, ValueError):
        return "other"
    if many == 0 and "zero" in form:
        return "zero"
    one = many <= 1 if language == "fr" else many == 1
    return "one" if one and "one" in form else "other"


def places(form: Form) -> set[str]:
    """The arguments that a message asks for."""
    texts = [form] if isinstance(form, str) else form.values()
    return {found[1] for text in texts for found in PLACE.finditer(text) if found[1]}


HELD = "\u00a0"


def french_blanks(text: str) -> str:
    """With blanks that hold before the tall signs and inside guillemets."""
    text = re.sub(r" ([:;?!»])", HELD + r"\1", text)
    return text.replace("« ", "«" + HELD)


ACCENTED = str.maketrans(
    "aceginorsuyACEGINORSUYdlthkwzDLTHKWZbfmpvBFMPVjJqQxX", "àćéğíñöřšûýÀĆÉĞÍÑÖŘŠÛÝďĺťĥķŵžĎĹŤĤĶŴŽƀƒɱƥṽƁƑṀṖṼĵĴɋɊẋẊ"
)


@cache
def pseudo(text: str) -> str:
    """English that is seen to come from a catalogue: accents on every letter, and two fifths longer."""
    parts = []
    at = 0
    for found in PLACE.finditer(text):
        parts += [text[at : found.start()].translate(ACCENTED), found[0]]
        at = found.end()
    parts.append(text[at:].translate(ACCENTED))
    bare = PLACE.sub("", text)
    long = "~" * round(0.4 * len(bare)) if re.search(r"\w", bare) else ""
    return "".join(parts) + long
