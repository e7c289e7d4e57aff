"""Who names an entry, and another id for it everywhere: found by reading the game as it would be without the entry.

A reference that a schema announces is known. All else that means an entry (a name in a formula, a line of a record, a case) is what the
compiler misses once the entry is called otherwise; where the id stands at the place of such a finding, it is that entry's.
"""

from __future__ import annotations

import codecs
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.edit import Edit, edited, rows_of
from seasons_build.core.entry import Entry
from seasons_build.core.record import dataclass, field
from seasons_build.core.span import Span
from seasons_build.pipeline.author import Desk
from seasons_build.pipeline.read import Project, try_games
from seasons_build.rename import leaving, mentions, references, replaced, stand_in
from seasons_build.save import save

ROUNDS = 6
"""How often the game is read again: a finding may hide another behind it."""

TEXTS = (".json", ".yaml", ".yml", ".j2", ".css")


@dataclass(frozen=True, slots=True)
class Use:
    """A place where an entry is named, and the entry in which that stands; None in rules and manifests."""

    span: Span
    user: Entry | None


@dataclass(frozen=True, slots=True)
class Renamed:
    """What was changed: the files with their edits; what is to be said; other places where the old id still stands."""

    edits: Mapping[str, tuple[Edit, ...]]
    diagnostics: tuple[Diagnostic, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    left: tuple[Span, ...] = ()


def uses(desk: Desk, project: Project, entry: Entry) -> list[Use]:
    """Where an entry is named in the files that were read, in their order."""
    spans = sorted(_found(desk, project, entry) - {entry.key_span()})
    owners = _owners(project, {span.file for span in spans})
    return [Use(span, _user(owners.get(span.file, ()), span)) for span in spans]


def rename(desk: Desk, project: Project, entry: Entry, new: str) -> Renamed:
    """Gives an entry of the project another id, in every file of the project, and makes it remember the old one.

    Codes: E763 (it cannot be done without breaking something), E761 (a file cannot be written).
    """
    own = _own(project)
    spans = [span for span in sorted(_found(desk, project, entry)) if span.file in own]
    edits = [*replaced(project.texts, spans, entry.id, new), leaving(entry, new)]
    by_file = {name: tuple(e for e in edits if e.span.file == name) for name in sorted({e.span.file for e in edits})}
    files = {name: _bytes(project, name, made) for name, made in by_file.items()}
    reread = desk.reread(files)
    broken = _fresh(project.diagnostics, (*reread.diagnostics,))
    if [d for d in broken if d.severity == "error"] or (entry.pack, entry.kind, new) not in reread.library.entries:
        message = f"`{entry.id}` cannot be called `{new}` without breaking what follows; nothing was changed"
        return Renamed({}, (Diagnostic("E763", message, entry.key_span()), *broken), reread.texts)
    refused = save(desk.root, files, new=False)
    return Renamed({} if refused else by_file, refused, project.texts, _left(project, entry.id))


def _found(desk: Desk, project: Project, entry: Entry) -> set[Span]:
    """Everywhere that the id means the entry, where it stands first among them."""
    texts = project.texts
    word = stand_in(entry.id, texts.values())
    spans = {entry.key_span(), *references(project.library, entry.key)}
    before = project.diagnostics
    failing = _failing(project, entry.id)
    for _ in range(ROUNDS):
        edits = replaced(texts, spans, entry.id, word)
        files = {name: _bytes(project, name, [e for e in edits if e.span.file == name]) for name in sorted({s.file for s in spans})}
        reread = desk.reread(files, project.library.packs)
        missed = [d for d in _fresh(before, reread.diagnostics) if d.span and d.span.file in texts]
        more = {span for d in missed if d.span for span in _meant(texts[d.span.file], d, entry.id)}
        # What a case gives is judged by what it expects: the one that fails now has the entry somewhere in it.
        fails = _failing(reread, entry.id) - failing
        more |= {span for whole in fails for span in mentions(texts[whole.file], whole, entry.id)}
        if more <= spans:
            break
        spans |= more
    return spans


def _meant(text: str, missed: Diagnostic, identifier: str) -> Iterable[Span]:
    """Where the id stands that a finding is about: in its place, else in its lines if it speaks of the id."""
    assert missed.span is not None
    inside = list(mentions(text, missed.span, identifier))
    if inside or f"`{identifier}`" not in missed.message:
        return inside
    return mentions(text, Span(missed.span.file, missed.span.line, 1, missed.span.end_line + 1, 1), identifier)


def _failing(project: Project, identifier: str) -> frozenset[Span]:
    """The cases of the project's own games that do not come out, where any of them has the id in its file."""
    packs, rules = project.library.packs, project.library.rules
    cases = {(c.pack, c.id): c for pack in packs for c in rules[pack].get("cases", {}).values() if packs[c.pack].own}
    sources = {case.document.file: case.document.source for case in cases.values()}
    if not any(any(mentions(text, _whole(name, text), identifier)) for name, text in sources.items()):
        return frozenset()
    failed = [(tried.pack, tried.id) for tried in try_games(project).cases if tried.failures]
    return frozenset(cases[name].span() for name in failed if name in cases)


def _fresh(before: tuple[Diagnostic, ...], after: tuple[Diagnostic, ...]) -> list[Diagnostic]:
    """The findings that were not there before; one of the same code at the same place was."""
    known = {(d.code, d.span.file, d.span.line) for d in before if d.span}
    return [d for d in after if d.span and (d.code, d.span.file, d.span.line) not in known]


def _bytes(project: Project, name: str, edits: Iterable[Edit]) -> bytes:
    """A file with its edits, and all else in it as it is."""
    raw, text = project.sources.read(name), project.texts[name]
    line = "\r\n" if "\r\n" in text else "\n"
    made = edited(text, [replace(edit, text=edit.text.replace("\n", line)) for edit in edits])
    return codecs.BOM_UTF8 * raw.startswith(codecs.BOM_UTF8) + made.encode()


def _own(project: Project) -> frozenset[str]:
    """The files of content that are the project's own."""
    packs = [pack for pack in project.sources.packs.values() if pack.own]
    return frozenset(name for pack in packs for name in (*pack.content, *((pack.manifest,) if pack.manifest else ())))


def _owners(project: Project, files: Collection[str]) -> Mapping[str, Sequence[tuple[Span, Entry]]]:
    """The entries in some files, each with its whole text."""
    found: dict[str, list[tuple[Span, Entry]]] = {}
    for entry in project.library.entries.values():
        whole = entry.document.span(entry.base)
        if whole.file in files:
            found.setdefault(whole.file, []).append((whole, entry))
    return found


def _user(owners: Iterable[tuple[Span, Entry]], span: Span) -> Entry | None:
    """The entry of a file in whose text a place lies."""
    for whole, entry in owners:
        if (whole.line, whole.column) <= (span.line, span.column) <= (whole.end_line, whole.end_column):
            return entry
    return None


def _left(project: Project, identifier: str) -> tuple[Span, ...]:
    """Where an id still stands in the project's templates and schemas, which only people can judge."""
    packs = [pack for pack in project.sources.packs.values() if pack.own]
    names = sorted({name for pack in packs for name in (*pack.schemas, *pack.templates) if name.endswith(TEXTS)})
    texts = {name: project.sources.read(name).decode("utf-8", "replace") for name in names}
    return tuple(span for name, text in texts.items() for span in mentions(text, _whole(name, text), identifier))


def _whole(name: str, text: str) -> Span:
    rows = rows_of(text)
    return Span(name, 1, 1, len(rows), len(rows[-1]) + 1)
