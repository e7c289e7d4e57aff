"""What evaluation gives: the numbers of an entry and the steps that made each of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from seasons_build.core.document import Number, Value
from seasons_build.core.entry import Key
from seasons_build.core.named import NamedTuple
from seasons_build.core.record import dataclass, field
from seasons_build.core.span import Path, Span

Move: TypeAlias = Literal["base", "input", "set", "add", "times", "atleast", "atmost", "min", "max", "round", "unused"]


EMPTY: Mapping[Any, Any] = MappingProxyType({})


class Step(NamedTuple):
    """One step of a value: what was done, by how much, and what it was afterwards. `source` is the entry that did it; `note` is what a
    reader needs beside it (the formula of a base, why a bonus was left out). `path` is where it is written: in a `rule` of the game (what
    sort of noun, and its id), in the source, else in the entry whose sheet it is."""

    move: Move
    amount: Number
    total: Number
    note: str = ""
    source: Key | None = None
    path: Path = ()
    rule: tuple[str, str] | None = None


class Owned(NamedTuple):
    """Something that an entry has, the state it is in, and how often it was taken."""

    key: Key
    state: str
    taken: int = 1


@dataclass(frozen=True, slots=True)
class Line:
    """One choice of a character's record: the advance, what was picked, and where it was typed.

    `called` and `names` are how the advance and the picks are called; `given` is what it gave, by stat, `price` and `left`
    what it cost and what was left after it, by budget; `stage` counts the stages of the record, from 1; `stands` is where a
    single pick stands now: how often an entry was taken, where it can be taken more than once, or the value of a stat; `nth`
    counts a stage among those that the same advance has opened, where there can be more than one.
    """

    advance: str
    picks: tuple[str, ...]
    span: Span
    called: str = ""
    names: tuple[str, ...] = ()
    price: Mapping[str, Number] = field(default_factory=dict)
    given: Mapping[str, Number] = field(default_factory=dict)
    left: Mapping[str, Number] = field(default_factory=dict)
    stands: Number | None = None
    nth: int | None = None
    stage: int = 1


@dataclass(frozen=True, slots=True)
class OpenChoice:
    """A choice that an entry offers and the record does not make: prints as so many blanks."""

    entry: Key
    name: str
    count: int
    offered: tuple[str, ...]


class Sheet(NamedTuple):
    """All that was worked out for one entry.

    `stats` holds derived values under dotted names (`vigor.rank`); `formulas` the value of each field that is an expression, and `texts`
    each prose with its values filled in, both by path; `rows` the values of each row, with the row's own id or number under `id`.
    """

    key: Key
    stats: Mapping[str, Number] = EMPTY
    steps: Mapping[str, tuple[Step, ...]] = EMPTY
    formulas: Mapping[Path, Value] = EMPTY
    texts: Mapping[Path, str] = EMPTY
    rows: Mapping[str, tuple[Mapping[str, Value], ...]] = EMPTY
    owned: tuple[Owned, ...] = ()
    record: tuple[Line, ...] = ()
    open: tuple[OpenChoice, ...] = ()
    left: Mapping[str, Number] = EMPTY
    """What is left of each budget."""
    whole: bool = True
    """Whether all of it could be worked out, and nothing is wrong with it: only then is it printed."""
