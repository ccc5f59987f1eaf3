"""What lies in the box: beaches, Specialists and Medals, read from the packs (`packs/pocket/*.toml`), and what is said
of them in other languages (`packs/pocket/words/*.toml`).

A Specialist's ability:

    change            every player may change the result of one die
    recolour          every player may change the colour of one die
    remake            every player may give one die that shows `face` any colour and result
    add               a result `face` without a colour is added to every player's tally
    straight-clears   a Straight clears the sector for its player
    clear             sacrifice: the sector is cleared for one player
    restart           sacrifice: everybody plays the sector again from step 3

A Medal's ability: `advance`, `again` (the skirmish, from step 1), `axis` (change an Axis die), `die` (change an Allied
die), `win` (and retreat), `worthless` (no points), `field` (set the battlefield die).

A sector is a list of effects; `EFFECTS` tells what each needs. With `with` or `without` an effect holds only if that
Specialist is with the squad, or is not: on arrival, and for effects on the next sector at the end of step 6.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from ..content.library import PACKS, POCKET, document, named_packs, own_packs, pack_files
from ..content.toml import Document, decode
from ..core.errors import ContentError, Fault
from ..core.plain import essence, to_json
from ..landing.dice import COLOURS, FACE
from ..rules import register
from ..say import PSEUDO, Name, language, pseudo, tidy

Basis = Literal["printed", "certain", "high", "medium", "reconstructed"]
"""How well a card is known: in the rulebook, read from photographs, or not seen and made by us."""
STRAIGHT = "straight"
SECTORS = 6

EFFECTS: dict[str, tuple[str, ...]] = {
    "no-rally": (),
    "rwb-or-replay": (),
    "rwb-adds-axis": ("n",),
    "lose-specialist": (),
    "more-axis": ("n",),
    "axis": ("n",),
    "add-axis": ("face",),
    "ignore-face": ("face",),
    "double-face": ("face",),
    "keep-face": ("face",),
    "keep-colour": ("colour",),
    "blind-colour": ("colour",),
    "fewer-dice": ("n",),
    "fewer-per-axis": ("face",),
    "rerolls": ("n",),
    "most-rerolled": ("n",),
    "kommandant": (),
    "twice": (),
    "more-axis-next": ("n",),
    "kommandant-next": (),
    "use-bars-next": (),
    "rally-or-bar-next": (),
    "lose-per-axis": ("face",),
    "lose-if-axis": ("face",),
    "rwb-loses": (),
    "need-specialists": ("n",),
    "scatter": (),
    "sacrifice-bars": (),
}
"""Effects of sectors, and what each needs."""


@dataclass(frozen=True, slots=True)
class Effect:
    do: str
    n: int = 0
    face: str = ""
    colour: str = ""
    with_: str = field(default="", metadata={"key": "with"})
    without: str = ""

    def check(self) -> Iterable[tuple[str, str]]:
        if self.do not in EFFECTS:
            yield "do", f"unknown effect {self.do!r}: expected one of {', '.join(EFFECTS)}"
            return
        for name in ("n", "face", "colour"):
            if bool(getattr(self, name)) != (name in EFFECTS[self.do]):
                yield name, f"{self.do!r} needs {' and '.join(EFFECTS[self.do]) or 'nothing'}"
        if self.face and self.face not in FACE:
            yield "face", f"{self.face!r} is no face: expected one of {', '.join(FACE)}"
        if self.colour and self.colour not in COLOURS[:3]:
            yield "colour", f"{self.colour!r} is no colour: expected red, white or blue"
        if not 0 <= self.n <= SECTORS:
            yield "n", f"expected a number from 1 to {SECTORS}"


@dataclass(frozen=True, slots=True)
class Sector:
    text: str
    effects: tuple[Effect, ...]
    rule: str = "N-ADVBEACH-01"
    basis: Basis = "printed"
    note: str = ""


NO_SECTOR = Sector("", (), "E-BEACHDIE-03")
"""A sector of the basic game that is no Gantlet."""


@dataclass(frozen=True, slots=True)
class Beach:
    id: str
    name: str
    gantlet: Sector
    sector: tuple[Sector, ...]

    def check(self) -> Iterable[tuple[str, str]]:
        if len(self.sector) != SECTORS:
            yield "sector", f"expected {SECTORS} sectors, got {len(self.sector)}"


@dataclass(frozen=True, slots=True)
class Specialist:
    id: str
    name: str
    rwb: str
    kind: Literal["permanent", "sacrifice"]
    ability: Literal["change", "recolour", "remake", "add", "straight-clears", "clear", "restart"]
    text: str
    basis: Basis
    face: str = ""
    note: str = ""

    def check(self) -> Iterable[tuple[str, str]]:
        if self.rwb != STRAIGHT and self.rwb not in FACE:
            yield "rwb", f"{self.rwb!r} is no symbol: expected straight or one of {', '.join(FACE)}"
        if (self.ability in ("remake", "add")) != (self.face in FACE):
            yield "face", "expected a face for remake and add, and for nothing else"
        if (self.kind == "sacrifice") != (self.ability in ("clear", "restart")):
            yield "kind", "expected sacrifice for clear and restart, and for nothing else"


@dataclass(frozen=True, slots=True)
class Medal:
    id: str
    name: str
    rwb: str
    turn: Literal["own", "other", "any"]
    ability: Literal["advance", "again", "axis", "die", "win", "worthless", "field"]
    text: str
    basis: Basis
    note: str = ""

    def check(self) -> Iterable[tuple[str, str]]:
        if self.rwb != STRAIGHT and self.rwb not in FACE:
            yield "rwb", f"{self.rwb!r} is no symbol: expected straight or one of {', '.join(FACE)}"
        if self.turn != "own" and self.ability in ("again", "die", "win"):
            yield "turn", f"{self.ability!r} is for one's own turn"


@dataclass(frozen=True, slots=True)
class BoxFile:
    format: Literal[1]
    beach: tuple[Beach, ...] = ()
    specialist: tuple[Specialist, ...] = ()
    medal: tuple[Medal, ...] = ()


@dataclass(frozen=True, slots=True)
class Words:
    name: str
    the: str = ""
    text: str = ""
    gantlet: str = ""
    sectors: tuple[str, ...] = ()

    def check(self) -> Iterable[tuple[str, str]]:
        if len(self.sectors) not in (0, SECTORS):
            yield "sectors", f"expected {SECTORS} sectors, got {len(self.sectors)}"


@dataclass(frozen=True, slots=True)
class WordFile:
    """`words/LANGUAGE.toml` beside the box: what is said of it in another language, by id."""

    format: Literal[1]
    cards: dict[str, Words] = field(default_factory=dict)
    beaches: dict[str, Words] = field(default_factory=dict)


class Box(NamedTuple):
    """The content of the box by id. `hash` names what it comes to in play; `changed` what of it is not as it was
    delivered: `pocket beaches utah`; `words` is what is said of it, by language.
    """

    beaches: dict[str, Beach]
    specialists: dict[str, Specialist]
    medals: dict[str, Medal]
    words: dict[str, WordFile]
    hash: str = ""
    changed: tuple[str, ...] = ()


@cache
def box() -> Box:
    """The box that comes with Beachhead; a pack of the user's with a folder `pocket` changes what it names."""
    return load_box((PACKS, *own_packs(), *named_packs()))


