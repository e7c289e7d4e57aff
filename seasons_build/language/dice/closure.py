"""Expressions of a roll as closures over what is thrown (language library: dice).

In: the tree of a checked expression. Out: a function of a frame (name -> value). Values are numbers, intervals, truths, words, `UNKNOWN`
for a truth, word or amount that cannot be told, and amounts of dice, which nobody throws here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, trunc
from typing import Any, TypeAlias

from seasons_build.core import dice_amount
from seasons_build.core.dice_amount import Dice
from seasons_build.core.limits import Limits
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


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the game: the types of its keys and of what it gives, and the look-up itself, which gives None for a row it has not."""

    type: TableType
    look_up: Callable[[tuple[Value, ...]], Value | None]


@dataclass(frozen=True, slots=True)
class Setting:
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


def closure(node: Node, setting: Setting) -> Closure:
    """The function that works an expression out."""
    if is_amount(node, setting):
        return _amount(node, setting)
    return _plain(node, setting)


def is_amount(node: Node, setting: Setting) -> bool:
    """Whether a checked expression is an amount of dice: conditions never are, so any dice in its values make it one."""
    match node:
        case tree.Throw():
            return True
        case tree.Name():
            return node.name in setting.dice_names
        case tree.Choice():
            return is_amount(node.value, setting) or is_amount(node.otherwise, setting)
        case tree.Call(function="table"):
            return setting.tables[_table_name(node)].type.gives.sort == "dice"
        case tree.Call():
            return node.function in ("dice", "bare") or any(is_amount(part, setting) for part in node.arguments)
        case tree.Chain() | tree.Negative():
            return any(is_amount(part, setting) for part in tree.children(node))
        case _:
            return False


def _plain(node: Node, setting: Setting) -> Closure:
    match node:
        case tree.Figure() | tree.Truth() | tree.Word():
            value = node.value
            return lambda frame: value
        case tree.Name():
            name = node.name
            return lambda frame: frame[name]
        case tree.Negative():
            operand = _plain(node.operand, setting)
            return lambda frame: -operand(frame)
        case tree.Not():
            condition = _plain(node.operand, setting)
            return lambda frame: interval.negated(condition(frame))
        case tree.Chain():
            return _chain(node, setting)
        case tree.Compare():
            return _compare(node, setting)
        case tree.Both():
            return _joined([_plain(part, setting) for part in node.parts], decisive=False)
        case tree.Either():
            return _joined([_plain(part, setting) for part in node.parts], decisive=True)
        case tree.Choice():
            return _choice(*(_plain(part, setting) for part in (node.condition, node.value, node.otherwise)))
        case tree.Call():
            return _call(node, setting)
        case _:
            raise AssertionError(f"{type(node).__name__} is an amount")


def _chain(node: tree.Chain, setting: Setting) -> Closure:
    run = _plain(node.first, setting)
    for step in node.steps:
        run = _step(step, run, _plain(step.operand, setting), setting)
    return run


def _step(step: tree.Step, left: Closure, right: Closure, setting: Setting) -> Closure:
    match step.operator:
        case "+":
            return lambda frame: left(frame) + right(frame)
        case "-":
            return lambda frame: left(frame) - right(frame)
        case "*":
            return lambda frame: left(frame) * right(frame)
    function = {"/": interval.divided, "//": interval.floor_divided, "%": interval.remainder}[step.operator]

    def divide(frame: Frame) -> Value:
        try:
            return function(left(frame), right(frame))
        except ZeroDivisionError:
            raise setting.refuse("E431", "this divides by zero", step.at, step.at + len(step.operator)) from None

    return divide


def _compare(node: tree.Compare, setting: Setting) -> Closure:
    left, right = _plain(node.left, setting), _plain(node.right, setting)
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


def _choice(condition: Closure, value: Closure, otherwise: Closure) -> Closure:
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
        return _table(node, setting)
    arguments = [_plain(part, setting) for part in node.arguments]
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


def _table(node: tree.Call, setting: Setting) -> Closure:
    name = _table_name(node)
    keys = [_plain(part, setting) for part in node.arguments[1:]]
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


def _table_name(node: tree.Call) -> str:
    name = node.arguments[0]
    if not isinstance(name, tree.Name):
        raise AssertionError("a table is written as its name")
    return name.name


