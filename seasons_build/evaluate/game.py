"""What the names of a game mean in one pack, and what their types are: the scopes in which its formulas stand.

In: a library and a pack. Out: `Game`, which compiles formulas against a scope and keeps their faults.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Number, Value
from seasons_build.core.entry import Library, Noun
from seasons_build.core.kind import Kind
from seasons_build.core.named import NamedTuple
from seasons_build.core.names import did_you_mean, in_expressions
from seasons_build.core.span import Path
from seasons_build.evaluate.fields import Level, named_at, type_at
from seasons_build.evaluate.tables import look_up, table_shape
from seasons_build.language.expression import Compiled, Problem, Scope, Use, compile_expression
from seasons_build.language.expression.types import ANYTHING, NUMBER, WORD, TableType, Type, one_of
from seasons_build.language.rules import groups, kinds_meant, outcomes, parameters
from seasons_build.language.text import scan


class Formula(NamedTuple):
    """A number as typed, or an expression compiled."""

    fixed: Number | None = None
    compiled: Compiled | None = None
    text: str = ""
    noun: Noun | None = None
    path: Path = ()

    @property
    def reads(self) -> frozenset[str]:
        return self.compiled.reads if self.compiled else frozenset()


ASKING = ("has", "taken")
"""The functions that ask for an entry by its id."""


class EntryScope:
    """What a formula may name: its own extra names, the fields around it, innermost first, and the stats of the sheet."""

    def __init__(
        self, game: Game, kind: Kind, levels: tuple[Level, ...], stats: Mapping[str, Type], extra: Mapping[str, Type] | None = None
    ) -> None:
        self._game = game
        self._kind = kind
        self._levels = levels
        self._stats = stats
        self._extra = extra or {}
        self._stats_first = game.is_sheet(kind.id)

    def type_of(self, name: str) -> Type | None:
        if name in self._extra:
            return self._extra[name]
        *inner, outer = self._levels
        found = self._field(inner, name)
        if found is None and self._stats_first and name in self._stats:
            return self._stats[name]
        return found or self._field([outer], name) or self._stats.get(name) or self._game.doubted(name)

    def _field(self, levels: list[Level], name: str) -> Type | None:
        for level in levels:
            found = type_at(
                self._game.library, self._game.pack, self._kind.schema, level, name.split("."), self._game.declared
            )
            if found is not None:
                return found
        return None

    def names(self) -> Iterable[str]:
        yield from self._extra
        yield from self._stats
        for level in self._levels:
            yield from named_at(self._kind.schema, level)

    def table(self, name: str) -> TableType | None:
        return self._game.tables.get(name)

    def tables(self) -> Iterable[str]:
        return self._game.tables

    def kinds(self) -> Iterable[str]:
        return [*self._game.kinds, *groups(self._game.rules)]

    def inside(self, kind: str) -> Scope | None:
        return self._game.inside(kind)

    def with_names(self, levels: tuple[Level, ...], extra: Mapping[str, Type]) -> EntryScope:
        """The same scope seen from a place further in."""
        return EntryScope(self._game, self._kind, (*levels, *self._levels), self._stats, {**self._extra, **extra})

    def of_bearer(self, stats: Mapping[str, Type]) -> EntryScope:
        """The same scope where the entry is borne by somebody who has these stats."""
        return EntryScope(self._game, self._kind, self._levels, stats, self._extra)


class OwnedScope:
    """What may be read in each entry of a kind or group that a sheet has: its fields, how often it was taken, its state."""

    def __init__(self, game: Game, kinds: tuple[Kind, ...]) -> None:
        self._game = game
        self._kinds = kinds
        states = [str(s) for s in game.library.rules[game.pack].get("states", {})]
        self._own: dict[str, Type] = {"taken": NUMBER, "state": one_of(states) if states else WORD, "id": WORD}

    def type_of(self, name: str) -> Type | None:
        if name in self._own:
            return self._own[name]
        types: list[Type] = []
        for kind in self._kinds:
            found = self._game.derived_type(kind.id, name)
            found = found or type_at(self._game.library, self._game.pack, kind.schema, kind.schema, name.split("."))
            if found is not None:
                types.append(found)
        if not types:
            return None
        return types[0] if all(t == types[0] for t in types) else ANYTHING

    def names(self) -> Iterable[str]:
        yield from self._own
        for kind in self._kinds:
            yield from self._game.derived_names(kind.id)
            yield from named_at(kind.schema, kind.schema)

    def table(self, name: str) -> TableType | None:
        return self._game.tables.get(name)

    def tables(self) -> Iterable[str]:
        return self._game.tables

    def kinds(self) -> Iterable[str]:
        return [*self._game.kinds, *groups(self._game.rules)]

    def inside(self, kind: str) -> Scope | None:
        return self._game.inside(kind)


class BorneScope:
    """What may be read in a thing on the sheet of its bearer: what is read in the thing itself, then what the bearer's sheet has."""

    def __init__(self, thing: OwnedScope, bearer: Scope) -> None:
        self._thing = thing
        self._bearer = bearer

    def type_of(self, name: str) -> Type | None:
        return self._thing.type_of(name) or self._bearer.type_of(name)

    def names(self) -> Iterable[str]:
        yield from self._thing.names()
        yield from self._bearer.names()

    def table(self, name: str) -> TableType | None:
        return self._bearer.table(name)

    def tables(self) -> Iterable[str]:
        return self._bearer.tables()

    def kinds(self) -> Iterable[str]:
        return self._bearer.kinds()

    def inside(self, kind: str) -> Scope | None:
        return self._bearer.inside(kind)


