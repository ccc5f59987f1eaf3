"""Content files: what a table may say, and how each fault names its file, line, key and what was expected."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, time
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NewType

import pytest

from beachhead.content import toml
from beachhead.core.errors import ContentError, Fault

Name = NewType("Name", str)


@dataclass(frozen=True)
class Gain:
    tag: ClassVar[str] = "gain"
    soldiers: int


@dataclass(frozen=True)
class Lose:
    tag: ClassVar[str] = "lose"
    soldiers: int | Literal["all"]


@dataclass(frozen=True)
class Each:
    tag: ClassVar[str] = "each"
    then: tuple[Effect, ...]


@dataclass(frozen=True)
class Rest:
    tag: ClassVar[str] = "rest"


Effect = Gain | Lose | Each | Rest


@dataclass(frozen=True)
class Walk:
    tag: ClassVar[str] = "walk"
    tag_key: ClassVar[str] = "kind"
    steps: int


@dataclass(frozen=True)
class Ride:
    tag: ClassVar[str] = "ride"
    tag_key: ClassVar[str] = "kind"


@dataclass(frozen=True)
class Card:
    name: Name
    effect: Effect | None
    colour: Literal["red", "white", "blue"] = "red"
    cost: int | str = 0
    defence: int = field(default=0, metadata={"key": "def"})


@dataclass(frozen=True)
class Deck:
    card: tuple[Card, ...] = ()


@dataclass(frozen=True)
class Scalars:
    whole: int = 0
    number: float = 0.0
    text: str = ""
    flag: bool = False
    day: date = date(1944, 6, 6)
    hour: time = time(6, 30)


@dataclass(frozen=True)
class Nest:
    rows: tuple[tuple[int, ...], ...] = ()
    supply: dict[str, int] = field(default_factory=dict)
    pay: dict[Literal["red", "blue"], int] = field(default_factory=dict)
    scalars: Scalars | None = None
    move: Walk | Ride | None = None
    step: Walk | None = None
    mixed: int | tuple[int, ...] | Scalars = 0


@dataclass(frozen=True)
class Range:
    low: int
    high: int

    def check(self) -> Iterable[tuple[str, str]]:
        if self.low > self.high:
            yield "high", f"must be at least low, {self.low}"
        if self.low < 0:
            yield "", "must not be below 0"


@dataclass(frozen=True)
class Ranges:
    range: tuple[Range, ...]


@dataclass(frozen=True)
class OddNames:
    check: bool = True
    do: int = 0
    level: Literal[1, 2] = 1
    derived: int = field(default=7, init=False)


def faults(cls: type[Any], text: str) -> list[str]:
    """What is wrong with the text, as `line: key: message`."""
    found: list[Fault] = []
    result = toml.decode(cls, toml.parse(text, "x.toml"), found)
    assert (result is None) == bool(found)
    assert all(fault.file == "x.toml" for fault in found)
    return [str(fault).removeprefix("x.toml:") for fault in found]


def decoded(cls: type[Any], text: str) -> Any:
    found: list[Fault] = []
    result = toml.decode(cls, toml.parse(text, "x.toml"), found)
    assert found == []
    return result


# Values


def test_each_scalar_is_read_as_its_type() -> None:
    text = 'whole = 3\nnumber = 1.5\ntext = "a"\nflag = true\nday = 1944-06-07\nhour = 07:15:00'
    assert decoded(Scalars, text) == Scalars(3, 1.5, "a", True, date(1944, 6, 7), time(7, 15))


def test_a_number_may_be_written_whole_and_becomes_a_float() -> None:
    assert type(decoded(Scalars, "number = 3").number) is float


def test_an_absent_key_takes_its_default() -> None:
    assert decoded(Scalars, "") == Scalars()


def test_an_optional_key_without_default_is_none_when_absent() -> None:
    assert decoded(Card, 'name = "Medic"').effect is None


def test_arrays_become_tuples_and_free_tables_stay_dicts() -> None:
    nest = decoded(Nest, "rows = [[1, 2], []]\nsupply = { a = 1, b = 2 }\npay = { red = 1 }")
    assert nest == Nest(rows=((1, 2), ()), supply={"a": 1, "b": 2}, pay={"red": 1})
    assert type(nest.rows) is tuple and type(nest.rows[0]) is tuple and type(nest.supply) is dict


def test_tables_become_dataclasses() -> None:
    assert decoded(Nest, "[scalars]\nwhole = 4").scalars == Scalars(whole=4)


def test_a_field_may_be_read_from_another_key() -> None:
    assert decoded(Card, 'name = "Medic"\ndef = 2').defence == 2
    assert faults(Card, 'name = "Medic"\ndefence = 2')[0].startswith("2: defence: unknown key;")


@pytest.mark.parametrize(("written", "cost"), [("3", 3), ('"free"', "free")])
def test_a_union_of_scalars_takes_each_of_them(written: str, cost: object) -> None:
    assert decoded(Card, f'name = "Medic"\ncost = {written}').cost == cost


@pytest.mark.parametrize(("written", "value"), [("3", 3), ("[3]", (3,)), ("{ whole = 3 }", Scalars(3))])
def test_a_union_of_scalar_list_and_table_takes_each_of_them(written: str, value: object) -> None:
    assert decoded(Nest, f"mixed = {written}").mixed == value


def test_the_tag_chooses_the_class_of_a_table() -> None:
    then = '[{ do = "gain", soldiers = 3 }, { do = "lose", soldiers = "all" }]'
    assert decoded(Card, f'name = "Medic"\neffect = {{ do = "each", then = {then} }}').effect == Each(
        (Gain(3), Lose("all"))
    )


def test_a_tagged_class_may_have_no_keys_of_its_own() -> None:
    assert decoded(Card, 'name = "Medic"\neffect.do = "rest"').effect == Rest()


def test_a_class_may_name_another_key_for_the_tag() -> None:
    assert decoded(Nest, 'move = { kind = "walk", steps = 2 }').move == Walk(2)


def test_the_tag_may_be_left_out_where_only_one_class_can_stand() -> None:
    assert decoded(Nest, "step.steps = 2").step == Walk(2)
    assert decoded(Nest, 'step = { kind = "walk", steps = 2 }').step == Walk(2)
    assert faults(Nest, 'step = { kind = "ride", steps = 2 }') == ['1: step.kind: expected "walk", got text "ride"']


def test_a_value_below_the_top_is_decoded_by_its_path() -> None:
    doc = toml.parse("[[card]]\n[[card]]\nname = 'Medic'\ndef = true", "x.toml")
    found: list[Fault] = []
    assert toml.decode(Card, doc, found, ("card", 1)) is None
    assert found == [Fault("x.toml", 4, "card[1].def", "expected a whole number, got true")]


def test_an_array_below_the_top_may_be_decoded_whole() -> None:
    found: list[Fault] = []
    assert toml.decode(tuple[int, ...], toml.parse("a = [1, 2]", "x.toml"), found, ("a",)) == (1, 2)
    assert toml.decode(tuple[int, ...], toml.parse("a = [1,\ntrue]", "x.toml"), found, ("a",)) is None
    assert found == [Fault("x.toml", 2, "a[1]", "expected a whole number, got true")]


def test_a_path_that_is_not_there_is_a_fault() -> None:
    doc = toml.parse("[[card]]", "x.toml")
    found: list[Fault] = []
    assert toml.decode(Card, doc, found, ("card", 7)) is None
    assert found == [Fault("x.toml", 1, "card[7]", "missing; expected a table")]


def test_decode_adds_to_the_faults_already_found() -> None:
    earlier = Fault("y.toml", 9, "", "earlier")
    found = [earlier]
    assert toml.decode(Scalars, toml.parse("whole = 1", "x.toml"), found) == Scalars(1)
    assert found == [earlier]


# Faults


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('whole = "x"', 'whole: expected a whole number, got text "x"'),
        ("whole = true", "whole: expected a whole number, got true"),
        ("whole = 1.5", "whole: expected a whole number, got 1.5"),
        ("number = false", "number: expected a number, got false"),
        ("text = 3", "text: expected text, got 3"),
        ("text = [3]", "text: expected text, got a list"),
        ("text.a = 3", "text: expected text, got a table"),
        ("flag = 1", "flag: expected true or false, got 1"),
        ("day = 07:15:00", "day: expected a date such as 1944-06-06, got 07:15:00"),
        ("day = 1944-06-06 06:30:00", "day: expected a date such as 1944-06-06, got 1944-06-06 06:30:00"),
        ("hour = 6", "hour: expected a time such as 06:30:00, got 6"),
    ],
)
def test_a_wrong_type_says_what_was_expected_and_what_came(text: str, message: str) -> None:
    assert faults(Scalars, text) == [f"1: {message}"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rows = 3", "rows: expected a list, got 3"),
        ("rows = [[1], 2]", "rows[1]: expected a list, got 2"),
        ("supply = 3", "supply: expected a table, got 3"),
        ("supply.a = 'x'", 'supply.a: expected a whole number, got text "x"'),
        ("pay.bleu = 3", 'pay.bleu: expected one of "red", "blue", got text "bleu"; did you mean "blue"?'),
        ("scalars = 3", "scalars: expected a table, got 3"),
        ("mixed = 'x'", 'mixed: expected a whole number or a list or a table, got text "x"'),
    ],
)
def test_a_wrong_shape_says_what_was_expected_and_what_came(text: str, message: str) -> None:
    assert faults(Nest, text) == [f"1: {message}"]


def test_a_long_text_is_cut_in_the_message() -> None:
    assert faults(Scalars, f"whole = '{'x' * 100}'") == [
        f'1: whole: expected a whole number, got text "{"x" * 39}…"',
    ]


def test_a_missing_key_is_a_fault_at_the_line_of_its_table() -> None:
    assert faults(Deck, "\n[[card]]\ndef = 2") == ["2: card[0].name: missing; expected text"]


def test_an_unknown_key_lists_the_known_ones_and_guesses_what_was_meant() -> None:
    assert faults(Scalars, "\nwole = 3") == [
        '2: wole: unknown key; known keys: whole, number, text, flag, day, hour; did you mean "whole"?',
    ]


def test_a_guess_does_not_mind_capitals() -> None:
    assert faults(Scalars, "DAY = 1944-06-06")[0].endswith('did you mean "day"?')


def test_nothing_is_guessed_for_a_key_like_no_other() -> None:
    assert faults(Scalars, "zzzz = 3")[0].endswith("day, hour")


def test_the_tag_is_among_the_known_keys_of_a_tagged_table() -> None:
    assert faults(Card, 'name = "Medic"\neffect = { do = "gain", soldiers = 3, skulls = 1 }') == [
        "2: effect.skulls: unknown key; known keys: do, soldiers",
    ]


def test_an_unknown_choice_lists_the_allowed_ones_and_guesses_what_was_meant() -> None:
    assert faults(Card, 'name = "Medic"\ncolour = "bleu"') == [
        '2: colour: expected one of "red", "white", "blue", got text "bleu"; did you mean "blue"?',
    ]


def test_a_choice_beside_a_number_lists_both() -> None:
    assert faults(Card, 'name = "Medic"\neffect = { do = "lose", soldiers = "al" }') == [
        '2: effect.soldiers: expected a whole number or "all", got text "al"; did you mean "all"?',
    ]


def test_an_unknown_tag_lists_the_allowed_ones_and_guesses_what_was_meant() -> None:
    assert faults(Card, 'name = "Medic"\neffect = { do = "gian", soldiers = 3 }') == [
        '2: effect.do: expected one of "gain", "lose", "each", "rest", got text "gian"; did you mean "gain"?',
    ]


def test_a_tag_of_a_wrong_type_is_a_fault() -> None:
    assert faults(Card, 'name = "Medic"\neffect.do = [1]') == [
        '2: effect.do: expected one of "gain", "lose", "each", "rest", got a list',
    ]


def test_a_missing_tag_is_a_fault() -> None:
    assert faults(Nest, "\nmove = { steps = 2 }") == ['2: move.kind: missing; expected one of "walk", "ride"']


def test_a_key_that_must_be_quoted_is_shown_quoted() -> None:
    assert faults(Nest, "supply = { 'odd key' = true }") == [
        '1: supply."odd key": expected a whole number, got true',
    ]


def test_a_check_puts_its_faults_at_its_keys() -> None:
    assert faults(Ranges, "[[range]]\nlow = 1\nhigh = 2\n[[range]]\nlow = 3\nhigh = 2") == [
        "6: range[1].high: must be at least low, 3",
    ]


def test_a_check_without_a_key_is_about_the_table() -> None:
    assert faults(Ranges, "range = [\n  { low = -1, high = 2 },\n]") == ["2: range[0]: must not be below 0"]


def test_a_check_waits_until_all_fields_are_right() -> None:
    assert faults(Range, "low = 3\nhigh = 'x'") == ['2: high: expected a whole number, got text "x"']


def test_fields_may_be_called_check_and_do() -> None:
    assert decoded(OddNames, "check = false\ndo = 3") == OddNames(False, 3)


def test_a_field_that_is_not_given_to_the_class_is_no_key() -> None:
    assert faults(OddNames, "derived = 3") == ["1: derived: unknown key; known keys: check, do, level"]


def test_true_is_not_the_choice_1() -> None:
    assert faults(OddNames, "level = true") == ["1: level: expected one of 1, 2, got true"]


def test_all_faults_are_told_in_the_order_of_the_file() -> None:
    text = """\
