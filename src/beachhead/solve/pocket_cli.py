"""`beachhead solve express`, `solve battle` and `solve pocket`: the Pocket games, solved."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from . import pocket_battle, pocket_express
    from .pocket_dice import Faces, Kept

NEPTUNE = "neptune"
GAMES = 200_000
"""Of a sample where nothing is solved."""


def express(
    beach: Annotated[str, typer.Option(metavar="NAME")] = "",
    players: Annotated[int, typer.Option(metavar="N")] = 1,
    no_specialists: Annotated[bool, typer.Option("--no-specialists")] = False,
    kommandant: Annotated[bool, typer.Option("--kommandant")] = False,
    lenient: Annotated[bool, typer.Option("--lenient")] = False,
    sector: Annotated[int | None, typer.Option(metavar="N")] = None,
    have: Annotated[str, typer.Option(metavar="NAMES")] = "",
    out: Annotated[str, typer.Option(metavar="NAMES")] = "",
    axis: Annotated[str, typer.Option(metavar="FACES")] = "",
    black: Annotated[str, typer.Option(metavar="FACE")] = "",
    dice: Annotated[str, typer.Option(metavar="DICE")] = "",
    roll: Annotated[int | None, typer.Option(metavar="N")] = None,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """Express!: the exact probability to clear a beach, or all six, and what is best to do.

    \b
    beachhead solve express --beach utah
    beachhead solve express --beach neptune --no-specialists --json
    beachhead solve express --beach sword --sector 4 --have hero,general --axis star,star,tool,skull
    """
    _one_thread()
    from ..core.errors import BeachheadError
    from ..say import either, say
    from .pocket_express import beaches

    known = [*beaches(), NEPTUNE]
    if not beach:
        raise BeachheadError(say("pocket-solve.which-beach", known=either(known)))
    if beach not in known:
        raise BeachheadError(say("pocket-solve.beach", text=beach, known=either(known)))
    if lenient and not kommandant:
        raise BeachheadError(say("pocket-solve.needs", option="--lenient", other="--kommandant"))
    if roll is not None and not dice:
        raise BeachheadError(say("pocket-solve.needs", option="--roll", other="--dice"))
    reading = "" if not kommandant else "lenient" if lenient else "strict"
    asked = {"--have": have, "--out": out, "--axis": axis, "--black": black, "--dice": dice}
    if sector is None:
        for option in (name for name, value in asked.items() if value):
            raise BeachheadError(say("pocket-solve.needs", option=option, other="--sector"))
        _beach(beach, players, not no_specialists, reading, as_json)
        return
    if beach == NEPTUNE or players > 1:
        raise BeachheadError(say("pocket-solve.alone"))
    _policy(
        beach, not no_specialists, reading, sector, have, out, axis, black, dice, 1 if roll is None else roll, as_json
    )


def _beach(beach: str, players: int, specialists: bool, kommandant: str, as_json: bool) -> None:
    from math import prod

    from ..pocket.content import beach_name
    from ..say import say
    from .pocket_express import beaches

    names = beaches() if beach == NEPTUNE else (beach,)
    solved = {name: _solved(name, players, specialists, kommandant) for name in names}
    value = prod(one.value for one in solved.values())
    gap = sum(one.gap for one in solved.values())
    if as_json:
        found: dict[str, Any] = {"game": "express", "beach": beach, "players": players, "specialists": specialists}
        found |= {"kommandant": kommandant or None, "value": value, "exact": True, "gap": gap}
        if players > 1:
            found["in_turn"] = True
        if beach == NEPTUNE:
            found["beaches"] = [{"beach": name, "value": one.value} for name, one in solved.items()]
        found["sectors"] = [row for name, one in solved.items() for row in _sectors(name, one)]
        print(json.dumps(found, indent=2))
        return
    title = say("pocket-solve.neptune") if beach == NEPTUNE else beach_name(beach)
    print(say("pocket-solve.express", beach=title, n=players))
    print(say("pocket-solve.cards" if specialists else "pocket-solve.no-cards"))
    if kommandant:
        print(say(f"pocket-solve.{kommandant}"))
    if players > 1:
        print(say("pocket-solve.in-turn"))
    rows = [(say("pocket-solve.value"), f"{value:.14f}")]
    if beach == NEPTUNE:
        rows += [(f"  {beach_name(name)}", f"{one.value:.14f}") for name, one in solved.items()]
    else:
        for row in _sectors(beach, solved[beach]):
            name = say("pocket-solve.sector", sector=row["sector"], n=row["axis"])
            told = say("pocket-solve.clears", chance=f"{row['clear']:.6f}") if "clear" in row else ""
            told = told or say("pocket-solve.from", bare=f"{row['bare']:.6f}", best=f"{row['best']:.6f}")
            rows.append((f"  {name}", told))
    _print_rows(rows)


def _sectors(beach: str, solved: pocket_express.Solved) -> list[dict[str, Any]]:
    """Per sector, without Specialists: how probable it is to clear it. With them: what is ahead with none, at best."""
    found: list[dict[str, Any]] = []
    after = 1.0
    for stage, some in solved.values.items():
        if not some:  # nobody comes here
            after = 0.0
            continue
        row: dict[str, Any] = {"beach": beach, "sector": stage.sector, "axis": stage.axis, "states": len(some)}
        if stage.black:
            row["kommandant"] = True
        bare = some.get((0, 0, 0), min(some.values()))
        if solved.rules.cards or solved.rules.gantlet == "rwb-adds-axis" or stage.black or solved.rules.kommandant:
            row |= {"bare": bare, "best": max(some.values())}
        else:
            row |= {"clear": bare / after if after else 0.0, "bare": bare}
        after = bare
        found.insert(0, row)
    return found


def _solved(beach: str, players: int, specialists: bool, kommandant: str) -> pocket_express.Solved:
    from ..say import say
    from . import pocket_store
    from .cli import progress
    from .pocket_express import rules_of

    rules = rules_of(beach, players, specialists, kommandant)
    with progress(say("pocket-solve.turns", beach=beach)) as tick:
        return pocket_store.solved_express(rules, tick)


# ---------------------------------------------------------------------- what is best to do


def _policy(
    beach: str,
    specialists: bool,
    kommandant: str,
    sector: int,
    have: str,
    out: str,
    axis: str,
    black: str,
    dice: str,
    roll: int,
    as_json: bool,
) -> None:
    from ..core.errors import BeachheadError
    from ..say import say
    from . import pocket_express as solver
    from .pocket_dice import needs

    if not 1 <= sector <= 6:
        raise BeachheadError(say("pocket-solve.sector-number", n=sector))
    held, gone = _cards(have), _cards(out)
    if held & gone:
        raise BeachheadError(say("pocket-solve.both"))
    solved = _solved(beach, 1, specialists, kommandant)
    if (held | gone) & ~solved.rules.every:
        raise BeachheadError(say("pocket-solve.without"))
    shown, dark = _faces(axis), _faces(black)
    stage = next((one for one in solved.values if one.sector == sector and one.black == bool(dark)), None)
    if stage is None or len(dark) > 1:
        raise BeachheadError(say("pocket-solve.black"))
    if axis and beach == "juno" and sector == 5 and len(shown) == 6:
        stage = stage._replace(axis=6)
    state = solver.start_of(solved.rules, stage, held, gone)
    if state not in solved.values[stage]:
        raise BeachheadError(say("pocket-solve.never", sector=sector))
    if not axis:
        if dice:
            raise BeachheadError(say("pocket-solve.needs", option="--dice", other="--axis"))
        _tell_value(solved.values[stage][state], as_json, sector=sector)
        return
    if len(shown) + len(dark) != stage.axis:
        raise BeachheadError(say("pocket-solve.axis", n=len(shown) + len(dark), wanted=stage.axis))
    need = needs(6, shown)
    if dark:
        need[dark[0]] = need[dark[0]] + 2 if kommandant == "strict" else max(need[dark[0]] + 1, 2)
    table = solver.Table(solved, stage, state, tuple(need.tolist()))
    if not dice:
        _tell_value(table.value, as_json, sector=sector)
        return
    mine = _dice(dice)
    if len(sum(mine, ())) != 6:
        raise BeachheadError(say("pocket-solve.six"))
    _check_roll(roll)
    found = table.choices(mine, roll)
    ends = [_end(solved.rules, one) for one in table.ends(mine)] if roll == 3 else []
    _tell_choices(found, mine, roll, ends, as_json, sector=sector)


def _end(rules: pocket_express.Rules, one: pocket_express.Use) -> dict[str, Any]:
    from ..pocket.content import box

    ids = {bit: card.id for card in box().specialists.values() for name, bit, _ in rules.cards if name == card.ability}
    named = [ids[bit] for bit in sorted(ids) if one.gain & bit]
    return {"value": one.value, "medic": one.medic, "hero": one.hero, "rally": named}


def battle(
    one_turn: Annotated[bool, typer.Option("--turn")] = False,
    kommandant: Annotated[bool, typer.Option("--kommandant")] = False,
    medals: Annotated[bool, typer.Option("--medals")] = False,
    score: Annotated[str, typer.Option(metavar="A,B")] = "",
    axis: Annotated[str, typer.Option(metavar="FACES")] = "",
    black: Annotated[str, typer.Option(metavar="FACE")] = "",
    dice: Annotated[str, typer.Option(metavar="DICE")] = "",
    roll: Annotated[int | None, typer.Option(metavar="N")] = None,
    games: Annotated[int, typer.Option(metavar="N")] = GAMES,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """Battle!: two players to 30 points, exactly, or with --turn the best single turn; when to advance.

    \b
    beachhead solve battle
    beachhead solve battle --turn --kommandant
    beachhead solve battle --score 12,20
    beachhead solve battle --axis star,star,tool --dice "R:star,skull W:tool,tool B:courage,soldier2"
    """
    _one_thread()
    from ..core.errors import BeachheadError
    from ..say import say

    if dice and not axis:
        raise BeachheadError(say("pocket-solve.needs", option="--dice", other="--axis"))
    if black and not axis:
        raise BeachheadError(say("pocket-solve.needs", option="--black", other="--axis"))
    if roll is not None and not dice:
        raise BeachheadError(say("pocket-solve.needs", option="--roll", other="--dice"))
    if score and (one_turn or medals):
        raise BeachheadError(say("odds.not-with", option="--score", other="--turn" if one_turn else "--medals"))
    if medals and (one_turn or kommandant):
        raise BeachheadError(say("odds.not-with", option="--medals", other="--turn" if one_turn else "--kommandant"))
    if not 100 <= games <= 10_000_000:
        raise BeachheadError(say("pocket-solve.games", n=games))
    if axis:
        _skirmish(axis, black, dice, 1 if roll is None else roll, as_json)
    elif one_turn:
        _turn(kommandant, as_json)
    elif medals:
        _sample(games, as_json)
    else:
        _match(kommandant, score, as_json)


def _turn(kommandant: bool, as_json: bool) -> None:
    from ..say import say
    from .pocket_battle import FEWEST, best_turn, ways

    found = best_turn(kommandant)
    value = float(found.ahead[FEWEST][0, 0])
    limits = found.thresholds()
    if as_json:
        plain: dict[str, Any] = {"game": "battle", "turn": True, "kommandant": kommandant, "medals": False}
        plain |= {"kind": "mean", "value": value, "exact": True, "thresholds": limits}
        if kommandant:
            plain["deploy_below"] = {axis: _below(found, axis) for axis in limits}
        plain["skirmish"] = [{"six": way.six, "five": way.five, "points": way.points} for way in ways(kommandant)]
        print(json.dumps(plain, indent=2))
        return
    print(say("pocket-solve.turn"))
    _print_rows([(say("pocket-solve.points"), f"{value:.14f}"), *_limits(limits)])
    if kommandant:
        _print_rows([(say("pocket-solve.before", n=axis), _deploy(_below(found, axis))) for axis in limits])


def _below(found: pocket_battle.Turn, axis: int) -> int:
    """The Kommandant is deployed with fewer points at stake than these."""
    import numpy as np

    never = np.flatnonzero(~found.deploys[axis][:, 0])
    return int(never[0]) if len(never) else len(found.deploys[axis])


def _deploy(below: int) -> str:
    from ..say import say

    return say("pocket-solve.deploy", n=below) if below else say("pocket-solve.no-deploy")


def _limits(limits: dict[int, int]) -> list[tuple[str, str]]:
    from ..say import say

    return [(say("pocket-solve.after", n=axis), say("pocket-solve.retreat", n=least)) for axis, least in limits.items()]


def _match(kommandant: bool, score: str, as_json: bool) -> None:
    import numpy as np

    from ..core.errors import BeachheadError
    from ..say import say
    from . import pocket_store
    from .cli import progress
    from .pocket_battle import FEWEST, GOAL

    first, second = _score(score)
    with progress(say("pocket-solve.scores")) as tick:
        solved = pocket_store.solved_battle(kommandant, tick)
    if second >= GOAL:
        raise BeachheadError(say("pocket-solve.over", goal=GOAL))
    mine, other = np.array([first]), np.array([second])
    if first >= GOAL:
        turns = {"second": solved.last_turn(mine - other)}
    else:
        turns = {"first": solved.starter(mine, other), "second": solved.follower(mine, other)}
    values = {name: float(one.ahead[FEWEST][0, 0]) for name, one in turns.items()}
    value = values.get("first", 1 - values["second"])
    limits = {name: one.thresholds() for name, one in turns.items()}
    if as_json:
        plain: dict[str, Any] = {"game": "battle", "turn": False, "kommandant": kommandant, "medals": False}
        plain |= {"players": 2, "score": [first, second], "kind": "probability", "value": value, "exact": True}
        plain |= {"gap": solved.gap, "beyond": solved.beyond, "tie": solved.tie, "thresholds": limits}
        plain["exceptions"] = {name: one.exceptions() for name, one in turns.items()}
        print(json.dumps(plain, indent=2))
        return
    print(say("pocket-solve.match", goal=GOAL, first=first, second=second))
    _print_rows([(say("pocket-solve.begins"), f"{value:.14f}"), (say("pocket-solve.gap"), f"{solved.gap:.0e}")])
    for name, some in limits.items():
        print(say(f"pocket-solve.{name}", chance=f"{values[name]:.6f}"))
        _print_rows([(f"  {label}", told) for label, told in _limits(some)])
        for axis, points in turns[name].exceptions().items():
            print("  " + say("pocket-solve.also", n=axis, points=", ".join(map(str, points))))


def _score(text: str) -> tuple[int, int]:
    from ..core.errors import BeachheadError
    from ..say import say

    if not text:
        return 0, 0
    parts = text.split(",")
    if len(parts) != 2 or not all(part.strip().isdigit() and len(part) < 4 for part in parts):
        raise BeachheadError(say("pocket-solve.score", text=text))
    return int(parts[0]), int(parts[1])


def _sample(games: int, as_json: bool) -> None:
    from ..say import say
    from . import pocket_store
    from .cli import progress
    from .pocket_battle import sample

    with progress(say("pocket-solve.scores")) as tick:
        solved = pocket_store.solved_battle(tick=tick)
    found = sample(solved, games)
    if as_json:
        plain: dict[str, Any] = {"game": "battle", "turn": False, "kommandant": False, "medals": True, "players": 2}
        plain |= {"kind": "probability", "value": found.value, "exact": False, "interval": [found.low, found.high]}
        plain |= {"confidence": 0.95, "games": games, "policy": "as without Medals; Medals are kept, never played"}
        starts = solved.starter(*_zero()).thresholds(), solved.follower(*_zero()).thresholds()
        plain |= {"medals_held": found.medals, "thresholds": dict(zip(("first", "second"), starts, strict=True))}
        print(json.dumps(plain, indent=2))
        return
    print(say("pocket-solve.unsolved"))
    print(say("pocket-solve.sampled", n=games))
    told = say("pocket-solve.interval", low=f"{found.low:.6f}", high=f"{found.high:.6f}")
    _print_rows(
        [(say("pocket-solve.begins"), f"{found.value:.6f} ({told})"), (say("pocket-solve.held"), f"{found.medals:.4f}")]
    )


def _zero() -> Any:
    import numpy as np

    return np.array([0]), np.array([0])


def _skirmish(axis: str, black: str, dice: str, roll: int, as_json: bool) -> None:
    import numpy as np

    from ..core.errors import BeachheadError
    from ..say import say
    from . import pocket_dice

    shown, dark = _faces(axis), _faces(black)
    if len(dark) > 1 or not 2 <= len(shown) + len(dark) <= 6:
        raise BeachheadError(say("pocket-solve.skirmish", n=len(shown) + len(dark)))
    mine = _dice(dice) if dice else ((0, 0), (0, 0), (0, 0))
    own = pocket_dice.box(6, (len(mine[0]), len(mine[1]), len(mine[2])))
    some = pocket_dice.outcomes(own)
    need = pocket_dice.needs(6, shown + dark)
    values = (pocket_dice.within_reach(own, some, need)[some.source] > 0).astype(np.float64)
    stay = dark[0] if dark else -1
    if not dice:
        _tell_value(float(pocket_dice.play(own, values[:, None], stay)[0]), as_json)
        return
    _check_roll(roll)
    _tell_choices(pocket_dice.choices(own, values, mine, roll, stay), mine, roll, [], as_json)


# ---------------------------------------------------------------------- the page


def pocket(
    write: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    kommandant: Annotated[bool, typer.Option("--kommandant")] = False,
) -> None:
    """All results of the Pocket games as a page; what is not known yet is worked out, which takes a while."""
    _one_thread()
    from ..core.errors import BeachheadError
    from ..say import say, speak
    from .pocket_page import page

    speak("en")
    text = page(_solved, kommandant)
    if write is None:
        print(text, end="")
        return
    try:
        write.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BeachheadError(say("whole.unwritten", file=write, why=error.strerror)) from None


# ---------------------------------------------------------------------- reading and telling


def _one_thread() -> None:
    """Before numpy is there: many small products are slower with threads, and processes share the work here."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _cards(text: str) -> int:
    from ..core.errors import BeachheadError
    from ..landing.dice import FACE, FACES
    from ..pocket.content import box
    from ..say import either, say

    found = 0
    for name in filter(None, (part.strip() for part in text.split(","))):
        card = box().specialists.get(name)
        if card is None:
            raise BeachheadError(say("pocket-solve.card", text=name, known=either(list(box().specialists))))
        found |= 1 << (FACE[card.rwb] if card.rwb in FACE else len(FACES))
    return found


