"""A game's numbers, made ready: for each kind that has a sheet, its stats compiled and put in order.

In: a library and a pack. Out: `Program`, with the formulas of stats, limits and rows, and their faults.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from seasons_build.core.diagnostic import Diagnostic
from seasons_build.core.document import Value
from seasons_build.core.entry import Noun
from seasons_build.core.kind import Kind
from seasons_build.core.named import NamedTuple
from seasons_build.core.names import did_you_mean
from seasons_build.core.record import dataclass, field
from seasons_build.core.span import Path
from seasons_build.evaluate.game import EntryScope, Formula, Game, applies, members, spoken
from seasons_build.evaluate.row_lists import Rows, compile_rows
from seasons_build.language.expression import Compiled
from seasons_build.language.expression.types import NUMBER, TRUTH, Type

SELF = "self"
TRACKS = "tracks"


class Bounds(NamedTuple):
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

    @property
    def rule(self) -> tuple[str, str]:
        """Where its formulas stand among the rules: the sort of noun, and its id."""
        return self.noun.noun, self.noun.id


class Limit(NamedTuple):
    """What makes an entry illegal."""

    id: str
    check: Compiled
    noun: Noun
    say: tuple[str | Compiled, ...] = ()
    """What is wrong where it does not hold: words, and the values in them."""


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
    asked: tuple[str, ...] = ()
    """The names of all numbers of a sheet, in the order in which they are worked out."""


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
    owns = {str(k): str(v) for k, v in (said.get("owns") or {}).items()} if isinstance(said.get("owns"), dict) else {}
    order, circular = _order(game, compiled)
    limits, rows = _limits(game, kind, scope, own=sheet and owner == kind.id), compile_rows(game, kind, scope)
    asked = (*(n for name in order for n in (name, *(f"{name}.{d}" for d in compiled[name].derived))), *derived)
    return Program(kind, game.pack, scope, compiled, order, limits, rows, owns, derived, sheet, types, circular, asked)


def _check_sheet(game: Game, kind: Kind) -> None:
    """Tells of a kind whose sheet is to be that of a kind which has none."""
    owner = game.sheet_of(kind.id)
    if owner is None or game.kind_rules(owner).get("sheet") is True:
        return
    noun = game.rules["kinds"][kind.id]
    near = did_you_mean(owner, [known for known in game.kinds if game.kind_rules(known).get("sheet") is True])
    game.found.append(Diagnostic("E508", f"`{owner}` is no kind with a sheet of its own", noun.span(("sheet",)), near))


def labels_only(data: Value) -> bool:
    """Whether a stat says only how it is called: a member of a family that has its formulas."""
    return isinstance(data, dict) and not ({"base", "input", "each", "derive", "min", "max", "unspent", "kinds"} & set(data))


def _stats(game: Game, kind: Kind) -> dict[str, tuple[Noun, Noun | None]]:
    """The stats of a kind's sheet: each name with the noun that has its formulas, and the one that has its labels. A track that says how
    many boxes it has is a stat of that number."""
    found: dict[str, tuple[Noun, Noun | None]] = {}
    owner = game.sheet_of(kind.id) or kind.id
    for noun in game.rules.get("tracks", {}).values():
        if isinstance(noun.data, dict) and "max" in noun.data and applies(noun.data, owner):
            found[noun.id] = (noun, None)
    named = game.rules.get("stats", {})
    for noun in named.values():
        if labels_only(noun.data) or not (applies(noun.data, owner) or applies(noun.data, kind.id)):
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
        derived = noun.data.get("derive") if isinstance(noun.data, dict) else None
        for further in derived if isinstance(derived, dict) else ():
            types[f"{name}.{further}"] = NUMBER
    for further in game.kind_rules(kind.id).get("derive") or ():
        types[str(further)] = NUMBER
    return types


def _compile_stat(game: Game, kind: str, name: str, noun: Noun, scope: EntryScope, label: Noun | None) -> Stat:
    data: Mapping[str, Any] = noun.data if isinstance(noun.data, dict) else {"base": noun.data}
    if noun.noun == TRACKS:
        boxes = game.formula(data["max"], NUMBER, scope, noun, ("max",))
        return Stat(name, noun, boxes, labels=_labels(data), broken=boxes is None)
    own = data.get("kinds")
    other: Mapping[str, Any] = own.get(kind, {}) if isinstance(own, dict) else {}

    def said(key: str) -> tuple[Value, Path]:
        """What the stat says for this kind, and where."""
        if key in other:
            return other[key], ("kinds", kind, key)
        return data.get(key), (key,) if isinstance(noun.data, dict) else ()

    unread: list[str] = []

    def formula(key: str) -> Formula | None:
        value, path = said(key)
        made = game.formula(value, NUMBER, scope, noun, path)
        if made is None and value is not None:
            unread.append(key)
        return made

    typed, where = said("input")
    bounds = None
    if isinstance(typed, dict):
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
    broken = noun.faulty or bool(unread) or len(derived) < len(data.get("derive") or {})
    return Stat(name, noun, base, bounds, least, most, said("round")[0], said("sets")[0], derived, spoken, broken)


def _labels(data: Value) -> dict[str, str]:
    return {k: v for k, v in data.items() if k in ("say", "short", "icon") and isinstance(v, str)} if isinstance(data, dict) else {}


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
        if not isinstance(data, dict) or not isinstance(data.get("check"), str) or not applies(data, kind.id):
            continue
        if not own and "for" not in data:
            continue
        compiled = game.formula(data["check"], TRUTH, scope, noun, ("check",))
        if compiled and compiled.compiled:
            found.append(Limit(name, compiled.compiled, noun, tuple(spoken(game, scope, noun, str(data.get("say", name))))))
    return tuple(found)
