"""The record of a game: its setup, its answers and its rolls; enough to play it again and to prove it.

A record is a file of JSON lines (UTF-8) that only ever grows. The first line is the header:

    {"beachhead": 2,          the number of this format
     "game": "battle",        its name in the mapping of games
     "version": "0.1.0",      the Beachhead that began the record
     "setup": {...},          what the game was set up with
     "content": "...",        hashes of the cards and maps that the game can meet: "maps:... cards:... nations:..."
     "seed": "...",           the commitment to the first seed, see `chance`
     "start": "...",          the digest of the setup, its events and the state they led to
     "practice": true,        only where undo was free of bounds
     "dice": "own",           only where people roll dice on their table and enter them
     "changed": ["..."]}      only where packs of the players change the content: what they change

Each further line is an array whose first part names its kind:

    ["answer", seat, seq, key, digest]             a seat answered
    ["roll", stream, number, [outcome], digest]    chance answered; with a seat at the end: that seat entered the dice
    ["undo", n]                                    the last n steps that stood were taken back; they stay in the file
    ["undo", n, true]                              the same, agreed on although dice or cards had been seen since
    ["reveal", seed]                               the seed of all rolls since its commitment
    ["seal", commitment]                           a new seed holds from here on
    ["over", {"won": ...}, digest]                 the result, and the digest of the last state

Answers and rolls are the steps, counted from 1; an undo counts back. A step's digest is that of the events it led to,
so a replay names the first step that went another way. A roll belongs to the seed under which its stream and number
were first rolled: after an undo the same dice come again, also under a newer seed. Dice that were entered belong to no
seed. No file holds dice to come: a seed is revealed when the game is over or saved, and for further rolls a new one is
sealed.

Format 1 is read too. Its "content" was a hash over all files of all packs, also of those that the game never met, so
nothing can be told from it: it is read as "", and such a record is checked by its start and its steps alone.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple, NoReturn

from .. import __version__
from ..say import say
from .chance import commitment, sample
from .errors import BeachheadError, RecordError
from .game import Game, Setup
from .machine import State
from .node import Answer, Event, Node, Outcome, Over, Roll
from .plain import Plain, to_json

FORMAT = 2
OWN = "own"
"""`Header.dice` of a game whose dice are rolled on the table of its players."""


# ---- what a record is made of


class Header(NamedTuple):
    """The first line. `seed` is a commitment, never a seed."""

    game: str
    version: str
    setup: Setup
    content: str
    seed: str
    start: str
    practice: bool = False
    dice: str = ""
    changed: tuple[str, ...] = ()


class Answered(NamedTuple):
    seat: int
    seq: int
    key: str
    digest: str


class Rolled(NamedTuple):
    stream: str
    number: int
    outcome: Outcome
    digest: str
    by: int | None = None
    """The seat that entered the dice; None for sealed ones."""


class Undone(NamedTuple):
    steps: int
    agreed: bool = False
    """Dice or cards had been seen since, and the table agreed."""


class Revealed(NamedTuple):
    seed: str


class Sealed(NamedTuple):
    commitment: str


class Ended(NamedTuple):
    over: Over
    digest: str


Entry = Answered | Rolled | Undone | Revealed | Sealed | Ended


@dataclass(slots=True)
class Record:
    """A header and its entries. `source` is the file it was read from, for messages."""

    header: Header
    entries: list[Entry] = field(default_factory=list)
    source: str = field(default="", compare=False)

    def lines(self) -> Iterator[str]:
        """The text of the record, line by line, each with its line end."""
        header = {"beachhead": FORMAT} | self.header._asdict()
        for name, usual in Header._field_defaults.items():
            if header[name] == usual:
                del header[name]
        yield to_json(header) + "\n"
        for entry in self.entries:
            yield line(entry) + "\n"


def digest(value: Plain) -> str:
    """A short name for plain data: the same value has the same one in every process."""
    return hashlib.sha256(_CANONICAL(value).encode()).hexdigest()[:12]


_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode
"""The same text as `to_json` gives, from an encoder that is made once: there is a digest of every step."""


def line(entry: Entry) -> str:
    """One entry as it stands in a file, without the line end."""
    kind = _KIND_OF[type(entry)]
    if isinstance(entry, Ended):
        return to_json([kind, entry.over._asdict(), entry.digest])
    if isinstance(entry, Rolled | Undone) and not is_marked(entry):
        return to_json([kind, *entry[:-1]])
    return to_json([kind, *entry])


def is_marked(entry: Rolled | Undone) -> bool:
    """Whether its line has one part more, which says that there is no proof: dice entered, or taken back once seen."""
    return entry.by is not None if isinstance(entry, Rolled) else entry.agreed


# ---- writing


def write(record: Record, path: str | os.PathLike[str], overwrite: bool = False) -> None:
    """Write the whole record, or nothing: a file of that name is never half written, nor replaced unless asked to."""
    target = Path(path)
    try:
        if target.is_dir():
            raise RecordError(say("record.folder", path=target))
        if not overwrite and target.exists():
            raise _taken(target)
        part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
        try:
            with open(part, "x", encoding="utf-8", newline="\n") as file:
                file.writelines(record.lines())
                file.flush()
                os.fsync(file.fileno())
            if overwrite:
                os.replace(part, target)
            else:
                _put_in_place(part, target)
        finally:
            part.unlink(missing_ok=True)
        if os.name == "posix":
            folder = os.open(target.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
    except (OSError, ValueError) as error:
        raise RecordError(say("record.not-written", path=target, why=_why(error))) from None


def _put_in_place(part: Path, target: Path) -> None:
    """Give the finished file its name, unless another has taken it meanwhile."""
    try:
        os.link(part, target)
    except FileExistsError:
        raise _taken(target) from None
    except OSError:  # a file system without hard links
        os.rename(part, target)


def _taken(target: Path) -> RecordError:
    return RecordError(say("record.there", path=target))


def _why(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


# ---- reading


def read(path: str | os.PathLike[str]) -> Record:
    """The record in a file. Whether it tells of a possible game is seen by `replay`."""
    source = os.fspath(path)
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise RecordError(say("record.no-file", path=source)) from None
    except (OSError, ValueError) as error:
        raise RecordError(say("record.not-read", path=source, why=_why(error))) from None
    return parse(data, source)


def parse(data: bytes, source: str) -> Record:
    """The record in the bytes of a file; `source` names it in messages."""
    if not data:
        raise RecordError(say("record.empty", path=source))
    rows = data.split(b"\n")
    last = rows.pop()
    record = Record(_read_header(source, _decode(source, 1, rows[0] if rows else last)), [], source)
    for number, row in enumerate(rows[1:], 2):
        record.entries.append(_read_entry(source, number, _decode(source, number, row)))
    if last or not rows:
        _fail(source, len(rows) + 1, say("record.cut-off" if rows else "record.cut-off-only"))
    return record


def _fail(source: str, number: int, message: str) -> NoReturn:
    raise RecordError(f"{source}:{number}: {message}")


def _decode(source: str, number: int, row: bytes) -> Plain:
    try:
        text = row.decode()
        value = _DECODE(text)
        if "\\u" in text:
            to_json(value).encode()  # half of a surrogate pair is no text
        return value
    except UnicodeError:
        _fail(source, number, say("record.not-utf8"))
    except (ValueError, RecursionError):
        _fail(source, number, say("record.no-json-object" if number == 1 else "record.no-json-array"))


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


_DECODE = json.JSONDecoder(parse_constant=_no_number).decode


class _Part(NamedTuple):
    """One part of a line: its name, what it may be, and that in words."""

    name: str
    fits: Callable[[Plain], bool]
    expected: str
    """Which words of `record.expected` say so."""
    mark: bool = False
    """It may be missing, at the end of a line."""

    @property
    def words(self) -> str:
        return say(f"record.expected.{self.expected}")


def _is_text(value: Plain) -> bool:
    return type(value) is str


def _is_hex(value: Plain, size: int) -> bool:
    return _is_text(value) and len(value) == size and _HEX.fullmatch(value) is not None


def _is_count(value: Plain) -> bool:
    return type(value) is int and value >= 0


def _is_texts(value: Plain) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(one, str) and one.isprintable() for one in value)


def _is_faces(value: Plain) -> bool:
    return type(value) is list and all(type(face) is int or type(face) is str for face in value)


def _is_over(value: Plain) -> bool:
    return (
        type(value) is dict
        and value.keys() == set(Over._fields)
        and type(value["won"]) is bool
        and _is_text(value["cause"])
        and _is_text(value["rule"])
        and type(value["scores"]) is list
        and all(type(score) is int for score in value["scores"])
    )


_HEX = re.compile("[0-9a-f]*")
_DIGEST = _Part("digest", lambda x: _is_hex(x, 12), "hex12")
_COMMITMENT = _Part("commitment", lambda x: _is_hex(x, 64), "hex64")

_HEADER = (
    _Part("game", _is_text, "text"),
    _Part("version", _is_text, "text"),
    _Part("setup", lambda x: type(x) is dict, "object"),
    _Part("content", _is_text, "text"),
    _COMMITMENT._replace(name="seed"),
    _DIGEST._replace(name="start"),
    _Part("practice", lambda x: type(x) is bool, "bool"),
    _Part("dice", lambda x: x in ("", OWN), "own"),
    _Part("changed", _is_texts, "texts"),
)

_LINES: dict[str, tuple[_Part, ...]] = {
    "answer": (
        _Part("seat", _is_count, "count"),
        _Part("seq", _is_count, "count"),
        _Part("key", _is_text, "text"),
        _DIGEST,
    ),
    "roll": (
        _Part("stream", _is_text, "text"),
        _Part("number", _is_count, "count"),
        _Part("outcome", _is_faces, "faces"),
        _DIGEST,
        _Part("by", _is_count, "count", mark=True),
    ),
    "undo": (
        _Part("steps", lambda x: _is_count(x) and x > 0, "positive"),
        _Part("agreed", lambda x: x is True, "true", mark=True),
    ),
    "reveal": (_Part("seed", _is_text, "text"),),
    "seal": (_COMMITMENT,),
    "over": (_Part("result", _is_over, "over"), _DIGEST),
}
_MAKE: dict[str, Callable[..., Entry]] = {
    "answer": Answered,
    "roll": lambda stream, number, outcome, *rest: Rolled(stream, number, tuple(outcome), *rest),
    "undo": Undone,
    "reveal": Revealed,
    "seal": Sealed,
    "over": lambda over, mark: Ended(Over(**over | {"scores": tuple(over["scores"])}), mark),
}
_KIND_OF: dict[type[Entry], str] = {
    Answered: "answer",
    Rolled: "roll",
    Undone: "undo",
    Revealed: "reveal",
    Sealed: "seal",
    Ended: "over",
}


def _read_header(source: str, data: Plain) -> Header:
    if type(data) is not dict or "beachhead" not in data:
        _fail(source, 1, say("record.no-record", line=f'{{"beachhead":{FORMAT},...}}'))
    number = data.pop("beachhead")
    if type(number) is not int or number not in (1, FORMAT):
        if type(number) is int and number > FORMAT:
            by = f" (Beachhead {data['version']})" if _is_text(data.get("version")) else ""
            _fail(source, 1, say("record.newer", format=number, by=by, version=__version__, ours=FORMAT))
        _fail(source, 1, say("record.format", format=_short(number), ours=FORMAT))
    data = Header._field_defaults | data
    for part in _HEADER:
        if part.name not in data:
            _fail(source, 1, say("record.header-lacks", name=repr(part.name), expected=part.words))
        if not part.fits(data[part.name]):
            got = _short(data[part.name])
            _fail(source, 1, say("record.header-is", name=repr(part.name), got=got, expected=part.words))
    for name in data:
        if name not in Header._fields:
            _fail(source, 1, say("record.header-key", name=repr(name), known=", ".join(Header._fields)))
    if number == 1:
        data["content"] = ""
    return Header(**data | {"changed": tuple(data["changed"])})


def _read_entry(source: str, number: int, data: Plain) -> Entry:
    if type(data) is not list or not data:
        _fail(source, number, say("record.no-array"))
    kind, *values = data
    parts = _LINES.get(kind) if type(kind) is str else None
    if parts is None:
        _fail(source, number, say("record.no-kind", kind=_short(kind), known=", ".join(_LINES)))
    if len(values) != len(parts) and not (parts[-1].mark and len(values) == len(parts) - 1):
        parts = tuple(part for part in parts if not part.mark)
        expected = ", ".join(part.name for part in parts)
        _fail(source, number, say("record.parts", kind=kind, n=len(values), most=len(parts), expected=expected))
    for part, value in zip(parts, values, strict=False):
        if not part.fits(value):
            got = _short(value)
            _fail(source, number, say("record.part", name=part.name, kind=kind, got=got, expected=part.words))
    return _MAKE[kind](*values)


def _short(value: Plain, most: int = 60) -> str:
    text = to_json(value)
    return text if len(text) <= most else text[:most] + "..."


# ---- a game under way


class Step(NamedTuple):
    """An answer or a roll that stands. `reveals` says what it brought to light, or is "" when one may still undo it."""

    number: int
    entry: Answered | Rolled
    events: list[Event]
    reveals: str

    @property
    def given(self) -> Answer | Outcome:
        entry = self.entry
        return entry.outcome if isinstance(entry, Rolled) else Answer(entry.seat, entry.seq, entry.key)

    @property
    def seat(self) -> int | None:
        """Whose doing it was: who answered, or entered the dice; None for sealed dice."""
        return self.entry.by if isinstance(self.entry, Rolled) else self.entry.seat


def is_own(header: Header, roll: Roll) -> bool:
    """Whether this roll is made on the table of the players: any roll of common dice, where they have their own."""
    return header.dice == OWN and not roll.deck and roll.sides == 6


class Course:
    """A game under way: the state, the steps that led to it, and the way back. Clones on the way are a cache.

    `opening` holds the events of setting the game up; they are of no step.
    """

    EVERY = 20

    def __init__(self, game: Game, setup: Setup) -> None:
        self.game = game
        self.state, self.opening = game.new(setup)
        self.steps: list[Step] = []
        self._clones = [game.machine.clone(self.state)]
        """The states after 0, EVERY, 2 EVERY ... steps."""

    @property
    def node(self) -> Node:
        return self.game.machine.node(self.state)

    def take(self, given: Answer | Outcome, by: int | None = None) -> Step:
        """Apply an answer or an outcome (`by`: the seat that entered it). Raises as `apply` does, and then nothing has
        changed.
        """
        machine = self.game.machine
        node = machine.node(self.state)
        events = machine.apply(self.state, given)
        entry: Answered | Rolled
        reveals = ""
        if isinstance(given, Answer):
            entry = Answered(given.seat, given.seq, given.key, digest(events))
            if machine.reveals:
                for event in events:
                    if event.type in machine.reveals:
                        reveals = f"something hidden has come to light since ({event.type})"
                        break
        else:
            assert isinstance(node, Roll)
            entry = Rolled(node.stream, node.number, given, digest(events), by)
            what = "cards of" if node.deck else "dice of"
            done = "drawn" if node.deck else "rolled"
            reveals = f"the {what} {node.stream}:{node.number} have been {done} since"
        step = Step(len(self.steps) + 1, entry, events, reveals)
        self.steps.append(step)
        if step.number % self.EVERY == 0:
            self._clones.append(machine.clone(self.state))
        return step

    def copy(self) -> Course:
        """An equal course that goes its own way."""
        other = Course.__new__(Course)
        other.game = self.game
        other.state = self.game.machine.clone(self.state)
        other.opening = self.opening
        other.steps = self.steps[:]
        other._clones = self._clones[:]
        return other

    def at(self, count: int) -> State:
        """The state after that many of the steps that stand; the caller's own."""
        machine = self.game.machine
        near = count // self.EVERY
        state = machine.clone(self._clones[near])
        for step in self.steps[near * self.EVERY : count]:
            machine.apply(state, step.given)
        return state

    def back(self, count: int) -> None:
        """Go back to where only `count` steps stood."""
        self.state = self.at(count)
        del self.steps[count:]
        del self._clones[count // self.EVERY + 1 :]

    def barrier(self, count: int) -> Step | None:
        """The last step after the first `count` that brought something to light, if any: undo stops behind it.

        Dice that were entered stop an undo that goes further back, but may themselves be entered anew.
        """
        if count < len(self.steps) and isinstance(entry := self.steps[count].entry, Rolled) and entry.by is not None:
            count += 1
        return next((step for step in reversed(self.steps[count:]) if step.reveals), None)


@dataclass(slots=True)
class Segment:
    """The reach of one seed. `seed` is None for one who does not know it; `rolls` counts those first made under it."""

    commitment: str
    seed: str | None = field(default=None, repr=False)
    revealed: bool = False
    rolls: int = 0


class Seeds:
    """The segments of a record, and which of them each roll belongs to."""

    def __init__(self) -> None:
        self.segments: list[Segment] = []
        self._home: dict[tuple[str, int], int] = {}

    def seal(self, commitment: str, seed: str | None) -> None:
        self.segments.append(Segment(commitment, seed))

    @property
    def now(self) -> Segment:
        return self.segments[-1]

    def home(self, stream: str, number: int) -> Segment:
        """The segment of this roll: the one under which it was first made, or else the present one."""
        found = self._home.get((stream, number))
        if found is None:
            found = self._home[stream, number] = len(self.segments) - 1
            self.segments[found].rolls += 1
        return self.segments[found]

    def known(self, stream: str, number: int) -> bool:
        return (stream, number) in self._home

    def copy(self) -> Seeds:
        """Equal seeds that go their own way."""
        other = Seeds()
        other.segments = [Segment(it.commitment, it.seed, it.revealed, it.rolls) for it in self.segments]
        other._home = self._home.copy()
        return other


# ---- playing a record again

About = Literal["start", "steps", "seeds", "dice", "result"]


class Difference(RecordError):
    """The first place where a record and what came out differ. `line` is that of the file, `step` the step at hand."""

    def __init__(self, record: Record, about: About, line: int, step: int, recorded: str, found: str) -> None:
        self.about = about
        self.line = line
        self.step = step
        self.recorded = recorded
        self.found = found
        place = f"{record.source}:{line}" if record.source else say("record.line", line=line)
        version = record.header.version
        note = f" ({say('record.versions', theirs=version, ours=__version__)})" if version != __version__ else ""
        super().__init__(say("record.differs", place=place, step=step, recorded=recorded, found=found, note=note))


class Replay:
    """A record that is being played again. Walk through it once; each step comes when it has been checked.

    Steps that were taken back later come too: a step whose number is not one more than the last follows an undo.
    `course` holds the state and the steps that stand, `seeds` what is known of the seeds.
    """

    def __init__(self, record: Record, games: Mapping[str, Game], seeds: Mapping[str, str] | None = None) -> None:
        self.record = record
        header = record.header
        game = games.get(header.game)
        if game is None:
            here = ", ".join(sorted(games)) or "-"
            game_of = say("record.the-game", game=repr(header.game))
            self._differs("start", 1, 0, game_of, say("record.games-here", games=here))
        try:
            content = game.content_hash(header.setup)
            if header.content and content != header.content:
                recorded = _with_changes(say("record.content", content=header.content), header.changed)
                here = _with_changes(content, game.changed(header.setup))
                other = ", ".join(_other_parts(header.content, content))
                self._differs("start", 1, 0, recorded, say("record.other-content", content=here, other=other))
            self.course = Course(game, header.setup)
        except RecordError:
            raise
        except BeachheadError as error:
            recorded = say("record.the-setup", setup=_short(header.setup))
            self._differs("start", 1, 0, recorded, say("record.no-setup", why=error))
        start = start_digest(header.setup, self.course)
        if start != header.start:
            recorded = say("record.start", start=header.start)
            self._differs("start", 1, 0, recorded, say("record.other-start", start=start))
        self.seeds = Seeds()
        self.proven = 0
        """How many rolls were worked out again from a revealed seed."""
        self.taken_back = 0
        """How many steps were taken back."""
        self.seen = 0
        """How many answers were taken back although dice or cards had been seen since."""
        self.entered = 0
        """How many rolls were entered, in place of sealed ones."""
        self.ended = False
        self._known = self._revealed_seeds(seeds or {})
        self._seal(header.seed)

    def __iter__(self) -> Iterator[tuple[Step, list[Event]]]:
        for line, entry in enumerate(self.record.entries, 2):
            if isinstance(entry, Answered | Rolled):
                step = self._answer(line, entry) if isinstance(entry, Answered) else self._roll(line, entry)
                if step.entry.digest != entry.digest:
                    happened = ", ".join(event.type for event in step.events) or "-"
                    found = say("record.came-out", digest=step.entry.digest, happened=happened)
                    recorded = say("record.events", digest=entry.digest, what=_what(entry))
                    self._differs("steps", line, step.number, recorded, found)
                yield step, step.events
            elif isinstance(entry, Undone):
                self._undo(line, entry)
            elif isinstance(entry, Revealed):
                self._reveal(line, entry)
            elif isinstance(entry, Sealed):
                self._seal(entry.commitment)
            else:
                self._end(line, entry)

    def finish(self) -> Course:
        """Play it all and give back what it led to."""
        for _ in self:
            pass
        return self.course

    def _differs(self, about: About, line: int, step: int, recorded: str, found: str) -> NoReturn:
        raise Difference(self.record, about, line, step, recorded, found)

    def _answer(self, line: int, entry: Answered) -> Step:
        try:
            return self.course.take(Answer(entry.seat, entry.seq, entry.key))
        except BeachheadError as error:
            number = len(self.course.steps) + 1
            self._differs("steps", line, number, _what(entry), say("record.not-legal", why=error))

    def _roll(self, line: int, entry: Rolled) -> Step:
        course, seeds = self.course, self.seeds
        node = course.node
        number = len(course.steps) + 1
        if not isinstance(node, Roll):
            self._differs("steps", line, number, _what(entry), say("record.no-roll"))
        if (node.stream, node.number) != (entry.stream, entry.number):
            asked = say("record.other-roll", roll=f"{node.stream}:{node.number}")
            self._differs("steps", line, number, _what(entry), asked)
        if entry.by is not None:
            return self._enter(line, entry, node)
        if seeds.now.revealed and not seeds.known(entry.stream, entry.number):
            self._differs("seeds", line, number, _what(entry), say("record.seed-known"))
        seed = seeds.home(entry.stream, entry.number).seed
        if seed is not None:
            fair = sample(seed, node)
            if fair != entry.outcome:
                self._differs("dice", line, number, _what(entry), say("record.seed-gives", faces=_faces(fair)))
            self.proven += 1
        return self._come_out(line, entry)

    def _enter(self, line: int, entry: Rolled, node: Roll) -> Step:
        number = len(self.course.steps) + 1
        if not is_own(self.record.header, node):
            recorded = say("record.by-a-seat", what=_what(entry))
            self._differs("dice", line, number, recorded, say("record.not-theirs"))
        assert entry.by is not None
        if entry.by >= len(self.course.state.asked):
            self._differs("steps", line, number, say("record.entered-by", seat=entry.by), say("record.no-seat"))
        self.entered += 1
        return self._come_out(line, entry)

    def _come_out(self, line: int, entry: Rolled) -> Step:
        try:
            return self.course.take(entry.outcome, entry.by)
        except BeachheadError as error:
            number = len(self.course.steps) + 1
            self._differs("steps", line, number, _what(entry), say("record.no-outcome", why=error))

    def _undo(self, line: int, entry: Undone) -> None:
        stood = len(self.course.steps)
        recorded = say("record.taken-back", n=entry.steps)
        if entry.steps > stood:
            self._differs("steps", line, stood, recorded, say("record.only", n=stood))
        if entry.agreed:
            taken = self.course.steps[stood - entry.steps :]
            self.seen += sum(isinstance(step.entry, Answered) for step in taken)
        elif not self.record.header.practice:
            barrier = self.course.barrier(stood - entry.steps)
            if barrier is not None:
                self._differs("steps", line, barrier.number, recorded, barrier.reveals)
            if self.ended:
                self._differs("steps", line, stood, recorded, say("record.was-over"))
        self.course.back(stood - entry.steps)
        self.taken_back += entry.steps
        self.ended = False

    def _seal(self, commitment: str) -> None:
        self.seeds.seal(commitment, self._known[len(self.seeds.segments)])

    def _reveal(self, line: int, entry: Revealed) -> None:
        segment = self.seeds.now
        step = len(self.course.steps)
        recorded = say("record.the-seed", seed=entry.seed)
        if segment.revealed:
            self._differs("seeds", line, step, recorded, say("record.no-new-seed"))
        if commitment(entry.seed) != segment.commitment:
            self._differs("seeds", line, step, recorded, say("record.no-fit", commitment=segment.commitment))
        segment.revealed = True

    def _revealed_seeds(self, told: Mapping[str, str]) -> list[str | None]:
        """The seed of each segment, where one that fits its commitment is revealed, or told by the caller."""
        sealed = self.record.header.seed
        found = [told.get(sealed)]
        for entry in self.record.entries:
            if isinstance(entry, Sealed):
                sealed = entry.commitment
                found.append(told.get(sealed))
            elif isinstance(entry, Revealed) and commitment(entry.seed) == sealed:
                found[-1] = entry.seed
        return found

    def _end(self, line: int, entry: Ended) -> None:
        node = self.course.node
        step = len(self.course.steps)
        recorded = say("record.result", result=_short(entry.over._asdict(), 200))
        if not isinstance(node, Over):
            self._differs("result", line, step, recorded, say("record.not-over"))
        if node != entry.over:
            self._differs("result", line, step, recorded, say("record.it-is", what=_short(node._asdict(), 200)))
        last = state_digest(self.course)
        if last != entry.digest:
            state = say("record.last-state", digest=entry.digest)
            self._differs("result", line, step, state, say("record.it-is", what=last))
        self.ended = True


def replay(record: Record, games: Mapping[str, Game], seeds: Mapping[str, str] | None = None) -> Replay:
    """Play a record again: walk through it for (step, events), each checked before it comes. `seeds` are those known
    to the caller and not revealed yet, by their commitments.

    Raises Difference (a RecordError), here or on the way, at the first place where something else comes out than what
    is recorded: a game or content that is not here, an answer that is not legal, a roll that is not asked for or that
    its revealed seed does not give, a seed that does not fit its commitment, other events, an undo out of bounds,
    another result.
    """
    return Replay(record, games, seeds)


def _with_changes(content: str, changed: tuple[str, ...]) -> str:
    return say("record.changed", content=content, changed=", ".join(changed)) if changed else content


def _other_parts(recorded: str, here: str) -> list[str]:
    """The names of those parts of the content, each written NAME:HASH, that are not the same."""
    theirs, ours = (dict(part.partition(":")[::2] for part in text.split()) for text in (recorded, here))
    return [name for name in theirs | ours if theirs.get(name) != ours.get(name)]


def start_digest(setup: Setup, course: Course) -> str:
    """The digest in the header, for a course at its start."""
    return digest([setup, course.opening, course.game.machine.dump(course.state)])


def state_digest(course: Course) -> str:
    return digest(course.game.machine.dump(course.state))


def _what(entry: Answered | Rolled) -> str:
    if isinstance(entry, Answered):
        return say("record.answer", key=repr(entry.key), seat=entry.seat, seq=entry.seq)
    return say("record.roll", roll=f"{entry.stream}:{entry.number}", faces=_faces(entry.outcome))


def _faces(outcome: Outcome) -> str:
    return ",".join(str(face) for face in outcome)


# ---- proving a record


class Check(NamedTuple):
    """One thing that was looked at. "open" says that it cannot be told (yet); `step` is where it failed."""

    name: About
    status: Literal["ok", "failed", "open"]
    detail: str
    step: int | None = None


def verify(record: Record, games: Mapping[str, Game]) -> list[Check]:
    """Work out everything again, every roll from its seed included, and say what holds. At most one check has failed.

    start    the game, its content and its setup are here and begin as recorded; open where format 1 tells no content
    steps    every answer was legal, every roll asked for, every undo within bounds or agreed on, all events as recorded
    seeds    every revealed seed fits the commitment that was shown before
    dice     every roll is the one that its seed gives
    result   the game ended as recorded
    """
    try:
        run = Replay(record, games)
    except Difference as first:
        return [Check("start", "failed", str(first), 0)]
    first_difference: Difference | None = None
    try:
        run.finish()
    except Difference as difference:
        first_difference = difference

    def check(name: About, status: Literal["ok", "open"], detail: str) -> Check:
        if first_difference is None:
            return Check(name, status, detail)
        if first_difference.about == name:
            return Check(name, "failed", str(first_difference), first_difference.step)
        return Check(name, "open", say("record.unchecked", line=first_difference.line))

    header = record.header
    segments = run.seeds.segments
    sealed = [segment for segment in segments if segment.rolls and not segment.revealed]
    rolls = sum(segment.rolls for segment in segments)
    waiting = sum(segment.rolls for segment in sealed)
    stood = len(run.course.steps)
    moves = say("record.steps", n=stood, back=run.taken_back)
    if run.seen:
        moves += f"; {say('record.seen', n=run.seen)}"
    if not header.content:
        moves += f"; {say('record.first-format')}"
    entered = ""
    if run.entered:
        entered = say("record.by-hand", n=run.entered)
    return [
        Check("start", "ok", say("record.begun", **header._asdict()))
        if header.content
        else Check("start", "open", say("record.first-format")),
        check("steps", "ok", moves),
        check("seeds", "open", say("record.seeds-open", n=len(sealed)))
        if sealed
        else check("seeds", "ok", say("record.seeds-fit", n=sum(segment.revealed for segment in segments))),
        _dice(check, rolls, waiting, entered),
        _result(run, check),
    ]


def _dice(check: Callable[[About, Literal["ok", "open"], str], Check], rolls: int, waiting: int, entered: str) -> Check:
    if waiting:
        detail = say("record.dice-open", n=waiting, rolls=rolls)
        return check("dice", "open", f"{entered}; {detail}" if entered else detail)
    detail = say("record.dice-other" if entered else "record.dice-fit", n=rolls)
    return check("dice", "open", f"{entered}; {detail}") if entered else check("dice", "ok", detail)


def _result(run: Replay, check: Callable[[About, Literal["ok", "open"], str], Check]) -> Check:
    if run.ended:
        return check("result", "ok", say("record.as-recorded"))
    if run.course.state.over and check("result", "ok", "").status == "ok":
        missing = say("record.no-end", cause=run.course.state.over[1])
        return Check("result", "failed", missing, len(run.course.steps))
    return check("result", "open", say("record.not-over"))
