"""What a roll is before it is thrown: how many dice of which faces, and what working it out costs (language library: dice).

In: a model, its arguments, and what is to be known of the throw. Out: a plan, with its cost in steps. A step is one sum formed or one
combination looked at; the cost is worked out from counts and spans alone, so that a roll past the limit is refused before any work.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from seasons_build.core.dice_amount import figure
from seasons_build.core.record import dataclass, field
from seasons_build.core.span import Path
from seasons_build.language.dice import keep
from seasons_build.language.dice.bind import Bound, Families, frame_of, handed_on
from seasons_build.language.dice.closure import Frame, Readings
from seasons_build.language.dice.die import throws_needed
from seasons_build.language.dice.facts import Facts
from seasons_build.language.dice.interval import Number, Numeric, Truth
from seasons_build.language.dice.model import Die, Formula, Model
from seasons_build.language.dice.problem import Refused, RollProblem
from seasons_build.language.dice.spread import MANY, Spread, added, evenly, grid, listed, points, scaled, stepped, summed, sums, united
from seasons_build.language.expression import tree


@dataclass(slots=True)
class Plan:
    """The dice of one roll as they will be thrown, and the cost so far."""

    model: Model
    frame: Readings
    faces: dict[str, tuple[Number, ...]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    throws: dict[str, int] = field(default_factory=dict)
    spreads: dict[str, Spread] = field(default_factory=dict)
    limit: int = 0
    spent: list[int] = field(default_factory=lambda: [0])
    """The cost so far of this plan and of all that it is part of."""

    def charge(self, steps: int, path: Path) -> None:
        """Adds to the cost what arises at `path`; raises Refused where it comes to more than a roll may."""
        self.spent[0] += steps
        if self.spent[0] > self.limit:
            message = f"working this roll out takes more than {self.limit:,} steps"
            raise Refused(RollProblem("E458", message, path, hints=("throw fewer dice, or dice with fewer faces",)))

    @property
    def steps(self) -> int:
        """The cost so far."""
        return self.spent[0]


_PLANNED = 50
"""What it costs to plan a die, in steps."""

_LOOKED_AT = 4
"""What it costs to look at one combination of dice: about as much as so many sums."""


class Planner:
    """Plans rolls; holds what all of them read."""

    __slots__ = ("_facts", "_families", "_models")

    def __init__(self, models: Mapping[str, Model], facts: Facts, families: Families) -> None:
        self._models, self._facts, self._families = models, facts, families

    def plan(self, model: Model, frame: Readings, goal: frozenset[str], within: Plan | None = None) -> Plan:
        """What the throw takes if the names in `goal` are to be known of it, charged to the plan that it is part of.

        Raises Refused for dice that cannot be thrown, and where the cost is past the limit of a roll.
        """
        plan = Plan(model, frame, limit=self._facts.limits.roll_steps)
        if within is not None:
            plan.spent = within.spent
        needed = needed_dice(model, goal)
        for name in needed:
            die = model.dice[name]
            plan.charge(_PLANNED, die.path)
            if die.roll:
                self._rolled(plan, die, goal)
            else:
                self._plain(plan, die)
        if model.kept and model.kept[0] in needed:
            sizes = [(len(set(self._scores(plan, model.dice[name]))), plan.counts[name]) for name in model.kept]
            plan.charge(keep.steps(sizes), model.keep.path if model.keep else model.path)
        combinations = 1
        for name in needed:
            combinations *= plan.spreads[name].values
        plan.charge(_LOOKED_AT * min(combinations, MANY), model.path if len(needed) != 1 else model.dice[needed[0]].path)
        return plan

    def rows(self, plan: Plan, names: frozenset[str]) -> int:
        """At most how many combinations of values the names take together."""
        whole = 1
        for name in needed_dice(plan.model, names):
            whole *= plan.spreads[name].values
        apart = 1
        for name in names:
            apart *= self._spread(plan, name).values
        return min(whole, apart, MANY)

    # Dice

    def _plain(self, plan: Plan, die: Die) -> None:
        faces, count = self._faces(plan, die), self._count(plan, die)
        plan.faces[die.name], plan.counts[die.name] = faces, count
        if die.again is None:
            scores = self._scores(plan, die)
            one = listed(scores)
        else:
            one = self._again(plan, die, faces)
        if die.name in plan.model.kept:
            plan.spreads[die.name] = one
            return
        flat = die.again is None and evenly(scores)
        plan.charge(sums(one, count, flat), (die.count or die.faces[0]).path)
        plan.spreads[die.name] = summed(one, count)

    def _faces(self, plan: Plan, die: Die) -> tuple[Number, ...]:
        most = self._facts.limits.faces
        numbers = [formula.run(plan.frame) for formula in die.faces]
        if die.form == "list":
            if len(numbers) > most:
                raise Refused(RollProblem("E455", f"expected at most {most:,} faces, found {len(numbers):,}", die.path))
            return tuple(numbers)
        first, last = numbers if die.form == "range" else (1, numbers[0])
        if not isinstance(first, int) or not isinstance(last, int) or not 1 <= last - first + 1 <= most:
            found = f"`{figure(first)}` to `{figure(last)}`" if die.form == "range" else f"`{figure(last)}`"
            message = f"expected 1 to {most:,} faces, found {found}"
            raise Refused(RollProblem("E455", message, die.faces[-1].path))
        return tuple(range(first, last + 1))

    def _count(self, plan: Plan, die: Die) -> int:
        count = 1 if die.count is None else die.count.run(plan.frame)
        least, most = (1 if die.name in plan.model.kept else 0), self._facts.limits.dice
        if not isinstance(count, int) or not least <= count <= most:
            message = f"expected {least} to {most:,} dice `{die.name}`, a whole number, found `{figure(count)}`"
            hint = ("one of a kept die at least is thrown",) if least and count == 0 else ()
            raise Refused(RollProblem("E455", message, die.count.path if die.count else die.path, hints=hint))
        return count

    def _scores(self, plan: Plan, die: Die) -> list[Number]:
        score, _ = rules(die, plan.frame)
        found: list[Number] = []
        for face in plan.faces[die.name]:
            value = score(face, 1)
            if not isinstance(value, int | Fraction):
                raise AssertionError("a score before any interval is a number")
            found.append(value)
        return found

    def _again(self, plan: Plan, die: Die, faces: tuple[Number, ...]) -> Spread:
        """The spread of a die that is thrown again, from the lowest and highest that each throw can add."""
        score, again = rules(die, plan.frame)
        throws = throws_needed(faces, again, by_throw=die.by_throw)
        if throws is None or die.again is None:
            message = f"`{die.name}` is thrown again too often: it does not come to rest"
            path = die.again.path if die.again else die.path
            raise Refused(RollProblem("E458", message, path, hints=("let fewer faces be thrown again",)))
        plan.throws[die.name] = throws
        lo: Number = 0
        hi: Number = 0
        step: Number = 0
        span: Number = 0
        work = 0
        values: list[Number] = []
        going: list[Number] = []
        for throw in range(1, throws + 1):
            if throw == 1 or die.by_throw:
                found = [(score(face, throw), again(face, throw) is not False) for face in faces]
                values = [value for value, _ in found if isinstance(value, int | Fraction)]
                going = [value for value, goes_on in found if goes_on and isinstance(value, int | Fraction)]
                step = grid([step, *values])
            lo, hi = lo + min(0, *values), hi + max(0, *values)
            work += len(faces) * points(span, step)
            if not going:
                return Spread(points(hi - lo, step), lo, hi, step)
            span += max(going) - min(going)
        plan.charge(work, die.again.path)
        return Spread(points(hi - lo, step) + points(span, step), lo, hi, step, True)

    def _rolled(self, plan: Plan, die: Die, goal: frozenset[str]) -> None:
        inner = self._models[die.roll]
        names = read_of(die, inner, plan.model, goal)
        members = [self._planned(inner, bound, names, plan) for bound in self.arguments(plan, die)]
        plan.counts[die.name] = len(members)
        if not die.summed:
            member, names = members[0]
            plan.spreads[die.name] = Spread(self.rows(member, names))
            return
        total = Spread(1, 0, 0, 0)
        for member, names in members:
            if die.score is None:
                raise AssertionError("a die that is added up has a score")
            one = self._spread_of(member, die.score.node, plan)
            one = Spread(min(one.values, self.rows(member, names)), one.lo, one.hi, one.step, one.tail)
            plan.charge(min(total.values * one.values, MANY), die.path)
            total = added(total, one)
        plan.spreads[die.name] = total

    def _planned(self, inner: Model, bound: Bound, names: frozenset[str], plan: Plan) -> tuple[Plan, frozenset[str]]:
        """The plan of the roll that a die is, charged to the plan of the roll it is thrown in."""
        frame = frame_of(inner, bound)
        inner, frame = self.replaced(inner, frame)
        goal = known_of(inner, names)
        member = self.plan(inner, frame, goal, plan)
        return member, frozenset(name for name in names if name == "outcome" or name in inner.types)

    def arguments(self, plan: Plan, die: Die) -> list[Bound]:
        """The arguments of each roll that a die stands for."""
        inner, frame, owner = self._models[die.roll], plan.frame, plan.model
        given: Bound = {}
        for name, value in die.given.items():
            given.update(handed_on(inner.takes[name], value, frame, owner, self._families))
        if die.each:
            return [{**dict(record), **given} for record in frame[die.each]]
        prefix = f"{die.name}."
        own = {name[len(prefix) :]: frame[name] for name in sorted(die.reads) if name.startswith(prefix)}
        return [{**own, **given}] * self._count(plan, die)

    def replaced(self, model: Model, frame: Readings) -> tuple[Model, Readings]:
        """The roll that is thrown in its place, as often as `instead` says so."""
        while model.instead is not None and model.instead.when.run(frame) is True:
            other = self._models[model.instead.roll]
            bound: Bound = {}
            for name, parameter in other.takes.items():
                given = model.instead.given.get(name)
                bound.update({name: parameter.default} if given is None else handed_on(parameter, given, frame, model, self._families))
            model, frame = other, frame_of(other, bound)
        return model, frame

    # Spreads of names and expressions

    def _spread(self, plan: Plan, name: str) -> Spread:
        model = plan.model
        if name == "outcome":
            return Spread(len(model.outcomes) + 1)
        reading = model.thrown.get(name)
        if reading is None:
            if name in plan.spreads:
                return plan.spreads[name]
            die, _, _ = name.partition(".")
            if name not in model.types:
                return Spread(MANY)
            if die in plan.spreads and die != name:
                return Spread(plan.spreads[die].values)
            return _fixed(plan.frame, name)
        if reading.formula is None:
            return Spread(len(reading.words) + 1)
        return self._spread_of(plan, reading.formula.node)

    def _spread_of(self, plan: Plan, node: tree.Node, outer: Plan | None = None) -> Spread:
        match node:
            case tree.Figure():
                return Spread(1, node.value, node.value, 0)
            case tree.Name():
                return self._spread(outer if outer is not None and node.name not in plan.model.types else plan, node.name)
            case tree.Negative():
                return scaled(self._spread_of(plan, node.operand, outer), -1)
            case tree.Chain():
                total = self._spread_of(plan, node.first, outer)
                for step in node.steps:
                    right = self._spread_of(plan, step.operand, outer)
                    total = stepped(step.operator, total, right)
                return total
            case tree.Choice():
                return united(self._spread_of(plan, node.value, outer), self._spread_of(plan, node.otherwise, outer))
            case tree.Call(function="min" | "max"):
                first, *more = (self._spread_of(plan, part, outer) for part in node.arguments)
                for other in more:
                    first = united(first, other)
                return first
            case tree.Call(function="table"):
                return self._looked_up(node)
            case tree.Compare() | tree.Both() | tree.Either() | tree.Not() | tree.Truth():
                return Spread(3)
            case _:
                return Spread(MANY)

    def _looked_up(self, node: tree.Call) -> Spread:
        """A figure of a table that is asked for by fixed keys is as good as one that is typed."""
        name, *keys = node.arguments
        table = self._facts.tables.get(name.name) if isinstance(name, tree.Name) else None
        fixed = tuple(key.value for key in keys if isinstance(key, tree.Figure | tree.Word))
        found = table.look_up(fixed) if table is not None and len(fixed) == len(keys) else None
        return Spread(1, found, found, 0) if isinstance(found, int | Fraction) and not isinstance(found, bool) else Spread(MANY)


def needed_dice(model: Model, goal: frozenset[str]) -> list[str]:
    """The dice that have to be thrown to know the names; kept dice are thrown all together."""
    leaves = model.leaves(goal)
    read = {name.partition(".")[0] for name in leaves} & model.dice.keys()
    read -= {name for name in read if name not in leaves and model.dice[name].summed}
    if read & set(model.kept):
        read |= set(model.kept)
    return [name for name in model.dice if name in read]


def known_of(model: Model, names: frozenset[str]) -> frozenset[str]:
    """What has to be known of a throw for the readings asked of a roll: its ladder too, where it decides."""
    goal = frozenset(name for name in names if name in model.types)
    if "outcome" in names or model.rerolls:
        goal = goal.union(*(outcome.when.reads for outcome in model.outcomes if outcome.when is not None))
    return goal


def read_of(die: Die, inner: Model, model: Model, goal: frozenset[str]) -> frozenset[str]:
    """The readings of the roll that a die is that have to be known."""
    if die.score is not None:
        return die.score.reads & ({"outcome"} | inner.types.keys())
    leaves = model.leaves(goal)
    prefix = f"{die.name}."
    return frozenset(name[len(prefix) :] for name in leaves if name.startswith(prefix))


def rules(die: Die, frame: Frame) -> tuple[_Score, _Again]:
    """The score and the rule of throwing again of a die, as functions of the face and the number of the throw."""
    return _Score(die.score, frame), _Again(die.again, frame)


class _Score:
    __slots__ = ("_formula", "_frame")

    def __init__(self, formula: Formula | None, frame: Frame) -> None:
        self._formula, self._frame = formula, frame

    def __call__(self, face: Number, throw: Numeric) -> Numeric:
        if self._formula is None:
            return face
        value: Numeric = self._formula.run(Readings({"face": face, "throw": throw}, {}, self._frame))
        return value


class _Again:
    __slots__ = ("_formula", "_frame")

    def __init__(self, formula: Formula | None, frame: Frame) -> None:
        self._formula, self._frame = formula, frame

    def __call__(self, face: Number, throw: Numeric) -> Truth:
        if self._formula is None:
            return False
        value: Truth = self._formula.run(Readings({"face": face, "throw": throw}, {}, self._frame))
        return value


def _fixed(frame: Frame, name: str) -> Spread:
    value = frame[name]
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return Spread(1, value, value, 0)
    return Spread(1)
