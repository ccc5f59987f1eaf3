"""A browser of the simplest kind: pages, forms, cookies; no scripts."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlencode, urlsplit

from .running import Answer, ask

VOID = {"input", "br", "meta", "link", "img", "hr"}


@dataclass
class Field:
    tag: str
    name: str
    value: str
    kind: str
    words: str = ""
    chosen: bool = False


@dataclass
class Form:
    action: str
    fields: list[Field] = field(default_factory=list)

    def hidden(self) -> list[tuple[str, str]]:
        """What is sent without being touched."""
        found = [(one.name, one.value) for one in self.fields if one.tag == "input" and one.kind in ("hidden", "text")]
        found += [(one.name, one.value) for one in self.fields if one.kind == "number"]
        options = [one for one in self.fields if one.tag == "option"]
        for name in dict.fromkeys(one.name for one in options):
            mine = [one for one in options if one.name == name]
            chosen = next((one for one in mine if one.chosen), mine[0])
            found.append((name, chosen.value))
        return found

    @property
    def buttons(self) -> list[Field]:
        return [one for one in self.fields if one.tag == "button"]

    @property
    def boxes(self) -> list[Field]:
        return [one for one in self.fields if one.kind == "checkbox"]


class Page(HTMLParser):
    """What a page holds; it fails on tags that are not closed as they should be."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self.title = ""
        self.lang = ""
        self.scripts = 0
        self._open: list[str] = []
        self._select = ""
        self._into: Field | None = None
        self.feed(text)
        self.close()
        assert not self._open, f"not closed: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag not in VOID:
            self._open.append(tag)
        self.scripts += tag == "script" or any(name.startswith("on") for name in given)
        if tag == "html":
            self.lang = given.get("lang", "")
        elif tag == "a":
            self.links.append(given.get("href", ""))
        elif tag == "form":
            assert given["method"] == "post"
            self.forms.append(Form(given["action"]))
        elif tag == "select":
            self._select = given["name"]
        elif tag in ("input", "button", "option") and self.forms:
            name = self._select if tag == "option" else given.get("name", "")
            kind = given.get("type", "text") if tag == "input" else ""
            chosen = "selected" in given or "checked" in given
            self._into = Field(tag, name, given.get("value", ""), kind, chosen=chosen)
            self.forms[-1].fields.append(self._into)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self._open and self._open[-1] == tag, f"</{tag}> closes {self._open[-1:]}"
            self._open.pop()
        if tag in ("button", "option"):
            self._into = None

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "title":
            self.title += data
        elif data.strip():
            self.words.append(" ".join(data.split()))
            if self._into is not None and self._into.tag in ("button", "option"):
                self._into.words += data

    @property
    def text(self) -> str:
        return " ".join(self.words)


class Browser:
    """Follows links and forms, keeps cookies by their path."""

    def __init__(self, port: int, lang: str = "en") -> None:
        self.port = port
        self.lang = lang
        self.cookies: dict[tuple[str, str], str] = {}
        self.at = ""
        self.last = Answer(0, {}, b"")

    def _headers(self, path: str) -> dict[str, str]:
        fits = [(there, name) for there, name in self.cookies if there == "/" or f"{path}/".startswith(f"{there}/")]
        sent = "; ".join(f"{name}={self.cookies[there, name]}" for there, name in fits)
        return {"accept-language": self.lang, **({"cookie": sent} if sent else {})}

    def _keep(self, answer: Answer) -> None:
        one = answer.headers.get("set-cookie", "")
        if one:
            pair, *rest = [part.strip() for part in one.split(";")]
            name, _, value = pair.partition("=")
            where = next((part[5:] for part in rest if part.lower().startswith("path=")), "/")
            self.cookies[where, name] = value

    def get(self, path: str) -> Page:
        return self._show(path, ask(self.port, "GET", path, None, self._headers(urlsplit(path).path)))

    def submit(self, form: Form, *more: tuple[str, str]) -> Page:
        given = dict(more)
        pairs = [pair for pair in form.hidden() if pair[0] not in given] + list(more)
        headers = {"content-type": "application/x-www-form-urlencoded", "origin": f"http://127.0.0.1:{self.port}"}
        headers |= {"sec-fetch-site": "same-origin", **self._headers(form.action)}
        return self._show(form.action, ask(self.port, "POST", form.action, urlencode(pairs), headers))

    def _show(self, path: str, answer: Answer) -> Page:
        self._keep(answer)
        if answer.status in (301, 302, 303, 307):
            return self.get(answer.headers["location"])
        self.at, self.last = path, answer
        assert answer.status < 500, answer.text
        return Page(answer.text)
