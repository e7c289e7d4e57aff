"""What an entry announces: references, formulas, prose and words of the game, with their places (part of check).

In go a composed schema and the data of an entry; nothing is looked up, and what is no text where a text is awaited announces nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from seasons_build.core.document import Value
from seasons_build.core.kind import Announced, Formula, Prose, Reference, Schema, Word
from seasons_build.core.span import Path

_TELLING = frozenset((str, dict, list))
"""What may announce something, be it by what it holds."""


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
        if not isinstance(schema, dict):
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
        node.key_ref = keys.get("ref") if isinstance(keys, dict) else None
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
    children: Mapping[str, _Node] = field(default_factory=dict)
    rest: _Node | None = None
    items: _Node | None = None

    @property
    def speaks(self) -> bool:
        return any((self.ref, self.want, self.role, self.noun, self.key_noun, self.key_ref, self.children, self.rest, self.items))


class _Out(NamedTuple):
    references: list[Reference]
    formulas: list[Formula]
    prose: list[Prose]
    words: list[Word]


def _visit(node: _Node, value: Value, path: Path, out: _Out) -> None:
    if type(value) is str:
        _say(node, value, path, out)
    elif type(value) is dict:
        children, listed = node.children, node.listed
        for key, inner in value.items():
            child = children.get(key)
            if child is not None:
                if type(inner) in _TELLING:
                    _visit(child, inner, (*path, key), out)
            elif key not in listed:
                if node.key_noun:
                    out.words.append(Word((*path, key), node.key_noun, key, True, listed))
                elif node.key_ref:
                    out.references.append(Reference((*path, key), node.key_ref, key, key=True))
                if node.rest:
                    _visit(node.rest, inner, (*path, key), out)
    elif type(value) is list and node.items:
        for index, item in enumerate(value):
            _visit(node.items, item, (*path, index), out)


def _say(node: _Node, text: str, path: Path, out: _Out) -> None:
    if node.ref:
        out.references.append(Reference(path, None if node.ref == "*" else node.ref, text, node.part))
    elif node.role:
        out.prose.append(Prose(path, node.role, text))
    elif node.noun:
        out.words.append(Word(path, node.noun, text))
    elif node.want:
        out.formulas.append(Formula(path, node.want, text))
