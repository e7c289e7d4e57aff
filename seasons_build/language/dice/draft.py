"""A roll as written, in records (language library: dice): its parts by name, each expression still as text with its place."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal, TypeAlias

from seasons_build.core.dice_amount import Amount
from seasons_build.core.named import NamedTuple
from seasons_build.core.record import dataclass
from seasons_build.core.span import Path

Kind: TypeAlias = Literal["number", "truth", "dice", "word", "family", "list"]


class Parameter(NamedTuple):
    """What a roll takes under one name. `words` are those that a word may be; `family` the stat family whose derived values it has.

    A list is of records whose fields are the parameters of the roll `each`.
    """

    name: str
    kind: Kind
    path: Path
    required: bool = True
    default: int | Fraction | bool | str | Amount | None = None
    words: tuple[str, ...] = ()
    family: str = ""
    each: str = ""


class Written(NamedTuple):
    """An expression as typed. `typed` says that it was text, so that offsets into it mean something in the file."""

    text: str
    path: Path
    typed: bool


Ladder: TypeAlias = tuple[tuple[str, Written | None], ...]
"""Words with their conditions, the first true one wins; None is `else`."""


@dataclass(frozen=True, slots=True)
class DieDraft:
    """One die as written: either `faces` (one number n for 1 to n, or from and to, or a list) or a `roll`."""

    name: str
    path: Path
    faces: tuple[Written, ...] = ()
    form: Literal["to", "range", "list"] = "to"
    count: Written | None = None
    score: Written | None = None
    again: Written | None = None
    roll: str = ""
    given: Mapping[str, Written] | None = None
    each: str = ""


class InsteadDraft(NamedTuple):
    """Another roll in place of this one."""

    when: Written
    roll: str
    given: Mapping[str, Written]
    path: Path


class OutcomeDraft(NamedTuple):
    """One rung of the ladder of outcomes; `when` None is `else`."""

    word: str
    when: Written | None
    value: Written | None
    reroll: bool
    path: Path


class Draft(NamedTuple):
    """A roll as written, every part in the order typed."""

    id: str
    path: Path
    takes: dict[str, Parameter]
    lets: dict[str, Written | Ladder]
    dice: dict[str, DieDraft]
    keep: Written | None
    instead: InsteadDraft | None
    outcomes: tuple[OutcomeDraft, ...]
    value: Written | None
    broken: frozenset[str]
    """Names whose parts are left out: whoever reads one is not at fault."""
