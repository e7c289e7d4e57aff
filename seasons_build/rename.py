"""Stage: where an entry is named, and what changes in the files when it gets another id.

In: a library, an entry, the texts of the files. Out: spans of the id alone, and edits. What a schema announces as a reference is certain;
where else the id means the entry is for those to find who read the game without it: what is missed then stands at a place, and `mentions`
finds the id there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from seasons_build.core.edit import Edit, rows_of
from seasons_build.core.entry import Entry, Key, Library
from seasons_build.core.kind import Reference
from seasons_build.core.names import in_expressions
from seasons_build.core.span import Span
from seasons_build.language.text import scan
from seasons_build.language.yaml_text import flow

FORMERLY = "formerly"
NAME = "name"


def references(library: Library, key: Key) -> list[Span]:
    """Where references name an entry by its id, in the order of the files: the id alone, without kind, pack and part."""
    found: set[Span] = set()
    for entry in (*library.entries.values(), *library.cases):
        leads = {path for path, target in library.targets.get(entry.key, {}).items() if target == key}
        if leads:
            found |= {span for span, text in _typed(entry, leads) if text == key[2]}
    return sorted(found)


def _typed(entry: Entry, leads: Iterable[tuple[str | int, ...]]) -> Iterator[tuple[Span, str]]:
    """The ids in the references and links at some paths, each with its text."""
    for reference in entry.announced.references:
        if reference.path in leads:
            start, end = _identifier(reference)
            if reference.key:
                span = entry.key_span(reference.path)
                yield Span(span.file, span.line, span.column + start, span.line, span.column + end), reference.text[start:end]
            else:
                yield entry.inside(reference.path, start, end), reference.text[start:end]
    for prose in entry.announced.prose:
        for piece in scan(prose.text):
            if piece.what == "link" and (*prose.path, piece.text) in leads:
                start, end = _identifier(Reference(prose.path, None, piece.text))
                at = piece.start + 2
                yield entry.inside(prose.path, at + start, at + end), piece.text[start:end]


def _identifier(reference: Reference) -> tuple[int, int]:
    """From where to where the id stands in a reference: behind a pack and a kind, before a part."""
    named, colon, rest = reference.text.rpartition(":")
    steps = rest.split("/")
    whole = steps[:-1] if reference.part and len(steps) in (2, 3) else steps
    kind = len(whole) == 2 or reference.kind is None
    start = len(named) + len(colon) + (len(steps[0]) + 1 if kind and len(steps) > 1 else 0)
    return start, start + len(steps[1] if kind and len(steps) > 1 else steps[0])


def mentions(text: str, span: Span, identifier: str) -> Iterator[Span]:
    """Where an id stands in a stretch of a file as a word of its own, also as expressions write it."""
    words = "|".join(map(re.escape, dict.fromkeys((identifier, in_expressions(identifier)))))
    rows = rows_of(text)
    for line in range(span.line, min(span.end_line, len(rows)) + 1):
        row = rows[line - 1]
        first = span.column - 1 if line == span.line else 0
        last = span.end_column - 1 if line == span.end_line else len(row)
        for found in re.finditer(rf"(?<![\w-])(?:{words})(?![\w-])", row):
            if first <= found.start() and found.end() <= last:
                yield Span(span.file, line, found.start() + 1, line, found.end() + 1)


def stand_in(identifier: str, texts: Iterable[str]) -> str:
    """A word as long as an id that stands in none of the texts: with it in place of the id, all else keeps its place."""
    alphabet = "zqxjkvwbpygfmucdlhrsnioate0123456789"
    held = "\n".join(texts)
    width = len(alphabet)
    for n in range(width**3):
        word = "".join(alphabet[(n // width**place) % width] for place in range(3))
        made = (word * len(identifier))[: len(identifier)]
        if made not in held:
            return made
    raise AssertionError("every short word stands in the files")


def replaced(texts: Mapping[str, str], spans: Iterable[Span], identifier: str, new: str) -> list[Edit]:
    """The edits that put a new id where the old one stands, as it is written there."""
    edits = []
    for span in spans:
        typed = rows_of(texts[span.file])[span.line - 1][span.column - 1 : span.end_column - 1]
        edits.append(Edit(span, new if typed == identifier else in_expressions(new)))
    return edits


def leaving(entry: Entry, new: str) -> Edit:
    """The edit that makes an entry remember the id that it had."""
    former = [*(old for old in entry.former if old not in (new, entry.id)), entry.id]
    written = f"{FORMERLY}: {flow(former)}"
    document, base = entry.document, entry.base
    here = document.data[entry.kind][entry.id]
    if FORMERLY in here:
        return Edit(document.span((*base, FORMERLY)), flow(former))
    first = NAME if NAME in here else next(iter(here))
    key, value, whole = document.key_span((*base, first)), document.span((*base, first)), document.span(base)
    rows = document.source.split("\n")
    before = rows[key.line - 1][whole.column - 1 if whole.line == key.line else 0 : key.column - 1]
    if "{" in before or (whole.line < key.line and "{" in rows[whole.line - 1][whole.column - 1 :]):
        return Edit(Span(value.file, value.end_line, value.end_column, value.end_line, value.end_column), f", {written}")
    if value.line == value.end_line:
        end = len(rows[value.line - 1]) + 1
        place = Span(value.file, value.line, end, value.line, end)
        return Edit(place, f"\n{' ' * (key.column - 1)}{written}")
    place = Span(key.file, key.line, key.column, key.line, key.column)
    return Edit(place, f"{written}\n{' ' * (key.column - 1)}")
