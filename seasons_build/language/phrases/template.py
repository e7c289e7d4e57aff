"""Library of the language: the grammar of sentence templates.

In goes the text of one template, as a game's nouns and phrases hold it; out comes a `Template`, parts that `fill` walks. The grammar:

    text              itself; `\\` before `{ } < > [ ] |` and `\\` makes it plain
    {slot}            what the slot says
    {slot.form}       another form of it
    {slot:one|many}   the first template for one, the second for many; a language with more plurals has more
    {~slot}           unspoken where the slot is the reader
    {?slot|other}     asks only: the template is right for the case that one of them is given
    <optional>        nothing where a slot inside is empty
    <this|or that>    the first that has no empty slot, else nothing

Errors: `TemplateFault`, with the place in the text.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TypeAlias

from seasons_build.core.limits import DEFAULT
from seasons_build.core.named import NamedTuple
from seasons_build.core.record import dataclass
from seasons_build.core.regex import regex

_NAME = regex(r"[a-z][a-z0-9_-]*")
_FORM = regex(r"[a-z][a-z0-9_-]*(?:\.[a-z0-9_-]+)*")
_PLAIN = regex(r"[^\\{}<>|]+")
_ESCAPABLE = "{}<>[]|\\"


class TemplateFault(Exception):
    """A template that cannot be read; `message` is for the writer, `at` counts characters from 0."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.message = message
        self.at = at


class Slot(NamedTuple):
    """A place for words. With `asks` it prints nothing; with `choices` it prints the one that agrees in number."""

    name: str
    form: str = ""
    unspoken: bool = False
    asks: tuple[str, ...] = ()
    choices: tuple[Template, ...] = ()


class Either(NamedTuple):
    """`<a|b>`: the first alternative without an empty slot, else nothing."""

    alternatives: tuple[Template, ...]


Part: TypeAlias = "str | Slot | Either"


@dataclass(frozen=True)
class Template:
    """One template. `source` is its text as typed."""

    parts: tuple[Part, ...]
    source: str

    @cached_property
    def asks(self) -> tuple[Slot, ...]:
        """The slots at its front that ask only."""
        found: list[Slot] = []
        for part in self.parts:
            if not isinstance(part, Slot) or not part.asks:
                break
            found.append(part)
        return tuple(found)

    @cached_property
    def subject(self) -> Slot | None:
        """The slot that it begins with, after what it asks; the clause has it for subject if it is a person."""
        rest = self.parts[len(self.asks) :]
        first = rest[0] if rest else None
        return first if isinstance(first, Slot) and not first.choices else None

    @cached_property
    def predicate(self) -> Template:
        """The template without its asks and its subject."""
        start = len(self.asks) + (1 if self.subject else 0)
        return Template(self.parts[start:], self.source)

    @cached_property
    def slots(self) -> frozenset[str]:
        """The names of all its slots, those of its alternatives with them, those that only ask without."""
        names: set[str] = set()
        for part in self.parts:
            if isinstance(part, Slot) and not part.asks:
                names.add(part.name)
            inner: tuple[Template, ...] = ()
            if isinstance(part, Slot):
                inner = part.choices
            elif isinstance(part, Either):
                inner = part.alternatives
            for template in inner:
                names |= template.slots
        return frozenset(names)


def parse(text: str) -> Template:
    """Reads one template. Raises `TemplateFault`."""
    reader = _Reader(text)
    return reader.template("", 0)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def template(self, ends: str, depth: int) -> Template:
        """Parts up to one of the characters in `ends`, or the end of the text where there are none."""
        if depth > DEFAULT.expression_depth:
            raise TemplateFault("alternatives stand inside alternatives too deep", self.at)
        start = self.at
        parts: list[Part] = []
        plain = ""
        while self.at < len(self.text):
            mark = self.text[self.at]
            if mark in ends:
                break
            if mark in "{<":
                if plain:
                    parts.append(plain)
                    plain = ""
                parts.append(self.slot(depth) if mark == "{" else self.either(depth))
            else:
                plain += self.plain(mark)
        if plain:
            parts.append(plain)
        return Template(tuple(parts), self.text[start : self.at])

    def plain(self, mark: str) -> str:
        if mark == "\\":
            following = self.text[self.at + 1 : self.at + 2]
            taken = following if following and following in _ESCAPABLE else "\\"
            self.at += 1 + (taken != "\\" or following == "\\")
            return taken
        if mark == "}":
            raise TemplateFault("`}` without a `{` before it; `\\}` for the sign itself", self.at)
        found = _PLAIN.match(self.text, self.at)
        if found is None:
            self.at += 1
            return mark
        self.at = found.end()
        return found.group()

    def slot(self, depth: int) -> Slot:
        start = self.at
        self.at += 1
        mark = self.text[self.at : self.at + 1]
        if mark in ("~", "?") and mark:
            self.at += 1
        name = self.word(_NAME, start)
        if mark == "?":
            names = [name]
            while self.taken("|"):
                names.append(self.word(_NAME, start))
            self.close("}", start)
            return Slot(name, asks=tuple(names))
        form = self.word(_FORM, start) if self.taken(".") else ""
        choices: list[Template] = []
        if self.taken(":"):
            choices.append(self.template("|}", depth + 1))
            while self.taken("|"):
                choices.append(self.template("|}", depth + 1))
            if len(choices) < 2:
                raise TemplateFault(f"expected `{{{name}:one|many}}`, found only one form", start)
        self.close("}", start)
        return Slot(name, form, mark == "~", choices=tuple(choices))

    def either(self, depth: int) -> Either:
        start = self.at
        self.at += 1
        found = [self.template("|>", depth + 1)]
        while self.taken("|"):
            found.append(self.template("|>", depth + 1))
        self.close(">", start)
        return Either(tuple(found))

    def word(self, pattern: re.Pattern[str], start: int) -> str:
        found = pattern.match(self.text, self.at)
        if found is None:
            raise TemplateFault("expected the name of a slot after `{`, in small letters", start)
        self.at = found.end()
        return found.group()

    def taken(self, mark: str) -> bool:
        if self.text[self.at : self.at + 1] != mark:
            return False
        self.at += 1
        return True

    def close(self, mark: str, start: int) -> None:
        if not self.taken(mark):
            raise TemplateFault(f"`{self.text[start]}` is not closed by `{mark}`", start)
