"""Library of the language: what each verb says.

In: a verb's value, where it stands, the scope of its effect and the sentence that it is part of. Out: its clauses, added to the sentence.
Raises `Unsaid` where the game has no sentence that fits; the problem is then on the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from seasons_build.core.document import Value
from seasons_build.core.span import Path
from seasons_build.language.phrases.act_verbs import say_act, say_consume, say_field
from seasons_build.language.phrases.amounts import Amount, asks, number_of
from seasons_build.language.phrases.book import Forms
from seasons_build.language.phrases.clauses import Sentence
from seasons_build.language.phrases.events import event_forms, told
from seasons_build.language.phrases.filling import Filled, Listed, NounSaid, first
from seasons_build.language.phrases.page import Page, Slots
from seasons_build.language.phrases.saying import Effect, add_clause, as_list, as_map, verb_clause
from seasons_build.language.phrases.slots import ignored, named, word
from seasons_build.language.phrases.stat_verbs import say_adds, say_stats

Verb: TypeAlias = Callable[[Page, Effect, str, Value, Path, Sentence], None]


def say_verb(page: Page, effect: Effect, verb: str, value: Value, path: Path, out: Sentence) -> None:
    """Adds the clauses of one verb. Raises `Unsaid`."""
    _VERBS[verb](page, effect, verb, value, path, out)


def takes_first(page: Page, data: Mapping[str, Value]) -> bool:
    """Whether one of the map's nouns says `first` in a sentence of its own."""
    if "first" not in data:
        return False
    readings = data.get("read")
    for id in readings if isinstance(readings, dict) else ():
        if "first" in (page.book.noun("readings", str(id)) or {}):
            return True
    events = [id for verb in ("prevent", "allow", "redirect") if verb in data for id in as_list(data[verb])]
    return any("first" in (page.book.noun("events", str(id)) or {}) for id in events)


def first_of(page: Page, effect: Effect, bare: Value) -> Slots:
    """The slot `first`: the period's words around what happens the first time in it."""
    path = (*effect.path, "first")
    id = str(effect.data.get("first"))
    period = page.required("periods", id, path)
    if "first" not in period:
        raise page.unsaid("E560", path, f"the period `{id}` has no form `first`", "give it one, with `{x}` for what happens")
    page.spent.append(path)
    return {"first": Filled(page.book.templates(period["first"]), (("x", Filled(page.book.templates(bare))),))}


# ---- what is given


def _grant(page: Page, effect: Effect, verb: str, value: Value, path: Path, out: Sentence) -> None:
    page.spent.append(path)
    verb_clause(page, effect, verb, path, out, {"names": named(page, effect.scope, value, path)})


def _tag(page: Page, effect: Effect, verb: str, value: Value, path: Path, out: Sentence) -> None:
    tags = Listed(tuple(word(page, effect.scope, str(tag), path) for tag in as_list(value)))
    verb_clause(page, effect, verb, path, out, {"tag": tags})


# ---- tracks


def _amount(page: Page, effect: Effect, verb: str, value: Value, path: Path, out: Sentence) -> None:
    """harm and mend."""
    amount = Amount(value, path)
    verb_clause(page, effect, verb, path, out, {"n": amount, **asks(page, amount)})


def _change(page: Page, effect: Effect, verb: str, value: Value, path: Path, out: Sentence) -> None:
    for id, typed in as_map(page, verb, value, path).items():
        at = (*path, id)
        forms = page.required("tracks", id, at)
        amount = Amount(typed, at, absolute=True)
        less = _negative(page.settled.get(at, typed))
        form = "less" if less else "more"
        if form not in forms:
            raise page.unsaid("E560", at, f"the track `{id}` has no verb `{form}`", f"give it `{form}`")
        track = NounSaid(forms, at, (("n", amount),))
        verb_said = Filled(page.book.templates(forms[form]))
        verb_clause(page, effect, verb, at, out, {"n": amount, "track": track, "verb": verb_said, **asks(page, amount)})


def _negative(value: Value) -> bool:
    number = number_of(value)
    return str(value).startswith("-") if number is None else number < 0


# ---- conditions and events


