"""Which entries a product takes, and in what order (part of compose)."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Value
from seasons_build.core.entry import Entry, Library
from seasons_build.core.names import did_you_mean


def matches(entry: Entry, pattern: str) -> bool:
    """Whether a pattern of the command line means an entry: `id`, `kind/id` or `pack:kind/id`, with `*` and `?`."""
    names = (entry.id, f"{entry.kind}/{entry.id}", str(entry))
    return any(fnmatch.fnmatchcase(name, pattern) for name in names)


def by_name(entry: Entry) -> tuple[str, str]:
    """The order where nothing else is said: name, then id."""
    return entry.name.casefold(), entry.id


class Orderer:
    """Puts entries in the order that a product asks for: by fields, numbers before words, a reference by its name."""

    def __init__(self, product: Entry, library: Library) -> None:
        order = product.data.get("order")
        self._fields = tuple(map(str, order)) if isinstance(order, list) else ()
        self._library = library
        self._names: dict[tuple[str, str, str, str], str] = {}

    def key(self, entry: Entry) -> tuple[tuple[int, Any], ...]:
        """By what an entry is put in order."""
        values = [self._value(entry, name) for name in self._fields]
        return tuple([(0, value) if isinstance(value, int | Fraction) else (1, str(value or "").casefold()) for value in values])

    def _value(self, entry: Entry, name: str) -> Value:
        value = entry.data.get(name)
        if not isinstance(value, str):
            return value
        if entry.brought:
            return self._named(entry, name, value)
        # In one field of one kind of one pack, a text means the same wherever it stands.
        place = entry.pack, entry.kind, name, value
        if place not in self._names:
            self._names[place] = self._named(entry, name, value)
        return self._names[place]

    def _named(self, entry: Entry, name: str, value: str) -> str:
        target = self._library.targets[entry.key].get((name,))
        return value if target is None else self._library.entries[target].name


def unmet(patterns: tuple[str, ...], library: Library) -> Iterator[Diagnostic]:
    """A diagnostic for each pattern that no entry meets."""
    for pattern in patterns:
        if not any(matches(entry, pattern) for entry in library.entries.values()):
            hints = did_you_mean(pattern, [e.id for e in library.entries.values()])
            yield Diagnostic("E704", f"no entry is called `{pattern}`", None, hints)
