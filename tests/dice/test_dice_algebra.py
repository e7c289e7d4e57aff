"""Intervals, distributions, chains, keeping and amounts, each against a count of every case."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction as F
from itertools import product

import pytest

from seasons_build.core import dice_amount
from seasons_build.language.dice import Interval, distribution_of, work_of
from seasons_build.language.dice import interval as iv
from seasons_build.language.dice.die import again_die, throws_needed
from seasons_build.language.dice.distribution import Distribution, Sums, flat, mixture, of, point, uniform
from seasons_build.language.dice.interval import ANY_NUMBER, UNKNOWN, Number, Numeric, Truth
from seasons_build.language.dice.keep import kept, steps
from seasons_build.language.dice.scope import constant
from seasons_build.language.expression import DICE

ENDS = (None, -3, -1, 0, F(1, 2), 2)


def intervals() -> list[Numeric]:
    found: list[Numeric] = [-2, 0, F(3, 2)]
    for lo, hi in product(ENDS, ENDS):
        if lo is None or hi is None or lo < hi:
            found.append(Interval(lo, hi))
    return found


def points(value: Numeric) -> list[Number]:
    """Some numbers inside a value, far ones too where it is open."""
    if not isinstance(value, Interval):
        return [value]
    lo, hi = value.lo, value.hi
    low = lo if lo is not None else (hi if hi is not None else 0) - 50
    high = hi if hi is not None else (lo if lo is not None else 0) + 50
    return [low, high, F(low + high) / 2, F(3 * low + high) / 4]


def holds(value: Numeric, number: Number) -> bool:
    lo, hi = iv.low(value), iv.high(value)
    return (lo is None or lo <= number) and (hi is None or number <= hi)


@pytest.mark.parametrize("a", intervals(), ids=str)
def test_intervals_enclose_and_decide_rightly(a: Numeric) -> None:
    for b in intervals():
        pairs = list(product(points(a), points(b)))
        for x, y in pairs:
            assert holds(a + b, x + y) and holds(a - b, x - y) and holds(iv.times(a, b), x * y)
            assert holds(iv.smallest((a, b)), y if y < x else x) and holds(iv.largest((a, b)), x if y < x else y)
            if y and b != 0:
                assert holds(iv.divided(a, b), F(x) / y) and holds(iv.floor_divided(a, b), x // y)
                assert holds(iv.remainder(a, b), x % y)
        for compare, answers in (
            (iv.less, {x < y for x, y in pairs}),
            (iv.at_most, {x <= y for x, y in pairs}),
            (iv.equal, {x == y for x, y in pairs}),
        ):
            decided = compare(a, b)
            assert decided is UNKNOWN or answers == {decided}
    for x in points(a):
        assert holds(iv.absolute(a), -x if x < 0 else x) and holds(-a, -x)


def test_intervals_decide_where_they_can() -> None:
    assert iv.less(5, Interval(6, None)) is True
    assert iv.at_most(6, Interval(6, None)) is True
    assert iv.less(Interval(6, None), 6) is False
    assert iv.less(6, Interval(6, None)) is UNKNOWN
    assert iv.smallest((Interval(30, None), 5)) == 5
    assert iv.times(ANY_NUMBER, 0) == 0
    assert iv.divided(1, ANY_NUMBER) == ANY_NUMBER
    with pytest.raises(ZeroDivisionError):
        iv.divided(Interval(1, 2), 0)


def counted(*dice: list[int]) -> dict[Number, F]:
    found: Counter[int] = Counter()
    total = 1
    for die in dice:
        total *= len(die)
    for thrown in product(*dice):
        found[sum(thrown)] += 1
    return {value: F(ways, total) for value, ways in sorted(found.items())}


@pytest.mark.parametrize("faces", [[1, 2, 3, 4, 5, 6], [0, 0, 1], [-1, 4, 10], [7], [2, 4, 6]])
def test_sums(faces: list[int]) -> None:
    one = uniform(faces)
    sums = Sums(one)
    for count in (4, 2, 3, 0, 1):
        found = sums[count]
        assert found.chances == counted(*[faces] * count)
        assert found.mean == count * F(sum(faces), len(faces))


def test_flat_dice_take_the_short_way() -> None:
    assert flat(uniform(range(1, 7))) and flat(uniform([F(1, 2), 1, F(3, 2)]))
    assert not flat(uniform([1, 2, 4])) and not flat(uniform([1, 1, 2])) and not flat(uniform([3, 2, 1]))
    assert Sums(uniform([F(1, 2), 1, F(3, 2)]))[2].chances[2] == F(3, 9)


def test_mixture_and_map() -> None:
    mixed = mixture([(uniform([1, 2]), 1), (uniform([2, 3, 4]), 3), (point(9), 0)])
    assert mixed.chances == {1: F(1, 8), 2: F(1, 8) + F(1, 4), 3: F(1, 4), 4: F(1, 4)}
    assert mixed.mean == F(1, 4) * F(3, 2) + F(3, 4) * 3
    assert uniform(range(-2, 3)).map(iv.absolute).chances == {0: F(1, 5), 1: F(2, 5), 2: F(2, 5)}
    assert of({1: 2, Interval(3, None): 1}, 3).tail == F(1, 3)


def power(*, chained: bool) -> Distribution:
    def score(face: Number, throw: Numeric) -> Numeric:
        first = throw == 1
        return 1 if face >= 6 else -1 if face == 1 and first else 0

    def again(face: Number, throw: Numeric) -> Truth:
        return face == 10 and (chained or throw == 1)

    faces = range(1, 11)
    throws = throws_needed(faces, again, by_throw=True)
    assert throws is not None
    return again_die(faces, score, again, throws)


def test_a_die_that_explodes() -> None:
    chained, once = power(chained=True), power(chained=False)
    assert chained.mean == F(41, 90) and once.mean == F(9, 20)
    assert once.tail == 0 and once.chances == {-1: F(2, 20), 0: F(8, 20), 1: F(9, 20), 2: F(1, 20)}
    assert 0 < chained.tail < F(1, 10**30)
    assert [value for value in chained.weights if isinstance(value, Interval)] == [Interval(31, None)]
    assert sum(chained.chances.values()) + chained.tail == 1
    assert Sums(chained)[7].mean == 7 * F(41, 90)


@pytest.mark.parametrize(
    ("scores", "rest"),
    [({1: 0, 2: 5, 3: 2}, "open above"), ({1: 0, 2: 5, 3: -2}, "open below"), ({1: 0, 2: 5, 3: 0}, "closed")],
)
def test_the_rest_of_a_chain(scores: dict[int, int], rest: str) -> None:
    """Only 3 is thrown again, on a die of three: its score says on which sides the rest is open."""
    throws = throws_needed((1, 2, 3), lambda face, throw: face == 3, by_throw=False)
    assert throws is not None
    found = again_die((1, 2, 3), lambda face, throw: scores[int(face)], lambda face, throw: face == 3, throws)
    (interval,) = [value for value in found.weights if isinstance(value, Interval)]
    assert interval.hi == (None if rest == "open above" else throws * scores[3] + 5)
    assert interval.lo == (None if rest == "open below" else throws * scores[3])
    assert found.mean == F(sum(scores.values()), 2)


def test_chains_that_do_not_end() -> None:
    assert throws_needed(range(1, 7), lambda face, throw: True, by_throw=False) is None
    assert throws_needed(range(1, 7), lambda face, throw: face > 1, by_throw=False) == 379
    assert throws_needed(range(1, 21), lambda face, throw: face > 1, by_throw=False) is None
    assert throws_needed(range(1, 7), lambda face, throw: iv.less(throw, 3), by_throw=True) == 3


@pytest.mark.parametrize("counts", [(1, 1), (2, 1), (1, 3), (3, 2), (2, 2), (4, 1)])
def test_keep_against_every_throw(counts: tuple[int, int]) -> None:
    """Faces weigh differently, and many combinations are equally good: the one with the higher values wins."""
    first, second = [0, 0, 1, 3], [0, 2, 2]

    def key(values: tuple[Number, ...]) -> Number:
        return values[0] * 2 + values[1] if values[0] != 1 else 3

    expected: Counter[tuple[int, int]] = Counter()
    for a in product(first, repeat=counts[0]):
        for b in product(second, repeat=counts[1]):
            expected[max(product(a, b), key=lambda pair: (key(pair), pair))] += 1
    groups: list[tuple[dict[Number, int], int]] = [({0: 2, 1: 1, 3: 1}, counts[0]), ({0: 1, 2: 2}, counts[1])]
    assert kept(groups, key) == {pair: ways for pair, ways in expected.items() if ways}


def test_the_work_of_keeping_is_known_at_once() -> None:
    assert steps([(10, 4)]) == 20
    assert steps([(10, 4), (10, 3)]) < 10_000
    assert steps([(100, 3), (100, 3)]) > 5_000_000
    assert steps([(1000, 1000), (1000, 900)]) > 10**12


@pytest.mark.parametrize(
    ("text", "function"),
    [
        ("2d6 + 1", lambda a, b: a + b + 1),
        ("1d6 - 1d6", lambda a, b: a - b),
        ("1d6 * 1d6", lambda a, b: a * b),
        ("2 * (1d6 + 1d6)", lambda a, b: 2 * (a + b)),
        ("ceil((1d6 + 1d6) / 2)", lambda a, b: -(-(a + b) // 2)),
        ("floor(2d6 / 3)", lambda a, b: (a + b) // 3),
        ("max(1d6, 1d6)", max),
        ("min(1d6 + 2, 6) + 1d6", lambda a, b: min(a + 2, 6) + b),
        ("abs(1d6 - 1d6)", lambda a, b: abs(a - b)),
        ("dice(2, 6) - 3", lambda a, b: a + b - 3),
        ("bare(2d6 + 5)", lambda a, b: a + b),
    ],
)
def test_amounts(text: str, function: object) -> None:
    assert callable(function)
    amount = constant(text, DICE)
    expected: dict[Number, F] = {}
    for a, b in product(range(1, 7), repeat=2):
        value = function(a, b)
        expected[value] = expected.get(value, F(0)) + F(1, 36)
    assert distribution_of(amount).chances == dict(sorted(expected.items()))


def test_the_work_of_amounts_is_known_at_once() -> None:
    many = dice_amount.throw(200, 200)
    assert work_of([many]) < 5_000_000 < work_of([dice_amount.throw(999, 999)])
    assert work_of([many, many * 2, many + 1]) < work_of([many]) + 500_000
    assert work_of([many + dice_amount.throw(100, 150)]) > 5_000_000
