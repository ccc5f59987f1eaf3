"""Scenario files: what they may say, what is reported where, what counts as a difference."""

from __future__ import annotations

from pathlib import Path
from random import Random
from textwrap import dedent

import pytest
import typer
from typer.testing import CliRunner

from beachhead.core import chance
from beachhead.core.errors import BeachheadError, ContentError, SetupError
from beachhead.core.node import Answer, Ask, Over
from beachhead.landing.dice import HOME
from beachhead.landing.game import MACHINE, new
from beachhead.landing.position import Position, UnitAt, lay_dice, position, result, stopped
from beachhead.landing.world import Setup, world_of
from beachhead.scenarios import script
from beachhead.scenarios.cli import register
from beachhead.scenarios.runner import parse_scenario, run

SKULL = "R:star,skull W:tool,tool B:courage,soldier2"


def differences(text: str, edition: str = "") -> list[str]:
    """What differs, each as LINE: WHERE: MESSAGE."""
    return [f"{f.line}: {f.where}: {f.message}" for f in run(parse_scenario(dedent(text)), edition)]


def faults(text: str) -> list[str]:
    """What is wrong with the file, each as LINE: WHERE: MESSAGE."""
    with pytest.raises(ContentError) as caught:
        parse_scenario(dedent(text))
    return [f"{f.line}: {f.where}: {f.message}" for f in caught.value.faults]


# ---- given


def test_a_scenario_that_holds_has_no_differences() -> None:
    assert not differences(
        """
        about = "Two Tools bring three Item Points."
        when = ["U1 cancel:R1"]
        [given]
        edition = "first"
        phase = "upkeep"
        until = "upkeep"
        U1.dice = "R:star,skull W:tool,tool B:courage,soldier2"
        [then]
        asks = []
        [then.U1]
        stars = 0
        points = 3
        soldiers = 12
        """
    )


def test_what_is_not_given_is_as_at_set_up() -> None:
    assert not differences(
        """
        about = "One Unit at the start, on turn 1, with 10 Soldiers."
        [given]
        edition = "first"
        [then]
        turn = 1
        phase = "roll"
        asks = ["roll U1"]
        pool.has = ["captain", "grenade"]
        used = []
        beside = 0
        [then.U1]
        nation = "allies"
        sector = "1"
        visited = ["1"]
        marker = "1 chevron"
        combats = 0
        soldiers = 10
        stars = 0
        cards = []
        hand.has = ["corporal"]
        dead = []
        dice = ""
        status = "on the map"
        """
    )


def test_every_field_of_a_unit_can_be_given_and_expected() -> None:
    fields = """
        sector = "7"
        visited = ["1", "2", "4", "7"]
        marker = "can't stay"
        combats = 1
        soldiers = 12
        stars = 1
        courage = 2
        points = 3
        cards = ["binoculars", "scout", "silver-star"]
        hand = ["medic"]
        dead = ["corporal"]
        dice = "R:star,skull* W:tool,tool B:courage"
        cancelled = "R1,B1"
        added = ["tool", "white star"]
        kept = "R:star,star W:tool,tool B:courage,courage"
        spare = "R:star W:tool"
    """
    assert not differences(
        f"""
        about = "All of it."
        when = ["U1 done"]
        [given]
        editions = ["first", "second"]
        phase = "acquire"
        turn = 4
        [given.U1]
        done = ["rally"]
        {fields}
        [then]
        asks = ["U1 move"]
        turn = 4
        pool.lacks = ["binoculars"]
        deck.lacks = ["silver-star"]
        [then.U1]
        done = ["recorded", "rally"]
        status = "on the map"
        {fields}
        """
    )


def test_cards_are_conserved() -> None:
    world = world_of(Setup("first", seats=2))
    units = (UnitAt(cards=("captain", "scout", "jeep", "silver-star"), dead=("medic",)), UnitAt(cards=("scout",)))
    g = position(world, Position(units, used=("grenade",)))
    for unit in g.units:
        own = [*unit.hand, *unit.specialists, *unit.dead]
        assert len(own) == len(set(own))
    common = [*g.pool, *g.box, *g.used, *g.deck, *g.units[0].items, *g.units[0].awards]
    assert len(common) == len(set(common))
    assert "captain" not in g.pool and "jeep" not in g.box and "silver-star" not in g.deck and "grenade" not in g.pool
    assert "medic" in g.units[1].hand and "medic" not in g.units[0].hand


