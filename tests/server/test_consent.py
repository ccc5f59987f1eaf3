"""Over the socket: taking back what was seen when all agree, bringing back, and dice that people roll themselves."""

from __future__ import annotations

import sys
import uuid
from pathlib import Path
from typing import Any

import pytest

from .running import Client, Running, ask, at
from .test_kill import Server

TIGER = {"level": "practice-run"}
FACES = ["skull", "star", "soldier1", "soldier2", "courage", "tool"]


def act(client: Client, kind: str, **more: Any) -> dict[str, Any]:
    message = {"type": kind, "id": uuid.uuid4().hex, "base": client.n, **more}
    if kind == "agree":
        del message["base"]
    answer = client.ask(message, "ack", "refused")
    if answer["type"] == "ack":
        client.settle(answer["n"])
    return answer


def choose(client: Client, seat: int, key: str) -> dict[str, Any]:
    (asked,) = [one for one in client.screen["asks"] if one["seat"] == seat]
    answer = act(client, "move", seat=seat, seq=asked["seq"], key=key)
    assert answer["type"] == "ack", answer
    return answer


def roll_again(client: Client, seat: int) -> None:
    """Lock two dice and roll the others: they are seen now."""
    choose(client, seat, "lock:R1,W1")
    choose(client, seat, "roll:R2,W2,B1,B2")


def until(client: Client, there: bool) -> dict[str, Any]:
    """Hear until a request is there, or no more."""
    while bool(client.table.get("request")) is not there:
        client.next()
    found: dict[str, Any] = client.table.get("request", {})
    return found


def faces(client: Client, seat: int) -> list[str]:
    return [die["face"] for die in client.screen["units"][seat]["tray"]["dice"]]


def test_alone_what_was_seen_is_taken_back_and_the_same_dice_come_again(running: Running) -> None:
    made = running.create(setup=TIGER)
    with at(running, made, want="screen") as client:
        choose(client, 0, "lock:R1,W1")
        assert client.screen["undo"]["0"] and not client.screen.get("beyond")
        choose(client, 0, "roll:R2,W2,B1,B2")
        seen = faces(client, 0)
        assert not client.screen.get("undo")
        assert client.screen["beyond"]["0"].startswith("Roll R2")
        refused = act(client, "undo", seat=0)
        assert (refused["type"], refused["code"]) == ("refused", "too-late")
        n = client.n
        assert act(client, "undo", seat=0, beyond=True)["n"] == n + 1
        assert client.screen["redo"]["0"].startswith("Roll R2")
        choose(client, 0, "roll:R2,W2,B1,B2")
        assert faces(client, 0) == seen and not client.screen.get("redo")


def test_redo_over_the_socket_brings_back_what_was_taken(running: Running) -> None:
    made = running.create(setup=TIGER)
    with at(running, made, want="screen") as client:
        assert not client.screen.get("redo")
        choose(client, 0, "lock:R1,W1")
        before = client.screen
        act(client, "undo", seat=0)
        assert client.screen["redo"] == {"0": before["undo"]["0"]}
        assert act(client, "undo", seat=0, back=False)["type"] == "ack"
        assert client.screen == before
        assert act(client, "undo", seat=0, back=False)["code"] == "too-late"


def test_two_sockets_ask_agree_and_refuse(running: Running) -> None:
    made = running.create(("person", "open"), setup=TIGER)
    with (
        at(running, made, want="screen") as ann,
        at(running, made, made["seats"][1], want="screen", lang="fr") as ben,
        at(running, made, made["watch"], want="screen") as watcher,
    ):
        ann.hear("presence", "welcome")
        roll_again(ann, 0)
        n = ann.n
        ben.settle(n)
        assert not ben.screen.get("beyond")
        asked = act(ann, "undo", seat=0, beyond=True)
        assert (asked["type"], asked["n"], ann.n) == ("ack", n, n)
        mine, theirs, seen = until(ann, True), until(ben, True), until(watcher, True)
        assert mine.pop("label").startswith("Roll R2 ")
        assert mine == {"id": asked["id"], "seat": 0, "wait": [1], "mine": True}
        assert theirs.pop("label").startswith("Relancer R2 ")
        assert theirs == {"id": asked["id"], "seat": 0, "wait": [1]}
        assert seen["id"] == asked["id"]
        assert act(watcher, "agree", request=asked["id"])["code"] == "forbidden"
        assert act(ann, "agree", request=asked["id"])["code"] == "forbidden"

        assert act(ben, "agree", request=asked["id"], yes=False)["n"] == n
        for client in (ann, ben, watcher):
            until(client, False)
        assert act(ben, "agree", request=asked["id"])["code"] == "stale"

        again = act(ann, "undo", seat=0, beyond=True)
        until(ben, True)
        done = act(ben, "agree", request=again["id"])
        assert (done["type"], done["n"]) == ("ack", n + 1)
        ann.settle(n + 1)
        until(ann, False)
        assert ann.screen["asks"][0]["seq"] and ann.gaps == ben.gaps == 0


def test_a_move_between_asking_and_agreeing_makes_the_agreement_stale(running: Running) -> None:
    made = running.create(("person", "open"), setup=TIGER)
    with (
        at(running, made, want="screen") as ann,
        at(running, made, made["seats"][1], want="screen") as ben,
    ):
        roll_again(ann, 0)
        ben.settle(ann.n)
        asked = act(ann, "undo", seat=0, beyond=True)
        until(ben, True)
        choose(ann, 0, "stop")
        ben.settle(ann.n)
        until(ben, False)
        assert act(ben, "agree", request=asked["id"])["code"] == "stale"


