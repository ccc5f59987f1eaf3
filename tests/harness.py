"""One harness for every game: random playthroughs that check, at every step, what the core promises.

A game joins with one line in `test_every_game.py`:

    Entry("pig", no_board.GAME, [{"seats": 2, "goal": 20}])

A failure says which game, setup, seed and step; `check_playthrough(entry, setup, seed)` plays the same game again.
"""

from __future__ import annotations

import copy
import dataclasses
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb, isclose, perm, prod
from random import Random
from typing import Any, TypeVar

from beachhead import rules
from beachhead.bots import Bot
from beachhead.core import chance
from beachhead.core.errors import BeachheadError, Illegal, Invalid, Stale
from beachhead.core.game import Game, Setup
from beachhead.core.machine import Frame, State
from beachhead.core.node import Answer, Ask, Decision, Event, Node, Outcome, Over, Roll
from beachhead.core.plain import fields, to_json

T = TypeVar("T")

Move = Answer | Outcome
MOST_KEYS = 40
"""Of a decision with more keys than this so many are tried, picked at random; in games of bots a quarter of them."""
MOST_OUTCOMES = 10_000
"""A roll with more outcomes than this is not enumerated."""
SCALARS = frozenset({str, int, float, bool, type(None)})
Parts = dict[int, str]
"""Objects that can change: where each lies, by its identity."""


def no_order(decision: Decision, key: str) -> bool:
    return False


@dataclass(frozen=True)
class Entry:
    """A game for the harness. The first three are needed; each of the others lets it check more.

    ledger, counted   the numbers that the events from the start tell, and the same numbers read off the state
    conserved         what never comes or goes, such as cards and dice
    scramble          changes in the given state everything that is hidden from that seat (None: a spectator) and
                      gives it back, or gives None where nothing is hidden
    order_matters     True for a key that touches what other seats touch too: who answers first may matter then
    shared_ok         types of objects in the state that a clone may share although they are neither scalars nor tuples
    most_steps        a game must be over after so many answers and outcomes
    games             random games per setup in an ordinary run of the tests
    """

    name: str
    game: Game
    setups: list[Setup]
    ledger: Callable[[list[Event]], dict[str, Any]] | None = None
    counted: Callable[[Any], dict[str, Any]] | None = None
    conserved: Callable[[Any], Counter[str]] | None = None
    scramble: Callable[[Any, int | None, Random], Any] | None = None
    order_matters: Callable[[Decision, str], bool] = no_order
    shared_ok: tuple[type, ...] = ()
    most_steps: int = 5_000
    games: int = 3

    def __post_init__(self) -> None:
        if (self.ledger is None) != (self.counted is None):
            raise ValueError(f"{self.name}: ledger and counted are compared with each other; give both or none")


def check_playthrough(
    entry: Entry, setup: Setup, seed: int, player: Bot | None = None, often: float = 1
) -> Counter[str]:
    """Play one game with every check; how often each check had something to look at.

    The game is random, or that of a bot in all seats. `often`: the share of the steps at which everything is checked;
    at the others it is looked at the node and the events only, and one undo is tried instead of three.
    """
    play = Playthrough(entry, setup, seed, player, often)
    try:
        play.run()
    except Exception as error:
        last = ", ".join(_short(move) for move in play.moves[-5:]) or "none yet"
        error.add_note(f"game {entry.name}, setup {to_json(setup)}, seed {seed}, step {len(play.moves)}; last: {last}")
        raise
    return play.looked


