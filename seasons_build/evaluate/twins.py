"""Entries that say the same in all that is read of them: what was worked out of one holds for the others (part of evaluate).

In: an entry. Out: what becomes of it, where another one says the same under another name, in another colour of prose. A pack written by
hand has few of these, one that was generated has many. Nothing is assumed of what is read: names and flavor count as soon as a formula or a
sentence has asked for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from typing import TypeAlias

from seasons_build.core import vocabulary
from seasons_build.core.document import Value
from seasons_build.core.entry import Entry, Key, Library
from seasons_build.core.names import in_expressions
from seasons_build.core.sheet import Sheet, Step
from seasons_build.evaluate.again import Made, has_long_text
from seasons_build.evaluate.record import RECORD, START
from seasons_build.language.rules import outcomes
from seasons_build.language.text import in_print

LOOSE = ("flavor", "label")
"""What texts are for that no rule reads of itself: prose, and what things are called."""
_READ = frozenset(word.name for word in (*vocabulary.FRAME, *vocabulary.RIDERS, *vocabulary.NESTING)) - {"name", "flavor"}
_WORDS = _READ | frozenset(vocabulary.VERB)

_Twin: TypeAlias = tuple[Entry, Made]


class Twins:
    """What was made of the entries of a pack, to be given again. `asked` give the names that were read so far of the
    entries of a kind, as formulas and as sentences write them: they grow while entries are worked out."""

    def __init__(self, library: Library, pack: str, *asked: Callable[[str], Set[str]]) -> None:
        self._library = library
        self._asked = asked
        self._words = _WORDS | frozenset(outcomes(library.rules[pack]))
        self._made: dict[tuple[str, str], _Twin] = {}

    def of(self, entry: Entry) -> Made | None:
        """What becomes of an entry, by what became of one like it; None where there is none."""
        if not self._plain(entry):
            return None
        loose = self._loose(entry)
        found = self._made.get(_said(entry, loose))
        if found is None or entry.key in self._library.targets[found[0].key].values():
            return None
        return _made(entry, loose, *found)

    def keep(self, entry: Entry, made: Made) -> None:
        """Remembers what was made of an entry, where all is well with it and nothing of it is its own."""
        sheet = made.sheet
        if made.found or sheet is None or not sheet.whole or not self._plain(entry):
            return
        if entry.key not in self._library.targets[entry.key].values():
            self._made.setdefault(_said(entry, self._loose(entry)), (entry, made))

    def _plain(self, entry: Entry) -> bool:
        """Whether an entry is as typed, by itself, and no record."""
        if entry.broken or entry.origins or entry.brought or entry.changes or entry.place or entry.like is not None:
            return False
        return RECORD not in entry.data and START not in entry.data and not has_long_text(entry)

    def _loose(self, entry: Entry) -> frozenset[str]:
        """The fields of an entry that nobody has read."""
        return frozenset(self._unread(entry))

    def _unread(self, entry: Entry) -> Iterator[str]:
        asked = [names(entry.kind) for names in self._asked]
        for prose in entry.announced.prose:
            field = str(prose.path[0])
            if len(prose.path) > 1 or prose.role not in LOOSE or "{" in prose.text or field in self._words:
                continue
            if not any(field in names or in_expressions(field) in names for names in asked):
                yield field


def _said(entry: Entry, loose: frozenset[str]) -> tuple[str, str]:
    """All that an entry says but for some of its fields, in the order typed."""
    data: Mapping[str, Value] = {name: value for name, value in entry.data.items() if name not in loose}
    return entry.kind, repr(data)


def _made(entry: Entry, loose: frozenset[str], other: Entry, made: Made) -> Made:
    """What was made of another entry, as it is for this one."""
    sheet = made.sheet
    assert sheet is not None, "a twin without a sheet"
    prose = entry.announced.prose
    texts = {one.path: in_print(one.text) if one.path[0] in loose else sheet.texts[one.path] for one in prose}
    own = sheet._replace(key=entry.key, texts=texts, steps=_steps(sheet, other.key, entry.key))
    reads = frozenset((part, entry.key if key == other.key else key) for part, key in made.reads)
    return Made(own, made.lines, (), reads)


def _steps(sheet: Sheet, other: Key, own: Key) -> Mapping[str, tuple[Step, ...]]:
    """The steps of another entry's values, where what it did itself is this one's doing."""
    if not any(step.source == other for steps in sheet.steps.values() for step in steps):
        return sheet.steps
    return {
        name: tuple(step._replace(source=own) if step.source == other else step for step in steps) for name, steps in sheet.steps.items()
    }
