"""What every printed line must be: a sentence, with nothing of the data's own spelling in it, and words that agree with their figures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from seasons_build.language.phrases import Book, Lines, Part
from seasons_build.language.phrases.template import Either, Slot, Template

FIGURES = frozenset({"n", "v", "count", "most", "rounds"})
BEGINS = re.compile(r"(?:\*\*|- \*\*|[\W\d]*:[a-z]+: |[+−]?\d|[A-Z“\"+−]|:[a-z]+: )")
SPELLED = re.compile(r"None|[{}<>_|\\]|==|\*\s|//|  |\s[.,;:](?:\s|$)|\(\s*\)|\s$|^\s|,,|\.\.")
ICON = r"(?::[a-z]+: )?"


def faults_of(book: Book, lines: Lines) -> list[str]:
    """What is wrong with the lines of an entry; empty where nothing is."""
    found: list[str] = []
    for text, options in every_line(lines):
        if not BEGINS.match(text):
            found.append(f"begins with a small letter: {text}")
        if not text.endswith((".", "!", "?", ".”")) and not (text.endswith(":") and options):
            found.append(f"has no stop: {text}")
        bare = re.sub(r":[a-z][a-z0-9_-]*:", "¤", text.removeprefix("- ").replace("**", ""))
        if SPELLED.search(bare):
            found.append(f"has a sign of the data: {text}")
        found += [f"names an id `{word}`: {text}" for word in re.findall(r"[a-z]+(?:[-_][a-z]+)+", bare) if word in ids_of(book_key(book))]
        found += [f"does not agree (`{what}`): {text}" for what in disagreements(book, text)]
    return found


def every_line(lines: Lines) -> Iterator[tuple[str, bool]]:
    """Each line, and whether options follow it."""
    if lines.trigger:
        yield lines.trigger, False
    for text in (*lines.opening, *lines.lines, *lines.closing):
        yield text, False
    for part in (*lines.options, *lines.steps, *lines.actions):
        yield from of_part(part)


def of_part(part: Part) -> Iterator[tuple[str, bool]]:
    yield part.line, bool(part.options)
    for option in part.options:
        yield from of_part(option)


def disagreements(book: Book, text: str) -> list[str]:
    found = []
    for one, many in number_words(book_key(book)):
        if re.search(rf"(?<![\d,./])1 {ICON}{re.escape(many)}\b", text):
            found.append(f"1 {many}")
        if re.search(rf"(?:\b[02-9]|\d\d) {ICON}{re.escape(one)}\b", text):
            found.append(f"2 {one}")
    lower = text.lower()
    for one, many in verb_words(book_key(book)):
        for word, takes_many in pronouns(book_key(book)):
            wrong = one if takes_many else many
            if re.search(rf"(?:^|[.,;] ){word} {re.escape(wrong)}\b", lower):
                found.append(f"{word} {wrong}")
    return found


_BOOKS: dict[int, Book] = {}


def book_key(book: Book) -> int:
    _BOOKS[id(book)] = book
    return id(book)


@cache
def ids_of(key: int) -> frozenset[str]:
    return frozenset(id for group in _BOOKS[key].nouns.values() for id in group if "-" in id or "_" in id)


@cache
def pronouns(key: int) -> tuple[tuple[str, bool], ...]:
    forms = _BOOKS[key].phrase_value("pronouns").values()
    return tuple((str(one["say"]), one.get("many") is True) for one in forms)


@cache
def number_words(key: int) -> tuple[tuple[str, str], ...]:
    """Pairs of words that follow a figure."""
    return tuple(sorted({pair for name, pair in _choices(_BOOKS[key]) if name in FIGURES}))


@cache
def verb_words(key: int) -> tuple[tuple[str, str], ...]:
    """Pairs of verb forms."""
    return tuple(sorted({pair for name, pair in _choices(_BOOKS[key]) if name not in FIGURES}))


def _choices(book: Book) -> Iterator[tuple[str, tuple[str, str]]]:
    for value in (*book.phrases.values(), *(forms for group in book.nouns.values() for forms in group.values())):
        for text in _texts(value):
            template = book.template(text)
            if template is not None:
                yield from _of_template(template)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _of_template(template: Template) -> Iterator[tuple[str, tuple[str, str]]]:
    for part in template.parts:
        inner: tuple[Template, ...] = ()
        if isinstance(part, Slot):
            inner = part.choices
            if len(inner) == 2 and all(len(t.parts) == 1 and isinstance(t.parts[0], str) for t in inner):
                pair = (str(inner[0].parts[0]), str(inner[1].parts[0]))
                if pair[0] != pair[1]:
                    yield part.name, pair
        elif isinstance(part, Either):
            inner = part.alternatives
        for one in inner:
            yield from _of_template(one)
