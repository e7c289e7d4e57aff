"""A schema as a quick yes: what it surely lets through is not looked at again (part of check).

In: a composed schema, whose words are those that `kinds` lets through. Out: a function that says True only for data in which a validator
finds no fault. Where it says False there may be one, or a word was met that it leaves to the validator.

A part of a schema becomes tests by the type of a value, and does so when data first gets there: kinds list far more than entries have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from seasons_build.core.document import Value
from seasons_build.core.kind import Schema
from seasons_build.core.limits import DEFAULT

Accepts: TypeAlias = Callable[[Any], bool]

Tests: TypeAlias = Mapping[type, Accepts]
"""What tests a value of a type; no value of a type that is missing is let through."""

_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, Fraction),
    "boolean": (bool,),
    "null": (type(None),),
}
_MAPS = frozenset(("properties", "required", "additionalProperties", "propertyNames", "minProperties", "maxProperties"))
_LISTS = frozenset(("items", "minItems", "maxItems", "uniqueItems"))
_TEXTS = frozenset(("pattern", "minLength", "maxLength"))
_NUMBERS = frozenset(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"))
_CHOICES = frozenset(("enum", "const"))
_SILENT = frozenset(("type", "$ref", "$schema", "$defs", "$comment", "title", "description", "default", "examples", "deprecated", "format"))
_KNOWN = _MAPS | _LISTS | _TEXTS | _NUMBERS | _CHOICES | _SILENT
"""Words that are dealt with, or let everything through; all do that begin with `x-`."""


def accepts(schema: Schema) -> Callable[[Value], bool]:
    """The function for a schema with all that it leads to."""
    tests = _Compiler(schema.get("$defs", {})).node(schema)
    return lambda value: _passes(tests, value)


def _passes(tests: Tests, value: Any) -> bool:
    test = tests.get(type(value))
    return test is not None and test(value)


def _anything(value: Any) -> bool:
    del value
    return True


_ALL: Tests = {kind: _anything for kinds in _TYPES.values() for kind in kinds}
_UNSURE: Tests = {}


class _Compiler:
    """One schema on its way to a function."""

    def __init__(self, definitions: Mapping[str, Schema]) -> None:
        self._definitions = definitions
        self._made: dict[str, Tests] = {}

    def node(self, schema: Any) -> Tests:
        """The tests of a part of the schema."""
        if schema is True:
            return _ALL
        if not isinstance(schema, dict) or any(not word.startswith("x-") for word in schema.keys() - _KNOWN):
            return _UNSURE
        tests = _of_types(schema["type"]) if "type" in schema else _ALL
        if "$ref" in schema:
            tests = _both(tests, self._reference(schema["$ref"]))
        if "enum" in schema:
            tests = _both(tests, _one_of(schema["enum"]))
        if "const" in schema:
            tests = _both(tests, _one_of([schema["const"]]))
        more: dict[type, Accepts] = {}
        if dict in tests and not _MAPS.isdisjoint(schema):
            more[dict] = self._map(schema)
        if list in tests and not _LISTS.isdisjoint(schema):
            more[list] = self._list(schema)
        if str in tests and not _TEXTS.isdisjoint(schema):
            more[str] = _text(schema)
        if not _NUMBERS.isdisjoint(schema):
            more |= dict.fromkeys(_TYPES["number"], _number(schema))
        return _both(tests, {**_ALL, **more}) if more else tests

    def _reference(self, name: str) -> Tests:
        key = name.removeprefix("#/$defs/")
        if key not in self._made:
            self._made[key] = _UNSURE
            self._made[key] = self.node(self._definitions.get(key))
        return self._made[key]

    def _map(self, schema: Schema) -> Accepts:
        tests = _Fields(schema, self.node)
        names = self.node(schema["propertyNames"]) if "propertyNames" in schema else _ALL
        required = tuple(schema.get("required", ()))
        least, most = schema.get("minProperties", 0), schema.get("maxProperties")

        def test(value: dict[str, Any]) -> bool:
            for key, inner in value.items():
                accept = tests[key].get(type(inner))
                if accept is not _anything and (accept is None or not accept(inner)):
                    return False
            for key in required:
                if key not in value:
                    return False
            if names is not _ALL and not all(_passes(names, key) for key in value):
                return False
            return least <= len(value) and (most is None or len(value) <= most)

        return test

    def _list(self, schema: Schema) -> Accepts:
        least, most, once = schema.get("minItems", 0), schema.get("maxItems"), schema.get("uniqueItems") is True
        tests: Tests | None = None

        def test(value: list[Any]) -> bool:
            nonlocal tests
            if tests is None:
                tests = self.node(schema.get("items", True))
            for item in value:
                accept = tests.get(type(item))
                if accept is not _anything and (accept is None or not accept(item)):
                    return False
            return least <= len(value) and (most is None or len(value) <= most) and (not once or _all_differ(value))

        return test


class _Fields(dict[str, Tests]):
    """The tests of what stands in a map, by key; each is made when it is first asked for."""

    def __init__(self, schema: Schema, node: Callable[[Any], Tests]) -> None:
        super().__init__()
        self._schema = schema
        self._listed = schema.get("properties", {})
        self._node = node

    def __missing__(self, key: str) -> Tests:
        made = self[key] = self._node(self._listed[key]) if key in self._listed else self._others
        return made

    @cached_property
    def _others(self) -> Tests:
        return self._node(self._schema.get("additionalProperties", True))


def _text(schema: Schema) -> Accepts:
    search = re.compile(schema["pattern"]).search if "pattern" in schema else None
    least, most = schema.get("minLength", 0), schema.get("maxLength")
    if search is None:
        return lambda value: least <= len(value) and (most is None or len(value) <= most)
    longest = min(DEFAULT.pattern_text, most if most is not None else DEFAULT.pattern_text)
    return lambda value: least <= len(value) <= longest and search(value) is not None


def _number(schema: Schema) -> Accepts:
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


def _of_types(wanted: str | Sequence[str]) -> Tests:
    names = (wanted,) if isinstance(wanted, str) else wanted
    return {kind: _anything for name in names for kind in _TYPES[name]}


def _one_of(choices: Sequence[Any]) -> Tests:
    """One of these, of the same type: where another type might be equal, the validator says so."""
    listed: dict[type, set[Any]] = {}
    for choice in choices:
        if isinstance(choice, str | int | Fraction | None):
            listed.setdefault(type(choice), set()).add(choice)
    return {kind: frozenset(these).__contains__ for kind, these in listed.items()}


def _both(one: Tests, other: Tests) -> Tests:
    """What both let through."""
    return one if other is _ALL else other if one is _ALL else {kind: _and(one[kind], other[kind]) for kind in one if kind in other}


def _and(one: Accepts, other: Accepts) -> Accepts:
    if one is _anything or other is _anything:
        return other if one is _anything else one
    return lambda value: one(value) and other(value)
