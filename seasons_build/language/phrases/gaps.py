"""Library of the language: which sentences a game lacks.

In: a book, and the words of the language that the game's entries use (`words_of` collects them; all words where nothing is said). Out: a
`Gap` for each phrase that is not there, with the words that need it, so that a writer hears of it before a card does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from seasons_build.core import vocabulary
from seasons_build.core.document import Value
from seasons_build.core.named import NamedTuple
from seasons_build.core.span import Path
from seasons_build.language.phrases.book import Book

UNTEMPLATED = frozenset({"prevent", "allow", "redirect", "read", "say"})
"""Verbs that are said by their nouns (`events`, `readings`), or as typed."""

EVENT_FORMS = {"trigger": ("would", "happens"), "prevent": ("not", "cannot"), "allow": ("may",), "redirect": ("instead",)}
MANNERS = ("is", "does")

NEEDED: Mapping[str, tuple[str, ...]] = {
    "": ("and", "or", "clauses", "pronoun", "pronouns", "own", "of", "own-stat"),
    "use": ("head", "use"),
    "cost": ("head", "use"),
    "trigger": ("trigger", "when-event"),
    "first": ("first-event",),
    "needs": ("needs",),
    "holds": ("holds",),
    "options": ("option",),
    "actions": ("action",),
    "steps": ("step",),
    "taken": ("taken",),
    "when": ("when.lead", "when.at-least", "when.at-most", "when.over", "when.under", "when.exactly", "when.has", "when.lacks"),
    "per": ("verbs.per", "per-each", "item.harm", "item.mend"),
    "scale": ("scale", "scale-from", "scale-step"),
    "attacks": ("attack",),
    "range": ("figures.distance",),
    "move": ("figures.distance",),
    "add": ("item.more", "item.equal"),
    "ignore": ("item.amount", "cause"),
    "field": ("item.has", "actor-action"),
    "against": ("riders.against",),
    "from": ("riders.from",),
    "way": ("riders.way",),
    "time": ("riders.time",),
    "type": ("riders.type",),
    "to": ("riders.to",),
}
"""What each word of the language needs of `phrases`, by place; the empty word stands for every text."""


class Gap(NamedTuple):
    """A phrase that is not there: its place under `phrases`, and the words that need it."""

    path: Path
    words: tuple[str, ...]

    def __str__(self) -> str:
        return ".".join(str(step) for step in ("phrases", *self.path))


def gaps(book: Book, words: Collection[str] | None = None) -> tuple[Gap, ...]:
    """The phrases that a game lacks for the words it uses; without `words`, for all of them. By place, in the alphabet's order."""
    missing: dict[Path, list[str]] = {}
    for word, path in sorted(_needs(book)):
        if word and words is not None and word not in words:
            continue
        if book.phrase_value(*path) is None:
            missing.setdefault(path, []).append(word)
    return tuple(Gap(path, tuple(found)) for path, found in sorted(missing.items()))


def words_of(data: Value) -> frozenset[str]:
    """The words of the language that an entry uses, at whatever depth."""
    known = vocabulary.words()
    return frozenset(word for word in _keys(data) if word in known)


def _needs(book: Book) -> Iterable[tuple[str, tuple[str, ...]]]:
    for word, places in NEEDED.items():
        yield from ((word, tuple(place.split("."))) for place in places)
    for verb in vocabulary.VERB:
        if verb not in UNTEMPLATED:
            yield verb, ("verbs", verb)
    events = book.nouns.get("events", {}).values()
    for manner in MANNERS:
        if any(manner in forms for forms in events):
            yield from ((word, ("event", form, manner)) for word, forms in EVENT_FORMS.items() for form in forms)


def _keys(data: Value) -> Iterable[str]:
    if isinstance(data, dict):
        for key, value in data.items():
            yield str(key)
            yield from _keys(value)
    elif isinstance(data, list):
        for item in data:
            yield from _keys(item)
