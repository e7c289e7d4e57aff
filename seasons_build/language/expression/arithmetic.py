"""Closures that compute (library: expression): what a compiled expression is made of.

Each takes an Env and a meter and gives a value. Only the closures of numbers are written for speed: an int within the bound is let through
at once, everything else goes through `settled`. A problem found while running leaves as a Failure, with the offsets of its operator.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Literal, NoReturn, TypeAlias

from seasons_build.core.dice_amount import figure
from seasons_build.core.dice_amount import size as without_sign
from seasons_build.core.document import Number
from seasons_build.language.expression.problem import quoted, refuse
from seasons_build.language.expression.types import Env, Value

Meter: TypeAlias = list[int]
"""One number: the steps that are left."""

Run: TypeAlias = Callable[[Env, Meter], Value]

Apply: TypeAlias = Callable[[Number, Number, int, int], Number]
"""An operator on two numbers, with the offsets of the operator."""

_HALF = Fraction(1, 2)


def constant(value: Value) -> Run:
    """The same value always."""
    return lambda env, meter: value


def named(name: str) -> Run:
    """The value of a name."""
    return lambda env, meter: env.value(name)


def shown(value: Value) -> str:
    """A value as an expression would write it, a word without its quotes."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return figure(value) if isinstance(value, int | Fraction) else str(value)


def charge(meter: Meter, steps: int, start: int, end: int) -> None:
    """Takes steps from the meter before they are made."""
    meter[0] -= steps
    if meter[0] < 0:
        refuse("E433", "this is more work than one expression may do", start, end, "it reads too many entries: split it into named values")


def settled(value: Number, most: int, start: int, end: int) -> Number:
    """A result in its plain form: an int where it is whole, and within the bounds."""
    above, below = value.as_integer_ratio()
    if abs(above) > most * below:
        refuse("E432", f"the result is larger than {most:,}", start, end)
    if below > most:
        refuse("E432", f"the result is a fraction finer than one in {most:,}", start, end, "round it earlier")
    return above if below == 1 else value


# Numbers


def negative(operand: Run) -> Run:
    """The number with the other sign."""
    return lambda env, meter: -operand(env, meter)


def chained(first: Run, steps: list[tuple[str, Run, int]], most: int) -> Run:
    """Operators of one rank on numbers, from left to right; each step is (operator, right side, offset of the operator)."""
    if len(steps) > 3:
        return _loop(first, [(_APPLIED[operator], right, at, at + len(operator)) for operator, right, at in steps], most)
    run = first
    for operator, right, at in steps:
        fast = _FAST.get(operator)
        run = fast(run, right, most, at) if fast else _loop(run, [(_APPLIED[operator], right, at, at + len(operator))], most)
    return run


def _loop(first: Run, steps: list[tuple[Apply, Run, int, int]], most: int) -> Run:
    if len(steps) == 1:
        applied, right, start, end = steps[0]
        return lambda env, meter: settled(applied(first(env, meter), right(env, meter), start, end), most, start, end)

    def run(env: Env, meter: Meter) -> Value:
        value = first(env, meter)
        for applied, right, start, end in steps:
            value = settled(applied(value, right(env, meter), start, end), most, start, end)
        return value

    return run


def _plus(left: Run, right: Run, most: int, at: int) -> Run:
    low = -most

    def run(env: Env, meter: Meter) -> Value:
        value = left(env, meter) + right(env, meter)
        return value if type(value) is int and low <= value <= most else settled(value, most, at, at + 1)

    return run


def _minus(left: Run, right: Run, most: int, at: int) -> Run:
    low = -most

    def run(env: Env, meter: Meter) -> Value:
        value = left(env, meter) - right(env, meter)
        return value if type(value) is int and low <= value <= most else settled(value, most, at, at + 1)

    return run


def _product(left: Run, right: Run, most: int, at: int) -> Run:
    low = -most

    def run(env: Env, meter: Meter) -> Value:
        value = left(env, meter) * right(env, meter)
        return value if type(value) is int and low <= value <= most else settled(value, most, at, at + 1)

    return run


_FAST: dict[str, Callable[[Run, Run, int, int], Run]] = {"+": _plus, "-": _minus, "*": _product}


def divided(a: Number, b: Number, start: int, end: int) -> Number:
    """The exact quotient; dividing by zero is a problem at these offsets."""
    if not b:
        _refuse_zero(start, end)
    if isinstance(a, int) and isinstance(b, int):
        down, rest = divmod(a, b)
        return Fraction(a, b) if rest else down
    return Fraction(a) / b


def _divided_down(a: Number, b: Number, start: int, end: int) -> Number:
    if not b:
        _refuse_zero(start, end)
    return a // b


def _remainder(a: Number, b: Number, start: int, end: int) -> Number:
    if not b:
        _refuse_zero(start, end)
    return a % b


def _refuse_zero(start: int, end: int) -> NoReturn:
    refuse("E431", "this divides by zero", start, end)


_APPLIED: dict[str, Apply] = {
    "+": lambda a, b, start, end: a + b,
    "-": lambda a, b, start, end: a - b,
    "*": lambda a, b, start, end: a * b,
    "/": divided,
    "//": _divided_down,
    "%": _remainder,
}


