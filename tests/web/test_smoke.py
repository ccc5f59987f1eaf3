"""The built client opens in a real browser; and the watch over its pages sees what it must see."""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Response, expect

from .axe import serious_findings
from .watching import Watch

FIRST_LOAD_LIMIT = 200_000
ALONE = "404"
"""The page is served without its server here, so what it asks for is missing."""


def test_the_page_opens_and_shows_its_title(page: Page, watch: Watch, static: Path, served: Callable[..., str]) -> None:
    watch.allow(ALONE)
    page.goto(served(static))
    expect(page).to_have_title("Beachhead")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert serious_findings(page) == []


def test_it_fits_on_a_phone(phone_page: Page, watch: Watch, static: Path, served: Callable[..., str]) -> None:
    watch.allow(ALONE)
    phone_page.goto(served(static))
    expect(phone_page.get_by_role("heading", level=1)).to_be_visible()
    assert phone_page.evaluate("document.documentElement.scrollWidth") <= 360
    assert phone_page.evaluate("navigator.maxTouchPoints") > 0


def test_the_first_load_is_small(page: Page, watch: Watch, static: Path, served: Callable[..., str]) -> None:
    watch.allow(ALONE)
    answers: list[Response] = []

    def keep(answer: Response) -> None:
        answers.append(answer)

    page.on("response", keep)
    page.goto(served(static), wait_until="networkidle")
    sizes = {answer.url: len(gzip.compress(answer.body(), 6)) for answer in answers}
    assert any(url.endswith(".js") for url in sizes)
    assert sum(sizes.values()) <= FIRST_LOAD_LIMIT, sizes


def test_built_files_have_their_hash_in_the_name(static: Path) -> None:
    names = [path.name for path in (static / "assets").iterdir()]
    assert names
    assert [name for name in names if not re.search(r"-[\w-]{8}\.\w+$", name)] == []


def test_axe_finds_what_is_wrong(page: Page, tmp_path: Path, served: Callable[..., str]) -> None:
    (tmp_path / "index.html").write_text("<!doctype html><html><title>t</title><main><h1>t</h1><button>")
    page.goto(served(tmp_path))
    assert [finding.split(":")[0] for finding in serious_findings(page)] == ["button-name", "html-has-lang"]


def test_the_watch_sees_errors_inline_code_and_foreign_hosts(
    page: Page, watch: Watch, tmp_path: Path, served: Callable[..., str]
) -> None:
    (tmp_path / "index.html").write_text(
        "<!doctype html><html lang=en><title>t</title><link rel=icon href=/code.js><script>var inline = 1</script>"
        "<script src=/code.js></script>"
    )
    (tmp_path / "code.js").write_text(
        "console.error('first fault'); fetch('http://foreign.example/').catch(() => 0); throw new Error('second fault')"
    )
    page.goto(served(tmp_path), wait_until="networkidle")
    faults = "\n".join(watch.take())
    for part in ("console: first fault", "uncaught: second fault", "http://foreign.example/", "inline script"):
        assert part in faults, f"{part} is not in {faults}"

    watch.allow("third fault")
    page.evaluate("console.error('third fault'); console.error('fourth fault')")
    assert len(watch.faults) == 1
    assert "fourth fault" in watch.take()[0]


@pytest.mark.usefixtures("driven")
def test_asyncio_still_runs_beside_the_browser() -> None:
    assert asyncio.run(asyncio.sleep(0, "done")) == "done"
