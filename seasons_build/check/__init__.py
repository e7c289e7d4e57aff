"""Stage: a document and the kinds become entries, with their faults and what they announce.

In: a parsed content file, the pack it belongs to, the kinds that the pack may use. Out: `Checked`. Nothing is looked up in other files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import replace
from functools import partial
from typing import Any

from seasons_build.check.accept import accepts
from seasons_build.check.announce import Later, Walk
from seasons_build.check.comments import texts_cut
from seasons_build.check.faults import Judge, Where, faults
from seasons_build.check.flat import Flat, above_it, without_id, without_kind
from seasons_build.check.prune import pruned
from seasons_build.check.translated import no_text, untranslated
from seasons_build.check.unrequired import REQUIRES, as_required, unrequired
from seasons_build.core import vocabulary
from seasons_build.core.diagnostic import Diagnostic, Result
from seasons_build.core.document import Document, Value
from seasons_build.core.entry import Amended, Entry, Key, Noun, Site
from seasons_build.core.kind import CORE, NOTHING, Announced, Kind, Kinds, Schema
from seasons_build.core.named import NamedTuple
from seasons_build.core.names import ID, NAME, did_you_mean, nearest
from seasons_build.core.said import cut, said
from seasons_build.core.span import Path, Span
from seasons_build.language.variants import VariantFault, Variants, expand, has_variants

RULES, PATCH, CHANGES, LIKE = "rules", "patch", "changes", "like"
OF_A_COPY = ("expects", *vocabulary.CHANGES)
"""The words by which an entry changes what it takes from the one that it is like."""
ACTIONS = "actions"
LACKING = ("E206", "E210")
"""What is said of something that is not there."""
WORKING = ("add", "times", "extend")
"""The changes that make a value from the one that was there."""
LONG_ENOUGH = 5
"""The letters of a word that is surely meant as another one where it is like it: shorter ones are alike by chance (`set`, `sets`)."""
SNAKE = ("stats", "tables", "tracks", "rows")
"""The nouns whose ids expressions read as they are; all other ids are kebab-case."""

__all__ = ["Checked", "Checker", "unrequired", "untranslated"]

NONE_AMENDED: Mapping[Key, Amended] = {}


class Checked(NamedTuple):
    """What a content file holds."""

    entries: tuple[Entry, ...] = ()
    nouns: tuple[Noun, ...] = ()
    cases: tuple[Entry, ...] = ()
    announced: Announced = NOTHING
    """What the `rules:` block announces; paths begin at the noun."""
    faulty: frozenset[Key] = frozenset()
    """The entries that something is wrong with as they are typed, under the kinds that they were typed under and meant for."""


class Checker:
    """Checks files of packs against kinds; holds one judge a kind, so that a schema is read once."""

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self._judges: dict[tuple[str, str], Judge] = {}
        self._walks: dict[int, Walk] = {}
        self._closed: dict[str, Schema] = {}

    def content(
        self,
        document: Document,
        pack: str,
        scope: tuple[str, ...],
        amended: Mapping[Key, Amended] = NONE_AMENDED,
        before: Checked | None = None,
        sound: Set[Key] = frozenset(),
    ) -> Result[Checked]:
        """Entries and rules of a content file; `amended` has what those of its entries are that others change. `before` is what this
        checker made of the file as it was: of entries in which all is the same and nothing was wrong, that is taken over. Of those that
        are `sound` it is known that nothing is wrong with them.

        Codes: E201 (an unknown kind), E202 (an id), E203 to E212 (what a field may hold), W213 (a text that is cut), E215 (a
        variant).
        """
        found: list[Diagnostic] = []
        entries: list[Entry] = []
        nouns: tuple[Noun, ...] = ()
        cases: tuple[Entry, ...] = ()
        announced = NOTHING
        known_of = {entry.base: entry for entry in before.entries if _sound(entry)} if before is not None else {}
        faulty: set[Key] = set()
        empty = ""
        flat = self._without_kind(document, scope)
        for word, body in document.data.items():
            above, empty = empty, word if body is None else ""
            if flat is not None and word in flat.words:
                if word == flat.words[0]:
                    found.append(Diagnostic("E201", flat.message, document.key_span((word,)), (flat.hint,)))
                continue
            if word == RULES:
                checked = self._rules(document, pack)
                nouns, announced = checked.value
                given = self._cases(document, pack, scope, nouns)
                cases = given.value
                found += [*checked.diagnostics, *given.diagnostics]
                continue
            if word == PATCH:
                found += self._patches(document)
                continue
            kind = self._kinds.find(scope, word)
            if kind is None:
                near = did_you_mean(word, [RULES, PATCH, *self._kinds.words(scope)])
                if above and not near and self._kinds.find(scope, above) is not None:
                    hint = f"what belongs to `{above}` stands further right, as `  {cut(word)}:`"
                    found[-1] = replace(found[-1], hints=(hint,))
                    empty = above
                    continue
                hints = near or above_it(body, self._all(scope))
                found.append(Diagnostic("E201", f"unknown kind `{cut(word)}`", document.key_span((word,)), hints))
                meant = list(self._meant(document, pack, scope, word, body))
                entries += meant
                faulty |= {key for entry in meant for key in (entry.key, (pack, word, entry.id))}
            elif not isinstance(body, dict):
                message = f"expected the entries of `{word}` (a map from id to entry), found {said(body)}"
                found.append(Diagnostic("E203", message, document.span((word,))))
            else:
                bare = without_id(kind, body)
                if bare is not None:
                    found.append(Diagnostic("E203", bare.message, document.key_span((word, bare.words[0])), (bare.hint,)))
                for key, data in body.items():
                    if bare is not None and key in bare.words:
                        continue
                    others, known = amended.get((pack, word, key)), known_of.get((word, key))
                    if others is not None and others.like is not None and isinstance(data, dict) and LIKE not in data:
                        others = None  # This is another entry of the same id, which is told.
                    if others is None and known is not None and known.document.data[word][key] == data:
                        entries.append(known if known.document is document else replace(known, document=document))
                        continue
                    result = self._entry(document, pack, kind, key, data, amended=others, sound=(pack, word, key) in sound)
                    entries.append(result.value)
                    found += result.diagnostics
                    if result.diagnostics:
                        faulty.add(result.value.key)
        if not entries or any(entry.key not in sound for entry in entries):
            found += texts_cut(document, entries, announced, (RULES,))
        return Result(Checked(tuple(entries), nouns, cases, announced, frozenset(faulty)), tuple(found))

    def _all(self, scope: tuple[str, ...]) -> list[Kind]:
        found = (self._kinds.find(scope, word) for word in dict.fromkeys(self._kinds.words(scope)))
        return [kind for kind in found if kind is not None and not kind.broken]

    def _without_kind(self, document: Document, scope: tuple[str, ...]) -> Flat | None:
        """The words at the left edge of a file that are fields of an entry."""
        data = document.data
        standing = {word for word, body in data.items() if word in (RULES, PATCH) or self._kinds.find(scope, word) is not None}
        strange = [word for word, body in data.items() if word not in standing or not (body is None or isinstance(body, dict))]
        if not strange:
            return None
        above = next((list(data)[at - 1] for at, word in enumerate(data) if at and word == strange[0]), "")
        empty = self._kinds.find(scope, above) if data.get(above) is None else None
        return without_kind(data, strange, self._all(scope), empty)

    def _meant(self, document: Document, pack: str, scope: tuple[str, ...], word: str, body: Value) -> Iterator[Entry]:
        """The entries under a misspelt kind, broken: they are there, so that what names them is no second error."""
        near = nearest(word, self._kinds.words(scope))
        kind = self._kinds.find(scope, near) if near else None
        if kind is None or not isinstance(body, dict):
            return
        for key, data in body.items():
            yield replace(self._entry(document, pack, kind, key, data, (word, key)).value, broken=True)

    def manifest(self, document: Document) -> tuple[Diagnostic, ...]:
        """The faults of a `pack.yaml`."""
        schema = self._block("pack")
        found = [*faults(self._judge((CORE, "pack"), schema), document.data, partial(_below, document, ()))]
        found += texts_cut(document, (), self._announced(schema, document.data), ())
        span = document.span((REQUIRES,)) if found else None
        return tuple(replace(d, hints=(_range_hint(document.data[REQUIRES]),)) if d.span == span and d.code == "E205" else d for d in found)

    def _cases(self, document: Document, pack: str, scope: tuple[str, ...], nouns: tuple[Noun, ...]) -> Result[tuple[Entry, ...]]:
        """The entries that the game's own tests make up: `given: {kind: ..., ...}`."""
        found: list[Diagnostic] = []
        made: list[Entry] = []
        for noun in nouns:
            given = noun.data.get("given") if noun.noun == "cases" and isinstance(noun.data, dict) else None
            if not isinstance(given, dict) or "kind" not in given:
                continue
            place: Path = (RULES, noun.noun, noun.id, "given")
            kind = self._kinds.find(scope, str(given["kind"]))
            if kind is None:
                near = did_you_mean(str(given["kind"]), self._kinds.words(scope))
                found.append(Diagnostic("E201", f"unknown kind `{given['kind']}`", document.span((*place, "kind")), near))
                continue
            data = {"name": noun.id, **{key: value for key, value in given.items() if key != "kind"}}
            result = self._entry(document, pack, kind, f"case {noun.id}", data, place)
            made.append(result.value)
            found += result.diagnostics
        return Result(tuple(made), tuple(found))

    def _entry(
        self,
        document: Document,
        pack: str,
        kind: Kind,
        key: str,
        data: Value,
        place: Path = (),
        amended: Amended | None = None,
        *,
        sound: bool = False,
    ) -> Result[Entry]:
        found: list[Diagnostic] = []
        base: Path = place or (kind.id, key)
        if not place and not ID.match(key):
            found.append(_bad_id(key, document.key_span(base)))
        if not isinstance(data, dict):
            found.append(Diagnostic("E203", f"expected an entry (a map of its fields), found {said(data)}", document.span(base)))
            return Result(Entry(pack, kind.id, key, {}, document, broken=True), tuple(found))
        if kind.broken:
            return Result(Entry(pack, kind.id, key, data, document, broken=True), tuple(found))
        if sound:
            return Result(self._known(document, pack, kind, key, data))
        judge = self._judge((kind.pack, kind.id), kind.schema)
        if amended is None and not found and not has_variants(data.get(ACTIONS)) and judge.accepts(data):
            return Result(Entry(pack, kind.id, key, data, document, self._announced(kind.schema, data), place=place))
        entry = Entry(pack, kind.id, key, data, document, place=place)
        if amended is not None:
            if LIKE in data:
                found += self._changes({word: value for word, value in data.items() if word in OF_A_COPY}, entry.where)
            if amended.broken:
                found += self._as_typed(kind, entry)
                return Result(replace(entry, like=amended.like, broken=True), tuple(found))
            entry = replace(entry, data=amended.data, brought=amended.brought, like=amended.like, changes=amended.changes)
        found += faults(judge, entry.data, entry.where)
        if has_variants(entry.data.get(ACTIONS)):
            variants = expand(entry.data[ACTIONS])
            found += [_variant_fault(entry, fault) for fault in variants.faults]
            entry = _written_out(entry, variants)
            found += [d for d in faults(judge, entry.data, entry.where) if d not in found]
        announced = self._announced(kind.schema, entry.data)
        if amended is not None and amended.translated:
            found += no_text(amended.translated, announced)
        found = [d for d in found if not _misspelt(d, entry, announced)]
        if entry.like is not None:
            worked = {document.span(path) for _, word, *_, (document, path) in entry.changes if word in WORKING}
            found = [replace(d, rests_on=(entry.like,)) if d.code in LACKING or d.span in worked else d for d in found]
        return Result(replace(entry, says=announced, broken=bool(found)), tuple(found))

    def _known(self, document: Document, pack: str, kind: Kind, key: str, data: Mapping[str, Value]) -> Entry:
        """An entry with which nothing is wrong."""
        walk = self._walk(kind.schema)
        if not has_variants(data.get(ACTIONS)):
            return Entry(pack, kind.id, key, data, document, Later(walk, data))
        entry = _written_out(Entry(pack, kind.id, key, data, document), expand(data[ACTIONS]))
        return replace(entry, says=Later(walk, entry.data))

    def _as_typed(self, kind: Kind, entry: Entry) -> Iterator[Diagnostic]:
        """The faults of an entry whose changes cannot be made: of what is typed itself."""
        typed = {word: value for word, value in entry.data.items() if word not in (LIKE, *OF_A_COPY)}
        for fault in faults(self._judge((kind.pack, kind.id), kind.schema), typed, entry.where):
            if LIKE not in entry.data or fault.code not in LACKING:
                yield fault

    def _patches(self, document: Document) -> Iterator[Diagnostic]:
        """The faults in the form of a file's patches."""
        body = document.data[PATCH]
        if not isinstance(body, dict):
            message = f"expected patches (a map from `kind/id` to changes), found {said(body)}"
            yield Diagnostic("E203", message, document.span((PATCH,)))
            return
        for reference, changes in body.items():
            yield from self._changes(changes, partial(_below, document, (PATCH, reference)))

    def _changes(self, typed: Value, where: Where) -> Iterator[Diagnostic]:
        """The faults in the form of what is changed in an entry."""
        return faults(self._judge((CORE, CHANGES), self._block(CHANGES)), typed, where)

    def _rules(self, document: Document, pack: str) -> Result[tuple[tuple[Noun, ...], Announced]]:
        schema = self._block(RULES)
        body = document.data[RULES]
        judge = self._judge((CORE, RULES), schema)
        found = list(faults(judge, body, partial(_below, document, (RULES,))))
        if not isinstance(body, dict):
            return Result(((), NOTHING), tuple(found))
        found += _slips(schema, body, document)
        nouns: list[Noun] = []
        for noun, ids in (pruned(judge, body) if found else body).items():
            if not isinstance(ids, dict) or noun not in schema["properties"]:
                continue
            for key, data in ids.items():
                pattern, advice = (NAME, "small letters, figures and `_`") if noun in SNAKE else (ID, "small letters, figures and hyphens")
                if noun != "phrases" and not pattern.match(key) and not ID.match(key):
                    span = document.key_span((RULES, noun, key))
                    found.append(Diagnostic("E202", f"`{cut(key)}` cannot be a name here", span, (f"{advice}, beginning with a letter",)))
                place = document.span((RULES, noun, key)) if found else None
                faulty = place is not None and any(d.span is not None and _within(d.span, place) for d in found)
                nouns.append(Noun(noun, key, data, document, pack, faulty))
        # A faulty branch announces nothing, so that its fault is said once; the rest of the block still counts.
        announced = self._announced(schema, body)
        return Result((tuple(nouns), announced), tuple(found))

    def _block(self, name: str) -> Schema:
        """A block of the core as a schema of its own: closed, with nothing left to look up."""
        if name not in self._closed:
            self._closed[name] = _close(self._kinds.blocks[name])
        return self._closed[name]

    def _judge(self, name: tuple[str, str], schema: Schema) -> Judge:
        if name not in self._judges:
            self._judges[name] = Judge(schema, accepts(schema))
        return self._judges[name]

    def _announced(self, schema: Schema, data: Value) -> Announced:
        return self._walk(schema).of(data)

    def _walk(self, schema: Schema) -> Walk:
        walk = self._walks.get(id(schema))
        if walk is None:
            walk = self._walks[id(schema)] = Walk(schema)
        return walk


