"""Stage: a document and the kinds become entries, with their faults and what they announce.

In: a parsed content file, the pack it belongs to, the kinds that the pack may use. Out: `Checked`. Nothing is looked up in other files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from referencing import Registry

from seasons_build.core.diagnostic import Diagnostic, Result
from seasons_build.core.document import Document, Value
from seasons_build.core.entry import Entry, Noun, typed_at
from seasons_build.core.kind import CORE, NOTHING, Announced, Formula, Kind, Kinds, Prose, Reference, Schema, Word
from seasons_build.core.names import ID, NAME, did_you_mean
from seasons_build.core.span import Path, Span
from seasons_build.language.variants import VariantFault, expand, has_variants

RULES = "rules"
ACTIONS = "actions"
SNAKE = ("stats", "tables", "tracks", "rows")
"""The nouns whose ids expressions read as they are; all other ids are kebab-case."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a content file holds."""

    entries: tuple[Entry, ...] = ()
    nouns: tuple[Noun, ...] = ()
    cases: tuple[Entry, ...] = ()
    announced: Announced = NOTHING
    """What the `rules:` block announces; paths begin at the noun."""


class Checker:
    """Checks files of packs against kinds; holds one validator a kind, so that a schema is read once."""

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self._validators: dict[tuple[str, str], Draft202012Validator] = {}
        self._walks: dict[int, Walk] = {}
        self._closed: dict[str, Schema] = {}

    def content(self, document: Document, pack: str, scope: tuple[str, ...]) -> Result[Checked]:
        """Entries and rules of a content file.

        Codes: E201 (an unknown kind), E202 (an id), E203 to E212 (what a field may hold), E215 (a variant).
        """
        found: list[Diagnostic] = []
        entries: list[Entry] = []
        nouns: tuple[Noun, ...] = ()
        cases: tuple[Entry, ...] = ()
        announced = NOTHING
        for word, body in document.data.items():
            if word == RULES:
                checked = self._rules(document, pack)
                nouns, announced = checked.value
                given = self._cases(document, pack, scope, nouns)
                cases = given.value
                found += [*checked.diagnostics, *given.diagnostics]
                continue
            kind = self._kinds.find(scope, word)
            if kind is None:
                near = did_you_mean(word, [RULES, *self._kinds.words(scope)])
                found.append(Diagnostic("E201", f"unknown kind `{_cut(word)}`", document.key_span((word,)), near))
            elif not isinstance(body, Mapping):
                message = f"expected the entries of `{word}` (a map from id to entry), found {said(body)}"
                found.append(Diagnostic("E203", message, document.span((word,))))
            else:
                for key, data in body.items():
                    result = self._entry(document, pack, kind, key, data)
                    entries.append(result.value)
                    found += result.diagnostics
        return Result(Checked(tuple(entries), nouns, cases, announced), tuple(found))

    def manifest(self, document: Document) -> tuple[Diagnostic, ...]:
        """The faults of a `pack.yaml`."""
        return tuple(_faults(self._validator((CORE, "pack"), self._block("pack")), document.data, document, ()))

    def _cases(self, document: Document, pack: str, scope: tuple[str, ...], nouns: tuple[Noun, ...]) -> Result[tuple[Entry, ...]]:
        """The entries that the game's own tests make up: `given: {kind: ..., ...}`."""
        found: list[Diagnostic] = []
        made: list[Entry] = []
        for noun in nouns:
            given = noun.data.get("given") if noun.noun == "cases" and isinstance(noun.data, Mapping) else None
            if not isinstance(given, Mapping) or "kind" not in given:
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

    def _entry(self, document: Document, pack: str, kind: Kind, key: str, data: Value, place: Path = ()) -> Result[Entry]:
        found: list[Diagnostic] = []
        base: Path = place or (kind.id, key)
        if not place and not ID.match(key):
            found.append(_bad_id(key, document.key_span(base)))
        if not isinstance(data, Mapping):
            found.append(Diagnostic("E203", f"expected an entry (a map of its fields), found {said(data)}", document.span(base)))
            return Result(Entry(pack, kind.id, key, {}, document, broken=True), tuple(found))
        if kind.broken:
            return Result(Entry(pack, kind.id, key, data, document, broken=True), tuple(found))
        validator = self._validator((kind.pack, kind.id), kind.schema)
        found += _faults(validator, data, document, base)
        origins: Mapping[Path, Path] = {}
        if has_variants(data.get(ACTIONS)):
            variants = expand(data[ACTIONS])
            found += [_variant_fault(document, base, fault) for fault in variants.faults]
            data = {**data, ACTIONS: variants.actions}
            origins = {(ACTIONS, *path): (ACTIONS, *typed) for path, typed in variants.origins.items()}
            found += [d for d in _faults(validator, data, document, base, origins) if d not in found]
        announced = self._announced(kind.schema, data)
        found = [d for d in found if d.code != "E205" or not _misspelt(d, document, base, origins, announced)]
        return Result(Entry(pack, kind.id, key, data, document, announced, bool(found), origins, place), tuple(found))

    def _rules(self, document: Document, pack: str) -> Result[tuple[tuple[Noun, ...], Announced]]:
        schema = self._block(RULES)
        body = document.data[RULES]
        found = list(_faults(self._validator((CORE, RULES), schema), body, document, (RULES,)))
        if not isinstance(body, Mapping):
            return Result(((), NOTHING), tuple(found))
        nouns: list[Noun] = []
        for noun, ids in body.items():
            if not isinstance(ids, Mapping) or noun not in schema["properties"]:
                continue
            for key, data in ids.items():
                pattern, advice = (NAME, "small letters, figures and `_`") if noun in SNAKE else (ID, "small letters, figures and hyphens")
                if noun != "phrases" and not pattern.match(key) and not ID.match(key):
                    span = document.key_span((RULES, noun, key))
                    found.append(Diagnostic("E202", f"`{_cut(key)}` cannot be a name here", span, (f"{advice}, beginning with a letter",)))
                nouns.append(Noun(noun, key, data, document, pack))
        # A faulty branch announces nothing, so that its fault is said once; the rest of the block still counts.
        announced = self._announced(schema, body)
        return Result((tuple(nouns), announced), tuple(found))

    def _block(self, name: str) -> Schema:
        """A block of the core as a schema of its own: closed, with nothing left to look up."""
        if name not in self._closed:
            self._closed[name] = _close(self._kinds.blocks[name])
        return self._closed[name]

    def _validator(self, name: tuple[str, str], schema: Schema) -> Draft202012Validator:
        if name not in self._validators:
            self._validators[name] = Draft202012Validator(schema, registry=Registry())
        return self._validators[name]

    def _announced(self, schema: Schema, data: Value) -> Announced:
        walk = self._walks.get(id(schema))
        if walk is None:
            walk = self._walks[id(schema)] = Walk(schema)
        return walk.of(data)


