"""When the machine is in trouble, people are told in words, and the game is unharmed."""

from __future__ import annotations

import re
import resource
import signal
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from ..server.running import QUICK, Client, Running
from . import player
from .player import CALM, Player, sit_down

server = player.server
Contexts = Callable[..., BrowserContext]
LOCKED = {"en": "Locked", "fr": "Verrouillé"}


def lock(seat: Player) -> None:
    for place in (0, 1):
        seat.press(seat.dice.nth(place))
    seat.press(seat.turn.get_by_role("button", name=seat.say("act.lock", n=2)))


def refused_in_words(page: Page, words: str) -> None:
    alert = page.get_by_role("alert")
    expect(alert).to_be_visible()
    expect(alert).to_contain_text(words)


def goes_on(seat: Player) -> None:
    expect(seat.lamp).to_be_visible()
    seat.press(seat.turn.get_by_role("button", name=seat.say("act.lock", n=2)))
    expect(seat.tray.get_by_role("button", name=re.compile(LOCKED[seat.lang]))).to_have_count(2)
    expect(seat.page.get_by_role("alert")).to_be_hidden()


@pytest.mark.parametrize(
    ("lang", "words"), [("en", "another program holds the file"), ("fr", "un autre programme tient le fichier")]
)
def test_another_program_holds_the_file(server: Running, new_context: Contexts, lang: str, words: str) -> None:
    made = server.create()
    seat = sit_down(new_context(locale=lang, **CALM), made["links"]["host"], lang)
    other = sqlite3.connect(server.data, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    lock(seat)
    refused_in_words(seat.page, words)
    other.execute("ROLLBACK")
    other.close()
    goes_on(seat)


def test_the_disk_is_full(server: Running, new_context: Contexts) -> None:
    """The operating system lets no file of this process grow, as a full disk does."""
    made = server.create()
    seat = sit_down(new_context(**CALM), made["links"]["host"])
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    noise = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, usual[1]))
    try:
        lock(seat)
        refused_in_words(seat.page, "disk")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
        signal.signal(signal.SIGXFSZ, noise)
    goes_on(seat)


def test_a_seat_on_too_many_devices_says_so(tmp_path: Path, new_context: Contexts) -> None:
    limits = replace(QUICK, per_seat=2)
    with Running(tmp_path / "tables.sqlite", limits) as server:
        made = server.create()
        page = new_context(**CALM).new_page()
        with Client(server.port, made["table"], made["token"]), Client(server.port, made["table"], made["token"]):
            page.goto(made["links"]["host"])
            expect(page.get_by_role("status")).to_contain_text("already open on 2 devices")
        page.reload()
        expect(Player(page).dice).to_have_count(6)


@pytest.mark.parametrize("sent", ["{", '{"type": "nonsense"}', '{"type": "move"}', "[" * 3000, "x" * 30_000])
def test_a_message_that_makes_no_sense_harms_nobody(server: Running, new_context: Contexts, sent: str) -> None:
    """A page gone wrong sends rubbish: the others see nothing of it, and the page itself goes on."""
    made = server.create(["person", "person"])
    context = new_context(**CALM)
    context.add_init_script(
        """const Real = WebSocket;
        window.WebSocket = class extends Real { constructor(...a) { super(...a); window.line = this; } };"""
    )
    seat = sit_down(context, made["links"]["host"])
    friend = sit_down(new_context(**CALM), made["links"]["seats"][1])
    seat.page.evaluate("(text) => window.line.send(text)", sent)
    seat.page.wait_for_timeout(300)
    expect(friend.lamp).to_be_visible()
    expect(seat.lamp).to_be_visible()
    lock(seat)
    expect(seat.page.get_by_role("list", name="Log").get_by_text("locks")).to_have_count(1)