def _written_out(entry: Entry, variants: Variants) -> Entry:
    """An entry with all variants of its actions."""
    origins: dict[Path, Path] = {(ACTIONS, *path): (ACTIONS, *typed) for path, typed in variants.origins.items()}
    return replace(entry, data={**entry.data, ACTIONS: variants.actions}, origins=origins)


def _sound(entry: Entry) -> bool:
    """Whether nothing was wrong with an entry, and nobody else had a part in it."""
    return not (entry.broken or entry.brought or entry.like or entry.changes or entry.place)


def _range_hint(typed: Value) -> str:
    """How the packs that a pack requires are written, with those that were typed in another form."""
    named = typed if isinstance(typed, list) else str(typed).replace(",", " ").split()
    words = [name for name in named if isinstance(name, str) and ID.match(name)]
    return f"each pack with the versions that will do, as {as_required(words or ['id-of-the-pack'])}"


def _below(document: Document, base: Path, path: Path) -> Site:
    """Where a value of a block stands that begins at `base`."""
    return document, (*base, *path)


def _close(body: Any) -> Any:
    if isinstance(body, list):
        return [_close(item) for item in body]
    if not isinstance(body, dict):
        return body
    made = {key: {n: _close(v) for n, v in value.items()} if key == "properties" else _close(value) for key, value in body.items()}
    if "properties" in made:
        made.setdefault("additionalProperties", False)
    return made