[[card]]
def = "x"
name = 3
[card.effect]
do = "gain"

[[card]]
name = "Medic"
colour = "green"
effect = { do = "each", then = [
    { do = "gain", soldiers = true },
    { do = "rest", now = 1 },
] }
"""
    assert faults(Deck, text) == [
        '2: card[0].def: expected a whole number, got text "x"',
        "3: card[0].name: expected text, got 3",
        "4: card[0].effect.soldiers: missing; expected a whole number",
        '9: card[1].colour: expected one of "red", "white", "blue", got text "green"',
        "11: card[1].effect.then[0].soldiers: expected a whole number, got true",
        "12: card[1].effect.then[1].now: unknown key; known keys: do",
    ]


def test_tables_out_of_order_still_give_faults_in_the_order_of_the_file() -> None:
    assert [
        line.split(":")[1] for line in faults(Nest, "[scalars]\nwhole = 'x'\n[supply]\na = 'x'\n[move]\nkind = 1")
    ] == [
        " scalars.whole",
        " supply.a",
        " move.kind",
    ]
    assert [line.split(":")[0] for line in faults(Deck, "[[card]]\n[card.effect]\ndo = 1\n[[card]]")] == ["1", "3", "4"]


# Lines


def leaves(value: object, path: toml.Path_ = ()) -> Iterator[tuple[toml.Path_, object]]:
    if isinstance(value, dict):
        for key, below in value.items():
            yield from leaves(below, (*path, key))
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield from leaves(below, (*path, index))
    else:
        yield path, value


EVERY_NUMBER_IS_ITS_LINE = r"""
plain = 2
"quoted.key" = 3 # comment = 0
dotted . inside."a b" = 4
dotted.inside.c = 5
'literal "key"' = 6
"esc\"aped \u00e9" = 7
array = [8, 8, # ] comment
  9,

  [11, [
    12]], { a = 12, b.c = 12, d = [12,
  13] }, # { e = 0 }
  14
]

