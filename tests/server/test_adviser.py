"""The adviser at the table: off until somebody wants it, seen by all, and never in the way of a move."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from beachhead.server import cli

from .fake_adviser import FakeAdviser
from .pages import Browser, Page
from .running import Client, Running, at, play

TIGER = {"level": "practice-run"}


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeAdviser:
    found = FakeAdviser()
    monkeypatch.setattr(cli, "_adviser", lambda: found)
    return found


@pytest.fixture
def server(fake: FakeAdviser, tmp_path: Path) -> Iterator[Running]:
    with Running(tmp_path / "tables.sqlite") as running:
        yield running
        fake.go.set()


def switch(client: Client, on: bool = True, **more: Any) -> dict[str, Any]:
    return client.ask({"type": "adviser", "id": uuid.uuid4().hex, "on": on, **more}, "ack", "refused")


def choose(client: Client, seat: int, pick: Callable[[list[str]], str] = min) -> int:
    """A move; the number at which the table then stands."""
    (ask,) = [one for one in client.screen["asks"] if one["seat"] == seat]
    keys = [*ask.get("dice", []), *(option["key"] for option in ask.get("options", []))]
    sent = {"type": "move", "id": uuid.uuid4().hex, "base": client.n, "seat": seat, "seq": ask["seq"]}
    answer = client.ask({**sent, "key": pick(keys)}, "ack", "refused")
    assert answer["type"] == "ack", answer
    client.settle(answer["n"])
    return int(answer["n"])


def heard(client: Client) -> list[str]:
    """The kinds of all that comes before the answer to a ping."""
    client.send({"type": "ping", "t": 7})
    kinds = []
    while (found := client.next())["type"] != "pong":
        kinds.append(found["type"])
    return kinds


def test_it_is_off_until_somebody_who_plays_switches_it_on(server: Running, fake: FakeAdviser) -> None:
    made = server.create(setup=TIGER)
    with at(server, made, want="screen") as client, at(server, made, made["watch"], want="screen") as watcher:
        choose(client, 0)
        assert "adviser" not in client.table and not fake.asked
        assert switch(watcher)["code"] == "forbidden"
        assert switch(client)["type"] == "ack"
        found = client.hear("advice")
        assert client.table["adviser"] == 0
        (ask,) = client.screen["asks"]
        assert (found["n"], found["seat"], found["seq"], found["how"]) == (client.n, 0, ask["seq"], "learned")
        keys = [*ask["dice"], *(option["key"] for option in ask["options"])]
        assert sorted(option["key"] for option in found["options"]) == sorted(keys)
        values = [option["value"] for option in found["options"]]
        assert values == sorted(values, reverse=True)
        best = found["options"][0]
        assert best["low"] < best["value"] < best["high"] and best["label"]
        assert best["gives"] == [
            {"id": "soldiers", "name": "Soldiers", "value": 2.5},
            {"id": "stars", "name": "Stars", "value": 0.25},
        ]
        assert found["why"] == ["Because."]
        assert switch(client, on=False)["type"] == "ack"
        heard(client)
        assert "adviser" not in client.table
        asked = len(fake.asked)
        choose(client, 0)
        assert "advice" not in heard(client) and len(fake.asked) == asked


def test_the_switch_sent_again_is_not_done_again(server: Running, fake: FakeAdviser) -> None:
    made = server.create(setup=TIGER)
    with at(server, made, want="screen") as client:
        assert switch(client, id="once")["type"] == "ack"
        assert switch(client, on=False)["type"] == "ack"
        assert switch(client, id="once")["type"] == "ack"
        heard(client)
        assert "adviser" not in client.table


def test_all_at_the_table_see_it_in_their_language_and_who_switched_it_on(server: Running) -> None:
    made = server.create(("person", "open"), setup=TIGER)
    with (
        at(server, made, want="screen") as ann,
        at(server, made, made["seats"][1], want="screen", lang="fr") as ben,
        at(server, made, made["watch"], want="screen") as watcher,
        at(server, made, made["watch"]) as machine,
    ):
        assert switch(ben)["type"] == "ack"
        for client, why in ((ann, "Because."), (ben, "Parce que."), (watcher, "Because.")):
            seen = {found["seat"]: found for found in (client.hear("advice"), client.hear("advice"))}
            assert set(seen) == {0, 1} and {found["why"][0] for found in seen.values()} == {why}
            assert client.table["adviser"] == 1
        assert "advice" not in heard(machine)
        # it is over for all when anybody who plays says so
        assert switch(ann, on=False)["type"] == "ack"
        while "adviser" in ben.table:
            ben.hear("presence")


def test_who_comes_later_or_again_is_told_what_was_said(server: Running, fake: FakeAdviser) -> None:
    made = server.create(setup=TIGER)
    with at(server, made, want="screen") as client:
        switch(client)
        said = client.hear("advice")
        with at(server, made, made["watch"], want="screen") as watcher:
            assert watcher.hear("advice") == said
        client.cut()
        client.greet()
        assert client.hear("advice") == said
        assert fake.asked == [(0, said["seq"])]
        # somebody of another language has it looked at once more
        with at(server, made, made["watch"], want="screen", lang="fr") as french:
            while (found := french.hear("advice")).get("why") != ["Parce que."]:
                pass
            assert found["options"][0]["value"] == said["options"][0]["value"]


def test_after_a_restart_it_is_still_on_and_the_result_says_so(fake: FakeAdviser, tmp_path: Path) -> None:
    data = tmp_path / "tables.sqlite"
    with Running(data) as server:
        made, other = server.create(setup=TIGER), server.create(setup=TIGER)
        with at(server, made, want="screen") as client:
            switch(client)
            client.hear("advice")
    with Running(data, port=server.port) as server:
        with at(server, made, want="screen") as client:
            assert client.table["adviser"] == 0
            assert client.hear("advice")["n"] == client.n
            assert switch(client, on=False)["type"] == "ack"
        for table in (made, other):
            with at(server, table) as client:
                play(client)
        for table, advised in ((made, True), (other, False)):
            with at(server, table, want="screen") as client:
                assert ("The adviser was on in this game." in client.screen["over"].get("notes", [])) is advised
                assert switch(client)["code"] == "forbidden"
            row = server.get("/api/tables", x_tokens=f"{table['table']}={table['token']}").json["tables"]
            assert {one["table"]: one["advised"] for one in row}[table["table"]] is advised


def test_what_it_says_to_a_question_that_is_answered_is_dropped(server: Running, fake: FakeAdviser) -> None:
    made = server.create(setup=TIGER)
    with at(server, made, want="screen") as client:
        fake.go.clear()
        switch(client)
        assert fake.began.wait(10)
        n = choose(client, 0)
        fake.go.set()
        found = client.hear("advice")
        (ask,) = client.screen["asks"]
        assert (found["n"], found["seq"]) == (n, ask["seq"])
        assert "advice" not in heard(client)


def test_what_another_leaves_as_it_was_is_told_and_thought_about_again(server: Running, fake: FakeAdviser) -> None:
    made = server.create(("person", "person"), setup=TIGER)
    with at(server, made, want="screen") as client:
        fake.go.clear()
        switch(client)
        assert fake.began.wait(10)
        before, n = client.n, choose(client, 1)
        fake.go.set()
        seen = [client.hear("advice") for _ in range(3)]
        assert [(found["n"], found["seat"]) for found in seen] == [(before, 0), (n, 0), (n, 1)]


def test_with_bots_at_the_table_only_people_are_advised(server: Running, fake: FakeAdviser) -> None:
    made = server.create(("person", "random", "random"), setup=TIGER)
    with at(server, made, want="screen") as client:
        switch(client)
        for _ in range(3):
            while (found := client.hear("advice"))["n"] != client.n or found["seq"] != client.screen["asks"][0]["seq"]:
                pass
            choose(client, 0)
    assert {seat for seat, _ in fake.asked} == {0}


def test_moves_are_acknowledged_at_fifty_tables_while_it_is_at_work(server: Running, fake: FakeAdviser) -> None:
    fake.go.clear()
    clients = []
    try:
        for _ in range(50):
            made = server.create(setup=TIGER)
            client = Client(server.port, made["table"], made["token"], want="screen")
            client.greet()
            clients.append(client)
            assert switch(client)["type"] == "ack"
        assert fake.began.wait(10)
        for client in clients:
            choose(client, 0)
            choose(client, 0)
        # no more questions at once than there may be on the whole server
        assert 1 <= len(fake.asked) <= 2
        fake.go.set()
        for client in clients:
            found = client.hear("advice")
            assert (found["n"], found["seq"]) == (client.n, client.screen["asks"][0]["seq"])
    finally:
        fake.go.set()
        for client in clients:
            client.__exit__()


def test_a_fault_of_it_costs_a_line_in_the_log(server: Running, fake: FakeAdviser, tmp_path: Path) -> None:
    fake.fails = True
    made = server.create(setup=TIGER)
    with at(server, made, want="screen") as client:
        switch(client)
        for _ in range(6):
            choose(client, 0)
            assert "advice" not in heard(client)
        assert not client.table.get("trouble")
        reports = list((tmp_path / "reports").glob("*.txt"))
        assert 1 <= len(reports) <= 3 and all("the adviser failed" in path.read_text() for path in reports)
        fake.fails = False
        switch(client, on=False)
        switch(client)
        client.hear("advice")


def test_nothing_of_the_adviser_is_loaded_before_it_is_wanted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    loaded: list[int] = []
    fake = FakeAdviser()

    def load() -> FakeAdviser:
        loaded.append(1)
        return fake

    monkeypatch.setattr(cli, "_adviser", load)
    with Running(tmp_path / "tables.sqlite") as server:
        made = server.create(setup=TIGER)
        with at(server, made) as client:
            play(client)
        assert not loaded


# ---------------------------------------------------------------------------------------------------- past games


def finished(server: Running) -> dict[str, Any]:
    made = server.create(setup=TIGER)
    with at(server, made) as client:
        play(client)
    return made


def asked(server: Running, method: str, made: dict[str, Any], path: str, token: str = "") -> Any:
    send = server.get if method == "GET" else lambda path, **headers: server.post(path, {}, **headers)
    return send(f"/api/tables/{made['table']}/{path}", authorization=f"Bearer {token or made['token']}")


def reviewed(server: Running, made: dict[str, Any], token: str = "") -> dict[str, Any]:
    while (found := asked(server, "GET", made, "review", token).json)["state"] == "working":
        pass
    return dict(found)


def test_a_finished_game_is_looked_through_once_and_kept(fake: FakeAdviser, tmp_path: Path) -> None:
    data = tmp_path / "tables.sqlite"
    with Running(data) as server:
        made = finished(server)
        assert asked(server, "GET", made, "review").json == {"state": "none"}
        fake.go.clear()
        assert asked(server, "POST", made, "review").json["state"] == "working"
        assert fake.began.wait(10)
        assert asked(server, "POST", made, "review").json == {"state": "working", "done": 1, "of": 4}
        fake.go.set()
        found = reviewed(server, made, made["watch"])
        review = found["review"]
        assert (review["start"], review["result"], review["skill"], review["luck"]) == (0.55, 0.0, [0.3], -0.25)
        assert len(review["costly"]) == 3
        stops = asked(server, "GET", made, "replay?at=0").json["stops"]
        for one in review["costly"]:
            assert one["entry"] in stops and one["prompt"] and one["chosen"]["label"] and one["best"]["label"]
    fake.fails = True
    with Running(data, port=server.port) as server:
        assert asked(server, "POST", made, "review").json == found
        french = asked(server, "GET", made, "review?lang=fr").json["review"]["costly"][0]
        assert french["prompt"] != review["costly"][0]["prompt"]


def test_a_game_that_goes_on_is_not_looked_through(server: Running) -> None:
    for practice in (False, True):
        made = server.create(setup=TIGER, practice=practice)
        assert asked(server, "POST", made, "review").status == 403
        assert asked(server, "GET", made, "opinion?at=1").status == 403
    assert asked(server, "POST", made, "review", "wrong").status == 404


def test_a_review_that_fails_can_be_tried_again(server: Running, fake: FakeAdviser) -> None:
    made = finished(server)
    fake.fails = True
    asked(server, "POST", made, "review")
    assert reviewed(server, made) == {"state": "failed", "why": "The adviser is at a loss"}
    fake.fails = False
    asked(server, "POST", made, "review")
    assert reviewed(server, made)["state"] == "done"


def test_an_opinion_about_each_answer_of_a_past_game(server: Running, fake: FakeAdviser) -> None:
    made = finished(server)
    stops = asked(server, "GET", made, "replay?at=0").json["stops"]
    with_advice = 0
    for stop in stops[:5]:
        found = asked(server, "GET", made, f"opinion?at={stop}").json
        assert found["seat"] == 0 and found["key"]
        if found["advice"]:
            with_advice += 1
            assert found["key"] in [option["key"] for option in found["advice"]["options"]]
    assert with_advice
    assert asked(server, "GET", made, f"opinion?at={stops[-1]}").json == {"key": "", "seat": -1, "advice": None}
    for nonsense in ("", "-1", "x", "9" * 30):
        assert asked(server, "GET", made, f"opinion?at={nonsense}").status == 400
    fake.fails = True
    found = asked(server, "GET", made, f"opinion?at={stops[6]}").json
    assert found["key"] and found["advice"] is None


# ---------------------------------------------------------------------------------------------------- the text view


def form_of(page: Page, action: str) -> Any:
    return next(form for form in page.forms if form.action.endswith(action))


def test_the_text_view_has_the_switch_the_numbers_and_the_review(server: Running) -> None:
    browser = Browser(server.port)
    page = browser.submit(form_of(browser.get("/text"), "/text/new"), ("quick", "1"))
    assert "to win" not in page.text
    page = browser.submit(form_of(page, "/adviser"), ("on", "1"))
    assert "The adviser is on (Unit 1 switched it on)" in page.text
    assert "Because." in page.text and "No. 1, 90.0 % (88.0 to 92.0) to win." in page.text
    assert "Brings on average this turn: 2.5 Soldiers, 0.2 Stars." in page.text
    for _ in range(400):
        takes = [form for form in page.forms if any(one.words.startswith("Take the best:") for one in form.buttons)]
        if not takes:
            form = next((one for one in page.forms if one.action.endswith("/move") and one.buttons), None)
            if form is None:
                break
            button = form.buttons[0]
            extra = [("die", box.value) for box in form.boxes]
            page = browser.submit(form, *extra, (button.name, button.value))
            continue
        page = browser.submit(takes[0], ("key", takes[0].buttons[0].value))
    assert "The adviser was on in this game." in page.text
    page = browser.submit(form_of(page, "/review"))
    while "looks through the game" in page.text:
        page = browser.get(browser.at)
    assert "Before the first roll the chance to win was 55.0 %." in page.text
    assert "Dice and draws took 25.0 %." in page.text and "Choices of Unit 1 gave away 30.0 %." in page.text
    assert page.text.count("Chosen:") == 3


def test_the_text_view_in_french(server: Running) -> None:
    browser = Browser(server.port, "fr")
    page = browser.submit(form_of(browser.get("/text"), "/text/new"), ("quick", "1"))
    page = browser.submit(form_of(page, "/adviser"), ("on", "1"))
    assert "Parce que." in page.text
    assert "N° 1, 90,0 % (de 88,0 à 92,0) de chances de gagner." in page.text


def test_a_page_does_not_wait_long_for_it(server: Running, fake: FakeAdviser) -> None:
    fake.go.clear()
    browser = Browser(server.port)
    page = browser.submit(form_of(browser.get("/text"), "/text/new"), ("quick", "1"))
    page = browser.submit(form_of(page, "/adviser"), ("on", "1"))
    assert "The adviser has nothing to say here yet." in page.text


def test_the_adviser_itself_speaks_at_the_table(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.sqlite") as server:
        made = server.create(setup=TIGER)
        with at(server, made, want="screen") as client:
            switch(client)
            for _ in range(2):
                while (found := client.hear("advice"))["n"] < client.n:
                    pass
                (ask,) = client.screen["asks"]
                keys = [*ask["dice"], *(option["key"] for option in ask.get("options", []))]
                assert sorted(option["key"] for option in found["options"]) == sorted(keys)
                assert all(0 <= one["low"] <= one["value"] <= one["high"] <= 1 for one in found["options"])
                assert found["why"]
                choose(client, 0, lambda keys, best=found["options"][0]["key"]: best)  # type: ignore[misc]
        assert not list((tmp_path / "reports").glob("*")) if (tmp_path / "reports").exists() else True
