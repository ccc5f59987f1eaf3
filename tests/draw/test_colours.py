"""Contrast of what carries meaning, in three themes, and how far dice and Units stay apart in five kinds of vision."""

from __future__ import annotations

from itertools import combinations
from math import cbrt, dist

import pytest

from beachhead.draw.dice import CREAM, DICE
from beachhead.draw.terrain import STOPS, TINT, WET
from beachhead.draw.themes import THEMES, Theme, tokens
from beachhead.draw.tokens import SHAPES

Rgb = tuple[float, float, float]

# Machado, Oliveira, Fernandes 2009, severity 1, on linear RGB; achromatopsia as luminance.
VISIONS: dict[str, tuple[Rgb, Rgb, Rgb]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "achromatopsia": ((0.2126, 0.7152, 0.0722), (0.2126, 0.7152, 0.0722), (0.2126, 0.7152, 0.0722)),
}


def linear(colour: str) -> list[float]:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def seen(colour: str, vision: str) -> list[float]:
    rgb = linear(colour)
    return [min(1.0, max(0.0, sum(k * c for k, c in zip(row, rgb, strict=True)))) for row in VISIONS[vision]]


def contrast(one: str, other: str, vision: str = "normal") -> float:
    light = [sum(k * c for k, c in zip((0.2126, 0.7152, 0.0722), seen(x, vision), strict=True)) for x in (one, other)]
    return (max(light) + 0.05) / (min(light) + 0.05)


def oklab(rgb: list[float]) -> Rgb:
    r, g, b = rgb
    long = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    middle = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    short = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


GROUNDS = sorted({token for stops in (*STOPS.values(), WET) for _, token in stops} | set(TINT.values()))
TEXT = [
    ("map-chip-ink", "map-chip"),
    ("map-good", "map-chip"),
    ("map-bad", "map-chip"),
    ("map-def-ink", "map-def"),
    ("map-black-ink", "map-black"),
    ("map-ink", "map-case"),
    ("map-ink-2", "map-paper"),
    ("map-ink", "map-sea-0"),
    *((f"unit-{letter.lower()}-ink", f"unit-{letter.lower()}") for letter in SHAPES),
]
GRAPHIC = [("map-glow", "map-glow-edge"), ("map-ink", "map-paper"), ("map-ink", "map-chip"), ("focus", "focus-gap")]
GRAPHIC += [("map-ink", ground) for ground in GROUNDS]


@pytest.mark.parametrize("theme", THEMES)
def test_text_has_at_least_4_5_and_graphics_at_least_3(theme: Theme) -> None:
    colours = tokens(theme)
    for least, pairs in ((4.5, TEXT), (3.0, GRAPHIC)):
        for front, ground in pairs:
            assert contrast(colours[front], colours[ground]) >= least, (theme, front, ground)
    assert contrast("#ffffff", colours["map-heart"]) >= 4.5
    assert contrast("#191c17", colours["map-glow"]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_the_glow_of_a_legal_sector_or_its_edge_is_seen_on_every_ground(theme: Theme) -> None:
    colours = tokens(theme)
    for ground in GROUNDS:
        best = max(contrast(colours[name], colours[ground]) for name in ("map-glow", "map-glow-edge"))
        assert best >= 3, (theme, ground)


@pytest.mark.parametrize("theme", THEMES)
def test_a_white_shield_is_light_and_a_black_one_dark_in_every_theme(theme: Theme) -> None:
    colours = tokens(theme)
    assert contrast(colours["map-def"], "#000000") > 15
    assert contrast(colours["map-black"], "#ffffff") > 15
    assert contrast(colours["map-black-edge"], colours["map-black"]) > 4.5


def test_the_three_themes_have_the_same_tokens() -> None:
    assert set(tokens("light")) == set(tokens("dark")) == set(tokens("contrast"))


@pytest.mark.parametrize("colour", DICE)
def test_the_symbol_of_a_die_reads_in_every_vision(colour: str) -> None:
    look = DICE[colour]
    assert contrast(look.ink, look.body) >= 4.5
    assert min(contrast(look.ink, look.body, vision) for vision in VISIONS) >= 3


@pytest.mark.parametrize("vision", VISIONS)
def test_red_white_and_blue_dice_differ_in_every_vision(vision: str) -> None:
    for one, other in combinations(("red", "white", "blue"), 2):
        assert contrast(DICE[one].body, DICE[other].body, vision) >= 2.9, (one, other)


@pytest.mark.parametrize("theme", THEMES)
def test_the_edge_of_a_die_is_seen_on_the_tray(theme: Theme) -> None:
    assert contrast(CREAM, tokens(theme)["tray"]) >= 8.6


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("vision", VISIONS)
def test_units_differ_in_every_vision(theme: Theme, vision: str) -> None:
    def apart(letters: str) -> float:
        places = [oklab(seen(tokens(theme)[f"unit-{letter}"], vision)) for letter in letters]
        return min(dist(one, other) * 100 for one, other in combinations(places, 2))

    assert apart("abcd") >= 13.7
    assert apart("abcdef") >= 8
