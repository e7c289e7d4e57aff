"""A parsed file: plain data, and beside it the place of every key and value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from seasons_build.core.record import dataclass, field
from seasons_build.core.span import Path, Span

Value: TypeAlias = Any
"""Plain data: None, bool, int, Fraction (a decimal, exact), str, list of Value, dict of str to Value. Nobody mutates it."""

Number: TypeAlias = int | Fraction

Mark: TypeAlias = tuple[int, int, int, int]
"""Line, column, end line, end column, from 0; the end is just past the last character."""

Place: TypeAlias = Any
"""The shadow of a value. Of text or a number: its Mark. Of a map: (Mark, {key: (Mark of the key, Place)}). Of a list: (Mark, [Place])."""

FEW_FILES = 4
"""Files of which what is large and seldom asked for is at hand at once: who asks for it goes from file to file."""

_BLANKS = " \t\n"


@dataclass(frozen=True, slots=True)
class Document:
    """One file, parsed. `file` is the name shown to the author, with forward slashes; `source` is its text as read; `at` is where
    everything stands, or what gives that when it is asked for: places are told of faults alone, and most files have none. A place that is
    the very same in two documents was taken over: they say the same there, in the same rows."""

    file: str
    source: str
    data: Mapping[str, Value]
    at: Place | Callable[[], Place] = field(compare=False, repr=False)

    @property
    def places(self) -> Place:
        """The place of every key and value."""
        return self.at() if callable(self.at) else self.at

    def span(self, path: Path = ()) -> Span:
        """The value at `path`; where the path leads nowhere, the nearest thing above it that exists."""
        return self._span(self._mark(path, key=False))

    def text(self, path: Path) -> str:
        """The value at `path` as it was typed, where it stands on one line; else nothing."""
        line, column, end_line, end_column = self._mark(path, key=False)
        return self.source.split("\n")[line][column:end_column] if line == end_line else ""

    def key_span(self, path: Path) -> Span:
        """The key that the last step of `path` names; in a list, the item."""
        return self._span(self._mark(path, key=True))

    def inside(self, path: Path, start: int, end: int) -> Span:
        """Characters `start` to `end` of the text at `path`, where the file holds them: in quotes, on several lines or in a block too. The
        whole value where escapes, doubled quotes or an alias stand between the text and the file."""
        line, column, end_line, end_column = mark = self._mark(path, key=False)
        text = self.value(path)
        rows = self.source.split("\n")[line : end_line + 1]
        first = rows[0][column : column + 1] if rows else ""
        if not isinstance(text, str) or not first or first in "*&!":
            return self._span(mark)
        if first in "\"'":
            column, end_column = column + 1, end_column - 1
        elif first in "|>":
            line, column, rows = line + 1, 0, rows[1:]
        if line == end_line and rows and rows[0][column:end_column] == text:
            start, end = min(start, len(text)), min(max(start, end), len(text))
            return self._span((line, column + start, line, column + end))
        found = _signs(rows, line, column, end_column)
        escaped = first == '"' and any("\\" in row for row in rows)
        if escaped or len(found) != _count(text):
            return self._span(mark)
        before, inner = _count(text[:start]), _count(text[start:end])
        if not inner:
            at = found[before] if before < len(found) else (end_line, end_column)
            return self._span((*at, *at))
        last_line, last_column = found[before + inner - 1]
        return self._span((*found[before], last_line, last_column + 1))

    def _mark(self, path: Path, *, key: bool) -> Mark:
        place = self.places
        mark: Mark = _mark_of(place)
        for step in path:
            if _is_scalar(place):
                return mark
            children = place[1]
            if isinstance(children, dict):
                if step not in children:
                    return mark
                key_mark, place = children[step]
                mark = key_mark if key else _mark_of(place)
            elif isinstance(step, int) and 0 <= step < len(children):
                place = children[step]
                mark = _mark_of(place)
            else:
                return mark
        return mark

    def place(self, path: Path) -> Place | None:
        """The places of what stands at a path; None where it leads nowhere."""
        place = self.places
        for step in path:
            children = () if _is_scalar(place) else place[1]
            if isinstance(children, dict) and step in children:
                place = children[step][1]
            elif isinstance(children, list) and isinstance(step, int) and step < len(children):
                place = children[step]
            else:
                return None
        return place

    def value(self, path: Path) -> Value:
        """What stands at a path; None where it leads nowhere."""
        value: Value = self.data
        for step in path:
            if isinstance(value, str):
                return None
            try:
                value = value[step]
            except (KeyError, IndexError, TypeError):
                return None
        return value

    def _span(self, mark: Mark) -> Span:
        line, column, end_line, end_column = mark
        return Span(self.file, line + 1, column + 1, end_line + 1, end_column + 1)


class Rows:
    """The rows of files, each cut once for as long as it is one of the last few that were asked for."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Document, list[str]]] = {}

    def of(self, document: Document, span: Span) -> list[str]:
        """The rows of a file that a stretch of it is in."""
        known = self._known.get(id(document))
        if known is None:
            if len(self._known) >= FEW_FILES:
                del self._known[next(iter(self._known))]
            known = self._known[id(document)] = document, document.source.split("\n")
        return known[1][span.line - 1 : span.end_line]


def _count(text: str) -> int:
    """How many characters that are no blanks a text has: folding changes only blanks."""
    return sum(character not in _BLANKS for character in text)


def _signs(rows: list[str], line: int, column: int, end_column: int) -> list[tuple[int, int]]:
    """The places of the characters that are no blanks, from a column of the first line to one of the last."""
    found = []
    for index, row in enumerate(rows):
        first = column if index == 0 else 0
        last = end_column if index == len(rows) - 1 else len(row)
        found += [(line + index, at) for at in range(first, last) if row[at] not in _BLANKS]
    return found


def _is_scalar(place: Place) -> bool:
    return isinstance(place[0], int)


def _mark_of(place: Place) -> Mark:
    mark: Mark = place if _is_scalar(place) else place[0]
    return mark
