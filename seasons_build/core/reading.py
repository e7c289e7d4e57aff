"""What was read of a library, and whether it is still the same after a change: how work is gone on from instead of done again.

Nothing is guessed. Work on one entry reads others through the library alone; what it reads there is written down while it works. Where
rules, kinds, packs, or what entries there are and what they are called have changed, nothing holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

from seasons_build.core.document import Document, Rows
from seasons_build.core.entry import Entry, Key, Library, Noun, Rules, Site
from seasons_build.core.span import Path

K = TypeVar("K")
V = TypeVar("V")

Read: TypeAlias = tuple[str, Any]
"""Something that was read: the part of the library, and under which key; None where all of it may have been."""

ENTRIES, TARGETS, GROUPS = "entries", "targets", "by_kind"
SHEETS, LINES = "of-sheets", "of-lines"
"""What was worked out of entries, which is no part of the library and read in the same way."""


class Tracing:
    """A library that writes down what is read of it."""

    def __init__(self, library: Library) -> None:
        self._reads: set[Read] = set()
        self.library = replace(
            library,
            entries=self.table(ENTRIES, library.entries),
            targets=self.table(TARGETS, library.targets),
            by_kind=self.table(GROUPS, library.by_kind),
        )

    def table(self, name: str, real: Mapping[K, V]) -> Mapping[K, V]:
        """A table of which is written down what is read."""
        return _Traced(name, real, self)

    def note(self, *reads: Read) -> None:
        """Something is read."""
        self._reads.update(reads)

    def during(self, make: Callable[[], V]) -> tuple[V, frozenset[Read]]:
        """What is made, and what was read for it."""
        outer, self._reads = self._reads, set()
        try:
            return make(), frozenset(self._reads)
        finally:
            self._reads = outer

    def begin(self) -> None:
        """Forgets what was read so far."""
        self._reads = set()

    def reads(self, entry: Entry) -> frozenset[Read]:
        """What was read since the beginning, and the entry itself."""
        return frozenset({*self._reads, (ENTRIES, entry.key), (TARGETS, entry.key)})


class _Traced(Mapping[K, V]):
    """A table of the library: reading under a key notes the key, going through it notes that all was read."""

    def __init__(self, name: str, real: Mapping[K, V], tracing: Tracing) -> None:
        self._name = name
        self._real = real
        self._tracing = tracing

    def __getitem__(self, key: K) -> V:
        self._tracing.note((self._name, key))
        return self._real[key]

    def __contains__(self, key: object) -> bool:
        self._tracing.note((self._name, key))
        return key in self._real

    def __iter__(self) -> Iterator[K]:
        self._tracing.note((self._name, None))
        return iter(self._real)

    def __len__(self) -> int:
        self._tracing.note((self._name, None))
        return len(self._real)


_FRAME = tuple(part.name for part in fields(Library) if part.name not in (ENTRIES, TARGETS, GROUPS, "rules", "cases"))
"""The parts of a library that are compared as a whole."""


@lru_cache(maxsize=1)
def changed(before: Library, now: Library) -> frozenset[Read] | None:
    """All that may have been read and is no longer the same; None where nothing holds. Each stage of a round asks it of the same two
    libraries."""
    if not _same_frame(before, now):
        return None
    entries = _changed(_Held(before.entries), _Held(now.entries))
    found: set[Read] = {(ENTRIES, key) for key in entries} | {(GROUPS, key[:2]) for key in entries}
    found |= {(TARGETS, key) for key in (*before.targets, *now.targets) if before.targets.get(key) != now.targets.get(key)}
    found |= {(part, None) for part in (ENTRIES, TARGETS, GROUPS) if entries}
    return frozenset(found)


class _Held:
    """A map of entries, which is the same as no other."""

    def __init__(self, entries: Mapping[Key, Entry]) -> None:
        self.entries = entries

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and other.entries is self.entries

    def __hash__(self) -> int:
        return id(self.entries)


@lru_cache(maxsize=1)
def _changed(before: _Held, now: _Held) -> frozenset[Key]:
    """The entries that say something else, or elsewhere. A library that is linked has most often the very map that it had before."""
    same = _Same()
    return frozenset(key for key, entry in now.entries.items() if not same(before.entries[key], entry))


def _same_frame(before: Library, now: Library) -> bool:
    """Whether rules, kinds and packs are the same, and there are the same entries under the same names."""
    return (
        list(before.entries) == list(now.entries)
        and all(e is now.entries[k] or _called(e) == _called(now.entries[k]) for k, e in before.entries.items())
        and all(getattr(before, part) == getattr(now, part) for part in _FRAME)
        and before.rules.keys() == now.rules.keys()
        and all(_same_rules(before.rules[pack], now.rules[pack]) for pack in now.rules)
    )


def _called(entry: Entry) -> tuple[str, tuple[str, ...]]:
    """What others may know of an entry without reading it: its names."""
    return entry.name, entry.former


def _same_rules(before: Rules, now: Rules) -> bool:
    return before.keys() == now.keys() and all(
        list(before[noun]) == list(now[noun]) and all(_same_noun(before[noun][name], now[noun][name]) for name in now[noun]) for noun in now
    )


def _same_noun(before: Noun, now: Noun) -> bool:
    return before.document is now.document and before.pack == now.pack and before.data == now.data


class _Same:
    """Says of an entry before and now whether it says the same at the same place."""

    def __init__(self) -> None:
        self._rows = Rows()

    def __call__(self, before: Entry, now: Entry) -> bool:
        if before is now:
            return True
        return (
            before.data == now.data
            and before.broken == now.broken
            and before.announced == now.announced
            and before.origins == now.origins
            and before.place == now.place
            and before.like == now.like
            and before.changes == now.changes
            and self._brought(before.brought, now.brought)
            and (before.document is now.document or self._place(before.document, now.document, now.base))
        )

    def _brought(self, before: Mapping[Path, Site], now: Mapping[Path, Site]) -> bool:
        """Whether the same was brought from the same places."""
        return before.keys() == now.keys() and all(
            path == now[key][1] and (document is now[key][0] or self._place(document, now[key][0], path))
            for key, (document, path) in before.items()
        )

    def _place(self, before: Document, now: Document, base: Path) -> bool:
        """Whether what stands at a path of two documents stands at the same place, letter by letter."""
        place = before.place(base)
        if place is not None and place is now.place(base):
            return before.file == now.file  # it was taken over with what stands there
        if before.file != now.file or before.key_span(base) != now.key_span(base):
            return False
        one, other = before.span(base), now.span(base)
        if one != other or not _alike(before.place(base), now.place(base)):
            return False
        return self._rows.of(before, one) == self._rows.of(now, one)


def _alike(before: Any, now: Any) -> bool:
    """Whether two places are the same, be they as parsed or as they were kept, which makes lists of what were none."""
    if before == now:
        return True
    if isinstance(before, dict):
        return isinstance(now, dict) and before.keys() == now.keys() and all(_alike(place, now[key]) for key, place in before.items())
    if isinstance(before, list | tuple):
        return isinstance(now, list | tuple) and len(before) == len(now) and all(map(_alike, before, now))
    return False
