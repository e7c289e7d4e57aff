"""Library of the language: a game's nouns and sentences, made ready once.

In: what the game declares under `rules`, as plain data (`compile_book`). Out: a `Book`, in which every noun is a map of forms and every
template is read once. A book holds for one place (a card, a sheet); `for_kind` gives the book of a kind that has other phrases.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seasons_build.core import vocabulary
from seasons_build.core.document import Number, Value
from seasons_build.core.names import did_you_mean
from seasons_build.core.record import dataclass, field
from seasons_build.core.span import Path
from seasons_build.language.phrases.records import Problem
from seasons_build.language.phrases.template import Template, TemplateFault, parse

Forms = Mapping[str, Value]
_NOTHING: Forms = {}
_SAID = {noun.name: tuple(word.name for word in noun.said) for noun in vocabulary.NOUNS}
_SIGNS = frozenset({"minus", "plus", "and", "or", "clauses", "lead", "stop", "strip", "inline", "share", "plural", "pronoun"})
_TEXT_PHRASES = _SIGNS | {"head", "inherit", "shown", "first", "places"}
"""Phrases that are no templates."""


@dataclass(frozen=True, slots=True)
class Book:
    """Nouns by group and id, and phrases."""

    nouns: Mapping[str, Mapping[str, Forms]]
    phrases: Mapping[str, Value]
    voices: Mapping[str, Value]
    _kinds: Mapping[str, Book] = field(default_factory=dict)
    _read: dict[str, Template | None] = field(default_factory=dict)
    _found: dict[tuple[str, ...], tuple[Template, ...]] = field(default_factory=dict)
    asked: dict[str, set[str]] = field(default_factory=dict)
    """By kind, the fields of entries that sentences have asked for so far, in any of the books of a game."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The templates that cannot be read, looked for each time it is asked."""
        return tuple(_faults(self.nouns, self.phrases))

    def for_kind(self, kind: str) -> Book:
        """The book that speaks of a kind."""
        return self._kinds.get(kind, self)

    def noun(self, group: str, id: str) -> Forms | None:
        """A noun's forms, or None where the game has no such noun."""
        return self.nouns.get(group, _NOTHING).get(id)

    def nearest(self, group: str, id: str) -> tuple[str, ...]:
        """The hint for a noun that is not there."""
        return did_you_mean(id, self.nouns.get(group, _NOTHING))

    def template(self, text: str) -> Template | None:
        """A template by its text, read once; None where it cannot be read."""
        if text not in self._read:
            try:
                self._read[text] = parse(text)
            except TemplateFault:
                self._read[text] = None
        return self._read[text]

    def templates(self, form: Value, figure: Number | None = None) -> tuple[Template, ...]:
        """The templates of a form, in the order to try: one text, a list of them, or a map from figures to them (`else` for the others)."""
        if isinstance(form, str):
            found = self.template(form)
            return () if found is None else (found,)
        if isinstance(form, list):
            return tuple(t for item in form for t in self.templates(item, figure))
        if isinstance(form, dict):
            return self.templates(form.get(str(figure), form.get("else")), figure)
        return ()

    def phrase(self, *path: str) -> tuple[Template, ...]:
        """The templates of a phrase, by its place: `("verbs", "add")`."""
        found = self._found.get(path)
        if found is None:
            found = self._found[path] = self.templates(self.phrase_value(*path))
        return found

    def phrase_value(self, *path: str) -> Value:
        """What a game says at a place of its phrases, as typed."""
        here: Any = self.phrases
        for step in path:
            here = here.get(step) if isinstance(here, dict) else None
        return here

    def text(self, name: str, default: str) -> str:
        """A plain text of the phrases: a sign, a stop."""
        found = self.phrases.get(name)
        return found if isinstance(found, str) else default

    def listed(self, *path: str) -> tuple[str, ...]:
        """A list of words in the phrases: fields, in order."""
        found = self.phrase_value(*path)
        return tuple(item for item in found if isinstance(item, str)) if isinstance(found, list) else ()

    def joined(self, joint: str, items: list[str]) -> str:
        """A list in words. Where an item has the last joint in it, the joint of clauses divides them."""
        if len(items) < 2:
            return "".join(items)
        between, last = self._joint(joint)
        if joint == "and" and any(last in item for item in items):
            between, last = self._joint("clauses")
        return between.join(items[:-1]) + last + items[-1]

    def _joint(self, name: str) -> tuple[str, str]:
        found = self.phrases.get(name)
        if isinstance(found, list) and len(found) == 2 and all(isinstance(text, str) for text in found):
            return found[0], found[1]
        return ", ", ", "


