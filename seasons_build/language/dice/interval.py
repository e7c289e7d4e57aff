"""Numbers that are not known exactly: intervals, and what cannot be decided (language library: dice).

In: whole numbers, fractions and intervals of them. Out: the same. A comparison gives true, false or `UNKNOWN`. An interval stands for what
a chain of dice can still become once so little of it is left that it is not followed further; every operation encloses all that the true
value could be, so that a comparison that decides is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from fractions import Fraction
from math import floor
from typing import Final, Literal, TypeAlias

from seasons_build.core.record import dataclass

Number: TypeAlias = int | Fraction


class Unknown(Enum):
    """What a truth value or a word is when the numbers it depends on cannot decide it."""

    UNKNOWN = "unknown"

    def __repr__(self) -> str:
        return self.name


UNKNOWN: Final = Unknown.UNKNOWN
Truth: TypeAlias = bool | Literal[Unknown.UNKNOWN]


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers from `lo` to `hi`, both included; None is open on that side. Built by `between`, so that `lo < hi` always holds."""

    lo: Number | None
    hi: Number | None

    def __add__(self, other: Numeric) -> Numeric:
        if isinstance(other, Interval):
            return between(_sum(self.lo, other.lo), _sum(self.hi, other.hi))
        return Interval(_sum(self.lo, other), _sum(self.hi, other))

    __radd__ = __add__

    def __neg__(self) -> Interval:
        return Interval(None if self.hi is None else -self.hi, None if self.lo is None else -self.lo)

    def __sub__(self, other: Numeric) -> Numeric:
        return self + -other

    def __rsub__(self, other: Number) -> Numeric:
        return -self + other

    def __mul__(self, other: Numeric) -> Numeric:
        return times(self, other)

    __rmul__ = __mul__


Numeric: TypeAlias = int | Fraction | Interval

ANY_NUMBER: Final = Interval(None, None)


def between(lo: Number | None, hi: Number | None) -> Numeric:
    """The numbers from `lo` to `hi`; where they are equal, that number itself."""
    return lo if lo is not None and lo == hi else Interval(lo, hi)


