"""Which entries a product takes, and in what order (part of compose)."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.entry import Entry, Library
from seasons_build.core.names import did_you_mean


def matches(entry: Entry, pattern: str) -> bool:
    """Whether a pattern of the command line means an entry: `id`, `kind/id` or `pack:kind/id`, with `*` and `?`."""
    names = (entry.id, f"{entry.kind}/{entry.id}", str(entry))
    return any(fnmatch.fnmatchcase(name, pattern) for name in names)


def by_name(entry: Entry) -> tuple[str, str]:
    """The order where nothing else is said: name, then id."""
    return entry.name.casefold(), entry.id


def by_fields(entry: Entry, product: Entry, library: Library) -> tuple[tuple[int, Any], ...]:
    """The order that a product asks for: by fields, numbers before words, a reference by its name."""
    order = product.data.get("order")
    keys: list[tuple[int, Any]] = []
    for name in order if isinstance(order, list) else ():
        value = entry.data.get(str(name))
        target = library.targets[entry.key].get((str(name),))
        if target is not None:
            value = library.entries[target].name
        keys.append((0, value) if isinstance(value, int | Fraction) else (1, str(value or "").casefold()))
    return tuple(keys)


def unmet(patterns: tuple[str, ...], library: Library) -> Iterator[Diagnostic]:
    """A diagnostic for each pattern that no entry meets."""
    for pattern in patterns:
        if not any(matches(entry, pattern) for entry in library.entries.values()):
            hints = did_you_mean(pattern, [e.id for e in library.entries.values()])
            yield Diagnostic("E704", f"no entry is called `{pattern}`", None, hints)