def _faces(text: str) -> Faces:
    from ..core.errors import BeachheadError
    from ..landing.dice import FACE, FACES
    from ..say import say
    from .goals import ALIASES

    names = [ALIASES.get(part.strip(), part.strip()) for part in text.split(",")] if text.strip() else []
    for name in names:
        if name not in FACE:
            raise BeachheadError(say("odds.face", text=name, faces=", ".join((*ALIASES, *FACES))))
    return tuple(sorted(FACE[name] for name in names))


def _dice(text: str) -> tuple[Faces, Faces, Faces]:
    from .cli import read_dice

    faces = read_dice(text)
    red, white, blue = (tuple(sorted(face for face in faces[at : at + 2] if face >= 0)) for at in (0, 2, 4))
    return red, white, blue


def _check_roll(roll: int) -> None:
    from ..core.errors import BeachheadError
    from ..say import say

    if not 1 <= roll <= 3:
        raise BeachheadError(say("odds.roll", roll=roll, most=3))


def _written(mine: tuple[Faces, Faces, Faces]) -> str:
    from ..landing.dice import FACES

    parts = [
        f"{letter}:{','.join(FACES[face] for face in some)}" for letter, some in zip("RWB", mine, strict=True) if some
    ]
    return " ".join(parts)


def _again(mine: tuple[Faces, Faces, Faces], kept: tuple[Faces, Faces, Faces]) -> tuple[Faces, Faces, Faces]:
    found = []
    for some, stay in zip(mine, kept, strict=True):
        left = list(some)
        for face in stay:
            left.remove(face)
        found.append(tuple(left))
    return found[0], found[1], found[2]


