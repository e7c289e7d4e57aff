"""A game's numbers, made ready: for each kind that has a sheet, its stats compiled and put in order.

In: a library and a pack. Out: `Program`, with the formulas of stats, limits and rows, and their faults.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Number, Value
from seasons_build.core.entry import Library, Noun
from seasons_build.core.kind import Kind
from seasons_build.core.names import did_you_mean, in_expressions
from seasons_build.core.span import Path
from seasons_build.evaluate.fields import Level, named_at, type_at
from seasons_build.evaluate.tables import table_shape
from seasons_build.language.expression import Compiled, Scope, compile_expression
from seasons_build.language.expression.types import NUMBER, TRUTH, UNKNOWN, WORD, TableType, Type, one_of
from seasons_build.language.rules import groups, outcomes, parameters
from seasons_build.language.text import scan

SELF = "self"
TRACKS = "tracks"
KIND, OWNED = "kind", "owned"


@dataclass(frozen=True, slots=True)
class Formula:
    """A number as typed, or an expression compiled."""

    fixed: Number | None = None
    compiled: Compiled | None = None
    text: str = ""
    noun: Noun | None = None
    path: Path = ()

    @property
    def reads(self) -> frozenset[str]:
        return self.compiled.reads if self.compiled else frozenset()


@dataclass(frozen=True, slots=True)
class Bounds:
    """What may be typed into an entry."""

    least: Formula | None = None
    most: Formula | None = None
    step: Formula | None = None


@dataclass(frozen=True, slots=True)
class Stat:
    """One number of a sheet. A track is one too: its value is how many boxes it has."""

    name: str
    noun: Noun
    base: Formula | None = None
    bounds: Bounds | None = None
    least: Formula | None = None
    most: Formula | None = None
    round: Literal["floor", "ceil", "trunc"] | None = None
    sets: Literal["highest", "lowest"] | None = None
    derived: Mapping[str, Formula] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    broken: bool = False
    """Whether one of its formulas cannot be read, which is told where it stands: then it has no value."""


@dataclass(frozen=True, slots=True)
class Limit:
    """What makes an entry illegal."""

    id: str
    check: Compiled
    noun: Noun
    say: tuple[str | Compiled, ...] = ()
    """What is wrong where it does not hold: words, and the values in them."""


@dataclass(frozen=True, slots=True)
class Things:
    """The entries of a kind or group as the rows of a list: all there are, or those that the sheet has."""

    word: str
    owned: bool


@dataclass(frozen=True, slots=True)
class Chance:
    """A figure out of a roll's exact odds: how likely some of its outcomes are together, or what it gives on average."""

    roll: str
    arguments: Mapping[str, Formula]
    outcomes: tuple[str, ...]
    """None: the mean."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A value that a roll reads, for what it is given and once some of its dice lie as they are said to."""

    roll: str
    name: str
    arguments: Mapping[str, Formula]
    dice: Mapping[str, Formula]


@dataclass(frozen=True, slots=True)
class Rows:
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


@dataclass(frozen=True, slots=True)
class Program:
    """All that is worked out for entries of one kind."""

    kind: Kind
    pack: str
    scope: EntryScope
    stats: Mapping[str, Stat] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    limits: tuple[Limit, ...] = ()
    rows: tuple[Rows, ...] = ()
    owns: Mapping[str, str] = field(default_factory=dict)
    derived: Mapping[str, Formula] = field(default_factory=dict)
    sheet: bool = False
    types: Mapping[str, Type] = field(default_factory=dict)
    """The names of all numbers that a bearer may have: of this kind's sheet, else of any."""
    circular: frozenset[str] = frozenset()
    """The stats that are made from each other in a circle, which is told where the rules stand."""


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
        return found or self._field([outer], name) or self._stats.get(name)

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
        return types[0] if all(t == types[0] for t in types) else UNKNOWN

    def names(self) -> Iterable[str]:
        yield from self._own
        for kind in self._kinds:
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
        self.declared = frozenset(in_expressions(word) for word in (*outcomes(self.rules), *parameters(self.rules)))
        self.found: list[Diagnostic] = []

    def kind_rules(self, kind: str) -> Mapping[str, Any]:
        """What the rules say of a kind."""
        noun = self.rules.get("kinds", {}).get(kind)
        return noun.data if noun is not None and isinstance(noun.data, Mapping) else {}

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
        return NUMBER if isinstance(derived, Mapping) and name in derived else None

    def derived(self, kind: str, name: str, bearer: Scope) -> Formula | None:
        """The formula of a value that the rules derive for each entry of a kind on its bearer's sheet."""
        noun = self.rules.get("kinds", {}).get(kind)
        inside = self.inside(kind)
        said = self.kind_rules(kind).get("derive")
        if noun is None or inside is None or not isinstance(said, Mapping) or name not in said:
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
        self.found += [problem.located(noun.document, ("rules", noun.noun, noun.id, *path)) for problem in compiled.problems]
        return Formula(compiled=compiled.value, text=value, noun=noun, path=path) if compiled.value else None


