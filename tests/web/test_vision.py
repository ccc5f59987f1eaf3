"""The dice are told apart by everybody: measured on pictures of the page, in five ways of seeing."""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from ..server.running import Running
from . import player
from .player import CALM, Player

server = player.server

Contexts = Callable[..., BrowserContext]
Colour = tuple[int, int, int]

WAYS = ("none", "protanopia", "deuteranopia", "tritanopia", "achromatopsia")
CLOSEST = 2.9
"""Contrast of the closest pair of bodies."""

PIXELS = """async (data) => {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height);
  const pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  const found = pen.getImageData(0, 0, image.width, image.height).data;
  let bytes = "";
  for (const one of found) bytes += String.fromCharCode(one);
  return { width: image.width, height: image.height, bytes: btoa(bytes) };
}"""


class Picture(NamedTuple):
    width: int
    height: int
    bytes: bytes

    def at(self, x: float, y: float) -> Colour:
        """The colour at a place of the 64 grid of a die, whose drawing is 76 x 82 with the die at 6, 9."""
        column, row = int((6 + x) * self.width / 76), int((9 + y) * self.height / 82)
        start = 4 * (row * self.width + column)
        red, green, blue = self.bytes[start : start + 3]
        return red, green, blue

    def part(self, x0: float, y0: float, x1: float, y1: float, step: float = 0.5) -> list[list[Colour]]:
        columns, rows = int((x1 - x0) / step), int((y1 - y0) / step)
        return [[self.at(x0 + step * column, y0 + step * row) for column in range(columns)] for row in range(rows)]

    @property
    def body(self) -> Colour:
        """The colour of most of the plate under the symbol."""
        plate = Counter(colour for row in self.part(10, 10, 54, 54) for colour in row)
        return plate.most_common(1)[0][0]


def luminance(colour: Colour) -> float:
    def linear(part: int) -> float:
        share = part / 255
        return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)

    red, green, blue = map(linear, colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Colour, other: Colour) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.fixture
def eye(new_context: Contexts) -> Iterator[Callable[[Locator], Picture]]:
    """Takes a picture of a part of a page and gives its colours."""
    reader = new_context().new_page()

    def look(part: Locator) -> Picture:
        found: dict[str, Any] = reader.evaluate(PIXELS, base64.b64encode(part.screenshot()).decode())
        return Picture(found["width"], found["height"], base64.b64decode(found["bytes"]))

    yield look


def drawings(page: Page) -> dict[str, Locator]:
    """The drawing of the first die of each colour."""
    tray = Player(page).tray
    buttons = {colour: tray.get_by_role("button", name=colour).first for colour in ("red", "white", "blue")}
    return {colour: button.locator("svg").first for colour, button in buttons.items()}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_dice_are_told_apart(
    server: Running, new_context: Contexts, eye: Callable[[Locator], Picture], theme: str
) -> None:
    context = new_context(**CALM, color_scheme=theme, device_scale_factor=2)
    page = context.new_page()
    page.goto(server.url)
    page.get_by_role("button", name="Roll the dice").click()
    expect(Player(page).dice).to_have_count(6)
    lens = context.new_cdp_session(page)
    inks = []
    for way in WAYS:
        lens.send("Emulation.setEmulatedVisionDeficiency", {"type": way})
        seen = {colour: eye(drawing) for colour, drawing in drawings(page).items()}
        bodies = {colour: picture.body for colour, picture in seen.items()}
        for one, other in combinations(bodies, 2):
            assert contrast(bodies[one], bodies[other]) >= CLOSEST, (way, one, other, bodies)
        for colour, picture in seen.items():
            letter = [pixel for row in picture.part(7, 5, 17, 17) for pixel in row]
            least = 4.5 if way == "none" else 3
            ink = sum(contrast(pixel, bodies[colour]) >= least for pixel in letter) / len(letter)
            assert 0.05 < ink < 0.8, f"{way}: no letter on the {colour} die ({ink:.2f})"
            frame = {pixel for row in picture.part(24, 3, 54, 9) for pixel in row}
            lines = max(contrast(pixel, bodies[colour]) for pixel in frame)
            assert lines >= 1.3, f"{way}: no pattern on the {colour} die ({lines:.2f})"
        inks.append({colour: shape(picture, bodies[colour]) for colour, picture in seen.items()})
    for one, other in combinations(inks[0], 2):
        same = sum(a == b for a, b in zip(inks[0][one], inks[0][other], strict=True)) / len(inks[0][one])
        assert same < 0.9, f"the letters of the {one} and the {other} die look the same"
    assert bodies["red"][0] == bodies["red"][1] == bodies["red"][2], "the lens of the browser does nothing"


def shape(picture: Picture, body: Colour) -> list[bool]:
    return [contrast(pixel, body) >= 3 for row in picture.part(7, 5, 17, 17) for pixel in row]


def test_each_die_says_its_colour_and_place(server: Running, page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(server.url)
    page.get_by_role("button", name="Roll the dice").click()
    tray = Player(page).tray
    for colour in ("red", "white", "blue"):
        for number in "12":
            die = tray.get_by_role("button", name=f"{colour[0].upper()}{number} ")
            expect(die).to_have_count(1)
            expect(die).to_have_accessible_name(re.compile(f"^{colour} die"))
