"""Library of the language: events in their forms: would happen, has happened, does not, cannot, may, instead.

An event says what comes after *is* (`is: knocked down`) or after the subject (`does: fall`), or a whole clause in a form of its own; the
game's `phrases.event` puts the subject and the form around it.
"""

from __future__ import annotations

from seasons_build.core.document import Value
from seasons_build.core.named import NamedTuple
from seasons_build.core.span import Path
from seasons_build.language.phrases.book import Forms
from seasons_build.language.phrases.clauses import Clause, clause
from seasons_build.language.phrases.filling import Filled, Listed
from seasons_build.language.phrases.page import Layer, Page, Said, Scope
from seasons_build.language.phrases.persons import person
from seasons_build.language.phrases.template import Template

WHOLE_BY_SAY = ("happens", "instead")
"""Forms for which a plain `say` is the whole clause."""


class Told(NamedTuple):
    """Templates for one clause, and the slots that they need."""

    templates: tuple[Template, ...]
    slots: tuple[tuple[str, Said | None], ...] = ()


def event_forms(page: Page, value: Value, path: Path) -> list[tuple[str, Forms]]:
    """The events that a value names, by id; one in place has its text for id. Raises `Unsaid`."""
    found: list[tuple[str, Forms]] = []
    for id in value if isinstance(value, list) else [value]:
        if isinstance(id, dict):
            found.append((str(id.get("say", "")), id))
            continue
        forms = page.required("events", str(id), path)
        found.append((str(id), forms))
    return found


def told(page: Page, events: list[tuple[str, Forms]], form: str, path: Path) -> list[Told]:
    """The clauses for events in one form; neighbours that are said in the same way share one. Raises `Unsaid`."""
    made: list[Told] = []
    run: list[Said] = []
    manner = ""
    for id, forms in events:
        own, whole = _manner(forms, form)
        if own and run and own == manner:
            run.append(_said(page, forms, own, form))
            made[-1] = _around(page, form, own, run, path)
        elif own:
            run, manner = [_said(page, forms, own, form)], own
            made.append(_around(page, form, own, run, path))
        elif whole is not None:
            run, manner = [], ""
            made.append(Told(page.book.templates(whole)))
        else:
            raise page.unsaid("E560", path, f"the event `{id}` cannot be said in this place", f"give it `is`, `does` or `{form}`")
    return made


def trigger_text(page: Page, scope: Scope, trigger: Value, path: Path) -> str:
    """What sets something off, as a clause without stop: `an ally within 2 Units would fall`. Raises `Unsaid`."""
    if not isinstance(trigger, dict):
        raise page.unsaid("E560", path, "expected a map: {event: ...} or {would: ...}")
    form, key = ("would", "would") if "would" in trigger else ("happens", "event")
    page.spent.append((*path, key))
    layer = Layer(trigger, path, frozenset({"who"}))
    who = person(page, scope, trigger.get("who", "self"), (*path, "who"))
    if isinstance(trigger.get("who"), str):
        page.spent.append((*path, "who"))
    inner = scope.under(layer).with_slots({"who": who})
    clauses: list[Clause] = []
    for each in told(page, event_forms(page, trigger.get(key), (*path, key)), form, (*path, key)):
        made = clause(page, each.templates, inner.with_slots(dict(each.slots)), clauses[-1] if clauses else None)
        if made is None:
            raise page.unsaid("E560", path, "no sentence of this event fits what the trigger gives")
        clauses.append(made)
    texts = [" ".join(part for part in ("" if one.shares else one.named, one.predicate) if part) for one in clauses]
    return page.book.joined("or", texts)


def _manner(forms: Forms, form: str) -> tuple[str, Value]:
    """How an event is said in a form: after `is` or `does`, or by a whole clause."""
    if form in forms:
        return "", forms[form]
    for manner in ("is", "does"):
        if manner in forms:
            return manner, None
    return "", forms.get("say") if form in WHOLE_BY_SAY else None


def _said(page: Page, forms: Forms, manner: str, form: str) -> Said:
    value = forms.get("short", forms[manner]) if form == "not" else forms[manner]
    return Filled(page.book.templates(value))


def _around(page: Page, form: str, manner: str, run: list[Said], path: Path) -> Told:
    templates = page.book.phrase("event", form, manner)
    if not templates:
        raise page.unsaid("E560", path, f"the game's phrases have no `event.{form}.{manner}`", f"add it under `phrases.event.{form}`")
    joint = "and" if form in ("may", "instead") else "or"
    return Told(templates, (("e", Listed(tuple(run), joint)),))
