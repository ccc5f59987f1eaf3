"""Names of things with their articles, so that a sentence of any language comes out right."""

from __future__ import annotations

import re
import unicodedata
from typing import Self

CONTRACTED = {"of": (("le ", "du "), ("les ", "des ")), "to": (("le ", "au "), ("les ", "aux "))}
BEFORE = {"of": "de ", "to": "à "}
ELIDES = re.compile(r"[aeiouœæ]|y(?![aeiou])", re.IGNORECASE)
"""What `de` loses its vowel before, accents apart: `d'Ève`, `d'Yves`, but `de Yann`."""


class Name(str):
    """A name that a message may ask for in other forms: `{card}`, `{card.the}`, `{card.of}`, `{card.to}`.

    `the` is the name with its article: `the Scout`, `l'Éclaireur`. In French `of` and `to` follow from it: `du Soldat`,
    `de l'Éclaireur`, `aux Jumelles`. In English they are `of the Scout` and `to the Scout`.
    """

    the: str
    of: str
    to: str

    def __new__(cls, name: str, the: str = "", language: str = "en") -> Self:
        found = super().__new__(cls, name)
        if language == "fr":
            found.the = the or name
            found.of, found.to = (_contract(found.the, case) for case in ("of", "to"))
        else:
            found.the = the or f"the {name}"
            found.of, found.to = f"of {found.the}", f"to {found.the}"
        return found


def _contract(the: str, case: str) -> str:
    for article, contracted in CONTRACTED[case]:
        if the.startswith(article):
            return contracted + the.removeprefix(article)
    if case == "of" and ELIDES.match(unicodedata.normalize("NFD", the)):
        return "d'" + the
    return BEFORE[case] + the
