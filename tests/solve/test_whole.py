"""Whole games, solved: against a plain tree of the game, and played out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import pairwise
from math import sqrt
from pathlib import Path
from random import Random

import numpy as np
import pytest

from beachhead.content.library import library
from beachhead.content.schema import CardLists, Edges, Level, Map, OnEntry, Row, Sector, SpecialDamage, Start
from beachhead.core.errors import BeachheadError
from beachhead.core.node import Ask, Over, Roll
from beachhead.landing.dice import ALL
from beachhead.landing.game import MACHINE, new
from beachhead.landing.state import Landing
from beachhead.landing.world import Setup, World, build, world_of
from beachhead.solve import ground, store, turn, whole
from beachhead.solve.ground import ENOUGH, Position, answered, begin, begins, keys_of, opening, position, rolled
from beachhead.solve.multisets import ROLLS
from beachhead.solve.whole import Solved

from . import whole_reference as reference

NO_CARDS = Level(items=False, awards=False, cards=CardLists())
FEW = NO_CARDS.results[2:5]
PRACTICE = Setup(level="practice-run")
BASIC = Setup(level="basic-training")
LAST = Position("10", 3, 0, ("10", "9"))
"""A Unit that stands before the Bunker and has to go on in this turn."""


def board(edition: str, rows: list[tuple[int, list[str]]], sectors: dict[str, Sector], **edges: object) -> Map:
    lines = tuple(Row(tuple(names), courage) for courage, names in rows)
    joined = Edges(**edges)  # type: ignore[arg-type]
    return Map(1, "tiny", "Tiny", edition, lines, sectors, joined, CardLists(), levels={"bare": NO_CARDS})  # type: ignore[arg-type]


def tiny(edition: str, **setup: object) -> World:
    """One die, Locked at once: two ways of which one is mined, machine guns, stragglers, a Sector without cover."""
    die = Sector((1,), dice=1, locked_dice=1)
    sectors = {
        "1": replace(die, start=Start(soldiers=4)),
        "2": replace(die, defence=(1, 2), mgf=1, special_damage=SpecialDamage(courage=1)),
        "3": replace(die, shield="black", on_entry=OnEntry(1), bonus={"courage": 1}),
        "B": replace(die, defence=(2,), bunker=True),
    }
    lines = {"forward": (("1", "2"), ("1", "3"), ("2", "B"), ("3", "B")), "lateral": (("2", "3"),)}
    made = board(edition, [(0, ["1"]), (1, ["2", "3"]), (2, ["B"])], sectors, **lines, landmines=(("1", "3"),))
    return build(Setup(edition, "tiny", level="bare", **setup), library(), made)  # type: ignore[arg-type]


def rolling(dice: int, lock: int, stay: bool = False) -> World:
    """A beach and a Bunker; the dice are rolled again."""
    some = Sector((1,), dice=dice, locked_dice=lock, reroll_skulls=not stay, penalty={"star": 1})
    sectors = {
        "1": replace(some, start=Start(soldiers=2)),
        "B": replace(some, defence=(3,), bunker=True),
    }
    made = board("first", [(0, ["1"]), (1, ["B"])], sectors, forward=(("1", "B"),))
    return build(Setup("first", "tiny", level="bare"), library(), made)


@cache
def solved_tiny(edition: str) -> Solved:
    return whole.solve(tiny(edition), True)


@cache
def last_turns(setup: Setup, no_cards: bool = False) -> Solved:
    """Only the two last turns in Sector 10."""
    found = Solved(opening(world_of(setup), no_cards))
    order = found.order()
    assert order[0] == LAST
    for where in order[:2]:
        found.fill(where)
    return found


@cache
def practice() -> Solved:
    found = store.known(world_of(PRACTICE))
    assert found is not None, "no table for this content: beachhead solve --level practice-run, then copy it to tables/"
    return found


# ---------------------------------------------------------------------- against the reference


@pytest.mark.parametrize("edition", ["first", "second"])
def test_a_small_board_is_worth_what_the_tree_of_all_its_nodes_says(edition: str) -> None:
    solved = solved_tiny(edition)
    known: dict[str, float] = {}
    assert solved.value == pytest.approx(reference.value(solved.start, known), abs=1e-11)
    assert 0.01 < solved.value < 0.99
    random = Random(edition)
    for where in random.sample(list(solved.rows), 3):
        for soldiers, courage in ((random.randint(1, 6), random.randint(0, 2)), (11, 0), (2, 5)):
            wanted = reference.value(begin(solved.start, where, soldiers, courage), known)
            assert solved.at(where, soldiers, courage) == pytest.approx(wanted, abs=1e-11)


@pytest.mark.parametrize(
    ("dice", "lock", "stay"),
    [(1, 0, False), (1, 0, True), pytest.param(2, 1, False, marks=pytest.mark.slow)],
)
def test_so_is_one_where_dice_are_rolled_again(dice: int, lock: int, stay: bool) -> None:
    solved = whole.solve(rolling(dice, lock, stay))
    assert solved.value == pytest.approx(reference.value(solved.start, {}), abs=1e-11)
    assert 0.01 < solved.value < 0.99


@pytest.mark.parametrize("switches", [{"marker_turns_on_turn_one": False}])
def test_a_first_turn_of_its_own(switches: dict[str, bool]) -> None:
    solved = whole.solve(tiny("first", switches=tuple(switches.items())))
    assert solved.value == pytest.approx(reference.value(solved.start, {}), abs=1e-11)
    assert solved.value > solved_tiny("first").value


def test_a_few_good_men() -> None:
    world = tiny("second", options=("few-good-men",))
    solved = whole.solve(world, True)
    assert solved.value == pytest.approx(reference.value(solved.start, {}), abs=1e-11)
    assert solved.value < solved_tiny("second").value


@pytest.mark.parametrize(("setup", "soldiers", "courage"), [(PRACTICE, 9, 0), (BASIC, 14, 0)])
def test_the_last_turn_with_six_dice(setup: Setup, soldiers: int, courage: int) -> None:
    """Every tally is taken to the end by the engine. Three Courage do not pay for the Bunker, but a Battle Cry does."""
    solved = last_turns(setup, True)
    g = begin(solved.start, LAST, soldiers, courage)
    known: dict[str, float] = {}
    values = []
    for red in ROLLS[2]:
        for white in ROLLS[2]:
            for blue in ROLLS[2]:
                after = rolled(g, (*red, *white, *blue))
                values.append(reference.value(answered(answered(after, keys_of(after)[0]), "stop"), known))
    wanted = turn.solve(values).value
    assert solved.at(LAST, soldiers, courage) == pytest.approx(wanted, abs=1e-12)
    assert 0.01 < wanted < 0.99


# ---------------------------------------------------------------------- what the bounds rest on


@pytest.mark.parametrize(
    ("setup", "sector"), [(PRACTICE, "2"), (BASIC, "7"), (Setup(), "3"), (Setup("second"), "8"), (Setup("second"), "5")]
)
def test_what_a_tally_brings_does_not_depend_on_what_the_unit_has(setup: Setup, sector: str) -> None:
    start = opening(world_of(setup), True)
    random = Random(5)
    kind = ground.kind_of(start, sector)
    for marker in (1, 2, 3):
        where = Position(sector, marker, 0, (sector,))
        for _ in range(40):
            soldiers, courage = random.randint(1, 60), random.randint(0, 15)
            number = random.randrange(len(kind.sets))
            one = kind.sets[number]
            tally = [random.choice(ROLLS[n]) for n in one.colours]
            at = np.ravel_multi_index(
                [ROLLS[n].index(faces) for n, faces in zip(one.colours, tally, strict=True)],
                [len(ROLLS[n]) for n in one.colours],
            )
            g = ground.to_roll(start, where, one.dice)
            g.units[0].soldiers, g.units[0].courage = soldiers, courage
            g.before = (soldiers,) if g.before else ()
            g = rolled(g, tuple(face for faces in tally for face in faces))
            while ground.top(g)[0] in ("lock", "reroll"):
                g = answered(g, "stop" if ground.top(g)[0] == "reroll" else keys_of(g)[-1])
            found = set()
            for _, after in ground.after_upkeep(g):
                unit = after.units[0]
                effects = kind.effects.index(position(after).effects)
                found.add((unit.soldiers - soldiers, unit.courage - courage, effects))
            gains = {tuple(gain) for gain in one.gains[one.numbers[at]]}
            assert gains <= found
            for some in found - gains:  # others excel it
                assert any(g[2] == some[2] and g[0] >= some[0] and g[1] >= some[1] for g in gains)


def test_neither_soldiers_nor_courage_ever_hurt() -> None:
    tables = [solved_tiny("first"), solved_tiny("second"), practice()]
    for solved in tables:
        for rows in solved.rows.values():
            for row in rows:
                assert row[0] == 0
                assert (np.diff(row) >= -2e-12).all()
                assert 0 <= row[-1] <= 1 + 1e-12
            for row, braver in pairwise(rows):
                many = max(len(row), len(braver))
                padded = [np.pad(one, (0, many - len(one)), mode="edge") for one in (row, braver)]
                assert (padded[1] - padded[0] >= -2e-12).all()


def test_a_row_ends_where_more_soldiers_make_no_difference() -> None:
    solved = last_turns(BASIC, True)
    for where, rows in solved.rows.items():
        for courage, row in enumerate(rows):
            ends = [solved._turn_of(begin(solved.start, where, len(row) - n, courage)).value for n in (1, 2)]
            assert row[-1] == pytest.approx(ends[0], abs=2e-12)
            assert row[-1] > ends[1] + 1e-12


def test_no_answer_depends_on_soldiers() -> None:
    """Where it could, a row might not rise."""
    random = Random(3)
    for setup in (BASIC, Setup(), Setup("second")):
        start = opening(world_of(setup), True)
        for _ in range(4):
            poor, rich = MACHINE.clone(start), MACHINE.clone(start)
            rich.units[0].soldiers += 50
            while not isinstance(node := MACHINE.node(poor), Over):
                if isinstance(node, Ask):
                    assert keys_of(poor) == keys_of(rich)
                    key = random.choice(keys_of(poor))
                    poor, rich = answered(poor, key), answered(rich, key)
                else:
                    outcome = tuple(random.randrange(node.low, node.low + 6) for _ in range(node.size))
                    poor, rich = rolled(poor, outcome), rolled(rich, outcome)
                assert position(poor) == position(rich) or isinstance(MACHINE.node(poor), Over)
                if not poor.over:
                    assert rich.units[0].soldiers - poor.units[0].soldiers == 50
                    assert rich.units[0].courage == poor.units[0].courage


# ---------------------------------------------------------------------- any node of the game


def walk(solved: Solved, g: Landing, random: Random) -> Iterator[Landing]:
    """A game in which every second answer is the best."""
    while not isinstance(node := MACHINE.node(g), Over):
        yield g
        if isinstance(node, Ask):
            key = solved.answers(g)[0].key if random.random() < 0.5 else random.choice(keys_of(g))
            g = answered(g, key)
        else:
            g = rolled(g, tuple(random.randrange(node.low, node.low + 6) for _ in range(node.size)))
    yield g


def test_every_node_is_worth_what_comes_of_it() -> None:
    solved = practice()
    random = Random(11)
    seen = set()
    g = solved.start
    for state in walk(solved, g, random):
        node = MACHINE.node(state)
        value = solved.value_of(state)
        if isinstance(node, Ask):
            rated = solved.answers(state)
            assert sorted(one.key for one in rated) == sorted(keys_of(state))
            assert value == pytest.approx(rated[0].value, abs=1e-12)
            for one in (rated[0], rated[-1], random.choice(rated)):
                assert solved.value_of(answered(state, one.key)) == pytest.approx(one.value, abs=1e-12)
        elif isinstance(node, Roll) and node.size < 3:
            mean = sum(p * solved.value_of(rolled(state, outcome)) for outcome, p in node.outcomes())
            assert value == pytest.approx(mean, abs=1e-12)
        elif isinstance(node, Over):
            assert value == node.won
        seen.add(ground.top(state)[0])
    assert {"dice", "lock", "reroll", "move"} <= seen


@pytest.mark.parametrize("edition", ["first", "second"])
def test_the_same_where_there_are_mines_and_machine_guns(edition: str) -> None:
    solved = solved_tiny(edition)
    random = Random(2)
    seen = set()
    for _ in range(60):
        for state in walk(solved, solved.start, random):
            node = MACHINE.node(state)
            value = solved.value_of(state)
            if isinstance(node, Ask):
                for one in solved.answers(state):
                    assert solved.value_of(answered(state, one.key)) == pytest.approx(one.value, abs=1e-11)
            elif isinstance(node, Roll):
                mean = sum(p * solved.value_of(rolled(state, outcome)) for outcome, p in node.outcomes())
                assert value == pytest.approx(mean, abs=1e-11)
            seen |= {frame[0] for frame in (*state.lanes[0][-1:], *state.main[-1:])}
    assert {"leave", "dice", "move", "mine", "entry", "mgf"} <= seen


def test_upkeep_with_skulls_and_a_battle_cry() -> None:
    """Two turns before the end: Courage of three colours, and two Skulls that cancel dice."""
    solved = last_turns(BASIC, True)
    for dice, questions in (((4, 2, 4, 5, 4, 5), {"choose"}), ((0, 4, 0, 3, 2, 2), {"cancel"})):
        g = rolled(begin(solved.start, LAST._replace(marker=2), 20, 1), dice)
        g = answered(answered(g, keys_of(g)[0]), "stop")
        asked = set()
        while g.phase in ("roll", "upkeep"):
            asked.add(ground.top(g)[0])
            rated = solved.answers(g)
            assert solved.value_of(g) == pytest.approx(rated[0].value, abs=1e-12)
            assert solved.value_of(g) == pytest.approx(reference_value(solved, g), abs=1e-12)
            g = answered(g, rated[0].key)
        assert asked == questions


def reference_value(solved: Solved, g: Landing) -> float:
    """Node by node to the next turn."""
    node = MACHINE.node(g)
    if isinstance(node, Over):
        return float(node.won)
    if begins(g):
        return solved.at(position(g), g.units[0].soldiers, g.units[0].courage)
    if isinstance(node, Roll):
        return sum(p * reference_value(solved, rolled(g, outcome)) for outcome, p in node.outcomes())
    return max(reference_value(solved, answered(g, key)) for key in keys_of(g))


def play(solved: Solved, g: Landing, random: Random) -> bool:
    while not isinstance(node := MACHINE.node(g), Over):
        if isinstance(node, Ask):
            g = answered(g, solved.answers(g)[0].key)
        else:
            g = rolled(g, tuple(random.randrange(node.low, node.low + 6) for _ in range(node.size)))
    return node.won


def check_play(solved: Solved, g: Landing, games: int) -> None:
    random = Random(1944)
    value = solved.value_of(g)
    won = sum(play(solved, g, random) for _ in range(games))
    assert abs(won / games - value) < 4 * sqrt(value * (1 - value) / games)


def test_the_best_answers_win_as_often_as_promised() -> None:
    check_play(solved_tiny("first"), solved_tiny("first").start, 1_000)
    solved = last_turns(BASIC, True)
    check_play(solved, begin(solved.start, LAST._replace(marker=2), 20, 1), 60)


@pytest.mark.slow
def test_so_they_do_in_a_practice_run_that_began_badly() -> None:
    solved = practice()
    g = begin(solved.start, Position("5", 3, 0, ("5",)), 7, 1)
    assert 0.1 < solved.value_of(g) < 0.9
    check_play(solved, g, 600)


def test_the_first_move() -> None:
    solved = solved_tiny("first")
    moves = {one.key: one.value for one in solved.first_moves()}
    assert max(moves.values()) == pytest.approx(solved.value, abs=1e-12)
    assert set(moves) == {"stay", "move:2", "move:3"}
    assert min(moves.values()) < solved.value


# ---------------------------------------------------------------------- files


def test_the_practice_run_comes_with_the_program() -> None:
    found = [path for path in store.SHIPPED.glob("*.npz") if not path.name.startswith("pocket-")]
    assert [path.name for path in found] == [f"{ground.fingerprint(world_of(PRACTICE))}.npz"]
    assert found[0].stat().st_size < 300_000
    assert practice().value == pytest.approx(0.999386922072, abs=1e-11)


def test_a_file_brings_back_all(tmp_path: Path) -> None:
    solved, world = solved_tiny("first"), tiny("first")
    store.save(solved, tmp_path / "a" / "tiny.npz", True)
    again = store.load(tmp_path / "a" / "tiny.npz", world, True)
    assert list((tmp_path / "a").iterdir()) == [tmp_path / "a" / "tiny.npz"]
    assert again.value == solved.value
    assert again.states == solved.states
    assert again.seconds == pytest.approx(solved.seconds, abs=1e-3)
    assert again.first_moves() == solved.first_moves()
    for name, kind in solved.kinds.items():
        assert again.kinds[name][:2] == kind[:2]
        for one, other in zip(again.kinds[name].sets, kind.sets, strict=True):
            assert one.gains == other.gains
            assert (one.numbers == other.numbers).all()
    random = Random(0)
    for state in walk(solved, solved.start, random):
        assert again.value_of(state) == solved.value_of(state)


def test_a_table_for_other_content_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tiny.npz"
    store.save(solved_tiny("first"), path, True)
    with pytest.raises(BeachheadError, match=r"tiny.npz: this table is for another game or other content \(first tiny"):
        store.load(path, tiny("second"), True)
    with pytest.raises(BeachheadError, match="other content"):
        store.load(path, rolling(1, 0), True)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(BeachheadError, match="this is no table of a solved game"):
        store.load(path, tiny("first"))
    with pytest.raises(BeachheadError, match="this is no table of a solved game"):
        store.load(tmp_path / "none.npz", tiny("first"))


def test_a_damaged_table_is_refused_and_not_believed(tmp_path: Path) -> None:
    path, world = tmp_path / "tiny.npz", tiny("first")
    store.save(solved_tiny("first"), path, True)
    whole = path.read_bytes()
    with np.load(path) as file:
        parts = dict(file)
    about = json.loads(str(parts["about"]))
    for wrong in (
        {"values": parts["values"] * 2},
        {"values": parts["values"] * np.nan},
        {"lengths": -parts["lengths"]},
        {"lengths": parts["lengths"][:-1]},
        {"about": np.array(json.dumps(about | {"positions": []}))},
        {"about": np.array(json.dumps(about | {"positions": [[]]}))},
        {"about": np.array("[" * 100_000)},
    ):
        np.savez_compressed(path, **(parts | wrong))
        with pytest.raises(BeachheadError, match="this is no table of a solved game"):
            store.load(path, world, True)
    path.write_bytes(b"")
    with pytest.raises(BeachheadError, match="this is no table of a solved game"):
        store.load(path, world, True)
    for at in range(0, len(whole), 97):
        path.write_bytes(whole[:at] + bytes(100) + whole[at + 100 :])
        with suppress(BeachheadError):
            assert store.load(path, world, True).value == pytest.approx(solved_tiny("first").value)


def test_a_damaged_table_among_what_was_kept_is_worked_out_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "cache_folder", lambda: tmp_path)
    world = tiny("first")
    path = tmp_path / f"{ground.fingerprint(world, True)}.npz"
    path.write_bytes(b"")
    assert store.known(world, True) is None
    assert store.solved(world, True).value == solved_tiny("first").value
    assert store.load(path, world, True).value == solved_tiny("first").value


def test_words_and_drawings_do_not_make_a_board_another_one() -> None:
    world = tiny("first")
    said = {name: replace(sector, text="Other words.") for name, sector in world.sectors.items()}
    harder = {name: replace(sector, defence=(5,)) for name, sector in world.sectors.items()}
    assert ground.fingerprint(replace(world, sectors=said)) == ground.fingerprint(world)
    assert ground.fingerprint(replace(world, sectors=harder)) != ground.fingerprint(world)


def test_what_was_worked_out_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "cache_folder", lambda: tmp_path)
    world = tiny("first")
    assert store.known(world) is None
    first = store.solved(world)
    assert len(list(tmp_path.iterdir())) == 1
    monkeypatch.setattr(store, "worked_out", None)
    assert store.solved(world).value == first.value
    next(tmp_path.iterdir()).write_text("spoiled")
    assert store.known(world) is None


# ---------------------------------------------------------------------- what cannot be solved


def test_games_that_cannot_be_solved_are_refused() -> None:
    with pytest.raises(BeachheadError, match="2 Units: whole games are solved for one Unit only"):
        whole.solve(world_of(Setup(level="practice-run", seats=2)))
    with pytest.raises(BeachheadError, match="'mulligan' cannot be solved"):
        whole.solve(world_of(Setup(level="practice-run", options=("mulligan",))))
    with pytest.raises(BeachheadError, match=r"add --no-cards, or --level practice-run$"):
        whole.solve(world_of(BASIC))
    with pytest.raises(BeachheadError, match=r"add --no-cards$"):
        whole.solve(world_of(Setup("second")))


def test_a_unit_with_cards_has_no_known_value() -> None:
    solved = practice()
    g, _ = new(world_of(PRACTICE))
    g.units[0].specialists = ("medic",)
    with pytest.raises(BeachheadError, match="this Unit has cards"):
        solved.answers(rolled(g, (0,) * 6))


def test_the_state_is_left_as_it_is() -> None:
    solved = last_turns(BASIC, True)
    g = rolled(begin(solved.start, LAST, 20, 1), (0, 4, 0, 3, 2, 2))
    before = MACHINE.dump(g)
    solved.answers(g)
    assert MACHINE.dump(g) == before
    assert g.units[0].soldiers == 20 < ENOUGH
    assert ground.colours(ALL) == (2, 2, 2)
