"""What a build leaves for the next one of the same packs: what was read for each entry and each card, and what was said of them.

In: a project that is linked, and the store. Out: the entries of which all that an earlier build found out still holds, with what it told
of them, and the digests of cards that would be composed again as they were. Sheets and texts are not kept: they are worked out when
somebody asks for them.

Nothing is guessed. Whatever was read that is not an entry (rules, schemas, manifests, themes), what entries there are and what they are
called, the program and its tools: where any of it is another, nothing holds. Of the entries it is written down which of them were read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from seasons_build.compose import Notes
from seasons_build.core.entry import Key, Library
from seasons_build.core.fingerprint import Fingerprints
from seasons_build.core.reading import GROUPS, LINES, SHEETS, Read
from seasons_build.evaluate import Carried, Left, Line, Memory, of_one
from seasons_build.pipeline.journal_form import DeckPlace, FoldedRows, Known, Told, read, write
from seasons_build.sources import Sources
from seasons_build.store import Store

MOST = 4
"""Cards that are kept of decks, for each entry: a deck may be printed in several ways."""

FEW = 24
"""Entries and cards that may be worked out anew in each build before a journal is written anew."""

OF_SHEETS = (SHEETS, LINES)
"""What was worked out, and not typed."""

ROOM = "journals"


class Journal:
    """What is known of a project. `program` stands for our own program and its tools: what another one left does not hold, and nothing does
    where it is empty."""

    def __init__(self, store: Store, program: str, fingerprints: Fingerprints) -> None:
        self._store = store
        self._program = program
        self._before: Told | None = None
        self._fingerprints = fingerprints
        self._frame = ""
        self._printing = ""
        self._known: tuple[Library, list[str], str] | None = None
        self._waiting: frozenset[str] = frozenset()
        self._same: dict[Key, str] = {}
        self._changed: frozenset[Key] = frozenset()
        self._worked: dict[Key, Known[Carried]] = {}
        self._cards: dict[DeckPlace, dict[Key, Known[str]]] = {}

    def left(self, library: Library, sources: Sources, waiting: frozenset[str]) -> Left:
        """What still holds of how entries were worked out. Packs that are `waiting` are in no journal."""
        self._waiting = waiting
        self._frame = self._frame_of(library, sources)
        before = self._before = read(self._store, ROOM, _name(library), self._program) if self._program else None
        if before is None or before.frame != self._frame:
            return Left({}, lambda of, line: {})
        self._same = dict(self._unchanged(before, library, sources))
        self._changed = frozenset(key for key in library.entries if key[0] not in waiting and key not in self._same)
        plain = self._holding(library, {})
        of_sheets = {reads for reads in {known.reads for known in before.worked.values()} if any(part in OF_SHEETS for part, _ in reads)}
        apart = {key: known for key, known in before.worked.items() if known.reads in of_sheets}
        self._worked = {key: known for key, known in before.worked.items() if key not in apart and plain.all(key, known.reads)}
        # Texts that read the sheets of other entries hold where those do.
        reading = self._holding(library, dict(self._worked))
        firm = frozenset(key for key in before.entries if plain.itself(key) and reading.sheet(key))
        self._worked |= {key: known for key, known in apart.items() if plain.itself(key) and reading.all(key, known.reads)}

        def rows(of: Key, line: str) -> Line:
            """The rows of a line of an entry's long texts, where all that was read for them is as it was."""
            found = before.rows.of(of, line)
            same = {reads for reads in {row.reads for row in found.values()} if reading.every(reads)}
            return {key: row for key, row in found.items() if row.reads in same and key in firm}

        return Left({key: known.value for key, known in self._worked.items()}, rows)

    def cards(self, library: Library, sources: Sources) -> Mapping[str, Mapping[Key, str]]:
        """By deck and entry, the digests of the jobs of cards for which everything is as it was."""
        self._printing = self._frame_of(library, sources)
        if self._before is None or self._before.frame != self._frame:
            return {}
        holding = self._holding(library, self._worked)
        for place, cards in self._before.cards.items():
            known = {key: one for key, one in cards.items() if holding.sheet(key) and holding.all(key, one.reads)}
            self._cards[place] = known
        found = ((deck, cards) for (printing, deck), cards in self._cards.items() if printing == self._printing)
        return {deck: {key: one.value for key, one in cards.items()} for deck, cards in found}

    def keep(self, library: Library, sources: Sources, memory: Memory, notes: Notes, program: str) -> None:
        """Leaves what this build found out of entries, and of cards that were composed. Where that is little, the journal stays as it is:
        to find it out again costs less than to write all of it."""
        cards = [card for card in notes.cards() if card[1][0] not in self._waiting]
        if self._worked and sum(map(len, memory.made.values())) + len(cards) <= FEW:
            return
        worked = {key: known for key, known in self._worked.items() if key[0] in memory.made}
        worked |= {key: known for pack in memory.made for key, known in _worked(memory, pack)}
        told_of = {key: entry for key, entry in library.entries.items() if key[0] not in self._waiting}
        prints = self._fingerprints.of_all(entry for key, entry in told_of.items() if key not in self._same) | self._same
        entries = {key: (prints[key], entry.alone) for key, entry in told_of.items()}
        before = self._before.rows.flat if self._before is not None else {}
        rows = FoldedRows(entries, {of: before[of] for of in self._worked if of in before})
        rows.fold(memory.rows)
        digests = {name: sources.digests[name] for name in self._files(library)}
        told = Told(program, self._frame, digests, entries, worked, self._decks(cards, notes.again, MOST * len(entries)), rows)
        write(self._store, ROOM, _name(library), told)

    def _decks(
        self, composed: Iterable[tuple[str, Key, str, frozenset[Read]]], again: Iterable[tuple[str, Key]], most: int
    ) -> Mapping[DeckPlace, Mapping[Key, Known[str]]]:
        """The cards of the decks of this build, then those of others of which all holds, up to so many."""
        decks: dict[DeckPlace, dict[Key, Known[str]]] = {}
        for deck, key in sorted(again):
            place = self._printing, deck
            decks.setdefault(place, {})[key] = self._cards[place][key]
        for deck, key, digest, reads in composed:
            decks.setdefault((self._printing, deck), {})[key] = Known(reads - of_one(key), digest)
        count = sum(map(len, decks.values()))
        for place, cards in self._cards.items():
            count += len(cards) if place not in decks else 0
            if place not in decks and count <= most:
                decks[place] = cards
        return decks

    def _holding(self, library: Library, worked: Mapping[Key, Known[Carried]]) -> _Holding:
        return _Holding(library, self._changed, self._waiting, worked)

    def _files(self, library: Library) -> list[str]:
        """The files in which entries stand and no rules, no cases and no changes to the entries of others alone."""
        return self._about(library)[1]

    def _about(self, library: Library) -> tuple[Library, list[str], str]:
        """A library, the files of its entries, and what stands for what these are called: found once for the library of a build."""
        if self._known is None or self._known[0] is not library:
            of_entries = {entry.document.file for entry in library.entries.values() if entry.pack not in self._waiting}
            nouns = {noun.document.file for rules in library.rules.values() for ids in rules.values() for noun in ids.values()}
            called = repr([(key, entry.name, entry.former) for key, entry in library.entries.items()])
            self._known = library, sorted(of_entries - nouns - {case.document.file for case in library.cases}), _sha(called)
        return self._known

    def _frame_of(self, library: Library, sources: Sources) -> str:
        """Stands for all that was read so far but files of entries, and for what entries there are and how they are called."""
        _, files, called = self._about(library)
        apart = frozenset(files)
        read = sorted(pair for pair in sources.digests.items() if pair[0] not in apart)
        return _sha(repr((sources.names(), read, files, called, list(library.packs), sorted(self._waiting))))

    def _unchanged(self, before: Told, library: Library, sources: Sources) -> Iterator[tuple[Key, str]]:
        """The entries that say what they said where they said it, with their fingerprints."""
        files = {name for name, digest in before.digests.items() if sources.digests.get(name) == digest}
        for key, (fingerprint, alone) in before.entries.items():
            entry = library.entries[key]
            untouched = alone and entry.alone and entry.document.file in files
            if untouched or self._fingerprints.of(entry) == fingerprint:
                yield key, fingerprint


