"""How expressions reach the fields of entries: their types, from schemas, and their values, from data.

A dotted name walks maps by key (an id is written with `_`), lists by the `label` of an item, and references into the entry they lead to.
The parameters of a frame's roll are read as fields of the frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, TypeAlias

from seasons_build.core.document import Value
from seasons_build.core.entry import Entry, Key, Library
from seasons_build.core.kind import Schema
from seasons_build.core.names import in_expressions
from seasons_build.core.span import Path
from seasons_build.language.expression.types import ANYTHING, DICE, LIST, NUMBER, TRUTH, WORD, Type, one_of
from seasons_build.language.rules import kinds_meant

ROLL = "roll"
Level: TypeAlias = Schema
"""A place in a schema whose fields a formula may name without a path."""


class Failed(Exception):
    """A value cannot be worked out; the reason is already reported."""


class Faulty(Failed):
    """What is asked for is at fault among the rules, which is told there: whoever asked is not whole."""


class Absent(Exception):
    """A field that an entry leaves out was asked for; `name` is how the formula wrote it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def type_at(
    library: Library, pack: str, root: Schema, level: Schema, steps: list[str], declared: frozenset[str] = frozenset()
) -> Type | None:
    """The type of what the steps lead to from a place in a schema; None where they lead nowhere. `root` has the `$defs`; `declared` are the
    names that the game gives to fields that a schema leaves open (outcomes, what rolls take)."""
    node: Any = _open(root, level)
    first = True
    while steps:
        if "x-ref" in node and "properties" not in node:
            return _in_reference(library, pack, node, steps)
        step, *steps = steps
        child = _child(root, node, step, named=first and step not in declared)
        if child is None:
            return None
        node, first = child, False
    return _type_of(node)


def named_at(root: Schema, level: Schema) -> Iterator[str]:
    """The names that can be written first at a place in a schema, for the nearest one to a misspelt one."""
    node = _open(root, level)
    yield from (in_expressions(name) for name in node.get("properties", {}))
    yield from _parameters(root, node)


def levels_at(root: Schema, path: Path) -> tuple[Level, ...]:
    """The places in a schema whose fields a formula at `path` may name, innermost first."""
    levels: list[Level] = [root]
    node: Any = root
    for step in path:
        child = _items(root, node) if isinstance(step, int) else _child(root, node, in_expressions(step))
        if child is None:
            break
        node = _open(root, child)
        if "properties" in node:
            levels.append(node)
    return tuple(reversed(levels))


def values_at(data: Value, path: Path) -> tuple[tuple[Path, Value], ...]:
    """The maps along a path into data, innermost first, each with the path to it."""
    levels: list[tuple[Path, Value]] = [((), data)]
    for length, step in enumerate(path, 1):
        if isinstance(data, dict) and step in data:
            data = data[str(step)]
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            break
        if isinstance(data, dict):
            levels.append((path[:length], data))
    return tuple(reversed(levels))


def _child(root: Schema, node: Schema, step: str, *, named: bool = False) -> Schema | None:
    """What a step leads to. A name without a path must be `named` by the schema: a map that takes any key does not have every name."""
    node = _open(root, node)
    for name, body in node.get("properties", {}).items():
        if in_expressions(name) == step:
            return _open(root, body)
    if ROLL in node.get("properties", {}):
        found = _parameter(root, node, step)
        if found is not None:
            return found
    if named:
        return None
    if "items" in node and "array" in _types(node):
        return _items(root, node)
    rest = node.get("additionalProperties")
    return _open(root, rest) if isinstance(rest, dict) else None


def _items(root: Schema, node: Schema) -> Schema | None:
    items = node.get("items")
    return _open(root, items) if isinstance(items, dict) else None


def _parameter(root: Schema, node: Schema, step: str) -> Schema | None:
    roll = _open(root, node["properties"][ROLL])
    parameters = _open(root, roll.get("additionalProperties", {}))
    for name, body in parameters.get("properties", {}).items():
        if in_expressions(name) == step:
            return _open(root, body)
    return None


def _parameters(root: Schema, node: Schema) -> Iterator[str]:
    if ROLL in node.get("properties", {}):
        roll = _open(root, node["properties"][ROLL])
        yield from (in_expressions(n) for n in _open(root, roll.get("additionalProperties", {})).get("properties", {}))


def _open(root: Schema, node: Any) -> Schema:
    while isinstance(node, dict) and "$ref" in node:
        node = root["$defs"][node["$ref"].removeprefix("#/$defs/")]
    return node if isinstance(node, dict) else {}


def _types(node: Schema) -> list[str]:
    types = node.get("type", [])
    return types if isinstance(types, list) else [types]


