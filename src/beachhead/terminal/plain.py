"""The plain line mode: a landing played by typing lines, on a terminal or through a pipe.

It asks the seats of people in turn, lowest first, and lets bots take theirs. It knows no rule: it shows the state, the
questions and the events of a `Match`, and hands it keys.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple, TextIO, cast

from .. import rules
from ..bots import Bot
from ..core import record
from ..core.errors import BeachheadError, Illegal, Invalid, Reason
from ..core.node import Answer, Ask, Decision, Event, Over
from ..landing import questions, text
from ..landing.codec import write_position
from ..landing.state import ARROW, Landing
from ..table.match import Match
from . import sheets, typed
from .keep import Keeper
from .screen import Screen

MOST = 12
"""How many answers are listed; `keys` lists them all."""

AMOUNTS = "Type the amount behind the name, as in: give soldiers 2"

INTRO = (
    "Lead your Unit up the beach into the Bunker and survive the Combat there. If one Unit is lost, all have lost.",
    "Each turn you roll six dice up to three times; after the first roll you Lock some of them. They bring Soldiers, "
    "Stars to rally Specialists, Courage to Advance, and Tools to find Items: 1 to 6 Tools are 1, 3, 6, 12, 24, 48 "
    "Item Points. Each Skull cancels one of your other dice.",
    "The same result in red, white and blue brings a bonus: type bonus. Six different results are a Straight and bring "
    "an Award.",
    "Then you rally and find, and move or stay. At the end of the turn you lose as many Soldiers as your Sector's DEF "
    "says, and a die more where there is Machine Gun Fire (MGF). The marker counts your turns in a Sector: after the "
    "third you have to leave, and you never come back.",
)

HELP = (
    ("NUMBER, KEY", "answer; the start of a key will do, for dice their names"),
    ("why KEY", "why is it not allowed? why defence, mgf, lock, 7: a number"),
    ("rule, rule ID", "the rule behind this question, or any rule of the register"),
    ("undo, redo", "take back your last answer, bring it back"),
    ("state, dice", "the Units; your dice"),
    ("map", "all Sectors, from the Bunker down to the sea"),
    ("card NAME", "what a card does; card alone lists those in reach"),
    ("bonus", "what three of a kind in red, white and blue bring"),
    ("keys", "all answers to this question"),
    ("log, log N", "the last N things that happened, with their rules"),
    ("save FILE", "write the game to a file; save! FILE replaces one"),
    ("seed", "the commitment that binds the dice"),
    ("position", "this position in one line, for a bug report"),
    ("help, help game", "this list; how the game goes"),
    ("quit", "stop; the game is kept and can be continued"),
)

NUMBERS = {
    "def": ("defence", "DEF"),
    "defence": ("defence", "DEF"),
    "mgf": ("mgf_dice", "MGF dice"),
    "fire": ("mgf_dice", "MGF dice"),
    "lock": ("dice_to_lock", "Dice to Lock"),
    "dice": ("dice_to_roll", "Dice to roll"),
    "roll": ("dice_to_roll", "Dice to roll"),
}
"""Words for numbers that can be explained: the question behind each, and its title."""


class Quit(Exception):
    """The person leaves, or the input has ended."""


class Seats(NamedTuple):
    """Who plays: a bot per seat, or None for a person."""

    bots: tuple[Bot | None, ...]

    @property
    def names(self) -> list[str]:
        return [bot.code if bot else "you" for bot in self.bots]

    def person(self, seat: int) -> bool:
        return self.bots[seat] is None

    @property
    def options(self) -> str:
        """How to ask for these seats at the command line."""
        codes = [bot.code if bot else "" for bot in self.bots]
        last = codes.count("random")
        if last and codes == [""] * (len(codes) - last) + ["random"] * last:
            return f" --bots {last}"
        return "".join(f" --bot {seat}={code}" for seat, code in enumerate(codes, 1) if code)


Command = Callable[["Plain", str], bool | None]
"""What a typed command does with the rest of its line; True if the question has to be put anew."""


class Plain:
    """One game at one screen."""

    def __init__(
        self,
        match: Match,
        seats: Seats,
        screen: Screen,
        lines: TextIO,
        keeper: Keeper,
        seed: str = "",
        cite: bool = False,
    ) -> None:
        self.match = match
        self.seats = seats
        self.screen = screen
        self.lines = lines
        self.keeper = keeper
        self.cite = cite
        self.say = screen.say
        self.raw = screen.raw
        self._chance = [Random(f"{seed}/{seat}") if seed else Random() for seat in range(len(seats.bots))]
        self._asked: Decision | None = None
        self._offer = typed.offer(())
        self._known: set[str] = set()
        """Small print that was shown before."""
        self._played = False
        """Is there anything to keep: an answer of a person, or an end?"""
        self._saved: Path | None = None
        """Where the person saved the game as it stands."""
        self._undone: list[int] = []
        """How many answers each undo took back."""
        self._heading = ""
        """The phase, until something happens in it."""
        self._rolled: dict[int, Event] = {}
        """The last dice of each bot in this phase, told when it is over."""
        self._casualties: dict[int, int] = {}
        """Per seat: casualties that were told, until the Soldiers are gone."""
        self._worth = ""
        """What was said last of the worth of the dice."""

    @property
    def g(self) -> Landing:
        return cast(Landing, self.match.state)

    # ---- the game from start to end

    def run(self) -> int:
        """Play until it is over or left; the exit code."""
        code = 0
        try:
            self._open()
            self._play()
        except Quit:
            pass
        except KeyboardInterrupt:
            code = 130
            self.say()
        finally:
            self._close()
        return code

    def _open(self) -> None:
        g, match = self.g, self.match
        practice = ", practice" if match.practice else ""
        self.say(f"Beachhead: a landing, {g.world.setup.edition} edition{practice}", bold=True)
        self.say("Type help for all commands, quit to stop. The game is kept and can be continued.")
        if g.world.setup.options:
            self.say(f"Optional rules: {', '.join(g.world.setup.options)}.")
        if g.world.setup.level:
            self.say(f"Level: {g.world.setup.level}. {text.level_words(g.world.level)}".rstrip())
        self.say()
        self._map("")
        self.say()
        fresh = not any(isinstance(entry, record.Answered) for entry in match.record.entries)
        if fresh:
            self._help_game()
            self.say()
        self._seed("")
        if fresh:
            self._tell(match.events)
        else:
            self.say(f"The game goes on in turn {g.turn}.", bold=True)
            self._state("")

    def _play(self) -> None:
        while True:
            node = self.match.node()
            if isinstance(node, Over):
                self._over(node)
                return
            assert isinstance(node, Ask)
            bot = next((seat for seat in node.seats if not self.seats.person(seat)), None)
            if bot is not None:
                self._answer(node.decision(bot), self._bot_key(node.decision(bot)))
                continue
            decision = node.decision(node.seats[0])
            self._show(decision)
            key = self._read_answer()
            if key:
                self._answer(decision, key)

    def _bot_key(self, decision: Decision) -> str:
        bot, seat = self.seats.bots[decision.seat], decision.seat
        assert bot is not None
        machine, state = self.match.game.machine, self.match.state
        return bot.answer(decision, lambda: machine.view(state, seat), self._chance[seat])

    def _answer(self, decision: Decision, key: str) -> None:
        events = self.match.answer(Answer(decision.seat, decision.seq, key))
        self._saved = None
        self._undone.clear()
        if self.seats.person(decision.seat) or isinstance(self.match.node(), Over):
            self._played = True
        self._keep()
        self._tell(events)

    def _keep(self) -> None:
        known = self.keeper.problem
        if self._played:
            self.keeper.follow(self.match)
        if self.keeper.problem != known:
            self.say(f"{self.keeper.problem}. Type save FILE to keep it elsewhere.", hang=2)

    def _over(self, over: Over) -> None:
        self.say()
        self.say(sheets.ending(self.g, over), bold=True)
        self._asked = None
        if self.match.practice and None in self.seats.bots:
            self.say("Practice: type undo to go back, or quit.")
            while isinstance(self.match.node(), Over):
                self._read_answer()
            self._play()

    def _close(self) -> None:
        """Keep the game and say where it is."""
        match = self.match
        over = match.node() if isinstance(match.node(), Over) else None
        if self._saved:
            self.keeper.drop()
        elif self._played:
            self.keeper.finish(match)
        path = self._saved or (None if self.keeper.problem else self.keeper.path)
        self.say()
        if over:
            self._reveal(path)
        elif path:
            self.say("The game is kept. Go on with:")
            self.raw(f"  beachhead play --load {path}{self.seats.options}")
        else:
            self.say("The game is not kept." if self._played else "Nothing was played.")

    def _reveal(self, path: Path | None) -> None:
        seeds = [entry.seed for entry in self.match.record.entries if isinstance(entry, record.Revealed)]
        if len(seeds) == 1:
            self.say("The seed of all dice, which fits the commitment shown before:")
        else:
            self.say(f"The dice came from {len(seeds)} seeds, one after the other; the last one:")
        self.raw(f"  {seeds[-1]}")
        if path:
            self.say("The game is kept. Check every roll with:")
            self.raw(f"  beachhead verify {path}")

    # ---- telling what happened

    def _tell(self, events: Sequence[Event]) -> None:
        """Narrate events; a new turn shows the Units, as soon as the text has come to where they stand."""
        people = {seat for seat, bot in enumerate(self.seats.bots) if bot is None}
        table_at = self._table_at(events)
        trays = self._trays()
        for n, event in enumerate(events):
            if event.audience is not None and not people.intersection(event.audience):
                continue
            if event.type == "turn":
                self.say()
                self.say(f"---- Turn {event.data['turn']} " + "-" * 20, bold=True)
            elif event.type == "phase":
                self._tell_rolled()
                self._heading = "" if event.data["phase"] == "roll" else text.narrate(event)
            elif event.type in ("dice", "locked") and event.seat not in people:
                if event.type == "dice":
                    self._rolled[event.seat] = event
            elif event.type == "dice" and event.seat in trays and sheets.rolls_all(event):
                pass  # they are shown with the question that follows
            elif event.type == "marker" and event.data["face"] < ARROW:
                pass  # they are shown with the Units
            elif event.type == "resources" and event.data == {"soldiers": -self._casualties.pop(event.seat, 0)}:
                pass  # the casualties were told
            elif event.type != "over":
                if event.type == "added":
                    self._tell_rolled()
                elif event.type == "combat":
                    self._casualties[event.seat] = event.data["casualties"]
                self._line(text.narrate(event), event)
            if n == table_at:
                self._state("")

    def _tell_rolled(self) -> None:
        for rolled in self._rolled.values():
            self._line(sheets.tally_words(rolled), rolled)
        self._rolled.clear()

    def _line(self, said: str, event: Event) -> None:
        if said:
            if self._heading:
                self.say(self._heading)
                self._heading = ""
            self.say(said + (f" [{event.rule}]" if self.cite else ""), 2, 2)

    def _table_at(self, events: Sequence[Event]) -> int:
        """After which event the Units are shown: the last new turn, or what follows of it if that changes the table."""
        turns = [n for n, event in enumerate(events) if event.type == "turn"]
        if not turns or self.g.over:
            return -1
        calm = all(event.type in ("phase", "dice", "turn") for event in events[turns[-1] :])
        return turns[-1] if calm else len(events) - 1

    def _trays(self) -> set[int]:
        """The seats of people whose dice are shown with their next question."""
        node = self.match.node()
        if not isinstance(node, Ask):
            return set()
        seats = [seat for seat in node.seats if self.seats.person(seat)]
        return {seat for seat in seats if sheets.shows_dice(self.g, node.decision(seat))}

    # ---- asking

    def _show(self, decision: Decision) -> None:
        """The question with its answers."""
        g = self.g
        self._asked = decision
        self._offer = offer = typed.offer(decision.keys)
        self._heading = ""
        self.say()
        if sheets.shows_dice(g, decision):
            self._dice("short")
        self.say(text.prompt(g, decision), hang=2, bold=True)
        self._small_print(text.background(g, decision), 2)
        if offer.verb:
            self.say(_dice_hint(offer), 2)
        lines = self._lines(offer.keys[: offer.listed])
        self._list(lines[:MOST])
        if rest := lines[MOST:]:
            more = ", ".join(f"{line.number} {line.key}" for line in rest)
            self.say(f"More: {more}" if len(rest) <= 2 * MOST else f"{len(rest)} more; keys lists them all.", 2, 2)

    def _lines(self, keys: Sequence[str]) -> list[Line]:
        """The answers as lines; amounts of one thing share a line."""
        assert self._asked is not None
        lines: list[Line] = []
        n = 0
        while n < len(keys):
            family = _family(keys[n:])
            last = n + family - 1
            said = text.label(self.g, self._asked, keys[last])
            if family > 1:
                key = f"{keys[n]}..{keys[last].rpartition('=')[2]}"
                lines.append(Line(f"{n + 1}-{last + 1}", key, f"{said} or fewer", AMOUNTS))
            else:
                lines.append(Line(str(n + 1), keys[n], said, text.detail(self.g, self._asked, keys[n])))
            n = last + 1
        return lines

    def _list(self, lines: Sequence[Line]) -> None:
        """Number, key, words; the small print of an answer is shown only the first time."""
        wide = max((len(line.number) for line in lines), default=0)
        long = min(max((len(line.key) for line in lines), default=0), 24)
        for line in lines:
            self.say(f"{line.number:>{wide}}  {line.key:<{long}}  {line.said}", 2, wide + 4)
            self._small_print(line.detail, wide + 6)

    def _small_print(self, words: str, indent: int) -> None:
        """What a card or a Sector says; only the first time."""
        if words and words not in self._known:
            self._known.add(words)
            self.say(words, indent)

    def _read(self) -> str:
        """The next line that was typed; through a pipe it is written down as if it had been typed here."""
        self.screen.out.flush()
        if self.lines is sys.stdin and self.lines.isatty():
            try:
                return input("> ")
            except EOFError:
                raise Quit from None
        line = self.lines.readline()
        if not line:
            raise Quit
        self.raw(f"> {line.strip()}")
        return line

    def _read_answer(self) -> str:
        """The key of a legal answer; the empty text when the question has to be put anew."""
        while True:
            line = self._read().strip()
            word, _, rest = line.partition(" ")
            command = COMMANDS.get(word.casefold())
            try:
                if command is not None:
                    self.screen.count = 0
                    if command(self, rest.strip()):
                        return ""
                    self._remind()
                elif self._asked is None:
                    self.say("The game is over: type undo to go back, or quit.")
                elif not line:
                    self.say("Type a number or a key of the list, or help.")
                else:
                    return self._legal(line, self._asked)
            except Illegal as error:
                self._refuse(error)
            except BeachheadError as error:
                for one in str(error).splitlines():
                    self.say(one, hang=2)

    def _remind(self) -> None:
        """Put the question again in one line when a long answer to a command stands between."""
        if self._asked is not None and self.screen.count > 4:
            self.say()
            self.say(text.prompt(self.g, self._asked), hang=2, bold=True)

    def _refuse(self, error: Illegal) -> None:
        reasons = "; ".join(f"{reason.text} [{reason.rule}]" for reason in error.reasons)
        self.say(f"{error.key} is not allowed: {reasons}", hang=2)

    def _legal(self, line: str, decision: Decision) -> str:
        refusals = self.match.game.machine.refusals(self.match.state, decision.seat)
        key = typed.understand(line, self._offer, refusals)
        if key in decision.keys:
            return key
        raise Illegal(key, self._reasons(key, decision))

    def _reasons(self, key: str, decision: Decision) -> tuple[Reason, ...]:
        """Every rule in the way of this key; for a set of dice those in the way of each die."""
        refusals = self.match.game.machine.refusals(self.match.state, decision.seat)
        if key in refusals:
            return refusals[key]
        verb = key.partition(":")[0]
        found = tuple(reason for die in typed.dice_of(key) for reason in refusals.get(f"{verb}:{die}", ()))
        return found or (Reason(f"name {_dice_count(*self._offer.sizes())}", decision.rule),)

    # ---- commands

    def _help(self, rest: str) -> None:
        if typed.plain(rest) == "game":
            return self._help_game()
        for name, about in HELP:
            self.raw(f"  {name:<16} {about}")
        return None

    def _help_game(self) -> None:
        for paragraph in INTRO:
            self.say(paragraph)

    def _why(self, rest: str) -> None:
        """Why an answer is or is not allowed, or where a number comes from."""
        seat = self._seat()
        words = typed.plain(rest).split() or ["all"]
        sectors = {name.casefold(): name for name in self.g.world.sectors}
        place = words[1:] if words[0] == "sector" else words
        if words == ["all"]:
            for word in ("def", "mgf", "dice", "lock"):
                self._explain(word, seat, "")
        elif words[0] in NUMBERS and (len(words) == 1 or (len(words) == 2 and words[1] in sectors)):
            self._explain(words[0], seat, sectors.get(words[-1], ""))
        elif len(place) == 1 and place[0] in sectors and not (place is words and self._is_listed(words[0])):
            for word in ("def", "mgf"):
                self._explain(word, seat, sectors[place[0]])
        elif self._asked:
            self._why_key(rest, self._asked)
        else:
            raise Invalid(f"{rest!r} is nothing to explain here: expected defence, mgf, lock, dice or a Sector.")

    def _is_listed(self, word: str) -> bool:
        return word.isdecimal() and 1 <= int(word[:6]) <= self._offer.listed

    def _why_key(self, rest: str, decision: Decision) -> None:
        refusals = self.match.game.machine.refusals(self.match.state, decision.seat)
        key = typed.understand(rest, self._offer, refusals)
        if key in decision.keys:
            verb, _, card = key.partition(":")
            rule = rules.rule(self.g.world.cards[card].rule if verb == "use" else decision.rule)
            self.say(f"{key} is allowed: {text.label(self.g, decision, key)} [{rule.id}, {rule.title}]", hang=2)
        else:
            self._refuse(Illegal(key, self._reasons(key, decision)))
        self._why_price(key, decision.seat)

    def _why_price(self, key: str, seat: int) -> None:
        verb, _, name = key.partition(":")
        g = self.g
        if verb in ("rally", "find") and name in g.world.cards:
            price = "Stars" if verb == "rally" else "Item Points"
            self.say(sheets.explained(price, questions.why(g, f"{verb}_cost", seat, card=name)), 2, 2)
        elif verb == "move" and any(way.to == name and way.forward for way in g.world.ways[g.units[seat].sector]):
            self.say(sheets.explained("Courage", questions.why(g, "advance_cost", seat, name)), 2, 2)

    def _explain(self, word: str, seat: int, sector: str) -> None:
        question, title = NUMBERS[word]
        where = sector or self.g.units[seat].sector
        found = questions.why(self.g, question, seat, sector)
        self.say(sheets.explained(f"{text.unit_name(seat)} in Sector {where}: {title}", found), hang=2)

    def _rule(self, rest: str) -> None:
        if not rest and self._asked is None:
            raise Invalid("There is no question now: name a rule, as in rule F-ROLL-01.")
        rule = rules.rule(rest or (self._asked.rule if self._asked else ""))
        self.say(f"{rule.id}  {rule.title} ({rules.BOOKS[rule.book]})", hang=2)
        self.say(rule.text, 2)
        if rule.note:
            self.say(f"Note: {rule.note}", 2)
        if rule.basis:
            self.say(f"Basis: {rule.basis}.", 2)

    def _undo(self, rest: str) -> bool:
        """Take back the last answer of a person, with those that bots gave since."""
        points = self.match.undo_points()
        mine = next((n for n, point in enumerate(points) if self.seats.person(point.seat)), None)
        if mine is None:
            raise Invalid(self._no_undo())
        label = ""
        for _ in range(mine + 1):
            label = self.match.undo() or ""
        self._undone.append(mine + 1)
        self._changed()
        self.say(f"Undone: {text.unit_name(points[mine].seat)}, {label}")
        return True

    def _no_undo(self) -> str:
        match = self.match
        if not self._played and not match.undo_points():
            return "There is nothing to undo."
        if isinstance(match.node(), Over):
            return "The game is over and its seed is shown; only practice games can go back from here."
        reveals = match.game.machine.reveals
        for event in reversed(match.events):
            if event.cause.startswith("roll:") or event.type in reveals:
                said = text.narrate(event) or "something was revealed"
                return f"No undo beyond what was rolled or drawn since your last answer: {said}."
        return "There is nothing to undo."

    def _redo(self, rest: str) -> bool:
        if not self._undone:
            raise Invalid("There is nothing to redo.")
        events: list[Event] = []
        for _ in range(self._undone.pop()):
            events += self.match.redo()
        self._changed()
        self._tell(events)
        return True

    def _changed(self) -> None:
        """Undo or redo has changed what stands; what was told half is forgotten."""
        self._saved = None
        self._rolled.clear()
        self._casualties.clear()
        self._worth = self._heading = ""
        self._played = True
        self._keep()

    def _save(self, rest: str) -> None:
        self._write(rest, False)

    def _save_over(self, rest: str) -> None:
        self._write(rest, True)

    def _write(self, rest: str, overwrite: bool) -> None:
        if not rest:
            raise Invalid("Name a file, as in save tiger.jsonl.")
        path = Path(os.path.expanduser(rest))
        if os.path.isfile(path) and not overwrite:
            raise Invalid(f"{path} is already there and was left as it is. Type save! {rest} to replace it.")
        sealed = self.match.commitment
        try:
            self.match.save(path, overwrite)
            self._saved = path
            self.raw(f"Saved in {path}")
        finally:
            if self.match.commitment != sealed:
                self.say("The seed of the dice so far is told now; the next dice have a new one.")
                self._seed("")

    def _log(self, rest: str) -> None:
        if rest and not re.fullmatch("[0-9]{1,6}", rest):
            raise Invalid(f"{rest!r} is no number: log 30 shows the last 30 things that happened.")
        told = [(event, said) for event in self.match.events if (said := text.narrate(event))]
        for event, said in told[-int(rest or 20) :] if rest != "0" else []:
            self.say(f"{said} [{event.rule}]", 0 if event.type == "turn" else 2, 4)

    def _state(self, rest: str) -> None:
        for line in sheets.units_table(self.g, self.seats.names):
            self.say(line, hang=4)

    def _dice(self, rest: str) -> None:
        for line in sheets.tray(self.g, self._seat()):
            self.say(line, 4)
        worth = f"Worth: {sheets.worth(self.g, self._seat())}"
        if rest != "short" or worth != self._worth:
            self.say(worth, 4)
        self._worth = worth

    def _map(self, rest: str) -> None:
        self.say(sheets.map_title(self.g), bold=True)
        for line in sheets.board(self.g):
            if line.sector:
                self.say(f"{line.sector:>4}  {line.text}", hang=6)
            else:
                self.raw(f"      ---- {line.text} ----")

    def _card(self, rest: str) -> None:
        if not rest:
            for title, names in sheets.cards_in_reach(self.g, self._seat()):
                self.say(f"{title}: {', '.join(names)}", hang=2)
            return
        cards = self.g.world.cards
        wanted = typed.plain(rest)
        found = [card for card in cards if wanted in (typed.plain(card), typed.plain(cards[card].name))]
        found = found or [card for card in cards if typed.plain(cards[card].name).startswith(wanted)]
        found = found or [card for card in cards if wanted in typed.plain(cards[card].name)]
        if len(found) != 1:
            hint = (
                f"could be {', '.join(found)}" if found else "is no card of this game; card alone lists those in reach"
            )
            raise Invalid(f"{rest!r} {hint}.")
        for n, line in enumerate(sheets.card_sheet(self.g, found[0])):
            self.say(line, 2 if n else 0, 2)

    def _bonus(self, rest: str) -> None:
        for face, name, about in sheets.bonus_list(self.g, self._seat()):
            self.say(f"{face:<11} {name}: {about}", 2, 12)

    def _keys(self, rest: str) -> None:
        if self._asked is None:
            raise Invalid("There is no question now.")
        for n, key in enumerate(self._offer.keys, 1):
            self.say(f"{n:>3} {key:<24} {text.label(self.g, self._asked, key)}", 2, 4)

    def _position(self, rest: str) -> None:
        self.raw(write_position(self.g))

    def _seed(self, rest: str) -> None:
        self.say("Commitment to the seed of the dice, which is shown at the end:")
        self.raw(f"  {self.match.commitment}")

    def _quit(self, rest: str) -> None:
        raise Quit

    def _seat(self) -> int:
        """Whose numbers and dice are meant: those of the Unit that is asked, or else of the first person."""
        if self._asked is not None:
            return self._asked.seat
        return next((seat for seat, bot in enumerate(self.seats.bots) if bot is None), 0)


class Line(NamedTuple):
    """One answer in the list."""

    number: str
    key: str
    said: str
    detail: str


def _family(keys: Sequence[str]) -> int:
    """How many keys from the first on are amounts 1, 2, 3 ... of one thing; 1 if fewer than three."""
    stem, sign, _ = keys[0].rpartition("=")
    n = 0
    while sign and n < len(keys) and keys[n] == f"{stem}={n + 1}":
        n += 1
    return n if n > 2 else 1


def _dice_hint(offer: typed.Offer) -> str:
    least, most = offer.sizes()
    example = max((key for key in offer.dice_keys if len(typed.dice_of(key)) <= 2), key=len, default=offer.keys[-1])
    named = " ".join(typed.dice_of(example))
    if offer.verb == "roll":
        return f"Name dice ({named}), or all; keep {named} rolls the others."
    return f"Name {_dice_count(least, most)} ({named}){', or none' if not least else ''}."


def _dice_count(least: int, most: int) -> str:
    if least == most:
        return f"{most} {'die' if most == 1 else 'dice'}"
    if not least:
        return f"up to {most} {'die' if most == 1 else 'dice'}"
    return f"{least} to {most} dice"


COMMANDS: dict[str, Command] = {
    "help": Plain._help,
    "?": Plain._help,
    "why": Plain._why,
    "rule": Plain._rule,
    "undo": Plain._undo,
    "redo": Plain._redo,
    "save": Plain._save,
    "save!": Plain._save_over,
    "log": Plain._log,
    "state": Plain._state,
    "dice": Plain._dice,
    "map": Plain._map,
    "card": Plain._card,
    "cards": Plain._card,
    "bonus": Plain._bonus,
    "keys": Plain._keys,
    "seed": Plain._seed,
    "position": Plain._position,
    "quit": Plain._quit,
    "exit": Plain._quit,
}
