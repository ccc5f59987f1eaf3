"""The way back during a game, and the way through it when it is over."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

from ..server.running import Running
from . import player
from .player import CALM, LOST, Player, finished, sit_down

server = player.server

Contexts = Callable[..., BrowserContext]


def undo(player: Player, what: str = ".") -> None:
    player.press(player.turn.get_by_role("button", name=re.compile(f"^Undo: {what}")).first)


def test_undo_says_what_it_takes_back(server: Running, new_context: Contexts) -> None:
    made = server.create()
    player = sit_down(new_context(**CALM), made["links"]["host"])
    undos = player.turn.get_by_role("button", name=re.compile("^Undo: "))
    expect(undos).to_have_count(0)
    faces = [die.words for die in player.buttons() if die.group == player.tray_name]
    player.dice.nth(0).click()
    player.dice.nth(1).click()
    player.press(player.turn.get_by_role("button", name="Lock 2 dice"))
    expect(undos.first).to_have_accessible_name(re.compile("R1.*W1"))
    undo(player)
    expect(player.turn.get_by_role("button", name=re.compile("^Lock 2"))).to_be_visible()
    now = [die.words for die in player.buttons() if die.group == player.tray_name]
    assert [words.removesuffix(" lock") for words in now] == faces
    expect(undos).to_have_count(0)


def test_redo_brings_back_what_undo_took(server: Running, new_context: Contexts) -> None:
    player = sit_down(new_context(**CALM), server.create()["links"]["host"])
    redo = player.turn.get_by_role("button", name=re.compile("^Redo: "))
    lock_two(player)
    expect(redo).to_have_count(0)
    undo(player)
    expect(redo).to_have_accessible_name(re.compile("R1.*W1"))
    player.press(redo)
    expect(player.turn.get_by_role("button", name="Re-roll 4 dice")).to_be_visible()
    expect(redo).to_have_count(0)
    undo(player)
    for at in range(4):  # the first two let go, the next two
        player.dice.nth(at).click()
    player.press(player.turn.get_by_role("button", name="Lock 2 dice"))
    expect(redo).to_have_count(0)


def lock_two(player: Player) -> None:
    player.dice.nth(0).click()
    player.dice.nth(1).click()
    player.press(player.turn.get_by_role("button", name="Lock 2 dice"))


def rolled_again(player: Player) -> None:
    lock_two(player)
    player.press(player.turn.get_by_role("button", name="Re-roll 4 dice"))


def test_a_roll_is_taken_back_only_after_a_question_to_oneself(server: Running, new_context: Contexts) -> None:
    player = sit_down(new_context(**CALM), server.create()["links"]["host"])
    seen = player.turn.get_by_role("button", name=re.compile(r"^Undo \(seen already\): "))
    rolled_again(player)
    expect(player.turn.get_by_role("button", name=re.compile("^Undo: "))).to_have_count(0)
    log = player.page.get_by_role("list", name="Log").get_by_role("listitem")
    lines = log.count()
    seen.click()
    sure = player.turn.get_by_role("button", name="Take it back")
    expect(sure).to_be_focused()
    expect(sure).to_have_accessible_description(re.compile("has been seen.*The record is marked"))
    player.turn.get_by_role("button", name="Leave it").click()
    expect(sure).to_be_hidden()
    assert log.count() == lines
    player.page.keyboard.press("u")
    expect(sure).to_be_focused()
    player.key("Enter")
    expect(log).to_have_count(lines - 1)
    expect(player.turn.get_by_role("button", name="Re-roll 4 dice")).to_be_visible()


def test_what_has_been_seen_is_taken_back_when_the_others_agree(server: Running, new_context: Contexts) -> None:
    made = server.create(["person", "open"])
    asking = sit_down(new_context(**CALM), made["links"]["host"])
    other = sit_down(new_context(**CALM), made["links"]["seats"][1])
    rolled_again(asking)
    log = asking.page.get_by_role("list", name="Log").get_by_role("listitem")
    lines = log.count()
    ask = asking.turn.get_by_role("button", name="Ask the table to take it back")
    question = other.page.get_by_role("group", name="A question of the table")
    expect(question).to_have_count(0)

    asking.page.keyboard.press("u")
    ask.click()
    expect(asking.turn.get_by_text("Waiting for Unit 2")).to_be_visible()
    expect(question).to_contain_text(re.compile("Unit 1 asks to take back: Roll R2"))
    expect(other.page.locator("[aria-live=assertive]")).to_contain_text("Unit 1 asks to take back")
    question.get_by_role("button", name="Refuse").click()
    expect(question).to_have_count(0)
    expect(asking.turn.get_by_text("Waiting for Unit 2")).to_be_hidden()
    assert log.count() == lines

    asking.page.keyboard.press("u")
    ask.click()
    expect(question).to_be_visible()
    asking.turn.get_by_role("button", name="Ask no more").click()
    expect(question).to_have_count(0)
    expect(asking.turn.get_by_text("Waiting for Unit 2")).to_be_hidden()

    asking.page.keyboard.press("u")
    ask.click()
    question.get_by_role("button", name="Agree").click()
    expect(question).to_have_count(0)
    expect(log).to_have_count(lines - 1)
    expect(asking.turn.get_by_role("button", name="Re-roll 4 dice")).to_be_visible()


def test_a_practice_game_goes_back_over_a_roll(server: Running, new_context: Contexts) -> None:
    made = server.create(practice=True)
    player = sit_down(new_context(**CALM), made["links"]["host"])
    player.dice.nth(0).click()
    player.dice.nth(1).click()
    player.press(player.turn.get_by_role("button", name="Lock 2 dice"))
    log = player.page.get_by_role("list", name="Log").get_by_role("listitem")
    lines = log.count()
    player.press(player.turn.get_by_role("button", name="Re-roll 4 dice"))
    assert log.count() > lines
    player.key("u")
    expect(log).to_have_count(lines)
    player.key("u")
    expect(player.turn.get_by_role("button", name=re.compile("^Lock 2"))).to_be_visible()


def test_a_finished_game_is_watched_again(server: Running, new_context: Contexts) -> None:
    made = finished(server, seed=LOST)
    page = new_context(**CALM).new_page()
    page.goto(made["links"]["host"])
    Player(page).result.click()
    slider = page.get_by_role("slider", name="Place in the game")
    expect(slider).to_have_value("0")
    expect(page.get_by_role("list", name="Log")).to_contain_text("Turn 1")
    slider.focus()
    page.keyboard.press("End")
    last = slider.get_attribute("max")
    assert last is not None and int(last) > 5
    expect(slider).to_have_value(last)
    expect(page.get_by_role("heading", name="Defeat")).to_be_visible()
    page.get_by_role("button", name="one step back in a replay").click()
    expect(slider).to_have_value(str(int(last) - 1))
    expect(page.get_by_role("heading", name="Defeat")).to_be_hidden()
    page.keyboard.press("]")
    expect(page.get_by_role("heading", name="Defeat")).to_be_visible()
    at = re.search(r"at=(\d+)", page.url)
    assert at is not None and int(at[1]) > 5


def test_what_if_gives_a_practice_game_from_there(server: Running, new_context: Contexts) -> None:
    made = finished(server, seed=LOST)
    page = new_context(**CALM).new_page()
    page.goto(made["links"]["host"])
    Player(page).result.click()
    slider = page.get_by_role("slider", name="Place in the game")
    expect(slider).to_have_value("0")
    page.keyboard.press("]")
    page.keyboard.press("]")
    expect(slider).to_have_value("2")
    expect(page.get_by_text("3 of ")).to_be_visible()
    page.wait_for_url(re.compile("at=[1-9]"))
    page.get_by_role("button", name="What if, from here").click()
    player = Player(page)
    player.wait()
    assert made["table"] not in page.url
    assert player.buttons()
    player.play_simply()
    expect(page.get_by_text("A practice game; it counts in no record.")).to_be_visible()


def verified(page: Page) -> str:
    page.get_by_role("button", name="Check this game").click()
    status = page.get_by_role("status")
    expect(status).to_be_visible()
    return status.inner_text()


def test_a_game_is_checked_and_saved(server: Running, new_context: Contexts, tmp_path: Path) -> None:
    made = finished(server)
    page = new_context(**CALM).new_page()
    page.goto(made["links"]["host"])
    said = verified(page)
    assert len(said.split()) > 3

    with page.expect_download() as coming:
        page.get_by_role("button", name="Save the game").click()
    file = tmp_path / coming.value.suggested_filename
    coming.value.save_as(file)
    assert file.suffix == ".jsonl"
    done = subprocess.run(
        [sys.executable, "-m", "beachhead", "verify", str(file)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr

    page.goto(server.url)
    page.get_by_label("Open a game file").set_input_files(file)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Defeat")
