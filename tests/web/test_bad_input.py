"""What goes wrong is said in words on the page, and harms no game."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect

from ..server.running import Running
from . import player
from .player import CALM, Player, sit_down
from .watching import Watch

server = player.server

Contexts = Callable[..., BrowserContext]

REFUSED = "Failed to load resource: the server responded with a status of 4"

DROP = """(text) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], "game.jsonl"));
  document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: carried }));
}"""


def lock(player: Player) -> None:
    player.dice.nth(0).click()
    player.dice.nth(1).click()
    player.turn.get_by_role("button", name="Lock 2 dice").click()


@pytest.mark.parametrize("wrong", ["other table", "other token", "no token"])
def test_a_wrong_link_is_said_so(server: Running, page: Page, wrong: str) -> None:
    made = server.create()
    table, token = made["table"], made["token"]
    if wrong == "other table":
        table = "x" * len(table)
    token = {"other token": "y" * len(token), "no token": ""}.get(wrong, token)
    page.goto(f"{server.url}/g/{table}#{token}")
    expect(page.get_by_role("heading", level=1)).to_have_text("This table cannot be opened")
    expect(page.get_by_role("alert")).to_contain_text("This link does not open a table.")
    page.get_by_role("main").get_by_role("button", name="Home").click()
    expect(page.get_by_role("button", name="Roll the dice")).to_be_visible()


def test_something_that_is_no_link(server: Running, page: Page) -> None:
    page.goto(server.url)
    page.get_by_role("button", name="Join a table").click()
    page.get_by_label("The link of your seat").fill("my table")
    page.get_by_role("button", name="Join a table").click()
    expect(page.get_by_role("alert")).to_contain_text("That is not the link of a table.")


def test_a_link_that_was_taken_back(server: Running, new_context: Contexts) -> None:
    made = server.create(("person", "open"))
    host = sit_down(new_context(**CALM), made["links"]["host"])
    guest = sit_down(new_context(**CALM), made["links"]["seats"][1])
    host.page.get_by_role("button", name="Menu").click()
    host.page.get_by_role("dialog").get_by_role("button", name="Seats and links").click()
    lobby = host.page.get_by_role("dialog", name="Seats and links")
    lobby.get_by_role("button", name="New link; the old one ends").nth(1).click()
    told = guest.page.get_by_role("alert")
    expect(told).to_be_visible()
    assert len(told.inner_text().split()) > 4

    late = new_context(**CALM).new_page()
    late.goto(made["links"]["seats"][1])
    expect(late.get_by_role("heading", level=1)).to_have_text("This table cannot be opened")

    fresh = lobby.get_by_text(f"/g/{made['table']}#").nth(1).inner_text()
    assert fresh != made["links"]["seats"][1]
    again = sit_down(new_context(**CALM), fresh)
    expect(again.dice).to_have_count(6)


@pytest.mark.parametrize("text", ["", "not a game at all", '{"game": "landing"}\n{"broken', "\x00\x01"])
def test_a_broken_game_file_is_refused_in_words(
    server: Running, page: Page, watch: Watch, tmp_path: Path, text: str
) -> None:
    watch.allow(REFUSED)
    file = tmp_path / "game.jsonl"
    file.write_text(text)
    page.goto(server.url)
    expect(page.get_by_role("button", name="Roll the dice")).to_be_visible()
    page.get_by_label("Open a game file").set_input_files(file)
    alert = page.get_by_role("alert")
    expect(alert).to_be_visible()
    assert len(alert.inner_text().split()) > 3
    assert page.url == f"{server.url}/"


def test_a_broken_game_file_is_dropped_on_the_page(server: Running, page: Page, watch: Watch) -> None:
    watch.allow(REFUSED)
    page.goto(f"{server.url}/settings")
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
    page.evaluate(DROP, "not a game at all")
    alert = page.get_by_role("alert")
    expect(alert).to_be_visible()
    alert.get_by_role("button", name="Close").click()
    expect(alert).to_be_hidden()


class Meddler:
    """Sits on the line between the page and the server."""

    def __init__(self, page: Page) -> None:
        self.change: Callable[[dict[str, Any]], None] = lambda message: None
        self.deaf = False
        self.moves: set[str] = set()
        self.refused: list[dict[str, Any]] = []
        page.route_web_socket("**/ws", self.between)

    def between(self, line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def up(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "move":
                self.moves.add(message["id"])
                self.change(message)
            server.send(json.dumps(message))

        def down(text: str | bytes) -> None:
            message = json.loads(text)
            refused = message["type"] == "refused" and message["id"] in self.moves
            if refused:
                self.refused.append(message)
            if not self.deaf or refused or message["type"] == "pong":
                line.send(text)

        line.on_message(up)
        server.on_message(down)


def test_an_answer_that_is_not_possible(server: Running, new_context: Contexts) -> None:
    made = server.create()
    page = new_context(**CALM).new_page()
    meddler = Meddler(page)
    page.goto(made["links"]["host"])
    player = Player(page)
    player.wait()
    expect(player.dice).to_have_count(6)
    meddler.change = lambda message: message.update(key="lock:R1")
    lock(player)
    alert = page.get_by_role("alert")
    expect(alert).to_be_visible()
    assert [one["code"] for one in meddler.refused] in (["illegal"], ["invalid"])
    assert meddler.refused[0]["text"] in alert.inner_text()
    assert len(meddler.refused[0]["text"].split()) > 3

    meddler.change = lambda message: None
    expect(player.lamp).to_be_visible()
    player.press(player.turn.get_by_role("button", name="Lock 2 dice"))
    expect(player.turn.get_by_role("button", name="Keep all dice as they lie")).to_be_visible()
    expect(alert).to_be_hidden()


def test_an_answer_to_a_question_that_another_tab_has_answered(server: Running, new_context: Contexts) -> None:
    made = server.create()
    context = new_context(**CALM)
    first = sit_down(context, made["links"]["host"])
    page = context.new_page()
    meddler = Meddler(page)
    page.goto(f"{server.url}/g/{made['table']}")
    second = Player(page)
    second.wait()
    expect(second.dice).to_have_count(6)
    meddler.deaf = True
    lock(first)
    expect(first.turn.get_by_role("button", name="Keep all dice as they lie")).to_be_visible()
    lock(second)
    alert = page.get_by_role("alert")
    expect(alert).to_be_visible()
    assert [one["code"] for one in meddler.refused] == ["stale"]
    assert meddler.refused[0]["text"] in alert.inner_text()
    meddler.deaf = False
    page.reload()
    expect(second.turn.get_by_role("button", name="Keep all dice as they lie")).to_be_visible()
    log = page.get_by_role("list", name="Log")
    expect(log.get_by_text("Unit 1 locks")).to_have_count(1)


def test_a_page_that_is_not_there(server: Running, page: Page, watch: Watch) -> None:
    watch.allow(REFUSED)
    page.goto(f"{server.url}/no-such-page")
    expect(page.get_by_role("alert")).to_be_visible()


def test_a_bad_link_does_not_shut_out_who_is_at_the_table(server: Running, new_context: Contexts) -> None:
    made = server.create()
    context = new_context(**CALM)
    sit_down(context, made["links"]["host"])
    again = sit_down(context, f"{server.url}/g/{made['table']}#{'z' * len(made['token'])}")
    expect(again.dice).to_have_count(6)


def test_a_spectators_link_takes_nothing_from_the_host(server: Running, new_context: Contexts) -> None:
    made = server.create()
    context = new_context(**CALM)
    sit_down(context, made["links"]["host"])
    again = sit_down(context, made["links"]["watch"])
    expect(again.dice).to_have_count(6)


def test_a_wrong_link_is_not_offered_again(server: Running, page: Page) -> None:
    made = server.create()
    page.goto(f"{server.url}/g/{made['table']}#{'y' * len(made['token'])}")
    expect(page.get_by_role("heading", level=1)).to_have_text("This table cannot be opened")
    page.get_by_role("main").get_by_role("button", name="Home").first.click()
    expect(page.get_by_role("button", name="Roll the dice")).to_be_visible()
    expect(page.get_by_role("link", name="Back to the table")).to_have_count(0)
