"""The pages beside the table: my games, the way back, the result, the replay, rules, settings, a new table."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Download, Page, expect

from ..server.running import Running, at
from . import player
from .conftest import PHONE
from .player import CALM, LOST, Player, finished, reach
from .test_bad_input import DROP

server = player.server

Contexts = Callable[..., BrowserContext]

TOKENS = "() => JSON.parse(localStorage.getItem('beachhead.tokens') ?? '{}')"


def knowing(server: Running, new_context: Contexts, *tables: dict[str, Any], **options: Any) -> Page:
    """A page in a browser that holds the links of these tables."""
    tokens = json.dumps({made["table"]: made["token"] for made in tables})
    kept = [{"name": "beachhead.tokens", "value": tokens}]
    state = {"cookies": [], "origins": [{"origin": server.url, "localStorage": kept}]}
    return new_context(storage_state=state, **CALM, **options).new_page()


def saved(download: Download, folder: Path) -> str:
    download.save_as(folder / download.suggested_filename)
    return (folder / download.suggested_filename).read_text(encoding="utf-8")


# ---- my games


def test_my_games_are_counted(server: Running, new_context: Contexts, tmp_path: Path) -> None:
    tables = [finished(server) for _ in range(3)] + [finished(server, seed=LOST), server.create(title="Friday night")]
    page = knowing(server, new_context, *tables)
    page.goto(f"{server.url}/history")
    # Wilson with none of three: nothing to 1.2805 / 2.2805
    expect(page.get_by_text("Won: 0 of 3 (0 to 56 %).")).to_be_visible()
    row = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="Exercise Tiger"))
    expect(row).to_have_count(1)
    expect(row).to_contain_text("0 of 3 (0 to 56 %)")
    expect(row).to_contain_text("3 lost")
    expect(row.get_by_role("img", name="The last 3 games, the latest last: lost, lost, lost")).to_be_visible()
    dice = page.get_by_role("region", name="Dice of all your games")
    expect(dice).to_contain_text("Counted: 3 of 3 finished games.")
    total = sum(len(json.loads(line)[3]) for made in tables[:3] for line in thrown(server, made))
    expect(dice).to_contain_text(f"{total} dice thrown")

    page.get_by_label("One row for each").select_option("map, level and number of Units")
    expect(row).to_contain_text("First edition · Practice Run · 1 Unit")

    games = page.get_by_role("region", name="My games").get_by_role("listitem")
    expect(games).to_have_count(5)
    expect(games.filter(has=page.get_by_text("practice", exact=True))).to_have_count(1)
    page.get_by_label("Show practice games").uncheck()
    expect(games).to_have_count(4)

    with page.expect_download() as coming:
        page.get_by_role("button", name="Save as CSV").click()
    rows = list(csv.DictReader(saved(coming.value, tmp_path).splitlines()))
    assert sorted(row["result"] for row in rows) == ["lost", "lost", "lost", "lost", "open"]
    assert [row["table"] for row in rows if row["practice"] == "true"] == [tables[3]["table"]]
    with page.expect_download() as coming:
        page.get_by_role("button", name="Save as JSON").click()
    assert {row["table"] for row in json.loads(saved(coming.value, tmp_path))["games"]} == {m["table"] for m in tables}


def thrown(server: Running, made: dict[str, Any]) -> list[str]:
    """The lines of a record with dice of a tray."""
    return [line for line in server.record(made["table"], made["token"]) if line.startswith('["roll","dice:')]


def test_a_table_whose_link_is_lost_is_opened_again(server: Running, new_context: Contexts) -> None:
    made = server.create(title="Friday night")
    page = new_context(**CALM).new_page()
    page.goto(server.url)
    strays = page.get_by_role("region", name="On this computer")
    strays.get_by_role("button", name="Friday night").click()
    Player(page).wait()
    assert page.url == f"{server.url}/g/{made['table']}"
    page.goto(server.url)
    expect(page.get_by_role("heading", name="Friday night")).to_be_visible()
    expect(strays).to_have_count(0)


# ---- the result


def test_the_same_dice_and_a_turn_again(server: Running, new_context: Contexts) -> None:
    made = finished(server)
    page = knowing(server, new_context, made)

    def again(button: str) -> dict[str, str]:
        page.get_by_role("button", name=button).click()
        page.wait_for_url(lambda url: "/g/" in url and made["table"] not in url)
        Player(page).wait()
        table = page.url.rpartition("/")[2]
        return {"table": table, "token": page.evaluate(TOKENS)[table]}

    page.goto(f"{server.url}/g/{made['table']}")
    same = thrown(server, again("The same dice practice"))[0]
    assert json.loads(same)[:4] == json.loads(thrown(server, made)[0])[:4]
    page.goto(f"{server.url}/g/{made['table']}")
    other = again("New dice")
    closed = server.get(f"/api/tables/{other['table']}/record", authorization=f"Bearer {other['token']}")
    assert closed.status == 403, "it is no practice game: its record stays closed until it is over"

    page.goto(f"{server.url}/g/{made['table']}")
    page.get_by_label("Turn", exact=True).select_option("2")
    fork = again("From turn 2 practice")
    expect(page.get_by_role("banner")).to_contain_text("turn 2")
    before, after = (server.record(one["table"], one["token"]) for one in (made, fork))
    kept = next(at for at, line in enumerate(after) if line.startswith('["seal"'))
    assert after[1:kept] == before[1:kept]
    assert kept > 4


def test_the_result_tells_of_dice_and_answers_taken_back(server: Running, new_context: Contexts) -> None:
    made = finished(server)
    page = knowing(server, new_context, made)
    page.goto(f"{server.url}/g/{made['table']}")
    expect(page.get_by_text("No answer was taken back.")).to_be_visible()
    sixes = [faces for line in thrown(server, made) if len(faces := json.loads(line)[3]) == 6]
    rwb = sum(bool(set(faces[:2]) & set(faces[2:4]) & set(faces[4:])) for faces in sixes)
    expect(page.get_by_text(f"Red-White-Blue at once: {rwb} in {len(sixes)} throw")).to_be_visible()
    page.get_by_text("By colour").click()
    expect(page.get_by_role("row", name=re.compile("^Skull"))).to_be_visible()
    page.get_by_role("button", name="Check this game").click()
    expect(page.get_by_role("status")).to_have_text(
        "The record holds: every answer was allowed and every roll is what its sealed seed gives."
    )


# ---- the replay


def test_a_replay_plays_pauses_and_goes_by_turns(server: Running, new_context: Contexts) -> None:
    made = finished(server)
    page = knowing(server, new_context, made)
    page.goto(f"{server.url}/replay/{made['table']}")
    slider = page.get_by_role("slider", name="Place in the game")
    expect(slider).to_have_value("0")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(slider).not_to_have_value("0")
    page.get_by_role("button", name="Pause", exact=True).click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.keyboard.press("}")
    expect(page.get_by_text(re.compile(r"^\d+ of \d+, turn 2$"))).to_be_visible()
    page.keyboard.press("{")
    expect(page.get_by_text(re.compile(r"^\d+ of \d+, turn 1$"))).to_be_visible()
    page.keyboard.press("End")
    page.wait_for_url(re.compile(r"at=\d\d"))
    at = page.url
    page.goto(server.url)
    page.goto(at)
    expect(slider).to_have_value(str(slider.get_attribute("max")))


def test_single_keys_rest_where_they_are_turned_off(server: Running, new_context: Contexts) -> None:
    made = finished(server)
    page = knowing(server, new_context, made)
    page.goto(f"{server.url}/settings")
    page.get_by_label(re.compile("^Keys of a single sign")).uncheck()
    page.goto(f"{server.url}/replay/{made['table']}")
    slider = page.get_by_role("slider", name="Place in the game")
    expect(slider).to_have_value("0")
    page.keyboard.press("]")
    page.keyboard.press("End")
    expect(slider).to_have_value(str(slider.get_attribute("max")))
    page.keyboard.press("[")
    expect(slider).to_have_value(str(slider.get_attribute("max")))


@pytest.mark.parametrize("path", ["/history", "/settings", "/rules"])
def test_a_file_may_be_dropped_on_any_page(server: Running, page: Page, path: str) -> None:
    made = finished(server)
    text = "\n".join(server.record(made["table"], made["token"])) + "\n"
    page.goto(server.url + path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.evaluate(DROP, text)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Defeat")


# ---- rules, settings, a new table


def test_a_rule_is_found_by_a_topic_and_by_address(server: Running, page: Page) -> None:
    page.goto(f"{server.url}/rules")
    page.get_by_role("button", name="courage", exact=True).click()
    expect(page.get_by_text(re.compile(r"^\d+ rules$"))).to_be_visible()
    assert page.url.endswith("/rules?q=courage")
    page.reload()
    expect(page.get_by_text(re.compile(r"^\d+ rules$"))).to_be_visible()
    expect(page.get_by_label("Search the rules")).to_have_value("courage")


def test_settings_are_remembered(server: Running, page: Page) -> None:
    page.goto(f"{server.url}/settings")
    page.get_by_label("dark", exact=True).check()
    page.get_by_label("nothing moves").check()
    page.get_by_label(re.compile("^Sounds")).check()
    page.get_by_label("Your name at tables").fill("Anna")
    page.get_by_label("Your name at tables").blur()
    page.evaluate("localStorage.setItem('beachhead.hints', '[\"lock\"]')")
    page.get_by_role("button", name="Tell all hints again").click()
    expect(page.get_by_role("status")).to_have_text("All first-time hints will be told again.")
    assert page.evaluate("localStorage.getItem('beachhead.hints')") is None
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("html")).to_have_attribute("data-motion", "none")
    expect(page.get_by_label(re.compile("^Sounds"))).to_be_checked()
    expect(page.get_by_label("Your name at tables")).to_have_value("Anna")


def test_the_data_of_a_browser_go_to_another_one(server: Running, new_context: Contexts, tmp_path: Path) -> None:
    made = server.create(title="Friday night")
    page = knowing(server, new_context, made)
    page.goto(f"{server.url}/settings")
    with page.expect_download() as coming:
        page.get_by_role("button", name="Save to a file").click()
    text = saved(coming.value, tmp_path)
    assert made["token"] in text

    page.get_by_role("button", name="Delete all of it").click()
    assert page.evaluate(TOKENS) == {made["table"]: made["token"]}
    page.get_by_role("button", name="Really delete: links are lost").click()
    expect(page.get_by_role("button", name="Roll the dice")).to_be_visible()
    assert page.evaluate(TOKENS) == {}

    other = new_context(**CALM).new_page()
    other.goto(f"{server.url}/settings")
    other.get_by_label("Bring in from a file").set_input_files(tmp_path / coming.value.suggested_filename)
    other.wait_for_function(f"({TOKENS})()['{made['table']}']")
    other.goto(server.url)
    expect(other.get_by_role("heading", name="Friday night")).to_be_visible()
    other.goto(f"{server.url}/settings")
    wrong = tmp_path / "wrong.json"
    wrong.write_text("{}")
    other.get_by_label("Bring in from a file").set_input_files(wrong)
    expect(other.get_by_role("status")).to_have_text("That file is not one that this page has written.")


def test_what_cannot_be_played_together_says_why(server: Running, page: Page) -> None:
    page.goto(f"{server.url}/new?edition=second")
    expect(page.get_by_role("radio", name=re.compile("^Second edition"))).to_be_checked()
    expect(page.get_by_role("radio", name=re.compile("^Exercise Tiger rebuilt"))).to_have_accessible_name(
        re.compile(r"rebuilt: .{20,}")
    )
    special = page.get_by_role("checkbox", name=re.compile("Specialists too"))
    expect(special).to_be_disabled()
    expect(special).to_have_accessible_name(re.compile("Goes only together with Bazooka Joe"))
    page.get_by_role("checkbox", name=re.compile("^Bazooka Joe (?!, Spec)")).first.check()
    expect(special).to_be_enabled()

    page.get_by_role("button", name="One Unit more").click()
    nations = page.get_by_label("Nation")
    nations.nth(0).select_option(index=2)
    taken = nations.nth(1).locator("option").nth(2)
    expect(taken).to_be_disabled()
    expect(taken).to_have_text(re.compile(r"\(Unit 1 has it\)$"))
    page.get_by_label("Who leads it").nth(1).select_option("somebody at this screen")
    page.get_by_role("button", name="Open the table").click()
    Player(page).wait()
    with_nation = server.get("/api/tables", x_tokens=",".join(f"{k}={v}" for k, v in page.evaluate(TOKENS).items()))
    assert with_nation.json["tables"][0]["edition"] == "second"


def test_only_options_that_will_be_used_are_ticked(server: Running, page: Page) -> None:
    page.goto(f"{server.url}/new?edition=first")
    option = {
        name: page.get_by_role("checkbox", name=re.compile(f"^{words}")).first
        for name, words in {
            "wild": "Wild Specialists",
            "whim": "The Quartermaster's Whim",
            "joe": "Bazooka Joe (?!, Spec)",
            "too": "Bazooka Joe, Spec",
        }.items()
    }
    option["wild"].check()
    option["whim"].check()
    option["joe"].check()
    expect(option["whim"]).to_be_disabled()
    expect(option["whim"]).not_to_be_checked()
    expect(option["wild"]).to_be_checked()
    option["too"].check()
    expect(option["wild"]).to_be_disabled()
    expect(option["wild"]).not_to_be_checked()
    option["too"].uncheck()
    expect(option["wild"]).to_be_checked()
    option["wild"].uncheck()
    with page.expect_request(lambda asked: asked.method == "POST" and "/api/tables?" in asked.url) as sent:
        page.get_by_role("button", name="Open the table").click()
    asked: Any = sent.value.post_data_json
    assert asked["setup"]["options"] == ["bazooka-joe"]
    Player(page).wait()


@pytest.mark.parametrize(
    ("edition", "board"),
    [("first", "n06-sword"), ("second", "n09-mare-fontaine-battery"), ("second", "n12-crisbecq-battery")],
)
def test_a_tall_board_is_wide_enough_to_read(server: Running, page: Page, edition: str, board: str) -> None:
    made = server.create(setup={"edition": edition, "map": board}, practice=True)
    assert reach(server, made, lambda keys: any(key.startswith("lock:") for key in keys))
    page.goto(made["links"]["host"])
    expect(page.locator(".over .unit")).to_be_in_viewport(ratio=0.95)
    picture = page.locator(".pic").bounding_box()
    assert picture is not None and picture["width"] > 480


def test_what_is_told_of_a_sector_does_not_lie_on_it(server: Running, page: Page) -> None:
    made = server.create(setup={"edition": "second", "map": "n12-crisbecq-battery"}, practice=True)
    page.goto(made["links"]["host"])
    Player(page).wait()
    page.locator(".boardpane").evaluate("pane => (pane.scrollTop = 0)")
    for sector in ("13", "9"):
        area = page.locator(f'.pic [data-sector="{sector}"] > .area')
        area.hover()
        sheet = page.locator(".field > .sector-sheet")
        expect(sheet).to_be_visible()
        told, shown = sheet.bounding_box(), area.bounding_box()
        assert told is not None and shown is not None
        above, under = sorted((told, shown), key=lambda box: box["y"])
        assert above["y"] + above["height"] <= under["y"], sector


def test_a_board_for_more_units_brings_them_along_and_its_picture_is_on_the_table(server: Running, page: Page) -> None:
    page.goto(f"{server.url}/new?edition=first&map=operation-deadstick")
    units = page.get_by_text(re.compile("^[1-4] Units?$"))
    expect(units).to_have_text("2 Units")
    page.get_by_role("button", name="One Unit less").click(force=True)
    expect(units).to_have_text("2 Units")
    page.get_by_role("radio", name=re.compile("^Second edition")).check()
    page.get_by_role("button", name="One Unit less").click()
    expect(units).to_have_text("1 Unit")
    page.get_by_role("radio", name=re.compile("^First edition")).check()
    page.get_by_role("radio", name=re.compile("^Operation Deadstick")).check()
    expect(units).to_have_text("2 Units")
    page.get_by_role("button", name="Open the table").click()
    Player(page).wait()
    expect(page.locator('.pic [data-sector="M1"]')).to_be_visible()
    expect(page.locator(".pic .legal > .area").first).to_be_in_viewport()
    picture = page.locator(".pic").bounding_box()
    assert picture and picture["width"] > 300, "two boards in one picture are too small to read"


def test_dice_of_ones_own(server: Running, page: Page) -> None:
    page.goto(f"{server.url}/new")
    page.get_by_role("radio", name=re.compile("^Your own dice")).check()
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url(re.compile("/g/"))
    ((table, token),) = page.evaluate(TOKENS).items()
    with at(server, {"table": table, "token": token}) as client:
        assert client.table["dice"] == "own"


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
@pytest.mark.parametrize("percent", [100, 200])
def test_nothing_is_wider_than_a_phone(server: Running, new_context: Contexts, locale: str, percent: int) -> None:
    made = finished(server)
    page = knowing(server, new_context, made, locale=locale, **PHONE)
    pages = [
        "/",
        "/new",
        "/history",
        "/settings",
        "/rules?q=courage",
        f"/g/{made['table']}",
        f"/replay/{made['table']}",
    ]
    for path in pages:
        page.goto(server.url + path)
        page.evaluate(f"document.documentElement.style.fontSize = '{percent}%'")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
