"""One die, thrown again as often as its rule says (language library: dice).

In: faces, the score of a face and whether it is thrown again, both as functions of the face and the number of the throw. Out: the
distribution of the sum of its scores. When less than `CUT` of it is still going, that rest becomes an interval.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final, TypeAlias

from seasons_build.language.dice.distribution import Distribution, Weights, of, uniform
from seasons_build.language.dice.interval import UNKNOWN, Interval, Number, Numeric, Truth, between, high, low

CUT: Final = 10**30
"""What is less than one in this is not followed further."""

THROWS: Final = 400
"""No die is followed over more throws than this."""

Score: TypeAlias = Callable[[Number, Numeric], Numeric]
Again: TypeAlias = Callable[[Number, Numeric], Truth]


def simple_die(faces: Sequence[Number], score: Score) -> Distribution:
    """A die that is thrown once."""
    return uniform(_exact(score(face, 1)) for face in faces)


def throws_needed(faces: Sequence[Number], again: Again, *, by_throw: bool) -> int | None:
    """How many throws a die is followed: until it has stopped for sure, or less than `CUT` of it is going. None: it goes on for too long.

    `by_throw` says whether `again` reads the number of the throw; if it does not, one throw stands for all.
    """
    going, of_all = 1, 1
    continuing = -1
    for throw in range(1, THROWS + 1):
        if continuing < 0 or by_throw:
            continuing = sum(again(face, throw) is not False for face in faces)
        going, of_all = going * continuing, of_all * len(faces)
        if going * CUT < of_all:
            return throw
        if continuing == len(faces) and not by_throw:
            return None
    return None


def again_die(faces: Sequence[Number], score: Score, again: Again, throws: int) -> Distribution:
    """A die that is thrown again where `again` holds, and added up, followed over `throws` throws."""
    going: dict[Number, int] = {0: 1}
    stopped: list[dict[Number, int]] = []
    for throw in range(1, throws + 1):
        steps = [(_exact(score(face, throw)), again(face, throw) is not False) for face in faces]
        after: dict[Number, int] = {}
        done: dict[Number, int] = {}
        for sofar, weight in going.items():
            for step, goes_on in steps:
                into = after if goes_on else done
                into[sofar + step] = into.get(sofar + step, 0) + weight
        stopped.append(done)
        going = after
        if not going:
            break
    size, last = len(faces), len(stopped)
    weights: Weights = {}
    for throw, done in enumerate(stopped, 1):
        factor = size ** (last - throw)
        for value, weight in done.items():
            weights[value] = weights.get(value, 0) + weight * factor
    if not going:
        return of(weights, size**last).reduced()
    rest = _rest(faces, score, again, last + 1)
    mean: Fraction | None = None
    if rest.mean is not None:
        moment = rest.mean * sum(going.values()) + sum(sofar * weight for sofar, weight in going.items())
        moment += sum(value * weight for value, weight in weights.items() if not isinstance(value, Interval))
        mean = moment / size**last
    for sofar, weight in going.items():
        ending = rest.value + sofar
        weights[ending] = weights.get(ending, 0) + weight
    return Distribution(weights, size**last, mean).reduced()


class _Rest:
    """What the throws from some throw on can still add: an interval, and its mean where every one of them has the same rule."""

    __slots__ = ("mean", "value")

    def __init__(self, value: Numeric, mean: Fraction | None) -> None:
        self.value = value
        self.mean = mean


def _rest(faces: Sequence[Number], score: Score, again: Again, throw: int) -> _Rest:
    later = Interval(throw, None)
    steps = [(score(face, later), again(face, later)) for face in faces]
    stopping = [step for step, goes_on in steps if goes_on is not True]
    continuing = [step for step, goes_on in steps if goes_on is not False]
    lows = [low(step) for step in stopping]
    highs = [high(step) for step in stopping]
    never_lowered = all((lo := low(step)) is not None and lo >= 0 for step in continuing) and None not in lows
    never_raised = all((hi := high(step)) is not None and hi <= 0 for step in continuing) and None not in highs
    value = between(
        min(lo for lo in lows if lo is not None) if never_lowered and lows else None,
        max(hi for hi in highs if hi is not None) if never_raised and highs else None,
    )
    mean: Fraction | None = None
    if len(continuing) < len(faces) and all(goes_on is not UNKNOWN for _, goes_on in steps):
        total = Fraction(0)
        for step, _ in steps:
            if isinstance(step, Interval):
                return _Rest(value, None)
            total += step
        mean = total / (len(faces) - len(continuing))
    return _Rest(value, mean)


def _exact(value: Numeric) -> Number:
    if isinstance(value, Interval):
        raise AssertionError("the score of one face at one throw is one number")
    return value
