"""TOML files read into frozen dataclasses; all faults of a file are reported at once, each with its line.

The type hints of a dataclass are the schema of its table:

    int, float, str, bool, date, time    that value (a float may be written 3; an int is never true)
    Literal["red", "blue"]               one of these
    tuple[T, ...]                        an array
    dict[str, T]                         a table with free keys
    a dataclass                          a table with these keys and no others
    T | None                             may be absent, then the default, or None where there is none
    int | str, int | Literal["all"]      any of these
    Annotated[int, Range(1, 6)]          a whole number within bounds
    Annotated[str, Form("[a-z]+", "small letters")]            text of this form
    Annotated[tuple[T, ...], Length(1, 8, "Sectors")]          an array of so many
    Gain | Lose                          a tagged table: { do = "gain", soldiers = 3 }

A dataclass of a tagged table has `tag: ClassVar[str]`. The key that holds the tag is `do`, or what
`tag_key: ClassVar[str]` says. Where only one class can stand the tag may be left out.

A field is read from the key of its name, or from `field(metadata={"key": "def"})`; one whose key is "" is read from no
file. No text holds control characters, other than the ends of its lines and tabs.

What types cannot express is said by a method `check(self) -> Iterable[tuple[str, str]]`: it yields
(key, message) for each fault, with key "" for the table itself, or a path of keys and indexes. It is called when all
fields can be read. Where some cannot, `check_rest(self, gone)` is called instead, if there is one: `gone` are the paths
of what could not be read, from this table on, and nothing may be said that holds only for that.
"""

from __future__ import annotations

import copy
import difflib
import json
import re
import tomllib
from bisect import bisect_left
from collections.abc import Collection, Iterable
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from datetime import date, time
from functools import cache, cached_property
from pathlib import Path
from types import UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NewType,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from beachhead.core.errors import ContentError, Fault

T = TypeVar("T")