def _tell_value(value: float, as_json: bool, **more: Any) -> None:
    from ..say import say

    if as_json:
        print(json.dumps({"value": value, "exact": True} | more, indent=2))
    else:
        _print_rows([(say("pocket-solve.value"), f"{value:.14f}")])


def _tell_choices(
    found: list[Kept],
    mine: tuple[Faces, Faces, Faces],
    roll: int,
    ends: list[dict[str, Any]],
    as_json: bool,
    **more: Any,
) -> None:
    from ..pocket.content import card_name
    from ..say import join, say

    if as_json:
        plain: dict[str, Any] = {"value": found[0].value, "exact": True, "roll": roll} | more
        plain["choices"] = [
            {"keep": _written(one.kept), "roll": _written(_again(mine, one.kept)), "value": one.value}
            for one in found[:5]
        ]
        print(json.dumps(plain | ({"ends": ends[:5]} if ends else {}), indent=2))
        return
    rows = [(say("pocket-solve.value"), f"{found[0].value:.14f}")]
    if roll < 3:
        for label, one in zip(("odds.best", "odds.runner-up"), found, strict=False):
            again = _written(_again(mine, one.kept))
            told = say("odds.roll-again", dice=again) if again else say("odds.stop")
            rows.append((say(label), say("pocket-solve.choice", choice=told, chance=f"{one.value:.12f}")))
    for label, end in zip(("odds.best", "odds.runner-up"), ends, strict=False):
        used = [card_name(name) for name in ("medic", "hero") if end[name]]
        parts = [say("pocket-solve.sacrifice", card=name.the) for name in used]
        parts += [say("pocket-solve.rally", card=card_name(name).the) for name in end["rally"]]
        told = join(parts) if parts else say("pocket-solve.nothing")
        rows.append((say(label), say("pocket-solve.choice", choice=told, chance=f"{end['value']:.12f}")))
    _print_rows(rows)


def _print_rows(rows: list[tuple[str, str]]) -> None:
    from .cli import print_rows

    print_rows(rows)
