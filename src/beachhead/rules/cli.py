"""The register at the command line: show rules, search them, say which have a test."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from beachhead import rules
from beachhead.rules.coverage import coverage as measure
from beachhead.rules.coverage import tests_root
from beachhead.say import say

app = typer.Typer(no_args_is_help=True)


@app.command()
def show(ids: Annotated[list[str], typer.Argument(metavar="ID...")]) -> None:
    """Show rules: text, example, note, the other edition, source."""
    found = [rules.rule(rule_id) for rule_id in ids]
    print("\n\n\n".join(map(rules.show, found)))


@app.command()
def search(words: Annotated[list[str], typer.Argument(metavar="WORDS...")]) -> None:
    """Find rules by the words of their id, title, text and note, best first."""
    found = rules.search(words)
    if not found:
        print(say("rules.nothing-found", words=" ".join(words)))
        raise typer.Exit(1)
    width = max(len(rule.id) for rule in found)
    for rule in found:
        print(f"{rule.id:<{width}}  {rule.title}")


@app.command()
def coverage(
    as_json: Annotated[bool, typer.Option("--json")] = False,
    untested: Annotated[bool, typer.Option("--untested")] = False,
) -> None:
    """Count the rules that have at least one test, per book."""
    report = measure(tests_root())
    print(json.dumps(report.as_json(), indent=2) if as_json else report.as_text(untested=untested))
