"""An entry, a pack, a library: what the stages after `check` speak of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from seasons_build.core.document import Document, Value
from seasons_build.core.kind import NOTHING, Announced, Kind
from seasons_build.core.span import Path, Span

Key: TypeAlias = tuple[str, str, str]
"""Pack, kind and id of an entry."""


def typed_at(origins: Mapping[Path, Path], path: Path) -> Path:
    """Where the value that is read at `path` was typed: by the longest beginning of the path that `origins` knows, again and again, since
    a variant may be made from a variant."""
    before: Path = ()
    while origins and path != before:
        before = path
        known = next((n for n in range(len(path), 0, -1) if path[:n] in origins), 0)
        path = (*origins[path[:known]], *path[known:]) if known else path
    return path


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry as typed. `broken` entries keep their place in the index, so that references to them are no second error, and are left
    out of what is evaluated and printed."""

    pack: str
    kind: str
    id: str
    data: Mapping[str, Value]
    document: Document
    announced: Announced = NOTHING
    broken: bool = False
    origins: Mapping[Path, Path] = field(default_factory=dict)
    """Where values were typed that stand at another path than the one they are read at (variants); the longest match holds."""
    place: Path = ()
    """Where it stands in its document, if not under its kind and id: what a case gives."""

    @property
    def base(self) -> Path:
        """Where it stands in its document."""
        return self.place or (self.kind, self.id)

    @property
    def key(self) -> Key:
        return self.pack, self.kind, self.id

    @property
    def name(self) -> str:
        """What people call it; its id where it has no name."""
        found = self.data.get("name") if isinstance(self.data, Mapping) else None
        return found if isinstance(found, str) else self.id

    def span(self, path: Path = ()) -> Span:
        """A value of the entry."""
        return self.document.span((*self.base, *self.typed(path)))

    def key_span(self, path: Path = ()) -> Span:
        """The key of a value; without a path, the entry's own id."""
        return self.document.key_span((*self.base, *self.typed(path)))

    def inside(self, path: Path, start: int, end: int) -> Span:
        """A stretch of a text of the entry."""
        return self.document.inside((*self.base, *self.typed(path)), start, end)

    def typed(self, path: Path) -> Path:
        """Where the value that is read at `path` was typed."""
        return typed_at(self.origins, path)

    def __str__(self) -> str:
        return f"{self.pack}:{self.kind}/{self.id}"


@dataclass(frozen=True, slots=True)
class Noun:
    """One thing that a game declares under `rules:`, and where it stands."""

    noun: str
    id: str
    data: Value
    document: Document
    pack: str = ""

    def span(self, path: Path = ()) -> Span:
        return self.document.span(("rules", self.noun, self.id, *path))

    def key_span(self, path: Path = ()) -> Span:
        return self.document.key_span(("rules", self.noun, self.id, *path))

    def inside(self, path: Path, start: int, end: int) -> Span:
        return self.document.inside(("rules", self.noun, self.id, *path), start, end)


Rules: TypeAlias = Mapping[str, Mapping[str, Noun]]
"""What is declared, by noun and id, in the order typed."""


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack: its manifest and what it may use. `scope` is the pack itself and then all that it requires, nearest first."""

    id: str
    own: bool
    shipped: bool
    manifest: Mapping[str, Value]
    document: Document | None
    requires: tuple[str, ...]
    scope: tuple[str, ...]
    broken: bool = False

    @property
    def title(self) -> str:
        found = self.manifest.get("title")
        return found if isinstance(found, str) else self.id

    @property
    def version(self) -> str:
        return str(self.manifest.get("version", ""))


@dataclass(frozen=True, slots=True)
class Library:
    """Everything that was read, linked: `targets` has the entry that each reference leads to, by entry and path."""

    packs: Mapping[str, Pack]
    kinds: Mapping[tuple[str, str], Kind]
    entries: Mapping[Key, Entry]
    rules: Mapping[str, Rules]
    """By pack: what it declares and what the packs that it requires declare."""
    targets: Mapping[Key, Mapping[Path, Key]]
    by_kind: Mapping[tuple[str, str], tuple[Entry, ...]] = field(default_factory=dict)
    """By pack and kind, in the order of ids."""
    cases: tuple[Entry, ...] = ()
    """What the games' own tests give: entries that stand nowhere else."""

    def kind_of(self, entry: Entry) -> Kind:
        """The kind of an entry, found where the entry's pack may look."""
        found = self.find_kind(entry.pack, entry.kind)
        assert found is not None, f"{entry} passed check without a kind"
        return found

    def find_kind(self, pack: str, kind: str) -> Kind | None:
        """The kind that a pack means by a word."""
        for owner in (*self.packs[pack].scope, "core"):
            if (owner, kind) in self.kinds:
                return self.kinds[owner, kind]
        return None

    def of_kind(self, pack: str, kind: str) -> tuple[Entry, ...]:
        """The entries of a kind that a pack may name: its own and those of the packs it requires."""
        return tuple(e for owner in self.packs[pack].scope for e in self.by_kind.get((owner, kind), ()))
