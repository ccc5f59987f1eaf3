"""The plain line mode: a person plays by typing lines, on a terminal or through a pipe."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

from beachhead.bots import random_answer
from beachhead.content.library import PACKS_VARIABLE
from beachhead.core import chance, record
from beachhead.core.node import Answer, Over, Roll
from beachhead.games import GAMES
from beachhead.landing.codec import read_position
from beachhead.landing.game import GAME
from beachhead.say import speaking
from beachhead.table.match import Match, roll_name
from beachhead.terminal import typed
from beachhead.terminal.guide import help_lines

from .. import luck
from .sitting import SETUP, Sitting, Table, after, command

ESCAPE = "\x1b"


class Chatter(StringIO):
    """Types random legal answers, each in one of the ways in which it can be typed, and nonsense in between."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.random = random.Random(seed)
        self.sitting: Sitting | None = None

    def readline(self, *_: object) -> str:
        assert self.sitting is not None
        decision = self.sitting.plain._asked
        if decision is None:
            return ""
        if self.random.random() < 0.05:
            return self.random.choice(["", "nonsense", "why stop", "state", "999", "undo", "log 2", "\x1b[A"]) + "\n"
        key = random_answer(decision, dict, self.random)
        keys = typed.offer(decision.keys).keys
        number = keys.index(key) + 1
        listed = str(number) if number in self.sitting.plain._numbered else key
        ways = [key, listed, key.replace(":", " ").replace("=", " "), key.upper()]
        return (self.random.choice(ways[:3]) if key.upper() in keys else self.random.choice(ways)) + "\n"


def chat(table: Table, seed: int, **options: object) -> tuple[Sitting, str]:
    lines = Chatter(seed)
    sitting = table(lines, seed=str(seed), **options)
    lines.sitting = sitting
    return sitting, sitting.play()


# ---------------------------------------------------------------------------------------------------- whole games


@pytest.mark.parametrize("edition", ["first", "second"])
@pytest.mark.parametrize("seed", range(4))
def test_a_whole_game_alone(table: Table, edition: str, seed: int) -> None:
    sitting, shown = chat(table, seed, edition=edition)
    assert re.search(r"^(Victory|Defeat) in turn \d+\.", shown, re.M)
    assert all(check.status == "ok" for check in record.verify(record.read(sitting.kept[0]), GAMES))
    assert f"beachhead verify {sitting.kept[0]}" in shown


@pytest.mark.parametrize("edition", ["first", "second"])
def test_a_game_of_four_with_three_bots(table: Table, edition: str) -> None:
    _, shown = chat(table, 5, edition=edition, seats=4, bots=3)
    assert re.search(r"^(Victory|Defeat) in turn", shown, re.M)
    assert set(re.findall(r"^Unit (\d)[:,] ", shown, re.M)) == {"1"}, "only people are asked"
    assert re.search(r"^  Unit [234] gains", shown, re.M), "what bots do is told"
    assert "2 Recruit" in shown and "1 you" in shown


def test_several_people_at_one_screen_are_asked_lowest_seat_first(table: Table) -> None:
    shown = table("R1 W1\nstop\nR1 W1\n", seats=2).play()
    asked = re.findall(r"^(Unit \d): Roll", shown, re.M)
    assert asked == ["Unit 1", "Unit 1", "Unit 2", "Unit 2"]


def test_bots_alone_play_to_the_end(table: Table) -> None:
    shown = table("", seats=2, bots=2).play()
    assert " in turn " in shown and "> " not in shown


def test_the_same_seed_gives_the_same_game(table: Table) -> None:
    one, two = (chat(table, 3, seats=2, bots=1)[1] for _ in range(2))
    assert one == two.replace("game-2.jsonl", "game.jsonl")


@pytest.mark.parametrize("seats", [1, 3])
def test_no_line_is_longer_than_80_columns(table: Table, seats: int) -> None:
    _, shown = chat(table, 8, seats=seats, edition="second")
    assert not [line for line in shown.splitlines() if len(line) > 80 and not line.startswith("  beachhead ")]


# ---------------------------------------------------------------------------------------------------- what is shown


