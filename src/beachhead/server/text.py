"""The table as plain pages with forms: no script, no picture, the same questions and answers as in the browser.

These functions make pages from messages (`Welcome`, `Screen`) and read answers from forms; they know neither rules nor
tables. Every text goes through `e`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from html import escape as e
from typing import Any, NamedTuple

from ..say import capital, say
from .messages import (
    Advice,
    Advised,
    AskNow,
    Because,
    CardNow,
    Duel,
    Ended,
    Enter,
    Line,
    Screen,
    SeatNow,
    SectorNow,
    TableNow,
    UndoAsked,
    UnitNow,
    Welcome,
)
from .paper import Form, button, choice, first, form, number, page, t

PLACES = ("R1", "R2", "W1", "W2", "B1", "B2")


class Ticked(NamedTuple):
    """Dice that a seat has ticked without choosing them yet, and what they would come to."""

    seat: int
    dice: frozenset[str]
    tally: Because


def table(
    found: Welcome,
    chat: Sequence[Mapping[str, Any]],
    phrases: Mapping[str, str],
    problem: str = "",
    ticked: Ticked | None = None,
    advice: Mapping[int, Advice] | None = None,
    review: Mapping[str, Any] | None = None,
) -> str:
    """The whole table for one guest. `advice`: what the adviser says, by seat. `review`: what it says of the game."""
    advice = advice or {}
    screen, now = found.screen, found.table
    assert screen is not None
    here = f"/g/{now.id}/text"
    names = {unit.seat: unit.name for unit in screen.units}
    body = [f"<p>{e(screen.subtitle)}</p>", _where(screen)]
    notes = {"is-practice": now.practice, "closed": now.closed}
    body += [f'<p class="note">{t(kind)}</p>' for kind, there in notes.items() if there]
    if now.trouble:
        body.append(f'<p class="bad" role="alert">{e(now.trouble)}</p>')
        if now.host:
            body.append(f'<p><a href="{e(here)}/record">{t("record")}</a></p>')
    if now.request is not None:
        body += _request(now.request, names, now, here)
    if screen.over is not None:
        body += ended(screen.over, screen.units, now)
        body += _review(review or {"state": "none"}, names, here) if screen.adviser else []
    if screen.enter is not None:
        body += _enter(screen.enter, here, found.n)
    if screen.over is None and screen.adviser:
        body += _adviser(now, names, here)
    if screen.duel is not None:
        body += _duel(screen.duel, screen)
    for ask in screen.asks:
        mine = ticked if ticked and ticked.seat == ask.seat else None
        body += _ask(ask, here, found.n, screen, now, mine, advice.get(ask.seat))
    asked = {ask.seat for ask in screen.asks}
    for seat, said in advice.items():
        if seat not in asked:
            body.append(f'<p class="note">{t("told", what=names.get(seat, ""), text=_best(said))}</p>')
    waits = set(now.mine).difference(ask.seat for ask in screen.asks)
    body += _back(screen, waits, names if len(now.mine) > 1 else {}, here, found.n)
    idle = not screen.asks and screen.over is None and not (screen.enter and screen.enter.mine)
    if idle:
        waiting = ", ".join(names.get(seat, "") for seat in screen.waiting)
        body.append(f'<p class="note" role="status">{t("waiting", names=waiting)}</p>')
    body.append(f'<p><a href="{e(here)}">{t("look-again")}</a></p>')
    body.append(f"<h2>{t('news')}</h2>")
    body.append(_log(found.log[-12:]))
    for unit in screen.units:
        body += _unit(unit, now, screen)
    body += _board(screen)
    body.append(f"<details><summary>{t('log')}</summary>{_log(found.log)}</details>")
    if screen.duel:
        body += _people(now, chat, {key: said for key, said in phrases.items() if key not in TRADE}, here, "player-n")
    else:
        body += _people(now, chat, phrases, here, "unit-n")
    if screen.seal:
        body.append(f'<p class="small">{t("seal")} <code>{e(screen.seal)}</code></p>')
    again = 8 if idle else 3 if review and review["state"] == "working" else 0
    return page(now.title or screen.title, body, refresh=again, problem=problem, here=here)


def _back(screen: Screen, seats: Collection[int], names: Mapping[int, str], here: str, n: int) -> list[str]:
    """What these seats may take back or bring back."""
    body = []
    for way, found in (("undo", screen.undo), ("beyond", screen.beyond), ("redo", screen.redo)):
        for seat, what in found.items():
            if int(seat) not in seats:
                continue
            words = say(f"textview.{way}", what=what)
            if names:
                words = say("textview.told", what=names.get(int(seat), ""), text=words)
            body.append(form(f"{here}/undo", [button(words, "way", way, quiet=True)], {"base": n, "seat": seat}))
    return body


def _request(asked: UndoAsked, names: Mapping[int, str], now: TableNow, here: str) -> list[str]:
    """Somebody asks to take back what others have seen."""
    wait = ", ".join(names.get(seat, "") for seat in asked.wait)
    body = [f'<section class="note"><p>{t("request", who=names.get(asked.seat, ""), what=asked.label)}</p>']
    body.append(f"<p>{t('request-waits', names=wait)}</p>")
    buttons = []
    if set(now.mine).intersection(asked.wait):
        buttons = [button(say("textview.agree"), "yes", "1"), button(say("textview.disagree"), "yes", "0", quiet=True)]
    elif asked.mine:
        buttons = [button(say("textview.withdraw"), "yes", "0", quiet=True)]
    if buttons:
        body.append(form(f"{here}/agree", [f"<p>{' '.join(buttons)}</p>"], {"request": asked.id}))
    return [*body, "</section>"]


def _enter(enter: Enter, here: str, n: int) -> list[str]:
    """Dice that are rolled on a table of one's own: one choice for each."""
    body = [f"<section><h2>{t('question')}</h2><p><strong>{e(enter.prompt)}</strong>{_cite(enter.rule)}</p>"]
    if enter.mine:
        faces = {str(face.value): face.words or str(face.value) for face in enter.faces}
        fields = [choice("face", die.place or say("textview.die-n", n=i), faces) for i, die in enumerate(enter.dice, 1)]
        hidden = {"base": n, "seat": enter.mine[0], "roll": enter.roll}
        body.append(form(f"{here}/roll", [*fields, f"<p>{button(say('textview.enter-dice'))}</p>"], hidden))
        body.append(form(f"{here}/roll", [button(say("textview.server-rolls"), "server", "1", quiet=True)], hidden))
    return [*body, "</section>"]


