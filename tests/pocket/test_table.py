"""Battle! and Express! at the table: records, undo, bots, saving, all as in every other game."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from beachhead.core import chance, record
from beachhead.core.errors import Illegal, Invalid, Stale
from beachhead.core.node import Answer, Ask, Over
from beachhead.games import GAMES
from beachhead.table.hub import SeatPlan
from beachhead.table.match import Match
from tests.table.test_hub import house, run


@pytest.mark.parametrize(("game", "seats"), [("express", 2), ("battle", 3)])
def test_a_person_and_bots_play_a_whole_game_at_a_table(tmp_path: Path, game: str, seats: int) -> None:
    async def script() -> None:
        async with house(tmp_path, games=GAMES) as hub:
            setup = GAMES[game].setup({"seats": seats, "options": ["kommandant"]})
            plans = [SeatPlan(), *(SeatPlan("bot", "thumb") for _ in range(seats - 1))]
            made = await hub.create(setup, plans, game=game, practice=True)
            guest = await hub.enter(made.id, made.host_token)
            rng = Random(4)
            while not isinstance(guest.match.node(), Over):
                decision = guest.match.decision(0)
                if decision is None:
                    await asyncio.sleep(0)
                    continue
                try:
                    await guest.move(f"m{guest.n}", guest.n, 0, decision.seq, rng.choice(decision.keys))
                except (Stale, Invalid, Illegal):  # a bot was quicker
                    await asyncio.sleep(0)
            found = record.parse("".join(guest.lines()).encode(), "")
            assert all(check.status == "ok" for check in record.verify(found, GAMES))
            (summary,) = await hub.summaries()
            assert (summary.game, summary.over) == (game, True)

    run(script())


@pytest.mark.parametrize(
    ("game", "setup"),
    [("express", {"beach": "gold", "options": ["advanced"]}), ("battle", {"options": ["kommandant"]})],
)
def test_a_game_is_undone_saved_and_read_back(tmp_path: Path, game: str, setup: dict[str, object]) -> None:
    rng = Random(9)
    match = Match.new(GAMES[game], GAMES[game].setup(setup), chance.seed_from("undo"), True)
    for _ in range(12):
        node = match.node()
        if not isinstance(node, Ask):
            break
        decision = node.decision(node.seats[0])
        match.answer(Answer(decision.seat, decision.seq, rng.choice(decision.keys)))
        before = match.game.machine.dump(match.state)
        match.undo()
        match.redo()
        assert match.game.machine.dump(match.state) == before
    path = tmp_path / "game.jsonl"
    match.save(path)
    again = Match.load(path, GAMES)
    assert again.game.machine.dump(again.state) == match.game.machine.dump(match.state)
    assert all(check.status in ("ok", "open") for check in record.verify(record.read(path), GAMES))
