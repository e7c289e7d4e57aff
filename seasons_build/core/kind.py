"""What a kind of entry is: its schema, composed flat, and what the schema announces of its strings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from seasons_build.core.named import NamedTuple
from seasons_build.core.span import Path

Schema: TypeAlias = Mapping[str, Any]
Want: TypeAlias = Literal["number", "truth", "dice", "amount"]
Role: TypeAlias = Literal["rules", "flavor", "label", "prose"]

CORE = "core"
"""The pack id under which the language's own kinds stand."""


class Reference(NamedTuple):
    """A text that names another entry: `kind` is what the schema says (None: the text says it, as `kind/id`); `part` is the map of that
    entry in which the rest of the text names a part (`service-rifle/fire`); `key` when it is the key of a map and not a value."""

    path: Path
    kind: str | None
    text: str
    part: str | None = None
    key: bool = False


class Formula(NamedTuple):
    """A text that is an expression, and what it must give."""

    path: Path
    want: Want
    text: str


class Prose(NamedTuple):
    """A text that people read, and its role on the page."""

    path: Path
    role: Role
    text: str


class Word(NamedTuple):
    """A text that must be one of the small words that the game declares under `noun`; `key` when it is the key of a map, and then `beside`
    are the fields that could stand in its place."""

    path: Path
    noun: str
    text: str
    key: bool = False
    beside: frozenset[str] = frozenset()


class Announced(NamedTuple):
    """All that a schema announces of one entry, in the order of the file."""

    references: tuple[Reference, ...] = ()
    formulas: tuple[Formula, ...] = ()
    prose: tuple[Prose, ...] = ()
    words: tuple[Word, ...] = ()


NOTHING = Announced()


class Field(NamedTuple):
    """One field of a kind, for default pages and reference documents."""

    id: str
    title: str
    description: str
    schema: Schema
    own: bool = True
    """Whether the kind's own schema lists it; else it is a word of the language."""


class Kind(NamedTuple):
    """A kind of entry. `schema` is flat: no `$ref` but to its own `$defs`, and `additionalProperties: false` where it lists properties."""

    id: str
    pack: str
    title: str
    description: str
    schema: Schema
    fields: tuple[Field, ...]
    broken: bool = False
    """Its schema is at fault: what its entries hold is unknown, and no fault of theirs."""

    def field(self, name: str) -> Field | None:
        """The field of that name."""
        return next((f for f in self.fields if f.id == name), None)


class Kinds(NamedTuple):
    """The kinds of each pack, and the core's own blocks."""

    by_name: Mapping[tuple[str, str], Kind]
    blocks: Mapping[str, Schema]

    def find(self, scope: tuple[str, ...], word: str) -> Kind | None:
        """The kind that a pack with this scope means by a word."""
        for owner in (*scope, CORE):
            if (owner, word) in self.by_name:
                return self.by_name[owner, word]
        return None

    def words(self, scope: tuple[str, ...]) -> list[str]:
        """The names of all kinds in a scope."""
        return sorted(kind for owner, kind in self.by_name if owner in scope or owner == CORE)
