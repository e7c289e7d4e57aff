"""What a build leaves for the next one that is asked for the same: what was read for each entry and each card, and what was said of them.

In: a project that is linked, and the store. Out: the entries of which all that an earlier build found out still holds, with what it told
of them, and the digests of cards that would be composed again as they were. Sheets and texts are not kept: they are worked out when
somebody asks for them.

Nothing is guessed. Whatever was read that is not an entry (rules, schemas, manifests, themes), what entries there are and what they are
called, the program and its tools: where any of it is another, nothing holds. Of the entries it is written down which of them were read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from hashlib import sha256
from typing import Any, NamedTuple

from seasons_build.compose import Notes
from seasons_build.core.diagnostic import Diagnostic, Trace
from seasons_build.core.entry import Entry, Key, Library
from seasons_build.core.fingerprint import Fingerprints
from seasons_build.core.reading import ENTRIES, GROUPS, LINES, SHEETS, TARGETS, Read
from seasons_build.core.span import Span
from seasons_build.evaluate import Carried, KnownRow, Left, Memory, Row, RowPlace, RowsOf
from seasons_build.sources import Sources
from seasons_build.store import Store

ROOM = "journals"


class _Known(NamedTuple):
    """One thing that an earlier build found out, and what it read for it."""

    reads: frozenset[Read]
    value: Any


class _Journal(NamedTuple):
    """A journal as it is kept. `frame` and `printing` stand for all that is no entry, when entries were worked out and when cards were
    composed; `files` has the digests of files of entries, `entries` the fingerprint of each entry, and whether it is by itself."""

    program: str
    frame: str
    printing: str
    files: Mapping[str, str]
    entries: Mapping[Key, tuple[str, bool]]
    worked: Mapping[Key, _Known]
    rows: RowsOf
    cards: Mapping[tuple[str, Key], _Known]


class Journal:
    """What is known of a build that was asked for as this one is. `program` stands for our own program and its tools: what another one left
    does not hold, and nothing does where it is empty."""

    def __init__(self, store: Store, kind: str, program: str) -> None:
        self._store = store
        self._kind = kind
        self._before = _read(store, kind, program) if program else None
        self._fingerprints = Fingerprints()
        self._frame = ""
        self._printing = ""
        self._waiting: frozenset[str] = frozenset()
        self._reading: _Holding
        self._same: dict[Key, str] = {}
        self._worked: dict[Key, _Known] = {}
        self._cards: dict[tuple[str, Key], _Known] = {}

    def left(self, library: Library, sources: Sources, waiting: frozenset[str]) -> Left:
        """What still holds of how entries were worked out. Packs that are `waiting` are in no journal."""
        self._waiting = waiting
        self._frame = self._frame_of(library, sources)
        if self._before is None or self._before.frame != self._frame:
            return Left({}, lambda of, place: None)
        self._same = dict(self._unchanged(library, sources))
        changed = frozenset(key for key in library.entries if key[0] not in waiting and key not in self._same)
        apart = {key for key, known in self._before.worked.items() if any(part in (SHEETS, LINES) for part, _ in known.reads)}
        plain = _Holding(library, changed, waiting, {})
        self._worked = {key: known for key, known in self._before.worked.items() if key not in apart and plain.all(known.reads)}
        # Texts that read the sheets of other entries hold where those do.
        self._reading = _Holding(library, changed, waiting, dict(self._worked))
        self._worked |= {key: known for key in apart if self._reading.all((known := self._before.worked[key]).reads - _own(key))}
        return Left({key: known.value for key, known in self._worked.items()}, self._row)

    def _row(self, of: Key, place: RowPlace) -> KnownRow | None:
        """A row of an entry's long texts, where all that was read for it is as it was."""
        row = self._before.rows.get(of, {}).get(place) if self._before is not None else None
        return row if row is not None and self._reading.all(row.reads) else None

    def cards(self, library: Library, sources: Sources) -> Mapping[str, Mapping[Key, str]]:
        """By deck and entry, the digests of the jobs of cards for which everything is as it was."""
        self._printing = self._frame_of(library, sources)
        if self._before is None or self._before.printing != self._printing or not self._same:
            return {}
        changed = frozenset(key for key in library.entries if key[0] not in self._waiting and key not in self._same)
        holding = _Holding(library, changed, self._waiting, self._worked)
        self._cards = {place: known for place, known in self._before.cards.items() if holding.all(known.reads)}
        found: dict[str, dict[Key, str]] = {}
        for (deck, key), known in self._cards.items():
            found.setdefault(deck, {})[key] = known.value
        return found

    def keep(self, library: Library, sources: Sources, memory: Memory, notes: Notes, program: str) -> None:
        """Leaves what this build found out of entries, and of cards that were composed."""
        worked = {key: known for key, known in self._worked.items() if key[0] in memory.made}
        worked |= {key: known for pack in memory.made for key, known in _worked(memory, pack)}
        cards = {place: self._cards[place] for place in notes.again if place in self._cards}
        cards |= {(deck, key): _Known(reads, digest) for deck, key, digest, reads in notes.cards()}
        before = self._before.rows if self._before is not None else {}
        rows = {**{key: before[key] for key in self._worked if key in before}, **memory.rows}
        entries = {
            key: (self._same.get(key) or self._fingerprints.of(entry), _by_itself(entry))
            for key, entry in library.entries.items()
            if key[0] not in self._waiting
        }
        files = {name: sources.digests[name] for name in self._files(library)}
        _write(self._store, self._kind, _Journal(program, self._frame, self._printing, files, entries, worked, rows, cards))

    def _files(self, library: Library) -> list[str]:
        """The files in which entries stand and no rules, no cases and no changes to the entries of others alone."""
        of_entries = {entry.document.file for entry in library.entries.values() if entry.pack not in self._waiting}
        nouns = {noun.document.file for rules in library.rules.values() for ids in rules.values() for noun in ids.values()}
        return sorted(of_entries - nouns - {case.document.file for case in library.cases})

    def _frame_of(self, library: Library, sources: Sources) -> str:
        """Stands for all that was read so far but files of entries, and for what entries there are and how they are called."""
        files = self._files(library)
        apart = frozenset(files)
        read = sorted(pair for pair in sources.digests.items() if pair[0] not in apart)
        called = [(key, entry.name, entry.former) for key, entry in library.entries.items()]
        told = (sources.names(), read, files, called, list(library.packs), sorted(self._waiting))
        return sha256(repr(told).encode("utf-8", "surrogatepass")).hexdigest()

    def _unchanged(self, library: Library, sources: Sources) -> Iterator[tuple[Key, str]]:
        """The entries that say what they said where they said it, with their fingerprints."""
        assert self._before is not None, "there is a journal"
        files = {name for name, digest in self._before.files.items() if sources.digests.get(name) == digest}
        for key, (fingerprint, alone) in self._before.entries.items():
            entry = library.entries[key]
            untouched = alone and _by_itself(entry) and entry.document.file in files
            if untouched or self._fingerprints.of(entry) == fingerprint:
                yield key, fingerprint