def test_the_start_tells_all_a_newcomer_needs(table: Table) -> None:
    shown = table("").play()
    bunker, sea = shown.index("   B  DEF 12, MGF 1d6."), shown.index("   1  DEF 2.")
    assert bunker < sea, "from the Bunker down to the sea"
    assert "Lead your Unit up the beach" in shown
    assert "Type help for all commands" in shown
    assert re.search(r"^1 you +1 +2 +- +1 chevron +turn 3 +4 +0 +0 +0$", shown, re.M)
    assert "Ways: 2 (1 Courage, DEF 4); 3 (1 Courage, DEF 4)" in shown


def test_the_commitment_comes_before_the_first_roll_and_the_seed_only_at_the_end(table: Table) -> None:
    _, shown = chat(table, 1)
    seed = chance.seed_from("1")
    assert shown.index(chance.commitment(seed)) < shown.index("Turn 1")
    assert shown.count(seed) == 1 and shown.index(seed) > shown.index(" in turn ")


def test_sets_of_dice_are_not_listed_but_named(table: Table) -> None:
    shown = table("w1, r1\nkeys\n").play()
    assert "R1 Tool #             W1 Skull #            B1 Courage" in shown
    lock = shown[shown.index("Lock 2 dice") : shown.index("> w1")]
    assert "lock:" not in lock
    assert re.search(r"^ +16 roll:R2,W2,B1,B2 ", shown, re.M), "keys lists them all"


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("R2 B1", "roll:R2,B1"),
        ("roll B1,R2", "roll:R2,B1"),
        ("roll:B1,R2", "roll:R2,B1"),
        ("all", "roll:R2,W2,B1,B2"),
        ("keep B1 B2", "roll:R2,W2"),
        ("none", "stop"),
        ("st", "stop"),
        ("1", "stop"),
        ("keep all", "stop"),
    ],
)
def test_ways_to_name_dice(table: Table, line: str, key: str) -> None:
    sitting = table(f"R1 W1\n{line}\n")
    sitting.play()
    answers = [entry.key for entry in sitting.match.record.entries if isinstance(entry, record.Answered)]
    assert answers == ["lock:R1,W1", key]


def test_all_dice_are_no_answer_where_fewer_are_to_be_named(table: Table) -> None:
    sitting = table("all\nlock all\nR1 W1\n")
    shown = sitting.play()
    answers = [entry.key for entry in sitting.match.record.entries if isinstance(entry, record.Answered)]
    assert answers == ["lock:R1,W1"]
    assert shown.count("lock:R1,R2,W1,W2,B1,B2 is not allowed: name 2 dice [F-ROLL-02]") == 2


def test_a_number_below_one_is_no_answer(table: Table) -> None:
    shown = table("R1 W1\n-1\n0\n").play()
    assert shown.count("There is no answer") == 2


def test_a_number_is_an_answer_only_where_it_was_listed(table: Table) -> None:
    """At the question what to Lock no list is printed, and no dice are Locked by a number; `keys` prints one."""
    sitting = table("1\n")
    shown = " ".join(sitting.play().split())
    assert "No answer is listed with the number 1. Name 2 dice, as in R1 R2." in shown
    assert not any(isinstance(entry, record.Answered) for entry in sitting.match.record.entries)
    sitting = table("keys\n1\n")
    sitting.play()
    assert [e.key for e in sitting.match.record.entries if isinstance(e, record.Answered)] == ["lock:R1,R2"]


def test_none_is_an_answer_where_skulls_may_be_ignored() -> None:
    offer = typed.offer(("cancel:none", "cancel:R1", "cancel:W2"))
    assert (offer.verb, offer.listed, offer.sizes()) == ("cancel", 0, (0, 1))
    assert [typed.understand(line, offer, ()) for line in ("none", "w2", "cancel r1")] == [
        "cancel:none",
        "cancel:W2",
        "cancel:R1",
    ]


def test_answers_by_start_of_a_key_must_be_unambiguous(table: Table) -> None:
    shown = table("R1 W2\nstop\nfind b\nfind baz\n").play()
    assert "'find b' could be find:bangalore-torpedo, find:binoculars, find:bazooka." in shown
    assert "Unit 1 takes the Bazooka" in shown