def test_a_position_can_be_cloned_and_dumped_like_any_state() -> None:
    g = position(world_of(Setup("second")), Position(phase="upkeep", units=(UnitAt(dice=SKULL),)))
    MACHINE.start(g)
    copy = MACHINE.clone(g)
    assert copy == g and MACHINE.dump(copy) == MACHINE.dump(g)


@pytest.mark.parametrize("phase", ["roll", "tally", "upkeep", "acquire", "move", "combat"])
def test_a_game_goes_on_to_its_end_from_any_phase(phase: str) -> None:
    for edition in ("first", "second"):
        at = UnitAt(sector="2", courage=9, stars=9, cards=("corporal",), dice="" if phase == "roll" else SKULL)
        g = position(world_of(Setup(edition, seats=2)), Position((at, UnitAt()), 3, phase))
        MACHINE.start(g)
        random = Random(phase)
        for _ in range(3000):
            node = MACHINE.node(g)
            if isinstance(node, Over):
                break
            if isinstance(node, Ask):
                decision = node.decision(random.choice(node.seats))
                keys = [key for key in decision.keys if not key.startswith("trade")]
                MACHINE.apply(g, Answer(decision.seat, decision.seq, random.choice(keys)))
            else:
                MACHINE.apply(g, chance.sample(phase, node))
        assert g.over


def test_until_stops_after_that_phase_and_nothing_is_open() -> None:
    g = position(world_of(Setup("first")), Position(phase="upkeep", until="upkeep"))
    MACHINE.start(g)
    assert stopped(g) and g.phase == "upkeep"


def test_a_position_that_is_wrong_says_all_that_is_wrong() -> None:
    with pytest.raises(SetupError, match=r"(?s)phase: unknown phase 'marker'.*U1.sector: unknown Sector 'Z'"):
        position(world_of(Setup("first")), Position(phase="marker", units=(UnitAt(sector="Z"),)))


def test_dice_lie_on_places_of_their_colour() -> None:
    faces, colours, locked = lay_dice("B:tool R:star*,skull W:courage")
    assert (faces, colours, locked) == ((1, 0, 4, -1, 5, -1), HOME, 0b1)
    assert lay_dice("R:star,star,skull")[1] == (0, 0, 0, 1, 2, 2)


def test_results_beside_the_dice() -> None:
    assert result("tool") == (5, 3)
    assert result("white star") == (1, 1)
    for wrong in ("wite star", "none star", "stars", ""):
        with pytest.raises(BeachheadError):
            result(wrong)


def test_an_inline_board_and_inline_cards() -> None:
    text = """
        about = "A drummer on a board of four Sectors."
        [given]
        edition = "{edition}"
        phase = "{phase}"
        {until}
        [given.board]
        rows = [{{ sectors = ["1"] }}, {{ sectors = ["2", "3"], courage = 1 }}, {{ sectors = ["B"], courage = 2 }}]
        edges = {{ forward = [["1", "2"], ["1", "3"], ["2", "B"], ["3", "B"]] }}
        [given.board.sectors]
        1 = {{ def = [2], start = {{ soldiers = 4 }} }}
        2 = {{ def = [3], requires = ["drummer"] }}
        3 = {{ def = [4], mgf = 1 }}
        B = {{ def = [8], bunker = true }}
        [[given.card]]
        id = "drummer"
        kind = "regular-specialist"
        cost = 1
        rule = "F-SPEC-05"
        abilities = [{{ kind = "triggered", on = "rwb", ops = [{{ do = "gain", courage = 2 }}] }}]
        [given.U1]
        courage = 1
        cards = ["drummer"]
        dice = "R:soldier2,skull W:soldier2,skull B:soldier2,skull"
        [then]
        {then}
    """
    moves = text.format(edition="second", phase="move", until="", then='legal = ["U1 move:2", "U1 move:3"]')
    assert not differences(moves)
    counts = text.format(edition="first", phase="upkeep", until='until = "upkeep"', then="U1.courage = 5")
    assert not differences(counts)