def _where(screen: Screen) -> str:
    bar = "".join(
        f"<li><strong aria-current=step>{e(phase.name)}</strong></li>"
        if phase.id == screen.phase
        else f"<li>{e(phase.name)}</li>"
        for phase in screen.phases
    )
    turn = e(screen.turn_name) or t("turn-n", turn=screen.turn)
    return f'<p><strong>{turn}</strong></p><ol class="small">{bar}</ol>'


def ended(over: Ended, units: Sequence[UnitNow], now: TableNow) -> list[str]:
    body = [f'<section class="note"><h2>{e(over.title)}</h2><p>{e(over.text)}</p>']
    if over.parts:
        heads = "".join(f"<th scope=col>{e(unit.name)}</th>" for unit in units)
        rows = "".join(
            f"<tr><th scope=row>{e(row[0])}</th>{''.join(f'<td>{e(one)}</td>' for one in row[1:])}</tr>"
            for row in over.parts
            if row
        )
        body.append(f"<table><tr><td></td>{heads}</tr>{rows}</table>")
    body += [f"<p>{e(note)}</p>" for note in over.notes]
    body.append(f'<p><a href="/g/{e(now.id)}/text/record">{t("record")}</a></p></section>')
    return body


def _ask(
    ask: AskNow,
    here: str,
    n: int,
    screen: Screen,
    now: TableNow,
    ticked: Ticked | None = None,
    advice: Advice | None = None,
) -> list[str]:
    said = {one.key: (rank, one) for rank, one in enumerate(advice.options, 1)} if advice else {}
    hidden: dict[str, object] = {"base": n, "seat": ask.seat, "seq": ask.seq}
    unit = next((unit for unit in screen.units if unit.seat == ask.seat), None)
    who = f" – {unit.name}" if unit is not None and len(now.mine) > 1 else ""
    body = [f'<section><h2 id="ask{ask.seat}">{t("question")}{e(who)}</h2>', f"<p><strong>{e(ask.prompt)}</strong></p>"]
    if ask.hint:
        body.append(f"<p>{e(ask.hint)}</p>")
    if now.adviser >= 0 and advice is None:
        body.append(f'<p class="note">{t("adviser-silent")}</p>')
    elif advice is not None:
        body += _advice(advice, here, hidden, set(ask.dice))
    if ask.dice:
        body.append(form(f"{here}/move", _dice(ask, unit, f"{here}/tally", ticked), hidden))
    if ask.options:
        rows = []
        for option in ask.options:
            more = " ".join(part for part in (option.price, option.detail) if part)
            if option.key in said:
                more = f"{more} {_chance(*said[option.key])}".strip()
            rows.append(f"<li>{button(option.label, 'key', option.key)}{_small(more)}{_cite(option.rule)}</li>")
        body.append(form(f"{here}/move", [f'<ul class="options">{"".join(rows)}</ul>'], hidden))
    for pick in ask.picks:
        ways = "".join(
            f'<optgroup label="{e(way.words)}">'
            + "".join(f'<option value="{e(one.key)}">{e(one.label)}</option>' for one in way.options)
            + "</optgroup>"
            for way in pick.ways
        )
        field = f'<label>{e(pick.label)} <select name="key">{ways}</select></label>'
        body.append(
            form(f"{here}/move", [f"<p>{field} {button(say('textview.choose'))}{_small(pick.detail)}</p>"], hidden)
        )
    for step in ask.steppers:
        field = f'<input type="number" name="amount" value="1" min="1" max="{step.most}">'
        stem = {**hidden, "stem": f"{step.verb}:{step.name}"}
        best = min((said[key] for key in said if key.startswith(f"{step.verb}:{step.name}=")), default=None)
        more = _small(_chance(*best, named=True)) if best else ""
        words = f"<p><label>{e(step.label)} {field}</label> {button(say('textview.choose'))}{more}</p>"
        body.append(form(f"{here}/move", [words], stem))
    if ask.nots:
        rows = []
        for no in ask.nots:
            why = "; ".join(f"{e(reason.text)}{_cite(reason.rule)}" for reason in no.reasons)
            rows.append(f"<li>{e(no.label)}: {why}</li>")
        body.append(f"<details><summary>{t('why-not')}</summary><ul>{''.join(rows)}</ul></details>")
    body += _back(screen, (ask.seat,), {}, here, n)
    body.append(f'<p class="small">{t("rule")}{_cite(ask.rule)}</p></section>')
    return body