def _conditions(page: Page, effect: Effect, verb: str, value: Value, path: Path, out: Sentence) -> None:
    for id in as_list(value):
        forms = id if isinstance(id, dict) else page.required("conditions", str(id), path)
        scope = effect.scope.with_slots({"condition": NounSaid(forms, path) if "say" in forms else None})
        templates = page.book.templates(forms[verb]) if verb in forms else page.book.phrase("verbs", verb)
        add_clause(page, out, verb, path, templates, scope)
        page.spent.append(path)
        note = first(page, page.book.templates(forms["note"]), scope) if verb == "apply" and "note" in forms else None
        if note:
            out.after.append(note)


_EVENT_FORM = {"prevent": "cannot", "allow": "may", "redirect": "instead"}


def _events(page: Page, effect: Effect, verb: str, value: Value, path: Path, out: Sentence) -> None:
    events = event_forms(page, value, path)
    page.spent.append(path)
    if "first" in effect.data and all("first" in forms for _, forms in events):
        for _, forms in events:
            scope = effect.scope.with_slots(first_of(page, effect, forms.get("bare")))
            add_clause(page, out, verb, path, page.book.templates(forms["first"]), scope)
        return
    form = _EVENT_FORM[verb]
    if verb == "prevent" and all((id, str(effect.data.get("to", "self"))) in effect.answers for id, _ in events):
        form = "not"
    for each in told(page, events, form, path):
        add_clause(page, out, verb, path, each.templates, effect.scope.with_slots(dict(each.slots)))


def _ignore(page: Page, effect: Effect, verb: str, value: Value, path: Path, out: Sentence) -> None:
    page.spent.append(path)
    verb_clause(page, effect, verb, path, out, {"what": ignored(page, value, path)})


# ---- rolls


def _read(page: Page, effect: Effect, verb: str, value: Value, path: Path, out: Sentence) -> None:
    for id, typed in as_map(page, verb, value, path).items():
        at = (*path, id)
        forms = page.required("readings", id, at)
        page.spent.append(at)
        slots: Slots = {"into": None, "pairs": None, "reading": NounSaid(forms, at)}
        templates = page.book.templates(forms.get("read")) or page.book.phrase("verbs", verb)
        if not isinstance(typed, dict):
            slots["into"] = _reading_word(page, forms, typed, at)
        elif "first" in effect.data and "first" in forms and len(typed) == 1:
            ((source, into),) = typed.items()
            slots["into"] = _reading_word(page, forms, into, at)
            slots |= first_of(page, effect, _reading_word(page, forms, source, at).forms.get("bare"))
            templates = page.book.templates(forms["first"])
        else:
            slots["pairs"] = Listed(tuple(_pair(page, forms, source, into, at) for source, into in typed.items()), "or")
        add_clause(page, out, verb, at, templates, effect.scope.with_slots(slots))


def _pair(page: Page, forms: Forms, source: Value, into: Value, path: Path) -> Filled:
    slots = (("from", _reading_word(page, forms, source, path)), ("into", _reading_word(page, forms, into, path)))
    return Filled(page.book.templates(forms.get("pair")), slots)


def _reading_word(page: Page, forms: Forms, id: Value, path: Path) -> NounSaid:
    words = forms.get("words")
    found = words.get(str(id)) if isinstance(words, dict) else None
    if found is None:
        raise page.unsaid("E561", path, f"the reading has no word `{id}`", "add it under `words`")
    return NounSaid(found if isinstance(found, dict) else {"say": found}, path)


def _own_map(page: Page, effect: Effect, verb: str, value: Value, path: Path, out: Sentence) -> None:
    """reroll, move, put: the slots are the keys of the verb's own map."""
    verb_clause(page, effect, verb, path, out, {}, as_map(page, verb, value, path))


_VERBS: dict[str, Verb] = {
    "add": say_adds,
    "times": say_stats,
    "set": say_stats,
    "atleast": say_stats,
    "atmost": say_stats,
    "grant": _grant,
    "tag": _tag,
    "harm": _amount,
    "mend": _amount,
    "change": _change,
    "apply": _conditions,
    "end": _conditions,
    "prevent": _events,
    "allow": _events,
    "redirect": _events,
    "ignore": _ignore,
    "read": _read,
    "reroll": _own_map,
    "act": say_act,
    "move": _own_map,
    "put": _own_map,
    "consume": say_consume,
    "field": say_field,
}
"""`say` and `choose` hold prose and effects of their own; `effects` writes them."""
