"""Values that a schema lets through, for the fields of a new entry (part of scaffold).

In: the schema of a field and the library that names are taken from. Out: the simplest value that is sound by it, or the complaint that
there is nothing yet which the field could name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from seasons_build.core.document import Value
from seasons_build.core.entry import Library
from seasons_build.core.kind import Schema
from seasons_build.core.record import dataclass
from seasons_build.language.rules import kinds_meant, words_of

FORMULAS: Mapping[str, Value] = {"number": 1, "amount": 1, "dice": "1d6", "truth": "1 == 1"}
SIMPLEST = ("string", "integer", "number", "boolean", "array", "object")


class Lacking(Exception):
    """A field must name something, and there is nothing that it could name; `what` says of which sort."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


@dataclass(frozen=True, slots=True)
class Samples:
    """Makes values for the fields of one kind, with what a pack may name."""

    library: Library
    pack: str
    shared: Mapping[str, Schema]

    def value(self, schema: Schema) -> Value:
        """The simplest value that a schema lets through: what it gives as its default, its first word or example, else what its bounds
        allow. Raises `Lacking`."""
        if "$ref" in schema:
            schema = self.shared[schema["$ref"].removeprefix("#/$defs/")]
        if "x-ref" in schema:
            return self._reference(schema)
        for word in ("const", "default"):
            if word in schema:
                return schema[word]
        for word in ("enum", "examples"):
            if schema.get(word):
                return schema[word][0]
        if "x-noun" in schema:
            return self._word(schema["x-noun"])
        if "x-expr" in schema:
            return FORMULAS[schema["x-expr"]]
        return self._typed(schema)

    def _typed(self, schema: Schema) -> Value:
        wanted = schema.get("type", "object")
        kinds = [wanted] if isinstance(wanted, str) else list(wanted)
        match next((kind for kind in SIMPLEST if kind in kinds), "null"):
            case "string":
                return _text(schema)
            case "integer" | "number":
                return _number(schema)
            case "boolean":
                return True
            case "array":
                least = max(schema.get("minItems", 0), 0)
                return [self.value(schema["items"])] * least if "items" in schema else []
            case "object":
                return self._map(schema)
            case _:
                return None

    def _map(self, schema: Schema) -> Value:
        properties = schema.get("properties", {})
        made = {name: self.value(properties[name]) for name in schema.get("required", ())}
        rest = schema.get("additionalProperties")
        if len(made) < schema.get("minProperties", 0) and isinstance(rest, Mapping):
            made[self._key(schema)] = self.value(rest)
        return made

    def _key(self, schema: Schema) -> str:
        keys = schema.get("x-keys")
        if isinstance(keys, Mapping):
            return str(self._reference({"x-ref": keys.get("ref")}))
        return self._word(keys) if isinstance(keys, str) else "first"

    def _reference(self, schema: Schema) -> Value:
        kinds = kinds_meant(self.library, self.pack, schema["x-ref"]) if schema["x-ref"] != "*" else ()
        known = [entry.id for kind in kinds for entry in self.library.of_kind(self.pack, kind) if not entry.broken]
        examples = [example for example in schema.get("examples", ()) if example in known]
        if not (examples or known):
            raise Lacking(str(schema["x-ref"]).replace("|", " or "))
        found = (examples or known)[0]
        return [found] if schema.get("type") == "array" else found

    def _word(self, noun: str) -> str:
        found = next(words_of(self.library, self.pack, noun), None)
        if found is None:
            raise Lacking(f"`{noun}` in the rules")
        return found


def _number(schema: Schema) -> Value:
    step = schema.get("multipleOf", 1)
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    least = schema.get("minimum", above + step if above is not None else None)
    most = schema.get("maximum", below - step if below is not None else None)
    found: Any = least if least is not None else 1 if most is None else min(1, most)
    rounded = -(-found // step) * step
    return int(rounded) if rounded == int(rounded) else rounded


def _text(schema: Schema) -> str:
    """What the field is for, as its own text: it says what to write where it will be printed."""
    described = re.split(r"(?<=[.:;])\s", str(schema.get("description", "")), maxsplit=1)[0].rstrip(".:;")
    words = re.sub(r"[`{}\[\]*_\\]|:(?=\w)", "", described)
    text = words if words and not re.search(r"\d", words) else "Write something here"
    return text[: schema.get("maxLength", 200) - 1] + "."