[table] # [not.a.table]
a = 18
empty = { list = [], table = {}, after = 19 }

[[list]]
a = 22
[list.sub]
a = 24
[[list.sub.deep]]
a = 26
[[list.sub.deep]]
a = 28
  [[ list ]]
  a = 30
  [ list . "sub" . x ]
  a = 32
  [[list.sub.deep]]
  a = 34
[late.sub]
a = 36
[late]
a = 38
"""


def test_every_key_and_element_knows_its_line() -> None:
    for text in (EVERY_NUMBER_IS_ITS_LINE, EVERY_NUMBER_IS_ITS_LINE.replace("\n", "\r\n")):
        doc = toml.parse(text, "x.toml")
        found = list(leaves(doc.data))
        assert len(found) == 27
        assert [(path, doc.line(path)) for path, _ in found] == found


@pytest.mark.parametrize(
    "string",
    [
        '"""\nkey = 1\n[table]\n[[card]]\n"""',
        "'''\nkey = 1\n[table] # '\n'''",
        '"""a\\"""\nb = "" # \\\\"""',
        '"""two quotes\n""ends with two"""""',
        "'''one quote\n'ends with one''''",
        '""""""',
        "''''''",
        '""',
        "''",
        r'"a \" # ] } , \\"',
        r"'a # ] } , \'",
        '["a,]", \'b]\', """\n]""", ["]"]]',
        '{ a = "}", b = \'}\', c = """\n}""" }',
        "1944-06-06 06:30:00.5+02:00",
        "[1944-06-06 06:30:00, inf,\n -nan, 0xff, 1_000, 1e-3]",
        "[ # comment ]\n # another ]\n]",
    ],
)
def test_no_value_hides_the_key_after_it(string: str) -> None:
    doc = toml.parse(f"before = {string}\nafter = [{string},\n 2]\nlast = 3", "x.toml")
    high = string.count("\n") + 1
    lines = [doc.line(path) for path in (("before",), ("after",), ("after", 0), ("after", 1), ("last",))]
    assert lines == [1, high + 1, high + 1, 2 * high + 1, 2 * high + 2]


