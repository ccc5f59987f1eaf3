"""The register is whole, can be asked, and knows which of its rules have a test."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from textwrap import dedent

import pytest
from typer.testing import CliRunner

from beachhead import rules
from beachhead.core.errors import BeachheadError
from beachhead.rules import coverage as coverage_module
from beachhead.rules.cli import app
from beachhead.rules.coverage import coverage

BOOK_SIZES = {
    "base-first": 311,
    "base-second": 163,
    "atlantikwall": 169,
    "overlord": 64,
    "pocket": 147,
    "way-to-hell": 168,
}
REGISTER_FILES = sorted((Path(rules.__file__).parent / "register").glob("*.toml"))


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(dedent(text), encoding="utf-8")


# ---- the data


def test_every_book_has_all_its_rules() -> None:
    assert Counter(rule.book for rule in rules.register().values()) == BOOK_SIZES
    assert len(rules.register()) == 1022


def test_no_register_file_is_left_out() -> None:
    assert {path.stem for path in REGISTER_FILES} == set(rules.BOOKS)


def test_ids_are_unique_and_are_their_own_keys() -> None:
    ids = [line for path in REGISTER_FILES for line in path.read_text("utf-8").splitlines() if line.startswith("id = ")]
    assert len(ids) == len(set(ids)) == 1022
    assert all(key == rule.id for key, rule in rules.register().items())


def test_every_rule_has_title_text_section_and_source() -> None:
    for rule in rules.register().values():
        assert rule.title and rule.text and rule.section and rule.source, rule.id
        assert "\n" not in rule.text + rule.source + (rule.note or ""), rule.id


def test_the_section_is_the_middle_of_the_id() -> None:
    for rule in rules.register().values():
        assert rule.id[2:].startswith(f"{rule.section}-"), rule.id
    assert rules.rule("W-SEA-CLAR-02").section == "SEA-CLAR"


def test_every_link_to_the_first_edition_leads_to_a_rule_of_it() -> None:
    for rule in rules.register().values():
        for link in filter(None, (rule.same_as, rule.changed_from)):
            assert rule.book == "base-second", rule.id
            assert rules.register()[link].book == "base-first", rule.id


def test_a_changed_rule_says_what_changed_and_no_rule_is_both_changed_and_the_same() -> None:
    for rule in rules.register().values():
        assert (rule.changed_from is None) == (rule.change is None), rule.id
        assert rule.changed_from is None or rule.same_as is None, rule.id


def test_every_rule_cited_in_a_text_or_note_exists() -> None:
    for rule in rules.register().values():
        cited = re.findall(r"\b[A-Z](?:-[A-Z0-9]+)+-\d\d\b", f"{rule.text} {rule.note} {rule.change} {rule.source}")
        assert set(cited) <= rules.register().keys(), rule.id


def test_the_files_name_books_not_files() -> None:
    for path in REGISTER_FILES:
        left = re.findall(r"\b\d{3}_[0-9a-f]+|\w+\.(?:txt|yaml|md|pdf)\b|\bseeds?\b", path.read_text("utf-8"), re.I)
        assert not left, path.name


def test_nested_data_is_kept() -> None:
    assert rules.rule("F-CARD-CHAPLAIN").card == {
        "name": "Chaplain",
        "kind": "regular_specialist",
        "cost": 4,
        "cost_unit": "stars",
    }
    assert rules.rule("F-MAP-N01-01").vehicles == []
    assert rules.rule("F-TOOL-01").test_hint == {"table": {"0": 0, "1": 1, "2": 3, "3": 6, "4": 12, "5": 24, "6": 48}}
    assert rules.rule("B-FIELD-03").example == [
        {
            "origin": "derived",
            "given": {"turn_points_before": 2, "axis_dice": 3, "battlefield": "Barriers", "win": True},
            "expect": {"turn_points_after": 8},
        }
    ]


def test_an_unknown_value_is_left_out() -> None:
    assert rules.rule("S-CARD-GRENADE").card == {
        "name": "Grenade",
        "kind": "item",
        "cost_unit": "item_points",
        "explosive_icons": 1,
    }


# ---- looking up, searching, showing


def test_importing_the_room_reads_no_file() -> None:
    code = "import beachhead.rules as r; assert r.register.cache_info().currsize == 0"
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": os.pathsep.join(sys.path)})


def test_a_rule_is_found_by_its_id_in_small_letters_too() -> None:
    assert rules.rule("f-roll-01") is rules.rule("F-ROLL-01") is rules.register()["F-ROLL-01"]
    assert rules.rule("F-ROLL-01").title == "Six dice, up to three rolls"


def test_rules_can_be_kept_in_sets() -> None:
    assert len(set(rules.register().values())) == 1022


def test_an_unknown_id_is_answered_with_the_nearest_ones() -> None:
    with pytest.raises(BeachheadError, match=r"no rule 'F-ROL-01'.* mean .*F-ROLL-01"):
        rules.rule("F-ROL-01")
    with pytest.raises(BeachheadError, match="looks like"):
        rules.rule("???")


def test_search_wants_every_word() -> None:
    found = rules.search(["SKULL", "straight"])
    assert found
    for rule in found:
        place = f"{rule.id} {rule.title} {rule.text} {rule.note}".casefold()
        assert "skull" in place
        assert "straight" in place
    assert rules.search(["skull", "zeppelin"]) == []


def test_search_puts_titles_before_texts_and_texts_before_notes() -> None:
    def place(rule: rules.Rule) -> int:
        places = (rule.title, rule.id, rule.text, rule.note or "")
        return next(rank for rank, text in enumerate(places) if "award" in text.casefold())

    ranks = [place(rule) for rule in rules.search(["award"])]
    assert ranks == sorted(ranks)
    assert set(ranks) == {0, 1, 2, 3}


def test_search_puts_the_start_of_a_word_before_the_middle_of_one() -> None:
    starts = [bool(re.search(r"\bmine", rule.title, re.I)) for rule in rules.search(["mine"])[:18]]
    assert starts == [True] * 16 + [False] * 2  # the last two are Landmines


def test_an_id_is_its_own_best_match() -> None:
    assert rules.search(["a-loss-09"])[0].id == "A-LOSS-09"


def test_show_tells_text_example_note_and_source() -> None:
    text = rules.show(rules.rule("A-LOSS-09"))
    assert text.startswith("A-LOSS-09  Order of reductions\nAtlantikwall, LOSS\n")
    assert "Example (printed in the rulebook)" in text
    assert "shortage = 8" in text
    assert "Note: Flooring the Allied part" in text
    assert "Source: Atlantikwall and Overlord rulebook" in text


def test_show_tells_both_editions_of_each_other() -> None:
    change = "Regular deck of 6 plus Reserve deck of 5"
    first, second = (" ".join(rules.show(rules.rule(rule_id)).split()) for rule_id in ("F-COMP-01", "S-COMP-01"))
    assert "Second edition: changed, see S-COMP-01" in first
    assert change in first
    assert "Changed from F-COMP-01" in second
    assert change in second
    assert "Same as F-COMP-04" in rules.show(rules.rule("S-COMP-03"))
    assert "the same, see S-COMP-03" in rules.show(rules.rule("F-COMP-04"))


def test_show_says_what_a_rule_rests_on() -> None:
    assert "Inferred:" in rules.show(rules.rule("F-COMP-03"))
    assert "Reconstructed:" in rules.show(rules.rule("F-TOOL-01"))
    gap = next(rule for rule in rules.register().values() if rule.source.endswith("(gap)"))
    assert "Our own rule:" in rules.show(gap)
    assert "Inferred:" not in rules.show(rules.rule("F-ROLL-01"))


def test_every_rule_can_be_shown() -> None:
    for rule in rules.register().values():
        text = rules.show(rule)
        assert rule.id in text and max(map(len, text.splitlines()[2:])) <= 88, rule.id


# ---- coverage


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A made-up checkout whose tests name rules in every place where a rule can be named."""
    write(
        tmp_path / "tests/landing/test_marks.py",
        """
        import pytest

        @pytest.mark.rule("F-ROLL-01", "S-ROLL-01")
        def test_function(): ...

        @pytest.mark.rule("A-LOSS-09")
        class TestClass:
            pytestmark = [pytest.mark.slow, pytest.mark.rule("A-LOSS-10")]

            @pytest.mark.rule("A-LOSS-06")
            async def test_method(self): ...

        @pytest.mark.parametrize("n", [pytest.param(1, marks=pytest.mark.rule("O-CARRYON-02"))])
        def test_case(n): ...

        @pytest.mark.rule("F-COMP-01")
        def helper(): ...

        @pytest.mark.rule("F-COMP-02")
        class TestNothing: ...

        NAME = "F-COMP-03"

        @pytest.mark.rule(NAME)
        @pytest.mark.slow("F-COMP-04")
        def test_no_constant():
            "F-SETUP-01"
        """,
    )
    write(
        tmp_path / "tests/test_module.py",
        """
        import pytest

        def test_something(): ...

        pytestmark = pytest.mark.rule("W-GOLD-01", "F-NOWHERE-99")
        """,
    )
    write(
        tmp_path / "tests/scenarios/first.toml",
        'rules = ["B-STEP6-01", "B-NOWHERE-99"]\n[table]\nrules = ["B-FIELD-03"]',
    )
    write(tmp_path / "tests/broken.toml", "rules = [")
    write(tmp_path / "tests/other.toml", 'rules = { edition = "first" }')
    write(tmp_path / "src/beachhead/landing/scenarios/more/second.toml", 'rules = ["B-MEDAL-06"]')
    write(tmp_path / "src/beachhead/landing/maps/map.toml", 'rules = ["B-MEDAL-13"]')
    return tmp_path