def play_on(client: Client) -> None:
    """First answers to the end."""
    for _ in range(2000):
        if client.screen.get("over"):
            return
        if wanted := client.screen.get("enter"):
            values = [face["value"] for face in wanted["faces"]]
            shown = [values[n % len(values)] for n, _ in enumerate(wanted["dice"])]
            answer = act(client, "roll", seat=wanted["mine"][0], roll=wanted["roll"], faces=shown)
            assert answer["type"] == "ack", answer
        else:
            asked = client.screen["asks"][0]
            keys = asked.get("dice") or [option["key"] for option in asked["options"]]
            choose(client, asked["seat"], keys[0])
    raise AssertionError("the game does not end")


def test_the_result_and_the_proof_say_what_was_taken_back(running: Running) -> None:
    made = running.create(setup=TIGER)
    with at(running, made, want="screen") as client:
        roll_again(client, 0)
        act(client, "undo", seat=0, beyond=True)
        play_on(client)
        assert client.screen["over"]["notes"] == ["One answer was taken back after dice or cards had been seen."]
    text = "\n".join(running.record(made["table"], made["token"])) + "\n"
    found = running.post("/api/verify", {"record": text}).json
    assert found["ok"] is True
    steps = next(check for check in found["checks"] if check["name"] == "steps")
    assert steps["detail"].endswith("1 answer was taken back after dice or cards were seen")


# ---- dice of their own


def test_dice_are_asked_for_entered_and_told_as_such(running: Running) -> None:
    made = running.create(setup=TIGER, dice="own")
    with at(running, made, want="screen") as client, at(running, made, made["watch"], want="screen") as watcher:
        assert client.table["dice"] == "own"
        wanted = client.screen["enter"]
        assert client.screen["asks"] == [] and client.screen["waiting"] == [0]
        assert (wanted["roll"], wanted["seat"], wanted["mine"]) == ("dice:0:0", 0, [0])
        assert [(die["place"], die["colour"]) for die in wanted["dice"]] == [
            ("R1", "red"),
            ("R2", "red"),
            ("W1", "white"),
            ("W2", "white"),
            ("B1", "blue"),
            ("B2", "blue"),
        ]
        assert [(face["value"], face["face"]) for face in wanted["faces"]] == list(enumerate(FACES))
        assert wanted["prompt"] == "Unit 1: roll 6 dice on your table and enter them (R1, R2, W1, W2, B1, B2)."
        assert watcher.screen["enter"]["mine"] == []
        for bad in ([1, 2], [0, 1, 2, 3, 4, 6], [0, 1, 2, 3, 4, -1]):
            refused = act(client, "roll", seat=0, roll="dice:0:0", faces=bad)
            assert refused["code"] == "illegal"
            assert refused["text"] == "6 dice are to be entered, each with a number from 0 to 5"
        assert act(client, "roll", seat=0, roll="dice:0:1", faces=[1] * 6)["code"] == "stale"
        assert act(watcher, "roll", seat=0, roll="dice:0:0", faces=[1] * 6)["code"] == "forbidden"
        assert act(client, "roll", seat=0, roll="dice:0:0", faces=[0, 1, 2, 3, 4, 5])["type"] == "ack"
        assert faces(client, 0) == FACES
        assert client.log[-1]["text"].endswith(" (own dice)")
        assert client.screen["undo"]["0"] == "The 6 dice that were entered"
        act(client, "undo", seat=0)
        assert client.screen["enter"]["roll"] == "dice:0:0"
        act(client, "roll", seat=0, roll="dice:0:0", faces=[])
        assert not client.log[-1]["text"].endswith(" (own dice)")


def test_a_whole_game_with_dice_of_ones_own_holds_and_says_that_nobody_can_check_them(running: Running) -> None:
    made = running.create(("person", "person"), dice="own")
    with at(running, made, want="screen") as client:
        play_on(client)
        assert any("entered by hand" in note for note in client.screen["over"]["notes"])
        kinds = {line["kind"] for line in client.log if line["text"].endswith("(own dice)")}
        assert "dice" in kinds and kinds <= {"dice", "pips", "roll-off", "spare"}
    text = "\n".join(running.record(made["table"], made["token"])) + "\n"
    found = running.post("/api/verify", {"record": text}).json
    assert found["ok"] is None
    assert "entered by hand" in found["text"]
    assert [check["name"] for check in found["checks"] if check["status"] == "open"] == ["dice"]


def test_what_dice_there_are_is_one_of_two(running: Running) -> None:
    assert running.post("/api/tables", {"setup": {}, "dice": "loaded"}).status == 400


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_server_still_waits_for_the_same_dice(tmp_path: Path) -> None:
    server = Server(tmp_path / "tables.sqlite")
    server.start()
    try:
        body = '{"setup": {"seats": 1, "level": "practice-run"}, "seats": [{"who": "person"}], "dice": "own"}'
        made = ask(server.port, "POST", "/api/tables", body, {"content-type": "application/json"}).json
        for turn in range(2):
            with Client(server.port, made["table"], made["token"], want="screen") as client:
                wanted = client.screen["enter"]
                assert wanted["roll"] == f"dice:0:{turn}"
                server.kill()
                server.start()
            with Client(server.port, made["table"], made["token"], want="screen") as client:
                assert client.screen["enter"] == wanted
                shown = [5] * len(wanted["dice"])
                assert act(client, "roll", seat=0, roll=wanted["roll"], faces=shown)["type"] == "ack"
                server.kill()
                server.start()
            with Client(server.port, made["table"], made["token"], want="screen") as client:
                assert set(faces(client, 0)) == {"tool"}
                if not turn:
                    roll_again(client, 0)
    finally:
        server.kill()
