"""The page when its server is not there, and when it is there again."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from ..server.running import Running
from .axe import serious_findings
from .player import CALM, Player
from .watching import Watch

Contexts = Callable[..., BrowserContext]

KEPT = """async () => {
  const store = (await caches.keys()).find((name) => /^beachhead-[0-9a-f]+$/.test(name));
  const rules = await caches.match(`/api/rules?all=1&lang=${document.documentElement.lang}`);
  return Boolean(store && rules && navigator.serviceWorker.controller);
}"""


def kept(page: Page, url: str) -> None:
    """Visit the page until its browser has all that it keeps for later."""
    page.goto(url)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    page.wait_for_function(KEPT)


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_a_server_that_stops_and_starts(tmp_path: Path, new_context: Contexts, watch: Watch, locale: str) -> None:
    watch.allow("ERR_CONNECTION_REFUSED|Failed to load resource")
    data = tmp_path / "tables.sqlite"
    page = new_context(locale=locale, **CALM).new_page()
    words = Player(page, locale[:2])
    with Running(data) as server:
        port, url = server.port, server.url
        made = server.create()
        page.goto(made["links"]["host"])
        words.wait()
        kept(page, f"{url}/")

    for path in ("/", f"/g/{made['table']}", "/history"):
        page.goto(url + path)
        expect(page.get_by_role("heading", level=1)).to_have_text(words.say("offline"))
        expect(page.get_by_text("beachhead", exact=True)).to_be_visible()
        assert page.url == url + path
    assert serious_findings(page) == []

    page.goto(f"{url}/g/{made['table']}")
    expect(page.get_by_role("heading", level=1)).to_have_text(words.say("offline"))
    with Running(data, port=port):
        words.wait()
        expect(words.dice).to_have_count(6)


@pytest.mark.parametrize(("locale", "query"), [("en-GB", "landmine roll"), ("fr-FR", "Spécialiste dé")])
def test_the_rules_are_found_without_the_server(
    tmp_path: Path, new_context: Contexts, watch: Watch, locale: str, query: str
) -> None:
    page = new_context(locale=locale).new_page()
    words = Player(page, locale[:2])
    watch.allow("ERR_CONNECTION_REFUSED|Failed to load resource")
    rows = page.get_by_role("main").get_by_role("list").get_by_role("button")
    count = page.get_by_text(re.compile(r"^\d+ (rule|règle)s?$"))
    with Running(tmp_path / "tables.sqlite") as server:
        kept(page, f"{server.url}/")
        page.goto(f"{server.url}/rules?q={query}")
        expect(count).to_be_visible()
        before = rows.all_inner_texts()
    page.goto(f"{server.url}/")
    page.get_by_role("link", name=words.say("rules.search")).click()
    expect(page.get_by_text(words.say("offline.line"))).to_be_visible()
    page.get_by_label(words.say("rules.search")).fill(query)
    expect(count).to_be_visible()
    assert rows.all_inner_texts() == before
    rows.first.click()
    title = before[0].partition("\n")[0]
    expect(page.get_by_role("dialog").get_by_role("heading", name=title)).to_be_visible()


def test_a_server_that_answers_is_always_asked_first(
    tmp_path: Path, page: Page, watch: Watch, static: Path, served: Callable[..., str]
) -> None:
    watch.allow("404")
    folder = tmp_path / "static"
    shutil.copytree(static, folder)
    url = served(folder)
    page.goto(url)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    assert page.evaluate("navigator.serviceWorker.controller !== null")
    index = folder / "index.html"
    index.write_text(index.read_text().replace("<html", '<html data-newer="yes"'))
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-newer", "yes")
    expect(page.locator("html")).not_to_have_attribute("data-alone", re.compile(".*"))


def test_the_page_can_be_installed(tmp_path: Path, page: Page) -> None:
    with Running(tmp_path / "tables.sqlite") as server:
        kept(page, f"{server.url}/")
        told = page.context.new_cdp_session(page).send("Page.getInstallabilityErrors")
        errors = {error["errorId"] for error in told["installabilityErrors"]}
        assert errors <= {"in-incognito"}
        manifest = server.get("/manifest.webmanifest")
        assert manifest.headers["content-type"].startswith("application/manifest+json")
        for icon in manifest.json["icons"]:
            assert server.get(icon["src"]).headers["content-type"] == "image/svg+xml"
        worker = server.get("/sw.js").headers
        assert worker["content-type"].startswith("text/javascript")
        assert worker["cache-control"] == "no-cache"