class _Holding:
    """Says of what was read whether it is as it was: entries are where they have not changed, sheets where they were `worked` out."""

    def __init__(self, library: Library, changed: frozenset[Key], waiting: frozenset[str], worked: Mapping[Key, _Known]) -> None:
        self._library = library
        self._changed = changed
        self._groups = frozenset(key[:2] for key in changed)
        self._waiting = waiting
        self._worked = worked
        self._known: dict[Read, bool] = {}

    def all(self, reads: Iterable[Read]) -> bool:
        """Whether all of it is as it was."""
        return all(map(self._holds, reads))

    def _holds(self, read: Read) -> bool:
        known = self._known.get(read)
        if known is None:
            known = self._known[read] = self._looked_at(*read)
        return known

    def _looked_at(self, part: str, key: Any) -> bool:
        if key is None:
            return not self._changed and part not in (SHEETS, LINES)
        if part == GROUPS:
            return key not in self._groups
        if part in (ENTRIES, TARGETS):
            return key not in self._changed
        return key in self._worked or key[0] in self._waiting or key not in self._library.entries


def _own(key: Key) -> frozenset[Read]:
    return frozenset({(SHEETS, key), (LINES, key)})


def _by_itself(entry: Entry) -> bool:
    """Whether an entry is made of what its own file says, and of nothing else."""
    return entry.like is None and not entry.changes and not entry.brought


def _worked(memory: Memory, pack: str) -> Iterator[tuple[Key, _Known]]:
    """What became of the entries of a pack."""
    for key, made in memory.made[pack].items():
        long = memory.long.get(key)
        sheet, reads, found = (made.sheet, made.reads, ()) if long is None else (long.sheet, made.reads | long.reads, long.found)
        yield key, _Known(reads, Carried(sheet is not None, sheet is not None and sheet.whole, made.lines is not None, made.found, found))


# The form in which a journal is kept: what was read stands once, and so does each set of what was read.


