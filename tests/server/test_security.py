"""The checks S1 to S14 of the table's list, each under its number, and what is said when something is wrong."""

from __future__ import annotations

import json
import logging
import re
import socket
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from websockets.exceptions import InvalidStatus

from beachhead.core import chance
from beachhead.server.guard import Door, public_origin
from beachhead.server.limits import Limits
from beachhead.table.match import Match

from .pages import Browser
from .running import PATIENCE, QUICK, Client, ConnectionClosed, Running, ask, at, play, steady


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with the limits that it has by default."""
    with Running(tmp_path_factory.mktemp("strict") / "tables.sqlite", Limits()) as server:
        yield server


def handshake(port: int, **headers: str) -> int:
    """The status of a handshake with these headers."""
    try:
        Client(port, "x", "y").open(**headers).close()
        return 101
    except InvalidStatus as error:
        return error.response.status_code


def test_s1_a_handshake_from_the_page_of_another_site_is_refused(running: Running) -> None:
    assert handshake(running.port, Origin="https://evil.example") == 403
    assert handshake(running.port, Origin=f"http://localhost.evil.example:{running.port}") == 403
    assert handshake(running.port, Origin=f"http://127.0.0.1:{running.port + 1}") == 403
    assert handshake(running.port, Origin="null") == 403
    assert handshake(running.port, Origin=running.url) == 101
    assert handshake(running.port) == 101, "a program that is no browser sends no origin"


def test_s2_a_message_of_17_kb_closes_the_socket_with_1009(running: Running) -> None:
    with at(running, running.create()) as client:
        assert client.ws is not None
        client.ws.send(json.dumps({"type": "chat", "id": "x", "text": "x" * 17 * 1024}))
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                client.next()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
        assert running.get("/api/about").status == 200


def test_s3_two_hundred_messages_a_second_are_slowed_down_and_told_so(strict: Running) -> None:
    made = strict.create()
    with at(strict, made) as flood, at(strict, strict.create()) as other:
        begun = time.monotonic()
        for n in range(300):
            flood.send({"type": "ping", "t": n})
        found = [flood.hear("pong", "refused") for _ in range(300)]
        spent = time.monotonic() - begun
        served = sum(one["type"] == "pong" for one in found)
        assert served <= 40 + 20 * spent + 1
        assert served >= 39
        slowed = [one for one in found if one["type"] == "refused"]
        assert {one["code"] for one in slowed} == {"slow-down"}
        assert slowed[0]["text"]
        assert other.ask({"type": "ping", "t": 1}, "pong", "refused")["type"] == "pong"
        time.sleep(0.3)
        assert flood.ask({"type": "ping", "t": 1}, "pong"), "who was slowed down is still welcome"


def test_s4_fifty_sockets_of_one_address_and_six_of_one_seat(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.sqlite", Limits()) as server:
        made = server.create()
        seats = [Client(server.port, made["table"], made["token"]) for _ in range(7)]
        kinds = [client.greet()["type"] for client in seats]
        assert kinds == ["welcome"] * 6 + ["bye"]
        seats[0].cut()
        for _ in range(600):  # until the server has seen that the line is dead
            if Client(server.port, made["table"], made["token"]).greet()["type"] == "welcome":
                break
            time.sleep(0.1)
        else:
            raise AssertionError("the place is not free again")
        idle = [Client(server.port, "", "").open() for _ in range(44)]
        one_more = Client(server.port, made["table"], made["watch"])
        one_more.ws = one_more.open()
        found = one_more.next()
        assert found["type"] == "bye"
        assert found["again"] is True
        assert "50" in found["text"]
        for ws in idle:
            ws.close()


def test_s5_a_form_of_another_site_changes_nothing(running: Running) -> None:
    browser = Browser(running.port)
    page = browser.submit(browser.get("/text").forms[0], ("quick", "1"))
    form = next(form for form in page.forms if form.action.endswith("/move"))
    sent = urlencode([*form.hidden(), ("dice", form.buttons[0].value), ("die", "R1"), ("die", "R2")])
    mine = {"content-type": "application/x-www-form-urlencoded", **browser._headers(form.action)}
    for foreign in (
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "https://evil.example", "sec-fetch-site": "cross-site"},
    ):
        assert ask(running.port, "POST", form.action, sent, {**mine, **foreign}).status == 403, foreign
    cookie = Browser(running.port)
    cookie.submit(cookie.get("/text").forms[0], ("quick", "1"))
    set_by = ask(running.port, "POST", "/text/new", "quick=1", {"content-type": "application/x-www-form-urlencoded"})
    said = set_by.headers["set-cookie"].lower()
    assert "httponly" in said
    assert "samesite=lax" in said
    assert "path=/g/" in said
    plain = {"content-type": "text/plain"}
    assert ask(running.port, "POST", "/api/tables", '{"setup": {}}', plain).status == 415, "only JSON is taken"
    form_like = {"content-type": "application/x-www-form-urlencoded"}
    assert ask(running.port, "POST", "/api/tables", "setup=1", form_like).status == 415


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "local host",
        "a/b",
        "a?b",
        "",
        "x:99999",
        "127.0.0.1:0",
        "user@host",
        "::1",
    ],
)
def test_s6_a_host_that_is_not_ours_or_no_host_is_answered_400(running: Running, host: str) -> None:
    assert ask(running.port, "GET", "/api/about", None, {"host": host}).status == 400
    there = socket.create_connection(("127.0.0.1", running.port), PATIENCE)
    there.sendall(b"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n")
    assert b" 400 " in there.recv(200)
    there.close()


def test_s6_names_of_a_server_in_the_network_and_behind_a_proxy() -> None:
    lan = Door(8944, lan=True)
    assert lan.knows("192.168.1.20:8944")
    assert lan.knows("[fe80::1]:8944")
    assert not lan.knows("evil.example")
    public = Door(8944, public=public_origin("https://dice.example.org/"))
    assert public.knows("dice.example.org")
    assert not public.knows("example.org")
    assert public.own("https://dice.example.org", "127.0.0.1:8944")
    assert not public.own("http://dice.example.org", "127.0.0.1:8944")
    assert not public.local


def test_s7_ten_thousand_ranges_cost_nothing(running: Running) -> None:
    assert running.get("/icon.svg").status == 200
    ranges = "bytes=" + ",".join(f"{n}-{n}" for n in range(10_000))
    there = socket.create_connection(("127.0.0.1", running.port), PATIENCE)
    there.sendall(f"GET /icon.svg HTTP/1.1\r\nHost: 127.0.0.1\r\nRange: {ranges}\r\n\r\n".encode())
    answer = there.recv(2000)
    there.close()
    assert b" 200 " in answer or b" 431 " in answer or b" 400 " in answer
    assert b"multipart" not in answer
    assert running.get("/icon.svg", range="bytes=0-1,2-3").status == 200


def test_s8_links_are_long_secrets_kept_as_hashes_and_never_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    data = tmp_path / "tables.sqlite"
    with Running(data) as server:
        made = server.create(("person", "open"), seed="a seed in words")
        tokens = [made["token"], made["watch"], *made["seats"]]
        assert all(len(token) >= 22 and re.fullmatch(r"[A-Za-z0-9_-]+", token) for token in tokens), "128 bits or more"
        assert len(set(tokens)) == len(tokens)
        with at(server, made) as client:
            client.settle(client.ask(client.message(steady) or {}, "ack")["n"])
            client.send({"type": "move", "id": "x", "base": "?", "token": made["token"]})
            client.hear("refused")
        Client(server.port, made["table"], made["token"] + "x").greet()
        browser = Browser(server.port)
        page = browser.submit(browser.get(f"/g/{made['table']}/text").forms[0], ("link", made["links"]["host"]))
        assert not any(token in link for link in page.links for token in tokens), "a link that a Referer would tell"
        server.get(f"/api/tables/{made['table']}/record", authorization=f"Bearer {made['token']}")
        server.get("/api/tables", x_tokens=f"{made['table']}={made['token']}")
        seeds = [row[0] for row in sqlite3.connect(data).execute("SELECT seed FROM secrets")]
        assert seeds
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    out, err = capfd.readouterr()
    logged = caplog.text + out + err
    for token in tokens:
        assert token.encode() not in kept, "a link is in a file"
        assert token not in logged, "a link is in the log"
    for seed in seeds:
        assert seed not in logged, "a seed is in the log"


def test_s8_many_wrong_links_have_to_wait_and_the_right_one_has_not(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.sqlite", Limits(guesses=0.001, guess_burst=5)) as server:
        made = server.create()
        words = [Client(server.port, made["table"], f"guess-{n}").greet()["text"] for n in range(6)]
        assert len(set(words[:5])) == 1
        assert "Too many" in words[-1]
        assert Client(server.port, made["table"], made["token"]).greet()["type"] == "welcome"


def test_s9_opening_a_link_uses_nothing_up(running: Running) -> None:
    made = running.create(("person", "open"))
    for _ in range(5):  # as scanners of mail do
        assert running.get(f"/g/{made['table']}").status == 200
        assert running.get(f"/g/{made['table']}/text").status == 200
    with at(running, made) as host:
        assert host.table["seats"][1]["who"] == "open"
    with at(running, made, made["seats"][1]) as guest:
        assert guest.table["mine"] == [1]


def test_s10_a_new_link_ends_all_that_the_old_one_opened(running: Running) -> None:
    made = running.create(("person", "open"))
    old = made["seats"][1]
    browser = Browser(running.port)
    browser.cookies[f"/g/{made['table']}", "seat"] = old
    assert "(yours)" in browser.get(f"/g/{made['table']}/text").text
    with at(running, made) as host, at(running, made, old) as one, at(running, made, old) as two:
        assert host.ask({"type": "host", "id": "k", "act": "open", "seat": 1}, "ack", "refused")["type"] == "ack"
        assert one.hear("bye")["text"] == two.hear("bye")["text"]
    assert Client(running.port, made["table"], old).greet()["type"] == "bye"
    assert "(yours)" not in browser.get(f"/g/{made['table']}/text").text
    assert running.get(f"/api/tables/{made['table']}/replay", authorization=f"Bearer {old}").status == 404


def test_s11_what_is_sent_to_a_seat_does_not_depend_on_what_is_hidden() -> None:
    """The one thing that a match keeps to itself is the seed of the dice to come: with another one, the same bytes."""
    from random import Random

    from beachhead.core.node import Answer as Given
    from beachhead.core.node import Ask
    from beachhead.games import GAMES
    from beachhead.table.match import Match

    guess = Random(1)
    states = {"first": 0, "second": 0}
    while min(states.values()) < 80:
        edition = min(states, key=lambda name: states[name])
        match = Match.new(GAMES["landing"], {"seats": 2, "edition": edition})
        while isinstance(node := match.node(), Ask) and states[edition] < 80:
            views = [sent(match, seats) for seats in ((), (0,), (1,), (0, 1))]
            kept, match._seeds.now.seed = match._seeds.now.seed, chance.new_seed()
            assert [sent(match, seats) for seats in ((), (0,), (1,), (0, 1))] == views
            match._seeds.now.seed = kept
            decision = node.decision(guess.choice(node.seats))
            match.answer(Given(decision.seat, decision.seq, guess.choice(decision.keys)))
            states[edition] += 1


def sent(match: Any, seats: tuple[int, ...]) -> bytes:
    """All that a guest with these seats is sent of a match."""
    from beachhead.server import seen
    from beachhead.server.messages import encode

    return encode([seen.screen(match, seats), seen.lines(match.events, match, seats)])


def test_s11_events_for_some_seats_are_sent_to_those_alone() -> None:
    from beachhead.core.node import Event
    from beachhead.games import GAMES
    from beachhead.server import seen
    from beachhead.table.match import Match

    match = Match.new(GAMES["landing"], {"seats": 2})
    told = match.events[-1]
    secret = Event(told.n + 1, told.type, 1, told.data, told.rule, told.cause, audience=(1,))
    assert seen.lines([secret], match, (1,))
    assert not seen.lines([secret], match, (0,))
    assert not seen.lines([secret], match, ())


def test_s12_no_byte_before_the_end_tells_the_seed_or_dice_to_come(running: Running) -> None:
    made = running.create(("person", "open"))
    db = sqlite3.connect(running.data)
    seeds = [row[0] for row in db.execute("SELECT seed FROM secrets WHERE table_id = ?", (made["table"],))]
    db.close()
    assert len(seeds) == 1
    bearer = f"Bearer {made['token']}"
    for path in ("record", "replay"):
        assert running.get(f"/api/tables/{made['table']}/{path}", authorization=bearer).status == 403
    heard: list[str] = []
    with (
        at(running, made, made["watch"], want="screen") as watching,
        at(running, made) as host,
        at(running, made, made["seats"][1]) as guest,
    ):
        assert watching.screen["seal"] == chance.commitment(seeds[0]), "the seal is shown before the first roll"
        for _ in range(12):
            for client in (host, guest):
                message = client.message(steady)
                if message is None or "over" in watching.screen:
                    continue
                answer = client.ask(message, "ack", "refused")
                if answer["type"] == "ack":
                    for other in (host, guest, watching):
                        while other.n < answer["n"]:
                            told = other.next()
                            if "over" not in watching.screen:
                                heard.append(json.dumps(told))
        rolls = sum(line["kind"] == "dice" for line in watching.log)
        assert rolls >= 4
        everything = "".join(heard)
        assert len(everything) > 50_000
        assert seeds[0] not in everything


def test_s13_markup_in_names_and_chat_stays_text_and_no_page_runs_scripts_of_others(running: Running) -> None:
    nasty = '<img src=x onerror="alert(1)"><script>alert(2)</script>'
    made = running.create(("person", "open"), title=nasty[:70], name=nasty[:40])
    browser = Browser(running.port)
    browser.cookies[f"/g/{made['table']}", "seat"] = made["token"]
    with at(running, made) as client:
        client.ask({"type": "chat", "id": "1", "text": nasty}, "ack")
        client.ask({"type": "name", "id": "2", "seat": 0, "name": nasty[:40]}, "ack")
    page = browser.get(f"/g/{made['table']}/text")
    assert page.scripts == 0
    assert "<script" not in browser.last.text
    assert "<img" not in browser.last.text
    pages = ["/", "/text", f"/g/{made['table']}", f"/g/{made['table']}/text", "/nothing", "/api/catalogue"]
    pages += ["/api/rules/F-ROLL-01", "/api/nothing", "/sw.js", "/manifest.webmanifest"]
    pictures = ["/icon.svg", "/api/board/first/n01-exercise-tiger.svg"]
    for path in pages + pictures:
        headers = running.get(path).headers
        policy = headers["content-security-policy"]
        assert ("default-src 'none'" if path in pictures else "default-src 'self'") in policy, path
        assert ("script-src" if path in pictures else "unsafe-inline") not in policy, path
        assert "unsafe-eval" not in policy, path
        assert headers["x-content-type-options"] == "nosniff", path
    for path in ("/", "/text"):
        text = running.get(path).text
        assert not re.findall(r"(?:src|href|action)=[\"']?(?:https?:)?//", text), "a foreign host"
        assert not re.findall(r"<script(?![^>]*\bsrc=)", text), "a script inside the page"


# ---- bad input, in words (S14 is in test_fuzz)


def test_a_qr_code_is_drawn_only_for_links_of_this_server(running: Running) -> None:
    assert running.get(f"/api/qr.svg?text={quote(running.url + '/g/x#y')}").status == 200
    assert running.get(f"/api/qr.svg?text={quote('https://evil.example/')}").status == 403
    assert running.get(f"/api/qr.svg?text={quote(running.url + '.evil.example/')}").status == 403


@pytest.mark.parametrize(
    "text",
    ["", "hello", "{}", '{"beachhead": 1}', "[1, 2]\n", "\x00\x01", '{"beachhead": 1, "game": "chess"}\n', "[" * 5000],
)
def test_a_broken_record_is_refused_in_words(running: Running, text: str) -> None:
    for path, body in (("/api/verify", {"record": text}), ("/api/tables", {"record": text or " "})):
        found = running.post(path, body)
        assert found.status == 400, found.text
        assert len(found.json["error"]) > 20


def test_a_record_that_was_changed_is_found_out(running: Running) -> None:
    made = running.create(setup={"level": "practice-run"})
    with at(running, made) as client:
        play(client)
    lines = running.record(made["table"], made["token"])
    roll = next(n for n, line in enumerate(lines) if line.startswith('["roll"'))
    changed = json.loads(lines[roll])
    changed[3] = [(face + 1) % 6 for face in changed[3]]
    lines[roll] = json.dumps(changed, separators=(",", ":"))
    found = running.post("/api/verify", {"record": "\n".join(lines) + "\n"}).json
    assert found["ok"] is False
    assert any(check["status"] == "failed" for check in found["checks"])


def test_a_record_is_put_on_the_table_and_looked_at(running: Running) -> None:
    made = running.create(setup={"level": "practice-run"})
    with at(running, made) as client:
        play(client)
    lines = running.record(made["table"], made["token"])
    found = running.post("/api/tables", {"record": "\n".join(lines) + "\n"})
    assert found.status == 201, found.text
    copy = found.json
    with at(running, copy, want="screen") as client:
        assert client.screen["over"]
    replay = running.get(f"/api/tables/{copy['table']}/replay?at=3", authorization=f"Bearer {copy['token']}")
    assert replay.status == 200
    assert replay.json["n"] <= 3
    assert replay.json["screen"]["turn"] >= 1
    assert replay.json["stops"][-1] == replay.json["last"]
    fork = running.post("/api/tables", {"fork": copy["table"], "token": copy["token"], "at": replay.json["stops"][2]})
    assert fork.status == 201, fork.text
    with at(running, fork.json) as client:
        assert client.table["practice"] is True
        assert client.keys


def test_what_cannot_be_set_up_is_refused_in_words(running: Running) -> None:
    for body in (
        {"setup": {"map": "atlantis"}},
        {"setup": {"seats": 99}},
        {"setup": {"edition": "third"}},
        {"setup": {"seats": 2}, "seats": [{"who": "person"}]},
        {"setup": {}, "seats": [{"who": "ghost"}]},
        {"setup": {}, "seats": [{"who": "bot", "bot": "deep-thought"}]},
        {"setup": 5},
        {"surprise": 1},
        {"fork": "nowhere", "token": "x"},
    ):
        found = running.post("/api/tables", body)
        assert found.status in (400, 404), body
        assert len(found.json["error"]) > 10


def test_bodies_that_are_too_large_are_refused_before_they_are_read(running: Running) -> None:
    large = {"content-type": "application/json", "content-length": str(10**9)}
    there = socket.create_connection(("127.0.0.1", running.port), PATIENCE)
    head = "".join(f"{name}: {value}\r\n" for name, value in large.items())
    there.sendall(f"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\n{head}\r\n{{".encode())
    answer = b""
    while b'"}' not in answer and (part := there.recv(4000)):
        answer += part
    there.close()
    assert b" 413 " in answer
    assert b"too large" in answer
    form = "x=" + "y" * 100_000
    found = ask(running.port, "POST", "/text/new", form, {"content-type": "application/x-www-form-urlencoded"})
    assert found.status == 413


def test_a_store_that_fails_is_told_in_words_and_the_game_is_unharmed(tmp_path: Path) -> None:
    data = tmp_path / "tables.sqlite"
    with Running(data, QUICK) as server:
        made = server.create(setup={"level": "practice-run"})
        with at(server, made) as client:
            blocker = sqlite3.connect(data, isolation_level=None)
            blocker.execute("BEGIN IMMEDIATE")
            message = client.message(steady)
            assert message is not None
            found = client.ask(message, "refused", "ack")
            assert (found["type"], found["code"]) == ("refused", "storage")
            assert "not made" in found["text"]
            before = client.n
            assert server.post("/api/tables", {"setup": {}}).status == 503
            blocker.execute("ROLLBACK")
            blocker.close()
            answer = client.ask(message, "refused", "ack")
            assert answer["type"] == "ack"
            client.settle(answer["n"])
            assert client.n > before


# ---------------------------------------------------------------------------------------------------- the way back


def test_a_browser_that_lost_its_links_comes_back_on_a_local_server(running: Running) -> None:
    made = running.create(("person", "person"))
    rows = {row["table"]: row for row in running.get("/api/tables").json["tables"]}
    assert rows[made["table"]]["mine"] is False
    held = running.get("/api/tables", **{"x-tokens": f"{made['table']}={made['token']}"}).json
    assert held["local"] is True
    assert {row["table"]: row for row in held["tables"]}[made["table"]]["mine"] is True
    found = running.post(f"/api/tables/{made['table']}/return", {})
    assert found.status == 200
    token = found.json["token"]
    assert token not in (made["token"], made["watch"], *made["seats"])
    assert found.json["link"] == f"{running.url}/g/{made['table']}#{token}"
    for known in (token, made["token"]):  # other devices keep theirs
        with at(running, made, known, want="screen") as client:
            assert client.table["host"] is True
            assert client.table["mine"] == [0, 1]
    assert running.post("/api/tables/nowhere/return", {}).status == 404


def test_only_a_local_server_hands_out_links(tmp_path: Path) -> None:
    doors = {"lan": lambda port: Door(port, True), "public": lambda port: Door(port, False, "https://dice.example.org")}
    for name, door in doors.items():
        with Running(tmp_path / f"{name}.sqlite", door=door) as server:
            made = server.create()
            refused = server.post(f"/api/tables/{made['table']}/return", {})
            assert refused.status == 403, name
            assert "beachhead tables link" in refused.json["error"]
            assert server.get("/api/tables").json == {"tables": [], "local": False}


def test_no_page_of_another_site_gets_a_link(running: Running) -> None:
    made = running.create()
    path = f"/api/tables/{made['table']}/return"
    assert running.post(path, {}, origin="https://evil.example").status == 403
    assert running.post(path, {}, **{"sec-fetch-site": "cross-site"}).status == 403
    assert running.post(path, {}, host="evil.example").status == 400
    assert running.get(path).status == 405


def test_a_new_name_is_told_anew_in_the_whole_log(running: Running) -> None:
    made = running.create(("person", "open"))
    with at(running, made, want="screen") as ann, at(running, made, made["seats"][1], want="screen") as bob:
        assert any(line["text"].startswith("Unit 1 rolls") for line in bob.log)
        ann.send({"type": "name", "id": "n1", "seat": 0, "name": "<b>Ann</b>"})
        told = bob.hear("welcome")
        texts = [line["text"] for line in told["log"]]
        assert told["fresh"] is True if "fresh" in told else True
        assert any(text.startswith("<b>Ann</b> rolls") for text in texts)
        assert not any("Unit 1" in text for text in texts)
        assert [unit["name"] for unit in told["screen"]["units"]] == ["<b>Ann</b>", "Unit 2"]
    page = Browser(running.port)
    page.cookies[f"/g/{made['table']}", "seat"] = made["token"]
    shown = page.get(f"/g/{made['table']}/text")
    assert "<b>Ann</b> rolls" in shown.text  # as text: a tag would not be among the words
    assert shown.scripts == 0
    record = json.dumps(running.get("/api/tables").json)
    assert "<b>Ann</b>" in record


def test_rows_of_the_list_say_how_a_game_stands(running: Running) -> None:
    made = running.create(setup={"options": ["victory-points"]}, title="Ours")
    with at(running, made) as client:
        play(client)
    for lang, edition in (("en", "First edition"), ("fr", "Première édition")):
        rows = {row["table"]: row for row in running.get(f"/api/tables?lang={lang}").json["tables"]}
        row = rows[made["table"]]
        assert (row["title"], row["players"], row["over"], row["edition_name"]) == ("Ours", 1, True, edition)
        assert row["cause"] and row["cause"] not in ("wiped-out", "could-not-move", "bunker-conquered")
        assert row["turn"] > 0 and row["undone"] == 0 and row["practice"] is False
        assert row["vp"] == min(row["scores"])


def test_a_table_at_which_the_game_fails_says_so_and_can_be_opened_again(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = running.create(("person", "open"))
    record = f"/api/tables/{made['table']}/record"

    def fail(*given: object) -> None:
        raise RuntimeError("a mistake of ours")

    with at(running, made) as host:
        n = host.n
        with monkeypatch.context() as broken:
            broken.setattr(Match, "answer", fail)
            sent = host.message(steady, 0)
            assert sent is not None
            refused = host.ask(sent, "refused")
        assert (refused["code"], refused["n"]) == ("unknown", n)
        assert f"all {n} lines of its record are kept" in refused["text"]
        with at(running, made) as again:
            assert again.table["trouble"] == refused["text"]
        page = Browser(running.port, "fr")
        page.cookies[f"/g/{made['table']}", "seat"] = made["token"]
        shown = page.get(f"/g/{made['table']}/text")
        assert f"les {n} lignes de son relevé sont gardées" in shown.text.replace("\u00a0", " ")
        assert any(link.endswith("/text/record") for link in shown.links)
        assert running.get(record, authorization=f"Bearer {made['token']}").status == 200
        assert running.get(record, authorization=f"Bearer {made['seats'][1]}").status == 403
        opened = host.ask({"type": "host", "id": "open-again", "act": "reopen"}, "ack")
        assert opened["n"] == n
        sent = host.message(steady, 0)
        assert sent is not None
        assert host.ask({**sent, "id": "once-more"}, "ack")["n"] > n
    assert running.get(record, authorization=f"Bearer {made['token']}").status == 403