def test_a_long_list_is_cut_and_the_rest_is_named(table: Table) -> None:
    shown = table("R1 W2\nstop\n15\n").play()
    assert "  More: 13 find:lucky-charm, 14 find:strategic-map, 15 find:toolkit" in shown
    assert "Unit 1 takes the Toolkit" in shown


def test_the_text_of_a_card_is_shown_once(table: Table) -> None:
    shown = table("R1 W2\nstop\nfind bazooka\ndone\nstay\n").play()
    assert " ".join(shown.split()).count("or Bunker that you are in is 7 lower") == 1


def test_amounts_share_a_line(table: Table) -> None:
    shown = table("R1 W1\nstop\nR1 W1\nstop\ntrade u2\ngive soldiers 2\n", seats=2, seed="0").play()
    assert re.search(r"2-\d+  give:soldiers=1\.\.\d+ +give 1 to \d+ Soldiers", shown)
    assert "you give 2 Soldiers, you get nothing" in shown


def test_cite_shows_the_rule_of_each_event(table: Table) -> None:
    assert "Unit 1 Locks R1 W1 [F-ROLL-02]" in table("R1 W1\n", cite=True).play()
    assert "[F-ROLL-02]" not in table("R1 W1\n").play()


# ---------------------------------------------------------------------------------------------------- commands


def test_help_lists_every_command(table: Table) -> None:
    from beachhead.terminal.plain import COMMANDS

    told = after(table("help\n").play(), "help")
    listed = {word for names, _ in help_lines() for name in names.split(", ") for word in name.split()[:1]}
    assert set(COMMANDS) - {"?", "save!", "cards", "exit"} <= listed
    assert all(name in told for name, _ in help_lines())
    assert max(map(len, told.splitlines())) <= 80
    assert "Lead your Unit" in after(table("help game\n").play(), "help game")


def test_why_a_locked_die_cannot_be_rolled(table: Table) -> None:
    shown = table("R1 W1\nwhy R1\nR1 B2\nwhy R2\n").play()
    assert "roll:R1 is not allowed: R1 is Locked [F-ROLL-05]" in after(shown, "why R1")
    assert "roll:R1,B2 is not allowed: R1 is Locked [F-ROLL-05]" in after(shown, "R1 B2")
    assert "roll:R2 is allowed" in after(shown, "why R2") and "[F-ROLL-0" in after(shown, "why R2")


def test_why_a_card_cannot_be_had_gives_rule_and_price(table: Table) -> None:
    shown = table("R1 W2\nstop\nwhy rally medic\nrally medic\nwhy find bazooka\n").play()
    assert "it costs 4 Stars and the Unit has 0 [F-SPEC-01]" in after(shown, "why rally medic")
    assert "it costs 4 Stars and the Unit has 0 [F-SPEC-01]" in after(shown, "rally medic")
    assert "Item Points 15: 15 printed [F-ITEM-01]" in after(shown, "why find bazooka")


def test_why_explains_numbers(table: Table) -> None:
    shown = table(
        "why defence\nwhy lock\nwhy 7\nwhy sector b\nwhy mgf 7\nR1 W2\nstop\nfind baz\nuse baz\nwhy def\n"
    ).play()
    assert "Unit 1 in Sector 1: DEF 2: 2 printed [F-DEF-01]" in after(shown, "why defence")
    assert "Dice to Lock 2: 2 printed" in after(shown, "why lock")
    assert "Unit 1 in Sector 7: DEF 8: 8 printed" in after(shown, "why 7")
    assert "DEF 12: 12 printed" in after(shown, "why sector b")
    assert "MGF dice 1: 1 printed" in after(shown, "why mgf 7")
    assert "DEF 0: 2 printed [F-DEF-01], -7 Bazooka [F-CARD-BAZOOKA]" in " ".join(after(shown, "why def").split())


def test_rule_of_this_question_or_any(table: Table) -> None:
    shown = table("rule\nrule f-roll-05\nrule F-ROLL-99\n").play()
    assert "F-ROLL-02  Lock two dice after the first roll" in after(shown, "rule")
    assert "F-ROLL-05  Locked dice are never re-rolled" in after(shown, "rule f-roll-05")
    assert "no rule 'F-ROLL-99' in the register. Did you mean" in after(shown, "rule F-ROLL-99")