def _dice(ask: AskNow, unit: UnitNow | None, tally: str, ticked: Ticked | None) -> list[str]:
    named = {die.place: die.words for die in unit.tray.dice} if unit is not None else {}
    places = {place for key in ask.dice for place in dice_of(key)}
    chosen = ticked.dice if ticked else frozenset()
    boxes = "".join(
        f'<label><input type="checkbox" name="die" value="{place}"{" checked" if place in chosen else ""}> '
        f"{e(named.get(place) or place)}</label><br>"
        for place in sorted(places, key=lambda place: PLACES.index(place) if place in PLACES else 99)
    )
    legend = t("dice-roll") if ask.dice_verb == "roll" else t("dice-choose")
    send = button(ask.expect or say("textview.choose"), "dice", ask.dice_verb)
    look = say("textview.tally")
    send += f' <button type="submit" class="quiet" name="look" value="1" formaction="{e(tally)}">{e(look)}</button>'
    if ticked:
        comes_to = " ".join(line.text for line in ticked.tally.lines)
        send += f'<p role="status">{t("told", what=ticked.tally.title, text=comes_to)}</p>'
    return [f"<fieldset><legend>{legend}</legend>{boxes}{send}</fieldset>"]


# ---------------------------------------------------------------------------------------------------- the adviser


