"""S14: whatever is sent, over HTTP or the socket, the server stays on its feet and answers in words."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any, get_args
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from beachhead.server import messages
from beachhead.server.app import make_app

from .running import Client, ConnectionClosed, Running, ask

pytestmark = pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisDeprecationWarning")
"""The server in its thread draws masks and pings while examples are drawn here."""
SOME = settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """No failure of ours was noted."""
    caplog.set_level(logging.ERROR)
    yield
    assert not caplog.records, caplog.text


def typed(kind: type) -> st.SearchStrategy[Any]:
    """Something for a field of this kind, mostly fitting."""
    fitting: dict[Any, st.SearchStrategy[Any]] = {
        "str": st.sampled_from(["", "x", "0", "é", "lock:R1,W2", "roll:none", "A" * 300, "\x00"])
        | st.text(max_size=30),
        "int": st.sampled_from([0, 1, -1, 2**31, -(2**63), 7]) | st.integers(),
        "bool": st.booleans(),
    }
    acts = st.sampled_from(["bot", "open", "name", "close", "reopen", "chat-off", "chat-on", "fly"])
    found = fitting.get(str(kind), acts | st.sampled_from(["screen", "keys"]))
    return st.one_of(found, found, found, PLAIN)


def message_of(kind: type) -> st.SearchStrategy[dict[str, Any]]:
    fields = {name: typed(hint) for name, hint in kind.__annotations__.items()}
    tag = kind.__struct_config__.tag  # type: ignore[attr-defined]
    return st.fixed_dictionaries({"type": st.just(tag)}, optional=fields)


KINDS = list(get_args(messages.FromGuest))
MESSAGES = st.one_of([message_of(kind) for kind in KINDS]) | PLAIN


class Guest:
    """A guest who is let in again each time it is sent away."""

    def __init__(self, running: Running) -> None:
        self.running = running
        self.made = running.create(("person", "open"))
        self.client = Client(running.port, self.made["table"], self.made["token"])

    def throw(self, data: str | bytes) -> None:
        client = self.client
        if client.ws is None:
            client.n = -1
            assert client.greet()["type"] == "welcome"
        assert client.ws is not None
        try:
            client.ws.send(data)
            client.send({"type": "ping", "t": 1})
            found = client.hear("pong", "bye")
            while found["type"] == "bye":
                assert "went wrong" not in found["text"], data
                found = client.hear("bye")
        except ConnectionClosed as closed:
            code = closed.rcvd.code if closed.rcvd is not None else 1006
            assert code in (1000, 1007, 1008, 1009, 1013), (code, data)
            client.cut()


@pytest.fixture(scope="module")
def guest(running: Running) -> Guest:
    return Guest(running)


@SOME
@given(st.lists(MESSAGES, min_size=1, max_size=5))
def test_s14_messages_of_any_shape(guest: Guest, thrown: list[Any]) -> None:
    for message in thrown:
        if isinstance(message, dict) and message.get("type") == "hello":
            message = {**message, "table": guest.made["table"]}
        guest.throw(json.dumps(message))


@SOME
@given(st.text(max_size=200) | st.binary(max_size=200))
def test_s14_messages_that_are_none(guest: Guest, thrown: str | bytes) -> None:
    guest.throw(thrown.encode("utf-8", "replace").decode() if isinstance(thrown, str) else thrown)


def test_s14_messages_that_are_deep_or_odd(guest: Guest) -> None:
    for thrown in (
        "[" * 8000,
        '{"type":' * 2000,
        '{"type": "ping", "t": 1e400}',
        '"\\ud800"',
        "null",
        "9" * 5000,
        "{}",
    ):
        guest.throw(thrown)


class NoHub:
    loaded = 0


def routes() -> list[tuple[str, str]]:
    found = []
    for route in make_app(NoHub()).routes:  # type: ignore[arg-type]
        for method in sorted(route.methods or ()):
            found.append((method, route.path))
    return found


SEGMENT = st.sampled_from(["x", "first", "n01-exercise-tiger", "F-ROLL-01", "..", "%00", ".git"]) | st.text(max_size=12)
VALUE = st.sampled_from(["", "0", "-1", "99999999999999999999", "fr", "xx", "dark", "practice-run"]) | st.text(
    max_size=12
)
NAMES = st.sampled_from(["lang", "q", "at", "text", "level", "theme", "x"])
FIELDS = st.sampled_from(
    ["id", "seat", "seq", "base", "key", "dice", "die", "stem", "amount", "act", "link", "name", "map"]
)
BODIES = st.one_of(
    st.binary(max_size=60),
    PLAIN.map(lambda value: json.dumps(value).encode()),
    st.dictionaries(
        st.sampled_from(["setup", "seats", "practice", "title", "record", "fork", "at", "token", "seed"]),
        PLAIN,
        max_size=4,
    ).map(lambda value: json.dumps(value).encode()),
    st.lists(st.tuples(FIELDS, VALUE), max_size=5).map(
        lambda pairs: "&".join(f"{name}={quote(value, safe='')}" for name, value in pairs).encode()
    ),
)
KIND = st.sampled_from(["application/json", "application/x-www-form-urlencoded", "text/plain", "x", ""])
METHODS = st.sampled_from(["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"])


@SOME
@given(st.data())
def test_s14_requests_of_any_shape_to_every_route(running: Running, guest: Guest, data: st.DataObject) -> None:
    table, token = guest.made["table"], guest.made["token"]
    for method, path in routes():
        if data.draw(st.integers(0, 3)):
            continue
        parts = []
        for part in path.split("/"):
            if "{table}" in part:
                part = data.draw(st.sampled_from([table, "nowhere"])) if data.draw(st.booleans()) else part
            if "{" in part:
                drawn = quote(data.draw(SEGMENT), safe="%")
                part = f"{drawn}.svg" if part.endswith(".svg") else drawn
            parts.append(part)
        query = data.draw(st.dictionaries(NAMES, VALUE, max_size=3))
        target = "/".join(parts) or "/"
        if query:
            target += "?" + "&".join(f"{name}={quote(value, safe='')}" for name, value in query.items())
        method = (
            data.draw(st.sampled_from([method, method, method])) if data.draw(st.booleans()) else data.draw(METHODS)
        )
        headers = {"content-type": data.draw(KIND)}
        if data.draw(st.booleans()):
            headers |= {"cookie": f"seat={token}", "authorization": f"Bearer {token}", "x-tokens": f"{table}={token}"}
        body = data.draw(BODIES) if method in ("POST", "PUT", "PATCH") else None
        found = ask(running.port, method, target, body, headers)
        assert found.status < 500, (method, target, headers, body, found.body)


@SOME
@given(st.binary(max_size=300))
def test_s14_records_of_any_bytes(running: Running, data: bytes) -> None:
    found = ask(running.port, "POST", "/api/verify", data, {"content-type": "text/plain"})
    assert found.status == 400
    assert found.json["error"]
