"""Values of entries in the cells of a spreadsheet (language library): one way out, and the same way back.

A text stands as it is, a number and true or false as in YAML, a map and a list in brackets; an empty cell is a field that is not there.
What a spreadsheet would take for a formula gets an apostrophe in front. What a cell may be is asked of the schema of its column.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from seasons_build.core.document import Value
from seasons_build.core.kind import Schema
from seasons_build.core.regex import regex
from seasons_build.language.yaml_text import flow, quoted

Plain: TypeAlias = Callable[[str], tuple[bool, Value]]
"""Reads a word or brackets as YAML does: whether that can be read, and what it is."""

FORMULA = regex(r"'*[=+\-@\t\r]")
NUMBER = regex(r"[-+]?\d+(?:\.\d+)?\Z")
EMPTY = '""'


def written(value: Value, schema: Schema | None, plain: Plain) -> str:
    """A value as its cell has it."""
    if not isinstance(value, str):
        return flow(value)
    as_it_is = _escaped(value or EMPTY)
    return as_it_is if read(as_it_is, schema, plain) == value else _escaped(quoted(value))


def _escaped(text: str) -> str:
    return f"'{text}" if FORMULA.match(text) and not NUMBER.match(text) else text


def read(cell: str, schema: Schema | None, plain: Plain) -> Value:
    """The value in a cell that is not empty. What its schema cannot take comes back as text, for `check` to tell."""
    if cell.startswith("'") and FORMULA.match(cell):
        cell = cell[1:]
    kinds = types_of(schema)
    if kinds == ("string",):
        return "" if cell == EMPTY else cell
    if "array" in kinds and cell[:1] not in "[{\"'" and "string" not in kinds:
        items = (schema or {}).get("items")
        return [read(part.strip(), items, plain) for part in cell.split(";") if part.strip()]
    if "string" in kinds and not (cell[:1] in "[{\"'" or NUMBER.match(cell) or cell in ("true", "false", "null")):
        return cell
    whole, value = plain(cell)
    return value if whole else cell


def types_of(schema: Schema | None) -> tuple[str, ...]:
    """The types that a value may have; any, where nothing is said."""
    wanted: Any = (schema or {}).get("type", ("string", "number", "object", "array", "boolean"))
    return (wanted,) if isinstance(wanted, str) else tuple(wanted)


def column_schema(schema: Schema, path: str) -> Schema | None:
    """The schema of what stands at a dotted path of an entry; None where it has none."""
    here: Any = schema
    shared = schema.get("$defs", {})
    for step in path.split("."):
        here = shared.get(str(here["$ref"]).removeprefix("#/$defs/"), {}) if "$ref" in here else here
        inner = here.get("properties", {}).get(step, here.get("additionalProperties"))
        if not isinstance(inner, Mapping):
            return None
        here = inner
    found: Schema = shared.get(str(here["$ref"]).removeprefix("#/$defs/"), {}) if "$ref" in here else here
    return found