def test_card_state_map_bonus_dice_seed_and_log(table: Table) -> None:
    lines = "card medic\ncard\ncard silver\ncard b\ncard xx\nstate\nmap\nbonus\ndice\nseed\nR1 W1\nlog 2\nlog x\n"
    sitting = table(lines)
    shown = sitting.play()
    assert "Medic: Regular Specialist, 4 Stars. Unit 1 can rally him." in after(shown, "card medic")
    assert "Rule F-CARD-MEDIC" in after(shown, "card medic")
    assert "Corporal 2, Scout 2" in after(shown, "card")
    assert "reconstructed" in after(shown, "card silver")
    assert "'b' could be " in after(shown, "card b")
    assert "'xx' is no card" in after(shown, "card xx")
    assert "1 you" in after(shown, "state")
    assert "---- line of 4 Courage ----" in after(shown, "map")
    assert "Dead Man's Gift: Gain 20 Item Points" in after(shown, "bonus")
    assert "Worth:" in after(shown, "dice")
    assert sitting.match.record.header.seed in after(shown, "seed")
    assert "Unit 1 Locks R1 W1 [F-ROLL-02]" in after(shown, "log 2")
    assert "Unit 1 rolls R1 Tool" in after(shown, "log 2") and "Turn 1" not in after(shown, "log 2")
    assert "'x' is no number" in after(shown, "log x")


def test_results_that_count_for_nothing_are_not_summed_up(table: Table) -> None:
    shown = table("", level="practice-run").play()
    (worth,) = [line for line in shown.splitlines() if "Worth:" in line]
    assert not any(word in worth for word in ("Star", "Tool", "Skull"))


DEADSTICK = {"map": "operation-deadstick", "seats": 2}


@pytest.mark.rule("F-OPT-DEADSTICK-01")
def test_where_a_unit_starts_is_told_once_it_has_chosen(table: Table) -> None:
    shown = table("start S2\nlog\n", **DEADSTICK).play()
    assert "starts in Sector S1" not in shown and "starts in Sector M1" not in shown
    assert shown.count("Unit 1 starts in Sector S2") == 2
    shown = " ".join(shown.split())
    assert "Sector S1 is closed now: " in shown


@pytest.mark.rule("F-OPT-DEADSTICK-01")
def test_a_line_of_courage_stands_between_the_rows_that_it_parts(table: Table) -> None:
    """Deadstick: the upper half advances downwards, from M1 and M2, for 1 Courage, to M3 to M6."""
    shown = table("map\n", **DEADSTICK).play()
    drawn = shown[shown.rindex("> map") :]
    marks = re.findall(r"^ +([SM][0-9B]+)  |---- line of ([0-9]) Courage", drawn, re.M)
    told = [sector or int(cost) for sector, cost in marks]
    assert told[:10] == ["M2", "M1", 1, "M6", "M5", "M4", "M3", 2, "M9", "M8"]
    assert told[10:19] == ["M7", 2, "M11", "M10", 3, "M13", "M12", 4, "MB"]
    assert told[19:23] == ["SB", 4, "S14", "S15"] and told[-3:] == [1, "S1", "S2"]


def test_position_is_one_line_that_leads_back_to_this_very_question(table: Table) -> None:
    sitting = table("R1 W1\nposition\n")
    (line,) = [line for line in sitting.play().splitlines() if line.startswith("landing ")]
    assert read_position(line) == sitting.match.state


def test_undo_and_redo_what_was_not_followed_by_dice(table: Table) -> None:
    sitting = table("undo\nredo\nR1 W1\nundo\nredo\nundo\nR2 W2\nredo\n")
    shown = sitting.play()
    assert "There is nothing to undo." in after(shown, "undo")
    assert "There is nothing to redo." in after(shown, "redo")
    assert "Undone: Unit 1, lock R1 Tool, W1 Skull" in shown
    assert shown.count("Unit 1 Locks R1 W1") == 2
    assert shown.rstrip().count("There is nothing to redo.") == 2, "another answer was given since"


