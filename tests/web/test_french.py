"""The table in French: nothing of ours is left in English."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from beachhead.say import messages_for, speaking

from ..server.running import Running
from . import player
from .player import CALM, Mirror, Player, finished

server = player.server

Contexts = Callable[..., BrowserContext]
TRAINING = {"edition": "first", "map": "n01-exercise-tiger", "seats": 1, "level": "basic-training"}

WORDS = """() => {
  const found = [document.title];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) found.push(walk.currentNode.textContent);
  for (const one of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]"))
    for (const name of ["aria-label", "title", "placeholder", "alt"]) found.push(one.getAttribute(name) ?? "");
  return found.map((words) => words.trim()).filter(Boolean);
}"""


def forms(message: Any) -> Iterator[str]:
    if isinstance(message, str):
        yield message
    else:
        yield from message.values()


def english_only() -> list[re.Pattern[str]]:
    """What the page says in English and says otherwise in French."""
    english, french = messages_for("en", "ui."), messages_for("fr", "ui.")
    same = {words for message in french.values() for words in forms(message)}
    found = {words for message in english.values() for words in forms(message)} - same
    tell = [words for words in found if len(re.sub(r"\{\w+\}", "", words).split()) > 1 or "{" not in words]
    return [re.compile(".+".join(re.escape(part) for part in re.split(r"\{\w+\}", words))) for words in sorted(tell)]


def left_in_english(page: Page) -> list[str]:
    patterns = english_only()
    assert len(patterns) > 100
    return [words for words in page.evaluate(WORDS) if any(one.fullmatch(words) for one in patterns)]


def in_french(page: Page) -> None:
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    assert left_in_english(page) == []


def test_the_pages_are_in_french(server: Running, new_context: Contexts) -> None:
    finished(server)
    page = new_context(locale="fr-FR").new_page()
    pages = {"/": "Beachhead", **{f"/{name}": name for name in ("new", "history", "settings", "rules")}}
    for path, heading in pages.items():
        page.goto(server.url + path)
        words = heading if path == "/" else Player(page, "fr").say(heading)
        expect(page.get_by_role("heading", level=1)).to_contain_text(words)
        in_french(page)


def test_result_replay_and_my_games_are_in_french(server: Running, new_context: Contexts) -> None:
    made = finished(server)
    page = new_context(locale="fr-FR", **CALM).new_page()
    player = Player(page, "fr")
    page.goto(made["links"]["host"])
    expect(page.get_by_text(player.say("result.undone", n=0))).to_be_visible()
    for words in ("dice.colours", "fair.more"):
        page.get_by_text(player.say(words), exact=True).click()
    in_french(page)
    player.result.click()
    expect(page.get_by_role("slider")).to_be_visible()
    in_french(page)
    page.goto(f"{server.url}/history")
    expect(page.get_by_text(player.say("history.dice-of", n=1, of=1))).to_be_visible()
    in_french(page)


def test_a_few_turns_in_french(server: Running, new_context: Contexts) -> None:
    made = server.create(setup=TRAINING, seed="en avant")
    page = new_context(locale="fr-FR", **CALM).new_page()
    page.goto(made["links"]["host"])
    player = Player(page, "fr")
    player.wait()
    english, mirror = Mirror(TRAINING, "en avant"), Mirror(TRAINING, "en avant")
    while mirror.screen.turn < 3 and mirror.won is None:
        with speaking("fr"):
            ask = mirror.screen.asks[0]
        assert ask.prompt != english.screen.asks[0].prompt
        expect(player.turn.get_by_role("heading", level=2)).to_have_text(ask.prompt)
        in_french(page)
        key = mirror.thumb(ask)
        mirror.answer(ask, key)
        english.answer(ask, key)
        player.answer(ask, key)
    log = page.get_by_role("list", name=player.say("log"))
    expect(log).not_to_contain_text(re.compile(r"\b(rolls|gains|loses|Turn) "))


def test_the_language_is_changed_on_the_page(server: Running, page: Page) -> None:
    page.goto(server.url)
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert len(left_in_english(page)) > 10
    page.get_by_role("button", name=re.compile("other language", re.I)).click()
    expect(page.get_by_role("region", name=Player(page, "fr").say("starts"))).to_be_visible()
    in_french(page)
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
