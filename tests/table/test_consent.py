"""At the table: what was seen is taken back when all persons agree; dice that people roll themselves."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from beachhead.bots import Bot
from beachhead.core import record as records
from beachhead.core.errors import Illegal, Stale
from beachhead.core.node import Over
from beachhead.core.record import Undone
from beachhead.table.hub import (
    AskedAlready,
    Created,
    Forbidden,
    Guest,
    Hub,
    PresenceChanged,
    SeatPlan,
    StorageError,
    TooLate,
)

from .test_hub import BOT, OPEN, PERSON, house, listen, run, say, stored
from .tiny_game import GAMES


async def two(hub: Hub, **options: bool) -> tuple[Created, Guest, Guest]:
    """A table of two people at two screens: seat 0 is the host's."""
    made = await hub.create({"rounds": 3}, [PERSON, OPEN], **options)  # type: ignore[arg-type]
    return made, await hub.enter(made.id, made.host_token), await hub.enter(made.id, made.seat_tokens[1])


async def rolled(guest: Guest, seat: int = 0) -> int:
    """This seat rolls: from here on its answer is seen."""
    await say(guest, seat, "red")
    return await say(guest, seat, "roll")


async def marks(hub: Hub, made: Created) -> list[list[object]]:
    return [line for line in map(json.loads, (await stored(hub, made.id))[1:]) if line[0] == "undo"]


# ---- alone


def test_who_plays_alone_takes_back_what_was_seen_and_it_is_marked(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 3}, [PERSON, PERSON])
            host = await hub.enter(made.id, made.host_token)
            n = await rolled(host)
            with pytest.raises(TooLate):
                await host.undo("u1", n, 0)
            after = await host.undo("u2", n, 0, beyond=True)
            assert after == n + 1 == host.n and host.table.request is None
            assert host.match.record.entries[-1] == Undone(2, True)
            assert await marks(hub, made) == [["undo", 2, True]]
            assert await host.undo("u2", n, 0, beyond=True) == after
            assert host.n == after

    run(script())


