"""The line may be cut anywhere: the guest comes back, sends again what was not acknowledged; the game is the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from .running import Client, Running, play, steady

SETUP = {"level": "practice-run"}
SEED = "a game that is played again and again"


def table(running: Running) -> dict[str, Any]:
    return running.create(setup=SETUP, seed=SEED)


def lines(running: Running, made: dict[str, Any]) -> list[str]:
    return running.record(made["table"], made["token"])


class Boundaries:
    """Counts the messages of a guest, sent and heard, and cuts the line where it is told to."""

    def __init__(self, cut_after: Callable[[int], bool]) -> None:
        self.count = 0
        self.cut_after = cut_after

    def passed(self) -> bool:
        self.count += 1
        return self.cut_after(self.count)


class Cut(Exception):
    """The line is dead."""


def scripted(running: Running, made: dict[str, Any], line: Boundaries) -> int:
    """Play the script over a line that is cut at boundaries; how many messages there were."""
    client = Client(running.port, made["table"], made["token"])
    waiting: dict[str, Any] | None = None
    moves = 0

    def send(message: dict[str, Any]) -> None:
        client.send(message)
        if line.passed():
            raise Cut

    def hear() -> dict[str, Any]:
        found = client.next()
        if line.passed():
            raise Cut
        return found

    while True:
        try:
            if client.ws is None:
                client.ws = client.open()
                send({**client.hello, "have": client.n})
                while hear()["type"] != "welcome":
                    pass
            if waiting is None:
                waiting = client.message(steady)
                if waiting is None:
                    client.cut()
                    return line.count
                waiting["id"] = f"move-{moves}"
            send(waiting)
            done = -1
            while done < 0 or client.n < done:
                found = hear()
                if found["type"] == "ack" and found["id"] == waiting["id"]:
                    done = found["n"]
                assert found["type"] != "refused", found
            waiting = None
            moves += 1
        except Cut:
            client.cut()
            # what was heard before the cut may have been the acknowledgement: the same id asks again
            if waiting is not None and done_already(client, waiting):
                waiting = None
                moves += 1


def done_already(client: Client, waiting: dict[str, Any]) -> bool:
    """Whether the table has been seen beyond this move: then its question is gone, and there is nothing to resend."""
    asked = client.keys.get(str(waiting["seat"]))
    return asked is None or asked[0] != waiting["seq"]


def test_cut_after_every_message_the_record_is_the_same(running: Running) -> None:
    whole = table(running)
    with Client(running.port, whole["table"], whole["token"]) as client:
        play(client)
    expected = lines(running, whole)
    # Cutting after each message would never hear an answer, so each pass cuts at every third, with another start.
    for start in range(3):
        made = table(running)
        count = scripted(running, made, Boundaries(lambda n, start=start: n % 3 == start))
        assert count > 30
        assert lines(running, made) == expected


def test_cut_once_at_each_boundary_of_the_first_moves(running: Running) -> None:
    whole = table(running)
    count = scripted(running, whole, Boundaries(lambda n: False))
    expected = lines(running, whole)
    for boundary in range(1, min(count, 16) + 1):
        made = table(running)
        scripted(running, made, Boundaries(lambda n, boundary=boundary: n == boundary))
        assert lines(running, made) == expected, boundary


@pytest.mark.slow
def test_cut_once_at_each_boundary_of_the_whole_game(running: Running) -> None:
    whole = table(running)
    count = scripted(running, whole, Boundaries(lambda n: False))
    expected = lines(running, whole)
    for boundary in range(1, count + 1):
        made = table(running)
        scripted(running, made, Boundaries(lambda n, boundary=boundary: n == boundary))
        assert lines(running, made) == expected, boundary


def test_moves_sent_many_times_in_any_order_count_once(running: Running) -> None:
    from random import Random

    chance = Random(3)
    whole, made = table(running), table(running)
    with Client(running.port, whole["table"], whole["token"]) as client:
        play(client)
    with Client(running.port, made["table"], made["token"]) as client:
        sent: list[dict[str, Any]] = []
        while (message := client.message(steady)) is not None:
            sent.append(message)
            again = [message, *chance.choices(sent, k=chance.randrange(5))]
            chance.shuffle(again)
            for one in again:
                client.send(one)
            answers = [client.hear("ack", "refused") for _ in again]
            assert all(answer["type"] == "ack" for answer in answers), answers
            client.settle(max(answer["n"] for answer in answers))
    assert lines(running, made) == lines(running, whole)
    assert json.loads(lines(running, made)[-1])[0] == "over"
