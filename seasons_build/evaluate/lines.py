"""The rules lines of entries, in the words of their game (part of evaluate).

In: a library, a pack, the sheets. Out: the `Lines` of each entry, and what keeps a sentence from being right: a figure that no sentence
printed, a hand-written figure that no value bears.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Value
from seasons_build.core.entry import Entry, Library
from seasons_build.core.sheet import Sheet
from seasons_build.core.span import Path, Span
from seasons_build.language.phrases import Book, Lines, Problem, compile_book, write

PHRASES = "phrases"


class Writer:
    """Writes the lines of one pack's entries; its game's sentences are made ready once."""

    def __init__(self, library: Library, pack: str, place: str = "") -> None:
        self._library = library
        self._pack = pack
        self._rules = library.rules[pack]
        self.book: Book | None = None
        if self._rules.get(PHRASES):
            nouns = {noun: {key: declared.data for key, declared in ids.items()} for noun, ids in self._rules.items()}
            self.book = compile_book(nouns, place)

    def asked(self, kind: str) -> Set[str]:
        """The fields of entries of a kind that sentences have asked for so far."""
        return self.book.asked.get(kind, frozenset()) if self.book is not None else frozenset()

    def faults(self) -> Iterator[Diagnostic]:
        """What is wrong with the game's own sentences."""
        if self.book is not None:
            yield from (self._told(problem, None) for problem in self.book.problems)

    def lines(self, entry: Entry, sheet: Sheet) -> tuple[Lines | None, list[Diagnostic]]:
        """An entry's lines, and what is wrong with them."""
        if self.book is None:
            return None, []
        settled: dict[Path, Value] = {**sheet.formulas, **sheet.texts}
        rows = {name: list(rows) for name, rows in sheet.rows.items()}
        lines = write(self.book, entry.kind, entry.data, names=self._name, values=sheet.stats, settled=settled, rows=rows)
        return lines, [self._told(problem, entry) for problem in lines.problems]

    def _name(self, reference: str) -> str | None:
        bare = reference.rpartition(":")[2]
        kind, _, name = bare.rpartition("/")
        for owner in self._library.packs[self._pack].scope:
            for pack, of in self._library.by_kind:
                if pack == owner and kind in ("", of):
                    found = self._library.entries.get((pack, of, name))
                    if found is not None:
                        return found.name
        return None

    def _told(self, problem: Problem, entry: Entry | None) -> Diagnostic:
        return Diagnostic(problem.code, problem.message, self._span(problem, entry), problem.hints)

    def _span(self, problem: Problem, entry: Entry | None) -> Span | None:
        if entry is not None and not problem.rules:
            return entry.span(problem.path)
        noun, *rest = (str(step) if index < 2 else step for index, step in enumerate(problem.path))
        declared = self._rules.get(str(noun), {})
        found = declared.get(str(rest[0])) if rest else next(iter(declared.values()), None)
        if found is None:
            found = next((n for ids in self._rules.values() for n in ids.values()), None)
            return found.span() if found is not None else None
        return found.span(tuple(rest[1:]))
