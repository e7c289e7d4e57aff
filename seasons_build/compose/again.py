"""What templates were shown of entries, to be shown again where nothing that was read for it has changed (part of compose).

In: what a preview composes, time after time. Out: the same plans as from nothing, made of the same faces where those are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar, cast

from seasons_build.core.entry import Key, Library
from seasons_build.core.job import Typeset
from seasons_build.core.reading import ENTRIES, LINES, SHEETS, TARGETS, Read, Tracing, changed
from seasons_build.core.record import dataclass
from seasons_build.core.sheet import EMPTY, Sheet
from seasons_build.language.phrases import Lines

T = TypeVar("T")

CARD = "card"
"""What goes by this name is the card of an entry, as it is planned."""


@dataclass(frozen=True, slots=True)
class _Noted:
    """Something that was made, of what, and what was read for it."""

    value: Any
    given: tuple[Any, ...]
    reads: frozenset[Read]


class Notes:
    """What was made the last time, for whoever composes again and again."""

    def __init__(self) -> None:
        self._tables: tuple[Library, Mapping[Key, Sheet], Mapping[Key, Lines]] | None = None
        self._around: tuple[Any, ...] = ()
        self._before: dict[tuple[Any, ...], _Noted] = {}
        self._now: dict[tuple[Any, ...], _Noted] = {}
        self._changed: frozenset[Read] = frozenset()
        self._tracing: Tracing | None = None
        self.known: Mapping[str, Mapping[Key, str]] = EMPTY
        """By deck and entry, the digests of cards that an earlier program has composed, for which all that was read is the same."""
        self.again: set[tuple[str, Key]] = set()
        """Of which of these somebody has asked."""
        self.books: Mapping[str, Typeset] = {}
        """What became of books the last time, by the digests of their jobs: to be looked at until they are bound again."""

    def begin(
        self, library: Library, sheets: Mapping[Key, Sheet], lines: Mapping[Key, Lines], *around: Any
    ) -> tuple[Library, Mapping[Key, Sheet], Mapping[Key, Lines]]:
        """A new time: gives the tables to read from. Where something of `around`, which all may depend on, is not as it was,
        nothing holds."""
        self._before, self._now = self._now, {}
        other = changed(self._tables[0], library) if self._tables is not None and self._around == around else None
        if self._tables is None or other is None:
            self._before = {}
        else:
            self._changed = other.union(_other(SHEETS, self._tables[1], sheets), _other(LINES, self._tables[2], lines))
        self._tables, self._around = (library, sheets, lines), around
        self._tracing = Tracing(library)
        return self._tracing.library, self._tracing.table(SHEETS, sheets), self._tracing.table(LINES, lines)

    def face(self, deck: str, of: Key) -> str | None:
        """The digest of the job of an entry's card in a deck, where it is known to be what it was."""
        known = self.known.get(deck, {}).get(of)
        if known is not None:
            self.again.add((deck, of))
        return known

    def cards(self) -> Iterator[tuple[str, Key, str, frozenset[Read]]]:
        """The cards that were composed this time: deck, entry, the digest of the job, and what was read for it. Of one that may go on on
        its back it is not known yet what becomes of it."""
        for (name, _, of, _), noted in self._now.items():
            if name == CARD and noted.value.rest is None:
                yield noted.given[0], of, noted.value.job.digest, noted.reads

    def made(self, name: str, pack: str, of: Key, given: tuple[Any, ...], make: Callable[[], T]) -> T:
        """What goes by a name in a pack and is made of an entry and of what is given: as it was, or made anew."""
        assert self._tracing is not None, "a time has begun"
        place = (name, pack, of, repr(given[0]))
        noted = self._before.get(place)
        if noted is None or noted.given != given or not self._changed.isdisjoint(noted.reads):
            value, reads = self._tracing.during(make)
            noted = _Noted(value, given, reads | {(ENTRIES, of), (TARGETS, of)})
        self._tracing.note(*noted.reads)
        self._now[place] = noted
        return cast(T, noted.value)


def _other(part: str, before: Mapping[Key, Any], now: Mapping[Key, Any]) -> Iterator[Read]:
    """What may have been read of a table and is another now: all but what was taken over."""
    other = [key for key in dict.fromkeys((*before, *now)) if before.get(key) is not now.get(key)]
    yield from ((part, key) for key in other)
    if other or list(before) != list(now):
        yield part, None
