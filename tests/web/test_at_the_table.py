"""What the table gives to a person beside the questions: the tally of a choice, the throws of the turn, hints, notes,
sounds, a screen for all, one's own dice.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from ..server.running import Running
from . import player
from .axe import serious_findings
from .player import CALM, Player, sit_down

server = player.server

Contexts = Callable[..., BrowserContext]

SPY_ON_SOUND = """() => {
  window.heard = [];
  window.AudioContext = class {
    currentTime = 0;
    destination = {};
    constructor() { window.heard.push("context"); }
    createOscillator() {
      const tone = { frequency: {}, connect: (to) => to, stop() {} };
      tone.start = () => window.heard.push(tone.frequency.value);
      return tone;
    }
    createGain() {
      return { connect: (to) => to, gain: { setValueAtTime: (loud) => window.heard.push("at " + loud.toFixed(3)),
        exponentialRampToValueAtTime() {} } };
    }
  };
}"""

SPY_ON_WAKE = """() => {
  window.locks = [];
  Object.defineProperty(navigator, "wakeLock", { value: { request: async (kind) => {
    window.locks.push("take " + kind);
    return { release: async () => { window.locks.push("let go"); } };
  } } });
}"""


def seated(context: BrowserContext, server: Running) -> Player:
    return sit_down(context, server.create()["links"]["host"])


def settings(context: BrowserContext, what: str) -> None:
    keep = f"localStorage.setItem('beachhead.settings', JSON.stringify({what}))"
    context.add_init_script(f"if (location.protocol === 'http:') {keep}")


def lock_two(player: Player) -> None:
    player.hit(player.dice.nth(0))
    player.hit(player.dice.nth(1))
    player.press(player.turn.get_by_role("button", name="Lock 2 dice"))


# ---- dice


def test_the_tally_follows_the_choice(server: Running, new_context: Contexts) -> None:
    player = seated(new_context(**CALM), server)
    tally = player.turn.get_by_text(re.compile("^(This die|These . dice) alone: "))
    expect(tally).to_have_count(0)
    player.dice.nth(0).click()
    expect(tally).to_have_text(re.compile("^This die alone: "))
    face = player.dice.nth(0).locator(".vh").inner_text()
    named = re.search(r"R1 (?:\d )?(\w+?)s?\b", face)
    assert named is not None
    expect(tally).to_contain_text(named[1])
    player.dice.nth(1).click()
    expect(tally).to_have_text(re.compile("^These 2 dice alone: "))
    player.dice.nth(0).click()
    player.dice.nth(1).click()
    expect(tally).to_have_count(0)


def test_a_roll_shows_even_where_nothing_moves(server: Running, new_context: Contexts) -> None:
    player = seated(new_context(**CALM), server)
    tray = player.turn.get_by_role("region", name="Your six dice")
    lock_two(player)
    expect(tray).to_contain_text("Roll 1 of 3")
    expect(tray).to_contain_text("6 dice rolled")
    player.press(player.turn.get_by_role("button", name="Re-roll 4 dice"))
    expect(tray).to_contain_text("Roll 2 of 3")
    expect(tray).to_contain_text("4 dice rolled")
    expect(player.page.locator("[aria-live=polite]").first).to_contain_text("rolls R2")


def test_the_throws_of_the_turn_say_which_dice_were_rolled(server: Running, new_context: Contexts) -> None:
    player = seated(new_context(**CALM), server)
    lock_two(player)
    player.press(player.turn.get_by_role("button", name="Re-roll 4 dice"))
    throws = player.turn.get_by_role("group", name="This turn").get_by_role("button")
    expect(throws).to_have_count(2)
    second = throws.nth(1)
    expect(second).to_have_accessible_name("Roll 2: 4 dice, R2, W2, B1, B2")
    lit = player.tray.locator(".lit")
    expect(lit).to_have_count(0)
    second.focus()
    expect(lit).to_have_count(4)
    expect(player.turn.get_by_text("Roll 2: 4 dice, R2, W2, B1, B2")).to_be_visible()


def test_dice_lie_by_face_if_wanted(server: Running, new_context: Contexts) -> None:
    player = seated(new_context(**CALM), server)

    def faces() -> list[str]:
        names = player.dice.locator(".vh").all_inner_texts()
        return [re.sub(r"^.*?: .. ", "", name).partition(",")[0] for name in names]

    before = faces()
    toggle = player.turn.get_by_role("button", name="By face")
    expect(toggle).to_have_attribute("aria-pressed", "false")
    toggle.click()
    grouped = faces()
    assert sorted(grouped) == sorted(before)
    changes = sum(a != b for a, b in pairwise(grouped))
    assert changes == len(set(grouped)) - 1, f"{grouped} lie apart"
    player.page.reload()
    player.wait()
    expect(toggle).to_have_attribute("aria-pressed", "true")
    player.page.keyboard.press("1")
    expect(player.tray.get_by_role("button", name="red die 1")).to_have_attribute("aria-pressed", "true")


def test_dice_that_tumble_come_to_rest_on_any_key(server: Running, new_context: Contexts) -> None:
    context = new_context()
    settings(context, "{ motion: 'full' }")
    # the dice would come to rest by themselves only after hours
    context.add_init_script(
        "const wait = window.setTimeout; window.setTimeout = (act, ms) => wait(act, ms === 450 ? 1e7 : ms)"
    )
    player = seated(context, server)
    lock_two(player)
    page = player.page
    page.keyboard.press("r")
    rolling = player.dice.filter(has_text="rolling")
    expect(rolling).to_have_count(4)
    log = page.get_by_role("list", name="Log")
    expect(log).not_to_contain_text(re.compile("rolls R2"))
    page.keyboard.press("x")
    expect(rolling).to_have_count(0)
    expect(log).to_contain_text(re.compile("rolls R2"))


# ---- sounds


def heard(page: Page) -> list[object]:
    found: list[object] = page.evaluate("() => window.heard")
    return found


def test_nothing_sounds_before_it_is_wanted(server: Running, new_context: Contexts) -> None:
    context = new_context(**CALM)
    context.add_init_script(f"({SPY_ON_SOUND})()")
    player = seated(context, server)
    page = player.page
    lock_two(player)
    player.press(player.turn.get_by_role("button", name="Re-roll 4 dice"))
    assert heard(page) == []

    page.get_by_role("button", name="Sound is off").click()
    player.press(player.turn.get_by_role("button", name="Re-roll 4 dice"))
    made = heard(page)
    assert made[0] == "context"
    assert 180 in made and 110 in made, "the rattle of the dice, and their rest"
    loud = made[1]

    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="At the table").click()
    page.get_by_label(re.compile("^Volume")).fill("20")
    page.keyboard.press("Escape")
    player.answer_simply()
    assert any(str(one).startswith("at ") and one != loud for one in heard(page)[len(made) :])

    page.get_by_role("button", name="Sound is on").click()
    silent = len(heard(page))
    player.answer_simply()
    assert len(heard(page)) == silent


def test_sounds_wait_for_a_gesture_and_are_remembered(server: Running, new_context: Contexts) -> None:
    context = new_context(**CALM)
    context.add_init_script(f"({SPY_ON_SOUND})()")
    settings(context, "{ sounds: true }")
    made = server.create(["person", "open"])
    player = sit_down(context, made["links"]["host"])
    other = sit_down(new_context(**CALM), made["links"]["seats"][1])
    lock_two(other)
    other.press(other.turn.get_by_role("button", name="Re-roll 4 dice"))
    other.page.get_by_role("textbox", name="Write a message").fill("We land at dawn")
    other.page.get_by_role("button", name="Send").click()
    expect(player.page.get_by_text("We land at dawn")).to_be_visible()
    assert heard(player.page) == []
    player.page.keyboard.press("Shift")
    other.page.get_by_role("textbox", name="Write a message").fill("On the left")
    other.page.get_by_role("button", name="Send").click()
    expect(player.page.get_by_text("On the left")).to_be_visible()
    assert 784 in heard(player.page)


# ---- the screen of the device, hints, notes


def test_the_screen_stays_awake_while_one_plays(server: Running, new_context: Contexts) -> None:
    context = new_context(**CALM)
    context.add_init_script(f"({SPY_ON_WAKE})()")
    page = seated(context, server).page
    assert page.evaluate("() => window.locks") == []
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="At the table").click()
    page.get_by_role("checkbox", name="Keep the screen awake").check()
    page.wait_for_function("() => window.locks.join() === 'take screen'")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Beachhead, home").click()
    page.wait_for_function("() => window.locks.join() === 'take screen,let go'")


def hint(page: Page) -> Locator:
    return page.get_by_role("group", name="For the first time")


def test_a_rule_is_told_once_when_it_first_matters(server: Running, new_context: Contexts) -> None:
    player = seated(new_context(**CALM), server)
    page = player.page
    expect(hint(page)).to_contain_text("Lock two dice")
    hint(page).get_by_role("button", name="Tell me more").click()
    expect(page.get_by_role("dialog").get_by_text("F-ROLL-02")).to_be_visible()
    page.keyboard.press("Escape")
    hint(page).get_by_role("button", name="Got it").click()
    expect(hint(page)).to_have_count(0)
    page.reload()
    player.wait()
    expect(player.dice).to_have_count(6)
    expect(hint(page)).to_have_count(0)
    lock_two(player)
    expect(hint(page)).to_be_visible()
    hint(page).get_by_role("button", name="No more hints").click()
    player.press(player.turn.get_by_role("button", name="Keep all dice"))
    expect(hint(page)).to_have_count(0)


def test_notes_stay_in_the_browser(server: Running, new_context: Contexts, tmp_path: Path) -> None:
    player = seated(new_context(**CALM), server)
    page = player.page
    page.keyboard.press("p")
    dialog = page.get_by_role("dialog", name="My notes")
    dialog.get_by_label("A new note").fill("Save Courage for the shingle")
    dialog.get_by_role("button", name="Keep it").click()
    dialog.get_by_label("A new note").fill("Try the left side")
    dialog.get_by_role("checkbox").uncheck()
    dialog.get_by_role("button", name="Keep it").click()
    page.reload()
    player.wait()
    page.keyboard.press("p")
    notes = dialog.get_by_role("listitem")
    expect(notes).to_have_text([re.compile("The whole game.*left side"), re.compile("turn 1.*Save Courage")])
    with page.expect_download() as coming:
        dialog.get_by_role("button", name="Save as a file").click()
    file = tmp_path / "notes.txt"
    coming.value.save_as(file)
    assert "turn 1: Save Courage for the shingle" in file.read_text()
    dialog.get_by_role("button", name="Throw away: Try the left side").click()
    expect(notes).to_have_count(1)


# ---- a screen for all


def test_a_screen_for_all_shows_every_unit_and_has_nothing_to_press(server: Running, new_context: Contexts) -> None:
    made = server.create(["person", "person", "person"])
    page = new_context(**CALM).new_page()
    page.goto(made["links"]["watch"].replace("#", "?screen=table#"))
    units = page.get_by_role("region", name="Units").get_by_role("article")
    expect(units).to_have_count(3)
    expect(units.nth(2)).to_contain_text("Unit 3")
    expect(units.nth(0)).to_contain_text("4 Soldiers")
    expect(units.get_by_role("img")).to_have_count(3)
    expect(page.get_by_text("Waiting for Unit 1, Unit 2, Unit 3.")).to_be_visible()
    expect(page.locator(".wall").get_by_role("button")).to_have_count(0)
    host = sit_down(new_context(**CALM), made["links"]["host"])
    lock_two(host)
    expect(page.get_by_role("list", name="Log")).to_contain_text("Unit 1")


# ---- one's own dice


def test_dice_of_ones_own_are_entered(server: Running, new_context: Contexts) -> None:
    page = new_context(**CALM).new_page()
    page.goto(server.create(dice="own")["links"]["host"])
    enter = page.get_by_role("region", name="Your own dice")
    done = enter.get_by_role("button", name=re.compile("to enter$|These were rolled"))
    expect(done).to_have_text("6 dice to enter")
    enter.get_by_role("button", name="Star").click()
    expect(enter.get_by_role("button", name="R1: Star")).to_be_visible()
    expect(done).to_have_text("5 dice to enter")
    for key in "11666":
        page.keyboard.press(key)
    expect(done).to_have_text("These were rolled")
    enter.get_by_role("button", name="R1: Star").click()
    enter.get_by_role("button", name="Skull", exact=True).click()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Enter")
    player = Player(page)
    expect(player.dice).to_have_count(6)
    names = player.dice.locator(".vh").all_inner_texts()
    assert [name.split(": ")[1].split()[1].strip(",") for name in names] == [
        "Skull",
        "Skull",
        "Tool",
        "Skull",
        "Tool",
        "Tool",
    ]
    lock_two(player)
    player.press(player.turn.get_by_role("button", name="Re-roll 4 dice"))
    expect(enter.get_by_role("group", name="Dice to enter").get_by_role("button")).to_have_count(4)
    enter.get_by_role("button", name="Let the server roll").click()
    expect(player.dice).to_have_count(6)


# ---- for everybody


@pytest.mark.parametrize("theme", [{"color_scheme": "light"}, {"color_scheme": "dark"}, {"contrast": "more"}])
def test_axe_finds_nothing_serious(server: Running, new_context: Contexts, theme: dict[str, Any]) -> None:
    context = new_context(**CALM, **theme)
    made = server.create(["person", "person"])
    player = sit_down(context, made["links"]["host"])
    page = player.page
    player.turn.get_by_role("button", name="By face").click()
    player.dice.nth(0).click()
    expect(hint(page)).to_be_visible()
    assert serious_findings(page) == []
    player.dice.nth(1).click()
    player.press(player.turn.get_by_role("button", name="Lock 2 dice"))
    player.press(player.turn.get_by_role("button", name="Re-roll 4 dice"))
    page.keyboard.press("u")
    page.keyboard.press("n")
    expect(player.turn.get_by_role("button", name="Take it back")).to_be_visible()
    assert serious_findings(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("p")
    expect(page.get_by_role("dialog", name="My notes")).to_be_visible()
    assert serious_findings(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="At the table").click()
    assert serious_findings(page) == []

    page.goto(made["links"]["watch"].replace("#", "?screen=table#"))
    expect(page.get_by_role("article")).to_have_count(2)
    assert serious_findings(page) == []
    page.goto(server.create(dice="own")["links"]["host"])
    expect(page.get_by_role("region", name="Your own dice")).to_be_visible()
    assert serious_findings(page) == []
