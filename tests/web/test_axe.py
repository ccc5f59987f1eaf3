"""axe-core finds nothing serious on any page, in light, dark and high contrast."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from ..server.running import Running
from .axe import serious_findings
from .conftest import PHONE
from .player import CALM, LOST, Player, finished, reach

Contexts = Callable[..., BrowserContext]

THEMES: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "contrast": {"contrast": "more"},
}
PAGES = {"/": "Beachhead", "/new": "New table", "/history": "My games", "/settings": "Settings", "/rules": "Rules"}


def asks(verb: str) -> Callable[[list[str]], bool]:
    return lambda keys: any(key.startswith(verb) for key in keys)


PLACES: dict[str, Callable[[list[str]], bool]] = {
    "lock": asks("lock:"),
    "re-roll": asks("roll:"),
    "acquire": asks("rally:"),
    "move": asks("move:"),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("tables") / "tables.sqlite") as running:
        yield running


@pytest.fixture(scope="module")
def tables(server: Running) -> dict[str, dict[str, Any]]:
    """A table at each place of a turn, and one whose game is over."""
    found = {"over": finished(server, seed=LOST)}
    for name, there in PLACES.items():
        found[name] = server.create(("person", "person"), setup={"level": "basic-training"}, seed=LOST)
        assert reach(server, found[name], there), name
    return found


def check(page: Page) -> None:
    assert serious_findings(page) == []


@pytest.mark.parametrize("theme", THEMES)
def test_pages(server: Running, new_context: Contexts, tables: dict[str, Any], theme: str) -> None:
    page = new_context(**CALM, **THEMES[theme]).new_page()
    for path, heading in PAGES.items():
        page.goto(server.url + path)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        expect(page.get_by_role("heading", level=1)).to_contain_text(heading)
        page.wait_for_load_state("networkidle")
        check(page)


@pytest.mark.parametrize("theme", THEMES)
def test_my_games(server: Running, new_context: Contexts, theme: str) -> None:
    server.create()  # a table whose link this browser does not know
    made = server.create(setup={"level": "practice-run"})
    reach(server, made, lambda keys: False)
    page = new_context(**CALM, **THEMES[theme]).new_page()
    page.goto(made["links"]["host"])
    expect(Player(page).result).to_be_visible()
    page.goto(f"{server.url}/history")
    expect(page.get_by_text("Counted: 1 of 1 finished games.")).to_be_visible()
    page.get_by_text("By colour").click()
    check(page)
    page.goto(server.url)
    expect(page.get_by_role("region", name="On this computer")).to_be_visible()
    check(page)
    page.goto(f"{server.url}/rules?q=landmines")
    expect(page.get_by_text("rules", exact=False).first).to_be_visible()
    check(page)


@pytest.mark.parametrize("theme", THEMES)
def test_the_table(server: Running, new_context: Contexts, tables: dict[str, Any], theme: str) -> None:
    page = new_context(**CALM, **THEMES[theme]).new_page()
    player = Player(page)
    for name in PLACES:
        page.goto(tables[name]["links"]["host"])
        player.wait()
        expect(page.get_by_role("region", name="Battlefield").get_by_role("group").first).to_be_visible()
        assert player.buttons()
        check(page)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog").get_by_role("button", name="Seats and links").click()
    expect(page.get_by_role("dialog", name="Seats and links")).to_be_visible()
    check(page)


@pytest.mark.parametrize("theme", THEMES)
def test_result_and_replay(server: Running, new_context: Contexts, tables: dict[str, Any], theme: str) -> None:
    page = new_context(**CALM, **THEMES[theme]).new_page()
    page.goto(tables["over"]["links"]["host"])
    page.get_by_role("button", name="Check this game").click()
    expect(page.get_by_role("status")).to_be_visible()
    check(page)
    Player(page).result.click()
    expect(page.get_by_role("slider", name="Place in the game")).to_be_visible()
    check(page)


@pytest.mark.parametrize("theme", THEMES)
def test_a_trade(server: Running, new_context: Contexts, tables: dict[str, Any], theme: str) -> None:
    page = new_context(**CALM, **THEMES[theme]).new_page()
    page.goto(tables["re-roll"]["links"]["host"])
    player = Player(page)
    player.wait()
    player.press(player.turn.get_by_role("button", name="Trade with"))
    call_off = player.turn.get_by_role("button", name="Call it off")
    expect(call_off).to_be_visible()
    check(page)
    player.press(call_off)


def test_the_phone(server: Running, new_context: Contexts, tables: dict[str, Any]) -> None:
    page = new_context(**PHONE, **CALM).new_page()
    page.goto(tables["lock"]["links"]["host"])
    Player(page).wait()
    for tab in page.get_by_role("tab").all():
        tab.tap()
        expect(tab).to_have_attribute("aria-selected", "true")
        check(page)


def test_the_text_view(server: Running, page: Page, tables: dict[str, Any]) -> None:
    page.goto(f"{server.url}/text")
    check(page)
    page.get_by_role("button", name="New solo game").click()
    expect(page.get_by_role("heading", name="Your decision")).to_be_visible()
    check(page)
