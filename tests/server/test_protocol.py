"""The socket: hello and welcome, moves once and for all, numbers without holes, seats and their guests."""

from __future__ import annotations

import json
import uuid
from dataclasses import replace
from pathlib import Path

import pytest

from .running import QUICK, Client, ConnectionClosed, Running, at, play, steady

TIGER = {"level": "practice-run"}


def move(client: Client, **more: object) -> dict[str, object]:
    message = client.message(steady)
    assert message is not None
    return {**message, **more}


def test_a_solo_game_is_played_to_its_end_and_its_record_can_be_proven(running: Running) -> None:
    made = running.create(setup=TIGER)
    with at(running, made) as client:
        assert play(client) > 0
        assert client.gaps == 0
    text = "\n".join(running.record(made["table"], made["token"])) + "\n"
    found = running.post("/api/verify", {"record": text}).json
    assert found["ok"] is True, found


def test_a_welcome_shows_the_whole_table(running: Running) -> None:
    made = running.create(name="Ann")
    with at(running, made, want="screen") as client:
        assert client.table["mine"] == [0]
        assert client.table["host"] is True
        assert client.table["seats"][0]["name"] == "Ann"
        assert client.screen["asks"][0]["seat"] == 0
        assert client.screen["turn"] == 1
        assert client.log


def test_the_same_move_sent_again_gets_the_same_answer_and_happens_once(running: Running) -> None:
    made = running.create(setup=TIGER)
    with at(running, made) as client:
        message = move(client)
        answers = [client.ask(message, "ack", "refused") for _ in range(5)]
        assert len({answer["n"] for answer in answers}) == 1
        assert {answer["type"] for answer in answers} == {"ack"}
        client.settle(answers[0]["n"])
        assert client.n == answers[0]["n"]


def test_an_answer_to_an_older_question_is_stale_and_changes_nothing(running: Running) -> None:
    made = running.create(setup=TIGER)
    with at(running, made) as client:
        message = move(client)
        n = client.ask(message, "ack")["n"]
        client.settle(n)
        again = client.ask({**message, "id": uuid.uuid4().hex}, "refused", "ack")
        assert (again["type"], again["code"]) == ("refused", "stale")
        assert again["text"]
        assert again["n"] == client.n == n


def test_an_answer_that_is_none_is_refused_in_words(running: Running) -> None:
    with at(running, running.create(setup=TIGER)) as client:
        for wrong in ({"key": "fly:home"}, {"seat": 3}, {"seat": -1}, {"key": ""}):
            found = client.ask(move(client, **wrong), "refused", "ack")
            assert found["type"] == "refused", wrong
            assert found["code"] in ("invalid", "illegal", "forbidden"), wrong
            assert found["text"]


def test_an_illegal_answer_is_refused_with_every_rule_in_the_way(running: Running) -> None:
    made = running.create()
    with at(running, made, want="screen") as client:
        asked = client.screen["asks"][0]
        sent = {"type": "move", "id": "lock", "base": client.n, "seat": 0, "seq": asked["seq"], "key": "lock:R1,W1"}
        client.settle(client.ask(sent, "ack")["n"])
        asked = client.screen["asks"][0]
        no = asked["nots"][0]  # to roll a die that is Locked
        sent = {"type": "move", "id": uuid.uuid4().hex, "base": client.n}
        found = client.ask({**sent, "seat": 0, "seq": asked["seq"], "key": no["key"]}, "refused", "ack")
        assert found["code"] == "illegal"
        assert [reason["text"] for reason in found["reasons"]] == [reason["text"] for reason in no["reasons"]]
        assert all(reason["rule"] for reason in found["reasons"])


def test_a_guest_who_comes_back_gets_only_what_it_missed(running: Running) -> None:
    made = running.create(setup=TIGER)
    with at(running, made, want="screen") as watching, at(running, made) as playing:
        before = watching.n
        whole = list(watching.log)
        watching.cut()
        for _ in range(4):
            answer = playing.ask(move(playing), "ack")
            playing.settle(answer["n"])
        welcome = watching.greet()
        assert welcome["fresh"] is False if "fresh" in welcome else False, "all was sent again"
        assert watching.n == playing.n > before
        with at(running, made, want="screen") as fresh:
            assert fresh.log == watching.log
            assert fresh.log[: len(whole)] == whole