def test_switches_change_the_reading() -> None:
    text = """
        about = "A colourless Skull completes a Straight, or not."
        [given]
        edition = "first"
        phase = "upkeep"
        switches = {{ straight_needs_colour = {value} }}
        [given.U1]
        dice = "R:star,star W:soldier1,soldier2 B:courage,tool"
        added = ["skull"]
        [then]
        asks = ["U1 {asks}"]
    """
    assert not differences(text.format(value="false", asks="award"))
    assert not differences(text.format(value="true", asks="cancel"))


def test_a_nation_of_the_other_edition_only_is_passed_over() -> None:
    text = """
        about = "Canada."
        [given]
        editions = ["first", "second"]
        U1.nation = "{nation}"
        [then]
        asks = ["roll U1"]
        {then}
    """
    assert not differences(text.format(nation="canada", then=""))
    assert differences(text.format(nation="canada", then='U1.nation = "canada"')) == [
        "8: then.U1.nation: in the first edition: expected 'canada', got 'allies'"
    ]
    assert faults(text.format(nation="sparta", then=""))[0].startswith("5: given.U1.nation: unknown nation 'sparta'")


# ---- when


def test_steps_check_in_between_and_events_belong_to_their_step() -> None:
    text = """
        about = "Roll, Lock, stop."
        [given]
        editions = ["first", "second"]
        [[step]]
        when = ["roll U1: R:star,skull W:tool,tool B:courage,soldier2"]
        then.asks = ["U1 lock"]
        then.events = [{ type = "dice", unit = "U1", dice = "R:star,skull W:tool,tool B:courage,soldier2" }]
        [[step]]
        when = ["U1 lock:R1,W2"]
        [step.then]
        asks = ["U1 reroll"]
        events = [{ type = "locked", locked = "R1,W2", rule = ["F-ROLL-02", "S-ROLL-02"] }]
        never = [{ type = "dice" }]
    """
    assert not differences(text)


def test_all_kinds_of_rolls() -> None:
    assert not differences(
        """
        about = "Mine, sacrifice, stragglers, fire; a draw; the Lieutenant's dice."
        [given]
        edition = "first"
        phase = "acquire"
        [given.U1]
        sector = "8"
        courage = 9
        stars = 4
        soldiers = 30
        cards = ["scout"]
        [[step]]
        when = ["U1 award", "draw: silver-star"]
        then.asks = ["U1 acquire"]
        [[step]]
        when = ["U1 rally:lieutenant", "spare U1: R:star,star W:tool,tool B:courage,courage"]
        [step.then.U1]
        spare = "R:star,star W:tool,tool B:courage,courage"
        courage = 3
        [[step]]
        when = ["U1 move:10", "mine U1: 3", "U1 fall:none", "U1 lose:scout", "entry U1: 5", "mgf 10: 2"]
        [step.then]
        asks = ["U1 casualties"]
        U1.soldiers = 32
        """
    )


def test_a_roll_off_between_two_units() -> None:
    assert not differences(
        """
        about = "Both want the Captain; the dice decide."
        when = ["U1 rally:captain", "U2 claim", "tie: 5 2", "U1 done", "U2 done"]
        [given]
        edition = "first"
        phase = "acquire"
        until = "acquire"
        U1.stars = 4
        U2.stars = 4
        [then]
        events = [{ type = "roll-off", units = ["U2", "U1"], pips = [5, 2] }]
        U1.cards = []
        U2.cards = ["captain"]
        """
    )


SCRIPT = """
about = "A line that does not fit."
when = ["{line}"]
[given]
edition = "first"
phase = "{phase}"
U1.stars = 2
[then]
"""


