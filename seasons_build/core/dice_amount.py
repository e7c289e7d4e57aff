"""Dice as an amount: what is thrown when it is used, before anybody throws it. Exact, hashable, and equal where it is the same throw.

`Dice` is a formal sum, as in `2d6 + 1d4 + 3`; two mentions of the same dice are two throws, so they add up (`1d6 + 1d6` is `2d6`), while
a number times dice scales what was thrown (`2 * 1d6`). What is no such sum (`ceil(1d6 / 2)`) is a `Worked`. Both print as an expression
that reads back as the same amount.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Literal, TypeAlias

from seasons_build.core.document import Number
from seasons_build.core.record import dataclass

Term: TypeAlias = tuple[Number, int, int]
"""Scale (never 0), count (from 1), faces (from 1): `count` dice of `faces` faces, added up, times the scale."""

Function: TypeAlias = Literal["+", "*", "min", "max", "floor", "ceil", "trunc", "abs"]


def whole(number: Number) -> Number:
    """The same number, as an int where it is whole."""
    return number.numerator if isinstance(number, Fraction) and number.denominator == 1 else number


def size(number: Number) -> Number:
    """The number without its sign."""
    return -number if number < 0 else number


def figure(number: Number) -> str:
    """An exact number as text: `3`, `0.3` where a decimal is exact, else `1/3`."""
    if isinstance(number, int):
        return str(number)
    twos = fives = 0
    rest = number.denominator
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    if rest != 1 or not places:
        return f"{number.numerator}/{number.denominator}"
    digits = str(abs(number.numerator) * 10**places // number.denominator).rjust(places + 1, "0")
    return f"{'-' if number < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def decimals(number: Number, places: int) -> str:
    """A number of 0 or more with some places, rounded half up."""
    units = (2 * number * 10**places + 1) // 2
    return f"{units // 10**places}.{units % 10**places:0{places}d}" if places else str(units)


@dataclass(frozen=True, slots=True)
class Dice:
    """A sum of dice and a fixed number. Terms are merged and ordered: most faces first. Made by `throw`, `fixed` and arithmetic."""

    terms: tuple[Term, ...] = ()
    fixed: Number = 0

    def __add__(self, other: Dice | Number) -> Dice:
        if not isinstance(other, Dice):
            return Dice(self.terms, whole(self.fixed + other))
        return Dice(_merged(self.terms + other.terms), whole(self.fixed + other.fixed))

    __radd__ = __add__

    def __neg__(self) -> Dice:
        return self * -1

    def __sub__(self, other: Dice | Number) -> Dice:
        return self + -other

    def __rsub__(self, other: Number) -> Dice:
        return -self + other

    def __mul__(self, number: Number) -> Dice:
        """Every value that can be thrown, times a number."""
        scaled = tuple((whole(scale * number), count, faces) for scale, count, faces in self.terms)
        return Dice(_merged(scaled), whole(self.fixed * number))

    __rmul__ = __mul__

    def __truediv__(self, number: Number) -> Dice:
        return self * (1 / Fraction(number))

    def __str__(self) -> str:
        signed = [(scale < 0, _term_text(size(scale), count, faces)) for scale, count, faces in self.terms]
        if self.fixed or not signed:
            signed.append((self.fixed < 0, figure(size(self.fixed))))
        first = ("-" if signed[0][0] else "") + signed[0][1]
        return first + "".join(f" {'-' if negative else '+'} {text}" for negative, text in signed[1:])

    def bare(self) -> Dice:
        """The dice without the fixed number."""
        return Dice(self.terms)

    @property
    def thrown(self) -> int:
        """How many dice are thrown."""
        return sum(count for _, count, _ in self.terms)

    @property
    def whole_only(self) -> bool:
        """Whether every value that can be thrown is a whole number by its form."""
        return isinstance(self.fixed, int) and all(isinstance(scale, int) for scale, _, _ in self.terms)


@dataclass(frozen=True, slots=True)
class Worked:
    """An amount made from others after they are thrown. Each part is thrown for itself; `depth` is how deep the nesting goes."""

    function: Function
    parts: tuple[Amount, ...]
    depth: int = 1

    def __str__(self) -> str:
        if self.function == "+":
            texts = [str(part) for part in self.parts]
            return texts[0] + "".join(f" - {text[1:]}" if text.startswith("-") else f" + {text}" for text in texts[1:])
        if self.function == "*":
            first, *others = self.parts
            text = "-" if first == Dice((), -1) else f"{_factor_text(first, leads=True)} * "
            return text + " * ".join(_factor_text(part) for part in others)
        return f"{self.function}({', '.join(str(part) for part in self.parts)})"

    @property
    def thrown(self) -> int:
        """How many dice are thrown."""
        return sum(part.thrown for part in self.parts)


Amount: TypeAlias = Dice | Worked


def throw(count: int, faces: int) -> Dice:
    """`count` dice of `faces` faces; nothing is thrown where the count is 0."""
    return Dice(((1, count, faces),) if count else ())


def fixed(number: Number) -> Dice:
    """A number as an amount that throws nothing."""
    return Dice((), number)


def add(a: Amount, b: Amount) -> Amount:
    """The sum of two amounts, each thrown for itself."""
    if isinstance(a, Dice) and isinstance(b, Dice):
        return a + b
    parts = [*_summands(a), *_summands(b)]
    formal = sum((part for part in parts if isinstance(part, Dice)), Dice())
    others: list[Amount] = [part for part in parts if isinstance(part, Worked)]
    return _worked("+", [*others, formal] if formal != Dice() else others)


def times(a: Amount, b: Amount) -> Amount:
    """The product of two amounts, each thrown for itself."""
    number: Number = 1
    thrown: list[Amount] = []
    for factor in (*_factors(a), *_factors(b)):
        if isinstance(factor, Dice) and not factor.terms:
            number = whole(number * factor.fixed)
        else:
            thrown.append(factor)
    if not thrown or not number:
        return fixed(number)
    for at, factor in enumerate(thrown):
        if isinstance(factor, Dice):
            thrown[at], number = factor * number, 1
            break
    return _worked("*", thrown if number == 1 else [fixed(number), *thrown])


def apply(function: Literal["min", "max", "floor", "ceil", "trunc", "abs"], parts: tuple[Amount, ...]) -> Amount:
    """A function of one or more amounts. What throws nothing is worked out, and what is whole by its form is not rounded."""
    numbers = [part.fixed for part in parts if isinstance(part, Dice) and not part.terms]
    if len(numbers) == len(parts):
        return fixed(whole(_NUMERIC[function](numbers)))
    if function in ("floor", "ceil", "trunc") and isinstance(parts[0], Dice) and parts[0].whole_only:
        return parts[0]
    return _worked(function, parts)


_NUMERIC: dict[str, Callable[[list[Number]], Number]] = {
    "min": min,
    "max": max,
    "floor": lambda numbers: math.floor(numbers[0]),
    "ceil": lambda numbers: math.ceil(numbers[0]),
    "trunc": lambda numbers: math.trunc(numbers[0]),
    "abs": lambda numbers: size(numbers[0]),
}


def _worked(function: Function, parts: list[Amount] | tuple[Amount, ...]) -> Amount:
    if function in ("+", "*") and len(parts) == 1:
        return parts[0]
    return Worked(function, tuple(parts), 1 + max(part.depth if isinstance(part, Worked) else 0 for part in parts))


def _summands(amount: Amount) -> tuple[Amount, ...]:
    return amount.parts if isinstance(amount, Worked) and amount.function == "+" else (amount,)


def _factors(amount: Amount) -> tuple[Amount, ...]:
    return amount.parts if isinstance(amount, Worked) and amount.function == "*" else (amount,)


def _merged(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    counts: dict[tuple[int, Number], int] = {}
    for scale, count, faces in terms:
        if scale:
            counts[faces, scale] = counts.get((faces, scale), 0) + count
    return tuple((scale, count, faces) for (faces, scale), count in sorted(counts.items(), reverse=True))


def _term_text(scale: Number, count: int, faces: int) -> str:
    over = "" if scale.denominator == 1 else f" / {scale.denominator}"
    return ("" if scale.numerator == 1 else f"{scale.numerator} * ") + f"{count}d{faces}" + over


def _factor_text(amount: Amount, leads: bool = False) -> str:
    text = str(amount)
    if isinstance(amount, Worked):
        return f"({text})" if amount.function == "+" else text
    is_sum = len(amount.terms) + bool(amount.fixed) > 1
    return f"({text})" if is_sum or (not leads and (text.startswith("-") or "/" in text)) else text
