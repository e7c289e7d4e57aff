"""Patches and copies as typed: each a list of lines, a word and a path with what stands beside it (part of amend).

What does not have the form that it should have is left out here; `check` tells it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from seasons_build.core import vocabulary
from seasons_build.core.document import Document, Value
from seasons_build.core.named import NamedTuple
from seasons_build.core.span import Path, Span

PATCH = "patch"
REMOVE, EXTEND = "remove", "extend"


class Line(NamedTuple):
    """One change, or one expectation."""

    pack: str
    word: str
    path: str
    value: Value
    document: Document
    place: Path

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.document.key_span(self.place)

    @property
    def steps(self) -> tuple[str, ...]:
        """The path, taken apart."""
        return tuple(self.path.split("."))

    @property
    def order(self) -> tuple[int, int, str, str, str]:
        """The one order in which changes are made, wherever they stand: by word, then what is above before what is in it."""
        return vocabulary.CHANGES.index(self.word), len(self.steps), self.path, self.pack, _plainly(self.value)


class Patch(NamedTuple):
    """What one pack changes in one entry, from one file."""

    pack: str
    document: Document
    reference: str
    data: Mapping[str, Value]

    @property
    def base(self) -> Path:
        """Where it stands."""
        return PATCH, self.reference

    @property
    def order(self) -> tuple[str, str]:
        """An order that no name of a file has a part in."""
        return self.pack, _plainly(self.data)


def patches_of(pack: str, document: Document) -> Iterator[Patch]:
    """The patches of a file."""
    typed = document.data.get(PATCH)
    for reference, data in typed.items() if isinstance(typed, Mapping) else ():
        if isinstance(data, Mapping):
            yield Patch(pack, document, reference, data)


def lines_of(
    pack: str, document: Document, base: Path, data: Mapping[str, Value], words: tuple[str, ...] = vocabulary.CHANGES
) -> Iterator[Line]:
    """The lines that stand in a patch, or in an entry that is like another, under some words."""
    for word in words:
        typed = data.get(word)
        if word == REMOVE:
            for place, path in enumerate(typed) if isinstance(typed, list) else ():
                if isinstance(path, str):
                    yield Line(pack, word, path, None, document, (*base, word, place))
        else:
            for path, value in typed.items() if isinstance(typed, Mapping) else ():
                if word != EXTEND or isinstance(value, list):
                    yield Line(pack, word, path, value, document, (*base, word, path))


def _plainly(value: Value) -> str:
    """A value as a text to sort by: the same whatever order its keys were typed in."""
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{key}:{_plainly(inner)}" for key, inner in sorted(value.items())) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_plainly, value)) + "]"
    return f"{type(value).__name__} {value}"
