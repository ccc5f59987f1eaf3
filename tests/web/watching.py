"""What must never happen on a page of ours: an error on the console, one that nobody caught, a word to another host."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Page

OWN_HOST = "127.0.0.1"


class Watch:
    """Collects the faults of all the pages of a test."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.allowed: list[re.Pattern[str]] = []

    def allow(self, pattern: str) -> None:
        """Faults that match are expected: say so before they happen."""
        self.allowed.append(re.compile(pattern))

    def take(self) -> list[str]:
        """The faults so far, which then count no more."""
        found, self.faults = self.faults, []
        return found

    def over(self, context: BrowserContext) -> None:
        context.on("console", self._console)
        context.on("weberror", lambda fault: self._fault(f"uncaught: {fault.error}"))
        context.on("request", lambda request: self._address(request.url))
        context.on("page", self._page)

    def _page(self, page: Page) -> None:
        page.on("websocket", lambda opened: self._address(opened.url))
        page.on("crash", lambda _: self._fault("the page crashed"))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._fault(f"console: {message.text} ({message.location.get('url', '')})")

    def _address(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.hostname != OWN_HOST:
            self._fault(f"request to another host: {url}")

    def _fault(self, text: str) -> None:
        if not any(pattern.search(text) for pattern in self.allowed):
            self.faults.append(text)
