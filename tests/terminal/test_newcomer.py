"""Somebody who knows no rule sits down: what is told, when, and to whom."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest

from beachhead.content.library import library
from beachhead.core.node import Ask, Decision, Event, Over
from beachhead.landing.codec import read_position
from beachhead.landing.game import GAME
from beachhead.landing.score import scores
from beachhead.landing.state import Landing
from beachhead.landing.world import OPTIONS
from beachhead.say import messages_for
from beachhead.terminal import guide, menu, sheets, typed
from beachhead.terminal.screen import Screen
from beachhead.terminal.teller import Teller

from .sitting import Table, after, command


def told(shown: str) -> str:
    """On one line, however it was wrapped."""
    return " ".join(shown.split())


def asked(line: str) -> tuple[Landing, Decision]:
    """The question to Unit 1 in this position."""
    g = read_position(line)
    node = GAME.machine.node(g)
    assert isinstance(node, Ask)
    return g, node.decision(0)


# ---------------------------------------------------------------------------------------------------- levels, options


def test_a_level_speaks_only_of_what_it_has(table: Table) -> None:
    lines = "help game\ncard\nhelp words\nhelp mgf\nR1 W1\nstop\nR1 W1\nstop\nstay\nstay\n"
    shown = table(lines, level="practice-run", seats=2).play()
    words = [line for line in shown[shown.index("Lead your") :].splitlines() if not re.search(r"[RWB][12] |^> ", line)]
    for word in (
        "Star",
        "Tool",
        "Skull",
        "Item",
        "Award",
        "Straight",
        "Machine",
        "MGF",
        "mines",
        "Specialist",
        "rally",
    ):
        assert not [line for line in words if word in line]
    assert "There are no cards to be had in this game." in after(shown, "card")
    assert "'mgf' is no word of this game" in after(shown, "help mgf")
    bonuses = after(table("bonus\n", level="practice-run").play(), "bonus")
    assert re.findall(r"^  (\S.*?)  ", bonuses, re.M) == ["1 Soldier", "2 Soldiers", "Courage"]
    assert re.search(r"^Unit +Sector +DEF +marker +leave by +Soldiers +Courage$", shown, re.M)
    assert re.search(r"^Sector 1$", shown, re.M), "a Sector without a text has no colon"


def test_one_lost_all_lost_is_said_only_where_it_is_so(table: Table) -> None:
    shown = {
        (seats, level): told(table("", seats=seats, level=level).play())
        for seats in (1, 2)
        for level in ("", "advanced-training", "basic-training")
    }
    assert {place for place, text in shown.items() if "all have lost" in text} == {(2, ""), (2, "advanced-training")}
    assert {place for place, text in shown.items() if "the others play on" in text} == {(2, "basic-training")}


def test_results_that_count_for_nothing_are_marked(table: Table) -> None:
    shown = after(table("dice\n", level="basic-training").play(), "dice")
    assert "R1 Tool -" in shown and "- counts for nothing" in shown
    assert "counts for nothing" not in table("dice\n").play()


def test_the_start_names_level_and_optional_rules_and_what_they_do(tmp_path: Path) -> None:
    done = command(tmp_path, "--option", "mulligan", "--level", "basic-training", "--bots", "1", "--seats", "1")
    shown = told(done.stdout)
    assert "Optional rule: Mulligan: once in the game a Unit may roll all dice again" in shown
    assert "Level: Basic Training. There are no Items, no Awards and no special rules of Sectors." in shown
    assert "Tool results count for nothing." in shown


def test_every_optional_rule_is_explained_and_named_in_the_help(tmp_path: Path) -> None:
    named = {key.removeprefix("option.name.") for key in messages_for("en", "option.name.")}
    assert set(OPTIONS) == named
    shown = command(tmp_path, "--help").stdout
    levels, nations = library().maps["first"]["n01-exercise-tiger"].levels, library().nations["second"]
    assert all(name in shown for name in (*OPTIONS, *levels, *nations))


# ---------------------------------------------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("word", "meaning"),
    [
        ("marker", "marker: the marker counts"),
        ("leave by", "marker: the marker counts"),
        ("chevrons", "marker: the marker counts"),
        ("def", "DEF: so many casualties"),
        ("STARS", "Star: Stars pay"),
        ("machine gun", "MGF: Machine Gun Fire is rolled"),
        ("xyzzy", "'xyzzy' is no word of this game"),
    ],
)
def test_help_explains_words(table: Table, word: str, meaning: str) -> None:
    assert told(after(table(f"help {word}\n").play(), f"help {word}")).startswith(meaning)


def test_every_word_that_is_listed_is_explained(table: Table) -> None:
    g = table("", seats=2).plain.g
    assert "trade" in guide.words(g) and "trade" not in guide.words(table("").plain.g)
    assert all(guide.meaning(g, word).startswith(f"{word}: ") for word in guide.words(g))


def test_an_answer_of_another_question_is_told_when_it_can_be_given(table: Table) -> None:
    shown = table("find grenade\nmove 2\n").play()
    assert "Items are found after the dice are counted, before you move." in after(shown, "find grenade")
    assert "You move after your dice are counted" in after(shown, "move 2")


# ---------------------------------------------------------------------------------------------------- questions


def test_where_to_go_tells_the_price_the_casualties_and_what_is_closed() -> None:
    """Sector 2: DEF 4. Sector 4 costs 2 Courage, DEF 6; 5 asks for a Corporal; 3 lies behind mines (1d6), DEF 4."""
    g, decision = asked(
        'landing first n01-exercise-tiger seats=1 | main=[["turn"],["phase","combat"]] lanes=[[["move"]]] '
        "turn=2 phase=move | U1 sector=2 visited=1,2 soldiers=8 courage=2"
    )
    assert {line.key: line.said for line in menu.lines(g, decision, decision.keys)} == {
        "stay": "stay in Sector 2: DEF 4; 4 casualties",
        "move:4": "go to Sector 4: 2 Courage, DEF 6, 1 turn only; 6 casualties",
        "move:3": "go to Sector 3: sideways, mines, DEF 4; 5 to 10 casualties: you may be wiped out",
    }
    closed = menu.closed(g, decision, GAME.machine.refusals(g, 0))
    assert closed == ["Sector 5 is closed now: the Unit needs the Corporal."]


def test_casualties_to_come_reckon_with_who_comes_along() -> None:
    """The Bunker: DEF 12 and 1d6; with the Engineer in it the DEF is 5 lower (F-CARD-ENGINEER)."""
    line = (
        'landing first n01-exercise-tiger seats=1 | main=[["turn"],["phase","combat"]] lanes=[[["move"]]] '
        "turn=7 phase=move | U1 sector=9 visited=1,2,4,7,9 soldiers=30 courage=4"
    )
    for more, casualties in (("", "13 to 18"), (" specialists=engineer", "8 to 13")):
        g, decision = asked(line + more)
        said = {line.key: line.said for line in menu.lines(g, decision, decision.keys)}
        assert said["move:B"] == f"go to the Bunker: 4 Courage, DEF 12, MGF 1d6; {casualties} casualties"
        assert g.units[0].sector == "9", "a look ahead moves nobody"


@pytest.mark.parametrize(
    ("sector", "soldiers", "more", "to", "warning"),
    [
        ("2", 3, "", "stay", ": you would be wiped out"),  # DEF 4
        ("2", 5, "", "stay", ""),
        ("1", 4, "", "move:2", ""),  # DEF 4, and a Scout joins
        ("1", 4, " hand=medic", "move:2", ": you would be wiped out"),  # he is with another Unit, or dead
        ("8", 12, " specialists=scout", "move:10", ": you may be wiped out"),  # DEF 10, 1d6, mines 1d6; 1d6 join
        ("8", 16, " specialists=scout,medic", "move:10", ": you may be wiped out"),
        ("8", 24, " specialists=scout,medic", "move:10", ""),
    ],
)
def test_a_warning_where_a_move_may_be_the_end(sector: str, soldiers: int, more: str, to: str, warning: str) -> None:
    g, decision = asked(
        'landing first n01-exercise-tiger seats=1 | main=[["turn"],["phase","combat"]] lanes=[[["move"]]] '
        f"turn=2 phase=move | U1 sector={sector} visited={sector} soldiers={soldiers} courage=4{more}"
    )
    said = {line.key: line.said for line in menu.lines(g, decision, decision.keys)}
    assert re.search("(: you .*)?$", said[to])[0] == warning  # type: ignore[index]


def test_casualties_are_listed_one_by_one_and_sets_share_a_line() -> None:
    g, decision = asked(
        'landing first n01-exercise-tiger seats=1 | main=[["turn"]] lanes=[[["casualties",4]]] turn=2 phase=combat | '
        "U1 sector=2 visited=1,2 soldiers=8 specialists=scout,medic,corporal"
    )
    lines = menu.lines(g, decision, decision.keys)
    assert [line.key for line in lines] == ["fall:none", "fall:scout", "fall:medic", "fall:corporal", "fall:NAME,NAME"]
    assert lines[1].said == "lose the Scout and 3 Soldiers"
    assert (lines[4].number, lines[4].said) == ("5-8", "name those who fall, as in: fall scout medic")
    assert typed.understand("fall corporal scout", typed.offer(decision.keys), ()) == "fall:scout,corporal"


def test_a_die_that_is_turned_is_no_amount() -> None:
    """Binoculars on a Machine Gun Fire die that shows 4: it may show any other number."""
    g, _ = asked('landing first n01-exercise-tiger seats=1 | lanes=[[["move"]]] turn=2 phase=move | U1 sector=2')
    decision = Decision(0, 1, "one", "set-pips", tuple(f"die:1={n}" for n in (1, 2, 3, 5, 6)), "F-CARD-BINOCULARS")
    said = [(line.number, line.said) for line in menu.lines(g, decision, decision.keys)]
    assert said == [(str(n), f"the die becomes {face}") for n, face in enumerate((1, 2, 3, 5, 6), 1)]


def test_dice_with_other_colours_keep_their_distance(table: Table) -> None:
    g = table("").plain.g
    g.units[0].faces, g.units[0].colours, g.units[0].locked = (3,) * 6, (2, 2, 2, 2, 0, 0), 0b111111
    rows = sheets.tray(g, 0)
    assert rows[0] == "R1 2 Soldiers (now blue) #  W1 2 Soldiers (now blue) #  B1 2 Soldiers (now red) #"


@pytest.mark.parametrize(
    ("keys", "hint"),
    [
        (("lock:R1,R2", "lock:R1,W1"), "Name 2 dice, as in R1 R2."),
        (("cancel:none", "cancel:R2", "cancel:W1"), "Name up to 1 die, as in R2, or none."),
        (("stop", "roll:B1"), "Name the dice to roll, as in B1, or all; keep B1 rolls the others."),
        (("cancel:R1,R2,W1", "cancel:R1,R2,W2"), "Name 3 dice, as in R1 R2 W2."),
    ],
)
def test_how_dice_are_named_is_shown_by_example(keys: tuple[str, ...], hint: str) -> None:
    assert menu.hint(typed.offer(keys)) == hint


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("give 2 soldiers", "give:soldiers=2"),
        ("give soldier 12", "give:soldiers=12"),
        ("give star 1", "give:stars=1"),
        ("trade 3", "trade:U3"),
        ("trade u3", "trade:U3"),
        ("med ral", "rally:medic"),
    ],
)
def test_words_in_any_order_and_short(line: str, key: str) -> None:
    amounts = ("give:soldiers=1", "give:soldiers=2", "give:soldiers=12", "give:stars=1", "give:stars=2")
    assert typed.understand(line, typed.offer((*amounts, "trade:U2", "trade:U3", "rally:medic")), ()) == key


def test_the_dice_of_a_mulligan_are_shown_with_the_question(table: Table) -> None:
    shown = [table("", options=["mulligan"], seed=str(seed)).play() for seed in range(12)]
    offered = [text for text in shown if "No Soldier among your dice" in text]
    assert offered
    for text in offered:
        assert text.index("    R1 ") < text.index("No Soldier among") and "Unit 1 rolls" not in text


# ---------------------------------------------------------------------------------------------------- four at a table


FOUR = "R1 W1\nstop\n" * 4


def test_the_keyboard_is_handed_over_with_a_line_about_the_unit(table: Table) -> None:
    shown = table(FOUR, seats=4, edition="second").play()
    handed = re.findall(r"^---- (Unit \d, \w+): Sector 1, 4 Soldiers; leave by turn 3\.$", shown, re.M)
    assert handed == ["Unit 1, UK", "Unit 2, USA", "Unit 3, Canada", "Unit 4, France"]
    assert re.search(r"^3 Canada +1 +2 ", shown, re.M)
    assert "---- Unit" not in table("R1 W1\n").play(), "alone there is nobody to hand it to"


def test_trades_share_a_line_and_an_offer_is_put_at_once(table: Table) -> None:
    lines = FOUR + "trade 3\ngive 1 soldier\npropose\naccept\n"
    shown = table(lines, seats=4, edition="second", seed="s2").play()
    assert re.search(r"^ +\d+-\d+  trade:U2/3/4 +trade with Unit 2, 3 or 4$", shown, re.M)
    put = told(after(shown, "propose"))
    assert "Unit 3: Unit 1 gives you 1 Soldier for nothing. You have " in put, "before Unit 2 has its turn"
    assert "Unit 3 gains 1 Soldier" in after(shown, "accept")


def test_results_that_join_a_tally_are_told_in_one_line_per_unit() -> None:
    out = StringIO()
    teller = Teller(Screen(out), (0, 1), True, lambda: None)
    courage, tool = {"face": "courage", "colour": 3}, {"face": "tool", "colour": 3}
    events = [
        Event(0, "added", 0, courage, "F-SECT-01", ""),
        Event(1, "added", 1, courage, "F-SECT-01", ""),
        Event(2, "added", 0, tool, "F-CARD-SCOUT", "", "scout"),
        Event(3, "added", 0, tool, "F-CARD-SCOUT", "", "scout", audience=()),
    ]
    teller.tell(events, (), False)
    assert out.getvalue() == (
        "  Unit 1 adds Courage and Tool (Scout) to the tally [F-SECT-01, F-CARD-SCOUT]\n"
        "  Unit 2 adds Courage to the tally [F-SECT-01]\n"
    )


# ---------------------------------------------------------------------------------------------------- the end


def test_the_end_tells_what_became_of_each_unit_and_its_victory_points() -> None:
    """S-OPT-VP-01: 20 Bunker, 20 first, 10 for each of the 11 Sectors, 1 a Soldier, 2 a Courage, 3 a Specialist."""
    g = read_position(
        'landing second n01-exercise-tiger seats=2 options=["victory-points"] | turn=9 first=[0] | '
        "U1 sector=B visited=1,2,4,7,9,B status=1 soldiers=7 courage=2 specialists=minesweeper | "
        "U2 sector=B visited=1,2,4,7,9,B status=1 soldiers=5"
    )
    lines = sheets.ending(g, Over(True, "bunker-conquered", "S-WIN-01", scores(g, True)))
    assert lines == [
        "Victory in turn 9. Every Unit has reached the Bunker and survived the Combat there.",
        "  Unit 1: safe in the Bunker with 7 Soldiers. Specialists: Minesweeper.",
        "  Unit 2: safe in the Bunker with 5 Soldiers.",
        "  Unit 1 has 164 Victory Points: 20 for the Bunker, 20 for being first there, 110 for Sectors, "
        "7 for Soldiers, 4 for Courage, 3 for Specialists.",
        "  Unit 2 has 135 Victory Points: 20 for the Bunker, 110 for Sectors, 5 for Soldiers.",
        "  The group has 135, as many as its weakest Unit.",
    ]


def test_who_was_lost_is_no_winner_where_survivors_win() -> None:
    """F-MAP-N01-02 by the reading `survivors_win`."""
    g = read_position(
        "landing first n01-exercise-tiger seats=2 | turn=9 | U1 sector=2 visited=1,2 status=2 | "
        "U2 sector=B visited=1,2,B status=1 soldiers=5"
    )
    lines = sheets.ending(g, Over(True, "bunker-conquered", "F-WIN-01"))
    assert lines[0] == "Victory in turn 9. Those who are safe have won."
    assert lines[1] == "  Unit 1: lost in Sector 2."


@pytest.mark.parametrize(
    ("seats", "cause", "first"),
    [
        (1, "wiped-out", "Defeat in turn 3. Your Unit was wiped out."),
        (1, "could-not-move", "Defeat in turn 3. Your Unit had to leave its Sector and could not."),
        (2, "wiped-out", "Defeat in turn 3. Unit 1 was wiped out. When one Unit is lost, all have lost."),
    ],
)
def test_a_defeat_names_who_was_lost(seats: int, cause: str, first: str) -> None:
    units = ["U1 sector=2 visited=1,2 status=2", "U2 sector=2 visited=1,2 soldiers=3"][:seats]
    g = read_position(f"landing first n01-exercise-tiger seats={seats} | turn=3 | {' | '.join(units)}")
    lines = sheets.ending(g, Over(False, cause, "F-LOSE-01"))
    assert lines[:2] == [first, "  Unit 1: lost in Sector 2."]
    assert lines[2:] == ["  Unit 2: in Sector 2 with 3 Soldiers."] * (seats - 1)
