"""A bot that fails costs its seat one answer by chance and a line in the log."""

from __future__ import annotations

import logging
from random import Random
from typing import Any

import pytest

from beachhead.bots import BOTS, PATIENCE, Bot, safe_answer
from beachhead.core.node import Decision
from beachhead.say import LANGUAGES, messages_for

ASKED = Decision(0, 3, "one", "move", ("stay", "move:2"), "F-MOVE-01", "")


@pytest.mark.parametrize("nonsense", ["", "fly", None, 7, "move:9"])
def test_nonsense_is_not_passed_on(nonsense: Any, caplog: pytest.LogCaptureFixture) -> None:
    odd = Bot("odd", "", lambda decision, view, rng: nonsense)
    with caplog.at_level(logging.WARNING):
        assert safe_answer(odd, ASKED, dict, Random(1)) in ASKED.keys
    assert "odd" in caplog.text and repr(nonsense) in caplog.text and "'move'" in caplog.text


def test_a_crash_is_not_passed_on(caplog: pytest.LogCaptureFixture) -> None:
    def crashes(decision: Any, view: Any, rng: Any) -> str:
        return str(view()["nothing"])

    with caplog.at_level(logging.WARNING):
        assert safe_answer(Bot("bad", "", crashes), ASKED, dict, Random(1)) in ASKED.keys
    assert "bad" in caplog.text and "KeyError" in caplog.text


def test_a_bot_cannot_end_the_program(caplog: pytest.LogCaptureFixture) -> None:
    class Odd(BaseException):
        """No Exception."""

    for error in (SystemExit(3), Odd()):

        def leaves(decision: Any, view: Any, rng: Any, error: BaseException = error) -> str:
            raise error

        with caplog.at_level(logging.WARNING):
            assert safe_answer(Bot("odd", "", leaves), ASKED, dict, Random(1)) in ASKED.keys
    assert "SystemExit(3)" in caplog.text and "Odd()" in caplog.text


def test_the_keyboard_stops_a_bot_that_thinks() -> None:
    def waits(decision: Any, view: Any, rng: Any) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        safe_answer(Bot("slow", "", waits), ASKED, dict, Random(1))


def test_a_good_answer_is_passed_on_in_silence(caplog: pytest.LogCaptureFixture) -> None:
    good = Bot("good", "", lambda decision, view, rng: "move:2")
    with caplog.at_level(logging.WARNING):
        assert safe_answer(good, ASKED, dict, Random(1)) == "move:2"
    assert not caplog.text


def test_every_bot_has_a_rank_and_a_limit() -> None:
    for language in LANGUAGES:
        said = messages_for(language, "server.bot.")
        for code, bot in BOTS.items():
            assert said[f"server.bot.{code}"] and said[f"server.bot.{code}-about"]
            assert 0 < bot.limit <= PATIENCE
