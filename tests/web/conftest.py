"""A real browser for the tests of the table."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from . import chromium
from .player import PATIENCE
from .serving import serving
from .watching import Watch

DESK: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}

expect.set_options(timeout=PATIENCE)

BROWSER_FIXTURES = {"driven", "browser", "new_context", "page", "phone_page"}
"""A test that asks for one of them is marked `browser`: `make test ARGS="-m 'not browser'"` leaves it out."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if BROWSER_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def driven() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """Chromium, and the event loop of its driver; started once in each test process, and only where it is needed."""
    playwright = sync_playwright().start()
    loop = asyncio.get_running_loop()
    browser = chromium.launch(playwright)
    try:
        asyncio._set_running_loop(None)
        yield browser, loop
    finally:
        asyncio._set_running_loop(loop)
        browser.close()
        playwright.stop()


@pytest.fixture
def browser(driven: tuple[Browser, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    """The one Chromium of this test process.

    Playwright leaves its event loop running in this thread. Outside the tests that use it the loop is put away:
    otherwise `asyncio.run` would fail in every later test of the same process.
    """
    browser, loop = driven
    asyncio._set_running_loop(loop)
    try:
        yield browser
    finally:
        asyncio._set_running_loop(None)


@pytest.fixture
def watch() -> Iterator[Watch]:
    """Fails the test at its end for what went wrong on its pages; `watch.allow(pattern)` for what is meant to."""
    watch = Watch()
    yield watch
    assert watch.faults == []


@pytest.fixture
def new_context(browser: Browser, watch: Watch) -> Iterator[Callable[..., BrowserContext]]:
    """Makes further contexts (another person, another device), watched like `page`; `**PHONE` for a phone."""
    with contextlib.ExitStack() as stack:

        def make(**options: Any) -> BrowserContext:
            context = browser.new_context(**{**DESK, "locale": "en-GB", **options})
            stack.callback(context.close)
            context.set_default_timeout(PATIENCE)
            watch.over(context)
            return context

        yield make


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Page:
    """A page in a fresh context, 1440 x 900."""
    return new_context().new_page()


@pytest.fixture
def phone_page(new_context: Callable[..., BrowserContext]) -> Page:
    """A page in a fresh context, 360 x 640, with touch."""
    return new_context(**PHONE).new_page()


@pytest.fixture
def served() -> Iterator[Callable[..., str]]:
    """`served(folder_or_app)` serves it until the test ends, and gives its address."""
    with contextlib.ExitStack() as stack:
        yield lambda what, **options: stack.enter_context(serving(what, **options))


@pytest.fixture(scope="session")
def static() -> Path:
    """The folder with the built client."""
    folder = chromium.ROOT / "src/beachhead/server/static"
    assert (folder / "index.html").exists(), "the client is not built: `make web`"
    return folder
