"""Stage: schemas found on disk become kinds, each with one flat composed schema.

In: the schema files of the core and of each pack, parsed. Out: `Kinds` and diagnostics of the schemas themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from seasons_build.core.diagnostic import Diagnostic, Result
from seasons_build.core.document import Document
from seasons_build.core.kind import CORE, Field, Kind, Kinds, Schema
from seasons_build.core.limits import DEFAULT
from seasons_build.core.named import NamedTuple
from seasons_build.core.names import ID, did_you_mean, meant_or_listed
from seasons_build.core.pattern import why_not
from seasons_build.core.record import dataclass, field
from seasons_build.core.said import said
from seasons_build.core.span import Path

BRANCHES = ("oneOf", "anyOf", "not", "if", "then", "else", "dependentSchemas", "unevaluatedProperties", "$dynamicRef", "$anchor", "$id")
WANTS = ("number", "truth", "dice", "amount")
ROLES = ("rules", "flavor", "label", "prose")
TYPES = ("object", "array", "string", "number", "integer", "boolean", "null")
X_WORDS = ("x-print", "x-ref", "x-part", "x-expr", "x-text", "x-noun", "x-keys", "x-image", "x-shared", "x-kind")
WORDS = frozenset(X_WORDS) | frozenset(
    (
        *("$schema", "$ref", "$defs", "$comment", "title", "description", "default", "examples", "deprecated", "type", "enum", "const"),
        *("properties", "required", "additionalProperties", "patternProperties", "propertyNames", "items", "minItems", "maxItems"),
        *("uniqueItems", "minProperties", "maxProperties", "minLength", "maxLength", "pattern", "format", "minimum", "maximum"),
        *("exclusiveMinimum", "exclusiveMaximum", "multipleOf", "allOf"),
    )
)
BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "minLength", "maxLength")


def compose_kinds(core: Mapping[str, Document], packs: Mapping[str, Mapping[str, Document | None]]) -> Result[Kinds]:
    """Kinds from schema documents: `core` by block name, `packs` by pack and kind name (None: the file could not be read). A kind whose
    schema is at fault is there, and broken.

    Codes: E250 (a schema is no schema), E251 (a branch where verbs are properties), E252 (a reference out of the language),
    E253 (a word that no schema has), E254 (a kind's name).
    """
    found: list[Diagnostic] = []
    blocks = {name: document.data for name, document in core.items()}
    composer = _Composer(blocks)
    by_name: dict[tuple[str, str], Kind] = {}
    for name, document in core.items():
        if document.data.get("x-kind"):
            by_name[CORE, name] = _kind(CORE, name, document, composer)
    for pack, documents in packs.items():
        for name, read in documents.items():
            faults = _faults(read, name, blocks) if read is not None else []
            found += faults
            if read is None or faults:
                by_name[pack, name] = Kind(name, pack, _readable(name), "", {"properties": {}}, (), broken=True)
            else:
                by_name[pack, name] = _kind(pack, name, read, composer)
    return Result(Kinds(by_name, blocks), tuple(found))


def _kind(pack: str, name: str, document: Document, composer: _Composer) -> Kind:
    schema = composer.root(document.data)
    own = document.data.get("properties", {})
    fields = tuple(
        Field(key, str(body.get("title", _readable(key))), str(body.get("description", "")), body, key in own)
        for key, body in schema["properties"].items()
    )
    title = str(document.data.get("title", _readable(name)))
    return Kind(name, pack, title, str(document.data.get("description", "")), schema, fields)


def _readable(name: str) -> str:
    return name.replace("-", " ").replace("_", " ").capitalize()


class _Composed(NamedTuple):
    """A part of a schema, what it is composed to, and the shared blocks that this names."""

    part: Schema
    made: Any
    names: set[str]


@dataclass(slots=True)
class _Composer:
    """Composes schemas out of blocks. What a part of a block is composed to is made once, and stands in all kinds that have it."""

    blocks: Mapping[str, Schema]
    shared: dict[str, _Composed] = field(default_factory=dict)
    known: dict[int, _Composed] = field(default_factory=dict)
    """By the part that it is of, which is held for as long."""
    names: set[str] = field(default_factory=set)
    """The shared blocks that are named by what is being composed."""

    def root(self, body: Schema) -> Schema:
        parts = [self._block(part) for part in body.get("allOf", ())]
        own: dict[str, Any] = dict(body.get("properties", {}))
        properties: dict[str, Any] = {}
        for source in (*({"name": p["properties"]["name"]} for p in parts if "name" in p.get("properties", {})), own):
            properties.update(source)
        for part in parts:
            for key, value in part.get("properties", {}).items():
                properties.setdefault(key, value)
        required = dict.fromkeys([*(r for p in parts for r in p.get("required", ())), *body.get("required", ())])
        merged = {key: value for key, value in body.items() if key not in ("allOf", "$schema", "x-shared")}
        for part in parts:
            for key, value in part.items():
                if key not in ("properties", "required", "title", "description", "x-shared"):
                    merged.setdefault(key, value)
        merged["type"] = "object"
        merged["properties"] = properties
        if required:
            merged["required"] = list(required)
        composed = self._composed(merged)
        named = sorted(composed.names)
        for name in named:
            named += sorted(self.shared[name].names.difference(named))
        defined = {"$defs": {name: self.shared[name].made for name in sorted(named)}} if named else {}
        return {**composed.made, **defined}

    def _block(self, part: Schema) -> Schema:
        block = self.blocks[_target(part["$ref"])]
        if "allOf" not in block:
            return block
        inner = [self._block(p) for p in block["allOf"]]
        properties = {k: v for p in inner for k, v in p.get("properties", {}).items()} | dict(block.get("properties", {}))
        rest = {k: v for p in inner for k, v in p.items()} | {k: v for k, v in block.items() if k != "allOf"}
        required = list(dict.fromkeys(r for p in (*inner, block) for r in p.get("required", ())))
        return rest | {"properties": properties} | ({"required": required} if required else {})

    def _node(self, body: Any) -> Any:
        if isinstance(body, list):
            return [self._node(item) for item in body]
        if not isinstance(body, Mapping):
            return body
        if id(body) not in self.known:
            self.known[id(body)] = self._composed(body)
        known = self.known[id(body)]
        self.names |= known.names
        return known.made

    def _composed(self, body: Schema) -> _Composed:
        """What a part is composed to, with what is named in it alone."""
        outer, self.names = self.names, set()
        made = self._map(body)
        names, self.names = self.names, outer
        return _Composed(body, made, names)

    def _map(self, body: Schema) -> dict[str, Any]:
        if "$ref" in body:
            return self._reference(body)
        made: dict[str, Any] = {}
        for key, value in body.items():
            if key == "properties":
                made[key] = {name: self._node(inner) for name, inner in value.items()}
            elif key in ("items", "additionalProperties", "propertyNames") and isinstance(value, Mapping):
                made[key] = self._node(value)
            else:
                made[key] = value
        if "properties" in made:
            made.setdefault("additionalProperties", False)
        return made

    def _reference(self, body: Schema) -> dict[str, Any]:
        name = _target(body["$ref"])
        block = self.blocks[name]
        if "allOf" in block:
            block = self._block({"$ref": f"core/{name}"})
        around = {key: value for key, value in body.items() if key != "$ref"}
        if block.get("x-shared"):
            self.names.add(name)
            if name not in self.shared:
                self.shared[name] = _Composed(block, {}, set())  # it may name itself
                self.shared[name] = self._composed({k: v for k, v in block.items() if k not in ("x-shared", "$schema")})
            return {"$ref": f"#/$defs/{name}", **around}
        return {**self._map({key: value for key, value in block.items() if key != "$schema"}), **around}


def _target(reference: str) -> str:
    return reference.removeprefix("core/").removesuffix(".json")


def _faults(document: Document, name: str, blocks: Mapping[str, Schema]) -> list[Diagnostic]:
    found: list[Diagnostic] = []

    def say(code: str, path: Path, message: str, *hints: str, key: bool = True) -> None:
        span = document.key_span(path) if key and path else document.span(path)
        found.append(Diagnostic(code, message, span, tuple(hints)))

    if not ID.match(name):
        say("E254", (), f"a kind cannot be called `{name}`", "small letters, figures and hyphens, as in `ship-part`", key=False)
    _walk(document.data, (), blocks, say)
    return found


Say = Callable[..., None]


def _walk(body: Any, path: Path, blocks: Mapping[str, Schema], say: Say) -> None:
    if not isinstance(body, Mapping):
        say("E250", path, "expected a schema (a map of its words)", key=False)
        return
    for word, value in body.items():
        here = (*path, word)
        if word in BRANCHES:
            if word in ("oneOf", "anyOf") and isinstance(value, list) and all(_is_scalar(v) for v in value):
                for i, part in enumerate(value):
                    _walk(part, (*here, i), blocks, say)
                continue
            advice = "give each choice a property of its own: messages and references are lost in a branch"
            say("E251", here, f"`{word}` is not used in a kind's schema", advice)
        elif word not in WORDS:
            say("E253", here, f"no schema has the word `{word}`", *did_you_mean(word, WORDS))
        elif word == "$ref":
            _reference(value, here, blocks, say)
        elif word == "allOf" and not isinstance(value, list):
            say("E250", here, "expected a list", key=False)
        elif word == "allOf":
            for i, part in enumerate(value):
                if not (isinstance(part, Mapping) and set(part) == {"$ref"}):
                    say("E251", (*here, i), "`allOf` takes blocks of the language only, as `{\"$ref\": \"core/entry\"}`", key=False)
                else:
                    _reference(part["$ref"], (*here, i, "$ref"), blocks, say)
        else:
            _word(word, value, here, say, list(blocks.get("rules", {}).get("properties", {})))
            if word in ("properties", "patternProperties") and isinstance(value, Mapping):
                for name, inner in value.items():
                    if word == "patternProperties" and (problem := _pattern(name)):
                        say("E250", (*here, name), problem)
                    _walk(inner, (*here, name), blocks, say)
            elif word in ("items", "propertyNames") or (word == "additionalProperties" and not isinstance(value, bool)):
                _walk(value, here, blocks, say)


def _reference(value: Any, path: Path, blocks: Mapping[str, Schema], say: Say) -> None:
    if not isinstance(value, str) or not value.startswith("core/"):
        advice = "a kind's schema may use the blocks of the language alone, as `core/entry`"
        say("E252", path, f"`$ref` leads out of the language: `{value}`", advice, key=False)
    elif _target(value) not in blocks:
        say("E252", path, f"the language has no block `{value}`", *did_you_mean(value, [f"core/{b}" for b in blocks]), key=False)


def _word(word: str, value: Any, path: Path, say: Say, nouns: list[str]) -> None:
    problem = ""
    hints: tuple[str, ...] = ()
    if word == "type":
        types = value if isinstance(value, list) else [value]
        problem = "" if all(t in TYPES for t in types) else f"expected a type ({', '.join(TYPES)}), found `{value}`"
    elif word in ("properties", "patternProperties", "$defs"):
        problem = "" if isinstance(value, Mapping) else f"expected a map of names, found `{value}`"
    elif word == "required":
        problem = "" if isinstance(value, list) and all(isinstance(name, str) for name in value) else "expected a list of names"
    elif word in ("enum", "examples"):
        problem = "" if isinstance(value, list) else "expected a list"
    elif word == "pattern":
        problem = _pattern(value)
    elif word in BOUNDS:
        problem = "" if isinstance(value, int) or hasattr(value, "numerator") else "expected a number"
        if not problem and word == "multipleOf" and value <= 0:
            problem = "expected a number above 0"
    elif word == "x-expr":
        problem = "" if value in WANTS else f"expected one of {', '.join(WANTS)}, found `{value}`"
    elif word == "x-text":
        role = value.get("role") if isinstance(value, Mapping) else None
        problem = "" if role in ROLES else f"expected a role ({', '.join(ROLES)}), as {{\"role\": \"rules\"}}"
    elif word in ("title", "description"):
        problem = "" if isinstance(value, str) and value.strip() else f"expected text, found {said(value)}"
    elif word in ("x-ref", "x-part"):
        problem = "" if isinstance(value, str) else f"expected a word, found {said(value)}"
    elif word in ("x-print", "x-image"):
        problem = "" if isinstance(value, bool) else f"expected true or false, found {said(value)}"
    elif word == "x-noun" or (word == "x-keys" and not isinstance(value, Mapping)):
        problem = "" if value in nouns else f"expected a noun of the rules, found {said(value)}"
        hints = meant_or_listed(str(value), nouns)
    elif word == "x-keys":
        problem = "" if isinstance(value.get("ref"), str) else "expected a noun of the rules, or `{\"ref\": ...}` with a kind"
    if problem:
        say("E250", path, problem, *hints, key=False)


def _pattern(value: Any) -> str:
    return why_not(value, DEFAULT.pattern_characters) if isinstance(value, str) else "expected a pattern"


def _is_scalar(body: Any) -> bool:
    return isinstance(body, Mapping) and not ({"properties", "items", "additionalProperties", "$ref"} & set(body))