NAMED = {
    "F-ROLL-01",
    "S-ROLL-01",
    "A-LOSS-06",
    "A-LOSS-09",
    "A-LOSS-10",
    "O-CARRYON-02",
    "W-GOLD-01",
    "B-STEP6-01",
    "B-MEDAL-06",
}


def test_rules_named_by_tests_and_scenarios_are_tested_and_no_others(tree: Path) -> None:
    report = coverage(tree / "tests", tree / "src/beachhead")
    assert rules.register().keys() - set(report.untested_rules) == NAMED
    assert report.unknown == ["B-NOWHERE-99", "F-NOWHERE-99"]


def test_the_json_report_counts_every_book(tree: Path) -> None:
    report = coverage(tree / "tests", tree / "src/beachhead").as_json()
    tested = {"base-first": 1, "base-second": 1, "atlantikwall": 3, "overlord": 1, "pocket": 2, "way-to-hell": 1}
    assert json.loads(json.dumps(report)) == {
        "total": 1022,
        "tested": 9,
        "untested": 1013,
        "books": {
            book: {"total": size, "tested": tested[book], "untested": size - tested[book]}
            for book, size in BOOK_SIZES.items()
        },
        "untested_rules": [rule_id for rule_id in rules.register() if rule_id not in NAMED],
        "unknown": ["B-NOWHERE-99", "F-NOWHERE-99"],
    }