def compile_program(game: Game, kind: Kind) -> Program:
    """The program of one kind; faults go to `game.found`."""
    said = game.kind_rules(kind.id)
    sheet = game.is_sheet(kind.id)
    stats = _stats(game, kind) if sheet else {}
    _check_sheet(game, kind)
    types: dict[str, Type] = {}
    for bearer in [kind] if sheet else game.sheet_kinds():
        types |= stat_types(game, bearer)
    scope = EntryScope(game, kind, (kind.schema,), types)
    owner = game.sheet_of(kind.id) or kind.id
    compiled = {name: _compile_stat(game, owner, name, noun, scope, family) for name, (noun, family) in stats.items()}
    for track in (noun for noun, _ in stats.values() if noun.noun == TRACKS):
        # Where a track starts and what its marks do happens at the table: only the faults are of use here.
        begun: dict[Path, Value] = {("start",): track.data.get("start")}
        begun |= {("each", str(stat)): value for stat, value in (track.data.get("each") or {}).items()}
        for path, value in begun.items():
            game.formula(value, NUMBER, scope, track, path)
    noun = game.rules.get("kinds", {}).get(kind.id)
    derived: dict[str, Formula] = {}
    for name, value in (said.get("derive") or {}).items() if noun else ():
        # Of a thing without a sheet only the faults are of use here: what it reads is known on the sheet of its bearer.
        made = game.formula(value, NUMBER, scope, noun, ("derive", name)) if sheet and noun else game.derived(kind.id, name, scope)
        if made and sheet:
            derived[name] = made
    owns = {str(k): str(v) for k, v in (said.get("owns") or {}).items()} if isinstance(said.get("owns"), Mapping) else {}
    order, circular = _order(game, compiled)
    limits, rows = _limits(game, kind, scope, own=sheet and owner == kind.id), _rows(game, kind, scope)
    return Program(kind, game.pack, scope, compiled, order, limits, rows, owns, derived, sheet, types, circular)


def _check_sheet(game: Game, kind: Kind) -> None:
    """Tells of a kind whose sheet is to be that of a kind which has none."""
    owner = game.sheet_of(kind.id)
    if owner is None or game.kind_rules(owner).get("sheet") is True:
        return
    noun = game.rules["kinds"][kind.id]
    near = did_you_mean(owner, [known for known in game.kinds if game.kind_rules(known).get("sheet") is True])
    game.found.append(Diagnostic("E508", f"`{owner}` is no kind with a sheet of its own", noun.span(("sheet",)), near))


def _applies(data: Value, kind: str) -> bool:
    only = data.get("for") if isinstance(data, Mapping) else None
    return only is None or only == kind or (isinstance(only, list) and kind in only)


def members(game: Game, noun: Noun) -> list[str]:
    """The names of a family's members, or the stat's own name."""
    each = noun.data.get("each") if isinstance(noun.data, Mapping) else None
    if isinstance(each, list):
        return [str(member) for member in each]
    if isinstance(each, Mapping):
        return [in_expressions(e.id) for e in game.library.of_kind(game.pack, str(each.get("kind")))]
    return [noun.id]


def labels_only(data: Value) -> bool:
    """Whether a stat says only how it is called: a member of a family that has its formulas."""
    return isinstance(data, Mapping) and not ({"base", "input", "each", "derive", "min", "max", "unspent", "kinds"} & set(data))


