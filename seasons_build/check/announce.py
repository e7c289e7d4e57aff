"""What an entry announces: references, formulas, prose and words of the game, with their places (part of check).

In go a composed schema and the data of an entry; nothing is looked up, and what is no text where a text is awaited announces nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, TypeAlias

from seasons_build.core.document import Value
from seasons_build.core.kind import Announced, Formula, Prose, Reference, Schema, Word
from seasons_build.core.named import NamedTuple
from seasons_build.core.span import Path

_TELLING = frozenset((str, dict, list))
"""What may announce something, be it by what it holds."""


class Walk:
    """A schema made ready for walking many entries. Each part of it is looked at when data first gets there: kinds list far more than
    entries have."""

    def __init__(self, schema: Schema) -> None:
        self._definitions = schema.get("$defs", {})
        self._made: dict[str, _Node] = {}
        self._root = self.node(schema)

    def of(self, data: Value) -> Announced:
        """What an entry announces, in the order typed."""
        out = _Out([], [], [], [])
        if self._root is not None:
            _visit(self._root, data, (), out)
        return Announced(tuple(out.references), tuple(out.formulas), tuple(out.prose), tuple(out.words))

    def node(self, schema: Any) -> _Node | None:
        """A part of the schema; None where it announces nothing."""
        if not isinstance(schema, dict):
            return None
        if "$ref" in schema:
            name = schema["$ref"].removeprefix("#/$defs/")
            if name not in self._made:
                self._made[name] = _Node(self._definitions[name], self)
            return self._made[name]
        node = _Node(schema, self)
        return node if node.says or node.is_deep else None


class Later:
    """What data announces, for when somebody asks."""

    __slots__ = ("_data", "_found", "_walk")

    def __init__(self, walk: Walk, data: Value) -> None:
        self._walk = walk
        self._data = data
        self._found: Announced | None = None

    def __call__(self) -> Announced:
        if self._found is None:
            self._found = self._walk.of(self._data)
        return self._found


class _Out(NamedTuple):
    references: list[Reference]
    formulas: list[Formula]
    prose: list[Prose]
    words: list[Word]


_Say: TypeAlias = Callable[[Path, str, _Out], None]


class _Node:
    """A part of a schema: what a text there is, what the keys of a map are, and what stands below."""

    def __init__(self, schema: Schema, walk: Walk) -> None:
        keys = schema.get("x-keys")
        self._schema = schema
        self._walk = walk
        self.children = _Children(schema.get("properties", {}), walk)
        self.says = _said(schema)
        self.key_noun = keys if isinstance(keys, str) else None
        self.key_ref = keys.get("ref") if isinstance(keys, dict) else None
        self.listed = frozenset(schema.get("properties", ()))
        self.is_deep = bool(self.listed or keys) or any(isinstance(schema.get(word), dict) for word in ("additionalProperties", "items"))

    @cached_property
    def rest(self) -> _Node | None:
        """What stands under all other keys."""
        return self._walk.node(self._schema.get("additionalProperties"))

    @cached_property
    def items(self) -> _Node | None:
        """What stands in a list."""
        return self._walk.node(self._schema.get("items"))


class _Children(dict[str, _Node | None]):
    """What stands under the keys that are listed, each made when it is first asked for."""

    def __init__(self, schemas: Mapping[str, Schema], walk: Walk) -> None:
        super().__init__()
        self._schemas = schemas
        self._walk = walk

    def __missing__(self, key: str) -> _Node | None:
        made = self[key] = self._walk.node(self._schemas[key])
        return made


def _visit(node: _Node, value: Value, path: Path, out: _Out) -> None:
    if type(value) is dict:
        children, listed = node.children, node.listed
        for key, inner in value.items():
            if key in listed:
                kind = type(inner)
                if kind not in _TELLING:
                    continue
                child = children[key]
            else:
                if node.key_noun:
                    out.words.append(Word((*path, key), node.key_noun, key, True, listed))
                elif node.key_ref:
                    out.references.append(Reference((*path, key), node.key_ref, key, key=True))
                child, kind = node.rest, type(inner)
            if child is None:
                continue
            if kind is not str:
                if child.is_deep:
                    _visit(child, inner, (*path, key), out)
            elif child.says:
                child.says((*path, key), inner, out)
    elif type(value) is list and node.items:
        child = node.items
        for index, item in enumerate(value):
            if type(item) in _TELLING:
                _visit(child, item, (*path, index), out)
    elif type(value) is str and node.says:
        node.says(path, value, out)


def _said(schema: Schema) -> _Say | None:
    """How a text is announced that stands at a part of a schema."""
    if reference := schema.get("x-ref"):
        kind, part = None if reference == "*" else reference, schema.get("x-part")
        return lambda path, text, out: out.references.append(Reference(path, kind, text, part))
    if "x-text" in schema:
        role = schema["x-text"]["role"]
        return lambda path, text, out: out.prose.append(Prose(path, role, text))
    if noun := schema.get("x-noun"):
        return lambda path, text, out: out.words.append(Word(path, noun, text))
    if want := schema.get("x-expr"):
        return lambda path, text, out: out.formulas.append(Formula(path, want, text))
    return None
