"""The house: rooms depend one way, the engine needs nothing but Python, and every citation leads somewhere."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

import beachhead
from beachhead.content.library import library
from beachhead.landing.cites import CITES
from beachhead.rules import register

SOURCE = Path(beachhead.__file__).parent

ROOMS = {
    "say": set(),
    "core": {"say"},
    "rules": {"core", "say"},
    "content": {"core", "say", "rules"},
    "landing": {"core", "say", "rules", "content"},
    "pocket": {"core", "say", "rules", "content", "landing"},
    "solve": {"core", "say", "landing", "pocket"},
    "games": {"core", "landing", "pocket"},
    "bots": {"core", "say", "games", "solve"},
    "advise": {"core", "say", "games", "landing", "pocket", "bots", "solve"},
    "table": {"core", "say", "games", "bots", "advise"},
    "sim": {"core", "say", "content", "games", "bots", "table", "landing", "solve", "draw"},
    "train": {"core", "say", "content", "games", "bots", "landing", "solve"},
    "scenarios": {"core", "say", "rules", "content", "landing", "pocket", "games"},
    "terminal": {"core", "say", "rules", "content", "landing", "pocket", "games", "bots", "advise", "table"},
    "draw": {"core", "say", "content", "landing"},
    "server": {
        "core",
        "say",
        "rules",
        "content",
        "landing",
        "pocket",
        "games",
        "bots",
        "advise",
        "table",
        "draw",
        "terminal",
    },
    "cli": {
        "core",
        "say",
        "rules",
        "content",
        "pocket",
        "sim",
        "solve",
        "train",
        "advise",
        "scenarios",
        "terminal",
        "server",
    },
    "__main__": {"cli"},
}
"""Which rooms each room may look into (beside itself)."""
PURE = ("core", "say", "rules", "content", "landing", "pocket", "games", "table", "draw")
"""Rooms of the engine: the standard library only. Command lines (`cli.py`) may use more."""


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    """Every module that a file imports, by its full name."""
    package = ("beachhead", *path.relative_to(SOURCE).parent.parts)
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            start = f"{base}.{node.module}".strip(".") if node.module else base
            found |= {f"{start}.{name.name}" for name in node.names} if start == "beachhead" else {start}
    return found


FILES = sorted(path for path in SOURCE.rglob("*.py") if path.relative_to(SOURCE).parts[0] != "__init__.py")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_rooms_look_only_where_they_may(path: Path) -> None:
    room = room_of(path)
    for name in imports(path):
        if name.startswith("beachhead."):
            other = name.split(".")[1]
            if other not in (room, "__version__"):
                assert other in ROOMS[room], f"{room} must not import {other} ({name})"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_the_engine_needs_nothing_but_python(path: Path) -> None:
    if room_of(path) not in PURE or path.name == "cli.py":
        return
    for name in imports(path):
        top = name.split(".")[0]
        assert top == "beachhead" or top in sys.stdlib_module_names, f"{path.name} imports {name}"


def test_every_topic_of_the_landing_cites_an_existing_rule_of_its_edition() -> None:
    for topic, (first, second) in CITES.items():
        assert first in register(), topic
        assert second in register(), topic
        assert first.startswith("F-"), topic
        assert second.startswith("S-"), topic


def test_every_card_and_bonus_cites_an_existing_rule() -> None:
    shelf = library()
    for edition in shelf.cards:
        for card in shelf.cards[edition].values():
            assert card.rule in register(), card.id
        for nation in shelf.nations[edition].values():
            for bonus in nation.rwb.values():
                assert bonus.rule in register(), (nation.id, bonus.name)


def test_rule_ids_named_in_the_source_exist() -> None:
    pattern = re.compile(r"\b[FSAOWBEKN]-[A-Z][A-Z0-9-]*-\d\d\b")
    for path in FILES:
        for found in pattern.findall(path.read_text(encoding="utf-8")):
            assert found in register(), f"{path.name} names {found}"


def test_core_knows_no_game() -> None:
    words = re.compile(r"\b(soldiers?|bunker|specialist|sector)\b", re.IGNORECASE)
    for path in (SOURCE / "core").glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        names |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        assert not [name for name in names if words.search(name)], path.name