@pytest.mark.parametrize(
    ("phase", "line", "message"),
    [
        ("acquire", "mgf B: 4", "'mgf B' is not rolled now: the game waits for 'U1 acquire' (done, rally:corporal"),
        ("acquire", "U1 rally:medic", "'rally:medic' is no legal answer to 'U1 acquire' (done, "),
        ("acquire", "U1 rally:medic", "; it costs 4 Stars and the Unit has 2 [F-SPEC-01]"),
        ("roll", "U1 stop", "U1 is not asked now: the game waits for the roll 'roll U1' (R1,R2,W1,W2,B1,B2)"),
        ("roll", "roll U1: R:star", "R1,R2,W1,W2,B1,B2 are rolled, but the line gives R:star"),
        ("roll", "mine U1: 3", "'mine U1' is not rolled now: the game waits for the roll 'roll U1'"),
    ],
)
def test_what_stands_in_the_way_of_the_next_line_is_told(phase: str, line: str, message: str) -> None:
    (found,) = differences(SCRIPT.format(line=line, phase=phase))
    assert found.startswith("3: when[0]: ") and message in found


def test_after_the_end_of_the_game_or_of_the_scenario_nothing_is_asked() -> None:
    text = """
        about = "Too late."
        when = ["U1 done"]
        [given]
        edition = "first"
        phase = "combat"
        {until}
        U1.soldiers = {soldiers}
        [then]
    """
    assert "the game is over (wiped-out)" in differences(text.format(until="", soldiers=2))[0]
    assert (
        "the scenario stops after the combat phase" in differences(text.format(until='until="combat"', soldiers=3))[0]
    )


# ---- what nobody expected

OPEN = """
about = "Something is open at the end."
[given]
edition = "first"
phase = "upkeep"
{until}
U1.dice = "R:star,{die} W:tool,tool B:courage,soldier2"
[then]
{then}
"""


def test_an_unexpected_question_fails_the_scenario() -> None:
    (found,) = differences(OPEN.format(die="skull", then="turn = 1", until=""))
    assert found.startswith("8: then.asks: the scenario ends, but the game waits for 'U1 cancel' (cancel:R1, cancel:W1")
    assert found.endswith("; go on, or expect it with asks = ['U1 cancel']")


def test_asks_or_a_claim_about_its_answers_expects_the_question() -> None:
    for then in ('asks = ["U1 cancel"]', 'legal = ["U1 cancel:R1"]', 'illegal = { "U1 cancel:R2" = "F-RESULT-03" }'):
        assert not differences(OPEN.format(die="skull", then=then, until=""))


def test_the_first_question_of_a_later_phase_needs_no_mention() -> None:
    assert not differences(OPEN.format(die="star", then="U1.stars = 2", until=""))


def test_a_roll_of_the_same_phase_is_unexpected() -> None:
    found = differences('about = "No dice."\n[given]\nedition = "first"\n[then]\nturn = 1')
    assert "the game waits for the roll 'roll U1'" in found[0]


def test_asks_names_exactly_what_is_open() -> None:
    (found,) = differences(OPEN.format(die="skull", then="asks = []", until=""))
    assert found.startswith("9: then.asks: expected [], but the game waits for 'U1 cancel'")


# ---- then


