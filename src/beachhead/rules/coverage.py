"""Which rules of the register have a test.

A test names the rules it checks in one of two ways:

- a mark on the test, on its class, or on the module: `@pytest.mark.rule("F-ROLL-01", "S-ROLL-01")`,
  `pytestmark = pytest.mark.rule("F-ROLL-01")`. The ids are plain string constants; the files are parsed, not run.
- a scenario, any TOML file of the tests or of a `scenarios` folder of the package, with a top-level list
  `rules = ["F-ROLL-01"]`.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from beachhead.core.errors import BeachheadError
from beachhead.rules import BOOKS, register

_PACKAGE = Path(__file__).resolve().parent.parent


class CountJson(TypedDict):
    total: int
    tested: int
    untested: int


class CoverageJson(CountJson):
    books: dict[str, CountJson]
    untested_rules: list[str]
    unknown: list[str]


@dataclass(frozen=True, slots=True)
class Count:
    total: int
    tested: int

    @property
    def untested(self) -> int:
        return self.total - self.tested

    def as_json(self) -> CountJson:
        return {"total": self.total, "tested": self.tested, "untested": self.untested}


@dataclass(frozen=True, slots=True)
class Coverage:
    """`unknown` holds the ids that tests name and the register does not have."""

    books: Mapping[str, Count]
    untested_rules: list[str]
    unknown: list[str]

    @property
    def all(self) -> Count:
        return Count(sum(book.total for book in self.books.values()), sum(book.tested for book in self.books.values()))

    def as_json(self) -> CoverageJson:
        return {
            **self.all.as_json(),
            "books": {book: count.as_json() for book, count in self.books.items()},
            "untested_rules": self.untested_rules,
            "unknown": self.unknown,
        }

    def as_text(self, *, untested: bool = False) -> str:
        """A table of the books and, if asked for, every rule without a test."""
        lines = [f"{'book':<14}{'rules':>6}{'tested':>8}{'untested':>10}"]
        for name, count in [*self.books.items(), ("all", self.all)]:
            lines.append(f"{name:<14}{count.total:>6}{count.tested:>8}{count.untested:>10}")
        if self.unknown:
            lines += ["", "Named by tests, but not in the register:", *(f"  {rule_id}" for rule_id in self.unknown)]
        if untested and self.untested_rules:
            rules = register()
            lines += ["", "Not yet built or not yet tested:"]
            lines += [f"  {rule_id}  {rules[rule_id].title}" for rule_id in self.untested_rules]
        return "\n".join(lines)


def coverage(tests_root: Path, package: Path = _PACKAGE) -> Coverage:
    """What the tests below `tests_root`, and the scenarios of the package, say they check."""
    named = set(_named_by_scenarios(tests_root.rglob("*.toml")))
    named.update(_named_by_scenarios(package.glob("**/scenarios/**/*.toml")))
    for file in tests_root.rglob("*.py"):
        named.update(_named_by_tests(ast.parse(file.read_bytes(), str(file)), frozenset()))
    rules = register()
    books = {}
    for book in BOOKS:
        ids = {rule.id for rule in rules.values() if rule.book == book}
        books[book] = Count(len(ids), len(ids & named))
    return Coverage(books, [rule_id for rule_id in rules if rule_id not in named], sorted(named - rules.keys()))


def tests_root() -> Path:
    """The `tests` folder of the checkout that the package, or else the current directory, belongs to."""
    for checkout in (_PACKAGE.parent.parent, Path.cwd()):
        if (checkout / "src" / _PACKAGE.name).is_dir() and (checkout / "tests").is_dir():
            return checkout / "tests"
    raise BeachheadError("the tests are not part of an installed Beachhead: run this in the folder of a checkout")


def _named_by_tests(scope: ast.Module | ast.ClassDef, outer: frozenset[str]) -> Iterator[str]:
    """The ids that hold for at least one test of the scope; a mark with no test under it names nothing."""
    for node in scope.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "pytestmark" for t in node.targets):
            outer |= _marks(node.value)
    for node in scope.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            yield from outer.union(*map(_marks, node.decorator_list))
        elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            yield from _named_by_tests(node, outer.union(*map(_marks, node.decorator_list)))


def _marks(expression: ast.expr) -> frozenset[str]:
    """The ids of every `pytest.mark.rule(...)` in an expression, so also in a list or a `pytest.param`."""
    return frozenset(
        argument.value
        for call in ast.walk(expression)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.rule"
        for argument in call.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    )


def _named_by_scenarios(paths: Iterator[Path]) -> Iterator[str]:
    """Files that are no TOML are left to the tests that use them."""
    for path in paths:
        try:
            rules = tomllib.loads(path.read_text(encoding="utf-8")).get("rules")
        except (tomllib.TOMLDecodeError, UnicodeDecodeError):
            continue
        if isinstance(rules, list):
            yield from (rule_id for rule_id in rules if isinstance(rule_id, str))
