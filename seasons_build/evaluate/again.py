"""What of an evaluation still holds after a change (part of evaluate).

In: the library before and now, and what was read for each entry. Out: the entries of which what was made is still the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.entry import Entry, Key, Library
from seasons_build.core.reading import Read, unchanged
from seasons_build.core.sheet import Sheet
from seasons_build.core.span import Path
from seasons_build.language.chapter import LONG
from seasons_build.language.phrases import Lines

SHEETS, LINES = "of-sheets", "of-lines"


class Made(NamedTuple):
    """What was made of one entry, what was found in it, and what was read for it."""

    sheet: Sheet | None
    lines: Lines | None
    found: tuple[Diagnostic, ...]
    reads: frozenset[Read]


class Filled(NamedTuple):
    """Long texts with their values. They are not whole where something is wrong with them, or with what they read."""

    texts: Mapping[Path, str]
    found: tuple[Diagnostic, ...]
    whole: bool

    def on(self, sheet: Sheet) -> Sheet:
        """The sheet of the entry, with them."""
        return sheet._replace(texts={**sheet.texts, **self.texts}, whole=sheet.whole and self.whole)


class Long(NamedTuple):
    """What was made of one entry with long texts, which may read all other sheets: its sheet, what was found, and what was read for it."""

    sheet: Sheet | None
    found: tuple[Diagnostic, ...]
    reads: frozenset[Read]


@dataclass(frozen=True, slots=True)
class Memory:
    """An evaluation, to be gone on from: its library, by pack what was made of each entry, and what was made of those with long texts. A
    pack of which something is unknown or whose rules are faulty is not in it."""

    library: Library
    made: Mapping[str, Mapping[Key, Made]] = field(default_factory=dict)
    long: Mapping[Key, Long] = field(default_factory=dict)


class Still:
    """What still holds of an evaluation before: `good` has, by pack, what was made of its entries; a pack of which nothing may be kept is
    left out."""

    def __init__(self, memory: Memory | None, library: Library) -> None:
        self._memory = memory or Memory(library)
        self._holds = unchanged(memory.library, library) if memory is not None else None
        self.good: Mapping[str, Mapping[Key, Made]] = {}
        if self._holds is not None:
            kept = self._memory.made.items()
            self.good = {pack: {key: one for key, one in made.items() if all(map(self._holds, one.reads))} for pack, made in kept}

    def long(self, key: Key, made: Mapping[Key, Made]) -> Long | None:
        """What was made of an entry with long texts, where that still holds beside what is `made` of all entries now."""
        known, before = self._memory.long.get(key), self._memory.made
        if known is None or self._holds is None:
            return None

        def same(read: Read) -> bool:
            part, of = read
            if part not in (SHEETS, LINES):
                return self._holds is not None and self._holds(read)
            if of is None or (of in self._memory.long and of != key):
                return False
            old, new = before.get(of[0], {}).get(of), made.get(of)
            if old is None or new is None:
                return old is new
            return old.sheet is new.sheet if part == SHEETS else old.lines is new.lines

        return known if all(map(same, known.reads)) and same((SHEETS, key)) else None


def has_long_text(entry: Entry) -> bool:
    """Whether an entry has a text that is filled in once all sheets are there."""
    return any(prose.role == LONG for prose in entry.announced.prose)
