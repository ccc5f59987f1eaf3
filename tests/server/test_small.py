"""The screens of Battle! and Express!: every answer is on them, and pairs are drawn as the rules match dice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from beachhead.core.errors import Invalid
from beachhead.core.game import Setup
from beachhead.core.node import Answer, Ask, Over
from beachhead.games import GAMES
from beachhead.landing import words
from beachhead.landing.dice import FACES
from beachhead.pocket import battle, express
from beachhead.pocket.battle import Battle
from beachhead.pocket.dice import counts, enough
from beachhead.pocket.express import Express
from beachhead.pocket.position import BattleAt, ExpressAt, battle_at, express_at
from beachhead.pocket.world import world_of
from beachhead.rules import register
from beachhead.say import say, speaking
from beachhead.server import listed, seen, text
from beachhead.server import messages as m
from beachhead.table.hub import Summary
from beachhead.table.match import Match
from tests.server.pages import Browser, Page
from tests.server.running import Client, Running
from tests.server.running import play as play_all
from tests.server.test_screen import answers
from tests.server.test_text import answer, moves_of

NAMES = ("Ann", "Bob", "Cleo", "Dan")
SETUPS: list[tuple[str, Setup]] = [
    ("express", {}),
    ("express", {"beach": "gold", "seats": 2}),
    ("express", {"beach": "omaha", "options": ["advanced", "kommandant"]}),
    ("express", {"beach": "juno", "seats": 4, "switches": {"specialists": "holder"}}),
    ("express", {"options": ["neptune"]}),
    ("battle", {}),
    ("battle", {"seats": 1}),
    ("battle", {"seats": 3, "options": ["kommandant"]}),
]


PHRASES = {"hello": "Hello!", "trade": "Shall we trade?"}


def see(match: Match, *seats: int) -> m.Screen:
    with words.calling(NAMES):
        return seen.screen(match, seats)


def play(game: str, setup: Setup, seed: int, most: int = 400) -> Iterator[Match]:
    match, random = Match.new(GAMES[game], GAMES[game].setup(setup), seed=f"{seed:064x}"), Random(seed)
    yield match
    for _ in range(most):
        node = match.node()
        if not isinstance(node, Ask):
            return
        decision = node.decision(random.choice(node.seats))
        match.answer(Answer(decision.seat, decision.seq, random.choice(decision.keys)))
        yield match


def check(match: Match) -> None:
    """What holds at every moment of every game."""
    g: Any = match.state
    node = match.node()
    seats = range(len(g.lanes))
    screen = see(match, *seats)
    assert screen.waiting == (list(node.seats) if isinstance(node, Ask) else [])
    assert [ask.seat for ask in screen.asks] == screen.waiting
    assert (screen.over is not None) == isinstance(node, Over)
    assert [unit.name for unit in screen.units] == list(NAMES[: len(g.lanes)])
    assert screen.phase in [phase.id for phase in screen.phases] or not g.turn
    for ask in screen.asks:
        decision = match.decision(ask.seat)
        assert decision is not None
        turned = [one for pick in ask.picks for way in pick.ways for one in way.options]
        assert sorted([*answers(ask), *(one.key for one in turned)]) == sorted(decision.keys)
        assert ask.prompt and ask.rule in register()
        assert all(option.label for option in ask.options)
        assert all(one.label and one.shows for one in turned)
        assert all(
            no.label and all(reason.text and reason.rule in register() for reason in no.reasons) for no in ask.nots
        )
    check_duel(g, screen)
    assert msgspec.json.decode(m.encode(screen), type=m.Screen) == screen


def check_duel(g: Battle | Express, screen: m.Screen) -> None:
    """A player whose pairs are complete matches all Axis dice by the rules of the game, and no die matches twice."""
    duel = screen.duel
    assert duel is not None
    assert [die.face for die in duel.axis if die.colour == "gray"] == [FACES[face] for face in g.axis]
    assert sum(die.colour == "black" for die in duel.axis) == (g.black >= 0)
    for unit in screen.units:
        used = [place for pair in unit.tray.pairs for place in pair.dice if place != "+"]
        assert len(used) == len(set(used))
        dice = {die.place: die for die in unit.tray.dice}
        for pair in unit.tray.pairs:
            assert all(dice[place].face == duel.axis[pair.axis].face for place in pair.dice if place != "+")
            assert all(dice[place].pair == pair.axis + 1 for place in pair.dice if place != "+")
        if not any(die.face for die in unit.tray.dice) or not duel.axis:
            continue
        found = {pair.axis: len(pair.dice) for pair in unit.tray.pairs}
        whole = all(found.get(n, 0) >= die.needs for n, die in enumerate(duel.axis))
        if isinstance(g, Express):
            assert whole == enough(express.results(g, unit.seat), express.needed(g))
        else:
            assert whole == enough(counts(g.faces), counts((*g.axis, g.black)))


@pytest.mark.parametrize(("game", "setup"), SETUPS, ids=str)
def test_every_answer_is_on_the_screen_once_and_nothing_else(game: str, setup: Setup) -> None:
    for match in play(game, setup, 5):
        check(match)
    with speaking("fr"):
        for match in play(game, setup, 6):
            check(match)


@pytest.mark.parametrize(("game", "setup"), SETUPS, ids=str)
def test_the_log_has_turns_and_what_there_is_to_animate(game: str, setup: Setup) -> None:
    match = list(play(game, setup, 7))[-1]
    g: Any = match.state
    log = seen.lines(match.events, match)
    assert log[-1].turn == g.turn
    assert [line.turn for line in log] == sorted(line.turn for line in log)
    lying: dict[int, list[str]] = {}
    for line in log:
        if "clear" in line.fx:
            lying.clear()
        if "dice" in line.fx:
            dice = line.fx["dice"]
            fresh = line.seat not in lying
            assert not fresh or len(dice["rolled"]) >= 4  # dice that were picked up are rolled together
            lying[line.seat] = dice["faces"]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(("game", "setup"), SETUPS[1::2], ids=str)
def test_the_page_without_scripts_offers_the_same_answers(game: str, setup: Setup, lang: str) -> None:
    with speaking(lang):
        for n, match in enumerate(play(game, setup, 8)):
            seats = tuple(range(len(match.state.lanes)))
            screen = see(match, *seats)
            if n % 5 and screen.over is None:
                continue
            now = m.TableNow("id", "", [m.SeatNow(seat, "person", "") for seat in seats], True, list(seats))
            page = Page(text.table(m.Welcome(0, now, screen, seen.lines(match.events, match, seats)), [], PHRASES))
            said = " ".join(page.text.split())
            offered = {one.value for form in page.forms for one in form.buttons if one.name == "phrase"}
            assert offered == {"hello"}  # there is nothing to trade
            assert say("textview.stands") not in said
            assert say("textview.name-of", who=say("textview.player-n", n=1)) in said
            assert screen.duel is not None
            for part in (screen.duel.title, screen.duel.text, *(die.words for die in screen.duel.axis)):
                assert " ".join(part.split()).removesuffix(".") in said
            assert screen.duel.track in said
            for unit in screen.units:
                assert " ".join(unit.tray.worth.split()).removesuffix(".") in said
                assert all(card.name in said for card in unit.cards)
            for ask in screen.asks:
                offered = {one.value for form in page.forms for one in form.buttons if one.name == "key"}
                assert {option.key for option in ask.options} <= offered


def laid(g: Any, game: str, setup: Setup) -> Match:
    """A match that stands here; it makes the rolls that are due."""
    machine = GAMES[game].machine
    events = machine.start(g)
    return Match.new(GAMES[game]._replace(new=lambda _: (machine.clone(g), list(events))), setup, seed="1" * 64)


def test_stakes_and_terrain_are_shown() -> None:
    setup: Setup = {"seats": 2}
    match = laid(
        battle_at(world_of("battle", setup), BattleAt(active=1, skirmish=2, pot=6, scores=(12, 9))), "battle", setup
    )
    g: Any = match.state
    screen = see(match, 0, 1)
    duel = screen.duel
    assert duel is not None
    assert duel.title == "Skirmish 2"
    assert len(duel.axis) == 3
    assert {fact.id: fact.value for fact in duel.facts} == {"worth": battle.worth(g), "stake": 6}
    assert duel.here == battle.FIELDS[g.field_]
    assert [unit.counters[0].value for unit in screen.units] == [12, 9]
    assert duel.seat == g.active


def test_the_sector_and_its_rule_are_shown() -> None:
    setup: Setup = {"beach": "juno"}
    at = ExpressAt(sector=4, squad=("general",))
    match = laid(express_at(world_of("express", setup), at), "express", setup)
    screen = see(match, 0)
    duel = screen.duel
    assert duel is not None
    assert (duel.title, duel.here, duel.rule) == ("4 Gantlet", "gantlet", "E-GANTLET-04")
    assert [sector.visited for sector in screen.sectors] == [True, True, True, False, False, False]
    assert [card.name for card in screen.units[0].cards] == ["General"]
    assert len(screen.pool) == 6


def test_as_long_as_one_soldier_rolls_all_are_at_their_dice() -> None:
    match = next(match for match in play("express", {"seats": 2}, 3) if match.decision(1))
    match.answer(Answer(1, match.decision(1).seq, "stop"))  # type: ignore[union-attr]
    assert see(match, 0).phase == "roll"
    match.answer(Answer(0, match.decision(0).seq, "stop"))  # type: ignore[union-attr]
    assert see(match, 0).phase != "roll" or see(match, 0).turn > 1


@pytest.mark.parametrize(("at", "said"), [(3, " May be rallied: the General."), (4, "")])
def test_nobody_is_promised_where_none_may_be_rallied(at: int, said: str) -> None:
    """The Gantlet of Utah Beach."""
    setup = GAMES["express"].setup({})
    g = express_at(world_of("express", setup), ExpressAt(at))
    express.MACHINE.start(g)
    for outcome in ((1,) * at, (1, 1, 1, 2, 1, 2)):
        express.MACHINE.apply(g, outcome)
    screen = see(laid(g, "express", setup), 0)
    assert screen.units[0].tray.worth == f"All Axis dice are matched.{said}"


def test_the_beach_of_the_operation_is_counted() -> None:
    setup = GAMES["express"].setup({"options": ["neptune"]})
    g = express_at(world_of("express", setup), ExpressAt(1, beaches=2))
    match = laid(g, "express", setup)
    duel = see(match, 0).duel
    assert duel is not None and duel.name == "Juno Beach, beach 3 of 6"
    while not isinstance(match.node(), Over):
        decision = match.decision(0)
        assert decision is not None
        match.answer(Answer(0, decision.seq, "stop" if "stop" in decision.keys else decision.keys[-1]))
    over = see(match, 0).over
    assert over is not None and over.text.endswith(" Beaches conquered: 2 of 6.")


def test_the_bunker_of_a_beach_that_is_won_is_cleared() -> None:
    setup = GAMES["express"].setup({})
    g = express_at(world_of("express", setup), ExpressAt(6))
    express.MACHINE.start(g)
    for outcome in ((1,) * 6, (1,) * 6):
        express.MACHINE.apply(g, outcome)
    match = laid(g, "express", setup)
    assert not see(match, 0).sectors[5].visited
    for key in ("stop", "none"):
        match.answer(Answer(0, match.decision(0).seq, key))  # type: ignore[union-attr]
    assert all(sector.visited for sector in see(match, 0).sectors)


def test_who_cleared_the_bunker_in_the_place_of_dice_is_told() -> None:
    setup = GAMES["express"].setup({})
    g = express_at(world_of("express", setup), ExpressAt(6, ("hero",)))
    express.MACHINE.start(g)
    for outcome in ((1,) * 6, (0, 0, 2, 2, 4, 4)):
        express.MACHINE.apply(g, outcome)
    match = laid(g, "express", setup)
    for key in ("stop", "use:hero:U1"):
        match.answer(Answer(0, match.decision(0).seq, key))  # type: ignore[union-attr]
    over = see(match, 0).over
    assert (
        over is not None
        and over.won
        and over.text.startswith("Ann clears the sector whatever the dice show (Hero). The Bunker is cleared")
    )


def test_the_last_skirmish_lies_there_when_it_is_over() -> None:
    """Ann had the first turn, so Bob has the last one."""
    setup = GAMES["battle"].setup({})
    g = battle_at(world_of("battle", setup), BattleAt(1, pot=6, scores=(12, 27)))
    battle.MACHINE.start(g)
    for outcome in ((0,), (1, 2), (1, 2, 4, 4, 5, 5)):
        battle.MACHINE.apply(g, outcome)
    match = laid(g, "battle", setup)
    for key in ("stop", "retreat"):
        match.answer(Answer(1, match.decision(1).seq, key))  # type: ignore[union-attr]
    screen = see(match, 0)
    assert screen.over is not None and screen.duel is not None and screen.duel.seat == 1
    assert [[die.face for die in unit.tray.dice][:2] for unit in screen.units] == [["", ""], ["star", "soldier1"]]
    assert [pair.axis for pair in screen.units[1].tray.pairs] == [0, 1]


def test_no_hasty_finger_meets_the_wrong_answer_first() -> None:
    """To rally comes before nobody, and a sacrifice that may save the sector before none; the die to leave out in the
    bunker is proposed.
    """
    setup = GAMES["express"].setup({})
    g = express_at(world_of("express", setup), ExpressAt(2, ("medic",)))
    express.MACHINE.start(g)
    for outcome in ((1, 1), (2, 0, 2, 0, 2, 4)):  # two Stars are wanted; an RWB of single Soldiers lies there
        express.MACHINE.apply(g, outcome)
    match = laid(g, "express", setup)
    match.answer(Answer(0, match.decision(0).seq, "stop"))  # type: ignore[union-attr]
    assert [option.key for option in see(match, 0).asks[0].options] == ["use:medic", "pass"]
    match.answer(Answer(0, match.decision(0).seq, "pass"))  # type: ignore[union-attr]
    assert [option.key for option in see(match, 0).asks[0].options] == [f"rally:{g.world.by_symbol[FACES[2]]}", "none"]
    setup = GAMES["battle"].setup({})
    g = battle_at(world_of("battle", setup), BattleAt(0))
    battle.MACHINE.start(g)
    for outcome in ((5,), (1, 1)):  # the bunker
        battle.MACHINE.apply(g, outcome)
    (ask,) = see(laid(g, "battle", setup), 0).asks
    assert ask.name == "leave" and ask.preset == ["B2"]


def test_what_is_kept_is_weighed() -> None:
    match = next(match for match in play("express", {}, 3) if match.decision(0))
    decision = match.decision(0)
    assert decision is not None and decision.name == "reroll"
    g: Any = match.state
    all_dice = ["R1", "R2", "W1", "W2", "B1", "B2"]
    none = seen.why(match, m.Why("x", 0, "tally", dice=all_dice))
    assert none.value == 0
    assert none.lines[0].text == f"Missing: {words.FACE_WORDS[FACES[g.axis[0]]]}."
    every = seen.why(match, m.Why("x", 0, "tally", dice=[]))
    assert every.value == 6
    for wrong in (m.Why("x", 0, "defence"), m.Why("x", 1, "tally"), m.Why("x", 0, "tally", dice=["R9"])):
        with pytest.raises(Invalid):
            seen.why(match, wrong)


# ---------------------------------------------------------------------------------------------------- the server


@pytest.mark.parametrize("game", ["express", "battle"])
def test_dice_of_ones_own_are_asked_for_and_entered(game: str) -> None:
    match = Match.new(GAMES[game], GAMES[game].setup({"seats": 2}), own_dice=True)
    asked, random = set(), Random(3)
    for _ in range(60):
        screen = seen.screen(match, (0, 1), enters=(0, 1))
        if screen.enter is None:
            break
        asked.add(screen.enter.roll.partition(":")[0])
        assert screen.enter.prompt and screen.enter.rule in register()
        assert all(face.words for face in screen.enter.faces)
        assert screen.enter.dice[0].colour == (
            "gray" if screen.enter.roll.startswith("axis") else screen.enter.dice[0].colour
        )
        roll = match.waits_for
        assert roll is not None
        faces = tuple(random.randrange(6) + roll.low for _ in screen.enter.dice)
        match.enter(0 if match.roller < 0 else match.roller, screen.enter.roll, faces)
    assert asked >= ({"axis", "dice"} if game == "express" else {"start", "field", "axis", "dice"})
    assert screen.asks


def test_dice_of_ones_own_have_the_colours_that_lie_on_the_table() -> None:
    match = Match.new(GAMES["battle"], GAMES["battle"].setup({"seats": 2, "options": ["kommandant"]}), own_dice=True)

    def enter(*faces: int) -> list[str]:
        enter = seen.screen(match, (0, 1), enters=(0, 1)).enter
        assert enter is not None
        assert enter.roll.startswith("start") == (see(match, 0).turn_name == "Before the first turn")
        match.enter(0 if match.roller < 0 else match.roller, enter.roll, faces)
        return [f"{die.place} {die.colour}".strip() for die in enter.dice]

    assert enter(*[1] * 6) == ["R1 red", "R2 red", "W1 white", "W2 white", "B1 blue", "B2 blue"]
    enter(*[0] * 6)
    match.answer(Answer(0, match.decision(0).seq, "deploy"))  # type: ignore[union-attr]
    enter(0)
    assert enter(1, 2) == ["gray", "K black"]


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    with Running(tmp_path / "tables.sqlite") as server:
        yield server


def play_out(running: Running, made: dict[str, Any]) -> None:
    with Client(running.port, made["table"], made["token"]) as client:
        play_all(client, lambda seat, seq, keys: next((key for key in ("retreat", "stop") if key in keys), keys[-1]))


def line_of(running: Running, made: dict[str, Any]) -> dict[str, Any]:
    found = running.get("/api/tables", **{"x-tokens": f"{made['table']}={made['token']}"}).json
    return next(one for one in found["tables"] if one["table"] == made["table"])


def test_a_beach_from_its_table_to_its_record(running: Running) -> None:
    made = running.create(game="express", setup={"beach": "omaha", "options": ["kommandant"]})
    line = line_of(running, made)
    assert (line["game"], line["title"], line["edition_name"], line["map"]) == (
        *("express", "Omaha Beach", "Express!", "omaha"),
    )
    assert line["level_name"] == "The Kommandant's black die"
    assert line["board"] == ""
    play_out(running, made)
    line = line_of(running, made)
    assert line["over"] and line["won"] in (True, False) and not line["ranked"]
    record = running.record(made["table"], made["token"])
    assert running.post("/api/verify", {"record": "\n".join(record) + "\n"}).json["ok"] is True
    shown = running.get(f"/api/tables/{made['table']}/replay?at=0", authorization=f"Bearer {made['token']}").json
    assert shown["screen"]["duel"]["title"] == "1 Landing Zone"
    again = running.post("/api/tables", {"record": "\n".join(record) + "\n"})
    assert again.status == 201


def test_who_won_is_known_of_the_only_person(running: Running) -> None:
    made = running.create(("person", "person"), game="battle")
    play_out(running, made)
    line = line_of(running, made)
    assert line["ranked"] and line["won"] is None
    assert f"({line['scores'][0]}, {line['scores'][1]})" in line["cause"]
    alone = Summary("", "", "battle", {}, ["Ann", ""], 0, 0, 9, True, True, False, False, people=(1,), scores=(20, 31))
    assert listed.won_by_us(alone) is True
    assert listed.won_by_us(alone._replace(scores=(31, 30))) is False
    assert listed.cause_of(alone._replace(scores=(31, 30))) == "Ann wins (31, 30)"
    assert listed.won_by_us(alone._replace(names=["Ann"], people=(0,), scores=(31,))) is True


def test_wrong_games_and_setups_are_refused_with_one_clear_message(running: Running) -> None:
    for body, said in (
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"game": "express", "setup": {"beach": "dieppe"}}, "unknown beach 'dieppe'"),
        ({"game": "express", "setup": {"seats": 5}}, "expected 1 to 4"),
        ({"game": "battle", "setup": {"map": "n01-exercise-tiger"}}, "'map'"),
        ({"game": "battle", "setup": {"options": ["neptune"]}}, "'neptune'"),
    ):
        found = running.post("/api/tables", body)
        assert found.status == 400
        assert said in found.json["error"]


def test_the_pages_without_scripts_start_a_small_game(running: Running) -> None:
    browser, chance = Browser(running.port), Random(2)
    form = next(form for form in browser.get("/text").forms if ("game", "express") in form.hidden())
    page = browser.submit(form, ("beach", "gold"), ("seat1", "person"))
    assert "Gold Beach" in page.text
    for _ in range(100):
        if not moves_of(page):
            break
        page = answer(browser, page, chance)
    assert "Gold Beach: " in page.text


def test_the_pages_without_scripts_take_dice_of_ones_own(running: Running) -> None:
    browser = Browser(running.port)
    form = next(form for form in browser.get("/text").forms if ("game", "express") in form.hidden())
    page = browser.submit(form, ("beach", "utah"), ("seat1", "person"), ("own", "1"))
    for faces in ((1,), (1, 1, 1, 2, 2, 2)):
        form = next(form for form in page.forms if form.action.endswith("/roll"))
        page = browser.submit(form, *(("face", str(face)) for face in faces))
    assert "Axis die 1 Star: matched by Player 1" in page.text
    assert moves_of(page)
