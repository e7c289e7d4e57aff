"""The form in which a journal is kept: plain data, in which what was read stands once, and so does each set of what was read.

In: what a build has told of entries, rows and cards. Out: a file of the store; and what stands in one, of which the rows of a text are
taken apart when somebody asks for them. What belongs to an entry itself is in no set of reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Generic, TypeAlias, TypeVar

from seasons_build.core.diagnostic import Diagnostic, Trace
from seasons_build.core.entry import Key
from seasons_build.core.named import NamedTuple
from seasons_build.core.reading import Read
from seasons_build.core.sheet import EMPTY
from seasons_build.core.span import Span
from seasons_build.evaluate import Carried, KnownRow, Line, Row, RowsOf
from seasons_build.store import Store

T = TypeVar("T")

NO_ROW = Row(held=False)
_NO_LINES = b"[{}, [[], []]]"


class Known(NamedTuple, Generic[T]):
    """Something that a build found out of an entry, and what it read of others for it."""

    reads: frozenset[Read]
    value: T


DeckPlace: TypeAlias = tuple[str, str]
"""What stands for all that is no entry, when cards were composed; and what for the deck."""

class FoldedRows:
    """What long texts bring in as JSON has it, by the entry that has the text; read when somebody asks for a line of it. `keys` are all
    entries, by number."""

    def __init__(self, keys: Iterable[Key], flat: Mapping[Key, bytes] = EMPTY) -> None:
        self._keys = tuple(keys)
        self._read: dict[Key, tuple[Mapping[str, Any], list[frozenset[Read]]]] = {}
        self.flat = dict(flat)

    def fold(self, rows: RowsOf) -> None:
        """Takes in the rows of some texts, in place of those that were there."""
        numbers = {key: number for number, key in enumerate(self._keys)}
        self.flat |= {of: _folded(lines, numbers) for of, lines in rows.items()}

    def of(self, key: Key, line: str) -> Line:
        """The rows of a line of an entry's long texts."""
        if key not in self._read:
            lines, flat = json.loads(self.flat.get(key, _NO_LINES))
            self._read[key] = lines, _sets(flat)
        lines, sets = self._read[key]
        keys = self._keys
        nothing, held = lines.get(line, ((), ()))
        rows: dict[Key, KnownRow] = {}
        for reads, places in nothing:
            rows |= dict.fromkeys([keys[at] for at in places], KnownRow(NO_ROW, sets[reads]))
        return rows | {keys[at]: KnownRow(_unpacked(order, said), sets[reads]) for at, reads, order, said in held}


class Told(NamedTuple):
    """A journal. `program` stands for who wrote it, `frame` for all that is no entry, when entries were worked out; `digests` are of the
    files of entries, `entries` has the fingerprint of each entry and whether it is by itself."""

    program: str
    frame: str
    digests: Mapping[str, str]
    entries: Mapping[Key, tuple[str, bool]]
    worked: Mapping[Key, Known[Carried]]
    cards: Mapping[DeckPlace, Mapping[Key, Known[str]]]
    rows: FoldedRows


class _Sets:
    """Sets of what was read, by number."""

    def __init__(self) -> None:
        self._things: dict[Read, int] = {}
        self._sets: dict[frozenset[Read], int] = {}

    def number(self, reads: frozenset[Read]) -> int:
        """The number of a set."""
        return self._sets.setdefault(reads, len(self._sets))

    def flat(self) -> list[Any]:
        """All of them: what was read, then of each set the numbers of what is in it."""
        things = self._things
        sets = [sorted(things.setdefault(read, len(things)) for read in reads) for reads in self._sets]
        return [list(things), sets]


def _sets(flat: list[Any]) -> list[frozenset[Read]]:
    things, sets = flat
    read: list[Read] = [(part, None if key is None else tuple(key)) for part, key in things]
    return [frozenset([read[number] for number in numbers]) for numbers in sets]


def write(store: Store, room: str, name: str, told: Told) -> None:
    """Keeps a journal."""
    numbers = {key: number for number, key in enumerate(told.entries)}
    sets = _Sets()
    alike: dict[tuple[frozenset[Read], Carried], list[int]] = {}
    for key, known in told.worked.items():
        alike.setdefault((known.reads, known.value), []).append(numbers[key])
    worked = [(places, sets.number(reads), _flat(value)) for (reads, value), places in alike.items()]
    cards = [
        (*place, [(numbers[key], sets.number(known.reads), known.value) for key, known in of.items()]) for place, of in told.cards.items()
    ]
    kept = {
        "program": told.program,
        "frame": told.frame,
        "digests": told.digests,
        "entries": [(*key, *about) for key, about in told.entries.items()],
        "worked": worked,
        "cards": cards,
        "rows": [numbers[of] for of in told.rows.flat],
        "sets": sets.flat(),
    }
    store.put(room, name, kept, tuple(told.rows.flat.values()))


def read(store: Store, room: str, name: str, program: str) -> Told | None:
    """The journal of a name; None where there is none, none of this program, or none of this form."""
    found = store.get(room, name)
    if found is None or found.header.get("program") != program:
        return None
    kept = found.header
    try:
        entries = {(pack, kind, of): (fingerprint, alone) for pack, kind, of, fingerprint, alone in kept["entries"]}
        keys = list(entries)
        sets = _sets(kept["sets"])
        worked: dict[Key, Known[Carried]] = {}
        for places, reads, value in kept["worked"]:
            worked |= dict.fromkeys([keys[at] for at in places], Known(sets[reads], _carried(value)))
        cards = {
            (printing, deck): {keys[at]: Known(sets[reads], digest) for at, reads, digest in of} for printing, deck, of in kept["cards"]
        }
        rows = FoldedRows(keys, {keys[at]: blob for at, blob in zip(kept["rows"], found.blobs, strict=True)})
        return Told(program, kept["frame"], kept["digests"], entries, worked, cards, rows)
    except (LookupError, TypeError, ValueError, AttributeError):
        return None


def _folded(lines: Mapping[str, Line], numbers: Mapping[Key, int]) -> bytes:
    """The rows of a text by its lines, and what was read for them. Most entries are not meant by a line, and many read the same."""
    sets = _Sets()
    flat: dict[str, Any] = {}
    for line, rows in lines.items():
        nothing: dict[int, list[int]] = {}
        held = []
        for key, (row, reads) in rows.items():
            if row.held:
                held.append((numbers[key], sets.number(reads), *_packed(row)))
            else:
                nothing.setdefault(sets.number(reads), []).append(numbers[key])
        flat[line] = list(nothing.items()), held
    return json.dumps([flat, sets.flat()], separators=(",", ":"), ensure_ascii=True).encode()


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


def _packed(row: Row) -> tuple[Any, ...]:
    """A row as JSON has it; exact numbers that are no whole ones are pairs."""
    order = [(sort, (value.numerator, value.denominator) if isinstance(value, Fraction) else value) for sort, value in row.order]
    return order, row.said


def _unpacked(order: list[Any], said: str) -> Row:
    return Row(True, tuple((sort, Fraction(*value) if isinstance(value, list) else value) for sort, value in order), said)
