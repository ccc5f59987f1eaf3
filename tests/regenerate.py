"""Golden files, made anew by `make golden`: readable playthroughs and counts of reachable nodes.

A change of rules changes them; read the difference before it is committed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from beachhead.bots import random_answer
from beachhead.content.library import library
from beachhead.content.schema import CardLists, Edges, Map, Row, Sector, Start
from beachhead.core.chance import sample, seed_from
from beachhead.core.node import Answer, Ask, Event, Over, Roll
from beachhead.landing.codec import write_position
from beachhead.landing.game import MACHINE, new
from beachhead.landing.position import Position, UnitAt, position
from beachhead.landing.state import Landing
from beachhead.landing.text import label, narrate, prompt
from beachhead.landing.world import Setup, World, build, world_of

GOLDEN = Path(__file__).parent / "golden"
EDITIONS = ("first", "second")


# ---------------------------------------------------------------------- playthroughs


def playthrough(edition: str, seats: int, seed: int, board: str = "n01-exercise-tiger") -> Iterator[str]:
    """A whole random game as a person would read it, with every option, refusal and citation."""
    yield f"# {edition} edition, {library().maps[edition][board].name}, {seats} seats, seed {seed}"
    g, told = new(world_of(Setup(edition, board, seats=seats)))
    rng, dice = Random(seed), seed_from(str(seed))
    yield from _said(told)
    while True:
        node = MACHINE.node(g)
        if isinstance(node, Over):
            yield f"over: {'won' if node.won else 'lost'}, {node.cause} [{node.rule}]"
            yield write_position(g)
            return
        if isinstance(node, Roll):
            outcome = sample(dice, node)
            yield f"roll {node.stream}:{node.number} -> {' '.join(str(face) for face in outcome)} [{node.rule}]"
            yield from _said(MACHINE.apply(g, outcome))
            continue
        assert isinstance(node, Ask)
        decision = node.decision(rng.choice(node.seats))
        yield f"{prompt(g, decision)} ({decision.kind} {decision.seat}#{decision.seq}) [{decision.rule}]"
        for key in decision.keys[:8]:
            yield f"    {key}: {label(g, decision, key)}"
        if len(decision.keys) > 8:
            yield f"    and {len(decision.keys) - 8} more"
        for key, reasons in sorted(MACHINE.refusals(g, decision.seat).items())[:3]:
            yield f"    not {key}: " + "; ".join(f"{reason.text} [{reason.rule}]" for reason in reasons)
        key = random_answer(decision, dict, rng)
        yield f"  -> {key}"
        yield from _said(MACHINE.apply(g, Answer(decision.seat, decision.seq, key)))


def _said(events: list[Event]) -> Iterator[str]:
    for event in events:
        yield f"  {event.n}. {narrate(event)} [{event.rule}]"


PLAYTHROUGHS = [(edition, seats, seed) for edition in EDITIONS for seats, seed in ((1, 5), (1, 11), (2, 3), (4, 2))]
BOARDS = [(edition, board, 1) for edition in EDITIONS for board in library().maps[edition] if board[:3] != "n01"]
"""Every other map: one game of two Units."""


# ---------------------------------------------------------------------- counts of reachable nodes


def perft(g: Landing, depth: int) -> Counter[str]:
    """How many asks, rolls and ends can be reached in at most so many answers and outcomes, each way counted.

    A roll of more than two dice is counted but not opened: the next turn's six dice alone have 9,261 outcomes.
    """
    node = MACHINE.node(g)
    if isinstance(node, Over):
        return Counter({"over": 1})
    found = Counter({"roll" if isinstance(node, Roll) else "ask": 1})
    if depth == 0 or (isinstance(node, Roll) and node.size > 2):
        return found
    if isinstance(node, Roll):
        moves = [outcome for outcome, _ in node.outcomes()]
    else:
        assert isinstance(node, Ask)
        moves = [Answer(d.seat, d.seq, key) for d in node.decisions for key in d.keys]  # type: ignore[misc]
    for move in moves:
        child = MACHINE.clone(g)
        MACHINE.apply(child, move)
        found += perft(child, depth - 1)
    return found


def small_board(edition: str) -> World:
    """Four Sectors with a mine, a Barrier, a requirement and a sacrifice."""
    board = Map(
        format=1,
        id="small",
        name="Small",
        edition=edition,  # type: ignore[arg-type]
        rows=(Row(("1",)), Row(("2", "3"), courage=1), Row(("B",), courage=2)),
        sectors={
            "1": Sector(defence=(1,), start=Start(soldiers=4)),
            "2": Sector(defence=(2,), requires=("corporal",)),
            "3": Sector(defence=(2, 3), sacrifice="any", mgf=1),
            "B": Sector(defence=(4,), mgf=1, bunker=True),
        },
        edges=Edges(
            forward=(("1", "2"), ("1", "3"), ("2", "B"), ("3", "B")),
            lateral=(("2", "3"),),
            landmines=(("1", "3"),),
            barriers=(("2", "3"),),
        ),
        cards=CardLists(specialists_regular=("corporal", "medic")),
    )
    return build(Setup(edition, seats=2), library(), board)


def lay(world: World, phase: str, *units: UnitAt) -> Landing:
    g = position(world, Position(units, turn=2, phase=phase))
    MACHINE.start(g)
    return g


def positions(edition: str) -> Iterator[tuple[str, int, Callable[[], Landing]]]:
    """Small positions that touch each phase, with the depth that is counted."""
    world = small_board(edition)
    solo = world_of(Setup(edition, seats=1))
    dice = "R:star,skull W:star,tool B:courage,soldier2"
    yield "tally", 4, lambda: lay(solo, "tally", UnitAt(sector="2", cards=("corporal", "binoculars"), dice=dice))
    yield (
        "upkeep",
        5,
        lambda: lay(
            solo, "upkeep", UnitAt(sector="2", cards=("sharpshooter",), dice="R:star,skull W:star,tool B:star,skull")
        ),
    )
    yield (
        "acquire",
        3,
        lambda: lay(
            world,
            "acquire",
            UnitAt(sector="1", soldiers=3, stars=2),
            UnitAt(sector="1", soldiers=2, stars=2, points=10),
        ),
    )
    yield (
        "move",
        5,
        lambda: lay(
            world,
            "move",
            UnitAt(sector="1", soldiers=5, courage=2, cards=("corporal", "medic")),
            UnitAt(sector="2", soldiers=6, courage=2, cards=("grenade",)),
        ),
    )
    yield (
        "combat",
        5,
        lambda: lay(
            world,
            "combat",
            UnitAt(sector="3", soldiers=4, courage=1, cards=("medic", "corporal")),
            UnitAt(sector="3", soldiers=5, cards=("binoculars",)),
        ),
    )


def node_counts(edition: str) -> Iterator[str]:
    yield f"# reachable nodes, {edition} edition: asks, rolls and ends within so many answers and outcomes"
    for name, depth, make in positions(edition):
        g = make()
        yield f"{name}: {write_position(g) if name in ('tally', 'upkeep') else 'on the small board'}"
        for deep in range(1, depth + 1):
            found = perft(g, deep)
            yield f"  depth {deep}: ask {found['ask']}, roll {found['roll']}, over {found['over']}"


# ---------------------------------------------------------------------- files


def golden_files() -> Iterator[tuple[str, Callable[[], Iterator[str]]]]:
    for edition, seats, seed in PLAYTHROUGHS:
        name = f"{edition}-tiger-{seats}-seats-seed-{seed}.txt"
        yield name, lambda edition=edition, seats=seats, seed=seed: playthrough(edition, seats, seed)  # type: ignore[misc]
    for edition, board, seed in BOARDS:
        name = f"{edition}-{board}-2-seats-seed-{seed}.txt"
        yield name, lambda edition=edition, board=board, seed=seed: playthrough(edition, 2, seed, board)  # type: ignore[misc]
    for edition in EDITIONS:
        yield f"nodes-{edition}.txt", lambda edition=edition: node_counts(edition)  # type: ignore[misc]


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    names = set()
    for name, make in golden_files():
        names.add(name)
        text = "\n".join(make()) + "\n"
        path = GOLDEN / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"{name}: written anew")
        else:
            print(f"{name}: as before")
    for path in GOLDEN.iterdir():
        if path.name not in names:
            path.unlink()
            print(f"{path.name}: removed")


if __name__ == "__main__":
    main()
