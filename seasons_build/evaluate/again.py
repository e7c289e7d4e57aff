"""What of an evaluation still holds after a change (part of evaluate).

In: the library before and now, and what was read for each entry. Out: the entries of which what was made is still the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Number
from seasons_build.core.entry import Entry, Key, Library
from seasons_build.core.named import NamedTuple
from seasons_build.core.reading import ENTRIES, LINES, SHEETS, TARGETS, Read, Tracing, unchanged
from seasons_build.core.record import dataclass, field
from seasons_build.core.sheet import Sheet
from seasons_build.core.span import Path
from seasons_build.language.chapter import LONG
from seasons_build.language.phrases import Lines


class Made(NamedTuple):
    """What was made of one entry, what was found in it, and what was read for it."""

    sheet: Sheet | None
    lines: Lines | None
    found: tuple[Diagnostic, ...]
    reads: frozenset[Read]


class Carried(NamedTuple):
    """What is known of an entry that an earlier program worked out, and of which all holds: whether it has a sheet, whether that is whole,
    whether it has lines, and what was told of it and of its long texts. What they are is worked out when it is asked for."""

    sheet: bool
    whole: bool
    lines: bool
    found: tuple[Diagnostic, ...] = ()
    found_in_long: tuple[Diagnostic, ...] = ()


class Filled(NamedTuple):
    """Long texts with their values. They are not whole where something is wrong with them, or with what they read."""

    texts: Mapping[Path, str]
    found: tuple[Diagnostic, ...]
    whole: bool

    def on(self, sheet: Sheet) -> Sheet:
        """The sheet of the entry, with them."""
        return sheet._replace(texts={**sheet.texts, **self.texts}, whole=sheet.whole and self.whole)


Order: TypeAlias = tuple[int, Number | str]
"""A part of what puts entries in order: of which sort it is, then itself."""


class Row(NamedTuple):
    """What a line of a long text brings in of one entry: whether anything, where in the order, and in which words."""

    held: bool
    order: tuple[Order, ...] = ()
    said: str = ""


class KnownRow(NamedTuple):
    """A row, and what of other entries was read for it."""

    row: Row
    reads: frozenset[Read]


Line: TypeAlias = Mapping[Key, KnownRow]
"""What a line of a long text brings in, by entry."""

RowsOf: TypeAlias = Mapping[Key, Mapping[str, Line]]
"""What long texts bring in, by the entry that has the text, and by line."""

LineKnown: TypeAlias = Callable[[Key, str], Line]
"""Gives the rows of a line of an entry's long texts of which all holds."""


class Rows:
    """What long texts bring in of entries. `known` gives what was made before, `tracing` writes down what is read for new rows. `sound`
    has those that were asked for and with which all is well."""

    def __init__(self, tracing: Tracing | None = None, known: LineKnown = lambda of, line: {}) -> None:
        self._tracing = tracing
        self._known = known
        self.sound: dict[Key, dict[str, Line]] = {}

    def of_line(
        self, of: Key, line: str, entries: Sequence[Entry], make: Callable[[Entry], Row], trouble: Callable[[], object]
    ) -> list[tuple[Entry, Row]]:
        """The rows of a line, for entries whose sheets have been asked for. While `make` makes one, `trouble` becomes another where
        something is wrong: such a row is not kept."""
        if self._tracing is None:
            return [(entry, make(entry)) for entry in entries]
        known = self._known(of, line)
        rows: dict[Key, KnownRow] = {}
        self.sound.setdefault(of, {})[line] = rows
        made: list[tuple[Entry, Row]] = []
        for entry in entries:
            found = known.get(entry.key)
            if found is None:
                before = trouble()
                row, reads = self._tracing.during(partial(make, entry))
                found = KnownRow(row, reads - of_one(entry.key))
                if trouble() == before:
                    rows[entry.key] = found
            else:
                rows[entry.key] = found
            made.append((entry, found.row))
        for reads in {found.reads for found in rows.values()}:
            self._tracing.note(*reads)
        return made


def of_one(key: Key) -> frozenset[Read]:
    """All that may be read of an entry: of what is made of it, this goes without saying."""
    return frozenset(((ENTRIES, key), (TARGETS, key), (SHEETS, key), (LINES, key)))


class Long(NamedTuple):
    """What was made of one entry with long texts, which may read all other sheets: its sheet, what was found, and what was read for it."""

    sheet: Sheet | None
    found: tuple[Diagnostic, ...]
    reads: frozenset[Read]


@dataclass(frozen=True, slots=True)
class Memory:
    """An evaluation, to be gone on from: its library, by pack what was made of each entry, what was made of those with long texts, and
    what these brought in of others. A pack of which something is unknown or whose rules are faulty is not in it."""

    library: Library
    made: Mapping[str, Mapping[Key, Made]] = field(default_factory=dict)
    long: Mapping[Key, Long] = field(default_factory=dict)
    rows: RowsOf = field(default_factory=dict)


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
        known = self._memory.long.get(key)
        held = known is not None and self._all_same((*known.reads, (SHEETS, key)), key, made)
        return known if held else None

    def line(self, of: Key, line: str, made: Mapping[Key, Made]) -> Line:
        """The rows of a line of an entry's long texts that still hold."""
        known = self._memory.rows.get(of, {}).get(line, {})
        good = {reads: self._all_same(reads, of, made) for reads in {row.reads for row in known.values()}}
        return {key: row for key, row in known.items() if good[row.reads] and self._all_same(of_one(key), of, made)}

    def _all_same(self, reads: Iterable[Read], reader: Key, made: Mapping[Key, Made]) -> bool:
        """Whether all that the long texts of an entry read is the same."""
        holds, before = self._holds, self._memory.made
        if holds is None:
            return False

        def same(read: Read) -> bool:
            part, of = read
            if part not in (SHEETS, LINES):
                return holds(read)
            if of is None or (of in self._memory.long and of != reader):
                return False
            old, new = before.get(of[0], {}).get(of), made.get(of)
            if old is None or new is None:
                return old is new
            return old.sheet is new.sheet if part == SHEETS else old.lines is new.lines

        return all(map(same, reads))

    def rows_of(self, key: Key) -> Mapping[str, Line]:
        """All rows of an entry's long texts, by line."""
        return self._memory.rows.get(key, {})


class Left(NamedTuple):
    """What an earlier program left of its evaluation, as far as all of it holds: of which entries, and which rows of long texts."""

    entries: Mapping[Key, Carried]
    line: LineKnown


def has_long_text(entry: Entry) -> bool:
    """Whether an entry has a text that is filled in once all sheets are there."""
    return any(prose.role == LONG for prose in entry.announced.prose)
