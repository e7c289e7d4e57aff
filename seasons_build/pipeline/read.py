"""From files to what they mean: sources, load, kinds, check, link, evaluate.

In: a project's folder, or sources that are open. Out: a `Project`, with every finding that needs no template and no layout.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from seasons_build.check import Checker
from seasons_build.core.diagnostic import Diagnostic, errors
from seasons_build.core.document import Document
from seasons_build.core.entry import Entry, Key, Library, Noun
from seasons_build.core.kind import Announced, Kinds
from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.core.sheet import Sheet
from seasons_build.core.span import Span
from seasons_build.evaluate import choose, evaluate
from seasons_build.kinds import compose_kinds
from seasons_build.link import PackInput, link, requirements, scopes
from seasons_build.load import load
from seasons_build.sources import CannotRead, PackFiles, Sources, open_sources


@dataclass(frozen=True, slots=True)
class Project:
    """A project as read and worked out. `texts` has the source of every file that a diagnostic may point into."""

    root: Path
    sources: Sources
    library: Library
    sheets: Mapping[Key, Sheet]
    diagnostics: tuple[Diagnostic, ...]
    texts: Mapping[str, str]
    unread: frozenset[str] = frozenset()
    """The packs that a file of could not be read: their products keep their old files."""


@dataclass(slots=True)
class _Reading:
    """What is gathered while files are read."""

    sources: Sources
    limits: Limits
    found: list[Diagnostic] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)

    def document(self, name: str) -> tuple[Document | None, bool]:
        """A file parsed, and whether it is without an error."""
        try:
            raw = self.sources.read(name)
        except CannotRead as error:
            self.found.append(Diagnostic("E101", f"`{name}` cannot be read: {error.why}", Span(name, 1, 1, 1, 1)))
            return None, False
        self.texts[name] = raw.decode("utf-8", "replace").removeprefix("\ufeff")
        result = load(name, raw, self.limits)
        self.found += result.diagnostics
        return result.value, not errors(result.diagnostics)


def read(project: Path | None = None, extra: tuple[Path, ...] = (), named: Iterable[str] = (), limits: Limits = DEFAULT) -> Project:
    """A project with its own packs, those of `extra` folders, those `named`, and all that they require; with no pack at all, every game
    that the package ships."""
    sources, root = open_sources(project, extra, limits)
    return read_sources(sources, root, named, limits)


def read_sources(sources: Sources, root: Path, named: Iterable[str] = (), limits: Limits = DEFAULT) -> Project:
    """As `read`, of sources that are already open."""
    reading = _Reading(sources, limits)
    for pack, used, left in sources.clashes:
        span = Span(f"{left}pack.yaml", 1, 1, 1, 1)
        if not left.startswith("seasons:"):
            reading.found.append(Diagnostic("E316", f"there are two packs `{pack}`: `{used}` is used, `{left}` is not", span))
    manifests: dict[str, Document | None] = {}
    wanted = _wanted(sources, named)
    for pack in wanted:
        files = sources.packs[pack]
        document = reading.document(files.manifest)[0] if files.manifest else None
        manifests[pack] = document
        wanted += [p for p in requirements(document.data) if p in sources.packs and p not in wanted] if document else []
    kinds = _kinds(reading, [sources.packs[p] for p in wanted])
    inputs, unread = _packs(reading, kinds, manifests)
    linked = link(inputs, kinds)
    reading.found += linked.diagnostics
    sheets: Mapping[Key, Sheet] = {}
    if not any(pack.partial for pack in inputs.values()):
        evaluated = evaluate(linked.value)
        sheets = evaluated.value
        reading.found += evaluated.diagnostics
    found = tuple(dict.fromkeys(reading.found))
    return Project(root, sources, linked.value, sheets, found, reading.texts, unread)


def _wanted(sources: Sources, named: Iterable[str]) -> list[str]:
    own = [pack.id for pack in sources.packs.values() if not pack.folder.startswith("seasons:")]
    wanted = list(dict.fromkeys([*own, *(p for p in named if p in sources.packs)]))
    return wanted or list(sources.packs)


def _kinds(reading: _Reading, packs: list[PackFiles]) -> Kinds:
    core = dict(_schemas(reading, reading.sources.core_schemas))
    composed = compose_kinds(core, {pack.id: dict(_schemas(reading, pack.schemas)) for pack in packs})
    reading.found += composed.diagnostics
    return composed.value


def _schemas(reading: _Reading, names: Iterable[str]) -> Iterator[tuple[str, Document]]:
    for name in names:
        document, _ = reading.document(name)
        if document is not None:
            yield name.rpartition("/")[2].removesuffix(".json"), document


def _packs(
    reading: _Reading, kinds: Kinds, manifests: Mapping[str, Document | None]
) -> tuple[dict[str, PackInput], frozenset[str]]:
    checker = Checker(kinds)
    bare = {pack: PackInput(pack, False, False, "", document) for pack, document in manifests.items()}
    scope = scopes(bare)
    inputs: dict[str, PackInput] = {}
    for pack, manifest in manifests.items():
        files = reading.sources.packs[pack]
        if manifest is not None:
            reading.found += checker.manifest(manifest)
        inputs[pack] = _pack(reading, checker, files, manifest, scope[pack])
    unread = frozenset(p for p in inputs if any(inputs[o].partial for o in scope[p]))
    return inputs, unread


def _pack(reading: _Reading, checker: Checker, files: PackFiles, manifest: Document | None, scope: tuple[str, ...]) -> PackInput:
    entries: list[Entry] = []
    nouns: list[Noun] = []
    announced: list[tuple[Document, Announced]] = []
    partial = files.manifest is not None and manifest is None
    for name in files.content:
        document, whole = reading.document(name)
        partial = partial or not whole
        if document is None:
            continue
        checked = checker.content(document, files.id, scope)
        reading.found += checked.diagnostics
        entries += checked.value.entries
        nouns += checked.value.nouns
        announced.append((document, checked.value.announced))
    shipped = files.folder.startswith("seasons:")
    return PackInput(
        files.id, files.own, shipped, files.folder, manifest, tuple(entries), tuple(nouns), tuple(announced), partial, partial
    )



def select(project: Project, condition: str) -> frozenset[Key] | str:
    """The entries for which a condition holds, or in words what is wrong with it.

    An entry of a kind that has no such names is left out; a condition that no kind can read is a mistake.
    """
    return choose(project.library, condition)