def decimal(value: float, digits: int = 1) -> str:
    """A number as it is written in the language that is spoken."""
    return f"{value:.{digits}f}".replace(".", say("textview.point"))


def percent(value: float) -> str:
    return say("textview.percent", n=decimal(100 * value))


def _adviser(now: TableNow, names: Mapping[int, str], here: str) -> list[str]:
    """Whether it is on, and its switch for those who play."""
    on = now.adviser >= 0
    body = []
    if on:
        body.append(f"<p>{t('adviser-on', name=names.get(now.adviser, ''))}</p>")
    if now.mine:
        words = say("textview.adviser-off" if on else "textview.adviser-switch")
        body.append(form(f"{here}/adviser", [button(words, "on", "0" if on else "1", quiet=True)]))
    return body


def _advice(advice: Advice, here: str, hidden: Mapping[str, object], dice: Collection[str]) -> list[str]:
    """What it says to a question; the best dice are listed here, all other answers bear their numbers themselves."""
    best = advice.options[0]
    body = [f'<section class="note"><h3>{t("adviser")}</h3>']
    body += [f"<p>{e(sentence)}</p>" for sentence in advice.why] or [f"<p>{e(_best(advice))}</p>"]
    if dice:
        rows = [(rank, one) for rank, one in enumerate(advice.options, 1) if one.key in dice][:4]
        body.append(f"<ul>{''.join(f'<li>{e(_chance(*row, named=True))}</li>' for row in rows)}</ul>")
    words = say("textview.adviser-take", what=best.label)
    body.append(form(f"{here}/move", [button(words, "key", best.key)], hidden))
    return [*body, f'<p class="small">{t(f"how.{advice.how}", n=advice.games)}</p></section>']


def _best(advice: Advice) -> str:
    best = advice.options[0]
    return say("textview.adviser-best", what=best.label, chance=percent(best.value))


def _chance(rank: int, one: Advised, named: bool = False) -> str:
    """`2nd: 61.2 % (60.1 to 62.3 %), about 5.9 Soldiers`."""
    said = percent(one.value)
    if one.low < one.high:
        said = say("textview.between", value=said, low=decimal(100 * one.low), high=decimal(100 * one.high))
    said = say("textview.rank", rank=rank, chance=said)
    if named:
        said = say("textview.told", what=one.label, text=said)
    if one.gives:
        gives = ", ".join(say("textview.gain", n=decimal(gain.value), what=gain.name) for gain in one.gives)
        said = f"{said} {say('textview.gives', what=gives)}"
    return said


def _review(found: Mapping[str, Any], names: Mapping[int, str], here: str) -> list[str]:
    """What it says of the whole game."""
    body = [f"<section><h2>{t('review')}</h2>"]
    if found["state"] == "working":
        body.append(f'<p role="status">{t("review-working", done=found["done"], of=found["of"])}</p>')
    elif found["state"] != "done":
        if found["state"] == "failed":
            body.append(f'<p class="bad" role="alert">{t("review-failed")} {e(found["why"])}</p>')
        body.append(form(f"{here}/review", [f"<p>{t('review-about')} {button(say('textview.review-do'))}</p>"]))
    else:
        body += _reviewed(found["review"], names)
    return [*body, "</section>"]


