"""The first plain page: a new game, a link to a table, games that go on; and the door for somebody without a link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape as e
from typing import Any
from urllib.parse import quote

from ..say import say
from .paper import Form, button, choice, first, form, page, t

MOST_LISTED = 6
"""So many seats are offered in a form."""


def home(catalogue: Mapping[str, Any], tables: Sequence[Mapping[str, Any]], problem: str = "") -> str:
    """New game, a link to a table, games that go on."""
    body = [f"<p>{t('about')}</p>"]
    running = [table for table in tables if not table["over"]]
    if running:
        body += [f"<h2>{t('continue')}</h2>", _table_list(running)]
    body += [f"<h2>{t('quick')}</h2>", f"<p>{t('quick-about', map=catalogue['editions'][0]['maps'][0]['name'])}</p>"]
    body.append(form("/text/new", [button(say("textview.quick-start"), "quick", "1")]))
    body += [f"<h2>{t('new')}</h2>", _new_form(catalogue)]
    for game in catalogue["games"]:
        body += [f"<h2>{e(game['name'])}</h2>", f"<p>{e(game['text'])}</p>", _small_form(game, catalogue["bots"])]
    body += [f"<h2>{t('have-link')}</h2>", enter_form("/text/enter", say("textview.link-field"))]
    over = [table for table in tables if table["over"]]
    if over:
        body += [f"<h2>{t('finished')}</h2>", _table_list(over)]
    return page("Beachhead", body, problem=problem, here="/text")


def _table_list(tables: Sequence[Mapping[str, Any]]) -> str:
    rows = []
    for table in tables:
        state = say("textview.turn-n", turn=table["turn"])
        if table["over"] and table["ranked"]:
            state = table["cause"]
        elif table["over"]:
            state = say(
                "textview.told", what=say("textview.won" if table["won"] else "textview.lost"), text=table["cause"]
            )
        rows.append(f'<li><a href="/g/{e(table["table"])}/text">{e(table["title"])}</a> – {e(state)}</li>')
    return f"<ul>{''.join(rows)}</ul>"


def enter_form(action: str, label: str) -> str:
    field = f'<label>{e(label)} <input name="link" size="40" maxlength="400" autocomplete="off" required></label> '
    return form(action, [f"<p>{field}{button(say('textview.enter'))}</p>"])


def _new_form(catalogue: Mapping[str, Any]) -> str:
    maps = {
        f"{edition['id']}/{board['id']}": f"{board['name']} – {edition['name']}"
        for edition in catalogue["editions"]
        for board in edition["maps"]
    }
    levels = {"": say("textview.whole-map")}
    nations = {"": say("textview.any-nation")}
    for edition in catalogue["editions"]:
        for board in edition["maps"]:
            levels |= {level["id"]: level["name"] for level in board["levels"]}
        nations |= {nation["id"]: nation["name"] for nation in edition["nations"]}
    most = max(edition["seats"] for edition in catalogue["editions"])
    options: dict[str, str] = {}
    for edition in catalogue["editions"]:
        for option in edition["options"]:
            options.setdefault(option["id"], option["name"])
    seats = {"person": say("textview.seat-here"), "open": say("textview.seat-open"), "": say("textview.seat-none")}
    bots = {f"bot:{bot['code']}": say("textview.seat-bot", bot=bot["name"]) for bot in catalogue["bots"]}
    fields = [choice("map", say("textview.map"), maps), choice("level", say("textview.level"), levels)]
    fields.append(choice("nation", say("textview.nation"), nations))
    for seat in range(1, most + 1):
        who = {"person": seats["person"]} if seat == 1 else {"": seats[""], **seats, **bots}
        fields.append(choice(f"seat{seat}", say("textview.unit-n", n=seat), who, "person" if seat == 1 else ""))
    boxes = "".join(
        f'<label><input type="checkbox" name="option" value="{e(id)}"> {e(name)}</label>'
        for id, name in options.items()
    )
    fields.append(f"<fieldset><legend>{t('options')}</legend>{boxes}</fieldset>")
    fields.append(f"{_ways()}<p>{button(say('textview.start'))}</p>")
    return form("/text/new", fields)


def _small_form(game: Mapping[str, Any], bots: Sequence[Mapping[str, Any]]) -> str:
    """A new game without a map: where, with whom, by which rules."""
    fields = []
    if game["beaches"]:
        fields.append(choice("beach", say("textview.beach"), {one["id"]: one["name"] for one in game["beaches"]}))
    others = {"": say("textview.seat-none"), "person": say("textview.seat-here"), "open": say("textview.seat-open")}
    others |= {f"bot:{bot['code']}": say("textview.seat-bot", bot=bot["name"]) for bot in bots}
    for seat in range(1, min(game["seats"], MOST_LISTED) + 1):
        who = {"person": say("textview.seat-here")} if seat == 1 else others
        usual = f"bot:{bots[-1]['code']}" if 1 < seat <= game["usual"] else ""
        fields.append(choice(f"seat{seat}", say("textview.player-n", n=seat), who, usual))
    boxes = "".join(
        f'<label><input type="checkbox" name="option" value="{e(one["id"])}"> {e(one["name"])}</label>'
        for one in game["options"]
    )
    fields.append(f"<fieldset><legend>{t('options')}</legend>{boxes}</fieldset>")
    fields.append(f"{_ways()}<p>{button(say('textview.start-game', game=game['name']))}</p>")
    return form("/text/new", fields, {"game": game["id"]})


def _ways() -> str:
    """In which ways a game may be played."""
    names = {"practice": t("practice"), "own": t("own-dice")}
    return "".join(
        f'<p><label><input type="checkbox" name="{id}" value="1"> {said}</label></p>' for id, said in names.items()
    )


def setup_of(fields: Form) -> dict[str, Any]:
    """What a new game's form asks for, as the body of `POST /api/tables`."""
    if first(fields, "quick"):
        return {"setup": {"seats": 1}, "seats": [{"who": "person"}]}
    edition, _, board = first(fields, "map").partition("/")
    seats = []
    for seat in range(1, 13):
        who, _, bot = first(fields, f"seat{seat}").partition(":")
        if who:
            seats.append({"who": who, "bot": bot})
    setup: dict[str, Any] = {"seats": max(1, len(seats)), "options": list(fields.get("option", ()))}
    if game := first(fields, "game"):
        if first(fields, "beach"):
            setup["beach"] = first(fields, "beach")
        return _asked(fields, setup, seats) | {"game": game}
    setup |= {"edition": edition, "map": board}
    if first(fields, "level"):
        setup["level"] = first(fields, "level")
    if first(fields, "nation"):
        setup["nations"] = [first(fields, "nation")]
    return _asked(fields, setup, seats)


def _asked(fields: Form, setup: dict[str, Any], seats: list[dict[str, str]]) -> dict[str, Any]:
    dice = {"dice": "own"} if first(fields, "own") else {}
    return {"setup": setup, "seats": seats or [{"who": "person"}], "practice": bool(first(fields, "practice")), **dice}


def knock(table: str, problem: str = "", local: bool = False) -> str:
    """For somebody without a link: a place to put it; on a server for its own machine, a way in without one."""
    named, table = table, quote(table, safe="")
    body = [f"<p>{t('knock')}</p>", enter_form(f"/g/{table}/text/enter", say("textview.link-field"))]
    if local:
        body.append(form("/text/return", [f"<p>{t('return')} {button(say('textview.come-in'))}</p>"], {"table": named}))
    return page(say("textview.knock-title"), body, problem=problem, here=f"/g/{table}/text")
