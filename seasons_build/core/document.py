"""A parsed file: plain data, and beside it the place of every key and value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from seasons_build.core.span import Path, Span

Value: TypeAlias = Any
"""Plain data: None, bool, int, Fraction (a decimal, exact), str, list of Value, dict of str to Value. Nobody mutates it."""

Number: TypeAlias = int | Fraction

Mark: TypeAlias = tuple[int, int, int, int]
"""Line, column, end line, end column, from 0; the end is just past the last character."""

Place: TypeAlias = Any
"""The shadow of a value. Of text or a number: its Mark. Of a map: (Mark, {key: (Mark of the key, Place)}). Of a list: (Mark, [Place])."""


@dataclass(frozen=True, slots=True)
class Document:
    """One file, parsed. `file` is the name shown to the author, with forward slashes; `source` is its text as read."""

    file: str
    source: str
    data: Mapping[str, Value]
    places: Place

    def span(self, path: Path = ()) -> Span:
        """The value at `path`; where the path leads nowhere, the nearest thing above it that exists."""
        return self._span(self._mark(path, key=False))

    def key_span(self, path: Path) -> Span:
        """The key that the last step of `path` names; in a list, the item."""
        return self._span(self._mark(path, key=True))

    def inside(self, path: Path, start: int, end: int) -> Span:
        """Characters `start` to `end` of the text at `path`, as exactly as its quoting allows: exact for text on one line without
        escapes, the whole value for anything else."""
        line, column, end_line, end_column = mark = self._mark(path, key=False)
        raw = self.source.split("\n")[line] if self.source else ""
        first = raw[column : column + 1]
        if line != end_line or first in ("|", ">"):
            return self._span(mark)
        shift = 1 if first in ("'", '"') else 0
        text = raw[column + shift : end_column - shift]
        if shift and (("''" in text) if first == "'" else ("\\" in text)):
            return self._span(mark)
        start, end = min(start, len(text)), min(end, len(text))
        return Span(self.file, line + 1, column + shift + start + 1, line + 1, column + shift + max(end, start) + 1)

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
            elif isinstance(step, int) and step < len(children):
                place = children[step]
                mark = _mark_of(place)
            else:
                return mark
        return mark

    def _span(self, mark: Mark) -> Span:
        line, column, end_line, end_column = mark
        return Span(self.file, line + 1, column + 1, end_line + 1, end_column + 1)


def _is_scalar(place: Place) -> bool:
    return isinstance(place[0], int)


def _mark_of(place: Place) -> Mark:
    mark: Mark = place if _is_scalar(place) else place[0]
    return mark