def test_every_difference_is_told_with_its_line() -> None:
    assert differences(
        """
        about = "Everything differs."
        [given]
        editions = ["first", "second"]
        phase = "acquire"
        deck = ["legion-of-merit", "memorial-cross", "silver-star"]
        U1 = { stars = 2, cards = ["scout"], dice = "R:star,star* W:tool,tool B:courage,courage" }
        [then]
        turn = 2
        over = "wiped-out"
        won = true
        asks = ["U1 move"]
        legal = ["U1 rally:medic"]
        pool.has = ["jeep"]
        pool.lacks = ["captain"]
        deck = ["silver-star"]
        events = [{ type = "phase", phase = "move" }]
        never = [{ type = "phase" }]
        why = [{ unit = "U1", question = "defence", value = 1, from = ["scout"] }]
        [then.U1]
        stars = 3
        marker = "must move"
        cards = ["medic"]
        added = ["tool"]
        dice = "R:star,star W:tool,tool B:courage,courage"
        [then.illegal]
        "U1 rally:veteran" = ["F-SPEC-02", "S-SPEC-02"]
        "U1 done" = []
        """,
        "first",
    ) == [
        "9: then.turn: in the first edition: expected 2, got 1",
        "10: then.over: in the first edition: expected 'wiped-out', got False",
        "11: then.won: in the first edition: expected True, got 'a game that goes on'",
        "12: then.asks: in the first edition: expected ['U1 move'], but the game waits for 'U1 acquire' "
        "(done, rally:corporal, rally:sharpshooter)",
        "13: then.legal[0]: in the first edition: not offered at 'U1 acquire' (done, rally:corporal, "
        "rally:sharpshooter); it costs 4 Stars and the Unit has 2 [F-SPEC-01]",
        '27: then.illegal."U1 rally:veteran": in the first edition: expected F-SPEC-02 among the reasons, '
        "got it costs 3 Stars and the Unit has 2 [F-SPEC-01]",
        "28: then.illegal.\"U1 done\": in the first edition: it is legal at 'U1 acquire' "
        "(done, rally:corporal, rally:sharpshooter)",
        *(f for f in differences_of_pool()),
        "16: then.deck: in the first edition: expected ['silver-star'], got ['legion-of-merit', 'memorial-cross', "
        "'silver-star']: ['legion-of-merit', 'memorial-cross'] too many",
        '17: then.events[0]: in the first edition: no such event; there were { type = "phase", phase = "acquire", '
        'rule = "F-TURN-01" }',
        '18: then.never[0]: in the first edition: it happened: { type = "phase", phase = "acquire", '
        'rule = "F-TURN-01" }',
        "19: then.why[0].value: in the first edition: expected 1, got 2",
        "19: then.why[0].from: in the first edition: expected ['scout'], got []",
        "21: then.U1.stars: in the first edition: expected 3, got 2",
        "22: then.U1.marker: in the first edition: expected 'must move', got '1 chevron'",
        "23: then.U1.cards: in the first edition: expected ['medic'], got ['scout']: ['medic'] missing, "
        "['scout'] too many",
        "24: then.U1.added: in the first edition: expected ['tool'], got []: ['tool'] missing",
        "25: then.U1.dice: in the first edition: expected 'R:star,star W:tool,tool B:courage,courage', "
        "got 'R:star,star* W:tool,tool B:courage,courage'",
    ]


def differences_of_pool() -> list[str]:
    pool = [card for card in position(world_of(Setup("first")), Position()).pool if card != "scout"]
    return [
        f"14: then.pool.has: in the first edition: 'jeep' is not among {pool}",
        f"15: then.pool.lacks: in the first edition: 'captain' is among {pool}",
    ]


def test_ids_of_the_other_edition_are_not_asked_for() -> None:
    text = """
        about = "Refused for want of Stars."
        [given]
        editions = ["first", "second"]
        phase = "acquire"
        U1.stars = 2
        [then]
        illegal = {{ "U1 rally:medic" = {ids} }}
    """
    assert not differences(text.format(ids='["F-SPEC-01", "S-SPEC-01"]'))
    assert not differences(text.format(ids='"F-SPEC-01"'))
    (found,) = differences(text.format(ids='["F-SPEC-02", "S-SPEC-01"]'))
    assert "in the first edition: expected F-SPEC-02 among the reasons" in found


def test_a_key_that_nothing_refuses_has_no_reason_at_all() -> None:
    (found,) = differences(OPEN.format(die="skull", then='illegal = { "U1 move:B" = "F-MOVE-02" }', until=""))
    assert found.endswith("expected F-MOVE-02 among the reasons, got no reason at all")


def test_events_match_in_order() -> None:
    phases = '{ type = "phase", phase = "upkeep" }, { type = "phase", phase = "acquire" }'
    assert not differences(OPEN.format(die="star", then=f"events = [{phases}]", until=""))
    swapped = '{ type = "phase", phase = "acquire" }, { type = "phase", phase = "upkeep" }'
    (found,) = differences(OPEN.format(die="star", then=f"events = [{swapped}]", until=""))
    assert found.startswith('9: then.events[1]: no such event after the one before it; there were { type = "phase"')


