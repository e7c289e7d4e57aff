"""Stage: what an editor knows of a pack: one JSON Schema of its files, with the fields, the ids and the words that may stand in them.

In: a linked library and the blocks of the language. Out: schemas (2020-12) as plain data. An editor completes fields and ids from them,
shows what each field is for, and marks what `check` would mark.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from hashlib import sha256
from typing import Any

from seasons_build.core import vocabulary
from seasons_build.core.entry import Library
from seasons_build.core.kind import CORE, Kind, Schema
from seasons_build.language.rules import kinds_meant, words_of

DIALECT = "https://json-schema.org/draft/2020-12/schema"
IDS = "^[a-z0-9]+(-[a-z0-9]+)*$"
QUALIFIED = "[/:]"
"""What a reference has in it that says more than an id: a pack, a kind, a part."""

LIKE = "like"
CHANGES = (*vocabulary.CHANGES, "expects")
RESERVED = ("self", "target", "value", "this")
PLAIN = ("x-print", "x-ref", "x-part", "x-expr", "x-text", "x-noun", "x-keys", "x-image", "x-shared", "x-kind")


def content_schema(library: Library, pack: str, blocks: Mapping[str, Schema]) -> dict[str, Any]:
    """The schema of the content files of a pack."""
    return _Composer(library, pack, blocks).whole()


def manifest_schema(library: Library, blocks: Mapping[str, Schema]) -> dict[str, Any]:
    """The schema of a `pack.yaml`: with the packs there are to require, and the kinds there are to begin with."""
    schema = _bare(blocks["pack"])
    there = {pack.id: {"type": "string", "description": pack.title} for pack in library.packs.values()}
    schema["properties"]["requires"]["properties"] = there
    known = {"if": {"propertyNames": {"enum": list(schema["properties"])}}, "then": {"required": schema.pop("required")}}
    return {"$schema": DIALECT, **schema, **known, "additionalProperties": False}


class _Composer:
    """Makes the schema of one pack; what comes again and again is kept once, under `$defs`."""

    def __init__(self, library: Library, pack: str, blocks: Mapping[str, Schema]) -> None:
        self._library, self._pack, self._blocks = library, pack, blocks
        self._shared: dict[str, Any] = {}

    def whole(self) -> dict[str, Any]:
        """The schema of a file."""
        scope = (*self._library.packs[self._pack].scope, CORE)
        kinds = {kind: self._library.find_kind(self._pack, kind) for owner, kind in sorted(self._library.kinds) if owner in scope}
        properties: dict[str, Any] = {name: self._entries(kind) for name, kind in kinds.items() if kind is not None and not kind.broken}
        properties["rules"] = {"description": "What the game declares: its numbers, its words, its rolls.", "type": "object"}
        nouns = self._blocks["rules"]["properties"]
        properties["rules"]["properties"] = {name: {"description": body.get("description", "")} for name, body in nouns.items()}
        properties["rules"]["additionalProperties"] = False
        properties["patch"] = {"description": "Changes to entries of the packs that this one requires, by kind and id.", "type": "object"}
        return {"$schema": DIALECT, "type": "object", "properties": properties, "additionalProperties": False, "$defs": self._shared}

    def _entries(self, kind: Kind) -> dict[str, Any]:
        """The entries of a kind, by id. One that is like another has from that what it must have."""
        schema = self._node(kind.schema, kind.schema.get("$defs", {}))
        required = schema.pop("required", [])
        schema.pop("$defs", None)
        schema["properties"] = {
            **schema["properties"],
            LIKE: {**self._kept(self._choice(self._ids(kind.id))), "description": "The entry that it starts from."},
            **{word: {"description": "What is different from the entry that it starts from.", "type": "object"} for word in CHANGES},
        }
        if required:
            # With a field that there is none of, that alone is marked: it most likely is the one that is missing. So it is with `like`.
            known = [name for name in schema["properties"] if name != LIKE]
            schema |= {"if": {"propertyNames": {"enum": known}}, "then": {"required": required}}
        return {
            "title": kind.title,
            "description": kind.description,
            "type": "object",
            "propertyNames": {"pattern": IDS},
            "additionalProperties": self._kept(schema),
        }

    def _node(self, body: Any, shared: Mapping[str, Schema]) -> Any:
        if isinstance(body, list):
            return [self._node(item, shared) for item in body]
        if not isinstance(body, Mapping):
            return _number(body)
        if "$ref" in body:
            name = str(body["$ref"]).removeprefix("#/$defs/")
            around = {key: value for key, value in body.items() if key in ("title", "description")}
            if name not in self._shared:
                self._shared[name] = {}
                self._shared[name] = self._node(shared[name], shared)
            return {"$ref": f"#/$defs/{name}", **around}
        made = {
            key: {name: self._node(inner, shared) for name, inner in value.items()} if key == "properties" else self._node(value, shared)
            for key, value in body.items()
            if key not in PLAIN and key != "$defs"
        }
        return self._worded(body, self._keyed(body, made))

    def _keyed(self, body: Schema, made: dict[str, Any]) -> dict[str, Any]:
        """A map whose keys are words of the game or ids: each is a field that may be there."""
        keys = body.get("x-keys")
        rest = made.get("additionalProperties")
        if not keys or not isinstance(rest, Mapping):
            return made
        words = self._ids(str(keys["ref"])) if isinstance(keys, Mapping) else self._words(str(keys))
        if not words:
            return made
        kept = self._kept(rest)
        made["properties"] = {**dict.fromkeys(words, kept), **made.get("properties", {})}
        made["additionalProperties"] = False
        return made | ({"patternProperties": {QUALIFIED: kept}} if isinstance(keys, Mapping) else {})

    def _worded(self, body: Schema, made: dict[str, Any]) -> dict[str, Any]:
        """A text that is an id or a word of the game: one of those there are."""
        types = [made["type"]] if isinstance(made.get("type"), str) else list(made.get("type", ()))
        if "string" not in types or not ({"x-ref", "x-noun"} & set(body)):
            return made
        words = self._ids(str(body["x-ref"])) if "x-ref" in body else dict.fromkeys((*self._words(str(body["x-noun"])), *RESERVED), "")
        if not words or (len(words) == len(RESERVED) and "x-noun" in body):
            return made
        choice = self._kept(self._choice(words) if "x-ref" in body else {"enum": list(words)})
        if types == ["string"]:
            return {**{key: value for key, value in made.items() if key != "examples"}, **choice}
        others = [kind for kind in types if kind != "string"]
        about: dict[str, Any] = {key: made[key] for key in ("title", "description") if key in made}
        further = {key: value for key, value in made.items() if key not in ("type", "title", "description", "examples")}
        return {**about, "anyOf": [{"type": "string", **choice}, {"type": others, **further}]}

    def _choice(self, words: Mapping[str, str]) -> dict[str, Any]:
        """One of some ids; what says more than an id is left to `check`."""
        return {"anyOf": [{"enum": list(words), "enumDescriptions": list(words.values())}, {"type": "string", "pattern": QUALIFIED}]}

    def _ids(self, word: str) -> dict[str, str]:
        """The ids that a reference may name, each with the name of its entry; with its kind where the schema does not say which."""
        kinds = kinds_meant(self._library, self._pack, word)
        entries = [entry for kind in kinds for entry in self._library.of_kind(self._pack, kind)]
        found = {f"{entry.kind}/{entry.id}" if word == "*" else entry.id: entry.name for entry in entries}
        return {**found, **{old: entry.name for entry in entries for old in entry.former if word != "*"}}

    def _words(self, noun: str) -> dict[str, str]:
        return dict.fromkeys(words_of(self._library, self._pack, noun), "")

    def _kept(self, schema: Any) -> dict[str, str]:
        name = "s" + sha256(json.dumps(schema, sort_keys=True).encode()).hexdigest()[:12]
        self._shared.setdefault(name, schema)
        return {"$ref": f"#/$defs/{name}"}


def _bare(body: Any) -> Any:
    if isinstance(body, Mapping):
        return {key: _bare(value) for key, value in body.items() if key not in PLAIN and key != "$schema"}
    return [_bare(item) for item in body] if isinstance(body, list) else _number(body)


def _number(value: Any) -> Any:
    return (int(value) if value.denominator == 1 else float(value)) if isinstance(value, Fraction) else value


def mapping(packs: Iterable[str], folder: str) -> dict[str, list[str]]:
    """Which files each schema is for, as editors want it: by the schema's place below the project."""
    files = {f"./{folder}/pack.json": ["content/*/pack.yaml"]}
    for pack in packs:
        inside = [f"!content/{pack}/{name}/**" for name in ("lang", "templates", "schemas", "art")]
        files[f"./{folder}/{pack}.json"] = [f"content/{pack}/**/*.yaml", f"content/{pack}/*.yaml", f"!content/{pack}/pack.yaml", *inside]
    return files