def _close(body: Any) -> Any:
    if isinstance(body, list):
        return [_close(item) for item in body]
    if not isinstance(body, Mapping):
        return body
    made = {key: {n: _close(v) for n, v in value.items()} if key == "properties" else _close(value) for key, value in body.items()}
    if "properties" in made:
        made.setdefault("additionalProperties", False)
    return made


class Walk:
    """The part of a schema that announces something, made ready for walking many entries."""

    def __init__(self, schema: Schema) -> None:
        self._definitions = schema.get("$defs", {})
        self._made: dict[str, _Node] = {}
        self._root = self._node(schema) or _Node()

    def of(self, data: Value) -> Announced:
        """What an entry announces, in the order typed."""
        out = _Out([], [], [], [])
        _visit(self._root, data, (), out)
        return Announced(tuple(out.references), tuple(out.formulas), tuple(out.prose), tuple(out.words))

    def _node(self, schema: Any) -> _Node | None:
        if not isinstance(schema, Mapping):
            return None
        if "$ref" in schema:
            name = schema["$ref"].removeprefix("#/$defs/")
            if name not in self._made:
                self._made[name] = _Node()
                self._fill(self._made[name], self._definitions[name])
            return self._made[name]
        node = _Node()
        self._fill(node, schema)
        return node if node.speaks else None

    def _fill(self, node: _Node, schema: Schema) -> None:
        node.ref = schema.get("x-ref")
        node.part = schema.get("x-part")
        node.want = schema.get("x-expr")
        node.role = schema["x-text"]["role"] if "x-text" in schema else None
        node.noun = schema.get("x-noun")
        keys = schema.get("x-keys")
        node.key_noun = keys if isinstance(keys, str) else None
        node.key_ref = keys.get("ref") if isinstance(keys, Mapping) else None
        node.listed = frozenset(schema.get("properties", {}))
        node.children = {name: made for name, body in schema.get("properties", {}).items() if (made := self._node(body))}
        node.rest = self._node(schema.get("additionalProperties"))
        node.items = self._node(schema.get("items"))