def _type_of(node: Schema) -> Type:
    want, types = node.get("x-expr"), _types(node)
    if want == "number":
        return NUMBER
    if want == "dice":
        return DICE
    if want == "truth" or types == ["boolean"]:
        return TRUTH
    if types and set(types) <= {"integer", "number"}:
        return NUMBER
    if "enum" in node and types == ["string"]:
        return one_of(str(word) for word in node["enum"])
    if types == ["string"]:
        return WORD
    return LIST if types == ["array"] else ANYTHING


def _in_reference(library: Library, pack: str, node: Schema, steps: list[str]) -> Type | None:
    found: Type | None = None
    for kind in kinds_meant(library, pack, str(node["x-ref"])):
        composed = library.find_kind(pack, kind)
        if composed is None:
            continue
        schema = composed.schema
        part = node.get("x-part")
        level: Any = schema
        if part:
            parts = _child(schema, schema, in_expressions(str(part)))
            level = _open(schema, parts.get("additionalProperties", {})) if parts else {}
        inner = type_at(library, pack, schema, level, list(steps))
        found = inner if found is None else found if inner is None or inner == found else ANYTHING
    return found


class Reader:
    """Reads dotted names in the data of entries."""

    def __init__(self, library: Library, formula: Callable[[Entry, Path], Value]) -> None:
        self._library = library
        self._formulas: dict[Key, frozenset[Path]] = {}
        self._defaults: dict[tuple[str, str], dict[str, tuple[Path, Value]]] = {}
        self._formula = formula
        """Gives the value of a field that is an expression."""

    def read(self, entry: Entry, data: Value, path: Path, name: str) -> Value:
        """The value of a dotted name from `data`, which is what stands at `path` of `entry`; raises `Absent`."""
        found = self.find(entry, data, path, name)
        if found is None:
            raise Absent(name)
        return found

    def find(self, entry: Entry, data: Value, path: Path, name: str) -> Value | None:
        """As `read`; None where the entry leaves the name out. Raises `Absent` for what a formula on the way asks for in vain."""
        steps = _steps(name)
        for index, step in enumerate(steps):
            if isinstance(data, str):
                target = self._library.targets[entry.key].get(path)
                return None if target is None else self._in_target(entry, path, target, data, ".".join(steps[index:]))
            found = _step(data, step)
            if found is None and not path:
                found = self._default(entry, step)
            if found is None:
                return None
            key, data = found
            path = (*path, *key)
        if isinstance(data, str) and path in self._paths(entry):
            return self._formula(entry, path)
        return data

    def _in_target(self, entry: Entry, path: Path, target: Key, text: str, name: str) -> Value | None:
        other = self._library.entries[target]
        if other.broken:
            raise Failed  # what is read stands in an entry that is at fault, which is told there
        reference = next(r for r in entry.announced.references if r.path == path)
        if reference.part:
            part = text.rpartition("/")[2]
            parts = other.data.get(reference.part)
            if isinstance(parts, dict) and part in parts:
                try:
                    found = self.find(other, parts[part], (reference.part, part), name)
                except Absent:
                    found = None
                if found is not None:
                    return found
        return self.find(other, other.data, (), name)

    def _default(self, entry: Entry, step: str) -> tuple[Path, Value] | None:
        """What a field that an entry leaves out holds by its schema (`default`), if it says so."""
        kind = (entry.pack, entry.kind)
        if kind not in self._defaults:
            given = ((field.id, field.schema.get("default")) for field in self._library.kind_of(entry).fields)
            self._defaults[kind] = {in_expressions(name): ((name,), value) for name, value in given if value is not None}
        return self._defaults[kind].get(step)

    def _paths(self, entry: Entry) -> frozenset[Path]:
        key = entry.key
        found = self._formulas.get(key)
        if found is None:
            found = self._formulas[key] = frozenset(formula.path for formula in entry.announced.formulas)
        return found


@lru_cache(maxsize=4096)
def _steps(name: str) -> tuple[str, ...]:
    return tuple(name.split("."))


def _step(data: Value, step: str) -> tuple[Path, Value] | None:
    if isinstance(data, dict):
        if step in data:
            return (step,), data[step]
        if "_" in step:  # else no other key is written so in expressions
            for key, value in data.items():
                if in_expressions(key) == step:
                    return (key,), value
        roll = data.get(ROLL)
        for name, parameters in roll.items() if isinstance(roll, dict) else ():
            if isinstance(parameters, dict) and step in parameters:
                return (ROLL, name, step), parameters[step]
    elif isinstance(data, list):
        for index, item in enumerate(data):
            if isinstance(item, dict) and in_expressions(str(item.get("label", ""))) == step:
                return (index,), item
    return None
