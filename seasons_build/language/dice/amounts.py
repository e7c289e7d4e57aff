"""What an amount of dice comes to (language library: dice).

In: an amount, as expressions make them. Out: its exact distribution, and what that costs before it is worked out, in steps: one for each
sum formed. Every mention of dice in it is a throw of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from math import ceil, floor, trunc
from typing import Final

from seasons_build.core.dice_amount import Amount, Dice, Worked
from seasons_build.core.document import Number
from seasons_build.language.dice.distribution import Distribution, Sums, of, point, uniform
from seasons_build.language.dice.interval import Numeric, absolute, largest, rising, smallest, times

_ONE: Final[dict[str, Callable[[Numeric], Numeric]]] = {
    "floor": lambda value: rising(floor, value),
    "ceil": lambda value: rising(ceil, value),
    "trunc": lambda value: rising(trunc, value),
    "abs": absolute,
}
_TWO: Final[dict[str, Callable[[Numeric, Numeric], Numeric]]] = {
    "*": times,
    "min": lambda a, b: smallest((a, b)),
    "max": lambda a, b: largest((a, b)),
}


@dataclass(frozen=True, slots=True)
class Size:
    """What a distribution costs, and at most how many values it has."""

    steps: int
    values: int


def size_of(amount: Amount) -> Size:
    """The cost of `distribution_of`, from the form of the amount alone."""
    if isinstance(amount, Dice):
        total = Size(0, 1)
        for _, count, faces in amount.terms:
            total = _met(total, Size(count * (count + 1) // 2 * (faces - 1) + count, count * (faces - 1) + 1))
        return total
    return reduce(_met, (size_of(part) for part in amount.parts))


def distribution_of(amount: Amount) -> Distribution:
    """The exact distribution of an amount that is not too large: see `size_of`."""
    if isinstance(amount, Dice):
        total = point(amount.fixed)
        for scale, count, faces in amount.terms:
            total = total.plus(_scaled(Sums(uniform(range(1, faces + 1)))[count], scale))
        return total.reduced()
    return _worked(amount)


def _worked(amount: Worked) -> Distribution:
    parts = [distribution_of(part) for part in amount.parts]
    if amount.function == "+":
        return reduce(Distribution.plus, parts)
    if amount.function in _ONE:
        return parts[0].map(_ONE[amount.function])
    function = _TWO[amount.function]
    return reduce(lambda a, b: a.combined(b, function), parts)


def _scaled(distribution: Distribution, scale: Number) -> Distribution:
    if scale == 1:
        return distribution
    return of({value * scale: weight for value, weight in distribution.weights.items()}, distribution.total)


def _met(a: Size, b: Size) -> Size:
    """Two distributions, each value of the one with each of the other."""
    values = a.values * b.values
    return Size(a.steps + b.steps + values, values)