def load_box(folders: tuple[Path, ...]) -> Box:
    """Raises ContentError with all faults of all files."""
    found = Box({}, {}, {}, {})
    faults: list[Fault] = []
    changed: set[str] = set()
    for number, folder in enumerate(folders):
        spoken = []
        for kind, path in pack_files(folder):
            if not kind.startswith(POCKET) or (doc := document(path, faults)) is None:
                continue
            if kind != POCKET:
                spoken.append((path.stem, doc))
            elif said := decode(BoxFile, doc, faults):
                new = _put(said, found)
                changed |= new if number else set()
                faults += _rule_faults(doc, said)
        for lang, doc in spoken:
            if words := decode(WordFile, doc, faults):
                faults += _word_faults(doc, words, found)
                already = found.words.setdefault(lang, WordFile(1))
                already.cards.update(words.cards)
                already.beaches.update(words.beaches)
    known = found.specialists
    for beach in found.beaches.values():
        for effect in (effect for sector in (beach.gantlet, *beach.sector) for effect in sector.effects):
            for name in filter(None, (effect.with_, effect.without)):
                if name not in known:
                    faults.append(Fault("pocket", 0, beach.id, f"{name!r} is no Specialist of the box"))
    for kind, cards in (("Specialist", found.specialists.values()), ("Medal", found.medals.values())):
        symbols = [card.rwb for card in cards]
        for symbol in {symbol for symbol in symbols if symbols.count(symbol) > 1}:
            faults.append(Fault("pocket", 0, symbol, f"two {kind}s have this symbol: expected one for each"))
    if faults:
        raise ContentError(faults)
    text = to_json(essence([*found.beaches.values(), *found.specialists.values(), *found.medals.values()]))
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    return found._replace(hash=f"{POCKET}:{digest}", changed=tuple(sorted(changed)))


