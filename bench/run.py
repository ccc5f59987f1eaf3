"""Our random games beside those of catanatron, in one run, the bots that think, and the adviser. `make bench` sets up
both environments and calls this.

The sides take turns in short rounds, so that what else the machine does hits all of them. Each figure is the median of
its rounds, with the lowest and the highest; each ratio is taken within a round first. The raw numbers go to
.bench/latest.json.

Our side is `beachhead.sim.bench`, which says what its figures are; the other side is bench/catanatron_side.py. What the
adviser's figures are stands in bench/adviser.py.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
LATEST = ROOT / ".bench" / "latest.json"
PEER_PYTHON = ROOT / ".bench" / "venv" / "bin" / "python"
PEER = "catanatron"
EDITIONS = ("first", "second")

Round = dict[str, float]


class Side(NamedTuple):
    """One of those who take turns: its name in the table and its command."""

    name: str
    command: list[str]


class Target(NamedTuple):
    """What a side must reach: a figure of one round, from ours and catanatron's, and its bound. For brains, which have
    no such peer, both are ours.
    """

    name: str
    figure: Callable[[Round, Round], float]
    unit: str
    at_least: bool
    bound: float
    goal: float | None = None

    def verdict(self, value: float) -> str:
        if not self.reached(value, self.bound):
            return "missed"
        return "goal" if self.goal is not None and self.reached(value, self.goal) else "ok"

    def reached(self, value: float, bound: float) -> bool:
        return value >= bound if self.at_least else value <= bound

    def wanted(self) -> str:
        sign = ">=" if self.at_least else "<="
        goal = "" if self.goal is None else f" (goal {self.goal:g})"
        return f"{sign} {self.bound:g}{self.unit}{goal}"


def decisions_per_second(r: Round) -> float:
    return r["decisions"] / r["seconds"]


def games_per_second(r: Round) -> float:
    return r["games"] / r["seconds"]


TARGETS = (
    Target(
        "decisions/s", lambda ours, peer: decisions_per_second(ours) / decisions_per_second(peer), "x", True, 1.5, 4.0
    ),
    Target("games/s", lambda ours, peer: games_per_second(ours) / games_per_second(peer), "x", True, 15.0),
    Target("clone / copy", lambda ours, peer: ours["clone_us"] / peer["copy_us"], "x", False, 0.1),
    Target("replay", lambda ours, peer: ours["replay_ms"], " ms", False, 50.0),
)


SOLO = Target("solo games/s", lambda ours, _: games_per_second(ours), "", True, 50.0)
BRAINS = (
    Target("exact turn, numpy", lambda ours, _: ours["turn_ms"], " ms", False, 20.0),
    Target("exact turn, machine code", lambda ours, _: ours["turn_fast_ms"], " ms", False, 1.0),
)
ADVISER = (
    Target("any but the first", lambda ours, _: ours["longest_ms"], " ms", False, 100.0),
    Target("the first, nothing ready", lambda ours, _: ours["cold_ms"], " ms", False, 100.0),
)
PARTS = ("games", "brains", "adviser")
BRAIN_SEATS = (1, 4)
SHARE = 4
"""Games with four seats are so many times fewer."""


def brains(games: int) -> list[Side]:
    return [
        Side(
            our_name(edition, seats),
            [sys.executable, "-m", "beachhead.sim.bench", "--brains", "--json"]
            + ["--games", str(games if seats == 1 else max(1, games // SHARE))]
            + ["--seats", str(seats), "--edition", edition],
        )
        for seats in BRAIN_SEATS
        for edition in EDITIONS
    ]


def advisers(games: int) -> list[Side]:
    return [
        Side(
            our_name(edition, seats),
            [sys.executable, "bench/adviser.py", "--edition", edition, "--seats", str(seats), "--games", str(games)],
        )
        for seats in BRAIN_SEATS
        for edition in EDITIONS
    ]


def sides(games: int, peer_games: int) -> list[Side]:
    peer = Side(PEER, [str(PEER_PYTHON), "bench/catanatron_side.py", "--games", str(peer_games)])
    ours = [
        Side(
            our_name(edition, seats, cards),
            [sys.executable, "-m", "beachhead.sim.bench", "--json"]
            + ["--games", str(games), "--seats", str(seats), "--edition", edition]
            + [word for option in cards for word in ("--option", option)],
        )
        for seats, cards in ((4, ()), (4, ALL_CARDS), (1, ()))
        for edition in EDITIONS
    ]
    return [peer] + ours


ALL_CARDS = ("bazooka-joe", "bazooka-joe-specialists")
"""Options that bring every card of the edition into reach."""


def our_name(edition: str, seats: int, cards: tuple[str, ...] = ()) -> str:
    return f"{edition} edition, {seats} seat{'s' if seats > 1 else ''}{', all cards' if cards else ''}"


def print_brains(rounds: dict[str, list[Round]]) -> list[dict[str, object]]:
    """What the bots that think take, and the verdicts."""
    milliseconds = ("turn_ms", "turn_fast_ms", "choices_ms", "choices_fast_ms", "best_fast_ms")
    rows = [
        [
            name,
            str(measured[0]["games"]),
            str(measured[0]["solver"]),
            spread([games_per_second(r) for r in measured], 1),
            f"{measured[0]['decisions'] / measured[0]['games']:,.0f}",
        ]
        for name, measured in rounds.items()
    ]
    print_table(["bot exact", "games", "dice by", "games/s of processor time", "decisions/game"], rows)
    every = [r for measured in rounds.values() for r in measured]
    rows = []
    for name in milliseconds:
        if name in every[0]:
            rows.append([name.removesuffix("_ms"), spread([r[name] for r in every], 3)])
    print_table(["one turn of dice", "ms"], rows)

    rows, verdicts = [], []
    wanted = [("", target, every) for target in BRAINS]
    wanted += [(our_name(edition, 1), SOLO, rounds[our_name(edition, 1)]) for edition in EDITIONS]
    for side, target, measured in wanted:
        try:
            values = [target.figure(r, r) for r in measured]
        except KeyError:
            print(f"{target.name}: not measured, there is no numba here\n")
            continue
        value = statistics.median(values)
        verdict = target.verdict(value)
        rows.append([side, target.name, spread(values, 3) + target.unit, target.wanted(), verdict])
        verdicts.append({"side": side, "target": target.name, "value": value, "verdict": verdict})
    print_table(["side", "brains", "measured", "wanted", "verdict"], rows)
    return verdicts


def print_adviser(rounds: dict[str, list[Round]]) -> list[dict[str, object]]:
    """How long it takes for a question about dice, and the verdicts."""
    rows = [
        [
            name,
            str(measured[0]["questions"]),
            spread([r["median_ms"] for r in measured], 1),
            spread([r["p99_ms"] for r in measured], 1),
        ]
        for name, measured in rounds.items()
    ]
    print_table(["the adviser on dice", "questions", "median, ms", "99 %, ms"], rows)
    rows, verdicts = [], []
    for side, measured in rounds.items():
        for target in ADVISER:
            values = [target.figure(r, r) for r in measured]
            value = max(values)
            verdict = target.verdict(value)
            rows.append([side, target.name, spread(values, 1) + target.unit, target.wanted(), verdict])
            verdicts.append({"side": side, "target": target.name, "value": value, "verdict": verdict})
    print_table(["side", "longest answer", "measured", "wanted", "verdict by the longest"], rows)
    return verdicts


def measure(side: Side) -> Round:
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(side.command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{side.name}: the measurement failed.\n  {' '.join(side.command)}\n{done.stderr}")
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        sys.exit(f"{side.name}: expected one JSON object, got:\n{done.stdout}")


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def spread(values: list[float], digits: int) -> str:
    return f"{statistics.median(values):,.{digits}f} [{min(values):,.{digits}f} .. {max(values):,.{digits}f}]"


def print_table(head: list[str], rows: list[list[str]]) -> None:
    widths = [max(len(row[i]) for row in [head] + rows) for i in range(len(head))]
    for row in [head, ["-" * width for width in widths]] + rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    print()


def print_figures(rounds: dict[str, list[Round]]) -> None:
    rows = []
    for name, measured in rounds.items():
        copy = "copy_us" if name == PEER else "clone_us"
        replays = [r["replay_ms"] for r in measured if "replay_ms" in r]
        rows.append(
            [
                name,
                spread([games_per_second(r) for r in measured], 1),
                spread([decisions_per_second(r) for r in measured], 0),
                f"{measured[0]['decisions'] / measured[0]['games']:,.0f}",
                spread([r[copy] for r in measured], 1),
                spread(replays, 1) if replays else "-",
            ]
        )
    print_table(["side", "games/s", "decisions/s", "decisions/game", "clone or copy, µs", "replay, ms"], rows)


def judge(rounds: dict[str, list[Round]]) -> list[dict[str, object]]:
    """Every target for every edition with four seats, printed and returned."""
    verdicts: list[dict[str, object]] = []
    rows = []
    for name in (our_name(edition, 4, cards) for cards in ((), ALL_CARDS) for edition in EDITIONS):
        for target in TARGETS:
            values = [target.figure(ours, peer) for ours, peer in zip(rounds[name], rounds[PEER], strict=True)]
            value = statistics.median(values)
            verdict = target.verdict(value)
            rows.append([name, target.name, spread(values, 3) + target.unit, target.wanted(), verdict])
            verdicts.append({"side": name, "target": target.name, "value": value, "verdict": verdict})
    print_table(["side", f"against {PEER}", "measured", "wanted", "verdict"], rows)
    return verdicts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each side")
    parser.add_argument("--games", type=int, default=200, help="our games in a round")
    parser.add_argument("--peer-games", type=int, default=40, help=f"games of {PEER} in a round")
    parser.add_argument("--brain-games", type=int, default=100, help="solo games of the bot exact in a round")
    parser.add_argument("--advised-games", type=int, default=12, help="games with the adviser in a round, one per map")
    parser.add_argument("--only", choices=PARTS, help="one part of it")
    args = parser.parse_args()
    parts = (args.only,) if args.only else PARTS

    if "games" in parts and not PEER_PYTHON.exists():
        sys.exit(f"There is no environment for {PEER} yet: start with `make bench`.")

    order = {
        "games": sides(args.games, args.peer_games),
        "brains": brains(args.brain_games),
        "adviser": advisers(args.advised_games),
    }
    rounds = {part: {side.name: [] for side in order[part]} for part in parts}
    for number in range(1, args.rounds + 1):
        print(f"round {number} of {args.rounds}", file=sys.stderr)
        for part in parts:
            for side in order[part]:
                rounds[part][side.name].append(measure(side))

    machine = f"{processor()}, Python {platform.python_version()}, {platform.system()}"
    verdicts: dict[str, object] = {}
    print(f"{machine}; one process, one core; median of {args.rounds} rounds [lowest .. highest]\n")
    if "games" in parts:
        print(f"random games, beside {PEER} {rounds['games'][PEER][0]['version']}\n")
        print_figures(rounds["games"])
        verdicts["games"] = judge(rounds["games"])
    if "brains" in parts:
        print("bots that think\n")
        verdicts["brains"] = print_brains(rounds["brains"])
    if "adviser" in parts:
        verdicts["adviser"] = print_adviser(rounds["adviser"])

    report = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine,
        "targets": verdicts,
        "rounds": rounds,
    }
    LATEST.parent.mkdir(exist_ok=True)
    LATEST.write_text(json.dumps(report, indent=2) + "\n")
    print(f"raw numbers: {LATEST.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
