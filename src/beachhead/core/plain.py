"""State as plain data: what a state is made of, and how it is cloned, written down and read back.

A state is a `@dataclass(slots=True)` whose fields are scalars, tuples of plain data, dicts of scalars, lists of
tuples, or lists of further such dataclasses. Tuples are never changed in place, so a clone shares them and copies
only lists and dicts. A field with `compare=False` is not state: it is neither dumped nor compared. It is a link to
content that all clones share, or, with `metadata={"transient": True}`, something of the moment that a clone begins
anew.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar, Protocol, TypeVar, get_args, get_origin, get_type_hints

Plain = Any
"""What JSON can hold. Tuples are written as lists and come back as tuples."""


class Struct(Protocol):
    """Any dataclass; the state classes of the games are such."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


T = TypeVar("T", bound=Struct)


def _is_struct(kind: object) -> bool:
    return isinstance(kind, type) and dataclasses.is_dataclass(kind)


@cache
def fields(cls: type[Struct]) -> tuple[tuple[str, Any], ...]:
    """The fields that are state, with their types."""
    hints = get_type_hints(cls)
    return tuple((f.name, hints[f.name]) for f in dataclasses.fields(cls) if f.compare)


@cache
def cloner(cls: type[T]) -> Callable[[T], T]:
    """A function that copies a `cls`: generated once, one assignment per field."""
    hints = get_type_hints(cls)
    names: dict[str, Any] = {"new": cls.__new__, "cls": cls}
    lines = ["def clone(old):", "    it = new(cls)"]
    for field in dataclasses.fields(cls):
        name, kind = field.name, hints[field.name]
        copy = f"old.{name}"
        if field.metadata.get("transient"):
            names[f"default_{name}"] = field.default
            copy = f"default_{name}"
        elif get_origin(kind) is list:
            (inner,) = get_args(kind)
            if _is_struct(inner):
                names[f"clone_{name}"] = cloner(inner)
                copy = f"[clone_{name}(x) for x in old.{name}]"
            elif get_origin(inner) is list:
                copy = f"[x[:] for x in old.{name}]"
            else:
                copy = f"old.{name}[:]"
        elif get_origin(kind) is dict:
            copy = f"old.{name}.copy()"
        lines.append(f"    it.{name} = {copy}")
    lines.append("    return it")
    exec("\n".join(lines), names)
    return names["clone"]  # type: ignore[no-any-return]


SCALARS = frozenset((int, str, bool, float, type(None)))


def dump(value: Plain) -> Plain:
    """Plain data for JSON; fields at their default value are left out."""
    kind: Any = type(value)
    if kind in SCALARS:
        return value
    if isinstance(value, tuple | list):
        return [item if type(item) in SCALARS else dump(item) for item in value]
    if kind is dict:
        return {key: dump(item) for key, item in sorted(value.items())}
    out = {}
    for name, default in _state_fields(kind):
        item = getattr(value, name)
        if default is dataclasses.MISSING or item != default:
            out[name] = dump(item)
    return out


@cache
def shower(cls: type[Struct], names: tuple[str, ...]) -> Callable[[Any, dict[str, Plain]], dict[str, Plain]]:
    """A function that writes these fields of a `cls`, defaults too, into a dict and gives it back: generated once, one
    line per field. Tuples are shown as they are, since nobody can change them; of a dict or list a copy is shown. It is
    quickest where the dict is the copy of a form that has all names already.
    """
    hints = get_type_hints(cls)
    lines = ["def show(old, seen):"]
    for name in names:
        copy = f"old.{name}.copy()" if get_origin(hints[name]) in (dict, list) else f"old.{name}"
        lines.append(f"    seen[{name!r}] = {copy}")
    lines.append("    return seen")
    found: dict[str, Any] = {}
    exec("\n".join(lines), found)
    return found["show"]  # type: ignore[no-any-return]


@cache
def _state_fields(cls: type) -> tuple[tuple[str, Any], ...]:
    return tuple((field.name, field.default) for field in dataclasses.fields(cls) if field.compare)


def freeze(value: Plain) -> Plain:
    """The same data with every list a tuple."""
    if isinstance(value, list | tuple):
        return tuple(freeze(item) for item in value)
    return value


def load(cls: type[T], data: dict[str, Plain]) -> T:
    """The struct that `dump` wrote; raises ValueError when a field is missing or unknown."""
    known = dict(fields(cls))
    for name in data:
        if name not in known:
            raise ValueError(f"unknown field {name!r} of {cls.__name__}")
    values = {name: _load_value(known[name], item) for name, item in data.items()}
    try:
        return cls(**values)
    except TypeError as error:
        raise ValueError(str(error)) from None


def _load_value(kind: Any, item: Plain) -> Plain:
    origin = get_origin(kind)
    if origin is list:
        (inner,) = get_args(kind)
        return [_load_value(inner, x) for x in item]
    if origin is dict:
        inner = get_args(kind)[1]
        return {key: _load_value(inner, x) for key, x in item.items()}
    if _is_struct(kind):
        return load(kind, item)
    return freeze(item)


def to_json(value: Plain) -> str:
    """Canonical JSON: the same value is the same text in every process."""
    return _CANONICAL(value)


_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


WORDS = frozenset(("text", "name", "drawing", "reconstructed", "basis"))
"""Fields of content that no rule reads."""


def essence(value: object) -> Plain:
    """What a piece of content comes to in play, for a hash: of structs only fields that differ from their default, and
    no words and pictures. So a field that the language of content gets later changes nothing where it is not used.
    """
    if dataclasses.is_dataclass(value):
        found = {
            f.name: essence(getattr(value, f.name))
            for f in dataclasses.fields(value)
            if f.name not in WORDS and getattr(value, f.name) != _default(f)
        }
        return [type(value).__name__, found]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        usual: dict[str, Any] = getattr(value, "_field_defaults", {})
        told = ((name, one) for name, one in zip(value._fields, value, strict=True) if name not in WORDS)
        return [
            type(value).__name__,
            {name: essence(one) for name, one in told if name not in usual or usual[name] != one},
        ]
    if isinstance(value, dict):
        return [[essence(key), essence(one)] for key, one in value.items()]
    if isinstance(value, list | tuple):
        return [essence(one) for one in value]
    if isinstance(value, set | frozenset):
        return sorted((essence(one) for one in value), key=repr)
    return value if isinstance(value, str | int | float | bool | None) else repr(value)


def _default(field: dataclasses.Field[Any]) -> object:
    return field.default_factory() if field.default_factory is not dataclasses.MISSING else field.default
