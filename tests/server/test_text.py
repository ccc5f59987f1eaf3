"""The text view: a whole game with forms alone, in both languages; the same answers as over the socket."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from beachhead.core.node import Answer, Ask, Over
from beachhead.games import GAMES
from beachhead.say import speaking
from beachhead.server import seen, text
from beachhead.server.messages import SeatNow, TableNow, Welcome
from beachhead.table.match import Match

from .pages import Browser, Form, Page
from .running import Running, at


def start(browser: Browser) -> Page:
    """A new solo game by the first button of the first page."""
    page = browser.get("/text")
    quick = next(form for form in page.forms if any(one.name == "quick" for one in form.buttons))
    return browser.submit(quick, ("quick", "1"))


def moves_of(page: Page) -> list[Form]:
    return [form for form in page.forms if form.action.endswith("/move")]


def answer(browser: Browser, page: Page, chance: Random) -> Page:
    """One answer by a form, any that is offered."""
    form = chance.choice(moves_of(page))
    send = chance.choice([one for one in form.buttons if one.name != "look"])
    if send.name == "dice":
        for _ in range(200):
            ticked = [box for box in form.boxes if chance.random() < 0.4]
            after = browser.submit(form, ("dice", send.value), *(("die", box.value) for box in ticked))
            if browser.last.status == 200:
                return after
            assert browser.last.status == 422, browser.last.text
        raise AssertionError("no choice of dice was taken")
    more = [("key", send.value)] if send.name else []
    return browser.submit(form, *more)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_whole_solo_game_with_forms_alone(running: Running, lang: str) -> None:
    browser = Browser(running.port, lang)
    page = start(browser)
    chance = Random(5)
    moves = 0
    while moves < 600:
        assert page.lang == lang
        assert page.scripts == 0
        assert browser.last.status == 200, page.text
        if not moves_of(page):
            break
        assert {"en": "Your decision", "fr": "À vous de décider"}[lang] in page.text
        page = answer(browser, page, chance)
        moves += 1
    record = next(link for link in page.links if link.endswith("/record"))
    text = browser_record(browser, record)
    assert sum(line.startswith('["answer"') for line in text.splitlines()) == moves
    assert '\n["over"' in text
    assert running.post("/api/verify", {"record": text}).json["ok"] is True


def browser_record(browser: Browser, path: str) -> str:
    from .running import ask

    found = ask(browser.port, "GET", path, None, browser._headers(path))
    assert found.status == 200
    return found.text


def test_the_page_offers_what_the_socket_offers(running: Running) -> None:
    made = running.create()
    browser = Browser(running.port)
    browser.cookies[f"/g/{made['table']}", "seat"] = made["token"]
    chance = Random(11)
    with at(running, made) as client:
        for _ in range(40):
            page = browser.get(f"/g/{made['table']}/text")
            if not moves_of(page):
                break
            _, keys = client.keys["0"]
            offered: set[str] = set()
            dice: set[str] = set()
            for form in moves_of(page):
                for button in form.buttons:
                    if button.name == "key":
                        offered.add(button.value)
                    elif button.name == "dice":
                        dice = {box.value for box in form.boxes}
                stem = next((one.value for one in form.fields if one.name == "stem"), "")
                offered |= {key for key in keys if stem and key.startswith(f"{stem}=")}
            rest = [key for key in keys if key not in offered]
            assert not (offered - set(keys)), "offered and not allowed"
            for key in rest:
                named = key.partition(":")[2]
                assert dice and set(named.split(",")) <= dice | {"none"}, f"{key} is not offered"
            sent = client.message(lambda seat, seq, keys: chance.choice(keys))
            assert sent is not None
            client.settle(client.ask(sent, "ack")["n"])


def test_a_form_that_is_sent_twice_counts_once(running: Running) -> None:
    browser = Browser(running.port)
    page = start(browser)
    form = moves_of(page)[0]
    boxes = [("die", box.value) for box in form.boxes[:2]]
    first = browser.submit(form, ("dice", form.buttons[0].value), *boxes)
    second = browser.submit(form, ("dice", form.buttons[0].value), *boxes)
    assert browser.last.status == 200
    assert numbers(first) == numbers(second)


def numbers(page: Page) -> list[str]:
    return [one.value for form in moves_of(page) for one in form.fields if one.name == "base"]


def test_an_old_page_is_told_that_the_table_has_moved_on(running: Running) -> None:
    browser = Browser(running.port)
    page = start(browser)
    old = moves_of(page)[0]
    boxes = [("die", box.value) for box in old.boxes[:2]]
    browser.submit(old, ("dice", old.buttons[0].value), *boxes)
    fresh_id = ("id", "another-one")
    after = browser.submit(old, fresh_id, ("dice", old.buttons[0].value), *boxes)
    assert browser.last.status == 409
    assert "moved on" in after.text
    assert moves_of(after)


def test_a_link_is_put_in_by_a_form_and_kept_in_a_cookie_of_the_table(running: Running) -> None:
    made = running.create(("person", "open"))
    browser = Browser(running.port)
    page = browser.get(f"/g/{made['table']}/text")
    assert not moves_of(page)
    page = browser.submit(page.forms[0], ("link", made["links"]["seats"][1]))
    assert moves_of(page)
    assert list(browser.cookies) == [(f"/g/{made['table']}", "seat")]
    assert "(yours)" in page.text
    elsewhere = Browser(running.port)
    page = elsewhere.get("/text")
    form = next(form for form in page.forms if form.action == "/text/enter")
    assert moves_of(elsewhere.submit(form, ("link", made["links"]["host"])))


def test_a_wrong_link_is_answered_in_words(running: Running) -> None:
    made = running.create()
    browser = Browser(running.port, "fr")
    page = browser.get(f"/g/{made['table']}/text")
    page = browser.submit(page.forms[0], ("link", "no-such-thing"))
    assert browser.last.status == 404
    assert "lien" in page.text
    nowhere = browser.get("/g/nowhere/text")
    assert nowhere.forms


def test_names_chat_and_host_acts_by_forms(running: Running) -> None:
    made = running.create(("person", "open", "random"))
    browser = Browser(running.port)
    browser.cookies[f"/g/{made['table']}", "seat"] = made["token"]
    page = browser.get(f"/g/{made['table']}/text")
    name = next(form for form in page.forms if form.action.endswith("/name"))
    page = browser.submit(name, ("name", "Ann <i>"))
    assert "Ann <i>" in page.text
    chat = next(form for form in page.forms if form.action.endswith("/chat") and form.buttons[0].name == "")
    page = browser.submit(chat, ("text", "<script>alert(1)</script>"))
    assert "<script>alert(1)</script>" in page.text
    assert page.scripts == 0
    quick = next(form for form in page.forms if form.action.endswith("/chat") and form.buttons[0].name == "phrase")
    assert "I am ready" in browser.submit(quick, ("phrase", "ready")).text
    close = next(form for form in page.forms if any(one.value == "close" for one in form.buttons))
    page = browser.submit(close, ("act", "close"))
    assert "closed" in page.text
    move = moves_of(page)[0]
    refused = browser.submit(move, ("key", "x"))
    assert browser.last.status == 403
    assert "closed" in refused.text


def test_the_whole_form_of_a_new_game(running: Running) -> None:
    browser = Browser(running.port)
    page = browser.get("/text")
    form = next(form for form in page.forms if any(one.name == "seat1" for one in form.fields))
    page = browser.submit(form, ("seat2", "bot:thumb"), ("option", "mulligan"), ("practice", "1"))
    assert browser.last.status == 200
    assert "Unit 2" in page.text
    clash = browser.submit(form, ("map", "second/n01-exercise-tiger"), ("option", "well-equipped"))
    assert browser.last.status == 400
    assert "well-equipped" in clash.text


def test_a_rule_is_one_click_away(running: Running) -> None:
    browser = Browser(running.port)
    page = start(browser)
    link = next(link for link in page.links if link.startswith("/text/rules/"))
    assert re.search(r"[FS]-[A-Z]+-\d\d", browser.get(link).title)


def test_the_language_of_a_page_is_chosen_by_a_link_and_kept(running: Running) -> None:
    browser = Browser(running.port, "en")
    assert browser.get("/text").lang == "en"
    assert browser.get("/text?lang=fr").lang == "fr"
    assert browser.get("/text").lang == "fr"


def test_a_bad_choice_of_dice_is_told_what_is_asked_for(running: Running) -> None:
    browser = Browser(running.port)
    form = moves_of(start(browser))[0]
    page = browser.submit(form, ("dice", form.buttons[0].value))
    assert browser.last.status == 422
    assert "not one of the answers here. Choose 2 dice." in page.text


def test_what_the_ticked_dice_come_to_is_told_before_they_are_chosen(running: Running) -> None:
    browser = Browser(running.port)
    page = start(browser)
    form = moves_of(page)[0]
    look = Form(form.action.replace("/move", "/tally"), form.fields)
    ticked = [("die", box.value) for box in form.boxes[:2]]
    page = browser.submit(look, *ticked)
    assert browser.last.status == 200
    assert "These 2 dice alone:" in page.text
    assert [one.value for one in moves_of(page)[0].boxes if one.chosen] == [value for _, value in ticked]
    assert numbers(page) == numbers(browser.get(browser.at.replace("/tally", "")))


def undo_forms(page: Page) -> dict[str, Form]:
    return {form.buttons[0].value: form for form in page.forms if form.action.endswith("/undo")}


def test_taking_back_and_bringing_back_also_of_a_seat_that_waits(running: Running) -> None:
    made = running.create(("person", "open"))
    browser = Browser(running.port)
    browser.cookies[f"/g/{made['table']}", "seat"] = made["token"]
    page = browser.get(f"/g/{made['table']}/text")
    while moves_of(page):  # until this seat has nothing to answer and waits for the other
        forms = {button.value: form for form in moves_of(page) for button in form.buttons}
        if "stop" in forms:
            page = browser.submit(forms["stop"], ("key", "stop"))
        else:
            form = forms["lock"]
            page = browser.submit(form, ("dice", "lock"), *(("die", box.value) for box in form.boxes[:2]))
        assert browser.last.status == 200, page.text
    assert "Waiting for Unit 2" in page.text
    page = browser.submit(undo_forms(page)["undo"], ("way", "undo"))
    assert moves_of(page) and "redo" in undo_forms(page)
    page = browser.submit(undo_forms(page)["redo"], ("way", "redo"))
    assert not moves_of(page) and "undo" in undo_forms(page)


def test_a_lost_link_is_replaced_on_a_local_server(running: Running) -> None:
    made = running.create()
    browser = Browser(running.port)
    page = browser.get(f"/g/{made['table']}/text")
    back = next(form for form in page.forms if form.action == "/text/return")
    assert moves_of(browser.submit(back))


# ---- the text view holds all that the screen holds

NOT_SHOWN = {
    "m.AskNow": {"name", "kind", "source", "dice_verb", "dice", "seat", "seq", "undo"},
    "m.Option": {"key", "sector", "card", "unit"},
    "m.Stepper": {"verb", "name", "most"},
    "m.Not": {"key", "sector", "card"},
    "m.Counter": {"id"},
    "m.CardNow": {"id", "kind", "cost_icon", "place", "cost", "explosive", "rebuilt"},
    "m.Die": {"place", "colour", "face", "shows", "locked", "cancelled", "rwb", "idle"},
    "m.Tray": {"near", "roll"},
    "m.UnitNow": {"seat", "status", "sector", "marker_icon"},
    "m.SectorNow": {"id", "units", "visited", "rebuilt"},
    "m.PhaseNow": {"id", "short"},
    "m.Ended": {"cause", "won", "scores"},
    "m.Screen": {"game", "phase", "board", "waiting", "title"},
    "m.Line": {"n", "turn", "seat", "kind", "fx"},
    "m.Reason": set(),
}
"""Names for machines, and what the words beside them say already. Everything else must be on the page."""


def shown_parts(part: object) -> Iterator[str]:
    if isinstance(part, msgspec.Struct):
        left = NOT_SHOWN[f"m.{type(part).__name__}"]
        for name in part.__struct_fields__:
            if name not in left:
                yield from shown_parts(getattr(part, name))
    elif isinstance(part, dict):
        for value in part.values():
            yield from shown_parts(value)
    elif isinstance(part, list | tuple):
        for value in part:
            yield from shown_parts(value)
    elif isinstance(part, str | int) and not isinstance(part, bool):
        yield str(part)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_page_holds_every_word_and_number_of_the_screen(lang: str) -> None:
    setup = {"edition": "second", "seats": 3, "options": ["victory-points"]}
    match = Match.new(GAMES["landing"], setup, seed=f"{5:064x}", practice=True)
    chance = Random(3)
    now = TableNow("id", "", [SeatNow(seat, "person", "") for seat in range(3)], True, [0, 1, 2])
    with speaking(lang):
        for turn in range(160):
            node = match.node()
            screen = seen.screen(match, (0, 1, 2))
            if turn % 4 == 0 or isinstance(node, Over):
                log = seen.lines(match.events, match, (0, 1, 2))
                page = Page(text.table(Welcome(0, now, screen, log), [], {}))
                words = " ".join(page.text.split())
                for part in (*shown_parts(screen), *shown_parts(log)):
                    said = " ".join(part.split())
                    assert said.removesuffix(".") in words, part
                for ask in screen.asks:
                    offered = {one.value for form in page.forms for one in form.buttons if one.name == "key"}
                    assert {option.key for option in ask.options} <= offered
            if not isinstance(node, Ask):
                break
            decision = node.decision(chance.choice(node.seats))
            match.answer(Answer(decision.seat, decision.seq, chance.choice(decision.keys)))