def test_why_names_cards_and_rules() -> None:
    assert not differences(
        """
        about = "Engineer and Specialists beside the Bunker."
        [given]
        editions = ["first", "second"]
        phase = "combat"
        beside = 2
        U1 = { sector = "B", cards = ["engineer"] }
        [then]
        asks = ["mgf B"]
        why = [{ unit = "U1", question = "defence", value = 5, from = ["engineer", "F-WIN-03", "S-WIN-03"] }]
        """
    )


# ---- what is wrong with a file


def test_all_faults_are_reported_at_once_with_their_lines() -> None:
    text = """
        rules = ["F-ROLL-02", "F-ROLL-99"]
        about = "Wrong in many ways."
        when = [
          "U1 rally:medik",
          "U2 done",
          "mgf Z: 4",
          "U1 lock:W2,R1",
          "mine U1: 7",
          "dance",
          "U1 dance:7",
          "draw: golden-star",
          "roll U1: R:sun",
        ]
        [given]
        editions = ["first", "second"]
        pool = ["grenade", "grenade"]
        [given.U1]
        sector = "77"
        marker = "4 chevrons"
        cards = ["corproal"]
        hand = ["binoculars"]
        soldiers = -1
        dice = "R:star"
        [then]
        phase = "sleep"
        asks = ["U1 dream"]
        legal = ["U9 done"]
        illegal = { "U1 move:Z" = "F-NO-1" }
        events = [{ type = "dream" }, { unit = "U1" }, { type = "card", card = "jep", rule = "X-1" }]
        why = [{ unit = "U3", question = "defence", value = 1, sector = "Z", from = ["sun"] }]
        used = ["no-card"]
        [then.U1]
        sector = "Z"
        cards.has = ["corproal"]
        dice = "Q:star"
        added = ["gold star"]
        [then.U2]
        """
    places = [line.split(": ")[:2] for line in faults(text)]
    assert [f"{n} {where}" for n, where in places] == [
        "2 rules[1]",
        "5 when[0]",
        "6 when[1]",
        "7 when[2]",
        "8 when[3]",
        "9 when[4]",
        "10 when[5]",
        "11 when[6]",
        "12 when[7]",
        "13 when[8]",
        "17 given.pool[1]",
        "19 given.U1.sector",
        "20 given.U1.marker",
        "21 given.U1.cards[0]",
        "22 given.U1.hand[0]",
        "23 given.U1.soldiers",
        "24 given.U1.dice",
        "26 then.phase",
        "27 then.asks[0]",
        "28 then.legal[0]",
        '29 then.illegal."U1 move:Z"',
        '29 then.illegal."U1 move:Z"',
        "30 then.events[0].type",
        "30 then.events[1]",
        "30 then.events[2].card",
        "30 then.events[2].rule",
        "31 then.why[0].unit",
        "31 then.why[0].sector",
        "31 then.why[0].from[0]",
        "32 then.used[0]",
        "34 then.U1.sector",
        "35 then.U1.cards.has[0]",
        "36 then.U1.dice",
        "37 then.U1.added[0]",
        "38 then.U2",
    ]


def test_a_wrong_key_of_a_unit_hides_neither_its_card_nor_its_sector() -> None:
    found = faults(
        """
        [given]
        edition = "first"
        [given.U1]
        sector = "77"
        cards = ["corporel"]
        soldierz = 3
        [then]
        U1.sector = "88"
        """
    )
    assert [line.split(": ")[:2] for line in found] == [
        ["5", "given.U1.sector"],
        ["6", "given.U1.cards[0]"],
        ["7", "given.U1.soldierz"],
        ["9", "then.U1.sector"],
    ]


