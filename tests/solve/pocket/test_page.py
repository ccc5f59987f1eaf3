"""`docs/pocket-solved.md` is what the command makes now."""

from __future__ import annotations

from pathlib import Path

import pytest

from beachhead.say import speak
from beachhead.solve import pocket_express, pocket_page, pocket_store

PAGE = Path(__file__).parents[3] / "docs" / "pocket-solved.md"


def _solve(beach: str, players: int, specialists: bool, kommandant: str) -> pocket_express.Solved:
    rules = pocket_express.rules_of(beach, players, specialists, kommandant)
    known = pocket_store.known_express(rules)
    assert known or not specialists, "the tables that come with Beachhead are for other content"
    return known or pocket_express.solve(rules)


def test_the_page_is_current(monkeypatch: pytest.MonkeyPatch) -> None:
    """But for the sample, which would take longer."""
    speak("en")
    monkeypatch.setattr(pocket_page, "GAMES", 1000)
    found, wanted = (
        text.partition("\n### With Medals")[0] for text in (pocket_page.page(_solve), PAGE.read_text("utf-8"))
    )
    assert found == wanted


def test_tables_that_come_along_are_right_about_themselves() -> None:
    """One state of each beach once more: the bunker is worth what the sector before it says."""
    for beach in pocket_express.beaches():
        rules = pocket_express.rules_of(beach)
        solved = pocket_store.known_express(rules)
        assert solved is not None
        last = pocket_express.Stage(6, 6)
        general = rules.bit("change")
        job = pocket_express.work(rules, last, [(0, 0, 0), (general, 0, 0)], {})
        demands = pocket_express.results(rules, last)
        chances = list(demands.values())
        found = pocket_express.turns(job, list(demands))
        for n, state in enumerate(job.states):
            assert sum(chances[m] * found[m, n] for m in range(len(chances))) == pytest.approx(
                solved.values[last][state], abs=1e-13
            )
