"""The register at the command line: show rules, search them, say which have a test."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from beachhead import rules
from beachhead.rules.coverage import coverage as measure
from beachhead.rules.coverage import tests_root

app = typer.Typer(help="Read the rule register.", no_args_is_help=True)


@app.command()
def show(ids: Annotated[list[str], typer.Argument(metavar="ID...", help="Such as F-ROLL-01.")]) -> None:
    """Show rules: text, example, note, the other edition, source."""
    found = [rules.rule(rule_id) for rule_id in ids]
    print("\n\n\n".join(map(rules.show, found)))


@app.command()
def search(words: Annotated[list[str], typer.Argument(metavar="WORDS...", help="All must occur.")]) -> None:
    """Find rules by the words of their id, title, text and note, best first."""
    found = rules.search(words)
    if not found:
        print(f"no rule matches {' '.join(words)}")
        raise typer.Exit(1)
    width = max(len(rule.id) for rule in found)
    for rule in found:
        print(f"{rule.id:<{width}}  {rule.title}")


@app.command()
def coverage(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    untested: Annotated[bool, typer.Option("--untested", help="List the rules without a test.")] = False,
) -> None:
    """Count the rules that have at least one test, per book."""
    report = measure(tests_root())
    print(json.dumps(report.as_json(), indent=2) if as_json else report.as_text(untested=untested))
