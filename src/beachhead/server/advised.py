"""What the adviser says, in words: to an open question, about an answer of a past game, and of a whole game."""

from __future__ import annotations

from typing import Any, cast

from ..advise import HOW
from ..core.node import Decision
from ..say import capital, language
from ..table.adviser import Given, Opinion, Reviewing
from ..table.hub import Guest
from ..table.match import Match
from . import messages as m
from .shown import known, tell


def advice(given: Given) -> m.Advice:
    """What is said to a question, in the language that is spoken."""
    found = given.advice
    options = [
        m.Advised(
            one.key,
            label(given.match, given.decision, one.key),
            _share(one.value),
            _share(one.low),
            _share(one.high),
            gains(dict(one.gives)),
        )
        for one in found.options
    ]
    how: Any = found.how if found.how in HOW else "learned"
    return m.Advice(given.n, found.seat, found.seq, how, options, found.games, list(given.why.get(language(), ())))


def label(match: Match, decision: Decision, key: str) -> str:
    """An answer in words."""
    return capital(match.game.label(match.state, decision, key))


def gains(gives: dict[str, float]) -> list[m.Gain]:
    return [m.Gain(id, tell(f"resource.{id}"), round(n, 2)) for id, n in gives.items() if known(f"resource.{id}")]


def _share(value: float) -> float:
    return round(min(1.0, max(0.0, value)), 6)


# ---------------------------------------------------------------------------------------------------- past games


def opinion(found: Opinion | None) -> dict[str, Any]:
    """What was answered there, and what the adviser says to it; both may be nothing."""
    given = found.given if found else None
    return {
        "key": found.key if found else "",
        "seat": found.seat if found else -1,
        "advice": advice(given) if given else None,
    }


async def review(guest: Guest, found: Reviewing | None) -> dict[str, Any]:
    """How far the adviser is with a game, and what it says of it."""
    if found is None:
        return {"state": "none"}
    if found.failed:
        return {"state": "failed", "why": capital(found.why)}
    if found.found is None:
        return {"state": "working", "done": found.done, "of": found.of}
    told = dict(found.found)
    told["costly"] = [await _costly(guest, one) for one in told["costly"]]
    return {"state": "done", "review": told}


async def _costly(guest: Guest, one: dict[str, Any]) -> dict[str, Any]:
    """A choice with its question and both answers in words."""
    match = await guest.past(one["entry"])
    decision = cast(Decision, match.decision(one["seat"]))
    named = {
        which: {
            **one[which],
            "label": label(match, decision, one[which]["key"]),
            "gives": gains(one[which]["gives"]),
        }
        for which in ("chosen", "best")
    }
    return {**one, **named, "prompt": match.game.prompt(match.state, decision)}