def test_undo_beyond_dice_is_asked_back_and_marked(table: Table) -> None:
    sitting = table("R1 W1\nB2\nundo\nno\nundo\nyes\nB2\n")
    shown = sitting.play()
    told = " ".join(after(shown, "undo").split())
    assert told.startswith("This has been seen since: Unit 1 rolls B2 ")
    assert "Take it back all the same (Unit 1: roll B2 " in told
    assert told.endswith("It is marked in the record. Type yes or no.")
    assert "Nothing is taken back." in after(shown, "no")
    assert "Undone: Unit 1, roll B2" in after(shown, "yes")
    undone = [entry for entry in sitting.match.record.entries if isinstance(entry, record.Undone)]
    assert undone == [record.Undone(2, True)]
    first, again = [
        entry for entry in sitting.match.record.entries if isinstance(entry, record.Rolled) and entry.number == 1
    ]
    assert first == again


def test_what_was_taken_back_once_seen_is_brought_back_whole(table: Table) -> None:
    sitting = table("R1 W1\nB2\nundo\ny\nredo\n")
    once = table("R1 W1\nB2\n")
    sitting.play(), once.play()
    assert sitting.match.state == once.match.state


def test_in_french_one_agrees_in_french(table: Table) -> None:
    with speaking("fr"):
        sitting = table("R1 W1\nB2\nannuler\noui\n")
        sitting.play()
    assert sitting.match.seen == 1


# ---- dice of one's own


def own(lines: str, table: Table, **setup: object) -> Sitting:
    match = Match.new(GAME, {**SETUP, **setup}, chance.seed_from("tiger"), own_dice=True)
    return table(lines, match=match)


def rolled(sitting: Sitting) -> list[tuple[tuple[int | str, ...], int | None]]:
    return [(it.outcome, it.by) for it in sitting.match.record.entries if isinstance(it, record.Rolled)]


@pytest.mark.parametrize(
    "line",
    [
        *("1 2 3 4 5 6", "123456", "1,2, 3;4 5,6", "skull star soldier1 soldier2 courage tool", "Sk St 3 4 cour T"),
        *("skull, star, 1 Soldier, 2 Soldiers, courage, tool", "1 2 1 soldier 2 soldier 5 6"),
    ],
)
def test_dice_are_typed_as_numbers_or_names(table: Table, line: str) -> None:
    sitting = own(f"{line}\n", table)
    shown = sitting.play()
    assert rolled(sitting) == [((0, 1, 2, 3, 4, 5), 0)]
    assert "Your own dice: roll them on your table" in shown
    assert "Unit 1: roll 6 dice on your table and enter them (R1, R2, W1, W2, B1, B2)." in shown
    assert "1 = Skull, 2 = Star" in " ".join(shown.split())


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("1 2 3", "6 dice are to be typed, not 3."),
        ("1 2 3 4 5 7", "'7' is no side of these dice: type numbers from 1 to 6, or the names."),
        ("1 2 3 4 5 0", "'0' is no side of these dice"),
        ("s t t t t t", "'s' is no side of these dice"),
        ("²²²²²²", "'²²²²²²' is no side of these dice"),
        ("lock R1 W1", "'lock' is no side of these dice"),
        ("1 2 3 4 5 soldier", "'soldier' is no side of these dice"),
    ],
)
def test_dice_that_cannot_be_are_refused_in_words(table: Table, line: str, told: str) -> None:
    sitting = own(f"{line}\n", table)
    assert told in " ".join(after(sitting.play(), line).split())
    assert rolled(sitting) == []


def test_the_program_rolls_when_told_to_and_mistyped_dice_are_taken_back(table: Table) -> None:
    sitting = own("111111\nundo\nredo\nundo\nstate\nroll\n", table)
    shown = sitting.play()
    assert "Undone: Unit 1, the 6 dice that were entered" in after(shown, "undo")
    sealed = table("")
    sealed.play()
    assert rolled(sitting)[-1] == rolled(sealed)[-1] and rolled(sitting)[0] == ((0,) * 6, 0)


