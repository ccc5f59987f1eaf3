"""What bots make of what Sectors ask for: explosives at a door, a Specialist; of Fight Once, and of shells."""

from __future__ import annotations

from random import Random

import pytest

from beachhead.bots import bot
from beachhead.bots.arrive import arrived
from beachhead.bots.judgement import Charges, Who, loss_at, plan, traits
from beachhead.bots.look import way_of
from beachhead.bots.sight import Sight
from beachhead.bots.values import START
from beachhead.core.node import Answer, Ask, Decision
from beachhead.landing.game import MACHINE
from beachhead.landing.position import Position, UnitAt, position
from beachhead.landing.state import Landing
from beachhead.landing.world import Setup, world_of

HILLMAN, LONGUES, PEGASUS = "n10-hillman-strongpoint", "n07-longues-battery", "n05-pegasus-bridge"
SWORD = "n03-sword-beach"
BOTS = ("thumb", "exact", "planner")


def table(board: str, *units: UnitAt, phase: str = "move", spent: tuple[str, ...] = ()) -> Landing:
    g = position(world_of(Setup("second", board, len(units))), Position(units, turn=9, phase=phase))
    g.spent = (*g.spent, *spent)
    MACHINE.start(g)
    return g


def asked(g: Landing, seat: int = 0) -> Decision:
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    return node.decision(seat)


def sight(g: Landing, seat: int = 0) -> Sight:
    return Sight(MACHINE.view(g, seat), seat, START)


def before_the_door(*cards: str, **more: object) -> UnitAt:
    """Over the shelters, in front of the command Bunker of Hillman; its door takes 2 explosive icons."""
    has = {"soldiers": 60, "courage": 9, "marker": "3 chevrons", "visited": ("7", "12", "11")} | more
    return UnitAt(sector="11", cards=cards, **has)  # type: ignore[arg-type]


# ---------------------------------------------------------------------- doors


@pytest.mark.rule("S-EXPL-01", "S-EXPL-02")
@pytest.mark.parametrize(
    ("cards", "lacks"),
    [((), 2), (("grenade",), 1), (("grenade", "engineer"), 0), (("bangalore-torpedo",), 0), (("medic",), 2)],
)
def test_the_way_ahead_says_how_many_explosives_a_door_lacks(cards: tuple[str, ...], lacks: int) -> None:
    look = sight(table(HILLMAN, before_the_door(*cards)))
    assert look.plan.next == "B" and look.plan.lacks == lacks
    assert (look.standing().first > 9) == (lacks > 0), "a door that is shut is a way that cannot be paid for"


def test_a_door_that_was_opened_lacks_nothing_and_nor_does_one_that_a_comrade_can_open() -> None:
    assert sight(table(HILLMAN, before_the_door(), spent=("door:B",))).plan.lacks == 0
    assert sight(table(HILLMAN, before_the_door(), before_the_door("bangalore-torpedo"))).plan.lacks == 0
    assert sight(table(HILLMAN, before_the_door(), before_the_door("grenade"))).plan.lacks == 2


def test_what_lies_on_the_way_opens_the_door_at_its_end() -> None:
    """The Satchel Charge of Sector 7 has 2 icons; who comes through there needs no others."""
    here = ("second", HILLMAN, 1, "")
    who = Who(frozenset(), 3.5, 0.0, charges=Charges(0, lying=frozenset(("satchel-charge",))))
    none = who._replace(charges=Charges(0))
    many = who._replace(charges=Charges(2))
    found, without, has = (plan(here, "4", 0, 1, frozenset("4"), one).value for one in (who, none, many))
    assert found == pytest.approx(has) and found > without


@pytest.mark.rule("S-EXPL-02")
@pytest.mark.parametrize("code", BOTS)
def test_explosives_are_found_where_nothing_else_opens_the_door(code: str) -> None:
    """The last turn before the door, and 20 Item Points: a Bangalore Torpedo (2 icons) or anything else."""
    g = table(HILLMAN, before_the_door(points=20, marker="must move"), phase="acquire")
    decision = asked(g)
    assert "find:bangalore-torpedo" in decision.keys
    keys = tuple(key for key in decision.keys if key == "done" or key.startswith("find:"))
    found = bot(code).answer(decision._replace(keys=keys), lambda: MACHINE.view(g, 0), Random(1))
    assert found == "find:bangalore-torpedo"


def test_explosives_are_kept_for_the_door() -> None:
    shut = sight(table(HILLMAN, before_the_door("grenade", "gammon-bomb")))
    assert shut.opens("grenade") > 0 and shut.opens("gammon-bomb") > 0
    assert not shut.opens("command-jacket"), "it has none"
    blown = sight(table(HILLMAN, before_the_door("grenade", "gammon-bomb"), spent=("door:B",)))
    assert not blown.opens("grenade")
    more = sight(table(HILLMAN, before_the_door("bangalore-torpedo", "grenade")))
    assert not more.opens("grenade"), "the Torpedo is enough"