def test_a_free_undo_needs_nobody_and_no_mark(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made, host, _ = await two(hub)
            n = await say(host, 0, "red")
            assert await host.undo("u", n, 0, beyond=True) == n + 1
            assert host.table.request is None and await marks(hub, made) == [["undo", 1]]

    run(script())


def test_seats_of_bots_and_empty_seats_are_not_asked(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            for other in (BOT, OPEN):
                made = await hub.create({"rounds": 3}, [PERSON, other])
                host = await hub.enter(made.id, made.host_token)
                await rolled(host)
                while other is BOT and host.match.decision(1) is not None:
                    await asyncio.sleep(0.01)
                before = host.n
                await host.undo("u", before, 0, beyond=True)
                assert host.table.request is None and host.n > before

    run(script())


def test_practice_goes_back_to_the_first_answer_whoever_answered(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 2}, [PERSON, PERSON], practice=True)
            host = await hub.enter(made.id, made.host_token)
            for seat in (0, 1, 1, 0):
                await rolled(host, seat)
            assert isinstance(host.match.node(), Over)
            turns = 0
            while host.match.last_undo(0, agreed=True):
                await host.undo(f"u{turns}", host.n, 0, beyond=True)
                turns += 1
            assert turns == 4 and [step.entry[0] for step in host.match._course.steps] == ["deal"]
            assert all(len(line) == 2 for line in await marks(hub, made))

    run(script())


# ---- with others


def test_it_is_taken_back_when_the_other_agrees(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made, host, other = await two(hub)
            n = await rolled(host)
            heard = listen(other)
            assert await host.undo("u", n, 0, beyond=True) == n == host.n
            assert heard == [PresenceChanged()]
            asked = other.table.request
            assert asked is not None and (asked.id, asked.seat, asked.wait) == ("u", 0, {1})
            assert await host.undo("u", n, 0, beyond=True) == n
            assert await other.agree("a", "u") == n + 1
            assert other.table.request is None and host.match.decision(0) is not None
            (change,) = [news for news in heard if not isinstance(news, PresenceChanged)]
            assert (change.by, change.taken) == ("u", 1)  # type: ignore[union-attr]
            assert await marks(hub, made) == [["undo", 2, True]]
            # what is sent again is answered as before and happens once
            assert await other.agree("a", "u") == n + 1
            assert await host.undo("u", n, 0, beyond=True) == n + 1
            assert host.n == n + 1

    run(script())


def test_answers_of_the_other_go_with_it_when_they_agree(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made, host, other = await two(hub)
            await say(host, 0, "red")
            n = await say(other, 1, "blue")
            with pytest.raises(TooLate):
                await host.undo("u1", n, 0)
            await host.undo("u2", n, 0, beyond=True)
            await other.agree("a", "u2")
            assert await marks(hub, made) == [["undo", 2]]
            assert host.match.seen == 0

    run(script())


def test_only_those_who_are_asked_may_agree_or_refuse(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made, host, other = await two(hub)
            watcher = await hub.enter(made.id, made.watch_token)
            n = await rolled(other, 1)
            await other.undo("u", n, 1, beyond=True)
            assert host.table.request is not None and host.table.request.wait == {0}
            with pytest.raises(Forbidden):
                await watcher.agree("w", "u")
            with pytest.raises(Forbidden):
                await watcher.agree("w2", "u", yes=False)
            with pytest.raises(Forbidden):
                await other.agree("mine", "u")
            assert host.n == n
            assert await host.agree("a", "u") == n + 1

    run(script())


def test_one_refusal_drops_it_and_who_asked_may_withdraw(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made, host, other = await two(hub)
            n = await rolled(host)
            for id, guest in (("u1", other), ("u2", host)):
                await host.undo(id, n, 0, beyond=True)
                assert await guest.agree(f"no-{id}", id, yes=False) == n
                assert host.table.request is None
                assert await guest.agree(f"no-{id}", id, yes=False) == n
                with pytest.raises(Stale):
                    await other.agree(f"yes-{id}", id)
                # sent again by a line that was dead: it is not asked again
                assert await host.undo(id, n, 0, beyond=True) == n
                assert host.table.request is None
            assert host.n == n and await marks(hub, made) == []

    run(script())


def test_only_one_thing_is_asked_at_a_time(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            _, host, other = await two(hub)
            await rolled(host)
            n = await rolled(other, 1)
            await host.undo("u", n, 0, beyond=True)
            with pytest.raises(AskedAlready):
                await other.undo("v", n, 1, beyond=True)
            assert host.table.request is not None and host.table.request.id == "u"
            await host.undo("w", n, 0, beyond=True)
            assert host.table.request.id == "w"
            with pytest.raises(Stale):
                await other.agree("a", "u")

    run(script())


def test_any_move_drops_it(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            _, host, other = await two(hub)
            n = await rolled(host)
            await host.undo("u", n, 0, beyond=True)
            await say(other, 1, "blue")
            assert host.table.request is None
            with pytest.raises(Stale):
                await other.agree("a", "u")
            with pytest.raises(Stale):
                await host.undo("v", n, 0, beyond=True)
            await host.undo("w", host.n, 0, beyond=True)
            assert host.table.request is not None

    run(script())


def test_of_a_move_and_an_agreement_at_the_same_time_one_happens(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            for first in ("move", "agree"):
                made, host, other = await two(hub)
                n = await rolled(host)
                await host.undo("u", n, 0, beyond=True)
                decision = other.match.decision(1)
                assert decision is not None
                move, agree = other.move("m", n, 1, decision.seq, "blue"), other.agree("a", "u")
                answers = await asyncio.gather(
                    *((move, agree) if first == "move" else (agree, move)), return_exceptions=True
                )
                assert isinstance(answers[0], int) and isinstance(answers[1], Stale), answers
                assert await marks(hub, made) == ([] if first == "move" else [["undo", 2, True]])
                assert host.table.request is None
                assert records.replay(host.match.record, GAMES).finish().state == host.match.state

    run(script())


def test_a_base_from_before_an_answer_is_stale(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            _, host, other = await two(hub)
            base = await rolled(host)
            await say(other, 1, "blue")
            with pytest.raises(Stale):
                await host.undo("u", base, 0, beyond=True)
            assert host.table.request is None

    run(script())


def test_it_is_forgotten_when_the_server_starts_again(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made, host, _ = await two(hub)
            n = await rolled(host)
            await host.undo("u", n, 0, beyond=True)
        async with house(tmp_path) as hub:
            host, other = await hub.enter(made.id, made.host_token), await hub.enter(made.id, made.seat_tokens[1])
            assert host.n == n and host.table.request is None
            with pytest.raises(Stale):
                await other.agree("a", "u")
            await host.undo("u", n, 0, beyond=True)
            assert await other.agree("b", "u") == n + 1
        async with house(tmp_path) as hub:
            host = await hub.enter(made.id, made.host_token)
            assert host.match.seen == 1 and host.match.decision(0) is not None
            assert await host.undo("u", n, 0, beyond=True) == n + 1 == host.n

    run(script())


def test_who_comes_or_goes_and_a_closed_table_drop_it(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made, host, other = await two(hub)
            n = await rolled(host)
            await host.undo("u1", n, 0, beyond=True)
            await other.name(1, "Ben")
            assert host.table.request is not None
            await host.host("close")
            assert host.table.request is None
            with pytest.raises(Forbidden):
                await host.undo("u2", n, 0, beyond=True)
            await host.host("reopen")
            await host.undo("u3", n, 0, beyond=True)
            await host.host("open", 1)
            assert host.table.request is None and not other.here
            with pytest.raises(Forbidden):
                await other.agree("a", "u3")
            assert await marks(hub, made) == []

    run(script())


def test_bots_wait_while_a_person_is_asked(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            _, host, _ = await two(hub)
            n = await rolled(host)
            await host.undo("u", n, 0, beyond=True)
            # the tiny game has two seats only: the one that is asked stands for the bot, too
            table = host.table
            table.seats[1].who, table.seats[1].bot = "bot", "random"
            table.wake_bots()
            assert table._bot_task is None and host.n == n
            table.drop_request()
            while host.n == n:
                await asyncio.sleep(0.01)

    run(script())


def test_a_store_that_fails_leaves_the_request_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made, host, other = await two(hub)
            n = await rolled(host)
            await host.undo("u", n, 0, beyond=True)

            def full(*_: object) -> asyncio.Future[int]:
                failed: asyncio.Future[int] = asyncio.get_running_loop().create_future()
                failed.set_exception(StorageError("full", file="tables.db"))
                return failed

            with monkeypatch.context() as patch:
                patch.setattr(hub.store, "append", full)
                with pytest.raises(StorageError):
                    await other.agree("a", "u")
            assert host.n == n and host.table.request is not None
            assert await other.agree("a", "u") == n + 1
            assert await marks(hub, made) == [["undo", 2, True]]

    run(script())


# ---- dice of their own


def test_dice_are_entered_by_those_whose_they_are_or_the_host(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made, host, other = await two(hub, own_dice=True)
            watcher = await hub.enter(made.id, made.watch_token)
            n = await rolled(host)
            assert (host.may_enter, other.may_enter, watcher.may_enter) == ((0,), (), ())
            for guest, seat in ((other, 0), (other, 1), (watcher, 0), (watcher, 1)):
                with pytest.raises(Forbidden):
                    await guest.roll("r", n, seat, "dice0:0", [1, 2])
            with pytest.raises(Illegal):
                await host.roll("r", n, 0, "dice0:0", [1, 7])
            assert host.n == n
            after = await host.roll("r1", n, 0, "dice0:0", [1, 2])
            assert await host.roll("r1", n, 0, "dice0:0", [1, 2]) == after == host.n == n + 1
            with pytest.raises(Stale):
                await host.roll("r2", after, 0, "dice0:0", [1, 2])
            n = await rolled(other, 1)
            assert (host.may_enter, other.may_enter) == ((1,), (1,))
            await host.roll("r3", n, 1, "dice1:0", [5, 5])

    run(script())


def test_people_roll_for_bots(tmp_path: Path) -> None:
    async def script() -> None:
        bots = {"rolls": Bot("rolls", "", lambda decision, view, rng: decision.keys[0])}
        async with house(tmp_path, bots=bots) as hub:
            made = await hub.create({"rounds": 9}, [PERSON, SeatPlan("bot", "rolls")], own_dice=True)
            host = await hub.enter(made.id, made.host_token)
            while not host.match.waits_for:
                await asyncio.sleep(0.01)
            assert host.match.roller == 1 and host.may_enter == (0,)
            number = host.match.waits_for.number  # type: ignore[union-attr]
            n = await host.roll("for the bot", host.n, 0, f"dice1:{number}", [6, 6])
            assert n <= host.n
            entry = host.match.entries(n - 1)[0]
            assert entry[2] == (6, 6) and entry[4] == 0  # type: ignore[misc]

    run(script())


def test_the_wait_for_dice_outlives_the_server(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made, host, _ = await two(hub, own_dice=True)
            n = await rolled(host)
        for faces in ([3, 4], [6, 6]):
            async with house(tmp_path) as hub:
                host = await hub.enter(made.id, made.host_token)
                assert host.match.waits_for is not None and host.n == n
                n = await host.roll(f"r{n}", n, 0, "dice0:0", faces)
                n = await host.undo(f"u{n}", n, 0)
        async with house(tmp_path) as hub:
            host = await hub.enter(made.id, made.host_token)
            await host.roll("last", n, 0, "dice0:0", [])
            found = [json.loads(line) for line in (await stored(hub, made.id))[1:]]
            kinds = [(line[0], line[3], line[5:]) for line in found if line[0] == "roll"]
            assert kinds[1:3] == [("roll", [3, 4], [0]), ("roll", [6, 6], [0])] and kinds[3][2] == []

    run(script())
