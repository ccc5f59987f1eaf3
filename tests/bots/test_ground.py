"""What bots make of ground that asks for certain dice: cliffs, doors that a Battle Cry opens, Sectors with a table."""

from __future__ import annotations

from random import Random

import pytest

from beachhead.bots import bot
from beachhead.bots.arrive import arrived
from beachhead.bots.exact import answer_with
from beachhead.bots.gains import gains
from beachhead.bots.judgement import Who, cant_stay, plan, step
from beachhead.bots.look import way_of
from beachhead.bots.sight import Sight
from beachhead.bots.values import ALONE, LOST, START, Values, valuer
from beachhead.core.node import Answer, Ask, Decision
from beachhead.landing.dice import DICE, SKULL
from beachhead.landing.game import MACHINE
from beachhead.landing.position import TALLY, Position, UnitAt, position
from beachhead.landing.state import Landing
from beachhead.landing.world import Setup, world_of
from beachhead.solve.multisets import ROLL

CLIFF, BATTERY, GOLD, SWORD = "n07-pointe-du-hoc", "n08-merville", "n04-gold", "n06-sword"
OMAHA, UTAH, CAUSEWAY = "n02-omaha", "n03-utah", "n11-carentan-causeway"
BOTS = ("thumb", "exact", "planner")
NOBODY = Who(frozenset(), 0.0, 0.0)


def table(board: str, unit: UnitAt, phase: str, **more: object) -> Landing:
    g = position(world_of(Setup("first", board, 1)), Position((unit,), turn=9, phase=phase, **more))  # type: ignore[arg-type]
    MACHINE.start(g)
    return g


def asked(board: str, unit: UnitAt, phase: str) -> tuple[Landing, Decision]:
    g = table(board, unit, phase)
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    return g, node.decision(0)


def answer(code: str, g: Landing, decision: Decision) -> str:
    return bot(code).answer(decision, lambda: MACHINE.view(g, 0), Random(1))


def rolling(board: str, sector: str, faces: list[int], **more: object) -> tuple[Landing, Decision]:
    """Before the last roll of a Unit that has nothing to Lock here."""
    unit = UnitAt(sector=sector, marker="3 chevrons", soldiers=40, courage=6, **{"visited": (sector,), **more})  # type: ignore[arg-type]
    g = table(board, unit, "move")
    g.phase, g.units[0].faces = "roll", tuple(faces)
    subsets = [",".join(names) for names in (("W2",), ("B1",), ("B2",), ("B1", "B2"), ("W2", "B1", "B2"), ("R1",))]
    subsets += ["R1,R2,W1", "R1,R2,W1,W2,B1,B2"]
    keys = ("stop", *(f"roll:{names}" for names in subsets))
    return g, Decision(0, 1, "one", "reroll", keys, "F-ROLL-01", "")


@pytest.mark.parametrize("code", BOTS)
def test_skulls_are_kept_where_they_are_the_way_up(code: str) -> None:
    three = rolling(CLIFF, "9", [0, 0, 0, 1, 3, 4])
    assert answer(code, *three) == "roll:W2,B1,B2"
    four = rolling(CLIFF, "9", [0, 0, 0, 0, 3, 3])
    assert not any(die in answer(code, *four) for die in ("R1", "R2", "W1", "W2"))


@pytest.mark.parametrize("code", BOTS)
def test_elsewhere_the_same_skulls_are_rolled_again(code: str) -> None:
    assert "R1,R2,W1" in answer(code, *rolling(CLIFF, "8", [0, 0, 0, 3, 3, 3]))