def test_a_table_stands_at_its_header() -> None:
    doc = toml.parse(EVERY_NUMBER_IS_ITS_LINE, "x.toml")
    headers: dict[toml.Path_, int] = {
        (): 1,
        ("dotted", "inside"): 4,
        ("array", 3): 11,
        ("array", 4): 12,
        ("table",): 17,
        ("table", "empty", "table"): 19,
        ("list",): 21,
        ("list", 0): 21,
        ("list", 0, "sub", "deep"): 25,
        ("list", 0, "sub", "deep", 1): 27,
        ("list", 1): 29,
        ("list", 1, "sub"): 31,
        ("list", 1, "sub", "deep", 0): 33,
        ("late",): 37,
    }
    assert {path: doc.line(path) for path in headers} == headers


def test_an_unknown_path_has_the_line_of_the_nearest_one_above() -> None:
    doc = toml.parse(EVERY_NUMBER_IS_ITS_LINE, "x.toml")
    assert doc.line(("list", 1, "nothing", 3, "here")) == 29
    assert doc.line(("nothing",)) == 1


def test_a_fault_names_file_line_key_and_message() -> None:
    doc = toml.parse("[[card]]\n[[card]]\nname = 3", "deck.toml")
    assert doc.fault(("card", 1, "name"), "no") == Fault("deck.toml", 3, "card[1].name", "no")


