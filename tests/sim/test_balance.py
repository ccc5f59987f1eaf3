"""Boards judged by measurement: figures from games made by hand, lines of a small board, changed numbers, the
command.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from beachhead.bots import Bot
from beachhead.content.library import library
from beachhead.content.schema import CardLists, Climb, Edges, Map, Part, Row, Sector, Start
from beachhead.core.errors import BeachheadError, SetupError
from beachhead.core.node import Decision
from beachhead.sim import rows, runner
from beachhead.sim.balance import (
    Asked,
    Balance,
    Effect,
    Forced,
    Setting,
    asked,
    cells,
    changes,
    climb,
    figures,
    read_balance,
    tried,
    wins,
    wins_of,
)
from beachhead.sim.balance_told import Shown, _markdown, notes, page, tables, write_pictures
from beachhead.sim.changed import Number, changed, numbers
from beachhead.sim.cli import _print_balance, _print_ladder
from beachhead.sim.figures import Paired, wilson
from beachhead.sim.ladder import Ladder, Standing
from beachhead.sim.made import Made
from beachhead.sim.routes import code_via, cover, dead_ends, guided, lines, paths, player, variations
from beachhead.sim.rows import to_lines
from beachhead.sim.runner import plan_of
from beachhead.sim.store import Cell, Plan, Store, find_store, open_store

TIGER = library().maps["first"]["n01-exercise-tiger"]
GOLD = library().maps["first"]["n04-gold"]


def board(sectors: dict[str, Sector], row: list[list[str]], **edges: Any) -> Map:
    made = {id: replace(sector, start=Start(soldiers=4)) if id == "1" else sector for id, sector in sectors.items()}
    every = tuple(Row(tuple(ids), courage=n) for n, ids in enumerate(row))
    return Map(1, "small", "Small", "first", every, made, Edges(**edges), CardLists())


def plain(*ids: str, bunker: str = "B") -> dict[str, Sector]:
    return {id: Sector((3,), bunker=id == bunker) for id in ids}


SMALL = board(
    plain("1", "2", "3", "4", "B"),
    [["1"], ["2", "3", "4"], ["B"]],
    forward=(("1", "2"), ("1", "3"), ("2", "B"), ("3", "B")),
    lateral=(("2", "3"), ("3", "4")),
)
"""Two ways up; behind Sector 4 nothing leads on but the way back to 3."""


def game(
    n: int, won: bool, *ways: str, cause: str = "", stays: tuple[tuple[int, ...], ...] = (), lost: int = -1
) -> rows.Row:
    """A game in which each Unit went such a way, a turn in each Sector but the last if nothing else is said."""
    walked = tuple(tuple(way.split()) for way in ways)
    told = stays or tuple((*(1 for _ in way[:-1]), 0) for way in walked)
    end = cause or ("bunker-conquered" if won else "wiped-out")
    gone = () if won else (lost if lost >= 0 else 0,)
    return rows.Row(n, won, end, 5, 9, ways=walked, stays=told, lost=gone)


# ---- figures of games made by hand


def test_use_of_sectors() -> None:
    """Four games of one Unit: two by 2 are won, one by 3 is lost in 3, one is lost in 2."""
    found = figures(
        [
            game(1, True, "1 2 B", stays=((3, 1, 0),)),
            game(2, True, "1 2 B", stays=((1, 2, 0),)),
            game(3, False, "1 3", stays=((2, 1),)),
            game(4, False, "1 2", stays=((2, 3),), cause="could-not-move"),
        ]
    )
    assert found.units == 4
    assert (found.tally.games, found.tally.wins) == (4, 2)
    first, second, third, bunker = (found.sectors[id] for id in ("1", "2", "3", "B"))
    assert (first.units, first.turns.total, first.lost, first.games, first.wins) == (4, 8, 0, 4, 2)
    assert (second.units, second.turns.total, second.lost, second.games, second.wins) == (3, 6, 1, 3, 2)
    assert (third.units, third.turns.total, third.lost, third.games, third.wins) == (1, 1, 1, 1, 0)
    assert (bunker.units, bunker.turns.total, bunker.lost, bunker.games, bunker.wins) == (2, 0, 0, 2, 2)
    assert found.defeats == {("wiped-out", "3"): 1, ("could-not-move", "2"): 1}
    assert found.crossed == {("1", "2"): 3, ("2", "B"): 2, ("1", "3"): 1}
    assert found.least(("1", "2", "B")) == 2 / 4
    assert found.least(("1", "3", "B")) == 0


def test_units_of_one_game_are_counted_one_by_one() -> None:
    """Two Units: the second one is lost in 3, and the game with it."""
    found = figures([game(1, False, "1 2", "1 3", lost=1), game(2, True, "1 2 B", "1 2 3 B")])
    assert found.units == 4
    assert found.defeats == {("wiped-out", "3"): 1}
    two, three = found.sectors["2"], found.sectors["3"]
    assert (two.units, two.lost, two.games, two.wins) == (3, 0, 2, 1)
    assert (three.units, three.lost, three.games, three.wins) == (2, 1, 2, 1)
    assert found.crossing(("3", "2")) == 1


def test_paths_count_those_who_were_on_them_as_far_as_they_came() -> None:
    """1 2 B is walked twice; two Units were lost on it (1 and 1 2), and the first of them was on 1 3 B as well."""
    ways = [(True, "1 2 B"), (True, "1 2 B"), (False, "1"), (False, "1 2"), (True, "1 3 B"), (False, "1 3 2")]
    found = figures([game(n, won, way) for n, (won, way) in enumerate(ways, 1)])
    one, other = found.walked(SMALL)
    assert (one.path, one.units, one.on, one.won) == (("1", "2", "B"), 2, 4, 2)
    assert (other.path, other.units, other.on, other.won) == (("1", "3", "B"), 1, 2, 1)
    assert found.kept(("1", "2", "B")) == 4 / 6
    assert found.kept(("1", "3", "B")) == 2 / 6


# ---- lines and paths of a small board


def test_every_line_is_named_once() -> None:
    assert lines(SMALL) == [("1", "2"), ("1", "3"), ("2", "B"), ("3", "B"), ("2", "3"), ("3", "4")]


def test_dead_ends() -> None:
    """4 leads nowhere for a Unit that came from 3, the only way there; and without its lateral it is cut off."""
    assert dead_ends(SMALL) == ([], [("3", "4")])
    cut = replace(SMALL, edges=Edges((*SMALL.edges.forward, ("1", "4")), (("2", "3"),)))
    assert dead_ends(cut) == (["4"], [])
    fine = replace(SMALL, edges=Edges((*SMALL.edges.forward, ("4", "B")), SMALL.edges.lateral))
    assert dead_ends(fine) == ([], [])
    beside = replace(fine, edges=replace(fine.edges, lateral=(*fine.edges.lateral, ("B", "5"))))
    assert dead_ends(replace(beside, sectors={**fine.sectors, **plain("5")})) == ([], []), (
        "who is in the Bunker is safe"
    )


def test_dead_ends_of_one_who_needs_every_bunker() -> None:
    """On Gold Beach the trench lies between the boxes: who is alone and enters it first cannot come to both."""
    assert dead_ends(GOLD) == ([], [])
    assert dead_ends(GOLD, each=True) == ([], [("9", "11"), ("10", "11")])


def test_paths_go_forward_and_few_of_them_have_every_line() -> None:
    assert list(paths(SMALL)) == [("1", "2", "B"), ("1", "3", "B")]
    assert cover(SMALL) == [("1", "2", "B"), ("1", "3", "B")]
    whole = {line for path in paths(TIGER) for line in pairwise(path)}
    some = cover(TIGER)
    assert {line for path in some for line in pairwise(path)} == whole
    assert whole == {tuple(line) for line in TIGER.edges.forward}
    assert len(some) < len(list(paths(TIGER)))
    assert all(path[-1] in ("BW", "BE") and {"BW", "BE"} <= set(path) for path in cover(GOLD, each=True))


def test_variations_of_a_path_change_as_little_as_can_be() -> None:
    """1 3 2 B goes aside once. Not on it are 1-2 and 3-B: each way over one of them, with as much of the rest."""
    usual = ("1", "3", "2", "B")
    assert variations(SMALL, usual) == [usual, ("1", "2", "B"), ("1", "3", "B")]
    way = ("1", "3", "2", "4", "5", "6", "8", "10", "B")
    found = variations(TIGER, way)
    assert found[0] == way
    assert {line for path in found for line in pairwise(path)} >= {tuple(line) for line in TIGER.edges.forward}
    through = next(path for path in found if ("2", "5") in pairwise(path))
    assert through[:4] == ("1", "3", "2", "5") and through[-4:] == ("6", "8", "10", "B")


def test_the_paths_that_are_tried_begin_with_what_units_walk() -> None:
    """Bots that go nowhere show no path: then the straight ones are tried."""
    alone = runner.cell_of("landing", {"edition": "first", "map": TIGER.id, "seats": 1}, ["thumb"], 3)
    (plain,), _, made = plan_of([alone], 30)
    walked = figures(rows.from_lines(runner.play_block(plain, range(1, 31), runner.Check(made)))).walked(TIGER)
    assert tried(TIGER, alone)[0] == walked[0].path
    assert tried(TIGER, alone._replace(bots=("random",))) == cover(TIGER)


def test_nobody_comes_back_to_a_board_that_it_has_left() -> None:
    """From 1 to 2 on the same board, or over 3 on the other one."""
    edges = {"forward": (("1", "3"), ("3", "2"), ("1", "2"), ("2", "B"))}
    joined = board(plain("1", "2", "3", "B"), [["1"], ["2", "3"], ["B"]], **edges)
    assert list(paths(joined)) == [("1", "3", "2", "B"), ("1", "2", "B")]
    apart = replace(joined, parts=(Part("one", ("1", "2", "B"), ()), Part("other", ("3",), ())))
    assert list(paths(apart)) == [("1", "2", "B")]


# ---- players on a path


def decision(name: str, *keys: str) -> Decision:
    return Decision(0, 1, "one", name, keys, "F-MOVE-01")


def wants(key: str) -> Bot:
    return Bot("wants", "", lambda decision, view, rng: key)


def at(sector: str) -> Any:
    return lambda: {"units": [{"sector": sector}]}


def test_a_guided_player_goes_its_path_where_it_can() -> None:
    """The path is 1 2 B; the bot would go to 3."""
    answer = guided(wants("move:3"), ("1", "2", "B")).answer
    luck = Random(0)
    assert answer(decision("move", "stay", "move:2", "move:3"), at("1"), luck) == "move:2"
    assert answer(decision("move", "stay", "move:3"), at("1"), luck) == "stay"
    assert answer(decision("move", "move:3"), at("1"), luck) == "move:3"
    assert answer(decision("move", "move:3", "move:B"), at("4"), luck) == "move:3"
    assert answer(decision("move", "move:3"), at("B"), luck) == "move:3"
    assert guided(wants("stay"), ("1", "2")).answer(decision("move", "stay", "move:2"), at("1"), luck) == "stay"
    start = guided(wants("start:5"), ("1", "2")).answer
    assert start(decision("start", "start:1", "start:5"), at("5"), luck) == "start:1"
    assert start(decision("start", "start:5"), at("5"), luck) == "start:5"


def test_units_on_a_path_walk_it() -> None:
    """The rules of thumb like the left of Exercise Tiger; made to, they go right."""
    path = ("1", "3", "6", "8", "10", "B")
    alone = runner.cell_of("landing", {"edition": "first", "map": TIGER.id, "seats": 1}, ["thumb"], 3)
    cell = alone._replace(bots=(code_via("thumb", path),))
    (planned,), _, made = plan_of([cell], 8)
    block = rows.from_lines(runner.play_block(planned, range(1, 9), runner.Check(made)))
    assert figures(block).kept(path) >= 7 / 8
    assert player("thumb via 1 3").code == "thumb"


# ---- changed numbers


def test_rebuilt_numbers_of_a_board() -> None:
    rebuilt = replace(SMALL.sectors["2"], mgf=1, bonus={"courage": 1}, reconstructed=("def", "bonus"))
    made = replace(SMALL, sectors={**SMALL.sectors, "2": rebuilt})
    assert numbers(made) == [Number("2", "bonus.courage", (1,)), Number("2", "def", (3,))]
    assert [one for one in numbers(replace(made, basis="reconstructed")) if one.place.startswith("row")] == [
        Number("row 2", "courage", (1,)),
        Number("row 3", "courage", (2,)),
    ]


def test_all_numbers_count_where_none_is_named_as_rebuilt() -> None:
    named = {(one.place, one.name): one.now for one in numbers(SMALL)}
    assert named == {
        ("1", "def"): (3,),
        ("1", "start.soldiers"): (4,),
        ("2", "def"): (3,),
        ("3", "def"): (3,),
        ("4", "def"): (3,),
        ("B", "def"): (3,),
        ("row 2", "courage"): (1,),
        ("row 3", "courage"): (2,),
    }


def test_a_changed_number_is_changed_alone() -> None:
    more = changed(GOLD, "2:def+1")
    assert more is not None and more.sectors["2"].defence == tuple(n + 1 for n in GOLD.sectors["2"].defence)
    assert replace(more, sectors={**more.sectors, "2": GOLD.sectors["2"]}) == GOLD
    start = changed(GOLD, "1:start.soldiers-1")
    assert start is not None and start.sectors["1"].start == Start(soldiers=3)
    none = changed(GOLD, "2:bonus.courage-1")
    assert none is not None and none.sectors["2"].bonus == {}
    price = changed(GOLD, "row 2:courage-1")
    assert price is not None and [row.courage for row in price.rows] == [0, 0, 2, 2, 2, 3]


def test_values_that_the_rules_do_not_know_are_left_out() -> None:
    zero = replace(SMALL, sectors={**SMALL.sectors, "2": Sector((0, 2), dice=6, locked_dice=0, climb=Climb(1))})
    assert changed(zero, "2:def-1") is None
    assert changed(zero, "2:locked_dice-1") is None
    assert changed(zero, "2:dice+1") is None
    assert changed(zero, "2:climb.skulls-1") is None
    assert "2:def+1" in changes(zero) and "2:def-1" not in changes(zero)


def test_a_changed_board_is_played_and_stays_off_the_shelf() -> None:
    """The start has 4 Soldiers; 40 more are there as turn 1 begins, and on the shelf all is as it was."""
    before = dict(library().maps["first"])
    (cell, *_) = cells([TIGER], [1], ["random"])
    richer = cell._replace(setup={**cell.setup, "map": "n01-exercise-tiger~1:start.soldiers+40"})
    (planned,), _, made = plan_of([richer], 3)
    block = rows.from_lines(runner.play_block(planned, range(1, 4), runner.Check(made)))
    assert [row.course[0] for row in block] == [(44,)] * 3
    assert library().maps["first"] == before


def test_effects_are_those_of_the_same_games(tmp_path: Path) -> None:
    """One Unit of a stand-in bot in four games: as it is it wins 1 and 2; with DEF 3 of Sector 2 at 4 only game 1, at 2
    games 1, 2 and 3.
    """
    store = hand_made(tmp_path, {"": [1, 2], "2:def+1": [1], "2:def-1": [1, 2, 3]})
    (found,) = read_balance(store)
    (effect,) = [one for one in found.settings[0].effects if one.number == Number("2", "def", (4,))]
    assert effect == Effect(Number("2", "def", (4,)), Paired(4, 0, 1), Paired(4, 1, 0))


def hand_made(folder: Path, won: dict[str, list[int]]) -> Store:
    """Four games of each cell of Exercise Tiger, as if these numbers had been won with these changes."""
    every = cells([TIGER], [1], ["thumb"], effects=True)
    plan = plan_of([cell for cell in every if asked(cell).change in (None, *won)], 4)
    store = open_store(plan, folder)
    for block in plan.blocks():
        wins = won.get(asked(plan.cells[block.cell]).change or "", [])
        store.put(block, to_lines([game(n, n in wins, "1 2 5 8 10 B" if n in wins else "1 2") for n in block.numbers]))
    return store


# ---- verdicts


@pytest.mark.parametrize(
    ("pair", "least", "verdict"),
    [
        (None, 0.0, "best"),
        (Paired(1000, 100, 110), 0.0, "worth"),  # no difference shown
        (Paired(1000, 10, 50), 0.0, "worth"),  # shown, but only 4 points
        (Paired(1000, 10, 100), 0.2, "weaker"),
        (Paired(1000, 10, 100), 0.04, "dominated"),
        (Paired(1000, 100, 10), 0.0, "worth"),
    ],
)
def test_verdicts_on_paths(pair: Paired | None, least: float, verdict: str) -> None:
    found = Forced(("1", "2", "B"), wilson(50, 100), pair, 0.6, least)
    assert found.verdict == verdict
    assert found._replace(kept=0.4).verdict == "closed"
    assert found._replace(walked=0.1).verdict == ("best" if pair is None else "worth")


def test_whether_two_paths_are_worth_taking_is_said_only_with_enough_games() -> None:
    best = Forced(("1", "2", "B"), wilson(300, 400), None, 1.0, 0.5)
    other = Forced(("1", "3", "B"), wilson(280, 400), Paired(400, 20, 40), 1.0, 0.0)
    counted = figures([game(n, True, "1 2 B") for n in range(1, 401)])
    (*_, said) = notes(Balance(SMALL, [Setting(1, "thumb", counted, [best, other], [])]))
    assert said == (
        "Corporal, 1 Unit: only one path of the 2 that were tried is worth taking: 1 2 B (75.0 %). Dominated: 1 3 B."
    )
    near = other._replace(pair=Paired(400, 20, 30))
    (*_, said) = notes(Balance(SMALL, [Setting(1, "thumb", counted, [best, near], [])]))
    assert said == (
        "Corporal, 1 Unit: at least two paths are worth taking, 2 of the 2 that were tried: "
        "1 2 B (75.0 %), 1 3 B (70.0 %)."
    )
    few = figures([game(n, True, "1 2 B") for n in range(1, 10)])
    said = "\n".join(notes(Balance(SMALL, [Setting(1, "thumb", few, [best, other], [])])))
    assert "too few for a verdict" in said and "worth taking" not in said


def test_the_best_path_is_the_best_of_those_that_units_can_take(tmp_path: Path) -> None:
    """Exercise Tiger has four paths to try: the second one is won most, but nobody keeps to it."""
    plan = plan_of(cells([TIGER], [1], ["random"]), 4)
    store, tried = open_store(plan, tmp_path), cover(TIGER)
    wins = {tried[0]: 2, tried[1]: 4, tried[2]: 3, tried[3]: 0}
    for block in plan.blocks():
        path = asked(plan.cells[block.cell]).via or tried[0]
        way = " ".join(tried[2] if path == tried[1] else path)
        store.put(block, to_lines([game(n, n <= wins[path], way) for n in block.numbers]))
    (setting,) = read_balance(store)[0].settings
    assert [one.path for one in setting.forced] == [tried[2], tried[0], tried[3], tried[1]]
    assert [one.pair for one in setting.forced] == [None, Paired(4, 0, 1), Paired(4, 0, 3), Paired(4, 1, 0)]
    assert setting.forced[-1].verdict == "closed"
    assert [one.path for one in setting.worth] == [tried[2], tried[0], tried[3]]


def test_lines_that_hardly_anybody_crosses_and_sectors_where_units_were_stuck() -> None:
    found = figures([game(n, True, "1 2 B") for n in range(1, 200)] + [game(200, False, "1 3", cause="could-not-move")])
    balance = Balance(SMALL, [Setting(1, "thumb", found, [], [])])
    assert balance.unused() == [(("1", "3"), 1 / 200), (("3", "B"), 0), (("2", "3"), 0), (("3", "4"), 0)]
    assert balance.stuck() == {"3": 1}
    said = "\n".join(notes(balance))
    assert "1-3 (0.5 %), 3-B (0.0 %), 2-3 (0.0 %), 3-4 (0.0 %)" in said
    assert "One Unit had to move and could not, in Sector 3 (1)." in said
    assert "after 3-4 only the way back" in said


def ladder_of(*won: list[int]) -> list[Balance]:
    boards = list(library().maps["first"].values())[: len(won)]
    played = [figures([game(n, n in wins, "1") for n in range(1, 101)]) for wins in won]
    return [Balance(one, [Setting(1, "exact", found, [], [])]) for one, found in zip(boards, played, strict=True)]


def test_the_ladder_climbs() -> None:
    """90, 60, 58 and 30 of the same 100 games: a steep step, one that may be chance, a steep one."""
    found = climb(wins(ladder_of(list(range(90)), list(range(61)), list(range(59)), list(range(31)))), "first")
    assert found is not None
    assert [step.verdict for step in found.steps] == ["first", "harder", "same", "harder"]
    assert found.easiest and found.steady


def test_a_board_that_is_easier_than_the_one_before() -> None:
    found = climb(wins(ladder_of(list(range(60)), list(range(31)), list(range(91)))), "first")
    assert found is not None
    assert [step.verdict for step in found.steps] == ["first", "harder", "easier"]
    assert not found.easiest and not found.steady
    assert climb(wins(ladder_of([1])), "first") is None


def test_the_ladder_of_bots_shows_how_hard_boards_are(tmp_path: Path) -> None:
    """Of two boards 3 games each are judged; the ladder of bots has played 500 of each, and won 400 and 100."""
    boards = list(library().maps["first"].values())[:2]
    plan = plan_of([plain_cell(board) for board in boards], 3)
    store = open_store(plan, None)
    for block in plan.blocks():
        store.put(block, to_lines([game(n, False, "1") for n in block.numbers]))
    more = open_store(plan_of([plain_cell(board) for board in reversed(boards)], 500), tmp_path / "ladder")
    with pytest.raises(BeachheadError, match="lacks games of this setting"):
        wins_of(more, plan)
    for block in more.plan.blocks():
        won = 100 if block.cell == 0 else 400
        more.put(block, to_lines([game(n, n <= won, "1") for n in block.numbers]))
    text = page(read_balance(store), store, {}, "maps", ("strength.md", wins_of(more, plan)))
    assert "from 500 games of each bot: those of [the ladder of bots](strength.md)" in text
    assert "| N-01 | Exercise Tiger | 80.0 (76.3 to 83.3) |  | first |" in text
    assert "| N-02 | Omaha Beach | 20.0 (16.7 to 23.7) | -60.0 (-64.1 to -55.4) * | harder |" in text
    assert "The ladder climbs steadily" in text
    assert "| Captain, 1 Unit | 0.0 (0.0 to 56.1) |" in text, "the figures of each board are those of its own games"


def plain_cell(board: Map, seed: int = 0) -> Cell:
    return runner.cell_of("landing", {"edition": board.edition, "map": board.id, "seats": 1}, ["exact"], seed)


def test_a_ladder_of_other_boards_seeds_or_rules_is_refused() -> None:
    plan = plan_of([plain_cell(TIGER)], 1)
    lacks = "lacks games of this setting with this board: First edition, Exercise Tiger, 1 Unit, exact"
    for other in (plain_cell(GOLD), plain_cell(TIGER, seed=1), plain_cell(TIGER)._replace(content="another")):
        with pytest.raises(BeachheadError, match=lacks):
            wins_of(open_store(plan_of([other], 1), None), plan)
    old = plan._replace(made=plan.made._replace(engine="older"))
    with pytest.raises(BeachheadError, match="older"):
        wins_of(open_store(old, None), plan)


# ---- what is played


def test_cells_of_a_board() -> None:
    found = [asked(cell) for cell in cells([TIGER], seed=7)]
    ahead = {(line[0], line[1]) for line in TIGER.edges.forward}
    assert found[0] == Asked("first", TIGER.id, 1, "thumb")
    assert {(one.seats, one.bot) for one in found if one.plain} == {(s, b) for s in (1, 4) for b in ("thumb", "exact")}
    for code in ("thumb", "exact"):
        forced = [one for one in found if one.via and one.bot == code]
        assert {one.seats for one in forced} == {1}
        assert {line for one in forced for line in pairwise(one.via)} >= ahead
    more = [asked(cell) for cell in cells([TIGER], [1], ["thumb"], effects=True)]
    assert [one.change for one in more if one.change is not None] == ["", *changes(TIGER)]


def test_a_board_for_more_units_is_played_by_as_many() -> None:
    joined = library().maps["first"]["operation-deadstick"]
    assert {asked(cell).seats for cell in cells([joined], bots=["random"])} == {4}
    with pytest.raises(SetupError, match="2"):
        cells([joined], [1], ["random"])
    among = [asked(cell) for cell in cells([TIGER, joined], [1], ["random"])]
    assert {(one.map, one.seats) for one in among} == {(TIGER.id, 1), (joined.id, 2)}
    assert [one.via for one in among if one.map == joined.id] == [(), *cover(joined)]


def test_a_board_with_little_room_is_played_by_as_many_as_it_has_room_for() -> None:
    sectors = {name: replace(one, max_units=3 if one.start else one.max_units) for name, one in TIGER.sectors.items()}
    three = replace(TIGER, sectors=sectors)
    assert {asked(cell).seats for cell in cells([three], bots=["random"])} == {1}
    assert {asked(cell).seats for cell in cells([three], [1, 2, 3, 4], ["random"])} == {1, 2, 3}
    assert {asked(cell).seats for cell in cells([replace(three, least_seats=2)], bots=["random"])} == {2}


def test_a_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    cell = runner.cell_of("landing", {"edition": "first", "map": TIGER.id, "seats": 2}, ["thumb", "random"])
    plan = plan_of([cell], 1)
    store = open_store(plan, tmp_path)
    with pytest.raises(BeachheadError, match="lacks 1 game"):
        read_balance(store)
    runner.simulate(plan, store)
    with pytest.raises(BeachheadError, match="played for something else"):
        read_balance(store)


# ---- tables and the page


def test_tables_tell_the_figures(tmp_path: Path) -> None:
    (found,) = read_balance(hand_made(tmp_path, {"": [1, 2], "2:def+1": [1], "2:def-1": [1, 2, 3]}))
    shown = {table.title: table.rows for table in tables(found)}
    assert shown["Games won in %, turns, Soldiers left"] == [
        ["Corporal, 1 Unit", "50.0 (15.0 to 85.0)", "5.0 (5.0 to 5.0)", "-"]
    ]
    assert ["2", "4", "", "100.0", "0.50", "50.0", "50.0 (15.0 to 85.0)"] in shown["Corporal, 1 Unit: Sectors"]
    assert shown["Corporal, 1 Unit: causes of defeat"] == [["a Unit was wiped out", "2", "2", "50.0 (15.0 to 85.0)"]]
    assert shown["Corporal, 1 Unit: paths to a Bunker"] == [["1 2 5 8 10 B", "50.0", "4", "50.0 (15.0 to 85.0)"]]
    (effect,) = shown["Corporal, 1 Unit: games won, changed by one more or one less"]
    assert effect[:2] == ["Sector 2: def", "4"]
    assert effect[2].startswith("-25.0 (") and effect[3].startswith("+25.0 (")


def test_the_page_tells_how_it_was_made_and_shows_every_board(tmp_path: Path) -> None:
    hand_made(tmp_path / "run", {})
    store, kept = find_store(tmp_path / "run")
    found = read_balance(store)
    text = page(found, store, kept, "pictures")
    for words in (
        "| games | 4 for each bot",
        "| seeds | base seed 0, games 1 to 4 |",
        f"| hash of boards, cards and what bots have learned | `{store.plan.content}` |",
        "**Fewer than 400 games in each setting",
        "## The ladder: First edition",
        "| N-01 | Exercise Tiger | 0.0 (0.0 to 49.0) |",
        "![Exercise Tiger](pictures/first-n01-exercise-tiger.svg)",
        "*Slapton Sands, Devon, England, 1944-04-27.*",
        "Nothing of its Sectors is rebuilt.",
    ):
        assert words in text
    (picture,) = write_pictures(tmp_path / "pictures", [one.board for one in found])
    assert picture.name == "first-n01-exercise-tiger.svg"
    assert picture.read_text(encoding="utf-8").startswith("<svg")


def test_what_is_rebuilt_is_named_with_its_sectors(tmp_path: Path) -> None:
    plan = plan_of(cells([GOLD], [1], ["thumb"]), 1)
    store = open_store(plan, None)
    for block in plan.blocks():
        store.put(block, to_lines([game(1, False, "1")]))
    text = page(read_balance(store), store, {}, "maps")
    assert "Rebuilt, as no source gives it: `def` (all Sectors), `start` (1), `bonus` (2, 4, 6, 11)" in text


# ---- the command


def beachhead(*args: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "beachhead", *map(str, args)],
        env={**os.environ, "COLUMNS": "180", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


SHORT = ("balance", "N-01", "--edition", "first", "--bot", "random", "--seats", "1", "--games", "3", "--seed", "5")


def test_the_command_from_end_to_end_with_any_number_of_workers() -> None:
    one = beachhead(*SHORT, "--effects", "--workers", "1", "--json")
    assert (one.returncode, one.stderr) == (0, "")
    two = beachhead(*SHORT, "--effects", "--workers", "2", "--json")
    assert two.stdout == one.stdout
    (found,) = json.loads(one.stdout)["boards"]
    assert (found["edition"], found["map"]) == ("first", "n01-exercise-tiger")
    (setting,) = found["settings"]
    assert (setting["seats"], setting["bot"], setting["games"]) == (1, "random", 3)
    assert setting["sectors"]["1"]["entered"] == 1
    assert len(setting["forced"]) == len(cover(TIGER))
    told = [one[way] for one in setting["effects"] for way in ("more", "less")]
    assert sum(1 for one in told if one) == len(changes(TIGER))


def test_the_tables_are_printed_in_both_languages() -> None:
    english = beachhead(*SHORT)
    assert (english.returncode, english.stderr) == (0, "")
    assert "N-01 Exercise Tiger, First edition" in english.stdout
    assert "Recruit, 1 Unit: all Units made to take a path" in english.stdout
    french = beachhead("--lang", "fr", *SHORT)
    assert "un chemin imposé à toutes les Unités" in french.stdout


def test_a_run_goes_on_in_its_folder_and_becomes_the_page(tmp_path: Path) -> None:
    run, made = tmp_path / "run", tmp_path / "maps.md"
    assert beachhead(*SHORT, "--workers", "1", "--out", run).returncode == 0
    whole = sorted(path.name for path in run.iterdir())
    (run / "001.jsonl").unlink()
    again = beachhead(*SHORT, "--workers", "1", "--out", run, "--write", made)
    assert (again.returncode, again.stderr) == (0, "")
    assert sorted(path.name for path in run.iterdir()) == whole
    text = made.read_text(encoding="utf-8")
    command = "beachhead balance N-01 --edition first --seats 1 --bot random --games 3 --seed 5 --out FOLDER"
    assert f"| command | `{command}` |" in text
    assert (tmp_path / "maps" / "first-n01-exercise-tiger.svg").exists()
    made.unlink()
    assert beachhead("balance", "--from", run, "--write", made, "--pictures", tmp_path / "boards").returncode == 0
    assert made.read_text(encoding="utf-8") == text.replace("(maps/", "(boards/")
    over = beachhead("balance", "--from", run, "--write", made)
    picture = tmp_path / "maps" / "first-n01-exercise-tiger.svg"
    assert over.stdout == "".join(f"wrote {path}, in place of the old one\n" for path in (picture, made))


def test_names_are_told_as_they_are(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of packs too: neither brackets nor colons are marks for a terminal, and a line divides no row of a page."""
    named = "[red]Gold[/] :star: | Sword"
    standing = Standing(Cell("landing", {"map": named, "seats": 1}, ("thumb",), 0), (True, False), 0)
    monkeypatch.setenv("COLUMNS", "180")
    _print_ladder(Ladder(Plan((standing.cell,), 2, Made("", "", "")), [standing], []))
    assert named in capsys.readouterr().out
    monkeypatch.setattr("beachhead.sim.balance_told.tables", lambda one: [Shown(named, [named], [[named]])])
    played = figures([game(1, True, "1 2 B")])
    _print_balance([Balance(replace(SMALL, name=named), [Setting(1, "thumb", played, [], [])])])
    assert capsys.readouterr().out.count(named) == 4
    assert _markdown(["board"], [[named]])[-1] == r"| [red]Gold[/] :star: \| Sword |"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "expected one map, or --all"),
        (["N-01", "--all"], "expected one map, or --all"),
        (["n04-gold", "--edition", "third"], "unknown edition 'third'"),
        (["n04-gld"], "did you mean 'n04-gold'?"),
        (["n04-gold", "--bot", "general"], "unknown bot 'general'"),
        (["n04-gold", "--bot", "random", "--games", "0"], "0"),
        (["operation-deadstick", "--seats", "1", "--bot", "random"], "F-OPT-DEADSTICK-01"),
        (["--from", "nowhere"], "nowhere"),
        (["n04-gold", "--from", "nowhere"], "with --from, the folder says"),
        (["n04-gold", "--bot", "random", "--workers", "none"], "none"),
        (["n04-gold", "--ladder", "docs/strength.json"], "--ladder goes with --write"),
        (["n04-gold", "--pictures", "p"], "--pictures goes with --write"),
        (["--from", "nowhere", "--games", "2"], "with --from, the folder says"),
        (["--from", "nowhere", "--seed", "0"], "with --from, the folder says"),
        (["n04-gold", "--write", "page"], "the pictures of the page would go to page, where the page or a run is"),
        (["n04-gold", "--out", "B1", "--write", "B1.md"], "the pictures of the page would go to B1"),
        (["--from", "B1", "--write", "./B1.md"], "the pictures of the page would go to B1"),
        (["n04-gold", "--out", "B1", "--write", "B2.md", "--pictures", "B2/../B1"], "the pictures of the page would"),
    ],
)
def test_mistakes_end_in_one_clear_message(args: list[str], message: str) -> None:
    done = beachhead("balance", *args)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