def _stats(game: Game, kind: Kind) -> dict[str, tuple[Noun, Noun | None]]:
    """The stats of a kind's sheet: each name with the noun that has its formulas, and the one that has its labels. A track that says how
    many boxes it has is a stat of that number."""
    found: dict[str, tuple[Noun, Noun | None]] = {}
    owner = game.sheet_of(kind.id) or kind.id
    for noun in game.rules.get("tracks", {}).values():
        if isinstance(noun.data, Mapping) and "max" in noun.data and _applies(noun.data, owner):
            found[noun.id] = (noun, None)
    named = game.rules.get("stats", {})
    for noun in named.values():
        if labels_only(noun.data) or not (_applies(noun.data, owner) or _applies(noun.data, kind.id)):
            continue
        for member in members(game, noun):
            label = named.get(member)
            found[member] = (noun, label if label is not noun else None)
    return found


def stat_types(game: Game, kind: Kind) -> dict[str, Type]:
    """The names of all numbers on the sheets of a kind."""
    types: dict[str, Type] = {}
    for name, (noun, _) in _stats(game, kind).items():
        types[name] = NUMBER
        derived = noun.data.get("derive") if isinstance(noun.data, Mapping) else None
        for further in derived if isinstance(derived, Mapping) else ():
            types[f"{name}.{further}"] = NUMBER
    for further in game.kind_rules(kind.id).get("derive") or ():
        types[str(further)] = NUMBER
    return types


def _compile_stat(game: Game, kind: str, name: str, noun: Noun, scope: EntryScope, label: Noun | None) -> Stat:
    data: Mapping[str, Any] = noun.data if isinstance(noun.data, Mapping) else {"base": noun.data}
    if noun.noun == TRACKS:
        boxes = game.formula(data["max"], NUMBER, scope, noun, ("max",))
        return Stat(name, noun, boxes, labels=_labels(data), broken=boxes is None)
    own = data.get("kinds")
    other: Mapping[str, Any] = own.get(kind, {}) if isinstance(own, Mapping) else {}

    def said(key: str) -> tuple[Value, Path]:
        """What the stat says for this kind, and where."""
        if key in other:
            return other[key], ("kinds", kind, key)
        return data.get(key), (key,) if isinstance(noun.data, Mapping) else ()

    unread: list[str] = []

    def formula(key: str) -> Formula | None:
        value, path = said(key)
        made = game.formula(value, NUMBER, scope, noun, path)
        if made is None and value is not None:
            unread.append(key)
        return made

    typed, where = said("input")
    bounds = None
    if isinstance(typed, Mapping):
        made = {key: game.formula(typed.get(key), NUMBER, scope, noun, (*where, key)) for key in ("min", "max", "step")}
        bounds = Bounds(made["min"], made["max"], made["step"])
    elif typed is True:
        bounds = Bounds()
    derived: dict[str, Formula] = {}
    inner = scope.with_names((), {SELF: NUMBER})
    for further, value in (data.get("derive") or {}).items():
        made_further = game.formula(value, NUMBER, inner, noun, ("derive", further))
        if made_further:
            derived[further] = made_further
    spoken = {k: v for source in (noun, label) if source for k, v in _labels(source.data).items()} if label or noun.id == name else {}
    base, least, most = formula("base"), formula("min"), formula("max")
    broken = bool(unread) or len(derived) < len(data.get("derive") or {})
    return Stat(name, noun, base, bounds, least, most, said("round")[0], said("sets")[0], derived, spoken, broken)


def _labels(data: Value) -> dict[str, str]:
    return {k: v for k, v in data.items() if k in ("say", "short", "icon") and isinstance(v, str)} if isinstance(data, Mapping) else {}


def _order(game: Game, stats: Mapping[str, Stat]) -> tuple[tuple[str, ...], frozenset[str]]:
    """The stats so that each comes after those that its base reads, and those in circles; a circle is reported as its path."""
    needs: dict[str, list[str]] = {}
    for name, stat in stats.items():
        formulas = [f for f in (stat.base, stat.least, stat.most) if f]
        reads = {read.partition(".")[0] for f in formulas for read in f.reads}
        reads |= {r.partition(".")[0] for f in stat.derived.values() for r in f.reads if r != SELF}
        needs[name] = sorted(reads & set(stats) - ({name} if all(name not in f.reads for f in formulas) else set()))
    ordered: list[str] = []
    state: dict[str, int] = {}
    told: set[frozenset[str]] = set()
    for start in stats:
        stack: list[tuple[str, int]] = [(start, 0)] if start not in state else []
        while stack:
            name, index = stack.pop()
            state[name] = 1
            if index == len(needs[name]):
                state[name] = 2
                ordered.append(name)
                continue
            stack.append((name, index + 1))
            needed = needs[name][index]
            if state.get(needed) == 1:
                ring = [n for n, _ in stack]
                ring = ring[ring.index(needed) :]
                if frozenset(ring) not in told:
                    told.add(frozenset(ring))
                    _tell_circle(game, ring, stats)
            elif needed not in state:
                stack.append((needed, 0))
    return tuple(ordered), frozenset(name for ring in told for name in ring)