Path_: TypeAlias = tuple[str | int, ...]
"""Keys and array indexes (from 0) that lead from the top of a file to a value."""
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What no text may hold: a terminal would obey it. The last two ranges turn the direction of what follows round."""
_UNSHOWN = re.compile(rf"{CONTROL.pattern}|[\t\n\u2028\u2029\ud800-\udfff]")


def shown(text: str) -> str:
    """On one line, and nothing in it that a terminal would obey or could not write."""
    return _UNSHOWN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class Range(NamedTuple):
    """Which whole numbers are right, as in `Annotated[int, Range(1, 6)]`."""

    least: int
    most: int | None = None

    def __str__(self) -> str:
        return f"a whole number from {self.least}" + ("" if self.most is None else f" to {self.most}")

    def holds(self, number: int) -> bool:
        return self.least <= number and (self.most is None or number <= self.most)


class Length(NamedTuple):
    """How many elements an array has, as in `Annotated[tuple[str, ...], Length(1, 8, "Sectors")]`."""

    least: int
    most: int
    what: str

    def __str__(self) -> str:
        return f"{self.least}{f' to {self.most}' if self.most != self.least else ''} {self.what}"


class Form(NamedTuple):
    """How a text is written: a pattern for all of it, and what that is in words."""

    pattern: str
    what: str


@dataclass(frozen=True)
class Document:
    """A TOML file that was read, and where in it each value stands."""

    data: dict[str, Any]
    file: str
    text: str = field(repr=False)

    def line(self, path: Path_) -> int:
        """The line of the key or element at `path`, or of the nearest known one above it."""
        while path not in self._lines:
            path = path[:-1]
        return self._lines[path]

    def fault(self, path: Path_, message: str) -> Fault:
        return Fault(shown(self.file), self.line(path), _show_path(path), shown(message))

    @cached_property
    def _lines(self) -> dict[Path_, int]:
        return _Scanner(self.text).scan()


def file_fault(file: str | Path, message: str, line: int = 0) -> Fault:
    """Of a file or folder as a whole, or of a line that is not TOML."""
    return Fault(shown(str(file)), line, "", shown(message))


def parse(text: str, file: str) -> Document:
    """Raises ContentError, with the line, where the text is not TOML."""
    try:
        return Document(tomllib.loads(text), file, text)
    except RecursionError:
        raise ContentError([file_fault(file, f"not valid TOML: {_DEEP}")]) from None
    except ValueError as error:
        raise ContentError([_syntax_fault(str(error), text, file)]) from None


_DEEP = "nested too deeply"
_LONG = re.compile(r"\d(?:_?\d){4300,}")
"""Digits of a number that Python does not read."""


def _syntax_fault(error: str, text: str, file: str) -> Fault:
    if found := re.fullmatch(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", error, re.DOTALL):
        line = int(found[2]) if found[2] else text.rstrip().count("\n") + 1
        return file_fault(file, f"not valid TOML: {found[1]}", line)
    if number := _LONG.search(text):
        return file_fault(file, "a number of so many digits cannot be read", text.count("\n", 0, number.start()) + 1)
    return file_fault(file, f"not valid TOML: {error}")


def read(path: Path) -> Document:
    """Raises ContentError where the file cannot be read, is not UTF-8 or is not TOML."""
    try:
        raw = path.read_bytes()
        text = raw.decode("utf-8-sig")
    except OSError as error:
        raise ContentError([file_fault(path, f"cannot be read: {error.strerror}")]) from None
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ContentError([file_fault(path, "not UTF-8 text; save the file as UTF-8", line)]) from None
    return parse(text, str(path))


def decode(cls: type[T], doc: Document, faults: list[Fault], path: Path_ = ()) -> T | None:
    """The value at `path` as a `cls`; or None, and every fault below `path` appended in the order of the file."""
    decoder = _Decoder(doc)
    shape = _shape(cls)
    value: Any = doc.data
    result = None
    try:
        for step in path:
            value = value[step]
    except (LookupError, TypeError):
        decoder.fault(path, f"missing; expected {shape.expected}")
    else:
        try:
            result = decoder.value(shape, value, path, needed=True)
        except RecursionError:
            decoder.faults = [file_fault(doc.file, _DEEP)]
    faults += sorted(decoder.faults, key=lambda fault: fault.line)
    return None if decoder.faults else result


def without_faults(cls: type[T], doc: Document) -> Document:
    """The document without the keys that are wrong in a `cls`, so that what is left can be looked at as well; without
    all of them where it is nested too deeply.
    """
    decoder = _Decoder(doc)
    try:
        decoder.value(_shape(cls), doc.data, ())
        return _without(doc, decoder.paths)
    except RecursionError:
        return replace(doc, data={})


def rest_of(cls: type[T], doc: Document) -> tuple[T, list[Path_]]:
    """What can be made of a document without what cannot be read of it, and where that is. What has to be there and
    cannot be read is "", 0, the first of several choices, or an empty list or table.
    """
    decoder, shape = _Decoder(doc), _shape(cls)
    found: T
    try:
        found = decoder.value(shape, doc.data, (), needed=True)
    except RecursionError:
        found = _stand_in(shape)
        return found, [(key,) for key in _fields(shape.classes[0])]
    return found, decoder.unreadable


def _without(doc: Document, paths: Iterable[Path_]) -> Document:
    data = copy.deepcopy(doc.data)
    for path in paths:
        while path and isinstance(path[-1], int):  # an array is left out whole, as its places must not shift
            path = path[:-1]
        holder: Any = data
        for step in path[:-1]:
            try:
                holder = holder[step]
            except (LookupError, TypeError):
                holder = None
        if path and isinstance(holder, dict):
            holder.pop(path[-1], None)
    return replace(doc, data=data)


def load(cls: type[T], path: Path) -> T:
    """The file as a `cls`. Raises ContentError with all its faults."""
    faults: list[Fault] = []
    result = decode(cls, read(path), faults)
    if result is None:
        raise ContentError(faults)
    return result


# Where each key stands. tomllib keeps no lines, so the text it accepted is walked once more, when a line is asked for.

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_KEY = re.compile(rf"""[ \t]*("(?:[^"\\]|\\.)*"|'[^']*'|{_BARE.pattern})[ \t]*""")
_SCALAR = re.compile(
    r'''
    """(?:[^\\]|\\.)*?"{3,5} | \'\'\'.*?'{3,5} |   # many-line strings; two more quotes may stand before the last three
    "(?:[^"\\]|\\.)*" | '[^']*' |
    [^,\]}\#\n]+                                   # numbers, true and false, dates (with a space inside)
    ''',
    re.DOTALL | re.VERBOSE,
)