def _name(library: Library) -> str:
    """Under what the journal of a library is kept: its packs."""
    return _sha(repr(list(library.packs)))


def _sha(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class _Holding:
    """Says of what was read whether it is as it was: entries are where they have not changed, sheets where they were `worked` out."""

    def __init__(
        self, library: Library, changed: frozenset[Key], waiting: frozenset[str], worked: Mapping[Key, Known[Carried]]
    ) -> None:
        self._library = library
        self._changed = changed
        self._groups = frozenset(key[:2] for key in changed)
        self._waiting = waiting
        self._worked = worked
        self._known: dict[frozenset[Read], bool] = {}

    def itself(self, key: Key) -> bool:
        """Whether an entry says what it said."""
        return key not in self._changed

    def sheet(self, key: Key) -> bool:
        """Whether what was worked out of an entry is as it was; of one that is not there it is."""
        return key in self._worked or key[0] in self._waiting or key not in self._library.entries

    def all(self, key: Key, reads: frozenset[Read]) -> bool:
        """Whether an entry, and all that was read of others, is as it was."""
        return key not in self._changed and self.every(reads)

    def every(self, reads: frozenset[Read]) -> bool:
        """Whether all that was read of others is as it was."""
        known = self._known.get(reads)
        if known is None:
            known = self._known[reads] = all(self._holds(*read) for read in reads)
        return known

    def _holds(self, part: str, key: Any) -> bool:
        if key is None:
            return not self._changed and part not in OF_SHEETS
        if part == GROUPS:
            return key not in self._groups
        return self.sheet(key) if part in OF_SHEETS else key not in self._changed


def _worked(memory: Memory, pack: str) -> Iterator[tuple[Key, Known[Carried]]]:
    """What became of the entries of a pack."""
    for key, made in memory.made[pack].items():
        long = memory.long.get(key)
        sheet, reads, found = (made.sheet, made.reads, ()) if long is None else (long.sheet, made.reads | long.reads, long.found)
        known = Carried(sheet is not None, sheet is not None and sheet.whole, made.lines is not None, made.found, found)
        yield key, Known(reads - of_one(key), known)