@pytest.mark.parametrize("code", BOTS)
@pytest.mark.parametrize(
    ("dice", "cards", "used"),
    [
        ("R:skull,skull W:skull,star B:soldier2,tool", ("grappling-hook",), True),
        ("R:skull,skull W:star,star B:soldier2,tool", ("grappling-hook",), False),
        ("R:skull,skull W:star,star B:soldier2,tool", ("grappling-hook", "rope-ladder"), True),
        ("R:skull,skull W:skull,skull B:soldier2,tool", ("grappling-hook",), False),
    ],
)
def test_a_rope_is_used_when_it_completes_the_climb(code: str, dice: str, cards: tuple[str, ...], used: bool) -> None:
    unit = UnitAt(sector="9", visited=("9",), marker="3 chevrons", soldiers=40, courage=6, dice=dice, cards=cards)
    g, decision = asked(CLIFF, unit, TALLY)
    assert decision.name == "window"
    assert answer(code, g, decision).startswith("use:") is used


def test_a_rope_in_the_pack_counts_for_the_dice() -> None:
    for cards, wanted in (((), 4), (("grappling-hook",), 3), (("grappling-hook", "rope-ladder"), 2)):
        g = table(CLIFF, UnitAt(sector="10", visited=("10",), soldiers=20, courage=3, cards=cards), "move")
        look = Sight(MACHINE.view(g, 0), 0, START)
        assert look.terms(True, (2, 2, 2)).climb == wanted


@pytest.mark.parametrize("code", BOTS)
def test_who_has_climbed_goes_up(code: str) -> None:
    unit = UnitAt(
        sector="9", visited=("9",), soldiers=60, courage=6, dice="R:skull,skull W:skull,skull B:soldier2,tool"
    )
    g, decision = asked(CLIFF, unit, "move")
    assert set(decision.keys) >= {"stay", "move:11"}
    assert answer(code, g, decision) == "move:11"


@pytest.mark.parametrize("code", BOTS)
def test_the_dice_of_a_battle_cry_are_kept_at_a_door_that_it_opens(code: str) -> None:
    """Red and white Courage lie there; for the blue one that lacks for the Battle Cry four Soldiers are given up. The
    Unit has been in Sector 13 already, so that there is no other way.
    """
    before = rolling(BATTERY, "12", [4, 4, 4, 4, 3, 3], visited=("13", "12"))
    assert answer(code, *before) == "roll:B1,B2"
    if code == "thumb":  # it does not go for a Battle Cry elsewhere; values that were learned may
        assert answer(code, *rolling(BATTERY, "7", [4, 4, 4, 4, 3, 3])) != "roll:B1,B2"


def test_the_way_ahead_says_what_dice_must_open() -> None:
    alone = ("first", CLIFF, 1, "")
    up = plan(alone, "9", 2, 1, frozenset("9"), NOBODY)
    assert up.gate and up.climbs == 1
    before = plan(alone, "8", 0, 1, frozenset("8"), NOBODY)
    assert not before.gate and before.climbs == 1
    assert plan(("first", BATTERY, 1, ""), "12", 2, 1, frozenset(("12",)), NOBODY).gate


def test_a_climb_that_another_game_has_open_is_not_taken_for_open() -> None:
    """Two Units that stand alike in all but their Skulls, asked one after the other."""
    firsts = []
    for dice in ("R:skull,skull W:skull,skull B:soldier2,tool", "R:skull,skull W:skull,star B:soldier2,tool"):
        g = table(CLIFF, UnitAt(sector="9", visited=("7", "9"), soldiers=60, courage=6, dice=dice), "acquire")
        look = Sight(MACHINE.view(g, 0), 0, START)
        look.remember(START)
        firsts.append(look.standing().first)
    up, closed = firsts
    assert up == 1 < closed


