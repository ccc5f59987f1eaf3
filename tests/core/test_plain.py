"""State as plain data: clones share nothing that changes, and what is written down comes back."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beachhead.core import plain
from beachhead.core.plain import essence


@dataclass(slots=True)
class Unit:
    name: str
    soldiers: int = 5
    cards: tuple[str, ...] = ()
    marks: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Beach:
    turn: int = 0
    ready: bool = False
    units: list[Unit] = field(default_factory=list)
    lanes: list[list[tuple[object, ...]]] = field(default_factory=list)
    drawn: dict[str, int] = field(default_factory=dict)
    fire: dict[str, tuple[int, ...]] = field(default_factory=dict)
    over: tuple[object, ...] = ()
    world: object = field(default=None, compare=False)
    cache: object = field(default=None, compare=False, metadata={"transient": True})


def beach() -> Beach:
    return Beach(
        turn=3,
        units=[Unit("1st", cards=("medic",), marks=["moved"]), Unit("2nd", soldiers=0)],
        lanes=[[("ask", 1, ("a", ("b",)))], []],
        drawn={"dice": 2, "awards": 1},
        fire={"s7": (1, 2)},
        over=(True, "won", (1, (2, 3))),
    )


# ---- clones


def test_a_clone_is_equal_and_of_the_same_kind() -> None:
    old = beach()
    new = plain.cloner(Beach)(old)
    assert new == old and new is not old and type(new) is Beach


def test_a_clone_shares_no_list_dict_or_struct() -> None:
    old = beach()
    new = plain.cloner(Beach)(old)
    new.units[0].soldiers = 99
    new.units[0].marks.append("rallied")
    new.units.pop()
    new.lanes[0].append(("step",))
    new.lanes.append([])
    new.drawn["dice"] = 9
    new.fire["s8"] = (6,)
    assert old == beach()


def test_a_clone_keeps_the_link_to_shared_content_and_forgets_what_is_of_the_moment() -> None:
    old = beach()
    old.world, old.cache = ["map", "cards"], ["worked out"]
    new = plain.cloner(Beach)(old)
    assert new.world is old.world
    assert new.cache is None


def test_tuples_are_shared() -> None:
    old = beach()
    assert plain.cloner(Beach)(old).lanes[0][0] is old.lanes[0][0]


def test_the_cloner_of_a_class_is_made_once() -> None:
    assert plain.cloner(Beach) is plain.cloner(Beach)


# ---- writing down and reading back


def test_what_is_written_down_is_json_and_comes_back_equal() -> None:
    old = beach()
    text = plain.to_json(plain.dump(old))
    new = plain.load(Beach, json.loads(text))
    assert new == old
    assert type(new.lanes[0][0]) is tuple and type(new.lanes[0][0][2]) is tuple
    assert type(new.fire["s7"]) is tuple and type(new.over) is tuple
    assert plain.to_json(plain.dump(new)) == text


def test_fields_at_their_default_are_left_out() -> None:
    assert plain.dump(Unit("1st")) == {"name": "1st", "marks": []}
    assert plain.dump(Unit("1st", soldiers=0)) == {"name": "1st", "soldiers": 0, "marks": []}


def test_some_fields_are_shown_with_their_defaults() -> None:
    g = beach()
    names = ("turn", "ready", "drawn", "fire", "over")
    for it in (g, Beach()):
        shown = plain.shower(Beach, names)(it, {})
        assert shown == {name: getattr(it, name) for name in names}
        assert json.loads(plain.to_json(shown)) == {name: plain.dump(getattr(it, name)) for name in names}


def test_who_changes_what_is_shown_changes_nothing_else() -> None:
    g = beach()
    shown = plain.shower(Beach, ("over", "drawn", "fire"))(g, {})
    assert type(shown["over"]) is tuple
    shown["drawn"]["dice"] = shown["fire"]["s7"] = 9
    plain.shower(Unit, ("marks",))(g.units[0], {})["marks"].append("fought")
    assert g == beach()


def test_what_is_no_state_is_neither_written_down_nor_compared() -> None:
    old = beach()
    old.cache = old.world = object()
    assert not {"cache", "world"} & set(plain.dump(old))
    assert old == beach()
    with pytest.raises(ValueError, match="unknown field 'cache' of Beach"):
        plain.load(Beach, {"cache": 1})


def test_an_unknown_field_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="unknown field 'soldier' of Unit"):
        plain.load(Beach, {"units": [{"name": "1st", "marks": [], "soldier": 3}]})


def test_a_missing_field_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="'name'"):
        plain.load(Unit, {"soldiers": 3})


names = st.text(max_size=8)
scalars = st.none() | st.booleans() | st.integers() | names
frames = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=6)
tuples = st.lists(frames, max_size=3).map(tuple)
units = st.builds(Unit, names, st.integers(), st.lists(names, max_size=3).map(tuple), st.lists(names, max_size=3))
beaches = st.builds(
    Beach,
    turn=st.integers(),
    ready=st.booleans(),
    units=st.lists(units, max_size=3),
    lanes=st.lists(st.lists(tuples, max_size=3), max_size=3),
    drawn=st.dictionaries(names, st.integers(), max_size=3),
    fire=st.dictionaries(names, st.lists(st.integers(), max_size=3).map(tuple), max_size=3),
    over=tuples,
)


@given(beaches)
def test_every_state_survives_json_and_cloning(old: Beach) -> None:
    text = plain.to_json(plain.dump(old))
    for new in (plain.load(Beach, json.loads(text)), plain.cloner(Beach)(old)):
        assert new == old
        assert plain.to_json(plain.dump(new)) == text


# ---- canonical text


def test_the_text_does_not_depend_on_the_order_in_which_things_came() -> None:
    one, two = Beach(drawn={"a": 1, "b": 2}), Beach(drawn={"b": 2, "a": 1})
    assert plain.to_json(plain.dump(one)) == plain.to_json(plain.dump(two))
    assert list(plain.dump(two)["drawn"]) == ["a", "b"]
    assert plain.to_json({"b": 1, "a": [1, (2,)]}) == '{"a":[1,[2]],"b":1}'


def test_the_text_keeps_letters_as_they_are() -> None:
    assert plain.to_json("Pointe du Hoc – côte") == '"Pointe du Hoc – côte"'


def test_freeze_turns_every_list_into_a_tuple() -> None:
    assert plain.freeze([1, [2, ["x", ()]], (3, [4])]) == (1, (2, ("x", ())), (3, (4,)))
    assert plain.freeze("ab") == "ab"


def test_the_essence_of_content_is_what_play_depends_on() -> None:
    @dataclass
    class Sector:
        defence: int
        mines: int = 0
        text: str = ""

    @dataclass
    class Wider:
        defence: int
        mines: int = 0
        tide: int = 0
        text: str = ""

    Wider.__name__ = "Sector"  # the same language of content, one attribute later
    assert essence(Sector(4, text="a ditch")) == essence(Sector(4, text="a trench")) == essence(Wider(4))
    assert essence(Sector(4)) != essence(Sector(5))
    assert essence(Sector(4)) != essence(Sector(4, mines=1))
    assert essence(Wider(4)) != essence(Wider(4, tide=1))
    assert essence({"a": (Sector(4),)}) != essence({"b": (Sector(4),)})