def _misspelt(fault: Diagnostic, entry: Entry, announced: Announced) -> bool:
    """Whether something of the wrong form stands under what is most likely a misspelt field: told when the game's words are known."""
    return any(
        word.beside and fault.span is not None and _within(fault.span, entry.span(word.path)) and did_you_mean(word.text, word.beside)
        for word in announced.words
    )


def _within(inner: Span, outer: Span) -> bool:
    """Whether a stretch of a file lies in another."""
    begins, ends = (outer.line, outer.column), (outer.end_line, outer.end_column)
    return inner.file == outer.file and begins <= (inner.line, inner.column) and (inner.end_line, inner.end_column) <= ends


def _variant_fault(entry: Entry, fault: VariantFault) -> Diagnostic:
    hints = did_you_mean(fault.word, fault.candidates) if fault.word else ()
    # What is wrong is found among what was typed: the entry has no origins yet.
    return Diagnostic("E215", fault.message, entry.span((ACTIONS, *fault.path)), hints)


def _slips(schema: Schema, body: Value, document: Document) -> Iterator[Diagnostic]:
    """The words of nouns that may have forms of any name, and that are most likely misspelt words of the language."""
    for noun, ids in body.items():
        each = schema["properties"].get(noun, {}).get("additionalProperties")
        listed = each.get("properties", {}) if isinstance(each, dict) and each.get("additionalProperties") else {}
        words = [word for word in listed if len(word) >= LONG_ENOUGH]
        for key, data in ids.items() if words and isinstance(ids, dict) else ():
            for word in data if isinstance(data, dict) else ():
                near = did_you_mean(word, words) if word not in listed and len(word) >= LONG_ENOUGH else ()
                if near:
                    yield Diagnostic("E204", f"unknown field `{cut(word)}`", document.key_span((RULES, noun, key, word)), near)


def _bad_id(key: str, span: Span) -> Diagnostic:
    guess = "-".join(part for part in "".join(c if c.isascii() and c.isalnum() else " " for c in key.lower()).split())
    hints = (f"small letters, figures and hyphens, as `{guess}`",) if guess else ("small letters, figures and hyphens",)
    return Diagnostic("E202", f"`{cut(key)}` cannot be an id", span, hints)