# Amounts: what they are is put together, never thrown


def _amount(node: Node, setting: Setting) -> Closure:
    if not is_amount(node, setting):
        number = _plain(node, setting)
        return lambda frame: UNKNOWN if isinstance(value := number(frame), Interval) else dice_amount.fixed(value)
    match node:
        case tree.Throw():
            thrown = dice_amount.throw(node.count, node.faces)
            return lambda frame: thrown
        case tree.Name():
            name = node.name
            return lambda frame: frame[name]
        case tree.Negative():
            return _combined(lambda a: dice_amount.times(dice_amount.fixed(-1), a), [_amount(node.operand, setting)])
        case tree.Chain():
            return _amount_chain(node, setting)
        case tree.Choice():
            value, otherwise = _amount(node.value, setting), _amount(node.otherwise, setting)
            return _choice(_plain(node.condition, setting), value, otherwise)
        case tree.Call():
            return _amount_call(node, setting)
        case _:
            raise AssertionError(f"{type(node).__name__} is no amount")


def _combined(function: Callable[..., Value], parts: Sequence[Closure]) -> Closure:
    def run(frame: Frame) -> Value:
        values = [part(frame) for part in parts]
        return UNKNOWN if UNKNOWN in values else function(*values)

    return run


def _amount_chain(node: tree.Chain, setting: Setting) -> Closure:
    run = _amount(node.first, setting)
    for step in node.steps:
        right = _amount(step.operand, setting)
        match step.operator:
            case "+":
                run = _combined(dice_amount.add, [run, right])
            case "-":
                run = _combined(_difference, [run, right])
            case "*":
                run = _combined(dice_amount.times, [run, right])
            case _:
                run = _divided_amount(step, run, right, setting)
    return run


def _difference(a: dice_amount.Amount, b: dice_amount.Amount) -> dice_amount.Amount:
    return dice_amount.add(a, dice_amount.times(dice_amount.fixed(-1), b))


def _divided_amount(step: tree.Step, left: Closure, right: Closure, setting: Setting) -> Closure:
    def divide(a: dice_amount.Amount, b: dice_amount.Amount) -> dice_amount.Amount:
        if not isinstance(b, Dice) or b.terms:
            raise AssertionError("the divisor of an amount is a number")
        if not b.fixed:
            raise setting.refuse("E431", "this divides by zero", step.at, step.at + len(step.operator))
        return dice_amount.times(a, dice_amount.fixed(1 / Fraction(b.fixed)))

    return _combined(divide, [left, right])


def _amount_call(node: tree.Call, setting: Setting) -> Closure:
    if node.function == "table":
        return _table(node, setting)
    arguments = [_amount(part, setting) for part in node.arguments]
    match node.function:
        case "min" | "max" | "floor" | "ceil" | "trunc" | "abs" as function:
            return _combined(lambda *parts: dice_amount.apply(function, parts), arguments)
        case "half":
            return _combined(lambda part: dice_amount.times(part, dice_amount.fixed(Fraction(1, 2))), arguments)
        case "bare":
            return _combined(lambda part: _bare(part, node, setting), arguments)
        case "dice":
            return _combined(lambda count, faces: _dice(count, faces, node, setting), arguments)
        case _:
            raise AssertionError(f"{node.function} gives no amount")


def _bare(amount: dice_amount.Amount, node: tree.Call, setting: Setting) -> dice_amount.Amount:
    if not isinstance(amount, Dice):
        message = f"`bare` needs dice and a fixed number, found `{amount}`"
        raise setting.refuse("E437", message, node.start, node.start + len(node.function))
    return amount.bare()


def _dice(count: Value, faces: Value, node: tree.Call, setting: Setting) -> dice_amount.Amount:
    limits = setting.limits
    ranges = (("dice", 0, limits.dice, count.fixed), ("faces", 1, limits.faces, faces.fixed))
    for argument, (what, least, most, number) in zip(node.arguments, ranges, strict=True):
        if not isinstance(number, int) or not least <= number <= most:
            message = f"expected {least} to {most:,} {what}, a whole number, found {dice_amount.figure(number)}"
            raise setting.refuse("E435", message, argument.start, argument.end)
    return dice_amount.throw(count.fixed, faces.fixed)