@dataclass(slots=True)
class _Node:
    ref: str | None = None
    part: str | None = None
    want: Any = None
    role: Any = None
    noun: str | None = None
    key_noun: str | None = None
    key_ref: str | None = None
    listed: frozenset[str] = frozenset()
    children: Any = None
    rest: _Node | None = None
    items: _Node | None = None

    @property
    def speaks(self) -> bool:
        return any((self.ref, self.want, self.role, self.noun, self.key_noun, self.key_ref, self.children, self.rest, self.items))


@dataclass(frozen=True, slots=True)
class _Out:
    references: list[Reference]
    formulas: list[Formula]
    prose: list[Prose]
    words: list[Word]


def _visit(node: _Node, value: Value, path: Path, out: _Out) -> None:
    if isinstance(value, str):
        if node.ref:
            out.references.append(Reference(path, None if node.ref == "*" else node.ref, value, node.part))
        elif node.role:
            out.prose.append(Prose(path, node.role, value))
        elif node.noun:
            out.words.append(Word(path, node.noun, value))
        elif node.want:
            out.formulas.append(Formula(path, node.want, value))
    elif isinstance(value, Mapping):
        children = node.children or {}
        for key, inner in value.items():
            if key in children:
                _visit(children[key], inner, (*path, key), out)
            elif key not in node.listed:
                if node.key_noun:
                    out.words.append(Word((*path, key), node.key_noun, key, True, node.listed))
                elif node.key_ref:
                    out.references.append(Reference((*path, key), node.key_ref, key, key=True))
                if node.rest:
                    _visit(node.rest, inner, (*path, key), out)
    elif isinstance(value, list) and node.items:
        for index, item in enumerate(value):
            _visit(node.items, item, (*path, index), out)


def _misspelt(fault: Diagnostic, document: Document, base: Path, origins: Mapping[Path, Path], announced: Announced) -> bool:
    """Whether a value of the wrong kind stands under what is most likely a misspelt field: that is told when the game's words are known."""
    return any(
        word.beside and did_you_mean(word.text, word.beside) and document.span((*base, *typed_at(origins, word.path))) == fault.span
        for word in announced.words
    )


def said(value: Value) -> str:
    """A value as a writer would name it."""
    if value is None:
        return "nothing"
    if value is True or value is False:
        return f"`{str(value).lower()}` (true or false)"
    if isinstance(value, str):
        return f"the text `{_cut(value)}`" if value else "an empty text"
    if isinstance(value, int):
        return f"the number `{value}`"
    if isinstance(value, Fraction):
        return f"the number `{float(value):g}`"
    return "a list" if isinstance(value, list) else "a map (name: value lines)"


def _variant_fault(document: Document, base: Path, fault: VariantFault) -> Diagnostic:
    hints = did_you_mean(fault.word, fault.candidates) if fault.word else ()
    return Diagnostic("E215", fault.message, document.span((*base, ACTIONS, *fault.path)), hints)


_TYPES = {
    "object": "a map (name: value lines)",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}


def _faults(
    validator: Draft202012Validator, data: Value, document: Document, base: Path, origins: Mapping[Path, Path] | None = None
) -> Iterator[Diagnostic]:
    seen: set[tuple[Path, str]] = set()
    found: list[Diagnostic] = []
    for error in validator.iter_errors(data):
        for diagnostic in _translate(error, document, base, origins or {}):
            mark = (tuple(error.absolute_path), diagnostic.message)
            if mark not in seen:
                seen.add(mark)
                found.append(diagnostic)
    yield from sorted(found, key=lambda d: (d.span or Span("", 0, 0, 0, 0), d.code))


