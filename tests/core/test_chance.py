"""Dice that anybody can check: commitment, streams, the documented formula, and the enumeration of outcomes."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise, permutations, product
from math import isclose
from typing import Any

import pytest

from beachhead.core import chance
from beachhead.core.node import Outcome, Roll

SEED = chance.seed_from("test")


def roll(number: int, *groups: int, stream: str = "dice:0", sides: int = 6, low: int = 0) -> Roll:
    return Roll(stream, number, groups, "F-ROLL-01", sides, low)


def draw(number: int, deck: tuple[str, ...], size: int) -> Roll:
    return Roll("awards", number, (size,), "F-AWARD-01", deck=deck)


def chi_square(counts: Counter[Any], cells: int) -> float:
    expected = counts.total() / cells
    return sum((n - expected) ** 2 / expected for n in counts.values()) + (cells - len(counts)) * expected


# ---- the seed


def test_a_commitment_fits_only_its_seed() -> None:
    seeds = [chance.seed_from(str(n)) for n in range(1_000)]
    assert len({chance.commitment(seed) for seed in seeds}) == 1_000
    assert chance.commitment(seeds[0]) == chance.commitment(seeds[0])


def test_a_commitment_is_a_tagged_hash_that_anybody_can_work_out() -> None:
    assert chance.commitment(SEED) == hashlib.sha256(b"beachhead commitment " + SEED.encode()).hexdigest()
    assert SEED not in chance.commitment(SEED)


@pytest.mark.true_luck
def test_new_seeds_are_256_bits_and_never_the_same() -> None:
    seeds = {chance.new_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert {len(bytes.fromhex(seed)) for seed in seeds} == {32}


def test_the_seed_of_a_text_is_always_the_same() -> None:
    assert chance.seed_from("7") == hashlib.sha256(b"beachhead seed 7").hexdigest()


# ---- what a roll depends on


def test_a_roll_depends_on_seed_stream_and_number_only() -> None:
    request = roll(3, 2, 2, 2)
    same = Roll("dice:0", 3, (6,), "S-ROLL-01", source="map")
    assert chance.sample(SEED, request) == chance.sample(SEED, same)
    others = {
        chance.sample(SEED, request),
        chance.sample(chance.seed_from("other"), request),
        chance.sample(SEED, request._replace(stream="dice:1")),
        chance.sample(SEED, request._replace(number=4)),
    }
    assert len(others) == 4


def test_rolls_on_another_stream_shift_no_roll() -> None:
    alone = [chance.sample(SEED, roll(n, 2, 2, 2)) for n in range(50)]
    between = []
    for n in range(50):
        chance.sample(SEED, roll(n, 1, stream="card:mortar"))
        between.append(chance.sample(SEED, roll(n, 2, 2, 2)))
        chance.sample(SEED, draw(n, ("a", "b", "c"), 2))
    assert between == alone


def test_fewer_dice_are_the_first_of_more_dice() -> None:
    assert chance.sample(SEED, roll(0, 40))[:6] == chance.sample(SEED, roll(0, 6))


def test_no_two_streams_meet() -> None:
    """`a:1` number 2 and `a` number 1 are different texts: the last two parts are numbers, the rest is the stream."""
    rolls = [roll(2, 30, stream="a:1"), roll(1, 30, stream="a"), roll(12, 30, stream="a"), roll(2, 30, stream="a:1:0")]
    assert len({chance.sample(SEED, one) for one in rolls}) == 4


# ---- the documented formula, worked out again in another way


def stream_of_bytes(seed: str, request: Roll) -> Iterator[int]:
    block = 0
    while True:
        message = f"{request.stream}:{request.number}:{block}"
        yield from hmac.new(seed.encode(), message.encode(), hashlib.sha256).digest()
        block += 1


def test_a_byte_of_252_or_more_is_passed_over_and_the_rest_count_mod_6() -> None:
    passed_over = 0
    for number in range(300):
        request = roll(number, 70)
        source = stream_of_bytes(SEED, request)
        faces: list[int | str] = []
        while len(faces) < 70:
            byte = next(source)
            if byte < 252:
                faces.append(byte % 6)
            else:
                passed_over += 1
        assert chance.sample(SEED, request) == tuple(faces)
    assert 200 < passed_over < 500  # 21,000 dice and 4 of 256 bytes: some 330


def test_a_known_roll_stays_what_it_is() -> None:
    """Records of old games must stay checkable: this may never change."""
    assert chance.sample("00" * 32, roll(0, 2, 2, 2)) == (1, 0, 5, 4, 5, 3)
    assert chance.sample("00" * 32, draw(0, tuple("abcdefg"), 3)) == ("b", "f", "c")


def test_cards_are_taken_one_by_one_without_bias() -> None:
    deck = tuple("abcdefg")
    for number in range(200):
        request = draw(number, deck, 5)
        source = stream_of_bytes(SEED, request)
        left = list(deck)
        drawn: list[str] = []
        while len(drawn) < 5:
            byte, n = next(source), len(left)
            if byte < 256 // n * n:
                drawn.append(left.pop(byte % n))
        assert chance.sample(SEED, request) == tuple(drawn)


# ---- frequencies (fixed seeds: these never flicker; the bounds are those of 1 in 1,000)


def test_faces_are_equally_frequent() -> None:
    faces = Counter(face for n in range(20_000) for face in chance.sample(SEED, roll(n, 2, 2, 2)))
    assert set(faces) == set(range(6)) and faces.total() == 120_000
    assert chi_square(faces, 6) < 20.5


def test_neighbouring_dice_and_neighbouring_rolls_know_nothing_of_each_other() -> None:
    rolls = [chance.sample(SEED, roll(n, 2)) for n in range(36_000)]
    assert chi_square(Counter(rolls), 36) < 66.6
    assert chi_square(Counter((a[0], b[0]) for a, b in pairwise(rolls)), 36) < 66.6


def test_dice_with_pips_start_at_1() -> None:
    assert {face for n in range(200) for face in chance.sample(SEED, roll(n, 1, low=1))} == {1, 2, 3, 4, 5, 6}


def test_other_dice_have_other_sides() -> None:
    for sides in (1, 2, 10, 255, 256):
        faces = {face for n in range(100) for face in chance.sample(SEED, roll(n, 40, sides=sides))}
        assert faces == set(range(sides))


def test_draws_are_uniform_and_without_repetition() -> None:
    deck = tuple("abcdefg")
    drawn = Counter(chance.sample(SEED, draw(n, deck, 3)) for n in range(21_000))
    assert all(len(set(cards)) == 3 for cards in drawn)
    assert set(drawn) == set(permutations(deck, 3))
    assert chi_square(drawn, 210) < 277


def test_a_whole_deck_can_be_drawn() -> None:
    deck = ("mine", "mine", "wire")
    assert {chance.sample(SEED, draw(n, deck, 3)) for n in range(50)} == set(permutations(deck))


@pytest.mark.parametrize("request_", [roll(0), roll(0, 0), draw(0, ("a", "b"), 0)])
def test_a_roll_of_nothing_comes_out_as_nothing(request_: Roll) -> None:
    assert chance.sample(SEED, request_) == ()


@pytest.mark.parametrize("request_", [roll(0, 1, sides=257), roll(0, 1, sides=0), draw(0, ("a", "b"), 3)])
def test_what_a_byte_cannot_decide_is_refused(request_: Roll) -> None:
    message = r"cannot (roll|draw) .*: at most 256 (sides|cards, and no more than there are)$"
    with pytest.raises(ValueError, match=message):
        chance.sample(SEED, request_)


# ---- the enumeration of outcomes


def brute_force(sides: int, groups: tuple[int, ...]) -> dict[Outcome, float]:
    """Every way the dice can lie, each group sorted."""
    found: Counter[Outcome] = Counter()
    for faces in product(range(sides), repeat=sum(groups)):
        rest = list(faces)
        flat: list[int] = []
        for n in groups:
            flat += sorted(rest[:n])
            del rest[:n]
        found[tuple(flat)] += 1
    return {outcome: n / sides ** sum(groups) for outcome, n in found.items()}


def same(found: Iterable[tuple[Outcome, float]], expected: dict[Outcome, float]) -> bool:
    listed = list(found)
    return len(listed) == len(expected) and all(isclose(p, expected.get(outcome, 0)) for outcome, p in listed)


@pytest.mark.parametrize("groups", [(1,), (2,), (2, 1), (1, 1, 1), (3, 2)])
def test_outcomes_are_multisets_per_group_with_their_weights(groups: tuple[int, ...]) -> None:
    assert same(roll(0, *groups).outcomes(), brute_force(6, groups))


def test_six_dice_in_three_colours_have_9261_outcomes() -> None:
    outcomes = list(roll(0, 2, 2, 2).outcomes())
    assert len(outcomes) == len({outcome for outcome, _ in outcomes}) == 9_261
    assert isclose(sum(p for _, p in outcomes), 1)
    weights = dict(outcomes)
    assert isclose(weights[0, 0, 1, 1, 2, 2], 1 / 6**6)
    assert isclose(weights[0, 1, 2, 3, 4, 5], 8 / 6**6)


def test_outcomes_of_dice_with_pips_start_at_1() -> None:
    assert [outcome for outcome, _ in roll(0, 1, low=1).outcomes()] == [(n,) for n in range(1, 7)]


def test_outcomes_of_a_draw_are_told_apart_by_name() -> None:
    outcomes = dict(draw(0, ("mine", "mine", "wire"), 2).outcomes())
    assert {cards: round(p * 6) for cards, p in outcomes.items()} == {
        ("mine", "mine"): 2,
        ("mine", "wire"): 2,
        ("wire", "mine"): 2,
    }
    assert len(list(draw(0, ("mine", "mine", "wire"), 2).outcomes())) == 3
    assert isclose(sum(outcomes.values()), 1)


def test_what_is_rolled_comes_as_often_as_the_outcomes_say() -> None:
    found: Counter[Outcome] = Counter(tuple(sorted(chance.sample(SEED, roll(n, 2)), key=int)) for n in range(36_000))
    terms = [(found[outcome] - 36_000 * p) ** 2 / (36_000 * p) for outcome, p in roll(0, 2).outcomes()]
    assert len(terms) == 21
    assert sum(terms) < 45.3


# ---- what is accepted as an outcome


@pytest.mark.parametrize("outcome", [(0, 5), (5, 0), (3, 3)])
def test_any_order_of_dice_is_an_outcome(outcome: Outcome) -> None:
    assert roll(0, 2).accepts(outcome)


@pytest.mark.parametrize("outcome", [(), (0,), (0, 0, 0), (0, 6), (-1, 0), (0, "0"), (0, True), (0, 1.0)])
def test_no_outcome_of_two_dice(outcome: Outcome) -> None:
    assert not roll(0, 2).accepts(outcome)


@pytest.mark.parametrize("outcome", [("mine",), ("mine", "mine", "mine"), ("mine", "gun"), ("wire", "wire"), (0, 1)])
def test_no_outcome_of_a_draw_of_two(outcome: Outcome) -> None:
    assert not draw(0, ("mine", "mine", "wire"), 2).accepts(outcome)


def test_a_card_may_be_drawn_as_often_as_it_is_there() -> None:
    assert draw(0, ("mine", "mine", "wire"), 2).accepts(("mine", "mine"))


def test_a_request_says_what_it_expects() -> None:
    assert roll(0, 2, 1, low=1).expected() == "3 whole numbers from 1 to 6"
    assert draw(0, ("mine", "wire"), 1).expected() == "1 of the cards mine, wire"
