"""Expressions of a roll that are amounts of dice, and the way into both sorts (language library: dice).

In: the tree of a checked expression. Out: a function of a frame (name -> value), whose value is an amount, or `UNKNOWN` where that
depends on what cannot be told. What the amount is, is put together; it is never thrown here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from seasons_build.core import dice_amount
from seasons_build.core.dice_amount import Amount, Dice
from seasons_build.language.dice.closure import Closure, Frame, Setting, Value, choice, looked_up, past, plain, table_name
from seasons_build.language.dice.interval import UNKNOWN, Interval
from seasons_build.language.expression import tree
from seasons_build.language.expression.tree import Node


def closure(node: Node, setting: Setting) -> Closure:
    """The function that works an expression out."""
    if is_amount(node, setting):
        return _amount(node, setting)
    return plain(node, setting)


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
            return setting.tables[table_name(node)].type.gives.sort == "dice"
        case tree.Call():
            return node.function in ("dice", "bare") or any(is_amount(part, setting) for part in node.arguments)
        case tree.Chain() | tree.Negative():
            return any(is_amount(part, setting) for part in tree.children(node))
        case _:
            return False


def _amount(node: Node, setting: Setting) -> Closure:
    if not is_amount(node, setting):
        number = plain(node, setting)
        return lambda frame: UNKNOWN if isinstance(value := number(frame), Interval) else dice_amount.fixed(value)
    match node:
        case tree.Throw():
            thrown = dice_amount.throw(node.count, node.faces)
            return lambda frame: thrown
        case tree.Name():
            name = node.name
            return lambda frame: frame[name]
        case tree.Negative():
            return _combined(lambda a: dice_amount.times(dice_amount.fixed(-1), a), [_amount(node.operand, setting)], node, setting)
        case tree.Chain():
            return _chain(node, setting)
        case tree.Choice():
            value, otherwise = _amount(node.value, setting), _amount(node.otherwise, setting)
            return choice(plain(node.condition, setting), value, otherwise)
        case tree.Call():
            return _call(node, setting)
        case _:
            raise AssertionError(f"{type(node).__name__} is no amount")


def _combined(function: Callable[..., Value], parts: Sequence[Closure], node: Node, setting: Setting) -> Closure:
    """An amount made of others, no larger and no deeper than the limits allow."""

    def run(frame: Frame) -> Value:
        values = [part(frame) for part in parts]
        return UNKNOWN if any(value is UNKNOWN for value in values) else _bounded(function(*values), node, setting)

    return run


def _bounded(amount: Amount, node: Node, setting: Setting) -> Amount:
    limits = setting.limits
    if amount.thrown > limits.dice:
        raise setting.refuse("E435", f"more than {limits.dice:,} dice are thrown at once", node.start, node.end)
    if isinstance(amount, Dice):
        for number in (amount.fixed, *(scale for scale, _, _ in amount.terms)):
            if past(number, limits.number):
                raise setting.refuse("E432", f"a number in the amount is larger than {limits.number:,}", node.start, node.end)
    elif amount.depth > limits.expression_depth:
        raise setting.refuse("E435", f"the amount is nested more than {limits.expression_depth} deep", node.start, node.end)
    return amount


def _chain(node: tree.Chain, setting: Setting) -> Closure:
    first = _amount(node.first, setting)
    steps = [(_operation(step, setting), _amount(step.operand, setting)) for step in node.steps]

    def run(frame: Frame) -> Value:
        amount = first(frame)
        for operation, operand in steps:
            other = operand(frame)
            if amount is UNKNOWN or other is UNKNOWN:
                return UNKNOWN
            amount = _bounded(operation(amount, other), node, setting)
        return amount

    return run


def _operation(step: tree.Step, setting: Setting) -> Callable[[Amount, Amount], Amount]:
    match step.operator:
        case "+":
            return dice_amount.add
        case "-":
            return lambda a, b: dice_amount.add(a, dice_amount.times(dice_amount.fixed(-1), b))
        case "*":
            return dice_amount.times

    def divide(a: Amount, b: Amount) -> Amount:
        if not isinstance(b, Dice) or b.terms:
            raise AssertionError("the divisor of an amount is a number")
        if not b.fixed:
            raise setting.refuse("E431", "this divides by zero", step.at, step.at + len(step.operator))
        return dice_amount.times(a, dice_amount.fixed(1 / Fraction(b.fixed)))

    return divide


def _call(node: tree.Call, setting: Setting) -> Closure:
    if node.function == "table":
        return looked_up(node, setting)
    arguments = [_amount(part, setting) for part in node.arguments]
    match node.function:
        case "min" | "max" | "floor" | "ceil" | "trunc" | "abs" as function:
            return _combined(lambda *parts: dice_amount.apply(function, parts), arguments, node, setting)
        case "half":
            return _combined(lambda part: dice_amount.times(part, dice_amount.fixed(Fraction(1, 2))), arguments, node, setting)
        case "bare":
            return _combined(lambda part: _bare(part, node, setting), arguments, node, setting)
        case "dice":
            return _combined(lambda count, faces: _dice(count, faces, node, setting), arguments, node, setting)
        case _:
            raise AssertionError(f"{node.function} gives no amount")


def _bare(amount: Amount, node: tree.Call, setting: Setting) -> Amount:
    if not isinstance(amount, Dice):
        message = f"`bare` needs dice and a fixed number, found `{amount}`"
        raise setting.refuse("E437", message, node.start, node.start + len(node.function))
    return amount.bare()


def _dice(count: Value, faces: Value, node: tree.Call, setting: Setting) -> Amount:
    limits = setting.limits
    ranges = (("dice", 0, limits.dice, count.fixed), ("faces", 1, limits.faces, faces.fixed))
    for argument, (what, least, most, number) in zip(node.arguments, ranges, strict=True):
        if not isinstance(number, int) or not least <= number <= most:
            message = f"expected {least} to {most:,} {what}, a whole number, found {dice_amount.figure(number)}"
            raise setting.refuse("E435", message, argument.start, argument.end)
    return dice_amount.throw(count.fixed, faces.fixed)
