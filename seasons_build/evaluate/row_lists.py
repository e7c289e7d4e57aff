"""Lists of rows that templates print, made ready: what each row is of, what it reads, and the formulas of its values.

In: a game, a kind and the scope of its sheet. Out: `Rows`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Value
from seasons_build.core.entry import Noun
from seasons_build.core.kind import Kind
from seasons_build.core.named import NamedTuple
from seasons_build.core.names import did_you_mean
from seasons_build.core.span import Path
from seasons_build.evaluate.game import BorneScope, EntryScope, Formula, Game, applies, spoken
from seasons_build.language.expression import Compiled, Scope
from seasons_build.language.expression.types import NUMBER, TRUTH, WORD, TableType, Type, one_of

KIND, OWNED = "kind", "owned"


class Things(NamedTuple):
    """The entries of a kind or group as the rows of a list: all there are, or those that the sheet has."""

    word: str
    owned: bool


class Chance(NamedTuple):
    """A figure out of a roll's exact odds: how likely some of its outcomes are together, or what it gives on average."""

    roll: str
    arguments: Mapping[str, Formula]
    outcomes: tuple[str, ...]
    """None: the mean."""


class Reading(NamedTuple):
    """A value that a roll reads, for what it is given and once some of its dice lie as they are said to."""

    roll: str
    name: str
    arguments: Mapping[str, Formula]
    dice: Mapping[str, Formula]


class Rows(NamedTuple):
    """Values worked out for each row of a list: of numbers and words, of a field of the entry, or of entries. Of a list the row's own value
    has `names`; where one of them is a stat, the row is worked out on the sheet as it is with that number for it."""

    id: str
    noun: Noun
    each: tuple[Value, ...] | str | Things
    names: tuple[str, ...]
    when: Compiled | None
    most: int | None
    must: tuple[str, ...]
    give: Mapping[str, Formula]
    chances: Mapping[str, Chance]
    reads: Mapping[str, Reading]
    say: Mapping[str, tuple[str | Compiled, ...]]


def compile_rows(game: Game, kind: Kind, scope: EntryScope) -> tuple[Rows, ...]:
    """The lists of rows of a kind; faults go to `game.found`."""
    found: list[Rows] = []
    for name, noun in game.rules.get("rows", {}).items():
        data = noun.data
        if not isinstance(data, dict) or not applies(data, kind.id):
            continue
        called = data.get("as", "row")
        names = tuple(str(own) for own in called) if isinstance(called, list) else (str(called),)
        each = _row_source(data.get("each"))
        inner = _thing_scope(game, scope, each, noun) if isinstance(each, Things) else _row_scope(game, kind, scope, each, names, noun)
        if inner is None:
            continue
        when = game.formula(data.get("when"), TRUTH, inner, noun, ("when",))
        given = {k: game.formula(v, None, inner, noun, ("give", k)) for k, v in (data.get("give") or {}).items()}
        give = {k: f for k, f in given.items() if f}
        most = data.get("most")
        must = tuple(str(m) for m in data.get("must") or ())
        chances = dict(_chances(game, inner, noun, data.get("chances")))
        reads = dict(_readings(game, inner, noun, data.get("reads")))
        known = {k: f.compiled.type if f.compiled else NUMBER for k, f in give.items()}
        told = _Told(inner, {**known, **dict.fromkeys(chances, NUMBER), **{k: _reading_type(game, r) for k, r in reads.items()}})
        say = {str(k): tuple(spoken(game, told, noun, str(v), ("say", k))) for k, v in (data.get("say") or {}).items()}
        limit = most if isinstance(most, int) else None
        found.append(Rows(name, noun, each, names, when.compiled if when else None, limit, must, give, chances, reads, say))
    return tuple(found)


class _Told:
    """What the texts of a row may name: its values, then whatever its formulas may."""

    def __init__(self, inner: Scope, given: Mapping[str, Type]) -> None:
        self._inner = inner
        self._given = given

    def type_of(self, name: str) -> Type | None:
        return self._given.get(name) or self._inner.type_of(name)

    def names(self) -> Iterable[str]:
        yield from self._given
        yield from self._inner.names()

    def table(self, name: str) -> TableType | None:
        return self._inner.table(name)

    def tables(self) -> Iterable[str]:
        return self._inner.tables()

    def kinds(self) -> Iterable[str]:
        return self._inner.kinds()

    def inside(self, kind: str) -> Scope | None:
        return self._inner.inside(kind)