def test_a_fault_of_form_hides_no_other_fault() -> None:
    found = faults(
        """
        rules = ["F-ROLL-99"]
        about = "Some keys are wrong, some names."
        color = "red"
        [given]
        edition = "first"
        U1.cards = ["corproal"]
        [[step]]
        when = ["U1 dance"]
        wen = []
        [step.then]
        turns = 3
        [[step]]
        when = 3
        then.phase = "sleep"
        """
    )
    assert [line.split(": ")[:2] for line in found] == [
        ["2", "rules[0]"],
        ["4", "color"],
        ["7", "given.U1.cards[0]"],
        ["9", "step[0].when[0]"],
        ["10", "step[0].wen"],
        ["12", "step[0].then.turns"],
        ["14", "step[1].when"],
        ["15", "step[1].then.phase"],
    ]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("", "3: given: expected edition"),
        ('edition = "third"', '4: given.edition: expected one of "first", "second", got text "third"'),
        ('edition = "first"\nmap = "omaha"', "5: given.map: unknown map 'omaha'; "),
        ('edition = "first"\nmodules = ["gold"]', "5: given.modules[0]: unknown module 'gold'; "),
        ('edition = "first"\nphase = "marker"', "5: given.phase: unknown phase 'marker' in the first edition"),
        ('edition = "first"\nphase = "move"\nuntil = "roll"', "6: given.until: expected the phase that is given"),
        ('edition = "first"\nU3.stars = 1', "5: given.U3: expected Units without a gap: U1, U2"),
        ('edition = "first"\nU1.dice = "R:star"', "5: given.U1.dice: no dice lie on the table"),
        ('edition = "first"\nU1.status = "lost"', "5: given.U1.status: expected on the map or safe, got 'lost'"),
        ('edition = "first"\nU1.soldiers = 0', "5: given.U1.soldiers: a Unit without Soldiers and Specialists"),
        ('edition = "first"\nU1.visited = ["1", "2"]', "5: given.U1.visited: the last one is not the Sector"),
        ('edition = "first"\nswitches.special_fund = "pool"', "5: given.switches.special_fund: unknown switch"),
        ('edition = "first"\nswitches.special_find = "shop"', "5: given.switches.special_find: switch special_find"),
        ('edition = "first"\nswitches.special_find = true', "5: given.switches.special_find: expected text such as"),
        ('edition = "first"\nU1.cards = ["captain"]\nU2.cards = ["captain"]', "6: given.U2.cards[0]: the Captain is"),
        (
            'edition = "second"\nU1.nation = "uk"\nU2.nation = "uk"',
            "3: given: each player picks a different country (S-SETUP-01)",
        ),
        (
            'edition = "first"\ncard = [{ id = "x", kind = "award", rule = "F-X" }]',
            "5: given.card[0].rule: 'F-X' is not in the rule register",
        ),
    ],
)
def test_faults_of_the_given_table(given: str, expected: str) -> None:
    (found,) = faults(f'about = ""\n\n[given]\n{given}\n[then]\n')
    assert found.startswith(expected)


def test_faults_of_an_inline_board_have_their_line() -> None:
    found = faults(
        """
        about = ""
        [given]
        edition = "first"
        [given.board]
        rows = [{ sectors = ["1"] }, { sectors = ["B"] }]
        edges = { forward = [["1", "B"]] }
        [given.board.sectors]
        1 = { def = [2], start = {} }
        B = { def = [2], bunker = true, requires = ["corproal"] }
        [then]
        """
    )
    assert found == ["10: given.board.sectors.B.requires[0]: unknown card 'corproal' in the first edition"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('about = ""\n[given]\nedition = "first"\n', "1: then: missing; a scenario says what holds"),
        ('about = ""\n[given]\nedition = "first"\n[[step]]\n[then]\n', "4: step: expected either when and then"),
        ('about = "', "1: : not valid TOML: "),
    ],
)
def test_faults_of_the_whole_file(text: str, expected: str) -> None:
    assert faults(text)[0].startswith(expected)


# ---- the words


