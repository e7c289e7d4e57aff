"""Packs: their manifests, what they require, in which order they are looked in (part of link)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Document, Value
from seasons_build.core.entry import Entry, Noun, Pack
from seasons_build.core.kind import Announced
from seasons_build.core.named import NamedTuple
from seasons_build.core.names import did_you_mean
from seasons_build.core.span import Span

GET_IT = "put its folder into `content/`, name it with --pack, or install the Python package that brings it"
FORMAT = 1
"""The newest format of content files that this version reads."""


class PackInput(NamedTuple):
    """One pack before linking. `announced` are the announcements of its `rules:` blocks, a pair for each file."""

    id: str
    own: bool
    shipped: bool
    folder: str
    document: Document | None
    entries: tuple[Entry, ...] = ()
    cases: tuple[Entry, ...] = ()
    nouns: tuple[Noun, ...] = ()
    announced: tuple[tuple[Document, Announced], ...] = ()
    broken: bool = False
    partial: bool = False
    """A file of it could not be read: what it would have declared is unknown, and so is no fault elsewhere."""


def scopes(inputs: Mapping[str, PackInput]) -> Mapping[str, tuple[str, ...]]:
    """What each pack may use: itself, then all that it requires, nearest first; loops and missing packs are left out."""
    return {pack: tuple(_scope(pack, inputs)) for pack in inputs}


def requirements(manifest: Mapping[str, Value]) -> Mapping[str, str]:
    """The ids of the packs that a manifest requires, with their version ranges."""
    required = manifest.get("requires")
    if not isinstance(required, dict):
        return {}
    return {pack: wanted if isinstance(wanted, str) else "" for pack, wanted in required.items()}


def is_ahead(manifest: Mapping[str, Value]) -> bool:
    """Whether a pack is written in a format that only a newer version reads."""
    written = manifest.get("format", FORMAT)
    return isinstance(written, int) and written > FORMAT


def _scope(start: str, inputs: Mapping[str, PackInput]) -> Iterator[str]:
    seen = [start]
    for pack in seen:
        yield pack
        document = inputs[pack].document
        for needed in requirements(document.data) if document else ():
            if needed in inputs and needed not in seen:
                seen.append(needed)


def read_packs(inputs: Mapping[str, PackInput], found: list[Diagnostic], others: Iterable[str] = ()) -> dict[str, Pack]:
    """The packs by id; their faults go to `found`. `others` are the ids of packs that could have been required."""
    packs: dict[str, Pack] = {}
    for pack in inputs.values():
        document = pack.document
        manifest = document.data if document else {}
        faults: list[Diagnostic] = []
        if document is None and not pack.broken:
            hint = f"write `{pack.folder}pack.yaml` with `id: {pack.id}`, a `title` and a `version`"
            span = Span(f"{pack.folder}pack.yaml", 1, 1, 1, 1)
            faults.append(Diagnostic("E313", f"the pack `{pack.id}` has no `pack.yaml`", span, (hint,)))
        if document is not None:
            faults += _manifest(pack, document, inputs, others)
        found += faults
        scope = tuple(_scope(pack.id, inputs))
        requires = tuple(requirements(manifest))
        packs[pack.id] = Pack(pack.id, pack.own, pack.shipped, manifest, document, requires, scope, pack.broken or bool(faults))
    found += _loops(inputs)
    return packs


def _manifest(pack: PackInput, document: Document, inputs: Mapping[str, PackInput], others: Iterable[str]) -> Iterator[Diagnostic]:
    manifest = document.data
    if isinstance(manifest.get("id"), str) and manifest["id"] != pack.id:
        hint = f"call the folder `{manifest['id']}`, or write `id: {pack.id}`"
        yield Diagnostic("E314", f"the pack `{manifest['id']}` lies in a folder called `{pack.id}`", document.span(("id",)), (hint,))
    if is_ahead(manifest):
        hint = "install a newer version of Seasons Build"
        message = f"the pack is written in format {manifest['format']}; this version reads up to format {FORMAT}"
        yield Diagnostic("E315", message, document.span(("format",)), (hint,))
    for needed, wanted in requirements(manifest).items():
        span = document.key_span(("requires", needed))
        if needed not in inputs:
            hints = did_you_mean(needed, {*inputs, *others} - {pack.id}) or (GET_IT,)
            yield Diagnostic("E310", f"the pack `{needed}` is not here", span, hints)
            continue
        yield from _fits(needed, wanted, inputs[needed].document, document.span(("requires", needed)))


def _fits(needed: str, wanted: str, other: Document | None, span: Span) -> Iterator[Diagnostic]:
    """What is wrong with a range of versions, and whether the pack that is here lies in it."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet
    from packaging.version import InvalidVersion, Version

    try:
        allowed = SpecifierSet(wanted)
    except InvalidSpecifier:
        yield Diagnostic("E312", f"`{wanted}` is no range of versions", span, ('for example ">=1.0,<2"',))
        return
    version = str(other.data.get("version", "")) if other else ""
    try:
        fits = not version or Version(version) in allowed
    except InvalidVersion:
        return
    if not fits:
        message = f"`{needed}` is here in version {version}, and this pack asks for `{wanted}`"
        hint = f"install the version of `{needed}` that it asks for, or widen the range"
        yield Diagnostic("E312", message, span, (hint,))


def _loops(inputs: Mapping[str, PackInput]) -> Iterator[Diagnostic]:
    told: set[frozenset[str]] = set()
    for start in inputs:
        way = _way_back(start, inputs)
        if way and frozenset(way) not in told:
            told.add(frozenset(way))
            document = inputs[start].document
            assert document is not None
            path = " -> ".join(f"`{p}`" for p in (*way, start))
            message, hint = f"packs require each other in a circle: {path}", "take one of them out of the other's `requires`"
            yield Diagnostic("E311", message, document.span(("requires",)), (hint,))


def _way_back(start: str, inputs: Mapping[str, PackInput]) -> list[str]:
    ways = [[start]]
    seen: set[str] = set()
    for way in ways:
        document = inputs[way[-1]].document
        for needed in requirements(document.data) if document else ():
            if needed == start:
                return way
            if needed in inputs and needed not in seen:
                seen.add(needed)
                ways.append([*way, needed])
    return []