class Game:
    """The rules that hold in one pack, read once: what its names mean and what their types are."""

    def __init__(self, library: Library, pack: str) -> None:
        self.library = library
        self.pack = pack
        self.rules = library.rules[pack]
        self.kinds = sorted({kind for owner, kind in library.kinds if owner in (*library.packs[pack].scope, "core")})
        self.tables = {name: _table_type(noun.data) for name, noun in self.rules.get("tables", {}).items()}
        self._numeric = {name: [key is NUMBER for key in table.keys] for name, table in self.tables.items()}
        self.declared = frozenset(in_expressions(word) for word in (*outcomes(self.rules), *parameters(self.rules)))
        self.found: list[Diagnostic] = []
        self._ids: frozenset[str] | None = None
        self._doubted: frozenset[str] | None = None
        self._meant: dict[str, tuple[str, ...]] = {}

    def doubted(self, name: str) -> Type | None:
        """The type of a value that a stat at fault may well derive, `STAT.VALUE`; None for any other name."""
        owner, _, further = name.partition(".")
        if not further:
            return None
        if self._doubted is None:
            faulty = [noun for noun in self.rules.get("stats", {}).values() if noun.faulty]
            self._doubted = frozenset(member for noun in faulty for member in members(self, noun))
        return NUMBER if owner in self._doubted else None

    def meant(self, word: str) -> tuple[str, ...]:
        """The kinds that a word means: a kind, or a group of kinds."""
        if word not in self._meant:
            self._meant[word] = kinds_meant(self.library, self.pack, word)
        return self._meant[word]

    def look_up(self, table: str, keys: tuple[Value, ...]) -> Value | None:
        """What a table of the game gives for its keys; None where it has no such row."""
        return look_up(self.rules["tables"][table].data, keys, self._numeric[table])

    def unknown(self, text: str, compiled: Compiled | None) -> tuple[Problem, ...]:
        """The ids in quotes that an expression asks for with `has` or `taken`, and that no entry has or had."""
        return tuple(self._unknown(text, compiled.uses)) if compiled else ()

    def _unknown(self, text: str, uses: Iterable[Use]) -> Iterator[Problem]:
        for use in uses:
            yield from self._unknown(text, use.uses)
            if use.function in ASKING and use.of and len(use.of) == 1 and text[use.start] in "'\"":
                (wanted,) = use.of
                if self._ids is None:
                    named = (e for e in self.library.entries.values() if e.pack in self.library.packs[self.pack].scope)
                    self._ids = frozenset(word for entry in named for word in (entry.id, *entry.former))
                if wanted not in self._ids:
                    near = did_you_mean(wanted, self._ids)
                    yield Problem("E411", f"no entry is called `{wanted}`", use.start + 1, use.end - 1, near)

    def kind_rules(self, kind: str) -> Mapping[str, Any]:
        """What the rules say of a kind."""
        noun = self.rules.get("kinds", {}).get(kind)
        return noun.data if noun is not None and isinstance(noun.data, dict) else {}

    def is_sheet(self, kind: str) -> bool:
        """Whether the entries of a kind have a sheet."""
        return self.sheet_of(kind) is not None

    def sheet_of(self, kind: str) -> str | None:
        """The kind whose stats the entries of a kind have on their sheet: their own, or another's; None where they have no sheet."""
        said = self.kind_rules(kind).get("sheet")
        return said if isinstance(said, str) else kind if said is True else None

    def sheet_kinds(self) -> list[Kind]:
        """The kinds whose entries have a sheet."""
        found = (self.library.find_kind(self.pack, kind) for kind in self.rules.get("kinds", {}) if self.is_sheet(kind))
        return [kind for kind in found if kind is not None]

    def derived_type(self, kind: str, name: str) -> Type | None:
        """The type of a value that the rules derive for entries of a kind."""
        derived = self.kind_rules(kind).get("derive", {})
        return NUMBER if isinstance(derived, dict) and name in derived else None

    def derived_names(self, kind: str) -> list[str]:
        """What the rules derive for entries of a kind."""
        derived = self.kind_rules(kind).get("derive", {})
        return [str(name) for name in derived] if isinstance(derived, dict) else []

    def derived(self, kind: str, name: str, bearer: Scope) -> Formula | None:
        """The formula of a value that the rules derive for each entry of a kind on its bearer's sheet."""
        noun = self.rules.get("kinds", {}).get(kind)
        inside = self.inside(kind)
        said = self.kind_rules(kind).get("derive")
        if noun is None or inside is None or not isinstance(said, dict) or name not in said:
            return None
        return self.formula(said[name], NUMBER, BorneScope(inside, bearer), noun, ("derive", name))

    def inside(self, word: str) -> OwnedScope | None:
        """The scope of each entry of a kind or group."""
        members = groups(self.rules).get(word) or (word, word.replace("_", "-"))
        kinds = tuple(k for k in (self.library.find_kind(self.pack, m) for m in dict.fromkeys(members)) if k is not None)
        return OwnedScope(self, kinds) if kinds else None

    def formula(self, value: Value, want: Type | None, scope: Scope, noun: Noun, path: Path) -> Formula | None:
        """A number as typed, or an expression of a noun compiled; its problems go to `found`."""
        if isinstance(value, int | Fraction) and not isinstance(value, bool):
            return Formula(fixed=value, text=str(value), noun=noun, path=path)
        if not isinstance(value, str):
            return None
        compiled = compile_expression(value, scope, want)
        problems = (*compiled.problems, *self.unknown(value, compiled.value))
        self.found += [problem.located(noun.document, ("rules", noun.noun, noun.id, *path)) for problem in problems]
        return Formula(compiled=compiled.value, text=value, noun=noun, path=path) if compiled.value else None