def _tell_circle(game: Game, ring: list[str], stats: Mapping[str, Stat]) -> None:
    path = " -> ".join(f"`{name}`" for name in (*ring, ring[0]))
    stat = stats[ring[0]]
    base = stat.base.path if stat.base else ()
    hint = "give one of them a value that reads none of the others"
    game.found.append(Diagnostic("E501", f"stats are made from each other in a circle: {path}", stat.noun.span(base), (hint,)))


def _limits(game: Game, kind: Kind, scope: EntryScope, *, own: bool) -> tuple[Limit, ...]:
    """The limits of a kind: those that name it, and those for all, where its sheet is its `own`."""
    found: list[Limit] = []
    for name, noun in game.rules.get("limits", {}).items():
        data = noun.data
        if not isinstance(data, Mapping) or not isinstance(data.get("check"), str) or not _applies(data, kind.id):
            continue
        if not own and "for" not in data:
            continue
        compiled = game.formula(data["check"], TRUTH, scope, noun, ("check",))
        if compiled and compiled.compiled:
            found.append(Limit(name, compiled.compiled, noun, tuple(spoken(game, scope, noun, str(data.get("say", name))))))
    return tuple(found)


def spoken(game: Game, scope: Scope, noun: Noun, text: str, path: Path = ("say",)) -> Iterator[str | Compiled]:
    """The pieces of what a noun says, its values compiled; their problems go to `game.found`."""
    for piece in scan(text):
        if piece.what != "value":
            yield text[piece.start : piece.end]
            continue
        compiled = compile_expression(piece.text, scope, None)
        where = ("rules", noun.noun, noun.id, *path)
        game.found += [problem.located(noun.document, where, piece.start + 1) for problem in compiled.problems]
        if compiled.value is not None:
            yield compiled.value


def _rows(game: Game, kind: Kind, scope: EntryScope) -> tuple[Rows, ...]:
    found: list[Rows] = []
    for name, noun in game.rules.get("rows", {}).items():
        data = noun.data
        if not isinstance(data, Mapping) or not _applies(data, kind.id):
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
    for name, reading in data.items() if isinstance(data, Mapping) else ():
        if not isinstance(reading, Mapping):
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
        lets = data.get("let") if isinstance(data, Mapping) else None
        if isinstance(lets, Mapping) and reading.name in lets:
            return WORD if isinstance(lets[reading.name], list) else NUMBER
        name = data.get("like") if isinstance(data, Mapping) else None
    return NUMBER


def _formulas(game: Game, scope: Scope, noun: Noun, data: Value, path: Path) -> dict[str, Formula]:
    made = {key: game.formula(value, None, scope, noun, (*path, key)) for key, value in data.items()} if isinstance(data, Mapping) else {}
    return {key: formula for key, formula in made.items() if formula}


def _chances(game: Game, scope: Scope, noun: Noun, data: Value) -> Iterator[tuple[str, Chance]]:
    for name, chance in data.items() if isinstance(data, Mapping) else ():
        if not isinstance(chance, Mapping):
            continue
        arguments = _formulas(game, scope, noun, chance.get("with"), ("chances", name, "with"))
        of = chance.get("of")
        outcomes = tuple(str(o) for o in of) if isinstance(of, list) else (str(of),) if of else ()
        yield name, Chance(str(chance.get("roll")), arguments, outcomes)


def _row_source(each: Value) -> tuple[Value, ...] | str | Things:
    if isinstance(each, Mapping):
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
    while isinstance(row, Mapping) and "$ref" in row:
        row = kind.schema["$defs"][row["$ref"].removeprefix("#/$defs/")]
    return scope.with_names((row,) if isinstance(row, Mapping) else (), {"id": WORD})


def _listed(schema: Any) -> list[str]:
    types = schema.get("type", [])
    return types if isinstance(types, list) else [types]


def _table_type(data: Value) -> TableType:
    keys, first = table_shape(data)
    gives = WORD if isinstance(first, str) else NUMBER
    return TableType(tuple(NUMBER if numeric else WORD for numeric in keys), gives)
