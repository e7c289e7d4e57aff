"""Library of the language: who is spoken of, and by which word.

The first time somebody is named by the noun; right after that by the pronoun; when another came between by the noun again, in its form
`the`. The reader is always the pronoun and is never the one named last. Verbs agree with the word that was printed.
"""

from __future__ import annotations

from seasons_build.core.document import Value
from seasons_build.core.named import NamedTuple
from seasons_build.core.span import Path
from seasons_build.language.phrases.book import Book, Forms
from seasons_build.language.phrases.filling import first
from seasons_build.language.phrases.page import Layer, Page, Said, Scope, Words

OF = "of_"


class Person(NamedTuple):
    """Somebody. `key` tells whether two are the same; `layer` is the map in which the noun stands with figures of its own."""

    key: str
    forms: Forms
    path: Path = ()
    layer: Layer | None = None
    several: bool = False

    @property
    def reader(self) -> bool:
        return self.forms.get("reader") is True

    def text(self, page: Page, scope: Scope, form: str) -> str | None:
        if self.path:
            page.spent.append(self.path)
        if form.startswith(OF):
            return self._of(page, scope, form[len(OF) :])
        pronoun = self._pronoun(page.book)
        if self.reader:
            page.mention(self.key, number_of(pronoun), last=False)
            return _form(pronoun, form)
        if page.last == self.key:
            page.mention(self.key, number_of(pronoun), last=True)
            return _form(pronoun, form)
        name = self._name(page, scope, form, pronoun)
        if name is None:
            return None
        spoken = _pronoun_that_says(page.book, name)
        page.mention(self.key, number_of(spoken) if spoken is not None else self._number(), last=True)
        if spoken is not None:
            return _form(spoken, form)
        if form == "their":
            return first(page, page.book.phrase("own"), scope.with_slots({"x": Words(name)}))
        return name

    def number(self, page: Page, scope: Scope) -> int:
        if "bare" in scope.slots:
            return 1
        printed = page.number_of(self.key)
        if printed is None:
            printed = number_of(self._pronoun(page.book)) if self.reader or page.last == self.key else self._number()
        return printed

    def _number(self) -> int:
        return number_of(self.forms) or int(self.several)

    def _of(self, page: Page, scope: Scope, parameter: str) -> str | None:
        """Somebody's stat, which a parameter names: `their Defense`, `the Defense of a guard`."""
        thing = page.find(page, scope, parameter)
        words = None if thing is None else thing.text(page, scope, "")
        if words is None:
            return None
        near = self.reader or page.last == self.key
        their = Words(self.text(page, scope, "their") or "") if near else None
        return first(page, page.book.phrase("of"), scope.with_slots({"thing": Words(words), "their": their, "x": self}))

    def _name(self, page: Page, scope: Scope, form: str, pronoun: Forms) -> str | None:
        inner = scope.under(self.layer) if self.layer else scope
        if not page.named(self.key):
            return first(page, page.book.templates(self.forms.get(form) if form in self.forms else self.forms.get("say")), inner)
        if "the" in self.forms:
            return first(page, page.book.templates(self.forms["the"]), inner)
        templates = page.book.templates(self.forms.get("say"))
        if any(template.slots for template in templates):
            return str(pronoun.get("say", ""))
        return first(page, templates, inner)

    def _pronoun(self, book: Book) -> Forms:
        id = self.forms.get("as-many" if self.several else "as", book.text("pronoun", ""))
        found = book.phrase_value("pronouns", str(id))
        return found if isinstance(found, dict) else {}


def number_of(forms: Forms) -> int:
    """Which of `one|many` a word takes: `many: true` the second; a number counts from the first as 0, for languages with more forms."""
    many = forms.get("many")
    return int(many) if isinstance(many, int) else 0


def _form(pronoun: Forms, form: str) -> str:
    found = pronoun.get(form, pronoun.get("say", ""))
    return found if isinstance(found, str) else ""


def _pronoun_that_says(book: Book, name: str) -> Forms | None:
    pronouns = book.phrase_value("pronouns")
    for forms in pronouns.values() if isinstance(pronouns, dict) else ():
        if isinstance(forms, dict) and forms.get("say") == name:
            return forms
    return None


def person(page: Page, scope: Scope, value: Value, path: Path, group: str = "who") -> Said:
    """Who a value names: an id, a noun in place `{say: ...}`, or `{who: ID, FIGURE: n}`. Raises `Unsaid`."""
    if isinstance(value, dict) and isinstance(value.get("say"), str):
        return Person(f"say:{value['say']}", value, path, Layer(value, path, frozenset({"say", "the", "as", "many", "who"})))
    layer: Layer | None = None
    id = value
    if isinstance(value, dict):
        id = value.get("who")
        layer = Layer(value, path, frozenset({"who"}))
    if not isinstance(id, str):
        raise page.unsaid("E561", path, f"expected one of the game's `{group}`, or a noun in place: {{say: ...}}")
    if id == "self":
        bearer = scope.slots.get("self")
        if isinstance(bearer, Person):
            return bearer._replace(path=path)
    forms = page.required(group, id, path)
    return Person(id, forms, path, layer)
