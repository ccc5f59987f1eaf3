"""The hub: who may answer, what everybody hears, and what stays when something goes wrong."""

from __future__ import annotations

import asyncio
import gc
import random
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from beachhead.bots import BOTS, Bot
from beachhead.core import record as records
from beachhead.core.errors import Illegal, Invalid, RecordError, SetupError, Stale
from beachhead.core.machine import Frame, Machine
from beachhead.core.node import Answer, Ask, Over
from beachhead.games import GAMES as REAL
from beachhead.table.hub import (
    Change,
    Created,
    Dropped,
    Forbidden,
    Guest,
    Hub,
    News,
    NoSuchTable,
    NotAdmitted,
    OtherContent,
    PresenceChanged,
    Quarantined,
    Said,
    SeatPlan,
    StorageError,
    TooLate,
    WrongToken,
    new_id,
)
from beachhead.table.match import Match
from beachhead.table.running import MOST_FAULTS
from beachhead.table.store import SqliteStore

from .tiny_game import GAMES, SEED, TINY, Tiny, machine

PERSON, OPEN, BOT = SeatPlan(), SeatPlan("open"), SeatPlan("bot", "random")


def run(script: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(script, 300))


@asynccontextmanager
async def house(folder: Path, **options: Any) -> AsyncIterator[Hub]:
    """A hub on the store of this folder; everything is closed at the end."""
    store = SqliteStore(folder / "tables.db", busy=options.pop("busy", 2.0))
    hub = Hub(
        store,
        options.pop("games", GAMES),
        options.pop("bots", BOTS),
        bot_delay=options.pop("bot_delay", 0),
        reports=folder / "reports",
        **options,
    )
    try:
        yield hub
    finally:
        await hub.close()
        await store.close()


def listen(guest: Guest) -> list[News]:
    heard: list[News] = []
    guest.listen(heard.append)
    return heard


def changes(heard: list[News]) -> list[Change]:
    return [news for news in heard if isinstance(news, Change)]


_count = iter(range(10**9))


async def say(guest: Guest, seat: int, key: str, id: str = "") -> int:
    """This seat gives this answer to its open question."""
    decision = guest.match.decision(seat)
    assert decision is not None, f"seat {seat} is not asked"
    return await guest.move(id or f"say{next(_count)}", guest.n, seat, decision.seq, key)


async def play_on(guest: Guest, rng: random.Random, answers: int = 10**6, seats: tuple[int, ...] = (0, 1)) -> None:
    """Random answers of these seats to the end, or so many."""
    while answers and isinstance(node := guest.match.node(), Ask):
        mine = [seat for seat in node.seats if seat in seats]
        decision = node.decision(rng.choice(mine))
        await say(guest, decision.seat, rng.choice(decision.keys))
        answers -= 1


def reports(folder: Path) -> str:
    return "\n".join(path.read_text() for path in sorted((folder / "reports").glob("*.txt")))


async def stored(hub: Hub, id: str) -> list[str]:
    """The record as it is stored, the header first."""
    found = await hub.store.load(id, 1000)
    assert found is not None
    assert [entry.n for entry in found.entries] == list(range(1, len(found.entries) + 1))
    return [found.head.table.header, *(entry.line for entry in found.entries)]


def proven(lines: list[str]) -> bool:
    text = "".join(line.rstrip("\n") + "\n" for line in lines)
    checks = records.verify(records.parse(text.encode(), "stored"), GAMES)
    return all(check.status == "ok" for check in checks)


# ---- a table


def test_several_guests_at_one_table_hear_the_same_and_the_record_is_proven(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 4}, [PERSON, OPEN], title=" A\ttable ")
            host = await hub.enter(made.id, made.host_token)
            assert (host.table.title, host.seats, host.is_host) == ("A table", (0,), True)
            assert [seat.who for seat in host.table.seats] == ["person", "open"]
            heard = [listen(host)]
            friend = await hub.enter(made.id, made.seat_tokens[1])
            assert friend.seats == (1,) and not friend.is_host
            assert [(seat.who, seat.here) for seat in host.table.seats] == [("person", 1), ("person", 1)]
            assert PresenceChanged() in heard[0]
            watcher = await hub.enter(made.id, made.watch_token)
            assert watcher.seats == () and not watcher.is_host
            heard += [listen(friend), listen(watcher)]
            rng = random.Random(1)
            start = host.n
            opening = len(host.match.events)
            while isinstance(node := host.match.node(), Ask):
                decision = node.decision(rng.choice(node.seats))
                player = host if decision.seat == 0 else friend
                before = host.n
                n = await say(player, decision.seat, rng.choice(decision.keys))
                assert n == host.n == friend.n > before
            told = [changes(one) for one in heard]
            assert told[0] == told[1] == told[2]
            assert [change.before for change in told[0]] == [start] + [change.n for change in told[0]][:-1]
            assert [event for change in told[0] for event in change.events] == host.match.events[opening:]
            assert all(change.by for change in told[0])
            lines = host.lines()
            assert [line.rstrip("\n") for line in lines] == await stored(hub, made.id)
            assert proven(lines)
            summary = await hub.summary(made.id, made.watch_token)
            assert (summary.over, summary.n, summary.title) == (True, host.n, "A table")
            assert summary.won == host.match.node().won  # type: ignore[union-attr]

    run(script())