def whole(value: Number) -> Number:
    """The same number, as an int where it is one."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def low(value: Numeric) -> Number | None:
    """The least that the value can be; None is no bound."""
    return value.lo if isinstance(value, Interval) else value


def high(value: Numeric) -> Number | None:
    """The most that the value can be; None is no bound."""
    return value.hi if isinstance(value, Interval) else value


def hull(values: Iterable[Numeric]) -> Numeric:
    """The smallest interval that holds all of one or more values."""
    listed = list(values)
    lows, highs = [low(v) for v in listed], [high(v) for v in listed]
    known_lows, known_highs = [v for v in lows if v is not None], [v for v in highs if v is not None]
    return between(
        min(known_lows) if len(known_lows) == len(lows) else None,
        max(known_highs) if len(known_highs) == len(highs) else None,
    )


def times(a: Numeric, b: Numeric) -> Numeric:
    """The product."""
    if not isinstance(a, Interval) and not isinstance(b, Interval):
        return a * b
    corners = [_product(x, y) for x in _ends(a) for y in _ends(b)]
    lows: list[Number] = [value for value, infinite in corners if infinite == 0]
    return between(
        None if any(infinite < 0 for _, infinite in corners) else min(lows),
        None if any(infinite > 0 for _, infinite in corners) else max(lows),
    )


def divided(a: Numeric, b: Numeric) -> Numeric:
    """The quotient; raises ZeroDivisionError where the divisor is exactly 0. A divisor that may be 0 leaves any number possible."""
    if not isinstance(b, Interval):
        return times(a, Fraction(1) / b)
    if (b.lo is None or b.lo <= 0) and (b.hi is None or b.hi >= 0):
        return ANY_NUMBER
    inverse_low = Fraction(0) if b.hi is None else 1 / Fraction(b.hi)
    inverse_high = Fraction(0) if b.lo is None else 1 / Fraction(b.lo)
    return times(a, between(inverse_low, inverse_high))


def floor_divided(a: Numeric, b: Numeric) -> Numeric:
    """The quotient rounded down; raises ZeroDivisionError as `divided` does."""
    if not isinstance(a, Interval) and not isinstance(b, Interval):
        return a // b
    return rising(floor, divided(a, b))


def remainder(a: Numeric, b: Numeric) -> Numeric:
    """What `floor_divided` leaves, from 0 towards the divisor; raises ZeroDivisionError where the divisor is exactly 0."""
    if not isinstance(a, Interval) and not isinstance(b, Interval):
        return a % b
    if b == 0:
        raise ZeroDivisionError
    if isinstance(b, Interval):
        return ANY_NUMBER
    return hull([0, b])


def rising(function: Callable[[Number], Number], value: Numeric) -> Numeric:
    """A function that never falls (floor, ceil, trunc), applied to a value."""
    if not isinstance(value, Interval):
        return function(value)
    return between(
        None if value.lo is None else function(value.lo),
        None if value.hi is None else function(value.hi),
    )


def smallest(values: Iterable[Numeric]) -> Numeric:
    """The minimum of one or more values."""
    listed = list(values)
    exact: list[Number] = [v for v in listed if not isinstance(v, Interval)]
    if len(exact) == len(listed):
        return min(exact)
    lows, highs = [low(v) for v in listed], [high(v) for v in listed]
    known = [v for v in highs if v is not None]
    return between(
        None if None in lows else min(v for v in lows if v is not None),
        min(known) if known else None,
    )


def largest(values: Iterable[Numeric]) -> Numeric:
    """The maximum of one or more values."""
    return -smallest([-v for v in values])


def absolute(value: Numeric) -> Numeric:
    """The value without its sign."""
    if not isinstance(value, Interval):
        return -value if value < 0 else value
    if _keeps_sign(value):
        return largest([value, -value])
    return between(0, high(largest([value, -value])))


def less(a: Numeric, b: Numeric) -> Truth:
    """Whether a < b."""
    if not isinstance(a, Interval) and not isinstance(b, Interval):
        return a < b
    a_low, a_high, b_low, b_high = low(a), high(a), low(b), high(b)
    if a_high is not None and b_low is not None and a_high < b_low:
        return True
    if a_low is not None and b_high is not None and a_low >= b_high:
        return False
    return UNKNOWN


def at_most(a: Numeric, b: Numeric) -> Truth:
    """Whether a <= b."""
    return negated(less(b, a))


def equal(a: Numeric, b: Numeric) -> Truth:
    """Whether a == b."""
    if not isinstance(a, Interval) and not isinstance(b, Interval):
        return a == b
    return False if less(a, b) is True or less(b, a) is True else UNKNOWN


def negated(truth: Truth) -> Truth:
    """Not: what is unknown stays so."""
    return UNKNOWN if truth is UNKNOWN else not truth


def _sum(a: Number | None, b: Number | None) -> Number | None:
    return None if a is None or b is None else a + b


def _keeps_sign(value: Interval) -> bool:
    return (value.lo is not None and value.lo >= 0) or (value.hi is not None and value.hi <= 0)


_End: TypeAlias = tuple[Number, int]


def _ends(value: Numeric) -> tuple[_End, _End]:
    """Both ends, each as a number and the sign of the infinity that stands for it (0: none)."""
    if not isinstance(value, Interval):
        return (value, 0), (value, 0)
    return (0, -1) if value.lo is None else (value.lo, 0), (0, 1) if value.hi is None else (value.hi, 0)


def _product(a: _End, b: _End) -> _End:
    """An infinite end times zero is zero: no number in the interval is infinite."""
    (x, x_infinite), (y, y_infinite) = a, b
    if not x_infinite and not y_infinite:
        return x * y, 0
    x_sign = x_infinite or _sign(x)
    y_sign = y_infinite or _sign(y)
    return 0, x_sign * y_sign


def _sign(value: Number) -> int:
    return (value > 0) - (value < 0)
