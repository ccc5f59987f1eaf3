"""What cards and nations are worth, measured: the bot plays the same dice with them and without.

Game number n has the same dice in every row (see `runner`), so a difference between rows is that of the card, not of
luck. Where nearly every game is won, the strength that is left at the end tells more than the wins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial
from random import Random
from typing import NamedTuple, TypeVar

from ..bots import Bot, View, bot
from ..core.errors import SetupError
from ..core.game import Setup
from ..core.node import Decision
from ..core.plain import Plain
from ..landing import changes
from ..landing.game import GAME, new, setup_of
from ..landing.state import RESOURCES, SAFE, Landing
from ..landing.world import World, world_of
from ..say import say
from ..table.match import Match
from .figures import Count, Estimate, Z, difference, mean, wilson
from .runner import game_seed, play
from .spread import spread

T = TypeVar("T")

PLAYER = "thumb"
MOST_GAMES = 1_000_000
KINDS = {
    "specialists": ("regular-specialist", "reserve-specialist", "ranking-specialist", "unique-specialist"),
    "items": ("regular-item", "special-item"),
    "vehicles": ("vehicle",),
    "awards": ("award",),
}
"""What can be asked for, beside nations: kinds of cards."""
OFFERS = ("rally", "find", "award")
"""Verbs of keys that take a card."""
IDLE = ("none", "pay:none", "skip", "withdraw")
"""Answers to the question of a card by which nothing comes of it."""
INCOME_PHASES = ("roll", "upkeep")


# ---- one game


class Course(NamedTuple):
    """What came of one game. `left` are the Soldiers and Specialists of all Units that are safe."""

    won: int
    left: int
    turns: int
    offered: frozenset[str]
    taken: frozenset[str]
    used: frozenset[str]


def cards_of(world: World, kind: str) -> list[str]:
    """The cards of this kind that can be in play, in the order of the pack."""
    return [card.id for card in world.cards.values() if card.kind in KINDS[kind] and (card.solo or not world.solo)]


def give(g: Landing, seat: int, card: str) -> None:
    """The Unit has this card from the start, on top of all else."""
    unit, found = g.units[seat], g.world.cards[card]
    end = "specialists" if found.is_specialist else "awards" if found.kind == "award" else "items"
    for place in ("pool", "box", "deck"):
        if card in getattr(g, place):
            changes.move_card(g, seat, card, place, end, found.rule)
            break
    else:
        unit.hand = tuple(other for other in unit.hand if other != card)
        setattr(unit, end, (*getattr(unit, end), card))
    mode = "solo" if g.world.solo else "group"
    if any(ability.on == "rally" and ability.mode in ("", mode) for ability in found.abilities):
        g.push(seat, ("spare",))


def remove(g: Landing, seat: int, card: str) -> None:
    """Nobody can have this card; `seat` is there for the likeness with `give`."""
    for holder in (g, *g.units):
        for place in ("pool", "box", "deck", "hand"):
            if card in getattr(holder, place, ()):
                setattr(holder, place, tuple(other for other in getattr(holder, place) if other != card))


def run(setup: Setup, card: str, seed: str, missing: bool = False) -> Course:
    """One game of the bot, in which Unit 1 has the card from the start, or nobody can have it (none for "")."""
    g, _ = new(world_of(setup_of(setup)))
    if card:
        (remove if missing else give)(g, 0, card)
    offered: set[str] = set()
    used: set[str] = set()
    players = [_watched(bot(PLAYER), offered, used) for _ in g.units]
    played = play(GAME._replace(new=lambda _: (g, [])), setup, players, seed)
    return Course(int(played.over.won), _left(g), played.turns, frozenset(offered), _taken(g), frozenset(used))


def _watched(it: Bot, offered: set[str], used: set[str]) -> Bot:
    """The same bot; what it is offered and what it uses is noted."""

    def answer(decision: Decision, view: View, rng: Random) -> str:
        if decision.name in ("acquire", "find-extra", "rally-free", "award"):
            for key in decision.keys:
                verb, _, name = key.partition(":")
                if verb in OFFERS:
                    offered.add(name)
        key = it.answer(decision, view, rng)
        if key.startswith("use:"):
            used.add(key[4:])
        elif decision.source and key not in IDLE:
            used.add(decision.source)
        return key

    return it._replace(answer=answer)


def _left(g: Landing) -> int:
    return sum(unit.soldiers + len(unit.specialists) for unit in g.units if unit.status == SAFE)


def _taken(g: Landing) -> frozenset[str]:
    found = set(g.used)
    for unit in g.units:
        found.update(unit.specialists, unit.dead, unit.items, unit.awards)
    return frozenset(found)


# ---- cards


class CardWorth(NamedTuple):
    """What a card changed, and how often it was offered, taken and used in games as they are."""

    card: str
    kind: str
    cost: int
    won: Estimate
    """Difference of the rate of games won."""
    left: Estimate
    """Difference of the strength that is left in the Bunker."""
    turns: Estimate
    used: float | None
    """Of the games that were changed, how many saw it used; None for a card that nobody has to use."""
    offered: float
    taken: float
    """Of the games in which it was offered, if it was at all."""

    def as_json(self) -> dict[str, Plain]:
        found: dict[str, Plain] = self._asdict()
        return {name: list(value) if isinstance(value, Estimate) else value for name, value in found.items()}


def compare(world: World, card: str, plain: Sequence[Course], given: Sequence[Course]) -> CardWorth:
    """The same games without and with the card."""
    found, games = world.cards[card], len(plain)
    offered = sum(1 for one in plain if card in one.offered)
    taken = sum(1 for one in plain if card in one.taken)
    return CardWorth(
        card,
        found.kind,
        found.cost,
        difference([one.won for one in given], [one.won for one in plain]),
        difference([one.left for one in given], [one.left for one in plain]),
        difference([one.turns for one in given], [one.turns for one in plain]),
        sum(1 for one in given if card in one.used) / games if _is_used(world, card) else None,
        offered / games,
        taken / max(offered, taken, 1),
    )


def _is_used(world: World, card: str) -> bool:
    return any(ability.kind == "activated" for ability in world.cards[card].abilities)


# ---- nations


class NationWorth(NamedTuple):
    """How Units of a nation fare, and what a turn brings them."""

    nation: str
    won: Estimate
    left: Estimate
    income: dict[str, Estimate]
    """Of Unit 1, per turn."""
    rwbs: float
    """RWB bonuses of Unit 1 per turn."""

    def as_json(self) -> dict[str, Plain]:
        income = {name: list(value) for name, value in self.income.items()}
        return self._asdict() | {"won": list(self.won), "left": list(self.left), "income": income}


class Income(NamedTuple):
    """What came of one game, and what Unit 1 gained in it by its dice and bonuses."""

    won: int
    left: int
    turns: int
    gained: Counter[str]
    rwbs: int


def earn(setup: Setup, seed: str) -> Income:
    """One game, told: what did the dice and bonuses bring to Unit 1?"""
    players = [bot(PLAYER)] * len(new(world_of(setup_of(setup)))[0].units)
    played = play(GAME, setup, players, seed)
    match = Match.new(GAME, setup, seed)
    for given in played.answers:
        match.answer(given)
    gained: Counter[str] = Counter()
    rwbs, phase = 0, ""
    for event in match.events:
        if event.type == "phase":
            phase = event.data["phase"]
        elif event.seat == 0 and event.type == "rwb":
            rwbs += 1
        elif event.seat == 0 and event.type == "resources" and phase in INCOME_PHASES:
            gained.update({name: amount for name, amount in event.data.items() if amount > 0})
    g = match.state
    assert isinstance(g, Landing)
    return Income(int(played.over.won), _left(g), played.turns, gained, rwbs)


def nation_worth(nation: str, games: Sequence[Income]) -> NationWorth:
    left, turns = Count(), sum(one.turns for one in games)
    for one in games:
        left.add(one.left)
    won = wilson(sum(one.won for one in games), len(games))
    income = {name: _per_turn([(one.gained[name], one.turns) for one in games]) for name in RESOURCES}
    return NationWorth(nation, won, mean(left), income, sum(one.rwbs for one in games) / turns)


def _per_turn(games: Sequence[tuple[int, int]]) -> Estimate:
    """A ratio of sums: what came in, by turn. Its interval is that of the games' deviations from it."""
    turns = sum(n for _, n in games)
    rate = sum(amount for amount, _ in games) / turns
    if len(games) < 2:
        return Estimate(rate, None, None)
    squares = sum((amount - rate * n) ** 2 for amount, n in games) / (len(games) - 1)
    reach = Z * (squares * len(games)) ** 0.5 / turns
    return Estimate(rate, rate - reach, rate + reach)


