"""The quick yes of `check`: it says yes only where the validator finds nothing, and says it of whatever is well written."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from seasons_build.check.accept import accepts
from seasons_build.kinds import WORDS
from seasons_build.pipeline.read import read

ROOT = Path(__file__).parent.parent

SCHEMAS: tuple[Any, ...] = (
    {},
    *({"type": name} for name in ("object", "array", "string", "number", "integer", "boolean", "null")),
    {"type": ["string", "integer"]},
    {"enum": ["a", 1, True, None, Fraction(1, 2), [1]]},
    {"const": 1},
    {"const": {"a": 1}},
    {"type": "string", "pattern": "^a+$", "minLength": 2, "maxLength": 3},
    {"pattern": "b"},
    {"minimum": 0, "maximum": 5, "multipleOf": 2},
    {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 5},
    {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2},
    {"items": {"type": "string"}, "uniqueItems": True},
    {"uniqueItems": True},
    {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False},
    {"properties": {"a": True, "b": False}, "additionalProperties": {"type": "string"}},
    {"propertyNames": {"pattern": "^[ab]$"}, "minProperties": 1, "maxProperties": 2},
    {"patternProperties": {"^a": {"type": "integer"}}, "additionalProperties": False},
    {"anyOf": [{"type": "string"}, {"type": "null"}]},
    {"oneOf": [{"type": "integer"}, {"minimum": 2}]},
    {"not": {"type": "string"}},
    {"$ref": "#/$defs/tree", "$defs": {"tree": {"type": "object", "additionalProperties": {"$ref": "#/$defs/tree"}}}},
    {"$ref": "#/$defs/missing", "$defs": {}},
    {"title": "t", "format": "date", "x-ref": "weapon", "type": "string"},
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 2, 4, 5, -1, Fraction(1, 2), Fraction(4), "", "a", "aa", "b", "1"),
    *([], [1], [1, 1], [True, 1], ["a"], ["a", "a"], ["a", "b"], [[1]], [1, 2, 3]),
    *({}, {"a": 1}, {"a": "a"}, {"b": "b"}, {"a": 1, "b": "b"}, {"c": 1}, {"c": "c"}, {"a": {}}, {"a": {"b": {}}}, {"a": {"b": 1}}),
)


@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
def test_yes_is_said_only_where_the_validator_finds_nothing(schema: Any) -> None:
    accept = accepts(schema)
    for value in VALUES:
        if accept(value):
            assert not list(Draft202012Validator(schema).iter_errors(value)), value


@pytest.mark.parametrize("schema", [s for s in SCHEMAS if set(s) <= WORDS - {"patternProperties", "const", "enum", "uniqueItems"}], ids=str)
def test_of_the_usual_words_every_good_value_is_told(schema: Any) -> None:
    accept = accepts(schema)
    if "missing" not in str(schema):
        assert [accept(value) for value in VALUES] == [Draft202012Validator(schema).is_valid(value) for value in VALUES]


def test_every_shipped_entry_is_accepted_and_no_damaged_one_that_the_validator_refuses() -> None:
    library = read(ROOT).library
    assert len(library.entries) > 50
    for entries in library.by_kind.values():
        schema = library.kind_of(entries[0]).schema
        accept, validator = accepts(schema), Draft202012Validator(schema)
        for entry in entries[:3]:
            assert accept(entry.data), entry
            for damaged in _damaged(entry.data):
                assert not accept(damaged) or validator.is_valid(damaged), (entry, damaged)


def _damaged(data: Any) -> Iterator[Any]:
    """The data with one thing wrong, most likely, in every place in turn."""
    for path in list(_places(data)):
        for wrong in (None, "?", -7, Fraction(1, 3), [], {"stranger": 1}):
            made = copy.deepcopy(data)
            inner = made
            for step in path[:-1]:
                inner = inner[step]
            inner[path[-1]] = wrong
            yield made


def _places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from _places(inner, (*path, key))
