"""Exact distributions: weights over one denominator (language library: dice).

In: values (whole numbers, fractions, intervals) with whole weights. Out: distributions of sums and of functions of them. Nothing
is rounded: a chance is a weight over the total.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import accumulate
from math import gcd
from operator import sub
from typing import Final, TypeAlias

from seasons_build.core.named import NamedTuple
from seasons_build.language.dice.interval import Interval, Number, Numeric, low

Weights: TypeAlias = dict[Numeric, int]

_KEPT_VALUES: Final = 4_000
"""Sums of more values than this are not kept on the way to a larger one."""


class Distribution(NamedTuple):
    """Values with whole weights that add up to `total`. A weight on an interval is a rest of chance whose value is not known exactly.

    `mean` is the exact mean, also where there is such a rest, as long as it could be told from the rule of the dice; else None.
    """

    weights: Mapping[Numeric, int]
    total: int
    mean: Fraction | None

    @property
    def tail(self) -> Fraction:
        """The chance of values that are known only as an interval."""
        return Fraction(sum(w for v, w in self.weights.items() if isinstance(v, Interval)), self.total)

    @property
    def chances(self) -> dict[Number, Fraction]:
        """The chance of every exactly known value, in ascending order; with `tail` they add up to 1."""
        known = sorted((v, w) for v, w in self.weights.items() if not isinstance(v, Interval))
        return {value: Fraction(weight, self.total) for value, weight in known}

    @property
    def known_mean(self) -> Fraction | None:
        """The mean of the exactly known values alone: with a `tail` below 10 ** -30, the mean to as many decimals as anybody prints."""
        known = [(v, w) for v, w in self.weights.items() if not isinstance(v, Interval)]
        weight = sum(w for _, w in known)
        return Fraction(sum(v * w for v, w in known)) / weight if weight else None

    def map(self, function: Callable[[Numeric], Numeric]) -> Distribution:
        """The distribution of a function of the value."""
        weights: Weights = {}
        for value, weight in self.weights.items():
            image = function(value)
            weights[image] = weights.get(image, 0) + weight
        return of(weights, self.total)

    def shifted(self, by: Number) -> Distribution:
        """The distribution of the value plus a fixed number."""
        if by == 0:
            return self
        mean = None if self.mean is None else self.mean + by
        return Distribution({value + by: weight for value, weight in self.weights.items()}, self.total, mean)

    def plus(self, other: Distribution) -> Distribution:
        """The distribution of the sum of two independent values."""
        mean = None if self.mean is None or other.mean is None else self.mean + other.mean
        return Distribution(_convolved(self.weights, other.weights), self.total * other.total, mean)

    def combined(self, other: Distribution, function: Callable[[Numeric, Numeric], Numeric]) -> Distribution:
        """The distribution of a function of two independent values."""
        weights: Weights = {}
        for a, a_weight in self.weights.items():
            for b, b_weight in other.weights.items():
                image = function(a, b)
                weights[image] = weights.get(image, 0) + a_weight * b_weight
        return of(weights, self.total * other.total)

    def reduced(self) -> Distribution:
        """The same with the smallest whole weights."""
        divisor = gcd(self.total, *self.weights.values())
        if divisor == 1:
            return self
        return Distribution({v: w // divisor for v, w in self.weights.items()}, self.total // divisor, self.mean)


def of(weights: Mapping[Numeric, int], total: int) -> Distribution:
    """A distribution from weights that add up to `total`; its mean is worked out where every value is exact."""
    moment: Number = 0
    for value, weight in weights.items():
        if isinstance(value, Interval):
            return Distribution(weights, total, None)
        moment += value * weight
    return Distribution(weights, total, Fraction(moment) / total)


def point(value: Numeric) -> Distribution:
    """The distribution of a value that is certain."""
    return of({value: 1}, 1)


def uniform(values: Iterable[Number]) -> Distribution:
    """One of the values, each as likely as the others; a value listed twice is twice as likely."""
    weights: Weights = {}
    for value in values:
        weights[value] = weights.get(value, 0) + 1
    return of(weights, sum(weights.values()))


def mixture(parts: Iterable[tuple[Distribution, int]]) -> Distribution:
    """One of several distributions, by whole weights."""
    listed = [(part, weight) for part, weight in parts if weight]
    common = 1
    for part, _ in listed:
        common *= part.total // gcd(common, part.total)
    weights: Weights = {}
    moment: Fraction | None = Fraction(0)
    for part, weight in listed:
        factor = weight * (common // part.total)
        for value, inner in part.weights.items():
            weights[value] = weights.get(value, 0) + inner * factor
        moment = None if moment is None or part.mean is None else moment + part.mean * weight
    total = sum(weight for _, weight in listed)
    return Distribution(weights, common * total, None if moment is None else moment / total).reduced()


class Sums:
    """Sums of n throws of one distribution. What was asked for is kept, and every smaller sum on the way that is not large."""

    __slots__ = ("_flat", "_kept", "_one")

    def __init__(self, one: Distribution) -> None:
        self._one = one
        self._flat = flat(one)
        self._kept = {0: point(0), 1: one}

    def __getitem__(self, count: int) -> Distribution:
        found = self._kept.get(count)
        if found is not None:
            return found
        done = max(n for n in self._kept if n < count)
        sum_so_far = self._kept[done]
        for n in range(done + 1, count + 1):
            sum_so_far = _one_more_flat(sum_so_far, self._one) if self._flat else sum_so_far.plus(self._one)
            if n == count or len(sum_so_far.weights) <= _KEPT_VALUES:
                self._kept[n] = sum_so_far
        return sum_so_far


def flat(one: Distribution) -> bool:
    """Whether it is evenly spaced values, in ascending order and all as likely: its sums cost one step a value, not one a pair."""
    values = list(one.weights)
    if len(values) < 2 or len(set(one.weights.values())) > 1:
        return False
    first, second = values[0], values[1]
    if isinstance(first, Interval) or isinstance(second, Interval) or second <= first:
        return False
    return all(value == first + i * (second - first) for i, value in enumerate(values))


def _one_more_flat(sum_so_far: Distribution, one: Distribution) -> Distribution:
    """The sum and one more flat die, by a window of the die's length that slides over the evenly spaced weights."""
    (start, weight), (second, _), *_ = ((v, w) for v, w in one.weights.items() if not isinstance(v, Interval))
    step, width = second - start, len(one.weights)
    first = next(iter(sum_so_far.weights)) + start
    before = list(sum_so_far.weights.values())
    padding = [0] * (width - 1)
    sums = accumulate(map(sub, [*before, *padding], [*padding, 0, *before]))
    weights: Weights = {first + i * step: window * weight for i, window in enumerate(sums)}
    mean = None if sum_so_far.mean is None or one.mean is None else sum_so_far.mean + one.mean
    return Distribution(weights, sum_so_far.total * one.total, mean)