class Playthrough:
    """One game. It is played on now in the old state, now in its clone, now in what was read back from JSON."""

    def __init__(self, entry: Entry, setup: Setup, seed: int, player: Bot | None, often: float) -> None:
        self.entry, self.game, self.machine, self.setup = entry, entry.game, entry.game.machine, setup
        self.player, self.often = player, often
        self.random = Random(seed)
        self.dice = chance.seed_from(f"harness {seed}")
        self.moves: list[Move] = []
        self.events: list[Event] = []
        self.told: list[str] = []
        """Each event as it read when it was told."""
        self.kept: dict[int, tuple[State, str]] = {}
        """The state before each move at which everything was checked, kept alive, and its text then."""
        self.questions: dict[tuple[int, int], Frame] = {}
        self.rolls: dict[str, list[bool]] = {}
        """Per kind of roll: did two different outcomes lead to different states?"""
        self.stock: Counter[str] | None = None
        self.looked: Counter[str] = Counter()

    def run(self) -> None:
        g = self._new()
        while True:
            if self.often >= 1 or self.random.random() < self.often or isinstance(self.machine.node(g), Over):
                g, move = self._check_step(g)
            else:
                self._check_node(g)
                move = self._choose(g, self.machine.node(g))
            if move is None:
                break
            assert len(self.moves) < self.entry.most_steps, f"no end after {self.entry.most_steps} steps"
            self._move(g, move)
        self._check_old_states()
        self._check_undo_and_redo()
        for kind, different in self.rolls.items():
            assert any(different) or len(different) < 20, f"the outcome of the roll {kind!r} never mattered"

    def _check_step(self, g: State) -> tuple[State, Move | None]:
        """Everything that is promised of a state; gives where to play on, and the move, or None when it is over."""
        text = self._text(g)
        twin, loaded = self._check_copies(g, text)
        node = self.machine.node(g)
        self._check_node(g)
        self._check_views(g)
        self._check_sums(g)
        if isinstance(node, Ask):
            self._check_questions(g, node)
            self._check_order_of_answers(g, node)
        elif isinstance(node, Roll):
            self._check_roll(g, node)
        else:
            self._check_over(g)
            self.kept[len(self.moves)] = g, text
            return g, None
        move = self._choose(g, node)
        assert self._text(g) == text, "looking at the state, or an answer that was refused, changed it"
        on = self.random.choice((g, twin, loaded))
        self.kept[len(self.moves)] = twin if on is g else g, text
        if self.entry.scramble and self.random.random() < 0.5:
            self._check_hidden_move(g, move)
        return on, move

    # ---- moving

    def _new(self) -> State:
        before = copy.deepcopy(self.setup)
        g, events = self.game.new(self.setup)
        again, _ = self.game.new(self.setup)
        assert self.setup == before, "setting up the game changed the setup"
        assert g == again, "the same setup gave two different states"
        assert self.game.content_hash(self.setup), "the game has no content hash"
        self._check_events(g, 0, events, thorough=True)
        return g

    def _choose(self, g: State, node: Node) -> Move:
        assert not isinstance(node, Over)
        if isinstance(node, Roll):
            return chance.sample(self.dice, node)
        decision = node.decision(self.random.choice(node.seats))
        if self.player is None:
            key = self.random.choice(decision.keys)
        else:
            key = self.player.answer(decision, lambda: self.machine.view(g, decision.seat), self.random)
            assert key in decision.keys, f"the bot {self.player.code} answers {decision.name!r} by {key!r}"
        return Answer(decision.seat, decision.seq, key)

    def _move(self, g: State, move: Move) -> None:
        told, thorough = g.told, len(self.moves) in self.kept
        events = self.machine.apply(g, move)
        self.moves.append(move)
        self._check_events(g, told, events, thorough)
        if thorough and isinstance(move, Answer):
            self._refused(g, move, Stale, Invalid)

    def _settle(self, g: State) -> None:
        """Roll until a seat is asked again or the game is over."""
        while isinstance(node := self.machine.node(g), Roll):
            self.machine.apply(g, chance.sample(self.dice, node))

    def _text(self, g: State) -> str:
        return to_json(self.machine.dump(g))

    def _some(self, keys: Sequence[T]) -> Sequence[T]:
        most = MOST_KEYS if self.often >= 1 else MOST_KEYS // 4
        return keys if len(keys) <= most else self.random.sample(keys, most)

    # ---- the node

    def _check_node(self, g: State) -> None:
        node = self.machine.node(g)
        _need_rule(node)
        if isinstance(node, Roll):
            assert node.stream, "a roll without a stream"
            assert node.number == g.drawn.get(node.stream, 0), f"roll {node.stream}:{node.number} has the wrong number"
            assert node.size > 0, f"the roll {node.stream} is of nothing"
        elif isinstance(node, Over):
            assert node.cause, "the game is over without a cause"
        else:
            assert len(node.seats) > 0, "nobody is asked"
            assert list(node.seats) == sorted(set(node.seats)), f"waiting seats out of order: {node.seats}"
            for seat, decision in zip(node.seats, node.decisions, strict=True):
                assert decision.seat == seat, f"seat {seat} got the question of seat {decision.seat}"
                assert decision.seq == g.asked[seat], f"seat {seat}: question {decision.seq}, but {g.asked[seat]} asked"
                assert decision.name, f"seat {seat}: a question without a name"
                assert len(decision.keys) > 0, f"seat {seat} is asked {decision.name!r} and may answer nothing"
                assert all(decision.keys), f"{decision.name!r} offers an empty key"
                twice = [key for key, n in Counter(decision.keys).items() if n > 1]
                assert not twice, f"{decision.name!r} offers {twice[:5]} more than once"

    def _check_questions(self, g: State, node: Ask) -> None:
        """Every key that is offered works; every other is refused with the right error and changes nothing."""
        for decision in node.decisions:
            seat, seq = decision.seat, decision.seq
            frame = self.questions.setdefault((seat, seq), g.lanes[seat][-1])
            assert frame == g.lanes[seat][-1], f"seat {seat}: another question under the old number {seq}"
            assert self.game.prompt(g, decision), f"{decision.name!r} has no prompt"
            for key in self._some(decision.keys):
                assert self.game.label(g, decision, key), f"{key!r} has no label"
                self._try(g, Answer(seat, seq, key))
            key = decision.keys[0]
            self._refused(g, Answer(seat, seq, "no such key!"), Invalid)
            self._refused(g, Answer(seat, seq + 1, key), Invalid)
            self._refused(g, Answer(seat, seq - 1, key), Stale)
            refusals = self.machine.refusals(g, seat)
            for refused in self._some(list(refusals)):
                self.looked["refusals"] += 1
                assert refused not in decision.keys, f"{refused!r} is both legal and refused"
                error = self._refused(g, Answer(seat, seq, refused), Illegal)
                assert isinstance(error, Illegal)
                assert error.reasons == tuple(refusals[refused]), (
                    f"{refused!r} was refused for other reasons than listed"
                )
                assert len(error.reasons) > 0, f"{refused!r} is refused without a reason"
                for reason in error.reasons:
                    assert reason.text, f"{refused!r} is refused without a word"
                    _need_rule(reason)
        for seat in (-1, *range(len(g.lanes) + 1)):
            if seat not in node.seats:
                self._refused(g, Answer(seat, g.asked[seat] if 0 <= seat < len(g.asked) else 0, "done"), Invalid)
        self._refused(g, (0,), Invalid)

    def _try(self, g: State, move: Move) -> State:
        """The state that this move leads to; it must be a sound one."""
        there = self.machine.clone(g)
        try:
            self.machine.apply(there, move)
            self._check_node(there)
        except Exception as error:
            error.add_note(f"while trying {_short(move)}")
            raise
        return there

    def _refused(self, g: State, move: Move, *kinds: type[BeachheadError]) -> BeachheadError:
        """The move must be refused with an error of one of these kinds, and leave the state as it was."""
        before = self.machine.clone(g)
        expected = " or ".join(kind.__name__ for kind in kinds)
        try:
            self.machine.apply(g, move)
        except BeachheadError as error:
            assert type(error) in kinds, f"{_short(move)} raised {error!r}; {expected} was expected"
            assert g == before, f"{_short(move)} was refused, but changed the state"
            assert str(error), f"{_short(move)} was refused without a word"
            return error
        raise AssertionError(f"{_short(move)} was carried out; {expected} was expected")

    def _check_over(self, g: State) -> None:
        self._refused(g, Answer(0, g.asked[0], "done"), Invalid)
        self._refused(g, (0,), Invalid)
        assert not g.main and not any(g.lanes), "the game is over, but work is pending"

    # ---- chance

    def _check_roll(self, g: State, roll: Roll) -> None:
        """The outcome given is the outcome applied; what is no outcome is refused."""
        _check_outcomes(roll._replace(stream="", number=0, rule="", source=""))
        good = chance.sample(self.dice, roll)
        assert roll.accepts(good), f"{good} was sampled, but is not accepted"
        wrong: list[Outcome] = [good[:-1], (*good, good[0]), ("no such card", *good[1:])]
        if roll.deck:
            wrong.append((0, *good[1:]))
            wrong.append((good[0],) * (roll.deck.count(str(good[0])) + 1))
        else:
            wrong += [(face, *good[1:]) for face in (roll.low - 1, roll.low + roll.sides)]
        for outcome in wrong:
            self._refused(g, outcome, Invalid)
        self._refused(g, Answer(0, g.asked[0], "done"), Invalid)
        there = self._text(self._try(g, good))
        assert self._text(self._try(g, good)) == there, f"the outcome {good} led to two different states"
        different = self.rolls.setdefault(roll.stream.split(":")[0], [])
        for n in range(3):
            other = chance.sample(f"{self.dice} {n}", roll)
            if sorted(map(str, other)) != sorted(map(str, good)):
                different.append(self._text(self._try(g, other)) != there)

    # ---- copies

    def _check_copies(self, g: State, text: str) -> tuple[State, State]:
        """A clone and what is read back from JSON: equal to the state, and nothing that changes is in common."""
        twin = self.machine.clone(g)
        loaded = self.game.load(self.setup, json.loads(text))
        mine = self._parts(g, "state")
        for what, other in (("the clone", twin), ("the state read back from JSON", loaded)):
            assert type(other) is type(g), f"{what} is a {type(other).__name__}"
            assert other == g, f"{what} is not equal: {_difference(g, other)}"
            assert self._text(other) == text, f"{what} is written down otherwise"
            assert _shape(self.machine.node(other)) == _shape(self.machine.node(g)), f"{what} is at another node"
            for part, path in self._parts(other, "state").items():
                assert part not in mine, f"{what} shares {path} with the state ({mine[part]} there)"
        return twin, loaded

    def _parts(self, value: object, path: str, found: Parts | None = None) -> Parts:
        """Every object inside that can change, by its identity; what is not plain data is an error."""
        found = {} if found is None else found
        kind = type(value)
        if kind in SCALARS or isinstance(value, self.entry.shared_ok):
            return found
        if isinstance(value, list | tuple):
            if not isinstance(value, tuple):
                found[id(value)] = path
            for n, item in enumerate(value):
                if type(item) not in SCALARS:
                    self._parts(item, f"{path}[{n}]", found)
        elif isinstance(value, dict):
            found[id(value)] = path
            for key, item in value.items():
                assert type(key) is str, f"{path} has the key {key!r}, which is no text"
                self._parts(item, f"{path}[{key!r}]", found)
        else:
            assert dataclasses.is_dataclass(kind), f"{path} is no plain data, but a {kind.__name__}"
            found[id(value)] = path
            for name, _ in fields(kind):
                self._parts(getattr(value, name), f"{path}.{name}", found)
        return found

    def _check_old_states(self) -> None:
        for step, (state, text) in self.kept.items():
            assert self._text(state) == text, f"the old state of step {step} was changed later"
        for event, text in zip(self.events, self.told, strict=True):
            assert to_json(event) == text, f"event {event.n} was changed after it was told: {text}"

    def _check_undo_and_redo(self) -> None:
        """Undo is to play again from the setup; redo is to play on from there. Both end in the same bytes."""
        end = self.kept[len(self.moves)][1]
        for k in self.random.sample(sorted(self.kept), min(3 if self.often >= 1 else 1, len(self.kept))):
            g, events = self.game.new(self.setup)
            for move in self.moves[:k]:
                events += self.machine.apply(g, move)
            assert self._text(g) == self.kept[k][1], f"undo to step {k} gave another state"
            old = self.machine.clone(self.kept[k][0])
            for move in self.moves[k:]:
                events += self.machine.apply(g, move)
                self.machine.apply(old, move)
            assert self._text(g) == end, f"undo to step {k} and redo gave another end"
            assert self._text(old) == end, f"playing on from the old state of step {k} gave another end"
            assert [to_json(event) for event in events] == self.told, f"undo to step {k} and redo told something else"

    # ---- events and sums

    def _check_events(self, g: State, told: int, events: list[Event], thorough: bool) -> None:
        mine = self._parts(g, "state") if thorough else {}
        for n, event in enumerate(events):
            where = f"event {event.n} ({event.type})"
            assert event.n == told + n, f"{where} should have the number {told + n}"
            assert event.type and event.cause, f"{where} has no type or no cause"
            assert -1 <= event.seat < len(g.lanes), f"{where} happened to seat {event.seat}"
            _need_rule(event)
            assert isinstance(self.game.narrate(event), str), f"{where} has no narration"
            if event.audience is not None:
                seats = sorted(set(event.audience) & set(range(len(g.lanes))))
                assert list(event.audience) == seats, f"{where} is for the seats {event.audience}"
            for part, path in self._parts(event, where).items():
                assert part not in mine, f"{path} is the same object as {mine[part]}"
        assert g.told == told + len(events), f"{g.told - told} events were counted, {len(events)} told"
        self.events += events
        self.told += [to_json(event) for event in events]

    def _check_sums(self, g: State) -> None:
        if self.entry.ledger and self.entry.counted:
            told, counted = self.entry.ledger(self.events), self.entry.counted(g)
            assert told == counted, f"the events tell {told}, the state says {counted}"
        if self.entry.conserved:
            stock = self.entry.conserved(g)
            self.stock = stock if self.stock is None else self.stock
            assert stock == self.stock, f"came: {stock - self.stock}, went: {self.stock - stock}"

    # ---- what a seat may see

    def _seats(self, g: State) -> tuple[int | None, ...]:
        return (None, *range(len(g.lanes)))

    def _check_views(self, g: State) -> None:
        mine = self._parts(g, "state")
        for seat in self._seats(g):
            view = self.machine.view(g, seat)
            text = to_json(view)
            for part, path in self._parts(view, "view").items():
                assert part not in mine, f"seat {seat}: {path} is the same object as {mine[part]}"
            hidden = self._scrambled(g, seat)
            if hidden is not None:
                assert to_json(self.machine.view(hidden, seat)) == text, f"seat {seat} sees what is hidden from it"

    def _scrambled(self, g: State, seat: int | None) -> State | None:
        if self.entry.scramble is None:
            return None
        hidden: State | None = self.entry.scramble(self.machine.clone(g), seat, self.random)
        if hidden is None or hidden == g:
            return None
        self.looked["scrambled"] += 1
        return hidden

    def _check_hidden_move(self, g: State, move: Move) -> None:
        """A move that reveals nothing tells a seat the same, whatever is hidden from it."""
        for seat in self._seats(g):
            hidden = self._scrambled(g, seat)
            if hidden is None:
                continue
            here = self.machine.clone(g)
            try:
                told = [self.machine.apply(state, move) for state in (here, hidden)]
            except BeachheadError:
                continue
            if not self.machine.reveals.isdisjoint(event.type for events in told for event in events):
                continue
            self.looked["hidden moves"] += 1
            seen, also = [[e for e in events if e.audience is None or seat in e.audience] for events in told]
            assert seen == also, f"seat {seat} is told what is hidden from it: {seen} or {also}"
            views = [to_json(self.machine.view(state, seat)) for state in (here, hidden)]
            assert views[0] == views[1], f"after {_short(move)} seat {seat} sees what is hidden from it"

    # ---- seats that answer at the same time

    def _check_order_of_answers(self, g: State, node: Ask) -> None:
        for pair in self._pairs(node.seats):
            answers = []
            for seat in pair:
                decision = node.decision(seat)
                key = self.random.choice(decision.keys)
                if not self.entry.order_matters(decision, key):
                    answers.append(Answer(seat, decision.seq, key))
            if len(answers) < 2:
                continue
            ends = [there for there in (self._both(g, answers), self._both(g, answers[::-1])) if there]
            if len(ends) == 2:
                self.looked["orders"] += 1
                names = " and ".join(_short(answer) for answer in answers)
                assert self._text(ends[0]) == self._text(ends[1]), f"the order of {names} matters: {_difference(*ends)}"

    def _pairs(self, seats: tuple[int, ...]) -> list[tuple[int, int]]:
        pairs = list(combinations(seats, 2))
        return pairs if len(pairs) <= 3 else self.random.sample(pairs, 3)

    def _both(self, g: State, answers: list[Answer]) -> State | None:
        """The state after these answers, or None if one of them is no longer legal."""
        there = self.machine.clone(g)
        for answer in answers:
            try:
                self.machine.apply(there, answer)
            except BeachheadError:
                return None
            self._settle(there)
        return there