def test_the_text_report_lists_untested_rules_only_when_asked(tree: Path) -> None:
    report = coverage(tree / "tests", tree / "src/beachhead")
    lines = [line.split() for line in report.as_text().splitlines()]
    assert ["atlantikwall", "169", "3", "166"] in lines
    assert ["all", "1022", "9", "1013"] in lines
    assert ["F-NOWHERE-99"] in lines
    assert "F-COMP-01" not in report.as_text()
    assert "Not yet built or not yet tested:\n  F-COMP-01  Player components\n" in report.as_text(untested=True)


def test_the_tests_are_found_from_the_package_or_the_current_directory(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert coverage_module.tests_root() == Path(__file__).resolve().parents[1]
    monkeypatch.setattr(coverage_module, "_PACKAGE", tree / "site-packages/lib/beachhead")
    monkeypatch.chdir(tree)
    assert coverage_module.tests_root() == tree / "tests"
    monkeypatch.chdir(tree / "tests")
    with pytest.raises(BeachheadError, match="checkout"):
        coverage_module.tests_root()


def test_our_own_tests_name_only_rules_that_exist() -> None:
    assert coverage(coverage_module.tests_root()).unknown == []


# ---- the command line


def test_the_command_shows_rules() -> None:
    result = CliRunner().invoke(app, ["show", "F-ROLL-01", "S-ROLL-01"])
    assert result.exit_code == 0
    assert "Six dice, up to three rolls" in result.stdout
    assert "S-ROLL-01  Six dice, three rolls" in result.stdout


def test_the_command_leaves_mistakes_to_its_caller() -> None:
    result = CliRunner().invoke(app, ["show", "F-ROLL-01", "F-ROL-01"])
    assert isinstance(result.exception, BeachheadError)
    assert result.stdout == ""


def test_the_command_searches() -> None:
    result = CliRunner().invoke(app, ["search", "order", "of", "reductions"])
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0].split(maxsplit=1) == ["A-LOSS-09", "Order of reductions"]


def test_an_empty_search_says_so_and_fails() -> None:
    result = CliRunner().invoke(app, ["search", "zeppelin", "raid"])
    assert (result.exit_code, result.stdout) == (1, "no rule matches zeppelin raid\n")


def test_the_command_reports_coverage_as_json() -> None:
    result = CliRunner().invoke(app, ["coverage", "--json"])
    assert json.loads(result.stdout) == coverage(coverage_module.tests_root()).as_json()
