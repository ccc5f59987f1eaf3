"""The plain line mode: a landing played by typing lines, on a terminal or through a pipe.

It asks the seats of people in turn, lowest first, and lets bots take theirs. It knows no rule: it shows the state, the
questions and the events of a `Match`, and hands it keys.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from threading import Thread
from typing import TextIO, cast

from .. import rules
from ..advise import Advice, advise, warm
from ..bots import safe_answer
from ..content import spoken
from ..content.library import named_folders
from ..core import record
from ..core.errors import BeachheadError, Illegal, Invalid, Reason
from ..core.node import Answer, Ask, Decision, Event, Over, Roll
from ..landing import questions, text
from ..landing.codec import write_position
from ..landing.outline import dice_of
from ..landing.own_dice import Thrown, thrown
from ..landing.state import Landing
from ..landing.words import card_name, unit_name
from ..say import capital, language, language_of, say
from ..table.match import Match, roll_name
from . import guide, menu, sheets, typed
from .keep import Keeper
from .screen import Screen
from .seats import Seats
from .teller import Teller

ROLL = "roll"
"""What is typed to have the dice rolled here, where people roll their own."""

REMINDERS = 3
"""How often it is said that cards can be read again."""

ADVISED = 5
"""How many answers the adviser ranks where nobody asks for all."""

AT_ONCE = ("consent", "swap-consent", "claim")
"""Questions for which another seat waits: they are asked before any other."""

NUMBERS = {
    "def": "defence",
    "defence": "defence",
    "mgf": "mgf_dice",
    "fire": "mgf_dice",
    "lock": "dice_to_lock",
    "dice": "dice_to_roll",
    "roll": "dice_to_roll",
}
"""Words for numbers that can be explained: the question behind each."""


class Quit(Exception):
    """The person leaves, or the input has ended."""


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
        adviser: bool = False,
    ) -> None:
        self.match = match
        self.seats = seats
        self.screen = screen
        self.lines = lines
        self.keeper = keeper
        self.adviser = adviser
        """Does the adviser speak with every question?"""
        self._ready: Thread | None = None
        self.say = screen.say
        self.raw = screen.raw
        self._chance = [Random(f"{seed}/{seat}") if seed else Random() for seat in range(len(seats.bots))]
        self._asked: Decision | None = None
        self._wanted: Thrown | None = None
        """The dice that people are to enter, where they have their own."""
        self._offer = typed.offer(())
        self._numbered: set[int] = set()
        """The numbers under which answers to the question were shown."""
        self._known: set[str] = set()
        """Small print that was shown before."""
        self._played = False
        """Is there anything to keep: an answer of a person, or an end?"""
        self._saved: Path | None = None
        """Where the person saved the game as it stands."""
        self._undone: list[int] = []
        """How many answers each undo took back."""
        self._worth = ""
        """What was said last of the worth of the dice."""
        self._at = -1
        """The seat that was asked last, where several people share the screen."""
        self._reminded = 0
        """How often it was said that cards can be read again."""
        self._teller = Teller(screen, seats.people, cite, lambda: self._state(""))

    @property
    def g(self) -> Landing:
        return cast(Landing, self.match.state)

    # ---- the game from start to end

    def run(self) -> int:
        """Play until it is over or left; the exit code."""
        code = 0
        if self.adviser:
            self._get_ready()
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
        edition = say(f"edition.{g.world.setup.edition}")
        self.say(say("plain.title-practice" if match.practice else "plain.title", edition=edition), bold=True)
        self.say(say("plain.welcome"))
        for line in guide.opening(g, match.practice):
            self.say(line, hang=2)
        if match.own_dice:
            self.say(say("own-dice.opening"), hang=2)
        self.say()
        fresh = not any(isinstance(entry, record.Answered) for entry in match.record.entries)
        if fresh:
            self._help_game()
            self.say()
        self._map("")
        self.say()
        self._seed("")
        if fresh:
            self._tell(match.events)
        else:
            self.say(say("plain.goes-on", n=g.turn), bold=True)
            self._state("")

    def _play(self) -> None:
        while True:
            node = self.match.node()
            if isinstance(node, Over):
                self._over(node)
                return
            if isinstance(node, Roll):
                self._ask_dice(node)
                continue
            assert isinstance(node, Ask)
            bot = next((seat for seat in node.seats if not self.seats.person(seat)), None)
            if bot is not None:
                self._answer(node.decision(bot), self._bot_key(node.decision(bot)))
                continue
            decision = self._next(node)
            self._show(decision)
            key = self._read_answer()
            if key:
                self._answer(decision, key)

    def _next(self, node: Ask) -> Decision:
        """The question of the lowest seat, but first those for which another seat waits."""
        decisions = [node.decision(seat) for seat in node.seats]
        return next((decision for decision in decisions if decision.name in AT_ONCE), decisions[0])

    def _bot_key(self, decision: Decision) -> str:
        bot, seat = self.seats.bots[decision.seat], decision.seat
        assert bot is not None
        machine, state = self.match.game.machine, self.match.state
        return safe_answer(bot, decision, lambda: machine.view(state, seat), self._chance[seat])

    def _answer(self, decision: Decision, key: str) -> None:
        events = self.match.answer(Answer(decision.seat, decision.seq, key))
        self._go_on(events, self.seats.person(decision.seat))

    def _go_on(self, events: Sequence[Event], person: bool) -> None:
        self._saved = None
        self._undone.clear()
        if person or isinstance(self.match.node(), Over):
            self._played = True
        self._keep()
        self._tell(events)

    def _ask_dice(self, roll: Roll) -> None:
        """Let people enter the dice that they rolled on their table."""
        match, whose = self.match, self.match.roller
        self._asked, self._wanted = None, self._thrown(roll, whose)
        self._teller.pause()
        self.say()
        self.say(capital(self._wanted.prompt), hang=2, bold=True)
        faces = (f"{n} = {words}" for n, (_, _, words) in enumerate(self._wanted.faces, 1))
        self.say(say("own-dice.type", faces=", ".join(faces), roll=say("verb.roll")), 2)
        try:
            line = self._read_answer()
        finally:
            wanted, self._wanted = self._wanted, None
        if line:
            values = [] if line == ROLL else typed.faces(line, wanted.faces, len(wanted.dice))
            seat = whose if whose >= 0 and self.seats.person(whose) else next(iter(self.seats.people), 0)
            self._go_on(match.enter(seat, roll_name(roll), values), person=True)

    def _thrown(self, roll: Roll, whose: int) -> Thrown:
        return thrown(self.g, roll, whose)

    def _keep(self) -> None:
        known = self.keeper.problem
        if self._played:
            self.keeper.follow(self.match)
        if self.keeper.problem != known:
            self.say(say("plain.keep-elsewhere", problem=self.keeper.problem), hang=2)

    def _over(self, over: Over) -> None:
        self.say()
        for n, line in enumerate(self._ending(over)):
            self.say(line.strip(), 2 if n else 0, 2, bold=not n)
        for key, n in (("match.seen", self.match.seen), ("match.by-hand", len(self.match.entered))):
            if n:
                self.say(say(key, n=n), 2, 2)
        self._asked = None
        if self.match.practice and None in self.seats.bots:
            self.say(say("plain.practice-over"))
            while isinstance(self.match.node(), Over):
                self._read_answer()
            self._play()

    def _ending(self, over: Over) -> Sequence[str]:
        return sheets.ending(self.g, over)

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
            self.say(say("plain.kept"))
            spoken = "" if language() == language_of() else f" --lang {language()}"
            self.raw(f"  {_typed_as('play', '--load', path)}{self.seats.options}{spoken}")
        else:
            self.say(say("plain.not-kept" if self._played else "plain.not-played"))

    def _reveal(self, path: Path | None) -> None:
        seeds = [entry.seed for entry in self.match.record.entries if isinstance(entry, record.Revealed)]
        if len(seeds) == 1:
            self.say(say("plain.seed"))
        else:
            self.say(say("plain.seeds", n=len(seeds)))
        self.raw(f"  {seeds[-1]}")
        if path:
            self.say(say("plain.check"))
            self.raw(f"  {_typed_as('verify', path)}")
            self.say(say("plain.review"))
            self.raw(f"  {_typed_as('review', path)}")

    # ---- telling what happened

    def _tell(self, events: Sequence[Event]) -> None:
        told = [event for event in events if not text.unchosen(self.g, event)]
        self._teller.tell(told, self._trays(), bool(self.g.over))

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
        self._teller.pause()
        self.say()
        if len(self.seats.people) > 1 and decision.seat != self._at:
            self.say(f"---- {sheets.unit_line(g, decision.seat)}", hang=5)
            self._at = decision.seat
        if sheets.shows_dice(g, decision):
            self._dice("short")
        self.say(text.prompt(g, decision), hang=2, bold=True)
        self._small_print(text.background(g, decision), 2)
        if offer.verb:
            self.say(menu.hint(offer), 2)
        lines = menu.lines(g, decision, offer.keys[: offer.listed])
        cards = [line for line in lines if line.key.startswith(("rally:", "find:", "use:"))]
        known = any(line.detail in self._known for line in cards)
        self._numbered = menu.numbers(lines)
        self._list(lines[: menu.MOST])
        if rest := lines[menu.MOST :]:
            self.say(menu.rest(rest), 2, 2)
        if known and self._reminded < REMINDERS:
            self._reminded += 1
            self.say(say("plain.read-again"), 2)
        if decision.name in ("move", "start"):
            refusals = self.match.game.machine.refusals(self.match.state, decision.seat)
            for line in menu.closed(g, decision, refusals):
                self.say(line, 2, 2)
        if self.adviser and (advice := self._advice(decision)):
            self.say(say("advise.says", why=" ".join(advice.why)), 2, 2)

    def _list(self, lines: Sequence[menu.Line]) -> None:
        """Number, key, words; the small print of an answer is shown only the first time."""
        wide = max((len(line.number) for line in lines), default=0)
        long = min(max((len(line.key) for line in lines), default=0), 34)
        for line in lines:
            self.say(f"{line.number:>{wide}}  {line.key:<{long}}  {line.said}", 2, wide + long + 4)
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
            command = _command(word)
            try:
                if command:
                    self.screen.count = 0
                    if getattr(self, command)(rest.strip()):
                        return ""
                    self._remind()
                elif self._wanted:
                    return self._dice_line(line)
                elif self._asked is None:
                    self.say(say("plain.over"))
                elif not line:
                    self.say(say("plain.type"))
                else:
                    return self._legal(line, self._asked)
            except Illegal as error:
                self._refuse(error)
            except BeachheadError as error:
                for one in str(error).splitlines():
                    self.say(one, hang=2)
                if not command and self._asked and (later := guide.elsewhere(word, self._asked.name)):
                    self.say(later, hang=2)

    def _dice_line(self, line: str) -> str:
        """The line, if it names the dice that are wanted; `ROLL` where the match is to roll them itself."""
        assert self._wanted
        if typed.plain(line) in (ROLL, typed.plain(say("verb.roll"))):
            return ROLL
        typed.faces(line, self._wanted.faces, len(self._wanted.dice))
        return line

    def _remind(self) -> None:
        """Put the question again in one line when a long answer to a command stands between."""
        if self._asked is not None and self.screen.count > 4:
            self.say()
            self.say(self.match.game.prompt(self.match.state, self._asked), hang=2, bold=True)

    def _refuse(self, error: Illegal) -> None:
        reasons = say("list.break").join(f"{reason.text} [{reason.rule}]" for reason in error.reasons)
        self.say(say("plain.not-allowed", key=error.key, reasons=reasons), hang=2)

    def _legal(self, line: str, decision: Decision) -> str:
        key = self._understood(line, decision)
        if key in decision.keys:
            return key
        raise Illegal(key, self._reasons(key, decision))

    def _understood(self, line: str, decision: Decision) -> str:
        """The key that is meant; a number means an answer only where it was shown with it."""
        refusals = self.match.game.machine.refusals(self.match.state, decision.seat)

        def label(key: str) -> str:
            return self.match.game.label(self.match.state, decision, key)

        hint = menu.hint(self._offer) if self._offer.verb else say("plain.type")
        return typed.understand(line, self._offer, refusals, label, self._numbered, hint)

    def _reasons(self, key: str, decision: Decision) -> tuple[Reason, ...]:
        """Every rule in the way of this key; for a set of dice those in the way of each die."""
        refusals = self.match.game.machine.refusals(self.match.state, decision.seat)
        if key in refusals:
            return refusals[key]
        verb = key.partition(":")[0]
        found = tuple(reason for die in dice_of(key) for reason in refusals.get(f"{verb}:{die}", ()))
        return found or (Reason(say("plain.name", dice=menu.dice_count(*self._offer.sizes())), decision.rule),)

    # ---- commands

    def _help(self, rest: str) -> None:
        if typed.plain(rest) in ("game", typed.plain(say("plain.word-game"))):
            return self._help_game()
        if typed.plain(rest) in ("words", typed.plain(say("plain.word-words"))):
            return self.say(say("plain.help-words", words=", ".join(guide.words(self.g))), hang=2)
        if rest:
            if meaning := guide.meaning(self.g, rest):
                return self.say(meaning, hang=2)
            self.say(say("plain.no-word", word=rest[:40]), hang=2)
            return None
        for name, about in guide.help_lines():
            self.say(f"{name:<16} {about}", 2, 17)
        return None

    def _help_game(self) -> None:
        for paragraph in guide.intro(self.g):
            self.say(paragraph)

    def _why(self, rest: str) -> None:
        """Why an answer is or is not allowed, or where a number comes from."""
        seat = self._seat()
        words = typed.plain(rest).split() or ["all"]
        sectors = {name.casefold(): name for name in self.g.world.sectors}
        words[0] = _number(words[0])
        place = words[1:] if words[0] in ("sector", typed.plain(say("table.column.sector"))) else words
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
            raise Invalid(say("plain.no-number", text=rest))

    def _is_listed(self, word: str) -> bool:
        return word.isdecimal() and int(word[:6]) in self._numbered

    def _why_key(self, rest: str, decision: Decision) -> None:
        key = self._understood(rest, decision)
        if key in decision.keys:
            verb, _, card = key.partition(":")
            rule = rules.rule(self._rule_of(verb, card) or decision.rule)
            label = self.match.game.label(self.match.state, decision, key)
            self.say(say("plain.allowed", key=key, label=label, rule=f"{rule.id}, {rule.title}"), hang=2)
        else:
            self._refuse(Illegal(key, self._reasons(key, decision)))
        self._why_price(key, decision.seat)

    def _rule_of(self, verb: str, card: str) -> str:
        """The rule behind a card that an answer uses; "" for other answers."""
        return self.g.world.cards[card].rule if verb == "use" else ""

    def _why_price(self, key: str, seat: int) -> None:
        verb, _, name = key.partition(":")
        g = self.g
        if verb in ("rally", "find") and name in g.world.cards:
            price = say("number.stars" if verb == "rally" else "number.points")
            self.say(sheets.explained(price, questions.why(g, f"{verb}_cost", seat, card=name)), 2, 2)
        elif verb == "move" and any(way.to == name and way.forward for way in g.world.ways[g.units[seat].sector]):
            self.say(sheets.explained(say("face.courage"), questions.why(g, "advance_cost", seat, name)), 2, 2)

    def _explain(self, word: str, seat: int, sector: str) -> None:
        question = NUMBERS[word]
        where = sector or self.g.units[seat].sector
        found = questions.why(self.g, question, seat, sector)
        title = say(f"number.of.{question}", who=unit_name(seat), sector=where)
        self.say(sheets.explained(title, found), hang=2)

    def _rule(self, rest: str) -> None:
        if not rest and self._asked is None:
            raise Invalid(say("plain.name-rule"))
        rule = rules.rule(rest or (self._asked.rule if self._asked else ""))
        self.say(f"{rule.id}  {rule.title} ({rules.BOOKS[rule.book]})", hang=2)
        self.say(rule.text, 2)
        if rule.note:
            self.say(say("plain.note", note=rule.note), 2)
        if rule.basis:
            self.say(say(f"rules.basis.{rule.basis}"), 2)

    def _undo(self, rest: str) -> bool:
        """Take back the last answer of a person, with those that bots gave since."""
        points = self.match.undo_points()
        mine = next((n for n, point in enumerate(points) if self.seats.person(point.seat)), None)
        if mine is None:
            return self._undo_beyond()
        label = ""
        for _ in range(mine + 1):
            label = self.match.undo() or ""
        self._undone.append(mine + 1)
        self._changed()
        self.say(say("plain.undone", who=self._name(points[mine].seat), label=label))
        return True

    def _undo_beyond(self) -> bool:
        """Take back the last answer of a person although dice or cards have been seen since, if they really want to."""
        match = self.match
        points = [match.last_undo(seat, agreed=True) for seat in self.seats.people]
        point = max(filter(None, points), default=None)
        if point is None:
            raise Invalid(say("plain.no-undo"))
        reveals = match.game.machine.reveals
        for event in reversed(match.events):
            if event.cause.startswith("roll:") or event.type in reveals:
                said = self.match.game.narrate(event) or say("plain.revealed")
                self.say(say("plain.seen-since", said=said), hang=2)
                break
        self.say(say("plain.take-back-seen", who=self._name(point.seat), label=point.label), hang=2)
        if typed.plain(self._read()) not in (
            "yes",
            "y",
            typed.plain(say("plain.yes")),
            typed.plain(say("plain.yes"))[:1],
        ):
            self.say(say("plain.stays"))
            return False
        match.undo(point.seat, agreed=True)
        self._undone.append(1)
        self._changed()
        self.say(say("plain.undone", who=self._name(point.seat), label=point.label))
        return True

    def _redo(self, rest: str) -> bool:
        if not self._undone:
            raise Invalid(say("plain.no-redo"))
        events: list[Event] = []
        for _ in range(self._undone.pop()):
            events += self.match.redo()
        self._changed()
        self._tell(events)
        return True

    def _changed(self) -> None:
        """Undo or redo has changed what stands; what was told half is forgotten."""
        self._saved = None
        self._teller.forget()
        self._worth = ""
        self._played = True
        self._keep()

    def _save(self, rest: str) -> None:
        self._write(rest, False)

    def _save_over(self, rest: str) -> None:
        self._write(rest, True)

    def _write(self, rest: str, overwrite: bool) -> None:
        if not rest:
            raise Invalid(say("plain.name-file"))
        path = Path(os.path.expanduser(rest))
        if os.path.isfile(path) and not overwrite:
            raise Invalid(say("plain.file-there", path=path, name=rest))
        sealed = self.match.commitment
        try:
            self.match.save(path, overwrite)
            self._saved = path
            self.raw(say("plain.saved", path=path))
        finally:
            if self.match.commitment != sealed:
                self.say(say("plain.new-seed"))
                self._seed("")

    def _log(self, rest: str) -> None:
        if rest and not re.fullmatch("[0-9]{1,6}", rest):
            raise Invalid(say("plain.log-number", text=rest))
        events = [event for event in self.match.events if not text.unchosen(self.g, event)]
        told = [(event, said) for event in events if (said := self.match.game.narrate(event))]
        for event, said in told[-int(rest or 20) :] if rest != "0" else []:
            self.say(f"{said} [{event.rule}]", 0 if event.type == "turn" else 2, 4)

    def _state(self, rest: str) -> None:
        for line in sheets.units_table(self.g, self.seats.titles(self.g), self.seats.people):
            self.say(line, hang=4)

    def _dice(self, rest: str) -> None:
        for line in sheets.tray(self.g, self._seat()):
            self.say(line, 4)
        worth = say("tray.worth", worth=sheets.worth(self.g, self._seat()))
        if rest != "short" or worth != self._worth:
            self.say(worth, 4)
        self._worth = worth

    def _map(self, rest: str) -> None:
        self.say(sheets.map_title(self.g), bold=True)
        about = spoken.map_text(self.g.world.map)
        if about and not self.g.world.setup.level:  # it may speak of what a level leaves out
            self.say(about)
        for line in sheets.board(self.g):
            if line.sector:
                self.say(f"{line.sector:>4}  {line.text}", hang=6)
            else:
                self.raw(f"      ---- {line.text} ----")

    def _card(self, rest: str) -> None:
        if not rest:
            found = sheets.cards_in_reach(self.g, self._seat())
            for title, names in found:
                self.say(say("table.title", title=title, text=", ".join(names)), hang=2)
            self.say(say("plain.read-one" if found else "plain.no-cards"))
            return
        wanted = typed.plain(rest)
        called = {card: (typed.plain(card), typed.plain(card_name(card))) for card in self.g.world.cards}
        fits = [card for card in called if wanted in called[card]]
        fits = fits or [card for card in called if any(name.startswith(wanted) for name in called[card])]
        fits = fits or [card for card in called if any(wanted in name for name in called[card])]
        if len(fits) != 1:
            key = "plain.several-cards" if fits else "plain.no-card"
            raise Invalid(say(key, text=rest, cards=", ".join(fits)))
        for n, line in enumerate(sheets.card_sheet(self.g, fits[0])):
            self.say(line, 2 if n else 0, 2)

    def _bonus(self, rest: str) -> None:
        for face, name, about in sheets.bonus_list(self.g, self._seat()):
            self.say(f"{face:<11} {say('table.title', title=name, text=about)}", 2, 12)

    def _keys(self, rest: str) -> None:
        if self._asked is None:
            raise Invalid(say("plain.no-question"))
        self._numbered = set(range(1, len(self._offer.keys) + 1))
        for n, key in enumerate(self._offer.keys, 1):
            self.say(f"{n:>3} {key:<24} {self.match.game.label(self.match.state, self._asked, key)}", 2, 4)

    def _advise(self, rest: str) -> None:
        """The best answers to this question, or all, each with the probability to win."""
        decision = self._asked
        if decision is None:
            raise Invalid(say("plain.no-question"))
        every = typed.plain(rest) in ("all", typed.plain(say("verb.all")))
        if rest and not every:
            raise Invalid(say("advise.rest", text=rest[:40]))
        advice = self._advice(decision)
        if advice is None:
            return self.say(say("advise.nothing"))
        from ..advise.words import table

        self._best_dice(decision, advice.options[0].key)
        most = 0 if every else ADVISED
        for n, line in enumerate(table(advice, self.match.state, decision, self._offer.keys, most)):
            self.raw(f"    {line}") if n else self.say(line, 2, 2)
        self._numbered |= {self._offer.keys.index(one.key) + 1 for one in advice.options[: most or None]}
        if most and len(advice.options) > most:
            self.say(say("advise.more", n=len(advice.options) - most), 4)
        return self.say(" ".join(advice.why), 2)

    def _best_dice(self, decision: Decision, key: str) -> None:
        """Point at the dice of the best answer."""
        if sheets.shows_dice(self.g, decision) and (marks := sheets.best_dice(self.g, decision, key)):
            for line in sheets.tray(self.g, decision.seat, *marks):
                self.say(line, 4)

    def _advice(self, decision: Decision) -> Advice | None:
        machine, state = self.match.game.machine, self.match.state
        clone = machine.clone(state)
        found = advise(decision, lambda: machine.view(clone, decision.seat), state=clone)
        self._get_ready()
        return found

    def _get_ready(self) -> None:
        """While the person reads and thinks, the adviser works out what its next answers would have to wait for."""
        if self._ready is None or not self._ready.is_alive():
            machine, state = self.match.game.machine, self.match.state
            steps = warm(machine.view(state, None), machine.clone(state), self.seats.people)
            self._ready = Thread(target=lambda: [None for _ in steps], name="beachhead-ready", daemon=True)
            self._ready.start()

    def _position(self, rest: str) -> None:
        self.raw(write_position(self.g))

    def _seed(self, rest: str) -> None:
        self.say(say("plain.proof"))
        self.raw(f"  {self.match.commitment}")

    def _quit(self, rest: str) -> None:
        raise Quit

    def _name(self, seat: int) -> str:
        return unit_name(seat)

    def _seat(self) -> int:
        """Whose numbers and dice are meant: those of the Unit that is asked, or else of the first person."""
        if self._asked is not None:
            return self._asked.seat
        if self._wanted and self.match.roller >= 0:
            return self.match.roller
        return next((seat for seat, bot in enumerate(self.seats.bots) if bot is None), 0)


COMMANDS: dict[str, str] = {
    "help": "_help",
    "?": "_help",
    "why": "_why",
    "rule": "_rule",
    "undo": "_undo",
    "redo": "_redo",
    "save": "_save",
    "save!": "_save_over",
    "log": "_log",
    "state": "_state",
    "dice": "_dice",
    "map": "_map",
    "card": "_card",
    "cards": "_card",
    "bonus": "_bonus",
    "keys": "_keys",
    "seed": "_seed",
    "advise": "_advise",
    "position": "_position",
    "quit": "_quit",
    "exit": "_quit",
}
"""What can be typed -> the method that does it with the rest of the line; True if the question has to be put anew."""


def _command(word: str) -> str:
    """The command that this word names, in English or in the language that is spoken; "" if it names none."""
    wanted = word.casefold()
    if wanted in COMMANDS:
        return COMMANDS[wanted]
    bare = (typed.plain(wanted), wanted.endswith("!"))
    for name, command in COMMANDS.items():
        if name.isalpha() and bare == (typed.plain(say(f"command.{name}")), False):
            return command
    return "_save_over" if bare == (typed.plain(say("command.save")), True) else ""


def _typed_as(*words: str | Path) -> str:
    """A command line of ours, with the packs that are named now, as a shell takes it."""
    packs = [part for folder in named_folders() for part in ("--packs", folder)]
    return shlex.join(str(word) for word in ("beachhead", *packs, *words))


def _number(word: str) -> str:
    """The word of `NUMBERS` that this is in the language that is spoken, or the word as it is."""
    return next((name for name in ("def", "mgf", "lock", "dice") if word == typed.plain(say(f"why.{name}"))), word)
