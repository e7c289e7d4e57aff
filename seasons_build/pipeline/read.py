"""From files to what they mean: sources, load, kinds, amend, check, link, evaluate.

In: a project's folder, or sources that are open. Out: a `Project`, with every finding that needs no template and no layout.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from seasons_build.amend import PackContent, amend
from seasons_build.check import Checked, Checker, unrequired, untranslated
from seasons_build.core.diagnostic import Diagnostic, Result, apart_from, errors
from seasons_build.core.document import Document
from seasons_build.core.entry import Amended, Entry, Key, Library, Noun
from seasons_build.core.kind import Announced, Kinds
from seasons_build.core.limits import DEFAULT, Limits
from seasons_build.core.named import NamedTuple
from seasons_build.core.sheet import Sheet
from seasons_build.evaluate import Left, Memory, Tried, choose, evaluate, try_cases
from seasons_build.kinds import compose_kinds
from seasons_build.language.phrases import Lines
from seasons_build.link import Leads, Linked, PackInput, is_ahead, kinds_named, link, requirements, scopes
from seasons_build.load import collector_at_rest, load
from seasons_build.pipeline.again import Again
from seasons_build.pipeline.documents import Parse, Reading, certain
from seasons_build.pipeline.languages import Overlay, in_language, is_in, is_translated, language_of
from seasons_build.pipeline.naming import apart_from_fresh, faults_of_names, faults_of_places
from seasons_build.pipeline.pictures import missing_pictures
from seasons_build.pipeline.sound import Sound, SoundFiles
from seasons_build.pipeline.waiting import that_can_wait
from seasons_build.sources import PackFiles, Sources, kind_of, open_sources

UNKNOWN_KIND = "E201"
"""What may be said wrongly of a pack that requires something that was not read."""

GROWN = 1_000_000
"""How many more blocks of memory may be in use than when the collector last looked at what is set aside, before it does so again."""

_looked_at = [0]

Leaving: TypeAlias = Callable[[Library, Sources, frozenset[str]], Left]
"""Says what an earlier program has left of the evaluation of a library, but for packs that can wait."""

class Project(NamedTuple):
    """A project as read and worked out. `texts` has the source of every file that a diagnostic may point into."""

    root: Path
    sources: Sources
    library: Library
    sheets: Mapping[Key, Sheet]
    lines: Mapping[Key, Lines]
    diagnostics: tuple[Diagnostic, ...]
    texts: Mapping[str, str]
    unread: frozenset[str] = frozenset()
    """The packs that a file of could not be read: their products keep their old files."""
    memory: Memory | None = None
    """What was worked out, to be gone on from."""


def read(
    project: Path | None = None,
    extra: tuple[Path, ...] = (),
    named: Iterable[str] = (),
    limits: Limits = DEFAULT,
    *,
    patient: bool = False,
) -> Project:
    """A project with its own packs, those of `extra` folders, those `named`, and all that they require; with no pack at all, every game
    that the package ships. `patient` is as `work_out` takes it."""
    sources, root = open_sources(project, extra, limits)
    return read_sources(sources, root, named, limits, patient=patient)


def read_library(project: Path | None = None, extra: tuple[Path, ...] = (), named: Iterable[str] = (), limits: Limits = DEFAULT) -> Project:
    """As `read`, but nothing is worked out: there are no sheets and no lines, and no finding of theirs."""
    sources, root = open_sources(project, extra, limits)
    return link_sources(sources, root, named, limits)


def read_sources(
    sources: Sources, root: Path, named: Iterable[str] = (), limits: Limits = DEFAULT, parse: Parse | None = None, *, patient: bool = False
) -> Project:
    """As `read`, of sources that are already open. `parse` stands in for `load`, with what was parsed before; `patient` is as `work_out`
    takes it."""
    return work_out(link_sources(sources, root, named, limits, parse), patient=patient)


@collector_at_rest()
def work_out(
    project: Project,
    pack: str | None = None,
    before: Project | None = None,
    *,
    remember: bool = False,
    patient: bool = False,
    left_by: Leaving | None = None,
) -> Project:
    """The project with its sheets and lines: those of all packs, or those of one pack and of what it requires. `before` is the project as
    it was, if it was worked out to be remembered: what still holds of it is not worked out again. For who is `patient`, entries of the
    games that come with the program are worked out when they are asked for, and no note is made of them; so are those of which
    `left_by` says that an earlier program worked them out and that all of it holds."""
    packs = project.library.packs
    left = frozenset(packs) - frozenset(packs[pack].scope) if pack is not None else frozenset()
    memory = before.memory if before is not None else None
    later = that_can_wait(project.library) - left - project.unread if patient else frozenset()
    known = left_by(project.library, project.sources, later) if left_by is not None else None
    evaluated = evaluate(project.library, project.unread | left, memory, remember=remember, later=later, left=known)
    found = tuple(dict.fromkeys((*project.diagnostics, *evaluated.diagnostics)))
    _looked_at[0] = _looked_at[0] or sys.getallocatedblocks()
    gc.freeze()  # what was read stays: else the collector looks at all of it as soon as it may again, and once more at the end
    return project._replace(sheets=evaluated.value.sheets, lines=evaluated.value.lines, diagnostics=found, memory=evaluated.value.memory)


@collector_at_rest()
def link_sources(
    sources: Sources,
    root: Path,
    named: Iterable[str] = (),
    limits: Limits = DEFAULT,
    parse: Parse | None = None,
    again: Again | None = None,
    sound: SoundFiles | None = None,
) -> Project:
    """The packs of a run linked to one library, nothing worked out. `parse` stands in for `load`, with what was parsed before; `again`
    has what was made the last time, `sound` what an earlier program left of it."""
    _let_go()
    again = again or Again()
    again.begin()
    reading = Reading(sources, parse or (lambda name, raw: load(name, raw, limits)), again)
    reading.found += (*faults_of_places(sources), *faults_of_names(sources))
    manifests = _manifests(reading, named)
    kinds, schemas = _kinds(reading, manifests)
    inputs, unread, leads = _packs(reading, kinds, manifests, sound)

    def linked_on(before: Result[Linked] | None) -> Result[Linked]:
        return link(inputs, kinds, before.value if before is not None else None, sources.known, leads)

    linked = again.made("link", (kinds,), (object(),), linked_on)
    strays = kinds_named({name: schema for name, schema in schemas.items() if name[0] not in unread}, linked.value.library)
    pictures = missing_pictures(linked.value.library, sources)
    found = tuple(apart_from_fresh(dict.fromkeys((*reading.found, *linked.diagnostics, *strays, *pictures))))
    gc.freeze()
    if sound is not None and not unread:
        sound.note(linked.value, found)
    return Project(root, sources, linked.value.library, {}, {}, found, reading.texts, unread)


def _let_go() -> None:
    """Lets go of projects that were read before and that nobody holds any more: else a process that reads many keeps them all."""
    if sys.getallocatedblocks() - _looked_at[0] > GROWN:
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        _looked_at[0] = sys.getallocatedblocks()


class _Manifest(NamedTuple):
    """A pack's files and its manifest: whether it could be read to the end, and whether it is ahead of this version, so that its content is
    not read at all."""

    files: PackFiles
    document: Document | None
    whole: bool
    ahead: bool


def _manifests(reading: Reading, named: Iterable[str]) -> Mapping[str, _Manifest]:
    """The packs of a run: those wanted, and all that they require."""
    sources = reading.sources
    found: dict[str, _Manifest] = {}
    wanted = _wanted(sources, named)
    for pack in wanted:
        files = sources.packs[pack]
        document, whole = reading.document(files.manifest) if files.manifest else (None, False)
        needs = requirements(document.data) if document else {}
        found[pack] = _Manifest(files, document, whole, document is not None and is_ahead(document.data))
        wanted += [needed for needed in needs if needed not in wanted and sources.seek(needed)]
    return found


def _wanted(sources: Sources, named: Iterable[str]) -> list[str]:
    own = [pack.id for pack in sources.packs.values() if not pack.shipped]
    wanted = list(dict.fromkeys([*own, *(p for p in named if sources.seek(p))]))
    return wanted or ([] if sources.refused or sources.reserved else list(sources.packs))


def _kinds(reading: Reading, manifests: Mapping[str, _Manifest]) -> tuple[Kinds, Mapping[tuple[str, str], Document]]:
    """The kinds, and the schemas of packs as they were typed, by pack and kind."""
    core = {name: document for name, document in _schemas(reading, reading.sources.core_schemas) if document is not None}
    packs = {pack: dict(_schemas(reading, () if manifest.ahead else manifest.files.schemas)) for pack, manifest in manifests.items()}
    given: list[object] = [part for name, document in core.items() for part in (name, document)]
    given += [part for pack, documents in packs.items() for name, document in documents.items() for part in (pack, name, document)]
    composed = reading.again.made("kinds", (), tuple(given), lambda _: compose_kinds(core, packs))
    reading.found += composed.diagnostics
    return composed.value, {(pack, kind): schema for pack, of in packs.items() for kind, schema in of.items() if schema is not None}


def _schemas(reading: Reading, names: Iterable[str]) -> Iterator[tuple[str, Document | None]]:
    for name in names:
        document, whole = reading.document(name)
        yield kind_of(name), document if whole else None


def _packs(
    reading: Reading, kinds: Kinds, manifests: Mapping[str, _Manifest], sound: SoundFiles | None
) -> tuple[dict[str, PackInput], frozenset[str], Mapping[Key, Leads]]:
    """What is in each pack, the packs of which something is unknown, since what seems to be missing in them may be in what was not read,
    and what is known of where names lead."""
    checker = reading.again.made("checker", (), (kinds,), lambda _: Checker(kinds))
    scope = scopes({pack: PackInput(pack, False, False, "", manifest.document) for pack, manifest in manifests.items()})
    blind = {owner for (owner, _), kind in kinds.by_name.items() if kind.broken}
    contents: dict[str, _Content] = {}
    for pack, manifest in manifests.items():
        faults = checker.manifest(manifest.document) if manifest.document is not None else ()
        reading.found += faults if manifest.whole else list(certain(manifest.files.manifest, faults, reading.found))
        lacks = any(needed not in manifests for needed in requirements(manifest.document.data)) if manifest.document else True
        sure = manifest.whole and not lacks and not errors(faults) and not manifest.ahead
        shut = any(f"{folder}/".startswith(manifest.files.folder) for folder in reading.sources.shut)
        content = _content(reading, manifest, unsure=not sure or pack in blind or shut)
        if sure and manifest.document is not None and not manifest.files.schemas:
            others = {other: files.kinds for other, files in reading.sources.packs.items() if other not in scope[pack]}
            strange = list(unrequired(manifest.document, content.documents, kinds.words(scope[pack]), others))
            reading.found += strange
            content = content._replace(partial=content.partial or bool(strange))
        contents[pack] = content
    spoken = language_of({pack: m.document for pack, m in manifests.items() if m.files.own and m.document})
    reading.found += spoken.diagnostics
    overlays = _overlays(reading, manifests, scope, *spoken.value) if spoken.value else ()
    amended = _amended(reading.again, contents, scope, overlays)
    known = Sound()
    if sound is not None and not overlays:
        documents = {pack: content.documents for pack, content in contents.items()}
        known = sound.known(reading.sources, documents, scope, amended.value)
    faulty: set[Key] = set()
    told = len(reading.found)

    def checked() -> dict[str, PackInput]:
        return {
            pack: _pack(reading, checker, manifest, contents[pack], scope[pack], amended.value, faulty, known.entries)
            for pack, manifest in manifests.items()
        }

    inputs = checked()
    if moved := _moved(checker, contents, scope, reading.found[told:]):
        contents = {**contents, **moved}
        amended, known = _amended(reading.again, contents, scope, overlays), Sound()
        faulty.clear()
        del reading.found[told:]
        inputs = checked()
    reading.found = apart_from((*reading.found, *amended.diagnostics), faulty)
    if spoken.value and overlays:
        translated = in_language(inputs, overlays, scope, spoken.value[0])
        inputs, reading.found = translated.value, [*reading.found, *translated.diagnostics]
        files = {pack: document for about, document in overlays for pack in scope[about]}
        for pack, document in sorted(files.items()):
            if pack in spoken.value[1] and not is_translated(inputs[pack], amended.value):
                continue  # what it says itself is typed in its language
            reading.found += untranslated(inputs[pack].entries, amended.value, spoken.value[0], document)
    unread = frozenset(p for p in inputs if any(inputs[o].partial for o in scope[p]))
    adrift = {name for pack in unread for name in manifests[pack].files.content}
    reading.found = [d for d in reading.found if not (d.code == UNKNOWN_KIND and d.span and d.span.file in adrift)]
    return inputs, unread, known.leads


def _amended(
    again: Again, contents: Mapping[str, _Content], scope: Mapping[str, tuple[str, ...]], overlays: tuple[Overlay, ...]
) -> Result[Mapping[Key, Amended]]:
    """The entries that others change, as they are then, or as they were."""
    packs = {pack: PackContent(content.documents, scope[pack], content.partial) for pack, content in contents.items()}
    given: list[object] = [part for pack, content in packs.items() for part in (pack, *content.documents, content.scope, content.partial)]
    given += [part for overlay in overlays for part in overlay]
    return again.made("amended", (), tuple(given), lambda _: amend(packs, overlays))


def _overlays(
    reading: Reading, manifests: Mapping[str, _Manifest], scope: Mapping[str, tuple[str, ...]], language: str, packs: tuple[str, ...]
) -> tuple[Overlay, ...]:
    """The files below `lang/` of some packs and of those that they require, in one language."""
    names = [(o, n) for o in sorted({o for pack in packs for o in scope[pack]}) for n in manifests[o].files.lang if is_in(n, language)]
    read = [(owner, reading.document(name)[0]) for owner, name in names]
    return tuple((owner, document) for owner, document in read if document is not None)


class _Content(NamedTuple):
    """The content files of a pack, each with what was found while it was read and whether that was to its end; and whether something of the
    pack is unknown."""

    files: tuple[tuple[Document | None, bool, tuple[Diagnostic, ...]], ...]
    partial: bool

    @property
    def documents(self) -> tuple[Document, ...]:
        """The files that could be read."""
        return tuple(document for document, _, _ in self.files if document is not None)


def _content(reading: Reading, manifest: _Manifest, *, unsure: bool) -> _Content:
    files = []
    for name in () if manifest.ahead else manifest.files.content:
        before = len(reading.found)
        document, whole = reading.document(name)
        files.append((document, whole, tuple(reading.found[before:])))
        del reading.found[before:]
    return _Content(tuple(files), unsure or not all(whole for _, whole, _ in files))


def _moved(
    checker: Checker, contents: Mapping[str, _Content], scope: Mapping[str, tuple[str, ...]], found: Sequence[Diagnostic]
) -> dict[str, _Content]:
    """The packs with lines that stand in the wrong place: without these and what is behind them."""
    if not errors(list(found)):
        return {}
    from seasons_build.pipeline.slipped import without_slipped

    made = {}
    for pack, content in contents.items():
        files = without_slipped(checker, pack, scope[pack], content.files, content.partial, found)
        if files != content.files:
            made[pack] = _Content(files, True)
    return made


def _pack(
    reading: Reading,
    checker: Checker,
    manifest: _Manifest,
    content: _Content,
    scope: tuple[str, ...],
    amended: Mapping[Key, Amended],
    faulty: set[Key],
    sound: frozenset[Key],
) -> PackInput:
    """The content of a pack; entries that are not known to be sound are checked, and those that something is wrong with go to `faulty`."""
    files = manifest.files
    entries: list[Entry] = []
    cases: list[Entry] = []
    nouns: list[Noun] = []
    announced: list[tuple[Document, Announced]] = []
    for document, whole, told in content.files:
        reading.found += told
        if document is None:
            continue
        checked = _checked(reading.again, checker, document, files.id, scope, amended, sound)
        reading.found += checked.diagnostics if whole else list(certain(document.file, checked.diagnostics, reading.found))
        entries += checked.value.entries
        faulty |= checked.value.faulty
        cases += checked.value.cases
        nouns += checked.value.nouns
        announced.append((document, checked.value.announced))
    return PackInput(
        files.id,
        files.own,
        files.shipped,
        files.folder,
        manifest.document,
        entries=tuple(entries),
        cases=tuple(cases),
        nouns=tuple(nouns),
        announced=tuple(announced),
        broken=content.partial and files.manifest is not None,
        partial=content.partial,
    )


def _checked(
    again: Again,
    checker: Checker,
    document: Document,
    pack: str,
    scope: tuple[str, ...],
    amended: Mapping[Key, Amended],
    sound: frozenset[Key],
) -> Result[Checked]:
    """A content file as it is checked, or as it was."""
    keys = ((pack, word, name) for word, body in document.data.items() if amended and isinstance(body, Mapping) for name in body)
    given = (document, *(amended.get(key) for key in keys))

    def make(before: Result[Checked] | None) -> Result[Checked]:
        return checker.content(document, pack, scope, amended, before.value if before is not None else None, sound)

    return again.made(("content", pack, document.file), (checker, scope), given, make)


def select(project: Project, condition: str) -> frozenset[Key] | str:
    """The entries for which a condition holds, or in words what is wrong with it.

    An entry of a kind that has no such names is left out; a condition that no kind can read is a mistake.
    """
    return choose(project.library, condition)


def try_games(project: Project) -> Tried:
    """How the games' own cases come out."""
    return try_cases(project.library)
