"""Expressions of a roll as closures over what is thrown (language library: dice).

In: the tree of a checked expression that is no amount of dice. Out: a function of a frame (name -> value). Values are numbers, intervals,
truths, words, and `UNKNOWN` for a truth or word that cannot be told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor, trunc
from operator import add, mul, sub
from typing import Any, TypeAlias

from seasons_build.core.limits import Limits
from seasons_build.core.named import NamedTuple
from seasons_build.core.names import in_expressions
from seasons_build.core.span import Path
from seasons_build.language.dice import interval
from seasons_build.language.dice.interval import ANY_NUMBER, UNKNOWN, Interval, Unknown, hull
from seasons_build.language.dice.problem import Refused, RollProblem
from seasons_build.language.expression import tree
from seasons_build.language.expression.tree import Node
from seasons_build.language.expression.types import TableType

Value: TypeAlias = Any
Frame: TypeAlias = Mapping[str, Value]
Closure: TypeAlias = Callable[[Frame], Value]


class Table(NamedTuple):
    """A table of the game: the types of its keys and of what it gives, and the look-up itself, which gives None for a row it has not."""

    type: TableType
    look_up: Callable[[tuple[Value, ...]], Value | None]


class Setting(NamedTuple):
    """What the closures of one expression need: where it stands, which names are amounts of dice, the tables, and the limits."""

    path: Path
    dice_names: frozenset[str]
    tables: Mapping[str, Table]
    limits: Limits

    def refuse(self, code: str, message: str, start: int, end: int) -> Refused:
        """The fault to raise for a part of the expression."""
        return Refused(RollProblem(code, message, self.path, start, end))


class Readings(dict[str, Value]):
    """A frame that works a name out when it is first read: from `lets`, else from the frame `under` it."""

    __slots__ = ("_lets", "_under")

    def __init__(self, known: Mapping[str, Value], lets: Mapping[str, Closure], under: Frame) -> None:
        super().__init__(known)
        self._lets = lets
        self._under = under

    def __missing__(self, name: str) -> Value:
        run = self._lets.get(name)
        value = self._under[name] if run is None else run(self)
        self[name] = value
        return value


def plain(node: Node, setting: Setting) -> Closure:
    """The function that works out an expression that is no amount."""
    match node:
        case tree.Figure() | tree.Truth() | tree.Word():
            value = node.value
            return lambda frame: value
        case tree.Name():
            name = node.name
            return lambda frame: frame[name]
        case tree.Negative():
            operand = plain(node.operand, setting)
            return lambda frame: -operand(frame)
        case tree.Not():
            condition = plain(node.operand, setting)
            return lambda frame: interval.negated(condition(frame))
        case tree.Chain():
            return _chain(node, setting)
        case tree.Compare():
            return _compare(node, setting)
        case tree.Both():
            return _joined([plain(part, setting) for part in node.parts], decisive=False)
        case tree.Either():
            return _joined([plain(part, setting) for part in node.parts], decisive=True)
        case tree.Choice():
            return choice(*(plain(part, setting) for part in (node.condition, node.value, node.otherwise)))
        case tree.Call():
            return _call(node, setting)
        case _:
            raise AssertionError(f"{type(node).__name__} is an amount")


def _chain(node: tree.Chain, setting: Setting) -> Closure:
    """One step is a closure of its own; more are taken one after the other, so that a long chain is no deep one."""
    first = plain(node.first, setting)
    steps = [(_operation(step, setting), plain(step.operand, setting)) for step in node.steps]
    if len(steps) == 1:
        ((operation, right),) = steps
        if node.steps[0].operator == "+":
            return lambda frame: first(frame) + right(frame)
        if node.steps[0].operator == "-":
            return lambda frame: first(frame) - right(frame)
        return lambda frame: operation(first(frame), right(frame))

    def run(frame: Frame) -> Value:
        value = first(frame)
        for operation, right in steps:
            value = operation(value, right(frame))
        return value

    return run


def _operation(step: tree.Step, setting: Setting) -> Callable[[Value, Value], Value]:
    match step.operator:
        case "+":
            return add
        case "-":
            return sub
    function = {"*": mul, "/": interval.divided, "//": interval.floor_divided, "%": interval.remainder}[step.operator]
    place = (step.at, step.at + len(step.operator))
    most = setting.limits.number

    def operate(a: Value, b: Value) -> Value:
        try:
            value = function(a, b)
        except ZeroDivisionError:
            raise setting.refuse("E431", "this divides by zero", *place) from None
        if type(value) is int and -most <= value <= most:
            return value
        ends = (value.lo, value.hi) if isinstance(value, Interval) else (value,)
        if any(end is not None and past(end, most) for end in ends):
            raise setting.refuse("E432", f"the result is larger than {most:,}, or a fraction finer than one in {most:,}", *place)
        return value

    return operate


def past(number: interval.Number, most: int) -> bool:
    """Whether a number is past the limit: multiplied often enough, numbers would fill all memory."""
    return abs(number.numerator) > most * number.denominator or number.denominator > most


def _compare(node: tree.Compare, setting: Setting) -> Closure:
    left, right = plain(node.left, setting), plain(node.right, setting)
    less, at_most, negated = interval.less, interval.at_most, interval.negated
    match node.operator:
        case "<":
            return lambda frame: less(left(frame), right(frame))
        case "<=":
            return lambda frame: at_most(left(frame), right(frame))
        case ">":
            return lambda frame: less(right(frame), left(frame))
        case ">=":
            return lambda frame: at_most(right(frame), left(frame))
        case "==":
            return lambda frame: _same(left(frame), right(frame))
        case _:
            return lambda frame: negated(_same(left(frame), right(frame)))


def _same(a: Value, b: Value) -> interval.Truth:
    """Words are the same whether they are written with `-` or, as inside expressions, with `_`."""
    if a is UNKNOWN or b is UNKNOWN:
        return Unknown.UNKNOWN
    if isinstance(a, Interval) or isinstance(b, Interval):
        return interval.equal(a, b)
    if isinstance(a, str) and isinstance(b, str):
        return a == b or in_expressions(a) == in_expressions(b)
    return bool(a == b)


def _joined(parts: Sequence[Closure], *, decisive: bool) -> Closure:
    """`or` is decided by one part that is true, `and` by one that is false."""

    def run(frame: Frame) -> Value:
        result: Value = not decisive
        for part in parts:
            value = part(frame)
            if value is decisive:
                return decisive
            if value is UNKNOWN:
                result = UNKNOWN
        return result

    return run


def choice(condition: Closure, value: Closure, otherwise: Closure) -> Closure:
    """One of two values; both, where nobody knows which."""

    def run(frame: Frame) -> Value:
        holds = condition(frame)
        if holds is True:
            return value(frame)
        if holds is False:
            return otherwise(frame)
        return either(value(frame), otherwise(frame))

    return run


def either(a: Value, b: Value) -> Value:
    """One of two values, nobody knows which."""
    if a is UNKNOWN or b is UNKNOWN:
        return UNKNOWN
    if type(a) in (int, Fraction, Interval) and type(b) in (int, Fraction, Interval):
        return hull((a, b))
    return a if a == b else UNKNOWN


def undecided(value: Value) -> Value:
    """What a value of this sort is when nothing is known about it."""
    return ANY_NUMBER if type(value) in (int, Fraction, Interval) else UNKNOWN


def _call(node: tree.Call, setting: Setting) -> Closure:
    if node.function == "table":
        return looked_up(node, setting)
    arguments = [plain(part, setting) for part in node.arguments]
    only = arguments[0]
    match node.function:
        case "min":
            return lambda frame: interval.smallest([argument(frame) for argument in arguments])
        case "max":
            return lambda frame: interval.largest([argument(frame) for argument in arguments])
        case "floor":
            return lambda frame: interval.rising(floor, only(frame))
        case "ceil":
            return lambda frame: interval.rising(ceil, only(frame))
        case "trunc":
            return lambda frame: interval.rising(trunc, only(frame))
        case "half":
            return lambda frame: interval.divided(only(frame), 2)
        case "abs":
            return lambda frame: interval.absolute(only(frame))
        case "size":
            return lambda frame: len(only(frame))
        case _:
            raise AssertionError(f"{node.function} cannot be read in a roll")


def looked_up(node: tree.Call, setting: Setting) -> Closure:
    """What a table gives for its keys."""
    name = table_name(node)
    keys = [plain(part, setting) for part in node.arguments[1:]]
    table = setting.tables[name]
    anything = ANY_NUMBER if table.type.gives.sort == "number" else UNKNOWN

    def run(frame: Frame) -> Value:
        found = tuple(key(frame) for key in keys)
        if any(key is UNKNOWN or isinstance(key, Interval) for key in found):
            return anything
        value = table.look_up(found)
        if value is None:
            shown = " and ".join(f"`{key}`" for key in found)
            raise setting.refuse("E434", f"table `{name}` has no row for {shown}", node.start, node.end)
        return value

    return run


def table_name(node: tree.Call) -> str:
    """The table that is read."""
    name = node.arguments[0]
    if not isinstance(name, tree.Name):
        raise AssertionError("a table is written as its name")
    return name.name