# Files


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a = 1\nb = \nc = 3", 2, "Invalid value"),
        ("a = 1\n\na = 2", 3, "Cannot overwrite a value"),
        ("a = 1\n[b\nc = 3", 2, "Expected ']' at the end of a table declaration"),
        ("a = 1\nb = [1,\n\n", 2, "Invalid value"),
        ('a = 1\nb = """\nc = 3\n', 3, "Unterminated string"),
    ],
)
def test_a_syntax_error_names_its_line(text: str, line: int, message: str) -> None:
    with pytest.raises(ContentError) as error:
        toml.parse(text, "x.toml")
    assert error.value.faults == [Fault("x.toml", line, "", f"not valid TOML: {message}")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = " + "[" * 100_000, "x.toml: not valid TOML: nested too deeply"),
        ("a = 1\nb = [\n" + "1" * 5_000 + "]", "x.toml:3: a number of so many digits cannot be read"),
    ],
)
def test_what_tomllib_cannot_bear_is_a_fault(text: str, message: str) -> None:
    with pytest.raises(ContentError, match=f"^{message}$"):
        toml.parse(text, "x.toml")


def test_a_fault_holds_nothing_that_a_terminal_would_obey() -> None:
    doc = toml.parse('"\\u001b[2J" = 3', "\x1b]0;x\x07\udcff.toml")
    fault = doc.fault(("\x1b[2J",), "\x1b[31m\u202e is\nno\ttext\u2028")
    assert str(fault) == (
        '\\u001b]0;x\\u0007\\udcff.toml:1: "\\u001b[2J": \\u001b[31m\\u202e is\\u000ano\\u0009text\\u2028'
    )


def test_a_missing_file_is_one_clear_fault(tmp_path: Path) -> None:
    path = tmp_path / "none.toml"
    with pytest.raises(ContentError) as error:
        toml.read(path)
    assert str(error.value) == f"{path}: cannot be read: No such file or directory"


def test_a_folder_is_one_clear_fault(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match="cannot be read: "):
        toml.read(tmp_path)


def test_a_file_that_is_not_utf8_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "latin.toml"
    path.write_bytes("a = 1\nb = 'é'\n".encode("latin-1"))
    with pytest.raises(ContentError) as error:
        toml.read(path)
    assert str(error.value) == f"{path}:2: not UTF-8 text; save the file as UTF-8"


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "marked.toml"
    path.write_bytes(b"\xef\xbb\xbfwhole = 3\n")
    assert toml.load(Scalars, path) == Scalars(whole=3)


