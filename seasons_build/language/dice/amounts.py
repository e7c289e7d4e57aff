"""What an amount of dice comes to (language library: dice).

In: an amount, as expressions make them. Out: its exact distribution, and what that costs before it is worked out, in steps: one for each
sum formed. Every mention of dice in it is a throw of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from math import ceil, floor, trunc
from typing import Final

from seasons_build.core.dice_amount import Amount, Dice, Worked
from seasons_build.core.document import Number
from seasons_build.core.named import NamedTuple
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


def work_of(amounts: Iterable[Amount]) -> int:
    """What it costs to work amounts out together, in steps, from their form alone. Dice that stand in several are added up once."""
    thrown: set[tuple[int, int]] = set()
    steps = 0
    for amount in amounts:
        steps += _size(amount, thrown).steps
    return steps + sum(count * (count + 1) // 2 * (faces - 1) + count for count, faces in thrown)


def distribution_of(amount: Amount, sums: Callable[[int], Sums] | None = None) -> Distribution:
    """The exact distribution of an amount that is not too large: see `work_of`. `sums` gives the sums of dice by their faces."""
    return _distribution(amount, sums or (lambda faces: Sums(uniform(range(1, faces + 1)))))


class _Size(NamedTuple):
    """The cost beside that of the dice themselves, and at most how many values there are."""

    steps: int
    values: int


def _size(amount: Amount, thrown: set[tuple[int, int]]) -> _Size:
    """Notes what is thrown, and gives what remains to be done with it."""
    if isinstance(amount, Dice):
        total = _Size(0, 1)
        for _, count, faces in amount.terms:
            thrown.add((count, faces))
            total = _met(total, _Size(0, count * (faces - 1) + 1))
        return total
    return reduce(_met, (_size(part, thrown) for part in amount.parts))


def _met(a: _Size, b: _Size) -> _Size:
    """Two distributions, each value of the one with each of the other."""
    values = a.values * b.values
    return _Size(a.steps + b.steps + values, values)


def _distribution(amount: Amount, sums: Callable[[int], Sums]) -> Distribution:
    if isinstance(amount, Dice):
        total = point(amount.fixed)
        for scale, count, faces in amount.terms:
            total = total.plus(_scaled(sums(faces)[count], scale))
        return total.reduced()
    return _worked(amount, sums)


def _worked(amount: Worked, sums: Callable[[int], Sums]) -> Distribution:
    parts = [_distribution(part, sums) for part in amount.parts]
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