def test_each_guest_may_only_do_what_its_tokens_allow(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 4}, [PERSON, OPEN])
            other = await hub.create({"rounds": 4}, [PERSON, OPEN])
            wrong = [("nowhere", made.host_token, NoSuchTable), ("../x", made.host_token, NoSuchTable)]
            for token in ("", ".", "x", made.host_token[:-1], other.host_token, other.seat_tokens[1], "é\ud800"):
                wrong.append((made.id, token, WrongToken))
            for id, token, kind in wrong:
                with pytest.raises(NotAdmitted, match="no such table, or this link") as caught:
                    await hub.enter(id, token)
                assert type(caught.value) is kind
                with pytest.raises(NotAdmitted):
                    await hub.summary(id, token)
            assert hub.loaded == 0
            host = await hub.enter(made.id, made.host_token)
            friend = await hub.enter(made.id, made.seat_tokens[1])
            watcher = await hub.enter(made.id, made.watch_token)
            decision = host.match.decision(1)
            assert decision is not None
            for guest in (host, watcher):
                with pytest.raises(Forbidden, match="do not play seat 1"):
                    await guest.move("m", guest.n, 1, decision.seq, "red")
                with pytest.raises(Forbidden):
                    await guest.undo("m", guest.n, 1)
                with pytest.raises(Forbidden):
                    await guest.name(1, "me")
            for guest in (friend, watcher):
                with pytest.raises(Forbidden, match="only the host"):
                    await guest.host("close")
            with pytest.raises(Forbidden):
                await watcher.say("m", "hello")
            with pytest.raises(Forbidden, match="when the game is over"):
                host.lines()
            friend.leave()
            friend.leave()
            assert not friend.here and host.table.seats[1].here == 0
            with pytest.raises(Forbidden, match="no longer at this table"):
                await friend.move("m", friend.n, 1, decision.seq, "red")
            # several tokens in one: several seats
            both = await hub.enter(made.id, f"{made.seat_tokens[0]}.{made.seat_tokens[1]}.nonsense")
            assert both.seats == (0, 1)
            await say(both, 0, "red")
            await say(both, 1, "blue")

    run(script())


def test_the_host_of_a_table_at_one_screen_plays_all_seats(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 2}, [SeatPlan(name="Ann"), SeatPlan(name="Bob")])
            host = await hub.enter(made.id, made.host_token)
            assert host.seats == (0, 1) and [seat.name for seat in host.table.seats] == ["Ann", "Bob"]
            await play_on(host, random.Random(2))
            assert proven(host.lines())

    run(script())


def test_several_guests_on_one_seat_all_hear_and_each_may_answer(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 4}, [PERSON, OPEN])
            tabs = [await hub.enter(made.id, made.seat_tokens[1]) for _ in range(3)]
            heard = [listen(tab) for tab in tabs]
            assert tabs[0].table.seats[1].here == 3
            for key, tab in (("red", tabs[0]), ("hold", tabs[1])):
                await say(tab, 1, key)
            assert changes(heard[0]) == changes(heard[1]) == changes(heard[2])
            assert len(changes(heard[0])) == 2

    run(script())


# ---- the same move again, and two at once


def test_moves_sent_many_times_in_any_order_give_the_same_record(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            first = await hub.create({"rounds": 5}, [PERSON, PERSON], seed=SEED)
            guest = await hub.enter(first.id, first.host_token)
            rng = random.Random(3)
            moves: list[tuple[str, int, int, int, str]] = []
            replies: dict[str, int] = {}
            while isinstance(node := guest.match.node(), Ask):
                decision = node.decision(rng.choice(node.seats))
                move = (f"id{len(moves)}", guest.n, decision.seat, decision.seq, rng.choice(decision.keys))
                moves.append(move)
                replies[move[0]] = await guest.move(*move)
            wanted = await stored(hub, first.id)

            second = await hub.create({"rounds": 5}, [PERSON, PERSON], seed=SEED)
            guests = [await hub.enter(second.id, second.host_token) for _ in range(3)]
            heard = listen(guests[0])
            told: dict[str, int] = {}
            while len(told) < len(moves):
                batch = [move for move in moves for _ in range(rng.randint(1, 5))]
                rng.shuffle(batch)
                sent = [rng.choice(guests).move(*move) for move in batch]
                for move, reply in zip(batch, await asyncio.gather(*sent, return_exceptions=True), strict=True):
                    if isinstance(reply, int):
                        assert told.setdefault(move[0], reply) == reply
                    else:
                        assert isinstance(reply, Invalid | Stale)
            assert told == replies
            assert await stored(hub, second.id) == wanted
            assert len(changes(heard)) == len(moves)

        async with house(tmp_path) as hub:  # after a restart too
            guest = await hub.enter(second.id, second.host_token)
            rng.shuffle(moves)
            for move in moves:
                assert await guest.move(*move) == replies[move[0]]
            assert await stored(hub, second.id) == wanted
            with pytest.raises(Invalid, match="another move was made under this id"):
                id, base, seat, seq, key = moves[0]
                await guest.move(id, base, seat, seq + 1, key)

    run(script())


def test_of_two_answers_to_one_question_one_is_taken_and_the_other_stale(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 30}, [PERSON, OPEN])
            tabs = [await hub.enter(made.id, made.seat_tokens[1]) for _ in range(2)]
            for turn in range(20):
                decision = tabs[0].match.decision(1)
                if decision is None:
                    host = await hub.enter(made.id, made.host_token)
                    await play_on(host, random.Random(turn), 2, (0,))
                    continue
                base = tabs[0].n
                answers = await asyncio.gather(
                    *(tab.move(f"{turn}-{n}", base, 1, decision.seq, decision.keys[n]) for n, tab in enumerate(tabs)),
                    return_exceptions=True,
                )
                assert isinstance(answers[0], int) and isinstance(answers[1], Stale)
                missed = tabs[1].since(base)
                assert missed is not None and [change.by for change in missed] == [f"{turn}-0"]
                assert missed[-1].n == answers[0] == tabs[1].n

    run(script())


def test_answers_of_other_seats_make_no_answer_stale(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 4}, [PERSON, PERSON])
            guest = await hub.enter(made.id, made.host_token)
            base = guest.n
            seqs = [guest.match.decision(seat).seq for seat in (0, 1)]  # type: ignore[union-attr]
            answers = await asyncio.gather(*(guest.move(f"m{seat}", base, seat, seqs[seat], "red") for seat in (0, 1)))
            assert answers == [base + 1, base + 2]
            for bad in (-1, base + 3):
                with pytest.raises(Invalid, match="is not one it has been at"):
                    await guest.move("later", bad, 0, seqs[0] + 1, "hold")
            for id in ("", "x" * 65, "a\nb"):
                with pytest.raises(Invalid, match="needs an id"):
                    await guest.move(id, base, 0, seqs[0] + 1, "hold")

    run(script())


