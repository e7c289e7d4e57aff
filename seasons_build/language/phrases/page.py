"""Library of the language: the state of one entry's text while it is written, and where a slot looks for its words.

A `Page` remembers who has been named, which figures are printed and which words of the data have been said; a template that does not
fit is taken back by `mark` and `back`. A `Scope` is what a template can see: slots made for it, and layers of data, nearest first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

from seasons_build.core.document import Value
from seasons_build.core.named import NamedTuple
from seasons_build.core.record import dataclass, field
from seasons_build.core.span import Path
from seasons_build.language.phrases.book import Book, Forms
from seasons_build.language.phrases.records import Problem
from seasons_build.language.phrases.template import Template

NONE_HIDDEN: frozenset[str] = frozenset()
STEPS = 50_000
"""How many slots one entry may take, so that a noun that says another cannot say them without end."""
DEPTH = 40


class Said(Protocol):
    """What a slot holds."""

    def text(self, page: Page, scope: Scope, form: str) -> str | None:
        """The words of a form, or None where there are none."""

    def number(self, page: Page, scope: Scope) -> int:
        """Which of `one|many` it takes."""


Slots: TypeAlias = dict[str, "Said | None"]
"""Slots made for a sentence; one that is there and None is empty."""


class Layer(NamedTuple):
    """Data in which a slot's key is looked for, where it stands in the entry, and the keys that are not seen."""

    data: Mapping[str, Value]
    path: Path
    hidden: frozenset[str] = NONE_HIDDEN


class Scope(NamedTuple):
    """What a template sees."""

    layers: tuple[Layer, ...]
    slots: Slots

    def with_slots(self, slots: Slots) -> Scope:
        """The same scope with these slots in front of its own."""
        return Scope(self.layers, {**self.slots, **slots})

    def under(self, *layers: Layer) -> Scope:
        """The same scope with layers in front."""
        return Scope((*layers, *self.layers), self.slots)


class Unsaid(Exception):
    """The sentence cannot be said; the problem is already on the page."""


class Mark(NamedTuple):
    """A state to go back to."""

    mentions: int
    last: str
    printed: int
    told: int
    spent: int


@dataclass(slots=True)
class Page:
    """One entry's text in the making."""

    book: Book
    kind: str
    find: Callable[[Page, Scope, str], Said | None]
    names: Callable[[str], str | None]
    values: Mapping[str, Value]
    settled: Mapping[Path, Value]
    chosen: Mapping[str, Sequence[str]]
    actions: Mapping[str, Value] = field(default_factory=dict)
    hidden: frozenset[str] = NONE_HIDDEN
    problems: dict[tuple[str, Path, str], Problem] = field(default_factory=dict)
    mentions: list[tuple[str, int]] = field(default_factory=list)
    last: str = ""
    printed: list[Path] = field(default_factory=list)
    told: list[Path] = field(default_factory=list)
    spent: list[Path] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    """The fields of the entry that its sentences ask for."""
    depth: int = 0
    steps: int = 0

    def mark(self) -> Mark:
        return Mark(len(self.mentions), self.last, len(self.printed), len(self.told), len(self.spent))

    def back(self, mark: Mark) -> None:
        """Forgets what was said since."""
        del self.mentions[mark.mentions :]
        self.last = mark.last
        del self.printed[mark.printed :]
        del self.told[mark.told :]
        del self.spent[mark.spent :]

    def fresh(self) -> None:
        """A new part: nobody has been named in it."""
        self.mentions.clear()
        self.last = ""

    def mention(self, key: str, number: int, *, last: bool) -> None:
        """Somebody is named by a word of this number; `last` says that a pronoun may now stand for them."""
        self.mentions.append((key, number))
        if last:
            self.last = key

    def named(self, key: str) -> bool:
        return any(k == key for k, _ in self.mentions)

    def number_of(self, key: str) -> int | None:
        """Which verb form the word takes that was last printed for somebody; None where none was."""
        return next((number for k, number in reversed(self.mentions) if k == key), None)

    def fault(self, code: str, path: Path, message: str, *hints: str) -> None:
        """Notes a problem, once."""
        self.problems.setdefault((code, path, message), Problem(code, path, message, hints))

    def required(self, group: str, id: str, path: Path) -> Forms:
        """A noun's forms. Raises `Unsaid` where the game has no such noun; `path` is where it is named."""
        forms = self.book.noun(group, id)
        if forms is None:
            raise self.unsaid("E561", path, f"the game has no `{id}` among its `{group}`", *self.book.nearest(group, id))
        return forms

    def stat(self, id: str, path: Path) -> Forms:
        """The forms of a stat; a dotted one (`strength.max`) has those of the stat before the dot. Raises `Unsaid`."""
        return self.book.noun("stats", id) or self.required("stats", id.split(".")[0], path)

    def name_of(self, forms: Forms, what: str, path: Path) -> tuple[Template, ...]:
        """The templates of a noun's name. Raises `Unsaid` where it has none; `what` names it."""
        if "say" not in forms:
            raise self.unsaid("E561", path, f"{what} has no words", "give it `say`")
        return self.book.templates(forms["say"])

    def unsaid(self, code: str, path: Path, message: str, *hints: str) -> Unsaid:
        """Notes a problem and gives the exception to raise."""
        self.fault(code, path, message, *hints)
        return Unsaid()


class Words(NamedTuple):
    """Words that are already made. `many` takes the plural; `path` is where the data stands that they say."""

    words: str
    many: bool = False

    def text(self, page: Page, scope: Scope, form: str) -> str | None:
        return self.words

    def number(self, page: Page, scope: Scope) -> int:
        return int(self.many)


GIVEN = Words("")
"""Something that is there and has no words of its own: a flag that a template asks for."""
