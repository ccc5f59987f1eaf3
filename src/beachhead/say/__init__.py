"""What is said to people, in their language: one catalogue for the terminal, the text view and the browser.

    with speaking("fr"):
        say("event.uses", who=unit, card=card)

The language belongs to the context that runs (a request, a socket, a terminal), so no signature carries it. What the
catalogues may say is described in `catalogue`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from .catalogue import DEFAULT, LANGUAGES, PSEUDO, Form, fill, french_blanks, known, pseudo
from .catalogue import catalogue as messages
from .names import Name

__all__ = [
    "LANGUAGES",
    "PSEUDO",
    "Name",
    "Table",
    "capital",
    "either",
    "join",
    "language",
    "language_of",
    "messages_for",
    "pseudo",
    "say",
    "speak",
    "speaking",
    "tidy",
]

_language: ContextVar[str] = ContextVar("language", default=DEFAULT)


def language() -> str:
    """The language that is spoken here."""
    return _language.get()


def speak(locale: str) -> None:
    """Speak this language from here on, to the end of the context; English if it is none of ours."""
    _language.set(known(locale))


@contextmanager
def speaking(locale: str) -> Iterator[None]:
    """Speak this language inside the `with`; English if it is none of ours. `fr-CA` and `fr_FR.UTF-8` are French."""
    before = _language.set(known(locale))
    try:
        yield
    finally:
        _language.reset(before)


def language_of(environment: Mapping[str, str] = os.environ) -> str:
    """The language that the environment asks for: BEACHHEAD_LANG, or as terminals do LC_ALL, LC_MESSAGES, LANG."""
    for name in ("BEACHHEAD_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            return known(environment[name])
    return DEFAULT


def say(key: str, /, **args: Any) -> str:
    """The message of this key in the language that is spoken. It never raises: what is missing is said in English."""
    found = messages(_language.get()).get(key)
    if type(found) is str and "{" not in found:
        return found
    return fill(_language.get(), key, found, args)


def join(parts: Sequence[str]) -> str:
    """`a, b and c`."""
    return _series(parts, "list.and")


def either(parts: Sequence[str]) -> str:
    """`a, b or c`."""
    return _series(parts, "list.or")


def _series(parts: Sequence[str], last: str) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return say(last, first=", ".join(parts[:-1]), last=parts[-1])


def capital(said: str) -> str:
    """With a capital first letter; the rest stays."""
    return said[:1].upper() + said[1:]


def tidy(text: str) -> str:
    """A text from elsewhere (a pack) with the blanks of the language that is spoken."""
    return french_blanks(text) if _language.get() == "fr" else text


class Table(Mapping[str, str]):
    """A table of the catalogue as a mapping: name -> what it is called in the language that is spoken."""

    def __init__(self, table: str, names: Iterable[str]) -> None:
        self._table = table
        self._names = tuple(names)

    def __getitem__(self, name: str) -> str:
        if name not in self._names:
            raise KeyError(name)
        return say(f"{self._table}.{name}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def messages_for(locale: str, prefix: str) -> dict[str, Form]:
    """All messages whose key starts with `prefix`, for those who fill them elsewhere: a text, or forms by number."""
    found = messages(known(locale))
    return {key: form for key, form in found.items() if key.startswith(prefix)}
