"""The bot planner: what it does in plain situations, that it always comes to an end, and that it needs nothing but what
its seat sees.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from beachhead.bots import BOTS, DEFAULT, Bot, View, bot
from beachhead.bots.exact import answer_with
from beachhead.bots.gains import COURAGES, FREE, GIVEN, SOLDIERS, gains
from beachhead.bots.gifts import best_gift
from beachhead.bots.planner import SEARCHES, move_values, planned, planned_with, ranked
from beachhead.bots.sight import Sight
from beachhead.bots.tally import HOME
from beachhead.bots.turned import by_values
from beachhead.bots.values import ALONE, START, Floats, Setting, Standing, Valuer, Values
from beachhead.bots.ways import plans, worth_of
from beachhead.core.chance import sample
from beachhead.core.errors import SetupError
from beachhead.core.node import Answer, Ask, Decision, Roll
from beachhead.games import GAMES
from beachhead.landing.game import MACHINE
from beachhead.landing.position import TALLY, Position, UnitAt, position, stopped
from beachhead.landing.state import LOST, Landing
from beachhead.landing.world import Setup, world_of
from beachhead.sim.runner import Played, game_seed, play
from beachhead.solve.multisets import ROLL

from .test_values import some_values

TIGER = "n01-exercise-tiger"


class Plain(Values):
    """Values that can be told by heart: the more Soldiers beyond what the way ahead takes, the better; who cannot pay
    for an Advance that must be made is lost.
    """

    def __init__(self) -> None:
        super().__init__(None, (), {}, {}, searches=SEARCHES)

    def worth(self, at: Standing, rows: Floats, moment: str = "upkeep") -> Floats:
        own = at.soldiers + at.bodies + rows[:, SOLDIERS] + rows[:, GIVEN] + at.low
        short = at.first - at.courage - rows[:, COURAGES] - at.saved * rows[:, FREE]
        found: Floats = 1 / (1 + np.exp(-own / 8))
        return np.where((short > 0) & (at.stays == 0), 0.01, found)


PLANNER = Bot("planned", "by plain values", planned_with(Plain()))


def laid(units: list[UnitAt], phase: str, edition: str = "first", until: str = "") -> Landing:
    g = position(world_of(Setup(edition, TIGER, len(units))), Position(tuple(units), turn=6, phase=phase, until=until))
    MACHINE.start(g)
    return g


def asked(g: Landing, seat: int = 0) -> tuple[Decision, Sight]:
    node = MACHINE.node(g)
    assert isinstance(node, Ask)
    return node.decision(seat), Sight(MACHINE.view(g, seat), seat, Plain())


def answer(g: Landing, seat: int = 0, luck: int = 1) -> str:
    decision, look = asked(g, seat)
    return PLANNER.answer(decision, lambda: look.view, Random(luck))


def played(g: Landing, luck: int) -> list[str]:
    """The position played to the end of its last phase; what was answered."""
    rng, found = Random(luck), []
    while not stopped(g):
        node = MACHINE.node(g)
        if isinstance(node, Roll):
            MACHINE.apply(g, sample(f"{luck}", node))
            continue
        if not isinstance(node, Ask):
            break
        seat = node.seats[0]
        decision = node.decision(seat)
        key = PLANNER.answer(decision, lambda seat=seat: MACHINE.view(g, seat), rng)  # type: ignore[misc]
        found.append(f"U{seat + 1} {key}")
        MACHINE.apply(g, Answer(seat, decision.seq, key))
    return found


# ---- situations


@pytest.mark.parametrize("edition", ["first", "second"])
def test_a_trade_that_saves_a_unit_is_offered_and_accepted(edition: str) -> None:
    """In Sector 2 combat takes four Soldiers. Unit 2 has three and would be lost; Unit 1 has thirty."""
    at = {"sector": "2", "visited": ("1", "2"), "marker": "2 chevrons"}
    strong, weak = UnitAt(**at, soldiers=30, courage=1), UnitAt(**at, soldiers=3, courage=1)  # type: ignore[arg-type]
    phase = "combat" if edition == "first" else "move"
    lost = 0
    for luck in range(1, 9):
        answers = played(g := laid([strong, weak], phase, edition, "combat"), luck)
        lost += any(unit.status == LOST for unit in g.units)
        given = [int(key.partition("=")[2]) for key in answers if key.startswith("U1 give:soldiers=")]
        assert bool(given) == ("U2 accept" in answers) and sum(given) >= 2 * bool(given)
    assert lost <= 1  # it speaks up nearly always, but never for ever


def test_nothing_is_given_where_it_does_not_help() -> None:
    """Two Units with as many Soldiers."""
    g = laid([UnitAt(sector="2", visited=("1", "2"), soldiers=20, courage=3)] * 2, "move")
    _, look = asked(g)
    assert best_gift(look, 1).brings < 0.005
    assert not answer(g).startswith("trade:")


def test_courage_goes_to_the_unit_that_must_leave() -> None:
    """Sector 4 must be left for Sector 7, which costs two and a Specialist; Sector 5 has been visited."""
    at = {"sector": "4", "visited": ("1", "2", "5", "4"), "marker": "must move", "soldiers": 25}
    g = laid([UnitAt(**at, courage=4, cards=("scout",)), UnitAt(**at, courage=0, cards=("veteran",))], "move")  # type: ignore[arg-type]
    _, look = asked(g)
    assert best_gift(look, 1).key == "give:courage=2"


def test_the_unit_that_can_survive_storms_first() -> None:
    """The Bunker takes 12 Soldiers and a die. Who has 40 goes. Who has 14 would hardly live; with a Bangalore Torpedo,
    by which Sector 10 takes a die alone, he waits.
    """
    strong = UnitAt(sector="9", visited=("1", "2", "4", "7", "9"), marker="2 chevrons", soldiers=40, courage=6)
    weak = UnitAt(sector="10", visited=("1", "3", "6", "8", "10"), marker="1 chevron", soldiers=14, courage=6)
    weak = replace(weak, cards=("bangalore-torpedo",))
    g = laid([strong, weak], "move")
    assert answer(g, 0) == "move:B"
    assert answer(g, 1) in ("stay", "use:bangalore-torpedo")
    storm = laid([strong, replace(weak, soldiers=24)], "move")
    assert answer(storm, 1) == "move:B"


def test_the_strong_share_before_all_storm() -> None:
    """The Bunker takes at most 18 Soldiers. One Unit has 45 and one has 8: shared, both live."""
    at = {"sector": "9", "visited": ("1", "2", "4", "7", "9"), "marker": "must move", "courage": 6}
    lost = 0
    for luck in range(1, 9):
        g = laid([UnitAt(**at, soldiers=45), UnitAt(**at, soldiers=8)], "move", until="combat")  # type: ignore[arg-type]
        played(g, luck)
        lost += any(unit.status == LOST for unit in g.units)
    assert lost <= 1


def test_in_the_bunker_what_lowers_its_def_is_used() -> None:
    """DEF 12 less 10 by the Flame-thrower: eight Soldiers live, and without it none would."""
    g = laid([UnitAt(sector="B", visited=("9", "B"), soldiers=9, cards=("flame-thrower",))], "combat", until="combat")
    assert "U1 use:flame-thrower" in played(g, 1)


def test_a_card_is_kept_where_it_does_not_matter() -> None:
    """Forty Soldiers against DEF 4: the Bazooka is worth more later."""

    class Saver(Plain):
        def worth(self, at: Standing, rows: Floats, moment: str = "upkeep") -> Floats:
            return super().worth(at, rows, moment) - 0.2 * ("bazooka" not in at.held)

    g = laid([UnitAt(sector="2", visited=("1", "2"), soldiers=40, courage=3, cards=("bazooka",))], "move")
    decision, look = asked(g)
    option = move_values(decision, Sight(look.view, 0, Saver()))["stay"][1]
    assert option is not None and option.keys == ("stay",)


def test_mines_and_fire_and_the_price_are_in_the_plan() -> None:
    """From 8 to 10: three Courage, a mine, DEF 10 and a die of fire; a Specialist is given up."""
    unit = UnitAt(sector="8", visited=("1", "8"), soldiers=30, courage=3, cards=("scout",))
    _, look = asked(laid([unit], "move"))
    (option,) = plans(look, look.judge, look.me, ["move:10"])
    assert option.courage == 3 and option.at.held == () and not option.storms
    mean = sum(loss * chance for loss, chance in zip(option.losses, option.chances, strict=True))
    assert mean == pytest.approx(10 + 7.0) and sum(option.chances) == pytest.approx(1.0)


def test_a_bunker_that_is_taken_alone_is_a_win() -> None:
    unit = UnitAt(sector="9", visited=("1", "9"), soldiers=40, courage=4)
    decision, look = asked(laid([unit], "move"))
    value, option = move_values(decision, look)["move:B"]
    assert option is not None and option.storms and 0.98 < value < 1.0


def test_who_cannot_pay_has_no_such_plan() -> None:
    """With three Courage short of four the Bunker is no plan; a tally that brings one makes it one."""
    unit = UnitAt(sector="9", visited=("1", "10", "9"), soldiers=40, courage=3, marker="2 chevrons")
    look = Sight(MACHINE.view(laid([unit], "move"), 0) | {"phase": "move"}, 0, Plain())
    (storm,) = [one for one in plans(look, look.judge, look.me) if one.keys[-1] == "move:B"]
    rows = np.repeat(ALONE, 2, axis=0)
    rows[1, COURAGES] = 1.0
    without, with_one = worth_of(storm, look.standing(), rows, look.judge)
    assert without == 0.0 and with_one > 0.9


@pytest.mark.parametrize("edition", ["first", "second"])
@pytest.mark.parametrize("cards", [(), ("sharpshooter",)])
def test_changed_dice_are_judged_as_the_exact_turn_judges_rolls(edition: str, cards: tuple[str, ...]) -> None:
    """Skulls cancel what is missed least, bonuses are taken, a Straight brings an Award: both ways see the same."""
    lying = "R:star,skull W:tool,soldier1 B:courage,soldier2"
    g = laid([UnitAt(sector="1", soldiers=20, courage=3, cards=cards, dice=lying)], "acquire", edition)
    look = Sight(MACHINE.view(g, 0), 0, Plain())
    terms = look.terms(False, (2, 2, 2))
    known = gains(terms)
    values = known.best(look.judge.worth(look.standing(), known.rows))
    with_dice = by_values(look).with_dice

    def told(faces: tuple[int, ...]) -> float:
        red, white, blue = (ROLL[tuple(sorted(faces[at : at + 2]))] for at in (0, 2, 4))
        return float(values[red, white, blue])

    now = told(tuple(look.me["faces"]))
    rng = Random(3)
    for faces in [
        (0,) * 6,
        (0, 3, 0, 3, 0, 3),
        (0, 1, 2, 3, 4, 5),
        *(tuple(rng.choices(range(6), k=6)) for _ in range(40)),
    ]:
        assert with_dice(list(zip(faces, HOME, strict=True))) == pytest.approx(told(faces) - now, abs=1e-12), faces


def test_a_die_is_turned_to_what_helps_most() -> None:
    """The Binoculars set one die: to the Courage that makes a Battle Cry, when the Unit must leave and cannot pay."""
    unit = UnitAt(
        sector="9", visited=("9",), marker="must move", soldiers=60, cards=("binoculars",),
        dice="R:courage,tool W:courage,tool B:soldier1,tool",
    )  # fmt: skip
    g = laid([unit], TALLY)
    decision, _ = asked(g)
    assert decision.name == "window"
    answers = played(g, 1)
    assert answers[0] == "U1 use:binoculars"
    assert answers[1].startswith("U1 die:U1.B") and answers[2] == "U1 face:courage"


def test_a_specialist_who_is_missed_least_is_given_up() -> None:
    class Medic(Plain):
        """A Medic is what counts."""

        def worth(self, at: Standing, rows: Floats, moment: str = "upkeep") -> Floats:
            return super().worth(at, rows, moment) * (1.0 if "medic" in at.held else 0.5)

    g = laid([UnitAt(sector="2", visited=("1", "2"), soldiers=20, cards=("medic", "veteran", "corporal"))], "move")
    look = Sight(MACHINE.view(g, 0), 0, Medic())
    cheap = Decision(0, 1, "one", "sacrifice", ("lose:medic", "lose:veteran", "lose:corporal"), "F-MOVE-01", "")
    assert planned(cheap, look, Random(1)) != "lose:medic"
    gained = Decision(0, 1, "one", "rally-free", ("rally:scout", "rally:medic"), "F-MOVE-01", "")
    without = Sight(MACHINE.view(laid([UnitAt(sector="2", soldiers=20)], "move"), 0), 0, Medic())
    assert planned(gained, without, Random(1)) == "rally:medic"


def test_answers_are_ranked_for_others_to_read() -> None:
    unit = UnitAt(sector="2", visited=("1", "2"), soldiers=20, courage=3, marker="2 chevrons")
    decision, look = asked(laid([unit], "move"))
    found = ranked(decision, look)
    assert found is not None and {key for key, _ in found} == {"stay", "move:3", "move:4"}
    assert [value for _, value in found] == sorted((value for _, value in found), reverse=True)
    assert all(0.0 <= value <= 1.0 for _, value in found)
    assert ranked(decision, Sight(look.view, 0, START)) is None
    assert ranked(decision._replace(name="pick-unit"), look) is None


# ---- whole games


def game(players: list[Bot], number: int, edition: str = "first", **more: Any) -> Played:
    setup = {"edition": edition, "map": TIGER, "seats": len(players), **more}
    return play(GAMES["landing"], setup, players, game_seed(3, number))


def learned(edition: str, seats: int) -> Bot:
    """Plays by values that nobody has learned, and searches all: any situation may come about."""
    values = some_values(Setting(edition, TIGER, seats, ""))
    values.searches = SEARCHES
    return Bot("planned", "", planned_with(values))


@pytest.mark.parametrize(("edition", "seats"), [("first", 1), ("first", 4), ("second", 2)])
def test_it_plays_whole_games(edition: str, seats: int) -> None:
    once = game([PLANNER] * seats, 1, edition)
    assert once.turns > 4
    assert game([PLANNER] * seats, 1, edition).answers == once.answers


def test_it_plays_a_level_without_cards() -> None:
    assert game([PLANNER] * 2, 1, level="practice-run").turns > 4


@pytest.mark.parametrize("edition", ["first", "second"])
def test_it_answers_whatever_a_random_comrade_brings_about(edition: str) -> None:
    comrades = [learned(edition, 3), bot("random"), learned(edition, 3)]
    for number in (1, 2, 3):
        game(comrades, number, edition, options=["bazooka-joe"])


def test_it_does_not_ask_for_ever_where_nobody_agrees() -> None:
    def refuse(decision: Decision, view: View, rng: Random) -> str:
        return "refuse" if "refuse" in decision.keys else PLANNER.answer(decision, view, rng)

    stubborn = Bot("stubborn", "agrees to nothing", refuse)
    assert game([PLANNER, stubborn], 1).decisions < 4_000


def test_the_view_as_it_comes_over_a_wire_is_all_it_needs() -> None:
    mine = learned("first", 2)

    def far_away(decision: Decision, view: View, rng: Random) -> str:
        return mine.answer(decision, lambda: json.loads(json.dumps(view())), rng)

    near = game([mine] * 2, 4)
    assert game([Bot("far", "sees plain data", far_away)] * 2, 4).answers == near.answers


@pytest.mark.parametrize(("judge", "seats"), [(START, 2), (some_values(Setting("first", TIGER, 1, "")), 1)])
def test_where_nothing_is_to_be_searched_it_plays_as_exact_does(judge: Valuer, seats: int) -> None:
    plainly = game([Bot("exact", "", answer_with(judge))] * seats, 2)
    assert game([Bot("planned", "", planned_with(judge))] * seats, 2).answers == plainly.answers


def test_a_clear_gift_is_made_whatever_is_searched() -> None:
    values = Plain()
    values.searches = ()
    at = {"sector": "9", "visited": ("1", "2", "4", "7", "9"), "marker": "must move", "courage": 6}
    g = laid([UnitAt(**at, soldiers=45), UnitAt(**at, soldiers=8)], "move")  # type: ignore[arg-type]
    decision, look = asked(g)
    answers = {planned_with(values)(decision, lambda: look.view, Random(luck)) for luck in range(1, 9)}
    assert "trade:U2" in answers


def test_exact_trades_only_where_that_clearly_helps() -> None:
    """Six Soldiers more or less hardly matter to who has thirty and more; to who has eight they do."""
    at = {"sector": "9", "visited": ("1", "2", "4", "7", "9"), "marker": "must move", "courage": 6}
    exact, planner = answer_with(Plain()), planned_with(Plain())

    def trades(how: Callable[[Decision, View, Random], str], soldiers: int) -> bool:
        g = laid([UnitAt(**at, soldiers=45), UnitAt(**at, soldiers=soldiers)], "move")  # type: ignore[arg-type]
        decision, look = asked(g)
        return any(how(decision, lambda: look.view, Random(luck)) == "trade:U2" for luck in range(1, 13))

    assert trades(exact, 8) and trades(planner, 8)
    assert trades(planner, 33) and not trades(exact, 33)


# ---- levels


def test_a_bot_is_called_by_code_or_level() -> None:
    ranks = {"recruit": "random", "corporal": "thumb", "captain": "exact", "colonel": "planner"}
    assert {level: bot(level).code for level in ranks} == ranks
    assert bot("Captain") is bot("exact") is BOTS[DEFAULT]
    with pytest.raises(SetupError, match=r"unknown bot 'general': expected one of random \(recruit\), thumb \(corp"):
        bot("general")
