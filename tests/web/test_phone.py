"""The table on a phone, 360 x 640, with touch: nothing scrolls sideways, and what is asked is in view."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from .. import luck
from ..server.running import Client, Running
from . import player
from .player import LOST, Player, finished, reach
from .watching import Watch

server = player.server

WIDTH = 360
PANES = ("Map", "Cards", "Units", "Log", "Why")


def fits(page: Page) -> None:
    wide = page.evaluate("Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)")
    assert wide <= WIDTH, f"{page.url} is {wide} wide"


def in_view(player: Player) -> None:
    """The prompt, the six dice and the buttons of the tray."""
    fits(player.page)
    expect(player.turn).to_be_in_viewport(ratio=1)
    for at in range(player.dice.count()):
        expect(player.dice.nth(at)).to_be_in_viewport(ratio=1)
    expect(player.turn.get_by_role("button").last).to_be_in_viewport(ratio=0.9)


@pytest.mark.parametrize(
    ("path", "heading"),
    [
        ("/", "Beachhead"),
        ("/new", "New table"),
        ("/history", "My games"),
        ("/settings", "Settings"),
        ("/rules", "Rules"),
        ("/text", "Beachhead"),
        ("/no-such-page", "Beachhead"),
    ],
)
def test_a_page_does_not_scroll_sideways(
    server: Running, phone_page: Page, watch: Watch, path: str, heading: str
) -> None:
    watch.allow("404")
    finished(server)
    phone_page.goto(server.url + path)
    expect(phone_page.get_by_role("heading", level=1)).to_contain_text(heading)
    fits(phone_page)


def test_of_a_board_that_is_higher_than_the_screen_the_own_sector_is_shown(server: Running, phone_page: Page) -> None:
    setup = {"edition": "first", "map": "operation-deadstick", "seats": 2}
    made = server.create(["person"] * 2, setup=setup, practice=True)
    phone_page.goto(made["links"]["host"])
    expect(phone_page.locator('.pic [data-sector="S1"] .area')).to_be_in_viewport()


@pytest.mark.parametrize("board", ["n08-merville-battery", "n12-crisbecq-battery"])
def test_where_one_stands_is_in_view(server: Running, phone_page: Page, board: str) -> None:
    made = server.create(["person"] * 4, setup={"edition": "second", "map": board, "seats": 4}, practice=True)
    assert reach(server, made, lambda keys: "stay" in keys)
    phone_page.goto(made["links"]["host"])
    tokens = phone_page.locator(".over .unit")
    expect(tokens).to_have_count(4)
    for at in range(4):
        expect(tokens.nth(at)).to_be_in_viewport(ratio=0.95)


def test_where_one_may_land_is_shown_and_no_token_before_that(server: Running, phone_page: Page) -> None:
    setup = {"edition": "first", "map": "operation-deadstick", "seats": 2}
    made = server.create(["person"] * 2, setup=setup, practice=True)
    with Client(server.port, made["table"], made["token"]) as client:
        landed = client.message(lambda seat, seq, keys: "start:S2", seat=1)
        assert landed is not None
        client.ask(landed)
    no_hints = "localStorage.setItem('beachhead.settings', JSON.stringify({hints: false}))"
    phone_page.add_init_script(f"if (location.protocol === 'http:') {no_hints}")
    phone_page.goto(made["links"]["host"])
    player = Player(phone_page, touch=True)
    player.wait()
    for sector in ("M1", "M2"):
        expect(phone_page.locator(f'.pic [data-sector="{sector}"] .area')).to_be_in_viewport(ratio=0.6)
    tokens = phone_page.locator(".over .unit")
    expect(tokens).to_have_count(1)
    player.press(player.turn.get_by_role("button", name="Land in Sector M1"))
    expect(tokens).to_have_count(2)
    expect(tokens.first).to_be_in_viewport(ratio=0.95)


def test_the_table_of_points_scrolls_by_itself(server: Running, phone_page: Page) -> None:
    setup = {"level": "practice-run", "options": ["victory-points"]}
    with luck.words(LOST):
        made = server.create(["person"] * 4, setup=setup)
    reach(server, made, lambda keys: False)
    phone_page.goto(made["links"]["host"])
    total = phone_page.get_by_role("table").get_by_role("rowheader", name="Victory Points")
    total.scroll_into_view_if_needed()
    expect(total).to_be_visible()
    fits(phone_page)
    pane = phone_page.get_by_role("group", name="Victory Points")
    assert pane.evaluate("pane => pane.scrollWidth > pane.clientWidth")
    pane.focus()
    expect(pane).to_be_focused()


def test_the_result_is_in_view_when_a_game_is_over(server: Running, phone_page: Page) -> None:
    phone_page.goto(finished(server)["links"]["host"])
    expect(phone_page.get_by_role("heading", level=1)).to_contain_text("Defeat")
    expect(phone_page.get_by_role("heading", level=1)).to_be_in_viewport(ratio=1)
    assert phone_page.evaluate("scrollY") == 0
    fits(phone_page)


def test_a_game_on_a_phone_to_its_end(server: Running, phone_page: Page) -> None:
    phone_page.emulate_media(reduced_motion="reduce")
    phone_page.goto(server.url)
    player = Player(phone_page, touch=True)
    with luck.words(LOST):
        phone_page.get_by_role("region", name="Learn by doing").get_by_role("button", name="Practice run").tap()
        player.wait()
    expect(player.dice).to_have_count(6)
    for at in range(6):
        box = player.dice.nth(at).bounding_box()
        assert box is not None and min(box["width"], box["height"]) >= 44
    for _ in range(200):
        if player.over:
            break
        in_view(player)
        player.answer_simply()
    expect(phone_page.get_by_role("heading", level=1)).to_contain_text("Defeat")
    fits(phone_page)
    player.result.tap()
    expect(phone_page.get_by_role("slider", name="Place in the game")).to_be_visible()
    fits(phone_page)


def test_every_pane_of_the_table_fits(server: Running, phone_page: Page) -> None:
    phone_page.emulate_media(reduced_motion="reduce")
    phone_page.goto(server.url)
    phone_page.get_by_role("button", name="Roll the dice").tap()
    player = Player(phone_page, touch=True)
    player.wait()
    expect(player.dice).to_have_count(6)
    for name in PANES:
        tab = phone_page.get_by_role("tab", name=name, exact=True)
        tab.tap()
        expect(tab).to_have_attribute("aria-selected", "true")
        expect(phone_page.get_by_role("tabpanel", name=name)).to_be_visible()
        in_view(player)
    phone_page.get_by_role("tab", name="Map").tap()
    phone_page.get_by_role("button", name="Show my Sector and its exits").tap()
    in_view(player)
    phone_page.get_by_role("button", name="Menu").tap()
    expect(phone_page.get_by_role("dialog", name="Menu")).to_be_visible()
    fits(phone_page)


def test_twice_the_size_of_letters_loses_nothing(server: Running, phone_page: Page) -> None:
    phone_page.emulate_media(reduced_motion="reduce")
    phone_page.goto(server.create()["links"]["host"])
    player = Player(phone_page, touch=True)
    player.wait()
    phone_page.evaluate("document.documentElement.style.fontSize = '200%'")
    fits(phone_page)
    expect(phone_page.get_by_role("heading", level=1)).to_have_text("Exercise Tiger turn 1")
    for name in PANES:
        phone_page.get_by_role("tab", name=name, exact=True).tap()
        assert cut_off(phone_page) == []
    for button in player.turn.get_by_role("button").all():
        button.scroll_into_view_if_needed()
        expect(button).to_be_in_viewport(ratio=0.9)
    player.hit(player.dice.nth(0))
    player.hit(player.dice.nth(1))
    player.press(player.turn.get_by_role("button", name="Lock 2 dice"))
    fits(phone_page)


def cut_off(page: Page) -> list[str]:
    """Words that are wider than their place and cannot be scrolled to."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("h1, h2, b, p, li, button, span, small")].filter((one) => {
          const style = getComputedStyle(one);
          return one.clientWidth > 2 && style.overflowX === "hidden" && one.scrollWidth > one.clientWidth + 1;
        }).map((one) => one.textContent.trim())"""
    )
    return found


def test_all_of_the_page_lies_in_landmarks(server: Running, phone_page: Page) -> None:
    phone_page.goto(server.create()["links"]["host"])
    Player(phone_page, touch=True).wait()
    outside = phone_page.evaluate(
        """() => {
          const marks = "header, main, nav, footer, section[aria-label], [aria-live], dialog";
          const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          const found = [];
          while (texts.nextNode()) {
            const { data, parentElement: at } = texts.currentNode;
            if (data.trim() && at.closest("#app") && !at.closest(marks)) found.push(data);
          }
          return found;
        }"""
    )
    assert outside == []