def _reviewed(review: Mapping[str, Any], names: Mapping[int, str]) -> list[str]:
    sides = review.get("sides") or [review]
    body = [f"<p>{t('review-start', chance=percent(sides[0]['start']))}</p><ul>"]
    for seat, side in enumerate(sides):
        luck = "review-luck-plus" if side["luck"] >= 0 else "review-luck-minus"
        if len(sides) > 1:
            luck += "-of" if len(sides) == 2 else "-others"
        body.append(f"<li>{t(luck, chance=percent(abs(side['luck'])), name=names.get(seat, ''))}</li>")
    for seat, lost in enumerate(review["skill"]):
        body.append(f"<li>{t('review-skill', name=names.get(seat, ''), chance=percent(lost))}</li>")
    body.append(f"</ul><h3>{t('review-costly')}</h3>")
    rows = []
    for one in review["costly"]:
        chosen, best = one["chosen"], one["best"]
        rows.append(
            f"<li><strong>{t('turn-n', turn=one['turn'])}</strong> {e(one['prompt'])}<br>"
            f"{t('review-chosen', what=chosen['label'], chance=percent(chosen['value']))}<br>"
            f"{t('review-best', what=best['label'], chance=percent(best['value']))}</li>"
        )
    body.append(f"<ol>{''.join(rows)}</ol>" if rows else f"<p>{t('review-none')}</p>")
    body.append(f'<p class="small">{t("review-judged", n=review["judged"])}</p>')
    return body


# ---------------------------------------------------------------------------------------------------- dice


def dice_of(key: str) -> tuple[str, ...]:
    """The dice that a key names."""
    named = key.partition(":")[2]
    return () if named in ("", "none") else tuple(named.split(","))


def key_of(fields: Form, ask: AskNow | None) -> str:
    """The key that a form answers with. Dice may be ticked in any order."""
    if first(fields, "dice"):
        verb, chosen = first(fields, "dice"), set(fields.get("die", ()))
        for key in ask.dice if ask is not None else ():
            if set(dice_of(key)) == chosen:
                return key
        return f"{verb}:{','.join(sorted(chosen)) or 'none'}"
    if first(fields, "stem"):
        return f"{first(fields, 'stem')}={number(fields, 'amount', 0)}"
    return first(fields, "key")


def _small(words: str) -> str:
    return f' <span class="small">{e(words)}</span>' if words else ""


def _cite(rule: str) -> str:
    return f' <a class="small" href="/text/rules/{e(rule)}">{e(rule)}</a>' if rule else ""


def _log(lines: Sequence[Line]) -> str:
    return f"<ul>{''.join(f'<li>{e(line.text)}{_cite(line.rule)}</li>' for line in lines)}</ul>"


def _duel(duel: Duel, screen: Screen) -> list[str]:
    """Axis dice, what is special where they lie, and what is at stake."""
    title = " – ".join(part for part in (duel.title, duel.name) if part)
    body = [f"<section><h2>{e(title) or t('axis')}</h2>"]
    if duel.text:
        body.append(f"<p>{e(duel.text)}{_cite(duel.rule)}</p>")
    if duel.facts:
        facts = "".join(f"<dt>{e(fact.name)}</dt><dd>{fact.value}</dd>" for fact in duel.facts)
        body.append(f"<dl>{facts}</dl>")
    rows = []
    for n, die in enumerate(duel.axis):
        by = []
        for unit in screen.units:
            pair = next((pair for pair in unit.tray.pairs if pair.axis == n), None)
            if pair is not None and len(pair.dice) >= die.needs:
                by.append(unit.name)
        more = t("matched-by", names=", ".join(by)) if by else t("not-matched")
        needs = f" ({t('needs', n=die.needs)})" if die.needs > 1 else ""
        rows.append(f"<li>{e(die.words)}{needs}: {more}</li>")
    return [*body, f"<h3>{t('axis')}</h3><ul>{''.join(rows)}</ul></section>" if rows else "</section>"]


