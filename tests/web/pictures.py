"""The pictures of the README, from a real game: `make pictures` writes them to docs/pictures. The icon for phones that
take no SVG is made anew as well.

One person and three bots play the second edition with fixed words for the dice; a bot's advice plays the person's seat
until turn 6, then the page is shown at its first question about dice.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from ..server.running import Client, Running
from . import chromium
from .player import Mirror, sit_down

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
PUBLIC = Path(__file__).parents[2] / "web" / "public"
SETUP: dict[str, Any] = {"edition": "second", "seats": 4, "nations": ["uk", "usa", "canada", "france"]}
WORDS = "pictures"
TURN = 6
SHOTS: dict[str, dict[str, Any]] = {
    "table": {"viewport": {"width": 1440, "height": 900}},
    "dark": {"viewport": {"width": 1440, "height": 900}, "color_scheme": "dark"},
    "phone": {
        "viewport": {"width": 360, "height": 740},
        "has_touch": True,
        "is_mobile": True,
        "device_scale_factor": 2,
    },
}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Running(Path(folder) / "tables.sqlite") as server:
        made = server.create(["person"] * 4, setup=SETUP, seed=WORDS, practice=True)
        _play(server, made)
        with sync_playwright() as playwright:
            browser = chromium.launch(playwright)
            _icon(browser)
            for name, options in SHOTS.items():
                context = browser.new_context(
                    reduced_motion="reduce", locale="en-GB", storage_state=_no_hints(server), **options
                )
                player = sit_down(context, made["links"]["host"])
                player.page.wait_for_selector("[data-sector]", timeout=60_000)
                player.page.wait_for_timeout(500)
                player.page.screenshot(path=FOLDER / f"{name}.png")
                print(FOLDER / f"{name}.png")
                context.close()
            browser.close()


def _icon(browser: Browser) -> None:
    """`apple-touch-icon.png` from the icon without round corners: the phone rounds them itself."""
    page = browser.new_page(viewport={"width": 180, "height": 180})
    page.goto((PUBLIC / "icon-mask.svg").as_uri())
    page.screenshot(path=PUBLIC / "apple-touch-icon.png")
    page.close()


def _no_hints(server: Running) -> Any:
    """A browser that has read all first-time hints."""
    kept = [{"name": "beachhead.settings", "value": '{"hints": false}'}]
    return {"cookies": [], "origins": [{"origin": server.url, "localStorage": kept}]}


def _play(server: Running, made: dict[str, Any]) -> None:
    """The thumb bot says what each seat answers, from a game of the same words beside the table."""
    mirror = Mirror(SETUP, WORDS)
    with Client(server.port, made["table"], made["token"]) as client:
        while True:
            shown = mirror.screen
            ask = shown.asks[0]
            if shown.turn >= TURN and ask.name == "reroll":
                return
            key = mirror.thumb(ask)
            message = client.message(lambda seat, seq, keys: keys[0])
            assert message is not None
            message |= {"seat": ask.seat, "seq": ask.seq, "key": key}
            answer = client.ask(message, "ack", "refused")
            assert answer["type"] == "ack", answer
            client.settle(answer["n"])
            mirror.answer(ask, key)


if __name__ == "__main__":
    main()
