"""How soon a click's result is on the screen: `make bench-client`.

One person plays a landing in Chromium against the real server on this machine. For every update that the server sends,
the page notes when it came in and when the frame with its result had been painted.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Browser, sync_playwright

from tests.server.running import Running
from tests.web import chromium
from tests.web.player import Player

WATCH = """
window.shown = [];
const Real = WebSocket;
window.WebSocket = class extends Real {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", (event) => {
      if (!event.data.startsWith('{"type":"update"')) return;
      const came = performance.now();
      const seen = new MutationObserver(() => {
        seen.disconnect();
        requestAnimationFrame(() => {
          const after = new MessageChannel();
          after.port1.onmessage = () => window.shown.push(performance.now() - came);
          after.port2.postMessage(0);
        });
      });
      seen.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    });
  }
};
"""
SIZES = {"desktop": (1440, 900), "phone": (360, 640)}
WANTED = 100


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how soon an update is painted.")
    parser.add_argument("--clicks", type=int, default=150, help="answers for each size (default 150)")
    parser.add_argument("--slow", type=float, default=1, help="make the processor of the page this many times slower")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Running(Path(folder) / "t.sqlite") as server, sync_playwright() as p:
        browser = chromium.launch(p)
        for name, (width, height) in SIZES.items():
            times = _measure(browser, server, width, height, args.clicks, args.slow)
            times.sort()
            print(
                f"{name}: {len(times)} updates, painted after {statistics.median(times):.0f} ms (median), "
                f"{times[int(len(times) * 0.99)]:.0f} ms (99 %), {times[-1]:.0f} ms (longest); wanted {WANTED}"
            )
        browser.close()


def _measure(browser: Browser, server: Running, width: int, height: int, clicks: int, slow: float) -> list[float]:
    context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
    page = context.new_page()
    page.add_init_script(WATCH)
    if slow != 1:
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slow})
    done = 0
    times: list[float] = []
    while done < clicks:
        made = server.create(["person", "thumb"])
        page.goto(made["links"]["host"])
        player = Player(page)
        player.wait()
        while done < clicks and not player.over:
            player.answer_simply()
            done += 1
        times += page.evaluate("window.shown")
    context.close()
    return times


if __name__ == "__main__":
    main()