class _Scanner:
    """Walks a text that tomllib has accepted and notes the line of every key and array element."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.newlines = [match.start() for match in re.finditer("\n", text)]
        self.lines: dict[Path_, int] = {(): 1}
        self.counts: dict[Path_, int] = {}  # elements so far of each [[array]]

    def scan(self) -> dict[Path_, int]:
        table: Path_ = ()
        while self.skip() < len(self.text):
            if self.text.startswith("[[", self.at):
                table = self.array_header()
            elif self.text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)
        return self.lines

    def array_header(self) -> Path_:
        line = self.line()
        self.at += 2
        *above, last = self.keys()
        self.at += 2
        array = (*self.walk((), above, line), last)
        index = self.counts.get(array, 0)
        self.counts[array] = index + 1
        self.lines.setdefault(array, line)
        self.lines[(*array, index)] = line
        return (*array, index)

    def header(self) -> Path_:
        line = self.line()
        self.at += 1
        table = self.walk((), self.keys(), line)
        self.at += 1
        self.lines[table] = line  # also where [a.b] above has named `a` already
        return table

    def pair(self, table: Path_) -> None:
        line = self.line()
        path = self.walk(table, self.keys(), line)
        self.at += 1
        self.skip()
        self.value(path)

    def value(self, path: Path_) -> None:
        opening = self.text[self.at]
        if opening not in "[{":
            self.take(_SCALAR)
            return
        self.at += 1
        index = 0
        while self.text[self.skip()] not in "]}":
            if opening == "{":
                self.pair(path)
            else:
                self.lines[(*path, index)] = self.line()
                self.value((*path, index))
                index += 1
            if self.text[self.skip()] == ",":
                self.at += 1
        self.at += 1

    def walk(self, path: Path_, keys: Iterable[str], line: int) -> Path_:
        """The path of dotted `keys` under `path`. The name of an [[array]] means its last element."""
        for key in keys:
            path = (*path, key)
            self.lines.setdefault(path, line)
            if path in self.counts:
                path = (*path, self.counts[path] - 1)
        return path

    def keys(self) -> list[str]:
        keys = [self.key()]
        while self.text[self.at] == ".":
            self.at += 1
            keys.append(self.key())
        return keys

    def key(self) -> str:
        key = self.take(_KEY)[1]
        return next(iter(tomllib.loads(f"{key} = 0"))) if key[0] in "\"'" else key

    def skip(self) -> int:
        self.take(_BLANK)
        return self.at

    def take(self, pattern: re.Pattern[str]) -> re.Match[str]:
        match = pattern.match(self.text, self.at)
        assert match is not None, f"line {self.line()} is not TOML"
        self.at = match.end()
        return match

    def line(self) -> int:
        return bisect_left(self.newlines, self.at) + 1


# What a type hint allows.

_SCALARS: dict[object, str] = {
    int: "a whole number",
    float: "a number",
    str: "text",
    bool: "true or false",
    date: "a date such as 1944-06-06",
    time: "a time such as 06:30:00",
}


@dataclass(frozen=True)
class _Shape:
    """A type hint, sorted by the kind of TOML value that each part of it takes."""

    expected: str
    optional: bool = False
    scalars: tuple[object, ...] = ()
    choices: tuple[object, ...] = ()
    items: _Shape | None = None
    entries: tuple[_Shape, _Shape] | None = None
    classes: tuple[type, ...] = ()
    range: Range | None = None
    """Of whole numbers."""
    length: Length | None = None
    """Of arrays."""
    form: Form | None = None
    """Of text."""


@dataclass(frozen=True)
class _Field:
    name: str
    shape: _Shape
    has_default: bool

    @property
    def needed(self) -> bool:
        return not (self.has_default or self.shape.optional)


def _shape(hint: Any) -> _Shape:
    members = list(get_args(hint)) if get_origin(hint) in (Union, UnionType) else [hint]
    optional = type(None) in members
    scalars: list[object] = []
    choices: list[object] = []
    items: list[_Shape] = []
    entries: list[tuple[_Shape, _Shape]] = []
    classes: list[type] = []
    limits: dict[type, Any] = {}
    for member in members:
        while isinstance(member, NewType):
            member = member.__supertype__
        if get_origin(member) is Annotated:
            member, limit = get_args(member)
            limits[type(limit)] = limit
        origin, args = get_origin(member), get_args(member)
        if member in _SCALARS:
            scalars.append(member)
        elif origin is Literal:
            choices += args
        elif origin is tuple and args[1:] == (...,):
            items.append(_shape(args[0]))
        elif origin is dict:
            entries.append((_shape(args[0]), _shape(args[1])))
        elif is_dataclass(member) and isinstance(member, type):
            classes.append(member)
        elif member is not type(None):
            raise TypeError(f"{member} cannot be read from TOML")
    if len(items) > 1 or len(entries) + bool(classes) > 1:
        raise TypeError(f"{hint}: a TOML value does not tell these apart")
    says = _SCALARS | ({int: str(limits[Range])} if Range in limits else {})
    says |= {str: limits[Form].what} if Form in limits else {}
    expected = [says[scalar] for scalar in scalars]
    expected += [_one_of(choices)] * bool(choices) + ["a list"] * bool(items) + ["a table"] * bool(entries or classes)
    return _Shape(
        " or ".join(expected),
        optional,
        tuple(scalars),
        tuple(choices),
        items[0] if items else None,
        entries[0] if entries else None,
        tuple(classes),
        limits.get(Range),
        limits.get(Length),
        limits.get(Form),
    )


def _limit(shape: _Shape, value: Any) -> str:
    """What was expected of a value of the right kind that is beyond the limits of the shape."""
    if type(value) is int and shape.range is not None and not shape.range.holds(value):
        return shape.expected
    if isinstance(value, str) and CONTROL.search(value):
        return "text without control characters"
    if isinstance(value, str) and shape.form is not None and not re.fullmatch(shape.form.pattern, value):
        return shape.expected
    return ""


_NOTHING: dict[object, object] = {int: 0, float: 0.0, str: "", bool: False, date: date.min, time: time.min}


def _stand_in(shape: _Shape) -> Any:
    """What is taken for a value that has to be there and cannot be read."""
    if shape.items is not None:
        return ()
    if shape.entries is not None:
        return {}
    if shape.classes:
        known = _fields(shape.classes[0]).values()
        return shape.classes[0](**{one.name: _stand_in(one.shape) for one in known if one.needed})
    return shape.choices[0] if shape.choices else _NOTHING[shape.scalars[0]]


@cache
def _fields(cls: Any) -> dict[str, _Field]:
    """The fields of a dataclass by TOML key."""
    hints = get_type_hints(cls, include_extras=True)
    return {
        each.metadata.get("key", each.name): _Field(
            each.name,
            _shape(hints[each.name]),
            each.default is not MISSING or each.default_factory is not MISSING,
        )
        for each in fields(cls)
        if each.init and each.metadata.get("key", each.name)
    }


@cache
def _tags(classes: tuple[type, ...]) -> tuple[str, dict[object, type], _Shape]:
    """The key of the tag, the class of each tag, and the shape of the tag. No tag where a lone class has none."""
    key: str = getattr(classes[0], "tag_key", "do")
    by_tag: dict[object, type] = {cls.tag: cls for cls in classes if hasattr(cls, "tag")}
    if len(classes) > 1 and len(by_tag) < len(classes):
        raise TypeError(f"{', '.join(cls.__name__ for cls in classes)}: each needs a tag of its own")
    return key, by_tag, _Shape(_one_of(by_tag), choices=tuple(by_tag))


class _Decoder:
    """Builds values and collects faults. What cannot be read is None: it is left out of a table, and a list with such
    an element cannot be read at all, as its places must not shift. Where it is `needed` something stands in for it. A
    number out of bounds and what a check finds can be read.
    """

    def __init__(self, doc: Document) -> None:
        self.doc = doc
        self.faults: list[Fault] = []
        self.paths: list[Path_] = []
        self.unreadable: list[Path_] = []

    def fault(self, path: Path_, message: str) -> None:
        self.faults.append(self.doc.fault(path, message))
        self.paths.append(path)

    def cannot_read(self, path: Path_, message: str) -> None:
        self.fault(path, message)
        self.unreadable.append(path)

    def value(self, shape: _Shape, value: Any, path: Path_, needed: bool = False) -> Any:
        found = self.read(shape, value, path, needed)
        return _stand_in(shape) if found is None and needed else found

    def read(self, shape: _Shape, value: Any, path: Path_, needed: bool) -> Any:
        if isinstance(value, dict) and shape.classes:
            return self.tagged(shape.classes, value, path, needed)
        if isinstance(value, dict) and shape.entries is not None:
            key, entry = shape.entries
            below = needed or bool(entry.classes)
            found = {self.value(key, k, (*path, k)): self.value(entry, v, (*path, k), below) for k, v in value.items()}
            return {k: v for k, v in found.items() if k is not None and v is not None}
        if isinstance(value, list) and shape.items is not None:
            if shape.length and not shape.length.least <= len(value) <= shape.length.most:
                self.fault(path, f"expected {shape.length}, got {len(value)}")
            below = needed and bool(shape.items.classes)
            items = [self.value(shape.items, item, (*path, i), below) for i, item in enumerate(value)]
            return None if None in items else tuple(items)
        if type(value) in shape.scalars or any(_same(value, choice) for choice in shape.choices):
            if limit := _limit(shape, value):
                self.fault(path, f"expected {limit}, got {_show(value)}")
            return value
        if type(value) is int and float in shape.scalars:
            return float(value)
        self.cannot_read(path, f"expected {shape.expected}, got {_show(value)}{_did_you_mean(value, shape.choices)}")
        return None

    def tagged(self, classes: tuple[type, ...], table: dict[str, Any], path: Path_, needed: bool) -> Any:
        key, by_tag, shape = _tags(classes)
        if key in table and by_tag:
            tag = self.value(shape, table[key], (*path, key))
            return None if tag is None else self.table(by_tag[tag], table, path, needed, key)
        if len(classes) == 1:
            return self.table(classes[0], table, path, needed)
        self.cannot_read((*path, key), f"missing; expected {shape.expected}")
        return None

    def table(self, cls: type, table: dict[str, Any], path: Path_, needed: bool, tag_key: str | None = None) -> Any:
        before = len(self.unreadable)
        known = _fields(cls)
        found: dict[str, Any] = {}
        for key, value in table.items():
            if key in known:
                found[key] = self.value(known[key].shape, value, (*path, key), needed and known[key].needed)
            elif key != tag_key:
                self.unknown((*path, key), [*([tag_key] if tag_key else []), *known], table)
        for key, absent in known.items():
            if key not in table and absent.needed:
                self.cannot_read((*path, key), f"missing; expected {absent.shape.expected}")
        arguments = {one.name: None for one in known.values() if one.shape.optional and not one.has_default}
        arguments |= {known[key].name: value for key, value in found.items() if value is not None}
        lacking = [one for one in known.values() if one.needed and one.name not in arguments]
        built = cls(**arguments, **{one.name: _stand_in(one.shape) for one in lacking})
        for where, message in _checked(built, [one[len(path) :] for one in self.unreadable[before:]]):
            self.fault((*path, *(where if isinstance(where, tuple) else (where,) * bool(where))), message)
        return built if needed or not lacking else None

    def unknown(self, path: Path_, keys: list[str], table: dict[str, Any]) -> None:
        """A key that is nearly another may be meant for it: then that one cannot be read."""
        near = _nearest(path[-1], keys)
        hint = f'; did you mean "{near}"?' if near else ""
        self.fault(path, f"unknown key; known keys: {', '.join(keys) or 'none'}{hint}")
        if near and near not in table:
            self.unreadable.append((*path[:-1], near))


def _checked(built: Any, gone: list[Path_]) -> Iterable[tuple[str | Path_, str]]:
    """What the checks of a table say, with what could not be read of it."""
    check = getattr(type(built), "check_rest" if gone else "check", None)
    if not callable(check):
        return ()
    found: Iterable[tuple[str | Path_, str]] = check(built, gone) if gone else check(built)
    return found


def in_bounds(built: Any) -> bool:
    """Are all whole numbers in this dataclass within their bounds? For one that was not read from a file."""
    return all(_in_bounds(known.shape, getattr(built, known.name)) for known in _fields(built.__class__).values())


def _in_bounds(shape: _Shape, value: Any) -> bool:
    if type(value) is int:
        return shape.range is None or shape.range.holds(value)
    if isinstance(value, tuple):
        return shape.items is None or all(_in_bounds(shape.items, one) for one in value)
    if isinstance(value, dict):
        return shape.entries is None or all(_in_bounds(shape.entries[1], one) for one in value.values())
    return not is_dataclass(value) or in_bounds(value)


# The same for editors, as JSON Schema.


def json_schema(cls: type, title: str, partial: Collection[type] = ()) -> dict[str, Any]:
    """The schema of a file whose table is a `cls`. `partial`: tables in which nothing has to be there."""
    definitions: dict[str, Any] = {}
    top = _schema(_Shape("", classes=(cls,)), definitions, partial)
    return {"$schema": "http://json-schema.org/draft-07/schema#", "title": title, **top, "definitions": definitions}


def _schema(shape: _Shape, definitions: dict[str, Any], partial: Collection[type]) -> dict[str, Any]:
    found: list[dict[str, Any]] = [_JSON[scalar] | _bounds(scalar, shape) for scalar in shape.scalars]
    if shape.choices:
        found.append({"enum": list(shape.choices)})
    if shape.items:
        length = {"minItems": shape.length.least, "maxItems": shape.length.most} if shape.length else {}
        found.append({"type": "array", "items": _schema(shape.items, definitions, partial), **length})
    if shape.entries:
        key, entry = (_schema(one, definitions, partial) for one in shape.entries)
        found.append({"type": "object", "propertyNames": key, "additionalProperties": entry})
    found += [_table_schema(one, shape.classes, definitions, partial) for one in shape.classes]
    return found[0] if len(found) == 1 else {"anyOf": found}


def _bounds(scalar: object, shape: _Shape) -> dict[str, Any]:
    if scalar is str and shape.form:
        return {"pattern": f"^({shape.form.pattern})$", "not": {"pattern": CONTROL.pattern}}
    if scalar is not int or shape.range is None:
        return {}
    return {"minimum": shape.range.least} | ({} if shape.range.most is None else {"maximum": shape.range.most})


def _table_schema(
    cls: type, among: tuple[type, ...], definitions: dict[str, Any], partial: Collection[type]
) -> dict[str, Any]:
    if cls.__name__ not in definitions:
        definitions[cls.__name__] = {}  # a table may hold itself
        tag_key, tags, _ = _tags(among)
        mine = [value for value, one in tags.items() if one is cls]
        tag = {tag_key: {"const": mine[0]}} if mine else {}
        known = _fields(cls)
        needed = [key for key, one in known.items() if one.needed]
        definitions[cls.__name__] = {
            "type": "object",
            "description": " ".join((cls.__doc__ or "").split()),
            "properties": tag | {key: _schema(one.shape, definitions, partial) for key, one in known.items()},
            "required": ([*tag] if len(among) > 1 else []) + ([] if cls in partial else needed),
            "additionalProperties": False,
        }
    return {"$ref": f"#/definitions/{cls.__name__}"}


_JSON: dict[object, dict[str, Any]] = {
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string", "pattern": f"^[^{CONTROL.pattern[1:-1]}]*$"},
    bool: {"type": "boolean"},
    date: {"type": "string", "format": "date"},
    time: {"type": "string", "format": "time"},
}


# Words.


def _same(value: object, choice: object) -> bool:
    return type(value) is type(choice) and value == choice


def _one_of(choices: Iterable[object]) -> str:
    shown = [json.dumps(choice, ensure_ascii=False) for choice in choices]
    return shown[0] if len(shown) == 1 else f"one of {', '.join(shown)}"


def _show(value: object) -> str:
    match value:
        case dict():
            return "a table"
        case list():
            return "a list"
        case str():
            return f"text {_quoted(value if len(value) <= 40 else value[:39] + '…')}"
        case bool():
            return "true" if value else "false"
        case _:
            return str(value)


def _quoted(text: str) -> str:
    return shown(json.dumps(text, ensure_ascii=False))


def _nearest(word: object, known: Iterable[object]) -> str:
    """Which of the known words may be meant, "" where none is near."""
    if not isinstance(word, str):
        return ""
    by_lower = {choice.lower(): choice for choice in known if isinstance(choice, str)}
    close = difflib.get_close_matches(word.lower(), by_lower, 1)
    return by_lower[close[0]] if close else ""


def _did_you_mean(word: object, known: Iterable[object]) -> str:
    near = _nearest(word, known)
    return f'; did you mean "{near}"?' if near else ""


def _show_path(path: Path_) -> str:
    """As one would write it: card[1].effect."odd key"."""
    shown = ""
    for step in path:
        if isinstance(step, int):
            shown += f"[{step}]"
        else:
            shown += "." * bool(shown) + (step if _BARE.fullmatch(step) else _quoted(step))
    return shown