def compile_book(rules: Mapping[str, Value], place: str = "") -> Book:
    """A game's nouns and phrases, ready for one place (`phrases.places`). Faults are in the book's `problems`."""
    rules = _plain(rules)
    rules = _over(rules, _at(rules, "phrases", "places", place)) if place else rules
    nouns = {group: _group(group, rules.get(group)) for group in _SAID if group != "phrases"}
    nouns["stats"] = {**_members(rules.get("stats")), **nouns["stats"]}
    phrases = rules.get("phrases")
    phrases = phrases if isinstance(phrases, dict) else {}
    voices = rules.get("voices")
    voices = voices if isinstance(voices, dict) else {}
    read: dict[str, Template | None] = {}
    asked: dict[str, set[str]] = {}
    kinds: dict[str, Book] = {}
    others = _at(phrases, "kinds")
    for kind in sorted({*others, *voices}):
        own = voices.get(kind)
        kinds[kind] = Book(nouns, _over(phrases, _at(others, kind)), own if isinstance(own, dict) else {}, _read=read, asked=asked)
    return Book(nouns, phrases, {}, kinds, read, asked=asked)


def _plain(value: Any) -> Any:
    """The same data with every key as text."""
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _over(below: Mapping[str, Value], above: Mapping[str, Value]) -> dict[str, Value]:
    made = dict(below)
    for key, value in above.items():
        old = made.get(key)
        made[key] = _over(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return made


def _at(value: Value, *path: str) -> Mapping[str, Value]:
    for step in path:
        value = value.get(step) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def _group(group: str, declared: Value) -> dict[str, Forms]:
    if not isinstance(declared, dict):
        return {}
    plain_text = "rule" if group == "stacking" else "base" if group == "stats" else "say"
    return {id: forms if isinstance(forms, dict) else {plain_text: forms} for id, forms in declared.items()}


def _members(declared: Value) -> dict[str, Forms]:
    """The members of families that say their own names: `each: {vigor: ":vigor: Vigor"}`."""
    found: dict[str, Forms] = {}
    for family in declared.values() if isinstance(declared, dict) else ():
        each = family.get("each") if isinstance(family, dict) else None
        if isinstance(each, dict) and "kind" not in each:
            found.update({id: forms if isinstance(forms, dict) else {"say": forms} for id, forms in each.items()})
    return found


def _faults(nouns: Mapping[str, Mapping[str, Forms]], phrases: Mapping[str, Value]) -> list[Problem]:
    found: list[Problem] = []
    for group, said in _SAID.items():
        for id, forms in nouns.get(group, _NOTHING).items():
            for name, form in forms.items():
                if name.split(".")[0] in said:
                    _check(form, (group, id, name), found)
    for id, forms in nouns.get("readings", _NOTHING).items():
        _check(forms.get("words"), ("readings", id, "words"), found)
    for name, value in phrases.items():
        if name not in _TEXT_PHRASES:
            _check(value, ("phrases", name), found)
    return found


def _check(form: Value, path: Path, found: list[Problem]) -> None:
    if isinstance(form, str):
        try:
            parse(form)
        except TemplateFault as fault:
            found.append(Problem("E566", path, f"this sentence cannot be read: {fault.message}", rules=True))
    elif isinstance(form, dict):
        for key, value in form.items():
            _check(value, (*path, key), found)
    elif isinstance(form, list):
        for index, value in enumerate(form):
            _check(value, (*path, index), found)
