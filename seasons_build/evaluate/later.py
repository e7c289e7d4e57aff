"""Entries that are worked out when somebody asks for them: those of a game that is built on, of which a pack needs few, and those that an
earlier program has worked out (part of evaluate).

In: a library, and which entries can wait. Out: tables that hold what was worked out at once and give the rest when it is asked for. Who has
entries wait knows that all is well with them: an error that is found in one after all is a fault of ours, and raises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.entry import Entry, Key, Library
from seasons_build.core.reading import Tracing
from seasons_build.core.sheet import Sheet
from seasons_build.evaluate.again import Carried, Made, Rows, has_long_text
from seasons_build.evaluate.chapters import LongTexts
from seasons_build.evaluate.lines import Writer
from seasons_build.evaluate.twins import Twins
from seasons_build.evaluate.work import Evaluation
from seasons_build.language.phrases import Lines

V = TypeVar("V")


class Bench:
    """The work on the entries of one pack, one after the other. With `traced`, what each of them reads is written down."""

    def __init__(self, library: Library, pack: str, *, traced: bool = False) -> None:
        self._tracing = Tracing(library)
        self._work = Evaluation(self._tracing.library if traced else library, pack, {})
        self._writer = Writer(library, pack)
        self._twins = Twins(library, pack, self._work.asked, self._writer.asked)

    def made(self, entry: Entry) -> Made:
        """What becomes of one entry."""
        found = self._twins.of(entry)
        if found is None:
            found = self._work.made(entry, self._writer, self._tracing)
            self._twins.keep(entry, found)
        return found

    def rule_faults(self, *, all_of_them: bool) -> tuple[Diagnostic, ...]:
        """What is wrong with the pack's rules, or with those of them that were needed so far."""
        return (*self._work.rule_faults(all_of_them=all_of_them), *(self._writer.faults() if all_of_them else ()))

    @property
    def cut_short(self) -> bool:
        """Whether something was told of one entry that would else be told of another."""
        return self._work.cut_short


class Later:
    """Entries that can wait, each worked out once, when it is first asked for: those of some packs, and those that are `carried`. `bench`
    gives where the entries of a pack are worked out; `there` is what was worked out at once. `sheets` and `lines` are all of both."""

    def __init__(
        self,
        library: Library,
        packs: frozenset[str],
        carried: Mapping[Key, Carried],
        bench: Callable[[str], Bench],
        there: tuple[Mapping[Key, Sheet], Mapping[Key, Lines]],
    ) -> None:
        self._library = library
        self._packs = packs
        self._carried = carried
        self._bench = bench
        self._fillers: dict[str, LongTexts] = {}
        self._made: dict[Key, Made] = {}
        self._filled: dict[Key, Sheet] = {}
        self._turns = {pack: turn for turn, pack in enumerate(library.packs)}
        self._filling: Key | None = None
        keys = tuple(key for key in library.entries if self._waits(key))
        sheets, lines = there
        self.sheets = Table(sheets, keys, self._sheet, {key: one.sheet for key, one in carried.items()}, carried)
        self.lines = Table(lines, keys, self._lines, {key: one.lines for key, one in carried.items()}, carried)

    def _waits(self, key: Key) -> bool:
        return key in self._carried or (key[0] in self._packs and key in self._library.entries)

    def _lines(self, key: Key) -> Lines | None:
        """The rules lines of an entry; None where it has none, or is none that waits."""
        made = self._of(key)
        return made.lines if made is not None else None

    def _sheet(self, key: Key) -> Sheet | None:
        """The sheet of an entry, its long texts filled in; None where it has none, or is none that waits."""
        made = self._of(key)
        if made is None or made.sheet is None or not has_long_text(self._library.entries[key]):
            return made.sheet if made is not None else None
        if self._comes_after(key):
            return made.sheet
        if key not in self._filled:
            self._filled[key] = made.sheet  # what fills a text may read other texts, as far as they are
            with self.filling(key):
                filled = self._filler(key[0]).of(self._library.entries[key])
            _assure(filled.found)
            self._filled[key] = filled.on(made.sheet)
        return self._filled[key]

    @contextmanager
    def filling(self, key: Key) -> Iterator[None]:
        """While the long texts of an entry are filled in: they see those of entries before it filled in, and those after it as typed."""
        outer, self._filling = self._filling, key
        try:
            yield
        finally:
            self._filling = outer

    def _comes_after(self, key: Key) -> bool:
        """Whether an entry that an earlier program has worked out has its turn after the one that is being filled in."""
        at = self._filling
        return at is not None and key in self._carried and (self._turns[key[0]], *key[1:]) > (self._turns[at[0]], *at[1:])

    def _filler(self, pack: str) -> LongTexts:
        if pack not in self._fillers:
            self._fillers[pack] = Evaluation(self._library, pack, {}).filler(self.sheets, self.lines, Rows())
        return self._fillers[pack]

    def _of(self, key: Key) -> Made | None:
        if not self._waits(key):
            return None
        if key not in self._made:
            self._made[key] = self._bench(key[0]).made(self._library.entries[key])
            _assure(self._made[key].found)
        return self._made[key]


def _assure(found: tuple[Diagnostic, ...]) -> None:
    wrong = next((d for d in found if d.severity == "error"), None)
    if wrong is not None:
        raise RuntimeError(f"{wrong.code} in what was taken for sound, at {wrong.span}: {wrong.message}")


class Table(Mapping[Key, V]):
    """What there is of entries: some of it `there`, some given when it is asked for. `waiting` are the keys of what may be asked for, `has`
    says of some of them whether there is anything; `carried` is what is known of those."""

    def __init__(
        self,
        there: Mapping[Key, V],
        waiting: tuple[Key, ...],
        ask: Callable[[Key], V | None],
        has: Mapping[Key, bool],
        carried: Mapping[Key, Carried],
    ) -> None:
        self._there = there
        self._waiting = waiting
        self._ask = ask
        self._has = has
        self._carried = carried

    def __getitem__(self, key: Key) -> V:
        found = self._there.get(key)
        if found is None and self._has.get(key, True):
            found = self._ask(key)
        if found is None:
            raise KeyError(key)
        return found

    def __contains__(self, key: object) -> bool:
        return key in self._there or self._may_be_asked(key)

    def __iter__(self) -> Iterator[Key]:
        """All keys, for which all that waits and is not known is asked for."""
        yield from self._there
        yield from filter(self._may_be_asked, self._waiting)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def whole(self, is_whole: Callable[[V], bool]) -> Table[V]:
        """The same without what is not whole, which is asked of each when it is asked for, where it is not known."""

        def ask(key: Key) -> V | None:
            found = self._ask(key)
            return found if found is not None and is_whole(found) else None

        there = {key: value for key, value in self._there.items() if is_whole(value)}
        return Table(there, self._waiting, ask, {key: one.whole for key, one in self._carried.items()}, self._carried)

    def _may_be_asked(self, key: Any) -> bool:
        known = self._has.get(key)
        return known if known is not None else self._ask(key) is not None


def whole_sheets(sheets: Mapping[Key, Sheet]) -> Mapping[Key, Sheet]:
    """The sheets that are whole, which alone are printed."""
    if isinstance(sheets, Table):
        return sheets.whole(lambda sheet: sheet.whole)
    return {key: sheet for key, sheet in sheets.items() if sheet.whole}
