"""Closures that compute with dice (library: expression): amounts in, amounts out, each within the limits on dice."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from seasons_build.core.dice_amount import Amount, Dice, Worked, add, apply, figure, fixed, throw, times
from seasons_build.core.limits import Limits
from seasons_build.language.expression.arithmetic import Meter, Run, divided, settled
from seasons_build.language.expression.problem import quoted, refuse
from seasons_build.language.expression.types import Env, Value

_HALF = Fraction(1, 2)


def as_amount(operand: Run) -> Run:
    """A number as an amount that throws nothing."""
    return lambda env, meter: fixed(operand(env, meter))


def bounded(amount: Amount, limits: Limits, start: int, end: int) -> Amount:
    """An amount that throws no more dice, holds no larger number and is nested no deeper than the limits say."""
    if amount.thrown > limits.dice:
        refuse("E435", f"more than {limits.dice:,} dice are thrown at once", start, end)
    if isinstance(amount, Worked):
        if amount.depth > limits.expression_depth:
            refuse("E435", f"the amount is nested more than {limits.expression_depth} deep", start, end)
        return amount
    for number in (amount.fixed, *(scale for scale, _, _ in amount.terms)):
        settled(number, limits.number, start, end)
    return amount


def chained_amounts(first: Run, steps: list[tuple[str, Run, int]], limits: Limits) -> Run:
    """`+ - * /` on amounts, from left to right; what `/` has on its right is an amount that throws nothing."""

    def run(env: Env, meter: Meter) -> Value:
        amount: Amount = first(env, meter)
        for operator, right, at in steps:
            other: Amount = right(env, meter)
            if operator == "+":
                amount = add(amount, other)
            elif operator == "-":
                amount = add(amount, times(fixed(-1), other))
            elif operator == "*":
                amount = times(amount, other)
            else:
                amount = times(fixed(divided(1, other.fixed if isinstance(other, Dice) else 0, at, at + 1)), amount)
            bounded(amount, limits, at, at + 1)
        return amount

    return run


def negative_amount(operand: Run) -> Run:
    """The amount with the other sign."""
    return lambda env, meter: times(fixed(-1), operand(env, meter))


def half_amount(operand: Run, limits: Limits, start: int, end: int) -> Run:
    """Exactly half of what is thrown."""
    return lambda env, meter: bounded(times(fixed(_HALF), operand(env, meter)), limits, start, end)


def applied_amount(
    function: Literal["min", "max", "floor", "ceil", "trunc", "abs"], arguments: list[Run], limits: Limits, start: int, end: int
) -> Run:
    """A function of amounts, worked out once they are thrown."""

    def run(env: Env, meter: Meter) -> Value:
        return bounded(apply(function, tuple(argument(env, meter) for argument in arguments)), limits, start, end)

    return run


def thrown(count: Run, faces: Run, limits: Limits, start: int, end: int) -> Run:
    """So many dice with so many faces."""

    def run(env: Env, meter: Meter) -> Value:
        dice, sides = count(env, meter), faces(env, meter)
        if not isinstance(dice, int) or not 0 <= dice <= limits.dice:
            refuse("E435", f"expected 0 to {limits.dice:,} dice, a whole number, found {figure(dice)}", start, end)
        if not isinstance(sides, int) or not 1 <= sides <= limits.faces:
            refuse("E435", f"expected 1 to {limits.faces:,} faces, a whole number, found {figure(sides)}", start, end)
        return throw(dice, sides)

    return run


def bare(operand: Run, start: int, end: int) -> Run:
    """The dice without the fixed number."""

    def run(env: Env, meter: Meter) -> Value:
        amount: Amount = operand(env, meter)
        if isinstance(amount, Worked):
            refuse("E437", f"`bare` needs dice and a fixed number, found {quoted(str(amount))}", start, end)
        return amount.bare()

    return run
