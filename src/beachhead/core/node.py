"""The words of the three calls: what is asked, what is rolled, what happened, how it ended.

node(state)                    -> Ask | Roll | Over
apply(state, answer | outcome) -> events
view(state, seat | None)       -> plain data, built by allow-list
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, permutations, product
from math import factorial
from typing import Any, Literal, NamedTuple

Kind = Literal["one", "some", "share", "order", "confirm", "offer"]
"""The closed vocabulary: choose one, choose some, share out an amount, put in order, confirm, offer a trade."""

Outcome = tuple[int | str, ...]
"""What came of a chance request: die pips or face numbers, or the names of drawn cards."""


class Decision(NamedTuple):
    """One question to one seat. `keys` are the legal answers: stable texts, never positions.

    `seq` numbers the questions of this seat. `source` is the card behind the question, or "". `rule` is a register id.
    """

    seat: int
    seq: int
    kind: Kind
    name: str
    keys: tuple[str, ...]
    rule: str
    source: str = ""

    def plain(self) -> dict[str, Any]:
        """`_asdict` in a quicker form: every view of one who is asked has it."""
        seat, seq, kind, name, keys, rule, source = self
        return {"seat": seat, "seq": seq, "kind": kind, "name": name, "keys": keys, "rule": rule, "source": source}


class Ask:
    """One or more seats hold an open question. A seat's decision is worked out when it is first looked at.

    An Ask belongs to the moment at which `node` gave it; after `apply` ask for the node again.
    """

    __slots__ = ("_decide", "_known", "_state", "seats")

    def __init__(self, seats: tuple[int, ...], decide: Callable[[Any, int], Decision], state: object) -> None:
        self.seats = seats
        self._decide = decide
        self._state = state
        self._known: dict[int, Decision] = {}

    def decision(self, seat: int) -> Decision:
        found = self._known.get(seat)
        if found is None:
            found = self._known[seat] = self._decide(self._state, seat)
        return found

    def of(self, state: object) -> Ask:
        """The same questions about an equal state, with what is already worked out."""
        other = Ask(self.seats, self._decide, state)
        other._known = self._known.copy()
        return other

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return tuple(self.decision(seat) for seat in self.seats)

    def __repr__(self) -> str:
        return f"Ask{self.decisions!r}"


class Roll(NamedTuple):
    """A chance request. Its outcome is always given from outside; see `chance.sample` for one who gives it.

    `stream` and `number` name this roll among all rolls of the game. `groups` are the sizes of sets of dice that
    cannot be told apart.
    With `deck`, one card of it is drawn for each die instead, without putting back.
    `low` is the number of the first face: 0 for dice with symbols, 1 for dice with pips.
    """

    stream: str
    number: int
    groups: tuple[int, ...]
    rule: str
    sides: int = 6
    low: int = 0
    deck: tuple[str, ...] = ()
    source: str = ""

    @property
    def size(self) -> int:
        return sum(self.groups)

    def accepts(self, outcome: Outcome) -> bool:
        if len(outcome) != self.size:
            return False
        if self.deck:
            left = list(self.deck)
            for card in outcome:
                if card not in left:
                    return False
                left.remove(str(card))
            return True
        low, high = self.low, self.low + self.sides
        for face in outcome:  # a loop, as this is asked of every roll
            if type(face) is not int or not low <= face < high:
                return False
        return True

    def outcomes(self) -> Iterator[tuple[Outcome, float]]:
        """Every outcome that can be told from the others, with its probability. The probabilities sum to 1."""
        if self.deck:
            drawn = Counter(permutations(self.deck, self.size))
            for cards, ways in drawn.items():
                yield cards, ways / drawn.total()
            return
        faces = range(self.low, self.low + self.sides)
        spaces = [[(faces_, _ways(faces_)) for faces_ in combinations_with_replacement(faces, n)] for n in self.groups]
        total = self.sides**self.size
        for parts in product(*spaces):
            ways = 1
            flat: list[int] = []
            for faces_, n in parts:
                flat.extend(faces_)
                ways *= n
            yield tuple(flat), ways / total

    def expected(self) -> str:
        """What an outcome must look like, in words."""
        if self.deck:
            return f"{self.size} of the cards {', '.join(self.deck)}"
        return f"{self.size} whole numbers from {self.low} to {self.low + self.sides - 1}"


def _ways(faces: tuple[int, ...]) -> int:
    ways = factorial(len(faces))
    for face in set(faces):
        ways //= factorial(faces.count(face))
    return ways


class Over(NamedTuple):
    """The end. `won` for a cooperative game, `scores` where seats are ranked; `cause` is a short stable name."""

    won: bool
    cause: str
    rule: str
    scores: tuple[int, ...] = ()


Node = Ask | Roll | Over


class Answer(NamedTuple):
    """A seat's answer to its question number `seq`. `game` names the game where several run."""

    seat: int
    seq: int
    key: str
    game: str = ""


class Event(NamedTuple):
    """What happened. `source` is the card behind it, `rule` the register id.

    `cause` names the answer (`answer:SEAT:SEQ`) or roll (`roll:STREAM:NUMBER`) that led to it, or is `setup`. It
    does not tell the key of the answer, which may be a secret of that seat.
    `audience` holds the seats that may see it; None means everybody.
    """

    n: int
    type: str
    seat: int
    data: dict[str, Any]
    rule: str
    cause: str
    source: str = ""
    audience: tuple[int, ...] | None = None
