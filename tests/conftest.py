"""For all tests: English is spoken wherever they run, also by the commands they start, every word is there, and nothing
depends on luck.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import settings

from beachhead.say import catalogue

from . import luck

for name in ("BEACHHEAD_LANG", "LC_MESSAGES", "LANG"):
    os.environ.pop(name, None)
os.environ["LC_ALL"] = "C.UTF-8"
os.environ.pop("BEACHHEAD_PACKS", None)
os.environ["BEACHHEAD_DATA"] = os.path.join(tempfile.gettempdir(), "beachhead-tests-without-packs")

catalogue.strict = True  # a message, argument or form that is in no catalogue raises, and is not said in English

luck.install()
settings.register_profile("beachhead", deadline=None, database=None)
settings.load_profile("beachhead")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "true_luck: seeds of games and choices of bots are drawn afresh (tests/luck.py)")
    if config.getoption("--hypothesis-seed") is None:
        config.option.hypothesis_seed = luck.LUCK


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    with luck.at(luck.TRUE if item.get_closest_marker("true_luck") else item.nodeid):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any]) -> Generator[None, object, object]:
    """What a shared fixture draws does not depend on the test that is the first to ask for it."""
    if fixturedef.scope == "function":
        return (yield)
    with luck.at(f"{fixturedef.baseid}::{fixturedef.argname}"):
        return (yield)


def pytest_report_header() -> str:
    return f"luck: {luck.NAME}={luck.LUCK}"


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if luck.LUCK != "0" or terminalreporter.stats.get("failed"):
        terminalreporter.write_line(f"luck: {luck.NAME}={luck.LUCK}")