def test_who_missed_changes_is_told_them_or_that_they_are_not_at_hand(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 300}, [PERSON, PERSON])
            guest = await hub.enter(made.id, made.host_token)
            heard = listen(guest)
            start = guest.n
            await play_on(guest, random.Random(1), 50)
            told = changes(heard)
            assert guest.since(start) == told and guest.since(guest.n) == []
            for place, change in enumerate(told):
                assert guest.since(change.n) == told[place + 1 :]
            inside = [change for change in told if change.n > change.before + 1]
            assert inside and guest.since(inside[0].before + 1) is None
            assert guest.since(guest.n + 1) is None
            await play_on(guest, random.Random(1), 300)
            assert guest.since(start) is None and guest.since(changes(heard)[-200].n) == changes(heard)[-199:]

    run(script())


def test_a_move_whose_sender_has_gone_is_carried_out(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 4}, [PERSON, PERSON])
            guest = await hub.enter(made.id, made.host_token)
            heard = listen(guest)
            before = guest.n
            sending = asyncio.create_task(say(guest, 0, "red", "gone"))
            await asyncio.sleep(0)
            sending.cancel()
            await say(guest, 1, "blue", "stays")
            assert [change.by for change in changes(heard)] == ["gone", "stays"]
            assert guest.n == before + 2 == len(await stored(hub, made.id)) - 1

    run(script())


# ---- restart


def test_after_a_restart_in_the_middle_of_a_question_the_same_dice_come(tmp_path: Path) -> None:
    async def script() -> None:
        rng = random.Random(5)
        control = Match.new(TINY, {"rounds": 6}, SEED)
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 6}, [PERSON, OPEN], seed=SEED)
            await (await hub.enter(made.id, made.seat_tokens[1])).say("c1", "back in a minute")
        restarts = 0
        while True:
            async with house(tmp_path) as hub:
                guest = await hub.enter(made.id, made.host_token + "." + made.seat_tokens[1])
                assert guest.seats == (0, 1) and [said.text for said in guest.table.chat] == ["back in a minute"]
                assert guest.match.state == control.state and guest.match.events == control.events
                assert guest.match.commitment == control.commitment
                node = guest.match.node()
                if isinstance(node, Over):
                    break
                decision = node.decision(rng.choice(node.seats))  # type: ignore[union-attr]
                key = rng.choice(decision.keys)
                await say(guest, decision.seat, key)
                control.answer(Answer(decision.seat, decision.seq, key))
                restarts += 1
        assert restarts > 20
        assert guest.lines() == list(control.record.lines())
        assert proven(guest.lines())

    run(script())


def test_a_store_that_lost_its_seeds_goes_on_under_a_new_one(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 4}, [PERSON, PERSON], seed=SEED)
            await play_on(await hub.enter(made.id, made.host_token), random.Random(1), 5)
        db = sqlite3.connect(tmp_path / "tables.db")
        db.execute("DELETE FROM secrets")
        db.commit()
        db.close()
        for _ in range(2):
            async with house(tmp_path) as hub:
                guest = await hub.enter(made.id, made.host_token)
                lines = await stored(hub, made.id)
                assert len(lines) - 1 == guest.n and sum('"seal"' in line for line in lines) == 1
                await play_on(guest, random.Random(2), 3)
        async with house(tmp_path) as hub:
            guest = await hub.enter(made.id, made.host_token)
            await play_on(guest, random.Random(2))
            found = records.parse("".join(guest.lines()).encode(), "")
            status = {check.name: check.status for check in records.verify(found, GAMES)}
            assert status == {"start": "ok", "steps": "ok", "seeds": "open", "dice": "open", "result": "ok"}

    run(script())


def test_tables_are_loaded_when_somebody_comes_and_forgotten_when_all_left(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path, keep=0.05) as hub:
            made = [await hub.create({"rounds": 4}, [PERSON, PERSON]) for _ in range(5)]
            assert hub.loaded == 0
            guests = await asyncio.gather(*(hub.enter(it.id, it.host_token) for it in made for _ in range(3)))
            assert hub.loaded == 5
            assert guests[0].table is guests[1].table is not guests[3].table
            n = await say(guests[0], 0, "red")
            for guest in guests:
                guest.leave()
            while hub.loaded:
                await asyncio.sleep(0.02)
            guest = await hub.enter(made[0].id, made[0].host_token)
            assert (guest.n, hub.loaded) == (n, 1)

    run(script())


def test_a_hub_that_stops_sends_its_guests_away_and_keeps_what_was_on_its_way(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 4}, [PERSON, PERSON])
            guest = await hub.enter(made.id, made.host_token)
            heard = listen(guest)
            moving = asyncio.create_task(say(guest, 0, "red"))
            await asyncio.sleep(0)
            await hub.close()
            assert heard[-1] == Dropped("the server is being stopped", again=True)
            n = await moving
            with pytest.raises(StorageError, match="stopped"):
                await hub.enter(made.id, made.host_token)
        async with house(tmp_path) as hub:
            assert (await hub.enter(made.id, made.host_token)).n == n

    run(script())


