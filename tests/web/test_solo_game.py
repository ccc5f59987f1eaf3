"""A whole game alone, from the home page to the result page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from ..server.running import Running
from . import player
from .player import CALM, PRACTICE_RUN, Mirror, Player, words_that_win

server = player.server

FOCUSED = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"


def open_new_table(page: Page, url: str, words: str, level: str = "") -> None:
    """Over the page for new tables, with words for the dice."""
    page.goto(f"{url}/new")
    page.get_by_role("radio", name="First edition").check()
    if level:
        page.get_by_role("radio", name=level).check()
    page.get_by_role("radio", name="From words").check()
    page.get_by_label("Words for the dice", exact=True).fill(words)
    page.get_by_role("button", name="Open the table").click()


def play_as_the_bot_would(player: Player, setup: dict[str, Any], words: str) -> Mirror:
    mirror = Mirror(setup, words)
    while mirror.won is None:
        ask = mirror.screen.asks[0]
        expect(player.turn.get_by_role("heading", level=2)).to_have_text(ask.prompt)
        key = mirror.thumb(ask)
        mirror.answer(ask, key)
        player.answer(ask, key)
    return mirror


def test_the_first_roll_is_one_click_from_home(server: Running, new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(**CALM).new_page()
    page.goto(server.url)
    page.get_by_role("button", name="Roll the dice").click()
    dice = Player(page).dice
    expect(dice).to_have_count(6)
    expect(page.get_by_role("list", name="Log").get_by_text("Unit 1 rolls")).to_be_visible()


def test_a_game_from_home_to_its_end_by_clicks(server: Running, new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(**CALM).new_page()
    page.goto(server.url)
    page.get_by_role("region", name="Learn by doing").get_by_role("button", name="Practice run").click()
    player = Player(page)
    player.wait()
    assert player.play_simply() > 0
    expect(page.get_by_role("button", name="Check this game")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Home").click()
    games = page.get_by_role("region", name="Your record")
    expect(games.get_by_role("link", name="Exercise Tiger")).to_contain_text("Practice Run")


def test_a_game_is_won_by_clicks(server: Running, new_context: Callable[..., BrowserContext]) -> None:
    words, _ = words_that_win(PRACTICE_RUN)
    page = new_context(**CALM).new_page()
    open_new_table(page, server.url, words, "Practice run")
    player = Player(page)
    player.wait()
    mirror = play_as_the_bot_would(player, PRACTICE_RUN, words)
    over = mirror.screen.over
    assert over is not None and over.won
    expect(page.get_by_role("heading", level=1)).to_have_text(over.title)
    expect(page.get_by_text(over.text)).to_be_visible()
    expect(page.get_by_text("A practice game; it counts in no record.")).to_be_visible()


@pytest.mark.slow
def test_a_game_with_all_rules_is_won_by_clicks(server: Running, new_context: Callable[..., BrowserContext]) -> None:
    setup = {"edition": "first", "map": "n01-exercise-tiger", "seats": 1}
    words, _ = words_that_win(setup)
    page = new_context(**CALM).new_page()
    open_new_table(page, server.url, words)
    player = Player(page)
    player.wait()
    play_as_the_bot_would(player, setup, words)
    expect(player.result).to_be_visible()


def tab_to(page: Page, words: str) -> None:
    """Go on with the Tab key until what has the focus has these words."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if words.lower() in page.evaluate(FOCUSED).lower():
            return
    raise AssertionError(f"{words!r} cannot be reached with Tab")


def test_a_game_from_home_to_its_end_by_keys(server: Running, new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(**CALM).new_page()
    page.goto(server.url)
    expect(page.get_by_role("region", name="Learn by doing").get_by_role("button", name="Practice run")).to_be_visible()
    tab_to(page, "Practice run")
    page.keyboard.press("Enter")
    player = Player(page)
    player.wait()
    for _ in range(200):
        if player.over:
            break
        if player.dice.count() == 0:
            player.key("1")
            continue
        for number in "123456":
            if player.answers():
                break
            page.keyboard.press(number)
        player.key("r")
    expect(player.result).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    tab_to(page, "Check this game")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_be_visible()


def test_every_key_of_the_list_does_what_it_says(server: Running, page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(server.url)
    page.get_by_role("button", name="Roll the dice").click()
    player = Player(page)
    player.wait()
    expect(player.dice).to_have_count(6)
    page.keyboard.press("k")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()

    page.keyboard.press("3")
    expect(player.tray.get_by_role("button", name="white die 1")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("3")
    expect(player.tray.get_by_role("button", name="white die 1")).to_have_attribute("aria-pressed", "false")

    for _ in range(2):  # with Shift it is kept, however often
        page.keyboard.press("Shift+3")
        expect(player.tray.get_by_role("button", name="white die 1")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("3")

    page.keyboard.press("?")
    expect(page.get_by_role("dialog").get_by_text("F-ROLL-02")).to_be_visible()
    page.keyboard.press("Escape")

    told = page.locator("[aria-live=polite]").first
    page.keyboard.press("n")
    expect(told).to_contain_text("Exercise Tiger")
    expect(told).to_contain_text("4 Soldiers")
    for letter, words in (("d", "R1"), ("u", "Unit 1: 4 Soldiers"), ("s", "Ways out")):
        page.keyboard.press("n")
        page.keyboard.press(letter)
        expect(told).not_to_contain_text("Exercise Tiger")
        expect(told).to_contain_text(words)
        expect(page.get_by_text(told.inner_text()).last).to_be_in_viewport()
    page.keyboard.press("Escape")
    page.keyboard.press("l")
    expect(page.get_by_role("list", name="Log")).to_be_focused()
    page.keyboard.press("a")
    expect(player.turn.get_by_role("button", name="Lock 2 more dice")).to_be_focused()
    page.keyboard.press("m")
    expect(page.get_by_text("The Sectors as a list")).to_be_focused()
    page.keyboard.press("p")
    expect(page.get_by_role("dialog", name="My notes")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement !== document.body")

    page.evaluate("document.activeElement.blur()")
    for number in "13":
        page.keyboard.press(number)
    player.key("Space")
    expect(player.turn.get_by_role("button", name="Re-roll 4 dice")).to_be_visible()
    player.key("u")
    expect(told).to_have_text("An answer was taken back.")
    expect(player.turn.get_by_role("button", name="Lock 2 dice")).to_be_visible()
    player.key("Shift+U")
    expect(player.turn.get_by_role("button", name="Re-roll 4 dice")).to_be_visible()
    page.evaluate("document.activeElement.blur()")
    player.key("Enter")
    expect(player.turn.get_by_role("button", name="Re-roll 4 dice")).to_be_hidden()


def test_keys_of_a_single_sign_can_be_turned_off(server: Running, new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(**CALM).new_page()
    page.goto(server.create()["links"]["host"])
    player = Player(page)
    player.wait()
    page.keyboard.press("k")
    dialog = page.get_by_role("dialog", name="Keys")
    dialog.get_by_role("checkbox", name="Keys of a single sign").uncheck()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.keyboard.press("k")
    page.keyboard.press("1")
    expect(player.dice.first).to_have_attribute("aria-pressed", "false")
    expect(dialog).to_be_hidden()
    page.reload()
    player.wait()
    page.keyboard.press("1")
    expect(player.dice.first).to_have_attribute("aria-pressed", "false")
