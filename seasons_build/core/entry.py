"""An entry, a pack, a library: what the stages after `check` speak of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from seasons_build.core.document import Document, Value
from seasons_build.core.kind import NOTHING, Announced, Kind
from seasons_build.core.named import NamedTuple
from seasons_build.core.record import dataclass, field
from seasons_build.core.span import Path, Span

Key: TypeAlias = tuple[str, str, str]
"""Pack, kind and id of an entry."""

Site: TypeAlias = tuple[Document, Path]
"""Where a value was typed: the file, and the path to it from the file's top."""


class Change(NamedTuple):
    """What one line did to an entry that stands elsewhere: the pack that typed it, the word (`set`, `add` ...), the path, and the value
    before and after (None: there was none)."""

    pack: str
    word: str
    path: str
    before: Value
    after: Value
    site: Site

    @property
    def span(self) -> Span:
        """The line that did it."""
        document, path = self.site
        return document.key_span(path)


@dataclass(frozen=True, slots=True)
class Amended:
    """An entry as others leave it: `like` is the entry that it starts from, `changes` are those made to it, in the order made, and
    `brought` says where values were typed that do not stand in the entry itself. A `broken` one could not be made."""

    data: Mapping[str, Value]
    brought: Mapping[Path, Site]
    like: Key | None = None
    changes: tuple[Change, ...] = ()
    broken: bool = False
    translated: Mapping[Path, Site] = field(default_factory=dict)
    """Where the texts stand that are in another language than was typed, by path."""


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
    says: Announced | Callable[[], Announced] = field(default=NOTHING, compare=False, repr=False)
    """What its kind announces of it, or what gives that when it is asked for; it follows from all else."""
    broken: bool = False
    origins: Mapping[Path, Path] = field(default_factory=dict)
    """Where values were typed that stand at another path than the one they are read at (variants); the longest match holds."""
    place: Path = ()
    """Where it stands in its document, if not under its kind and id: what a case gives."""
    brought: Mapping[Path, Site] = field(default_factory=dict)
    """Where values were typed that another entry or a patch brought; the longest match holds."""
    like: Key | None = None
    """The entry that it starts from."""
    changes: tuple[Change, ...] = ()
    """What it and other packs changed in what it would else be, in the order made."""
    key: Key = field(init=False, repr=False, compare=False)
    """Its pack, its kind and its id, by which it is found."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", (self.pack, self.kind, self.id))

    @property
    def announced(self) -> Announced:
        """What its kind announces of it."""
        return self.says() if callable(self.says) else self.says

    @property
    def base(self) -> Path:
        """Where it stands in its document."""
        return self.place or (self.kind, self.id)

    @property
    def alone(self) -> bool:
        """Whether it is made of what its own file says, and of nothing else."""
        return self.like is None and not self.changes and not self.brought

    @property
    def name(self) -> str:
        """What people call it; its id where it has no name."""
        found = self.data.get("name")
        return found if isinstance(found, str) else self.id

    @property
    def former(self) -> tuple[str, ...]:
        """The ids that it had."""
        typed = self.data.get("formerly")
        return tuple(old for old in typed if isinstance(old, str)) if isinstance(typed, list) else ()

    def span(self, path: Path = ()) -> Span:
        """A value of the entry."""
        document, typed = self.where(path)
        return document.span(typed)

    def key_span(self, path: Path = ()) -> Span:
        """The key of a value; without a path, the entry's own id."""
        document, typed = self.where(path)
        return document.key_span(typed)

    def inside(self, path: Path, start: int, end: int) -> Span:
        """A stretch of a text of the entry."""
        document, typed = self.where(path)
        return document.inside(typed, start, end)

    def where(self, path: Path = ()) -> Site:
        """Where the value that is read at `path` was typed."""
        path = typed_at(self.origins, path)
        known = next((n for n in range(len(path), 0, -1) if path[:n] in self.brought), 0) if self.brought else 0
        if not known:
            return self.document, (*self.base, *path)
        document, typed = self.brought[path[:known]]
        return document, (*typed, *path[known:])

    def __str__(self) -> str:
        return f"{self.pack}:{self.kind}/{self.id}"


class Noun(NamedTuple):
    """One thing that a game declares under `rules:`, and where it stands."""

    noun: str
    id: str
    data: Value
    document: Document
    pack: str = ""
    faulty: bool = False
    """Whether something in it has not the form that it should: what it would else declare is unknown."""

    def span(self, path: Path = ()) -> Span:
        return self.document.span(("rules", self.noun, self.id, *path))

    def key_span(self, path: Path = ()) -> Span:
        return self.document.key_span(("rules", self.noun, self.id, *path))

    def inside(self, path: Path, start: int, end: int) -> Span:
        return self.document.inside(("rules", self.noun, self.id, *path), start, end)


Rules: TypeAlias = Mapping[str, Mapping[str, Noun]]
"""What is declared, by noun and id, in the order typed."""


class Pack(NamedTuple):
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


@dataclass(frozen=True, slots=True, eq=False)
class Library:
    """Everything that was read, linked: `targets` has the entry that each reference leads to, by entry and path. One is the same as itself
    alone; what two have in common `reading.unchanged` says."""

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
    keys: Mapping[tuple[str, str], tuple[Key, ...]] = field(default_factory=dict)
    """By pack and kind, which entries there are, for who wants no more than that."""

    @property
    def language(self) -> str:
        """The language that things are printed in: that of the project's own packs, the first by id that says one."""
        said = (pack.manifest.get("language") for _, pack in sorted(self.packs.items()) if pack.own)
        return next((language for language in said if isinstance(language, str)), "en")

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

    def keys_of_kind(self, pack: str, kind: str) -> tuple[Key, ...]:
        """Which entries of a kind a pack may name. Nothing that they say is read: a change in one of them is no change of this."""
        return tuple(key for owner in self.packs[pack].scope for key in self.keys.get((owner, kind), ()))

    def of_kind(self, pack: str, kind: str) -> tuple[Entry, ...]:
        """The entries of a kind that a pack may name: its own and those of the packs it requires."""
        return tuple(e for owner in self.packs[pack].scope for e in self.by_kind.get((owner, kind), ()))