def _convolved(a: Mapping[Numeric, int], b: Mapping[Numeric, int]) -> Weights:
    """Weights of sums. Intervals open above, which explosions leave, are added by their lower ends alone: they are most of the work."""
    a_exact, a_above, a_other = _split(a)
    b_exact, b_above, b_other = _split(b)
    sums: Weights = {}
    _add_products(sums, a_exact, b_exact)
    above: Weights = {}
    _add_products(above, a_exact, b_above)
    _add_products(above, a_above, b_exact)
    _add_products(above, a_above, b_above)
    for lo, weight in above.items():
        interval = Interval(low(lo), None)
        sums[interval] = sums.get(interval, 0) + weight
    if a_other:
        _add_products(sums, a_other, b)
    if b_other:
        _add_products(sums, {**a_exact, **{Interval(low(lo), None): weight for lo, weight in a_above.items()}}, b_other)
    return sums


def _split(weights: Mapping[Numeric, int]) -> tuple[Weights, Weights, Weights]:
    exact: Weights = {}
    above: Weights = {}
    other: Weights = {}
    for value, weight in weights.items():
        if not isinstance(value, Interval):
            exact[value] = weight
        elif value.hi is None and value.lo is not None:
            above[value.lo] = weight
        else:
            other[value] = weight
    return exact, above, other


def _add_products(into: Weights, a: Mapping[Numeric, int], b: Mapping[Numeric, int]) -> None:
    get = into.get
    for x, x_weight in a.items():
        for y, y_weight in b.items():
            value = x + y
            into[value] = get(value, 0) + x_weight * y_weight