def test_two_hubs_on_one_file_do_not_spoil_a_record(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as one, house(tmp_path) as two:
            made = await one.create({"rounds": 4}, [PERSON, PERSON])
            here = await one.enter(made.id, made.host_token)
            there = await two.enter(made.id, made.host_token)
            heard = listen(there)
            await say(here, 0, "red")
            with pytest.raises(StorageError, match="somebody else changed it"):
                await say(there, 0, "blue")
            assert heard[-1] == Dropped("the table is loaded again", again=True) and not there.here
            there = await two.enter(made.id, made.host_token)
            assert there.match.events == here.match.events
            await play_on(there, random.Random(1))
            assert proven(await stored(one, made.id))

    run(script())


# ---- undo


def test_an_answer_can_be_taken_back_and_brought_back_by_its_seat(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 4}, [PERSON, OPEN])
            ann = await hub.enter(made.id, made.host_token)
            bob = await hub.enter(made.id, made.seat_tokens[1])
            heard = listen(bob)
            with pytest.raises(TooLate, match="nothing to take back"):
                await ann.undo("u0", ann.n, 0)
            seen = ann.n
            old = ann.match.decision(0)
            assert old is not None
            await say(ann, 0, "red")
            told = list(ann.match.events)
            n = await ann.undo("u1", ann.n, 0)
            assert await ann.undo("u1", seen, 0) == n == ann.n
            undone = changes(heard)[-1]
            assert (undone.by, undone.taken, undone.events, undone.n) == ("u1", 1, [], n)
            assert ann.match.events == told[:-1]
            # what was meant for the question before it was taken back is stale, though its number is open again
            with pytest.raises(Stale, match="taken back"):
                await ann.move("old", seen, 0, old.seq, "blue")
            with pytest.raises(TooLate, match="nothing to bring back"):
                await bob.undo("r0", bob.n, 1, back=False)
            await ann.undo("r1", ann.n, 0, back=False)
            assert ann.match.events == told and changes(heard)[-1].events == told[-1:]
            base = ann.n
            await say(bob, 1, "blue")
            with pytest.raises(Stale, match="look again"):
                await ann.undo("u2", base, 0)
            with pytest.raises(TooLate, match="seat 1 has answered since"):
                await ann.undo("u2", ann.n, 0)
            await say(ann, 0, "roll")
            with pytest.raises(TooLate, match="have been rolled since"):
                await ann.undo("u3", ann.n, 0)
            await play_on(ann, random.Random(1), 0)
            both = await hub.enter(made.id, made.host_token + "." + made.seat_tokens[1])
            await play_on(both, random.Random(1))
            assert proven(both.lines())

    run(script())


def test_an_undo_and_its_id_are_known_after_a_restart(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 2}, [PERSON, PERSON], seed=SEED)
            guest = await hub.enter(made.id, made.host_token)
            await say(guest, 0, "red")
            n = await guest.undo("u1", guest.n, 0)
        async with house(tmp_path) as hub:
            guest = await hub.enter(made.id, made.host_token)
            assert await guest.undo("u1", guest.n, 0) == n == guest.n
            await say(guest, 0, "blue")
            await play_on(guest, random.Random(1))
            assert proven(guest.lines())

    run(script())


def test_a_practice_game_can_be_taken_back_beyond_its_end_and_a_restart(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 1}, [PERSON, PERSON], practice=True, seed=SEED)
            guest = await hub.enter(made.id, made.host_token)
            await say(guest, 0, "red")
            thrown = (await say(guest, 0, "roll"), guest.match.events[-1])
            await guest.undo("u0", guest.n, 0)
            await say(guest, 0, "roll")
            assert guest.match.events[-1] == thrown[1]
            await say(guest, 1, "blue")
            await say(guest, 1, "hold")
            assert isinstance(guest.match.node(), Over)
            await guest.undo("u1", guest.n, 1)
            sealed = guest.match.commitment
        async with house(tmp_path) as hub:
            guest = await hub.enter(made.id, made.host_token)
            assert guest.match.commitment == sealed
            await say(guest, 1, "roll")
            assert isinstance(guest.match.node(), Over) and proven(guest.lines())
            assert sum('"seal"' in line for line in guest.lines()) == 1

    run(script())


def test_answers_of_bots_do_not_stand_in_the_way_of_an_undo(tmp_path: Path) -> None:
    def hold(decision: Any, view: Any, rng: Any) -> str:
        return "hold" if "hold" in decision.keys else str(decision.keys[0])

    async def script() -> None:
        bots = {"random": BOTS["random"], "holder": Bot("holder", "holds", hold)}
        async with house(tmp_path, bots=bots) as hub:
            made = await hub.create({"rounds": 3}, [PERSON, SeatPlan("bot", "holder")])
            guest = await hub.enter(made.id, made.host_token)
            while guest.match.decision(1) is not None:
                await asyncio.sleep(0.01)
            await say(guest, 0, "red")
            await say(guest, 0, "hold")
            while guest.match.decision(1) is not None:
                await asyncio.sleep(0.01)
            heard = listen(guest)
            # the round is over and the bot has answered twice in the next one: all of that goes back
            taken = await guest.undo("u", guest.n, 0)
            assert changes(heard)[0].n == taken and changes(heard)[0].taken == 3
            decision = guest.match.decision(0)
            assert decision is not None and decision.name == "act"
            while guest.match.decision(1) is not None:
                await asyncio.sleep(0.01)
            await play_on(guest, random.Random(1), 1, (0,))

    run(script())


# ---- bots


def test_bots_play_a_whole_game_by_themselves(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 10}, [BOT, BOT])
            watcher = await hub.enter(made.id, made.watch_token)
            heard = listen(watcher)
            while not isinstance(watcher.match.node(), Over):
                await asyncio.sleep(0.01)
            assert proven(watcher.lines())
            told = changes(heard)
            assert told[-1].n == watcher.n and all(change.by == "" for change in told)
            assert [change.before for change in told[1:]] == [change.n for change in told[:-1]]

    run(script())


def test_a_bot_that_fails_once_or_thinks_too_long_costs_its_seat_one_random_answer(tmp_path: Path) -> None:
    asked: list[int] = []
    over = threading.Event()

    def stumbles(decision: Any, view: Any, rng: Any) -> str:
        asked.append(decision.seq)
        if len(asked) == 1:
            raise ZeroDivisionError("a bad day")
        if len(asked) == 4:
            over.wait(200)
        return str(decision.keys[0])

    async def script() -> None:
        bots = {**BOTS, "stumbles": Bot("stumbles", "", stumbles, 3)}
        async with house(tmp_path, bots=bots) as hub:
            made = await hub.create({"rounds": 5}, [BOT, SeatPlan("bot", "stumbles")])
            watcher = await hub.enter(made.id, made.watch_token)
            while not isinstance(watcher.match.node(), Over):
                await asyncio.sleep(0.01)
            over.set()
            assert len(asked) > 5 and len(set(asked)) == len(asked)
            assert [seat.bot for seat in watcher.table.seats] == ["random", "stumbles"]
            assert len(list((tmp_path / "reports").iterdir())) == 2
            assert "a random answer stands in" in reports(tmp_path) and "TimeoutError" in reports(tmp_path)

    run(script())