def test_load_gives_the_value_of_a_right_file(tmp_path: Path) -> None:
    path = tmp_path / "deck.toml"
    path.write_text('[[card]]\nname = "Médecin"\neffect = { do = "gain", soldiers = 3 }\n', encoding="utf-8")
    assert toml.load(Deck, path) == Deck((Card(Name("Médecin"), Gain(3)),))


def test_load_raises_all_faults_of_a_wrong_file(tmp_path: Path) -> None:
    path = tmp_path / "deck.toml"
    path.write_text("[[card]]\nname = 3\ndef = true\n", encoding="utf-8")
    with pytest.raises(ContentError) as error:
        toml.load(Deck, path)
    assert str(error.value).splitlines() == [
        f"{path}:2: card[0].name: expected text, got 3",
        f"{path}:3: card[0].def: expected a whole number, got true",
    ]


# Limits


@dataclass(frozen=True)
class Limits:
    id: Annotated[str, toml.Form("[a-z]+", "small letters")] = "a"
    row: Annotated[tuple[int, ...], toml.Length(1, 3, "numbers")] = (1,)
    text: str = ""
    words: dict[str, str] = field(default_factory=dict)
    made: int = field(default=0, metadata={"key": ""})


def test_text_has_its_form() -> None:
    assert decoded(Limits, "id = 'abc'").id == "abc"
    for text in ("", "Abc", "a/b", "../a", "a\\n", "a b"):
        assert faults(Limits, f'id = "{text}"') == [f'1: id: expected small letters, got text "{text}"']


def test_a_list_has_its_length() -> None:
    assert decoded(Limits, "row = [1, 2, 3]").row == (1, 2, 3)
    assert faults(Limits, "row = []") == ["1: row: expected 1 to 3 numbers, got 0"]
    assert faults(Limits, "row = [1, 2, 3, 4]") == ["1: row: expected 1 to 3 numbers, got 4"]


@pytest.mark.parametrize("sign", ["\\u0000", "\\u0007", "\\u001b", "\\u007f", "\\u009b", "\\u202e"])
def test_no_text_and_no_key_holds_control_characters_and_they_are_told_harmlessly(sign: str) -> None:
    wrong = "expected text without control characters"
    assert faults(Limits, f'text = "a{sign}"') == [f'1: text: {wrong}, got text "a{sign}"']
    assert faults(Limits, f'words = {{ "a{sign}" = "b" }}') == [f'1: words."a{sign}": {wrong}, got text "a{sign}"']
    assert faults(Limits, f'"a{sign}" = 1')[0].startswith(f'1: "a{sign}": unknown key')


def test_text_may_have_lines_and_tabs() -> None:
    assert decoded(Limits, 'text = """a\n\tb\r\nc"""').text == "a\n\tb\nc"


def test_a_field_with_an_empty_key_is_read_from_no_file() -> None:
    assert faults(Limits, "made = 1") == ["1: made: unknown key; known keys: id, row, text, words"]
    assert "made" not in toml.json_schema(Limits, "")["definitions"]["Limits"]["properties"]


def test_editors_are_told_the_limits() -> None:
    known = toml.json_schema(Limits, "")["definitions"]["Limits"]["properties"]
    assert known["id"]["pattern"] == "^([a-z]+)$"
    control = known["id"]["not"]["pattern"]
    assert all(re.search(control, f"a{sign}") for sign in ("\x1b", "\u202e")) and not re.search(control, "a\n\tb")
    assert (known["row"]["minItems"], known["row"]["maxItems"]) == (1, 3)
    assert re.search(known["text"]["pattern"], "a\nb") and not re.search(known["text"]["pattern"], "a\x1b")


def test_editors_are_told_what_no_key_holds() -> None:
    names = toml.json_schema(Limits, "")["definitions"]["Limits"]["properties"]["words"]["propertyNames"]
    assert re.search(names["pattern"], "a b") and not re.search(names["pattern"], "a\u202eb")


# Nesting


@dataclass(frozen=True)
class Doll:
    inside: tuple[Doll, ...] = ()
    name: str = ""


def dolls(many: int, inmost: str = "") -> toml.Document:
    """Built by hand, as what is read from a file is nested less deeply than this."""
    table: dict[str, Any] = {"name": inmost}
    for _ in range(many):
        table = {"inside": [table]}
    return toml.Document(table, "x.toml", "")


