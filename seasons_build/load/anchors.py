"""Load: names that repeat a value (`&name`, `*name`). In go the values that have names, out come the values that aliases repeat, within
budgets: what an alias repeats counts as if it had been written out."""

from __future__ import annotations

from typing import Any

from seasons_build.core.diagnostic import Trace
from seasons_build.core.document import Mark, Place, Value
from seasons_build.core.named import NamedTuple
from seasons_build.core.names import did_you_mean
from seasons_build.load.quoting import as_text, clip
from seasons_build.load.words import Stop, Words

_MOST_LOOKED_AT = 200
_LONGEST_LOOKED_AT = 60
"""Where a file has more names than this, or longer ones, none is suggested: likeness is dear."""


class Anchored(NamedTuple):
    """A value with a name: the places inside it (None for text and numbers), its size, its name's place, text that is perhaps no name."""

    value: Value
    inside: Any
    values: int
    characters: int
    mark: Mark
    swallowed: str


class Opened(NamedTuple):
    """A map or list with a name whose end is not reached: how much had been read where it began."""

    name: str
    mark: Mark
    values: int
    repeated_values: int
    repeated_characters: int
    offset: int


class Anchors:
    """The names of one file."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.named: dict[str, Anchored] = {}
        self.open: dict[int, Opened] = {}
        self.used: set[str] = set()
        self.aliases = 0
        self.repeated_values = 0
        self.repeated_characters = 0

    def begin(self, depth: int, event: Any, values: int) -> None:
        """A map or list with a name begins."""
        start = event.start_mark
        mark = start.line, start.column, start.line, start.column + len(event.anchor) + 1
        self.open[depth] = Opened(event.anchor, mark, values, self.repeated_values, self.repeated_characters, start.index)

    def end(self, depth: int, value: Value, inside: Any, values: int, offset: int) -> None:
        """The map or list at a depth ends; it may have a name."""
        opened = self.open.pop(depth, None)
        if opened:
            size = values - opened.values + self.repeated_values - opened.repeated_values
            length = offset - opened.offset + self.repeated_characters - opened.repeated_characters
            self._name(opened.name, Anchored(value, inside, size, length, opened.mark, ""))

    def scalar(self, event: Any, value: Value, line: int) -> None:
        """Text or a number has a name."""
        start = event.start_mark
        mark = start.line, start.column, start.line, start.column + len(event.anchor) + 1
        swallowed = event.value if not event.style and line == start.line else ""
        self._name(event.anchor, Anchored(value, None, 1, len(event.value), mark, swallowed))

    def alias(self, name: str, mark: Mark) -> tuple[Value, Place]:
        """The value that an alias repeats, at the place of the alias; what lies inside keeps the places it was written at.

        Raises `Stop` where the repeated values go over a budget.
        """
        words, limits = self.words, self.words.limits
        anchored = self.named.get(name)
        self.aliases += 1
        self.used.add(name)
        if anchored is None:
            self._unknown(name, mark)
            return None, mark
        self.repeated_values += anchored.values - 1
        self.repeated_characters += anchored.characters
        budgets = (
            (self.aliases, limits.aliases, "aliases"),
            (self.repeated_values, limits.alias_values, "values repeated by aliases"),
            (self.repeated_characters, limits.alias_characters, "characters repeated by aliases"),
        )
        for found, most, what in budgets:
            if found > most:
                words.report("E111", f"with `*{clip(name)}` the file has more than {most} {what}", mark)
                raise Stop
        return anchored.value, mark if anchored.inside is None else (mark, anchored.inside)

    def unused(self) -> None:
        """Says of text that begins with `&word` that the word was taken for a name, where nothing uses that name."""
        for name, anchored in self.named.items():
            if anchored.swallowed and name not in self.used:
                message = f"`&{clip(name)}` gives the text behind it a name, and no `*{clip(name)}` uses it"
                line, column, *_ = anchored.mark
                self.words.report("W103", message, anchored.mark, as_text(self.words.lines[line], column))

    def _unknown(self, name: str, mark: Mark) -> None:
        if any(name == opened.name for opened in self.open.values()):
            self.words.report("E109", f"`*{clip(name)}` stands inside the value that it repeats", mark)
            return
        few = self.aliases <= _MOST_LOOKED_AT and len(self.named) <= _MOST_LOOKED_AT and len(name) <= _LONGEST_LOOKED_AT
        near = did_you_mean(name, self.named) if few else ()
        self.used.update(hint.split("`")[1] for hint in near)
        hints = tuple(hint.replace("`", "`*", 1) for hint in near) or as_text(self.words.lines[mark[0]], mark[1])
        self.words.report("E109", f"nothing above has the name `&{clip(name)}` that `*{clip(name)}` repeats", mark, hints)

    def _name(self, name: str, anchored: Anchored) -> None:
        first = self.named.setdefault(name, anchored)
        if first is not anchored:
            trace = (Trace(f"`&{clip(name)}` stands here first", self.words.span(first.mark)),)
            self.words.report("E109", f"the name `&{clip(name)}` is given twice", anchored.mark, (), trace)