def test_a_guest_who_knows_another_world_is_shown_all_afresh(running: Running) -> None:
    made = running.create(setup=TIGER)
    client = Client(running.port, made["table"], made["token"], want="screen")
    client.n = 100_000
    welcome = client.greet()
    assert welcome.get("fresh", True)
    assert client.log
    client.__exit__()


def test_two_answers_to_one_question_one_counts_the_other_is_stale(running: Running) -> None:
    made = running.create(setup=TIGER)
    with at(running, made) as one, at(running, made) as two:
        first, second = move(one), move(two)
        one.send(first)
        two.send(second)
        kinds = sorted((one.hear("ack", "refused")["type"], two.hear("ack", "refused")["type"]))
        assert kinds == ["ack", "refused"]


def test_several_devices_on_a_seat_see_the_same_and_may_all_play(running: Running) -> None:
    made = running.create(setup=TIGER)
    with at(running, made) as one, at(running, made) as two:
        for n in range(4):  # what is asked before the first Combat, which may end the game
            playing, other = (one, two) if n % 2 else (two, one)
            answer = playing.ask(move(playing), "ack", "refused")
            assert answer["type"] == "ack"
            playing.settle(answer["n"])
            other.settle(answer["n"])
            assert one.keys == two.keys


def test_seats_have_links_of_their_own_and_play_only_their_seat(running: Running) -> None:
    made = running.create(("person", "open"))
    with at(running, made) as host, at(running, made, made["seats"][1]) as guest:
        assert guest.table["mine"] == [1]
        assert guest.table["host"] is False if "host" in guest.table else True
        assert set(guest.keys) == {"1"}
        assert "link" not in json.dumps(guest.table)
        wrong = move(guest, seat=0)
        assert guest.ask(wrong, "refused", "ack")["code"] == "forbidden"
        assert host.table["seats"][1]["link"].endswith(made["seats"][1])


def test_a_spectator_sees_and_cannot_touch(running: Running) -> None:
    made = running.create(("person", "open"), setup=TIGER)
    with at(running, made, made["watch"], want="screen") as watching, at(running, made) as host:
        assert watching.table["mine"] == [] if "mine" in watching.table else True
        assert not watching.screen["asks"]
        answer = watching.ask({**move(host), "id": "a-try"}, "refused", "ack")
        assert answer["code"] == "forbidden"
        n = host.ask(move(host), "ack")["n"]
        watching.settle(n)
        assert watching.n == n


def test_a_lamp_tells_who_is_here_and_who_is_choosing(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running.server.config, "ws_ping_interval", None)  # a line that is cut is noticed without
    made = running.create(("person", "open"))
    with at(running, made, want="screen") as host:
        assert host.table["seats"][1]["who"] == "open"
        guest = Client(running.port, made["table"], made["seats"][1], want="screen")
        guest.greet()
        while host.table["seats"][1]["who"] != "person" or not host.table["seats"][1].get("here"):
            host.hear("presence")
        assert host.table["seats"][1].get("lamp", "ready") == "choosing"
        guest.cut()
        while host.table["seats"][1].get("here"):
            host.hear("presence")
        assert host.table["seats"][1]["lamp"] == "away"


def test_undo_takes_back_and_redo_brings_back(running: Running) -> None:
    made = running.create(practice=True)
    with at(running, made, want="screen") as client:
        before, log = client.screen, list(client.log)
        asked = before["asks"][0]
        key = (asked.get("dice") or [option["key"] for option in asked["options"]])[0]
        sent = {"type": "move", "id": "one", "base": client.n, "seat": 0, "seq": asked["seq"], "key": key}
        client.settle(client.ask(sent, "ack")["n"])
        after, log_after = client.screen, list(client.log)
        assert log_after != log
        client.settle(client.ask({"type": "undo", "id": "two", "base": client.n, "seat": 0}, "ack")["n"])
        assert client.log == log
        assert client.screen["asks"][0]["prompt"] == asked["prompt"]
        redo = {"type": "undo", "id": "three", "base": client.n, "seat": 0, "back": False}
        client.settle(client.ask(redo, "ack")["n"])
        assert client.log == log_after
        assert client.screen["asks"] == after["asks"]


