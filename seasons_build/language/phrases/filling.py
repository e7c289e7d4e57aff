"""Library of the language: fills a template with words.

In: a template, or several to try in order, the page and a scope. Out: the text, or None where a slot is empty; what a template that
does not fit has said is taken back.
"""

from __future__ import annotations

from collections.abc import Iterable

from seasons_build.core.document import Value
from seasons_build.core.named import NamedTuple
from seasons_build.core.span import Path
from seasons_build.language.phrases.book import Forms
from seasons_build.language.phrases.page import DEPTH, GIVEN, STEPS, Page, Said, Scope
from seasons_build.language.phrases.template import Either, Slot, Template


def fill(page: Page, template: Template, scope: Scope) -> str | None:
    """The text of one template, or None where a slot outside `<...>` is empty."""
    page.depth += 1
    try:
        if page.depth > DEPTH:
            raise page.unsaid("E567", (), "a noun says itself, through other nouns")
        out: list[str] = []
        for part in template.parts:
            if isinstance(part, str):
                out.append(part)
                continue
            text = _either(page, part, scope) if isinstance(part, Either) else _slot(page, part, scope)
            if text is None:
                return None
            out.append(text)
        return "".join(out)
    finally:
        page.depth -= 1


def first(page: Page, templates: Iterable[Template], scope: Scope) -> str | None:
    """The text of the first template that has no empty slot."""
    for template in templates:
        mark = page.mark()
        text = fill(page, template, scope)
        if text is not None:
            return text
        page.back(mark)
    return None


def asked(page: Page, template: Template, scope: Scope) -> bool:
    """Whether all that a template asks for is given."""
    return all(any(page.find(page, scope, name) is not None for name in slot.asks) for slot in template.asks)


def _slot(page: Page, slot: Slot, scope: Scope) -> str | None:
    page.steps += 1
    if page.steps > STEPS:
        raise page.unsaid("E567", (), "the nouns of this entry say each other too often")
    if slot.asks:
        return "" if any(page.find(page, scope, name) is not None for name in slot.asks) else None
    said = page.find(page, scope, slot.name)
    if said is None:
        return None
    if slot.choices:
        index = said.number(page, scope)
        return fill(page, slot.choices[min(index, len(slot.choices) - 1)], scope)
    if slot.unspoken and getattr(said, "reader", False):
        return ""
    return said.text(page, scope, slot.form)


def _either(page: Page, either: Either, scope: Scope) -> str:
    found = first(page, either.alternatives, scope)
    return "" if found is None else found


class NounSaid(NamedTuple):
    """A noun with its forms. `spends` is the data that it says; `slots` are more that its templates see."""

    forms: Forms
    spends: Path
    slots: tuple[tuple[str, Said | None], ...] = ()
    plural: bool = False

    def text(self, page: Page, scope: Scope, form: str) -> str | None:
        text = self._form(page, scope, form or "say")
        if text is not None:
            page.spent.append(self.spends)
        return text

    def _form(self, page: Page, scope: Scope, form: str) -> str | None:
        value: Value = self.forms.get(form)
        if value is None:
            return None
        inner = scope.with_slots(dict(self.slots)) if self.slots else scope
        return first(page, page.book.templates(value), inner)

    def number(self, page: Page, scope: Scope) -> int:
        return int(self.plural or bool(self.forms.get("many")))


class Listed(NamedTuple):
    """Several things said in a row, joined in words."""

    items: tuple[Said, ...]
    joint: str = "and"

    def text(self, page: Page, scope: Scope, form: str) -> str | None:
        texts: list[str] = []
        for item in self.items:
            text = item.text(page, scope, form)
            if text is None:
                return None
            texts.append(text)
        return page.book.joined(self.joint, texts)

    def number(self, page: Page, scope: Scope) -> int:
        return int(len(self.items) > 1) or (self.items[0].number(page, scope) if self.items else 0)


class Filled(NamedTuple):
    """A template filled where the slot stands, so that whoever is named in it is named there. `bare` gives the form without agreement."""

    templates: tuple[Template, ...]
    slots: tuple[tuple[str, Said | None], ...] = ()

    def text(self, page: Page, scope: Scope, form: str) -> str | None:
        inner = scope.with_slots(dict(self.slots)) if self.slots else scope
        if form == "bare":
            inner = inner.with_slots({"bare": GIVEN})
        return first(page, self.templates, inner)

    def number(self, page: Page, scope: Scope) -> int:
        return 0
