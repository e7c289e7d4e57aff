"""Library of the language: what stands in front of a sentence and behind it.

In: one map of an effect, as a `verbs.Effect`. Out: its leads (how often, as which use, on which trigger, if, in which state), by rider and
in the language's order; its tails, for the riders that no verb has said; the words of its `until`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from seasons_build.core.document import Value
from seasons_build.core.span import Path
from seasons_build.language.phrases.book import Book, Forms
from seasons_build.language.phrases.conditions import when_text
from seasons_build.language.phrases.events import trigger_text
from seasons_build.language.phrases.filling import NounSaid, first
from seasons_build.language.phrases.page import Page, Said, Unsaid, Words
from seasons_build.language.phrases.persons import Person
from seasons_build.language.phrases.saying import Effect
from seasons_build.language.phrases.slots import counted, noun, typed
from seasons_build.language.phrases.verbs import takes_first

TAILS = ("type", "against", "from", "way", "time", "to")
"""Riders that end a clause whose verb does not say them, in this order."""


def lead_texts(page: Page, effect: Effect) -> dict[str, str]:
    """The leads of a map, by rider."""
    found: dict[str, str] = {}
    for key, make in _LEADS.items():
        if key not in effect.data:
            continue
        try:
            text = make(page, effect, effect.data[key], (*effect.path, key))
        except Unsaid:
            continue
        if text:
            found[key] = text
    return found


def lead_data(book: Book, data: Mapping[str, Value]) -> dict[str, Value]:
    """What of a map stands in front, as typed: two maps with the same may be one sentence."""
    found = {key: data[key] for key in _LEADS if key in data}
    if "if" in found and "lead" not in (_situation_forms(book, found["if"]) or {}):
        del found["if"]
    if "state" in found and "while" not in (book.noun("states", str(found["state"])) or {}):
        del found["state"]
    return found


def tail_texts(page: Page, effect: Effect, since: int) -> list[str]:
    """What the verbs of a map have left unsaid, and a situation that stands behind. `since` counts what was said before them."""
    tails: list[str] = []
    for key in TAILS:
        at = (*effect.path, key)
        if key not in effect.data or spent(page, at, since):
            continue
        text = _tail(page, effect, key, effect.data[key], at)
        if text:
            tails.append(text)
    if "if" in effect.data:
        text = _quietly(lambda: _if_said(page, effect.data["if"], (*effect.path, "if")).text(page, effect.scope, "tail"))
        tails.extend([text] if text else [])
    return tails


def span_text(page: Page, effect: Effect) -> str:
    """The words of a map's `until`."""
    at = (*effect.path, "until")
    return _quietly(lambda: counted(page, "spans", effect.data["until"], at, "or").text(page, effect.scope, "")) or ""


def span_leads(book: Book, effect: Effect) -> bool:
    """Whether an `until` may stand in front: not where it speaks of somebody who is named only behind it."""
    who = effect.scope.slots.get("who")
    if isinstance(who, Person) and who.reader:
        return True
    value = effect.data["until"]
    ids = [str(key) for item in (value if isinstance(value, list) else [value]) for key in (item if isinstance(item, dict) else [item])]
    forms = [book.noun("spans", id) or {} for id in ids]
    return not any("who" in template.slots for one in forms for template in book.templates(one.get("say")))


def needs_text(page: Page, effect: Effect, value: Value, path: Path) -> str:
    """The sentence of what is needed."""
    said = _quietly(lambda: noun(page, "situations", value, path).text(page, effect.scope, ""))
    if said is None:
        page.fault("E560", path, f"the situation `{value}` has no words for what is needed", "give it `say`")
        return ""
    return first(page, page.book.phrase("needs"), effect.scope.with_slots({"needs": Words(said)})) or ""


def spent(page: Page, path: Path, since: int = 0) -> bool:
    """Whether the data at a path has been said."""
    return any(said[: len(path)] == path for said in page.spent[since:])