def _readings(game: Game, scope: Scope, noun: Noun, data: Value) -> Iterator[tuple[str, Reading]]:
    for name, reading in data.items() if isinstance(data, dict) else ():
        if not isinstance(reading, dict):
            continue
        arguments = _formulas(game, scope, noun, reading.get("with"), ("reads", name, "with"))
        dice = _formulas(game, scope, noun, reading.get("dice"), ("reads", name, "dice"))
        yield name, Reading(str(reading.get("roll")), str(reading.get("of")), arguments, dice)


def _reading_type(game: Game, reading: Reading) -> Type:
    """What a roll reads under a name: a word where it is a ladder, else a number."""
    rolls = game.rules.get("rolls", {})
    name: Value = reading.roll
    for _ in rolls:
        data = rolls[name].data if name in rolls else {}
        lets = data.get("let") if isinstance(data, dict) else None
        if isinstance(lets, dict) and reading.name in lets:
            return WORD if isinstance(lets[reading.name], list) else NUMBER
        name = data.get("like") if isinstance(data, dict) else None
    return NUMBER


def _formulas(game: Game, scope: Scope, noun: Noun, data: Value, path: Path) -> dict[str, Formula]:
    made = {key: game.formula(value, None, scope, noun, (*path, key)) for key, value in data.items()} if isinstance(data, dict) else {}
    return {key: formula for key, formula in made.items() if formula}


def _chances(game: Game, scope: Scope, noun: Noun, data: Value) -> Iterator[tuple[str, Chance]]:
    for name, chance in data.items() if isinstance(data, dict) else ():
        if not isinstance(chance, dict):
            continue
        arguments = _formulas(game, scope, noun, chance.get("with"), ("chances", name, "with"))
        of = chance.get("of")
        outcomes = tuple(str(o) for o in of) if isinstance(of, list) else (str(of),) if of else ()
        yield name, Chance(str(chance.get("roll")), arguments, outcomes)


def _row_source(each: Value) -> tuple[Value, ...] | str | Things:
    if isinstance(each, dict):
        return Things(str(each.get(OWNED) or each.get(KIND)), OWNED in each)
    return tuple(each) if isinstance(each, list) else str(each)


def _thing_scope(game: Game, scope: EntryScope, each: Things, noun: Noun) -> Scope | None:
    inside = game.inside(each.word)
    if inside is None:
        near = did_you_mean(each.word, scope.kinds())
        where = noun.span(("each", OWNED if each.owned else KIND))
        game.found.append(Diagnostic("E502", f"there is no kind or group `{each.word}` to make rows of", where, near))
        return None
    return BorneScope(inside, scope)


def _row_scope(
    game: Game, kind: Kind, scope: EntryScope, each: tuple[Value, ...] | str, names: tuple[str, ...], noun: Noun
) -> Scope | None:
    if not isinstance(each, str):
        numbers = all(isinstance(item, int) for item in each)
        return scope.with_names((), dict.fromkeys(names, NUMBER if numbers else one_of(str(item) for item in each)))
    found = kind.field(each)
    if found is None:
        message = f"a {kind.title.lower()} has no field `{each}` to make rows of"
        game.found.append(Diagnostic("E502", message, noun.span(("each",))))
        return None
    schema: Any = found.schema
    while "$ref" in schema:
        schema = kind.schema["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    row = schema.get("items") if "array" in _listed(schema) else schema.get("additionalProperties")
    while isinstance(row, dict) and "$ref" in row:
        row = kind.schema["$defs"][row["$ref"].removeprefix("#/$defs/")]
    return scope.with_names((row,) if isinstance(row, dict) else (), {"id": WORD})


def _listed(schema: Any) -> list[str]:
    types = schema.get("type", [])
    return types if isinstance(types, list) else [types]
