"""Stage: checked packs become one library: ids, references, words, requirements.

In: what `check` found in each pack, and the manifests. Out: a `Library` and every name that leads nowhere, with the nearest one that
does. A broken entry stays in the index, so that what names it is no second error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from seasons_build.core.diagnostic import Diagnostic, Result, Trace
from seasons_build.core.document import Document, Value
from seasons_build.core.entry import Entry, Key, Library, Noun, Pack, Rules
from seasons_build.core.kind import CORE, Announced, Kinds, Prose, Reference, Word
from seasons_build.core.names import did_you_mean
from seasons_build.core.span import Path, Span
from seasons_build.language.rules import WIDER, kinds_meant, takes_of, words_of
from seasons_build.language.text import scan

FORMAT = 1
"""The newest format of content files that this version reads."""

RESERVED = frozenset(("self", "target", "value", "this"))
"""Words that the language itself gives a meaning where a person or an amount stands."""

MADE_FOR = ("stats", "tracks", "limits", "rows")
"""The nouns that may say for which kinds they are."""

UNFOUND = ("E301", "E304", "E305", "E307")
"""What is not found may stand in a file that could not be read."""



@dataclass(frozen=True, slots=True)
class PackInput:
    """One pack before linking. `announced` are the announcements of its `rules:` blocks, a pair for each file."""

    id: str
    own: bool
    shipped: bool
    folder: str
    document: Document | None
    entries: tuple[Entry, ...] = ()
    nouns: tuple[Noun, ...] = ()
    announced: tuple[tuple[Document, Announced], ...] = ()
    broken: bool = False
    partial: bool = False
    """A file of it could not be read: what it would have declared is unknown, and so is no fault elsewhere."""


def link(inputs: Mapping[str, PackInput], kinds: Kinds) -> Result[Library]:
    """One library of all packs.

    Codes: E301 (an unknown entry), E302 (an id twice), E303 (found in two packs), E304 (an unknown word), E305 (an unknown part),
    E306 (a reference's form), E307 (an unknown icon), E310 to E315 (packs).
    """
    found: list[Diagnostic] = []
    packs = _packs(inputs, found)
    entries, by_kind = _index(inputs, found)
    rules = _rules(inputs, packs, found)
    library = Library(packs, kinds.by_name, entries, rules, {}, by_kind)
    linker = _Linker(library, frozenset(name for name, pack in inputs.items() if pack.partial))
    targets: dict[Key, Mapping[Path, Key]] = {}
    broken: set[Key] = set()
    for key, entry in entries.items():
        resolved, faults = linker.entry(entry)
        targets[key] = resolved
        if faults:
            broken.add(key)
            found += linker.certain(entry.pack, faults)
    for pack in inputs.values():
        for document, announced in pack.announced:
            found += linker.certain(pack.id, linker.rules(pack.id, document, announced))
        found += [fault for noun in pack.nouns for fault in linker.noun(noun)]
    if broken:
        entries = {key: replace(e, broken=True) if key in broken else e for key, e in entries.items()}
        by_kind = {name: tuple(entries[e.key] for e in group) for name, group in by_kind.items()}
    return Result(Library(packs, kinds.by_name, entries, rules, targets, by_kind), tuple(found))


def scopes(inputs: Mapping[str, PackInput]) -> Mapping[str, tuple[str, ...]]:
    """What each pack may use: itself, then all that it requires, nearest first; loops and missing packs are left out."""
    return {pack: tuple(_scope(pack, inputs)) for pack in inputs}


def requirements(manifest: Mapping[str, Value]) -> Mapping[str, str]:
    """The ids of the packs that a manifest requires, with their version ranges."""
    required = manifest.get("requires")
    if not isinstance(required, Mapping):
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


def _packs(inputs: Mapping[str, PackInput], found: list[Diagnostic]) -> dict[str, Pack]:
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
            faults += _manifest(pack, document, inputs)
        found += faults
        scope = tuple(_scope(pack.id, inputs))
        requires = tuple(requirements(manifest))
        packs[pack.id] = Pack(pack.id, pack.own, pack.shipped, manifest, document, requires, scope, pack.broken or bool(faults))
    found += _loops(inputs)
    return packs


def _manifest(pack: PackInput, document: Document, inputs: Mapping[str, PackInput]) -> Iterator[Diagnostic]:
    manifest = document.data
    if isinstance(manifest.get("id"), str) and manifest["id"] != pack.id:
        hint = f"call the folder `{manifest['id']}`, or write `id: {pack.id}`"
        yield Diagnostic("E314", f"the pack `{manifest['id']}` lies in a folder called `{pack.id}`", document.span(("id",)), (hint,))
    if is_ahead(manifest):
        hint = "install a newer version: pip install --upgrade seasons-build"
        message = f"the pack is written in format {manifest['format']}; this version reads up to format {FORMAT}"
        yield Diagnostic("E315", message, document.span(("format",)), (hint,))
    for needed, wanted in requirements(manifest).items():
        span = document.key_span(("requires", needed))
        if needed not in inputs:
            hints = (*did_you_mean(needed, inputs), "put its folder into `content/`, or name it with --pack")
            yield Diagnostic("E310", f"the pack `{needed}` is not here", span, hints)
            continue
        try:
            allowed = SpecifierSet(wanted)
        except InvalidSpecifier:
            span = document.span(("requires", needed))
            yield Diagnostic("E312", f"`{wanted}` is no range of versions", span, ('for example ">=1.0,<2"',))
            continue
        other = inputs[needed].document
        version = str(other.data.get("version", "")) if other else ""
        try:
            fits = not version or Version(version) in allowed
        except InvalidVersion:
            continue
        if not fits:
            message = f"`{needed}` is here in version {version}, and {wanted} is required"
            yield Diagnostic("E312", message, document.span(("requires", needed)), ("install the version it needs, or widen the range",))


def _loops(inputs: Mapping[str, PackInput]) -> Iterator[Diagnostic]:
    told: set[frozenset[str]] = set()
    for start in inputs:
        way = _way_back(start, inputs)
        if way and frozenset(way) not in told:
            told.add(frozenset(way))
            document = inputs[start].document
            assert document is not None
            path = " -> ".join(f"`{p}`" for p in (*way, start))
            yield Diagnostic("E311", f"packs require each other in a circle: {path}", document.span(("requires",)))


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


def _index(
    inputs: Mapping[str, PackInput], found: list[Diagnostic]
) -> tuple[dict[Key, Entry], dict[tuple[str, str], tuple[Entry, ...]]]:
    entries: dict[Key, Entry] = {}
    for pack in inputs.values():
        for entry in pack.entries:
            first = entries.get(entry.key)
            if first is None:
                entries[entry.key] = entry
            else:
                trace = Trace(f"`{entry.id}` is first here", first.key_span())
                found.append(Diagnostic("E302", f"the {entry.kind} `{entry.id}` stands twice", entry.key_span(), (), (trace,)))
    groups: dict[tuple[str, str], list[Entry]] = {}
    for key in sorted(entries):
        groups.setdefault(key[:2], []).append(entries[key])
    return {key: entries[key] for key in sorted(entries)}, {name: tuple(group) for name, group in groups.items()}


def _rules(inputs: Mapping[str, PackInput], packs: Mapping[str, Pack], found: list[Diagnostic]) -> dict[str, Rules]:
    own: dict[str, dict[str, dict[str, Noun]]] = {}
    for given in inputs.values():
        nouns = own.setdefault(given.id, {})
        for noun in given.nouns:
            first = nouns.setdefault(noun.noun, {}).setdefault(noun.id, noun)
            if first is not noun:
                trace = Trace(f"`{noun.id}` is first here", first.key_span())
                found.append(Diagnostic("E302", f"`{noun.id}` stands twice under `{noun.noun}`", noun.key_span(), (), (trace,)))
    merged: dict[str, Rules] = {}
    for pack_id, pack in packs.items():
        together: dict[str, dict[str, Noun]] = {}
        for owner in reversed(pack.scope):
            for name, ids in own[owner].items():
                together.setdefault(name, {}).update(ids)
        merged[pack_id] = together
    return merged


class _Linker:
    """Finds what names mean, pack by pack."""

    def __init__(self, library: Library, partial: frozenset[str]) -> None:
        self._library = library
        self._partial = partial
        self._words: dict[tuple[str, str], frozenset[str]] = {}
        self._former: dict[tuple[str, str, str], Key] = {}
        for entry in library.entries.values():
            for old in entry.data.get("formerly", ()) if isinstance(entry.data.get("formerly"), list) else ():
                if isinstance(old, str):
                    self._former.setdefault((entry.pack, entry.kind, old), entry.key)

    def certain(self, pack: str, faults: list[Diagnostic]) -> list[Diagnostic]:
        """The faults that are none of an unread file's making."""
        if self._partial.isdisjoint(self._library.packs[pack].scope):
            return faults
        return [fault for fault in faults if fault.code not in UNFOUND]

    def entry(self, entry: Entry) -> tuple[Mapping[Path, Key], list[Diagnostic]]:
        """The targets of an entry's references, and its faults in the order of the file."""
        targets: dict[Path, Key] = {}
        faults: list[Diagnostic] = []
        for reference in entry.announced.references:
            span = entry.key_span(reference.path) if reference.key else entry.span(reference.path)
            target = self._reference(entry.pack, reference, span)
            if isinstance(target, Diagnostic):
                faults.append(target)
            else:
                targets[reference.path] = target
        for word in entry.announced.words:
            span = entry.key_span(word.path) if word.key else entry.span(word.path)
            unknown = self._word(entry.pack, word, span)
            faults += unknown or self._arguments(entry, word)
        for prose in entry.announced.prose:
            faults += self._prose(entry, prose, targets)
        return targets, sorted(faults, key=lambda d: d.span or Span("", 0, 0, 0, 0))

    def rules(self, pack: str, document: Document, announced: Announced) -> list[Diagnostic]:
        """The faults of the words in a `rules:` block."""
        faults: list[Diagnostic] = []
        for word in announced.words:
            path = ("rules", *word.path)
            faults += self._word(pack, word, document.key_span(path) if word.key else document.span(path))
        return faults

    def noun(self, noun: Noun) -> Iterator[Diagnostic]:
        """The faults of the kinds and fields that one noun of the rules names. A kind that is not there may be one that another pack
        brings; only what looks like a slip is told."""
        data = noun.data if isinstance(noun.data, Mapping) else {}
        named: list[tuple[str, Span]] = [(noun.id, noun.key_span())] if noun.noun == "kinds" else []
        if noun.noun in MADE_FOR:
            only = data.get("for")
            places: list[tuple[Path, Value]] = [(("for",), only)]
            places += [(("for", i), word) for i, word in enumerate(only)] if isinstance(only, list) else []
            each = data.get("each")
            if noun.noun == "stats" and isinstance(each, Mapping):
                places.append((("each", "kind"), each.get("kind")))
            named += [(word, noun.span(path)) for path, word in places if isinstance(word, str)]
        for word, span in named:
            near = did_you_mean(word, self._kind_words(noun.pack))
            if near and self._library.find_kind(noun.pack, word) is None:
                yield Diagnostic("E201", f"unknown kind `{_cut(word)}`", span, near)
        kind = self._library.find_kind(noun.pack, noun.id) if noun.noun == "kinds" else None
        owns = data.get("owns")
        for field in owns if isinstance(owns, Mapping) and kind and not kind.broken else ():
            if kind and kind.field(field) is None:
                near = did_you_mean(field, [f.id for f in kind.fields])
                yield Diagnostic("E204", f"a {kind.title.lower()} has no field `{field}`", noun.key_span(("owns", field)), near)

    def _reference(self, pack: str, reference: Reference, span: Span) -> Key | Diagnostic:
        named, _, rest = reference.text.rpartition(":")
        steps = rest.split("/")
        part = None
        if reference.part and len(steps) in (2, 3):
            *steps, part = steps
        if reference.kind is None or len(steps) == 2:
            if len(steps) != 2:
                return Diagnostic("E306", f"`{reference.text}` does not say of which kind it is", span, ("write it as `kind/id`",))
            kinds, wanted = self._kinds(pack, steps[0]), steps[1]
            if not kinds:
                return Diagnostic("E301", f"unknown kind `{steps[0]}`", span, did_you_mean(steps[0], self._kind_words(pack)))
        else:
            kinds, wanted = self._kinds(pack, reference.kind), "/".join(steps)
        target = self._find(pack, named, kinds, wanted, span, reference.kind or steps[0], f"/{part}" if part else "")
        if isinstance(target, Diagnostic) or part is None:
            return target
        parts = self._library.entries[target].data.get(reference.part or "")
        if isinstance(parts, Mapping) and part in parts:
            return target
        near = did_you_mean(part, parts if isinstance(parts, Mapping) else ())
        return Diagnostic("E305", f"`{wanted}` has no `{part}` among its `{reference.part}`", span, near)

    def _find(self, pack: str, named: str, kinds: list[str], wanted: str, span: Span, said: str, part: str) -> Key | Diagnostic:
        library = self._library
        scope = library.packs[pack].scope
        if named and named not in scope:
            hints = did_you_mean(named, scope) or (f"add `{named}` to `requires` in pack.yaml",)
            return Diagnostic("E301", f"this pack does not require a pack `{named}`", span, hints)
        for owners in ((named,),) if named else ((pack,), scope[1:]):
            keys = [(o, k, wanted) for o in owners for k in kinds if (o, k, wanted) in library.entries]
            keys = keys or [self._former[o, k, wanted] for o in owners for k in kinds if (o, k, wanted) in self._former]
            if len(keys) == 1:
                return keys[0]
            if keys:
                traces = tuple(Trace(f"`{':'.join(k[:2])}/{k[2]}`", library.entries[k].key_span()) for k in keys)
                hint = f"say which: `{keys[0][0]}:{keys[0][1]}/{wanted}{part}`"
                return Diagnostic("E303", f"`{wanted}` is found in more than one place", span, (hint,), traces)
        known = [e.id for owner in scope for kind in kinds for e in library.by_kind.get((owner, kind), ())]
        label = said.replace("|", " or ")
        return Diagnostic("E301", f"unknown {label} `{_cut(wanted)}`", span, did_you_mean(wanted, known))

    def _kinds(self, pack: str, word: str) -> list[str]:
        return list(kinds_meant(self._library, pack, word))

    def _kind_words(self, pack: str) -> list[str]:
        scope = (*self._library.packs[pack].scope, CORE)
        return [kind for owner, kind in self._library.kinds if owner in scope]

    def _word(self, pack: str, word: Word, span: Span) -> list[Diagnostic]:
        if (word.noun not in WIDER and word.text in RESERVED) or not word.text:
            return []
        if (pack, word.noun) not in self._words:
            self._words[pack, word.noun] = frozenset(words_of(self._library, pack, word.noun))
        known = self._words[pack, word.noun]
        base = word.text.partition(".")[0] if word.noun in WIDER else word.text
        if word.text in known or base in known:
            return []
        near = did_you_mean(word.text, known | word.beside)
        if word.beside:
            return [Diagnostic("E304", f"`{_cut(word.text)}` is no field here, and not among the game's `{word.noun}`", span, near)]
        if not known:
            hint = f"declare it under `rules: {{{word.noun}: ...}}`"
            return [Diagnostic("E304", f"this game declares no `{word.noun}`, and `{_cut(word.text)}` is meant to be one", span, (hint,))]
        return [Diagnostic("E304", f"`{_cut(word.text)}` is not among the game's `{word.noun}`", span, near)]

    def _arguments(self, entry: Entry, word: Word) -> Iterator[Diagnostic]:
        """The faults of what is given to a roll: names that it does not take."""
        given = _at(entry.data, word.path) if word.noun == "rolls" and word.key else None
        takes = takes_of(self._library.rules[entry.pack], word.text) if isinstance(given, Mapping) else ()
        for name in given if isinstance(given, Mapping) else ():
            if name not in takes:
                span = entry.key_span((*word.path, name))
                yield Diagnostic("E304", f"the roll `{word.text}` takes no `{_cut(name)}`", span, did_you_mean(name, takes))

    def _prose(self, entry: Entry, prose: Prose, targets: dict[Path, Key]) -> list[Diagnostic]:
        faults: list[Diagnostic] = []
        icons = self._library.rules[entry.pack].get("icons", {})
        for piece in scan(prose.text):
            if piece.what == "icon" and piece.text not in icons:
                span = entry.inside(prose.path, piece.start, piece.end)
                faults.append(Diagnostic("E307", f"unknown icon `:{piece.text}:`", span, did_you_mean(piece.text, icons)))
            elif piece.what == "link":
                span = entry.inside(prose.path, piece.start, piece.end)
                target = self._reference(entry.pack, Reference(prose.path, None, piece.text), span)
                if isinstance(target, Diagnostic):
                    faults.append(target)
                else:
                    targets[(*prose.path, piece.text)] = target
        return faults


def _at(data: Value, path: Path) -> Value:
    """The value at a path; None where it leads nowhere."""
    for step in path:
        data = data.get(step) if isinstance(data, Mapping) else data[step] if isinstance(data, list) and isinstance(step, int) else None
    return data


def _cut(text: str, most: int = 60) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