def test_bots_play_the_landing_with_a_person(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path, games=REAL) as hub:
            setup = {"edition": "first", "map": "n01-exercise-tiger", "seats": 3}
            made = await hub.create(setup, [PERSON, BOT, BOT])
            guest = await hub.enter(made.id, made.host_token)
            rng = random.Random(4)
            while not isinstance(guest.match.node(), Over):
                assert not guest.table.trouble
                decision = guest.match.decision(0)
                if decision is None:
                    await asyncio.sleep(0)
                    continue
                try:
                    key = BOTS["random"].answer(decision, dict, rng)
                    await guest.move(f"m{guest.n}", guest.n, 0, decision.seq, key)
                except (Stale, Invalid, Illegal):  # a bot was quicker
                    await asyncio.sleep(0)
            found = records.parse("".join(guest.lines()).encode(), "")
            assert all(check.status == "ok" for check in records.verify(found, REAL))

    run(script())


def test_a_bot_that_goes_on_failing_is_replaced_by_the_random_one_and_reported(tmp_path: Path) -> None:
    def fails(decision: Any, view: Any, rng: Any) -> str:
        raise ZeroDivisionError("a bad day")

    def babbles(decision: Any, view: Any, rng: Any) -> str:
        assert view()["waiting_for"]
        return "babble"

    async def script() -> None:
        bots = {**BOTS, "fails": Bot("fails", "", fails), "babbles": Bot("babbles", "", babbles)}
        async with house(tmp_path, bots=bots) as hub:
            made = await hub.create({"rounds": 5}, [SeatPlan("bot", "fails"), SeatPlan("bot", "babbles")])
            watcher = await hub.enter(made.id, made.watch_token)
            while not isinstance(watcher.match.node(), Over):
                await asyncio.sleep(0.01)
            assert [seat.bot for seat in watcher.table.seats] == ["random", "random"]
            assert "a bad day" in reports(tmp_path) and "'babble'" in reports(tmp_path)
            assert len(list((tmp_path / "reports").iterdir())) == 2 * MOST_FAULTS
            with pytest.raises(SetupError, match="unknown bot 'none'"):
                await hub.create({"rounds": 5}, [PERSON, SeatPlan("bot", "none")])

    run(script())


def test_a_bot_that_would_end_the_program_ends_nothing_and_spoils_nothing(tmp_path: Path) -> None:
    def leaves(decision: Any, view: Any, rng: Any) -> str:
        rng.choice = None
        raise SystemExit(3)

    def interrupts(decision: Any, view: Any, rng: Any) -> str:
        raise KeyboardInterrupt

    async def script() -> None:
        bots = {**BOTS, "leaves": Bot("leaves", "", leaves), "interrupts": Bot("interrupts", "", interrupts)}
        async with house(tmp_path, bots=bots) as hub:
            made = await hub.create({"rounds": 5}, [SeatPlan("bot", "leaves"), SeatPlan("bot", "interrupts")])
            watcher = await hub.enter(made.id, made.watch_token)
            while not isinstance(watcher.match.node(), Over):
                assert not watcher.table.trouble
                await asyncio.sleep(0.01)
            assert "SystemExit(3)" in reports(tmp_path) and "KeyboardInterrupt()" in reports(tmp_path)

    run(script())


def test_a_bot_that_thinks_for_long_holds_up_nobody_else(tmp_path: Path) -> None:
    thinks, may_answer = threading.Event(), threading.Event()

    def ponders(decision: Any, view: Any, rng: Any) -> str:
        thinks.set()
        return str(decision.keys[0]) if may_answer.wait(200) else ""

    async def script() -> None:
        bots = {**BOTS, "ponders": Bot("ponders", "", ponders, 200)}
        async with house(tmp_path, bots=bots) as hub:
            slow = await hub.create({"rounds": 50}, [SeatPlan("bot", "ponders"), PERSON])
            host = await hub.enter(slow.id, slow.host_token)
            while not thinks.is_set():
                await asyncio.sleep(0.01)
            n = await say(host, 1, "red")
            quick = await hub.create({"rounds": 2}, [PERSON, PERSON])
            await play_on(await hub.enter(quick.id, quick.host_token), random.Random(1))
            assert host.n == n  # it has been thinking all the while
            may_answer.set()
            while host.n == n:
                await asyncio.sleep(0.01)

    run(script())


def test_bots_wait_between_their_answers_and_stop_with_the_table(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path, bot_delay=0.05) as hub:
            made = await hub.create({"rounds": 1000}, [BOT, BOT])
            guest = await hub.enter(made.id, made.host_token)
            heard = listen(guest)
            began = time.perf_counter()
            while len(changes(heard)) < 6:
                await asyncio.sleep(0.01)
            assert time.perf_counter() - began > 5 * 0.045
            await guest.host("close")
            while guest.table._bot_task:
                await asyncio.sleep(0.01)
            n = guest.n
            await asyncio.sleep(0.3)
            assert guest.n == n
            await guest.host("reopen")
            while guest.n == n:
                await asyncio.sleep(0.01)

    run(script())


# ---- seats, names, chat


def test_a_seat_opened_again_has_a_new_link_and_guests_on_the_old_one_are_sent_away(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 4}, [PERSON, OPEN])
            host = await hub.enter(made.id, made.host_token)
            old = [await hub.enter(made.id, made.seat_tokens[1]) for _ in range(2)]
            both = await hub.enter(made.id, made.seat_tokens[1] + "." + made.watch_token)
            heard = [listen(guest) for guest in old]
            told = listen(both)
            token = await host.host("open", 1)
            assert len(token) >= 24 and token != made.seat_tokens[1]
            for guest, one in zip(old, heard, strict=True):
                assert isinstance(one[-1], Dropped) and not one[-1].again and not guest.here
                with pytest.raises(Forbidden):
                    await say(guest, 1, "red")
            assert both.here and both.seats == () and PresenceChanged() in told
            assert host.table.seats[1].who == "open"
            with pytest.raises(WrongToken):
                await hub.enter(made.id, made.seat_tokens[1])
            fresh = await hub.enter(made.id, token)
            assert fresh.seats == (1,) and host.table.seats[1].who == "person"
            await say(fresh, 1, "red")
            # a seat of the host's own that is given away is no longer the host's
            given = await host.host("open", 0)
            assert host.seats == () and host.here
            assert (await hub.enter(made.id, given)).seats == (0,)
        async with house(tmp_path) as hub:
            with pytest.raises(WrongToken):
                await hub.enter(made.id, made.seat_tokens[1])
            assert (await hub.enter(made.id, token)).seats == (1,)
            assert (await hub.enter(made.id, made.host_token)).seats == ()

    run(script())