@pytest.mark.rule("S-EXPL-02")
@pytest.mark.parametrize(
    ("board", "sector", "to", "cards"),
    [
        (HILLMAN, "11", "B", ("grenade", "gammon-bomb", "medic")),
        (LONGUES, "7", "10", ("bangalore-torpedo", "medic")),
    ],
)
def test_who_has_come_in_has_paid_with_cards_and_taken_what_lies_there(
    board: str, sector: str, to: str, cards: tuple[str, ...]
) -> None:
    unit = UnitAt(sector=sector, visited=(sector,), soldiers=60, courage=9, cards=cards)
    g = table(board, unit)
    look = sight(g)
    after = arrived(way_of(look.key, sector, f"move:{to}"), look, look.me)
    MACHINE.apply(g, Answer(0, asked(g).seq, f"move:{to}"))
    assert g.units[0].sector == to
    assert (set(after["items"]), set(after["specialists"])) == (set(g.units[0].items), set(g.units[0].specialists))


@pytest.mark.parametrize("code", BOTS)
def test_who_has_the_explosives_takes_the_covered_way(code: str) -> None:
    """Longues: behind the door the lowest DEF and no fire, beside it both are worse; there is no way aside left."""
    unit = UnitAt(
        sector="8", visited=("2", "5", "7", "8"), soldiers=40, courage=9, marker="must move", cards=("satchel-charge",)
    )
    g = table(LONGUES, unit)
    assert {"move:10", "move:11"} <= set(asked(g).keys)
    assert bot(code).answer(asked(g), lambda: MACHINE.view(g, 0), Random(1)) == "move:10"


# ---------------------------------------------------------------------- Specialists that a Sector asks for


@pytest.mark.rule("S-SECT-06")
def test_a_way_that_asks_for_somebody_who_is_dead_is_no_way() -> None:
    """Longues, Sector 6, which has to be left: Sector 9 asks for a Sharpshooter, Sector 7 lies beside."""
    ways = []
    for dead in ((), ("sharpshooter",)):
        unit = UnitAt(sector="6", visited=("3", "6"), soldiers=40, courage=9, marker="can't stay", dead=dead)
        ways.append(sight(table(LONGUES, unit)))
    alive, gone = ways
    assert alive.who(alive.me).gone == frozenset()
    assert gone.who(gone.me).gone == {"sharpshooter"}
    assert gone.plan.next == "7"


# ---------------------------------------------------------------------- Fight Once, and shells


@pytest.mark.rule("S-COMBAT-01")
def test_who_has_fought_in_a_sector_that_is_fought_once_loses_nothing_more_there() -> None:
    key = ("second", PEGASUS, 1, "")
    once = next(
        name for name, sector in world_of(Setup("second", PEGASUS, 1)).sectors.items() if sector.fights == "once"
    )
    nobody = Who(frozenset(), 3.5, 0.0)
    assert loss_at(key, once, 0, nobody) > 0 == loss_at(key, once, 1, nobody)
    look = sight(table(PEGASUS, UnitAt(sector=once, visited=(once,), soldiers=1, combats=1)))
    assert look.danger_here == 0 and look.defence_here == 0


@pytest.mark.rule("S-COMBAT-01")
def test_shells_are_counted_but_for_who_is_spared() -> None:
    """Where 1d6 of one's own is lost beside DEF, that is 3.5 on average."""
    key = ("second", "n11-carentan-causeway", 1, "")
    spared, hit = Who(frozenset(("medic",)), 3.5, 0.0), Who(frozenset(), 3.5, 0.0)
    defence = sight(table("n11-carentan-causeway", UnitAt())).world.sectors["10"].defence[0]
    assert loss_at(key, "10", 0, spared) == defence + 3.5
    assert loss_at(key, "10", 0, hit) == defence + 3.5 + 3.5
    found = []
    for cards in ((), ("medic",)):
        unit = UnitAt(sector="10", visited=("10",), soldiers=defence + 9 - len(cards), cards=cards)
        found.append(sight(table("n11-carentan-causeway", unit)).danger_here)
    assert found == [pytest.approx(10 / 36), 0.0], "two dice show 9 or more, one never does"


# ---------------------------------------------------------------------- Barriers


@pytest.mark.rule("S-BARR-01")
@pytest.mark.parametrize("cards", [(), ("wirecutters",), ("bulldozer",)])
def test_a_barrier_stops_who_has_nothing_to_pass_it(cards: tuple[str, ...]) -> None:
    """Sword Beach, Sector 4: on leads a way with a Barrier, and the way back was come by."""
    unit = UnitAt(sector="4", visited=("2", "5", "4"), soldiers=40, courage=9, marker="must move", cards=cards)
    look = sight(table(SWORD, unit))
    assert look.plan.next == "7" and look.plan.barred == (not cards)
    assert (look.standing().first > 9) == (not cards)


@pytest.mark.parametrize("code", BOTS)
def test_nobody_walks_into_a_dead_end(code: str) -> None:
    unit = UnitAt(sector="5", visited=("2", "5"), soldiers=40, courage=9, marker="must move")
    g = table(SWORD, unit)
    assert {"move:4", "move:6", "move:8"} <= set(asked(g).keys)
    assert bot(code).answer(asked(g), lambda: MACHINE.view(g, 0), Random(1)) != "move:4"


@pytest.mark.rule("S-COMBAT-01")
def test_who_spares_a_unit_the_shells_is_seen_among_its_cards() -> None:
    """Sword Beach: the mortars of Sector 6 spare a Unit with a Beachmaster, whatever else he does."""
    key = ("second", "n03-sword-beach", 1, "")
    with_him, without = (traits(key, cards, True).who for cards in (("beachmaster",), ()))
    assert loss_at(key, "6", 0, without) == loss_at(key, "6", 0, with_him) + 3.5