def _quietly(make: Callable[[], str | None]) -> str | None:
    try:
        return make()
    except Unsaid:
        return None


# ---- leads


def _limit_lead(page: Page, effect: Effect, value: Value, path: Path) -> str | None:
    return counted(page, "periods", value, path, "and").text(page, effect.scope, "")


def _first_lead(page: Page, effect: Effect, value: Value, path: Path) -> str | None:
    if takes_first(page, effect.data) or "trigger" in effect.data:
        return None
    return _first_time(page, value, path).text(page, effect.scope, "first-time")


def _first_time(page: Page, value: Value, path: Path) -> Said:
    forms = page.required("periods", str(value), path)
    if "first-time" not in forms:
        raise page.unsaid("E560", path, f"the period `{value}` has no form `first-time`", "give it one: it stands in front")
    return NounSaid(forms, path)


def _use_lead(page: Page, effect: Effect, value: Value, path: Path) -> str | None:
    said = noun(page, "uses", value, path)
    return said.text(page, effect.scope, "lead") or first(page, page.book.phrase("as-use"), effect.scope.with_slots({"use": said}))


def _trigger_lead(page: Page, effect: Effect, value: Value, path: Path) -> str | None:
    event = Words(trigger_text(page, effect.scope, value, path))
    if "first" in effect.data and not takes_first(page, effect.data):
        time = _first_time(page, effect.data["first"], (*effect.path, "first")).text(page, effect.scope, "first-time")
        return first(page, page.book.phrase("first-event"), effect.scope.with_slots({"event": event, "first": Words(time or "")}))
    return first(page, page.book.phrase("when-event"), effect.scope.with_slots({"event": event}))


def _when_lead(page: Page, effect: Effect, value: Value, path: Path) -> str | None:
    if not isinstance(value, str):
        raise page.unsaid("E560", path, "expected an expression after `when`")
    bearer = effect.scope.with_slots({"who": effect.scope.slots.get("self")})
    text = when_text(page, bearer, value, path)
    if text is None and "if" not in effect.data:
        hint = "compare a stat with a number, or say it by an `if` beside it"
        page.fault("E560", path, f"the condition `{value}` cannot be said as it stands", hint)
    page.spent.append(path)
    if text is None:
        page.told.append(path)
    return text


def _situation_forms(book: Book, value: Value) -> Forms | None:
    return value if isinstance(value, dict) else book.noun("situations", str(value))


def _if_said(page: Page, value: Value, path: Path) -> Said:
    forms = value if isinstance(value, dict) else page.required("situations", str(value), path)
    if "lead" not in forms and "tail" not in forms:
        hint = "give it one: `lead` stands in front, `tail` behind"
        raise page.unsaid("E560", path, f"the situation `{value}` has no `lead` and no `tail`", hint)
    return NounSaid(forms, path)


def _if_lead(page: Page, effect: Effect, value: Value, path: Path) -> str | None:
    return _if_said(page, value, path).text(page, effect.scope, "lead")


def _state_lead(page: Page, effect: Effect, value: Value, path: Path) -> str | None:
    page.spent.append(path)
    return noun(page, "states", value, path).text(page, effect.scope, "while")


_LEADS: dict[str, Callable[[Page, Effect, Value, Path], str | None]] = {
    "limit": _limit_lead,
    "first": _first_lead,
    "use": _use_lead,
    "trigger": _trigger_lead,
    "when": _when_lead,
    "if": _if_lead,
    "state": _state_lead,
}


# ---- tails


def _tail(page: Page, effect: Effect, key: str, value: Value, path: Path) -> str | None:
    if key == "type" and page.book.noun("words", str(value)) is None:
        page.spent.append(path)
        return None
    try:
        said = typed(page, effect.scope, key, value, path)
        text = first(page, page.book.phrase("riders", key), effect.scope.with_slots({key: said}))
    except Unsaid:
        return None
    if text is None:
        page.fault("E565", path, f"no sentence says `{key}` here", f"add `phrases.riders.{key}`")
    return text
