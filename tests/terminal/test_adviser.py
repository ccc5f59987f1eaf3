"""The adviser in the line mode: on request, or with every question, and never unasked."""

from __future__ import annotations

import re
from pathlib import Path

from beachhead.say import speaking

from .sitting import Table, after, command

RUN = {"level": "practice-run"}


def test_the_adviser_ranks_the_answers_and_marks_the_dice(table: Table) -> None:
    shown = table("advise\n", **RUN).play()
    said = after(shown, "advise").splitlines()
    marked = [line for line in said if "*" in line]
    assert sum(line.count("*") for line in marked[:-1]) == 2, "two dice are to be Locked"
    assert "* best to Lock" in marked[-1]
    at = said.index("  The probability to win, exact; then what the turn brings on average:")
    assert said[at + 1].split() == ["Soldiers", "Courage"]
    assert all(" Lock " in line and "%" in line for line in said[at + 2 : at + 7])
    assert said[at + 7] == "    10 more answers: advise all"
    assert said[at + 8].startswith("  Lock ")


def test_all_answers_on_request(table: Table) -> None:
    said = after(table("advise all\n", **RUN).play(), "advise all")
    assert sum(" Lock " in line and "%" in line.split(":")[0] for line in said.splitlines()) >= 15
    assert "more answers" not in said


def test_the_numbers_are_those_that_can_be_typed(table: Table) -> None:
    said = after(table("advise\n", **RUN).play(), "advise").splitlines()
    at = next(n for n, line in enumerate(said) if "probability" in line)
    number, words = said[at + 2].split()[0], said[at + 2].split()[2:4]
    shown = table(f"advise\n{number}\n", **RUN).play()
    assert f"Unit 1 Locks {' '.join(words)}" in shown


def test_nothing_is_said_unasked(table: Table) -> None:
    assert "Adviser" not in table("state\n", **RUN).play()


def test_the_adviser_speaks_with_every_question(tmp_path: Path) -> None:
    done = command(tmp_path, "--level", "practice-run", "--seed", "3", "--adviser", lines="R1 R2\n1\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("  Adviser: ") == 3
    assert "  Adviser: Lock " in done.stdout and "Next best: " in done.stdout


def test_in_french(table: Table) -> None:
    with speaking("fr"):
        shown = table("conseil\nconseil tous\n", **RUN).play()
    assert "La probabilité de gagner, valeurs exactes" in shown and "* le mieux à Verrouiller" in shown


def test_words_that_the_adviser_does_not_know(table: Table) -> None:
    assert "'nonsense' means nothing to the adviser" in after(
        table("advise nonsense\n", **RUN).play(), "advise nonsense"
    )


def test_the_end_of_a_game_leads_to_its_review(table: Table) -> None:
    lines = "keys\n1\n" * 400
    shown = table(lines, **RUN).play()
    assert "beachhead review " in shown


def test_of_a_roll_the_dice_to_keep_are_marked(table: Table) -> None:
    said = after(table("R1 R2\nadvise\n", **RUN).play(), "advise").splitlines()
    at = next(n for n, line in enumerate(said) if "* best to keep" in line)
    kept = {
        die
        for die, marks in re.findall(r"([RWB][12]) [^#*]*?([#-]*\*?)(?=\s{2}|$)", "\n".join(said[:at]), re.M)
        if "*" in marks
    }
    best = next(line for line in said[at:] if "%" in line)
    rolled = set(re.findall("[RWB][12]", best))
    assert kept | rolled == {"R1", "R2", "W1", "W2", "B1", "B2"} and not kept & rolled
