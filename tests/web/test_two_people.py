"""Two people at one table, each with a browser of their own."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from ..server.running import Running
from . import player
from .conftest import PHONE
from .player import CALM, Player, sit_down
from .watching import Watch

server = player.server

Contexts = Callable[..., BrowserContext]

ANN = "(Ann|Unit 1)"
BEA = "(Bea|Unit 2)"


@pytest.fixture
def made(server: Running) -> dict[str, Any]:
    """A table for two: Ann, who opened it, and whoever has the link of the other seat."""
    seats = [{"who": "person", "name": "Ann"}, {"who": "open", "name": "Bea"}]
    found = server.post("/api/tables", {"setup": {"seats": 2, "level": "practice-run"}, "seats": seats})
    assert found.status == 201, found.text
    made: dict[str, Any] = found.json
    return made


def ready(player: Player, name: str) -> Locator:
    """The lamp of a Unit, as this player sees it."""
    return player.page.get_by_role("list", name="Who is ready").get_by_role("listitem").filter(has_text=name)


def lock_two(player: Player) -> None:
    player.dice.nth(0).click()
    player.dice.nth(1).click()
    player.press(player.turn.get_by_role("button", name="Lock 2 dice"))


def test_a_friend_joins_with_the_link_from_the_lobby(server: Running, new_context: Contexts) -> None:
    page = new_context(**CALM).new_page()
    page.goto(f"{server.url}/new")
    page.get_by_role("radio", name="Practice run").check()
    page.get_by_role("button", name="One Unit more").click()
    page.get_by_label("Name", exact=True).first.fill("Ann")
    page.get_by_role("button", name="Open the table").click()
    ann = Player(page)
    ann.wait()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog").get_by_role("button", name="Seats and links").click()
    lobby = page.get_by_role("dialog", name="Seats and links")
    links = lobby.get_by_text(re.compile(r"^http://127\.0\.0\.1:\d+/g/[\w-]+#[\w-]+$"))
    expect(links).to_have_count(3)
    expect(lobby.get_by_text("nobody yet")).to_be_visible()
    lobby.get_by_role("button", name="Show the code").nth(1).click()
    expect(lobby.get_by_role("img", name="Code of the link")).to_be_visible()

    bea = sit_down(new_context(**CALM), links.nth(1).inner_text())
    expect(lobby.get_by_text("nobody yet")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(lobby).to_be_hidden()
    expect(bea.dice).to_have_count(6)
    expect(ann.dice).to_have_count(6)
    assert "#" not in bea.page.url


def test_a_trade_is_offered_and_accepted(server: Running, made: dict[str, Any], new_context: Contexts) -> None:
    ann = sit_down(new_context(**CALM), made["links"]["host"])
    bea = sit_down(new_context(**CALM), made["links"]["seats"][1])
    lock_two(ann)
    lock_two(bea)
    ann.press(ann.turn.get_by_role("button", name=re.compile(f"Trade with {BEA}")))
    ann.press(ann.turn.get_by_role("group", name="Give Soldiers").get_by_role("button", name="Add 1"))
    ann.press(ann.turn.get_by_role("button", name="Make this offer"))
    bea.press(bea.turn.get_by_role("button", name="Agree"))
    for one in (ann, bea):
        units = one.page.get_by_role("region", name="Units", exact=True)
        expect(units).to_contain_text(re.compile(r"\b3\s*Soldiers"))
        expect(units).to_contain_text(re.compile(r"\b5\s*Soldiers"))
    expect(ann.turn.get_by_role("button", name=re.compile(f"Trade with {BEA}"))).to_be_visible()


def test_the_lamps_say_who_is_ready(server: Running, made: dict[str, Any], new_context: Contexts) -> None:
    ann = sit_down(new_context(**CALM), made["links"]["host"])
    bea = sit_down(new_context(**CALM), made["links"]["seats"][1])
    expect(ready(ann, "Bea")).to_contain_text("choosing")
    lock_two(bea)
    bea.press(bea.turn.get_by_role("button", name="Keep all dice as they lie"))
    for one in (ann, bea):
        expect(ready(one, "Bea")).to_contain_text("ready")
        expect(ready(one, "Ann")).to_contain_text("choosing")
    expect(bea.turn.get_by_role("heading", name="Waiting for Ann.")).to_be_visible()


def test_a_move_made_without_connection_is_kept_and_sent(
    server: Running, made: dict[str, Any], new_context: Contexts, watch: Watch
) -> None:
    watch.allow("WebSocket connection to .* failed")
    watch.allow("ERR_INTERNET_DISCONNECTED")
    ann = sit_down(new_context(**CALM), made["links"]["host"])
    away = new_context(**CALM)
    bea = sit_down(away, made["links"]["seats"][1])
    lock_two(bea)
    away.set_offline(True)
    expect(bea.page.get_by_role("button", name="no connection")).to_be_visible()
    banner = bea.page.get_by_role("status").filter(has_text="No connection for")
    expect(banner).to_contain_text("Nothing is lost; the table goes on when it is back.")

    lock_two(ann)
    bea.turn.get_by_role("button", name="Keep all dice as they lie").click()
    expect(banner).to_contain_text("Your last move is kept here and will be sent: Keep all dice as they lie.")
    expect(ready(ann, "Bea")).to_contain_text("choosing")

    away.set_offline(False)
    expect(bea.lamp).to_be_visible()
    expect(banner).to_be_hidden()
    expect(bea.turn.get_by_role("heading", name="Waiting for Ann.")).to_be_visible()
    expect(ready(ann, "Bea")).to_contain_text("ready")
    log = bea.page.get_by_role("list", name="Log")
    expect(log.get_by_text(re.compile(f"{ANN} locks", re.I))).to_have_count(1)


def test_the_page_is_back_in_step_after_the_server_was_away(
    server: Running, made: dict[str, Any], new_context: Contexts, watch: Watch
) -> None:
    """All sockets break; they come back by themselves, and what happened meanwhile is there."""
    watch.allow("WebSocket connection to .* failed")
    ann = sit_down(new_context(**CALM), made["links"]["host"])
    cut = new_context(**CALM)
    page = cut.new_page()
    open_lines: list[Any] = []
    blocked = [False]

    def between(line: Any) -> None:
        if blocked[0]:
            line.close()
            return
        line.connect_to_server()
        open_lines.append(line)

    page.route_web_socket("**/ws", between)
    page.goto(made["links"]["seats"][1])
    bea = Player(page)
    bea.wait()
    blocked[0] = True
    for line in open_lines:
        line.close()
    expect(page.get_by_role("button", name="no connection")).to_be_visible()
    lock_two(ann)
    blocked[0] = False
    expect(bea.lamp).to_be_visible()
    expect(page.get_by_role("list", name="Log").get_by_text(re.compile(f"{ANN} locks", re.I))).to_have_count(1)
    lock_two(bea)
    expect(ann.page.get_by_role("list", name="Log").get_by_text(re.compile(f"{BEA} locks", re.I))).to_have_count(1)


def test_a_quick_phrase_reaches_the_other(server: Running, made: dict[str, Any], new_context: Contexts) -> None:
    ann = sit_down(new_context(**CALM), made["links"]["host"])
    bea = sit_down(new_context(locale="fr-FR", **CALM), made["links"]["seats"][1], "fr")
    messages = ann.page.get_by_role("region", name="Messages")
    messages.get_by_text("Quick phrases").click()
    messages.get_by_role("button", name="Shall we trade?").click()
    expect(messages.get_by_role("listitem")).to_have_text("Ann: Shall we trade?")
    theirs = bea.page.get_by_role("region", name=bea.say("chat"))
    expect(theirs.get_by_role("listitem")).to_have_text(f"Ann: {bea.say('phrase.trade')}")
    theirs.get_by_role("textbox", name=bea.say("chat.write")).fill("<b>oui</b>")
    theirs.get_by_role("button", name=bea.say("chat.send")).click()
    expect(messages.get_by_role("listitem").last).to_have_text("Bea: <b>oui</b>")


def test_a_spectator_sees_and_cannot_act(server: Running, made: dict[str, Any], new_context: Contexts) -> None:
    ann = sit_down(new_context(**CALM), made["links"]["host"])
    guest = sit_down(new_context(**CALM), made["links"]["watch"], watches=True)
    lock_two(ann)
    expect(guest.page.get_by_role("list", name="Log").get_by_text(re.compile(f"{ANN} locks", re.I))).to_be_visible()
    expect(guest.turn.get_by_role("heading", name="Waiting for Ann, Bea.")).to_be_visible()
    expect(guest.dice).to_have_count(0)
    assert guest.answers() == []
    guest.page.keyboard.press("r")
    guest.page.keyboard.press("Enter")
    guest.page.get_by_role("button", name="Menu").click()
    guest.page.get_by_role("dialog").get_by_role("button", name="Seats and links").click()
    lobby = guest.page.get_by_role("dialog", name="Seats and links")
    expect(lobby).to_be_visible()
    expect(lobby.get_by_text("/g/")).to_have_count(0)
    expect(lobby.get_by_role("button", name="Close the table")).to_have_count(0)


def test_one_seat_on_two_devices(server: Running, made: dict[str, Any], new_context: Contexts) -> None:
    link = made["links"]["seats"][1]
    desk = sit_down(new_context(**CALM), link)
    phone = sit_down(new_context(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True, **CALM), link)
    expect(phone.dice).to_have_count(6)
    lock_two(desk)
    keep = "Keep all dice as they lie"
    expect(phone.turn.get_by_role("button", name=keep)).to_be_visible()
    phone.press(phone.turn.get_by_role("button", name=keep))
    expect(desk.turn.get_by_role("heading", name="Waiting for")).to_be_visible()
    assert desk.answers() == []


def test_a_message_is_told_on_a_phone_that_shows_something_else(
    server: Running, made: dict[str, Any], new_context: Contexts
) -> None:
    ann = sit_down(new_context(**CALM), made["links"]["host"])
    bea = sit_down(new_context(**CALM, **PHONE), made["links"]["seats"][1])
    told = bea.page.get_by_role("tab", name="a new message")
    expect(told).to_have_count(0)
    ann.page.get_by_label("Write a message").fill("Wait for me")
    ann.page.get_by_role("button", name="Send").click()
    told.tap()
    expect(bea.page.get_by_text("Wait for me")).to_be_visible()
    expect(told).to_have_count(0)
    expect(bea.page.get_by_role("status").filter(has_text="a new message")).to_have_count(0)
