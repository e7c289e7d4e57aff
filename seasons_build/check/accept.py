"""A schema as a quick yes: what it surely lets through is not looked at again (part of check).

In: a composed schema, whose words are those that `kinds` lets through. Out: a function that says True only for data in which a validator
finds no fault. Where it says False there may be one, or a word was met that it leaves to the validator.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from seasons_build.core.document import Value
from seasons_build.core.kind import Schema
from seasons_build.core.limits import DEFAULT

Accepts: TypeAlias = Callable[[Any], bool]

_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, Fraction),
    "boolean": (bool,),
    "null": (type(None),),
}
_MAPS = ("properties", "required", "additionalProperties", "propertyNames", "minProperties", "maxProperties")
_LISTS = ("items", "minItems", "maxItems", "uniqueItems")
_TEXTS = ("pattern", "minLength", "maxLength")
_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_SILENT = ("type", "$schema", "$defs", "$comment", "title", "description", "default", "examples", "deprecated", "format")
_KNOWN = frozenset((*_MAPS, *_LISTS, *_TEXTS, *_NUMBERS, *_SILENT))
"""Words that are dealt with above, or let everything through; all do that begin with `x-`."""


def accepts(schema: Schema) -> Callable[[Value], bool]:
    """The function for a schema with all that it leads to."""
    return _Compiler(schema.get("$defs", {})).node(schema)


def _anything(value: Any) -> bool:
    del value
    return True


def _unsure(value: Any) -> bool:
    del value
    return False


class _Compiler:
    """One schema on its way to a function. Its definitions are made when they are first met: they may lead back to themselves."""

    def __init__(self, definitions: Mapping[str, Schema]) -> None:
        self._definitions = definitions
        self._made: dict[str, list[Accepts]] = {}

    def node(self, schema: Any) -> Accepts:
        """The function for a part of the schema."""
        if schema is True:
            return _anything
        if not isinstance(schema, dict):
            return _unsure
        tests: list[Accepts] = [_typed(schema["type"])] if "type" in schema else []
        for words, name, make in (
            (_MAPS, "object", self._map),
            (_LISTS, "array", self._list),
            (_TEXTS, "string", self._text),
            (_NUMBERS, "number", self._number),
        ):
            if any(word in schema for word in words):
                tests.append(_where(name, make(schema), schema.get("type")))
        for word, value in schema.items():
            if word == "$ref":
                tests.append(self._reference(value))
            elif word in ("enum", "const"):
                tests.append(_one_of(value if word == "enum" else [value]))
            elif word not in _KNOWN and not word.startswith("x-"):
                return _unsure
        return _all(tests)

    def _reference(self, name: str) -> Accepts:
        key = name.removeprefix("#/$defs/")
        if key not in self._definitions:
            return _unsure
        if key not in self._made:
            self._made[key] = made = []
            made.append(self.node(self._definitions[key]))
        made = self._made[key]
        return made[0] if made else lambda value: made[0](value)

    def _map(self, schema: Schema) -> Accepts:
        listed = {name: self.node(inner) for name, inner in schema.get("properties", {}).items()}
        others = self.node(schema["additionalProperties"]) if "additionalProperties" in schema else _anything
        names = self.node(schema["propertyNames"]) if "propertyNames" in schema else None
        required = tuple(schema.get("required", ()))
        least, most = schema.get("minProperties", 0), schema.get("maxProperties")

        def test(value: dict[str, Any]) -> bool:
            for key, inner in value.items():
                if not listed.get(key, others)(inner):
                    return False
            for key in required:
                if key not in value:
                    return False
            if names is not None and not all(map(names, value)):
                return False
            return least <= len(value) and (most is None or len(value) <= most)

        return test

    def _list(self, schema: Schema) -> Accepts:
        item = self.node(schema["items"]) if "items" in schema else _anything
        least, most, once = schema.get("minItems", 0), schema.get("maxItems"), schema.get("uniqueItems") is True

        def test(value: list[Any]) -> bool:
            if once and not _all_differ(value):
                return False
            return least <= len(value) and (most is None or len(value) <= most) and all(map(item, value))

        return test

    def _text(self, schema: Schema) -> Accepts:
        search = re.compile(schema["pattern"]).search if "pattern" in schema else None
        least, most = schema.get("minLength", 0), schema.get("maxLength")
        if search is None:
            return lambda value: least <= len(value) and (most is None or len(value) <= most)
        longest = min(DEFAULT.pattern_text, most if most is not None else DEFAULT.pattern_text)
        return lambda value: least <= len(value) <= longest and search(value) is not None

    def _number(self, schema: Schema) -> Accepts:
        least, most = schema.get("minimum"), schema.get("maximum")
        above, below, step = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum"), schema.get("multipleOf")

        def test(value: Any) -> bool:
            if (least is not None and value < least) or (most is not None and value > most):
                return False
            if (above is not None and value <= above) or (below is not None and value >= below):
                return False
            return step is None or value % step == 0

        return test


def _all_differ(values: list[Any]) -> bool:
    """Whether no two are the same, where that is soon told; what cannot be looked up is for the validator."""
    try:
        return len(set(values)) == len(values)
    except TypeError:
        return False


def _where(name: str, test: Accepts, wanted: Any) -> Accepts:
    """A test of values of one type, which lets all others through; where that type is asked for anyway, no other comes here."""
    if wanted == name or (wanted == "integer" and name == "number"):
        return test
    kinds = _TYPES[name]
    return lambda value: test(value) if type(value) in kinds else True


def _typed(wanted: str | Sequence[str]) -> Accepts:
    kinds = [wanted] if isinstance(wanted, str) else wanted
    exact = frozenset(kind for name in kinds for kind in _TYPES[name])
    if len(exact) == 1:
        only = next(iter(exact))
        return lambda value: type(value) is only
    return lambda value: type(value) in exact


def _one_of(choices: Sequence[Any]) -> Accepts:
    """One of these, of the same type: where another type might be equal, the validator says so."""
    listed = frozenset((type(choice), choice) for choice in choices if isinstance(choice, str | int | Fraction | None))
    return lambda value: isinstance(value, str | int | Fraction | None) and (type(value), value) in listed


def _all(tests: Sequence[Accepts]) -> Accepts:
    match tests:
        case []:
            return _anything
        case [one]:
            return one
        case [first, second]:
            return lambda value: first(value) and second(value)
    made = tuple(tests)
    return lambda value: all(test(value) for test in made)