def test_undo_beyond_a_roll_is_too_late_outside_practice(running: Running) -> None:
    made = running.create(setup=TIGER)
    with at(running, made) as client:
        for _ in range(2):  # lock, then roll the others again
            sent = client.message(lambda seat, seq, keys: max(keys, key=len))
            assert sent is not None
            client.settle(client.ask(sent, "ack")["n"])
        found = client.ask({"type": "undo", "id": "u", "base": client.n, "seat": 0}, "refused", "ack")
        assert found["code"] == "too-late"
        assert found["text"]


def test_bots_answer_by_themselves(running: Running) -> None:
    made = running.create(("person", "thumb"), setup=TIGER)
    with at(running, made, want="screen") as client:
        for n in range(12):
            while not client.screen["asks"] and "over" not in client.screen:
                client.next()
            if "over" in client.screen:
                break
            asked = client.screen["asks"][0]
            key = (asked.get("dice") or [option["key"] for option in asked["options"]])[0]
            sent = {"type": "move", "id": f"m{n}", "base": client.n, "seat": 0, "seq": asked["seq"], "key": key}
            answer = client.ask(sent, "ack", "refused")
            if answer["type"] == "ack":
                client.settle(answer["n"])
        assert client.gaps == 0
        assert any(line.get("seat") == 1 and line["kind"] == "dice" for line in client.log)
        while 1 in client.screen["waiting"]:
            client.next()


def test_chat_and_quick_phrases_reach_everybody_once(running: Running) -> None:
    made = running.create(("person", "open"))
    with at(running, made) as host, at(running, made, made["seats"][1]) as guest:
        for _ in range(2):
            assert (
                guest.ask({"type": "chat", "id": "c1", "text": "Hello <b>there</b>"}, "ack", "refused")["type"] == "ack"
            )
        assert guest.ask({"type": "chat", "id": "c2", "phrase": "ready"}, "ack")["n"] == 2
        first, second = host.hear("said"), host.hear("said")
        assert (first["text"], second["phrase"]) == ("Hello <b>there</b>", "ready")
    with at(running, made) as later:
        assert later.hear("said")["text"] == "Hello <b>there</b>"


def test_the_host_gives_a_seat_to_a_bot_closes_and_opens_the_table(running: Running) -> None:
    made = running.create(("person", "open"), setup=TIGER)
    with at(running, made) as host, at(running, made, made["seats"][1]) as guest:
        no = guest.ask({"type": "host", "id": "h0", "act": "close"}, "refused", "ack")
        assert no["code"] == "forbidden"
        assert host.ask({"type": "host", "id": "h1", "act": "close"}, "ack", "refused")["type"] == "ack"
        closed = host.ask(move(host), "refused", "ack")
        assert closed["type"] == "refused"
        assert "closed" in closed["text"]
        assert host.ask({"type": "host", "id": "h2", "act": "reopen"}, "ack", "refused")["type"] == "ack"
        bot = {"type": "host", "id": "h3", "act": "bot", "seat": 1, "text": "random"}
        assert host.ask(bot, "ack", "refused")["type"] == "ack"
        while (answer := host.ask(move(host), "ack", "refused"))["type"] == "refused":
            assert answer["code"] == "stale"  # the bot was quicker and changed the question
            host.settle(answer["n"])
        host.settle(answer["n"])


def test_a_new_link_makes_the_old_one_void(running: Running) -> None:
    made = running.create(("person", "open"))
    old = made["seats"][1]
    with at(running, made) as host, at(running, made, old) as guest:
        opened = {"type": "host", "id": "new-link", "act": "open", "seat": 1}
        assert host.ask(opened, "ack", "refused")["type"] == "ack"
        bye = guest.hear("bye")
        assert not bye.get("again")
        while host.table["seats"][1]["link"].endswith(old):
            host.hear("presence")
        token = host.table["seats"][1]["link"].partition("#")[2]
        assert host.ask(opened, "ack", "refused")["type"] == "ack"
    refused = Client(running.port, made["table"], old).greet()
    assert refused["type"] == "bye"
    with at(running, made, token) as again:
        assert again.table["mine"] == [1]