@pytest.mark.parametrize("code", ["exact", "planner"])
@pytest.mark.parametrize("soldiers", [15, 20, 30])
def test_a_climb_is_tried_as_long_as_it_may_be(code: str, soldiers: int) -> None:
    """Two Skulls are one too few for the western face, and one try is left. The ledge is open after the last one too,
    and from there only the other face can be tried.
    """
    world = world_of(Setup("second", "n06-pointe-du-hoc", 4))
    dice = "R:skull,skull W:star,star B:soldier2,tool"
    unit = UnitAt(
        sector="8", visited=("1", "2", "5", "8"), soldiers=soldiers, courage=7, marker="2 chevrons", dice=dice
    )
    comrade = UnitAt(sector="10", visited=("1", "2", "5", "8", "10"), soldiers=40, courage=7)
    g = position(world, Position((unit, comrade, comrade, comrade), turn=12, phase="move"))
    MACHINE.start(g)
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    decision = node.decision(0)
    assert {"stay", "move:6"} <= set(decision.keys) and "move:10" not in decision.keys
    assert answer(code, g, decision) == "stay"


def test_before_a_last_turn_its_dice_may_still_open_the_way() -> None:
    """When it is recorded that they did not, nothing is left."""
    key = ("first", CLIFF, 1, "")
    judge = valuer(key)
    assert isinstance(judge, Values)
    g = table(CLIFF, UnitAt(sector="9", visited=("7", "9"), soldiers=60, courage=6, marker="3 chevrons"), "acquire")
    look = Sight(MACHINE.view(g, 0), 0, judge)
    at = look.standing()._replace(closed=True)
    before, after = (float(judge.worth(at, ALONE, moment)[0]) for moment in ("turn", "upkeep"))
    assert before > 0.1
    assert after <= LOST


@pytest.mark.rule("F-MAP-N04-04")
def test_a_lone_unit_sees_both_bunkers_ahead() -> None:
    """With comrades the way ends in the first one: one fight less, and no way to the second."""
    alone, together = (plan(("first", GOLD, seats, ""), "9", 0, 1, frozenset("9"), NOBODY) for seats in (1, 2))
    assert together.next == alone.next == "BW"
    assert together.fights == 1 and alone.fights > 1
    assert alone.courage == together.courage + 3


def test_a_sector_with_a_table_is_seen_as_its_line_has_it() -> None:
    unit = UnitAt(sector="6", visited=("6",), soldiers=20, courage=3)
    found = []
    for line in (3, 4):
        g = table(SWORD, unit, "move", rolled=(("6", line),))
        found.append(Sight(MACHINE.view(g, 0), 0, START).terms(True, (2, 2, 2)))
    foxholes, shelter = found
    assert foxholes.penalty == ((1, 1),) and not foxholes.beside
    assert shelter.beside == ((4, 3),) and not shelter.penalty


@pytest.mark.rule("F-MAP-N04-02")
def test_comrades_share_out_the_bunkers_that_stand() -> None:
    world = world_of(Setup("first", GOLD, 3))
    units = tuple(UnitAt(sector="9", visited=("9",), soldiers=60, courage=9) for _ in range(3))
    for spent, aims in (((), ["BW", "BE", "BW"]), (("conquered:BW",), ["BE"] * 3), (("conquered:BE",), ["BW"] * 3)):
        g = position(world, Position(units, turn=9, phase="move"))
        g.spent = (*g.spent, *spent)
        MACHINE.start(g)
        looks = [Sight(MACHINE.view(g, seat), seat, START) for seat in range(3)]
        assert [look.who(look.me).aim for look in looks] == aims


def test_who_would_have_to_queue_takes_the_wide_way() -> None:
    """On Omaha only one Unit at a time finds room in Sector 8, to which Sector 6 leads as well; Sector 7 is wide."""
    omaha = ("first", "n02-omaha", 4, "")
    scouts = Who(frozenset(("scout", "hero")), 3.5, 0.0)
    ways = {queue: plan(omaha, "5", 0, 1, frozenset("5"), scouts._replace(queue=queue)).next for queue in (0, 3)}
    assert ways[0] in ("6", "8") and ways[3] == "7"


# ---------------------------------------------------------------------- how long a Unit may stay