def members(game: Game, noun: Noun) -> list[str]:
    """The names of a family's members, or the stat's own name."""
    each = noun.data.get("each") if isinstance(noun.data, dict) else None
    if isinstance(each, list):
        return [str(member) for member in each]
    if isinstance(each, dict):
        return [in_expressions(name) for _, _, name in game.library.keys_of_kind(game.pack, str(each.get("kind")))]
    return [noun.id]


def applies(data: Value, kind: str) -> bool:
    """Whether a noun is for a kind: its `for` names it, or is not there."""
    only = data.get("for") if isinstance(data, dict) else None
    return only is None or only == kind or (isinstance(only, list) and kind in only)


def spoken(game: Game, scope: Scope, noun: Noun, text: str, path: Path = ("say",)) -> Iterator[str | Compiled]:
    """The pieces of what a noun says, its values compiled; their problems go to `game.found`."""
    for piece in scan(text):
        if piece.what != "value":
            yield text[piece.start : piece.end]
            continue
        compiled = compile_expression(piece.text, scope, None)
        where = ("rules", noun.noun, noun.id, *path)
        problems = (*compiled.problems, *game.unknown(piece.text, compiled.value))
        game.found += [problem.located(noun.document, where, piece.start + 1) for problem in problems]
        if compiled.value is not None:
            yield compiled.value


def _table_type(data: Value) -> TableType:
    keys, first = table_shape(data)
    gives = WORD if isinstance(first, str) else NUMBER
    return TableType(tuple(NUMBER if numeric else WORD for numeric in keys), gives)
