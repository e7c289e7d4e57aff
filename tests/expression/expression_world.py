"""A small world for expressions: what a conformance file calls `given`, as a Scope and as an Env."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from seasons_build.core.dice_amount import Amount
from seasons_build.language import expression as ex


def typed(value: Any) -> tuple[ex.Type, ex.Value]:
    """Type and value of a name: a number, true or false, a word, {word: w, of: [...]}, {dice: text}, {list: length}, {number: text}."""
    if isinstance(value, bool):
        return ex.TRUTH, value
    if isinstance(value, int):
        return ex.NUMBER, value
    if isinstance(value, str):
        return ex.WORD, value
    if "word" in value:
        return ex.one_of(value["of"]), value["word"]
    if "dice" in value:
        return ex.DICE, amount(value["dice"])
    if "list" in value:
        return ex.LIST, [None] * value["list"]
    fraction = Fraction(value["number"])
    return ex.NUMBER, fraction.numerator if fraction.denominator == 1 else fraction


def amount(text: str) -> Amount:
    """The amount that a text of dice and numbers stands for."""
    found = ex.compile_expression(text, World(), ex.DICE)
    assert found.value is not None, found.problems
    result = found.value.run(World())
    assert isinstance(result, Amount)
    return result


@dataclass(frozen=True, slots=True)
class Table:
    """Rows by key; a key that has no row of its own takes the nearest row below it."""

    type: ex.TableType
    rows: Mapping[Any, Any]

    def find(self, keys: tuple[Any, ...]) -> Any:
        rows: Any = self.rows
        for key in keys:
            if key in rows:
                rows = rows[key]
                continue
            below = [row for row in rows if isinstance(row, int) and isinstance(key, int | Fraction) and row <= key]
            if not below:
                return None
            rows = rows[max(below)]
        return rows


@dataclass(frozen=True, slots=True)
class World:
    """Scope and Env in one."""

    values: Mapping[str, tuple[ex.Type, ex.Value]] = field(default_factory=dict)
    known_tables: Mapping[str, Table] = field(default_factory=dict)
    takings: Mapping[str, int] = field(default_factory=dict)
    entries: Mapping[str, Collection[World]] = field(default_factory=dict)
    fields: Mapping[str, World] = field(default_factory=dict)
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def type_of(self, name: str) -> ex.Type | None:
        return self.values[name][0] if name in self.values else None

    def names(self) -> Iterable[str]:
        return self.values

    def tables(self) -> Iterable[str]:
        return self.known_tables

    def kinds(self) -> Iterable[str]:
        return [*self.fields, *self.groups]

    def inside(self, kind: str) -> ex.Scope | None:
        return self.fields[self.groups[kind][0] if kind in self.groups else kind]

    def value(self, name: str) -> ex.Value:
        return self.values[name][1]

    def table(self, name: str, keys: tuple[ex.Value, ...] | None = None) -> Any:
        if keys is None:
            return self.known_tables[name].type if name in self.known_tables else None
        return self.known_tables[name].find(keys)

    def taken(self, entry: str) -> int:
        return self.takings.get(entry, 0)

    def has(self, entry: str) -> bool:
        return entry in self.takings

    def owned(self, kind: str) -> Collection[ex.Env]:
        if kind in self.groups:
            return [entry for member in self.groups[kind] for entry in self.entries[member]]
        return self.entries[kind]

    def highest(self, kinds: tuple[str, ...]) -> int:
        return max((entry.value("taken") for kind in kinds for entry in self.owned(kind)), default=0)

    def stat(self, name: str) -> ex.Value | None:
        return self.values[name][1] if name in self.values else None


def world(given: Mapping[str, Any]) -> World:
    """What `given` describes: names, tables, taken, kinds (the fields of each and its entries) and groups of kinds."""
    values = {name: typed(value) for name, value in given.get("names", {}).items()}
    tables = {}
    for name, table in given.get("tables", {}).items():
        keys = tuple(
            {"number": ex.NUMBER, "word": ex.WORD, "truth": ex.TRUTH}[key] if isinstance(key, str) else ex.one_of(key)
            for key in table["keys"]
        )
        gives = ex.DICE if table.get("gives") == "dice" else ex.NUMBER
        rows = table["rows"] if gives is ex.NUMBER else {key: amount(row) for key, row in table["rows"].items()}
        tables[name] = Table(ex.TableType(keys, gives), rows)
    takings = given.get("taken", {})
    entries, fields = {}, {}
    for kind, described in given.get("kinds", {}).items():
        default = described.get("fields", {})
        fields[kind] = World({name: typed(value) for name, value in default.items()}, tables, takings)
        entries[kind] = [
            World({name: typed(_filled(default[name], entry.get(name))) for name in default}, tables, takings)
            for entry in described.get("entries", [])
        ]
    return World(values, tables, takings, entries, fields, given.get("groups", {}))


def _filled(default: Any, value: Any) -> Any:
    if value is None:
        return default
    return {**default, "word": value} if isinstance(default, dict) and "word" in default else value


def shown(value: ex.Value) -> str:
    """A value as conformance files write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return ex.figure(value) if isinstance(value, int | Fraction) else str(value)


def is_plain(value: ex.Value) -> bool:
    """Whether a value is in its one plain form: never a Fraction that is whole, never a float."""
    if isinstance(value, Fraction):
        return value.denominator != 1
    return isinstance(value, bool | int | str | Amount)
