"""The adviser in the browser: on the dice, beside every answer, by key, on a phone, and after the game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from beachhead.server import cli

from ..server.fake_adviser import FakeAdviser
from ..server.running import Running
from .axe import serious_findings
from .conftest import PHONE
from .player import CALM, LOST, Player, finished
from .test_french import left_in_english

Contexts = Callable[..., BrowserContext]
THEMES: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "contrast": {"contrast": "more"},
}
TRAINING = {"level": "basic-training"}


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeAdviser:
    found = FakeAdviser()
    monkeypatch.setattr(cli, "_adviser", lambda: found)
    return found


@pytest.fixture
def server(fake: FakeAdviser, tmp_path: Path) -> Iterator[Running]:
    with Running(tmp_path / "tables.sqlite") as running:
        yield running
        fake.go.set()


def seated(server: Running, page: Page, lang: str = "en", touch: bool = False, **more: Any) -> Player:
    made = server.create(**{"setup": TRAINING, "seed": LOST, **more})
    page.goto(made["links"]["host"])
    player = Player(page, lang, touch)
    player.wait()
    return player


def panel(page: Page) -> Locator:
    return page.get_by_role("region", name="Adviser", exact=True)


def take(page: Page) -> Locator:
    return page.get_by_role("button", name="Take the best")


def best_dice(player: Player) -> list[str]:
    """The places of the dice that bear a mark."""
    marked = player.page.locator(".dieb:has(.die-tip)")
    return [str(marked.nth(at).get_attribute("data-place")) for at in range(marked.count())]


def test_a_game_with_the_adviser_by_keys_to_its_end(server: Running, new_context: Contexts) -> None:
    page = new_context(**CALM).new_page()
    player = seated(server, page)
    expect(panel(page)).to_have_count(0)
    page.keyboard.press("b")
    player.key("o")
    expect(panel(page)).to_be_visible()
    for _ in range(300):
        if player.over:
            break
        if player.turn.locator("#options .opt").count() == 1 and not player.dice.count():
            player.key("Enter")
            continue
        expect(take(page).or_(player.result).first).to_be_visible()
        if not player.over:
            player.key("b")
    expect(page.get_by_text("The adviser was on in this game.")).to_be_visible()
    expect(panel(page)).to_have_count(0)

    review = page.get_by_role("region", name="Luck and skill")
    review.get_by_role("button", name="Look through the game").click()
    expect(review).to_contain_text("Dice and draws took 25 points of the chance to win.")
    expect(review.get_by_role("term")).to_have_text(
        ["Before the first roll", "Your choices", "Luck: dice and draws", "Lost"]
    )
    expect(review.get_by_role("definition")).to_have_text(["55.0 %", "−30", "−25", "0 %"])
    expect(review.get_by_role("listitem")).to_have_count(3)
    assert serious_findings(page) == []
    review.get_by_role("link", name="Look at it").first.click()
    expect(page).to_have_url(re.compile(r"/replay/.*\?at=\d+$"))
    page.get_by_role("button", name="What does it say here?").click()
    expect(panel(page)).to_contain_text("chose this")
    expect(panel(page)).to_contain_text("Because.")
    assert serious_findings(page) == []
    page.go_back()
    # what was worked out is kept
    review.get_by_role("button", name="What if, from here").nth(1).click()
    player.wait()
    expect(page.get_by_role("region", name="Luck and skill")).to_have_count(0)


def test_it_is_drawn_on_the_dice_and_said_in_words(server: Running, new_context: Contexts, fake: FakeAdviser) -> None:
    page = new_context(**CALM).new_page()
    player = seated(server, page)
    page.get_by_role("button", name="Adviser: off").click()
    expect(take(page)).to_be_visible()
    places = best_dice(player)
    assert places == ["B1", "B2"]
    for at, die in enumerate(player.dice.all()):
        advised = die.get_attribute("data-place") in places
        assert ("the adviser says: lock" in die.inner_text().lower()) is advised, at
        assert (die.locator(".tip").inner_text().strip() == "lock") is advised
    # a row of the list chooses its dice, and they are not answered with yet
    panel(page).get_by_role("button", name=re.compile("^Lock W2")).first.click()
    assert [button.pressed for button in player.buttons() if button.group == player.tray_name].count(True) == 2
    act = page.locator("#options [data-act=dice]")
    expect(act).to_contain_text("No. 2 of 15")
    player.key("b")
    expect(page.locator(".dieb .tip").filter(has_text=re.compile("keep|re-roll"))).to_have_count(4)
    expect(page.locator("#options .opt[data-key=stop]")).to_contain_text(
        re.compile(
            r"No\. \d+ of \d+, \d+\.\d\s% to win, between [\d.]+ and [\d.]+\. This turn, on average: 2\.5 Soldiers"
        )
    )


def test_nothing_jumps_when_advice_comes(server: Running, new_context: Contexts, fake: FakeAdviser) -> None:
    for options in ({}, PHONE):
        page = new_context(**CALM, **options).new_page()
        seated(server, page)
        fake.go.clear()
        page.keyboard.press("o")
        expect(page.get_by_text("The adviser looks at it…")).to_be_visible()
        measure = """() => [...document.querySelectorAll('.dieb, [data-act=dice], .adviser, .advstrip, #options')]
            .map((one) => JSON.stringify(one.getBoundingClientRect()))"""
        before = page.evaluate(measure)
        fake.go.set()
        expect(page.locator(".die-tip").first).to_be_visible()
        assert page.evaluate(measure) == before


@pytest.mark.parametrize("theme", THEMES)
def test_nothing_serious_is_found_where_it_speaks(server: Running, new_context: Contexts, theme: str) -> None:
    for options in ({}, PHONE):
        page = new_context(**CALM, **THEMES[theme], **options).new_page()
        player = seated(server, page)
        page.keyboard.press("o")
        for _ in range(3):
            expect(take(page)).to_be_visible()
            assert serious_findings(page) == []
            player.key("b")


def test_on_a_phone_it_is_one_line_that_unfolds(server: Running, new_context: Contexts) -> None:
    page = new_context(**CALM, **PHONE).new_page()
    player = seated(server, page, touch=True)
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("button", name="Adviser: off").tap()
    page.keyboard.press("Escape")
    strip = page.get_by_role("group", name="Adviser", exact=True)
    line = strip.get_by_role("button", name=re.compile("^Adviser: Lock B1"))
    expect(line).to_have_attribute("aria-expanded", "false")
    for at in range(6):
        expect(player.dice.nth(at)).to_be_in_viewport(ratio=1)
    expect(player.turn.get_by_role("button").last).to_be_in_viewport(ratio=0.9)
    for button in strip.get_by_role("button").all():
        box = button.bounding_box()
        assert box is not None and min(box["width"], box["height"]) >= 44
    line.tap()
    expect(line).to_have_attribute("aria-expanded", "true")
    expect(strip.get_by_text("Because.")).to_be_visible()
    for _ in range(25):
        if player.over:
            break
        wide = page.evaluate("Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)")
        assert wide <= 360
        if take(page).count():
            player.press(take(page))
        else:
            player.answer_simply()
    page.reload()
    player.wait()
    if not player.over:
        expect(page.locator(".advstrip .fold")).to_have_attribute("aria-expanded", "true")


def test_everybody_sees_it_and_who_switched_it_on(server: Running, new_context: Contexts) -> None:
    made = server.create(("person", "open"), setup=TRAINING, seed=LOST, name="Ann")
    pages = [new_context(**CALM).new_page() for _ in range(4)]
    ann, ben, watcher, wall = pages
    links = made["links"]
    addresses = (links["host"], links["seats"][1], links["watch"], links["watch"].replace("#", "?screen=table#"))
    for page, address in zip(pages, addresses, strict=True):
        page.goto(address)
    Player(ann).wait()
    Player(ben).wait()
    ann.keyboard.press("o")
    for page in (ann, ben):
        expect(take(page)).to_be_visible()
        expect(panel(page)).to_contain_text("Ann switched it on.")
    expect(panel(watcher)).to_contain_text("Best: Lock B1")
    expect(take(watcher)).to_have_count(0)
    expect(watcher.get_by_role("button", name="Switch the adviser off")).to_have_count(0)
    expect(wall.get_by_role("list", name="Adviser")).to_contain_text("Best: Lock B1")
    ben.get_by_role("button", name="Switch the adviser off").click()
    for page in (ann, ben, watcher):
        expect(panel(page)).to_have_count(0)


def test_french(server: Running, new_context: Contexts) -> None:
    page = new_context(**CALM, locale="fr-FR").new_page()
    player = seated(server, page, "fr")
    page.get_by_role("button", name="Conseiller : non").click()
    expect(page.get_by_role("region", name="Conseiller", exact=True)).to_contain_text("Parce que.")
    expect(page.get_by_role("button", name="Suivre le conseil")).to_be_visible()
    expect(page.locator(".odd-row").first).to_contain_text("N° 1 sur 15, 90,0 % de chances de gagner, entre 88 et 92.")
    assert left_in_english(page) == []
    player.key("b")
    expect(page.locator(".dieb .tip").filter(has_text=re.compile("garder|lancer")).first).to_be_visible()
    assert left_in_english(page) == []
    made = finished(server, seed=LOST)
    page.goto(made["links"]["host"])
    page.get_by_role("button", name="Revoir la partie").click()
    expect(page.get_by_role("heading", name="Les choix les plus coûteux")).to_be_visible()
    assert left_in_english(page) == []
