"""axe-core on a page: what would shut people out."""

from __future__ import annotations

from functools import cache

from playwright.sync_api import Page

from .chromium import ROOT


@cache
def source() -> str:
    return (ROOT / "web/node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")


def serious_findings(page: Page) -> list[str]:
    """Each serious or critical finding: its rule, its help, and where it is."""
    if page.evaluate("typeof window.axe") == "undefined":
        page.evaluate(source())
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{finding['id']}: {finding['help']} at {[node['html'] for node in finding['nodes']]}"
        for finding in found["violations"]
        if finding["impact"] in ("serious", "critical")
    ]
