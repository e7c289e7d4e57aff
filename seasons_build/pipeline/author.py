"""Files for a writer to begin with: drafted, read as if they were there already, and written where nothing is wrong with them.

In: a project and names. Out: `Made`, with the names of the files that were written and what is to be said of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from seasons_build.core.diagnostic import Diagnostic, Result, errors
from seasons_build.core.document import Document
from seasons_build.core.entry import Entry
from seasons_build.core.kind import Kind
from seasons_build.core.record import dataclass, field
from seasons_build.load import load
from seasons_build.pipeline.read import Project, read_sources
from seasons_build.save import save
from seasons_build.scaffold import Lacking, copied, drafts, new_game, new_pack
from seasons_build.sources import find_project, open_sources

STARTER = "starter"
"""The word of a manifest that names the kind with which a pack for the game begins."""


@dataclass(frozen=True, slots=True)
class Made:
    """What was written, by its name below `root`, and what there is to say; `texts` has the files that a diagnostic points into."""

    root: Path
    files: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Desk:
    """Where a writer works: the project's folder, and the folders of other packs."""

    project: Path | None
    extra: tuple[Path, ...] = ()
    _parsed: dict[tuple[str, bytes], Result[Document | None]] = field(default_factory=dict)

    @property
    def root(self) -> Path:
        """The folder that new files go to."""
        return find_project(self.project or Path.cwd())

    def reread(self, over: Mapping[str, bytes], named: Iterable[str] = ()) -> Project:
        """The project as it would be with these files."""
        sources, root = open_sources(self.project, self.extra, over=over)
        return read_sources(sources, root, named, parse=self._parse)

    def lay(self, name: str, result: Result[Document | None], raw: bytes) -> None:
        """Lets a document stand for the file that its bytes are: what is found in it is told at the places that the document has."""
        self._parsed[name, raw] = result

    def _parse(self, name: str, raw: bytes) -> Result[Document | None]:
        """A file that was parsed before is not parsed again."""
        if (name, raw) not in self._parsed:
            self._parsed[name, raw] = load(name, raw)
        return self._parsed[name, raw]


def make_entry(desk: Desk, project: Project, pack: str, kind: Kind, identifier: str) -> Made:
    """A file with a new entry of a kind.

    Codes: E760, E761 (the file), E762 (nothing is there that it could name).
    """
    name = f"content/{pack}/{kind.id}/{identifier}.yaml"
    try:
        return _first_sound(desk, project, name, drafts(project.library, pack, kind, identifier), {})
    except Lacking as lacking:
        message = f"a {kind.title.lower()} must name a {lacking.what}, and there is none yet"
        return Made(desk.root, (), (Diagnostic("E762", message, None, ("make that first, with `seasons new`",)),))


def make_copy(desk: Desk, project: Project, pack: str, entry: Entry, identifier: str) -> Made:
    """A file with a copy of an entry under another id. Codes: E760, E761."""
    name = f"content/{pack}/{entry.kind}/{identifier}.yaml"
    return _first_sound(desk, project, name, copied(entry, identifier), {})


def make_pack(desk: Desk, project: Project, game: str, identifier: str) -> Made:
    """A pack that adds to a game, with one entry to begin with. Codes: E760, E761, E762."""
    manifest = {name: text.encode() for name, text in new_pack(identifier, project.library.packs[game]).items()}
    begun = desk.reread(manifest)
    kind = _starter(begun, game)
    if kind is None:
        return _written(desk.root, manifest, begun, project)
    name = f"content/{identifier}/{kind.id}/first-{kind.id}.yaml"
    return _first_sound(desk, begun, name, drafts(begun.library, identifier, kind, f"first-{kind.id}"), manifest)


def make_game(folder: Path, identifier: str) -> Made:
    """A project with a small game of its own. Codes: E760, E761."""
    files = {name: text.encode() for name, text in new_game(identifier).items()}
    refused = save(folder, files, new=True)
    return Made(folder, () if refused else tuple(sorted(files)), refused)


def _starter(project: Project, game: str) -> Kind | None:
    """The kind with which a pack for a game begins: the one that its manifest names, else the first of its first product of cards."""
    library = project.library
    named = library.packs[game].manifest.get(STARTER)
    found = library.find_kind(game, named) if isinstance(named, str) else None
    for product in library.of_kind(game, "product") if found is None else ():
        select = product.data.get("select")
        kinds = select.get("kind") if isinstance(select, Mapping) and product.data.get("layout") == "cards" else None
        for kind in [kinds] if isinstance(kinds, str) else kinds or ():
            found = found or library.find_kind(game, str(kind))
    return found


def _first_sound(desk: Desk, project: Project, name: str, texts: Iterable[str], beside: Mapping[str, bytes]) -> Made:
    """The first of some drafts with which nothing is wrong, written; else the first of all, with what is wrong with it."""
    before = set(project.diagnostics)
    first: tuple[Mapping[str, bytes], Project] | None = None
    for text in texts:
        files = {**beside, name: text.encode()}
        reread = desk.reread(files)
        if not [d for d in reread.diagnostics if d not in before and d.severity != "note"]:
            return _written(desk.root, files, reread, project)
        first = first or (files, reread)
    assert first is not None, "no draft at all"
    return _written(desk.root, *first, project)


def _written(root: Path, files: Mapping[str, bytes], reread: Project, before: Project) -> Made:
    refused = save(root, files, new=True)
    if errors(refused):
        return Made(root, (), refused)
    known = set(before.diagnostics)
    found = tuple(d for d in reread.diagnostics if d not in known and d.span is not None and d.span.file in files)
    return Made(root, tuple(sorted(files)), found, reread.texts)