def test_a_seat_given_to_a_bot_is_played_by_it_and_can_be_opened_again(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 400}, [PERSON, OPEN])
            host = await hub.enter(made.id, made.host_token)
            friend = await hub.enter(made.id, made.seat_tokens[1])
            heard = listen(friend)
            with pytest.raises(SetupError, match="unknown bot"):
                await host.host("bot", 1, "nobody")
            with pytest.raises(Invalid, match="no seat 7"):
                await host.host("bot", 7, "random")
            await host.host("bot", 1, "random")
            assert isinstance(heard[-1], Dropped)
            with pytest.raises(WrongToken):
                await hub.enter(made.id, made.seat_tokens[1])
            await play_on(host, random.Random(1), 1, (0,))
            while host.match.decision(1) is not None:
                await asyncio.sleep(0.01)
            token = await host.host("open", 1)
            n = host.n
            await play_on(host, random.Random(1), 1, (0,))
            await asyncio.sleep(0.05)
            assert (await hub.enter(made.id, token)).seats == (1,)
            assert host.n <= n + 3

    run(script())


def test_a_closed_table_takes_no_answers_until_it_is_opened(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 4}, [PERSON, PERSON])
            host = await hub.enter(made.id, made.host_token)
            await host.host("close")
            with pytest.raises(Forbidden, match="closed"):
                await say(host, 0, "red")
        async with house(tmp_path) as hub:
            host = await hub.enter(made.id, made.host_token)
            assert host.table.closed
            await host.host("reopen")
            await say(host, 0, "red")
            with pytest.raises(Invalid, match="nothing that is called"):
                await host.host("dance")  # type: ignore[arg-type]

    run(script())


def test_names_and_chat_are_cleaned_kept_and_told(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 4}, [PERSON, OPEN])
            host = await hub.enter(made.id, made.host_token)
            friend = await hub.enter(made.id, made.seat_tokens[1])
            heard = listen(friend)
            await host.name(0, "  Ann\u202e\n<b>" + "x" * 100)
            assert host.table.seats[0].name == ("Ann <b>" + "x" * 100)[:40]
            await host.host("name", 1, "Bob")
            twice = await asyncio.gather(host.say("c1", "hello\x00 there"), host.say("c1", "hello"))
            assert twice == [1, 1] and await host.say("c1", "once more") == 1
            assert await friend.say("c2", phrase="well-done") == 2
            said = [news for news in heard if isinstance(news, Said)]
            name = host.table.seats[0].name
            assert said == [Said(1, name, 0, "hello there"), Said(2, "Bob", 1, "", "well-done")]
            with pytest.raises(Invalid, match="nothing to say"):
                await host.say("c3", " \n ")
            await host.host("chat-off")
            with pytest.raises(Forbidden, match="switched the chat off"):
                await friend.say("c4", "hello?")
        async with house(tmp_path) as hub:
            host = await hub.enter(made.id, made.host_token)
            assert list(host.table.chat) == said and not host.table.chat_on
            assert [seat.name for seat in host.table.seats] == [name, "Bob"]
            await host.host("chat-on")
            assert await host.say("c1", "hello") == 1
            assert await host.say("c5", "bye") == 3

    run(script())


def test_naming_a_seat_does_not_bring_an_old_link_back(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 4}, [PERSON, OPEN])
            host = await hub.enter(made.id, made.host_token)
            friend = await hub.enter(made.id, made.seat_tokens[1])
            await asyncio.gather(host.host("open", 1), friend.name(1, "me"))
        async with house(tmp_path) as hub:
            with pytest.raises(WrongToken):
                await hub.enter(made.id, made.seat_tokens[1])

    run(script())


# ---- secrets


def test_no_token_and_no_seed_is_in_any_text_of_ours(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 4}, [PERSON, OPEN], seed=SEED)
            tokens = [made.host_token, made.watch_token, *made.seat_tokens]
            assert len(set(tokens)) == 4 and all(len(token) == 24 for token in tokens)
            host = await hub.enter(made.id, ".".join(tokens))
            heard = listen(host)
            await say(host, 0, "red")
            new = await host.host("open", 1)
            shown = [made, hub, host, host.table, host.match, host.table.seats, hub.store, heard]
            shown.append(await hub.store.load(made.id, 10))
            shown.append(await hub.summaries())
            for secret in [*tokens, new, SEED]:
                assert all(secret not in repr(it) for it in shown)
                assert secret not in caplog.text
            everything = (tmp_path / "tables.db").read_bytes() + (tmp_path / "tables.db-wal").read_bytes()
            assert all(token.encode() not in everything for token in [*tokens, new])
            db = sqlite3.connect(tmp_path / "tables.db")
            for place in ("tables", "seats", "entries", "chat"):
                assert SEED not in repr(db.execute(f"SELECT * FROM {place}").fetchall())
            assert SEED in repr(db.execute("SELECT * FROM secrets").fetchall())

    run(script())


def test_what_an_answer_replaces_is_gone_at_once_and_not_left_to_the_collector(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 30}, [PERSON, PERSON])
            host = await hub.enter(made.id, made.host_token)
            gc.collect()
            gc.disable()
            try:
                while isinstance(node := host.match.node(), Ask):
                    decision = node.decision(node.seats[0])
                    await host.move(f"m{host.n}", host.n, decision.seat, decision.seq, decision.keys[0])
                states = [it for it in gc.get_objects() if type(it) is Tiny]
                assert host.n > 60
                assert len(states) < 20  # the present one, and some on the way back
            finally:
                gc.enable()

    run(script())


# ---- lists