def _unit(unit: UnitNow, now: TableNow, screen: Screen) -> list[str]:
    mine = f" ({say('textview.yours')})" if unit.seat in now.mine else ""
    body = [f"<section><h2>{e(unit.name)}{e(mine)}</h2>"]
    status = say(f"textview.status-{unit.status.replace(' ', '-')}")
    where = unit.sector_name if unit.status == "on the map" else status
    facts = [(say("textview.nation"), unit.nation)] if unit.nation else []
    if where and screen.duel:
        body.append(f"<p>{e(capital(where))}</p>")
    elif where:
        facts.append((say("textview.stands"), where))
    for counter in unit.counters:
        change = f" ({counter.change:+d})" if counter.change else ""
        facts.append((counter.name, f"{counter.value}{change}"))
    if not screen.duel:
        facts.append((say("textview.strength"), str(unit.strength)))
        facts.append((say("textview.marker"), " – ".join(part for part in (unit.marker, unit.leave) if part)))
    if facts:
        body.append(f"<dl>{''.join(f'<dt>{e(name)}</dt><dd>{e(value)}</dd>' for name, value in facts)}</dl>")
    if unit.danger:
        body.append(f"<p>{e(unit.danger)}</p>")
    if any(die.face for die in unit.tray.dice) or (unit.tray.dice and not screen.duel):
        rows = "".join(f"<li>{e(die.words)}</li>" for die in unit.tray.dice)
        rows += "".join(f"<li>{e(added)}</li>" for added in unit.tray.added)
        roll = f" ({t('roll-n', n=unit.tray.roll)})" if unit.tray.roll else ""
        worth = f"<p>{e(unit.tray.worth)}</p>" if unit.tray.worth else ""
        body.append(f"<h3>{t('dice')}{roll}</h3><ul>{rows}</ul>{worth}")
    by_place: dict[str, list[CardNow]] = {}
    for card in unit.cards:
        by_place.setdefault(card.place, []).append(card)
    for place, cards in by_place.items():
        body.append(f"<details><summary>{t('cards-' + place, n=len(cards))}</summary>{_cards(cards)}</details>")
    body.append("</section>")
    return body


COSTS = {"star": "count.stars", "item-point": "count.points", "courage": "count.courage"}
"""The icon of a price -> how it is said."""


def _cards(cards: Sequence[CardNow]) -> str:
    rows = []
    for card in cards:
        rebuilt = f" ({say('textview.rebuilt')})" if card.rebuilt else ""
        facts = [card.kind_name]
        facts += [say(COSTS[card.cost_icon], n=card.cost)] if card.cost else []
        facts += [say("textview.explosive", n=card.explosive)] if card.explosive else []
        facts += [card.when] if card.when else []
        words = f"{t('told', what=', '.join(facts), text=card.text)}{e(rebuilt)}{_cite(card.rule)}"
        rows.append(f"<li><strong>{e(card.name)}</strong> – {words}</li>")
    return f"<ul>{''.join(rows)}</ul>"


def _board(screen: Screen) -> list[str]:
    title = e(screen.duel.track) if screen.duel else t("board")
    body = [f"<h2>{title}</h2><ul>"]
    body += [_sector(sector, screen) for sector in screen.sectors]
    body.append("</ul>")
    if screen.notes:
        body.append(f"<ul>{''.join(f'<li>{e(note)}</li>' for note in screen.notes)}</ul>")
    if screen.pool:
        body.append(f"<details><summary>{t('cards-pool', n=len(screen.pool))}</summary>{_cards(screen.pool)}</details>")
    return body


def _sector(sector: SectorNow, screen: Screen) -> str:
    here = [unit.name for unit in screen.units if unit.seat in sector.units]
    parts = [f"<strong>{e(sector.name)}</strong>"]
    parts += [e(", ".join(sector.marks))] if sector.marks else []
    parts += [e(sector.text)] if sector.text else []
    parts += [t("exits", names="; ".join(sector.exits))] if sector.exits else []
    parts += [t("here", names=", ".join(here))] if here else []
    parts += [t("visited")] if sector.visited else []
    parts += [t("rebuilt-sector")] if sector.rebuilt else []
    return f"<li>{'. '.join(part.removesuffix('.') for part in parts)}</li>"