def _write(store: Store, kind: str, journal: _Journal) -> None:
    keys = {key: number for number, key in enumerate(journal.entries)}
    things: dict[Read, int] = {}
    sets: dict[tuple[int, ...], int] = {}

    def numbered(reads: Iterable[Read]) -> int:
        found = tuple(sorted(things.setdefault(read, len(things)) for read in reads))
        return sets.setdefault(found, len(sets))

    worked = [(keys[key], numbered(known.reads - _itself(key)), _flat(known.value)) for key, known in journal.worked.items()]
    decks: dict[str, list[Any]] = {}
    for (deck, key), known in journal.cards.items():
        decks.setdefault(deck, []).append((keys[key], numbered(known.reads - _itself(key) - _own(key)), known.value))
    lines: dict[str, int] = {}
    rows = {
        keys[of]: [
            (lines.setdefault(line, len(lines)), keys[key], numbered(known.reads - _itself(key) - _own(key)), _packed(known.row))
            for (line, key), known in found.items()
        ]
        for of, found in journal.rows.items()
    }
    kept = {
        "program": journal.program,
        "frame": journal.frame,
        "printing": journal.printing,
        "digests": journal.files,
        "entries": [(*key, *about) for key, about in journal.entries.items()],
        "worked": worked,
        "decks": decks,
        "lines": list(lines),
        "rows": list(rows.items()),
        "things": list(things),
        "sets": list(sets),
    }
    store.put(ROOM, kind, kept)


def _read(store: Store, kind: str, program: str) -> _Journal | None:
    """The journal of builds of a kind; None where there is none, none of this program, or none of this form."""
    found = store.get(ROOM, kind)
    if found is None or found.header.get("program") != program:
        return None
    kept = found.header
    try:
        entries = {(pack, of, name): (fingerprint, alone) for pack, of, name, fingerprint, alone in kept["entries"]}
        keys = list(entries)
        things: list[Read] = [(part, None if key is None else tuple(key)) for part, key in kept["things"]]
        sets = [frozenset(things[number] for number in numbers) for numbers in kept["sets"]]
        worked = {keys[at]: _Known(sets[reads] | _itself(keys[at]), _carried(value)) for at, reads, value in kept["worked"]}
        cards = {
            (deck, keys[at]): _Known(sets[reads] | _itself(keys[at]) | _own(keys[at]), digest)
            for deck, rows in kept["decks"].items()
            for at, reads, digest in rows
        }
        lines = kept["lines"]
        rows = {
            keys[of]: {
                (lines[line], keys[at]): KnownRow(_unpacked(row), sets[reads] | _itself(keys[at]) | _own(keys[at]))
                for line, at, reads, row in found
            }
            for of, found in kept["rows"]
        }
        return _Journal(program, kept["frame"], kept["printing"], kept["digests"], entries, worked, rows, cards)
    except (LookupError, TypeError, ValueError, AttributeError):
        return None


def _flat(carried: Carried) -> list[Any]:
    """What is known of an entry as JSON has it."""
    *flags, found, in_long = carried
    return [*flags, [_told(d) for d in found], [_told(d) for d in in_long]] if found or in_long else flags


def _told(found: Diagnostic) -> list[Any]:
    return [found.code, found.message, found.span, found.hints, [(t.message, t.span) for t in found.trace], found.rests_on]


def _carried(flat: list[Any]) -> Carried:
    sheet, whole, lines, *told = flat
    return Carried(sheet, whole, lines, *(tuple(map(_diagnostic, part)) for part in told))


def _diagnostic(flat: list[Any]) -> Diagnostic:
    code, message, span, hints, trace, rests_on = flat
    places = tuple(Trace(said, _span(at)) for said, at in trace)
    return Diagnostic(code, message, _span(span), tuple(hints), places, tuple((pack, kind, name) for pack, kind, name in rests_on))


def _span(flat: list[Any] | None) -> Span | None:
    return None if flat is None else Span(*flat)


def _packed(row: Row) -> list[Any]:
    """A row as JSON has it: exact numbers that are no whole ones are pairs."""
    order = [(sort, (value.numerator, value.denominator) if isinstance(value, Fraction) else value) for sort, value in row.order]
    return [row.held, order, row.said] if row.held else []


def _unpacked(row: list[Any]) -> Row:
    if not row:
        return Row(held=False)
    held, order, said = row
    return Row(held, tuple((sort, Fraction(*value) if isinstance(value, list) else value) for sort, value in order), said)


def _itself(key: Key) -> frozenset[Read]:
    """What is read of every entry that anything is made of."""
    return frozenset({(ENTRIES, key), (TARGETS, key)})
