"""Battle! and Express! in the plain line mode: what lies on the table, and the questions with their answers.

The conversation itself (commands, undo, saving) is that of `plain`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import rules
from ..advise import Advice, speaks
from ..core import record
from ..core.errors import Invalid
from ..core.node import Ask, Decision, Event, Over, Roll
from ..landing.dice import FACES
from ..landing.own_dice import Thrown
from ..landing.words import die_words
from ..pocket import battle, express, outline
from ..pocket.content import STRAIGHT, beach_name, card_name, card_text, sector_of, sector_text
from ..pocket.own_dice import thrown
from ..pocket.text import FIELD_WORDS, SYMBOL_WORDS, axis_words, cards_words, faces_words, player_name, sector_title
from ..say import capital, say
from . import guide, menu, typed
from .plain import Plain

MANY = 4
"""So many answers that use one card share a line."""
OWN_HELP = ("why", "state", "map", "card", "bonus", "help")
HELP = tuple(name for name in guide.HELP if name not in ("position", "word"))
"""What can be typed; of these the first have other words here."""


class Small(Plain):
    """One game of Pocket at one screen."""

    @property
    def table(self) -> Any:
        return self.match.state

    @property
    def is_express(self) -> bool:
        return isinstance(self.table, express.Express)

    # ---- from start to end

    def _open(self) -> None:
        match = self.match
        game = say(f"pocket.game.{match.game.name}")
        self.say(say("pocket.plain.title-practice" if match.practice else "pocket.plain.title", game=game), bold=True)
        self.say(say("plain.welcome"))
        for option in sorted(self.table.world.options):
            self.say(capital(say(f"pocket.option.{option}")), hang=2)
        if match.own_dice:
            self.say(say("own-dice.opening"), hang=2)
        self.say()
        fresh = not any(isinstance(entry, record.Answered) for entry in match.record.entries)
        if fresh:
            self._help_game()
            self.say()
        self._seed("")
        if fresh:
            self._tell(match.events)
        else:
            self.say(say("pocket.plain.goes-on"), bold=True)
            self._state("")

    def _ending(self, over: Over) -> Sequence[str]:
        said = [self.match.game.narrate(self.match.events[-1])]
        if self.is_express:
            said.append(say("pocket.end.sectors", n=self.table.cleared))
        else:
            said += self._scores()
        return said

    def _tell(self, events: Sequence[Event]) -> None:
        """Narrate events; a new turn or sector has a heading."""
        shown = self._trays()
        for event in events:
            said = self.match.game.narrate(event)
            if not said or event.type == "over" or (event.type == "dice" and event.seat in shown):
                continue
            if event.type in ("turn", "sector"):
                self.say()
                self.say(f"---- {said} " + "-" * 12, bold=True)
            else:
                self.say(said + (f" [{event.rule}]" if self._teller.cite else ""), 2, 2)

    def _trays(self) -> set[int]:
        """The seats of people whose dice are shown with their next question."""
        node = self.match.node()
        return {seat for seat in node.seats if self.seats.person(seat)} if isinstance(node, Ask) else set()

    # ---- asking

    def _show(self, decision: Decision) -> None:
        self._asked = decision
        self._offer = offer = typed.offer(decision.keys)
        self.say()
        self._dice("")
        self.say(self.match.game.prompt(self.table, decision), hang=2, bold=True)
        if offer.verb:
            self.say(menu.hint(offer), 2)
        lines = self._lines(decision, offer.keys[: offer.listed])
        self._numbered = menu.numbers(lines, 2 * menu.MOST)
        self._list(lines[: 2 * menu.MOST])
        if rest := lines[2 * menu.MOST :]:
            self.say(menu.rest(rest), 2, 2)
        if self.adviser and (advice := self._advice(decision)):
            self.say(say("advise.says", why=" ".join(advice.why)), 2, 2)

    def _lines(self, decision: Decision, keys: Sequence[str]) -> list[menu.Line]:
        """One line for each answer, but one for all that use the same card on dice."""
        found: list[menu.Line] = []
        n = 0
        while n < len(keys):
            stem = ":".join(keys[n].split(":")[:2])
            many = next((m for m, key in enumerate(keys[n:]) if not key.startswith(f"{stem}:")), len(keys) - n)
            label = self.match.game.label(self.table, decision, keys[n])
            if many < MANY or not keys[n].startswith(("use:", "play:")):
                card = keys[n].split(":")[1] if ":" in keys[n] else ""
                detail = card_text(card) if card in self._cards() else ""
                found.append(menu.Line(str(n + 1), keys[n], label, detail))
                n += 1
            else:
                card = stem.partition(":")[2]
                said = say("pocket.plain.one-of", card=card_name(card), n=many, key=keys[n])
                found.append(menu.Line(f"{n + 1}-{n + many}", stem, said, card_text(card)))
                n += many
        return found

    def _thrown(self, roll: Roll, whose: int) -> Thrown:
        return thrown(self.table, roll, whose)

    def _rule_of(self, verb: str, card: str) -> str:
        return ""

    def _name(self, seat: int) -> str:
        return player_name(seat)

    # ---- what lies on the table

    def _cards(self) -> tuple[str, ...]:
        box = self.table.world.box
        return tuple(box.specialists if self.is_express else box.medals)

    def _scores(self) -> list[str]:
        g: battle.Battle = self.table
        titles = self._titles()
        lines = []
        for seat, player in enumerate(g.players):
            medals = cards_words(player.medals) or say("pocket.plain.no-medal")
            lines.append(say("pocket.plain.player", who=titles[seat], n=player.score, medals=medals))
        return lines

    def _titles(self) -> list[str]:
        several = len(self.seats.people) > 1
        return [
            say("pocket.plain.bot", who=player_name(seat), bot=bot.code)
            if bot
            else player_name(seat)
            if several
            else capital(say("table.you"))
            for seat, bot in enumerate(self.seats.bots)
        ]

    def _state(self, rest: str) -> None:
        g = self.table
        if not self.is_express:
            for line in self._scores():
                self.say(line, hang=4)
            return
        self.say(sector_title(g.beach, g.sector) if g.sector else beach_name(g.beach), hang=4)
        if g.sector and (about := sector_text(g.beach, g.sector, g.world.advanced)):
            self.say(about, 2, 2)
        squad = cards_words(g.squad) or say("pocket.plain.nobody")
        self.say(say("pocket.plain.squad", cards=squad), hang=4)
        if g.gone:
            self.say(say("pocket.plain.gone", cards=cards_words(g.gone)), hang=4)

    def _dice(self, rest: str) -> None:
        g, seat = self.table, self._seat()
        if g.axis or g.black >= 0:
            self.say(say("pocket.event.axis", dice=axis_words(g.axis, g.black)), 4)
        if not self.is_express and g.field_ >= 0:
            name = battle.FIELDS[g.field_]
            about = say(f"pocket.field-text.{name}")
            self.say(capital(say("pocket.event.field", name=FIELD_WORDS[name], about=about)), 4)
        faces, colours = outline.faces_of(g, seat), outline.colours_of(g, seat)
        if max(faces) < 0:
            return
        rows = [die_words(place, faces[place], colours[place]) for place in range(6) if faces[place] >= 0]
        self.say("   ".join(rows), 4)
        missing = outline.pairing(g, seat).missing
        key = "pocket.plain.missing" if missing else "pocket.plain.all-there"
        self.say(say(key, dice=faces_words(missing)), 4)

    def _map(self, rest: str) -> None:
        g = self.table
        if not self.is_express:
            for name in battle.FIELDS:
                self.say(say("table.title", title=FIELD_WORDS[name], text=say(f"pocket.field-text.{name}")), 2, 4)
            return
        for beach in g.world.beaches:
            self.say(beach_name(beach), bold=True)
            for number in range(1, 7):
                about = sector_text(beach, number, g.world.advanced)
                mark = ">" if (beach, number) == (g.beach, g.sector) else " "
                title = f"{mark} {number} {say(f'pocket.sector.{number}')}"
                if sector_of(beach, number, g.world.advanced).basis == "reconstructed":
                    about = say("pocket.plain.reconstructed", text=about)
                self.say(say("table.title", title=title, text=about) if about else title, 2, 6)

    def _card(self, rest: str) -> None:
        wanted = typed.plain(rest)
        called = {card: (typed.plain(card), typed.plain(card_name(card))) for card in self._cards()}
        fits = [card for card in called if any(name.startswith(wanted) for name in called[card])]
        if not fits:
            raise Invalid(say("plain.no-card", text=rest, cards=""))
        for card in fits:
            self.say(say("table.title", title=card_name(card), text=card_text(card)), 2, 4)

    def _bonus(self, rest: str) -> None:
        for symbol in (*FACES, STRAIGHT):
            card = self.table.world.by_symbol.get(symbol)
            if card:
                title = capital(SYMBOL_WORDS[symbol])
                self.say(say("table.title", title=title, text=card_name(card)), 2, 4)

    def _why(self, rest: str) -> None:
        if self._asked is None:
            raise Invalid(say("plain.no-question"))
        if rest:
            self._why_key(rest, self._asked)
            return
        rule = rules.rule(self._asked.rule)
        self.say(f"{rule.id}  {rule.title}", hang=2)

    def _why_price(self, key: str, seat: int) -> None:
        """Nothing has a price here."""

    def _help(self, rest: str) -> None:
        if typed.plain(rest) in ("game", typed.plain(say("plain.word-game"))):
            return self._help_game()
        if rest:
            self.say(say("pocket.plain.help-one"), hang=2)
            return None
        for name in HELP:
            about = say(f"pocket.helps.{name}" if name in OWN_HELP else f"helps.{name}")
            self.say(f"{say(f'help.{name}'):<16} {about}", 2, 17)
        return None

    def _help_game(self) -> None:
        name = self.match.game.name
        for n in range(1, 4):
            self.say(say(f"pocket.guide.{name}-{n}"))

    def _advice(self, decision: Decision) -> Advice | None:
        if not speaks(self.match.game.machine.view(self.match.state, None)):
            raise Invalid(say("advise.other-setup"))
        return super()._advice(decision)

    def _best_dice(self, decision: Decision, key: str) -> None:
        """The best answer names its dice."""

    def _position(self, rest: str) -> None:
        raise Invalid(say("pocket.plain.no-position"))

    def _seat(self) -> int:
        g = self.table
        if self._asked is None and not self.is_express and g.active >= 0:
            return int(g.active)
        return super()._seat()