def test_a_wrong_link_is_told_so_and_tells_nothing_about_tables(running: Running) -> None:
    made = running.create()
    words = set()
    for table, token in ((made["table"], "wrong"), ("nowhere", made["token"]), (made["table"], ""), ("", "")):
        bye = Client(running.port, table, token).greet()
        assert bye["type"] == "bye"
        words.add(bye["text"])
    assert len(words) == 1
    assert "link" in words.pop()


def test_why_tells_who_had_a_say(running: Running) -> None:
    with at(running, running.create(), want="screen") as client:
        found = client.ask({"type": "why", "id": "w", "seat": 0, "question": "dice_to_lock"}, "because", "refused")
        assert (found["type"], found["id"], found["value"]) == ("because", "w", 2)
        assert found["lines"]
        wrong = client.ask({"type": "why", "id": "x", "seat": 0, "question": "weather"}, "because", "refused")
        assert (wrong["type"], wrong["code"]) == ("refused", "invalid")


def test_a_guest_hears_everything_in_its_own_language(running: Running) -> None:
    made = running.create(setup=TIGER)
    with at(running, made, want="screen", lang="fr") as fr, at(running, made, want="screen", lang="en") as en:
        assert fr.screen["asks"][0]["prompt"] != en.screen["asks"][0]["prompt"]
        assert fr.screen["asks"][0].get("dice") == en.screen["asks"][0].get("dice")
        wrong = fr.ask(
            {"type": "move", "id": "no", "base": fr.n, "seat": 0, "seq": fr.screen["asks"][0]["seq"], "key": "x"},
            "refused",
        )
        assert "réponses" in wrong["text"]
    bye = Client(running.port, made["table"], "wrong", lang="fr").greet()
    assert "lien" in bye["text"]


def test_ping_is_answered(running: Running) -> None:
    with at(running, running.create()) as client:
        assert client.ask({"type": "ping", "t": 42}, "pong")["t"] == 42


def test_a_line_that_is_dead_is_noticed_within_forty_seconds(running: Running) -> None:
    config = running.server.config
    assert config.ws_ping_interval == 15
    assert config.ws_ping_timeout is not None
    assert config.ws_ping_interval + config.ws_ping_timeout <= 40


def test_who_does_not_say_hello_first_is_sent_away(running: Running) -> None:
    client = Client(running.port, "x", "y")
    client.ws = client.open()
    client.send({"type": "chat", "id": "1", "text": "hi"})
    assert client.hear("bye")["text"]
    with pytest.raises(ConnectionClosed):
        client.next()


def test_who_says_nothing_is_sent_away(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.sqlite", replace(QUICK, hello=3)) as server:
        made = server.create()
        silent = Client(server.port, made["table"], made["token"])
        silent.ws = silent.open()
        with at(server, made) as client:
            assert silent.next()["type"] == "bye"
            assert client.ask({"type": "ping", "t": 1}, "pong"), "who said hello may be silent"


def test_names_are_told_to_all_at_the_table(running: Running) -> None:
    made = running.create(("person", "open"))
    with at(running, made, want="screen") as host, at(running, made, made["seats"][1]) as guest:
        assert guest.ask({"type": "name", "id": "n", "seat": 1, "name": "Bea"}, "ack", "refused")["type"] == "ack"
        no = guest.ask({"type": "name", "id": "m", "seat": 0, "name": "Bea"}, "ack", "refused")
        assert no["code"] == "forbidden"
        while host.table["seats"][1]["name"] != "Bea":
            host.hear("presence")


def test_a_guest_that_does_not_read_holds_up_nobody_and_catches_up(running: Running) -> None:
    made = running.create(practice=True)
    with at(running, made, want="screen") as deaf, at(running, made) as playing:
        before = deaf.n
        for n in range(120):
            if n % 2:
                sent = {"type": "undo", "id": f"u{n}", "base": playing.n, "seat": 0}
            else:
                sent = move(playing, id=f"m{n}")
            answer = playing.ask(sent, "ack", "refused")
            assert answer["type"] == "ack"
            playing.settle(answer["n"])
        assert deaf.n == before, "all that was answered while it read nothing"
        updates = 0
        while deaf.n < playing.n:
            updates += deaf.next()["type"] == "update"
        assert deaf.gaps == 0
        assert updates <= 120
        with at(running, made, want="screen") as fresh:
            assert fresh.log == deaf.log
            assert fresh.screen == deaf.screen
