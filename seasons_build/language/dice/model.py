"""A checked roll, ready to be worked out (language library: dice): plain records that the checks make and everything else reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from seasons_build.core.named import NamedTuple
from seasons_build.core.record import dataclass, field
from seasons_build.core.span import Path
from seasons_build.language.dice.closure import Closure
from seasons_build.language.dice.draft import Parameter
from seasons_build.language.expression import Node, Type


class Formula(NamedTuple):
    """A checked expression: its tree, the names it reads, and the function that works it out. `amount`: its value is dice."""

    path: Path
    typed: bool
    node: Node
    type: Type
    reads: frozenset[str]
    run: Closure
    amount: bool


class Reading(NamedTuple):
    """A named value: an expression, or a ladder of words. `reads` are the names that it reads itself."""

    name: str
    path: Path
    type: Type
    reads: frozenset[str]
    run: Closure
    formula: Formula | None
    words: tuple[str, ...] = ()


class Given(NamedTuple):
    """What another roll is given for one of its parameters: an expression, or where `formula` is None our own value of the name."""

    formula: Formula | None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Die:
    """One die. `reads` are the names of this roll that its rule reads; `by_throw` says whether the rule reads the number of the throw."""

    name: str
    path: Path
    faces: tuple[Formula, ...] = ()
    form: Literal["to", "range", "list"] = "to"
    count: Formula | None = None
    score: Formula | None = None
    again: Formula | None = None
    by_throw: bool = False
    roll: str = ""
    given: Mapping[str, Given] = field(default_factory=dict)
    each: str = ""
    reads: frozenset[str] = frozenset()

    @property
    def summed(self) -> bool:
        """Whether its value is one number: the sum of its scores."""
        return not self.roll or self.score is not None


class Instead(NamedTuple):
    """Another roll in place of this one, where `when` holds."""

    when: Formula
    roll: str
    given: Mapping[str, Given]
    path: Path


class Outcome(NamedTuple):
    """One rung; `when` None always holds."""

    word: str
    when: Formula | None
    value: Formula | None
    reroll: bool
    path: Path


class Model(NamedTuple):
    """A roll.

    `parameters` are all names under which what it takes is read. `static` are the lets that read no die, `thrown` those that do.
    `throw_reads` are the parameters on which the throw itself depends; `in_throw` are the thrown lets that depend on no other, so that
    they are worked out with the throw.
    """

    id: str
    path: Path
    takes: Mapping[str, Parameter]
    parameters: frozenset[str]
    types: Mapping[str, Type]
    static: Mapping[str, Reading]
    thrown: Mapping[str, Reading]
    dice: Mapping[str, Die]
    keep: Formula | None
    kept: tuple[str, ...]
    instead: Instead | None
    outcomes: tuple[Outcome, ...]
    value: Formula | None
    throw_reads: tuple[str, ...]
    in_throw: frozenset[str]

    @property
    def rerolls(self) -> bool:
        """Whether an outcome has everything thrown again."""
        return any(outcome.reroll for outcome in self.outcomes)

    @property
    def words(self) -> tuple[str, ...]:
        """The outcomes that can come out."""
        return tuple(outcome.word for outcome in self.outcomes if not outcome.reroll)

    def leaves(self, names: frozenset[str]) -> frozenset[str]:
        """The dice, and the readings of dice that are rolls, that have to be known to tell the names."""
        return leaf_reads(names, {**self.static, **self.thrown}) - self.parameters


def leaf_reads(names: frozenset[str], lets: Mapping[str, Reading]) -> frozenset[str]:
    """The names that are no lets, read by any of these names or by the lets among them, however far down."""
    seen: set[str] = set()
    pending = list(names)
    leaves: set[str] = set()
    while pending:
        name = pending.pop()
        if name in seen:
            continue
        seen.add(name)
        reading = lets.get(name)
        if reading is None:
            leaves.add(name)
        else:
            pending.extend(reading.reads)
    return frozenset(leaves)