def _need_rule(what: Any) -> None:
    """Whatever cites a rule cites one that exists."""
    for one in what.decisions if isinstance(what, Ask) else (what,):
        assert one.rule in rules.register(), f"{one!r} cites {one.rule!r}, which is not in the register"


@cache
def _check_outcomes(roll: Roll) -> None:
    """Each outcome once, each accepted, the probabilities sum to 1."""
    if roll.deck:
        most = perm(len(roll.deck), roll.size)
    else:
        most = prod(comb(roll.sides + n - 1, n) for n in roll.groups)
    if most > MOST_OUTCOMES:
        return
    outcomes = list(roll.outcomes())
    assert len({outcome for outcome, _ in outcomes}) == len(outcomes), f"{roll!r} lists an outcome twice"
    assert all(roll.accepts(outcome) for outcome, _ in outcomes), f"{roll!r} lists what it does not accept"
    assert isclose(sum(p for _, p in outcomes), 1), f"the probabilities of {roll!r} do not sum to 1"


def _shape(node: Node) -> object:
    return node.decisions if isinstance(node, Ask) else node


def _short(move: Move) -> str:
    return f"{move.seat}#{move.seq} {move.key}" if isinstance(move, Answer) else f"roll {move}"


def _difference(one: State, other: State) -> str:
    """The fields in which two states differ."""
    pairs = {
        field.name: (getattr(one, field.name), getattr(other, field.name))
        for field in dataclasses.fields(one)
        if field.compare
    }
    return "; ".join(f"{name} is {a!r} or {b!r}" for name, (a, b) in pairs.items() if a != b)
