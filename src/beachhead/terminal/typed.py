"""What a person types, and which answer it means.

An answer may be given by its number in the list, by its key, by the start of a key or of its words in any order, or for
sets of dice by the names of the dice. Signs between words do not matter: `rally medic` is `rally:medic`, `R1 W2` is
`roll:R1,W2`, `give 2 star` is `give:stars=2`, and `trade 3` is `trade:U3`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Sequence
from typing import NamedTuple

from ..core.errors import Invalid
from ..landing.dice import DICE
from ..landing.outline import dice_keys, dice_of
from ..say import language, say

NO_DICE = ("none", "stop", "no", "nothing", "-")


class Offer(NamedTuple):
    """The answers to one question in the order of their numbers: those that are listed, then the sets of dice."""

    keys: tuple[str, ...]
    listed: int
    verb: str
    """The verb of the sets of dice (`lock`, `roll` ...), or the empty text where there are none."""

    @property
    def dice_keys(self) -> tuple[str, ...]:
        return self.keys[self.listed :]

    def sizes(self) -> tuple[int, int]:
        """How many dice are to be named, at least and at most."""
        found = [len(dice_of(key)) for key in self.dice_keys]
        return min(found), max(found)


def offer(keys: Sequence[str]) -> Offer:
    """Sort the answers of a question: sets of dice come last."""
    verb, dice = dice_keys(tuple(keys))
    others = [key for key in keys if key not in dice]
    return Offer((*others, *dice), len(others), verb)


def understand(
    text: str,
    offer: Offer,
    refused: Iterable[str],
    label: Callable[[str], str] = str,
    numbered: Container[int] | None = None,
    hint: str = "",
) -> str:
    """The key that is meant, legal or `refused`. Raises Invalid if there is none, or several.

    Keys are English. In another language the words of an answer, its `label`, do as well. `numbered` are the numbers
    under which answers were shown, else all; `hint` says what else can be typed.
    """
    text = text.strip()
    if text in offer.keys:
        return text
    if re.fullmatch("[+-]?[0-9]{1,6}", text):
        number = int(text)
        if not 1 <= number <= len(offer.keys):
            raise Invalid(say("typed.no-number", n=number, many=len(offer.keys)))
        if numbered is not None and number not in numbered:
            raise Invalid(" ".join(filter(None, (say("typed.not-listed", n=number), hint))))
        return offer.keys[number - 1]
    if offer.verb and (key := _dice_key(text, offer)):
        return key
    for keys in (offer.keys, tuple(refused)):
        found = _matches(text, keys)
        if len(found) == 1:
            return found[0]
        if found:
            raise Invalid(say("typed.several", text=text, keys=_some(found)))
    if language() != "en":
        found = _said(text, {key: label(key) for key in offer.keys[: offer.listed]})
        if len(found) == 1:
            return found[0]
        if found:
            raise Invalid(say("typed.several", text=text, keys=_some(found)))
    raise Invalid(say("typed.none", text=text[:40]))


def _said(text: str, labels: dict[str, str]) -> list[str]:
    """The keys whose labels have all these words, or words that start so; of several those that name the least."""
    said = [word.rstrip("s") for word in plain(text).split()]
    found = [key for key, label in labels.items() if said and _names(said, plain(label).split())]
    least = min((key.count(",") for key in found), default=0)
    return [key for key in found if key.count(",") == least]


def _dice_key(text: str, offer: Offer) -> str:
    """The set of dice that is named, even if it is not legal; the empty text if this is no list of dice."""
    words = [word for word in re.split(r"[\s,:+]+", text.upper()) if word]
    verb = offer.verb
    kept = bool(words) and _means(words[0], "keep") and "stop" in offer.keys
    if words and (kept or _means(words[0], verb)):
        words = words[1:]
    offered = {die for key in offer.dice_keys for die in dice_of(key)}
    if len(words) == 1 and _means(words[0], "all"):
        words = [*offered]
    if len(words) == 1 and (words[0].lower() in NO_DICE or _means(words[0], "none")):
        return next((key for key in ("stop", f"{verb}:none") if key in offer.keys), "")
    if not words or not all(word in DICE for word in words):
        return ""
    named = set(words)
    if kept:
        named = offered - named
    return f"{verb}:{','.join(die for die in DICE if die in named)}" if named else "stop"


def _means(word: str, verb: str) -> bool:
    """Is this word that verb, in English or in the language that is spoken?"""
    return plain(word) in (verb, plain(say(f"verb.{verb}")))


def _matches(text: str, keys: Sequence[str]) -> list[str]:
    """The keys that this text names best: whole, by their start, by what comes after the verb."""
    wanted = plain(text)
    if not wanted:
        return []
    whole = {key: plain(key) for key in keys}
    rest = {key: plain(key.partition(":")[2]) for key in keys}
    for names, exact in ((whole, True), (rest, True), (whole, False), (rest, False)):
        found = [key for key, name in names.items() if (name == wanted if exact else name.startswith(wanted))]
        if found:
            return found
    said = wanted.split()
    found = [key for key, name in whole.items() if _names(said, name.split())]
    return [key for key in found if len(whole[key].split()) == len(said)] or found


def _names(said: Sequence[str], words: list[str]) -> bool:
    """Is each of these words the start of another word of the key? A number is meant as it is, or as that of a Unit."""
    left = list(words)
    for one in said:
        fits = [word for word in left if (word in (one, f"u{one}") if one.isdecimal() else word.startswith(one))]
        if not fits:
            return False
        left.remove(one if one in fits else fits[0])
    return True


def faces(line: str, known: Sequence[tuple[int, str, str]], n: int) -> list[int]:
    """The values of so many dice, typed as numbers of the list (also without blanks between) or by the start of their
    names; a name of several words (`2 Soldiers`) is typed whole. Raises Invalid.
    """
    given = re.findall(r"[^\s,;]+", line)
    if len(given) == 1 and re.fullmatch("[0-9]+", line):
        given = list(line)
    whole = {tuple(_single(words).split()): value for value, _, words in known if len(plain(words).split()) > 1}
    found = []
    while given:
        said = next((name for name in whole if name == tuple(map(_single, given[: len(name)]))), ())
        if said:
            found.append(whole[said])
            given = given[len(said) :]
            continue
        one = given.pop(0)
        if one.isdecimal() and len(one) == 1 and 1 <= int(one) <= len(known):
            found.append(known[int(one) - 1][0])
            continue
        named = [(value, {plain(name), plain(words)}) for value, name, words in known]
        fits = [value for value, names in named if plain(one) in names]
        fits = fits or [value for value, names in named if any(name.startswith(plain(one) or "-") for name in names)]
        if len(fits) != 1:
            raise Invalid(say("own-dice.no-face", text=one, n=len(known)))
        found += fits
    if len(found) != n:
        raise Invalid(say("own-dice.count", n=n, given=len(found)))
    return found


def _single(text: str) -> str:
    """The words of a text without the endings of the plural."""
    return " ".join(word.rstrip("s") for word in plain(text).split())


def plain(text: str) -> str:
    """The words of a text without case, accents and signs."""
    bare = "".join(sign for sign in unicodedata.normalize("NFD", text.casefold()) if not unicodedata.combining(sign))
    return " ".join(re.findall(r"\w+", bare))


def _some(keys: Sequence[str], most: int = 6) -> str:
    shown = ", ".join(keys[:most])
    return say("typed.some-more", keys=shown, n=len(keys) - most) if len(keys) > most else shown
