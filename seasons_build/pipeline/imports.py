"""A filled sheet read back: from the bytes of a PDF to the YAML of an entry, judged as if it stood in a pack.

In: a project and a file. Out: `Imported`, with the YAML and what is to be said of it, by the names of the fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from seasons_build.core.diagnostic import Diagnostic, errors
from seasons_build.core.document import Document
from seasons_build.core.entry import Key
from seasons_build.core.filled import FilledSheet
from seasons_build.core.names import did_you_mean, slug
from seasons_build.core.record import dataclass
from seasons_build.core.regex import regex
from seasons_build.core.sheet import Sheet
from seasons_build.core.span import Path
from seasons_build.language.yaml_text import entry_text
from seasons_build.load import load
from seasons_build.pipeline.author import Desk
from seasons_build.pipeline.read import Project
from seasons_build.read_form import NoSheet, read_filled
from seasons_build.transcribe import START, Transcript, chosen, fields_of, transcribe

NO_PICTURE = "E728"
"""What says nothing of a sheet: its picture lies with the entry that it was printed from."""
FILE = "content/{pack}/sheet.yaml"
_MADE_FROM = regex(r"# (?P<pack>[a-z0-9-]+):(?P<kind>[a-z0-9-]+)(?:/(?P<id>[a-z0-9-]+))?\n")


@dataclass(frozen=True, slots=True)
class Imported:
    """The YAML of an entry, empty where none could be made, and what there is to say."""

    text: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()


def import_sheet(desk: Desk, raw: bytes, kind: str) -> Imported:
    """What a filled sheet says.

    Codes: E780 (no sheet), E781 (a field says what the game does not know), E782 (a number that the rules do not give), W781 (a field that
    is not taken over); and whatever is wrong with the entry itself.
    """
    try:
        sheet = read_filled(raw)
    except NoSheet as fault:
        return _refused(f"the file is no sheet to read: {fault}")
    made = _MADE_FROM.match(sheet.source)
    if not sheet.fields or made is None:
        return _refused("the file is no sheet of ours: it has no fields, or does not say what it was printed from")
    if made["kind"] != kind:
        return _refused(f"the sheet is of a `{made['kind']}`, not of a `{kind}`")
    project = desk.reread({}, (made["pack"],))
    if made["pack"] not in project.library.packs:
        near = did_you_mean(made["pack"], project.sources.packs)
        return _refused(f"the sheet is of the pack `{made['pack']}`, which is not here", *near)
    return _Import(desk, project, sheet, made["pack"], kind, made["id"] or "").run()


def _refused(message: str, *hints: str) -> Imported:
    return Imported("", (Diagnostic("E780", message, None, hints),))


class _Import:
    """One sheet being read back."""

    def __init__(self, desk: Desk, project: Project, sheet: FilledSheet, pack: str, kind: str, name: str) -> None:
        self._desk = desk
        self._sheet = sheet
        self._library = project.library
        self._pack = pack
        self._kind = kind
        self._name = name
        self._own = next(n for n in ("sheet", *(f"sheet-{i}" for i in range(2, 100))) if n not in project.sources.packs)

    def run(self) -> Imported:
        found = self._library.find_kind(self._pack, self._kind)
        if found is None:
            return _refused(f"the pack `{self._pack}` has no kind `{self._kind}`")
        read = transcribe(self._sheet, self._source(), self._library, self._pack, found)
        data = read.data
        name = self._name or slug(str(data.get("name", ""))) or self._kind
        inputs = self._inputs()
        if START not in data and any(stat in inputs for stat in read.numbers):
            data = {**data, START: {stat: read.numbers[stat] for stat in read.numbers if stat in inputs}}
        read = replace(read, data=data if self._sheet.source.count("\n") > 1 else _ordered(data, found.schema.get("properties", {})))
        judged, sheet = self._judged(name, read)
        began = self._began(chosen(read.data, sheet.open), read.numbers, sheet.stats, inputs)
        if began != read.data:
            read = replace(read, data=began)
            judged, sheet = self._judged(name, read)
        wrong = tuple(self._unlike(read.numbers, sheet.stats)) if not errors(judged) else ()
        return Imported(entry_text(self._kind, name, read.data), (*read.diagnostics, *judged, *wrong))

    def _source(self) -> Mapping[str, Any]:
        """The data that the sheet was printed from."""
        document = load("entry.yaml", self._sheet.source.encode()).value
        by_id = document.data.get(self._kind) if document is not None else None
        data = by_id.get(self._name) if isinstance(by_id, Mapping) else None
        return data if isinstance(data, Mapping) else {}

    def _inputs(self) -> frozenset[str]:
        """The stats that a record begins with."""
        found = set()
        for name, noun in self._library.rules[self._pack].get("stats", {}).items():
            if isinstance(noun.data, Mapping) and "input" in noun.data:
                each = noun.data.get("each")
                found |= set(map(str, each)) if isinstance(each, list) else {name}
        return frozenset(found)

    def _began(self, data: dict[str, Any], numbers: Mapping[str, int], stats: Mapping[str, Any], inputs: frozenset[str]) -> dict[str, Any]:
        """The data with what it began with moved, so that the numbers become those of the sheet."""
        start = dict(data.get(START, {}))
        for stat, number in numbers.items():
            if stat in inputs and stat in stats and number != stats[stat]:
                before = start.get(stat)
                start[stat] = (before if isinstance(before, int) else 0) + number - stats[stat]
        return {**data, START: start} if start else data

    def _judged(self, name: str, read: Transcript) -> tuple[tuple[Diagnostic, ...], Sheet]:
        """What is wrong with an entry, by the fields of its printed sheet, and what was worked out for it."""
        file = FILE.format(pack=self._own)
        manifest = f'id: {self._own}\ntitle: Sheet\nversion: "1"\nformat: 1\nrequires: {{{self._pack}: "*"}}\n'
        over = {file: entry_text(self._kind, name, read.data).encode(), f"content/{self._own}/pack.yaml": manifest.encode()}
        project = self._desk.reread(over, (self._own,))
        key: Key = (self._own, self._kind, name)
        document = load(file, over[file]).value
        told = [d for d in project.diagnostics if d.span is not None and d.span.file == file and d.code != NO_PICTURE]
        return tuple(dict.fromkeys(self._named(d, name, read, document) for d in told)), project.sheets.get(key, Sheet(key))

    def _named(self, diagnostic: Diagnostic, name: str, read: Transcript, document: Document | None) -> Diagnostic:
        """A diagnostic with the field that it is about in place of a line."""
        assert diagnostic.span is not None, "only what stands in the file is told"
        place = (diagnostic.span.line, diagnostic.span.column)
        names = tuple(self._sheet.fields)
        if document is not None:
            for path in sorted(_paths(read.data, ()), key=len, reverse=True):
                whole = (self._kind, name, *path)
                spans = (document.key_span(whole), document.span(whole))
                if place in [(span.line, span.column) for span in spans] and (found := fields_of(path, read, names)):
                    return replace(diagnostic, span=None, message=f"{_called(found)}: {diagnostic.message}")
        return replace(diagnostic, span=None)

    def _unlike(self, numbers: Mapping[str, int], stats: Mapping[str, Any]) -> Iterable[Diagnostic]:
        for stat, number in numbers.items():
            if stat in stats and stats[stat] != number:
                shown = stat.replace(".", "/")
                message = f"field `{shown}`: the sheet says {number}, and the rules give {stats[stat]}"
                yield Diagnostic("E782", message, None, ("look at what it follows from",))


def _called(names: Sequence[str]) -> str:
    return f"field{'s' if len(names) > 1 else ''} {', '.join(f'`{name}`' for name in names)}"


def _ordered(data: Mapping[str, Any], fields: Iterable[str]) -> dict[str, Any]:
    """Data in the order in which the fields of its kind are listed."""
    return {key: data[key] for key in dict.fromkeys((*fields, *data)) if key in data}


def _paths(value: Any, path: Path) -> Iterator[Path]:
    """Every path of plain data."""
    inner = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield (*path, key)
        yield from _paths(one, (*path, key))