# ---- many games


class Worths(NamedTuple):
    """All that was measured. `won` and `left` are those of the games as they are."""

    setup: Setup
    seed: int
    games: int
    won: Estimate
    left: Estimate
    missing: bool
    cards: list[CardWorth]
    nations: list[NationWorth]

    def as_json(self) -> dict[str, Plain]:
        return {
            "setup": self.setup,
            "seed": self.seed,
            "games": self.games,
            "won": list(self.won),
            "left": list(self.left),
            "missing": self.missing,
            "cards": [card.as_json() for card in self.cards],
            "nations": [nation.as_json() for nation in self.nations],
        }


def rows(setup: Setup, kind: str) -> tuple[list[str], list[str]]:
    """The cards and the nations to be measured."""
    if kind not in (*KINDS, "nations", "all"):
        known = ", ".join((*KINDS, "nations", "all"))
        raise SetupError(say("setup.unknown.kind", name=repr(kind), known=known, hint=""))
    world = world_of(setup_of(setup))
    kinds = KINDS if kind == "all" else (kind,) if kind in KINDS else ()
    cards = [card for one in kinds for card in cards_of(world, one)]
    return cards, list(world.nations) if kind in ("nations", "all") else []


def measure(
    setup: Setup,
    kind: str,
    games: int,
    seed: int = 0,
    pool: Executor | None = None,
    missing: bool = False,
    tick: Callable[[int], object] = lambda games: None,
) -> Worths:
    """Play `games` games as they are, and the same ones for each card and nation. `tick` counts them.

    Each card is given to Unit 1 on top of all else; with `missing` it is taken out of the game instead, which tells
    more of cards that everybody takes.
    """
    if games < 2:
        raise SetupError(say("setup.few-games", n=games, least=2))
    if games > MOST_GAMES:
        raise SetupError(say("setup.many-games", n=games, most=MOST_GAMES))
    cards, nations = rows(setup, kind)
    world = world_of(setup_of(setup))
    seeds = [game_seed(seed, number) for number in range(1, games + 1)]
    lands = [{**setup, "nations": [nation]} for nation in nations]
    plain, *given = _all([partial(_cards, setup, card, seeds, missing) for card in ("", *cards)], pool, games, tick)
    told = _all([partial(_nations, land, seeds) for land in lands], pool, games, tick)
    left = Count()
    for course in plain:
        left.add(course.left)
    return Worths(
        setup,
        seed,
        games,
        wilson(sum(course.won for course in plain), games),
        mean(left),
        missing,
        [compare(world, card, plain, courses) for card, courses in zip(cards, given, strict=True)],
        [nation_worth(nation, income) for nation, income in zip(nations, told, strict=True)],
    )


def _cards(setup: Setup, card: str, seeds: Sequence[str], missing: bool) -> list[Course]:
    return [run(setup, card, seed, missing) for seed in seeds]


def _nations(setup: Setup, seeds: Sequence[str]) -> list[Income]:
    return [earn(setup, seed) for seed in seeds]


def _all(jobs: Sequence[Callable[[], T]], pool: Executor | None, games: int, tick: Callable[[int], object]) -> list[T]:
    """What the jobs give, in their order. Each job is so many games."""
    found: dict[int, T] = {}
    for number, part in spread(jobs, pool):
        found[number] = part
        tick(games)
    return [found[number] for number in range(len(jobs))]
