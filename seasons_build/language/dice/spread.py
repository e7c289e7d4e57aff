"""How many different values something can take, without working it out (language library: dice).

In: spreads of dice, as counts and evenly spaced grids. Out: spreads of sums, multiples and choices of them. Every count is an upper bound.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import comb, gcd, lcm
from typing import Final

from seasons_build.core.named import NamedTuple
from seasons_build.language.dice.interval import Number

MANY: Final = 10**12
"""Counts past this are past every limit."""


class Spread(NamedTuple):
    """How many different values something takes at most. Of numbers also that they are evenly spaced, from `lo` to `hi` by `step`.

    `tail` says that intervals can be among them, which begin on the same grid.
    """

    values: int
    lo: Number | None = None
    hi: Number | None = None
    step: Number = 0
    tail: bool = False


def grid(values: list[Number]) -> Number:
    """The widest step on which 0 and all values lie; 0 for zeros alone."""
    below = lcm(*(value.denominator for value in values))
    return Fraction(gcd(*(int(value * below) for value in values)), below)


def points(span: Number, step: Number) -> int:
    """How many points a grid of this step has on a span."""
    return 1 if step == 0 else min(int(span / Fraction(step)) + 1, MANY)


def listed(scores: list[Number]) -> Spread:
    """The spread of scores as they are listed."""
    lo, hi = min(scores), max(scores)
    return Spread(len(set(scores)), lo, hi, grid([score - lo for score in scores]))


def evenly(scores: list[Number]) -> bool:
    """Whether the sums of such dice cost one step a value: as in `distribution.flat`."""
    return len(scores) > 1 and scores[1] > scores[0] and all(b - a == scores[1] - scores[0] for a, b in pairwise(scores))


def summed(one: Spread, count: int) -> Spread:
    """The spread of the sum of so many."""
    if one.lo is None or one.hi is None:
        return Spread(MANY if count else 1)
    if count == 0:
        return Spread(1, 0, 0, 0)
    if count == 1:
        return one
    values = points((one.hi - one.lo) * count, one.step)
    values = 2 * values if one.tail else min(values, _multisets(one.values, count))
    return Spread(values, one.lo * count, one.hi * count, one.step, one.tail)


def sums(one: Spread, count: int, flat: bool) -> int:
    """The steps of adding so many dice up one by one."""
    total = 0
    for n in range(1, count):
        total += summed(one, n + 1).values if flat else summed(one, n).values * one.values
        if total > MANY:
            break
    return total


def _multisets(kinds: int, count: int) -> int:
    return MANY if min(kinds - 1, count) > 20 else min(comb(count + kinds - 1, count), MANY)


def added(a: Spread, b: Spread) -> Spread:
    """The spread of the sum of two."""
    if a.lo is None or a.hi is None or b.lo is None or b.hi is None:
        return Spread(min(a.values * b.values, MANY))
    lo, hi, step = a.lo + b.lo, a.hi + b.hi, grid([a.step, b.step])
    tail = a.tail or b.tail
    return Spread(min(points(hi - lo, step) * (1 + tail), a.values * b.values), lo, hi, step, tail)


def scaled(a: Spread, by: Number) -> Spread:
    """The spread of a multiple."""
    if a.lo is None or a.hi is None:
        return a
    one, other = a.lo * by, a.hi * by
    return Spread(a.values if by else 1, min(one, other), max(one, other), a.step * (by if by > 0 else -by), a.tail)


def stepped(operator: str, a: Spread, b: Spread) -> Spread:
    """The spread of one arithmetic step on two."""
    match operator:
        case "+":
            return added(a, b)
        case "-":
            return added(a, scaled(b, -1))
        case "*" if b.lo is not None and b.lo == b.hi:
            return scaled(a, b.lo)
        case "*" if a.lo is not None and a.lo == a.hi:
            return scaled(b, a.lo)
        case _:
            return Spread(min(a.values * b.values, MANY))


def united(a: Spread, b: Spread) -> Spread:
    """The spread of what is one or the other."""
    if a.lo is None or a.hi is None or b.lo is None or b.hi is None:
        return Spread(min(a.values + b.values, MANY))
    lo, hi, step = min(a.lo, b.lo), max(a.hi, b.hi), grid([a.step, b.step, a.lo - b.lo])
    tail = a.tail or b.tail
    return Spread(min(points(hi - lo, step) * (1 + tail), a.values + b.values), lo, hi, step, tail)
