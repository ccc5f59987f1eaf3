"""The cards of the base game: as many of each kind as are printed, and nearly all of them without code of their own."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

import pytest

from beachhead.content.library import library
from beachhead.content.schema import Card, Choose, Op

PRINTED = {
    "first": {
        "regular-specialist": 13,
        "unique-specialist": 11,
        "regular-item": 10,
        "special-item": 18,
        "vehicle": 6,
        "award": 12,
    },
    "second": {
        "regular-specialist": 6,
        "reserve-specialist": 5,
        "ranking-specialist": 6,
        "unique-specialist": 4,
        "regular-item": 16,
        "special-item": 12,
        "vehicle": 6,
        "award": 16,
    },
}


@pytest.mark.rule("F-COMP-01", "F-COMP-02", "S-COMP-01", "S-COMP-02")
@pytest.mark.parametrize("edition", PRINTED)
def test_as_many_cards_of_each_kind_as_are_printed(edition: str) -> None:
    assert Counter(card.kind for card in library().cards[edition].values()) == PRINTED[edition]


def _ops(ops: tuple[Op, ...]) -> Iterator[str]:
    for op in ops:
        yield op.tag
        if isinstance(op, Choose):
            for branch in op.of:
                yield from _ops(branch.ops)


def test_at_least_85_percent_of_the_cards_have_no_code_of_their_own() -> None:
    """A card has code of its own if it uses an op that no other card and no RWB bonus uses."""
    content = library()
    users: dict[str, set[str]] = defaultdict(set)
    cards: dict[str, Card] = {}
    for edition in PRINTED:
        cards |= content.cards[edition]
        for card in content.cards[edition].values():
            for ability in card.abilities:
                for tag in _ops(ability.ops):
                    users[tag].add(card.id)
        for nation in content.nations[edition].values():
            for face, bonus in nation.rwb.items():
                for tag in _ops(bonus.ops):
                    users[tag].add(f"an RWB of {face}")
    own = {next(iter(found)): tag for tag, found in users.items() if len(found) == 1}
    exceptions = {card: tag for card, tag in own.items() if card in cards}
    share = 1 - len(exceptions) / len(cards)
    print(f"{share:.0%} of {len(cards)} cards; the others: {exceptions}")
    assert share >= 0.85