def applied(function: Literal["min", "max", "floor", "ceil", "trunc", "abs"], arguments: list[Run]) -> Run:
    """A function of numbers that bears no new bound."""
    if len(arguments) == 2:
        return _of_two(function, *arguments)
    if len(arguments) > 2:
        choose = min if function == "min" else max
        return lambda env, meter: choose([argument(env, meter) for argument in arguments])
    (operand,) = arguments
    rounded: Callable[[Number], Number] = _OF_ONE[function]
    return lambda env, meter: rounded(operand(env, meter))


_OF_ONE: dict[str, Callable[[Number], Number]] = {"floor": math.floor, "ceil": math.ceil, "trunc": math.trunc, "abs": without_sign}


def _of_two(function: str, left: Run, right: Run) -> Run:
    def smallest(env: Env, meter: Meter) -> Value:
        a, b = left(env, meter), right(env, meter)
        return a if a <= b else b

    def largest(env: Env, meter: Meter) -> Value:
        a, b = left(env, meter), right(env, meter)
        return a if a >= b else b

    return smallest if function == "min" else largest


def half(operand: Run, most: int, start: int, end: int) -> Run:
    """Exactly half."""
    return lambda env, meter: settled(_HALF * operand(env, meter), most, start, end)


# Conditions


def compared(operator: str, left: Run, right: Run) -> Run:
    """A comparison of two values of one sort."""
    return _COMPARED[operator](left, right)


_COMPARED: dict[str, Callable[[Run, Run], Run]] = {
    "==": lambda left, right: lambda env, meter: left(env, meter) == right(env, meter),
    "!=": lambda left, right: lambda env, meter: left(env, meter) != right(env, meter),
    "<": lambda left, right: lambda env, meter: left(env, meter) < right(env, meter),
    "<=": lambda left, right: lambda env, meter: left(env, meter) <= right(env, meter),
    ">": lambda left, right: lambda env, meter: left(env, meter) > right(env, meter),
    ">=": lambda left, right: lambda env, meter: left(env, meter) >= right(env, meter),
}


def opposite(operand: Run) -> Run:
    """Not."""
    return lambda env, meter: not operand(env, meter)


def both(parts: list[Run]) -> Run:
    """Whether all hold; stops at the first that does not."""
    if len(parts) == 2:
        left, right = parts
        return lambda env, meter: left(env, meter) and right(env, meter)

    def run(env: Env, meter: Meter) -> Value:
        return all(part(env, meter) for part in parts)

    return run


def either(parts: list[Run]) -> Run:
    """Whether one holds; stops at the first that does."""
    if len(parts) == 2:
        left, right = parts
        return lambda env, meter: left(env, meter) or right(env, meter)

    def run(env: Env, meter: Meter) -> Value:
        return any(part(env, meter) for part in parts)

    return run


def choice(value: Run, condition: Run, otherwise: Run) -> Run:
    """One of two values; the other is not worked out."""
    return lambda env, meter: value(env, meter) if condition(env, meter) else otherwise(env, meter)


# What the Env is asked for


def looked_up(table: str, keys: list[Run], start: int, end: int) -> Run:
    """What a table gives for its keys."""

    def run(env: Env, meter: Meter) -> Value:
        found = tuple(key(env, meter) for key in keys)
        value = env.table(table, found)
        if value is None:
            refuse("E434", f"table {quoted(table)} has no row for {' and '.join(quoted(shown(key)) for key in found)}", start, end)
        return value

    return run


def present(entry: Run) -> Run:
    """Whether an entry is there."""
    return lambda env, meter: env.has(entry(env, meter))


def times_taken(entry: Run) -> Run:
    """How often an entry was taken."""
    return lambda env, meter: env.taken(entry(env, meter))


def most_taken(kinds: tuple[str, ...]) -> Run:
    """How often the most taken entry of some kinds was taken."""
    return lambda env, meter: env.highest(kinds)


def stat(name: Run, start: int, end: int) -> Run:
    """The stat that a word names."""

    def run(env: Env, meter: Meter) -> Value:
        word = name(env, meter)
        value = env.stat(word)
        if value is None:
            refuse("E436", f"no stat is called {quoted(word)}", start, end)
        return value

    return run


def size(things: Run) -> Run:
    """How many things a list holds."""
    return lambda env, meter: len(things(env, meter))


def counted(kind: str, condition: Run | None, steps: int, start: int, end: int) -> Run:
    """How many entries of a kind meet a condition; the condition takes `steps` for each."""
    if condition is None:
        return lambda env, meter: len(env.owned(kind))
    holds = condition

    def run(env: Env, meter: Meter) -> Value:
        entries = env.owned(kind)
        charge(meter, steps * len(entries), start, end)
        return sum(1 for entry in entries if holds(entry, meter))

    return run


def totalled(kind: str, number: Run, condition: Run | None, steps: int, most: int, start: int, end: int) -> Run:
    """The sum of a number of each entry of a kind that meets a condition; both together take `steps` for each."""

    def run(env: Env, meter: Meter) -> Value:
        entries = env.owned(kind)
        charge(meter, steps * len(entries), start, end)
        total: Number = 0
        for entry in entries:
            if condition is None or condition(entry, meter):
                total = settled(total + number(entry, meter), most, start, end)
        return total

    return run
