"""Somebody at the table in the browser, who sees only what the page says: its roles, its names, its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from beachhead.bots import BOTS
from beachhead.core import chance
from beachhead.core.node import Answer, Over
from beachhead.games import GAMES
from beachhead.say import say, speaking
from beachhead.server.messages import AskNow, Option, Pick, Screen, Turned, Way
from beachhead.server.seen import screen
from beachhead.table.match import Match

from .. import luck
from ..server.running import Client, Running, play

PATIENCE = 90_000
"""Milliseconds until a test gives up waiting; also a slow machine under load needs a small part of them."""
CALM: dict[str, Any] = {"reduced_motion": "reduce"}
"""Nothing tumbles: what is on the page is what the server said."""

IN_TRAY = ("R1", "W1", "B1", "R2", "W2", "B2")
"""The places of the dice in the order of the page."""

PRACTICE_RUN = {"edition": "first", "map": "n01-exercise-tiger", "seats": 1, "level": "practice-run"}

SHOWN = """() => {
  const main = document.querySelector("main");
  const named = [...main.querySelectorAll("[aria-label]")].map((one) => one.getAttribute("aria-label"));
  const said = [...document.querySelectorAll("[aria-live]")].map((one) => one.textContent);
  return [main.innerText, ...named, ...said].join("|");
}"""

CHANGED = f"""(before) => {{
  const words = [...document.querySelectorAll("header button")].map((one) => one.textContent.trim());
  return words.includes(before.lamp) && ({SHOWN})() !== before.shown;
}}"""

READ = """(buttons) => buttons.map((one) => ({
  words: (one.getAttribute("aria-label") ?? (one.dataset.place ? one.querySelector("span").textContent : one.innerText))
    .trim().replace(/\\s+/g, " "),
  off: one.getAttribute("aria-disabled") === "true",
  pressed: one.getAttribute("aria-pressed") === "true",
  group: one.closest("[role=group]")?.getAttribute("aria-label") ?? "",
}))"""


class Button(NamedTuple):
    at: int
    words: str
    off: bool
    pressed: bool
    group: str


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    """The whole server with the built client. A test file that wants it says `server = player.server`."""
    with Running(tmp_path / "tables.sqlite") as running:
        yield running


class Player:
    def __init__(self, page: Page, lang: str = "en", touch: bool = False, watches: bool = False) -> None:
        self.page = page
        self.lang = lang
        self.touch = touch
        self.name = self.say("watch.turn" if watches else "your-turn")
        self.tray_name = self.say("watch.tray" if watches else "tray.name")
        self.lamp_name = self.say("lamp.in-step")
        self.not_answers = tuple(self.say(key, **args).partition("\0")[0] for key, args in NOT_ANSWERS)

    def say(self, key: str, **args: Any) -> str:
        with speaking(self.lang):
            return str(say(f"ui.{key}", **args))

    # ---- what is seen

    @property
    def turn(self) -> Locator:
        """The part of the page where one is asked and answers."""
        return self.page.get_by_role("region", name=self.name, exact=True)

    @property
    def tray(self) -> Locator:
        return self.turn.get_by_role("group", name=self.tray_name, exact=True)

    @property
    def dice(self) -> Locator:
        return self.tray.get_by_role("button")

    @property
    def lamp(self) -> Locator:
        return self.page.get_by_role("button", name=self.lamp_name, exact=True)

    @property
    def result(self) -> Locator:
        """The way to the replay: it is there when the game is over."""
        return self.page.get_by_role("link", name=self.say("result.watch"))

    @property
    def over(self) -> bool:
        return self.result.is_visible()

    def buttons(self) -> list[Button]:
        found = self.turn.get_by_role("button").evaluate_all(READ)
        return [Button(at, **one) for at, one in enumerate(found)]

    def answers(self) -> list[Button]:
        """What can be answered without touching a die or counting up."""
        return [
            one
            for one in self.buttons()
            if not one.off and not one.group and not one.words.startswith(self.not_answers)
        ]

    def wait(self) -> None:
        """Until there is something to do, or the game is over."""
        expect(self.lamp).to_be_visible()
        expect(self.turn.or_(self.result).first).to_be_visible()

    # ---- what is done

    def press(self, button: Locator) -> None:
        """Press what answers the question, and wait for what comes of it."""
        before = self.before()
        self.hit(button)
        self.after(before)

    def hit(self, button: Locator) -> None:
        if self.touch:
            button.tap()
        else:
            button.click()

    def before(self) -> dict[str, str]:
        return {"lamp": self.lamp_name, "shown": self.page.evaluate(SHOWN)}

    def after(self, before: dict[str, str]) -> None:
        self.page.wait_for_function(CHANGED, arg=before, timeout=PATIENCE)

    def key(self, name: str) -> None:
        """The same with a key."""
        before = self.before()
        self.page.keyboard.press(name)
        self.after(before)

    def answer_simply(self) -> str:
        """One answer without a plan, and its words: lock the first dice that may be locked, stop, stay, done."""
        dice = self.dice.count() > 0
        if dice:
            for at in range(self.dice.count()):
                if self.answers():
                    break
                if self.dice.nth(at).get_attribute("aria-disabled") != "true":
                    self.hit(self.dice.nth(at))
        found = self.answers()
        assert found, f"there is nothing to do at {self.turn.inner_text()!r}"
        # with dice the last answer is that which rolls no more; without, the first is that which does the least
        chosen = found[-1] if dice else found[0]
        self.press(self.turn.get_by_role("button").nth(chosen.at))
        return chosen.words

    def play_simply(self, most: int = 300) -> int:
        """Play until the game is over; how many answers that took."""
        for answers in range(most):
            if self.over:
                return answers
            self.answer_simply()
        raise AssertionError("the game does not end")

    def answer(self, ask: AskNow, key: str) -> None:
        """This answer to this question, by touching what a person would touch."""
        if key in ask.dice:
            self.choose_dice(ask, key)
            self.press(self.act(ask, key))
            return
        option = next((one for one in ask.options if one.key == key), None)
        if option is not None:
            self.press(self.option(option))
            return
        for pick in ask.picks:
            for way in pick.ways:
                for one in way.options:
                    if one.key == key:
                        self.turn_die(pick, way, one)
                        return
        verb, _, rest = key.partition(":")
        name, _, amount = rest.partition("=")
        stepper = next(one for one in ask.steppers if (one.verb, one.name) == (verb, name))
        group = self.turn.get_by_role("group", name=stepper.label, exact=True)
        for _ in range(int(amount) - 1):
            group.get_by_role("button", name=self.say("step.more", what=stepper.label), exact=True).click()
        self.press(group.get_by_role("button", name=self.say("step.add", n=int(amount)), exact=True))

    def turn_die(self, pick: Pick, way: Way, turned: Turned) -> None:
        """Open the card, choose the die, choose what it becomes."""
        group = self.turn.get_by_role("group", name=pick.label, exact=True)
        card = group.get_by_role("button", name=starting_with(pick.label)).first
        if card.get_attribute("aria-expanded") != "true":
            self.hit(card)
        self.hit(group.get_by_role("button", name=way.words, exact=True))
        self.press(
            group.get_by_role("group", name=self.say("pick.face", die=way.words), exact=True)
            .get_by_role("button", name=starting_with(turned.shows))
            .first
        )

    def choose_dice(self, ask: AskNow, key: str) -> None:
        wanted = set(dice_of(key))
        free = {place for one in ask.dice for place in dice_of(one)}
        pressed = [button.pressed for button in self.buttons() if button.group == self.tray_name]
        for at, place in enumerate(IN_TRAY):
            # a question opens with nothing chosen, but for a roll, where all dice go that were not kept before
            chosen = ask.dice_verb == "roll" and not pressed[at]
            if place in free and chosen != (place in wanted):
                self.hit(self.dice.nth(at))

    def act(self, ask: AskNow, key: str) -> Locator:
        """The button that answers with the dice that are chosen."""
        known = ask.dice_verb in ("roll", "lock", "leave", "cancel", "free")
        words = self.say(f"act.{ask.dice_verb}", n=len(dice_of(key))) if known else ask.expect
        words = words or self.say("act.choose", n=len(dice_of(key)))
        return self.turn.get_by_role("button", name=starting_with(words)).first

    def option(self, option: Option) -> Locator:
        return self.turn.get_by_role("button", name=starting_with(option.label, option.detail, option.price)).first


NOT_ANSWERS: tuple[tuple[str, dict[str, Any]], ...] = (("rule.open", {"id": "\0"}), ("undo", {"what": "\0"}))
"""Buttons beside the question: the rule, and undo."""


def starting_with(*words: str) -> re.Pattern[str]:
    parts = (r"\s+".join(re.escape(word) for word in one.split()) for one in words if one)
    return re.compile("^" + r"\s*".join(parts) + r"(?!\w)")


def dice_of(key: str) -> list[str]:
    rest = key.partition(":")[2]
    return [] if rest in ("", "none") else rest.split(",")


class Mirror:
    """The same game beside the browser: same setup, same words for the dice. A bot looks at it and says what to do."""

    def __init__(self, setup: dict[str, Any], words: str, game: str = "landing") -> None:
        played = GAMES[game]
        self.match = Match.new(played, played.setup(setup), chance.seed_from(words), practice=True)
        self.seats = range(setup["seats"])
        self.rng = Random(0)

    @property
    def screen(self) -> Screen:
        return screen(self.match, self.seats)

    @property
    def won(self) -> bool | None:
        node = self.match.node()
        return node.won if isinstance(node, Over) else None

    def thumb(self, ask: AskNow) -> str:
        decision = self.match.decision(ask.seat)
        assert decision is not None

        def view() -> dict[str, Any]:
            return self.match.game.machine.view(self.match.state, ask.seat)

        return BOTS["thumb"].answer(decision, view, self.rng)

    def answer(self, ask: AskNow, key: str) -> None:
        self.match.answer(Answer(ask.seat, ask.seq, key))


def words_that_win(setup: dict[str, Any], most: int = 50) -> tuple[str, int]:
    """Words for the dice with which the bot takes the Bunker, and with how many answers."""
    for number in range(most):
        words = f"landing {number}"
        mirror, answers = Mirror(setup, words), 0
        while mirror.won is None:
            decision = next(found for seat in mirror.seats if (found := mirror.match.decision(seat)))
            ask = AskNow(decision.seat, decision.seq, decision.name, "", "", "")
            mirror.answer(ask, mirror.thumb(ask))
            answers += 1
        if mirror.won:
            return words, answers
    raise AssertionError("the bot wins no game")


def reach(server: Running, made: Mapping[str, Any], there: Callable[[list[str]], bool]) -> bool:
    """Play a table without a browser, simply, until the first seat that is asked has such answers; False if none has
    before the game is over.
    """
    with Client(server.port, made["table"], made["token"]) as client:
        try:
            play(client, lambda seat, seq, keys: _simple(keys, there))
        except Reached:
            return True
    return False


class Reached(Exception):
    """It stands where it should."""


def _simple(keys: list[str], there: Callable[[list[str]], bool]) -> str:
    if there(keys):
        raise Reached
    return next((key for key in ("stop", "done", "keep", "skip", "stay") if key in keys), keys[0])


LOST = "e2e 0"
"""Words for the dice of a practice run that is lost after some turns if it is played simply."""


def finished(server: Running, **more: Any) -> dict[str, Any]:
    """A table whose game is over, and lost."""
    with luck.words(LOST):
        made = server.create(setup={"level": "practice-run"}, **more)
    reach(server, made, lambda keys: False)
    return made


def sit_down(context: BrowserContext, link: str, lang: str = "en", watches: bool = False) -> Player:
    """Open a link of a table and wait until it is there."""
    page = context.new_page()
    page.goto(link)
    player = Player(page, lang, watches=watches)
    player.wait()
    return player
