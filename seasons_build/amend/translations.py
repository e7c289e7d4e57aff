"""Texts in another language: what a file below `lang/` says in place of what was typed (part of amend).

In: files in the shape of content, with nothing but texts in them. Out: texts by entry and path, and the nouns of the rules with their
words in that language. What is not there stays as it was typed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Document, Value
from seasons_build.core.entry import Noun
from seasons_build.core.names import did_you_mean
from seasons_build.core.record import dataclass
from seasons_build.core.span import Path

RULES, PHRASES, SAY = "rules", "phrases", "say"


@dataclass(frozen=True, slots=True)
class Text:
    """One text of an entry in another language: where it belongs, and where it stands."""

    pack: str
    kind: str
    id: str
    steps: tuple[str, ...]
    value: Value
    document: Document

    @property
    def place(self) -> Path:
        """Where it stands in its file."""
        return (self.kind, self.id, *self.steps)


def texts_of(pack: str, document: Document) -> Iterator[Text]:
    """The texts of a file, in the order of their paths."""
    for kind, entries in document.data.items():
        for id, typed in sorted(entries.items()) if kind != RULES and isinstance(entries, Mapping) else ():
            yield from (Text(pack, kind, id, steps, value, document) for steps, value in _leaves(typed, ()))


def _leaves(typed: Value, steps: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Value]]:
    if isinstance(typed, Mapping):
        for key, inner in sorted(typed.items()):
            yield from _leaves(inner, (*steps, key))
    else:
        yield steps, typed


def speak(nouns: Sequence[Noun], documents: Sequence[Document], language: str) -> tuple[tuple[Noun, ...], tuple[Diagnostic, ...]]:
    """The nouns of a pack with their words in another language, and which of those that people read have no words in it (N281)."""
    words = {(group, id): (body, document) for document in documents for group, id, body in _words(document)}
    spoken = tuple(_spoken(noun, *words.get((noun.noun, noun.id), (None, None))) for noun in nouns)
    left = [noun for noun in nouns if (noun.noun, noun.id) not in words and _is_read(noun)]
    if not words or not left:
        return spoken, ()
    listed = ", ".join(f"`{noun.noun}.{noun.id}`" for noun in left[:10]) + (" ..." if len(left) > 10 else "")
    what = "word of the rules is" if len(left) == 1 else "words of the rules are"
    place = next(document for document in documents if RULES in document.data).key_span((RULES,))
    return spoken, (Diagnostic("N281", f"{len(left)} {what} not in `{language}`: {listed}", place),)


def unknown_words(document: Document, known: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """What a file says of words of the rules that are not there (E280)."""
    for group, id, _ in _words(document):
        if (group, id) not in known:
            near = did_you_mean(id, [name for other, name in known if other == group])
            yield Diagnostic("E280", f"there is no `{id}` under `{group}` to translate", document.key_span((RULES, group, id)), near)


def _words(document: Document) -> Iterator[tuple[str, str, Value]]:
    rules = document.data.get(RULES)
    for group, ids in rules.items() if isinstance(rules, Mapping) else ():
        if isinstance(ids, Mapping):
            yield from ((group, id, body) for id, body in ids.items())


def _is_read(noun: Noun) -> bool:
    return noun.noun == PHRASES or (isinstance(noun.data, Mapping) and isinstance(noun.data.get(SAY), str | Mapping))


def _spoken(noun: Noun, words: Value, document: Document | None) -> Noun:
    if document is None:
        return noun
    if isinstance(noun.data, Mapping) and isinstance(words, Mapping) and noun.noun != PHRASES:
        return noun._replace(data={**noun.data, **words})
    return noun._replace(data=words, document=document)
