"""What the expressions of a roll may name (language library: dice)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from seasons_build.language.dice.draft import Parameter
from seasons_build.language.dice.facts import Facts
from seasons_build.language.expression import DICE, LIST, NUMBER, TRUTH, Env, Problem, Scope, TableType, Type, compile_expression, one_of
from seasons_build.language.expression.types import UNKNOWN


class Names(Scope):
    """The names that an expression of a roll may read. Below a name in `open_below` everything is taken for known: it is broken already."""

    __slots__ = ("_facts", "_open_below", "types")

    def __init__(self, types: Mapping[str, Type], facts: Facts, open_below: Iterable[str] = ()) -> None:
        self.types = dict(types)
        self._facts = facts
        self._open_below = tuple(f"{name}." for name in open_below)

    def type_of(self, name: str) -> Type | None:
        found = self.types.get(name)
        return UNKNOWN if found is None and self._open_below and name.startswith(self._open_below) else found

    def names(self) -> Iterable[str]:
        return self.types

    def table(self, name: str) -> TableType | None:
        table = self._facts.tables.get(name)
        return None if table is None else table.type

    def tables(self) -> Iterable[str]:
        return self._facts.tables

    def kinds(self) -> Iterable[str]:
        return ()

    def inside(self, kind: str) -> Scope | None:
        return None

    def also(self, types: Mapping[str, Type]) -> Names:
        """These names and some more, which hide those of the same name."""
        wider = Names({**self.types, **types}, self._facts)
        wider._open_below = self._open_below
        return wider


NOTHING = Names({}, Facts())
"""No names at all."""


def constant(text: str, want: Type) -> Any:
    """The value of an expression that reads nothing; None where it is none of the type wanted."""
    compiled = compile_expression(text, NOTHING, want).value
    if compiled is None:
        return None
    value = compiled.run(cast(Env, NOTHING))
    return None if isinstance(value, Problem) else value


def parameter_types(parameter: Parameter, facts: Facts) -> dict[str, Type]:
    """The names under which a parameter is read, with their types."""
    match parameter.kind:
        case "truth":
            return {parameter.name: TRUTH}
        case "dice":
            return {parameter.name: DICE}
        case "word":
            return {parameter.name: one_of(parameter.words)}
        case "list":
            return {parameter.name: LIST}
        case "number":
            return {parameter.name: NUMBER}
        case "family":
            derived = facts.families[parameter.family].derive
            return {parameter.name: NUMBER, **{f"{parameter.name}.{name}": NUMBER for name in derived}}
