"""What of an evaluation still holds after a change (part of evaluate).

In: the library before and now, and what was read for each entry. Out: the entries of which what was made is still the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from functools import partial
from typing import TypeAlias

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Number
from seasons_build.core.entry import Entry, Key, Library
from seasons_build.core.named import NamedTuple
from seasons_build.core.reading import ENTRIES, GROUPS, LINES, SHEETS, TARGETS, Read, Tracing, changed
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
        self._changed = changed(memory.library, library) if memory is not None else None
        self._seen: tuple[frozenset[Read], frozenset[Key]] | None = None
        self.good: Mapping[str, Mapping[Key, Made]] = {}
        if (other := self._changed) is not None:
            kept = self._memory.made.items()
            self.good = {pack: {key: one for key, one in made.items() if other.isdisjoint(one.reads)} for pack, made in kept}

    def long(self, key: Key, made: Mapping[Key, Made]) -> Long | None:
        """What was made of an entry with long texts, where that still holds beside what is `made` of all entries now."""
        known = self._memory.long.get(key)
        held = known is not None and self._all_same({*known.reads, (SHEETS, key)}, key, made)
        return known if held else None

    def line(self, of: Key, line: str, made: Mapping[Key, Made]) -> Line:
        """The rows of a line of an entry's long texts that still hold."""
        known = self._memory.rows.get(of, {}).get(line, {})
        if self._changed is None or not known:
            return {}
        good = {reads: self._all_same(reads, of, made) for reads in {row.reads for row in known.values()}}
        others, long = self._other(made)[1], self._memory.long
        return {key: row for key, row in known.items() if good[row.reads] and key not in others and (key not in long or key == of)}

    def _all_same(self, reads: Set[Read], reader: Key, made: Mapping[Key, Made]) -> bool:
        """Whether all that the long texts of an entry read is the same; of those of others that is not known."""
        if self._changed is None or not reads.isdisjoint(self._other(made)[0]):
            return False
        return reads.isdisjoint((part, key) for key in self._memory.long if key != reader for part in (SHEETS, LINES))

    def _other(self, made: Mapping[Key, Made]) -> tuple[frozenset[Read], frozenset[Key]]:
        """What long texts may have read that is another beside what is `made` of all entries now, and the entries of which something is."""
        if self._seen is None:
            old = {key: one for of in self._memory.made.values() for key, one in of.items()}
            assert self._changed is not None, "what holds is known"
            found = set(self._changed)
            for key in dict.fromkeys((*old, *made)):
                one, other = old.get(key), made.get(key)
                if one is None or other is None or one.sheet is not other.sheet:
                    found.add((SHEETS, key))
                if one is None or other is None or one.lines is not other.lines:
                    found.add((LINES, key))
            found |= {(SHEETS, None), (LINES, None)}
            keyed = frozenset(key for part, key in found if part != GROUPS and key is not None)
            self._seen = frozenset(found), keyed
        return self._seen

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
