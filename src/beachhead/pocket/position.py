"""A game of Pocket laid out in its midst, for scenarios, puzzles and tests. What is not written is as at the start."""

from __future__ import annotations

from dataclasses import dataclass, field

from . import battle, express
from .battle import Battle
from .express import Express
from .world import World


@dataclass(frozen=True, slots=True)
class ExpressAt:
    """Sector 0: the beach is about to be chosen; else this sector is about to begin."""

    sector: int = 0
    squad: tuple[str, ...] = ()
    holders: dict[str, int] = field(default_factory=dict)
    """Specialist -> the seat that rallied them; by default the first."""
    gone: tuple[str, ...] = ()
    carried: tuple[str, ...] = ()
    """What the sector before leaves for this one; see `Express.carried`."""
    beaches: int = 0
    barred: bool = False


@dataclass(frozen=True, slots=True)
class BattleAt:
    """Active -1: before the first turn; else this seat is about to begin its skirmish of this number."""

    active: int = -1
    skirmish: int = 1
    pot: int = 0
    first: int = 0
    turn: int = 1
    scores: tuple[int, ...] = ()
    medals: dict[int, tuple[str, ...]] = field(default_factory=dict)
    tied: tuple[int, ...] = ()


def express_at(world: World, at: ExpressAt) -> Express:
    g = express.blank(world)
    if not at.sector:
        return g
    g.beaches = at.beaches
    g.beach = world.beaches[at.beaches]
    g.cleared = 6 * at.beaches + at.sector - 1
    g.squad, g.gone, g.left, g.barred = at.squad, at.gone, at.carried, at.barred
    g.holders = {card: at.holders.get(card, express.LEAD) for card in at.squad}
    g.deck = tuple(card for card in world.box.specialists if card not in (*at.squad, *at.gone))
    g.main = [("sector", at.sector)]
    return g


def battle_at(world: World, at: BattleAt) -> Battle:
    g = battle.blank(world)
    for player, score in zip(g.players, at.scores, strict=False):
        player.score = score
    for seat, cards in at.medals.items():
        g.players[seat].medals = cards
    held = {card for cards in at.medals.values() for card in cards}
    g.deck = tuple(card for card in world.box.medals if card not in held)
    if at.active < 0:
        return g
    g.first, g.active, g.pot, g.turn, g.tied = at.first, at.active, at.pot, at.turn, at.tied
    g.bonus = int(bool(at.tied))
    order = battle.order_of_play(g)
    after = order[order.index(at.active) + 1 :]
    g.main = [("round-end",), *(("turn", seat) for seat in reversed(after) if not g.tied or seat in g.tied)]
    g.main.append(("skirmish", at.skirmish))
    return g
