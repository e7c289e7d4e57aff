"""Texts that end where a comment begins which was hardly meant as one (part of check).

`name: Room # 3` is the name `Room` and a comment. Which texts people read, only a schema knows, so this is no matter of `load`. In go a
document, its entries and what its rules announce; out come warnings. Where no comment stands behind anything, the text is looked at once
and nothing else.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Document
from seasons_build.core.entry import Entry, Site
from seasons_build.core.kind import Announced
from seasons_build.core.named import NamedTuple
from seasons_build.core.regex import regex
from seasons_build.core.said import cut
from seasons_build.core.span import Path, Span
from seasons_build.language.yaml_text import quoted

_COMMENT = regex(r"(?<![ \t]) (?=#[ \t])")
"""With two blanks in front, or more, it is set off from the text as comments are."""
_NO_PLAIN_TEXT = "\"'|>*"
"""What a text begins with that ends otherwise than at a comment."""
_MOST_PASTED = 100


class Comments(NamedTuple):
    """The comments of a document behind something: the places just behind the texts in front of them, line and column from 1, and the
    lines of the document, where there is any. The words of a comment are cut out when they are asked for: a line may be full of signs."""

    places: frozenset[tuple[int, int]] = frozenset()
    rows: Sequence[str] = ()


def texts_cut(document: Document, entries: Iterable[Entry], announced: Announced, base: Path) -> Iterator[Diagnostic]:
    """The texts of a file that a comment cuts short, W213: of its entries, and of what is announced of a block that stands at `base`."""
    known: dict[str, Comments] = {}
    here = _comments(document, known)
    lines = sorted(line for line, _ in here.places)
    for entry in entries:
        if entry.brought:
            if any(_comments(other, known).places for other, _ in [entry.where(), *entry.brought.values()]):
                yield from _cut((entry.where(prose.path) for prose in entry.announced.prose), known)
        elif lines and _within(lines, document.span(entry.base)):
            yield from _cut((entry.where(prose.path) for prose in entry.announced.prose), known)
    if lines:
        yield from _cut(((document, (*base, *prose.path)) for prose in announced.prose), known)


def _comments(document: Document, known: dict[str, Comments]) -> Comments:
    if document.file not in known:
        known[document.file] = Comments()
        if " # " in document.source or " #\t" in document.source:
            rows = document.source.split("\n")
            begun = ((number, blank.start() + 1) for number, row in enumerate(rows, 1) if "#" in row for blank in _COMMENT.finditer(row))
            known[document.file] = Comments(frozenset(begun), rows)
    return known[document.file]


def _within(lines: list[int], span: Span) -> bool:
    at = bisect_left(lines, span.line)
    return at < len(lines) and lines[at] <= span.end_line


def _cut(texts: Iterable[Site], known: dict[str, Comments]) -> Iterator[Diagnostic]:
    for document, path in texts:
        span = document.span(path)
        places, rows = _comments(document, known)
        if (span.end_line, span.end_column) not in places:
            continue
        comment = rows[span.end_line - 1][span.end_column :].rstrip()
        row = rows[span.line - 1]
        if row[span.column - 1] in _NO_PLAIN_TEXT:
            continue
        text = quoted(row[span.column - 1 :].strip())
        hint = f"to print it, write `{text}`" if span.line == span.end_line and len(text) <= _MOST_PASTED else "to print it, quote the text"
        begin = span.end_column + 1
        place = Span(span.file, span.end_line, begin, span.end_line, begin + len(comment))
        message = f"`{cut(comment)}` is a comment and will not be printed with the text in front of it"
        yield Diagnostic("W213", message, place, (hint, "for a comment, put it on a line of its own, or two blanks in front of it"))