TRADE = ("trade",)
"""Quick phrases of a game in which people trade."""


def _people(
    now: TableNow, chat: Sequence[Mapping[str, Any]], phrases: Mapping[str, str], here: str, called: str
) -> list[str]:
    """Who is there; `called` is the message for a seat by its number."""
    body = [f"<h2>{t('people')}</h2><ul>"]
    body += [f"<li>{_seat(seat, called)}</li>" for seat in now.seats]
    body.append("</ul>")
    alone = len(now.seats) == 1
    for seat in now.mine:
        who = next((one for one in now.seats if one.seat == seat), None)
        if who is not None and not alone:
            field = f'<input name="name" maxlength="40" value="{e(who.name)}" autocomplete="nickname">'
            name = t("name-of", who=say(f"textview.{called}", n=seat + 1))
            words = f"<label>{name} {field}</label> {button(say('textview.save'), quiet=True)}"
            body.append(form(f"{here}/name", [f"<p>{words}</p>"], {"seat": seat}))
    if now.host:
        body += _host(now, here, called)
    if now.chat and (chat or not alone):
        said = "".join(f"<li><strong>{e(line['name'])}</strong>: {e(line['text'])}</li>" for line in chat[-30:])
        body.append(f"<h2>{t('chat')}</h2><ul>{said}</ul>")
        quick = "".join(f" {button(words, 'phrase', key, quiet=True)}" for key, words in phrases.items())
        body.append(form(f"{here}/chat", [f"<p>{quick}</p>"]))
        line = (
            f'<label>{t("say")} <input name="text" maxlength="300"></label> {button(say("textview.send"), quiet=True)}'
        )
        body.append(form(f"{here}/chat", [f"<p>{line}</p>"]))
    return body


def _seat(seat: SeatNow, called: str) -> str:
    who = t("is-bot", bot=seat.bot) if seat.who == "bot" else t("is-open") if seat.who == "open" else ""
    if seat.who == "person":
        who = t("is-here") if seat.here else t("is-away")
    lamp = f", {t('lamp-' + seat.lamp)}" if seat.who != "open" else ""
    link = f"<br><label>{t('seat-link')} <code>{e(seat.link)}</code></label>" if seat.link else ""
    name = f", {e(seat.name)}" if seat.name else ""
    return f"{t(called, n=seat.seat + 1)}{name} – {who}{lamp}{link}"


def _host(now: TableNow, here: str, called: str) -> list[str]:
    body = [f"<details><summary>{t('host')}</summary>"]
    if now.watch:
        body.append(f"<p>{t('watch-link')} <code>{e(now.watch)}</code></p>")
    for seat in now.seats:
        acts = [] if seat.who == "bot" else [button(say("textview.make-bot"), "act", "bot", quiet=True)]
        acts.append(button(say("textview.make-open"), "act", "open", quiet=True))
        body.append(
            form(f"{here}/host", [f"<p>{t(called, n=seat.seat + 1)} {' '.join(acts)}</p>"], {"seat": seat.seat})
        )
    acts = [button(say("textview.reopen"), "act", "reopen", quiet=True)] if now.closed or now.trouble else []
    acts += [] if now.closed else [button(say("textview.close"), "act", "close", quiet=True)]
    chat = "chat-off" if now.chat else "chat-on"
    acts.append(button(say(f"textview.{chat}"), "act", chat, quiet=True))
    body.append(form(f"{here}/host", [f"<p>{' '.join(acts)}</p>"]))
    body.append("</details>")
    return body


def rule(title: str, text: str, back: str = "") -> str:
    """One rule of the register."""
    body = ["".join(f"<p>{e(part)}</p>" for part in text.split("\n\n"))]
    return page(title, body, here=back)