def test_a_game_left_in_the_middle_of_a_roll_goes_on_there(tmp_path: Path) -> None:
    lines = "222222\nR1 W1\nR2 W2\n"
    left = command(tmp_path, "--own-dice", "--level", "practice-run", lines=lines)
    assert left.returncode == 0, left.stderr
    (path,) = (tmp_path / "data").glob("*.jsonl")
    wanted = "roll 2 dice on your table and enter them (R2, W2)."
    assert wanted in left.stdout
    again = command(tmp_path, "--load", str(path), lines="3 5\n")
    assert again.returncode == 0 and wanted in again.stdout
    assert command(tmp_path, "--load", str(path), "--own-dice").returncode == 2


def test_the_end_says_what_was_taken_back_once_seen_and_what_was_entered(table: Table) -> None:
    match = Match.new(GAME, SETUP, chance.seed_from("tiger"), own_dice=True)
    choice = random.Random(1)
    match.enter(0, "dice:0:0", [5] * 6)
    while not isinstance(node := match.node(), Over):
        if isinstance(node, Roll):
            match.enter(0, roll_name(node), [])
            if match.seen < 2:
                assert match.undo(0, agreed=True)
        else:
            decision = match.decision(0)
            assert decision is not None
            match.answer(Answer(0, decision.seq, choice.choice(decision.keys)))
    shown = " ".join(table("", match=match).play().split())
    assert "2 answers were taken back after dice or cards had been seen." in shown
    assert "One roll was entered by hand and cannot be checked." in shown


def test_practice_goes_back_beyond_dice_with_the_same_dice(table: Table) -> None:
    shown = table("R1 W1\nB2\nundo\nB2\n", practice=True).play()
    rolls = re.findall(r"^  Unit 1 rolls (B2 .*)$", shown, re.M)
    assert len(rolls) == 2 and rolls[0] == rolls[1]
    assert "practice" in shown.splitlines()[0]


def test_undo_takes_back_what_bots_answered_since(table: Table) -> None:
    sitting = table("R1 W1\nstop\nundo\n", practice=True, seats=2, bots=1)
    shown = sitting.play()
    assert "Undone: Unit 1, keep all dice as they lie" in shown
    decision = sitting.match.decision(0)
    assert decision is not None and decision.name == "reroll"


def test_undo_after_the_end_of_a_practice_game(table: Table, tmp_path: Path) -> None:
    first, shown = chat(table, 2, practice=True)
    assert "Practice: type undo to go back, or quit." in shown
    again = Match.load(first.kept[0], GAMES)
    sitting = table("nonsense\nundo\nquit\n", match=again)
    shown = sitting.play()
    assert "The game is over: type undo to go back, or quit." in shown and "Undone: Unit 1" in shown
    assert "beachhead play --load" in shown


# ---------------------------------------------------------------------------------------------------- keeping games


