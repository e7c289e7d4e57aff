"""Rolls of a game: what they take, what they cost, and their exact odds (language library: dice).

In: the map of rolls as loaded, and what they may read of the game. Out: a `Roll` for each that is sound, and every problem in the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any, Final, TypeAlias

from seasons_build.core.dice_amount import Amount, figure, throw
from seasons_build.core.named import NamedTuple
from seasons_build.core.names import did_you_mean
from seasons_build.core.span import Path
from seasons_build.language.dice.amounts import work_of
from seasons_build.language.dice.bind import Bound, bind, defaults, frame_of
from seasons_build.language.dice.build import build
from seasons_build.language.dice.closure import Frame, Readings
from seasons_build.language.dice.distribution import Distribution, Weights, mixture, of, point
from seasons_build.language.dice.draft import Draft, Parameter
from seasons_build.language.dice.facts import Facts
from seasons_build.language.dice.interval import ANY_NUMBER, UNKNOWN
from seasons_build.language.dice.merge import Merged, merge
from seasons_build.language.dice.model import Formula, Model, Outcome
from seasons_build.language.dice.order import heights, ordered
from seasons_build.language.dice.plan import Plan
from seasons_build.language.dice.problem import Refused, RollProblem
from seasons_build.language.dice.read import read
from seasons_build.language.dice.throw import Tray, decided, never_ends, rows
from seasons_build.language.expression import tree

OUTCOME: Final = "outcome"
VALUE: Final = "value"

_DEEP: Final = 8
"""No rolls stand in each other deeper than this."""

Arguments: TypeAlias = Mapping[str, Any]
"""Numbers, truths, words, amounts, family values, lists of maps; text is read as an expression that names nothing."""


class Odds(NamedTuple):
    """The exact odds of one roll with its arguments.

    `outcomes` are in the order of the ladder, without those that are thrown again; the true chance of each lies from its figure to its
    figure plus `tail`. `values` has for each outcome with a value how it is distributed, given that outcome. `value` is how it is
    distributed over all throws, an outcome without a value counting as 0; None where the roll has no values at all.
    """

    outcomes: Mapping[str, Fraction]
    tail: Fraction
    values: Mapping[str, Distribution]
    value: Distribution | None


class Rolls(NamedTuple):
    """The rolls that are sound, in the order typed, and what is wrong with the others, each finding once."""

    rolls: Mapping[str, Roll]
    problems: tuple[RollProblem, ...]


class Roll:
    """One roll, ready for any arguments."""

    __slots__ = ("_model", "_tray")

    def __init__(self, model: Model, tray: Tray) -> None:
        self._model, self._tray = model, tray

    @property
    def id(self) -> str:
        """Its id."""
        return self._model.id

    @property
    def takes(self) -> Mapping[str, Parameter]:
        """Its parameters by name; those of a die that is a roll as `die.name`."""
        return self._model.takes

    @property
    def words(self) -> tuple[str, ...]:
        """The outcomes it can come to, in the order of its ladder."""
        return self._model.words

    def odds(self, arguments: Arguments) -> Odds:
        """The exact odds; raises Refused for arguments that do not fit, dice that cannot be thrown and work past the limit."""
        return self._odds(*self._opened(arguments))

    def reading(self, name: str, arguments: Arguments, dice: Mapping[str, Any]) -> Any:
        """The value of a name that is read of the roll once `dice` lie as given: one number for each name, or for dice that are kept
        by a rule a list of all that were thrown. `outcome` is what it comes to, and `value` what that gives. Raises Refused where the name
        is none, or asks for more dice."""
        model, frame = self._opened(arguments)
        asked = {OUTCOME: _ladder(model), VALUE: _goal(model)}
        if name not in model.static and name not in model.thrown and name not in model.parameters and name not in asked:
            hints = did_you_mean(name, [*model.static, *model.thrown, *model.parameters])
            raise Refused(RollProblem("E452", f"the roll `{model.id}` reads no `{name}`", (), hints=hints))
        missing = sorted(model.leaves(asked.get(name, frozenset({name}))) - dice.keys())
        if missing:
            raise Refused(RollProblem("E452", f"`{name}` depends on `{missing[0]}`, and nothing is said of it", ()))
        readings = _lying(model, frame, _kept(model, frame, dice))
        if name not in asked:
            return readings[name]
        outcome = decided(model, readings)
        if name == OUTCOME:
            return outcome.word if outcome is not None else ""
        formula = _value_of(model, outcome)
        return formula.run(readings) if formula is not None else 0

    def cost(self, arguments: Arguments) -> int:
        """The steps that `odds` takes at most, known without taking them; raises Refused as `odds` does, past the limit too."""
        model, frame = self._opened(arguments)
        return self._plan(model, frame).steps

    def unreachable(self, cases: Iterable[Arguments]) -> tuple[RollProblem, ...]:
        """A warning for each outcome that has no chance in any of the cases; none where there is no case.

        Raises Refused as `odds` does.
        """
        never = set(self.words)
        tried = False
        for arguments in cases:
            tried = True
            odds = self.odds(arguments)
            never -= {word for word, chance in odds.outcomes.items() if chance or odds.tail}
        hint = "an earlier condition holds whenever this one does: put the narrower one first"
        return tuple(
            RollProblem("W450", f"`{outcome.word}` has no chance in any case", outcome.path, hints=(hint,), key=True)
            for outcome in self._model.outcomes
            if tried and outcome.word in never
        )

    def _opened(self, arguments: Arguments) -> tuple[Model, Readings]:
        """The roll that is really thrown, and what is known before the throw."""
        tray = self._tray
        bound = bind(self._model, arguments, tray.models, tray.families)
        return tray.planner.replaced(self._model, frame_of(self._model, bound))

    def _plan(self, model: Model, frame: Readings) -> Plan:
        """The plan of the throw, with the values that do not depend on it."""
        plan = self._tray.plan(model, frame, _goal(model))
        total = Plan(model, frame, limit=plan.limit)
        total.charge(plan.steps, model.path)
        settled: list[Amount] = []
        for formula in _values_of(model):
            if formula.amount and not model.leaves(formula.reads):
                before = work_of(settled)
                settled.append(formula.run(frame))
                total.charge(work_of(settled) - before, formula.path)
        return total

    def _odds(self, model: Model, frame: Readings) -> Odds:
        tray = self._tray
        self._plan(model, frame)
        thrown = tray.throw(model, frame, _goal(model))
        tally = _Tally(model, tray)
        for readings, weight in rows(model, frame, thrown):
            tally.count(readings, weight)
        odds = tally.odds(self._model, thrown.total)
        if odds.value is None or odds.value.mean is not None:
            return odds
        return odds._replace(value=odds.value._replace(mean=self._added_mean(model, frame)))

    def _added_mean(self, model: Model, frame: Readings) -> Fraction | None:
        """The exact mean of a value that only adds dice up: the rest that is cut off an explosion counts in it."""
        value = model.value
        if value is None or value.amount or model.rerolls or _values_of(model) != [value]:
            return None
        return self._tray.mean(model, frame, _goal(model), value.node)


class _Tally:
    """Counts throws by outcome, and amounts by outcome, before any of the amounts is worked out."""

    __slots__ = ("_amounts", "_model", "_numbers", "_tray", "_undecided", "_weights")

    def __init__(self, model: Model, tray: Tray) -> None:
        self._model, self._tray = model, tray
        self._weights: dict[str, int] = dict.fromkeys((outcome.word for outcome in model.outcomes), 0)
        self._numbers: dict[str, Weights] = {}
        self._amounts: dict[str, dict[Amount, int]] = {}
        self._undecided = 0

    def count(self, readings: Frame, weight: int) -> None:
        """One row of the throw."""
        model = self._model
        outcome = decided(model, readings)
        if outcome is None and model.outcomes:
            self._undecided += weight
            return
        word = "" if outcome is None else outcome.word
        if outcome is not None:
            self._weights[word] += weight
            if outcome.reroll:
                return
        formula = _value_of(model, outcome)
        if formula is None:
            return
        value = formula.run(readings)
        if formula.amount and value is not UNKNOWN:
            amounts = self._amounts.setdefault(word, {})
            amounts[value] = amounts.get(value, 0) + weight
        else:
            numbers = self._numbers.setdefault(word, {})
            value = ANY_NUMBER if value is UNKNOWN else value
            numbers[value] = numbers.get(value, 0) + weight

    def odds(self, asked: Model, total: int) -> Odds:
        """The odds of the roll that was asked for, which lists all that this one can come to."""
        model = self._model
        again = sum(self._weights[outcome.word] for outcome in model.outcomes if outcome.reroll)
        if again == total:
            raise Refused(never_ends(model))
        total -= again
        self._refuse_past_limit()
        values = {word: self._value(word) for word in ("", *self._weights) if word in self._numbers or word in self._amounts}
        outcomes = {word: Fraction(self._weights.get(word, 0), total) for word in asked.words}
        given = {word: values[word] for word in asked.words if word in values}
        return Odds(outcomes, Fraction(self._undecided, total), given, self._overall(values))

    def _overall(self, values: Mapping[str, Distribution]) -> Distribution | None:
        model = self._model
        if not _values_of(model):
            return None
        if not model.outcomes:
            return values[""]
        parts = [(values.get(word, point(0)), self._weights[word]) for word in model.words]
        return mixture([*parts, (point(ANY_NUMBER), self._undecided)])

    def _value(self, word: str) -> Distribution:
        parts = [(self._tray.amount(amount), weight) for amount, weight in self._amounts.get(word, {}).items()]
        numbers = self._numbers.get(word)
        if numbers:
            total = sum(numbers.values())
            parts.append((of(numbers, total), total))
        return mixture(parts)

    def _refuse_past_limit(self) -> None:
        """The amounts that the throw has led to are known now; each is worked out once."""
        most = self._tray.facts.limits.roll_steps
        known: list[Amount] = []
        for word, amounts in self._amounts.items():
            known += amounts
            if work_of(known) > most:
                outcome = next((outcome for outcome in self._model.outcomes if outcome.word == word), None)
                formula = _value_of(self._model, outcome)
                raise Refused(_past_limit(most, formula.path if formula else self._model.path))


def compile_rolls(rolls: Mapping[str, Any], facts: Facts) -> Rolls:
    """Every sound roll, and every problem in the others: by roll in the order typed, within a roll by place."""
    problems: list[RollProblem] = []
    merged = merge(rolls, problems)
    drafts: dict[str, Draft] = {}
    broken: set[str] = set()
    for roll, written in merged.items():
        found: list[RollProblem] = []
        drafts[roll] = read(written, facts.families, rolls, found)
        problems.extend(found)
        if found:
            broken.add(roll)
    inner = {roll: _thrown_by(draft) for roll, draft in drafts.items()}
    order, circles = ordered(inner)
    for circle in circles:
        path = " throws ".join(f"`{roll}`" for roll in circle)
        problems.append(RollProblem("E453", f"rolls that throw each other never end: {path}", (circle[0],), key=True))
    models: dict[str, Model | None] = dict.fromkeys(rolls)
    deep = heights(order, inner, dict.fromkeys(order, 1))
    for roll in order:
        model = build(drafts[roll], models, facts, problems)
        if deep[roll] == _DEEP + 1:
            message = f"rolls stand in each other more than {_DEEP} deep"
            problems.append(RollProblem("E453", message, (roll,), key=True))
        sound = roll not in broken and deep[roll] <= _DEEP and not any(models[name] is None for name in inner[roll])
        models[roll] = model if sound else None
    usable = {roll: model for roll in rolls if (model := models[roll]) is not None}
    tray = Tray(usable, facts, _one_throw(merged))
    for model in usable.values():
        refused = _tried(model, tray)
        if refused is not None:
            problems.append(refused)
    return Rolls({roll: Roll(model, tray) for roll, model in usable.items()}, _in_order(problems, rolls))


def _one_throw(merged: Mapping[str, Merged]) -> Mapping[str, str]:
    """By roll, the first one that throws the same: those that are like it but for their outcomes and values share its throws."""
    first: list[tuple[list[Any], str]] = []
    found: dict[str, str] = {}
    for roll, written in merged.items():
        parts = [written.data.get(part) for part in ("takes", "let", "dice", "keep")]
        found[roll] = next((known for other, known in first if other == parts), roll)
        if found[roll] == roll:
            first.append((parts, roll))
    return found


def _goal(model: Model) -> frozenset[str]:
    return _ladder(model).union(*(formula.reads for formula in _values_of(model)))


def _ladder(model: Model) -> frozenset[str]:
    """What the outcomes read."""
    return frozenset[str]().union(*(outcome.when.reads for outcome in model.outcomes if outcome.when is not None))


def _lying(model: Model, frame: Readings, dice: Mapping[str, Any]) -> Readings:
    return Readings(dice, {reading.name: reading.run for reading in model.thrown.values()}, frame)


def _kept(model: Model, frame: Readings, dice: Mapping[str, Any]) -> Mapping[str, Any]:
    """The dice with one value for each name: of a list the one that the roll keeps."""
    listed = {name: values for name, values in dice.items() if isinstance(values, list)}
    for name, values in listed.items():
        if name not in model.kept or model.keep is None:
            raise Refused(RollProblem("E452", f"no rule keeps one of several `{name}`, found {len(values)}", ()))
        count = model.dice[name].count
        thrown = 1 if count is None else count.run(frame)
        if len(values) != thrown:
            raise Refused(RollProblem("E452", f"expected {figure(thrown)} of `{name}` on the table, found {len(values)}", ()))
    if not listed or model.keep is None:
        return dice
    run, names = model.keep.run, [name for name in model.kept if name in dice]
    shown = product(*(listed.get(name, [dice[name]]) for name in names))
    best = max(shown, key=lambda values: (run(_lying(model, frame, {**dice, **dict(zip(names, values, strict=True))})), values))
    return {**dice, **dict(zip(names, best, strict=True))}


def _value_of(model: Model, outcome: Outcome | None) -> Formula | None:
    """The value of an outcome, else of the whole roll."""
    return model.value if outcome is None or outcome.value is None else outcome.value


def _values_of(model: Model) -> list[Formula]:
    formulas = [_value_of(model, outcome) for outcome in model.outcomes if not outcome.reroll] or [model.value]
    return [formula for formula in dict.fromkeys(formulas) if formula is not None]


def _past_limit(most: int, path: Path, start: int | None = None, end: int | None = None) -> RollProblem:
    message = f"working this roll out takes more than {most:,} steps"
    return RollProblem("E458", message, path, start, end, ("throw fewer dice, or dice with fewer faces",))


def _thrown_by(draft: Draft) -> list[str]:
    """The rolls that a roll throws, as a die or in its place."""
    found = [die.roll for die in draft.dice.values() if die.roll]
    return found if draft.instead is None else [*found, draft.instead.roll]


def _tried(model: Model, tray: Tray) -> RollProblem | None:
    """What is wrong with a roll whatever its arguments: it is planned with its defaults, as far as they settle the throw."""
    bound: Bound = defaults(model)
    needed = set(model.throw_reads)
    if model.instead is not None:
        needed |= model.instead.when.reads
    most = tray.facts.limits.roll_steps
    for formula in _values_of(model):
        for node in tree.walk(formula.node):
            if isinstance(node, tree.Throw) and work_of([throw(node.count, node.faces)]) > most:
                return _past_limit(most, formula.path, node.start, node.end)
    if not all(name in bound for name in _settling(model, frozenset(needed))):
        return None
    try:
        frame = frame_of(model, bound)
        if model.instead is None or model.instead.when.run(frame) is not True:
            tray.plan(model, frame, _goal(model))
    except Refused as refused:
        return refused.problem
    return None


def _settling(model: Model, names: frozenset[str]) -> frozenset[str]:
    """The parameters on which the names depend."""
    found: set[str] = set()
    pending = list(names)
    while pending:
        name = pending.pop()
        reading = model.static.get(name)
        if reading is None:
            found.add(name)
        else:
            pending.extend(reading.reads)
    return frozenset(found)


def _in_order(problems: list[RollProblem], rolls: Mapping[str, Any]) -> tuple[RollProblem, ...]:
    """Each problem once, by roll; within a roll in the order found."""
    place = {roll: i for i, roll in enumerate(rolls)}
    unique = list(dict.fromkeys(problems))
    return tuple(sorted(unique, key=lambda problem: place.get(str(problem.path[0]) if problem.path else "", len(place))))
