"""The rules lines of entries, in the words of their game (part of evaluate).

In: a library, a pack, the sheets. Out: the `Lines` of each entry, and what keeps a sentence from being right: a figure that no sentence
printed, a hand-written figure that no value bears.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Value
from seasons_build.core.entry import Entry, Library
from seasons_build.core.sheet import Sheet
from seasons_build.core.span import Path, Span
from seasons_build.language.phrases import Book, Lines, Problem, compile_book, write
from seasons_build.language.text import scan

RULES, PHRASES = "rules", "phrases"
FIGURE = re.compile(r"(?<![\w.])\d+(?:d\d+)?(?![\w.])")


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

    def faults(self) -> Iterator[Diagnostic]:
        """What is wrong with the game's own sentences."""
        if self.book is not None:
            yield from (self._told(problem, None) for problem in self.book.problems)

    def lines(self, entry: Entry, sheet: Sheet) -> tuple[Lines | None, list[Diagnostic]]:
        """An entry's lines, and what is wrong with them. A part with a text of its own (`rules:`) answers for its figures itself."""
        overridden = [path[:-1] for path in (p.path for p in entry.announced.prose) if path[-1] == RULES]
        found = [fault for path in overridden for fault in self._figures(entry, (*path, RULES))]
        if self.book is None:
            return None, found
        settled: dict[Path, Value] = {**sheet.formulas, **sheet.texts}
        rows = {name: list(rows) for name, rows in sheet.rows.items()}
        lines = write(self.book, entry.kind, entry.data, names=self._name, values=sheet.stats, settled=settled, rows=rows)
        for problem in lines.problems:
            if not any(problem.path[: len(path)] == path for path in overridden):
                found.append(self._told(problem, entry))
        return lines, found

    def _name(self, reference: str) -> str | None:
        bare = reference.rpartition(":")[2]
        kind, _, name = bare.rpartition("/")
        for owner in self._library.packs[self._pack].scope:
            for (pack, of), group in self._library.by_kind.items():
                if pack == owner and kind in ("", of):
                    found = next((e.name for e in group if e.id == name), None)
                    if found is not None:
                        return found
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

    def _figures(self, entry: Entry, path: Path) -> Iterator[Diagnostic]:
        """Figures of a hand-written text that no value of the entry bears."""
        text: Value = entry.data
        for step in path:
            text = text[step]
        borne = set(_numbers(entry.data))
        for piece in scan(text) if isinstance(text, str) else ():
            for figure in FIGURE.finditer(piece.text) if piece.what == "text" else ():
                if figure[0] not in borne:
                    at = piece.start + figure.start()
                    message = f"the figure {figure[0]} stands in the text alone: no value of `{entry.id}` bears it"
                    hint = "put it into the data and write it as `{path.to.it}`, or check that it is right"
                    yield Diagnostic("W530", message, entry.inside(path, at, at + len(figure[0])), (hint,))


def _numbers(data: Value) -> Iterator[str]:
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield str(key)
            yield from _numbers(value)
    elif isinstance(data, list):
        for item in data:
            yield from _numbers(item)
    elif isinstance(data, str):
        yield from (found[0] for found in FIGURE.finditer(data)) if " " not in data.strip() or "d" in data else ()
    elif isinstance(data, int) and not isinstance(data, bool):
        yield str(abs(data))

