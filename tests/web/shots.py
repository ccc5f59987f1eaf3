"""Take a picture of a page with the Chromium of the tests.

python -m tests.web.shots URL OUT.png --width 360 --height 640 [--dark] [--full]
"""

from __future__ import annotations

import argparse
from typing import Any

from playwright.sync_api import sync_playwright

from . import chromium


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.web.shots", description="Take a picture of a page.")
    parser.add_argument("url")
    parser.add_argument("out", help="the picture, a PNG file")
    parser.add_argument("--width", type=int, default=1440)
    parser.add_argument("--height", type=int, default=900)
    parser.add_argument("--dark", action="store_true", help="as a person with a dark screen sees it")
    parser.add_argument("--contrast", action="store_true", help="as a person who asks for more contrast sees it")
    parser.add_argument("--full", action="store_true", help="the whole page, not only the first screen")
    parser.add_argument("--scale", type=float, default=1, help="device pixels for each pixel of the page")
    parser.add_argument("--language", default="en-GB")
    parser.add_argument("--wait", metavar="SELECTOR", help="wait until this is on the page")
    parser.add_argument("--click", metavar="SELECTOR", action="append", default=[], help="first click this")
    args = parser.parse_args()

    options: dict[str, Any] = {
        "viewport": {"width": args.width, "height": args.height},
        "device_scale_factor": args.scale,
        "color_scheme": "dark" if args.dark else "light",
        "contrast": "more" if args.contrast else "no-preference",
        "locale": args.language,
        "reduced_motion": "reduce",
    }
    if args.width < 600:
        options |= {"has_touch": True, "is_mobile": True}
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        page = browser.new_context(**options).new_page()
        page.on("console", lambda message: print(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: print(f"uncaught: {error}"))
        # a page with an open socket or a stream never falls silent, so `networkidle` is not waited for
        page.goto(args.url, wait_until="load")
        for selector in args.click:
            page.click(selector)
        if args.wait:
            page.wait_for_selector(args.wait)
        page.wait_for_timeout(300)
        page.screenshot(path=args.out, full_page=args.full)
        wide = page.evaluate("document.documentElement.scrollWidth")
        print(f"{args.out}: {args.width} x {args.height}, content {wide} wide")
        browser.close()


if __name__ == "__main__":
    main()