def test_the_words_know_everything_that_the_game_asks_rolls_and_tells() -> None:
    for edition, seats in (("first", 1), ("first", 3), ("second", 2)):
        world = world_of(Setup(edition, seats=seats))
        for seed in range(25):
            random = Random(seed)
            g, events = new(world)
            for _ in range(400):
                for event in events:
                    assert not list(script.event_faults(world, script.event_words(event))), event
                node = MACHINE.node(g)
                if isinstance(node, Over):
                    break
                if isinstance(node, Ask):
                    for seat in node.seats:
                        for key in (*node.decision(seat).keys, *MACHINE.refusals(g, seat)):
                            assert not list(script.key_faults(world, key)), key
                    decision = node.decision(random.choice(node.seats))
                    events = MACHINE.apply(g, Answer(decision.seat, decision.seq, random.choice(decision.keys)))
                else:
                    name = script.roll_words(node)
                    assert name.partition(" ")[0] in script.STREAMS
                    events = MACHINE.apply(g, chance.sample(str(seed), node))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("U2 lock:R1,W2", script.Reply(1, "lock:R1,W2")),
        ("mgf 10: 4 2", script.Rolled("mgf 10", (4, 2))),
        ("tie: 3 5", script.Rolled("tie", (3, 5))),
        ("draw: silver-star", script.Rolled("draw", ("silver-star",))),
        ("roll U1: B:tool R:skull", script.Rolled("roll U1", (0, 5), (0, 2))),
    ],
)
def test_lines_are_read(text: str, line: script.Line) -> None:
    assert script.parse(text) == line


@pytest.mark.parametrize("text", ["", "U1", "U7 done", "roll: R:star", "mgf: 4", "tie U1: 3 5", "roll U1: R:star*"])
def test_lines_that_are_not_understood(text: str) -> None:
    with pytest.raises(BeachheadError):
        script.parse(text)


# ---- the command

GOOD = 'about = ""\n[given]\nedition = "first"\n[then]\nasks = ["roll U1"]\n'
app = typer.Typer()
app.callback()(lambda: None)
register(app)


def beachhead(*arguments: str | Path) -> tuple[int, list[str]]:
    done = CliRunner().invoke(app, ["scenario", *map(str, arguments)])
    if isinstance(done.exception, BeachheadError):
        return 2, [str(done.exception)]
    return done.exit_code, done.output.splitlines()


def test_the_command_runs_files_and_folders(tmp_path: Path) -> None:
    deep = tmp_path / "deep" / "er"
    deep.mkdir(parents=True)
    (deep / "a.toml").write_text(GOOD)
    (tmp_path / "b.toml").write_text(GOOD)
    assert beachhead(tmp_path) == (0, ["2 scenarios, 0 failed"])
    assert beachhead(tmp_path / "b.toml") == (0, ["1 scenario, 0 failed"])
    assert beachhead("--quiet", tmp_path) == (0, [])
    assert beachhead("--edition", "second", tmp_path) == (0, ["0 scenarios, 0 failed"])


def test_a_difference_is_exit_code_1_and_a_wrong_file_2(tmp_path: Path) -> None:
    differs, wrong = tmp_path / "differs.toml", tmp_path / "wrong.toml"
    differs.write_text(GOOD + "turn = 2\n")
    assert beachhead(differs) == (1, [f"{differs}:6: then.turn: expected 2, got 1", "1 scenario, 1 failed"])
    wrong.write_text(GOOD + "turnip = 2\n")
    code, (fault, differs_said, summary) = beachhead(wrong, differs)
    assert code == 2 and fault.startswith(f"{wrong}:6: then.turnip: unknown key; known keys: ")
    assert differs_said.startswith(f"{differs}:6: ") and summary == "1 scenario, 1 failed, 1 file wrong"


def test_mistakes_at_the_command_line(tmp_path: Path) -> None:
    assert beachhead(tmp_path / "none.toml") == (2, [f"{tmp_path / 'none.toml'}: no such file or folder"])
    assert beachhead(tmp_path) == (2, [f"{tmp_path}: no scenario (*.toml) in this folder"])
    assert beachhead("--edition", "third", tmp_path) == (2, ["--edition third: expected first or second"])


def test_the_example_of_the_page_holds() -> None:
    page = (Path(__file__).parents[2] / "docs" / "scenarios.md").read_text(encoding="utf-8")
    example = next(block for block in page.split("```toml\n")[1:] if block.startswith("rules"))
    assert not differences(example.partition("```")[0])
