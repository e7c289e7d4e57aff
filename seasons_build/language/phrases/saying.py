"""Library of the language: one map of verbs, and the clause of a verb.

What the modules of the verbs share: `Effect` is the map that a verb stands in; `verb_clause` adds the clause that a verb's own sentence
gives, `add_clause` one by other templates. Both raise `Unsaid` where none fits.
"""

from __future__ import annotations

from collections.abc import Mapping

from seasons_build.core.document import Value
from seasons_build.core.named import NamedTuple
from seasons_build.core.span import Path
from seasons_build.language.phrases.clauses import Sentence
from seasons_build.language.phrases.page import Layer, Page, Scope, Slots
from seasons_build.language.phrases.template import Template


class Effect(NamedTuple):
    """One map of verbs: its data, where it stands, what it sees, and the events that it answers: those of its own
    trigger, or its use's, each with the one to whom it happens, as typed."""

    data: Mapping[str, Value]
    path: Path
    scope: Scope
    answers: frozenset[tuple[str, str]]


def add_clause(page: Page, out: Sentence, verb: str, path: Path, templates: tuple[Template, ...], scope: Scope) -> None:
    """A clause by the first of the templates that fits."""
    hint = f"add one to the game under `phrases.verbs.{verb}`, or write it as text after `say`"
    if not templates:
        raise page.unsaid("E560", path, f"the game has no sentence for `{verb}`", hint)
    if not out.add(page, templates, scope):
        raise page.unsaid("E560", path, f"no sentence of `{verb}` fits what is given here", hint)


def verb_clause(
    page: Page, effect: Effect, verb: str, path: Path, out: Sentence, slots: Slots, own: Mapping[str, Value] | None = None
) -> None:
    """A clause by the sentence of the verb itself. `own` is the verb's own map, in which slots are looked for first."""
    scope = effect.scope.with_slots(slots)
    if own is not None:
        scope = scope.under(Layer(own, path))
    add_clause(page, out, verb, path, page.book.phrase("verbs", verb), scope)


def as_map(page: Page, verb: str, value: Value, path: Path) -> Mapping[str, Value]:
    """The value of a verb that holds a map."""
    if isinstance(value, dict):
        return value
    raise page.unsaid("E560", path, f"expected a map after `{verb}`")


def as_list(value: Value) -> list[Value]:
    """The value of a verb that holds one thing or several."""
    return value if isinstance(value, list) else [value]
