"""The throw itself: what can lie on the table, how likely, and what is read of it (language library: dice).

In: a model and its arguments. Out: rows of values with whole weights, for just the readings that are asked for. What is worked out is
kept by what it depends on, so that many rolls that differ in a target alone share one throw.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from itertools import chain, product
from typing import Final, TypeAlias, TypeVar

from seasons_build.core.dice_amount import Amount
from seasons_build.core.named import NamedTuple
from seasons_build.language.dice.amounts import distribution_of
from seasons_build.language.dice.bind import Bound, Families, frame_of
from seasons_build.language.dice.closure import Frame, Readings, Value, undecided
from seasons_build.language.dice.die import again_die, simple_die
from seasons_build.language.dice.distribution import Distribution, Sums, Weights, of, point, uniform
from seasons_build.language.dice.facts import Facts
from seasons_build.language.dice.interval import UNKNOWN
from seasons_build.language.dice.keep import kept
from seasons_build.language.dice.mean import added_mean
from seasons_build.language.dice.model import Die, Model, Outcome
from seasons_build.language.dice.plan import Plan, Planner, known_of, read_of, rules
from seasons_build.language.dice.problem import Refused, RollProblem
from seasons_build.language.expression import Node

Row: TypeAlias = tuple[Value, ...]
T = TypeVar("T")

_KEPT_ENTRIES: Final = 2_000
"""A cache with more entries than this is emptied: what is in it can be worked out again."""


class Rows(NamedTuple):
    """Combinations of values of some names, with weights that add up to `total`."""

    names: tuple[str, ...]
    weights: Mapping[Row, int]
    total: int


class Tray:
    """Where the rolls of a game are thrown: all its models, and what was worked out before. `alike` gives by roll the one whose throws it
    shares."""

    __slots__ = ("_alike", "_amounts", "_plans", "_readings", "_sums", "_throws", "facts", "families", "models", "planner")

    def __init__(self, models: Mapping[str, Model], facts: Facts, alike: Mapping[str, str]) -> None:
        self.models, self.facts = models, facts
        self._alike = alike
        self.families = Families(facts)
        self.planner = Planner(models, facts, self.families)
        self._plans: dict[Hashable, Plan] = {}
        self._sums: dict[Hashable, Sums] = {}
        self._throws: dict[Hashable, Rows] = {}
        self._readings: dict[Hashable, Rows] = {}
        self._amounts: dict[Hashable, Distribution] = {}

    def plan(self, model: Model, frame: Readings, goal: frozenset[str]) -> Plan:
        """The plan of a throw; raises Refused where its dice cannot be thrown."""
        key = (model.id, goal, _values(frame, model.throw_reads))
        return _kept(self._plans, key, lambda: self.planner.plan(model, frame, goal))

    def throw(self, model: Model, frame: Readings, goal: frozenset[str]) -> Rows:
        """Rows of all that depends on the throw alone and is needed to tell the names in `goal`; the rest is read row by row.

        Raises Refused before any work where the throw costs too much.
        """
        columns = _columns(model, goal)
        key = (self._alike[model.id], columns, model.throw_reads, _values(frame, model.throw_reads))
        return _kept(self._throws, key, lambda: self._thrown(model, self.plan(model, frame, goal), columns))

    def mean(self, model: Model, frame: Readings, goal: frozenset[str], node: Node) -> Fraction | None:
        """The exact mean of a number that only adds dice up; None of any other."""
        plan = self.plan(model, frame, goal)

        def die(name: str) -> Fraction | None:
            found = model.dice[name]
            if name in model.kept or name not in plan.spreads or not found.summed:
                return None
            return (self._scored if found.roll else self._sum)(model, plan, found).mean

        return added_mean(node, model, frame, die)

    def readings(self, model: Model, bound: Bound, names: frozenset[str]) -> Rows:
        """Rows of readings of a roll that stands inside another; `outcome` is one of them.

        A throw that is thrown again is left out, with the total less by it. Where nobody can tell whether it is, its readings are
        undecided.
        """
        key = (model.id, names, tuple(bound.items()))
        return _kept(self._readings, key, lambda: self._read(model, bound, names))

    def amount(self, amount: Amount) -> Distribution:
        """The distribution of an amount."""
        return _kept(self._amounts, amount, lambda: distribution_of(amount, self._amount_sums))

    def _amount_sums(self, faces: int) -> Sums:
        return _kept(self._sums, faces, lambda: Sums(uniform(range(1, faces + 1))))

    def _read(self, asked: Model, bound: Bound, names: frozenset[str]) -> Rows:
        own = frame_of(asked, bound)
        model, frame = self.planner.replaced(asked, own)
        fixed = names & (asked.parameters | asked.static.keys())
        ladder = "outcome" in names or model.rerolls
        thrown = self.throw(model, frame, known_of(model, names - fixed))
        ordered = tuple(sorted(names))
        weights: dict[Row, int] = {}
        again = 0
        for readings, weight in rows(model, frame, thrown):
            outcome = decided(model, readings) if ladder else None
            if outcome is not None and outcome.reroll:
                again += weight
                continue
            values = {name: own[name] if name in fixed else None if name == "outcome" else readings[name] for name in ordered}
            if "outcome" in names:
                values["outcome"] = UNKNOWN if outcome is None else outcome.word
            if outcome is None and model.rerolls:
                values.update((name, undecided(values[name])) for name in names - fixed)
            row = tuple(values.values())
            weights[row] = weights.get(row, 0) + weight
        if not weights:
            raise Refused(never_ends(model))
        return Rows(ordered, weights, thrown.total - again)

    def _thrown(self, model: Model, plan: Plan, columns: tuple[str, ...]) -> Rows:
        frame = plan.frame
        blocks = self._blocks(model, plan, frozenset(columns))
        names = tuple(chain.from_iterable(block.names for block in blocks))
        total = 1
        for block in blocks:
            total *= block.total
        weights: dict[Row, int] = {}
        lets = {name: reading.run for name, reading in model.thrown.items()}
        for parts in product(*(block.weights.items() for block in blocks)):
            weight = 1
            values: Row = ()
            for row, part in parts:
                weight *= part
                values += row
            if names != columns:
                readings = Readings(dict(zip(names, values, strict=True)), lets, frame)
                values = tuple([readings[name] for name in columns])
            weights[values] = weights.get(values, 0) + weight
        return Rows(columns, weights, total)

    def _blocks(self, model: Model, plan: Plan, goal: frozenset[str]) -> list[Rows]:
        """What is thrown independently: sums of dice, the kept dice together, and rolls."""
        blocks: list[Rows] = []
        for name in plan.spreads:
            die = model.dice[name]
            if name in model.kept:
                if name == model.kept[0]:
                    blocks.append(self._kept_dice(model, plan))
            elif not die.roll:
                blocks.append(_single(name, self._sum(model, plan, die)))
            elif die.score is not None:
                blocks.append(_single(name, self._scored(model, plan, die)))
            else:
                blocks.append(self._whole_roll(model, plan, die, goal))
        return blocks

    def _sum(self, model: Model, plan: Plan, die: Die) -> Distribution:
        key = (model.id, die.name, _values(plan.frame, tuple(sorted(die.reads))))
        return _kept(self._sums, key, lambda: Sums(_one(plan, die)))[plan.counts[die.name]]

    def _kept_dice(self, model: Model, plan: Plan) -> Rows:
        if model.keep is None:
            raise AssertionError("kept dice come with a rule of keeping")
        groups = []
        for name in model.kept:
            one = _one(plan, model.dice[name]).weights
            exact = {value: weight for value, weight in one.items() if isinstance(value, int | Fraction)}
            groups.append((exact, plan.counts[name]))
        lets = {name: reading.run for name, reading in model.thrown.items()}
        run, frame, names = model.keep.run, plan.frame, model.kept
        found = kept(groups, lambda values: run(Readings(dict(zip(names, values, strict=True)), lets, frame)))
        return Rows(names, found, sum(found.values()))

    def _scored(self, model: Model, plan: Plan, die: Die) -> Distribution:
        """Rolls that are added up by their scores."""
        sums: dict[Hashable, Distribution] = {}
        total = point(0)
        for bound in self.planner.arguments(plan, die):
            key = tuple(bound.items())
            if key not in sums:
                sums[key] = self._score(model, plan, die, bound)
            total = total.plus(sums[key])
        return total.reduced()

    def _score(self, model: Model, plan: Plan, die: Die, bound: Bound) -> Distribution:
        if die.score is None:
            raise AssertionError("rolls that are added up have a score")
        inner = self.models[die.roll]
        found = self.readings(inner, bound, read_of(die, inner, model, frozenset()))
        weights: Weights = {}
        for row, weight in found.weights.items():
            score = die.score.run(Readings(dict(zip(found.names, row, strict=True)), {}, plan.frame))
            weights[score] = weights.get(score, 0) + weight
        return of(weights, found.total).reduced()

    def _whole_roll(self, model: Model, plan: Plan, die: Die, goal: frozenset[str]) -> Rows:
        inner = self.models[die.roll]
        (bound,) = self.planner.arguments(plan, die)
        found = self.readings(inner, bound, read_of(die, inner, model, goal))
        return Rows(tuple(f"{die.name}.{name}" for name in found.names), found.weights, found.total)


def rows(model: Model, frame: Frame, thrown: Rows) -> Iterator[tuple[Readings, int]]:
    """Each row of a throw as something all readings can be read of, with its weight."""
    lets = {name: reading.run for name, reading in model.thrown.items()}
    names = thrown.names
    for row, weight in thrown.weights.items():
        yield Readings(dict(zip(names, row, strict=True)), lets, frame), weight


def decided(model: Model, readings: Frame) -> Outcome | None:
    """The outcome that a throw comes to: the first whose condition holds. None where that cannot be told."""
    for outcome in model.outcomes:
        holds = True if outcome.when is None else outcome.when.run(readings)
        if holds is True:
            return outcome
        if holds is not False:
            return None
    return None


def never_ends(model: Model) -> RollProblem:
    """What to say of a roll in which every throw is thrown again."""
    path = next(outcome.path for outcome in model.outcomes if outcome.reroll)
    return RollProblem("E456", "every throw is thrown again, so this never ends", path, key=True)


def _columns(model: Model, goal: frozenset[str]) -> tuple[str, ...]:
    """What of the goal comes with the throw; lets that depend on more are followed down to what does."""
    found: set[str] = set()
    pending = list(goal)
    seen: set[str] = set()
    while pending:
        name = pending.pop()
        if name in seen:
            continue
        seen.add(name)
        reading = model.thrown.get(name)
        if reading is not None and name not in model.in_throw:
            pending.extend(reading.reads)
        elif name not in model.parameters and name not in model.static:
            found.add(name)
    return tuple(sorted(found))


def _one(plan: Plan, die: Die) -> Distribution:
    score, again = rules(die, plan.frame)
    faces = plan.faces[die.name]
    return simple_die(faces, score) if die.again is None else again_die(faces, score, again, plan.throws[die.name])


def _single(name: str, distribution: Distribution) -> Rows:
    return Rows((name,), {(value,): weight for value, weight in distribution.weights.items()}, distribution.total)


def _values(frame: Frame, names: tuple[str, ...]) -> tuple[Value, ...]:
    return tuple([frame[name] for name in names])


def _kept(cache: dict[Hashable, T], key: Hashable, make: Callable[[], T]) -> T:
    found = cache.get(key)
    if found is None:
        found = make()
        if len(cache) >= _KEPT_ENTRIES:
            cache.clear()
        cache[key] = found
    return found