def test_save_and_load_in_the_middle_of_a_question(table: Table, tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    shown = table(f"R1 W1\nsave {path}\nseed\nquit\n").play()
    assert f"Saved in {path}" in shown
    assert f"  beachhead play --load {path}" in shown
    match = Match.load(path, GAMES)
    sitting = table("undo\nR2 W2\n", match=match)
    shown = sitting.play()
    assert "The game goes on in turn 1." in shown
    assert "Which dice do you roll again?" in shown
    assert "Undone: Unit 1, lock R1 Tool, W1 Skull" in shown and "Unit 1 Locks R2 W2" in shown


def test_how_to_go_on_is_told_as_a_shell_takes_it(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PACKS_VARIABLE, os.pathsep.join(("/my packs", "/more")))
    path = tmp_path / "my game.jsonl"
    shown = table(f"R1 W1\nsave {path}\nquit\n").play()
    assert f"  beachhead --packs '/my packs' --packs /more play --load '{path}'" in shown


def test_save_never_replaces_a_file_unasked(table: Table, tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text("precious")
    shown = table(f"save {path}\nsave\n").play()
    assert f"Type save! {path} to replace it." in " ".join(shown.split())
    assert "Name a file" in shown
    assert path.read_text() == "precious"
    table(f"save! {path}\n").play()
    assert Match.load(path, GAMES).node()


@pytest.mark.parametrize("name", ["", "no/such/folder.jsonl", "x" * 300, "a\0b", "~nobody-here/x"])
def test_save_where_it_cannot_be_is_told(table: Table, tmp_path: Path, name: str) -> None:
    shown = table(f"R1 W1\nsave {tmp_path}/{name}\n").play()
    assert "Saved" not in shown
    assert "beachhead play --load" in shown, "the game is kept anyway"


def test_the_game_is_kept_when_the_input_ends(table: Table) -> None:
    sitting = table("R1 W1\n")
    shown = sitting.play()
    assert f"  beachhead play --load {sitting.kept[0]}" in shown
    seed = chance.seed_from("tiger")
    assert seed not in shown
    decision = Match.load(sitting.kept[0], GAMES).decision(0)
    assert decision is not None and decision.name == "reroll"


def test_the_game_is_in_the_file_after_every_answer_without_its_seed(table: Table) -> None:
    sitting = table("")
    sitting.play()
    plain = sitting.plain
    decision = sitting.match.decision(0)
    assert decision is not None and not sitting.kept, "nothing was played, nothing is kept"
    plain._answer(decision, "lock:R1,W1")
    kept = record.read(sitting.kept[0])
    assert [entry.key for entry in kept.entries if isinstance(entry, record.Answered)] == ["lock:R1,W1"]
    assert not [entry for entry in kept.entries if isinstance(entry, record.Revealed)]
    assert Match.load(sitting.kept[0], GAMES).decision(0)


def test_two_games_never_share_a_file(table: Table) -> None:
    table("R1 W1\n").play()
    sitting = table("R1 W1\n")
    sitting.play()
    assert len(sitting.kept) == 2


def test_a_folder_that_cannot_be_written_does_not_stop_the_game(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    shown = Sitting(tmp_path / "data", "R1 W1\nstop\n").play()
    assert " ".join(shown.split()).count("the game cannot be kept there") == 1
    assert "Type save FILE to keep it elsewhere." in " ".join(shown.split())
    assert "The game is not kept." in shown


# ---------------------------------------------------------------------------------------------------- nonsense


GARBAGE = [
    "",
    " ",
    "?",
    "0",
    "-1",
    "99999999999999999999",
    "²",
    "1.5",
    ":",
    "=,=",
    "lock:",
    "lock:R1",
    "lock R1 R1",
    "lock:R1,W1,B1",
    "roll R9",
    "R1 W9",
    "keep",
    "all all",
    "none",
    "why",
    "why why",
    "why 99999999999999999999",
    "why sector",
    "why def 99",
    "why lock:R1,R1",
    "rule rule",
    "card \x1b[31m",
    "log -5",
    "log 0",
    "log 99999999999",
    "keys keys",
    "help help",
    "save",
    "save!",
    "undo 5",
    "redo 5",
    "ünïcödé 🎲",
    "a" * 5000,
    "{}",
    "%s%n",
]


def test_nonsense_never_raises_and_never_answers(table: Table) -> None:
    sitting = table("\n".join(GARBAGE) + "\n")
    shown = sitting.play()
    assert shown.count("\n> ") == len(GARBAGE)
    assert not [entry for entry in sitting.match.record.entries if isinstance(entry, record.Answered)]
    assert ESCAPE not in shown


def test_nonsense_at_every_question_of_a_game(table: Table) -> None:
    class Fool(Chatter):
        def readline(self, *_: object) -> str:
            if self.random.random() < 0.5:
                return self.random.choice(GARBAGE[2:]) + "\n"
            return super().readline()

    lines = Fool(4)
    sitting = table(lines, seed="4", seats=2)
    lines.sitting = sitting
    assert ESCAPE not in sitting.play()


# ---------------------------------------------------------------------------------------------------- the command


def test_the_command_plays_through_a_pipe(tmp_path: Path) -> None:
    done = command(tmp_path, "--plain", "--seed", "tiger", lines="R1 W1\nstop\n", FORCE_COLOR="1")
    assert done.returncode == 0 and done.stderr == ""
    assert "> R1 W1\n  Unit 1 Locks R1 W1" in done.stdout
    assert ESCAPE not in done.stdout
    (kept,) = (tmp_path / "data").iterdir()
    assert f"beachhead play --load {kept}" in done.stdout
    more = command(tmp_path, "--load", str(kept), lines="state\n")
    assert more.returncode == 0 and "The game goes on in turn 1." in more.stdout


def test_the_end_of_the_input_is_no_error(tmp_path: Path) -> None:
    done = command(tmp_path)
    assert done.returncode == 0 and done.stderr == "" and "Nothing was played." in done.stdout
    assert not (tmp_path / "data").exists()


def test_bots_of_the_command(tmp_path: Path) -> None:
    shown = command(tmp_path, "--bots", "3", "--seed", "7", lines="R1 W1\n").stdout
    assert "4 Recruit" in shown and "--bots 3" in shown
    shown = command(tmp_path, "--bot", "2=random", "--seats", "3", "--seed", "7", lines="R1 W1\n").stdout
    assert "2 Recruit" in shown and "3 player" in shown and "--bot 2=random" in shown


def test_nations_and_edition_of_the_command(tmp_path: Path) -> None:
    shown = command(tmp_path, "--edition", "second", "--nation", "usa", lines="bonus\n").stdout
    assert "second edition" in shown and "Gain 15 Item Points" in shown


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--edition", "third"], "unknown edition 'third': expected one of first, second"),
        (["--map", "omaha-beach"], "unknown map 'omaha-beach'"),
        (["--seats", "5"], "5 seats: expected 1 to 4"),
        (["--bot", "2"], "expected a seat and the code of a bot, as in 2=random"),
        (["--bot", "2=genius"], "unknown bot 'genius': expected one of random"),
        (["--bot", "3=random", "--seats", "2"], "there are 2 seats"),
        (["--bots", "-1"], "--bots -1"),
        (["--nation", "mars"], "unknown nation 'mars'"),
        (["--load", "nowhere.jsonl"], "nowhere.jsonl: there is no such file"),
        (["--load", "x", "--seed", "7"], "--seed does not go with --load"),
        (["--load", "x", "--nation", "uk"], "--nation does not go with --load"),
        (["--load", "x", "--option", "mulligan"], "--option does not go with --load"),
        (["--option", "mulligans"], "did you mean 'mulligan'?"),
        (["--edition", "second", "--level", "practice-run"], "unknown level 'practice-run'"),
    ],
)
def test_bad_options_are_told_in_one_line(tmp_path: Path, options: list[str], told: str) -> None:
    done = command(tmp_path, *options)
    assert done.returncode == 2
    assert told in done.stderr and len(done.stderr.splitlines()) == 1 and done.stdout == ""


def test_bytes_that_are_no_text_are_only_nonsense(tmp_path: Path) -> None:
    done = subprocess.run(
        [*luck.command(), "play"],
        input=b"\xff\xfe\x00\n\xe2\x28\xa1\n",
        env={**os.environ, "BEACHHEAD_DATA": str(tmp_path), "PYTHONUTF8": "1"},
        capture_output=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0 and done.stderr == b"" and b"is no answer here" in done.stdout


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_colour_only_on_a_terminal_that_wants_it(tmp_path: Path, no_color: str, coloured: bool) -> None:
    leader, follower = os.openpty()
    environment = {**os.environ, "BEACHHEAD_DATA": str(tmp_path), "NO_COLOR": no_color, "TERM": "xterm"}
    with subprocess.Popen(
        [sys.executable, "-c", "from beachhead.cli import main; main()", "play", "--seed", "7"],
        stdin=subprocess.PIPE,
        stdout=follower,
        stderr=follower,
        env=environment,
    ) as process:
        os.close(follower)
        assert process.stdin is not None
        process.stdin.write(b"R1 W1\nquit\n")
        process.stdin.close()
        shown = b""
        try:
            while part := os.read(leader, 4096):
                shown += part
        except OSError:
            pass
        assert process.wait(300) == 0
    os.close(leader)
    assert b"Unit 1 Locks" in shown
    assert (b"\x1b[91mR1\x1b[39m" in shown) == coloured
    assert (ESCAPE.encode() in shown) == coloured
