"""What all plain pages are made of: the page itself, its forms, buttons and choices, and the fields that come back.

Every text goes through `e`.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from html import escape as e
from typing import Any

from ..say import LANGUAGES, language, say

Form = Mapping[str, Sequence[str]]
"""The fields of a form, each with all its values."""

STYLE = """
:root { color-scheme: light dark; }
body { font: 1.05rem/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; margin: 0 auto; max-width: 46rem;
  padding: 0 1rem 4rem; background: #faf6ea; color: #1c211b; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; border-bottom: 2px solid #857d66; } h3 { font-size: 1.05rem; }
a { color: #0e4f66; } a:focus, button:focus, input:focus, select:focus, summary:focus { outline: 3px solid #0b4fd6; }
button, input[type=submit] { font: inherit; min-height: 2.75rem; padding: .3rem .9rem; border: 2px solid #43502a;
  border-radius: .4rem; background: #43502a; color: #fffbef; text-align: start; cursor: pointer; }
button.quiet { background: transparent; color: inherit; }
fieldset { min-width: 0; } label { overflow-wrap: anywhere; }
input, select, textarea { box-sizing: border-box; font: inherit; min-height: 2.5rem; max-width: 100%;
  padding: .2rem .5rem; }
input[type=checkbox], input[type=radio] { min-height: 0; width: 1.3rem; height: 1.3rem; vertical-align: middle; }
label { display: inline-block; max-width: 100%; margin: .2rem .8rem .2rem 0; }
fieldset { margin: 1rem 0; border: 2px solid #857d66; }
.options { list-style: none; padding: 0; } .options li { margin: .5rem 0; } .options button { width: 100%; }
.small { font-size: .92rem; } .note { border-inline-start: .4rem solid #0e4f66; padding: .3rem .8rem; }
.bad { border-inline-start: .4rem solid #9c2318; padding: .3rem .8rem; } nav a { margin-inline-end: 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; } dd { margin: 0; }
table { border-collapse: collapse; } td, th { padding: .15rem .8rem .15rem 0; text-align: start; }
code { overflow-wrap: anywhere; } svg { max-width: 14rem; }
@media (prefers-color-scheme: dark) { body { background: #0f1416; color: #efe8d6; } a { color: #8fcfe0; }
  button, input[type=submit] { background: #c3cf7e; border-color: #c3cf7e; color: #151a0c; }
  button.quiet { background: transparent; color: inherit; } }
"""


def t(key: str, /, **args: Any) -> str:
    """A message of the text view, ready for a page."""
    return e(say(f"textview.{key}", **args))


def page(title: str, body: Iterable[str], refresh: int = 0, problem: str = "", here: str = "") -> str:
    """A whole page. `here`: its address, for the links to other languages."""
    inside = "\n".join(body)
    again = f'<meta http-equiv="refresh" content="{refresh}">\n' if refresh else ""
    bad = f'<p class="bad" role="alert"><strong>{e(problem)}</strong></p>\n' if problem else ""
    others = " ".join(
        f'<a href="{e(here)}?lang={code}" lang="{code}" hreflang="{code}">{e(name)}</a>'
        for code, name in LANGUAGES.items()
        if here and code != language()
    )
    return (
        f'<!doctype html>\n<html lang="{e(language())}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'{again}<title>{e(title)}</title>\n<link rel="icon" href="/icon.svg" type="image/svg+xml">\n'
        '<link rel="stylesheet" href="/text.css">\n</head>\n<body>\n'
        f'<nav class="small" aria-label="{t("pages")}"><a href="/text">{t("home")}</a>{others}</nav>\n'
        f"<main>\n<h1>{e(title)}</h1>\n{bad}{inside}\n</main>\n</body>\n</html>\n"
    )


def failed(title: str, words: str, here: str = "") -> str:
    """A page for what did not work."""
    return page(title, [f'<p><a href="/text">{t("to-home")}</a></p>'], problem=words, here=here)


def form(action: str, fields: Iterable[str], hidden: Mapping[str, object] | None = None) -> str:
    """A form; every one has an id of its own, so that sending it twice does it once."""
    given = {"id": secrets.token_hex(8), **(hidden or {})}
    kept = "".join(f'<input type="hidden" name="{e(name)}" value="{e(str(value))}">' for name, value in given.items())
    return f'<form method="post" action="{e(action)}">{kept}{"".join(fields)}</form>'


def button(words: str, name: str = "", value: str = "", quiet: bool = False) -> str:
    named = f' name="{e(name)}" value="{e(value)}"' if name else ""
    return f'<button type="submit"{named}{" class=quiet" if quiet else ""}>{e(words)}</button>'


def choice(name: str, label: str, values: Mapping[str, str], chosen: str = "") -> str:
    options = "".join(
        f'<option value="{e(value)}"{" selected" if value == chosen else ""}>{e(words)}</option>'
        for value, words in values.items()
    )
    return f'<p><label>{e(label)} <select name="{e(name)}">{options}</select></label></p>'


def first(fields: Form, name: str) -> str:
    """The first value of a field, or the empty text."""
    found = fields.get(name)
    return found[0] if found else ""


def number(fields: Form, name: str, default: int = -1) -> int:
    """The whole number in a field."""
    found = first(fields, name)
    return int(found) if found.lstrip("-").isdecimal() and len(found) < 10 else default