def _translate(error: ValidationError, document: Document, base: Path, origins: Mapping[Path, Path]) -> Iterator[Diagnostic]:
    path: Path = (*base, *typed_at(origins, tuple(error.absolute_path)))
    value: Any = error.instance
    wanted: Any = error.validator_value
    schema: Any = error.schema
    rule = error.validator
    where = document.span(path)
    field = f"`{path[-1]}`" if path and isinstance(path[-1], str) else "this item"

    def say(code: str, message: str, *hints: str, span: Span = where) -> Diagnostic:
        return Diagnostic(code, message, span, tuple(hints))

    if rule == "additionalProperties":
        allowed = list(schema.get("properties", {}))
        for key in [k for k in value if k not in allowed]:
            hint = did_you_mean(key, allowed) or (_list_hint(allowed),)
            yield say("E204", f"unknown field `{_cut(key)}`", *hint, span=document.key_span((*path, key)))
    elif rule == "type":
        types = wanted if isinstance(wanted, list) else [wanted]
        expected = " or ".join(_TYPES[t] for t in types if not (t == "integer" and "number" in types))
        yield say("E205", f"expected {expected} for {field}, found {said(value)}", *_type_hints(value, types))
    elif rule == "required":
        for name in [n for n in wanted if n not in value]:
            key = document.key_span(path) if path else where
            yield say("E206", f"{_owner(path)} has no `{name}`", f"add a line `{name}: ...`", span=key)
            break
    elif rule in ("enum", "const"):
        choices = [str(w) for w in (wanted if isinstance(wanted, list) else [wanted])]
        hint = did_you_mean(str(value), choices) or (_list_hint(choices),)
        yield say("E207", f"expected one of the words for {field}, found {said(value)}", *hint)
    elif rule in ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"):
        bound = {"minimum": "at least", "maximum": "at most", "exclusiveMinimum": "more than", "exclusiveMaximum": "less than"}[rule]
        yield say("E208", f"expected {bound} {wanted} for {field}, found {value}")
    elif rule == "multipleOf":
        yield say("E208", f"expected a multiple of {wanted} for {field}, found {value}")
    elif rule in ("minLength", "maxLength"):
        bound = "at least" if rule == "minLength" else "at most"
        yield say("E209", f"expected {bound} {wanted} {'character' if wanted == 1 else 'characters'} for {field}, found {len(value)}")
    elif rule in ("minItems", "maxItems", "minProperties", "maxProperties"):
        bound = "at least" if rule.startswith("min") else "at most"
        yield say("E210", f"expected {bound} {wanted} in {field}, found {len(value)}")
    elif rule == "uniqueItems":
        yield say("E211", f"the list {field} says one thing twice")
    elif "propertyNames" in error.absolute_schema_path:
        message = f"`{_cut(str(value))}` cannot be a name in {field}"
        yield say("E212", message, *_form_hint(schema), span=document.key_span((*path, str(value))))
    elif rule == "pattern":
        yield say("E212", f"{said(value)} does not have the form that {field} needs", *_form_hint(schema))
    elif rule in ("oneOf", "anyOf"):
        yield say("E207", f"{said(value)} is none of the things that {field} can be", *_form_hint(schema))
    else:
        raise AssertionError(f"a schema with the rule {rule}, which kinds lets through and nothing explains")


def _owner(path: Path) -> str:
    names = [str(step) for step in path if isinstance(step, str)]
    return f"`{names[-1]}`" if names else "this file"


def _type_hints(value: Value, types: list[str]) -> tuple[str, ...]:
    if "string" in types and isinstance(value, int | Fraction) and not isinstance(value, bool):
        shown = value if isinstance(value, int) else f"{float(value):g}"
        return (f'quote it to make it text: "{shown}"',)
    if isinstance(value, str) and ("integer" in types or "number" in types) and value.strip().lstrip("+-").isdigit():
        return (f"without quotes: {value.strip().lstrip('+')}",)
    if value is None and "string" in types:
        return ("write the text after the colon, or leave the line out",)
    if isinstance(value, str) and types == ["array"]:
        return (f"as a list: [{_cut(value)}]",)
    return ()


def _form_hint(schema: Any) -> tuple[str, ...]:
    examples = schema.get("examples") if isinstance(schema, Mapping) else None
    described = schema.get("description") if isinstance(schema, Mapping) else None
    if examples:
        return (f"for example `{examples[0]}`",)
    return (str(described),) if described else ()


def _list_hint(words: list[str]) -> str:
    shown = ", ".join(f"`{w}`" for w in words[:12])
    return f"one of {shown}" + (" ..." if len(words) > 12 else "")


def _bad_id(key: str, span: Span) -> Diagnostic:
    guess = "-".join(part for part in "".join(c if c.isascii() and c.isalnum() else " " for c in key.lower()).split())
    hints = (f"small letters, figures and hyphens, as `{guess}`",) if guess else ("small letters, figures and hyphens",)
    return Diagnostic("E202", f"`{_cut(key)}` cannot be an id", span, hints)


def _cut(text: str, most: int = 60) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"
