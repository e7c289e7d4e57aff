"""What expressions compute with, what they are compiled against, and what they are run against (library: expression)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Literal, Protocol, TypeAlias

from seasons_build.core.named import NamedTuple

Sort: TypeAlias = Literal["number", "truth", "word", "dice", "list", "anything", "unknown"]

Value: TypeAlias = Any
"""Of a number: int, or Fraction where it is not whole. Of a truth: bool. Of a word: str. Of dice: an Amount. Of a list: a sequence."""

_PLAIN: dict[Sort, str] = {
    "number": "a number",
    "truth": "true or false",
    "word": "a word",
    "dice": "dice",
    "list": "a list",
    "anything": "what may be anything",
    "unknown": "something unknown",
}


class Type(NamedTuple):
    """A sort of value; of a word also the closed set it is one of, where there is one."""

    sort: Sort
    words: frozenset[str] | None = None

    def __str__(self) -> str:
        return _PLAIN[self.sort]


NUMBER = Type("number")
TRUTH = Type("truth")
WORD = Type("word")
DICE = Type("dice")
LIST = Type("list")
ANYTHING = Type("anything")
"""The type of what nobody says the sort of: it fits where nothing is worked out with it."""
UNKNOWN = Type("unknown")
"""The type of what is already reported as wrong: it fits everywhere, so that one mistake gives one message."""


def one_of(words: Iterable[str]) -> Type:
    """A word out of a closed set."""
    return Type("word", frozenset(words))


class TableType(NamedTuple):
    """The keys a table is read with, and what it gives."""

    keys: tuple[Type, ...]
    gives: Type = NUMBER


class Scope(Protocol):
    """What an expression may name at the place where it stands. Names, fields and tables are given as an expression writes them;
    kinds as their ids."""

    def type_of(self, name: str) -> Type | None:
        """The type of a name as written, dots included; None where there is no such name."""

    def names(self) -> Iterable[str]:
        """All names, to find the nearest to a misspelt one."""

    def table(self, name: str) -> TableType | None:
        """The table of that name."""

    def tables(self) -> Iterable[str]:
        """The names of all tables."""

    def kinds(self) -> Iterable[str]:
        """The ids of all kinds, and of groups of kinds."""

    def inside(self, kind: str) -> Scope | None:
        """What can be read in each entry of a kind or a group; None where the kind has no entries to read."""


class Env(Protocol):
    """What an expression reads when it is run. Everything in it fits the scope that the expression was compiled against; whatever an
    Env raises goes through `run` untouched."""

    def value(self, name: str) -> Value:
        """The value of a name."""

    def table(self, name: str, keys: tuple[Value, ...]) -> Value | None:
        """What the table gives for its keys; None where it has no such row."""

    def taken(self, entry: str) -> int:
        """How often the entry was taken; 0 where it was not."""

    def has(self, entry: str) -> bool:
        """Whether the entry is there."""

    def owned(self, kind: str) -> Collection[Env]:
        """The entries of a kind or a group that are there, each as what can be read in it."""

    def highest(self, kinds: tuple[str, ...]) -> int:
        """How often the most taken entry of these kinds was taken; 0 where there is none."""

    def stat(self, name: str) -> Value | None:
        """The number of the stat that a word names; None where there is no such stat."""