@pytest.mark.rule("S-OPT-SOLITAIRE-05", "S-SECT-04", "S-MOVE-02")
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_where_there_is_room_for_one_a_lone_unit_of_the_second_edition_cannot_stay(seats: int) -> None:
    """The bridge in Sector 5 of the causeway has a white shield and room for one. The marker of a Unit
    that comes there is what the engine makes it.
    """
    first, then = UnitAt(sector="2", visited=("1", "2"), soldiers=30, courage=9), UnitAt(sector="8", visited=("8",))
    units = (first, *[then] * (seats - 1))
    g = position(world_of(Setup("second", CAUSEWAY, seats)), Position(units, turn=5, phase="move"))
    MACHINE.start(g)
    look = Sight(MACHINE.view(g, 0), 0, START)
    expected = arrived(way_of(look.key, "2", "move:5"), look, look.me)
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    MACHINE.apply(g, Answer(0, node.decision(0).seq, "move:5"))
    assert g.units[0].sector == "5" and g.units[0].marker == expected["marker"]
    assert cant_stay(look.key, "5") == (seats == 1)
    assert not cant_stay(look.key, "4"), "a white shield, and room for all"


@pytest.mark.rule("S-OPT-SOLITAIRE-05")
def test_no_plan_counts_on_a_stay_that_is_not_allowed() -> None:
    """A Unit that loses next to nothing in combat stays as long as it may: in company two turns more on the bridge."""
    hardy = Who(frozenset(("corporal",)), 0.0, 9.0)
    keys = [("second", CAUSEWAY, seats, "") for seats in (1, 2)]
    alone, together = (step(key, way_of(key, "2", "move:5"), frozenset("2"), hardy) for key in keys)
    assert alone.rolls + 2 <= together.rolls


@pytest.mark.rule("F-SECT-03", "F-SECT-10")
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_in_the_first_edition_only_a_black_shield_sends_units_on(seats: int) -> None:
    key = ("first", OMAHA, seats, "")
    assert not cant_stay(key, "8"), "room for one, and alone a Sector as any"
    assert cant_stay(key, "4"), "a black shield"


# ---------------------------------------------------------------------- where Skulls stay


@pytest.mark.rule("F-ROLL-11")
@pytest.mark.parametrize(
    "dice",
    [
        "R:skull,soldier1 W:skull,tool B:soldier2,courage",
        "R:skull,skull W:star,soldier1 B:soldier1,soldier2",
        "R:star*,tool* W:skull,star B:soldier1,skull",
        "R:star,tool W:skull,star B:tool,courage",
    ],
)
@pytest.mark.parametrize(("board", "rolled"), [(UTAH, ()), (SWORD, (("6", 2),))])
def test_the_die_that_a_card_rolls_again_is_the_best_where_skulls_stay(
    board: str, rolled: tuple[tuple[str, int], ...], dice: str
) -> None:
    """By every face that each die which may be rolled could show. A Skull may not, though it would be the best."""
    unit = UnitAt(sector="6", visited=("6",), soldiers=20, courage=2, cards=("corporal",), dice=dice)
    g = table(board, unit, TALLY, rolled=rolled)
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    MACHINE.apply(g, Answer(0, node.decision(0).seq, "use:corporal"))
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    decision = node.decision(0)
    faces = list(g.units[0].faces)
    assert decision.name == "pick-die"
    assert not any(faces[DICE.index(key[4:])] == SKULL for key in decision.keys)
    look = Sight(MACHINE.view(g, 0), 0, START)
    known = gains(look.terms(False))
    values = known.best(START.worth(look.standing(), known.rows))

    def mean(key: str) -> float:
        total = 0.0
        for face in range(6):
            shown = [face if die == key[4:] else old for die, old in zip(DICE, faces, strict=True)]
            total += values[tuple(ROLL[tuple(sorted(shown[n : n + 2]))] for n in (0, 2, 4))]
        return total / 6

    found = answer_with(START)(decision, lambda: MACHINE.view(g, 0), Random(1))
    assert mean(found) >= max(map(mean, decision.keys)) - 1e-9