def _put(said: BoxFile, found: Box) -> set[str]:
    """Put this into the box. Tells what is other than it was; of that nothing is said any more in other languages."""
    changed = set()
    for kind, pieces in (("beaches", said.beach), ("specialists", said.specialist), ("medals", said.medal)):
        there = getattr(found, kind)
        for one in pieces:
            if there.get(one.id) != one:
                changed.add(f"{POCKET} {kind} {one.id}")
                for words in found.words.values():
                    (words.beaches if kind == "beaches" else words.cards).pop(one.id, None)
            there[one.id] = one
    return changed


def _rule_faults(doc: Document, said: BoxFile) -> Iterator[Fault]:
    for n, beach in enumerate(said.beach):
        for where, sector in (("gantlet", beach.gantlet), *((f"sector.{m}", s) for m, s in enumerate(beach.sector))):
            if sector.rule not in register():
                yield doc.fault(("beach", n, where), f"{sector.rule!r} is not in the rule register")


def _word_faults(doc: Document, words: WordFile, found: Box) -> Iterator[Fault]:
    for kind, said, known in (
        ("cards", words.cards, found.specialists.keys() | found.medals.keys()),
        ("beaches", words.beaches, found.beaches.keys()),
    ):
        yield from (doc.fault((kind, id), "there is no such content") for id in said if id not in known)


# ---------------------------------------------------------------------------------------------------- their words


def words(spoken: str) -> WordFile:
    return box().words.get(spoken) or WordFile(1)


def card_name(card: str) -> Name:
    return _card_name(card, language())


@cache
def _card_name(card: str, spoken: str) -> Name:
    if said := words(spoken).cards.get(card):
        return Name(said.name, said.the, spoken)
    found: Specialist | Medal | None = box().specialists.get(card) or box().medals.get(card)
    name = found.name if found else card.replace("-", " ").title()
    return Name(name, f"{pseudo('the')} {name}" if spoken == PSEUDO else f"the {name}")


def card_text(card: str) -> str:
    said = words(language()).cards.get(card)
    found: Specialist | Medal = box().specialists.get(card) or box().medals[card]
    return tidy(said.text) if said and said.text else _plain(found.text)


def beach_name(beach: str) -> str:
    said = words(language()).beaches.get(beach)
    return said.name if said else box().beaches[beach].name


def sector_text(beach: str, number: int, advanced: bool) -> str:
    """What is printed for this sector; "" if nothing is."""
    found = sector_of(beach, number, advanced)
    said = words(language()).beaches.get(beach)
    if not said or not found.text:
        return _plain(found.text)
    text = said.gantlet if not advanced else said.sectors[number - 1] if said.sectors else ""
    return tidy(text) if text else _plain(found.text)


def sector_of(beach: str, number: int, advanced: bool) -> Sector:
    found = box().beaches[beach]
    if advanced:
        return found.sector[number - 1]
    return found.gantlet if number == 4 else NO_SECTOR


def _plain(text: str) -> str:
    return pseudo(text) if text and language() == PSEUDO else text