@pytest.mark.parametrize("inmost", ["a", "\x1b"])
def test_what_is_nested_too_deeply_is_one_fault(inmost: str) -> None:
    found: list[Fault] = []
    assert toml.decode(Doll, dolls(3, "a"), found) is not None and found == []
    assert toml.decode(Doll, dolls(3000, inmost), found) is None
    assert [str(one) for one in found] == ["x.toml: nested too deeply"]


def test_of_what_is_nested_too_deeply_nothing_is_read() -> None:
    assert toml.rest_of(Doll, dolls(3000)) == (Doll(), [("inside",), ("name",)])
    assert toml.without_faults(Doll, dolls(3000)).data == {}


# The rest of what cannot be read


@dataclass(frozen=True)
class Post:
    guns: int
    name: str
    crew: tuple[int, ...] = ()

    def check_rest(self, gone: list[toml.Path_]) -> Iterable[tuple[str, str]]:
        yield "", f"without {sorted(map(str, gone))}"


@dataclass(frozen=True)
class Front:
    place: str
    posts: dict[str, Post]
    first: Post | None
    lines: tuple[tuple[int, ...], ...] = ()


def rest(text: str) -> tuple[Front, list[toml.Path_]]:
    return toml.rest_of(Front, toml.parse(text, "x.toml"))


def test_what_has_to_be_there_and_cannot_be_read_is_taken_for_nothing() -> None:
    assert rest("") == (Front("", {}, None), [("place",), ("posts",)])
    assert rest('place = 3\nposts.a = 3\nposts.b = { guns = 2, name = "B" }') == (
        Front("", {"a": Post(0, ""), "b": Post(2, "B")}, None),
        [("place",), ("posts", "a")],
    )
    assert rest("place = ''\nposts.a.guns = 2")[0] == Front("", {"a": Post(2, "")}, None)


def test_what_need_not_be_there_is_left_out() -> None:
    good = "place = 'x'\nposts = {}\n"
    assert rest(good + "first.guns = 3") == (Front("x", {}, None), [("first", "name")])
    assert rest(good + "first = { guns = 3, name = 'A', crew = [1, true] }")[0] == Front("x", {}, Post(3, "A"))
    assert rest(good + "lines = [[1], [2, 'x'], [3]]") == (Front("x", {}, None), [("lines", 1, 1)])


def test_a_key_that_is_nearly_another_may_be_meant_for_it() -> None:
    assert rest("place = 'x'\npost = {}\nposts = {}\nzzzz = 3")[1] == []
    assert rest("plaice = 'x'\nposts = {}")[1] == [("place",), ("place",)]
    assert rest("place = 'x'\nposts = {}\nfirts = {}")[1] == [("first",)]


def test_a_table_of_which_something_cannot_be_read_checks_its_rest() -> None:
    assert faults(Front, "place = 'x'\nposts.a = { guns = 'x', name = 'A', crew = 3 }") == [
        '2: posts.a.guns: expected a whole number, got text "x"',
        "2: posts.a.crew: expected a list, got 3",
        """2: posts.a: without ["('crew',)", "('guns',)"]""",
    ]


# Mistakes in the dataclasses are bugs, not faults of the file


@dataclass(frozen=True)
class Untagged:
    a: int = 0


@dataclass(frozen=True)
class Ambiguous:
    either: Gain | Untagged | None = None


@dataclass(frozen=True)
class Unreadable:
    anything: Any = None


@dataclass(frozen=True)
class TwoLists:
    lists: tuple[int, ...] | tuple[str, ...] = ()


@dataclass(frozen=True)
class TwoTables:
    tables: dict[str, int] | Untagged | None = None


@pytest.mark.parametrize(
    ("cls", "text", "message"),
    [
        (Ambiguous, "either = { a = 1 }", "Gain, Untagged: each needs a tag of its own"),
        (Unreadable, "anything = 1", "cannot be read from TOML"),
        (TwoLists, "lists = [1]", "does not tell these apart"),
        (TwoTables, "tables = { a = 1 }", "does not tell these apart"),
    ],
)
def test_a_dataclass_that_cannot_be_read_is_a_bug(cls: type[Any], text: str, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        toml.decode(cls, toml.parse(text, "x.toml"), [])
