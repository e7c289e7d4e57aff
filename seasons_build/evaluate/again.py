"""What of an evaluation still holds after a change (part of evaluate).

In: the library before and now, and what was read for each entry. Out: the entries of which what was made is still the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.entry import Entry, Key, Library
from seasons_build.core.reading import Read, unchanged
from seasons_build.core.sheet import Sheet
from seasons_build.language.chapter import LONG
from seasons_build.language.phrases import Lines


@dataclass(frozen=True, slots=True)
class Made:
    """What was made of one entry, what was found in it, and what was read for it."""

    sheet: Sheet | None
    lines: Lines | None
    found: tuple[Diagnostic, ...]
    reads: frozenset[Read]


Long: TypeAlias = tuple[Mapping[Key, Sheet], tuple[Diagnostic, ...]]
"""The sheets with long texts of a pack, and what was found in them."""


@dataclass(frozen=True, slots=True)
class Memory:
    """An evaluation, to be gone on from: its library, and by pack what was made of each entry, and the sheets with long texts, which may
    read every other sheet, with what was found in them. A pack of which something is unknown or whose rules are faulty is not in it."""

    library: Library
    made: Mapping[str, Mapping[Key, Made]] = field(default_factory=dict)
    long: Mapping[str, Long] = field(default_factory=dict)


def still_good(memory: Memory | None, library: Library) -> Mapping[str, Mapping[Key, Made]]:
    """By pack, what still holds of what was made of its entries; a pack of which nothing may be kept is left out."""
    holds = unchanged(memory.library, library) if memory is not None else None
    if memory is None or holds is None:
        return {}
    return {pack: {key: one for key, one in made.items() if all(map(holds, one.reads))} for pack, made in memory.made.items()}


def has_long_text(entry: Entry) -> bool:
    """Whether an entry has a text that is filled in once all sheets are there."""
    return any(prose.role == LONG for prose in entry.announced.prose)