def test_a_list_tells_turn_cause_and_points_also_of_tables_that_are_not_loaded(tmp_path: Path) -> None:
    setup = {"edition": "second", "map": "n01-exercise-tiger", "seats": 2, "options": ["victory-points"]}

    async def script() -> None:
        async with house(tmp_path, games=REAL, keep=0.05) as hub:
            made = await hub.create(setup, [PERSON] * 2)
            await hub.create(setup, [PERSON] * 2)
            host = await hub.enter(made.id, made.host_token)
            rng = Random(1)
            while isinstance(node := host.match.node(), Ask):
                decision = node.decision(rng.choice(node.seats))
                key = BOTS["random"].answer(decision, dict, rng)
                await host.move(f"m{host.n}", host.n, decision.seat, decision.seq, key)
            assert isinstance(node, Over)
            turn = host.match.state.turn  # type: ignore[attr-defined]
            new, old = await hub.summaries()
            assert (new.turn, new.over, new.cause, new.scores, new.points) == (0, False, "", (), None)
            assert (old.loaded, old.won, old.cause, old.rule) == (True, node.won, node.cause, node.rule)
            assert (old.turn, old.scores, old.points, old.undone) == (turn, node.scores, min(node.scores), 0)
            host.leave()
            while (head := await hub.store.head(made.id)) is None or head.table.noted != old.n:
                await asyncio.sleep(0.02)
            unloaded = [new, old._replace(loaded=False)]
            assert await hub.summaries() == unloaded
            assert hub._noting is None
        db = sqlite3.connect(tmp_path / "tables.db")
        db.execute("UPDATE tables SET noted = -1, turn = 0, points = NULL")  # as an older server left them
        db.commit()
        db.close()
        async with house(tmp_path, games=REAL) as hub:
            assert [one.turn for one in await hub.summaries()] == [0, 0]
            while hub._noting is not None:
                await asyncio.sleep(0.02)
            assert await hub.summaries() == unloaded
            assert hub._noting is None and hub.loaded == 0

    run(script())


# ---- when something goes wrong


def broken_games(keys: bool = False) -> dict[str, Any]:
    """Two games: the tiny one, and one with a bug of the engine: to peek, or with `keys` to be asked what to do."""
    act = machine.questions["act"]

    def answer(g: Tiny, seat: int, frame: Frame, key: str) -> None:
        if key == "peek":
            g.pips[seat] = 10**6
            raise RuntimeError("the engine is broken")
        act.answer(g, seat, frame, key)

    def no_keys(g: Tiny, seat: int, frame: Frame) -> tuple[str, ...]:
        raise RuntimeError("the engine is broken")

    questions = {**machine.questions, "act": act._replace(answer=answer, keys=no_keys if keys else act.keys)}
    broken: Machine[Tiny] = Machine(
        "broken", Tiny, machine.steps, questions, machine.throws, machine._view, machine.reveals
    )
    return {"tiny": TINY, "broken": TINY._replace(name="broken", machine=broken)}  # type: ignore[arg-type]


def test_a_failure_of_the_engine_stops_one_table_only(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path, games=broken_games()) as hub:
            bad = await hub.create({"rounds": 4}, [PERSON, OPEN], game="broken", seed=SEED)
            good = await hub.create({"rounds": 4}, [PERSON, PERSON], game="tiny")
            guest = await hub.enter(bad.id, bad.host_token)
            friend = await hub.enter(bad.id, bad.seat_tokens[1])
            other = await hub.enter(good.id, good.host_token)
            heard = listen(friend)
            await say(guest, 0, "red")
            n, state = guest.n, guest.match.state
            with pytest.raises(Quarantined, match="something went wrong in the engine"):
                await say(guest, 0, "peek")
            assert heard[-1] == PresenceChanged() and friend.table.trouble
            assert (guest.n, guest.match.state) == (n, state) and guest.match.state.pips == [0, 0]  # type: ignore[attr-defined]
            with pytest.raises(Quarantined):
                await say(friend, 1, "red")
            report = reports(tmp_path)
            assert "RuntimeError: the engine is broken" in report and '"broken"' in report
            assert SEED not in report and all(token not in report for token in [bad.host_token, *bad.seat_tokens])
            await play_on(other, random.Random(1))
            assert isinstance(other.match.node(), Over)
            await guest.host("reopen")
            await say(friend, 1, "red")
            assert await say(guest, 0, "hold") > n

    run(script())


def test_a_failure_of_the_engine_at_a_question_to_a_bot_stops_one_table_only(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path, games=broken_games(keys=True)) as hub:
            bad = await hub.create({"rounds": 4}, [PERSON, BOT], game="broken")
            good = await hub.create({"rounds": 4}, [BOT, BOT], game="tiny")
            guest = await hub.enter(bad.id, bad.host_token)
            other = await hub.enter(good.id, good.host_token)
            while not (guest.table.trouble and isinstance(other.match.node(), Over)):
                await asyncio.sleep(0.01)
            assert guest.here and "at a question to a bot" in reports(tmp_path)
            with pytest.raises(Quarantined):
                await say(guest, 0, "red")

    run(script())


def test_a_table_that_cannot_be_loaded_is_told_and_spoils_no_other(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            bad = await hub.create({"rounds": 4}, [PERSON, PERSON])
            good = await hub.create({"rounds": 4}, [PERSON, PERSON])
            await say(await hub.enter(bad.id, bad.host_token), 0, "red")
        db = sqlite3.connect(tmp_path / "tables.db")
        db.execute("UPDATE entries SET line = replace(line, 'red', 'blue') WHERE table_id = ?", (bad.id,))
        db.commit()
        db.close()
        async with house(tmp_path) as hub:
            for _ in range(2):
                with pytest.raises(Quarantined, match="cannot be loaded"):
                    await hub.enter(bad.id, bad.host_token)
            await say(await hub.enter(good.id, good.host_token), 0, "red")
            assert len(await hub.summaries()) == 2

    run(script())


def test_a_table_of_other_content_says_so_and_goes_on_when_it_is_back(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 4}, [PERSON, PERSON])
            await say(await hub.enter(made.id, made.host_token), 0, "red")
        other = {"tiny": TINY._replace(content_hash=lambda setup: "tiny-pack-2")}
        async with house(tmp_path, games=other) as hub:
            with pytest.raises(OtherContent, match=r"other cards, maps or rules .* In detail: .* tiny-pack-2"):
                await hub.enter(made.id, made.host_token)
        assert not (tmp_path / "reports").exists(), "it is no failure of ours"
        async with house(tmp_path) as hub:
            assert (await hub.enter(made.id, made.host_token)).n > 0

    run(script())


