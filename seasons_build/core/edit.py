"""A change to a file that a writer edits: what stands at a place, and what is to stand there. All else stays as it is, byte for byte."""

from __future__ import annotations

from collections.abc import Iterable

from seasons_build.core.record import dataclass
from seasons_build.core.regex import regex
from seasons_build.core.span import Span

BREAK = regex(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Edit:
    """A stretch of a file and the text that takes its place; an empty stretch is where text is put in."""

    span: Span
    text: str


def rows_of(text: str) -> list[str]:
    """The lines of a text, whatever ends them."""
    return BREAK.split(text)


def edited(text: str, edits: Iterable[Edit]) -> str:
    """A text with edits made. They do not overlap; their order is of no consequence, and one that is given twice is made once."""
    starts = [0, *(found.end() for found in BREAK.finditer(text))]
    for edit in sorted(set(edits), key=lambda e: (e.span, e.text), reverse=True):
        start = starts[edit.span.line - 1] + edit.span.column - 1
        end = starts[edit.span.end_line - 1] + edit.span.end_column - 1
        text = text[:start] + edit.text + text[end:]
    return text
