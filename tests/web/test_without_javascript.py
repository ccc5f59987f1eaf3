"""The text view in a browser without scripts: forms and words, from a new game to its end."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Locator, Page, expect

from .. import luck
from ..server.running import Running
from . import player
from .player import LOST
from .watching import Watch

server = player.server

Contexts = Callable[..., BrowserContext]

REFUSED = "Failed to load resource: the server responded with a status of 4"


def decision(page: Page) -> Locator:
    """The part of the page that asks."""
    asked = page.get_by_role("heading", name="Your decision")
    return page.locator("section").filter(has=asked)


def over(page: Page) -> Locator:
    return page.get_by_role("link", name="The record of this game")


def press(button: Locator) -> None:
    with button.page.expect_navigation():
        button.click()


def answer(page: Page) -> None:
    asked = decision(page)
    options = asked.get_by_role("list").get_by_role("button")
    if options.count():
        press(options.first)
        return
    wanted = re.search(r"(?:Choose|Lock|Cancel) (\d)", asked.inner_text())
    assert wanted, asked.inner_text()
    for at in range(int(wanted[1])):
        asked.get_by_role("checkbox").nth(at).check()
    press(asked.get_by_role("group").get_by_role("button").first)


def test_a_practice_run_to_its_end(server: Running, new_context: Contexts) -> None:
    page = new_context(java_script_enabled=False).new_page()
    page.goto(f"{server.url}/text")
    page.get_by_label("Level").select_option(label="Practice Run")
    with luck.words(LOST):
        press(page.get_by_role("button", name="Start", exact=True))
    expect(page.get_by_role("heading", level=1)).to_have_text("Exercise Tiger")
    for _ in range(200):
        if over(page).count():
            break
        answer(page)
    expect(over(page)).to_be_visible()
    expect(page.get_by_role("heading", name="Defeat")).to_be_visible()
    press(page.get_by_role("link", name="First page"))
    expect(page.get_by_role("link", name="Exercise Tiger")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="Exercise Tiger")).to_contain_text("lost")


def test_dice_that_cannot_be_chosen_are_refused_in_words(server: Running, new_context: Contexts, watch: Watch) -> None:
    watch.allow(REFUSED)
    page = new_context(java_script_enabled=False).new_page()
    page.goto(f"{server.url}/text")
    press(page.get_by_role("button", name="New solo game"))
    boxes = decision(page).get_by_role("checkbox")
    for at in range(5):
        boxes.nth(at).check()
    press(decision(page).get_by_role("group").get_by_role("button").first)
    expect(page.get_by_role("alert")).to_have_text(re.compile(r"\w+ .*\."))
    answer(page)
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(decision(page).get_by_role("button", name="Keep all dice as they lie")).to_be_visible()
    press(decision(page).get_by_role("button", name=re.compile("^Take back: ")))
    expect(decision(page).get_by_role("group").get_by_role("button").first).to_have_text(re.compile("^Lock"))


def test_a_link_is_all_one_needs(server: Running, new_context: Contexts, watch: Watch) -> None:
    watch.allow(REFUSED)
    made = server.create()
    page = new_context(java_script_enabled=False).new_page()
    page.goto(f"{server.url}/g/{made['table']}/text")
    page.get_by_label("Your link, or its last part").fill("wrong-link-altogether")
    press(page.get_by_role("button", name="Come to the table"))
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Your link, or its last part").fill(made["links"]["host"])
    press(page.get_by_role("button", name="Come to the table"))
    expect(decision(page)).to_be_visible()


def test_the_first_page_leads_to_the_text_view(server: Running, new_context: Contexts) -> None:
    page = new_context(java_script_enabled=False).new_page()
    page.goto(server.url)
    page.get_by_role("link", name="text view").click()
    page.get_by_role("button", name="New solo game").click()
    expect(decision(page)).to_be_visible()