def test_while_the_disk_takes_nothing_answers_are_refused_and_the_table_is_unharmed(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path, busy=0.1) as hub:
            made = await hub.create({"rounds": 300}, [PERSON, OPEN])
            host = await hub.enter(made.id, made.host_token)
            friend = await hub.enter(made.id, made.seat_tokens[1])
            heard = listen(friend)
            n, events = host.n, host.match.events
            other = sqlite3.connect(tmp_path / "tables.db", isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StorageError, match="another program holds the file"):
                await say(host, 0, "red", "m1")
            with pytest.raises(StorageError):
                await host.say("c1", "hello")
            with pytest.raises(StorageError):
                await host.host("open", 1)
            assert friend.here and friend.seats == (1,)
            with pytest.raises(StorageError):
                await hub.create({"rounds": 3}, [PERSON, OPEN])
            assert (host.n, host.match.events) == (n, events) and changes(heard) == []
            other.execute("ROLLBACK")
            assert await say(host, 0, "red", "m1") == n + 1
            assert await host.say("c1", "hello") > 0

            store: Any = hub.store
            await store._do(lambda db: db.execute("PRAGMA max_page_count = 1").fetchone(), bare=True)
            both = await hub.enter(made.id, made.host_token + "." + made.seat_tokens[1])
            with pytest.raises(StorageError, match="disk is full"):
                await play_on(both, random.Random(1))
            n = host.n
            assert len(await stored(hub, made.id)) == n + 1
            await store._do(lambda db: db.execute("PRAGMA max_page_count = 100000").fetchone(), bare=True)
            await play_on(both, random.Random(2), 20)
            told = changes(heard)
            assert both.n > n and [change.before for change in told[1:]] == [change.n for change in told[:-1]]

    run(script())


def test_bots_go_on_when_the_disk_does(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path, busy=0.05, bot_delay=0.01) as hub:
            made = await hub.create({"rounds": 8}, [BOT, BOT])
            watcher = await hub.enter(made.id, made.watch_token)
            other = sqlite3.connect(tmp_path / "tables.db", isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            n = watcher.n
            await asyncio.sleep(0.3)
            assert watcher.n <= n + 3 and watcher.here and not watcher.table.trouble
            other.execute("ROLLBACK")
            while not isinstance(watcher.match.node(), Over):
                await asyncio.sleep(0.01)
            assert proven(watcher.lines())

    run(script())


def test_a_listener_that_fails_loses_its_guest_and_nobody_else(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 4}, [PERSON, PERSON])
            host = await hub.enter(made.id, made.host_token)
            bad = await hub.enter(made.id, made.watch_token)

            def raises(news: News) -> None:
                raise KeyError("listener")

            bad.listen(raises)
            heard = listen(host)
            await say(host, 0, "red")
            assert not bad.here and len(changes(heard)) == 1 and "KeyError" in reports(tmp_path)

    run(script())


# ---- records


def test_a_record_can_be_looked_at_gone_on_with_and_forked(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made = await hub.create({"rounds": 3}, [PERSON, PERSON])
            host = await hub.enter(made.id, made.host_token)
            await play_on(host, random.Random(1), 5)
            middle = host.n
            state = host.match.state
            await play_on(host, random.Random(1))
            lines = host.lines()
            assert (await host.past(middle)).state == state
            assert (await host.past(0)).events == host.match.events[: len((await host.past(0)).events)]
            for at in (-1, host.n + 1):
                with pytest.raises(Invalid, match="is no number of them"):
                    await host.past(at)

            watched = await hub.create({}, [], lines=lines)
            guest = await hub.enter(watched.id, watched.host_token)
            assert guest.lines() == lines and guest.seats == (0, 1)

            fork = await hub.create({}, [], lines=host.lines(middle), practice=True, fork_of=made.id, fork_at=middle)
            guest = await hub.enter(fork.id, fork.host_token)
            assert guest.match.state == state and guest.table.practice
            assert (guest.table.fork_of, guest.table.fork_at) == (made.id, middle)
            assert guest.lines(middle)[1:] == host.lines(middle)[1:]
            await guest.undo("u", guest.n, next(seat for seat in (0, 1) if guest.match.last_undo(seat)))
            await play_on(guest, random.Random(3))
            assert isinstance(guest.match.node(), Over)
            for bad in (["nonsense"], [], lines[:1] + lines[2:], ["\ud800"]):
                with pytest.raises(RecordError):
                    await hub.create({}, [], lines=bad)

    run(script())


def test_what_cannot_be_set_up_is_told(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            with pytest.raises(SetupError, match="3 seats are planned: this game has 2"):
                await hub.create({"rounds": 3}, [PERSON] * 3)
            with pytest.raises(SetupError, match="rounds is"):
                await hub.create({"rounds": "x"}, [PERSON] * 2)
            with pytest.raises(SetupError, match="unknown game 'chess'"):
                await hub.create({"rounds": 3}, [PERSON] * 2, game="chess")
            assert await hub.summaries() == []

    run(script())


def test_tables_are_listed_without_being_loaded(tmp_path: Path) -> None:
    async def script() -> None:
        async with house(tmp_path) as hub:
            made: list[Created] = []
            for number in range(3):
                made.append(await hub.create({"rounds": 2}, [SeatPlan(name=f"P{number}"), OPEN], title=f"T{number}"))
            found = await hub.summaries()
            assert [it.title for it in found] == ["T2", "T1", "T0"] and hub.loaded == 0
            assert found[0].names == ["P2", ""] and found[0].setup == {"rounds": 2} and found[0].won is None
            await hub.enter(made[1].id, made[1].host_token)
            found = await hub.summaries()
            assert [it.waiting for it in found] == [(), (0, 1), ()]
            assert [it.loaded for it in found] == [False, True, False]

    run(script())


def test_no_name_of_a_table_looks_like_an_option_or_a_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(("-M57aO8", "--aO8M5", "aO8-M57", "never"))
    monkeypatch.setattr("secrets.token_urlsafe", lambda size: next(drawn))
    assert new_id() == "aO8-M57"
