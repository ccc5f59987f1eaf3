"""Battle! and Express! in the browser: one tap from home, by clicks to the end, at one screen and on two."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from .. import luck
from ..server.running import Running
from . import player
from .axe import serious_findings
from .conftest import PHONE
from .player import CALM, Mirror, Player, sit_down
from .test_axe import THEMES

server = player.server


def words_for(game: str, setup: dict[str, Any], there: Callable[[Mirror], bool], most: int = 200) -> str:
    """Words for the dice with which a game of the bot goes so."""
    for number in range(most):
        mirror = Mirror(setup, f"small {number}", game)
        while mirror.won is None:
            ask = mirror.screen.asks[0]
            mirror.answer(ask, mirror.thumb(ask))
            if there(mirror):
                return f"small {number}"
    raise AssertionError("no game goes so")


def open_new(page: Page, url: str, game: str, words: str, players: int = 1) -> None:
    """Over the page for new tables, with words for the dice; all players at this screen."""
    page.goto(f"{url}/new?game={game}")
    expect(page.get_by_role("radio", name=re.compile(f"^{game.title()}!"))).to_be_checked()
    page.get_by_role("button", name="One player more").click()
    page.get_by_role("button", name="One player less").click()
    page.get_by_role("radio", name="From words").check()
    page.get_by_label("Words for the dice", exact=True).fill(words)
    for at in range(1, players):
        page.get_by_label("Who plays").nth(at).select_option("person")
    page.get_by_role("button", name="Open the table").click()


def play_as_the_bot_would(player: Player, mirror: Mirror) -> None:
    heading = player.turn.get_by_role("heading", level=2)
    while mirror.won is None:
        ask = mirror.screen.asks[0]
        expect(heading).to_have_text(ask.prompt)
        check_pairs(player.page, mirror, ask.seat)
        key = mirror.thumb(ask)
        mirror.answer(ask, key)
        player.answer(ask, key)


def check_pairs(page: Page, mirror: Mirror, seat: int) -> None:
    """Every Axis die is told with what matches it, and how many are matched."""
    screen = mirror.screen
    duel = screen.duel
    assert duel is not None
    if not duel.axis:
        return
    found = {pair.axis: len(pair.dice) for pair in screen.units[seat if duel.seat < 0 else duel.seat].tray.pairs}
    matched = [found.get(n, 0) >= die.needs for n, die in enumerate(duel.axis)]
    region = page.get_by_role("region", name="Axis dice against yours", exact=True)
    rows = region.get_by_role("listitem").filter(has_text=re.compile("Axis die|Kommandant"))
    expect(rows).to_have_count(len(duel.axis))
    for at, (die, fits) in enumerate(zip(duel.axis, matched, strict=True)):
        expect(rows.nth(at)).to_contain_text(f"{die.words}: {'matched by' if fits else ''}")
    expect(region.get_by_role("status")).to_have_text(f"Axis dice matched: {sum(matched)} of {len(duel.axis)}")


@pytest.mark.parametrize("game", ["Express!", "Battle!"])
def test_the_first_roll_is_one_tap_from_home(
    game: str, server: Running, new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context(**CALM, **PHONE).new_page()
    page.goto(server.url)
    page.get_by_role("button", name=game).tap()
    expect(Player(page).dice).to_have_count(6)


def test_a_beach_by_clicks_to_its_end_and_the_replay(
    server: Running, new_context: Callable[..., BrowserContext]
) -> None:
    setup = {"seats": 1}
    words = words_for("express", setup, lambda mirror: mirror.won is not None and mirror.match.state.cleared >= 3)  # type: ignore[attr-defined]
    page = new_context(**CALM).new_page()
    open_new(page, server.url, "express", words)
    player = Player(page)
    player.wait()
    mirror = Mirror(setup, words, "express")
    play_as_the_bot_would(player, mirror)
    over = mirror.screen.over
    assert over is not None
    expect(page.get_by_role("heading", level=1)).to_have_text(over.title)
    page.get_by_role("button", name="Check this game").click()
    expect(page.get_by_text("The record holds")).to_be_visible()
    page.get_by_role("link", name="Watch it again").click()
    expect(page.get_by_role("region", name="Axis dice against yours")).to_be_visible()
    page.get_by_role("button", name="one step on").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Utah Beach")
    page.goto(server.url)
    expect(page.get_by_role("region", name="Your record").get_by_role("link", name="Utah Beach")).to_be_visible()


def test_a_card_turns_a_die(server: Running, new_context: Callable[..., BrowserContext]) -> None:
    def turned(mirror: Mirror) -> bool:
        return mirror.won is None and any(event.type == "changed" for event in mirror.match.events)

    words = words_for("express", {"seats": 1}, turned)
    page = new_context(**CALM).new_page()
    open_new(page, server.url, "express", words)
    player = Player(page)
    player.wait()
    mirror = Mirror({"seats": 1}, words, "express")
    while not turned(mirror):
        ask = mirror.screen.asks[0]
        expect(player.turn.get_by_role("heading", level=2)).to_have_text(ask.prompt)
        key = mirror.thumb(ask)
        mirror.answer(ask, key)
        player.answer(ask, key)
    told = next(event for event in reversed(mirror.match.events) if event.type == "changed")
    expect(page.get_by_role("list", name="Log").get_by_text(mirror.match.game.narrate(told)).first).to_be_visible()


def test_two_players_pass_one_screen_on(server: Running, new_context: Callable[..., BrowserContext]) -> None:
    setup = {"seats": 2}
    words = words_for("battle", setup, lambda mirror: mirror.won is not None and mirror.match.n < 90)
    page = new_context(**CALM).new_page()
    open_new(page, server.url, "battle", words, players=2)
    player = Player(page)
    player.wait()
    mirror = Mirror(setup, words, "battle")
    play_as_the_bot_would(player, mirror)
    over = mirror.screen.over
    assert over is not None and over.ranked
    expect(page.get_by_role("heading", level=1)).to_have_text(over.title)
    for row in over.parts:
        expect(page.get_by_role("row", name=" ".join(row), exact=True)).to_be_visible()


def test_two_players_on_two_screens(server: Running, new_context: Callable[..., BrowserContext]) -> None:
    made = server.create(("person", "open"), game="battle", setup={})
    ann = sit_down(new_context(**CALM), made["links"]["host"])
    nobody = ann.page.get_by_text("Player 2: nobody is there yet.")
    expect(nobody).to_be_visible()
    ann.page.locator("[data-act=invite]").click()
    expect(ann.page.get_by_role("dialog").get_by_text(made["links"]["seats"][1])).to_be_visible()
    ann.page.keyboard.press("Escape")
    bob = sit_down(new_context(**CALM, **PHONE), made["links"]["seats"][1])
    expect(nobody).to_have_count(0)
    sums = [one.page.get_by_role("region", name="Axis dice against yours").get_by_role("status") for one in (ann, bob)]
    for _ in range(8):
        expect(sums[0]).to_have_text(sums[1].inner_text())
        asked = [one for one in (ann, bob) if one.dice.count() or one.answers()]
        assert len(asked) == 1
        if asked == [ann] and ann.dice.count():
            check_watched(bob.page, ann)
        asked[0].answer_simply()


TOLD_OF = """(wanted) => {
  const duel = document.querySelector("section.duel");
  const said = duel.innerText + (duel.querySelector("[role=img]")?.getAttribute("aria-label") ?? "");
  return wanted.every((die) => said.includes(die));
}"""


def check_watched(page: Page, player: Player) -> None:
    """On a phone who waits sees the dice that match nothing too."""
    names = [name.partition(": ")[2] for name in player.dice.locator(".vh").all_inner_texts()]
    lying = [name.partition(",")[0].removesuffix(" re-roll") for name in names if "not rolled" not in name]
    page.wait_for_function(TOLD_OF, arg=lying)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", ["express", "battle"])
def test_axe_finds_nothing_serious(
    game: str, theme: str, server: Running, new_context: Callable[..., BrowserContext]
) -> None:
    with luck.words("small 1"):
        made = server.create(("person",), game=game, setup={"seats": 1})
    for form in ({}, PHONE):
        page = new_context(**CALM, **THEMES[theme], **form).new_page()
        page.goto(made["links"]["host"])
        player = Player(page)
        player.wait()
        expect(player.dice).to_have_count(6)
        assert serious_findings(page) == []
        for tab in page.get_by_role("tab").all():
            tab.tap()
            assert serious_findings(page) == []
    page.get_by_role("tab", name="Duel").tap()
    while not player.over:
        player.answer_simply()
        if game == "battle" and player.page.get_by_role("button", name="Retreat").count():
            break
    assert serious_findings(page) == []


@pytest.mark.parametrize("game", ["express", "battle"])
def test_it_is_all_there_in_french(game: str, server: Running, new_context: Callable[..., BrowserContext]) -> None:
    made = server.create(("person",), game=game, setup={"seats": 1})
    page = new_context(**CALM, locale="fr-FR").new_page()
    page.goto(made["links"]["host"])
    player = Player(page, "fr")
    player.wait()
    expect(page.get_by_role("region", name="Dés de l'Axe contre les vôtres")).to_contain_text("Axe")
    expect(player.dice).to_have_count(6)
    expect(page.get_by_role("heading", level=1)).to_contain_text(
        "Utah Beach" if game == "express" else "Tour de table 1"
    )


def test_the_adviser_knows_every_game_that_can_be_lost(
    server: Running, new_context: Callable[..., BrowserContext]
) -> None:
    switch = re.compile("^Adviser: ")
    made = server.create(("person",), game="express")
    page = sit_down(new_context(**CALM), made["links"]["host"]).page
    page.get_by_role("button", name=switch).click()
    adviser = page.get_by_role("region", name="Adviser", exact=True)
    expect(adviser).to_contain_text(re.compile(r"\d %.*exact", re.DOTALL))
    for players, game, how in ((2, "express", "exact if the others roll in turn"), (3, "battle", "games played out")):
        made = server.create(("person",) * players, game=game)
        page = sit_down(new_context(**CALM), made["links"]["host"]).page
        page.get_by_role("button", name=switch).click()
        adviser = page.get_by_role("region", name="Adviser", exact=True)
        expect(adviser).to_contain_text(re.compile(rf"\d %.*{how}", re.DOTALL))
    made = server.create(("person",), game="battle")
    page = sit_down(new_context(**CALM), made["links"]["host"]).page
    expect(page.get_by_role("region", name="Axis dice against yours")).to_be_visible()
    expect(page.get_by_role("button", name=switch)).to_have_count(0)


def test_a_contest_is_looked_at_again(server: Running, new_context: Callable[..., BrowserContext]) -> None:
    """Each player has a start, a result and luck of their own; a new round is one tap away."""
    made = server.create(("person", "thumb"), game="battle")
    player = sit_down(new_context(**CALM, **PHONE), made["links"]["host"])
    page = player.page
    quick = page.locator("[data-key=retreat], [data-key=pass], [data-key=stop], [data-act=dice]").and_(
        page.locator(":not([aria-disabled=true])")
    )
    while True:
        expect(quick.or_(player.result).first).to_be_visible()
        if player.over:
            break
        quick.first.tap()
    region = page.get_by_role("region", name="Luck and skill")
    region.get_by_role("button", name="Look through the game").tap()
    expect(region.get_by_role("heading", level=3)).to_have_text(["Player 1", "Corporal", "The costliest choices"])
    expect(region.get_by_role("term").filter(has_text="Before the first roll")).to_have_count(2)
    assert region.get_by_role("definition").all_inner_texts().count("50.0\xa0%") == 2
    assert sorted(region.get_by_role("term").filter(has_text=re.compile("^(Won|Lost)$")).all_inner_texts()) == [
        "Lost",
        "Won",
    ]
    page.get_by_role("button", name="Play another round").tap()
    page.wait_for_url(lambda url: "/g/" in url and made["table"] not in url)
